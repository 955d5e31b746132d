//! Checks values that may be `none`: tests narrow their types, and a required value must be certain.
//!
//! A fact says that a value is certainly not `none`, or that a list certainly has a member. Facts are kept for the current point of
//! the code ([`Presence`]), and compared by the compiled expression: `die.target` after `if die.target is not none`. In the
//! functions here, `told` are facts to be learnt.

use super::{Compiler, Meaning};
use crate::types::Type;
use ludex_program::condition_facts::{ConditionFacts, SureFact};
use ludex_program::presence::{LearntFacts, Presence, is_small};
use ludex_program::{Calculation, Expr, Slot};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::Span;
use ludex_syntax::tree::{Expr as Written, ExprKind};

impl Compiler<'_> {
    /// The type of an expression at this point: a tested value is certain.
    pub(super) fn narrow_type(&self, expr: &Expr, of: Type) -> Type {
        match of {
            Type::OrNone(inner) if self.function.presence.is_present(expr) => *inner,
            of => of,
        }
    }

    /// Reports a value that may be missing but is required.
    pub(super) fn require_value(&mut self, written: &Written, expr: &Expr, of: &Type) {
        if let Type::OrNone(inner) = of {
            let help = missing_value_help(written);
            self.report_may_be_none(expr, inner, written.span, help);
        }
    }

    /// Reports a value that may be missing, at any place. `inner` is the type that it has if it is there.
    pub(super) fn report_may_be_none(&mut self, expr: &Expr, inner: &Type, span: Span, help: String) {
        let words = self.type_text(inner);
        let problem = Problem::error(codes::MAY_BE_NONE, format!("this may be none instead of {words}"));
        let problem = problem.with_label(span, "may be none").help(help);
        // A definition is compiled at each use.
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
        // Report it once only, not at every later use.
        self.learn_for_good(vec![SureFact::There(expr.clone())]);
    }

    /// Turns one seat's answer to a question that must be answered into a certain value. The seat may have had nothing to choose
    /// from and given none; using its answer is then a fault of its own. Other values are returned unchanged.
    pub(super) fn owed_answer(&self, expr: Expr, of: Type) -> (Expr, Type) {
        let is_owed = |answers: &Expr| matches!(answers, Expr::Local(slot) if self.function.owed.contains(slot));
        match (&expr, of) {
            (Expr::AnswerOf { answers, .. }, Type::OrNone(inner)) if is_owed(answers) => {
                (Expr::Calculated(Calculation::Owed, vec![expr]), *inner)
            }
            (_, of) => (expr, of),
        }
    }

    /// The facts about a list and about a member of it in a slot, inside an expression for each member.
    pub(super) fn member_facts(&self, list: &Expr, slot: Slot) -> Vec<SureFact> {
        if !is_small(list) {
            return Vec::new();
        }
        let mut told = vec![SureFact::Filled(list.clone())];
        // The member has passed the condition of the list.
        if let Expr::Where { slot: it, condition, .. } = list {
            let mut passed = self.condition_facts(condition).holds;
            let number = |read: Slot| if read == *it { slot } else { read };
            passed.iter_mut().for_each(|is| is.expr_mut().renumber_slots(&number));
            told.extend(passed);
        }
        // A position up to the length, counted from 1, has a member.
        if let Expr::Range(from, to) = list
            && let Expr::Constant(1..) = **from
        {
            let place = || Box::new(Expr::Local(slot));
            match to.as_ref() {
                Expr::CountZone(zone) => {
                    let pieces = Expr::ZoneList(zone.clone());
                    told.push(SureFact::Filled(Expr::Top { count: place(), zone: zone.clone() }));
                    told.push(SureFact::There(Expr::Calculated(Calculation::Nth, vec![pieces.clone(), Expr::Local(slot)])));
                    told.push(SureFact::Filled(pieces));
                }
                Expr::CountList(list) => {
                    let member = vec![(**list).clone(), Expr::Local(slot)];
                    told.push(SureFact::There(Expr::Calculated(Calculation::Nth, member)));
                    told.push(SureFact::Filled((**list).clone()));
                }
                _ => {}
            }
        }
        told
    }

    /// The facts that follow if a condition holds, and if it does not.
    pub(super) fn condition_facts(&self, condition: &Expr) -> ConditionFacts {
        self.function.presence.condition_facts(condition)
    }

    /// Learns facts until they are unlearnt. Those learnt last must be unlearnt first.
    pub(super) fn learn_facts(&mut self, told: Vec<SureFact>) -> LearntFacts {
        self.function.presence.learn_facts(told)
    }

    /// Learns facts that hold from here on.
    pub(super) fn learn_for_good(&mut self, told: Vec<SureFact>) {
        let _ = self.function.presence.learn_facts(told);
    }

    /// Lowers an expression under the given facts.
    pub(super) fn with_facts<T>(&mut self, told: Vec<SureFact>, lower: impl FnOnce(&mut Self) -> T) -> T {
        let learnt = self.learn_facts(told);
        let result = lower(self);
        self.function.presence.unlearn_facts(learnt);
        result
    }

    /// Lowers code whose facts must not reach the code after it. Also returns the facts at its end.
    pub(super) fn with_separate_facts<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> (T, Presence) {
        let before = self.function.presence.clone();
        let result = run(self);
        (result, std::mem::replace(&mut self.function.presence, before))
    }

    /// Sets whether a local's slot is certainly filled, by its type. An alias has no slot of its own.
    pub(super) fn set_presence(&mut self, meaning: &Meaning, of: &Type) {
        if let Meaning::Slot(slot) = meaning {
            self.function.presence.assign_slot(*slot, !matches!(of, Type::OrNone(_) | Type::None));
        }
    }
}

/// Suggests a test for a value that may be missing, in terms of the value as written.
pub(super) fn missing_value_help(written: &Written) -> String {
    match (&written.kind, name_text(written)) {
        (_, Some(name)) => format!("test it first: `if {name} is not none {{ … }}`"),
        (ExprKind::Of(_, list) | ExprKind::Nth(_, list), None) => match name_text(list) {
            Some(list) => format!("test first whether there is one: `if {list} is not empty {{ … }}`"),
            None => IN_GENERAL.to_string(),
        },
        _ => IN_GENERAL.to_string(),
    }
}

/// The suggestion for a value that is not a name.
pub(super) const IN_GENERAL: &str = "give it a name, `let found = …`, and test that first: `if found is not none { … }`";

/// A name or a chain of members, as written.
fn name_text(written: &Written) -> Option<String> {
    match &written.kind {
        ExprKind::Name(name) => Some(name.clone()),
        ExprKind::Member(of, name) => Some(format!("{}.{}", name_text(of)?, name.text)),
        ExprKind::Call(name, arguments) => {
            let arguments: Option<Vec<String>> = arguments.iter().map(name_text).collect();
            Some(format!("{}({})", name.text, arguments?.join(", ")))
        }
        _ => None,
    }
}
