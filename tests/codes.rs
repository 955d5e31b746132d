//! Every code of the register is raised by the example on its page, by that code alone, and not by the mended form.
//!
//! The examples are files of one small game, `tests/codes/ponds`, or commands typed in the folder of that game. Whoever
//! adds a page has nothing to do here but to read the new snapshot.

use crate::engine_names_no_game::files;
use crate::support::{Folder, Luck};
use ludex_engine::Compile;
use ludex_engine::library::{BUNDLED, CompileRequest, File, Library};
use ludex_engine::position::{Heading, Position};
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::runtime::{Dice, Pending, Session, Setup};
use ludex_engine::source::{SourceId, Sources};
use ludex_engine::yaml;
use ludex_validator::register::{Block, CODES, Code};
use ludex_validator::{Look, Report};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex};

/// Codes that no file and no command raises, and why.
const WITHOUT_EXAMPLE: [(&str, &str); 3] =
    [("LX0825", "a system without randomness"), ("LX0927", "a fault of Ludex"), ("LX0933", "a port that another program has")];

/// A file that is no part of the game, but a table on which it is played.
const POSITION: &str = "./position.yaml";

/// What is in the folder that [`made`] gives.
const RECORDED: &str = "/state/ludex/recordings/0001-ponds.ludexrec";
const TOURNAMENT: &str = "/cup.ludextournament";

/// A code that another one always comes with: a recording that no longer fits is one of a game that has changed, and what is
/// to be ignored is named by its code.
const TOGETHER: [(&str, &str); 3] = [("LX0822", "LX0823"), ("LX0017", "LX0826"), ("LX0018", "LX0826")];

/// A fault that chance can lead to shows in one of so many games, each of at most so many answers.
const GAMES: u64 = 8;
const MOST_ANSWERS: usize = 400;

/// What an example comes to.
#[derive(Clone)]
struct Outcome {
    codes: BTreeSet<String>,
    /// As people read it, and as programs do.
    text: String,
}

/// A file of the example, and where it is.
fn path(block: &Block) -> String {
    let (folder, usual) = match (block.language, block.file) {
        ("ludex", _) => ("rules/ponds", "more"),
        ("rhai", _) => ("scripts/ponds", "dive"),
        (_, Some("position")) => (".", "position"),
        (_, Some("scenario")) => ("rules/ponds/scenarios", "scenario"),
        _ => ("characters/ponds", "newt"),
    };
    match block.file {
        Some(path) if path.contains('.') => path.to_string(),
        name => format!("{folder}/{}.{}", name.unwrap_or(usual), block.language),
    }
}

/// A sign that cannot be shown is written as a picture of it.
fn text(block: &Block) -> String {
    block.text.replace('␀', "\0")
}

/// The small game as it is with the files of an example.
fn library(blocks: &[Block]) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/codes/ponds");
    let mut found: Vec<(String, String)> = files(&root, &["ludex", "yaml", "rhai", "md"])
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect();
    for block in blocks.iter().filter(|block| block.language != "console") {
        let path = path(block);
        found.retain(|(known, _)| *known != path);
        found.push((path, text(block)));
    }
    found.sort();
    found
}

fn outcome(code: &Code, blocks: &[Block]) -> Outcome {
    let commands: Vec<&Block> = blocks.iter().filter(|block| block.language == "console" && !block.is_before()).collect();
    let scenarios = blocks.iter().any(|block| path(block).contains("/scenarios/"));
    match (commands.as_slice(), scenarios) {
        ([], false) => checked(blocks, code.code.starts_with("LX09")),
        ([], true) => typed(blocks, "$ ludex test ponds\n"),
        _ => typed(blocks, &commands.iter().map(|block| block.text).collect::<String>()),
    }
}

/// What `check` finds in the files; `played` plays a game besides.
fn checked(blocks: &[Block], played: bool) -> Outcome {
    let position = |path: &str| path == POSITION;
    let (loose, parts): (Vec<_>, Vec<_>) = library(blocks).into_iter().partition(|(path, _)| position(path));
    let file = |(path, text): (String, String)| File { path, text, library: BUNDLED.to_string() };
    let (mut library, mut problems) = Library::new(parts.into_iter().map(file).collect());
    for game in library.game_ids() {
        let modes = std::iter::once(None).chain(library.mode_names(&game).into_iter().map(Some));
        for mode in modes.collect::<Vec<_>>() {
            let wanted = CompileRequest { mode, ..CompileRequest::default() };
            problems.extend(library.compile_each(&game, &[CompileRequest { open: true, ..wanted.clone() }]).1);
            problems.extend(played.then(|| library.compile(&game, &wanted).0).flatten().and_then(fault));
        }
    }
    for (path, text) in loose {
        let source = library.sources.add(path, text.clone());
        problems.extend(wrong_position(&library, source, &text));
    }
    drawn(problems, &library.sources)
}

