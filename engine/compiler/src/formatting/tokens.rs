//! Splits each line into words, signs and comments.
//!
//! The syntax tree gives the pieces that are one token although they contain several words or signs, such as texts. All else is
//! split by its characters.

use ludex_syntax::parse::structure::Structure;
use std::ops::Range;

/// The sort of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A word, a number, a text or a sign.
    Code,
    /// A rule id with its `@`.
    Cite,
    /// From `#` to the end of the line.
    Remark,
}

/// A token, with its range in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token<'t> {
    pub sort: Sort,
    pub at: Range<usize>,
    pub word: &'t str,
}

/// Signs of two characters.
const PAIRS: [&str; 10] = ["..", "<=", ">=", "!=", "==", "=<", "=>", "<>", "&&", "||"];

/// The tokens of each line of a text, in order.
pub fn token_lines(structure: &Structure) -> Vec<Vec<Token<'_>>> {
    let mut reader = TokenReader { structure, at: 0, pieces: 0 };
    let mut lines = Vec::new();
    let mut end = 0;
    for line in structure.text.split_inclusive('\n') {
        end += line.len();
        lines.push(reader.tokens_before(end));
    }
    lines
}

/// All words, signs and comments of a text, in order, without whitespace.
pub fn token_words(structure: &Structure) -> impl Iterator<Item = &str> {
    let mut reader = TokenReader { structure, at: 0, pieces: 0 };
    let next = move || {
        while reader.at < structure.text.len() {
            if let Some(token) = reader.next_token() {
                return Some(token.word);
            }
        }
        None
    };
    std::iter::from_fn(next)
}

/// Reads the tokens of a text in order.
struct TokenReader<'t> {
    structure: &'t Structure,
    /// The offset of the next character.
    at: usize,
    /// Number of pieces already passed.
    pieces: usize,
}

impl<'t> TokenReader<'t> {
    /// Reads the tokens up to an offset.
    fn tokens_before(&mut self, end: usize) -> Vec<Token<'t>> {
        let mut tokens = Vec::new();
        while self.at < end {
            tokens.extend(self.next_token());
        }
        tokens
    }

    /// The token at the current position, if there is one.
    fn next_token(&mut self) -> Option<Token<'t>> {
        let rest = self.structure.text.get(self.at..)?;
        let next = rest.chars().next()?;
        let is_code = self.structure.code.as_bytes().get(self.at).is_some_and(|byte| !byte.is_ascii_whitespace());
        let (sort, length) = match next {
            _ if next.is_whitespace() => return self.skip_sign(next),
            _ if is_code => (Sort::Code, self.code_length(rest)),
            '#' => (Sort::Remark, rest.find('\n').map_or(rest.len(), |end| rest[..end].trim_end().len()).max(1)),
            '@' => (Sort::Cite, 1 + word_length(&rest[1..], |sign| sign.is_ascii_alphanumeric() || sign == '-')),
            ';' => (Sort::Code, 1),
            _ => return self.skip_sign(next),
        };
        let at = self.at..self.at + length;
        self.at = at.end;
        Some(Token { sort, word: rest.get(..length)?, at })
    }

    /// Passes a character that is no token.
    fn skip_sign(&mut self, sign: char) -> Option<Token<'t>> {
        self.at += sign.len_utf8();
        None
    }

    /// The length of the token of code that `rest` begins with.
    fn code_length(&mut self, rest: &str) -> usize {
        let pieces = &self.structure.pieces;
        while pieces.get(self.pieces).is_some_and(|piece| piece.start < self.at) {
            self.pieces += 1;
        }
        if let Some(piece) = pieces.get(self.pieces).filter(|piece| piece.start == self.at) {
            return piece.len();
        }
        let word = word_length(rest, |sign| sign.is_ascii_alphanumeric() || sign == '_');
        let pair = || PAIRS.iter().any(|pair| rest.starts_with(pair)).then_some(2);
        let sign = || rest.chars().next().map_or(1, char::len_utf8);
        if word > 0 { word } else { pair().unwrap_or_else(sign) }
    }
}

/// The length of the characters at the start that fit.
fn word_length(text: &str, fits: impl Fn(char) -> bool) -> usize {
    text.find(|sign| !fits(sign)).unwrap_or(text.len())
}
