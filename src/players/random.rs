//! The bot for which every answer is equally likely.

use super::Player;
use super::stream::Stream;
use ludex_engine::runtime::{Choice, Decision, Form, Session};

#[derive(Clone, Debug)]
pub struct Random {
    stream: Stream,
}

impl Random {
    pub fn new(stream: Stream) -> Random {
        Random { stream }
    }

    /// Any legal answer; nothing but the number of options matters.
    #[inline]
    pub fn choose(&mut self, decision: &Decision) -> Choice {
        match decision.form {
            Form::One => Choice::Option(self.stream.below(decision.count)),
            Form::Some { min, max } => Choice::Options(subset(&mut self.stream, decision.count, min, max, decision.may_pass)),
            // Choosing none is as likely as any number; one more than the last stands for it.
            Form::Number { min, max } => match self.stream.between(min, max.saturating_add(i64::from(decision.may_pass))) {
                beyond if beyond > max => Choice::Options(Vec::new()),
                number => Choice::Number(number),
            },
        }
    }
}

impl Player for Random {
    #[inline]
    fn answer(&mut self, _session: &Session, decision: &Decision) -> Choice {
        self.choose(decision)
    }
}

/// A set of `least` to `most` of the numbers below `count`, or the empty one, each set equally likely.
fn subset(stream: &mut Stream, count: u64, least: u64, most: u64, or_none: bool) -> Vec<u64> {
    let most = most.min(count);
    let sizes = weights(count, least, most);
    let all = sizes.iter().sum::<f64>();
    // The weights are numbers of sets as multiples of how many there are of the least size.
    let none = if or_none { 1.0 / choose(count, least) } else { 0.0 };
    let mut draw = stream.fraction() * (all + none);
    if draw >= all {
        return Vec::new();
    }
    let mut size = least;
    for weight in sizes {
        if draw < weight || size == most {
            break;
        }
        draw -= weight;
        size += 1;
    }
    stream.sample(count, size)
}

/// How many sets of a size there are, as near as a fraction can tell.
fn choose(count: u64, size: u64) -> f64 {
    (0..size).fold(1.0, |sets: f64, taken| (sets * (count - taken) as f64 / (taken + 1) as f64).min(1e200))
}

/// How many sets there are of each size from `least` to `most`, against those of size `least`.
fn weights(count: u64, least: u64, most: u64) -> Vec<f64> {
    let mut weight = 1.0f64;
    let mut weights = vec![weight];
    for size in least..most {
        // Held back from infinity, which only sets over hundreds of things can reach.
        weight = (weight * (count - size) as f64 / (size + 1) as f64).min(1e200);
        weights.push(weight);
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn there_are_as_many_sets_as_counting_says() {
        assert_eq!(weights(4, 0, 4), [1.0, 4.0, 6.0, 4.0, 1.0]);
        assert_eq!(weights(4, 1, 2), [1.0, 1.5]);
        assert_eq!(weights(5, 2, 2), [1.0]);
    }

    #[test]
    fn every_legal_set_is_equally_likely() {
        let mut stream = Stream::new(11, 0);
        let mut seen = BTreeMap::new();
        for _ in 0..14_000 {
            *seen.entry(subset(&mut stream, 4, 1, 3, false)).or_insert(0u32) += 1;
        }
        assert_eq!(seen.len(), 4 + 6 + 4);
        assert!(seen.values().all(|&times| (880..1120).contains(&times)), "{seen:?}");
    }

    #[test]
    fn choosing_nothing_is_as_likely_as_any_set() {
        let mut stream = Stream::new(5, 0);
        let mut seen = BTreeMap::new();
        for _ in 0..7_000 {
            *seen.entry(subset(&mut stream, 4, 2, 2, true)).or_insert(0u32) += 1;
        }
        assert_eq!(seen.len(), 6 + 1);
        assert!(seen.values().all(|&times| (880..1120).contains(&times)), "{seen:?}");
    }

    #[test]
    fn a_set_over_many_things_is_still_legal() {
        let size = subset(&mut Stream::new(2, 0), 5_000, 1, 5_000, false).len();
        assert!((1..=5_000).contains(&size));
    }
}
