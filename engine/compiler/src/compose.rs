//! Combines a game and the packages that extend it.
//!
//! Declarations belong to *layers*: a package of the line, or a package's block for a mode, which is above that package.
//! Each declaration has a history of versions. The version counts whose layer descends from the layers of all others. Two
//! versions in unrelated layers clash, unless a layer that descends from both decides. So the order in which a package names
//! its parents only affects the order of declarations.
//!
//! The submodules share what is declared here: `declarations` collects versions, `members` and `sizes` look into them, and
//! `clash` reports conflicts.
//!
//! A *line* is a game with all packages that it extends, each after its own parents. The library builds the packages and layers,
//! and calls [`compose_line`] before names are resolved.

mod clash;
mod declarations;
mod history;
mod layers;
mod members;
mod modes;
mod sizes;
mod subject;

pub use clash::{ClashRemedy, ContestedThing, clash_problem};
pub use declarations::declared_twice_problem;
pub use history::{ChangeKind, History, Version, any_present};
pub use layers::{LayerId, Layers};
pub use subject::declared_names;

use self::declarations::Declarations;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::{SourceId, Span};
use ludex_syntax::tree::{Ability, Item, ItemKind, Name, Text};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The mode of the game without mode blocks.
pub const STANDARD: &str = "standard";

/// The game, or a package of its line, with all its declarations.
#[derive(Clone, Debug, Default)]
pub struct Package<'a> {
    /// The declarations of its rules, and its abilities.
    pub items: Vec<Cow<'a, Item>>,
    /// Abilities from files for one mode.
    pub of_modes: BTreeMap<String, Vec<Item>>,
    /// Its ability files.
    pub scripts: BTreeSet<SourceId>,
}

/// A line of packages, combined into one game.
#[derive(Clone, Debug, Default)]
pub struct ComposedGame<'a> {
    /// The declarations in the standard mode.
    pub standard: Vec<Cow<'a, Item>>,
    /// The other modes, each with all its declarations.
    pub modes: Vec<ComposedMode<'a>>,
    /// Declarations removed by a package or mode.
    pub removed: Vec<RemovedDeclaration>,
    /// Declarations replaced by a package or mode with different parameters.
    pub reshaped: Vec<ReshapedDeclaration>,
}

/// A mode with all its declarations, including those of the game.
#[derive(Clone, Debug)]
pub struct ComposedMode<'a> {
    pub name: Name,
    pub title: Text,
    pub items: Vec<Cow<'a, Item>>,
    /// The spans of the mode's own declarations.
    pub blocks: Vec<Span>,
    /// Clashes that only occur in this mode.
    pub problems: Vec<Problem>,
}

/// A removed declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemovedDeclaration {
    pub name: String,
    /// The package that removed it, by its index in the line.
    pub package: LayerId,
    /// The name of that layer, for messages: `` `house-dice` ``.
    pub by: String,
    /// It is removed in a mode only.
    pub in_mode: bool,
    /// The place of the `remove`.
    pub place: Span,
}

/// A declaration that replaces one with a different number of parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReshapedDeclaration {
    /// The subject of `replace`: `to clear_table`.
    pub subject: String,
    /// The name in the new declaration.
    pub place: Span,
    /// The span of the old parameters, if it had any.
    pub params: Option<Span>,
}

/// Combines a line of packages, the game itself first.
pub fn compose_line<'a>(packages: &'a [Package], layers: &Layers, problems: &mut Vec<Problem>) -> ComposedGame<'a> {
    let mut declarations = Declarations::new(packages);
    for (layer, package) in packages.iter().enumerate() {
        declarations.apply_layer(layer, package.items.iter().map(Cow::as_ref), layers, problems);
    }
    let mut composed = ComposedGame { standard: declarations.counting_items(layers, problems), ..ComposedGame::default() };
    composed.removed = declarations.removed_declarations(layers);
    composed.reshaped = declarations.reshaped_declarations(layers);
    for mode in declarations.all_mode_blocks(layers, problems) {
        let layers = mode.layers_with_blocks(layers);
        let (mut in_mode, mut wrong) = (declarations.clone(), Vec::new());
        for (layer, items) in mode.block_items() {
            in_mode.apply_layer(layer, items, &layers, problems);
        }
        let items = in_mode.counting_items(&layers, &mut wrong);
        composed.removed.extend(in_mode.removed_declarations(&layers));
        composed.reshaped.extend(in_mode.reshaped_declarations(&layers));
        composed.modes.push(mode.build_mode(items, wrong));
    }
    composed
}

/// Turns an ability from its own file into an item.
pub fn ability_item(ability: Ability) -> Item {
    let (span, cites) = (ability.id.span, ability.cites.clone());
    Item { kind: ItemKind::Ability(ability), span, cites, doc: None }
}
