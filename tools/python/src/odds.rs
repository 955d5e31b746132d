//! The odds of an expression, as `ludex odds` works them out.

use crate::failure::Failure;
use crate::library::Libraries;
use ludex_engine::library::CompileRequest;
use ludex_engine::odds::{Effort, Odds, OddsMethod, Reason, compute_odds};
use serde_json::{Value, json};

/// Each value with its share: exact as a fraction, from random rolls, or with bounds if the search was stopped.
pub fn told(
    libraries: &Libraries,
    game: &str,
    wanted: &CompileRequest,
    sides: &[Vec<String>],
    expression: &str,
    effort: &Effort,
) -> Result<Value, Failure> {
    let mut library = libraries.library.clone();
    let source = library.sources.add("expression", expression);
    match compute_odds(&library, game, wanted, sides, source, effort) {
        Ok(odds) => Ok(as_value(&odds, effort)),
        Err(problems) => Err(Failure::of_all(&problems, &library.sources)),
    }
}

fn as_value(odds: &Odds, effort: &Effort) -> Value {
    let is_stopped = matches!(odds.found, OddsMethod::Between { .. });
    let values = odds.values.iter().map(|value| {
        let number = value.shown.parse::<i64>().map_or_else(|_| json!(value.shown), |number| json!(number));
        let mut row = json!({ "value": number, "share": value.share.to_string(), "times": value.times });
        if is_stopped {
            row["low"] = json!(value.share.to_f64());
            row["high"] = json!(value.at_most);
        }
        row
    });
    let mut found = json!({
        "exact": false,
        "work": null,
        "cut": null,
        "samples": null,
        "stopped": null,
        "values": values.collect::<Vec<_>>(),
        "mean": null,
        "variance": null,
        "deviation": null,
    });
    match odds.found {
        OddsMethod::Exactly { work, cut } => {
            found["exact"] = json!(true);
            found["work"] = json!(work);
            found["cut"] = json!(cut.map(|power| format!("1e{power}")));
        }
        OddsMethod::ByTrying { samples } => {
            found["samples"] = json!(samples);
            // Nothing else ends rolls early.
            found["stopped"] = json!((samples < effort.samples).then_some("time"));
        }
        OddsMethod::Between { reason } => {
            found["stopped"] = json!(match reason {
                Reason::Time => "time",
                Reason::Memory => "memory",
                Reason::Interrupted => "interrupted",
            });
        }
    }
    if let (Some(mean), Some(variance), false) = (odds.mean(), odds.variance(), is_stopped) {
        found["mean"] = json!(mean.to_string());
        found["variance"] = json!(variance.to_string());
        found["deviation"] = json!(variance.to_f64().sqrt());
    }
    found
}
