//! The scene while a player is asked, for a face that keeps it visible (the full screen). `viewers` makes it for one viewer;
//! only what that viewer may know is in it.

use super::echoes::Line;
use super::menu::{Menu, Row};
use crate::table::{Area, CurrentQuestion};
use ludex_engine::runtime::Form;

/// The table, the story and the question, as one viewer may know them.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    pub title: String,
    /// The open parts of play, the innermost last.
    pub stage: Vec<String>,
    pub areas: Vec<Area>,
    /// The areas when the viewer was last asked.
    pub before: Vec<Area>,
    /// The name of each seat.
    pub names: Vec<String>,
    /// The player of each seat.
    pub players: Vec<String>,
    /// The viewer's seat.
    pub seat: Option<usize>,
    pub story: Vec<Line>,
    /// Number of story lines shown before the viewer was last asked.
    pub known: usize,
    pub choices: Option<Choices>,
}

/// The question and its possible answers.
#[derive(Clone, Debug)]
pub struct Choices {
    /// The decision's id and the number of its step, 0 if it is asked as a whole. They identify the question.
    pub question: (u64, usize),
    pub prompt: String,
    /// The step of a move, in words.
    pub about: Option<String>,
    /// The possible inputs.
    pub hint: String,
    pub form: Form,
    pub rows: Vec<Row>,
}

impl Choices {
    /// `asked` is the question that the menu is for, with its moves by kind. `about` names the step, if there is one.
    pub(super) fn from_menu(menu: &Menu, asked: &CurrentQuestion, about: Option<String>) -> Choices {
        Choices {
            question: (menu.decision.id, asked.step.as_ref().map_or(0, |(number, ..)| *number)),
            prompt: asked.prompt.clone(),
            about,
            hint: menu.input_hint(),
            form: menu.decision.form,
            rows: menu.move_rows(asked),
        }
    }
}

/// The table as a seat left it with its last answer.
pub struct LastSeenTable {
    /// The length of the log at that time.
    pub heard: usize,
    pub areas: Vec<Area>,
}
