//! `ludex explain`: the long text of a code, or what a function of scripts does.

use crate::args::Common;
use crate::exit::DONE;
use crate::output;
use crate::stop::Stop;
use ludex_engine::codes;
use ludex_engine::problem::{Problem, nearest};
use ludex_engine::scripting::api;
use ludex_validator::explain;
use ludex_validator::register::{CODES, Code, find};
use serde_json::{Value, json};

/// Explain the code of a message, or a function of scripts
#[derive(clap::Args)]
pub struct Args {
    /// A code such as LX0601, or a function such as choose; without one, all codes are listed
    code: Option<String>,
    /// All codes with their whole texts, as the page of the book that lists them
    #[arg(long, conflicts_with = "code")]
    all: bool,
}

pub fn run(args: Args, common: &Common) -> Result<u8, Stop> {
    let (fields, text) = match &args.code {
        None => {
            let text = if args.all { explain::reference() } else { explain::list() };
            (json!({ "codes": CODES.iter().map(object).collect::<Vec<Value>>() }), text)
        }
        Some(code) => one(code)?,
    };
    if common.json() {
        let mut report = json!({ "ludex": 1, "command": "explain" });
        if let (Value::Object(report), Value::Object(fields)) = (&mut report, fields) {
            report.extend(fields);
        }
        output::json(&report);
    } else if args.all {
        // A page of the book, as it is to be kept.
        output::plain(&text);
    } else {
        output::print_paged(&text, common.no_pager);
    }
    Ok(DONE)
}

/// A code or a function, as fields and as text.
fn one(code: &str) -> Result<(Value, String), Problem> {
    if let Some(text) = api::explain(code) {
        return Ok((json!({ "function": code.trim(), "text": text }), text));
    }
    let text = explain::explain(code, output::width()).map_err(|message| unknown(code, message))?;
    Ok((find(code.trim()).map_or(Value::Null, object), text))
}

fn unknown(code: &str, message: String) -> Problem {
    let help = match nearest(code.trim(), api::names()) {
        Some(near) => format!("did you mean the function `{near}`?"),
        None => "`ludex explain` lists all codes; functions are in `scripts/README.md`, words of rules in `rules/REFERENCE.md`"
            .to_string(),
    };
    Problem::error(codes::COMMAND_LINE, message).help(help)
}

fn object(code: &Code) -> Value {
    let mended: Vec<&str> = code.mended.iter().map(|block| block.text).collect();
    json!({
        "code": code.code,
        "title": code.title,
        "explanation": code.explanation,
        "example": code.example,
        "mended": mended.join("\n").trim_end(),
    })
}
