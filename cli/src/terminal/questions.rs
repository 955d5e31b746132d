//! The questions before a game: which game, with which options, who against whom.

use super::command::{self, Command};
use super::input::{Ended, Input};
use super::screen::{Screen, Tone, printable};
use crate::args::PlayerSpec;
use crate::game::kept::KeptGame;
use crate::game::loaded::{entrant_word, entrants};
use crate::game::new_seed;
use crate::layout::Table;
use crate::output;
use crate::protocol::steps::BACK;
use crate::rulebook::{Rulebook, things};
use crate::stop::Stop;
use ludex_engine::codes;
use ludex_engine::problem::{Problem, nearest};
use ludex_engine::program::{GameOption, GameOptionKind, ModeInfo, Program, Sheet};
use ludex_engine::recording::{LONGEST_SHARE, is_share};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// The reason that a question has no answer.
pub enum NoAnswer {
    Ended(Ended),
    /// The player wants to leave.
    Quit,
}

impl NoAnswer {
    /// Converts it into the stop of a verb; `help` names what would have answered.
    pub fn stop(self, help: &str) -> Stop {
        match self {
            NoAnswer::Ended(Ended::NothingLeft) => {
                // The prompt still needs the line end that an answer would have typed.
                output::prompt("", "\n");
                Problem::error(codes::INPUT_ENDED, "the input ended before this question was answered").help(help).into()
            }
            NoAnswer::Ended(ended) => Problem::from(ended).help(help).into(),
            NoAnswer::Quit => Stop::left(),
        }
    }
}

impl From<Ended> for NoAnswer {
    fn from(ended: Ended) -> NoAnswer {
        NoAnswer::Ended(ended)
    }
}

impl From<NoAnswer> for Stop {
    fn from(none: NoAnswer) -> Stop {
        none.stop("`--seat` and `--option` answer the questions before the game")
    }
}

