//! `ludex replay`: a recorded game, played again.
//!
//! A replay gives the recorded answers again, and compares the results. A divergence is the first difference: today's files or
//! version play the game differently.

mod moments;
mod reader;
mod retelling;

use crate::args::CommonArgs;
use crate::exit::{DONE, PROBLEMS};
use crate::game::loaded::unknown_seat_problem;
use crate::game::{ReopenedRecording, reopen_recording};
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
use moments::{Moments, divergence_problem};
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

pub fn run(args: Args, common: &CommonArgs) -> Result<u8, Stop> {
    let reopened = reopen_recording(&args.file, common)?;
    if args.retelling.is_wanted() {
        return retelling::run(&args.retelling, &reopened, common);
    }
    if args.step || args.at.is_some() {
        return read_moments(&args, &reopened, common);
    }
    if common.is_json() { Ok(print_events_json(&reopened)) } else { print_events(&reopened, &args.file) }
}

/// Reads the recording moment by moment, or shows one of them.
fn read_moments(args: &Args, reopened: &ReopenedRecording, common: &CommonArgs) -> Result<u8, Stop> {
    let header = &reopened.contents.header;
    let viewer = match args.view {
        None => Viewer::Spectator,
        Some(seat) if seat < header.seats.len() => Viewer::Seat(seat),
        Some(seat) => return Err(Stop::usage_error(unknown_seat_problem(seat, header.seats.len()))),
    };
    let moments = Moments::from_recording(reopened).map_err(|divergence| reopened.loaded.stop_with_problem(divergence.into()))?;
    let differs = moments.divergence.as_ref().map(|divergence| divergence_problem(divergence, &args.file.display().to_string()));
    let reader = Reader { reopened, moments: &moments, viewer, screen: Screen::detect(args.plain) };
    match args.at {
        Some(number) if common.is_json() => reader.print_moment_json(number),
        Some(number) => {
            reopened.loaded.print_warnings();
            reader.show_moment(number)
        }
        None if common.is_json() => {
            let problem = Problem::error(codes::COMMAND_LINE, "`--step` is for people, and has no JSON");
            Err(Stop::usage_error(problem.help("`--at N` shows one entry as JSON; without either, all events are printed")))
        }
        None => {
            reopened.loaded.print_warnings();
            reader.read_commands(differs.as_ref())
        }
    }
}

/// Prints every event with its number, up to a divergence, which is the error.
fn print_events(reopened: &ReopenedRecording, file: &Path) -> Result<u8, Stop> {
    reopened.loaded.print_warnings();
    let mut number = 0;
    let played = replay_steps(reopened, |entry, step| {
        if let Some(Entry::TakenBack { undo }) = entry {
            number += 1;
            output::print_line(&format!("{number:>5}  {}", take_back_text(undo)));
        }
        for event in &step.events {
            number += 1;
            output::print_line(&format!("{number:>5}  {}", visible::clean_line(&event_sentence(event))));
        }
    });
    let differs = |divergence| reopened.loaded.stop_with_problem(divergence_problem(&divergence, &file.display().to_string()));
    let session = played.map_err(differs)?;
    if !matches!(session.pending(), Pending::Finished(_)) {
        output::print_remark("the recording stops here, before the game is over; `ludex play --resume` continues it");
    }
    Ok(DONE)
}

/// Prints the events and the outcome as one object. A divergence is part of it, and fails.
fn print_events_json(reopened: &ReopenedRecording) -> u8 {
    let mut events: Vec<Value> = Vec::new();
    let played = replay_steps(reopened, |entry, step| {
        if let Some(Entry::TakenBack { undo }) = entry {
            let number = events.len() + 1;
            let text = take_back_text(undo);
            events.push(
                json!({ "type": "event", "n": number, "kind": "taken_back", "seat": undo.seat, "entry": undo.to, "text": text }),
            );
        }
        for event in &step.events {
            let number = events.len() as u64 + 1;
            events.push(Value::Object(form::event_json(event, number)));
        }
    });
    let header = &reopened.contents.header;
    let warnings = reopened.loaded.warnings.iter().chain(&reopened.loaded.notes).map(warning_text);
    let warnings: Vec<String> = reopened.damage.iter().cloned().chain(warnings).collect();
    let (outcome, divergence, problems) = match &played {
        Ok(session) => (outcome_json(session), Value::Null, Vec::new()),
        Err(divergence) => {
            let problem = Problem::from(divergence.clone());
            (Value::Null, divergence_json(divergence), vec![problem_json(&problem, &reopened.loaded.sources)])
        }
    };
    output::print_json(&json!({
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
fn replay_steps(reopened: &ReopenedRecording, mut show: impl FnMut(Option<&Entry>, &Step)) -> Result<Session, Divergence> {
    let (mut replay, start) = reopened.start_replay()?;
    show(None, &start);
    while let Some((entry, step)) = replay.play_next()? {
        show(entry.as_ref(), &step);
    }
    Ok(reopened.finish_replay(replay)?.into_session())
}

/// An event in words; parts of play have no text of their own.
fn event_sentence(event: &Event) -> String {
    if !event.text.is_empty() {
        return event.text.clone();
    }
    form::event_facts(event)
        .values()
        .map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_string))
        .collect::<Vec<_>>()
        .join(" ")
}

/// A take-back in words: everything after that answer is undone.
fn take_back_text(undo: &TakeBack) -> String {
    format!("seat {} goes back to its answer in entry {}", undo.seat, undo.to)
}

/// A warning on one line.
fn warning_text(problem: &Problem) -> String {
    match &problem.help {
        Some(help) => format!("{}: {help}", problem.message),
        None => problem.message.to_string(),
    }
}

/// The outcome of the game; null if it is not over.
fn outcome_json(session: &Session) -> Value {
    match session.pending() {
        Pending::Finished(outcome) => Value::Object(form::outcome_json(outcome)),
        _ => Value::Null,
    }
}

fn divergence_json(divergence: &Divergence) -> Value {
    json!({ "entry": divergence.entry, "expected": divergence.expected, "found": divergence.found })
}
