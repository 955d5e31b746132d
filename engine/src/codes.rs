//! The register of diagnostic codes. What each means is a page of its own, `codes/LX0101.md`, in words for people who do
//! not program: a title, an explanation, an example that raises the code, and the same example mended.
//!
//! A row makes a constant, whose documentation is the page, and an entry of [`CODES`]. Numbers are never given a second
//! meaning: a code that nothing raises any more moves to [`RETIRED`]. The first two digits are the subject.

mod page;

use std::sync::LazyLock;

/// One kind of problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// The number, such as `LX0101`.
    pub code: &'static str,
    /// The fact in a few words, in lower case, without a final stop.
    pub title: &'static str,
    /// What it means and what to do, in full sentences. Paragraphs are separated by an empty line.
    pub explanation: String,
    /// The example as text, for programs that show it.
    pub example: String,
    /// Files or commands that raise the code.
    pub failing: Vec<Block>,
    /// The same without the mistake.
    pub mended: Vec<Block>,
}

/// A file or a piece of one, or the commands that somebody types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// How it is written: `ludex`, `yaml`, `rhai`, `markdown`, or `console` for commands, each behind `$ `.
    pub language: &'static str,
    /// Which file it is, where that matters: a path, or a name in the folder where such files are.
    pub file: Option<&'static str>,
    /// What is written in it, with its last line end.
    pub text: &'static str,
}

impl Block {
    /// Whether these are commands that only make the files which the example is about; nobody needs to read them.
    pub fn is_before(&self) -> bool {
        self.file == Some("before")
    }
}

/// A subject of the register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subject {
    /// What its codes begin with, such as `LX02`.
    pub prefix: &'static str,
    /// What its codes are about, in lower case.
    pub title: &'static str,
}

/// The subjects in the order of their numbers.
pub static SUBJECTS: &[Subject] = &[
    Subject { prefix: "LX00", title: "files and libraries" },
    Subject { prefix: "LX01", title: "how rules are written" },
    Subject { prefix: "LX02", title: "how YAML files are written" },
    Subject { prefix: "LX03", title: "names in rules" },
    Subject { prefix: "LX04", title: "kinds of values in rules" },
    Subject { prefix: "LX05", title: "rules that cannot work" },
    Subject { prefix: "LX06", title: "sheets" },
    Subject { prefix: "LX07", title: "abilities and scripts" },
    Subject { prefix: "LX08", title: "positions, scenarios and recordings" },
    Subject { prefix: "LX09", title: "play" },
    Subject { prefix: "LX10", title: "tournaments" },
];

/// Numbers that had a meaning once, and get no other.
pub static RETIRED: &[&str] =
    &["LX0304", "LX0315", "LX0403", "LX0410", "LX0509", "LX0510", "LX0513", "LX0515", "LX0607", "LX0610", "LX0716"];

/// The entry of a code, whatever the case of its letters.
pub fn find(code: &str) -> Option<&'static Code> {
    CODES.iter().find(|entry| entry.code.eq_ignore_ascii_case(code))
}

