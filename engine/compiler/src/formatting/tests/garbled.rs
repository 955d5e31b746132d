//! Files with other blanks and line ends, and with comments at every gap, in which the same is written.

use super::everything::files;
use super::{FormatKind, Structure, Token, format_text, remarks, structure, tokens, tree, without_notes};
use ludex_syntax::source::SourceId;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg32;

/// How many texts are tried; this variable asks for more.
const TEXTS: u64 = 100;
const VARIABLE: &str = "LUDEX_FORMATTED";

#[test]
fn texts_garbled_at_random_say_the_same_when_they_are_formatted() {
    let texts = std::env::var(VARIABLE).ok().map_or(TEXTS, |texts| texts.parse().expect("a number of texts"));
    let files = files();
    let mut compared = 0;
    for seed in 0..texts {
        let mut luck = Luck(Pcg32::seed_from_u64(seed));
        let (name, text, written) = &files[luck.below(files.len())];
        let garbled = garbled(text, *written, &mut luck);
        // What `##` says belongs to what stands right below it, so garbling changes it.
        if !garbled.contains("##") {
            assert_eq!(tree(&garbled, *written), tree(text, *written), "seed {seed}, {name}:\n{garbled}");
        }
        let formatted = format_text(&garbled, SourceId(0), *written);
        let formatted = formatted.unwrap_or_else(|problems| panic!("seed {seed}, {name}: {problems:?}\n{garbled}"));
        assert_eq!(tree(&formatted, *written), tree(&garbled, *written), "seed {seed}, {name}:\n{garbled}");
        assert_eq!(remarks(&formatted, *written), remarks(&garbled, *written), "seed {seed}, {name}");
        let again = format_text(&formatted, SourceId(0), *written);
        assert_eq!(again.as_deref(), Ok(formatted.as_str()), "seed {seed}, {name}");
        compared += 1;
    }
    assert_eq!(compared, texts);
}

struct Luck(Pcg32);

impl Luck {
    fn below(&mut self, bound: usize) -> usize {
        self.0.next_u32() as usize % bound
    }

    fn one_of<'t>(&mut self, words: &[&'t str]) -> &'t str {
        words[self.below(words.len())]
    }
}

fn garbled(text: &str, written: FormatKind, luck: &mut Luck) -> String {
    match written {
        FormatKind::Rules => Garbler { luck, line: "\n" }.garble(&structure::structure_of_rules(text)),
        FormatKind::Script => {
            let mut lines = text.lines();
            let notes: Vec<&str> = lines.by_ref().take_while(|line| !line.contains("//! ability")).collect();
            let functions = text.find("\nfn ").map_or("", |start| &text[start..]);
            let readable = without_notes(text);
            let header = Garbler { luck, line: "\n//! " }.garble(&structure::structure_of_header(&readable));
            let notes: String = notes.iter().map(|note| format!("{note}\n")).collect();
            format!("{notes}{}\n{}", header.trim_start(), moved(functions, luck))
        }
    }
}

struct Garbler<'l> {
    luck: &'l mut Luck,
    /// What ends a line and begins the next one.
    line: &'static str,
}

impl Garbler<'_> {
    fn garble(&mut self, structure: &Structure) -> String {
        let first = structure.text.len() - structure.text.trim_start().len();
        let column = first - structure.text[..first].rfind('\n').map_or(0, |end| end + 1);
        let mut garbled = String::new();
        let mut before: Option<Token> = None;
        for token in tokens::token_lines(structure).into_iter().flatten() {
            let line = structure.text[..token.at.start].rfind('\n').map_or(0, |end| end + 1);
            // What begins a declaration stays in the first column.
            if token.at.start - line <= column && structure.text[line..token.at.start].trim().is_empty() {
                garbled.push_str(&self.lines());
            } else if token.sort == tokens::Sort::Remark {
                // Whether a comment stands alone matters to those that say something of things.
                let alone = structure.text[line..token.at.start].trim().is_empty();
                garbled.push_str(&if alone { format!("{}  ", self.line) } else { self.blanks() });
            } else {
                garbled.push_str(&self.gap(before.as_ref(), &token));
            }
            garbled.push_str(token.word);
            before = Some(token);
        }
        garbled
    }

    fn blanks(&mut self) -> String {
        self.luck.one_of(&[" ", "  ", "\t", "     "]).to_string()
    }

    /// The end of a line, with lines for themselves below it.
    fn lines(&mut self) -> String {
        let lines = match self.luck.below(8) {
            0 => vec!["", ""],
            1 => vec!["", "", "", ""],
            2 => vec!["", "# a comment", ""],
            // In a header nothing stands further to the right before the first word.
            3 if self.line == "\n" => vec!["    # a comment", ""],
            4 => vec!["## something of what follows"],
            _ => Vec::new(),
        };
        let lines: String = lines.iter().map(|words| format!("{}{words}", self.line)).collect();
        lines + self.line
    }

    fn gap(&mut self, before: Option<&Token>, after: &Token) -> String {
        let line = self.line;
        // Behind a comment another line begins.
        if before.is_some_and(|before| before.sort == tokens::Sort::Remark) {
            return format!("{} {}", line, self.blanks());
        }
        let close = ["(", ")", "[", "]", "{", "}", ",", ":", ".."];
        let may_touch = before.is_some_and(|before| close.contains(&before.word)) || close.contains(&after.word);
        match self.luck.below(24) {
            0 => format!(" # a comment{} {}", line, self.blanks()),
            1 => format!("{0}{0}{0}  # another{0} {1}", line, self.blanks()),
            2 => format!(" ## said of something{} {}", line, self.blanks()),
            3..6 => format!("{} {}", line, self.blanks()),
            6..12 if may_touch => String::new(),
            _ => self.blanks(),
        }
    }
}

/// Functions with other blanks where lines begin and end, but for lines in texts.
fn moved(functions: &str, luck: &mut Luck) -> String {
    let mut moved = String::new();
    let mut is_in_text = false;
    for line in functions.lines() {
        let starts_in_text = is_in_text;
        is_in_text ^= line.matches('`').count() % 2 == 1;
        let before = luck.one_of(&["", "  ", "\t", "          "]);
        // A function is found at the left edge.
        let before = if line.starts_with("fn ") { "" } else { before };
        let text = if starts_in_text { line.to_string() } else { format!("{before}{}", line.trim_start()) };
        moved.push_str(&text);
        moved.push_str(if is_in_text { "\n" } else { luck.one_of(&["\n", "  \n"]) });
    }
    moved
}
