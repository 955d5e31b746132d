//! Who plays each game of a simulation, and from which seed.

use crate::args::{PlayerSpec, SeatSpec, public_player};
use crate::bots;
use crate::game::loaded::{check_entrants, entrants, no_referee, sides_named};
use crate::stop::Stop;
use ludex_bots::Player;
use ludex_bots::play;
use ludex_bots::rng::{BotRng, derive};
use ludex_engine::codes;
use ludex_engine::problem::{Problem, between};
use ludex_engine::program::{Program, Sheet};
use ludex_engine::recording::SeatRecord;
use ludex_engine::runtime::{Dice, Lots, Session, Setup};

/// All that decides how the games of a simulation go.
#[derive(Clone, Debug)]
pub struct Plan {
    pub games: u64,
    pub seed: u64,
    pub line_up: LineUp,
    /// Who answers for each side.
    pub players: Vec<PlayerSpec>,
    /// Who answers for the referee, if there is one.
    pub referee: Option<PlayerSpec>,
}

/// Whom the sides bring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineUp {
    /// The same in every game.
    Same(Vec<Vec<String>>),
    /// For sides that are left open as many as they need are drawn for each game, of `from`.
    Drawn { sides: Vec<Vec<String>>, each: usize, from: Vec<String> },
    /// Every ordered pair, one after the other.
    Pairs(Vec<String>),
    /// For each game two teams of so many are drawn.
    Teams { each: usize, from: Vec<String> },
}

/// The stream of a game's seed from which entrants are drawn. Bots use the streams of their sides' numbers.
const DRAWING: u64 = 1 << 32;

impl Plan {
    /// The plan as if no more games had been wanted than were played.
    pub fn up_to(self, played: u64) -> Plan {
        Plan { games: played.min(self.games), ..self }
    }

    /// `team` is how many a side brings for which they are drawn, if it is said.
    pub fn new(program: &Program, seats: &[SeatSpec], team: Option<usize>, games: u64, seed: u64) -> Result<Plan, Stop> {
        let count = side_count(program, seats)?;
        let sides = entrants_of(program, seats, count)?;
        let players = players_of(program, seats, count)?;
        let open = program.sides.entrants_least > 0 && sides.iter().any(Vec::is_empty);
        let line_up = match open {
            false => LineUp::Same(sides),
            true => {
                // Where all sides bring equally many, those who are named tell how many.
                let named = sides.iter().map(Vec::len).find(|named| program.sides.equally_many && *named > 0);
                if let (Some(named), Some(team)) = (named, team.filter(|team| Some(*team) != named)) {
                    let message = format!("a side brings {named}, and `--team-size` says {team}");
                    return Err(misfit(message, "all sides bring equally many: leave out `--team-size`"));
                }
                let (each, from) = team_of(program, team.or(named))?;
                LineUp::Drawn { sides, each, from }
            }
        };
        Ok(Plan { games, seed, line_up, players, referee: None })
    }

    /// A plan of games between whoever the game admits, all of whom answer at random; none where somebody must be told who plays.
    pub fn at_random(program: &Program, games: u64, seed: u64) -> Option<Plan> {
        Plan::new(program, &[], None, games, seed).and_then(|plan| plan.refereed_by(program, None)).ok()
    }

    /// The same plan with a player for the referee, if the game has one.
    pub fn refereed_by(self, program: &Program, referee: Option<&PlayerSpec>) -> Result<Plan, Stop> {
        if program.referee.is_none() {
            return referee.map_or(Ok(self), |_| Err(Stop::usage(no_referee(program))));
        }
        let referee = referee.cloned().unwrap_or_default();
        bots::bot(&referee, program, 0, self.players.len()).map_err(Stop::usage)?;
        Ok(Plan { referee: Some(referee), ..self })
    }

