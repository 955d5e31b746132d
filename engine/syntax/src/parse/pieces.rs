//! The changeable pieces of a text, and the effects of its statements: for mutation tests that break rules on purpose. The
//! command's `mutation` changes one piece at a time; pieces from [`PieceKind::Changed`] to [`PieceKind::Far`] tell it what a
//! statement does.

use super::Rule;
use super::structure::Prepared;
use super::tree::Pair;
use std::ops::Range;

/// The kind of a piece of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    /// A number.
    Number,
    /// `<`, `<=`, `>` or `>=`.
    Bound,
    /// The condition after `when`.
    Guard,
    /// A name that may refer to a declaration.
    Name,
    /// A name after a dot.
    Member,
    /// A name that is never looked up: the scope in `until end of turn`, or a quoted word in a script.
    Mentioned,
    /// The target of a change: a field, counter, mark or zone, or a new name.
    Changed,
    /// The first name of the place from which a statement moves something.
    Moved,
    /// The procedure that a statement runs.
    Run,
    /// A `stop` without a name.
    Stop,
    /// A statement whose effect its words do not show: others or chance decide, or play continues elsewhere.
    Far,
    /// The name of a definition or procedure, whose text ends at this byte.
    Declared(usize),
}

/// A piece of code with its range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its kind.
    pub kind: PieceKind,
    /// Its range in bytes.
    pub at: Range<usize>,
}

/// The pieces of a text, in order of their start.
#[derive(Clone, Debug, Default)]
pub struct Pieces {
    /// The text with spaces for comments, rule ids and semicolons.
    pub code: Vec<u8>,
    /// The end of the part that is written as rules: the end of the text, or of a script's header.
    pub rules_end: usize,
    /// The pieces.
    pub list: Vec<Piece>,
}

/// Finds the pieces of a file of rules.
pub fn rules_pieces(text: &str) -> Pieces {
    find_pieces(&Prepared::from_rules(text))
}

/// Finds the pieces of the header of a script.
pub fn header_pieces(script: &str) -> Pieces {
    find_pieces(&Prepared::from_header(script))
}

/// Finds the pieces of a prepared text.
fn find_pieces(prepared: &Prepared) -> Pieces {
    let mut finder = Finder { offset: 0, known_to: 0, list: Vec::new() };
    prepared.each_pair(&mut |offset, pair| {
        finder.offset = offset;
        finder.add_pair(pair);
    });
    finder.list.sort_by_key(|piece| piece.at.start);
    Pieces { code: prepared.code().as_bytes().to_vec(), rules_end: prepared.text.len(), list: finder.list }
}

/// Goes through the pairs of the grammar, outer ones first.
struct Finder {
    /// The start of the current chunk.
    offset: usize,
    /// Pieces that begin before this byte are known already, or are part of a text.
    known_to: usize,
    list: Vec<Piece>,
}

impl Finder {
    /// The range of a pair in the whole text, without trailing spaces.
    fn byte_range(&self, pair: &Pair) -> Range<usize> {
        let start = self.offset + pair.as_span().start();
        start..start + pair.as_str().trim_end().len()
    }

    fn push(&mut self, kind: PieceKind, at: Range<usize>) {
        self.list.push(Piece { kind, at });
    }

    /// Notes the pieces that begin with one pair of the grammar.
    fn add_pair(&mut self, pair: &Pair) {
        let at = self.byte_range(pair);
        if at.start < self.known_to {
            return;
        }
        match pair.as_rule() {
            Rule::text => self.known_to = at.end,
            Rule::int => self.push(PieceKind::Number, at),
            Rule::compare_op if matches!(pair.as_str(), "<" | "<=" | ">" | ">=") => self.push(PieceKind::Bound, at),
            Rule::name => self.push(PieceKind::Name, at),
            Rule::when | Rule::when_else | Rule::policy_when | Rule::obliges => {
                self.add_child(pair, Rule::expr, PieceKind::Guard)
            }
            Rule::member_tail => self.add_sole_name(pair, PieceKind::Member),
            Rule::k_leaves => self.push(PieceKind::Mentioned, at),
            Rule::until_end => self.add_sole_name(pair, PieceKind::Mentioned),
            Rule::define | Rule::table_rows | Rule::procedure => self.add_child(pair, Rule::name, PieceKind::Declared(at.end)),
            _ => self.add_statement(pair, at),
        }
    }

    /// Notes the effect of a statement.
    fn add_statement(&mut self, pair: &Pair, at: Range<usize>) {
        match pair.as_rule() {
            Rule::mark | Rule::unmark | Rule::as_name => self.add_child(pair, Rule::name, PieceKind::Changed),
            Rule::do_ => self.add_child(pair, Rule::name, PieceKind::Run),
            Rule::set_ | Rule::add | Rule::take => match inner_pairs(pair, Rule::postfix).next() {
                Some(place) => self.add_path(&place, PieceKind::Changed),
                None => self.push(PieceKind::Far, at),
            },
            Rule::move_ => {
                for (part, kind) in inner_pairs(pair, Rule::expr).zip([PieceKind::Moved, PieceKind::Changed]) {
                    self.add_path(&part, kind);
                }
            }
            Rule::stop if inner_pairs(pair, Rule::stopped).next().is_none() => self.push(PieceKind::Stop, at),
            Rule::stop | Rule::open | Rule::asking | Rule::roll | Rule::draw | Rule::shuffle | Rule::create => {
                self.push(PieceKind::Far, at);
            }
            Rule::remove | Rule::show | Rule::finish | Rule::give | Rule::leave | Rule::skip | Rule::can => {
                self.push(PieceKind::Far, at);
            }
            _ => {}
        }
    }

    /// Notes the first part made by a rule.
    fn add_child(&mut self, pair: &Pair, rule: Rule, kind: PieceKind) {
        if let Some(part) = inner_pairs(pair, rule).next() {
            self.push(kind, self.byte_range(&part));
        }
    }

    /// Notes a name that has only this kind.
    fn add_sole_name(&mut self, pair: &Pair, kind: PieceKind) {
        if let Some(name) = inner_pairs(pair, Rule::name).next() {
            let at = self.byte_range(&name);
            self.known_to = at.end;
            self.push(kind, at);
        }
    }

    /// Notes the last name of a path such as `fighter.pending` at the start of an expression; without one, the statement is
    /// `Far`.
    fn add_path(&mut self, pair: &Pair, kind: PieceKind) {
        let at = self.byte_range(pair);
        let is_part = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '_' | '.');
        let path = pair.as_str().split(|sign| !is_part(sign)).next().unwrap_or_default();
        match path.rsplit('.').next().filter(|name| !name.is_empty()) {
            Some(name) => self.push(kind, at.start + path.len() - name.len()..at.start + path.len()),
            None if kind == PieceKind::Moved => self.push(kind, at.start..at.start),
            None => self.push(PieceKind::Far, at),
        }
    }
}

/// The direct parts made by a rule.
fn inner_pairs<'i>(pair: &Pair<'i>, rule: Rule) -> impl Iterator<Item = Pair<'i>> {
    pair.clone().into_inner().filter(move |part| part.as_rule() == rule)
}
