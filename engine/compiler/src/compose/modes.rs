//! Modes: the blocks that the packages of a line have for them.

use super::clash::{Contested, Settle, clash};
use super::declarations::{Declaration, Declarations};
use super::history::{History, How, Version};
use super::{LayerId, Layers, Mode, Package};
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
    packages: usize,
}

struct Block<'a> {
    package: LayerId,
    /// The written block; none if the package has only ability files for the mode.
    written: Option<&'a Item>,
    abilities: &'a [Item],
}

impl<'a> Declarations<'a> {
    /// All modes, in the order of their first declarations.
    pub fn modes(&self, layers: &Layers, problems: &mut Vec<Problem>) -> Vec<ModeBlocks<'a>> {
        self.list.iter().filter(|known| known.is_mode()).filter_map(|mode| self.mode(mode, layers, problems)).collect()
    }

    fn mode(&self, mode: &Declaration<'a>, layers: &Layers, problems: &mut Vec<Problem>) -> Option<ModeBlocks<'a>> {
        problems.extend(declared_apart(mode, layers));
        let (name, _) = head(mode.history.versions().first()?.what?)?;
        let title = titled(mode, layers, problems)?;
        let block = |(package, whole): (LayerId, &'a Package<'a>)| {
            let written = mode.history.of(package).and_then(|version| version.what);
            let abilities = whole.of_modes.get(&name.text).map_or(&[][..], Vec::as_slice);
            (written.is_some() || !abilities.is_empty()).then_some(Block { package, written, abilities })
        };
        let blocks = self.packages.iter().enumerate().filter_map(block).collect();
        Some(ModeBlocks { name, title, blocks, packages: self.packages.len() })
    }
}

impl<'a> ModeBlocks<'a> {
    /// The packages, and above them the blocks of this mode.
    pub fn layers(&self, layers: &Layers) -> Layers {
        let packages: Vec<LayerId> = self.blocks.iter().map(|block| block.package).collect();
        layers.with_mode(&self.name.text, &packages)
    }

    /// The declarations of each block, with its layer.
    pub fn blocks(&self) -> impl Iterator<Item = (LayerId, impl Iterator<Item = &'a Item>)> {
        self.blocks.iter().enumerate().map(|(place, block)| {
            let written = block.written.and_then(declared).unwrap_or_default();
            (self.packages + place, written.iter().chain(block.abilities))
        })
    }

    pub fn with(&self, items: Vec<Cow<'a, Item>>, problems: Vec<Problem>) -> Mode<'a> {
        let blocks: Vec<Span> = self.blocks.iter().filter_map(|block| Some(block.written?.span)).collect();
        Mode { name: self.name.clone(), title: self.title.clone(), items, blocks, problems }
    }
}

/// The name of a mode, and the title if the block gives one.
fn head(item: &Item) -> Option<(&Name, Option<&Text>)> {
    match &item.kind {
        ItemKind::Mode { name, title, .. } => Some((name, title.as_ref())),
        _ => None,
    }
}

fn declared(item: &Item) -> Option<&[Item]> {
    match &item.kind {
        ItemKind::Mode { items, .. } => Some(items),
        _ => None,
    }
}

/// The error if unrelated packages each declare the same mode. They may all change an existing one.
fn declared_apart(mode: &Declaration, layers: &Layers) -> Option<Problem> {
    let versions = mode.history.versions();
    let new: Vec<&Version<&Item>> = versions.iter().filter(|version| version.how == How::Declares).collect();
    let joins = |version: &Version<&Item>| new.iter().all(|other| layers.descends(version.layer, other.layer));
    let apart = new.len() > 1 && !versions.iter().any(joins);
    apart.then(|| {
        let words = mode.subject.as_ref().map_or(String::new(), |subject| subject.shown());
        let settle = Settle::Declaration(format!("replace {words} {{ … }}"));
        clash(&new, &Contested { what: format!("`{words}`"), settle }, layers)
    })
}

/// The title that counts. Clashing titles are reported, and the first is used.
fn titled<'a>(mode: &Declaration<'a>, layers: &Layers, problems: &mut Vec<Problem>) -> Option<&'a Text> {
    let mut titles: History<&'a Text> = History::default();
    for version in mode.history.versions() {
        let title = version.what.and_then(|item| head(item)?.1);
        if let Some(title) = title {
            titles.push(Version { layer: version.layer, how: version.how, place: title.span, what: Some(title) });
        }
    }
    let counting = titles.counting(layers);
    let first = counting.first()?.what?;
    let differ = counting.iter().any(|version| version.what.and_then(Text::plain) != first.plain());
    if differ && counting.iter().any(|version| version.how == How::Replaces) {
        let words = mode.subject.as_ref().map_or(String::new(), |subject| subject.shown());
        let settle = Settle::Declaration(format!("replace {words} \"…\" {{ … }}"));
        problems.push(clash(&counting, &Contested { what: format!("the title of `{words}`"), settle }, layers));
    }
    Some(first)
}
