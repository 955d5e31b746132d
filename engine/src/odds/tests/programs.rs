//! Whatever a procedure does with its dice, its odds are those found by throwing them in every way: lists get other
//! names, are kept while others are thrown, sorted, joined, walked through and handed on.

use super::brute::{Tape, by_force};
use super::*;
use crate::odds::Fraction;
use proptest::prelude::*;

/// Names of numbers and lists; those in the helper's hands are its own.
const NUMBERS: [&str; 3] = ["a", "b", "c"];
const LISTS: [&str; 3] = ["xs", "ys", "zs"];

/// Handed a list, in three ways.
const HELPERS: &str = "
to many(values: list of number, least: number): number { give count of (values where it >= least) + lowest of values }
to front(values: list of number, least: number): number {
  each value in values { if value >= least { give value } }
  give 0
}
to thrown(values: list of number, least: number): number {
  roll 1 d2 as die
  give sum of die + count of (values where it = least)
}
to fresh(dice: number): list of number { roll dice d2 as shown  give shown }
";

#[derive(Clone, Debug)]
enum Value {
    Plain(i64),
    Number(usize),
    Plus(usize, usize),
    Over(usize, usize),
    OverIts(usize),
    Sum(usize),
    Highest(usize),
    Lowest(usize),
    Count(usize),
}

#[derive(Clone, Debug)]
enum List {
    Name(usize),
    Over(usize, usize),
    Sorted(usize),
    Joined(usize, usize),
    More(usize),
}

#[derive(Clone, Debug)]
enum Deed {
    Roll(usize, Value, i64),
    Set(usize, Value),
    SetList(usize, List),
    If(Value, usize, Vec<Deed>, Vec<Deed>),
    Repeat(i64, Vec<Deed>),
    Each(usize, usize),
    /// A throw in a block of its own, whose list is forgotten behind it.
    Apart(usize, Value, usize),
    Do(&'static str, usize, usize, usize),
    Fresh(usize, usize),
}

#[derive(Clone, Default)]
struct Names {
    numbers: [i64; 3],
    lists: [Vec<i64>; 3],
}

impl Value {
    fn text(&self) -> String {
        match self {
            Value::Plain(number) => number.to_string(),
            Value::Number(name) => NUMBERS[*name].to_string(),
            Value::Plus(one, other) => format!("{} + {} but at most 9", NUMBERS[*one], NUMBERS[*other]),
            Value::Over(list, least) => format!("count of ({} where it >= {})", LISTS[*list], NUMBERS[*least]),
            Value::OverIts(list) => format!("count of ({0} where it = highest of {0})", LISTS[*list]),
            Value::Sum(list) => format!("sum of {}", LISTS[*list]),
            Value::Highest(list) => format!("highest of {}", LISTS[*list]),
            Value::Lowest(list) => format!("lowest of {}", LISTS[*list]),
            Value::Count(list) => format!("count of {}", LISTS[*list]),
        }
    }

    fn of(&self, names: &Names) -> i64 {
        match self {
            Value::Plain(number) => *number,
            Value::Number(name) => names.numbers[*name],
            Value::Plus(one, other) => (names.numbers[*one] + names.numbers[*other]).min(9),
            Value::Over(list, least) => over(&names.lists[*list], names.numbers[*least]).len() as i64,
            Value::OverIts(list) => over(&names.lists[*list], highest(&names.lists[*list])).len() as i64,
            Value::Sum(list) => names.lists[*list].iter().sum(),
            Value::Highest(list) => highest(&names.lists[*list]),
            Value::Lowest(list) => lowest(&names.lists[*list]),
            Value::Count(list) => names.lists[*list].len() as i64,
        }
    }
}

fn over(values: &[i64], least: i64) -> Vec<i64> {
    values.iter().copied().filter(|value| *value >= least).collect()
}

fn highest(values: &[i64]) -> i64 {
    values.iter().copied().max().unwrap_or(0)
}

fn lowest(values: &[i64]) -> i64 {
    values.iter().copied().min().unwrap_or(0)
}

impl List {
    fn text(&self) -> String {
        match self {
            List::Name(list) => LISTS[*list].to_string(),
            List::Over(list, least) => format!("{} where it >= {}", LISTS[*list], NUMBERS[*least]),
            List::Sorted(list) => format!("sorted {}", LISTS[*list]),
            List::Joined(one, other) => format!("{} + {}", LISTS[*one], LISTS[*other]),
            List::More(number) => format!("[1, {}]", NUMBERS[*number]),
        }
    }

