//! What a seat is told and asked does not depend on what it cannot see.

use crate::Compile;
use crate::json;
use crate::runtime::{Choice, Dice, Session, SessionOptions, Setup, Viewer};
use crate::testing::{Table, game, setup};
use ludex_compiler::library::CompileRequest;

/// The second side holds a die that the first cannot see; FIRST is what happens then.
const RULES: &str = r#"
sides 2
die sizes 4, 6
each side has {
  zone hand: dice, seen by owner, out of play
  zone field: dice, open
  counter points
  luck: number
}
piece die (dice) { mark marked  mark lucky "is lucky" }
hook trouble(side: side)
family play(side: side) { die: die }
action lay(die in side.hand where it.value > 3) is play
  says "lay {die}"
  do { move die to side.field }
define high(side: side): dice = side.hand where it.value > 3
to play {
  each side in sides { create die(size: 6) in side.hand for side }
  roll (last of sides).hand
  let one = first of sides
  let other = last of sides
  FIRST
  one may "Go on?" as go
  finish with nobody
}
"#;

/// The table once the second side's die shows this.
#[track_caller]
fn holding(what: &str, value: i64) -> Table {
    game(&RULES.replace("FIRST", what)).play_with_results(&[value])
}

/// All that a seat is told, what it may see, and what it is asked.
fn heard(table: &Table, seat: usize) -> Vec<String> {
    let viewer = Viewer::Seat(seat);
    let told =
        table.events.iter().filter(|event| event.reaches_anyone() && event.reaches_viewer(viewer)).map(|event| {
            match event.seen_by(viewer) {
                Some(event) => format!("{} {}", serde_json::Value::Object(json::event_facts(event)), event.text),
                None => "something happens".to_string(),
            }
        });
    let asked = table.open_decisions().into_iter().filter(|decision| decision.seat == seat);
    let asked = asked.map(|open| format!("{open:?} {:?}", table.session.options(open.id, 0, open.count)));
    let view = json::view_json(&table.session.view(viewer)).to_string();
    told.chain(asked).chain([view]).collect()
}

/// With a low die the second side has nothing to choose; with a high one it answers by this key. The first cannot tell.
#[track_caller]
fn nobody_can_tell(what: &str, key: &str) {
    let low = holding(what, 2);
    assert_eq!(low.asked_seats(), [0], "who has no choice is not asked");
    let mut high = holding(what, 5);
    assert_eq!(high.asked_seats(), [1]);
    high.answer(1, key);
    assert_eq!(heard(&low, 0), heard(&high, 0));
    assert_ne!(heard(&low, 1), heard(&high, 1), "the second side itself sees its die");
}

#[test]
fn who_can_only_pass_passes_aloud_under_a_number_of_its_own() {
    nobody_can_tell("other may choose play as chosen \"Lay a die\" \"lay nothing\"", "pass");
    let low = holding("other may choose play as chosen \"Lay a die\" \"lay nothing\"", 2);
    assert_eq!(low.decision(0).id, 2);
    let passed = low.events.iter().find(|event| event.name == "chose").map(|event| event.text.as_str());
    assert_eq!(passed, Some("side 1: lay nothing"));
}

#[test]
fn things_to_choose_from_and_numbers_hide_it_as_well() {
    nobody_can_tell("other may choose 1 in high(other) as chosen", "pass");
    nobody_can_tell("other may choose 1 or more in high(other) as chosen", "pass");
    nobody_can_tell("other may choose number in 1..count of high(other) as chosen", "pass");
    nobody_can_tell("other may order high(other) + high(other) as chosen", "pass");
}

#[test]
fn who_must_choose_and_cannot_is_not_told_apart() {
    nobody_can_tell("other must choose 1 in (high(other) + high(other)) as chosen else { }", "choose(1)");
    nobody_can_tell("other must choose number in 1..(1 + count of high(other)) as chosen", "number(1)");
}

#[test]
fn several_asked_at_once_do_not_show_who_had_no_choice() {
    let what = "each side in sides at once in secret may choose play as chosen \"Lay a die\" \"lay nothing\"";
    nobody_can_tell(what, "pass");
}

#[test]
fn what_abilities_offer_from_a_hidden_place_does_not_show() {
    let rules = "
sides 2 of 1 frog
die sizes 4, 6
sheet frog (frogs) {}
each side has { frog: frog = first of frogs  zone hand: dice, seen by owner, out of play  luck: number }
hook trouble(side: side) \"Trouble\"
to play {
  each side in sides { create die(size: 6) in side.hand for side }
  roll (last of sides).hand
  each side in sides { set side.luck to sum of side.hand.value }
  let one = first of sides
  open trouble(one)
  one may \"Go on?\" as go
  finish with nobody
}";
    let script = "//! ability dive \"Dive\"
//!   \"Dives away.\"
//! offer dive at trouble(side)
//!   when side is not me and me.luck > 3
//!   do { }";
    let texts = game(rules).sheet("otter", "name: Otter\nabilities: [dive]\n").script("dive", script);
    let program = texts.program();
    let setup_with = |value| Setup { dice: Dice::Listed(vec![value]), ..setup(&[&["otter"], &["otter"]]) };
    let with = |value| Table::new(&program, &setup_with(value));
    let low = with(2);
    let mut high = with(5);
    assert_eq!((low.asked_seats(), high.asked_seats()), (vec![0], vec![1]));
    high.answer(1, "pass");
    assert_eq!(heard(&low, 0), heard(&high, 0));
    let unwatched = Table::new(&program, &Setup { watched: false, ..setup_with(2) });
    assert_eq!(unwatched.decision(0).id, low.decision(0).id, "with nobody watching questions have the same numbers");
}