    /// The same plan over every ordered pair of entrants; of teams over any that meet.
    pub fn all_pairs(program: &Program, seats: &[SeatSpec], team: Option<usize>, games: u64, seed: u64) -> Result<Plan, Stop> {
        let plan = Plan::new(program, seats, team, games, seed)?;
        if plan.players.len() != 2 || program.sides.entrants_least == 0 {
            return Err(misfit("`--all-pairs` needs a game of two sides that bring somebody", "leave out `--all-pairs`"));
        }
        if seats.iter().any(|seat| !seat.entrants.is_empty()) {
            let help = "leave them out of `--seat`: `--seat 0=:greedy` names the player alone";
            return Err(misfit("`--all-pairs` chooses who plays", help));
        }
        let line_up = match team_of(program, team)? {
            (1, from) => LineUp::Pairs(from),
            (each, from) => LineUp::Teams { each, from },
        };
        Ok(Plan { line_up, ..plan })
    }

    /// Everybody whose games are counted for each: those from whom teams are drawn.
    pub fn drawn_from(&self) -> &[String] {
        match &self.line_up {
            LineUp::Teams { from, .. } => from,
            _ => &[],
        }
    }

    /// The two teams of a game, by their places among those they are drawn from.
    pub fn teams(&self, index: u64) -> Option<[Vec<u64>; 2]> {
        let LineUp::Teams { each, from } = &self.line_up else { return None };
        let mut rng = BotRng::new(self.seed_of(index), DRAWING);
        let mut team = || rng.sample(from.len() as u64, *each as u64);
        Some([team(), team()])
    }

    /// The number of different pairs, if pairs are counted apart.
    pub fn pairs(&self) -> usize {
        match &self.line_up {
            LineUp::Pairs(all) => all.len() * all.len(),
            _ => 0,
        }
    }

    /// Which pair plays a game, where pairs are counted apart: one pair after the other, as often each.
    pub fn pair_of(&self, index: u64) -> Option<usize> {
        let pairs = self.pairs();
        if pairs == 0 {
            return None;
        }
        let place = u128::from(index) * pairs as u128 / u128::from(self.games.max(1));
        (place < pairs as u128).then_some(place as usize)
    }

    /// The sheets of a pair.
    pub fn pair(&self, pair: usize) -> Option<(&str, &str)> {
        let LineUp::Pairs(all) = &self.line_up else { return None };
        let first = all.get(pair.checked_div(all.len())?)?;
        let second = all.get(pair.checked_rem(all.len())?)?;
        Some((first, second))
    }

    /// The seed of a game, by its index from 0: it depends on nothing but the seed of the plan.
    pub fn seed_of(&self, index: u64) -> u64 {
        derive(self.seed, index)
    }

    /// What a game starts from, before [`Plan::prepare`] has made it that of a certain game.
    pub fn setup(&self) -> Setup {
        let sides = match &self.line_up {
            LineUp::Same(sides) | LineUp::Drawn { sides, .. } => sides.clone(),
            LineUp::Pairs(_) | LineUp::Teams { .. } => vec![vec![String::new()]; 2],
        };
        Setup { sides, seed: 0.into(), dice: Dice::Seeded, position: None, names: Vec::new(), watched: false }
    }

    /// Turns a setup of this plan into that of one game.
    pub fn prepare(&self, setup: &mut Setup, index: u64) {
        setup.seed = self.seed_of(index).into();
        match &self.line_up {
            LineUp::Same(_) => {}
            LineUp::Drawn { sides, each, from } => {
                let mut rng = BotRng::new(self.seed_of(index), DRAWING);
                for (side, given) in setup.sides.iter_mut().zip(sides) {
                    if given.is_empty() {
                        *side = drawn(&mut rng, *each, from);
                    }
                }
            }
            LineUp::Pairs(_) => {
                let pair = self.pair_of(index).and_then(|pair| self.pair(pair));
                let (first, second) = pair.unwrap_or_default();
                if setup.sides.iter().flatten().ne([first, second]) {
                    setup.sides = vec![vec![first.to_string()], vec![second.to_string()]];
                }
            }
            LineUp::Teams { from, .. } => {
                let teams = self.teams(index).unwrap_or_default();
                setup.sides = teams.iter().map(|team| named(team, from)).collect();
            }
        }
    }

    /// The bots of one game.
    pub fn bots(&self, program: &Program, index: u64) -> Vec<Box<dyn Player>> {
        let seed = self.seed_of(index);
        let bots =
            self.players.iter().chain(&self.referee).enumerate().map(|(seat, player)| bots::bot(player, program, seed, seat));
        bots.filter_map(Result::ok).collect()
    }

