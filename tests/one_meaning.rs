//! A rule means the same whoever looks on: at a table, in a simulation, to programs and where games are checked by playing them.

use crate::support::{Folder, Run, ludex_in, run};
use serde_json::Value;

/// A game that divides by 0 in a text where nobody has tried yet: in this statement, with this declared beside it.
fn zero(folder: &Folder, declared: &str, done: &str) -> usize {
    let rules = format!(
        "ludex 1
game zero \"Zero\"
sides 2
each side has {{ counter points  counter tries }}
family deed(side: side) {{}}
{declared}
action stop_it() is deed says \"stop\"
to play {{
  each side in sides {{
    side may \"Go on?\" as on
    if on {{ add 1 to side.points }}
    {done}
  }}
  finish with sides where it.points >= 0
}}
"
    );
    folder.write("rules/zero/game.ludex", &rules);
    1 + rules.lines().position(|line| line.contains("divided")).expect("something is divided")
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}{}", run.stdout, run.stderr))
}

#[test]
fn a_fault_in_a_text_is_told_everywhere_at_its_line() {
    let hole = "{100 divided by side.tries rounded down}";
    let cases = [
        ("", format!("say \"{hole} percent\"")),
        ("", format!("add 1 to side.points as went \"{hole} percent\"")),
        ("", format!("side may \"Go on at {hole}?\" as again  if again {{ add 1 to side.points }}")),
        ("", format!("side may choose deed(side) as deed \"What?\" \"{hole} more\"  if deed is not none {{ do deed }}")),
        ("", format!("finish with side \"{hole} percent\"")),
        (
            "action try_it() is deed\n  says \"try it for HOLE percent\"\n  do { add 1 to side.tries }",
            "side must choose deed(side) as deed \"What?\" else { stop play }  do deed".to_string(),
        ),
        (
            "hook unheard(side: side, n: number)",
            format!("open unheard(side, {}) {{ when nothing {{}} }}", &hole[1..hole.len() - 1]),
        ),
    ];
    for (number, (declared, done)) in cases.iter().enumerate() {
        let folder = Folder::empty(&format!("one-meaning-{number}"));
        let line = zero(&folder, &declared.replace("HOLE", hole), done);
        let simulated = json(&ludex_in(&folder, &["sim", "zero", "--games", "6", "--format", "json"], ""));
        assert_eq!(simulated["faults"], 6, "{done}: {simulated}");
        let checked = json(&ludex_in(&folder, &["check", "rules/zero", "--play", "6", "--format", "json"], ""));
        let errors: Vec<(&Value, &Value)> = checked["problems"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|problem| problem["severity"] == "error")
            .map(|problem| (&problem["code"], &problem["line"]))
            .collect();
        assert_eq!(errors, [(&Value::from("LX0911"), &Value::from(line))], "{done}: {checked}");
        let players = ["--seat", "0=:random", "--seat", "1=:random"];
        let played = ludex_in(&folder, &[&["play", "zero", "--plain"], &players[..]].concat(), "");
        let told = format!("{}{}", played.stdout, played.stderr);
        assert!(told.contains("LX0911") && told.contains(&format!("game.ludex:{line}:")), "{done}: {told}");
        let hosted = ludex_in(&folder, &[&["host", "zero"], &players[..]].concat(), "");
        let hosted = format!("{}{}", hosted.stdout, hosted.stderr);
        assert!(hosted.contains("LX0911") && !hosted.contains("-2147483648"), "{done}: {hosted}");
    }
}

