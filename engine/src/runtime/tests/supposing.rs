//! What would be so: values with other fields, and legal moves with a property.

use crate::testing::{Texts, game};

const RULES: &str = r#"
sides 2
piece tile (tiles) { value: number }
each side has { zone hand: tiles, open  coins: number in 0..9 }
family deed(active: side) { paid: tiles = none }
action pay(tiles: 1 or more in active.hand) is deed
  when sum of tiles.value = active.coins
  gives paid = tiles
  says "pay" do {}
action sing is deed says "sing" when active.coins >= 5 do {}
define worth(side: side): number = sum of side.hand.value + bonus(side)
hook bonus(side: side): number = side.coins
to lay(side: side, value: number) { create tile(value: value) in side.hand for side }
"#;

fn said(statements: &str) -> Vec<String> {
    with(statements).play().new_said_texts()
}

fn with(statements: &str) -> Texts {
    game(&format!(
        "{RULES}\nto play {{ let me = first of sides  do lay(me, 2)  do lay(me, 3)  let one = first of me.hand  if one is none {{ stop }}  {statements} }}"
    ))
}

#[test]
fn a_value_is_worked_out_with_other_fields_and_nothing_changes() {
    let told = said(
        "set me.coins to 4
        say \"{worth(me)} {supposing one.value = 6 then worth(me)} {supposing me.coins = 0 then worth(me)} {worth(me)}\"",
    );
    assert_eq!(told, ["9 13 5 9"]);
}

#[test]
fn several_fields_change_at_once_each_worked_out_before() {
    let told = said(
        "let other = last of me.hand  if other is none { stop }
        say \"{supposing one.value = other.value and other.value = one.value then 10 * one.value + other.value}\"
        say \"{supposing one.value = 5 and one.value = 6 then one.value} {one.value}\"",
    );
    assert_eq!(told, ["32", "6 2"]);
}

#[test]
fn one_stands_inside_another() {
    let told = said(
        "say \"{supposing me.coins = 3 then supposing one.value = me.coins then worth(me)}\"
        say \"{worth(me)}\"",
    );
    assert_eq!(told, ["9", "5"]);
}

#[test]
fn moves_are_looked_for_as_things_would_be() {
    let told = said(
        "if can deed(me) { say \"now\" }
        if supposing me.coins = 5 then can deed(me) { say \"with 5\" }
        if supposing me.coins = 4 then can deed(me) { say \"with 4\" }
        if supposing me.coins = 4 and one.value = 1 then can deed(me) { say \"with 4 and a 1\" }",
    );
    assert_eq!(told, ["with 5", "with 4 and a 1"]);
}

#[test]
fn a_legal_move_must_have_a_property() {
    let told = said(
        "set me.coins to 5
        if can deed(me) where it is pay { say \"pays\" }
        if can deed(me) as other where other is pay and one in other.paid { say \"with the first\" }
        if can deed(me) where it is pay and count of it.paid = 1 { say \"with one\" }
        if can deed(me) where it is sing { say \"sings\" }
        set me.coins to 3
        if can deed(me) where it is sing { say \"still sings\" }
        if can deed(me) where one in it.paid { say \"still with the first\" }",
    );
    assert_eq!(told, ["pays", "with the first", "sings"]);
}

#[test]
fn a_value_beyond_its_bounds_is_a_fault() {
    let fault = with("say \"{supposing me.coins = 10 then me.coins}\"").fault();
    assert_eq!(fault.message.to_string(), "`coins` would become 10, but it goes from 0 to 9");
}

#[test]
fn what_cannot_be_supposed_is_told() {
    assert_eq!(with("say \"{supposing worth(me) = 3 then 1}\"").problems(), ["this is a number that cannot be set"]);
    assert_eq!(with("say \"{supposing me.coins = me then 1}\"").problems(), ["a number is needed here, but this is a side"]);
    assert_eq!(
        with("if can deed(me) where it.paid { }").problems(),
        ["a condition must be yes or no, but this is a list of tiles"]
    );
}
