//! Expressions: they read the state and change nothing that lasts.
//!
//! The dispatching function only jumps to a separate function for each form, so that a form costs no more than its own work.
//! `base` is the index of the first slot that the expression may read. Forms such as `LocalField` and `LentZone` are fused ones,
//! which the compiler makes of frequent expressions: a zone is *lent* to a side by the thing that a field of the side refers to.
//! A value may be the place of a list or of a move's record in the arena. Reading a property of `none` is a fault.

mod best;
mod boards;
mod cells;
pub mod columns;
mod identical_pieces;
mod indexed;
mod lists;
mod numbers;
mod script_expressions;

use crate::runtime::context::Context;
use crate::runtime::eval::Eval;
use ludex_program::{Expr, FamilyId, KindId, MOST_REMEMBERED, NONE, SheetId, Slot, SupposedField, Value};

impl Eval {
    /// The value of an expression whose slots begin at `base`.
    #[inline(always)]
    pub fn evaluate(&mut self, context: &Context, base: usize, expr: &Expr) -> Value {
        match expr {
            Expr::Constant(value) => *value,
            Expr::Local(slot) => self.read_slot(base, *slot),
            _ => self.evaluate_form(context, base, expr),
        }
    }

    /// Like [`Eval::evaluate`], but inlines forms that can be read directly. Use it if such a form is likely.
    #[inline(always)]
    pub fn evaluate_inline(&mut self, context: &Context, base: usize, expr: &Expr) -> Value {
        match expr {
            Expr::Constant(value) => *value,
            Expr::Local(slot) => self.read_slot(base, *slot),
            Expr::LocalField { slot, field } => self.read_field(self.read_slot(base, *slot), *field),
            Expr::TableField(field) => self.read_field(Value::from(context.roster.table), *field),
            Expr::LocalFoe(slot) => self.foe_of(self.read_slot(base, *slot)),
            Expr::LocalMoveField { slot, index } => self.move_field(self.read_slot(base, *slot), *index),
            Expr::LocalZone { slot, zone } => self.zone_of(self.read_slot(base, *slot), *zone),
            Expr::LentZone { slot, foe: false, field, zone } => self.lent_zone(self.read_slot(base, *slot), *field, *zone),
            Expr::LentZone { slot, foe: true, field, zone } => self.lent_zone_of_foe(self.read_slot(base, *slot), *field, *zone),
            _ => self.evaluate_form(context, base, expr),
        }
    }

