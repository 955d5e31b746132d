//! Six classic games written straight into Rust, which the benchmark holds Ludex against.
//!
//! Each is the game of the same name in `examples/classics`: the same decisions, each with the same options. They know
//! nothing of Ludex. Whoever plays is behind [`Table`], so the benchmark can draw every answer, and a test can have Ludex
//! play the same game and compare. Nothing is interpreted, and nothing is allocated.

pub mod four_in_a_row;
pub mod hearts;
pub mod liars_dice;
pub mod pig;
pub mod president;
pub mod table;
pub mod tic_tac_toe;
