//! Mismatched arguments, zones and fields in rules. Each public function that returns mistakes is a class.

use crate::self_test::corpus::{Corpus, Text};
use crate::self_test::mistake::Mistake;
use crate::self_test::vocabulary::{Sort, Vocabulary};
use std::ops::Range;

/// A name with the correct number of arguments.
pub struct Call {
    pub arguments: Vec<Range<usize>>,
    /// The types of its parameters.
    pub params: Vec<String>,
    /// The closing parenthesis.
    pub end: usize,
}

/// Calls of definitions and procedures.
pub fn calls(text: &Text, vocabulary: &Vocabulary) -> Vec<Call> {
    let mut calls = Vec::new();
    for (index, _) in text.words().filter(|(index, _)| text.tokens.word(index + 1) == "(") {
        let Some(params) = vocabulary.params.get(text.tokens.word(index)) else { continue };
        let is_call = matches!(vocabulary.sort_of_use(&text.tokens, index), Some(Sort::Definition | Sort::Procedure));
        let arguments = text.tokens.parts(index + 1);
        let close = text.tokens.get(index + 1).and_then(|open| open.mate);
        if let (true, Some(close)) = (is_call && arguments.len() == params.len(), close) {
            calls.push(Call { arguments, params: params.clone(), end: text.tokens.range(close, close).start });
        }
    }
    calls
}

/// The calls of all rules, each with its text.
fn all_calls(corpus: &Corpus) -> impl Iterator<Item = (&Text, Call)> {
    corpus.rules().flat_map(|text| calls(text, corpus.vocabulary(text)).into_iter().map(move |call| (text, call)))
}

/// Swaps two neighbouring arguments of incompatible types.
pub fn swapped(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    for (text, call) in all_calls(corpus) {
        let vocabulary = corpus.vocabulary(text);
        for (place, pair) in call.arguments.windows(2).enumerate() {
            let (Some(one), Some(other)) = (call.params.get(place), call.params.get(place + 1)) else { continue };
            if !differ(vocabulary, one, other) {
                continue;
            }
            let words = |at: &Range<usize>| text.text.get(at.clone()).unwrap_or("").to_string();
            let between = words(&(pair[0].end..pair[1].start));
            let with = format!("{}{between}{}", words(&pair[1]), words(&pair[0]));
            changes.push(Mistake::new(text.source, pair[0].start..pair[1].end, with));
        }
    }
    changes
}

/// Whether a value of one type never fits the other. A number, a side, a text and a list differ by their names; pieces may be of
/// one kind and of its base.
fn differ(vocabulary: &Vocabulary, one: &str, other: &str) -> bool {
    let sort = |of: &str| match of {
        "number" | "halves" => 1,
        "side" => 2,
        "flag" => 3,
        "text" => 4,
        _ if of.starts_with("list of ") || vocabulary.is_plural(of) => 5,
        _ if vocabulary.is(of, Sort::Type) => 6,
        _ if vocabulary.is(of, Sort::Kind) => 7,
        _ => 0,
    };
    let (one, other) = (sort(one), sort(other));
    one != 0 && other != 0 && one != other
}

/// Removes the last argument.
pub fn left_out(corpus: &Corpus) -> Vec<Mistake> {
    let change = |(text, call): (&Text, Call)| {
        let last = call.arguments.last()?;
        let start = match call.arguments.len() {
            0 | 1 => last.start,
            more => call.arguments.get(more - 2)?.end,
        };
        Some(Mistake::new(text.source, start..last.end, ""))
    };
    all_calls(corpus).filter_map(change).collect()
}

/// Adds an argument after the last.
pub fn too_many(corpus: &Corpus) -> Vec<Mistake> {
    let change = |(text, call): (&Text, Call)| {
        let with = if call.arguments.is_empty() { "1" } else { ", 1" };
        Mistake::new(text.source, call.end..call.end, with)
    };
    all_calls(corpus).map(change).collect()
}

// --- zones and fields ---------------------------------------------------------------

/// The last word of `to X.zone`, in statements that move pieces.
fn targets(corpus: &Corpus) -> impl Iterator<Item = (&Text, usize)> {
    corpus.rules().flat_map(move |text| {
        let vocabulary = corpus.vocabulary(text);
        let zones = text.words().filter(move |(index, _)| vocabulary.sort_of_use(&text.tokens, *index) == Some(Sort::Zone));
        zones.map(|(index, _)| index).filter(|index| is_target(text, *index)).map(move |index| (text, index))
    })
}

/// Whether a zone is where a `move` on its line leads.
fn is_target(text: &Text, zone: usize) -> bool {
    let tokens = &text.tokens;
    // Back over `a.b.` to the word before.
    let mut first = zone;
    while first >= 2 && tokens.word(first - 1) == "." && tokens.is_word(first - 2) {
        first -= 2;
    }
    let line = tokens.line(tokens.range(zone, zone).start);
    let moves =
        (0..first).rev().take(14).any(|index| tokens.word(index) == "move" && tokens.range(index, index).start >= line.start);
    first < zone && tokens.before(first) == "to" && moves
}

/// Replaces the zone by one for another kind of pieces.
pub fn zone_of_other_pieces(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    for (text, index) in targets(corpus) {
        let vocabulary = corpus.vocabulary(text);
        let Some(member) = vocabulary.member(text.tokens.word(index)) else { continue };
        let others = vocabulary.members.iter().filter(|(_, members)| {
            members.iter().all(|other| other.sort == Sort::Zone && other.of != member.of && other.of_sides == member.of_sides)
        });
        let with = others.map(|(name, _)| name).next();
        changes.extend(with.map(|with| Mistake::new(text.source, text.tokens.range(index, index), with.as_str())));
    }
    changes
}

/// Replaces a zone by its side or piece.
pub fn thing_for_zone(corpus: &Corpus) -> Vec<Mistake> {
    let change = |(text, index): (&Text, usize)| Mistake::new(text.source, text.tokens.range(index - 1, index), "");
    targets(corpus).map(change).collect()
}

/// Replaces a number in a comparison or sum by a field of another type.
pub fn field_of_another_type(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    for text in corpus.rules() {
        let vocabulary = corpus.vocabulary(text);
        for (index, token) in text.words() {
            let Some(member) = vocabulary.member(text.tokens.word(index)).filter(|_| text.tokens.before(index) == ".") else {
                continue;
            };
            let reckoned = matches!(text.tokens.word(index + 1), "+" | "-" | "*" | "<" | ">" | "<=" | ">=")
                || index >= 3 && matches!(text.tokens.word(index - 3), "+" | "*" | "<" | ">" | "<=" | ">=");
            if member.of != "number" || !reckoned {
                continue;
            }
            let other = vocabulary.members.iter().find(|(_, members)| {
                let differs = |of: &str| of == "side" || of == "flag" || of.starts_with("list of ");
                members.iter().all(|other| differs(&other.of) && other.of_sides == member.of_sides)
            });
            changes.extend(other.map(|(name, _)| Mistake::new(text.source, token.at.clone(), name.as_str())));
        }
    }
    changes
}
