//! Tables for browsers, asked over HTTP without one: whole games, what stays secret, links, and what strangers may send.

mod ahead;
pub mod browser;
mod crowds;
mod forms;
mod games;
mod hostile;
mod kept;
mod links;
mod secrecy;
pub mod server;
