//! How play behaves, each by a little game of text.

mod asking;
mod bearing;
mod cards;
mod chance;
mod faces;
mod families;
mod faults;
mod flow;
mod knowledge;
mod marks;
mod nesting;
mod owners;
mod parameters;
mod policies;
mod referee;
mod ring;
mod secrets;
mod sheets;
mod steps;
mod things;
mod time;
mod unwatched;
mod windows;
