//! Files of a game as its author writes them: whatever stands in them, they are read, or refused with sound problems.

use super::game::{self, GAME, RULES, SCENARIOS, SCRIPT, SHEETS};
use super::played::play;
use super::problems::{are_sound, have_places, is_sound};
use super::with_room;
use ludex_engine::Compile;
use ludex_engine::library::{CompileRequest, Library};
use ludex_engine::position::{Heading, Position};
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::runtime::{Session, Setup};
use ludex_engine::source::Sources;
use ludex_engine::yaml;
use std::sync::Arc;

/// Rules in place of those of the pond.
pub fn rules(input: &[u8]) {
    with_room(|| drop(compiled_with(RULES, input)));
}

/// Sheets in place of those of the pond.
pub fn sheets(input: &[u8]) {
    with_room(|| drop(compiled_with(SHEETS, input)));
}

/// A script in place of that of the pond; if it fits, it is played.
pub fn scripts(input: &[u8]) {
    with_room(|| {
        if let Some((program, sources)) = compiled_with(SCRIPT, input) {
            play(&program, &sources, game::seed_of(input));
        }
    });
}

/// A position of the pond; if it fits, play starts there.
pub fn positions(input: &[u8]) {
    with_room(|| {
        let Some(text) = text(input) else { return };
        let mut sources = Sources::default();
        let source = sources.add("position.yaml", text.as_str());
        let (node, mut problems) = yaml::parse_document(&text, source);
        let program = game::program();
        let position = node.as_ref().and_then(|node| {
            Heading::from_node(node);
            Position::read(node, &program, &mut problems)
        });
        have_places(&problems, &sources);
        if let Some(position) = position.filter(|_| !problems.iter().any(Problem::is_error)) {
            starts_or_says_why(program, position, &sources);
        }
    });
}

/// Scenarios of the pond, which are run.
pub fn scenarios(input: &[u8]) {
    with_room(|| {
        let Some(text) = text(input) else { return };
        let (library, mut problems) = Library::new(game::files_with(&[(SCENARIOS, &text)]));
        problems.extend(ludex::fuzzing::run_scenarios(&library, GAME));
        have_places(&problems, &library.sources);
    });
}

/// The pond with a text in place of one of its files, if `check` has nothing against it.
fn compiled_with(path: &str, input: &[u8]) -> Option<(Arc<Program>, Sources)> {
    let (library, mut problems) = Library::new(game::files_with(&[(path, &text(input)?)]));
    let mut program = None;
    for game in library.game_ids() {
        let (compiled, found) = library.compile(&game, &CompileRequest::default());
        problems.extend(found);
        program = compiled;
    }
    are_sound(&problems, &library.sources);
    let program = program.filter(|_| !problems.iter().any(Problem::is_error));
    Some((Arc::new(program?), library.sources))
}

/// The text of a file, as it is read from one.
fn text(input: &[u8]) -> Option<String> {
    match yaml::decode_text(input) {
        Ok(text) => Some(text.replace("\r\n", "\n")),
        Err(found) => {
            let mut sources = Sources::default();
            let source = sources.add("input", found.text.as_str());
            is_sound(&found.encoding_problem(source), &sources);
            None
        }
    }
}

fn starts_or_says_why(program: Arc<Program>, position: Position, sources: &Sources) {
    let sides = position.sides.iter().map(|side| side.entrants.iter().map(|id| id.value.clone()).collect()).collect();
    let setup = Setup { position: Some(position), ..game::setup(sides, 7, true) };
    match Session::start(program, &setup) {
        Ok(session) => assert_eq!(session.verify_state(), Ok(())),
        // Faults of the pond itself have places in its files, which are not at hand here.
        Err(problem) => is_sound(&Problem { labels: Vec::new(), ..problem }, sources),
    }
}
