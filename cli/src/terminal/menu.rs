//! The options of a decision: numbering them, narrowing them by typing, and reading the answer.
//!
//! A line may be a number of the list, a key (`power_attack(2>8)`, the name of an answer in recordings), or words of an
//! option's sentence. Words narrow the list; Enter takes the only option left. The form of a decision says whether one option,
//! several, a number, an order or amounts are the answer.

use super::interchangeable::AlikePieces;
use super::read_aloud::spoken_text;

use super::screen::{Screen, Tone, printable_line, wrap_lines};
use crate::table::{AnswerForm, CurrentQuestion};
use ludex_engine::problem::range_text;
use ludex_engine::runtime::keys::{Key, PASS};
use ludex_engine::runtime::{Argument, Choice, Decision, Form, Misfit, OptionView, Refusal};
use std::collections::{HashMap, HashSet};

/// Number of options listed before the player types `all`.
pub const PAGE: usize = 24;

/// The list of a decision's options, or of those of one step.
#[derive(Clone)]
pub struct Menu<'a> {
    pub decision: &'a Decision,
    pub options: Vec<OptionView>,
    /// The number typed for each option: its position from 1, or its own number.
    numbers: Vec<i64>,
    /// The indexes of the options that match the typed words.
    shown: Vec<usize>,
    /// True if typed words have narrowed the list.
    narrowed: bool,
    /// Maximum number of options listed.
    page: usize,
    /// True if all options of the decision were supplied. If not, numbers count all of the decision's options from 1.
    complete: bool,
    /// True if keys are listed too.
    keys: bool,
    /// The key and the index of each option, including those merged with interchangeable ones.
    all: Vec<(String, u64)>,
}

/// A line of the list of moves, on faces that always show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Row {
    /// The common part of the moves below: their kind, or the piece they use.
    Heading(String),
    Move(MenuMove),
}

/// A move, or one of several things to choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MenuMove {
    /// The number typed for it.
    pub number: i64,
    pub text: String,
    /// The pieces it uses or meets.
    pub pieces: Vec<usize>,
    /// The only cell or word it names.
    pub place: Option<String>,
    /// The indentation below headings, in levels.
    pub depth: usize,
}

/// The meaning of a line that is not a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    Answer(Choice),
    /// The menu has changed and must be shown again.
    Changed,
    /// The line is not understood; the text says why.
    Wrong(String),
}

