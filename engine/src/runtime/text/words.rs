//! Sentences: the words of events, options and prompts, and the names of things in them.
//!
//! A *hole* is an expression in a text of the rules, and `base` that of the slots it reads. *Describing* a thing includes its
//! owner if that must be shown, *naming* does not. A thing that the audience may not know gets no name.

use crate::runtime::context::Context;
use crate::runtime::eval::meter::shorten_text;
use crate::runtime::event::{Audience, Outcome, OutcomeResult, numbered_name};
use crate::runtime::limits::MOST_TEXT;
use crate::runtime::state::NOWHERE;
use crate::runtime::text::names::NOTHING;
use crate::runtime::text::{Speaker, Wording};
use ludex_compiler::field::halves_text;
use ludex_program::{KindSort, NONE, PIECE_OWNER, PIECE_SHEET, Shape, SheetId, TextId, TextPart, TitlePart, Value};
use ludex_syntax::problem::{count_alike, join_words, with_article};

/// Maximum number of different entrants in the name of a side; beyond it, only the first is named.
const MOST_NAMED: usize = 3;

impl Wording {
    /// Evaluates the holes of a text that can fail, as a part of play, so that they fail even if the text is never shown. Play
    /// must not depend on who is watching.
    #[inline]
    pub fn check_text(&mut self, context: &Context, base: usize, text: TextId) {
        if context.program.is_checked(text) {
            self.check_holes(context, base, text);
        }
    }

    /// The same for a text with such holes.
    #[inline(never)]
    fn check_holes(&mut self, context: &Context, base: usize, text: TextId) {
        let sound = self.fault.is_none();
        for part in context.program.checks.get(&text).into_iter().flatten() {
            let lists = self.state.lists.len();
            match part {
                TextPart::Words(_) => {}
                TextPart::Hole(expr, _) | TextPart::Written(expr) => {
                    self.evaluate(context, base, expr);
                }
                TextPart::Choice { condition, yes, no } => {
                    let holds = self.evaluate(context, base, condition) != 0;
                    self.check_text(context, base, if holds { *yes } else { *no });
                }
            }
            self.state.lists.truncate(lists);
        }
        if let Some(fault) = self.fault.as_mut().filter(|fault| sound && fault.labels.is_empty())
            && let Some(span) = context.program.text_spans.get(&text)
        {
            fault.labels.push((*span, "in this text".to_string()));
        }
    }

    /// Makes a text without counting its work. A text that is too long, exceeds a limit or fails is cut; [`Wording::check_text`]
    /// reports faults in texts of play.
    fn make_text(&mut self, make: impl FnOnce(&mut Wording) -> String) -> String {
        let before = self.meter.begin_text();
        let sound = self.fault.is_none();
        let text = make(self);
        self.meter.end_text(before);
        if sound {
            self.fault = None;
        }
        shorten_text(&text)
    }

    /// A text of the rules with its holes filled.
    pub fn render(&mut self, context: &Context, base: usize, text: TextId) -> String {
        self.make_text(|wording| wording.render_parts(context, base, text))
    }

    /// A text up to its maximum length.
    fn render_parts(&mut self, context: &Context, base: usize, text: TextId) -> String {
        let mut told = String::new();
        for part in context.program.text_parts(text) {
            let words = self.render_part(context, base, part);
            if self.fault.is_some() {
                told.push('…');
                break;
            }
            told.push_str(&words);
            // Characters may take several bytes.
            if told.len() > 4 * MOST_TEXT {
                break;
            }
        }
        told
    }

    /// A part of a text in words.
    fn render_part(&mut self, context: &Context, base: usize, part: &TextPart) -> String {
        let lists = self.state.lists.len();
        let words = match part {
            TextPart::Words(words) => shorten_text(words),
            TextPart::Hole(expr, shape) => {
                let value = self.evaluate(context, base, expr);
                self.describe_value(context, value, shape)
            }
            TextPart::Written(expr) => {
                let list = self.evaluate(context, base, expr);
                // Excess text is cut.
                let length = self.state.list_values(list).len();
                let is_told = self.spend_on(length);
                if is_told { shorten_text(&text_from_codes(self.state.list_values(list))) } else { String::new() }
            }
            TextPart::Choice { condition, yes, no } => {
                let holds = self.evaluate(context, base, condition) != 0;
                self.render_parts(context, base, if holds { *yes } else { *no })
            }
        };
        self.state.lists.truncate(lists);
        words
    }

