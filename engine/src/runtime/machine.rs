//! The machine: runs instructions until the rules must ask, or play is over.

use super::event::Event;
use super::session::{Dice, Game, RandomRequest};
use super::state::{Finish, Frame, FrameRole, NO_SLOT, NOWHERE, Sealed, State};
use crate::problem::Problem;
use crate::program::{AbilityId, Address, Expr, Instruction, NONE, PIECE_SHEET, ProcedureId, Program, Tidy, Value};
use crate::runtime::decision::Decision;
use crate::scripting::ScriptRun;
use std::sync::Arc;

/// The most frames that may be open: procedures, windows and effects inside each other.
const MOST_FRAMES: usize = 200;
/// The most instructions between two questions.
const MOST_STEPS: u32 = 5_000_000;

/// What does not change while a session lasts.
#[derive(Clone, Copy)]
pub struct Rules<'a> {
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
    /// For each address: the next at which something happens, past jumps and hooks that nobody hears.
    pub thread: Vec<Address>,
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
}

impl Cast {
    /// What an entrant's file prints.
    pub fn print_of(&self, program: &Program, entrant: Value) -> Option<Value> {
        let sheet = self.sheet_of(u16::try_from(entrant).ok()?)?;
        program.sheets.get(sheet).map(|sheet| sheet.print)
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

/// What becomes of play after an instruction.
enum Flow {
    /// It goes on at an address of the same frame.
    To(Address),
    /// The frames, or where they stand, have changed.
    Frames,
    /// Something is waited for.
    Wait,
}

/// State with all that is needed to go on.
#[derive(Clone, Debug)]
pub struct Machine {
    pub state: State,
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
    /// Who hears the words that are being made: what they may not know is not named.
    pub hearing: Option<super::event::Audience>,
    pub events: Vec<Event>,
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
            dice,
            decisions: Vec::new(),
            request: None,
            scratch: Scratch::default(),
            given: None,
            supplied: Vec::new(),
            watched,
            hearing: None,
            events: Vec::new(),
            announced: 0,
            fault: None,
            depth: 0,
            script: None,
            coverage: None,
            begun: Vec::new(),
            game: None,
        }
    }

    /// A machine without a state, to stand in while a script holds the real one.
    pub fn empty() -> Machine {
        Machine::new(State::empty(), Dice::Seeded, false)
    }

    /// Forgets everything but state and settings, which the caller sets anew.
    pub fn begin_again(&mut self) {
        self.decisions.clear();
        self.request = None;
        self.scratch.ready = false;
        self.given = None;
        self.supplied.clear();
        self.events.clear();
        self.announced = 0;
        self.fault = None;
        self.depth = 0;
        self.script = None;
        self.begun.fill(0);
    }

    /// Runs until a question, the end, or until no more than `floor` frames are left.
    ///
    /// Inside a script the steps count among the script's operations.
    pub fn run(&mut self, rules: Rules, floor: usize) -> Stop {
        let mut steps = 0;
        let stop = match self.script {
            None => self.run_steps(rules, floor, &mut steps, MOST_STEPS),
            Some(_) => {
                let most = u32::try_from(crate::scripting::left()).unwrap_or(MOST_STEPS).min(MOST_STEPS);
                let stop = self.run_steps(rules, floor, &mut steps, most);
                crate::scripting::spend(u64::from(steps));
                stop
            }
        };
        self.place_fault(rules);
        stop
    }

    /// Lets a fault that has no place yet point to where the rules are.
    fn place_fault(&mut self, rules: Rules) {
        if let Some(fault) = &mut self.fault
            && fault.labels.is_empty()
            && let Some(place) = self
                .state
                .frames
                .iter()
                .rev()
                .filter(|frame| !matches!(frame.role, FrameRole::Window(_)))
                .find_map(|frame| rules.program.place(frame.at))
        {
            fault.labels.push((place.span, "here".to_string()));
        }
    }

