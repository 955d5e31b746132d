//! Automata that read a set member by member, and keep only what the conditions need.
//!
//! Members with the same values form one class. From each state a member of a class leads to one other state, and each state
//! accepts some fillings of the other roles. Even if there are very many sets, there are few states.
//!
//! They serve actions with an [`Aggregation`]: its *aggregates*, such as a sum or the highest value, are all that the conditions
//! read of the set. A *filling* is a choice of one thing for each other role, by its number in [`Fillings`]. The *readings* of a
//! candidate are its values for the aggregates; they may depend on the filling, and on the first member of the set.

use crate::runtime::context::Context;
use crate::runtime::eval::Eval;
use crate::runtime::eval::search::fillings::{Fillings, OtherFillings};
use crate::runtime::eval::search::track::{DEAD, Track};
use crate::runtime::limits::MOST_STATES;
use ludex_program::{ActionInfo, Aggregate, AggregateKind, Aggregation, Expr, NONE, Slot, Value};
use ludex_syntax::problem::Problem;
use smallvec::SmallVec;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// States, with the fillings that each accepts. In state 0 no member has been read.
#[derive(Clone, Debug, Default)]
pub struct Automaton {
    /// Number of classes.
    classes: usize,
    /// The next states, by state and then by class; [`DEAD`] if none.
    next: Vec<u32>,
    /// Maximum number of members that may still follow, by state.
    to_come: Vec<usize>,
    /// The fillings of the other roles that each state accepts, in order.
    pub accepts: Vec<Vec<u32>>,
}

impl Automaton {
    pub fn state_count(&self) -> usize {
        self.accepts.len()
    }

    /// The state after a member of a class.
    pub fn next_state(&self, state: u32, class: u16) -> u32 {
        self.next.get(state as usize * self.classes + usize::from(class)).copied().unwrap_or(DEAD)
    }

    /// The states after a member of each class.
    fn next_states(&self, state: usize) -> &[u32] {
        &self.next[state * self.classes..(state + 1) * self.classes]
    }

    /// Whether it has the same transitions as another automaton.
    pub fn has_same_transitions(&self, other: &Automaton) -> bool {
        self.next == other.next
    }

    /// The automaton for some of the fillings; `None` if it accepts none of them.
    pub fn restrict_to(&self, fillings: &Range<u32>) -> Option<Automaton> {
        let mut automaton = self.clone();
        automaton.accepts.iter_mut().for_each(|accepted| accepted.retain(|filling| fillings.contains(filling)));
        let accepts_any = automaton.accepts.iter().any(|accepted| !accepted.is_empty());
        accepts_any.then(|| automaton.merge_states())
    }

    /// Merges states that accept the same fillings for all possible further members.
    ///
    /// A state with fewer members to come equals an earlier one that accepts the same after up to that many members. So states
    /// are compared first by the fillings that they accept at once, then by those after one member, and so on, each as far as it
    /// goes.
    fn merge_states(self) -> Automaton {
        let same_as = self.find_equal_states(StateSorts::from_accepted(&self.accepts));
        let mut places = vec![DEAD; self.state_count()];
        places[0] = 0;
        let mut kept = vec![0];
        let mut merged = Automaton { classes: self.classes, ..Automaton::default() };
        let mut place_of = |state: u32, kept: &mut Vec<usize>| {
            let same = same_as.get(state as usize).copied().flatten();
            same.map_or(DEAD, |same| {
                if places[same] == DEAD {
                    places[same] = kept.len() as u32;
                    kept.push(same);
                }
                places[same]
            })
        };
        while let Some(state) = kept.get(merged.state_count()).copied() {
            merged.accepts.push(self.accepts[state].clone());
            merged.to_come.push(self.to_come[state]);
            merged.next.extend(self.next_states(state).iter().map(|next| place_of(*next, &mut kept)));
        }
        merged
    }