    fn of(&self, names: &Names) -> Vec<i64> {
        match self {
            List::Name(list) => names.lists[*list].clone(),
            List::Over(list, least) => over(&names.lists[*list], names.numbers[*least]),
            List::Sorted(list) => {
                let mut sorted = names.lists[*list].clone();
                sorted.sort_unstable();
                sorted
            }
            List::Joined(one, other) => [names.lists[*one].as_slice(), &names.lists[*other]].concat(),
            List::More(number) => vec![1, names.numbers[*number]],
        }
    }
}

fn text(deeds: &[Deed]) -> String {
    deeds.iter().map(|deed| format!("{}\n", deed.text())).collect()
}

fn carry_out(deeds: &[Deed], names: &mut Names, tape: &mut Tape) {
    deeds.iter().for_each(|deed| deed.carry_out(names, tape));
}

impl Deed {
    fn text(&self) -> String {
        match self {
            Deed::Roll(list, count, size) => format!("roll {} but at most 2 d{size} as {}", count.text(), LISTS[*list]),
            Deed::Set(number, value) => format!("set {} to {}", NUMBERS[*number], value.text()),
            Deed::SetList(list, value) => format!("set {} to {}", LISTS[*list], value.text()),
            Deed::If(value, than, yes, no) => {
                format!("if {} > {} {{ {} }} else {{ {} }}", value.text(), NUMBERS[*than], text(yes), text(no))
            }
            Deed::Repeat(times, deeds) => format!("repeat {times} times {{ {} }}", text(deeds)),
            Deed::Each(list, number) => {
                format!("each value in {} {{ set {1} to {1} + {1} + value but at most 9 }}", LISTS[*list], NUMBERS[*number])
            }
            Deed::Apart(number, count, least) => format!(
                "if yes is yes {{ let two = 2  roll {} but at most two d3 as own  set {} to count of (own where it >= {}) }}",
                count.text(),
                NUMBERS[*number],
                NUMBERS[*least]
            ),
            Deed::Do(helper, list, least, number) => {
                format!("do {helper}({}, {}) as {}", LISTS[*list], NUMBERS[*least], NUMBERS[*number])
            }
            Deed::Fresh(number, list) => format!("do fresh({} but at most 2) as {}", NUMBERS[*number], LISTS[*list]),
        }
    }

