//! Things put in order, and totals divided among them: what is such an answer, its key and its sentence.

use crate::codes;
use crate::problem::{Problem, joined};
use crate::program::{AskCode, DivideCode, Expr, Value};
use crate::runtime::context::Rules;
use crate::runtime::decision::{OptionView, Refusal};
use crate::runtime::eval::question::{Question, QuestionForm};
use crate::runtime::question::Questions;
use crate::runtime::question::keys::{share, things, within};
use crate::runtime::text::Speaker;

/// What the key of an order, and of a divided total, begins with.
pub const ORDER: &str = "order";
pub const DIVIDE: &str = "divide";

/// Why these are no order of so many options, if they are none.
pub fn wrong_order(order: &[u64], count: u64) -> Option<String> {
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
        return Some("one of them is named twice".to_string());
    }
    if let Some(beyond) = sorted.last().filter(|last| **last >= count) {
        return Some(format!("there is no option {beyond}: there are {count}, numbered from 0"));
    }
    (sorted.len() as u64 != count).then(|| format!("these are {} of {count}, and each must be named", sorted.len()))
}

/// Why these amounts do not divide a total among so many, if they do not.
pub fn wrong_amounts(amounts: &[i64], count: u64, total: i64, step: i64) -> Option<String> {
    if amounts.len() as u64 != count {
        let wanted = if count == 1 { "one amount".to_string() } else { format!("{count} amounts, one for each") };
        return Some(format!("there must be {wanted}, not {}", amounts.len()));
    }
    if let Some(negative) = amounts.iter().find(|amount| **amount < 0) {
        return Some(format!("{negative} is less than 0"));
    }
    if let Some(uneven) = amounts.iter().find(|amount| step > 0 && **amount % step != 0) {
        return Some(format!("{uneven} is no multiple of {step}"));
    }
    let sum: i128 = amounts.iter().map(|amount| i128::from(*amount)).sum();
    (sum != i128::from(total)).then(|| format!("the amounts are {sum} together, and it must be {total}"))
}

/// How many things have to be sampled of how many, so that [`amounts_between`] makes each division as likely as any other.
pub fn cuts(count: u64, total: i64, step: i64) -> (u64, u64) {
    let steps = (total / step.max(1)).max(0).cast_unsigned();
    let cuts = count.saturating_sub(1);
    (steps + cuts, cuts)
}

/// The amounts that lie between cuts: the steps and the cuts stand in a row, and these are the places of the cuts, rising.
pub fn amounts_between(cuts: &[u64], total: i64, step: i64) -> Vec<i64> {
    let steps = (total / step.max(1)).max(0).cast_unsigned();
    let end = steps + cuts.len() as u64;
    let mut from = 0;
    let amount = |cut: u64| {
        let amount = cut.saturating_sub(from).cast_signed() * step;
        from = cut + 1;
        amount
    };
    cuts.iter().copied().chain([end]).map(amount).collect()
}

/// The total divided as evenly as its steps allow, the first getting more.
pub fn even_amounts(count: u64, total: i64, step: i64) -> Vec<i64> {
    let (steps, count) = (total / step.max(1), count.cast_signed());
    (0..count).map(|place| (steps / count + i64::from(place < steps % count)) * step).collect()
}

impl Questions {
    // --- making the question ---------------------------------------------------------

    /// Asks a side to divide a total.
    pub(super) fn ask_split(
        &mut self,
        rules: Rules,
        base: usize,
        side: usize,
        code: &AskCode,
        divide: &DivideCode,
        question: &mut Question,
    ) {
        let total = i64::from(self.evaluate(rules, base, &divide.total));
        let step = i64::from(self.evaluate(rules, base, &divide.step));
        let items = self.members_now(rules, base, &divide.among);
        question.begin(side, QuestionForm::Split { total, step });
        if let Some(problem) = DivideCode::wrong(total, step) {
            self.fault_with(problem);
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
            self.fault_with(problem.help("say behind the question what then, with `else { … }`"));
        }
    }