impl<'a> Menu<'a> {
    /// Builds the menu. Interchangeable moves are listed once. Other moves with the same text get the places of their pieces
    /// added, or their keys if the places do not differ, except if several are chosen at once and they are copies of one card.
    pub fn new(decision: &'a Decision, options: Vec<OptionView>, alike: &AlikePieces) -> Menu<'a> {
        let complete = options.len() as u64 == decision.count;
        let all = options.iter().map(|option| (option.key.clone(), option.id)).collect();
        let mut options = if decision.form == Form::One { merge_alike(options, alike) } else { options };
        distinguish_alike(&mut options, decision.form.takes_several(), alike);
        let shown = (0..options.len()).collect();
        let numbers = own_numbers(&options).unwrap_or_else(|| (1..=options.len() as i64).collect());
        Menu { decision, options, numbers, shown, narrowed: false, page: PAGE, complete, keys: false, all }
    }

    /// The lines of the matching options, up to one page.
    pub fn menu_lines(&self, screen: &Screen) -> Vec<String> {
        if self.options.is_empty() {
            return Vec::new();
        }
        let digits = self.numbers.iter().map(|number| number.to_string().len()).max().unwrap_or(0);
        let listed = self.shown.iter().take(self.page).filter_map(|&index| self.options.get(index).zip(self.numbers.get(index)));
        let mut lines: Vec<String> =
            listed.flat_map(|(option, number)| option_lines(option, *number, digits, self.keys, screen)).collect();
        let more = (self.match_count() as usize).saturating_sub(self.page);
        if more > 0 {
            let words = format!("  … and {more} more: type words of the one you want, or `all`");
            lines.push(screen.paint_text(Tone::Quiet, &words));
        }
        lines
    }

    /// Every option, with those of one kind grouped under a heading. `asked` is the same question with its moves by kind and
    /// piece.
    pub fn move_rows(&self, asked: &CurrentQuestion) -> Vec<Row> {
        let AnswerForm::One(kinds) = &asked.how else {
            return (0..self.options.len()).map(|index| Row::Move(self.menu_move(index, asked, 0))).collect();
        };
        let index = |key: &String| self.options.iter().position(|option| option.key == *key);
        let mut rows = Vec::new();
        for kind in kinds {
            let count: usize = kind.groups.iter().map(|group| group.moves.len()).sum();
            let named = !kind.name.is_empty() && count > 1;
            rows.extend(named.then(|| Row::Heading(kind.name.clone())));
            for group in &kind.groups {
                // Only one of several interchangeable moves is among the options.
                let moves: Vec<usize> = group.moves.iter().filter_map(|found| index(&found.key)).collect();
                let heads = !group.name.is_empty() && !moves.is_empty();
                let depth = usize::from(named);
                rows.extend(heads.then(|| Row::Heading(format!("{}{}", "  ".repeat(depth), group.name))));
                rows.extend(moves.iter().map(|&index| Row::Move(self.menu_move(index, asked, depth + usize::from(heads)))));
            }
        }
        rows
    }

    /// The row of an option. `index` is its place among the options, `depth` its level below headings.
    fn menu_move(&self, index: usize, asked: &CurrentQuestion, depth: usize) -> MenuMove {
        let option = &self.options[index];
        let key = if self.keys { format!("  {}", option.key) } else { String::new() };
        let known = asked.listed_moves().find(|found| found.key == option.key);
        MenuMove {
            number: self.numbers.get(index).copied().unwrap_or(0),
            text: printable_line(&format!("{}{key}", option.text)),
            pieces: option.args.iter().flat_map(|(_, argument)| argument.piece_numbers()).collect(),
            place: known.and_then(|found| found.place.clone()),
            depth,
        }
    }

    /// The possible inputs, for the prompt.
    pub fn input_hint(&self) -> String {
        match self.decision.form {
            Form::One if self.narrowed && self.shown.len() == 1 => "Enter to take it".to_string(),
            Form::One if self.has_one_answer() => format!("Enter, or {}", self.number_range()),
            Form::One => self.number_range(),
            Form::Some { min, max } => {
                if self.decision.count == 1 {
                    return format!("{}{}", self.number_range(), self.pass_hint());
                }
                let amount = if min == max { min.to_string() } else { format!("{min} to {max}") };
                let numbers = if max == 1 { "number" } else { "numbers" };
                format!("{amount} {numbers} from {}{}", self.number_range(), self.pass_hint())
            }
            Form::Number { min, max } => format!("a number from {min} to {max}{}", self.pass_hint()),
            // A single thing is asked about only if the player may pass.
            Form::Order if self.decision.count == 1 => format!("{}{}", self.number_range(), self.pass_hint()),
            Form::Split { total, .. } if self.decision.count == 1 => format!("{total}{}", self.pass_hint()),
            Form::Order => format!("the {} numbers, in the order you want{}", self.decision.count, self.pass_hint()),
            Form::Split { total, step } => {
                let steps = if step == 1 { String::new() } else { format!("multiples of {step}, ") };
                format!("an amount for each of the {}: {steps}{total} in total{}", self.decision.count, self.pass_hint())
            }
        }
    }

    /// The range of numbers that may be typed: `1 to 8`.
    fn number_range(&self) -> String {
        let (least, most) = match self.complete {
            true => (self.numbers.iter().min().copied(), self.numbers.iter().max().copied()),
            false => (Some(1), i64::try_from(self.decision.count).ok()),
        };
        range_text(least.unwrap_or(1), most.unwrap_or(1))
    }

    /// How to choose nothing, if that is allowed, as the end of a hint.
    fn pass_hint(&self) -> &'static str {
        match () {
            () if self.decision.may_pass => ", or `pass`",
            () if self.empty_choice().is_some() => ", or Enter for none",
            () => "",
        }
    }

    /// The answer that Enter gives if choosing nothing is allowed and is not an explicit pass.
    fn empty_choice(&self) -> Option<Choice> {
        self.decision.answers().empty_answer().filter(|_| !self.decision.may_pass)
    }

    /// The number typed for the option with this index in the decision, if it is listed.
    pub fn number_of(&self, id: u64) -> Option<i64> {
        let place = self.options.iter().position(|option| option.id == id)?;
        self.numbers.get(place).copied()
    }

