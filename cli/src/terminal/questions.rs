//! The questions before a game: which game, with which options, who against whom. The verbs that begin a game ask them in
//! order. After `back`, the verb asks them all again from the first, and [`Questions`] fills in the earlier answers.

use super::command::{self, Command};
use super::input::{Input, InputEnd};
use super::screen::{Screen, Tone, printable_line};
use crate::args::PlayerSpec;
use crate::game::loaded::{entrant_word, playable_sheets};
use crate::game::new_seed;
use crate::game::unfinished::UnfinishedGame;
use crate::layout::Table;
use crate::output;
use crate::protocol::steps::BACK;
use crate::rulebook::{Rulebook, things};
use crate::stop::Stop;
use ludex_engine::codes;
use ludex_engine::problem::{Problem, nearest_word};
use ludex_engine::program::{GameOption, GameOptionKind, ModeInfo, Program, Sheet};
use ludex_engine::recording::{LONGEST_SHARE, is_share};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// The reason that a question has no answer.
pub enum NoAnswer {
    Ended(InputEnd),
    /// The player wants to leave.
    Quit,
}

impl NoAnswer {
    /// Converts it into the stop of a verb; `help` names what would have answered.
    pub fn into_stop(self, help: &str) -> Stop {
        match self {
            NoAnswer::Ended(InputEnd::NothingLeft) => {
                // The prompt still needs the line end that an answer would have typed.
                output::print_prompt("", "\n");
                Problem::error(codes::INPUT_ENDED, "the input ended before this question was answered").help(help).into()
            }
            NoAnswer::Ended(ended) => Problem::from(ended).help(help).into(),
            NoAnswer::Quit => Stop::user_left(),
        }
    }
}

impl From<InputEnd> for NoAnswer {
    fn from(ended: InputEnd) -> NoAnswer {
        NoAnswer::Ended(ended)
    }
}

impl From<NoAnswer> for Stop {
    fn from(none: NoAnswer) -> Stop {
        none.into_stop("`--seat` and `--option` answer the questions before the game")
    }
}

/// The answer to whether the rules are as wanted.
pub enum Setting {
    /// As currently configured.
    Play,
    /// In another mode, which has its own options.
    Mode(String),
}

/// Maximum number of unfinished games offered; `ludex resume` lists all.
const MOST_KEPT: usize = 9;

/// The inputs that every question before a game takes, each with its effect.
const ALWAYS: [(&str, &str); 3] =
    [("back", "answer the previous question again"), ("help", "show what you can type"), ("quit", "leave; no game has begun")];

/// Asks questions with numbered answers; Enter may take the first. After `back`, the questions start over and all but the last
/// answer are filled in automatically.
pub struct Questions<'a> {
    pub screen: &'a Screen,
    pub input: &'a mut Input,
    /// The answers so far.
    given: Vec<String>,
    /// Answers still to be filled in automatically, the next one last.
    again: Vec<String>,
    /// True if the player wants to change the last answer.
    back: bool,
    /// Lines that did not fit on the screen.
    more: Vec<String>,
    /// The game whose cards and abilities can be read.
    reading: Option<Arc<Program>>,
}

