//! Tracks taint, for looking ahead: before each instruction, [`Taints`] gets the seats that cannot know the values that it
//! stores.
//!
//! Taint is followed through variables, parameters, lists and fields. After a branch on a tainted condition, everything that may
//! have been set is tainted. Before its paths meet, the position of play is not. Public values are never tainted.
//! A variable `from` holds the seats that cannot know a value. A *kept* field is internal to the rules, neither private nor
//! shown: among the fields of existing things, only these are tainted. A *branch* is a jump on a tainted condition, until its
//! paths meet again. Taint is tracked only in watched games with hidden information; copies to look ahead draw tainted values
//! again (`redeal.rs`).

use crate::runtime::context::Listener;
use crate::runtime::eval::taint::{Branch, Taints};
use crate::runtime::flow::{Machine, PlayContext};
use crate::runtime::seats::Seats;
use crate::runtime::state::{EntityId, FrameRole, NO_SLOT};
use ludex_program::flow::{addresses_between, def_use, reachable_addresses};
use ludex_program::sets::FieldsAndMarks;
use ludex_program::{
    Address, AskCode, AskCodeWhat, CreateCode, Expr, Instruction, KindId, KindSort, Program, RoleAmount, Slot, Value, Visibility,
};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The approximate work of following an instruction of a branch.
const WORK_OF_INSTRUCTION: usize = 20;

