//! How play behaves, each by a little game of text.

mod asking;
mod chance;
mod faces;
mod faults;
mod flow;
mod nesting;
mod owners;
mod policies;
mod referee;
mod secrets;
mod sheets;
mod steps;
mod things;
mod time;
mod windows;
