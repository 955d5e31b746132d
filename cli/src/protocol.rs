//! The JSON lines by which other programs play: requests, messages, and the choice that an answer means. `host` speaks it for
//! the table, and `bots` with a program that plays a seat. `serve` and `terminal` use only the parsing of answers and the
//! steps.

pub mod answer;
pub mod arguments;
pub mod messages;
pub mod request;
pub mod steps;
