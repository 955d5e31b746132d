//! Things put in order, and totals divided among them: what is such an answer, its key and its sentence.

use crate::codes;
use crate::problem::{Problem, joined};
use crate::program::{AskCode, DivideCode, Expr, Value};
use crate::runtime::arrange::{DIVIDE, ORDER};
use crate::runtime::context::Context;
use crate::runtime::decision::{Choice, Form, OptionView, Refusal};
use crate::runtime::eval::question::{Question, QuestionForm};
use crate::runtime::question::Questions;
use crate::runtime::question::keys::{share, things, within};
use crate::runtime::text::Speaker;

impl Questions {
    // --- making the question ---------------------------------------------------------

    /// Asks a side to divide a total.
    pub(super) fn ask_split(
        &mut self,
        context: &Context,
        base: usize,
        side: usize,
        code: &AskCode,
        divide: &DivideCode,
        question: &mut Question,
    ) {
        let total = i64::from(self.evaluate(context, base, &divide.total));
        let step = i64::from(self.evaluate(context, base, &divide.step));
        let items = self.members_now(context, base, &divide.among);
        question.begin(side, QuestionForm::Of(Form::Split { total, step }));
        if let Some(problem) = DivideCode::wrong(total, step) {
            self.raise_with(problem);
            return;
        }
        question.about(items, &divide.item);
        question.may_pass = !code.must;
        if !code.must && total == 0 {
            // Who could only pass is not asked.
            question.count = 0;
        }
        if code.must && code.otherwise.is_none() && total > 0 && question.count == 0 {
            let problem = Problem::error(codes::EMPTY_CHOICE, format!("there is nothing to divide {total} among"));
            self.raise_with(problem.help("say behind the question what then, with `else { … }`"));
        }
    }

    /// The members of a list as it is now.
    pub(super) fn members_now(&mut self, context: &Context, base: usize, list: &Expr) -> Vec<Value> {
        let lists = self.state.lists.len();
        let list = self.evaluate(context, base, list);
        let members = self.state.list(list).to_vec();
        self.state.lists.truncate(lists);
        members
    }

    /// What is divided where nothing is: each gets 0.
    pub fn divide_nothing(&mut self, context: &Context, base: usize, divide: &DivideCode) -> Value {
        let receivers = self.members_now(context, base, &divide.among);
        let amounts = self.push_list(&vec![0; receivers.len()]);
        let receivers = self.push_list(&receivers);
        self.set_slot(base, divide.receivers, receivers);
        amounts
    }

    // --- keys ------------------------------------------------------------------------

    /// What the key of an answer calls each thing that the question is about: of equal things the second has `#2` behind it.
    fn thing_keys(&self, context: &Context, question: &Question) -> Vec<String> {
        (0..question.items.len()).filter_map(|place| self.thing_key(context, question, place)).collect()
    }

    fn thing_key(&self, context: &Context, question: &Question, place: usize) -> Option<String> {
        let item = question.items.get(place)?;
        let key = self.key_of(context, *item, question.item_shape.as_ref()?);
        match question.items.iter().take(place).filter(|other| *other == item).count() {
            0 => Some(key),
            before => Some(format!("{key}#{}", before + 1)),
        }
    }

    /// The key and sentence of an order.
    pub(super) fn describe_order(&self, context: &Context, question: &Question, order: &[u64]) -> (String, String) {
        let places = || order.iter().filter_map(|index| usize::try_from(*index).ok());
        let keys: Vec<String> = places().filter_map(|place| self.thing_key(context, question, place)).collect();
        let texts: Vec<String> = places().filter_map(|place| self.thing_text(context, question, place)).collect();
        (format!("{ORDER}({})", keys.join("+")), texts.join(", then "))
    }