    /// Finds for each state the first that equals it; `None` if no legal move can follow.
    fn find_equal_states(&self, mut sorts: StateSorts) -> Vec<Option<usize>> {
        let mut same_as = vec![None; self.state_count()];
        for further in 0.. {
            let finer = self.refine_sorts(&sorts, further);
            let goes_on = |state: &usize| self.to_come[*state] > further;
            let is_last = finer.count == sorts.count_of((0..self.state_count()).filter(goes_on));
            let mut first = HashMap::from([(StateSorts::DEAD, None)]);
            for state in (0..self.state_count()).filter(|state| self.to_come[*state] >= further) {
                let same = *first.entry(sorts.of[state]).or_insert(Some(state));
                if is_last || self.to_come[state] == further {
                    same_as[state] = same;
                }
            }
            if is_last {
                break;
            }
            sorts = finer;
        }
        same_as
    }

    /// Separates the states with more than `further` members to come by what follows after one more.
    fn refine_sorts(&self, sorts: &StateSorts, further: usize) -> StateSorts {
        let mut known = HashMap::from([(vec![StateSorts::DEAD; self.classes + 1], StateSorts::DEAD)]);
        let mut of = sorts.of.clone();
        for state in (0..self.state_count()).filter(|state| self.to_come[*state] > further) {
            let after =
                self.next_states(state).iter().map(|next| sorts.of.get(*next as usize).copied().unwrap_or(StateSorts::DEAD));
            let new = known.len() as u32;
            of[state] = *known.entry(std::iter::once(sorts.of[state]).chain(after).collect()).or_insert(new);
        }
        StateSorts { of, count: known.len() }
    }
}

/// A number for each state; states that are not separated yet share one.
struct StateSorts {
    of: Vec<u32>,
    count: usize,
}

impl StateSorts {
    /// States that accept nothing, as far as they have been followed.
    const DEAD: u32 = 0;

    /// Separates states by the fillings that they accept at once.
    fn from_accepted(accepts: &[Vec<u32>]) -> StateSorts {
        let mut known: HashMap<&[u32], u32> = HashMap::from([(&[][..], StateSorts::DEAD)]);
        let mut sort = |accepted| {
            let new = known.len() as u32;
            *known.entry(accepted).or_insert(new)
        };
        let of = accepts.iter().map(|accepted| sort(accepted.as_slice())).collect();
        StateSorts { of, count: known.len() }
    }

    /// Number of sorts among some states, with the dead one.
    fn count_of(&self, states: impl Iterator<Item = usize>) -> usize {
        states.map(|state| self.of[state]).chain([StateSorts::DEAD]).collect::<HashSet<u32>>().len()
    }
}

/// The reason why no automaton reads the sets.
pub enum Unreadable {
    /// There would be too many states, or fillings of the other roles.
    TooMuch,
    /// A condition needs a value of a member that is a fault.
    Fault(Box<Problem>),
}

/// The current value of each aggregate; [`NONE`] for a highest or lowest of nothing.
type Aggregates = SmallVec<[Value; 4]>;

/// The value of each candidate for an aggregate, or the fault in computing it.
type MemberValues = Result<Vec<Value>, Box<Problem>>;

/// The values of all candidates for some fillings of the other roles.
struct CandidateReadings {
    /// For each candidate, the values in sets that begin with it; only one entry if no condition asks for the first.
    read: Vec<Vec<MemberValues>>,
    /// The fillings with these values.
    fillings: Vec<u32>,
}

/// The part of a set that has been read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct ReadState {
    /// Index of the entry of the readings that applies; `None` before the first member.
    with: Option<usize>,
    /// The aggregates of the members so far.
    gathered: Aggregates,
}

