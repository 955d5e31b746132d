//! Games from text for tests: rules, sheets and scripts in, a table and its events out.

use crate::Compile;
use crate::runtime::event::{Bearer, EventKind};
use crate::runtime::{Decision, Dice, Event, Pending, Session, Setup};
use ludex_compiler::library::{BUNDLED, CompileRequest, File, Library};
use ludex_compiler::position::{Position, SidePosition};
use ludex_program::Program;
use ludex_syntax::problem::{Problem, capitalise_first};
use ludex_syntax::source::{SourceId, Sources};
use ludex_syntax::yaml;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The texts of one game.
#[derive(Clone, Debug)]
pub struct Texts(Vec<File>);

/// A game with these rules; the header lines are added.
pub fn game(rules: &str) -> Texts {
    Texts(vec![file("rules/pond/game.ludex", &format!("ludex 1\ngame pond \"Pond\"\n{rules}"))])
}

fn file(path: &str, text: &str) -> File {
    File { path: path.to_string(), text: text.to_string(), library: BUNDLED.to_string() }
}

impl Texts {
    pub fn sheet(mut self, stem: &str, text: &str) -> Texts {
        self.0.push(file(&format!("characters/pond/{stem}.yaml"), text));
        self
    }

    /// Replaces the text of a sheet.
    pub fn sheet_again(mut self, stem: &str, text: &str) -> Texts {
        let path = format!("characters/pond/{stem}.yaml");
        self.0.retain(|file| file.path != path);
        self.sheet(stem, text)
    }

    pub fn script(mut self, stem: &str, text: &str) -> Texts {
        self.0.push(file(&format!("scripts/pond/{stem}.rhai"), text));
        self
    }

    /// Adds a package beside the game; the header lines are added.
    pub fn package(self, id: &str, extends: &str, rules: &str) -> Texts {
        let text = format!("ludex 1\npackage {id} \"{}\" extends {extends}\n{rules}", capitalise_first(id));
        self.file(&format!("rules/{id}/game.ludex"), &text)
    }

    pub fn file(mut self, path: &str, text: &str) -> Texts {
        self.0.push(file(path, text));
        self
    }

    /// Compiles one of the games in one of its modes.
    pub fn compile_mode(&self, game: &str, mode: &str) -> (Option<Program>, Vec<Problem>) {
        self.library().compile(game, &CompileRequest { mode: Some(mode.to_string()), ..CompileRequest::default() })
    }

    /// The program of one of the games in one of its modes.
    #[track_caller]
    pub fn program_of(&self, game: &str, mode: &str) -> Arc<Program> {
        let (program, problems) = self.compile_mode(game, mode);
        program.map(Arc::new).unwrap_or_else(|| panic!("the game does not compile: {problems:#?}"))
    }

    /// All problems of one of the games, each with its places, their source text and the help.
    pub fn problem_report(&self, game: &str, mode: &str) -> String {
        let (library, mut problems) = Library::new(self.0.clone());
        problems.extend(library.compile(game, &CompileRequest { mode: Some(mode.to_string()), ..CompileRequest::default() }).1);
        problems.iter().map(|problem| problem_text(problem, &library.sources)).collect::<Vec<_>>().join("\n")
    }

    /// The problems of the game under every mode and option: each code with its message.
    pub fn check_all_modes(&self) -> Vec<String> {
        let (library, mut problems) = Library::new(self.0.clone());
        let modes = std::iter::once(None).chain(library.mode_names("pond").into_iter().map(Some));
        let each: Vec<CompileRequest> =
            modes.map(|mode| CompileRequest { mode, open: true, ..CompileRequest::default() }).collect();
        problems.extend(library.compile_each("pond", &each).1);
        let told: BTreeSet<String> = problems.iter().map(|problem| format!("{} {}", problem.code, problem.message)).collect();
        told.into_iter().collect()
    }

    /// The texts that the rules of one of the games print before the first decision.
    #[track_caller]
    pub fn said_texts_in(&self, game: &str, mode: &str) -> Vec<String> {
        Table::new(&self.program_of(game, mode), &setup(&[&[], &[]])).new_said_texts()
    }

