//! The players and the seed of each game in a simulation.
//!
//! An entrant is a character, deck or fighter that a side brings, by the id of its sheet. Each game has a seed of its own,
//! derived from that of the plan and the game's index. The line-up, the chance and the bots of a game draw from separate
//! streams of that seed, so that any game can be played again by itself.

use crate::args::{PlayerSpec, SeatSpec, public_player};
use crate::bots;
use crate::game::loaded::{check_entrants, count_named_sides, no_referee_problem, playable_sheets};
use crate::stop::Stop;
use ludex_bots::Player;
use ludex_bots::play;
use ludex_bots::rng::{BotRng, derive_seed};
use ludex_engine::codes;
use ludex_engine::problem::{Problem, range_text};
use ludex_engine::program::{Program, Sheet};
use ludex_engine::recording::SeatRecord;
use ludex_engine::runtime::{Dice, Lots, Session, Setup};

/// Everything that decides the course of a simulation's games.
#[derive(Clone, Debug)]
pub struct Plan {
    pub games: u64,
    pub seed: u64,
    pub line_up: LineUp,
    /// The player of each side.
    pub players: Vec<PlayerSpec>,
    /// The referee's player, if there is a referee.
    pub referee: Option<PlayerSpec>,
}

/// The entrants that the sides bring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineUp {
    /// The same in every game.
    Same(Vec<Vec<String>>),
    /// For sides without entrants, `each` entrants are drawn from `from` in each game.
    Drawn { sides: Vec<Vec<String>>, each: usize, from: Vec<String> },
    /// Every ordered pair in turn.
    Pairs(Vec<String>),
    /// For each game, two teams of `each` entrants are drawn.
    Teams { each: usize, from: Vec<String> },
}

/// The stream of a game's seed from which entrants are drawn. Bots use the streams numbered like their sides.
const DRAWING: u64 = 1 << 32;

impl Plan {
    /// The plan limited to the games that were played.
    pub fn limited_to(self, played: u64) -> Plan {
        Plan { games: played.min(self.games), ..self }
    }

    /// Creates a plan. `team` is the number of entrants drawn for a side, if given.
    pub fn new(program: &Program, seats: &[SeatSpec], team: Option<usize>, games: u64, seed: u64) -> Result<Plan, Stop> {
        let count = side_count(program, seats)?;
        let sides = named_entrants(program, seats, count)?;
        let players = choose_players(program, seats, count)?;
        let open = program.sides.entrants_least > 0 && sides.iter().any(Vec::is_empty);
        let line_up = match open {
            false => LineUp::Same(sides),
            true => {
                // If all sides bring equally many, the named entrants fix the number.
                let named = sides.iter().map(Vec::len).find(|named| program.sides.equally_many && *named > 0);
                if let (Some(named), Some(team)) = (named, team.filter(|team| Some(*team) != named)) {
                    let message = format!("a side brings {named}, but `--team-size` is {team}");
                    return Err(misfit_stop(message, "all sides bring the same number: leave out `--team-size`"));
                }
                let (each, from) = team_size_and_pool(program, team.or(named))?;
                LineUp::Drawn { sides, each, from }
            }
        };
        Ok(Plan { games, seed, line_up, players, referee: None })
    }

    /// A plan of games between random players with any admitted entrants; `None` if the players must be named.
    pub fn random_plan(program: &Program, games: u64, seed: u64) -> Option<Plan> {
        Plan::new(program, &[], None, games, seed).and_then(|plan| plan.with_referee(program, None)).ok()
    }

    /// The same plan with a player for the referee, if the game has one.
    pub fn with_referee(self, program: &Program, referee: Option<&PlayerSpec>) -> Result<Plan, Stop> {
        if program.referee.is_none() {
            return referee.map_or(Ok(self), |_| Err(Stop::usage_error(no_referee_problem(program))));
        }
        let referee = referee.cloned().unwrap_or_default();
        bots::create_bot(&referee, program, 0, self.players.len()).map_err(Stop::usage_error)?;
        Ok(Plan { referee: Some(referee), ..self })
    }

    /// The same plan over every ordered pair of entrants, or over drawn teams if a side brings several.
    pub fn all_pairs(program: &Program, seats: &[SeatSpec], team: Option<usize>, games: u64, seed: u64) -> Result<Plan, Stop> {
        let plan = Plan::new(program, seats, team, games, seed)?;
        if plan.players.len() != 2 || program.sides.entrants_least == 0 {
            return Err(misfit_stop("`--all-pairs` needs a game of two sides that bring entrants", "leave out `--all-pairs`"));
        }
        if seats.iter().any(|seat| !seat.entrants.is_empty()) {
            let help = "leave them out of `--seat`: `--seat 0=:greedy` names only the player";
            return Err(misfit_stop("`--all-pairs` chooses the entrants itself", help));
        }
        let line_up = match team_size_and_pool(program, team)? {
            (1, from) => LineUp::Pairs(from),
            (each, from) => LineUp::Teams { each, from },
        };
        Ok(Plan { line_up, ..plan })
    }

