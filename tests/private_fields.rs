//! What only some may read of a side.

use ludex_engine::Compile;
use ludex_engine::json;
use ludex_engine::library::{CompileRequest, File, Library};
use ludex_engine::program::Program;
use ludex_engine::runtime::{Dice, Event, Pending, Session, Setup, Viewer};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Bids that nobody else reads, a rival that each side has in mind, an omen that all but its owner read, and a doubt that
/// nobody does.
pub const RULES: &str = r#"ludex 1
game sealed "Sealed bids"
sides 3 in a ring
type omen (omens) is one of calm, storm, flood

each side has {
  counter coins = 9
  counter bid in 0..4, seen by owner
  rival: side or none, seen by owner
  omen: omen, seen by all but owner
  doubts: flag, seen by nobody
  plans: list of number in 0..4, at most 3, seen by owner
}

to play {
  repeat 3 times { do round }
  finish with those of sides with highest it.coins
}

scope round {
  each side in sides { side must choose number in 0..4 into side.bid "Bid" }
  each side in sides { side must choose 1 in side.opponents into side.rival "Whom do you watch?" }
  each side in sides { side.left must choose a omen into side.omen "What awaits {side}?" }
  each side in sides { side may "Double it?" into side.doubts }
  each side in sides { set side.plans to [side.bid, 2] }
  each side in sides { do offer(side) }
  let best = the one of sides with highest it.bid
  if best is not none and best.omen is calm {
    say "{best} has bid {best.bid}"
    take best.bid from best.coins
  }
  each side in sides where it.rival is best { say "{side} was right"  add 1 to side.coins }
  each side in sides { set side.bid to 0  set side.rival to none }
}

## What may be done depends on what only the side itself reads.
to offer(active: side) {
  active may choose number in 0..active.bid as shown "How much of it do you show?"
  if shown is not none { say "{active} shows {shown}" }
  active may choose boast as boasting "Boast?"
}

family boast(active: side) {}

action loudly is boast
  when active.bid >= 3 else "too little to boast of"
  says "boast"
"#;

fn compiled(rules: &str) -> (Option<Program>, Vec<String>) {
    let file = File { path: "rules/sealed/sealed.ludex".to_string(), text: rules.to_string(), library: "test".to_string() };
    let (library, problems) = Library::new(vec![file]);
    let (program, more) = library.compile("sealed", &CompileRequest::default());
    (program, problems.iter().chain(&more).map(|problem| problem.message.to_string()).collect())
}

pub fn program() -> Arc<Program> {
    let (program, problems) = compiled(RULES);
    assert!(problems.is_empty(), "{problems:?}");
    Arc::new(program.unwrap())
}

fn started() -> Session {
    let setup = Setup {
        sides: vec![Vec::new(); 3],
        seed: 4.into(),
        dice: Dice::Seeded,
        position: None,
        names: Vec::new(),
        watched: true,
    };
    Session::start(program(), &setup).unwrap()
}

/// Gives these answers, each by whoever is asked first, and tells what happened.
fn answered(session: &mut Session, keys: &[&str]) -> Vec<Event> {
    session.take_events();
    for key in keys {
        let Pending::Decisions(open) = session.pending() else { panic!("nobody is asked `{key}`") };
        let (id, choice) =
            (open[0].id, session.find_choice(open[0].id, key).unwrap_or_else(|refusal| panic!("{key}: {refusal:?}")));
        session.choose(id, choice).unwrap();
    }
    session.take_events()
}

fn side(session: &Session, side: usize, viewer: Viewer) -> Value {
    json::view_json(&session.view(viewer))["sides"][side].clone()
}

const BIDS: [&str; 6] = ["number(3)", "number(1)", "number(2)", "choose(1)", "choose(2)", "choose(0)"];
const OMENS: [&str; 6] = ["choose(flood)", "choose(storm)", "choose(calm)", "yes", "no", "yes"];

#[test]
fn each_seat_reads_what_it_may_read() {
    let mut session = started();
    answered(&mut session, &[&BIDS[..], &OMENS].concat());
    let has = |viewer: Viewer, of: usize, name: &str| {
        let seen = side(&session, of, viewer);
        [&seen["counters"][name], &seen["fields"][name]].into_iter().find(|value| !value.is_null()).cloned()
    };
    let own = Viewer::Seat(0);
    assert_eq!((has(own, 0, "bid"), has(own, 1, "bid")), (Some(json!(3)), None));
    assert_eq!((has(own, 0, "omen"), has(own, 1, "omen")), (None, Some(json!("storm"))));
    assert_eq!(has(own, 0, "doubts"), None);
    assert_eq!((has(own, 0, "plans"), has(own, 1, "plans")), (Some(json!("[3, 2]")), None));
    for name in ["bid", "omen", "rival", "doubts", "plans"] {
        assert_eq!(has(Viewer::Spectator, 0, name), None, "{name}");
    }
    assert_eq!((has(Viewer::Trusted, 1, "bid"), has(Viewer::Trusted, 1, "omen")), (Some(json!(1)), Some(json!("storm"))));
    assert_eq!(has(own, 1, "coins"), Some(json!(9)), "others are shown as before");
}

