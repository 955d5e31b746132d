//! The conclusions in words: which variant is better for each side, and whether the games suffice to say so.
//!
//! The numbers are 95 % confidence intervals: a difference counts if the whole interval is above or below 0.

use super::cells::ComparisonReport;
use crate::layout::{group_digits, wrap_text};
use crate::output;
use crate::simulation::difference::{Evidence, FEWEST_GAMES};
use crate::simulation::report::page::add_line;

/// A sentence or more for each variant but the first. `headings` are the names of the variants in the table.
pub fn conclusions_text(compared: &ComparisonReport<'_>, headings: &[String]) -> String {
    let games = compared.comparison.counted.games;
    let mut page = String::new();
    if games < FEWEST_GAMES {
        add_line(&mut page, &format!("These are too few games for a conclusion: play at least {FEWEST_GAMES}."));
        return page;
    }
    let Some(first) = headings.first() else { return page };
    for (variant, heading) in headings.iter().enumerate().skip(1) {
        let digests = &compared.comparison.counted.tallies;
        if digests.first().map(|tally| tally.digest) == digests.get(variant).map(|tally| tally.digest) {
            let games = group_digits(games);
            let told = format!("With `{heading}` every game went as with `{first}`: {games} games show no difference.");
            add_line(&mut page, &wrap_text(&told, output::output_width(), 2));
            continue;
        }
        conclusion_sentences(compared, variant, first, heading)
            .iter()
            .for_each(|told| add_line(&mut page, &wrap_text(told, output::output_width(), 2)));
    }
    page
}

/// The sentences: first which side is better off, then other differences, then what remains open.
fn conclusion_sentences(compared: &ComparisonReport<'_>, variant: usize, first: &str, heading: &str) -> Vec<String> {
    let (decisive, others): (Vec<usize>, Vec<usize>) =
        compared.interesting_measures().into_iter().partition(|place| compared.is_decisive(*place));
    let with = |wanted: Evidence, places: &[usize]| -> Vec<usize> {
        let is_so =
            |place: &&usize| compared.difference_and_evidence(variant, **place).is_some_and(|(_, evidence)| evidence == wanted);
        places.iter().filter(is_so).copied().collect()
    };
    let labels = |places: Vec<usize>| places.into_iter().map(|place| compared.measure_label(place)).collect::<Vec<_>>();
    let mut told: Vec<String> =
        decisive.iter().filter_map(|place| better_variant_sentence(compared, variant, *place, first, heading)).collect();
    for (evidence, word) in [(Evidence::More, "higher"), (Evidence::Less, "lower")] {
        let labels = labels(with(evidence, &others));
        if !labels.is_empty() {
            told.push(format!("With `{heading}` these are {word} than with `{first}`: {}.", labels.join(", ")));
        }
    }
    let not_told = labels([with(Evidence::NotEnough, &decisive), with(Evidence::NotEnough, &others)].concat());
    if !not_told.is_empty() {
        let games = group_digits(compared.comparison.counted.games);
        let of = if told.is_empty() { String::new() } else { format!(" in {}", not_told.join(", ")) };
        told.push(format!("{games} games show no difference between `{first}` and `{heading}`{of}."));
    }
    told
}

/// The sentence `For side 0 goal=50 is better: 6.3 (0.5 to 12.1) more wins in 100 games than with goal=100.`
fn better_variant_sentence(
    compared: &ComparisonReport<'_>,
    variant: usize,
    measure: usize,
    first: &str,
    heading: &str,
) -> Option<String> {
    let (difference, evidence) = compared.difference_and_evidence(variant, measure)?;
    let (better, worse, difference) = match evidence {
        Evidence::More => (heading, first, difference),
        Evidence::Less => (first, heading, difference.other_way()),
        Evidence::NotEnough => return None,
    };
    let what = if compared.is_share(measure) { "more wins in 100 games" } else { "more a game" };
    let whom = compared.measure_owner(measure);
    let shown = compared.difference_text(measure, &difference);
    Some(format!("For {whom} `{better}` is better: {shown} {what} than with `{worse}`."))
}
