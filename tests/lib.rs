//! Everything together, from outside.

mod dicewing;
mod drafted;
mod host;
mod pig;
mod play;
mod readme;
mod replay;
mod scenarios;
mod sheets;
mod sim;
mod support;
mod tidy;
mod words;
