//! `ludex replay`

use crate::cli::{Common, PROBLEMS};

#[derive(clap::Args)]
pub struct Args {}

pub fn run(_args: Args, _common: &Common) -> u8 {
    PROBLEMS
}