    /// The key and sentence of a divided total: who gets nothing is not named.
    pub(super) fn describe_amounts(&self, context: &Context, question: &Question, amounts: &[i64]) -> (String, String) {
        let given = || amounts.iter().enumerate().filter(|(_, amount)| **amount != 0);
        let key = |(place, amount): (usize, &i64)| Some(format!("{}={amount}", self.thing_key(context, question, place)?));
        let text = |(place, amount): (usize, &i64)| Some(format!("{amount} for {}", self.thing_text(context, question, place)?));
        let keys: Vec<String> = given().filter_map(key).collect();
        let texts: Vec<String> = given().filter_map(text).collect();
        let text = if texts.is_empty() { "nothing".to_string() } else { joined(&texts, "and") };
        (format!("{DIVIDE}({})", keys.join("+")), text)
    }

    /// One of the things, as an option.
    pub(super) fn thing_view(&mut self, context: &Context, question: &Question, index: u64, action: &str) -> Option<OptionView> {
        let place = usize::try_from(index).ok()?;
        let shape = question.item_shape.as_ref()?;
        let thing = *question.items.get(place)?;
        let argument = self.argument(context, thing, shape);
        Some(OptionView {
            id: index,
            key: format!("{action}({})", self.thing_key(context, question, place)?),
            action: action.to_string(),
            args: vec![("item".to_string(), argument)],
            text: self.speaking_of(vec![thing], |machine| machine.thing_text(context, question, place))?,
            ability: None,
        })
    }

    fn thing_text(&self, context: &Context, question: &Question, place: usize) -> Option<String> {
        Some(self.shown(context, *question.items.get(place)?, question.item_shape.as_ref()?))
    }

    /// The order that a key names: `order(3+1+2)`.
    pub fn order_called(&self, context: &Context, question: &Question, key: &str) -> Result<Choice, Refusal> {
        let keys = self.thing_keys(context, question);
        let mut order = Vec::new();
        for word in things(within(key, ORDER)) {
            let place = keys.iter().position(|key| key == word).map(|place| place as u64);
            match place {
                Some(place) if order.contains(&place) => return Err(refuse(format!("`{word}` is named twice"))),
                Some(place) => order.push(place),
                None => return Err(refuse(format!("`{word}` is not among what is put in order"))),
            }
        }
        question.answers().checked(Choice::Options(order)).map_err(|misfit| refuse(misfit.reason()))
    }

    /// The amounts that a key names, `divide(3=30+1=30)`: nothing for whoever is left out.
    pub fn amounts_called(&self, context: &Context, question: &Question, key: &str) -> Result<Choice, Refusal> {
        let QuestionForm::Of(Form::Split { total, .. }) = question.form else {
            return Err(refuse("nothing is divided".to_string()));
        };
        let keys = self.thing_keys(context, question);
        let mut amounts: Vec<Option<i64>> = vec![None; keys.len()];
        for part in things(within(key, DIVIDE)) {
            let (word, amount) = share(part);
            let Some(amount) = amount.and_then(|amount| amount.parse().ok()) else {
                let refusal = refuse(format!("`{part}` does not tell who gets how much"));
                return Err(Refusal { help: example(&keys, total), ..refusal });
            };
            let place = keys.iter().position(|key| key == word).and_then(|place| amounts.get_mut(place));
            match place {
                Some(place @ None) => *place = Some(amount),
                Some(Some(_)) => return Err(refuse(format!("`{word}` is named twice"))),
                None => return Err(refuse(format!("`{word}` is not among those who get a part"))),
            }
        }
        let amounts: Vec<i64> = amounts.into_iter().map(Option::unwrap_or_default).collect();
        question.answers().checked(Choice::Amounts(amounts)).map_err(|misfit| refuse(misfit.reason()))
    }
}

fn example(keys: &[String], total: i64) -> Option<String> {
    Some(format!("write it as `{DIVIDE}({}={total})`", keys.first()?))
}

fn refuse(reason: String) -> Refusal {
    Refusal { code: codes::ILLEGAL_CHOICE, reason, help: None }
}
