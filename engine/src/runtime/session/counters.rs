//! Counters of the sides and of the table, for statistics over many games.
//!
//! Simulations sum up these values after each game.

use crate::runtime::payoff::Payoff;
use crate::runtime::session::Session;
use ludex_program::{KindId, KindSort, Program, SIDE, Shape, Value};

/// A counter that each side has, or the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    field: u16,
    halves: bool,
    /// True if it is the table's, false if each side has one.
    pub of_table: bool,
}

impl Counter {
    /// All counters of a program, by name: those of the sides, then those of the table.
    pub fn list_counters(program: &Program) -> Vec<(&str, Counter)> {
        let tables = program.kinds.iter().position(|kind| kind.sort == KindSort::Table);
        let mut all = counters_of_kind(program, SIDE, false);
        all.extend(tables.into_iter().flat_map(|table| counters_of_kind(program, table as KindId, true)));
        all
    }
}

/// The counters of a kind, by name.
fn counters_of_kind(program: &Program, kind: KindId, of_table: bool) -> Vec<(&str, Counter)> {
    let fields = program.kind(kind).fields.iter().enumerate().filter(|(_, field)| field.counter);
    let numbers = fields.filter(|(_, field)| matches!(field.shape, Shape::Number | Shape::Halves));
    let counter = |field, shape: &Shape| Counter { field, halves: *shape == Shape::Halves, of_table };
    numbers.map(|(index, field)| (field.name.as_str(), counter(index as u16, &field.shape))).collect()
}

impl Session {
    /// The current value of a counter, in halves: one for each side, including those that are out, or one for the table.
    pub fn counter_values(&self, counter: Counter) -> Vec<i64> {
        let board = &self.machine.state.board;
        let value =
            |thing: Value| Payoff::from_value(board.field(thing, counter.field).unwrap_or(0), counter.halves).half_count();
        match counter.of_table {
            true => vec![value(self.game.roster.table.into())],
            false => (0..self.game.roster.sides as Value).map(value).collect(),
        }
    }
}
