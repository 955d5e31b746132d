//! Checks that take longer than `.ci/run` allows: minutes to hours each.

use std::process::Command;

/// A check to run by hand, before a release or after a change in the area it covers.
struct LongCheck {
    name: &'static str,
    about: &'static str,
    /// A bash script, run in the root of the repository, that calls the release build `ludex`.
    script: &'static str,
}

const fn check(name: &'static str, about: &'static str, script: &'static str) -> LongCheck {
    LongCheck { name, about, script }
}

const LONG_CHECKS: [LongCheck; 31] = [
    check(
        "dice-challenge",
        "5,000,000 games of all pairs: no fault, no loss, no leak, and replays agree",
        "ludex sim dice-challenge --all-pairs --check --games 5000000",
    ),
    check(
        "dicewing",
        "the same for 1,000,000 games with secret picks, in which dice change hands",
        "ludex sim dicewing --check --games 1000000",
    ),
    check(
        "tri-stat",
        "100,000 fights of five against twelve",
        "ludex sim tri-stat --check --games 100000 \
         --seat 0=sailor-moon,sailor-mercury,sailor-mars,sailor-jupiter,sailor-venus \
         --seat 1=dark-queen,stone-youma,youma,youma,youma,youma,youma,youma,youma,youma,youma,youma",
    ),
    check(
        "decks",
        "100,000 games of all pairs of the four decks; random play may be called off at 400 turns",
        "ludex sim sailor-moon-ccg --all-pairs --games 100000",
    ),
    check("six-players", "20,000 card games of six in a ring", "ludex sim sailor-moon-ccg --seat 5=:random --games 20000"),
    check(
        "basic-game",
        "50,000 games of all pairs with the rules for beginners",
        "ludex sim sailor-moon-ccg --mode basic --all-pairs --games 50000",
    ),
    check(
        "every-card",
        "20,000 games with random decks of all cards: every card is played, every effect is used",
        "decks=$(mktemp -d)\n\
         cargo run --release --example random_decks -- sailor-moon-ccg 200 60 \"$decks\" power=24\n\
         ludex sim sailor-moon-ccg --library \"$decks\" --games 20000 --usage",
    ),
    check(
        "usage",
        "1,000,000 games of all pairs: who wins against whom, and with what",
        "ludex sim dice-challenge --all-pairs --usage --games 1000000",
    ),
    check(
        "ignored-tests",
        "games of cards, games beside twins, all falls of large dice, and the bot of docs/bots.md in all modes",
        "cargo test --release --test ludex -- --ignored",
    ),
    check(
        "full-disks",
        "300 games of `host`, each with a disk that fills up during play",
        "cargo test --test ludex three_hundred_full_disks -- --ignored",
    ),
    check(
        "instructions",
        "instructions of three games and of `check`: a change of more than 3 % fails",
        "tests/instructions/run",
    ),
    check("editors", "the grammars of VS Code read every file; no word without a scope", "tests/editors/run"),
    check(
        "tree-sitter",
        "the tree-sitter parsers, generated again, read every file and header without an error",
        "tests/editors-tree-sitter/run",
    ),
    check("editors-yaml", "a language server for YAML underlines misspelt words", "tests/editors-yaml/run"),
    check("browser", "whole games in Chromium, with screenshots in `shots`", "SHOTS=shots tests/browser/run"),
    check(
        "formatting",
        "10,000 randomly garbled texts: formatting changes no word of them",
        "LUDEX_FORMATTED=10000 cargo test -p ludex-engine garbled",
    ),
    check(
        "new-games",
        "`ludex new` for every classic game, not for one of each sort",
        "LUDEX_MAKING=all cargo test --test ludex making",
    ),
    check(
        "odds",
        "odds of 200,000 random games and of all shipped games, throw by throw",
        "LUDEX_JUDGED=200000 cargo test --release --test ludex judged_odds -- --ignored",
    ),
    check(
        "twins",
        "200,000 random games with secrets, in two worlds that a seat cannot tell apart",
        "LUDEX_TWINS=200000 cargo test --release --test ludex apart -- --ignored",
    ),
    check(
        "schemas",
        "100,000 mistakes in keys that `check` reports: the schemas refuse each of them too",
        "LUDEX_SCHEMA_MISTAKES=100000 cargo test -p xtask mistakes_in_keys",
    ),
    check(
        "recordings",
        "an answer beside one fdatasync; memory over 10^6 lines; 100,000 damaged recordings: no answer is invented",
        "cargo run --release --example recordings\n\
         cargo run --release --example soak -- recordings --count 100000",
    ),
    check("protocol", "1,000,000 hostile lines, to `host`", "cargo run --release --example soak -- protocol --count 1000000"),
    check(
        "kills",
        "1,000 games killed during play: no answer is lost",
        "cargo run --release --example soak -- kills --count 1000",
    ),
    check(
        "secrets",
        "400 pairs of games that differ in a secret pick: no seat can tell which",
        "cargo run --release --example soak -- secrets --count 400",
    ),
    check(
        "hostile-games",
        "hostile games end within 0.5 s and 64 MiB; 20,000 games changed at random: no panic, none over a second",
        "cargo run --release --example hostile_games\n\
         cargo run --release --example hostile_games -- changed 20000",
    ),
    check(
        "hostile-odds",
        "100,000 hostile expressions: no panic; time and memory keep their limits",
        "cargo run --release --example hostile_odds",
    ),
    check(
        "hostile-libraries",
        "libraries made to be slow, every declaration at two sizes, and 10,000 mixtures: 2 s and 128 MiB, or marked `!`",
        "cargo run --release --example hostile_libraries\n\
         cargo run --release --example hostile_libraries -- --doubled\n\
         cargo run --release --example hostile_libraries -- --mixed 10000 --from 0",
    ),
    check(
        "shards",
        "a run in 64 shards, killed at random, gives the result of one run; merging 1,000 shards",
        "tests/cluster/run.sh 10000\ntests/cluster/merge.sh 1000",
    ),
    check(
        "tournaments",
        "processes killed at random: no data lost, no half-finished duel",
        "cargo run --release --example tournament_soak -- --players 200 --duels 5000 --processes 8",
    ),
    check(
        "crowds",
        "2,000 spectators at one table, and 50 other tables: the time until an answer is acknowledged and shown",
        "cargo run --release --example serve_load -- --followers 2000",
    ),
    check("parquet", "Parquet rows are read back; needs a separate build", "cargo test --features parquet --test ludex -- rows"),
];

