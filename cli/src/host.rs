//! A game played over lines of JSON. The process at the other end is the table: it passes each line on to the seats it is for.
//! With `--as SEAT` it speaks for one seat only, and gets only that seat's lines.
//!
//! The host sends messages (events, decisions, throws) and reads requests (answers, take-backs, views). The verb `host` starts
//! it; `docs/protocol.md` describes the lines, `protocol` makes and parses them.

pub mod input;
pub mod line_output;
pub mod shares;
pub mod table;

use crate::exit::{DONE, PROBLEMS};
use crate::game::{Game, USED_UP, Undo, set_kept_recording};
use crate::guard::catch_panic;
use crate::layout::count_text;
use crate::lines::{LONGEST_LINE, Line};
use crate::output;
use crate::protocol::messages::{self, MOST_WHOLE, Recipients, object_fields};
use crate::protocol::request::{InReplyTo, Rejection, Request};
use crate::protocol::{answer, request, steps};
use input::Input;
use line_output::Out;
use ludex_bots::updates::{TakeBackNotice, Update};
use ludex_engine::codes;
use ludex_engine::json as form;
use ludex_engine::problem::Problem;
use ludex_engine::recording::TakeBack;
use ludex_engine::runtime::{
    Choice, Decision, Draft, DraftProgress, MoveStep, Outcome, OutcomeResult, Pending, RandomRequest, Viewer,
};
use serde_json::json;
use std::collections::BTreeMap;

/// The options of the host.
#[derive(Clone, Copy, Debug, Default)]
pub struct HostOptions {
    /// Only send the lines of this seat.
    pub as_seat: Option<usize>,
    /// Allow requests for the whole state.
    pub trusted: bool,
}

/// A game with the connection to the other end.
pub struct Host {
    game: Game,
    out: Out,
    trusted: bool,
    input: Input,
    /// The requests that were sent and are still open.
    sent: Vec<OpenRequest>,
    /// The unfinished moves of decisions asked in steps, by the number of the decision in the session.
    drafts: BTreeMap<u64, Draft>,
    /// A take-back, and the seats that have yet to agree to it.
    wanted: Option<(TakeBack, Vec<usize>)>,
}

/// A question to the other end that is not answered yet, by its number in the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OpenRequest {
    Decision(u64),
    Throw(u64),
}

/// Whether play goes on after a line.
enum AfterLine {
    GoOn,
    Leave,
}

/// Plays a game with the other end until it is over or left. Returns the exit status.
pub fn run_host(game: Game, options: HostOptions, input: Input) -> u8 {
    set_kept_recording(game.recording_path());
    let mut host = Host::new(game, Out::to_stdout(options.as_seat), options.trusted, input);
    let status = catch_panic(|| {
        host.send_hello();
        host.play_to_end()
    });
    status.unwrap_or_else(|bug| host.end_with_failure(&host.game.bug_report(&bug)))
}

impl Host {
    fn new(game: Game, out: Out, trusted: bool, input: Input) -> Host {
        Host { game, out, trusted, input, sent: Vec::new(), drafts: BTreeMap::new(), wanted: None }
    }

    /// Sends the first message: the game, its players and the commitment to the seed.
    fn send_hello(&self) {
        self.out.send_line(Recipients::All, messages::hello_message(self.game.header()));
    }

    /// Plays until the game is over, the input ends or the other end leaves. Returns the exit status.
    fn play_to_end(&mut self) -> u8 {
        loop {
            if let Some(status) = self.advance_play() {
                return status;
            }
            match self.handle_line() {
                Ok(AfterLine::GoOn) => {}
                Ok(AfterLine::Leave) => {
                    self.send_outcome(&abandoned_outcome());
                    return DONE;
                }
                Err(status) => return status,
            }
        }
    }

    /// Lets bots answer, reports events and asks the open decisions. Returns the exit status if play is over or has failed.
    fn advance_play(&mut self) -> Option<u8> {
        loop {
            self.send_updates();
            match self.game.let_bot_answer() {
                Ok(true) => {}
                Ok(false) => break,
                Err(problem) => return Some(self.end_with_failure(&problem)),
            }
        }
        self.send_updates();
        if let Pending::Finished(outcome) = self.game.session().pending() {
            let outcome = outcome.clone();
            return Some(self.send_outcome(&outcome));
        }
        self.send_requests();
        None
    }

