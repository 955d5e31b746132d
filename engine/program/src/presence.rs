//! Facts that are certain at a point in the code: values that cannot be `none` after a test, and lists that are not empty.
//! They are tracked while code is written, and dropped when something may have changed. The compiler keeps one [`Presence`]
//! for the function that it compiles. A slot is *filled* if its value is not `none`; a list is *filled* if it has a member.

use super::condition_facts::{ConditionFacts, SureFact};
use super::{Calculation, Expr, KindId, NONE, PIECE_OWNER, Slot};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Maximum number of facts at one point. Further tests add none.
const MOST_FACTS: usize = 200;

/// Maximum size of an expression in a fact.
const LARGEST: usize = 200;

/// The first of the slots that stand for those that an expression fills itself.
const FILLED_INSIDE: Slot = 60_000;

/// The state that code may change.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Anything: abilities may act, or a move is carried out.
    pub everything: bool,
    /// The places of pieces, the marks and the sides in the game.
    pub board: bool,
    pub fields: BTreeSet<FieldRef>,
}

/// A field by its index, of the table or of any other thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FieldRef {
    Table(u16),
    Thing(u16),
}

impl FieldRef {
    /// A field of `thing`: the table, if it is written so, or any other thing.
    pub fn from_thing(thing: &Expr, field: u16) -> FieldRef {
        if *thing == Expr::Table { FieldRef::Table(field) } else { FieldRef::Thing(field) }
    }
}

impl Changes {
    pub fn any_change() -> Changes {
        Changes { everything: true, ..Changes::default() }
    }

    pub fn board_change() -> Changes {
        Changes { board: true, ..Changes::default() }
    }

    pub fn field_change(field: FieldRef) -> Changes {
        Changes { fields: [field].into(), ..Changes::default() }
    }

    /// Adds all of other changes.
    pub fn add_changes(&mut self, other: &Changes) {
        self.everything |= other.everything;
        self.board |= other.board;
        self.fields.extend(&other.fields);
    }

    fn has_no_change(&self) -> bool {
        !self.everything && !self.board && self.fields.is_empty()
    }
}

/// The state that an expression depends on.
#[derive(Debug, Default)]
struct StateReads {
    slots: Vec<Slot>,
    fields: Vec<FieldRef>,
    board: bool,
    /// Anything that the rules can read.
    anything: bool,
}

impl StateReads {
    fn from_expression(expr: &Expr) -> StateReads {
        let mut reads = StateReads { slots: expr.unbound_slots(), ..StateReads::default() };
        reads.add_expression(expr);
        reads
    }

    /// Adds the state that an expression and its parts depend on.
    fn add_expression(&mut self, expr: &Expr) {
        match expr {
            Expr::Field { of, field } | Expr::Held { of, field } => self.fields.push(FieldRef::from_thing(of, *field)),
            Expr::FieldList { field, .. } | Expr::SumZone { field, .. } => {
                self.fields.push(FieldRef::Thing(*field));
                self.board = true;
            }
            Expr::SideOf(_) => self.fields.push(FieldRef::Thing(PIECE_OWNER)),
            Expr::HasMark { .. }
            | Expr::PlaceOf(_)
            | Expr::ZoneList(_)
            | Expr::CountZone(_)
            | Expr::InZone { .. }
            | Expr::MapZone { .. }
            | Expr::Top { .. }
            | Expr::Every(_)
            | Expr::Sides
            | Expr::Neighbour { .. }
            | Expr::Neighbours(_) => self.board = true,
            Expr::Fold { .. } | Expr::Can { .. } | Expr::CanWhere { .. } | Expr::Supposing { .. } => self.anything = true,
            _ => {}
        }
        expr.visit_parts(&mut |part| self.add_expression(part));
    }

    /// Whether changes may affect the value. Changes of slots are handled by [`Presence::assign_slot`].
    fn are_changed_by(&self, changes: &Changes) -> bool {
        let reads_state = self.anything || self.board || !self.fields.is_empty();
        changes.everything && reads_state
            || !changes.has_no_change() && self.anything
            || changes.board && self.board
            || self.fields.iter().any(|field| changes.fields.contains(field))
    }
}

/// A known fact.
#[derive(Debug)]
struct KnownFact {
    /// The value that is present, or the list that is not empty.
    is: SureFact,
    reads: StateReads,
}

