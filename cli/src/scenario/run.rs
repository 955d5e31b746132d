//! Plays one scenario in a session.
//!
//! The session gets the scenario's results of chance, its dice, and stops at questions that the steps answer. Questions with
//! only one possible answer are answered by themselves, except where a step must check the table before. A referee is a seat
//! without a side; if no step names it, its default answers are given.

mod update;

pub use update::{ending_edits, expectation_edits};

use super::answer;
use super::check_options::{self, offered_options_text};
use super::coverage::CoverageTotals;
use super::ending::Ending;
use super::events::{MatchableEvent, is_answer, is_scope_event};
use super::forced_answers;
use super::labels::Labels;
use super::pattern::Pattern;
use super::{QuestionSeat, Scenario, Start, Step, StepKind};
use ludex_engine::codes;
use ludex_engine::position::{Position, Spanned};
use ludex_engine::problem::{Problem, closest_match};
use ludex_engine::program::Program;
use ludex_engine::runtime::policy::default_answer;
use ludex_engine::runtime::{Choice, Decision, Dice, Pending, Session, SessionOptions, Setup};
use ludex_engine::source::{SourceId, Span};
use ludex_engine::yaml;
use std::sync::Arc;

/// Maximum number of events in a message.
const MOST_EVENTS: usize = 16;

/// The result of a scenario's steps.
pub struct StepsOutcome {
    /// The answers given: seats and keys. Forced answers are not included.
    pub answers: Vec<(usize, String)>,
    /// Whether the referee ruled by default, since no step names them.
    pub ruled: bool,
    /// Whether play after the last step needs more results of chance than are listed.
    pub is_short: bool,
}

/// Plays the steps of a scenario without its final expectations. The first difference is a problem. If play after the last step
/// needs more results of chance than are listed, expectations there are skipped. The verb `record` uses it to continue a
/// scenario that need not be complete.
pub fn play_steps(program: &Arc<Program>, scenario: &Scenario) -> Result<StepsOutcome, Vec<Problem>> {
    let asks = |step: &Step| matches!(step.kind, StepKind::Answer { .. } | StepKind::Options { .. });
    let is_short = |problem: &Problem| problem.code == codes::SCENARIO_RANDOM;
    let mut run = match ScenarioRun::start_run(program, scenario) {
        Err(problems) if problems.iter().all(is_short) && !scenario.steps.iter().any(asks) => {
            return Ok(StepsOutcome { answers: Vec::new(), ruled: false, is_short: true });
        }
        started => started?,
    };
    for (place, step) in scenario.steps.iter().enumerate() {
        let after = scenario.steps.get(place + 1..).unwrap_or(&[]);
        match run.run_step(step, after) {
            Err(problem) if is_short(&problem) && !after.iter().any(asks) => {
                return Ok(StepsOutcome { answers: run.given, ruled: run.ruled, is_short: true });
            }
            done => done.map_err(|problem| vec![problem])?,
        }
    }
    Ok(StepsOutcome { answers: run.given, ruled: run.ruled, is_short: false })
}

/// The work budget that all scenarios of a library share: about two minutes.
pub const WORK_OF_ALL: u64 = 20_000_000_000;

/// The work charged for a start that fails: no session is left whose work could be counted.
const WORK_OF_FAILED_START: u64 = 100_000_000;
/// The work charged for a start that exceeds the budget of one answer.
const WORK_OF_ENDLESS_START: u64 = 4_000_000_000;

/// Like [`run_within_budget`], for a single scenario.
pub fn run_scenario(
    program: &Arc<Program>,
    scenario: &Scenario,
    covered: Option<&mut CoverageTotals>,
    printed: &mut Vec<(Span, String)>,
) -> Result<(), Vec<Problem>> {
    run_within_budget(&mut WORK_OF_ALL.clone(), program, scenario, covered, printed)
}

