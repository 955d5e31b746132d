//! Checks the options that scenarios set, before the game is compiled with them.

use crate::compile::unknown_option_problem;
use crate::symbols::parse_option_value;
use ludex_program::Program;
use ludex_syntax::problem::Problem;

/// The error for an option that a game does not have, or for a value that it cannot have, in the words of the command line.
/// `program` may have been compiled with any values.
pub fn option_problem(program: &Program, name: &str, words: &str) -> Option<Problem> {
    match program.option_by_name(name) {
        Some(option) => parse_option_value(option, words).err(),
        None => {
            let known: Vec<&str> = program.options.iter().map(|option| option.name.as_str()).collect();
            Some(unknown_option_problem(&program.game, name, &known))
        }
    }
}
