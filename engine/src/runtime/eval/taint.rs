//! Taint: the seats that cannot know a value, because it was computed from something they cannot see.
//!
//! A seat that cannot see a piece does not know its fields, its marks and its sheet. The zone and the owner of a piece, and the
//! number of pieces in a zone, are public. So is the piece that a variable refers to, because looking ahead puts other pieces in
//! the places of hidden ones. Expressions are walked as they are evaluated. The match has no wildcard arm: a new form has to say
//! what it reads.
//!
//! [`Taints`] keeps the taint of values that rules store; `flow/taint.rs` updates it before each instruction, and `redeal.rs` draws
//! tainted values again to look ahead. Variables named `from` hold the seats that cannot know a value.

use crate::runtime::context::Context;
use crate::runtime::eval::Eval;
use crate::runtime::event::Audience;
use crate::runtime::seats::Seats;
use crate::runtime::state::{EntityId, Frame, NOWHERE, Values};
use ludex_program::{Address, Expr, HookId, NONE, PIECE_OWNER, Slot, Value, Visibility};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Maximum work on taint in one answer. Beyond it, looking ahead is refused for the rest of the match.
const MOST_WORK_OF_LOOKS: u64 = 20_000_000;

/// The taint of values that rules store: for each value, the seats that cannot know it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Taints {
    /// By the index among the slots of all frames.
    pub slots: BTreeMap<usize, Seats>,
    /// By entity and field.
    pub fields: BTreeMap<(EntityId, u16), Seats>,
    /// For fields that are lists: the seats that cannot know the number of members.
    pub lengths: BTreeMap<(EntityId, u16), Seats>,
    /// The same for slots that hold lists.
    pub lengths_of_slots: BTreeMap<usize, Seats>,
    /// By mark: the seats that cannot know its bearers.
    pub marks: BTreeMap<u16, Seats>,
    /// By piece and mark: the seats that could not see the piece when it got or lost the mark.
    pub marked_unseen: BTreeMap<(EntityId, u16), Seats>,
    /// The taint of the arguments of a call, until its frame exists.
    pub arguments: Vec<Seats>,
    /// Branches on tainted conditions, until their paths meet again.
    pub branches: Vec<Branch>,
    /// Work on taint in this answer.
    pub work: u64,
}

/// A branch on a tainted condition. When its paths meet again, everything that may have been set is tainted, whether it was set
/// or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The index of its frame.
    pub frame: usize,
    /// The serial of its frame.
    pub serial: u32,
    /// The address of the branch.
    pub at: Address,
    /// The instructions on all paths.
    pub instructions: Arc<BTreeSet<Address>>,
    /// The seats that cannot know which path was taken.
    pub from: Seats,
    /// Hidden pieces that the condition also depends on. A seat that is shown them before the paths meet knows which path was
    /// taken.
    pub pieces: BTreeSet<EntityId>,
    /// The slots that may be set.
    pub slots: Vec<usize>,
    /// The fields that were set in the meantime, and those that the instructions may set.
    pub fields: BTreeSet<(EntityId, u16)>,
    /// The same for marks.
    pub marks: BTreeSet<u16>,
}

impl Branch {
    /// Whether its paths have not met yet. A call returns to the instruction after it.
    pub fn goes_on(&self, frames: &[Frame]) -> bool {
        frames.get(self.frame).is_some_and(|frame| {
            let calls = self.frame + 1 < frames.len();
            let is_here = |at: Address| self.instructions.contains(&at);
            frame.serial == self.serial && (is_here(frame.at) || calls && frame.at.checked_sub(1).is_some_and(is_here))
        })
    }
}

impl Taints {
    /// Whether the work went beyond its limit, so that taint is no longer known.
    pub fn is_lost(&self) -> bool {
        self.work > MOST_WORK_OF_LOOKS
    }

    /// Starts the work of another answer.
    pub fn begin_answer(&mut self) {
        if !self.is_lost() {
            self.work = 0;
        }
    }

    /// Sets the taint of a slot, and of the length of a list in it.
    pub fn set_slot(&mut self, place: usize, from: Seats) {
        set_taint(&mut self.slots, place, from);
        set_taint(&mut self.lengths_of_slots, place, from);
    }

