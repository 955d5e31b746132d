//! The verbs and their arguments, and what all verbs have in common.

use crate::load::{self, Loaded};
use crate::{output, verbs};
use ludex_engine::library::Wanted;
use ludex_engine::problem::{Problem, nearest};
use ludex_engine::program::Program;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

/// Done, and nothing wrong.
pub const DONE: u8 = 0;
/// Something is wrong with what was given or found.
pub const PROBLEMS: u8 = 1;
/// The command line is wrong.
pub const USAGE: u8 = 2;
/// Stopped by Ctrl-C; what was done is kept.
pub const INTERRUPTED: u8 = 130;

/// Plays, checks, tests, simulates and hosts tabletop games that are data
#[derive(clap::Parser)]
#[command(name = "ludex", version, max_term_width = 80, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    verb: Verb,
    #[command(flatten)]
    common: Common,
}

#[derive(clap::Subcommand)]
enum Verb {
    /// Tell which games there are, and where each comes from
    List(verbs::list::Args),
    /// Describe a game, a sheet, the sheets of a kind, an ability, its order of hooks or its options
    Show(verbs::show::Args),
    /// Play a game, alone or with others
    Play(verbs::play::Args),
    /// Go on with a game that is not finished, or list those there are
    Resume(verbs::resume::Args),
    /// Look for mistakes in rules, sheets and scripts
    Check(verbs::check::Args),
    /// Run the scenarios of a game
    Test(verbs::test::Args),
    /// Let bots play many games and count
    Sim(verbs::sim::Args),
    /// Tell how likely each value of an expression is, exactly
    Odds(verbs::odds::Args),
    /// Play a recording again
    Replay(verbs::replay::Args),
    /// Play by lines of JSON, for other programs
    Host(verbs::host::Args),
    /// Run a tournament: challenges, duels, standings
    Tournament(verbs::tournament::Args),
    /// Explain a code of a message, or a function of scripts
    Explain(verbs::explain::Args),
}

impl Cli {
    /// Carries out the verb; the number is the exit status.
    pub fn run(self) -> u8 {
        let common = &self.common;
        if let Some(side) = common.side_named_twice() {
            let help = format!("say who is there and who plays in one: `--seat {side}=character:player`");
            output::failure(&format!("more than one `--seat` is for side {side}"), Some(&help));
            return USAGE;
        }
        match self.verb {
            Verb::List(args) => verbs::list::run(args, common),
            Verb::Show(args) => verbs::show::run(args, common),
            Verb::Play(args) => verbs::play::run(args, common),
            Verb::Resume(args) => verbs::resume::run(args, common),
            Verb::Check(args) => verbs::check::run(args, common),
            Verb::Test(args) => verbs::test::run(args, common),
            Verb::Sim(args) => verbs::sim::run(args, common),
            Verb::Odds(args) => verbs::odds::run(args, common),
            Verb::Replay(args) => verbs::replay::run(args, common),
            Verb::Host(args) => verbs::host::run(args, common),
            Verb::Tournament(args) => verbs::tournament::run(args, common),
            Verb::Explain(args) => verbs::explain::run(args, common),
        }
    }
}

/// Tells what is wrong with the command line, or what was asked of it instead of a verb; gives the exit status.
pub fn tell(told: &clap::Error) -> u8 {
    if told.use_stderr() {
        // It has words of the command line in it.
        output::prompt(&told.render().to_string(), "");
        return USAGE;
    }
    told.print().map_or_else(|error| output::unwritten(&error), |()| DONE)
}

/// What every verb understands.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Common {
    /// A folder with games, characters or scripts of your own (repeatable)
    #[arg(long = "library", value_name = "DIR", global = true)]
    pub libraries: Vec<PathBuf>,
    /// The mode of the game
    #[arg(long, value_name = "MODE", global = true)]
    pub mode: Option<String>,
    /// A value for an option of the game (repeatable)
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = pair, global = true)]
    pub options: Vec<(String, String)>,
    /// Who plays: SIDE=CHARACTER[,CHARACTER…][:PLAYER], where PLAYER is human,
    /// random, greedy, auto, policy=NAME or exec=PROGRAM (repeatable)
    #[arg(long = "seat", value_name = "SEAT", global = true)]
    pub seats: Vec<SeatSpec>,
    /// Who answers for the referee, in games that have one: a player as for
    /// --seat, auto if nobody is named
    #[arg(long, value_name = "PLAYER", global = true)]
    pub referee: Option<PlayerSpec>,
    /// How results are written
    #[arg(long, value_name = "FORMAT", default_value = "text", global = true)]
    pub format: Format,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// For people
    #[default]
    Text,
    /// One object, for programs
    Json,
}

impl Common {
    pub fn json(&self) -> bool {
        self.format == Format::Json
    }

    /// The mode and options that were asked for; of an option given twice the last value counts.
    pub fn wanted(&self) -> Wanted {
        Wanted { mode: self.mode.clone(), options: self.options.iter().cloned().collect() }
    }

    /// A side that more than one `--seat` is for, if there is one.
    fn side_named_twice(&self) -> Option<usize> {
        let sides = self.seats.iter().map(|seat| seat.side);
        let mut named = sides.clone().enumerate();
        named.find(|(place, side)| sides.clone().take(*place).any(|before| before == *side)).map(|(_, side)| side)
    }

