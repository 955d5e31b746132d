//! How play behaves, each by a little game of text.

mod asking;
mod chance;
mod faults;
mod flow;
mod nesting;
mod policies;
mod secrets;
mod things;
mod time;
mod windows;