/// The names of all checks with their purposes, one per line.
pub fn listed() -> String {
    LONG_CHECKS.iter().map(|check| format!("{:18} {}\n", check.name, check.about)).collect()
}

/// Runs the named checks one after another, or all if no name is given, and stops at the first failure.
///
/// # Errors
///
/// A sentence if no check has a name, or if a check fails.
pub fn run(names: &[String]) -> Result<String, String> {
    let named = |name: &String| {
        let found = LONG_CHECKS.iter().find(|check| check.name == *name);
        found.ok_or_else(|| format!("there is no check `{name}`; they are:\n{}", listed()))
    };
    let chosen: Vec<&LongCheck> = names.iter().map(named).collect::<Result<_, _>>()?;
    let chosen = if chosen.is_empty() { LONG_CHECKS.iter().collect() } else { chosen };
    for check in &chosen {
        eprintln!("==> {}: {}", check.name, check.about);
        let script = format!("ludex() {{ \"$PWD\"/target/release/ludex \"$@\"; }}\ncargo build --release\n{}", check.script);
        let status = Command::new("bash").args(["-euc", &script]).status();
        if !status.map_err(|error| format!("bash cannot be started: {error}"))?.success() {
            return Err(format!("the check `{}` has failed", check.name));
        }
    }
    Ok(format!("{} checks have passed\n", chosen.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    fn root() -> &'static Path {
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
    }

    #[test]
    fn the_page_lists_every_check() {
        let page = std::fs::read_to_string(root().join("docs/checks.md")).unwrap();
        let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | "));
        let rows: BTreeSet<(&str, &str)> = rows.map(|(name, about)| (name, about.trim_end_matches(" |"))).collect();
        for check in &LONG_CHECKS {
            assert!(rows.contains(&(check.name, check.about)), "docs/checks.md: | `{}` | {} |", check.name, check.about);
        }
    }

    #[test]
    fn what_a_check_runs_is_there() {
        let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
        for check in &LONG_CHECKS {
            for word in check.script.split_whitespace().filter(|word| word.starts_with("tests/")) {
                assert!(root().join(word).is_file(), "{}: {word}", check.name);
            }
            for (_, example) in
                check.script.match_indices("--example ").map(|(at, found)| (at, &check.script[at + found.len()..]))
            {
                let name = example.split_whitespace().next().unwrap_or_default();
                let is_there = ["examples/NAME.rs", "examples/NAME/main.rs"].map(|path| path.replace("NAME", name));
                assert!(is_there.iter().any(|path| root().join(path).is_file()) || manifest.contains(name), "{name}");
            }
        }
    }

    #[test]
    fn an_unknown_check_is_answered_with_those_there_are() {
        let error = run(&["kill".to_string()]).unwrap_err();
        assert!(error.starts_with("there is no check `kill`") && error.contains("kills"), "{error}");
    }
}
