//! `ludex schema`: JSON Schemas of a game's files, for editors.
//!
//! Editors use them to check sheets, scenarios and positions and to complete names.

mod scenario;
use crate::args::CommonArgs;
use crate::exit::DONE;
use crate::load::{Purpose, refuse_unknown_game};
use crate::output;
use crate::stop::Stop;
use ludex_engine::Compile;
use ludex_engine::codes;
use ludex_engine::library::CompileRequest;
use ludex_engine::problem::{Problem, join_words, nearest_word};
use ludex_engine::program::Program;
use ludex_engine::schema::{position_schema, schema_document, sheet_schema, sheets_schema};
use serde_json::Value;

/// The kinds of files that every game has.
const FILES: [&str; 3] = ["sheet", "scenario", "position"];

/// Print the format of a game's files as JSON Schema, for editors
#[derive(clap::Args)]
pub struct Args {
    /// The game
    game: String,
    /// `sheet` (any sheet of the game), `scenario`, `position`, or a sheet by its name in the rules, such as `deck`
    #[arg(default_value = "sheet")]
    file: String,
}

pub fn run(args: &Args, common: &CommonArgs) -> Result<u8, Stop> {
    let mut loaded = common.load_libraries();
    refuse_unknown_game(&args.game, &loaded.library.game_ids()).map_err(|unknown| loaded.unknown_game_stop(unknown))?;
    let wanted = CompileRequest { open: true, ..common.requested_settings() };
    let each = loaded.library.requests_by_mode(&args.game, &wanted);
    let compiled = loaded.derive_without_errors(&args.game, (Purpose::Looking, &[]), |library| {
        let (programs, problems) = library.compile_each(&args.game, &each);
        if programs.is_empty() { Err(problems) } else { Ok(programs) }
    });
    let programs = compiled.map_err(|problems| Stop::new(problems, loaded.library.sources.clone()))?;
    let programs: Vec<(Option<String>, &Program)> = programs.iter().map(|(mode, program)| (mode.clone(), program)).collect();
    let schema = file_schema(&args.file, &programs)?;
    let text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    output::print_json_lines(&format!("{text}\n"));
    Ok(DONE)
}

/// The schema of a kind of files; sheets are those of the game without a mode. `programs` are those of each mode.
pub fn file_schema(file: &str, programs: &[(Option<String>, &Program)]) -> Result<Value, Problem> {
    let Some((_, usual)) = programs.iter().min_by_key(|(mode, _)| mode.is_some()) else { return Ok(Value::Bool(true)) };
    let schema = match file {
        "sheet" => sheets_schema(usual),
        "scenario" => scenario::scenarios_schema(programs),
        "position" => position_schema(programs),
        name => sheet_schema(usual, name).ok_or_else(|| unknown_kind_problem(name, usual))?,
    };
    Ok(schema_document(usual, &format!("A {file}"), schema))
}

/// Reports a kind of files that the game does not have.
fn unknown_kind_problem(file: &str, program: &Program) -> Problem {
    let named = program.prints.sheets.iter().filter(|info| info.kind.is_some()).map(|info| info.name.as_str());
    let known: Vec<&str> = FILES.into_iter().chain(named).collect();
    let problem = Problem::error(codes::COMMAND_LINE, format!("`{}` has no files of the kind `{file}`", program.game));
    problem.help(match nearest_word(file, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("its kinds are {}", join_words(&known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>(), "and")),
    })
}
