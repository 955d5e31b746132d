//! A player that runs as a separate program. It reads and writes the JSON lines of `ludex host … --as SEAT` and plays game
//! after game; each game begins with a `hello`. A program that breaks the protocol or a limit has failed for good: it is
//! ended, and its seat no longer answers.

mod errors;
mod failure;
mod limits;
mod process;
mod watch;

use crate::lines::Line;
use crate::protocol::messages::{self, Fields, MOST_WHOLE, Recipients};
use crate::protocol::request::{self, InReplyTo, Rejection, Request};
use crate::protocol::{answer, steps};
use failure::Failure;
use limits::{Limits, MOST_STEPS, MOST_WRONG};
use ludex_bots::Player;
use ludex_bots::updates::Update;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use ludex_engine::recording::Header;
use ludex_engine::runtime::{Choice, Decision, Draft, DraftProgress, MoveStep, Outcome, Session};
use process::Process;
use serde_json::json;
use std::time::Instant;

/// A program at a seat.
pub struct ProcessBot {
    command: String,
    seat: usize,
    /// Number of seats in the game.
    seats: usize,
    /// Number of decisions this seat was asked in this game, not counting those of other seats. It numbers the questions in
    /// the lines.
    asked: u64,
    /// Lines to send together with the next question.
    unread: String,
    limits: Limits,
    /// Started with the first question.
    process: Option<Process>,
    /// Why it no longer answers.
    failed: Option<Box<Problem>>,
}

impl ProcessBot {
    /// A program that is not started yet. `command` is its path and arguments, separated by spaces.
    pub fn new(command: &str, seat: usize) -> ProcessBot {
        let (unread, limits) = (String::new(), Limits::default());
        ProcessBot { command: command.to_string(), seat, seats: 0, asked: 0, unread, limits, process: None, failed: None }
    }

    fn queue_lines(&mut self, lines: Vec<(Recipients, Fields)>) {
        lines.into_iter().for_each(|(to, line)| self.queue_line(to, line));
    }

    /// Adds a line to those that go with the next question, if it is for this seat.
    fn queue_line(&mut self, to: Recipients, line: Fields) {
        if to.includes_seat(self.seat) {
            self.unread.push_str(&messages::remove_private_fields(line).to_string());
            self.unread.push('\n');
        }
    }

    fn queue_own_line(&mut self, line: Fields) {
        self.queue_line(Recipients::Seats(vec![self.seat]), line);
    }

    // --- questions and answers --------------------------------------------------------

    /// Asks the program for a decision, if need be in steps, until it has made a whole choice.
    fn ask_program(&mut self, session: &Session, decision: &Decision) -> Result<Choice, Failure> {
        self.ensure_started()?;
        let (mut draft, until) = (Draft::default(), Instant::now() + self.limits.decision_time());
        for _ in 0..MOST_STEPS {
            let step = steps::current_step(session, decision, &draft, MOST_WHOLE);
            self.queue_own_line(messages::decision_message(session, decision, step.as_ref(), Some(self.asked)));
            match self.read_valid_answer(session, decision, &draft, step.as_ref(), until)? {
                DraftProgress::Whole(choice) => return Ok(choice),
                DraftProgress::Further(further) => draft = further,
            }
        }
        Err(Failure::Undecided)
    }

    /// Returns the first valid answer. An invalid one is rejected, and the question stays open.
    fn read_valid_answer(
        &mut self,
        session: &Session,
        decision: &Decision,
        draft: &Draft,
        step: Option<&MoveStep>,
        until: Instant,
    ) -> Result<DraftProgress, Failure> {
        let mut reason = String::new();
        for _ in 0..MOST_WRONG {
            let drafted = match self.read_answer(decision, until)? {
                Ok(answer) => match step {
                    Some(step) => answer::answer_step(session, decision, draft, step, &answer),
                    None => answer::parse_choice(session, decision, &answer).map(DraftProgress::Whole),
                }
                .map_err(|rejection| rejection.in_reply_to(self.asked)),
                Err(rejection) => Err(rejection),
            };
            match drafted {
                Ok(drafted) => return Ok(drafted),
                Err(rejection) => {
                    reason = rejection.problem.message.to_string();
                    self.queue_own_line(messages::rejected_message(rejection));
                }
            }
        }
        Err(Failure::Wrong(reason))
    }

    /// Reads the answer from the next line. The inner error is what is wrong with that line, the outer one ends the program.
    fn read_answer(&mut self, decision: &Decision, until: Instant) -> Result<Result<request::Answer, Rejection>, Failure> {
        Ok(match self.next_line(until)? {
            Line::End => return Err(self.end_failure()),
            Line::TooLong => return Err(Failure::TooLong),
            Line::NotText => Err(Rejection::of_line("this line is not text in UTF-8")),
            Line::Text(text) => request::parse_request(&text).and_then(|request| extract_answer(request, self.asked, decision)),
        })
    }

