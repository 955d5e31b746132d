//! How the list of what some dice show is read before it is forgotten, so that throws which nobody can tell apart are
//! put together.
//!
//! Mostly it is only counted, summed, or searched for its highest. Each of these is worked out die by die: what one
//! gives for a throw and one more die depends on what it gave for the throw and on the die. So two throws for which all
//! of them give the same are equal for all that follows, however they go on.

use crate::program::flow::def_use;
use crate::program::operands::Operand;
use crate::program::{Address, Expr, Instruction, ProcedureId, Program, Quantifier, Slot};
use std::collections::{BTreeMap, BTreeSet};

/// How results are read.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    /// Their order may matter.
    Ordered,
    /// Only how often each number is shown.
    Unordered,
    /// Only what these give, worked out in the frame that rolls.
    Folds(Vec<Fold>, BTreeSet<Slot>),
}

/// Something that is read off a list die by die.
#[derive(Clone, Debug, PartialEq)]
pub struct Fold {
    pub kind: FoldKind,
    /// Makes of one result the list that is folded; for the last three the fold itself.
    pub expr: Expr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FoldKind {
    Count,
    Sum,
    Highest,
    Lowest,
    /// Holds if it holds for one die.
    Any,
    /// Holds if it holds for each die.
    All,
}

/// Where a frame that waits for another goes on, and the slot for what it gets.
pub type Waiting = (Address, Option<Slot>);

/// How results are read that the instruction at an address puts into a slot. `callers` are the frames around, the
/// innermost first; empty where that cannot be told.
pub fn reading(program: &Program, at: Address, slot: Slot, callers: &[Waiting]) -> Reading {
    let mut search = Search { program, ordered: false, unordered: false, folds: Vec::new(), shown_in: BTreeSet::new(), depth: 0 };
    let mut returned = search.follow(at + 1, slot, true);
    for (at, slot) in callers {
        if returned == List::Other {
            break;
        }
        match (returned, slot) {
            (List::Bag { .. }, Some(slot)) => {
                search.unordered = true;
                returned = search.follow(*at, *slot, false);
            }
            // In an order that does not depend on the throw.
            (List::Fixed { .. }, Some(_)) => {
                search.unordered = true;
                returned = List::Other;
            }
            _ => returned = List::Other,
        }
    }
    // What the expression itself is worth.
    search.ordered |= matches!(returned, List::Bag { .. });
    search.unordered |= matches!(returned, List::Fixed { .. });
    match search {
        Search { ordered: true, .. } => Reading::Ordered,
        Search { unordered: true, .. } => Reading::Unordered,
        search => Reading::Folds(search.folds, search.shown_in),
    }
}

/// What an expression or slot is to the throw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum List {
    /// Nothing, or a number read off it.
    Other,
    /// A list made of it one by one, in the order in which the dice fell.
    Bag { plain: bool },
    /// The same, in an order that does not depend on how they fell.
    Fixed { plain: bool },
}

impl List {
    fn join(self, other: List) -> List {
        match (self, other) {
            (List::Other, list) | (list, List::Other) => list,
            (List::Bag { plain: one }, List::Bag { plain: other }) => List::Bag { plain: one && other },
            (List::Fixed { plain: one }, List::Fixed { plain: other }) => List::Fixed { plain: one && other },
            _ => List::Bag { plain: false },
        }
    }

    /// As it is, or such that nothing can be folded of it die by die.
    fn but(self, stays: bool) -> List {
        match self {
            List::Other => List::Other,
            List::Bag { plain } => List::Bag { plain: plain && stays },
            List::Fixed { plain } => List::Fixed { plain: plain && stays },
        }
    }
}

/// Which slots hold lists made of the throw.
type Slots = BTreeMap<Slot, List>;

struct Search<'p> {
    program: &'p Program,
    ordered: bool,
    unordered: bool,
    folds: Vec<Fold>,
    /// Slots in which the throw itself stands.
    shown_in: BTreeSet<Slot>,
    depth: u32,
}

/// How deep procedures are looked into that a list is handed on to.
const DEEPEST: u32 = 6;

