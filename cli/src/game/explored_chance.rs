//! The source of chance in a rehearsal: a game that one person explores alone, with nothing hidden, to record a scenario.
//! Throws are not computed from a seed; [`Luck`] supplies the result of each draw (a rolled die, a drawn card), so that it can
//! be written down.

use ludex_bots::rng::BotRng;
use ludex_engine::runtime::{Lots, Pending, RandomDraw, RandomRequest};
use std::collections::VecDeque;

/// The part of a [`Game`](super::Game) that only rehearsals have.
pub struct Rehearsal {
    pub(super) luck: Luck,
    /// Number of entries in the beginning, which cannot be taken back.
    pub(super) begun: usize,
}

/// The source of results of chance: first the listed ones, then random ones. Without a random source people type them.
pub struct Luck {
    /// The results of the next draws, from `--rolls` or from the scenario that is continued.
    listed: VecDeque<i64>,
    /// Draws results once the list is used up; `None` if people type them.
    drawn: Option<BotRng>,
}

impl Luck {
    /// With a `seed`, results beyond the list are random; without one, people type them.
    pub fn new(listed: impl IntoIterator<Item = i64>, seed: Option<u64>) -> Luck {
        Luck { listed: listed.into_iter().collect(), drawn: seed.map(|seed| BotRng::new(seed, 0)) }
    }

    /// The results of a throw; `None` if they must be typed. If the listed results run out or one is impossible, the rest of the
    /// list is dropped.
    fn throw_results(&mut self, request: &RandomRequest) -> Option<Vec<i64>> {
        let fitting = self.listed.iter().zip(&request.draws).take_while(|(result, draw)| draw.allows_result(**result));
        let mut results: Vec<i64> = fitting.map(|(result, _)| *result).collect();
        if results.len() == request.draws.len() {
            self.listed.drain(..results.len());
            return Some(results);
        }
        self.listed.clear();
        // Results are drawn one by one, so the list may run out in the middle. People type a throw as a whole.
        let rng = self.drawn.as_mut()?;
        let missing = request.draws.iter().skip(results.len());
        results.extend(missing.map(|draw| random_result(draw, rng)));
        Some(results)
    }

    /// The results for the throw that a session waits for. `None` if it waits for something else, or if people must type them.
    pub(super) fn next_results(&mut self, pending: &Pending) -> Option<Vec<i64>> {
        match pending {
            Pending::Random(request) => self.throw_results(request),
            Pending::Decisions(_) | Pending::Finished(_) => None,
        }
    }
}

/// A random result of one draw: a value of the die's faces, or else a number from 1 to its size.
fn random_result(draw: &RandomDraw, rng: &mut BotRng) -> i64 {
    let index = rng.draw_below(draw.size.unsigned_abs().max(1));
    let face = draw.faces.as_ref().and_then(|faces| faces.values.get(index as usize)).map(|face| i64::from(*face));
    face.unwrap_or(index as i64 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_engine::runtime::RandomKind;

    fn throw(sizes: &[i64]) -> RandomRequest {
        let draws = sizes.iter().map(|&size| RandomDraw { piece: None, size, faces: None }).collect();
        RandomRequest { id: 1, kind: RandomKind::Roll, draws, reason: String::new() }
    }

    #[test]
    fn what_is_listed_comes_first_and_then_chance() {
        let mut luck = Luck::new([3, 8, 2], Some(1));
        assert_eq!(luck.throw_results(&throw(&[6, 8])), Some(vec![3, 8]));
        let mixed = luck.throw_results(&throw(&[6, 1, 1])).unwrap();
        assert_eq!(mixed, [2, 1, 1]);
        assert_eq!(luck.throw_results(&throw(&[1])), Some(vec![1]));
    }

    #[test]
    fn a_person_types_a_whole_throw() {
        let mut luck = Luck::new([3, 8], None);
        assert_eq!(luck.throw_results(&throw(&[6])), Some(vec![3]));
        assert_eq!(luck.throw_results(&throw(&[8, 6])), None);
        assert_eq!(luck.throw_results(&throw(&[8])), None, "the 8 was for another throw");
    }

    #[test]
    fn what_a_die_cannot_show_is_not_taken() {
        assert_eq!(Luck::new([7], Some(1)).throw_results(&throw(&[1])), Some(vec![1]));
    }
}
