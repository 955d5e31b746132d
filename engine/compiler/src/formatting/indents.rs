//! The indentation of each line.
//!
//! A line in brackets is indented more than the line with the opening bracket. A line that continues something, such as a
//! statement, is indented more than its first line.
//!
//! A part is a range of the text that belongs together, such as a statement; [`Structure`] lists them by start. Offsets count
//! bytes.

use super::margin::{LaidOutLine, text_width};
use super::spaces;
use super::tokens::{Sort, Token};
use ludex_syntax::parse::structure::Structure;
use std::ops::Range;

/// Columns per level.
const STEP: usize = 2;

/// Indents a text line by line.
pub struct Indents<'s> {
    structure: &'s Structure,
    /// The number of the current line, from 1.
    line: usize,
    /// Number of parts that begin before the current position.
    begun: usize,
    /// The parts around the current position, with the lines they begin in.
    parts: Vec<(Range<usize>, usize)>,
    brackets: Vec<Bracket>,
}

/// An open bracket.
struct Bracket {
    /// The offset of the bracket.
    at: usize,
    /// The indentation of the line with the closing bracket.
    outer: usize,
    /// The indentation of the lines inside.
    inner: usize,
}

impl<'s> Indents<'s> {
    pub fn new(structure: &'s Structure) -> Indents<'s> {
        Indents { structure, line: 0, begun: 0, parts: Vec::new(), brackets: Vec::new() }
    }

    /// Lays out the next line. A comment on its own line is placed later.
    pub fn lay_out_line(&mut self, tokens: &[Token]) -> LaidOutLine {
        self.line += 1;
        let Some(last) = tokens.iter().rposition(|token| token.sort == Sort::Code) else {
            return self.lay_out_remarks(tokens);
        };
        let (code, behind) = tokens.split_at(last + 1);
        let indent = self.line_indent(&code[0]);
        let mut text = String::new();
        for (index, token) in code.iter().enumerate() {
            if let Some(before) = index.checked_sub(1).and_then(|index| code.get(index)) {
                text.push_str(&" ".repeat(spaces::spaces_between(self.structure, before, token)));
            }
            if token.sort == Sort::Code {
                self.pass_token(token, indent, indent + text_width(&text), code.get(index + 1));
            }
            text.push_str(token.word);
        }
        let cites: Vec<&str> = behind.iter().filter(|token| token.sort == Sort::Cite).map(|token| token.word).collect();
        let remark = behind.iter().find(|token| token.sort == Sort::Remark).map(|token| token.word.to_string());
        let (closes, cites) = (is_closing(code[0].word), cites.join(" "));
        LaidOutLine { indent: Some(indent), closes, code: text, cites, remark, ..LaidOutLine::default() }
    }

    /// Lays out a line of only comments and rule ids.
    fn lay_out_remarks(&self, tokens: &[Token]) -> LaidOutLine {
        let words: Vec<&str> = tokens.iter().map(|token| token.word).collect();
        // `#! game pond` only counts at the start of a line.
        let written = tokens.first().filter(|first| first.word.starts_with("#!"));
        let indent = written.map(|first| {
            let before = self.structure.text.get(..first.at.start).unwrap_or_default();
            before.rsplit('\n').next().map_or(0, text_width)
        });
        LaidOutLine { indent, code: words.join(" "), ..LaidOutLine::default() }
    }

    /// The indentation of a line, given its first word: that of the innermost bracket, and one step for each line in which a part
    /// around it begins.
    fn line_indent(&mut self, first: &Token) -> usize {
        self.leave_parts(first.at.start);
        let bracket = self.brackets.last();
        if let Some(bracket) = bracket.filter(|_| is_closing(first.word)) {
            return bracket.outer;
        }
        let (opened, inner) = bracket.map_or((None, 0), |bracket| (Some(bracket.at), bracket.inner));
        let inside = self.parts.iter().filter(|(part, _)| opened.is_none_or(|at| part.start > at));
        let mut begun: Vec<usize> = inside.map(|(_, line)| *line).collect();
        begun.dedup();
        inner + STEP * begun.len()
    }

    /// Forgets the parts that end before an offset.
    fn leave_parts(&mut self, at: usize) {
        self.parts.retain(|(part, _)| part.end > at);
    }

    /// Updates the state for a token. `indent` is the indentation of its line, and `column` its own column. In some lists, further
    /// lines are aligned with the first member: that is why the next token of the line matters.
    fn pass_token(&mut self, token: &Token, indent: usize, column: usize, next: Option<&Token>) {
        let at = token.at.start;
        self.leave_parts(at);
        let ahead = self.structure.parts.get(self.begun..).unwrap_or_default();
        let begins = ahead.iter().take_while(|part| part.start <= at);
        self.begun += begins.clone().count();
        self.parts.extend(begins.filter(|part| part.end > at).map(|part| (part.clone(), self.line)));
        match token.word {
            "(" | "[" | "{" => {
                let is_list = self.structure.lists.contains(&at) && next.is_some();
                let inner = if is_list { column + 1 } else { indent + STEP };
                self.brackets.push(Bracket { at, outer: indent, inner });
            }
            _ if is_closing(token.word) => drop(self.brackets.pop()),
            _ => {}
        }
    }
}

fn is_closing(word: &str) -> bool {
    matches!(word, ")" | "]" | "}")
}

/// Places comments on their own lines at the indentation of the next line, or of the lines inside if a closing bracket
/// follows.
pub fn place_remarks(lines: &mut [LaidOutLine]) {
    let mut next = 0;
    for line in lines.iter_mut().rev().filter(|line| !line.code.is_empty()) {
        match line.indent {
            Some(indent) if line.closes => next = indent + STEP,
            Some(indent) if !line.code.starts_with('#') => next = indent,
            Some(_) => {}
            None => line.indent = Some(next),
        }
    }
    super::margin::align_remarks(lines);
}
