//! The lines of JSON by which other programs play: what may be said to Ludex, what it says, and which choice an answer
//! means. `host` speaks it with the table, and a bot that is a program with its seat.

pub mod answer;
pub mod arguments;
pub mod messages;
pub mod request;
pub mod steps;
