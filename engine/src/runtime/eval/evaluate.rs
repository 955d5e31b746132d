//! Expressions: they look at the state and change nothing that lasts.
//!
//! The function that tells them apart only jumps to the one that works a form out, so that each costs what it takes itself.

mod alike;
mod best;
pub mod columns;
mod lists;
mod numbers;

use crate::program::{Expr, FamilyId, KindId, NONE, SheetId, Slot, Supposed, Value};
use crate::runtime::context::Rules;
use crate::runtime::eval::Eval;

impl Eval {
    /// The value of an expression whose slots begin at `base`.
    #[inline(always)]
    pub fn evaluate(&mut self, rules: Rules, base: usize, expr: &Expr) -> Value {
        match expr {
            Expr::Constant(value) => *value,
            Expr::Local(slot) => self.slot(base, *slot),
            _ => self.evaluate_form(rules, base, expr),
        }
    }

    /// As [`Eval::evaluate`], where something is likely to stand that is read at once.
    #[inline(always)]
    pub fn read(&mut self, rules: Rules, base: usize, expr: &Expr) -> Value {
        match expr {
            Expr::Constant(value) => *value,
            Expr::Local(slot) => self.slot(base, *slot),
            Expr::LocalField { slot, field } => self.field(self.slot(base, *slot), *field),
            Expr::TableField(field) => self.field(Value::from(rules.cast.table), *field),
            Expr::LocalFoe(slot) => self.foe_of(self.slot(base, *slot)),
            Expr::LocalMoveField { slot, index } => self.move_field(self.slot(base, *slot), *index),
            Expr::LocalZone { slot, zone } => self.zone_of(self.slot(base, *slot), *zone),
            Expr::LentZone { slot, foe: false, field, zone } => self.lent_zone(self.slot(base, *slot), *field, *zone),
            Expr::LentZone { slot, foe: true, field, zone } => self.lent_zone_of_foe(self.slot(base, *slot), *field, *zone),
            _ => self.evaluate_form(rules, base, expr),
        }
    }