    /// Whether only one answer is possible.
    pub fn has_one_answer(&self) -> bool {
        self.decision.form == Form::One && self.complete && self.options.len() == 1
    }

    /// Lists keys after the sentences from now on.
    pub fn show_keys(&mut self) {
        self.keys = true;
        self.show_all();
    }

    /// Lists every option from now on.
    pub fn show_all(&mut self) {
        self.shown = (0..self.options.len()).collect();
        self.narrowed = false;
        self.page = usize::MAX;
    }

    /// Reads a line that is not a command; `find` looks up a key in the session, which knows keys that are not listed.
    pub fn read_reply(&mut self, line: &str, find: impl Fn(&str) -> Result<Choice, Refusal>) -> Reply {
        let line = line.trim();
        if line.is_empty() {
            return self.enter_reply();
        }
        if let Some(words) = line.strip_prefix('/') {
            return self.narrow_options(words);
        }
        if line == "none"
            && let Some(nothing) = self.decision.answers().empty_answer()
        {
            return Reply::Answer(nothing);
        }
        if let Some(reply) = self.read_numbers(line) {
            // If the options are numbers, the rules may say why another number is not offered.
            return match self.key_of_number(line).filter(|_| matches!(reply, Reply::Wrong(_))).map(|key| find(&key)) {
                Some(Err(refusal)) => Reply::Wrong(refusal_text(&refusal)),
                _ => reply,
            };
        }
        if let Some((_, id)) = self.all.iter().find(|(key, _)| key == line && self.decision.form == Form::One) {
            return Reply::Answer(Choice::Option(*id));
        }
        match find(line) {
            Ok(choice) => Reply::Answer(choice),
            Err(refusal) if line.contains('(') => Reply::Wrong(refusal_text(&refusal)),
            Err(_) => self.narrow_options(line),
        }
    }

    /// Reads like [`Menu::read_reply`], but takes an option straight away if the words match no other.
    pub fn read_or_take_only(&mut self, line: &str, find: impl Fn(&str) -> Result<Choice, Refusal>) -> Reply {
        match self.read_reply(line, find) {
            Reply::Changed if self.shown.len() == 1 => self.enter_reply(),
            reply => reply,
        }
    }

    /// Number of options that match the typed words, including those that were not supplied.
    fn match_count(&self) -> u64 {
        match () {
            () if self.narrowed => self.shown.len() as u64,
            () if self.complete => self.options.len() as u64,
            () => self.decision.count,
        }
    }

    /// Reads an empty line: it takes the only option, shows all again, or chooses nothing.
    fn enter_reply(&mut self) -> Reply {
        match (self.decision.form, self.shown.as_slice()) {
            (Form::One, [only]) if self.narrowed || self.has_one_answer() => {
                Reply::Answer(Choice::Option(self.options[*only].id))
            }
            _ if self.narrowed => {
                self.shown = (0..self.options.len()).collect();
                self.narrowed = false;
                Reply::Changed
            }
            _ if let Some(nothing) = self.empty_choice() => Reply::Answer(nothing),
            _ => Reply::Wrong(format!("type {}, or `help`", self.input_hint())),
        }
    }

    /// The key for a number, if the options are numbers. Looking it up explains why the number is not offered.
    fn key_of_number(&self, line: &str) -> Option<String> {
        if self.decision.form.covers_all_options() {
            return None;
        }
        let number: i64 = line.parse().ok()?;
        let (option, key) = self.options.iter().find_map(|option| {
            let key = Key::parse_key(&option.key).filter(|key| key.arguments.is_some())?;
            Some((option, key))
        })?;
        own_number(option).map(|_| format!("{}({number})", key.option))
    }

    /// Reads a line of whole numbers; `None` if anything else is in it.
    fn read_numbers(&self, line: &str) -> Option<Reply> {
        let parts = line.split([' ', ',', '+']).filter(|part| !part.is_empty());
        let numbers: Vec<i64> = parts.map(|part| part.parse().ok()).collect::<Option<_>>()?;
        Some(match self.decision.form {
            Form::One => self.choose_one(&numbers),
            Form::Number { min, max } => number_reply(&numbers, min, max),
            Form::Split { .. } => match self.decision.answers().check_answer(Choice::Amounts(numbers)) {
                Ok(choice) => Reply::Answer(choice),
                Err(misfit) => Reply::Wrong(misfit.reason_text()),
            },
            _ => self.choose_several(&numbers).unwrap_or_else(Reply::Wrong),
        })
    }

