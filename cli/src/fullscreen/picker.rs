//! The list of moves: those that match the typed text, the chosen one, and the marked ones if several are taken. The chosen
//! move is the one that Enter takes, moved by the arrow keys; the space bar marks. Headings are never chosen.

use crate::terminal::{Choices, MenuMove, Row, find_matching};
use ludex_engine::runtime::Form;

/// The player's choice in the list of moves.
#[derive(Clone, Debug, Default)]
pub struct Picker {
    /// The decision and the step of the current question.
    question: Option<(u64, usize)>,
    /// The index of the chosen move among the matching ones.
    chosen: usize,
    /// The numbers of the marked things, in the order of marking.
    marked: Vec<i64>,
    /// The amount each thing gets of a sum.
    amounts: Vec<i64>,
    /// The first visible line of the list.
    pub top: usize,
}

/// A line of the list as shown.
pub struct Item<'c> {
    pub row: &'c Row,
    pub is_chosen: bool,
    /// `[x]`, `[2]`, `[30]`: marked, its place in the order, or its amount.
    pub mark: Option<String>,
}

impl Picker {
    /// Resets the state if this is another question.
    pub fn reset_for_question(&mut self, choices: Option<&Choices>) {
        let question = choices.map(|choices| choices.question);
        if question != self.question || question.is_none() {
            *self = Picker { question, ..Picker::default() };
        }
        let count = choices.map_or(0, |choices| listed_moves(choices).count());
        self.amounts.resize(count, 0);
        self.chosen = self.chosen.min(count.saturating_sub(1));
    }

    /// The lines that match the typed text; headings without matching moves are left out.
    pub fn visible_items<'c>(&self, choices: &'c Choices, typed: &str) -> Vec<Item<'c>> {
        let fits = fitting_moves(choices, typed);
        let mut items: Vec<Item> = Vec::new();
        let (mut number, mut place) = (0, 0);
        for row in &choices.rows {
            let Row::Move(listed) = row else {
                // A heading without moves is replaced by the next one, unless that is deeper.
                while items.last().is_some_and(|last| is_heading(last.row) && row_depth(last.row) >= row_depth(row)) {
                    items.pop();
                }
                items.push(Item { row, is_chosen: false, mark: None });
                continue;
            };
            if fits.contains(&number) {
                items.push(Item { row, is_chosen: place == self.chosen, mark: self.mark_text(choices, listed, number) });
                place += 1;
            }
            number += 1;
        }
        while items.last().is_some_and(|last| is_heading(last.row)) {
            items.pop();
        }
        items
    }

    /// The move that Enter takes.
    pub fn chosen_move<'c>(&self, choices: &'c Choices, typed: &str) -> Option<&'c MenuMove> {
        let place = *fitting_moves(choices, typed).get(self.chosen)?;
        listed_moves(choices).nth(place)
    }

    /// Moves the choice by a number of places among the matching moves.
    pub fn move_choice(&mut self, choices: &Choices, typed: &str, by: isize) {
        let last = fitting_moves(choices, typed).len().saturating_sub(1);
        self.chosen = self.chosen.saturating_add_signed(by).min(last);
    }

    /// Chooses the move with this number, if there is one.
    pub fn select_number(&mut self, choices: &Choices, number: i64) {
        self.chosen = listed_moves(choices).position(|listed| listed.number == number).unwrap_or(self.chosen);
    }

    pub fn choose_first(&mut self) {
        self.chosen = 0;
    }

    /// Toggles the mark of the chosen move. Only for questions that take several.
    pub fn mark_chosen(&mut self, choices: &Choices) {
        let Some(number) = self.chosen_move(choices, "").map(|listed| listed.number) else { return };
        match self.marked.iter().position(|marked| *marked == number) {
            Some(place) => drop(self.marked.remove(place)),
            None => self.marked.push(number),
        }
    }

    /// Gives the chosen thing one step more (`sign` 1) or less (-1) of a sum, as far as something is left to give.
    pub fn change_amount(&mut self, choices: &Choices, sign: i64) {
        let Form::Split { total, step } = choices.form else { return };
        let left = total - self.amounts.iter().sum::<i64>();
        if let Some(amount) = self.amounts.get_mut(self.chosen) {
            let by = (sign * step).min(left);
            *amount = (*amount + by).max(0);
        }
    }

    /// The answer that Enter gives on an empty line, as it would be typed.
    pub fn answer_text(&self, choices: &Choices) -> String {
        let chosen = || self.chosen_move(choices, "").map(|listed| listed.number.to_string()).unwrap_or_default();
        let in_a_row = |numbers: &[i64]| numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
        match choices.form {
            Form::One => chosen(),
            form if takes_several(form) && !is_alone(choices) => in_a_row(&self.marked),
            Form::Some { .. } | Form::Order => chosen(),
            Form::Split { .. } if self.amounts.iter().any(|amount| *amount > 0) => in_a_row(&self.amounts),
            Form::Split { .. } | Form::Number { .. } => String::new(),
        }
    }

    /// The answer for a single digit, if no longer number begins with it.
    pub fn digit_answer(&self, choices: &Choices, digit: char) -> Option<String> {
        let numbers: Vec<String> = listed_moves(choices).map(|listed| listed.number.to_string()).collect();
        let typed = digit.to_string();
        let is_alone = choices.form == Form::One && numbers.iter().filter(|number| number.starts_with(digit)).count() == 1;
        (is_alone && numbers.contains(&typed)).then_some(typed)
    }

    /// The mark before a thing. `number` is its index among the moves.
    fn mark_text(&self, choices: &Choices, listed: &MenuMove, number: usize) -> Option<String> {
        let place = self.marked.iter().position(|marked| *marked == listed.number);
        match choices.form {
            Form::One | Form::Number { .. } => None,
            Form::Some { .. } if !takes_several(choices.form) => None,
            Form::Some { .. } => Some(if place.is_some() { "[x]" } else { "[ ]" }.to_string()),
            Form::Order => Some(place.map_or("[ ]".to_string(), |place| format!("[{}]", place + 1))),
            Form::Split { .. } => Some(format!("[{}]", self.amounts.get(number).unwrap_or(&0))),
        }
    }
}

