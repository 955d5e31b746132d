//! The report of a simulation, for people and programs.
//!
//! `sim` prints it as text or JSON. The submodules add tables for pairs, teams, payoffs and variants.

pub mod comparison;
mod csv;
mod means;
mod page;
pub mod pairs;
mod teams;

use super::interval::Share;
pub use csv::result_table;

use super::plan::Plan;
use super::sides::{describe_side, side_entrants, side_name, side_player};
use super::tally::Tally;
use super::{check, game, trouble::Trouble};
use crate::layout::group_digits;
use ludex_bots::score::{Score, Spread};
use ludex_engine::problem::{count_alike, join_words};
use ludex_engine::program::Program;
use ludex_engine::recording::Entry;
use ludex_engine::runtime::Counter;
use page::{add_line, longest_width};
use serde_json::{Value, json};

/// The parts of a report besides the results of the games.
#[derive(Clone, Copy, Debug)]
pub struct ReportParts<'a> {
    /// Whether `--check` was given, so that failed checks are counted.
    pub checking: bool,
    /// Whether the use of abilities and actions is reported.
    pub usage: bool,
    /// The counters in the report, with their names.
    pub counters: &'a [(&'a str, Counter)],
}

/// The report as one JSON object.
pub fn simulation_json(program: &Program, plan: &Plan, wanted: ReportParts<'_>, tally: &Tally) -> Value {
    let options = program.options.iter().map(|option| (option.name.clone(), Value::from(option.value_text(option.value))));
    let mut report = json!({
        "ludex": 1,
        "command": "sim",
        "game": program.game,
        "mode": program.mode,
        "options": options.collect::<serde_json::Map<_, _>>(),
        "package_hash": program.hash,
        "games": plan.games,
        "seed": plan.seed,
        "faults": tally.faults,
        "capped": tally.all.capped,
        "unwon": tally.all.unwon_games(),
        "ties": tally.all.ties,
        "sides": (0..plan.players.len()).map(|side| side_json(plan, side, &tally.all)).collect::<Vec<_>>(),
        "together": together_json(&tally.all),
        "turns": spread_json(tally.all.turns, tally.all.games),
        "answers": spread_json(tally.all.answers, tally.all.games),
        "scopes": scope_spreads(program, &tally.all).map(|(name, spread)| (name.to_string(), spread_json(spread, tally.all.games)))
            .collect::<serde_json::Map<_, _>>(),
        "digest": format!("{:016x}", tally.digest),
    });
    let mut add = |key: &str, value: Value| {
        if let Some(report) = report.as_object_mut() {
            report.insert(key.to_string(), value);
        }
    };
    if !tally.payoffs.is_empty() {
        add("payoffs", means::means_json(&tally.payoffs));
    }
    if !wanted.counters.is_empty() {
        add("counters", means::counters_json(wanted.counters, tally));
    }
    if wanted.checking {
        add("check", json!({ "failed": tally.failed_checks, "in_full": tally.checked }));
    }
    if wanted.usage {
        add("usage", usage_json(tally));
    }
    if !tally.pairs.is_empty() {
        add("pairs", pairs::pairs_json(plan, tally));
    }
    if !tally.drawn.is_empty() {
        add("drawn", teams::teams_json(plan, tally));
    }
    if !tally.troubles.is_empty() {
        add("troubles", tally.troubles.iter().map(trouble_json).collect());
    }
    report
}

/// The number of times each scope began.
fn scope_spreads<'a>(program: &'a Program, score: &Score) -> impl Iterator<Item = (&'a str, Spread)> {
    game::declared_scopes(program).map(|(_, name)| name).zip(score.scopes.clone())
}

/// The results of one side, with shares of all games that ended normally.
fn side_json(plan: &Plan, side: usize, score: &Score) -> Value {
    let (share, shared) = (Share::of_wins(score, side), Share::of_shared_wins(score, side));
    json!({
        "side": side,
        "entrants": side_entrants(plan, side),
        "player": side_player(plan, side),
        "wins": score.wins.get(side),
        "shared": score.shared.get(side),
        "lost": score.lost.get(side),
        "ties": score.shared_wins_of(side),
        "win_rate": share.rate,
        "low": share.low,
        "high": share.high,
        "shared_rate": shared.rate,
        "shared_low": shared.low,
        "shared_high": shared.high,
    })
}

/// The shares of games won by several sides, by all of several sides, and by none.
fn together_json(score: &Score) -> Value {
    let share = |games: u64| {
        let share = Share::from_counts(games, score.games);
        json!({ "games": games, "rate": share.rate, "low": share.low, "high": share.high })
    };
    json!({ "won": share(score.together), "all": share(score.all_won), "nobody": share(score.nobody) })
}

