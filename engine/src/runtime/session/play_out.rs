//! Playing on by chance: answers are drawn where they are wanted, and nothing else is made of the questions.

use crate::runtime::decision::{Form, Lots};
use crate::runtime::session::input::Input;
use crate::runtime::{Pending, Session};
use ludex_syntax::problem::Problem;

impl Session {
    /// Plays on until nobody is asked any more, whoever is asked has no lots, or `most` answers are given; how many were. Each is
    /// drawn from all answers that there are, by the lots of the seat that is asked, as if it had been drawn and chosen outside.
    ///
    /// # Errors
    ///
    /// A fault of the rules or of an ability, as [`Session::choose`] tells it.
    pub fn play_out(&mut self, lots: &mut [impl Lots], most: u64) -> Result<u64, Box<Problem>> {
        let mut answers = 0;
        while answers < most {
            let Pending::Decisions([decision, ..]) = self.pending() else { break };
            let Some(lots) = lots.get_mut(decision.seat) else { break };
            match (decision.form, decision.group) {
                // Mostly somebody alone chooses one option.
                (Form::One, None) => {
                    let index = lots.below(decision.count);
                    self.guarded(Input::Option(0, index))?;
                }
                _ => {
                    let (id, choice) = (decision.id, decision.answers().drawn(lots));
                    self.choose(id, choice)?;
                }
            }
            answers += 1;
        }
        Ok(answers)
    }
}
