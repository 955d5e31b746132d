//! Rules and scripts with one statement or guard broken, so that they mean something else.
//!
//! The places of statements and conditions are those that the compiled programs know. A guard of an action or an ability is
//! found by its `when`.

use super::apart::Bodies;
use super::change::Change;
use super::corpus::{Corpus, Text};
use super::tokens::Sort as TokenSort;
use super::vocabulary::Sort;
use crate::checking::Breaking;
use ludex_engine::library::Role;
use ludex_engine::program::Program;
use ludex_engine::runtime::Coverage;
use ludex_engine::source::{SourceId, Span};
use std::collections::BTreeSet;
use std::ops::Range;

/// One thing that is broken.
#[derive(Clone, Debug)]
pub struct Break {
    pub change: Change,
    /// What is done to it.
    pub how: Breaking,
    /// The statement or condition: only scenarios that reach it can notice. Nothing: any might.
    pub place: Option<Span>,
}

/// Larger numbers are caps: one more or less of such is not to be seen.
const LARGEST: i64 = 99;

/// Words that begin a statement which only tells.
const TELLING: &[&str] = &["say", "debug"];

/// Words that begin a statement which does nothing but give a name to a value: when it does so hardly ever matters.
const NAMING: &[&str] = &["let"];

/// Words that end a guard.
const BEHIND_GUARDS: &[&str] = &[
    "else",
    "says",
    "gives",
    "do",
    "obliges",
    "early",
    "late",
    "tells",
    "free",
    "priority",
    "when",
    "offer",
    "trigger",
    "instead",
    "modify",
    "grant",
    "forbid",
    "demand",
    "uses",
    "action",
    "to",
    "scope",
    "entry",
    "define",
    "hook",
    "family",
    "each",
    "piece",
    "sheet",
    "mark",
    "mode",
    "replace",
    "remove",
    "policy",
    "prefer",
    "table",
    "standing",
    "abilities",
    "the",
    "option",
];

/// The statements and conditions of programs: their places, and what each is.
#[derive(Clone, Debug, Default)]
pub struct Places {
    statements: BTreeSet<Span>,
    conditions: BTreeSet<Span>,
    /// Those conditions that options settle: no game asks them.
    settled: BTreeSet<Span>,
}

impl Places {
    /// Adds those of a program that is looked at, so that it has what any option leads to.
    pub fn add(&mut self, program: &Program) {
        for place in Coverage::default().places(program) {
            if place.settled {
                self.settled.insert(place.span);
            }
            match place.condition {
                true => self.conditions.insert(place.span),
                false => self.statements.insert(place.span),
            };
        }
    }

    /// The place that scenarios must reach to notice what is broken there.
    fn reached(&self, span: Span) -> Option<Span> {
        Some(span).filter(|span| !self.settled.contains(span))
    }

    fn of(&self, source: SourceId) -> impl Iterator<Item = Span> {
        let all = self.statements.iter().chain(&self.conditions).copied();
        all.filter(move |span| span.source == source)
    }
}

/// All that can be broken in the texts that `own` takes.
pub fn breaks(corpus: &Corpus, places: &Places, own: impl Fn(SourceId) -> bool) -> Vec<Break> {
    let mut breaks = Vec::new();
    for text in corpus.texts.iter().filter(|text| own(text.source) && matches!(text.role, Role::Rules | Role::Script)) {
        let site = Site { corpus, text, places, bodies: Bodies::known_in(corpus, text) };
        site.statements(&mut breaks);
        site.conditions(&mut breaks);
        site.guards(&mut breaks);
        site.words(&mut breaks);
    }
    breaks
}

struct Site<'b> {
    corpus: &'b Corpus,
    text: &'b Text,
    places: &'b Places,
    bodies: Bodies<'b>,
}

