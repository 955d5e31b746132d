//! What rulebooks consist of: sections, each a heading with paragraphs and items beneath it.

use crate::markdown::{self, Backticks};

/// A part of a text that is shown as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    Heading(String),
    Text(String),
    Item(String),
}

impl Block {
    pub fn text(&self) -> &str {
        let (Block::Heading(text) | Block::Text(text) | Block::Item(text)) = self;
        text
    }
}

/// A heading with what stands beneath it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    pub title: String,
    pub blocks: Vec<Block>,
}

/// A text by its headings: first what its title heads. Examples in code are for those who make games.
pub fn sections(text: &str) -> Vec<Section> {
    let mut title = String::new();
    let mut sections: Vec<Section> = vec![Section { title: String::new(), blocks: Vec::new() }];
    for block in markdown::blocks(text, Backticks::Gone) {
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
            markdown::Block::Row(cells) => Block::Item(cells.join(": ")),
            markdown::Block::Code(_) => continue,
        };
        sections.last_mut().into_iter().for_each(|section| section.blocks.push(told.clone()));
    }
    sections[0].title = title;
    sections
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_told_by_its_headings() {
        let text = "# Pond\n\nFrogs *hop*\nfar (PO-001).\n\n## A turn\n\n- **hop**: see [there](x.md)\n\n| leap | far |\n|---|---|\n| dive | deep |\n";
        let told = sections(text);
        assert_eq!((told[0].title.as_str(), &told[0].blocks), ("Pond", &vec![Block::Text("Frogs hop far (PO-001).".into())]));
        let items = ["hop: see there", "leap: far", "dive: deep"].map(|text| Block::Item(text.into()));
        assert_eq!((told[1].title.as_str(), told[1].blocks.as_slice()), ("A turn", items.as_slice()));
    }
}
