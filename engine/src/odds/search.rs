//! Carries out the procedure of some odds for every throw, level by level: all states after the first throw, after the
//! second, and so on, each with its share. States that are equal for all that follows become one, and their shares are
//! added.

use crate::odds::fraction::Fraction;
use crate::odds::readings::{Fold, FoldKind, Reading, Waiting, reading};
use crate::odds::states::{Key, Keys};
use crate::odds::throws::{Share, TooMany, Way, cases, folded, ordered, unordered};
use crate::odds::{Asked, Done};
use crate::problem::Problem;
use crate::program::{Address, Instruction, Slot, Value};
use crate::runtime::flow::Machine;
use crate::runtime::state::{FrameRole, NO_SLOT};
use num_bigint::BigUint;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// The shares of all values.
pub struct Exact {
    pub shares: BTreeMap<Vec<Value>, Fraction>,
    /// How many throws were looked at.
    pub throws: u64,
}

/// Why there are no exact shares.
pub enum Trouble {
    /// More throws than may be looked at.
    TooMany,
    Problem(Box<Problem>),
}

impl From<TooMany> for Trouble {
    fn from(_: TooMany) -> Trouble {
        Trouble::TooMany
    }
}

impl From<Problem> for Trouble {
    fn from(problem: Problem) -> Trouble {
        Trouble::Problem(Box::new(problem))
    }
}

/// The most states that are remembered at a time.
const MOST_STATES: usize = 200_000;

/// Works out the exact shares, with at most so many throws.
pub fn exact(asked: &Asked, limit: u64) -> Result<Exact, Trouble> {
    let mut search = Search {
        asked,
        keys: Keys::new(asked.start.state.board.clone()),
        readings: HashMap::new(),
        ways: HashMap::new(),
        found: Exact { shares: BTreeMap::new(), throws: 0 },
        next: Level::default(),
        limit,
        steps: limit.saturating_mul(STEPS_PER_THROW),
    };
    let machine = asked.begin(crate::runtime::Dice::External);
    search.settle(machine, &Fraction::one())?;
    while !search.next.states.is_empty() {
        for (machine, share) in std::mem::take(&mut search.next).states {
            search.throw(&machine, &share)?;
        }
    }
    Ok(search.found)
}

/// States after as many throws, with their shares.
#[derive(Default)]
struct Level {
    states: Vec<(Machine, Fraction)>,
    /// Where the state with a key is.
    places: HashMap<Key, usize>,
}

/// A throw that may be put together: how many dice of which size, and what each face adds to which folds.
type Alike = (usize, Vec<FoldKind>, Vec<Vec<Share>>);

struct Search<'a> {
    asked: &'a Asked,
    keys: Keys,
    /// How the results of a throw are read, by where it is made and where play goes on after it.
    readings: HashMap<(Address, Vec<Waiting>), Rc<Reading>>,
    ways: HashMap<Alike, Rc<Vec<Way>>>,
    found: Exact,
    next: Level,
    limit: u64,
    /// How many steps may still be taken to put throws together.
    steps: u64,
}

