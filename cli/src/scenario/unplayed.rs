//! Problems of a scenario that can be found without playing it: unknown names, unused seats, and expectations that can never be
//! met.
//!
//! `check` reports them for every scenario. The names come from a [`Vocabulary`]: that of the game in the scenario's mode.

mod events;

use super::meaning::{KnownNames, MeaninglessKey, find_meaningless};
use super::vocabulary::{Names, Vocabulary};
use super::{Answer, ExpectedOptions, QuestionSeat, Scenario, Start, Step, StepKind};
use ludex_engine::codes;
use ludex_engine::position::{Position, Spanned, unknown_entrant_problem};
use ludex_engine::problem::{Problem, range_text};
use ludex_engine::source::Span;

/// The problems of a scenario in its mode of a game.
pub fn unplayed_problems(game: &Vocabulary, scenario: &Scenario) -> Vec<Problem> {
    // Another mode may have other names.
    if let Some(problem) = &scenario.places.misspelt {
        return vec![problem.clone()];
    }
    let mut problems = scenario.places.option_problems(game.program, &scenario.heading);
    let position = match &scenario.start {
        Start::Position(node) => Position::read(node, game.program, &mut problems),
        Start::Beginning(sides) => {
            problems.extend(side_problems(game, sides, scenario));
            None
        }
    };
    // Without its start, later entrants are unknown.
    if problems.iter().any(Problem::is_error) {
        return problems;
    }
    let names = Names::for_scenario(game, scenario, position.as_ref());
    let reader = StepChecker { names: &names, scenario };
    problems.extend(scenario.steps.iter().flat_map(|step| reader.check_step(step)));
    problems.extend(reader.unreachable_problems());
    problems.extend(scenario.ending.iter().flat_map(|ending| ending.unknown_name_problems(&names)));
    problems
}

/// Reports unknown entrants, and a wrong number of sides. The sides of a position are checked when it is read.
fn side_problems(game: &Vocabulary, sides: &[Vec<Spanned<String>>], scenario: &Scenario) -> Vec<Problem> {
    let program = game.program;
    let unknown = |entrant: &&Spanned<String>| !program.sheets.contains_key(&entrant.value);
    let mut problems: Vec<Problem> = sides
        .iter()
        .flatten()
        .filter(unknown)
        .map(|entrant| unknown_entrant_problem(&entrant.value, entrant.span, program))
        .collect();
    let (least, most) = (program.sides.least, program.sides.most);
    if !sides.is_empty() && !(least..=most).contains(&sides.len()) {
        let message = format!("{} sides are to play, but `{}` is for {}", sides.len(), program.game, range_text(least, most));
        let span = scenario.places.sides.unwrap_or(scenario.name.span);
        problems.push(Problem::error(codes::POSITION_SIDES, message).with_label(span, format!("{} are listed", sides.len())));
    }
    problems
}

/// Goes through the steps of a scenario.
struct StepChecker<'a> {
    names: &'a Names<'a>,
    scenario: &'a Scenario,
}

