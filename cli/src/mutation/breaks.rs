//! Breaks a statement or guard of rules and scripts, so that they mean something else.
//!
//! The places of statements and conditions come from the compiled programs. Numbers, bounds, members and guards are pieces of the
//! parsed text. A break is a change of one place: a statement left out or exchanged with the next, a condition negated, a
//! number, bound, zone or side replaced. Scenarios of good coverage notice it. Breaks that make no difference are avoided,
//! because no scenario could notice them.

use super::change::Change;
use super::code::{Code, Text};
use crate::checking::Breaking;
use ludex_engine::library::FileRole;
use ludex_engine::program::Program;
use ludex_engine::runtime::Coverage;
use ludex_engine::scripting::{Piece, PieceKind};
use ludex_engine::source::{SourceId, Span};
use std::collections::BTreeSet;
use std::ops::Range;

/// One way to break one place.
#[derive(Clone, Debug)]
pub struct Break {
    pub change: Change,
    /// The kind of break.
    pub how: Breaking,
    /// The statement or condition that a scenario must reach to notice it. `None`: any scenario might.
    pub place: Option<Span>,
}

/// Larger numbers are caps, where a difference of one cannot be seen.
const LARGEST: i64 = 99;

/// Keywords of statements that only print.
const TELLING: &[&str] = &["say", "debug"];

/// Keywords of statements that only name a value: their order hardly ever matters.
const NAMING: &[&str] = &["let"];

/// The statements and conditions of programs, with their places.
#[derive(Clone, Debug, Default)]
pub struct Places {
    statements: BTreeSet<Span>,
    conditions: BTreeSet<Span>,
    /// Conditions that options settle, which games never evaluate.
    settled: BTreeSet<Span>,
}

impl Places {
    /// Adds those of a program that was compiled for inspection, with the code for every option.
    pub fn add_program(&mut self, program: &Program) {
        for place in Coverage::default().reached_places(program) {
            if place.settled {
                self.settled.insert(place.span);
            }
            match place.condition {
                true => self.conditions.insert(place.span),
                false => self.statements.insert(place.span),
            };
        }
    }

    /// The place that scenarios must reach to notice a break there. `None` for a condition that options settle, which no
    /// session reports as reached.
    fn place_to_reach(&self, span: Span) -> Option<Span> {
        Some(span).filter(|span| !self.settled.contains(span))
    }

    /// The statements and conditions of a text.
    fn spans_in(&self, source: SourceId) -> impl Iterator<Item = Span> {
        let all = self.statements.iter().chain(&self.conditions).copied();
        all.filter(move |span| span.source == source)
    }
}

/// Every possible break in the texts that `own` selects. `places` are the statements and conditions of the game's programs.
pub fn find_breaks(code: &Code, places: &Places, own: impl Fn(SourceId) -> bool) -> Vec<Break> {
    let mut breaks = Vec::new();
    for text in code.texts.iter().filter(|text| own(text.source)) {
        let site = BreakFinder { code, text, places };
        site.break_statements(&mut breaks);
        site.break_conditions(&mut breaks);
        site.break_guards(&mut breaks);
        site.break_words(&mut breaks);
    }
    breaks
}

/// One text, in which breaks are looked for.
struct BreakFinder<'b> {
    code: &'b Code<'b>,
    text: &'b Text<'b>,
    places: &'b Places,
}

