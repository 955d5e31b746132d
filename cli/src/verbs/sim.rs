//! `ludex sim`: statistics of many games between bots.
//!
//! Bots play the games on all cores, and a report shows the counts, see `simulation`. The games can be divided into shards, or
//! compared with those of variants.

mod compare;
mod faulty_games;
mod page;

use crate::args::CommonArgs;
use crate::exit::{DONE, PROBLEMS};
use crate::game::on_interrupt;
use crate::layout::group_digits;
use crate::simulation::{self, PreparedRequest, Request, Rows, Tally};
use crate::stop::Stop;
use crate::verbs::sharding::{RequestedPart, Sharding};
use crate::{output, work};
use faulty_games::store_troubles;
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
    /// The request, which decides the result together with the files of the game.
    fn to_request(&self, common: &CommonArgs) -> Request {
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

/// Compares variants, plays a shard, or plays all games.
pub fn run(args: Args, common: &CommonArgs) -> Result<u8, Stop> {
    let request = args.to_request(common);
    if !args.compare.is_empty() {
        compare_conflict(&args).map_or(Ok(()), |problem| Err(Stop::usage_error(problem)))?;
        return compare::run(common, &request, &args.compare, args.threads);
    }
    match args.sharding.requested_part() {
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
fn play_all(common: &CommonArgs, request: &Request, threads: Option<NonZero<usize>>, files: &Files<'_>) -> Result<u8, Stop> {
    // A program may never answer, so Ctrl-C ends it at once and discards the counts.
    match request.has_programs() {
        true => on_interrupt(),
        false => work::keep_what_is_done(),
    }
    let mut prepared = request.prepare_game(common)?;
    files.html.map_or(Ok(()), |path| page::check_pairs_page(path, &prepared.plan))?;
    let rows = create_rows(files.rows, &prepared, 0..request.games)?;
    prepared.rows = rows.as_ref();
    let bar = work::progress_bar(request.games, "games");
    let tally = prepared.play_games(0..request.games, threads, &|games| bar.inc(games));
    bar.finish_and_clear();
    let tally = tally?;
    if let Some(rows) = rows.as_ref().filter(|_| !work::is_stopped()) {
        rows.finish_file().map_err(|problem| Stop::from(*problem))?;
    }
    if work::is_stopped() {
        prepared.plan = prepared.plan.limited_to(tally.all.games + tally.faults);
    }
    let status = report_tally(common, &prepared, &tally);
    files.html.map_or(Ok(()), |path| page::write_pairs_page(path, &prepared, &tally))?;
    if work::is_stopped() {
        let (played, asked) = (group_digits(prepared.plan.games), group_digits(request.games));
        output::print_remark(&format!("interrupted after {played} of {asked} games; these are their results"));
        if files.rows.is_some() {
            output::print_remark("no rows are written, as some games are missing");
        }
    }
    Ok(work::exit_status(status))
}

/// Plays one shard and stores its counts. Problems of games are reported when the shards are merged. `file` is that for the
/// rows of this shard.
fn play_shard(
    common: &CommonArgs,
    request: &Request,
    asked: RequestedPart<'_>,
    threads: Option<NonZero<usize>>,
    file: Option<&Path>,
) -> Result<u8, Stop> {
    // An interrupted shard is not kept.
    on_interrupt();
    let mut prepared = request.prepare_game(common)?;
    prepared.plan = prepared.plan.ensure_repeatable("--shard")?;
    let games = asked.part.own_pieces(request.games);
    let rows = create_rows(file, &prepared, games.clone())?;
    prepared.rows = rows.as_ref();
    let bar = work::progress_bar(games.end - games.start, "games");
    let tally = prepared.play_games(games, threads, &|games| bar.inc(games));
    bar.finish_and_clear();
    let tally = tally?;
    if let Some(rows) = &rows {
        rows.finish_file().map_err(|problem| Stop::from(*problem))?;
    }
    asked.write_shard(common, request, prepared.program.hash.clone(), &tally.into())
}

/// The file for the rows of some games, if one was requested.
fn create_rows(file: Option<&Path>, prepared: &PreparedRequest<'_>, games: Range<u64>) -> Result<Option<Rows>, Stop> {
    let create = |path| Rows::create(path, prepared.plan.players.len(), &games);
    file.map(create).transpose().map_err(|problem| Stop::usage_error(*problem))
}

/// Reports the counts. Returns the exit status.
pub fn report_tally(common: &CommonArgs, prepared: &PreparedRequest<'_>, tally: &Tally) -> u8 {
    let (program, plan, wanted) = (&prepared.program, &prepared.plan, prepared.report_parts());
    if common.is_json() {
        output::print_json(&simulation::simulation_json(program, plan, wanted, tally));
    } else if common.is_csv() {
        let (header, rows) = simulation::result_table(program, plan, tally);
        output::print_csv(header, &rows);
    } else {
        output::print_text(&simulation::simulation_text(program, plan, wanted, tally));
    }
    store_troubles(prepared, tally);
    if tally.is_clean() { DONE } else { PROBLEMS }
}

/// The problem of an option that does not go with `--compare`, if there is one.
fn compare_conflict(args: &Args) -> Option<Problem> {
    let (flag, why, help) = if args.sharding.requested_part().is_some() {
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
