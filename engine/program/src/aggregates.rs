//! Aggregates of a multi-valued role: a sum, a count, the highest member, whether all or any meet a condition. If an action's
//! conditions read nothing else of the role, the aggregates can be computed member by member, and its sets need not be tested
//! one by one. `compile/aggregates.rs` of the compiler makes them, and the engine's search for moves
//! (`runtime/eval/search/read_sets.rs`) uses them.

use super::{Expr, Slot};

/// The conditions that join an action's roles, in terms of aggregates over its multi-valued role.
#[derive(Clone, Debug, PartialEq)]
pub struct Aggregation {
    /// The multi-valued role, by index: it takes several things. An action has only one here.
    pub set: usize,
    /// The aggregates over its members.
    pub aggregates: Vec<Aggregate>,
    /// The conditions, which read each aggregate from its slot.
    pub conditions: Vec<Expr>,
    /// The slot of the current member.
    pub member: Slot,
    /// The slot of the set's first member, if conditions or aggregates may read it.
    pub first: Option<Slot>,
    /// The other roles that the values of members depend on, in order.
    pub read_with: Vec<usize>,
}

/// An aggregate over the members of a set.
#[derive(Clone, Debug, PartialEq)]
pub struct Aggregate {
    pub kind: AggregateKind,
    /// The slot from which the conditions read it.
    pub slot: Slot,
    /// The value read from each member.
    pub value: Expr,
    /// The expressions it is compared with, if that is its only use. Values beyond all of them make no difference.
    pub compared_with: Option<Vec<Expr>>,
}

/// The ways to combine the values of members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AggregateKind {
    /// The sum, 0 for an empty set.
    Sum,
    /// The highest value, 0 for an empty set.
    Highest,
    /// The lowest value, 0 for an empty set.
    Lowest,
    /// Whether all values are true. Holds for an empty set.
    All,
    /// Whether any value is true.
    Any,
}
