//! Where results of chance come from, and what is asked for from outside.

use ludex_program::Faces;

/// Where results of chance come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dice {
    /// A generator started from the seed.
    Seeded,
    /// These results, in order; a missing one ends play with a fault.
    Listed(Vec<i64>),
    /// Asked for, unless only one result is possible: [`crate::runtime::Pending::Random`].
    External,
    /// Asked for, even if only one result is possible. The odds stop at such throws, and older recordings list their results.
    ExternalAll,
}

impl Dice {
    /// Whether results are asked for.
    pub fn are_external(&self) -> bool {
        matches!(self, Dice::External | Dice::ExternalAll)
    }
}

/// Results of chance that are wanted from outside, thrown together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomRequest {
    /// Its number, which no other throw of the match has. Numbers rise, with gaps.
    pub id: u64,
    /// What the results are for.
    pub kind: RandomKind,
    /// One for each result that is wanted, in order.
    pub draws: Vec<RandomDraw>,
    /// Why, for people; it may be empty.
    pub reason: String,
}

/// What results of chance are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RandomKind {
    /// Dice are rolled.
    Roll,
    /// A zone is shuffled, and each result says which of the pieces not dealt yet lies on top, from 1. There is one result less than
    /// there are pieces, or as many as are looked at.
    Shuffle,
    /// Some of several things are drawn. Each result says which of those not drawn yet, from 1.
    Pick,
}

/// One result: a number from 1 to `size`, or one of the faces of a die that has its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomDraw {
    /// The piece rolled, if it is one.
    pub piece: Option<usize>,
    /// The highest result; of a die with faces of its own how many it has.
    pub size: i64,
    /// The faces of a die that has its own.
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
