//! Messages of the terminal itself: who plays, what happens, how it ends.

use super::echoes::Line;
use super::event_text::{goes_without_saying, is_told, story};
use super::{Leave, Terminal, Tone};
use crate::args::public_player;
use crate::exit::DONE;
use crate::game::{Seat, how_to_go_on};
use crate::output;
use crate::stop::Stop;
use crate::table::{ending, payoff};
use ludex_bots::updates::{TakeBackNotice, Update};
use ludex_engine::problem::Problem;
use ludex_engine::runtime::{Event, Outcome, Viewer};

impl Terminal<'_> {
    pub(super) fn welcome(&self) {
        if self.face.shows_all() {
            return;
        }
        let program = self.game.session().program();
        self.face.title(&program.title);
        self.face.say(&self.who_plays());
        if let Some(path) = self.game.path() {
            self.face.tell(Tone::Quiet, &format!("kept in {}", path.display()));
        }
    }

    /// The players, and the referee if it rules automatically.
    fn who_plays(&self) -> String {
        let (sides, referee): (Vec<&Seat>, Vec<&Seat>) = self.game.seats().iter().partition(|seat| seat.side.is_some());
        let told = |seat: &&Seat| match self.player_words(seat) {
            none if none.is_empty() => self.name(seat.number).to_string(),
            player => format!("{} ({player})", self.name(seat.number)),
        };
        let sides: Vec<String> = sides.iter().map(told).collect();
        let referee = referee.iter().map(|seat| match seat.rules_as_usual() {
            true => format!("{}: rules as usual", self.name(seat.number)),
            false => told(seat),
        });
        std::iter::once(sides.join(" against ")).chain(referee).collect::<Vec<_>>().join("; ")
    }

    /// The player of a seat: `you`, `greedy bot`. Empty for one of several people, whose name is enough.
    pub(super) fn player_words(&self, seat: &Seat) -> String {
        let people = self.game.seats().iter().filter(|seat| !seat.is_bot()).count();
        match (seat.is_bot(), people) {
            (true, _) if public_player(&seat.player) != seat.player => public_player(&seat.player).to_string(),
            (true, _) if seat.player.contains('=') => seat.player.replace('=', " "),
            (true, _) => format!("{} bot", seat.player),
            (false, 1) => "you".to_string(),
            (false, _) => String::new(),
        }
    }

    /// Explains how the dice are made and how to verify them afterwards.
    pub(super) fn tell_dice(&self) {
        if self.game.is_rehearsal() {
            return self.face.say("all rolls go into the scenario, which needs no seed");
        }
        let header = self.game.header();
        self.face.say(&format!("the dice were fixed before play: seed commitment {}", header.commitment()));
        self.face.say("seed and salt are shown at the end; the SHA-256 of `SEED:SALT` is this commitment");
    }

    pub(super) fn tell_updates(&mut self) {
        let mut events = Vec::new();
        for update in self.game.take_updates() {
            if let Update::Event { numbers, event } = update {
                events.push((numbers.table, *event));
                continue;
            }
            self.tell_events(std::mem::take(&mut events));
            match update {
                Update::Event { .. } => {}
                Update::TakenBack(undone) => self.tell_take_back(&undone),
                Update::Fault(problem) => self.tell_problem(&problem),
                // The answer may have been written by now.
                Update::Unwritten(_) if self.game.unwritten().is_none() => {}
                Update::Unwritten(reason) => {
                    let words = format!(
                        "the recording cannot be written: {reason}; until it can, no answer counts. Make room on the disk, or \
                         keep the game elsewhere with `save FILE`"
                    );
                    self.face.tell(Tone::Bad, &words);
                }
            }
        }
        self.tell_events(events);
    }

    fn tell_events(&mut self, events: Vec<(u64, Event)>) {
        let viewer = self.viewer();
        let heard = self.keep(events);
        let told = self.known_to(viewer, heard);
        self.unread |= told.iter().any(|event| self.is_news_for_one(event));
        self.tell_story(&told);
    }

    /// Whether an event is news only for the seat alone at a shared screen, and is not its own answer.
    fn is_news_for_one(&self, event: &Event) -> bool {
        let own = event.name == "chose" && event.by == self.alone;
        self.alone.is_some() && !own && event.seen_by(Viewer::Spectator).is_none() && is_told(event)
    }

    /// Adds to the log the events that at least one person at this screen may know. Returns its previous length.
    fn keep(&mut self, events: Vec<(u64, Event)>) -> usize {
        let before = self.log.len();
        for (number, event) in events {
            if self.is_for_somebody(&event) {
                self.log.add(number, event);
            }
        }
        before
    }

    /// Whether at least one person at this screen may know of an event; true if only bots play.
    pub(super) fn is_for_somebody(&self, event: &Event) -> bool {
        let mut people = self.game.seats().iter().filter(|seat| !seat.is_bot()).map(|seat| seat.number).peekable();
        people.peek().is_none() || people.any(|seat| event.seen_by(Viewer::Seat(seat)).is_some())
    }

    /// The events of the log from `start` that a viewer may know.
    pub(super) fn known_to(&self, viewer: Viewer, start: usize) -> Vec<Event> {
        let log = self.log.events().skip(start);
        log.filter(|event| event.seen_by(viewer).is_some()).cloned().collect()
    }

    /// Prints events as lines for people.
    pub(super) fn tell_story(&self, events: &[Event]) {
        if self.face.shows_all() {
            return;
        }
        let told: Vec<Event> = events.iter().filter(|event| !goes_without_saying(event, self.game.seats())).cloned().collect();
        for line in story(&told, &self.sides) {
            match line {
                Line::Title(text) => self.face.title(&text),
                Line::Plain(text) => self.face.say(&text),
            }
        }
    }

    /// Removes a take-back from the log and announces it; removed events are no longer causes or news.
    fn tell_take_back(&mut self, undone: &TakeBackNotice) {
        self.log.take_back(undone);
        let length = self.log.len();
        self.seen.values_mut().for_each(|seen| *seen = length.min(*seen));
        let words = undone.text(self.name(undone.undo.seat));
        self.face.tell(Tone::Strong, &words);
    }

    pub(super) fn tell_problem(&self, problem: &Problem) {
        self.face.problem(problem, &self.game.session().program().sources);
    }

    pub(super) fn tell_wrong(&self, words: &str) {
        self.face.tell(Tone::Bad, words);
    }

    pub(super) fn name(&self, side: usize) -> &str {
        self.sides.get(side).map_or("the other side", String::as_str)
    }

    pub(super) fn leave(&mut self, left: Leave) -> Result<u8, Stop> {
        if let Leave::Over(outcome) = &left
            && self.face.shows_all()
        {
            let prompt = format!("{}; press Enter to leave the table", self.result(outcome));
            // The game is over even if the prompt is not answered.
            let _ = self.ask(&prompt, Some(self.viewer()));
        }
        self.face.close();
        let problem = match left {
            Leave::Over(outcome) => {
                self.tell_outcome(&outcome);
                return Ok(DONE);
            }
            Leave::Quit => None,
            Leave::InputEnded(ended) => Some(Problem::from(ended)),
            Leave::Fault(problem) => Some(*problem),
        };
        if let Some(path) = self.game.path() {
            output::remark(&how_to_go_on(path));
        }
        let sources = &self.game.session().program().sources;
        problem.map_or(Ok(DONE), |problem| Err(Stop::new(vec![problem], sources.clone())))
    }

    /// The winners, in words.
    fn result(&self, outcome: &Outcome) -> String {
        let names: Vec<&str> = outcome.winners.iter().map(|&side| self.name(side)).collect();
        ending(outcome, &names, self.game.session().are_several(&outcome.winners))
    }

    fn tell_outcome(&self, outcome: &Outcome) {
        self.face.title(&self.result(outcome));
        if let Some(text) = &outcome.text {
            self.face.say(text);
        }
        let view = self.game.session().view(Viewer::Spectator);
        let screen = self.face.screen();
        let board = self.board_of(&screen, &[]);
        for side in &view.sides {
            let told = std::iter::once(board.result(side)).filter(|told| !told.is_empty());
            let parts: Vec<String> = told.chain(payoff(outcome, side.side)).collect();
            if !parts.is_empty() {
                self.face.say(&format!("{}: {}", self.name(side.side), parts.join(" · ")));
            }
        }
        if self.game.is_rehearsal() {
            return;
        }
        self.tell_undone();
        let header = self.game.header();
        if let Some(shares) = &header.shares {
            let given: Vec<&str> = shares.seats.iter().map(|seat| seat.share.as_str()).collect();
            self.face.tell(Tone::Quiet, &format!("the seed is made of {}:{}", shares.own, given.join(":")));
        }
        self.face.tell(Tone::Quiet, &format!("seed {}, salt {}", header.seed, header.salt));
        if let Some(path) = self.game.path() {
            self.face.tell(Tone::Quiet, &format!("kept in {}", path.display()));
        }
    }

    /// Lists the players who took back decisions past a roll or another player's answer.
    fn tell_undone(&self) {
        for (seat, &times) in self.game.undone().iter().enumerate().filter(|(_, times)| **times > 0) {
            let decisions = if times == 1 { "1 decision".to_string() } else { format!("{times} decisions") };
            self.face.say(&format!("{} took back {decisions} past a roll or another's answer", self.name(seat)));
        }
    }
}
