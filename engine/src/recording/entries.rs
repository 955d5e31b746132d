//! A compact list of entries, for millions of them: a few bytes each. Every key and every list of results is stored once.
//!
//! [`RecordedSession`](crate::recording::RecordedSession) keeps all entries of a match here. An entry may answer a decision,
//! supply results of chance, take back an answer, withdraw a secret pick or resign.

use crate::recording::{Entry, TakeBack};
use crate::runtime::Seed;
use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

/// Entries in order.
#[derive(Clone, Debug, Default)]
pub struct Entries {
    packed: Vec<PackedEntry>,
    keys: SharedValues<Arc<str>>,
    results: SharedValues<Arc<[i64]>>,
    seeds: Seeds,
}

/// An entry whose long parts are stored elsewhere. All numbers are below 2³², because a match has a limit.
/// `key`, `result` and `seed` are places in the lists of [`Entries`], and `seed` may be [`NO_SEED`]. `to` counts entries from 1.
#[derive(Clone, Copy, Debug)]
enum PackedEntry {
    Answer { decision: u32, seat: u32, key: u32 },
    Thrown { random: u32, result: u32 },
    TakenBack { seat: u32, to: u32, seed: u32, redeals: bool },
    Withdrawn { seat: u32 },
    Resigned { seat: u32 },
}

/// The mark of a take-back without a new seed.
const NO_SEED: u32 = u32::MAX;

impl Entries {
    /// Number of entries, including those that were taken back later.
    pub fn len(&self) -> usize {
        self.packed.len()
    }

    /// Whether there are no entries yet.
    pub fn is_empty(&self) -> bool {
        self.packed.is_empty()
    }

    /// Adds an entry.
    pub(crate) fn push(&mut self, entry: &Entry) {
        let packed = match entry {
            Entry::Answer { decision, seat, key } => PackedEntry::Answer {
                decision: to_small_number(*decision),
                seat: to_small_number(*seat),
                key: self.keys.find_or_store(key.as_str()),
            },
            Entry::Thrown { random, result } => {
                PackedEntry::Thrown { random: to_small_number(*random), result: self.results.find_or_store(result.as_slice()) }
            }
            Entry::TakenBack { undo } => PackedEntry::TakenBack {
                seat: to_small_number(undo.seat),
                to: to_small_number(undo.to),
                seed: undo.seed.map_or(NO_SEED, |seed| self.seeds.add_seed(seed)),
                redeals: undo.redeals,
            },
            Entry::Withdrawn { withdraw } => PackedEntry::Withdrawn { seat: to_small_number(*withdraw) },
            Entry::Resigned { resign } => PackedEntry::Resigned { seat: to_small_number(*resign) },
        };
        self.packed.push(packed);
    }

    /// The entry at an index, from 0.
    pub(crate) fn get(&self, index: usize) -> Option<Entry> {
        self.packed.get(index).map(|packed| self.unpack_entry(packed))
    }

    /// All entries in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Entry> {
        self.packed.iter().map(|packed| self.unpack_entry(packed))
    }

    /// The take-backs, in order.
    pub fn take_backs(&self) -> impl Iterator<Item = TakeBack> {
        self.packed.iter().filter_map(|packed| match packed {
            PackedEntry::TakenBack { seat, to, seed, redeals } => Some(self.unpack_take_back(*seat, *to, *seed, *redeals)),
            _ => None,
        })
    }

    /// The number of entries that a seat can count: its own answers and withdrawals, and all take-backs, because every seat sees
    /// them. The command numbers a seat's decisions by it, so that the numbers reveal nothing about others.
    pub fn count_known_to(&self, seat: usize) -> usize {
        let is_known = |packed: &&PackedEntry| match packed {
            PackedEntry::Answer { seat: other, .. } | PackedEntry::Withdrawn { seat: other } => *other as usize == seat,
            PackedEntry::TakenBack { .. } => true,
            PackedEntry::Thrown { .. } | PackedEntry::Resigned { .. } => false,
        };
        self.packed.iter().filter(is_known).count()
    }

    /// Whether the entry at an index is a take-back.
    pub(super) fn is_take_back(&self, index: usize) -> bool {
        matches!(self.packed.get(index), Some(PackedEntry::TakenBack { .. }))
    }

    /// The seat and the number of the decision that the entry at an index answers, if it is an answer.
    pub(super) fn answered_decision(&self, index: usize) -> Option<(usize, u64)> {
        match self.packed.get(index)? {
            PackedEntry::Answer { decision, seat, .. } => Some((*seat as usize, u64::from(*decision))),
            _ => None,
        }
    }

    fn unpack_entry(&self, packed: &PackedEntry) -> Entry {
        match *packed {
            PackedEntry::Answer { decision, seat, key } => {
                Entry::Answer { decision: decision.into(), seat: seat as usize, key: self.keys.get(key).to_string() }
            }
            PackedEntry::Thrown { random, result } => {
                Entry::Thrown { random: random.into(), result: self.results.get(result).to_vec() }
            }
            PackedEntry::TakenBack { seat, to, seed, redeals } => {
                Entry::TakenBack { undo: self.unpack_take_back(seat, to, seed, redeals) }
            }
            PackedEntry::Withdrawn { seat } => Entry::Withdrawn { withdraw: seat as usize },
            PackedEntry::Resigned { seat } => Entry::Resigned { resign: seat as usize },
        }
    }

    fn unpack_take_back(&self, seat: u32, to: u32, seed: u32, redeals: bool) -> TakeBack {
        TakeBack { seat: seat as usize, to: to as usize, seed: self.seeds.get(seed), redeals }
    }
}