    /// Sets the taint of the length of the list in a slot.
    pub fn set_length_of_slot(&mut self, place: usize, from: Seats) {
        set_taint(&mut self.lengths_of_slots, place, from);
    }

    /// Sets the taint of a field that has been set.
    pub fn set_field(&mut self, entity: EntityId, field: u16, from: Seats) {
        self.branches.iter_mut().for_each(|branch| branch.fields.extend([(entity, field)]));
        set_taint(&mut self.fields, (entity, field), from);
    }

    /// Sets the taint of the length of a list that has been set.
    pub fn set_length(&mut self, entity: EntityId, field: u16, from: Seats) {
        set_taint(&mut self.lengths, (entity, field), from);
    }

    /// Taints fields for more seats, including the lengths of lists.
    pub fn hide_fields(&mut self, fields: impl IntoIterator<Item = (EntityId, u16)>, from: Seats) {
        for place in fields {
            add_taint(&mut self.fields, place, from);
            add_taint(&mut self.lengths, place, from);
        }
    }

    /// Taints marks for more seats.
    pub fn hide_marks(&mut self, marks: impl IntoIterator<Item = u16>, from: Seats) {
        marks.into_iter().for_each(|mark| add_taint(&mut self.marks, mark, from));
    }

    /// Records the seats that could not see a piece when it got or lost a mark.
    pub fn mark_unseen(&mut self, piece: EntityId, mark: u16, from: Seats) {
        if from != Seats::default() {
            add_taint(&mut self.marked_unseen, (piece, mark), from);
        }
    }

    /// Taints slots for more seats.
    pub fn hide_slots(&mut self, slots: Vec<usize>, from: Seats) {
        for place in slots {
            add_taint(&mut self.slots, place, from);
            add_taint(&mut self.lengths_of_slots, place, from);
        }
    }

    /// Clears the slots from an index on, for a new frame.
    pub fn clear_slots(&mut self, from: usize) {
        self.slots.split_off(&from);
        self.lengths_of_slots.split_off(&from);
    }
}

/// Sets a taint, or removes it if it is empty.
fn set_taint<K: Ord>(taints: &mut BTreeMap<K, Seats>, place: K, from: Seats) {
    match from == Seats::default() {
        true => drop(taints.remove(&place)),
        false => drop(taints.insert(place, from)),
    }
}

/// Adds seats to a taint.
fn add_taint<K: Ord>(taints: &mut BTreeMap<K, Seats>, place: K, from: Seats) {
    let known = taints.entry(place).or_default();
    *known = known.union_with(from);
}

/// A walk through expressions.
struct TaintWalk<'e> {
    eval: &'e mut Eval,
    context: &'e Context<'e>,
    /// The limit of the meter.
    most_work: u64,
    /// Collects hidden pieces instead of their taint, if they are wanted.
    pieces: Option<BTreeSet<EntityId>>,
}

impl Eval {
    /// The taint of each value. Has no side effects, and costs the match nothing.
    pub fn taints_of(&mut self, context: &Context, base: usize, exprs: &[&Expr]) -> Vec<Seats> {
        self.walk_for_taint(context, |look| exprs.iter().map(|expr| look.value_taint(base, expr)).collect())
    }

    /// The taint of the length of a list. Has no side effects.
    pub fn taint_of_length(&mut self, context: &Context, base: usize, expr: &Expr) -> Seats {
        self.walk_for_taint(context, |look| look.length_taint(base, expr))
    }

    /// The hidden pieces that a value depends on, and its taint for other reasons.
    pub fn depends_on(&mut self, context: &Context, base: usize, expr: &Expr) -> (Seats, BTreeSet<EntityId>) {
        self.walk_for_taint(context, |look| {
            look.pieces = Some(BTreeSet::new());
            (look.value_taint(base, expr), look.pieces.take().unwrap_or_default())
        })
    }

