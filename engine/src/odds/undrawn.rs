//! Dice that have been rolled and fall only when a step looks at them.
//!
//! Twenty dice of which the two highest count have ten million throws, and a few dozen highest pairs. So the results of a large
//! throw, whose order nobody reads, are left open: in their place stand members that only say that they are no higher than
//! some number. Lists of them may be copied, put in order from the highest on, and joined. Before a step that looks at more,
//! play stops, and as many dice fall as it needs: always the highest of those that are open, with all that show the same.

use crate::odds::budget::{Budget, Trouble};
use crate::odds::folds::shares;
use crate::odds::readings::{Fold, FoldKind, Kinds, kinds_at, looks};
use crate::odds::throws::Share;
use crate::program::flow::{def_use, first_readers};
use crate::program::{Address, Expr, Instruction, NONE, Program, Slot, Value};
use crate::runtime::context::Context as PlayContext;
use crate::runtime::flow::Machine;
use num_bigint::BigUint;
use std::collections::{BTreeMap, BTreeSet};

/// What stands for a die that shows at most so much.
pub fn open_die(most: i64) -> Value {
    Value::MIN + most as Value
}

/// The most that a die shows which is open; none of a plain number.
fn most_of(member: Value) -> Option<Value> {
    let most = member.checked_sub(Value::MIN)?;
    (1..=HIGHEST).contains(&most).then_some(most)
}

/// No die has more faces.
const HIGHEST: Value = 1_000_000;

/// A step that looks at a throw whose dice may be open.
#[derive(Debug)]
pub struct Look {
    /// The step.
    pub step: Address,
    /// The slots that may hold open dice before it, and how they stand there.
    pub slots: Kinds,
}

/// A list whose members are read one after the other, so that those that have been read can be forgotten.
#[derive(Debug)]
pub struct Walk {
    pub list: Slot,
    /// Says which member is next: counted from 0, or a number that counts from 1.
    pub place: Slot,
    pub from_one: bool,
    pub round: std::ops::Range<Address>,
}

