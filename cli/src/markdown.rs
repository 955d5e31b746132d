//! Markdown texts as blocks of plain words: rulebooks (`rulebook`) and manual pages (`manual`).

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// A block of a text, shown as one unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// Its level, from 1, and its words.
    Heading(u8, String),
    Text(String),
    Item(String),
    /// The cells of a table's header row.
    Head(Vec<String>),
    /// The cells of another row.
    Row(Vec<String>),
    /// Lines shown verbatim.
    Code(String),
}

/// Whether code words keep their backticks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Backticks {
    Kept,
    Gone,
}

/// The blocks of a text, in order. Formatting and comments are dropped.
pub fn parse_blocks(text: &str, backticks: Backticks) -> Vec<Block> {
    let mut reading = BlockReader { backticks, blocks: Vec::new(), words: String::new(), row: Vec::new(), items: 0 };
    Parser::new_ext(text, Options::ENABLE_TABLES).for_each(|event| reading.handle_event(event));
    reading.blocks
}

/// Builds blocks from the events of the Markdown parser.
struct BlockReader {
    backticks: Backticks,
    blocks: Vec<Block>,
    /// The words of the current block.
    words: String,
    /// The cells of the current row of a table.
    row: Vec<String>,
    /// Nesting depth of list items.
    items: usize,
}

impl BlockReader {
    fn handle_event(&mut self, event: Event) {
        match event {
            Event::Text(words) => self.words.push_str(&words),
            Event::Code(words) if self.backticks == Backticks::Kept => self.words.push_str(&format!("`{words}`")),
            Event::Code(words) => self.words.push_str(&words),
            Event::SoftBreak | Event::HardBreak => self.words.push(' '),
            Event::Start(tag) => self.start_tag(&tag),
            Event::End(tag) => self.end_tag(tag),
            _ => {}
        }
    }

    /// Handles the start of an element.
    fn start_tag(&mut self, tag: &Tag) {
        match tag {
            // The text of an item before a nested list is a block of its own.
            Tag::List(_) | Tag::CodeBlock(CodeBlockKind::Fenced(_) | CodeBlockKind::Indented) => self.end_paragraph(),
            Tag::Item => self.items += 1,
            _ => {}
        }
    }

    /// Handles the end of an element, which ends most blocks.
    fn end_tag(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(level) => {
                let words = std::mem::take(&mut self.words);
                self.blocks.push(Block::Heading(heading_depth(level), words));
            }
            TagEnd::Paragraph => self.end_paragraph(),
            TagEnd::Item => {
                self.end_paragraph();
                self.items = self.items.saturating_sub(1);
            }
            TagEnd::TableCell => self.row.push(std::mem::take(&mut self.words).trim().to_string()),
            TagEnd::TableHead => self.blocks.push(Block::Head(std::mem::take(&mut self.row))),
            TagEnd::TableRow => self.blocks.push(Block::Row(std::mem::take(&mut self.row))),
            TagEnd::CodeBlock => {
                let lines = std::mem::take(&mut self.words);
                self.blocks.push(Block::Code(lines));
            }
            _ => {}
        }
    }

    /// Ends the current block, if it has words.
    fn end_paragraph(&mut self) {
        let words = std::mem::take(&mut self.words);
        if !words.trim().is_empty() {
            let words = words.trim().to_string();
            self.blocks.push(if self.items > 0 { Block::Item(words) } else { Block::Text(words) });
        }
    }
}

fn heading_depth(level: HeadingLevel) -> u8 {
    level as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_block_by_block() {
        let text = "# Pond\n\nFrogs *hop*\nfar, `2..6`.\n<!-- a note -->\n\n- **hop**: see [there](x.md)\n  - inside\n\n| leap | far |\n|---|---|\n| dive | `a \\| b` |\n\n```ludex\nlet x = 1\n  stop\n```\n";
        let told = [
            Block::Heading(1, "Pond".into()),
            Block::Text("Frogs hop far, `2..6`.".into()),
            Block::Item("hop: see there".into()),
            Block::Item("inside".into()),
            Block::Head(vec!["leap".into(), "far".into()]),
            Block::Row(vec!["dive".into(), "`a | b`".into()]),
            Block::Code("let x = 1\n  stop\n".into()),
        ];
        assert_eq!(parse_blocks(text, Backticks::Kept), told);
        assert_eq!(parse_blocks("say `hop`", Backticks::Gone), [Block::Text("say hop".into())]);
    }
}
