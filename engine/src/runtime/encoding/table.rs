//! The encoding in words.
//!
//! The Python module shows this text to people who want to read rows and actions.

use crate::runtime::encoding::{Encoding, features};

impl Encoding {
    /// The meaning of each action and of each number of an observation, as a table for people.
    pub fn table_text(&self) -> String {
        let columns = &self.columns;
        let mut text = format!("package hash {}\n\n{} actions\n", self.hash, self.action_count());
        for block in &self.space.blocks {
            let names = (block.first..block.first + block.count).filter_map(|action| self.space.action_name(action));
            let names: Vec<String> = names.collect();
            let shown = match names.as_slice() {
                [first, second, .., last] if names.len() > 15 => format!("{first}, {second}, … {last}"),
                names => names.join(", "),
            };
            if block.count > 0 {
                text.push_str(&format!(
                    "{:>6}  {shown}\n        {}\n",
                    range_text(block.first as usize, block.count as usize),
                    block.note
                ));
            }
        }
        text.push_str(&format!("\n{} numbers of an observation\n", self.observation_width()));
        for (at, name) in columns.names.iter().enumerate() {
            text.push_str(&format!("{at:>6}  {name}\n"));
        }
        if columns.piece_count > 0 {
            let last = columns.piece_count - 1;
            text.push_str(&format!(
                "{:>6}  pieces 0 to {last}, {} numbers each: {}\n",
                range_text(columns.pieces, columns.piece_count * columns.piece_width),
                columns.piece_width,
                columns.piece_names.join(", ")
            ));
        }
        let names = features::feature_names(columns);
        text.push_str(&format!("\n{} numbers for each of up to {} legal actions\n", names.len(), self.most_legal));
        for (at, name) in names.iter().enumerate() {
            text.push_str(&format!("{at:>6}  {name}\n"));
        }
        text
    }
}

/// `5`, or `5-14` for ten numbers from 5 on.
fn range_text(first: usize, count: usize) -> String {
    match count {
        0 | 1 => first.to_string(),
        _ => format!("{first}-{}", first + count - 1),
    }
}
