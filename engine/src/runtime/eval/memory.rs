//! A cache of definitions' values and of indexes, valid until something changes.
//!
//! Definitions are named expressions of the rules. The compiler has numbered those worth remembering; `which` is such a number, and
//! `given` are the arguments.

use crate::runtime::eval::index::Indexes;
use ludex_program::{MOST_REMEMBERED, Value};

/// Number of cached values. A new value replaces an earlier one in the same place.
const PLACES: usize = 256;

/// Values of definitions by their arguments. A copy starts empty.
#[derive(Debug, Default)]
pub struct Memory {
    /// Empty until the first value is stored.
    entries: Vec<Entry>,
    /// Number of possible changes outside the board. They invalidate earlier values.
    changes: u64,
    pub indexes: Indexes,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    /// The numbers of changes outside the board and on it at the time of storing. In a memory in use the first is never 0.
    stand: (u64, u64),
    which: u16,
    given: [Value; MOST_REMEMBERED],
    found: Value,
}

impl Clone for Memory {
    fn clone(&self) -> Memory {
        Memory::default()
    }
}

impl Memory {
    /// Invalidates everything in the cache, because the board may change.
    // Only this number: if both were incremented, the processor would wait for the previous step's write.
    #[inline(always)]
    pub fn invalidate_all(&mut self) {
        self.indexes.invalidate_all();
    }

    /// Invalidates the values of definitions, because something outside the board may change.
    #[inline(always)]
    pub fn invalidate_values(&mut self) {
        self.changes += 1;
    }

    /// The numbers of changes outside the board and on it.
    #[inline]
    fn change_counts(&self) -> (u64, u64) {
        (self.changes, self.indexes.change_count())
    }

    /// The remembered value of a definition for these arguments, if nothing has changed since.
    #[inline]
    pub fn find_value(&self, which: u16, given: [Value; MOST_REMEMBERED]) -> Option<Value> {
        let entry = self.entries.get(entry_index(which, given))?;
        let is_it = entry.stand == self.change_counts() && entry.which == which && entry.given == given;
        is_it.then_some(entry.found)
    }

    /// Remembers the value of a definition for these arguments.
    #[inline]
    pub fn store_value(&mut self, which: u16, given: [Value; MOST_REMEMBERED], found: Value) {
        if self.entries.is_empty() {
            self.entries.resize(PLACES, Entry::default());
            self.invalidate_values();
        }
        let stand = self.change_counts();
        if let Some(entry) = self.entries.get_mut(entry_index(which, given)) {
            *entry = Entry { stand, which, given, found };
        }
    }
}

/// The place of a value in the cache. Different ones may share it.
#[inline]
fn entry_index(which: u16, given: [Value; MOST_REMEMBERED]) -> usize {
    let mixed = given.iter().fold(u64::from(which), |mixed, value| {
        (mixed ^ u64::from(*value as u32)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
    });
    (mixed % PLACES as u64) as usize
}
