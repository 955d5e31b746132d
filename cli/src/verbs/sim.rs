//! `ludex sim`: statistics of many games between bots.

mod compare;
mod kept;
mod page;

use crate::args::Common;
use crate::exit::{DONE, PROBLEMS};
use crate::game::on_interrupt;
use crate::layout::grouped;
use crate::simulation::{self, Prepared, Request, Rows, Tally};
use crate::stop::Stop;
use crate::verbs::sharding::{Asked, Sharding};
use crate::{output, work};
use kept::keep_troubles;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use std::num::NonZero;
use std::ops::Range;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Args {
    /// The game
    game: String,
    /// How many games to play
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// The seed of all chance; the same seed gives the same results
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many games to play at a time; the results do not depend on it
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    /// Play every pair, in either order; teams are drawn again for each game
    #[arg(long)]
    all_pairs: bool,
    /// How many each drawn side brings; if you leave it out, as few as the game allows
    #[arg(long, value_name = "N")]
    team_size: Option<NonZero<usize>>,
    /// Look for errors of the engine and the rules while playing; much slower, so play fewer games
    #[arg(long)]
    check: bool,
    /// Count the moves, the abilities used, and the events that the rules announce
    #[arg(long)]
    usage: bool,
    /// Report the mean of a counter at the end of the games, of the sides or of the table; may be given several times
    #[arg(long, value_name = "NAME")]
    count: Vec<String>,
    /// Write a row for each game to a file: .jsonl, or .parquet if Ludex was built with it; a shard adds its number to
    /// the name
    #[arg(long, value_name = "FILE")]
    rows: Option<PathBuf>,
    /// With --all-pairs: also write a page for browsers that shows who wins against whom
    #[arg(long, value_name = "FILE", requires = "all_pairs")]
    html: Option<PathBuf>,
    /// Play the same games in variants, and report the differences: OPTION=3,5, mode=A,B, a seat as in --seat, or a
    /// folder or zip that changes the game. A single value is compared with the game without it (repeatable)
    #[arg(long, value_name = "WHAT")]
    compare: Vec<String>,
    #[command(flatten)]
    sharding: Sharding,
}

impl Args {
    fn request(&self, common: &Common) -> Request {
        Request {
            game: self.game.clone(),
            mode: common.mode.clone(),
            options: common.options.iter().cloned().collect(),
            seats: common.seats.clone(),
            referee: common.referee.clone(),
            games: self.games,
            seed: self.seed,
            all_pairs: self.all_pairs,
            team_size: self.team_size,
            check: self.check,
            usage: self.usage,
            count: self.count.clone(),
        }
    }
}

pub fn run(args: Args, common: &Common) -> Result<u8, Stop> {
    let request = args.request(common);
    if !args.compare.is_empty() {
        refuse_beside_compare(&args).map_or(Ok(()), |problem| Err(Stop::usage(problem)))?;
        return compare::run(common, &request, &args.compare, args.threads);
    }
    match args.sharding.asked() {
        Some(asked) => {
            let rows = args.rows.as_ref().map(|path| asked.part.own_file(path));
            play_shard(common, &request, asked, args.threads, rows.as_deref())
        }
        None => play_all(common, &request, args.threads, &Files { rows: args.rows.as_deref(), html: args.html.as_deref() }),
    }
}

/// The files written besides the report.
struct Files<'f> {
    rows: Option<&'f Path>,
    html: Option<&'f Path>,
}

