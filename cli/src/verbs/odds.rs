//! `ludex odds`: the probability of each value of an expression.
//!
//! The engine searches through all results of the dice. If that exceeds the limit of work, it rolls at random instead, and each
//! probability has an interval. Rolls can be divided into shards.

mod amounts;
mod answer;
mod best;
mod machine;
mod numbers;
mod page;
mod rows;
mod text;

use crate::args::{CommonArgs, SeatSpec};
use crate::exit::DONE;
use crate::game::on_interrupt;
use crate::load::{Purpose, refuse_unknown_game};
use crate::shards::{Divisible, MergeableCounts, Pieces};
use crate::stop::Stop;
use crate::verbs::pages;
use crate::verbs::sharding::{self, Sharding};
use crate::{output, work};
use answer::Answer;
use ludex_engine::codes;
use ludex_engine::library::{CompileRequest, Library};
use ludex_engine::odds::{Effort, OddsQuery, Rows, SampleCounts};
use ludex_engine::problem::Problem;
use numbers::Style;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct Args {
    /// The game
    game: String,
    /// The expression to evaluate, such as "2d6 + 1 >= 8"
    ///
    /// Write it in the rules language. It may also contain dice (`3d6`, `(1 + 2) d10`, `2 dice of size 7`) and procedures
    /// of the game that give a value. Dice are the list of their results, or its sum where a number is needed. Only
    /// with --best may it ask a player.
    ///
    /// "highest 3 of 4d6", "count of (5d6 where it >= 5)", "sorted 2d6 = [1, 6]"
    #[arg(value_name = "EXPR", allow_hyphen_values = true)]
    expression: String,
    /// More expressions, to compare in one table
    #[arg(value_name = "EXPR")]
    more: Vec<String>,
    /// Maximum work for exact odds, in units that are the same on every machine; beyond it, Ludex rolls at random and
    /// gives an interval for each share
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = Effort::default().limit, value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,
    /// Stop after this time, such as 10s, 500ms or 2m, with the results so far
    #[arg(long, value_name = "TIME", value_parser = amounts::parse_time)]
    time: Option<Duration>,
    /// Stop the search for exact odds when it needs more memory than this, such as 1GB or 512MB, with the results so
    /// far
    #[arg(long, value_name = "SIZE", value_parser = amounts::parse_memory)]
    memory: Option<u64>,
    /// The number of random rolls
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = Effort::default().samples, value_parser = clap::value_parser!(u64).range(1..))]
    samples: u64,
    /// The seed of these random rolls
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = Effort::default().seed)]
    seed: u64,
    /// Find the best answers to its questions, and its value under best play
    ///
    /// The expression is a number, or yes or no, or `play`: the whole match. Of the sides that are asked, the first in
    /// `sides` wants a high value, and the other a low one.
    #[arg(long)]
    best: bool,
    /// With --best, also show its value if the side that wants it high plays by this policy of the rules
    #[arg(long, value_name = "NAME", requires = "best")]
    policy: Option<String>,
    #[command(flatten)]
    reading: Reading,
    /// Also write a page for browsers with the table and its bars
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    sharding: Sharding,
}

/// How people read the odds.
#[derive(clap::Args, Clone, Copy)]
struct Reading {
    /// Print chances as percentages
    #[arg(long)]
    percent: bool,
    /// Print a row for each value, however many there are
    #[arg(long)]
    all: bool,
}

impl Reading {
    /// The format of tables for people.
    fn table_look(self) -> text::Look {
        text::Look { style: Style { percent: self.percent }, all: self.all }
    }
}

/// The settings that decide the odds, besides the files of the game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Request {
    game: String,
    expression: String,
    mode: Option<String>,
    options: BTreeMap<String, String>,
    seats: Vec<SeatSpec>,
    limit: u64,
    samples: u64,
    seed: u64,
}

/// The number of times each value came, in order of the values.
#[derive(Debug, Serialize, Deserialize)]
pub struct RollCounts(Vec<(Vec<i32>, u64)>);