    /// Like [`Wording::render`], for an audience: pieces that may be unknown to one of them are not named.
    pub fn render_to(&mut self, context: &Context, base: usize, text: TextId, audience: Audience) -> String {
        self.with_audience(audience, |machine| machine.render(context, base, text))
    }

    /// A value as a person reads it.
    pub fn describe_value(&self, context: &Context, value: Value, shape: &Shape) -> String {
        match shape {
            Shape::OrNone(_) | Shape::Entity(_) | Shape::Zone(_) | Shape::Sheet(_) | Shape::Text if value == NONE => {
                NOTHING.to_string()
            }
            Shape::OrNone(inner) => self.describe_value(context, value, inner),
            Shape::Number | Shape::Nothing => value.to_string(),
            Shape::Text => context.program.prints.printed_text(value).to_string(),
            Shape::Sheet(sheet) => self.name_print(context, *sheet, value),
            Shape::Halves => halves_text(value),
            Shape::Flag => if value == 0 { "no" } else { "yes" }.to_string(),
            Shape::Word(words) => {
                let list = context.program.words.get(*words as usize).map_or(&[][..], |words| words.words.as_slice());
                list.get(value as usize).map(|word| word.replace('_', " ")).unwrap_or_default()
            }
            Shape::Entity(_) => self.describe_piece(context, value),
            Shape::Zone(_) => self.describe_zone(context, value as u16),
            Shape::List(inner) => {
                let members = self.describe_values(context, self.state.list_values(value), inner);
                if members.is_empty() { "nothing".to_string() } else { join_words(&members, "and") }
            }
            Shape::Move(_) => match self.state.lists.get(value as usize) {
                Some(action) => context.program.actions[*action as usize].name.replace('_', " "),
                None => "no move".to_string(),
            },
        }
    }

    /// Several values of a shape; cards of one name are counted.
    pub fn describe_values(&self, context: &Context, values: &[Value], shape: &Shape) -> Vec<String> {
        match shape {
            Shape::Entity(kind) if context.program.is_printed(*kind) => self.describe_pieces(context, values),
            _ => values.iter().map(|value| self.describe_value(context, *value, shape)).collect(),
        }
    }

    /// Pieces by name; cards of one name are counted.
    pub fn describe_pieces(&self, context: &Context, pieces: &[Value]) -> Vec<String> {
        let printed = pieces.iter().all(|piece| self.print_of_piece(context, *piece).is_some());
        let (nameless, named): (Vec<Value>, Vec<Value>) =
            pieces.iter().partition(|piece| printed && self.is_nameless(context, **piece));
        let names: Vec<String> = named.iter().map(|piece| self.describe_piece(context, *piece)).collect();
        let mut words = if printed { count_alike(names.iter().map(String::as_str)) } else { names };
        if let Some(kind) = nameless.first().and_then(|piece| self.state.board.entities.get(*piece as usize)) {
            let kind = context.program.kind(kind.kind);
            words.push(match nameless.len() {
                1 => with_article(&kind.name),
                count => format!("{count} {}", kind.plural),
            });
        }
        words
    }

    /// Whether a piece must not be named, because it may be unknown to one of the audience.
    fn is_nameless(&self, context: &Context, piece: Value) -> bool {
        let hearing = self.hearing.as_ref().filter(|_| context.program.hides && self.is_piece(context, piece));
        hearing.is_some_and(|hearing| !self.asked_about.contains(&piece) && !self.is_known_to(context, piece, hearing))
    }

    /// The name of a thing: a side by its entrants, a die by size and value. Includes the owner if that must be shown.
    pub fn describe_piece(&self, context: &Context, entity: Value) -> String {
        let name = self.name_thing(context, entity);
        match self.owner_to_say(context, entity) {
            Some(side) => format!("{name} of {}", self.side_name(context, side as Value)),
            None => name,
        }
    }

