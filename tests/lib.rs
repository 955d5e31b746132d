//! Everything together, from outside.

mod cards;
mod dicewing;
mod drafted;
mod exec;
mod ferry;
mod host;
mod odds;
#[cfg(target_os = "linux")]
mod output;
mod peep;
mod pig;
mod play;
mod readme;
mod referee;
mod replay;
mod scenarios;
mod secrets;
mod sheets;
mod show;
mod sim;
mod support;
mod swarm;
mod table;
mod tidy;
mod tri_stat;
mod words;
