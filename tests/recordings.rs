//! Recordings that nothing may take away: not a second process, not damage, not the end of the machine.

#[cfg(target_os = "linux")]
#[path = "../examples/shared/counting.rs"]
mod counting;
#[cfg(target_os = "linux")]
#[path = "../examples/shared/prompts.rs"]
mod prompts;

use crate::host::Table;
use crate::support::{Folder, Run, ludex_in};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;

const SEATS: [&str; 7] = ["dice-challenge", "--seed", "7", "--seat", "0=kunzite", "--seat", "1=rubeus:random"];

/// Two people show a sign each, in secret, until one has won twice.
const SIGNS: &str = r#"ludex 1
game signs "Signs"

sides 2
type sign is one of rock, paper, scissors
each side has { counter points }

to play {
  repeat at most 20 times {
    each side in sides at once in secret must choose a sign as shown "Your sign"
    each side in sides {
      say "{side} shows {shown(side)}"
      if shown(side) is rock and shown(side.foe) is scissors { add 1 to side.points }
    }
    each side in sides { if side.points = 2 { finish with side } }
  } otherwise { finish with nobody "nobody ever won" }
}
"#;

fn play(folder: &Folder, input: &str) -> Run {
    ludex_in(folder, &[&["play"], &SEATS[..]].concat(), input)
}

fn resume(folder: &Folder, game: &str, input: &str) -> Run {
    ludex_in(folder, &["resume", "--plain", game], input)
}

/// The recordings that are kept in a folder's state.
fn kept(folder: &Folder, place: &str) -> Vec<PathBuf> {
    let files = fs::read_dir(folder.file("ludex").join(place)).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|ending| ending == "ludexrec")).collect();
    found.sort();
    found
}

fn only(folder: &Folder) -> PathBuf {
    let found = kept(folder, "recordings");
    assert_eq!(found.len(), 1);
    found[0].clone()
}

fn report(folder: &Folder, path: &std::path::Path) -> Value {
    let run = ludex_in(folder, &["replay", &path.to_string_lossy(), "--format", "json"], "");
    assert_eq!(run.status, 0, "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn a_second_process_is_told_who_plays() {
    let folder = Folder::new("recordings-lock");
    let mut first = folder.command(&[&["play"], &SEATS[..]].concat()).spawn().unwrap();
    let mut said = BufReader::new(first.stdout.take().unwrap()).lines();
    assert!(said.any(|line| line.unwrap().starts_with("kept in ")));
    let before = fs::read(only(&folder)).unwrap();
    let second = resume(&folder, "1", "1\nquit\n");
    assert_eq!(second.status, 1);
    assert!(second.stderr.contains(&format!("this game is being played by process {}", first.id())), "{}", second.stderr);
    assert_eq!(fs::read(only(&folder)).unwrap(), before);
    let listed = ludex_in(&folder, &["resume"], "");
    // Where the columns are narrow the words stand below each other.
    assert!(listed.stdout.contains("process") && listed.stdout.contains(&first.id().to_string()), "{}", listed.stdout);
    // However it ends, its lock goes with it.
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(resume(&folder, "1", "1\nquit\n").status, 0);
}

#[test]
fn a_secret_pick_that_is_accepted_is_kept_and_not_told() {
    let folder = Folder::outside("recordings-secret");
    folder.write("rules/signs/signs.ludex", SIGNS);
    let mut table = Table::of(&folder, &["signs"], &[]);
    let first = table.wait_for("decision");
    table.wait_for("decision");
    table.tell(json!({ "choose": first["id"], "seat": 0, "key": "choose(paper)" }));
    table.wait_for("accepted");
    table.kill();
    let path = kept(&folder, "hosted").remove(0);
    assert!(fs::read_to_string(&path).unwrap().contains("\"key\":\"choose(paper)\""));
    let replayed = ludex_in(&folder, &["replay", &path.to_string_lossy(), "--format", "json"], "");
    assert!(!replayed.stdout.contains("paper"), "{}", replayed.stdout);
    // Who has picked is not asked again.
    let run = resume(&folder, &path.to_string_lossy(), "\nchoose(rock)\n\nlog\nquit\n");
    assert_eq!(run.status, 0, "{}", run.stderr);

    assert!(run.stdout.contains("shows paper") && run.stdout.contains("shows rock"), "{}", run.stdout);
}

#[test]
fn a_withdrawn_pick_stays_withdrawn() {
    let folder = Folder::outside("recordings-withdrawn");
    folder.write("rules/signs/signs.ludex", SIGNS);
    let mut table = Table::of(&folder, &["signs"], &[]);
    let (first, second) = (table.wait_for("decision"), table.wait_for("decision"));
    let pick = |of: &Value, key: &str| json!({ "choose": of["id"], "seat": of["seat"], "key": key });
    table.tell(pick(&first, "choose(paper)"));
    table.wait_for("accepted");
    table.tell(json!({ "undo": { "seat": 0 } }));
    let again = table.wait_for("decision");
    table.tell(pick(&second, "choose(scissors)"));
    table.tell(pick(&again, "choose(rock)"));
    while table.hear()["kind"] != "said" {}
    table.tell(json!({ "undo": { "seat": 0 } }));
    table.kill();
    let path = kept(&folder, "hosted").remove(0);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("{\"withdraw\":0,"), "{text}");
    let events = report(&folder, &path)["events"].to_string();
    assert!(events.contains("choose(rock)") && !events.contains("choose(paper)"), "{events}");
}

