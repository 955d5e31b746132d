//! The rows of a table: one for each value of all expressions, or for a group of them if there are many.
//!
//! An entry is a value that any of the expressions has, with its index in each. Rows are folded for people only; JSON, CSV and
//! pages have one for each value. Unlikely values at both ends are the tails.

use super::answer::{Answer, Chance};
use ludex_engine::odds::Fraction;
use ludex_engine::odds::OddsMethod;
use std::collections::BTreeMap;

/// A value that at least one of the expressions has.
pub struct Entry {
    pub shown: String,
    /// The value in halves, if it is a number.
    halves: Option<i64>,
    /// Its index among the values of each expression.
    at: Vec<Option<usize>>,
    /// Its approximate probability, averaged over the expressions.
    weight: f64,
}

/// Values that share a row.
#[derive(Debug, PartialEq, Eq)]
pub struct Row {
    pub label: String,
    /// The indexes of its entries, in order.
    members: Vec<usize>,
}

/// All values, and their arrangement in rows.
pub struct Rows {
    entries: Vec<Entry>,
    pub rows: Vec<Row>,
    /// Whether all values are numbers.
    pub are_numbers: bool,
}

/// Upper bounds of the total probability of the values at either end that share a row.
const TAILS: [f64; 6] = [1e-12, 1e-9, 1e-6, 1e-5, 1e-4, 1e-3];

/// Widths of ranges of numbers that share a row; wider ones are those of `WIDER` times a power of ten.
const WIDTHS: [i64; 6] = [1, 2, 3, 4, 5, 10];
const WIDER: [i64; 3] = [20, 50, 100];

impl Rows {
    /// A row for each value.
    pub fn one_per_value(answers: &[Answer]) -> Rows {
        let entries = collect_entries(answers);
        let are_numbers = entries.iter().all(|entry| entry.halves.is_some());
        let rows = entries.iter().enumerate().map(|(number, entry)| Row { label: entry.shown.clone(), members: vec![number] });
        Rows { rows: rows.collect(), are_numbers, entries }
    }

    /// At most `room` rows. Fewer values than that have a row each.
    pub fn fold_to(answers: &[Answer], room: usize) -> Rows {
        let mut rows = Rows::one_per_value(answers);
        if rows.entries.len() > room {
            rows.rows = if rows.are_numbers { number_rows(&rows.entries, room) } else { other_rows(&rows.entries, room) };
        }
        rows
    }

    /// The number of values.
    pub fn value_count(&self) -> usize {
        self.entries.len()
    }

    /// Whether any values share a row.
    pub fn are_folded(&self) -> bool {
        self.rows.len() < self.entries.len()
    }

    /// The probability of a row's values for one of the expressions; `None` if it has none of them. A value that was never rolled
    /// may still be possible, if another expression of the same type has it.
    pub fn row_chance(&self, row: &Row, answers: &[Answer], answer: usize) -> Option<Chance> {
        let entries = || row.members.iter().map(|entry| &self.entries[*entry]);
        let members: Vec<usize> = entries().filter_map(|entry| entry.at[answer]).collect();
        let own = &answers[answer].odds;
        let is_alike =
            |entry: &Entry| entry.at.iter().zip(answers).any(|(at, other)| at.is_some() && other.odds.shape == own.shape);
        let may_come = matches!(own.found, OddsMethod::ByTrying { .. }) && entries().any(is_alike);
        (may_come || !members.is_empty()).then(|| answers[answer].chance_of(&members))
    }

    /// The probability of a number of at least the lowest of a row.
    pub fn at_least(&self, row: &Row, answers: &[Answer], answer: usize) -> Fraction {
        let from = row.members.first().copied().unwrap_or(0);
        let value = self.entries[from..].iter().find_map(|entry| entry.at[answer]);
        value.and_then(|value| answers[answer].at_least(value)).cloned().unwrap_or(Fraction::zero())
    }

