//! Conditions that want one number in one column: only things with that number are tested.
//!
//! `eval/index.rs` has the indexes. They save time for conditions that are asked again and again while the board stays the same.

use crate::runtime::context::Context;
use crate::runtime::eval::Eval;
use crate::runtime::eval::evaluate::columns::{Column, Test};
use crate::runtime::eval::evaluate::lists::make_kind_test;
use crate::runtime::eval::index::{Lookup, Source};
use ludex_program::{Expr, Slot, Value};

/// Minimum number of things for an index; with fewer, each is tested by itself.
const LEAST_TO_INDEX: usize = 6;

/// The things with the wanted number, and the other test for them.
pub(super) struct IndexedThings {
    /// The index and the range in it, see [`Lookup::Found`].
    place: usize,
    from: usize,
    to: usize,
    /// The rest of the condition, if there is any.
    test: Option<Test>,
}

impl Eval {
    /// The members of a list that have the number which a condition wants first, if an index contains them. The list must consist
    /// of all pieces of a zone, or of all things of a kind; the order of the latter is not known. `None` if each member has to be
    /// tested.
    #[inline]
    pub(super) fn find_in_index(
        &mut self,
        context: &Context,
        base: usize,
        list: &Expr,
        slot: Slot,
        condition: &Expr,
    ) -> Option<IndexedThings> {
        let (source, members) = match list {
            Expr::ZoneList(zone) => {
                let zone = self.evaluate_inline(context, base, zone);
                (Source::Zone(zone), self.state.board.count_pieces(zone))
            }
            Expr::Every(kind) => (Source::Kind(*kind), self.state.board.entities.len()),
            _ => return None,
        };
        if members < LEAST_TO_INDEX {
            return None;
        }
        let (column, value, test) = self.make_filter(context, base, condition, slot)?.equality_test()?;
        let mut found = self.memory.indexes.look_up_number(source, column, value);
        if found == Lookup::Sort && self.spend_on(members) {
            self.sort_index(context, source, column);
            found = self.memory.indexes.look_up_number(source, column, value);
        }
        match found {
            Lookup::Found { place, from, to } if self.spend_on(to - from) => {
                debug_assert!(
                    self.matches_full_search(context, (source, column, value), (place, from, to)),
                    "the board has changed unseen"
                );
                Some(IndexedThings { place, from, to, test })
            }
            _ => None,
        }
    }

    /// Whether testing each thing gives the same result. Used in debug builds only.
    fn matches_full_search(
        &self,
        context: &Context,
        (source, column, value): (Source, Column, Value),
        (place, from, to): (usize, usize, usize),
    ) -> bool {
        let board = &self.state.board;
        let all: Vec<Value> = match source {
            Source::Zone(zone) => board.ordered_pieces(zone).iter().map(|piece| Value::from(*piece)).collect(),
            Source::Kind(kind) => {
                let counts = make_kind_test(context, board, kind);
                board.entities.iter().enumerate().filter(|(_, entity)| counts(entity)).map(|(id, _)| id as Value).collect()
            }
        };
        let with_it = all.into_iter().filter(|thing| column.member_value(context.program, board, *thing) == Some(value));
        with_it.eq(self.memory.indexes.things_in_range(place, from, to).iter().copied())
    }

    /// Sorts the things of a source by a column.
    #[inline(never)]
    fn sort_index(&mut self, context: &Context, source: Source, column: Column) {
        let (program, board) = (context.program, &self.state.board);
        let with_number = |thing: Value| (thing, column.member_value(program, board, thing));
        match source {
            Source::Zone(zone) => {
                let things = board.ordered_pieces(zone).iter().map(|piece| with_number(Value::from(*piece)));
                self.memory.indexes.sort_source(source, column, things);
            }
            Source::Kind(kind) => {
                let counts = make_kind_test(context, board, kind);
                let entities = board.entities.iter().enumerate().filter(|(_, entity)| counts(entity));
                let things = entities.map(|(id, _)| with_number(id as Value));
                self.memory.indexes.sort_source(source, column, things);
            }
        }
    }

    /// Number of things that pass.
    pub(super) fn count_indexed(&mut self, context: &Context, sought: &IndexedThings) -> Value {
        let Some(test) = sought.test else { return (sought.to - sought.from) as Value };
        let mut count = 0;
        for thing in self.memory.indexes.things_in_range(sought.place, sought.from, sought.to) {
            match test.member_passes(context.program, &self.state.board, *thing) {
                Some(passes) => count += Value::from(passes),
                None => return self.raise_none_read(),
            }
        }
        count
    }

    /// The first thing that passes, if there is one; the outer `None` is a fault.
    pub(super) fn first_indexed(&mut self, context: &Context, sought: &IndexedThings) -> Option<Option<Value>> {
        let things = self.memory.indexes.things_in_range(sought.place, sought.from, sought.to);
        let Some(test) = sought.test else { return Some(things.first().copied()) };
        for thing in things {
            match test.member_passes(context.program, &self.state.board, *thing) {
                Some(true) => return Some(Some(*thing)),
                Some(false) => {}
                None => {
                    self.raise_none_read();
                    return None;
                }
            }
        }
        Some(None)
    }
}