/// Whether things are marked before they are taken: if several, or none, may be taken.
pub fn takes_several(form: Form) -> bool {
    matches!(form, Form::Some { max: 2.., .. } | Form::Some { min: 0, .. } | Form::Order)
}

/// Whether there is only one thing, which must be taken unless the player passes. It needs no mark.
fn is_alone(choices: &Choices) -> bool {
    !matches!(choices.form, Form::Some { min: 0, .. }) && listed_moves(choices).count() == 1
}

/// Whether a single number is only part of an answer.
pub fn needs_several(choices: &Choices) -> bool {
    match choices.form {
        Form::Some { min, .. } => min > 1,
        Form::Order => listed_moves(choices).count() > 1,
        _ => false,
    }
}

/// The moves of the list, without headings.
pub fn listed_moves(choices: &Choices) -> impl Iterator<Item = &MenuMove> + Clone {
    choices.rows.iter().filter_map(|row| if let Row::Move(listed) = row { Some(listed) } else { None })
}

/// The indexes of the moves that match the typed text; an empty text matches all.
pub fn fitting_moves(choices: &Choices, typed: &str) -> Vec<usize> {
    let typed = typed.trim();
    match typed.is_empty() {
        true => (0..listed_moves(choices).count()).collect(),
        false => find_matching(listed_moves(choices).map(|listed| listed.text.as_str()), typed),
    }
}

fn is_heading(row: &Row) -> bool {
    matches!(row, Row::Heading(_))
}

