//! The builtins written `WORD of …`. For each word: its operand, its result, the error of `check` for a wrong operand, its
//! description in the reference, and examples that a test evaluates.
//!
//! The type and the expression of each word are stated here once. `compile/builtins.rs` compiles all of them by this table.

use super::types::Type;
use ludex_program::Expr;
use ludex_syntax::codes;

/// The words that other parts of the compiler refer to.
pub const COUNT: &str = "count";
pub const SORTS: &str = "sorts";
pub const SUM: &str = "sum";

/// One word, with all that is known of it.
pub struct Builtin {
    pub word: &'static str,
    pub takes: OperandKind,
    /// The type of the result, from the type of a member, or of the number if it takes one.
    pub gives: fn(Type) -> Type,
    /// Builds the expression.
    pub lower: fn(BuiltinOperand) -> Expr,
    /// The operand's name in the reference.
    pub operand: &'static str,
    /// The description of the value in the reference.
    pub meaning: &'static str,
    /// Source texts, each with its value as text.
    pub examples: &'static [(&'static str, &'static str)],
}

/// The operands that a word takes. A refusal is the error for any other.
pub enum OperandKind {
    /// A number, but not halves.
    Number(Refusal),
    /// A list of anything.
    Several,
    /// A list of anything. The pieces of a zone are counted without making a list.
    Counted { zone: fn(Box<Expr>) -> Expr, refusal: Refusal },
    /// A list of numbers.
    Numbers(Refusal),
    /// A list of numbers. A field of a zone's pieces is read without making a list.
    Fields { field_of_zone: fn(Box<Expr>, u16) -> Expr, refusal: Refusal },
}

/// The error of `check` for a wrong operand.
pub struct Refusal {
    pub code: &'static str,
    /// Makes the message from a description of the operand.
    pub message: fn(&str) -> String,
    pub remark: &'static str,
}

/// The lowered operand.
pub struct BuiltinOperand {
    pub value: Box<Expr>,
    /// Its members are pieces.
    pub pieces: bool,
}

/// Finds the builtin of a word. The grammar lists the words; a test compares it with the table.
pub fn find_builtin(word: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|builtin| builtin.word == word)
}

/// The error for a list without a highest or lowest number.
pub(crate) const NO_EXTREME: Refusal = Refusal {
    code: codes::NOT_COMPARABLE,
    message: |found| format!("only numbers have a highest or lowest, but these are {found}"),
    remark: "not numbers",
};

pub const BUILTINS: &[Builtin] = &[
    Builtin {
        word: SUM,
        takes: OperandKind::Fields {
            field_of_zone: |zone, field| Expr::SumZone { zone, field },
            refusal: Refusal {
                code: codes::WRONG_TYPE,
                message: |found| format!("only numbers are summed, but these are {found}"),
                remark: "not numbers",
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
        takes: OperandKind::Counted {
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
        takes: OperandKind::Numbers(NO_EXTREME),
        gives: |item| item,
        lower: |list| Expr::ExtremeOf { highest: true, list: list.value },
        operand: "xs",
        meaning: "the highest number; 0 for an empty list",
        examples: &[("highest of [4, 8, 6]", "8"), ("highest of ([8] without 8)", "0")],
    },
    Builtin {
        word: "lowest",
        takes: OperandKind::Numbers(NO_EXTREME),
        gives: |item| item,
        lower: |list| Expr::ExtremeOf { highest: false, list: list.value },
        operand: "xs",
        meaning: "the lowest number; 0 for an empty list",
        examples: &[("lowest of [6, 4, 8]", "4"), ("lowest of ([8] without 8)", "0")],
    },
    Builtin {
        word: "first",
        takes: OperandKind::Several,
        gives: Type::or_none,
        lower: |list| Expr::EndOf { last: false, list: list.value },
        operand: "xs",
        meaning: "the first member, or `none`",
        examples: &[("first of [6, 4, 8]", "6")],
    },
    Builtin {
        word: "last",
        takes: OperandKind::Several,
        gives: Type::or_none,
        lower: |list| Expr::EndOf { last: true, list: list.value },
        operand: "xs",
        meaning: "the last member, or `none`",
        examples: &[("last of [6, 4, 8]", "8")],
    },
    Builtin {
        word: SORTS,
        takes: OperandKind::Several,
        gives: Type::into_list,
        lower: |list| Expr::Sorts { list: list.value, pieces: list.pieces },
        operand: "xs",
        meaning: "the first of each group of members that are alike",
        examples: &[("count of sorts of [4, 6, 4]", "2")],
    },
    Builtin {
        word: "half",
        takes: OperandKind::Number(Refusal {
            code: codes::HALVES,
            message: |_| "a number of halves cannot be halved again".to_string(),
            remark: "already halves",
        }),
        gives: |_| Type::Halves,
        // A number read as halves is half of itself.
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