impl Machine {
    /// Tracks an instruction that is about to run. The taint of arguments is set once the called frame exists.
    #[inline(never)]
    pub(super) fn track_instruction(&mut self, context: &PlayContext, base: usize, at: Address, instruction: &Instruction) {
        if self.taints.as_ref().is_none_or(|taints| taints.is_lost()) {
            return;
        }
        let nothing = Seats::default();
        self.leave_branches(context);
        match instruction {
            Instruction::Let { list: true, slot, value } | Instruction::EachBegin { slot, list: value } => {
                let from = self.taint_of(context, base, &[value]);
                let length = self.taint_of_length(context, base, value);
                self.taint_slot(base, *slot, from);
                self.update_taints(|taints| taints.set_length_of_slot(base + usize::from(*slot), length));
            }
            Instruction::Let { list: false, slot, value } | Instruction::MoveEach { variable: slot, list: value, .. } => {
                let from = self.taint_of(context, base, &[value]);
                self.taint_slot(base, *slot, from);
            }
            Instruction::Set { of, field, value, .. } => {
                let from = self.taint_of(context, base, &[of, value]);
                let of = self.peek_value(context, base, of);
                self.taint_field(context, of, *field, from, nothing);
                // A value that some seats cannot know may differ among the pieces that they cannot see.
                let known = Some(value).filter(|_| from == nothing);
                self.taint_unseen(context, base, of, *field, known);
            }
            Instruction::SetList { of, field, value, .. } => {
                let from = self.taint_of(context, base, &[of, value]);
                let length = self.taint_of(context, base, &[of]).union_with(self.taint_of_length(context, base, value));
                let of = self.peek_value(context, base, of);
                self.taint_field(context, of, *field, from, nothing);
                self.taint_unseen(context, base, of, *field, None);
                if let Ok(entity) = EntityId::try_from(of) {
                    self.update_taints(|taints| taints.set_length(entity, *field, length));
                }
            }
            Instruction::Add { of, field, value, .. } => {
                let from = self.taint_of(context, base, &[of, value]);
                let of = self.peek_value(context, base, of);
                self.taint_field(context, of, *field, from, Seats::for_everyone(context.roster.sides));
                self.taint_unseen(context, base, of, *field, None);
            }
            Instruction::EachNext { slot, variable, .. } => {
                let from = self.taint_of(context, base, &[&Expr::Local(*slot)]);
                self.taint_slot(base, *variable, from);
                self.track_branch(context, base, at, &Expr::Local(*slot));
            }
            Instruction::JumpUnless { condition: by, .. } | Instruction::RepeatNext { most: by, .. } => {
                self.track_branch(context, base, at, by);
            }
            Instruction::RepeatBegin { slot } => self.taint_slot(base, *slot, nothing),
            Instruction::Draw { slot, count, from, .. } | Instruction::RollPool { slot, count, size: from, .. } => {
                let length = self.taint_of(context, base, &[count]).union_with(self.taint_of_length(context, base, from));
                let from = self.taint_of(context, base, &[count, from]);
                self.taint_slot(base, *slot, from);
                self.update_taints(|taints| taints.set_length_of_slot(base + usize::from(*slot), length));
            }
            Instruction::Write { slot, text } => {
                let from = self.taint_of(context, base, &context.program.text_expressions(*text));
                self.taint_slot(base, *slot, from);
            }
            Instruction::Mark(code) => {
                let fields = code.fields.iter().map(|(_, value)| value);
                let exprs: Vec<&Expr> = std::iter::once(&code.what).chain(fields).collect();
                self.taint_mark(context, base, code.mark, &code.what, &exprs);
            }
            Instruction::Unmark { what, mark } if self.may_lose(context, *mark) => {
                self.taint_mark(context, base, *mark, what, &[what]);
            }
            Instruction::Create(code) => self.taint_created(context, base, code),
            Instruction::Call { arguments, result, .. } => {
                result.iter().for_each(|slot| self.taint_slot(base, *slot, nothing));
                self.taint_arguments(context, base, arguments);
            }
            Instruction::Open(code) => self.taint_arguments(context, base, &code.arguments),
            Instruction::DoMove { value } => self.taint_arguments(context, base, std::slice::from_ref(value)),
            Instruction::Return { value: Some(value) } => {
                let from = self.taint_of(context, base, &[value]);
                self.taint_result(from);
            }
            Instruction::Ask(ask) => self.taint_answer(context, base, ask),
            Instruction::AskAtOnce(code) => {
                self.taint_answer(context, base, &code.ask);
                let from = self.taint_of(context, base, &[&code.set]);
                self.taint_slot(base, code.members, from);
                self.taint_slot(base, code.variable, from);
            }
            // They store no value, or a public one.
            Instruction::Move { .. }
            | Instruction::MoveOne { .. }
            | Instruction::Roll { .. }
            | Instruction::Shuffle { .. }
            | Instruction::Show { .. }
            | Instruction::Remove { .. }
            | Instruction::Unmark { .. }
            | Instruction::RemoveSides { .. }
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

    /// Starts the work of another answer.
    pub(crate) fn begin_tracking(&mut self) {
        self.update_taints(Taints::begin_answer);
    }

    /// Taints the parameters of the top frame like the arguments of its call.
    pub(super) fn taint_parameters(&mut self) {
        let base = self.state.frames.last().map_or(0, |frame| frame.base as usize);
        self.update_taints(|taints| {
            let arguments = std::mem::take(&mut taints.arguments);
            arguments.into_iter().enumerate().for_each(|(slot, from)| taints.set_slot(base + slot, from));
        });
    }

    /// Taints the first slots of a move's `do` like the move.
    pub(super) fn taint_move_parameters(&mut self) {
        let base = self.state.frames.last().map_or(0, |frame| frame.base as usize);
        let end = self.state.slots.len();
        self.update_taints(|taints| {
            let from = taints.arguments.drain(..).fold(Seats::default(), Seats::union_with);
            (base..end).for_each(|place| taints.set_slot(place, from));
        });
    }

    /// Taints the parameters of a clause like those of its hook.
    pub(super) fn taint_hook_parameters(&mut self) {
        if self.taints.is_none() {
            return;
        }
        let mut frames = self.state.frames.iter().rev();
        let Some(base) = frames.next().map(|frame| frame.base as usize) else { return };
        let window = frames.find(|frame| matches!(frame.role, FrameRole::Window(_))).map(|frame| frame.base as usize);
        let Some(window) = window else { return };
        self.update_taints(|taints| {
            let of_window = taints.slots.range(window..base).map(|(place, from)| (place - window, *from));
            let of_window: Vec<(usize, Seats)> = of_window.collect();
            of_window.into_iter().for_each(|(slot, from)| taints.set_slot(base + slot, from));
        });
    }

    /// Tracks a clause that is about to run or to be skipped at the hook of the top window.
    pub(super) fn track_clause(&mut self, context: &PlayContext, listener: Listener, bound: &[Value]) {
        let Some(taints) = self.taints.as_ref().filter(|taints| !taints.is_lost()) else { return };
        let clause = &context.program.clauses[usize::from(listener.clause)];
        let Some(start) = clause.body.start_address().filter(|_| !clause.guard.is_empty()) else { return };
        let base = self.state.frames.last().map_or(0, |frame| frame.base as usize);
        let of_slot = |slot: usize| taints.slots.get(&(base + slot)).copied().unwrap_or_default();
        let known: Vec<Seats> = (0..context.program.hooks[usize::from(clause.hook)].params.len()).map(of_slot).collect();
        let (from, pieces) = self.guards_depend_on(context, &clause.guard, clause.slots, bound, &known);
        if from == Seats::default() && pieces.is_empty() {
            return;
        }
        let program = context.program;
        // It runs in its own frame, all of which depends on its conditions.
        let instructions: BTreeSet<Address> = reachable_addresses(program, &[start]).into_iter().collect();
        let (fields, marks) = self.set_by_instructions(context, &instructions, None);
        let (frame, serial, instructions) = (self.state.frames.len(), self.state.serial + 1, Arc::new(instructions));
        self.update_taints(|taints| {
            let slots = Vec::new();
            taints.branches.push(Branch { frame, serial, at: start, instructions, from, pieces, slots, fields, marks });
        });
    }

    /// The combined taint of all these expressions.
    fn taint_of(&mut self, context: &PlayContext, base: usize, exprs: &[&Expr]) -> Seats {
        self.taints_of(context, base, exprs).into_iter().fold(Seats::default(), Seats::union_with)
    }

    /// Keeps the taint of arguments until the called frame exists, see `taint_parameters`.
    fn taint_arguments(&mut self, context: &PlayContext, base: usize, values: &[Expr]) {
        let exprs: Vec<&Expr> = values.iter().collect();
        let from = self.taints_of(context, base, &exprs);
        self.update_taints(|taints| taints.arguments = from);
    }

    /// Taints everything that was set on paths that have met again.
    pub(crate) fn leave_branches(&mut self, context: &PlayContext) {
        if self.taints.as_ref().is_none_or(|taints| taints.branches.is_empty()) {
            return;
        }
        let frames = std::mem::take(&mut self.state.frames);
        let mut left = Vec::new();
        self.update_taints(|taints| left.extend(taints.branches.extract_if(.., |branch| !branch.goes_on(&frames))));
        for branch in left {
            let of_pieces = branch.pieces.iter().map(|piece| self.piece_unseen_by(context, *piece));
            let from = of_pieces.fold(branch.from, Seats::union_with);
            let is_there = frames.get(branch.frame).is_some_and(|frame| frame.serial == branch.serial);
            if from != Seats::default() {
                self.update_taints(|taints| {
                    taints.hide_slots(if is_there { branch.slots } else { Vec::new() }, from);
                    taints.hide_fields(branch.fields, from);
                    taints.hide_marks(branch.marks, from);
                });
            }
        }
        self.state.frames = frames;
    }

    /// Tracks a branch, if its condition is tainted. `at` is the address of the jump, and `by` the condition.
    fn track_branch(&mut self, context: &PlayContext, base: usize, at: Address, by: &Expr) {
        let (from, pieces) = self.depends_on(context, base, by);
        if from == Seats::default() && pieces.is_empty() {
            return;
        }
        let Some(serial) = self.state.frames.last().map(|frame| frame.serial) else { return };
        let frame = self.state.frames.len() - 1;
        let mut is_known = false;
        self.update_taints(|taints| {
            let same = |branch: &&mut Branch| (branch.frame, branch.serial, branch.at) == (frame, serial, at);
            if let Some(known) = taints.branches.iter_mut().find(same) {
                known.from = known.from.union_with(from);
                known.pieces.extend(&pieces);
                is_known = true;
            }
        });
        if is_known {
            return;
        }
        let program = context.program;
        let instructions = Arc::new(addresses_between(program, at, program.join_address(at)));
        let written: BTreeSet<Slot> = instructions.iter().flat_map(|at| def_use(program, *at).writes).collect();
        let (fields, marks) = self.set_by_instructions(context, &instructions, Some((base, &written)));
        let slots = written.into_iter().map(|slot| base + usize::from(slot)).collect();
        self.update_taints(|taints| {
            taints.work += (instructions.len() * WORK_OF_INSTRUCTION + fields.len()) as u64;
            taints.branches.push(Branch { frame, serial, at, instructions, from, pieces, slots, fields, marks });
        });
    }

    /// The kept fields and marks that some instructions may set, including anything they call. In the top frame, given with its
    /// base, the entity is known unless it depends on slots that the instructions fill. Otherwise it may be any of its kind.
    fn set_by_instructions(
        &mut self,
        context: &PlayContext,
        instructions: &BTreeSet<Address>,
        frame: Option<(usize, &BTreeSet<Slot>)>,
    ) -> (BTreeSet<(EntityId, u16)>, BTreeSet<u16>) {
        let program = context.program;
        let mut found = BTreeSet::new();
        let FieldsAndMarks { fields: elsewhere, mut marks } = program.set_in_calls(instructions);
        let mut any = BTreeSet::new();
        for at in instructions {
            let of = match &program.code[*at as usize] {
                Instruction::Set { of, field, .. }
                | Instruction::SetList { of, field, .. }
                | Instruction::Add { of, field, .. } => Some((of, *field)),
                _ => None,
            };
            match (of, frame) {
                (Some((of, field)), Some((base, filled))) if of.unbound_slots().iter().all(|slot| !filled.contains(slot)) => {
                    let of = self.peek_value(context, base, of);
                    found.extend(EntityId::try_from(of).ok().map(|of| (of, field)));
                }
                _ => {
                    let sets = FieldsAndMarks::from_instruction(program, *at);
                    any.extend(sets.fields);
                    marks.extend(sets.marks);
                }
            }
        }
        marks.retain(|mark| !program.marks[usize::from(*mark)].is_public());
        let board = &self.state.board;
        found.retain(|(entity, field)| {
            board.entities.get(usize::from(*entity)).is_some_and(|of| is_internal_field(program, of.kind, *field))
        });
        for (entity, info) in board.entities.iter().enumerate() {
            let of_kind = (info.kind, 0)..=(info.kind, u16::MAX);
            // Fields of pieces are left out: a copy in which they could all have any value would show little of the game.
            let is_piece = program.kind(info.kind).sort == KindSort::Piece;
            let elsewhere = elsewhere.range(of_kind.clone()).filter(|_| !is_piece);
            let fields = any.range(of_kind).chain(elsewhere).filter(|(kind, field)| is_internal_field(program, *kind, *field));
            found.extend(fields.map(|(_, field)| (entity as EntityId, *field)));
        }
        (found, marks)
    }

    /// Sets the taint of a slot of the frame at `base`.
    fn taint_slot(&mut self, base: usize, slot: Slot, from: Seats) {
        self.update_taints(|taints| taints.set_slot(base + usize::from(slot), from));
    }

    /// Taints a kept field. For the seats of `still`, it also keeps the taint that it had.
    fn taint_field(&mut self, context: &PlayContext, of: Value, field: u16, from: Seats, still: Seats) {
        let Some(kind) = self.state.board.entity(of).map(|found| found.kind) else { return };
        if let Some(entity) = EntityId::try_from(of).ok().filter(|_| is_internal_field(context.program, kind, field)) {
            self.update_taints(|taints| {
                let before = taints.fields.get(&(entity, field)).copied().unwrap_or_default();
                taints.set_field(entity, field, from.union_with(before.intersect_with(still)));
            });
        }
    }

    /// Taints a kept field of pieces that some seats cannot see, because these do not know which piece has this value. `value` is
    /// `None` if the value is not known before it is set.
    fn taint_unseen(&mut self, context: &PlayContext, base: usize, of: Value, field: u16, value: Option<&Expr>) {
        let unseen = self.unseen_by(context, of);
        let Some(kind) = self.state.board.entity(of).map(|found| found.kind) else { return };
        if unseen == Seats::default() || !is_internal_field(context.program, kind, field) {
            return;
        }
        let value = value.map(|value| self.peek_value(context, base, value));
        let pieces = 0..self.state.board.entities.len() as EntityId;
        let alike: Vec<(EntityId, Seats)> = pieces
            .filter(|piece| self.state.board.entities[usize::from(*piece)].kind == kind)
            .map(|piece| (piece, unseen.intersect_with(self.piece_unseen_by(context, piece))))
            .filter(|(_, from)| *from != Seats::default())
            .collect();
        let has_it = |(piece, _): &(EntityId, Seats)| {
            Value::from(*piece) == of
                || value.is_some_and(|value| self.state.board.field(Value::from(*piece), field) == Some(value))
        };
        let are_equal = value.is_some() && alike.iter().all(has_it);
        self.update_taints(|taints| {
            taints.work += alike.len() as u64;
            if !are_equal {
                alike.into_iter().for_each(|(piece, from)| taints.hide_fields([(piece, field)], from));
            }
        });
    }

    /// Taints a mark by the values that decide its bearers. A seat that sees the bearers knows a mark that is shown to players.
    fn taint_mark(&mut self, context: &PlayContext, base: usize, mark: u16, what: &Expr, exprs: &[&Expr]) {
        let decided = self.taint_of(context, base, exprs);
        let members = self.peek_members(context, base, what);
        let unseen: Vec<(Value, Seats)> = members.into_iter().map(|member| (member, self.unseen_by(context, member))).collect();
        let is_told = context.program.marks[usize::from(mark)].is_public();
        let from = match is_told && !unseen.is_empty() {
            true => decided.intersect_with(unseen.iter().fold(Seats::default(), |all, (_, from)| all.union_with(*from))),
            false => decided,
        };
        self.update_taints(|taints| {
            if from != Seats::default() {
                taints.hide_marks([mark], from);
            }
            for (member, from) in unseen {
                EntityId::try_from(member).into_iter().for_each(|piece| taints.mark_unseen(piece, mark, from));
            }
        });
    }

    /// Whether some seat may fail to notice that a mark is lost. The number of bearers is known.
    fn may_lose(&self, context: &PlayContext, mark: u16) -> bool {
        let is_told = context.program.marks[usize::from(mark)].is_public();
        let is_seen = |thing: &Value| self.unseen_by(context, *thing) == Seats::default();
        let mut bearers = (0..self.state.board.entities.len() as Value).filter(|thing| self.state.board.has_mark(*thing, mark));
        bearers.any(|bearer| !(is_told && is_seen(&bearer)))
    }

    /// The seats that cannot see a thing, if it is a piece.
    fn unseen_by(&self, context: &PlayContext, thing: Value) -> Seats {
        let is_piece =
            self.state.board.entity(thing).is_some_and(|found| context.program.kind(found.kind).sort == KindSort::Piece);
        match EntityId::try_from(thing) {
            Ok(piece) if is_piece => self.piece_unseen_by(context, piece),
            _ => Seats::default(),
        }
    }

    /// Taints the fields of a new piece, which gets the next number.
    fn taint_created(&mut self, context: &PlayContext, base: usize, code: &CreateCode) {
        let entity = self.state.board.entities.len() as EntityId;
        for (field, value) in &code.fields {
            let from = self.taint_of(context, base, &[value]);
            self.update_taints(|taints| taints.set_field(entity, *field, from));
        }
        code.slot.iter().for_each(|slot| self.taint_slot(base, *slot, Seats::default()));
    }

    /// Taints the slot of the caller that gets the result.
    fn taint_result(&mut self, from: Seats) {
        let mut frames = self.state.frames.iter().rev();
        let Some(FrameRole::Procedure { result, .. }) = frames.next().map(|frame| frame.role) else { return };
        let caller = frames.next().filter(|_| result != NO_SLOT).map(|frame| frame.base as usize);
        caller.into_iter().for_each(|base| self.taint_slot(base, result, from));
    }

    /// Taints an answer that is not public: one for a private field. For a veiled choice of pieces, taints whether there was an
    /// answer, and how many pieces it has.
    fn taint_answer(&mut self, context: &PlayContext, base: usize, ask: &AskCode) {
        let tells_whether =
            matches!(ask.what, AskCodeWhat::Among { amount: RoleAmount::One | RoleAmount::OneOrNone, .. }) && !ask.must;
        let is_hidden = ask.veiled && matches!(ask.what, AskCodeWhat::Among { .. }) && !tells_whether;
        let from = match ask.private || is_hidden {
            true => {
                let who = self.peek_value(context, base, &ask.who);
                let asked = self.owner_side(context, who).map_or(Seats::default(), Seats::for_seat);
                Seats::for_everyone(context.roster.sides).without(asked)
            }
            false => Seats::default(),
        };
        self.taint_slot(base, ask.slot, from);
        if let AskCodeWhat::Divide(divide) = &ask.what {
            self.taint_slot(base, divide.receivers, from);
        }
    }

    /// Changes the taints, if they are tracked.
    fn update_taints(&mut self, note: impl FnOnce(&mut Taints)) {
        if let Some(taints) = &mut self.taints {
            note(Arc::make_mut(taints));
        }
    }
}

/// Whether a field is internal to the rules: it is neither private nor shown.
fn is_internal_field(program: &Program, kind: KindId, field: u16) -> bool {
    let info = program.kind(kind).fields.get(usize::from(field));
    info.is_some_and(|info| info.seen == Visibility::All) && !program.is_public_field(kind, field)
}
