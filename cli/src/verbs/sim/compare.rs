//! `ludex sim --compare`: plays the same games in variants, and reports the differences.

use super::faulty_games::store_troubles;
use crate::args::CommonArgs;
use crate::exit::{DONE, PROBLEMS};
use crate::game::on_interrupt;
use crate::layout::group_digits;
use crate::simulation::comparison::{self, ComparisonReport};
use crate::simulation::{
    PreparedRequest, Request, Tally, Variant, build_variants, compare_variants, ensure_comparable, variant_names,
};
use crate::stop::Stop;
use crate::{output, work};
use std::num::NonZero;

/// `compared` has the values of `--compare`. Variants that allow no conclusion are refused before any game is played.
pub fn run(common: &CommonArgs, request: &Request, compared: &[String], threads: Option<NonZero<usize>>) -> Result<u8, Stop> {
    let variants = build_variants(request, common, compared)?;
    match variants.iter().any(|variant| variant.request.has_programs()) {
        true => on_interrupt(),
        false => work::keep_what_is_done(),
    }
    let prepared = variants.iter().map(Variant::prepare_variant).collect::<Result<Vec<PreparedRequest<'_>>, Stop>>()?;
    let names = variant_names(&variants, &prepared);
    ensure_comparable(&variants, &names, &prepared)?;
    let bar = work::progress_bar(request.games, "games of each");
    let comparison = compare_variants(&prepared, 0..request.games, threads, &|games| bar.inc(games));
    bar.finish_and_clear();
    let comparison = comparison?;
    let told = ComparisonReport { names: &names, variants: &prepared, comparison: &comparison };
    if common.is_json() {
        output::print_json(&comparison::comparison_json(&told));
    } else if common.is_csv() {
        let (header, rows) = comparison::comparison_table(&told);
        output::print_csv(header, &rows);
    } else {
        output::print_text(&comparison::comparison_text(&told));
    }
    let counted = &comparison.counted;
    prepared.iter().zip(&counted.tallies).for_each(|(prepared, tally)| store_troubles(prepared, tally));
    if work::is_stopped() {
        let (played, asked) = (group_digits(counted.games + counted.left_out), group_digits(request.games));
        output::print_remark(&format!("interrupted after {played} of {asked} games of each; these are their results"));
    }
    Ok(work::exit_status(if counted.tallies.iter().all(Tally::is_clean) { DONE } else { PROBLEMS }))
}
