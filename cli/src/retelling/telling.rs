//! The text of a scenario or a position, and the check that it leads to the right state.
//!
//! Play starts at an origin: the start of the game, or an entry that began during it. Steps are counted from 0, the start;
//! step N is the Nth answer with its events. Pieces that existed at the origin get names, by which answers and expectations
//! refer to them.

use super::names::names_for_pieces;
use super::story::{Answer, Beginning, MARKS, Step, Story, answer_by_key};
use crate::scenario::{self, Labels, MatchableEvent, Pattern, is_answer, is_scope_event};
use ludex_engine::codes;
use ludex_engine::position::Position;
use ludex_engine::problem::Problem;
use ludex_engine::runtime::{Dice, EntryRecord, Outcome, Pending, Session, Setup, Viewer};
use ludex_engine::source::SourceId;
use ludex_engine::yaml::{self, OutputValue};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of entries tried, the last first, before a scenario starts at the beginning.
const MOST_TRIED: usize = 12;
/// Maximum number of events expected after an answer; uses of abilities are always expected.
const MOST_EXPECTED: usize = 8;

/// The requested start of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScenarioStart {
    /// The start of play.
    Beginning,
    /// The last entry of the rules before the end of this step.
    Step(usize),
}

/// A scenario that passes.
pub struct StoryScenario {
    pub text: String,
    /// The reason that it starts earlier than requested, if it does.
    pub why_earlier: Option<String>,
}

/// A position from which play goes on as it did.
pub struct StoryPosition {
    pub text: String,
    /// `turn(active: 0)`
    pub at: String,
    /// The number of answers since then.
    pub answers: usize,
}

/// The place where the text starts.
struct Origin<'s> {
    /// `None` for the start of play.
    entered: Option<&'s EntryRecord>,
    /// The first step whose answer is part of the text.
    first: usize,
}

impl Story {
    /// Writes a scenario of the play up to the end of step `to`. If it cannot start where `from` says, it starts earlier. An
    /// error if it does not pass from the start of play either.
    pub fn write_scenario(&self, name: &str, from: ScenarioStart, to: usize) -> Result<StoryScenario, Problem> {
        let mut why_earlier = None;
        let wanted = match from {
            ScenarioStart::Beginning => Vec::new(),
            ScenarioStart::Step(step) => self.possible_origins(step.min(to)),
        };
        if wanted.is_empty() && from != ScenarioStart::Beginning {
            why_earlier = Some("no `entry` of the rules had begun by then".to_string());
        }
        for origin in &wanted {
            match self.scenario_from(name, origin, to) {
                Ok(text) => return Ok(StoryScenario { text, why_earlier }),
                Err(why) => why_earlier = why_earlier.or(Some(why)),
            }
        }
        let origin = Origin { entered: None, first: 1 };
        match self.scenario_from(name, &origin, to) {
            Ok(text) => Ok(StoryScenario { text, why_earlier }),
            Err(why) => Err(Problem::error(codes::SCENARIO_STATE, format!("this game cannot be written as a scenario: {why}"))),
        }
    }

    /// Writes the position at the last entry before the end of a step from which play goes on as it did. An error if there is
    /// none.
    pub fn write_position(&self, step: usize) -> Result<StoryPosition, Problem> {
        let mut why = None;
        for origin in self.possible_origins(step) {
            let Some(entered) = origin.entered else { continue };
            let given = names_for_pieces(&self.session, &self.session.argument_pieces(entered));
            let tried = self.position_with_names(&origin, step).and_then(|(named, written)| {
                self.check_leads_on(&written, &origin, &named, step)?;
                self.session.write_position(entered, &given)
            });
            match tried {
                Ok(written) => {
                    let OutputValue::Map(lines) = written else { continue };
                    let at = lines.iter().find(|(key, _)| key == "at").map(|(_, at)| at.inline_text()).unwrap_or_default();
                    let mut map = vec![("ludex-position".to_string(), OutputValue::from_number(1))];
                    map.push(("game".to_string(), OutputValue::from_text(&self.program.game)));
                    map.extend(self.scenario_heading());
                    map.extend(lines);
                    return Ok(StoryPosition { text: OutputValue::Map(map).block_text(0), at, answers: step + 1 - origin.first });
                }
                Err(reason) => why = why.or(Some(reason)),
            }
        }
        let help = match &why {
            Some(_) => "save a scenario instead: it can say how play came here",
            None => "positions start at an `entry` of the rules: write `entry` before a `scope` such as that of a turn",
        };
        let why = why.unwrap_or_else(|| "the entries of the rules have not begun yet".to_string());
        Err(Problem::error(codes::POSITION_ENTRY, format!("no position leads here: {why}")).help(help))
    }

