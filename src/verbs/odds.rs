//! `ludex odds`: how likely each value of an expression is.

use crate::args::{Common, SeatSpec};
use crate::exit::DONE;
use crate::layout::grouped;
use crate::load::known_game;
use crate::shards::{Counted, Divisible, Pieces};
use crate::simulation::Share;
use crate::stop::Stop;
use crate::verbs::sharding::{self, Sharding};
use crate::{layout, output};
use ludex_engine::codes;
use ludex_engine::library::Wanted;
use ludex_engine::odds::{Asked, Effort, Found, Fraction, Odds, Times, ValueOdds};
use ludex_engine::problem::Problem;
use ludex_engine::program::Shape;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

#[derive(clap::Args)]
pub struct Args {
    /// The game
    game: String,
    /// The expression to work out, such as "2d6 + 1 >= 8"
    ///
    /// Write it in the rules language. It may also contain dice (`3d6`, `(1 + 2) d10`, `2 dice of size 7`) and procedures
    /// of the game that give something. Dice are the list of what they show, or its sum where a number is needed. Nothing
    /// in it may ask a player.
    ///
    /// "highest of 3d20", "count of (5d6 where it >= 5)", "sorted 2d6 = [1, 6]"
    #[arg(value_name = "EXPR", allow_hyphen_values = true)]
    expression: String,
    /// The most throws to look at; if there are more, Ludex rolls at random and gives an interval for each share
    #[arg(long, value_name = "N", default_value_t = Effort::default().limit, value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,
    /// How often it rolls at random then
    #[arg(long, value_name = "N", default_value_t = Effort::default().samples, value_parser = clap::value_parser!(u64).range(1..))]
    samples: u64,
    /// The seed of these random rolls
    #[arg(long, value_name = "N", default_value_t = Effort::default().seed)]
    seed: u64,
    #[command(flatten)]
    sharding: Sharding,
}

/// The decimals that people read.
const DECIMALS: u32 = 6;

/// Whatever decides the odds, besides the files of the game.
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

/// How often each value came, the lowest first.
#[derive(Debug, Serialize, Deserialize)]
pub struct Rolled(Vec<(Vec<i32>, u64)>);

impl Counted for Rolled {
    fn add(&mut self, other: Rolled) {
        let mut times: Times = std::mem::take(&mut self.0).into_iter().collect();
        for (value, more) in other.0 {
            *times.entry(value).or_insert(0) += more;
        }
        self.0 = times.into_iter().collect();
    }
}

impl Divisible for Request {
    const VERB: &'static str = "odds";
    const PIECES: Pieces = Pieces { one: "roll", many: "rolls", done: "roll" };
    type Counted = Rolled;

    fn pieces(&self) -> u64 {
        self.samples
    }
}

impl Request {
    fn wanted(&self) -> Wanted {
        Wanted { mode: self.mode.clone(), options: self.options.clone(), open: false }
    }

    /// Does something with the expression, once it is compiled.
    fn work<T>(&self, common: &Common, of: impl FnOnce(&Asked) -> Result<T, Box<Problem>>) -> Result<T, Stop> {
        let mut loaded = common.load();
        known_game(&self.game, &loaded.library.games()).map_err(|unknown| loaded.without_game(unknown))?;
        loaded.tell_strays();
        let library = &mut loaded.library;
        let source = library.sources.add("expression", self.expression.as_str());
        let asked = Asked::new(library, &self.game, &self.wanted(), &sides(&self.seats), source);
        let found = asked.and_then(|asked| of(&asked).map_err(|problem| vec![*problem]));
        // Warnings are for `check`: procedures that only odds ask for are no mistake here.
        let mut problems: Vec<Problem> = loaded.problems.iter().filter(|problem| problem.is_error()).cloned().collect();
        match found {
            Ok(found) if problems.is_empty() => Ok(found),
            found => {
                problems.extend(found.err().into_iter().flatten().filter(Problem::is_error));
                Err(Stop::new(problems, loaded.library.sources.clone()))
            }
        }
    }
}

pub fn run(args: Args, common: &Common) -> Result<u8, Stop> {
    let Wanted { mode, options, .. } = common.wanted();
    let Args { game, expression, limit, samples, seed, sharding } = args;
    let request = Request { game, expression, mode, options, seats: common.seats.clone(), limit, samples, seed };
    if let Some(part) = sharding.asked() {
        return shard(&request, common, part);
    }
    let effort = Effort { limit, samples, seed, ..Effort::default() };
    let odds = request.work(common, |asked| asked.answer(&effort))?;
    Ok(report(&request, &odds, common))
}

