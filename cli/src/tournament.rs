//! A tournament: its players, the duels between them, and the winner. A duel is a challenge of one player by another, with the
//! game that decides it. The verb `tournament` has a subverb for each operation.
//!
//! [`state`], [`duel`] and [`journal`] are plain data, and [`rules`] are pure functions over it that take the time as an
//! argument and use no files. [`store`] keeps the data in a database, one transaction for each operation; it contains all SQL.
//! [`standings`], [`text`] and [`page`] present the data.

pub mod duel;
pub mod journal;
pub mod json;
pub mod name;
pub mod page;
pub mod rules;
pub mod standings;
pub mod state;
pub mod store;
pub mod text;
pub mod time;
