//! Notes, before each instruction, from whom what it leaves behind is hidden: [`Derived`] keeps it for looking ahead.
//!
//! What follows from a value is followed through variables, parameters, lists and fields. So is what may be set because of it, once
//! all ways from there have met again; before, whoever is asked there sees where play stands. What all are told of is no secret any
//! more.

use crate::program::flow::{between, def_use, reachable};
use crate::program::{
    Address, AskCode, AskCodeWhat, CreateCode, Expr, Instruction, KindId, Program, Seen, Slot, TextId, TextPart, Value,
};
use crate::runtime::context::Listener;
use crate::runtime::eval::hidden_from::{Branch, Derived};
use crate::runtime::flow::{Machine, PlayContext};
use crate::runtime::seats::Seats;
use crate::runtime::state::{EntityId, FrameRole, NO_SLOT};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Following an instruction of a branch costs so much, about.
const WORK_OF_INSTRUCTION: usize = 20;

impl Machine {
    /// Notes what an instruction is about to do. What it hands on is noted when there is something to hand it to.
    #[inline(never)]
    pub(super) fn derive(&mut self, context: &PlayContext, base: usize, at: Address, instruction: &Instruction) {
        if self.derived.as_ref().is_none_or(|derived| derived.is_lost()) {
            return;
        }
        let nothing = Seats::default();
        self.leave_branches(context);
        match instruction {
            Instruction::Let { slot, value, .. }
            | Instruction::EachBegin { slot, list: value }
            | Instruction::MoveEach { variable: slot, list: value, .. } => {
                let from = self.from(context, base, &[value]);
                self.derive_slot(base, *slot, from);
            }
            Instruction::Set { of, field, value, .. } | Instruction::SetList { of, field, value, .. } => {
                let from = self.from(context, base, &[of, value]);
                self.derive_field(context, base, of, *field, from, nothing);
            }
            Instruction::Add { of, field, value, .. } => {
                let from = self.from(context, base, &[of, value]);
                self.derive_field(context, base, of, *field, from, Seats::all(context.roster.sides));
            }
            Instruction::EachNext { slot, variable, .. } => {
                let from = self.from(context, base, &[&Expr::Local(*slot)]);
                self.derive_slot(base, *variable, from);
                self.derive_branch(context, base, at, &Expr::Local(*slot));
            }
            Instruction::JumpUnless { condition: by, .. } | Instruction::RepeatNext { most: by, .. } => {
                self.derive_branch(context, base, at, by);
            }
            Instruction::RepeatBegin { slot } => self.derive_slot(base, *slot, nothing),
            Instruction::Draw { slot, count, from, .. } | Instruction::RollPool { slot, count, size: from, .. } => {
                let from = self.from(context, base, &[count, from]);
                self.derive_slot(base, *slot, from);
            }
            Instruction::Write { slot, text } => {
                let from = self.text_from(context, base, *text);
                self.derive_slot(base, *slot, from);
            }
            Instruction::Create(code) => self.derive_created(context, base, code),
            Instruction::Call { arguments, result, .. } => {
                result.iter().for_each(|slot| self.derive_slot(base, *slot, nothing));
                self.hand_on(context, base, arguments);
            }
            Instruction::Open(code) => self.hand_on(context, base, &code.arguments),
            Instruction::DoMove { value } => self.hand_on(context, base, std::slice::from_ref(value)),
            Instruction::Return { value: Some(value) } => {
                let from = self.from(context, base, &[value]);
                self.derive_result(from);
            }
            Instruction::Ask(ask) => self.derive_answer(context, base, ask),
            Instruction::AskAtOnce(code) => {
                self.derive_answer(context, base, &code.ask);
                let from = self.from(context, base, &[&code.set]);
                self.derive_slot(base, code.members, from);
                self.derive_slot(base, code.variable, from);
            }
            // They leave no value behind, or one that all are told.
            Instruction::Move { .. }
            | Instruction::MoveOne { .. }
            | Instruction::Roll { .. }
            | Instruction::Shuffle { .. }
            | Instruction::Show { .. }
            | Instruction::Remove { .. }
            | Instruction::RemoveSides { .. }
            | Instruction::Mark(_)
            | Instruction::Unmark { .. }
            | Instruction::Jump(_)
            | Instruction::Return { value: None }
            | Instruction::Stop { .. }
            | Instruction::Say { .. }
            | Instruction::Debug { .. }
            | Instruction::Finish(_)
            | Instruction::Answer { .. }
            | Instruction::RestoreUses { .. }
            | Instruction::CapReached
            | Instruction::NothingToChoose { .. } => {}
        }
    }

