//! `ludex merge`: the shards of a run, put together.

use super::sim;
use crate::args::Common;
use crate::simulation::{Merged, Prepared, Tally, Trouble, merged};
use crate::stop::Stop;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use ludex_engine::source::Sources;
use std::path::PathBuf;

/// Put together what the shards of a simulation have counted, and print what one run would have printed
#[derive(clap::Args)]
pub struct Args {
    /// The folder that `ludex sim --shard` has written to
    folder: PathBuf,
}

pub fn run(args: Args, common: &Common) -> Result<u8, Stop> {
    let Merged { request, package_hash, tally, troubles } =
        merged(&args.folder).map_err(|problems| Stop::new(problems, Sources::default()))?;
    let prepared = request.prepare(common)?;
    if prepared.program.hash != package_hash {
        let message = format!("the files of `{}` are not those that the shards were played with", request.game);
        let help = "put the files back, or play the shards again; games of your own are found with `--library DIR`";
        return Err(Problem::error(codes::SHARD_FOREIGN, message).help(help).into());
    }
    let tally = Tally { troubles: again(&prepared, &troubles)?, ..tally };
    Ok(sim::report(common, &prepared, &tally))
}

/// Plays the games again in which something went wrong: they go as they went.
fn again(prepared: &Prepared<'_>, games: &[u64]) -> Result<Vec<Trouble>, Stop> {
    let mut troubles = Vec::new();
    for game in games {
        troubles.extend(prepared.play(*game..*game + 1, None, &|_| {})?.troubles);
    }
    Ok(troubles)
}
