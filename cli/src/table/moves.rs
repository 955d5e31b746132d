//! The question to a seat and its possible answers: moves by their kind, then by the piece that is moved, then one by one. A
//! decision with very many moves is asked in steps, for example first which piece, then where to.

use crate::rulebook::things;
use ludex_engine::program::Program;
use ludex_engine::runtime::{Argument, Decision, Form, MoveStep, OptionView, PieceView, Session};

/// Maximum number of moves that are listed; a decision with more is asked in steps.
pub const MOST_LISTED: u64 = 40;

/// Number of moves of one kind above which they are grouped by piece.
const MOST_TOGETHER: usize = 8;
/// Maximum number of things that are listed to choose several of, or to put in order.
const MOST_THINGS: u64 = 1_000;

/// A question with its answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurrentQuestion {
    pub decision: u64,
    pub prompt: String,
    /// The number of the step, the number of steps, and the subject of this one, if a move is asked in steps.
    pub step: Option<(usize, usize, String)>,
    /// True if the choice stays hidden until all have chosen.
    pub is_secret: bool,
    pub how: AnswerForm,
    /// True if choosing nothing is an answer too.
    pub may_pass: bool,
}

/// The form of the answer, with the things to choose from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerForm {
    One(Vec<MoveKind>),
    Some { min: u64, max: u64, things: Vec<Move> },
    Number { min: i64, max: i64 },
    Order(Vec<Move>),
    Split { total: i64, step: i64, things: Vec<Move> },
}

/// Moves of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveKind {
    /// Empty if there is only one kind.
    pub name: String,
    pub groups: Vec<MoveGroup>,
}

/// Moves of one piece, or all of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveGroup {
    /// Empty if the moves of a kind are not grouped.
    pub name: String,
    pub moves: Vec<Move>,
}

/// A move, or one of several things to choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    pub key: String,
    pub text: String,
    /// The details of the one card that it names, if its text does not contain them.
    pub detail: String,
    /// The pieces it uses or meets.
    pub pieces: Vec<usize>,
    /// The word or cell that it names, if it names nothing else: `meadow.2.3`.
    pub place: Option<String>,
}

/// The question as it is asked now: the whole decision or, if `step` is given, that step of it.
pub fn current_question(session: &Session, decision: &Decision, step: Option<&MoveStep>) -> CurrentQuestion {
    let program = session.program();
    let (form, options) = match step {
        Some(step) => (step.form, step.options.clone()),
        None => (decision.form, session.options(decision.id, 0, MOST_THINGS)),
    };
    let things = || options.iter().map(|option| move_from_option(program, option)).collect();
    CurrentQuestion {
        decision: decision.id,
        prompt: session.prompt(decision.id),
        step: step.map(|step| (step.number, step.of, step.about.clone())),
        is_secret: decision.secret,
        may_pass: decision.may_pass && step.is_none() && form != Form::One,
        how: match form {
            Form::One => AnswerForm::One(group_by_kind(program, &options)),
            Form::Some { min, max } => AnswerForm::Some { min, max, things: things() },
            Form::Number { min, max } => AnswerForm::Number { min, max },
            Form::Order => AnswerForm::Order(things()),
            Form::Split { total, step } => AnswerForm::Split { total, step, things: things() },
        },
    }
}

impl CurrentQuestion {
    /// The move that names a place and nothing else, such as a cell, if there is exactly one.
    pub fn only_move_at(&self, place: &str) -> Option<&Move> {
        let mut there = self.listed_moves().filter(|found| found.place.as_deref() == Some(place));
        there.next().filter(|_| there.next().is_none())
    }

    /// Whether a move uses or meets a piece.
    pub fn is_about(&self, piece: usize) -> bool {
        match &self.how {
            AnswerForm::Some { things, .. } | AnswerForm::Split { things, .. } | AnswerForm::Order(things) => {
                things.iter().any(|thing| thing.pieces.contains(&piece))
            }
            AnswerForm::One(_) => self.listed_moves().any(|found| found.pieces.contains(&piece)),
            AnswerForm::Number { .. } => false,
        }
    }

