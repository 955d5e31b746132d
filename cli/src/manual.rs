//! The bundled pages for authors of games, searchable by page, heading and word. `explain` shows them.

use crate::layout::{Table, paragraph_text};
use crate::load;
use crate::markdown::{self, Backticks, Block};
use crate::output;

/// A page.
pub struct Page {
    /// The word that selects it.
    pub word: &'static str,
    /// The topic.
    pub about: &'static str,
    path: &'static str,
}

pub static PAGES: [Page; 7] = [
    Page { word: "tutorial", about: "a first game, step by step", path: "rules/TUTORIAL.md" },
    Page { word: "language", about: "the rules language, with every form", path: "rules/REFERENCE.md" },
    Page { word: "expansion", about: "a complete package that changes a game", path: "rules/EXPANSION.md" },
    Page { word: "scripts", about: "abilities: headers, functions, examples", path: "scripts/README.md" },
    Page { word: "sheets", about: "files of characters, cards and decks", path: "characters/README.md" },
    Page { word: "scenarios", about: "tests, positions and tours", path: "rules/SCENARIOS.md" },
    Page { word: "limits", about: "maximum sizes and counts", path: "rules/LIMITS.md" },
];

/// Maximum number of passages shown for a word that no heading contains.
const MOST: usize = 8;

/// A passage of the pages, under its heading.
pub struct Passage {
    pub page: &'static Page,
    pub heading: String,
    blocks: Vec<Block>,
}

impl Page {
    /// The blocks of the page; backticks stay, because they mark words of the language.
    fn page_blocks(&self) -> Vec<Block> {
        markdown::parse_blocks(load::bundled_page(self.path).unwrap_or_default(), Backticks::Kept)
    }

    /// The page split at its headings.
    fn split_sections(&'static self) -> Vec<Passage> {
        let mut sections: Vec<Passage> = Vec::new();
        for block in self.page_blocks() {
            match block {
                Block::Heading(_, heading) => sections.push(Passage { page: self, heading, blocks: Vec::new() }),
                block => sections.last_mut().into_iter().for_each(|section| section.blocks.push(block.clone())),
            }
        }
        sections
    }

    /// The whole page.
    pub fn page_text(&self) -> String {
        blocks_text(&self.page_blocks())
    }
}

impl Passage {
    /// The passage as text for a terminal, without its heading.
    pub fn passage_text(&self) -> String {
        blocks_text(&self.blocks)
    }

    /// Keeps only some of its blocks, if any remain.
    fn filter_blocks(self, is_wanted: impl Fn(&Block) -> bool) -> Option<Passage> {
        let blocks: Vec<Block> = self.blocks.into_iter().filter(is_wanted).collect();
        (!blocks.is_empty()).then_some(Passage { blocks, ..self })
    }
}

/// The page that a word selects.
pub fn find_page(word: &str) -> Option<&'static Page> {
    PAGES.iter().find(|page| page.word.eq_ignore_ascii_case(word.trim()))
}

/// The passages about a word: the sections with it in their heading, or else those that start with it, or else the first passages
/// that contain it. For several words, the sections whose heading contains them all.
pub fn find_passages(word: &str) -> Vec<Passage> {
    let word = word.trim().to_lowercase();
    let sections = || PAGES.iter().flat_map(Page::split_sections);
    let has = |heading: &str, word: &String| lowercase_words(heading).any(|known| known == *word);
    let is_headed = |section: &Passage| lowercase_words(&word).all(|word| has(&section.heading, &word));
    let headed: Vec<Passage> =
        sections().filter(|section| lowercase_words(&word).next().is_some() && is_headed(section)).collect();
    if !headed.is_empty() {
        return headed;
    }
    let found = |test: fn(&Block, &str) -> bool| -> Vec<Passage> {
        sections().filter_map(|section| section.filter_blocks(|block| test(block, &word))).collect()
    };
    let defining = found(defines_word);
    let mut passages = if defining.is_empty() { found(uses_word) } else { defining };
    passages.truncate(MOST);
    passages
}

/// Whether a block starts with a word in code style, and so defines it.
fn defines_word(block: &Block, word: &str) -> bool {
    let begins = |text: &str| text.strip_prefix('`').is_some_and(|code| begins_with(code, word));
    match block {
        Block::Text(text) | Block::Item(text) => begins(text),
        Block::Head(cells) | Block::Row(cells) => cells.first().is_some_and(|cell| begins(cell)),
        Block::Heading(..) | Block::Code(_) => false,
    }
}

/// Whether code in a block starts with a word.
fn uses_word(block: &Block, word: &str) -> bool {
    let is_named = |text: &str| text.split('`').skip(1).step_by(2).any(|code| begins_with(code, word));
    match block {
        Block::Text(text) | Block::Item(text) => is_named(text),
        Block::Head(cells) | Block::Row(cells) => cells.iter().any(|cell| is_named(cell)),
        Block::Heading(..) | Block::Code(_) => false,
    }
}

/// Whether the first word of some code is this one.
fn begins_with(code: &str, word: &str) -> bool {
    lowercase_words(code).next().is_some_and(|first| first == word)
}

/// The words of a text in lower case; names with underscores are one word.
fn lowercase_words(text: &str) -> impl Iterator<Item = String> {
    text.split(|sign: char| !sign.is_alphanumeric() && sign != '_').filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// Formats blocks for a terminal.
fn blocks_text(blocks: &[Block]) -> String {
    let mut text = String::new();
    let mut table = Table::default();
    for block in blocks {
        if let Block::Head(cells) | Block::Row(cells) = block {
            table.add_row(cells.clone());
            continue;
        }
        text.push_str(&std::mem::take(&mut table).to_text());
        if !text.is_empty() && !matches!(block, Block::Item(_)) {
            text.push('\n');
        }
        match block {
            Block::Heading(_, words) => text.push_str(&format!("{}\n", output::heading_text(words))),
            Block::Text(words) => text.push_str(&paragraph_text(words, 0)),
            Block::Item(words) => text.push_str(&paragraph_text(&format!("- {words}"), 2)),
            Block::Code(lines) => text.extend(lines.lines().map(|line| format!("    {line}\n"))),
            Block::Head(_) | Block::Row(_) => {}
        }
    }
    text.push_str(&table.to_text());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_is_there() {
        for page in &PAGES {
            assert!(page.page_text().len() > 1000, "{}", page.word);
        }
    }

    #[test]
    fn a_heading_gives_its_whole_section() {
        let found = find_passages("hooks");
        assert!(found.iter().any(|passage| passage.heading.starts_with("Hooks")), "{}", found.len());
        assert!(found.iter().all(|passage| passage.passage_text().lines().count() > 5));
        let found: Vec<String> = find_passages("Sheets, pieces and members").into_iter().map(|passage| passage.heading).collect();
        assert_eq!(found, ["Sheets, pieces and members"]);
    }

    #[test]
    fn a_word_gives_the_passages_that_are_about_it() {
        let found = find_passages("when");
        assert!(!found.is_empty() && found.len() <= MOST);
        assert!(found.iter().all(|passage| passage.passage_text().contains("`when")), "{}", found[0].passage_text());
        assert!(find_passages("quagmire").is_empty());
    }
}
