//! Problems of a scenario that can be found without playing it: unknown names, unused seats, and expectations that can never be
//! met.

mod events;

use super::meaning::{Known, Meaningless, meaningless};
use super::vocabulary::{Names, Vocabulary};
use super::{Answer, ExpectedOptions, Scenario, Start, Step, StepKind, Who};
use ludex_engine::codes;
use ludex_engine::position::{Position, Spanned, unknown_entrant};
use ludex_engine::problem::{Problem, between};
use ludex_engine::source::Span;

/// The problems of a scenario in its mode of a game.
pub fn wrong(game: &Vocabulary, scenario: &Scenario) -> Vec<Problem> {
    // Another mode may have other names.
    if let Some(problem) = &scenario.places.misspelt {
        return vec![problem.clone()];
    }
    let mut problems = scenario.places.wrong_options(game.program, &scenario.heading);
    let position = match &scenario.start {
        Start::Position(node) => Position::read(node, game.program, &mut problems),
        Start::Beginning(sides) => {
            problems.extend(wrong_sides(game, sides, scenario));
            None
        }
    };
    // Without its start, later entrants are unknown.
    if problems.iter().any(Problem::is_error) {
        return problems;
    }
    let names = Names::of(game, scenario, position.as_ref());
    let reader = Reader { names: &names, scenario };
    problems.extend(scenario.steps.iter().flat_map(|step| reader.step(step)));
    problems.extend(reader.unreachable());
    problems.extend(scenario.ending.iter().flat_map(|ending| ending.unknown(&names)));
    problems
}

/// Reports unknown entrants, and a wrong number of sides.
fn wrong_sides(game: &Vocabulary, sides: &[Vec<Spanned<String>>], scenario: &Scenario) -> Vec<Problem> {
    let program = game.program;
    let unknown = |entrant: &&Spanned<String>| !program.sheets.contains_key(&entrant.value);
    let mut problems: Vec<Problem> =
        sides.iter().flatten().filter(unknown).map(|entrant| unknown_entrant(&entrant.value, entrant.span, program)).collect();
    let (least, most) = (program.sides.least, program.sides.most);
    if !sides.is_empty() && !(least..=most).contains(&sides.len()) {
        let message = format!("{} sides are to play, but `{}` is for {}", sides.len(), program.game, between(least, most));
        let span = scenario.places.sides.unwrap_or(scenario.name.span);
        problems.push(Problem::error(codes::POSITION_SIDES, message).at(span, format!("{} are listed", sides.len())));
    }
    problems
}

struct Reader<'a> {
    names: &'a Names<'a>,
    scenario: &'a Scenario,
}

impl Reader<'_> {
    fn step(&self, step: &Step) -> Vec<Problem> {
        match &step.kind {
            StepKind::Answer { who, answer } => {
                self.seat(*who, step.span).or_else(|| self.answer(answer, step.span)).into_iter().collect()
            }
            StepKind::Options { who, expected } => match self.seat(*who, step.span) {
                Some(problem) => vec![problem],
                None => self.options(expected),
            },
            StepKind::Events { patterns, .. } => {
                patterns.iter().filter_map(|pattern| events::wrong(self.names, pattern)).collect()
            }
            StepKind::Check(ending) => ending.unknown(self.names),
            StepKind::Tell(_) => Vec::new(),
        }
    }

    // --- answers -------------------------------------------------------------------

    /// Reports a seat that is not in play.
    fn seat(&self, who: Who, span: Span) -> Option<Problem> {
        let program = self.names.game.program;
        let referee = program.referee_seat(self.names.sides);
        match who {
            Who::Referee if referee.is_none() => {
                let problem = Problem::error(codes::SCENARIO_SEAT, "the game has no referee").at(span, "not a seat of this game");
                Some(problem.help("a step is `SEAT: answer`, with the number of a seat"))
            }
            Who::Seat(seat) if seat >= self.names.sides && Some(seat) != referee => {
                let message = format!("there is no seat {seat}");
                let problem = Problem::error(codes::SCENARIO_SEAT, message).at(span, "not a seat of this game");
                Some(problem.help(match self.names.sides {
                    1 => "the only seat is 0".to_string(),
                    sides => format!("the seats are 0 to {}", sides - 1),
                }))
            }
            _ => None,
        }
    }

    fn answer(&self, answer: &Answer, span: Span) -> Option<Problem> {
        match answer {
            Answer::Words(words) => {
                let found = meaningless(self.names, words).filter(|_| !self.may_be_of_a_sentence(words))?;
                let problem = Problem::error(codes::SCENARIO_ANSWER, format!("this cannot be chosen: {}", found.reason));
                Some(found.advise(problem.at(span, "never an option")))
            }
            Answer::Arguments { action, roles } => self.roles(action.as_deref(), roles, span),
        }
    }

    /// Whether an answer may be part of an option's sentence. Several words always may; a single word must occur in a sentence.
    fn may_be_of_a_sentence(&self, words: &str) -> bool {
        let is_key = words.contains(['(', ')', '+', '>', '#', '=']);
        !is_key && (words.contains(char::is_whitespace) || self.names.is_said(words))
    }

    /// Reports roles that no action has, or not the named one.
    fn roles(&self, action: Option<&str>, roles: &[(String, Vec<String>)], span: Span) -> Option<Problem> {
        let program = self.names.game.program;
        let all = || program.actions.iter().filter(|info| action.is_none_or(|name| info.name == name));
        let wrong = |message: String| Problem::error(codes::SCENARIO_ANSWER, message).at(span, "never an option");
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
        Some(wrong(format!("this cannot be chosen: nothing is called `{thing}`")).suggest(thing, self.names.things()))
    }

    fn options(&self, expected: &ExpectedOptions) -> Vec<Problem> {
        let wanted = expected.legal.iter().chain(expected.only.iter().flatten());
        let wanted = wanted.filter_map(|key| {
            let found = meaningless(self.names, &key.value)?;
            Some(self.never(format!("`{}` should be possible, but never is", key.value), key, found))
        });
        let refused = expected.not.iter().filter_map(|(key, _)| {
            let found = meaningless(self.names, &key.value)?;
            Some(self.never(format!("`{}` is never possible, so this tests nothing", key.value), key, found))
        });
        wanted.chain(refused).collect()
    }

    fn never(&self, message: String, key: &Spanned<String>, found: Meaningless) -> Problem {
        let problem = Problem::error(codes::SCENARIO_OPTIONS, message).at(key.span, found.reason.clone());
        found.advise(problem)
    }

    // --- expectations that are never met -------------------------------------------

    /// Reports steps of a scenario in which play does not start, and expected events at a point where none can be left.
    fn unreachable(&self) -> Vec<Problem> {
        let refusal = self.scenario.ending.as_ref().and_then(super::ending::Ending::refusal);
        if let (Some(_), Some(step)) = (refusal, self.scenario.steps.first()) {
            let problem = Problem::error(codes::NEVER_MET, "play does not begin, so there is nothing to answer or expect");
            return vec![problem.at(step.span, "never reached").help("leave out `play`, or `refused`")];
        }
        let mut all_told: Option<Span> = None;
        let mut problems = Vec::new();
        for step in &self.scenario.steps {
            match &step.kind {
                StepKind::Events { patterns, exactly } => {
                    if let (Some(first), Some(pattern)) = (all_told, patterns.first()) {
                        let message = "no event is left to expect here";
                        let problem = Problem::error(codes::NEVER_MET, message).at(pattern.span, "never met");
                        let problem = problem.at(first, "this lists all of them");
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