/// The steps that look at a throw, and the lists of its dice that are walked through.
pub fn looks_at(program: &Program, at: Address, pool: Slot) -> (Vec<Look>, Vec<Walk>) {
    let held = held(program, at, pool);
    let mut found = Vec::new();
    let mut walks = Vec::new();
    for (step, slots) in &held {
        let reads = |expr: &Expr| expr.slots().iter().any(|slot| slots.contains_key(slot));
        let def_use = def_use(program, *step);
        let own = def_use.slots.iter().any(|slot| slots.contains_key(slot));
        if own || def_use.reads.iter().any(|expr| reads(expr)) {
            found.push(Look { step: *step, slots: slots.clone() });
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

/// Whether the dice of a throw may be left open: no dice that fell before may be open when it is made again, as they would
/// fall as one with the others.
pub fn may_be_open(program: &Program, at: Address, pool: Slot) -> bool {
    let before = held(program, at, pool).remove(&at).unwrap_or_default();
    before.keys().all(|slot| *slot == pool || first_readers(program, at, *slot).is_empty())
}

/// The slots that may hold open dice before each step.
fn held(program: &Program, at: Address, pool: Slot) -> BTreeMap<Address, Kinds> {
    let kinds = kinds_at(program, at + 1, pool);
    let mut held: BTreeMap<Address, BTreeSet<Slot>> = BTreeMap::from([(at + 1, BTreeSet::from([pool]))]);
    let mut waiting = vec![at + 1];
    while let Some(step) = waiting.pop() {
        let Some(mut slots) = held.get(&step).cloned() else { continue };
        let def_use = def_use(program, step);
        let put = match program.code.get(step as usize) {
            Some(Instruction::Let { slot, value, .. }) if hands_on(value, &slots) => Some(*slot),
            Some(Instruction::EachBegin { list, slot }) if hands_on(list, &slots) => Some(*slot),
            _ => None,
        };
        // The counter of a walk is written, and its list stays.
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

/// Whether an expression makes a list of open dice without looking at them, apart from what [`Look::must_draw`] asks.
fn hands_on(expr: &Expr, slots: &BTreeSet<Slot>) -> bool {
    let reads = |expr: &Expr| expr.slots().iter().any(|slot| slots.contains(slot));
    match expr {
        Expr::Local(slot) => slots.contains(slot),
        Expr::Sorted { down: true, list } => hands_on(list, slots),
        Expr::Without(list, others) => hands_on(list, slots) && !reads(others),
        Expr::Concatenate(one, other) => hands_on(one, slots) && !reads(other) || hands_on(other, slots) && !reads(one),
        _ => false,
    }
}

/// A list of which only `member place of list` is read, in a loop that counts `place` up, and which is not wanted after it.
fn counted_walk(program: &Program, held: &BTreeMap<Address, Kinds>, list: Slot) -> Option<Walk> {
    let mut place = None;
    for (step, slots) in held.iter().filter(|(_, slots)| slots.contains_key(&list)) {
        let def_use = def_use(program, *step);
        if def_use.slots.contains(&list) {
            return None;
        }
        if !def_use.reads.iter().any(|expr| expr.slots().contains(&list)) {
            continue;
        }
        let own = Kinds::from([(list, slots[&list])]);
        let looks = looks(program, *step, &own);
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
    /// How many members of the list have been read, when the place holds a value.
    pub fn read(&self, place: Value) -> usize {
        usize::try_from(if self.from_one { place.saturating_sub(1) } else { place }).unwrap_or(0)
    }
}

impl Look {
    /// Whether more dice must fall before the step can be carried out.
    pub fn must_draw(&self, context: &PlayContext, machine: &mut Machine, base: usize, budget: &mut Budget) -> bool {
        let lists = machine.state.lists.len();
        let must = self.looks_at_open(context, machine, base, budget);
        machine.state.lists.truncate(lists);
        must || machine.fault.take().is_some()
    }

    fn looks_at_open(&self, context: &PlayContext, machine: &mut Machine, base: usize, budget: &mut Budget) -> bool {
        let program = context.program;
        let slots: BTreeSet<Slot> = self.slots.keys().copied().collect();
        match program.code.get(self.step as usize) {
            Some(Instruction::EachNext { slot, .. }) => {
                let (list, place) = (machine.slot(base, *slot), machine.slot(base, slot + 1));
                machine.state.list(list).get(place as usize).is_some_and(|member| most_of(*member).is_some())
            }
            Some(Instruction::Let { value: list, .. } | Instruction::EachBegin { list, .. }) if hands_on(list, &slots) => {
                !is_sound(list, context, machine, base)
            }
            _ => {
                let looks = looks(program, self.step, &self.slots);
                let mut is_open = |(place, list): &(Expr, Expr)| {
                    if !is_sound(list, context, machine, base) {
                        return true;
                    }
                    let place = machine.evaluate(context, base, place);
                    let list = machine.evaluate(context, base, list);
                    let place = usize::try_from(i64::from(place) - 1).ok();
                    let member = place.and_then(|place| machine.state.list(list).get(place).copied());
                    member.is_some_and(|member| most_of(member).is_some())
                };
                if looks.everything || looks.members.iter().any(&mut is_open) {
                    return true;
                }
                !looks.folds.is_empty() && !self.is_neutral(&looks.folds, context, machine, base, budget)
            }
        }
    }

    /// Whether open dice add nothing to folds, whatever they show, and neither does what stands for them.
    fn is_neutral(&self, folds: &[Fold], context: &PlayContext, machine: &Machine, base: usize, budget: &mut Budget) -> bool {
        let slots: Vec<Slot> = self.slots.keys().copied().collect();
        let lists = slots.iter().map(|slot| machine.slot(base, *slot)).filter(|list| *list != NONE);
        let Some(most) = lists.filter_map(|list| Some(open_dice(machine.state.list(list))?.1)).max() else { return true };
        let faces: Vec<Value> = (1..=most).chain([open_die(i64::from(most))]).collect();
        let Ok((kinds, shares)) = shares(context, machine, base, folds, &slots, &faces, budget) else { return false };
        shares.iter().all(|shares| {
            shares.iter().zip(&kinds).all(|(share, kind)| match kind {
                FoldKind::Count | FoldKind::Sum | FoldKind::Any => *share == Share::Number(0),
                FoldKind::All => *share == Share::Number(1),
                FoldKind::Highest | FoldKind::Lowest | FoldKind::Kept { .. } => *share == Share::Nothing,
            })
        })
    }
}

/// Whether open dice can stand in a list that an expression makes: nothing in it depends on what they show.
fn is_sound(expr: &Expr, context: &PlayContext, machine: &mut Machine, base: usize) -> bool {
    match expr {
        Expr::Sorted { list, .. } => {
            let inner = is_sound(list, context, machine, base);
            let list = machine.evaluate(context, base, list);
            let members = machine.state.list(list);
            let most = members.iter().filter_map(|member| most_of(*member)).max();
            inner && most.is_none_or(|most| members.iter().all(|member| most_of(*member).is_some() || *member >= most))
        }
        Expr::Without(list, others) => {
            let inner = is_sound(list, context, machine, base);
            let (list, others) = (machine.evaluate(context, base, list), machine.evaluate(context, base, others));
            let most = machine.state.list(list).iter().filter_map(|member| most_of(*member)).max().unwrap_or(0);
            inner && !machine.state.list(others).iter().any(|other| (1..=most).contains(other))
        }
        Expr::Concatenate(one, other) => is_sound(one, context, machine, base) && is_sound(other, context, machine, base),
        _ => true,
    }
}

/// The open dice of a list: how many there are, and the most that they show.
pub fn open_dice(list: &[Value]) -> Option<(usize, Value)> {
    let most = list.iter().find_map(|member| most_of(*member))?;
    Some((list.iter().filter(|member| most_of(**member).is_some()).count(), most))
}

/// Numbers so long cost as much as one more way.
const BITS_PER_WORK: u64 = 256;

/// A way takes so much memory beside its cases, about.
const BYTES_OF_WAY: usize = 200;

/// Ways in which the highest of some open dice fall: how many show which number, and in how many cases.
pub fn highest(dice: usize, most: Value, budget: &mut Budget) -> Result<Vec<(usize, Value, BigUint)>, Trouble> {
    let mut found = Vec::new();
    for face in (1..=most).rev() {
        let below = BigUint::from(face.unsigned_abs() - 1);
        let mut chosen = BigUint::from(1u8);
        for shown in 1..=dice {
            chosen = chosen * (dice - shown + 1) / shown;
            if face > 1 || shown == dice {
                let cases = &chosen * below.pow((dice - shown) as u32);
                budget.spend(1 + cases.bits() / BITS_PER_WORK)?;
                budget.keep(BYTES_OF_WAY + cases.bits() as usize / 4)?;
                found.push((shown, face, cases));
            }
        }
    }
    Ok(found)
}

/// A list in which some open dice have fallen, the highest.
pub fn fallen(list: &[Value], mut dice: usize, face: Value) -> Vec<Value> {
    let fall = |member: &Value| match most_of(*member) {
        Some(_) if dice > 0 => {
            dice -= 1;
            face
        }
        Some(_) => open_die(i64::from(face) - 1),
        None => *member,
    };
    list.iter().map(fall).collect()
}
