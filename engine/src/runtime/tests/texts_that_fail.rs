//! What fails in a text fails whether or not anybody reads it, at the place of the text.

use crate::runtime::random::seeded_generator;
use crate::runtime::{Pending, Session, SessionOptions, Setup, Viewer};
use crate::testing::{game, setup};
use ludex_program::Program;
use std::sync::Arc;

/// Holes that fail, and holes that are like them and do not.
const FAILING: &[&str] = &[
    "100 divided by side.zero rounded down",
    "remainder of 5 divided by (side.zero)",
    "side.large + 1",
    "side.zero - side.large - side.large",
    "side.large * 2",
    "sum of [side.large, 1]",
    "sum of sides.large",
    "highest of [1, 1 divided by side.zero rounded up]",
    "1 + (1 divided by side.zero rounded up)",
    "sum of ((1..20000 + side.zero) where it < 3)",
    "count of (sides where 1 divided by it.zero rounded down = 1)",
    "any of sides has 1 divided by it.zero rounded down = 1",
    "the one of sides with highest 1 divided by it.zero rounded down",
    "if side.zero = 0 then 1 divided by side.zero rounded down else 2",
    "if 1 divided by side.zero rounded down = 1 then \"one\" else \"two\"",
    "if side.zero = 0 then \"so {side.large + 1}\" else \"two\"",
    "half(side.zero)",
    "worth(side)",
    "supposing side.few = 10 then side.few",
    "beats(3) + side.large",
    "half of (side.large + 1)",
    "count of (side.zero..10000)",
    "side.large + 1 but at most 5",
];
const SOUND: &[&str] = &[
    "side",
    "side.large",
    "side.zero + side.few",
    "100 divided by (side.zero but at least 1) rounded down",
    "remainder of side.large divided by 5",
    "side.large - 1",
    "(side.large but at most 5) + 1",
    "sum of sides.few",
    "count of (1..10000)",
    "if side.zero = 1 then 1 divided by side.zero rounded down else 2",
    "if side.zero = 1 then \"so {side.large + 1}\" else \"two\"",
    "half(side.few)",
    "supposing side.few = 9 then side.few",
    "beats(3) + side.few",
];

/// The places of a text, each with what is declared for it beside what all have, and what is done. In the text `HOLE` stands for
/// what is in braces, in conditions and arguments for the same as a flag or number where it is one.
const PLACES: &[(&str, &str)] = &[
    ("", "say \"{HOLE}\""),
    ("", "say \"{HOLE}\" to side.foe"),
    ("", "set side.points to 1 as named \"{HOLE}\""),
    ("", "add 1 to side.points as named \"{HOLE}\""),
    ("", "take 1 from side.points as named \"{HOLE}\""),
    ("", "set side.picks to [1, 2] as named \"{HOLE}\""),
    ("", "add 1 to side.picks as named \"{HOLE}\""),
    ("", "let die = first of side.tray  if die is not none { move die to side.gone as named \"{HOLE}\" }"),
    ("", "move side.tray to side.gone as named \"{HOLE}\""),
    ("", "move side.tray to bottom of side.gone as named \"{HOLE}\""),
    ("", "move top 1 of side.tray to side.gone as named \"{HOLE}\""),
    ("", "each die in side.tray { move die to side.gone as named \"{HOLE}\" }"),
    ("", "roll side.tray because \"{HOLE}\""),
    ("", "roll 2 d6 because \"{HOLE}\" as shown  say \"{shown}\""),
    ("", "draw 1 in side.tray at random because \"{HOLE}\" as drawn  say \"{drawn}\""),
    ("", "side may \"{HOLE}\" as on  if on { say \"on\" }"),
    ("", "side must choose number in 1..3 as on \"{HOLE}\"  say \"{on}\""),
    ("", "side must choose 1 in side.tray as on \"{HOLE}\"  say \"{on}\""),
    ("", "side must choose 0 to 2 in side.tray as on \"{HOLE}\"  say \"{on}\""),
    ("", "side may choose 1 in side.tray as on \"Which?\" \"{HOLE}\"  say \"{on}\""),
    ("", "side must choose a coat as on \"{HOLE}\"  say \"{on}\""),
    ("", "side must order side.tray as on \"{HOLE}\"  say \"{on}\""),
    ("", "side must divide 3 in steps of 1 among sides as on \"{HOLE}\"  say \"{on}\""),
    ("", "side must choose number in 0..3 into side.points \"{HOLE}\""),
    ("", "each side in sides at once may choose 1 in side.tray as on \"{HOLE}\"  say \"{on(side)}\""),
    ("", "each side in sides at once in secret may choose 1 in side.tray as on \"Which?\" \"{HOLE}\"  say \"{on(side)}\""),
    ("", "finish with side \"{HOLE}\""),
    ("", "finish with nobody \"{HOLE}\""),
    ("action go(die in side.tray) is deed says \"{die} {HOLE}\" action rest() is deed says \"rest\"", "do ask(side)"),
    ("action go() is deed says \"{HOLE}\" action rest() is deed says \"rest\"", "do ask(side)"),
    ("action go(dice: 1 or more in side.tray) is deed says \"{dice} {HOLE}\"", "do ask(side)"),
    (
        "action go() is deed says \"go\"",
        "side may choose deed(side) as deed \"{HOLE}\" \"none\"  if deed is not none { do deed }",
    ),
    (
        "action go() is deed says \"go\"",
        "side may choose deed(side) as deed \"Which?\" \"{HOLE}\"  if deed is not none { do deed }",
    ),
    ("to told(side: side) { say \"{HOLE}\" }", "do told(side)"),
    ("hook calm(side: side)", "open calm(side) { when nothing { say \"{HOLE}\" } }"),
    ("hook heard(side: side) \"{HOLE}\"", "open heard(side) { when nothing {} }"),
];