    fn run_steps(&mut self, rules: Rules, floor: usize, steps: &mut u32, most: u32) -> Stop {
        loop {
            if self.fault.is_some() || self.state.finished.is_some() {
                return Stop::Over;
            }
            if self.state.frames.len() <= floor {
                return Stop::Done;
            }
            let Some(frame) = self.state.frames.last() else { return Stop::Done };
            let waiting = match frame.role {
                FrameRole::Window(window) => {
                    *steps += 1;
                    if *steps > most {
                        self.run_too_long();
                        return Stop::Over;
                    }
                    self.window_step(rules, window)
                }
                _ if self.is_seen() => self.run_frame::<true>(rules, steps, most),
                _ => self.run_frame::<false>(rules, steps, most),
            };
            if waiting {
                return if self.fault.is_some() { Stop::Over } else { Stop::Waiting };
            }
        }
    }

    #[cold]
    fn run_too_long(&mut self) {
        match self.script {
            Some(_) => self.fault_as(crate::codes::SCRIPT_LIMIT, "the script goes on and on, so it was stopped"),
            None => self.fault_as(crate::codes::STEP_LIMIT, "the rules go round and round without asking anyone"),
        };
    }

    /// Whether somebody looks at every step.
    #[inline]
    fn is_seen(&self) -> bool {
        self.watched || self.coverage.is_some()
    }

    /// Runs the frame on top until frames change, or something is waited for (then true), or play cannot go on.
    fn run_frame<const SEEN: bool>(&mut self, rules: Rules, steps: &mut u32, most: u32) -> bool {
        let Some(frame) = self.state.frames.last() else { return false };
        let (mut at, base) = (frame.at, frame.base as usize);
        loop {
            *steps += 1;
            if *steps > most {
                self.run_too_long();
                return false;
            }
            let Some(instruction) = rules.program.code.get(at as usize) else {
                self.fault("play runs past the end of the rules");
                return false;
            };
            if SEEN && let Some(coverage) = &mut self.coverage {
                coverage.reach(at);
            }
            let next = match self.step::<SEEN>(rules, at, base, instruction) {
                Flow::To(next) => next,
                Flow::Frames => return false,
                Flow::Wait => return true,
            };
            // After a fault play stays where it is, which is where the fault is told.
            if self.fault.is_some() {
                return false;
            }
            at = if SEEN { next } else { rules.cast.thread.get(next as usize).copied().unwrap_or(next) };
            match self.state.frames.last_mut() {
                Some(frame) => frame.at = at,
                None => return false,
            }
        }
    }