fn wrong_position(library: &Library, source: SourceId, text: &str) -> Vec<Problem> {
    let (node, mut problems) = yaml::parse_document(text, source);
    let Some(node) = node else { return problems };
    let heading = Heading::from_node(&node);
    let wanted = CompileRequest { mode: heading.mode, options: heading.options, open: false };
    let (program, found) = library.compile("ponds", &wanted);
    problems.extend(found);
    let program = program.map(Arc::new);
    let position = program.as_ref().and_then(|program| Position::read(&node, program, &mut problems));
    if let (Some(program), Some(position)) = (program, position) {
        let sides = position.sides.iter().map(|side| side.entrants.iter().map(|entrant| entrant.value.clone()).collect());
        let setup = Setup {
            sides: sides.collect(),
            seed: 1.into(),
            dice: Dice::Seeded,
            position: Some(position),
            names: Vec::new(),
            watched: true,
        };
        problems.extend(Session::start(program, &setup).err());
    }
    problems
}

/// What goes wrong in games between the first two sheets, or without any, in which chance answers.
fn fault(program: Program) -> Option<Problem> {
    let program = Arc::new(program);
    (1..=GAMES).find_map(|seed| fault_of(&program, seed))
}

fn fault_of(program: &Arc<Program>, seed: u64) -> Option<Problem> {
    let side = |sheet: &str| program.sheets.contains_key(sheet).then(|| sheet.to_string()).into_iter().collect();
    let sides = vec![side("otter"), side("heron")];
    let setup = Setup { sides, seed: seed.into(), dice: Dice::Seeded, position: None, names: Vec::new(), watched: true };
    let mut session = match Session::start(program.clone(), &setup) {
        Ok(session) => session,
        Err(problem) => return Some(problem),
    };
    let mut luck = Luck(seed);
    for _ in 0..MOST_ANSWERS {
        let Pending::Decisions(open) = session.pending() else { return None };
        let decision = luck.one_of(open).cloned()?;
        if let Err(problem) = session.choose(decision.id, luck.answer(&decision)) {
            return Some(*problem);
        }
    }
    None
}

fn drawn(problems: Vec<Problem>, sources: &Sources) -> Outcome {
    let report = Report::new(problems);
    let codes = report.problems().iter().map(|problem| problem.code.to_string()).collect();
    let json = serde_json::to_string_pretty(&report.to_json(sources, "check")).unwrap();
    Outcome { codes, text: format!("{}\n{json}", report.to_text(sources, &Look::default())) }
}

/// What commands say, typed one after the other in the folder of the game.
fn typed(blocks: &[Block], commands: &str) -> Outcome {
    static KNOWN: Mutex<BTreeMap<String, Outcome>> = Mutex::new(BTreeMap::new());
    // Several codes have one mended form: a command that goes well.
    let key = format!("{blocks:?}");
    if let Some(known) = KNOWN.lock().unwrap().get(&key) {
        return known.clone();
    }
    let folder = ponds(blocks);
    let before = blocks.iter().filter(|block| block.is_before()).flat_map(|block| lines(block.text));
    before.for_each(|command| drop(run(&folder, command)));
    let said = lines(commands).map(|command| format!("$ {command}\n{}", run(&folder, command))).collect::<String>();
    let said = without_chance(&said.replace(&folder.path(), "…"));
    let codes = said.split(|sign: char| !sign.is_alphanumeric()).filter(|word| is_code(word)).map(str::to_string).collect();
    let outcome = Outcome { codes, text: said };
    KNOWN.lock().unwrap().insert(key, outcome.clone());
    outcome
}

/// A folder with the small game and the files of an example.
fn ponds(blocks: &[Block]) -> Folder {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let folder = Folder::empty(&format!("codes {}", COUNT.fetch_add(1, Ordering::Relaxed)));
    library(blocks).iter().for_each(|(path, text)| drop(folder.write(path, text)));
    folder
}