    // --- out ------------------------------------------------------------------------

    /// Reports what has happened since the last call, and forgets the requests and drafts that this has closed.
    fn send_updates(&mut self) {
        for update in self.game.take_updates() {
            match update {
                Update::Event { numbers, event } => self.out.send_lines(messages::event_messages(&event, &numbers)),
                Update::TakenBack(undone) => self.send_take_back(&undone),
                Update::Fault(problem) => output::print_failure(format!("a bot's answer failed: {}", problem.message), None),
                Update::Unwritten(reason) => self.send_unwritten_notice(&reason),
            }
        }
        let open = self.open_requests();
        self.sent.retain(|sent| open.contains(sent));
        self.drafts.retain(|decision, _| open.contains(&OpenRequest::Decision(*decision)));
    }

    /// Reports that the recording cannot be written. Requests are not carried out meanwhile and a bot may be waiting; any line
    /// tries again.
    fn send_unwritten_notice(&self, reason: &str) {
        let reason = format!("the recording cannot be written: {reason}; until it can, no answer counts");
        let notice = Rejection::new(InReplyTo::Unknown(()), codes::FILE_NOT_WRITTEN, reason);
        self.send_rejection(None, notice.help("make room on the disk; each line that you send tries again, even an empty one"));
    }

    /// Reports a take-back. The questions that are open again must be sent again.
    fn send_take_back(&mut self, undone: &TakeBackNotice) {
        self.sent.clear();
        self.drafts.clear();
        let name = self.game.session().side_name(undone.undo.seat);
        self.out.send_lines(messages::take_back_messages(undone, &name));
    }

    /// Sends the open requests that were not sent yet.
    fn send_requests(&mut self) {
        for decision in self.game.open_decisions() {
            if !self.sent.contains(&OpenRequest::Decision(decision.id)) {
                self.sent.push(OpenRequest::Decision(decision.id));
                self.send_decision(&decision);
            }
        }
        if let Some(request) = self.open_throw().filter(|request| !self.sent.contains(&OpenRequest::Throw(request.id))) {
            self.sent.push(OpenRequest::Throw(request.id));
            self.out.send_line(Recipients::All, messages::random_message(&request));
        }
    }

    /// Sends a decision, or its current step, with its seat's view.
    fn send_decision(&self, decision: &Decision) {
        let step = self.current_step(decision);
        let open = self.numbered_decisions();
        let number = open.into_iter().find(|(_, other)| other.id == decision.id).map(|(number, _)| number);
        let own = number.filter(|_| self.out.as_seat.is_some());
        self.out.send_line(
            Recipients::Seats(vec![decision.seat]),
            messages::decision_message(self.game.session(), decision, step.as_ref(), own),
        );
    }

    /// The current step of a decision, if it is asked in steps.
    fn current_step(&self, decision: &Decision) -> Option<MoveStep> {
        let begun = self.drafts.get(&decision.id).cloned().unwrap_or_default();
        steps::current_step(self.game.session(), decision, &begun, MOST_WHOLE)
    }

    /// Ends the table after a failure. Every seat learns that there was one. The details go only to the person who started this
    /// process: they may reveal how a program is started, its messages, paths of files, and the answers of others.
    fn end_with_failure(&self, problem: &Problem) -> u8 {
        output::print_failure(&problem.message, problem.help.as_deref());
        let message = match (problem.code, self.game.next_bot_seat()) {
            (codes::PLAYER_GONE, Some(seat)) => format!("the program of {} has failed", self.game.session().side_name(seat)),
            (codes::INTERNAL, _) => "Ludex itself has failed".to_string(),
            _ => "the game cannot go on: its rules have failed".to_string(),
        };
        self.out.send_refusal(&Problem::error(problem.code, message).help(line_output::MORE))
    }

    /// Sends the result. Returns the exit status: results of chance that were listed but not used are a problem.
    fn send_outcome(&mut self, outcome: &Outcome) -> u8 {
        let mut line = messages::outcome_message(outcome, self.game.header(), &self.game.take_back_counts());
        line.insert("recording".into(), json!(self.game.recording_path()));
        let unused = self.game.session().unused_results().len();
        if unused > 0 {
            line.insert("unused_rolls".into(), json!(unused));
        }
        self.out.send_line(Recipients::All, line);
        if unused == 0 {
            return DONE;
        }
        output::print_failure(format!("{unused} of the listed results were not used"), None);
        PROBLEMS
    }