    /// The answer for a line of numbers if one option is chosen.
    fn choose_one(&self, numbers: &[i64]) -> Reply {
        match numbers {
            [number] => match self.option_index(*number) {
                Some(index) => Reply::Answer(Choice::Option(index)),
                None => Reply::Wrong(self.unknown_number_text(*number)),
            },
            _ => Reply::Wrong("choose one number at a time".to_string()),
        }
    }

    /// The answer for a line of numbers if several options are chosen or put in order; the error is a message.
    fn choose_several(&self, numbers: &[i64]) -> Result<Reply, String> {
        let index = |number: &i64| self.option_index(*number).ok_or_else(|| self.unknown_number_text(*number));
        let indexes: Vec<u64> = numbers.iter().map(index).collect::<Result<_, _>>()?;
        self.decision.answers().choice_of_options(indexes).map(Reply::Answer).map_err(|misfit| match misfit {
            Misfit::Twice => "each number may be chosen once".to_string(),
            Misfit::Because(reason) => format!("{reason}: type {}", self.input_hint()),
            Misfit::Other => format!("type {}", self.input_hint()),
        })
    }

    /// The index in the decision of the option with a menu number.
    fn option_index(&self, number: i64) -> Option<u64> {
        if self.complete {
            return self.numbers.iter().position(|known| *known == number).map(|index| self.options[index].id);
        }
        let index = u64::try_from(number).ok()?.checked_sub(1)?;
        (index < self.decision.count).then_some(index)
    }

    fn unknown_number_text(&self, number: i64) -> String {
        match self.number_range() {
            only if only.parse::<i64>().is_ok() => format!("there is no number {number}: the only one is {only}"),
            range => format!("there is no number {number}: they go from {range}"),
        }
    }

    /// Keeps the options whose sentence contains the typed text or, failing that, each of its words.
    fn narrow_options(&mut self, line: &str) -> Reply {
        let fitting = find_matching(self.options.iter().map(|option| option.text.as_str()), line);
        if fitting.is_empty() {
            let first = self.options.first().zip(self.numbers.first());
            let example = first.map_or(String::new(), |(option, number)| format!(" ({number} is `{}`)", option.text));
            let (line, hint) = (printable_line(line), self.input_hint());
            return Reply::Wrong(format!("no choice contains `{line}`; type {hint}{example}, or `help`"));
        }
        self.shown = fitting;
        self.narrowed = true;
        Reply::Changed
    }
}

/// The indexes of the sentences that equal the typed text. Failing that, of those that contain it, and then of those that contain
/// each of its words.
pub fn find_matching<'t>(texts: impl Iterator<Item = &'t str> + Clone, typed: &str) -> Vec<usize> {
    let exact = find_exact(texts.clone(), typed);
    if !exact.is_empty() {
        return exact;
    }
    let typed = typed.trim().to_lowercase();
    let whole = matching_indexes(texts.clone(), |text| text.contains(&typed));
    match whole.is_empty() {
        true => matching_indexes(texts, |text| typed.split_whitespace().all(|word| text.contains(word))),
        false => whole,
    }
}

/// The indexes of the sentences that equal the typed text.
pub fn find_exact<'t>(texts: impl Iterator<Item = &'t str>, typed: &str) -> Vec<usize> {
    let typed = typed.trim().to_lowercase();
    matching_indexes(texts, |text| text == typed)
}

/// The indexes of the sentences that match as drawn, as spoken, or with `x` for `×`, which keyboards lack.
fn matching_indexes<'t>(texts: impl Iterator<Item = &'t str>, fits: impl Fn(&str) -> bool) -> Vec<usize> {
    let either = |text: &str| {
        let drawn = text.to_lowercase();
        fits(&drawn) || fits(&spoken_text(text).to_lowercase()) || drawn.contains('×') && fits(&drawn.replace('×', "x"))
    };
    texts.enumerate().filter(|(_, text)| either(text)).map(|(index, _)| index).collect()
}

