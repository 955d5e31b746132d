//! What layers have made of one thing.

use super::{LayerId, Layers};
use ludex_syntax::source::Span;

/// All versions of one thing, in the order of their layers.
#[derive(Clone, Debug)]
pub struct History<T>(Vec<Version<T>>);

/// What one layer has made of it.
#[derive(Clone, Debug)]
pub struct Version<T> {
    pub layer: LayerId,
    pub how: How,
    /// Where it is said.
    pub place: Span,
    /// None: it is gone.
    pub what: Option<T>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    Declares,
    Replaces,
    Removes,
}

impl<T> Default for History<T> {
    fn default() -> History<T> {
        History(Vec::new())
    }
}

impl<T> History<T> {
    pub fn of_one(version: Version<T>) -> History<T> {
        History(vec![version])
    }

    pub fn push(&mut self, version: Version<T>) {
        self.0.push(version);
    }

    pub fn versions(&self) -> &[Version<T>] {
        &self.0
    }

    /// A layer's own version.
    pub fn of(&self, layer: LayerId) -> Option<&Version<T>> {
        self.0.iter().find(|version| version.layer == layer)
    }

    /// What a layer finds there: the versions of those it descends from, as far as none of these has changed them.
    pub fn found_by(&self, layer: LayerId, layers: &Layers) -> Vec<&Version<T>> {
        self.latest(layers, |version| layers.descends(layer, version.layer))
    }

    /// The versions that nobody has changed. One alone is the one that counts.
    pub fn counting(&self, layers: &Layers) -> Vec<&Version<T>> {
        self.latest(layers, |_| true)
    }

    fn latest(&self, layers: &Layers, among: impl Fn(&Version<T>) -> bool) -> Vec<&Version<T>> {
        let versions: Vec<&Version<T>> = self.0.iter().filter(|version| among(version)).collect();
        if versions.len() < 2 {
            return versions;
        }
        // A layer may have many versions of one thing, if it declares that again and again.
        let mut by: Vec<LayerId> = versions.iter().map(|version| version.layer).collect();
        by.dedup();
        let is_changed = |version: &Version<T>| by.iter().any(|other| layers.descends(*other, version.layer));
        versions.iter().copied().filter(|version| !is_changed(version)).collect()
    }
}

/// Whether any of some versions is more than a removal.
pub fn is_there<T>(versions: &[&Version<T>]) -> bool {
    versions.iter().any(|version| version.what.is_some())
}
