//! The structure of rulebooks: sections, each a heading with paragraphs and items below it.
//!
//! A rulebook is written in Markdown. A block is a paragraph, an item, a row of a table or a subheading, which search results
//! show alone.

use crate::markdown::{self, Backticks};

/// A block of a text, shown as one unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    Heading(String),
    Text(String),
    Item(String),
}

impl Block {
    pub fn block_text(&self) -> &str {
        let (Block::Heading(text) | Block::Text(text) | Block::Item(text)) = self;
        text
    }
}

/// A heading with the blocks below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    pub title: String,
    pub blocks: Vec<Block>,
}

/// Splits a text at its headings. The first section is under the title. Code examples are dropped: they are for authors of games.
pub fn parse_sections(text: &str) -> Vec<Section> {
    let mut title = String::new();
    let mut sections: Vec<Section> = vec![Section { title: String::new(), blocks: Vec::new() }];
    let mut columns: Vec<String> = Vec::new();
    for block in markdown::parse_blocks(text, Backticks::Gone) {
        let told = match block {
            markdown::Block::Heading(1, words) => {
                title = words;
                continue;
            }
            markdown::Block::Heading(2, title) => {
                sections.push(Section { title, blocks: Vec::new() });
                continue;
            }
            markdown::Block::Heading(_, words) | markdown::Block::Text(words) => Block::Text(words),
            markdown::Block::Item(words) => Block::Item(words),
            markdown::Block::Head(cells) => {
                columns = cells;
                continue;
            }
            markdown::Block::Row(cells) => Block::Item(table_row_text(&columns, &cells)),
            markdown::Block::Code(_) => continue,
        };
        sections.last_mut().into_iter().for_each(|section| section.blocks.push(told.clone()));
    }
    sections[0].title = title;
    sections
}

/// The column of a table of rules that names the declarations of each rule. It is for authors of games.
const WHERE: &str = "where";

/// Formats a row: `foreign aid: 2 coins; who blocks it: Duke`. This is the topic, its main text, and further cells under the
/// names of their columns. Empty cells are left out.
fn table_row_text(columns: &[String], cells: &[String]) -> String {
    let named = columns.iter().map(String::as_str).chain(std::iter::repeat("")).zip(cells).skip(2);
    let named = named.filter(|(column, cell)| !cell.is_empty() && *column != WHERE);
    let more = named.map(|(column, cell)| if column.is_empty() { format!("; {cell}") } else { format!("; {column}: {cell}") });
    let first = cells.iter().take(2).filter(|cell| !cell.is_empty()).cloned().collect::<Vec<_>>().join(": ");
    more.fold(first, |row, more| row + more.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_told_by_its_headings() {
        let text = "# Pond\n\nFrogs *hop*\nfar (PO-001).\n\n## A turn\n\n- **hop**: see [there](x.md)\n\n\
                    | action | what it does | who blocks it | where |\n|---|---|---|---|\n\
                    | dive | deep | | turn |\n| leap | far | a heron | turn |\n";
        let told = parse_sections(text);
        assert_eq!((told[0].title.as_str(), &told[0].blocks), ("Pond", &vec![Block::Text("Frogs hop far (PO-001).".into())]));
        let items = ["hop: see there", "dive: deep", "leap: far; who blocks it: a heron"].map(|text| Block::Item(text.into()));
        assert_eq!((told[1].title.as_str(), told[1].blocks.as_slice()), ("A turn", items.as_slice()));
    }
}