/// The way in which the game is to be played.
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

    /// Whether all questions must be asked again, up to the answer that was taken back.
    pub fn goes_back(&mut self) -> bool {
        if !std::mem::take(&mut self.back) {
            return false;
        }
        self.given.pop();
        self.again = std::mem::take(&mut self.given);
        self.again.reverse();
        true
    }

    fn is_asking(&self) -> bool {
        self.again.is_empty()
    }

    fn title(&self, text: &str) {
        if self.is_asking() {
            self.screen.title(text);
        }
    }

    fn draw(&self, lines: &[String]) {
        if self.is_asking() {
            self.screen.draw(lines);
        }
    }

    fn say(&self, text: &str) {
        if self.is_asking() {
            self.screen.say(text);
        }
    }

    /// Records the last line as an answer.
    fn taken(&mut self, line: &str) {
        self.given.push(line.to_string());
    }

    /// Asks for a game, by number, name or part of a name.
    pub fn game(&mut self, games: &[String]) -> Result<String, NoAnswer> {
        let names: Vec<&str> = games.iter().map(String::as_str).collect();
        self.title("Which game?");
        let index = self.pick(&names, &names, "game", Some(0))?;
        Ok(games.get(index.unwrap_or(0)).cloned().unwrap_or_default())
    }

    /// Asks for one of several things, by number, name or part of a name; Enter takes the first.
    pub fn one_of(&mut self, title: &str, names: &[&str], ids: &[&str], word: &str) -> Result<usize, NoAnswer> {
        self.title(title);
        Ok(self.pick(names, ids, word, Some(0))?.unwrap_or(0))
    }

    /// Asks for free text until `refusal` accepts it.
    pub fn words(&mut self, prompt: &str, what: &str, refusal: impl Fn(&str) -> Option<String>) -> Result<String, NoAnswer> {
        loop {
            let line = self.ask(prompt, &[("words", what)])?;
            match refusal(&line) {
                None => {
                    self.taken(&line);
                    return Ok(line);
                }
                Some(words) => self.screen.tell(Tone::Bad, &printable(&words)),
            }
        }
    }

    /// Asks which unfinished game to resume, if there are any; Enter begins a new one.
    pub fn kept<'k>(&mut self, games: &'k [KeptGame]) -> Result<Option<&'k KeptGame>, NoAnswer> {
        if games.is_empty() {
            return Ok(None);
        }
        let shown = games.iter().take(MOST_KEPT).map(|game| format!("go on: {}, {}", game.title(), game.who()));
        let names: Vec<String> = std::iter::once("a new game".to_string()).chain(shown).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        self.title("A new game, or one that is not finished?");
        let index = self.pick(&names, &[], "game", Some(0))?;
        Ok(index.and_then(|index| games.get(index.checked_sub(1)?)))
    }

    /// Asks a player for their share of the seed.
    pub fn share(&mut self, who: &str) -> Result<String, NoAnswer> {
        let length = format!("1 to {LONGEST_SHARE} letters and digits");
        let does = "they go into the seed of the dice, together with those of the other players";
        loop {
            let line = self.ask(&format!("{}, {length} for the dice:", printable(who)), &[(&length, does)])?;
            if is_share(&line) {
                self.taken(&line);
                return Ok(line);
            }
            self.screen.tell(Tone::Bad, &format!("it must be {length}"));
        }
    }

    /// Asks for the mode of the game and for changed options.
    pub fn setting(&mut self, program: &Program, changed: &mut BTreeMap<String, String>) -> Result<Setting, NoAnswer> {
        if program.options.is_empty() && program.modes.is_empty() {
            return Ok(Setting::Play);
        }
        let mode = program.modes.iter().find(|mode| mode.name == program.mode);
        self.title(&match mode {
            Some(mode) => format!("{}: the rules as usual?", printable(&mode.title)),
            None => "The rules as usual?".to_string(),
        });
        let others: Vec<&ModeInfo> = program.modes.iter().filter(|mode| mode.name != program.mode).collect();
        let book = Rulebook::of(program);
        let shown: Vec<String> = others.iter().map(|mode| shown_mode(mode, &book)).collect();
        if !others.is_empty() {
            let names: Vec<&str> = std::iter::once("the rules as usual").chain(shown.iter().map(String::as_str)).collect();
            self.draw(&columns(&names, self.screen));
        }
        let change = format!("change one: `{}`", example(program));
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
            let line = self.ask(&prompt, &help)?;
            let word = line.to_lowercase();
            if matches!(word.as_str(), "options" | "no" | "n") {
                output::print(&option_table(program));
                self.screen.say(&format!("change one, such as `{}`, or press Enter to play", example(program)));
                continue;
            }
            let number = line.parse::<usize>().ok().filter(|_| !others.is_empty());
            if let Some(mode) = number.and_then(|number| others.get(number.checked_sub(2)?)) {
                self.taken(&line);
                return Ok(Setting::Mode(mode.name.clone()));
            }
            if line.is_empty() || number == Some(1) || matches!(word.as_str(), "yes" | "y") {
                self.taken(&line);
                return Ok(Setting::Play);
            }
            if let Some(mode) = program.modes.iter().find(|mode| mode.name == word || mode.title.eq_ignore_ascii_case(&line)) {
                self.taken(&line);
                return Ok(Setting::Mode(mode.name.clone()));
            }
            match option_value(program, &line) {
                Ok((name, value)) => {
                    self.say(&format!("  {name} = {value}"));
                    self.taken(&line);
                    changed.insert(name, value);
                }
                Err(words) => self.screen.tell(Tone::Bad, &words),
            }
        }
    }

    /// Asks for the number of sides, if the rules leave it open.
    pub fn sides(&mut self, program: &Program) -> Result<usize, NoAnswer> {
        self.number("How many play?", program.sides.least..=program.sides.most)
    }

    /// Asks for the number of entrants of a side, if the rules leave it open.
    pub fn team_size(&mut self, program: &Program, title: &str) -> Result<usize, NoAnswer> {
        self.number(title, program.sides.team_sizes())
    }

    /// Asks for a number within a range, if that leaves a choice; Enter takes the lowest.
    fn number(&mut self, title: &str, range: RangeInclusive<usize>) -> Result<usize, NoAnswer> {
        let (least, most) = range.into_inner();
        if least == most {
            return Ok(least);
        }
        let range = format!("{least} to {most}");
        let enter = format!("take {least}");
        loop {
            let line = self.ask(&format!("{title} {range} [{least}]:"), &[(&range, "that many"), ("Enter", &enter)])?;
            let count = if line.is_empty() { Ok(least) } else { line.parse() };
            match count {
                Ok(count) if (least..=most).contains(&count) => {
                    self.taken(&line);
                    return Ok(count);
                }
                _ => self.screen.tell(Tone::Bad, &format!("it must be {range}, not `{}`", printable(&line))),
            }
        }
    }

    /// Asks for `count` entrants of a side. Enter leaves them to chance and returns `None`. With `own`, Enter takes the advised
    /// entrant or, without advice, the first.
    pub fn entrants(
        &mut self,
        program: &Arc<Program>,
        title: &str,
        count: usize,
        own: bool,
    ) -> Result<Option<Vec<String>>, NoAnswer> {
        let sheets = entrants(program);
        let ids: Vec<&str> = sheets.iter().map(|sheet| sheet.id.as_str()).collect();
        let names: Vec<&str> = sheets.iter().map(|sheet| sheet.name.as_str()).collect();
        self.title(title);
        let pictures = picture_of(program, &sheets, self.screen);
        // Rows for the title, two lines of advice, the hint and the question.
        let room = if self.screen.plain { usize::MAX } else { self.screen.height.saturating_sub(6) };
        self.draw(&pictures[..pictures.len().min(room)]);
        self.more = pictures.get(room..).unwrap_or_default().to_vec();
        self.reading = Some(program.clone());
        if !self.more.is_empty() {
            self.say(&format!("  … {} more: `more` shows them", self.more.len()));
        }
        let advice = own.then(|| Rulebook::of(program).advice()).flatten();
        if let Some(advice) = &advice {
            self.say(&format!("New here? {advice}"));
        }
        let advised = advice.and_then(|advice| named_first(&names, &advice));
        let mut chosen: Vec<usize> = Vec::new();
        while chosen.len() < count {
            let is_there = |index: &usize| program.sides.all_different && chosen.contains(index);
            let number = if count == 1 { String::new() } else { format!(" {} of {count}", chosen.len() + 1) };
            let default = advised.into_iter().chain(0..ids.len()).find(|index| own && !is_there(index));
            match self.named(&names, &ids, entrant_word(program), &number, default)? {
                Some(index) if is_there(&index) => {
                    self.screen.tell(Tone::Bad, &format!("{} is on this side already", printable(names[index])));
                }
                Some(index) => chosen.push(index),
                None => return Ok(None),
            }
        }
        Ok(Some(chosen.into_iter().filter_map(|index| ids.get(index)).map(ToString::to_string).collect()))
    }

    /// Asks who plays a side.
    pub fn player(&mut self, program: &Program) -> Result<PlayerSpec, NoAnswer> {
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
        self.title("Who plays against you?");
        let index = self.pick(&names, &ids, "player", Some(0))?;
        Ok(players.get(index.unwrap_or(0)).cloned().unwrap_or(PlayerSpec::Greedy))
    }

    /// Asks for a player's name; Enter keeps the usual one.
    pub fn name(&mut self, usual: &str, refusal: impl Fn(&str) -> Option<String>) -> Result<Option<String>, NoAnswer> {
        let usual = printable(usual);
        let enter = format!("use the name {usual}");
        loop {
            let line = self
                .ask(&format!("who plays as {usual}? Your name [{usual}]:"), &[("a name", "use this name"), ("Enter", &enter)])?;
            match refusal(&line).filter(|_| !line.is_empty()) {
                None => {
                    self.taken(&line);
                    return Ok(Some(line).filter(|line| !line.is_empty()));
                }
                Some(words) => self.screen.tell(Tone::Bad, &printable(&words)),
            }
        }
    }

    /// Asks for a line, handling `help`, which lists the possible inputs, and `quit`.
    fn ask(&mut self, prompt: &str, help: &[(&str, &str)]) -> Result<String, NoAnswer> {
        if let Some(line) = self.again.pop() {
            return Ok(line);
        }
        loop {
            let line = self.input.ask(self.screen, prompt)?;
            if line.eq_ignore_ascii_case(BACK) && !self.given.is_empty() {
                self.back = true;
                return Err(NoAnswer::Quit);
            }
            match command::parse(&line) {
                Some(Command::Help) => {
                    let mut table = Table::default();
                    help.iter().chain(&ALWAYS).for_each(|(typed, does)| table.row([printable(typed), printable(does)]));
                    output::print(&table.text());
                }
                Some(Command::Quit) => return Err(NoAnswer::Quit),
                Some(Command::All) if !self.more.is_empty() => self.screen.draw(&self.more),
                Some(Command::LookAt(words)) if self.reading.is_some() => self.read(&words),
                _ => return Ok(line),
            }
        }
    }

    /// Shows the printed text of something in the game.
    fn read(&self, words: &str) {
        let lines = self.reading.iter().flat_map(|program| things::read(program, words)).collect::<Vec<_>>();
        match lines.is_empty() {
            true => self.screen.tell(Tone::Bad, &format!("no name here contains `{}`", printable(words))),
            false => lines.iter().for_each(|line| self.screen.say(line)),
        }
    }

    /// Asks for one of the named things and returns its index. Without a default, an empty line returns `None`: any of them.
    fn pick(&mut self, names: &[&str], ids: &[&str], word: &str, default: Option<usize>) -> Result<Option<usize>, NoAnswer> {
        self.draw(&columns(names, self.screen));
        self.named(names, ids, word, "", default)
    }

    /// Asks like [`Questions::ask_from_list`], for things that are already shown; `number` says which of several is asked for.
    fn named(
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
            let line = self.ask(&format!("{word}{number}, by number or name [{shown}]:"), &help)?;
            if line.is_empty() {
                self.taken(&line);
                return Ok(default);
            }
            if line.eq_ignore_ascii_case("random") {
                let index = (new_seed() % names.len().max(1) as u64) as usize;
                self.say(&format!("  {}", names.get(index).unwrap_or(&"")));
                self.taken(&(index + 1).to_string());
                return Ok(Some(index));
            }
            match picked(&line, names, ids, word) {
                Ok(index) => {
                    self.taken(&line);
                    return Ok(Some(index));
                }
                Err(words) => self.screen.tell(Tone::Bad, &words),
            }
        }
    }
}