/// The level of a row below headings.
fn row_depth(row: &Row) -> usize {
    match row {
        Row::Heading(text) => (text.len() - text.trim_start().len()) / 2,
        Row::Move(listed) => listed.depth,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(number: i64, text: &str) -> Row {
        Row::Move(MenuMove { number, text: text.to_string(), pieces: Vec::new(), place: None, depth: 0 })
    }

    fn choices(form: Form, rows: Vec<Row>) -> Choices {
        Choices { question: (1, 0), prompt: String::new(), about: None, hint: String::new(), form, rows }
    }

    fn kinds() -> Choices {
        let heading = |text: &str| Row::Heading(text.to_string());
        let rows = vec![
            heading("attack"),
            heading("  Otter"),
            listed(1, "Otter attacks Hare"),
            heading("  Fox"),
            listed(2, "Fox attacks Hare"),
            heading("rest"),
            listed(3, "Otter rests"),
        ];
        choices(Form::One, rows)
    }

    fn picker(choices: &Choices) -> Picker {
        let mut picker = Picker::default();
        picker.reset_for_question(Some(choices));
        picker
    }

    fn shown(picker: &Picker, choices: &Choices, typed: &str) -> Vec<String> {
        let text = |item: Item| match item.row {
            Row::Heading(text) => text.clone(),
            Row::Move(listed) => format!("{}{}", if item.is_chosen { "> " } else { "" }, listed.text),
        };
        picker.visible_items(choices, typed).into_iter().map(text).collect()
    }

    #[test]
    fn what_is_typed_leaves_the_moves_that_fit_and_their_headings() {
        let choices = kinds();
        let mut picker = picker(&choices);
        assert_eq!(shown(&picker, &choices, "fox"), ["attack", "  Fox", "> Fox attacks Hare"]);
        picker.move_choice(&choices, "otter", 1);
        assert_eq!(shown(&picker, &choices, "otter"), ["attack", "  Otter", "Otter attacks Hare", "rest", "> Otter rests"]);
        assert_eq!(picker.chosen_move(&choices, "otter").map(|listed| listed.number), Some(3));
        assert!(shown(&picker, &choices, "hen").is_empty());
    }

    #[test]
    fn a_digit_answers_at_once_unless_a_longer_number_begins_with_it() {
        let few = kinds();
        assert_eq!(picker(&few).digit_answer(&few, '2'), Some("2".to_string()));
        assert_eq!(picker(&few).digit_answer(&few, '4'), None);
        let many = choices(Form::One, (1..=12).map(|number| listed(number, "a move")).collect());
        assert_eq!(picker(&many).digit_answer(&many, '1'), None);
        assert_eq!(picker(&many).digit_answer(&many, '2'), Some("2".to_string()));
    }

    #[test]
    fn several_are_marked_in_the_order_that_is_wanted() {
        let choices = choices(Form::Order, vec![listed(1, "a"), listed(2, "b")]);
        let mut picker = picker(&choices);
        picker.move_choice(&choices, "", 1);
        picker.mark_chosen(&choices);
        picker.move_choice(&choices, "", -1);
        picker.mark_chosen(&choices);
        assert_eq!(picker.answer_text(&choices), "2 1");
        picker.mark_chosen(&choices);
        assert_eq!(picker.answer_text(&choices), "2");
    }

    #[test]
    fn nothing_is_taken_where_nothing_is_marked_and_none_is_enough() {
        let of = |min, max, count| {
            let choices = choices(Form::Some { min, max }, (1..=count).map(|number| listed(number, "a thing")).collect());
            let mut picker = picker(&choices);
            let nothing = picker.answer_text(&choices);
            picker.mark_chosen(&choices);
            (nothing, picker.answer_text(&choices))
        };
        let (nothing, one) = (String::new, || "1".to_string());
        assert_eq!([of(0, 2, 3), of(0, 1, 3), of(0, 1, 1)], [(); 3].map(|()| (nothing(), one())));
        assert_eq!([of(1, 1, 3), of(1, 1, 1), of(1, 2, 1)], [(); 3].map(|()| (one(), one())));
        assert_eq!(of(1, 2, 3), (nothing(), one()));
    }

    #[test]
    fn no_more_is_given_than_there_is() {
        let choices = choices(Form::Split { total: 30, step: 10 }, vec![listed(1, "a"), listed(2, "b")]);
        let mut picker = picker(&choices);
        (0..5).for_each(|_| picker.change_amount(&choices, 1));
        picker.change_amount(&choices, -1);
        picker.move_choice(&choices, "", 1);
        (0..5).for_each(|_| picker.change_amount(&choices, 1));
        assert_eq!(picker.answer_text(&choices), "20 10");
    }

    #[test]
    fn another_question_begins_anew() {
        let choices = kinds();
        let mut picker = picker(&choices);
        picker.move_choice(&choices, "", 2);
        picker.reset_for_question(Some(&choices));
        assert_eq!(picker.answer_text(&choices), "3");
        picker.reset_for_question(Some(&Choices { question: (2, 0), ..choices.clone() }));
        assert_eq!(picker.answer_text(&choices), "1");
    }
}
