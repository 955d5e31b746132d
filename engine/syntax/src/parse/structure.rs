//! The structure of a text for the formatter: the parts of its tree, as far as lines and spaces depend on them.

use ludex_grammar::Rule;
use std::collections::BTreeSet;
use std::ops::Range;

use super::chunks::{self, Starts};
use super::scan::{Scanned, scan_text};
use super::tree::Pair;
use super::{first_column, script_header};
use crate::source::SourceId;

/// The parts of a text without problems. All places are bytes of the text. Sets hold the places of first bytes.
#[derive(Debug, Default)]
pub struct Structure {
    /// The text itself; for a script its header, with spaces for everything else.
    pub text: String,
    /// The same with spaces for comments, rule ids and semicolons.
    pub code: String,
    /// Parts that are never broken: texts, and names with hyphens.
    pub pieces: Vec<Range<usize>>,
    /// Parts that are indented further if they continue on another line; outer parts before inner ones.
    pub parts: Vec<Range<usize>>,
    /// The starts of parts that may be side by side on a line, such as statements.
    pub beside: BTreeSet<usize>,
    /// The `(` with a space before them: those of a value, and of a plural.
    pub apart: BTreeSet<usize>,
    /// The `(` of roles and parameters, whose further lines are aligned with the first of them.
    pub lists: BTreeSet<usize>,
    /// The signs that belong to what follows, such as the sign of a negative number.
    pub prefixes: BTreeSet<usize>,
}

/// Rules of which several may be on one line.
const SIBLINGS: [Rule; 10] = [
    Rule::item,
    Rule::statement,
    Rule::member,
    Rule::replace_member,
    Rule::part,
    Rule::arm,
    Rule::depending_arm,
    Rule::policy_row,
    Rule::table_row,
    Rule::table_otherwise,
];

/// Finds the parts of a file of rules.
pub fn structure_of_rules(text: &str) -> Structure {
    Finder::default().find_structure(Prepared::from_rules(text))
}

/// Finds the parts of the header of a script.
pub fn structure_of_header(script: &str) -> Structure {
    Finder::default().find_structure(Prepared::from_header(script))
}

/// A text prepared for the grammar.
pub(super) struct Prepared {
    /// The text itself; for a script its header, with spaces for everything else.
    pub text: String,
    scanned: Scanned,
    starts: Starts,
    /// The grammar rule for a chunk, by its index.
    rule: fn(usize) -> Rule,
}

impl Prepared {
    pub fn from_rules(text: &str) -> Prepared {
        let starts = Starts { column: 0, surely: chunks::surely_declares };
        Prepared { text: text.to_string(), scanned: scan_text(SourceId(0), text), starts, rule: |_| Rule::chunk }
    }

    pub fn from_header(script: &str) -> Prepared {
        let text = script_header(script);
        let starts = Starts { column: first_column(&text).unwrap_or(0), surely: chunks::surely_a_part };
        let rule = |index| if index == 0 { Rule::ability_chunk } else { Rule::part_chunk };
        Prepared { scanned: scan_text(SourceId(0), &text), text, starts, rule }
    }

    /// The text with spaces for comments, rule ids and semicolons.
    pub fn code(&self) -> &str {
        &self.scanned.code
    }

    /// Calls `visit` for each top-level pair of the grammar, with the start of its chunk. Chunks that cannot be parsed are
    /// left out.
    pub fn each_pair(&self, visit: &mut dyn FnMut(usize, &Pair)) {
        for (index, chunk) in chunks::cut_chunks(SourceId(0), &self.text, &self.scanned, &self.starts).iter().enumerate() {
            let code = self.code().get(chunk.start..chunk.end).unwrap_or_default().trim_end();
            if let Ok(pairs) = ludex_grammar::parse_rule((self.rule)(index), code) {
                pairs.flatten().for_each(|pair| visit(chunk.start, &pair));
            }
        }
    }
}

/// Goes through the pairs of the grammar, outer ones first.
#[derive(Default)]
struct Finder {
    /// The start of the current chunk.
    offset: usize,
    found: Structure,
}

impl Finder {
    /// Finds the parts of a prepared text.
    fn find_structure(mut self, prepared: Prepared) -> Structure {
        prepared.each_pair(&mut |offset, pair| {
            self.offset = offset;
            self.add_pair(pair);
        });
        self.found.parts.sort_by_key(|part| (part.start, std::cmp::Reverse(part.end)));
        Structure { text: prepared.text, code: prepared.scanned.code, ..self.found }
    }