impl MergeableCounts for RollCounts {
    fn add_counts(&mut self, other: RollCounts) {
        let mut times: SampleCounts = std::mem::take(&mut self.0).into_iter().collect();
        for (value, more) in other.0 {
            *times.entry(value).or_insert(0) += more;
        }
        self.0 = times.into_iter().collect();
    }
}

impl Divisible for Request {
    const VERB: &'static str = "odds";
    const PIECES: Pieces = Pieces { one: "roll", many: "rolls", done: "roll" };
    type Counted = RollCounts;

    fn piece_count(&self) -> u64 {
        self.samples
    }
}

impl Request {
    fn mode_and_options(&self) -> CompileRequest {
        CompileRequest { mode: self.mode.clone(), options: self.options.clone(), open: false }
    }

    /// The effort, with limits that are the same on every machine.
    fn search_effort(&self) -> Effort {
        Effort { limit: self.limit, samples: self.samples, seed: self.seed, ..Effort::default() }
    }

    /// Applies a function to the compiled expression.
    fn with_expression<T>(
        &self,
        common: &CommonArgs,
        of: impl FnMut(&OddsQuery, &Library) -> Result<T, Box<Problem>>,
    ) -> Result<T, Stop> {
        let mut found = self.with_expressions(common, &[self.expression.as_str()], of)?;
        found.pop().ok_or_else(Stop::user_left)
    }

    /// Applies a function to several compiled expressions, one after the other. Each is compiled in the libraries as a source
    /// of its own, so that problems can point into it.
    fn with_expressions<T>(
        &self,
        common: &CommonArgs,
        expressions: &[&str],
        mut of: impl FnMut(&OddsQuery, &Library) -> Result<T, Box<Problem>>,
    ) -> Result<Vec<T>, Stop> {
        let mut loaded = common.load_libraries();
        refuse_unknown_game(&self.game, &loaded.library.game_ids()).map_err(|unknown| loaded.unknown_game_stop(unknown))?;
        let sides = entrants_by_side(&self.seats);
        let needed: Vec<&str> = sides.iter().flatten().map(String::as_str).collect();
        let mut found = Vec::new();
        for expression in expressions {
            let source = loaded.library.sources.add("expression", *expression);
            let asked = loaded.derive_without_errors(&self.game, (Purpose::Looking, &needed), |library| {
                OddsQuery::new(library, &self.game, &self.mode_and_options(), &sides, source)
            });
            match asked.and_then(|asked| of(&asked, &loaded.library).map_err(|problem| vec![*problem])) {
                Ok(one) => found.push(one),
                Err(mut problems) => {
                    // Warnings are for `check`: procedures that only odds use are not errors here.
                    problems.retain(Problem::is_error);
                    return Err(Stop::new(problems, loaded.library.sources.clone()));
                }
            }
        }
        Ok(found)
    }
}

/// Does a shard of the rolls, finds best play, or computes the odds of every expression.
pub fn run(args: Args, common: &CommonArgs) -> Result<u8, Stop> {
    let part = args.sharding.requested_part();
    if part.is_some() {
        shard_conflict(&args).map_or(Ok(()), |problem| Err(Stop::usage_error(problem)))?;
    }
    let CompileRequest { mode, options, .. } = common.requested_settings();
    let Args { game, expression, more, limit, time, memory, samples, seed, reading, html, .. } = &args;
    let (game, expression, seats) = (game.clone(), expression.clone(), common.seats.clone());
    let request = Request { game, expression, mode, options, seats, limit: *limit, samples: *samples, seed: *seed };
    if let Some(part) = part {
        return roll_shard(&request, common, part);
    }
    html.as_deref().map_or(Ok(()), |path| pages::check_page_path(path, page::BEGINNING))?;
    let expressions: Vec<&str> = std::iter::once(&request.expression).chain(more).map(String::as_str).collect();
    let effort = Effort { time: *time, memory: *memory, ..request.search_effort() };
    if args.best {
        return best_play(&args, &request, &effort, common);
    }
    let answers = compute_answers(&request, &expressions, &effort, common)?;
    report_answers(&answers, common, *reading, html.as_deref())?;
    if answers.len() < expressions.len() {
        let (done, asked) = (answers.len(), expressions.len());
        output::print_remark(&format!("interrupted after {done} of {asked} expressions; these are their odds"));
    }
    Ok(work::exit_status(DONE))
}

