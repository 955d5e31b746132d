//! Messages of the terminal itself: who plays, what happens, how it ends.

use super::echoes::Line;
use super::event_text::{is_in_story, is_routine_answer, story_lines};
use super::{LeaveReason, Terminal, Tone};
use crate::args::public_player;
use crate::exit::DONE;
use crate::game::{Seat, resume_hint};
use crate::output;
use crate::stop::Stop;
use crate::table::{ending_text, payoff_text};
use ludex_bots::updates::{TakeBackNotice, Update};
use ludex_engine::problem::Problem;
use ludex_engine::recording::DiceRecord;
use ludex_engine::runtime::{Event, Outcome, Viewer};

impl Terminal<'_> {
    /// Prints the game, its players and where it is kept, unless the face always shows the table.
    pub(super) fn show_welcome(&self) {
        if self.face.shows_all() {
            return;
        }
        let program = self.game.session().program();
        self.face.print_title(&program.title);
        self.face.print_text(&self.players_text());
        if let Some(path) = self.game.recording_path() {
            self.face.print_in_tone(Tone::Quiet, &format!("kept in {}", path.display()));
        }
    }

    /// The players of the sides, then the referee: `Otter (you) against Newt (greedy bot); Judge: rules as usual`.
    fn players_text(&self) -> String {
        let (sides, referee): (Vec<&Seat>, Vec<&Seat>) = self.game.seats().iter().partition(|seat| seat.side.is_some());
        let told = |seat: &&Seat| match self.player_text(seat) {
            none if none.is_empty() => self.seat_name(seat.number).to_string(),
            player => format!("{} ({player})", self.seat_name(seat.number)),
        };
        let sides: Vec<String> = sides.iter().map(told).collect();
        let referee = referee.iter().map(|seat| match seat.is_usual_referee() {
            true => format!("{}: rules as usual", self.seat_name(seat.number)),
            false => told(seat),
        });
        std::iter::once(sides.join(" against ")).chain(referee).collect::<Vec<_>>().join("; ")
    }

    /// The player of a seat: `you`, `greedy bot`. Empty for one of several people, whose name is enough.
    pub(super) fn player_text(&self, seat: &Seat) -> String {
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
    pub(super) fn explain_dice(&self) {
        if self.game.is_rehearsal() {
            return self.face.print_text("all rolls go into the scenario, which needs no seed");
        }
        let header = self.game.header();
        self.face.print_text(match header.dice {
            DiceRecord::Listed(_) => "the results of chance were listed before play, in this order",
            DiceRecord::External | DiceRecord::ExternalAll => {
                "the dice are rolled at the table and their results typed in; no seed decides them"
            }
            DiceRecord::Seeded => {
                let commitment = header.published_commitment();
                self.face.print_text(&format!("the dice were fixed before play: seed commitment {commitment}"));
                match header.shares {
                    None => "seed and salt are shown at the end; the SHA-256 of `SEED:SALT` is this commitment",
                    Some(_) => {
                        "the seed is made of a share of the table and one of each player; the SHA-256 of `SHARE:SALT`, with the \
                         table's share, is this commitment, and all are shown at the end"
                    }
                }
            }
        });
    }

    /// Prints what has happened since the last call, and adds it to the log.
    pub(super) fn print_updates(&mut self) {
        let mut events = Vec::new();
        for update in self.game.take_updates() {
            if let Update::Event { numbers, event } = update {
                events.push((numbers.table, *event));
                continue;
            }
            self.print_events(std::mem::take(&mut events));
            match update {
                Update::Event { .. } => {}
                Update::TakenBack(undone) => self.print_take_back(&undone),
                Update::Fault(problem) => self.print_problem(&problem),
                // The answer may have been written by now.
                Update::Unwritten(_) if self.game.write_failure().is_none() => {}
                Update::Unwritten(reason) => {
                    let words = format!(
                        "the recording cannot be written: {reason}; until it can, no answer counts. Make room on the disk, or \
                         keep the game elsewhere with `save FILE`"
                    );
                    self.face.print_in_tone(Tone::Bad, &words);
                }
            }
        }
        self.print_events(events);
    }

    /// Adds events, each with its number, to the log, and prints those that the current viewer may know.
    fn print_events(&mut self, events: Vec<(u64, Event)>) {
        let viewer = self.current_viewer();
        let heard = self.log_events(events);
        let told = self.events_known_to(viewer, heard);
        self.unread |= told.iter().any(|event| self.is_news_for_one(event));
        self.print_story(&told);
    }

    /// Whether an event is news only for the seat alone at a shared screen, and is not its own answer. The screen must then
    /// not be wiped before the seat has read it.
    fn is_news_for_one(&self, event: &Event) -> bool {
        let own = event.name == "chose" && event.by == self.alone;
        self.alone.is_some() && !own && event.seen_by(Viewer::Spectator).is_none() && is_in_story(event)
    }

    /// Adds to the log the events that at least one person at this screen may know. Returns its previous length.
    fn log_events(&mut self, events: Vec<(u64, Event)>) -> usize {
        let before = self.log.len();
        for (number, event) in events {
            if self.is_for_somebody(&event) {
                self.log.add_event(number, event);
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
    pub(super) fn events_known_to(&self, viewer: Viewer, start: usize) -> Vec<Event> {
        let log = self.log.events().skip(start);
        log.filter(|event| event.seen_by(viewer).is_some()).cloned().collect()
    }

    /// Prints events as lines for people.
    pub(super) fn print_story(&self, events: &[Event]) {
        if self.face.shows_all() {
            return;
        }
        let told: Vec<Event> = events.iter().filter(|event| !is_routine_answer(event, self.game.seats())).cloned().collect();
        for line in story_lines(&told, &self.sides) {
            match line {
                Line::Title(text) => self.face.print_title(&text),
                Line::Plain(text) => self.face.print_text(&text),
            }
        }
    }

    /// Removes a take-back from the log and announces it; removed events are no longer causes or news.
    fn print_take_back(&mut self, undone: &TakeBackNotice) {
        self.log.take_back(undone);
        let length = self.log.len();
        self.seen.values_mut().for_each(|seen| *seen = length.min(*seen));
        let words = undone.take_back_text(self.seat_name(undone.undo.seat));
        self.face.print_in_tone(Tone::Strong, &words);
    }

    pub(super) fn print_problem(&self, problem: &Problem) {
        self.face.print_problem(problem, &self.game.session().program().sources);
    }

    pub(super) fn print_error(&self, words: &str) {
        self.face.print_in_tone(Tone::Bad, words);
    }

    /// The name of a side, or of the referee after them.
    pub(super) fn seat_name(&self, side: usize) -> &str {
        self.sides.get(side).map_or("the other side", String::as_str)
    }

    /// Says how the game ended, or how to resume it. Returns the exit status, or the problem that stopped play.
    pub(super) fn leave_game(&mut self, left: LeaveReason) -> Result<u8, Stop> {
        if let LeaveReason::Over(outcome) = &left
            && self.face.shows_all()
        {
            let prompt = format!("{}; press Enter to leave the table", self.result_text(outcome));
            // The game is over even if the prompt is not answered.
            let _ = self.ask_line(&prompt, Some(self.current_viewer()));
        }
        self.face.close_table();
        let problem = match left {
            LeaveReason::Over(outcome) => {
                self.print_outcome(&outcome);
                return Ok(DONE);
            }
            LeaveReason::Quit => None,
            LeaveReason::InputEnded(ended) => Some(Problem::from(ended)),
            LeaveReason::Fault(problem) => Some(*problem),
        };
        if let Some(path) = self.game.recording_path() {
            output::print_remark(&resume_hint(path));
        }
        let sources = &self.game.session().program().sources;
        problem.map_or(Ok(DONE), |problem| Err(Stop::new(vec![problem], sources.clone())))
    }

    /// The winners, in words.
    fn result_text(&self, outcome: &Outcome) -> String {
        let names: Vec<&str> = outcome.winners.iter().map(|&side| self.seat_name(side)).collect();
        ending_text(outcome, &names, self.game.session().are_several(&outcome.winners))
    }

    /// Prints the result, the final counters of each side, and the seed, with which everybody can check the dice.
    fn print_outcome(&self, outcome: &Outcome) {
        self.face.print_title(&self.result_text(outcome));
        if let Some(text) = &outcome.text {
            self.face.print_text(text);
        }
        let view = self.game.session().view(Viewer::Spectator);
        let screen = self.face.screen();
        let board = self.board_for_players(&screen, &[]);
        for side in &view.sides {
            let told = std::iter::once(board.side_result(side)).filter(|told| !told.is_empty());
            let parts: Vec<String> = told.chain(payoff_text(outcome, side.side)).collect();
            if !parts.is_empty() {
                self.face.print_text(&format!("{}: {}", self.seat_name(side.side), parts.join(" · ")));
            }
        }
        if self.game.is_rehearsal() {
            return;
        }
        self.print_undone_counts();
        let header = self.game.header();
        if let Some(shares) = &header.shares {
            let given: Vec<&str> = shares.seats.iter().map(|seat| seat.share.as_str()).collect();
            self.face.print_in_tone(Tone::Quiet, &format!("the seed is made of {}:{}", shares.own, given.join(":")));
        }
        self.face.print_in_tone(Tone::Quiet, &format!("seed {}, salt {}", header.seed, header.salt));
        if let Some(path) = self.game.recording_path() {
            self.face.print_in_tone(Tone::Quiet, &format!("kept in {}", path.display()));
        }
    }

    /// Lists the players who took back decisions past a roll or another player's answer.
    fn print_undone_counts(&self) {
        for (seat, &times) in self.game.take_back_counts().iter().enumerate().filter(|(_, times)| **times > 0) {
            let decisions = if times == 1 { "1 decision".to_string() } else { format!("{times} decisions") };
            self.face.print_text(&format!("{} took back {decisions} past a roll or another's answer", self.seat_name(seat)));
        }
    }
}
