//! Usage counts: moves chosen, cards played, abilities used and whether they helped, and events that the rules report. The
//! option `--usage` of `sim` shows them. They are counted from the events and the counters of a session, once it is over.

use ludex_engine::program::{KindId, KindSort, Program, TextPart};
use ludex_engine::runtime::keys::Key;
use ludex_engine::runtime::{Event, EventKind, Outcome, Session};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The events that rules report in fixed words: named events, and sentences without holes.
#[derive(Clone, Debug, Default)]
pub struct EventNames {
    names: BTreeSet<String>,
    /// Each sentence as written in the rules, and in quotes.
    sentences: BTreeMap<String, String>,
    /// Some pieces are printed on sheets, so moves may name cards.
    has_cards: bool,
}

impl EventNames {
    /// The events that a program names or says in fixed words.
    pub fn from_program(program: &Program) -> EventNames {
        let sentence = |parts: &Vec<TextPart>| match parts.as_slice() {
            [TextPart::Words(words)] => Some((words.clone(), format!("\"{words}\""))),
            _ => None,
        };
        let is_card = |kind: usize| program.is_printed(kind as KindId) && program.kinds[kind].sort == KindSort::Piece;
        EventNames {
            names: program.event_names.iter().cloned().collect(),
            sentences: program.texts.iter().filter_map(sentence).collect(),
            has_cards: (0..program.kinds.len()).any(is_card),
        }
    }

    /// The name under which an event is counted, if it is.
    fn event_name(&self, event: &Event) -> Option<&str> {
        match event.kind {
            EventKind::Said if !event.text.is_empty() => self.sentences.get(&event.text).map(String::as_str),
            _ => self.names.get(&event.name).map(String::as_str),
        }
    }
}

/// The usage counts of some games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Number of moves of each action, by its name in the keys of moves.
    pub actions: BTreeMap<String, u64>,
    pub abilities: BTreeMap<String, AbilityUsage>,
    /// Cards by the ids of their sheets.
    pub cards: BTreeMap<String, CardUsage>,
    /// Reported events, by name or by a sentence in quotes.
    pub events: BTreeMap<String, EventUsage>,
}

/// The counts of an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventUsage {
    pub times: u64,
    /// Number of games in which it happened.
    pub games: u64,
}

/// The counts of a card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardUsage {
    /// Number of moves that named it.
    pub moves: u64,
    /// Number of times its abilities were used, changed a value or barred a move.
    pub effects: u64,
}

/// The counts of an ability.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AbilityUsage {
    pub uses: u64,
    /// Number of times it was used, changed a value or barred a move.
    pub effects: u64,
    /// Number of sides that used it, over all games.
    pub users: u64,
    /// Number of those sides that won alone.
    pub winners: u64,
}

impl Usage {
    /// Empty counts for everything in a game.
    pub fn empty_for(program: &Program) -> Usage {
        Usage {
            abilities: program.abilities.iter().map(|ability| (ability.id.clone(), AbilityUsage::default())).collect(),
            cards: program.prints.ids.keys().map(|card| (card.clone(), CardUsage::default())).collect(),
            ..Usage::default()
        }
    }

    /// Counts the usage in one game. `told` has the events that are counted by name.
    pub fn add_game(&mut self, told: &EventNames, session: &Session, events: &[Event], outcome: &Outcome) {
        self.count_events(told, events, outcome, |key| session.sheet_by_key(key));
        let program = session.program();
        for (ability, card, times) in session.ability_effects().filter(|(.., times)| *times > 0) {
            if let Some(usage) = card.and_then(|card| self.cards.get_mut(card)) {
                usage.effects += times;
            }
            if let Some(usage) = self.abilities.get_mut(&program.abilities[usize::from(ability)].id) {
                usage.effects += times;
            }
        }
    }

