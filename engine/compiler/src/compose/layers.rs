//! Who descends from whom.

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
    ancestors: Ancestors,
}

/// The layers that one descends from, a bit for each.
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

    fn join(&mut self, other: &Ancestors) {
        self.0.resize(self.0.len().max(other.0.len()), 0);
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own |= other);
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }
}

impl Layers {
    /// The packages of a line, each by its id, with the places of those that it extends, which stand before it.
    pub fn new(packages: impl IntoIterator<Item = (String, Vec<LayerId>)>) -> Layers {
        let mut layers: Vec<Layer> = Vec::new();
        for (package, (id, parents)) in packages.into_iter().enumerate() {
            let mut ancestors = Ancestors::default();
            for parent in parents {
                ancestors.insert(parent);
                layers.get(parent).into_iter().for_each(|parent| ancestors.join(&parent.ancestors));
            }
            layers.push(Layer { package, id, mode: None, ancestors });
        }
        Layers(layers)
    }

    /// With what some packages say of a mode. Such a block lies above its own package, and above the blocks of those that
    /// the package extends.
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

    /// Whether there are blocks of a mode among them.
    pub fn has_blocks(&self) -> bool {
        self.0.iter().any(|layer| layer.mode.is_some())
    }

    pub fn descends(&self, layer: LayerId, from: LayerId) -> bool {
        self.0[layer].ancestors.contains(from)
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
