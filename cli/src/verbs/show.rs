//! `ludex show`: the compiled content of a game.
//!
//! A print is the data that a sheet gives to a card or entrant. The submodules describe one kind of subject each, as text and
//! as JSON.

mod ability;
mod cells;
mod lines;
mod moves;
mod options;
mod order;
mod overview;
mod pile;
mod provenance;
mod sheet;
mod sheets;
mod table;
mod words;

use crate::args::CommonArgs;
use crate::exit::DONE;
use crate::load::{LoadedLibraries, Purpose};
use crate::output;
use crate::stop::Stop;
use ludex_engine::codes;
use ludex_engine::problem::{Problem, join_words, nearest_word};
use ludex_engine::program::{Print, Program};
use ludex_engine::source::SourceId;
use serde_json::{Value, json};
use std::sync::Arc;

/// The keywords of this verb. A thing whose id is one of them is shown by its name.
const WORDS: [&str; 6] = ["order", "moves", "options", "words", "characters", "abilities"];

/// Describe a game, a sheet, the sheets of a kind, an ability, its order of hooks, its moves, its options or its words
#[derive(clap::Args)]
pub struct Args {
    /// The game
    game: String,
    /// A sheet or an ability by its id or name, a kind of sheets, or `characters` (the sheets that sides bring),
    /// `abilities`, `options`, `order`, `moves` (how they are found) or `words` (the names for rules and scripts). These
    /// six words come first, then ids, then kinds, then names.
    subject: Option<String>,
    /// Print the file of a sheet or an ability, to see how it is written
    #[arg(long, requires = "subject")]
    source: bool,
}

/// A game with the library it was compiled from.
struct Subject {
    loaded: LoadedLibraries,
    program: Arc<Program>,
}

/// A part of a game, as text and as JSON.
struct Description {
    /// The key of the part in the JSON report.
    what: &'static str,
    text: String,
    json: Value,
    /// Its file, if it has one of its own.
    source: Option<SourceId>,
}

/// A subject's own file must be free of errors; others with errors are left out.
pub fn run(args: Args, common: &CommonArgs) -> Result<u8, Stop> {
    let mut loaded = common.load_libraries();
    let needed: Vec<&str> = args.subject.as_deref().into_iter().collect();
    let program = common.compile_with(&mut loaded, &args.game, &common.requested_settings(), (Purpose::Looking, &needed))?;
    let subject = Subject { loaded, program };
    let mut shown = match args.subject.as_deref() {
        None => vec![subject.describe_game()],
        Some("options") => vec![subject.describe_options()],
        Some("order") => vec![subject.describe_order()],
        Some("moves") => vec![subject.describe_moves()],
        Some("words") => vec![subject.describe_words(common)],
        Some("characters") => vec![subject.describe_characters()],
        Some("abilities" | "ability") => vec![subject.describe_abilities()],
        Some(name) => match subject.find_things(name) {
            none if none.is_empty() => return Err(subject.unknown_name_problem(name).into()),
            shown => shown,
        },
    };
    if args.source {
        subject.add_sources(&mut shown)?;
    }
    if common.is_csv() {
        if args.subject.is_none() {
            let problem = Problem::error(codes::COMMAND_LINE, "the overview of a game is not a table");
            let help = "name the rows, as in `ludex show GAME characters`; `abilities`, `options` and `words` are tables, too";
            return Err(Stop::usage_error(problem.help(help)));
        }
        let (header, rows) = cells::csv_table(shown.iter().map(|part| &part.json));
        output::print_csv(&header.iter().map(String::as_str).collect::<Vec<_>>(), &rows);
    } else if common.is_json() {
        let program = &subject.program;
        let mut report = json!({ "ludex": 1, "command": "show", "game": program.game, "mode": program.mode });
        for part in shown {
            report[part.what] = part.json;
        }
        output::print_json(&report);
    } else {
        let texts: Vec<String> = shown.into_iter().map(|part| part.text).collect();
        output::print_paged(&texts.join("\n"), common.no_pager);
    }
    Ok(DONE)
}

impl Subject {
    /// The things with a name. A sheet and an ability that share an id or a name are both shown.
    fn find_things(&self, name: &str) -> Vec<Description> {
        let program = &self.program;
        let mut shown: Vec<Description> = self.sheet_by_id(name).map(|print| self.describe_sheet(print)).into_iter().collect();
        shown.extend(program.abilities.iter().find(|ability| ability.id == name).map(|ability| self.describe_ability(ability)));
        if shown.is_empty() {
            shown.extend(self.kind_by_name(name).map(|kind| self.describe_kind(kind)));
        }
        if shown.is_empty() {
            let namesakes: Vec<&Print> =
                self.every_sheet().filter(|print| self.sheet_name(print).eq_ignore_ascii_case(name)).collect();
            match namesakes.as_slice() {
                [] => {}
                [only] => shown.push(self.describe_sheet(only)),
                several => shown.push(self.describe_namesakes(several)),
            }
            let titled = program.abilities.iter().find(|ability| ability.title.eq_ignore_ascii_case(name));
            shown.extend(titled.map(|ability| self.describe_ability(ability)));
        }
        shown
    }

    /// Reports a name that nothing in the game has.
    fn unknown_name_problem(&self, name: &str) -> Problem {
        let program = &self.program;
        let sheets = self.every_sheet().map(|print| print.id.as_str());
        let kinds = self.sheet_kinds().flat_map(|(_, info)| [info.name.as_str(), info.plural.as_str()]);
        let abilities = program.abilities.iter().map(|ability| ability.id.as_str());
        if let Some(modes) = self.modes_with(name) {
            let help = format!("it is an ability of {modes}: add `--mode`");
            let message = format!("`{}` has no ability `{name}` in this mode", program.game);
            return Problem::error(codes::UNKNOWN_ENTRANT, message).help(help);
        }
        let help = match nearest_word(name, sheets.chain(abilities).chain(kinds).chain(WORDS)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("`ludex show {}` lists what there is", program.game),
        };
        let message = format!("`{}` has neither a sheet nor an ability `{name}`", program.game);
        Problem::error(codes::UNKNOWN_ENTRANT, message).help(help)
    }

    /// The other modes that have an ability, in words.
    fn modes_with(&self, ability: &str) -> Option<String> {
        let program = &self.program;
        if !program.absent_abilities.contains(ability) {
            return None;
        }
        let scripts = self.loaded.library.mode_script_files(&program.game);
        let modes = scripts.keys().filter(|(_, id)| id == ability).map(|(mode, _)| format!("the mode `{mode}`"));
        let modes: Vec<String> = modes.collect();
        Some(if modes.is_empty() { "another mode".to_string() } else { join_words(&modes, "and") })
    }

    /// Replaces the text of things with their files. Fails if one has no file of its own.
    fn add_sources(&self, shown: &mut [Description]) -> Result<(), Problem> {
        for part in shown {
            let Some(source) = part.source else {
                let problem =
                    Problem::error(codes::COMMAND_LINE, "`--source` is for a sheet or an ability, which is a file of its own");
                return Err(problem.help(format!("`ludex show {}` lists their names", self.program.game)));
            };
            let text = &self.program.sources.get(source).text;
            part.text = format!("{}\n\n{text}", output::heading_text(&self.file_and_library(source)));
            part.json["source"] = json!(text);
        }
        Ok(())
    }

    /// The file of a source, and its library.
    fn file_and_library(&self, source: SourceId) -> String {
        let name = &self.program.sources.get(source).name;
        format!("{name}, {}", super::list::library_name(self.loaded.library.source_library(source)))
    }
}