impl<'a> Questions<'a> {
    pub fn new(screen: &'a Screen, input: &'a mut Input) -> Questions<'a> {
        Questions { screen, input, given: Vec::new(), again: Vec::new(), back: false, more: Vec::new(), reading: None }
    }

    /// Returns true if the last question ended because the player typed `back`. The caller must then ask all its questions
    /// again; all answers but the last are filled in.
    pub fn goes_back(&mut self) -> bool {
        if !std::mem::take(&mut self.back) {
            return false;
        }
        self.given.pop();
        self.again = std::mem::take(&mut self.given);
        self.again.reverse();
        true
    }

    /// Whether questions are shown, not filled in.
    fn is_asking(&self) -> bool {
        self.again.is_empty()
    }

    fn show_title(&self, text: &str) {
        if self.is_asking() {
            self.screen.print_title(text);
        }
    }

    fn show_lines(&self, lines: &[String]) {
        if self.is_asking() {
            self.screen.print_lines(lines);
        }
    }

    fn show_text(&self, text: &str) {
        if self.is_asking() {
            self.screen.print_text(text);
        }
    }

    /// Records the last line as an answer.
    fn record_answer(&mut self, line: &str) {
        self.given.push(line.to_string());
    }

    /// Asks for a game, by number, name or part of a name.
    pub fn ask_game(&mut self, games: &[String]) -> Result<String, NoAnswer> {
        let names: Vec<&str> = games.iter().map(String::as_str).collect();
        self.show_title("Which game?");
        let index = self.ask_from_list(&names, &names, "game", Some(0))?;
        Ok(games.get(index.unwrap_or(0)).cloned().unwrap_or_default())
    }

    /// Asks for one of several things, by number, name or part of a name; Enter takes the first. `ids` are other names that
    /// may be typed, `word` is the noun for one of them. Returns the index.
    pub fn ask_one_of(&mut self, title: &str, names: &[&str], ids: &[&str], word: &str) -> Result<usize, NoAnswer> {
        self.show_title(title);
        Ok(self.ask_from_list(names, ids, word, Some(0))?.unwrap_or(0))
    }

    /// Asks for free text until `refusal` returns no reason against it. `what` describes the text in the help.
    pub fn ask_words(&mut self, prompt: &str, what: &str, refusal: impl Fn(&str) -> Option<String>) -> Result<String, NoAnswer> {
        loop {
            let line = self.ask_line(prompt, &[("words", what)])?;
            match refusal(&line) {
                None => {
                    self.record_answer(&line);
                    return Ok(line);
                }
                Some(words) => self.screen.print_in_tone(Tone::Bad, &printable_line(&words)),
            }
        }
    }

    /// Asks which unfinished game to resume, if there are any; Enter begins a new one.
    pub fn ask_kept_game<'k>(&mut self, games: &'k [UnfinishedGame]) -> Result<Option<&'k UnfinishedGame>, NoAnswer> {
        if games.is_empty() {
            return Ok(None);
        }
        let shown = games.iter().take(MOST_KEPT).map(|game| format!("go on: {}, {}", game.game_id(), game.players_text()));
        let names: Vec<String> = std::iter::once("a new game".to_string()).chain(shown).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        self.show_title("A new game, or one that is not finished?");
        let index = self.ask_from_list(&names, &[], "game", Some(0))?;
        Ok(index.and_then(|index| games.get(index.checked_sub(1)?)))
    }

    /// Asks a player for their share of the seed: letters and digits that they contribute, so that no single player decides the
    /// dice.
    pub fn ask_seed_share(&mut self, who: &str) -> Result<String, NoAnswer> {
        let length = format!("1 to {LONGEST_SHARE} letters and digits");
        let does = "they go into the seed of the dice, together with those of the other players";
        loop {
            let line = self.ask_line(&format!("{}, {length} for the dice:", printable_line(who)), &[(&length, does)])?;
            if is_share(&line) {
                self.record_answer(&line);
                return Ok(line);
            }
            self.screen.print_in_tone(Tone::Bad, &format!("it must be {length}"));
        }
    }

    /// Asks for the mode of the game and for options, until the player wants to play or chooses another mode. Adds the options
    /// to `changed`.
    pub fn ask_setting(&mut self, program: &Program, changed: &mut BTreeMap<String, String>) -> Result<Setting, NoAnswer> {
        if program.options.is_empty() && program.modes.is_empty() {
            return Ok(Setting::Play);
        }
        let mode = program.modes.iter().find(|mode| mode.name == program.mode);
        self.show_title(&match mode {
            Some(mode) => format!("{}: the rules as usual?", printable_line(&mode.title)),
            None => "The rules as usual?".to_string(),
        });
        let others: Vec<&ModeInfo> = program.modes.iter().filter(|mode| mode.name != program.mode).collect();
        let book = Rulebook::from_program(program);
        let shown: Vec<String> = others.iter().map(|mode| mode_text(mode, &book)).collect();
        if !others.is_empty() {
            let names: Vec<&str> = std::iter::once("the rules as usual").chain(shown.iter().map(String::as_str)).collect();
            self.show_lines(&numbered_columns(&names, self.screen));
        }
        let change = format!("change one: `{}`", option_example(program));
        let mut help = vec![
            ("yes, or Enter", "play, with the options as they are"),
            ("no, or options", "list the options and their possible values"),
            ("name=value", &change),
        ];
        if !others.is_empty() {
            help.push(("a number", "the rules with this number"));
        }
        help.extend(others.iter().map(|mode| (mode.name.as_str(), mode.title.as_str())));
        let prompt = match others.first() {
            Some(mode) => {
                format!("yes [Enter], no for the options, name=value, or a mode such as {}:", mode.name)
            }
            None => "yes [Enter], no for the options, or name=value:".to_string(),
        };
        loop {
            let line = self.ask_line(&prompt, &help)?;
            let word = line.to_lowercase();
            if matches!(word.as_str(), "options" | "no" | "n") {
                output::print_text(&option_table(program));
                self.screen.print_text(&format!("change one, such as `{}`, or press Enter to play", option_example(program)));
                continue;
            }
            let number = line.parse::<usize>().ok().filter(|_| !others.is_empty());
            if let Some(mode) = number.and_then(|number| others.get(number.checked_sub(2)?)) {
                self.record_answer(&line);
                return Ok(Setting::Mode(mode.name.clone()));
            }
            if line.is_empty() || number == Some(1) || matches!(word.as_str(), "yes" | "y") {
                self.record_answer(&line);
                return Ok(Setting::Play);
            }
            if let Some(mode) = program.modes.iter().find(|mode| mode.name == word || mode.title.eq_ignore_ascii_case(&line)) {
                self.record_answer(&line);
                return Ok(Setting::Mode(mode.name.clone()));
            }
            match option_value(program, &line) {
                Ok((name, value)) => {
                    self.show_text(&format!("  {name} = {value}"));
                    self.record_answer(&line);
                    changed.insert(name, value);
                }
                Err(words) => self.screen.print_in_tone(Tone::Bad, &words),
            }
        }
    }

    /// Asks for the number of sides, if the rules leave it open.
    pub fn ask_side_count(&mut self, program: &Program) -> Result<usize, NoAnswer> {
        self.ask_number("How many play?", program.sides.least..=program.sides.most)
    }

    /// Asks for the number of entrants of a side, if the rules leave it open.
    pub fn ask_team_size(&mut self, program: &Program, title: &str) -> Result<usize, NoAnswer> {
        self.ask_number(title, program.sides.team_sizes())
    }

    /// Asks for a number within a range, if that leaves a choice; Enter takes the lowest.
    fn ask_number(&mut self, title: &str, range: RangeInclusive<usize>) -> Result<usize, NoAnswer> {
        let (least, most) = range.into_inner();
        if least == most {
            return Ok(least);
        }
        let range = format!("{least} to {most}");
        let enter = format!("take {least}");
        loop {
            let line = self.ask_line(&format!("{title} {range} [{least}]:"), &[(&range, "that many"), ("Enter", &enter)])?;
            let count = if line.is_empty() { Ok(least) } else { line.parse() };
            match count {
                Ok(count) if (least..=most).contains(&count) => {
                    self.record_answer(&line);
                    return Ok(count);
                }
                _ => self.screen.print_in_tone(Tone::Bad, &format!("it must be {range}, not `{}`", printable_line(&line))),
            }
        }
    }

    /// Asks for `count` entrants of a side. Enter leaves them to chance and returns `None`. With `own`, Enter takes the advised
    /// entrant or, without advice, the first.
    pub fn ask_entrants(
        &mut self,
        program: &Arc<Program>,
        title: &str,
        count: usize,
        own: bool,
    ) -> Result<Option<Vec<String>>, NoAnswer> {
        let sheets = playable_sheets(program);
        let ids: Vec<&str> = sheets.iter().map(|sheet| sheet.id.as_str()).collect();
        let names: Vec<&str> = sheets.iter().map(|sheet| sheet.name.as_str()).collect();
        self.show_title(title);
        let pictures = entrant_list_lines(program, &sheets, self.screen);
        // Rows for the title, two lines of advice, the hint and the question.
        let room = if self.screen.plain { usize::MAX } else { self.screen.height.saturating_sub(6) };
        self.show_lines(&pictures[..pictures.len().min(room)]);
        self.more = pictures.get(room..).unwrap_or_default().to_vec();
        self.reading = Some(program.clone());
        if !self.more.is_empty() {
            self.show_text(&format!("  … {} more: `more` shows them", self.more.len()));
        }
        let advice = own.then(|| Rulebook::from_program(program).beginner_advice()).flatten();
        if let Some(advice) = &advice {
            self.show_text(&format!("New here? {advice}"));
        }
        let advised = advice.and_then(|advice| first_mentioned(&names, &advice));
        let mut chosen: Vec<usize> = Vec::new();
        while chosen.len() < count {
            let is_there = |index: &usize| program.sides.all_different && chosen.contains(index);
            let number = if count == 1 { String::new() } else { format!(" {} of {count}", chosen.len() + 1) };
            let default = advised.into_iter().chain(0..ids.len()).find(|index| own && !is_there(index));
            match self.ask_by_name(&names, &ids, entrant_word(program), &number, default)? {
                Some(index) if is_there(&index) => {
                    self.screen.print_in_tone(Tone::Bad, &format!("{} is on this side already", printable_line(names[index])));
                }
                Some(index) => chosen.push(index),
                None => return Ok(None),
            }
        }
        Ok(Some(chosen.into_iter().filter_map(|index| ids.get(index)).map(ToString::to_string).collect()))
    }

    /// Asks who plays against the player: a bot, a policy of the game, or another person.
    pub fn ask_player(&mut self, program: &Program) -> Result<PlayerSpec, NoAnswer> {
        let mut players = vec![PlayerSpec::Greedy, PlayerSpec::Random, PlayerSpec::Human];
        let mut names: Vec<String> = [
            "normal: the greedy bot, which looks ahead",
            "easy: the random bot, which plays at random",
            "a person at this keyboard",
        ]
        .map(str::to_string)
        .into();
        let mut ids: Vec<String> = ["greedy", "random", "human"].map(str::to_string).into();
        for policy in program.policy_names() {
            players.push(PlayerSpec::Policy(policy.to_string()));
            names.push(format!("{}: a bot that follows this policy of the game", policy.replace('_', " ")));
            ids.push(policy.to_string());
        }
        let (names, ids): (Vec<&str>, Vec<&str>) =
            (names.iter().map(String::as_str).collect(), ids.iter().map(String::as_str).collect());
        self.show_title("Who plays against you?");
        let index = self.ask_from_list(&names, &ids, "player", Some(0))?;
        Ok(players.get(index.unwrap_or(0)).cloned().unwrap_or(PlayerSpec::Greedy))
    }

    /// Asks for a player's name until `refusal` returns no reason against it. Enter keeps the usual one, which returns `None`.
    pub fn ask_name(&mut self, usual: &str, refusal: impl Fn(&str) -> Option<String>) -> Result<Option<String>, NoAnswer> {
        let usual = printable_line(usual);
        let enter = format!("use the name {usual}");
        loop {
            let line = self.ask_line(
                &format!("who plays as {usual}? Your name [{usual}]:"),
                &[("a name", "use this name"), ("Enter", &enter)],
            )?;
            match refusal(&line).filter(|_| !line.is_empty()) {
                None => {
                    self.record_answer(&line);
                    return Ok(Some(line).filter(|line| !line.is_empty()));
                }
                Some(words) => self.screen.print_in_tone(Tone::Bad, &printable_line(&words)),
            }
        }
    }

    /// Asks for a line, handling `help`, which lists the possible inputs, and `quit`.
    fn ask_line(&mut self, prompt: &str, help: &[(&str, &str)]) -> Result<String, NoAnswer> {
        if let Some(line) = self.again.pop() {
            return Ok(line);
        }
        loop {
            let line = self.input.ask_line(self.screen, prompt)?;
            if line.eq_ignore_ascii_case(BACK) && !self.given.is_empty() {
                // It ends all questions; `goes_back` tells the caller why.
                self.back = true;
                return Err(NoAnswer::Quit);
            }
            match command::parse_command(&line) {
                Some(Command::Help) => {
                    let mut table = Table::default();
                    help.iter()
                        .chain(&ALWAYS)
                        .for_each(|(typed, does)| table.add_row([printable_line(typed), printable_line(does)]));
                    output::print_text(&table.to_text());
                }
                Some(Command::Quit) => return Err(NoAnswer::Quit),
                Some(Command::All) if !self.more.is_empty() => self.screen.print_lines(&self.more),
                Some(Command::LookAt(words)) if self.reading.is_some() => self.show_printed_text(&words),
                _ => return Ok(line),
            }
        }
    }

    /// Shows the printed text of something in the game.
    fn show_printed_text(&self, words: &str) {
        let lines = self.reading.iter().flat_map(|program| things::find_thing_lines(program, words)).collect::<Vec<_>>();
        match lines.is_empty() {
            true => self.screen.print_in_tone(Tone::Bad, &format!("no name here contains `{}`", printable_line(words))),
            false => lines.iter().for_each(|line| self.screen.print_text(line)),
        }
    }

    /// Asks for one of the named things and returns its index. Without a default, an empty line returns `None`: any of them.
    fn ask_from_list(
        &mut self,
        names: &[&str],
        ids: &[&str],
        word: &str,
        default: Option<usize>,
    ) -> Result<Option<usize>, NoAnswer> {
        self.show_lines(&numbered_columns(names, self.screen));
        self.ask_by_name(names, ids, word, "", default)
    }

    /// Asks like [`Questions::ask_from_list`], for things that are already shown; `number` says which of several is asked for.
    fn ask_by_name(
        &mut self,
        names: &[&str],
        ids: &[&str],
        word: &str,
        number: &str,
        default: Option<usize>,
    ) -> Result<Option<usize>, NoAnswer> {
        // Text after the id in a name need not be repeated.
        let id = |index: usize| ids.get(index).filter(|id| names.get(index).is_some_and(|name| name.starts_with(**id)));
        let shown = default.and_then(|index| id(index).or_else(|| names.get(index))).map_or("any", |name| name);
        let take = default.map_or("leave it to chance".to_string(), |_| format!("take {shown}"));
        let help = [
            ("a number", "choose the one with this number"),
            ("a name", "choose by name, or by a part of it"),
            ("random", "leave it to chance"),
            ("look NAME", "read what is printed on it"),
            ("Enter", &take),
        ];
        loop {
            let line = self.ask_line(&format!("{word}{number}, by number or name [{shown}]:"), &help)?;
            if line.is_empty() {
                self.record_answer(&line);
                return Ok(default);
            }
            if line.eq_ignore_ascii_case("random") {
                let index = (new_seed() % names.len().max(1) as u64) as usize;
                self.show_text(&format!("  {}", names.get(index).unwrap_or(&"")));
                self.record_answer(&(index + 1).to_string());
                return Ok(Some(index));
            }
            match parse_pick(&line, names, ids, word) {
                Ok(index) => {
                    self.record_answer(&line);
                    return Ok(Some(index));
                }
                Err(words) => self.screen.print_in_tone(Tone::Bad, &words),
            }
        }
    }
}

