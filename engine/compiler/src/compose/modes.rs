//! Modes: the blocks that the packages of a line have for them. A mode is another way to play a game. Its block is a layer above
//! its own package and those that it extends, with declarations that are added to the game or replace some of it.

use super::clash::{ClashRemedy, ContestedThing, clash_problem};
use super::declarations::{Declaration, Declarations};
use super::history::{ChangeKind, History, Version};
use super::{ComposedMode, LayerId, Layers, Package};
use ludex_syntax::problem::Problem;
use ludex_syntax::source::Span;
use ludex_syntax::tree::{Item, ItemKind, Name, Text};
use std::borrow::Cow;

/// A mode with the packages that have a block for it.
pub struct ModeBlocks<'a> {
    name: &'a Name,
    title: &'a Text,
    /// The blocks, in line order.
    blocks: Vec<Block<'a>>,
    /// The number of packages in the line, after which the blocks are numbered as layers.
    packages: usize,
}

/// The declarations of one package for a mode.
struct Block<'a> {
    package: LayerId,
    /// The written block; none if the package has only ability files for the mode.
    written: Option<&'a Item>,
    abilities: &'a [Item],
}

impl<'a> Declarations<'a> {
    /// All modes, in the order of their first declarations.
    pub fn all_mode_blocks(&self, layers: &Layers, problems: &mut Vec<Problem>) -> Vec<ModeBlocks<'a>> {
        self.list
            .iter()
            .filter(|known| known.is_mode())
            .filter_map(|mode| self.find_mode_blocks(mode, layers, problems))
            .collect()
    }

    /// The blocks of a mode. Reports clashing modes and titles.
    fn find_mode_blocks(&self, mode: &Declaration<'a>, layers: &Layers, problems: &mut Vec<Problem>) -> Option<ModeBlocks<'a>> {
        problems.extend(separate_modes_problem(mode, layers));
        let (name, _) = mode_header(mode.history.versions().first()?.what?)?;
        let title = mode_title(mode, layers, problems)?;
        let block = |(package, whole): (LayerId, &'a Package<'a>)| {
            let written = mode.history.version_of_layer(package).and_then(|version| version.what);
            let abilities = whole.of_modes.get(&name.text).map_or(&[][..], Vec::as_slice);
            (written.is_some() || !abilities.is_empty()).then_some(Block { package, written, abilities })
        };
        let blocks = self.packages.iter().enumerate().filter_map(block).collect();
        Some(ModeBlocks { name, title, blocks, packages: self.packages.len() })
    }
}

impl<'a> ModeBlocks<'a> {
    /// The packages, and above them the blocks of this mode.
    pub fn layers_with_blocks(&self, layers: &Layers) -> Layers {
        let packages: Vec<LayerId> = self.blocks.iter().map(|block| block.package).collect();
        layers.with_mode(&self.name.text, &packages)
    }

    /// The declarations of each block, with its layer.
    pub fn block_items(&self) -> impl Iterator<Item = (LayerId, impl Iterator<Item = &'a Item>)> {
        self.blocks.iter().enumerate().map(|(place, block)| {
            let written = block.written.and_then(mode_declarations).unwrap_or_default();
            (self.packages + place, written.iter().chain(block.abilities))
        })
    }

    /// The mode with its composed declarations and its clashes.
    pub fn build_mode(&self, items: Vec<Cow<'a, Item>>, problems: Vec<Problem>) -> ComposedMode<'a> {
        let blocks: Vec<Span> = self.blocks.iter().filter_map(|block| Some(block.written?.span)).collect();
        ComposedMode { name: self.name.clone(), title: self.title.clone(), items, blocks, problems }
    }
}

/// The name of a mode, and the title if the block gives one.
fn mode_header(item: &Item) -> Option<(&Name, Option<&Text>)> {
    match &item.kind {
        ItemKind::Mode { name, title, .. } => Some((name, title.as_ref())),
        _ => None,
    }
}

/// The declarations in a block of a mode.
fn mode_declarations(item: &Item) -> Option<&[Item]> {
    match &item.kind {
        ItemKind::Mode { items, .. } => Some(items),
        _ => None,
    }
}

/// The error if unrelated packages each declare the same mode. They may all change an existing one.
fn separate_modes_problem(mode: &Declaration, layers: &Layers) -> Option<Problem> {
    let versions = mode.history.versions();
    let new: Vec<&Version<&Item>> = versions.iter().filter(|version| version.how == ChangeKind::Declares).collect();
    let joins = |version: &Version<&Item>| new.iter().all(|other| layers.descends_from(version.layer, other.layer));
    let apart = new.len() > 1 && !versions.iter().any(joins);
    apart.then(|| {
        let words = mode.subject.as_ref().map_or(String::new(), |subject| subject.subject_text());
        let settle = ClashRemedy::Declaration(format!("replace {words} {{ … }}"));
        clash_problem(&new, &ContestedThing { what: format!("`{words}`"), settle }, layers)
    })
}

/// The title that counts. Clashing titles are reported, and the first is used.
fn mode_title<'a>(mode: &Declaration<'a>, layers: &Layers, problems: &mut Vec<Problem>) -> Option<&'a Text> {
    let mut titles: History<&'a Text> = History::default();
    for version in mode.history.versions() {
        let title = version.what.and_then(|item| mode_header(item)?.1);
        if let Some(title) = title {
            titles.push(Version { layer: version.layer, how: version.how, place: title.span, what: Some(title) });
        }
    }
    let counting = titles.counting_versions(layers);
    let first = counting.first()?.what?;
    let differ = counting.iter().any(|version| version.what.and_then(Text::plain_text) != first.plain_text());
    if differ && counting.iter().any(|version| version.how == ChangeKind::Replaces) {
        let words = mode.subject.as_ref().map_or(String::new(), |subject| subject.subject_text());
        let settle = ClashRemedy::Declaration(format!("replace {words} \"…\" {{ … }}"));
        problems.push(clash_problem(&counting, &ContestedThing { what: format!("the title of `{words}`"), settle }, layers));
    }
    Some(first)
}
