//! The questions of a game and their possible answers.
//!
//! A *question* of the rules becomes a [`Decision`] for each seat that is asked. `question` builds it, and a [`Choice`] answers
//! it. Options are only counted until someone wants to see them.

pub(crate) mod form;
mod random_answers;

pub use form::{Answers, Choice, Form, Misfit};
pub use random_answers::Lots;

use crate::runtime::event::PieceView;
use ludex_syntax::codes;
use serde::{Serialize, Serializer};

/// Numbers decisions from 1, in the order they are asked.
pub type DecisionId = u64;

/// One question to one seat. Options are only counted here; they are made on request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Its number. The same game with the same answers gives the same numbers.
    pub id: DecisionId,
    /// The seat that is asked.
    pub seat: usize,
    /// The form that the answer must have.
    pub form: Form,
    /// Number of options; for forms other than [`Form::One`] and [`Form::Number`], the number of things to choose from. At most
    /// [`crate::runtime::limits::MOST_NUMBERED`] moves of one action are counted.
    pub count: u64,
    /// Choosing nothing is an answer too, regardless of the form's limits. Has no meaning for [`Form::One`].
    pub may_pass: bool,
    /// Decisions with the same group are asked at once; answers stay hidden until all are given.
    pub group: Option<u64>,
    /// The choice stays hidden from the others until all seats of the group have answered.
    pub secret: bool,
    /// The possible answers may depend on hidden information.
    pub veiled: bool,
    /// There is only one answer, and that fact must stay hidden. The decision is shown only to the recorder of play, who answers
    /// it with [`crate::runtime::Session::forced_answer`].
    pub forced: bool,
}

impl Decision {
    /// The possible answers.
    #[inline]
    pub fn answers(&self) -> Answers {
        Answers { form: self.form, count: self.count, may_pass: self.may_pass }
    }
}

/// One option as shown to a seat, made on request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OptionView {
    /// Its index among the options of the decision, from 0.
    pub id: u64,
    /// Stable within the decision: `leap(0+3>6)`.
    pub key: String,
    /// `leap`, an offer's name, `pass`, `yes`, `no`, or the first part of the form's keys.
    pub action: String,
    /// The name of each role, with the argument that fills it.
    #[serde(serialize_with = "serialize_by_name")]
    pub args: Vec<(String, Argument)>,
    /// A sentence for people, without a full stop.
    pub text: String,
    /// The ability that gives this option, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ability: Option<String>,
}

/// Serialises arguments as an object.
fn serialize_by_name<S: Serializer>(arguments: &[(String, Argument)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(arguments.iter().map(|(name, argument)| (name, argument)))
}

/// The filling of an option's role.
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
    /// A number; in half units if the role takes halves.
    Number(i64),
    /// A word, or the key of something other than a piece.
    Word(String),
    /// Several arguments.
    List(Vec<Argument>),
    /// The role is left empty.
    Nothing,
}

impl Argument {
    /// The numbers of all pieces in it.
    pub fn piece_numbers(&self) -> Vec<usize> {
        match self {
            Argument::Piece(piece) => vec![piece.id],
            Argument::List(list) => list.iter().flat_map(Argument::piece_numbers).collect(),
            _ => Vec::new(),
        }
    }
}

/// The reason why an answer was refused. Nothing has changed, and the decision is still open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// One of [`ludex_syntax::codes`].
    pub code: &'static str,
    /// The error for people, without a full stop.
    pub reason: String,
    /// The remedy, if there is one.
    pub help: Option<String>,
}

impl Refusal {
    /// The refusal of an answer that is not allowed now.
    pub(crate) fn illegal_choice(reason: String) -> Refusal {
        Refusal { code: codes::ILLEGAL_CHOICE, reason, help: None }
    }
}

/// The message for a question without options.
pub(crate) fn no_options_text(prompt: Option<&str>) -> String {
    match prompt {
        Some(prompt) => format!("“{prompt}” has no options to choose from"),
        None => "the question has no options to choose from".to_string(),
    }
}
