//! Things with a number are found by an index when they are sought again and again. Where everything is checked, what an index
//! finds is compared with what looking at each thing finds, so every other test of play attacks this, too.

use crate::testing::game;
use proptest::prelude::*;

const RULES: &str = r#"
sides 2
piece tile (tiles) { row, column: number }
each side has { zone hand: tiles, open  zone aside: tiles, open }
define in_row(side: side, row: number) = count of (side.hand where it.row = row)
"#;

/// What the rules say of these numbers: of each how many tiles have it, and how many in the hand; how many of the numbers some
/// tile has, and how many none; and the columns of the first and of the second tiles.
fn asked(numbers: &[i32]) -> String {
    let of_each = |what: &str| numbers.iter().map(|number| format!("{{{}}} ", what.replace('#', &number.to_string()))).collect();
    let lines: [String; 5] = [
        of_each("count of (me.hand where it.row = #)"),
        of_each("count of (tiles where # = it.row)"),
        of_each("count of (me.hand where it.row = # and it.column > 1)"),
        of_each("count of ((1..1) where any of me.hand as tile has tile.row = #)"),
        of_each("count of ((1..1) where none of tiles as tile has (tile.row = # and tile.column = 1))"),
    ];
    lines.iter().map(|line| format!("say \"{}\"\n", line.trim())).collect()
}

/// The same, worked out by looking at tiles: their rows and columns, and whether they are in the hand.
fn expected(tiles: &[(i32, i32, bool)], numbers: &[i32]) -> Vec<String> {
    let count = |wanted: &dyn Fn(&(i32, i32, bool)) -> bool| tiles.iter().filter(|tile| wanted(tile)).count();
    let line = |of: &dyn Fn(i32) -> usize| numbers.iter().map(|number| of(*number).to_string()).collect::<Vec<_>>().join(" ");
    vec![
        line(&|number| count(&|tile| tile.2 && tile.0 == number)),
        line(&|number| count(&|tile| tile.0 == number)),
        line(&|number| count(&|tile| tile.2 && tile.0 == number && tile.1 > 1)),
        line(&|number| count(&|tile| tile.2 && tile.0 == number).min(1)),
        line(&|number| 1 - count(&|tile| tile.0 == number && tile.1 == 1).min(1)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn an_index_finds_what_looking_at_each_finds(
        tiles in prop::collection::vec((-1..66i32, 0..4i32, any::<bool>()), 0..20),
        more in (-1..4i32, 0..4i32),
    ) {
        let numbers = [-1, 0, 1, 2, 3, 63, 64];
        let lay = |(row, column, in_hand): &(i32, i32, bool)| {
            let zone = if *in_hand { "hand" } else { "aside" };
            format!("create tile(row: {row}, column: {column}) in me.{zone} for me\n")
        };
        let laid: String = tiles.iter().map(lay).collect();
        let more = (more.0, more.1, true);
        // What is laid afterwards counts at once.
        let statements = format!("{laid}{}{}{}", asked(&numbers), lay(&more), asked(&numbers));
        let told = game(&format!("{RULES}\nto play {{ let me = first of sides\n{statements} }}")).play().new_said_texts();
        let mut all = tiles.clone();
        let mut expected_lines = expected(&all, &numbers);
        all.push(more);
        expected_lines.extend(expected(&all, &numbers));
        prop_assert_eq!(told, expected_lines);
    }
}

#[test]
fn a_change_of_a_number_and_a_move_are_seen_at_once() {
    let statements = "
        count row from 1 to 8 { create tile(row: row) in me.hand for me }
        let all = (1..8)
        say \"{count of (all where in_row(me, it) = 1)}\"
        let second = first of (me.hand where it.row = 2)
        if second is none { stop play }
        set second.row to 1
        say \"{in_row(me, 1)} {in_row(me, 2)} {in_row(me, 1)} {in_row(me, 2)} {count of (all where in_row(me, it) = 1)}\"
        move second to me.aside
        say \"{in_row(me, 1)} {in_row(me, 2)} {count of (all where in_row(me, it) = 1)}\"";
    let told = game(&format!("{RULES}\nto play {{ let me = first of sides {statements} }}")).play().new_said_texts();
    assert_eq!(told, ["8", "2 0 2 0 6", "1 0 7"]);
}

/// The first in the order of the zone, and not of the things.
#[test]
fn the_first_is_that_of_the_zone() {
    let statements = "
        count row from 1 to 8 { create tile(row: row, column: 1) in me.hand for me }
        create tile(row: 3, column: 2) in me.aside for me
        let last = first of me.aside
        move last to bottom of me.hand
        let rows = [1, 2, 4, 5, 3, 6]
        say \"{count of (rows where (any of me.hand as tile has tile.row = it))}\"
        each row in rows { let one = first of (me.hand where it.row = row)  if one is not none { say \"{one.column}\" } }";
    let told = game(&format!("{RULES}\nto play {{ let me = first of sides {statements} }}")).play().new_said_texts();
    assert_eq!(told, ["6", "1", "1", "1", "1", "2", "1"]);
}