    /// Another answer begins.
    pub(crate) fn begin_deriving(&mut self) {
        self.note(Derived::begin_answer);
    }

    /// Lets what is called begin with what was handed on to it.
    pub(super) fn receive(&mut self) {
        let base = self.state.frames.last().map_or(0, |frame| frame.base as usize);
        self.note(|derived| {
            let handed_on = std::mem::take(&mut derived.handed_on);
            handed_on.into_iter().enumerate().for_each(|(slot, from)| derived.set_slot(base + slot, from));
        });
    }

    /// The same for the `do` of a move, all that it begins with being made from one value.
    pub(super) fn receive_move(&mut self) {
        let base = self.state.frames.last().map_or(0, |frame| frame.base as usize);
        let end = self.state.slots.len();
        self.note(|derived| {
            let from = derived.handed_on.drain(..).fold(Seats::default(), Seats::or);
            (base..end).for_each(|place| derived.set_slot(place, from));
        });
    }

    /// Lets what an ability does begin with what its hook was opened with.
    pub(super) fn receive_from_hook(&mut self) {
        if self.derived.is_none() {
            return;
        }
        let mut frames = self.state.frames.iter().rev();
        let Some(base) = frames.next().map(|frame| frame.base as usize) else { return };
        let window = frames.find(|frame| matches!(frame.role, FrameRole::Window(_))).map(|frame| frame.base as usize);
        let Some(window) = window else { return };
        self.note(|derived| {
            let of_window = derived.slots.range(window..base).map(|(place, from)| (place - window, *from));
            let of_window: Vec<(usize, Seats)> = of_window.collect();
            of_window.into_iter().for_each(|(slot, from)| derived.set_slot(base + slot, from));
        });
    }

    /// A clause is about to begin at the hook whose window is on top, or is passed over. From some it may be hidden which of both.
    pub(super) fn derive_clause(&mut self, context: &PlayContext, listener: Listener, bound: &[Value]) {
        let Some(derived) = self.derived.as_ref().filter(|derived| !derived.is_lost()) else { return };
        let clause = &context.program.clauses[usize::from(listener.clause)];
        let Some(start) = clause.body.start().filter(|_| !clause.guard.is_empty()) else { return };
        let base = self.state.frames.last().map_or(0, |frame| frame.base as usize);
        let of_slot = |slot: usize| derived.slots.get(&(base + slot)).copied().unwrap_or_default();
        let known: Vec<Seats> = (0..context.program.hooks[usize::from(clause.hook)].params.len()).map(of_slot).collect();
        let (from, pieces) = self.guards_depend_on(context, &clause.guard, clause.slots, bound, &known);
        if from == Seats::default() && pieces.is_empty() {
            return;
        }
        let program = context.program;
        // It is a frame of its own, in which all is done because of it.
        let instructions: BTreeSet<Address> = reachable(program, &[start]).into_iter().collect();
        let fields = self.set_by(context, &instructions, None);
        let (frame, serial, instructions) = (self.state.frames.len(), self.state.serial + 1, Arc::new(instructions));
        self.note(|derived| {
            let slots = Vec::new();
            derived.branches.push(Branch { frame, serial, at: start, instructions, from, pieces, slots, fields });
        });
    }

