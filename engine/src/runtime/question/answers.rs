//! Whole answers: their keys and sentences, and the answer with a given key.
//!
//! `place` is the index of a question among the open ones. The *things* of a question are what its answers choose among; equal
//! things are distinguished by their order, as in `5#2`. A *share* is an amount for one thing.

use crate::runtime::context::Context;
use crate::runtime::decision::{Answers, Choice, Form, Refusal};
use crate::runtime::eval::question::Question;
use crate::runtime::limits::WORK_OF_VIEW;
use crate::runtime::question::Questions;
use crate::runtime::question::keys::{CHOOSE, FoundOption, PASS, bracket_text, inner_or_whole, split_share, split_things};
use crate::runtime::text::Speaker;
use ludex_program::{NONE, Value};
use ludex_syntax::problem::join_words;
use std::collections::{BTreeMap, BTreeSet};

impl Questions {
    // --- writing ---------------------------------------------------------------------

    /// The key and the sentence of an answer to the question at an index.
    pub fn describe_answer(&mut self, context: &Context, place: usize, answer: &Choice) -> (String, String) {
        let things = self.scratch.questions[place].items.clone();
        self.with_subjects(things, |machine| machine.key_and_sentence(context, place, answer))
    }

    /// The key of an answer to the question at an index.
    pub fn answer_key(&mut self, context: &Context, place: usize, answer: &Choice) -> String {
        let question = &self.scratch.questions[place];
        let answers = question.possible_answers();
        let word = answers.form.key_word();
        let key = match answer {
            Choice::Options(_) if answers.is_passing(answer) => None,
            Choice::Number(number) => Some(format!("{word}({number})")),
            Choice::Options(chosen) => Some(format!("{word}({})", self.keys_of_things(context, question, chosen))),
            Choice::Amounts(amounts) => Some(format!("{word}({})", self.keys_of_amounts(context, question, amounts))),
            Choice::Option(_) | Choice::Key(_) => {
                let index = self.option_index(context, place, answer);
                // The work is the same as for an option with words.
                self.meter.add_work(WORK_OF_VIEW);
                self.scratch.questions.get(place).and_then(|question| self.option_key(context, question, index))
            }
        };
        key.unwrap_or_else(|| PASS.to_string())
    }

    /// The same, once the things to choose from may be named.
    fn key_and_sentence(&mut self, context: &Context, place: usize, answer: &Choice) -> (String, String) {
        let question = &self.scratch.questions[place];
        let text = match answer {
            Choice::Options(_) if question.possible_answers().is_passing(answer) => {
                self.pass_words(context).unwrap_or_else(|| PASS.to_string())
            }
            Choice::Number(number) => number.to_string(),
            Choice::Options(chosen) => self.things_text(context, question, chosen),
            Choice::Amounts(amounts) => self.amounts_text(context, question, amounts),
            Choice::Option(_) | Choice::Key(_) => {
                let index = self.option_index(context, place, answer);
                return match self.option_view(context, place, index) {
                    Some(view) => (view.key, view.text),
                    None => (PASS.to_string(), PASS.to_string()),
                };
            }
        };
        (self.answer_key(context, place, answer), text)
    }

    /// The words for chosen things, in their order if that matters.
    fn things_text(&self, context: &Context, question: &Question, chosen: &[u64]) -> String {
        let places = || chosen.iter().filter_map(|index| usize::try_from(*index).ok());
        let items: Vec<Value> = places().filter_map(|place| question.items.get(place)).copied().collect();
        match question.possible_answers().form {
            _ if items.is_empty() => "nothing".to_string(),
            form if form.is_ordered() => {
                places().filter_map(|place| self.thing_text(context, question, place)).collect::<Vec<_>>().join(", then ")
            }
            _ => question
                .item_shape
                .as_ref()
                .map_or(String::new(), |shape| join_words(&self.describe_values(context, &items, shape), "and")),
        }
    }

