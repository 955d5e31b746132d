//! `preview`: what may come of a move until somebody decides again.
//!
//! The move is made in games that agree with all the seat has seen, and in which everything else, with the dice to come, is
//! dealt afresh: so what is told gives away nothing, and how often it happens is a chance.

use super::Line;
use super::event_text::story;
use ludex_engine::problem::joined;
use ludex_engine::runtime::keys::PASS;
use ludex_engine::runtime::{Choice, Decision, Event, EventKind, OptionView, Outcome, Pending, Session, Viewer};

/// In how many games a move is made. Shares are told in hundredths.
const GAMES: u64 = 100;
/// What happens more rarely than the lines that are shown is left out, and this is said.
const MOST_LINES: usize = 12;

/// What may come of an answer, in lines for the seat that is asked.
pub fn prospects(session: &Session, decision: &Decision, choice: &Choice, sides: &[String]) -> Vec<String> {
    let mut found = Prospects::default();
    for seed in 0..GAMES {
        found.add_game(session, decision, choice, sides, seed);
    }
    found.lines()
}

/// An answer in words: those of its options, each as `shown` shows it.
pub fn words_of(session: &Session, decision: &Decision, choice: &Choice, shown: impl Fn(OptionView) -> String) -> String {
    let option = |index: &u64| session.option(decision.id, *index);
    match choice {
        Choice::Option(index) => option(index).map(shown).unwrap_or_default(),
        Choice::Key(key) => key.clone(),
        Choice::Options(indexes) if indexes.is_empty() && decision.may_pass => PASS.to_string(),
        Choice::Options(indexes) => indexes.iter().filter_map(option).map(shown).collect::<Vec<_>>().join(", "),
        Choice::Number(number) => number.to_string(),
        Choice::Amounts(amounts) => amounts.iter().map(i64::to_string).collect::<Vec<_>>().join(" "),
    }
}

/// What happened in the games so far.
#[derive(Default)]
struct Prospects {
    games: usize,
    happenings: Vec<Happening>,
}

/// Lines that say the same but for their numbers.
struct Happening {
    /// The words before, between and behind the numbers.
    words: Vec<String>,
    /// The lowest and the highest of each number.
    numbers: Vec<(i64, i64)>,
    games: usize,
}

impl Prospects {
    fn add_game(&mut self, session: &Session, decision: &Decision, choice: &Choice, sides: &[String], seed: u64) {
        let mut imagined = session.imagine(decision.seat, seed);
        imagined.watch();
        imagined.take_events();
        // A game in which the rules have a fault from here on shows nothing.
        if imagined.choose(decision.id, choice.clone()).is_err() {
            return;
        }
        self.games += 1;
        let seen = |event: &Event| event.seen_by(Viewer::Seat(decision.seat)).is_some();
        let events: Vec<Event> = imagined.take_events().into_iter().filter(seen).collect();
        // What was chosen is what is being asked about.
        let events = match events.split_first() {
            Some((Event { kind: EventKind::Chose { .. }, .. }, rest)) => rest,
            _ => &events,
        };
        let lines = story(events, sides).into_iter().filter_map(|line| match line {
            Line::Plain(text) => Some(text),
            Line::Title(_) => None,
        });
        let end = match imagined.pending() {
            Pending::Finished(outcome) => Some(ending(outcome, sides)),
            _ => None,
        };
        let mut told: Vec<String> = Vec::new();
        for line in lines.chain(end) {
            if !told.contains(&line) {
                told.push(line);
            }
        }
        let mut counted = vec![false; self.happenings.len()];
        told.iter().for_each(|line| self.add_line(line, &mut counted));
    }

    /// One game counts once for each happening.
    fn add_line(&mut self, line: &str, counted: &mut Vec<bool>) {
        let (words, numbers) = parted(line);
        let Some(place) = self.happenings.iter().position(|known| known.words == words) else {
            let numbers = numbers.into_iter().map(|number| (number, number)).collect();
            self.happenings.push(Happening { words, numbers, games: 1 });
            counted.push(true);
            return;
        };
        let known = &mut self.happenings[place];
        for ((least, most), number) in known.numbers.iter_mut().zip(numbers) {
            (*least, *most) = ((*least).min(number), (*most).max(number));
        }
        known.games += usize::from(!std::mem::replace(&mut counted[place], true));
    }

