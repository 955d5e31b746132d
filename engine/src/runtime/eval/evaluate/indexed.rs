//! Conditions that want one number in one column: only things with that number are tested.

use crate::runtime::context::Context;
use crate::runtime::eval::Eval;
use crate::runtime::eval::evaluate::columns::{Column, Test};
use crate::runtime::eval::evaluate::lists::counts_as;
use crate::runtime::eval::index::{Lookup, Source};
use ludex_program::{Expr, Slot, Value};

/// Minimum number of things for an index; with fewer, each is tested by itself.
const LEAST_TO_INDEX: usize = 6;

/// The things with the wanted number, and the other test for them.
pub(super) struct Sought {
    place: usize,
    from: usize,
    to: usize,
    test: Option<Test>,
}

impl Eval {
    /// The members of a list that have the number which a condition wants first, if an index contains them. The list must consist
    /// of all pieces of a zone, or of all things of a kind; the order of the latter is not known.
    #[inline]
    pub(super) fn sought(&mut self, context: &Context, base: usize, list: &Expr, slot: Slot, condition: &Expr) -> Option<Sought> {
        let (source, members) = match list {
            Expr::ZoneList(zone) => {
                let zone = self.read(context, base, zone);
                (Source::Zone(zone), self.state.board.count_pieces(zone))
            }
            Expr::Every(kind) => (Source::Kind(*kind), self.state.board.entities.len()),
            _ => return None,
        };
        if members < LEAST_TO_INDEX {
            return None;
        }
        let (column, value, test) = self.filter(context, base, condition, slot)?.sought()?;
        let mut found = self.memory.indexes.find(source, column, value);
        if found == Lookup::Sort && self.spend_on(members) {
            self.sort(context, source, column);
            found = self.memory.indexes.find(source, column, value);
        }
        match found {
            Lookup::Found { place, from, to } if self.spend_on(to - from) => {
                debug_assert!(self.are_all(context, (source, column, value), (place, from, to)), "the board has changed unseen");
                Some(Sought { place, from, to, test })
            }
            _ => None,
        }
    }

    /// Whether testing each thing gives the same result. Used in debug builds only.
    fn are_all(
        &self,
        context: &Context,
        (source, column, value): (Source, Column, Value),
        (place, from, to): (usize, usize, usize),
    ) -> bool {
        let board = &self.state.board;
        let all: Vec<Value> = match source {
            Source::Zone(zone) => board.ordered_pieces(zone).iter().map(|piece| Value::from(*piece)).collect(),
            Source::Kind(kind) => {
                let counts = counts_as(context, board, kind);
                board.entities.iter().enumerate().filter(|(_, entity)| counts(entity)).map(|(id, _)| id as Value).collect()
            }
        };
        let with_it = all.into_iter().filter(|thing| column.read(context.program, board, *thing) == Some(value));
        with_it.eq(self.memory.indexes.things(place, from, to).iter().copied())
    }

    #[inline(never)]
    fn sort(&mut self, context: &Context, source: Source, column: Column) {
        let (program, board) = (context.program, &self.state.board);
        let with_number = |thing: Value| (thing, column.read(program, board, thing));
        match source {
            Source::Zone(zone) => {
                let things = board.ordered_pieces(zone).iter().map(|piece| with_number(Value::from(*piece)));
                self.memory.indexes.sort(source, column, things);
            }
            Source::Kind(kind) => {
                let counts = counts_as(context, board, kind);
                let entities = board.entities.iter().enumerate().filter(|(_, entity)| counts(entity));
                let things = entities.map(|(id, _)| with_number(id as Value));
                self.memory.indexes.sort(source, column, things);
            }
        }
    }

    /// Number of things that pass.
    pub(super) fn count_sought(&mut self, context: &Context, sought: &Sought) -> Value {
        let Some(test) = sought.test else { return (sought.to - sought.from) as Value };
        let mut count = 0;
        for thing in self.memory.indexes.things(sought.place, sought.from, sought.to) {
            match test.passes(context.program, &self.state.board, *thing) {
                Some(passes) => count += Value::from(passes),
                None => return self.nothing_there(),
            }
        }
        count
    }

    /// The first thing that passes, if there is one; the outer `None` is a fault.
    pub(super) fn first_sought(&mut self, context: &Context, sought: &Sought) -> Option<Option<Value>> {
        let things = self.memory.indexes.things(sought.place, sought.from, sought.to);
        let Some(test) = sought.test else { return Some(things.first().copied()) };
        for thing in things {
            match test.passes(context.program, &self.state.board, *thing) {
                Some(true) => return Some(Some(*thing)),
                Some(false) => {}
                None => {
                    self.nothing_there();
                    return None;
                }
            }
        }
        Some(None)
    }
}
