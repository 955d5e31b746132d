//! The little of Markdown that rulebooks are written in: headings, paragraphs, lists, tables.

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

/// A text by its headings: first what its title heads.
pub fn sections(text: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = vec![Section { title: String::new(), blocks: Vec::new() }];
    let mut open = false;
    let mut is_code = false;
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.starts_with("```") {
            is_code = !is_code;
            open = false;
            continue;
        }
        let is_comment = trimmed.starts_with("<!--");
        if is_code || is_comment || trimmed.is_empty() {
            open = false;
            continue;
        }
        if let Some(title) = trimmed.strip_prefix("# ") {
            sections[0].title = plain(title);
            continue;
        }
        if let Some(title) = trimmed.strip_prefix("## ") {
            sections.push(Section { title: plain(title), blocks: Vec::new() });
            open = false;
            continue;
        }
        let Some(blocks) = sections.last_mut().map(|section| &mut section.blocks) else { continue };
        if let Some(row) = trimmed.strip_prefix('|') {
            blocks.extend(row_told(row));
            open = false;
        } else if let Some(item) = trimmed.strip_prefix("- ") {
            blocks.push(Block::Item(plain(item)));
            open = true;
        } else if let Some(Block::Text(text) | Block::Item(text)) = blocks.last_mut().filter(|_| open) {
            text.push(' ');
            text.push_str(&plain(trimmed));
        } else {
            blocks.push(Block::Text(plain(trimmed)));
            open = true;
        }
    }
    sections
}

/// `ones to sixes: the sum of the dice`; nothing of the ruler under a head.
fn row_told(row: &str) -> Option<Block> {
    if row.chars().all(|sign| matches!(sign, '|' | '-' | ':' | ' ')) {
        return None;
    }
    let cells: Vec<String> = row.trim_end_matches('|').split('|').map(|cell| plain(cell.trim())).collect();
    Some(Block::Item(cells.join(": ")))
}

/// Text without the signs that only say how it is drawn.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    // `[words](link)`: the words.
    while let Some((before, after)) = rest.split_once('[') {
        plain.push_str(before);
        match after.split_once("](").and_then(|(words, after)| Some((words, after.split_once(')')?.1))) {
            Some((words, after)) => {
                plain.push_str(words);
                rest = after;
            }
            None => {
                plain.push('[');
                rest = after;
            }
        }
    }
    plain.push_str(rest);
    plain.replace("**", "").replace(['`', '*'], "")
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
