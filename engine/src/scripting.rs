//! Abilities that are more than a plain effect: functions in rhai, which do their work in play.
//!
//! rhai reads them; what it reads is compiled to the instructions that rules are compiled to. So a script can wait at any
//! question, be saved, copied and taken back, and costs what a rule costs.

pub mod api;
mod compile;
mod read;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod text;

pub(crate) use compile::compile;
