//! `ludex new` for bundled and classic games: what it writes is checked, tested and played without a problem.

use crate::support::{Folder, Run, ludex_in, run};
use ludex_engine::library::{CompileRequest, File, Library, WordSort};
use std::collections::BTreeSet;
use std::path::Path;

const CLASSICS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/classics");

/// A game, and what can be made for it.
struct Game {
    id: String,
    /// Its sides bring somebody.
    brings: bool,
    /// Those have cards.
    cards: bool,
    /// Abilities may act in it.
    hooks: bool,
}

/// All bundled games, and of the classic ones one for each combination of what can be made for them; with `LUDEX_MAKING` set, all.
fn games() -> Vec<Game> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for library in [root.to_path_buf(), root.join("examples/classics")] {
        for path in crate::engine_names_no_game::files(&library.join("rules"), &["ludex"]) {
            let within = path.strip_prefix(&library).unwrap().to_string_lossy().into_owned();
            files.push(File {
                path: within,
                text: std::fs::read_to_string(&path).unwrap(),
                library: library.display().to_string(),
            });
        }
    }
    let library = Library::new(files).0;
    let of = |id: String| {
        let declared = library.declared_sheets(&id);
        let (brings, cards) = (declared.brought.is_some(), !declared.printed.is_empty());
        let hooks = library.declared_words(&id, &CompileRequest::default()).iter().any(|word| word.sort == WordSort::Hook);
        Game { id, brings, cards: brings && cards, hooks: brings && hooks }
    };
    let mut games: Vec<Game> = library.game_ids().into_iter().map(of).collect();
    let is_bundled = |game: &Game| root.join("rules").join(&game.id).is_dir();
    let mut seen = BTreeSet::new();
    let everything = std::env::var_os("LUDEX_MAKING").is_some();
    games.retain(|game| everything || is_bundled(game) || seen.insert((game.brings, game.cards, game.hooks)));
    games
}

/// What is in a folder.
fn names(folder: &Folder) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path()).unwrap();
    entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
}

fn read(folder: &Folder, path: &str) -> String {
    std::fs::read_to_string(folder.file(path)).unwrap()
}

fn new(folder: &Folder, args: &[&str], input: &str) -> Run {
    let args: Vec<&str> = ["new"].iter().chain(args).chain(&["--library", CLASSICS]).copied().collect();
    ludex_in(folder, &args, input)
}

/// Checks that a game is as it was with what is new in it, passes the scenarios that came with it, and plays with each of these
/// in the first seat.
fn holds_together(folder: &Folder, game: &str, seats: &[&str]) {
    let checked = run(folder, &["check", "--library", CLASSICS], "");
    assert!(checked.stdout.contains("no problems"), "{game}: {}", checked.stdout);
    run(folder, &["test", &format!("rules/{game}/scenarios"), "--library", CLASSICS], "");
    for seat in seats {
        let seat = format!("0={seat}");
        let simulated = run(folder, &["sim", game, "--games", "3", "--seat", &seat, "--library", CLASSICS], "");
        assert!(simulated.stdout.contains("0 ended by a fault"), "{game}: {}", simulated.stdout);
    }
}

#[test]
fn a_new_character_plays_in_every_game_in_which_sides_bring_somebody() {
    for Game { id: game, brings, .. } in games() {
        let folder = Folder::empty(&format!("new character {game}"));
        let made = new(&folder, &["character", "Night Owl", "--game", &game], "");
        assert_eq!(made.status, i32::from(!brings), "{game}: {}{}", made.stdout, made.stderr);
        if brings {
            holds_together(&folder, &game, &["night-owl"]);
        } else {
            assert!(made.stderr.contains("bring no entrants"), "{game}: {}", made.stderr);
            assert_eq!(names(&folder), Vec::<String>::new(), "{game}");
        }
    }
}

