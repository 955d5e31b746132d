//! Rules are looked at whatever options will be chosen, and played with those that are.

use crate::Compile;
use crate::testing::{Texts, game};
use ludex_compiler::library::{CompileRequest, File, Library};
use ludex_program::{Expr, Instruction};

fn pond(option: &str, statement: &str) -> Texts {
    let head = "sides 2\neach side has { counter flies in 0..9 }\n";
    game(&format!(
        "{head}{option}\nto play {{\n  let side = first of sides\n  {statement}\n  finish with those of sides with highest it.flies\n}}\n"
    ))
}

const DEEP: &str = "option deep is one of no_water, some, much = some \"how deep it is\"";
const FROGS: &str = "option frogs = 3 in 1..20 \"how many frogs there are\"";

#[test]
fn every_branch_is_typed_whatever_an_option_says() {
    let rows = [
        (DEEP, "if deep is some { } else { set side.flies to sides }"),
        (DEEP, "if deep is much { set side.flies to sides }"),
        (DEEP, "if deep is not some and side.flies = 0 { set side.flies to sides }"),
        (DEEP, "depending on deep { no_water { } some { } much { set side.flies to sides } }"),
        (FROGS, "if frogs = 3 { } else { set side.flies to sides }"),
        (FROGS, "if frogs > 10 { set side.flies to sides } else if frogs < 2 { } else { }"),
    ];
    for (option, statement) in rows {
        let found = pond(option, statement).check_all_modes();
        assert_eq!(found, ["LX0401 a number is needed here, but this is a list of sides"], "{statement}");
    }
}

#[test]
fn both_values_of_a_choice_are_typed() {
    let found = pond(FROGS, "let many = if frogs = 3 then 1 else sides\n  set side.flies to many").check_all_modes();
    assert_eq!(found, ["LX0409 `then` gives a number, but `else` gives a list of sides"]);
}

#[test]
fn a_mode_is_typed_with_the_options_that_it_replaces() {
    let rules = "mode wet \"Wet\" {\n  replace option frogs = 5 in 5..6 \"more\"\n  replace to croak(side: side) { if frogs = 6 { set side.flies to side } }\n}\nto croak(side: side) { set side.flies to frogs - 1 but at most 9 }";
    let found = pond(&format!("{FROGS}\n{rules}"), "do croak(side)").check_all_modes();
    assert_eq!(found, ["LX0401 a number is needed here, but this is a side"]);
}

#[test]
fn a_program_to_be_played_has_nothing_of_what_its_options_leave_out() {
    let says = |open| {
        let texts = pond(DEEP, "if deep is much { say \"much\" } else { say \"little\" }");
        let program = texts.library().compile("pond", &CompileRequest { open, ..CompileRequest::default() }).0.unwrap();
        let says = program.code.iter().filter(|instruction| matches!(instruction, Instruction::Say { .. })).count();
        (says, format!("{:?}", program.code).contains("Option("))
    };
    assert_eq!(says(false), (1, false));
    assert_eq!(says(true), (2, true));
}

#[test]
fn an_option_that_is_asked_for_is_settled() {
    let texts = pond(FROGS, "set side.flies to frogs");
    let options = [("frogs".to_string(), "7".to_string())].into();
    let (programs, problems) =
        texts.library().compile_each("pond", &[CompileRequest { open: true, options, ..CompileRequest::default() }]);
    assert_eq!(problems.iter().map(|problem| problem.message.to_string()).collect::<Vec<_>>(), Vec::<String>::new());
    let set = |instruction: &Instruction| matches!(instruction, Instruction::Set { value: Expr::Constant(7), .. });
    assert!(programs[0].1.code.iter().any(set));
}

#[test]
fn the_options_of_a_game_are_those_of_its_modes_too() {
    let rules = "ludex 1\ngame pond \"Pond\"\nsides 2\noption frogs = 3 \"frogs\"\nmode wet \"Wet\" { option rain = 1 \"rain\" }\nto play { finish with sides }\n";
    let file = File { path: "rules/pond/game.ludex".to_string(), text: rules.to_string(), library: "mine".to_string() };
    let (library, _) = Library::new(vec![file]);
    assert_eq!(library.option_names("pond"), ["frogs", "rain"]);
}
