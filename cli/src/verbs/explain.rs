//! `ludex explain`: the long text of a code, the effect of a script function, a page of the manual, or its passages about a word.

use crate::args::CommonArgs;
use crate::exit::DONE;
use crate::layout::Table;
use crate::manual::{self, PAGES, Passage};
use crate::output;
use crate::stop::Stop;
use ludex_engine::codes;
use ludex_engine::problem::{Problem, nearest_word};
use ludex_engine::scripting::api;
use ludex_validator::explain;
use ludex_validator::register::{CODES, Code, find_code};
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

pub fn run(args: Args, common: &CommonArgs) -> Result<u8, Stop> {
    let (fields, text) = match args.subject.join(" ") {
        subject if subject.is_empty() => list_everything(args.all),
        subject => explain_subject(&subject)?,
    };
    if common.is_json() {
        let mut report = json!({ "ludex": 1, "command": "explain" });
        if let (Value::Object(report), Value::Object(fields)) = (&mut report, fields) {
            report.extend(fields);
        }
        output::print_json(&report);
    } else if args.all {
        // A page of the book is printed without paging, to be stored.
        output::print_sanitised(&text);
    } else {
        output::print_paged(&text, common.no_pager);
    }
    Ok(DONE)
}

/// Everything that can be explained. `whole` prints only the codes, with their full texts.
fn list_everything(whole: bool) -> (Value, String) {
    let codes = CODES.iter().map(code_json).collect::<Vec<Value>>();
    if whole {
        return (json!({ "codes": codes }), explain::reference_page());
    }
    let mut table = Table::default();
    PAGES.iter().for_each(|page| table.add_row([page.word, page.about]));
    let pages: Vec<Value> = PAGES.iter().map(|page| json!({ "page": page.word, "about": page.about })).collect();
    let text = format!(
        "{}\n{}\n{}\n{}",
        output::heading_text("Pages"),
        table.to_text(),
        output::heading_text("Codes of messages"),
        explain::list_codes()
    );
    (json!({ "pages": pages, "codes": codes }), text)
}

/// A code, a function, a page or a word, as fields and as text.
fn explain_subject(subject: &str) -> Result<(Value, String), Problem> {
    if let Some(text) = api::explain(subject) {
        return Ok((json!({ "function": subject.trim(), "text": text }), text));
    }
    if let Some(page) = manual::find_page(subject) {
        let text = page.page_text();
        return Ok((json!({ "page": page.word, "text": text }), text));
    }
    explain::explain_code(subject, output::output_width())
        .map(|text| (find_code(subject.trim()).map_or(Value::Null, code_json), text))
        .or_else(|message| explain_word(subject).ok_or_else(|| unknown_subject_problem(subject, message)))
}

/// The passages of the manual about a word.
fn explain_word(word: &str) -> Option<(Value, String)> {
    let passages = manual::find_passages(word);
    if passages.is_empty() {
        return None;
    }
    let told = |passage: &Passage| {
        let head = output::heading_text(&format!("{}: {}", passage.page.word, passage.heading));
        format!("{head}\n\n{}", passage.passage_text())
    };
    let mut pages: Vec<&str> = passages.iter().map(|passage| passage.page.word).collect();
    pages.dedup();
    let pages: Vec<String> = pages.iter().map(|page| format!("`ludex explain {page}`")).collect();
    let text = passages.iter().map(told).collect::<Vec<_>>().join("\n");
    let text = format!("{text}\nMore: {}\n", pages.join(", "));
    let object =
        |passage: &Passage| json!({ "page": passage.page.word, "heading": passage.heading, "text": passage.passage_text() });
    Some((json!({ "word": word.trim(), "passages": passages.iter().map(object).collect::<Vec<_>>() }), text))
}

/// `message` says why it is no code; it is used for subjects that look like one.
fn unknown_subject_problem(subject: &str, message: String) -> Problem {
    let is_code = subject.trim().to_uppercase().starts_with("LX");
    let message = if is_code { message } else { format!("the manual does not mention `{subject}`") };
    let known = api::names().into_iter().chain(PAGES.iter().map(|page| page.word));
    let help = match nearest_word(subject.trim(), known) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`ludex explain` lists all pages and codes, `ludex show GAME words` the words that a game declares".to_string(),
    };
    Problem::error(codes::COMMAND_LINE, message).help(help)
}

/// A code with its long text, as JSON.
fn code_json(code: &Code) -> Value {
    let mended: Vec<&str> = code.mended.iter().map(|block| block.text).collect();
    json!({
        "code": code.code,
        "title": code.title,
        "explanation": code.explanation,
        "example": code.example,
        "mended": mended.join("\n").trim_end(),
    })
}
