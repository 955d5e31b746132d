//! Play in which is noted what abilities do at each hook, and which can be played again in another order.

use super::{Session, Setup, Starting};
use crate::runtime::flow::shared_code::SharedCode;
use crate::runtime::meetings::{Meeting, Meetings, Order};
use crate::runtime::state::FrameRole;
use ludex_program::Program;
use ludex_syntax::problem::Problem;
use std::sync::Arc;

impl Session {
    /// As [`Session::start_counting`], noting what abilities do at hooks: see [`Session::meetings`]. The results of chance that
    /// an ability comes to are its own, whatever has happened before it at its hook, and follow from `luck`. It keeps to the order
    /// at one of the hooks that come. If play comes to a fault before the first question, that is there beside what was noted.
    pub fn start_meeting(
        program: Arc<Program>,
        setup: &Setup,
        luck: u64,
        order: Order,
    ) -> Result<(Session, Option<Box<Problem>>), Problem> {
        let setup = Setup { watched: true, ..setup.clone() };
        let meetings = Some(Box::new(Meetings::new(luck, order)));
        let starting = Starting { counts_only: true, meetings, ..Starting::default() };
        let mut session = Session::before_play(program, &setup, starting, &mut SharedCode::default())?;
        let fault = session.play_on().err();
        Ok((session, fault))
    }

    /// The hooks that were opened since play began, or since [`Session::meet_in`], in order. None where they are not noted.
    pub fn meetings(&mut self) -> &[Meeting] {
        self.machine.noting(|meetings, state| meetings.settle(state));
        self.machine.meetings.as_ref().map_or(&[], |meetings| &meetings.noted)
    }

    /// Forgets the hooks that were opened, and keeps to another order at one of those that come.
    pub fn meet_in(&mut self, order: Order) {
        if let Some(meetings) = &mut self.machine.meetings {
            meetings.begin(order);
        }
    }

    /// The hook whose offers are the open question, by its place among [`Session::meetings`].
    pub fn offering(&self) -> Option<usize> {
        let window = self.machine.state.frames.last().filter(|frame| matches!(frame.role, FrameRole::Window(_)));
        window.and_then(|_| self.machine.meetings.as_ref()?.innermost())
    }
}
