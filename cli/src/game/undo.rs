//! Take-backs and their limits. Chance is drawn again after a take-back, so a person alone with bots could roll until the dice
//! suit them: such take-backs are limited. People who play each other agree on every such take-back, and need no limit. A
//! take-back across no chance and no knowledge of others is free; its `seed` is `None`.

use ludex_engine::recording::TakeBack;
use std::str::FromStr;

/// The answer to a seat that wants to take back its last decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undo {
    /// The seat has not decided anything yet.
    Nothing,
    /// No consent is needed.
    Free(TakeBack),
    /// The people at these seats must agree.
    WithConsent(TakeBack, Vec<usize>),
    /// The limit is reached.
    UsedUp,
}

/// Maximum number of decisions that a seat may take back in a match across chance, or across the knowledge of others. `None` is
/// unlimited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UndoLimit(Option<usize>);

/// The message for [`Undo::UsedUp`].
pub const USED_UP: &str = "this would undo a roll or another player's answer, and this match allows no more of that";

/// The word of the command line for no limit.
const UNLIMITED: &str = "unlimited";

impl UndoLimit {
    /// No limit.
    pub const NONE: UndoLimit = UndoLimit(None);

    /// The number left after `undone` take-backs; `None` if unlimited.
    pub fn remaining_after(self, undone: usize) -> Option<usize> {
        self.0.map(|most| most.saturating_sub(undone))
    }
}

impl Default for UndoLimit {
    fn default() -> UndoLimit {
        UndoLimit(Some(3))
    }
}

impl FromStr for UndoLimit {
    type Err = String;

    fn from_str(text: &str) -> Result<UndoLimit, String> {
        match text {
            UNLIMITED => Ok(UndoLimit::NONE),
            number => number
                .parse::<u32>()
                .map(|number| UndoLimit(Some(number as usize)))
                .map_err(|_| format!("give a number, 0 for none, or `{UNLIMITED}`")),
        }
    }
}

/// Counts, for each of `seats` seats, the take-backs that affected chance or others.
pub fn count_take_backs(take_backs: impl Iterator<Item = TakeBack>, seats: usize) -> Vec<usize> {
    let mut undone = vec![0; seats];
    for undo in take_backs.filter(|undo| undo.seed.is_some()) {
        undone.get_mut(undo.seat).into_iter().for_each(|count| *count += 1);
    }
    undone
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_numbers_or_none() {
        assert_eq!("3".parse(), Ok(UndoLimit::default()));
        assert_eq!("unlimited".parse(), Ok(UndoLimit(None)));
        for wrong in ["", "-1", "many", "99999999999"] {
            assert_eq!(wrong.parse::<UndoLimit>(), Err("give a number, 0 for none, or `unlimited`".to_string()));
        }
        assert_eq!([0, 2, 5].map(|undone| UndoLimit::default().remaining_after(undone)), [Some(3), Some(1), Some(0)]);
    }

    #[test]
    fn what_is_only_ones_own_business_is_not_counted() {
        let undo = |seat, seed| TakeBack { seat, to: 1, seed, redeals: false };
        let take_backs =
            [undo(0, Some(7.into())), undo(0, None), undo(2, Some(8.into())), undo(0, Some(9.into())), undo(9, Some(1.into()))];
        assert_eq!(count_take_backs(take_backs.into_iter(), 3), [2, 0, 1]);
    }
}
