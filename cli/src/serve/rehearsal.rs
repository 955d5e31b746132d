//! What may come of an answer, worked out beside the table so that nobody waits for it.

use crate::STACK;
use crate::guard::guarded;
use crate::terminal::{prospects, words_of};
use ludex_engine::runtime::{Choice, Decision, Session};
use tokio::sync::{OwnedSemaphorePermit, oneshot};

/// An answer and the game in which it is not given.
pub struct Rehearsal {
    session: Session,
    decision: Decision,
    choice: Choice,
    names: Vec<String>,
}

/// What may come of an answer, for those who see what its seat sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prospect {
    /// The answer in words.
    pub of: String,
    /// What happens, with how often.
    pub lines: Vec<String>,
}

impl Rehearsal {
    pub fn new(session: &Session, decision: Decision, choice: Choice, names: &[String]) -> Rehearsal {
        Rehearsal { session: session.clone(), decision, choice, names: names.to_vec() }
    }

    /// Plays it in games that agree with what the seat has seen, on a thread of its own. Nothing if something in the game, or
    /// in Ludex, fails. The turn is over when they have been played; if nobody waits any more, after the game that is being played.
    pub async fn play(self, turn: OwnedSemaphorePermit) -> Option<Prospect> {
        let (reply, replied) = oneshot::channel();
        let played = move || {
            let done = guarded(|| self.prospect(|| !reply.is_closed())).ok();
            drop(self);
            drop(turn);
            let _ = reply.send(done);
        };
        std::thread::Builder::new().name("rehearsal".to_string()).stack_size(STACK).spawn(played).ok()?;
        replied.await.ok().flatten()
    }

    fn prospect(&self, is_wanted: impl Fn() -> bool) -> Prospect {
        let of = words_of(&self.session, &self.decision, &self.choice, |option| option.text);
        Prospect { of, lines: prospects(&self.session, &self.decision, &self.choice, &self.names, is_wanted) }
    }
}