    /// The same for conditions with their own slots; `from` is the taint of the first of these.
    pub fn guards_depend_on(
        &mut self,
        context: &Context,
        guards: &[Expr],
        slots: u16,
        bound: &[Value],
        from: &[Seats],
    ) -> (Seats, BTreeSet<EntityId>) {
        self.walk_for_taint(context, |look| {
            look.pieces = Some(BTreeSet::new());
            let all = |look: &mut TaintWalk, base| {
                guards.iter().fold(Seats::default(), |all, guard| all.union_with(look.value_taint(base, guard)))
            };
            (look.taint_with_slots(slots, bound, from, all), look.pieces.take().unwrap_or_default())
        })
    }

    /// Evaluates an expression without side effects. Returns none if it has a fault.
    pub fn peek_value(&mut self, context: &Context, base: usize, expr: &Expr) -> Value {
        self.walk_for_taint(context, |look| look.evaluate_or_none(base, expr))
    }

    /// The members of a list, found without side effects.
    pub fn peek_members(&mut self, context: &Context, base: usize, list: &Expr) -> Vec<Value> {
        self.walk_for_taint(context, |look| look.members_of_list(base, list))
    }

    /// The seats that cannot see a piece.
    pub fn piece_unseen_by(&self, context: &Context, piece: EntityId) -> Seats {
        let place = self.state.board.entities.get(usize::from(piece)).map_or(NOWHERE, |piece| piece.place);
        let seers = if place == NOWHERE { Seats::default() } else { self.zone_seers(context, place) };
        Seats::for_everyone(context.roster.sides).without(seers).without(self.state.known.seats_knowing(piece))
    }

    /// Walks through expressions. Faults, lists and work are taken back afterwards; the work counts as work on taint.
    fn walk_for_taint<T>(&mut self, context: &Context, look: impl FnOnce(&mut TaintWalk) -> T) -> T {
        let (stand, lists) = (self.meter.work_so_far(), self.state.lists.len());
        let spent = self.taints.as_ref().map_or(0, |taints| taints.work);
        let most_work = stand.saturating_add(MOST_WORK_OF_LOOKS.saturating_sub(spent));
        let watched = std::mem::replace(&mut self.watched, false);
        let coverage = self.coverage.take();
        let found = look(&mut TaintWalk { eval: self, context, most_work, pieces: None });
        // A fault is reported when the instruction itself runs.
        self.fault = None;
        (self.watched, self.coverage) = (watched, coverage);
        self.state.lists.truncate(lists);
        let work = self.meter.work_so_far().saturating_sub(stand);
        if let Some(taints) = &mut self.taints {
            Arc::make_mut(taints).work += work;
        }
        self.meter.restore_work(stand);
        found
    }
}

