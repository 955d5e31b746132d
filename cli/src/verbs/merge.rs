//! `ludex merge`: combines the shards of a run.

use super::{check, mutants, odds, playtest, sim, test};
use crate::args::Common;
use crate::load;
use crate::shards::{self, Divisible, Merged, merged};
use crate::simulation::{self, Counts, Prepared, Tally, Trouble};
use crate::stop::Stop;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use ludex_engine::source::Sources;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Combine the shards of `sim`, `check`, `test` or `odds`, and print the result of the whole run
#[derive(clap::Args)]
pub struct Args {
    /// The folder that a verb with `--shard` has written to
    folder: PathBuf,
}

pub fn run(args: Args, common: &Common) -> Result<u8, Stop> {
    let folder = args.folder.as_path();
    let verb = shards::verb(folder)?;
    let verb = verb.as_deref().unwrap_or(simulation::Request::VERB);
    if common.is_of_check() && verb != playtest::Request::VERB {
        let message = format!("the shards are of `{verb}`, and only `check` has results in this format");
        let help = "use `--format json`, or leave it out";
        return Err(Stop::usage(Problem::error(codes::COMMAND_LINE, message).help(help)));
    }
    match verb {
        simulation::Request::VERB => of_sim(folder, common),
        mutants::Request::VERB => of_test(folder, common),
        playtest::Request::VERB => of_check(folder, common),
        odds::Request::VERB => of_odds(folder, common),
        other => Err(unknown(folder, other)),
    }
}

fn all<D: Divisible>(folder: &Path) -> Result<Merged<D>, Stop> {
    merged(folder).map_err(|problems| Stop::new(problems, Sources::default()))
}

fn unknown(folder: &Path, verb: &str) -> Stop {
    let message = format!("the shards in `{}` are of `ludex {verb}`, which this version cannot merge", folder.display());
    Problem::error(codes::SHARD_FOREIGN, message).help("merge them with the version that wrote them").into()
}

/// Refuses shards of other files than the current ones.
fn check_hash(what: &str, here: &str, shards: &str) -> Result<(), Stop> {
    if here == shards {
        return Ok(());
    }
    let message = format!("the files of {what} are not those that the shards were played with");
    let help = "put the files back, or play the shards again; games of your own are found with `--library DIR`";
    Err(Problem::error(codes::SHARD_FOREIGN, message).help(help).into())
}

/// The common options at the time the shards were written.
fn as_then(common: &Common, mode: &Option<String>, options: &BTreeMap<String, String>) -> Common {
    let options = options.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    Common { mode: mode.clone(), options, ..common.clone() }
}

fn of_test(folder: &Path, common: &Common) -> Result<u8, Stop> {
    let Merged { request, package_hash, counted } = all::<mutants::Request>(folder)?;
    let common = as_then(common, &request.mode, &request.options);
    let (mut loaded, files) = test::find(&request.targets, &common)?;
    test::all_sound(&mut loaded, files.keys(), &common)?;
    check_hash("the games", &request.hash(&loaded), &package_hash)?;
    let only = test::broken(&loaded, &request.targets);
    mutants::merged(&loaded, &request, counted, &common, only)
}

fn of_check(folder: &Path, common: &Common) -> Result<u8, Stop> {
    let Merged { request, package_hash, counted } = all::<playtest::Request>(folder)?;
    let common = as_then(common, &request.mode, &request.options);
    let mut loaded = load::load_with(&common, &request.paths);
    loaded.look_for_overlooked(&common, &request.paths);
    check_hash("the games", &request.hash(&loaded), &package_hash)?;
    check::merged(&loaded, &request, counted, &common)
}

fn of_odds(folder: &Path, common: &Common) -> Result<u8, Stop> {
    let Merged { request, package_hash, counted } = all::<odds::Request>(folder)?;
    odds::merged(&request, counted, common, |hash| check_hash("the game", hash, &package_hash))
}

fn of_sim(folder: &Path, common: &Common) -> Result<u8, Stop> {
    let Merged { request, package_hash, counted: Counts { tally, troubles } } = all::<simulation::Request>(folder)?;
    let prepared = request.prepare(common)?;
    check_hash(&format!("`{}`", request.game), &prepared.program.hash, &package_hash)?;
    let tally = Tally { troubles: again(&prepared, &troubles)?, ..tally };
    Ok(sim::report(common, &prepared, &tally))
}

/// Plays the games in which something went wrong again, with the same course.
fn again(prepared: &Prepared<'_>, games: &[u64]) -> Result<Vec<Trouble>, Stop> {
    let mut troubles = Vec::new();
    for game in games {
        troubles.extend(prepared.play(*game..*game + 1, None, &|_| {})?.troubles);
    }
    Ok(troubles)
}
