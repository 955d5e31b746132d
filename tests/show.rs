//! What `show` and `list` tell of a game of cards: decks, cards of several kinds, and abilities that cards have.

use crate::support::{Folder, ludex, run};

const RULES: &str = r#"ludex 1
game menagerie "The Menagerie"

sides 2 of 1 deck

type coat is one of fur, feathers, bare_skin

sheet deck (decks) {
  zone draw_pile: cards, seen by nobody, in order, out of play
  size: number = count of draw_pile in 1..400
}

sheet bite (bites) {
  cost: list of coat = none
  damage: number in 0..300
  lasting: flag = no
}

sheet card {
  limit: number = 4
  number: number in 1..99    ## printed in the corner
}

sheet beast is a card {
  coat: coat
  bites: list of bite = none
  likes: list of coat = none
  motto: text or none = none
}

sheet food (food) is a card

piece card (cards) from card {
  mark tired "must rest"
}

each side has {
  deck: deck = first of decks, lending draw_pile
}

## The day ends,
## and beasts come out.
hook dusk(active: side)

to play {
  do evening
}

scope evening {
  each side in sides { open dusk(side) }
}
"#;

const BEASTS: &str = r#"sheet: beast
sheets:
  otter-pup:
    name: Otter
    coat: fur
    number: 1
    note: The smaller of the two.
    abilities: [nap]
  otter:
    name: Otter
    coat: fur
    likes: [bare_skin]
    bites:
      - {name: Nip, damage: 10}
      - {name: Bite of Somebody Who Has Waited For It All Day, cost: [fur, fur, feathers], damage: 30, lasting: true}
    number: 2
    limit: 1
    motto: First come
    abilities: [nap: {turns: 3}, berry]
    provenance: {coat: seed, number: ours}
"#;

const FOOD: &str = "sheets:
  berry: {sheet: food, name: Berry, number: 3, provenance: {number: ours}}
  order: {sheet: food, name: The Order, number: 4}
";

const NAP: &str = r#"//! ability nap "Nap"
//!   "Rests when it is dusk."
//! uses 1 per evening
//! parameter turns: number in 1..9 = 1
//! parameter coats: list of coat = none
//!
//! trigger nap at dusk(active)
//!   when holder is not tired and count of coats < turns
//!   do { mark holder as tired }
"#;

const BERRY: &str = r#"//! ability berry "Berry"
//!   "Tires whoever has it."
//!
//! trigger berry at dusk(active)
//!   do { mark holder as tired }
"#;

fn menagerie(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("rules/menagerie/game.ludex", RULES);
    folder.write("characters/menagerie/beasts.yaml", BEASTS);
    folder.write("characters/menagerie/food.yaml", FOOD);
    let deck = "name: River\nsheet: deck\ndraw_pile: {berry: 10, otter: 2, otter-pup: 1}\nprovenance: {draw_pile: ours}\n";
    folder.write("characters/menagerie/decks/river.yaml", deck);
    folder.write("scripts/menagerie/nap.rhai", NAP);
    folder.write("scripts/menagerie/berry.rhai", BERRY);
    folder
}

fn shown(name: &str, subject: &[&str]) -> String {
    let folder = menagerie(name);
    run(&folder, &[&["show", "menagerie"], subject].concat(), "").stdout
}

fn json(name: &str, arguments: &[&str]) -> serde_json::Value {
    let folder = menagerie(name);
    serde_json::from_str(&run(&folder, &[arguments, &["--format", "json"]].concat(), "").stdout).unwrap()
}

#[test]
fn the_overview_names_what_sides_bring_and_counts_the_rest() {
    insta::assert_snapshot!(shown("show-overview", &[]));
}

#[test]
fn a_deck_is_a_table_of_its_cards() {
    insta::assert_snapshot!(shown("show-deck", &["river"]));
}

#[test]
fn a_card_is_shown_with_everything_on_it() {
    insta::assert_snapshot!(shown("show-card", &["otter"]));
}

#[test]
fn a_sheet_and_an_ability_of_one_id_are_both_shown() {
    insta::assert_snapshot!(shown("show-both", &["berry"]));
    let report = json("show-both-json", &["show", "menagerie", "berry"]);
    assert_eq!(report["sheet"]["id"], "berry");
    assert_eq!(report["ability"]["had_by"], serde_json::json!(["otter"]));
}

#[test]
fn of_sheets_with_one_name_the_ids_are_told() {
    insta::assert_snapshot!(shown("show-namesakes", &["OTTER"]));
}

#[test]
fn a_kind_is_shown_by_its_name_and_its_plural() {
    insta::assert_snapshot!(shown("show-kind", &["cards"]));
    assert_eq!(shown("show-kind-one", &["card"]), shown("show-kind-many", &["cards"]));
    assert_eq!(shown("show-decks", &["decks"]), shown("show-characters", &["characters"]));
}

#[test]
fn a_word_of_the_verb_comes_before_an_id() {
    assert!(shown("show-word", &["order"]).starts_with("Order\n"));
    assert!(shown("show-word-name", &["the order"]).starts_with("The Order (order), food of The Menagerie\n"));
}

#[test]
fn programs_read_every_line_of_a_card() {
    let card = &json("show-json", &["show", "menagerie", "otter"])["sheet"];
    assert_eq!(card["sheet"], "beast");
    assert_eq!(card["values"]["limit"], 1);
    assert_eq!(card["values"]["bites"][1]["cost"], serde_json::json!(["fur", "fur", "feathers"]));
    assert_eq!(card["values"]["bites"][0]["lasting"], false);
    assert_eq!(card["settings"]["nap"], serde_json::json!({ "turns": 3, "coats": [] }));
    assert_eq!(card["held_by"], serde_json::json!([{ "id": "river", "count": 2 }]));
    let pup = &json("show-json-pup", &["show", "menagerie", "otter-pup"])["sheet"];
    assert_eq!(pup["usual"], serde_json::json!(["bites", "likes", "motto", "limit"]));
}