    /// The members of a list as it is now.
    pub(super) fn members_now(&mut self, rules: Rules, base: usize, list: &Expr) -> Vec<Value> {
        let lists = self.state.lists.len();
        let list = self.evaluate(rules, base, list);
        let members = self.state.list(list).to_vec();
        self.state.lists.truncate(lists);
        members
    }

    /// What is divided where nothing is: each gets 0.
    pub fn divide_nothing(&mut self, rules: Rules, base: usize, divide: &DivideCode) -> Value {
        let receivers = self.members_now(rules, base, &divide.among);
        let amounts = self.push_list(&vec![0; receivers.len()]);
        let receivers = self.push_list(&receivers);
        self.set_slot(base, divide.receivers, receivers);
        amounts
    }

    // --- keys ------------------------------------------------------------------------

    /// What the key of an answer calls each thing that the question is about: of equal things the second has `#2` behind it.
    fn thing_keys(&self, rules: Rules, question: &Question) -> Vec<String> {
        (0..question.items.len()).filter_map(|place| self.thing_key(rules, question, place)).collect()
    }

    fn thing_key(&self, rules: Rules, question: &Question, place: usize) -> Option<String> {
        let item = question.items.get(place)?;
        let key = self.key_of(rules, *item, question.item_shape.as_ref()?);
        match question.items.iter().take(place).filter(|other| *other == item).count() {
            0 => Some(key),
            before => Some(format!("{key}#{}", before + 1)),
        }
    }

    /// The key and sentence of an order.
    pub(super) fn describe_order(&self, rules: Rules, question: &Question, order: &[u64]) -> (String, String) {
        let places = || order.iter().filter_map(|index| usize::try_from(*index).ok());
        let keys: Vec<String> = places().filter_map(|place| self.thing_key(rules, question, place)).collect();
        let texts: Vec<String> = places().filter_map(|place| self.thing_text(rules, question, place)).collect();
        (format!("{ORDER}({})", keys.join("+")), texts.join(", then "))
    }

    /// The key and sentence of a divided total: who gets nothing is not named.
    pub(super) fn describe_amounts(&self, rules: Rules, question: &Question, amounts: &[i64]) -> (String, String) {
        let given = || amounts.iter().enumerate().filter(|(_, amount)| **amount != 0);
        let key = |(place, amount): (usize, &i64)| Some(format!("{}={amount}", self.thing_key(rules, question, place)?));
        let text = |(place, amount): (usize, &i64)| Some(format!("{amount} for {}", self.thing_text(rules, question, place)?));
        let keys: Vec<String> = given().filter_map(key).collect();
        let texts: Vec<String> = given().filter_map(text).collect();
        let text = if texts.is_empty() { "nothing".to_string() } else { joined(&texts, "and") };
        (format!("{DIVIDE}({})", keys.join("+")), text)
    }

    /// One of the things, as an option.
    pub(super) fn thing_view(&mut self, rules: Rules, question: &Question, index: u64, action: &str) -> Option<OptionView> {
        let place = usize::try_from(index).ok()?;
        let shape = question.item_shape.as_ref()?;
        let thing = *question.items.get(place)?;
        let argument = self.argument(rules, thing, shape);
        Some(OptionView {
            id: index,
            key: format!("{action}({})", self.thing_key(rules, question, place)?),
            action: action.to_string(),
            args: vec![("item".to_string(), argument)],
            text: self.speaking_of(vec![thing], |machine| machine.thing_text(rules, question, place))?,
            ability: None,
        })
    }

    fn thing_text(&self, rules: Rules, question: &Question, place: usize) -> Option<String> {
        Some(self.shown(rules, *question.items.get(place)?, question.item_shape.as_ref()?))
    }