impl Search<'_> {
    /// Follows a list from an address on, and tells what of it is given back. `here` means that its folds can be
    /// worked out when the dice are thrown.
    fn follow(&mut self, from: Address, slot: Slot, here: bool) -> List {
        let known = self.spread(from, slot);
        // What changes in the meantime is not what it was when the dice were thrown.
        let written: BTreeSet<Slot> = known.keys().flat_map(|at| def_use(self.program, *at).writes).collect();
        let mut returned = List::Other;
        for (at, slots) in &known {
            let def_use = def_use(self.program, *at);
            if def_use.unclear {
                self.ordered = true;
                continue;
            }
            let mut look = Look {
                search: self,
                slots: slots.clone(),
                written: &written,
                here,
                withs: Vec::new(),
                tainted: Vec::new(),
                bound: Vec::new(),
            };
            match instruction(look.search.program, *at) {
                // Another name for it.
                Some(Instruction::Let { value, .. }) => {
                    look.list(value);
                }
                Some(Instruction::Call { procedure, arguments, .. }) => {
                    for (index, argument) in arguments.iter().enumerate() {
                        match look.list(argument) {
                            List::Other => {}
                            List::Bag { .. } => look.search.follow_into(*procedure, index as Slot),
                            List::Fixed { .. } => look.search.unordered = true,
                        }
                    }
                }
                Some(Instruction::Return { value: Some(value) }) => returned = returned.join(look.list(value)),
                _ => {
                    let loops = def_use.slots.iter().any(|slot| slots.contains_key(slot));
                    def_use.reads.iter().for_each(|expr| look.used_up(expr));
                    self.ordered |= loops;
                }
            }
            if here {
                let names = slots.iter().filter(|(_, list)| matches!(list, List::Bag { plain: true }));
                self.shown_in.extend(names.map(|(slot, _)| *slot));
            }
        }
        returned
    }

    /// A list becomes an argument of a procedure.
    fn follow_into(&mut self, procedure: ProcedureId, param: Slot) {
        let Some(info) = self.program.procedures.get(usize::from(procedure)) else { return };
        self.unordered = true;
        if self.depth >= DEEPEST {
            self.ordered = true;
            return;
        }
        self.depth += 1;
        let returned = self.follow(info.start, param, false);
        self.ordered |= matches!(returned, List::Bag { .. });
        self.depth -= 1;
    }

    /// For each address that is come to while the list is remembered: the slots it stands in.
    fn spread(&self, from: Address, slot: Slot) -> BTreeMap<Address, Slots> {
        let mut known = BTreeMap::from([(from, Slots::from([(slot, List::Bag { plain: true })]))]);
        let mut waiting = vec![from];
        while let Some(at) = waiting.pop() {
            let Some(mut slots) = known.get(&at).cloned() else { continue };
            let def_use = def_use(self.program, at);
            let put = match instruction(self.program, at) {
                Some(Instruction::Let { slot, value, .. }) => Some((*slot, self.made_by(value, &slots))),
                _ => None,
            };
            for written in &def_use.writes {
                slots.remove(written);
            }
            if let Some((slot, list)) = put.filter(|(_, list)| *list != List::Other) {
                slots.insert(slot, list);
            }
            if slots.is_empty() {
                continue;
            }
            for next in def_use.next {
                let mut joined = known.get(&next).cloned().unwrap_or_default();
                for (slot, list) in &slots {
                    let before = joined.get(slot).copied().unwrap_or(List::Other);
                    joined.insert(*slot, before.join(*list));
                }
                if known.get(&next) != Some(&joined) {
                    known.insert(next, joined);
                    waiting.push(next);
                }
            }
        }
        known
    }

    /// What an expression makes of the throw, without noting how it is read.
    fn made_by(&self, expr: &Expr, slots: &Slots) -> List {
        let mut search = Search {
            program: self.program,
            ordered: false,
            unordered: false,
            folds: Vec::new(),
            shown_in: BTreeSet::new(),
            depth: DEEPEST,
        };
        let written = BTreeSet::new();
        let mut look = Look {
            search: &mut search,
            slots: slots.clone(),
            written: &written,
            here: false,
            withs: Vec::new(),
            tainted: Vec::new(),
            bound: Vec::new(),
        };
        let list = look.list(expr);
        // Made of it by more than a name, it cannot be folded when the dice are thrown.
        list.but(matches!(expr, Expr::Local(_)))
    }
}

