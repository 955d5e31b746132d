//! What is written `WORD of …`: for each word what it takes, what it gives, what `check` says if it gets something else, what the
//! reference says of it, and examples that a test works out.

use super::types::Type;
use ludex_program::Expr;
use ludex_syntax::codes;

pub const COUNT: &str = "count";
pub const SORTS: &str = "sorts";
pub const SUM: &str = "sum";

pub struct Builtin {
    pub word: &'static str,
    pub takes: Takes,
    /// The type of the value, by the type of a member, or of the number if it takes one.
    pub gives: fn(Type) -> Type,
    /// What the machine works out.
    pub lower: fn(Given) -> Expr,
    /// What the reference calls the operand, and what it says of the value.
    pub operand: &'static str,
    pub meaning: &'static str,
    /// Values, and how a text shows them.
    pub examples: &'static [(&'static str, &'static str)],
}

pub enum Takes {
    /// A number, but no halves.
    Number(Refusal),
    /// Several of whatever there is.
    Several,
    /// Several of whatever there is. The pieces of a zone are not made a list of.
    Counted {
        zone: fn(Box<Expr>) -> Expr,
        refusal: Refusal,
    },
    Numbers(Refusal),
    /// Several numbers. A field of each piece of a zone is not made a list of.
    Fields {
        field_of_zone: fn(Box<Expr>, u16) -> Expr,
        refusal: Refusal,
    },
}

/// What `check` says of what does not fit.
pub struct Refusal {
    pub code: &'static str,
    /// From what the operand is, in a reader's words.
    pub message: fn(&str) -> String,
    pub remark: &'static str,
}

/// The operand, lowered.
pub struct Given {
    pub value: Box<Expr>,
    /// Its members are pieces.
    pub pieces: bool,
}

/// The builtin of a word. The grammar knows the words: a test holds it against the table.
pub fn builtin(word: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|builtin| builtin.word == word)
}

pub(crate) const NO_EXTREME: Refusal = Refusal {
    code: codes::NOT_COMPARABLE,
    message: |found| format!("only numbers have a highest or lowest, but these are {found}"),
    remark: "no numbers",
};

pub const BUILTINS: &[Builtin] = &[
    Builtin {
        word: SUM,
        takes: Takes::Fields {
            field_of_zone: |zone, field| Expr::SumZone { zone, field },
            refusal: Refusal {
                code: codes::WRONG_TYPE,
                message: |found| format!("numbers are summed, but these are {found}"),
                remark: "no numbers",
            },
        },
        gives: |item| if item == Type::Halves { Type::Halves } else { Type::Number },
        lower: |list| Expr::SumList(list.value),
        operand: "xs",
        meaning: "the total of all numbers; 0 for an empty list",
        examples: &[("sum of [4, 6, 8]", "18"), ("sum of (none)", "0")],
    },
    Builtin {
        word: COUNT,
        takes: Takes::Counted {
            zone: Expr::CountZone,
            refusal: Refusal {
                code: codes::NOT_MANY,
                message: |found| format!("only several things can be counted, but this is {found}"),
                remark: "not several",
            },
        },
        gives: |_| Type::Number,
        lower: |list| Expr::CountList(list.value),
        operand: "xs",
        meaning: "the number of members; 0 for an empty list",
        examples: &[("count of [4, 4]", "2"), ("count of (none)", "0")],
    },
    Builtin {
        word: "highest",
        takes: Takes::Numbers(NO_EXTREME),
        gives: |item| item,
        lower: |list| Expr::ExtremeOf { highest: true, list: list.value },
        operand: "xs",
        meaning: "the highest number; 0 for an empty list",
        examples: &[("highest of [4, 8, 6]", "8"), ("highest of ([8] without 8)", "0")],
    },
    Builtin {
        word: "lowest",
        takes: Takes::Numbers(NO_EXTREME),
        gives: |item| item,
        lower: |list| Expr::ExtremeOf { highest: false, list: list.value },
        operand: "xs",
        meaning: "the lowest number; 0 for an empty list",
        examples: &[("lowest of [6, 4, 8]", "4"), ("lowest of ([8] without 8)", "0")],
    },
    Builtin {
        word: "first",
        takes: Takes::Several,
        gives: Type::or_none,
        lower: |list| Expr::EndOf { last: false, list: list.value },
        operand: "xs",
        meaning: "the first member, or `none`",
        examples: &[("first of [6, 4, 8]", "6")],
    },
    Builtin {
        word: "last",
        takes: Takes::Several,
        gives: Type::or_none,
        lower: |list| Expr::EndOf { last: true, list: list.value },
        operand: "xs",
        meaning: "the last member, or `none`",
        examples: &[("last of [6, 4, 8]", "8")],
    },
    Builtin {
        word: SORTS,
        takes: Takes::Several,
        gives: Type::list,
        lower: |list| Expr::Sorts { list: list.value, pieces: list.pieces },
        operand: "xs",
        meaning: "the first of each group of members that are alike",
        examples: &[("count of sorts of [4, 6, 4]", "2")],
    },
    Builtin {
        word: "half",
        takes: Takes::Number(Refusal {
            code: codes::HALVES,
            message: |_| "half of a number of halves cannot be counted".to_string(),
            remark: "already halves",
        }),
        gives: |_| Type::Halves,
        // A number read as halves is half of it.
        lower: |number| *number.value,
        operand: "x",
        meaning: "halves",
        examples: &[("half of 7", "3.5")],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of the grammar's rule for them.
    fn words_of_grammar() -> Vec<&'static str> {
        let rule = ludex_grammar::GRAMMAR.lines().find(|line| line.starts_with("of_name ")).expect("the rule is there");
        rule.split('"').skip(1).step_by(2).collect()
    }

    #[test]
    fn the_grammar_knows_each_word_and_no_other() {
        let words: Vec<&str> = BUILTINS.iter().map(|builtin| builtin.word).collect();
        assert_eq!(words_of_grammar(), words);
    }

    #[test]
    fn the_reference_says_what_the_table_says() {
        let reference = include_str!("../../../rules/REFERENCE.md");
        for Builtin { word, operand, meaning, .. } in BUILTINS {
            let row = format!("| `{word} of {operand}` | {meaning} |");
            assert!(reference.lines().any(|line| line == row), "rules/REFERENCE.md has no line {row}");
        }
    }
}