#[test]
fn damage_costs_only_what_comes_after_it() {
    let folder = Folder::new("recordings-damage");
    play(&folder, "1\n2\n1\n1\nquit\n");
    let path = only(&folder);
    let whole = fs::read_to_string(&path).unwrap();
    let sound: Vec<&str> = whole.lines().take(3).collect();
    let damaged = whole.replacen("\"decision\":3", "\"decision\":8", 1);
    assert_ne!(damaged, whole);
    fs::write(&path, &damaged).unwrap();
    let told = report(&folder, &path);
    assert!(told["warnings"][0].as_str().unwrap().starts_with("line 4 and the "), "{told}");
    let run = resume(&folder, "1", "1\nquit\n");
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stderr.contains("line 4 and the ") && run.stderr.contains("is stored in"), "{}", run.stderr);
    let aside = PathBuf::from(format!("{}.damaged", path.display()));
    assert_eq!(fs::read_to_string(aside).unwrap(), damaged);
    let now = fs::read_to_string(&path).unwrap();
    assert!(now.starts_with(&sound.join("\n")) && now.lines().count() > 3, "{now}");
    assert_eq!(report(&folder, &path)["warnings"], json!([]));
}

#[test]
fn a_game_of_format_1_goes_on_in_a_new_file() {
    let folder = Folder::new("recordings-format-1");
    let old = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/recordings-1/dice-challenge-unfinished.ludexrec");
    let old = fs::read_to_string(old).unwrap();
    let path = folder.write("ludex/recordings/0004-dice-challenge.ludexrec", &old);
    let run = resume(&folder, "4", "1\nquit\n");
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(fs::read_to_string(format!("{path}.format-1")).unwrap(), old);
    let now = fs::read_to_string(&path).unwrap();
    assert!(now.starts_with("{\"ludex-recording\":2,"), "{now}");
    assert_eq!(now.lines().count(), old.lines().count() + 1);
    assert!(!report(&folder, only(&folder).as_path())["events"].as_array().unwrap().is_empty());
}

#[test]
fn unfinished_games_are_listed_until_they_are_over() {
    let folder = Folder::new("recordings-list");
    assert_eq!(ludex_in(&folder, &["resume"], "").stdout, "there are no unfinished games\n");
    play(&folder, "1\nquit\n");
    play(&folder, "1\nresign\nyes\n");
    let listed = ludex_in(&folder, &["resume"], "");
    let first = listed.stdout.lines().next().unwrap();
    assert!(first.contains("dice-challenge") && first.contains("kunzite (human) against rubeus"), "{}", listed.stdout);
    let listed = ludex_in(&folder, &["resume", "--format", "json"], "");
    let report: Value = serde_json::from_str(&listed.stdout).unwrap();
    let games = report["games"].as_array().unwrap();
    assert_eq!((games.len(), &games[0]["number"], &games[0]["answers"]), (1, &json!(1), &json!(1)));
    for game in ["2", "9", "nowhere.ludexrec"] {
        assert_eq!(resume(&folder, game, "").status, 1, "{game}");
    }
}