    /// Sends the unread lines, then waits for a line that is not empty: at most for the time of one line, and not beyond
    /// `until`.
    fn next_line(&mut self, until: Instant) -> Result<Line, Failure> {
        let unread = std::mem::take(&mut self.unread);
        let process = self.ensure_started()?;
        process.queue_text(unread);
        let patience = self.limits.line;
        let start = Instant::now();
        loop {
            let process = self.ensure_started()?;
            if process.is_deaf() {
                return Err(Failure::Deaf);
            }
            let rest = patience.saturating_sub(start.elapsed()).min(until.saturating_duration_since(Instant::now()));
            let line = process.wait_for_line(rest).ok_or_else(|| self.late_failure(until))?;
            if !matches!(&line, Line::Text(text) if text.trim().is_empty()) {
                return Ok(line);
            }
        }
    }

    /// The limit that was exceeded: that of the decision, which ends at `until`, or of one line.
    fn late_failure(&self, until: Instant) -> Failure {
        match Instant::now() < until {
            true => Failure::Silent(self.limits.line),
            false => Failure::TooSlow(self.limits.decision_time()),
        }
    }

    /// Returns the process, and starts it at the first question.
    fn ensure_started(&mut self) -> Result<&Process, Failure> {
        if self.process.is_none() {
            self.limits = Limits::from_environment().map_err(Failure::NoLimit)?;
        }
        Ok(match &mut self.process {
            Some(process) => process,
            none => none.insert(Process::start_program(&self.command, self.limits).map_err(Failure::NotStarted)?),
        })
    }

    // --- the end ----------------------------------------------------------------------

    /// The reason why the program's output has ended.
    fn end_failure(&mut self) -> Failure {
        let status = self.process.as_mut().and_then(Process::end_program);
        let excess = self.process.as_ref().and_then(Process::exceeded_limit);
        excess.map(Failure::TooMuch).unwrap_or_else(|| status.map_or(Failure::Closed, Failure::Ended))
    }

    /// Ends a program that has failed. Returns the problem, which is also the answer to all later questions.
    fn give_up(&mut self, failure: Failure) -> Box<Problem> {
        let last_words = self.process.take().and_then(|mut process| {
            process.kill_program();
            process.last_words()
        });
        let mut message = format!("the program `{}` of seat {} {}", self.command, self.seat, failure.failure_text());
        if let Some(words) = last_words {
            message.push_str(&format!("; its last line on stderr was: {words}"));
        }
        let problem = Box::new(Problem::error(codes::PLAYER_GONE, message).help(failure.help()));
        self.failed = Some(problem.clone());
        problem
    }
}

impl Player for ProcessBot {
    fn answer(&mut self, session: &Session, decision: &Decision) -> Result<Choice, Box<Problem>> {
        if let Some(problem) = self.failure_problem() {
            return Err(problem);
        }
        self.asked += 1;
        let choice = self.ask_program(session, decision).map_err(|failure| self.give_up(failure))?;
        if decision.group.is_some() {
            self.queue_own_line(messages::accepted_message(self.asked));
        }
        Ok(choice)
    }

    fn hear_start(&mut self, header: &Header) {
        (self.seats, self.asked) = (header.seats.len(), 0);
        let mut hello = messages::hello_message(header);
        hello.insert("seat".into(), json!(self.seat));
        self.queue_line(Recipients::All, hello);
    }

    fn hear_update(&mut self, session: &Session, update: &Update) {
        match update {
            Update::Event { numbers, event } => self.queue_lines(messages::event_messages(event, numbers)),
            Update::TakenBack(undone) => {
                self.queue_lines(messages::take_back_messages(undone, &session.side_name(undone.undo.seat)))
            }
            Update::Fault(_) | Update::Unwritten(_) => {}
        }
    }

    fn hear_end(&mut self, outcome: &Outcome, header: &Header, undone: &[usize]) {
        self.queue_line(Recipients::All, messages::outcome_message(outcome, header, undone));
        let unread = std::mem::take(&mut self.unread);
        if let Some(process) = &self.process {
            process.queue_text(unread);
        }
    }

    fn failure_problem(&self) -> Option<Box<Problem>> {
        self.failed.clone()
    }
}

/// Extracts the answer to the decision with this number from a request. A program at a seat may request nothing else.
fn extract_answer(request: Request, number: u64, decision: &Decision) -> Result<request::Answer, Rejection> {
    match request {
        Request::Choose { decision: id, seat, answer } => {
            answer::find_open_decision(&[(number, decision.clone())], id, seat)?;
            Ok(answer)
        }
        _ => Err(Rejection::new(
            InReplyTo::Number(number),
            codes::PROTOCOL_LINE,
            "a program at a seat can only answer, with `choose`",
        )),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::process::MOST_UNREAD;
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_decision_may_not_take_for_ever() {
        let mut exec = ProcessBot::new("sleep 100", 0);
        let late = exec.next_line(Instant::now() + Duration::from_millis(20)).err();
        assert_eq!(late.map(|late| late.failure_text()).as_deref(), Some("took more than 600 seconds for one decision"));
    }

    #[test]
    fn who_does_not_read_is_not_waited_for() {
        let mut exec = ProcessBot::new("sleep 100", 0);
        exec.unread = "x".repeat(MOST_UNREAD + 1);
        let deaf = exec.next_line(Instant::now() + Duration::from_secs(20)).err();
        assert_eq!(deaf.map(|deaf| deaf.failure_text()).as_deref(), Some("left more than 67108864 bytes of its input unread"));
    }
}
