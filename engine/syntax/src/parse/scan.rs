//! Prepares a text for the grammar by removing what may be anywhere: comments, rule ids, documentation, semicolons. Every byte
//! keeps its place, so a place in the code is a place in the text. A *text* here is in quotes, and a *hole* in it is a value
//! in braces: `"{side} passes"`.

use crate::codes;
use crate::problem::Problem;
use crate::source::{SourceId, Span};
use crate::tree::Cite;

/// A text prepared for the grammar.
pub(super) struct Scanned {
    /// The text with spaces for the removed parts, and an additional line end.
    pub code: String,
    /// Brackets outside texts, in order.
    pub brackets: Vec<(usize, u8)>,
    /// Rule ids in order.
    pub cites: Vec<FoundCite>,
    /// The `##` lines in order.
    pub docs: Vec<Doc>,
    /// The starts of unterminated texts.
    pub broken: Vec<usize>,
    pub problems: Vec<Problem>,
}

/// A rule id. It belongs to the smallest part of the tree that contains it or ends right before it.
pub(super) struct FoundCite {
    pub start: u32,
    pub cite: Option<Cite>,
}

/// A `##` line.
pub(super) struct Doc {
    pub start: usize,
    /// The start of the next line.
    pub line_end: usize,
    /// Whether it is the first thing on its line.
    pub alone: bool,
    pub words: String,
}

/// Blanks what the grammar does not need.
pub(super) fn scan_text(source: SourceId, text: &str) -> Scanned {
    let mut scanner = Scanner {
        source,
        text,
        code: text.as_bytes().to_vec(),
        at: 0,
        line_start: 0,
        inside: Vec::new(),
        brackets: Vec::new(),
        cites: Vec::new(),
        docs: Vec::new(),
        broken: Vec::new(),
        problems: Vec::new(),
    };
    scanner.code.push(b'\n');
    while let Some(next) = scanner.remaining_text().chars().next() {
        scanner.step_character(next);
    }
    scanner.end_line();
    Scanned {
        code: String::from_utf8(scanner.code).unwrap_or_default(),
        brackets: scanner.brackets,
        cites: scanner.cites,
        docs: scanner.docs,
        broken: scanner.broken,
        problems: scanner.problems,
    }
}

/// The nesting of the scanner, the innermost level last. No level means plain code.
enum Inside {
    /// A text that began here and ends with one of these characters.
    Text { start: usize, closing: &'static [char] },
    /// A hole in a text that began here, with this many open brackets in it.
    Hole { start: usize, open: usize },
}

/// Goes through a text once. The lists are those of [`Scanned`].
struct Scanner<'a> {
    source: SourceId,
    text: &'a str,
    /// The text, in which removed parts are blanked when the scanner comes to them.
    code: Vec<u8>,
    /// The place of the next character, and the start of its line.
    at: usize,
    line_start: usize,
    inside: Vec<Inside>,
    brackets: Vec<(usize, u8)>,
    cites: Vec<FoundCite>,
    docs: Vec<Doc>,
    broken: Vec<usize>,
    problems: Vec<Problem>,
}

