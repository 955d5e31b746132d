//! Scopes of names inside a declaration. The latest one of a name counts. `resolve` and `compile` each keep the locals at the
//! current point in one.

use std::collections::BTreeMap;
use std::ops::Deref;

/// Number of entries that are searched linearly. Only generated code has more.
const LOOKED_THROUGH: usize = 32;

/// Anything with a name.
pub trait HasName {
    fn name(&self) -> &str;
}

/// The names in scope, outermost first.
#[derive(Clone)]
pub struct Scope<L> {
    all: Vec<L>,
    /// The indices of entries after the first few, by name.
    places: BTreeMap<String, Vec<usize>>,
}

impl<L> Default for Scope<L> {
    fn default() -> Scope<L> {
        Scope { all: Vec::new(), places: BTreeMap::new() }
    }
}

impl<L> Deref for Scope<L> {
    type Target = [L];

    fn deref(&self) -> &[L] {
        &self.all
    }
}

impl<L: HasName> FromIterator<L> for Scope<L> {
    fn from_iter<I: IntoIterator<Item = L>>(all: I) -> Scope<L> {
        let mut scope = Scope::default();
        all.into_iter().for_each(|one| scope.push(one));
        scope
    }
}

impl<L: HasName> Scope<L> {
    /// Adds a name in the innermost scope.
    pub fn push(&mut self, one: L) {
        if self.all.len() >= LOOKED_THROUGH {
            self.places.entry(one.name().to_string()).or_default().push(self.all.len());
        }
        self.all.push(one);
    }

    /// Drops the name that was added last.
    pub fn pop(&mut self) -> Option<L> {
        let last = self.all.pop()?;
        if let Some(places) = self.places.get_mut(last.name()) {
            places.pop();
            if places.is_empty() {
                self.places.remove(last.name());
            }
        }
        Some(last)
    }

    /// Drops all but the first `left` entries, and returns the dropped ones, outermost first.
    pub fn drop_inner(&mut self, left: usize) -> Vec<L> {
        let mut forgotten = Vec::new();
        while self.all.len() > left {
            forgotten.extend(self.pop());
        }
        forgotten.reverse();
        forgotten
    }

    /// The latest entry of a name.
    pub fn find(&self, name: &str) -> Option<&L> {
        self.all.get(self.find_index(name)?)
    }

    pub fn find_mut(&mut self, name: &str) -> Option<&mut L> {
        let place = self.find_index(name)?;
        self.all.get_mut(place)
    }

    /// The index of the latest entry of a name.
    pub fn find_index(&self, name: &str) -> Option<usize> {
        let behind = self.places.get(name).and_then(|places| places.last()).copied();
        behind.or_else(|| self.all.iter().take(LOOKED_THROUGH).rposition(|one| one.name() == name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    impl HasName for (String, usize) {
        fn name(&self) -> &str {
            &self.0
        }
    }

    proptest! {
        #[test]
        fn the_last_one_of_a_name_is_found(steps in prop::collection::vec((0..5u8, 0..20usize), 1..300)) {
            let (mut scope, mut plain) = (Scope::default(), Vec::new());
            for (number, (step, of)) in steps.into_iter().enumerate() {
                match step {
                    0 => prop_assert_eq!(scope.pop(), plain.pop()),
                    1 if of == 0 => {
                        let left = plain.len() / 2;
                        prop_assert_eq!(scope.drop_inner(left), plain.split_off(left));
                    }
                    _ => {
                        scope.push((format!("n{of}"), number));
                        plain.push((format!("n{of}"), number));
                    }
                }
                for of in 0..20 {
                    let name = format!("n{of}");
                    prop_assert_eq!(scope.find(&name), plain.iter().rev().find(|(known, _)| *known == name));
                }
            }
        }
    }
}