    /// The keys of chosen things, joined: `1+2`.
    fn keys_of_things(&self, context: &Context, question: &Question, chosen: &[u64]) -> String {
        let before = equal_before(&question.items);
        let key = |place: usize| self.key_of_equal(context, question, place, *before.get(place)?);
        let places = chosen.iter().filter_map(|index| usize::try_from(*index).ok());
        places.filter_map(key).collect::<Vec<String>>().join("+")
    }

    /// The words for amounts. Receivers of nothing are not named.
    fn amounts_text(&self, context: &Context, question: &Question, amounts: &[i64]) -> String {
        let given = || amounts.iter().enumerate().filter(|(_, amount)| **amount != 0);
        let text = |(place, amount): (usize, &i64)| Some(format!("{amount} for {}", self.thing_text(context, question, place)?));
        let texts: Vec<String> = given().filter_map(text).collect();
        if texts.is_empty() { "nothing".to_string() } else { join_words(&texts, "and") }
    }

    /// The keys of things with their amounts, joined: `0=20+2=40`. Receivers of nothing are left out.
    fn keys_of_amounts(&self, context: &Context, question: &Question, amounts: &[i64]) -> String {
        let before = equal_before(&question.items);
        let thing = |place: usize| self.key_of_equal(context, question, place, *before.get(place)?);
        let key = |(place, amount): (usize, &i64)| Some(format!("{}={amount}", thing(place)?));
        let given = amounts.iter().enumerate().filter(|(_, amount)| **amount != 0);
        given.filter_map(key).collect::<Vec<String>>().join("+")
    }

    /// The key of one of a question's things. Among equal things the second has `#2` after its key.
    pub(super) fn thing_key(&self, context: &Context, question: &Question, place: usize) -> Option<String> {
        let item = question.items.get(place)?;
        let before = question.items.iter().take(place).filter(|other| *other == item).count();
        self.key_of_equal(context, question, place, before)
    }

    /// The key of the thing at `place` of a question, with `before` equal things before it.
    fn key_of_equal(&self, context: &Context, question: &Question, place: usize, before: usize) -> Option<String> {
        let key = self.key_of(context, *question.items.get(place)?, question.item_shape.as_ref()?);
        Some(if before == 0 { key } else { format!("{key}#{}", before + 1) })
    }

    /// The words for the thing at `place` of a question.
    pub(super) fn thing_text(&self, context: &Context, question: &Question, place: usize) -> Option<String> {
        Some(self.describe_value(context, *question.items.get(place)?, question.item_shape.as_ref()?))
    }

    // --- reading ---------------------------------------------------------------------

    /// The answer with a key to the question at an index, if it is possible; else the reason why not, with the rule that forbids
    /// it.
    pub(crate) fn answer_by_key(&mut self, context: &Context, place: usize, key: &str) -> Result<Choice, Refusal> {
        let key: String = key.chars().filter(|character| !character.is_whitespace()).collect();
        let Some(question) = self.scratch.questions.get(place) else {
            return Err(Refusal::illegal_choice(format!("`{key}` is not offered now")));
        };
        let answers = question.possible_answers();
        let inner = inner_or_whole(&key, answers.form.key_word());
        match answers.form {
            Form::One => self.option_answer(context, place, &key),
            _ if answers.may_pass && key == PASS => Ok(Choice::Options(Vec::new())),
            Form::Some { min, max } => {
                let named = self.parse_places(context, question, inner, "what may be chosen")?;
                let wrong = format!("the number of chosen things must be from {min} to {max}, not {}", named.len());
                answers.choice_of_options(named).map_err(|_| Refusal::illegal_choice(wrong))
            }
            Form::Number { min, max } => {
                let number = inner.parse().ok().map(Choice::Number).filter(|number| answers.find_misfit(number).is_none());
                number.ok_or_else(|| Refusal::illegal_choice(format!("`{key}` is not a number from {min} to {max}")))
            }
            Form::Order => {
                let named = self.parse_places(context, question, inner, "the things to put in order")?;
                accept_or_refuse(answers, Choice::Options(named))
            }
            Form::Split { total, .. } => {
                let amounts = self.parse_amounts(context, question, inner, total)?;
                accept_or_refuse(answers, Choice::Amounts(amounts))
            }
        }
    }

