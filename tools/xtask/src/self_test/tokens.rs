//! A text of rules or of an ability → its words and signs, each with its place.
//!
//! This parses far less than the engine does. It finds only the bounds of words, matching brackets, texts and comments. So texts
//! that the engine refuses can be read too.

use ludex_engine::source::line_around;
use std::ops::Range;

/// The sort of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A keyword or a name.
    Word,
    Number,
    /// A text with its quotes.
    Text,
    Sign,
    /// A rule id with its `@`.
    Cite,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    pub sort: Sort,
    /// Its byte range.
    pub at: Range<usize>,
    /// Number of open brackets before it. An opening bracket and its closing one have the same depth.
    pub depth: usize,
    /// Whether it is in the header of a script.
    pub header: bool,
    /// For brackets: the index of the matching one.
    pub mate: Option<usize>,
}

/// The tokens of one text.
#[derive(Clone, Debug, Default)]
pub struct Tokens {
    text: String,
    list: Vec<Token>,
}

/// The syntax of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// `.ludex`
    Rules,
    /// `.rhai`
    Script,
}

/// Keywords that a hyphenated name may follow.
const BEFORE_SLUGS: &[&str] = &["game", "package", "extends", "ability", "mode"];

/// Signs of two characters.
const LONG_SIGNS: &[&str] = &["..", "<=", ">=", "!=", "==", "&&", "||", "+=", "-=", "::", "=>"];

impl Tokens {
    /// Reads a whole text.
    pub fn read(text: &str, written: Written) -> Tokens {
        let mut reader = Reader { text, written, at: 0, header: false, list: Vec::new(), open: Vec::new() };
        while reader.at < text.len() {
            reader.step();
        }
        Tokens { text: text.to_string(), list: reader.list }
    }

    pub fn iter(&self) -> impl Iterator<Item = (usize, &Token)> {
        self.list.iter().enumerate()
    }

    pub fn get(&self, index: usize) -> Option<&Token> {
        self.list.get(index)
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of a token; empty beyond the last.
    pub fn word(&self, index: usize) -> &str {
        self.list.get(index).and_then(|token| self.text.get(token.at.clone())).unwrap_or("")
    }

    /// The text of the token before.
    pub fn before(&self, index: usize) -> &str {
        index.checked_sub(1).map_or("", |before| self.word(before))
    }

    pub fn is_word(&self, index: usize) -> bool {
        self.list.get(index).is_some_and(|token| token.sort == Sort::Word)
    }

    /// The range from the first byte of one token to the last of another.
    pub fn range(&self, first: usize, last: usize) -> Range<usize> {
        let start = self.list.get(first).map_or(self.text.len(), |token| token.at.start);
        let end = self.list.get(last).map_or(self.text.len(), |token| token.at.end);
        start..end.max(start)
    }

    /// Whether a token is the first of its line. In a header, the comment sign does not count.
    pub fn starts_with_its_line(&self, index: usize) -> bool {
        let Some(token) = self.list.get(index) else { return false };
        let before = self.text.get(..token.at.start).unwrap_or("");
        let line = before.rfind('\n').map_or(before, |end| &before[end + 1..]);
        line.trim_start().trim_start_matches("//!").trim().is_empty()
    }

    /// The range of the line that contains a byte, with its line end.
    pub fn line(&self, byte: usize) -> Range<usize> {
        line_around(&self.text, byte)
    }

    /// The parts between the commas within a pair of brackets.
    pub fn parts(&self, open: usize) -> Vec<Range<usize>> {
        let Some((bracket, close)) = self.list.get(open).and_then(|bracket| Some((bracket, bracket.mate?))) else {
            return Vec::new();
        };
        let mut parts = Vec::new();
        let mut first = open + 1;
        for index in open + 1..=close {
            let ends = index == close || self.word(index) == "," && self.list[index].depth == bracket.depth + 1;
            if ends {
                if first < index {
                    parts.push(self.range(first, index - 1));
                }
                first = index + 1;
            }
        }
        parts
    }
}

struct Reader<'t> {
    text: &'t str,
    written: Written,
    at: usize,
    header: bool,
    list: Vec<Token>,
    /// The open brackets.
    open: Vec<usize>,
}

