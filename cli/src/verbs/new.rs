//! `ludex new`: files for a new character, card, ability, game or variant that can be checked and played at once.
//!
//! Answers that are missing on the command line are asked for on a terminal. The files are made by `making`, and written only
//! if all of them work.

use crate::args::CommonArgs;
use crate::exit::DONE;
use crate::load::{LoadedLibraries, did_you_mean, path_text, refuse_unknown_game};
use crate::making::{self, AbilityKind, Hook, Name, NewFiles, Workshop};
use crate::output;
use crate::stop::Stop;
use crate::terminal::questions::{NoAnswer, Questions};
use crate::terminal::{Input, Screen};
use ludex_engine::codes;
use ludex_engine::problem::{Problem, join_words};
use ludex_engine::sheet::SheetFiles;
use serde_json::json;
use std::path::{Path, PathBuf};

/// The things that can be made in every library, besides the sheets of its games.
const KINDS: [&str; 5] = ["character", "card", "ability", "game", "variant"];

#[derive(clap::Args)]
pub struct Args {
    /// What to make: character, card, ability, game, variant, or the name of a sheet in a game's rules
    #[arg(value_name = "WHAT")]
    what: Option<String>,
    /// Its name: `Night Owl` or `night-owl`
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// The game it is for; for a variant, the game that it changes
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// The sheet of the game to use as a model
    #[arg(long, value_name = "ID")]
    like: Option<String>,
    /// For a card: which of the game's sheets it is
    #[arg(long, value_name = "SHEET")]
    sheet: Option<String>,
    /// For an ability: the hook at which it acts
    #[arg(long, value_name = "HOOK")]
    at: Option<String>,
    /// For an ability: whether it is offered, or happens by itself
    #[arg(long, value_name = "KIND")]
    kind: Option<AbilityKind>,
    /// For an ability: the name of a new character or card that has it
    #[arg(long = "for", value_name = "NAME")]
    bearer: Option<String>,
    /// The folder for the new files
    #[arg(long, value_name = "DIR", default_value = ".")]
    into: PathBuf,
}

/// The thing to make.
enum NewThing {
    Game,
    OfGame(GameThing),
}

/// A thing that belongs to a game.
enum GameThing {
    Character,
    Card,
    Ability,
    Variant,
    /// A sheet, by its name in some game's rules.
    Sheet(String),
}

/// Going back from a question starts again with the answers before it.
pub fn run(args: Args, common: &CommonArgs) -> Result<u8, Stop> {
    let screen = Screen::detect(true);
    let mut input = Input::new();
    let mut questions = Questions::new(&screen, &mut input);
    let mut loaded = Workshop::load_library(common, &args.into);
    loop {
        let made = make_files(&args, common, &mut loaded, &mut questions);
        if made.is_err() && questions.goes_back() {
            continue;
        }
        let made = made?;
        making::write_files(&args.into, &made.files)?;
        print_files(&made, &args, common);
        return Ok(DONE);
    }
}

/// Finds out what is wanted, and makes its files in memory.
fn make_files(
    args: &Args,
    common: &CommonArgs,
    loaded: &mut LoadedLibraries,
    questions: &mut Questions,
) -> Result<NewFiles, Stop> {
    let word = match &args.what {
        Some(word) => word.clone(),
        None => KINDS[require_answer(questions.ask_one_of("What do you want to make?", &KINDS, &KINDS, "kind"))?].to_string(),
    };
    let what = parse_kind(&word, loaded).map_err(Stop::usage_error)?;
    let name = match &args.name {
        Some(words) => Name::from_words(words)?,
        None => ask_name(questions, &word)?,
    };
    let thing = match what {
        NewThing::Game => return making::create_game(loaded, &name, &args.into),
        NewThing::OfGame(thing) => thing,
    };
    let game = choose_game(args, &thing, &word, loaded, questions)?;
    let workshop = Workshop::new(loaded, &game, common, &args.into)?;
    match thing {
        GameThing::Character => workshop.create_character(&name, args.like.as_deref()),
        GameThing::Variant => workshop.create_variant(&name),
        GameThing::Ability => make_ability(args, &workshop, &name, questions),
        GameThing::Card => {
            let files = card_sheet(args.sheet.as_deref(), &workshop, questions)?;
            workshop.create_card(&name, files, args.like.as_deref())
        }
        GameThing::Sheet(sheet) => {
            let found = ludex_engine::sheet::sheet_files(&workshop.program).into_iter().find(|(_, known)| *known == sheet);
            match found {
                Some((files @ SheetFiles::Card(_), _)) => workshop.create_card(&name, files, args.like.as_deref()),
                _ => workshop.create_character(&name, args.like.as_deref()),
            }
        }
    }
}

