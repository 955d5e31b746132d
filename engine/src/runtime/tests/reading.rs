//! What players read of cards: what is shown of them, how those of one name are told apart, and why one cannot be chosen.

use crate::runtime::view::PieceInZone;
use crate::runtime::{Viewer, ZoneView};
use crate::testing::{Table, Texts, game};

const RULES: &str = r#"
sides 2 of 1 basket
sheet basket (baskets) { zone stock: fruits, seen by nobody, in order, out of play }
sheet fruit { weight: number = 1 in 0..9, shown  motto: text = "" }
sheet berry is a fruit { seeds: number, shown }
sheet nut is a fruit { hard: number }
piece fruit (fruits) from fruit {
  counter worms
  found_by: side or none, shown
  bruises: number
  zone leaves: fruits, open
  mark ripe "is ripe"
  mark picked "has been picked today", untold
  mark counted
}
each side has {
  basket: basket = first of baskets, lending stock
  zone hand: fruits, seen by owner, out of play
  zone dish: fruits, open
  dish_is_full: flag = no, shown
}
hook noon(side: side) "{side} rests" when "it is noon"
family play(side: side) {}
family cracking(side: side) {}
action lay(berry in side.hand where it is a berry) is play
  when side.dish_is_full is no else "the dish is full"
  when none of side.dish has it.name is berry.name else "{berry} lies there already"
do { move berry to side.dish }
action squeeze(berry in side.dish where it is a berry, nut in side.dish where it is a nut) is play
  when berry is ripe else "{berry} is not ripe"                         @P-1
  when nut.hard < berry.seeds else "{nut} is too hard"                  @P-2
do {}
action wait is play do {}
action sing is play do {}
action crack(nut in side.hand where it is a nut) is cracking do {}
to play {
  let me = first of sides
  each side in sides { move top 4 of side.stock to side.hand }
  SETTING
  me must choose play as play else { stop }
  me may choose cracking as cracked "Crack a nut?"
  open noon(me)
}
"#;

const FRUITS: &str = r#"
sheets:
  straw: {sheet: berry, name: Strawberry, seeds: 200, weight: 2}
  old-straw: {sheet: berry, name: Strawberry, seeds: 90, weight: 2}
  rasp: {sheet: berry, name: Raspberry, seeds: 3}
  hazel: {sheet: nut, name: Hazelnut, hard: 30, abilities: [shade]}
"#;

const SHADE: &str = "//! ability shade \"Shade\"  @P-3
//!   \"You may rest in its shade.\"
//! offer shade at noon(side) when holder in me.hand and side is me do { say \"zzz\" }
";

fn fruits(setting: &str) -> Texts {
    game(&RULES.replace("SETTING", setting))
        .sheet("fruits", FRUITS)
        .sheet("one", "sheet: basket\nname: One\nstock: [rasp, straw, old-straw, straw, hazel]\n")
        .script("shade", SHADE)
}

fn table(setting: &str) -> Table {
    fruits(setting).play_with_sheets(&["one", "one"])
}

/// Of each piece in a zone of the first side what is read of it.
fn read(table: &Table, zone: &str) -> Vec<String> {
    let view = table.session.view(Viewer::Seat(0));
    let ZoneView::Seen(pieces) = &view.sides[0].zones[zone] else { panic!("`{zone}` is hidden") };
    let told = |piece: &PieceInZone| {
        let facts: Vec<String> = piece.facts.iter().map(|fact| fact.fact_text()).collect();
        format!("{} {:?}: {}", piece.display_name(), piece.apart, facts.join(", "))
    };
    pieces.iter().map(told).collect()
}

#[track_caller]
fn why(table: &Table, card: &str) -> Vec<String> {
    table.session.why_card(table.decision(0).id, card).unwrap_or_default()
}

#[test]
fn what_is_shown_is_read_in_the_order_of_its_declaration() {
    let table = table(
        "each fruit in me.hand where it is a berry {
           move fruit to me.dish  set fruit.worms to 2  set fruit.bruises to 7  set fruit.found_by to me
         }",
    );
    let straw = "weight 2, seeds 200, worms 2, found by One (1)";
    let old = "weight 2, seeds 90, worms 2, found by One (1)";
    assert_eq!(
        read(&table, "dish"),
        [
            format!("Strawberry #2 Some(\"seeds 200\"): {straw}"),
            format!("Strawberry Some(\"seeds 90\"): {old}"),
            format!("Strawberry Some(\"seeds 200\"): {straw}"),
        ]
    );
    assert_eq!(read(&table, "hand"), ["Hazelnut None: weight 1"]);
    let fields = table.session.view(Viewer::Seat(0)).sides[0].fields.clone();
    let told = fields.iter().map(|(name, value)| format!("{name}: {value}"));
    assert_eq!(told.collect::<Vec<_>>(), ["basket: One (1)", "dish_is_full: no"]);
}