/// The index of the thing that a line names: by number from 1, name, id, or a part of a name that only one has.
fn parse_pick(line: &str, names: &[&str], ids: &[&str], word: &str) -> Result<usize, String> {
    if let Ok(number) = line.parse::<usize>() {
        let index = number.checked_sub(1).filter(|&index| index < names.len());
        return index.ok_or_else(|| format!("there is no number {number}: they go from 1 to {}", names.len()));
    }
    let wanted = line.to_lowercase();
    let exact = |known: &&str| known.to_lowercase() == wanted;
    if let Some(index) = names.iter().position(exact).or_else(|| ids.iter().position(exact)) {
        return Ok(index);
    }
    let fitting: Vec<usize> = (0..names.len()).filter(|&index| names[index].to_lowercase().contains(&wanted)).collect();
    match fitting.as_slice() {
        [only] => Ok(*only),
        [] => Err(unknown_name_text(line, names, ids, word)),
        several => {
            let fitting: Vec<&str> = several.iter().map(|&index| names[index]).collect();
            Err(format!("`{}` can mean {}", printable_line(line), ludex_engine::problem::join_words(&fitting, "or")))
        }
    }
}

/// The message for a name that nothing has, with the nearest one.
fn unknown_name_text(line: &str, names: &[&str], ids: &[&str], word: &str) -> String {
    let near = nearest_word(line, names.iter().chain(ids).copied());
    let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    format!("there is no {word} `{}`{near}", printable_line(line))
}