/// A number per game: its mean and its maximum.
fn spread_json(spread: Spread, games: u64) -> Value {
    json!({ "mean": spread.mean_per_game(games), "max": spread.most })
}

/// The numbers of moves, abilities, cards and events, and the use of each budget.
fn usage_json(tally: &Tally) -> Value {
    let abilities = tally.usage.abilities.iter().map(|(ability, usage)| {
        let share = Share::from_counts(usage.winners, usage.users);
        let value = json!({
            "uses": usage.uses, "effects": usage.effects, "users": usage.users, "winners": usage.winners,
            "win_rate": share.rate, "low": share.low, "high": share.high,
        });
        (ability.clone(), value)
    });
    let events = tally.usage.events.iter().map(|(event, happened)| {
        let share = Share::from_counts(happened.games, tally.all.games);
        let value = json!({
            "times": happened.times, "games": happened.games,
            "rate": share.rate, "low": share.low, "high": share.high,
        });
        (event.clone(), value)
    });
    let cards = tally.usage.cards.iter();
    let cards = cards.map(|(card, usage)| (card.clone(), json!({ "moves": usage.moves, "effects": usage.effects })));
    json!({
        "actions": tally.usage.actions,
        "abilities": abilities.collect::<serde_json::Map<_, _>>(),
        "cards": cards.collect::<serde_json::Map<_, _>>(),
        "events": events.collect::<serde_json::Map<_, _>>(),
        "budgets": tally.largest.budget_rows().map(|(name, most, ceiling)| json!({ "of": name, "most": most, "ceiling": ceiling })),
    })
}

/// A game in which something went wrong, with the answers that lead there.
fn trouble_json(trouble: &Trouble) -> Value {
    json!({
        "game": trouble.index,
        "seed": trouble.header.seed,
        "sides": trouble.header.sides,
        "kind": if trouble.is_fault() { "fault" } else { "check" },
        "message": trouble.message(),
        "answers": trouble.entries,
    })
}

/// The report as text.
pub fn simulation_text(program: &Program, plan: &Plan, wanted: ReportParts<'_>, tally: &Tally) -> String {
    let mut page = format!("{}: {}, seed {}\n\n", program.game, count_text(plan.games, "game", "games"), plan.seed);
    add_side_lines(&mut page, plan, program, &tally.all);
    let unwon = Some((tally.all.unwon_games(), "without a winner")).filter(|(games, _)| *games > 0);
    let ends = std::iter::once((tally.all.ties, "tied")).chain(unwon);
    let ends = ends.chain([(tally.all.capped, "called off"), (tally.faults, "ended by a fault")]);
    let ends: Vec<String> = ends.map(|(games, how)| format!("{} {how}", group_digits(games))).collect();
    add_line(&mut page, &format!("games    {}", ends.join(", ")));
    let games = tally.all.games;
    if tally.all.is_cooperative() {
        let share = |won: u64| count_and_share(won, Share::from_counts(won, games));
        add_line(&mut page, &format!("together won {}; lost {}", share(tally.all.together), share(tally.all.nobody)));
    }
    if tally.all.turns.most > 0 {
        add_line(&mut page, &spread_text("turns", tally.all.turns, games));
    }
    for (name, spread) in scope_spreads(program, &tally.all).filter(|(name, spread)| *name != "turn" && spread.most > 1) {
        add_line(&mut page, &spread_text(&name.replace('_', " "), spread, games));
    }
    add_line(&mut page, &spread_text("answers", tally.all.answers, games));
    add_line(&mut page, &format!("digest   {:016x}", tally.digest));
    if wanted.checking {
        add_line(&mut page, &checks_text(plan, tally));
    }
    page.push_str(&means::means_text(wanted.counters, tally));
    if !tally.pairs.is_empty() {
        page.push_str(&pairs::pairs_text(plan, tally));
    }
    if !tally.drawn.is_empty() {
        page.push_str(&teams::teams_text(plan, tally));
    }
    if wanted.usage {
        page.push_str(&usage_text(tally));
    }
    for trouble in &tally.troubles {
        page.push_str(&trouble_text(program, trouble));
    }
    page
}

/// Adds a line for each side: its name, who plays it, and its wins.
fn add_side_lines(page: &mut String, plan: &Plan, program: &Program, score: &Score) {
    let names: Vec<String> = (0..plan.players.len()).map(|side| describe_side(plan, side)).collect();
    let sides: Vec<String> = (0..names.len()).map(|side| side_name(program, side)).collect();
    let [width, side_width] = [&names, &sides].map(|names| names.iter().map(|name| name.chars().count()).max().unwrap_or(0));
    // As wide as the labels of the numbers below.
    let side_width = side_width.max("games ".len());
    for (side, (name, called)) in names.iter().zip(&sides).enumerate() {
        let of = |counts: &[u64]| counts.get(side).copied().unwrap_or(0);
        let mut told = format!(
            "{called:side_width$}   {name:width$}   wins {}",
            count_and_share(of(&score.wins), Share::of_wins(score, side))
        );
        // A win that all share is reported as a tie.
        if score.some_shared {
            told.push_str(&format!(
                ", and {} with others, {}",
                group_digits(of(&score.shared)),
                Share::of_shared_wins(score, side).percent_text()
            ));
        }
        add_line(page, &told);
    }
    page.push('\n');
}

