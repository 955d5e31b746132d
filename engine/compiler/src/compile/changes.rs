//! The state that statements may change, so that facts about it are dropped. It is found from the syntax tree before
//! compiling, because a loop comes back to its start.
//!
//! A fact says that a value is certainly there, or a list certainly not empty, see `presence`. Before a loop is compiled, the facts
//! that its body may change are dropped, because a later round does not know them.

use super::{Compiler, Local, Meaning};
use crate::types::Type;
use ludex_program::condition_facts::SureFact;
use ludex_program::presence::{Changes, FieldRef};
use ludex_program::{DIE_VALUE, Expr, KindSort};
use ludex_syntax::blocks::each_statement;
use ludex_syntax::tree::{Amount, Ask, AskWhat, Block, Expr as Written, ExprKind, Name, Statement, StatementKind};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of names followed to the source of a value.
const MOST_NAMES: usize = 50;

/// The source of a name's new value.
#[derive(Clone, Copy)]
enum ValueSource<'s> {
    Value(&'s Written),
    /// A value that is certainly not `none`.
    Certain,
    /// A value that may be `none`.
    Unsure,
}

/// The changes made by a sequence of statements, including new values of names.
#[derive(Default)]
pub(super) struct Effects<'s> {
    changes: Changes,
    /// Names that get another value.
    names: BTreeMap<&'s str, Vec<ValueSource<'s>>>,
    /// Names filled by answers that may be missing.
    unsure: BTreeSet<&'s str>,
}

impl<'s> Effects<'s> {
    fn add_source(&mut self, name: &'s Name, source: ValueSource<'s>) {
        self.names.entry(&name.text).or_default().push(source);
    }
}

/// The changes of each procedure, computed on first use.
#[derive(Default)]
pub(super) struct KnownChanges {
    procedures: BTreeMap<u16, Changes>,
    /// Fields by name, of all kinds that have one.
    fields: BTreeMap<String, BTreeSet<FieldRef>>,
}

