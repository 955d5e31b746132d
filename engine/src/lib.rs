//! Ludex, the engine: the rules language, programs, sessions and scripting.

pub mod language;
pub mod problem;
pub mod source;