    /// The order that a key names: `order(3+1+2)`.
    pub fn order_called(&self, rules: Rules, question: &Question, key: &str) -> Result<Vec<u64>, Refusal> {
        let keys = self.thing_keys(rules, question);
        let mut order = Vec::new();
        for word in things(within(key, ORDER)) {
            let place = keys.iter().position(|key| key == word).map(|place| place as u64);
            match place {
                Some(place) if order.contains(&place) => return Err(refuse(format!("`{word}` is named twice"))),
                Some(place) => order.push(place),
                None => return Err(refuse(format!("`{word}` is not among what is put in order"))),
            }
        }
        match wrong_order(&order, keys.len() as u64) {
            Some(reason) => Err(refuse(reason)),
            None => Ok(order),
        }
    }

    /// The amounts that a key names, `divide(3=30+1=30)`: nothing for whoever is left out.
    pub fn amounts_called(&self, rules: Rules, question: &Question, key: &str) -> Result<Vec<i64>, Refusal> {
        let QuestionForm::Split { total, step } = question.form else { return Err(refuse("nothing is divided".to_string())) };
        let keys = self.thing_keys(rules, question);
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
        match wrong_amounts(&amounts, keys.len() as u64, total, step) {
            Some(reason) => Err(refuse(reason)),
            None => Ok(amounts),
        }
    }
}

fn example(keys: &[String], total: i64) -> Option<String> {
    Some(format!("write it as `{DIVIDE}({}={total})`", keys.first()?))
}

fn refuse(reason: String) -> Refusal {
    Refusal { code: codes::ILLEGAL_CHOICE, reason, help: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn an_order_names_each_once() {
        assert_eq!(wrong_order(&[2, 0, 1], 3), None);
        assert_eq!(wrong_order(&[2, 2, 1], 3).as_deref(), Some("one of them is named twice"));
        assert_eq!(wrong_order(&[3, 0, 1], 3).as_deref(), Some("there is no option 3: there are 3, numbered from 0"));
        assert_eq!(wrong_order(&[1, 0], 3).as_deref(), Some("these are 2 of 3, and each must be named"));
    }

    #[test]
    fn amounts_are_steps_that_add_up() {
        let wrong = |amounts: &[i64]| wrong_amounts(amounts, 3, 60, 10).unwrap_or_default();
        assert_eq!(wrong(&[30, 0, 30]), "");
        assert_eq!(wrong(&[30, 30]), "there must be 3 amounts, one for each, not 2");
        assert_eq!(wrong_amounts(&[30, 30], 1, 60, 10).as_deref(), Some("there must be one amount, not 2"));
        assert_eq!(wrong(&[70, -10, 0]), "-10 is less than 0");
        assert_eq!(wrong(&[35, 25, 0]), "35 is no multiple of 10");
        assert_eq!(wrong(&[30, 10, 10]), "the amounts are 50 together, and it must be 60");
        assert_eq!(wrong(&[i64::MAX - 7, i64::MAX - 7, 0]), "the amounts are 18446744073709551600 together, and it must be 60");
    }

    #[test]
    fn every_row_of_steps_and_cuts_is_a_division_of_its_own() {
        let (row, count) = cuts(3, 40, 10);
        assert_eq!((row, count), (6, 2));
        let rows = (0..row).flat_map(|first| (first + 1..row).map(move |second| [first, second]));
        let found: BTreeSet<Vec<i64>> = rows.map(|cuts| amounts_between(&cuts, 40, 10)).collect();
        assert_eq!(found.len(), 15, "as many as there are rows");
        assert!(found.iter().all(|amounts| wrong_amounts(amounts, 3, 40, 10).is_none()), "{found:?}");
        assert_eq!(amounts_between(&[], 40, 10), [40]);
    }

    #[test]
    fn an_even_division_gives_the_first_the_rest() {
        assert_eq!(even_amounts(3, 50, 10), [20, 20, 10]);
        assert_eq!(even_amounts(2, 0, 10), [0, 0]);
        assert_eq!(wrong_amounts(&even_amounts(7, 60, 10), 7, 60, 10), None);
    }
}
