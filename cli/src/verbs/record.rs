//! `ludex record`: continues a scenario from its end, and writes down the further play.
//!
//! The steps of the scenario are rehearsed: played without recording, with its results of chance. Then a person or bots play
//! on, and the new answers are appended to the file as steps.

use super::fixing;
use super::playing::DiceSource;
use crate::args::{CommonArgs, DisplayArgs, PlayerSpec};
use crate::exit::{DONE, PROBLEMS};
use crate::game::loaded::no_referee_problem;
use crate::game::seats::make_seats;
use crate::game::{Beginning, Game, Luck, RehearsedGame, Seat, Undo, new_seed, on_interrupt};
use crate::layout::count_text;
use crate::load::{self, LoadedLibraries, Purpose};
use crate::retelling::{BeginningState, ScenarioRest, Story, append};
use crate::scenario::UnfinishedScenario;
use crate::stop::Stop;
use crate::terminal::{self, Input, Log, PlayEnd, Screen};
use crate::{edited_file, fullscreen, output};
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::runtime::Pending;
use ludex_engine::source::SourceId;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(clap::Args)]
pub struct Args {
    /// The file with the scenario; its steps are played first
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The name of the scenario, if the file has several; without it, the only one without expectations
    #[arg(long, value_name = "NAME")]
    scenario: Option<String>,
    /// The number that decides the dice after those of the scenario
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Where results of dice come from after those of the scenario
    #[arg(long, value_name = "SOURCE", default_value = "seeded", conflicts_with = "seed")]
    dice: DiceSource,
    /// Results of dice after those of the scenario, in order, separated by commas; then others follow
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    rolls: Option<Vec<i64>>,
    /// Do not ask before the file is changed
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    shown: DisplayArgs,
}

/// Plays on from the end of the scenario, and writes the result once play ends.
pub fn run(args: Args, common: &CommonArgs) -> Result<u8, Stop> {
    on_interrupt();
    let page = ScenarioFile::open_scenario(&args, common)?;
    let (RehearsedGame { game, told, answers }, ruled) = page.play_beginning(&args, common)?;
    let mut log = Log::default();
    told.into_iter().for_each(|update| log.apply_update(update));
    let face = fullscreen::choose_face(Screen::detect(args.shown.plain), Input::new(), &game);
    let played = terminal::play_game(game, log, &*face);
    let failed = match (played.end, played.status) {
        // The play before a fault is still valid.
        (PlayEnd::Fault, Err(stop)) => stop.report(Some("record"), false) != DONE,
        _ => false,
    };
    let told = page.extend_text(played.game, BeginningState { answers, ruled })?;
    let written = page.write_changes(&told, &args)?;
    if common.is_json() {
        output::print_json(&json!({
            "ludex": 1,
            "command": "record",
            "file": page.scenario_file_name(),
            "scenario": page.scenario.name().value,
            "answers": told.answers,
            "text": told.text,
            "written": written,
        }));
    }
    Ok(if failed { PROBLEMS } else { DONE })
}

/// The file, and the scenario in it to continue.
struct ScenarioFile {
    loaded: LoadedLibraries,
    source: SourceId,
    /// The path of the file.
    path: PathBuf,
    scenario: UnfinishedScenario,
    program: Arc<Program>,
}

/// The new content of the file.
struct NewContent {
    text: String,
    /// Number of further answers.
    answers: usize,
}

impl ScenarioFile {
    /// Reads the file, finds the scenario in it, and compiles its game.
    fn open_scenario(args: &Args, common: &CommonArgs) -> Result<ScenarioFile, Stop> {
        let mut loaded = load::open_libraries_around(common, std::slice::from_ref(&args.file));
        let (source, path) = find_file(&loaded, &args.file)?;
        let sources = loaded.library.sources.clone();
        let stop = |problems| Stop::new(problems, sources.clone());
        let text = &loaded.library.sources.get(source).text;
        let scenario = UnfinishedScenario::find_by_name(text, source, args.scenario.as_deref()).map_err(stop)?;
        let game = game_of(&loaded, source, &scenario).map_err(|problem| stop(vec![problem]))?;
        let program =
            common.compile_from(&mut loaded, &game, &scenario.mode_and_options(common.requested_settings()), Purpose::Playing)?;
        Ok(ScenarioFile { source, path, scenario, program, loaded })
    }

