//! The fillings of the roles beside a set: one thing for each of these roles, in every way.

use ludex_program::{MOST_ROLES, NONE, Value};

/// What fills the roles beside the set, each in its place.
pub type Others = [Value; MOST_ROLES];

/// What may fill one role of one thing.
#[derive(Clone, Debug)]
struct Single {
    role: usize,
    things: Vec<Value>,
    /// What each of them adds to the sum that the members of the set must have; nothing where no sum is wanted.
    keys: Vec<i64>,
    /// Which of them may still be chosen.
    open: Vec<bool>,
}

/// All fillings, numbered in the order of the first role, then of the second, and so on. They are never listed.
#[derive(Clone, Debug, Default)]
pub struct Fillings {
    roles: Vec<Single>,
}

impl Fillings {
    /// Adds a role, whose things come in order after those of the roles before it.
    pub fn add_role(&mut self, role: usize, things: Vec<Value>, keys: Vec<i64>) {
        let open = vec![true; things.len()];
        self.roles.push(Single { role, things, keys, open });
    }

    /// How many there are, whether open or not.
    pub fn count(&self) -> usize {
        self.roles.iter().fold(1, |count, single| count.saturating_mul(single.things.len()))
    }

    /// The roles with the place of the thing that fills each, the last role first.
    fn places(&self, number: usize) -> impl Iterator<Item = (&Single, usize)> {
        let mut rest = number;
        self.roles.iter().rev().map(move |single| {
            let place = rest % single.things.len();
            rest /= single.things.len();
            (single, place)
        })
    }

    /// The filling with a number.
    pub fn nth(&self, number: usize) -> Others {
        let mut others = [NONE; MOST_ROLES];
        for (single, place) in self.places(number) {
            others[single.role] = single.things[place];
        }
        others
    }

    /// The number of a filling.
    pub fn find(&self, others: &Others) -> Option<usize> {
        self.roles.iter().try_fold(0, |number, single| {
            let place = single.things.iter().position(|thing| *thing == others[single.role])?;
            Some(number * single.things.len() + place)
        })
    }

    /// What may fill a role, in order.
    pub fn things(&self, role: usize) -> &[Value] {
        self.roles.iter().find(|single| single.role == role).map_or(&[], |single| &single.things)
    }

    /// The sum that a filling wants the members of the set to have; none if it is negative.
    pub fn wanted_sum(&self, number: usize) -> Option<usize> {
        usize::try_from(self.places(number).map(|(single, place)| single.keys[place]).sum::<i64>()).ok()
    }

    /// Whether a filling may still be chosen.
    pub fn is_open(&self, number: usize) -> bool {
        self.places(number).all(|(single, place)| single.open[place])
    }

    /// Closes the fillings with a thing that is not kept for its role.
    pub fn retain(&mut self, keeps: impl Fn(usize, Value) -> bool) {
        for Single { role, things, open, .. } in &mut self.roles {
            things.iter().zip(open).for_each(|(thing, open)| *open &= keeps(*role, *thing));
        }
    }
}