/// The index of the name that a text mentions first, as whole words.
fn first_mentioned(names: &[&str], text: &str) -> Option<usize> {
    let is_apart = |name: &str, at: usize| {
        let (before, behind) = (text[..at].chars().next_back(), text[at + name.len()..].chars().next());
        !name.is_empty() && [before, behind].into_iter().flatten().all(|beside| !beside.is_alphanumeric())
    };
    let place = |name: &str| text.match_indices(name).map(|(at, _)| at).find(|at| is_apart(name, *at));
    let mentioned = names.iter().enumerate().filter_map(|(index, name)| Some((place(name)?, index)));
    // Of two names at one place, the longer one counts.
    mentioned.min_by_key(|(at, index)| (*at, std::cmp::Reverse(names[*index].len()))).map(|(_, index)| index)
}

/// Parses `victory_tokens=5` and checks it against the options of the game.
fn option_value(program: &Program, line: &str) -> Result<(String, String), String> {
    let (name, value) = line.split_once('=').ok_or_else(|| format!("write it as `{}`", option_example(program)))?;
    let (name, value) = (name.trim(), value.trim());
    let Some(option) = program.option_by_name(name) else {
        return Err(unknown_name_text(name, &option_names(program), &[], "option"));
    };
    match check_option_value(option, value) {
        Ok(()) => Ok((name.to_string(), value.to_string())),
        Err(range) => Err(format!("`{name}` is {range}, not `{}`", printable_line(value))),
    }
}

