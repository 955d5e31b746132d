//! Numbers of things and ranges of choices, measured by playing games from fixed seeds.
//!
//! `space` and `columns` need fixed sizes, but a program does not say how many pieces it may create or which numbers it may ask
//! for. Anything beyond the measured sizes is written in digits, or has no columns.

use crate::runtime::context::Context;
use crate::runtime::decision::Form;
use crate::runtime::encoding::all_options::{LISTED, list_open_question};
use crate::runtime::encoding::domain::Domain;
use crate::runtime::eval::question::{Group, GroupKind, Question, QuestionForm};
use crate::runtime::random::seeded_generator;
use crate::runtime::session::{Pending, Session};
use ludex_program::{NONE, Value};
use ludex_syntax::problem::Problem;
use std::collections::BTreeMap;

/// Maximum number of games to play, and of decisions to answer.
const GAMES: u64 = 40;
const DECISIONS: usize = 4_000;
/// Maximum number of consecutive numbers that have their own actions; others are written in digits.
const MOST_NUMBERS: u32 = 256;

/// The sizes of a program's games between certain sides.
#[derive(Debug, Default)]
pub struct Sizes {
    pub sides: usize,
    pub entrants: usize,
    /// The entity of the first entrant.
    pub first_entrant: Value,
    /// Maximum number of pieces, with some to spare if games create pieces.
    pub pieces: usize,
    pub zones: usize,
    /// The lowest and the highest number that could be chosen.
    pub numbers: Option<(Value, Value)>,
    /// The same, by action and role.
    pub numbers_of_roles: BTreeMap<(usize, usize), (Value, Value)>,
    /// Maximum number of legal actions with features, with some to spare.
    pub most_legal: usize,
}

impl Sizes {
    /// Plays games at random with the players of a session, and measures them.
    pub fn measure_games(session: &Session) -> Result<Sizes, Box<Problem>> {
        let mut session = session.clone();
        let roster = &session.game.roster;
        let mut sizes = Sizes {
            sides: roster.sides,
            entrants: usize::from(roster.first_piece) - roster.sides - 1,
            first_entrant: Value::from(roster.table) + 1,
            ..Sizes::default()
        };
        let mut lots = seeded_generator(1);
        let (mut left, mut grows) = (DECISIONS, false);
        for seed in 0..GAMES {
            session.restart(seed)?;
            let first = session.piece_count();
            while left > 0 {
                let Pending::Decisions(open) = session.pending() else { break };
                let Some(decision) = open.first() else { break };
                let (id, answers) = (decision.id, decision.answers());
                sizes.measure_question(&mut session);
                // Faults of play are ignored here; they are reported in real play.
                if session.choose(id, answers.draw_answer(&mut lots)).is_err() {
                    break;
                }
                left -= 1;
            }
            sizes.measure_counts(&session);
            grows |= session.piece_count() > first;
        }
        if grows {
            sizes.pieces += sizes.pieces / 4 + 4;
            sizes.zones += sizes.zones / 4 + 4;
        }
        sizes.most_legal = (sizes.most_legal + sizes.most_legal / 2 + 2).max(4);
        Ok(sizes)
    }

    /// Measures the number of pieces and zones.
    fn measure_counts(&mut self, session: &Session) {
        self.pieces = self.pieces.max(session.piece_count());
        self.zones = self.zones.max(session.machine.state.board.zones.len());
    }

    /// Measures the open question.
    fn measure_question(&mut self, session: &mut Session) {
        self.measure_counts(session);
        let game = session.game.clone();
        list_open_question(session);
        let Pending::Decisions(open) = session.pending() else { return };
        for place in 0..open.len() {
            if let Some(question) = session.machine.scratch.questions.get(place) {
                self.measure_options(&game.play_context(), question);
            }
        }
    }

    /// Measures the options of a question: their number, and the numbers among them.
    fn measure_options(&mut self, context: &Context, question: &Question) {
        let items = &question.items;
        match question.form {
            QuestionForm::Of(Form::Number { min, max }) => self.note_range(min, max),
            QuestionForm::Of(Form::Split { total, step }) => self.note_range(0, total / step.max(1)),
            QuestionForm::OneItem | QuestionForm::Of(_) => {
                let shape = question.item_shape.as_ref();
                if shape.and_then(|shape| Domain::for_shape(context.program, shape)) == Some(Domain::Number) {
                    items.iter().for_each(|item| self.note_number(*item));
                }
                self.most_legal = self.most_legal.max(items.len());
            }
            QuestionForm::Options if question.count <= LISTED => {
                self.most_legal = self.most_legal.max(question.count.min(64) as usize);
                question.groups().iter().filter(|group| group.kind != GroupKind::Pass).for_each(|group| {
                    self.measure_moves(context, question, group);
                });
            }
            QuestionForm::Options | QuestionForm::YesNo => {}
        }
    }

    /// Measures the numbers that fill the roles of a group of moves.
    fn measure_moves(&mut self, context: &Context, question: &Question, group: &Group) {
        if group.kind == GroupKind::Offer {
            return;
        }
        let roles = &context.program.actions[usize::from(group.action)].roles;
        let of_numbers = |role: usize| Domain::for_shape(context.program, &roles[role].item) == Some(Domain::Number);
        let numbers: Vec<usize> = (0..group.roles).filter(|role| of_numbers(*role)).collect();
        if numbers.is_empty() {
            return;
        }
        question.each_move(group, |_, chosen| {
            for role in &numbers {
                for value in question.role_things(group, *role, chosen[*role]).filter(|value| *value != NONE) {
                    self.note_number(value);
                    let known = self.numbers_of_roles.entry((usize::from(group.action), *role)).or_insert((value, value));
                    *known = (known.0.min(value), known.1.max(value));
                }
            }
            false
        });
    }

    /// Extends the range of numbers by all from `least` to `most`, unless there are too many.
    fn note_range(&mut self, least: i64, most: i64) {
        if most.saturating_sub(least) < i64::from(MOST_NUMBERS) {
            for number in [least, most] {
                Value::try_from(number).into_iter().for_each(|number| self.note_number(number));
            }
        }
        self.most_legal = self.most_legal.max(most.saturating_sub(least).clamp(0, 63) as usize + 1);
    }

    /// Extends the range of numbers with actions, unless it would become too large.
    fn note_number(&mut self, number: Value) {
        if number == NONE {
            return;
        }
        let (least, most) = self.numbers.unwrap_or((number, number));
        let (least, most) = (least.min(number), most.max(number));
        if most.abs_diff(least) < MOST_NUMBERS {
            self.numbers = Some((least, most));
        }
    }
}