    /// The probability of a number of at most the highest of a row.
    pub fn at_most(&self, row: &Row, answers: &[Answer], answer: usize) -> Fraction {
        let to = row.members.last().copied().unwrap_or(0);
        let value = self.entries[..=to].iter().rev().find_map(|entry| entry.at[answer]);
        value.and_then(|value| answers[answer].at_most(value)).cloned().unwrap_or(Fraction::zero())
    }
}

/// The values of all expressions, in order. Numbers are merged; other values only with those of their own type.
fn collect_entries(answers: &[Answer]) -> Vec<Entry> {
    let mut found: BTreeMap<(usize, Vec<i64>), Entry> = BTreeMap::new();
    let kind = |answer: &Answer| match answer.odds.are_numbers() {
        true => 0,
        false => 1 + answers.iter().position(|first| first.odds.shape == answer.odds.shape).unwrap_or(0),
    };
    for (number, answer) in answers.iter().enumerate() {
        for (place, value) in answer.odds.values.iter().enumerate() {
            let halves = answer.value_in_halves(value);
            let key = halves.map_or_else(|| value.value.iter().map(|part| i64::from(*part)).collect(), |halves| vec![halves]);
            let new = || Entry { shown: value.shown.clone(), halves, at: vec![None; answers.len()], weight: 0.0 };
            let entry = found.entry((kind(answer), key)).or_insert_with(new);
            entry.at[number] = Some(place);
            entry.weight += value.share.to_f64() / answers.len() as f64;
        }
    }
    found.into_values().collect()
}

/// Rows for numbers. Unlikely ones at both ends share a row; if there are still too many, ranges share rows.
fn number_rows(entries: &[Entry], room: usize) -> Vec<Row> {
    for tail in TAILS {
        let (from, to) = between_tails(entries, tail);
        if to - from + usize::from(from > 0) + usize::from(to < entries.len()) <= room {
            return with_tails(entries, from, to, 1);
        }
    }
    let (from, to) = between_tails(entries, TAILS[TAILS.len() - 1]);
    let unit = if entries.iter().all(|entry| entry.halves.is_some_and(|halves| halves % 2 == 0)) { 2 } else { 1 };
    let powers = (0..18).flat_map(|power| WIDER.map(|width| width * 10i64.pow(power).min(i64::MAX / 400)));
    let widths = WIDTHS.into_iter().chain(powers).map(|width| width * unit);
    let mut all = widths.map(|width| {
        let (from, to) = whole_ranges(entries, (from, to), width);
        with_tails(entries, from, to, width)
    });
    all.find(|rows| rows.len() <= room).unwrap_or_else(|| with_tails(entries, from, to, i64::MAX))
}

/// The entries between the tails, without ranges that overlap the tails.
fn whole_ranges(entries: &[Entry], (mut from, mut to): (usize, usize), width: i64) -> (usize, usize) {
    let are_alike = |one: usize, other: usize| range_index(&entries[one], width) == range_index(&entries[other], width);
    while from > 0 && from < to && are_alike(from, from - 1) {
        from += 1;
    }
    while to < entries.len() && from < to && are_alike(to, to - 1) {
        to -= 1;
    }
    (from, to)
}

/// The entries between the tails. Each tail has a total probability below `tail`.
fn between_tails(entries: &[Entry], tail: f64) -> (usize, usize) {
    let unlikely = |weights: &mut dyn Iterator<Item = f64>| {
        let mut sum = 0.0;
        weights
            .take_while(|weight| {
                sum += weight;
                sum < tail
            })
            .count()
    };
    let from = unlikely(&mut entries.iter().map(|entry| entry.weight));
    let behind = unlikely(&mut entries[from..].iter().rev().map(|entry| entry.weight));
    (from, entries.len() - behind)
}

/// The range of this width, in halves, that a number is in.
fn range_index(entry: &Entry, width: i64) -> i64 {
    entry.halves.unwrap_or(0).div_euclid(width)
}