impl Scanner<'_> {
    /// The text from the current place on.
    fn remaining_text(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn span_between(&self, start: usize, end: usize) -> Span {
        Span::new(self.source, start, end)
    }

    /// Number of bytes of the character at a place.
    fn length_at(&self, at: usize) -> usize {
        self.text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8)
    }

    /// Handles the next character, by the nesting it is in.
    fn step_character(&mut self, next: char) {
        match self.inside.last() {
            _ if next == '\n' => self.end_line(),
            Some(Inside::Text { closing, .. }) => self.step_in_text(next, closing),
            Some(Inside::Hole { .. }) => self.step_in_hole(next),
            None => self.step_in_code(next),
        }
    }

    /// An escaped character never ends the text.
    fn step_in_text(&mut self, next: char, closing: &[char]) {
        if next == '\\' && self.remaining_text().chars().nth(1).is_some_and(|escaped| escaped != '\n') {
            // An escaped character stands for itself, but is never part of a longer sign.
            self.at += 1 + self.remaining_text().chars().nth(1).map_or(0, char::len_utf8);
            return;
        }
        if next == '{' {
            self.inside.push(Inside::Hole { start: self.at, open: 0 });
        } else if closing.contains(&next) {
            self.inside.pop();
            self.put_quote(next, 0);
            self.extend_quote_fix(next);
        }
        self.at += next.len_utf8();
    }

    /// A hole ends with its `}`; braces and texts in it nest.
    fn step_in_hole(&mut self, next: char) {
        if let Some(Inside::Hole { open, .. }) = self.inside.last_mut() {
            match next {
                '{' => *open += 1,
                '}' if *open > 0 => *open -= 1,
                '}' => {
                    self.inside.pop();
                }
                _ => return self.step_over(next),
            }
        }
        self.at += next.len_utf8();
    }

    /// Handles a character outside of texts.
    fn step_in_code(&mut self, next: char) {
        match next {
            '#' => self.scan_comment(),
            '/' if self.remaining_text().starts_with("//") => self.scan_foreign_comment("//", "\n"),
            '/' if self.remaining_text().starts_with("/*") => self.scan_foreign_comment("/*", "*/"),
            '<' if self.remaining_text().starts_with("<!--") => self.scan_foreign_comment("<!--", "-->"),
            '-' if self.remaining_text().starts_with("-- ") && self.begins_line() => self.scan_foreign_comment("--", "\n"),
            '@' => self.scan_cite(),
            'A'..='Z' => self.scan_capitals(),
            ';' => self.blank_bytes(1),
            '(' | ')' | '[' | ']' | '{' | '}' => {
                self.brackets.push((self.at, next as u8));
                self.at += 1;
            }
            _ => self.step_over(next),
        }
    }

    /// Handles what is the same in code and in holes: texts and letters.
    fn step_over(&mut self, next: char) {
        match next {
            '"' => self.open_text(next, &['"']),
            '“' | '”' | '„' => self.open_text(next, &['“', '”', '"']),
            '\'' | '‘' | '’' => self.single_quote(next),
            _ if !next.is_ascii() && (next.is_whitespace() || next == '\u{FEFF}') => self.blank_bytes(next.len_utf8()),
            _ => self.at += next.len_utf8(),
        }
    }

    /// Blanks this many bytes and continues after them.
    fn blank_bytes(&mut self, bytes: usize) {
        for byte in self.code.iter_mut().skip(self.at).take(bytes) {
            *byte = b' ';
        }
        self.at += bytes;
    }

    /// Blanks a comment to the end of its line. One that begins with `##` documents a declaration, and is kept.
    fn scan_comment(&mut self) {
        let rest = self.remaining_text();
        let length = rest.find('\n').unwrap_or(rest.len());
        let line = &rest[..length];
        if let Some(words) = line.strip_prefix("##")
            && !words.starts_with('#')
        {
            let alone = self.begins_line();
            let doc = Doc { start: self.at, line_end: self.at + length + 1, alone, words: words.trim().to_string() };
            self.docs.push(doc);
        }
        self.blank_bytes(length);
    }

    /// A comment in the syntax of other languages, with its opening and closing signs.
    fn scan_foreign_comment(&mut self, opens: &str, ends: &str) {
        let place = self.span_between(self.at, self.at + opens.len());
        let problem = Problem::error(codes::FOREIGN_FORM, "a comment begins with `#`").with_label(place, "write `#`");
        let one_line = ends == "\n";
        self.problems.push(match one_line {
            true => problem.with_edit(place, "#"),
            false => problem.help("a comment ends with its line: put `#` before each line of it"),
        });
        let rest = self.remaining_text();
        let end = rest.find(ends).map_or(rest.len(), |end| end + if one_line { 0 } else { ends.len() });
        let comment = self.at..self.at + end;
        self.line_start = self.text[..comment.end].rfind('\n').map_or(0, |end| end + 1);
        for byte in self.code[comment.clone()].iter_mut().filter(|byte| **byte != b'\n') {
            *byte = b' ';
        }
        self.at = comment.end;
    }

    /// Whether only blanks are before this on its line.
    fn begins_line(&self) -> bool {
        self.text.get(self.line_start..self.at).is_some_and(|before| before.trim().is_empty())
    }

    /// Takes `@DC-021`, and reports it if it is no rule id.
    fn scan_cite(&mut self) {
        let word = self.remaining_text().get(1..).unwrap_or("");
        let length = word.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(word.len());
        if length == 0 {
            self.at += 1;
            return;
        }
        let rule = word[..length].to_string();
        let span = self.span_between(self.at, self.at + 1 + length);
        if !is_rule_id(&rule) {
            let problem = Problem::error(codes::RULE_ID, format!("`@{rule}` is not a rule id"))
                .with_label(span, "not a rule id")
                .help("a rule id is capital letters, `-` and a number, as in `@DC-021`");
            self.problems.push(problem);
        }
        self.take_cite(rule, span);
    }

    /// Keeps a rule id, and blanks it in the code.
    fn take_cite(&mut self, rule: String, span: Span) {
        self.cites.push(FoundCite { start: span.start, cite: Some(Cite { rule, span }) });
        self.blank_bytes((span.end - span.start) as usize);
    }

    /// A word in capitals: at the end of a line it may be a rule id without its `@`.
    fn scan_capitals(&mut self) {
        let rest = self.remaining_text();
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_').unwrap_or(rest.len());
        let word = &rest[..length];
        let follows_blank = self.text[..self.at].chars().next_back().is_none_or(char::is_whitespace);
        if follows_blank && is_bare_rule_id(word) && ends_line(&rest[length..]) {
            let span = self.span_between(self.at, self.at + length);
            let rule = word.to_string();
            let problem = Problem::error(codes::RULE_ID, format!("a rule id has `@` before it: `{word}`"));
            self.problems.push(problem.with_label(span, format!("write `@{word}`")).with_edit(span, format!("@{word}")));
            self.take_cite(rule, span);
        } else {
            self.at += length;
        }
    }

    /// Begins a text; other quotes than `"` are reported, and replaced in the code.
    fn open_text(&mut self, quote: char, closing: &'static [char]) {
        self.inside.push(Inside::Text { start: self.at, closing });
        self.put_quote(quote, quote.len_utf8() - 1);
        if quote != '"' {
            let place = self.span_between(self.at, self.at + quote.len_utf8());
            let problem = Problem::error(codes::FOREIGN_FORM, "a text needs straight quotes").with_label(place, "write `\"`");
            self.problems.push(problem.with_edit(place, "\""));
        }
        self.at += quote.len_utf8();
    }

    /// `'text'` on one line; other apostrophes are left to the grammar, which refuses them.
    fn single_quote(&mut self, quote: char) {
        let closing: &[char] = if quote == '\'' { &['\''] } else { &['‘', '’'] };
        let after = &self.remaining_text()[quote.len_utf8()..];
        let ends = |sign: char| closing.contains(&sign) || sign == '"' || sign == '\n';
        match after.find(ends) {
            Some(end) if after[end..].starts_with(closing) => self.open_text(quote, closing),
            _ => self.at += quote.len_utf8(),
        }
    }

    /// Extends the fix of an opening quote to the closing quote.
    fn extend_quote_fix(&mut self, quote: char) {
        let place = self.span_between(self.at, self.at + quote.len_utf8());
        let begun = self.problems.iter_mut().rfind(|problem| problem.code == codes::FOREIGN_FORM);
        if let Some(problem) = begun.filter(|_| quote != '"') {
            problem.add_edit(place, "\"");
        }
    }

    /// Replaces a quote with a plain one, after `before` spaces.
    fn put_quote(&mut self, quote: char, before: usize) {
        for (i, byte) in self.code.iter_mut().skip(self.at).take(quote.len_utf8()).enumerate() {
            *byte = if i == before { b'"' } else { b' ' };
        }
    }

    /// Ends all texts at the end of a line, closed or not.
    fn end_line(&mut self) {
        if let Some(Inside::Text { start, .. }) = self.inside.first() {
            let start = *start;
            self.close_text(start);
        }
        self.inside.clear();
        self.at += 1;
        self.line_start = self.at;
    }

    /// Replaces the line end with the missing quote, and blanks the text if it has an open hole, too.
    fn close_text(&mut self, start: usize) {
        let problem = match self.inside.get(1) {
            Some(Inside::Hole { start, .. }) => Problem::error(codes::UNCLOSED, "a `{` in this text has no `}`")
                .with_label(self.span_between(*start, *start + 1), "opened here")
                .help("in a text, `{` and `}` go around a value: `\"{side} passes\"`"),
            _ => Problem::error(codes::TEXT_UNCLOSED, "this text has no closing quote on its line")
                .with_label(self.span_between(start, start + self.length_at(start)), "the text begins here")
                .help("end it with `\"`"),
        };
        self.problems.push(problem);
        self.broken.push(start);
        if self.inside.len() > 1 {
            self.code[start..self.at].fill(b' ');
            self.code[start] = b'"';
        }
        self.code[self.at] = b'"';
    }
}

/// Whether a word is like `DC-021` or `TS-A3`.
pub fn is_rule_id(word: &str) -> bool {
    word.split_once('-').is_some_and(|(letters, rest)| {
        letters.starts_with(|first: char| first.is_ascii_uppercase())
            && letters.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
            && !rest.is_empty()
            && rest.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
    })
}

/// Whether a word without `@` is almost certainly a rule id.
fn is_bare_rule_id(word: &str) -> bool {
    let number = word.split_once('-').filter(|(letters, _)| letters.len() >= 2).map(|(_, number)| number);
    is_rule_id(word) && number.is_some_and(|number| number.ends_with(|c: char| c.is_ascii_digit()))
}

/// Whether only rule ids, a bracket or a comment follow on the line.
fn ends_line(behind: &str) -> bool {
    for word in behind.split_inclusive(char::is_whitespace) {
        let plain = word.trim();
        if plain.starts_with('#') {
            return true;
        }
        if !(plain.is_empty() || plain == "}" || plain.starts_with('@') || is_bare_rule_id(plain)) {
            return false;
        }
        if word.ends_with('\n') {
            return true;
        }
    }
    true
}
