//! The odds of small expressions are those found by throwing every die in every way, one after the other.

use super::*;
use crate::odds::Fraction;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Results of dice, thrown on demand, each with the size of its die.
#[derive(Default)]
pub struct Tape {
    results: Vec<(i64, i64)>,
    at: usize,
}

impl Tape {
    fn die(&mut self, size: i64) -> i64 {
        if self.at == self.results.len() {
            self.results.push((1, size));
        }
        self.at += 1;
        self.results[self.at - 1].0
    }

    pub fn dice(&mut self, count: i64, size: i64) -> Vec<i64> {
        (0..count).map(|_| self.die(size)).collect()
    }

    /// The next way in which the dice may fall.
    fn next(&mut self) -> bool {
        self.at = 0;
        while let Some((result, size)) = self.results.pop() {
            if result < size {
                self.results.push((result + 1, size));
                return true;
            }
        }
        false
    }
}

/// Each value with its share, found without any thought; none if that takes too long.
pub fn by_force(of: &dyn Fn(&mut Tape) -> i64) -> Option<Vec<(i64, Fraction)>> {
    let mut shares: BTreeMap<i64, Fraction> = BTreeMap::new();
    let mut tape = Tape::default();
    for _ in 0..20_000 {
        let value = of(&mut tape);
        // More cases than a number holds are more than can be tried.
        let cases = tape.results.iter().try_fold(1u64, |cases, (_, size)| cases.checked_mul(size.unsigned_abs()))?;
        shares.entry(value).or_insert_with(Fraction::zero).add(&Fraction::new(1u8.into(), cases.into()));
        if !tape.next() {
            return Some(shares.into_iter().map(|(value, share)| (value, share.in_lowest_terms())).collect());
        }
    }
    None
}

#[track_caller]
fn compare(expression: &str, of: &dyn Fn(&mut Tape) -> i64) {
    let Some(wanted) = by_force(of) else { return };
    let odds = ask(expression).unwrap_or_else(|problems| panic!("{expression}: {problems:#?}"));
    assert!(matches!(odds.found, OddsMethod::Exactly { .. }), "{expression}");
    let found: Vec<(i64, Fraction)> = odds.values.iter().map(|value| (i64::from(value.value[0]), value.share.clone())).collect();
    assert_eq!(found, wanted, "{expression}");
}

fn highest(values: &[i64]) -> i64 {
    values.iter().copied().max().unwrap_or(0)
}

fn lowest(values: &[i64]) -> i64 {
    values.iter().copied().min().unwrap_or(0)
}

fn over(values: &[i64], least: i64) -> i64 {
    values.iter().filter(|value| **value >= least).count() as i64
}

/// What the procedures of the pond do.
fn procedure(name: &str, count: i64, tape: &mut Tape) -> i64 {
    match name {
        "again" => {
            let mut shown = tape.dice(count, 3);
            for _ in 0..2 {
                shown = tape.dice(shown.iter().filter(|value| **value < 3).count() as i64, 3);
            }
            shown.iter().sum()
        }
        "climbs" => {
            let shown = tape.dice(count, 3);
            let before = std::iter::once(0).chain(shown.iter().copied());
            shown.iter().zip(before).filter(|(value, before)| *value > before).count() as i64
        }
        "kept" => {
            let (one, two) = (tape.dice(count, 4), tape.dice(count, 4));
            over(&two, highest(&one)) + count
        }
        "changes" => {
            let shown = tape.dice(count, 4);
            over(&shown, 3) * 10 + over(&shown, 2)
        }
        "of_itself" => {
            let shown = tape.dice(count, 4);
            over(&shown, highest(&shown)) + over(&shown, 3)
        }
        "handed_on" => {
            let shown = tape.dice(count, 4);
            shown.iter().sum::<i64>() - lowest(&shown)
        }
        "handed_back" => over(&tape.dice(count, 4), 3),
        "leads" => tape.dice(count, 4).first().copied().unwrap_or(0),
        "counted" => highest(&tape.dice(count, 4)) + tape.die(4),
        "bursts" => {
            let mut sum = 0;
            for _ in 0..count {
                let shown = tape.die(3);
                sum += shown;
                if shown < 3 {
                    break;
                }
            }
            sum
        }
        "unsure" => {
            let got = if highest(&tape.dice(count, 4)) > 2 { 5 } else { 1 };
            got + tape.die(2)
        }
        other => panic!("{other}"),
    }
}