impl PartialEq for Entries {
    fn eq(&self, other: &Entries) -> bool {
        self.iter().eq(other.iter())
    }
}

/// Converts a number of a played game, which is never so large.
fn to_small_number(number: impl TryInto<u32>) -> u32 {
    number.try_into().unwrap_or(u32::MAX)
}

/// Seeds by place: even places hold short seeds, odd places long ones.
#[derive(Clone, Debug, Default)]
struct Seeds {
    numbers: Vec<u64>,
    keys: Vec<[u8; 32]>,
}

impl Seeds {
    /// Stores a seed, and returns its place.
    fn add_seed(&mut self, seed: Seed) -> u32 {
        match seed {
            Seed::Number(number) => {
                self.numbers.push(number);
                (self.numbers.len() as u32 - 1) * 2
            }
            Seed::Key(key) => {
                self.keys.push(key);
                (self.keys.len() as u32 - 1) * 2 + 1
            }
        }
    }

    fn get(&self, place: u32) -> Option<Seed> {
        let index = place as usize / 2;
        match place % 2 {
            0 => self.numbers.get(index).copied().map(Seed::Number),
            _ => self.keys.get(index).copied().map(Seed::Key),
        }
    }
}

/// Texts or lists by number, each stored once.
#[derive(Clone, Debug)]
struct SharedValues<T> {
    all: Vec<T>,
    places: HashMap<T, u32>,
}

impl<T: Clone + Eq + Hash> SharedValues<T> {
    /// The number of a value, which is stored if it is new.
    fn find_or_store<'w, W: ?Sized + Eq + Hash>(&mut self, wanted: &'w W) -> u32
    where
        T: Borrow<W> + From<&'w W>,
    {
        if let Some(place) = self.places.get(wanted) {
            return *place;
        }
        let (shared, place) = (T::from(wanted), self.all.len() as u32);
        self.all.push(shared.clone());
        self.places.insert(shared, place);
        place
    }

    fn get(&self, place: u32) -> &T {
        &self.all[place as usize]
    }
}

impl<T> Default for SharedValues<T> {
    fn default() -> SharedValues<T> {
        SharedValues { all: Vec::new(), places: HashMap::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back_as_they_were() {
        let undo = |seed| Entry::TakenBack { undo: TakeBack { seat: 1, to: 2, seed, redeals: false } };
        let answer = |key: &str| Entry::Answer { decision: 7, seat: 1, key: key.to_string() };
        let thrown = |result: &[i64]| Entry::Thrown { random: 3, result: result.to_vec() };
        let all = [
            answer("pass"),
            answer("choose(1+2)"),
            answer("pass"),
            thrown(&[6, -2]),
            thrown(&[]),
            undo(None),
            undo(Some(Seed::Number(u64::MAX))),
            undo(Some(Seed::Key([9; 32]))),
            Entry::Withdrawn { withdraw: 2 },
            Entry::Resigned { resign: 0 },
        ];
        let mut entries = Entries::default();
        all.iter().for_each(|entry| entries.push(entry));
        assert_eq!(entries.iter().collect::<Vec<_>>(), all);
        assert_eq!((entries.get(3), entries.get(10)), (Some(thrown(&[6, -2])), None));
        assert_eq!(entries.take_backs().count(), 3);
        assert_eq!((entries.answered_decision(1), entries.answered_decision(3)), (Some((1, 7)), None));
        assert!(entries.is_take_back(5) && !entries.is_take_back(8));
        assert_eq!(entries.keys.all.len(), 2);
    }

    #[test]
    fn an_entry_is_small() {
        assert_eq!(size_of::<PackedEntry>(), 16);
    }
}
