//! Small sorted sets of ids.

use smallvec::SmallVec;
use std::ops::Deref;

/// Ids in ascending order. Most values have one or two kinds and are read often.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Ids(SmallVec<[u16; 8]>);

impl Ids {
    pub fn from_id(id: u16) -> Ids {
        Ids(SmallVec::from_slice(&[id]))
    }

    pub fn insert(&mut self, id: u16) {
        if let Err(place) = self.0.binary_search(&id) {
            self.0.insert(place, id);
        }
    }

    /// Adds the ids of another set.
    pub fn add_ids(&mut self, other: &Ids) {
        other.iter().for_each(|id| self.insert(*id));
    }

    pub fn retain(&mut self, keeps: impl Fn(u16) -> bool) {
        self.0.retain(|id| keeps(*id));
    }
}

impl Deref for Ids {
    type Target = [u16];

    fn deref(&self) -> &[u16] {
        &self.0
    }
}

impl<'i> IntoIterator for &'i Ids {
    type Item = &'i u16;
    type IntoIter = std::slice::Iter<'i, u16>;

    fn into_iter(self) -> std::slice::Iter<'i, u16> {
        self.iter()
    }
}

impl FromIterator<u16> for Ids {
    fn from_iter<I: IntoIterator<Item = u16>>(ids: I) -> Ids {
        let mut all = Ids::default();
        ids.into_iter().for_each(|id| all.insert(id));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_id_is_there_once_and_in_order() {
        let mut ids: Ids = [3, 1, 3, 2].into_iter().collect();
        ids.add_ids(&[5, 1].into_iter().collect());
        assert_eq!(*ids, [1, 2, 3, 5]);
        ids.retain(|id| id > 2);
        assert_eq!(*ids, [3, 5]);
    }
}
