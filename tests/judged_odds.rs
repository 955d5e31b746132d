//! The odds of random games, held against a plain enumerator that shares no code with them.

mod chains;
mod coverage;
mod enumerator;
mod generator;
mod hostile;
mod own_games;
mod random;
mod shrinker;
mod tree;

use enumerator::{Enumerated, Shares, enumerate};
use hostile::Maker;
use ludex_engine::Compile;
use ludex_engine::library::{BUNDLED, CompileRequest, File, Library};
use ludex_engine::odds::{Effort, Odds, OddsMethod, ValueOdds, compute_odds};
use ludex_engine::problem::Problem;
use ludex_engine::program::{NONE, Shape};
use ludex_engine::runtime::{Holder, Session};
use shrinker::shrunk;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use tree::{Case, Sort};

/// The most walks through a case.
const MOST_WALKS: u64 = 20_000;

/// The most bits of chance in a case.
const CHANCE: f64 = 9.0;

/// Memory, in bytes, at which the search is stopped in the middle of many cases.
const STOPS: [u64; 3] = [8_000, 20_000, 60_000];

/// Bounds are told in rounded numbers.
const ROUNDED: f64 = 1e-6;

/// The most cases that are reported.
const MOST_REPORTS: usize = 3;

/// What was found of a case.
#[derive(Debug)]
enum Judged {
    Same {
        /// Part of it was settled when the search was stopped.
        settled: bool,
    },
    Skipped,
    /// The rules do not compile: a mistake of the generator.
    Refused(String),
    Differs(String),
}

/// A value on the table as [`shown`] writes it.
fn noted(session: &Session, halves: bool) -> String {
    let field = if halves { "halves_noted" } else { "noted" };
    session.field_of_holder(Holder::Table, field).and_then(|held| held.list).unwrap_or_default()
}

/// A value of the odds as the table notes it.
fn shown(odds: &Odds, value: &ValueOdds) -> String {
    let members = value.value.iter().filter(|member| **member != NONE);
    let members: Vec<String> = match odds.shape {
        Shape::Halves => vec![value.shown.clone()],
        _ => members.map(ToString::to_string).collect(),
    };
    format!("[{}]", members.join(", "))
}

fn shares(odds: &Odds) -> Shares {
    let read = |share: String| {
        let (top, bottom) = share.split_once('/').unwrap_or((&share, "1"));
        (top.parse().unwrap_or(0), bottom.parse().unwrap_or(0))
    };
    odds.values.iter().map(|value| (shown(odds, value), read(value.share.to_string()))).collect()
}

fn errors(problems: &[Problem]) -> String {
    let errors = problems.iter().filter(|problem| problem.is_error());
    errors.map(|problem| format!("{} ({:?}); ", problem.message, problem.help)).collect()
}

fn judge(case: &Case) -> Judged {
    let text = case.rules();
    let file = File { path: "rules/judge/game.ludex".to_string(), text, library: BUNDLED.to_string() };
    let (mut library, problems) = Library::new(vec![file]);
    let (program, more) = library.compile("judge", &CompileRequest::default());
    let Some(program) = program else { return Judged::Refused(errors(&problems) + errors(&more).as_str()) };
    let halves = case.expression.sort == Sort::Halves;
    let right = enumerate(&Arc::new(program), &[Vec::new()], MOST_WALKS, &|session| noted(session, halves));
    if right == Enumerated::TooMany {
        return Judged::Skipped;
    }
    let source = library.sources.add("expression", case.expression.as_odds());
    // Once with every throw drawn at once, and once with every throw left open as long as it can be.
    for most_drawn in [u64::MAX, 1] {
        let effort = Effort { limit: 5_000_000, samples: 1, most_drawn, ..Effort::default() };
        let wrong = match compute_odds(&library, "judge", &CompileRequest::default(), &[], source, &effort) {
            Ok(odds) if matches!(odds.found, OddsMethod::ByTrying { .. }) => return Judged::Skipped,
            Ok(odds) => Enumerated::Shares(shares(&odds)),
            Err(problems) => Enumerated::Fault(errors(&problems)),
        };
        match (&right, &wrong) {
            (Enumerated::Fault(_), Enumerated::Fault(_)) => {}
            _ if right == wrong => {}
            _ => return Judged::Differs(format!("right {right:?}\nwrong {wrong:?} with {most_drawn} drawn")),
        }
    }
    let mut settled = false;
    let Enumerated::Shares(right) = right else { return Judged::Same { settled } };
    for memory in STOPS {
        let effort = Effort { memory: Some(memory), ..Effort::default() };
        match compute_odds(&library, "judge", &CompileRequest::default(), &[], source, &effort) {
            Ok(odds) if are_bounds_wrong(&odds, &right) => {
                return Judged::Differs(format!("right {right:?}\nbounds {odds:?}"));
            }
            Ok(odds) => settled |= matches!(odds.found, OddsMethod::Between { .. }) && !odds.values.is_empty(),
            Err(_) => {}
        }
    }
    Judged::Same { settled }
}

