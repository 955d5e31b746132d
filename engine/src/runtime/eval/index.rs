//! Indexes: the pieces of a zone, or the things of a kind, by their number in a column, found without testing all.
//!
//! Rules ask `any of squares has it.row = 3` again and again while nothing changes. On the third request, the things are sorted
//! by that column. From then on only those with the number are tested.
//!
//! A *source* is the set of things that is searched, and a *column* a value that each of them has. A *stand* is the number of
//! changes of the board at some time: an index of an earlier stand is invalid.

use crate::runtime::eval::evaluate::columns::Column;
use ludex_program::{KindId, Value};
use std::ops::Range;

/// Numbers from 0 to below this can be indexed. If a thing has any other, the column has no index.
const MOST_VALUES: usize = 64;
/// Number of cached indexes. A new index replaces an earlier one in the same place.
const PLACES: usize = 8;
/// Number of searches without an index before one is built.
const LOOKS_BEFORE: u32 = 2;

/// The set of things to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Zone(Value),
    Kind(KindId),
}

/// The indexes of a board. A copy starts without any.
#[derive(Debug, Default)]
pub struct Indexes {
    /// Empty until the first search.
    places: Vec<Index>,
    /// Number of changes of the board. Earlier indexes are invalid.
    stand: u64,
}

/// The things of one source, sorted by one column.
#[derive(Clone, Debug)]
struct Index {
    of: (Source, Column),
    stand: u64,
    /// Number of requests since the last change of the board.
    looks: u32,
    sorting: Sorting,
    /// The start of the things with each number, and the end of the last.
    starts: [u16; MOST_VALUES + 1],
    /// The things sorted by number, and among equal numbers in the order of the source.
    things: Vec<Value>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sorting {
    Due,
    Done,
    /// Some number is out of range.
    Impossible,
}

/// The result of a look-up in an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// Search the things one by one.
    OneByOne,
    /// Sort them with [`Indexes::sort_source`], and ask again.
    Sort,
    /// The things with the number are in this range, see [`Indexes::things_in_range`].
    Found { place: usize, from: usize, to: usize },
}

impl Indexes {
    /// Invalidates all indexes, because the board may change.
    #[inline(always)]
    pub fn invalidate_all(&mut self) {
        self.stand += 1;
    }

    /// Number of changes of the board.
    #[inline]
    pub fn change_count(&self) -> u64 {
        self.stand
    }

    /// Finds the things of a source with a number in a column.
    #[inline]
    pub(in crate::runtime) fn look_up_number(&mut self, source: Source, column: Column, value: Value) -> Lookup {
        let place = index_place(source, column);
        let stand = self.stand;
        let Some(index) = self.places.get_mut(place) else {
            self.places = vec![Index::empty_index(); PLACES];
            return Lookup::OneByOne;
        };
        if index.stand != stand || index.of != (source, column) {
            (index.of, index.stand, index.looks, index.sorting) = ((source, column), stand, 0, Sorting::Due);
        }
        match index.sorting {
            Sorting::Done => {
                let Range { start, end } = index.value_range(value);
                Lookup::Found { place, from: start, to: end }
            }
            Sorting::Due if index.looks >= LOOKS_BEFORE => Lookup::Sort,
            Sorting::Due => {
                index.looks += 1;
                Lookup::OneByOne
            }
            Sorting::Impossible => Lookup::OneByOne,
        }
    }

    /// Sorts the things of a source by a column. Each thing comes with its number, or `None` if it lacks the column.
    pub(in crate::runtime) fn sort_source(
        &mut self,
        source: Source,
        column: Column,
        things: impl Iterator<Item = (Value, Option<Value>)> + Clone,
    ) {
        if let Some(index) = self.places.get_mut(index_place(source, column)) {
            index.sorting = if index.sort_things(things) { Sorting::Done } else { Sorting::Impossible };
        }
    }

    /// The things found by a look-up.
    #[inline]
    pub fn things_in_range(&self, place: usize, from: usize, to: usize) -> &[Value] {
        self.places.get(place).and_then(|index| index.things.get(from..to)).unwrap_or(&[])
    }
}

impl Clone for Indexes {
    fn clone(&self) -> Indexes {
        Indexes::default()
    }
}

impl Index {
    fn empty_index() -> Index {
        Index {
            of: (Source::Kind(KindId::MAX), Column::Itself),
            stand: 0,
            looks: 0,
            sorting: Sorting::Impossible,
            starts: [0; MOST_VALUES + 1],
            things: Vec::new(),
        }
    }

    /// The range of the things with a number.
    #[inline]
    fn value_range(&self, value: Value) -> Range<usize> {
        let start = |value: usize| self.starts.get(value).copied().map_or(0, usize::from);
        match usize::try_from(value) {
            Ok(value) if value < MOST_VALUES => start(value)..start(value + 1),
            _ => 0..0,
        }
    }

    /// Sorts things by counting (a counting sort); false if one has a number out of range.
    fn sort_things(&mut self, things: impl Iterator<Item = (Value, Option<Value>)> + Clone) -> bool {
        let number = |value: Option<Value>| usize::try_from(value?).ok().filter(|number| *number < MOST_VALUES);
        self.starts.fill(0);
        let mut count = 0;
        for (_, value) in things.clone() {
            let Some(number) = number(value) else { return false };
            self.starts[number + 1] += 1;
            count += 1;
        }
        for number in 0..MOST_VALUES {
            self.starts[number + 1] += self.starts[number];
        }
        self.things.clear();
        self.things.resize(count, 0);
        let mut next = self.starts;
        for (thing, value) in things {
            let place = number(value).and_then(|number| next.get_mut(number));
            if let Some(place) = place
                && let Some(free) = self.things.get_mut(usize::from(*place))
            {
                *free = thing;
                *place += 1;
            }
        }
        true
    }
}

/// The place of an index in the cache. Different indexes may share one.
#[inline]
fn index_place(source: Source, column: Column) -> usize {
    let (source, column) = match (source, column) {
        (Source::Zone(zone), Column::Field(field)) => (zone as usize, usize::from(field)),
        (Source::Zone(zone), Column::Printed { field, column }) => (zone as usize, usize::from(field ^ column << 1)),
        (Source::Kind(kind), Column::Field(field)) => (usize::from(kind) + 5, usize::from(field)),
        (Source::Kind(kind), Column::Printed { field, column }) => (usize::from(kind) + 5, usize::from(field ^ column << 1)),
        _ => (0, 0),
    };
    (source + 3 * column) % PLACES
}
