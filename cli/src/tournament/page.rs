//! The page for the wall: standings, open duels and the last results in a self-contained file.
//!
//! `standings --html FILE` chooses the page. It is written again after every operation, and reloads itself in the browser.

mod publish;
#[cfg(test)]
mod tests;

pub use publish::{forget_page, publish_page, set_page};

use super::duel::{Duel, DuelState};
use super::name;
use super::standings::{self, Row, Status};
use super::state::Tournament;
use super::{text, time};
use crate::layout::count_text;
use jiff::Timestamp;
use std::cmp::Reverse;

/// The beginning of every page; a file that begins differently is not overwritten.
const BEGINNING: &str = "<!doctype html>\n<!-- a tournament of Ludex -->\n";

const STYLE: &str = include_str!("page/style.css");
const COUNTDOWN: &str = include_str!("page/countdown.js");

/// Maximum number of results shown.
const MOST_RESULTS: usize = 12;
/// Seconds after which a browser reloads the page.
const RELOAD: u32 = 10;

/// The whole page. Browsers only run the script with the nonce, no matter what a name contains. `now` gives the time left, and
/// `nonce` is an unpredictable word.
pub fn page_html(tournament: &Tournament, now: Timestamp, nonce: &str) -> String {
    let title = format!("{} tournament", escape_html(&tournament.settings.game.title));
    let body = [
        header_html(tournament, &title, now),
        "<main>\n".to_string(),
        champions_html(tournament),
        standings_html(tournament),
        duels_html(tournament),
        results_html(tournament),
        "</main>\n".to_string(),
        footer_html(tournament, now),
    ]
    .concat();
    format!(
        "{BEGINNING}<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'nonce-{nonce}'; script-src 'nonce-{nonce}'\">\n\
         <meta http-equiv=\"refresh\" content=\"{RELOAD}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style nonce=\"{nonce}\">\n{STYLE}</style>\n</head>\n<body>\n\
         {body}<script nonce=\"{nonce}\">\n{COUNTDOWN}</script>\n</body>\n</html>\n"
    )
}

/// The title, and the time left or the reason that the tournament is over.
fn header_html(tournament: &Tournament, title: &str, now: Timestamp) -> String {
    let deadline = tournament.settings.deadline;
    let left = match tournament.over_reason() {
        Some(_) => format!("<span class=\"left\">{}</span>", tournament.state_text()),
        None => format!(
            "<span class=\"left\">{} left</span> <span class=\"quiet until\">until <time data-end=\"{deadline}\" datetime=\"{deadline}\">{}</time></span>",
            time::duration_text(deadline.duration_since(now).as_secs()),
            time::local_time_text(deadline)
        ),
    };
    let team = tournament
        .team_text()
        .map(|team| format!("<div class=\"quiet team\">{}</div>\n", escape_html(&team)))
        .unwrap_or_default();
    format!("<header>\n<h1>{title}</h1>\n<div>{left}</div>\n{team}</header>\n")
}

/// The champions. They are hidden until time is up, when the page's own clock shows them, because no operation may come then.
fn champions_html(tournament: &Tournament) -> String {
    let hidden = if tournament.over_reason().is_none() { " hidden" } else { "" };
    let names: Vec<String> =
        standings::find_champions(tournament).iter().map(|&id| name_html(&tournament.player_name(id))).collect();
    let title = if names.len() > 1 { "Champions" } else { "Champion" };
    match names.is_empty() {
        true => String::new(),
        false => format!("<section class=\"champion\"{hidden}>{title}: {}</section>\n", names.join(", ")),
    }
}

fn standings_html(tournament: &Tournament) -> String {
    let rows: String = standings::standing_rows(tournament).iter().map(|row| standing_row(tournament, row)).collect();
    let rows = if rows.is_empty() { "<tr><td colspan=\"5\">No players yet.</td></tr>\n".to_string() } else { rows };
    format!(
        "<section class=\"standings\">\n<h2>Standings</h2>\n<table>\n<thead><tr><th class=\"number\">#</th><th>Player</th>\
         <th class=\"number\">Tokens</th><th class=\"number won\">Won : lost</th><th></th></tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table>\n</section>\n"
    )
}

fn standing_row(tournament: &Tournament, row: &Row) -> String {
    let class = match row.status {
        Status::Out => " class=\"out\"",
        _ if row.rank == 1 => " class=\"first\"",
        _ => "",
    };
    format!(
        "<tr{class}><td class=\"number\">{}</td><td>{}</td><td class=\"number tokens\">{}</td>\
         <td class=\"number won\">{} : {}</td><td class=\"status\">{}</td></tr>\n",
        row.rank,
        name_html(&tournament.player_name(row.player)),
        row.tokens,
        row.won,
        row.lost,
        row.status.describe_status()
    )
}

/// Open duels, accepted ones first.
fn duels_html(tournament: &Tournament) -> String {
    let (playing, waiting): (Vec<&Duel>, Vec<&Duel>) =
        tournament.duels.values().filter(|duel| duel.is_open()).partition(|duel| duel.state == DuelState::Accepted);
    let line = |duel: &&Duel| {
        let [first, second] = duel.players.map(|player| name_html(&tournament.player_name(player)));
        let number = duel.id.0;
        match duel.state {
            DuelState::Challenged => format!("<li><span class=\"quiet\">{number}</span> {first} challenges {second}</li>\n"),
            _ => format!("<li><span class=\"quiet\">{number}</span> {first} against {second}</li>\n"),
        }
    };
    let lines: String = playing.iter().chain(&waiting).map(line).collect();
    list_html("Open duels", &lines, "No open duels.")
}

/// The last duels with a winner, the latest first.
fn results_html(tournament: &Tournament) -> String {
    let mut ended: Vec<(&Duel, _, _)> = tournament
        .duels
        .values()
        .filter_map(|duel| duel.winner_and_loser().map(|(winner, loser)| (duel, winner, loser)))
        .collect();
    ended.sort_by_key(|(duel, ..)| Reverse((duel.ended, duel.id)));
    let line = |(duel, winner, loser): &(&Duel, _, _)| {
        let [winner, loser] = [winner, loser].map(|&player| name_html(&tournament.player_name(player)));
        format!("<li><span class=\"quiet\">{}</span> {winner} beats {loser}</li>\n", duel.id.0)
    };
    let lines: String = ended.iter().take(MOST_RESULTS).map(line).collect();
    list_html("Last results", &lines, "No results yet.")
}

/// A section with a list; `none` is its text if there are no lines.
fn list_html(title: &str, lines: &str, none: &str) -> String {
    match lines.is_empty() {
        true => format!("<section>\n<h2>{title}</h2>\n<p class=\"quiet\">{none}</p>\n</section>\n"),
        false => format!("<section>\n<h2>{title}</h2>\n<ul>\n{lines}</ul>\n</section>\n"),
    }
}

fn footer_html(tournament: &Tournament, now: Timestamp) -> String {
    let players = count_text(tournament.players.len(), "player", "players");
    let tokens = text::tokens_text(tournament.settings.tokens);
    let played = tournament.duels.values().filter(|duel| duel.winner_and_loser().is_some()).count();
    let won = count_text(played, "duel", "duels");
    let time = time::exact_time_text(now);
    format!("<footer class=\"quiet\">{players} with {tokens} each, {won} won; as of {time}</footer>\n")
}

/// A name isolated from its surroundings, because it may run from right to left.
fn name_html(name: &str) -> String {
    format!("<bdi>{}</bdi>", escape_html(name))
}

/// Text escaped for HTML.
fn escape_html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in name::display_name(text).chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}