#[test]
fn a_new_card_is_brought_by_somebody_new_in_every_game_with_cards() {
    for Game { id: game, .. } in games().into_iter().filter(|game| game.cards) {
        let folder = Folder::empty(&format!("new card {game}"));
        // Where there are several sorts of cards, the first is taken.
        let made = new(&folder, &["card", "Paper Crane", "--game", &game], "\n");
        assert_eq!(made.status, 0, "{game}: {}{}", made.stdout, made.stderr);
        let path = made
            .stdout
            .lines()
            .find_map(|line| line.strip_prefix("made characters/").filter(|path| !path.ends_with("/paper-crane.yaml")));
        let bearer = path.and_then(|path| Path::new(path).file_stem()).unwrap().to_string_lossy().into_owned();
        holds_together(&folder, &game, &[&bearer]);
    }
}

#[test]
fn a_new_ability_acts_in_every_game_with_hooks() {
    for Game { id: game, .. } in games().into_iter().filter(|game| game.hooks) {
        let folder = Folder::empty(&format!("new ability {game}"));
        let players = [("Second Sight", "offer"), ("Third Ear", "trigger")].map(|(name, kind)| {
            let made = new(&folder, &["ability", name, "--game", &game, "--kind", kind], "\n");
            assert_eq!(made.status, 0, "{game}: {}{}", made.stdout, made.stderr);
            let play = format!("ludex play {game} --seat 0=");
            made.stdout.lines().find_map(|line| line.trim().strip_prefix(&play)).unwrap().to_string()
        });
        holds_together(&folder, &game, &players.each_ref().map(String::as_str));
    }
}

#[test]
fn a_new_game_is_tested_and_covered() {
    let folder = Folder::empty("new game");
    let made = run(&folder, &["new", "game", "Last Light"], "");
    insta::assert_snapshot!(made.stdout);
    assert!(run(&folder, &["check"], "").stdout.contains("no problems"));
    // Not every way out of a loop can be reached.
    let tested = ludex_in(&folder, &["test", "last-light", "--coverage"], "");
    assert!(tested.stdout.contains("coverage: 4 of 4 rules"), "{}", tested.stdout);
    run(&folder, &["sim", "last-light", "--games", "3", "--seat", "0=:policy=careful"], "");
}

/// Everything in backticks that begins with `ludex`.
fn recommended(text: &str) -> Vec<Vec<String>> {
    let quoted = text.split('`').skip(1).step_by(2).filter(|words| words.starts_with("ludex "));
    quoted.map(|words| words.split_whitespace().skip(1).map(str::to_string).collect()).collect()
}

#[test]
fn the_files_of_a_new_game_recommend_commands_that_work() {
    let folder = Folder::empty("new game recommended");
    let made = run(&folder, &["new", "game", "Last Light"], "").stdout;
    let files = made.lines().filter_map(|line| line.strip_prefix("made ")).map(|path| read(&folder, path));
    let mut commands: Vec<Vec<String>> = files.flat_map(|text| recommended(&text.replace("\n# ", " "))).collect();
    commands.extend(
        made.lines()
            .filter_map(|line| line.trim().strip_prefix("ludex "))
            .map(|line| line.split(' ').map(str::to_string).collect()),
    );
    commands.sort();
    commands.dedup();
    let verbs: BTreeSet<&str> = commands.iter().map(|command| command[0].as_str()).collect();
    assert_eq!(verbs.into_iter().collect::<Vec<_>>(), ["check", "play", "sim", "test"]);
    for command in &commands {
        let args: Vec<&str> = command.iter().map(String::as_str).collect();
        // A person would be asked whom they play.
        let more: &[&str] = if args[0] == "play" { &["--seat", "0=:random", "--seat", "1=:random"] } else { &[] };
        let done = ludex_in(&folder, &[&args, more].concat(), "");
        assert_eq!(done.status, 0, "{args:?}: {}{}", done.stdout, done.stderr);
    }
}