/// Plays a scenario to its end within the remaining work budget. The problems are those of its position, or the first difference.
/// The output of `debug` in scripts is added to `printed`, and coverage to `covered` if requested.
pub fn run_within_budget(
    work_left: &mut u64,
    program: &Arc<Program>,
    scenario: &Scenario,
    covered: Option<&mut CoverageTotals>,
    printed: &mut Vec<(Span, String)>,
) -> Result<(), Vec<Problem>> {
    if *work_left == 0 {
        let message = "the scenarios before this one have used up the work that all scenarios may do together";
        let problem = Problem::error(codes::STEP_LIMIT, message).with_label(scenario.name.span, "not run");
        return Err(vec![problem.help("run fewer of them at a time, or let them do less")]);
    }
    if let Some(words) = scenario.ending.as_ref().and_then(Ending::expected_refusal) {
        return check_play_refused(program, scenario, words);
    }
    let started = ScenarioRun::start_run(program, scenario);
    if let Err(problems) = &started {
        let is_endless = problems.iter().any(|problem| problem.code == codes::STEP_LIMIT);
        *work_left = work_left.saturating_sub(if is_endless { WORK_OF_ENDLESS_START } else { WORK_OF_FAILED_START });
    }
    let mut run = started?;
    run.session.limit_work(*work_left);
    let outcome = run.play_to_end();
    *work_left = work_left.saturating_sub(run.session.total_work());
    if let Some(covered) = covered {
        covered.add_session(&run.session);
    }
    printed.extend(run.session.coverage().into_iter().flat_map(|coverage| coverage.debug_notes().iter().cloned()));
    outcome.map_err(|problem| vec![problem])
}

/// Checks that all scenarios of a text pass. Otherwise returns the first problem, without a location in a file.
pub fn check_text_passes(program: &Arc<Program>, text: &str) -> Result<(), Problem> {
    let (node, mut problems) = yaml::parse_document(text, SourceId(0));
    let scenarios = node.map(|node| super::read_scenarios(&node, &mut problems)).unwrap_or_default();
    for scenario in &scenarios {
        problems.extend(run_scenario(program, scenario, None, &mut Vec::new()).err().into_iter().flatten());
    }
    let wrong = problems.into_iter().find(Problem::is_error);
    match wrong {
        Some(problem) => Err(Problem { labels: Vec::new(), ..problem }),
        None if scenarios.is_empty() => Err(Problem::error(codes::SCENARIO_EMPTY, "the text has no scenario")),
        None => Ok(()),
    }
}

/// Sessions of scenarios record coverage and have a large budget, to enumerate all possibilities. With `stops_at_single`, they
/// stop even at questions with a single answer.
fn session_options(stops_at_single: bool) -> SessionOptions<'static> {
    SessionOptions { covers: true, has_large_budget: true, stops_at_single, ..SessionOptions::default() }
}

/// Checks that play is refused at the start, for a reason with these words.
fn check_play_refused(program: &Arc<Program>, scenario: &Scenario, words: &Spanned<String>) -> Result<(), Vec<Problem>> {
    let unmet =
        |message: String| Err(vec![Problem::error(codes::SCENARIO_STATE, message).with_label(words.span, "expected here")]);
    if let Some(step) = scenario.steps.first() {
        let problem = Problem::error(codes::SCENARIO_STATE, "play does not begin, so there is no question to answer");
        return Err(vec![problem.with_label(step.span, "never asked").help("leave out `play`, or `refused`")]);
    }
    match Session::start(program.clone(), &build_setup(program, scenario)?) {
        Ok(_) => unmet("play should not begin, but it does".to_string()),
        Err(problem) if problem.code != codes::NOT_ADMITTED => Err(vec![fault_problem(scenario, problem, scenario.name.span)]),
        Err(problem) if problem.message.to_string().contains(&words.value) => Ok(()),
        Err(problem) => unmet(format!("play does not begin, but for another reason: {}", problem.message)),
    }
}

/// A scenario being played.
struct ScenarioRun<'a> {
    scenario: &'a Scenario,
    session: Session,
    labels: Labels,
    /// The events since the last answer. The answer's own event, if there is one, is the first.
    events: Vec<MatchableEvent>,
    /// Index of the first event after the answer.
    first: usize,
    /// Index at which the next expected event may occur.
    next: usize,
    /// Whether play is paused for a check of the table. It resumes with the next step of another kind.
    checked: bool,
    /// The referee's seat, if there is one.
    referee: Option<usize>,
    /// The answers given: seats and keys.
    given: Vec<(usize, String)>,
    /// Whether the referee ruled by default, since no step names them.
    ruled: bool,
}