    // --- in -------------------------------------------------------------------------

    /// Reads one line and carries it out; an invalid line is rejected and changes nothing. The error is the exit status at the
    /// end of the input.
    fn handle_line(&mut self) -> Result<AfterLine, u8> {
        let (seat, answered) = match self.input.read_line() {
            Line::End => return Err(self.end_without_input()),
            Line::NotText => (None, Err(Rejection::of_line("this line is not text in UTF-8"))),
            Line::TooLong => (None, Err(Rejection::of_line(format!("this line is longer than {LONGEST_LINE} bytes")))),
            Line::Text(text) if text.trim().is_empty() => return Ok(AfterLine::GoOn),
            Line::Text(text) => match request::parse_request(&text).map(|request| request.with_only_seat(self.out.as_seat)) {
                Ok(Request::Quit) => return Ok(AfterLine::Leave),
                Ok(request) => (self.speaking_seat(&request), self.handle_request(request)),
                Err(rejection) => (None, Err(rejection)),
            },
        };
        if let Err(rejection) = answered {
            self.send_rejection(seat.filter(|&seat| seat < self.game.seats().len()), rejection);
        }
        Ok(AfterLine::GoOn)
    }

    /// Reports that the input ended early, and how to resume the game. Returns the exit status.
    fn end_without_input(&self) -> u8 {
        if let Some(path) = self.game.recording_path() {
            output::print_remark(&crate::game::resume_hint(path));
        }
        self.out.send_refusal(&Problem::error(codes::INPUT_ENDED, "the input ended before the game did"))
    }

    /// Replies that a line had no effect: to its seat, or to all if that is unknown.
    fn send_rejection(&self, seat: Option<usize>, rejection: Rejection) {
        // If the connection speaks for one seat, the reply goes to it, no matter which seat the line names.
        let to = self.out.as_seat.or(seat).map_or(Recipients::All, |seat| Recipients::Seats(vec![seat]));
        self.out.send_line(to, messages::rejected_message(rejection));
    }

    /// Carries out a request, after a check that it may speak for its seat.
    fn handle_request(&mut self, request: Request) -> Result<(), Rejection> {
        if let Some(seat) = request.claimed_seat() {
            self.check_seat(seat).map_err(|rejection| Rejection { in_reply_to: request.reply_reference(), ..rejection })?;
        }
        match request {
            Request::Choose { decision, seat, answer } => self.handle_choice(decision, seat, &answer),
            Request::Random { id, result } => self.handle_random(id, &result),
            Request::View(seat) => self.send_view(seat),
            Request::Undo { seat } => self.handle_undo(seat),
            Request::Consent { seat, agrees } => self.handle_consent(seat, agrees),
            Request::Resign(seat) => self.game.resign_seat(seat).map_err(word_rejection("resign")),
            Request::Resync(seat) => self.handle_resync(seat),
            Request::State => self.send_state(),
            Request::Quit => Ok(()),
        }
    }

    /// The seat that speaks: the one it names, or the one that is asked the decision it answers.
    fn speaking_seat(&self, request: &Request) -> Option<usize> {
        let asked = match request {
            Request::Choose { decision, .. } => self.numbered_decisions().into_iter().find(|(number, _)| number == decision),
            _ => None,
        };
        request.claimed_seat().or(asked.map(|(_, decision)| decision.seat))
    }

    /// Refuses a seat that does not exist or may not speak here.
    fn check_seat(&self, seat: usize) -> Result<(), Rejection> {
        let seats = self.game.seats().len();
        if let Some(own) = self.out.as_seat.filter(|own| *own != seat) {
            let reason = format!("only seat {own} may speak here");
            return Err(Rejection::new(InReplyTo::Unknown(()), codes::WRONG_SEAT, reason)
                .help("start `ludex host` without `--as` to speak for every seat"));
        }
        if seat < seats {
            return Ok(());
        }
        let reason = format!("there is no seat {seat}: this game has {}, numbered from 0", count_text(seats, "seat", "seats"));
        Err(Rejection::new(InReplyTo::Unknown(()), codes::SEATS, reason))
    }

