//! Sessions that record the effects of abilities at each hook, and can be replayed in another order.
//!
//! A *meeting* is one opening of a hook ([`crate::runtime::meetings`]). The command's `interactions` uses this.

use super::Session;
use crate::runtime::meetings::{Meeting, Order};
use crate::runtime::state::FrameRole;

impl Session {
    /// The hooks opened since play began, or since [`Session::set_meeting_order`], in order. Empty if they are not
    /// recorded.
    pub fn meetings(&mut self) -> &[Meeting] {
        self.machine.update_meetings(|meetings, state| meetings.end_removed(state));
        self.machine.meetings.as_ref().map_or(&[], |meetings| &meetings.noted)
    }

    /// Clears the record, and uses another order at one of the coming hooks.
    pub fn set_meeting_order(&mut self, order: Order) {
        if let Some(meetings) = &mut self.machine.meetings {
            meetings.restart_with(order);
        }
    }

    /// The hook whose offers are the open question, by its index in [`Session::meetings`].
    pub fn offering_hook(&self) -> Option<usize> {
        let window = self.machine.state.frames.last().filter(|frame| matches!(frame.role, FrameRole::Window(_)));
        window.and_then(|_| self.machine.meetings.as_ref()?.innermost_hook())
    }
}