/// The action whose sets are read, with the fillings of its roles.
pub struct SetReading<'a> {
    pub context: &'a Context<'a>,
    pub base: usize,
    pub action: &'a ActionInfo,
    pub plan: &'a Aggregation,
    /// The candidates of the set, in order.
    pub members: &'a [Value],
    pub fillings: &'a Fillings,
    /// The minimum and maximum number of members of a set.
    pub least: usize,
    pub most: usize,
}

impl Eval {
    /// Builds the tracks of all sets.
    pub fn build_tracks(&mut self, reading: &SetReading) -> Result<Vec<Track>, Unreadable> {
        let all = self.read_for_fillings(reading);
        all.iter().map(|readings| self.build_track(reading, readings)).collect()
    }

    /// Reads the candidates for every filling; fillings with the same values share an entry.
    fn read_for_fillings(&mut self, reading: &SetReading) -> Vec<CandidateReadings> {
        let SetReading { base, plan, members, .. } = *reading;
        let mut known: HashMap<SmallVec<[Value; 4]>, usize> = HashMap::new();
        let mut all: Vec<CandidateReadings> = Vec::new();
        for filling in 0..reading.fillings.filling_count() {
            let others = reading.fillings.nth_filling(filling);
            let read_with = plan.read_with.iter().map(|role| others[*role]).collect();
            let place = *known.entry(read_with).or_insert_with(|| {
                self.fill_others(reading, &others);
                let read_all = |machine: &mut Eval| {
                    plan.aggregates
                        .iter()
                        .map(|aggregate| machine.read_members(reading, aggregate))
                        .collect::<Vec<MemberValues>>()
                };
                let read: Vec<Vec<MemberValues>> = match plan.first {
                    None => vec![read_all(self)],
                    Some(slot) => {
                        let with = |first: &Value| {
                            self.set_slot(base, slot, *first);
                            read_all(self)
                        };
                        members.iter().map(with).collect()
                    }
                };
                let same =
                    |(one, other): (&MemberValues, &MemberValues)| matches!((one, other), (Ok(one), Ok(other)) if one == other);
                let all_same = |other: &CandidateReadings| read.iter().flatten().zip(other.read.iter().flatten()).all(same);
                all.iter().position(all_same).unwrap_or_else(|| {
                    all.push(CandidateReadings { read, fillings: Vec::new() });
                    all.len() - 1
                })
            });
            all[place].fillings.push(filling as u32);
        }
        all
    }

    /// Puts the things of a filling into the slots of their roles.
    fn fill_others(&mut self, reading: &SetReading, others: &OtherFillings) {
        let roles = 0..reading.action.roles.len();
        for role in roles.filter(|role| *role != reading.plan.set) {
            self.set_slot(reading.base, reading.action.context + role as Slot, others[role]);
        }
    }

    /// The value of each candidate for an aggregate.
    fn read_members(&mut self, reading: &SetReading, aggregate: &Aggregate) -> MemberValues {
        let SetReading { context, base, plan, members, .. } = *reading;
        let lists = self.state.lists.len();
        let mut read = Vec::with_capacity(members.len());
        for member in members {
            self.set_slot(base, plan.member, *member);
            read.push(self.evaluate(context, base, &aggregate.value));
            self.state.lists.truncate(lists);
            if let Some(fault) = self.fault.take() {
                return Err(fault);
            }
        }
        Ok(read)
    }

