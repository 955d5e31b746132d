//! `ludex record`: continues a scenario from its end, and writes down the further play.

use super::fixing;
use super::playing::DiceSource;
use crate::args::{Common, PlayerSpec, Shown};
use crate::exit::{DONE, PROBLEMS};
use crate::game::loaded::no_referee;
use crate::game::seats::seats;
use crate::game::{Beginning, Game, Luck, Rehearsed, Seat, Undo, new_seed, on_interrupt};
use crate::layout::counted;
use crate::load::{self, Loaded, Purpose};
use crate::retelling::{Open, Rest, Story, written_on};
use crate::scenario::Unfinished;
use crate::stop::Stop;
use crate::terminal::{self, End, Input, Log, Screen};
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
    shown: Shown,
}

pub fn run(args: Args, common: &Common) -> Result<u8, Stop> {
    on_interrupt();
    let page = Page::open(&args, common)?;
    let (Rehearsed { game, told, answers }, ruled) = page.begin(&args, common)?;
    let mut log = Log::default();
    told.into_iter().for_each(|update| log.tell(update));
    let face = fullscreen::face(Screen::detect(args.shown.plain), Input::new(), &game);
    let played = terminal::play(game, log, &*face);
    let failed = match (played.end, played.status) {
        // The play before a fault is still valid.
        (End::Fault, Err(stop)) => stop.report(Some("record"), false) != DONE,
        _ => false,
    };
    let told = page.told(played.game, Open { answers, ruled })?;
    let written = page.write(&told, &args)?;
    if common.json() {
        output::json(&json!({
            "ludex": 1,
            "command": "record",
            "file": page.name(),
            "scenario": page.scenario.name().value,
            "answers": told.answers,
            "text": told.text,
            "written": written,
        }));
    }
    Ok(if failed { PROBLEMS } else { DONE })
}

/// The file, and the scenario in it to continue.
struct Page {
    loaded: Loaded,
    source: SourceId,
    /// The path of the file.
    path: PathBuf,
    scenario: Unfinished,
    program: Arc<Program>,
}

/// The new content of the file.
struct Told {
    text: String,
    answers: usize,
}

impl Page {
    fn open(args: &Args, common: &Common) -> Result<Page, Stop> {
        let mut loaded = load::load_with(common, std::slice::from_ref(&args.file));
        let (source, path) = file(&loaded, &args.file)?;
        let sources = loaded.library.sources.clone();
        let stop = |problems| Stop::new(problems, sources.clone());
        let text = &loaded.library.sources.get(source).text;
        let scenario = Unfinished::find(text, source, args.scenario.as_deref()).map_err(stop)?;
        let game = game_of(&loaded, source, &scenario).map_err(|problem| stop(vec![problem]))?;
        let program = common.compile_from(&mut loaded, &game, &scenario.wanted(common.wanted()), Purpose::Playing)?;
        Ok(Page { source, path, scenario, program, loaded })
    }

    fn stop(&self, problems: Vec<Problem>) -> Stop {
        Stop::new(problems, self.loaded.library.sources.clone())
    }

    fn name(&self) -> &str {
        &self.loaded.library.sources.get(self.source).name
    }

    fn text(&self) -> &str {
        &self.loaded.library.sources.get(self.source).text
    }

    /// Plays the beginning. Also returns whether the referee rules as usual in it.
    fn begin(&self, args: &Args, common: &Common) -> Result<(Rehearsed, bool), Stop> {
        let program = &self.program;
        let (setup, position) = self.scenario.start(program).map_err(|problems| self.stop(problems))?;
        let steps = self.scenario.steps(program).map_err(|problems| self.stop(problems))?;
        let referee = self.referee(common, steps.ruled).map_err(|problem| self.stop(vec![problem]))?;
        let seed = args.seed.unwrap_or_else(new_seed);
        let human = |_| PlayerSpec::Human;
        let seats: Vec<Seat> = seats(program, &setup.sides, &common.seats, &referee, "human", human, seed)?;
        let listed = self.scenario.random().into_iter().chain(args.rolls.iter().flatten().copied());
        let luck = Luck::new(listed, (args.dice == DiceSource::Seeded).then_some(seed));
        let beginning = Beginning { program: program.clone(), setup, position, answers: steps.answers };
        let begun = Game::rehearse(beginning, seats, luck).map_err(|problem| self.stop(vec![problem]))?;
        if steps.is_short {
            self.check(&begun, steps.ruled)?;
        }
        Ok((begun, steps.ruled))
    }

    /// Checks the expectations of the scenario's last answer, once the missing results of chance are known.
    fn check(&self, begun: &Rehearsed, ruled: bool) -> Result<(), Stop> {
        if matches!(begun.game.session().pending(), Pending::Random(_)) {
            return Ok(());
        }
        let failed = |problem: Problem| self.stop(vec![problem]);
        let story = Story::of(begun.game.recorded()).map_err(failed)?;
        let rest = story.rest(Open { answers: begun.answers, ruled }).map_err(failed)?;
        let text = self.scenario.node(self.text()).map(|node| written_on::with_steps(self.text(), &node, &rest));
        let mut sources = self.loaded.library.sources.clone();
        let source = sources.add(self.name(), text.unwrap_or_default().as_str());
        let name = Some(self.scenario.name().value.as_str());
        let played = Unfinished::find(&sources.get(source).text, source, name).and_then(|again| again.steps(&self.program));
        played.map(drop).map_err(|problems| Stop::new(problems, sources))
    }