impl Reader<'_> {
    /// The text that is still to be read.
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// Whether this part is written as rules are.
    fn is_ludex(&self) -> bool {
        self.written == Written::Rules || self.header
    }

    /// Reads the next token, or skips what is none.
    fn step(&mut self) {
        let rest = self.rest();
        let Some(next) = rest.chars().next() else { return };
        match next {
            '\n' => {
                self.header = false;
                self.at += 1;
            }
            _ if next.is_whitespace() => self.at += next.len_utf8(),
            '#' if self.is_ludex() => self.skip_line(),
            '/' if !self.is_ludex() && rest.starts_with("//!") => {
                self.header = true;
                self.at += 3;
            }
            '/' if !self.is_ludex() && rest.starts_with("//") => self.skip_line(),
            '/' if !self.is_ludex() && rest.starts_with("/*") => {
                self.at += rest.find("*/").map_or(rest.len(), |end| end + 2);
            }
            '"' => self.text_token('"'),
            '`' if !self.is_ludex() => self.text_token('`'),
            '@' if self.is_ludex() => self.while_fits(Sort::Cite, 1, |sign| sign.is_ascii_alphanumeric() || sign == '-'),
            '0'..='9' => self.while_fits(Sort::Number, 1, |sign| sign.is_ascii_digit()),
            _ if next.is_ascii_alphabetic() || next == '_' => self.word(),
            _ => self.sign(next),
        }
    }

    /// Goes to the end of the line.
    fn skip_line(&mut self) {
        self.at += self.rest().find('\n').unwrap_or(self.rest().len());
    }

    fn word(&mut self) {
        let before = self.list.last().and_then(|token| self.text.get(token.at.clone()));
        let slug = self.is_ludex() && before.is_some_and(|word| BEFORE_SLUGS.contains(&word));
        self.while_fits(Sort::Word, 1, |sign| sign.is_ascii_alphanumeric() || sign == '_' || slug && sign == '-');
    }

    /// Reads a token: its first `first` bytes, and the following characters that fit.
    fn while_fits(&mut self, sort: Sort, first: usize, fits: impl Fn(char) -> bool) {
        let rest = self.rest().get(first..).unwrap_or("");
        let length = first + rest.find(|sign| !fits(sign)).unwrap_or(rest.len());
        self.push(sort, length);
    }

    /// In rules a text ends with its line. Its placeholders are part of it.
    fn text_token(&mut self, quote: char) {
        let mut signs = self.rest().char_indices().skip(1);
        let mut length = self.rest().len();
        while let Some((place, sign)) = signs.next() {
            match sign {
                '\\' => drop(signs.next()),
                '\n' if quote == '"' => {
                    length = place;
                    break;
                }
                _ if sign == quote => {
                    length = place + sign.len_utf8();
                    break;
                }
                _ => {}
            }
        }
        self.push(Sort::Text, length);
    }

    /// Reads a sign; brackets are matched.
    fn sign(&mut self, next: char) {
        let long = LONG_SIGNS.iter().find(|sign| self.rest().starts_with(**sign));
        let length = long.map_or(next.len_utf8(), |sign| sign.len());
        match next {
            '(' | '[' | '{' => {
                self.push(Sort::Sign, length);
                self.open.push(self.list.len() - 1);
            }
            ')' | ']' | '}' => {
                let opened = self.open.pop();
                self.push(Sort::Sign, length);
                let closed = self.list.len() - 1;
                if let Some(opened) = opened {
                    self.list[opened].mate = Some(closed);
                    self.list[closed].mate = Some(opened);
                }
            }
            _ => self.push(Sort::Sign, length),
        }
    }

    /// Adds a token of this length.
    fn push(&mut self, sort: Sort, length: usize) {
        let at = self.at..self.at + length;
        self.at = at.end;
        self.list.push(Token { sort, at, depth: self.open.len(), header: self.header, mate: None });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str, written: Written) -> Vec<String> {
        let tokens = Tokens::read(text, written);
        tokens.iter().map(|(index, _)| tokens.word(index).to_string()).collect()
    }

    #[test]
    fn rules_are_words_signs_and_texts_without_their_remarks() {
        let found = words("add 1 to me.flies  @PO-1 # \"not\" this\nsay \"it is {me}\"", Written::Rules);
        assert_eq!(found, ["add", "1", "to", "me", ".", "flies", "@PO-1", "say", "\"it is {me}\""]);
        assert_eq!(
            words("mode tag-team \"Team\" { a-b }", Written::Rules),
            ["mode", "tag-team", "\"Team\"", "{", "a", "-", "b", "}"]
        );
    }

    #[test]
    fn the_header_of_a_script_is_written_as_rules_are() {
        let tokens = Tokens::read("//! ability dive-in \"Dive\" @PO-1\n// no\nfn dive(me) { me.flies += 1; }", Written::Script);
        let header: Vec<&str> = tokens.iter().filter(|(_, token)| token.header).map(|(index, _)| tokens.word(index)).collect();
        assert_eq!(header, ["ability", "dive-in", "\"Dive\"", "@PO-1"]);
        assert_eq!(tokens.word(4), "fn");
    }

    #[test]
    fn brackets_know_each_other_and_their_parts() {
        let tokens = Tokens::read("f(a, g(b, c), [d])", Written::Rules);
        let parts: Vec<&str> = tokens.parts(1).into_iter().map(|part| &tokens.text()[part]).collect();
        assert_eq!(parts, ["a", "g(b, c)", "[d]"]);
        assert_eq!((tokens.get(1).unwrap().mate, tokens.get(1).unwrap().depth, tokens.get(2).unwrap().depth), (Some(14), 0, 1));
    }
}
