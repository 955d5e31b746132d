//! Analyses how the list of a throw's results is read before it is forgotten, so that indistinguishable throws are counted
//! together.
//!
//! Mostly, the list is only counted, summed, or searched for its highest member. Each of these is a fold: its value for a throw
//! and one more die depends only on its value for the throw and on the die. Throws with equal values of all folds continue alike.
//!
//! A fold is computed when the dice are thrown, before the expression that asks for it. So everything that it reads must be known
//! by then: a slot that is written in between, or filled by a surrounding form, rules the fold out. The exception is a member of
//! a list that is itself known by then, as in `(1..6) where it in shown`: the fold is then asked for each member. Any other
//! reading is not a fold, and the throw is remembered as it is.
//!
//! `search` asks with [`find_reading`] before it lists the results of a throw. `highest_members` and `open_dice` ask about single
//! steps with [`read_step`]. A list is *plain* if each die makes its part of it alone, so that it can be folded.

use ludex_program::flow::def_use;
use ludex_program::operands::Operand;
use ludex_program::{Address, BestKey, Calculation, Expr, Instruction, ProcedureId, Program, Quantifier, Slot};
use std::collections::{BTreeMap, BTreeSet};

/// The part of a throw that must be remembered.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    /// Each die in its place.
    Ordered,
    /// The number of dice that show each number.
    Unordered,
    /// The values of these folds, computed in the frame that rolls. The slots hold the throw at some time.
    Folds(Vec<Fold>, BTreeSet<Slot>),
}

/// A value that is computed from a list die by die.
#[derive(Clone, Debug, PartialEq)]
pub struct Fold {
    /// The way in which the members are combined.
    pub kind: FoldKind,
    /// The folded list, made of what one die shows; for `Any` and `All`, the fold itself.
    pub expr: Expr,
    /// The number of members kept, for `Kept`.
    pub count: Option<Expr>,
    /// The fold is asked for each member of these lists, the outermost first. The slot holds the member.
    pub over: Vec<(Slot, Expr)>,
}

impl Fold {
    /// Whether the fold depends on a slot.
    pub fn reads_slot(&self, slot: Slot) -> bool {
        let mut read = std::iter::once(&self.expr).chain(&self.count).chain(self.over.iter().map(|(_, list)| list));
        read.any(|expr| expr.unbound_slots().contains(&slot))
    }
}

/// The way in which a fold combines the members of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FoldKind {
    Count,
    Sum,
    Highest,
    Lowest,
    /// True if it is true for one die.
    Any,
    /// True if it is true for each die.
    All,
    /// The sum of this many highest or lowest members.
    Kept {
        highest: bool,
        count: usize,
    },
}

/// The address at which a waiting frame continues, and the slot for its result.
pub type WaitingFrame = (Address, Option<Slot>);

/// Returns how the results that the instruction at an address puts into a slot are read. `callers` are the frames around it, the
/// innermost first; empty if they are unknown.
pub fn find_reading(program: &Program, at: Address, slot: Slot, callers: &[WaitingFrame]) -> Reading {
    let mut search = ListSearch::new(program, 0);
    let mut returned = search.follow_list(at + 1, slot);
    for (at, slot) in callers {
        if returned == ListKind::Other {
            break;
        }
        match (returned, slot) {
            (ListKind::Bag { .. }, Some(slot)) => {
                search.unordered = true;
                returned = search.follow_list(*at, *slot);
            }
            // In an order that does not depend on the throw.
            (ListKind::Fixed { .. }, Some(_)) => {
                search.unordered = true;
                returned = ListKind::Other;
            }
            _ => returned = ListKind::Other,
        }
    }
    // The value of the expression itself.
    search.ordered |= matches!(returned, ListKind::Bag { .. });
    search.unordered |= matches!(returned, ListKind::Fixed { .. }) || !search.members.is_empty();
    match search {
        ListSearch { ordered: true, .. } => Reading::Ordered,
        ListSearch { unordered: true, .. } => Reading::Unordered,
        search => Reading::Folds(search.folds, search.shown_in),
    }
}