    #[inline(never)]
    fn evaluate_form(&mut self, rules: Rules, base: usize, expr: &Expr) -> Value {
        // Whoever goes through many members asks whether it may be done.
        self.meter.add(1);
        match expr {
            Expr::Constant(value) => *value,
            Expr::Local(slot) => self.slot(base, *slot),
            Expr::LocalField { slot, field } => self.field(self.slot(base, *slot), *field),
            Expr::TableField(field) => self.field(Value::from(rules.cast.table), *field),
            Expr::LocalZone { slot, zone } => self.zone_of(self.slot(base, *slot), *zone),
            Expr::LentZone { slot, foe: false, field, zone } => self.lent_zone(self.slot(base, *slot), *field, *zone),
            Expr::LentZone { slot, foe: true, field, zone } => self.lent_zone_of_foe(self.slot(base, *slot), *field, *zone),
            Expr::LocalPlace(slot) => self.place_of(self.slot(base, *slot)),
            Expr::LocalFoe(slot) => self.foe_of(self.slot(base, *slot)),
            Expr::LocalMoveField { slot, index } => self.move_field(self.slot(base, *slot), *index),
            Expr::Field { of, field } => self.field_of(rules, base, of, *field),
            Expr::Zone { of, zone } => self.zone_of_owner(rules, base, of, *zone),
            Expr::PlaceOf(piece) => self.place_of_piece(rules, base, piece),
            Expr::HasMark { of, mark } => self.bears_mark(rules, base, of, *mark),
            Expr::KindIs { of, kind } => self.kind_is(rules, base, of, *kind),
            Expr::Printed { of, column } => self.printed(rules, base, of, *column),
            Expr::SheetIs { of, sheet } => self.sheet_is(rules, base, of, *sheet),
            Expr::Table => Value::from(rules.cast.table),
            Expr::Foe(side) => self.foe_of_side(rules, base, side),
            Expr::SideOf(entity) => self.side_of_entity(rules, base, entity),
            Expr::MoveField { of, index } => self.field_of_move(rules, base, of, *index),
            Expr::MoveIs { of, action } => self.move_is(rules, base, of, *action),
            Expr::MoveIn { of, family } => self.move_in(rules, base, of, *family),
            Expr::AsMove { of, family } => self.as_move(rules, base, of, *family),
            Expr::With { slot, value, then } => self.with(rules, base, *slot, value, then),
            Expr::Not(inner) => self.not(rules, base, inner),
            Expr::And(left, right) => self.and(rules, base, left, right),
            Expr::Or(left, right) => self.or(rules, base, left, right),
            Expr::Compare(comparison, left, right) => self.compare(rules, base, *comparison, left, right),
            Expr::CompareLists(comparison, left, right) => self.compare_two_lists(rules, base, *comparison, left, right),
            Expr::If(condition, yes, no) => self.either(rules, base, condition, yes, no),
            Expr::CountZone(zone) => self.count_zone(rules, base, zone),
            Expr::SumZone { zone, field } => self.sum_zone(rules, base, zone, *field),
            Expr::InZone { item, zone } => self.in_zone(rules, base, item, zone),
            Expr::Fold { hook, arguments } => self.fold(rules, base, *hook, arguments),
            Expr::Can { family, arguments } => self.can_with(rules, base, *family, arguments),
            Expr::CanWhere { family, arguments, slot, condition } => {
                self.can_where(rules, base, *family, arguments, (*slot, condition))
            }
            Expr::Supposing { changes, then } => self.supposing(rules, base, changes, then),
            Expr::Add(left, right) => self.add(rules, base, left, right),
            Expr::Subtract(left, right) => self.subtract(rules, base, left, right),
            Expr::Multiply(left, right) => self.multiply(rules, base, left, right),
            Expr::Divide { left, right, up } => self.divide(rules, base, left, right, *up),
            Expr::AtLeast(left, right) => self.at_least(rules, base, left, right),
            Expr::AtMost(left, right) => self.at_most(rules, base, left, right),
            Expr::IsOdd(number) => self.is_odd(rules, base, number),
            Expr::Concatenate(left, right) => self.concatenate(rules, base, left, right),
            Expr::FieldList { zone, field, sorted, down } => self.field_list(rules, base, zone, *field, (*sorted, *down)),
            Expr::Where { list, slot, condition } => self.list_where(rules, base, list, *slot, condition),
            Expr::Map { list, slot, value } => self.map(rules, base, list, *slot, value),
            Expr::MapZone { list, zone } => self.map_zone(rules, base, list, *zone),
            Expr::Every(kind) => self.every(rules, *kind),
            Expr::Sides => self.all_sides(rules),
            _ => self.evaluate_list(rules, base, expr),
        }
    }

    /// Whether a condition holds with `member` in `slot`.
    #[inline]
    pub fn test(&mut self, rules: Rules, base: usize, slot: u16, member: Value, condition: &Expr) -> bool {
        self.set_slot(base, slot, member);
        self.holds(rules, base, condition)
    }

    /// Whether a condition holds. Most are comparisons of two plain values.
    #[inline(always)]
    pub fn holds(&mut self, rules: Rules, base: usize, condition: &Expr) -> bool {
        match condition {
            Expr::Compare(comparison, left, right) => {
                let left = self.read(rules, base, left);
                let right = self.evaluate(rules, base, right);
                comparison.holds(left, right)
            }
            other => self.evaluate(rules, base, other) != 0,
        }
    }

    // --- entities ----------------------------------------------------------------

    #[inline(never)]
    fn field_of(&mut self, rules: Rules, base: usize, of: &Expr, field: u16) -> Value {
        let of = self.evaluate(rules, base, of);
        self.field(of, field)
    }

    #[inline(never)]
    fn zone_of_owner(&mut self, rules: Rules, base: usize, of: &Expr, zone: u16) -> Value {
        let of = self.evaluate(rules, base, of);
        self.zone_of(of, zone)
    }

