//! The forms in which decisions are answered, and all that is known of each: which answers it has and what is wrong with others.
//!
//! Whoever asks, answers or tells of an answer learns it here, and has a case of its own for a form only where what it does is
//! its own, such as reading what people type.

use crate::runtime::arrange::{amounts_between, cuts, even_amounts, orders, sets, wrong_amounts, wrong_order};
use crate::runtime::decision::lots::Lots;
use itertools::Itertools;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// In which form a decision is answered. As JSON it is the fields that tell programs of it.
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

/// What the key of an answer begins with that chooses things: `choose(1+2)`.
pub const CHOOSE: &str = "choose";
/// What the key of a number begins with: `number(4)`.
pub const NUMBER: &str = "number";
/// What the key of an order begins with: `order(2+0+1)`.
pub const ORDER: &str = "order";
/// What the key of a divided total begins with: `divide(0=20+2=40)`.
pub const DIVIDE: &str = "divide";
/// What the keys of answers begin with that are not moves.
pub const KEY_WORDS: [&str; 4] = [CHOOSE, NUMBER, ORDER, DIVIDE];

/// Whether it matters in which order a key that begins with this names things.
pub fn is_ordered(key_word: &str) -> bool {
    key_word == ORDER
}

/// An answer to a decision.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Choice {
    /// One option by its index.
    Option(u64),
    /// An answer of any form by its key: a move may have no index, where there are so many.
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
    /// What the key of an answer begins with, unless it is a move: one of [`KEY_WORDS`].
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

    /// Whether an answer says something of every option, so that none of them alone is an answer.
    pub fn is_of_all(self) -> bool {
        match self {
            Form::Order | Form::Split { .. } => true,
            Form::One | Form::Some { .. } | Form::Number { .. } => false,
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
    pub(crate) fn is_ordered(self) -> bool {
        is_ordered(self.key_word())
    }
}

impl Answers {
    /// The answer that chooses nothing, if that may be.
    pub fn nothing(&self) -> Option<Choice> {
        let nothing = Choice::Options(Vec::new());
        (self.form != Form::One && self.misfit(&nothing).is_none()).then_some(nothing)
    }

    /// Whether an answer chooses nothing, where that may be.
    #[inline]
    pub fn is_none(&self, choice: &Choice) -> bool {
        self.may_pass && matches!(choice, Choice::Options(indices) if indices.is_empty())
    }

    /// Why an answer is none of these, if it is none.
    #[inline]
    pub fn misfit(&self, choice: &Choice) -> Option<Misfit> {
        // Mostly one option is chosen.
        match (self.form, choice) {
            (Form::One, Choice::Option(index)) if *index < self.count => None,
            _ => self.misfit_of_any(choice),
        }
    }

    #[inline(never)]
    fn misfit_of_any(&self, choice: &Choice) -> Option<Misfit> {
        if self.is_none(choice) {
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

    /// How many options can be listed: a number is not chosen from a list.
    pub(crate) fn listed(&self) -> u64 {
        match self.form {
            Form::Number { .. } => 0,
            Form::One | Form::Some { .. } | Form::Order | Form::Split { .. } => self.count,
        }
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
            Form::Some { min, max } => min == self.count || max == 0,
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

    /// Answers that choose something, simple ones first: each option alone, each number, all options in each turn, the whole total
    /// for each. Of a form with many of them, no more than `most`.
    pub fn simple(self, most: u64) -> Box<dyn Iterator<Item = Choice>> {
        let Answers { form, count, .. } = self;
        let places = 0..count.min(most);
        match form {
            Form::One => Box::new(places.map(Choice::Option)),
            Form::Some { .. } => Box::new(std::iter::once(self.first())),
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

    /// Every answer, each once: passing comes last. See [`Answers::number`] for how many they are.
    pub fn all(self) -> Box<dyn Iterator<Item = Choice>> {
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
                let (row, size) = cuts(count, total, step);
                Box::new(sets(row, size).map(move |cuts| Choice::Amounts(amounts_between(&cuts, total, step))))
            }
        };
        Box::new(choosing.chain(may_pass.then(|| Choice::Options(Vec::new()))))
    }

    /// How many there are; of very many, fewer than that, but still very many.
    pub fn number(&self) -> u128 {
        self.choosing() + u128::from(self.may_pass)
    }

    /// How many choose something.
    fn choosing(&self) -> u128 {
        let number = match self.form {
            Form::One => u128::from(self.count),
            Form::Some { min, max } => {
                (min..=max.min(self.count)).fold(0, |all: u128, size| all.saturating_add(sets(self.count, size)))
            }
            Form::Number { min, max } => u128::from(max.wrapping_sub(min).cast_unsigned()) + 1,
            Form::Order => orders(self.count),
            Form::Split { total, step } => {
                let (row, size) = cuts(self.count, total, step);
                sets(row, size)
            }
        };
        number.min(u128::MAX - 1)
    }

    /// Any of them, each as likely as any other, as far as the lots go.
    #[inline]
    pub fn drawn(&self, lots: &mut impl Lots) -> Choice {
        let Answers { form, count, may_pass } = *self;
        match form {
            Form::One => Choice::Option(lots.below(count)),
            Form::Some { min, max } => Choice::Options(lots.set(count, min, max, may_pass)),
            // One more than the last stands for choosing nothing.
            Form::Number { min, max } => match lots.between(min, max.saturating_add(i64::from(may_pass))) {
                beyond if beyond > max => Choice::Options(Vec::new()),
                number => Choice::Number(number),
            },
            Form::Order | Form::Split { .. } if may_pass && lots.is_none(self.choosing()) => Choice::Options(Vec::new()),
            Form::Order => Choice::Options(lots.shuffled(count)),
            Form::Split { total, step } => {
                let (row, size) = cuts(count, total, step);
                Choice::Amounts(amounts_between(&lots.sample(row, size), total, step))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::random::generator;
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
            let mut lots = generator(3);
            let drawn: HashSet<Choice> = (0..2_000).map(|_| answers.drawn(&mut lots)).collect();
            for choice in &drawn {
                assert_eq!(answers.misfit(choice), None, "{choice:?} of {answers:?}");
                if let Choice::Options(named) = choice {
                    assert_eq!(answers.of_options(named.clone()).as_ref(), Ok(choice), "{answers:?}");
                }
            }
            assert!(KEY_WORDS.contains(&answers.form.key_word()), "{answers:?}");
            let passes_twice = answers.may_pass && matches!(answers.form, Form::Some { min: 0, .. });
            assert_eq!(drawn.len() as u128, number - u128::from(passes_twice), "{answers:?}");
            assert_eq!(answers.number(), number, "{answers:?}");
            let all: Vec<Choice> = answers.all().collect();
            assert_eq!(all.len(), drawn.len(), "{answers:?}: {all:?}");
            assert_eq!(all.into_iter().collect::<HashSet<Choice>>(), drawn, "{answers:?}");
        }
    }

    #[test]
    fn the_first_and_the_simple_answers_fit() {
        for (answers, number) in questions() {
            assert_eq!(answers.misfit(&answers.first()), None, "{answers:?}");
            let simple: HashSet<Choice> = answers.simple(100).collect();
            assert!((1..=number).contains(&(simple.len() as u128)), "{answers:?}: {simple:?}");
            assert!(simple.iter().all(|choice| answers.misfit(choice).is_none()), "{answers:?}: {simple:?}");
            assert!(answers.simple(2).count() <= 2);
        }
    }

    #[test]
    fn an_answer_is_forced_if_it_is_the_only_one() {
        for (answers, number) in questions() {
            let only = answers.only();
            assert_eq!(only.is_some(), number == 1, "{answers:?}");
            assert!(only.is_none_or(|choice| answers.misfit(&choice).is_none()));
        }
        let nothing_there = Answers { form: Form::Order, count: 0, may_pass: true };
        assert!(nothing_there.is_void());
        assert_eq!(nothing_there.only(), Some(Choice::Options(Vec::new())));
    }

    #[track_caller]
    fn wrong(answers: Answers, choice: Choice, misfit: Misfit) {
        assert_eq!(answers.misfit(&choice), Some(misfit));
    }

    #[test]
    fn what_is_wrong_with_an_answer_is_said() {
        let of = |form, count| Answers { form, count, may_pass: false };
        wrong(of(Form::One, 3), Choice::Option(3), Misfit::Other);
        wrong(of(Form::One, 3), Choice::Options(vec![1]), Misfit::Other);
        wrong(of(Form::Some { min: 1, max: 2 }, 3), Choice::Options(vec![2, 1]), Misfit::Other);
        wrong(of(Form::Some { min: 1, max: 2 }, 3), Choice::Options(vec![]), Misfit::Other);
        wrong(of(Form::Number { min: 1, max: 2 }, 0), Choice::Number(3), Misfit::Other);
        wrong(of(Form::Order, 2), Choice::Options(vec![1, 1]), Misfit::Because("one of them is named twice".to_string()));
        let split = of(Form::Split { total: 4, step: 2 }, 2);
        assert!(matches!(split.misfit(&Choice::Amounts(vec![1, 3])), Some(Misfit::Because(_))));
    }

    #[test]
    fn options_are_named_in_any_order() {
        let some = Answers { form: Form::Some { min: 1, max: 3 }, count: 4, may_pass: false };
        assert_eq!(some.of_options(vec![3, 0]), Ok(Choice::Options(vec![0, 3])));
        assert_eq!(some.of_options(vec![3, 3]), Err(Misfit::Twice));
        let order = Answers { form: Form::Order, count: 3, may_pass: false };
        assert_eq!(order.of_options(vec![2, 0, 1]), Ok(Choice::Options(vec![2, 0, 1])));
    }

    #[test]
    fn very_many_answers_are_still_counted_as_very_many() {
        let all = Answers { form: Form::Order, count: 90, may_pass: true };
        assert!(all.number() > u128::MAX - 2);
        let wide = Answers { form: Form::Number { min: i64::MIN, max: i64::MAX }, count: 0, may_pass: false };
        assert_eq!(wide.number(), 1 << 64);
        assert_eq!(wide.simple(3).count(), 3);
    }
}
