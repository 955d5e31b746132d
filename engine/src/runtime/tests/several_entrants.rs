//! Sides that bring several entrants: what positions say of each of them, and what views show.

use crate::runtime::{Holder, Session, Viewer, ZoneView};
use crate::testing::{Texts, game};
use ludex_syntax::codes;

const RULES: &str = "sides 2 of 1..3 beast
die sizes 4, 6, 8
piece die (dice) { home: zone of dice = place }
sheet beast (beasts) { zone reserve: dice, open = none  speed: number = 3 }
each beast has {
  zone nest: dice, open
  counter breath = 2 * speed
  partner: beast or none
  mark tired \"is tired\"
}
each side has {
  fighter: beast = first of beasts, lending nest, reserve
  rival: side or none
  zone captured: dice, open
  counter tokens
}
the table has { champion: beast or none }
hook day_begins(active: side)
to play { do match }
scope match { do look }
entry to look {
  each side in sides { open day_begins(side) asking side first }
  each side in sides { say \"{side.fighter}: {side.nest}, {side.reserve}\" }
}
";

const DIVE: &str = "//! ability dive \"Dive\"\n//! uses 2 per match\n//! offer dive at day_begins(active)\n//!   when active is me\n//!   says \"{holder} dives\"\n//!   do { say \"splash\" }\n";
const SLEEP: &str = "//! ability sleep \"Sleep\"\n//! uses 1 per match\n//! offer sleep at day_begins(active)\n//!   when active is me\n//!   do { say \"snore\" }\n";

fn beasts() -> Texts {
    game(RULES)
        .sheet("otter", "name: Otter\nreserve: [6, 8]\nabilities: [dive]\n")
        .sheet("newt", "name: Newt\nreserve: [4, 6]\nabilities: [dive, sleep]\n")
        .sheet("eel", "name: Eel\n")
        .script("dive", DIVE)
        .script("sleep", SLEEP)
}

/// A position with these entrants and lines of side 0, and an eel on side 1.
fn one_side(entrants: &str, lines: &str) -> String {
    format!("sides:\n  - entrants: {entrants}\n{lines}  - entrants: [eel]\nat: look\n")
}

fn said(position: &str) -> Vec<String> {
    let mut table = beasts().play_from_position(position);
    while let [seat] = table.asked_seats()[..] {
        table.answer(seat, "pass");
    }
    table.check();
    table.new_said_texts()
}

/// What lies in the zones of the entrants of side 0, by the sizes of the dice.
fn lying(session: &Session) -> Vec<String> {
    let sizes = |zone: Option<&ZoneView>| match zone {
        Some(ZoneView::Seen(pieces)) => {
            pieces.iter().map(|piece| piece.size.unwrap_or(0).to_string()).collect::<Vec<_>>().join(" ")
        }
        _ => "?".to_string(),
    };
    let side = session.view(Viewer::Spectator).sides.swap_remove(0);
    let each = side.each.iter();
    each.map(|each| format!("{}: {} | {}", each.key, sizes(each.zones.get("nest")), sizes(each.zones.get("reserve")))).collect()
}

// --- zones -----------------------------------------------------------------------------

#[test]
fn each_entrant_has_zones_of_its_own() {
    let entrants = "[{otter: {zones: {nest: [{id: a, size: 8, value: 3}], reserve: [6]}}}, {newt: {zones: {nest: [4]}}}]";
    let table = beasts().play_from_position(&one_side(entrants, "    zones: {captured: [8]}\n"));
    assert_eq!(lying(&table.session), ["otter: 8 | 6", "newt: 4 | 6"]);
    table.check();
}

#[test]
fn what_lies_with_an_entrant_is_taken_first_of_what_its_own_sheet_prints() {
    // Both print a d6: the newt's lies in its nest, the otter's stays in reserve.
    let table = beasts().play_from_position(&one_side("[otter, {newt: {zones: {nest: [6]}}}]", ""));
    assert_eq!(lying(&table.session), ["otter:  | 6 8", "newt: 6 | 4"]);
    // A newt prints no d8: it comes from the otter's reserve.
    let table = beasts().play_from_position(&one_side("[otter, {newt: {zones: {nest: [8]}}}]", ""));
    assert_eq!(lying(&table.session), ["otter:  | 6", "newt: 8 | 4 6"]);
}

#[test]
fn with_one_entrant_its_zones_may_be_told_with_the_side_or_with_it() {
    let with_side = one_side("[otter]", "    zones: {nest: [{size: 8, value: 3}], reserve: []}\n");
    let with_it = one_side("[{otter: {zones: {nest: [{size: 8, value: 3}], reserve: []}}}]", "");
    assert_eq!(said(&with_side), ["Otter: d8:3, nothing", "Eel: nothing, nothing"]);
    assert_eq!(said(&with_it), said(&with_side));
}

#[test]
fn of_several_it_must_be_said_whose_zone_it_is() {
    let wrong = |entrants: &str, lines: &str| beasts().position_problems(&one_side(entrants, lines));
    let one = |message: &str| {
        let help = "list it once, with its entrant: `- otter: {zones: {nest: […]}}`".to_string();
        vec![(codes::POSITION_WHOSE, message.to_string(), help)]
    };
    let several = "each of the 2 entrants has a zone `nest`, but the side has none";
    assert_eq!(wrong("[otter, newt]", "    zones: {nest: [6]}\n"), one(several));
    assert_eq!(wrong("[{otter: {zones: {nest: [6]}}}]", "    zones: {nest: [6]}\n"), one("`nest` is listed twice"));
    let unknown = wrong("[{otter: {zones: {nset: [6]}}}]", "");
    assert_eq!(unknown, [(codes::POSITION_ZONE, "there is no zone `nset`".to_string(), "did you mean `nest`?".to_string())]);
    let captured = wrong("[{otter: {zones: {captured: [6]}}}]", "");
    assert_eq!(captured[0].1, "there is no zone `captured`");
    let twice = wrong("[{otter: {zones: {nest: [{id: a, size: 6}]}}}, newt]", "    zones: {captured: [{id: a, size: 6}]}\n");
    assert_eq!(twice[0].1, "two pieces are named `a`");
}

#[test]
fn as_many_pieces_count_with_entrants_as_with_sides() {
    let many = vec!["6"; 41].join(", ");
    let told = beasts().position_problems(&one_side(&format!("[{{otter: {{zones: {{nest: [{many}]}}}}}}]"), ""));
    assert_eq!(told[0].0, codes::POSITION_PIECE, "{told:?}");
}

// --- fields ------------------------------------------------------------------------------

#[test]
fn a_field_that_is_an_entrant_is_set_by_its_key() {
    let entrants = "[otter, {newt: {zones: {nest: [{size: 4, value: 2}]}}}]";
    assert_eq!(said(&one_side(entrants, "    counters: {fighter: newt, tokens: 2}\n"))[0], "Newt: d4:2, d6");
    assert_eq!(said(&one_side(entrants, ""))[0], "Otter: nothing, d6 and d8");
}

#[test]
fn keys_count_through_the_whole_match() {
    let sides = |fighter: &str| {
        format!(
            "sides:\n  - entrants: [otter, otter]\n    counters: {{fighter: {fighter}}}\n  - entrants: [newt, otter]\n    counters: {{fighter: otter#3}}\ntable: {{champion: otter#2}}\nat: look\n"
        )
    };
    assert_eq!(said(&sides("otter#2")), ["Otter (2): nothing, d6 and d8", "Otter (3): nothing, d6 and d8"]);
    let table = beasts().play_from_position(&sides("otter"));
    let key = |holder: Holder, field: &str| table.session.field_of_holder(holder, field).and_then(|held| held.entrant);
    assert_eq!(key(Holder::Side(0), "fighter").as_deref(), Some("otter"));
    assert_eq!(key(Holder::Side(1), "fighter").as_deref(), Some("otter#3"));
    assert_eq!(key(Holder::Table, "champion").as_deref(), Some("otter#2"));
    assert_eq!(key(Holder::Entrant(0, 1), "partner").as_deref(), Some("none"));
    assert_eq!(
        (key(Holder::Side(0), "tokens"), key(Holder::Side(2), "fighter"), key(Holder::Entrant(1, 2), "partner")),
        (None, None, None)
    );
}

#[test]
fn sides_are_set_by_number_and_none_where_there_may_be_none() {
    let position = one_side(
        "[{otter: {partner: newt, breath: 1, speed: 9, marks: [tired]}}, {newt: {partner: none}}]",
        "    counters: {rival: 1, fighter: newt}\n",
    );
    let table = beasts().play_from_position(&position);
    let view = table.session.view(Viewer::Trusted);
    let field = |name: &str| view.sides[0].fields.get(name).map(String::as_str);
    assert_eq!((field("fighter"), field("rival")), (Some("Newt"), Some("Eel")));
    assert_eq!(view.sides[1].fields.get("rival").map(String::as_str), Some("none"));
    let [otter, newt] = &view.sides[0].each[..] else { panic!("{:?}", view.sides[0].each) };
    assert_eq!((otter.fields.get("partner").unwrap().as_str(), newt.fields.get("partner").unwrap().as_str()), ("Newt", "none"));
    assert_eq!((otter.counters["breath"].as_str(), newt.counters["breath"].as_str()), ("1", "6"));
    assert_eq!(otter.marks, ["tired"]);
}

#[test]
fn who_does_not_play_is_no_value() {
    let wrong = |lines: &str| beasts().position_problems(&one_side("[otter, newt]", lines));
    let one = |code: &'static str, message: &str, help: &str| vec![(code, message.to_string(), help.to_string())];
    let unknown = |key: &str, help: &str| one(codes::UNKNOWN_ENTRANT, &format!("`{key}` does not play here"), help);
    assert_eq!(wrong("    counters: {fighter: heron}\n"), unknown("heron", "the entrants in play are `otter`, `newt` and `eel`"));
    assert_eq!(wrong("    counters: {fighter: otter#2}\n"), unknown("otter#2", "did you mean `otter`?"));
    assert_eq!(wrong("    counters: {fighter: none}\n"), unknown("none", "the entrants in play are `otter`, `newt` and `eel`"));
    assert_eq!(wrong("    counters: {rival: 2}\n")[0].0, codes::YAML_RANGE);
    let help = "entrants have it: write it with the entrant, as in `- otter: {breath: …}`";
    assert_eq!(wrong("    counters: {breath: 2}\n"), one(codes::UNKNOWN_COUNTER, "there is no counter `breath`", help));
    assert_eq!(wrong("    counters: {fighter: [otter]}\n")[0].0, codes::YAML_TYPE);
}

// --- uses ----------------------------------------------------------------------------------

#[test]
fn each_entrant_has_uses_of_its_own() {
    let entrants = "[{otter: {used: {dive: 2}}}, {newt: {used: {dive: 1}}}]";
    let mut table = beasts().play_from_position(&one_side(entrants, "    used: {sleep: 1}\n"));
    let view = table.session.view(Viewer::Spectator).sides.swap_remove(0);
    let left = |place: usize| view.each[place].uses.iter().map(|(key, uses)| format!("{key} {}", uses.left)).collect::<Vec<_>>();
    assert_eq!((left(0), left(1)), (vec!["dive 0".to_string()], vec!["dive 1".to_string(), "sleep 0".to_string()]));
    assert_eq!(table.options(0), ["dive", "pass"]);
    table.answer(0, "dive");
    assert_eq!(table.new_said_texts(), ["splash", "Otter: nothing, d6 and d8", "Eel: nothing, nothing"]);
}

#[test]
fn of_several_it_must_be_said_who_has_used_it() {
    let wrong = |entrants: &str, lines: &str| beasts().position_problems(&one_side(entrants, lines));
    let tell = |message: &str, help: &str| {
        vec![(codes::POSITION_WHOSE, message.to_string(), format!("write it once, with the entrant: `{help}`"))]
    };
    let dive = "- otter: {used: {dive: 1}}";
    assert_eq!(wrong("[otter, newt]", "    used: {dive: 1}\n"), tell("2 entrants of this side have `dive`", dive));
    assert_eq!(wrong("[{otter: {used: {dive: 1}}}]", "    used: {dive: 1}\n"), tell("the uses of `dive` are given twice", dive));
    let not_its_own = wrong("[{otter: {used: {sleep: 1}}}, newt]", "");
    assert_eq!(
        not_its_own,
        [(codes::UNKNOWN_ABILITY, "`otter` does not have the ability `sleep`".to_string(), "there are `dive`".to_string())]
    );
    assert_eq!(wrong("[{otter: {used: {dive: 3}}}]", "")[0].0, codes::YAML_RANGE);
}

#[test]
fn what_each_of_several_has_is_one_list() {
    let rules = RULES.replace(
        "entry to look {",
        "entry to look {
  let first = first of sides
  say \"{sides.beasts}\"
  say \"{count of sides.beasts} {count of (sides where it is first).beasts} {sum of sides.beasts.speed}\"
  say \"{sides.opponents.beasts.nest} {sides.opponents.beasts.reserve.size}\"
  say \"{count of sides.opponents} {any of sides.beasts has it.side is not first}\"
  each beast in sides.beasts { add 1 to beast.breath }",
    );
    let texts = game(&rules)
        .sheet("otter", "name: Otter\nreserve: [6, 8]\n")
        .sheet("newt", "name: Newt\nreserve: [4, 6]\n")
        .sheet("eel", "name: Eel\nspeed: 5\n");
    let mut table = texts.play_from_position(&one_side("[otter, newt]", ""));
    assert_eq!(
        table.new_said_texts()[..4],
        ["Otter, Newt and Eel", "3 2 11", "nothing 6, 8, 4 and 6", "2 yes"].map(str::to_string)
    );
}

#[test]
fn a_side_that_is_called_like_two_wins_as_two_do() {
    let ended = |winner: &str| {
        let rules = format!("sides 2 named \"Romeo and Juliet\", \"Tybalt\"\nto play {{ finish with {winner} of sides }}");
        game(&rules).play().events.last().map(|event| event.text.clone())
    };
    assert_eq!(ended("first").as_deref(), Some("Romeo and Juliet win"));
    assert_eq!(ended("last").as_deref(), Some("Tybalt wins"));
}