    /// Runs one instruction of the top frame.
    #[inline(always)]
    fn step<const SEEN: bool>(&mut self, rules: Rules, at: Address, base: usize, instruction: &Instruction) -> Flow {
        let lists = self.state.lists.len();
        let next = match instruction {
            Instruction::Let { slot, value, list } => {
                let value = self.evaluate(rules, base, value);
                self.set_slot(base, *slot, value);
                if *list {
                    return Flow::To(at + 1);
                }
                at + 1
            }
            Instruction::JumpUnless { condition, to } => {
                let holds = self.holds(rules, base, condition);
                if SEEN && let Some(coverage) = &mut self.coverage {
                    coverage.decide(at, holds);
                }
                if holds { at + 1 } else { *to }
            }
            Instruction::Jump(to) => *to,
            Instruction::EachBegin { list, slot } => {
                let list = self.evaluate(rules, base, list);
                self.set_slot(base, *slot, list);
                self.set_slot(base, slot + 1, 0);
                let length = self.state.lists.len() as Value;
                self.set_slot(base, slot + 2, length);
                return Flow::To(at + 1);
            }
            Instruction::EachNext { slot, variable, end, tidy } => {
                let (list, index) = (self.slot(base, *slot), self.slot(base, slot + 1));
                self.tidy(base, slot + 2, tidy);
                return Flow::To(match self.state.list(list).get(index as usize).copied() {
                    Some(member) => {
                        self.set_slot(base, *variable, member);
                        self.set_slot(base, slot + 1, index + 1);
                        at + 1
                    }
                    None => *end,
                });
            }
            Instruction::RepeatBegin { slot } => {
                self.set_slot(base, *slot, 0);
                self.set_slot(base, slot + 1, lists as Value);
                return Flow::To(at + 1);
            }
            Instruction::RepeatNext { slot, most, end, tidy } => {
                self.tidy(base, slot + 1, tidy);
                let most = self.evaluate(rules, base, most);
                let round = self.slot(base, *slot);
                self.set_slot(base, *slot, round + 1);
                return Flow::To(if round < most { at + 1 } else { *end });
            }
            Instruction::Call { procedure, arguments, result } => {
                self.go_on(rules, at + 1);
                let result = result.unwrap_or(NO_SLOT);
                self.call(rules, base, *procedure, arguments, result);
                return Flow::Frames;
            }
            Instruction::Return { value } => {
                let value = value.as_ref().map(|value| self.evaluate(rules, base, value));
                self.return_from(rules, value);
                return Flow::Frames;
            }
            Instruction::Set { of, field, value, naming } => {
                let of = self.evaluate(rules, base, of);
                let value = self.evaluate(rules, base, value);
                self.set_field(rules, base, of, *field, value, *naming);
                at + 1
            }
            Instruction::MoveOne { piece, to, bottom, naming } => {
                let piece = self.evaluate(rules, base, piece);
                if piece != NONE {
                    let to = self.evaluate(rules, base, to);
                    self.move_piece(rules, base, piece, to, *bottom, *naming);
                }
                at + 1
            }
            Instruction::Ask(ask) => return if self.ask(rules, base, at, ask) { Flow::Wait } else { Flow::Frames },
            Instruction::Move { what, to, bottom, naming } => {
                let list = self.evaluate(rules, base, what);
                if !self.state.list(list).is_empty() {
                    self.move_list(rules, base, list, to, *bottom, *naming);
                }
                at + 1
            }
            Instruction::Roll { what, reason } => {
                let list = self.evaluate(rules, base, what);
                if self.roll(rules, base, list, *reason) {
                    // It begins anew when the results have come.
                    self.state.lists.truncate(lists);
                    return Flow::Wait;
                }
                at + 1
            }
            other => return self.rare_step(rules, at, base, other),
        };
        self.state.lists.truncate(lists);
        Flow::To(next)
    }

    /// The instructions that run seldom.
    #[inline(never)]
    fn rare_step(&mut self, rules: Rules, at: Address, base: usize, instruction: &Instruction) -> Flow {
        let lists = self.state.lists.len();
        match instruction {
            Instruction::Stop { procedure } => self.stop(rules, *procedure),
            Instruction::Open(open) => {
                let arguments = self.arguments(rules, base, &open.arguments);
                if !self.open_window(rules, base, open, &arguments) {
                    return Flow::To(open.arms.last().copied().unwrap_or(open.next));
                }
            }
            Instruction::AskAtOnce(code) => {
                return if self.ask_at_once(rules, base, at, code) { Flow::Wait } else { Flow::Frames };
            }
            Instruction::DoMove { value } => {
                self.go_on(rules, at + 1);
                let chosen = self.evaluate(rules, base, value);
                self.do_move(rules, chosen);
            }
            Instruction::Answer { word } => {
                self.go_on(rules, at + 1);
                self.answer_word(rules, &rules.program.answers[*word as usize]);
            }
            Instruction::Finish { winners, text } => {
                let text = text.map(|text| self.render(rules, base, text));
                let finish = match winners {
                    Some(winners) => {
                        let list = self.evaluate(rules, base, winners);
                        let winners = self.state.list(list).iter().map(|side| *side as u16).collect();
                        Finish { winners, nobody: false, abandoned: false, text }
                    }
                    None => Finish { winners: Vec::new(), nobody: true, abandoned: false, text },
                };
                self.finish(rules, finish);
            }
            Instruction::RollPool { count, size, reason, slot } => {
                let (count, size) = (self.evaluate(rules, base, count), self.evaluate(rules, base, size));
                self.state.lists.truncate(lists);
                let Some(list) = self.roll_pool(rules, base, count, size, *reason) else { return Flow::Wait };
                self.set_slot(base, *slot, list);
                return Flow::To(at + 1);
            }
            Instruction::Draw { count, from, reason, one, slot } => {
                let count = self.evaluate(rules, base, count);
                let list = self.evaluate(rules, base, from);
                let members = self.state.list(list).to_vec();
                self.state.lists.truncate(lists);
                let Some(drawn) = self.draw_members(rules, base, count, members, *reason) else { return Flow::Wait };
                let value = if *one { drawn.first().copied().unwrap_or(NONE) } else { self.push_list(&drawn) };
                self.set_slot(base, *slot, value);
                return Flow::To(at + 1);
            }
            Instruction::CapReached => {
                self.fault("a loop of the rules reached its cap, and the rules do not say what then");
            }
            effect => {
                let waiting = self.effect(rules, base, effect);
                self.state.lists.truncate(lists);
                return if waiting { Flow::Wait } else { Flow::To(at + 1) };
            }
        }
        Flow::Frames
    }

