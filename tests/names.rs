//! What the players of sides are called.

use crate::support::{Folder, Run, ludex_in};

const PIG: [&str; 10] =
    ["--library", "examples/classics", "--seat", "0=:random", "--seat", "1=:random", "--seed", "3", "--option", "goal=20"];

fn pig(folder: &Folder, verb: &str, more: &[&str]) -> Run {
    let classics = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/classics");
    let args: Vec<&str> = PIG.iter().map(|arg| if *arg == "examples/classics" { classics } else { arg }).collect();
    ludex_in(folder, &[&[verb, "pig"], &args[..], more].concat(), "")
}

#[test]
fn names_stand_wherever_a_side_is_named_and_change_nothing_else() {
    let folder = Folder::new("names");
    let named = pig(&folder, "play", &["--name", "0=Ada", "--name", "1= Ben "]);
    assert_eq!(named.status, 0, "{}", named.stderr);
    assert!(named.stdout.contains("Ada gets") && named.stdout.contains("Ben"), "{}", named.stdout);
    assert!(!named.stdout.contains("Player"), "{}", named.stdout);
    let plain = pig(&folder, "play", &[]);
    let renamed = plain.stdout.replace("Player 1", "Ada").replace("Player 2", "Ben");
    // Before play and behind it there is what no two games share: where it is kept, the commitment, and what opens that.
    let words = |text: &str| {
        let play = text.split_whitespace().skip_while(|word| *word != "turn").take_while(|word| *word != "seed");
        play.map(str::to_string).collect::<Vec<_>>()
    };
    assert!(!words(&renamed).is_empty());
    assert_eq!(words(&renamed), words(&named.stdout));
}

#[test]
fn a_side_without_a_name_is_called_as_before() {
    let folder = Folder::new("one-name");
    let hosted = pig(&folder, "host", &["--name", "1=Ben"]);
    let hello: serde_json::Value = serde_json::from_str(hosted.stdout.lines().next().unwrap()).unwrap();
    assert_eq!(hello["names"], serde_json::json!(["", "Ben"]));
    assert!(hosted.stdout.contains("side 0 gets") && hosted.stdout.contains("Ben gets"), "{}", hosted.stdout);
    assert!(!pig(&folder, "host", &[]).stdout.contains("\"names\":["), "nobody has a name");
}

#[test]
fn names_that_cannot_be_are_refused() {
    let folder = Folder::new("wrong-names");
    let long = format!("0={}", "a".repeat(41));
    for (names, message) in [
        (&["2=Cleo"][..], "`Cleo` is the name of side 2, but there are 2 sides"),
        (&["0=Ada", "1=Ada"], "two sides are called `Ada`"),
        (&["0=Ada", "0=Ben"], "side 0 has two names, `Ada` and `Ben`"),
        (&["Ada"], "write it as `0=Ada`"),
        (&["x=Ada"], "`x` is not the number of a side"),
        (&["0="], "a name has 1 to 40 characters on one line"),
        (&[long.as_str()], "a name has 1 to 40 characters on one line"),
        (&["0=A\u{1b}[2J"], "a name has 1 to 40 characters on one line"),
    ] {
        let flags: Vec<&str> = names.iter().flat_map(|name| ["--name", name]).collect();
        let run = pig(&folder, "play", &flags);
        let told: String = run.stderr.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ");
        assert!(run.status != 0 && told.contains(message), "{names:?}: {}{}", run.stdout, run.stderr);
    }
}