#[test]
fn an_answer_that_goes_there_is_heard_by_nobody_else() {
    let mut session = started();
    let events = answered(&mut session, &BIDS[..1]);
    let heard = |viewer: Viewer| -> Vec<String> {
        events.iter().filter_map(|event| event.seen_by(viewer)).map(|event| event.text.clone()).collect()
    };
    assert_eq!(heard(Viewer::Seat(0)), ["side 0: Bid 3", "side 0's bid is 3"]);
    assert_eq!(heard(Viewer::Seat(1)), [""; 0]);
    assert_eq!(heard(Viewer::Spectator), [""; 0]);
    // That it has answered is no secret.
    assert_eq!(events.iter().filter(|event| event.reaches_anyone() && event.reaches_viewer(Viewer::Seat(1))).count(), 1);
}

#[test]
fn what_may_be_done_because_of_it_does_not_show() {
    let mut session = started();
    answered(&mut session, &[&BIDS[..], &OMENS].concat());
    // Side 0 has bid 3, and could boast; side 1 could not, and passes aloud.
    let events = answered(&mut session, &["number(2)", "pass", "pass"]);
    let passed = events.iter().filter(|event| event.name == "chose" && event.seen_by(Viewer::Spectator).is_some());
    let passed: Vec<String> = passed.map(|event| format!("{:?} {}", event.by, event.text)).collect();
    assert_eq!(passed.iter().filter(|text| text.contains("Some(1)")).count(), 2, "{passed:?}");
}

#[test]
fn a_world_that_is_imagined_holds_any_value() {
    let mut session = started();
    answered(&mut session, &[&BIDS[..], &OMENS].concat());
    let mut found = BTreeSet::new();
    for chance in 0..200 {
        let world = session.imagine(0, chance);
        let of = |number: usize, name: &str| {
            let seen = side(&world, number, Viewer::Trusted);
            [&seen["counters"][name], &seen["fields"][name]]
                .into_iter()
                .find(|value| !value.is_null())
                .cloned()
                .unwrap_or_default()
        };
        assert_eq!((of(0, "bid"), of(1, "omen")), (json!(3), json!("storm")), "what the seat reads stays");
        found.insert(("bid", of(1, "bid").to_string()));
        found.insert(("omen", of(0, "omen").to_string()));
        assert_eq!(of(0, "plans"), json!("[3, 2]"));
        found.insert(("plans", of(1, "plans").to_string()));
    }
    let values = |name: &str| found.iter().filter(|(of, _)| *of == name).map(|(_, value)| value.as_str()).collect::<Vec<_>>();
    assert_eq!(values("bid"), ["0", "1", "2", "3", "4"]);
    assert_eq!(values("omen").len(), 3, "{:?}", values("omen"));
    assert_eq!(values("plans").len(), 25, "{:?}", values("plans"));
}

#[test]
fn the_end_does_not_tell_it() {
    let mut session = started();
    while let Pending::Decisions(open) = session.pending() {
        let (id, first) = (open[0].id, open[0].answers().first_answer());
        session.choose(id, first).unwrap();
    }
    let Pending::Finished(outcome) = session.pending() else { panic!("it goes on") };
    assert!(outcome.scores.iter().all(|counters| counters.iter().map(|(name, _)| name.as_str()).eq(["coins"])), "{outcome:?}");
}

#[test]
fn what_cannot_be_kept_from_others_is_refused() {
    for (from, to, words) in [
        ("counter bid in 0..4,", "counter bid,", "`bid` is not seen by all, and may be any number"),
        (
            "rival: side or none, seen by owner",
            "rival: side or none, seen by owner  weight: halves in 0..3, seen by owner",
            "only numbers, words, sides",
        ),
        (
            "to play {",
            "the table has { pot: number in 0..9, seen by nobody }\nto play {",
            "only fields and counters of a side can be hidden from others",
        ),
        ("side may \"Double it?\"", "side may choose number in 0..4", "there is no answer to put into a field if they pass"),
        (
            "number in 0..4 into side.bid",
            "number in 0..4 as bid into side.bid",
            "an answer has a name or goes into a field, not both",
        ),
        ("must choose 1 in side.opponents", "must choose 2 in side.opponents", "several things cannot be put into a field"),
        (
            "family boast(active: side) {}",
            "family boast(active: side) { pride: number in 0..3, seen by owner }",
            "a field of a move or a mark is not on a table",
        ),
        (
            "each side in sides { side must choose number in 0..4 into side.bid \"Bid\" }",
            "each side in sides at once must choose number in 0..4 into side.bid",
            "put to several at once",
        ),
        ("must choose number in 0..4 into side.bid", "must choose number in 0..4 into 3", "cannot be set"),
    ] {
        assert!(RULES.contains(from), "{from}");
        let (_, problems) = compiled(&RULES.replace(from, to));
        assert!(problems.iter().any(|problem| problem.contains(words)), "{to}: {problems:?}");
    }
}

#[test]
fn options_that_depend_on_what_the_side_cannot_read_are_warned_of() {
    let (program, problems) = compiled(&RULES.replace("when active.bid >= 3", "when active.left.bid >= 3"));
    assert!(
        program.is_some() && problems.iter().any(|problem| problem.contains("that the player who is asked cannot see")),
        "{problems:?}"
    );
}