/// Does some of the rolls, and writes down what came of them.
fn shard(request: &Request, common: &Common, part: sharding::Asked<'_>) -> Result<u8, Stop> {
    let own = part.part.pieces(request.samples);
    let (hash, rolled) =
        request.work(common, |asked| match asked.exact(&Effort { limit: request.limit, ..Effort::default() })? {
            None => Ok((asked.hash().to_string(), Some(asked.tried(request.seed, own)?))),
            Some(_) => Ok((String::new(), None)),
        })?;
    let Some(rolled) = rolled else {
        let message = "these odds are exact: nothing is rolled, so there are no parts";
        let help = "leave out `--shard` and `--out`; with a lower `--limit` Ludex rolls at random";
        return Err(Stop::usage(Problem::error(codes::COMMAND_LINE, message).help(help)));
    };
    part.write(common, request, hash, &Rolled(rolled.into_iter().collect()))
}

/// Prints what one run would have printed. `check_hash` refuses the files that are here if the shards are not of them.
pub fn merged(
    request: &Request,
    rolled: Rolled,
    common: &Common,
    check_hash: impl FnOnce(&str) -> Result<(), Stop>,
) -> Result<u8, Stop> {
    let found = request.work(common, |asked| {
        Ok(check_hash(asked.hash()).map(|()| asked.of_tries(rolled.0.into_iter().collect(), request.samples)))
    })?;
    Ok(report(request, &found?, common))
}

fn report(request: &Request, odds: &Odds, common: &Common) -> u8 {
    let report = Report { args: request, odds };
    if common.json() {
        output::json(&report.json());
    } else if common.csv() {
        let (header, rows) = report.csv();
        output::csv(header, &rows);
    } else {
        output::print(&report.text());
    }
    DONE
}

/// Who stands on each side, as far as `--seat` says.
fn sides(seats: &[SeatSpec]) -> Vec<Vec<String>> {
    let count = seats.iter().map(|seat| seat.side.saturating_add(1)).max().unwrap_or(0).min(MOST_SIDES);
    let mut sides = vec![Vec::new(); count];
    for seat in seats {
        if let Some(side) = sides.get_mut(seat.side) {
            side.clone_from(&seat.entrants);
        }
    }
    sides
}

/// More sides than any game has.
const MOST_SIDES: usize = 1_000;

struct Report<'a> {
    args: &'a Request,
    odds: &'a Odds,
}

