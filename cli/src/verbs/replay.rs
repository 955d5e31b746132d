//! `ludex replay`: a recorded game, played again.

mod moments;
mod reader;
mod retelling;

use crate::args::Common;
use crate::exit::{DONE, PROBLEMS};
use crate::game::loaded::no_such_seat;
use crate::game::{Reopened, reopen};
use crate::output;
use crate::stop::Stop;
use crate::terminal::Screen;
use ludex_engine::codes;
use ludex_engine::json as form;
use ludex_engine::problem::Problem;
use ludex_engine::recording::{Divergence, Entry, Step, TakeBack};
use ludex_engine::runtime::{Event, Pending, Session, Viewer};
use ludex_engine::visible;
use ludex_validator::report::problem_json;
use moments::{Moments, told};
use reader::Reader;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("moment").args(["step", "at"]))]
pub struct Args {
    /// The recording: a file that `play` has stored
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Read it entry by entry: next, back, to a number, to the next turn, with the table at each
    #[arg(long, conflicts_with = "at")]
    step: bool,
    /// Show the events of this entry, and the table after it; 0 is the start
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    /// The number of the seat whose table --step or --at shows; without it, what a spectator sees
    #[arg(long, value_name = "SEAT", requires = "moment")]
    view: Option<usize>,
    /// Print plain lines, for screen readers and pipes
    #[arg(long)]
    plain: bool,
    #[command(flatten)]
    retelling: retelling::Retelling,
}

pub fn run(args: Args, common: &Common) -> Result<u8, Stop> {
    let reopened = reopen(&args.file, common)?;
    if args.retelling.is_wanted() {
        return retelling::run(&args.retelling, &reopened, common);
    }
    if args.step || args.at.is_some() {
        return read(&args, &reopened, common);
    }
    if common.json() { Ok(in_json(&reopened)) } else { in_words(&reopened, &args.file) }
}

/// Reads the recording moment by moment, or shows one of them.
fn read(args: &Args, reopened: &Reopened, common: &Common) -> Result<u8, Stop> {
    let header = &reopened.contents.header;
    let viewer = match args.view {
        None => Viewer::Spectator,
        Some(seat) if seat < header.seats.len() => Viewer::Seat(seat),
        Some(seat) => return Err(Stop::usage(no_such_seat(seat, header.seats.len()))),
    };
    let moments = Moments::of(reopened).map_err(|divergence| reopened.loaded.bad(divergence.into()))?;
    let differs = moments.divergence.as_ref().map(|divergence| told(divergence, &args.file.display().to_string()));
    let reader = Reader { reopened, moments: &moments, viewer, screen: Screen::detect(args.plain) };
    match args.at {
        Some(number) if common.json() => reader.at_in_json(number),
        Some(number) => {
            reopened.loaded.report();
            reader.at(number)
        }
        None if common.json() => {
            let problem = Problem::error(codes::COMMAND_LINE, "`--step` is for people, and has no JSON");
            Err(Stop::usage(problem.help("`--at N` shows one entry as JSON; without either, all events are printed")))
        }
        None => {
            reopened.loaded.report();
            reader.read(differs.as_ref())
        }
    }
}

fn in_words(reopened: &Reopened, file: &Path) -> Result<u8, Stop> {
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
    let differs = |divergence| reopened.loaded.bad(told(&divergence, &file.display().to_string()));
    let session = played.map_err(differs)?;
    if !matches!(session.pending(), Pending::Finished(_)) {
        output::remark("the recording stops here, before the game is over; `ludex play --resume` continues it");
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

/// Replays a recording and shows each step; the first has no entry.
fn play(reopened: &Reopened, mut show: impl FnMut(Option<&Entry>, &Step)) -> Result<Session, Divergence> {
    let (mut replay, start) = reopened.replay()?;
    show(None, &start);
    while let Some((entry, step)) = replay.advance()? {
        show(entry.as_ref(), &step);
    }
    Ok(reopened.finish(replay)?.into_session())
}

/// An event in words; parts of play have no text of their own.
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
        None => problem.message.to_string(),
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
