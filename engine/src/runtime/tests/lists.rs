//! Fields that are lists: what they hold, who reads them, and what they have room for.

use crate::runtime::Viewer;
use crate::testing::{Texts, game};

const RULES: &str = "sides 2 named \"Ada\", \"Bo\"
type fruit (fruits) is one of fig, lime_green, pear
piece stone (stones) shown as \"stone {weight}\" { counter weight in 0..9  notches: list of number in 0..5, at most 2, shown }
each side has { zone heap: stones, open  bids: list of number in 0..9, at most 4, shown  secrets: list of fruit, at most 3 }
the table has { order: list of side, at most 2, shown  drawn: stones, at most 3  flags: list of flag, at most 2  counter turns }
";

fn rules(then: &str) -> Texts {
    game(&format!("{RULES}entry to on(me: side) {{ {then} }}\nto play {{ do on(first of sides) }}"))
}

/// What the statements say.
#[track_caller]
fn said(then: &str) -> Vec<String> {
    let mut table = rules(then).play();
    table.check();
    table.new_said_texts()
}

/// The problems of the statements.
#[track_caller]
fn wrong(then: &str) -> Vec<(&'static str, String, String)> {
    rules(then).error_details()
}

#[test]
fn they_are_empty_at_first_and_hold_what_they_are_set_to() {
    let first = "say \"{count of me.bids} {me.bids}\"";
    assert_eq!(said(first), ["0 nothing"]);
    assert_eq!(said("set me.bids to [3, 1, 3]  say \"{me.bids}; {me.foe.bids}\""), ["3, 1 and 3; nothing"]);
    assert_eq!(said("set me.bids to [3, 1]  set me.foe.bids to me.bids + 2  say \"{me.foe.bids}\""), ["3, 1 and 2"]);
    assert_eq!(said("set me.bids to [3, 1]  set me.bids to []  say \"{me.bids is empty}\""), ["yes"]);
    assert_eq!(said("set order to [me.foe, me]  say \"{first of order}; {order}\""), ["Bo; Bo and Ada"]);
    assert_eq!(said("set me.secrets to [pear, lime_green]  say \"{me.secrets}\""), ["pear and lime green"]);
    assert_eq!(said("set flags to [yes]  say \"{flags}\""), ["yes"]);
}

#[test]
fn members_are_added_and_taken_away() {
    assert_eq!(said("add 4 to me.bids  add [1, 4] to me.bids  take 4 from me.bids  say \"{me.bids}\""), ["1"]);
    assert_eq!(said("set me.bids to [1, 2, 3]  take [1, 3] from me.bids  say \"{me.bids}\""), ["2"]);
    assert_eq!(said("add pear to me.secrets  say \"{me.secrets}\""), ["pear"]);
    assert_eq!(said("add me to order  add me.foe to order  say \"{member 2 of order}\""), ["Bo"]);
    let once = "create stone(weight: 3) in me.heap as one  add one to drawn  add 2 to (first of drawn).notches  say \"{one.notches} {drawn}\"";
    assert!(wrong(once).iter().any(|(code, ..)| *code == "LX0405"), "{:?}", wrong(once));
    let once = "create stone(weight: 3) in me.heap as one  add one to drawn
      if drawn is not empty { add 2 to (first of drawn).notches }  say \"{one.notches} {drawn}\"";
    assert_eq!(said(once), ["2 stone 3"]);
}

#[test]
fn everything_that_takes_a_list_takes_them() {
    let bids = "set me.bids to [4, 1, 9]";
    for (expression, worth) in [
        ("sum of me.bids", "14"),
        ("highest of me.bids", "9"),
        ("last of me.bids", "9"),
        ("me.bids where it > 3", "4 and 9"),
        ("sorted me.bids", "1, 4 and 9"),
        ("1 in me.bids", "yes"),
        ("me.bids = [4, 1, 9]", "yes"),
        ("any of me.bids has it = 5", "no"),
        ("count of sides.bids", "3"),
        ("sum of sides.bids", "14"),
    ] {
        assert_eq!(said(&format!("{bids}  say \"{{{expression}}}\"")), [worth], "{expression}");
    }
    assert_eq!(said("set me.bids to [1, 2]  each bid in me.bids { add bid to me.bids }  say \"{me.bids}\""), ["1, 2, 1 and 2"]);
}

