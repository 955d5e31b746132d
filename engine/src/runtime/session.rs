//! A session: the program, the state, and the conversation with the players.
//!
//! Starting a match plays it up to the first question, so `setup`, `layout` and `entering` are parts of it.
//!
//! A session is *watched* if events are kept; then it also takes faults back, so that an answer that fails changes nothing.
//! `place` is the index of an open question, of which there are several only if seats are asked at once. *Looking ahead* is play
//! in a copy whose hidden parts are dealt again. A look at options costs the match no budget.

pub mod counters;
pub mod coverage;
mod dealing;
mod drafts;
mod entering;
mod input;
mod layout;
mod meetings;
mod play_out;
pub mod policy;
pub mod setup;
mod traced_session;
mod why_card;
mod write_position;

use crate::runtime::context::Context;
use crate::runtime::coverage::Coverage;
use crate::runtime::decision::Choice;
use crate::runtime::dice::{Dice, RandomRequest};
use crate::runtime::eval::meter::{Meter, Usage};
use crate::runtime::event::{Audience, EventKind, Outcome};
use crate::runtime::flow::shared_code::SharedCode;
use crate::runtime::flow::{Game, Machine, PlayContext, Stop};
use crate::runtime::keys::with_own_keys;
use crate::runtime::limits::{MOST_LOOKED_AT, SCENARIO_TIMES};
use crate::runtime::meetings::{Meetings, Order};
use crate::runtime::seed::Seed;
use crate::runtime::session::input::{DelayedInput, Input};
use crate::runtime::session::setup::PreparedMatch;
use crate::runtime::state::{Board, Finish};
use crate::runtime::{Decision, DecisionId, Event, OptionView, Refusal};
use ludex_compiler::field::is_entrant_shape;
use ludex_program::{AbilityId, KindSort, NONE, Program, SIDE, Shape, Value};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The starting point of a session.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The ids of each side's entrants.
    pub sides: Vec<Vec<String>>,
    /// The seed of chance.
    pub seed: Seed,
    /// The source of chance results.
    pub dice: Dice,
    /// The position to start from, read for the same program; `None` for the start of the game.
    pub position: Option<ludex_compiler::position::Position>,
    /// The names of the sides' players, in the order of the sides. An empty name, or an empty list, means no names. Texts use
    /// them in place of the entrants' names; play does not change.
    pub names: Vec<String>,
    /// Keeps events for [`Session::take_events`], and takes faults back. Simulations leave it off.
    pub watched: bool,
}

/// The standing of each side; `None` for a side that is out of the game.
pub type Standings = Vec<Option<i64>>;

/// The input that the session waits for.
#[derive(Debug)]
pub enum Pending<'a> {
    /// One decision, or several asked at once.
    Decisions(&'a [Decision]),
    /// Results of chance, which [`Session::supply`] takes.
    Random(&'a RandomRequest),
    /// No input: play is over.
    Finished(&'a Outcome),
}

/// Something other than a piece that has fields. Entrants go by their place on their side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// The table.
    Table,
    /// A side by its number.
    Side(usize),
    /// An entrant: the number of its side, and its place there from 0.
    Entrant(usize, usize),
}

/// The value of a field, in forms that are easy to compare.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldValue {
    /// The form for people.
    pub words: String,
    /// The number of a side.
    pub side: Option<usize>,
    /// The key of an entrant, or `none`.
    pub entrant: Option<String>,
    /// The number of a piece.
    pub piece: Option<usize>,
    /// The members of a list as files write them: `[0, 1]`.
    pub list: Option<String>,
}

/// The options of a session. The default is plain play.
#[derive(Debug, Default)]
pub struct SessionOptions<'s> {
    /// Code that matches of the same program share. The session uses code from earlier matches, and adds its own.
    pub shared: Option<&'s mut SharedCode>,
    /// Copies of pieces exchange their numbers when they are shuffled out of someone's sight.
    pub renumbers: bool,
    /// Play also stops at a decision with a single answer, if that fact must stay hidden: see [`Decision::forced`]. Recordings
    /// include these answers.
    pub stops_at_forced: bool,
    /// Play stops at every question with a single answer, as after [`Session::choose_and_stop`].
    pub stops_at_single: bool,
    /// Events are only counted: they give the key of each choice, the abilities used, constant sentences, and names of events
    /// that the rules declare, all without words. A fault is final.
    pub counts_only: bool,
    /// Records the statements that run, from the first one on: see [`Session::coverage`].
    pub covers: bool,
    /// Budgets are a hundred times as large, so that a scenario can try every possibility.
    pub has_large_budget: bool,
    /// Records each result of chance, and the state at each entry of the rules: see [`Session::chance_results`].
    pub traces: bool,
    /// With dice from outside, a shuffle is not requested when the rules shuffle. Its cards are requested one by one, as soon as
    /// play, or a seat's view, depends on their places. Until then the answer that led there counts as not given yet.
    pub deals_late: bool,
    /// Records the effects of abilities at hooks: see [`Session::meetings`].
    pub meetings: Option<MeetingOptions>,
}