    /// Reads all libraries: the bundled one, `LUDEX_LIBRARY`, the current folder if it is one, and `--library`.
    pub fn load(&self) -> Loaded {
        load::load(&self.libraries)
    }

    /// Loads and compiles a game. Errors go to stderr, and how many warnings there are; with an error, or for an unknown game,
    /// the exit status comes back.
    pub fn compile(&self, game: &str) -> Result<Arc<Program>, u8> {
        self.compile_from(&self.load(), game, &self.wanted())
    }

    /// For an unknown game the exit status comes back.
    pub fn known(&self, loaded: &Loaded, game: &str) -> Result<(), u8> {
        let games = loaded.library.games();
        if games.iter().any(|known| known == game) { Ok(()) } else { Err(unknown_game(game, &games)) }
    }

    /// As [`Common::compile`], for a library already loaded and another mode or other options
    /// (a scenario's, a recording's).
    pub fn compile_from(&self, loaded: &Loaded, game: &str, wanted: &Wanted) -> Result<Arc<Program>, u8> {
        self.known(loaded, game)?;
        let (program, mut problems) = loaded.library.compile(game, wanted);
        problems.splice(0..0, loaded.problems.iter().cloned());
        output::errors(&problems, &loaded.library.sources);
        match program {
            Some(program) if !problems.iter().any(Problem::is_error) => Ok(Arc::new(program)),
            _ => Err(PROBLEMS),
        }
    }
}

fn unknown_game(game: &str, games: &[String]) -> u8 {
    let help = match nearest(game, games.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`ludex list` tells which games there are".to_string(),
    };
    output::failure(&format!("there is no game `{game}`"), Some(&help));
    PROBLEMS
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_string(), value.trim().to_string())),
        _ => Err("write it as `name=value`".to_string()),
    }
}

/// `0=sailor-mercury,sailor-mars:greedy`: who sits on a side, and who answers for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatSpec {
    pub side: usize,
    /// Empty: left open (`1=:greedy`).
    pub entrants: Vec<String>,
    /// None: the verb decides.
    pub player: Option<PlayerSpec>,
}

#[derive(Default, Clone, Debug, PartialEq, Eq)]
pub enum PlayerSpec {
    Human,
    Random,
    Greedy,
    /// Does what is usual: passes wherever it may.
    #[default]
    Auto,
    Policy(String),
    Exec(String),
}

impl FromStr for SeatSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<SeatSpec, String> {
        let wrong = || "write it as `0=character:player`, for instance `1=:greedy`".to_string();
        let (side, rest) = text.split_once('=').ok_or_else(wrong)?;
        let side = side.trim().parse().map_err(|_| format!("`{side}` is no number of a side; sides count from 0"))?;
        let (entrants, player) = match rest.split_once(':') {
            Some((entrants, player)) => (entrants, Some(player.parse()?)),
            None => (rest, None),
        };
        let entrants: Vec<String> = entrants.split(',').map(str::trim).filter(|id| !id.is_empty()).map(str::to_string).collect();
        if entrants.is_empty() && player.is_none() {
            return Err(wrong());
        }
        Ok(SeatSpec { side, entrants, player })
    }
}

impl FromStr for PlayerSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<PlayerSpec, String> {
        const PLAYERS: [&str; 6] = ["human", "random", "greedy", "auto", "policy=NAME", "exec=PROGRAM"];
        match text.split_once('=') {
            Some(("policy", name)) if !name.is_empty() => return Ok(PlayerSpec::Policy(name.to_string())),
            Some(("exec", program)) if !program.is_empty() => return Ok(PlayerSpec::Exec(program.to_string())),
            _ => {}
        }
        match text {
            "human" => Ok(PlayerSpec::Human),
            "random" => Ok(PlayerSpec::Random),
            "greedy" => Ok(PlayerSpec::Greedy),
            "auto" => Ok(PlayerSpec::Auto),
            _ => Err(match nearest(text, PLAYERS) {
                Some(near) => format!("there is no player `{text}`; did you mean `{near}`?"),
                None => format!("there is no player `{text}`; players are {}", PLAYERS.join(", ")),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seat(text: &str) -> Result<(usize, Vec<String>, Option<PlayerSpec>), String> {
        text.parse::<SeatSpec>().map(|seat| (seat.side, seat.entrants, seat.player))
    }

    #[test]
    fn seats_name_side_entrants_and_player() {
        assert_eq!(seat("0=otter"), Ok((0, vec!["otter".to_string()], None)));
        assert_eq!(seat("1=otter,newt:greedy"), Ok((1, vec!["otter".to_string(), "newt".to_string()], Some(PlayerSpec::Greedy))));
        assert_eq!(seat("1=:exec=bot:a"), Ok((1, Vec::new(), Some(PlayerSpec::Exec("bot:a".to_string())))));
        assert_eq!(seat("0=:policy=careful"), Ok((0, Vec::new(), Some(PlayerSpec::Policy("careful".to_string())))));
    }

    #[test]
    fn other_words_are_refused_with_advice() {
        for wrong in ["otter", "x=otter", "0=", "0=otter:gredy", "-1=otter"] {
            assert!(seat(wrong).is_err(), "{wrong}");
        }
        assert_eq!(seat("0=:gredy").err().as_deref(), Some("there is no player `gredy`; did you mean `greedy`?"));
    }

    #[test]
    fn the_command_line_holds_together() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }
}
