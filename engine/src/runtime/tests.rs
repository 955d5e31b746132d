//! How play behaves, each by a little game of text.

mod asking;
mod bearing;
mod cards;
mod chance;
mod faces;
mod faults;
mod flow;
mod marks;
mod nesting;
mod owners;
mod parameters;
mod policies;
mod referee;
mod secrets;
mod sheets;
mod things;
mod time;
mod windows;
