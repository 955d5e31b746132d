//! Sessions that record the way back to the same place: see [`crate::runtime::trace`].
//!
//! A piece has an *own* number, by the order in which things were made, and a *public* one, which a shuffle may exchange. Keys
//! have public numbers.

use super::Session;
use crate::runtime::keys::{KEY_WORDS, Key, change_word, split_things};
use crate::runtime::trace::EntryRecord;
use crate::runtime::{Argument, DecisionId, Form};
use ludex_program::{Shape, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

impl Session {
    /// Every result of chance since play began; empty without a record.
    pub fn chance_results(&self) -> &[i64] {
        self.machine.trace.as_ref().map_or(&[], |trace| &trace.results)
    }

    /// The entries of the rules that have begun since play began; empty without a record.
    pub fn entry_records(&self) -> &[Arc<EntryRecord>] {
        self.machine.trace.as_ref().map_or(&[], |trace| &trace.entered)
    }

    /// The key of an answer with each piece's own number in place of its public number.
    pub(crate) fn key_with_own_numbers(&self, decision: DecisionId, key: &str) -> String {
        match self.machine.state.board.numbers.are_own() {
            true => key.to_string(),
            false => self.map_piece_words(decision, key, |word| self.own_key(word)),
        }
    }

    /// The own numbers of the pieces in a key. For sessions in which pieces keep their numbers.
    pub fn pieces_in(&self, decision: DecisionId, key: &str) -> BTreeSet<usize> {
        let mut pieces = BTreeSet::new();
        self.map_piece_words(decision, key, |word| {
            pieces.extend(self.game.roster.number_by_key(word));
            word.to_string()
        });
        pieces
    }

    /// A key in which some pieces, given by their own numbers, have names. For sessions in which pieces keep their numbers.
    pub fn key_with_names(&self, decision: DecisionId, key: &str, names: &BTreeMap<usize, String>) -> String {
        let name = |word: &str| self.game.roster.number_by_key(word).and_then(|number| names.get(&number)).cloned();
        self.map_piece_words(decision, key, |word| name(word).unwrap_or_else(|| word.to_string()))
    }

    /// A key to a decision with the word for each piece changed. Other words stay.
    fn map_piece_words(&self, decision: DecisionId, key: &str, mut change: impl FnMut(&str) -> String) -> String {
        let Some(read) = Key::parse_key(key).filter(|read| read.arguments.is_some()) else { return key.to_string() };
        let of_things = KEY_WORDS.contains(&read.name) && self.asks_of_pieces(decision);
        let action = self.program().actions.iter().find(|action| action.name == read.name);
        let is_piece = |role: usize| {
            let item = action.and_then(|action| action.roles.get(role)).map(|role| &role.item);
            of_things || item.is_some_and(|item| self.is_piece(item))
        };
        let mut roles = Vec::new();
        for (role, words) in read.role_fillings().enumerate() {
            roles.push(match is_piece(role) {
                true => split_things(words).map(|thing| change_word(thing, &mut change)).collect::<Vec<_>>().join("+"),
                false => words.to_string(),
            });
        }
        format!("{}({})", read.option, roles.join(">"))
    }

    /// Whether values of a shape are pieces.
    fn is_piece(&self, shape: &Shape) -> bool {
        match shape {
            Shape::OrNone(inner) => self.is_piece(inner),
            shape => self.program().is_piece(shape),
        }
    }

    /// Whether the things that a decision chooses among are pieces.
    fn asks_of_pieces(&self, decision: DecisionId) -> bool {
        let open = self.find_decision(decision).is_some_and(|(_, open)| !matches!(open.form, Form::Number { .. }));
        let is_piece = |(_, argument): &(String, Argument)| matches!(argument, Argument::Piece(_));
        open && self.option(decision, 0).is_some_and(|option| option.args.iter().any(is_piece))
    }

    /// The key that the piece with this key would have under its own number.
    fn own_key(&self, word: &str) -> String {
        let roster = &self.game.roster;
        let Some(number) = roster.number_by_key(word) else { return word.to_string() };
        let first = usize::from(roster.first_piece);
        let piece = self.machine.state.board.numbers.piece_by_number((first + number) as Value) as usize;
        piece.checked_sub(first).map_or_else(|| word.to_string(), |own| roster.key_of_number(own))
    }
}