#[test]
fn finished_games_stay_as_the_setting_says() {
    let folder = Folder::new("recordings-keep");
    let with = |keep: &str, input: &str| {
        let mut child = folder.command(&[&["play"], &SEATS[..]].concat()).env("LUDEX_KEEP", keep).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        Run::from(child.wait_with_output().unwrap())
    };
    with("1", "quit\n");
    (0..3).for_each(|_| drop(with("1", "resign\nyes\n")));
    // The unfinished one, the last that was over when the last began, and that.
    let numbers: Vec<String> =
        kept(&folder, "recordings").iter().map(|path| path.file_name().unwrap().to_string_lossy()[..4].into()).collect();
    assert_eq!(numbers, ["0001", "0003", "0004"]);
    let wrong = with("a few", "quit\n");
    assert!(wrong.stderr.contains("LUDEX_KEEP must be `all`, a number of games"), "{}", wrong.stderr);
}

#[cfg(unix)]
#[test]
fn what_has_no_end_is_not_read() {
    let folder = Folder::new("recordings-pipe");
    folder.remove("pipe");
    let made = std::process::Command::new("mkfifo").arg(folder.file("pipe")).status().unwrap();
    assert!(made.success());
    for path in [folder.file("pipe"), PathBuf::from("/dev/zero")] {
        for verb in ["replay", "resume"] {
            let run = ludex_in(&folder, &[verb, &path.to_string_lossy()], "");
            // Where lines end depends on how long the path is.
            let words: Vec<&str> = run.stderr.split_whitespace().filter(|word| *word != "│").collect();
            assert!(run.status == 1 && words.join(" ").contains("it is not a regular file"), "{}", run.stderr);
        }
    }
}

/// They tell the seed and all hands.
#[cfg(unix)]
#[test]
fn only_their_owner_reads_recordings() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("recordings-private");
    folder.remove("copy.ludexrec");
    play(&folder, "save copy.ludexrec\nquit\n");
    let mode = |path: PathBuf| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(folder.file("ludex/recordings")), 0o700);
    assert_eq!(mode(only(&folder)), 0o600);
    assert_eq!(mode(folder.file("copy.ludexrec")), 0o600);
}

/// What was taken back takes a few bytes, whatever it has led to.
#[cfg(target_os = "linux")]
#[test]
fn very_many_take_backs_take_little_memory() {
    let folder = Folder::outside("recordings-long");
    counting::write(&folder.file(""));
    let mut table = Table::of(&folder, &["counting", "--seed", "1"], &[]);
    table.wait_for("decision");
    table.kill();
    let first = fs::read_to_string(kept(&folder, "hosted").remove(0)).unwrap();
    let first = crate::support::unsealed(first.lines().next().unwrap());
    let held = |take_backs: usize| {
        let answer = format!("{{\"decision\":1,\"seat\":0,\"key\":\"{}\"}}", counting::FIRST);
        let undo = |to: usize| format!("{{\"undo\":{{\"seat\":0,\"to\":{to},\"seed\":{to}}}}}");
        let pairs = (0..take_backs).flat_map(|pair| [answer.clone(), undo(pair * 2 + 1)]);
        let mut chain = ludex_engine::recording::Chain::default();
        let text: String = std::iter::once(first.clone()).chain(pairs).map(|line| chain.seal_line(&line)).collect();
        let path = folder.write("long.ludexrec", &text);
        let mut child = folder.command(&["resume", "--plain", &path]).spawn().unwrap();
        assert!(prompts::wait_for_prompt(child.stderr.as_mut().unwrap()));
        let held = crate::support::peak::peak(child.id());
        child.kill().unwrap();
        child.wait().unwrap();
        held
    };
    // What the system gives a process differs a little from run to run.
    let more = held(2_000).saturating_sub(held(1));
    assert!(more < 2 << 20, "{more} bytes for 4,000 lines");
}
