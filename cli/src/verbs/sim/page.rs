//! `ludex sim --all-pairs --html FILE`: a page of who wins against whom.

use crate::simulation::pairs::{BEGINNING, pairs_page};
use crate::simulation::{Plan, PreparedRequest, Tally};
use crate::stop::Stop;
use crate::verbs::pages;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use std::path::Path;

/// Refuses a page that could not be written, before any game is played.
pub fn check_pairs_page(path: &Path, plan: &Plan) -> Result<(), Stop> {
    if plan.pair_count() == 0 {
        let message = "teams are drawn for each game, so there are no pairs to show on a page";
        let help = "leave out `--html`, or let sides bring one each";
        return Err(Stop::usage_error(Problem::error(codes::COMMAND_LINE, message).help(help)));
    }
    pages::check_page_path(path, BEGINNING)
}

/// Writes the page completely, or leaves the old file.
pub fn write_pairs_page(path: &Path, prepared: &PreparedRequest<'_>, tally: &Tally) -> Result<(), Stop> {
    pages::write_html_page(path, &pairs_page(&prepared.program, &prepared.plan, tally))
}
