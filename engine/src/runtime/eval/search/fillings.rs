//! The fillings of the roles beside a set: all ways to choose one thing for each of these roles.

use ludex_program::{MOST_ROLES, NONE, Value};

/// One filling: the thing in each role beside the set.
pub type OtherFillings = [Value; MOST_ROLES];

/// The candidates of one role.
#[derive(Clone, Debug)]
struct SingleRole {
    role: usize,
    things: Vec<Value>,
    /// The number that each candidate adds to the wanted sum of the set; empty if no sum is wanted.
    keys: Vec<i64>,
    /// Whether each candidate may still be chosen.
    open: Vec<bool>,
}

/// All fillings, in the order of the first role, then of the second, and so on. Each has a number; they are never listed.
#[derive(Clone, Debug, Default)]
pub struct Fillings {
    roles: Vec<SingleRole>,
}

impl Fillings {
    /// Adds the next role, with its candidates.
    pub fn add_role(&mut self, role: usize, things: Vec<Value>, keys: Vec<i64>) {
        let open = vec![true; things.len()];
        self.roles.push(SingleRole { role, things, keys, open });
    }

    /// Counts all fillings, open or not.
    pub fn filling_count(&self) -> usize {
        self.roles.iter().fold(1, |count, single| count.saturating_mul(single.things.len()))
    }

    /// The roles of a filling with the index of the thing in each, the last role first.
    fn thing_indexes(&self, number: usize) -> impl Iterator<Item = (&SingleRole, usize)> {
        let mut rest = number;
        self.roles.iter().rev().map(move |single| {
            let place = rest % single.things.len();
            rest /= single.things.len();
            (single, place)
        })
    }

    /// The filling with a number.
    pub fn nth_filling(&self, number: usize) -> OtherFillings {
        let mut others = [NONE; MOST_ROLES];
        for (single, place) in self.thing_indexes(number) {
            others[single.role] = single.things[place];
        }
        others
    }

    /// The number of a filling.
    pub fn number_of(&self, others: &OtherFillings) -> Option<usize> {
        self.roles.iter().try_fold(0, |number, single| {
            let place = single.things.iter().position(|thing| *thing == others[single.role])?;
            Some(number * single.things.len() + place)
        })
    }

    /// The candidates of a role, in order.
    pub fn role_candidates(&self, role: usize) -> &[Value] {
        self.roles.iter().find(|single| single.role == role).map_or(&[], |single| &single.things)
    }

    /// The sum of a set that goes with a filling; `None` if it is negative.
    pub fn wanted_sum(&self, number: usize) -> Option<usize> {
        usize::try_from(self.thing_indexes(number).map(|(single, place)| single.keys[place]).sum::<i64>()).ok()
    }

    /// Whether a filling may still be chosen.
    pub fn is_open(&self, number: usize) -> bool {
        self.thing_indexes(number).all(|(single, place)| single.open[place])
    }

    /// Closes the fillings with a thing for which `keeps` is false.
    pub fn retain(&mut self, keeps: impl Fn(usize, Value) -> bool) {
        for SingleRole { role, things, open, .. } in &mut self.roles {
            things.iter().zip(open).for_each(|(thing, open)| *open &= keeps(*role, *thing));
        }
    }
}