    /// The range of a pair in the whole text.
    fn byte_range(&self, pair: &Pair) -> Range<usize> {
        let span = pair.as_span();
        self.offset + span.start()..self.offset + span.end()
    }

    /// Notes the parts, pieces and signs that one pair of the grammar adds.
    fn add_pair(&mut self, pair: &Pair) {
        let range = self.byte_range(pair);
        if !matches!(pair.as_rule(), Rule::replace | Rule::replace_member) {
            let siblings = pair.clone().into_inner().filter(|inner| SIBLINGS.contains(&inner.as_rule()));
            let starts: Vec<usize> = siblings.map(|sibling| self.byte_range(&sibling).start).collect();
            self.found.beside.extend(starts);
        }
        match pair.as_rule() {
            Rule::text | Rule::slug => self.add_piece(range),
            Rule::paren | Rule::plural => drop(self.found.apart.insert(range.start)),
            Rule::roles | Rule::params => drop(self.found.lists.insert(range.start)),
            Rule::negative => drop(self.found.prefixes.insert(range.start)),
            Rule::not_op if pair.as_str().starts_with('!') => drop(self.found.prefixes.insert(range.start)),
            Rule::statement if is_in_sections(pair) => {}
            Rule::if_ => self.add_sections(pair, &[Rule::else_if, Rule::else_]),
            Rule::repeat | Rule::depending => self.add_sections(pair, &[Rule::otherwise]),
            Rule::if_expr | Rule::supposing => self.add_sections(pair, &[Rule::k_then, Rule::k_else]),
            Rule::ability => self.add_sections(pair, &[Rule::part]),
            Rule::or_expr | Rule::and_expr | Rule::sum => self.add_operands(pair),
            Rule::clause | Rule::to_whom | Rule::role | Rule::where_ | Rule::times_tail | Rule::divided_tail => {
                self.found.parts.push(range);
            }
            rule if SIBLINGS.contains(&rule) => self.found.parts.push(range),
            _ => {}
        }
    }

    /// Notes a piece that is not part of another: holes of a text may contain texts.
    fn add_piece(&mut self, range: Range<usize>) {
        if self.found.pieces.last().is_none_or(|last| last.end <= range.start) {
            self.found.pieces.push(range);
        }
    }

    /// Notes parts that begin in the same column as the first: `if … then …`, `else …`. After `else if`, the rest is not a part
    /// of it.
    fn add_sections(&mut self, pair: &Pair, starts: &[Rule]) {
        let whole = self.byte_range(pair);
        let inner: Vec<Pair> = pair.clone().into_inner().collect();
        let goes_on = |index: usize| inner.get(index + 1).is_some_and(|next| next.as_rule() == Rule::expr && is_condition(next));
        let cuts = inner.iter().enumerate().filter(|(_, part)| starts.contains(&part.as_rule()));
        let mut sections = vec![(whole.start, false)];
        sections
            .extend(cuts.map(|(index, part)| (self.byte_range(part).start, part.as_rule() == Rule::k_else && goes_on(index))));
        let ends = sections.iter().skip(1).map(|(start, _)| *start).chain([whole.end]);
        let kept = sections.iter().zip(ends).filter(|((_, goes_on), _)| !goes_on).map(|((start, _), end)| *start..end);
        self.found.parts.extend(kept);
    }

    /// Notes each operator with its right operand.
    fn add_operands(&mut self, pair: &Pair) {
        let inner: Vec<Pair> = pair.clone().into_inner().collect();
        for operation in inner.get(1..).unwrap_or_default().chunks_exact(2) {
            let part = self.byte_range(&operation[0]).start..self.byte_range(&operation[1]).end;
            self.found.parts.push(part);
        }
    }
}

/// Whether the parts of a statement begin in its own column.
fn is_in_sections(statement: &Pair) -> bool {
    let inner = statement.clone().into_inner().next();
    inner.is_some_and(|inner| matches!(inner.as_rule(), Rule::if_ | Rule::repeat | Rule::depending))
}

/// Whether an expression is a single `if … then … else …`.
fn is_condition(expr: &Pair) -> bool {
    let mut inner = expr.clone().into_inner();
    inner.next().is_some_and(|first| first.as_rule() == Rule::if_expr) && inner.next().is_none()
}