    #[inline(never)]
    fn place_of_piece(&mut self, rules: Rules, base: usize, piece: &Expr) -> Value {
        let piece = self.evaluate(rules, base, piece);
        self.place_of(piece)
    }

    #[inline(never)]
    fn bears_mark(&mut self, rules: Rules, base: usize, of: &Expr, mark: u16) -> Value {
        let of = self.evaluate(rules, base, of);
        self.has_mark(of, mark) as Value
    }

    #[inline(never)]
    fn kind_is(&mut self, rules: Rules, base: usize, of: &Expr, kind: KindId) -> Value {
        let of = self.evaluate(rules, base, of);
        let is_kind = |of| rules.program.is_kind(of, kind);
        self.state.board.entities.get(of as usize).is_some_and(|entity| is_kind(entity.kind)) as Value
    }

    #[inline(never)]
    fn foe_of_side(&mut self, rules: Rules, base: usize, side: &Expr) -> Value {
        let side = self.evaluate(rules, base, side);
        self.foe_of(side)
    }

    #[inline(never)]
    fn side_of_entity(&mut self, rules: Rules, base: usize, entity: &Expr) -> Value {
        let entity = self.evaluate(rules, base, entity);
        self.state.board.side_of(rules.program, entity)
    }

    #[inline(never)]
    fn field_of_move(&mut self, rules: Rules, base: usize, of: &Expr, index: u16) -> Value {
        let of = self.evaluate(rules, base, of);
        self.move_field(of, index)
    }

    #[inline(never)]
    fn move_is(&mut self, rules: Rules, base: usize, of: &Expr, action: u16) -> Value {
        let of = self.evaluate(rules, base, of);
        (of >= 0 && self.state.lists.get(of as usize) == Some(&Value::from(action))) as Value
    }

    #[inline(never)]
    fn move_in(&mut self, rules: Rules, base: usize, of: &Expr, family: FamilyId) -> Value {
        let of = self.evaluate(rules, base, of);
        self.is_move_of(rules, of, family) as Value
    }

    #[inline(never)]
    fn as_move(&mut self, rules: Rules, base: usize, of: &Expr, family: FamilyId) -> Value {
        let of = self.evaluate(rules, base, of);
        if of != NONE && !self.is_move_of(rules, of, family) {
            let name = &rules.program.families[family as usize].name;
            return self.fault(&format!("a move of `{name}` is wanted, but another one was chosen"));
        }
        of
    }

    #[inline(never)]
    fn printed(&mut self, rules: Rules, base: usize, of: &Expr, column: u16) -> Value {
        let of = self.evaluate(rules, base, of);
        match rules.program.prints.value(of, column) {
            Some(value) => value,
            None => self.nothing_there(),
        }
    }

    #[inline(never)]
    fn sheet_is(&mut self, rules: Rules, base: usize, of: &Expr, sheet: SheetId) -> Value {
        let of = self.evaluate(rules, base, of);
        let prints = &rules.program.prints;
        prints.print(of).is_some_and(|print| prints.is_sheet(print.sheet, sheet)) as Value
    }

    #[inline(never)]
    fn with(&mut self, rules: Rules, base: usize, slot: Slot, value: &Expr, then: &Expr) -> Value {
        let value = self.evaluate(rules, base, value);
        self.set_slot(base, slot, value);
        self.evaluate(rules, base, then)
    }

    #[inline(never)]
    fn can_with(&mut self, rules: Rules, base: usize, family: FamilyId, arguments: &[Expr]) -> Value {
        let arguments = self.arguments(rules, base, arguments);
        self.can(rules, family, &arguments) as Value
    }

    #[inline(never)]
    fn can_where(&mut self, rules: Rules, base: usize, family: FamilyId, arguments: &[Expr], fitting: (Slot, &Expr)) -> Value {
        let arguments = self.arguments(rules, base, arguments);
        self.can_such(rules, base, family, &arguments, fitting) as Value
    }