    /// Takes away the lists of the last round of a loop; `length` is the slot that tells how long the arena was.
    #[inline]
    fn tidy(&mut self, base: usize, length: u16, tidy: &Tidy) {
        let length = self.slot(base, length);
        match tidy {
            Tidy::All => self.state.lists.truncate(length as usize),
            Tidy::But(kept) => self.tidy_but(base, length, kept),
            Tidy::Nothing => {}
        }
    }

    #[inline(never)]
    fn tidy_but(&mut self, base: usize, length: Value, kept: &[u16]) {
        let fresh: Vec<(u16, Vec<Value>)> = kept
            .iter()
            .map(|slot| (*slot, self.slot(base, *slot)))
            .filter(|(_, list)| *list >= length)
            .map(|(slot, list)| (slot, self.state.list(list).to_vec()))
            .collect();
        self.state.lists.truncate(length as usize);
        for (slot, members) in fresh {
            let list = self.push_list(&members);
            self.set_slot(base, slot, list);
        }
    }

    /// Goes on at an address, past what is sure to do nothing if nobody looks.
    #[inline]
    pub fn go_on(&mut self, rules: Rules, at: Address) {
        let next = if self.is_seen() { at } else { rules.cast.thread.get(at as usize).copied().unwrap_or(at) };
        self.go_to(next);
    }

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
        if self.fault.is_none() {
            self.fault = Some(Box::new(Problem::error(code, message)));
        }
        NONE
    }

    // --- frames ----------------------------------------------------------------

    /// Opens a frame with so many slots, all none.
    pub fn push_frame(&mut self, role: FrameRole, at: Address, slots: u16) -> usize {
        let base = self.state.slots.len();
        self.state.slots.extend(std::iter::repeat_n(NONE, usize::from(slots)));
        self.open_frame(role, at, base, self.state.lists.len());
        base
    }

    #[inline]
    fn open_frame(&mut self, role: FrameRole, at: Address, base: usize, lists: usize) {
        if self.state.frames.len() >= MOST_FRAMES {
            self.fault("too much happens inside each other: 200 procedures, windows and effects are open");
        }
        self.state.serial += 1;
        self.state.frames.push(Frame { role, at, base: base as u32, lists: lists as u32, serial: self.state.serial });
    }

    fn call(&mut self, rules: Rules, base: usize, procedure: ProcedureId, arguments: &[Expr], result: u16) {
        let (lists, slots) = (self.state.lists.len(), self.state.slots.len());
        let info = &rules.program.procedures[procedure as usize];
        // The arguments go where the slots of the new frame will be.
        self.state.slots.extend(std::iter::repeat_n(NONE, usize::from(info.slots)));
        for (index, argument) in arguments.iter().enumerate() {
            let value = self.evaluate(rules, base, argument);
            self.set_slot(slots, index as u16, value);
        }
        self.open_frame(FrameRole::Procedure { procedure, result }, info.start, slots, lists);
        if info.scope {
            self.begin_scope(rules, procedure, slots);
        }
    }

    /// Starts a procedure.
    pub fn enter(&mut self, rules: Rules, procedure: ProcedureId, values: &[Value], result: u16) {
        let info = &rules.program.procedures[procedure as usize];
        let base = self.push_frame(FrameRole::Procedure { procedure, result }, info.start, info.slots);
        self.state.slots[base..base + values.len()].copy_from_slice(values);
        if info.scope {
            self.begin_scope(rules, procedure, base);
        }
    }

    #[inline]
    fn begin_scope(&mut self, rules: Rules, procedure: ProcedureId, base: usize) {
        match self.begun.get_mut(procedure as usize) {
            Some(begun) => *begun += 1,
            None => {
                self.begun.resize(rules.program.procedures.len(), 0);
                self.begun[procedure as usize] += 1;
            }
        }
        if self.watched {
            self.scope_began(rules, procedure, base);
        }
    }

    /// Ends the top frame and hands its value to its caller.
    fn return_from(&mut self, rules: Rules, value: Option<Value>) {
        let Some(frame) = self.state.frames.last().copied() else { return };
        let Some(mut value) = value else {
            self.pop_frame(rules);
            self.state.lists.truncate(frame.lists as usize);
            return;
        };
        let FrameRole::Procedure { procedure, result } = frame.role else { return self.return_from(rules, None) };
        if result == NO_SLOT {
            return self.return_from(rules, None);
        }
        let mut kept = frame.lists as usize;
        if rules.program.procedures[procedure as usize].gives.is_list() {
            let members = self.state.list(value).to_vec();
            self.state.lists.truncate(kept);
            value = self.push_list(&members);
            kept = self.state.lists.len();
        }
        self.pop_frame(rules);
        self.state.lists.truncate(kept);
        if let Some(caller) = self.state.frames.last() {
            let base = caller.base as usize;
            self.set_slot(base, result, value);
        }
    }

    /// Ends the top frame: what lasted until its end stops.
    #[inline]
    pub fn pop_frame(&mut self, rules: Rules) {
        let Some(frame) = self.state.frames.pop() else { return };
        match frame.role {
            FrameRole::Procedure { procedure, .. } => {
                let ends = self.watched || !self.state.lasting.is_empty();
                if ends && rules.program.procedures[procedure as usize].scope {
                    self.scope_ended(rules, procedure, &frame);
                }
                self.state.slots.truncate(frame.base as usize);
            }
            FrameRole::AfterUse => {}
            FrameRole::Move { .. } | FrameRole::Clause { .. } | FrameRole::Window(_) => {
                self.state.slots.truncate(frame.base as usize);
                self.state.lists.truncate(frame.lists as usize);
            }
        }
    }

    /// Ends the innermost run of a procedure and everything inside it.
    pub fn stop(&mut self, rules: Rules, procedure: ProcedureId) {
        let runs = |frame: &Frame| matches!(frame.role, FrameRole::Procedure { procedure: p, .. } if p == procedure);
        if !self.state.frames.iter().any(runs) {
            let name = &rules.program.procedures[procedure as usize].name;
            self.fault(&format!("`{name}` is to stop, but it is not running"));
            return;
        }
        while let Some(frame) = self.state.frames.last().copied() {
            self.pop_frame(rules);
            self.state.lists.truncate(frame.lists as usize);
            if runs(&frame) {
                return;
            }
        }
    }

    /// The ability on whose behalf things happen now.
    pub fn acting_instance(&self) -> u16 {
        if let Some(script) = &self.script
            && let Some(instance) = script.acting()
        {
            return instance;
        }
        self.state
            .frames
            .iter()
            .rev()
            .find_map(|frame| match frame.role {
                FrameRole::Clause { instance } | FrameRole::Move { instance } => Some(instance),
                _ => None,
            })
            .unwrap_or(NOWHERE)
    }

    /// Carries out the `do` of a chosen move.
    pub fn do_move(&mut self, rules: Rules, chosen: Value) {
        let Some(&action) = self.state.lists.get(chosen as usize) else {
            self.fault("a move is to be carried out, but none was chosen");
            return;
        };
        let info = &rules.program.actions[action as usize];
        let Some(body) = info.body else { return };
        let start = chosen as usize + 2 + info.fields.len();
        let length = info.context as usize + info.roles.len();
        let instance = self.state.lists.get(chosen as usize + 1).copied().unwrap_or(NONE);
        let instance = if instance == NONE { NOWHERE } else { instance as u16 };
        let base = self.push_frame(FrameRole::Move { instance }, body, info.slots);
        for index in 0..length {
            let value = self.state.lists.get(start + index).copied().unwrap_or(NONE);
            self.set_slot(base, index as u16, value);
        }
    }
}
