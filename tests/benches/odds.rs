//! How fast the odds of thirty expressions are found, by `ludex odds` without its start and its reading of files.
//!
//! A line of JSON for each expression of `odds/expressions`: its time in nanoseconds, with and without compiling it, and its
//! values. Run it with `cargo bench --bench odds`, or with `-- ROUNDS WORDS` for more rounds than seven, and for the expressions
//! that hold one of the words. `beside_icepool.py` sets the same expressions in Python beside it.

use ludex_engine::library::{CompileRequest, File, Library};
use ludex_engine::odds::{Effort, Odds, OddsMethod, OddsQuery};
use ludex_engine::source::SourceId;
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

/// The same allocator as that of the command.
use ludex_memory as _;

const RULES: &str = include_str!("odds/rules/odds/odds.ludex");
const EXPRESSIONS: &str = include_str!("odds/expressions");

/// Shorter work is repeated until it takes this many seconds.
const LEAST_SECONDS: f64 = 0.003;

fn main() {
    let (numbers, words): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).filter(|word| !word.starts_with('-')).partition(|word| word.parse::<usize>().is_ok());
    let rounds = numbers.first().and_then(|word| word.parse().ok()).unwrap_or(7usize).max(1);
    let is_wanted = |text: &&str| words.is_empty() || words.iter().any(|word| text.contains(word.as_str()));
    let mut contests: Vec<Contest> = EXPRESSIONS.lines().filter(is_wanted).map(Contest::new).collect();
    for _ in 0..rounds {
        contests.iter_mut().for_each(Contest::measure);
    }
    contests.into_iter().for_each(|contest| println!("{}", contest.report()));
}

struct Contest {
    text: &'static str,
    library: Library,
    source: SourceId,
    asked: OddsQuery,
    /// Seconds of compiling and answering, and of answering alone.
    whole: Vec<f64>,
    answer: Vec<f64>,
}

impl Contest {
    fn new(text: &'static str) -> Contest {
        let file = File { path: "rules/odds/odds.ludex".to_string(), text: RULES.to_string(), library: "benches".to_string() };
        let (mut library, problems) = Library::new(vec![file]);
        let source = library.sources.add("expression", text);
        let asked = ask(&library, source).unwrap_or_else(|| panic!("{text} compiles: {problems:?}"));
        Contest { text, library, source, asked, whole: Vec::new(), answer: Vec::new() }
    }

    fn measure(&mut self) {
        self.whole.push(seconds(|| answer(&ask(&self.library, self.source).expect("it compiled before"))));
        self.answer.push(seconds(|| answer(&self.asked)));
    }

    fn report(mut self) -> Value {
        let odds = answer(&self.asked);
        let values: Vec<Value> = odds.values.iter().map(|one| json!([one.shown, one.share.to_string()])).collect();
        let exact = matches!(odds.found, OddsMethod::Exactly { cut: None, .. });
        let (work, cut) = match odds.found {
            OddsMethod::Exactly { work, cut } => (Some(work), cut),
            _ => (None, None),
        };
        json!({
            "expression": self.text,
            "exact": exact,
            "work": work,
            "cut": cut,
            "whole_ns": nanoseconds(&mut self.whole),
            "answer_ns": nanoseconds(&mut self.answer),
            "values": values,
        })
    }
}

fn ask(library: &Library, source: SourceId) -> Option<OddsQuery> {
    OddsQuery::new(library, "odds", &CompileRequest::default(), &[], source)
        .inspect_err(|problems| eprintln!("{problems:#?}"))
        .ok()
}

fn answer(asked: &OddsQuery) -> Odds {
    asked.find_odds(&Effort::default()).expect("it has odds")
}

/// The processor time of some work, repeated if it is short.
fn seconds<T>(work: impl Fn() -> T) -> f64 {
    let (mut times, start) = (0, processor_time());
    loop {
        std::hint::black_box(work());
        times += 1;
        let taken = processor_time() - start;
        if taken >= LEAST_SECONDS {
            return taken / f64::from(times);
        }
    }
}

fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

fn nanoseconds(seconds: &mut [f64]) -> u64 {
    seconds.sort_by(f64::total_cmp);
    (seconds[seconds.len() / 2] * 1e9).round() as u64
}
