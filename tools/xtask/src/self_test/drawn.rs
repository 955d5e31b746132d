//! A random sample of the changes of a class.

use super::classes::Class;
use super::mistake::{Mistake, slip};
use crate::self_test::corpus::Corpus;
use ludex_bots::rng::BotRng;
use ludex_engine::runtime::Lots;
use ludex_engine::source::SourceId;
use std::collections::BTreeSet;

/// Maximum number of slips drawn per place.
const MOST_ROUNDS: usize = 8;

/// Draws at most `most` different changes of a class in the texts that `own` selects. The same seed gives the same sample.
/// `number` is the index of the class, so that each class has random numbers of its own.
pub fn draw_mistakes(
    corpus: &Corpus,
    class: &Class,
    number: usize,
    own: &dyn Fn(SourceId) -> bool,
    most: usize,
    seed: u64,
) -> Vec<Mistake> {
    let mut places = (class.changes)(corpus);
    places.retain(|place| own(place.source));
    let mut rng = BotRng::new(seed, number as u64);
    let order = rng.draw_order(places.len() as u64);
    let mut drawn = BTreeSet::new();
    let mut changes = Vec::new();
    // If there are few places, words get several slips.
    for _ in 0..MOST_ROUNDS {
        for place in &order {
            let Some(place) = places.get(*place as usize).filter(|_| changes.len() < most) else { continue };
            let change = if place.is_slip() { slipped(place, corpus, &mut rng) } else { Some(place.clone()) };
            let changes_nothing = |change: &Mistake| {
                let text = corpus.texts.iter().find(|text| text.source == change.source);
                text.and_then(|text| text.text.get(change.start..change.end)) == Some(change.with.as_str())
            };
            if let Some(change) = change.filter(|change| !changes_nothing(change))
                && drawn.insert(change.clone())
            {
                changes.push(change);
            }
        }
    }
    changes
}

/// Some of the mistakes of a class, in all texts of a library.
#[cfg(test)]
pub fn mistakes(library: &ludex_engine::library::Library, class: &str, most: usize) -> Vec<Mistake> {
    let found = super::classes::CLASSES.iter().enumerate().find(|(_, known)| known.name == class);
    found.map_or(Vec::new(), |(number, class)| draw_mistakes(&Corpus::new(library), class, number, &|_| true, most, 1))
}

/// A place with a slip that is drawn now. None if the word allows none.
fn slipped(place: &Mistake, corpus: &Corpus, rng: &mut BotRng) -> Option<Mistake> {
    let with = slip(place.right.as_deref()?, &corpus.known, rng)?;
    Some(place.written(with))
}
