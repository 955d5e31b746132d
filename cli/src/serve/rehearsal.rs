//! Previews of answers, computed beside the table so that play never waits for them. A preview needs much work, so each waits
//! for its turn: a permit of [`Server::rehearsals`](super::server::Server).

use crate::STACK;
use crate::guard::catch_panic;
use crate::terminal::{answer_text, preview_lines};
use ludex_engine::runtime::{Choice, Decision, Session};
use tokio::sync::{OwnedSemaphorePermit, oneshot};

/// A tentative answer and a copy of the game without it.
pub struct AnswerPreview {
    session: Session,
    decision: Decision,
    choice: Choice,
    names: Vec<String>,
}

/// The possible results of an answer, for viewers who see what its seat sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prospect {
    /// The answer in words.
    pub of: String,
    /// The results, each with its frequency.
    pub lines: Vec<String>,
}

impl AnswerPreview {
    /// `names` are the names of the sides.
    pub fn new(session: &Session, decision: Decision, choice: Choice, names: &[String]) -> AnswerPreview {
        AnswerPreview { session: session.clone(), decision, choice, names: names.to_vec() }
    }

    /// Plays the answer in sampled games, on a thread of its own. Returns `None` if the game or Ludex fails. Releases `turn` when
    /// the games have been played or, if the result is no longer awaited, after the current game.
    pub async fn play_samples(self, turn: OwnedSemaphorePermit) -> Option<Prospect> {
        let (reply, replied) = oneshot::channel();
        let played = move || {
            let done = catch_panic(|| self.sample_prospect(|| !reply.is_closed())).ok();
            drop(self);
            drop(turn);
            let _ = reply.send(done);
        };
        std::thread::Builder::new().name("rehearsal".to_string()).stack_size(STACK).spawn(played).ok()?;
        replied.await.ok().flatten()
    }

    fn sample_prospect(&self, is_wanted: impl Fn() -> bool) -> Prospect {
        let of = answer_text(&self.session, &self.decision, &self.choice, |option| option.text);
        Prospect { of, lines: preview_lines(&self.session, &self.decision, &self.choice, &self.names, is_wanted) }
    }
}