    /// From whom something is hidden that is made of all of these.
    fn from(&mut self, context: &PlayContext, base: usize, exprs: &[&Expr]) -> Seats {
        self.hidden_from(context, base, exprs).into_iter().fold(Seats::default(), Seats::or)
    }

    fn text_from(&mut self, context: &PlayContext, base: usize, text: TextId) -> Seats {
        let parts = context.program.texts.get(text as usize).map_or(&[][..], Vec::as_slice);
        parts.iter().fold(Seats::default(), |found, part| {
            found.or(match part {
                TextPart::Words(_) => Seats::default(),
                TextPart::Hole(expr, _) | TextPart::Written(expr) => self.from(context, base, &[expr]),
                TextPart::Choice { condition, yes, no } => {
                    let condition = self.from(context, base, &[condition]);
                    condition.or(self.text_from(context, base, *yes)).or(self.text_from(context, base, *no))
                }
            })
        })
    }

    fn hand_on(&mut self, context: &PlayContext, base: usize, values: &[Expr]) {
        let exprs: Vec<&Expr> = values.iter().collect();
        let from = self.hidden_from(context, base, &exprs);
        self.note(|derived| derived.handed_on = from);
    }

    /// Hides what has been done on ways that have met again.
    pub(crate) fn leave_branches(&mut self, context: &PlayContext) {
        if self.derived.as_ref().is_none_or(|derived| derived.branches.is_empty()) {
            return;
        }
        let frames = std::mem::take(&mut self.state.frames);
        let mut left = Vec::new();
        self.note(|derived| left.extend(derived.branches.extract_if(.., |branch| !branch.goes_on(&frames))));
        for branch in left {
            let of_pieces = branch.pieces.iter().map(|piece| self.piece_hidden_from(context, *piece));
            let from = of_pieces.fold(branch.from, Seats::or);
            let is_there = frames.get(branch.frame).is_some_and(|frame| frame.serial == branch.serial);
            if from != Seats::default() {
                self.note(|derived| {
                    derived.hide_slots(if is_there { branch.slots } else { Vec::new() }, from);
                    derived.hide_fields(branch.fields, from);
                });
            }
        }
        self.state.frames = frames;
    }

    /// If which way is taken here is hidden from some, so is whatever may be set before all ways meet again, whether it is or not.
    fn derive_branch(&mut self, context: &PlayContext, base: usize, at: Address, by: &Expr) {
        let (from, pieces) = self.depends_on(context, base, by);
        if from == Seats::default() && pieces.is_empty() {
            return;
        }
        let Some(serial) = self.state.frames.last().map(|frame| frame.serial) else { return };
        let frame = self.state.frames.len() - 1;
        let mut is_known = false;
        self.note(|derived| {
            let same = |branch: &&mut Branch| (branch.frame, branch.serial, branch.at) == (frame, serial, at);
            if let Some(known) = derived.branches.iter_mut().find(same) {
                known.from = known.from.or(from);
                known.pieces.extend(&pieces);
                is_known = true;
            }
        });
        if is_known {
            return;
        }
        let program = context.program;
        let instructions = Arc::new(between(program, at, program.join(at)));
        let written: BTreeSet<Slot> = instructions.iter().flat_map(|at| def_use(program, *at).writes).collect();
        let fields = self.set_by(context, &instructions, Some((base, &written)));
        let slots = written.into_iter().map(|slot| base + usize::from(slot)).collect();
        self.note(|derived| {
            derived.work += (instructions.len() * WORK_OF_INSTRUCTION + fields.len()) as u64;
            derived.branches.push(Branch { frame, serial, at, instructions, from, pieces, slots, fields });
        });
    }

