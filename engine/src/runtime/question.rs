//! Makes questions and their options, and says why something is none.
//!
//! A question is built, listed, explained and read here; it is put, and its answer carried out, in `flow`.

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
    /// What is asked now.
    pub decisions: Vec<Decision>,
    /// An answer just given, for the question on top.
    pub given: Option<(usize, Choice)>,
    /// Play stops at questions that have only one answer where that must not show, so that it is written down.
    pub pauses: bool,
    /// This is a world that somebody imagines: what was put stays put, also where there is nothing else to answer.
    pub imagined: bool,
    /// Play stops at every question that has only one answer, too.
    pub asks_all: bool,
}

over!(Questions, effects: Effects);

impl Questions {
    pub fn new(effects: Effects) -> Questions {
        Questions { effects, decisions: Vec::new(), given: None, pauses: false, imagined: false, asks_all: false }
    }
}

impl Speaker for Questions {
    fn wording(&mut self) -> &mut Wording {
        self
    }
}