/// `counted` changes the table, which the next use would see: it is looked at alone.
const PROCEDURES: [&str; 10] =
    ["again", "climbs", "kept", "changes", "of_itself", "handed_on", "handed_back", "leads", "bursts", "unsure"];

#[test]
fn procedures_are_worth_what_they_are_by_force() {
    for name in PROCEDURES.into_iter().chain(["counted"]) {
        for count in 0..=4 {
            compare(&format!("{name}({count})"), &|tape| procedure(name, count, tape));
        }
    }
    compare("late_roll", &|tape| {
        let (shown, more) = (tape.dice(2, 4), tape.dice(2, 4));
        let least = lowest(&shown);
        over(&shown, least + 1) + over(&more, least)
    });
    // The list is in the order in which the dice fell.
    let ways = ask("pool(2)").unwrap();
    assert_eq!((ways.values.len(), ways.values[1].shown.as_str()), (16, "1 and 2"));
}

/// So many dice of a size.
#[derive(Clone, Copy, Debug)]
struct Pool(i64, i64);

/// At least this, or just this.
#[derive(Clone, Copy, Debug)]
struct Test(bool, i64);

#[derive(Clone, Debug)]
enum Number {
    Plain(i64),
    Sum(Pool),
    Count(Pool, Test),
    Highest(Pool),
    Lowest(Pool),
    Procedure(usize, i64),
    Plus(Box<Number>, Box<Number>),
    Minus(Box<Number>, Box<Number>),
    Times(Box<Number>, Box<Number>),
    If(Box<Condition>, Box<Number>, Box<Number>),
}

#[derive(Clone, Debug)]
enum Condition {
    Less(Number, Number),
    Any(Pool, Test),
    All(Pool, Test),
    Empty(Pool, Test),
    Higher(Pool, Pool),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
    Not(Box<Condition>),
}

impl Pool {
    fn text(self) -> String {
        format!("{} d{}", self.0, self.1)
    }

    fn throw(self, tape: &mut Tape) -> Vec<i64> {
        tape.dice(self.0, self.1)
    }
}

impl Test {
    fn text(self) -> String {
        format!("it {} {}", if self.0 { ">=" } else { "=" }, self.1)
    }

    fn holds(self, value: i64) -> bool {
        if self.0 { value >= self.1 } else { value == self.1 }
    }
}

impl Number {
    fn text(&self) -> String {
        match self {
            Number::Plain(number) => number.to_string(),
            Number::Sum(pool) => format!("({})", pool.text()),
            Number::Count(pool, test) => format!("count of ({} where {})", pool.text(), test.text()),
            Number::Highest(pool) => format!("highest of ({})", pool.text()),
            Number::Lowest(pool) => format!("lowest of ({})", pool.text()),
            Number::Procedure(index, count) => format!("{}({count})", PROCEDURES[*index]),
            Number::Plus(one, other) => format!("({} + {})", one.text(), other.text()),
            Number::Minus(one, other) => format!("({} - {})", one.text(), other.text()),
            Number::Times(one, other) => format!("({} * {})", one.text(), other.text()),
            Number::If(test, one, other) => format!("(if {} then {} else {})", test.text(), one.text(), other.text()),
        }
    }

    fn value(&self, tape: &mut Tape) -> i64 {
        match self {
            Number::Plain(number) => *number,
            Number::Sum(pool) => pool.throw(tape).iter().sum(),
            Number::Count(pool, test) => pool.throw(tape).into_iter().filter(|value| test.holds(*value)).count() as i64,
            Number::Highest(pool) => highest(&pool.throw(tape)),
            Number::Lowest(pool) => lowest(&pool.throw(tape)),
            Number::Procedure(index, count) => procedure(PROCEDURES[*index], *count, tape),
            Number::Plus(one, other) => one.value(tape) + other.value(tape),
            Number::Minus(one, other) => one.value(tape) - other.value(tape),
            Number::Times(one, other) => one.value(tape) * other.value(tape),
            Number::If(test, one, other) => {
                if test.holds(tape) {
                    one.value(tape)
                } else {
                    other.value(tape)
                }
            }
        }
    }
}

