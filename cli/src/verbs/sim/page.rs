//! `ludex sim --all-pairs --html FILE`: a page of who wins against whom.

use crate::simulation::pairs::{BEGINNING, html};
use crate::simulation::{Plan, Prepared, Tally};
use crate::stop::Stop;
use crate::verbs::pages;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use std::path::Path;

/// Refuses a page that could not be written, before any game is played.
pub fn check(path: &Path, plan: &Plan) -> Result<(), Stop> {
    if plan.pairs() == 0 {
        let message = "teams are drawn for each game, so there are no pairs to show on a page";
        let help = "leave out `--html`, or let sides bring one each";
        return Err(Stop::usage(Problem::error(codes::COMMAND_LINE, message).help(help)));
    }
    pages::check(path, BEGINNING)
}

/// Writes the page completely, or leaves the old file.
pub fn write(path: &Path, prepared: &Prepared<'_>, tally: &Tally) -> Result<(), Stop> {
    pages::write(path, &html(&prepared.program, &prepared.plan, tally))
}
