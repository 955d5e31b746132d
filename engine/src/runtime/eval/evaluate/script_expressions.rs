//! Expressions used mostly by scripts: division towards 0, and lists and texts that they build. The meaning is that of Rhai.

use crate::runtime::context::Context;
use crate::runtime::eval::Eval;
use crate::runtime::limits::PAIRS_PER_WORK;
use ludex_program::{Calculation, Expr, NONE, Value};
use ludex_syntax::codes;

impl Eval {
    /// The value of an operation on up to three operands, see [`Calculation`].
    #[inline(never)]
    pub(super) fn evaluate_calculation(&mut self, context: &Context, base: usize, how: Calculation, operands: &[Expr]) -> Value {
        let mut values = [NONE; 3];
        for (value, operand) in values.iter_mut().zip(operands) {
            *value = self.evaluate(context, base, operand);
        }
        let [first, second, third] = values;
        match how {
            Calculation::Quotient => self.check_division(second, first.checked_div(second)),
            Calculation::Remainder => self.check_division(second, first.checked_rem(second)),
            Calculation::RemainderDown => {
                let left = first
                    .checked_rem(second)
                    .map(|left| if left != 0 && (left < 0) != (second < 0) { left + second } else { left });
                self.check_division(second, left)
            }
            Calculation::Power => {
                let power = u32::try_from(second).ok().and_then(|second| first.checked_pow(second));
                self.checked_sum(power.map_or(i64::MAX, i64::from))
            }
            Calculation::MemberAt => match self.place_in(first, second) {
                Some(place) => self.state.list_member(first, place),
                None => self.raise_index_fault(context, first, second),
            },
            Calculation::MemberOrNone => self.place_in(first, second).map_or(NONE, |place| self.state.list_member(first, place)),
            Calculation::Nth => match usize::try_from(i64::from(second) - 1) {
                Ok(place) if place < self.state.list_values(first).len() => self.state.list_member(first, place),
                _ => NONE,
            },
            Calculation::Owed if first == NONE => {
                self.raise_as(codes::EMPTY_CHOICE, "the rules need an answer from a player who had nothing to choose from")
            }
            Calculation::Owed => first,
            Calculation::Replaced => match self.place_in(first, second) {
                Some(place) => self.copy_with_change(first, |members| members[place] = third),
                None => self.raise_index_fault(context, first, second),
            },
            Calculation::Inserted => {
                let length = self.state.list_values(first).len();
                let near_end = if second < 0 { 0 } else { length };
                let place = self.place_in(first, second).unwrap_or(near_end);
                self.copy_with_change(first, |members| members.insert(place, third))
            }
            Calculation::Dropped => match self.place_in(first, second) {
                Some(place) => self.copy_with_change(first, |members| {
                    members.remove(place);
                }),
                None => first,
            },
            Calculation::Reversed => self.copy_with_change(first, |members| members.reverse()),
            Calculation::PlaceOf => {
                self.meter.add_work(self.state.list_values(first).len() as u64 / PAIRS_PER_WORK);
                let place = self.state.list_values(first).iter().position(|member| *member == second);
                place.map_or(-1, |place| place as Value)
            }
            Calculation::PlaceOfList => self.place_of_list(first, second),
            Calculation::HoldsRun => self.holds_run(first, second),
            Calculation::Letters => self.text_letters(context, first),
            Calculation::LettersOfEach => self.letters_of_each(first, |eval, text| eval.text_letters(context, text)),
            Calculation::LettersOfWord(words) => self.letters_of_word(context, words, first),
            Calculation::LettersOfEachWord(words) => {
                self.letters_of_each(first, |eval, word| eval.letters_of_word(context, words, word))
            }
            Calculation::Digits => self.push_text(&first.to_string()),
            Calculation::PrintedText => self.find_printed_text(context, first),
        }
    }

    /// The result of a division. Division by 0, and a result out of range, are faults.
    fn check_division(&mut self, divisor: Value, result: Option<Value>) -> Value {
        match (divisor, result) {
            (0, _) => self.raise_as(codes::DIVISION_BY_ZERO, "a number is divided by zero"),
            (_, result) => self.checked_sum(result.map_or(i64::MAX, i64::from)),
        }
    }