impl Condition {
    fn text(&self) -> String {
        match self {
            Condition::Less(one, other) => format!("({} < {})", one.text(), other.text()),
            Condition::Any(pool, test) => format!("(any of ({}) has {})", pool.text(), test.text()),
            Condition::All(pool, test) => format!("(all of ({}) has {})", pool.text(), test.text()),
            Condition::Empty(pool, test) => format!("(({} where {}) is empty)", pool.text(), test.text()),
            Condition::Higher(one, other) => format!("(sorted ({}) > sorted ({}))", one.text(), other.text()),
            Condition::And(one, other) => format!("({} and {})", one.text(), other.text()),
            Condition::Or(one, other) => format!("({} or {})", one.text(), other.text()),
            Condition::Not(test) => format!("(not {})", test.text()),
        }
    }

    fn holds(&self, tape: &mut Tape) -> bool {
        match self {
            Condition::Less(one, other) => one.value(tape) < other.value(tape),
            Condition::Any(pool, test) => pool.throw(tape).into_iter().any(|value| test.holds(value)),
            Condition::All(pool, test) => pool.throw(tape).into_iter().all(|value| test.holds(value)),
            Condition::Empty(pool, test) => !pool.throw(tape).into_iter().any(|value| test.holds(value)),
            Condition::Higher(one, other) => {
                let (mut one, mut other) = (one.throw(tape), other.throw(tape));
                one.sort_unstable();
                other.sort_unstable();
                one > other
            }
            Condition::And(one, other) => one.holds(tape) && other.holds(tape),
            Condition::Or(one, other) => one.holds(tape) || other.holds(tape),
            Condition::Not(test) => !test.holds(tape),
        }
    }
}

fn pool() -> impl Strategy<Value = Pool> {
    (0i64..4, 1i64..5).prop_map(|(count, size)| Pool(count, size))
}

fn test() -> impl Strategy<Value = Test> {
    (any::<bool>(), 1i64..5).prop_map(|(least, number)| Test(least, number))
}

fn number() -> BoxedStrategy<Number> {
    let leaf = prop_oneof![
        (0i64..4).prop_map(Number::Plain),
        pool().prop_map(Number::Sum),
        (pool(), test()).prop_map(|(pool, test)| Number::Count(pool, test)),
        pool().prop_map(Number::Highest),
        pool().prop_map(Number::Lowest),
        (0..PROCEDURES.len(), 0i64..4).prop_map(|(index, count)| Number::Procedure(index, count)),
    ];
    let inner = |inner: BoxedStrategy<Number>| {
        let pair = || (inner.clone().prop_map(Box::new), inner.clone().prop_map(Box::new));
        prop_oneof![
            pair().prop_map(|(one, other)| Number::Plus(one, other)),
            pair().prop_map(|(one, other)| Number::Minus(one, other)),
            pair().prop_map(|(one, other)| Number::Times(one, other)),
            (condition(inner.clone()), pair()).prop_map(|(test, (one, other))| Number::If(Box::new(test), one, other)),
        ]
    };
    leaf.prop_recursive(3, 12, 2, inner).boxed()
}

fn condition(number: BoxedStrategy<Number>) -> BoxedStrategy<Condition> {
    let leaf = prop_oneof![
        (number.clone(), number).prop_map(|(one, other)| Condition::Less(one, other)),
        (pool(), test()).prop_map(|(pool, test)| Condition::Any(pool, test)),
        (pool(), test()).prop_map(|(pool, test)| Condition::All(pool, test)),
        (pool(), test()).prop_map(|(pool, test)| Condition::Empty(pool, test)),
        (pool(), pool()).prop_map(|(one, other)| Condition::Higher(one, other)),
    ];
    let inner = |inner: BoxedStrategy<Condition>| {
        let pair = || (inner.clone().prop_map(Box::new), inner.clone().prop_map(Box::new));
        prop_oneof![
            pair().prop_map(|(one, other)| Condition::And(one, other)),
            pair().prop_map(|(one, other)| Condition::Or(one, other)),
            inner.clone().prop_map(|test| Condition::Not(Box::new(test))),
        ]
    };
    leaf.prop_recursive(2, 4, 2, inner).boxed()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn expressions_are_worth_what_they_are_by_force(number in number()) {
        compare(&number.text(), &|tape| number.value(tape));
    }

    #[test]
    fn conditions_hold_as_often_as_by_force(test in condition(number())) {
        compare(&test.text(), &|tape| i64::from(test.holds(tape)));
    }
}
