//! Builds questions and their options, and explains why a choice is not among them.
//!
//! Questions are built, listed, explained and read here. `flow` asks them and carries out the answers.
//!
//! A *question* is what the rules ask one seat; `place` is its index among the open ones, of which there are several only if
//! seats are asked at once. Its options are *things* (items), or moves in *groups*: the moves of one action, one grant or one
//! offer. A *key* names an option or a whole answer. `base` is that of the slots of the frame that asks.

mod answers;
mod building;
pub mod keys;
mod option_words;
pub mod steps;
pub mod why;
pub mod why_card;

use crate::runtime::decision::Choice;
use crate::runtime::decision::Decision;
use crate::runtime::effect::Effects;
use crate::runtime::text::{Speaker, Wording};

/// The open questions, and answers to them.
#[derive(Clone, Debug)]
pub struct Questions {
    effects: Effects,
    /// The open decisions.
    pub decisions: Vec<Decision>,
    /// An answer just given, for the open question at an index.
    pub given: Option<(usize, Choice)>,
    /// Play also stops at questions with a single answer, if that fact must stay hidden, so that the answer is recorded.
    pub pauses: bool,
    /// This is an imagined world: an open question stays open, even if it has only one answer here.
    pub imagined: bool,
    /// Play also stops at every question with a single answer.
    pub asks_all: bool,
}

over!(Questions, effects: Effects);

impl Questions {
    pub fn new(effects: Effects) -> Questions {
        Questions { effects, decisions: Vec::new(), given: None, pauses: false, imagined: false, asks_all: false }
    }
}

impl Speaker for Questions {
    fn wording_mut(&mut self) -> &mut Wording {
        self
    }
}
