//! The outline of rules is what reading the whole finds of it.

use super::super::outline::is_in_outline;
use super::*;

/// Declarations of an outline in all places where they may stand, and words that are none.
const ODD: [&str; 14] = [
    "game pond \"Pond\"\nsides 2..4 of 1..3 frog\n",
    "game\n  pond\n  \"Pond\"\npackage deep \"Deep\" extends pond\n",
    "ludex 1 game pond \"Pond\" sides 2 sheet frog { zone nest: die }\n",
    "define far = 3\n  sheet newt (newts) is a frog\n  piece leaf from newt\n",
    "die odd \"d%\" with faces 1, 3 sheet frog\n",
    "replace sheet frog { zone nest: die }\nreplace piece leaf from frog\nreplace sides 3\n",
    "mode short \"Short\" {\n  sheet frog\n  sides 3\n}\nsheet newt\n",
    "# game pond \"Pond\"\ndefine words = \"sheet frog and {1 + 1} sides 2\"\n",
    "## game pond\nsheet#frog\n  newt\n",
    "sheet frog {\n  zone nest die\n  counter leaps: 3\n}\nsides 2 of frog of\nsheet newt\n",
    "sheet frog {\n  zone nest: die\nsheet newt\n",
    "sheets frog\ngamepond \"Pond\"\nasides 2\nsheet_frog\n",
    "piece die2 sides 2 sheet 3\nsides2\nsides 02..03 of 1 frog\n",
    "sheet \u{201c}frog\u{201d}\n\u{a0}sheet\u{a0}newt\ngame pond 'Pond'\n",
];

fn shipped() -> Vec<String> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rules");
    let entries = |folder: std::path::PathBuf| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let games = entries(folder).filter(|path| path.is_dir());
    let rules = games.flat_map(entries).filter(|path| path.extension().is_some_and(|ending| ending == "ludex"));
    rules.map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

#[track_caller]
fn same(text: &str) -> usize {
    let source = SourceId(0);
    let whole: Vec<Item> = parse_rules(source, text).items.into_iter().filter(|item| is_in_outline(&item.kind)).collect();
    assert_eq!(format!("{:#?}", parse_outline(source, text)), format!("{whole:#?}"), "{text}");
    whole.len()
}

#[test]
fn an_outline_has_all_that_belongs_to_it_wherever_it_stands() {
    let found: Vec<usize> = ODD.iter().map(|text| same(text)).collect();
    assert_eq!(found, [2, 2, 3, 2, 1, 3, 1, 0, 1, 2, 2, 0, 1, 1]);
}

#[test]
fn the_outlines_of_the_shipped_games_are_whole() {
    assert!(shipped().iter().map(|text| same(text)).sum::<usize>() > 20);
}

#[test]
fn a_file_that_declares_too_much_has_no_outline() {
    let many = "sheet frog\n".repeat(NAMES + 1);
    assert_eq!(same(&many), 0);
    assert_eq!(same(&many["sheet frog\n".len()..]), NAMES);
}