/// The behaviour of abilities at hooks in a session that records them.
#[derive(Clone, Debug, Default)]
pub struct MeetingOptions {
    /// The seed of abilities' results of chance, which do not depend on earlier events at the same hook.
    pub luck: u64,
    /// The order of abilities at one of the coming hooks.
    pub order: Order,
}

/// One play of a game.
#[derive(Clone, Debug)]
pub struct Session {
    pub(crate) game: Arc<Game>,
    pub(super) machine: Machine,
    outcome: Option<Outcome>,
    /// The input that waits until a shuffled zone has been dealt as far as needed.
    awaited: Option<Box<DelayedInput>>,
}

impl Session {
    /// Starts plain play and runs to the first question.
    pub fn start(program: Arc<Program>, setup: &Setup) -> Result<Session, Problem> {
        Session::start_with(program, setup, SessionOptions::default())
    }

    /// Starts play with options and runs to the first question.
    pub fn start_with(program: Arc<Program>, setup: &Setup, options: SessionOptions) -> Result<Session, Problem> {
        let (session, fault) = Session::start_until_fault(program, setup, options)?;
        fault.map_or(Ok(session), |fault| Err(*fault))
    }

    /// Like [`Session::start_with`], but returns a fault before the first question beside the session, which keeps its records.
    pub fn start_until_fault(
        program: Arc<Program>,
        setup: &Setup,
        options: SessionOptions,
    ) -> Result<(Session, Option<Box<Problem>>), Problem> {
        let mut session = Session::before_play(program, setup, options)?;
        let fault = session.play_on().err();
        Ok((session, fault))
    }

    /// Whether the rules let an entrant play, by the id of its sheet and regardless of the other entrants: `sides … where`.
    pub fn check_entrant(program: &Program, sheet: &str) -> Result<(), Problem> {
        setup::check_admission(program, sheet)
    }

    /// A session before its first event.
    fn before_play(program: Arc<Program>, setup: &Setup, options: SessionOptions) -> Result<Session, Problem> {
        // An event name of the rules that is also an engine name would be counted twice.
        let counts_only =
            options.counts_only && !program.event_names.iter().any(|name| EventKind::NAMES.contains(&name.as_str()));
        let mut setup = setup.clone();
        setup.watched |= options.counts_only || options.traces;
        if options.deals_late {
            setup.dice = Dice::External;
        }
        let mut own_code = SharedCode::default();
        let PreparedMatch { mut roster, code, mut machine } =
            setup::prepare_match(&program, &setup, options.shared.unwrap_or(&mut own_code))?;
        // If all information is public, the seers are hardly ever needed.
        if program.hides {
            roster.seers = machine.seers_of_zones(&Context { program: &program, roster: &roster });
            machine.taints = (setup.watched && !counts_only).then(Arc::default);
        }
        machine.pauses = options.stops_at_forced;
        machine.asks_all = options.stops_at_single;
        machine.coverage = options.covers.then(Box::default);
        machine.trace = options.traces.then(Box::default);
        machine.meetings = options.meetings.map(|meetings| Box::new(Meetings::new(meetings.luck, meetings.order)));
        if counts_only {
            machine.counts_only = true;
            // The first events are dropped, because the caller could not choose the level of detail before them.
            machine.untaken.0.clear();
        }
        machine.state.numbering = options.renumbers.then(|| setup.seed.generator_of_numbers());
        if options.deals_late {
            machine.board_mut().zones.deal_late();
        }
        machine.meter.multiply_budgets(if options.has_large_budget { SCENARIO_TIMES } else { 1 });
        machine.board_mut().zones.make_room();
        let (start, bearing) = (machine.state.board.clone(), machine.state.bearing.clone());
        let game = Arc::new(Game { program, roster, code, start, bearing });
        Ok(Session { game, machine, outcome: None, awaited: None })
    }

    /// Continues from a machine that is before its first instruction or at a question.
    pub(crate) fn carry_on(game: Arc<Game>, machine: Machine) -> Result<Session, Box<Problem>> {
        let mut session = Session { game, machine, outcome: None, awaited: None };
        session.play_on()?;
        Ok(session)
    }

    /// The state, with everything needed to continue.
    pub(crate) fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The machine, for changes that do not affect play.
    pub(crate) fn machine_mut(&mut self) -> &mut Machine {
        &mut self.machine
    }

