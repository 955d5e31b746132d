//! `ludex sim`: many games between bots, counted.

use crate::args::{Common, PlayerSpec};
use crate::exit::{DONE, PROBLEMS};
use crate::game::{RecordingStore, on_interrupt};
use crate::layout::grouped;
use crate::simulation::{self, Plan, Settings, Tally, Trouble, Wanted};
use crate::stop::Stop;
use crate::{output, work};
use ludex_engine::codes;
use ludex_engine::problem::{Problem, joined, nearest};
use ludex_engine::program::Program;
use ludex_engine::runtime::Counter;
use std::num::NonZero;

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
    /// Let everybody meet everybody else, in either order; teams are drawn anew for each game
    #[arg(long)]
    all_pairs: bool,
    /// How many each drawn side brings; if you leave it out, as few as the game allows
    #[arg(long, value_name = "N")]
    team_size: Option<NonZero<usize>>,
    /// Look for mistakes of the engine and the rules while playing; much slower, so play fewer games
    #[arg(long)]
    check: bool,
    /// Count the moves, the abilities used, and the events that the rules announce
    #[arg(long)]
    usage: bool,
    /// Tell the mean of a counter at the end of the games, of the sides or of the table; may be given several times
    #[arg(long, value_name = "NAME")]
    count: Vec<String>,
}

pub fn run(args: Args, common: &Common) -> Result<u8, Stop> {
    let runs_programs = common.seats.iter().filter_map(|seat| seat.player.as_ref()).chain(common.referee.as_ref());
    // Programs may never answer: they are ended at once, and with them what was counted.
    match runs_programs.into_iter().any(|player| matches!(player, PlayerSpec::Exec(_))) {
        true => on_interrupt(),
        false => work::keep_what_is_done(),
    }
    let program = common.compile(&args.game)?;
    let team = args.team_size.map(NonZero::get);
    let plan = match args.all_pairs {
        true => Plan::all_pairs(&program, &common.seats, team, args.games, args.seed)?,
        false => Plan::new(&program, &common.seats, team, args.games, args.seed)?,
    };
    let plan = plan.refereed_by(&program, common.referee.as_ref())?;
    let plan = if args.check { plan.repeatable()? } else { plan };
    let counters = counters(&program, &args.count)?;
    let found: Vec<Counter> = counters.iter().map(|(_, counter)| *counter).collect();
    let settings = Settings { threads: args.threads, check: args.check, usage: args.usage, counters: &found };
    let bar = work::bar(plan.games, "games");
    let tally = simulation::run(&program, &plan, settings, &|games| bar.inc(games));
    bar.finish_and_clear();
    let tally = tally.map_err(|problem| Stop::new(vec![*problem], program.sources.clone()))?;
    let (asked, plan) = (plan.games, plan.up_to(tally.all.games + tally.faults));
    let wanted = Wanted { checking: args.check, usage: args.usage, counters: &counters };
    report(common, &program, &plan, wanted, &tally);
    if work::is_stopped() {
        output::remark(&format!(
            "interrupted after {} of {} games; this is what they came to",
            grouped(plan.games),
            grouped(asked)
        ));
    }
    Ok(work::status(if tally.is_clean() { DONE } else { PROBLEMS }))
}

/// The counters of these names. One of the sides and one of the table may have the same.
fn counters<'p>(program: &'p Program, names: &[String]) -> Result<Vec<(&'p str, Counter)>, Stop> {
    let all = Counter::all(program);
    let mut counters = Vec::new();
    for name in names {
        let found: Vec<_> = all.iter().filter(|(known, _)| known == name).copied().collect();
        if found.is_empty() {
            return Err(Stop::usage(no_counter(program, name, &all)));
        }
        counters.extend(found.into_iter().filter(|counter| !counters.contains(counter)).collect::<Vec<_>>());
    }
    Ok(counters)
}

fn no_counter(program: &Program, name: &str, all: &[(&str, Counter)]) -> Problem {
    let of =
        |of_table: bool| all.iter().filter(move |(_, counter)| counter.of_table == of_table).map(|(name, _)| format!("`{name}`"));
    let lists = [("the sides have", of(false).collect::<Vec<_>>()), ("the table has", of(true).collect())];
    let lists: Vec<String> = lists
        .iter()
        .filter(|(_, names)| !names.is_empty())
        .map(|(whose, names)| format!("{whose} {}", joined(names, "and")))
        .collect();
    let help = match (nearest(name, all.iter().map(|(name, _)| *name)), lists.is_empty()) {
        (_, true) => format!("neither the sides of `{}` nor its table have a counter: leave out `--count`", program.game),
        (Some(near), false) => format!("did you mean `{near}`? {}", lists.join("; ")),
        (None, false) => lists.join("; "),
    };
    let message = format!("neither the sides of `{}` nor its table have a counter `{name}`", program.game);
    Problem::error(codes::UNKNOWN_COUNTER, message).help(help)
}

fn report(common: &Common, program: &Program, plan: &Plan, wanted: Wanted<'_>, tally: &Tally) {
    if common.json() {
        output::json(&simulation::json(program, plan, wanted, tally));
    } else {
        output::print(&simulation::text(program, plan, wanted, tally));
    }
    let faults: Vec<Problem> = tally.troubles.iter().filter_map(Trouble::problem).cloned().collect();
    output::problems(&faults, &program.sources);
    for trouble in &tally.troubles {
        keep(program, trouble);
    }
}

/// Keeps a game in which something went wrong, and tells where.
fn keep(program: &Program, trouble: &Trouble) {
    let Some(store) = RecordingStore::of_sim() else { return };
    match store.add_whole(&program.game, &trouble.recording()) {
        Ok(path) => {
            let path = path.display();
            output::remark(&format!("game {} is kept: `ludex replay {path}` plays it again", trouble.index));
        }
        Err(error) => output::failure(&format!("game {} could not be kept: {error}", trouble.index), None),
    }
}
