//! The comparison as JSON.

use super::cells::ComparisonReport;
use crate::simulation::difference::{Difference, Evidence};
use crate::simulation::mean::Sums;
use crate::simulation::numbers::Measure;
use crate::simulation::request::PreparedRequest;
use crate::simulation::tally::Tally;
use serde_json::{Value, json};

/// Everything as one object.
pub fn comparison_json(compared: &ComparisonReport<'_>) -> Value {
    let counted = &compared.comparison.counted;
    let first = compared.variants.first();
    let variants = compared.names.iter().zip(compared.variants).zip(&counted.tallies);
    let numbers = compared.comparison.measures.iter().enumerate();
    json!({
        "ludex": 1,
        "command": "sim",
        "game": first.map(|first| &first.program.game),
        "games": counted.games + counted.left_out,
        "compared": counted.games,
        "seed": first.map(|first| first.plan.seed),
        "variants": variants.map(|((name, prepared), tally)| variant_json(name, prepared, tally)).collect::<Vec<_>>(),
        "numbers": numbers.map(|(place, measure)| measure_results_json(compared, place, measure)).collect::<Vec<_>>(),
    })
}

fn variant_json(name: &str, prepared: &PreparedRequest<'_>, tally: &Tally) -> Value {
    let program = &prepared.program;
    let options = program.options.iter().map(|option| (option.name.clone(), Value::from(option.value_text(option.value))));
    json!({
        "name": name,
        "mode": program.mode,
        "options": options.collect::<serde_json::Map<_, _>>(),
        "package_hash": program.hash,
        "players": prepared.plan.players.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "faults": tally.faults,
        "digest": format!("{:016x}", tally.digest),
    })
}

/// A measure with its value in each variant and its differences; `place` is its index.
fn measure_results_json(compared: &ComparisonReport<'_>, place: usize, measure: &Measure) -> Value {
    let all = 0..compared.variants.len();
    let mut number = measure_json(measure);
    number["values"] = all.clone().map(|variant| value_json(compared.comparison.measure_sums(variant, place))).collect();
    number["differences"] =
        all.skip(1).map(|variant| difference_json(compared.comparison.difference_from_first(variant, place))).collect();
    number
}

/// The measure, in the words of `sim`.
fn measure_json(measure: &Measure) -> Value {
    match measure {
        Measure::Wins(side) => json!({ "of": "wins", "side": side }),
        Measure::Shared(side) => json!({ "of": "shared", "side": side }),
        Measure::Entrant(name) => json!({ "of": "wins", "entrant": name }),
        Measure::Together => json!({ "of": "together" }),
        Measure::Nobody => json!({ "of": "nobody" }),
        Measure::Tied => json!({ "of": "ties" }),
        Measure::Unwon => json!({ "of": "unwon" }),
        Measure::CalledOff => json!({ "of": "capped" }),
        Measure::Payoff(side) => json!({ "of": "payoff", "side": side }),
        Measure::Turns => json!({ "of": "turns" }),
        Measure::Begun(name) => json!({ "of": "scope", "name": name }),
        Measure::Answers => json!({ "of": "answers" }),
        Measure::Counter(name, side) => json!({ "of": "counter", "name": name, "side": side }),
    }
}

/// A measure in one variant; null if no game has it.
fn value_json(sums: Option<Sums>) -> Value {
    let mean = sums.and_then(|sums| sums.mean());
    json!({
        "games": sums.map_or(0, |sums| sums.games),
        "mean": mean.map(|mean| mean.mean),
        "deviation": mean.and_then(|mean| mean.spread).map(|spread| spread.deviation),
    })
}

/// The difference of a variant from the first.
fn difference_json(difference: Option<Difference>) -> Value {
    let evidence = difference.map(|difference| match difference.evidence() {
        Evidence::More => "more",
        Evidence::Less => "less",
        Evidence::NotEnough => "not enough",
    });
    let bounds = difference.and_then(|difference| difference.bounds);
    json!({
        "games": difference.map_or(0, |difference| difference.games),
        "mean": difference.map(|difference| difference.mean),
        "low": bounds.map(|(low, _)| low),
        "high": bounds.map(|(_, high)| high),
        "evidence": evidence,
    })
}