impl Compiler<'_> {
    /// Indexes fields by name. Several kinds may have a field of the same name, and a statement may mean any of them.
    pub(super) fn index_fields_by_name(&mut self) {
        for kind in &self.program.kinds {
            let place = |place| if kind.sort == KindSort::Table { FieldRef::Table(place) } else { FieldRef::Thing(place) };
            for (index, field) in kind.fields.iter().enumerate() {
                self.effects.fields.entry(field.name.clone()).or_default().insert(place(index as u16));
            }
        }
    }

    /// The changes that a block may make.
    pub(super) fn block_effects<'s>(&mut self, block: &'s Block) -> Effects<'s> {
        let mut effects = Effects::default();
        each_statement(block, &mut |statement| self.note_effects(statement, &mut effects));
        effects
    }

    /// Adds the changes of one statement, and the names that it gives a value, to the effects.
    fn note_effects<'s>(&mut self, statement: &'s Statement, effects: &mut Effects<'s>) {
        // `do x` may name a procedure, or a local with a move: one that the block itself has named counts as a move.
        let is_move = |name: &Name, args: &Option<Vec<Written>>| args.is_none() && effects.names.contains_key(name.text.as_str());
        let changes = match &statement.kind {
            StatementKind::Do { name, args, .. } if is_move(name, args) => Changes::any_change(),
            other => self.statement_changes(other),
        };
        effects.changes.add_changes(&changes);
        match &statement.kind {
            StatementKind::Let { name, value } => effects.add_source(name, ValueSource::Value(value)),
            StatementKind::Set { place: Written { kind: ExprKind::Name(name), .. }, value, .. } => {
                effects.names.entry(name).or_default().push(ValueSource::Value(value));
            }
            StatementKind::Add { place: Written { kind: ExprKind::Name(name), .. }, .. } => {
                effects.names.entry(name).or_default().push(ValueSource::Certain);
            }
            StatementKind::Draw { name, .. } | StatementKind::Each { name, .. } => effects.add_source(name, ValueSource::Unsure),
            StatementKind::Roll { name: Some(name), .. }
            | StatementKind::Create { name: Some(name), .. }
            | StatementKind::Count { name, .. } => effects.add_source(name, ValueSource::Certain),
            StatementKind::Do { name, result: Some(result), .. } => {
                let gives = self.symbols.find_procedure(&name.text).map(|given| &self.symbols.procedures[usize::from(given)].2);
                let certain = gives.is_some_and(|gives| !matches!(gives, Type::OrNone(_) | Type::None));
                effects.add_source(result, if certain { ValueSource::Certain } else { ValueSource::Unsure });
            }
            StatementKind::Ask(ask) => {
                let Some(name) = &ask.name else { return };
                let unsure = may_be_unanswered(ask);
                effects.add_source(name, if unsure { ValueSource::Unsure } else { ValueSource::Certain });
                effects.unsure.extend(unsure.then_some(name.text.as_str()));
            }
            _ => {}
        }
    }

    /// Whether a name that had a value still has one after all assignments. `seen` are the names being followed: one that depends
    /// on itself changes nothing.
    fn keeps_value<'s>(&self, name: &'s str, effects: &Effects<'s>, seen: &mut BTreeSet<&'s str>) -> bool {
        if !seen.insert(name) {
            return true;
        }
        if seen.len() > MOST_NAMES {
            return false;
        }
        match effects.names.get(name) {
            Some(sources) => sources.iter().all(|source| match source {
                ValueSource::Certain => true,
                ValueSource::Unsure => false,
                ValueSource::Value(value) => self.is_certain_value(value, effects, seen),
            }),
            None => match self.find_local(name) {
                Some(Local { meaning: Meaning::Slot(slot), .. }) => self.function.presence.is_present(&Expr::Local(*slot)),
                _ => false,
            },
        }
    }

    /// Whether a value is certainly not `none`, judged by its form.
    fn is_certain_value<'s>(&self, value: &'s Written, effects: &Effects<'s>, seen: &mut BTreeSet<&'s str>) -> bool {
        match &value.kind {
            ExprKind::Number(_) | ExprKind::Text(_) => true,
            ExprKind::Name(name) => self.keeps_value(name, effects, seen),
            ExprKind::If(_, yes, no) => self.is_certain_value(yes, effects, seen) && self.is_certain_value(no, effects, seen),
            ExprKind::Member(of, name) if matches!(name.text.as_str(), "foe" | "left" | "right") => {
                self.is_certain_value(of, effects, seen)
            }
            _ => false,
        }
    }

    /// The changes of one statement, without nested statements.
    fn statement_changes(&mut self, statement: &StatementKind) -> Changes {
        match statement {
            StatementKind::Set { place, .. } | StatementKind::Add { place, .. } => self.fields_by_name_of_place(place),
            StatementKind::Move { .. }
            | StatementKind::Shuffle { .. }
            | StatementKind::Draw { .. }
            | StatementKind::Create { .. }
            | StatementKind::Remove { .. }
            | StatementKind::Mark { .. }
            | StatementKind::Unmark { .. }
            | StatementKind::Show { .. } => Changes::board_change(),
            StatementKind::Roll { pool: None, .. } => {
                let mut changes = Changes::field_change(FieldRef::Thing(DIE_VALUE));
                changes.board = true;
                changes
            }
            StatementKind::Open { .. } => Changes::any_change(),
            StatementKind::Ask(ask) if ask.during.is_some() => Changes::any_change(),
            StatementKind::Ask(ask) => {
                ask.into.as_ref().map_or_else(Changes::default, |place| self.fields_by_name_of_place(place))
            }
            StatementKind::Do { name, args, .. } => match self.symbols.find_procedure(&name.text) {
                Some(procedure) if args.is_some() || self.find_local(&name.text).is_none() => self.procedure_changes(procedure),
                // A move, with anything it may do.
                _ => Changes::any_change(),
            },
            _ => Changes::default(),
        }
    }

    /// The fields that a place to set may mean: every field of its name.
    fn fields_by_name_of_place(&self, place: &Written) -> Changes {
        let (ExprKind::Name(name) | ExprKind::Member(_, Name { text: name, .. })) = &place.kind else {
            return Changes::any_change();
        };
        Changes { fields: self.effects.fields.get(name).cloned().unwrap_or_default(), ..Changes::default() }
    }

    /// The changes that a procedure may make, including the procedures it calls.
    pub(super) fn procedure_changes(&mut self, procedure: u16) -> Changes {
        if let Some(known) = self.effects.procedures.get(&procedure) {
            return known.clone();
        }
        // A recursive procedure may change anything.
        self.effects.procedures.insert(procedure, Changes::any_change());
        let (declared, ..) = &self.symbols.procedures[usize::from(procedure)];
        let mut effects = Effects::default();
        declared.params.iter().for_each(|param| effects.add_source(&param.name, ValueSource::Certain));
        each_statement(&declared.body, &mut |statement| self.note_effects(statement, &mut effects));
        let mut changes = effects.changes;
        // Marks end with a scope.
        changes.board |= declared.scope;
        self.effects.procedures.insert(procedure, changes.clone());
        changes
    }

    /// Begins a loop with these effects: facts that they may change are not known at the start of a round.
    pub(super) fn enter_rounds(&mut self, effects: &Effects<'_>) {
        for name in &effects.unsure {
            // An earlier round may fill it with a missing answer.
            self.mark_as_unsure(name);
        }
        self.forget_changed(effects);
    }

    /// Drops the facts that statements may have changed.
    pub(super) fn forget_changed(&mut self, effects: &Effects<'_>) {
        let mut put = Vec::new();
        for name in effects.names.keys() {
            if let Some(Local { meaning: Meaning::Slot(slot), of, .. }) = self.find_local(name) {
                let was_there = self.function.presence.is_present(&Expr::Local(*slot));
                let stays = || was_there && self.keeps_value(name, effects, &mut BTreeSet::new());
                put.push((*slot, !matches!(of, Type::OrNone(_)) || stays()));
            }
        }
        put.into_iter().for_each(|(slot, is_there)| self.function.presence.assign_slot(slot, is_there));
        self.function.presence.drop_changed_facts(&effects.changes);
    }
}

