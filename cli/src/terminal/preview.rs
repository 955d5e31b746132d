//! `preview`: the possible results of a move, up to the next decision.
//!
//! The move is made in sampled games. They agree with everything the seat has seen; everything else, including future dice, is
//! dealt again. So a preview leaks no hidden information, and its frequencies estimate chances.
//!
//! A preview has a budget of work. When the budget is spent, the preview reports how many games it sampled.

use super::Line;
use super::event_text::story_lines;
use crate::layout::count_text;
use ludex_engine::codes;
use ludex_engine::problem::join_words;
use ludex_engine::runtime::keys::PASS;
use ludex_engine::runtime::limits::MOST_WORK_AHEAD;
use ludex_engine::runtime::{Choice, Decision, Event, EventKind, OptionView, Outcome, Pending, Session, Viewer};
use std::collections::{HashMap, HashSet};

/// Number of games in which a move is made. Shares are shown in per cent.
const GAMES: u64 = 100;
/// Units of work for the line of an event. Each byte of the line costs one more.
const WORK_PER_EVENT: u64 = 400;
/// Maximum number of different lines that are counted. Beyond it, sampling stops.
const MOST_HAPPENINGS: usize = 10_000;
/// Maximum number of lines shown. The rarest results are left out, with a note.
const MOST_LINES: usize = 12;

/// The possible results of an answer, as lines for the seat that is asked. `sides` are the names of the sides. Stops between
/// two games once `is_wanted` returns false.
pub fn preview_lines(
    session: &Session,
    decision: &Decision,
    choice: &Choice,
    sides: &[String],
    is_wanted: impl Fn() -> bool,
) -> Vec<String> {
    Prospects::sample_games(session, decision, choice, sides, MOST_WORK_AHEAD, is_wanted).prospect_lines()
}

/// An answer in words: the texts of its options, each as `shown` formats it.
pub fn answer_text(session: &Session, decision: &Decision, choice: &Choice, shown: impl Fn(OptionView) -> String) -> String {
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

/// The results of the games sampled so far.
#[derive(Default)]
struct Prospects {
    games: usize,
    /// Names that contain digits, which are not results; the longest first.
    names: Vec<String>,
    happenings: Vec<Happening>,
    /// The index of each happening by its words.
    places: HashMap<Vec<String>, usize>,
    /// The work spent so far.
    spent: u64,
    /// Whether the budget cut the number of games.
    is_cut: bool,
}

/// A group of lines that differ only in their numbers.
struct Happening {
    /// The words before, between and after the numbers.
    words: Vec<String>,
    /// The lowest and the highest value of each number.
    numbers: Vec<(i64, i64)>,
    games: usize,
}

impl Prospects {
    /// Makes the move in [`GAMES`] games, or in fewer if `budget` units of work are spent before.
    fn sample_games(
        session: &Session,
        decision: &Decision,
        choice: &Choice,
        sides: &[String],
        budget: u64,
        is_wanted: impl Fn() -> bool,
    ) -> Prospects {
        let mut found = Prospects { names: names_with_digits(session, sides), ..Prospects::default() };
        for seed in (0..GAMES).take_while(|_| is_wanted()) {
            found.is_cut |= found.spent >= budget || found.happenings.len() > MOST_HAPPENINGS;
            if found.is_cut {
                break;
            }
            found.add_game(session, decision, choice, sides, seed, budget - found.spent);
        }
        found
    }

    /// Makes the move in one more game, with at most `most_work` units of work.
    fn add_game(&mut self, session: &Session, decision: &Decision, choice: &Choice, sides: &[String], seed: u64, most_work: u64) {
        let mut imagined = session.imagine(decision.seat, seed);
        imagined.limit_work(most_work);
        imagined.start_watching();
        imagined.take_events();
        // A game with a fault in the rules from here on shows nothing.
        if let Err(fault) = imagined.choose(decision.id, choice.clone()) {
            self.is_cut |= fault.code == codes::STEP_LIMIT;
            self.spent += imagined.total_work();
            return;
        }
        self.games += 1;
        let seen = |event: &Event| event.seen_by(Viewer::Seat(decision.seat)).is_some();
        let events: Vec<Event> = imagined.take_events().into_iter().filter(seen).collect();
        // The first event repeats the choice being previewed.
        let events = match events.split_first() {
            Some((Event { kind: EventKind::Chose { .. }, .. }, rest)) => rest,
            _ => &events,
        };
        let lines = story_lines(events, sides).into_iter().filter_map(|line| match line {
            Line::Plain(text) => Some(text),
            Line::Title(_) => None,
        });
        let end = match imagined.pending() {
            Pending::Finished(outcome) => Some(ending_text(outcome, sides)),
            _ => None,
        };
        let mut known = HashSet::new();
        let told: Vec<String> = lines.chain(end).filter(|line| known.insert(line.clone())).collect();
        let mut counted = vec![false; self.happenings.len()];
        told.iter().for_each(|line| self.add_line(line, &mut counted));
        let bytes: usize = told.iter().map(String::len).sum();
        self.spent += imagined.total_work() + events.len() as u64 * WORK_PER_EVENT + bytes as u64;
    }

    /// Adds a line of the current game. One game counts once for each happening; `counted` says which it has counted for
    /// already.
    fn add_line(&mut self, line: &str, counted: &mut Vec<bool>) {
        let (words, numbers) = split_numbers(line, &self.names);
        let Some(&place) = self.places.get(&words) else {
            self.places.insert(words.clone(), self.happenings.len());
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

    /// The results as lines, in the order in which they happened first.
    fn prospect_lines(self) -> Vec<String> {
        let games = self.games;
        if games == 0 {
            return vec![match self.is_cut {
                true => "cannot look beyond this move: the rules do too much after it".to_string(),
                false => "cannot look beyond this move".to_string(),
            }];
        }
        let mut rarest_last: Vec<usize> = (0..self.happenings.len()).collect();
        rarest_last.sort_by_key(|place| std::cmp::Reverse(self.happenings[*place].games));
        let mut shown: Vec<usize> = rarest_last.iter().copied().take(MOST_LINES).collect();
        shown.sort_unstable();
        let mut lines: Vec<String> = shown.iter().map(|place| self.happenings[*place].prospect_line(games)).collect();
        match rarest_last.len().saturating_sub(MOST_LINES) {
            0 => {}
            1 => lines.push("… and one more rare result".to_string()),
            more => lines.push(format!("… and {more} more rare results")),
        }
        if lines.is_empty() {
            lines.push("nothing else happens before the next decision".to_string());
        }
        if self.is_cut {
            lines.push(format!("(from {}; the rules do too much to try {GAMES})", count_text(games, "game", "games")));
        }
        lines
    }
}

impl Happening {
    /// The happening with its share of `games`: `always: Ann rolls d8`, `about 37 %: Ann hits for 2 to 12`.
    fn prospect_line(&self, games: usize) -> String {
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
                // A die whose value varies is shown without it: `d8` for `d8:1`.
                Some(_) if text.ends_with(':') => drop(text.pop()),
                Some((least, most)) => text.push_str(&format!("{least} to {most}")),
                None => {}
            }
        }
        format!("{share}: {text}")
    }
}

/// The names of players, and the texts printed on sheets, that contain digits; the longest first.
fn names_with_digits(session: &Session, sides: &[String]) -> Vec<String> {
    let prints = &session.program().prints;
    let printed = prints.prints.iter().map(|print| prints.printed_text(print.name));
    let names = sides.iter().map(String::as_str).chain(printed);
    let mut names: Vec<String> =
        names.filter(|name| name.contains(|sign: char| sign.is_ascii_digit())).map(str::to_string).collect();
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    names.dedup();
    names
}

/// The name that a text starts with, as a whole word.
fn name_at<'t>(text: &'t str, names: &[String]) -> Option<&'t str> {
    let ends = |rest: &str| !rest.starts_with(|sign: char| sign.is_alphanumeric() || sign == '_');
    let length = names.iter().find(|name| text.strip_prefix(name.as_str()).is_some_and(ends))?.len();
    text.get(..length)
}