#[test]
fn a_name_for_a_list_keeps_what_it_held() {
    assert_eq!(said("set me.bids to [1]  let before = me.bids  add 2 to me.bids  say \"{before}; {me.bids}\""), ["1; 1 and 2"]);
}

/// Nothing is left of members that are gone: equal lists are equal in every way.
#[test]
fn pieces_are_alike_if_their_lists_are() {
    let two = "create stone(weight: 1) in me.heap as one  create stone(weight: 1) in me.heap as two";
    assert_eq!(
        said(&format!(
            "{two}  set one.notches to [1, 2]  set one.notches to [3]  set two.notches to [3]  say \"{{count of sorts of me.heap}}\""
        )),
        ["1"]
    );
    assert_eq!(said(&format!("{two}  set one.notches to [1]  say \"{{count of sorts of me.heap}}\"")), ["2"]);
}

#[test]
fn more_than_there_is_room_for_is_a_fault() {
    let full = rules("add [1, 2, 3, 4] to me.bids  add 5 to me.bids").fault();
    assert_eq!((full.code, full.message.to_string().as_str()), ("LX0928", "`bids` has room for 4, but would hold 5"));
    let out = rules("let far = 7 + count of me.bids  add far to me.bids  add far + 3 to me.bids").fault();
    assert_eq!(out.message.to_string(), "`bids` would become 10, but it goes from 0 to 9");
}

#[test]
fn what_is_known_beforehand_is_told_by_check() {
    let told = |then: &str| wrong(then).into_iter().map(|(code, message, _)| format!("{code} {message}")).collect::<Vec<_>>();
    assert_eq!(told("set me.bids to [1, 2, 3, 4, 5]"), ["LX0413 `bids` has room for 4, but these are 5"]);
    assert_eq!(told("set me.bids to [1, 12]"), ["LX0413 `bids` would become 12, but it goes from 0 to 9"]);
    assert_eq!(told("add 12 to me.bids"), ["LX0413 `bids` would become 12, but it goes from 0 to 9"]);
    assert_eq!(told("set me.bids to [fig]").len(), 1);
    assert_eq!(told("add me to me.bids").len(), 1);
    assert_eq!(told("say \"{supposing me.bids = [1] then 3}\""), ["LX0401 `supposing` cannot change a list"]);
    assert_eq!(told("create stone(notches: [1]) in me.heap"), ["LX0104 a list in a field is empty at first"]);
}

#[test]
fn how_they_are_declared() {
    let told = |member: &str| {
        let rules = format!("sides 2\neach side has {{ {member} }}\nto play {{}}");
        let told = game(&rules).error_details();
        told.into_iter()
            .filter(|(code, ..)| *code != "LX0313")
            .map(|(code, message, _)| format!("{code} {message}"))
            .collect::<Vec<_>>()
    };
    assert!(told("bids: list of number, at most 3").is_empty());
    assert_eq!(told("bids: list of number"), ["LX0401 the largest size of `bids` is missing"]);
    assert_eq!(told("bids: number, at most 3"), ["LX0401 only a list can have `at most`"]);
    assert_eq!(told("bids: list of number, at most 0"), ["LX0413 a list in a field has room for 1 to 100"]);
    assert_eq!(told("bids: list of number = [1], at most 3"), ["LX0104 a list in a field is empty at first"]);
    assert_eq!(told("bids: list of list of number, at most 3"), ["LX0401 a list in a field cannot have members of this type"]);
    assert!(told("bids: list of number in 1..3, at most 3, seen by owner").is_empty());
    assert_eq!(
        told("bids: list of number, at most 3, seen by owner"),
        ["LX0413 `bids` is not seen by all, and may be any number"]
    );
}

