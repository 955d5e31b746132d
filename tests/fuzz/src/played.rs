//! What compiles plays: under its budgets, with every option that is offered, always the same way, watched or not.

use super::game::{self, GAME, RULES, SCRIPT, SHEETS};
use super::problems::{are_sound, is_sound};
use super::with_room;
use ludex_engine::Compile;
use ludex_engine::codes;
use ludex_engine::library::{CompileRequest, Library};
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::runtime::limits::MOST_WORK;
use ludex_engine::runtime::policy::default_answer;
use ludex_engine::runtime::random::{Generator, derive_seed, random_below, seeded_generator};
use ludex_engine::runtime::{Choice, Decision, DecisionId, Event, Form, Pending, Session, Viewer};
use ludex_engine::source::Sources;
use std::sync::Arc;

/// A line between two parts of an input: its rules, its script, its sheets. Those of the pond stand in for what is missing.
const BETWEEN: &str = "\n=====\n";

const MOST_ANSWERS: usize = 20;
/// After so many answers it is no longer looked at all that can be asked.
const MOST_LOOKS: usize = 6;
/// So many options of a decision are tried.
const MOST_TRIED: u64 = 4;
/// A match that has cost more is left: it shows no more than a short one.
const MUCH_WORK: u64 = MOST_WORK / 20;

/// The parts of a state that are the same where nobody watches. Where play stands in the rules is not: what a script does may be
/// code of the rules there.
const SAME_UNWATCHED: [&str; 6] = ["board", "bearing", "known", "generator", "asked", "finished"];

/// A whole game.
pub fn compile_then_play(input: &[u8]) {
    with_room(|| {
        let Ok(text) = std::str::from_utf8(input) else { return };
        let changed: Vec<(&str, &str)> = [RULES, SCRIPT, SHEETS].into_iter().zip(text.splitn(3, BETWEEN)).collect();
        let (library, mut problems) = Library::new(game::files_with(&changed));
        let (program, found) = library.compile(GAME, &CompileRequest::default());
        problems.extend(found);
        are_sound(&problems, &library.sources);
        if let Some(program) = program.filter(|_| !problems.iter().any(Problem::is_error)) {
            play(&Arc::new(program), &library.sources, game::seed_of(input));
        }
    });
}

/// How a match went.
#[derive(Debug, PartialEq)]
struct Played {
    choices: Vec<(DecisionId, Choice)>,
    events: Vec<Event>,
    state: serde_json::Value,
    /// The fault that ended it.
    fault: Option<Problem>,
    /// Whether it had cost much when it was left.
    dear: bool,
}

/// Plays a match, and the same again.
pub fn play(program: &Arc<Program>, sources: &Sources, seed: u64) {
    let Some(sides) = game::sides(program, seed) else { return };
    let start = |watched| Session::start(program.clone(), &game::setup(sides.clone(), seed, watched));
    let first = match start(true) {
        Ok(session) => played(session, sources, seed, MOST_LOOKS),
        Err(problem) => return is_fault(&problem, sources),
    };
    if first.dear {
        return;
    }
    let again = start(true).map(|session| played(session, sources, seed, 0));
    assert_eq!(again.as_ref(), Ok(&first), "played again it goes another way");
    let unwatched = start(false).expect("what starts where somebody watches starts where nobody does");
    goes_the_same_way(unwatched, &first);
}

