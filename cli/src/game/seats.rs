//! Seats and their players. Seats are numbered from 0: one for each side, in the order of the sides, then that of the referee.
//! A player inside the game (a bot, or a program that acts as one) answers by itself. An outside player is a person, or a
//! program behind `host`; the interface passes on its answers.

use crate::args::{PlayerSpec, SeatSpec, public_player};
use crate::bots;
use ludex_bots::Player;
use ludex_bots::updates::Update;
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::recording::{Header, SeatRecord};
use ludex_engine::runtime::{Choice, Decision, Session};

/// A seat and the player that answers for it.
pub struct Seat {
    pub number: usize,
    /// `None` for the referee's seat.
    pub side: Option<usize>,
    /// Ids of the side's entrants.
    pub entrants: Vec<String>,
    /// `human` or `stdin` for an outside player, else the bot in the words of `--seat`, such as `greedy` or `exec=PROGRAM`.
    pub player: String,
    /// The player inside the game; `None` for an outside player.
    bot: Option<Box<dyn Player>>,
}

impl Seat {
    /// A side's seat whose player is outside the game, under the name `player`.
    pub fn for_outside_player(number: usize, entrants: Vec<String>, player: &str) -> Seat {
        Seat { number, side: Some(number), entrants, player: player.to_string(), bot: None }
    }

    /// A side's seat that a bot answers for. An error if there is no such bot, see [`bots::create_bot`].
    pub fn for_bot(
        number: usize,
        entrants: Vec<String>,
        player: &PlayerSpec,
        program: &Program,
        seed: u64,
    ) -> Result<Seat, Problem> {
        let bot = bots::create_bot(player, program, seed, number)?;
        Ok(Seat { number, side: Some(number), entrants, player: player.to_string(), bot: Some(bot) })
    }

    /// Turns it into the referee's seat.
    pub fn into_referee(self) -> Seat {
        Seat { side: None, ..self }
    }

    /// The seat in words, before play names the sides.
    pub fn occupant_text(&self) -> String {
        describe_occupant(&self.entrants, self.side)
    }

    /// A side's seat with a player that `--seat` cannot name, such as the partner of a tour. `player` is the name it is
    /// recorded under.
    pub fn for_player(number: usize, entrants: Vec<String>, player: &str, bot: Box<dyn Player>) -> Seat {
        Seat { number, side: Some(number), entrants, player: player.to_string(), bot: Some(bot) }
    }

    pub fn is_bot(&self) -> bool {
        self.bot.is_some()
    }

    /// Whether its player is the default one of referees, which passes whenever it may, so that its answers need no mention.
    /// True also for a side's seat with this player.
    pub fn is_usual_referee(&self) -> bool {
        self.player == PlayerSpec::Auto.to_string()
    }

    /// The bot's answer to a decision; `None` if an outside player answers for the seat. An error if the bot fails.
    pub fn bot_answer(&mut self, session: &Session, decision: &Decision) -> Option<Result<Choice, Box<Problem>>> {
        self.bot.as_mut().map(|bot| bot.answer(session, decision))
    }

    /// The player inside the game, if the seat has one.
    pub fn bot_player(&mut self) -> Option<&mut Box<dyn Player>> {
        self.bot.as_mut()
    }

    /// The seat as recordings have it. The command line of a program is left out, because recordings are shared.
    pub fn seat_record(&self) -> SeatRecord {
        let player = public_player(&self.player).to_string();
        SeatRecord { seat: self.number, side: self.side, entrants: self.entrants.clone(), player }
    }
}

/// Announces the start of a game to the players inside it.
pub fn announce_start(seats: &mut [Seat], header: &Header) {
    seats.iter_mut().filter_map(Seat::bot_player).for_each(|player| player.hear_start(header));
}

/// Sends the updates to the players inside the game.
pub fn send_updates(seats: &mut [Seat], session: &Session, updates: &[Update]) {
    for player in seats.iter_mut().filter_map(Seat::bot_player) {
        updates.iter().for_each(|update| player.hear_update(session, update));
    }
}

/// The occupant of a seat in words, from the ids of its entrants.
pub fn describe_occupant(entrants: &[String], side: Option<usize>) -> String {
    match (entrants, side) {
        ([], Some(side)) => format!("side {side}"),
        ([], None) => "the referee".to_string(),
        (entrants, _) => entrants.join(" and "),
    }
}

/// The seats of a game: for each side its entrants and the last player given for it in `specs`, or else the `default` of its
/// number. The referee's seat comes last, if there is one. `outside` is the name under which people are recorded.
pub fn make_seats(
    program: &Program,
    sides: &[Vec<String>],
    specs: &[SeatSpec],
    referee: &PlayerSpec,
    outside: &str,
    default: impl Fn(usize) -> PlayerSpec,
    seed: u64,
) -> Result<Vec<Seat>, Problem> {
    let seat = |number: usize, entrants: &[String], player: &PlayerSpec| match player {
        PlayerSpec::Human => Ok(Seat::for_outside_player(number, entrants.to_vec(), outside)),
        bot => Seat::for_bot(number, entrants.to_vec(), bot, program, seed),
    };
    let of_side = |(number, entrants): (usize, &Vec<String>)| {
        let given = specs.iter().rev().find(|spec| spec.side == number && spec.player.is_some());
        seat(number, entrants, &given.and_then(|spec| spec.player.clone()).unwrap_or_else(|| default(number)))
    };
    let mut seats: Vec<Seat> = sides.iter().enumerate().map(of_side).collect::<Result<_, _>>()?;
    if let Some(number) = program.referee_seat(sides.len()) {
        seats.push(Seat { side: None, ..seat(number, &[], referee)? });
    }
    Ok(seats)
}