/// One of each group of interchangeable moves.
fn merge_alike(options: Vec<OptionView>, alike: &AlikePieces) -> Vec<OptionView> {
    let mut kept: Vec<OptionView> = Vec::new();
    let mut texts: HashMap<String, Vec<usize>> = HashMap::new();
    for option in options {
        let namesakes = texts.entry(option.text.clone()).or_default();
        if namesakes.iter().any(|known| alike.are_alike(&kept[*known], &option)) {
            continue;
        }
        namesakes.push(kept.len());
        kept.push(option);
    }
    kept
}

/// Adds to equal sentences the details that distinguish them: places and marks of pieces, or else keys. If `several` options
/// are chosen at once, copies of one card stay as they are.
fn distinguish_alike(options: &mut [OptionView], several: bool, alike: &AlikePieces) {
    let mut namesakes: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, option) in options.iter().enumerate() {
        namesakes.entry(option.text.clone()).or_default().push(index);
    }
    for group in namesakes.into_values().filter(|group| group.len() > 1) {
        let first = &options[group[0]];
        let is_copy = |index: &usize| {
            let other = &options[*index];
            option_sheet(other).is_some() && option_sheet(other) == option_sheet(first) || alike.are_alike(first, other)
        };
        if several && group.iter().all(is_copy) {
            continue;
        }
        let places: Vec<Vec<String>> = group.iter().map(|index| alike.piece_details(&options[*index])).collect();
        // Details that all of them share distinguish nothing.
        let differs = |place: usize| places.iter().any(|other| other.get(place) != places[0].get(place));
        let told = |own: &Vec<String>| {
            let parts = own.iter().enumerate().filter(|(place, _)| differs(*place)).map(|(_, words)| words.as_str());
            parts.collect::<Vec<_>>().join("; ")
        };
        let told: Vec<String> = places.iter().map(told).collect();
        let differ = !told.iter().any(String::is_empty) && told.iter().collect::<HashSet<_>>().len() == told.len();
        for (index, told) in group.into_iter().zip(told) {
            let option = &mut options[index];
            option.text = match differ {
                true => format!("{} ({told})", option.text),
                false => format!("{}  {}", option.text, option.key),
            };
        }
    }
}

/// Whether one of several kinds of move has only a number to choose, from at least `many`. Such a decision is asked in steps,
/// so that the numbers do not fill the list.
pub fn has_many_numbers(options: &[OptionView], many: usize) -> bool {
    let alone = |option: &&OptionView| own_number(option).is_some();
    let of = |action: &str| options.iter().filter(|option| option.action == action).count();
    let others = |action: &str| options.iter().any(|option| option.action != action && option.key != PASS);
    let mut numbers = options.iter().filter(alone).map(|option| option.action.as_str());
    numbers.any(|action| {
        others(action)
            && of(action) >= many
            && options.iter().filter(alone).filter(|option| option.action == action).count() >= many
    })
}

/// A refused key's reason and help, as a line for people.
pub fn refusal_text(refusal: &Refusal) -> String {
    match &refusal.help {
        Some(help) => format!("{}; {help}", refusal.reason),
        None => refusal.reason.clone(),
    }
}

/// The menu numbers of options that differ only in a number: these numbers themselves, and 0 for passing. `None` for other
/// options.
fn own_numbers(options: &[OptionView]) -> Option<Vec<i64>> {
    let action = &options.first()?.action;
    let number = |option: &OptionView| match option.args.is_empty() {
        true => (option.key == PASS).then_some(0),
        false => own_number(option).filter(|_| option.action == *action),
    };
    let numbers: Vec<i64> = options.iter().map(number).collect::<Option<_>>()?;
    let all_different = numbers.iter().collect::<HashSet<_>>().len() == numbers.len();
    all_different.then_some(numbers)
}

/// The sheet of the card that an option consists of, if it names nothing else.
fn option_sheet(option: &OptionView) -> Option<String> {
    match option.args.as_slice() {
        [(_, Argument::Piece(piece))] => piece.sheet.clone(),
        _ => None,
    }
}

/// The number that an option consists of, if it names nothing else.
fn own_number(option: &OptionView) -> Option<i64> {
    match option.args.as_slice() {
        [(_, Argument::Number(number))] => Some(*number),
        _ => None,
    }
}

