//! `ludex play`: a game at the terminal.
//!
//! Missing answers, such as the game and the characters, are asked for. A share is a number that a person adds to the seed, so
//! that no single player decides the dice; a commitment is a hash of the program's own share, shown before people enter theirs.

use super::playing::rematch::play_games;
use super::playing::resume::resume_game;
use super::playing::{DiceSource, new_recorder};
use crate::args::{CommonArgs, DisplayArgs, PlayerNames, PlayerSpec, SeatSpec, player_name};
use crate::fullscreen;
use crate::game::loaded::{GameRequest, LoadedGame, PositionText, open_requested_game};
use crate::game::unfinished::UnfinishedGame;
use crate::game::{self, Game, NewGame, Seat, UndoLimit, new_salt, new_seed, on_interrupt, unpredictable_seed, warn_of_seed};
use crate::stop::Stop;
use crate::terminal::questions::{NoAnswer, Questions, Setting};
use crate::terminal::{Input, Log, Screen};
use ludex_bots::rng::BotRng;
use ludex_engine::library::CompileRequest;
use ludex_engine::program::Program;
use ludex_engine::recording::{Share, Shares, commitment_to_seed, seed_of_bots};
use ludex_engine::runtime::{Dice, Setup};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// The game; without it you are asked
    game: Option<String>,
    /// The number that decides all dice. Anyone who knows it, or works it out from some rolls, can predict the rest;
    /// without it, rolls cannot be predicted
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Where results of dice come from
    #[arg(long, value_name = "SOURCE", default_value = "seeded")]
    dice: DiceSource,
    /// Results of dice to use instead, in order, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', conflicts_with = "dice")]
    rolls: Option<Vec<i64>>,
    /// Start from a position in a file
    #[arg(long, value_name = "FILE")]
    position: Option<PathBuf>,
    #[command(flatten)]
    names: PlayerNames,
    /// Continue a stored game
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "seed", "dice", "rolls", "position", "names"])]
    resume: Option<PathBuf>,
    /// If you play only against bots, how often you may go back past a roll or
    /// anything revealed: a number, or unlimited
    #[arg(long, value_name = "N", default_value = "3")]
    undo: UndoLimit,
    /// Let each person add a share to the seed, so that no one decides it alone
    #[arg(long, conflicts_with_all = ["seed", "rolls", "resume"])]
    shares: bool,
    #[command(flatten)]
    shown: DisplayArgs,
}

/// Begins or resumes a game, and plays it and its rematches.
pub fn run(args: Args, common: &CommonArgs) -> Result<u8, Stop> {
    on_interrupt();
    let screen = Screen::detect(args.shown.plain);
    let mut input = Input::new();
    let begun = match &args.resume {
        Some(path) => resume_game(path, common)?,
        None => begin_or_go_on(&args, common, &screen, &mut input)?,
    };
    let face = fullscreen::choose_face(screen, input, &begun.0);
    play_games(begun, args.undo, &*face)
}

/// Begins a new game, unless a person at a keyboard gave no options and chooses to resume an old one.
fn begin_or_go_on(args: &Args, common: &CommonArgs, screen: &Screen, input: &mut Input) -> Result<(Game, Log), Stop> {
    if input.is_keyboard() && says_nothing(args) && is_bare(args, common) {
        let free: Vec<UnfinishedGame> = UnfinishedGame::list_unfinished().into_iter().filter(UnfinishedGame::is_free).collect();
        if let Some(kept) = Questions::new(screen, input).ask_kept_game(&free)? {
            return resume_game(&kept.path, common);
        }
    }
    start_new_game(args, common, screen, input).map(|game| (game, Log::default()))
}

/// Whether neither a game nor any option about its dice was given.
fn says_nothing(args: &Args) -> bool {
    args.game.is_none() && args.seed.is_none() && args.rolls.is_none() && !args.shares && args.dice == DiceSource::Seeded
}

// --- a new game -------------------------------------------------------------------

/// Asks for what the flags leave open, and begins. Going back from a question asks again from the one before it.
fn start_new_game(args: &Args, common: &CommonArgs, screen: &Screen, input: &mut Input) -> Result<Game, Stop> {
    let mut questions = Questions::new(screen, input);
    loop {
        let begun = begin_as_answered(args, common, &mut questions);
        if begun.is_err() && questions.goes_back() {
            continue;
        }
        return begun;
    }
}

