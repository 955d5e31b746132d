//! What there is to see while somebody is asked, for a face that keeps it in sight.

use super::echoes::Line;
use super::menu::{Menu, Row};
use crate::table::{Area, Asked};
use ludex_engine::runtime::Form;

/// The table, what has happened and what is asked, as one viewer may know it.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    pub title: String,
    /// Where play is, the innermost part last.
    pub stage: Vec<String>,
    pub areas: Vec<Area>,
    /// The areas as they were when the viewer was asked before.
    pub before: Vec<Area>,
    /// What each seat is called.
    pub names: Vec<String>,
    /// Who answers for each seat.
    pub players: Vec<String>,
    /// The viewer's seat.
    pub seat: Option<usize>,
    pub story: Vec<Line>,
    /// So many lines of the story were told before the viewer was asked last.
    pub known: usize,
    pub choices: Option<Choices>,
}

/// What is asked, and what may be answered.
#[derive(Clone, Debug)]
pub struct Choices {
    /// The decision and its step: as long as they are the same, so is the question.
    pub question: (u64, usize),
    pub prompt: String,
    /// Which step of a move it is.
    pub about: Option<String>,
    /// What may be typed.
    pub hint: String,
    pub form: Form,
    pub rows: Vec<Row>,
}

impl Choices {
    pub(super) fn of(menu: &Menu, asked: &Asked, about: Option<String>) -> Choices {
        Choices {
            question: (menu.decision.id, asked.step.as_ref().map_or(0, |(number, ..)| *number)),
            prompt: asked.prompt.clone(),
            about,
            hint: menu.hint(),
            form: menu.decision.form,
            rows: menu.rows(asked),
        }
    }
}

/// The table as a seat left it when it answered last.
pub struct Before {
    /// How much of the log there was.
    pub heard: usize,
    pub areas: Vec<Area>,
}