/// The facts at one point of the code.
#[derive(Clone, Debug, Default)]
pub struct Presence {
    /// A bitset of the slots that are certainly filled, in words of 64.
    slots: Vec<u64>,
    facts: Vec<Rc<KnownFact>>,
    /// Unreachable code, where every fact is true.
    never: bool,
    /// The kind of which every side has at least one entrant.
    pub entrants: Option<KindId>,
    /// Every side has at least one opponent.
    pub opponents: bool,
}

/// Facts that were just learnt, so that they can be dropped again.
#[must_use]
pub struct LearntFacts {
    /// The number of facts before.
    facts: usize,
    /// The slots that were not known to be filled before.
    slots: Vec<Slot>,
}

impl Presence {
    // --- queries -------------------------------------------------------------------

    /// Whether play never comes here.
    pub fn is_unreachable(&self) -> bool {
        self.never
    }

    /// Whether the value in a slot is certainly not `none`.
    fn is_slot_filled(&self, slot: Slot) -> bool {
        self.slots.get(usize::from(slot) / 64).is_some_and(|word| word >> (slot % 64) & 1 == 1)
    }

    /// Whether the value of an expression is certainly not `none`.
    pub fn is_present(&self, expr: &Expr) -> bool {
        if self.never {
            return true;
        }
        match expr {
            // If a test claims that `none` is there, the code is unreachable.
            Expr::Constant(value) => *value != NONE || self.is_known_present(expr),
            Expr::Local(slot) => self.is_slot_filled(*slot),
            Expr::Table | Expr::Foe(_) | Expr::Neighbour { .. } => true,
            Expr::EndOf { list, .. } if self.is_filled(list) => true,
            Expr::Calculated(Calculation::Nth, operands) => match operands.as_slice() {
                [list, Expr::Constant(1)] => self.is_filled(list),
                _ => self.is_known_fact(&SureFact::There(expr.clone())),
            },
            Expr::If(_, yes, no) => self.is_present(yes) && self.is_present(no) || self.is_known_present(expr),
            Expr::Remembered { value, .. } => self.is_present(value),
            expr => self.is_known_present(expr),
        }
    }

    /// Whether it is among the facts, for expressions that do not show it by themselves.
    fn is_known_present(&self, expr: &Expr) -> bool {
        is_small(expr) && self.is_known_fact(&SureFact::There(expr.clone()))
    }

    /// Whether a list certainly has a member.
    pub fn is_filled(&self, list: &Expr) -> bool {
        if self.never {
            return true;
        }
        let from_itself = match list {
            Expr::Sides => true,
            Expr::ListOf(members) => !members.is_empty(),
            Expr::Single(thing) => self.is_present(thing),
            Expr::Range(from, to) => {
                matches!((from.as_ref(), to.as_ref()), (Expr::Constant(from), Expr::Constant(to)) if from <= to)
            }
            Expr::EntrantsOf(_) => self.entrants.is_some(),
            Expr::Every(kind) => self.entrants == Some(*kind),
            Expr::Without(all, one) => self.opponents && **all == Expr::Sides && matches!(one.as_ref(), Expr::Single(_)),
            Expr::Concatenate(left, right) => self.is_filled(left) || self.is_filled(right),
            Expr::Sorted { list, .. } | Expr::Sorts { list, .. } | Expr::Map { list, .. } | Expr::BestAll { list, .. } => {
                self.is_filled(list)
            }
            Expr::MapList { list, value, .. } => self.is_filled(list) && self.is_filled(value),
            Expr::If(_, yes, no) => self.is_filled(yes) && self.is_filled(no),
            Expr::Keep { count, list, .. } => matches!(count.as_ref(), Expr::Constant(1..)) && self.is_filled(list),
            Expr::Top { count, zone } => {
                matches!(count.as_ref(), Expr::Constant(1..)) && self.is_filled(&Expr::ZoneList(zone.clone()))
            }
            _ => false,
        };
        from_itself || is_small(list) && self.is_known_fact(&SureFact::Filled(list.clone()))
    }

    /// Whether this fact was learnt, and not dropped since.
    fn is_known_fact(&self, is: &SureFact) -> bool {
        if self.facts.is_empty() {
            return false;
        }
        let mut is = is.clone();
        normalise_fact(is.expr_mut());
        self.facts.iter().any(|fact| fact.is == is)
    }

    // --- learning ------------------------------------------------------------------

    /// Sets whether a slot is certainly filled.
    pub fn set_presence(&mut self, slot: Slot, is_there: bool) {
        let (word, bit) = (usize::from(slot) / 64, 1 << (slot % 64));
        if self.slots.len() <= word {
            self.slots.resize(word + 1, 0);
        }
        match is_there {
            true => self.slots[word] |= bit,
            false => self.slots[word] &= !bit,
        }
    }

