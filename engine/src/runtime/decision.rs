//! What the game asks, and what may be answered.

pub(crate) mod form;
mod lots;

pub use form::{Answers, Choice, Form, Misfit};
pub use lots::Lots;

use crate::runtime::event::PieceView;
use ludex_syntax::codes;
use serde::{Serialize, Serializer};

/// Numbers decisions from 1, in the order they are put.
pub type DecisionId = u64;

/// One question to one seat. Options are counted here and made only when asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Its number. The same game with the same answers gives the same numbers.
    pub id: DecisionId,
    /// Who is asked.
    pub seat: usize,
    /// In which form the answer must be.
    pub form: Form,
    /// How many options there are: of forms other than [`Form::One`] and [`Form::Number`] how many things it is about. Of one
    /// action no more moves count than are numbered, see [`crate::runtime::limits::MOST_NUMBERED`].
    pub count: u64,
    /// Of all forms but [`Form::One`]: choosing nothing is an answer too, whatever is wanted otherwise.
    pub may_pass: bool,
    /// Decisions with the same group are put at once; nothing shows until all are answered.
    pub group: Option<u64>,
    /// What is chosen stays hidden from the others until all in the group have answered.
    pub secret: bool,
    /// What may be answered may depend on things that not all can see.
    pub veiled: bool,
    /// There is only one answer, and that must not show: it is put only to whoever writes play down, who gives it with
    /// [`crate::runtime::Session::forced_answer`].
    pub forced: bool,
}

impl Decision {
    /// The answers that may be given.
    #[inline]
    pub fn answers(&self) -> Answers {
        Answers { form: self.form, count: self.count, may_pass: self.may_pass }
    }
}

/// One option as it is shown, made when asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OptionView {
    /// Its index among the options of the decision, from 0.
    pub id: u64,
    /// Stable within the decision: `leap(0+3>6)`.
    pub key: String,
    /// `leap`, an offer's name, `pass`, `yes`, `no`, or what the keys of the form begin with.
    pub action: String,
    /// What it is made of: the name of each role, and what fills it.
    #[serde(serialize_with = "by_name")]
    pub args: Vec<(String, Argument)>,
    /// A sentence for people, without a final stop.
    pub text: String,
    /// The ability that gives this option, if one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ability: Option<String>,
}

fn by_name<S: Serializer>(arguments: &[(String, Argument)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(arguments.iter().map(|(name, argument)| (name, argument)))
}

/// What fills a role of an option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Argument {
    /// A piece.
    Piece(PieceView),
    /// A side.
    Side {
        /// Its number.
        side: usize,
    },
    /// A number; where the role takes halves, how many there are.
    Number(i64),
    /// A word, or the key of something that is no piece.
    Word(String),
    /// Several of these.
    List(Vec<Argument>),
    /// The role is left empty.
    Nothing,
}

impl Argument {
    /// The numbers of all pieces in it.
    pub fn pieces(&self) -> Vec<usize> {
        match self {
            Argument::Piece(piece) => vec![piece.id],
            Argument::List(list) => list.iter().flat_map(Argument::pieces).collect(),
            _ => Vec::new(),
        }
    }
}

/// Why an answer was not taken. Nothing has changed and the decision is still open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// One of [`ludex_syntax::codes`].
    pub code: &'static str,
    /// What is wrong, for people, without a final stop.
    pub reason: String,
    /// What to do about it, if there is something.
    pub help: Option<String>,
}

impl Refusal {
    /// That an answer is not one of those that may be given now.
    pub(crate) fn illegal(reason: String) -> Refusal {
        Refusal { code: codes::ILLEGAL_CHOICE, reason, help: None }
    }
}

/// What is said of a question that has nothing to choose from.
pub(crate) fn nothing_for(prompt: Option<&str>) -> String {
    match prompt {
        Some(prompt) => format!("there is nothing to choose from for “{prompt}”"),
        None => "there is nothing to choose from".to_string(),
    }
}