    // --- lists -------------------------------------------------------------------

    /// The index for a place counted from the front, or from the end if it is negative.
    fn place_in(&self, list: Value, place: Value) -> Option<usize> {
        let length = self.state.list_values(list).len();
        let from_front = if place < 0 { i64::from(place) + length as i64 } else { i64::from(place) };
        usize::try_from(from_front).ok().filter(|place| *place < length)
    }

    fn raise_index_fault(&mut self, context: &Context, list: Value, place: Value) -> Value {
        let length = self.state.list_values(list).len();
        let message = context.fault_words(
            format!("the list has no place {place}: its length is {length}, and the first place is 0"),
            "the list has no place with this number; the first place is 0",
        );
        self.raise_as(codes::INDEX_OUT_OF_RANGE, message)
    }

    /// A copy of a list with a change.
    fn copy_with_change(&mut self, list: Value, change: impl FnOnce(&mut Vec<Value>)) -> Value {
        let mut members = self.state.list_values(list).to_vec();
        if !self.spend_on(members.len()) {
            return NONE;
        }
        change(&mut members);
        self.push_list(&members)
    }

    /// The first index of a list in a list of lists, or -1.
    fn place_of_list(&mut self, lists: Value, wanted: Value) -> Value {
        let letters = self.state.list_values(wanted).len() as u64;
        self.meter.add_work(self.state.list_values(lists).len() as u64 * (1 + letters / PAIRS_PER_WORK));
        let wanted = self.state.list_values(wanted);
        let place = self.state.list_values(lists).iter().position(|list| self.state.list_values(*list) == wanted);
        place.map_or(-1, |place| place as Value)
    }

    /// Whether the members of the second list follow one another somewhere in the first.
    fn holds_run(&mut self, list: Value, run: Value) -> Value {
        let [length, run_length] = [list, run].map(|list| self.state.list_values(list).len());
        if !self.spend_on_pairs(length, run_length) {
            return NONE;
        }
        let run = self.state.list_values(run);
        Value::from(run.is_empty() || self.state.list_values(list).windows(run_length).any(|window| window == run))
    }

    // --- texts -------------------------------------------------------------------

    /// Makes a list of a text's code points.
    fn push_text(&mut self, text: &str) -> Value {
        let letters: Vec<Value> = text.chars().map(|letter| letter as Value).collect();
        if self.spend_on(letters.len()) { self.push_list(&letters) } else { NONE }
    }

    /// The code points of a printed text; none for none.
    fn text_letters(&mut self, context: &Context, text: Value) -> Value {
        if text == NONE { NONE } else { self.push_text(context.program.prints.printed_text(text)) }
    }

    /// The code points of a word of the list `words`; none for none.
    fn letters_of_word(&mut self, context: &Context, words: u16, word: Value) -> Value {
        let list = context.program.words.get(usize::from(words)).map_or(&[][..], |words| words.words.as_slice());
        match usize::try_from(word).ok().and_then(|word| list.get(word)) {
            Some(word) => self.push_text(word),
            None => NONE,
        }
    }

    /// A list of texts, one for each member; `letters` makes the text of a member.
    fn letters_of_each(&mut self, list: Value, letters: impl Fn(&mut Eval, Value) -> Value) -> Value {
        let members = self.state.list_values(list).to_vec();
        let texts: Vec<Value> = members.into_iter().map(|member| letters(self, member)).collect();
        self.push_list(&texts)
    }

    /// Converts a text made by a script into the rules' form. The rules know only printed texts.
    fn find_printed_text(&mut self, context: &Context, letters: Value) -> Value {
        if letters == NONE {
            return NONE;
        }
        let codes = self.state.list_values(letters).iter().filter_map(|code| char::from_u32(*code as u32));
        let text: String = codes.collect();
        self.meter.add_work(text.len() as u64);
        match context.program.prints.find_text(&text) {
            Some(printed) => printed,
            None => self.raise(&format!("no printed text reads `{text}`")),
        }
    }
}
