//! A game and the packages that extend it, put together.
//!
//! Whoever declares something is a *layer*: a package of the line, or a package's block of a mode, which lies above all
//! packages. Each declaration has a history of versions, and the one counts whose layer descends from the layers of all
//! others. Two versions whose layers know nothing of each other clash, until a layer that descends from both says which
//! one counts. So the order in which a package names what it extends decides nothing but the order of declarations.
//!
//! The parts share what is declared here: `declarations` puts versions side by side, `members` and `sizes` look into them, and
//! `clash` tells which of them disagree.

mod clash;
mod declarations;
mod history;
mod layers;
mod members;
mod modes;
mod sizes;
mod subject;

pub use clash::{Contested, Settle, clash};
pub use declarations::declared_twice;
pub use history::{History, How, Version, is_there};
pub use layers::{LayerId, Layers};
pub use subject::named_in;

use self::declarations::Declarations;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::{SourceId, Span};
use ludex_syntax::tree::{Ability, Item, ItemKind, Name, Text};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The mode in which the game is as its packages have it.
pub const STANDARD: &str = "standard";

/// The game, or a package of its line, with all that it declares.
#[derive(Clone, Debug, Default)]
pub struct Package<'a> {
    /// What its rules declare, and its abilities.
    pub items: Vec<Cow<'a, Item>>,
    /// Abilities that are files of a mode's own.
    pub of_modes: BTreeMap<String, Vec<Item>>,
    /// The files of its abilities.
    pub scripts: BTreeSet<SourceId>,
}

/// A line of packages as one game.
#[derive(Clone, Debug, Default)]
pub struct Composed<'a> {
    /// What is played where no mode is chosen.
    pub standard: Vec<Cow<'a, Item>>,
    pub modes: Vec<Mode<'a>>,
    /// What a package or mode has taken away.
    pub removed: Vec<Removed>,
    /// What a package or mode has replaced with other parameters.
    pub reshaped: Vec<Reshaped>,
}

/// A mode with everything that is declared in it, the game's own declarations included.
#[derive(Clone, Debug)]
pub struct Mode<'a> {
    pub name: Name,
    pub title: Text,
    pub items: Vec<Cow<'a, Item>>,
    /// The places of the mode's own declarations.
    pub blocks: Vec<Span>,
    /// What clashes in this mode and in no other.
    pub problems: Vec<Problem>,
}

/// A declaration that is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removed {
    pub name: String,
    /// The package, by its place in the line.
    pub package: LayerId,
    /// Who it was, in words: `` `house-dice` ``.
    pub by: String,
    /// It is gone in a mode only.
    pub in_mode: bool,
    pub place: Span,
}

/// A declaration that takes the place of one with another number of parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reshaped {
    /// What `replace` names: `to clear_table`.
    pub subject: String,
    /// The name in the new declaration.
    pub place: Span,
    /// The parameters of the old one, if it had any.
    pub params: Option<Span>,
}

/// Puts a line of packages together, the game itself first.
pub fn compose<'a>(packages: &'a [Package], layers: &Layers, problems: &mut Vec<Problem>) -> Composed<'a> {
    let mut declarations = Declarations::new(packages);
    for (layer, package) in packages.iter().enumerate() {
        declarations.apply(layer, package.items.iter().map(Cow::as_ref), layers, problems);
    }
    let mut composed = Composed { standard: declarations.settled(layers, problems), ..Composed::default() };
    composed.removed = declarations.removed(layers);
    composed.reshaped = declarations.reshaped(layers);
    for mode in declarations.modes(layers, problems) {
        let layers = mode.layers(layers);
        let (mut in_mode, mut wrong) = (declarations.clone(), Vec::new());
        for (layer, items) in mode.blocks() {
            in_mode.apply(layer, items, &layers, problems);
        }
        let items = in_mode.settled(&layers, &mut wrong);
        composed.removed.extend(in_mode.removed(&layers));
        composed.reshaped.extend(in_mode.reshaped(&layers));
        composed.modes.push(mode.with(items, wrong));
    }
    composed
}

/// An ability of a file of its own among the items.
pub fn ability_item(ability: Ability) -> Item {
    let (span, cites) = (ability.id.span, ability.cites.clone());
    Item { kind: ItemKind::Ability(ability), span, cites, doc: None }
}