impl StepChecker<'_> {
    fn check_step(&self, step: &Step) -> Vec<Problem> {
        match &step.kind {
            StepKind::Answer { who, answer } => {
                self.check_seat(*who, step.span).or_else(|| self.check_answer(answer, step.span)).into_iter().collect()
            }
            StepKind::Options { who, expected } => match self.check_seat(*who, step.span) {
                Some(problem) => vec![problem],
                None => self.check_expected_options(expected),
            },
            StepKind::Events { patterns, .. } => {
                patterns.iter().filter_map(|pattern| events::event_problem(self.names, pattern)).collect()
            }
            StepKind::Check(ending) => ending.unknown_name_problems(self.names),
            StepKind::Tell(_) => Vec::new(),
        }
    }

    // --- answers -------------------------------------------------------------------

    /// Reports a seat that is not in play.
    fn check_seat(&self, who: QuestionSeat, span: Span) -> Option<Problem> {
        let program = self.names.game.program;
        let referee = program.referee_seat(self.names.sides);
        match who {
            QuestionSeat::Referee if referee.is_none() => {
                let problem =
                    Problem::error(codes::SCENARIO_SEAT, "the game has no referee").with_label(span, "not a seat of this game");
                Some(problem.help("a step is `SEAT: answer`, with the number of a seat"))
            }
            QuestionSeat::Seat(seat) if seat >= self.names.sides && Some(seat) != referee => {
                let message = format!("there is no seat {seat}");
                let problem = Problem::error(codes::SCENARIO_SEAT, message).with_label(span, "not a seat of this game");
                Some(problem.help(match self.names.sides {
                    1 => "the only seat is 0".to_string(),
                    sides => format!("the seats are 0 to {}", sides - 1),
                }))
            }
            _ => None,
        }
    }

    /// Reports an answer that can be an option of no question.
    fn check_answer(&self, answer: &Answer, span: Span) -> Option<Problem> {
        match answer {
            Answer::Words(words) => {
                let found = find_meaningless(self.names, words).filter(|_| !self.may_be_of_a_sentence(words))?;
                let problem = Problem::error(codes::SCENARIO_ANSWER, format!("this cannot be chosen: {}", found.reason));
                Some(found.add_advice(problem.with_label(span, "never an option")))
            }
            Answer::Arguments { action, roles } => self.check_roles(action.as_deref(), roles, span),
        }
    }

    /// Whether an answer may be part of an option's sentence. Several words always may; a single word must occur in a sentence.
    fn may_be_of_a_sentence(&self, words: &str) -> bool {
        let is_key = words.contains(['(', ')', '+', '>', '#', '=']);
        !is_key && (words.contains(char::is_whitespace) || self.names.occurs_in_text(words))
    }

    /// Reports roles that no action has, or not the named one.
    fn check_roles(&self, action: Option<&str>, roles: &[(String, Vec<String>)], span: Span) -> Option<Problem> {
        let program = self.names.game.program;
        let all = || program.actions.iter().filter(|info| action.is_none_or(|name| info.name == name));
        let wrong = |message: String| Problem::error(codes::SCENARIO_ANSWER, message).with_label(span, "never an option");
        if let Some(action) = action.filter(|_| all().next().is_none()) {
            let problem = wrong(format!("this cannot be chosen: there is no move called `{action}`"));
            return Some(problem.suggest(action, program.actions.iter().map(|info| info.name.as_str())));
        }
        let known: Vec<&str> = all().flat_map(|info| &info.roles).map(|role| role.name.as_str()).collect();
        if let Some((role, _)) = roles.iter().find(|(role, _)| !known.contains(&role.as_str())) {
            let whose = action.map_or("no move has".to_string(), |action| format!("`{action}` does not have"));
            let problem = wrong(format!("this cannot be chosen: {whose} a role `{role}`"));
            return Some(problem.suggest(role, known.into_iter().chain(["action", "legal", "only", "not"])));
        }
        let things = roles.iter().flat_map(|(_, things)| things).flat_map(|thing| thing.split('+')).map(str::trim);
        let unknown = things.filter(|thing| thing.parse::<i64>().is_err() && *thing != "none");
        let unknown = unknown.filter(|thing| !self.names.has_thing(thing) && !["yes", "no", "true", "false"].contains(thing));
        let thing = unknown.into_iter().next()?;
        Some(wrong(format!("this cannot be chosen: nothing is called `{thing}`")).suggest(thing, self.names.known_things()))
    }

    /// Reports keys that can be an option of no question: as expected ones they are never met, and as refused ones they test
    /// nothing.
    fn check_expected_options(&self, expected: &ExpectedOptions) -> Vec<Problem> {
        let wanted = expected.legal.iter().chain(expected.only.iter().flatten());
        let wanted = wanted.filter_map(|key| {
            let found = find_meaningless(self.names, &key.value)?;
            Some(self.impossible_key_problem(format!("`{}` should be possible, but never is", key.value), key, found))
        });
        let refused = expected.not.iter().filter_map(|(key, _)| {
            let found = find_meaningless(self.names, &key.value)?;
            Some(self.impossible_key_problem(format!("`{}` is never possible, so this tests nothing", key.value), key, found))
        });
        wanted.chain(refused).collect()
    }

    fn impossible_key_problem(&self, message: String, key: &Spanned<String>, found: MeaninglessKey) -> Problem {
        let problem = Problem::error(codes::SCENARIO_OPTIONS, message).with_label(key.span, found.reason.clone());
        found.add_advice(problem)
    }

    // --- expectations that are never met -------------------------------------------

    /// Reports steps of a scenario in which play does not start, and expected events at a point where none can be left.
    fn unreachable_problems(&self) -> Vec<Problem> {
        let refusal = self.scenario.ending.as_ref().and_then(super::ending::Ending::expected_refusal);
        if let (Some(_), Some(step)) = (refusal, self.scenario.steps.first()) {
            let problem = Problem::error(codes::NEVER_MET, "play does not begin, so there is nothing to answer or expect");
            return vec![problem.with_label(step.span, "never reached").help("leave out `play`, or `refused`")];
        }
        let mut all_told: Option<Span> = None;
        let mut problems = Vec::new();
        for step in &self.scenario.steps {
            match &step.kind {
                StepKind::Events { patterns, exactly } => {
                    if let (Some(first), Some(pattern)) = (all_told, patterns.first()) {
                        let message = "no event is left to expect here";
                        let problem = Problem::error(codes::NEVER_MET, message).with_label(pattern.span, "never met");
                        let problem = problem.with_label(first, "this lists all of them");
                        problems.push(problem.help("put it into the list of `exactly`, or after the next answer"));
                    }
                    all_told = exactly.then_some(step.span).or(all_told);
                }
                StepKind::Answer { .. } | StepKind::Options { .. } | StepKind::Check(_) => all_told = None,
                StepKind::Tell(_) => {}
            }
        }
        problems
    }
}