/// One match; before its first answers everything is asked that can be.
fn played(mut session: Session, sources: &Sources, seed: u64, looks: usize) -> Played {
    let mut luck = seeded_generator(derive_seed(seed, 1));
    let (mut choices, mut events, mut fault) = (Vec::new(), session.take_events(), None);
    while fault.is_none() && choices.len() < MOST_ANSWERS && session.usage().work_of_match < MUCH_WORK {
        let Some(decision) = asked(&session, &mut luck) else { break };
        if choices.len() < looks {
            all_is_told(&session, &decision);
        }
        let choice = answer(&session, &decision, &mut luck);
        choices.push((decision.id, choice.clone()));
        let before = session.clone();
        fault = session.choose(decision.id, choice).err().map(|problem| *problem);
        events.extend(session.take_events());
        assert!(fault.is_none() || session.same_state(&before), "a fault has changed something");
    }
    assert_eq!(session.verify_state(), Ok(()));
    assert_eq!(session.verify_events(&events), Ok(()));
    fault.iter().for_each(|problem| is_fault(problem, sources));
    let dear = session.usage().work_of_match >= MUCH_WORK;
    Played { choices, events, state: session.state_json(), fault, dear }
}

/// A fault is the game's own, and says where it happened.
fn is_fault(problem: &Problem, sources: &Sources) {
    is_sound(problem, sources);
    assert_ne!(problem.code, codes::ILLEGAL_CHOICE, "{problem:?}");
    assert!(!problem.labels.is_empty(), "a fault without a place: {problem:?}");
}

/// The same answers where nobody watches lead to the same state, and to the same fault.
fn goes_the_same_way(mut session: Session, played: &Played) {
    let sound = played.choices.len() - usize::from(played.fault.is_some());
    let (choices, last) = played.choices.split_at(sound);
    for (id, choice) in choices {
        assert_eq!(session.choose(*id, choice.clone()), Ok(()));
    }
    let state = session.state_json();
    for part in SAME_UNWATCHED {
        assert_eq!(state[part], played.state[part], "unwatched play has another {part}");
    }
    for (id, choice) in last {
        let fault = session.choose(*id, choice.clone()).err().map(|problem| *problem);
        assert_eq!(fault, played.fault, "unwatched play fails in another way");
    }
}

/// One of the decisions that are open; none if play is over.
fn asked(session: &Session, luck: &mut Generator) -> Option<Decision> {
    match session.pending() {
        Pending::Decisions(open) => open.get(random_below(luck, open.len().max(1) as u32) as usize).cloned(),
        Pending::Random(_) | Pending::Finished(_) => None,
    }
}

fn answer(session: &Session, decision: &Decision, luck: &mut Generator) -> Choice {
    match decision.form {
        Form::One => Choice::Option(u64::from(random_below(luck, decision.count.clamp(1, 1 << 20) as u32))),
        Form::Number { min, max } => Choice::Number(if random_below(luck, 2) == 0 { min } else { max }),
        Form::Some { max, .. } if random_below(luck, 2) == 0 => Choice::Options((0..max).collect()),
        _ => default_answer(session, decision),
    }
}

/// Whatever can be asked has an answer, and every option is one.
fn all_is_told(session: &Session, decision: &Decision) {
    session.prompt(decision.id);
    for viewer in [Viewer::Seat(decision.seat), Viewer::Spectator, Viewer::Trusted] {
        session.view(viewer);
    }
    if decision.form == Form::One {
        let last = decision.count.saturating_sub(MOST_TRIED / 2);
        for index in (0..decision.count.min(MOST_TRIED / 2)).chain(last..decision.count) {
            is_an_answer(session, decision, index);
        }
    }
    for key in ["leap(0>99999999999999999999)", "choose(1+1)", "x(((", "number(-)", ""] {
        let found = session.find_choice(decision.id, key);
        assert!(found.is_ok() || found.is_err_and(|refusal| !refusal.reason.is_empty()), "{key}");
    }
}

/// An option is found by its key, and taken.
fn is_an_answer(session: &Session, decision: &Decision, index: u64) {
    // What costs more than a look may is left out.
    let Some(option) = session.option(decision.id, index) else { return };
    assert_eq!(option.id, index);
    assert_eq!(session.choice_key(decision.id, &Choice::Option(index)).as_ref(), Some(&option.key));
    let found = session.find_choice(decision.id, &option.key).expect("an option is found by its key");
    assert_eq!(session.choice_key(decision.id, &found), Some(option.key));
}