    /// The moves of a decision that takes one of them.
    pub fn listed_moves(&self) -> impl Iterator<Item = &Move> {
        let kinds = if let AnswerForm::One(kinds) = &self.how { kinds.as_slice() } else { &[] };
        kinds.iter().flat_map(|kind| &kind.groups).flat_map(|group| &group.moves)
    }
}

/// An option as a move, with the title of the ability that grants it, if its text does not name it.
fn move_from_option(program: &Program, option: &OptionView) -> Move {
    let ability = option.ability.as_ref();
    let ability = ability.and_then(|id| program.abilities.iter().find(|ability| ability.id == *id));
    let text = match ability {
        // The text of an offer may already name its ability.
        Some(ability) if !option.text.to_lowercase().contains(&ability.title.to_lowercase()) => {
            format!("{} ({})", option.text, ability.title)
        }
        _ => option.text.clone(),
    };
    let place = match option.args.as_slice() {
        [(_, Argument::Word(word))] => Some(word.clone()),
        _ => None,
    };
    let detail = match option.args.as_slice() {
        [(_, Argument::Piece(PieceView { sheet: Some(sheet), .. }))] => things::card_facts(program, sheet).join(" · "),
        _ => String::new(),
    };
    let pieces = option.args.iter().flat_map(|(_, argument)| argument.piece_numbers()).collect();
    Move { key: option.key.clone(), text, detail, pieces, place }
}

/// Moves in order, grouped by kind: the action that they fill.
fn group_by_kind(program: &Program, options: &[OptionView]) -> Vec<MoveKind> {
    let mut kinds: Vec<(&str, Vec<&OptionView>)> = Vec::new();
    for option in options {
        match kinds.iter_mut().find(|(action, _)| *action == option.action) {
            Some((_, all)) => all.push(option),
            None => kinds.push((&option.action, vec![option])),
        }
    }
    let single = kinds.len() == 1;
    let kind = |(action, options): (&str, Vec<&OptionView>)| MoveKind {
        name: if single { String::new() } else { action.replace('_', " ") },
        groups: group_by_piece(program, &options),
    };
    kinds.into_iter().map(kind).collect()
}

/// The moves of a kind: together if they are few or of many pieces, otherwise by their first argument, mostly a piece.
fn group_by_piece(program: &Program, options: &[&OptionView]) -> Vec<MoveGroup> {
    let together =
        || vec![MoveGroup { name: String::new(), moves: options.iter().map(|one| move_from_option(program, one)).collect() }];
    if options.len() <= MOST_TOGETHER {
        return together();
    }
    let mut groups: Vec<MoveGroup> = Vec::new();
    for option in options {
        let name =
            option.args.first().filter(|_| option.args.len() > 1).map(|(_, first)| argument_text(first)).unwrap_or_default();
        let found = move_from_option(program, option);
        match groups.iter_mut().find(|group| group.name == name) {
            Some(group) => group.moves.push(found),
            None => groups.push(MoveGroup { name, moves: vec![found] }),
        }
    }
    if groups.len() == 1 || groups.len() * 2 > options.len() { together() } else { groups }
}

/// The argument of a role, for people.
fn argument_text(argument: &Argument) -> String {
    let piece = |piece: &PieceView| match piece.value {
        Some(value) => format!("{value} on {}", piece.display_name()),
        None => piece.display_name(),
    };
    match argument {
        Argument::Piece(found) => piece(found),
        Argument::Side { side } => format!("side {side}"),
        Argument::Number(number) => number.to_string(),
        Argument::Word(word) => word.replace('_', " "),
        Argument::List(list) => list.iter().map(argument_text).collect::<Vec<_>>().join(", "),
        Argument::Nothing => String::new(),
    }
}
