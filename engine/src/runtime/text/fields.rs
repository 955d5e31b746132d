//! Fields and outcomes in words.
//!
//! Views and the outcome of a match read fields here, so that each viewer gets only those that they may know.

use crate::runtime::context::Context;
use crate::runtime::event::{Outcome, OutcomeResult, Viewer};
use crate::runtime::text::Wording;
use ludex_program::{FieldInfo, NONE, Shape, Value};

/// A selection of a thing's fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fields {
    /// The counters that a viewer may know.
    Counters(Viewer),
    /// All fields that a viewer may know.
    Told(Viewer),
    /// All fields, including internal ones: for trusted tools.
    All,
}

impl Fields {
    /// The fields that a viewer may know.
    pub fn visible_to(viewer: Viewer) -> Fields {
        if viewer == Viewer::Trusted { Fields::All } else { Fields::Told(viewer) }
    }
}

impl Wording {
    /// The outcome, if play is over.
    pub fn build_outcome(&self, context: &Context) -> Option<Outcome> {
        let finish = self.state.finished.as_ref()?;
        let result = match () {
            () if finish.abandoned => OutcomeResult::Abandoned,
            () if finish.capped => OutcomeResult::Capped,
            () => match finish.winners.len() {
                0 => OutcomeResult::Nobody,
                1 => OutcomeResult::Win,
                _ => OutcomeResult::Tie,
            },
        };
        let winners = finish.winners.iter().map(|side| usize::from(*side)).collect();
        let scores = if self.watched {
            (0..context.roster.sides).map(|side| self.counters_of(context, side, Viewer::Spectator)).collect()
        } else {
            Vec::new()
        };
        Some(Outcome { result, winners, scores, payoffs: finish.payoffs.clone(), text: self.ending.clone() })
    }

    /// The counters of a side and of its only entrant, as a viewer reads them.
    pub fn counters_of(&self, context: &Context, side: usize, viewer: Viewer) -> Vec<(String, String)> {
        let mut owners = vec![side as Value];
        if let Some([entrant]) = context.roster.entrants.get(side).map(Vec::as_slice) {
            owners.push(Value::from(*entrant));
        }
        owners.into_iter().flat_map(|owner| self.visible_fields(context, owner, Fields::Counters(viewer))).collect()
    }

    /// The texts that replace counters of an entity, by name.
    pub fn visible_texts(&self, context: &Context, entity: Value, viewer: Viewer) -> Vec<(String, String)> {
        let Some(found) = self.state.board.entities.get(entity as usize) else { return Vec::new() };
        let fields = context.program.kind(found.kind).fields.iter().enumerate();
        let read = fields.filter(|(index, _)| self.readers_of(context, entity, *index as u16).includes(viewer));
        read.filter_map(|(_, field)| {
            let text = field.text.as_ref()?;
            Some((field.name.clone(), self.fill_title(context, entity, text)))
        })
        .collect()
    }

    /// The selected fields of an entity.
    pub fn visible_fields(&self, context: &Context, entity: Value, wanted: Fields) -> Vec<(String, String)> {
        let Some(found) = self.state.board.entities.get(entity as usize) else { return Vec::new() };
        let fields = context.program.kind(found.kind).fields.iter().enumerate();
        fields
            .filter(|(index, field)| match wanted {
                Fields::Counters(viewer) => field.counter && self.readers_of(context, entity, *index as u16).includes(viewer),
                Fields::Told(viewer) => self.readers_of(context, entity, *index as u16).includes(viewer),
                Fields::All => true,
            })
            .filter(|(_, field)| !field.name.is_empty())
            .filter_map(|(index, field)| {
                let value = self.state.board.field(entity, index as u16).unwrap_or(NONE);
                // A field that its sheet lacks is shown only if the rules have changed it.
                let own = context.roster.matches_sheets(context.program, entity, &field.sheets);
                (own || value != field.initial).then(|| (field.name.clone(), self.field_words(context, entity, index as u16)))
            })
            .collect()
    }

    /// The value of a field, as people read it; a list in the notation of rules and files: `[2, 5]`.
    pub fn field_words(&self, context: &Context, entity: Value, field: u16) -> String {
        let board = &self.state.board;
        let Some(found) = board.entities.get(entity as usize) else { return String::new() };
        match context.program.kind(found.kind).fields.get(usize::from(field)) {
            Some(FieldInfo { shape: Shape::List(inner), .. }) => {
                let members = self.describe_values(context, board.list_in_field(entity, field), inner);
                format!("[{}]", members.join(", "))
            }
            Some(info) => self.describe_value(context, board.field(entity, field).unwrap_or(NONE), &info.shape),
            None => String::new(),
        }
    }
}
