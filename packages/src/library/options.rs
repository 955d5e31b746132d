//! Whether a game has an option, and whether a word is a value for it: what a file asks for, before anything is compiled for it.

use crate::problem::Problem;
use crate::program::Program;
use ludex_language::compile::unknown_option;
use ludex_language::symbols::option_value;

/// What is wrong with a value for an option, in the words of the command line.
pub fn wrong_option(program: &Program, name: &str, words: &str) -> Option<Problem> {
    match program.option(name) {
        Some(option) => option_value(option, words).err(),
        None => {
            let known: Vec<&str> = program.options.iter().map(|option| option.name.as_str()).collect();
            Some(unknown_option(&program.game, name, &known))
        }
    }
}