    /// The value of an expression of any form; those of lists, and rare ones, are left to `evaluate_rare_form`.
    #[inline(never)]
    fn evaluate_form(&mut self, context: &Context, base: usize, expr: &Expr) -> Value {
        // Loops over many members check the budget themselves.
        self.meter.add_work(1);
        match expr {
            Expr::Constant(value) => *value,
            Expr::Local(slot) => self.read_slot(base, *slot),
            Expr::LocalField { slot, field } => self.read_field(self.read_slot(base, *slot), *field),
            Expr::TableField(field) => self.read_field(Value::from(context.roster.table), *field),
            Expr::LocalZone { slot, zone } => self.zone_of(self.read_slot(base, *slot), *zone),
            Expr::LentZone { slot, foe: false, field, zone } => self.lent_zone(self.read_slot(base, *slot), *field, *zone),
            Expr::LentZone { slot, foe: true, field, zone } => self.lent_zone_of_foe(self.read_slot(base, *slot), *field, *zone),
            Expr::LocalPlace(slot) => self.place_of(self.read_slot(base, *slot)),
            Expr::LocalFoe(slot) => self.foe_of(self.read_slot(base, *slot)),
            Expr::LocalMoveField { slot, index } => self.move_field(self.read_slot(base, *slot), *index),
            Expr::Field { of, field } => self.field_of(context, base, of, *field),
            Expr::Zone { of, zone } => self.zone_of_owner(context, base, of, *zone),
            Expr::PlaceOf(piece) => self.place_of_piece(context, base, piece),
            Expr::HasMark { of, mark } => self.bears_mark(context, base, of, *mark),
            Expr::KindIs { of, kind } => self.kind_is(context, base, of, *kind),
            Expr::Printed { of, column } => self.evaluate_printed(context, base, of, *column),
            Expr::SheetIs { of, sheet } => self.sheet_is(context, base, of, *sheet),
            Expr::Table => Value::from(context.roster.table),
            Expr::Foe(side) => self.foe_of_side(context, base, side),
            Expr::SideOf(entity) => self.side_of_entity(context, base, entity),
            Expr::MoveField { of, index } => self.field_of_move(context, base, of, *index),
            Expr::MoveIs { of, action } => self.move_is(context, base, of, *action),
            Expr::MoveIn { of, family } => self.move_in(context, base, of, *family),
            Expr::AsMove { of, family } => self.as_move(context, base, of, *family),
            Expr::Remembered { which, arguments, value } => self.evaluate_memoised(context, base, *which, arguments, value),
            Expr::With { slot, value, then } => self.evaluate_with(context, base, *slot, value, then),
            Expr::Not(inner) => self.evaluate_not(context, base, inner),
            Expr::And(left, right) => self.evaluate_and(context, base, left, right),
            Expr::Or(left, right) => self.evaluate_or(context, base, left, right),
            Expr::Compare(comparison, left, right) => self.evaluate_compare(context, base, *comparison, left, right),
            Expr::CompareLists(comparison, left, right) => self.compare_two_lists(context, base, *comparison, left, right),
            Expr::If(condition, yes, no) => self.evaluate_if(context, base, condition, yes, no),
            Expr::CountZone(zone) => self.count_zone(context, base, zone),
            Expr::SumZone { zone, field } => self.sum_zone(context, base, zone, *field),
            Expr::InZone { item, zone } => self.in_zone(context, base, item, zone),
            Expr::Fold { hook, arguments } => self.hook_value(context, base, *hook, arguments),
            Expr::Can { family, obliging, arguments } => self.evaluate_can(context, base, (*family, *obliging), arguments),
            Expr::CanWhere { family, obliging, arguments, slot, condition } => {
                self.evaluate_can_where(context, base, (*family, *obliging), arguments, (*slot, condition))
            }
            Expr::Supposing { changes, then } => self.evaluate_supposing(context, base, changes, then),
            Expr::Add(left, right) => self.evaluate_add(context, base, left, right),
            Expr::Subtract(left, right) => self.evaluate_subtract(context, base, left, right),
            Expr::Multiply(left, right) => self.evaluate_multiply(context, base, left, right),
            Expr::Divide { left, right, up } => self.evaluate_divide(context, base, left, right, *up),
            Expr::AtLeast(left, right) => self.evaluate_at_least(context, base, left, right),
            Expr::AtMost(left, right) => self.at_most(context, base, left, right),
            Expr::Calculated(how, operands) => self.evaluate_calculation(context, base, *how, operands),
            Expr::IsOdd(number) => self.is_odd(context, base, number),
            Expr::Concatenate(left, right) => self.concatenate_lists(context, base, left, right),
            Expr::FieldList { zone, field, sorted, down } => self.field_list(context, base, zone, *field, (*sorted, *down)),
            Expr::Where { list, slot, condition } => self.list_where(context, base, list, *slot, condition),
            Expr::Map { list, slot, value } => self.map_members(context, base, list, *slot, value),
            Expr::MapZone { list, zone } => self.map_zone(context, base, list, *zone),
            Expr::Every(kind) => self.list_all_of_kind(context, *kind),
            Expr::Sides => self.all_sides(context),
            _ => self.evaluate_rare_form(context, base, expr),
        }
    }

    /// Whether a condition holds with `member` in `slot`.
    #[inline]
    pub fn test_member(&mut self, context: &Context, base: usize, slot: u16, member: Value, condition: &Expr) -> bool {
        self.set_slot(base, slot, member);
        self.evaluate_condition(context, base, condition)
    }

