//! Changes the state, draws from chance, and announces events.
//!
//! Nothing here asks a question or decides what comes next.
//! A *fault*, an error of the rules in play, is kept in `Eval::fault`: the function then does nothing more, and play stops.
//! `base` is the index of the first slot of the running frame, in which texts and expressions are evaluated. A game is *watched*
//! if it keeps events; `counts_only` if it keeps only some of them, without words. A [`RandomRequest`] asks for results of chance
//! from outside: play waits, and the instruction starts again when they have come.

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
    /// The results of chance that play waits for.
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
