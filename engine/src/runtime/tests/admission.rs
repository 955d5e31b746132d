//! `sides … where … else`: who may play at all.

use crate::Compile;
use crate::runtime::Session;
use crate::testing::{Texts, game, setup};
use ludex_compiler::library::CompileRequest;
use ludex_syntax::codes;
use std::sync::Arc;

const RULES: &str = r#"
sides 2 of 1 runner where it.age >= least_age else "{it} is {it.age}, and {least_age} is wanted"
option least_age = 6 in 0..20 "how old everybody must be"
sheet runner (runners) { age: number in 0..99 }
to play { do race }
entry to race { say "they run" }
mode children "Children" { replace sides 2 of 1 runner where it.age < 10 else "{it} is no child" }
"#;

fn runners() -> Texts {
    game(RULES).sheet("ann", "name: Ann\nage: 30\n").sheet("tom", "name: Tom\nage: 5\n")
}

/// Code and message of what keeps these from playing.
fn refusal(texts: &Texts, wanted: &CompileRequest, sheets: [&str; 2]) -> Option<(&'static str, String)> {
    let program = Arc::new(texts.library().compile("pond", wanted).0.expect("the game compiles"));
    let problem = Session::start(program, &setup(&[&sheets[..1], &sheets[1..]])).err()?;
    Some((problem.code, problem.message.to_string()))
}

#[test]
fn who_is_not_what_the_rules_want_is_refused_with_their_words() {
    let usual = CompileRequest::default();
    assert_eq!(refusal(&runners(), &usual, ["ann", "ann"]), None);
    let told = "`tom` cannot play: Tom is 5, and 6 is wanted".to_string();
    assert_eq!(refusal(&runners(), &usual, ["ann", "tom"]), Some((codes::NOT_ADMITTED, told)));
}

#[test]
fn options_and_modes_decide_too() {
    let younger = CompileRequest { options: [("least_age".to_string(), "5".to_string())].into(), ..CompileRequest::default() };
    assert_eq!(refusal(&runners(), &younger, ["ann", "tom"]), None);
    let children = CompileRequest { mode: Some("children".to_string()), ..CompileRequest::default() };
    assert_eq!(refusal(&runners(), &children, ["tom", "tom"]), None);
    let told = "`ann` cannot play: Ann is no child".to_string();
    assert_eq!(refusal(&runners(), &children, ["ann", "tom"]), Some((codes::NOT_ADMITTED, told)));
}

#[test]
fn each_is_judged_alone() {
    let program = runners().program();
    let judged = ["ann", "tom"].map(|sheet| Session::check_entrant(&program, sheet).is_ok());
    assert_eq!(judged, [true, false]);
}

#[test]
fn who_may_play_is_worked_out_once_when_the_library_is_read() {
    let mut program = Arc::unwrap_or_clone(runners().program());
    let tom = program.sheets.get_mut("tom").and_then(|sheet| sheet.before_play.as_mut()).expect("the rules ask for it");
    let refusal = tom.admission.as_ref().err().map(|problem| problem.message.to_string());
    assert_eq!(refusal.as_deref(), Some("`tom` cannot play: Tom is 5, and 6 is wanted"));
    tom.admission = Ok(());
    assert_eq!(Session::check_entrant(&program, "tom"), Ok(()));
}

#[test]
fn a_position_may_hold_anybody() {
    let text = "sides: [{entrants: [tom]}, {entrants: [tom]}]\nat: race\n";
    assert_eq!(runners().play_from_position(text).new_said_texts(), ["they run"]);
}

#[test]
fn where_nobody_is_brought_nobody_can_be_judged() {
    let texts = game("sides 2 where it is none else \"nobody\"\nto play { say \"well\" }");
    assert_eq!(texts.problems(), ["the sides bring no entrants that a condition could test"]);
}
