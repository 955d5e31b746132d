//! Seats and their players.

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
    /// `human`, `stdin`, or the name of a bot.
    pub player: String,
    bot: Option<Box<dyn Player>>,
}

impl Seat {
    /// A seat that an outside player answers for.
    pub fn for_outside_player(number: usize, entrants: Vec<String>, player: &str) -> Seat {
        Seat { number, side: Some(number), entrants, player: player.to_string(), bot: None }
    }

    /// A seat that a bot answers for.
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

    /// Its occupant in words, before play names the sides.
    pub fn occupant_text(&self) -> String {
        describe_occupant(&self.entrants, self.side)
    }

    /// A seat with a player of another kind.
    pub fn for_player(number: usize, entrants: Vec<String>, player: &str, bot: Box<dyn Player>) -> Seat {
        Seat { number, side: Some(number), entrants, player: player.to_string(), bot: Some(bot) }
    }

    pub fn is_bot(&self) -> bool {
        self.bot.is_some()
    }

    /// Whether this is the default referee, which needs no mention.
    pub fn is_usual_referee(&self) -> bool {
        self.player == PlayerSpec::Auto.to_string()
    }

    pub fn bot_answer(&mut self, session: &Session, decision: &Decision) -> Option<Result<Choice, Box<Problem>>> {
        self.bot.as_mut().map(|bot| bot.answer(session, decision))
    }

    /// The automatic player, if the seat has one.
    pub fn bot_player(&mut self) -> Option<&mut Box<dyn Player>> {
        self.bot.as_mut()
    }

    pub fn seat_record(&self) -> SeatRecord {
        let player = public_player(&self.player).to_string();
        SeatRecord { seat: self.number, side: self.side, entrants: self.entrants.clone(), player }
    }
}

/// Announces the start of a game to the players at the seats.
pub fn announce_start(seats: &mut [Seat], header: &Header) {
    seats.iter_mut().filter_map(Seat::bot_player).for_each(|player| player.hear_start(header));
}

/// Sends the updates to the players at the seats.
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

/// The seats of a game: for each side its entrants and the last player given for it, or else `outside` or the `default`. The
/// referee's seat comes last, if there is one.
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