/// Rows for the entries before `from`, for ranges of this width, and for the entries from `to` on.
fn with_tails(entries: &[Entry], from: usize, to: usize, width: i64) -> Vec<Row> {
    let shown = |entry: usize| entries[entry].shown.as_str();
    let mut rows = Vec::new();
    match from {
        0 => {}
        1 => rows.push(Row { label: shown(0).to_string(), members: vec![0] }),
        _ => rows.push(Row { label: format!("up to {}", shown(from - 1)), members: (0..from).collect() }),
    }
    let mut members: Vec<usize> = Vec::new();
    for entry in from..to {
        members.push(entry);
        let is_last = entry + 1 == to || range_index(&entries[entry], width) != range_index(&entries[entry + 1], width);
        if is_last {
            let first = shown(members[0]);
            let label = if members.len() == 1 { first.to_string() } else { format!("{first} to {}", shown(entry)) };
            rows.push(Row { label, members: std::mem::take(&mut members) });
        }
    }
    match entries.len() - to {
        0 => {}
        1 => rows.push(Row { label: shown(to).to_string(), members: vec![to] }),
        _ => rows.push(Row { label: format!("{} and up", shown(to)), members: (to..entries.len()).collect() }),
    }
    rows
}

/// Rows for other values: the likeliest in order, then one row for all others.
fn other_rows(entries: &[Entry], room: usize) -> Vec<Row> {
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by(|one, other| entries[*other].weight.total_cmp(&entries[*one].weight));
    let others = order.split_off(room.saturating_sub(1).min(order.len()));
    order.sort_unstable();
    let mut rows: Vec<Row> =
        order.into_iter().map(|entry| Row { label: entries[entry].shown.clone(), members: vec![entry] }).collect();
    rows.push(Row { label: format!("{} others", others.len()), members: others });
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(weights: &[f64]) -> Vec<Entry> {
        let entry = |(number, weight): (usize, &f64)| Entry {
            shown: number.to_string(),
            halves: Some(number as i64 * 2),
            at: vec![Some(number)],
            weight: *weight,
        };
        weights.iter().enumerate().map(entry).collect()
    }

    fn labels(rows: Vec<Row>) -> Vec<String> {
        rows.into_iter().map(|row| row.label).collect()
    }

    #[test]
    fn unlikely_ends_share_a_row() {
        let entries = numbers(&[1e-8, 1e-7, 0.3, 0.4, 0.3, 1e-8, 1e-8]);
        assert_eq!(labels(number_rows(&entries, 5)), ["up to 1", "2", "3", "4", "5 and up"]);
        let one = numbers(&[1e-8, 0.3, 0.7, 1e-8, 1e-8]);
        assert_eq!(labels(number_rows(&one, 4)), ["0", "1", "2", "3 and up"]);
    }

    #[test]
    fn likely_numbers_share_ranges() {
        assert_eq!(labels(number_rows(&numbers(&[0.125; 8]), 6)), ["0 to 1", "2 to 3", "4 to 5", "6 to 7"]);
        assert_eq!(number_rows(&numbers(&[0.001; 1_000]), 12).len(), 10);
        let bell: Vec<f64> = (-25..25).map(|place: i32| (-f64::from(place * place) / 40.0).exp() / 11.2).collect();
        let rows = labels(number_rows(&numbers(&bell), 10));
        assert_eq!((rows[0].as_str(), rows[1].as_str()), ("up to 11", "12 to 15"));
        assert_eq!(rows.last().map(String::as_str), Some("40 and up"));
    }

    #[test]
    fn of_other_values_the_likeliest_are_shown() {
        let entries = numbers(&[0.1, 0.4, 0.2, 0.3]);
        assert_eq!(labels(other_rows(&entries, 3)), ["1", "3", "2 others"]);
    }

    #[test]
    fn nothing_settled_has_no_rows() {
        assert!(number_rows(&[], 5).is_empty());
        assert_eq!(labels(number_rows(&numbers(&[0.0; 9]), 5)), ["up to 8"]);
    }
}