impl Compiler<'_> {
    /// Notes that a name may have no value from here on, although its type requires one.
    pub(super) fn mark_as_unsure(&mut self, name: &str) {
        let Some(local) = self.function.locals.find_mut(name) else { return };
        if let Meaning::Slot(slot) = local.meaning
            && may_hold_none(&local.of)
        {
            self.function.unsure.push((slot, local.of.clone()));
            local.of = local.of.clone().or_none();
        }
    }

    /// Updates the facts after a statement.
    pub(super) fn update_facts(&mut self, statement: &StatementKind) {
        match statement {
            StatementKind::Stop { .. }
            | StatementKind::Skip
            | StatementKind::Leave
            | StatementKind::Give { .. }
            | StatementKind::Finish { .. } => self.function.presence.mark_unreachable(),
            // These update the facts themselves, in the right order.
            StatementKind::Set { .. }
            | StatementKind::Add { .. }
            | StatementKind::Create { .. }
            | StatementKind::Open { .. }
            | StatementKind::Ask(_) => {}
            other => {
                let changes = self.statement_changes(other);
                self.function.presence.drop_changed_facts(&changes);
            }
        }
    }

    /// Notes that a field has a new value: facts that depend on it are dropped.
    pub(super) fn update_field_facts(&mut self, thing: &Expr, field: u16, is_there: bool) {
        self.function.presence.drop_changed_facts(&Changes::field_change(FieldRef::from_thing(thing, field)));
        // The thing is found by way of the field itself, so after the change it may be another thing.
        let goes_by_it = thing.contains(&|part| matches!(part, Expr::Field { field: read, .. } if *read == field));
        if is_there && !goes_by_it {
            self.learn_for_good(vec![SureFact::There(Expr::Field { of: Box::new(thing.clone()), field })]);
        }
    }
}

/// Whether a missing answer is `none`. For several things, it is the empty list.
pub(super) fn may_hold_none(of: &Type) -> bool {
    !matches!(of, Type::List(_) | Type::Flag | Type::OrNone(_) | Type::None | Type::Unknown)
}

/// Whether a question may leave its name without a value.
fn may_be_unanswered(ask: &Ask) -> bool {
    let none_allowed = matches!(&ask.what, AskWhat::Among { amount: Amount::OneOrNone, .. });
    match &ask.otherwise {
        Some(block) => none_allowed || may_end_round(block) || !leaves_procedure(block),
        None => none_allowed || !ask.must,
    }
}

/// Whether a block may end a loop or one of its rounds, so that its facts may reach code outside.
pub(super) fn may_end_round(block: &Block) -> bool {
    let mut found = false;
    each_statement(block, &mut |statement| found |= matches!(statement.kind, StatementKind::Leave | StatementKind::Skip));
    found
}

/// Whether a block always leaves the procedure.
fn leaves_procedure(block: &Block) -> bool {
    block.statements.last().is_some_and(|last| match &last.kind {
        StatementKind::Stop { .. } | StatementKind::Give { .. } | StatementKind::Finish { .. } => true,
        StatementKind::If { arms, otherwise: Some(otherwise) } => {
            arms.iter().all(|(_, arm)| leaves_procedure(arm)) && leaves_procedure(otherwise)
        }
        _ => false,
    })
}
