//! All pairs on one self-contained HTML page. The colour shows who wins, and its intensity how certain that is.
//!
//! `sim --all-pairs --html FILE` writes it.

use super::table::Table;
use crate::args::public_player;
use crate::layout::group_digits;
use crate::simulation::interval::Share;
use crate::simulation::plan::{LineUp, Plan};
use crate::simulation::tally::{Tally, Wins};
use ludex_engine::program::Program;
use ludex_engine::visible;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The start of every page. A file that starts differently is not overwritten.
pub const BEGINNING: &str =
    "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"generator\" content=\"ludex sim\">";

const STYLE: &str = include_str!("pairs.css");

/// Maximum width of bounds, in points, for a reliable result. Bounds wider than the second number mean little.
const NEAR: f64 = 10.0;
const FAR: f64 = 25.0;

/// The whole page.
pub fn pairs_page(program: &Program, plan: &Plan, tally: &Tally) -> String {
    let title = program.title.as_str();
    let LineUp::Pairs(names) = &plan.line_up else { return String::new() };
    let table = Table { tally, count: names.len() };
    let order = table.rank_by_strength();
    let options: Vec<String> = program
        .options
        .iter()
        .map(|option| format!("{} {}", option.name.replace('_', " "), option.value_text(option.value)))
        .collect();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="generator" content="ludex sim";
                meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) ": who wins against whom" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { (isolate_text(title)) }
                    p .quiet {
                        (group_digits(plan.games)) " games between " (players_text(plan)) ", seed " (plan.seed)
                        @if program.modes.len() > 1 { ", mode " (program.mode) }
                        @for option in &options { ", " (option) }
                    }
                }
                main {
                    section {
                        h2 { "Who wins against whom" }
                        (legend_html())
                        (matrix_html(&table, names, &order))
                    }
                    section {
                        h2 { "How strong each is" }
                        (strength_html(&table, names, &order))
                    }
                }
            }
        }
    };
    page.into_string()
}

/// Isolates text that may run from right to left.
fn isolate_text(text: &str) -> Markup {
    html! { bdi { (visible::clean_line(text)) } }
}

/// The players of both sides, for the heading.
fn players_text(plan: &Plan) -> String {
    let players: Vec<String> = plan.players.iter().map(|player| public_player(&player.to_string()).to_string()).collect();
    match players.as_slice() {
        [first, second] if first == second => format!("{first} bots"),
        _ => players.join(" and "),
    }
}

/// Explains numbers and colours.
fn legend_html() -> Markup {
    html! {
        p {
            "A number is how many of 100 games the entrant at the left wins against the one above, no matter who begins. The colour shows the same: "
            span .key .wins style="--much:80%" { "wins often" } " "
            span .key style="--much:0%" { "even" } " "
            span .key .loses style="--much:80%" { "loses often" }
        }
        p {
            "The fuller the colour, the surer the number: "
            span .key .wins style="--much:60%" { "sure within " (NEAR / 2.0) " points" } " "
            span .key .wins .rough style="--much:60%" { "within " (FAR / 2.0) } " "
            span .key .wins .guess style="--much:60%" { "very unsure" } " "
            span .key .never { "–" } " never met. "
            "Games that are tied or called off have no winner."
        }
    }
}

/// A row and a column for each entrant, in the given order. A cell is about the row's entrant.
fn matrix_html(table: &Table<'_>, names: &[String], order: &[usize]) -> Markup {
    let name = |row: &usize| names.get(*row).map_or("", String::as_str);
    html! {
        div .wide tabindex="0" role="region" aria-label="Who wins against whom" {
            table .matrix {
                caption .unseen { "Wins of each row against each column, in per cent" }
                thead {
                    tr {
                        td {}
                        @for rival in order { th scope="col" { span { (isolate_text(name(rival))) } } }
                    }
                }
                tbody {
                    @for row in order {
                        tr {
                            th scope="row" { (isolate_text(name(row))) }
                            @for rival in order { (cell_html(table, *row, *rival, name(row), name(rival))) }
                        }
                    }
                }
            }
        }
    }
}

/// One cell: the share of wins against the rival. `name` and `other` are the names of the two.
fn cell_html(table: &Table<'_>, row: usize, rival: usize, name: &str, other: &str) -> Markup {
    if row == rival {
        return html! { td .self title=(format!("{} against themselves", visible::clean_line(name))) {} };
    }
    let (name, other) = (visible::clean_line(name), visible::clean_line(other));
    match table.wins_against(row, rival) {
        Wins { games: 0, .. } => html! { td .never title=(format!("{name} and {other} never met")) { "–" } },
        wins => {
            let share = wins.share();
            let told = format!(
                "{name} against {other}: {} of {} games won, {}",
                group_digits(wins.wins),
                group_digits(wins.games),
                share.percent_text()
            );
            let much = format!("--much:{:.0}%", (share.rate - 0.5).abs() * 200.0);
            html! { td class=(share_class(share)) style=(much) title=(told) { (format!("{:.0}", share.rate * 100.0)) } }
        }
    }
}

/// The CSS classes of a share: who wins, and how certain that is.
fn share_class(share: Share) -> String {
    let side = if share.rate < 0.5 { "loses" } else { "wins" };
    let apart = (share.high - share.low) * 100.0;
    let sure = match apart {
        _ if apart <= NEAR => "",
        _ if apart <= FAR => " rough",
        _ => " guess",
    };
    format!("{side}{sure}")
}

/// A row for each entrant with its results against all.
fn strength_html(table: &Table<'_>, names: &[String], order: &[usize]) -> Markup {
    let share = |wins: Wins| match wins.games {
        0 => html! { td .number { "–" } },
        _ => html! { td .number title=(wins.share().percent_text()) { (format!("{:.1}", wins.share().rate * 100.0)) } },
    };
    html! {
        div .wide tabindex="0" role="region" aria-label="How strong each is" {
            table .strength {
                thead {
                    tr {
                        th scope="col" { "" }
                        th scope="col" .number { "wins in %" }
                        th scope="col" .number { "95 % sure" }
                        th scope="col" .number { "as the first" }
                        th scope="col" .number { "as the second" }
                        th scope="col" .number { "games" }
                    }
                }
                tbody {
                    @for row in order {
                        @let all = table.overall_wins(*row);
                        tr {
                            th scope="row" { (isolate_text(names.get(*row).map_or("", String::as_str))) }
                            (share(all))
                            td .number {
                                @if all.games > 0 {
                                    (format!("{:.1} to {:.1}", all.share().low * 100.0, all.share().high * 100.0))
                                } @else { "never played" }
                            }
                            (share(table.wins_as_first(*row)))
                            (share(table.wins_as_second(*row)))
                            td .number { (group_digits(all.games)) }
                        }
                    }
                }
            }
        }
    }
}