/// An option in the list. `digits` is the width of the column of numbers.
fn option_lines(option: &OptionView, number: i64, digits: usize, keys: bool, screen: &Screen) -> Vec<String> {
    let number = format!("{number:>digits$}");
    let key = if keys { format!("  {}", option.key) } else { String::new() };
    let text = format!("{}{key}", printable_line(&option.text));
    if screen.plain {
        return vec![format!("{number}. {}", spoken_text(&text))];
    }
    let mut lines = wrap_lines(&text, screen.line_width().saturating_sub(digits + 4)).into_iter();
    let first = format!("  {}  {}", screen.paint_text(Tone::Number, &number), lines.next().unwrap_or_default());
    let more = lines.map(|line| format!("{}{line}", " ".repeat(digits + 4)));
    std::iter::once(first).chain(more).collect()
}

/// The answer for a line of numbers if a number from `min` to `max` is asked for.
fn number_reply(numbers: &[i64], min: i64, max: i64) -> Reply {
    match numbers {
        [number] if (min..=max).contains(number) => Reply::Answer(Choice::Number(*number)),
        [number] => Reply::Wrong(format!("{number} is not from {min} to {max}")),
        _ => Reply::Wrong("type one number".to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decision(form: Form, count: u64) -> Decision {
        Decision { id: 1, seat: 0, form, count, may_pass: false, group: None, secret: false, veiled: false, forced: false }
    }

    fn options(texts: &[&str]) -> Vec<OptionView> {
        let option = |(id, text): (usize, &&str)| OptionView {
            id: id as u64,
            key: format!("key({id})"),
            action: "key".into(),
            args: Vec::new(),
            text: text.to_string(),
            ability: None,
        };
        texts.iter().enumerate().map(option).collect()
    }

    fn menu(decision: &Decision, options: Vec<OptionView>) -> Menu<'_> {
        Menu::new(decision, options, &AlikePieces::default())
    }

    fn unknown(_: &str) -> Result<Choice, Refusal> {
        Err(Refusal { code: "unknown", reason: "there is no such move".into(), help: None })
    }

    const MOVES: [&str; 3] = ["d8:6 captures d4:1", "d8:6 captures d4:2", "pass"];

    #[test]
    fn a_number_is_an_answer() {
        let decision = decision(Form::One, 3);
        let mut menu = menu(&decision, options(&MOVES));
        assert_eq!(menu.read_reply(" 2 ", unknown), Reply::Answer(Choice::Option(1)));
        assert_eq!(menu.read_reply("4", unknown), Reply::Wrong("there is no number 4: they go from 1 to 3".into()));
        assert_eq!(menu.read_reply("0", unknown), Reply::Wrong("there is no number 0: they go from 1 to 3".into()));
        assert_eq!(menu.read_reply("1 2", unknown), Reply::Wrong("choose one number at a time".into()));
        assert_eq!(menu.read_reply("", unknown), Reply::Wrong("type 1 to 3, or `help`".into()));
    }

    #[test]
    fn words_narrow_the_menu_and_enter_takes_the_last() {
        let decision = decision(Form::One, 3);
        let mut menu = menu(&decision, options(&MOVES));
        assert_eq!(menu.read_reply("CAPTURES", unknown), Reply::Changed);
        assert_eq!(menu.menu_lines(&Screen::of_width(None)), ["1. 6 on d8 captures 1 on d4", "2. 6 on d8 captures 2 on d4"]);
        assert_eq!(menu.read_reply("captures d4:2", unknown), Reply::Changed);
        assert_eq!(menu.menu_lines(&Screen::of_width(None)), ["2. 6 on d8 captures 2 on d4"]);
        assert_eq!(menu.read_reply("", unknown), Reply::Answer(Choice::Option(1)));
    }

    #[test]
    fn enter_shows_everything_again() {
        let decision = decision(Form::One, 3);
        let mut menu = menu(&decision, options(&MOVES));
        menu.read_reply("captures", unknown);
        assert_eq!(menu.read_reply("", unknown), Reply::Changed);
        assert_eq!(menu.menu_lines(&Screen::of_width(None)).len(), 3);
    }

    #[test]
    fn words_that_stand_together_come_first() {
        let decision = decision(Form::One, 2);
        let mut menu = menu(&decision, options(&["d6:3 captures d20:1", "d20:1 captures d6:3"]));
        menu.read_reply("captures d20", unknown);
        assert_eq!(menu.menu_lines(&Screen::of_width(None)), ["1. 3 on d6 captures 1 on d20"]);
        menu.read_reply("d20 d6", unknown);
        assert_eq!(menu.menu_lines(&Screen::of_width(None)).len(), 2);
    }

    /// Moves that differ in a word, of which their sentences do not speak.
    fn with_different_words(mut options: Vec<OptionView>) -> Vec<OptionView> {
        for option in &mut options {
            option.args = vec![("aim".to_string(), Argument::Word(option.key.clone()))];
        }
        options
    }

    #[test]
    fn moves_that_read_alike_show_their_keys() {
        let decision = decision(Form::One, 3);
        let menu = menu(&decision, with_different_words(options(&["roll d6", "roll d6", "pass"])));
        assert_eq!(menu.menu_lines(&Screen::of_width(None)), ["1. roll d6  key(0)", "2. roll d6  key(1)", "3. pass"]);
    }

    #[test]
    fn a_whole_sentence_is_not_taken_for_the_beginning_of_a_longer_one() {
        let texts = ["North has the prince", "North has the princess", "bid 3 × 5"];
        assert_eq!(find_matching(texts.into_iter(), "north has the prince"), [0]);
        assert_eq!(find_matching(texts.into_iter(), "north has the princ"), [0, 1]);
        assert_eq!(find_exact(texts.into_iter(), "bid 3 x 5"), [2]);
        assert!(find_exact(texts.into_iter(), "bid 3").is_empty());
    }

    #[test]
    fn words_that_fit_nothing_are_told() {
        let decision = decision(Form::One, 3);
        let mut menu = menu(&decision, options(&MOVES));
        let Reply::Wrong(message) = menu.read_reply("fireball", unknown) else { panic!("nothing fits") };
        assert!(message.contains("`fireball`"));
        assert_eq!(menu.menu_lines(&Screen::of_width(None)).len(), 3);
    }

    #[test]
    fn a_key_is_an_answer_and_a_wrong_one_is_told_why() {
        let decision = decision(Form::One, 3);
        let mut menu = menu(&decision, options(&MOVES));
        assert_eq!(menu.read_reply("key(1)", unknown), Reply::Answer(Choice::Option(1)), "one that is listed");
        assert_eq!(menu.read_reply("pass", |_| Ok(Choice::Option(2))), Reply::Answer(Choice::Option(2)));
        assert_eq!(menu.read_reply("key(9)", unknown), Reply::Wrong("there is no such move".into()));
    }

    #[test]
    fn several_are_chosen_by_their_numbers() {
        let decision = decision(Form::Some { min: 1, max: 2 }, 3);
        let mut menu = menu(&decision, options(&MOVES));
        assert_eq!(menu.read_reply("3,1", unknown), Reply::Answer(Choice::Options(vec![0, 2])));
        assert_eq!(menu.read_reply("1 1", unknown), Reply::Wrong("each number may be chosen once".into()));
        assert_eq!(menu.read_reply("1 2 3", unknown), Reply::Wrong("type 1 to 2 numbers from 1 to 3".into()));
    }

    #[test]
    fn enter_and_none_choose_nothing_where_that_is_enough() {
        let nothing = || Reply::Answer(Choice::Options(Vec::new()));
        for (form, count, hint) in [
            (Form::Some { min: 0, max: 2 }, 3, "0 to 2 numbers from 1 to 3, or Enter for none"),
            (Form::Some { min: 0, max: 1 }, 3, "0 to 1 number from 1 to 3, or Enter for none"),
            (Form::Some { min: 0, max: 1 }, 1, "1, or Enter for none"),
        ] {
            let decision = decision(form, count);
            let mut menu = menu(&decision, options(&MOVES[..count as usize]));
            assert_eq!(menu.input_hint(), hint);
            assert_eq!([menu.read_reply("", unknown), menu.read_reply("none", unknown)], [nothing(), nothing()], "{hint}");
        }
        let needed = decision(Form::Some { min: 1, max: 2 }, 3);
        let mut menu_of_needed = menu(&needed, options(&MOVES));
        assert_eq!(menu_of_needed.read_reply("", unknown), Reply::Wrong("type 1 to 2 numbers from 1 to 3, or `help`".into()));
        let passable = Decision { may_pass: true, ..decision(Form::Some { min: 1, max: 2 }, 3) };
        let mut menu_of_passable = menu(&passable, options(&MOVES));
        assert_eq!(menu_of_passable.read_reply("none", unknown), nothing());
        assert!(matches!(menu_of_passable.read_reply("", unknown), Reply::Wrong(_)), "who passes says so");
    }

    #[test]
    fn things_are_put_in_order_by_their_numbers() {
        let decision = decision(Form::Order, 3);
        let mut menu = menu(&decision, options(&MOVES));
        assert_eq!(menu.input_hint(), "the 3 numbers, in the order you want");
        assert_eq!(menu.read_reply("3 1 2", unknown), Reply::Answer(Choice::Options(vec![2, 0, 1])));
        assert_eq!(menu.read_reply("3 3 2", unknown), Reply::Wrong("each number may be chosen once".into()));
        assert_eq!(menu.read_reply("3 4 2", unknown), Reply::Wrong("there is no number 4: they go from 1 to 3".into()));
        let missing = "that is only 2 of 3, and each must be named: type the 3 numbers, in the order you want";
        assert_eq!(menu.read_reply("3 1", unknown), Reply::Wrong(missing.into()));
        assert_eq!(menu.read_reply("", unknown), Reply::Wrong("type the 3 numbers, in the order you want, or `help`".into()));
    }

    #[test]
    fn amounts_stand_in_the_order_of_the_list() {
        let decision = Decision { may_pass: true, ..decision(Form::Split { total: 60, step: 10 }, 3) };
        let mut menu = menu(&decision, options(&MOVES));
        assert_eq!(menu.input_hint(), "an amount for each of the 3: multiples of 10, 60 in total, or `pass`");
        assert_eq!(menu.read_reply("30 0 30", unknown), Reply::Answer(Choice::Amounts(vec![30, 0, 30])));
        let alone = Decision { count: 1, ..decision.clone() };
        assert_eq!(Menu::new(&alone, options(&MOVES[..1]), &AlikePieces::default()).input_hint(), "60, or `pass`");
        assert_eq!(menu.read_reply("60", unknown), Reply::Wrong("there must be 3 amounts, one for each, not 1".into()));
        assert_eq!(menu.read_reply("30 -10 40", unknown), Reply::Wrong("-10 is less than 0".into()));
        assert_eq!(menu.read_reply("30, 0, 10", unknown), Reply::Wrong("the amounts add up to 40, but must add up to 60".into()));
    }

    #[test]
    fn a_number_keeps_within_its_bounds() {
        let decision = decision(Form::Number { min: -1, max: 5 }, 7);
        let mut menu = menu(&decision, Vec::new());
        assert_eq!(menu.read_reply("-1", unknown), Reply::Answer(Choice::Number(-1)));
        assert_eq!(menu.read_reply("6", unknown), Reply::Wrong("6 is not from -1 to 5".into()));
    }

    #[test]
    fn options_that_are_numbers_are_typed_as_they_are() {
        let decision = decision(Form::One, 4);
        let mut options = options(&["target 4", "target 6", "target 8", "the usual target"]);
        for (option, number) in options.iter_mut().zip([4, 6, 8]) {
            option.key = format!("key({number})");
            option.args = vec![("aim".to_string(), Argument::Number(number))];
        }
        options[3].key = PASS.to_string();
        let mut menu = menu(&decision, options);
        assert_eq!(menu.menu_lines(&Screen::of_width(None))[2..], ["8. target 8", "0. the usual target"]);
        assert_eq!(menu.input_hint(), "0 to 8");
        assert_eq!(menu.read_reply("8", unknown), Reply::Answer(Choice::Option(2)));
        assert_eq!(menu.read_reply("0", unknown), Reply::Answer(Choice::Option(3)));
        let refusal = |key: &str| Err(Refusal { code: "unknown", reason: format!("`{key}` is as good as a 6"), help: None });
        assert_eq!(menu.read_reply("7", refusal), Reply::Wrong("`key(7)` is as good as a 6".into()));
    }

    #[test]
    fn a_long_menu_shows_a_page() {
        let decision = decision(Form::One, 60);
        let mut menu = menu(&decision, with_different_words(options(&["a move"; 60])));
        assert_eq!(menu.menu_lines(&Screen::of_width(None)).len(), PAGE + 1);
        menu.show_all();
        assert_eq!(menu.menu_lines(&Screen::of_width(None)).len(), 60);
    }
}