impl Search<'_> {
    /// Goes on from a state for each way in which its dice may fall.
    fn throw(&mut self, before: &Machine, share: &Fraction) -> Result<(), Trouble> {
        let Some(request) = &before.request else { return Ok(()) };
        let of = cases(&request.draws);
        let ways = self.ways_of(before)?;
        self.found.throws += ways.len() as u64;
        if self.found.throws > self.limit {
            return Err(Trouble::TooMany);
        }
        for (results, ways) in ways.iter() {
            let mut machine = before.clone();
            let context = &self.asked.game.context();
            machine.supply_with(context, results.clone());
            self.settle(machine, &share.part(ways, &of))?;
        }
        Ok(())
    }

    /// Puts a state that has come to its next throw, or to its end, to the others.
    fn settle(&mut self, machine: Machine, share: &Fraction) -> Result<(), Trouble> {
        let (machine, values) = match self.asked.look(machine)? {
            Done::Value(values) => {
                self.found.shares.entry(values).or_insert_with(Fraction::zero).add(share);
                return Ok(());
            }
            Done::Throws(machine) => {
                let key = self.keys.of(&self.asked.game.program, &machine);
                (machine, key)
            }
        };
        if let Some(place) = values.as_ref().and_then(|key| self.next.places.get(key)) {
            self.next.states[*place].1.add(share);
            return Ok(());
        }
        if let Some(key) = values {
            self.next.places.insert(key, self.next.states.len());
        }
        self.next.states.push((*machine, share.clone()));
        if self.next.states.len() > MOST_STATES { Err(Trouble::TooMany) } else { Ok(()) }
    }

    /// The ways in which the dice of a state may fall that need to be told apart.
    fn ways_of(&mut self, machine: &Machine) -> Result<Rc<Vec<Way>>, Trouble> {
        let Some(request) = &machine.request else { return Ok(Rc::default()) };
        let left = self.limit - self.found.throws;
        let each = || ordered(&request.draws, left).map(Rc::new).map_err(Trouble::from);
        let (count, size) = (request.draws.len(), request.draws.first().map_or(1, |draw| draw.size));
        let Some((at, slot)) = self.pool(machine) else { return each() };
        let reading = self.reading(machine, at, slot);
        match reading.as_ref() {
            Reading::Ordered => each(),
            Reading::Unordered => Ok(Rc::new(unordered(count, size, left)?)),
            Reading::Folds(folds, shown_in) => {
                let kinds: Vec<FoldKind> = folds.iter().map(|fold| fold.kind).collect();
                if size.unsigned_abs() > left {
                    return Err(Trouble::TooMany);
                }
                let slots: Vec<Slot> = shown_in.iter().copied().chain([slot]).collect();
                let Some(faces) = shares(self.asked, machine, folds, &slots, size) else {
                    return Ok(Rc::new(unordered(count, size, left)?));
                };
                let alike = (count, kinds, faces);
                if let Some(known) = self.ways.get(&alike) {
                    return Ok(Rc::clone(known));
                }
                let ways = Rc::new(folded(alike.0, &alike.1, &alike.2, &mut self.steps)?);
                self.ways.insert(alike, Rc::clone(&ways));
                Ok(ways)
            }
        }
    }

    /// The statement that throws dice which are no pieces, if a state waits at one: its address and the slot it fills.
    fn pool(&self, machine: &Machine) -> Option<(Address, Slot)> {
        let frame = machine.state.frames.last()?;
        match (frame.role, self.asked.game.program.code.get(frame.at as usize)?) {
            (FrameRole::Procedure { .. }, Instruction::RollPool { slot, .. }) => Some((frame.at, *slot)),
            _ => None,
        }
    }

    fn reading(&mut self, machine: &Machine, at: Address, slot: Slot) -> Rc<Reading> {
        let callers = callers(machine);
        let program = &self.asked.game.program;
        let found =
            self.readings.entry((at, callers)).or_insert_with_key(|(at, callers)| Rc::new(reading(program, *at, slot, callers)));
        Rc::clone(found)
    }
}

/// To put a throw together is less work than to go on from it.
const STEPS_PER_THROW: u64 = 5;

/// Where the frames around the top one go on, and where they put what it gives.
fn callers(machine: &Machine) -> Vec<Waiting> {
    let frames = &machine.state.frames;
    let pairs = frames.windows(2).skip(1).rev();
    pairs
        .map_while(|pair| match (pair[0].role, pair[1].role) {
            (FrameRole::Procedure { .. }, FrameRole::Procedure { result, .. }) => {
                Some((pair[0].at, Some(result).filter(|result| *result != NO_SLOT)))
            }
            _ => None,
        })
        .collect()
}

/// What each face adds to each fold; none if that cannot be worked out.
fn shares(asked: &Asked, before: &Machine, folds: &[Fold], slots: &[Slot], size: i64) -> Option<Vec<Vec<Share>>> {
    let mut machine = before.clone();
    let base = machine.state.frames.last()?.base as usize;
    let lists = machine.state.lists.len();
    let context = &asked.game.context();
    let mut faces = Vec::new();
    for face in 1..=size {
        machine.state.lists.truncate(lists);
        let shown = machine.push_list(&[face as Value]);
        slots.iter().for_each(|slot| machine.set_slot(base, *slot, shown));
        let mut shares = Vec::with_capacity(folds.len());
        for fold in folds {
            let value = machine.evaluate(context, base, &fold.expr);
            let list = || machine.state.list(value);
            shares.push(match fold.kind {
                FoldKind::Count => Share::Number(list().len() as i64),
                FoldKind::Sum => Share::Number(list().iter().map(|member| i64::from(*member)).sum()),
                FoldKind::Highest => list().iter().max().map_or(Share::Nothing, |value| Share::Number(i64::from(*value))),
                FoldKind::Lowest => list().iter().min().map_or(Share::Nothing, |value| Share::Number(i64::from(*value))),
                FoldKind::Any | FoldKind::All => Share::Number(i64::from(value != 0)),
            });
        }
        if machine.fault.is_some() {
            return None;
        }
        faces.push(shares);
    }
    Some(faces)
}

/// The part of all cases that some are.
pub fn part(cases: u64, of: u64) -> Fraction {
    Fraction::new(BigUint::from(cases), BigUint::from(of))
}