/// The relation of an expression or slot to the throw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ListKind {
    /// Unrelated, or a number computed from the throw.
    #[default]
    Other,
    /// A list made from the throw member by member, in the order of the dice.
    Bag { plain: bool },
    /// The same, in an order that does not depend on the dice.
    Fixed { plain: bool },
}

impl ListKind {
    /// The kind of a list that may come from either of two paths, or is made of two lists.
    fn join_kinds(self, other: ListKind) -> ListKind {
        match (self, other) {
            (ListKind::Other, list) | (list, ListKind::Other) => list,
            (ListKind::Bag { plain: one }, ListKind::Bag { plain: other }) => ListKind::Bag { plain: one && other },
            (ListKind::Fixed { plain: one }, ListKind::Fixed { plain: other }) => ListKind::Fixed { plain: one && other },
            _ => ListKind::Bag { plain: false },
        }
    }

    /// Whether each die makes its part of the list alone.
    fn is_plain(self) -> bool {
        matches!(self, ListKind::Bag { plain: true } | ListKind::Fixed { plain: true })
    }

    /// The list itself if `stays`; otherwise it can no longer be folded die by die.
    fn plain_only_if(self, stays: bool) -> ListKind {
        match self {
            ListKind::Other => ListKind::Other,
            ListKind::Bag { plain } => ListKind::Bag { plain: plain && stays },
            ListKind::Fixed { plain } => ListKind::Fixed { plain: plain && stays },
        }
    }
}

/// The slots that hold lists made from the throw.
pub type Kinds = BTreeMap<Slot, ListKind>;

/// For each address reached while the list is remembered, the slots that hold it.
pub fn kinds_at(program: &Program, from: Address, slot: Slot) -> BTreeMap<Address, Kinds> {
    ListSearch::new(program, 0).spread_list(from, slot)
}

/// The reading of lists made from a throw, in one step.
#[derive(Debug)]
pub struct StepReading {
    /// More than the other fields say may matter.
    pub everything: bool,
    /// Single members of lists in an order given by their numbers: the place, counted from 1, and the list.
    pub members: Vec<(Expr, Expr)>,
    pub folds: Vec<Fold>,
}

/// Analyses how a step reads the lists in some slots.
pub fn read_step(program: &Program, at: Address, slots: &Kinds) -> StepReading {
    let mut search = ListSearch::new(program, DEEPEST);
    let def_use = def_use(program, at);
    let asks = instruction_at(program, at).is_some_and(|step| step.ask_code().is_some());
    let own = asks || def_use.unclear || def_use.slots.iter().any(|slot| slots.contains_key(slot));
    let written = BTreeSet::new();
    let mut look = Look::new(&mut search, slots.clone(), &written);
    def_use.reads.iter().for_each(|expr| look.note_ordered_use(expr));
    StepReading { everything: own || search.ordered || search.unordered, members: search.members, folds: search.folds }
}

/// Follows lists made from a throw through the code, and collects how they are read. It ends up with folds only if neither
/// `ordered` nor `unordered` is set.
struct ListSearch<'p> {
    program: &'p Program,
    /// The results must be remembered die by die, in order.
    ordered: bool,
    /// At least the number of dice that show each number must be remembered.
    unordered: bool,
    folds: Vec<Fold>,
    /// Single members that are read, by their places.
    members: Vec<(Expr, Expr)>,
    /// Slots that hold the throw itself.
    shown_in: BTreeSet<Slot>,
    /// The depth of the procedures that are being followed.
    depth: u32,
}

/// Maximum depth of procedures that are followed when a list is passed on.
const DEEPEST: u32 = 6;

