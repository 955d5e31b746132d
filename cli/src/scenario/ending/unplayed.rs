//! Names in `then` and `check` that the game does not have.
//!
//! `check` reports them without playing. [`Names`] has the names of the game and of the sides of a scenario. A kind declares
//! the fields and zones of sides, of entrants or of the table.

use super::pieces::ExpectedPiece;
use super::{Ending, ExpectedContent, ExpectedEntrant, ExpectedOutcome, ExpectedPlace};
use crate::scenario::vocabulary::Names;
use ludex_engine::codes;
use ludex_engine::position::Spanned;
use ludex_engine::problem::{Problem, closest_match, join_words};
use ludex_engine::program::{FieldInfo, Kind, KindSort, Shape, ZoneInfo};
use ludex_engine::source::Span;

impl Ending {
    /// Unknown names and impossible values.
    pub fn unknown_name_problems(&self, names: &Names) -> Vec<Problem> {
        let mut reader = ExpectationChecker { names, problems: Vec::new() };
        for (side, place) in self.sides.iter().enumerate() {
            reader.check_side(side, place);
        }
        let table: Vec<&Kind> = names.game.kind_of_sort(KindSort::Table).into_iter().collect();
        reader.check_place(&self.table, &table);
        if let Some(outcome) = &self.outcome {
            reader.check_outcome(outcome);
        }
        reader.problems
    }
}

/// Goes through the expectations, and collects problems.
struct ExpectationChecker<'a> {
    names: &'a Names<'a>,
    problems: Vec<Problem>,
}

