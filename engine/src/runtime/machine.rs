//! The machine: runs instructions until the rules must ask, or play is over.

use super::event::Untaken;
use super::limits::WORK_OF_STEP;
use super::meter::Meter;
use super::session::{Dice, Game, RandomRequest};
use super::specialise::Step;
use super::state::{FrameRole, Sealed, State};
use crate::problem::Problem;
use crate::program::{AbilityId, ActionId, Address, HookId, NONE, PIECE_SHEET, Program, SheetId, Value};
use crate::runtime::decision::Decision;
use crate::scripting::ScriptRun;
use std::sync::Arc;

/// What does not change while a session lasts, by one reference, as nearly every function hands it on.
pub type Rules<'a> = &'a Fixed<'a>;

#[derive(Clone, Copy)]
pub struct Fixed<'a> {
    pub program: &'a Program,
    pub cast: &'a Cast,
}

/// Who plays: the entrants and their abilities, and which abilities listen where.
#[derive(Clone, Debug, Default)]
pub struct Cast {
    pub sides: usize,
    pub table: u16,
    /// The entities of each side's entrants, and the ids of their sheets.
    pub entrants: Vec<Vec<u16>>,
    pub sheets: Vec<Vec<String>>,
    /// What keys call each entrant, in the order of their entities.
    pub keys: Vec<(u16, String)>,
    /// What keys call the pieces that are printed on sheets, from the first piece on; others have no name there.
    pub piece_keys: Vec<String>,
    /// The first entity that is a piece.
    pub first_piece: u16,
    pub instances: Vec<Instance>,
    /// For each hook and each side asked first: the clauses that listen, in order.
    pub listeners: Vec<Vec<Vec<Listener>>>,
    /// For each family: granted actions.
    pub grants: Vec<Vec<Grant>>,
    /// For each family: what abilities forbid or demand of its moves, by instance.
    pub bars: Vec<Vec<(u16, u16)>>,
    /// The rules as these players play them with nobody watching.
    pub code: Vec<Step>,
    /// The names a position gave to pieces.
    pub labels: std::collections::BTreeMap<String, usize>,
}

impl Cast {
    /// The id of the sheet that an entity is an entrant of.
    pub fn sheet_of(&self, entity: u16) -> Option<&str> {
        let sides = self.entrants.iter().zip(&self.sheets);
        sides
            .flat_map(|(entrants, sheets)| entrants.iter().zip(sheets))
            .find(|(own, _)| **own == entity)
            .map(|(_, id)| id.as_str())
    }

    /// What an entrant's file prints.
    pub fn print_of(&self, program: &Program, entrant: Value) -> Option<Value> {
        let sheet = self.sheet_of(u16::try_from(entrant).ok()?)?;
        program.sheets.get(sheet).map(|sheet| sheet.print)
    }

    /// Whether an entity has what only some sheets of entrants have.
    pub fn has(&self, program: &Program, entity: Value, sheets: &[SheetId]) -> bool {
        let print = || program.prints.print(self.print_of(program, entity)?);
        sheets.is_empty() || print().is_some_and(|print| program.prints.has(print.sheet, sheets))
    }

    /// What keys call a piece: the id of its sheet, `otter#2` for the second of that sheet; others by their number.
    pub fn piece_key(&self, piece: Value) -> String {
        let number = (piece as usize).saturating_sub(self.first_piece as usize);
        match self.piece_keys.get(number) {
            Some(key) if !key.is_empty() => key.clone(),
            _ => number.to_string(),
        }
    }

    /// The piece of a name in a key.
    pub fn piece_called(&self, key: &str) -> Option<Value> {
        let printed = self.piece_keys.iter().position(|known| known == key && !key.is_empty());
        let number = printed.or_else(|| key.parse().ok())?;
        Value::try_from(number).ok()?.checked_add(Value::from(self.first_piece))
    }

    /// Gives the pieces that are printed on sheets their keys.
    pub fn name_pieces(&mut self, program: &Program, board: &super::state::Board) {
        let mut seen: std::collections::BTreeMap<Value, usize> = std::collections::BTreeMap::new();
        let pieces = board.entities.iter().enumerate().skip(usize::from(self.first_piece));
        let mut key = |(id, entity): (usize, &super::state::Entity)| {
            if !program.is_printed(entity.kind) {
                return String::new();
            }
            let print = board.field(id as Value, PIECE_SHEET).unwrap_or(NONE);
            let place = seen.entry(print).and_modify(|place| *place += 1).or_insert(1);
            let sheet = program.prints.print(print).map_or("", |print| print.id.as_str());
            if *place == 1 { sheet.to_string() } else { format!("{sheet}#{place}") }
        };
        self.piece_keys = match program.kinds.iter().enumerate().any(|(kind, _)| program.is_printed(kind as u16)) {
            true => pieces.map(&mut key).collect(),
            false => Vec::new(),
        };
    }

    /// The side an entrant belongs to, and its place there.
    pub fn place_of(&self, entity: u16) -> Option<(usize, usize)> {
        let places = self.entrants.iter().enumerate();
        places.into_iter().find_map(|(side, own)| Some((side, own.iter().position(|entrant| *entrant == entity)?)))
    }