/// The problem of an option that does not go with `--shard`, if there is one.
fn shard_conflict(args: &Args) -> Option<Problem> {
    let (what, why, help) = if args.time.is_some() {
        ("`--time`", "all shards must do the same work on every machine", "use `--limit`, which is the same everywhere")
    } else if args.memory.is_some() {
        ("`--memory`", "all shards must do the same work on every machine", "use `--limit`, which is the same everywhere")
    } else if !args.more.is_empty() {
        ("several expressions", "a shard holds the rolls of one", "start a run for each expression, with a folder of its own")
    } else if args.best {
        ("`--best`", "it rolls no dice", "leave out `--shard` and `--out`")
    } else if args.html.is_some() {
        ("`--html`", "a shard is only a part of the odds", "leave out `--html`; `ludex merge` prints the odds")
    } else {
        return None;
    };
    Some(conflict_problem("--shard", (what, why, help)))
}

/// The problem of something that does not go with a flag, with the reason and the advice.
fn conflict_problem(flag: &str, (what, why, help): (&str, &str, &str)) -> Problem {
    Problem::error(codes::COMMAND_LINE, format!("`{flag}` cannot be combined with {what}: {why}")).help(help)
}

/// The odds of each expression, or of as many as were done before Ctrl-C.
fn compute_answers(request: &Request, expressions: &[&str], effort: &Effort, common: &CommonArgs) -> Result<Vec<Answer>, Stop> {
    work::keep_what_is_done();
    let began = Instant::now();
    let mut left = expressions.len() as u32;
    let mut number = 0;
    let found = request.with_expressions(common, expressions, |asked, _| {
        // The remaining time is divided equally.
        let time = effort.time.map(|time| time.saturating_sub(began.elapsed()) / left.max(1));
        let effort = Effort { time, interrupt: Some(work::stop_flag()), progress: Some(work::show_progress), ..*effort };
        let is_left_out = number > 0 && work::is_stopped();
        let answer = match is_left_out {
            true => None,
            false => Some(Answer::new(expressions[number], asked.find_odds(&effort)?, &effort)),
        };
        left -= 1;
        number += 1;
        Ok(answer)
    });
    work::clear_progress();
    Ok(found?.into_iter().flatten().collect())
}

/// Prints the value of the expression under best play, and the decisions that lead there.
fn best_play(args: &Args, request: &Request, effort: &Effort, common: &CommonArgs) -> Result<u8, Stop> {
    let refused = match args {
        Args { more, .. } if !more.is_empty() => {
            Some(("several expressions", "each has a table of its own", "ask for one after the other"))
        }
        Args { html: Some(_), .. } => Some((
            "`--html`",
            "a page shows how likely values are",
            "leave out `--html`; `--format csv` prints the decision table",
        )),
        _ => None,
    };
    if let Some(reason) = refused {
        return Err(Stop::usage_error(conflict_problem("--best", reason)));
    }
    let wants_all = args.reading.all || common.is_json() || common.is_csv();
    let rows = if wants_all { Rows::All } else { Rows::Likeliest(best::MOST_ROWS) };
    let policy = args.policy.as_deref();
    on_interrupt();
    let found = request.with_expression(common, |asked, _| {
        let effort = Effort { progress: Some(work::show_progress), ..*effort };
        asked.find_best_play(&effort, policy, rows)
    });
    work::clear_progress();
    let found = found?;
    let (game, mode, expression) = (&found.program.game, &found.program.mode, request.expression.trim());
    if common.is_json() {
        output::print_json(&best::best_play_json(game, mode, expression, &found, effort, policy));
    } else if common.is_csv() {
        let (header, rows) = best::best_play_csv(&found);
        output::print_csv(&header.iter().map(String::as_str).collect::<Vec<_>>(), &rows);
    } else {
        output::print_text(&best::best_play_text(game, expression, &found, effort, policy, args.reading.table_look()));
    }
    Ok(DONE)
}

