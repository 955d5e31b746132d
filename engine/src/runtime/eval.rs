//! Works out what expressions are worth and which moves are legal.
//!
//! Expressions ask for legal moves (`can`), moves for expressions, and both for values that abilities change: so `evaluate`,
//! `legal`, `restrictions`, `modifiers`, `reading` and `search` call each other. Nothing here announces anything or asks
//! anybody. What is written are lists and variables of the evaluation itself, and what it costs; fields that `supposing` sets
//! are set back before it is done.

pub mod abilities;
pub mod evaluate;
mod fields;
mod index;
pub mod knowledge;
pub mod legal;
mod memory;
pub mod meter;
mod modifiers;
pub mod narrowing;
mod places;
pub mod policy;
pub mod question;
pub mod reading;
pub mod restrictions;
mod ring;
pub mod search;
pub mod substitute;
pub mod taint;

use crate::runtime::coverage::Coverage;
use crate::runtime::eval::memory::Memory;
use crate::runtime::eval::meter::Meter;
use crate::runtime::eval::question::Question;
use crate::runtime::eval::taint::Taints;
use crate::runtime::meetings::Meetings;
use crate::runtime::state::{Board, State};
use crate::runtime::trace::Trace;
use ludex_program::{NONE, Value};
use ludex_syntax::problem::Problem;
use std::sync::Arc;

/// The state, and what evaluating writes beside it.
#[derive(Clone, Debug)]
pub struct Eval {
    pub state: State,
    /// What play has cost.
    pub meter: Meter,
    pub fault: Option<Box<Problem>>,
    /// What the rules said when play ended, where somebody watches.
    pub ending: Option<String>,
    /// Somebody keeps the events.
    pub watched: bool,
    /// They only count: what is chosen, used, said and named by the rules is announced, and nothing is told in words otherwise.
    pub counts_only: bool,
    /// Somebody looks into the open question, so that it must be made out in full.
    pub inspected: bool,
    /// The options of the open question, counted; empty after a copy, and made again when wanted.
    pub scratch: Scratch,
    /// What definitions gave since something last changed.
    pub memory: Memory,
    /// How many values that abilities change are being worked out inside each other.
    pub depth: u32,
    pub coverage: Option<Box<Coverage>>,
    /// What abilities do at hooks, if it is noted.
    pub meetings: Option<Box<Meetings>>,
    /// How to come here again, if it is noted.
    pub trace: Option<Box<Trace>>,
    /// The tainted values of a watched game with hidden information.
    pub taints: Option<Arc<Taints>>,
    /// How often each scope has begun.
    pub begun: Vec<u64>,
    /// While somebody watches: how often each ability in play was used, changed a value or forbade a move, by the place of
    /// its owner's in the roster.
    pub influence: Vec<u64>,
}

/// Options of the open question. A copy starts empty.
#[derive(Debug, Default)]
pub struct Scratch {
    pub ready: bool,
    pub questions: Vec<Question>,
    /// Questions that wait to be used again.
    pub spare: Vec<Question>,
}

impl Clone for Scratch {
    fn clone(&self) -> Scratch {
        Scratch::default()
    }
}

impl Eval {
    pub fn new(state: State, watched: bool) -> Eval {
        Eval {
            state,
            meter: Meter::default(),
            fault: None,
            ending: None,
            watched,
            counts_only: false,
            inspected: false,
            scratch: Scratch::default(),
            memory: Memory::default(),
            depth: 0,
            coverage: None,
            meetings: None,
            trace: None,
            taints: None,
            begun: Vec::new(),
            influence: Vec::new(),
        }
    }

    /// The board, to be changed: nothing that is remembered of it counts any longer.
    #[inline(always)]
    pub fn board_mut(&mut self) -> &mut Board {
        self.memory.forget();
        &mut self.state.board
    }

    /// Whether somebody looks at every step.
    #[inline]
    pub(super) fn is_seen(&self) -> bool {
        self.watched || self.inspected || self.coverage.is_some()
    }

    /// Whether somebody reads all that happens.
    #[inline]
    pub fn is_told_all(&self) -> bool {
        self.watched && !self.counts_only
    }

    /// Notes what went wrong; the run ends at the next step. Returns none, so that expressions can go on to it.
    #[cold]
    pub fn raise(&mut self, message: &str) -> Value {
        self.raise_as(ludex_syntax::codes::FAULT, message)
    }

    /// As [`Eval::raise`], with a code of its own.
    #[cold]
    pub fn raise_as(&mut self, code: &'static str, message: impl Into<String>) -> Value {
        self.raise_with(Problem::error(code, message))
    }

    /// As [`Eval::raise`], with everything that is to be told.
    #[cold]
    pub fn raise_with(&mut self, problem: Problem) -> Value {
        if self.fault.is_none() {
            self.fault = Some(Box::new(problem));
        }
        NONE
    }
}