impl ExpectationChecker<'_> {
    fn check_side(&mut self, side: usize, place: &ExpectedPlace) {
        let game = self.names.game;
        if let Some(span) = first_span(place).filter(|_| side >= self.names.sides) {
            let problem =
                Problem::error(codes::POSITION_SIDES, format!("there is no side {side}")).with_label(span, "not in this match");
            let count = if self.names.sides == 1 { "1 side".to_string() } else { format!("{} sides", self.names.sides) };
            return self.problems.push(problem.help(format!("{count} play here; `-` alone is a side without expectations")));
        }
        // The fields of a side's only entrant may be written at the side.
        let alone = self.names.entrants.get(side).is_none_or(|entrants| entrants.len() <= 1);
        let kinds: Vec<&Kind> =
            game.kind_of_sort(KindSort::Side).into_iter().chain(game.entrant_kind().filter(|_| alone)).collect();
        self.check_place(place, &kinds);
        for bearer in &place.entrants {
            self.check_entrant(side, bearer);
        }
    }

    fn check_entrant(&mut self, side: usize, bearer: &ExpectedEntrant) {
        let brought = self.names.entrants.get(side).map_or(&[][..], Vec::as_slice);
        if !brought.contains(&bearer.id.value) {
            let message = format!("side {side} does not bring `{}`", bearer.id.value);
            let known = brought.iter().map(String::as_str).collect();
            return self.report_unknown(codes::UNKNOWN_ENTRANT, message, &bearer.id, known);
        }
        let Some(kind) = self.names.game.entrant_kind() else { return };
        for (name, wanted) in &bearer.values {
            self.check_value(name, wanted, &[kind], &["marks", "zones", "used"]);
        }
        self.check_marks(bearer.marks.as_ref());
        for (name, wanted) in &bearer.zones {
            self.check_zone(name, wanted, &[kind]);
        }
        self.check_uses(&bearer.used);
    }

    /// Checks the expectations of a side or the table. `kinds` declare the fields and zones that it may have.
    fn check_place(&mut self, place: &ExpectedPlace, kinds: &[&Kind]) {
        for (name, wanted) in &place.counters {
            self.check_value(name, wanted, kinds, &[]);
        }
        let is_list = |name: &str| {
            let fields = kinds.iter().flat_map(|kind| &kind.fields);
            fields.into_iter().any(|field| field.name == name && matches!(field.shape, Shape::List(_)))
        };
        for (name, wanted) in place.lists.iter().filter(|(name, _)| is_list(&name.value)) {
            self.check_value(name, wanted, kinds, &[]);
        }
        for (name, wanted) in place.zones.iter().filter(|(name, _)| !is_list(&name.value)) {
            self.check_zone(name, wanted, kinds);
        }
        self.check_marks(place.marks.as_ref());
        self.check_uses(&place.used);
    }

    // --- values --------------------------------------------------------------------

    /// Checks a counter or field of one of some kinds. `also` are other keys that may be meant.
    fn check_value(&mut self, name: &Spanned<String>, wanted: &Spanned<String>, kinds: &[&Kind], also: &[&str]) {
        let fields: Vec<&FieldInfo> = kinds.iter().flat_map(|kind| &kind.fields).collect();
        match fields.iter().find(|field| field.name == name.value) {
            Some(field) => self.check_shape(field, &field.shape, wanted),
            None => {
                let known = fields.iter().map(|field| field.name.as_str()).chain(also.iter().copied()).collect();
                self.report_unknown(codes::UNKNOWN_COUNTER, format!("there is no counter `{}`", name.value), name, known);
            }
        }
    }

    /// Reports a value that is impossible for a field of this shape.
    fn check_shape(&mut self, field: &FieldInfo, shape: &Shape, wanted: &Spanned<String>) {
        let words = wanted.value.as_str();
        let must = |code, what: &str| {
            Problem::error(code, format!("`{}` is never `{words}`", field.name))
                .with_label(wanted.span, format!("must be {what}"))
        };
        match shape {
            Shape::OrNone(_) if words == "none" => {}
            Shape::OrNone(inner) => self.check_shape(field, inner, wanted),
            Shape::List(inner) => match words.strip_prefix('[').and_then(|words| words.strip_suffix(']')) {
                Some(members) => {
                    for member in members.split(", ").filter(|member| !member.is_empty()) {
                        self.check_shape(field, inner, &Spanned { value: member.to_string(), span: wanted.span });
                    }
                }
                None => self.problems.push(must(codes::YAML_TYPE, "a list such as `[…]`")),
            },
            Shape::Number if words.parse::<i64>().is_err() => self.problems.push(must(codes::YAML_TYPE, "a whole number")),
            Shape::Halves if words.parse::<f64>().is_err() => self.problems.push(must(codes::YAML_TYPE, "a number or a half")),
            Shape::Entity(of) if self.names.game.program.kind(*of).sort == KindSort::Entrant => {
                if !self.is_entrant(words) {
                    let known = self.names.entrants.iter().flatten().map(String::as_str);
                    let problem = Problem::error(codes::UNKNOWN_ENTRANT, format!("`{words}` does not play here"));
                    self.problems.push(problem.with_label(wanted.span, "not among those who play").suggest(words, known));
                }
            }
            Shape::Flag if !["yes", "no", "true", "false"].contains(&words) => {
                self.problems.push(must(codes::YAML_TYPE, "`true` or `false`"));
            }
            Shape::Word(of) => {
                let Some(list) = self.names.game.program.words.get(usize::from(*of)) else { return };
                let known: Vec<&str> = list.words.iter().map(String::as_str).collect();
                if !known.iter().any(|word| *word == words || word.replace('_', " ") == words) {
                    let quoted: Vec<String> = known.iter().map(|word| format!("`{word}`")).collect();
                    self.problems.push(must(codes::YAML_WORD, &join_words(&quoted, "or")).suggest(words, known));
                }
            }
            _ => {}
        }
    }

    /// Whether a player's entrant has this key or name.
    fn is_entrant(&self, words: &str) -> bool {
        let id = words.split('#').next().unwrap_or(words).trim_end();
        let sheets = &self.names.game.program.sheets;
        let is_called = |entrant: &String| entrant == id || sheets.get(entrant).is_some_and(|sheet| sheet.name == id);
        self.names.entrants.iter().flatten().any(is_called)
    }

    fn check_marks(&mut self, marks: Option<&Spanned<Vec<String>>>) {
        let Some(Spanned { value, span }) = marks else { return };
        for mark in value.iter().filter(|mark| !self.names.game.marks.contains(mark.as_str())).collect::<Vec<_>>() {
            let (known, name) = (self.names.game.marks.iter().copied().collect(), Spanned { value: mark.clone(), span: *span });
            self.report_unknown(codes::UNKNOWN_MARK, format!("there is no mark `{mark}`"), &name, known);
        }
    }

    fn check_uses(&mut self, used: &[(Spanned<String>, Spanned<i64>)]) {
        for (ability, _) in used {
            let id = ability.value.split_once('#').map_or(ability.value.as_str(), |(id, _)| id);
            if !self.names.game.abilities.contains(id) {
                let known = self.names.game.abilities.iter().copied().collect();
                self.report_unknown(codes::UNKNOWN_ABILITY, format!("there is no ability `{id}`"), ability, known);
            }
        }
    }

    // --- zones ---------------------------------------------------------------------

    fn check_zone(&mut self, name: &Spanned<String>, wanted: &Spanned<ExpectedContent>, kinds: &[&Kind]) {
        let zones: Vec<&ZoneInfo> = kinds.iter().flat_map(|kind| &kind.zones).collect();
        let Some(zone) = zones.iter().find(|zone| zone.name == name.value) else {
            let known = zones.iter().map(|zone| zone.name.as_str()).collect();
            return self.report_unknown(codes::POSITION_ZONE, format!("there is no zone `{}`", name.value), name, known);
        };
        if let ExpectedContent::Pieces(pieces) = &wanted.value {
            let kind = self.names.game.program.kind(zone.holds);
            pieces.iter().for_each(|piece| self.check_piece(piece, kind, wanted.span));
        }
    }

    /// Checks a piece of a zone, which holds pieces of this kind.
    fn check_piece(&mut self, piece: &ExpectedPiece, kind: &Kind, zone: Span) {
        let span = piece.place.unwrap_or(zone);
        for name in piece.name.iter().chain(&piece.card).chain(&piece.die) {
            if name.parse::<i64>().is_err() && !self.names.has_piece(name) {
                let name = Spanned { value: name.clone(), span };
                let known = self.names.known_pieces();
                self.report_unknown(codes::POSITION_PIECE, format!("nothing is called `{}`", name.value), &name, known);
            }
        }
        self.check_marks(piece.marks.clone().map(|value| Spanned { value, span }).as_ref());
        let known: Vec<&str> = kind.fields.iter().map(|field| field.name.as_str()).collect();
        for (name, words) in &piece.fields {
            if let Some(field) = kind.fields.iter().find(|field| field.name == *name) {
                self.check_shape(field, &field.shape, &Spanned { value: words.clone(), span });
                continue;
            }
            let name = Spanned { value: name.clone(), span };
            let known = known.iter().copied().chain(kind.zones.iter().map(|zone| zone.name.as_str())).collect();
            let message = format!("{} have no counter `{}`", kind.plural, name.value);
            self.report_unknown(codes::UNKNOWN_COUNTER, message, &name, known);
        }
        for (name, pieces) in &piece.under {
            let (name, content) = (Spanned { value: name.clone(), span }, ExpectedContent::Pieces(pieces.clone()));
            self.check_zone(&name, &Spanned { value: content, span }, &[kind]);
        }
    }

    fn check_outcome(&mut self, outcome: &Spanned<ExpectedOutcome>) {
        let ExpectedOutcome::Winners(sides) = &outcome.value else { return };
        let is_known = |side: &i64| usize::try_from(*side).is_ok_and(|side| side < self.names.sides);
        if let Some(side) = sides.iter().find(|side| !is_known(side)) {
            let problem = Problem::error(codes::POSITION_SIDES, format!("there is no side {side}"));
            self.problems.push(problem.with_label(outcome.span, "it cannot win"));
        }
    }

    /// `known` are the possible names, from which the nearest is suggested.
    fn report_unknown(&mut self, code: &'static str, message: String, name: &Spanned<String>, known: Vec<&str>) {
        let problem = Problem::error(code, message).with_label(name.span, "not known");
        let listed = || known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>();
        self.problems.push(match closest_match(&name.value, known.iter().copied()) {
            Some(near) => problem.suggest_near(near),
            None if known.is_empty() => problem.help("there are none"),
            None if known.len() > MOST_LISTED => problem,
            None => problem.help(format!("there are {}", join_words(&listed(), "and"))),
        });
    }
}

/// Maximum number of names listed in a message.
const MOST_LISTED: usize = 12;

/// The place of the first expectation for a side, if any.
fn first_span(place: &ExpectedPlace) -> Option<Span> {
    let counters = place.counters.iter().map(|(name, _)| name.span);
    let zones = place.zones.iter().map(|(name, _)| name.span);
    let used = place.used.iter().map(|(name, _)| name.span);
    let entrants = place.entrants.iter().map(|bearer| bearer.id.span);
    counters.chain(zones).chain(used).chain(entrants).chain(place.marks.iter().map(|marks| marks.span)).min()
}