#[test]
fn views_show_those_that_are_shown() {
    let mut table = rules(
        "create stone(weight: 3) in me.heap as one  set one.notches to [5]  set me.bids to [2, 5]  set me.secrets to [fig]
         me must choose 1 in [1, 2] as now",
    )
    .play();
    for viewer in [Viewer::Seat(0), Viewer::Seat(1), Viewer::Spectator] {
        let view = table.session.view(viewer);
        assert_eq!(view.sides[0].fields.get("bids").map(String::as_str), Some("[2, 5]"));
        assert_eq!(view.sides[0].fields.get("secrets"), None, "no rule shows it");
        assert_eq!(view.table.counters.get("order").map(String::as_str), Some("[]"));
        assert!(format!("{view:?}").contains("[5]"), "{view:?}");
    }
    let news = table.new_event_texts();
    assert!(news.contains(&"set(bids, [2, 5] by 0)".to_string()), "{news:?}");
    assert_eq!(table.session.view(Viewer::Trusted).sides[0].fields.get("secrets").map(String::as_str), Some("[fig]"));
    table.check();
}

const POSITION: &str = "table: {order: [1, 0]}
sides:
- counters: {bids: [3, 1], secrets: [fig, lime_green]}
  zones: {heap: [{weight: 4, notches: [2, 5]}]}
- {}
at: on(1)
";

#[test]
fn positions_say_what_they_hold() {
    let texts = rules("say \"{order}; {me.foe.bids}; {me.foe.secrets}; {(me.foe.heap).notches}; {me.bids}\"");
    let mut table = texts.play_from_position(POSITION);
    assert_eq!(table.new_said_texts(), ["Bo and Ada; 3 and 1; fig and lime green; 2 and 5; nothing"]);
    table.check();
    let wrong = |from: &str, to: &str| {
        texts.position_problems(&POSITION.replace(from, to)).into_iter().map(|(_, message, _)| message).collect::<Vec<_>>()
    };
    assert_eq!(wrong("[3, 1]", "[1, 2, 3, 4, 5]"), ["`bids` has room for 4"]);
    assert_eq!(wrong("[3, 1]", "[1, 12]"), ["`bids` is out of range"]);
    assert_eq!(wrong("[3, 1]", "3").len(), 1);
}

#[test]
fn scripts_read_and_set_them() {
    let texts = game(
        "sides 2 of 1 otter\nsheet otter (otters)\neach side has { bids: list of number in 0..9, at most 2 }
hook woken(me: side)\nto play { let me = first of sides  add 3 to me.bids  open woken(me) { when nothing {} }  say \"{me.bids}\" }",
    );
    let otter = "name: Otter\nabilities: [doubler]\n";
    let script = |body: &str| {
        format!(
            "//! ability doubler \"Doubler\"\n//!   \"Bids.\"\n//! trigger doubler at woken(active)\n//!   when active is me\n\nfn doubler(me) {{\n{body}\n}}\n"
        )
    };
    let texts = texts.sheet("otter", otter);
    let reads = "say(`${len(me.bids)} ${me.bids[0]}`); set(me, \"bids\", [me.bids[0], 7]);";
    let mut table = texts.clone().script("doubler", &script(reads)).play_with_sheets(&["otter", "otter"]);
    assert_eq!(table.new_said_texts(), ["1 3", "3 and 7"]);
    table.check();
}

/// What the rules keep in a list for themselves must not tell which piece lies where: it follows the places.
#[test]
fn a_bot_imagines_lists_of_hidden_pieces_anew() {
    let texts = game(
        "sides 2\npiece card (cards) { counter rank in 0..9 }
each side has { zone hand: cards, seen by owner }
the table has { zone deck: cards, seen by nobody, in order  dealt: cards, at most 4 }
to play {
  let me = first of sides
  count rank from 1 to 6 { create card(rank: rank) in deck }
  each card in top 3 of deck { move card to me.foe.hand  add card to dealt }
  me must choose 1 in [1, 2] as now
  if count of dealt = 3 and all of dealt has it in me.foe.hand { finish with me } else { finish with me.foe }
}",
    );
    let table = texts.play();
    for seed in 0..20 {
        let mut imagined = table.session.imagine(0, seed);
        imagined.choose(table.decision(0).id, crate::runtime::Choice::Option(0)).expect("legal");
        assert!(format!("{:?}", imagined.pending()).contains("winners: [0]"), "{seed}: {:?}", imagined.pending());
    }
}
