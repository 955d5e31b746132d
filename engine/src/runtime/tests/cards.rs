//! Cards: pieces that are printed on sheets, decks that list them, and what they can do.

use crate::testing::{Table, Texts, game};
use ludex_syntax::codes;

const RULES: &str = r#"
sides 2 of 1 basket
type hue is one of red, green, any_hue
sheet basket (baskets) { zone stock: fruits, seen by nobody, in order }
sheet fruit { weight: number = 1 in 0..9 }
sheet bite { cost: list of hue = none  sweet: number }
sheet berry is a fruit { hue: hue  bites: list of bite = none }
sheet nut is a fruit { hard: number  motto: text = "" }
sheet walnut is a nut { likes: list of hue = none }
piece fruit (fruits) from fruit { counter worms  mark ripe }
each side has {
  basket: basket = first of baskets, lending stock
  zone hand: fruits, seen by owner
  zone table_top: fruits, open
  counter eaten
}
hook sweetness(fruit: fruit): number = fruit.weight
hook noon(side: side)
family play(active: side) { fruit: fruit }
action lay(fruit in active.hand) is play says "lay {fruit}" do { move fruit to active.table_top }
action nibble(fruit in active.table_top, bite in fruit.bites) is play
  when bite.sweet > fruit.weight
  says "take {bite} of {fruit}"
  do { add bite.sweet to active.eaten }
to play {
  each side in sides { move top 2 of side.stock to side.hand }
  each side in sides {
    repeat 2 times {
      side must choose play as play else { leave }
      do play
    }
    open noon(side)
  }
}
"#;

const FRUITS: &str = r#"
sheets:
  straw:
    sheet: berry
    name: Strawberry
    hue: red
    weight: 2
    bites:
      - {name: Small Bite, sweet: 1}
      - {name: Big Bite, cost: [red, any_hue], sweet: 5}
    provenance: {bites: ours}
  hazel:
    sheet: nut
    name: Hazelnut
    hard: 3
  regia:
    sheet: walnut
    name: Walnut
    hard: 7
    likes: [green]
    motto: Hard but fair
"#;

fn fruits(rules: &str) -> Texts {
    game(rules)
        .sheet("fruits", FRUITS)
        .sheet("one", "sheet: basket\nname: One\nstock: {hazel: 1, straw: 2}\n")
        .sheet("two", "sheet: basket\nname: Two\nstock: [straw, regia, hazel]\n")
}

fn with(statements: &str) -> Texts {
    let rules = RULES.split("to play {").next().unwrap_or("");
    fruits(&format!("{rules}\nto play {{ {statements} }}"))
}

#[track_caller]
fn says(statements: &str) -> Vec<String> {
    with(statements).play_with_sheets(&["one", "two"]).new_said_texts()
}

#[test]
fn cards_are_read_off_their_sheets() {
    let told =
        says("each fruit in fruits { say \"{fruit.name} {fruit.weight} {fruit.hard} {fruit.hue} {count of fruit.bites}\" }");
    assert_eq!(told[0], "Hazelnut 1 3 none 0");
    assert_eq!(told[1], "Strawberry 2 0 red 2");
    assert_eq!(told.len(), 6);
}

#[test]
fn a_hole_may_choose_between_texts() {
    let told = says(
        "each fruit in fruits {
           say \"a {if fruit is a nut then \"hard {fruit.hard}\" else if fruit.weight > 9 then \"big\" else fruit.hue} fruit\"
         }",
    );
    assert_eq!(told[..2], ["a hard 3 fruit", "a red fruit"]);
}

