//! A tournament: who plays in it, the duels between them, and who wins.
//!
//! [`state`], [`duel`] and [`journal`] are plain data, and [`rules`] are pure functions over it: they take the time and know
//! no file. [`store`] keeps the data in a database, one transaction for each operation; SQL is written there and nowhere
//! else. [`standings`], [`text`] and [`page`] show what there is.

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
