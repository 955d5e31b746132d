//! A small game made of text, for the tests of scripts.

use crate::Compile;
use crate::runtime::{Choice, Decision, Dice, Event, Pending, Session, SessionOptions, Setup, Viewer};
use ludex_compiler::library::{CompileRequest, File, Library};
use ludex_program::Program;
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::Sources;
use std::fmt::Write;
use std::sync::Arc;

/// The rules of a pond: two frogs, each with a nest of dice, and a moment for every kind of ability.
pub const POND: &str = r#"ludex 1
game pond "Pond"
sides 2 of 1 frog
option depth = 3 in 1..9 "how deep the pond is"
option weather is one of sunny, rainy = rainy "how it is outside"
die sizes 4, 6, 8
type mood is one of calm, cross
sheet frog (frogs) { zone nest: dice, open }
each side has {
  frog: frog = first of frogs, lending nest
  zone den: dice, open
  counter flies in 0..20
  mood: mood
  mark sleepy "sleeps"
}
piece die (dice) {
  prey: die or none
  mark wet "is wet"
}
the table has { zone water: dice, open  turn_of: side or none }
hook hopped(active: side, prey: die) answers splash, silence
hook rested(active: side)
family hop(active: side) { dice: dice }
action leap(dice: 1 or more in active.nest) is hop
  says "{dice} leap"
define heavy(die: die): flag = die.size > 5
define dampness = 3
table prize(number) { 1..3: 10  4: 20  otherwise: 0 }
hook reach(side: side): number = 2
to play { do match }
scope match { do day(first of sides)  finish with first of sides }
scope day(active: side) {
  if active.nest is empty { stop }  open hopped(active, first of active.nest) { when splash { say "splash" } when silence { say "hush" } when nothing { say "nothing" } }
  open rested(active)
}
to feed(side: side, number: number) { add number to side.flies }
to cheer(side: side, mood: mood) { set side.mood to mood }
to swap(a: die, b: die or none) { say "swapped" }
to soak(dice: dice) { each die in dice { mark die as wet } }
to rest(active: side) { open rested(active) }
to spin { repeat at most 1000000 times { set table.turn_of to first of sides } otherwise { say "dizzy" } }
"#;

/// An ability whose offer `act` runs the function of a script.
pub fn ability(functions: &str) -> String {
    format!("//! ability act \"Act\"\n//! offer act at hopped(active, prey)\n//!   when active is me\n{functions}")
}

/// Compiles the pond with one script.
pub fn pond(script: &str) -> (Option<Program>, Vec<Problem>, Sources) {
    game(POND, &[("act", script)])
}

pub fn game(rules: &str, scripts: &[(&str, &str)]) -> (Option<Program>, Vec<Problem>, Sources) {
    let file = |path: String, text: &str| File { path, text: text.to_string(), library: "test".to_string() };
    let mut files = vec![file("rules/pond/pond.ludex".to_string(), rules)];
    let names: Vec<&str> = scripts.iter().map(|(name, _)| *name).collect();
    let sheet = format!("name: Frog\nnest: [4, 6]\nprovenance: {{nest: ours}}\nabilities: [{}]\n", names.join(", "));
    files.push(file("characters/pond/frog.yaml".to_string(), &sheet));
    files.push(file("characters/pond/toad.yaml".to_string(), "name: Toad\nnest: [8]\nprovenance: {nest: ours}\nabilities: []\n"));
    files.extend(scripts.iter().map(|(name, text)| file(format!("scripts/pond/{name}.rhai"), text)));
    let (library, mut problems) = Library::new(files);
    let (program, found) = library.compile("pond", &CompileRequest::default());
    problems.extend(found);
    // The rules of the pond have more than any one test uses.
    problems.retain(|problem| {
        problem.code != codes::UNUSED_NAME
            && problem.code != codes::WORD_NEVER_SAID
            && problem.code != codes::HOOK_NEVER_OPENED
            && problem.code != codes::ACTION_NEVER_OFFERED
    });
    (program, problems, library.sources)
}

/// Problems as a reader could see them: each with the line of its first place, and what is marked there.
pub fn shown(problems: &[Problem], sources: &Sources) -> String {
    let mut text = String::new();
    for problem in problems {
        let _ = writeln!(text, "{} {}", problem.code, problem.message);
        for (span, remark) in &problem.labels {
            let line = sources.line_column(*span).0;
            let written = sources.span_text(*span).lines().next().unwrap_or("");
            let _ = writeln!(text, "  {line}: `{written}` {remark}");
        }
        if let Some(help) = &problem.help {
            let _ = writeln!(text, "  help: {help}");
        }
    }
    text
}

