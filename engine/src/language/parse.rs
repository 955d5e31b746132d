//! Text → syntax tree.

use super::syntax::{Ability, Item};
use crate::problem::Problem;
use crate::source::SourceId;

pub fn parse_rules(_text: &str, _source: SourceId) -> (Vec<Item>, Vec<Problem>) {
    (Vec::new(), Vec::new())
}

pub fn parse_ability(_text: &str, _source: SourceId) -> (Option<Ability>, Vec<Problem>) {
    (None, Vec::new())
}
