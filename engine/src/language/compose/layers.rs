//! Who descends from whom.

use super::Package;
use std::collections::BTreeSet;

/// A layer's place among all, in order.
pub type LayerId = usize;

/// All packages of a line, and behind them what some of them say of one mode.
#[derive(Clone, Debug, Default)]
pub struct Layers(Vec<Layer>);

#[derive(Clone, Debug)]
struct Layer {
    /// The package's place in the line.
    package: LayerId,
    id: String,
    mode: Option<String>,
    ancestors: BTreeSet<LayerId>,
}

impl Layers {
    pub fn of(packages: &[Package]) -> Layers {
        Layers::new(packages.iter().map(|package| (package.id.clone(), package.ancestors.clone())))
    }

    /// The packages of a line, each by its id, with the places of those that it descends from.
    pub fn new(packages: impl IntoIterator<Item = (String, BTreeSet<LayerId>)>) -> Layers {
        let layer = |(package, (id, ancestors))| Layer { package, id, mode: None, ancestors };
        Layers(packages.into_iter().enumerate().map(layer).collect())
    }

    /// With what some packages say of a mode. Such a block lies above its own package, and above the blocks of those that
    /// the package extends.
    pub fn with_mode(&self, mode: &str, packages: &[LayerId]) -> Layers {
        let mut layers = self.clone();
        let first = layers.0.len();
        for &package in packages {
            let mut ancestors = self.0[package].ancestors.clone();
            let blocks = packages.iter().enumerate().filter(|(_, other)| ancestors.contains(other));
            let blocks: Vec<LayerId> = blocks.map(|(place, _)| first + place).collect();
            ancestors.insert(package);
            ancestors.extend(blocks);
            layers.0.push(Layer { package, id: self.0[package].id.clone(), mode: Some(mode.to_string()), ancestors });
        }
        layers
    }

    /// Whether there are blocks of a mode among them.
    pub fn has_blocks(&self) -> bool {
        self.0.iter().any(|layer| layer.mode.is_some())
    }

    pub fn descends(&self, layer: LayerId, from: LayerId) -> bool {
        self.0[layer].ancestors.contains(&from)
    }

    /// Whether there is nothing below that a layer could change.
    pub fn is_first(&self, layer: LayerId) -> bool {
        self.0[layer].ancestors.is_empty()
    }

    pub fn package(&self, layer: LayerId) -> LayerId {
        self.0[layer].package
    }

    /// The mode of a block.
    pub fn mode(&self, layer: LayerId) -> Option<&str> {
        self.0[layer].mode.as_deref()
    }

    /// `` `pond` ``, ``the mode `short` of `pond` ``
    pub fn words(&self, layer: LayerId) -> String {
        let Layer { id, mode, .. } = &self.0[layer];
        match mode {
            Some(mode) => format!("the mode `{mode}` of `{id}`"),
            None => format!("`{id}`"),
        }
    }

    /// The id of the first package that knows the packages of all these layers: the one that brings them together.
    pub fn heir(&self, layers: &[LayerId]) -> &str {
        let knows = |heir: LayerId, package: LayerId| heir == package || self.descends(heir, package);
        let packages = (0..self.0.len()).filter(|layer| self.0[*layer].mode.is_none());
        let mut heirs = packages.filter(|heir| layers.iter().all(|layer| knows(*heir, self.package(*layer))));
        heirs.next().map_or("", |heir| &self.0[heir].id)
    }
}
