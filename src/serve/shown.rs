//! What a table shows to each of its viewers now, ready to be sent.

use std::sync::Arc;

/// For each seat, and for those who only look on, what they see.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    /// The seats in their order, and those without a seat last.
    viewers: Vec<Sight>,
    /// The seats whose consent somebody waits for.
    pub consenting: Vec<usize>,
}

/// What one viewer sees.
#[derive(Clone, Debug)]
pub struct Sight {
    /// Counts the changes of what this viewer sees: others cannot be counted by it.
    pub number: u64,
    pub html: Arc<str>,
}

impl Default for Sight {
    fn default() -> Sight {
        Sight { number: 0, html: "".into() }
    }
}

impl Shown {
    /// Shows something else, to those for whom it differs.
    pub fn next(&self, pages: Vec<String>, consenting: Vec<usize>) -> Shown {
        let sight = |(place, html): (usize, String)| match self.viewers.get(place) {
            Some(old) if *old.html == *html => old.clone(),
            old => Sight { number: old.map_or(0, |old| old.number) + 1, html: html.into() },
        };
        Shown { viewers: pages.into_iter().enumerate().map(sight).collect(), consenting }
    }

    /// What a seat sees; without one, what those see who look on.
    pub fn to(&self, seat: Option<usize>) -> Option<&Sight> {
        match seat {
            Some(seat) if seat + 1 < self.viewers.len() => self.viewers.get(seat),
            Some(_) => None,
            None => self.viewers.last(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages(texts: [&str; 3]) -> Vec<String> {
        texts.map(str::to_string).to_vec()
    }

    #[test]
    fn only_what_differs_is_new() {
        let first = Shown::default().next(pages(["a", "b", "c"]), Vec::new());
        let second = first.next(pages(["a", "x", "c"]), Vec::new());
        let numbers = |shown: &Shown| [Some(0), Some(1), None].map(|seat| shown.to(seat).map(|sight| sight.number));
        assert_eq!(numbers(&first), [Some(1); 3]);
        assert_eq!(numbers(&second), [Some(1), Some(2), Some(1)]);
        assert!(second.to(Some(2)).is_none());
    }
}