/// Plays all games, or as many as were done before Ctrl-C.
fn play_all(common: &Common, request: &Request, threads: Option<NonZero<usize>>, files: &Files<'_>) -> Result<u8, Stop> {
    // A program may never answer, so Ctrl-C ends it at once and discards the counts.
    match request.has_programs() {
        true => on_interrupt(),
        false => work::keep_what_is_done(),
    }
    let mut prepared = request.prepare(common)?;
    files.html.map_or(Ok(()), |path| page::check(path, &prepared.plan))?;
    let rows = rows(files.rows, &prepared, 0..request.games)?;
    prepared.rows = rows.as_ref();
    let bar = work::bar(request.games, "games");
    let tally = prepared.play(0..request.games, threads, &|games| bar.inc(games));
    bar.finish_and_clear();
    let tally = tally?;
    if let Some(rows) = rows.as_ref().filter(|_| !work::is_stopped()) {
        rows.finish().map_err(|problem| Stop::from(*problem))?;
    }
    if work::is_stopped() {
        prepared.plan = prepared.plan.up_to(tally.all.games + tally.faults);
    }
    let status = report(common, &prepared, &tally);
    files.html.map_or(Ok(()), |path| page::write(path, &prepared, &tally))?;
    if work::is_stopped() {
        let (played, asked) = (grouped(prepared.plan.games), grouped(request.games));
        output::remark(&format!("interrupted after {played} of {asked} games; these are their results"));
        if files.rows.is_some() {
            output::remark("no rows are written, as some games are missing");
        }
    }
    Ok(work::status(status))
}

/// Plays one shard and stores its counts. Problems of games are reported when the shards are merged.
fn play_shard(
    common: &Common,
    request: &Request,
    asked: Asked<'_>,
    threads: Option<NonZero<usize>>,
    file: Option<&Path>,
) -> Result<u8, Stop> {
    // An interrupted shard is not kept.
    on_interrupt();
    let mut prepared = request.prepare(common)?;
    prepared.plan = prepared.plan.repeatable("--shard")?;
    let games = asked.part.pieces(request.games);
    let rows = rows(file, &prepared, games.clone())?;
    prepared.rows = rows.as_ref();
    let bar = work::bar(games.end - games.start, "games");
    let tally = prepared.play(games, threads, &|games| bar.inc(games));
    bar.finish_and_clear();
    let tally = tally?;
    if let Some(rows) = &rows {
        rows.finish().map_err(|problem| Stop::from(*problem))?;
    }
    asked.write(common, request, prepared.program.hash.clone(), &tally.into())
}

/// The file for the rows of some games, if one was requested.
fn rows(file: Option<&Path>, prepared: &Prepared<'_>, games: Range<u64>) -> Result<Option<Rows>, Stop> {
    let create = |path| Rows::create(path, prepared.plan.players.len(), &games);
    file.map(create).transpose().map_err(|problem| Stop::usage(*problem))
}

/// Reports the counts. Returns the exit status.
pub fn report(common: &Common, prepared: &Prepared<'_>, tally: &Tally) -> u8 {
    let (program, plan, wanted) = (&prepared.program, &prepared.plan, prepared.wanted());
    if common.json() {
        output::json(&simulation::json(program, plan, wanted, tally));
    } else if common.csv() {
        let (header, rows) = simulation::csv(program, plan, tally);
        output::csv(header, &rows);
    } else {
        output::print(&simulation::text(program, plan, wanted, tally));
    }
    keep_troubles(prepared, tally);
    if tally.is_clean() { DONE } else { PROBLEMS }
}

/// The problem of an option that does not go with `--compare`, if there is one.
fn refuse_beside_compare(args: &Args) -> Option<Problem> {
    let (flag, why, help) = if args.sharding.asked().is_some() {
        let why = "`ludex merge` combines the results of one game, and differences are of several";
        ("--shard", why, "leave out `--shard`; `--threads` uses the cores of this machine")
    } else if args.check {
        ("--check", "a check looks for mistakes in one game, not for differences", "check each variant by itself")
    } else if args.rows.is_some() {
        ("--rows", "the rows are of one game", "leave out `--rows`, or write those of each variant by itself")
    } else if args.html.is_some() {
        ("--html", "the page is of one game", "leave out `--html`, or write a page for each variant by itself")
    } else if args.usage {
        ("--usage", "usage is not compared", "leave out `--usage`, and count it for each variant by itself")
    } else {
        return None;
    };
    let message = format!("`--compare` cannot be combined with `{flag}`: {why}");
    Some(Problem::error(codes::COMMAND_LINE, message).help(help))
}
