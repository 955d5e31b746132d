//! Items and abilities → a program without sheets.

use super::syntax::{Ability, Item};
use crate::problem::Problem;
use crate::program::Program;
use crate::source::SourceId;
use std::collections::BTreeMap;

/// All there is of one game, packages put together.
pub struct Input<'a> {
    pub items: Vec<Item>,
    /// With the stem of the file each stands in.
    pub abilities: Vec<(String, SourceId, Ability)>,
    pub mode: Option<&'a str>,
    pub options: &'a BTreeMap<String, String>,
}

pub fn compile(_input: &Input) -> (Option<Program>, Vec<Problem>) {
    (None, Vec::new())
}
