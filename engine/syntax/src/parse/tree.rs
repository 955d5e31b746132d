//! The common parts of all tree builders: the grammar's pairs with their places, ids and documentation. A *pair* is a piece
//! of text that one rule of the grammar has matched; its *parts* are the pairs within it, without keywords and signs.

use pest::iterators::{Pair as PestPair, Pairs as PestPairs};

use super::scan::Scanned;
use super::{Rule, words};
use crate::codes;
use crate::problem::Problem;
use crate::source::{SourceId, Span};
use crate::tree::{Cite, Name};

/// A piece of text that one rule of the grammar has matched, with the pieces in it.
pub(super) type Pair<'i> = PestPair<'i, Rule>;

/// Maximum height of a tree, so that no later stage that walks it runs out of stack.
const HIGHEST: usize = 256;

/// Builds the tree of one chunk. Builders return `None` for anything that the grammar cannot produce, and for trees that are
/// nested too deeply.
pub(super) struct Builder<'a> {
    pub source: SourceId,
    pub scanned: &'a mut Scanned,
    /// The start of the chunk in the text.
    pub offset: usize,
    /// The text as written.
    pub text: &'a str,
    pub problems: Vec<Problem>,
    /// The number of levels from the top of the tree to the node that is built.
    height: usize,
}

