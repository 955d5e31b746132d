//! A game played over lines of JSON. The process at the other end is the table: it passes each line on to the seats it is for.

pub mod input;
pub mod out;
pub mod shares;
pub mod table;

use crate::exit::{DONE, PROBLEMS};
use crate::game::{Game, USED_UP, Undo, set_kept};
use crate::guard::guarded;
use crate::lines::{LONGEST_LINE, Line};
use crate::output;
use crate::protocol::messages::{self, MOST_WHOLE, To, fields};
use crate::protocol::request::{InReplyTo, Rejection, Request};
use crate::protocol::{answer, request, steps};
use input::Input;
use ludex_bots::updates::{TakeBackNotice, Update};
use ludex_engine::codes;
use ludex_engine::json as form;
use ludex_engine::problem::Problem;
use ludex_engine::recording::TakeBack;
use ludex_engine::runtime::{Choice, Decision, Draft, Drafted, MoveStep, Outcome, OutcomeResult, Pending, RandomRequest, Viewer};
use out::Out;
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

pub struct Host {
    game: Game,
    out: Out,
    trusted: bool,
    input: Input,
    /// The requests that were sent and are still open.
    sent: Vec<Open>,
    /// The unfinished moves of decisions asked in steps.
    drafts: BTreeMap<u64, Draft>,
    /// A take-back, and the seats that have yet to agree to it.
    wanted: Option<(TakeBack, Vec<usize>)>,
}

/// An open request, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    Decision(u64),
    Throw(u64),
}

/// The next step after a line.
enum Next {
    GoOn,
    Leave,
}

/// Plays a game with the other end until it is over or left. Returns the exit status.
pub fn run(game: Game, options: HostOptions, input: Input) -> u8 {
    set_kept(game.path());
    let mut host = Host::new(game, Out::stdout(options.as_seat), options.trusted, input);
    let status = guarded(|| {
        host.greet();
        host.play()
    });
    status.unwrap_or_else(|bug| host.fail(&host.game.ended_by(&bug)))
}

impl Host {
    fn new(game: Game, out: Out, trusted: bool, input: Input) -> Host {
        Host { game, out, trusted, input, sent: Vec::new(), drafts: BTreeMap::new(), wanted: None }
    }

    fn greet(&self) {
        self.out.send(To::All, messages::hello(self.game.header()));
    }

    fn play(&mut self) -> u8 {
        loop {
            if let Some(status) = self.advance() {
                return status;
            }
            match self.hear() {
                Ok(Next::GoOn) => {}
                Ok(Next::Leave) => {
                    self.over(&left());
                    return DONE;
                }
                Err(status) => return status,
            }
        }
    }

    /// Reports events and asks the open decisions. Returns the exit status if play is over.
    fn advance(&mut self) -> Option<u8> {
        loop {
            self.tell_updates();
            match self.game.bot_answers() {
                Ok(true) => {}
                Ok(false) => break,
                Err(problem) => return Some(self.fail(&problem)),
            }
        }
        self.tell_updates();
        if let Pending::Finished(outcome) = self.game.session().pending() {
            let outcome = outcome.clone();
            return Some(self.over(&outcome));
        }
        self.ask();
        None
    }

    // --- out ------------------------------------------------------------------------

    fn tell_updates(&mut self) {
        for update in self.game.take_updates() {
            match update {
                Update::Event { numbers, event } => self.out.send_each(messages::event(&event, &numbers)),
                Update::TakenBack(undone) => self.tell_take_back(&undone),
                Update::Fault(problem) => output::failure(format!("a bot's answer failed: {}", problem.message), None),
                Update::Unwritten(reason) => self.tell_unwritten(&reason),
            }
        }
        let open = self.open();
        self.sent.retain(|sent| open.contains(sent));
        self.drafts.retain(|decision, _| open.contains(&Open::Decision(*decision)));
    }

    /// Reports that the recording cannot be written. Requests are not carried out meanwhile and a bot may be waiting; any line
    /// tries again.
    fn tell_unwritten(&self, reason: &str) {
        let reason = format!("the recording cannot be written: {reason}; until it can, no answer counts");
        let notice = Rejection::new(InReplyTo::Unknown(()), codes::FILE_NOT_WRITTEN, reason);
        self.reject(None, notice.help("make room on the disk; each line that you send tries again, even an empty one"));
    }