/// Checks a value of an option; the error says which values it may have.
fn check_option_value(option: &GameOption, value: &str) -> Result<(), String> {
    match &option.kind {
        GameOptionKind::Number { least, most } => match value.parse() {
            Ok(number) if (*least..=*most).contains(&number) => Ok(()),
            _ => Err(format!("a number from {least} to {most}")),
        },
        GameOptionKind::Words(words) if words.iter().any(|word| word == value) => Ok(()),
        GameOptionKind::Words(words) => Err(format!("one of {}", words.join(", "))),
    }
}

fn option_names(program: &Program) -> Vec<&str> {
    program.options.iter().map(|option| option.name.as_str()).collect()
}

/// An option as it may be typed: `victory_tokens=5`.
fn option_example(program: &Program) -> String {
    let first = program.options.first();
    first.map_or_else(|| "name=value".to_string(), |option| format!("{}={}", option.name, option.value_text(option.value)))
}

/// Minimum number of names that are shown in columns.
const LEAST_FOR_COLUMNS: usize = 7;

/// Numbered names; many of them are arranged in as many columns as fit.
fn numbered_columns(names: &[&str], screen: &Screen) -> Vec<String> {
    let numbered = |(index, name): (usize, &&str)| (index + 1, printable_line(name));
    let cells: Vec<(usize, String)> = names.iter().enumerate().map(numbered).collect();
    if screen.plain {
        return cells.iter().map(|(number, name)| format!("{number}. {name}")).collect();
    }
    let widest = cells.iter().map(|(_, name)| name.chars().count()).max().unwrap_or(0);
    let most = if cells.len() < LEAST_FOR_COLUMNS { 1 } else { 4 };
    let in_a_row = (screen.line_width().saturating_sub(2) / (widest + 7)).clamp(1, most);
    let rows = cells.len().div_ceil(in_a_row);
    let cell = |(number, name): &(usize, String)| {
        format!("{}  {name:widest$}", screen.paint_text(Tone::Number, &format!("{number:>3}")))
    };
    let row = |row: usize| cells.iter().skip(row).step_by(rows.max(1)).map(cell).collect::<Vec<_>>().join("  ");
    (0..rows).map(|index| row(index).trim_end().to_string()).collect()
}

