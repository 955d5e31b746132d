//! Numbers and lists of numbers are compared; of anything else it is told what may be meant.

use crate::testing::game;
use ludex_syntax::codes;

const RULES: &str = "sides 2
die sizes 6
piece die (dice) { }
each side has { zone nest: dice, open  counter points }
family hop(active: side) { dice: dice }
action leap(dice: any number in active.nest) is hop
define worth(dice: dice) = sum of dice.value";

#[track_caller]
fn told(statement: &str) -> Vec<(&'static str, String, String)> {
    game(&format!("{RULES}\nto play {{ let one = first of sides  let other = last of sides  do meet(one.foe, one) }}\nto gain(side: side) {{ add 1 to side.points }}\nto meet(one: side, other: side) {{ {statement} }}"))
        .error_details()
}

#[test]
fn numbers_and_lists_of_numbers_are_compared() {
    let fine = [
        "if one.points > other.points { }",
        "if one.points >= half of other.points { }",
        "if sorted one.nest.value < sorted other.nest.value { }",
        "if one.nest.value = [1, 2] { }",
        "if one.nest is other.nest { }",
        "if one.nest is empty { }",
    ];
    for statement in fine {
        assert_eq!(told(statement), [], "{statement}");
    }
}

#[test]
fn other_things_are_not() {
    let count = "write `count of …` on both sides to compare how many there are";
    let same = "write `count of …` on both sides to compare how many there are, or `is` to ask for the same place";
    let empty = "write `is empty` or `is not empty`";
    let reckon = "count them, `count of …`, or add up a value of each, `sum of …`";
    let cases = [
        ("one.nest > other.nest", "a zone of dice", "a zone of dice", count),
        ("one.nest = other.nest", "a zone of dice", "a zone of dice", same),
        ("one.nest != top 2 of other.nest", "a zone of dice", "a list of dice", count),
        ("top 1 of one.nest < top 2 of other.nest", "a list of dice", "a list of dice", count),
        ("one.nest = none", "a zone of dice", "none", empty),
        ("one.nest > 2", "a zone of dice", "a number", reckon),
        ("one > other", "a side", "a side", "name the member that you mean, such as `….points`"),
        ("first of one.nest > 3", "a die or none", "a number", "name the member that you mean, such as `….value`"),
    ];
    for (condition, left, right, help) in cases {
        let message = format!("{left} cannot be compared with {right}");
        assert_eq!(told(&format!("if {condition} {{ }}")), [(codes::NOT_COMPARABLE, message, help.to_string())], "{condition}");
    }
}

#[test]
fn of_a_value_of_the_wrong_type_it_is_told_what_may_be_meant() {
    let cases = [
        (
            "set one.points to \"none\"",
            "a number is needed here, but this is a text",
            "numbers and words need no quotation marks; a text is only shown, or compared with `is`",
        ),
        (
            "set one.points to one.nest",
            "a number is needed here, but this is a zone of dice",
            "count them, `count of …`, or add up a value of each, `sum of …`",
        ),
        (
            "set one.points to one is other",
            "a number is needed here, but this is yes or no",
            "choose between numbers, as in `if … then 1 else 0`",
        ),
        (
            "one must choose hop(one) as hop else { stop }  add worth(hop) to one.points",
            "a list of dice is needed here, but this is a move of `hop`",
            "name the member that you mean, such as `….dice`",
        ),
        (
            "each die in dice { set one.points to die }",
            "a number is needed here, but this is a die",
            "name the member that you mean, such as `….value`",
        ),
        (
            "set one.points to [1] + one.points but at most 2",
            "this calculates with numbers, but here are a list of numbers and a number",
            "`but at most` bounds everything before it; to bound only a part, write `a + (b but at most c)`",
        ),
        (
            "set one.points to one.points but at least 2 - [1]",
            "this calculates with numbers, but here are a number and a list of numbers",
            "the bound ends before `+` and `-`; if they belong to it, write `a but at least (b - c)`",
        ),
        ("do gain(sides)", "a side is needed here, but this is a list of sides", "take one of them, as in `first of …`"),
    ];
    for (statement, message, help) in cases {
        assert_eq!(told(statement), [(codes::WRONG_TYPE, message.to_string(), help.to_string())], "{statement}");
    }
}

/// How a list compares that ends first is said behind any key that is a list.
#[test]
fn any_list_is_a_key_and_may_say_what_is_missing() {
    let winners = |key: &str| {
        let rules = format!("{RULES}\ndefine counted(side: side): list of number = sorted side.nest.value");
        let roll = "create die(size: 6) in one.nest for one  create die(size: 6) in one.nest for one  create die(size: 6) in other.nest for other  roll dice";
        let play = format!(
            "to play {{ let one = first of sides  let other = last of sides  {roll}  if (the one of sides with {key}) is one {{ say \"one\" }} else {{ say \"other\" }}  finish with nobody }}"
        );
        game(&format!("{rules}\n{play}")).play_with_results(&[2, 3, 2]).new_said_texts().concat()
    };
    for key in ["counted(it)", "sorted it.nest.value", "it.nest.value", "highest 2 of it.nest.value", "[2] + it.nest.value"] {
        assert_eq!(winners(&format!("lowest {key}")), "other", "{key}");
        assert_eq!(winners(&format!("lowest {key} missing lowest")), "other", "{key}");
        assert_eq!(winners(&format!("lowest {key} missing highest")), "one", "{key}");
        assert_eq!(winners(&format!("highest {key} missing highest")), "other", "{key}");
    }
    let refused = |statement: &str, message: &str| {
        let told = told(statement);
        assert_eq!((told.len(), told[0].0, told[0].1.as_str()), (1, codes::NOT_COMPARABLE, message), "{statement}");
    };
    refused(
        "if (the one of sides with lowest it.points missing highest) is one { }",
        "`missing` compares lists of different length, but this is a number",
    );
    refused(
        "let dice = sorted one.nest.value missing highest  if dice is empty { }",
        "`missing` compares lists of different length, so it belongs in `with lowest …` or `with highest …` only",
    );
}
