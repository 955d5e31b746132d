//! Everything together, from outside.

mod scenarios;
mod sim;
mod support;
