//! The common interface of all players. A *bot* is a player of a seat; a *decision* is one question to a seat, with its
//! options.

use crate::rng::BotRng;
use crate::updates::Update;
use ludex_engine::problem::Problem;
use ludex_engine::recording::Header;
use ludex_engine::runtime::{Choice, Decision, Outcome, Session};

/// A player that answers the decisions of one seat. Only programs hear about events, and only programs can fail to answer: other
/// bots look at the session when they are asked.
pub trait Player {
    /// Returns a legal answer to an open decision of its seat. A bot may use only what the seat may know: its view, the options,
    /// and sessions imagined from them.
    fn answer(&mut self, session: &Session, decision: &Decision) -> Result<Choice, Box<Problem>>;

    /// The stream from which it draws all answers, if each answer is equally likely and nothing else matters.
    fn draw_stream(&mut self) -> Option<&mut BotRng> {
        None
    }

    /// Switches to the random stream of another game, as if newly created with it. Bots that draw nothing, and programs, ignore
    /// this.
    fn draw_from(&mut self, _rng: BotRng) {}

    /// Called when a game begins.
    fn hear_start(&mut self, _header: &Header) {}

    /// Called when something has happened.
    fn hear_update(&mut self, _session: &Session, _update: &Update) {}

    /// Called when the game is over. `undone` counts for each seat how often it went back across chance or another seat's answer.
    fn hear_end(&mut self, _outcome: &Outcome, _header: &Header, _undone: &[usize]) {}

    /// The reason why it no longer answers, if it has failed.
    fn failure_problem(&self) -> Option<Box<Problem>> {
        None
    }
}
