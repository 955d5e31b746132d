//! `ludex sim --compare`: plays the same games in variants, and reports the differences.

use super::kept::keep_troubles;
use crate::args::Common;
use crate::exit::{DONE, PROBLEMS};
use crate::game::on_interrupt;
use crate::layout::grouped;
use crate::simulation::compared::{self, Compared};
use crate::simulation::{Prepared, Request, Tally, Variant, comparable, compare, names, variants};
use crate::stop::Stop;
use crate::{output, work};
use std::num::NonZero;

pub fn run(common: &Common, request: &Request, compared: &[String], threads: Option<NonZero<usize>>) -> Result<u8, Stop> {
    let variants = variants(request, common, compared)?;
    match variants.iter().any(|variant| variant.request.has_programs()) {
        true => on_interrupt(),
        false => work::keep_what_is_done(),
    }
    let prepared = variants.iter().map(Variant::prepare).collect::<Result<Vec<Prepared<'_>>, Stop>>()?;
    let names = names(&variants, &prepared);
    comparable(&variants, &names, &prepared)?;
    let bar = work::bar(request.games, "games of each");
    let comparison = compare(&prepared, 0..request.games, threads, &|games| bar.inc(games));
    bar.finish_and_clear();
    let comparison = comparison?;
    let told = Compared { names: &names, variants: &prepared, comparison: &comparison };
    if common.json() {
        output::json(&compared::json(&told));
    } else if common.csv() {
        let (header, rows) = compared::csv(&told);
        output::csv(header, &rows);
    } else {
        output::print(&compared::text(&told));
    }
    let counted = &comparison.counted;
    prepared.iter().zip(&counted.tallies).for_each(|(prepared, tally)| keep_troubles(prepared, tally));
    if work::is_stopped() {
        let (played, asked) = (grouped(counted.games + counted.left_out), grouped(request.games));
        output::remark(&format!("interrupted after {played} of {asked} games of each; these are their results"));
    }
    Ok(work::status(if counted.tallies.iter().all(Tally::is_clean) { DONE } else { PROBLEMS }))
}
