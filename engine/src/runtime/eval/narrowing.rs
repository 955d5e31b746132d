//! Conditions on moves that can be decided without testing each move, by narrowing the candidates of roles.
//!
//! `reading` turns a condition of the rules into a [`MoveCondition`]; a [`Narrowing`] collects those that must hold or fail, and
//! `Search::narrow_search` leaves the moves that satisfy it. A role is filled by one thing or by *several*, a set; conditions that
//! join roles are tested only for an action with one role of several.

use ludex_program::Value;

/// The meaning of a condition on a move, once everything except the role fillings is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveCondition {
    Known(bool),
    /// Whether a role of one thing is filled by one of these.
    Is {
        role: usize,
        things: Vec<Value>,
    },
    /// Whether a thing is in a role of several.
    Has {
        role: usize,
        thing: Value,
    },
    Not(Box<MoveCondition>),
    Both(Box<MoveCondition>, Box<MoveCondition>),
    Either(Box<MoveCondition>, Box<MoveCondition>),
}

/// A condition that depends on more than one role, and whether it must hold or must fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JointCondition {
    reading: MoveCondition,
    wanted: bool,
}

/// Constraints on the moves of an action.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Narrowing {
    /// True if no move is left.
    pub nothing: bool,
    /// A role of one thing must be filled by one of these, or by none of these.
    singles: Vec<(usize, Vec<Value>, bool)>,
    /// A thing must be in a role of several, or must not.
    pub members: Vec<(usize, Value, bool)>,
    /// Conditions on several roles together, which remove no single candidate.
    pub clauses: Vec<JointCondition>,
}

impl MoveCondition {
    /// Whether it holds for a move. `single` returns the filling of a role of one thing; `has` tests membership in the role of
    /// several.
    fn holds_for_move(&self, single: &dyn Fn(usize) -> Value, has: &dyn Fn(Value) -> bool) -> bool {
        match self {
            MoveCondition::Known(holds) => *holds,
            MoveCondition::Is { role, things } => things.contains(&single(*role)),
            MoveCondition::Has { thing, .. } => has(*thing),
            MoveCondition::Not(inner) => !inner.holds_for_move(single, has),
            MoveCondition::Both(one, other) => one.holds_for_move(single, has) && other.holds_for_move(single, has),
            MoveCondition::Either(one, other) => one.holds_for_move(single, has) || other.holds_for_move(single, has),
        }
    }

    /// Collects the things that it tests for in roles of several.
    fn collect_things(&self, found: &mut Vec<Value>) {
        match self {
            MoveCondition::Known(_) | MoveCondition::Is { .. } => {}
            MoveCondition::Has { thing, .. } => found.push(*thing),
            MoveCondition::Not(inner) => inner.collect_things(found),
            MoveCondition::Both(one, other) | MoveCondition::Either(one, other) => {
                one.collect_things(found);
                other.collect_things(found);
            }
        }
    }

    /// The negation.
    pub fn negate(self) -> MoveCondition {
        match self {
            MoveCondition::Known(holds) => MoveCondition::Known(!holds),
            MoveCondition::Not(inner) => *inner,
            other => MoveCondition::Not(Box::new(other)),
        }
    }

    /// Both conditions; one whose result is known is left out.
    pub fn and_condition(self, other: MoveCondition) -> MoveCondition {
        match (self, other) {
            (MoveCondition::Known(true), other) | (other, MoveCondition::Known(true)) => other,
            (MoveCondition::Known(false), _) | (_, MoveCondition::Known(false)) => MoveCondition::Known(false),
            (one, other) => MoveCondition::Both(Box::new(one), Box::new(other)),
        }
    }

    /// Either condition; one whose result is known is left out.
    pub fn or_condition(self, other: MoveCondition) -> MoveCondition {
        match (self, other) {
            (MoveCondition::Known(false), other) | (other, MoveCondition::Known(false)) => other,
            (MoveCondition::Known(true), _) | (_, MoveCondition::Known(true)) => MoveCondition::Known(true),
            (one, other) => MoveCondition::Either(Box::new(one), Box::new(other)),
        }
    }
}

impl JointCondition {
    /// Whether a move satisfies it; see the method of [`MoveCondition`].
    pub fn holds_for_move(&self, single: &dyn Fn(usize) -> Value, has: &dyn Fn(Value) -> bool) -> bool {
        self.reading.holds_for_move(single, has) == self.wanted
    }

    /// The things that it tests for in roles of several.
    pub fn tested_things(&self) -> impl Iterator<Item = Value> + use<> {
        let mut found = Vec::new();
        self.reading.collect_things(&mut found);
        found.into_iter()
    }
}

