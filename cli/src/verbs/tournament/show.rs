//! The output of a tournament: standings, duels, the journal, recordings.

use super::context::{Context, Message, wrap_sentence};
use crate::exit::DONE;
use crate::layout::Table;
use crate::output;
use crate::stop::Stop;
use crate::tournament::duel::{Duel, DuelId};
use crate::tournament::journal::Entry;
use crate::tournament::standings::{self as ranks, Row};
use crate::tournament::state::Tournament;
use crate::tournament::{json, name, page, rules, time};
use crate::whole_file::{self, Readers};
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use serde_json::{Value, json};
use std::io;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Standings {
    /// Also write a page for the wall, and update it after every operation
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Stop writing that page
    #[arg(long, conflicts_with = "html")]
    no_html: bool,
}

#[derive(clap::Args)]
pub struct Duels {
    /// List finished duels, too
    #[arg(long)]
    all: bool,
    /// Only the duels of this player
    #[arg(long, value_name = "NAME")]
    of: Option<String>,
}

#[derive(clap::Args)]
pub struct Show {
    /// The number of the duel
    #[arg(value_name = "DUEL")]
    duel: i64,
}

#[derive(clap::Args)]
pub struct Log {
    /// Only this many lines, the latest ones
    #[arg(long, value_name = "N")]
    last: Option<usize>,
}

#[derive(clap::Args)]
pub struct Recording {
    /// The number of the duel
    #[arg(value_name = "DUEL")]
    duel: i64,
    /// The file to write, for `ludex replay`; without one it is printed
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
}

// --- standings -------------------------------------------------------------------

/// Prints the standings, after choosing or dropping the page for the wall.
pub fn show_standings(args: &Standings, context: &Context) -> Result<u8, Stop> {
    if let Some(file) = &args.html {
        page::set_page(&context.store, file)?;
    }
    if args.no_html {
        page::forget_page(&context.store)?;
    }
    let tournament = context.read_tournament()?;
    if context.common.is_json() {
        let message = Message { lines: Vec::new(), fields: json::standings_json(&tournament, context.store.current_time()) };
        return Ok(context.print_message("standings", message));
    }
    output::print_text(&standings_text(&tournament, context));
    Ok(DONE)
}

/// The time left or the result, and a table of the players.
fn standings_text(tournament: &Tournament, context: &Context) -> String {
    let settings = &tournament.settings;
    let left = time::duration_text(settings.deadline.duration_since(context.store.current_time()).as_secs());
    let how_far = tournament
        .final_result()
        .map(|result| wrap_sentence(&result))
        .unwrap_or_else(|| format!("{left} left, until {}", time::local_time_text(settings.deadline)));
    let title = output::heading_text(&format!("{} tournament", settings.game.title));
    let head = [Some(title), tournament.team_text(), Some(how_far)].into_iter().flatten().collect::<Vec<_>>().join("\n");
    let rows = ranks::standing_rows(tournament);
    if rows.is_empty() {
        return format!("{head}\n\nno players have joined yet\n");
    }
    let mut table = Table::default();
    table.add_row(["", "player", "tokens", "won", "lost", ""]);
    rows.iter().for_each(|row| table.add_row(standings_row(tournament, row)));
    format!("{head}\n\n{}", table.to_text())
}

fn standings_row(tournament: &Tournament, row: &Row) -> [String; 6] {
    let numbers = [row.tokens.to_string(), row.won.to_string(), row.lost.to_string()];
    let [tokens, won, lost] = numbers;
    [row.rank.to_string(), tournament.player_name(row.player), tokens, won, lost, row.status.describe_status()]
}

// --- duels -----------------------------------------------------------------------

/// Lists the duels that the flags select.
pub fn list_duels(args: &Duels, context: &Context) -> Result<u8, Stop> {
    let tournament = context.read_tournament()?;
    let player = args.of.as_deref().map(|name| rules::player_named(&tournament, name)).transpose()?.map(|player| player.id);
    let is_wanted = |duel: &&Duel| (args.all || duel.is_open()) && player.is_none_or(|player| duel.side_of(player).is_some());
    let found: Vec<&Duel> = tournament.duels.values().filter(is_wanted).collect();
    let objects: Vec<Value> = found.iter().map(|duel| json::duel_json(&tournament, duel)).collect();
    let message = Message { lines: duel_lines(&tournament, &found), fields: json!({ "duels": objects }) };
    Ok(context.print_message("duels", message))
}