    /// The answer that waits for a shuffled zone to be dealt. Equal text means an equal answer.
    pub(crate) fn awaited_answer(&self) -> Option<String> {
        self.awaited.as_ref().map(|deal| format!("{deal:?}"))
    }

    /// Starts again with the same players and another seed, without setting up the players again. For sessions that were started
    /// without a position.
    pub fn restart(&mut self, seed: impl Into<Seed>) -> Result<(), Box<Problem>> {
        self.machine.begin_again();
        setup::reset_machine(&self.game, &mut self.machine, seed.into());
        (self.outcome, self.awaited) = (None, None);
        self.play_on()
    }

    /// The game that is played.
    pub fn program(&self) -> &Arc<Program> {
        &self.game.program
    }

    /// Whether the names of these sides need a plural verb, as `Romeo and Juliet` does.
    pub fn are_several(&self, sides: &[usize]) -> bool {
        self.machine.are_several(&self.game.play_context(), sides)
    }

    /// The input that the session waits for. Continue with [`Session::choose`] or [`Session::supply`].
    pub fn pending(&self) -> Pending<'_> {
        if let Some(outcome) = &self.outcome {
            return Pending::Finished(outcome);
        }
        match &self.machine.request {
            Some(request) => Pending::Random(request),
            None => Pending::Decisions(&self.machine.decisions),
        }
    }

    /// Runs to the next question without an input.
    fn play_on(&mut self) -> Result<(), Box<Problem>> {
        self.run_input(Input::Nothing)
    }

    /// Handles a stop of the machine; the usual one is a question.
    #[inline]
    fn handle_stop(&mut self, stop: Stop) -> Result<(), Box<Problem>> {
        match stop {
            Stop::Waiting if self.machine.fault.is_none() && self.machine.state.finished.is_none() => Ok(()),
            _ => self.handle_end(stop),
        }
    }

    /// Handles the end of play, or a fault.
    #[inline(never)]
    fn handle_end(&mut self, stop: Stop) -> Result<(), Box<Problem>> {
        let context = &self.game.play_context();
        if let Some(fault) = self.machine.fault.take() {
            return Err(fault);
        }
        if stop == Stop::Done && self.machine.state.finished.is_none() {
            self.machine.ending = Some("the rules came to their end".to_string());
            self.machine.finish_play(context, Finish { winners: Vec::new(), capped: false, abandoned: false, payoffs: None });
        }
        if self.machine.state.finished.is_some() && self.outcome.is_none() {
            self.machine.decisions.clear();
            self.outcome = self.machine.build_outcome(context);
        }
        Ok(())
    }

    /// An open decision with the index of its question.
    pub(super) fn find_decision(&self, id: DecisionId) -> Option<(usize, &Decision)> {
        // An answer that waits for a shuffle to be dealt is already given.
        let mut open = self.machine.decisions.iter().filter(|_| self.awaited.is_none());
        let decision = open.find(|decision| decision.id == id)?;
        // The decisions of a group have consecutive numbers, from that of the group on.
        let index = decision.group.map_or(0, |group| (id - group) as usize);
        Some((index, decision))
    }

    /// Builds the options of the open question again if they are missing, as in a copy.
    pub(super) fn ready_machine(&self) -> Machine {
        let mut machine = self.machine.clone();
        machine.meter.begin_look();
        machine.inspected = true;
        machine.run(&self.game.play_context(), 0);
        machine
    }

    /// Like [`Session::ready_machine`], with words for the seat of the decision at this index.
    pub(super) fn ready_machine_for(&self, place: usize) -> Machine {
        let mut machine = self.ready_machine();
        machine.select_member(&self.game.play_context(), place);
        machine.hearing = machine.scratch.questions.get(place).map(|question| Audience::Seats(vec![question.side]));
        machine
    }

    /// The words of a decision's question, for its seat.
    pub fn prompt(&self, decision: DecisionId) -> String {
        let Some((place, found)) = self.find_decision(decision) else { return String::new() };
        let mut machine = self.machine.clone();
        machine.meter.begin_look();
        let context = &self.game.play_context();
        machine.select_member(context, place);
        machine.hearing = Some(Audience::Seats(vec![found.seat]));
        let prompt = machine.prompt_text(context);
        match machine.asked_entrant(context, found.seat) {
            Some(entrant) if !prompt.contains(&entrant) => format!("{entrant}: {prompt}"),
            _ => prompt,
        }
    }

    /// One option of an open decision, by its index in canonical order.
    pub fn option(&self, decision: DecisionId, index: u64) -> Option<OptionView> {
        self.options(decision, index, 1).pop()
    }

    /// Up to `count` options of an open decision, starting with index `from`.
    pub fn options(&self, decision: DecisionId, from: u64, count: u64) -> Vec<OptionView> {
        let Some((place, found)) = self.find_decision(decision) else { return Vec::new() };
        let end = from.saturating_add(count).min(found.answers().listed_count());
        let mut machine = self.ready_machine_for(place);
        let context = &self.game.play_context();
        // A single option is found by itself.
        if count > 1
            && end <= MOST_LOOKED_AT
            && let Some(question) = machine.scratch.questions.get_mut(place)
        {
            question.list_first(end);
        }
        // Options beyond the budget of one look are left out.
        let view = |index| if machine.may_go_on_working() { machine.option_view(context, place, index) } else { None };
        (from..end).filter_map(view).collect()
    }

    /// Answers to an open decision as sentences for the seat that is asked. Used for the table of best play.
    pub(crate) fn answer_sentences(&self, decision: DecisionId, answers: &[Choice]) -> Vec<String> {
        let Some((place, _)) = self.find_decision(decision) else { return Vec::new() };
        let mut machine = self.ready_machine_for(place);
        let context = &self.game.play_context();
        answers.iter().map(|answer| machine.describe_answer(context, place, answer).1).collect()
    }

    /// The key that records a choice: an option's key, `choose(1+2)`, `number(4)`, `order(2+1)`, `divide(1=30+2=10)`.
    pub fn choice_key(&self, decision: DecisionId, choice: &Choice) -> Option<String> {
        if let Choice::Key(key) = choice {
            return match self.find_choice(decision, key).ok()? {
                Choice::Key(key) => Some(key),
                found => self.choice_key(decision, &found),
            };
        }
        let (place, _) = self.find_decision(decision)?;
        let mut machine = self.ready_machine_for(place);
        Some(machine.describe_answer(&self.game.play_context(), place, choice).0)
    }

    /// The choice with a key, if it is legal now; else the reason why not, with the rule that forbids it, if there is one. A key
    /// may have the names that a position gave to pieces.
    pub fn find_choice(&self, decision: DecisionId, key: &str) -> Result<Choice, Refusal> {
        let Some((place, decision)) = self.find_decision(decision) else { return Err(closed_decision_refusal(decision)) };
        let context = &self.game.play_context();
        let found = self.ready_machine_for(place).answer_by_key(context, place, key);
        let Some(own) = with_own_keys(&self.game.roster, key, |_| true).filter(|_| found.is_err()) else { return found };
        self.ready_machine_for(place).answer_by_key(context, place, &own).or_else(|refusal| {
            // A position's name for a hidden piece gets the same response as an unknown name.
            let is_seen = |piece: usize| self.can_see(decision.seat, piece);
            let seen = with_own_keys(&self.game.roster, key, is_seen);
            match seen {
                Some(seen) if seen == own => Err(refusal),
                Some(seen) => self.ready_machine_for(place).answer_by_key(context, place, &seen),
                None => found,
            }
        })
    }

    /// Answers a decision and plays on to the next question. On a fault of an ability or the rules, a watched session is restored
    /// to its state before the choice, and the problem reports place and cause.
    pub fn choose(&mut self, decision: DecisionId, choice: Choice) -> Result<(), Box<Problem>> {
        let Some((place, found)) = self.find_decision(decision) else {
            return Err(Box::new(Problem::error(codes::ILLEGAL_CHOICE, closed_decision_refusal(decision).reason)));
        };
        let choice = match choice {
            Choice::Key(key) => self.choice_by_key(decision, &key)?,
            other => other,
        };
        if let Some(misfit) = found.answers().find_misfit(&choice) {
            let problem = Problem::error(codes::ILLEGAL_CHOICE, misfit.reason_text());
            return Err(Box::new(problem.help("answer with an option of the open decision")));
        }
        match choice {
            // The usual case is a single option.
            Choice::Option(index) => self.run_guarded(Input::Option(place, index)),
            answer => self.run_guarded(Input::Answer(place, answer)),
        }
    }

    /// Like [`Session::choose`], but stops at the next question, even if it has a single answer.
    /// [`Session::go_on_past_single_answers`] continues.
    pub fn choose_and_stop(&mut self, decision: DecisionId, choice: Choice) -> Result<(), Box<Problem>> {
        self.machine.asks_all = true;
        self.choose(decision, choice)
    }

    /// Continues to the next question with more than one answer, after a stop at one with a single answer.
    pub fn go_on_past_single_answers(&mut self) -> Result<(), Box<Problem>> {
        let stopped = std::mem::take(&mut self.machine.asks_all);
        if !stopped || self.outcome.is_some() {
            return Ok(());
        }
        // As long as no answer has been given, the forced answers are found again.
        if self.machine.state.sealed.iter().all(Option::is_none) {
            self.machine.state.sealed.clear();
        }
        self.play_on()
    }

    /// The answer with a key. Fast callers answer by number instead.
    #[cold]
    fn choice_by_key(&self, decision: DecisionId, key: &str) -> Result<Choice, Box<Problem>> {
        self.find_choice(decision, key).map_err(|refusal| Box::new(refusal_problem(refusal)))
    }

    /// The answer to a forced decision.
    pub fn forced_answer(&self, decision: DecisionId) -> Option<Choice> {
        let (place, _) = self.find_decision(decision).filter(|(_, found)| found.forced)?;
        let machine = self.ready_machine();
        machine.scratch.questions.get(place)?.forced_answer()
    }

    /// Gives the results that [`Pending::Random`] requests.
    pub fn supply(&mut self, results: &[i64]) -> Result<(), Box<Problem>> {
        let Some(request) = &self.machine.request else {
            return Err(Box::new(Problem::error(codes::ILLEGAL_CHOICE, "no results of chance are asked for now")));
        };
        if request.draws.len() != results.len() {
            let message = format!("{} results are given, but {} are asked for", results.len(), request.draws.len());
            return Err(Box::new(Problem::error(codes::ILLEGAL_CHOICE, message)));
        }
        if let Some((draw, result)) = request.draws.iter().zip(results).find(|(draw, result)| !draw.allows_result(**result)) {
            let message = match &draw.faces {
                Some(faces) => format!("{result} is given, but a {} shows {}", faces.title, faces.values_text()),
                None => format!("{result} is given, but the result must be from 1 to {}", draw.size),
            };
            return Err(Box::new(Problem::error(codes::ILLEGAL_CHOICE, message)));
        }
        match self.awaited.take() {
            Some(deal) => self.deal_pieces(deal, results),
            None => self.run_guarded(Input::Results(results.to_vec())),
        }
    }

    /// Runs the machine, and takes a fault back if the session is watched.
    #[inline]
    fn run_guarded(&mut self, input: Input) -> Result<(), Box<Problem>> {
        if self.machine.announces_fully() {
            return self.run_with_copy(input);
        }
        self.run_input(input)
    }

    /// Runs the machine.
    #[inline]
    fn run_input(&mut self, input: Input) -> Result<(), Box<Problem>> {
        if self.machine.state.board.zones.are_dealt_late() {
            return self.run_input_dealing(input);
        }
        self.run_input_at_once(input)
    }

    /// Runs the machine, without regard to late dealing.
    #[inline]
    fn run_input_at_once(&mut self, input: Input) -> Result<(), Box<Problem>> {
        // An answer or a throw begins a budget of its own; going on without one does not.
        if !matches!(input, Input::Nothing) {
            self.machine.meter.begin_answer();
            self.machine.begin_tracking();
        }
        let stop = input.deliver_to(&mut self.machine, &self.game.play_context());
        self.handle_stop(stop)
    }

    /// Runs the machine. If it fails, its state before the input is restored.
    #[inline(never)]
    fn run_with_copy(&mut self, input: Input) -> Result<(), Box<Problem>> {
        let (before, told) = (self.machine.clone(), self.machine.untaken.0.len());
        let result = self.run_input(input);
        if result.is_err() {
            self.take_back(before, told);
        }
        result
    }

    /// Restores a copy made when `told` events had not been taken yet.
    fn take_back(&mut self, mut before: Machine, told: usize) {
        if self.machine.imagined {
            // Looking ahead costs the same, even if it fails.
            before.meter = self.machine.meter.clone();
        }
        let mut untaken = std::mem::take(&mut self.machine.untaken);
        untaken.0.truncate(told);
        let taken_back = std::mem::replace(&mut self.machine, before).coverage.take();
        self.machine.untaken = untaken;
        if let (Some(coverage), Some(taken_back)) = (&mut self.machine.coverage, taken_back) {
            coverage.keep_notes(*taken_back);
        }
    }

    /// The largest use of each budget of play, over this match and earlier matches of this session.
    pub fn usage(&self) -> Usage {
        self.machine.budget_usage()
    }

    /// The total work of this session since play, or looking ahead, began.
    pub fn total_work(&self) -> u64 {
        self.machine.meter.total_work()
    }

    /// Limits the work of a session that looks ahead. An answer that exceeds the limit is a fault.
    pub fn limit_work(&mut self, work: u64) {
        self.machine.meter.limit_match(work);
    }

    /// The events since the last call, each with its audience.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.machine.untaken.0)
    }

    /// Keeps events in `list` to reuse its memory; its contents are dropped.
    pub fn keep_events_in(&mut self, mut list: Vec<Event>) {
        list.clear();
        list.append(&mut self.machine.untaken.0);
        self.machine.untaken.0 = list;
    }

    /// Keeps events from now on, and takes faults back.
    pub fn start_watching(&mut self) {
        self.machine.watched = true;
    }

    /// A session that agrees with everything the seat has seen. Hidden information and coming chance are dealt again from `seed`.
    pub fn imagine(&self, seat: usize, seed: u64) -> Session {
        let mut session = self.clone();
        (session.machine.watched, session.machine.pauses, session.machine.asks_all) = (false, false, false);
        session.machine.imagined = true;
        session.machine.trace = None;
        session.machine.dice = Dice::Seeded;
        // Looking ahead costs the match nothing.
        session.machine.meter = Meter::default();
        let work = session.machine.work_of_copy();
        session.machine.meter.add_work(work);
        session.machine.redeal_for_seat(&self.game.play_context(), seat, seed);
        session
    }

    /// The standing of each side, as the rules declare it (`standing of side`): higher is better, and `None` is a side that is
    /// out of the game. Returns `None` if the rules declare no standing.
    pub fn standings(&self) -> Option<Standings> {
        let mut machine = self.machine.clone();
        machine.meter.begin_look();
        compute_standings(&mut machine, &self.game.play_context())
    }

    /// Returns the standings at the end of a session that looks ahead, and its total work, including that of the standings.
    ///
    /// # Errors
    ///
    /// A fault in the standing, such as work beyond the limit of the session.
    pub fn final_standings(mut self) -> (Result<Option<Standings>, Box<Problem>>, u64) {
        self.machine.meter.begin_answer();
        let standings = compute_standings(&mut self.machine, &self.game.play_context());
        let work = self.total_work();
        (self.machine.fault.take().map_or(Ok(standings), Err), work)
    }

    /// Resigns for a seat: the session ends as abandoned, and the others win.
    pub fn resign(&mut self, seat: usize) {
        // If the referee leaves, there is no winner.
        let leaves_a_side = seat < self.game.roster.sides;
        let winners = (0..self.game.roster.sides as u16).filter(|side| leaves_a_side && usize::from(*side) != seat).collect();
        let context = &self.game.play_context();
        (self.machine.request, self.awaited) = (None, None);
        self.machine.finish_play(context, Finish { winners, capped: false, abandoned: true, payoffs: None });
        self.machine.decisions.clear();
        self.outcome = self.machine.build_outcome(context);
    }

    /// Replaces all coming chance, after a take-back.
    pub fn reseed(&mut self, seed: impl Into<Seed>) {
        let (seed, state) = (seed.into(), &mut self.machine.state);
        state.generator = seed.start_generator();
        state.numbering = state.numbering.is_some().then(|| seed.generator_of_numbers());
    }

    /// Deals again at random the positions of pieces that are hidden from all the given seats, after a take-back.
    pub(crate) fn deal_unseen_again(&mut self, seats: &[usize]) {
        self.machine.deal_unseen_again(&self.game.play_context(), seats);
    }

    /// Listed results that have not been used yet.
    pub fn unused_results(&self) -> &[i64] {
        match &self.machine.dice {
            Dice::Listed(results) => results.get(self.machine.state.results as usize..).unwrap_or(&[]),
            _ => &[],
        }
    }

    /// The names that a position gave to pieces.
    pub fn labels(&self) -> &BTreeMap<String, usize> {
        &self.game.roster.labels
    }

    /// The keys of the pieces that are printed on sheets, from the first piece on.
    pub fn piece_keys(&self) -> &[String] {
        &self.game.roster.piece_keys
    }

    /// Number of pieces made so far, including those that have left the game.
    pub fn piece_count(&self) -> usize {
        self.machine.state.board.entities.len().saturating_sub(usize::from(self.game.roster.first_piece))
    }

    /// Whether a seat sees a piece, by its number, or knows its identity.
    pub fn can_see(&self, seat: usize, piece: usize) -> bool {
        let context = &self.game.play_context();
        self.machine.can_see(context, seat, self.machine.piece_of_number(context, piece))
    }

    /// Number of sides; their seats come first.
    pub fn side_count(&self) -> usize {
        self.game.roster.sides
    }

    /// The name of a side.
    pub fn side_name(&self, side: usize) -> String {
        self.machine.side_name(&self.game.play_context(), side as Value)
    }

    /// For each ability in play: its id, the id of the sheet of the card that has it, and the number of times it was used,
    /// changed a value or forbade a move while play was watched.
    pub fn ability_effects(&self) -> impl Iterator<Item = (AbilityId, Option<&str>, u64)> {
        let instances = self.game.roster.instances.iter().enumerate();
        instances.map(|(index, found)| {
            let times = self.machine.influence.get(index).copied().unwrap_or(0);
            (found.ability, self.sheet_of_card(Value::from(found.holder)), times)
        })
    }

    /// The value of a counter or field, regardless of who may know it; `None` if there is no such field.
    pub fn field_of_holder(&self, holder: Holder, field: &str) -> Option<FieldValue> {
        let roster = &self.game.roster;
        let entity = match holder {
            Holder::Table => roster.table,
            Holder::Side(side) => u16::try_from(side).ok().filter(|_| side < roster.sides)?,
            Holder::Entrant(side, place) => *roster.entrants.get(side)?.get(place)?,
        };
        let (program, context) = (self.program(), &self.game.play_context());
        let fields = &program.kind(self.machine.state.board.entity(Value::from(entity))?.kind).fields;
        let index = fields.iter().position(|known| known.name == field)?;
        let shape = &fields.get(index)?.shape;
        let value = self.machine.state.board.field(Value::from(entity), index as u16)?;
        let words = self.machine.field_words(context, Value::from(entity), index as u16);
        let of = match shape {
            Shape::OrNone(inner) => inner.as_ref(),
            plain => plain,
        };
        let holds = |is: bool| usize::try_from(value).ok().filter(|_| is && value != NONE);
        let key = |entrant: usize| roster.entrant_key(u16::try_from(entrant).ok()?).map(str::to_string);
        let entrant = match is_entrant_shape(program, of) {
            true if value == NONE => Some("none".to_string()),
            is => holds(is).and_then(key),
        };
        Some(FieldValue {
            words,
            side: holds(matches!(of, Shape::Entity(SIDE))),
            entrant,
            piece: holds(program.is_piece(of)).map(|_| self.machine.piece_view(context, value).id),
            list: if let Shape::List(inner) = of { Some(self.list_text(entity, index as u16, inner)) } else { None },
        })
    }

    /// The list in a field of an entity, as files write it.
    fn list_text(&self, entity: u16, field: u16, inner: &Shape) -> String {
        let key = |value: Value| u16::try_from(value).ok().and_then(|entrant| self.game.roster.entrant_key(entrant));
        let written = |value: &Value| match key(*value).filter(|_| is_entrant_shape(self.program(), inner)) {
            Some(key) => key.to_string(),
            None => ludex_compiler::field::format_value(self.program(), inner, *value),
        };
        let members: Vec<String> =
            self.machine.state.board.list_in_field(Value::from(entity), field).iter().map(written).collect();
        format!("[{}]", members.join(", "))
    }

    /// The id of the sheet of the piece with a key, if it is a card.
    pub fn sheet_by_key(&self, key: &str) -> Option<&str> {
        self.sheet_of_card(self.machine.piece_by_key(&self.game.play_context(), key)?)
    }

    /// The id of the sheet of a piece, if it is a card.
    fn sheet_of_card(&self, piece: Value) -> Option<&str> {
        let print = self.machine.print_of_piece(&self.game.play_context(), piece)?;
        self.game.program.prints.find_print(print).map(|print| print.id.as_str())
    }

    /// Number of times a scope has begun in this match.
    pub fn times_begun(&self, scope: ludex_program::ProcedureId) -> u64 {
        self.machine.begun.get(scope as usize).copied().unwrap_or(0)
    }

    /// Writes the same for several scopes, in order, into `into`, whose contents are dropped.
    pub fn write_times_begun(&self, scopes: &[ludex_program::ProcedureId], into: &mut Vec<u64>) {
        into.clear();
        into.extend(scopes.iter().map(|scope| self.times_begun(*scope)));
    }

    /// The statements that ran; `None` unless [`SessionOptions::covers`] is set.
    pub fn coverage(&self) -> Option<&Coverage> {
        self.machine.coverage.as_deref()
    }

    /// The whole state as JSON: for trusted tools only.
    pub fn state_json(&self) -> serde_json::Value {
        serde_json::to_value(&self.machine.state).unwrap_or_default()
    }

    /// Whether two sessions are in exactly the same state.
    pub fn same_state(&self, other: &Session) -> bool {
        self.machine.state == other.machine.state
    }

    /// Checks that every piece is in exactly one place, and that pieces and zones agree.
    pub fn verify_state(&self) -> Result<(), String> {
        verify_board(&self.game.program, &self.machine.state.board)
    }

    /// Checks that all events of the session, in order, lead from the first board to this one.
    pub fn verify_events(&self, events: &[Event]) -> Result<(), String> {
        let mut board = self.game.start.clone();
        for event in events {
            apply_event(&self.game, &mut board, &event.kind);
        }
        // The public numbers of pieces are not covered by events.
        board.numbers.clone_from(&self.machine.state.board.numbers);
        if board == self.machine.state.board { Ok(()) } else { Err("the events do not lead to this board".to_string()) }
    }

    /// Whether a result of chance has been drawn since an earlier state of this session.
    pub fn has_drawn_since(&self, earlier: &Session) -> bool {
        let (now, then) = (&self.machine.state, &earlier.machine.state);
        now.generator != then.generator || now.results != then.results
    }
}

