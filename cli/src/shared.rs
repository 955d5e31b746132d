//! Work shared among threads. Each piece is done by a free thread, and the results are in the order of the pieces.

use std::num::NonZero;
use std::sync::{Mutex, PoisonError};

/// Runs `work` on each piece, on all cores, and returns the results in the order of the pieces. The thread that works on a
/// piece also drops it. Every thread has the stack size of the main one, since rules nest calls equally deep on each.
pub fn map_parallel<P: Send, T: Send>(pieces: impl IntoIterator<Item = P>, work: impl Fn(P) -> T + Sync) -> Vec<T> {
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
        // All threads are started before this one starts to work.
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
        assert_eq!(map_parallel(0..100, |piece| piece * 2), (0..100).map(|piece| piece * 2).collect::<Vec<_>>());
        assert_eq!(map_parallel(0..0, |piece: usize| piece), Vec::<usize>::new());
    }

    #[test]
    fn pieces_are_given_away() {
        let words = ["a", "b"].map(str::to_string);
        assert_eq!(map_parallel(words, |word| word), ["a", "b"]);
    }
}