impl TaintWalk<'_> {
    fn every_seat(&self) -> Seats {
        Seats::for_everyone(self.context.roster.sides)
    }

    /// Evaluates an expression. Returns none if it has a fault.
    fn evaluate_or_none(&mut self, base: usize, expr: &Expr) -> Value {
        let value = self.eval.evaluate(self.context, base, expr);
        match self.eval.fault.take() {
            Some(_) => NONE,
            None => value,
        }
    }

    fn members_of_list(&mut self, base: usize, list: &Expr) -> Vec<Value> {
        let list = self.evaluate_or_none(base, list);
        self.eval.state.list_values(list).to_vec()
    }

    /// The taint of a value. Beyond the limit of work, no seat counts as knowing it.
    fn value_taint(&mut self, base: usize, expr: &Expr) -> Seats {
        self.eval.meter.add_work(1);
        if self.eval.meter.work_so_far() > self.most_work {
            return self.every_seat();
        }
        match expr {
            Expr::Constant(_) | Expr::Option(_) | Expr::Sides | Expr::Table | Expr::Referee | Expr::Every(_) => Seats::default(),
            Expr::Local(slot)
            | Expr::LocalZone { slot, .. }
            | Expr::LocalPlace(slot)
            | Expr::LocalFoe(slot)
            | Expr::LocalMoveField { slot, .. } => self.slot_taint(base, *slot),
            Expr::LocalField { slot, field } => {
                let of = self.eval.read_slot(base, *slot);
                self.slot_taint(base, *slot).union_with(self.field_taint(of, *field))
            }
            Expr::TableField(field) => self.field_taint(Value::from(self.context.roster.table), *field),
            Expr::LentZone { slot, foe, field, .. } => {
                let of = if *foe { Expr::LocalFoe(*slot) } else { Expr::Local(*slot) };
                let side = self.evaluate_or_none(base, &of);
                self.slot_taint(base, *slot).union_with(self.field_taint(side, *field))
            }
            Expr::Field { of, field } | Expr::Held { of, field } => {
                let (found, thing) = self.taint_and_value(base, of);
                found.union_with(self.field_taint(thing, *field))
            }
            Expr::FieldList { zone, field, .. } | Expr::SumZone { zone, field } => {
                let found = self.value_taint(base, zone);
                let pieces = self.pieces_of(base, zone);
                pieces.into_iter().fold(found, |found, piece| found.union_with(self.field_taint(piece, *field)))
            }
            Expr::HasMark { of, mark } => {
                let (found, bearer) = self.taint_and_value(base, of);
                let of_mark = self.eval.taints.as_ref().and_then(|taints| taints.marks.get(mark)).copied();
                found.union_with(self.piece_taint(bearer)).union_with(of_mark.unwrap_or_default())
            }
            Expr::SideOf(of) => {
                let (found, thing) = self.taint_and_value(base, of);
                found.union_with(self.stored_taint(thing, PIECE_OWNER))
            }
            Expr::Sorts { list, pieces } => {
                let found = self.value_taint(base, list);
                let members = if *pieces { self.members_of_list(base, list) } else { Vec::new() };
                members.into_iter().fold(found, |found, piece| found.union_with(self.piece_taint(piece)))
            }
            Expr::And(left, right) | Expr::Or(left, right) => {
                let (found, holds) = self.taint_and_value(base, left);
                let goes_on = (holds != 0) == matches!(expr, Expr::And(..));
                if goes_on { found.union_with(self.value_taint(base, right)) } else { found }
            }
            Expr::If(condition, yes, no) => {
                let (found, holds) = self.taint_and_value(base, condition);
                let taken = if holds != 0 { yes } else { no };
                found.union_with(self.value_taint(base, taken))
            }
            Expr::With { slot, value, then } => {
                let (found, bound) = self.taint_and_value(base, value);
                self.with_bound_slot(base, *slot, found, |look| {
                    look.eval.set_slot(base, *slot, bound);
                    look.value_taint(base, then)
                })
            }
            Expr::Where { list, slot, condition: then }
            | Expr::Quantified { list, slot, condition: then, .. }
            | Expr::Map { list, slot, value: then }
            | Expr::MapList { list, slot, value: then } => self.members_taint(base, list, *slot, &[then]),
            Expr::BestOne { list, slot, keys } | Expr::BestAll { list, slot, keys } => {
                let keys: Vec<&Expr> = keys.iter().map(|key| &key.value).collect();
                self.members_taint(base, list, *slot, &keys)
            }
            Expr::Remembered { value, .. } => self.value_taint(base, value),
            Expr::Fold { hook, arguments } => self.hook_taint(base, *hook, arguments),
            Expr::Can { family, .. } | Expr::CanWhere { family, .. }
                if self.context.program.families[usize::from(*family)].hidden =>
            {
                self.every_seat()
            }
            Expr::Can { .. }
            | Expr::CanWhere { .. }
            | Expr::Supposing { .. }
            | Expr::Zone { .. }
            | Expr::PlaceOf(_)
            | Expr::KindIs { .. }
            | Expr::Printed { .. }
            | Expr::PrintedName(_)
            | Expr::PrintOf(_)
            | Expr::PrintedList { .. }
            | Expr::SheetIs { .. }
            | Expr::Foe(_)
            | Expr::Neighbour { .. }
            | Expr::Neighbours(_)
            | Expr::EntrantsOf(_)
            | Expr::MoveField { .. }
            | Expr::MoveIs { .. }
            | Expr::MoveIn { .. }
            | Expr::AsMove { .. }
            | Expr::Not(_)
            | Expr::Compare(..)
            | Expr::CompareLists(..)
            | Expr::Add(..)
            | Expr::Subtract(..)
            | Expr::Multiply(..)
            | Expr::Divide { .. }
            | Expr::Calculated(..)
            | Expr::OnBoard(..)
            | Expr::AtLeast(..)
            | Expr::AtMost(..)
            | Expr::IsOdd(_)
            | Expr::CountZone(_)
            | Expr::InZone { .. }
            | Expr::CountList(_)
            | Expr::SumList(_)
            | Expr::ExtremeOf { .. }
            | Expr::EndOf { .. }
            | Expr::InList { .. }
            | Expr::AnswerOf { .. }
            | Expr::ZoneList(_)
            | Expr::ListOf(_)
            | Expr::Single(_)
            | Expr::Range(..)
            | Expr::Concatenate(..)
            | Expr::Without(..)
            | Expr::MapZone { .. }
            | Expr::Sorted { .. }
            | Expr::Keep { .. }
            | Expr::Top { .. } => {
                let mut parts = Vec::new();
                expr.visit_parts(&mut |part| parts.push(part));
                parts.into_iter().fold(Seats::default(), |found, part| found.union_with(self.value_taint(base, part)))
            }
        }
    }

    /// The taint of a value, and the value.
    fn taint_and_value(&mut self, base: usize, expr: &Expr) -> (Seats, Value) {
        (self.value_taint(base, expr), self.evaluate_or_none(base, expr))
    }

    /// The taint of a list and of expressions for each member, which a slot holds in turn.
    fn members_taint(&mut self, base: usize, list: &Expr, slot: Slot, then: &[&Expr]) -> Seats {
        let found = self.value_taint(base, list);
        let members = self.members_of_list(base, list);
        self.with_bound_slot(base, slot, found, |look| {
            let mut found = found;
            for member in members {
                look.eval.set_slot(base, slot, member);
                found = then.iter().fold(found, |found, then| found.union_with(look.value_taint(base, then)));
            }
            found
        })
    }

    /// Continues the walk while a slot holds another value.
    fn with_bound_slot(&mut self, base: usize, slot: Slot, from: Seats, look: impl FnOnce(&mut Self) -> Seats) -> Seats {
        let place = base + usize::from(slot);
        let (value, known) = (self.eval.read_slot(base, slot), self.slot_taint(base, slot));
        self.set_slot_taint(place, from);
        let found = look(self);
        self.eval.set_slot(base, slot, value);
        self.set_slot_taint(place, known);
        found
    }

    fn set_slot_taint(&mut self, place: usize, from: Seats) {
        if let Some(taints) = &mut self.eval.taints {
            Arc::make_mut(taints).set_slot(place, from);
        }
    }

    /// The taint of a hook's value: of its formula, and of all modifiers.
    fn hook_taint(&mut self, base: usize, hook: HookId, arguments: &[Expr]) -> Seats {
        let program = self.context.program;
        let from: Vec<Seats> = arguments.iter().map(|argument| self.value_taint(base, argument)).collect();
        let values: Values = arguments.iter().map(|argument| self.evaluate_or_none(base, argument)).collect();
        let mut found = from.iter().fold(Seats::default(), |found, from| found.union_with(*from));
        if let Some((_, formula)) = &program.hooks[usize::from(hook)].value {
            found = found.union_with(
                self.taint_with_slots(formula.slots, &values, &from, |look, base| look.value_taint(base, &formula.expr)),
            );
        }
        let now = self.eval.hook_value(self.context, base, hook, arguments);
        for (clause, _, owner) in self.eval.modifiers_of(self.context, hook) {
            let clause = &program.clauses[usize::from(clause)];
            let Some(value) = &clause.value else { continue };
            let mut values = values.clone();
            values.extend(owner);
            values.push(now);
            let holder = values.get(arguments.len() + 1).copied().unwrap_or(NONE);
            found = found.union_with(self.taint_with_slots(clause.slots, &values, &from, |look, base| {
                let mut found = Seats::default();
                for guard in &clause.guard {
                    let (from, holds) = look.taint_and_value(base, guard);
                    found = found.union_with(from);
                    // A modifier that does not apply changes nothing. The taint of its conditions so far is enough.
                    if holds == 0 {
                        return found;
                    }
                }
                found.union_with(look.piece_taint(holder)).union_with(look.value_taint(base, value))
            }));
        }
        found
    }

    /// The taint of something with its own slots; `from` is that of the first of these.
    fn taint_with_slots(
        &mut self,
        slots: u16,
        values: &[Value],
        from: &[Seats],
        look: impl FnOnce(&mut Self, usize) -> Seats,
    ) -> Seats {
        let state = &mut self.eval.state;
        let base = state.slots.len();
        state.slots.extend_from_slice(values);
        state.slots.resize(base + usize::from(slots).max(values.len()), NONE);
        from.iter().enumerate().for_each(|(slot, from)| self.set_slot_taint(base + slot, *from));
        let found = look(self, base);
        self.eval.state.slots.truncate(base);
        if let Some(taints) = &mut self.eval.taints {
            Arc::make_mut(taints).clear_slots(base);
        }
        found
    }

    /// The taint of the length of a list.
    fn length_taint(&mut self, base: usize, expr: &Expr) -> Seats {
        match expr {
            Expr::Local(slot) => {
                let lengths = self.eval.taints.as_ref().map(|taints| &taints.lengths_of_slots);
                lengths.and_then(|lengths| lengths.get(&(base + usize::from(*slot)))).copied().unwrap_or_default()
            }
            Expr::Held { of, field } => {
                let (found, thing) = self.taint_and_value(base, of);
                let lengths = self.eval.taints.as_ref().map(|taints| &taints.lengths);
                let kept = EntityId::try_from(thing).ok().and_then(|entity| lengths?.get(&(entity, *field)).copied());
                found.union_with(kept.unwrap_or_default())
            }
            Expr::FieldList { zone, .. } => self.value_taint(base, zone),
            Expr::Map { list, .. } | Expr::Sorted { list, .. } => self.length_taint(base, list),
            Expr::Keep { count, list, .. } => self.value_taint(base, count).union_with(self.length_taint(base, list)),
            Expr::Concatenate(one, other) => self.length_taint(base, one).union_with(self.length_taint(base, other)),
            // Other forms: the number of members may depend on everything that the list depends on.
            _ => self.value_taint(base, expr),
        }
    }

    // --- what lies on the table -------------------------------------------------------

    /// The stored taint of a slot.
    fn slot_taint(&self, base: usize, slot: Slot) -> Seats {
        let taints = self.eval.taints.as_ref();
        taints.and_then(|taints| taints.slots.get(&(base + usize::from(slot)))).copied().unwrap_or_default()
    }

    /// The taint of a field.
    fn field_taint(&mut self, of: Value, field: u16) -> Seats {
        let Some(found) = self.eval.state.board.entity(of) else { return Seats::default() };
        let kept = self.stored_taint(of, field);
        match self.context.program.kind(found.kind).fields.get(usize::from(field)).map(|field| field.seen) {
            // A private field.
            Some(seen) if seen != Visibility::All => match self.eval.readers_of(self.context, of, field) {
                Audience::All => kept,
                Audience::Seats(readers) => {
                    let readers = readers.into_iter().fold(Seats::default(), |all, seat| all.union_with(Seats::for_seat(seat)));
                    kept.union_with(self.every_seat().without(readers))
                }
            },
            // The owner of a piece is public.
            _ if field == PIECE_OWNER => kept,
            _ => kept.union_with(self.piece_taint(of)),
        }
    }

    /// The stored taint of a field.
    fn stored_taint(&self, of: Value, field: u16) -> Seats {
        let entity = EntityId::try_from(of).ok();
        let taints = self.eval.taints.as_ref();
        entity.and_then(|entity| taints?.fields.get(&(entity, field))).copied().unwrap_or_default()
    }

    /// The taint of a piece's fields, marks and sheet.
    fn piece_taint(&mut self, piece: Value) -> Seats {
        let is_piece = self.eval.is_piece(self.context, piece);
        let Some(piece) = EntityId::try_from(piece).ok().filter(|_| is_piece) else { return Seats::default() };
        let from = self.eval.piece_unseen_by(self.context, piece);
        match &mut self.pieces {
            Some(pieces) => {
                pieces.extend((from != Seats::default()).then_some(piece));
                Seats::default()
            }
            None => from,
        }
    }

    fn pieces_of(&mut self, base: usize, zone: &Expr) -> Vec<Value> {
        let zone = self.evaluate_or_none(base, zone);
        self.eval.state.board.ordered_pieces(zone).iter().map(|piece| Value::from(*piece)).collect()
    }
}