    /// A library of this game alone.
    pub fn library(&self) -> Library {
        Library::new(self.0.clone()).0
    }

    /// The compiled game, or its problems.
    pub fn compile(&self) -> Result<Arc<Program>, Vec<Problem>> {
        let (library, mut problems) = Library::new(self.0.clone());
        let (program, found) = library.compile("pond", &CompileRequest::default());
        problems.extend(found);
        program.map(Arc::new).ok_or(problems)
    }

    #[track_caller]
    pub fn program(&self) -> Arc<Program> {
        match self.compile() {
            Ok(program) => program,
            Err(problems) => {
                let errors: Vec<&Problem> = problems.iter().filter(|problem| problem.is_error()).collect();
                panic!("the game does not compile: {errors:#?}")
            }
        }
    }

    /// The compiled game in one of its modes.
    #[track_caller]
    pub fn in_mode(&self, mode: &str) -> Arc<Program> {
        let (library, _) = Library::new(self.0.clone());
        let (program, problems) =
            library.compile("pond", &CompileRequest { mode: Some(mode.to_string()), ..CompileRequest::default() });
        program.map(Arc::new).unwrap_or_else(|| panic!("the game does not compile: {problems:#?}"))
    }

    /// The messages of all errors of a game that must not compile.
    #[track_caller]
    pub fn problems(&self) -> Vec<String> {
        match self.compile() {
            Ok(_) => panic!("the game compiles"),
            Err(problems) => problems.into_iter().filter(Problem::is_error).map(|problem| problem.message.to_string()).collect(),
        }
    }

    /// Code, message and help of each error.
    pub fn error_details(&self) -> Vec<(&'static str, String, String)> {
        let problems = self.compile().err().unwrap_or_default();
        let errors = problems.into_iter().filter(Problem::is_error);
        errors.map(|problem| (problem.code, problem.message.to_string(), problem.help.unwrap_or_default())).collect()
    }

    /// Two sides without sheets, dice of seed 1.
    #[track_caller]
    pub fn play(&self) -> Table {
        Table::new(&self.program(), &setup(&[&[], &[]]))
    }

    /// Two sides without sheets, results as listed.
    #[track_caller]
    pub fn play_with_results(&self, results: &[i64]) -> Table {
        let setup = Setup { dice: Dice::Listed(results.to_vec()), ..setup(&[&[], &[]]) };
        Table::new(&self.program(), &setup)
    }

    /// One sheet for each side.
    #[track_caller]
    pub fn play_with_sheets(&self, sheets: &[&str]) -> Table {
        let sides: Vec<Vec<String>> = sheets.iter().map(|sheet| vec![sheet.to_string()]).collect();
        Table::new(&self.program(), &Setup { sides, ..setup(&[]) })
    }

    /// Play from a position, with dice of seed 1.
    #[track_caller]
    pub fn play_from_position(&self, text: &str) -> Table {
        let program = self.program();
        let setup = position_setup(&program, text);
        Table::new(&program, &setup)
    }

    /// Code, message and help of every problem in a position.
    #[track_caller]
    pub fn position_problems(&self, text: &str) -> Vec<(&'static str, String, String)> {
        let (node, mut problems) = yaml::parse_document(text, SourceId(0));
        let position = node.and_then(|node| Position::read(&node, &self.program(), &mut problems));
        assert_eq!(position.is_none(), !problems.is_empty());
        problems
            .into_iter()
            .map(|problem| (problem.code, problem.message.to_string(), problem.help.unwrap_or_default()))
            .collect()
    }

    /// The fault that play runs into before the first decision.
    #[track_caller]
    pub fn fault(&self) -> Problem {
        match Session::start(self.program(), &setup(&[&[], &[]])) {
            Ok(_) => panic!("nothing goes wrong"),
            Err(problem) => problem,
        }
    }
}

