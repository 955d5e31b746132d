//! Everything together, from outside.

mod host;
mod play;
mod readme;
mod replay;
mod scenarios;
mod sim;
mod support;