fn lines(commands: &str) -> impl Iterator<Item = &str> {
    commands.lines().filter_map(|line| line.strip_prefix("$ "))
}

/// The folder with what many examples begin with: a recording and a tournament, made once.
fn made() -> &'static Folder {
    static MADE: LazyLock<Folder> = LazyLock::new(|| {
        let folder = ponds(&[]);
        for command in [
            "ludex play ponds --seat 0=otter:random --seat 1=heron:random --seed 7",
            "ludex tournament new cup --game ponds",
            "ludex tournament join Ann Bob",
        ] {
            shell(&folder, command);
        }
        folder
    });
    &MADE
}

/// Without hashes and salts, which differ from run to run.
fn without_chance(said: &str) -> String {
    let is_hash = |word: &str| word.len() >= 16 && word.bytes().all(|digit| digit.is_ascii_hexdigit());
    let word = |word: &str| match is_hash(word.trim_matches(|sign: char| !sign.is_alphanumeric())) {
        true => "…".to_string(),
        false => word.to_string(),
    };
    said.split_inclusive(|sign: char| !sign.is_alphanumeric()).map(word).collect()
}

fn is_code(word: &str) -> bool {
    word.len() == 6 && word.starts_with("LX") && word[2..].bytes().all(|digit| digit.is_ascii_digit())
}

fn run(folder: &Folder, command: &str) -> String {
    shell(folder, &format!("RECORDED={}; TOURNAMENT={}; {command}", made().path() + RECORDED, made().path() + TOURNAMENT))
}

fn shell(folder: &Folder, command: &str) -> String {
    let programs = Path::new(env!("CARGO_BIN_EXE_ludex")).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{{ {command}; }} 2>&1")]).current_dir(folder.path()).env("PATH", path).stdin(Stdio::null());
    shell.env_remove("LUDEX_LIBRARY").env_remove("LUDEX_TOURNAMENT");
    shell.env("XDG_STATE_HOME", folder.file("state")).env("HOME", folder.path());
    String::from_utf8_lossy(&shell.output().unwrap().stdout).into_owned()
}

fn complaint(code: &Code) -> Option<String> {
    if WITHOUT_EXAMPLE.iter().any(|(known, _)| *known == code.code) {
        return None;
    }
    let (failing, mended) = (outcome(code, &code.failing), outcome(code, &code.mended));
    insta::with_settings!({ snapshot_path => "codes/snapshots", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(code.code, failing.text);
    });
    let together = TOGETHER.iter().filter(|(known, _)| *known == code.code).map(|(_, other)| *other);
    let only = together.chain([code.code]).map(str::to_string).collect();
    if failing.codes != only {
        return Some(format!("the example of {} raises {:?}:\n{}", code.code, failing.codes, failing.text));
    }
    (!mended.codes.is_empty()).then(|| format!("the mended form of {} raises {:?}:\n{}", code.code, mended.codes, mended.text))
}

#[track_caller]
fn examples_of(subject: &str) {
    let entries = CODES.iter().filter(|entry| entry.code.starts_with(subject));
    let wrong: Vec<String> = entries.filter_map(complaint).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A test for each subject of the register.
macro_rules! subjects {
    ($($name:ident $prefix:literal)*) => {
        $(#[test] fn $name() { examples_of($prefix); })*

        #[test]
        fn no_subject_is_left_out() {
            let tested = [$($prefix),*];
            assert!(CODES.iter().all(|entry| tested.iter().any(|prefix| entry.code.starts_with(prefix))));
        }
    };
}

subjects! {
    files_and_libraries "LX00"
    how_rules_are_written "LX01"
    how_yaml_is_written "LX02"
    names_in_rules "LX03"
    kinds_of_values "LX04"
    rules_that_cannot_work "LX05"
    sheets "LX06"
    abilities_and_scripts "LX07"
    positions_scenarios_and_recordings "LX08"
    play "LX09"
    tournaments "LX10"
}

/// The page of the book is what `explain --all` writes.
#[test]
fn the_page_of_codes_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("validator/CODES.md");
    let (page, wanted) = (std::fs::read_to_string(&path).unwrap_or_default(), ludex_validator::explain::reference_page());
    if page != wanted && std::env::var("INSTA_UPDATE").is_ok_and(|value| value == "always") {
        std::fs::write(&path, &wanted).unwrap();
    } else {
        assert!(page == wanted, "`ludex explain --all > validator/CODES.md` brings it up to date");
    }
}