/// The problems of the pond with a script of one ability.
pub fn problems_of(functions: &str) -> String {
    let (_, problems, sources) = pond(&ability(functions));
    shown(&problems, &sources)
}

/// Starts the pond with a script of one ability; it must be sound.
pub fn start(functions: &str) -> Session {
    start_script(&ability(functions), Dice::Seeded)
}

pub fn start_script(script: &str, dice: Dice) -> Session {
    start_game(POND, &[("act", script)], dice)
}

pub fn start_game(rules: &str, scripts: &[(&str, &str)], dice: Dice) -> Session {
    start_with(rules, scripts, dice, Session::start)
}

/// As [`start`], noting which statements run.
pub fn start_covered(functions: &str) -> Session {
    start_game_covered(POND, &[("act", &ability(functions))])
}

/// As [`start`], where nobody watches.
pub fn start_unwatched(functions: &str) -> Session {
    let start: Start = |program, setup| Session::start(program, &Setup { watched: false, ..setup.clone() });
    start_with(POND, &[("act", &ability(functions))], Dice::Seeded, start)
}

pub fn start_game_covered(rules: &str, scripts: &[(&str, &str)]) -> Session {
    start_with(rules, scripts, Dice::Seeded, |program, setup| {
        Session::start_with(program, setup, SessionOptions { covers: true, ..SessionOptions::default() })
    })
}

type Start = fn(Arc<Program>, &Setup) -> Result<Session, Problem>;

fn start_with(rules: &str, scripts: &[(&str, &str)], dice: Dice, start: Start) -> Session {
    let (program, problems, sources) = game(rules, scripts);
    let program = program.unwrap_or_else(|| panic!("{}", shown(&problems, &sources)));
    let sides = vec![vec!["frog".to_string()], vec!["toad".to_string()]];
    let setup = Setup { sides, seed: 7.into(), dice, position: None, names: Vec::new(), watched: true };
    start(Arc::new(program), &setup).unwrap_or_else(|problem| panic!("{problem:?}"))
}

pub fn decision(session: &Session) -> Option<Decision> {
    match session.pending() {
        Pending::Decisions(decisions) => decisions.first().cloned(),
        _ => None,
    }
}

/// Answers the open question by its key.
pub fn answer(session: &mut Session, key: &str) -> Result<(), Problem> {
    let open = decision(session).unwrap_or_else(|| panic!("`{key}` answers nothing: {:?}", session.pending()));
    let choice: Choice = session.find_choice(open.id, key).unwrap_or_else(|refusal| panic!("{}", refusal.reason));
    session.choose(open.id, choice).map_err(|problem| *problem)
}

/// Uses the ability and gives some answers, then tells the events since the start. Whether anybody watches, and what they look
/// at, must change nothing.
pub fn played(functions: &str, answers: &[&str]) -> String {
    let mut session = start(functions);
    let plain = told(&mut session, answers);
    assert_eq!(told(&mut start_covered(functions), answers), plain);
    let mut unwatched = start_unwatched(functions);
    let fault = told(&mut unwatched, answers);
    assert!(fault.is_empty() || fault == plain, "{fault}");
    if fault.is_empty() {
        assert_eq!(unwatched.view(Viewer::Trusted), session.view(Viewer::Trusted));
    }
    plain
}

/// Uses the ability and gives some answers, then tells what has happened since the start.
pub fn told(session: &mut Session, answers: &[&str]) -> String {
    session.take_events();
    for key in ["act"].iter().chain(answers) {
        if let Err(problem) = answer(session, key) {
            return shown(&[problem], &session.program().sources);
        }
    }
    let events: Vec<Event> = session.take_events();
    events.iter().map(|event| format!("{}: {}\n", event.name, event.text)).collect()
}

/// What a script says when it is run.
pub fn said(functions: &str, answers: &[&str]) -> String {
    let told = played(functions, answers);
    let lines: Vec<&str> = told.lines().filter_map(|line| line.strip_prefix("said: ")).collect();
    if lines.is_empty() { told } else { lines.join("\n") }
}