    fn tell_take_back(&mut self, undone: &TakeBackNotice) {
        self.sent.clear();
        self.drafts.clear();
        let name = self.game.session().side_name(undone.undo.seat);
        self.out.send_each(messages::taken_back(undone, &name));
    }

    /// Sends the open requests that were not sent yet.
    fn ask(&mut self) {
        for decision in self.game.open() {
            if !self.sent.contains(&Open::Decision(decision.id)) {
                self.sent.push(Open::Decision(decision.id));
                self.put(&decision);
            }
        }
        if let Some(request) = self.throw().filter(|request| !self.sent.contains(&Open::Throw(request.id))) {
            self.sent.push(Open::Throw(request.id));
            self.out.send(To::All, messages::random(&request));
        }
    }

    fn put(&self, decision: &Decision) {
        let step = self.step(decision);
        let open = self.numbered();
        let number = open.into_iter().find(|(_, other)| other.id == decision.id).map(|(number, _)| number);
        let own = number.filter(|_| self.out.as_seat.is_some());
        self.out.send(To::Seats(vec![decision.seat]), messages::decision(self.game.session(), decision, step.as_ref(), own));
    }

    /// The current step of a decision, if it is asked in steps.
    fn step(&self, decision: &Decision) -> Option<MoveStep> {
        let begun = self.drafts.get(&decision.id).cloned().unwrap_or_default();
        steps::step(self.game.session(), decision, &begun, MOST_WHOLE)
    }

    /// Ends the table after a failure. Every seat learns that there was one. The details go only to the person who started this
    /// process: they may reveal how a program is started, its messages, paths of files, and the answers of others.
    fn fail(&self, problem: &Problem) -> u8 {
        output::failure(&problem.message, problem.help.as_deref());
        let message = match (problem.code, self.game.bot_asked()) {
            (codes::PLAYER_GONE, Some(seat)) => format!("the program of {} has failed", self.game.session().side_name(seat)),
            (codes::INTERNAL, _) => "Ludex itself has failed".to_string(),
            _ => "the game cannot go on: its rules have failed".to_string(),
        };
        self.out.refuse(&Problem::error(problem.code, message).help(out::MORE))
    }

    fn over(&mut self, outcome: &Outcome) -> u8 {
        let mut line = messages::outcome(outcome, self.game.header(), &self.game.undone());
        line.insert("recording".into(), json!(self.game.path()));
        let unused = self.game.session().unused_results().len();
        if unused > 0 {
            line.insert("unused_rolls".into(), json!(unused));
        }
        self.out.send(To::All, line);
        if unused == 0 {
            return DONE;
        }
        output::failure(format!("{unused} of the listed results were not used"), None);
        PROBLEMS
    }

    // --- in -------------------------------------------------------------------------

    /// Reads one line and carries it out; an invalid line changes nothing.
    fn hear(&mut self) -> Result<Next, u8> {
        let (seat, answered) = match self.input.read() {
            Line::End => return Err(self.input_ended()),
            Line::NotText => (None, Err(Rejection::of_line("this line is not text in UTF-8"))),
            Line::TooLong => (None, Err(Rejection::of_line(format!("this line is longer than {LONGEST_LINE} bytes")))),
            Line::Text(text) if text.trim().is_empty() => return Ok(Next::GoOn),
            Line::Text(text) => match request::parse(&text).map(|request| request.spoken_by(self.out.as_seat)) {
                Ok(Request::Quit) => return Ok(Next::Leave),
                Ok(request) => (self.speaker(&request), self.obey(request)),
                Err(rejection) => (None, Err(rejection)),
            },
        };
        if let Err(rejection) = answered {
            self.reject(seat.filter(|&seat| seat < self.game.seats().len()), rejection);
        }
        Ok(Next::GoOn)
    }

    fn input_ended(&self) -> u8 {
        if let Some(path) = self.game.path() {
            output::remark(&crate::game::how_to_go_on(path));
        }
        self.out.refuse(&Problem::error(codes::INPUT_ENDED, "the input ended before the game did"))
    }