macro_rules! register {
    ($($name:ident $code:literal)*) => {
        $(#[doc = include_str!(concat!("codes/", $code, ".md"))] pub const $name: &str = $code;)*

        /// Every code, in the order of the numbers.
        pub static CODES: LazyLock<Vec<Code>> =
            LazyLock::new(|| vec![$(page::read($code, include_str!(concat!("codes/", $code, ".md")))),*]);
    };
}

register! {
    FILE_UNREADABLE "LX0001"
    FILE_ENCODING "LX0002"
    FILE_TOO_LARGE "LX0003"
    FILE_MISSING "LX0004"
    UNKNOWN_GAME "LX0005"
    UNKNOWN_ENTRANT "LX0006"
    NAME_TAKEN "LX0007"
    REPLACES_NOTHING "LX0008"
    LIBRARY_EMPTY "LX0009"
    FILE_UNUSED "LX0010"
    GAME_TWICE "LX0011"
    FILE_NOT_WRITTEN "LX0012"
    BASES_DIFFER "LX0013"
    LIBRARY_TOO_LARGE "LX0014"
    LINK_LEFT_OUT "LX0015"
    COMMAND_LINE "LX0016"

    SYNTAX "LX0101"
    VERSION "LX0102"
    UNCLOSED "LX0103"
    FOREIGN_FORM "LX0104"
    RULE_ID "LX0105"
    RESERVED_WORD "LX0106"
    TEXT_UNCLOSED "LX0107"
    TOO_DEEP "LX0108"
    NUMBER_TOO_LARGE "LX0109"
    RULES_EMPTY "LX0110"
    PART_TWICE "LX0111"

    YAML_SYNTAX "LX0201"
    YAML_TAB "LX0202"
    YAML_DUPLICATE_KEY "LX0203"
    YAML_ANCHOR "LX0204"
    YAML_DEPTH "LX0205"
    YAML_DOCUMENTS "LX0206"
    YAML_EMPTY "LX0207"
    YAML_CHARACTER "LX0208"
    YAML_KEY "LX0209"
    YAML_TYPE "LX0210"
    YAML_RANGE "LX0211"
    YAML_UNKNOWN_KEY "LX0212"
    YAML_MISSING_KEY "LX0213"
    YAML_WORD "LX0214"

    UNKNOWN_NAME "LX0301"
    DECLARED_TWICE "LX0302"
    UNKNOWN_FIELD "LX0303"
    UNKNOWN_MARK "LX0305"
    UNKNOWN_HOOK "LX0306"
    UNKNOWN_ACTION "LX0307"
    UNKNOWN_PROCEDURE "LX0308"
    UNKNOWN_OPTION "LX0309"
    UNKNOWN_COUNTER "LX0310"
    NAME_HIDDEN "LX0311"
    UNKNOWN_RULE "LX0312"
    UNUSED_NAME "LX0313"
    UNKNOWN_TYPE "LX0314"
    NO_FOE "LX0316"
    MOVES_ALIKE "LX0317"
    PACKAGES_CLASH "LX0320"

    WRONG_TYPE "LX0401"
    ARGUMENT_COUNT "LX0402"
    NOT_MANY "LX0404"
    MAY_BE_NONE "LX0405"
    NOT_COMPARABLE "LX0406"
    CONDITION_TYPE "LX0407"
    CANNOT_SET "LX0408"
    BRANCHES_DIFFER "LX0409"
    HALVES "LX0411"
    NO_FIRST_VALUE "LX0412"

    ASKING_EXPRESSION "LX0501"
    ELSE_MISSING "LX0502"
    CAP_MISSING "LX0503"
    UNREACHABLE "LX0504"
    NO_PLAY "LX0505"
    GOES_IN_CIRCLES "LX0506"
    OPTION_DEFAULT "LX0507"
    STOP_OUTSIDE "LX0508"
    HOOK_NEVER_OPENED "LX0511"
    ACTION_NEVER_OFFERED "LX0512"
    SIZES_UNFIT "LX0514"
    ENTRY_LOCAL "LX0516"
    NEVER_FALLS "LX0518"
    TOO_MANY "LX0519"
    AT_ONCE "LX0520"
    NOBODY_PLAYS "LX0521"
    QUESTION_TELLS "LX0522"

    UNKNOWN_ABILITY "LX0601"
    DIE_SIZE "LX0602"
    MISSING_LIST "LX0603"
    ABILITY_TWICE "LX0604"
    UNKNOWN_PROVENANCE "LX0605"
    UNKNOWN_SETTING "LX0606"
    PIECE_KIND "LX0608"
    SHEET_NAME "LX0609"
    LIST_LENGTH "LX0611"
    MISSING_VALUE "LX0612"
    FIRST_VALUE "LX0613"
    UNKNOWN_SHEET "LX0614"

    SCRIPT_SYNTAX "LX0701"
    HEADER_MISSING "LX0702"
    HEADER_SYNTAX "LX0703"
    FUNCTION_MISSING "LX0704"
    FUNCTION_UNUSED "LX0705"
    UNKNOWN_FUNCTION "LX0706"
    SCRIPT_ARGUMENT_COUNT "LX0707"
    SCRIPT_ARGUMENT_TYPE "LX0708"
    SCRIPT_FIELD "LX0709"
    SCRIPT_UNTYPED "LX0710"
    SCRIPT_FORBIDDEN "LX0711"
    SCRIPT_VARIABLE_TYPE "LX0712"
    USES "LX0713"
    HOOK_PARAMETERS "LX0714"
    ABILITY_NAME "LX0715"
    UNKNOWN_VARIABLE "LX0717"
    FUNCTION_PARAMETER "LX0718"
    SCRIPT_TYPE "LX0719"

    POSITION_VALUE "LX0801"
    POSITION_ZONE "LX0802"
    POSITION_PIECE "LX0803"
    POSITION_ENTRY "LX0804"
    POSITION_SIDES "LX0805"
    OPTION_VALUE "LX0806"
    UNKNOWN_MODE "LX0807"
    POSITION_WHOSE "LX0808"
    SCENARIO_EMPTY "LX0810"
    SCENARIO_EVENTS "LX0811"
    SCENARIO_OPTIONS "LX0812"
    SCENARIO_STATE "LX0813"
    SCENARIO_RANDOM "LX0814"
    SCENARIO_SEAT "LX0815"
    SCENARIO_ANSWER "LX0816"
    SCENARIO_RULES "LX0817"
    SCENARIO_PATTERN "LX0818"
    RECORDING_FORMAT "LX0820"
    RECORDING_TORN "LX0821"
    RECORDING_DIVERGED "LX0822"
    RECORDING_PACKAGE "LX0823"
    RECORDING_LINE "LX0824"
    NO_RANDOMNESS "LX0825"

    ILLEGAL_CHOICE "LX0901"
    UNKNOWN_DECISION "LX0902"
    WRONG_SEAT "LX0903"
    ANSWER_FORM "LX0904"
    INPUT_ENDED "LX0905"
    PROTOCOL_LINE "LX0906"
    SEATS "LX0907"
    RANDOM_RESULT "LX0908"
    RANDOM_MISSING "LX0909"
    FAULT "LX0910"
    DIVISION_BY_ZERO "LX0911"
    SCRIPT_LIMIT "LX0912"
    EMPTY_CHOICE "LX0913"
    NUMBER_OVERFLOW "LX0914"
    PIECE_LIMIT "LX0915"
    SCRIPT_DIVERGED "LX0916"
    UNDO_REFUSED "LX0917"
    STEP_LIMIT "LX0918"
    PLAYER_GONE "LX0919"
    INDEX_OUT_OF_RANGE "LX0920"
    ODDS_QUESTION "LX0921"
    ODDS_VALUE "LX0922"
    ODDS_FORM "LX0923"
    NOT_ADMITTED "LX0924"
    UNEVEN_DIVISION "LX0925"
    TOO_MANY_MOVES "LX0926"
    INTERNAL "LX0927"

    TOURNAMENT_FILE "LX1001"
    TOURNAMENT_VERSION "LX1002"
    TOURNAMENT_UNCLEAR "LX1003"
    TOURNAMENT_NAME "LX1004"
    TOURNAMENT_UNKNOWN "LX1005"
    TOURNAMENT_REFUSED "LX1006"
    TOURNAMENT_GAME "LX1007"
}

#[cfg(test)]
mod tests;
