//! Parameters of abilities, which sheets set.

use crate::testing::{Texts, game};

const RULES: &str = "sides 2 of 1 racer
type coat is one of fur, feathers
sheet racer (racers) { speed: number }
hook pace(racer: racer): number = racer.speed
hook noon(side: side)
each side has { counter score }
to play {
  each racer in racers { say \"{racer} {pace(racer)}\" }
  each side in sides { open noon(side) }
}";

const DASH: &str = "//! ability dash \"Dash\"
//! parameter amount: number in 1..9 = 2
//! parameter coats: list of coat = none
//! parameter word: text = \"Hey\"
//! modify pace(racer) when racer is holder and (coats is empty or fur in coats): it + amount
//! trigger dash at noon(side) when side is me and amount > 1 do { say \"{word} {amount}\" }
//! trigger cry at noon(side) when side is me

fn cry(me, amount, coats, word) { add(me, \"score\", amount + len(coats)); say(`${word}!`); }
";

fn racers(one: &str, other: &str) -> Texts {
    game(RULES)
        .script("dash", DASH)
        .sheet("one", &format!("name: One\nspeed: 1\nabilities: [{one}]\n"))
        .sheet("other", &format!("name: Other\nspeed: 2\nabilities: [{other}]\n"))
}

#[test]
fn sheets_set_parameters_for_themselves() {
    let texts = racers("dash: {amount: 5, coats: [fur, feathers], word: Ho}", "dash");
    let mut table = texts.play_with_sheets(&["one", "other"]);
    assert_eq!(table.new_said_texts(), ["One 6", "Other 4", "Ho 5", "Ho!", "Hey 2", "Hey!"]);
    assert_eq!(table.session.view(crate::runtime::Viewer::Trusted).sides[0].counters["score"], "7");
    let never = racers("dash: {coats: [feathers], amount: 1}", "dash").play_with_sheets(&["one", "other"]).new_said_texts();
    assert_eq!(never[..3], ["One 1", "Other 4", "Hey!"]);
}

#[test]
fn a_single_parameter_stands_alone() {
    let script =
        "//! ability plod \"Plod\"\n//! parameter amount: number\n//! modify pace(racer) when racer is holder: it - amount\n";
    let texts = game(RULES).script("plod", script).sheet("one", "name: One\nspeed: 9\nabilities: [plod: 4]\n");
    assert_eq!(texts.play_with_sheets(&["one", "one"]).new_said_texts()[0], "One (1) 5");
}

#[test]
fn wrong_settings_are_told() {
    insta::assert_debug_snapshot!(racers("dash: {amont: 3}", "dash: {amount: 10, coats: fur}").error_details());
    let script = "//! ability dash \"Dash\"\n//! parameter amount: number\n//! modify pace(racer): it - amount\n";
    let one =
        |listed: &str| game(RULES).script("dash", script).sheet("one", &format!("name: One\nspeed: 1\nabilities: [{listed}]\n"));
    insta::assert_debug_snapshot!([
        one("dash").error_details(),
        one("dash: many").error_details(),
        one("dash: {}").error_details()
    ]);
}

#[test]
fn wrong_parameters_are_told() {
    let wrong = |header: &str| {
        let texts = game(RULES).sheet("one", "name: One\nspeed: 9\n");
        texts.script("dash", &format!("//! ability dash \"Dash\"\n{header}\n//! modify pace(racer): it\n")).error_details()
    };
    insta::assert_debug_snapshot!([
        wrong("//! parameter who: racer"),
        wrong("//! parameter amount: number = count of sides"),
        wrong("//! parameter amount: number = fur"),
        wrong("//! parameter amount: number = 1\n//! parameter amount: number = 2"),
    ]);
}