    /// Works out a value with other values in some fields, which then get back what they had.
    #[inline(never)]
    fn supposing(&mut self, rules: Rules, base: usize, changes: &[Supposed], then: &Expr) -> Value {
        let mut wanted = Vec::with_capacity(changes.len());
        for supposed in changes {
            let of = self.evaluate(rules, base, &supposed.of);
            wanted.push((of, supposed.field, self.evaluate(rules, base, &supposed.value)));
        }
        let mut before = Vec::with_capacity(changes.len());
        for (of, field, value) in wanted {
            let found = self.field(of, field);
            if self.fault.is_none() && self.change_field(rules, of, field, value) {
                before.push((of, field, found));
            }
        }
        let value = self.evaluate(rules, base, then);
        // The last change first, as one field may stand there twice.
        for (of, field, found) in before.into_iter().rev() {
            if let Some(cell) = self.state.board.field_mut(of, field) {
                *cell = found;
            }
        }
        value
    }

    // --- single reads ----------------------------------------------------------

    #[inline(always)]
    pub fn slot(&self, base: usize, slot: u16) -> Value {
        self.state.slots.get(base + slot as usize).copied().unwrap_or(NONE)
    }

    #[inline]
    pub fn set_slot(&mut self, base: usize, slot: u16, value: Value) {
        if let Some(place) = self.state.slots.get_mut(base + slot as usize) {
            *place = value;
        }
    }

    #[inline(always)]
    pub fn field(&mut self, of: Value, field: u16) -> Value {
        match self.state.board.field(of, field) {
            Some(value) => value,
            None => self.nothing_there(),
        }
    }

    #[inline(always)]
    fn zone_of(&mut self, of: Value, zone: u16) -> Value {
        match self.state.board.zone_of(of, zone) {
            Some(zone) => Value::from(zone),
            None => self.nothing_there(),
        }
    }

    #[inline(always)]
    pub fn place_of(&self, piece: Value) -> Value {
        self.state.board.place_of(piece)
    }

    #[inline(always)]
    fn foe_of(&mut self, side: Value) -> Value {
        if side & !1 == 0 { 1 - side } else { self.nothing_there() }
    }

    fn is_move_of(&self, rules: Rules, of: Value, family: FamilyId) -> bool {
        let action = usize::try_from(of).ok().and_then(|of| self.state.lists.get(of));
        let own = action.and_then(|action| rules.program.actions.get(*action as usize)).and_then(|action| action.family);
        own.is_some_and(|own| rules.program.is_family(own, family))
    }

    #[inline(always)]
    fn move_field(&mut self, of: Value, index: u16) -> Value {
        match self.state.lists.get((of as usize).wrapping_add(2 + usize::from(index))) {
            Some(value) if of >= 0 => *value,
            _ => self.nothing_there(),
        }
    }

    #[inline]
    pub fn has_mark(&self, of: Value, mark: u16) -> bool {
        self.state.board.has_mark(of, mark)
    }

    /// A zone of what a field of a side refers to.
    #[inline(always)]
    fn lent_zone(&mut self, side: Value, field: u16, zone: u16) -> Value {
        match self.state.board.field(side, field) {
            Some(lender) => self.zone_of(lender, zone),
            None => self.nothing_there(),
        }
    }

    #[inline(always)]
    fn lent_zone_of_foe(&mut self, side: Value, field: u16, zone: u16) -> Value {
        if side & !1 == 0 { self.lent_zone(1 - side, field, zone) } else { self.nothing_there() }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn nothing_there(&mut self) -> Value {
        self.fault("something is asked of nothing: a `none` has no fields, zones or foe")
    }
}

impl Eval {
    /// Evaluates a formula in slots of its own.
    pub fn evaluate_apart(&mut self, rules: Rules, expr: &Expr, slots: u16, arguments: &[Value]) -> Value {
        let (base, lists) = (self.state.slots.len(), self.state.lists.len());
        self.state.slots.resize(base + slots as usize, NONE);
        for (index, argument) in arguments.iter().enumerate() {
            self.set_slot(base, index as u16, *argument);
        }
        let value = self.evaluate(rules, base, expr);
        self.state.slots.truncate(base);
        self.state.lists.truncate(lists);
        value
    }
}
