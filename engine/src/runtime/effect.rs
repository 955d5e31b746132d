//! Changes the state, draws from chance, and announces events.
//!
//! Nothing here asks a question or decides what comes next.

mod ability_uses;
mod announce;
mod bearing;
mod bulk;
mod chance;
mod changes;
pub mod marks;
mod reveal;

use crate::runtime::dice::{Dice, RandomRequest};
use crate::runtime::event::PendingEvents;
use crate::runtime::text::Wording;

/// The state with its chance, and the events that have not been taken yet.
#[derive(Clone, Debug)]
pub struct Effects {
    wording: Wording,
    pub dice: Dice,
    pub request: Option<RandomRequest>,
    /// Results of chance just given.
    pub supplied: Vec<i64>,
    pub untaken: PendingEvents,
}

over!(Effects, wording: Wording);

impl Effects {
    pub fn new(wording: Wording, dice: Dice) -> Effects {
        Effects { wording, dice, request: None, supplied: Vec::new(), untaken: PendingEvents::default() }
    }
}