    /// The fields that rules keep for themselves and that some instructions may set. Of which things is known in the frame on top,
    /// with its base, where that does not depend on the slots that they fill.
    fn set_by(
        &mut self,
        context: &PlayContext,
        instructions: &BTreeSet<Address>,
        frame: Option<(usize, &BTreeSet<Slot>)>,
    ) -> BTreeSet<(EntityId, u16)> {
        let program = context.program;
        let mut found = BTreeSet::new();
        let mut any = BTreeSet::new();
        for at in instructions {
            let (Instruction::Set { of, field, .. }
            | Instruction::SetList { of, field, .. }
            | Instruction::Add { of, field, .. }) = &program.code[*at as usize]
            else {
                continue;
            };
            match frame {
                Some((base, filled)) if of.slots().iter().all(|slot| !filled.contains(slot)) => {
                    let of = self.peek(context, base, of);
                    found.extend(EntityId::try_from(of).ok().map(|of| (of, *field)));
                }
                _ => any.extend([*field]),
            }
        }
        let entities = 0..self.state.board.entities.len() as EntityId;
        found.extend(entities.flat_map(|entity| any.iter().map(move |field| (entity, *field))));
        found.retain(|(entity, field)| {
            let kind = self.state.board.entities.get(usize::from(*entity)).map(|found| found.kind);
            kind.is_some_and(|kind| keeps(program, kind, *field))
        });
        found
    }

    fn derive_slot(&mut self, base: usize, slot: Slot, from: Seats) {
        self.note(|derived| derived.set_slot(base + usize::from(slot), from));
    }

    /// A field that the rules keep for themselves. What is added to hides what it hid before from those of `still`.
    fn derive_field(&mut self, context: &PlayContext, base: usize, of: &Expr, field: u16, from: Seats, still: Seats) {
        let of = self.peek(context, base, of);
        let Some(kind) = self.state.board.entity(of).map(|found| found.kind) else { return };
        if let Some(entity) = EntityId::try_from(of).ok().filter(|_| keeps(context.program, kind, field)) {
            self.note(|derived| {
                let before = derived.fields.get(&(entity, field)).copied().unwrap_or_default();
                derived.set_field(entity, field, from.or(before.and(still)));
            });
        }
    }

    /// A new piece comes behind all others.
    fn derive_created(&mut self, context: &PlayContext, base: usize, code: &CreateCode) {
        let entity = self.state.board.entities.len() as EntityId;
        for (field, value) in code.fields.iter().filter(|(field, _)| keeps(context.program, code.kind, *field)) {
            let from = self.from(context, base, &[value]);
            self.note(|derived| derived.set_field(entity, *field, from));
        }
        code.slot.iter().for_each(|slot| self.derive_slot(base, *slot, Seats::default()));
    }

    /// What a procedure gives goes to whoever has called it.
    fn derive_result(&mut self, from: Seats) {
        let mut frames = self.state.frames.iter().rev();
        let Some(FrameRole::Procedure { result, .. }) = frames.next().map(|frame| frame.role) else { return };
        let caller = frames.next().filter(|_| result != NO_SLOT).map(|frame| frame.base as usize);
        caller.into_iter().for_each(|base| self.derive_slot(base, result, from));
    }

    /// What somebody answers follows from nothing, and is told to all; unless it goes into a field that not all may read.
    fn derive_answer(&mut self, context: &PlayContext, base: usize, ask: &AskCode) {
        let from = match ask.private {
            true => {
                let who = self.peek(context, base, &ask.who);
                let asked = self.owner(context, who).map_or(Seats::default(), Seats::only);
                Seats::all(context.roster.sides).without(asked)
            }
            false => Seats::default(),
        };
        self.derive_slot(base, ask.slot, from);
        if let AskCodeWhat::Divide(divide) = &ask.what {
            self.derive_slot(base, divide.receivers, from);
        }
    }

    fn note(&mut self, note: impl FnOnce(&mut Derived)) {
        if let Some(derived) = &mut self.derived {
            note(Arc::make_mut(derived));
        }
    }
}

/// Whether a field is the rules' own business.
fn keeps(program: &Program, kind: KindId, field: u16) -> bool {
    let info = program.kind(kind).fields.get(usize::from(field));
    info.is_some_and(|info| info.seen == Seen::All) && !program.is_told(kind, field)
}