/// A problem as lines: code and message, each place with its first line, and the help.
fn problem_text(problem: &Problem, sources: &Sources) -> String {
    let severity = if problem.is_error() { "error" } else { "warning" };
    let mut lines = vec![format!("{} {severity}: {}", problem.code, problem.message)];
    for (span, remark) in &problem.labels {
        let words = sources.span_text(*span).lines().next().unwrap_or("");
        let (line, column) = sources.line_column(*span);
        lines.push(format!("  {}:{line}:{column} `{words}` {remark}", sources.get(span.source).name));
    }
    lines.extend(problem.help.iter().map(|help| format!("  help: {help}")));
    lines.join("\n")
}

/// Sides with these sheets, watched, with dice of seed 1.
pub fn setup(sides: &[&[&str]]) -> Setup {
    let sides = sides.iter().map(|sheets| sheets.iter().map(ToString::to_string).collect()).collect();
    Setup { sides, seed: 1.into(), dice: Dice::Seeded, position: None, names: Vec::new(), watched: true }
}

/// The sides of a position, watched, with dice of seed 1.
#[track_caller]
pub fn position_setup(program: &Program, text: &str) -> Setup {
    let (node, mut problems) = yaml::parse_document(text, SourceId(0));
    let position = node.and_then(|node| Position::read(&node, program, &mut problems));
    let position = position.unwrap_or_else(|| panic!("the position is wrong: {problems:#?}"));
    let ids = |side: &SidePosition| side.entrants.iter().map(|entrant| entrant.value.clone()).collect();
    let sides = position.sides.iter().map(ids).collect();
    Setup { sides, position: Some(position), ..setup(&[]) }
}

/// A session with all of its events so far.
#[derive(Clone, Debug)]
pub struct Table {
    pub session: Session,
    pub events: Vec<Event>,
    /// Number of events already reported.
    pub told: usize,
    /// All answers by seat and key.
    pub answers: Vec<(usize, String)>,
}

impl Table {
    #[track_caller]
    pub fn new(program: &Arc<Program>, setup: &Setup) -> Table {
        match Session::start(program.clone(), setup) {
            Ok(mut session) => {
                let events = session.take_events();
                Table { session, events, told: 0, answers: Vec::new() }
            }
            Err(problem) => panic!("play does not start: {problem:?}"),
        }
    }

    /// The open decision of a seat.
    #[track_caller]
    pub fn decision(&self, seat: usize) -> Decision {
        let found = self.open_decisions().into_iter().find(|decision| decision.seat == seat);
        found.unwrap_or_else(|| panic!("seat {seat} is not asked, but {:?}", self.session.pending()))
    }

    pub fn open_decisions(&self) -> Vec<Decision> {
        match self.session.pending() {
            Pending::Decisions(open) => open.to_vec(),
            _ => Vec::new(),
        }
    }

    /// The seats with an open decision.
    pub fn asked_seats(&self) -> Vec<usize> {
        self.open_decisions().iter().map(|decision| decision.seat).collect()
    }

    /// The keys of a seat's options.
    #[track_caller]
    pub fn options(&self, seat: usize) -> Vec<String> {
        let decision = self.decision(seat);
        self.session.options(decision.id, 0, decision.count).into_iter().map(|option| option.key).collect()
    }

    #[track_caller]
    pub fn prompt(&self, seat: usize) -> String {
        self.session.prompt(self.decision(seat).id)
    }

    /// Answers by key; panics if the answer is not legal or leads to a fault.
    #[track_caller]
    pub fn answer(&mut self, seat: usize, key: &str) -> &mut Table {
        if let Err(problem) = self.try_answer(seat, key) {
            panic!("`{key}` of seat {seat}: {problem:?}");
        }
        self
    }

    /// Answers by key, and returns a fault that follows a legal answer.
    #[track_caller]
    pub fn try_answer(&mut self, seat: usize, key: &str) -> Result<(), Box<Problem>> {
        let decision = self.decision(seat);
        let choice = match self.session.find_choice(decision.id, key) {
            Ok(choice) => choice,
            Err(refusal) => panic!("`{key}` is refused: {}; the options are {:?}", refusal.reason, self.options(seat)),
        };
        let key = self.session.choice_key(decision.id, &choice);
        self.session.choose(decision.id, choice)?;
        self.answers.extend(key.map(|key| (seat, key)));
        self.events.extend(self.session.take_events());
        Ok(())
    }