/// The places of a number that is worked out though nobody hears of it.
const ARGUMENTS: &[(&str, &str)] = &[
    ("hook unheard(side: side, n: number)", "open unheard(side, HOLE) { when nothing {} }"),
    ("", "each n in (1..HOLE) { say \"{n}\" }"),
    ("", "say \"so\" to (sides where it.few > (HOLE))"),
];

const OFFER: &str = "//! ability hop \"Hop\"
//!   \"It hops.\"
//!
//! offer hop at heard(side)
//!   when side is me
//!   says \"hop\"
//!   do { add 1 to me.points }
";

fn rules((declared, done): (&str, &str), hole: &str) -> String {
    let head = "sides 2 of 1 frog
die sizes 6
type coat is one of wet, dry
sheet frog (frogs) { zone nest: dice, open }
each side has { zone tray: dice, open  zone gone: dice, open, in order  counter points  counter zero  counter large = 2147483647
  counter few = 3 in 0..9  picks: list of number, at most 5 }
family deed(side: side) {}
define half(n: number) = 100 divided by n rounded down
table beats(n) { 1: 1  otherwise: 2 }
hook worth(side: side): number = 1 divided by side.zero rounded down
to ask(side: side) { side must choose deed(side) as deed \"What?\" else { stop } do deed }
to play {
  each side in sides { repeat 3 times { create die(size: 6) in side.tray for side } }
  each side in sides { do turn(side) }
  finish with sides
}";
    let (declared, done) = (declared.replace("HOLE", hole), done.replace("HOLE", hole));
    format!("{head}\nto turn(side: side) {{ {done} }}\n{}", declared.replace(" action", "\naction"))
}

/// How a game goes whose answers are drawn: how often somebody was asked, and what went wrong, with its place.
fn course(program: &Arc<Program>, seed: u64, how: How) -> (u64, Option<String>) {
    let setup = Setup { seed: seed.into(), watched: how == How::Watched, ..setup(&[&["one"], &["other"]]) };
    let started = match how {
        How::Counting => {
            Session::start_with(program.clone(), &setup, SessionOptions { counts_only: true, ..SessionOptions::default() })
        }
        _ => Session::start(program.clone(), &setup),
    };
    let mut lots = [seeded_generator(seed), seeded_generator(seed + 1)];
    let mut answers = 0;
    let fault = match started {
        Err(fault) => Some(fault),
        Ok(mut session) => loop {
            let Pending::Decisions([decision, ..]) = session.pending() else { break None };
            let (id, choice) = (decision.id, decision.answers().draw_answer(&mut lots[decision.seat]));
            if how == How::Watched {
                let view = serde_json::to_string(&session.view(Viewer::Trusted)).expect("a view can be written");
                assert!(!view.contains("-2147483648") && !view.contains('…'), "{view}");
            }
            if let Err(fault) = session.choose(id, choice) {
                break Some(*fault);
            }
            answers += 1;
        },
    };
    let told = |fault: ludex_syntax::problem::Problem| {
        let place = fault.labels.first().map_or("nowhere", |(span, _)| program.sources.span_text(*span)).to_string();
        format!("{} at {place}", fault.message)
    };
    (answers, fault.map(told))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Watched,
    Unwatched,
    Counting,
}

/// The courses of some games that must be the same however they are played; whether one of them ends in a fault.
#[track_caller]
fn fails(place: (&str, &str), hole: &str) -> bool {
    let rules = rules(place, hole);
    let texts = game(&rules).sheet("one", "name: One\nnest: [6]\nabilities: [hop]\n").sheet("other", "name: Other\nnest: [6]\n");
    let texts = match rules.contains("hook heard") {
        true => texts.script("hop", OFFER),
        false => texts.sheet_again("one", "name: One\nnest: [6]\n"),
    };
    let program = texts.program();
    let mut has_failed = false;
    for seed in 0..2 {
        let watched = course(&program, seed, How::Watched);
        for how in [How::Unwatched, How::Counting] {
            assert_eq!(course(&program, seed, how), watched, "{place:?} {hole}");
        }
        if let (_, Some(fault)) = watched {
            assert!(!fault.ends_with("nowhere"), "{place:?} {hole}: {fault}");
            has_failed = true;
        }
    }
    has_failed
}

#[test]
fn texts_fail_whether_or_not_anybody_reads_them() {
    let each = |holes: &'static [&str]| PLACES.iter().flat_map(move |place| holes.iter().map(move |hole| (*place, *hole)));
    let silent: Vec<_> = each(FAILING).filter(|(place, hole)| !fails(*place, hole)).collect();
    assert!(silent.is_empty(), "these do not fail: {silent:#?}");
    let failing: Vec<_> = each(SOUND).filter(|(place, hole)| fails(*place, hole)).collect();
    assert!(failing.is_empty(), "these fail: {failing:#?}");
}

#[test]
fn arguments_fail_whether_or_not_anybody_hears_of_them() {
    let is_number = |hole: &&&str| !hole.contains(" then \"") && !hole.starts_with("any") && !hole.starts_with("the one");
    let holes = || FAILING.iter().filter(is_number).filter(|hole| !hole.starts_with("half of"));
    let each = ARGUMENTS.iter().flat_map(|place| holes().map(move |hole| (*place, format!("({hole})"))));
    let silent: Vec<_> = each.filter(|(place, hole)| !fails(*place, hole)).collect();
    assert!(silent.is_empty(), "these do not fail: {silent:#?}");
}
