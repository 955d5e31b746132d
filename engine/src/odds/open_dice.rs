//! Open dice: dice that have been rolled, but fall only when a step looks at them.
//!
//! Twenty dice have ten million throws, but if only the two highest count, there are only a few dozen pairs. So the results of a
//! large throw stay open if no step reads their order. Lists then hold members that name only the throw and the highest number
//! that they can show. Such lists may be copied, sorted in descending order, and joined. Before a step that looks at more, play
//! stops, and as many dice fall as the step needs: always the highest of a throw, with all dice that show the same number. Then
//! play is at the same stop again, until the step no longer depends on an open die.
//!
//! A *look* is a step that reads a list which may hold open dice. A *walk* is a loop that reads the members of such a list one
//! after another. `stops` finds them and puts a stop before each look; `search` lets the dice fall. Open throws are numbered, and
//! `throw` is that number. `base` is that of the slots of the frame at the step.

use crate::odds::budget::{Budget, Trouble};
use crate::odds::folds::compute_face_shares;
use crate::odds::readings::{Fold, FoldKind, Kinds, StepReading, kinds_at, read_step};
use crate::odds::throws::Share;
use crate::runtime::context::Context as PlayContext;
use crate::runtime::flow::Machine;
use ludex_program::flow::{def_use, first_readers};
use ludex_program::{Address, Expr, Instruction, NONE, Program, Slot, Value};
use num_bigint::BigUint;
use std::collections::{BTreeMap, BTreeSet};

/// A die that has not fallen. A list holds its code: a number below all others. Adding to the code adds to the die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenDie {
    pub throw: usize,
    /// The highest number that it can show.
    pub most: Value,
    /// The number that rules have added to it.
    pub plus: Value,
}

/// Maximum number of throws left open.
pub const MOST_OPEN: usize = 16;

/// Maximum number of faces of an open die.
pub const MOST_FACES: Value = (1 << 10) - 1;

/// The bound of numbers that rules add to an open die. Beyond it, the code is not valid.
const PLUS: Value = 1 << 11;

impl OpenDie {
    /// The number that lists hold for the die.
    pub fn code(self) -> Value {
        Value::MIN + ((self.throw as Value * (MOST_FACES + 1) + self.most) * 2 + 1) * PLUS + self.plus
    }

    /// The die with a code; `None` for plain numbers.
    pub fn from_code(member: Value) -> Option<OpenDie> {
        let code = member.checked_sub(Value::MIN)?;
        let (die, plus) = (code / (2 * PLUS), code % (2 * PLUS) - PLUS);
        let die = OpenDie { throw: (die / (MOST_FACES + 1)) as usize, most: die % (MOST_FACES + 1), plus };
        (die.throw < MOST_OPEN && die.most > 0).then_some(die)
    }

    /// The lowest and the highest value of a member, which may be an open die.
    fn value_bounds(member: Value) -> (Value, Value) {
        OpenDie::from_code(member).map_or((member, member), |die| (1 + die.plus, die.most + die.plus))
    }
}

/// A step that looks at a throw whose dice may be open.
#[derive(Debug)]
pub struct DiceLook {
    pub throw: usize,
    /// The step.
    pub step: Address,
    /// The slots that may hold open dice before the step and are read from there on, and the kinds of their lists.
    pub slots: Kinds,
    /// The reading of these slots in the step.
    reads: StepReading,
}

/// A list whose members are read one after another, so that members can be forgotten once they are read.
#[derive(Debug)]
pub struct Walk {
    /// The slot with the list.
    pub list: Slot,
    /// The slot that says which member is next: counted from 0, or a number counted from 1.
    pub place: Slot,
    /// The place is counted from 1.
    pub from_one: bool,
    /// The steps of the loop.
    pub round: std::ops::Range<Address>,
}

