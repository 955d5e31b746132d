//! What every player can do.

use crate::rng::BotRng;
use crate::updates::Update;
use ludex_engine::problem::Problem;
use ludex_engine::recording::Header;
use ludex_engine::runtime::{Choice, Decision, Outcome, Session};

/// Answers the decisions of one seat. Only a program is told what happens, and only a program can fail to answer: other bots
/// look at the session when they are asked.
pub trait Player {
    /// A legal answer to an open decision of its seat. A bot may look at the session only through what the
    /// seat may know: its view, the options, and sessions imagined from them.
    fn answer(&mut self, session: &Session, decision: &Decision) -> Result<Choice, Box<Problem>>;

    /// The lots by which it answers everything, if each answer is as likely to it as any other, and nothing else matters.
    fn lots(&mut self) -> Option<&mut BotRng> {
        None
    }

    /// Another game follows: from now on it draws from this stream, as if it had just been made with it. A bot that draws
    /// nothing has nothing to do, and neither has a program.
    fn draw_from(&mut self, _rng: BotRng) {}

    /// A game begins.
    fn begin(&mut self, _header: &Header) {}

    /// Something has happened.
    fn hear(&mut self, _session: &Session, _update: &Update) {}

    /// The game is over; `undone` says how often each seat went back across chance or another's answer.
    fn end(&mut self, _outcome: &Outcome, _header: &Header, _undone: &[usize]) {}

    /// Why it answers no more, if that is so.
    fn failure(&self) -> Option<Box<Problem>> {
        None
    }
}
