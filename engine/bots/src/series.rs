//! Games played one after another.

use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::runtime::{Pending, Session, SessionOptions, Setup, SharedCode};
use std::sync::Arc;

/// Games of one program, one after another. The setup is computed once while the sides stay the same, and the effect of abilities
/// on the rules once while the same abilities are in play.
pub struct Series {
    program: Arc<Program>,
    counts_only: bool,
    /// The last game, and the entrants of each side in it.
    last: Option<Box<Session>>,
    sides: Vec<Vec<String>>,
    shared: SharedCode,
}

impl Series {
    /// A series of games; with `counts_only`, their events are only counted (see [`SessionOptions`]).
    pub fn new(program: Arc<Program>, counts_only: bool) -> Series {
        Series { program, counts_only, last: None, sides: Vec::new(), shared: SharedCode::default() }
    }

    /// The session of the next game. The setups of a series may differ only in their sides and seeds.
    pub fn next(&mut self, setup: &Setup) -> Result<&mut Session, Box<Problem>> {
        let last = match self.last.take() {
            Some(mut last) if self.sides == setup.sides && matches!(last.pending(), Pending::Finished(_)) => {
                last.restart(setup.seed)?;
                last
            }
            // A game that ended in a fault or a bug is not over, and may have left anything behind.
            last => {
                self.sides.clone_from(&setup.sides);
                let (shared, counts_only) = (Some(&mut self.shared), self.counts_only);
                let options = SessionOptions { shared, counts_only, ..SessionOptions::default() };
                let mut next = Session::start_with(self.program.clone(), setup, options)?;
                if let Some(mut last) = last {
                    next.keep_events_in(last.take_events());
                }
                Box::new(next)
            }
        };
        Ok(self.last.insert(last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::play_game;
    use crate::player::Player;
    use crate::random::Random;
    use crate::rng::BotRng;
    use ludex_engine::Compile;
    use ludex_engine::library::{BUNDLED, CompileRequest, File, Library};
    use ludex_engine::runtime::{Choice, Dice, Outcome};

    /// Whoever dares often rolls more than there is room for, which is a fault.
    const RULES: &str = "ludex 1
game dare \"Dare\"
sides 2 of 1 racer
die sizes 6
sheet racer (racers) { pace: number in 1..6 }
each side has { counter way in 0..14 }
hook set_out(side: side)
scope play {
  repeat 4 times {
    each side in sides {
      side may \"Dare?\" as dares
      open set_out(side)
      add (first of side.racers).pace to side.way
      if dares { roll 1 d6 as shown  add sum of shown to side.way }
    }
  }
  finish with payoff of side = side.way
}
";

    /// What only the dog can do.
    const EAGER: &str = "//! ability eager \"Eager\"
//!   \"The first two times it sets out it comes a step farther.\"
//! uses 2 per play
//!
//! trigger ahead at set_out(side)
//!   when side is me
//!   do { add 1 to me.way }
";

    fn program() -> Arc<Program> {
        let file = |path: &str, text: &str| File { path: path.into(), text: text.into(), library: BUNDLED.into() };
        let files = vec![
            file("rules/dare/game.ludex", RULES),
            file("characters/dare/cat.yaml", "name: Cat\npace: 1\n"),
            file("characters/dare/dog.yaml", "name: Dog\npace: 2\nabilities: [eager]\n"),
            file("scripts/dare/eager.rhai", EAGER),
        ];
        let (program, problems) = Library::new(files).0.compile("dare", &CompileRequest::default());
        Arc::new(program.unwrap_or_else(|| panic!("{problems:#?}")))
    }

    fn setup(game: u64) -> Setup {
        // The same sides for three games.
        let racers = if (game / 3).is_multiple_of(2) { ["cat", "dog"] } else { ["dog", "cat"] };
        let sides = racers.map(|racer| vec![racer.to_string()]).to_vec();
        Setup { sides, seed: game.into(), dice: Dice::Seeded, position: None, names: Vec::new(), watched: false }
    }

    /// What came of a game: how it ended and after how many answers, or what went wrong.
    fn played(session: &mut Session, game: u64) -> Result<(u64, Outcome), String> {
        let bot = |seat| Box::new(Random::new(BotRng::new(game, seat))) as Box<dyn Player>;
        let answers = play_game(session, &mut [bot(0), bot(1)], None).map_err(|problem| problem.message.to_string())?;
        let Pending::Finished(outcome) = session.pending() else { panic!("play stopped without an end") };
        Ok((answers, outcome.clone()))
    }

    #[test]
    fn each_game_is_as_if_it_were_the_first() {
        let program = program();
        let mut series = Series::new(program.clone(), false);
        let (mut ended, mut faults) = (0, 0);
        for game in 0..200 {
            let in_series = played(series.next(&setup(game)).unwrap(), game);
            let alone = played(&mut Session::start(program.clone(), &setup(game)).unwrap(), game);
            assert_eq!(in_series, alone, "game {game}");
            if alone.is_ok() { ended += 1 } else { faults += 1 }
        }
        assert!(ended > 40 && faults > 40, "{ended} games ended, {faults} had a fault");
    }

    #[test]
    fn after_a_game_that_was_broken_off_the_next_is_as_if_it_were_the_first() {
        let mut series = Series::new(program(), false);
        let first = setup(0);
        let begun = series.next(&first).unwrap();
        let Pending::Decisions(open) = begun.pending() else { panic!("a question") };
        let id = open[0].id;
        begun.choose(id, Choice::Option(0)).unwrap();
        let alone = played(&mut Session::start(program(), &first).unwrap(), 0);
        assert_eq!(played(series.next(&first).unwrap(), 0), alone);
    }
}