    fn lines(self) -> Vec<String> {
        let games = self.games;
        if games == 0 {
            return vec!["cannot look ahead of this move".to_string()];
        }
        let mut rarest_last: Vec<usize> = (0..self.happenings.len()).collect();
        rarest_last.sort_by_key(|place| std::cmp::Reverse(self.happenings[*place].games));
        let mut shown: Vec<usize> = rarest_last.iter().copied().take(MOST_LINES).collect();
        shown.sort_unstable();
        let mut lines: Vec<String> = shown.iter().map(|place| self.happenings[*place].line(games)).collect();
        match rarest_last.len().saturating_sub(MOST_LINES) {
            0 => {}
            1 => lines.push("… and one more thing that happens rarely".to_string()),
            more => lines.push(format!("… and {more} more things that happen rarely")),
        }
        if lines.is_empty() {
            lines.push("nothing else happens before the next decision".to_string());
        }
        lines
    }
}

impl Happening {
    /// `always: Ann rolls d8`, `about 37 %: Ann hits for 2 to 12`.
    fn line(&self, games: usize) -> String {
        let share = match self.games * 100 / games {
            _ if self.games == games => "always".to_string(),
            0 => "under 1 %".to_string(),
            percent => format!("about {percent} %"),
        };
        let mut text = String::new();
        for (place, words) in self.words.iter().enumerate() {
            text.push_str(words);
            match self.numbers.get(place) {
                Some((least, most)) if least == most => text.push_str(&least.to_string()),
                // A die that may show anything is told without what it shows: `d8` for `d8:1`.
                Some(_) if text.ends_with(':') => drop(text.pop()),
                Some((least, most)) => text.push_str(&format!("{least} to {most}")),
                None => {}
            }
        }
        format!("{share}: {text}")
    }
}

/// The words of a line and the numbers between them. The `8` of `d8` is part of a name.
fn parted(line: &str) -> (Vec<String>, Vec<i64>) {
    let (mut words, mut numbers) = (vec![String::new()], Vec::new());
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let digits = rest.len() - rest.trim_start_matches(|sign: char| sign.is_ascii_digit()).len();
        let last = words.last_mut().expect("there are words before the first number");
        let follows_a_letter = last.ends_with(|sign: char| sign.is_alphanumeric() || sign == '_');
        match rest[..digits].parse() {
            Ok(number) if !follows_a_letter => {
                numbers.push(number);
                words.push(String::new());
                rest = &rest[digits..];
            }
            _ => {
                let length = digits.max(first.len_utf8());
                last.push_str(&rest[..length]);
                rest = &rest[length..];
            }
        }
    }
    (words, numbers)
}

fn ending(outcome: &Outcome, sides: &[String]) -> String {
    let winners: Vec<&str> = outcome.winners.iter().filter_map(|side| sides.get(*side)).map(String::as_str).collect();
    match winners.as_slice() {
        [] => "the game ends".to_string(),
        [winner] => format!("the game ends, won by {winner}"),
        _ => format!("the game ends, shared by {}", joined(&winners, "and")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prospects(games: &[&[&str]]) -> Vec<String> {
        let mut prospects = Prospects::default();
        for game in games {
            prospects.games += 1;
            let mut counted = vec![false; prospects.happenings.len()];
            game.iter().for_each(|line| prospects.add_line(line, &mut counted));
        }
        prospects.lines()
    }

    #[test]
    fn what_always_happens_is_told_apart_from_what_may() {
        assert_eq!(
            prospects(&[&["d4 is captured", "Ann scores"], &["d4 is captured"], &["d4 is captured"]]),
            ["always: d4 is captured", "about 33 %: Ann scores"]
        );
    }

    #[test]
    fn numbers_that_differ_are_told_as_a_range_and_names_stay_whole() {
        assert_eq!(
            prospects(&[&["Ann rolls d8:3", "hits for 3"], &["Ann rolls d8:7", "hits for 7"], &["Ann rolls d4:1"]]),
            ["about 66 %: Ann rolls d8", "about 66 %: hits for 3 to 7", "about 33 %: Ann rolls d4:1"]
        );
    }

    #[test]
    fn twice_in_one_game_counts_once() {
        assert_eq!(prospects(&[&["hits for 2", "hits for 5"], &[]]), ["about 50 %: hits for 2 to 5"]);
    }

    #[test]
    fn where_nothing_happens_this_is_said() {
        assert_eq!(prospects(&[&[]]), ["nothing else happens before the next decision"]);
        assert_eq!(prospects(&[]), ["cannot look ahead of this move"]);
    }

    #[test]
    fn what_is_rare_gives_way() {
        let lines: Vec<String> = (0..14).map(|place| format!("thing {}", char::from(b'a' + place))).collect();
        let all: Vec<&str> = lines.iter().map(String::as_str).collect();
        let told = prospects(&[&all, &all[..13]]);
        assert_eq!(told.len(), MOST_LINES + 1);
        assert_eq!(told.last().map(String::as_str), Some("… and 2 more things that happen rarely"));
    }
}