    /// Learns the facts that follow from a condition.
    pub fn learn_facts(&mut self, told: Vec<SureFact>) -> LearntFacts {
        let mut learnt = LearntFacts { facts: self.facts.len(), slots: Vec::new() };
        for is in told {
            self.learn_fact(is, &mut learnt);
        }
        learnt
    }

    /// Facts that cannot be kept are dropped, which is always safe.
    fn learn_fact(&mut self, is: SureFact, learnt: &mut LearntFacts) {
        match is {
            SureFact::There(Expr::Local(slot)) => {
                if !self.is_slot_filled(slot) {
                    self.set_presence(slot, true);
                    learnt.slots.push(slot);
                }
            }
            is if self.facts.len() < MOST_FACTS && is_small(is.expr()) => {
                let reads = StateReads::from_expression(is.expr());
                let mut is = is;
                normalise_fact(is.expr_mut());
                self.facts.push(Rc::new(KnownFact { is, reads }));
            }
            _ => {}
        }
    }

    /// Drops the facts that were learnt last. `learnt` is the result of [`Presence::learn_facts`].
    pub fn unlearn_facts(&mut self, learnt: LearntFacts) {
        self.facts.truncate(learnt.facts);
        learnt.slots.into_iter().for_each(|slot| self.set_presence(slot, false));
    }

    /// The facts that follow if a condition holds, and if it does not.
    pub fn condition_facts(&self, condition: &Expr) -> ConditionFacts {
        ConditionFacts::from_condition(condition, &|expr| self.is_present(expr))
    }

    // --- dropping ------------------------------------------------------------------

    /// Notes a new value in a slot, of which only its presence is known.
    pub fn assign_slot(&mut self, slot: Slot, is_there: bool) {
        self.facts.retain(|fact| !fact.reads.slots.contains(&slot));
        self.set_presence(slot, is_there);
    }

    /// Frees the slots from `first` on for reuse.
    pub fn free_slots_from(&mut self, first: Slot) {
        self.facts.retain(|fact| fact.reads.slots.iter().all(|slot| *slot < first));
        let (word, bit) = (usize::from(first) / 64, first % 64);
        self.slots.truncate(word + 1);
        if let Some(word) = self.slots.get_mut(word) {
            *word &= (1 << bit) - 1;
        }
    }

    /// Drops the facts that these changes may have made false.
    pub fn drop_changed_facts(&mut self, changes: &Changes) {
        self.facts.retain(|fact| !fact.reads.are_changed_by(changes));
    }

    // --- branches and joins --------------------------------------------------------

    /// Marks the following code as unreachable.
    pub fn mark_unreachable(&mut self) {
        self.never = true;
    }

    /// Joins two paths: keeps the facts that are known on both.
    pub fn join_paths(&mut self, other: &Presence) {
        match (self.never, other.never) {
            (_, true) => {}
            (true, false) => self.clone_from(other),
            (false, false) => {
                let words = self.slots.len().min(other.slots.len());
                self.slots.truncate(words);
                self.slots.iter_mut().zip(&other.slots).for_each(|(word, other)| *word &= other);
                self.facts.retain(|fact| other.facts.iter().any(|known| Rc::ptr_eq(known, fact) || known.is == fact.is));
            }
        }
    }
}

/// Whether an expression is small enough to be compared with others.
pub fn is_small(expr: &Expr) -> bool {
    fn count_down_size(expr: &Expr, left: &mut usize) {
        *left = left.saturating_sub(1);
        if *left > 0 {
            expr.visit_parts(&mut |part| count_down_size(part, left));
        }
    }
    let mut left = LARGEST;
    count_down_size(expr, &mut left);
    left > 0
}

/// Renumbers the slots that an expression fills itself in order, so that equal expressions compare equal.
fn normalise_fact(expr: &mut Expr) {
    drop_memoisation(expr);
    let mut bound = Vec::new();
    expr.collect_bound_slots(&mut bound);
    if bound.is_empty() {
        return;
    }
    expr.renumber_slots(&|slot| {
        bound.iter().position(|known| *known == slot).map_or(slot, |place| FILLED_INSIDE + place as Slot)
    });
}

/// Replaces memoised definitions by their values.
fn drop_memoisation(expr: &mut Expr) {
    while let Expr::Remembered { value, .. } = expr {
        *expr = std::mem::replace(value, Expr::Constant(NONE));
    }
    expr.visit_parts_mut(&mut drop_memoisation);
}