fn count_and_share(games: u64, share: Share) -> String {
    format!("{}, {}", group_digits(games), share.percent_text())
}

/// Formats a number per game; `what` names it.
fn spread_text(what: &str, spread: Spread, games: u64) -> String {
    format!("{what:8} {:.1} a game, at most {}", spread.mean_per_game(games), group_digits(spread.most))
}

fn checks_text(plan: &Plan, tally: &Tally) -> String {
    let found = match tally.failed_checks {
        0 => "no problems".to_string(),
        failed => format!("problems in {}", count_text(failed, "game", "games")),
    };
    let sample = check::full_check_interval(plan.games);
    let sample = if sample == 1 { "every one".to_string() } else { format!("one in {}", group_digits(sample)) };
    format!("checked  {found}: every game at its end, {} answer by answer ({sample})", group_digits(tally.checked))
}

fn usage_text(tally: &Tally) -> String {
    let games = tally.all.games;
    let mut page = "\nmoves made, per game\n".to_string();
    let width = longest_width(tally.usage.actions.keys().chain(tally.usage.abilities.keys()));
    for (action, &times) in &tally.usage.actions {
        add_line(&mut page, &format!("  {action:width$} {:8.2}", Spread { sum: times, most: 0 }.mean_per_game(games)));
    }
    if !tally.usage.abilities.is_empty() {
        page.push_str("\nabilities, per game: uses, all effects, and wins of the sides that used them\n");
    }
    for (ability, usage) in &tally.usage.abilities {
        let [uses, effects] = [usage.uses, usage.effects].map(|sum| Spread { sum, most: 0 }.mean_per_game(games));
        let wins = if usage.users > 0 { Share::from_counts(usage.winners, usage.users).percent_text() } else { String::new() };
        add_line(&mut page, &format!("  {ability:width$} {uses:8.4} {effects:9.4}   {wins}"));
    }
    if !tally.usage.cards.is_empty() {
        page.push_str("\ncards, in all games: how often in a move, and how often their abilities had an effect\n");
    }
    let width = longest_width(tally.usage.cards.keys());
    for (card, usage) in &tally.usage.cards {
        add_line(&mut page, &format!("  {card:width$} {:>11} {:>11}", group_digits(usage.moves), group_digits(usage.effects)));
    }
    if !tally.usage.events.is_empty() {
        page.push_str("\nevents, per game, and the number of games that have them\n");
    }
    let width = longest_width(tally.usage.events.keys());
    for (event, happened) in &tally.usage.events {
        let mean = Spread { sum: happened.times, most: 0 }.mean_per_game(games);
        add_line(
            &mut page,
            &format!(
                "  {event:width$} {mean:8.4}   {}",
                count_and_share(happened.games, Share::from_counts(happened.games, games))
            ),
        );
    }
    page.push_str("\nbudgets of play: the most used in one game, and its share of the ceiling\n");
    for (name, most, ceiling) in tally.largest.budget_rows() {
        let share = 100.0 * most as f64 / ceiling as f64;
        add_line(&mut page, &format!("  {name:29} {:>13} of {:>13} {share:6.2} %", group_digits(most), group_digits(ceiling)));
    }
    page
}

fn trouble_text(program: &Program, trouble: &Trouble) -> String {
    let what = if trouble.is_fault() { "fault" } else { "failed check" };
    let name = |(number, side): (usize, &Vec<String>)| match side.is_empty() {
        true => side_name(program, number),
        false => join_words(&count_alike(side.iter().map(String::as_str)), "and"),
    };
    let sides: Vec<String> = trouble.header.sides.iter().enumerate().map(name).collect();
    let mut text = String::new();
    add_line(
        &mut text,
        &format!("\n{what} in game {}, {}, seed {}:", trouble.index, sides.join(" against "), trouble.header.seed),
    );
    add_line(&mut text, &format!("  {}", trouble.message()));
    if let Some(Entry::Answer { seat, key, .. }) = trouble.entries.last() {
        add_line(
            &mut text,
            &format!(
                "  after {}, the last one `{key}` of seat {seat}",
                count_text(trouble.entries.len() as u64, "answer", "answers")
            ),
        );
    }
    text
}

fn count_text(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", group_digits(number), if number == 1 { one } else { many })
}