/// A line for each duel with its state.
fn duel_lines(tournament: &Tournament, duels: &[&Duel]) -> Vec<String> {
    if duels.is_empty() {
        return vec!["there are no duels".to_string()];
    }
    let mut table = Table::default();
    for duel in duels {
        let [first, second] = duel.players.map(|player| tournament.player_name(player));
        table.add_row([duel.id.0.to_string(), format!("{first} against {second}"), tournament.status_text(duel)]);
    }
    table_lines(&table)
}

/// Prints a duel, the next step in it, and its journal.
pub fn show_duel(args: &Show, context: &Context) -> Result<u8, Stop> {
    let id = DuelId(args.duel);
    let tournament = context.read_tournament()?;
    let duel = rules::duel_numbered(&tournament, id)?;
    let journal = context.store.load_journal(Some(id))?;
    let is_recorded = context.store.load_recording(id)?.is_some();
    let mut lines = vec![wrap_sentence(&tournament.summary_line(duel))];
    lines.extend(
        duel.both_line_ups().filter(|_| !duel.is_open()).map(|line_ups| wrap_sentence(&tournament.line_ups_text(duel, line_ups))),
    );
    lines.extend(is_recorded.then(|| format!("`ludex tournament recording {} FILE` writes out its recording", id.0)));
    lines.extend(tournament.next_step(duel));
    lines.extend(entry_lines(&tournament, &journal));
    let entries: Vec<Value> = journal.iter().map(|entry| json::entry_json(&tournament, entry)).collect();
    let fields = json!({ "duel": json::duel_json(&tournament, duel), "recorded": is_recorded, "log": entries });
    Ok(context.print_message("show", Message { lines, fields }))
}

// --- journal and recordings ------------------------------------------------------------

/// Prints the journal, or its last entries.
pub fn show_journal(args: &Log, context: &Context) -> Result<u8, Stop> {
    let tournament = context.read_tournament()?;
    let journal = context.store.load_journal(None)?;
    let start = args.last.map_or(0, |last| journal.len().saturating_sub(last));
    let entries = journal.get(start..).unwrap_or_default();
    let objects: Vec<Value> = entries.iter().map(|entry| json::entry_json(&tournament, entry)).collect();
    Ok(context.print_message("log", Message { lines: entry_lines(&tournament, entries), fields: json!({ "log": objects }) }))
}

/// The time, the actor and the event; automatic events have no actor.
fn entry_lines(tournament: &Tournament, entries: &[Entry]) -> Vec<String> {
    let mut table = Table::default();
    for entry in entries {
        let by = entry.by.as_deref().map(name::display_name).unwrap_or_default();
        table.add_row([time::exact_time_text(entry.at), by, entry.describe_entry(tournament)]);
    }
    table_lines(&table)
}

fn table_lines(table: &Table) -> Vec<String> {
    table.to_text().lines().map(str::to_string).collect()
}

/// Writes the recording of a duel to a file, or prints it.
pub fn export_recording(args: &Recording, context: &Context) -> Result<u8, Stop> {
    let id = DuelId(args.duel);
    let tournament = context.read_tournament()?;
    let duel = rules::duel_numbered(&tournament, id)?;
    let Some(text) = context.store.load_recording(id)? else {
        let message = format!("duel {} has no recording: {}", id.0, tournament.status_text(duel));
        let help = "only duels that were played with `ludex tournament play` have one";
        return Err(Problem::error(codes::TOURNAMENT_REFUSED, message).help(help).into());
    };
    let Some(file) = &args.file else {
        output::print_json_lines(&text);
        return Ok(DONE);
    };
    write_new(file, &text)?;
    let line = format!("{}: `ludex replay` plays it again", file.display());
    Ok(context.print_message("recording", Message { lines: vec![line], fields: json!({ "duel": id, "file": file }) }))
}

/// Writes a new file; an existing one is never overwritten.
fn write_new(file: &Path, text: &str) -> Result<(), Problem> {
    whole_file::create_file(file, text, Readers::Owner).map_err(|error| {
        let shown = file.display();
        let (message, help) = match error.kind() {
            io::ErrorKind::AlreadyExists => {
                (format!("`{shown}` already exists"), "choose another name; this command never overwrites a file")
            }
            _ => (format!("`{shown}` cannot be written: {error}"), "choose another name, in a folder that you may write to"),
        };
        Problem::error(codes::FILE_NOT_WRITTEN, message).help(help)
    })
}
