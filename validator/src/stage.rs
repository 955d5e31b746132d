//! What comes before what: a name that cannot be read is not known, what is not known has no type.

use ludex_engine::codes;
use ludex_engine::problem::Problem;

/// How early a problem shows. What is wrong at an earlier stage may be the cause of what is wrong at a later one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Files that cannot be read at all.
    Files,
    /// How something is written.
    Writing,
    /// Which files belong together, and what is called how.
    Names,
    /// Which values fit where.
    Types,
    /// What all of it comes to.
    Whole,
}

impl Stage {
    /// The stage of a problem, by its code.
    pub fn of(problem: &Problem) -> Stage {
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
            code => match code.get(2..4) {
                Some("01" | "02") => Stage::Writing,
                Some("00" | "03") => Stage::Names,
                Some("04" | "07") => Stage::Types,
                _ => Stage::Whole,
            },
        }
    }
}
