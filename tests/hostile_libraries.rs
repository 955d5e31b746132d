//! Libraries that are made to be slow, or to show what is none of their business.

mod declarations;
mod inputs;

use crate::support::{Folder, Run, ludex_in};
use ludex_engine::Compile;
use ludex_engine::codes;
use ludex_engine::library::{CompileRequest, File, Library, limits};
use ludex_engine::problem::Problem;

/// What is wrong with the games of a kind of library, in small.
fn problems(kind: &str, size: usize) -> Vec<Problem> {
    problems_of(named(kind), size)
}

fn problems_of(kind: &inputs::Kind, size: usize) -> Vec<Problem> {
    let file = |(path, text): inputs::File| File { path, text, library: "hostile".to_string() };
    let (library, mut problems) = Library::new((kind.files)(size).into_iter().map(file).collect());
    for game in library.game_ids() {
        problems.extend(library.compile(&game, &CompileRequest::default()).1);
    }
    problems
}

fn named(kind: &str) -> &'static inputs::Kind {
    inputs::KINDS.iter().find(|known| known.name == kind).unwrap()
}

#[track_caller]
fn is_refused(kind: &str, size: usize, code: &str, words: &str) {
    let found = problems(kind, size);
    assert!(found.iter().any(|problem| problem.code == code && problem.message.to_string().contains(words)), "{kind}: {found:?}");
}

#[test]
fn a_game_has_as_many_names_and_modes_as_can_be_compared() {
    is_refused("zones in one line", limits::NAMES, codes::TOO_MANY, "names, but at most 5000 are allowed");
    is_refused("definitions", limits::NAMES - 1, codes::TOO_MANY, "names");
    is_refused("definitions", limits::NAMES + 1, codes::TOO_MANY, "this file declares 5001 things");
    is_refused("modes", limits::MODES + 1, codes::TOO_MANY, "33 modes, but at most 32 are allowed");
    assert!(!problems("zones", 1000).iter().any(|problem| problem.code == codes::TOO_MANY));
}

#[test]
fn lines_of_families_and_sheets_are_short() {
    is_refused("families in a row", limits::BASES + 1, codes::TOO_MANY, "`f17` is part of more than 16 families");
    is_refused("sheets in a row", limits::BASES, codes::TOO_MANY, "`s16` builds on more than 16 sheets");
    is_refused("fields of a family that others are part of", 200, codes::TOO_MANY, "more than 20000 fields");
    for kind in ["families in a row", "sheets in a row", "families of one family"] {
        let found = problems(kind, limits::BASES - 1);
        assert!(!found.iter().any(Problem::is_error), "{kind}: {found:?}");
    }
}

#[test]
fn sheets_share_what_may_be_worked_out_for_them_before_play() {
    for (kind, words) in
        [("sheets for which much is worked out", "`total`"), ("sheets of which much is asked", "`sides … where`")]
    {
        let found = problems(kind, 10);
        assert!(!found.iter().any(Problem::is_error), "{kind}: {found:?}");
        let words = format!("working out {words} for all sheets of `pond` takes more work");
        let found: Vec<Problem> = problems(kind, 400).into_iter().filter(Problem::is_error).collect();
        assert!(
            matches!(found.as_slice(), [only] if only.code == codes::TOO_MANY && only.message.to_string().contains(&words)),
            "{kind}: {found:?}"
        );
    }
}

#[test]
fn what_takes_much_memory_to_be_read_is_refused_first() {
    for kind in ["sums", "conditions", "holes", "texts in a text", "list in a value", "parameters", "one local", "headers"] {
        is_refused(kind, named(kind).large, codes::TOO_MANY, "one declaration is longer than 64 KiB");
    }
    is_refused("statements of a script", 300, codes::TOO_MANY, "more than 256 variables in one function");
    assert!(!problems("functions with variables in a script", 100).iter().any(|problem| problem.code == codes::TOO_MANY));
    is_refused("wrong dice", 1000, codes::LIST_LENGTH, "`nest` lists 1001 things");
    is_refused("unknown abilities", 1000, codes::LIST_LENGTH, "`abilities` lists 1001 things");
}

