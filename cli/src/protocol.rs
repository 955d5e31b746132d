//! The JSON lines by which other programs play: requests, messages, and the choice that an answer means. `host` speaks it for the
//! table, and a program as a bot for its seat.

pub mod answer;
pub mod arguments;
pub mod messages;
pub mod request;
pub mod steps;
