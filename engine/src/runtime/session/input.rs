//! Inputs that let play go on, and their delivery to the machine.
//!
//! Late dealing keeps the input that it cannot deliver yet, and delivers it again (`dealing`).

use crate::runtime::decision::Choice;
use crate::runtime::flow::{Machine, PlayContext, Stop};

/// An input that lets play go on.
#[derive(Clone, Debug)]
pub(super) enum Input {
    /// No input is needed.
    Nothing,
    /// An option of the question at an index.
    Option(usize, u64),
    /// Another answer to the question at an index.
    Answer(usize, Choice),
    /// Results of chance.
    Results(Vec<i64>),
}

/// An input that waits for pieces of a zone to be dealt, and is then given again.
#[derive(Clone, Debug)]
pub(super) struct DelayedInput {
    pub zone: usize,
    pub input: Input,
}

impl Input {
    /// Delivers the input, and runs the machine to its next stop.
    #[inline]
    pub fn deliver_to(self, machine: &mut Machine, context: &PlayContext) -> Stop {
        match self {
            Input::Nothing => machine.run(context, 0),
            Input::Option(place, index) => machine.answer_with_option(context, place, index),
            Input::Answer(place, answer) => machine.answer_with(context, place, answer),
            Input::Results(results) => machine.supply_with(context, results),
        }
    }
}

impl Machine {
    /// Answers the open question at the index `place` and continues.
    pub(crate) fn answer_with(&mut self, context: &PlayContext, place: usize, answer: Choice) -> Stop {
        self.given = Some((place, answer));
        self.run(context, 0)
    }

    /// The same for an option by its index, which is the usual answer and mostly needs no list of options.
    #[inline]
    fn answer_with_option(&mut self, context: &PlayContext, place: usize, index: u64) -> Stop {
        match self.answer_fast(context, index) {
            Some(true) => return if self.fault.is_some() { Stop::Over } else { Stop::Waiting },
            Some(false) => {}
            None => return self.answer_with(context, place, Choice::Option(index)),
        }
        self.run(context, 0)
    }

    /// Supplies the results of chance that the machine waits for, and continues.
    pub(crate) fn supply_with(&mut self, context: &PlayContext, results: Vec<i64>) -> Stop {
        self.request = None;
        self.supplied = results;
        self.run(context, 0)
    }
}
