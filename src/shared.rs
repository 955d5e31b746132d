//! Work shared among threads: each piece is done by whoever is free, and the results stand in the order of the pieces.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Does a piece of work for each number below `count`. Every thread has as much room as the first one, since rules call each
/// other as deep in all.
pub fn shared<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get).min(count.max(1));
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, T)>> = Mutex::new(Vec::new());
    let go = || {
        loop {
            let piece = next.fetch_add(1, Ordering::Relaxed);
            if piece >= count {
                return;
            }
            let result = work(piece);
            done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((piece, result));
        }
    };
    std::thread::scope(|scope| {
        let started =
            (1..threads).filter(|_| std::thread::Builder::new().stack_size(crate::STACK).spawn_scoped(scope, go).is_ok());
        // All are started before this thread goes to work.
        let _ = started.count();
        go();
    });
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_by_key(|(piece, _)| *piece);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Does two sorts of work among the same threads: every piece of the first is begun before any of the second.
pub fn shared_in_turn<A: Send, B: Send>(
    (firsts, first): (usize, impl Fn(usize) -> A + Sync),
    (seconds, second): (usize, impl Fn(usize) -> B + Sync),
) -> (Vec<A>, Vec<B>) {
    let done = shared(firsts + seconds, |piece| match piece.checked_sub(firsts) {
        None => (Some(first(piece)), None),
        Some(piece) => (None, Some(second(piece))),
    });
    let (firsts, seconds): (Vec<Option<A>>, Vec<Option<B>>) = done.into_iter().unzip();
    (firsts.into_iter().flatten().collect(), seconds.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_sorts_of_work_give_two_lists() {
        let (numbers, words) = shared_in_turn((3, |piece| piece * 2), (2, |piece| format!("word {piece}")));
        assert_eq!((numbers, words), (vec![0, 2, 4], vec!["word 0".to_string(), "word 1".to_string()]));
    }

    #[test]
    fn results_stand_in_order() {
        assert_eq!(shared(100, |piece| piece * 2), (0..100).map(|piece| piece * 2).collect::<Vec<_>>());
        assert_eq!(shared(0, |piece| piece), Vec::<usize>::new());
    }
}