    /// The name of a thing, without its owner.
    pub fn name_thing(&self, context: &Context, entity: Value) -> String {
        let Some(found) = self.state.board.entities.get(entity as usize) else { return "nothing".to_string() };
        let kind = context.program.kind(found.kind);
        if self.is_nameless(context, entity) {
            return with_article(&kind.name);
        }
        match kind.sort {
            KindSort::Side => self.side_name(context, entity),
            KindSort::Table => "the table".to_string(),
            KindSort::Entrant => self.entrant_name(context, entity),
            KindSort::Piece if context.program.is_die(found.kind) => {
                let view = self.piece_view(context, entity);
                match view.value {
                    Some(value) => format!("{}:{value}", view.display_name()),
                    None => view.display_name(),
                }
            }
            KindSort::Piece if context.program.is_printed(found.kind) => {
                let print = self.state.board.field(entity, PIECE_SHEET).unwrap_or(NONE);
                let name = context.program.prints.print_name(print);
                numbered_name(name.to_string(), self.number_to_show(context, entity).as_deref())
            }
            KindSort::Piece => match self.title_of(context, entity) {
                Some(title) => title,
                None => format!("{} {}", kind.name, self.number_of_piece(context, entity)),
            },
        }
    }

    /// The name of a print; the name of its sheet kind if it has none.
    fn name_print(&self, context: &Context, sheet: SheetId, print: Value) -> String {
        match context.program.prints.print_name(print) {
            "" => {
                context.program.prints.sheets.get(usize::from(sheet)).map_or(String::new(), |sheet| sheet.name.replace('_', " "))
            }
            name => name.to_string(),
        }
    }

    /// The owner of a piece that is on the table or with another side, if that must be shown: in a zone with pieces of several
    /// owners, and everywhere in a game that lays out the pieces of several sides on one table. In other games the owner is
    /// obvious, such as for dice that a side can only have taken from another.
    pub fn owner_to_say(&self, context: &Context, piece: Value) -> Option<usize> {
        let place = self.state.board.entities.get(piece as usize).map(|piece| piece.place).filter(|place| *place != NOWHERE)?;
        if !self.is_piece(context, piece) {
            return None;
        }
        let owner = self.owner_side(context, piece)?;
        if self.zone_name(context, place).side == Some(owner) || self.is_shown_as_owner(context, piece) {
            return None;
        }
        let among_others = self.is_open(context, place) && self.has_others(context, place, owner);
        let shared = || {
            let mut open = (0..self.state.board.zones.len() as u16).filter(|zone| self.is_open(context, *zone));
            context.program.shared && open.any(|zone| self.has_others(context, zone, owner))
        };
        (among_others || shared()).then_some(owner)
    }

    /// Whether the title of a piece names its owner.
    fn is_shown_as_owner(&self, context: &Context, piece: Value) -> bool {
        let kind = self.state.board.entity(piece).map(|entity| context.program.kind(entity.kind));
        kind.is_some_and(|kind| kind.title.contains(&TitlePart::Field(PIECE_OWNER)))
    }

    /// Whether a zone contains a piece of another owner.
    fn has_others(&self, context: &Context, zone: u16, owner: usize) -> bool {
        let mut pieces = self.state.board.unordered_pieces(Value::from(zone)).iter();
        pieces.any(|piece| self.owner_side(context, Value::from(*piece)).is_some_and(|other| other != owner))
    }

    /// The players' name for a zone, with its owner.
    pub fn describe_zone(&self, context: &Context, zone: u16) -> String {
        let name = self.zone_name(context, zone);
        let words = &name.words;
        if let Some(piece) = self.bearer_of(context, zone) {
            return format!("{words} of {}", self.name_thing(context, Value::from(piece)));
        }
        match (name.bearer, name.side) {
            (Some(entrant), _) => format!("{words} of {entrant}"),
            (None, Some(side)) => format!("{words} of {}", self.side_name(context, side as Value)),
            (None, None) => name.words,
        }
    }

    /// `Otter's `, or an empty text for things without an owner.
    pub fn owner_words(&self, context: &Context, entity: Value) -> String {
        match self.owner_side(context, entity) {
            Some(_) => format!("{} ", possessive_name(&self.actor_name(context, entity))),
            None => String::new(),
        }
    }

    /// The name of an entrant, with its number if it is not the first of its sheet. If every side brings only one, it has the
    /// name of its side.
    pub fn entrant_name(&self, context: &Context, entity: Value) -> String {
        let Some(id) = context.roster.sheet_of(entity as u16) else { return "somebody".to_string() };
        let alone = context.roster.entrants.iter().all(|entrants| entrants.len() == 1);
        if let Some(side) = self.owner_side(context, entity).filter(|_| alone) {
            return self.side_name(context, side as Value);
        }
        let name = context.program.sheets.get(id).map_or(id, |sheet| &sheet.name);
        match context.roster.place_among_alike(entity as u16) {
            Some(place) if place > 1 => format!("{name} ({place})"),
            _ => name.to_string(),
        }
    }

