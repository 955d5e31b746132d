//! Stages of checking: an unreadable name is unknown, and an unknown name has no type. A report sorts by them, so that a
//! cause comes before its consequences.

use ludex_engine::codes;
use ludex_engine::problem::Problem;

/// The stage at which a problem appears. Problems of an earlier stage may cause those of a later one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Reading files.
    Files,
    /// Syntax.
    Writing,
    /// Names, and which files belong together.
    Names,
    /// Types of values.
    Types,
    /// The program as a whole.
    Whole,
}

impl Stage {
    /// The stage of a problem, by its code.
    pub fn for_problem(problem: &Problem) -> Stage {
        match problem.code {
            codes::FILE_UNREADABLE
            | codes::FILE_ENCODING
            | codes::FILE_TOO_LARGE
            | codes::FILE_MISSING
            | codes::LIBRARY_EMPTY
            | codes::LIBRARY_TOO_LARGE => Stage::Files,
            codes::SCRIPT_SYNTAX | codes::HEADER_MISSING | codes::HEADER_SYNTAX => Stage::Writing,
            codes::YAML_TYPE | codes::YAML_RANGE => Stage::Types,
            codes::YAML_UNKNOWN_KEY
            | codes::YAML_MISSING_KEY
            | codes::YAML_WORD
            | codes::UNKNOWN_SHEET
            | codes::UNKNOWN_ABILITY => Stage::Names,
            // Otherwise by the subject: the first two digits after `LX`.
            code => match code.get(2..4) {
                Some("01" | "02") => Stage::Writing,
                Some("00" | "03") => Stage::Names,
                Some("04" | "07") => Stage::Types,
                _ => Stage::Whole,
            },
        }
    }
}
