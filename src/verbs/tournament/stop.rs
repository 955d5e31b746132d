//! Why a verb of tournaments does nothing more.

use crate::exit::PROBLEMS;
use crate::game::loaded::BadStart;
use crate::output;
use ludex_engine::problem::Problem;
use ludex_engine::source::Sources;

/// Why nothing more is done.
pub enum Stop {
    Problem(Box<Problem>),
    Bad(Box<BadStart>),
    /// The reason is printed already; the exit status.
    Reported(u8),
}

impl Stop {
    pub fn report(self) -> u8 {
        match self {
            Stop::Problem(problem) => {
                output::problems(&[*problem], &Sources::default());
                PROBLEMS
            }
            Stop::Bad(bad) => bad.report(),
            Stop::Reported(status) => status,
        }
    }
}

impl From<Problem> for Stop {
    fn from(problem: Problem) -> Stop {
        Stop::Problem(Box::new(problem))
    }
}

impl From<BadStart> for Stop {
    fn from(bad: BadStart) -> Stop {
        Stop::Bad(Box::new(bad))
    }
}
