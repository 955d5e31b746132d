//! `ludex explain`: the long text of a code, or what a function of scripts does.

use crate::args::Common;
use crate::exit::{DONE, PROBLEMS};
use crate::output;
use ludex_engine::codes::{self, CODES, Code};
use ludex_engine::problem::nearest;
use ludex_engine::scripting::api;
use ludex_validator::explain;
use serde_json::{Value, json};

/// Explain a code of a message, or a function of scripts
#[derive(clap::Args)]
pub struct Args {
    /// A code such as LX0601, or a function such as choose; without one, all codes are listed
    code: Option<String>,
}

pub fn run(args: Args, common: &Common) -> u8 {
    match args.code {
        None if common.json() => {
            let codes: Vec<Value> = CODES.iter().map(object).collect();
            output::json(&json!({ "ludex": 1, "command": "explain", "codes": codes }));
            DONE
        }
        None => {
            output::print(&explain::list());
            DONE
        }
        Some(code) => one(&code, common),
    }
}

fn one(code: &str, common: &Common) -> u8 {
    if let Some(text) = api::explain(code) {
        if common.json() {
            output::json(&json!({ "ludex": 1, "command": "explain", "function": code.trim(), "text": text }));
        } else {
            output::print(&text);
        }
        return DONE;
    }
    match (explain::explain(code, output::WIDTH), codes::find(code.trim())) {
        (Ok(_), Some(entry)) if common.json() => {
            let mut report = json!({ "ludex": 1, "command": "explain" });
            if let (Value::Object(report), Value::Object(entry)) = (&mut report, object(entry)) {
                report.extend(entry);
            }
            output::json(&report);
            DONE
        }
        (Ok(text), _) => {
            output::print(&text);
            DONE
        }
        (Err(message), _) => {
            let help = match nearest(code.trim(), api::names()) {
                Some(near) => format!("did you mean the function `{near}`?"),
                None => {
                    "`ludex explain` lists all codes; functions are in `scripts/README.md`, words of rules in `rules/REFERENCE.md`"
                        .to_string()
                }
            };
            output::failure(&message, Some(&help));
            PROBLEMS
        }
    }
}

fn object(code: &Code) -> Value {
    json!({ "code": code.code, "title": code.title, "explanation": code.explanation, "example": code.example })
}
