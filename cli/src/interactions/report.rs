//! The report of an audit, for people and programs.

use super::pairs::{Audit, Clauses, Pair};
use crate::layout::{Table, count_text, paragraph_text};
use crate::output;
use ludex_engine::program::Program;
use serde_json::{Value, json as object};

/// Maximum number of pairs that never met and are named to people.
const MOST_NAMED: usize = 20;

/// Whether the two orders ever led to different results.
fn has_differences(pair: &Pair) -> bool {
    pair.differing > 0
}

/// Counts the pairs of an audit that match.
fn count_pairs(audit: &Audit, is: impl Fn(&Pair) -> bool) -> usize {
    audit.pairs.values().filter(|pair| is(pair)).count()
}

/// The text for people of some audits, each with its program.
pub fn audit_text(audits: &[(&Program, Audit)]) -> String {
    audits.iter().map(|(program, audit)| mode_text(program, audit)).collect::<Vec<_>>().join("\n")
}

/// The text about one mode of a game.
fn mode_text(program: &Program, audit: &Audit) -> String {
    let mode = if audit.mode == "standard" { String::new() } else { format!(", mode {}", audit.mode) };
    let games = count_text(audit.games as usize, "game", "games");
    let mut text = output::heading_text(&format!("{}{mode}, {games} from seed {}", audit.game, audit.seed));
    let (met, all) = (count_pairs(audit, |pair| pair.met > 0), audit.pairs.len());
    let (differing, looping) = (count_pairs(audit, has_differences), count_pairs(audit, |pair| pair.looping > 0));
    let sums = format!(
        "Of {} whose order the rules leave open, {met} met, {differing} {} and {looping} reached a limit.",
        count_text(all, "pair", "pairs"),
        if differing == 1 { "differs" } else { "differ" },
    );
    text.push_str(&format!("\n{}", paragraph_text(&sums, 0)));
    let mut table = Table::default();
    for (pair, found) in sorted_pairs(audit).into_iter().filter(|(_, found)| found.met > 0) {
        if table.is_empty() {
            table.add_row(["hook", "one and the other", "met", "played", "differ", "loop", "in what"]);
        }
        let numbers = [found.met, found.compared, found.differing, found.looping].map(|number| number.to_string());
        let [one, other] = clause_names(program, *pair);
        let differences: Vec<&str> = found.differences.iter().map(String::as_str).collect();
        let first = [hook_name(program, *pair).to_string(), format!("{one} and {other}")];
        table.add_row(first.into_iter().chain(numbers).chain([differences.join(", ")]));
    }
    if !table.is_empty() {
        text.push_str(&format!("\n{}", table.to_text()));
    }
    text.push_str(&never_met_text(program, audit));
    text
}

/// The pairs, with those that differ or loop first.
fn sorted_pairs(audit: &Audit) -> Vec<(&Clauses, &Pair)> {
    let mut pairs: Vec<(&Clauses, &Pair)> = audit.pairs.iter().collect();
    pairs.sort_by_key(|(pair, found)| (found.looping == 0, found.differing == 0, **pair));
    pairs
}

/// The pairs that never met: the games say nothing about them.
fn never_met_text(program: &Program, audit: &Audit) -> String {
    let never: Vec<&Clauses> = audit.pairs.iter().filter(|(_, found)| found.met == 0).map(|(pair, _)| pair).collect();
    if never.is_empty() {
        return String::new();
    }
    let mut table = Table::default();
    for pair in never.iter().take(MOST_NAMED) {
        let [one, other] = clause_names(program, **pair);
        table.add_row([hook_name(program, **pair).to_string(), format!("{one} and {other}")]);
    }
    let more = match never.len().saturating_sub(MOST_NAMED) {
        0 => String::new(),
        more => format!("  and {more} more; `--format json` lists them all\n"),
    };
    format!("\n{}\n{}{more}", count_text(never.len(), "pair that never met", "pairs that never met"), table.to_text())
}

/// The hook of a pair. Both clauses have the same one.
fn hook_name(program: &Program, (one, _): Clauses) -> &str {
    let hook = program.clauses.get(usize::from(one)).map_or(0, |clause| clause.hook);
    program.hooks.get(usize::from(hook)).map_or("", |hook| hook.name.as_str())
}

/// The two clauses in words: the ability, with the clause if the ability has several.
fn clause_names(program: &Program, (one, other): Clauses) -> [String; 2] {
    [one, other].map(|clause| {
        let [ability, name] = ability_and_clause(program, clause);
        let several = program
            .clauses
            .iter()
            .filter(|other| program.abilities.get(usize::from(other.ability)).is_some_and(|info| info.id == ability))
            .count()
            > 1;
        if several { format!("{ability}.{name}") } else { ability }
    })
}

/// The ability of a clause, and the clause's name in the header.
fn ability_and_clause(program: &Program, clause: u16) -> [String; 2] {
    let Some(clause) = program.clauses.get(usize::from(clause)) else { return [String::new(), String::new()] };
    let ability = program.abilities.get(usize::from(clause.ability)).map_or(String::new(), |ability| ability.id.clone());
    [ability, clause.name.clone()]
}

/// The report as JSON, with all pairs.
pub fn audit_json(audits: &[(&Program, Audit)]) -> Value {
    let clause = |program: &Program, clause: u16| {
        let [ability, name] = ability_and_clause(program, clause);
        object!({ "ability": ability, "clause": name })
    };
    let of_mode = |(program, audit): &(&Program, Audit)| {
        let pairs = sorted_pairs(audit).into_iter().map(|(pair, found)| {
            object!({
                "hook": hook_name(program, *pair),
                "one": clause(program, pair.0),
                "other": clause(program, pair.1),
                "met": found.met,
                "compared": found.compared,
                "differing": found.differing,
                "looping": found.looping,
                "differences": found.differences,
                "first": found.first.map(|(game, answers)| object!({ "game": game, "answers": answers })),
            })
        });
        object!({
            "game": audit.game,
            "mode": audit.mode,
            "games": audit.games,
            "seed": audit.seed,
            "met": count_pairs(audit, |pair| pair.met > 0),
            "differing": count_pairs(audit, has_differences),
            "looping": count_pairs(audit, |pair| pair.looping > 0),
            "never_met": count_pairs(audit, |pair| pair.met == 0),
            "pairs": pairs.collect::<Vec<_>>(),
        })
    };
    object!({ "ludex": 1, "command": "check", "interactions": audits.iter().map(of_mode).collect::<Vec<_>>() })
}
