//! Numbers that fields can never have: sizes and values of dice, and what is outside a range.

use crate::testing::{Texts, game};

/// A side with a d8 that shows 5 and a boat that takes up to four.
fn pond(then: &str) -> Texts {
    game(&format!(
        "sides 2
die sizes 4, 6, 8
piece boat (boats) {{ counter seats = 2 in 1..4 }}
each side has {{ zone nest: dice, open  zone bay: boats, open  counter seven = 7 }}
to play {{
  let me = first of sides
  create die(size: 8, value: 5) in me.nest for me as die
  create boat() in me.bay for me as boat
  {then}
  finish with me
}}"
    ))
}

fn refused(statement: &str) -> String {
    let told = pond(statement).error_details();
    assert_eq!(told.len(), 1, "{statement}: {told:?}");
    assert_eq!(told[0].0, "LX0413", "{statement}");
    told[0].1.clone()
}

#[test]
fn what_is_known_beforehand_is_told_by_check() {
    let sizes = "the sizes of dice are 4, 6 and 8";
    assert_eq!(refused("set die.size to -3"), format!("`size` would become -3, but {sizes}"));
    assert_eq!(refused("set die.size to 2000000000"), format!("`size` would become 2000000000, but {sizes}"));
    assert_eq!(refused("create die(size: 7) in me.nest for me"), format!("`size` would become 7, but {sizes}"));
    assert_eq!(refused("create die(size: 6, value: 7) in me.nest for me"), "`value` would become 7, but a d6 shows 1 to 6");
    assert_eq!(refused("set die.value to 99"), "`value` would become 99, but it goes from 0 to 8");
    assert_eq!(refused("create boat(seats: 5) in me.bay for me"), "`seats` would become 5, but it goes from 1 to 4");
    assert_eq!(refused("set boat.seats to 0"), "`seats` would become 0, but it goes from 1 to 4");
}

#[test]
fn a_die_that_is_made_has_a_size() {
    let told = pond("create die(value: 3) in me.nest for me").error_details();
    assert_eq!(told[0].1, "the size of the die is missing");
}

#[test]
fn what_only_play_shows_is_a_fault() {
    let fault = |statement: &str| pond(statement).fault().message.to_string();
    assert_eq!(fault("set die.size to me.seven"), "`size` would become 7, but the sizes of dice are 4, 6 and 8");
    assert_eq!(fault("set die.value to me.seven + 2"), "`value` would become 9, but a d8 shows 1 to 8");
    assert_eq!(fault("add 4 to die.value"), "`value` would become 9, but a d8 shows 1 to 8");
    assert_eq!(
        fault("create die(size: me.seven) in me.nest for me"),
        "`size` would become 7, but the sizes of dice are 4, 6 and 8"
    );
    assert_eq!(fault("create die(value: me.seven, size: 6) in me.nest for me"), "`value` would become 7, but a d6 shows 1 to 6");
    assert_eq!(fault("create boat(seats: me.seven) in me.bay for me"), "`seats` would become 7, but it goes from 1 to 4");
    assert_eq!(
        fault("let n = supposing die.value = me.seven + 2 then die.value"),
        "`value` would become 9, but a d8 shows 1 to 8"
    );
}

#[test]
fn a_die_may_change_its_size_and_show_nothing() {
    let mut table = pond("set die.size to 4  say \"{die}\"  set die.value to 0  say \"{die}\"").play();
    assert_eq!(table.new_said_texts(), ["d4:5", "d4"]);
    table.check();
}

/// The number of a field means another field of another thing: a lent one is held against the range of what lends it, and
/// one that a definition names against its own.
#[test]
fn a_field_is_held_against_its_own_range_however_it_is_reached() {
    let harbour = |then: &str| {
        game(&format!(
            "sides 2
piece boat (boats) {{ counter seats = 2 in 1..4 }}
the table has {{ counter tide, storms in 0..1  zone sea: boats, open }}
each side has {{ counter low, lower in 0..1  zone bay: boats, open  flagship: boat or none, lending seats }}
define seats_of_all = first of (boats where it.seats > 0)
to play {{
  let me = first of sides
  create boat() in me.bay for me as boat
  set me.flagship to boat
  {then}
  say \"{{me.seats}} {{storms}}\"
  finish with me
}}"
        ))
    };
    assert_eq!(harbour("set me.seats to 3").play().new_said_texts(), ["3 0"]);
    assert_eq!(harbour("if seats_of_all is not none { set seats_of_all.seats to 4 }").play().new_said_texts(), ["4 0"]);
    assert_eq!(harbour("set storms to 2").error_details()[0].1, "`storms` would become 2, but it goes from 0 to 1");
    assert_eq!(harbour("set table.storms to 2").error_details()[0].1, "`storms` would become 2, but it goes from 0 to 1");
    assert_eq!(harbour("set me.flagship.seats to 5").error_details()[0].1, "`seats` would become 5, but it goes from 1 to 4");
    assert_eq!(harbour("set me.seats to 5").fault().message.to_string(), "`seats` would become 5, but it goes from 1 to 4");
}
