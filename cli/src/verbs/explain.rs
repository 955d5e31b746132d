//! `ludex explain`: the long text of a code, the effect of a script function, a page of the manual, or its passages about a word.

use crate::args::Common;
use crate::exit::DONE;
use crate::layout::Table;
use crate::manual::{self, PAGES, Passage};
use crate::output;
use crate::stop::Stop;
use ludex_engine::codes;
use ludex_engine::problem::{Problem, nearest};
use ludex_engine::scripting::api;
use ludex_validator::explain;
use ludex_validator::register::{CODES, Code, find};
use serde_json::{Value, json};

/// Explain the code of a message, a function of scripts, or a word of the language; or read a page of the manual
#[derive(clap::Args)]
pub struct Args {
    /// A code such as LX0601, a function such as choose, a page such as scenarios, a word such as when, or a heading of a
    /// page; without one, all pages and codes are listed
    #[arg(value_name = "CODE|WORD")]
    subject: Vec<String>,
    /// All codes with their full texts, as on the page of the book that lists them
    #[arg(long, conflicts_with = "subject")]
    all: bool,
}

pub fn run(args: Args, common: &Common) -> Result<u8, Stop> {
    let (fields, text) = match args.subject.join(" ") {
        subject if subject.is_empty() => everything(args.all),
        subject => one(&subject)?,
    };
    if common.json() {
        let mut report = json!({ "ludex": 1, "command": "explain" });
        if let (Value::Object(report), Value::Object(fields)) = (&mut report, fields) {
            report.extend(fields);
        }
        output::json(&report);
    } else if args.all {
        // A page of the book is printed without paging, to be stored.
        output::plain(&text);
    } else {
        output::print_paged(&text, common.no_pager);
    }
    Ok(DONE)
}

/// Everything that can be explained. `whole` prints only the codes, with their full texts.
fn everything(whole: bool) -> (Value, String) {
    let codes = CODES.iter().map(object).collect::<Vec<Value>>();
    if whole {
        return (json!({ "codes": codes }), explain::reference());
    }
    let mut table = Table::default();
    PAGES.iter().for_each(|page| table.row([page.word, page.about]));
    let pages: Vec<Value> = PAGES.iter().map(|page| json!({ "page": page.word, "about": page.about })).collect();
    let text =
        format!("{}\n{}\n{}\n{}", output::heading("Pages"), table.text(), output::heading("Codes of messages"), explain::list());
    (json!({ "pages": pages, "codes": codes }), text)
}

/// A code, a function, a page or a word, as fields and as text.
fn one(subject: &str) -> Result<(Value, String), Problem> {
    if let Some(text) = api::explain(subject) {
        return Ok((json!({ "function": subject.trim(), "text": text }), text));
    }
    if let Some(page) = manual::page(subject) {
        let text = page.text();
        return Ok((json!({ "page": page.word, "text": text }), text));
    }
    explain::explain(subject, output::width())
        .map(|text| (find(subject.trim()).map_or(Value::Null, object), text))
        .or_else(|message| word(subject).ok_or_else(|| unknown(subject, message)))
}

/// The passages of the manual about a word.
fn word(word: &str) -> Option<(Value, String)> {
    let passages = manual::about(word);
    if passages.is_empty() {
        return None;
    }
    let told = |passage: &Passage| {
        let head = output::heading(&format!("{}: {}", passage.page.word, passage.heading));
        format!("{head}\n\n{}", passage.text())
    };
    let mut pages: Vec<&str> = passages.iter().map(|passage| passage.page.word).collect();
    pages.dedup();
    let pages: Vec<String> = pages.iter().map(|page| format!("`ludex explain {page}`")).collect();
    let text = passages.iter().map(told).collect::<Vec<_>>().join("\n");
    let text = format!("{text}\nMore: {}\n", pages.join(", "));
    let object = |passage: &Passage| json!({ "page": passage.page.word, "heading": passage.heading, "text": passage.text() });
    Some((json!({ "word": word.trim(), "passages": passages.iter().map(object).collect::<Vec<_>>() }), text))
}

fn unknown(subject: &str, message: String) -> Problem {
    let is_code = subject.trim().to_uppercase().starts_with("LX");
    let message = if is_code { message } else { format!("the manual does not mention `{subject}`") };
    let known = api::names().into_iter().chain(PAGES.iter().map(|page| page.word));
    let help = match nearest(subject.trim(), known) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`ludex explain` lists all pages and codes, `ludex show GAME words` the words that a game declares".to_string(),
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
