//! The layers of a line and their ancestors. A layer is a package, or the block that a package has for a mode; its ancestors are
//! the packages it extends, directly or not, and their blocks.

/// The index of a layer among all, in order.
pub type LayerId = usize;

/// All packages of a line, followed by the blocks that some of them have for one mode.
#[derive(Clone, Debug, Default)]
pub struct Layers(Vec<Layer>);

#[derive(Clone, Debug)]
struct Layer {
    /// The package's index in the line.
    package: LayerId,
    id: String,
    mode: Option<String>,
    ancestors: Ancestors,
}

/// A bitset of the layers that a layer descends from.
#[derive(Clone, Debug, Default)]
struct Ancestors(Vec<u64>);

impl Ancestors {
    fn insert(&mut self, layer: LayerId) {
        let word = layer / 64;
        self.0.resize(self.0.len().max(word + 1), 0);
        self.0[word] |= 1 << (layer % 64);
    }

    fn contains(&self, layer: LayerId) -> bool {
        self.0.get(layer / 64).is_some_and(|word| word & 1 << (layer % 64) != 0)
    }

    /// Adds all ancestors of another layer.
    fn add_ancestors(&mut self, other: &Ancestors) {
        self.0.resize(self.0.len().max(other.0.len()), 0);
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own |= other);
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }
}

impl Layers {
    /// The layers of a line. Each package has an id and the indices of those it extends, which come before it.
    pub fn new(packages: impl IntoIterator<Item = (String, Vec<LayerId>)>) -> Layers {
        let mut layers: Vec<Layer> = Vec::new();
        for (package, (id, parents)) in packages.into_iter().enumerate() {
            let mut ancestors = Ancestors::default();
            for parent in parents {
                ancestors.insert(parent);
                layers.get(parent).into_iter().for_each(|parent| ancestors.add_ancestors(&parent.ancestors));
            }
            layers.push(Layer { package, id, mode: None, ancestors });
        }
        Layers(layers)
    }

    /// Adds the blocks that these packages have for a mode. A block is above its own package, and above the blocks of the
    /// packages that it extends.
    pub fn with_mode(&self, mode: &str, packages: &[LayerId]) -> Layers {
        let mut layers = self.clone();
        let first = layers.0.len();
        for &package in packages {
            let mut ancestors = self.0[package].ancestors.clone();
            let blocks = packages.iter().enumerate().filter(|(_, other)| ancestors.contains(**other));
            let blocks: Vec<LayerId> = blocks.map(|(place, _)| first + place).collect();
            ancestors.insert(package);
            blocks.into_iter().for_each(|block| ancestors.insert(block));
            layers.0.push(Layer { package, id: self.0[package].id.clone(), mode: Some(mode.to_string()), ancestors });
        }
        layers
    }

    /// Whether any layer is a block of a mode.
    pub fn has_blocks(&self) -> bool {
        self.0.iter().any(|layer| layer.mode.is_some())
    }

    /// Whether a layer has another one among its ancestors.
    pub fn descends_from(&self, layer: LayerId, from: LayerId) -> bool {
        self.0[layer].ancestors.contains(from)
    }

    /// Whether a layer has no ancestors and so nothing to change.
    pub fn is_first(&self, layer: LayerId) -> bool {
        self.0[layer].ancestors.is_empty()
    }

    /// The package of a layer, by its index in the line.
    pub fn layer_package(&self, layer: LayerId) -> LayerId {
        self.0[layer].package
    }

    /// The mode of a block; none for a package.
    pub fn layer_mode(&self, layer: LayerId) -> Option<&str> {
        self.0[layer].mode.as_deref()
    }

    /// The name of a layer for messages: `` `pond` `` or ``the mode `short` of `pond` ``.
    pub fn layer_text(&self, layer: LayerId) -> String {
        let Layer { id, mode, .. } = &self.0[layer];
        match mode {
            Some(mode) => format!("the mode `{mode}` of `{id}`"),
            None => format!("`{id}`"),
        }
    }

    /// The id of the first package that descends from the packages of all these layers, and so can settle their clash.
    pub fn common_heir(&self, layers: &[LayerId]) -> &str {
        let knows = |heir: LayerId, package: LayerId| heir == package || self.descends_from(heir, package);
        let packages = (0..self.0.len()).filter(|layer| self.0[*layer].mode.is_none());
        let mut heirs = packages.filter(|heir| layers.iter().all(|layer| knows(*heir, self.layer_package(*layer))));
        heirs.next().map_or("", |heir| &self.0[heir].id)
    }
}