    /// Builds the automaton for the fillings that share readings.
    fn build_track(&mut self, reading: &SetReading, readings: &CandidateReadings) -> Result<Track, Unreadable> {
        let (classes, first_of_class) = classify_members(reading, readings);
        let highest = self.find_highest_wanted(reading, readings);
        let mut automaton = Automaton { classes: first_of_class.len(), ..Automaton::default() };
        let gathered = reading.plan.aggregates.iter().map(|aggregate| value_of_nothing(aggregate.kind)).collect();
        let start = ReadState { with: if reading.plan.first.is_some() { None } else { Some(0) }, gathered };
        // Each state with the number of members that reaches it. Sets are not read beyond their maximum size.
        let mut states = vec![(start.clone(), 0)];
        let mut places = HashMap::from([(start, 0u32)]);
        let mut at = 0;
        while let Some((state, size)) = states.get(at).cloned() {
            // The empty set is tested below, if it can be chosen.
            automaton.accepts.push(if at > 0 { self.find_accepted(reading, readings, &state)? } else { Vec::new() });
            automaton.to_come.push(reading.most - size);
            for place in &first_of_class {
                if size == reading.most {
                    automaton.next.push(DEAD);
                    continue;
                }
                let with = state.with.unwrap_or(*place);
                let read = readings.read[with].iter().map(|read| read.as_ref().map_or(0, |read| read[*place]));
                let gathered = add_member(reading.plan, &highest, &state.gathered, read).ok_or(Unreadable::TooMuch)?;
                let further = ReadState { with: Some(with), gathered };
                let place = *places.entry(further.clone()).or_insert_with(|| {
                    states.push((further, size + 1));
                    states.len() as u32 - 1
                });
                automaton.next.push(place);
            }
            let too_many = states.len() > MOST_STATES;
            if too_many || !self.spend_work(first_of_class.len() as u64) {
                return Err(self.fault.take().map_or(Unreadable::TooMuch, Unreadable::Fault));
            }
            at += 1;
        }
        if reading.least == 0 || automaton.next.contains(&0) {
            automaton.accepts[0] = self.find_accepted(reading, readings, &states[0].0)?;
        }
        Ok(Track::Classes { classes, automaton: automaton.merge_states() })
    }

    /// Finds for each aggregate the number above which its value makes no difference. Sums are cut there, so that there are fewer
    /// states.
    fn find_highest_wanted(&mut self, reading: &SetReading, readings: &CandidateReadings) -> Vec<Option<Value>> {
        let highest = |(index, aggregate): (usize, &Aggregate)| {
            let no_less = |read: &Vec<MemberValues>| read[index].as_ref().is_ok_and(|read| read.iter().all(|read| *read >= 0));
            let grows = aggregate.kind == AggregateKind::Sum && readings.read.iter().all(no_less);
            let with = aggregate.compared_with.as_ref().filter(|_| grows)?;
            let mut highest = -1;
            for filling in &readings.fillings {
                self.fill_others(reading, &reading.fillings.nth_filling(*filling as usize));
                for expr in with {
                    highest = highest.max(self.evaluate(reading.context, reading.base, expr));
                    if self.fault.take().is_some() {
                        return None;
                    }
                }
            }
            highest.checked_add(1)
        };
        reading.plan.aggregates.iter().enumerate().map(highest).collect()
    }

    /// Finds the fillings with which a set in a state is a legal move.
    fn find_accepted(
        &mut self,
        reading: &SetReading,
        readings: &CandidateReadings,
        state: &ReadState,
    ) -> Result<Vec<u32>, Unreadable> {
        let SetReading { base, plan, members, .. } = *reading;
        let mut accepted = Vec::new();
        if let Some(slot) = plan.first {
            self.set_slot(base, slot, state.with.map_or(NONE, |first| members[first]));
        }
        for (aggregate, so_far) in plan.aggregates.iter().zip(&state.gathered) {
            self.set_slot(base, aggregate.slot, if *so_far == NONE { 0 } else { *so_far });
        }
        // The empty set has no values.
        let read = state.with.map_or(&[][..], |with| &readings.read[with]);
        for filling in &readings.fillings {
            self.fill_others(reading, &reading.fillings.nth_filling(*filling as usize));
            let mut all = true;
            for condition in &plan.conditions {
                if !self.condition_holds(reading, read, condition)? {
                    all = false;
                    break;
                }
            }
            if all {
                accepted.push(*filling);
            }
        }
        Ok(accepted)
    }

