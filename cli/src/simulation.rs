//! Many games, played by bots and counted, for `sim`, `check --play` and others.
//!
//! A [`Plan`] defines the players and the seed of each game. [`run_plan`] plays the games on all cores and adds them up in a
//! [`Tally`]. Everything in a tally is a sum, a maximum, or a list in the order of the games, so it does not depend on how the
//! games were divided among threads.

mod check;
mod compare;
mod difference;
mod game;
mod interval;
mod mean;
mod numbers;
mod plan;
mod report;
mod request;
mod rows;
mod run;
mod short_game;
mod shrink;
mod sides;
mod tally;
mod trouble;
mod variant;

pub use compare::compare_variants;
pub use interval::Share;
pub use plan::Plan;
pub use report::{comparison, pairs, result_table, simulation_json, simulation_text};
pub use request::{Counts, PreparedRequest, Request};
pub use rows::Rows;
pub use run::{Settings, run_plan};
pub use short_game::test_short_game;
pub use shrink::shrink_trouble;
pub use tally::Tally;
pub use trouble::{MOST_TROUBLES, Trouble, TroubleKind};
pub use variant::{Variant, build_variants, ensure_comparable, variant_names};