/// The steps that look at the throw at `at`, which has the number `throw` and puts its results into `pool`, and the walks through
/// lists of its dice.
pub fn find_looks(program: &Program, throw: usize, at: Address, pool: Slot) -> (Vec<DiceLook>, Vec<Walk>) {
    let held = slots_with_open_dice(program, at, pool);
    let mut found = Vec::new();
    let mut walks = Vec::new();
    for (step, slots) in &held {
        let reads = |expr: &Expr| expr.unbound_slots().iter().any(|slot| slots.contains_key(slot));
        let def_use = def_use(program, *step);
        let own = def_use.slots.iter().any(|slot| slots.contains_key(slot));
        if own || def_use.reads.iter().any(|expr| reads(expr)) {
            let is_read = |slot: &Slot| !first_readers(program, *step, *slot).is_empty();
            let slots: Kinds = slots.iter().filter(|(slot, _)| is_read(slot)).map(|(slot, list)| (*slot, *list)).collect();
            found.push(DiceLook { throw, step: *step, reads: read_step(program, *step, &slots), slots });
        }
        if let Some(Instruction::EachNext { slot, end, .. }) = program.code.get(*step as usize)
            && slots.contains_key(slot)
        {
            walks.push(Walk { list: *slot, place: slot + 1, from_one: false, round: *step..*end });
        }
    }
    let lists: BTreeSet<Slot> = held.values().flat_map(|slots| slots.keys().copied()).collect();
    walks.extend(lists.into_iter().filter_map(|list| counted_walk(program, &held, list)));
    (found, walks)
}

/// Whether the dice of a throw may be left open. When it is thrown again, no dice of its previous throw may be open, because
/// they would fall together with the new ones.
pub fn may_be_open(program: &Program, at: Address, pool: Slot) -> bool {
    let before = slots_with_open_dice(program, at, pool).remove(&at).unwrap_or_default();
    before.keys().all(|slot| *slot == pool || first_readers(program, at, *slot).is_empty())
}

/// The slots that may hold open dice before each step.
fn slots_with_open_dice(program: &Program, at: Address, pool: Slot) -> BTreeMap<Address, Kinds> {
    let kinds = kinds_at(program, at + 1, pool);
    let mut held: BTreeMap<Address, BTreeSet<Slot>> = BTreeMap::from([(at + 1, BTreeSet::from([pool]))]);
    let mut waiting = vec![at + 1];
    while let Some(step) = waiting.pop() {
        let Some(mut slots) = held.get(&step).cloned() else { continue };
        let def_use = def_use(program, step);
        let put = match program.code.get(step as usize) {
            Some(Instruction::Let { slot, value, .. }) if passes_list_on(value, &slots) => Some(*slot),
            Some(Instruction::EachBegin { list, slot }) if passes_list_on(list, &slots) => Some(*slot),
            _ => None,
        };
        // The counter of a walk is written, but its list stays.
        let walks = matches!(program.code.get(step as usize), Some(Instruction::EachNext { .. }));
        if !walks {
            slots.retain(|slot| !def_use.writes.contains(slot));
        }
        slots.extend(put);
        for next in def_use.next.into_iter().filter(|_| !slots.is_empty()) {
            let before = held.entry(next).or_default();
            let known = before.len();
            before.extend(&slots);
            if before.len() != known {
                waiting.push(next);
            }
        }
    }
    let kind = |step: Address, slot: Slot| kinds.get(&step).and_then(|kinds| kinds.get(&slot)).copied().unwrap_or_default();
    let with_kinds = |(step, slots): (Address, BTreeSet<Slot>)| {
        (step, slots.into_iter().map(|slot| (slot, kind(step, slot))).collect::<Kinds>())
    };
    held.into_iter().map(with_kinds).collect()
}

