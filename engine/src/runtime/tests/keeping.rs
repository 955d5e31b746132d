//! The highest or lowest few of some numbers: `highest 3 of xs`.

use crate::testing::game;
use ludex_syntax::codes;

fn said(value: &str) -> String {
    let rules = "sides 2\nthe table has { counter two = 2 }\ndefine xs = [3, 6, 1, 6, 4]\n";
    game(&format!("{rules}to play {{ say \"{{{value}}}\"\n finish with nobody }}")).play().new_said_texts().concat()
}

#[test]
fn so_many_are_kept_in_their_order() {
    let cases = [
        ("highest 3 of xs = [6, 6, 4]", "yes"),
        ("lowest 3 of xs = [3, 1, 4]", "yes"),
        ("lowest 1 of xs = [1]", "yes"),
        ("highest 5 of xs = xs", "yes"),
        ("highest 9 of xs = xs", "yes"),
        ("count of highest 0 of xs", "0"),
        ("count of highest (0 - 2) of xs", "0"),
        ("count of lowest 2 of (xs where it > 9)", "0"),
        ("highest two of xs = [6, 6]", "yes"),
        ("highest two * 2 of xs = [3, 6, 6, 4]", "yes"),
        ("highest (two + 1) of xs = [6, 6, 4]", "yes"),
        ("sum of highest 3 of xs where it < 6", "8"),
        ("sum of highest 2 of lowest 3 of xs", "7"),
        ("sum of highest 3 of xs + 1", "17"),
        ("highest 2 of sorted down xs = [6, 6]", "yes"),
        ("highest 2 of xs without 6 is empty", "yes"),
        ("sum of highest 2 of [half of 3, half of 8, half of 9]", "8.5"),
        ("highest of lowest 2 of xs", "3"),
    ];
    for (value, wanted) in cases {
        assert_eq!(said(value), wanted, "{value}");
    }
}

/// Which of several equal numbers is kept makes a difference where another stands between them.
#[test]
fn of_equal_numbers_the_earlier_are_kept() {
    assert_eq!(said("highest 2 of [5, 2, 5, 5] = [5, 5]"), "yes");
    assert_eq!(said("highest 2 of [2, 5, 2] = [2, 5]"), "yes");
    assert_eq!(said("lowest 3 of [7, 2, 9, 7, 9, 7] = [7, 2, 7]"), "yes");
    assert_eq!(said("lowest 2 of [7, 9, 2, 7] = [7, 2]"), "yes");
}

/// Each way to keep some of a list, against another way to say it.
#[test]
fn they_are_those_that_sorting_finds() {
    for count in 0..6 {
        let list = "[2, 9, 9, -4, 2, 0]";
        assert_eq!(said(&format!("sorted highest {count} of {list} = {}", sorted_first(count, true))), "yes", "{count}");
        assert_eq!(said(&format!("sorted lowest {count} of {list} = {}", sorted_first(count, false))), "yes", "{count}");
    }
}

fn sorted_first(count: usize, highest: bool) -> String {
    let mut numbers = [2, 9, 9, -4, 2, 0];
    numbers.sort_unstable();
    let kept = if highest { &numbers[numbers.len() - count..] } else { &numbers[..count] };
    if kept.is_empty() { "([1] without 1)".to_string() } else { format!("{kept:?}") }
}

const DUEL: &str = "sides 2\ndie sizes 6\npiece die (dice) {}\neach side has { zone bowl: dice, open  counter points }\n";

#[test]
fn keys_and_conditions_take_them() {
    let cases = [
        ("those of sides with highest sum of highest 2 of it.bowl.value", "1"),
        ("those of sides with lowest sum of lowest 1 of it.bowl.value", "1"),
        ("those of sides with highest highest 2 of it.bowl.value", "0"),
        ("those of sides with highest highest 2 of sorted down it.bowl.value", "0"),
        ("sides where sum of highest 2 of it.bowl.value > 9", "1"),
        ("the one of sides with lowest count of lowest 2 of it.bowl.value, then highest highest 1 of it.bowl.value", "0"),
    ];
    for (winners, wanted) in cases {
        let rolls = "each side in sides { repeat 3 times { create die(size: 6) in side.bowl for side } roll side.bowl }";
        let end = format!("each side in sides {{ if side in ({winners}) {{ add 1 to side.points }} }}");
        let text = "say \"{if (first of sides).points = 1 then 0 else 1}\" finish with nobody";
        let table =
            game(&format!("{DUEL}to play {{ {rolls} {end} {text} }}")).play_with_results(&[6, 2, 2, 5, 1, 5]).new_said_texts();
        assert_eq!(table, [wanted], "{winners}");
    }
}

#[test]
fn only_numbers_have_highest_members() {
    let told = |body: &str| game(&format!("{DUEL}to play {{ {body}  finish with nobody }}")).error_details();
    let refused = |message: &str| vec![(codes::NOT_COMPARABLE, message.to_string(), String::new())];
    assert_eq!(
        told("let best = highest 2 of (first of sides).bowl  roll best"),
        refused("only numbers have a highest or lowest, but these are a die")
    );
    let told = told("let best = top 2 of [4, 6, 8]  each one in best { }");
    assert_eq!(
        told[0],
        (
            codes::WRONG_TYPE,
            "`top` takes pieces from the top of a zone, but this is a list of numbers".to_string(),
            "write `highest 2 of …` or `lowest 2 of …`".to_string()
        )
    );
}
