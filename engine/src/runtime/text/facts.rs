//! Facts about a thing that players read beside its name: its counters, and other visible fields.
//!
//! A *print* is a card's sheet, with values in *columns* that all copies of the card share; *fields* are a piece's own values.
//! Views have the facts, for displays to show beside a name.

use crate::runtime::context::Context;
use crate::runtime::state::NOWHERE;
use crate::runtime::text::Wording;
use crate::runtime::text::names::NOTHING;
use ludex_program::{FieldInfo, NONE, PIECE_SHEET, Print, Program, Shape, TitlePart, Value};

/// A fact such as `weight 80`. Facts have the order in which the rules declare them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The name in the rules.
    pub name: String,
    /// The value, as people read it.
    pub value: String,
    /// The text to read instead of name and value, if the rules define one.
    pub text: Option<String>,
}

impl Fact {
    /// A fact that is read as name and value.
    pub fn plain_fact(name: &str, value: &str) -> Fact {
        Fact { name: name.to_string(), value: value.to_string(), text: None }
    }

    /// `turns had 2`
    pub fn fact_text(&self) -> String {
        self.text.clone().unwrap_or_else(|| format!("{} {}", self.name.replace('_', " "), self.value))
    }

    /// Whether it has a value worth showing: not zero, empty or none.
    pub fn has_content(&self) -> bool {
        !matches!(self.value.as_str(), "0" | "no" | "[]" | NOTHING | "") && self.text.as_deref() != Some("")
    }
}

impl Wording {
    /// The printed and stored facts about a piece, as far as they are visible and worth showing.
    pub(crate) fn facts_of_piece(&self, context: &Context, piece: Value) -> Vec<Fact> {
        let Some(found) = self.state.board.entities.get(piece as usize) else { return Vec::new() };
        let printed = self.print_of_piece(context, piece).map_or(Vec::new(), |print| printed_facts(context.program, print));
        let kind = context.program.kind(found.kind);
        // Its title already contains these.
        let is_named = |index: usize| kind.title.contains(&TitlePart::Field(index as u16));
        let own = kind.fields.iter().enumerate().filter(|(index, field)| field.shown && !is_named(*index));
        let own = own.filter(|(_, field)| !field.name.is_empty()).map(|(index, field)| {
            let text = field.text.as_ref().map(|text| self.fill_title(context, piece, text));
            Fact { name: field.name.clone(), value: self.field_words(context, piece, index as u16), text }
        });
        printed.into_iter().chain(own).filter(Fact::has_content).collect()
    }

    /// The print of a piece.
    pub(crate) fn print_of_piece(&self, context: &Context, piece: Value) -> Option<Value> {
        let found = self.state.board.entities.get(piece as usize)?;
        self.state.board.field(piece, PIECE_SHEET).filter(|_| context.program.is_printed(found.kind))
    }

    /// The number that distinguishes a card in keys from others of its sheet, if several of these are face up in play.
    pub(super) fn number_to_show(&self, context: &Context, piece: Value) -> Option<String> {
        let print = self.print_on_table(context, piece)?;
        let key = self.piece_key(context, piece);
        let (_, number) = key.split_once('#')?;
        let mut others = usize::from(context.roster.first_piece)..self.state.board.entities.len();
        let shared = others.any(|other| other != piece as usize && self.print_on_table(context, other as Value) == Some(print));
        shared.then(|| number.to_string())
    }

    /// The print of a card that is face up in play, and not in a zone of another piece.
    fn print_on_table(&self, context: &Context, piece: Value) -> Option<Value> {
        let print = self.print_of_piece(context, piece)?;
        let found = self.state.board.entities.get(piece as usize).filter(|found| found.place != NOWHERE)?;
        if self.zone_info(context, found.place)?.out_of_play {
            return None;
        }
        let owner = self.state.board.zones.get(usize::from(found.place))?.owner;
        (!self.is_piece(context, Value::from(owner)) && self.is_open(context, found.place)).then_some(print)
    }
}

/// The printed facts of a card that the rules show.
fn printed_facts(program: &Program, print: Value) -> Vec<Fact> {
    let Some(found) = program.prints.find_print(print) else { return Vec::new() };
    shown_columns(program, found).map(|(column, value)| printed_fact(program, column, value)).collect()
}

/// The printed fact of a card in a column.
pub fn printed_fact(program: &Program, column: &FieldInfo, value: Value) -> Fact {
    Fact::plain_fact(&column.name, &printed_words(program, &column.shape, value))
}

/// The visible columns of a card, with their printed values.
fn shown_columns<'p>(program: &'p Program, print: &'p Print) -> impl Iterator<Item = (&'p FieldInfo, Value)> {
    let shown = program.prints.sheet_columns(print.sheet).into_iter().filter(|(_, column)| column.shown);
    shown.filter_map(|(printed, column)| Some((column, print.values.get(usize::from(printed.column)).copied()?)))
}

/// The visible fact that distinguishes a card from others with the same name: `level 2`.
pub(crate) fn distinguishing_text(program: &Program, print: Value) -> Option<String> {
    let found = program.prints.find_print(print)?;
    let namesakes = || {
        let all = program.prints.ids.values().copied().filter(|other| *other != print);
        all.filter_map(|other| program.prints.find_print(other)).filter(|other| other.name == found.name)
    };
    namesakes().next()?;
    let differs = |name: &str, value: Value| {
        let of = |other: &Print| shown_columns(program, other).find(|(column, _)| column.name == name).map(|(_, value)| value);
        namesakes().all(|other| of(other) != Some(value))
    };
    let (column, value) = shown_columns(program, found).find(|(column, value)| differs(&column.name, *value))?;
    Some(printed_fact(program, column, value).fact_text())
}

/// A printed value, as a person reads it.
pub fn printed_words(program: &Program, shape: &Shape, value: Value) -> String {
    match shape {
        Shape::OrNone(_) | Shape::Text | Shape::Sheet(_) if value == NONE => NOTHING.to_string(),
        Shape::OrNone(inner) => printed_words(program, inner, value),
        Shape::Text => program.prints.printed_text(value).to_string(),
        Shape::Sheet(_) => program.prints.print_name(value).to_string(),
        Shape::List(inner) => {
            let members = program.prints.printed_list(value).iter().map(|member| printed_words(program, inner, *member));
            members.collect::<Vec<_>>().join(", ")
        }
        Shape::Word(_) => ludex_compiler::field::format_value(program, shape, value).replace('_', " "),
        _ => ludex_compiler::field::format_value(program, shape, value),
    }
}