    /// The entrants that teams are drawn from, each of which is counted separately.
    pub fn entrant_pool(&self) -> &[String] {
        match &self.line_up {
            LineUp::Teams { from, .. } => from,
            _ => &[],
        }
    }

    /// The two teams of a game, as indices into [`Plan::entrant_pool`].
    pub fn draw_teams(&self, index: u64) -> Option<[Vec<u64>; 2]> {
        let LineUp::Teams { each, from } = &self.line_up else { return None };
        let mut rng = BotRng::new(self.seed_of(index), DRAWING);
        let mut team = || rng.draw_sample(from.len() as u64, *each as u64);
        Some([team(), team()])
    }

    /// The number of ordered pairs, if pairs are counted separately; else 0.
    pub fn pair_count(&self) -> usize {
        match &self.line_up {
            LineUp::Pairs(all) => all.len() * all.len(),
            _ => 0,
        }
    }

    /// The pair that plays a game, if pairs are counted separately. They take turns and play equally often.
    pub fn pair_of_game(&self, index: u64) -> Option<usize> {
        let pairs = self.pair_count();
        if pairs == 0 {
            return None;
        }
        let place = u128::from(index) * pairs as u128 / u128::from(self.games.max(1));
        (place < pairs as u128).then_some(place as usize)
    }

    /// The two entrants of a pair.
    pub fn pair_entrants(&self, pair: usize) -> Option<(&str, &str)> {
        let LineUp::Pairs(all) = &self.line_up else { return None };
        let first = all.get(pair.checked_div(all.len())?)?;
        let second = all.get(pair.checked_rem(all.len())?)?;
        Some((first, second))
    }

    /// The seed of a game, by its index from 0. It depends only on the seed of the plan.
    pub fn seed_of(&self, index: u64) -> u64 {
        derive_seed(self.seed, index)
    }

    /// A setup template, which [`Plan::prepare_setup`] turns into that of a game. It is reused from game to game, to avoid
    /// allocations.
    pub fn setup_template(&self) -> Setup {
        let sides = match &self.line_up {
            LineUp::Same(sides) | LineUp::Drawn { sides, .. } => sides.clone(),
            LineUp::Pairs(_) | LineUp::Teams { .. } => vec![vec![String::new()]; 2],
        };
        Setup { sides, seed: 0.into(), dice: Dice::Seeded, position: None, names: Vec::new(), watched: false }
    }

    /// Turns a setup of this plan into that of one game.
    pub fn prepare_setup(&self, setup: &mut Setup, index: u64) {
        setup.seed = self.seed_of(index).into();
        match &self.line_up {
            LineUp::Same(_) => {}
            LineUp::Drawn { sides, each, from } => {
                let mut rng = BotRng::new(self.seed_of(index), DRAWING);
                for (side, given) in setup.sides.iter_mut().zip(sides) {
                    if given.is_empty() {
                        *side = draw_entrants(&mut rng, *each, from);
                    }
                }
            }
            LineUp::Pairs(_) => {
                let pair = self.pair_of_game(index).and_then(|pair| self.pair_entrants(pair));
                let (first, second) = pair.unwrap_or_default();
                if setup.sides.iter().flatten().ne([first, second]) {
                    setup.sides = vec![vec![first.to_string()], vec![second.to_string()]];
                }
            }
            LineUp::Teams { from, .. } => {
                let teams = self.draw_teams(index).unwrap_or_default();
                setup.sides = teams.iter().map(|team| entrants_at(team, from)).collect();
            }
        }
    }

    /// The bots of one game. The seats are those of the sides, and after them that of the referee.
    pub fn make_bots(&self, program: &Program, index: u64) -> Vec<Box<dyn Player>> {
        let seed = self.seed_of(index);
        let bots = self
            .players
            .iter()
            .chain(&self.referee)
            .enumerate()
            .map(|(seat, player)| bots::create_bot(player, program, seed, seat));
        bots.filter_map(Result::ok).collect()
    }

    /// Seats the bots of one game. Existing ones keep their seats and switch to the streams of this game, so that a program plays
    /// game after game.
    pub fn seat_bots(&self, bots: &mut Vec<Box<dyn Player>>, program: &Program, index: u64) {
        if bots.is_empty() {
            *bots = self.make_bots(program, index);
            return;
        }
        play::reseed_bots(bots, self.seed_of(index));
    }

