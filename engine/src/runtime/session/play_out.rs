//! Random play: answers are drawn as needed, and questions are not put into words.
//!
//! Games in which all bots draw their answers at random are played this way. *Lots* are the random numbers of one seat.

use crate::runtime::decision::{Form, Lots};
use crate::runtime::session::input::Input;
use crate::runtime::{Pending, Session};
use ludex_syntax::problem::Problem;

impl Session {
    /// Plays on until no question is open, the seat that is asked has no lots, or `most` answers have been given. Returns their
    /// number. Each answer is drawn from all possible ones by the lots of its seat, exactly as if the caller had drawn and chosen
    /// it.
    ///
    /// # Errors
    ///
    /// A fault of the rules or of an ability, as in [`Session::choose`].
    pub fn play_out(&mut self, lots: &mut [impl Lots], most: u64) -> Result<u64, Box<Problem>> {
        let mut answers = 0;
        while answers < most {
            let Pending::Decisions([decision, ..]) = self.pending() else { break };
            let Some(lots) = lots.get_mut(decision.seat) else { break };
            match (decision.form, decision.group) {
                // The usual question asks one seat for one option.
                (Form::One, None) => {
                    let index = lots.draw_below(decision.count);
                    self.run_guarded(Input::Option(0, index))?;
                }
                _ => {
                    let (id, choice) = (decision.id, decision.answers().draw_answer(lots));
                    self.choose(id, choice)?;
                }
            }
            answers += 1;
        }
        Ok(answers)
    }
}