/// The standing of each side, if the rules declare it.
fn compute_standings(machine: &mut Machine, context: &PlayContext) -> Option<Standings> {
    let formula = context.program.standing.as_ref()?;
    let standing = |side: Value| match machine.is_out(side) {
        true => None,
        false => Some(i64::from(machine.evaluate_separately(context, &formula.expr, formula.slots, &[side]))),
    };
    Some((0..context.roster.sides as Value).map(standing).collect())
}

/// A refusal as a problem.
fn refusal_problem(refusal: Refusal) -> Problem {
    let problem = Problem::error(refusal.code, refusal.reason);
    refusal.help.into_iter().fold(problem, Problem::help)
}

/// The refusal of an answer to a decision that is not open.
fn closed_decision_refusal(decision: DecisionId) -> Refusal {
    Refusal::illegal_choice(format!("decision {decision} is not open"))
}

/// Applies one event's change to a board.
fn apply_event(game: &Game, board: &mut Board, kind: &EventKind) {
    match kind {
        EventKind::Rolled { piece, value } => {
            if let Some(cell) = board.field_mut(Value::from(piece.entity), ludex_program::DIE_VALUE) {
                *cell = *value;
            }
        }
        EventKind::Moved { piece, to, start, .. } => board.place_piece(piece.entity, to.index, *start),
        EventKind::Set { entity, name, raw, members, .. } => {
            let Some(found) = board.entities.get(*entity) else { return };
            let field = game.program.kind(found.kind).fields.iter().position(|field| field.name == *name);
            let Some(field) = field else { return };
            let room = game.program.kind(found.kind).fields.get(field).map_or(0, |field| field.room);
            if room > 0 {
                board.put_list(*entity as Value, field as u16, room, members);
            } else if let Some(cell) = board.field_mut(*entity as Value, field as u16) {
                *cell = *raw;
            }
        }
        EventKind::Marked { entity, mark, .. } => change_mark(game, board, *entity, mark, true),
        EventKind::Unmarked { entity, mark, .. } => change_mark(game, board, *entity, mark, false),
        EventKind::Created { kind, zone, cells, .. } => {
            let id = board.create_entity(&game.program, *kind, crate::runtime::state::NOWHERE);
            board.place_piece(id, zone.index, false);
            for (index, value) in cells.iter().enumerate() {
                if let Some(cell) = board.field_mut(Value::from(id), index as u16) {
                    *cell = *value;
                }
            }
        }
        EventKind::Removed { piece } => board.take_out(piece.entity),
        EventKind::Left { side } => board.eliminated.push(*side as u16),
        EventKind::Shuffled { zone, order } => order.iter().for_each(|piece| board.place_piece(*piece as u16, zone.index, false)),
        EventKind::RolledPool { .. }
        | EventKind::Drawn { .. }
        | EventKind::Shown { .. }
        | EventKind::Chose { .. }
        | EventKind::Used { .. }
        | EventKind::Said => {}
        EventKind::Began { .. } | EventKind::Ended { .. } | EventKind::Finished { .. } => {}
    }
}

/// Sets or clears a mark of an entity on a board.
fn change_mark(game: &Game, board: &mut Board, entity: usize, mark: &str, on: bool) {
    let Some(index) = game.program.marks.iter().position(|info| info.name == mark) else { return };
    if let Some(found) = board.entities.get_mut(entity) {
        found.marks = if on { found.marks | 1 << index } else { found.marks & !(1 << index) };
    }
}

/// Checks that every piece is in exactly one place, and that pieces and zones agree.
fn verify_board(program: &Program, board: &Board) -> Result<(), String> {
    let mut seen = vec![0u32; board.entities.len()];
    for (zone, (.., pieces)) in board.zones.iter().enumerate() {
        for piece in pieces.iter().map(|piece| usize::from(*piece)) {
            seen[piece] += 1;
            if usize::from(board.entities[piece].place) != zone {
                return Err(format!("piece {piece} is listed in zone {zone}, but its own place differs"));
            }
        }
    }
    for (id, entity) in board.entities.iter().enumerate() {
        if program.kind(entity.kind).sort == KindSort::Piece
            && seen[id] != u32::from(entity.place != crate::runtime::state::NOWHERE)
        {
            return Err(format!("piece {id} is in {} zones", seen[id]));
        }
    }
    Ok(())
}