    /// Whether a condition holds. Most are comparisons of two plain values.
    #[inline(always)]
    pub fn evaluate_condition(&mut self, context: &Context, base: usize, condition: &Expr) -> bool {
        match condition {
            Expr::Compare(comparison, left, right) => {
                let left = self.evaluate_inline(context, base, left);
                let right = self.evaluate(context, base, right);
                comparison.holds_for(left, right)
            }
            other => self.evaluate(context, base, other) != 0,
        }
    }

    // --- entities ----------------------------------------------------------------

    #[inline(never)]
    fn field_of(&mut self, context: &Context, base: usize, of: &Expr, field: u16) -> Value {
        let of = self.evaluate(context, base, of);
        self.read_field(of, field)
    }

    #[inline(never)]
    fn zone_of_owner(&mut self, context: &Context, base: usize, of: &Expr, zone: u16) -> Value {
        let of = self.evaluate(context, base, of);
        self.zone_of(of, zone)
    }

    #[inline(never)]
    fn place_of_piece(&mut self, context: &Context, base: usize, piece: &Expr) -> Value {
        let piece = self.evaluate(context, base, piece);
        self.place_of(piece)
    }

    #[inline(never)]
    fn bears_mark(&mut self, context: &Context, base: usize, of: &Expr, mark: u16) -> Value {
        let of = self.evaluate(context, base, of);
        self.has_mark(of, mark) as Value
    }

    /// Whether a thing is of a kind; false for none.
    #[inline(never)]
    fn kind_is(&mut self, context: &Context, base: usize, of: &Expr, kind: KindId) -> Value {
        let of = self.evaluate(context, base, of);
        let is_kind = |of| context.program.is_kind(of, kind);
        self.state.board.entities.get(of as usize).is_some_and(|entity| is_kind(entity.kind)) as Value
    }

    #[inline(never)]
    fn foe_of_side(&mut self, context: &Context, base: usize, side: &Expr) -> Value {
        let side = self.evaluate(context, base, side);
        self.foe_of(side)
    }

    #[inline(never)]
    fn side_of_entity(&mut self, context: &Context, base: usize, entity: &Expr) -> Value {
        let entity = self.evaluate(context, base, entity);
        self.state.board.side_of(context.program, entity)
    }

    #[inline(never)]
    fn field_of_move(&mut self, context: &Context, base: usize, of: &Expr, index: u16) -> Value {
        let of = self.evaluate(context, base, of);
        self.move_field(of, index)
    }

    /// Whether a move is of an action.
    #[inline(never)]
    fn move_is(&mut self, context: &Context, base: usize, of: &Expr, action: u16) -> Value {
        let of = self.evaluate(context, base, of);
        // The record of a move begins with its action.
        (of >= 0 && self.state.lists.get(of as usize) == Some(&Value::from(action))) as Value
    }

    /// Whether a move is of a family, or of one that is part of it.
    #[inline(never)]
    fn move_in(&mut self, context: &Context, base: usize, of: &Expr, family: FamilyId) -> Value {
        let of = self.evaluate(context, base, of);
        self.is_move_of(context, of, family) as Value
    }

    /// A move, which must be of a family; none stays none.
    #[inline(never)]
    fn as_move(&mut self, context: &Context, base: usize, of: &Expr, family: FamilyId) -> Value {
        let of = self.evaluate(context, base, of);
        if of != NONE && !self.is_move_of(context, of, family) {
            let name = &context.program.families[family as usize].name;
            return self.raise(&format!("a move of `{name}` is needed, but another one was chosen"));
        }
        of
    }

    /// A value printed on a sheet, by its column. `of` is the print.
    #[inline(never)]
    fn evaluate_printed(&mut self, context: &Context, base: usize, of: &Expr, column: u16) -> Value {
        let of = self.evaluate(context, base, of);
        match context.program.prints.printed_value(of, column) {
            Some(value) => value,
            None => self.raise_none_read(),
        }
    }