#[test]
fn what_a_card_is_can_be_tested() {
    let told = says(
        "each fruit in fruits where it is a nut { say \"{fruit.name}\" }
         each fruit in fruits where it is not a nut and it is a berry { say \"berry {fruit.name}\" }
         each fruit in fruits where it is a walnut { say \"hard {fruit.hard}\" }",
    );
    assert_eq!(told[..3], ["Hazelnut", "Walnut", "Hazelnut"]);
    assert_eq!(told[3..], ["berry Strawberry", "berry Strawberry", "berry Strawberry", "hard 7"]);
}

#[test]
fn printed_lists_texts_and_parts_are_values() {
    let told = says(
        "let nut = first of (fruits where it is a walnut)
         let berry = last of (fruits where it.name is \"Strawberry\")
         if nut is none or berry is none { stop }
         if green in nut.likes and red not in nut.likes { say \"{nut.motto}\" }
         each bite in berry.bites where it.sweet > 1 { say \"{bite} costs {bite.cost} and gives {bite.sweet}\" }
         say \"{sum of berry.bites.sweet} {count of (fruits where it.name is berry.name)} {count of (fruits where it.sheet is nut.sheet)}\"",
    );
    assert_eq!(told, ["Hard but fair", "Big Bite costs red and any hue and gives 5", "6 3 1"]);
}

#[test]
fn decks_are_laid_out_and_moves_are_keyed_by_sheets() {
    let mut table = fruits(RULES).play_with_sheets(&["one", "two"]);
    assert_eq!(table.options(0), ["lay(straw)", "lay(straw#2)"]);
    // Programs may name a card by its number, too.
    let by_number = table.session.find_choice(table.decision(0).id, "lay(2)").ok();
    assert_eq!(by_number, table.session.find_choice(table.decision(0).id, "lay(straw#2)").ok());
    table.answer(0, "lay(straw#2)");
    assert_eq!(table.options(0), ["lay(straw)", "nibble(straw#2>big-bite)"]);
    let decision = table.decision(0);
    assert_eq!(table.session.option(decision.id, 1).map(|option| option.text).as_deref(), Some("take Big Bite of Strawberry"));
    let refused = table.session.find_choice(decision.id, "nibble(straw#2>small-bite)").err().map(|refusal| refusal.reason);
    assert_eq!(refused.as_deref(), Some("the rule `bite.sweet > fruit.weight` does not hold"));
    table.answer(0, "nibble(straw#2>big-bite)").check();
    assert_eq!(table.options(1), ["lay(regia)", "lay(hazel#2)"]);
}

const FROST: &str = "//! ability frost \"Frost\"
//! offer frost at noon(side)
//!   when side is me and holder in me.hand
//!   says \"freeze {holder}\"
//!   do { move holder to me.table_top  add 3 to me.eaten }
//! modify sweetness(fruit) when fruit is holder: it + 5
";

fn frosty() -> Texts {
    let frosty = FRUITS.replace("hard: 3\n", "hard: 3\n    abilities: [frost]\n");
    game(&RULES.replace("repeat 2 times {", "say \"{sum of sides.hand.worms} {highest of sides.hand.weight}\" repeat 1 times {"))
        .sheet("fruits", &frosty)
        .sheet("one", "sheet: basket\nname: One\nstock: {straw: 1, hazel: 2}\n")
        .sheet("two", "sheet: basket\nname: Two\nstock: [straw, regia]\n")
        .script("frost", FROST)
}

#[test]
fn abilities_of_cards_act_where_they_lie() {
    let mut table = frosty().play_with_sheets(&["one", "two"]);
    table.answer(0, "lay(hazel)");
    assert_eq!(table.options(0), ["frost", "pass"]);
    let decision = table.decision(0);
    assert_eq!(table.session.option(decision.id, 0).map(|option| option.text).as_deref(), Some("freeze Hazelnut"));
    table.answer(0, "frost");
    assert_eq!(table.session.view(crate::runtime::Viewer::Trusted).sides[0].counters["eaten"], "3");
    // The other side has no such card.
    assert_eq!(table.options(1), ["lay(straw#2)", "lay(regia)"]);
    table.check();
}

#[test]
fn modifiers_of_cards_change_values() {
    let rules = RULES.split("to play {").next().unwrap_or("");
    let rules = format!("{rules}\nto play {{ each fruit in fruits {{ say \"{{fruit.name}} {{sweetness(fruit)}}\" }} }}");
    let texts = game(&rules)
        .sheet("fruits", &FRUITS.replace("hard: 3\n", "hard: 3\n    abilities: [frost]\n"))
        .sheet("one", "sheet: basket\nname: One\nstock: {straw: 1, hazel: 2}\n")
        .script("frost", FROST);
    let told = texts.play_with_sheets(&["one", "one"]).new_said_texts();
    assert_eq!(told, ["Strawberry 2", "Hazelnut 6", "Hazelnut 6", "Strawberry 2", "Hazelnut 6", "Hazelnut 6"]);
}

#[test]
fn unused_cards_cost_nothing() {
    let table = fruits(RULES).play_with_sheets(&["two", "two"]);
    assert_eq!(table.session.game.roster.instances.len(), 0);
    assert_eq!(table.session.game.roster.piece_keys.len(), 6);
}

#[test]
fn scripts_read_cards() {
    let script = "//! ability frost \"Frost\"
//! trigger frost at noon(side)

fn frost(holder, me) {
    let bites = holder.bites;
    if holder.name == \"Strawberry\" && holder.hue == \"red\" && contains(bites[1].cost, \"any_hue\") {
        add(me, \"eaten\", bites[1].sweet);
    }
    if holder.likes.len() == 0 && holder.hard == 0 { add(me, \"eaten\", 1); }
}
";
    let texts = game(RULES)
        .sheet("fruits", &FRUITS.replace("hue: red\n", "hue: red\n    abilities: [frost]\n"))
        .sheet("one", "sheet: basket\nname: One\nstock: {straw: 2}\n")
        .script("frost", script);
    let mut table = texts.play_with_sheets(&["one", "one"]);
    table.answer(0, "lay(straw)").answer(0, "lay(straw#2)");
    assert_eq!(table.session.view(crate::runtime::Viewer::Trusted).sides[0].counters["eaten"], "12");
}

// --- mistakes ---------------------------------------------------------------------

#[test]
fn wrong_sheets_are_told() {
    let wrong = "sheets:
  a: {sheet: bery, name: A}
  b: {sheet: berry, name: B, hue: blue, bites: [{name: X, swet: 1}]}
  c: {sheet: nut, name: C, hard: 1, hue: red}
  d: {name: D}
  e: {sheet: nut, name: E}
";
    let texts = fruits(RULES).sheet("wrong", wrong).sheet("deck", "sheet: basket\nname: D\nstock: {hazle: 1, straw: many}\n");
    insta::assert_debug_snapshot!(texts.error_details());
}

#[test]
fn wrong_words_about_cards_are_told() {
    insta::assert_debug_snapshot!(with("say \"{(first of fruits).hardd}\"").error_details());
    let texts = with(
        "let nut = first of fruits
         if nut is none { stop }
         set nut.hard to 3
         set nut.sheet to nut.sheet
         if nut is a bite { }
         if first of sides is a nut { }
         if nut.name = 3 { }
         create fruit() in (first of sides).hand for first of sides",
    );
    insta::assert_debug_snapshot!(texts.error_details());
}

#[test]
fn wrong_declarations_of_cards_are_told() {
    let rules = RULES
        .replace("sheet nut is a fruit { ", "sheet nut is a fruit { weight: number  zone pocket: fruits ")
        .replace("counter worms", "counter worms  counter hard  zone place: fruits, open")
        .replace("sweet: number }", "sweet: number  eater: side  name: number }")
        .replace(
            "sheet walnut is a nut {",
            "sheet walnut is a nut { hue: number = count of sides  soft: number = count of sides ",
        );
    insta::assert_debug_snapshot!(fruits(&rules).error_details());
    let circle = RULES.replace("sheet fruit {", "sheet fruit is a nut {");
    insta::assert_debug_snapshot!(fruits(&circle).error_details());
    let typed = RULES.replace("family play(active: side) { fruit: fruit }", "family play(active: side) { fruit: nut }");
    insta::assert_debug_snapshot!(fruits(&typed).error_details());
}

#[test]
fn a_card_says_which_sheet_it_is() {
    let texts = fruits(RULES).sheet("loose", "name: Loose\nhard: 2\n");
    let problems = texts.error_details();
    assert_eq!(problems.len(), 1);
    assert_eq!((problems[0].0, problems[0].1.as_str()), (codes::UNKNOWN_SHEET, "it is not clear which sheet `loose` is"));
}

/// The game with another file of cards; what is wrong with it.
fn with_cards(from: &str, to: &str) -> Vec<(&'static str, String, String)> {
    fruits(RULES)
        .sheet("more", "sheet: basket\nname: More\nstock: {straw: 1}\n")
        .sheet_again("fruits", &FRUITS.replacen(from, to, 1))
        .error_details()
}

#[test]
fn a_card_that_cannot_be_read_is_told_alone_and_not_missed_where_it_is_listed() {
    let told = |from: &str, to: &str| with_cards(from, to).into_iter().map(|(_, message, _)| message).collect::<Vec<_>>();
    assert_eq!(told("    hue: red\n", ""), ["the berry has no `hue`"]);
    assert_eq!(told("sheet: berry", "sheet: bery"), ["there is no sheet `bery` here"]);
    assert_eq!(told("sheets:", "shets:"), ["it is not clear which sheet `fruits` is"]);
    assert_eq!(told("    hard: 3", "\thard: 3"), ["there is a tab where only spaces are allowed"]);
    assert_eq!(told("{name: Small Bite, sweet: 1}", "{name: Small Bite sweet: 1}").len(), 1);
    // What stands in no file is missed all the same.
    assert_eq!(told("  hazel:", "  hazle:"), vec!["there is no `hazel` in this game"; 2]);
}

/// The whole table as everybody sees it, without what one seat may know.
#[test]
fn nobody_learns_what_lies_hidden() {
    let table = fruits(RULES).play_with_sheets(&["one", "two"]);
    let others = |table: &Table| {
        let view = table.session.view(crate::runtime::Viewer::Seat(1));
        let events: Vec<_> = table
            .events
            .iter()
            .filter_map(|event| event.seen_by(crate::runtime::Viewer::Seat(1)))
            .map(|e| e.text.clone())
            .collect();
        format!("{:?} {events:?}", view.sides[0].zones)
    };
    assert!(!others(&table).contains("Strawberry"), "{}", others(&table));
    for seed in 0..20 {
        let imagined = table.session.imagine(1, seed);
        assert_eq!(imagined.verify_state(), Ok(()));
    }
}

#[test]
fn imagined_hands_are_dealt_afresh() {
    let table = fruits(RULES).play_with_sheets(&["one", "two"]);
    let hand = |seed: u64| {
        let view = table.session.imagine(1, seed).view(crate::runtime::Viewer::Trusted);
        format!("{:?}", view.sides[0].zones["hand"])
    };
    let own =
        |seed: u64| format!("{:?}", table.session.imagine(1, seed).view(crate::runtime::Viewer::Seat(1)).sides[1].zones["hand"]);
    assert!((0..20).any(|seed| hand(seed).contains("hazel")) && (0..20).any(|seed| !hand(seed).contains("hazel")));
    assert!((0..20).all(|seed| own(seed) == own(0) && own(seed).contains("regia")));
}

#[test]
fn what_several_cards_print_is_one_list() {
    let told = says("say \"{sorted (fruits where it is a berry).bites.sweet} {count of fruits.bites}\"  say \"{fruits.likes}\"");
    assert_eq!(told, ["1, 1, 1, 5, 5 and 5 6", "green"]);
}