impl Narrowing {
    /// Keeps only the moves for which a condition holds, or for which it fails.
    pub fn add_condition(&mut self, reading: MoveCondition, wanted: bool) {
        match (reading, wanted) {
            (MoveCondition::Known(holds), wanted) => self.nothing |= holds != wanted,
            (MoveCondition::Is { role, things }, wanted) => self.singles.push((role, things, wanted)),
            (MoveCondition::Has { role, thing }, wanted) => self.members.push((role, thing, wanted)),
            (MoveCondition::Not(inner), wanted) => self.add_condition(*inner, !wanted),
            (MoveCondition::Both(one, other), true) | (MoveCondition::Either(one, other), false) => {
                self.add_condition(*one, wanted);
                self.add_condition(*other, wanted);
            }
            (reading, wanted) => self.clauses.push(JointCondition { reading, wanted }),
        }
    }

    /// Adds the constraints of another narrowing.
    pub fn add_narrowing(&mut self, other: Narrowing) {
        self.nothing |= other.nothing;
        self.singles.extend(other.singles);
        self.members.extend(other.members);
        self.clauses.extend(other.clauses);
    }

    /// Keeps only the moves with this filling of a role of one thing.
    pub fn require_filling(&mut self, role: usize, thing: Value) {
        self.add_condition(MoveCondition::Is { role, things: vec![thing] }, true);
    }

    /// Whether this filling of a role of one thing is still possible.
    pub fn allows_filling(&self, role: usize, thing: Value) -> bool {
        self.singles.iter().filter(|(of, ..)| *of == role).all(|(_, things, wanted)| things.contains(&thing) == *wanted)
    }

    /// Whether a thing may still be in a role of several.
    pub fn allows_member(&self, role: usize, thing: Value) -> bool {
        !self.members.contains(&(role, thing, false))
    }

    /// Whether it constrains a role by itself.
    pub fn constrains_role(&self, role: usize) -> bool {
        self.singles.iter().any(|(of, ..)| *of == role) || self.members.iter().any(|(of, ..)| *of == role)
    }

    /// Whether it only removes candidates.
    pub fn only_removes_candidates(&self) -> bool {
        self.clauses.is_empty() && self.members.iter().all(|(.., wanted)| !wanted)
    }

    /// Whether every move is left.
    pub fn is_empty(&self) -> bool {
        *self == Narrowing::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(thing: Value) -> MoveCondition {
        MoveCondition::Is { role: 1, things: vec![thing] }
    }

    fn has(thing: Value) -> MoveCondition {
        MoveCondition::Has { role: 0, thing }
    }

    fn left(reading: MoveCondition, wanted: bool) -> Narrowing {
        let mut narrowing = Narrowing::default();
        narrowing.add_condition(reading, wanted);
        narrowing
    }

    #[test]
    fn what_is_known_leaves_all_moves_or_none() {
        assert!(left(MoveCondition::Known(true), true).is_empty());
        assert!(left(MoveCondition::Known(true).and_condition(MoveCondition::Known(false)), false).is_empty());
        assert!(left(MoveCondition::Known(false).or_condition(MoveCondition::Known(true)), false).nothing);
    }

    #[test]
    fn a_conjunction_that_is_wanted_comes_apart() {
        let both = left(has(3).and_condition(is(8).negate()), true);
        assert_eq!(both.members, [(0, 3, true)]);
        assert!(both.allows_filling(1, 7) && !both.allows_filling(1, 8) && both.allows_filling(2, 8));
        assert!(both.clauses.is_empty());
        assert_eq!(left(has(3).or_condition(is(8)), false).members, [(0, 3, false)]);
    }

    #[test]
    fn of_a_conjunction_that_is_forbidden_what_is_known_goes_without_saying() {
        assert_eq!(left(MoveCondition::Known(true).and_condition(has(3)), false).members, [(0, 3, false)]);
        assert!(left(MoveCondition::Known(false).and_condition(has(3)), false).is_empty());
        let clauses = left(has(3).and_condition(is(8)), false).clauses;
        let holds = |set: &[Value], single: Value| {
            clauses.iter().all(|clause| clause.holds_for_move(&|_| single, &|thing| set.contains(&thing)))
        };
        assert!(holds(&[3], 7) && holds(&[4], 8) && !holds(&[3, 4], 8));
        assert_eq!(clauses[0].tested_things().collect::<Vec<_>>(), [3]);
    }
}