    /// The same for a question with options of which one is chosen.
    fn option_answer(&mut self, context: &Context, place: usize, key: &str) -> Result<Choice, Refusal> {
        let named = match self.option_by_key(context, place, key) {
            Some(FoundOption::Option(index)) => Some(Choice::Option(index)),
            Some(FoundOption::Beyond(index)) => self.option_view(context, place, index).map(|view| Choice::Key(view.key)),
            None => None,
        };
        named.ok_or_else(|| self.why_not(context, place, key))
    }

    /// The indexes of things by their keys.
    fn places_by_key(&self, context: &Context, question: &Question) -> BTreeMap<String, u64> {
        let before = equal_before(&question.items);
        let key = |(place, before): (usize, usize)| Some((self.key_of_equal(context, question, place, before)?, place as u64));
        before.into_iter().enumerate().filter_map(key).collect()
    }

    /// The index of the single thing in a key: `choose(5#2)`.
    pub(super) fn thing_by_key(&self, context: &Context, question: &Question, key: &str) -> Option<u64> {
        let is_none = |place: &usize| question.items.get(*place) == Some(&NONE);
        if key == PASS {
            return (0..question.items.len()).find(is_none).map(|place| place as u64);
        }
        let place = *self.places_by_key(context, question).get(bracket_text(key, CHOOSE)?)?;
        (!is_none(&(place as usize))).then_some(place)
    }

    /// The indexes of the things in a key, each named once, in the order of the key. `inner` is the text in its brackets, and
    /// `all` describes the things in a refusal.
    fn parse_places(&self, context: &Context, question: &Question, inner: &str, all: &str) -> Result<Vec<u64>, Refusal> {
        let places = self.places_by_key(context, question);
        let mut seen = BTreeSet::new();
        let place = |word| match places.get(word) {
            Some(place) if seen.insert(*place) => Ok(*place),
            Some(_) => Err(Refusal::illegal_choice(format!("`{word}` is named twice"))),
            None => Err(Refusal::illegal_choice(format!("`{word}` is not among {all}"))),
        };
        split_things(inner).map(place).collect()
    }

    /// The amounts in a key, `3=30+1=30`: 0 for receivers that are left out. `inner` is the text in its brackets, and `total`
    /// serves an example in a refusal.
    fn parse_amounts(&self, context: &Context, question: &Question, inner: &str, total: i64) -> Result<Vec<i64>, Refusal> {
        let places = self.places_by_key(context, question);
        let mut amounts: Vec<Option<i64>> = vec![None; question.items.len()];
        for part in split_things(inner) {
            let (word, amount) = split_share(part);
            let Some(amount) = amount.and_then(|amount| amount.parse().ok()) else {
                let refusal = Refusal::illegal_choice(format!("`{part}` does not say who gets how much"));
                let example = self.thing_key(context, question, 0).map(|first| {
                    let word = question.possible_answers().form.key_word();
                    format!("write it as `{word}({first}={total})`")
                });
                return Err(Refusal { help: example, ..refusal });
            };
            match places.get(word).and_then(|place| amounts.get_mut(*place as usize)) {
                Some(place @ None) => *place = Some(amount),
                Some(Some(_)) => return Err(Refusal::illegal_choice(format!("`{word}` is named twice"))),
                None => return Err(Refusal::illegal_choice(format!("`{word}` is not among those who get a share"))),
            }
        }
        Ok(amounts.into_iter().map(Option::unwrap_or_default).collect())
    }
}

/// Number of equal things before each.
fn equal_before(items: &[Value]) -> Vec<usize> {
    let mut seen: BTreeMap<Value, usize> = BTreeMap::new();
    let count = |item: &Value| {
        let before = seen.entry(*item).or_default();
        *before += 1;
        *before - 1
    };
    items.iter().map(count).collect()
}

/// The answer if it is one of these; else a refusal with the reason.
fn accept_or_refuse(answers: Answers, choice: Choice) -> Result<Choice, Refusal> {
    answers.check_answer(choice).map_err(|misfit| Refusal::illegal_choice(misfit.reason_text()))
}