    /// Supplies requested results of chance.
    #[track_caller]
    pub fn supply(&mut self, results: &[i64]) -> &mut Table {
        if let Err(problem) = self.session.supply(results) {
            panic!("{results:?}: {problem:?}");
        }
        self.events.extend(self.session.take_events());
        self
    }

    /// The events since the last call, as scenarios write them, without the bounds of scopes.
    pub fn new_event_texts(&mut self) -> Vec<String> {
        let fresh = &self.events[self.told..];
        let told = fresh
            .iter()
            .filter(|event| !matches!(event.kind, EventKind::Began { .. } | EventKind::Ended { .. }))
            .map(event_text)
            .collect();
        self.told = self.events.len();
        told
    }

    /// The texts that the rules have printed since the last call.
    pub fn new_said_texts(&mut self) -> Vec<String> {
        let fresh = &self.events[self.told..];
        let said = fresh.iter().filter(|event| event.kind == EventKind::Said).map(|event| event.text.clone()).collect();
        self.told = self.events.len();
        said
    }

    /// Checks the invariants of every table.
    #[track_caller]
    pub fn check(&self) {
        assert_eq!(self.session.verify_state(), Ok(()));
        assert_eq!(self.session.verify_events(&self.events), Ok(()));
        let numbers: Vec<u64> = self.events.iter().map(|event| event.number).collect();
        assert_eq!(numbers, (1..=self.events.len() as u64).collect::<Vec<u64>>(), "events are numbered without gaps");
    }
}

/// An event as scenarios write it: `captured(3, out by 0)`.
pub fn event_text(event: &Event) -> String {
    let words = match &event.kind {
        EventKind::Rolled { piece, value } => format!("{}, {value}", piece.id),
        EventKind::Moved { piece, to, .. } => format!("{}, {}", piece.id, to.zone),
        EventKind::Set { name, value, piece: Some(piece), .. } => format!("{}, {name}, {value}", piece.id),
        EventKind::Set { name, value, entrant: Some(entrant), .. } => format!("{entrant}, {name}, {value}"),
        EventKind::Set { name, value, piece: None, .. } => format!("{name}, {value}"),
        EventKind::Marked { bearer: Bearer::Entrant { entrant }, mark, .. }
        | EventKind::Unmarked { bearer: Bearer::Entrant { entrant }, mark, .. } => {
            format!("{entrant}, {mark}")
        }
        EventKind::Marked { bearer: Bearer::Piece { piece }, mark, .. }
        | EventKind::Unmarked { bearer: Bearer::Piece { piece }, mark, .. } => format!("{}, {mark}", piece.id),
        EventKind::Created { piece, zone, .. } => format!("{}, {}", piece.id, zone.zone),
        EventKind::Removed { piece } => piece.id.to_string(),
        EventKind::Drawn { pieces } | EventKind::Shown { pieces } => {
            pieces.iter().map(|piece| piece.id.to_string()).collect::<Vec<_>>().join(", ")
        }
        EventKind::Left { side } => side.to_string(),
        EventKind::RolledPool { size, values } => {
            std::iter::once(size).chain(values).map(i32::to_string).collect::<Vec<_>>().join(", ")
        }
        EventKind::Shuffled { zone, .. } => zone.zone.clone(),
        EventKind::Chose { key, .. } => key.clone(),
        EventKind::Used { ability, .. } => ability.clone(),
        EventKind::Said => event.text.clone(),
        EventKind::Began { scope } | EventKind::Ended { scope } => scope.clone(),
        EventKind::Finished { outcome } => format!("{:?}", outcome.result).to_lowercase(),
    };
    match event.by {
        Some(side) => format!("{}({words} by {side})", event.name),
        None => format!("{}({words})", event.name),
    }
}