impl<'a> ScenarioRun<'a> {
    /// Starts play, and gives the referee's default answers up to the first step.
    fn start_run(program: &Arc<Program>, scenario: &'a Scenario) -> Result<ScenarioRun<'a>, Vec<Problem>> {
        let setup = build_setup(program, scenario)?;
        let started = Session::start_with(program.clone(), &setup, session_options(is_checked(&scenario.steps)));
        let mut session = started.map_err(|problem| vec![fault_at_start(program, scenario, &setup, problem)])?;
        let labels = Labels::new(session.labels().clone()).with_keys(session.piece_keys());
        let events = session.take_events().iter().map(MatchableEvent::from_event).collect();
        let referee = program.referee_seat(setup.sides.len());
        let mut run = ScenarioRun {
            scenario,
            session,
            labels,
            events,
            first: 0,
            next: 0,
            checked: false,
            referee,
            given: Vec::new(),
            ruled: false,
        };
        run.give_default_rulings(scenario.name.span).map_err(|problem| vec![problem])?;
        Ok(run)
    }

    /// If no step names the referee, gives the default ruling.
    fn give_default_rulings(&mut self, span: Span) -> Result<(), Problem> {
        if self.referee.is_none() || self.scenario.steps.iter().any(names_referee) {
            return Ok(());
        }
        loop {
            let Pending::Decisions(open) = self.session.pending() else { return Ok(()) };
            let Some(decision) = open.iter().find(|decision| Some(decision.seat) == self.referee) else { return Ok(()) };
            let (id, seat, choice) = (decision.id, decision.seat, default_answer(&self.session, decision));
            self.given.extend(self.session.choice_key(id, &choice).map(|key| (seat, key)));
            self.ruled = true;
            self.session.choose(id, choice).map_err(|problem| fault_problem(self.scenario, *problem, span))?;
            self.events.extend(self.session.take_events().iter().map(MatchableEvent::from_event));
        }
    }

    /// All steps, in order.
    fn run_steps(&mut self) -> Result<(), Problem> {
        for (place, step) in self.scenario.steps.iter().enumerate() {
            self.run_step(step, self.scenario.steps.get(place + 1..).unwrap_or(&[]))?;
        }
        Ok(())
    }

    /// All steps, then the final expectations, and last whether every result of chance was used.
    fn play_to_end(&mut self) -> Result<(), Problem> {
        self.run_steps()?;
        if let Some(problem) = self.scenario.ending.as_ref().and_then(|ending| ending.unmet_problem(&self.session, &self.labels))
        {
            return Err(problem);
        }
        self.check_all_used()
    }

    /// Runs one step, given those after it.
    fn run_step(&mut self, step: &Step, after: &[Step]) -> Result<(), Problem> {
        if matches!(step.kind, StepKind::Tell(_)) {
            return Ok(());
        }
        let is_question = matches!(step.kind, StepKind::Answer { .. } | StepKind::Options { .. });
        if is_question || self.checked && !matches!(step.kind, StepKind::Check(_)) {
            self.resume_play(step.span)?;
        }
        match &step.kind {
            StepKind::Answer { who, answer } => {
                let decision = self.find_decision(*who, step.span)?;
                let chosen = answer::resolve_answer(&self.session, &decision, answer, &self.labels);
                let choice = chosen.map_err(|refusal| {
                    let message = format!("this cannot be chosen: {}", refusal.reason);
                    let problem = Problem::error(codes::SCENARIO_ANSWER, message).with_label(step.span, "not an option here");
                    let copy = answer::remaining_copy(&self.session, &decision, answer, &self.labels);
                    let copy = copy.map_or(String::new(), |copy| format!("another copy is left, `{copy}`; "));
                    let problem = problem.help(refusal.help.unwrap_or_else(|| format!("{copy}{}", self.options_help(&decision))));
                    forced_answers::add_automatic_answers(problem, &self.automatic_answers())
                })?;
                self.give_answer(&decision, choice, step.span, is_checked(after))
            }
            StepKind::Options { who, expected } => {
                let decision = self.find_decision(*who, step.span)?;
                let unmet = check_options::options_problem(&self.session, &decision, expected, &self.labels);
                unmet.map_or(Ok(()), |problem| Err(forced_answers::add_automatic_answers(problem, &self.automatic_answers())))
            }
            StepKind::Events { patterns, exactly: false } => self.expect_events(patterns),
            StepKind::Events { patterns, exactly: true } => self.expect_exactly(patterns, step.span),
            StepKind::Tell(_) => Ok(()),
            StepKind::Check(ending) => {
                self.checked = true;
                ending.unmet_problem(&self.session, &self.labels).map_or(Ok(()), Err)
            }
        }
    }

    /// Resumes play after a pause for a check of the table.
    fn resume_play(&mut self, span: Span) -> Result<(), Problem> {
        self.checked = false;
        let gone_on = self.session.go_on_past_single_answers();
        gone_on.map_err(|problem| self.report_fault(*problem, span, || Some(self.session.clone())))?;
        self.events.extend(self.session.take_events().iter().map(MatchableEvent::from_event));
        self.give_default_rulings(span)
    }

    /// The open question of a seat.
    fn find_decision(&self, who: QuestionSeat, span: Span) -> Result<Decision, Problem> {
        let seat = match (who, self.referee) {
            (QuestionSeat::Seat(seat), _) | (QuestionSeat::Referee, Some(seat)) => seat,
            (QuestionSeat::Referee, None) => {
                let problem =
                    Problem::error(codes::SCENARIO_SEAT, "the game has no referee").with_label(span, "not a seat of this game");
                return Err(problem.help("a step is `SEAT: answer`, with the number of a seat"));
            }
        };
        let open = match self.session.pending() {
            Pending::Decisions(open) => open,
            Pending::Finished(outcome) => {
                let message = format!("seat {seat} should be asked, but play is over");
                let end = outcome.text.clone().unwrap_or_else(|| super::events::result_word(outcome).to_string());
                return Err(Problem::error(codes::SCENARIO_SEAT, message).with_label(span, end).help(self.happened_text(0)));
            }
            Pending::Random(_) => &[],
        };
        if let Some(decision) = open.iter().find(|decision| decision.seat == seat) {
            return Ok(decision.clone());
        }
        let Some(other) = open.first() else {
            return Err(Problem::error(codes::SCENARIO_SEAT, "no seat is asked here").with_label(span, "not asked"));
        };
        let message = format!("seat {seat} should be asked, but seat {} is", other.seat);
        let remark = format!("seat {} is asked: {}", other.seat, self.session.prompt(other.id));
        let problem = Problem::error(codes::SCENARIO_SEAT, message).with_label(span, remark).help(self.options_help(other));
        Err(forced_answers::add_automatic_answers(problem, &self.automatic_answers()))
    }

    /// Gives an answer. Play pauses at the very next question if `stops` is set, so that the table can be checked before another
    /// answer.
    fn give_answer(&mut self, decision: &Decision, choice: Choice, span: Span, stops: bool) -> Result<(), Problem> {
        self.given.extend(self.session.choice_key(decision.id, &choice).map(|key| (decision.seat, key)));
        let chosen = match stops {
            true => self.session.choose_and_stop(decision.id, choice.clone()),
            false => self.session.choose(decision.id, choice.clone()),
        };
        chosen.map_err(|problem| {
            self.report_fault(*problem, span, || {
                let mut again = self.session.clone();
                again.choose_and_stop(decision.id, choice).ok().map(|()| again)
            })
        })?;
        self.events = self.session.take_events().iter().map(MatchableEvent::from_event).collect();
        self.first = usize::from(self.events.first().is_some_and(|event| is_answer(&event.kind)));
        self.next = self.first;
        self.give_default_rulings(span)
    }

    /// Checks that the expected events happen in this order, possibly with others between them.
    fn expect_events(&mut self, patterns: &[Spanned<Pattern>]) -> Result<(), Problem> {
        for pattern in patterns {
            // The answer's own event can be expected too.
            let from = if self.next == 1 && self.is_own_choice(pattern) { 0 } else { self.next };
            let rest = self.events.iter().enumerate().skip(from);
            let mut matching = rest.filter(|(_, event)| pattern.value.matches_event(event, &self.labels));
            match matching.next() {
                Some((place, _)) => self.next = place + 1,
                None => return Err(self.missing_event_problem(pattern)),
            }
        }
        Ok(())
    }

    /// Whether a pattern matches the last answer's own event.
    fn is_own_choice(&self, pattern: &Spanned<Pattern>) -> bool {
        self.events.first().is_some_and(|event| event.kind == "chose" && pattern.value.matches_event(event, &self.labels))
    }

    /// Checks that exactly the expected events happen. Starts and ends of scopes count only if one is expected. The same holds
    /// for answers given without asking.
    fn expect_exactly(&mut self, patterns: &[Spanned<Pattern>], span: Span) -> Result<(), Problem> {
        let expected = |test: fn(&str) -> bool| patterns.iter().any(|pattern| test(&pattern.value.kind));
        let (frames, answers) = (expected(is_scope_event), expected(is_answer));
        let counts = |event: &&MatchableEvent| (frames || !is_scope_event(&event.kind)) && (answers || !is_answer(&event.kind));
        let events: Vec<&MatchableEvent> = self.events.iter().skip(self.next).filter(counts).collect();
        for (place, pattern) in patterns.iter().enumerate() {
            match events.get(place) {
                Some(event) if pattern.value.matches_event(event, &self.labels) => {}
                Some(event) => {
                    return Err(self.difference_problem(
                        pattern.span,
                        &pattern.value.to_string(),
                        &self.event_pattern_text(event),
                    ));
                }
                None => return Err(self.difference_problem(pattern.span, &pattern.value.to_string(), "nothing more")),
            }
        }
        if let Some(event) = events.get(patterns.len()) {
            return Err(self.difference_problem(span, "nothing more", &self.event_pattern_text(event)));
        }
        self.next = self.events.len();
        Ok(())
    }

    fn difference_problem(&self, span: Span, expected: &str, found: &str) -> Problem {
        Problem::error(codes::SCENARIO_EVENTS, format!("expected {expected}, found {found}"))
            .with_label(span, format!("found {found}"))
            .help(self.happened_text(self.next))
    }

    fn missing_event_problem(&self, pattern: &Spanned<Pattern>) -> Problem {
        let problem = Problem::error(codes::SCENARIO_EVENTS, format!("expected `{}`, which did not happen", pattern.value))
            .with_label(pattern.span, "not among the events");
        let ahead = || self.events.iter().skip(self.next);
        let amount = pattern
            .value
            .amount_variants()
            .into_iter()
            .find(|amount| ahead().any(|event| amount.matches_event(event, &self.labels)));
        match amount {
            Some(amount) => problem.help(format!("a number alone is the new value; for the change, write `{amount}`")),
            None => problem.help(self.happened_text(self.next)),
        }
    }

    /// Reports the first result of chance that play did not need.
    fn check_all_used(&self) -> Result<(), Problem> {
        let unused = self.session.unused_results();
        let used = self.scenario.random.len().saturating_sub(unused.len());
        let Some(result) = self.scenario.random.get(used) else { return Ok(()) };
        let message = match unused.len() {
            1 => format!("the result {} is left over", result.value),
            more => format!("the result {} and {} after it are left over", result.value, more - 1),
        };
        let problem = Problem::error(codes::SCENARIO_RANDOM, message).with_label(result.span, "play did not need this result");
        Err(problem.help("leave it out, or let play go on until it is used"))
    }

    // --- words for messages ----------------------------------------------------

    /// The answers given without asking since the last step with an answer.
    fn automatic_answers(&self) -> Vec<String> {
        forced_answers::list_automatic_answers(self.events.iter().skip(self.first), self.session.program(), &self.labels)
    }

    /// Reports a fault of play at a step. `again` returns the session from before it, which stops at each question.
    fn report_fault(&self, problem: Problem, span: Span, again: impl FnOnce() -> Option<Session>) -> Problem {
        let answered = match problem.code {
            codes::RANDOM_MISSING => {
                again().map_or_else(Vec::new, |again| forced_answers::answers_before_fault(again, &self.labels))
            }
            _ => Vec::new(),
        };
        forced_answers::add_automatic_answers(fault_problem(self.scenario, problem, span), &answered)
    }

    fn options_help(&self, decision: &Decision) -> String {
        format!("the options of seat {} are {}", decision.seat, offered_options_text(&self.session, decision, &self.labels))
    }

    fn event_pattern_text(&self, event: &MatchableEvent) -> String {
        event.pattern_text(self.session.program(), &self.labels)
    }

    /// Lists the events since the last answer, from a given one on.
    fn happened_text(&self, from: usize) -> String {
        let events: Vec<String> = self
            .events
            .iter()
            .skip(from)
            .filter(|event| !is_scope_event(&event.kind))
            .map(|event| self.event_pattern_text(event))
            .collect();
        let when = if from > 1 { "after the events found so far" } else { "since the last answer" };
        match events.len() {
            0 => format!("nothing happened {when}"),
            count if count > MOST_EVENTS => {
                let first = events.iter().take(MOST_EVENTS).cloned().collect::<Vec<_>>().join(", ");
                format!("{when}: {first} and {} more", count - MOST_EVENTS)
            }
            _ => format!("{when}: {}", events.join(", ")),
        }
    }
}

/// Whether a step names the referee.
pub(super) fn names_referee(step: &Step) -> bool {
    matches!(
        step.kind,
        StepKind::Answer { who: QuestionSeat::Referee, .. } | StepKind::Options { who: QuestionSeat::Referee, .. }
    )
}

/// Whether a step checks the table before the next step with an answer or `options`.
fn is_checked(steps: &[Step]) -> bool {
    let mut before = steps.iter().take_while(|step| !matches!(step.kind, StepKind::Answer { .. } | StepKind::Options { .. }));
    before.any(|step| matches!(step.kind, StepKind::Check(_)))
}

/// The sides, chance and position of a scenario, or the problems of its start. Sides that bring nothing need no entry.
pub(super) fn build_setup(program: &Arc<Program>, scenario: &Scenario) -> Result<Setup, Vec<Problem>> {
    let mut problems = Vec::new();
    let (sides, position) = match &scenario.start {
        Start::Position(node) => {
            let position = Position::read(node, program, &mut problems);
            let entrants = |side: &ludex_engine::position::SidePosition| entrant_names(&side.entrants);
            (position.iter().flat_map(|position| &position.sides).map(entrants).collect(), position)
        }
        Start::Beginning(sides) => {
            problems.extend(sides.iter().flatten().filter_map(|entrant| unknown_entrant_problem(program, entrant)));
            let named: Vec<Vec<String>> = sides.iter().map(|side| entrant_names(side)).collect();
            (if named.is_empty() { vec![Vec::new(); program.sides.least] } else { named }, None)
        }
    };
    if problems.iter().any(Problem::is_error) {
        return Err(problems);
    }
    let dice = Dice::Listed(scenario.random.iter().map(|result| result.value).collect());
    Ok(Setup { sides, seed: 0.into(), dice, position, names: Vec::new(), watched: true })
}

fn entrant_names(entrants: &[Spanned<String>]) -> Vec<String> {
    entrants.iter().map(|entrant| entrant.value.clone()).collect()
}

fn unknown_entrant_problem(program: &Program, entrant: &Spanned<String>) -> Option<Problem> {
    if program.sheets.contains_key(&entrant.value) {
        return None;
    }
    let problem = Problem::error(codes::POSITION_SIDES, format!("there is no entrant called `{}`", entrant.value));
    let problem = problem.with_label(entrant.span, "not known");
    Some(match closest_match(&entrant.value, program.sheets.keys().map(String::as_str)) {
        Some(near) => problem.suggest_near(near),
        None => problem.help(format!("`ludex show {}` lists who may play", program.game)),
    })
}

/// Reports a fault before the first question, with the automatic answers before it.
fn fault_at_start(program: &Arc<Program>, scenario: &Scenario, setup: &Setup, problem: Problem) -> Problem {
    let again = match problem.code {
        codes::RANDOM_MISSING => Session::start_with(program.clone(), setup, session_options(true)).ok(),
        _ => None,
    };
    let answered = again.map_or_else(Vec::new, |session| {
        let labels = Labels::new(session.labels().clone()).with_keys(session.piece_keys());
        forced_answers::answers_before_fault(session, &labels)
    });
    forced_answers::add_automatic_answers(fault_problem(scenario, problem, scenario.name.span), &answered)
}

/// Reports a fault of play at the step that caused it.
fn fault_problem(scenario: &Scenario, problem: Problem, span: Span) -> Problem {
    if problem.code != codes::RANDOM_MISSING {
        return problem.with_label(span, "at this step");
    }
    let message = match scenario.random.len() {
        0 => "a result is needed, but none is listed".to_string(),
        listed => format!("another result is needed after the {listed} that are listed"),
    };
    let missing = Problem::error(codes::SCENARIO_RANDOM, message).with_label(span, problem.message.to_string());
    let missing =
        scenario.random.last().into_iter().fold(missing, |missing, last| missing.with_label(last.span, "the last one listed"));
    missing.help("add it to `random`, in the order in which things are rolled")
}