    /// What keys and scenarios call an entrant: its sheet's id, and `otter#2` for the second of that id in the order of
    /// the sides.
    pub fn entrant_key(&self, entity: u16) -> Option<&str> {
        self.keys.iter().find(|(own, _)| *own == entity).map(|(_, key)| key.as_str())
    }

    /// Whether an entity is an entrant of a side that brings several.
    pub fn is_one_of_several(&self, entity: u16) -> bool {
        self.entrants.iter().any(|entrants| entrants.len() > 1 && entrants.contains(&entity))
    }

    /// Whether the names of sides are those of several.
    pub fn are_several(&self, sides: &[usize]) -> bool {
        let named = |side: &usize| self.entrants.get(*side).map_or(1, |entrants| entrants.len().max(1));
        sides.iter().map(named).sum::<usize>() != 1
    }

    /// The entrant of a name in a key.
    pub fn entrant_called(&self, key: &str) -> Option<u16> {
        self.keys.iter().find(|(_, own)| own == key).map(|(entrant, _)| *entrant)
    }

    /// Gives all entrants their keys.
    pub fn name_entrants(&mut self) {
        let entrants = self.entrants.iter().flatten().copied();
        let key = |entrant| match (self.sheet_of(entrant)?, self.place_among_alike(entrant)?) {
            (id, 1) => Some((entrant, id.to_string())),
            (id, place) => Some((entrant, format!("{id}#{place}"))),
        };
        self.keys = entrants.filter_map(key).collect();
    }

    /// From 1: which of the entrants of its sheet it is.
    pub fn place_among_alike(&self, entity: u16) -> Option<usize> {
        let id = self.sheet_of(entity)?;
        let mut alike = self.entrants.iter().flatten().filter(|other| self.sheet_of(**other) == Some(id));
        Some(alike.position(|other| *other == entity)? + 1)
    }

    /// Whether any ability listens to a hook.
    #[inline]
    pub fn hears(&self, hook: HookId) -> bool {
        self.listeners[hook as usize].first().is_some_and(|listeners| !listeners.is_empty())
    }
}

/// An ability on an entrant.
#[derive(Clone, Debug)]
pub struct Instance {
    pub ability: AbilityId,
    pub side: u16,
    pub holder: u16,
    /// The first of its counts in [`State::uses`].
    pub uses: u16,
    /// What the sheet sets for the ability's parameters, or [`NONE`].
    pub settings: Value,
    /// The rules say when it works.
    pub conditional: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct Listener {
    pub clause: u16,
    pub instance: u16,
}

#[derive(Clone, Copy, Debug)]
pub struct Grant {
    pub instance: u16,
    /// Which of the ability's grants.
    pub index: u16,
}

impl Grant {
    /// The action that is granted.
    pub fn action(&self, program: &Program, cast: &Cast) -> ActionId {
        let ability = cast.instances[usize::from(self.instance)].ability;
        program.abilities[usize::from(ability)].grants[usize::from(self.index)].action
    }
}

/// Why the machine stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A question is open, or results of chance are wanted.
    Waiting,
    /// The frames are down to where the run began.
    Done,
    /// Play is over, or something went wrong: see [`Machine::fault`].
    Over,
}

/// State with all that is needed to go on.
#[derive(Clone, Debug)]
pub struct Machine {
    pub state: State,
    /// What play has cost.
    pub meter: Meter,
    pub dice: Dice,
    /// What is asked now.
    pub decisions: Vec<Decision>,
    pub request: Option<RandomRequest>,
    /// The options of the open question, counted; empty after a copy, and made again when wanted.
    pub scratch: Scratch,
    /// An answer just given, for the question on top.
    pub given: Option<(usize, Sealed)>,
    /// Results of chance just given.
    pub supplied: Vec<i64>,
    pub watched: bool,
    /// Play stops at questions that have only one answer where that must not show, so that it is written down.
    pub pauses: bool,
    /// Somebody looks into the open question, so that it must be made out in full.
    pub inspected: bool,
    /// Who hears the words that are being made: what they may not know is not named.
    pub hearing: Option<super::event::Audience>,
    /// What these words are about because somebody is asked to choose it, or has: that is named to them, wherever it lies.
    pub asked_about: Vec<Value>,
    pub untaken: Untaken,
    /// Events up to this number have been announced.
    pub announced: u64,
    pub fault: Option<Box<Problem>>,
    /// How many values that abilities change are being worked out inside each other.
    pub depth: u32,
    /// The outermost script that is running, with its checkpoint and tape.
    pub script: Option<Box<ScriptRun>>,
    pub coverage: Option<Box<super::coverage::Coverage>>,
    /// How often each scope has begun.
    pub begun: Vec<u64>,
    /// While somebody watches: how often each ability in play was used, changed a value or barred a move, by the place of
    /// its owner's in the cast.
    pub effects: Vec<u64>,
    /// Program and cast, for scripts: they run in threads of their own making.
    pub game: Option<Arc<Game>>,
}