#[test]
fn sheets_are_counted_and_not_files() {
    let folder = menagerie("list-cards");
    let listed = run(&folder, &["list"], "").stdout;
    let about: Vec<&str> =
        listed.lines().skip_while(|line| !line.contains("The Menagerie")).skip(1).take(2).map(str::trim).collect();
    assert_eq!(about, ["1 deck, 4 cards, 2 abilities", "* not from the rules: parts of 1 deck and 2 cards"], "{listed}");
    let report = json("list-json", &["list"]);
    let game = report["games"].as_array().unwrap().iter().find(|game| game["id"] == "menagerie").unwrap();
    assert_eq!(game["characters"].as_array().unwrap().len(), 1);
    assert_eq!(game["sheets"][1]["id"], "otter");
    assert_eq!(game["sheets"][1]["sheet"], "beast");
    assert_eq!(game["sheets"][1]["not_from_rules"], serde_json::json!({ "number": "ours" }));
}

#[test]
fn the_words_of_a_game_are_shown_with_their_notes() {
    let folder = menagerie("show-words");
    let shown = run(&folder, &["show", "menagerie", "words"], "").stdout;
    let part = |title: &str| -> Vec<String> {
        let lines = shown.lines().skip_while(|line| *line != title).skip(1).take_while(|line| !line.is_empty());
        lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    };
    assert_eq!(part("What happens"), ["dusk(active) hook The day ends, and beasts come out.", "play procedure", "evening scope"]);
    assert_eq!(part("Members of card"), ["limit field", "number field printed in the corner", "tired mark must rest"], "{shown}");
    let report = json("show-words-json", &["show", "menagerie", "words"]);
    let dusk = report["words"].as_array().unwrap().iter().find(|word| word["name"] == "dusk").unwrap();
    let wanted = serde_json::json!({
        "name": "dusk", "sort": "hook", "of": null, "parameters": ["active"],
        "note": "The day ends,\nand beasts come out.", "rules": [],
    });
    assert_eq!(*dusk, wanted);
}

#[test]
fn no_line_of_a_bundled_game_is_too_wide() {
    let folder = Folder::new("show-width");
    let shown = |game: &str, subject: &[&str]| run(&folder, &[&["show", game], subject].concat(), "").stdout;
    for (game, subjects) in [
        (
            "sailor-moon-ccg",
            &["moon", "sailor-moon-3", "sailor moon", "cards", "allies", "abilities", "order", "moves", "words"][..],
        ),
        ("dice-challenge", &["droids", "characters", "planet-power", "order", "moves", "words"]),
        ("tri-stat", &["fighters", "dark-queen", "options"]),
    ] {
        let mut texts = vec![shown(game, &[])];
        texts.extend(subjects.iter().map(|subject| shown(game, &[subject])));
        let wide = texts.iter().flat_map(|text| text.lines()).find(|line| line.chars().count() > 80);
        assert_eq!(wide, None, "{game}");
    }
}

#[test]
fn the_moves_of_each_action_are_told_with_how_they_are_found() {
    let told = ludex(&["show", "dice-challenge", "moves"]).stdout;
    for line in [
        "  power_attack: counted by comparing a number of `die` with one of `target`\n",
        "  droid_attack: counted by the sums of `dice` and `droid` that `target` shows;\n",
        "  convert: counted; from up to 64 things\n",
    ] {
        assert!(told.contains(line), "{told}");
    }
    assert!(!told.contains("need not be"), "nothing of it is looked at: {told}");
    let folder = Folder::new("moves");
    folder.write(
        "rules/heap/heap.ludex",
        "ludex 1\ngame heap \"Heap\"\nsides 2\ndie sizes 6\neach side has { zone tray: dice, open }\n\
         family pick(active: side) {}\n\
         action two(dice: 2 in active.tray) is pick\n  when sum of dice.value > 7 says \"take {dice}\"\n\
         action apart(dice: 2 in active.tray) is pick\n\
           when all of dice as one has (all of dice as other has (one is other or one.value != other.value)) says \"take {dice}\"\n\
         action beside(die in active.tray, other in active.tray) is pick\n  when die.value < other.value or die.size > other.size\n  says \"{die} {other}\"\n\
         action follow(die in active.tray, other in active.tray where it.value > die.value) is pick says \"{other} after {die}\"\n\
         to play { each side in sides { side must choose pick as picked \"Pick\" else { } }  finish with nobody }\n",
    );
    let told = ludex(&["show", "heap", "moves", "--library", &folder.path()]).stdout;
    // Where a line ends depends on how long the path of the folder is.
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in [
        "two: counted by what the conditions compute from the members of `dice`; from up to 64 things",
        "apart: each combination is tested; from 20 things, or up to 64 if few are chosen, because of",
        "heap.ludex:10: all of dice as one has (all of dice as other has",
        "beside: counted for each `die`, by what `other` is compared with",
        "follow: each combination is tested, as `other` depends on the roles before it",
        "Combinations need not be tested if",
    ] {
        assert!(told.contains(words), "`{words}` is not in\n{told}");
    }
    let json = ludex(&["show", "heap", "moves", "--format", "json", "--library", &folder.path()]).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let actions = json["moves"].as_array().expect("moves");
    let found: Vec<_> = actions.iter().map(|action| (action["search"].as_str(), action["most_things"].as_u64())).collect();
    assert_eq!(
        found,
        [(Some("gathered"), Some(64)), (Some("looked_at"), Some(20)), (Some("paired"), None), (Some("looked_at"), None)]
    );
}
