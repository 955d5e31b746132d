//! The odds of an expression, as `ludex odds` works them out.

use crate::failure::Failure;
use crate::library::Libraries;
use ludex_engine::library::Wanted;
use ludex_engine::odds::{Effort, Found, Odds, odds};
use serde_json::{Value, json};

/// Each value with its share: exact as a fraction, or from how many tries.
pub fn told(
    libraries: &Libraries,
    game: &str,
    wanted: &Wanted,
    sides: &[Vec<String>],
    expression: &str,
    effort: &Effort,
) -> Result<Value, Failure> {
    let mut library = libraries.library.clone();
    let source = library.sources.add("expression", expression);
    match odds(&library, game, wanted, sides, source, effort) {
        Ok(odds) => Ok(as_value(&odds)),
        Err(problems) => Err(Failure::of_all(&problems, &library.sources)),
    }
}

fn as_value(odds: &Odds) -> Value {
    let values = odds.values.iter().map(|value| {
        let number = value.shown.parse::<i64>().map_or_else(|_| json!(value.shown), |number| json!(number));
        json!({ "value": number, "share": value.share.to_string(), "times": value.times })
    });
    let (exact, throws) = match odds.found {
        Found::Exactly { work, .. } => (true, work),
        Found::ByTrying { samples } => (false, samples),
    };
    json!({
        "exact": exact,
        "throws": throws,
        "values": values.collect::<Vec<_>>(),
        "mean": odds.mean().map(|mean| mean.to_string()),
        "variance": odds.variance().map(|variance| variance.to_string()),
    })
}