/// Splits a line into words and the numbers between them; there is one more text than numbers. The `8` of `d8` is part of a
/// name, and so is the `2` of `Player 2`.
fn split_numbers(line: &str, names: &[String]) -> (Vec<String>, Vec<i64>) {
    let (mut words, mut numbers) = (vec![String::new()], Vec::new());
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let digits = rest.len() - rest.trim_start_matches(|sign: char| sign.is_ascii_digit()).len();
        let last = words.last_mut().expect("there are words before the first number");
        let follows_a_letter = last.ends_with(|sign: char| sign.is_alphanumeric() || sign == '_');
        if let Some(name) = name_at(rest, names).filter(|_| !follows_a_letter) {
            last.push_str(name);
            rest = &rest[name.len()..];
            continue;
        }
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

/// The end of a game in a preview. `sides` are the names of the sides.
fn ending_text(outcome: &Outcome, sides: &[String]) -> String {
    let winners: Vec<&str> = outcome.winners.iter().filter_map(|side| sides.get(*side)).map(String::as_str).collect();
    match winners.as_slice() {
        [] => "the game ends".to_string(),
        [winner] => format!("the game ends, won by {winner}"),
        _ => format!("the game ends, shared by {}", join_words(&winners, "and")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_engine::Compile;
    use ludex_engine::library::{BUNDLED, CompileRequest, File, Library};
    use ludex_engine::runtime::{Dice, Setup};
    use std::cell::Cell;
    use std::sync::Arc;

    fn prospects(games: &[&[&str]]) -> Vec<String> {
        let mut prospects = Prospects::default();
        for game in games {
            prospects.games += 1;
            let mut counted = vec![false; prospects.happenings.len()];
            game.iter().for_each(|line| prospects.add_line(line, &mut counted));
        }
        prospects.prospect_lines()
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
    fn numbers_in_names_are_never_put_together() {
        let mut prospects = Prospects { names: vec!["Player 12".to_string(), "Player 1".to_string()], ..Prospects::default() };
        for line in ["Player 1 takes 3", "Player 12 takes 4", "Player 1 takes 5", "Player 12 takes 4"] {
            prospects.games += 1;
            prospects.add_line(line, &mut vec![false; prospects.happenings.len()]);
        }
        assert_eq!(prospects.prospect_lines(), ["about 50 %: Player 1 takes 3 to 5", "about 50 %: Player 12 takes 4"]);
    }

    #[test]
    fn twice_in_one_game_counts_once() {
        assert_eq!(prospects(&[&["hits for 2", "hits for 5"], &[]]), ["about 50 %: hits for 2 to 5"]);
    }

    #[test]
    fn where_nothing_happens_this_is_said() {
        assert_eq!(prospects(&[&[]]), ["nothing else happens before the next decision"]);
        assert_eq!(prospects(&[]), ["cannot look beyond this move"]);
    }

    #[test]
    fn what_is_rare_gives_way() {
        let lines: Vec<String> = (0..14).map(|place| format!("thing {}", char::from(b'a' + place))).collect();
        let all: Vec<&str> = lines.iter().map(String::as_str).collect();
        let told = prospects(&[&all, &all[..13]]);
        assert_eq!(told.len(), MOST_LINES + 1);
        assert_eq!(told.last().map(String::as_str), Some("… and 2 more rare results"));
    }
    // --- the budget of a preview ---------------------------------------------------------

    /// A budget for tests, which are not optimised.
    const BUDGET: u64 = 200_000;
    /// The work of copying a game, and of what a game has told, is only counted once it is done.
    const MORE: u64 = 5_000;

    /// What is found about the first move of a game in which this is done.
    fn sample_dig_game(moves: &str, budget: u64, is_wanted: impl Fn() -> bool) -> Prospects {
        let text = format!(
            "ludex 1
game dig \"Dig\"
sides 2
each side has {{ counter gold }}
family deed(active: side) {{}}
action dig is deed
  says \"dig\"
  do {{ {moves} }}
action rest is deed
  says \"rest\"
  do {{}}
to play {{
  let me = first of sides
  repeat 2 times {{
    me must choose deed(me) as chosen else {{ stop }}
    do chosen
  }}
  finish with nobody
}}
"
        );
        let file = File { path: "rules/dig/dig.ludex".to_string(), text, library: BUNDLED.to_string() };
        let (program, problems) = Library::new(vec![file]).0.compile("dig", &CompileRequest::default());
        let program = Arc::new(program.unwrap_or_else(|| panic!("{problems:#?}")));
        let sides = vec![Vec::new(), Vec::new()];
        let setup = Setup { sides, seed: 7.into(), dice: Dice::Seeded, position: None, names: Vec::new(), watched: true };
        let session = Session::start(program, &setup).unwrap_or_else(|problem| panic!("{problem:?}"));
        let Pending::Decisions([decision, ..]) = session.pending() else { panic!("nobody is asked") };
        Prospects::sample_games(&session, decision, &session.find_choice(decision.id, "dig").unwrap(), &[], budget, is_wanted)
    }

    /// So many steps of the rules.
    fn steps(count: u64) -> String {
        format!("let done = 0  repeat {count} times {{ set done to done + 1 }}")
    }

    #[test]
    fn a_preview_stops_between_two_games_once_nobody_waits() {
        let asked = Cell::new(0);
        let is_wanted = || asked.replace(asked.get() + 1) < 3;
        let found = sample_dig_game("add 1 to active.gold", MOST_WORK_AHEAD, is_wanted);
        assert_eq!((found.games, found.is_cut), (3, false));
    }

    #[test]
    fn a_move_with_much_to_do_is_looked_at_in_fewer_games() {
        let short = sample_dig_game(&steps(10), BUDGET, || true);
        assert_eq!((short.games, short.is_cut), (100, false));
        let long = sample_dig_game(&format!("say \"a find\"  {}", steps(1_000)), BUDGET, || true);
        let (games, spent) = (long.games, long.spent);
        assert!((2..100).contains(&games) && (BUDGET / 2..=BUDGET + MORE).contains(&spent), "{games} {spent}");
        let last = format!("(from {games} games; the rules do too much to try 100)");
        assert_eq!(long.prospect_lines(), ["always: a find".to_string(), last]);
    }

    #[test]
    fn a_move_with_too_much_to_do_is_not_looked_at_again_and_again() {
        let found = sample_dig_game(&steps(500_000), BUDGET, || true);
        assert!(found.spent <= BUDGET + MORE, "{}", found.spent);
        assert_eq!(found.prospect_lines(), ["cannot look beyond this move: the rules do too much after it"]);
    }

    #[test]
    fn what_is_told_counts() {
        let told = sample_dig_game("repeat 100 times { say \"a find\" }", BUDGET, || true);
        assert!(told.games < 10 && told.spent <= 2 * BUDGET, "{} {}", told.games, told.spent);
    }
}
