//! Pieces that bear others: room, falling, and who sees what lies under a hidden piece.

use crate::runtime::{Viewer, ZoneView};
use crate::testing::{Table, Texts, game};

const RULES: &str = r#"
sides 2 of 1 basket
sheet basket (baskets) { zone stock: fruits, seen by nobody, in order }
sheet fruit { weight: number = 1 }
piece fruit (fruits) from fruit {
  zone worms: fruits, open, falls to owner.heap
  zone leaf: fruits, open, at most 1
  counter bites
}
each side has {
  basket: basket = first of baskets, lending stock
  zone hand: fruits, seen by owner
  zone shelf: fruits, open
  zone heap: fruits, open, out of play
}
"#;

fn with(statements: &str) -> Texts {
    let fruits = "sheets:\n  plum: {name: Plum}\n  pear: {name: Pear, weight: 2}\n  fig: {name: Fig}\n";
    game(&format!("{RULES}\nto play {{ {statements} }}"))
        .sheet("fruits", &fruits.replace("{name", "{sheet: fruit, name"))
        .sheet("one", "sheet: basket\nname: One\nstock: [plum, pear, fig]\n")
}

const SETTING: &str = "let me = first of sides  let you = last of sides
    let plum = first of me.stock  let pear = first of (me.stock where it.weight = 2)  let fig = last of me.stock
    if plum is none or pear is none or fig is none { stop }
    move plum to me.shelf  move pear to plum.worms  move fig to plum.leaf  add 2 to plum.bites ";

#[track_caller]
fn play(statements: &str) -> Table {
    let table = with(&format!("{SETTING} {statements}")).play_with_sheets(&["one", "one"]);
    table.check();
    table
}

#[test]
fn what_is_borne_falls_when_its_bearer_goes_out_of_play() {
    let mut table = play("move plum to you.shelf  say \"{count of plum.worms}\"  move plum to me.heap");
    let news = table.new_event_texts();
    assert_eq!(news[4..8], ["moved(0, shelf by 1)", "said(1)", "moved(0, heap by 0)", "moved(1, heap by 0)"]);
    let view = table.session.view(Viewer::Spectator);
    let ZoneView::Seen(heap) = &view.sides[0].zones["heap"] else { panic!("the heap is open") };
    // What falls nowhere stays with its bearer.
    assert_eq!((heap.len(), heap[0].under.len(), heap[1].under.len()), (2, 1, 0));
}

#[test]
fn what_falls_nowhere_leaves_with_what_is_removed() {
    let mut table = play("remove plum  say \"{count of fruits}\"");
    assert_eq!(table.new_event_texts()[4..8], ["moved(1, heap by 0)", "removed(2 by 0)", "removed(0 by 0)", "said(4)"]);
}

#[test]
fn a_zone_holds_no_more_than_it_has_room_for() {
    let fault = |statements: &str| {
        let texts = with(&format!("{SETTING} {statements}"));
        let setup = crate::testing::setup(&[&["one"], &["one"]]);
        crate::runtime::Session::start(texts.program(), &setup).err().map(|problem| problem.message.to_string())
    };
    assert_eq!(fault("move pear to plum.leaf").as_deref(), Some("a piece cannot go into leaf of Plum, which holds at most 1"));
    assert_eq!(fault("move fig to plum.leaf"), None);
    assert_eq!(fault("move plum to pear.worms").as_deref(), Some("a piece cannot go into itself"));
}

#[test]
fn views_show_what_lies_under_a_piece() {
    let table = play("");
    let view = serde_json::to_value(table.session.view(Viewer::Seat(1))).unwrap_or_default();
    let plum = &view["sides"][0]["zones"]["shelf"][0];
    assert_eq!((plum["sheet"].as_str(), plum["fields"]["bites"].as_str()), (Some("plum"), Some("2")));
    assert_eq!((plum["under"][0]["zone"].as_str(), plum["under"][0]["sheet"].as_str()), (Some("worms"), Some("pear")));
    assert_eq!(plum["under"][1]["zone"].as_str(), Some("leaf"));
}

