//! What the terminal says by itself: who plays, what happens, how it ends.

use super::tell::{Line, story};
use super::{Leave, Terminal, Tone};
use crate::cli::{DONE, PROBLEMS, PlayerSpec};
use crate::game::{News, how_to_go_on, player_word};
use crate::output;
use ludex_engine::problem::{Problem, joined};
use ludex_engine::recording::TakeBack;
use ludex_engine::runtime::{Event, Outcome, OutcomeResult};

impl Terminal {
    pub(super) fn welcome(&self) {
        let program = self.game.session().program();
        self.screen.title(&program.title);
        self.screen.say(&self.who_plays());
        if let Some(path) = self.game.path() {
            self.screen.tell(Tone::Quiet, &format!("kept in {}", path.display()));
        }
        self.screen.tell(Tone::Quiet, &format!("seed commitment {}", self.game.header().commitment()));
    }

    fn who_plays(&self) -> String {
        let seats = self.game.seats().iter();
        let names: Vec<String> = seats.map(|seat| format!("{} ({})", self.name(seat.number), seat.player)).collect();
        names.join(" against ")
    }

    pub(super) fn tell_news(&mut self) {
        let mut events = Vec::new();
        for news in self.game.take_news() {
            if let News::Event { event, .. } = news {
                events.push(*event);
                continue;
            }
            self.tell_events(std::mem::take(&mut events));
            match news {
                News::Event { .. } => {}
                News::TakenBack(undone) => self.tell_take_back(undone.undo),
                News::Fault(problem) => self.tell_problem(&problem),
                News::NotKept(reason) => {
                    let words = format!("the recording can no longer be written: {reason}; `save FILE` keeps the game elsewhere");
                    self.screen.tell(Tone::Bad, &words);
                }
            }
        }
        self.tell_events(events);
    }

    fn tell_events(&mut self, mut events: Vec<Event>) {
        let viewer = self.viewer();
        events.retain(|event| event.seen_by(viewer).is_some());
        self.tell_story(&events);
        self.log.extend(events);
    }

    /// What happened, in lines for people.
    pub(super) fn tell_story(&self, events: &[Event]) {
        let told: Vec<Event> = events.iter().filter(|event| !self.goes_without_saying(event)).cloned().collect();
        for line in story(&told, &self.sides) {
            match line {
                Line::Title(text) => self.screen.title(&text),
                Line::Plain(text) => self.screen.say(&text),
            }
        }
    }

    /// A referee that rules as is usual is no news.
    fn goes_without_saying(&self, event: &Event) -> bool {
        let seat = event.by.and_then(|by| self.game.seats().get(by));
        event.kind == "chose" && seat.is_some_and(|seat| seat.player == player_word(&PlayerSpec::Auto))
    }

    fn tell_take_back(&mut self, undo: TakeBack) {
        let who = self.name(undo.seat).to_string();
        let words = match undo.seed {
            Some(_) => format!("{who} takes the last decision back; chance is drawn afresh from here"),
            None => format!("{who} takes the last decision back"),
        };
        self.screen.tell(Tone::Strong, &words);
    }

    pub(super) fn tell_problem(&self, problem: &Problem) {
        output::problems(std::slice::from_ref(problem), &self.game.session().program().sources);
    }

    pub(super) fn tell_wrong(&self, words: &str) {
        self.screen.tell(Tone::Bad, words);
    }

    pub(super) fn name(&self, side: usize) -> &str {
        self.sides.get(side).map_or("the other side", String::as_str)
    }

    pub(super) fn leave(&mut self, left: Leave) -> u8 {
        let status = match left {
            Leave::Over(outcome) => {
                self.tell_outcome(&outcome);
                return DONE;
            }
            Leave::Quit => DONE,
            Leave::InputEnded(ended) => {
                output::failure(&ended.words(), None);
                PROBLEMS
            }
            Leave::Fault(problem) => {
                self.tell_problem(&problem);
                PROBLEMS
            }
        };
        if let Some(path) = self.game.path() {
            eprintln!("{}", how_to_go_on(path));
        }
        status
    }

    fn tell_outcome(&self, outcome: &Outcome) {
        let names = outcome.winners.iter().map(|&side| self.name(side).to_string()).collect::<Vec<_>>();
        let winners = joined(&names, "and");
        let result = match outcome.result {
            OutcomeResult::Win => format!("{winners} wins the game"),
            OutcomeResult::Tie if names.is_empty() => "the game is tied".to_string(),
            OutcomeResult::Tie => format!("the game is tied between {winners}"),
            OutcomeResult::Abandoned if names.is_empty() => "the game is given up".to_string(),
            OutcomeResult::Abandoned => format!("the game is given up, and {winners} wins"),
            OutcomeResult::Capped => "the game ends without a winner: it has gone on for too long".to_string(),
        };
        self.screen.title(&result);
        if let Some(text) = &outcome.text {
            self.screen.say(text);
        }
        for (side, counters) in outcome.scores.iter().enumerate() {
            let counters: Vec<String> =
                counters.iter().map(|(name, value)| format!("{} {value}", name.replace('_', " "))).collect();
            self.screen.say(&format!("{}: {}", self.name(side), counters.join(", ")));
        }
        let header = self.game.header();
        self.screen.tell(Tone::Quiet, &format!("seed {}, salt {}", header.seed, header.salt));
        if let Some(path) = self.game.path() {
            self.screen.tell(Tone::Quiet, &format!("kept in {}", path.display()));
        }
    }
}