/// Whether an expression makes a list of open dice without looking at them, apart from the checks of
/// [`DiceLook::looks_at_open`].
fn passes_list_on(expr: &Expr, slots: &BTreeSet<Slot>) -> bool {
    let reads = |expr: &Expr| expr.unbound_slots().iter().any(|slot| slots.contains(slot));
    match expr {
        Expr::Local(slot) => slots.contains(slot),
        Expr::Sorted { down: true, list } => passes_list_on(list, slots),
        Expr::Without(list, others) => passes_list_on(list, slots) && !reads(others),
        Expr::Map { list, slot, value } => passes_list_on(list, slots) && is_slot_plus(value, *slot) && !reads(value),
        Expr::Concatenate(one, other) => {
            passes_list_on(one, slots) && !reads(other) || passes_list_on(other, slots) && !reads(one)
        }
        _ => false,
    }
}

/// Whether an expression is a slot's number with something added or subtracted.
pub fn is_slot_plus(expr: &Expr, slot: Slot) -> bool {
    let is_apart = |expr: &Expr| !expr.unbound_slots().contains(&slot);
    match expr {
        Expr::Local(own) => *own == slot,
        Expr::Add(one, other) => is_slot_plus(one, slot) && is_apart(other) || is_apart(one) && is_slot_plus(other, slot),
        Expr::Subtract(one, other) => is_slot_plus(one, slot) && is_apart(other),
        _ => false,
    }
}

/// Finds the walk through a list that is read only by `member place of list`, in a loop that increments `place`, and is not
/// needed after it. `held` has the slots with open dice before each step.
fn counted_walk(program: &Program, held: &BTreeMap<Address, Kinds>, list: Slot) -> Option<Walk> {
    let mut place = None;
    for (step, slots) in held.iter().filter(|(_, slots)| slots.contains_key(&list)) {
        let def_use = def_use(program, *step);
        if def_use.slots.contains(&list) {
            return None;
        }
        if !def_use.reads.iter().any(|expr| expr.unbound_slots().contains(&list)) {
            continue;
        }
        let own = Kinds::from([(list, slots[&list])]);
        let looks = read_step(program, *step, &own);
        if looks.everything || !looks.folds.is_empty() {
            return None;
        }
        for (at, of) in looks.members {
            match (at, of) {
                (Expr::Local(at), Expr::Local(of)) if of == list && place.is_none_or(|place| place == at) => place = Some(at),
                _ => return None,
            }
        }
    }
    let place = place?;
    let fills = |at: &Address| def_use(program, *at).writes.contains(&place);
    let mut filled = (0..program.code.len() as Address).filter(fills).filter(|at| held.contains_key(at));
    let step = filled.next()?;
    let Some(Instruction::EachNext { slot, end, .. }) = program.code.get(step as usize) else { return None };
    let counts = |before: Address| match &program.code[before as usize] {
        Instruction::EachBegin { list: Expr::Range(..), slot: own } => own == slot,
        _ => false,
    };
    let begins = (0..step)
        .rev()
        .find(|before| matches!(&program.code[*before as usize], Instruction::EachBegin { slot: own, .. } if own == slot))?;
    let is_done = first_readers(program, *end, list).is_empty();
    (counts(begins) && is_done).then_some(Walk { list, place, from_one: true, round: step..*end })
}

impl Walk {
    /// The number of members of the list that have been read, given the value of the place.
    pub fn count_read_members(&self, place: Value) -> usize {
        usize::try_from(if self.from_one { place.saturating_sub(1) } else { place }).unwrap_or(0)
    }
}

/// Returns the look of a step, and so the throw, whose dice must fall before the step; `None` if the step can run. `looks` are
/// those of the step, one for each open throw.
pub fn find_throw_to_draw<'l>(
    looks: &'l [DiceLook],
    context: &PlayContext,
    machine: &mut Machine,
    base: usize,
    budget: &mut Budget,
) -> Option<&'l DiceLook> {
    let lists = machine.state.lists.len();
    looks.iter().find(|look| {
        let must = look.highest_open_face(machine, base).is_some() && look.looks_at_open(looks, context, machine, base, budget);
        machine.state.lists.truncate(lists);
        must || machine.fault.take().is_some()
    })
}

