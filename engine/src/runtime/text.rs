//! Words for people: names, sentences, fields, and the texts of events.
//!
//! Events, options, prompts and views get their words here; `effect` and the layers above call it. A *hole* is an expression in a
//! text of the rules. The *audience* of a text limits what it names: a hidden piece is only `a card`.

pub mod facts;
pub mod fields;
pub mod names;
pub mod words;

use crate::runtime::eval::Eval;
use crate::runtime::event::Audience;
use ludex_program::Value;

/// Makes texts, for everybody or for a certain audience.
#[derive(Clone, Debug)]
pub struct Wording {
    eval: Eval,
    /// The audience of the text in progress. Anything hidden from it is not named.
    pub hearing: Option<Audience>,
    /// Things that someone is choosing or has chosen; they are named to that person, even in hidden places.
    pub asked_about: Vec<Value>,
}

over!(Wording, eval: Eval);

impl Wording {
    pub fn new(eval: Eval) -> Wording {
        Wording { eval, hearing: None, asked_about: Vec::new() }
    }
}

/// A layer that makes words: this one, or one above it.
pub trait Speaker {
    /// The layer that makes words.
    fn wording_mut(&mut self) -> &mut Wording;

    /// Makes words for an audience, without naming anything hidden from it.
    fn with_audience<T>(&mut self, audience: Audience, make: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.wording_mut().hearing.replace(audience);
        let made = make(self);
        self.wording_mut().hearing = outer;
        made
    }

    /// Makes words about things that someone chooses; these are named even if they are hidden.
    fn with_subjects<T>(&mut self, things: Vec<Value>, make: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.wording_mut().asked_about, things);
        let made = make(self);
        self.wording_mut().asked_about = outer;
        made
    }
}

impl Speaker for Wording {
    fn wording_mut(&mut self) -> &mut Wording {
        self
    }
}
