//! Rings of sides, and sides that leave the game.

use crate::runtime::Viewer;
use crate::testing::{Table, game, setup};
use ludex_program::Program;
use std::sync::Arc;

const RULES: &str = r#"
sides 2..6 of 1 frog in a ring
die sizes 4
sheet frog (frogs) { zone nest: dice, open }
hook dawn(side: side)
each side has { frog: frog = first of frogs, lending nest }
the table has { zone water: dice, open }
"#;

fn program(statements: &str) -> Arc<Program> {
    game(&format!("{RULES}\nto play {{ {statements} }}"))
        .sheet("a", "name: A\nnest: [4]\nabilities: [croak]\n")
        .script("croak", "//! ability croak \"Croak\"\n//! trigger croak at dawn(side) when side is me do { say \"croak\" }\n//! offer hop at dawn(side) when side is me says \"hop\" do { say \"hop\" }\n")
        .program()
}

#[track_caller]
fn play(sides: usize, statements: &str) -> Table {
    let table = Table::new(&program(statements), &setup(&vec![&["a"] as &[&str]; sides]));
    table.check();
    table
}

#[test]
fn everybody_has_neighbours() {
    let told =
        |sides: usize| play(sides, "each side in sides { say \"{side.left} {side.right} {side.neighbours}\" }").new_said_texts();
    assert_eq!(told(2), ["A (2) A (2) A (2)", "A (1) A (1) A (1)"]);
    assert_eq!(told(4)[0], "A (2) A (4) A (2) and A (4)");
    assert_eq!(told(4)[3], "A (1) A (3) A (1) and A (3)");
}

const OUT: &str = "let second = (first of sides).left  move (first of sides).nest to second.nest  move second.nest to table.water
    move last of table.water to (last of sides).nest  remove second ";

#[test]
fn others_close_up_when_a_side_leaves() {
    let mut table = play(
        4,
        &format!(
            "{OUT} each side in sides {{ say \"{{side.left}} {{side.neighbours}}\" }}
        say \"{{count of sides}} {{count of frogs}} {{count of dice}}\""
        ),
    );
    assert_eq!(table.new_said_texts(), ["A (3) A (3) and A (4)", "A (4) A (4) and A (1)", "A (1) A (1) and A (3)", "3 3 3"]);
    let view = table.session.view(Viewer::Spectator);
    assert_eq!(view.sides.iter().map(|side| side.out).collect::<Vec<_>>(), [false, true, false, false]);
}

#[test]
fn whoever_is_out_is_asked_nothing_and_does_nothing() {
    let statements = "let me = first of sides  let you = last of sides  remove you  remove you
        you may \"Still here?\" as here  if here { say \"here\" } else { say \"gone\" }
        you must choose 1 in [1, 2] as one else { say \"nothing\" }
        open dawn(you)
        each side in [me, you] at once must choose number in 1..2 as bids
        say \"{bids(me)} {count of you.opponents}\"  finish with sides";
    let mut table = play(2, statements);
    assert_eq!(table.asked_seats(), [0]);
    assert_eq!(table.answer(0, "number(2)").new_said_texts(), ["gone", "nothing", "2 1"]);
    assert_eq!(table.events.iter().filter(|event| event.name == "left").count(), 1);
    table.check();
}

#[test]
fn who_is_out_has_no_standing() {
    let rules = "standing of side = 3 * count of side.nest\nto play { remove last of sides  finish with sides }";
    let program = game(&format!("{RULES}\n{rules}")).sheet("a", "name: A\nnest: [4, 4]\n").program();
    let table = Table::new(&program, &setup(&[&["a"], &["a"], &["a"]]));
    assert_eq!(table.session.standings(), Some(vec![Some(6), Some(6), None]));
}

#[test]
fn without_a_declaration_there_are_no_standings() {
    assert_eq!(play(2, "finish with sides").session.standings(), None);
}

#[test]
fn wrong_words_about_rings_are_told() {
    let straight = RULES.replace(" in a ring", "");
    let told = |rules: &str, statements: &str| game(&format!("{rules}\nto play {{ {statements} }}")).problems();
    assert_eq!(
        told(&straight, "each side in sides { say \"{side.left}\" }"),
        ["a side has no `left`, because the sides do not sit in a ring"]
    );
    assert_eq!(told(RULES, "remove frogs"), ["a frog cannot be removed"]);
}
