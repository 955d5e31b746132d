//! Evaluates expressions and finds legal moves.
//!
//! Expressions ask for legal moves (`can`), moves for expressions, and both for values that abilities change. So `evaluate`,
//! `legal`, `restrictions`, `modifiers`, `reading` and `search` call each other. Nothing here announces an event or asks a
//! question. Evaluation writes only its own lists and variables and its cost. Fields that `supposing` sets are restored before it
//! returns.
//!
//! A *slot* is a cell for a value of running code, and `base` the index of the first slot of a frame or formula among all slots. A
//! *list* is an index into the arena `State::lists`, which is cut back once its lists are no longer needed. *Bound values* are
//! those that a caller puts into the first slots: arguments, then `me` and `holder` of an ability. A *fault* is an error of the
//! rules or scripts in play; after one, evaluation goes on with none until the next step.

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

/// The state, and the data that evaluation writes beside it.
#[derive(Clone, Debug)]
pub struct Eval {
    pub state: State,
    /// The cost of play so far.
    pub meter: Meter,
    /// The first fault. Play stops at the next step.
    pub fault: Option<Box<Problem>>,
    /// The rules' words at the end of play, if the game is watched.
    pub ending: Option<String>,
    /// Events are kept.
    pub watched: bool,
    /// Events are only counted: choices, uses, sentences and events named by the rules are announced, but nothing else is put
    /// into words.
    pub counts_only: bool,
    /// The open question is inspected, so it must be listed in full.
    pub inspected: bool,
    /// The options of the open question, counted. Empty in a copy, and rebuilt on demand.
    pub scratch: Scratch,
    /// Results of definitions since the last change.
    pub memory: Memory,
    /// Nesting depth of the values under evaluation that abilities change.
    pub depth: u32,
    pub coverage: Option<Box<Coverage>>,
    /// Effects of abilities at hooks, if they are recorded.
    pub meetings: Option<Box<Meetings>>,
    /// The way back to this point, if it is recorded.
    pub trace: Option<Box<Trace>>,
    /// The tainted values of a watched game with hidden information.
    pub taints: Option<Arc<Taints>>,
    /// Number of times each scope has begun.
    pub begun: Vec<u64>,
    /// In a watched game: the number of times each ability in play was used, changed a value or forbade a move, by its instance
    /// in the roster.
    pub influence: Vec<u64>,
}

/// Options of the open question. A copy starts empty.
#[derive(Debug, Default)]
pub struct Scratch {
    /// The open question is built, or its moves are counted (`flow/fast_question.rs`). Otherwise it must be built first.
    pub ready: bool,
    /// The open questions, one for each seat that is asked at once. Others after them are left over, for reuse.
    pub questions: Vec<Question>,
    /// Questions kept for reuse by searches for a move (`can`).
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

    /// The board, to be changed. Drops all remembered results.
    #[inline(always)]
    pub fn board_mut(&mut self) -> &mut Board {
        self.memory.invalidate_all();
        &mut self.state.board
    }

    /// Whether every step is observed. If not, faster ways may be taken that skip texts, events or steps.
    #[inline]
    pub(super) fn is_seen(&self) -> bool {
        self.watched || self.inspected || self.coverage.is_some()
    }

    /// Whether all events are wanted in full.
    #[inline]
    pub fn announces_fully(&self) -> bool {
        self.watched && !self.counts_only
    }

    /// Records an error; the run ends at the next step. Returns none, so that expressions can go on until then.
    #[cold]
    pub fn raise(&mut self, message: &str) -> Value {
        self.raise_as(ludex_syntax::codes::FAULT, message)
    }

    /// Like [`Eval::raise`], with its own code.
    #[cold]
    pub fn raise_as(&mut self, code: &'static str, message: impl Into<String>) -> Value {
        self.raise_with(Problem::error(code, message))
    }

    /// Like [`Eval::raise`], with the whole problem.
    #[cold]
    pub fn raise_with(&mut self, problem: Problem) -> Value {
        if self.fault.is_none() {
            self.fault = Some(Box::new(problem));
        }
        NONE
    }
}
