//! The forms in which decisions are answered, and all that is known of each: which answers it has and what is wrong with others.
//!
//! Whoever asks, answers or tells of an answer learns it here, and has a case of its own for a form only where what it does is
//! its own, such as reading what people type.

use crate::runtime::arrange::{even_amounts, wrong_amounts, wrong_order};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// In which form a decision is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "form")]
pub enum Form {
    /// One option.
    One,
    /// From `min` to `max` of the options.
    Some {
        /// The fewest options.
        min: u64,
        /// The most options.
        max: u64,
    },
    /// A number from `min` to `max`.
    Number {
        /// The lowest number.
        min: i64,
        /// The highest number.
        max: i64,
    },
    /// All options, in an order.
    Order,
    /// An amount for each option: multiples of `step` that are `total` together.
    Split {
        /// What all amounts come to together.
        total: i64,
        /// What each amount is a multiple of, 1 or more.
        step: i64,
    },
}

/// An answer to a decision.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Choice {
    /// One option by its index.
    Option(u64),
    /// A move by its key: how one is chosen that has no index, as there are so many.
    Key(String),
    /// Several: for [`Form::Some`] with rising indexes, for [`Form::Order`] in the order wanted. None of them passes.
    Options(Vec<u64>),
    /// A number, for [`Form::Number`].
    Number(i64),
    /// One for each option, for [`Form::Split`].
    Amounts(Vec<i64>),
}

/// The answers that a question may be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answers {
    /// Their form.
    pub form: Form,
    /// How many options there are, see [`crate::runtime::Decision::count`].
    pub count: u64,
    /// Choosing nothing is an answer too, whatever is wanted otherwise.
    pub may_pass: bool,
}

/// Why an answer is none of those that may be given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// An option is named twice.
    Twice,
    /// This, in words.
    Because(String),
    /// It is of another form, or chooses more or fewer than are wanted. Who has read it says best what is wanted.
    Other,
}

impl Misfit {
    /// What is wrong, for people, without a final stop.
    pub fn reason(self) -> String {
        match self {
            Misfit::Twice => "one of them is named twice".to_string(),
            Misfit::Because(reason) => reason,
            Misfit::Other => "the answer is not one of those that may be given".to_string(),
        }
    }
}

impl Form {
    /// Whether several options are chosen at once.
    pub fn takes_several(self) -> bool {
        match self {
            Form::Some { .. } | Form::Order => true,
            Form::One | Form::Number { .. } | Form::Split { .. } => false,
        }
    }

    /// Whether what is chosen is a list: of things, or of amounts.
    pub(crate) fn gives_list(self) -> bool {
        match self {
            Form::Some { .. } | Form::Order | Form::Split { .. } => true,
            Form::One | Form::Number { .. } => false,
        }
    }

    /// The form where there is nothing to choose from.
    pub(crate) fn emptied(self) -> Form {
        match self {
            Form::Some { .. } => Form::Some { min: 0, max: 0 },
            Form::Number { .. } => Form::Number { min: 0, max: 0 },
            Form::One | Form::Order | Form::Split { .. } => self,
        }
    }

    /// Whether it matters in which order options are chosen.
    fn is_ordered(self) -> bool {
        match self {
            Form::Order => true,
            Form::One | Form::Some { .. } | Form::Number { .. } | Form::Split { .. } => false,
        }
    }
}

impl Answers {
    /// Whether an answer chooses nothing, where that may be.
    #[inline]
    pub fn is_none(&self, choice: &Choice) -> bool {
        self.may_pass && matches!(choice, Choice::Options(indices) if indices.is_empty())
    }

    /// Why an answer is none of these, if it is none.
    pub fn misfit(&self, choice: &Choice) -> Option<Misfit> {
        if self.is_none(choice) {
            return None;
        }
        let fits = match (self.form, choice) {
            (Form::One, Choice::Option(index)) => *index < self.count,
            (Form::One, Choice::Key(_)) => true,
            (Form::Some { min, max }, Choice::Options(indices)) => {
                (min..=max).contains(&(indices.len() as u64))
                    && indices.iter().all(|index| *index < self.count)
                    && indices.windows(2).all(|pair| pair[0] < pair[1])
            }
            (Form::Number { min, max }, Choice::Number(number)) => (min..=max).contains(number),
            (Form::Order, Choice::Options(order)) => return wrong_order(order, self.count).map(Misfit::Because),
            (Form::Split { total, step }, Choice::Amounts(amounts)) => {
                return wrong_amounts(amounts, self.count, total, step).map(Misfit::Because);
            }
            (Form::One | Form::Some { .. } | Form::Number { .. } | Form::Order | Form::Split { .. }, _) => false,
        };
        (!fits).then_some(Misfit::Other)
    }

    /// An answer, if it is one of these.
    pub fn checked(&self, choice: Choice) -> Result<Choice, Misfit> {
        self.misfit(&choice).map_or(Ok(choice), Err)
    }

    /// The answer that chooses these options, in whatever order they are named.
    pub fn of_options(&self, named: Vec<u64>) -> Result<Choice, Misfit> {
        let different: BTreeSet<u64> = named.iter().copied().collect();
        if different.len() < named.len() {
            return Err(Misfit::Twice);
        }
        self.checked(Choice::Options(if self.form.is_ordered() { named } else { different.into_iter().collect() }))
    }

    /// Whether there is nothing at all to answer.
    #[inline]
    pub(crate) fn is_void(&self) -> bool {
        match self.form {
            Form::Number { min, max } => max < min && self.may_pass,
            Form::One | Form::Some { .. } | Form::Order | Form::Split { .. } => self.count == 0,
        }
    }

    /// The answer, if there is only one.
    #[inline]
    pub(crate) fn only(&self) -> Option<Choice> {
        let is_only = match self.form {
            Form::One => self.count == 1,
            _ if self.may_pass => return (self.count == 0).then(|| Choice::Options(Vec::new())),
            Form::Some { min, .. } => min == self.count,
            Form::Number { min, max } => min >= max,
            Form::Order => self.count == 1,
            Form::Split { total, .. } => total == 0 || self.count == 1,
        };
        is_only.then(|| self.first())
    }

    /// The first answer that chooses something: the first options, the least number, things as they stand, parts as even as can
    /// be.
    #[inline]
    pub fn first(&self) -> Choice {
        match self.form {
            Form::One => Choice::Option(0),
            Form::Some { min, .. } => Choice::Options((0..min).collect()),
            Form::Number { min, .. } => Choice::Number(min),
            Form::Order => Choice::Options((0..self.count).collect()),
            Form::Split { total, step } => Choice::Amounts(even_amounts(self.count, total, step)),
        }
    }
}
