//! Work shared among threads: each piece is done by whoever is free, and the results stand in the order of the pieces.

use std::num::NonZero;
use std::sync::{Mutex, PoisonError};

/// Does something with each of some pieces. Whatever a piece holds is dropped by the thread that was at it. Every thread has as
/// much room as the first one, since rules call each other as deep in all.
pub fn shared<P: Send, T: Send>(pieces: impl IntoIterator<Item = P>, work: impl Fn(P) -> T + Sync) -> Vec<T> {
    let pieces: Vec<P> = pieces.into_iter().collect();
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get).min(pieces.len().max(1));
    let left = Mutex::new(pieces.into_iter().enumerate());
    let done: Mutex<Vec<(usize, T)>> = Mutex::new(Vec::new());
    let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
    let go = || {
        while let Some((place, piece)) = next() {
            let result = work(piece);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((place, result));
        }
    };
    std::thread::scope(|scope| {
        let started =
            (1..threads).filter(|_| std::thread::Builder::new().stack_size(crate::STACK).spawn_scoped(scope, go).is_ok());
        // All are started before this thread goes to work.
        let _ = started.count();
        go();
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_stand_in_order() {
        assert_eq!(shared(0..100, |piece| piece * 2), (0..100).map(|piece| piece * 2).collect::<Vec<_>>());
        assert_eq!(shared(0..0, |piece: usize| piece), Vec::<usize>::new());
    }

    #[test]
    fn pieces_are_given_away() {
        let words = ["a", "b"].map(str::to_string);
        assert_eq!(shared(words, |word| word), ["a", "b"]);
    }
}