    /// Answers the decision with the number `id`, as it was sent.
    fn handle_choice(&mut self, id: u64, seat: Option<usize>, answer: &request::Answer) -> Result<(), Rejection> {
        let open = self.numbered_decisions();
        let decision = answer::find_open_decision(&open, id, seat)?;
        let Some(choice) = self.complete_choice(decision, answer).map_err(|rejection| rejection.in_reply_to(id))? else {
            return Ok(());
        };
        self.game
            .answer_decision(decision.id, choice)
            .map_err(|problem| Rejection { in_reply_to: InReplyTo::Number(id), problem })?;
        self.wanted = None;
        // The others of the group may still be choosing, so no event confirms the answer.
        if decision.group.is_some() {
            self.out.send_line(Recipients::Seats(vec![decision.seat]), messages::accepted_message(id));
        }
        Ok(())
    }

    /// The choice that an answer completes; `None` if it is only a step, after which the next is sent.
    fn complete_choice(&mut self, decision: &Decision, answer: &request::Answer) -> Result<Option<Choice>, Rejection> {
        let session = self.game.session();
        let Some(step) = self.current_step(decision) else { return answer::parse_choice(session, decision, answer).map(Some) };
        let begun = self.drafts.get(&decision.id).cloned().unwrap_or_default();
        match answer::answer_step(session, decision, &begun, &step, answer)? {
            DraftProgress::Whole(choice) => Ok(Some(choice)),
            DraftProgress::Further(draft) => {
                self.drafts.insert(decision.id, draft);
                self.sent.retain(|sent| *sent != OpenRequest::Decision(decision.id));
                Ok(None)
            }
        }
    }

    /// Supplies the results of the open throw.
    fn handle_random(&mut self, id: u64, result: &[i64]) -> Result<(), Rejection> {
        if self.open_throw().is_none_or(|request| request.id != id) {
            return Err(Rejection::new(InReplyTo::Number(id), codes::UNKNOWN_DECISION, format!("throw {id} is not open")));
        }
        self.game.supply_results(result).map_err(|problem| Rejection { in_reply_to: InReplyTo::Number(id), problem })
    }

    fn send_view(&self, seat: usize) -> Result<(), Rejection> {
        let mut line = object_fields(json!({ "type": "view" }));
        line.insert("view".into(), form::view_json(&self.game.session().view(Viewer::Seat(seat))));
        self.out.send_line(Recipients::Seats(vec![seat]), line);
        Ok(())
    }

    /// Takes back a seat's secret pick or last answer, or asks the others for consent.
    fn handle_undo(&mut self, seat: usize) -> Result<(), Rejection> {
        if self.game.withdraw_pick(seat).map_err(word_rejection("undo"))? {
            // The other seats keep their open questions and are not notified.
            let own: Vec<u64> = self.game.open_decisions().iter().filter(|open| open.seat == seat).map(|open| open.id).collect();
            self.sent.retain(|sent| !matches!(sent, OpenRequest::Decision(id) if own.contains(id)));
            return Ok(());
        }
        let refused = |reason: &str| Rejection::new(InReplyTo::Word("undo"), codes::UNDO_REFUSED, reason);
        match self.game.undo_for_seat(seat) {
            Undo::Nothing => Err(refused("this seat has not decided anything yet")),
            Undo::UsedUp => Err(refused(USED_UP).help("start `ludex host` with `--undo N` to allow each seat N take-backs")),
            Undo::Free(undo) => self.game.apply_take_back(undo).map_err(word_rejection("undo")),
            Undo::WithConsent(undo, others) => {
                let reason = "this takes back a roll or another seat's answer";
                self.out.send_line(
                    Recipients::Seats(others.clone()),
                    object_fields(json!({ "type": "consent", "seat": seat, "reason": reason })),
                );
                self.wanted = Some((undo, others));
                Ok(())
            }
        }
    }