/// Whether the search was stopped, and a share is not between its bounds.
fn are_bounds_wrong(odds: &Odds, right: &Shares) -> bool {
    if !matches!(odds.found, OddsMethod::Between { .. }) {
        return false;
    }
    let bounds: BTreeMap<String, (f64, f64)> =
        odds.values.iter().map(|value| (shown(odds, value), (value.share.to_f64(), value.at_most))).collect();
    let rest = 1.0 - bounds.values().map(|(low, _)| low).sum::<f64>();
    let is_known = |value: &String| right.contains_key(value);
    let holds = right.iter().all(|(value, (top, bottom))| {
        let (low, high) = bounds.get(value).copied().unwrap_or((0.0, rest));
        let share = *top as f64 / *bottom as f64;
        low <= share && share <= high + ROUNDED
    });
    !holds || !bounds.keys().all(is_known)
}

/// Judges chains of lists, and tells of some that differ.
fn judge_chains(makers: u32, numbers: impl Iterator<Item = usize>) {
    let mut reports = Vec::new();
    for case in numbers.flat_map(|number| chains::cases(makers, number)) {
        match judge(&case) {
            Judged::Same { .. } => {}
            Judged::Skipped => reports.push(format!("too large:\n{}", case.rules())),
            Judged::Refused(problems) => reports.push(format!("no game: {problems}\n{}", case.rules())),
            Judged::Differs(how) => reports.push(format!("{}\n{how}\n{}", case.expression.as_odds(), case.rules())),
        }
        if reports.len() >= MOST_REPORTS {
            break;
        }
    }
    assert!(reports.is_empty(), "{}", reports.join("\n"));
}

#[test]
fn odds_of_lists_made_of_lists_are_those_of_every_throw() {
    judge_chains(1, 0..chains::count(1));
    judge_chains(2, (0..chains::count(2)).step_by(7));
}

#[test]
#[ignore = "some minutes, with --release"]
fn odds_of_all_lists_made_of_lists_are_those_of_every_throw() {
    judge_chains(2, 0..chains::count(2));
    judge_chains(3, 0..chains::count(3));
}

/// Judges that many cases, and tells of those that differ in their smallest form.
fn judge_all(seeds: std::ops::Range<u64>) {
    let cases = seeds.end - seeds.start;
    let (mut skipped, mut with_bounds, mut reports) = (0, 0, Vec::new());
    for seed in seeds {
        let case = generator::case(seed, CHANCE);
        match judge(&case) {
            Judged::Same { settled } => with_bounds += u64::from(settled),
            Judged::Skipped => skipped += 1,
            Judged::Refused(problems) => {
                let case = shrunk(case, &|case| matches!(judge(case), Judged::Refused(found) if found == problems));
                reports.push(format!("seed {seed} is no game: {problems}\n{}", case.rules()));
            }
            Judged::Differs(_) => {
                let case = shrunk(case, &|case| matches!(judge(case), Judged::Differs(_)));
                if let Judged::Differs(how) = judge(&case) {
                    reports.push(format!("seed {seed}: {}\n{how}\n{}", case.expression.as_odds(), case.rules()));
                }
            }
        }
        if reports.len() >= MOST_REPORTS {
            break;
        }
    }
    assert!(reports.is_empty(), "{}", reports.join("\n"));
    assert!(skipped * 20 <= cases, "{skipped} of {cases} cases are too large to be judged");
    assert!(with_bounds * 20 >= cases, "of {cases} cases only {with_bounds} were stopped in the middle");
}

#[test]
fn hostile_expressions_never_panic() {
    let maker = Maker::new();
    let effort = Effort { limit: 20_000, samples: 10, ..Effort::default() };
    let mut answered = 0;
    for seed in 0..300 {
        let hostile = maker.make(seed);
        let found = catch_unwind(AssertUnwindSafe(|| hostile.ask(&effort).is_ok()));
        answered += u32::from(found.unwrap_or_else(|_| panic!("seed {seed}: {}", hostile.expression)));
    }
    assert!(answered > 100, "only {answered} have odds");
}

#[test]
fn odds_of_random_games_are_those_of_every_throw() {
    judge_all(0..600);
}

#[test]
#[ignore = "half an hour"]
fn odds_of_very_many_random_games_are_those_of_every_throw() {
    let number = |name: &str, otherwise: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise);
    let from = number("LUDEX_JUDGED_FROM", 600);
    judge_all(from..from + number("LUDEX_JUDGED", 200_000));
}
