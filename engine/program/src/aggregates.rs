//! What the conditions of an action want to know of a role of several, where that can be gathered from one member after the
//! other: a sum, a number of members, the highest, whether all or any are so. Then sets need not be looked at one by one.

use super::{Expr, Slot};

/// The conditions of an action that join its roles, told by what they want to know of its role of several.
#[derive(Clone, Debug, PartialEq)]
pub struct Aggregation {
    /// The role of several; there is one.
    pub set: usize,
    /// What is gathered of its members.
    pub aggregates: Vec<Aggregate>,
    /// The conditions. Each aggregate stands in its slot.
    pub conditions: Vec<Expr>,
    /// The slot of the member that is looked at.
    pub member: Slot,
    /// The slot of the first member of the set, which conditions and aggregates may ask for.
    pub first: Option<Slot>,
    /// The other roles of which it depends what is read off a member, in order.
    pub read_with: Vec<usize>,
}

/// Something that is gathered of the members of a set.
#[derive(Clone, Debug, PartialEq)]
pub struct Aggregate {
    pub kind: AggregateKind,
    /// Where the conditions read it.
    pub slot: Slot,
    /// What is read off each member.
    pub value: Expr,
    /// What it is compared with, where nothing else is done with it: beyond all of these it makes no difference how high it is.
    pub compared_with: Option<Vec<Expr>>,
}

/// How what is read off the members is put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AggregateKind {
    /// Added up; 0 of nothing.
    Sum,
    /// The highest, 0 of nothing.
    Highest,
    /// The lowest, 0 of nothing.
    Lowest,
    /// Whether it is so of each; so of nothing.
    All,
    /// Whether it is so of one or more.
    Any,
}