#[test]
fn what_lies_under_a_hidden_piece_is_hidden() {
    let table = play("move plum to me.hand  add 1 to pear.bites  move pear to me.shelf");
    let seen = |viewer| table.events.iter().filter(|event| event.seen_by(viewer).is_some()).count();
    assert_eq!(seen(Viewer::Seat(0)) - seen(Viewer::Seat(1)), 1);
    assert!(format!("{:?}", table.session.view(Viewer::Seat(0)).sides[0].zones["hand"]).contains("fig"));
    assert!(!format!("{:?}", table.session.view(Viewer::Seat(1)).sides[0].zones["hand"]).contains("fig"));
    table.check();
}

#[test]
fn zones_that_never_let_fall_are_told() {
    let rules = RULES.replace(", out of play", "");
    assert_eq!(game(&format!("{rules}\nto play {{ }}")).problems(), ["pieces never leave play, so `falls to` has no effect"]);
    let rules = RULES.replace("zone shelf: fruits, open", "zone shelf: fruits, open, falls to owner.heap");
    assert_eq!(game(&format!("{rules}\nto play {{ }}")).problems(), ["only zones of pieces can have `falls to`"]);
}

/// A table laid out by a position.
fn placed(text: &str) -> Result<Table, Vec<String>> {
    let program = with("say \"{count of fruits}\"").program();
    let (node, mut problems) = ludex_syntax::yaml::parse_document(text, ludex_syntax::source::SourceId(0));
    let position = node.and_then(|node| ludex_compiler::position::Position::read(&node, &program, &mut problems));
    match position {
        Some(_) if problems.is_empty() => {
            Ok(Table::new(&program, &crate::runtime::Setup { position, ..crate::testing::setup(&[&["one"], &["one"]]) }))
        }
        _ => Err(problems.into_iter().map(|problem| problem.message.to_string()).collect()),
    }
}

#[test]
fn positions_place_cards_with_what_lies_under_them() {
    let text = "sides:
  - entrants: [one]
    zones:
      shelf: [{card: plum, id: p, bites: 3, worms: [pear, {card: fig, owner: 1}]}]
      hand: []
  - entrants: [one]
    zones: {stock: {plum: 2}, heap: [pear]}
";
    let mut table = placed(text).unwrap_or_else(|problems| panic!("{problems:?}"));
    // The fig of the second side lies under the plum; its stock is what the position says.
    assert_eq!(table.new_said_texts(), ["7"]);
    assert_eq!(table.session.labels().get("p"), Some(&0));
    let view = serde_json::to_value(table.session.view(Viewer::Trusted)).unwrap_or_default();
    let zones = |side: usize| &view["sides"][side]["zones"];
    assert_eq!(zones(0)["shelf"][0]["fields"]["bites"], "3");
    let under: Vec<&str> =
        zones(0)["shelf"][0]["under"].as_array().into_iter().flatten().filter_map(|under| under["sheet"].as_str()).collect();
    assert_eq!(under, ["pear", "fig"]);
    let sheets = |zone: &serde_json::Value| zone.as_array().map_or(0, Vec::len);
    assert_eq!((sheets(&zones(0)["stock"]), sheets(&zones(1)["stock"]), sheets(&zones(1)["heap"])), (1, 2, 1));
    table.check();
}

#[test]
fn wrong_cards_in_positions_are_told() {
    let told = |zones: &str| {
        placed(&format!("sides:\n  - entrants: [one]\n    zones: {zones}\n  - entrants: [one]\n")).err().unwrap_or_default()
    };
    assert_eq!(told("{shelf: [plmu]}"), ["there is no `plmu` in this game"]);
    assert_eq!(told("{shelf: [{bites: 3}]}"), ["it is not clear which card this is"]);
    assert_eq!(told("{shelf: [{card: plum, bits: 3}]}"), ["there is no counter `bits`"]);
    assert_eq!(told("{shelf: [{card: plum, worms: [fog]}]}"), ["there is no `fog` in this game"]);
}
