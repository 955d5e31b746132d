//! Late dealing of shuffled zones.
//!
//! A shuffled zone keeps some order, which must not be read yet. If play reads it, play returns to its last input, or to the last
//! shuffle. Chance is asked for the pieces in question, and play starts again from there. Play up to the next input depends only
//! on the state and the input. So everything happens as before up to that point, which now finds the pieces that chance has
//! dealt.
//!
//! This happens only with late dealing ([`SessionOptions::deals_late`](crate::runtime::SessionOptions) and the odds of best
//! play). A *look* is the first reading of an order that is not dealt yet. An *input* is what play was waiting for, such as an
//! answer.

use crate::runtime::session::Session;
use crate::runtime::session::input::{DelayedInput, Input};
use crate::runtime::state::Look;
use crate::runtime::view::Viewer;
use ludex_syntax::problem::Problem;

impl Session {
    /// Runs the machine. If it reads an order that is not dealt yet, it is restored to its state before the input, or after the
    /// last shuffle, and results are requested.
    #[inline(never)]
    pub(super) fn run_input_dealing(&mut self, mut input: Input) -> Result<(), Box<Problem>> {
        loop {
            // Play stops after each shuffle, so an order can be read here only if it was undealt before.
            let before = self.machine.state.board.zones.are_undealt().then(|| self.machine.clone());
            let told = self.machine.untaken.0.len();
            let result = self.run_input_at_once(input.clone());
            let look = match self.machine.board_mut().zones.take_look() {
                None if result.is_ok() && !self.machine.state.board.zones.are_paused() => self.find_look(),
                look => look,
            };
            if let (Some(look), Some(before)) = (look, before) {
                self.take_back(before, told);
                self.outcome = None;
                // A card may have been taken out before the order was read, so it is dealt from the pieces that were there
                // before.
                let draws = self.machine.state.board.zones.draw_sizes(look);
                self.machine.request_order(draws);
                self.awaited = Some(Box::new(DelayedInput { zone: usize::from(look.zone), input }));
                return Ok(());
            }
            if result.is_err() || !self.machine.state.board.zones.are_paused() {
                return result;
            }
            input = Input::Nothing;
        }
    }

    /// Deals the pieces in question, and continues with the waiting input.
    pub(super) fn deal_pieces(&mut self, deal: Box<DelayedInput>, results: &[i64]) -> Result<(), Box<Problem>> {
        let before = self.machine.announces_fully().then(|| self.machine.clone());
        let told = self.machine.untaken.0.len();
        self.machine.request = None;
        self.machine.state.results += results.len() as u32;
        self.machine.board_mut().zones.deal_top(deal.zone, results);
        let result = self.run_input_dealing(deal.input.clone());
        if let (Err(_), Some(before)) = (&result, before) {
            self.take_back(before, told);
            self.awaited = Some(deal);
        }
        result
    }

    /// Whether any viewer who looks at the table now would see an order that is not dealt yet.
    fn find_look(&self) -> Option<Look> {
        if !self.machine.state.board.zones.are_undealt() {
            return None;
        }
        let mut around =
            Session { game: self.game.clone(), machine: self.ready_machine(), outcome: self.outcome.clone(), awaited: None };
        for viewer in self.machine.all_seats(&self.game.play_context()).map(Viewer::Seat).chain([Viewer::Spectator]) {
            around.view(viewer);
        }
        around.machine.board_mut().zones.take_look()
    }
}