/// Does some of the rolls, and stores their results.
fn roll_shard(request: &Request, common: &CommonArgs, part: sharding::RequestedPart<'_>) -> Result<u8, Stop> {
    // An interrupted shard is not kept.
    on_interrupt();
    let own = part.part.own_pieces(request.samples);
    let (hash, rolled) =
        request.with_expression(common, |asked, library| match asked.find_exact_odds(&request.search_effort())? {
            None => Ok((library.game_hash(&request.game), Some(asked.sample_values(request.seed, own.clone())?))),
            Some(_) => Ok((String::new(), None)),
        })?;
    let Some(rolled) = rolled else {
        let message = "these odds are exact: no dice are rolled, so there are no parts";
        let help = "leave out `--shard` and `--out`; with a lower `--limit` Ludex rolls at random";
        return Err(Stop::usage_error(Problem::error(codes::COMMAND_LINE, message).help(help)));
    };
    part.write_shard(common, request, hash, &RollCounts(rolled.into_iter().collect()))
}

/// Prints what a single run would have printed. `check_hash` refuses files that differ from those of the shards.
pub fn report_merged(
    request: &Request,
    rolled: RollCounts,
    common: &CommonArgs,
    check_hash: impl FnOnce(&str) -> Result<(), Stop>,
) -> Result<u8, Stop> {
    let mut rolled = Some((rolled.0, check_hash));
    let found = request.with_expression(common, |asked, library| {
        Ok(rolled.take().map(|(rolled, check_hash)| {
            check_hash(&library.game_hash(&request.game))
                .map(|()| asked.odds_from_samples(rolled.into_iter().collect(), request.samples))
        }))
    })?;
    let odds = found.ok_or_else(Stop::user_left)??;
    let answers = [Answer::new(&request.expression, odds, &request.search_effort())];
    report_answers(&answers, common, Reading { percent: false, all: false }, None)?;
    Ok(DONE)
}

/// Prints the odds in the requested format, and writes the page if `file` names one.
fn report_answers(answers: &[Answer], common: &CommonArgs, reading: Reading, file: Option<&Path>) -> Result<(), Stop> {
    let Some(program) = answers.first().map(|answer| &answer.odds.program) else { return Ok(()) };
    let (game, mode) = (program.game.as_str(), program.mode.as_str());
    let look = reading.table_look();
    if common.is_json() {
        output::print_json(&machine::odds_json(game, mode, answers));
    } else if common.is_csv() {
        let (header, rows) = machine::odds_csv(answers);
        output::print_csv(&header.iter().map(String::as_str).collect::<Vec<_>>(), &rows);
    } else {
        output::print_text(&text::odds_text(game, answers, look));
    }
    file.map_or(Ok(()), |path| pages::write_html_page(path, &page::page_html(game, mode, answers, look.style)))
}

/// The entrants of each side, as far as `--seat` names them.
fn entrants_by_side(seats: &[SeatSpec]) -> Vec<Vec<String>> {
    let count = seats.iter().map(|seat| seat.side.saturating_add(1)).max().unwrap_or(0).min(MOST_SIDES);
    let mut sides = vec![Vec::new(); count];
    for seat in seats {
        if let Some(side) = sides.get_mut(seat.side) {
            side.clone_from(&seat.entrants);
        }
    }
    sides
}

/// Upper bound of the number of sides; no game has as many.
const MOST_SIDES: usize = 1_000;
