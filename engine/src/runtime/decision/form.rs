//! The forms of decisions. Each form defines its answers and the errors of wrong ones.
//!
//! Code that asks, answers or reports uses these definitions. It treats a form separately only for work of its own, such as
//! parsing typed input.

use crate::runtime::arrange::{
    amounts_between, count_orders, count_subsets, cuts_to_sample, even_amounts, wrong_amounts, wrong_order,
};
use crate::runtime::decision::random_answers::Lots;
use itertools::Itertools;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The form of a decision's answer. Its JSON fields describe the form to programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "form")]
pub enum Form {
    /// One option.
    One,
    /// From `min` to `max` of the options.
    Some {
        /// Minimum number of options.
        min: u64,
        /// Maximum number of options.
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
    /// An amount for each option: multiples of `step` that add up to `total`.
    Split {
        /// The sum of all amounts.
        total: i64,
        /// The unit of the amounts, 1 or more.
        step: i64,
    },
}

/// The key word of an answer that chooses things: `choose(1+2)`.
pub const CHOOSE: &str = "choose";
/// The key word of a number: `number(4)`.
pub const NUMBER: &str = "number";
/// The key word of an order: `order(2+0+1)`.
pub const ORDER: &str = "order";
/// The key word of a divided total: `divide(0=20+2=40)`.
pub const DIVIDE: &str = "divide";
/// The key words of answers that are not moves.
pub const KEY_WORDS: [&str; 4] = [CHOOSE, NUMBER, ORDER, DIVIDE];

/// Whether the order of the things in a key with this key word matters.
pub fn is_ordered(key_word: &str) -> bool {
    key_word == ORDER
}

/// An answer to a decision.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Choice {
    /// One option by its index.
    Option(u64),
    /// An answer of any form by its key. In very large choices a move may have no index.
    Key(String),
    /// Several options: in ascending order for [`Form::Some`], in the desired order for [`Form::Order`]. An empty list passes.
    Options(Vec<u64>),
    /// A number, for [`Form::Number`].
    Number(i64),
    /// An amount for each option, for [`Form::Split`].
    Amounts(Vec<i64>),
}

/// The possible answers of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answers {
    /// Their form.
    pub form: Form,
    /// Number of options, see [`crate::runtime::Decision::count`].
    pub count: u64,
    /// Choosing nothing is an answer too, regardless of the form's limits.
    pub may_pass: bool,
}

/// The reason why an answer does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// An option is named twice.
    Twice,
    /// Another reason, in words.
    Because(String),
    /// Wrong form, or a wrong number of options. The reader of the answer can best explain the right form.
    Other,
}

impl Misfit {
    /// The error for people, without a full stop.
    pub fn reason_text(self) -> String {
        match self {
            Misfit::Twice => "an option is named twice".to_string(),
            Misfit::Because(reason) => reason,
            Misfit::Other => "the answer is not allowed here".to_string(),
        }
    }
}

impl Form {
    /// The key word of an answer, unless it is a move: one of [`KEY_WORDS`].
    pub fn key_word(self) -> &'static str {
        match self {
            Form::One | Form::Some { .. } => CHOOSE,
            Form::Number { .. } => NUMBER,
            Form::Order => ORDER,
            Form::Split { .. } => DIVIDE,
        }
    }

    /// Whether several options are chosen at once.
    pub fn takes_several(self) -> bool {
        match self {
            Form::Some { .. } | Form::Order => true,
            Form::One | Form::Number { .. } | Form::Split { .. } => false,
        }
    }

    /// Whether an answer covers every option, so that a single option is not an answer.
    pub fn covers_all_options(self) -> bool {
        match self {
            Form::Order | Form::Split { .. } => true,
            Form::One | Form::Some { .. } | Form::Number { .. } => false,
        }
    }

    /// Whether the answer is a list: of things, or of amounts.
    pub(crate) fn gives_list(self) -> bool {
        match self {
            Form::Some { .. } | Form::Order | Form::Split { .. } => true,
            Form::One | Form::Number { .. } => false,
        }
    }

    /// The form for a question without options.
    pub(crate) fn without_options(self) -> Form {
        match self {
            Form::Some { .. } => Form::Some { min: 0, max: 0 },
            Form::Number { .. } => Form::Number { min: 0, max: 0 },
            Form::One | Form::Order | Form::Split { .. } => self,
        }
    }

    /// Whether the order of the chosen options matters.
    pub(crate) fn is_ordered(self) -> bool {
        is_ordered(self.key_word())
    }
}

