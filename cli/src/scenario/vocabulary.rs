//! The words that scenarios of a game may use: the names in the rules, the sheets and the scenario itself.
//!
//! `check` compares the words of scenarios with it. A kind is a sort of things that the rules declare, such as a card; a scope
//! is a procedure that names a time, such as a turn. A print is the data that a sheet gives to a card.

use super::meaning::{KnownNames, is_zone};
use super::{Scenario, Start};
use ludex_engine::position::Position;
use ludex_engine::program::{Kind, KindSort, Program, TextPart};
use ludex_engine::runtime::EventKind;
use ludex_engine::runtime::keys::{KEY_WORDS, PASS};
use ludex_engine::yaml::{Node, Value};
use std::collections::BTreeSet;

/// The names for all scenarios of a game, in one of its modes.
pub struct Vocabulary<'p> {
    pub program: &'p Program,
    /// Ids of sheets and of their prints, and the words of the rules.
    things: BTreeSet<&'p str>,
    /// The names of kinds.
    kinds: BTreeSet<&'p str>,
    /// Actions, offers of abilities, and the key words of answers.
    moves: BTreeSet<&'p str>,
    pub fields: BTreeSet<&'p str>,
    pub zones: BTreeSet<&'p str>,
    pub marks: BTreeSet<&'p str>,
    pub abilities: BTreeSet<&'p str>,
    pub scopes: BTreeSet<&'p str>,
    pub events: BTreeSet<&'p str>,
    /// The words of all sentences, in lower case.
    sentences: BTreeSet<String>,
}

/// The same, with the names of one scenario.
pub struct Names<'a> {
    pub game: &'a Vocabulary<'a>,
    /// The names of pieces in its position.
    pieces: BTreeSet<String>,
    /// Number of sides.
    pub sides: usize,
    /// The ids of each side's entrants.
    pub entrants: Vec<Vec<String>>,
}

impl<'p> Vocabulary<'p> {
    pub fn from_program(program: &'p Program) -> Vocabulary<'p> {
        let prints = program.prints.prints.iter().map(|print| print.id.as_str());
        let sheets = program.sheets.keys().map(String::as_str);
        let words = program.words.iter().flat_map(|words| &words.words).map(String::as_str);
        let actions = program.actions.iter().map(|action| action.name.as_str());
        let clauses = program.clauses.iter().map(|clause| clause.name.as_str());
        let scopes = program.procedures.iter().filter(|procedure| procedure.scope).map(|scope| scope.name.as_str());
        Vocabulary {
            program,
            things: prints.chain(sheets).chain(words).collect(),
            kinds: program.kinds.iter().map(|kind| kind.name.as_str()).collect(),
            moves: actions.chain(clauses).chain(KEY_WORDS).chain([PASS]).filter(|name| !name.is_empty()).collect(),
            fields: program.kinds.iter().flat_map(|kind| &kind.fields).map(|field| field.name.as_str()).collect(),
            zones: program.kinds.iter().flat_map(|kind| &kind.zones).map(|zone| zone.name.as_str()).collect(),
            marks: program.marks.iter().map(|mark| mark.name.as_str()).collect(),
            abilities: program.abilities.iter().map(|ability| ability.id.as_str()).collect(),
            scopes: scopes.collect(),
            events: EventKind::NAMES.iter().copied().chain(program.event_names.iter().map(String::as_str)).collect(),
            sentences: sentence_words(program),
        }
    }

    /// The kind of the table or of sides.
    pub fn kind_of_sort(&self, sort: KindSort) -> Option<&'p Kind> {
        self.program.kinds.iter().find(|kind| kind.sort == sort)
    }

    /// The kind of entrants.
    pub fn entrant_kind(&self) -> Option<&'p Kind> {
        self.program.sides.entrant.map(|kind| self.program.kind(kind))
    }
}

impl<'a> Names<'a> {
    /// The names of a scenario, whose position was already read if it has one.
    pub fn for_scenario(game: &'a Vocabulary<'a>, scenario: &Scenario, position: Option<&Position>) -> Names<'a> {
        let ids = |list: &[ludex_engine::position::Spanned<String>]| list.iter().map(|id| id.value.clone()).collect();
        let mut pieces = BTreeSet::new();
        let entrants: Vec<Vec<String>> = match (&scenario.start, position) {
            (Start::Position(node), position) => {
                collect_piece_names(node, &mut pieces);
                position.iter().flat_map(|position| &position.sides).map(|side| ids(&side.entrants)).collect()
            }
            (Start::Beginning(sides), _) => sides.iter().map(|side| ids(side)).collect(),
        };
        let sides = if entrants.is_empty() { game.program.sides.least } else { entrants.len() };
        Names { game, pieces, sides, entrants }
    }

    /// Whether a word may denote a piece: by name or number, a card by its sheet, a piece made by the rules by its kind.
    pub fn has_piece(&self, word: &str) -> bool {
        self.has_thing(word) || self.game.kinds.contains(word)
    }

    /// The possible words for pieces.
    pub fn known_pieces(&self) -> Vec<&str> {
        let named = self.pieces.iter().map(String::as_str);
        named.chain(self.game.things.iter().copied()).chain(self.game.kinds.iter().copied()).collect()
    }

    /// Whether a word occurs in a sentence for players.
    pub fn occurs_in_text(&self, word: &str) -> bool {
        self.game.sentences.contains(&word.to_lowercase())
    }
}

impl KnownNames for Names<'_> {
    fn program(&self) -> &Program {
        self.game.program
    }

    fn has_thing(&self, word: &str) -> bool {
        let id = word.split_once('#').map_or(word, |(id, _)| id);
        self.pieces.contains(word) || self.game.things.contains(id) || is_zone(self.program(), word)
    }

    fn known_things(&self) -> Vec<&str> {
        self.pieces.iter().map(String::as_str).chain(self.game.things.iter().copied()).collect()
    }

    fn known_moves(&self) -> Vec<&str> {
        self.game.moves.iter().copied().collect()
    }

    fn has_move(&self, name: &str) -> bool {
        self.game.moves.contains(name)
    }
}

/// Collects the names of pieces in a position.
fn collect_piece_names(node: &Node, names: &mut BTreeSet<String>) {
    match &node.value {
        Value::Map(entries) => {
            for (key, node) in entries {
                match &node.value {
                    Value::Text(name) if key.name == "id" => drop(names.insert(name.clone())),
                    Value::Number(number) if key.name == "id" => drop(names.insert(number.to_string())),
                    _ => collect_piece_names(node, names),
                }
            }
        }
        Value::List(list) => list.iter().for_each(|node| collect_piece_names(node, names)),
        _ => {}
    }
}

/// The words of all sentences and titles of the rules. An answer in words of an option's sentence may use these.
fn sentence_words(program: &Program) -> BTreeSet<String> {
    let texts = program.texts.iter().flatten().filter_map(|part| match part {
        TextPart::Words(words) => Some(words.as_str()),
        TextPart::Hole(..) | TextPart::Written(_) | TextPart::Choice { .. } => None,
    });
    let abilities = program.abilities.iter().flat_map(|ability| [ability.title.as_str(), ability.text.as_str()]);
    let sheets = program.sheets.values().map(|sheet| sheet.name.as_str());
    let titles = program.prints.prints.iter().map(|print| program.prints.printed_text(print.name));
    let all = texts.chain(abilities).chain(sheets).chain(titles);
    let words = all.flat_map(|text| text.split(|sign: char| !sign.is_alphanumeric()));
    words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}
