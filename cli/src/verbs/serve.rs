//! `ludex serve`: tables for browsers.
//!
//! A table is one game with a link for each seat. Games are begun and played on threads of their own; the links stay valid when
//! the server starts again.

use super::playing::resume::resume_game_in;
use crate::args::{CommonArgs, PlayerNames, PlayerSpec};
use crate::game::loaded::{GameRequest, LoadedGame, PositionText, open_requested_game};
use crate::game::{
    Game, NewGame, Recorder, RecordingStore, UndoLimit, allow_no_recording, new_salt, new_seed, on_interrupt, rematch,
    unpredictable_seed,
};
use crate::output;
use crate::serve::address::{Origin, in_local_network, listen};
use crate::serve::{self, CountingMode, Door, GameStarter, RematchStarter, Server, StartedGame, Table, links, startup_messages};
use crate::stop::Stop;
use crate::terminal::Log;
use axum::http::HeaderName;
use ludex_bots::rng::BotRng;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use ludex_engine::recording::seed_of_bots;
use ludex_engine::runtime::{Dice, Setup};
use std::path::PathBuf;
use std::sync::Arc;

/// The default port. It is fixed, because links are valid only for one port.
const PORT: u16 = 8047;

#[derive(clap::Args, Clone)]
pub struct Args {
    /// The game; without it, the unfinished tables continue
    game: Option<String>,
    /// How many tables of this game to open
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=100))]
    tables: u16,
    /// Start from a position in a file
    #[arg(long, value_name = "FILE")]
    position: Option<PathBuf>,
    #[command(flatten)]
    names: PlayerNames,
    /// The port to listen on
    #[arg(long, value_name = "PORT", default_value_t = PORT)]
    port: u16,
    /// Listen on the local network, too, without encryption: others on it can read hands
    #[arg(long)]
    lan: bool,
    /// The address that people open, if a proxy with TLS is in front of this server
    #[arg(long, value_name = "URL")]
    public_url: Option<Origin>,
    /// The header in which that proxy names its clients, such as X-Forwarded-For
    #[arg(long, value_name = "NAME", requires = "public_url")]
    forwarded_header: Option<HeaderName>,
    /// Make new links for the tables that continue; the old ones stop working
    #[arg(long, conflicts_with = "game")]
    new_links: bool,
    /// How often a player may go back past a roll or anything revealed, if they
    /// play only against bots: a number, or unlimited
    #[arg(long, value_name = "N", default_value = "3")]
    undo: UndoLimit,
}

/// Opens the tables, prints their links, and serves them until Ctrl-C.
pub fn run(args: Args, common: &CommonArgs) -> Result<u8, Stop> {
    on_interrupt();
    if args.public_url.as_ref().is_some_and(|origin| !origin.is_secure) {
        let problem = Problem::error(codes::COMMAND_LINE, "`--public-url` is for a proxy with TLS, so it begins with `https://`");
        return Err(Stop::usage_error(problem.help("without TLS, use `--lan` on a network that you trust")));
    }
    let listener = listen(args.lan, args.port)?;
    let port = listener.local_addr().map_or(args.port, |address| address.port());
    let door = Door { origins: server_origins(&args, port)?, forwarded: args.forwarded_header.clone() };
    let tables = open_tables(&args, common)?;
    match common.is_json() {
        true => startup_messages::print_tables_json(&tables, door.main_origin()),
        false => startup_messages::print_tables(&tables, door.main_origin()),
    }
    if let Some(table) = tables.first()
        && let Some(mode) = table.rules.first_mode().filter(|mode| *mode != table.program.mode)
    {
        output::print_remark(&format!("for a first game: `ludex serve {} --mode {mode}`", table.program.game));
    }
    if args.lan {
        output::print_remark("note: the connection is not encrypted, so others on this network can read hands, and take seats");
    }
    if door.counting_mode() == CountingMode::Nothing {
        output::print_remark(
            "note: the proxy does not name its clients, so all browsers share the limits of one address, and connections \
             are only counted in total; name its header with `--forwarded-header`",
        );
    }
    output::print_remark("Ctrl-C ends the server; `ludex serve` continues all unfinished tables, and their links stay valid");
    serve::serve_tables(listener, Server::new(tables, door))
}

/// The addresses of this server, the one for links first.
fn server_origins(args: &Args, port: u16) -> Result<Vec<Origin>, Problem> {
    if let Some(public) = &args.public_url {
        return Ok(vec![public.clone()]);
    }
    let here = ["127.0.0.1", "localhost"].map(|host| Origin::http(host, port));
    let lan = if args.lan { Some(Origin::http(&in_local_network()?.to_string(), port)) } else { None };
    Ok(lan.into_iter().chain(here).collect())
}

