//! Dice to which their sheets give marks.

use crate::testing::{Table, Texts, game, setup};
use ludex_syntax::codes;

const RULES: &str = "sides 2 of 1 fighter
die sizes 4, 6, 8
die sevens \"d7s\" with faces 1, 3, 7
sheet fighter (fighters) { zone fist: dice, open }
each die has {
  mark loaded \"counts twice\", printed { modify worth(die) when die is holder: 2 * it }
  mark frail, printed { forbid hit when it.die is holder }
  mark bent \"for now\"
}
hook worth(die: die): number = die.value
family hit(active: side) { die: die }
action punch(die in active.fighters.fist) is hit says \"punch with {die}\"
to play {
  each side in sides { roll side.fighters.fist }
  repeat 2 times { each side in sides { side may choose hit as hit  if hit is not none { say \"{hit.die} for {worth(hit.die)}\" } } }
}
";

fn fighters() -> Texts {
    game(RULES)
        .sheet("ox", "name: Ox\nfist: [4, {size: 8, marks: [loaded]}, {size: 6, marks: [frail]}]\n")
        .sheet("hen", "name: Hen\nfist: [{die: sevens, marks: [loaded, frail]}, {size: 4, marks: []}]\n")
}

fn table() -> Table {
    Table::new(&fighters().program(), &setup(&[&["ox"], &["hen"]]))
}

#[test]
fn a_die_is_called_by_its_marks() {
    let mut table = table();
    let rolled: Vec<&str> = table.events.iter().filter(|event| event.name == "rolled").map(|event| event.text.as_str()).collect();
    let names: Vec<&str> = rolled.iter().filter_map(|text| text.split(" shows ").next()).collect();
    assert_eq!(names, ["Ox's d4", "Ox's loaded d8", "Ox's frail d6", "Hen's loaded frail d7s", "Hen's d4"]);
    table.answer(0, "punch(1)");
    let said = table.new_said_texts();
    assert!(said[0].starts_with("loaded d8:"), "{said:?}");
    table.check();
}

#[test]
fn what_a_mark_does_it_does_from_the_beginning() {
    let mut table = table();
    assert_eq!(table.options(0), ["punch(0)", "punch(1)", "pass"], "the frail die cannot be used");
    table.answer(0, "punch(1)");
    let said = table.new_said_texts().remove(0);
    let (shown, worth) = said.trim_start_matches("loaded d8:").split_once(" for ").unwrap();
    assert_eq!(worth.parse::<i32>().unwrap(), 2 * shown.parse::<i32>().unwrap());
}

#[test]
fn a_session_that_begins_again_has_them_too() {
    let mut table = table();
    table.answer(0, "punch(0)");
    table.session.restart(9).unwrap();
    assert_eq!(table.options(0), ["punch(0)", "punch(1)", "pass"]);
}

#[test]
fn a_sheet_gives_the_marks_that_the_rules_let_it_give() {
    let told = |fist: &str| game(RULES).sheet("ox", &format!("name: Ox\nfist: {fist}\n")).error_details();
    let cases = [
        ("[{size: 8, marks: [laoded]}]", "there is no mark `laoded`", "did you mean `loaded`?"),
        (
            "[{size: 8, marks: [bent]}]",
            "a sheet cannot give a die the mark `bent`",
            "the rules must allow it: `mark bent …, printed`",
        ),
    ];
    for (fist, message, help) in cases {
        assert_eq!(told(fist), [(codes::UNKNOWN_MARK, message.to_string(), help.to_string())], "{fist}");
    }
    assert_eq!(told("[{size: 7, marks: [loaded]}]")[0].0, codes::DIE_SIZE);
    assert_eq!(told("[{marks: [loaded]}]").len(), 1, "a die has a size");
    assert_eq!(told("[{size: 8, mark: [loaded]}]").len(), 1, "a misspelt key");
}

#[test]
fn only_marks_of_dice_are_printed() {
    let rules = RULES.replace("each die has {", "each side has { mark tired, printed }\neach die has {");
    assert_eq!(game(&rules).sheet("ox", "name: Ox\nfist: [4]\n").problems(), ["only a die's mark can be printed"]);
}
