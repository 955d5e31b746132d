//! The machine: runs instructions until the rules must ask a question, or play is over.
//! Frames call and return, hooks open frames, and questions open hooks: the parts form one machine. `fast_question`,
//! `specialise`, `shared_code`, `resolved_listeners` and `unset_fields` only add speed. While a game is watched, their shortcuts
//! are not taken.
//!
//! A *frame* is one running procedure, body of an effect or window; the top one runs. `at` is the address of an instruction, and
//! `base` the index of a frame's first slot. `at` and `base` without a frame are those of the top one. A function that says "true
//! if it must wait" also returns true after a fault in a question: play stops either way. A game is *seen* if it is watched,
//! inspected or its coverage is recorded (`Eval::is_seen`).

mod ask;
mod choosing;
pub mod fast_question;
pub mod frames;
mod instructions;
pub mod resolved_listeners;
pub mod shared_code;
pub mod specialise;
mod taint;
mod unset_fields;
pub mod window;

use crate::runtime::context::{Context, Roster};
use crate::runtime::dice::Dice;
use crate::runtime::effect::Effects;
use crate::runtime::eval::Eval;
use crate::runtime::eval::taint::Taints;
use crate::runtime::flow::fast_question::MoveCounts;
use crate::runtime::flow::specialise::Step;
use crate::runtime::limits::WORK_OF_STEP;
use crate::runtime::question::Questions;
use crate::runtime::state::{Board, FrameRole, MarkInstance, State};
use crate::runtime::text::{Speaker, Wording};
use ludex_program::{Address, Program};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::Span;
use std::sync::Arc;

/// The data that all copies of a session share.
#[derive(Debug)]
pub struct Game {
    pub program: Arc<Program>,
    pub roster: Roster,
    /// The rules as these players play them, for unwatched games.
    pub code: Arc<[Step]>,
    /// The board before the first event.
    pub start: Board,
    /// The effects of marks at the start.
    pub bearing: Vec<MarkInstance>,
}

impl Game {
    pub fn play_context(&self) -> PlayContext<'_> {
        PlayContext { context: Context { program: &self.program, roster: &self.roster }, code: &self.code }
    }
}

/// The parts that stay the same during a session, with the code for unwatched games.
#[derive(Clone, Copy)]
pub struct PlayContext<'a> {
    pub context: Context<'a>,
    pub code: &'a [Step],
}

impl<'a> std::ops::Deref for PlayContext<'a> {
    type Target = Context<'a>;

    #[inline(always)]
    fn deref(&self) -> &Context<'a> {
        &self.context
    }
}

/// The state, with everything needed to continue.
#[derive(Clone, Debug)]
pub struct Machine {
    questions: Questions,
    /// The move counts that answer a plain question.
    pub move_counts: MoveCounts,
}

over!(Machine, questions: Questions);

/// The reason why the machine stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A question is open, or results of chance are wanted.
    Waiting,
    /// The frames are down to where the run began.
    Done,
    /// Play is over, or a fault occurred: see [`Eval::fault`].
    Over,
}

impl Machine {
    pub fn new(state: State, dice: Dice, watched: bool) -> Machine {
        let effects = Effects::new(Wording::new(Eval::new(state, watched)), dice);
        Machine { questions: Questions::new(effects), move_counts: MoveCounts::default() }
    }

    /// Forgets everything but state and settings, which the caller sets again.
    pub fn begin_again(&mut self) {
        let usage = self.budget_usage();
        self.meter = self.meter.for_next_match(usage);
        self.decisions.clear();
        self.request = None;
        self.scratch.ready = false;
        self.given = None;
        self.supplied.clear();
        self.untaken.0.clear();
        (self.fault, self.ending) = (None, None);
        self.depth = 0;
        self.taints.iter_mut().for_each(|taints| *taints = Arc::new(Taints::default()));
        self.begun.fill(0);
        self.influence.fill(0);
    }

    /// Runs until a question, the end, or until no more than `floor` frames are left.
    pub fn run(&mut self, context: &PlayContext, floor: usize) -> Stop {
        let stop = match self.is_seen() {
            true => self.run_steps::<true>(context, floor),
            false => self.run_steps::<false>(context, floor),
        };
        if self.fault.is_some() {
            self.locate_fault(context);
        }
        stop
    }

    /// Points a fault without a place to the current place in the rules.
    #[cold]
    fn locate_fault(&mut self, context: &PlayContext) {
        let eval: &mut Eval = self;
        let Eval { fault: Some(fault), state, meter, .. } = eval else { return };
        if !fault.labels.is_empty() {
            return;
        }
        let program = context.program;
        let scripts: Vec<Span> = state.places_in_scripts(program).map(|place| place.span).collect();
        if fault.code == codes::STEP_LIMIT && !scripts.is_empty() && !meter.is_match_spent() {
            **fault = Problem::error(codes::SCRIPT_LIMIT, "the script ran for too long and was stopped");
        }
        let mut running = state.frames.iter().rev().filter(|frame| frame.runs_instructions());
        if let Some(place) = running.find_map(|frame| program.code_place(frame.at)) {
            fault.labels.push((place.span, "here".to_string()));
        }
        for span in scripts {
            // A script that triggers itself is listed only once.
            if fault.labels.iter().all(|(known, _)| *known != span) {
                fault.labels.push((span, "called here".to_string()));
            }
        }
    }

    /// The loop of [`Machine::run`]. `SEEN` is whether the game is seen, known when this is compiled.
    fn run_steps<const SEEN: bool>(&mut self, context: &PlayContext, floor: usize) -> Stop {
        loop {
            if self.fault.is_some() || self.state.finished.is_some() {
                return Stop::Over;
            }
            if self.state.frames.len() <= floor {
                return Stop::Done;
            }
            let Some(frame) = self.state.frames.last() else { return Stop::Done };
            let waiting = match frame.role {
                FrameRole::Window(window) => self.spend_work(WORK_OF_STEP) && self.window_step(context, window),
                _ => {
                    let (at, base) = (frame.at, frame.base as usize);
                    self.run_frame::<SEEN>(context, at, base, floor)
                }
            };
            if waiting {
                return if self.fault.is_some() { Stop::Over } else { Stop::Waiting };
            }
        }
    }

    /// Records the place of the top frame.
    #[inline]
    pub(super) fn set_address(&mut self, at: Address) {
        if let Some(frame) = self.state.frames.last_mut() {
            frame.at = at;
        }
    }

    /// Returns the address after an instruction, past those that certainly do nothing in an unwatched game.
    #[inline]
    pub(super) fn address_after(&self, context: &PlayContext, at: Address) -> Address {
        match context.code.get(at as usize) {
            Some(step) if !self.is_seen() => step.next,
            _ => at + 1,
        }
    }

    /// Lets the top frame continue at an address.
    #[inline]
    pub fn go_to(&mut self, at: Address) {
        // After a fault play stays at the place that the fault reports.
        if self.fault.is_none()
            && let Some(frame) = self.state.frames.last_mut()
        {
            frame.at = at;
        }
    }
}

impl Speaker for Machine {
    fn wording_mut(&mut self) -> &mut Wording {
        self
    }
}
