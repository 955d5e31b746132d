//! `ludex replay`

mod retelling;

use crate::args::Common;
use crate::exit::{DONE, PROBLEMS};
use crate::game::{Reopened, reopen};
use crate::output;
use crate::stop::Stop;
use ludex_engine::json as form;
use ludex_engine::problem::Problem;
use ludex_engine::recording::{Divergence, Entry, Step, TakeBack};
use ludex_engine::runtime::{Event, Pending, Session};
use ludex_engine::visible;
use ludex_validator::report::problem_json;
use serde_json::{Value, json};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// The recording: a file that `play` has kept
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    retelling: retelling::Retelling,
}

pub fn run(args: Args, common: &Common) -> Result<u8, Stop> {
    let reopened = reopen(&args.file, common)?;
    if args.retelling.is_wanted() {
        return retelling::run(&args.retelling, &reopened, common);
    }
    if common.json() { Ok(in_json(&reopened)) } else { in_words(&reopened) }
}

fn in_words(reopened: &Reopened) -> Result<u8, Stop> {
    reopened.loaded.report();
    let mut number = 0;
    let played = play(reopened, |entry, step| {
        if let Some(Entry::TakenBack { undo }) = entry {
            number += 1;
            output::line(&format!("{number:>5}  {}", taken_back(undo)));
        }
        for event in &step.events {
            number += 1;
            output::line(&format!("{number:>5}  {}", visible::line(&sentence(event))));
        }
    });
    let session = played.map_err(|divergence| reopened.loaded.bad(Problem::from(divergence)))?;
    if !matches!(session.pending(), Pending::Finished(_)) {
        output::remark("the recording stops here, before the game is over; `ludex play --resume` goes on with it");
    }
    Ok(DONE)
}

fn in_json(reopened: &Reopened) -> u8 {
    let mut events: Vec<Value> = Vec::new();
    let played = play(reopened, |entry, step| {
        if let Some(Entry::TakenBack { undo }) = entry {
            let number = events.len() + 1;
            let text = taken_back(undo);
            events.push(
                json!({ "type": "event", "n": number, "kind": "taken_back", "seat": undo.seat, "entry": undo.to, "text": text }),
            );
        }
        for event in &step.events {
            let number = events.len() as u64 + 1;
            events.push(Value::Object(form::event(event, number)));
        }
    });
    let header = &reopened.contents.header;
    let warnings = reopened.loaded.warnings.iter().chain(&reopened.loaded.notes).map(warning);
    let warnings: Vec<String> = reopened.damage.iter().cloned().chain(warnings).collect();
    let (outcome, divergence, problems) = match &played {
        Ok(session) => (outcome(session), Value::Null, Vec::new()),
        Err(divergence) => {
            let problem = Problem::from(divergence.clone());
            (Value::Null, diverged(divergence), vec![problem_json(&problem, &reopened.loaded.sources)])
        }
    };
    output::json(&json!({
        "ludex": 1,
        "command": "replay",
        "game": header.game,
        "mode": header.mode,
        "options": header.options,
        "seats": header.seats,
        "package_hash": header.package_hash,
        "generator": header.generator,
        "warnings": warnings,
        "events": events,
        "outcome": outcome,
        "divergence": divergence,
        "problems": problems,
    }));
    if played.is_ok() { DONE } else { PROBLEMS }
}

/// Plays a recording again and shows each step; the first has no entry.
fn play(reopened: &Reopened, mut show: impl FnMut(Option<&Entry>, &Step)) -> Result<Session, Divergence> {
    let (mut replay, start) = reopened.replay()?;
    show(None, &start);
    while let Some((entry, step)) = replay.advance()? {
        show(entry.as_ref(), &step);
    }
    Ok(reopened.finish(replay)?.into_session())
}

/// What happened, in words; parts of play have none of their own.
fn sentence(event: &Event) -> String {
    if !event.text.is_empty() {
        return event.text.clone();
    }
    form::facts(event)
        .values()
        .map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_string))
        .collect::<Vec<_>>()
        .join(" ")
}

fn taken_back(undo: &TakeBack) -> String {
    format!("seat {} goes back to its answer in entry {}", undo.seat, undo.to)
}

fn warning(problem: &Problem) -> String {
    match &problem.help {
        Some(help) => format!("{}: {help}", problem.message),
        None => problem.message.clone(),
    }
}

fn outcome(session: &Session) -> Value {
    match session.pending() {
        Pending::Finished(outcome) => Value::Object(form::outcome(outcome)),
        _ => Value::Null,
    }
}

fn diverged(divergence: &Divergence) -> Value {
    json!({ "entry": divergence.entry, "expected": divergence.expected, "found": divergence.found })
}