impl<'a> Builder<'a> {
    pub fn new(source: SourceId, scanned: &'a mut Scanned, offset: usize, text: &'a str) -> Builder<'a> {
        Builder { source, scanned, offset, text, problems: Vec::new(), height: 0 }
    }

    /// The place of a pair, without trailing spaces.
    pub fn pair_span(&self, pair: &Pair) -> Span {
        let start = self.offset + pair.as_span().start();
        let end = start + pair.as_str().trim_end().len();
        whole_letters(self.text, Span::new(self.source, start, end))
    }

    /// Builds something this many levels down in the tree.
    pub fn build_deeper<T>(&mut self, levels: usize, at: Span, build: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.height + levels > HIGHEST {
            if !self.problems.iter().any(|problem| problem.code == codes::TOO_DEEP) {
                self.problems.push(super::too_deep(at));
            }
            return None;
        }
        self.height += levels;
        let built = build(self);
        self.height -= levels;
        built
    }

    /// A name where it is used.
    pub fn build_name(&mut self, pair: Pair) -> Option<Name> {
        Some(Name { text: pair.as_str().to_string(), span: self.pair_span(&pair) })
    }

    /// A name in its declaration.
    pub fn build_new_name(&mut self, pair: Pair) -> Option<Name> {
        let name = self.build_name(pair)?;
        if name.text.contains(|c: char| c.is_ascii_uppercase()) {
            let small = in_small_letters(&name.text);
            let problem =
                Problem::probable_warning(codes::FOREIGN_FORM, format!("names are written in small letters: `{}`", name.text));
            self.problems.push(problem.with_label(name.span, format!("write `{small}`")));
        }
        Some(name)
    }

    /// Names in a list, where they are used.
    pub fn build_names(&mut self, pair: Pair) -> Option<Vec<Name>> {
        inner_parts(pair).build_all(self, Rule::name, Self::build_name)
    }

    /// Names in a list, in their declaration.
    pub fn build_new_names(&mut self, pair: Pair) -> Option<Vec<Name>> {
        inner_parts(pair).build_all(self, Rule::name, Self::build_new_name)
    }

    /// A whole number.
    pub fn build_number(&mut self, pair: Pair) -> Option<i64> {
        let span = self.pair_span(&pair);
        Some(self.parse_digits(pair.as_str(), span))
    }

    /// A number with its place.
    pub fn build_placed_number(&mut self, pair: Pair) -> Option<(i64, Span)> {
        let span = self.pair_span(&pair);
        Some((self.parse_digits(pair.as_str(), span), span))
    }

    /// A number that does not fit is reported, and the highest one returned.
    pub fn parse_digits(&mut self, digits: &str, span: Span) -> i64 {
        if let Ok(number) = digits.parse::<i32>() {
            return i64::from(number);
        }
        let problem = Problem::error(codes::NUMBER_TOO_LARGE, format!("the number `{digits}` is too large"));
        self.problems.push(problem.with_label(span, format!("at most {}", i32::MAX)));
        i64::from(i32::MAX)
    }

    /// Reports a wrong form with its correction.
    pub fn report_spelling(&mut self, at: Span, wrong: &str, right: &str) {
        let problem = Problem::error(codes::FOREIGN_FORM, format!("`{wrong}` is written `{right}`"));
        self.problems.push(problem.with_label(at, format!("write `{right}`")).with_edit(at, self.spaced_replacement(at, right)));
    }

    /// Reports a form that is not of this language. `remark` is the label at its place.
    pub fn report_wrong_form(&mut self, at: Span, message: impl Into<String>, remark: impl Into<String>) {
        self.problems.push(Problem::error(codes::FOREIGN_FORM, message).with_label(at, remark));
    }

    /// Same as [`Builder::report_wrong_form`], if only `right` can be meant.
    pub fn report_fixable_form(&mut self, at: Span, message: &str, remark: impl Into<String>, right: &str) {
        self.problems.push(
            Problem::error(codes::FOREIGN_FORM, message).with_label(at, remark).with_edit(at, self.spaced_replacement(at, right)),
        );
    }

    /// A replacement for a place, with spaces if it would join the words around it.
    fn spaced_replacement(&self, at: Span, right: &str) -> String {
        let joins = |one: Option<char>, other: Option<char>| {
            let is_word = |sign: Option<char>| sign.is_some_and(|sign| sign.is_alphanumeric() || sign == '_');
            is_word(one) && is_word(other)
        };
        let (before, behind) = (self.text.get(..at.start as usize), self.text.get(at.end as usize..));
        let (before, behind) = (before.and_then(|text| text.chars().next_back()), behind.and_then(|text| text.chars().next()));
        let (first, last) = (right.chars().next(), right.chars().next_back());
        let blank = |needed: bool| if needed { " " } else { "" };
        let opens = right.ends_with(char::is_alphabetic) && behind == Some('(');
        format!("{}{right}{}", blank(joins(before, first)), blank(opens || joins(last, behind)))
    }

    /// Reports a part that is allowed only once.
    pub fn report_duplicate(&mut self, what: &str, first: Option<Span>, second: Span) {
        let problem =
            Problem::error(codes::PART_TWICE, format!("`{what}` is written twice")).with_label(second, "the second time");
        self.problems.push(match first {
            Some(first) => problem.with_label(first, "the first time"),
            None => problem,
        });
    }

    /// The rule ids at this place or right after it that no smaller part has taken.
    pub fn take_cites(&mut self, span: Span) -> Vec<Cite> {
        let end = self.next_code(span);
        let cites = &mut self.scanned.cites;
        let first = cites.partition_point(|found| found.start < span.start);
        cites.iter_mut().skip(first).take_while(|found| found.start < end).filter_map(|found| found.cite.take()).collect()
    }

    /// The `##` lines right above a place, or the one after it on its last line.
    pub fn doc_text(&self, span: Span) -> Option<String> {
        let mut lines: Vec<&str> = Vec::new();
        let mut below = self.line_start(span)?;
        let docs = &self.scanned.docs;
        while let Ok(index) = docs.binary_search_by_key(&below, |doc| doc.line_end)
            && let Some(doc) = docs.get(index).filter(|doc| doc.alone)
        {
            lines.push(&doc.words);
            below = self.scanned.code.get(..doc.start)?.rfind('\n').map_or(0, |end| end + 1);
        }
        lines.reverse();
        let end = span.end as usize;
        let behind = docs.get(docs.partition_point(|doc| doc.start < end)).filter(|doc| !doc.alone);
        if let Some(doc) = behind
            && self.scanned.code.get(end..doc.start).is_some_and(|between| between.trim().is_empty() && !between.contains('\n'))
        {
            lines.push(&doc.words);
        }
        (!lines.is_empty()).then(|| lines.join("\n"))
    }

    /// The start of the line whose first word is at this place.
    fn line_start(&self, span: Span) -> Option<usize> {
        let before = self.scanned.code.get(..span.start as usize)?;
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        before[start..].trim().is_empty().then_some(start)
    }

    /// The start of the next code after a place.
    fn next_code(&self, span: Span) -> u32 {
        let behind = self.scanned.code.get(span.end as usize..).unwrap_or("");
        span.end + (behind.len() - behind.trim_start().len()) as u32
    }
}

