//! `ludex merge`: combines the shards of a run.
//!
//! Each verb with `--shard` has a request and counts of its own; the verb of the shards decides which are read. The files must
//! be those that the shards were made with, since results may be computed from them again.

use super::{check, mutants, odds, playtest, sim, test};
use crate::args::CommonArgs;
use crate::load;
use crate::shards::{self, Divisible, MergedCounts, merge_folder};
use crate::simulation::{self, Counts, PreparedRequest, Tally, Trouble};
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

/// Merges the shards of a folder, and reports the whole run. An empty folder counts as one of `sim`, whose merge reports it.
pub fn run(args: Args, common: &CommonArgs) -> Result<u8, Stop> {
    let folder = args.folder.as_path();
    let verb = shards::find_verb(folder)?;
    let verb = verb.as_deref().unwrap_or(simulation::Request::VERB);
    if common.is_check_format() && verb != playtest::Request::VERB {
        let message = format!("the shards are of `{verb}`, and only `check` has results in this format");
        let help = "use `--format json`, or leave it out";
        return Err(Stop::usage_error(Problem::error(codes::COMMAND_LINE, message).help(help)));
    }
    match verb {
        simulation::Request::VERB => merge_sim(folder, common),
        mutants::Request::VERB => merge_test(folder, common),
        playtest::Request::VERB => merge_check(folder, common),
        odds::Request::VERB => merge_odds(folder, common),
        other => Err(unknown_verb_problem(folder, other)),
    }
}

/// The merged counts, or all problems of the shards.
fn merge_shards<D: Divisible>(folder: &Path) -> Result<MergedCounts<D>, Stop> {
    merge_folder(folder).map_err(|problems| Stop::new(problems, Sources::default()))
}

fn unknown_verb_problem(folder: &Path, verb: &str) -> Stop {
    let message = format!("the shards in `{}` are of `ludex {verb}`, which this version cannot merge", folder.display());
    Problem::error(codes::SHARD_FOREIGN, message).help("merge them with the version that wrote them").into()
}

/// Refuses shards of other files than the current ones. `here` and `shards` are the hashes of the files now and then.
fn check_hash(what: &str, here: &str, shards: &str) -> Result<(), Stop> {
    if here == shards {
        return Ok(());
    }
    let message = format!("the files of {what} are not those that the shards were played with");
    let help = "put the files back, or play the shards again; games of your own are found with `--library DIR`";
    Err(Problem::error(codes::SHARD_FOREIGN, message).help(help).into())
}

/// The common options at the time the shards were written. The mode and options are those of the shards.
fn with_shard_options(common: &CommonArgs, mode: &Option<String>, options: &BTreeMap<String, String>) -> CommonArgs {
    let options = options.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    CommonArgs { mode: mode.clone(), options, ..common.clone() }
}

/// Merges shards of `test --mutants`.
fn merge_test(folder: &Path, common: &CommonArgs) -> Result<u8, Stop> {
    let MergedCounts { request, package_hash, counted } = merge_shards::<mutants::Request>(folder)?;
    let common = with_shard_options(common, &request.mode, &request.options);
    let (mut loaded, files) = test::find_scenarios(&request.targets, &common)?;
    test::require_sound(&mut loaded, files.keys(), &common)?;
    check_hash("the games", &request.hash(&loaded), &package_hash)?;
    let only = test::mutation_targets(&loaded, &request.targets);
    mutants::report_merged(&loaded, &request, counted, &common, only)
}

/// Merges shards of `check --play`.
fn merge_check(folder: &Path, common: &CommonArgs) -> Result<u8, Stop> {
    let MergedCounts { request, package_hash, counted } = merge_shards::<playtest::Request>(folder)?;
    let common = with_shard_options(common, &request.mode, &request.options);
    let mut loaded = load::open_libraries_around(&common, &request.paths);
    loaded.add_overlooked(&common, &request.paths);
    check_hash("the games", &request.hash(&loaded), &package_hash)?;
    check::report_merged(&loaded, &request, counted, &common)
}

/// Merges shards of `odds`.
fn merge_odds(folder: &Path, common: &CommonArgs) -> Result<u8, Stop> {
    let MergedCounts { request, package_hash, counted } = merge_shards::<odds::Request>(folder)?;
    odds::report_merged(&request, counted, common, |hash| check_hash("the game", hash, &package_hash))
}

/// Merges shards of `sim`.
fn merge_sim(folder: &Path, common: &CommonArgs) -> Result<u8, Stop> {
    let MergedCounts { request, package_hash, counted: Counts { tally, troubles } } =
        merge_shards::<simulation::Request>(folder)?;
    let prepared = request.prepare_game(common)?;
    check_hash(&format!("`{}`", request.game), &prepared.program.hash, &package_hash)?;
    let tally = Tally { troubles: replay_troubles(&prepared, &troubles)?, ..tally };
    Ok(sim::report_tally(common, &prepared, &tally))
}

/// Plays the games in which something went wrong again, with the same course.
fn replay_troubles(prepared: &PreparedRequest<'_>, games: &[u64]) -> Result<Vec<Trouble>, Stop> {
    let mut troubles = Vec::new();
    for game in games {
        troubles.extend(prepared.play_games(*game..*game + 1, None, &|_| {})?.troubles);
    }
    Ok(troubles)
}
