//! `ludex odds --html FILE`: tables and bars on one self-contained page.

use super::answer::{Answer, Chance};
use super::numbers::{self, DECIMALS, Style};
use super::rows::{Row, Rows};
use super::text::{answer_note, bar_length, chance_bounds};
use ludex_engine::visible;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The beginning of every page; a file that begins differently is not overwritten.
pub const BEGINNING: &str =
    "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"generator\" content=\"ludex odds\">";

const STYLE: &str = include_str!("page.css");

/// Width of the widest bar, in units of the drawing.
const WIDEST: f64 = 1_000.0;

/// The whole page. The table has a row for each value.
pub fn page_html(game: &str, mode: &str, answers: &[Answer], style: Style) -> String {
    let rows = Rows::one_per_value(answers);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="generator" content="ludex odds";
                meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Odds of " (visible::clean_line(game)) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { "Odds of " (isolate_text(game)) }
                    p .quiet { "mode " (isolate_text(mode)) }
                }
                main {
                    @for answer in answers { (answer_summary(answer)) }
                    section { (answers_table(answers, &rows, style)) }
                }
            }
        }
    };
    page.into_string()
}

/// Text isolated from its surroundings, because it may run from right to left.
fn isolate_text(text: &str) -> Markup {
    html! { bdi { (visible::clean_line(text)) } }
}

/// An expression, and the notes about its odds.
fn answer_summary(answer: &Answer) -> Markup {
    html! {
        section {
            h2 { code { (isolate_text(&answer.expression)) } }
            @if let Some(note) = answer_note(answer, "", false) { p { (note) } }
            @if let Some((mean, variance)) = answer.mean_and_variance() {
                p {
                    "mean " (numbers::format_exact(&mean)) ", variance " (numbers::format_exact(&variance))
                    ", standard deviation " (format!("{:.*}", DECIMALS as usize, variance.to_f64().sqrt()))
                }
            }
            @if let Some(cut) = answer.cutoff_bound() {
                p { "The cases left out are less likely than " (cut) ": a loop could go on longer." }
            }
        }
    }
}

/// A row for each value, with the probability and a bar for each expression. Sums are left out if values are no numbers or only
/// bounds are known.
fn answers_table(answers: &[Answer], rows: &Rows, style: Style) -> Markup {
    let with_sums = rows.are_numbers && answers.iter().all(|answer| !answer.has_bounds_only());
    let chances =
        |row: &Row| -> Vec<Option<Chance>> { (0..answers.len()).map(|answer| rows.row_chance(row, answers, answer)).collect() };
    let all: Vec<(&Row, Vec<Option<Chance>>)> = rows.rows.iter().map(|row| (row, chances(row))).collect();
    let highest = all.iter().flat_map(|(_, chances)| chances).flatten().map(|chance| chance_bounds(chance).1).fold(0.0, f64::max);
    html! {
        div .wide tabindex="0" role="region" aria-label="How likely each value is" {
            table {
                thead {
                    @if answers.len() > 1 {
                        tr {
                            td {}
                            @for answer in answers {
                                th .of scope="colgroup" colspan=(if with_sums { 4 } else { 2 }) { code { (isolate_text(&answer.expression)) } }
                            }
                        }
                    }
                    tr {
                        th scope="col" { "value" }
                        @for _ in answers {
                            th scope="col" { "chance" }
                            @if with_sums { th scope="col" { "at least" } th scope="col" { "at most" } }
                            td .bar {}
                        }
                    }
                }
                tbody {
                    @for (row, chances) in &all {
                        tr {
                            th scope="row" { (isolate_text(&row.label)) }
                            @for (number, chance) in chances.iter().enumerate() {
                                td title=(chance_title(chance.as_ref())) { (chance.as_ref().map_or(String::new(), |chance| style.format_chance(chance))) }
                                @if with_sums {
                                    td { (style.format_fraction(&rows.at_least(row, answers, number))) }
                                    td { (style.format_fraction(&rows.at_most(row, answers, number))) }
                                }
                                td .bar { (chance_bar(chance.as_ref(), highest)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The exact fraction, or the bounds.
fn chance_title(chance: Option<&Chance>) -> String {
    match chance {
        Some(Chance::Exact(share)) => numbers::short_fraction(&share.in_lowest_terms()).unwrap_or_default(),
        Some(chance) => format!("from {:.6} to {:.6}", chance_bounds(chance).0, chance_bounds(chance).1),
        None => String::new(),
    }
}

/// A bar as long as the probability, and lighter up to its upper bound. `highest` is the upper bound that the longest bar
/// shows.
fn chance_bar(chance: Option<&Chance>, highest: f64) -> Markup {
    let Some(chance) = chance.filter(|_| highest > 0.0) else { return html! {} };
    let scaled = |part: f64| format!("{:.1}", part / highest * WIDEST);
    let (length, most) = (bar_length(chance), chance_bounds(chance).1);
    html! {
        svg viewBox=(format!("0 0 {WIDEST} 10")) preserveAspectRatio="none" aria-hidden="true" {
            @if most > length { rect .rest width=(scaled(most)) height="10" {} }
            rect width=(scaled(length)) height="10" {}
        }
    }
}