    /// The position with a name for each piece that later answers name, to check that play goes on from there. Also returns
    /// the names, by the numbers of the pieces.
    fn position_with_names(&self, origin: &Origin, to: usize) -> Result<(BTreeMap<usize, String>, OutputValue), String> {
        let Some(entered) = origin.entered else { return Ok((BTreeMap::new(), OutputValue::Map(Vec::new()))) };
        let answers = self.steps.iter().take(to + 1).skip(origin.first).filter_map(|step| step.given.as_ref());
        let mut pieces = self.session.argument_pieces(entered);
        pieces.extend(answers.flat_map(|answer| answer.pieces.iter().copied()));
        let named = self.names_of(pieces, entered);
        let written = self.session.write_position(entered, &named)?;
        Ok((named, written))
    }

    /// Names for those of some pieces that existed when an entry began.
    fn names_of(&self, mut pieces: BTreeSet<usize>, entered: &EntryRecord) -> BTreeMap<usize, String> {
        pieces.retain(|piece| *piece < self.session.pieces_before(entered));
        names_for_pieces(&self.session, &pieces)
    }

    /// The entries from which a text about the play up to the end of a step may start, the latest first.
    fn possible_origins(&self, step: usize) -> Vec<Origin<'_>> {
        let begun = self.steps.get(step).map_or(0, |step| step.entered);
        let entered = self.session.entry_records().iter().take(begun).enumerate().rev().take(MOST_TRIED);
        // The first step after the one during which the entry began.
        let first = |place: usize| self.steps.iter().position(|step| step.entered > place).unwrap_or(0) + 1;
        entered.map(|(place, entered)| Origin { entered: Some(entered), first: first(place) }).collect()
    }

    // --- comparison ----------------------------------------------------------------------------

    /// Checks that play from a written position gives the same events and questions. The error says why not. `names` are those
    /// that the position gives to pieces.
    fn check_leads_on(
        &self,
        written: &OutputValue,
        origin: &Origin,
        names: &BTreeMap<usize, String>,
        to: usize,
    ) -> Result<(), String> {
        let Some(entered) = origin.entered else { return Ok(()) };
        let (node, mut problems) = yaml::parse_document(&written.block_text(0), SourceId(0));
        let position = node.and_then(|node| Position::read(&node, &self.program, &mut problems));
        let Some(position) = position else {
            return Err(problems
                .first()
                .map_or("a position cannot describe this state".to_string(), |problem| problem.message.to_string()));
        };
        let setup =
            Setup { position: Some(position), dice: Dice::Listed(self.results_since(origin, to).to_vec()), ..self.setup.clone() };
        let mut session = Session::start(self.program.clone(), &setup).map_err(|problem| problem.message.to_string())?;
        let differs = || "play would go on differently from there".to_string();
        if !session.starts_like(entered) {
            return Err("a position cannot describe all of this state".to_string());
        }
        for (place, step) in self.steps.iter().enumerate().take(to + 1).skip(origin.first - 1) {
            if let Some(answer) = step.given.as_ref().filter(|_| place >= origin.first) {
                let key = with_names(&answer.open, names, &self.session);
                answer_by_key(&mut session, answer.seat, &key).map_err(|_| differs())?;
            }
            let found: Vec<(String, Option<usize>)> =
                session.take_events().into_iter().map(|event| (event.name, event.by)).collect();
            let expected = step.told.iter().filter(|(number, _)| *number > entered.events);
            let expected: Vec<(String, Option<usize>)> = expected.map(|(_, told)| (told.kind.clone(), told.by)).collect();
            // Events before the entry are missing.
            if found != expected {
                return Err(differs());
            }
        }
        if session.unused_results().is_empty()
            && open_questions(&session) == open_questions(&self.session_after(to).map_err(|problem| problem.message.to_string())?)
        {
            return Ok(());
        }
        Err(differs())
    }

    /// The results of chance from the origin to the end of a step.
    fn results_since(&self, origin: &Origin, to: usize) -> &[i64] {
        let Dice::Listed(results) = &self.setup.dice else { return &[] };
        let from = origin.entered.map_or(0, |entered| entered.results);
        let end = self.steps.get(to).map_or(results.len(), |step| step.results);
        results.get(from..end).unwrap_or_default()
    }

    // --- text ------------------------------------------------------------------------------------

    /// The mode and the options that differ from their defaults.
    fn scenario_heading(&self) -> Vec<(String, OutputValue)> {
        let mut heading = Vec::new();
        if self.program.modes.iter().any(|mode| mode.name == self.program.mode) {
            heading.push(("mode".to_string(), OutputValue::from_text(&self.program.mode)));
        }
        let chosen = self.program.options.iter().filter(|option| option.value != option.default);
        let chosen: Vec<(String, OutputValue)> =
            chosen.map(|option| (option.name.clone(), OutputValue::from_value(&option.value_text(option.value)))).collect();
        if !chosen.is_empty() {
            heading.push(("options".to_string(), OutputValue::Map(chosen)));
        }
        heading
    }

    /// The line of a scenario that says where play starts: `position` or `start`.
    fn starting_entry(&self, origin: &Origin, names: &BTreeMap<usize, String>) -> Result<(String, OutputValue), String> {
        let mut map = self.scenario_heading();
        if let Some(entered) = origin.entered {
            let written = self.session.write_position(entered, names)?;
            if let OutputValue::Map(lines) = written {
                map.extend(lines);
            }
            return Ok(("position".to_string(), OutputValue::Map(map)));
        }
        if let Beginning::Position(OutputValue::Map(lines)) = &self.beginning {
            map.extend(lines.iter().cloned());
            return Ok(("position".to_string(), OutputValue::Map(map)));
        }
        let brings = self.program.sides.entrant.is_some() || self.program.sides.least != self.program.sides.most;
        if brings {
            let side = |ids: &Vec<String>| OutputValue::List(ids.iter().map(|id| OutputValue::from_text(id)).collect());
            map.push(("sides".to_string(), OutputValue::List(self.setup.sides.iter().map(side).collect())));
        }
        Ok(("start".to_string(), OutputValue::Map(map)))
    }

    /// The scenario from an origin to the end of a step. The error says why it would not pass.
    fn scenario_from(&self, name: &str, origin: &Origin, to: usize) -> Result<String, String> {
        let told = self.notable_events(origin, to);
        let names = match origin.entered {
            Some(entered) => {
                let mut pieces = self.session.argument_pieces(entered);
                pieces.extend(told.iter().flat_map(|(step, told)| {
                    let own = step.given.as_ref().map(|answer| answer.pieces.clone()).unwrap_or_default();
                    own.into_iter().chain(told.iter().flat_map(|told| told.piece_numbers()))
                }));
                self.names_of(pieces, entered)
            }
            None => BTreeMap::new(),
        };
        let start = self.starting_entry(origin, &names)?;
        if origin.entered.is_some() {
            self.check_leads_on(&start.1, origin, &names, to)?;
        }
        let play = self.play_steps(&told, origin, &names, to)?;
        let text = |ending: Vec<(String, OutputValue)>| {
            let mut lines = vec![
                ("name".to_string(), OutputValue::from_text(name)),
                ("game".to_string(), OutputValue::from_text(&self.program.game)),
            ];
            lines.push(start.clone());
            let random: Vec<OutputValue> =
                self.results_since(origin, to).iter().map(|result| OutputValue::from_number(*result)).collect();
            if !random.is_empty() {
                lines.push(("random".to_string(), OutputValue::List(random)));
            }
            let mut text = OutputValue::Map(lines).block_text(2);
            if !play.is_empty() {
                text.push_str(&format!("  play:\n{}", steps_below(&play, 4)));
            }
            if !ending.is_empty() {
                text.push_str(&OutputValue::single_entry("then", OutputValue::Map(ending)).block_text(2));
            }
            format!("- {}", text.trim_start())
        };
        let full = text(self.ending_entries(origin.first - 1, to)?);
        match scenario::check_text_passes(&self.program, &full) {
            Ok(()) => Ok(full),
            Err(problem) => Err(problem.message.to_string()),
        }
    }

    /// The steps from the origin on, each with its notable events after the origin.
    fn notable_events(&self, origin: &Origin, to: usize) -> Vec<(&Step, Vec<&MatchableEvent>)> {
        let steps = self.steps.iter().take(to + 1).skip(origin.first - 1);
        let since = origin.entered.map_or(0, |entered| entered.events);
        steps
            .map(|step| (step, self.select_notable(step.told.iter().filter(|(number, _)| *number > since).map(|(_, told)| told))))
            .collect()
    }

    /// The notable events: those named by the rules, and rolls, uses, sayings and the end. If there are none, all but answers,
    /// shuffles, and begins and ends of scopes. At most [`MOST_EXPECTED`], apart from uses.
    pub(super) fn select_notable<'t>(&self, told: impl Iterator<Item = &'t MatchableEvent>) -> Vec<&'t MatchableEvent> {
        let counts = |told: &&MatchableEvent| !is_scope_event(&told.kind) && !is_answer(&told.kind) && told.kind != "shuffled";
        let all: Vec<&MatchableEvent> = told.filter(counts).collect();
        let is_main = |told: &&MatchableEvent| {
            ["rolled", "rolled_pool", "used", "said", "finished"].contains(&told.kind.as_str())
                || self.program.event_names.contains(&told.kind)
        };
        let main: Vec<&MatchableEvent> = all.iter().copied().filter(is_main).collect();
        let chosen = if main.is_empty() { all } else { main };
        let in_order = chosen.into_iter().enumerate();
        in_order.filter(|(place, told)| *place < MOST_EXPECTED || told.kind == "used").map(|(_, told)| told).collect()
    }

    /// The lines of `play`: each answer, and the events that are expected after it. Events with pieces that the position
    /// cannot name are left out.
    fn play_steps(
        &self,
        told: &[(&Step, Vec<&MatchableEvent>)],
        origin: &Origin,
        names: &BTreeMap<usize, String>,
        to: usize,
    ) -> Result<Vec<OutputValue>, String> {
        let there = origin.entered.map_or(usize::MAX, |entered| self.session.pieces_before(entered));
        let is_there = |told: &&&MatchableEvent| told.piece_numbers().all(|piece| piece < there || origin.entered.is_none());
        let mut steps = Vec::new();
        for (place, (step, told)) in told.iter().enumerate() {
            if let Some(answer) = step.given.as_ref().filter(|_| place > 0) {
                steps.push(self.step_of_answer(answer, names));
            }
            let told: Vec<&MatchableEvent> = told.iter().filter(is_there).copied().collect();
            steps.extend(self.step_of_expectation(&told, names));
        }
        steps.extend(self.referee_step(to)?);
        Ok(steps)
    }

    /// The step of an answer.
    pub(super) fn step_of_answer(&self, answer: &Answer, names: &BTreeMap<usize, String>) -> OutputValue {
        let key = with_names(&answer.open, names, &self.session).replace('>', " > ");
        OutputValue::single_entry(&self.seat_key(answer.seat), OutputValue::from_value(&key))
    }

    /// The step that expects some events, if they can be written as patterns.
    pub(super) fn step_of_expectation(&self, told: &[&MatchableEvent], names: &BTreeMap<usize, String>) -> Option<OutputValue> {
        let labels = Labels::new(names.iter().map(|(piece, name)| (name.clone(), *piece)).collect());
        let labels = labels.with_keys(self.session.piece_keys());
        let patterns: Vec<OutputValue> = told
            .iter()
            .filter_map(|told| Pattern::text_for_event(told, &self.program, &labels))
            .map(|text| OutputValue::from_text(&text))
            .collect();
        (!patterns.is_empty()).then(|| OutputValue::single_entry("expect", OutputValue::List(patterns)))
    }

    /// The step that stops the referee at its open decision. A scenario that does not name the referee lets it rule as usual, and
    /// play would go on.
    pub(super) fn referee_step(&self, to: usize) -> Result<Option<OutputValue>, String> {
        let session = self.session_after(to).map_err(|problem| problem.message.to_string())?;
        let Some(referee) = self.program.referee_seat(self.setup.sides.len()) else { return Ok(None) };
        let Pending::Decisions(open) = session.pending() else { return Ok(None) };
        let Some(decision) = open.iter().find(|open| open.seat == referee) else { return Ok(None) };
        let key = session.option(decision.id, 0).map(|option| option.key.replace('>', " > "));
        let legal = |key: String| OutputValue::single_entry("legal", OutputValue::List(vec![OutputValue::from_text(&key)]));
        Ok(key.map(|key| OutputValue::single_entry("referee", legal(key))))
    }

    /// The key of a line of `play`: the number of a seat, or `referee`.
    fn seat_key(&self, seat: usize) -> String {
        let referee = self.program.referee_seat(self.setup.sides.len());
        if Some(seat) == referee { "referee".to_string() } else { seat.to_string() }
    }

    /// The lines of `then`: the counters that have changed from the step `since` to the step `to`, and the outcome.
    pub(super) fn ending_entries(&self, since: usize, to: usize) -> Result<Vec<(String, OutputValue)>, String> {
        let before = self.side_counters(&self.session_after(since).map_err(|problem| problem.message.to_string())?);
        let session = self.session_after(to).map_err(|problem| problem.message.to_string())?;
        let after = self.side_counters(&session);
        let changed = |(side, counters): (usize, &BTreeMap<String, String>)| {
            let is_new =
                |(name, value): &(&String, &String)| before.get(side).and_then(|before| before.get(*name)) != Some(*value);
            let entries: Vec<(String, OutputValue)> =
                counters.iter().filter(is_new).map(|(name, value)| (name.clone(), OutputValue::from_value(value))).collect();
            match entries.is_empty() {
                true => OutputValue::Map(Vec::new()),
                false => OutputValue::single_entry("counters", OutputValue::Map(entries)),
            }
        };
        let sides: Vec<OutputValue> = after.iter().enumerate().map(changed).collect();
        let mut ending = Vec::new();
        if sides.iter().any(|side| *side != OutputValue::Map(Vec::new())) {
            ending.push(("sides".to_string(), OutputValue::List(sides)));
        }
        ending.push((
            "outcome".to_string(),
            match session.pending() {
                Pending::Finished(outcome) if !self.resigned => outcome_value(outcome),
                _ => OutputValue::from_text("none"),
            },
        ));
        Ok(ending)
    }

    /// The counters of each side, without those of several entrants.
    fn side_counters(&self, session: &Session) -> Vec<BTreeMap<String, String>> {
        session.view(Viewer::Trusted).sides.into_iter().map(|side| side.counters).collect()
    }
}