    /// The player of the referee: the one that was named, a person if the scenario has steps of the referee, otherwise the usual
    /// rulings.
    fn referee(&self, common: &Common, ruled: bool) -> Result<PlayerSpec, Problem> {
        let usual = if self.scenario.names_referee() { PlayerSpec::Human } else { PlayerSpec::Auto };
        let Some(wanted) = common.referee.clone() else { return Ok(usual) };
        if self.program.referee.is_none() {
            return Err(no_referee(&self.program));
        }
        if ruled && wanted != PlayerSpec::Auto {
            let message = "the scenario has no step of the referee, so they rule as usual up to its end";
            let help = "add the referee's first answer as a step, for example `referee: pass`";
            return Err(Problem::error(codes::SEATS, message).at(self.scenario.name().span, "in this one").help(help));
        }
        Ok(wanted)
    }

    /// The file with the further play.
    fn told(&self, mut game: Game, open: Open) -> Result<Told, Stop> {
        let failed = |problem: Problem| self.stop(vec![problem]);
        if matches!(game.session().pending(), Pending::Random(_)) && !take_back(&mut game) {
            return Ok(Told { text: self.text().to_string(), answers: 0 });
        }
        let story = Story::of(game.recorded()).map_err(failed)?;
        let rest = story.rest(open).map_err(failed)?;
        let answers = rest.answers;
        let text = self.with(&rest).map_err(failed)?;
        Ok(Told { text, answers })
    }

    fn with(&self, rest: &Rest) -> Result<String, Problem> {
        let old = self.text();
        if rest.answers == 0 && self.scenario.checks() {
            return Ok(old.to_string());
        }
        let changed = || Problem::error(codes::SCENARIO_STATE, "the scenario cannot be found again in its file");
        let text = written_on::with_steps(old, &self.scenario.node(old).ok_or_else(changed)?, rest);
        let text = match self.scenario.has_ending() {
            true => text,
            false => written_on::with_ending(&text, &self.scenario.node(&text).ok_or_else(changed)?, &rest.ending),
        };
        self.scenario.passing(&self.program, text).map_err(|problem| {
            let message = format!("the played game cannot be written as a scenario: {}", problem.message);
            Problem { message: message.into(), ..problem }
        })
    }

    /// Shows the changes, asks, and writes them. Returns whether they were written.
    fn write(&self, told: &Told, args: &Args) -> Result<bool, Stop> {
        if told.text == self.text() {
            output::remark("no answer was given, so the file stays as it is");
            return Ok(false);
        }
        output::print(&edited_file::diff(self.name(), self.text(), &told.text));
        let what = match told.answers {
            0 => format!("the final state in {}", self.name()),
            answers => format!("{} in {}", counted(answers, "further answer", "further answers"), self.name()),
        };
        if !fixing::confirmed(args.yes, "record", &what) {
            return Ok(false);
        }
        edited_file::write(&self.path, self.text(), &told.text, "record")?;
        output::remark(&format!("{what}; `ludex test {}` runs it", args.file.display()));
        Ok(true)
    }
}

/// The named file, which must be writable.
fn file(loaded: &Loaded, path: &Path) -> Result<(SourceId, PathBuf), Stop> {
    let stop = |problem: Problem| {
        let mut problems: Vec<Problem> = loaded.all_problems().into_iter().filter(Problem::is_error).collect();
        problems.push(problem);
        Stop::new(problems, loaded.library.sources.clone())
    };
    if !path.is_file() {
        let message = format!("`{}` is not a file", path.display());
        return Err(Stop::from(Problem::error(codes::FILE_MISSING, message).help("name the file with the scenario")));
    }
    let found = loaded.under(path).into_iter().find_map(|source| Some((source, loaded.file(source)?.to_path_buf())));
    found.ok_or_else(|| stop(Problem::error(codes::FILE_MISSING, format!("there are no scenarios in `{}`", path.display()))))
}

/// The game of a scenario.
fn game_of(loaded: &Loaded, source: SourceId, scenario: &Unfinished) -> Result<String, Problem> {
    let library = &loaded.library;
    let games = library.games_with(source);
    let own = games.iter().find(|game| library.scenarios(game).contains(&source)).or(games.first());
    match (own, scenario.game()) {
        (Some(game), _) => Ok(game.clone()),
        (None, Some(game)) => load::known_game(&game.value, &library.games()).map(|()| game.value.clone()),
        (None, None) => {
            let problem = Problem::error(codes::UNKNOWN_GAME, "the game of this scenario is not known");
            Err(problem.at(scenario.name().span, "this one").help("name it in the scenario: `game: GAME`"))
        }
    }
}

/// Takes back the last answer, because its roll is not known. Returns false if there is none.
fn take_back(game: &mut Game) -> bool {
    output::remark("the last answer is left out, because its roll is not known");
    let Some(seat) = game.answered_last() else { return false };
    if let Undo::Free(undo) = game.undo_of(seat) {
        return game.undo(undo).is_ok();
    }
    false
}