    /// Whether a condition holds; it fails if it needs a value that is a fault.
    fn condition_holds(&mut self, reading: &SetReading, read: &[MemberValues], condition: &Expr) -> Result<bool, Unreadable> {
        match condition {
            Expr::And(left, right) => {
                Ok(self.condition_holds(reading, read, left)? && self.condition_holds(reading, read, right)?)
            }
            Expr::Or(left, right) => {
                Ok(self.condition_holds(reading, read, left)? || self.condition_holds(reading, read, right)?)
            }
            Expr::Not(inner) => Ok(!self.condition_holds(reading, read, inner)?),
            other => {
                for (aggregate, read) in reading.plan.aggregates.iter().zip(read) {
                    if let Err(fault) = read
                        && other.unbound_slots().contains(&aggregate.slot)
                    {
                        return Err(Unreadable::Fault(fault.clone()));
                    }
                }
                let lists = self.state.lists.len();
                let holds = self.evaluate(reading.context, reading.base, other) != 0;
                self.state.lists.truncate(lists);
                self.fault.take().map_or(Ok(holds), |fault| Err(Unreadable::Fault(fault)))
            }
        }
    }
}

/// Returns the class of each candidate, and the first candidate of each class. Candidates of one class have the same values
/// whichever member is the first, and give all others the same values when they are the first.
fn classify_members(reading: &SetReading, readings: &CandidateReadings) -> (Vec<u16>, Vec<usize>) {
    let count = reading.members.len();
    // A condition may read the first member itself, with values that are not known here.
    let asks = |slot: &Slot| reading.plan.conditions.iter().any(|condition| condition.unbound_slots().contains(slot));
    let may_differ = reading.plan.first.as_ref().is_some_and(asks) || readings.read.iter().flatten().any(Result::is_err);
    if may_differ && reading.plan.first.is_some() {
        return ((0..count as u16).collect(), (0..count).collect());
    }
    let of_first = |place: usize| match reading.plan.first {
        None => &[][..],
        Some(_) => &readings.read[place],
    };
    let mut known: HashMap<Vec<Value>, u16> = HashMap::new();
    let mut first_of_class = Vec::new();
    let class = |place: usize| {
        let read_of_it = readings.read.iter().flatten().map(|read| read.as_ref().map_or(0, |read| read[place]));
        let read_with_it = of_first(place).iter().flatten().flatten().copied();
        *known.entry(read_of_it.chain(read_with_it).collect()).or_insert_with(|| {
            first_of_class.push(place);
            first_of_class.len() as u16 - 1
        })
    };
    ((0..count).map(class).collect(), first_of_class)
}

/// Adds a member to the aggregates; `None` on an overflow.
fn add_member(
    plan: &Aggregation,
    highest: &[Option<Value>],
    gathered: &Aggregates,
    read: impl Iterator<Item = Value>,
) -> Option<Aggregates> {
    let one = |((aggregate, highest), (so_far, read)): ((&Aggregate, &Option<Value>), (&Value, Value))| match aggregate.kind {
        AggregateKind::Sum => {
            let sum = so_far.checked_add(read).filter(|sum| *sum != NONE)?;
            Some(highest.map_or(sum, |highest| sum.min(highest)))
        }
        _ if *so_far == NONE => Some(read),
        AggregateKind::Highest => Some((*so_far).max(read)),
        AggregateKind::Lowest => Some((*so_far).min(read)),
        AggregateKind::All => Some(Value::from(*so_far != 0 && read != 0)),
        AggregateKind::Any => Some(Value::from(*so_far != 0 || read != 0)),
    };
    plan.aggregates.iter().zip(highest).zip(gathered.iter().zip(read)).map(one).collect()
}

/// The value of an aggregate of no members.
fn value_of_nothing(kind: AggregateKind) -> Value {
    match kind {
        AggregateKind::Sum | AggregateKind::Any => 0,
        AggregateKind::All => 1,
        AggregateKind::Highest | AggregateKind::Lowest => NONE,
    }
}
