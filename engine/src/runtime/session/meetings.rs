//! Play in which is noted what abilities do at each hook, and which can be played again in another order.

use super::Session;
use crate::runtime::meetings::{Meeting, Order};
use crate::runtime::state::FrameRole;

impl Session {
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