/// `Short game (short), good for a first game`
fn mode_text(mode: &ModeInfo, book: &Rulebook) -> String {
    let first = if book.first_mode() == Some(mode.name.as_str()) { ", good for a first game" } else { "" };
    format!("{} ({}){first}", mode.title, mode.name)
}

/// The entrants to choose from, each with their dice and abilities. If the screen is too small, only as many as fit get lines of
/// their own.
fn entrant_list_lines(program: &Program, sheets: &[&Sheet], screen: &Screen) -> Vec<String> {
    let names: Vec<&str> = sheets.iter().map(|sheet| sheet.name.as_str()).collect();
    let told: Vec<String> = sheets.iter().map(|sheet| things::entrant_summary(program, sheet)).collect();
    if told.iter().all(String::is_empty) {
        return numbered_columns(&names, screen);
    }
    let widest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let line = |(index, (name, told)): (usize, (&&str, &String))| {
        let name = printable_line(name);
        match screen.plain {
            true => format!("{}. {name}; {}", index + 1, printable_line(told)),
            false => {
                let number = screen.paint_text(Tone::Number, &format!("{:>3}", index + 1));
                let room = screen.line_width().saturating_sub(widest + 7);
                let told = cut_text(&printable_line(told), room);
                format!("{number}  {name:widest$}  {}", screen.paint_text(Tone::Quiet, &told)).trim_end().to_string()
            }
        }
    };
    names.iter().zip(&told).enumerate().map(line).collect()
}

