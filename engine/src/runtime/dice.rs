//! The source of chance results, and requests for results from outside.
//!
//! A *throw* here is any use of chance by the rules: a roll, a shuffle or a draw. With [`Dice::External`] play waits at a
//! [`RandomRequest`], and [`crate::runtime::Session::supply`] continues it.

use ludex_program::Faces;

/// The source of chance results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dice {
    /// A generator started from the seed.
    Seeded,
    /// These results, in order; a missing one ends play with a fault.
    Listed(Vec<i64>),
    /// Requested from outside, unless only one result is possible: [`crate::runtime::Pending::Random`].
    External,
    /// Requested from outside, even if only one result is possible. The odds stop at such throws, and older recordings list their
    /// results.
    ExternalAll,
}

impl Dice {
    /// Whether results are requested from outside.
    pub fn are_external(&self) -> bool {
        matches!(self, Dice::External | Dice::ExternalAll)
    }
}

/// A request for results of one throw from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomRequest {
    /// Its number, unique in the match. Numbers rise, with gaps.
    pub id: u64,
    /// The purpose of the results.
    pub kind: RandomKind,
    /// One entry for each wanted result, in order.
    pub draws: Vec<RandomDraw>,
    /// The reason, for people; may be empty.
    pub reason: String,
}

/// The purpose of chance results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RandomKind {
    /// A roll of dice.
    Roll,
    /// A shuffle of a zone. Each result picks the next piece from the top among those not dealt yet, counted from 1. The number
    /// of results is one less than the number of pieces, or the number of pieces looked at.
    Shuffle,
    /// A draw from several things. Each result picks one of those not drawn yet, counted from 1.
    Pick,
}

/// One result: a number from 1 to `size`, or a face of a die with its own faces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomDraw {
    /// The piece rolled, if it is one.
    pub piece: Option<usize>,
    /// The highest result; for a die with its own faces, the number of faces.
    pub size: i64,
    /// The faces of a die that has its own.
    pub faces: Option<Faces>,
}

impl RandomDraw {
    /// Whether a result is possible.
    pub fn allows_result(&self, result: i64) -> bool {
        match &self.faces {
            Some(faces) => faces.values.iter().any(|face| i64::from(*face) == result),
            None => (1..=self.size).contains(&result),
        }
    }

    /// The name of the die: `d8`, `d%`.
    pub fn die_text(&self) -> String {
        self.faces.as_ref().map_or_else(|| format!("d{}", self.size), |faces| faces.title.clone())
    }
}