impl<'p> ListSearch<'p> {
    fn new(program: &'p Program, depth: u32) -> ListSearch<'p> {
        let (folds, members, shown_in) = (Vec::new(), Vec::new(), BTreeSet::new());
        ListSearch { program, ordered: false, unordered: false, folds, members, shown_in, depth }
    }

    /// Follows a list from an address on, and returns the kind of list that the procedure returns.
    fn follow_list(&mut self, from: Address, slot: Slot) -> ListKind {
        let known = self.spread_list(from, slot);
        // A slot that changes in the meantime no longer has its value at the throw.
        let written: BTreeSet<Slot> = known.keys().flat_map(|at| def_use(self.program, *at).writes).collect();
        let mut returned = ListKind::Other;
        for (at, slots) in &known {
            let def_use = def_use(self.program, *at);
            let step = instruction_at(self.program, *at);
            // The answer to a question refers to the members of a list by their places.
            let asks_about_it = step.is_some_and(|step| step.ask_code().is_some())
                && def_use.reads.iter().flat_map(|expr| expr.unbound_slots()).any(|slot| slots.contains_key(&slot));
            if asks_about_it || def_use.unclear || matches!(step, Some(Instruction::Write { .. })) {
                self.ordered = true;
                continue;
            }
            let mut look = Look::new(self, slots.clone(), &written);
            match instruction_at(look.search.program, *at) {
                // Another name for the list.
                Some(Instruction::Let { value, .. }) => {
                    look.note_expression(value);
                }
                Some(Instruction::Call { procedure, arguments, .. }) => {
                    for (index, argument) in arguments.iter().enumerate() {
                        match look.note_expression(argument) {
                            ListKind::Other => {}
                            ListKind::Bag { .. } => look.search.follow_into(*procedure, index as Slot),
                            ListKind::Fixed { .. } => look.search.unordered = true,
                        }
                    }
                }
                Some(Instruction::Return { value: Some(value) }) => returned = returned.join_kinds(look.note_expression(value)),
                _ => {
                    let loops = def_use.slots.iter().any(|slot| slots.contains_key(slot));
                    def_use.reads.iter().for_each(|expr| look.note_ordered_use(expr));
                    self.ordered |= loops;
                }
            }
            let names = slots.iter().filter(|(_, list)| list.is_plain());
            self.shown_in.extend(names.map(|(slot, _)| *slot));
        }
        returned
    }

    /// Follows a list that becomes an argument of a procedure. Folds there do not belong to the frame that rolls, so all numbers
    /// matter.
    fn follow_into(&mut self, procedure: ProcedureId, param: Slot) {
        let Some(info) = self.program.procedures.get(usize::from(procedure)) else { return };
        self.unordered = true;
        if self.depth >= DEEPEST {
            self.ordered = true;
            return;
        }
        self.depth += 1;
        let returned = self.follow_list(info.start, param);
        self.ordered |= matches!(returned, ListKind::Bag { .. });
        self.depth -= 1;
    }

    /// For each address reached while the list is remembered, the slots that hold it.
    fn spread_list(&self, from: Address, slot: Slot) -> BTreeMap<Address, Kinds> {
        let mut known = BTreeMap::from([(from, Kinds::from([(slot, ListKind::Bag { plain: true })]))]);
        let mut waiting = vec![from];
        while let Some(at) = waiting.pop() {
            let Some(mut slots) = known.get(&at).cloned() else { continue };
            let def_use = def_use(self.program, at);
            let put = match instruction_at(self.program, at) {
                Some(Instruction::Let { slot, value, .. }) => Some((*slot, self.list_made_by(value, &slots))),
                _ => None,
            };
            for written in &def_use.writes {
                slots.remove(written);
            }
            if let Some((slot, list)) = put.filter(|(_, list)| *list != ListKind::Other) {
                slots.insert(slot, list);
            }
            if slots.is_empty() {
                continue;
            }
            for next in def_use.next {
                let mut joined = known.get(&next).cloned().unwrap_or_default();
                for (slot, list) in &slots {
                    let before = joined.get(slot).copied().unwrap_or(ListKind::Other);
                    joined.insert(*slot, before.join_kinds(*list));
                }
                if known.get(&next) != Some(&joined) {
                    known.insert(next, joined);
                    waiting.push(next);
                }
            }
        }
        known
    }

    /// The list that an expression makes from the throw, without noting how it is read.
    fn list_made_by(&self, expr: &Expr, slots: &Kinds) -> ListKind {
        let mut search = ListSearch::new(self.program, DEEPEST);
        let written = BTreeSet::new();
        let mut look = Look::new(&mut search, slots.clone(), &written);
        let list = look.note_expression(expr);
        // If more than a name or an order is applied, the list cannot be folded when the dice are thrown.
        list.plain_only_if(match expr {
            Expr::Local(_) => true,
            Expr::Sorted { list, .. } => matches!(**list, Expr::Local(_)),
            _ => false,
        })
    }
}

/// The instruction at an address, if there is one.
fn instruction_at(program: &Program, at: Address) -> Option<&Instruction> {
    program.code.get(at as usize)
}

/// The way in which a form uses a list, and the list it makes. This is all that readings know about forms. A form that is not
/// named here takes its operands as they are, in order.
enum ListRole<'e> {
    /// The value in a slot.
    Name(Slot),
    /// The members that meet a condition, or a value for each member, in order.
    EachAlone { list: &'e Expr, slot: Slot, inner: &'e Expr },
    /// The members in an order given by their numbers.
    Ordered(&'e Expr),
    /// A number or flag to which each member contributes.
    Folded(FoldKind, &'e Expr),
    /// The same for a condition about each member.
    Asked(FoldKind, &'e Expr, Slot, &'e Expr),
    /// Whether a value is a member.
    Sought { item: &'e Expr, list: &'e Expr },
    /// A sum over the best members: their number, and the list.
    Best { highest: bool, count: &'e Expr, list: &'e Expr },
    /// The best members: their number, and the list.
    Kept { count: &'e Expr, list: &'e Expr },
    /// The members that are best by keys, or the single best one.
    BestByKeys { list: &'e Expr, slot: Slot, keys: &'e [BestKey], one: bool },
    /// A value with a slot of its own while another is computed.
    With { slot: Slot, value: &'e Expr, then: &'e Expr },
    /// The value of another expression.
    Same(&'e Expr),
    /// One of two values.
    Either { condition: &'e Expr, one: &'e Expr, other: &'e Expr },
    /// The members of both lists.
    Joined(&'e Expr, &'e Expr),
    /// The members of the first that are not in the second.
    Less(&'e Expr, &'e Expr),
    /// The member at a place of a list, counted from 1.
    Member { place: &'e Expr, list: &'e Expr },
    /// Anything may matter: the members and their order.
    Everything,
}

/// The one table of forms. It has no catch-all arm, so every new form needs a decision here; `Everything` is always right.
fn form_role(expr: &Expr) -> ListRole<'_> {
    match expr {
        Expr::Local(slot) => ListRole::Name(*slot),
        Expr::Where { list, slot, condition: inner } | Expr::Map { list, slot, value: inner } => {
            ListRole::EachAlone { list, slot: *slot, inner }
        }
        Expr::Sorted { list, .. } => ListRole::Ordered(list),
        Expr::SumList(list) => match list.as_ref() {
            Expr::Keep { highest, count, list } => ListRole::Best { highest: *highest, count, list },
            list => ListRole::Folded(FoldKind::Sum, list),
        },
        Expr::Keep { count, list, .. } => ListRole::Kept { count, list },
        Expr::CountList(list) => ListRole::Folded(FoldKind::Count, list),
        Expr::ExtremeOf { highest: true, list } => ListRole::Folded(FoldKind::Highest, list),
        Expr::ExtremeOf { highest: false, list } => ListRole::Folded(FoldKind::Lowest, list),
        Expr::Quantified { which: Quantifier::Any, list, slot, condition } => {
            ListRole::Asked(FoldKind::Any, list, *slot, condition)
        }
        Expr::Quantified { which: Quantifier::All | Quantifier::NoneOf, list, slot, condition } => {
            ListRole::Asked(FoldKind::All, list, *slot, condition)
        }
        Expr::InList { item, list } => ListRole::Sought { item, list },
        Expr::BestOne { list, slot, keys } => ListRole::BestByKeys { list, slot: *slot, keys, one: true },
        Expr::BestAll { list, slot, keys } => ListRole::BestByKeys { list, slot: *slot, keys, one: false },
        Expr::With { slot, value, then } => ListRole::With { slot: *slot, value, then },
        Expr::Remembered { value, .. } => ListRole::Same(value),
        Expr::If(condition, one, other) => ListRole::Either { condition, one, other },
        Expr::Concatenate(one, other) => ListRole::Joined(one, other),
        Expr::Without(list, others) => ListRole::Less(list, others),
        Expr::Calculated(Calculation::Nth, operands) => match &operands[..] {
            [list, place] => ListRole::Member { place, list },
            _ => ListRole::Everything,
        },
        Expr::Constant(_)
        | Expr::Option(_)
        | Expr::LocalField { .. }
        | Expr::TableField(_)
        | Expr::LocalZone { .. }
        | Expr::LocalPlace(_)
        | Expr::LocalFoe(_)
        | Expr::LocalMoveField { .. }
        | Expr::LentZone { .. }
        | Expr::FieldList { .. }
        | Expr::Field { .. }
        | Expr::Held { .. }
        | Expr::Zone { .. }
        | Expr::PlaceOf(_)
        | Expr::HasMark { .. }
        | Expr::KindIs { .. }
        | Expr::Printed { .. }
        | Expr::PrintedName(_)
        | Expr::PrintOf(_)
        | Expr::SheetIs { .. }
        | Expr::Table
        | Expr::Referee
        | Expr::Foe(_)
        | Expr::SideOf(_)
        | Expr::Neighbour { .. }
        | Expr::MoveField { .. }
        | Expr::MoveIs { .. }
        | Expr::MoveIn { .. }
        | Expr::AsMove { .. }
        | Expr::Not(_)
        | Expr::And(..)
        | Expr::Or(..)
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
        | Expr::Fold { .. }
        | Expr::Can { .. }
        | Expr::CanWhere { .. }
        | Expr::Supposing { .. }
        | Expr::CountZone(_)
        | Expr::SumZone { .. }
        | Expr::InZone { .. }
        | Expr::EndOf { .. }
        | Expr::Sorts { .. }
        | Expr::AnswerOf { .. }
        | Expr::ZoneList(_)
        | Expr::PrintedList { .. }
        | Expr::ListOf(_)
        | Expr::Single(_)
        | Expr::Range(..)
        | Expr::MapList { .. }
        | Expr::MapZone { .. }
        | Expr::Top { .. }
        | Expr::Sides
        | Expr::Every(_)
        | Expr::EntrantsOf(_)
        | Expr::Neighbours(_) => ListRole::Everything,
    }
}

/// The analysis of the expressions of one instruction. `slots` are those that hold lists made from the throw.
struct Look<'s, 'p, 'e> {
    search: &'s mut ListSearch<'p>,
    slots: Kinds,
    /// Slots that may change between the throw and this instruction.
    written: &'s BTreeSet<Slot>,
    /// The values around the expression that have slots of their own and can be computed when the dice are thrown.
    withs: Vec<(Slot, &'e Expr)>,
    /// Slots of other values around the expression.
    tainted: Vec<Slot>,
    /// The slots that surrounding forms fill with one member after another.
    binders: Vec<Binder>,
}

/// A slot that holds one member of a list after another.
struct Binder {
    slot: Slot,
    /// The list, if it can be computed when the dice are thrown.
    over: Option<Expr>,
}

impl<'s, 'p, 'e> Look<'s, 'p, 'e> {
    fn new(search: &'s mut ListSearch<'p>, slots: Kinds, written: &'s BTreeSet<Slot>) -> Look<'s, 'p, 'e> {
        Look { search, slots, written, withs: Vec::new(), tainted: Vec::new(), binders: Vec::new() }
    }

    /// Notes how an expression reads the throw, and returns the list that it makes of it.
    fn note_expression(&mut self, expr: &'e Expr) -> ListKind {
        match form_role(expr) {
            ListRole::Name(slot) => self.slots.get(&slot).copied().unwrap_or(ListKind::Other),
            ListRole::EachAlone { list, slot, inner } => self.note_for_members(list, slot, &[inner]),
            ListRole::Ordered(list) => match self.note_expression(list) {
                ListKind::Bag { plain } | ListKind::Fixed { plain } => ListKind::Fixed { plain },
                ListKind::Other => ListKind::Other,
            },
            ListRole::Folded(kind, chain) => {
                let list = self.note_expression(chain);
                self.note_fold(kind, chain, None, list);
                ListKind::Other
            }
            ListRole::Best { highest, count, list: chain } => {
                let settled = self.note_independent(count);
                let list = self.note_expression(chain).plain_only_if(settled);
                self.note_fold(FoldKind::Kept { highest, count: 0 }, chain, Some(count), list);
                ListKind::Other
            }
            ListRole::Kept { count, list } => {
                self.note_independent(count);
                self.note_expression(list).plain_only_if(false)
            }
            ListRole::Asked(kind, list, slot, condition) => {
                let list = self.note_for_members(list, slot, &[condition]);
                self.note_fold(kind, expr, None, list);
                ListKind::Other
            }
            ListRole::Sought { item, list } => {
                let plain = self.note_independent(item);
                let list = self.note_expression(list).plain_only_if(plain);
                self.note_fold(FoldKind::Any, expr, None, list);
                ListKind::Other
            }
            ListRole::BestByKeys { list, slot, keys, one } => {
                let keys: Vec<&Expr> = keys.iter().map(|key| &key.value).collect();
                let made = self.note_for_members(list, slot, &keys);
                self.search.unordered |= made != ListKind::Other;
                if one { ListKind::Other } else { made }
            }
            ListRole::With { slot, value, then } => self.note_with(slot, value, then),
            ListRole::Same(value) => self.note_expression(value),
            ListRole::Either { condition, one, other } => {
                self.note_ordered_use(condition);
                self.note_expression(one).join_kinds(self.note_expression(other)).plain_only_if(false)
            }
            ListRole::Joined(one, other) => {
                self.note_expression(one).join_kinds(self.note_expression(other)).plain_only_if(false)
            }
            ListRole::Less(list, others) => {
                let list = self.note_expression(list);
                // Membership does not depend on the order of the others.
                self.search.unordered |= self.note_expression(others) != ListKind::Other;
                list.plain_only_if(false)
            }
            ListRole::Member { place, list } => {
                self.note_ordered_use(place);
                let made = self.note_expression(list);
                self.note_member(place, list, made);
                ListKind::Other
            }
            ListRole::Everything => {
                self.note_every_part(expr);
                ListKind::Other
            }
        }
    }

    /// Notes an expression whose list, if it makes one, is read in order.
    fn note_ordered_use(&mut self, expr: &'e Expr) {
        match self.note_expression(expr) {
            ListKind::Bag { .. } => self.search.ordered = true,
            ListKind::Fixed { .. } => self.search.unordered = true,
            ListKind::Other => {}
        }
    }

    /// Notes all parts of a form that may look at everything.
    fn note_every_part(&mut self, expr: &'e Expr) {
        let mut operands = Vec::new();
        expr.visit_operands(&mut |operand| operands.push(operand));
        let outer = self.binders.len();
        for operand in operands {
            match operand {
                Operand::Part(part) => self.note_ordered_use(part),
                Operand::Binds(slot) => self.binders.push(Binder { slot: *slot, over: None }),
                Operand::Reads(slot) => self.search.ordered |= self.is_throw_slot(*slot),
                Operand::Writes(_) | Operand::Says(_) | Operand::GoesTo(_) => {}
            }
        }
        self.binders.truncate(outer);
        // It finds the answer at the same place in another list, so the order of the lists matters.
        self.search.ordered |= matches!(expr, Expr::AnswerOf { .. }) && self.depends_on_throw(expr);
    }

    /// Notes expressions (`inner`) that are evaluated for each member of a list, which `slot` holds. Returns the kind of the list
    /// of the members that pass, or of the values made from them.
    fn note_for_members(&mut self, list: &'e Expr, slot: Slot, inner: &[&'e Expr]) -> ListKind {
        let made = self.note_expression(list);
        // The members are known when the dice are thrown, if the list has nothing to do with the throw.
        let over = Some(list)
            .filter(|list| made == ListKind::Other && !self.depends_on_throw(list))
            .map(|list| self.with_outer_values(list));
        let before = self.slots.remove(&slot);
        self.binders.push(Binder { slot, over: over.filter(is_settled) });
        let mut plain = true;
        inner.iter().for_each(|inner| plain &= self.note_independent(inner));
        self.binders.pop();
        if let Some(before) = before {
            self.slots.insert(slot, before);
        }
        made.plain_only_if(plain)
    }

    /// Notes an expression, and returns whether it has nothing to do with the throw.
    fn note_independent(&mut self, expr: &'e Expr) -> bool {
        let speaks = self.depends_on_throw(expr);
        self.note_ordered_use(expr);
        !speaks
    }

    /// Whether an expression reads anything made from the throw.
    fn depends_on_throw(&self, expr: &Expr) -> bool {
        expr.unbound_slots().iter().any(|slot| self.is_throw_slot(*slot))
    }

    /// Whether a slot holds anything made from the throw.
    fn is_throw_slot(&self, slot: Slot) -> bool {
        self.slots.contains_key(&slot) || self.tainted.contains(&slot)
    }

    /// Notes an expression in which a slot holds a value, and returns the list that it makes.
    fn note_with(&mut self, slot: Slot, value: &'e Expr, then: &'e Expr) -> ListKind {
        let depends = self.depends_on_throw(value);
        let made = self.note_expression(value);
        // A list made from each die alone can be made for one die when the dice are thrown.
        let known = !depends || made.is_plain();
        let before = self.slots.remove(&slot);
        if made != ListKind::Other {
            self.slots.insert(slot, made);
        }
        if known {
            self.withs.push((slot, value))
        } else {
            self.tainted.push(slot)
        }
        let list = self.note_expression(then);
        if known {
            self.withs.pop();
        } else {
            self.tainted.pop();
        }
        self.slots.remove(&slot);
        if let Some(before) = before {
            self.slots.insert(slot, before);
        }
        list
    }

    /// Notes a fold, or that this cannot be folded die by die. `list` is the kind of list that is folded, and `count` the number
    /// of members kept.
    fn note_fold(&mut self, kind: FoldKind, expr: &Expr, count: Option<&Expr>, list: ListKind) {
        if list == ListKind::Other {
            return;
        }
        match self.make_fold(kind, expr, count, list) {
            Some(fold) if self.search.folds.contains(&fold) => {}
            Some(fold) => self.search.folds.push(fold),
            None => self.search.unordered = true,
        }
    }

    /// Notes that one member of a list is read, by its place, which is counted from 1. `made` is the kind of the list.
    fn note_member(&mut self, place: &Expr, list: &Expr, made: ListKind) {
        let (place, list) = (self.without_aliases(place), self.without_aliases(list));
        let free = |expr: &Expr| expr.unbound_slots().iter().any(|slot| self.binders.iter().any(|binder| binder.slot == *slot));
        match made {
            ListKind::Other => {}
            ListKind::Bag { .. } => self.search.ordered = true,
            ListKind::Fixed { .. } if !free(&place) && !free(&list) => self.search.members.push((place, list)),
            ListKind::Fixed { .. } => self.search.unordered = true,
        }
    }

    /// An expression with the surrounding values that it reads. A value that is only another name is replaced.
    fn without_aliases(&self, expr: &Expr) -> Expr {
        let mut named = self.with_outer_values(expr);
        while let Expr::With { slot, value, then } = &named {
            match (value.as_ref(), then.as_ref()) {
                (Expr::Local(_), Expr::Local(own)) if own == slot => named = (**value).clone(),
                _ => break,
            }
        }
        named
    }

    /// Makes a fold that can be computed when the dice are thrown; `None` if that is impossible.
    fn make_fold(&self, kind: FoldKind, expr: &Expr, count: Option<&Expr>, list: ListKind) -> Option<Fold> {
        let (expr, count) = (self.with_outer_values(expr), count.map(|count| self.with_outer_values(count)));
        // Everything that the fold reads must have the same value when the dice are thrown.
        if !list.is_plain() || !is_settled(&expr) || !count.as_ref().is_none_or(is_settled) {
            return None;
        }
        let mut free: BTreeSet<Slot> =
            expr.unbound_slots().into_iter().chain(count.iter().flat_map(Expr::unbound_slots)).collect();
        let mut over = Vec::new();
        for binder in self.binders.iter().rev() {
            if free.remove(&binder.slot) {
                let list = binder.over.clone()?;
                free.extend(list.unbound_slots());
                over.push((binder.slot, list));
            }
        }
        over.reverse();
        let known = free.iter().all(|slot| self.slots.contains_key(slot) || !self.written.contains(slot));
        known.then_some(Fold { kind, expr, count, over })
    }

    /// An expression with the surrounding values that it reads, without forms that only save work.
    fn with_outer_values(&self, expr: &Expr) -> Expr {
        let mut wrapped = expr.clone();
        for (slot, value) in self.withs.iter().rev() {
            if wrapped.unbound_slots().contains(slot) {
                wrapped = Expr::With { slot: *slot, value: Box::new((*value).clone()), then: Box::new(wrapped) };
            }
        }
        forget_memory(&mut wrapped);
        wrapped
    }
}

/// Replaces memoised values by the expressions themselves: the memory is for another moment of play.
fn forget_memory(expr: &mut Expr) {
    while let Expr::Remembered { value, .. } = expr {
        *expr = std::mem::replace(value, Expr::Constant(0));
    }
    expr.visit_parts_mut(&mut forget_memory);
}

/// Whether an expression depends only on slots and numbers, so that it has the same value earlier.
fn is_settled(expr: &Expr) -> bool {
    let is_form = match expr {
        Expr::Constant(_) | Expr::Local(_) | Expr::With { .. } | Expr::If(..) => true,
        Expr::Not(_) | Expr::And(..) | Expr::Or(..) | Expr::Compare(..) | Expr::CompareLists(..) => true,
        Expr::Add(..) | Expr::Subtract(..) | Expr::Multiply(..) | Expr::Divide { .. } | Expr::IsOdd(_) => true,
        Expr::AtLeast(..) | Expr::AtMost(..) | Expr::ListOf(_) | Expr::Range(..) | Expr::InList { .. } => true,
        Expr::Where { .. } | Expr::Map { .. } | Expr::MapList { .. } | Expr::Sorted { .. } | Expr::Quantified { .. } => true,
        Expr::CountList(_) | Expr::SumList(_) | Expr::ExtremeOf { .. } | Expr::Concatenate(..) | Expr::Keep { .. } => true,
        // Any other form may look at the table.
        _ => false,
    };
    let mut all = is_form;
    expr.visit_parts(&mut |part| all = all && is_settled(part));
    all
}