impl Report<'_> {
    fn text(&self) -> String {
        let mut text = format!("{}: {}\n", self.odds.program.game, self.args.expression.trim());
        if let Found::ByTrying { samples } = self.odds.found {
            let note = format!(
                "There are more than {} throws to look at, so Ludex rolled {} times at random, seed {}: each share is \
                 between its bounds with 95 % confidence.",
                grouped(self.args.limit),
                grouped(samples),
                self.args.seed
            );
            text.push_str(&format!("\n{}\n", layout::wrapped(&note, output::width(), 0)));
        }
        text.push_str(&format!("\n{}", aligned(&self.rows())));
        if let (Some(mean), Some(variance)) = (self.odds.mean(), self.odds.variance()) {
            let number = |number: &Fraction| match self.odds.found {
                Found::Exactly { .. } => format!("{number} ({})", number.decimal(DECIMALS)),
                _ => format!("about {}", number.decimal(3)),
            };
            text.push_str(&format!("\nmean {}, variance {}\n", number(&mean), number(&variance)));
        }
        text
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let numbers = self.odds.are_numbers();
        let exact = matches!(self.odds.found, Found::Exactly { .. });
        let mut heading = match exact {
            true => vec![String::new(), "chance".to_string(), String::new()],
            false => vec![String::new(), "share".to_string(), "from".to_string(), "to".to_string()],
        };
        if numbers {
            heading.push("at least".to_string());
        }
        let values = self.odds.values.iter().zip(self.at_least());
        let rows = values.map(|(value, at_least)| {
            let mut row = vec![value.shown.clone()];
            match self.share(value) {
                Some(share) => row.extend([share.rate, share.low, share.high].map(|share| format!("{share:.6}"))),
                None => row.extend([value.share.to_string(), value.share.decimal(DECIMALS)]),
            }
            match (numbers, exact) {
                (true, true) => row.extend([at_least.to_string(), at_least.decimal(DECIMALS)]),
                (true, false) => row.push(at_least.decimal(DECIMALS)),
                (false, _) => {}
            }
            row
        });
        std::iter::once(heading).chain(rows).collect()
    }

    /// For each value how likely it is that one is at least that.
    fn at_least(&self) -> Vec<Fraction> {
        let mut sum = Fraction::zero();
        let mut sums: Vec<Fraction> = Vec::new();
        for value in self.odds.values.iter().rev() {
            sum.add(&value.share);
            sums.push(sum.reduced());
        }
        sums.reverse();
        sums
    }

    /// The share of the tries, if chance was tried.
    fn share(&self, value: &ValueOdds) -> Option<Share> {
        match self.odds.found {
            Found::ByTrying { samples } => Some(Share::of(value.times, samples)),
            _ => None,
        }
    }

    fn json(&self) -> Value {
        let values: Vec<Value> =
            self.odds.values.iter().zip(self.at_least()).map(|(value, at_least)| self.value_json(value, &at_least)).collect();
        let mut report = json!({
            "ludex": 1,
            "command": "odds",
            "game": self.odds.program.game,
            "mode": self.odds.program.mode,
            "expression": self.args.expression,
            "exact": matches!(self.odds.found, Found::Exactly { .. }),
        });
        let mut add = |key: &str, value: Value| report[key] = value;
        match self.odds.found {
            Found::Exactly { work, .. } => add("work", work.into()),
            Found::Between { .. } => {}
            Found::ByTrying { samples } => {
                add("samples", samples.into());
                add("seed", self.args.seed.into());
                add("limit", self.args.limit.into());
            }
        }
        add("values", values.into());
        if let (Some(mean), Some(variance)) = (self.odds.mean(), self.odds.variance()) {
            add("mean", fraction_json(&mean));
            add("variance", fraction_json(&variance));
        }
        report
    }

    fn value_json(&self, value: &ValueOdds, at_least: &Fraction) -> Value {
        let mut row = json!({ "value": self.plain(value) });
        match self.share(value) {
            Some(share) => {
                row["times"] = value.times.into();
                row["share"] = json!(share.rate);
                row["low"] = json!(share.low);
                row["high"] = json!(share.high);
            }
            None => {
                row["fraction"] = value.share.to_string().into();
                row["decimal"] = json!(value.share.to_f64());
            }
        }
        if self.odds.are_numbers() {
            row["at_least"] = fraction_json(at_least);
        }
        row
    }

    /// A row for each value. Shares that were tried have bounds; exact ones have themselves as a fraction.
    fn csv(&self) -> (&'static [&'static str], Vec<Vec<String>>) {
        let rows = self.odds.values.iter().zip(self.at_least()).map(|(value, at_least)| {
            let (fraction, numbers) = match self.share(value) {
                Some(share) => (String::new(), [share.rate, share.low, share.high]),
                None => (value.share.to_string(), [value.share.to_f64(); 3]),
            };
            let at_least = if self.odds.are_numbers() { at_least.to_f64().to_string() } else { String::new() };
            let numbers = numbers.map(|number| number.to_string());
            [value.shown.clone(), fraction].into_iter().chain(numbers).chain([at_least]).collect()
        });
        (&["value", "fraction", "share", "low", "high", "at_least"], rows.collect())
    }

    /// A number or a flag as JSON has them, anything else as people read it.
    fn plain(&self, value: &ValueOdds) -> Value {
        match (&self.odds.shape, value.value.as_slice()) {
            (Shape::Number, [number]) => json!(number),
            (Shape::Halves, [halves]) => json!(f64::from(*halves) / 2.0),
            (Shape::Flag, [flag]) => json!(*flag != 0),
            _ => json!(value.shown),
        }
    }
}

fn fraction_json(fraction: &Fraction) -> Value {
    json!({ "fraction": fraction.to_string(), "decimal": fraction.to_f64() })
}

/// Rows in columns, all of them aligned to the right.
fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let length = |cell: &String| layout::columns_of(cell);
    let widths: Vec<usize> =
        (0..columns).map(|column| rows.iter().filter_map(|row| row.get(column)).map(length).max().unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths);
        let line: String =
            cells.map(|(cell, width)| format!("  {}{cell}", " ".repeat(width.saturating_sub(length(cell))))).collect();
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