/// Adds to a missing answer how to give it on the command line.
fn require_answer<T>(answer: Result<T, NoAnswer>) -> Result<T, Stop> {
    answer.map_err(|none| {
        none.into_stop(
            "name it on the command line: `ludex new WHAT NAME --game GAME`, for an ability also `--at HOOK --kind offer`",
        )
    })
}

/// The thing that a word names: one of [`KINDS`], or a sheet declared by some game.
fn parse_kind(word: &str, loaded: &LoadedLibraries) -> Result<NewThing, Problem> {
    Ok(match word {
        "character" => NewThing::OfGame(GameThing::Character),
        "card" => NewThing::OfGame(GameThing::Card),
        "ability" => NewThing::OfGame(GameThing::Ability),
        "game" => NewThing::Game,
        "variant" => NewThing::OfGame(GameThing::Variant),
        other => {
            let sheets: Vec<String> = all_sheets(loaded);
            if sheets.iter().any(|sheet| sheet == other) {
                return Ok(NewThing::OfGame(GameThing::Sheet(other.to_string())));
            }
            let problem = Problem::error(codes::COMMAND_LINE, format!("`{other}` cannot be made"));
            let known = KINDS.iter().copied().chain(sheets.iter().map(String::as_str));
            let kinds: Vec<String> = KINDS.iter().map(|kind| format!("`{kind}`")).collect();
            return Err(match ludex_engine::problem::closest_match(other, known) {
                Some(near) => problem.suggest_near(near),
                None => problem.help(format!("make {}, or a sheet that a game declares", join_words(&kinds, "or"))),
            });
        }
    })
}

/// The names that the games' rules give to sheets.
fn all_sheets(loaded: &LoadedLibraries) -> Vec<String> {
    let games = loaded.library.game_ids();
    let sheets = games.iter().flat_map(|game| loaded.library.declared_sheets(game).sheets);
    sheets.map(|sheet| sheet.name.to_string()).collect()
}

/// Asks for a name until it is a possible one. `word` says what it is for.
fn ask_name(questions: &mut Questions, word: &str) -> Result<Name, Stop> {
    let refusal = |line: &str| {
        Name::from_words(line).err().map(|problem| format!("{}; {}", problem.message, problem.help.unwrap_or_default()))
    };
    let line =
        require_answer(questions.ask_words(&format!("What is the new {word} called?"), "a name, such as Night Owl", refusal))?;
    Ok(Name::from_words(&line)?)
}

/// The game that was named, the only one that has such a thing, or the answer to a question.
fn choose_game(
    args: &Args,
    thing: &GameThing,
    word: &str,
    loaded: &LoadedLibraries,
    questions: &mut Questions,
) -> Result<String, Stop> {
    let games = loaded.library.game_ids();
    if let Some(game) = &args.game {
        refuse_unknown_game(game, &games)
            .map_err(|unknown| loaded.unknown_game_stop(unknown.help(did_you_mean(game, &games))))?;
        return Ok(game.clone());
    }
    let has = |game: &&String| {
        let declared = loaded.library.declared_sheets(game);
        match thing {
            GameThing::Character | GameThing::Ability => declared.brought.is_some(),
            GameThing::Card => !declared.printed.is_empty(),
            GameThing::Sheet(sheet) => declared.sheets.iter().any(|known| known.name == sheet),
            GameThing::Variant => true,
        }
    };
    let fitting: Vec<String> = games.iter().filter(has).cloned().collect();
    match fitting.as_slice() {
        [] => {
            let problem = Problem::error(codes::UNKNOWN_GAME, format!("no game here has a {word}"));
            Err(problem.help("`ludex list` shows the games, `ludex new game NAME` makes one").into())
        }
        [only] => Ok(only.clone()),
        several => require_answer(questions.ask_game(several)),
    }
}