    /// Problems with the files that they point into.
    fn to_stop(&self, problems: Vec<Problem>) -> Stop {
        Stop::new(problems, self.loaded.library.sources.clone())
    }

    fn scenario_file_name(&self) -> &str {
        &self.loaded.library.sources.get(self.source).name
    }

    fn scenario_file_text(&self) -> &str {
        &self.loaded.library.sources.get(self.source).text
    }

    /// Plays the beginning. Also returns whether the referee rules as usual in it.
    fn play_beginning(&self, args: &Args, common: &CommonArgs) -> Result<(RehearsedGame, bool), Stop> {
        let program = &self.program;
        let (setup, position) = self.scenario.setup_with_position(program).map_err(|problems| self.to_stop(problems))?;
        let steps = self.scenario.play_steps(program).map_err(|problems| self.to_stop(problems))?;
        let referee = self.choose_referee(common, steps.ruled).map_err(|problem| self.to_stop(vec![problem]))?;
        let seed = args.seed.unwrap_or_else(new_seed);
        let human = |_| PlayerSpec::Human;
        let seats: Vec<Seat> = make_seats(program, &setup.sides, &common.seats, &referee, "human", human, seed)?;
        let listed = self.scenario.random_results().into_iter().chain(args.rolls.iter().flatten().copied());
        let luck = Luck::new(listed, (args.dice == DiceSource::Seeded).then_some(seed));
        let beginning = Beginning { program: program.clone(), setup, position, answers: steps.answers };
        let begun = Game::rehearse_beginning(beginning, seats, luck).map_err(|problem| self.to_stop(vec![problem]))?;
        if steps.is_short {
            self.check_last_answer(&begun, steps.ruled)?;
        }
        Ok((begun, steps.ruled))
    }

    /// Checks the expectations of the scenario's last answer, once the missing results of chance are known. It tries a text
    /// with these results, which is not written.
    fn check_last_answer(&self, begun: &RehearsedGame, ruled: bool) -> Result<(), Stop> {
        if matches!(begun.game.session().pending(), Pending::Random(_)) {
            return Ok(());
        }
        let failed = |problem: Problem| self.to_stop(vec![problem]);
        let story = Story::from_recording(begun.game.recorded_session()).map_err(failed)?;
        let rest = story.rest_after_beginning(BeginningState { answers: begun.answers, ruled }).map_err(failed)?;
        let text = self
            .scenario
            .node_in_text(self.scenario_file_text())
            .map(|node| append::with_steps(self.scenario_file_text(), &node, &rest));
        let mut sources = self.loaded.library.sources.clone();
        let source = sources.add(self.scenario_file_name(), text.unwrap_or_default().as_str());
        let name = Some(self.scenario.name().value.as_str());
        let played = UnfinishedScenario::find_by_name(&sources.get(source).text, source, name)
            .and_then(|again| again.play_steps(&self.program));
        played.map(drop).map_err(|problems| Stop::new(problems, sources))
    }

    /// The player of the referee: the one that was named, a person if the scenario has steps of the referee, otherwise the usual
    /// rulings.
    fn choose_referee(&self, common: &CommonArgs, ruled: bool) -> Result<PlayerSpec, Problem> {
        let usual = if self.scenario.names_referee() { PlayerSpec::Human } else { PlayerSpec::Auto };
        let Some(wanted) = common.referee.clone() else { return Ok(usual) };
        if self.program.referee.is_none() {
            return Err(no_referee_problem(&self.program));
        }
        if ruled && wanted != PlayerSpec::Auto {
            let message = "the scenario has no step of the referee, so they rule as usual up to its end";
            let help = "add the referee's first answer as a step, for example `referee: pass`";
            return Err(Problem::error(codes::SEATS, message).with_label(self.scenario.name().span, "in this one").help(help));
        }
        Ok(wanted)
    }

    /// The file with the further play. An answer whose roll is not known is left out. `open` describes the beginning, which is
    /// in the file already.
    fn extend_text(&self, mut game: Game, open: BeginningState) -> Result<NewContent, Stop> {
        let failed = |problem: Problem| self.to_stop(vec![problem]);
        if matches!(game.session().pending(), Pending::Random(_)) && !take_back(&mut game) {
            return Ok(NewContent { text: self.scenario_file_text().to_string(), answers: 0 });
        }
        let story = Story::from_recording(game.recorded_session()).map_err(failed)?;
        let rest = story.rest_after_beginning(open).map_err(failed)?;
        let answers = rest.answers;
        let text = self.add_rest(&rest).map_err(failed)?;
        Ok(NewContent { text, answers })
    }

