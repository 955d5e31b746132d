//! Players that answer for a seat without a person: a bot by its name, or a program. Each sees only what its seat sees. The
//! bots themselves are in `engine/bots`; only programs (`process_bot`) are here, because they need processes.

mod process_bot;

use crate::args::PlayerSpec;
use ludex_bots::rng::BotRng;
use ludex_bots::{Greedy, Player, PolicyBot, Random};
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::runtime::policy;
use process_bot::ProcessBot;

/// Creates the bot for a seat of a game. Each seat of each session draws from its own random stream, which `seed` and `seat`
/// decide. An error if the player is a person, or a policy that the rules do not have. A program is started later, with its
/// first question.
pub fn create_bot(player: &PlayerSpec, program: &Program, seed: u64, seat: usize) -> Result<Box<dyn Player>, Problem> {
    let rng = BotRng::new(seed, seat as u64);
    match player {
        PlayerSpec::Random => Ok(Box::new(Random::new(rng))),
        PlayerSpec::Greedy => Ok(Box::new(Greedy::new(rng))),
        PlayerSpec::Human => Err(no_bot_problem("a human cannot play here: this command asks no questions")),
        PlayerSpec::Auto => Ok(Box::new(PolicyBot::with_usual_choice(rng))),
        PlayerSpec::Policy(_) if policy::sorted_policy_names(program).is_empty() => {
            Err(no_bot_problem(format!("the rules of `{}` declare no policy", program.game)))
        }
        PlayerSpec::Policy(name) => match policy::check_policy(program, name, "policy=") {
            Ok(()) => Ok(Box::new(PolicyBot::with_policy(name, rng))),
            Err(problem) => Err(Problem { code: codes::SEATS, ..problem }),
        },
        PlayerSpec::Exec(command) => Ok(Box::new(ProcessBot::new(command, seat))),
    }
}

/// The problem for a player that is no bot.
fn no_bot_problem(message: impl Into<String>) -> Problem {
    Problem::error(codes::SEATS, message).help("use `random`, `greedy` or `auto`: they answer by themselves")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bots_answer_by_themselves() {
        let program = Program::default();
        for player in [PlayerSpec::Random, PlayerSpec::Greedy, PlayerSpec::Auto] {
            assert!(create_bot(&player, &program, 1, 0).is_ok());
        }
        assert!(create_bot(&PlayerSpec::Human, &program, 1, 0).is_err());
        assert!(create_bot(&PlayerSpec::Policy("careful".into()), &program, 1, 0).is_err());
    }
}