/// The sheet of a new card: the named one, the only one, or the answer to a question.
fn card_sheet(named: Option<&str>, workshop: &Workshop, questions: &mut Questions) -> Result<SheetFiles, Stop> {
    let sheets = workshop.card_sheets();
    let names: Vec<&str> = sheets.iter().map(|(_, name)| name.as_str()).collect();
    if let Some(named) = named {
        let found = sheets.iter().find(|(_, name)| name == named).map(|(files, _)| *files);
        return found.ok_or_else(|| {
            let problem =
                Problem::error(codes::UNKNOWN_SHEET, format!("{} has no cards of a sheet `{named}`", workshop.program.title));
            problem.suggest(named, names.iter().copied()).into()
        });
    }
    match sheets.as_slice() {
        [] => {
            let problem = Problem::error(codes::UNKNOWN_SHEET, format!("{} has no cards", workshop.program.title));
            Err(problem
                .help("name another game with `--game`, or declare them in the rules: `piece card (cards) from card { … }`")
                .into())
        }
        [(files, _)] => Ok(*files),
        several => Ok(several[require_answer(questions.ask_one_of("Which sheet is it?", &names, &names, "sheet"))?].0),
    }
}

/// Makes an ability. Only hooks that come up in play are offered.
fn make_ability(args: &Args, workshop: &Workshop, name: &Name, questions: &mut Questions) -> Result<NewFiles, Stop> {
    workshop.refuse_taken_name(name)?;
    let bearer = args.bearer.as_deref().map(Name::from_words).transpose()?;
    if let Some(bearer) = &bearer {
        let help = "leave out `--for`: Ludex makes a new sheet to try the ability; then add its id to the `abilities` of the other sheet";
        workshop.refuse_taken_name(bearer).map_err(|taken| Problem { help: Some(help.to_string()), ..taken })?;
    }
    let hooks = workshop.probe_hooks()?;
    let hook = match &args.at {
        Some(at) => hooks.iter().find(|hook| hook.name == *at).ok_or_else(|| unknown_hook(at, &hooks, workshop))?,
        None => {
            let able: Vec<&Hook> = hooks.iter().filter(|hook| hook.times > 0).collect();
            let shown: Vec<String> = able.iter().map(|hook| hook_text(hook)).collect();
            let (shown, ids): (Vec<&str>, Vec<&str>) =
                (shown.iter().map(String::as_str).collect(), able.iter().map(|hook| hook.name.as_str()).collect());
            let index = require_answer(questions.ask_one_of("When does it act?", &shown, &ids, "hook"))?;
            able[index]
        }
    };
    let kind = match args.kind {
        Some(kind) => kind,
        None => {
            let shown = ["offer: its owner may use it", "trigger: it happens by itself"];
            match require_answer(questions.ask_one_of("How does it act?", &shown, &["offer", "trigger"], "kind"))? {
                0 => AbilityKind::Offer,
                _ => AbilityKind::Trigger,
            }
        }
    };
    workshop.create_ability(name, hook, kind, bearer.as_ref())
}

/// `turn_begins(active): before a turn`
fn hook_text(hook: &Hook) -> String {
    match &hook.note {
        Some(note) => format!("{}: {}", hook.signature_text(), note.trim_end_matches('.')),
        None => hook.signature_text(),
    }
}

/// Reports a hook that the game does not have.
fn unknown_hook(at: &str, hooks: &[Hook], workshop: &Workshop) -> Problem {
    let message = format!("{} has no hook `{at}` at which abilities act", workshop.program.title);
    let names = || hooks.iter().map(|hook| hook.name.as_str());
    let problem = Problem::error(codes::UNKNOWN_HOOK, message).suggest(at, names());
    match problem.help {
        Some(_) => problem,
        None => problem.help(format!("its hooks are {}", join_words(&names().map(str::to_string).collect::<Vec<_>>(), "and"))),
    }
}

/// Prints the new files and the commands to continue with.
fn print_files(made: &NewFiles, args: &Args, common: &CommonArgs) {
    let paths: Vec<String> = made.files.iter().map(|file| path_text(&args.into.join(&file.path))).collect();
    let is_elsewhere = args.into != Path::new(".");
    let library = if is_elsewhere { format!(" --library {}", path_text(&args.into)) } else { String::new() };
    let next: Vec<(String, &str)> = made.next.iter().map(|(command, does)| (format!("{command}{library}"), *does)).collect();
    if common.is_json() {
        let next: Vec<serde_json::Value> =
            next.iter().map(|(command, does)| json!({ "command": command, "does": does })).collect();
        return output::print_json(&json!({ "ludex": 1, "command": "new", "files": paths, "next": next }));
    }
    for path in &paths {
        output::print_line(&format!("made {path}"));
    }
    output::print_line("Continue with");
    for (command, does) in &next {
        output::print_line(&format!("  {command}"));
        output::print_line(&format!("      {does}"));
    }
}
