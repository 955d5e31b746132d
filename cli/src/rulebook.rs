//! The rules in short, for players: the package's `rules.md`, the rows of its README, and the descriptions of things and
//! abilities in its sheets and scripts. `rules`, `play` (with its command `rules`) and `serve` show them.
//!
//! A package is the rules of one game, or of an extension of one. Its README has a table with a row for each rule, by an id
//! that passages cite.

mod blocks;
pub mod things;

pub use blocks::Block;

use crate::scenario::{cited_in, ids_in, rule_text};
use blocks::{Section, parse_sections};
use ludex_engine::program::Program;

/// The text of a package for its players.
#[derive(Debug, Default)]
pub struct Rulebook {
    /// The title of each text and its part before the first heading, the package's own first.
    openings: Vec<Section>,
    /// The parts below a heading, of all packages.
    sections: Vec<Section>,
    /// The READMEs of all packages, with the rows of their rules.
    readmes: Vec<String>,
    /// The mode for a first game, if a text names one.
    newcomers: Option<String>,
}

impl Rulebook {
    /// The rulebook of a game and all its ancestors. Without a `rules.md` the README is used.
    pub fn from_program(program: &Program) -> Rulebook {
        let mut book = Rulebook::default();
        for package in program.package_names() {
            let text = |file: &str| package_file(program, package, file);
            let readme = text("README.md");
            let (own, whole) = match text("rules.md") {
                Some(own) => (Some(own), true),
                None => (readme.clone(), false),
            };
            if let Some(own) = own {
                book.newcomers = book.newcomers.take().or_else(|| first_mode_in(&own).map(str::to_string));
                let mut parts = parse_sections(&own).into_iter();
                book.openings.extend(parts.next());
                // The headings of a README are for authors of games.
                book.sections.extend(parts.filter(|_| whole));
            }
            book.readmes.extend(readme);
        }
        book
    }

    /// The mode for a first game.
    pub fn first_mode(&self) -> Option<&str> {
        self.newcomers.as_deref()
    }

    /// The recommendation for new players.
    pub fn beginner_advice(&self) -> Option<String> {
        let first = self.sections.iter().find(|section| section.title.eq_ignore_ascii_case(ADVICE))?;
        first.blocks.iter().find_map(|block| if let Block::Text(text) = block { Some(text.clone()) } else { None })
    }

    /// One screen: the goal, a turn, and the titles of the other sections.
    pub fn opening_blocks(&self) -> Vec<Block> {
        let own = self.openings.iter().take(1);
        let mut blocks: Vec<Block> = own
            .flat_map(|section| std::iter::once(Block::Heading(section.title.clone())).chain(section.blocks.clone()))
            .collect();
        let titles: Vec<&str> = self.sections.iter().map(|section| section.title.as_str()).collect();
        if !titles.is_empty() {
            blocks.push(Block::Text(format!("More: {}.", titles.join(" · "))));
        }
        blocks
    }

    /// Every section.
    pub fn all_blocks(&self) -> Vec<Block> {
        let sections = self.openings.iter().chain(&self.sections);
        sections
            .flat_map(|section| std::iter::once(Block::Heading(section.title.clone())).chain(section.blocks.clone()))
            .collect()
    }

    /// The text about a word: a rule by its id, a section by its title, a thing or an ability by its name, or else every passage
    /// that contains the words.
    pub fn find_blocks(&self, program: &Program, words: &str) -> Vec<Block> {
        let words = words.trim().to_lowercase();
        if words == "all" {
            return self.all_blocks();
        }
        let rule = self.rule_blocks(&words);
        if !rule.is_empty() {
            return rule;
        }
        let called = self.sections.iter().filter(|section| section.title.to_lowercase().contains(&words));
        let mut blocks: Vec<Block> = called
            .flat_map(|section| std::iter::once(Block::Heading(section.title.clone())).chain(section.blocks.clone()))
            .collect();
        blocks.extend(things::find_thing_lines(program, &words).into_iter().map(Block::Text));
        if blocks.is_empty() {
            blocks = self.matching_blocks(&words);
        }
        blocks
    }

    /// The row of a rule, and the passages that cite it.
    fn rule_blocks(&self, id: &str) -> Vec<Block> {
        let found = self.readmes.iter().find_map(|readme| {
            let id = ids_in(readme).find(|known| known.eq_ignore_ascii_case(id))?;
            Some((id.to_string(), rule_text(readme, id)?))
        });
        let Some((id, text)) = found else { return Vec::new() };
        let mut blocks = vec![Block::Text(format!("{id}: {text}"))];
        let passages = self.openings.iter().chain(&self.sections).flat_map(|section| &section.blocks);
        blocks.extend(passages.filter(|block| cited_in(block.block_text()).any(|cited| cited == id)).cloned());
        blocks
    }

    /// The blocks with each of some words, which are in lower case.
    fn matching_blocks(&self, words: &str) -> Vec<Block> {
        let has_all = |block: &&Block| {
            let text = block.block_text().to_lowercase();
            words.split_whitespace().all(|word| text.contains(word))
        };
        self.openings.iter().chain(&self.sections).flat_map(|section| section.blocks.iter().filter(has_all)).cloned().collect()
    }
}

/// The section whose first paragraph has advice for a first game.
const ADVICE: &str = "Your first game";

/// The mode that the text of a package recommends for a first game, in `<!-- newcomers: MODE -->`.
pub fn first_mode_in(text: &str) -> Option<&str> {
    let rest = text.split_once("<!-- newcomers:")?.1;
    Some(rest.split_once("-->")?.0.trim())
}

/// A file in the folder of a package, such as its README. If several libraries have it, the last counts.
fn package_file(program: &Program, package: &str, file: &str) -> Option<String> {
    let path = format!("rules/{package}/{file}").to_lowercase();
    let is_it = |name: &str| {
        let name = name.to_lowercase();
        name == path || name.ends_with(&format!("/{path}"))
    };
    let found = program.sources.iter().filter(|(_, source)| is_it(&source.name)).last();
    found.map(|(_, source)| source.text.clone())
}
