//! Everything together, from outside.

mod host;
mod play;
mod replay;
mod scenarios;
mod sim;
mod support;