/// What stands in a text without notes, blank lines, rule ids and blanks.
fn bare(text: &str) -> Vec<String> {
    let code = |line: &str| line.split(" @").next().unwrap_or_default().split('#').next().unwrap_or_default().trim().to_string();
    text.lines().map(code).filter(|line| !line.is_empty()).collect()
}

/// The game that the tutorial builds, as the README and the classic games have it.
#[test]
fn a_new_game_is_that_of_the_tutorial() {
    let folder = Folder::empty("new game of the tutorial");
    run(&folder, &["new", "game", "Pig"], "");
    let classic = std::fs::read_to_string(Path::new(CLASSICS).join("rules/pig/pig.ludex")).unwrap();
    let made = read(&folder, "rules/pig/pig.ludex");
    let made = bare(&made);
    // It has a policy besides, which the tutorial adds in a step of its own.
    assert_eq!(bare(&classic).into_iter().find(|line| !made.contains(line)), None);
}

#[test]
fn a_variant_of_every_game_plays_as_the_game_does() {
    for Game { id: game, .. } in games() {
        let folder = Folder::empty(&format!("new variant {game}"));
        let made = new(&folder, &["variant", "House Rules", "--game", &game], "");
        assert_eq!(made.status, 0, "{game}: {}{}", made.stdout, made.stderr);
        let checked = run(&folder, &["check", "--library", CLASSICS], "");
        assert!(checked.stdout.contains("no problems"), "{game}: {}", checked.stdout);
        run(&folder, &["test", "rules/house-rules/scenarios", "--library", CLASSICS], "");
    }
}

#[test]
fn nothing_that_is_there_is_written_over() {
    let folder = Folder::empty("new over old");
    folder.write("characters/dice-challenge/night-owl.yaml", "mine\n");
    let made = new(&folder, &["character", "Night Owl", "--game", "dice-challenge", "--no-local"], "");
    assert_eq!(made.status, 1, "{}", made.stdout);
    assert_eq!(read(&folder, "characters/dice-challenge/night-owl.yaml"), "mine\n");
    assert_eq!(names(&folder), ["characters"], "nor is anything else written");
    insta::assert_snapshot!(made.stderr);
}

#[test]
fn what_cannot_be_made_is_told_with_advice() {
    let folder = Folder::empty("new refused");
    let told = |args: &[&str], input: &str| {
        let made = new(&folder, args, input);
        format!("$ ludex new {}\n{}\n{}", args.join(" "), made.status, made.stderr)
    };
    let all = [
        told(&["charcter", "Owl"], ""),
        told(&["character", "Kunzite", "--game", "dice-challenge"], ""),
        told(&["character", "options", "--game", "dice-challenge"], ""),
        told(&["character", "Owl", "--game", "dice-chalenge"], ""),
        told(&["character", "Owl", "--game", "dice-challenge", "--like", "kunzte"], ""),
        told(&["character", "Owl", "--game", "pig"], ""),
        told(&["card", "Owl", "--game", "dice-challenge"], ""),
        told(&["ability", "Glare", "--game", "dice-challenge", "--at", "turn_begin", "--kind", "offer"], ""),
        told(&["ability", "Glare", "--game", "dice-challenge", "--at", "noon", "--kind", "offer"], ""),
        told(&["game", "pig"], ""),
        told(&["game", "../pig"], ""),
        told(&["ability", "Glare", "--game", "dice-challenge"], ""),
    ];
    insta::assert_snapshot!(all.join("\n"));
    assert_eq!(names(&folder), Vec::<String>::new());
}

#[test]
fn whatever_is_not_said_is_asked_and_may_be_answered_from_a_pipe() {
    let folder = Folder::empty("new asked");
    let made = run(&folder, &["new"], "character\n!\nNight Owl\ndice-challenge\n");
    assert!(made.stdout.contains("made characters/dice-challenge/night-owl.yaml"), "{}{}", made.stdout, made.stderr);
    let json = run(&folder, &["new", "variant", "Late Night", "--game", "dice-challenge", "--format", "json"], "");
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json["files"][0], "rules/late-night/late-night.ludex");
}
