//! Bots that answer for a seat without Python: those of the command.

use ludex_bots::rng::BotRng;
use ludex_bots::{Greedy, Player, PolicyBot, Random};
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::runtime::policy;

/// A bot by its name: `random`, `greedy`, `auto`, or `policy=NAME` of the rules. Each seat of each session draws from a stream
/// of its own.
pub fn bot(name: &str, program: &Program, seed: u64, seat: usize) -> Result<Box<dyn Player + Send>, Problem> {
    let rng = BotRng::new(seed, seat as u64);
    match name.split_once('=') {
        None if name == "random" => Ok(Box::new(Random::new(rng))),
        None if name == "greedy" => Ok(Box::new(Greedy::new(rng))),
        None if name == "auto" => Ok(Box::new(PolicyBot::with_usual_choice(rng))),
        Some(("policy", policy)) if policy::sorted_policy_names(program).contains(&policy) => {
            Ok(Box::new(PolicyBot::with_policy(policy, rng)))
        }
        _ => Err(unknown(name, program)),
    }
}

fn unknown(name: &str, program: &Program) -> Problem {
    let policies = policy::sorted_policy_names(program);
    let policies = match policies.as_slice() {
        [] => format!("; the rules of `{}` declare no policy", program.game),
        names => format!(", or `policy=NAME` with {}", names.join(", ")),
    };
    Problem::error(codes::SEATS, format!("there is no bot `{name}`")).help(format!("use `random`, `greedy` or `auto`{policies}"))
}
