//! Compiles `WORD of …` by the table of builtins.

use super::Compiler;
use crate::builtins::{Builtin, Given, NO_EXTREME, Refusal, Takes, builtin};
use crate::types::Type;
use ludex_program::{Expr, NONE};
use ludex_syntax::tree::{Expr as Written, ExprKind, Extreme};

impl Compiler<'_> {
    pub(super) fn of(&mut self, word: &str, operand: &Written) -> (Expr, Type) {
        let Some(builtin) = builtin(word) else { return (Expr::Constant(NONE), Type::Unknown) };
        match &builtin.takes {
            Takes::Number(refusal) => self.of_number(builtin, refusal, operand),
            Takes::Several => {
                let (list, item) = self.list(operand);
                self.of_list(builtin, list, item)
            }
            Takes::Counted { zone, refusal } => self.counted(builtin, *zone, refusal, operand),
            Takes::Numbers(refusal) => self.of_numbers(builtin, refusal, operand),
            Takes::Fields { field_of_zone, refusal } => match self.field_of_zone(operand) {
                Some((zone, field, of)) => (field_of_zone(Box::new(zone), field), (builtin.gives)(of)),
                None => self.of_numbers(builtin, refusal, operand),
            },
        }
    }

    /// Compiles `highest 3 of xs` and `lowest 2 of xs`.
    pub(super) fn extremes(&mut self, extreme: Extreme, count: &Written, operand: &Written) -> (Expr, Type) {
        let count = Box::new(self.number(count));
        let (list, item) = self.list(operand);
        if !item.is_number() {
            self.refuse(&NO_EXTREME, &item, operand);
        }
        (Expr::Keep { highest: extreme == Extreme::Highest, count, list: Box::new(list) }, item.list())
    }

    fn of_list(&self, builtin: &Builtin, list: Expr, item: Type) -> (Expr, Type) {
        let pieces = self.program.is_piece(&item.shape());
        ((builtin.lower)(Given { value: Box::new(list), pieces }), (builtin.gives)(item))
    }

    fn of_number(&mut self, builtin: &Builtin, refusal: &Refusal, operand: &Written) -> (Expr, Type) {
        let (expr, of) = self.expression(operand);
        if of == Type::Halves {
            self.refuse(refusal, &of, operand);
            return (expr, of);
        }
        let value = Box::new(self.fit(expr, of, &Type::Number, operand.span));
        ((builtin.lower)(Given { value, pieces: false }), (builtin.gives)(Type::Number))
    }

    fn of_numbers(&mut self, builtin: &Builtin, refusal: &Refusal, operand: &Written) -> (Expr, Type) {
        let (list, item) = self.list(operand);
        if !item.is_number() {
            self.refuse(refusal, &item, operand);
        }
        self.of_list(builtin, list, item)
    }

    fn counted(&mut self, builtin: &Builtin, zone: fn(Box<Expr>) -> Expr, refusal: &Refusal, operand: &Written) -> (Expr, Type) {
        let (expr, found) = self.expression_as_declared(operand);
        if let Type::Zone(kind) = found.certain() {
            return (zone(Box::new(expr)), (builtin.gives)(Type::Entity(*kind)));
        }
        match self.as_list(expr, found.clone()) {
            Some((list, item)) => self.of_list(builtin, list, item),
            None => {
                self.refuse(refusal, &found, operand);
                (Expr::Constant(0), (builtin.gives)(Type::Unknown))
            }
        }
    }

    /// Compiles the zone and the field of `zone.field`, if the field is a number.
    fn field_of_zone(&mut self, operand: &Written) -> Option<(Expr, u16, Type)> {
        let ExprKind::Member(owner, name) = &operand.kind else { return None };
        let problems = self.problems.len();
        if let (zone, Type::Zone(kind)) = self.expression(owner)
            && let Some((field, of)) = self.symbols.field(kind, &name.text)
            && of.is_number()
        {
            return Some((zone, field, of));
        }
        self.problems.truncate(problems);
        None
    }

    fn refuse(&mut self, refusal: &Refusal, found: &Type, operand: &Written) {
        let words = self.type_words(found);
        self.complain(refusal.code, (refusal.message)(&words), operand.span, refusal.remark);
    }
}
