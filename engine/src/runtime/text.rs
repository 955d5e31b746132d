//! Finds words for people: names, sentences, fields, and what an event says.

pub mod facts;
pub mod fields;
pub mod names;
pub mod words;

use crate::runtime::eval::Eval;
use crate::runtime::event::Audience;
use ludex_program::Value;

/// Makes texts, for everybody or for some.
#[derive(Clone, Debug)]
pub struct Wording {
    eval: Eval,
    /// Who hears the words that are being made: what they may not know is not named.
    pub hearing: Option<Audience>,
    /// What these words are about because somebody is asked to choose it, or has: that is named to them, wherever it lies.
    pub asked_about: Vec<Value>,
}

over!(Wording, eval: Eval);

impl Wording {
    pub fn new(eval: Eval) -> Wording {
        Wording { eval, hearing: None, asked_about: Vec::new() }
    }
}

/// Whoever makes words, of this layer or one above it.
pub trait Speaker {
    fn wording(&mut self) -> &mut Wording;

    /// Makes words for an audience: what they may not know is not named.
    fn speaking_to<T>(&mut self, audience: Audience, make: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.wording().hearing.replace(audience);
        let made = make(self);
        self.wording().hearing = outer;
        made
    }

    /// Makes words about what somebody is asked to choose: it is named to them.
    fn speaking_of<T>(&mut self, things: Vec<Value>, make: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.wording().asked_about, things);
        let made = make(self);
        self.wording().asked_about = outer;
        made
    }
}

impl Speaker for Wording {
    fn wording(&mut self) -> &mut Wording {
        self
    }
}