/// Begins a game from flags and answers. Questions that were answered before are not asked again.
fn begin_as_answered(args: &Args, common: &CommonArgs, questions: &mut Questions) -> Result<Game, Stop> {
    let game = choose_game(args, common, questions)?;
    let mut loaded = open_requested_game(common, game_request(args, &game, common.requested_settings()))?;
    loaded.print_warnings();
    if is_bare(args, common) {
        let mut wanted = common.requested_settings();
        while let Setting::Mode(mode) = questions.ask_setting(&loaded.program, &mut wanted.options)? {
            wanted = CompileRequest { mode: Some(mode), ..common.requested_settings() };
            loaded = open_requested_game(common, game_request(args, &game, wanted.clone()))?;
        }
        if !wanted.options.is_empty() {
            loaded = open_requested_game(common, game_request(args, &game, wanted))?;
        }
    }
    let mut specs = common.seats.clone();
    let sides = choose_sides(&loaded, &mut specs, args.seed.unwrap_or_else(new_seed), questions)?;
    let mut names = args.names.clone();
    if names.is_empty() && is_asked(&loaded, common) && questions.input.is_keyboard() {
        names = names_of_people(&loaded, &sides, &specs, questions)?;
    }
    let seats = |seed: u64| loaded.assign_seats(&sides, &specs, common.referee.as_ref(), "human", |_| PlayerSpec::Greedy, seed);
    let salt = new_salt();
    let shares = match args.shares {
        true => Some(ask_shares(&loaded, &seats(0)?, &salt, questions)?),
        false => None,
    };
    let seed = game::choose_seed(args.seed, shares.as_ref()).map_err(|problem| loaded.stop_with_problem(problem))?;
    let seats = seats(seed_of_bots(seed))?;
    warn_of_seed(seed, &dice_source(args), &seats);
    let names = names.names_at_table(&loaded.program, &sides).map_err(|problem| loaded.stop_with_problem(problem))?;
    let setup =
        Setup { sides: sides.clone(), seed, dice: dice_source(args), position: loaded.position.clone(), names, watched: true };
    let (program, position) = (loaded.program.clone(), loaded.position_text.clone());
    let recorder = || new_recorder(&loaded.program, &loaded.libraries);
    let deal = NewGame { program, setup, seats, shares, salt, position };
    Game::start(deal, recorder).map_err(|problem| loaded.stop_with_problem(problem))
}

/// The shares of the people at this screen. The program commits to its own share before it reads theirs.
fn ask_shares(loaded: &LoadedGame, seats: &[Seat], salt: &str, questions: &mut Questions) -> Result<Shares, Stop> {
    let own = unpredictable_seed().map_err(|problem| loaded.stop_with_problem(problem))?.to_string();
    questions.screen.print_text(&format!("seed commitment {}", commitment_to_seed(&own, salt)));
    let mut shares = Vec::new();
    for seat in seats.iter().filter(|seat| !seat.is_bot()) {
        shares.push(Share { seat: seat.number, share: questions.ask_seed_share(&seat.occupant_text())? });
    }
    Ok(Shares { own, seats: shares })
}

/// The game that was named, the only one, or the answer to a question; `None` if the position names it.
fn choose_game(args: &Args, common: &CommonArgs, questions: &mut Questions) -> Result<Option<String>, Stop> {
    if args.game.is_some() || args.position.is_some() {
        return Ok(args.game.clone());
    }
    match common.load_libraries().library.game_ids().as_slice() {
        [] | [_] => Ok(None),
        games => Ok(Some(questions.ask_game(games)?)),
    }
}

fn game_request<'a>(args: &'a Args, game: &'a Option<String>, wanted: CompileRequest) -> GameRequest<'a> {
    GameRequest { game: game.as_deref(), wanted, position: args.position.as_deref().map(PositionText::File) }
}

/// Whether no option about how to play was given.
fn is_bare(args: &Args, common: &CommonArgs) -> bool {
    common.seats.is_empty()
        && common.options.is_empty()
        && common.mode.is_none()
        && args.position.is_none()
        && args.names.is_empty()
}

/// The source of results of dice: the listed ones, real dice, or the seed.
fn dice_source(args: &Args) -> Dice {
    args.rolls.clone().map_or(args.dice.to_dice(), Dice::Listed)
}