/// A text, cut to fit the room.
fn cut_text(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_string();
    }
    let kept: String = text.chars().take(room.saturating_sub(1)).collect();
    format!("{kept}…")
}

/// Every option with its value, its allowed values and its purpose.
fn option_table(program: &Program) -> String {
    let mut table = Table::default();
    for option in &program.options {
        let may_be = match &option.kind {
            GameOptionKind::Number { least, most } => format!("{least} to {most}"),
            GameOptionKind::Words(words) => words.join(", "),
        };
        let value = printable_line(&format!("{} = {}", option.name, option.value_text(option.value)));
        table.add_row([value, format!("{}: {}", printable_line(&may_be), printable_line(&option.text))]);
    }
    table.to_text()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 3] = ["Sailor Moon", "Sailor Mars", "Kunzite"];
    const IDS: [&str; 3] = ["sailor-moon", "sailor-mars", "kunzite"];

    #[test]
    fn whom_a_text_advises_is_named_there() {
        let names = ["Moon", "Sailor Moon", "Take", "An", "Mercury"];
        assert_eq!(first_mentioned(&names, "Any of them, such as Sailor Moon or Mercury"), Some(1));
        assert_eq!(first_mentioned(&names, "Mercury's die, then the Moon."), Some(4));
        assert_eq!(first_mentioned(&names, "Draft pairs"), None);
        assert_eq!(first_mentioned(&["", "É"], "Éa É"), Some(1));
    }

    #[test]
    fn a_name_may_be_a_number_an_id_or_a_part() {
        assert_eq!(parse_pick("2", &NAMES, &IDS, "character"), Ok(1));
        assert_eq!(parse_pick("KUNZITE", &NAMES, &IDS, "character"), Ok(2));
        assert_eq!(parse_pick("sailor-moon", &NAMES, &IDS, "character"), Ok(0));
        assert_eq!(parse_pick("mars", &NAMES, &IDS, "character"), Ok(1));
    }

    #[test]
    fn what_fits_nothing_or_several_is_told() {
        let told = |line| parse_pick(line, &NAMES, &IDS, "character").unwrap_err();
        assert_eq!(told("sailor"), "`sailor` can mean Sailor Moon or Sailor Mars");
        assert_eq!(told("kunzyte"), "there is no character `kunzyte`; did you mean `Kunzite`?");
        assert_eq!(told("4"), "there is no number 4: they go from 1 to 3");
        assert_eq!(told("0"), "there is no number 0: they go from 1 to 3");
    }

    #[test]
    fn names_stand_in_columns() {
        let few = numbered_columns(&NAMES, &Screen::of_width(Some(80)));
        assert_eq!(few, ["  1  Sailor Moon", "  2  Sailor Mars", "  3  Kunzite"]);
        let many = numbered_columns(&["Ann"; 8], &Screen::of_width(Some(40)));
        assert_eq!(many, ["  1  Ann    4  Ann    7  Ann", "  2  Ann    5  Ann    8  Ann", "  3  Ann    6  Ann"]);
        assert_eq!(numbered_columns(&NAMES, &Screen::of_width(None)), ["1. Sailor Moon", "2. Sailor Mars", "3. Kunzite"]);
    }
}