#[test]
fn a_library_starts_as_many_games_as_are_looked_at_soon() {
    is_refused("games", limits::GAMES, codes::TOO_MANY, "201 games in one library, but at most 200 are allowed");
    is_refused("packages in a row", limits::GAMES, codes::TOO_MANY, "games in one library");
}

#[test]
fn unknown_words_are_told_one_by_one_only_at_first() {
    let keys = problems("unknown keys", 1000);
    assert!(keys.iter().any(|problem| problem.message.to_string().ends_with("has 980 more unknown keys")), "{keys:?}");
    let names = problems("unknown names", 300);
    assert_eq!(names.len(), 300);
}

#[test]
fn one_procedure_may_lead_to_many() {
    let found = problems("procedures of procedures", 1000);
    assert!(!found.iter().any(Problem::is_error), "{found:?}");
}

#[test]
fn the_reference_says_what_a_library_may_hold() {
    let reference = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/rules/LIMITS.md")).unwrap();
    for (what, most) in [
        ("a file", limits::FILE_BYTES),
        ("all files of a library", limits::LIBRARY_BYTES),
        ("all files of rules of a library", limits::RULES_BYTES),
        (
            "values in all sheets, scenarios and positions of a library, counted as ends of lines and the signs `,` `:` `[` `{` `-`",
            limits::VALUES,
        ),
        ("one declaration of rules, or the header of one ability", limits::DECLARATION_BYTES),
        ("the rules of a game with all that it extends, counted once for itself and once for each mode", limits::MODES_BYTES),
        ("things that one file of rules declares", limits::NAMES),
        ("files of rules, sheets, scripts, scenarios and READMEs in a library", limits::FILES),
        ("files and folders of a library, including other files", limits::ENTRIES),
        ("depth of nested folders", limits::FOLDERS_DEEP),
        ("games and packages in a library", limits::GAMES),
        ("packages of one game that are put together", limits::LINE),
        ("modes of a game, with those of what it extends", limits::MODES),
        ("families that one is part of; sheets that one builds on", limits::BASES),
        ("fields of all families and sheets of a game, each with those of what it is part of or builds on", limits::INHERITED),
    ] {
        let row = reference.lines().find(|line| line.starts_with(&format!("| {what} |"))).expect(what);
        let number: String =
            row.rsplit('|').nth(1).unwrap().split('(').next().unwrap().chars().filter(char::is_ascii_digit).collect();
        assert_eq!(number.parse(), Ok(most), "{row}");
    }
    assert!(reference.contains(&format!("faces | {},000 |", limits::NAMES / 1000)));
}

// --- declarations ----------------------------------------------------------------------------

#[test]
fn every_declaration_of_the_grammar_has_a_library_with_many_of_it() {
    let items = ludex_grammar::GRAMMAR.split("\nitem = {").nth(1).and_then(|rest| rest.split('}').next()).unwrap();
    let known: Vec<&str> = items.split('|').map(str::trim).collect();
    let made: Vec<&str> = declarations::DECLARATIONS.iter().map(|kind| kind.name).collect();
    let missing: Vec<&&str> = known.iter().filter(|item| !made.contains(item)).collect();
    assert!(known.len() > 20 && missing.is_empty(), "add to tests/hostile_libraries/declarations.rs: {missing:?}");
    assert_eq!(known.len(), made.len());
}

#[test]
fn nothing_is_wrong_in_libraries_with_many_declarations() {
    for kind in declarations::DECLARATIONS {
        let found: Vec<Problem> = problems_of(kind, 3).into_iter().filter(Problem::is_error).collect();
        assert!(found.is_empty(), "{}: {found:?}", kind.name);
    }
}

// --- schemas ---------------------------------------------------------------------------------

/// The schema of the sheets of a kind of library, in bytes.
fn schema_length(kind: &str, size: usize) -> usize {
    let folder = Folder::outside("schema");
    for (path, text) in (named(kind).files)(size) {
        folder.write(&format!("lib/{path}"), &text);
    }
    let run = ludex_in(&folder, &["schema", "pond", "--library", "lib"], "");
    assert_eq!(run.status, 0, "{}", run.stderr);
    run.stdout.len()
}

