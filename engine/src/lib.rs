//! Ludex, the engine: the rules language, programs, sessions and scripting.

pub mod codes;
pub mod json;
pub mod language;
pub mod library;
pub mod position;
pub mod problem;
pub mod program;
pub mod recording;
pub mod runtime;
pub mod scripting;
pub mod sheet;
pub mod source;
#[cfg(test)]
mod testing;
pub mod yaml;