fn instruction(program: &Program, at: Address) -> Option<&Instruction> {
    program.code.get(at as usize)
}

/// A look at the expressions of one instruction.
struct Look<'s, 'p, 'e> {
    search: &'s mut Search<'p>,
    slots: Slots,
    written: &'s BTreeSet<Slot>,
    here: bool,
    /// The values around the expression that have slots of their own.
    withs: Vec<(Slot, &'e Expr)>,
    /// Slots of these whose values depend on the throw.
    tainted: Vec<Slot>,
    /// Slots that the forms around the expression fill for each member of a list: they hold nothing when the dice are thrown.
    bound: Vec<Slot>,
}

impl<'e> Look<'_, '_, 'e> {
    /// Notes how an expression reads the throw; the list it makes of it.
    fn list(&mut self, expr: &'e Expr) -> List {
        match expr {
            Expr::Local(slot) => self.slots.get(slot).copied().unwrap_or(List::Other),
            Expr::Where { list, slot, condition: inner } | Expr::Map { list, slot, value: inner } => {
                let list = self.list(list);
                let plain = self.member(*slot, inner);
                list.but(plain)
            }
            Expr::Sorted { list, .. } => match self.list(list) {
                List::Bag { plain } | List::Fixed { plain } => List::Fixed { plain },
                List::Other => List::Other,
            },
            Expr::CountList(list) => self.fold(FoldKind::Count, list),
            Expr::SumList(list) => self.fold(FoldKind::Sum, list),
            Expr::ExtremeOf { highest: true, list } => self.fold(FoldKind::Highest, list),
            Expr::ExtremeOf { highest: false, list } => self.fold(FoldKind::Lowest, list),
            Expr::Quantified { which, list, slot, condition } => {
                let list = self.list(list);
                let plain = self.member(*slot, condition);
                let kind = if *which == Quantifier::Any { FoldKind::Any } else { FoldKind::All };
                self.note(kind, expr, list.but(plain));
                List::Other
            }
            Expr::InList { item, list } => {
                let plain = self.outside(item);
                let list = self.list(list);
                self.note(FoldKind::Any, expr, list.but(plain));
                List::Other
            }
            Expr::With { slot, value, then } => self.with(*slot, value, then),
            Expr::Remembered { value, .. } => self.list(value),
            Expr::If(condition, yes, no) => {
                self.used_up(condition);
                self.list(yes).join(self.list(no)).but(false)
            }
            Expr::Concatenate(one, other) => self.list(one).join(self.list(other)).but(false),
            Expr::Without(list, others) => {
                let list = self.list(list);
                // Whether something is among them does not depend on their order.
                self.search.unordered |= self.list(others) != List::Other;
                list.but(false)
            }
            Expr::BestOne { list, slot, keys } | Expr::BestAll { list, slot, keys } => {
                let made = self.list(list);
                keys.iter().for_each(|key| {
                    self.member(*slot, &key.value);
                });
                self.search.unordered |= made != List::Other;
                if matches!(expr, Expr::BestAll { .. }) { made.but(false) } else { List::Other }
            }
            other => {
                let mut operands = Vec::new();
                other.operands(&mut |operand| operands.push(operand));
                let outer = self.bound.len();
                for operand in operands {
                    match operand {
                        Operand::Part(part) => self.used_up(part),
                        Operand::Binds(slot) => self.bound.push(*slot),
                        _ => {}
                    }
                }
                self.bound.truncate(outer);
                // Forms that read a slot without a part of their own.
                self.search.ordered |= self.reads_directly(other);
                List::Other
            }
        }
    }

    /// An expression whose list, if it makes one, is read in its order.
    fn used_up(&mut self, expr: &'e Expr) {
        match self.list(expr) {
            List::Bag { .. } => self.search.ordered = true,
            List::Fixed { .. } => self.search.unordered = true,
            List::Other => {}
        }
    }

    /// What is worked out for a member in a slot: whether it is the same for each throw.
    fn member(&mut self, slot: Slot, inner: &'e Expr) -> bool {
        let before = self.slots.remove(&slot);
        self.bound.push(slot);
        let plain = self.outside(inner);
        self.bound.pop();
        if let Some(before) = before {
            self.slots.insert(slot, before);
        }
        plain
    }

