//! The changes that layers make to one thing: a declaration, a member, a sheet or the title of a mode. A version
//! counts as changed if a layer that descends from its layer also has a version.

use super::{LayerId, Layers};
use ludex_syntax::source::Span;

/// All versions of a thing, in layer order.
#[derive(Clone, Debug)]
pub struct History<T>(Vec<Version<T>>);

/// The version of one layer.
#[derive(Clone, Debug)]
pub struct Version<T> {
    pub layer: LayerId,
    pub how: ChangeKind,
    /// The span of its declaration.
    pub place: Span,
    /// The declaration; none if the layer removes it.
    pub what: Option<T>,
}

/// The way in which a layer changes a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
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
    pub fn from_version(version: Version<T>) -> History<T> {
        History(vec![version])
    }

    /// Adds the version of a later layer.
    pub fn push(&mut self, version: Version<T>) {
        self.0.push(version);
    }

    pub fn versions(&self) -> &[Version<T>] {
        &self.0
    }

    /// The version of a layer itself.
    pub fn version_of_layer(&self, layer: LayerId) -> Option<&Version<T>> {
        self.0.iter().find(|version| version.layer == layer)
    }

    /// The versions that exist below a layer: those of its ancestors that no other ancestor has changed.
    pub fn versions_below(&self, layer: LayerId, layers: &Layers) -> Vec<&Version<T>> {
        self.latest_versions(layers, |version| layers.descends_from(layer, version.layer))
    }

    /// The versions that no other layer has changed. If there is exactly one, it counts.
    pub fn counting_versions(&self, layers: &Layers) -> Vec<&Version<T>> {
        self.latest_versions(layers, |_| true)
    }

    /// The versions among some that no other layer among them has changed.
    fn latest_versions(&self, layers: &Layers, among: impl Fn(&Version<T>) -> bool) -> Vec<&Version<T>> {
        let versions: Vec<&Version<T>> = self.0.iter().filter(|version| among(version)).collect();
        if versions.len() < 2 {
            return versions;
        }
        // A layer has several versions of a thing if it declares it repeatedly.
        let mut by: Vec<LayerId> = versions.iter().map(|version| version.layer).collect();
        by.dedup();
        let is_changed = |version: &Version<T>| by.iter().any(|other| layers.descends_from(*other, version.layer));
        versions.iter().copied().filter(|version| !is_changed(version)).collect()
    }
}

/// Whether any of the versions is not a removal.
pub fn any_present<T>(versions: &[&Version<T>]) -> bool {
    versions.iter().any(|version| version.what.is_some())
}
