//! Compiles divided totals: the question, and reading a receiver's part.
//!
//! In `side must divide 6 in steps of 1 among shores as guards`, the answer is a list of amounts, one for each receiver, here the
//! shores. A second slot keeps the list of receivers, because it says which amount is whose. Both are locals in scope, one after
//! the other, the second under a name that rules cannot write.

use super::{Compiler, Local, Meaning};
use crate::types::Type;
use ludex_program::{AskCodeWhat, DivideCode, Expr, Slot};
use ludex_syntax::tree::{Expr as Written, Name};

impl Compiler<'_> {
    /// Compiles the question, and returns the type of a receiver. A constant total is checked here.
    pub(super) fn compile_divide(&mut self, total: &Written, step: &Written, among: &Written) -> (AskCodeWhat, Type) {
        let place = total.span.extend_to(step.span);
        let (total, step) = (self.compile_number(total), self.compile_number(step));
        if let (Expr::Constant(total), Expr::Constant(step)) = (&total, &step) {
            let problem = DivideCode::division_problem(i64::from(*total), i64::from(*step));
            self.problems.extend(problem.map(|problem| problem.with_label(place, "divided here")));
        }
        let (among, receiver) = self.compile_list(among);
        let receivers = self.allocate_slot("", receiver.clone().into_list().to_shape());
        (AskCodeWhat::Divide(Box::new(DivideCode { total, step, among, item: receiver.to_shape(), receivers })), receiver)
    }

    /// Returns the slot of the amounts of `name`. The slot after it keeps the receivers, which is noted in `what`.
    pub(super) fn amounts_slot(&mut self, name: &Name, amounts: Type, receiver: Type, what: &mut AskCodeWhat) -> Slot {
        let receivers = (receivers_name(&name.text), receiver.into_list());
        let [slot, receivers] = self.slots_together([(name.text.clone(), amounts), receivers]);
        set_receivers(what, receivers);
        slot
    }

    /// Returns the slots of the amounts and of the seats asked, for questions asked at once. `members` are the name and type of the
    /// list of seats. A third slot keeps a list of receivers for each of them.
    pub(super) fn amounts_slots(
        &mut self,
        name: &Name,
        amounts: Type,
        members: (String, Type),
        receiver: Type,
        what: &mut AskCodeWhat,
    ) -> (Slot, Slot) {
        let receivers = (receivers_name(&name.text), receiver.into_list().into_list());
        let [slot, members, receivers] = self.slots_together([(name.text.clone(), amounts), members, receivers]);
        set_receivers(what, receivers);
        (slot, members)
    }

    /// Slots for names that belong together: existing ones in the same order are reused, else new ones are allocated.
    fn slots_together<const N: usize>(&mut self, names: [(String, Type); N]) -> [Slot; N] {
        let locals = &self.function.locals;
        let first = locals.find_index(&names[0].0).unwrap_or(locals.len());
        let known: Vec<Local> = locals.iter().skip(first).take(N).cloned().collect();
        let same = known.len() == N && known.iter().zip(&names).all(|(local, (name, of))| local.name == *name && local.of == *of);
        let mut known = known.into_iter().filter(|_| same);
        names.map(|(name, of)| match known.next() {
            Some(Local { meaning: Meaning::Slot(slot), .. }) => {
                self.keep_lists(slot, &of);
                slot
            }
            _ => self.add_slot(&name, of),
        })
    }

    /// The receivers of a name's amounts.
    pub(super) fn find_receivers(&self, name: &str) -> Option<&Local> {
        // They follow the name directly, or follow the members asked at once.
        self.receivers_at_distance(name, 1).or_else(|| self.receivers_at_distance(name, 2))
    }

    /// The receivers, if they follow the name at this distance among the locals.
    fn receivers_at_distance(&self, name: &str, places: usize) -> Option<&Local> {
        let at = self.function.locals.find_index(name)?;
        self.function.locals.get(at + places).filter(|local| local.name == receivers_name(name))
    }

    /// Compiles `shares(frog)`: a receiver's part of a total that one seat has divided. None if the name has no such amounts.
    pub(super) fn compile_receiver_part(&mut self, name: &Name, arguments: &[Written]) -> Option<(Expr, Type)> {
        let (amounts, receivers) = (self.find_local(&name.text)?.clone(), self.receivers_at_distance(&name.text, 1)?.clone());
        let Type::List(receiver) = receivers.of else { return None };
        let [of] = arguments else {
            self.report_wrong_count(&name.text, 1, arguments.len(), name.span);
            return Some((Expr::Constant(0), Type::Number));
        };
        let of = self.compile_as_type(of, &receiver);
        Some((answer_of_member(slot_expression(&amounts.meaning)?, slot_expression(&receivers.meaning)?, of), Type::Number))
    }
}

/// The member of `answers` at the index of `of` in `members`.
pub(super) fn answer_of_member(answers: Expr, members: Expr, of: Expr) -> Expr {
    Expr::AnswerOf { answers: Box::new(answers), members: Box::new(members), of: Box::new(of) }
}

/// A read of a local's slot. Answers always have one, so none is another thing of that name.
pub(super) fn slot_expression(meaning: &Meaning) -> Option<Expr> {
    match meaning {
        Meaning::Slot(slot) => Some(Expr::Local(*slot)),
        Meaning::Alias(_) => None,
    }
}

/// Sets the slot that a question to divide fills with its receivers.
fn set_receivers(what: &mut AskCodeWhat, slot: Slot) {
    if let AskCodeWhat::Divide(divide) = what {
        divide.receivers = slot;
    }
}

/// The internal name of the receivers of a name's amounts. It cannot be written in rules.
fn receivers_name(name: &str) -> String {
    format!("those who get {name}")
}
