//! Pages of codes: Markdown in a fixed form, readable as it is.
//!
//! ````text
//! # the fact in a few words
//!
//! What it means and what to do.
//!
//! ## Example
//!
//! ```ludex
//! what raises it
//! ```
//!
//! ## Fixed
//!
//! ```ludex
//! the same without the mistake
//! ```
//! ````
//!
//! A fence names the language, followed by the file if that matters.

use super::{Block, Code};
use ludex_engine::problem::on_one_line;

const EXAMPLE: &str = "## Example";
const FIXED: &str = "## Fixed";
const FENCE: &str = "```";

/// Reads a code's entry from its page. Missing parts are empty; a test ensures that there are none.
pub fn read_page(code: &'static str, page: &'static str) -> Code {
    let (head, examples) = page.split_once(EXAMPLE).unwrap_or((page, ""));
    let (failing, mended) = examples.split_once(FIXED).unwrap_or((examples, ""));
    let (title, explanation) = head.split_once('\n').unwrap_or((head, ""));
    let failing = fenced_blocks(failing);
    Code {
        code,
        title: title.trim_start_matches('#').trim(),
        explanation: join_paragraphs(explanation),
        example: failing.iter().map(|block| block.text).collect::<Vec<_>>().join("\n").trim_end().to_string(),
        failing,
        mended: fenced_blocks(mended),
    }
}

/// Joins each paragraph to one line. The display wraps it.
fn join_paragraphs(text: &str) -> String {
    let paragraphs = text.split("\n\n").map(on_one_line);
    paragraphs.filter(|paragraph| !paragraph.is_empty()).collect::<Vec<_>>().join("\n\n")
}

/// The fenced blocks in a part of a page.
fn fenced_blocks(part: &'static str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut rest = part;
    while let Some((_, opened)) = rest.split_once(FENCE) {
        let (info, body) = opened.split_once('\n').unwrap_or((opened, ""));
        let (text, after) = body.split_once(FENCE).unwrap_or((body, ""));
        let mut words = info.split_whitespace();
        found.push(Block { language: words.next().unwrap_or(""), file: words.next(), text });
        rest = after;
    }
    found
}
