//! Where results of chance come from, and what is asked for from outside.

use crate::program::Faces;

/// Where results of chance come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dice {
    /// A generator started from the seed.
    Seeded,
    /// These results, in order; a missing one ends play with a fault.
    Listed(Vec<i64>),
    /// Asked for: [`crate::runtime::Pending::Random`].
    External,
}

/// Results of chance that are wanted from outside, thrown together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomRequest {
    pub id: u64,
    pub kind: RandomKind,
    pub draws: Vec<RandomDraw>,
    pub reason: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RandomKind {
    Roll,
    Shuffle,
    Pick,
}

/// One result: a number from 1 to `size`, or one of the faces of a die that has its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomDraw {
    /// The piece rolled, if it is one.
    pub piece: Option<usize>,
    pub size: i64,
    pub faces: Option<Faces>,
}

impl RandomDraw {
    /// Whether this can come of it.
    pub fn allows(&self, result: i64) -> bool {
        match &self.faces {
            Some(faces) => faces.values.iter().any(|face| i64::from(*face) == result),
            None => (1..=self.size).contains(&result),
        }
    }

    /// What is rolled: `d8`, `d%`.
    pub fn name(&self) -> String {
        self.faces.as_ref().map_or_else(|| format!("d{}", self.size), |faces| faces.title.clone())
    }
}
