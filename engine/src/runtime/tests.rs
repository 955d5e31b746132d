//! How play behaves, each by a little game of text.

mod admission;
mod alike;
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
mod reading;
mod referee;
mod ring;
mod secrets;
mod sheets;
mod steps;
mod things;
mod time;
mod unwatched;
mod windows;
