//! `ludex replay FILE --step`: reads a recording moment by moment; `--at N`: shows one of them.

use super::moments::Moments;
use crate::exit::{DONE, PROBLEMS};
use crate::game::ReopenedRecording;
use crate::layout::Table;
use crate::output;
use crate::stop::Stop;
use crate::terminal::event_text::Line;
use crate::terminal::{Input, Screen, Tone, draw_table};
use ludex_engine::codes;
use ludex_engine::json as form;
use ludex_engine::problem::{Problem, join_words, nearest_word};
use ludex_engine::recording::Divergence;
use ludex_engine::runtime::{Session, Viewer};
use serde_json::{Value, json};

/// The commands of the reader.
const COMMANDS: [&str; 6] = ["next", "back", "to", "table", "help", "quit"];

/// A recording being read.
pub struct Reader<'r> {
    pub reopened: &'r ReopenedRecording,
    pub moments: &'r Moments,
    /// The viewer whose table is drawn by default.
    pub viewer: Viewer,
    pub screen: Screen,
}

/// A command of the reader.
enum Command {
    /// Go to a moment.
    To(usize),
    Table(Viewer),
    Help,
    Quit,
}

impl Reader<'_> {
    /// Shows one moment and the table at it.
    pub fn show_moment(&self, number: usize) -> Result<u8, Stop> {
        self.check_number(number)?;
        self.print_story(number);
        self.draw_table(number, self.viewer)?;
        Ok(DONE)
    }

    /// Prints the events of one moment, and the viewer's view after it.
    pub fn print_moment_json(&self, number: usize) -> Result<u8, Stop> {
        self.check_number(number)?;
        let session = self.session_at(number)?;
        let events = self.moments.get(number).map_or(&[][..], |moment| moment.events.as_slice());
        let events: Vec<Value> =
            (1..).zip(events).map(|(number, event)| Value::Object(form::event_json(event, number))).collect();
        output::print_json(&json!({
            "ludex": 1,
            "command": "replay",
            "entry": number,
            "entries": self.moments.last_number(),
            "stage": self.moments.get(number).map(|moment| &moment.stage),
            "events": events,
            "view": form::view_json(&session.view(self.viewer)),
        }));
        Ok(DONE)
    }

    /// Reads commands until the user leaves or the input ends. The problem of a divergence is printed at the last moment, and
    /// makes the exit status a failure.
    pub fn read_commands(&self, divergence: Option<&Problem>) -> Result<u8, Stop> {
        let mut input = Input::new();
        let mut now = 0;
        self.print_story(now);
        loop {
            let end = if now == self.moments.last_number() { ", the end" } else { "" };
            let Ok(line) =
                input.ask_line(&self.screen, &format!("{now} of {}{end} (Enter, or help):", self.moments.last_number()))
            else {
                break;
            };
            input.reset_idle_count();
            match self.parse_command(&line, now) {
                Err(wrong) => self.screen.print_in_tone(Tone::Bad, &wrong),
                Ok(Command::To(number)) => {
                    now = number;
                    self.print_story(now);
                    if let Some(problem) = divergence.filter(|_| now == self.moments.last_number()) {
                        output::print_problems(std::slice::from_ref(problem), &self.reopened.loaded.sources);
                    }
                }
                Ok(Command::Table(viewer)) => self.draw_table(now, viewer)?,
                Ok(Command::Help) => self.print_help(),
                Ok(Command::Quit) => break,
            }
        }
        Ok(if divergence.is_some() { PROBLEMS } else { DONE })
    }

    /// Parses a line at moment `now`. The error is a message for people. The name of a part of play alone goes to its next
    /// start.
    fn parse_command(&self, line: &str, now: usize) -> Result<Command, String> {
        let (word, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        let rest = rest.trim();
        match (word.to_lowercase().as_str(), rest) {
            ("" | "next" | "n", "") if now < self.moments.last_number() => Ok(Command::To(now + 1)),
            ("" | "next" | "n", "") => Err("this is the end of the recording; `back` or `to N` go back".to_string()),
            ("next" | "n", scope) => self.find_next_scope(scope, now),
            ("back" | "b", "") => now.checked_sub(1).map(Command::To).ok_or("this is the start of the recording".to_string()),
            ("back" | "b", scope) => {
                let scope = self.check_scope(scope)?;
                let found = self.moments.previous_start(scope, now).map(Command::To);
                found.ok_or_else(|| format!("no {scope} has begun before this"))
            }
            ("to", number) => {
                let number = number.parse().map_err(|_| "write `to` and the number of an entry, such as `to 5`")?;
                self.check_number(number).map(|()| Command::To(number)).map_err(|problem| problem.message.to_string())
            }
            ("table" | "t", "") => Ok(Command::Table(self.viewer)),
            ("table" | "t", seat) => self.parse_viewer(seat).map(Command::Table),
            ("help" | "h" | "?", "") => Ok(Command::Help),
            ("quit" | "q" | "exit", "") => Ok(Command::Quit),
            (scope, "") => self.find_next_scope(scope, now),
            _ => Err(self.unknown_word_text(word)),
        }
    }

    /// Goes on to the next beginning of a part of play.
    fn find_next_scope(&self, scope: &str, now: usize) -> Result<Command, String> {
        let scope = self.check_scope(scope)?;
        let found = self.moments.next_start(scope, now).map(Command::To);
        found.ok_or_else(|| format!("no {scope} begins after this"))
    }

    /// Checks that a word names a part of play that begins somewhere.
    fn check_scope<'s>(&self, word: &'s str) -> Result<&'s str, String> {
        if self.moments.scope_names().contains(&word) { Ok(word) } else { Err(self.unknown_word_text(word)) }
    }

    /// The message that a word is unknown, with the nearest known one.
    fn unknown_word_text(&self, word: &str) -> String {
        let known = self.moments.scope_names();
        match nearest_word(word, known.iter().copied().chain(COMMANDS)) {
            Some(near) => format!("`{word}` is not known here; did you mean `{near}`?"),
            None => format!("`{word}` is not known here; `help` lists the commands"),
        }
    }

    /// The viewer that a seat's number names.
    fn parse_viewer(&self, word: &str) -> Result<Viewer, String> {
        let seats = self.reopened.contents.header.seats.len();
        let known = || format!("name a seat by its number, from 0 to {}", seats.saturating_sub(1));
        word.parse().ok().filter(|seat| *seat < seats).map(Viewer::Seat).ok_or_else(known)
    }

    /// Prints the commands.
    fn print_help(&self) {
        let mut rows = Table::default();
        let scopes: Vec<String> = self.moments.scope_names().iter().map(|scope| format!("`{scope}`")).collect();
        rows.add_row(["Enter, next", "the next entry"]);
        rows.add_row(["back", "the entry before"]);
        rows.add_row(["to N", "the entry with this number; 0 is the start"]);
        if !scopes.is_empty() {
            rows.add_row([
                "next PART",
                &format!("the next start of such a part of play; PART alone does the same: {}", join_words(&scopes, "or")),
            ]);
            rows.add_row(["back PART", "the start of one before this"]);
        }
        rows.add_row(["table [SEAT]", "draw the table, as a spectator sees it or as this seat does"]);
        rows.add_row(["quit", "leave"]);
        self.screen.print_lines(&rows.to_text().lines().map(str::to_string).collect::<Vec<_>>());
    }

    /// Prints the title and the events of a moment.
    fn print_story(&self, number: usize) {
        self.screen.print_title(&self.moments.moment_title(number));
        for line in self.moments.story_lines(number) {
            let (Line::Title(text) | Line::Plain(text)) = line;
            self.screen.print_text(&text);
        }
    }

    /// Draws the table as a viewer sees it at a moment.
    fn draw_table(&self, number: usize, viewer: Viewer) -> Result<(), Stop> {
        let session = self.session_at(number)?;
        let player = |player: &str| if player == "human" { String::new() } else { player.to_string() };
        let players: Vec<String> = self.reopened.contents.header.seats.iter().map(|seat| player(&seat.player)).collect();
        self.screen.print_lines(&draw_table(&self.screen, &session, viewer, &players));
        Ok(())
    }

    /// The session at a moment, to look at its state.
    fn session_at(&self, number: usize) -> Result<Session, Stop> {
        let changed = |divergence: Divergence| self.reopened.loaded.stop_with_problem(divergence.into());
        self.moments.session_at(self.reopened, number).map_err(changed)
    }

    /// Refuses a moment that the replay does not reach.
    fn check_number(&self, number: usize) -> Result<(), Problem> {
        if number <= self.moments.last_number() {
            return Ok(());
        }
        let message = format!("there is no entry {number}: the recording has {}", self.moments.last_number());
        let message = match self.moments.divergence {
            Some(_) => format!("play does not reach entry {number}: it is the same up to entry {}", self.moments.last_number()),
            None => message,
        };
        let help = format!("give a number from 0, the start, to {}", self.moments.last_number());
        Err(Problem::error(codes::COMMAND_LINE, message).help(help))
    }
}