    /// Whether any player is a program.
    pub fn has_programs(&self) -> bool {
        self.players.iter().chain(&self.referee).any(|player| matches!(player, PlayerSpec::Exec(_)))
    }

    /// Checks that games of the plan can be replayed, as a flag needs.
    pub fn ensure_repeatable(self, flag: &str) -> Result<Plan, Stop> {
        if !self.has_programs() {
            return Ok(self);
        }
        let message = format!("`{flag}` replays games, but a program may answer differently each time");
        Err(misfit_stop(message, &format!("leave out `{flag}`, or let bots play")))
    }

    /// The seats of a game for its recording.
    pub fn seat_records(&self, setup: &Setup) -> Vec<SeatRecord> {
        let seats = setup.sides.iter().zip(&self.players).enumerate();
        let record = |(seat, (entrants, player)): (usize, (&Vec<String>, &PlayerSpec))| SeatRecord {
            seat,
            side: Some(seat),
            entrants: entrants.clone(),
            player: public_player(&player.to_string()).to_string(),
        };
        let referee = self.referee.iter().map(|player| SeatRecord {
            seat: self.players.len(),
            side: None,
            entrants: Vec::new(),
            player: public_player(&player.to_string()).to_string(),
        });
        seats.map(record).chain(referee).collect()
    }
}

/// Draws `each` different entrants.
fn draw_entrants(rng: &mut BotRng, each: usize, from: &[String]) -> Vec<String> {
    entrants_at(&rng.draw_sample(from.len() as u64, each as u64), from)
}

/// The entrants with these indices.
fn entrants_at(places: &[u64], from: &[String]) -> Vec<String> {
    places.iter().filter_map(|place| from.get(*place as usize).cloned()).collect()
}

/// The number of entrants drawn for a side, and the candidates. `wanted` is the number from the command line; without it, the
/// smallest number that the rules allow is drawn.
fn team_size_and_pool(program: &Program, wanted: Option<usize>) -> Result<(usize, Vec<String>), Stop> {
    let sizes = program.sides.team_sizes();
    let (each, from) = (wanted.unwrap_or(*sizes.start()), sheet_ids(playable_sheets(program)));
    if !sizes.contains(&each) {
        let wanted = range_text(sizes.start(), sizes.end());
        let message = format!("a side of `{}` brings {wanted}, not {each}", program.game);
        return Err(Stop::usage_error(Problem::error(codes::SEATS, message)));
    }
    if from.len() < each {
        let message = format!("a side needs {each}, but `{}` has {}", program.game, from.len());
        return Err(Problem::error(codes::SEATS, message).into());
    }
    Ok((each, from))
}

fn sheet_ids(sheets: Vec<&Sheet>) -> Vec<String> {
    sheets.into_iter().map(|sheet| sheet.id.clone()).collect()
}

/// The number of sides: as many as `--seat` names, but at least what the game needs.
fn side_count(program: &Program, seats: &[SeatSpec]) -> Result<usize, Stop> {
    let named = count_named_sides(seats, program.sides.most).map_err(Stop::usage_error)?;
    Ok(named.max(program.sides.least).max(1))
}

/// The entrants that `--seat` gives to each side; none for sides that it does not name. An error if the rules do not admit
/// them.
fn named_entrants(program: &Program, seats: &[SeatSpec], count: usize) -> Result<Vec<Vec<String>>, Stop> {
    let mut sides = vec![Vec::new(); count];
    for seat in seats {
        let Some(side) = sides.get_mut(seat.side) else { continue };
        check_entrants(program, seat).map_err(|problem| match problem.code {
            codes::SEATS => Stop::usage_error(problem),
            _ => problem.into(),
        })?;
        seat.entrants.iter().try_for_each(|entrant| Session::check_entrant(program, entrant))?;
        side.clone_from(&seat.entrants);
    }
    program.sides.check_chosen_sides(&sides).map_err(Stop::usage_error)?;
    Ok(sides)
}

/// The player of each side; random bots for sides that `--seat` does not name.
fn choose_players(program: &Program, seats: &[SeatSpec], count: usize) -> Result<Vec<PlayerSpec>, Stop> {
    let mut players = vec![PlayerSpec::Random; count];
    for seat in seats {
        if let (Some(place), Some(player)) = (players.get_mut(seat.side), &seat.player) {
            bots::create_bot(player, program, 0, seat.side).map_err(Stop::usage_error)?;
            place.clone_from(player);
        }
    }
    Ok(players)
}

/// The command line contradicts itself or does not fit the game.
fn misfit_stop(message: impl Into<String>, help: &str) -> Stop {
    Stop::usage_error(Problem::error(codes::SEATS, message).help(help))
}

#[cfg(test)]
mod tests;