    /// Whether a print is of a sheet, or of one that builds on it.
    #[inline(never)]
    fn sheet_is(&mut self, context: &Context, base: usize, of: &Expr, sheet: SheetId) -> Value {
        let of = self.evaluate(context, base, of);
        let prints = &context.program.prints;
        prints.find_print(of).is_some_and(|print| prints.is_sheet(print.sheet, sheet)) as Value
    }

    /// Puts a value into a slot, and then evaluates `then`.
    #[inline(never)]
    fn evaluate_with(&mut self, context: &Context, base: usize, slot: Slot, value: &Expr, then: &Expr) -> Value {
        let value = self.evaluate(context, base, value);
        self.set_slot(base, slot, value);
        self.evaluate(context, base, then)
    }

    /// The value of a definition, computed only if it is not remembered. `which` is the number of the definition.
    #[inline(never)]
    fn evaluate_memoised(&mut self, context: &Context, base: usize, which: u16, arguments: &[Expr], value: &Expr) -> Value {
        let mut given = [0; MOST_REMEMBERED];
        for (place, argument) in given.iter_mut().zip(arguments) {
            *place = self.evaluate_inline(context, base, argument);
        }
        if let Some(found) = self.memory.find_value(which, given) {
            debug_assert!(self.is_memo_valid(context, base, value, found), "something has changed that is remembered");
            return found;
        }
        let found = self.evaluate(context, base, value);
        if self.fault.is_none() {
            self.memory.store_value(which, given, found);
        }
        found
    }

    /// Whether an expression still has the same value. Used in debug builds only.
    fn is_memo_valid(&mut self, context: &Context, base: usize, value: &Expr, found: Value) -> bool {
        let (stand, lists) = (self.meter.work_so_far(), self.state.lists.len());
        let worth = self.evaluate(context, base, value);
        self.meter.restore_work(stand);
        self.state.lists.truncate(lists);
        worth == found || self.fault.is_some()
    }

    /// Whether a family has a legal move. `wanted` is the family, and true if only moves that rule out passing count.
    #[inline(never)]
    fn evaluate_can(&mut self, context: &Context, base: usize, wanted: (FamilyId, bool), arguments: &[Expr]) -> Value {
        let arguments = self.evaluate_arguments(context, base, arguments);
        self.has_legal_move(context, wanted, &arguments) as Value
    }

    /// The same for moves that meet a condition: `fitting` is the slot that holds the move, and the condition.
    #[inline(never)]
    fn evaluate_can_where(
        &mut self,
        context: &Context,
        base: usize,
        wanted: (FamilyId, bool),
        arguments: &[Expr],
        fitting: (Slot, &Expr),
    ) -> Value {
        let arguments = self.evaluate_arguments(context, base, arguments);
        self.has_matching_move(context, base, wanted, &arguments, fitting) as Value
    }

    /// Evaluates an expression with temporary values in some fields, and then restores them.
    #[inline(never)]
    fn evaluate_supposing(&mut self, context: &Context, base: usize, changes: &[SupposedField], then: &Expr) -> Value {
        let mut wanted = Vec::with_capacity(changes.len());
        for supposed in changes {
            let of = self.evaluate(context, base, &supposed.of);
            wanted.push((of, supposed.field, self.evaluate(context, base, &supposed.value)));
        }
        let mut before = Vec::with_capacity(changes.len());
        for (of, field, value) in wanted {
            let found = self.read_field(of, field);
            if self.fault.is_none() && self.change_field(context, of, field, value) {
                before.push((of, field, found));
            }
        }
        let value = self.evaluate(context, base, then);
        // In reverse order, because a field may occur twice.
        for (of, field, found) in before.into_iter().rev() {
            if let Some(cell) = self.board_mut().field_mut(of, field) {
                *cell = found;
            }
        }
        value
    }