#[test]
fn an_end_without_a_winner_is_told_from_a_cap() {
    let folder = Folder::empty("one-meaning-ends");
    let rules = |ends: &str| format!("ludex 1\ngame ends \"Ends\"\nsides 2\nto play {{\n  {ends}\n}}\n");
    let ends = |ends: &str| {
        folder.write("rules/ends/game.ludex", &rules(ends));
        let players = ["--seat", "0=:random", "--seat", "1=:random"];
        let played = run(&folder, &[&["play", "ends", "--plain"], &players[..]].concat(), "").stdout;
        let hosted = run(&folder, &[&["host", "ends"], &players[..]].concat(), "").stdout;
        let mut lines = hosted.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let result = lines.rfind(|line| line["type"] == "outcome").unwrap()["result"].clone();
        let report = json(&run(&folder, &["sim", "ends", "--games", "5", "--format", "json"], ""));
        let page = run(&folder, &["sim", "ends", "--games", "5"], "").stdout;
        let games = page.lines().find(|line| line.starts_with("games ")).unwrap().to_string();
        (played, result, [&report["ties"], &report["unwon"], &report["capped"]].map(|count| count.as_u64().unwrap()), games)
    };
    let (played, result, counts, games) = ends("finish with nobody \"the fireworks have exploded\"");
    assert!(played.contains("the game ends without a winner\nthe fireworks have exploded\n"), "{played}");
    assert_eq!((result, counts), ("nobody".into(), [0, 5, 0]));
    assert_eq!(games, "games    0 tied, 5 without a winner, 0 called off, 0 ended by a fault");
    let cap = "repeat at most 2 times { say \"on\" } otherwise { finish with nobody \"two rounds have passed\" }";
    let (played, result, counts, games) = ends(cap);
    assert!(played.contains("it has gone on for too long\ntwo rounds have passed\n"), "{played}");
    assert_eq!((result, counts), ("capped".into(), [0, 0, 5]));
    assert_eq!(games, "games    0 tied, 5 called off, 0 ended by a fault");
}

#[test]
fn nothing_is_chosen_with_enter_or_a_word_and_one_answer_is_not_asked() {
    let folder = Folder::empty("one-meaning-nothing");
    folder.write(
        "rules/few/game.ludex",
        "ludex 1
game few \"Few\"
sides 2
die sizes 6
each side has { zone tray: dice, open  zone none_there: dice, open }
to play {
  repeat 2 times { create die(size: 6) in (first of sides).tray for first of sides }
  let side = first of sides
  side must choose any number in side.tray as some \"Any number?\"
  say \"any number: {count of some}\"
  side must choose 0 to 1 in side.tray as few \"One at most?\"
  say \"one at most: {count of few}\"
  side may choose 1 to 2 in side.tray as two \"One or two?\"
  say \"one or two: {count of two}\"
  side must choose 0 in side.tray as exactly \"Exactly none?\"
  say \"exactly none: {count of exactly}\"
  side must choose 2 in side.tray as all \"Exactly two?\"
  say \"exactly two: {count of all}\"
  side must choose any number in side.none_there as empty \"Of nothing?\"
  say \"of nothing: {count of empty}\"
  finish with side
}
",
    );
    let players = ["play", "few", "--plain", "--seat", "0=:human", "--seat", "1=:random"];
    for (input, chosen) in [("\n\nnone\n", [0, 0, 0]), ("none\nnone\npass\n", [0, 0, 0]), ("1\n2\n1 2\n", [1, 1, 2])] {
        let played = run(&folder, &players, input).stdout;
        let [some, few, two] = chosen;
        for said in [
            format!("any number: {some}\n"),
            format!("one at most: {few}\n"),
            format!("one or two: {two}\n"),
            "exactly none: 0\n".to_string(),
            "exactly two: 2\n".to_string(),
            "of nothing: 0\n".to_string(),
        ] {
            assert!(played.contains(&said), "{input:?} {said}: {played}");
        }
        assert!(!played.contains("Exactly") && !played.contains("Of nothing?"), "{played}");
    }
}