impl DiceLook {
    /// The open dice in a list: their number, and the highest number that they can show.
    pub fn open_dice(&self, list: &[Value]) -> Option<(usize, Value)> {
        let mut open = list.iter().filter_map(|member| self.open_die(*member));
        open.next().map(|die| (1 + open.count(), die.most))
    }

    /// The open die of this throw that a member is, if it is one.
    fn open_die(&self, member: Value) -> Option<OpenDie> {
        OpenDie::from_code(member).filter(|die| die.throw == self.throw)
    }

    /// The highest number that open dice of the throw can show; `None` if all have fallen.
    fn highest_open_face(&self, machine: &Machine, base: usize) -> Option<Value> {
        let mut lists = self.slots.keys().map(|slot| machine.read_slot(base, *slot)).filter(|list| *list != NONE);
        lists.find_map(|list| Some(self.open_dice(machine.state.list_values(list))?.1))
    }

    /// Whether a fold also reads open dice of other throws. `looks` are those of all throws at the step.
    fn is_mixed(&self, fold: &Fold, looks: &[DiceLook], machine: &Machine, base: usize) -> bool {
        let reads_open = |other: &DiceLook, slot: Slot| {
            let list = machine.read_slot(base, slot);
            fold.reads_slot(slot) && list != NONE && other.open_dice(machine.state.list_values(list)).is_some()
        };
        let mut others = looks.iter().filter(|other| other.throw != self.throw);
        others.any(|other| other.slots.keys().any(|slot| reads_open(other, *slot)))
    }

    /// Whether the step would read something that depends on the open dice of this throw.
    fn looks_at_open(
        &self,
        looks: &[DiceLook],
        context: &PlayContext,
        machine: &mut Machine,
        base: usize,
        budget: &mut Budget,
    ) -> bool {
        let program = context.program;
        let slots: BTreeSet<Slot> = self.slots.keys().copied().collect();
        match program.code.get(self.step as usize) {
            Some(Instruction::EachNext { slot, .. }) => {
                let (list, place) = (machine.read_slot(base, *slot), machine.read_slot(base, slot + 1));
                machine.state.list_values(list).get(place as usize).is_some_and(|member| self.open_die(*member).is_some())
            }
            Some(Instruction::Let { value: list, .. } | Instruction::EachBegin { list, .. }) if passes_list_on(list, &slots) => {
                !self.is_sound(list, context, machine, base)
            }
            _ => {
                let mut is_open = |(place, list): &(Expr, Expr)| {
                    if !self.is_sound(list, context, machine, base) {
                        return true;
                    }
                    let place = machine.evaluate(context, base, place);
                    let list = machine.evaluate(context, base, list);
                    let place = usize::try_from(i64::from(place) - 1).ok();
                    let member = place.and_then(|place| machine.state.list_values(list).get(place).copied());
                    member.is_some_and(|member| self.open_die(member).is_some())
                };
                self.reads.everything
                    || self.reads.members.iter().any(&mut is_open)
                    || self.reads.folds.iter().any(|fold| self.is_mixed(fold, looks, machine, base))
                    || !self.reads.folds.is_empty() && !self.is_neutral(&self.reads.folds, context, machine, base, budget)
            }
        }
    }

    /// Whether open dice contribute nothing to folds, no matter what they show, and their codes do not either.
    fn is_neutral(&self, folds: &[Fold], context: &PlayContext, machine: &Machine, base: usize, budget: &mut Budget) -> bool {
        let slots: Vec<Slot> = self.slots.keys().copied().collect();
        let Some(most) = self.highest_open_face(machine, base) else { return true };
        // Folds never read lists of dice with something added.
        let open = OpenDie { throw: self.throw, most, plus: 0 };
        let faces: Vec<Value> = (1..=most).chain([open.code()]).collect();
        let Ok((kinds, shares)) = compute_face_shares(context, machine, base, folds, &slots, &faces, budget) else {
            return false;
        };
        shares.iter().all(|shares| {
            shares.iter().zip(&kinds).all(|(share, kind)| match kind {
                FoldKind::Count | FoldKind::Sum | FoldKind::Any => *share == Share::Number(0),
                FoldKind::All => *share == Share::Number(1),
                FoldKind::Highest | FoldKind::Lowest | FoldKind::Kept { .. } => *share == Share::Nothing,
            })
        })
    }