    /// The name of an entrant, or of the side that anything else belongs to.
    pub fn actor_name(&self, context: &Context, actor: Value) -> String {
        let is_entrant = self.entrant_key(context, actor).is_some();
        match self.owner_side(context, actor) {
            Some(side) if !is_entrant => self.side_name(context, side as Value),
            _ => self.name_thing(context, actor),
        }
    }

    /// The key of an entrant; `None` for anything else.
    pub fn entrant_key(&self, context: &Context, entity: Value) -> Option<String> {
        context.roster.entrant_key(u16::try_from(entity).ok()?).map(str::to_string)
    }

    /// The name of a side, formed from its entrants, or from the first if there are many. Its number is added if two sides have
    /// the same name.
    pub fn side_name(&self, context: &Context, side: Value) -> String {
        if let Some(referee) = context.program.referee.as_ref().filter(|_| side as usize == context.roster.sides) {
            return referee.clone();
        }
        let named = |names: &[String]| names.get(usize::try_from(side).ok()?).filter(|name| !name.is_empty()).cloned();
        if let Some(name) = named(&context.roster.names).or_else(|| named(&context.program.sides.names)) {
            return name;
        }
        let own = self.entrants_name(context, side as usize);
        if own.is_empty() {
            return format!("side {side}");
        }
        let doubled = (0..context.roster.sides).any(|other| other != side as usize && self.entrants_name(context, other) == own);
        if doubled { format!("{own} ({})", side + 1) } else { own }
    }

    /// `Otter`, `Otter and 2 × Heron`, `Otter and 4 others`.
    fn entrants_name<'r>(&self, context: &'r Context<'r>, side: usize) -> String {
        let ids = context.roster.sheets.get(side).map_or(&[][..], Vec::as_slice);
        let name = |id: &'r String| context.program.sheets.get(id).map_or(id.as_str(), |sheet| sheet.name.as_str());
        let mut words = count_alike(ids.iter().map(name));
        if words.len() > MOST_NAMED {
            let first = ids.first().map(name);
            let others = ids.iter().filter(|id| Some(name(id)) != first).count();
            words.truncate(1);
            words.push(format!("{others} others"));
        }
        join_words(&words, "and")
    }

    /// Whether the names of sides need a plural verb, as `Romeo and Juliet` does.
    pub fn are_several(&self, context: &Context, sides: &[usize]) -> bool {
        let [side] = sides else { return true };
        let entrants = context.roster.entrants.get(*side).map_or(0, Vec::len);
        entrants > 1 || self.side_name(context, *side as Value).contains(" and ")
    }

    /// The outcome of a match as a sentence without a full stop.
    pub fn describe_outcome(&self, context: &Context, outcome: &Outcome) -> String {
        let names: Vec<String> = outcome.winners.iter().map(|side| self.side_name(context, *side as Value)).collect();
        let win = if self.are_several(context, &outcome.winners) { "win" } else { "wins" };
        let fact = match outcome.result {
            OutcomeResult::Win => format!("{} {win}", join_words(&names, "and")),
            OutcomeResult::Tie => format!("{} share the win", join_words(&names, "and")),
            OutcomeResult::Abandoned if names.is_empty() => "the match was given up".to_string(),
            OutcomeResult::Abandoned => format!("{} {win}, as the other side gives up", join_words(&names, "and")),
            OutcomeResult::Nobody | OutcomeResult::Capped => "there is no winner".to_string(),
        };
        let fact = match &outcome.text {
            Some(text) => format!("{fact}: {text}"),
            None => fact,
        };
        let Some(payoffs) = &outcome.payoffs else { return fact };
        let payoffs = payoffs.iter().enumerate();
        let each: Vec<String> =
            payoffs.map(|(side, payoff)| format!("{payoff} for {}", self.side_name(context, side as Value))).collect();
        let is = if each.len() == 1 { "payoff is" } else { "payoffs are" };
        format!("{fact}; the {is} {}", join_words(&each, "and"))
    }
}

/// `Otter's`.
pub fn possessive_name(name: &str) -> String {
    let ending = if name.ends_with('s') { "'" } else { "'s" };
    format!("{name}{ending}")
}

/// A text made by a script, from its code points. A number that is no character is shown as one that is unknown.
fn text_from_codes(written: &[Value]) -> String {
    // Only as many as are shown.
    let codes = written.iter().take(MOST_TEXT + 1).map(|code| u32::try_from(*code).ok().and_then(char::from_u32));
    codes.map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}