    /// Notes the consent of a seat, or without one of all that are asked. The take-back is carried out once all agree.
    fn handle_consent(&mut self, seat: Option<usize>, agrees: bool) -> Result<(), Rejection> {
        let Some((undo, mut waiting)) = self.wanted.take() else {
            return Err(Rejection::new(InReplyTo::Word("consent"), codes::UNDO_REFUSED, "no seat has asked for a take-back"));
        };
        if let Some(seat) = seat.filter(|seat| !waiting.contains(seat)) {
            self.wanted = Some((undo, waiting));
            let message = format!("seat {seat} is not asked whether it agrees");
            return Err(Rejection::new(InReplyTo::Word("consent"), codes::UNDO_REFUSED, message));
        }
        if !agrees {
            let refused = Rejection::new(InReplyTo::Word("undo"), codes::UNDO_REFUSED, "another seat does not agree");
            self.send_rejection(Some(undo.seat), refused);
            return Ok(());
        }
        let before = waiting.clone();
        waiting.retain(|&other| seat.is_some_and(|seat| seat != other));
        if !waiting.is_empty() {
            self.wanted = Some((undo, waiting));
            return Ok(());
        }
        self.game.apply_take_back(undo).map_err(|problem| {
            self.wanted = Some((undo, before));
            word_rejection("consent")(problem)
        })
    }

    /// Sends everything a seat needs to go on: the players, its view and its questions.
    fn handle_resync(&mut self, seat: usize) -> Result<(), Rejection> {
        self.out.send_line(Recipients::Seats(vec![seat]), messages::hello_message(self.game.header()));
        self.send_view(seat)?;
        for decision in self.game.open_decisions().iter().filter(|decision| decision.seat == seat) {
            self.send_decision(decision);
        }
        if let Some(request) = self.open_throw() {
            self.out.send_line(Recipients::Seats(vec![seat]), messages::random_message(&request));
        }
        Ok(())
    }

    /// Sends the whole state, including everything hidden.
    fn send_state(&self) -> Result<(), Rejection> {
        // A client for one seat must not see the whole state.
        if !self.trusted || self.out.as_seat.is_some() {
            let rejection = Rejection::new(InReplyTo::Word("state"), codes::PROTOCOL_LINE, "the state is for trusted tools only");
            return Err(rejection.help("start `ludex host` with `--trusted`, and without `--as`"));
        }
        let session = self.game.session();
        let line = json!({
            "type": "state",
            "view": form::view_json(&session.view(Viewer::Trusted)),
            "state": session.state_json(),
        });
        self.out.send_line(Recipients::All, object_fields(line));
        Ok(())
    }

    // --- open requests --------------------------------------------------------------

    /// The throw whose results the other end must supply, if one is open.
    fn open_throw(&self) -> Option<RandomRequest> {
        match self.game.session().pending() {
            Pending::Random(request) => Some(request.clone()),
            _ => None,
        }
    }

    /// The open decisions with the numbers under which they are sent; a client for one seat has its own count.
    fn numbered_decisions(&self) -> Vec<(u64, Decision)> {
        match self.out.as_seat {
            Some(seat) => self.game.open_decisions_of(seat),
            None => self.game.open_decisions().into_iter().map(|decision| (decision.id, decision)).collect(),
        }
    }

    /// The questions to the other end that are open now.
    fn open_requests(&self) -> Vec<OpenRequest> {
        let decisions = self.game.open_decisions().into_iter().map(|decision| OpenRequest::Decision(decision.id));
        decisions.chain(self.open_throw().map(|request| OpenRequest::Throw(request.id))).collect()
    }
}

/// Turns the problem of an action into the rejection of the request with this word.
fn word_rejection(word: &'static str) -> impl FnOnce(Box<Problem>) -> Rejection {
    move |problem| Rejection { in_reply_to: InReplyTo::Word(word), problem }
}

/// The outcome of a game that the table has left.
fn abandoned_outcome() -> Outcome {
    Outcome { result: OutcomeResult::Abandoned, winners: Vec::new(), scores: Vec::new(), payoffs: None, text: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::broken;

    #[test]
    fn a_bug_ends_the_game_and_keeps_the_recording() {
        let path = std::env::temp_dir().join(format!("ludex-bug-host-{}.ludexrec", std::process::id()));
        assert_eq!(run_host(broken::buggy_game(&path), HostOptions::default(), input::stdin_lines()), PROBLEMS);
        broken::assert_kept(&path);
    }
}
