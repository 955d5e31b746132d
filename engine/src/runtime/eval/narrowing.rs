//! Conditions on moves that can be decided without testing each move, by narrowing the candidates of roles.

use ludex_program::Value;

/// The meaning of a condition on a move, once everything except the role fillings is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
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
    Not(Box<Reading>),
    Both(Box<Reading>, Box<Reading>),
    Either(Box<Reading>, Box<Reading>),
}

/// A condition that depends on more than one role, and whether it must hold or must fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    reading: Reading,
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
    pub clauses: Vec<Clause>,
}

impl Reading {
    /// Whether it holds for a move. `single` returns the filling of a role of one thing; `has` tests membership in the role of
    /// several.
    fn holds(&self, single: &dyn Fn(usize) -> Value, has: &dyn Fn(Value) -> bool) -> bool {
        match self {
            Reading::Known(holds) => *holds,
            Reading::Is { role, things } => things.contains(&single(*role)),
            Reading::Has { thing, .. } => has(*thing),
            Reading::Not(inner) => !inner.holds(single, has),
            Reading::Both(one, other) => one.holds(single, has) && other.holds(single, has),
            Reading::Either(one, other) => one.holds(single, has) || other.holds(single, has),
        }
    }

    fn things(&self, found: &mut Vec<Value>) {
        match self {
            Reading::Known(_) | Reading::Is { .. } => {}
            Reading::Has { thing, .. } => found.push(*thing),
            Reading::Not(inner) => inner.things(found),
            Reading::Both(one, other) | Reading::Either(one, other) => {
                one.things(found);
                other.things(found);
            }
        }
    }

    /// The negation.
    pub fn negated(self) -> Reading {
        match self {
            Reading::Known(holds) => Reading::Known(!holds),
            Reading::Not(inner) => *inner,
            other => Reading::Not(Box::new(other)),
        }
    }

    pub fn and(self, other: Reading) -> Reading {
        match (self, other) {
            (Reading::Known(true), other) | (other, Reading::Known(true)) => other,
            (Reading::Known(false), _) | (_, Reading::Known(false)) => Reading::Known(false),
            (one, other) => Reading::Both(Box::new(one), Box::new(other)),
        }
    }

    pub fn or(self, other: Reading) -> Reading {
        match (self, other) {
            (Reading::Known(false), other) | (other, Reading::Known(false)) => other,
            (Reading::Known(true), _) | (_, Reading::Known(true)) => Reading::Known(true),
            (one, other) => Reading::Either(Box::new(one), Box::new(other)),
        }
    }
}

impl Clause {
    pub fn holds(&self, single: &dyn Fn(usize) -> Value, has: &dyn Fn(Value) -> bool) -> bool {
        self.reading.holds(single, has) == self.wanted
    }

    /// The things that it tests for in roles of several.
    pub fn things(&self) -> impl Iterator<Item = Value> + use<> {
        let mut found = Vec::new();
        self.reading.things(&mut found);
        found.into_iter()
    }
}

impl Narrowing {
    /// Keeps only the moves for which a condition holds, or for which it fails.
    pub fn add(&mut self, reading: Reading, wanted: bool) {
        match (reading, wanted) {
            (Reading::Known(holds), wanted) => self.nothing |= holds != wanted,
            (Reading::Is { role, things }, wanted) => self.singles.push((role, things, wanted)),
            (Reading::Has { role, thing }, wanted) => self.members.push((role, thing, wanted)),
            (Reading::Not(inner), wanted) => self.add(*inner, !wanted),
            (Reading::Both(one, other), true) | (Reading::Either(one, other), false) => {
                self.add(*one, wanted);
                self.add(*other, wanted);
            }
            (reading, wanted) => self.clauses.push(Clause { reading, wanted }),
        }
    }

    /// Adds the constraints of another narrowing.
    pub fn merge(&mut self, other: Narrowing) {
        self.nothing |= other.nothing;
        self.singles.extend(other.singles);
        self.members.extend(other.members);
        self.clauses.extend(other.clauses);
    }

    /// Keeps only the moves with this filling of a role of one thing.
    pub fn fill(&mut self, role: usize, thing: Value) {
        self.add(Reading::Is { role, things: vec![thing] }, true);
    }

    /// Whether this filling of a role of one thing is still possible.
    pub fn keeps(&self, role: usize, thing: Value) -> bool {
        self.singles.iter().filter(|(of, ..)| *of == role).all(|(_, things, wanted)| things.contains(&thing) == *wanted)
    }

    /// Whether a thing may still be in a role of several.
    pub fn admits(&self, role: usize, thing: Value) -> bool {
        !self.members.contains(&(role, thing, false))
    }

    /// Whether it constrains a role by itself.
    pub fn concerns(&self, role: usize) -> bool {
        self.singles.iter().any(|(of, ..)| *of == role) || self.members.iter().any(|(of, ..)| *of == role)
    }

    /// Whether it only removes candidates.
    pub fn is_of_candidates(&self) -> bool {
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

    fn is(thing: Value) -> Reading {
        Reading::Is { role: 1, things: vec![thing] }
    }

    fn has(thing: Value) -> Reading {
        Reading::Has { role: 0, thing }
    }

    fn left(reading: Reading, wanted: bool) -> Narrowing {
        let mut narrowing = Narrowing::default();
        narrowing.add(reading, wanted);
        narrowing
    }

    #[test]
    fn what_is_known_leaves_all_moves_or_none() {
        assert!(left(Reading::Known(true), true).is_empty());
        assert!(left(Reading::Known(true).and(Reading::Known(false)), false).is_empty());
        assert!(left(Reading::Known(false).or(Reading::Known(true)), false).nothing);
    }

    #[test]
    fn a_conjunction_that_is_wanted_comes_apart() {
        let both = left(has(3).and(is(8).negated()), true);
        assert_eq!(both.members, [(0, 3, true)]);
        assert!(both.keeps(1, 7) && !both.keeps(1, 8) && both.keeps(2, 8));
        assert!(both.clauses.is_empty());
        assert_eq!(left(has(3).or(is(8)), false).members, [(0, 3, false)]);
    }

    #[test]
    fn of_a_conjunction_that_is_forbidden_what_is_known_goes_without_saying() {
        assert_eq!(left(Reading::Known(true).and(has(3)), false).members, [(0, 3, false)]);
        assert!(left(Reading::Known(false).and(has(3)), false).is_empty());
        let clauses = left(has(3).and(is(8)), false).clauses;
        let holds =
            |set: &[Value], single: Value| clauses.iter().all(|clause| clause.holds(&|_| single, &|thing| set.contains(&thing)));
        assert!(holds(&[3], 7) && holds(&[4], 8) && !holds(&[3, 4], 8));
        assert_eq!(clauses[0].things().collect::<Vec<_>>(), [3]);
    }
}
