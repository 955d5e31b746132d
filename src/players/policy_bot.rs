//! The players that do what is written: a policy of the rules, or what is usual.

use super::player::Player;
use ludex_engine::problem::Problem;
use ludex_engine::runtime::{Choice, Decision, Session, policy};

#[derive(Clone, Debug)]
pub struct PolicyBot {
    policy: Option<String>,
}

impl PolicyBot {
    /// Passes wherever it may.
    pub fn usual() -> PolicyBot {
        PolicyBot { policy: None }
    }

    /// Makes the moves that a policy prefers; where it says nothing, what is usual.
    pub fn policy(name: &str) -> PolicyBot {
        PolicyBot { policy: Some(name.to_string()) }
    }
}

impl Player for PolicyBot {
    fn answer(&mut self, session: &Session, decision: &Decision) -> Result<Choice, Box<Problem>> {
        let preferred = self.policy.as_deref().and_then(|policy| session.preferred(decision.id, policy));
        Ok(preferred.unwrap_or_else(|| policy::usual(session, decision)))
    }
}
