//! Odds for programs: JSON and CSV.

use super::answer::{Answer, Chance, reason_word};
use super::rows::Rows;
use super::text::{bar_length, chance_bounds};
use ludex_engine::odds::{Fraction, OddsMethod, ValueOdds};
use ludex_engine::program::Shape;
use serde_json::{Value, json};

/// The report on one expression, or on several with a result for each.
pub fn odds_json(game: &str, mode: &str, answers: &[Answer]) -> Value {
    let mut report = json!({ "ludex": 1, "command": "odds", "game": game, "mode": mode });
    match answers {
        [one] => {
            if let Value::Object(parts) = answer_json(one) {
                parts.into_iter().for_each(|(key, part)| report[&key] = part);
            }
        }
        _ => report["results"] = answers.iter().map(answer_json).collect(),
    }
    report
}

/// The result for one expression.
pub fn answer_json(answer: &Answer) -> Value {
    let mut result = json!({ "expression": answer.expression, "exact": answer.is_exact() });
    let mut add = |key: &str, value: Value| result[key] = value;
    match answer.odds.found {
        OddsMethod::Exactly { work, .. } => add("work", work.into()),
        OddsMethod::ByTrying { samples } => {
            add("samples", samples.into());
            add("seed", answer.effort.seed.into());
            add("limit", answer.effort.limit.into());
        }
        OddsMethod::Between { .. } => add("unsettled", json!(answer.unsettled_chance())),
    }
    if let Some(cut) = answer.cutoff_bound() {
        add("cut", cut.into());
    }
    if let Some(reason) = answer.stop_reason() {
        add("stopped", reason_word(reason).into());
    }
    let values = answer.odds.values.iter().enumerate();
    add("values", values.map(|(number, value)| value_json(answer, number, value)).collect());
    if let Some((mean, variance)) = answer.mean_and_variance() {
        add("mean", fraction_json(&mean));
        add("variance", fraction_json(&variance));
        add("deviation", json!(variance.to_f64().sqrt()));
    }
    result
}

/// The row of a value, by its index. The keys show how the probability is known.
fn value_json(answer: &Answer, number: usize, value: &ValueOdds) -> Value {
    let mut row = json!({ "value": scalar_json(answer, value) });
    match answer.chance_of(&[number]) {
        Chance::Exact(share) => {
            row["fraction"] = share.to_string().into();
            row["decimal"] = json!(share.to_f64());
        }
        Chance::Rolled(share) => {
            row["times"] = value.times.into();
            row["share"] = json!(share.rate);
            row["low"] = json!(share.low);
            row["high"] = json!(share.high);
        }
        Chance::Between { low, high } => {
            row["low"] = json!(low);
            row["high"] = json!(high);
        }
    }
    if !answer.has_bounds_only() {
        for (key, sum) in [("at_least", answer.at_least(number)), ("at_most", answer.at_most(number))] {
            sum.into_iter().for_each(|sum| row[key] = fraction_json(&sum.in_lowest_terms()));
        }
    }
    row
}

/// A number as an exact fraction and as a decimal.
fn fraction_json(fraction: &Fraction) -> Value {
    json!({ "fraction": fraction.to_string(), "decimal": fraction.to_f64() })
}

/// A number or a flag as JSON, anything else as text.
fn scalar_json(answer: &Answer, value: &ValueOdds) -> Value {
    match (&answer.odds.shape, value.value.as_slice()) {
        (Shape::Number, [number]) => json!(number),
        (Shape::Halves, [halves]) => json!(f64::from(*halves) / 2.0),
        (Shape::Flag, [flag]) => json!(*flag != 0),
        _ => json!(value.shown),
    }
}

/// A row for each value. For one expression, the share is also given as a fraction; for several, each has its own columns.
pub fn odds_csv(answers: &[Answer]) -> (Vec<String>, Vec<Vec<String>>) {
    const PARTS: [&str; 5] = ["share", "low", "high", "at_least", "at_most"];
    let rows = Rows::one_per_value(answers);
    let mut header = vec!["value".to_string()];
    match answers {
        [_] => header.extend(std::iter::once("fraction").chain(PARTS).map(String::from)),
        _ => header.extend(answers.iter().flat_map(|answer| PARTS.map(|part| format!("{} {part}", answer.expression)))),
    }
    let table = rows.rows.iter().map(|row| {
        let mut cells = vec![row.label.clone()];
        for (number, answer) in answers.iter().enumerate() {
            let chance = rows.row_chance(row, answers, number);
            if answers.len() == 1 {
                cells.push(match &chance {
                    Some(Chance::Exact(share)) => share.to_string(),
                    _ => String::new(),
                });
            }
            cells.extend(match chance {
                Some(Chance::Between { low, high }) => [String::new(), low.to_string(), high.to_string()],
                Some(chance) => {
                    let (low, high) = chance_bounds(&chance);
                    [bar_length(&chance), low, high].map(|number| number.to_string())
                }
                // A value of another expression that this one never has, as far as is known.
                None => match answer.has_bounds_only() {
                    true => [String::new(), "0".to_string(), answer.unsettled_chance().to_string()],
                    false => [0, 0, 0].map(|number| number.to_string()),
                },
            });
            let is_ordered = answer.odds.are_numbers() && rows.are_numbers && !answer.has_bounds_only();
            let sum = |sum: Fraction| if is_ordered { sum.to_f64().to_string() } else { String::new() };
            cells.extend([sum(rows.at_least(row, answers, number)), sum(rows.at_most(row, answers, number))]);
        }
        cells
    });
    let table = table.collect();
    (header, table)
}