/// Adjusts a span to the text and to whole characters. Places in the code may cut characters if a quote was replaced.
pub(super) fn whole_letters(text: &str, span: Span) -> Span {
    let (mut start, mut end) = ((span.start as usize).min(text.len()), (span.end as usize).min(text.len()));
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    Span::new(span.source, start, end)
}

/// Converts `bigHop` to `big_hop`.
fn in_small_letters(name: &str) -> String {
    let mut small = String::new();
    let mut after_small = false;
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && after_small {
            small.push('_');
        }
        after_small = letter.is_ascii_lowercase() || letter.is_ascii_digit();
        small.push(letter.to_ascii_lowercase());
    }
    small
}

/// The parts of a pair, without its keywords and signs, taken from the front.
pub(super) struct Parts<'i> {
    rest: PestPairs<'i, Rule>,
}

/// The parts of a pair, from the first one on.
pub(super) fn inner_parts(pair: Pair) -> Parts {
    Parts { rest: pair.into_inner() }
}

impl<'i> Parts<'i> {
    /// The next part, of any kind.
    pub fn next(&mut self) -> Option<Pair<'i>> {
        self.rest.find(|pair| !words::is_token(pair.as_rule()))
    }

    /// The rule of the next part, which stays; keywords before it are skipped.
    pub fn peek(&mut self) -> Option<Rule> {
        loop {
            let rule = self.rest.peek()?.as_rule();
            if !words::is_token(rule) {
                return Some(rule);
            }
            self.rest.next();
        }
    }

    /// Number of parts left.
    pub fn rest_count(&self) -> usize {
        self.rest.len()
    }

    /// The next part, if it was made by this rule.
    pub fn take_part(&mut self, rule: Rule) -> Option<Pair<'i>> {
        if self.peek() == Some(rule) { self.rest.next() } else { None }
    }

    /// Whether the next part was made by this rule; if so, it is taken.
    pub fn take_if_present(&mut self, rule: Rule) -> bool {
        self.take_part(rule).is_some()
    }

    /// Builds the next part, which must be made by `rule`; `None` if it is not.
    pub fn build_one<'a, T>(
        &mut self,
        builder: &mut Builder<'a>,
        rule: Rule,
        build: fn(&mut Builder<'a>, Pair) -> Option<T>,
    ) -> Option<T> {
        build(builder, self.take_part(rule)?)
    }

    /// Builds the next part if it is made by `rule`. The outer `None` means that building failed, the inner one that there is
    /// no such part.
    pub fn build_optional<'a, T>(
        &mut self,
        builder: &mut Builder<'a>,
        rule: Rule,
        build: fn(&mut Builder<'a>, Pair) -> Option<T>,
    ) -> Option<Option<T>> {
        match self.take_part(rule) {
            Some(pair) => Some(Some(build(builder, pair)?)),
            None => Some(None),
        }
    }

    /// Builds the next parts as long as they are made by `rule`.
    pub fn build_all<'a, T>(
        &mut self,
        builder: &mut Builder<'a>,
        rule: Rule,
        build: fn(&mut Builder<'a>, Pair) -> Option<T>,
    ) -> Option<Vec<T>> {
        let mut built = Vec::new();
        while let Some(pair) = self.take_part(rule) {
            built.push(build(builder, pair)?);
        }
        Some(built)
    }
}