/// Whether the flags leave the players open.
fn is_asked(loaded: &LoadedGame, common: &CommonArgs) -> bool {
    common.seats.is_empty() && loaded.position.is_none()
}

/// Asks the people at this keyboard for their names; Enter keeps the usual name of their side.
fn names_of_people(
    loaded: &LoadedGame,
    sides: &[Vec<String>],
    specs: &[SeatSpec],
    questions: &mut Questions,
) -> Result<PlayerNames, NoAnswer> {
    let usual: Vec<String> = sides.iter().enumerate().map(|(side, brought)| usual_name(&loaded.program, side, brought)).collect();
    let mut names = PlayerNames::default();
    for side in specs.iter().filter(|spec| spec.player == Some(PlayerSpec::Human)).map(|spec| spec.side) {
        let others: Vec<&str> =
            usual.iter().enumerate().filter(|(other, _)| *other != side).map(|(_, name)| name.as_str()).collect();
        let refusal = |name: &str| names.name_problem(name, &others);
        if let Some(name) = questions.ask_name(&usual[side], refusal)? {
            names.add_name(side, name);
        }
    }
    Ok(names)
}

/// The name of a side before play.
fn usual_name(program: &Program, side: usize, brought: &[String]) -> String {
    let sheet = |id: &String| program.sheets.get(id).map_or_else(|| id.clone(), |sheet| sheet.name.clone());
    match program.sides.names.get(side) {
        Some(own) => own.clone(),
        None if brought.is_empty() => player_name(side),
        None => brought.iter().map(sheet).collect::<Vec<_>>().join(" and "),
    }
}

/// The entrants of each side, from the flags or from answers. The first side is a person's unless the flags say otherwise. Adds
/// the players to `specs`. `seed` decides the entrants that are dealt.
fn choose_sides(
    loaded: &LoadedGame,
    specs: &mut Vec<SeatSpec>,
    seed: u64,
    questions: &mut Questions,
) -> Result<Vec<Vec<String>>, Stop> {
    let mut sides = loaded.choose_entrants(specs)?;
    let is_asked = specs.is_empty() && loaded.position.is_none();
    if is_asked {
        sides.resize(questions.ask_side_count(&loaded.program)?, Vec::new());
    }
    let mut rng = BotRng::new(seed, u64::MAX);
    let mut team = loaded.team_size(&sides);
    if is_asked && loaded.program.sides.equally_many {
        team = questions.ask_team_size(&loaded.program, "How many does each side bring?")?;
    }
    for side in 0..sides.len() {
        let open = sides[side].is_empty();
        if is_asked && !loaded.program.sides.equally_many {
            let whose = if side == 0 { "How many do you bring?" } else { "How many do you play against?" };
            team = questions.ask_team_size(&loaded.program, whose)?;
        }
        let player = specs.iter().rev().find(|spec| spec.side == side).and_then(|spec| spec.player.clone());
        if open {
            sides[side] = choose_entrants(loaded, (side, &sides), team, player.as_ref(), &mut rng, questions)?;
        }
        if player.is_none() {
            let player = match side {
                0 => PlayerSpec::Human,
                _ if open => questions.ask_player(&loaded.program)?,
                _ => PlayerSpec::Greedy,
            };
            specs.push(SeatSpec { side, entrants: Vec::new(), player: Some(player) });
        }
    }
    Ok(sides)
}

/// The entrants of side `side` of `sides`, which the flags leave open: asked for, or dealt to a bot that was named without any.
fn choose_entrants(
    loaded: &LoadedGame,
    (side, sides): (usize, &[Vec<String>]),
    team: usize,
    player: Option<&PlayerSpec>,
    rng: &mut BotRng,
    questions: &mut Questions,
) -> Result<Vec<String>, Stop> {
    if loaded.program.sides.entrant.is_none() {
        return Ok(Vec::new());
    }
    let bot = player.is_some_and(|player| *player != PlayerSpec::Human);
    if !bot {
        let title = if side == 0 { "Who do you play?" } else { "Who do you play against?" };
        if let Some(chosen) = questions.ask_entrants(&loaded.program, title, team, side == 0)? {
            return Ok(chosen);
        }
    }
    Ok(loaded.draw_entrants(team, sides, rng))
}