impl Site<'_> {
    fn source(&self) -> SourceId {
        self.text.source
    }

    fn written(&self, at: Range<usize>) -> &str {
        self.text.text.get(at).unwrap_or("")
    }

    fn is_rules(&self, at: usize) -> bool {
        let token = self.text.tokens.iter().find(|(_, token)| token.at.start >= at);
        self.text.role == Role::Rules || token.is_some_and(|(_, token)| token.header)
    }

    fn only_tells(&self, span: Span) -> bool {
        self.begins_with(span, TELLING)
    }

    fn begins_with(&self, span: Span, words: &[&str]) -> bool {
        let written = self.written(bytes(span));
        words.iter().any(|word| written.starts_with(word))
    }

    /// Each left out, and each exchanged with the next one unless they touch nothing of each other.
    fn statements(&self, breaks: &mut Vec<Break>) {
        let mut before: Option<Span> = None;
        let own = self.places.statements.iter().filter(|span| span.source == self.source());
        for span in own.copied().filter(|span| !self.only_tells(*span)) {
            let how = Breaking::LeftOut;
            breaks.push(Break { change: Change::new(self.source(), bytes(span), ""), how, place: Some(span) });
            let names = |span: Span| self.begins_with(span, NAMING);
            if let Some(before) = before.filter(|before| !names(*before) && !names(span) && self.follows(*before, span)) {
                let between = self.written(before.end as usize..span.start as usize);
                let with = format!("{}{between}{}", self.written(bytes(span)), self.written(bytes(before)));
                let change = Change::new(self.source(), before.start as usize..span.end as usize, with);
                if !self.bodies.are_apart(self.text, self.tokens_in(before), self.tokens_in(span)) {
                    breaks.push(Break { change, how: Breaking::Exchanged, place: Some(before) });
                }
            }
            before = Some(span);
        }
    }

    fn tokens_in(&self, span: Span) -> Range<usize> {
        let before = |end: u32| self.text.tokens.iter().take_while(|(_, token)| token.at.start < end as usize).count();
        before(span.start)..before(span.end)
    }

    /// Whether nothing but blanks and remarks stands between two statements.
    fn follows(&self, one: Span, other: Span) -> bool {
        let (from, to) = (one.end as usize, other.start as usize);
        let plain = |(index, _): &(usize, &_)| !matches!(self.text.tokens.word(*index), ";");
        let between = self.text.tokens.iter().filter(|(_, token)| token.at.start >= from && token.at.end <= to);
        from <= to && between.filter(plain).all(|(_, token)| token.sort == TokenSort::Cite)
    }

    /// Each turned into its opposite.
    fn conditions(&self, breaks: &mut Vec<Break>) {
        for span in self.places.conditions.iter().filter(|span| span.source == self.source()) {
            // Of an ability the whole clause is known: its guard is found by its `when`.
            let clause = self.is_rules(span.start as usize) && self.text.role == Role::Script;
            let marked = self.written(bytes(*span)).starts_with("modify") || self.written(bytes(*span)).starts_with("trigger");
            if !clause && !marked {
                breaks.push(self.negated(bytes(*span), self.places.reached(*span)));
            }
        }
    }

    fn negated(&self, at: Range<usize>, place: Option<Span>) -> Break {
        let condition = self.written(at.clone());
        let with = match self.is_rules(at.start) {
            true => format!("not ({condition})"),
            false => format!("!({condition})"),
        };
        Break { change: Change::new(self.source(), at, with), how: Breaking::Opposite, place }
    }

    /// `when …` of actions, abilities and restrictions.
    fn guards(&self, breaks: &mut Vec<Break>) {
        let tokens = &self.text.tokens;
        let when = |(index, token): &(usize, &super::tokens::Token)| {
            tokens.word(*index) == "when" && (self.text.role == Role::Rules || token.header)
        };
        for (index, token) in tokens.iter().filter(when) {
            let ends = |at: usize| {
                let found = tokens.get(at);
                let shallower = found.is_none_or(|other| other.depth < token.depth || other.header != token.header);
                let same = found.is_some_and(|other| other.depth == token.depth);
                shallower || same && (BEHIND_GUARDS.contains(&tokens.word(at)) || matches!(tokens.word(at), ":" | "{" | "}"))
            };
            let Some(end) = (index + 1..index + 200).find(|at| ends(*at)) else { continue };
            // What an answer leads to is no guard.
            let is_arm = tokens.word(end) == "{";
            let last = (index + 1..end).rev().find(|at| tokens.get(*at).is_some_and(|token| token.sort != TokenSort::Cite));
            if let Some(last) = last.filter(|_| !is_arm) {
                breaks.push(self.negated(tokens.range(index + 1, last), None));
            }
        }
    }

    /// Numbers, signs, sides and zones within statements and conditions, each in the smallest that holds it.
    fn words(&self, breaks: &mut Vec<Break>) {
        let mut spans: Vec<Span> = self.places.of(self.source()).filter(|span| !self.only_tells(*span)).collect();
        // Of two that begin at one place the larger stands first, so that the last one open is the smallest.
        spans.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
        let mut next = spans.into_iter().peekable();
        let mut open: Vec<Span> = Vec::new();
        for (index, token) in self.text.tokens.iter() {
            let at = token.at.start as u32;
            while let Some(span) = next.next_if(|span| span.start <= at) {
                open.push(span);
            }
            while open.last().is_some_and(|span| span.end <= at) {
                open.pop();
            }
            let Some(place) = open.last().copied() else { continue };
            for (at, with, how) in self.others(index, token.sort) {
                breaks.push(Break { change: Change::new(self.source(), at, with), how, place: self.places.reached(place) });
            }
        }
    }

    /// What may stand for a token, with what that is.
    fn others(&self, index: usize, sort: TokenSort) -> Vec<(Range<usize>, String, Breaking)> {
        let tokens = &self.text.tokens;
        let word = tokens.word(index);
        let at = tokens.range(index, index);
        match sort {
            TokenSort::Number => {
                let number = word.parse::<i64>().ok().filter(|number| *number <= LARGEST);
                number.map(|number| (at, (number + 1).to_string(), Breaking::OneMore)).into_iter().collect()
            }
            TokenSort::Sign => {
                let other = match word {
                    ">=" => ">",
                    "<=" => "<",
                    ">" => ">=",
                    "<" => "<=",
                    _ => return Vec::new(),
                };
                vec![(at, other.to_string(), Breaking::Bound)]
            }
            TokenSort::Word if tokens.before(index) == "." => {
                self.other_member(index).into_iter().chain(self.other_side(index)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// A zone of the same pieces.
    fn other_member(&self, index: usize) -> Option<(Range<usize>, String, Breaking)> {
        let vocabulary = self.corpus.vocabulary(self.text);
        let name = self.text.tokens.word(index);
        let member = vocabulary.member(name).filter(|member| member.sort == Sort::Zone)?;
        let mut others = vocabulary.members.iter().filter(|(other, members)| *other != name && members.contains(member));
        let (other, _) = others.next()?;
        Some((self.text.tokens.range(index, index), other.clone(), Breaking::Zone))
    }

    /// `x.foe.flies` for `x.flies`, and the other way round.
    fn other_side(&self, index: usize) -> Option<(Range<usize>, String, Breaking)> {
        let tokens = &self.text.tokens;
        let members = self.corpus.vocabulary(self.text).members.get(tokens.word(index))?;
        let of_sides = members.iter().all(|member| member.of_sides);
        let first = index.checked_sub(2).filter(|_| of_sides)?;
        let how = Breaking::Side;
        match tokens.word(first) {
            "foe" => Some((tokens.range(first - 1, first), String::new(), how)),
            // Of all sides it makes no difference, nor in what is asked of each.
            "sides" | "it" => None,
            _ if tokens.before(first) != "." && tokens.is_word(first) => {
                let dot = tokens.range(index - 1, index - 1).start;
                Some((dot..dot, ".foe".to_string(), how))
            }
            _ => None,
        }
    }
}

fn bytes(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}
