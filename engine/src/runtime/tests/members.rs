//! Members by a name of their own and by their place, and what a division leaves.

use crate::testing::{Table, Texts, game, setup};

fn pond(then: &str) -> Texts {
    game(&format!(
        "sides 2 named \"Ada\", \"Ben\"
die sizes 4, 6, 8
family pick(active: side) {{}}
action pair(die in active.nest, other in active.nest as second where second is not die and second.size > die.size) is pick
  says \"{{die}} and {{other}}\"
each side has {{ zone nest: dice, open  counter flies }}
to play {{
  let me = first of sides
  create die(size: 8, value: 5) in me.nest for me
  create die(size: 6, value: 5) in me.nest for me
  create die(size: 4, value: 2) in me.nest for me
  {then}
  finish with me
}}"
    ))
}

#[test]
fn a_member_may_have_a_name_so_that_two_can_be_compared() {
    let said = |value: &str| pond(&format!("say \"{{{value}}}\"")).play().new_said_texts();
    assert_eq!(
        said("me.nest as one where any of me.nest as other has (other is not one and other.value = one.value)"),
        ["d8:5 and d6:5"]
    );
    assert_eq!(said("all of me.nest as one has none of me.nest has (it.size = one.size and it is not one)"), ["yes"]);
    assert_eq!(
        said("the one of me.nest as one with highest count of (me.nest where it.value <= one.value), then lowest one.size"),
        ["d6:5"]
    );
    assert_eq!(said("count of (me.nest as one where one.size > 4)"), ["2"]);
    let told = pond("say \"{me.nest as one where it.size > 4}\"").error_details();
    assert!(told[0].1.contains("`it`"), "{told:?}");
}

#[test]
fn roles_may_name_what_fills_them() {
    let table = pond("me must choose pick as picked \"Which?\" else { }").play();
    assert_eq!(table.options(0), ["pair(1>0)", "pair(2>0)", "pair(2>1)"]);
}

#[test]
fn members_are_counted_from_one() {
    let said = |value: &str| pond(&format!("let n = 2  say \"{{{value}}}\"")).play().new_said_texts();
    assert_eq!(said("member 1 of me.nest"), ["d8:5"]);
    assert_eq!(said("member n + 1 of me.nest.value"), ["2"]);
    assert_eq!(said("member 3 of me.nest"), ["d4:2"]);
    for place in ["0", "4", "(0 - 1)", "2147483647"] {
        assert_eq!(said(&format!("member {place} of me.nest")), ["none"], "{place}");
    }
    assert_eq!(said("member 2 of me.nest where it.size < 8"), ["d4:2"]);
}

#[test]
fn a_remainder_goes_round() {
    let said = |value: &str| pond(&format!("let n = 0 - 7  say \"{{{value}}}\"")).play().new_said_texts();
    assert_eq!(said("remainder of 7 divided by 3"), ["1"]);
    assert_eq!(said("remainder of n divided by 3"), ["2"]);
    assert_eq!(said("3 * (n divided by 3 rounded down) + remainder of n divided by 3"), ["-7"]);
    assert_eq!(said("remainder of (sum of me.nest.size + 1) divided by (me.flies + 4)"), ["3"]);
    assert_eq!(pond("let n = remainder of 7 divided by me.flies").fault().message.to_string(), "a number is divided by zero");
}

const TABLES: &str = "type sign (signs) is one of rock, paper, scissors
type size is one of small, large
table beats(mine: sign, theirs: sign) { rock, scissors: 1  scissors, paper: 1  paper, rock: 1  otherwise: 0 }
table reach(size: size, age) { small, 1..3: 1  small, 4: 2 * age  large, age: 9 }
table follower(sign: sign): sign { rock: paper  paper: scissors  otherwise: rock }
";

#[test]
fn tables_are_read_with_several_numbers_and_words() {
    let said = |value: &str| {
        let rules = format!("sides 2\n{TABLES}to play {{ let n = 4  say \"{{{value}}}\"  finish with nobody }}");
        game(&rules).play().new_said_texts()
    };
    assert_eq!(said("beats(rock, scissors)"), ["1"]);
    assert_eq!(said("beats(scissors, rock)"), ["0"]);
    assert_eq!(said("sum of [reach(large, 7), reach(small, 2), reach(small, n)]"), ["18"]);
    assert_eq!(said("reach(small, 5)"), ["none"]);
    assert_eq!(said("follower(follower(rock))"), ["scissors"]);
    assert_eq!(said("signs where beats(it, paper) = 1"), ["scissors"]);
}

#[test]
fn what_is_wrong_with_a_table_is_told() {
    let told = |table: &str, value: &str| {
        let rules = format!("sides 2\n{TABLES}{table}\nto play {{ say \"{{{value}}}\"  finish with nobody }}");
        game(&rules).error_details().into_iter().map(|(_, message, _)| message).collect::<Vec<_>>()
    };
    assert_eq!(told("", "beats(rock)"), ["`beats` takes 2 values, but 1 is given"]);
    assert_eq!(told("table t(a, b) { 1: 2 }", "t(1, 2)"), ["`t` takes 2 values, but 1 is given"]);
    assert_eq!(
        told("table t(a: side) { 1: 2 }", "t(first of sides)")[0],
        "a table is read with numbers and words, not with a side"
    );
    assert_eq!(told("table t(a: sign) { rock..paper: 2 }", "t(rock)"), ["only numbers have a range"]);
    assert_eq!(told("table t(a: sign) { small: 2 }", "t(rock)").len(), 1);
}

#[test]
fn sides_have_the_names_that_the_rules_give() {
    let mut table = pond("say \"{me} and {me.foe}\"").play();
    assert_eq!(table.new_said_texts(), ["Ada and Ben"]);
    let told = |head: &str| game(&format!("sides {head}\nto play {{ finish with nobody }}")).error_details();
    assert_eq!(told("3 named \"Ada\", \"Ben\"")[0].1, "2 of 3 sides are named");
    assert!(!told("2 named \"{sides}\", \"Ben\"").is_empty());
    assert_eq!(told("2..3 named \"Ada\", \"Ben\", \"Cleo\""), []);
}

#[test]
fn all_but_the_owner_may_see_a_zone() {
    let rules = "sides 3 named \"Ada\", \"Ben\", \"Cleo\"
piece card (cards) shown as \"card of {rank}\" { counter rank }
each side has { zone hand: cards, seen by all but owner }
to play {
  each side in sides { create card(rank: 7) in side.hand for side }
  let me = first of sides
  me must choose a fruit as one \"Which?\"
  finish with me
}
type fruit is one of apple, pear";
    let table = Table::new(&game(rules).program(), &setup(&[&[], &[], &[]]));
    let sees = |seat: usize| {
        let view = table.session.view(crate::runtime::Viewer::Seat(seat));
        view.sides.iter().map(|side| format!("{:?}", side.zones["hand"]).contains("card of 7")).collect::<Vec<_>>()
    };
    assert_eq!(sees(0), [false, true, true]);
    assert_eq!(sees(2), [true, true, false]);
    let spectator = format!("{:?}", table.session.view(crate::runtime::Viewer::Spectator));
    assert!(!spectator.contains("card of 7"), "{spectator}");
    table.check();
}