fn picked(line: &str, names: &[&str], ids: &[&str], word: &str) -> Result<usize, String> {
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
        [] => Err(unknown(line, names, ids, word)),
        several => {
            let fitting: Vec<&str> = several.iter().map(|&index| names[index]).collect();
            Err(format!("`{}` can mean {}", printable(line), ludex_engine::problem::joined(&fitting, "or")))
        }
    }
}

fn unknown(line: &str, names: &[&str], ids: &[&str], word: &str) -> String {
    let near = nearest(line, names.iter().chain(ids).copied());
    let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    format!("there is no {word} `{}`{near}", printable(line))
}

/// The index of the name that a text mentions first, as whole words.
fn named_first(names: &[&str], text: &str) -> Option<usize> {
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
    let (name, value) = line.split_once('=').ok_or_else(|| format!("write it as `{}`", example(program)))?;
    let (name, value) = (name.trim(), value.trim());
    let Some(option) = program.option(name) else {
        return Err(unknown(name, &option_names(program), &[], "option"));
    };
    match allows(option, value) {
        Ok(()) => Ok((name.to_string(), value.to_string())),
        Err(range) => Err(format!("`{name}` is {range}, not `{}`", printable(value))),
    }
}

fn allows(option: &GameOption, value: &str) -> Result<(), String> {
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

fn example(program: &Program) -> String {
    let first = program.options.first();
    first.map_or_else(|| "name=value".to_string(), |option| format!("{}={}", option.name, option.shown(option.value)))
}

/// Minimum number of names that are shown in columns.
const LEAST_FOR_COLUMNS: usize = 7;

/// Numbered names; many of them are arranged in as many columns as fit.
fn columns(names: &[&str], screen: &Screen) -> Vec<String> {
    let numbered = |(index, name): (usize, &&str)| (index + 1, printable(name));
    let cells: Vec<(usize, String)> = names.iter().enumerate().map(numbered).collect();
    if screen.plain {
        return cells.iter().map(|(number, name)| format!("{number}. {name}")).collect();
    }
    let widest = cells.iter().map(|(_, name)| name.chars().count()).max().unwrap_or(0);
    let most = if cells.len() < LEAST_FOR_COLUMNS { 1 } else { 4 };
    let in_a_row = (screen.width().saturating_sub(2) / (widest + 7)).clamp(1, most);
    let rows = cells.len().div_ceil(in_a_row);
    let cell =
        |(number, name): &(usize, String)| format!("{}  {name:widest$}", screen.paint(Tone::Number, &format!("{number:>3}")));
    let row = |row: usize| cells.iter().skip(row).step_by(rows.max(1)).map(cell).collect::<Vec<_>>().join("  ");
    (0..rows).map(|index| row(index).trim_end().to_string()).collect()
}

/// `Short game (short), good for a first game`
fn shown_mode(mode: &ModeInfo, book: &Rulebook) -> String {
    let first = if book.newcomers() == Some(mode.name.as_str()) { ", good for a first game" } else { "" };
    format!("{} ({}){first}", mode.title, mode.name)
}

/// The entrants to choose from, each with their dice and abilities. If the screen is too small, only as many as fit get lines of
/// their own.
fn picture_of(program: &Program, sheets: &[&Sheet], screen: &Screen) -> Vec<String> {
    let names: Vec<&str> = sheets.iter().map(|sheet| sheet.name.as_str()).collect();
    let told: Vec<String> = sheets.iter().map(|sheet| things::brief(program, sheet)).collect();
    if told.iter().all(String::is_empty) {
        return columns(&names, screen);
    }
    let widest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let line = |(index, (name, told)): (usize, (&&str, &String))| {
        let name = printable(name);
        match screen.plain {
            true => format!("{}. {name}; {}", index + 1, printable(told)),
            false => {
                let number = screen.paint(Tone::Number, &format!("{:>3}", index + 1));
                let room = screen.width().saturating_sub(widest + 7);
                let told = cut(&printable(told), room);
                format!("{number}  {name:widest$}  {}", screen.paint(Tone::Quiet, &told)).trim_end().to_string()
            }
        }
    };
    names.iter().zip(&told).enumerate().map(line).collect()
}

/// A text, cut to fit the room.
fn cut(text: &str, room: usize) -> String {
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
        let value = printable(&format!("{} = {}", option.name, option.shown(option.value)));
        table.row([value, format!("{}: {}", printable(&may_be), printable(&option.text))]);
    }
    table.text()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 3] = ["Sailor Moon", "Sailor Mars", "Kunzite"];
    const IDS: [&str; 3] = ["sailor-moon", "sailor-mars", "kunzite"];

    #[test]
    fn whom_a_text_advises_is_named_there() {
        let names = ["Moon", "Sailor Moon", "Take", "An", "Mercury"];
        assert_eq!(named_first(&names, "Any of them, such as Sailor Moon or Mercury"), Some(1));
        assert_eq!(named_first(&names, "Mercury's die, then the Moon."), Some(4));
        assert_eq!(named_first(&names, "Draft pairs"), None);
        assert_eq!(named_first(&["", "É"], "Éa É"), Some(1));
    }

    #[test]
    fn a_name_may_be_a_number_an_id_or_a_part() {
        assert_eq!(picked("2", &NAMES, &IDS, "character"), Ok(1));
        assert_eq!(picked("KUNZITE", &NAMES, &IDS, "character"), Ok(2));
        assert_eq!(picked("sailor-moon", &NAMES, &IDS, "character"), Ok(0));
        assert_eq!(picked("mars", &NAMES, &IDS, "character"), Ok(1));
    }

    #[test]
    fn what_fits_nothing_or_several_is_told() {
        let told = |line| picked(line, &NAMES, &IDS, "character").unwrap_err();
        assert_eq!(told("sailor"), "`sailor` can mean Sailor Moon or Sailor Mars");
        assert_eq!(told("kunzyte"), "there is no character `kunzyte`; did you mean `Kunzite`?");
        assert_eq!(told("4"), "there is no number 4: they go from 1 to 3");
        assert_eq!(told("0"), "there is no number 0: they go from 1 to 3");
    }

    #[test]
    fn names_stand_in_columns() {
        let few = columns(&NAMES, &Screen::of_width(Some(80)));
        assert_eq!(few, ["  1  Sailor Moon", "  2  Sailor Mars", "  3  Kunzite"]);
        let many = columns(&["Ann"; 8], &Screen::of_width(Some(40)));
        assert_eq!(many, ["  1  Ann    4  Ann    7  Ann", "  2  Ann    5  Ann    8  Ann", "  3  Ann    6  Ann"]);
        assert_eq!(columns(&NAMES, &Screen::of_width(None)), ["1. Sailor Moon", "2. Sailor Mars", "3. Kunzite"]);
    }
}