    fn reject(&self, seat: Option<usize>, rejection: Rejection) {
        // If the connection speaks for one seat, the reply goes to it, no matter which seat the line names.
        let to = self.out.as_seat.or(seat).map_or(To::All, |seat| To::Seats(vec![seat]));
        self.out.send(to, messages::rejected(rejection));
    }

    fn obey(&mut self, request: Request) -> Result<(), Rejection> {
        if let Some(seat) = request.seat() {
            self.check_seat(seat).map_err(|rejection| Rejection { in_reply_to: request.named(), ..rejection })?;
        }
        match request {
            Request::Choose { decision, seat, answer } => self.choose(decision, seat, &answer),
            Request::Random { id, result } => self.supply(id, &result),
            Request::View(seat) => self.show(seat),
            Request::Undo { seat } => self.undo(seat),
            Request::Consent { seat, agrees } => self.consent(seat, agrees),
            Request::Resign(seat) => self.game.resign(seat).map_err(not_done("resign")),
            Request::Resync(seat) => self.resync(seat),
            Request::State => self.state(),
            Request::Quit => Ok(()),
        }
    }

    /// The seat that speaks: the one it names, or the one that is asked the decision it answers.
    fn speaker(&self, request: &Request) -> Option<usize> {
        let asked = match request {
            Request::Choose { decision, .. } => self.numbered().into_iter().find(|(number, _)| number == decision),
            _ => None,
        };
        request.seat().or(asked.map(|(_, decision)| decision.seat))
    }

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
        let reason = format!("there is no seat {seat}: there are {seats}, numbered from 0");
        Err(Rejection::new(InReplyTo::Unknown(()), codes::SEATS, reason))
    }

    fn choose(&mut self, id: u64, seat: Option<usize>, answer: &request::Answer) -> Result<(), Rejection> {
        let open = self.numbered();
        let decision = answer::asked(&open, id, seat)?;
        let Some(choice) = self.whole(decision, answer).map_err(|rejection| rejection.in_reply_to(id))? else { return Ok(()) };
        self.game.answer(decision.id, choice).map_err(|problem| Rejection { in_reply_to: InReplyTo::Number(id), problem })?;
        self.wanted = None;
        if decision.group.is_some() {
            self.out.send(To::Seats(vec![decision.seat]), messages::accepted(id));
        }
        Ok(())
    }

    /// The choice that an answer completes; `None` if it is only a step, after which the next is sent.
    fn whole(&mut self, decision: &Decision, answer: &request::Answer) -> Result<Option<Choice>, Rejection> {
        let session = self.game.session();
        let Some(step) = self.step(decision) else { return answer::choice(session, decision, answer).map(Some) };
        let begun = self.drafts.get(&decision.id).cloned().unwrap_or_default();
        match answer::drafted(session, decision, &begun, &step, answer)? {
            Drafted::Whole(choice) => Ok(Some(choice)),
            Drafted::Further(draft) => {
                self.drafts.insert(decision.id, draft);
                self.sent.retain(|sent| *sent != Open::Decision(decision.id));
                Ok(None)
            }
        }
    }

    fn supply(&mut self, id: u64, result: &[i64]) -> Result<(), Rejection> {
        if self.throw().is_none_or(|request| request.id != id) {
            return Err(Rejection::new(InReplyTo::Number(id), codes::UNKNOWN_DECISION, format!("throw {id} is not open")));
        }
        self.game.supply(result).map_err(|problem| Rejection { in_reply_to: InReplyTo::Number(id), problem })
    }

    fn show(&self, seat: usize) -> Result<(), Rejection> {
        let mut line = fields(json!({ "type": "view" }));
        line.insert("view".into(), form::view(&self.game.session().view(Viewer::Seat(seat))));
        self.out.send(To::Seats(vec![seat]), line);
        Ok(())
    }

    fn undo(&mut self, seat: usize) -> Result<(), Rejection> {
        if self.game.withdraw(seat).map_err(not_done("undo"))? {
            // The other seats keep their open questions and are not notified.
            let own: Vec<u64> = self.game.open().iter().filter(|open| open.seat == seat).map(|open| open.id).collect();
            self.sent.retain(|sent| !matches!(sent, Open::Decision(id) if own.contains(id)));
            return Ok(());
        }
        let refused = |reason: &str| Rejection::new(InReplyTo::Word("undo"), codes::UNDO_REFUSED, reason);
        match self.game.undo_of(seat) {
            Undo::Nothing => Err(refused("this seat has not decided anything yet")),
            Undo::UsedUp => Err(refused(USED_UP).help("start `ludex host` with `--undo N` to allow each seat N take-backs")),
            Undo::Free(undo) => self.game.undo(undo).map_err(not_done("undo")),
            Undo::WithConsent(undo, others) => {
                let reason = "this takes back a roll or another seat's answer";
                self.out.send(To::Seats(others.clone()), fields(json!({ "type": "consent", "seat": seat, "reason": reason })));
                self.wanted = Some((undo, others));
                Ok(())
            }
        }
    }

    fn consent(&mut self, seat: Option<usize>, agrees: bool) -> Result<(), Rejection> {
        let Some((undo, mut waiting)) = self.wanted.take() else {
            return Err(Rejection::new(
                InReplyTo::Word("consent"),
                codes::UNDO_REFUSED,
                "no seat has asked for a take-back",
            ));
        };
        if !agrees {
            let refused = Rejection::new(InReplyTo::Word("undo"), codes::UNDO_REFUSED, "another seat does not agree");
            self.reject(Some(undo.seat), refused);
            return Ok(());
        }
        let before = waiting.clone();
        waiting.retain(|&other| seat.is_some_and(|seat| seat != other));
        if !waiting.is_empty() {
            self.wanted = Some((undo, waiting));
            return Ok(());
        }
        self.game.undo(undo).map_err(|problem| {
            self.wanted = Some((undo, before));
            not_done("consent")(problem)
        })
    }

    /// Sends everything a seat needs to go on: the players, its view and its questions.
    fn resync(&mut self, seat: usize) -> Result<(), Rejection> {
        self.out.send(To::Seats(vec![seat]), messages::hello(self.game.header()));
        self.show(seat)?;
        for decision in self.game.open().iter().filter(|decision| decision.seat == seat) {
            self.put(decision);
        }
        if let Some(request) = self.throw() {
            self.out.send(To::Seats(vec![seat]), messages::random(&request));
        }
        Ok(())
    }

    fn state(&self) -> Result<(), Rejection> {
        // A client for one seat must not see the whole state.
        if !self.trusted || self.out.as_seat.is_some() {
            let rejection = Rejection::new(InReplyTo::Word("state"), codes::PROTOCOL_LINE, "the state is for trusted tools only");
            return Err(rejection.help("start `ludex host` with `--trusted`, and without `--as`"));
        }
        let session = self.game.session();
        let line = json!({
            "type": "state",
            "view": form::view(&session.view(Viewer::Trusted)),
            "state": session.state_json(),
        });
        self.out.send(To::All, fields(line));
        Ok(())
    }

    // --- open requests --------------------------------------------------------------

    fn throw(&self) -> Option<RandomRequest> {
        match self.game.session().pending() {
            Pending::Random(request) => Some(request.clone()),
            _ => None,
        }
    }

    /// The open decisions with the numbers under which they are sent; a client for one seat has its own count.
    fn numbered(&self) -> Vec<(u64, Decision)> {
        match self.out.as_seat {
            Some(seat) => self.game.open_to(seat),
            None => self.game.open().into_iter().map(|decision| (decision.id, decision)).collect(),
        }
    }

    fn open(&self) -> Vec<Open> {
        let decisions = self.game.open().into_iter().map(|decision| Open::Decision(decision.id));
        decisions.chain(self.throw().map(|request| Open::Throw(request.id))).collect()
    }
}

/// The rejection of a request by word that could not be recorded.
fn not_done(word: &'static str) -> impl FnOnce(Box<Problem>) -> Rejection {
    move |problem| Rejection { in_reply_to: InReplyTo::Word(word), problem }
}

/// The outcome of a game that the table has left.
fn left() -> Outcome {
    Outcome { result: OutcomeResult::Abandoned, winners: Vec::new(), scores: Vec::new(), payoffs: None, text: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::broken;

    #[test]
    fn a_bug_ends_the_game_and_keeps_the_recording() {
        let path = std::env::temp_dir().join(format!("ludex-bug-host-{}.ludexrec", std::process::id()));
        assert_eq!(run(broken::game(&path), HostOptions::default(), input::input()), PROBLEMS);
        broken::assert_kept(&path);
    }
}
