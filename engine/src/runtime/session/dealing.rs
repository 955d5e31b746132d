//! Shuffled zones that are dealt as they are looked at.
//!
//! A shuffled zone keeps some order, and nobody may look at it yet. Where something does, play goes back to where it was given its last
//! input, or to the last shuffle; chance is asked which pieces lie there, and play goes on from there again. What happens up to the next
//! input depends on nothing but the state and the input, so all goes as before up to that look, which now finds what chance has dealt.

use crate::runtime::session::Session;
use crate::runtime::session::input::{Deal, Input};
use crate::runtime::state::Look;
use crate::runtime::view::Viewer;
use ludex_syntax::problem::Problem;

impl Session {
    /// Lets the machine go on. If it comes to look at an order that is not dealt yet, it is back where it was before, or behind the last
    /// shuffle, and results are wanted.
    #[inline(never)]
    pub(super) fn take_dealing(&mut self, mut input: Input) -> Result<(), Box<Problem>> {
        loop {
            // Play stops behind each shuffle, so that nothing is looked at here unless it was undealt before.
            let before = self.machine.state.board.zones.are_undealt().then(|| self.machine.clone());
            let told = self.machine.untaken.0.len();
            let result = self.take_at_once(input.clone());
            let look = match self.machine.board_mut().zones.take_look() {
                None if result.is_ok() && !self.machine.state.board.zones.are_paused() => self.look_around(),
                look => look,
            };
            if let (Some(look), Some(before)) = (look, before) {
                self.take_back(before, told);
                self.outcome = None;
                // A card may have been taken out before the look: it is dealt from what lay there before.
                let draws = self.machine.state.board.zones.draws(look);
                self.machine.want_order(draws);
                self.awaited = Some(Box::new(Deal { zone: usize::from(look.zone), input }));
                return Ok(());
            }
            if result.is_err() || !self.machine.state.board.zones.are_paused() {
                return result;
            }
            input = Input::Nothing;
        }
    }

    /// Deals what was looked at, and lets the machine go on as it was to go on before.
    pub(super) fn deal(&mut self, deal: Box<Deal>, results: &[i64]) -> Result<(), Box<Problem>> {
        let before = self.machine.is_told_all().then(|| self.machine.clone());
        let told = self.machine.untaken.0.len();
        self.machine.request = None;
        self.machine.state.results += results.len() as u32;
        self.machine.board_mut().zones.deal(deal.zone, results);
        let result = self.take_dealing(deal.input.clone());
        if let (Err(_), Some(before)) = (&result, before) {
            self.take_back(before, told);
            self.awaited = Some(deal);
        }
        result
    }

    /// Whether anybody who may look now at what lies on the table sees an order that is not dealt yet.
    fn look_around(&self) -> Option<Look> {
        if !self.machine.state.board.zones.are_undealt() {
            return None;
        }
        let mut around = Session { game: self.game.clone(), machine: self.ready(), outcome: self.outcome.clone(), awaited: None };
        for viewer in self.machine.seats(&self.game.context()).map(Viewer::Seat).chain([Viewer::Spectator]) {
            around.view(viewer);
        }
        around.machine.board_mut().zones.take_look()
    }
}