impl Answers {
    /// The answer that chooses nothing, if it is allowed.
    pub fn empty_answer(&self) -> Option<Choice> {
        let nothing = Choice::Options(Vec::new());
        (self.form != Form::One && self.find_misfit(&nothing).is_none()).then_some(nothing)
    }

    /// Whether an answer is the one that chooses nothing, and this is allowed.
    #[inline]
    pub fn is_passing(&self, choice: &Choice) -> bool {
        self.may_pass && matches!(choice, Choice::Options(indices) if indices.is_empty())
    }

    /// The reason why an answer does not fit; `None` if it does.
    #[inline]
    pub fn find_misfit(&self, choice: &Choice) -> Option<Misfit> {
        // The usual case is a single option.
        match (self.form, choice) {
            (Form::One, Choice::Option(index)) if *index < self.count => None,
            _ => self.find_any_misfit(choice),
        }
    }

    /// The same for all answers. Separate, so that the usual case stays small.
    #[inline(never)]
    fn find_any_misfit(&self, choice: &Choice) -> Option<Misfit> {
        if self.is_passing(choice) {
            return None;
        }
        let fits = match (self.form, choice) {
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

    /// Returns the answer if it is one of these.
    pub fn check_answer(&self, choice: Choice) -> Result<Choice, Misfit> {
        self.find_misfit(&choice).map_or(Ok(choice), Err)
    }

    /// The answer that chooses these options, named in any order.
    pub fn choice_of_options(&self, named: Vec<u64>) -> Result<Choice, Misfit> {
        let different: BTreeSet<u64> = named.iter().copied().collect();
        if different.len() < named.len() {
            return Err(Misfit::Twice);
        }
        self.check_answer(Choice::Options(if self.form.is_ordered() { named } else { different.into_iter().collect() }))
    }

    /// Number of options that can be listed; 0 for a number, which has no list.
    pub(crate) fn listed_count(&self) -> u64 {
        match self.form {
            Form::Number { .. } => 0,
            Form::One | Form::Some { .. } | Form::Order | Form::Split { .. } => self.count,
        }
    }

    /// Whether no answer is possible.
    #[inline]
    pub(crate) fn is_void(&self) -> bool {
        match self.form {
            Form::Number { min, max } => max < min && self.may_pass,
            Form::One | Form::Some { .. } | Form::Order | Form::Split { .. } => self.count == 0,
        }
    }

    /// The only answer, if there is exactly one.
    #[inline]
    pub(crate) fn only_answer(&self) -> Option<Choice> {
        let is_only = match self.form {
            Form::One => self.count == 1,
            _ if self.may_pass => return (self.count == 0).then(|| Choice::Options(Vec::new())),
            Form::Some { min, max } => min == self.count || max == 0,
            Form::Number { min, max } => min >= max,
            Form::Order => self.count == 1,
            Form::Split { total, .. } => total == 0 || self.count == 1,
        };
        is_only.then(|| self.first_answer())
    }

    /// The first answer that chooses something: the first options, the least number, the current order, or the most even
    /// division.
    #[inline]
    pub fn first_answer(&self) -> Choice {
        match self.form {
            Form::One => Choice::Option(0),
            Form::Some { min, .. } => Choice::Options((0..min).collect()),
            Form::Number { min, .. } => Choice::Number(min),
            Form::Order => Choice::Options((0..self.count).collect()),
            Form::Split { total, step } => Choice::Amounts(even_amounts(self.count, total, step)),
        }
    }

    /// Answers that choose something, simple ones first: each option alone, each number, each rotation of the options, or the
    /// whole total for each. At most `most` answers if the form has many.
    pub fn simple_answers(self, most: u64) -> Box<dyn Iterator<Item = Choice>> {
        let Answers { form, count, .. } = self;
        let places = 0..count.min(most);
        match form {
            Form::One => Box::new(places.map(Choice::Option)),
            Form::Some { .. } => Box::new(std::iter::once(self.first_answer())),
            Form::Number { min, max } => Box::new((0..most).map_while(move |further| {
                let number = min.checked_add_unsigned(further)?;
                (number <= max).then_some(Choice::Number(number))
            })),
            Form::Order => Box::new(places.map(move |first| Choice::Options((first..count).chain(0..first).collect()))),
            Form::Split { total, .. } => {
                let all_for = move |chosen| (0..count).map(|place| if place == chosen { total } else { 0 }).collect();
                Box::new(places.map(move |chosen| Choice::Amounts(all_for(chosen))))
            }
        }
    }

    /// Every answer once, with passing last. [`Answers::count_answers`] gives their number.
    pub fn list_answers(self) -> Box<dyn Iterator<Item = Choice>> {
        let Answers { form, count, may_pass } = self;
        let sets = |of: u64, size: u64| (0..of).combinations(usize::try_from(size).unwrap_or(usize::MAX));
        let choosing: Box<dyn Iterator<Item = Choice>> = match form {
            Form::One => return Box::new((0..count).map(Choice::Option)),
            Form::Some { min, max } => {
                let is_chosen = move |size: &u64| *size > 0 || !may_pass;
                let sizes = (min..=max.min(count)).filter(is_chosen);
                Box::new(sizes.flat_map(move |size| sets(count, size)).map(Choice::Options))
            }
            Form::Number { min, max } => Box::new((min..=max).map(Choice::Number)),
            Form::Order => Box::new((0..count).permutations(usize::try_from(count).unwrap_or(usize::MAX)).map(Choice::Options)),
            Form::Split { total, step } => {
                let (row, size) = cuts_to_sample(count, total, step);
                Box::new(sets(row, size).map(move |cuts| Choice::Amounts(amounts_between(&cuts, total, step))))
            }
        };
        Box::new(choosing.chain(may_pass.then(|| Choice::Options(Vec::new()))))
    }

    /// Number of answers. Very large results may be too small, but are still very large.
    pub fn count_answers(&self) -> u128 {
        self.count_nonempty() + u128::from(self.may_pass)
    }

    /// Number of answers that choose something.
    fn count_nonempty(&self) -> u128 {
        let number = match self.form {
            Form::One => u128::from(self.count),
            Form::Some { min, max } => {
                (min..=max.min(self.count)).fold(0, |all: u128, size| all.saturating_add(count_subsets(self.count, size)))
            }
            Form::Number { min, max } => u128::from(max.wrapping_sub(min).cast_unsigned()) + 1,
            Form::Order => count_orders(self.count),
            Form::Split { total, step } => {
                let (row, size) = cuts_to_sample(self.count, total, step);
                count_subsets(row, size)
            }
        };
        number.min(u128::MAX - 1)
    }

    /// A random answer, uniform as far as the lots allow.
    #[inline]
    pub fn draw_answer(&self, lots: &mut impl Lots) -> Choice {
        let Answers { form, count, may_pass } = *self;
        match form {
            Form::One => Choice::Option(lots.draw_below(count)),
            Form::Some { min, max } => Choice::Options(lots.draw_set(count, min, max, may_pass)),
            // The number after the last one means choosing nothing.
            Form::Number { min, max } => match lots.draw_between(min, max.saturating_add(i64::from(may_pass))) {
                beyond if beyond > max => Choice::Options(Vec::new()),
                number => Choice::Number(number),
            },
            Form::Order | Form::Split { .. } if may_pass && lots.draws_nothing(self.count_nonempty()) => {
                Choice::Options(Vec::new())
            }
            Form::Order => Choice::Options(lots.draw_order(count)),
            Form::Split { total, step } => {
                let (row, size) = cuts_to_sample(count, total, step);
                Choice::Amounts(amounts_between(&lots.draw_sample(row, size), total, step))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::random::seeded_generator;
    use std::collections::HashSet;

    /// Small questions of every form, each with how many answers choose something.
    const QUESTIONS: &[(Form, u64, u128)] = &[
        (Form::One, 1, 1),
        (Form::One, 5, 5),
        (Form::Some { min: 0, max: 3 }, 3, 8),
        (Form::Some { min: 2, max: 9 }, 4, 11),
        (Form::Some { min: 2, max: 2 }, 2, 1),
        (Form::Number { min: -1, max: 3 }, 5, 5),
        (Form::Number { min: 4, max: 4 }, 1, 1),
        (Form::Order, 1, 1),
        (Form::Order, 4, 24),
        (Form::Split { total: 30, step: 10 }, 3, 10),
        (Form::Split { total: 0, step: 1 }, 3, 1),
        (Form::Split { total: 5, step: 1 }, 1, 1),
    ];

    fn questions() -> impl Iterator<Item = (Answers, u128)> {
        let both = QUESTIONS.iter().flat_map(|question| [(false, question), (true, question)]);
        // Where options are moves, passing is one of them.
        let both = both.filter(|(may_pass, (form, ..))| !(*may_pass && *form == Form::One));
        both.map(|(may_pass, (form, count, choosing))| {
            (Answers { form: *form, count: *count, may_pass }, choosing + u128::from(may_pass))
        })
    }

    #[test]
    fn every_answer_is_drawn_and_nothing_else() {
        for (answers, number) in questions() {
            let mut lots = seeded_generator(3);
            let drawn: HashSet<Choice> = (0..2_000).map(|_| answers.draw_answer(&mut lots)).collect();
            for choice in &drawn {
                assert_eq!(answers.find_misfit(choice), None, "{choice:?} of {answers:?}");
                if let Choice::Options(named) = choice {
                    assert_eq!(answers.choice_of_options(named.clone()).as_ref(), Ok(choice), "{answers:?}");
                }
            }
            assert!(KEY_WORDS.contains(&answers.form.key_word()), "{answers:?}");
            let passes_twice = answers.may_pass && matches!(answers.form, Form::Some { min: 0, .. });
            assert_eq!(drawn.len() as u128, number - u128::from(passes_twice), "{answers:?}");
            assert_eq!(answers.count_answers(), number, "{answers:?}");
            let all: Vec<Choice> = answers.list_answers().collect();
            assert_eq!(all.len(), drawn.len(), "{answers:?}: {all:?}");
            assert_eq!(all.into_iter().collect::<HashSet<Choice>>(), drawn, "{answers:?}");
        }
    }

    #[test]
    fn the_first_and_the_simple_answers_fit() {
        for (answers, number) in questions() {
            assert_eq!(answers.find_misfit(&answers.first_answer()), None, "{answers:?}");
            let simple: HashSet<Choice> = answers.simple_answers(100).collect();
            assert!((1..=number).contains(&(simple.len() as u128)), "{answers:?}: {simple:?}");
            assert!(simple.iter().all(|choice| answers.find_misfit(choice).is_none()), "{answers:?}: {simple:?}");
            assert!(answers.simple_answers(2).count() <= 2);
        }
    }

    #[test]
    fn an_answer_is_forced_if_it_is_the_only_one() {
        for (answers, number) in questions() {
            let only = answers.only_answer();
            assert_eq!(only.is_some(), number == 1, "{answers:?}");
            assert!(only.is_none_or(|choice| answers.find_misfit(&choice).is_none()));
        }
        let nothing_there = Answers { form: Form::Order, count: 0, may_pass: true };
        assert!(nothing_there.is_void());
        assert_eq!(nothing_there.only_answer(), Some(Choice::Options(Vec::new())));
    }

    #[track_caller]
    fn wrong(answers: Answers, choice: Choice, misfit: Misfit) {
        assert_eq!(answers.find_misfit(&choice), Some(misfit));
    }

    #[test]
    fn what_is_wrong_with_an_answer_is_said() {
        let of = |form, count| Answers { form, count, may_pass: false };
        wrong(of(Form::One, 3), Choice::Option(3), Misfit::Other);
        wrong(of(Form::One, 3), Choice::Options(vec![1]), Misfit::Other);
        wrong(of(Form::Some { min: 1, max: 2 }, 3), Choice::Options(vec![2, 1]), Misfit::Other);
        wrong(of(Form::Some { min: 1, max: 2 }, 3), Choice::Options(vec![]), Misfit::Other);
        wrong(of(Form::Number { min: 1, max: 2 }, 0), Choice::Number(3), Misfit::Other);
        wrong(of(Form::Order, 2), Choice::Options(vec![1, 1]), Misfit::Because("an option is named twice".to_string()));
        let split = of(Form::Split { total: 4, step: 2 }, 2);
        assert!(matches!(split.find_misfit(&Choice::Amounts(vec![1, 3])), Some(Misfit::Because(_))));
    }

    #[test]
    fn options_are_named_in_any_order() {
        let some = Answers { form: Form::Some { min: 1, max: 3 }, count: 4, may_pass: false };
        assert_eq!(some.choice_of_options(vec![3, 0]), Ok(Choice::Options(vec![0, 3])));
        assert_eq!(some.choice_of_options(vec![3, 3]), Err(Misfit::Twice));
        let order = Answers { form: Form::Order, count: 3, may_pass: false };
        assert_eq!(order.choice_of_options(vec![2, 0, 1]), Ok(Choice::Options(vec![2, 0, 1])));
    }

    #[test]
    fn very_many_answers_are_still_counted_as_very_many() {
        let all = Answers { form: Form::Order, count: 90, may_pass: true };
        assert!(all.count_answers() > u128::MAX - 2);
        let wide = Answers { form: Form::Number { min: i64::MIN, max: i64::MAX }, count: 0, may_pass: false };
        assert_eq!(wide.count_answers(), 1 << 64);
        assert_eq!(wide.simple_answers(3).count(), 3);
    }
}
