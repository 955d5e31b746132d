//! The stage of play: the scopes that have begun and not ended, such as a round and a turn in it. A scope is a procedure of
//! the rules that names a time; events report its begin and its end.

use ludex_engine::runtime::{Event, EventKind};

/// The open scopes, the innermost last: each with its name, and with the text of the event with which it began.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stage {
    open: Vec<(String, String)>,
}

impl Stage {
    /// The stage of play after these events.
    pub fn from_events<'e>(events: impl Iterator<Item = &'e Event>) -> Stage {
        let mut stage = Stage::default();
        events.for_each(|event| stage.apply_event(event));
        stage
    }

    /// Opens or closes scopes; other events change nothing.
    pub fn apply_event(&mut self, event: &Event) {
        match &event.kind {
            EventKind::Began { scope } => self.open.push((scope.clone(), event.text.clone())),
            EventKind::Ended { scope } => {
                // Scopes within it have ended too, even if no event says so.
                if let Some(place) = self.open.iter().rposition(|(open, _)| open == scope) {
                    self.open.truncate(place);
                }
            }
            _ => {}
        }
    }

    /// `round`, `turn of Otter`: the open scopes, without the word that says that they begin.
    pub fn scope_texts(&self) -> Vec<String> {
        let begun = |text: &String| text.strip_suffix(" begins").unwrap_or(text).to_string();
        self.open.iter().map(|(_, text)| begun(text)).filter(|text| !text.is_empty()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_engine::runtime::{Audience, Cause};

    fn event(kind: EventKind, text: &str) -> Event {
        let (by, cause) = (None, Cause::default());
        Event { number: 1, name: String::new(), kind, by, cause, text: text.to_string(), audience: Audience::All }
    }

    fn began(scope: &str, text: &str) -> Event {
        event(EventKind::Began { scope: scope.to_string() }, text)
    }

    fn ended(scope: &str) -> Event {
        event(EventKind::Ended { scope: scope.to_string() }, "")
    }

    #[test]
    fn what_has_begun_and_not_ended_is_where_play_is() {
        let events = [began("round", "round begins"), began("turn", "turn of Otter begins"), ended("turn")];
        assert_eq!(Stage::from_events(events.iter()).scope_texts(), ["round"]);
        assert_eq!(Stage::from_events(events[..2].iter()).scope_texts(), ["round", "turn of Otter"]);
    }

    #[test]
    fn what_is_within_ends_with_it() {
        let events = [began("round", "round 1"), began("turn", "turn"), ended("round")];
        assert!(Stage::from_events(events.iter()).scope_texts().is_empty());
    }
}