    /// Whether the list that an expression makes may hold open dice: nothing in it depends on the numbers that they will show.
    fn is_sound(&self, expr: &Expr, context: &PlayContext, machine: &mut Machine, base: usize) -> bool {
        let mut members = |expr: &Expr| {
            let list = machine.evaluate(context, base, expr);
            machine.state.list_values(list).to_vec()
        };
        match expr {
            Expr::Sorted { list, .. } => {
                let members = members(list);
                let own = members.iter().copied().find(|member| self.open_die(*member).is_some());
                // Members with lower codes are open dice of other throws, whose own looks compare them with this one.
                let is_in_order = |own, other| other <= own || OpenDie::value_bounds(other).0 >= OpenDie::value_bounds(own).1;
                let is_sorted = own.is_none_or(|own| members.iter().all(|other| is_in_order(own, *other)));
                is_sorted && self.is_sound(list, context, machine, base)
            }
            Expr::Without(list, others) => {
                let (own, others) = (members(list), members(others));
                let mut own = own.into_iter().filter(|member| self.open_die(*member).is_some());
                let is_apart = own.next().is_none_or(|own| {
                    let (least, most) = OpenDie::value_bounds(own);
                    !others.iter().any(|other| (least..=most).contains(other))
                });
                is_apart && self.is_sound(list, context, machine, base)
            }
            Expr::Map { list, .. } => {
                let (before, after) = (members(list), members(expr));
                let is_same = |(before, after): (&Value, &Value)| match self.open_die(*before) {
                    Some(die) => OpenDie::from_code(*after).is_some_and(|moved| moved == OpenDie { plus: moved.plus, ..die }),
                    None => true,
                };
                before.len() == after.len()
                    && before.iter().zip(&after).all(is_same)
                    && self.is_sound(list, context, machine, base)
            }
            Expr::Concatenate(one, other) => {
                self.is_sound(one, context, machine, base) && self.is_sound(other, context, machine, base)
            }
            Expr::Local(_) => true,
            // Any other form may look at what the dice show.
            _ => !expr.unbound_slots().iter().any(|slot| self.slots.contains_key(slot)),
        }
    }

    /// Lets some open dice of a list show the highest number that they can: `dice` of them. The others show less, and stay open.
    pub fn let_fall(&self, list: &[Value], mut dice: usize) -> Vec<Value> {
        let fall = |member: &Value| match self.open_die(*member) {
            Some(die) if dice > 0 => {
                dice -= 1;
                die.most + die.plus
            }
            Some(die) => OpenDie { most: die.most - 1, ..die }.code(),
            None => *member,
        };
        list.iter().map(fall).collect()
    }
}

/// This many bits cost as much as one more way.
const BITS_PER_WORK: u64 = 256;

/// Approximate memory of a way in bytes, without its cases.
const BYTES_OF_WAY: usize = 200;

/// Counts the cases in which 0, 1, 2, … of some dice with numbers from 1 to `most` show `most`.
pub fn count_highest(dice: usize, most: Value, budget: &mut Budget) -> Result<Vec<(usize, BigUint)>, Trouble> {
    let below = BigUint::from(most.unsigned_abs() - 1);
    let mut chosen = BigUint::from(1u8);
    let mut found = Vec::new();
    for shown in 0..=dice {
        if most > 1 || shown == dice {
            let cases = &chosen * below.pow((dice - shown) as u32);
            budget.spend_work(1 + cases.bits() / BITS_PER_WORK)?;
            budget.reserve_bytes(BYTES_OF_WAY + cases.bits() as usize / 4)?;
            found.push((shown, cases));
        }
        chosen = chosen * (dice - shown) / (shown + 1);
    }
    Ok(found)
}