#[test]
fn a_schema_is_as_long_as_what_it_describes() {
    for kind in ["sheets within sheets", "a sheet within itself"] {
        let (once, twice) = (schema_length(kind, 40), schema_length(kind, 80));
        assert!(twice < 2 * once, "{kind}: {once}, then {twice}");
    }
}

// --- folders ---------------------------------------------------------------------------------

fn library(name: &str) -> Folder {
    let folder = Folder::outside(name);
    for (path, text) in (inputs::KINDS[0].files)(1) {
        folder.write(&format!("lib/{path}"), &text);
    }
    folder
}

fn check(folder: &Folder) -> Run {
    ludex_in(folder, &["check", "--library", "lib"], "")
}

#[cfg(unix)]
#[test]
fn links_are_left_out_and_told() {
    use std::os::unix::fs::symlink;
    let folder = library("links");
    folder.write("secret.yaml", "very: secret\n");
    folder.write("elsewhere/o.yaml", "more: secret\n");
    for number in 0..7 {
        symlink(folder.file("secret.yaml"), folder.file(&format!("lib/characters/pond/link{number}.yaml"))).unwrap();
    }
    symlink(folder.file("elsewhere"), folder.file("lib/characters/pond/folder")).unwrap();
    symlink(folder.file("elsewhere"), folder.file("lib/scripts")).unwrap();
    let run = check(&folder);
    assert!(!run.stdout.contains("secret:") && !run.stdout.contains(": secret"), "{}", run.stdout);
    assert!(run.stdout.contains("`lib/characters/pond/folder` is a link and is left out"), "{}", run.stdout);
    assert!(run.stdout.contains("4 more links in `lib` are left out"), "{}", run.stdout);
    assert_eq!(run.status, 0, "{}", run.stdout);
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_read() {
    // Who reads a pipe that nobody writes to waits for ever.
    let folder = library("pipes");
    let made = std::process::Command::new("mkfifo").arg(folder.file("lib/characters/pond/pipe.yaml")).status().unwrap();
    assert!(made.success());
    let run = check(&folder);
    assert!(run.stdout.contains("`lib/characters/pond/pipe.yaml` is not a file that can be read"), "{}", run.stdout);
}

#[test]
fn a_library_with_too_much_in_it_is_not_read_and_that_is_told() {
    let many = library("many-files");
    for number in 0..limits::FILES {
        many.write(&format!("lib/characters/pond/o{number}.yaml"), "name: O\n");
    }
    let run = check(&many);
    assert!(run.stdout.contains("`lib` holds more than 2000 files for games, so it is not read"), "{}", run.stdout);
    assert_eq!((run.status, run.stdout.contains("o1.yaml")), (1, false), "{}", run.stdout);
    let large = library("many-bytes");
    for number in 0..5 {
        let file = std::fs::File::create(large.file(&format!("lib/characters/pond/o{number}.yaml"))).unwrap();
        file.set_len(limits::FILE_BYTES as u64).unwrap();
    }
    let run = check(&large);
    assert!(run.stdout.contains("`lib` holds more than 4 MiB of text, so it is not read"), "{}", run.stdout);
    let dense = library("many-values");
    for number in 0..2 {
        dense.write(&format!("lib/characters/pond/o{number}.yaml"), &format!("name: O\nx: [{}]\n", "1,".repeat(400_000)));
    }
    let run = check(&dense);
    assert!(run.stdout.contains("`lib` holds more than 750000 values in its sheets and scenarios"), "{}", run.stdout);
}

#[test]
fn where_we_are_keeps_nobody_from_playing() {
    let folder = library("here");
    for number in 0..=limits::FILES {
        folder.write(&format!("rules/pond/r{number}.ludex"), "");
    }
    let run = ludex_in(&folder, &["check"], "");
    assert!(run.stdout.contains("`.` holds more than 2000 files for games, so it is not read"), "{}", run.stdout);
    assert_eq!(run.status, 0, "{}", run.stdout);
}