    /// The text of the file with further steps, and with expectations at the end, which pass.
    fn add_rest(&self, rest: &ScenarioRest) -> Result<String, Problem> {
        let old = self.scenario_file_text();
        if rest.answers == 0 && self.scenario.has_expectations() {
            return Ok(old.to_string());
        }
        let changed = || Problem::error(codes::SCENARIO_STATE, "the scenario cannot be found again in its file");
        let text = append::with_steps(old, &self.scenario.node_in_text(old).ok_or_else(changed)?, rest);
        let text = match self.scenario.has_ending() {
            true => text,
            false => append::add_then(&text, &self.scenario.node_in_text(&text).ok_or_else(changed)?, &rest.ending),
        };
        self.scenario.passing_text(&self.program, text).map_err(|problem| {
            let message = format!("the played game cannot be written as a scenario: {}", problem.message);
            Problem { message: message.into(), ..problem }
        })
    }

    /// Shows the changes, asks, and writes them. Returns whether they were written.
    fn write_changes(&self, told: &NewContent, args: &Args) -> Result<bool, Stop> {
        if told.text == self.scenario_file_text() {
            output::print_remark("no answer was given, so the file stays as it is");
            return Ok(false);
        }
        output::print_text(&edited_file::diff_text(self.scenario_file_name(), self.scenario_file_text(), &told.text));
        let what = match told.answers {
            0 => format!("the final state in {}", self.scenario_file_name()),
            answers => format!("{} in {}", count_text(answers, "further answer", "further answers"), self.scenario_file_name()),
        };
        if !fixing::confirm_change(args.yes, "record", &what) {
            return Ok(false);
        }
        edited_file::write_edited(&self.path, self.scenario_file_text(), &told.text, "record")?;
        output::print_remark(&format!("{what}; `ludex test {}` runs it", args.file.display()));
        Ok(true)
    }
}

/// The named file, which must be writable.
fn find_file(loaded: &LoadedLibraries, path: &Path) -> Result<(SourceId, PathBuf), Stop> {
    let stop = |problem: Problem| {
        let mut problems: Vec<Problem> = loaded.all_problems().into_iter().filter(Problem::is_error).collect();
        problems.push(problem);
        Stop::new(problems, loaded.library.sources.clone())
    };
    if !path.is_file() {
        let message = format!("`{}` is not a file", path.display());
        return Err(Stop::from(Problem::error(codes::FILE_MISSING, message).help("name the file with the scenario")));
    }
    let found =
        loaded.sources_under(path).into_iter().find_map(|source| Some((source, loaded.editable_file(source)?.to_path_buf())));
    found.ok_or_else(|| stop(Problem::error(codes::FILE_MISSING, format!("there are no scenarios in `{}`", path.display()))))
}

/// The game of a scenario.
fn game_of(loaded: &LoadedLibraries, source: SourceId, scenario: &UnfinishedScenario) -> Result<String, Problem> {
    let library = &loaded.library;
    let games = library.games_of_source(source);
    let own = games.iter().find(|game| library.scenario_files(game).contains(&source)).or(games.first());
    match (own, scenario.named_game()) {
        (Some(game), _) => Ok(game.clone()),
        (None, Some(game)) => load::refuse_unknown_game(&game.value, &library.game_ids()).map(|()| game.value.clone()),
        (None, None) => {
            let problem = Problem::error(codes::UNKNOWN_GAME, "the game of this scenario is not known");
            Err(problem.with_label(scenario.name().span, "this one").help("name it in the scenario: `game: GAME`"))
        }
    }
}

/// Takes back the last answer, because its roll is not known. Returns false if there is none.
fn take_back(game: &mut Game) -> bool {
    output::print_remark("the last answer is left out, because its roll is not known");
    let Some(seat) = game.last_answering_seat() else { return false };
    if let Undo::Free(undo) = game.undo_for_seat(seat) {
        return game.apply_take_back(undo).is_ok();
    }
    false
}
