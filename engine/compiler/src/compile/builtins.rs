//! Compiles `WORD of …` by the table of builtins.
//!
//! A builtin is a word such as `count`, `sum` or `first`. The table in `crate::builtins` states for each which operands it takes
//! (`takes`), the type it gives (`gives`) and the expression it becomes (`lower`). A refusal is the error for an operand of another
//! type.

use super::Compiler;
use crate::builtins::{Builtin, BuiltinOperand, NO_EXTREME, OperandKind, Refusal, find_builtin};
use crate::types::Type;
use ludex_program::{Expr, NONE};
use ludex_syntax::tree::{Expr as Written, ExprKind, Extreme};

impl Compiler<'_> {
    /// Compiles `WORD of operand`. The grammar allows only the words of the table.
    pub(super) fn compile_builtin(&mut self, word: &str, operand: &Written) -> (Expr, Type) {
        let Some(builtin) = find_builtin(word) else { return (Expr::Constant(NONE), Type::Unknown) };
        match &builtin.takes {
            OperandKind::Number(refusal) => self.builtin_of_number(builtin, refusal, operand),
            OperandKind::Several => {
                let (list, item) = self.compile_list(operand);
                self.builtin_of_list(builtin, list, item)
            }
            OperandKind::Counted { zone, refusal } => self.builtin_of_zone(builtin, *zone, refusal, operand),
            OperandKind::Numbers(refusal) => self.builtin_of_numbers(builtin, refusal, operand),
            OperandKind::Fields { field_of_zone, refusal } => match self.field_of_zone(operand) {
                Some((zone, field, of)) => (field_of_zone(Box::new(zone), field), (builtin.gives)(of)),
                None => self.builtin_of_numbers(builtin, refusal, operand),
            },
        }
    }

    /// Compiles `highest 3 of xs` and `lowest 2 of xs`.
    pub(super) fn compile_extremes(&mut self, extreme: Extreme, count: &Written, operand: &Written) -> (Expr, Type) {
        let count = Box::new(self.compile_number(count));
        let (list, item) = self.compile_list(operand);
        if !item.is_number() {
            self.report_refusal(&NO_EXTREME, &item, operand);
        }
        (Expr::Keep { highest: extreme == Extreme::Highest, count, list: Box::new(list) }, item.into_list())
    }

    /// A builtin of a list that is compiled already. `item` is the type of its members.
    fn builtin_of_list(&self, builtin: &Builtin, list: Expr, item: Type) -> (Expr, Type) {
        let pieces = self.program.is_piece(&item.to_shape());
        ((builtin.lower)(BuiltinOperand { value: Box::new(list), pieces }), (builtin.gives)(item))
    }

    /// Compiles a builtin of one number. Halves are refused.
    fn builtin_of_number(&mut self, builtin: &Builtin, refusal: &Refusal, operand: &Written) -> (Expr, Type) {
        let (expr, of) = self.compile_expression(operand);
        if of == Type::Halves {
            self.report_refusal(refusal, &of, operand);
            return (expr, of);
        }
        let value = Box::new(self.fit_type(expr, of, &Type::Number, operand.span));
        ((builtin.lower)(BuiltinOperand { value, pieces: false }), (builtin.gives)(Type::Number))
    }

    /// Compiles a builtin of a list of numbers.
    fn builtin_of_numbers(&mut self, builtin: &Builtin, refusal: &Refusal, operand: &Written) -> (Expr, Type) {
        let (list, item) = self.compile_list(operand);
        if !item.is_number() {
            self.report_refusal(refusal, &item, operand);
        }
        self.builtin_of_list(builtin, list, item)
    }

    /// Compiles a builtin that has a form of its own (`zone`) for a zone, so that no list of its pieces is made. Any other operand
    /// must be a list.
    fn builtin_of_zone(
        &mut self,
        builtin: &Builtin,
        zone: fn(Box<Expr>) -> Expr,
        refusal: &Refusal,
        operand: &Written,
    ) -> (Expr, Type) {
        let (expr, found) = self.compile_as_declared(operand);
        if let Type::Zone(kind) = found.without_none() {
            return (zone(Box::new(expr)), (builtin.gives)(Type::Entity(*kind)));
        }
        match self.convert_to_list(expr, found.clone()) {
            Some((list, item)) => self.builtin_of_list(builtin, list, item),
            None => {
                self.report_refusal(refusal, &found, operand);
                (Expr::Constant(0), (builtin.gives)(Type::Unknown))
            }
        }
    }

    /// Compiles the zone and the field of `zone.field`, if the field is a number. None leaves no problem behind: the operand is
    /// then compiled as a list.
    fn field_of_zone(&mut self, operand: &Written) -> Option<(Expr, u16, Type)> {
        let ExprKind::Member(owner, name) = &operand.kind else { return None };
        let problems = self.problems.len();
        if let (zone, Type::Zone(kind)) = self.compile_expression(owner)
            && let Some((field, of)) = self.symbols.find_field(kind, &name.text)
            && of.is_number()
        {
            return Some((zone, field, of));
        }
        self.problems.truncate(problems);
        None
    }

    fn report_refusal(&mut self, refusal: &Refusal, found: &Type, operand: &Written) {
        let words = self.type_text(found);
        self.report_error(refusal.code, (refusal.message)(&words), operand.span, refusal.remark);
    }
}