#[test]
fn open_questions_are_asked_and_numbered_as_before() {
    let table = holding("other may choose 1 in other.field as chosen  add count of other.hand to other.points", 5);
    assert_eq!(table.decision(0).id, 1, "nothing is asked of what all can see");
}

#[test]
fn a_question_may_be_asked_even_when_forced() {
    let what = "other may choose play as chosen \"Lay a die\" \"lay nothing\" ask even when forced";
    let mut table = holding(what, 2);
    assert_eq!((table.asked_seats(), table.options(1)), (vec![1], vec!["pass".to_string()]));
    table.answer(1, "pass");
    let mut other = holding(what, 5);
    other.answer(1, "pass");
    assert_eq!(heard(&table, 0), heard(&other, 0));
    let mut open = holding("other must choose number in 3..3 as chosen ask even when forced", 2);
    assert_eq!(open.asked_seats(), [1]);
    open.answer(1, "number(3)");
}

#[test]
fn whoever_writes_play_down_answers_what_is_forced() {
    let program = game(&RULES.replace("FIRST", "other may choose play as chosen")).program();
    let setup = Setup { dice: Dice::Listed(vec![2]), ..setup(&[&[], &[]]) };
    let session =
        Session::start_with(program, &setup, SessionOptions { stops_at_forced: true, ..SessionOptions::default() }).unwrap();
    let mut table = Table { session, events: Vec::new(), told: 0, answers: Vec::new() };
    let forced = table.decision(1);
    assert!(forced.forced);
    let answer = table.session.forced_answer(forced.id).unwrap();
    assert_eq!(answer, Choice::Option(0));
    assert_eq!(table.session.choice_key(forced.id, &answer).as_deref(), Some("pass"));
    table.session.choose(forced.id, answer).unwrap();
    assert_eq!(table.asked_seats(), [0]);
}

// --- refusals and words --------------------------------------------------------------------

#[test]
fn an_unseen_piece_is_refused_like_one_that_does_not_exist() {
    let table = holding("one may choose play as chosen", 5);
    let go = table.decision(0);
    let refused = |key: &str| table.session.find_choice(go.id, key).unwrap_err();
    for key in ["lay(NUMBER)", "lay(NUMBER+NUMBER)", "choose(NUMBER)", "lay#2(NUMBER)"] {
        let of = |number: &str| {
            let mut refusal = refused(&key.replace("NUMBER", number));
            refusal.reason = refusal.reason.replace(&format!("`{number}`"), "it").replace(number, "it");
            refusal
        };
        assert_eq!(of("1"), of("99"), "{key}");
    }
    assert!(holding("other may choose play as chosen", 5).session.find_choice(1, "lay(0)").is_err());
}

#[test]
fn a_seat_is_told_why_its_own_piece_is_refused() {
    let table = holding("other may choose play as chosen ask even when forced", 2);
    let refusal = table.session.find_choice(table.decision(1).id, "lay(1)").unwrap_err();
    assert!(refusal.reason.starts_with("d6:2 is not allowed"), "{}", refusal.reason);
}

#[test]
fn what_a_text_names_is_hidden_from_whoever_cannot_see_it() {
    let table = holding("say \"{first of other.hand}\"", 5);
    assert_eq!(table.events.last().map(|event| event.text.as_str()), Some("a die"));
}

// --- what is the rules' own business -----------------------------------------------------------

#[test]
fn fields_that_are_not_shown_and_marks_without_a_text_are_told_to_nobody() {
    let what = "set other.luck to sum of other.hand.value  each die in high(other) { mark die as marked }  add 1 to one.points";
    nobody_can_tell(&format!("{what}  other may choose play as chosen"), "pass");
    let table = holding(what, 5);
    let luck = table.events.iter().find(|event| event.text.contains("luck")).unwrap();
    assert!(!luck.reaches_anyone());
    assert!(heard(&table, 0).iter().any(|line| line.contains("points")));
    assert!(!heard(&table, 1).concat().contains("luck"));
    assert!(json::view_json(&table.session.view(Viewer::Trusted)).to_string().contains("\"luck\":5"));
}

#[test]
fn what_a_hidden_piece_bears_changes_without_a_trace() {
    let low = holding("each die in high(other) { mark die as lucky }", 2);
    let high = holding("each die in high(other) { mark die as lucky }", 5);
    assert_eq!(heard(&low, 0), heard(&high, 0));
    assert!(heard(&high, 1).concat().contains("lucky"));
}

#[test]
fn how_many_pieces_lie_in_the_zones_of_all_is_no_secret() {
    let warned = |most: &str| {
        let rules = game(&format!(
            "sides 2
die sizes 6
each side has {{ zone hand: dice, seen by owner }}
define all = sides.hand
to play {{ let me = first of sides  me may choose number in 0..{most} as bid  finish with me }}"
        ));
        let (program, problems) = rules.library().compile("pond", &CompileRequest::default());
        assert!(program.is_some(), "{problems:?}");
        problems
            .iter()
            .any(|problem| problem.message.to_string().contains("depend on pieces that the player who is asked cannot see"))
    };
    assert!(!warned("count of sides.hand") && !warned("count of all") && !warned("count of (me.hand + me.foe.hand)"));
    assert!(warned("sum of sides.hand.size") && warned("count of (all where it.size = 6)"));
}
