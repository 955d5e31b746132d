//! Explains why a card can or cannot be played now.
//!
//! The player names a card; *copies* are the cards of one sheet that they may mean. `question::why_card` finds the rules.

use crate::runtime::decision::{Argument, DecisionId};
use crate::runtime::flow::PlayContext;
use crate::runtime::question::Questions;
use crate::runtime::question::why_card::{MOST_TOLD, Obstacle};
use crate::runtime::session::Session;
use ludex_program::Value;

/// Maximum number of options that are searched for a card.
const MOST_OPTIONS: u64 = 2_000;

impl Session {
    /// The reasons why cards with a name cannot be chosen now, in lines for people; `None` if their seat sees no such card. Uses
    /// the nearest place whose cards are relevant to the question.
    pub fn why_card(&self, decision: DecisionId, called: &str) -> Option<Vec<String>> {
        let (place, found) = self.find_decision(decision)?;
        let context = &self.game.play_context();
        let mut machine = self.ready_machine_for(place);
        let places = machine.cards_by_name(context, found.seat, called);
        let name =
            |machine: &Questions, cards: &[Vec<Value>], copies: &[Value]| machine.card_name(context, copies, cards.len() > 1);
        for cards in &places {
            let told = cards.iter().take(MOST_TOLD).flat_map(|copies| {
                let name = name(&machine, cards, copies);
                self.why_now((decision, place), &mut machine, copies, &name)
            });
            let told: Vec<String> = told.collect();
            if !told.is_empty() {
                return Some(told);
            }
        }
        let cards = places.first()?;
        let told = cards.iter().take(MOST_TOLD).flat_map(|copies| {
            let name = name(&machine, cards, copies);
            let moments = machine.find_moments(context, found.seat, copies);
            match moments.is_empty() {
                true => vec![format!("{name} is not relevant to the current question")],
                false => moments.into_iter().map(|moment| format!("{name}: not now; {moment}")).collect(),
            }
        });
        Some(told.collect())
    }

    /// The relation of copies of a card to the question: the options with them, or the obstacles. `place` is the index of the
    /// decision's question.
    fn why_now(
        &self,
        (decision, place): (DecisionId, usize),
        machine: &mut Questions,
        copies: &[Value],
        name: &str,
    ) -> Vec<String> {
        let context = &self.game.play_context();
        let offered = self.options_with(decision, context, copies);
        if !offered.is_empty() {
            return offered.into_iter().map(|text| format!("{name} can be chosen now: {text}")).collect();
        }
        let told = |obstacle: Obstacle| match obstacle.action {
            Some(action) => format!("{name}, {action}: {}", obstacle.words),
            None => format!("{name}: {}", obstacle.words),
        };
        machine.find_obstacles(context, place, copies).into_iter().map(told).collect()
    }

    /// The sentences of options that contain one of these cards, or that one of them gives.
    fn options_with(&self, decision: DecisionId, context: &PlayContext, copies: &[Value]) -> Vec<String> {
        let is_copy = |piece: &usize| copies.contains(&self.machine.piece_of_number(context, *piece));
        let options = self.options(decision, 0, MOST_OPTIONS).into_iter();
        let about = |args: &[(String, Argument)]| args.iter().any(|(_, argument)| argument.piece_numbers().iter().any(is_copy));
        let of_copies: Vec<&str> = context
            .roster
            .instances
            .iter()
            .filter(|found| copies.contains(&Value::from(found.holder)))
            .filter_map(|found| Some(context.program.abilities.get(usize::from(found.ability))?.id.as_str()))
            .collect();
        let gives = |ability: &Option<String>| ability.as_ref().is_some_and(|id| of_copies.contains(&id.as_str()));
        let mut told: Vec<String> =
            options.filter(|option| about(&option.args) || gives(&option.ability)).map(|option| option.text).collect();
        told.dedup();
        told.truncate(MOST_TOLD);
        told
    }
}
