//! The provenance of sheet lines.
//!
//! The provenance of a line says where its value comes from. A sheet states it by a word for each line: `seed` is the rules of
//! the original game, any other is an addition, for which [`MARKS`] has a sign.

use super::Subject;
use super::lines::{Line, ValueOrigin};
use crate::layout::{Table, count_text, paragraph_text};
use ludex_engine::program::Print;

/// The marks of lines that do not come from the rules.
const MARKS: [(&str, &str, &str); 4] = [
    ("deduced", "~", "follows from other parts of the rules"),
    ("third-party", "^", "not from the makers of the game"),
    ("placeholder", "*", "a stand-in: the true list is not known"),
    ("ours", "+", "made by the author of the file"),
];

/// The provenance of a line: a word for it, and its meaning.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Origin {
    word: String,
    meaning: &'static str,
}

impl Origin {
    /// The provenance of a line; `None` if it is not stated.
    pub fn from_line(print: &Print, line: &Line) -> Option<Origin> {
        if line.told == ValueOrigin::Derived {
            return Some(Origin { word: "derived".to_string(), meaning: "computed by the rules" });
        }
        print.provenance.get(line.name).map(|word| Origin::from_word(word))
    }

    /// The provenance that a word stands for.
    pub fn from_word(word: &str) -> Origin {
        if word == "seed" {
            return Origin { word: "from the rules".to_string(), meaning: "" };
        }
        let meaning = MARKS.iter().find(|(known, _, _)| *known == word).map_or("", |(_, _, meaning)| meaning);
        Origin { word: word.to_string(), meaning }
    }

    /// The text beside a line.
    pub fn origin_text(&self) -> String {
        if self.meaning.is_empty() { self.word.clone() } else { format!("{}: {}", self.word, self.meaning) }
    }

    /// The text with the names of its lines.
    pub fn origin_text_for(&self, names: &[String]) -> String {
        let meaning = if self.meaning.is_empty() { String::new() } else { format!(" ({})", self.meaning) };
        format!("{}{meaning}: {}", self.word, names.join(", "))
    }
}

/// The mark of a line that does not come from the rules.
pub(super) fn origin_mark(print: &Print, name: &str) -> &'static str {
    let word = print.provenance.get(name);
    MARKS.iter().find(|(known, _, _)| word.is_some_and(|word| word == known)).map_or("", |(_, mark, _)| mark)
}

impl Subject {
    /// The meaning of the marks of some sheets, and the number of lines with each. Empty if no line is marked.
    pub(super) fn marks_legend(&self, prints: &[&Print]) -> String {
        let lists = prints.iter().all(|print| {
            let has_fields = self.program.sheets.get(&print.id).is_some_and(|sheet| !sheet.fields.is_empty());
            print.values.is_empty() && !has_fields
        });
        let (one, many) = if lists { ("list", "lists") } else { ("line", "lines") };
        let mut table = Table::default();
        for (word, mark, meaning) in MARKS {
            let known = prints.iter().flat_map(|print| print.provenance.values());
            let count = known.filter(|known| *known == word).count();
            if count > 0 {
                table.add_row([mark.to_string(), word.to_string(), count_text(count, one, many), meaning.to_string()]);
            }
        }
        if table.is_empty() {
            return String::new();
        }
        let what = if lists { "Lists that are not from the rules:" } else { "Lines of sheets that are not from the rules:" };
        format!("\n{}{}", paragraph_text(what, 2), table.to_text())
    }
}