#[test]
fn marks_are_told_in_their_words_and_some_are_not() {
    let told = table(
        "each fruit in first of me.hand {
           mark fruit as ripe  mark fruit as picked  mark fruit as counted  unmark fruit as ripe  unmark fruit as picked
         }
         say \"{me.hand}\"",
    );
    let told: Vec<&str> = told.events.iter().map(|event| event.text.as_str()).collect();
    let first = told.iter().position(|text| text.contains("is ripe")).unwrap_or(0);
    let words = ["Hazelnut is ripe", "", "", "Hazelnut is no longer ripe", "", "4 fruits"];
    assert_eq!(told.get(first..first + words.len()), Some(&words[..]));
}

#[test]
fn a_card_that_cannot_be_chosen_is_told_why() {
    let open = table("");
    let free = ["Strawberry (seeds 200) can be chosen now: lay", "Strawberry (seeds 90) can be chosen now: lay"];
    assert_eq!(why(&open, "straw"), free.map(str::to_string));
    // Each copy of a card has the same reason.
    let full = table("set me.dish_is_full to yes");
    let reasons = ["Strawberry (seeds 200), lay: the dish is full", "Strawberry (seeds 90), lay: the dish is full"];
    assert_eq!(why(&full, "Strawberry"), reasons.map(str::to_string));
    let there = table("each fruit in me.hand where it.seeds = 90 { move fruit to me.dish }");
    assert_eq!(why(&there, "Strawberry"), ["Strawberry, lay: Strawberry lies there already"]);
    // Nobody sees what is not there, or what somebody else holds.
    assert_eq!(why(&there, "raspberry"), Vec::<String>::new());
}

#[test]
fn of_all_ways_the_one_that_goes_furthest_is_told() {
    let move_all = "each fruit in me.hand { move fruit to me.dish }";
    assert_eq!(why(&table(move_all), "hazel"), ["Hazelnut, squeeze: Strawberry #2 is not ripe (P-1)"]);
    let ripe = format!("{move_all}  each fruit in me.dish where it.seeds = 90 {{ mark fruit as ripe  set fruit.worms to 1 }}");
    assert_eq!(why(&table(&ripe), "hazel"), ["Hazelnut can be chosen now: squeeze"]);
    let hard = |texts: &str| texts.replace("nut.hard < berry.seeds", "nut.hard > berry.seeds");
    let texts = game(&hard(&RULES.replace("SETTING", &ripe))).sheet("fruits", FRUITS).script("shade", SHADE);
    let table = texts
        .sheet("one", "sheet: basket\nname: One\nstock: [rasp, straw, old-straw, straw, hazel]\n")
        .play_with_sheets(&["one", "one"]);
    assert_eq!(why(&table, "hazel"), ["Hazelnut, squeeze: Hazelnut is too hard (P-2)"]);
}

#[test]
fn a_card_of_another_moment_is_told_when() {
    let table = table("");
    assert_eq!(why(&table, "hazel"), ["Hazelnut: not now; it can be chosen when you are asked: Crack a nut?"]);
    let rules = RULES.replace("SETTING", "").replace("action crack(nut in side.hand where it is a nut)", "action crack");
    let texts = game(&rules).sheet("fruits", FRUITS).script("shade", SHADE);
    let table = texts
        .sheet("one", "sheet: basket\nname: One\nstock: [rasp, straw, old-straw, straw, hazel]\n")
        .play_with_sheets(&["one", "one"]);
    assert_eq!(why(&table, "hazel"), ["Hazelnut: not now; it can act when it is noon (P-3). You may rest in its shade."]);
}

#[test]
fn what_a_move_or_a_mark_keeps_is_never_shown() {
    let kept =
        ["family deed(active: side) { weight: number = 1, shown }", "each side has { mark tired { since: number = 0, shown } }"];
    for kept in kept {
        let texts = game(&format!("sides 2\n{kept}\nto play {{ say \"well\" }}"));
        assert_eq!(texts.problems(), ["a field of a move or a mark is not on a table, so it is never shown"], "{kept}");
    }
}

#[test]
fn reasons_are_for_the_seat_that_is_asked() {
    let rules = RULES.replace("let me = first of sides", "let me = last of sides").replace(
        "when side.dish_is_full is no else \"the dish is full\"",
        "when none of side.hand has it.worms > 0 else \"there are worms in your hand\"",
    );
    let rules = rules.replace("SETTING", "each fruit in first of me.hand { set fruit.worms to 1 }");
    let texts = game(&rules)
        .sheet("fruits", FRUITS)
        .sheet("one", "sheet: basket\nname: One\nstock: [rasp, straw, old-straw, straw, hazel]\n")
        .script("shade", SHADE);
    // Seat 0 may not know of worms in this hand, but seat 1 asks.
    let table = texts.play_with_sheets(&["one", "one"]);
    let reasons = table.session.why_card(table.decision(1).id, "straw").unwrap_or_default();
    assert!(!reasons.is_empty() && reasons.iter().all(|reason| reason.contains("there are worms in your hand")), "{reasons:?}");
}