    /// Whether an expression has nothing to do with the throw.
    fn outside(&mut self, expr: &'e Expr) -> bool {
        let speaks = self.speaks_of_it(expr);
        self.used_up(expr);
        !speaks
    }

    fn speaks_of_it(&self, expr: &Expr) -> bool {
        expr.slots().iter().any(|slot| self.slots.contains_key(slot) || self.tainted.contains(slot))
    }

    fn reads_directly(&self, expr: &Expr) -> bool {
        let mut reads = matches!(expr, Expr::AnswerOf { .. });
        expr.operands(&mut |operand| reads |= matches!(operand, Operand::Reads(_)));
        reads && self.speaks_of_it(expr)
    }

    fn with(&mut self, slot: Slot, value: &'e Expr, then: &'e Expr) -> List {
        let depends = self.speaks_of_it(value);
        let made = self.list(value);
        let before = self.slots.remove(&slot);
        if made != List::Other {
            self.slots.insert(slot, made.but(false));
        }
        if depends {
            self.tainted.push(slot);
        } else {
            self.withs.push((slot, value));
        }
        let list = self.list(then);
        if depends {
            self.tainted.pop();
        } else {
            self.withs.pop();
        }
        self.slots.remove(&slot);
        if let Some(before) = before {
            self.slots.insert(slot, before);
        }
        list.but(!depends)
    }

    fn fold(&mut self, kind: FoldKind, chain: &'e Expr) -> List {
        let list = self.list(chain);
        self.note(kind, chain, list);
        List::Other
    }

    /// Notes a fold, or that there is no way to fold this die by die.
    fn note(&mut self, kind: FoldKind, expr: &Expr, list: List) {
        if list == List::Other {
            return;
        }
        let wrapped = self.wrapped(expr);
        let plain = matches!(list, List::Bag { plain: true } | List::Fixed { plain: true });
        if !plain || !self.here || !is_arithmetic(&wrapped) || self.changes(&wrapped) {
            self.search.unordered = true;
            return;
        }
        let fold = Fold { kind, expr: wrapped };
        if !self.search.folds.contains(&fold) {
            self.search.folds.push(fold);
        }
    }

    /// An expression with the values around it that it reads.
    fn wrapped(&self, expr: &Expr) -> Expr {
        let mut wrapped = expr.clone();
        for (slot, value) in self.withs.iter().rev() {
            if wrapped.slots().contains(slot) {
                wrapped = Expr::With { slot: *slot, value: Box::new((*value).clone()), then: Box::new(wrapped) };
            }
        }
        wrapped
    }

    /// Whether something that an expression reads is another when it is worked out than when the dice are thrown.
    fn changes(&self, expr: &Expr) -> bool {
        expr.slots().iter().any(|slot| match self.slots.get(slot) {
            Some(list) => *list != List::Bag { plain: true },
            None => self.written.contains(slot) || self.tainted.contains(slot) || self.bound.contains(slot),
        })
    }
}

/// Whether an expression looks at nothing but slots and numbers.
fn is_arithmetic(expr: &Expr) -> bool {
    let is_form = match expr {
        Expr::Constant(_) | Expr::Local(_) | Expr::With { .. } | Expr::If(..) => true,
        Expr::Not(_) | Expr::And(..) | Expr::Or(..) | Expr::Compare(..) | Expr::CompareLists(..) => true,
        Expr::Add(..) | Expr::Subtract(..) | Expr::Multiply(..) | Expr::Divide { .. } | Expr::IsOdd(_) => true,
        Expr::AtLeast(..) | Expr::AtMost(..) | Expr::ListOf(_) | Expr::Range(..) | Expr::InList { .. } => true,
        other => is_of_lists(other),
    };
    let mut all = is_form;
    expr.parts(&mut |part| all = all && is_arithmetic(part));
    all
}

fn is_of_lists(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Where { .. }
            | Expr::Map { .. }
            | Expr::MapList { .. }
            | Expr::Sorted { .. }
            | Expr::Quantified { .. }
            | Expr::CountList(_)
            | Expr::SumList(_)
            | Expr::ExtremeOf { .. }
    )
}