impl BreakFinder<'_> {
    fn source(&self) -> SourceId {
        self.text.source
    }

    /// The text of a range of bytes.
    fn text_at(&self, at: Range<usize>) -> &str {
        self.text.text.get(at).unwrap_or("")
    }

    /// Whether a byte is in rules: the whole of a text of rules, or the header of a script. Conditions are written differently
    /// in each.
    fn is_rules(&self, at: usize) -> bool {
        at < self.text.pieces.rules_end
    }

    fn only_prints(&self, span: Span) -> bool {
        self.begins_with(span, TELLING)
    }

    /// Whether a statement begins with one of some words.
    fn begins_with(&self, span: Span, words: &[&str]) -> bool {
        let written = self.text_at(byte_range(span));
        words.iter().any(|word| written.starts_with(word))
    }

    /// Leaves out each statement, and exchanges it with the next unless they are independent.
    fn break_statements(&self, breaks: &mut Vec<Break>) {
        let mut before: Option<Span> = None;
        let own = self.places.statements.iter().filter(|span| span.source == self.source());
        for span in own.copied().filter(|span| !self.only_prints(*span)) {
            let how = Breaking::LeftOut;
            breaks.push(Break { change: Change::new(self.source(), byte_range(span), ""), how, place: Some(span) });
            let names = |span: Span| self.begins_with(span, NAMING);
            if let Some(before) = before.filter(|before| !names(*before) && !names(span) && self.is_followed_by(*before, span)) {
                let between = self.text_at(before.end as usize..span.start as usize);
                let with = format!("{}{between}{}", self.text_at(byte_range(span)), self.text_at(byte_range(before)));
                let change = Change::new(self.source(), before.start as usize..span.end as usize, with);
                if !self.code.are_independent(self.text, byte_range(before), byte_range(span)) {
                    breaks.push(Break { change, how: Breaking::Exchanged, place: Some(before) });
                }
            }
            before = Some(span);
        }
    }

    /// Whether only spaces and comments separate two statements.
    fn is_followed_by(&self, one: Span, other: Span) -> bool {
        let between = self.text.pieces.code.get(one.end as usize..other.start as usize);
        between.is_some_and(|between| between.iter().all(u8::is_ascii_whitespace))
    }

    /// Negates each condition.
    fn break_conditions(&self, breaks: &mut Vec<Break>) {
        for span in self.places.conditions.iter().filter(|span| span.source == self.source()) {
            // For an ability the span is the whole clause; its guard is found by its `when`.
            let clause = self.is_rules(span.start as usize) && self.text.role == FileRole::Script;
            let marked =
                self.text_at(byte_range(*span)).starts_with("modify") || self.text_at(byte_range(*span)).starts_with("trigger");
            if !clause && !marked {
                breaks.push(self.negate_condition(byte_range(*span), self.places.place_to_reach(*span)));
            }
        }
    }

    /// `at` is the condition, and `place` what a scenario must reach to notice the break.
    fn negate_condition(&self, at: Range<usize>, place: Option<Span>) -> Break {
        let condition = self.text_at(at.clone());
        let with = match self.is_rules(at.start) {
            true => format!("not ({condition})"),
            false => format!("!({condition})"),
        };
        Break { change: Change::new(self.source(), at, with), how: Breaking::Opposite, place }
    }

    /// Negates `when …` in actions, abilities and restrictions. The compiled program has no place for them, so any scenario
    /// might notice.
    fn break_guards(&self, breaks: &mut Vec<Break>) {
        let guards = self.text.pieces.list.iter().filter(|piece| piece.kind == PieceKind::Guard);
        breaks.extend(guards.map(|guard| self.negate_condition(guard.at.clone(), None)));
    }

    /// Changes numbers, signs, sides and zones in statements and conditions, each within the smallest one that contains it.
    fn break_words(&self, breaks: &mut Vec<Break>) {
        let mut spans: Vec<Span> = self.places.spans_in(self.source()).filter(|span| !self.only_prints(*span)).collect();
        // Of two spans with the same start the larger comes first, so that the last open one is the smallest.
        spans.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
        let mut next = spans.into_iter().peekable();
        let mut open: Vec<Span> = Vec::new();
        for piece in &self.text.pieces.list {
            let at = piece.at.start as u32;
            while let Some(span) = next.next_if(|span| span.start <= at) {
                open.push(span);
            }
            while open.last().is_some_and(|span| span.end <= at) {
                open.pop();
            }
            let Some(place) = open.last().copied() else { continue };
            for (at, with, how) in self.find_replacements(piece) {
                breaks.push(Break {
                    change: Change::new(self.source(), at, with),
                    how,
                    place: self.places.place_to_reach(place),
                });
            }
        }
    }

    /// The possible replacements of a piece, with their kinds.
    fn find_replacements(&self, piece: &Piece) -> Vec<(Range<usize>, String, Breaking)> {
        let word = self.text.piece_word(piece);
        match piece.kind {
            PieceKind::Number => {
                let number = word.parse::<i64>().ok().filter(|number| *number <= LARGEST);
                let more = |number: i64| (piece.at.clone(), (number + 1).to_string(), Breaking::OneMore);
                number.map(more).into_iter().collect()
            }
            PieceKind::Bound => {
                let other = match word {
                    ">=" => ">",
                    "<=" => "<",
                    ">" => ">=",
                    _ => "<=",
                };
                vec![(piece.at.clone(), other.to_string(), Breaking::Bound)]
            }
            PieceKind::Member => {
                let zone = self.code.names.other_zone(word).map(|other| (piece.at.clone(), other.to_string(), Breaking::Zone));
                let side = self.other_side(piece).map(|(at, with)| (at, with.to_string(), Breaking::Side));
                zone.into_iter().chain(side).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Replaces `x.flies` by `x.foe.flies`, or the reverse. `flies` is a member that only sides have.
    fn other_side(&self, member: &Piece) -> Option<(Range<usize>, &'static str)> {
        if !self.code.names.belongs_only_to_sides(self.text.piece_word(member)) {
            return None;
        }
        let before = self.text_at(0..member.at.start).trim_end().strip_suffix('.')?;
        let owner = before.trim_end().rsplit(|sign: char| !sign.is_ascii_alphanumeric() && sign != '_').next()?;
        let start = before.trim_end().len() - owner.len();
        let chain = self.text_at(0..start).trim_end().strip_suffix('.');
        match (owner, chain) {
            ("foe", Some(chain)) => Some((chain.len()..start + owner.len(), "")),
            // For all sides, or in a question to each, this makes no difference.
            ("" | "foe" | "sides" | "it", _) | (_, Some(_)) => None,
            (_, None) => Some((before.len()..before.len(), ".foe")),
        }
    }
}

fn byte_range(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}