    /// Has the bots of one game take their seats. Those of another game keep theirs and draw from the streams of this one, so
    /// that a program goes on from game to game.
    pub fn seat(&self, bots: &mut Vec<Box<dyn Player>>, program: &Program, index: u64) {
        if bots.is_empty() {
            *bots = self.bots(program, index);
            return;
        }
        play::draw_from(bots, self.seed_of(index));
    }

    /// Whether programs are among the players.
    pub fn has_programs(&self) -> bool {
        self.players.iter().chain(&self.referee).any(|player| matches!(player, PlayerSpec::Exec(_)))
    }

    /// The same plan, whose games can be played again, as a flag needs it.
    pub fn repeatable(self, flag: &str) -> Result<Plan, Stop> {
        if !self.has_programs() {
            return Ok(self);
        }
        let message = format!("`{flag}` plays games again, and a program need not answer the same way again");
        Err(misfit(message, &format!("leave out `{flag}`, or let bots play")))
    }

    /// Who sits where in a game, as recordings tell it.
    pub fn seats(&self, setup: &Setup) -> Vec<SeatRecord> {
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

fn drawn(rng: &mut BotRng, each: usize, from: &[String]) -> Vec<String> {
    named(&rng.sample(from.len() as u64, each as u64), from)
}

fn named(places: &[u64], from: &[String]) -> Vec<String> {
    places.iter().filter_map(|place| from.get(*place as usize).cloned()).collect()
}

/// How many are drawn for a side, and from whom.
fn team_of(program: &Program, wanted: Option<usize>) -> Result<(usize, Vec<String>), Stop> {
    let sizes = program.sides.team_sizes();
    let (each, from) = (wanted.unwrap_or(*sizes.start()), ids(entrants(program)));
    if !sizes.contains(&each) {
        let wanted = between(sizes.start(), sizes.end());
        let message = format!("a side of `{}` brings {wanted}, not {each}", program.game);
        return Err(Stop::usage(Problem::error(codes::SEATS, message)));
    }
    if from.len() < each {
        let message = format!("{each} are wanted for a side, and `{}` has {}", program.game, from.len());
        return Err(Problem::error(codes::SEATS, message).into());
    }
    Ok((each, from))
}

fn ids(sheets: Vec<&Sheet>) -> Vec<String> {
    sheets.into_iter().map(|sheet| sheet.id.clone()).collect()
}

fn side_count(program: &Program, seats: &[SeatSpec]) -> Result<usize, Stop> {
    let named = sides_named(seats, program.sides.most).map_err(Stop::usage)?;
    Ok(named.max(program.sides.least).max(1))
}

fn entrants_of(program: &Program, seats: &[SeatSpec], count: usize) -> Result<Vec<Vec<String>>, Stop> {
    let mut sides = vec![Vec::new(); count];
    for seat in seats {
        let Some(side) = sides.get_mut(seat.side) else { continue };
        check_entrants(program, seat).map_err(|problem| match problem.code {
            codes::SEATS => Stop::usage(problem),
            _ => problem.into(),
        })?;
        seat.entrants.iter().try_for_each(|entrant| Session::admit(program, entrant))?;
        side.clone_from(&seat.entrants);
    }
    program.sides.check_named(&sides).map_err(Stop::usage)?;
    Ok(sides)
}

fn players_of(program: &Program, seats: &[SeatSpec], count: usize) -> Result<Vec<PlayerSpec>, Stop> {
    let mut players = vec![PlayerSpec::Random; count];
    for seat in seats {
        if let (Some(place), Some(player)) = (players.get_mut(seat.side), &seat.player) {
            bots::bot(player, program, 0, seat.side).map_err(Stop::usage)?;
            place.clone_from(player);
        }
    }
    Ok(players)
}

/// The command line contradicts itself or the shape of the game.
fn misfit(message: impl Into<String>, help: &str) -> Stop {
    Stop::usage(Problem::error(codes::SEATS, message).help(help))
}

#[cfg(test)]
mod tests;