#[test]
fn check_takes_the_keys_that_test_takes() {
    let folder = Folder::empty("one-meaning-keys");
    folder.write(
        "rules/heaps/game.ludex",
        "ludex 1
game heaps \"Heaps\"
sides 2 of 1 box
sheet card
sheet box (boxes) { zone content: cards, open }
piece card (cards) from card { counter n }
each side has { counter points }
family pick(side: side) {}
action take_up(cards: 1 or more in side.boxes.content) is pick says \"take {cards}\"
to play {
  let side = first of sides
  side must choose 1 or more in side.boxes.content as some \"Some\"
  say \"{some}\"
  side must choose pick(side) as taken else { stop }
  side must order side.boxes.content as row
  side must divide 3 in steps of 1 among side.boxes.content as shares \"Divide\"
  each card in side.boxes.content { set card.n to shares(card)  add card.n to side.points }
  if side.points = 3 { finish with side }
}
",
    );
    folder.write(
        "characters/heaps/c.yaml",
        "sheets:
  pea: {sheet: card, name: Pea}
  nut: {sheet: card, name: Nut}
  one: {sheet: box, name: One, content: {pea: 3, nut: 2}}
",
    );
    let scenario = |first: &str, order: &str, shares: &str| {
        format!(
            "- name: \"{first}, {order}, {shares}\"
  start: {{sides: [[one], [one]]}}
  play:
    - 0: {first}
    - 0: take_up(nut)
    - 0: {order}
    - 0: {shares}
  then: {{outcome: {{winner: 0}}}}
"
        )
    };
    let firsts = ["pea#2+nut", "nut+pea#2", "choose(pea#2+nut)", "choose(nut#2 + pea)", "pea#3", "pea", "pea + pea#2"];
    let orders = ["order(pea+pea#2+nut+nut#2+pea#3)", "nut#2+pea#2+nut+pea+pea#3"];
    let all = firsts.map(|first| scenario(first, "order(nut+pea#2+nut#2+pea#3+pea)", "divide(pea=3)"));
    let more = orders.map(|order| scenario("pea#3", order, "pea#2=1+nut=2"));
    let written: Vec<String> = all.into_iter().chain(more).collect();
    for (number, text) in written.iter().enumerate() {
        folder.write("rules/heaps/scenarios/s.yaml", text);
        let tested = ludex_in(&folder, &["test", "heaps"], "");
        let checked = ludex_in(&folder, &["check", "--format", "json"], "");
        let refused = json(&checked)["problems"].as_array().into_iter().flatten().any(|problem| problem["code"] == "LX0816");
        assert!(!refused && tested.status == 0, "{number} {text}: {}{}{}", checked.stdout, tested.stdout, tested.stderr);
    }
    // What `test` never takes is still an error of `check`.
    folder.write("rules/heaps/scenarios/s.yaml", &scenario("pea#2+nux", "order(nut+pea#2+nut#2+pea#3+pea)", "divide(pea=3)"));
    assert!(ludex_in(&folder, &["check", "--format", "json"], "").stdout.contains("LX0816"));
}