    /// Counts what shows in events. `card` finds the sheet of a card by its key.
    fn count_events<'s>(
        &mut self,
        told: &EventNames,
        events: &[Event],
        outcome: &Outcome,
        card: impl Fn(&str) -> Option<&'s str>,
    ) {
        let mut users = BTreeSet::new();
        let mut happened = BTreeSet::new();
        for event in events {
            if let Some(name) = told.event_name(event) {
                let is_first = happened.insert(name);
                count_under_name(&mut self.events, name, |happened| {
                    happened.times += 1;
                    happened.games += u64::from(is_first);
                });
            }
            match &event.kind {
                EventKind::Chose { key, .. } => {
                    let Some(key) = Key::parse_key(key) else { continue };
                    count_under_name(&mut self.actions, key.name, |times| *times += 1);
                    // A `choose` without a move does not play the card.
                    if told.has_cards && key.name != "choose" {
                        for card in key.all_things().filter_map(&card) {
                            count_under_name(&mut self.cards, card, |usage: &mut CardUsage| usage.moves += 1);
                        }
                    }
                }
                EventKind::Used { ability, .. } => {
                    count_under_name(&mut self.abilities, ability, |usage: &mut AbilityUsage| usage.uses += 1);
                    users.insert((ability, event.by));
                }
                _ => {}
            }
        }
        for (ability, by) in users {
            let has_won = by.is_some_and(|side| outcome.winners == [side]);
            count_under_name(&mut self.abilities, ability, |usage: &mut AbilityUsage| {
                usage.users += 1;
                usage.winners += u64::from(has_won);
            });
        }
    }

    /// Adds the counts of other games.
    pub fn add_usage(&mut self, other: Usage) {
        for (action, times) in other.actions {
            *self.actions.entry(action).or_default() += times;
        }
        for (event, more) in other.events {
            let count = self.events.entry(event).or_default();
            count.times += more.times;
            count.games += more.games;
        }
        for (card, more) in other.cards {
            let usage = self.cards.entry(card).or_default();
            usage.moves += more.moves;
            usage.effects += more.effects;
        }
        for (ability, more) in other.abilities {
            let usage = self.abilities.entry(ability).or_default();
            usage.uses += more.uses;
            usage.effects += more.effects;
            usage.users += more.users;
            usage.winners += more.winners;
        }
    }
}

/// Counts something under a name. Most names are known already, and then the key is not copied.
fn count_under_name<C: Default>(counts: &mut BTreeMap<String, C>, name: &str, how: impl FnOnce(&mut C)) {
    match counts.get_mut(name) {
        Some(count) => how(count),
        None => how(counts.entry(name.to_string()).or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_engine::runtime::{Audience, Cause, OutcomeResult};

    fn event(by: usize, kind: EventKind) -> Event {
        Event {
            number: 1,
            name: String::new(),
            kind,
            by: Some(by),
            cause: Cause::default(),
            text: String::new(),
            audience: Audience::All,
        }
    }

    #[test]
    fn moves_and_uses_are_counted_with_who_won() {
        let used = |by| event(by, EventKind::Used { ability: "leap".to_string(), piece: None });
        let chose = |key: &str| event(0, EventKind::Chose { key: key.to_string(), decision: 1 });
        let outcome = Outcome { result: OutcomeResult::Win, winners: vec![1], scores: Vec::new(), payoffs: None, text: None };
        let mut usage = Usage::default();
        let said = |text: &str| Event { text: text.to_string(), ..event(0, EventKind::Said) };
        let sentences = BTreeMap::from([("it rains".to_string(), "\"it rains\"".to_string())]);
        let told = EventNames { names: BTreeSet::new(), sentences, has_cards: true };
        let events = [chose("hop(1)"), chose("hop(2>3)"), chose("pass"), used(0), used(1), used(1)];
        let called = |key: &str| (key == "1").then_some("frog");
        usage.count_events(&told, &events, &outcome, called);
        usage.count_events(&told, &[said("it rains"), said("it rains"), said("8 drops")], &outcome, called);
        let mut twice = usage.clone();
        twice.add_usage(usage);
        assert_eq!(twice.actions, BTreeMap::from([("hop".to_string(), 4), ("pass".to_string(), 2)]));
        assert_eq!(twice.events, BTreeMap::from([("\"it rains\"".to_string(), EventUsage { times: 4, games: 2 })]));
        assert_eq!(twice.abilities["leap"], AbilityUsage { uses: 6, effects: 0, users: 4, winners: 2 });
        assert_eq!(twice.cards, BTreeMap::from([("frog".to_string(), CardUsage { moves: 2, effects: 0 })]));
    }
}
