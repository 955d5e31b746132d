//! A game that meets a bug of Ludex, for the tests of the last guard.

use super::{Game, NewGame, Recorder, Seat};
use crate::args::PlayerSpec;
use ludex_bots::Player;
use ludex_engine::Compile;
use ludex_engine::library::{BUNDLED, CompileRequest, File, Library};
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::runtime::{Choice, Decision, Dice, Session, Setup};
use std::path::Path;
use std::sync::Arc;

/// Each side takes two of its three dice.
const RULES: &str = "ludex 1
game twice \"Twice\"
sides 2
die sizes 6
each side has { zone shown: dice, open  zone taken: dice, open }
to play {
  each side in sides { repeat 3 times { create die(size: 6) in side.shown for side } }
  each side in sides { repeat 2 times { side must choose 1 in side.shown as die  move die to side.taken } }
  finish with nobody
}
";

/// A player whose every answer meets a bug.
pub struct PanickingPlayer;

impl Player for PanickingPlayer {
    fn answer(&mut self, _: &Session, _: &Decision) -> Result<Choice, Box<Problem>> {
        panic!("a bug")
    }
}

pub fn buggy_program() -> Arc<Program> {
    let file = File { path: "rules/twice/game.ludex".to_string(), text: RULES.to_string(), library: BUNDLED.to_string() };
    let (program, problems) = Library::new(vec![file]).0.compile("twice", &CompileRequest::default());
    Arc::new(program.unwrap_or_else(|| panic!("{problems:#?}")))
}

/// A game whose first side answers twice before a bug is met.
pub fn buggy_game(recording: &Path) -> Game {
    let program = buggy_program();
    let sides = vec![Vec::new(), Vec::new()];
    let well = Seat::for_bot(0, Vec::new(), &PlayerSpec::Random, &program, 7).unwrap_or_else(|none| panic!("{}", none.message));
    let seats = vec![well, Seat::for_player(1, Vec::new(), "a test", Box::new(PanickingPlayer))];
    let setup = Setup { sides, seed: 7.into(), dice: Dice::Seeded, position: None, names: Vec::new(), watched: true };
    let deal = NewGame { program, setup, seats, shares: None, salt: String::new(), position: None };
    let _ = std::fs::remove_file(recording);
    Game::start(deal, || Ok(Some(Recorder::create(recording, None).unwrap()))).unwrap()
}

/// A recording that a game leaves goes on from the last answer before the bug.
#[track_caller]
pub fn assert_kept(recording: &Path) {
    let text = std::fs::read_to_string(recording).unwrap();
    let answers = text.lines().filter(|line| line.contains("\"key\":\"choose(")).count();
    assert_eq!((answers, text.contains("\"result\":")), (2, false), "{text}");
    std::fs::remove_file(recording).unwrap();
}