#[test]
fn what_must_carry_itself_out_for_ever_is_an_error_where_it_is_written() {
    let rules = |body: &str| {
        format!(
            "ludex 1
game rings \"Rings\"
sides 2 of 1 frog
sheet frog (frogs) {{ zone nest: dice, open }}
die sizes 6
each side has {{ counter points }}
hook dusk(active: side)
to play {{
  each side in sides {{ open dusk(side) {{ when nothing {{}} }} do turn(side, 3) }}
  finish with sides where it.points > 0
}}
{body}
"
        )
    };
    let turn = "scope turn(active: side, n: number) { add 1 to active.points }";
    let script =
        |body: &str| format!("//! ability ring \"Ring\"\n//!   \"It rings.\"\n//!\n//! trigger ring at dusk(active)\n\n{body}\n");
    let found = |name: &str, body: &str, functions: &str| {
        let folder = Folder::empty(&format!("one-meaning-rings-{name}"));
        folder.write("rules/rings/game.ludex", &rules(body));
        folder.write("characters/rings/one.yaml", "name: One\nnest: [6]\nabilities: [ring]\n");
        folder.write("scripts/rings/ring.rhai", &script(functions));
        let report = json(&ludex_in(&folder, &["check", "--format", "json"], ""));
        let problems = report["problems"].as_array().unwrap().clone();
        let errors = problems.into_iter().filter(|problem| problem["severity"] == "error");
        errors
            .map(|problem| {
                format!("{} {} {}", problem["code"].as_str().unwrap(), problem["line"], problem["message"].as_str().unwrap())
            })
            .collect::<Vec<_>>()
    };
    let fine = "fn ring(active) { say(\"ding\"); }";
    let in_rules = [
        (
            "asks",
            "scope turn(active: side, n: number) { active may \"?\" as on  if on { add 1 to active.points } do turn(active, n) }",
        ),
        (
            "ways",
            "scope turn(active: side, n: number) { if n = 1 { do turn(active, 2) } else { add 1 to active.points do turn(active, 1) } }",
        ),
        (
            "both",
            "scope turn(active: side, n: number) { add n to active.points do other(active) }\nto other(active: side) { do turn(active, 1) }",
        ),
        ("loop", "scope turn(active: side, n: number) { repeat n times { add 1 to active.points } do turn(active, 1) }"),
        (
            "hook",
            "scope turn(active: side, n: number) { open dusk(active) { when nothing {} } add n to active.points do turn(active.foe, 1) }",
        ),
    ];
    for (name, body) in in_rules {
        let errors = found(name, body, fine);
        assert!(
            matches!(&errors[..], [error] if error.starts_with("LX0506 12 `turn` calls itself and never ends")),
            "{name}: {errors:#?}"
        );
    }
    let may_end = [
        ("stops", "scope turn(active: side, n: number) { if n = 0 { stop } add 1 to active.points do turn(active, n - 1) }"),
        (
            "ends",
            "scope turn(active: side, n: number) { add 1 to active.points if active.points > 9 { finish with active } do turn(active, n) }",
        ),
        (
            "inside",
            "scope turn(active: side, n: number) { do score(active) do turn(active, n) }\nto score(active: side) { add 1 to active.points if active.points > 9 { finish with active } }",
        ),
        ("branch", "scope turn(active: side, n: number) { add 1 to active.points if n > 0 { do turn(active, n - 1) } }"),
        (
            "until",
            "scope turn(active: side, n: number) { add 1 to active.points repeat at most 3 times until n > 1 { do turn(active, n + 1) } otherwise {} }",
        ),
        (
            "each",
            "scope turn(active: side, n: number) { add 1 to active.points each side in sides where it.points < n { do turn(side, n) } }",
        ),
    ];
    for (name, body) in may_end {
        assert_eq!(found(name, body, fine), [""; 0], "{name}");
    }
    let in_scripts = [
        (
            "itself",
            "fn ring(active) { again(active); }\nfn again(side) { add(side, \"points\", 1); again(side); }",
            7,
            "`again()` calls itself",
        ),
        (
            "pair",
            "fn ring(active) { one(active); }\nfn one(side) { two(side); }\nfn two(side) { one(side); }",
            7,
            "`one()` calls itself",
        ),
        ("while", "fn ring(active) { while true { add(active, \"points\", 1); } }", 6, "this loop has no way out"),
        ("empty", "fn ring(active) { while true { } }", 6, "this loop has no way out"),
        ("loop", "fn ring(active) {\n  loop {\n    add(active, \"points\", 1);\n  }\n}", 7, "this loop has no way out"),
        (
            "helper",
            "fn ring(active) { spin(active); }\nfn spin(side) { loop { add(side, \"points\", 1); } }",
            7,
            "this loop has no way out",
        ),
    ];
    for (name, functions, line, message) in in_scripts {
        let errors = found(name, turn, functions);
        assert!(matches!(&errors[..], [error] if error.contains(&format!(" {line} {message}"))), "{name}: {errors:#?}");
    }
    let fine_scripts = [
        ("break", "fn ring(active) { let n = 0; loop { n += 1; if n > 3 { break; } } add(active, \"points\", n); }"),
        ("return", "fn ring(active) { let n = 0; while true { n += 1; if n > 3 { return; } } }"),
        (
            "deep",
            "fn ring(active) { down(active, 3); }\nfn down(side, n) { if n > 0 { add(side, \"points\", 1); down(side, n - 1); } }",
        ),
    ];
    for (name, functions) in fine_scripts {
        assert_eq!(found(name, turn, functions), [""; 0], "{name}");
    }
}
