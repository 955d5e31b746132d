//! Players that follow a fixed plan: a policy of the rules, or the usual choice. The *usual choice* is to pass or decline, if
//! that is possible, and otherwise the first answer.

use crate::player::Player;
use crate::rng::BotRng;
use ludex_engine::problem::Problem;
use ludex_engine::runtime::{Choice, Decision, Session, policy};

/// A bot that follows a policy of the rules, or makes the usual choice.
#[derive(Clone, Debug)]
pub struct PolicyBot {
    /// The name of the policy; without one, each answer is the usual choice.
    policy: Option<String>,
    /// Random numbers for rows with a chance.
    rng: BotRng,
}

impl PolicyBot {
    /// Passes whenever it may.
    pub fn with_usual_choice(rng: BotRng) -> PolicyBot {
        PolicyBot { policy: None, rng }
    }

    /// Makes the moves that a policy prefers, and the usual choice if the policy has no preference.
    pub fn with_policy(name: &str, rng: BotRng) -> PolicyBot {
        PolicyBot { policy: Some(name.to_string()), rng }
    }
}

impl Player for PolicyBot {
    fn answer(&mut self, session: &Session, decision: &Decision) -> Result<Choice, Box<Problem>> {
        let PolicyBot { policy, rng } = self;
        let preferred = policy.as_deref().and_then(|policy| session.preferred_move(decision.id, policy, rng));
        Ok(preferred.unwrap_or_else(|| policy::default_answer(session, decision)))
    }

    fn draw_from(&mut self, rng: BotRng) {
        self.rng = rng;
    }
}