/// Steps as a list, one below the other.
pub(super) fn steps_below(steps: &[OutputValue], indent: usize) -> String {
    let line = |step: &OutputValue| format!("{}- {}", " ".repeat(indent), step.block_text(indent + 2).trim_start());
    steps.iter().map(line).collect()
}

/// The result as scenarios write it.
fn outcome_value(outcome: &Outcome) -> OutputValue {
    match outcome.winners.as_slice() {
        [] => OutputValue::from_text(scenario::result_word(outcome)),
        [winner] => OutputValue::single_entry("winner", OutputValue::from_number(*winner as i64)),
        winners => OutputValue::single_entry(
            "winners",
            OutputValue::List(winners.iter().map(|winner| OutputValue::from_number(*winner as i64)).collect()),
        ),
    }
}

/// The open decisions: the seat, the prompt and the number of options.
fn open_questions(session: &Session) -> BTreeSet<(usize, String, u64)> {
    match session.pending() {
        Pending::Decisions(open) => open.iter().map(|open| (open.seat, session.prompt(open.id), open.count)).collect(),
        Pending::Random(_) | Pending::Finished(_) => BTreeSet::new(),
    }
}

/// A key as a scenario writes it: each marked number (see [`MARKS`]) is replaced by the name of its piece or, without one, by
/// the piece's key.
fn with_names(open: &str, names: &BTreeMap<usize, String>, session: &Session) -> String {
    let mut parts = open.split(MARKS[0]);
    let mut key = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let (number, rest) = part.split_once(MARKS[1]).unwrap_or((part, ""));
        let number: usize = number.parse().unwrap_or_default();
        key.push_str(&names.get(&number).cloned().unwrap_or_else(|| session.key_of_own(number)));
        key.push_str(rest);
    }
    key
}