/// Options of the open question. A copy starts empty.
#[derive(Debug, Default)]
pub struct Scratch {
    pub ready: bool,
    pub questions: Vec<super::question::Question>,
    /// Questions that wait to be used again.
    pub spare: Vec<super::question::Question>,
    /// What a plain question comes down to.
    pub tally: super::plain::Tally,
    /// A script that is through, for the memory it has.
    pub script: Option<Box<ScriptRun>>,
}

impl Clone for Scratch {
    fn clone(&self) -> Scratch {
        Scratch::default()
    }
}

impl Machine {
    pub fn new(state: State, dice: Dice, watched: bool) -> Machine {
        Machine {
            state,
            meter: Meter::default(),
            dice,
            decisions: Vec::new(),
            request: None,
            scratch: Scratch::default(),
            given: None,
            supplied: Vec::new(),
            watched,
            pauses: false,
            inspected: false,
            hearing: None,
            asked_about: Vec::new(),
            untaken: Untaken::default(),
            announced: 0,
            fault: None,
            depth: 0,
            script: None,
            coverage: None,
            begun: Vec::new(),
            effects: Vec::new(),
            game: None,
        }
    }

    /// A machine without a state, to stand in while a script holds the real one.
    pub fn empty() -> Machine {
        Machine::new(State::empty(), Dice::Seeded, false)
    }

    /// Forgets everything but state and settings, which the caller sets anew.
    pub fn begin_again(&mut self) {
        self.meter = self.meter.of_next_match(self.usage());
        self.decisions.clear();
        self.request = None;
        self.scratch.ready = false;
        self.given = None;
        self.supplied.clear();
        self.untaken.0.clear();
        self.announced = 0;
        self.fault = None;
        self.depth = 0;
        self.script = None;
        self.begun.fill(0);
        self.effects.fill(0);
    }

    /// Runs until a question, the end, or until no more than `floor` frames are left.
    pub fn run(&mut self, rules: Rules, floor: usize) -> Stop {
        let stop = match self.is_seen() {
            true => self.run_steps::<true>(rules, floor),
            false => self.run_steps::<false>(rules, floor),
        };
        if self.fault.is_some() {
            self.place_fault(rules);
        }
        stop
    }

    /// Lets a fault that has no place yet point to where the rules are.
    #[cold]
    fn place_fault(&mut self, rules: Rules) {
        if let Some(fault) = &mut self.fault
            && fault.labels.is_empty()
            && let Some(place) =
                self.state.frames.iter().rev().filter(|frame| frame.runs()).find_map(|frame| rules.program.place(frame.at))
        {
            fault.labels.push((place.span, "here".to_string()));
        }
    }

    fn run_steps<const SEEN: bool>(&mut self, rules: Rules, floor: usize) -> Stop {
        loop {
            if self.fault.is_some() || self.state.finished.is_some() {
                return Stop::Over;
            }
            if self.state.frames.len() <= floor {
                return Stop::Done;
            }
            let Some(frame) = self.state.frames.last() else { return Stop::Done };
            let waiting = match frame.role {
                FrameRole::Window(window) => self.spend(WORK_OF_STEP) && self.window_step(rules, window),
                _ => {
                    let (at, base) = (frame.at, frame.base as usize);
                    self.run_frame::<SEEN>(rules, at, base, floor)
                }
            };
            if waiting {
                return if self.fault.is_some() { Stop::Over } else { Stop::Waiting };
            }
        }
    }

    /// Notes where the frame on top is.
    #[inline]
    pub(super) fn stand_at(&mut self, at: Address) {
        if let Some(frame) = self.state.frames.last_mut() {
            frame.at = at;
        }
    }

    /// Whether somebody looks at every step.
    #[inline]
    pub(super) fn is_seen(&self) -> bool {
        self.watched || self.inspected || self.coverage.is_some()
    }

    /// The address after an instruction, past what is sure to do nothing if nobody looks.
    #[inline]
    pub(super) fn after(&self, rules: Rules, at: Address) -> Address {
        match rules.cast.code.get(at as usize) {
            Some(step) if !self.is_seen() => step.next,
            _ => at + 1,
        }
    }

    /// Lets the frame on top go on at an address.
    #[inline]
    pub fn go_to(&mut self, at: Address) {
        // After a fault play stays where it is, which is where the fault is told.
        if self.fault.is_none()
            && let Some(frame) = self.state.frames.last_mut()
        {
            frame.at = at;
        }
    }

    /// Notes what went wrong; the run ends at the next step. Returns none, so that expressions can go on to it.
    #[cold]
    pub fn fault(&mut self, message: &str) -> Value {
        self.fault_as(crate::codes::FAULT, message)
    }

    /// As [`Machine::fault`], with a code of its own.
    #[cold]
    pub fn fault_as(&mut self, code: &'static str, message: impl Into<String>) -> Value {
        self.fault_with(Problem::error(code, message))
    }

    /// As [`Machine::fault`], with everything that is to be told.
    #[cold]
    pub fn fault_with(&mut self, problem: Problem) -> Value {
        if self.fault.is_none() {
            self.fault = Some(Box::new(problem));
        }
        NONE
    }
}