    fn carry_out(&self, names: &mut Names, tape: &mut Tape) {
        match self {
            Deed::Roll(list, count, size) => names.lists[*list] = tape.dice(count.of(names).min(2), *size),
            Deed::Set(number, value) => names.numbers[*number] = value.of(names),
            Deed::SetList(list, value) => names.lists[*list] = value.of(names),
            Deed::If(value, than, yes, no) => {
                let deeds = if value.of(names) > names.numbers[*than] { yes } else { no };
                carry_out(deeds, names, tape);
            }
            Deed::Repeat(times, deeds) => (0..*times).for_each(|_| carry_out(deeds, names, tape)),
            Deed::Each(list, number) => {
                for value in names.lists[*list].clone() {
                    let place = &mut names.numbers[*number];
                    *place = (*place + *place + value).min(9);
                }
            }
            Deed::Apart(number, count, least) => {
                let own = tape.dice(count.of(names).min(2), 3);
                names.numbers[*number] = over(&own, names.numbers[*least]).len() as i64;
            }
            Deed::Do(helper, list, least, number) => {
                let (values, least) = (&names.lists[*list], names.numbers[*least]);
                names.numbers[*number] = match *helper {
                    "many" => over(values, least).len() as i64 + lowest(values),
                    "front" => values.iter().copied().find(|value| *value >= least).unwrap_or(0),
                    _ => tape.dice(1, 2)[0] + values.iter().filter(|value| **value == least).count() as i64,
                };
            }
            Deed::Fresh(number, list) => names.lists[*list] = tape.dice(names.numbers[*number].min(2), 2),
        }
    }
}

fn value() -> BoxedStrategy<Value> {
    let name = 0..NUMBERS.len();
    let list = 0..LISTS.len();
    prop_oneof![
        (0i64..4).prop_map(Value::Plain),
        name.clone().prop_map(Value::Number),
        (name.clone(), name.clone()).prop_map(|(one, other)| Value::Plus(one, other)),
        (list.clone(), name).prop_map(|(list, least)| Value::Over(list, least)),
        list.clone().prop_map(Value::OverIts),
        list.clone().prop_map(Value::Sum),
        list.clone().prop_map(Value::Highest),
        list.clone().prop_map(Value::Lowest),
        list.prop_map(Value::Count),
    ]
    .boxed()
}

fn made_list() -> BoxedStrategy<List> {
    let name = 0..NUMBERS.len();
    let list = 0..LISTS.len();
    prop_oneof![
        list.clone().prop_map(List::Name),
        (list.clone(), name.clone()).prop_map(|(list, least)| List::Over(list, least)),
        list.clone().prop_map(List::Sorted),
        (list.clone(), list).prop_map(|(one, other)| List::Joined(one, other)),
        name.prop_map(List::More),
    ]
    .boxed()
}

fn deed() -> BoxedStrategy<Deed> {
    let name = 0..NUMBERS.len();
    let list = 0..LISTS.len();
    let helper = prop_oneof![Just("many"), Just("front"), Just("thrown")];
    let leaf = prop_oneof![
        3 => (list.clone(), value(), 2i64..4).prop_map(|(list, count, size)| Deed::Roll(list, count, size)),
        3 => (name.clone(), value()).prop_map(|(number, value)| Deed::Set(number, value)),
        2 => (list.clone(), made_list()).prop_map(|(list, value)| Deed::SetList(list, value)),
        1 => (list.clone(), name.clone()).prop_map(|(list, number)| Deed::Each(list, number)),
        1 => (name.clone(), value(), name.clone()).prop_map(|(number, count, least)| Deed::Apart(number, count, least)),
        2 => (helper, list.clone(), name.clone(), name.clone())
            .prop_map(|(helper, list, least, number)| Deed::Do(helper, list, least, number)),
        1 => (name.clone(), list).prop_map(|(number, list)| Deed::Fresh(number, list)),
    ];
    let inner = move |inner: BoxedStrategy<Deed>| {
        let block = || proptest::collection::vec(inner.clone(), 1..3);
        prop_oneof![
            (value(), name.clone(), block(), block()).prop_map(|(value, than, yes, no)| Deed::If(value, than, yes, no)),
            (1i64..3, block()).prop_map(|(times, deeds)| Deed::Repeat(times, deeds)),
        ]
    };
    leaf.prop_recursive(2, 6, 2, inner).boxed()
}

fn compare(deeds: &[Deed], result: usize) {
    let carried_out = |tape: &mut Tape| {
        let mut names = Names { numbers: [0, 1, 2], ..Names::default() };
        names.lists[0] = tape.dice(2, 3);
        names.lists[1] = tape.dice(1, 2);
        carry_out(deeds, &mut names, tape);
        names.numbers[result]
    };
    let Some(wanted) = by_force(&carried_out) else { return };
    let rules = format!(
        "sides 2\nto play {{ finish with nobody }}\n{HELPERS}\nto tried: number {{\n  let a = 0  let b = 1  let c = 2\n  \
         roll 2 d3 as xs\n  roll 1 d2 as ys\n  roll 0 d2 as zs\n{}\n  give {}\n}}\n",
        text(deeds),
        NUMBERS[result]
    );
    let odds = match ask_with(&game(&rules), &CompileRequest::default(), "tried", &Effort::default()) {
        Ok(odds) => odds,
        Err(problems) => panic!("{rules}: {:#?}", errors(problems)),
    };
    let found: Vec<(i64, Fraction)> = odds.values.iter().map(|value| (i64::from(value.value[0]), value.share.clone())).collect();
    assert_eq!(found, wanted, "{rules}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn procedures_give_what_they_give_by_force(deeds in proptest::collection::vec(deed(), 1..7), result in 0..NUMBERS.len()) {
        compare(&deeds, result);
    }
}
