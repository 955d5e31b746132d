//! Everything together, from outside.

mod cards;
mod dice;
mod dicewing;
mod drafted;
mod exec;
mod ferry;
mod greedy;
mod host;
mod odds;
#[cfg(target_os = "linux")]
mod output;
mod packages;
mod peep;
mod pig;
mod play;
mod positions;
mod readme;
mod recordings;
mod referee;
mod replay;
mod scenarios;
mod season_3;
mod secrets;
mod sheets;
mod show;
mod sim;
mod support;
mod swarm;
mod table;
mod teams;
mod tidy;
mod tournament;
mod tri_stat;
mod words;