/// New tables of the named game, or all unfinished ones if no game is named.
fn open_tables(args: &Args, common: &CommonArgs) -> Result<Vec<Table>, Stop> {
    if args.game.is_none() && args.position.is_none() {
        return unfinished_tables(args, common);
    }
    let position = args.position.as_deref().map(PositionText::File);
    // All tables share one compiled program.
    let loaded =
        open_requested_game(common, GameRequest { game: args.game.as_deref(), wanted: common.requested_settings(), position })?;
    loaded.print_warnings();
    let loaded = Arc::new(loaded);
    let table = |_| {
        let (args, common, loaded) = (args.clone(), common.clone(), loaded.clone());
        let begin: GameStarter = Box::new(move || {
            let game = new_game(&args, &common, &loaded)?;
            Ok(StartedGame { game, log: Log::default(), again: make_rematch(args.undo) })
        });
        Table::begin_on_thread(begin, false)
    };
    (0..args.tables).map(table).collect()
}

// --- resumed tables ---------------------------------------------------------------

/// The unfinished tables. One that cannot be resumed does not stop the others.
fn unfinished_tables(args: &Args, common: &CommonArgs) -> Result<Vec<Table>, Stop> {
    let store = RecordingStore::of_serve();
    let paths = store.as_ref().map(RecordingStore::unfinished_recordings).unwrap_or_default();
    for left in store.iter().flat_map(|store| store.leftover_files(links::ENDING)) {
        let _ = std::fs::remove_file(left);
    }
    let mut tables = Vec::new();
    for (_, path) in paths {
        // Everything but the libraries is taken from the recording.
        let common = CommonArgs { libraries: common.libraries.clone(), ..CommonArgs::default() };
        let undo = args.undo;
        let name = path.display().to_string();
        let begin: GameStarter = Box::new(move || {
            let (game, log) = resume_game_in(RecordingStore::of_serve(), &path, &common)?;
            Ok(StartedGame { game: game.limit_undo(undo), log, again: make_rematch(undo) })
        });
        match Table::begin_on_thread(begin, args.new_links) {
            Ok(table) => tables.push(table),
            Err(stop) => {
                let why = stop.main_problem();
                output::print_failure(format!("the table in {name} does not continue: {}", why.message), why.help.as_deref());
            }
        }
    }
    if tables.is_empty() {
        let problem = Problem::error(codes::UNKNOWN_GAME, "no game is named, and there are no unfinished tables");
        return Err(problem.help("name a game: `ludex serve GAME`; `ludex list` shows all").into());
    }
    Ok(tables)
}

// --- new tables -------------------------------------------------------------------

/// A new game from the flags; open seats are for people with links.
fn new_game(args: &Args, common: &CommonArgs, loaded: &LoadedGame) -> Result<Game, Stop> {
    let sides = deal_sides(loaded, common)?;
    // The seed is always unpredictable, because people play each other here.
    let seed = unpredictable_seed().map_err(|problem| loaded.stop_with_problem(problem))?;
    let referee = common.referee.as_ref();
    let seats = loaded.assign_seats(&sides, &common.seats, referee, "human", |_| PlayerSpec::Human, seed_of_bots(seed))?;
    let names = args.names.names_at_table(&loaded.program, &sides).map_err(|problem| loaded.stop_with_problem(problem))?;
    let setup = Setup { sides, seed, dice: Dice::Seeded, position: loaded.position.clone(), names, watched: true };
    let (program, position) = (loaded.program.clone(), loaded.position_text.clone());
    let deal = NewGame { program, setup, seats, shares: None, salt: new_salt(), position };
    let game = Game::start(deal, || serve_recorder(&loaded.program.game, &loaded.libraries))
        .map_err(|problem| loaded.stop_with_problem(problem))?;
    Ok(game.limit_undo(args.undo))
}

/// The entrants of each side; open ones are dealt.
fn deal_sides(loaded: &LoadedGame, common: &CommonArgs) -> Result<Vec<Vec<String>>, Stop> {
    let mut sides = loaded.choose_entrants(&common.seats)?;
    if loaded.program.sides.entrants_least > 0 {
        let mut rng = BotRng::new(new_seed(), u64::MAX);
        let team = loaded.team_size(&sides);
        let open: Vec<usize> = (0..sides.len()).filter(|side| sides[*side].is_empty()).collect();
        open.into_iter().for_each(|side| sides[side] = loaded.draw_entrants(team, &sides, &mut rng));
    }
    Ok(sides)
}

/// The function that makes another game of the same sides.
fn make_rematch(undo: UndoLimit) -> RematchStarter {
    Box::new(move |game| {
        let libraries = game.recording_path().map(RecordingStore::libraries_of).unwrap_or_default();
        let recorder = || serve_recorder(&game.session().program().game, &libraries);
        Ok(rematch::start_rematch(game, recorder)?.limit_undo(undo))
    })
}

/// A recorder in the folder for tables of `serve`; none if this system has no such folder.
fn serve_recorder(game: &str, libraries: &[PathBuf]) -> Result<Option<Recorder>, Problem> {
    let help = "play continues, but ends with this process";
    RecordingStore::of_serve().map_or(Ok(None), |store| allow_no_recording(store.add_recording(game, libraries), Some(help)))
}