    // --- single reads ----------------------------------------------------------

    /// The value in a slot; none if there is no such slot.
    #[inline(always)]
    pub fn read_slot(&self, base: usize, slot: u16) -> Value {
        self.state.slots.get(base + slot as usize).copied().unwrap_or(NONE)
    }

    /// Puts a value into a slot; does nothing if there is no such slot.
    #[inline]
    pub fn set_slot(&mut self, base: usize, slot: u16, value: Value) {
        if let Some(place) = self.state.slots.get_mut(base + slot as usize) {
            *place = value;
        }
    }

    #[inline(always)]
    pub fn read_field(&mut self, of: Value, field: u16) -> Value {
        match self.state.board.field(of, field) {
            Some(value) => value,
            None => self.raise_none_read(),
        }
    }

    /// A zone of a thing, by its index among the zones of the kind.
    #[inline(always)]
    fn zone_of(&mut self, of: Value, zone: u16) -> Value {
        match self.state.board.zone_of(of, zone) {
            Some(zone) => Value::from(zone),
            None => self.raise_none_read(),
        }
    }

    /// The zone that a piece is in, or none.
    #[inline(always)]
    pub fn place_of(&self, piece: Value) -> Value {
        self.state.board.place_of(piece)
    }

    /// The opponent of one of two sides.
    #[inline(always)]
    fn foe_of(&mut self, side: Value) -> Value {
        // True for the sides 0 and 1 only, which are opponents of each other.
        if side & !1 == 0 { 1 - side } else { self.raise_none_read() }
    }

    /// Whether the move with this record is of a family, or of one that is part of it.
    fn is_move_of(&self, context: &Context, of: Value, family: FamilyId) -> bool {
        let action = usize::try_from(of).ok().and_then(|of| self.state.lists.get(of));
        let own = action.and_then(|action| context.program.actions.get(*action as usize)).and_then(|action| action.family);
        own.is_some_and(|own| context.program.is_family(own, family))
    }

    /// A field of the move with this record, by its index in the family.
    #[inline(always)]
    fn move_field(&mut self, of: Value, index: u16) -> Value {
        // The fields come after the action and the ability.
        match self.state.lists.get((of as usize).wrapping_add(2 + usize::from(index))) {
            Some(value) if of >= 0 => *value,
            _ => self.raise_none_read(),
        }
    }

    #[inline]
    pub fn has_mark(&self, of: Value, mark: u16) -> bool {
        self.state.board.has_mark(of, mark)
    }

    /// A zone of the entity in a side's field.
    #[inline(always)]
    fn lent_zone(&mut self, side: Value, field: u16, zone: u16) -> Value {
        match self.state.board.field(side, field) {
            Some(lender) => self.zone_of(lender, zone),
            None => self.raise_none_read(),
        }
    }

    /// The same for the opponent of a side.
    #[inline(always)]
    fn lent_zone_of_foe(&mut self, side: Value, field: u16, zone: u16) -> Value {
        if side & !1 == 0 { self.lent_zone(1 - side, field, zone) } else { self.raise_none_read() }
    }

    /// Raises the fault of a read of `none`.
    #[cold]
    #[inline(never)]
    pub(super) fn raise_none_read(&mut self) -> Value {
        self.raise("the rules read a property of `none`, which has no fields, zones or foe")
    }

    /// Evaluates a formula in its own slots. `arguments` are the first of them. Lists that it makes are freed.
    pub fn evaluate_separately(&mut self, context: &Context, expr: &Expr, slots: u16, arguments: &[Value]) -> Value {
        let (base, lists) = (self.state.slots.len(), self.state.lists.len());
        self.state.slots.resize(base + slots as usize, NONE);
        for (index, argument) in arguments.iter().enumerate() {
            self.set_slot(base, index as u16, *argument);
        }
        let value = self.evaluate(context, base, expr);
        self.state.slots.truncate(base);
        self.state.lists.truncate(lists);
        value
    }
}
