//! The comparison as a table for spreadsheets: a row for each measure of each variant.

use super::cells::ComparisonReport;

/// The names of the columns, and the rows.
pub fn comparison_table(compared: &ComparisonReport<'_>) -> (&'static [&'static str], Vec<Vec<String>>) {
    let header = &["of", "variant", "games", "mean", "difference", "low", "high"];
    let mut rows = Vec::new();
    for measure in 0..compared.comparison.measures.len() {
        for (variant, name) in compared.names.iter().enumerate() {
            let sums = compared.comparison.measure_sums(variant, measure);
            let mean = sums.and_then(|sums| sums.mean()).map(|mean| mean.mean);
            // The first variant is not compared with itself.
            let difference = (variant > 0).then(|| compared.comparison.difference_from_first(variant, measure)).flatten();
            let bounds = difference.and_then(|difference| difference.bounds);
            let games = sums.map_or(0, |sums| sums.games).to_string();
            let numbers =
                [mean, difference.map(|difference| difference.mean), bounds.map(|(low, _)| low), bounds.map(|(_, high)| high)];
            let shown = numbers.map(|number| number.map_or(String::new(), |number| number.to_string()));
            rows.push([compared.measure_label(measure), name.clone(), games].into_iter().chain(shown).collect());
        }
    }
    (header, rows)
}
