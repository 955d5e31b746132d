//! The text of a scenario or a position, and the check that it leads to the right state.

use super::names::names;
use super::story::{Answer, Beginning, MARKS, Step, Story, choose};
use crate::scenario::{self, Labels, Pattern, Told, is_answer, is_frame};
use ludex_engine::codes;
use ludex_engine::position::Position;
use ludex_engine::problem::Problem;
use ludex_engine::runtime::{Dice, Entered, Outcome, Pending, Session, Setup, Viewer};
use ludex_engine::source::SourceId;
use ludex_engine::yaml::{self, Written};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of entries tried, the last first, before a scenario starts at the beginning.
const MOST_TRIED: usize = 12;
/// Maximum number of events expected after an answer; uses of abilities are always expected.
const MOST_EXPECTED: usize = 8;

/// The start of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// The start of play.
    Beginning,
    /// The last entry of the rules before the end of this step.
    Step(usize),
}

/// A scenario that passes.
pub struct ToldScenario {
    pub text: String,
    /// The reason that it starts earlier than requested, if it does.
    pub why_earlier: Option<String>,
}

/// A position from which play goes on as it did.
pub struct ToldPosition {
    pub text: String,
    /// `turn(active: 0)`
    pub at: String,
    /// The number of answers since then.
    pub answers: usize,
}

/// The place where the text starts.
struct Origin<'s> {
    /// `None` for the start of play.
    entered: Option<&'s Entered>,
    /// The first step whose answer is part of the text.
    first: usize,
}

impl Story {
    /// Writes a scenario of the play up to the end of a step.
    pub fn scenario(&self, name: &str, from: From, to: usize) -> Result<ToldScenario, Problem> {
        let mut why_earlier = None;
        let wanted = match from {
            From::Beginning => Vec::new(),
            From::Step(step) => self.origins(step.min(to)),
        };
        if wanted.is_empty() && from != From::Beginning {
            why_earlier = Some("no `entry` of the rules had begun by then".to_string());
        }
        for origin in &wanted {
            match self.scenario_from(name, origin, to) {
                Ok(text) => return Ok(ToldScenario { text, why_earlier }),
                Err(why) => why_earlier = why_earlier.or(Some(why)),
            }
        }
        let origin = Origin { entered: None, first: 1 };
        match self.scenario_from(name, &origin, to) {
            Ok(text) => Ok(ToldScenario { text, why_earlier }),
            Err(why) => Err(Problem::error(codes::SCENARIO_STATE, format!("this game cannot be written as a scenario: {why}"))),
        }
    }

    /// Writes the position at the last entry before the end of a step from which play goes on as it did.
    pub fn position(&self, step: usize) -> Result<ToldPosition, Problem> {
        let mut why = None;
        for origin in self.origins(step) {
            let Some(entered) = origin.entered else { continue };
            let given = names(&self.session, &self.session.given_pieces(entered));
            let tried = self.named_in(&origin, step).and_then(|(named, written)| {
                self.leads_on(&written, &origin, &named, step)?;
                self.session.written_at(entered, &given)
            });
            match tried {
                Ok(written) => {
                    let Written::Map(lines) = written else { continue };
                    let at = lines.iter().find(|(key, _)| key == "at").map(|(_, at)| at.inline()).unwrap_or_default();
                    let mut map = vec![("ludex-position".to_string(), Written::number(1))];
                    map.push(("game".to_string(), Written::text(&self.program.game)));
                    map.extend(self.heading());
                    map.extend(lines);
                    return Ok(ToldPosition { text: Written::Map(map).block(0), at, answers: step + 1 - origin.first });
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

    /// The position with a name for each piece that later answers name, to check that play goes on from there.
    fn named_in(&self, origin: &Origin, to: usize) -> Result<(BTreeMap<usize, String>, Written), String> {
        let Some(entered) = origin.entered else { return Ok((BTreeMap::new(), Written::Map(Vec::new()))) };
        let answers = self.steps.iter().take(to + 1).skip(origin.first).filter_map(|step| step.given.as_ref());
        let mut pieces = self.session.given_pieces(entered);
        pieces.extend(answers.flat_map(|answer| answer.pieces.iter().copied()));
        let named = self.names_of(pieces, entered);
        let written = self.session.written_at(entered, &named)?;
        Ok((named, written))
    }

    /// Names for those of some pieces that existed when an entry began.
    fn names_of(&self, mut pieces: BTreeSet<usize>, entered: &Entered) -> BTreeMap<usize, String> {
        pieces.retain(|piece| *piece < self.session.pieces_before(entered));
        names(&self.session, &pieces)
    }

    /// The possible starts of a text about the play up to the end of a step, the latest first.
    fn origins(&self, step: usize) -> Vec<Origin<'_>> {
        let begun = self.steps.get(step).map_or(0, |step| step.entered);
        let entered = self.session.entered().iter().take(begun).enumerate().rev().take(MOST_TRIED);
        let first = |place: usize| self.steps.iter().position(|step| step.entered > place).unwrap_or(0) + 1;
        entered.map(|(place, entered)| Origin { entered: Some(entered), first: first(place) }).collect()
    }

    // --- comparison ----------------------------------------------------------------------------

    /// Checks that play from a position gives the same events.
    fn leads_on(&self, written: &Written, origin: &Origin, names: &BTreeMap<usize, String>, to: usize) -> Result<(), String> {
        let Some(entered) = origin.entered else { return Ok(()) };
        let (node, mut problems) = yaml::read(&written.block(0), SourceId(0));
        let position = node.and_then(|node| Position::read(&node, &self.program, &mut problems));
        let Some(position) = position else {
            return Err(problems
                .first()
                .map_or("a position cannot describe this state".to_string(), |problem| problem.message.to_string()));
        };
        let setup =
            Setup { position: Some(position), dice: Dice::Listed(self.results(origin, to).to_vec()), ..self.setup.clone() };
        let mut session = Session::start(self.program.clone(), &setup).map_err(|problem| problem.message.to_string())?;
        let differs = || "play would go on differently from there".to_string();
        if !session.began_as(entered) {
            return Err("a position cannot describe all of this state".to_string());
        }
        for (place, step) in self.steps.iter().enumerate().take(to + 1).skip(origin.first - 1) {
            if let Some(answer) = step.given.as_ref().filter(|_| place >= origin.first) {
                let key = with_names(&answer.open, names, &self.session);
                choose(&mut session, answer.seat, &key).map_err(|_| differs())?;
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
            && asked(&session) == asked(&self.session_after(to).map_err(|problem| problem.message.to_string())?)
        {
            return Ok(());
        }
        Err(differs())
    }

    fn results(&self, origin: &Origin, to: usize) -> &[i64] {
        let Dice::Listed(results) = &self.setup.dice else { return &[] };
        let from = origin.entered.map_or(0, |entered| entered.results);
        let end = self.steps.get(to).map_or(results.len(), |step| step.results);
        results.get(from..end).unwrap_or_default()
    }

    // --- text ------------------------------------------------------------------------------------

    /// The mode and the options that differ from their defaults.
    fn heading(&self) -> Vec<(String, Written)> {
        let mut heading = Vec::new();
        if self.program.modes.iter().any(|mode| mode.name == self.program.mode) {
            heading.push(("mode".to_string(), Written::text(&self.program.mode)));
        }
        let chosen = self.program.options.iter().filter(|option| option.value != option.default);
        let chosen: Vec<(String, Written)> =
            chosen.map(|option| (option.name.clone(), Written::value(&option.shown(option.value)))).collect();
        if !chosen.is_empty() {
            heading.push(("options".to_string(), Written::Map(chosen)));
        }
        heading
    }

    fn start(&self, origin: &Origin, names: &BTreeMap<usize, String>) -> Result<(String, Written), String> {
        let mut map = self.heading();
        if let Some(entered) = origin.entered {
            let written = self.session.written_at(entered, names)?;
            if let Written::Map(lines) = written {
                map.extend(lines);
            }
            return Ok(("position".to_string(), Written::Map(map)));
        }
        if let Beginning::Position(Written::Map(lines)) = &self.beginning {
            map.extend(lines.iter().cloned());
            return Ok(("position".to_string(), Written::Map(map)));
        }
        let brings = self.program.sides.entrant.is_some() || self.program.sides.least != self.program.sides.most;
        if brings {
            let side = |ids: &Vec<String>| Written::List(ids.iter().map(|id| Written::text(id)).collect());
            map.push(("sides".to_string(), Written::List(self.setup.sides.iter().map(side).collect())));
        }
        Ok(("start".to_string(), Written::Map(map)))
    }

    fn scenario_from(&self, name: &str, origin: &Origin, to: usize) -> Result<String, String> {
        let told = self.told(origin, to);
        let names = match origin.entered {
            Some(entered) => {
                let mut pieces = self.session.given_pieces(entered);
                pieces.extend(told.iter().flat_map(|(step, told)| {
                    let own = step.given.as_ref().map(|answer| answer.pieces.clone()).unwrap_or_default();
                    own.into_iter().chain(told.iter().flat_map(|told| told.pieces()))
                }));
                self.names_of(pieces, entered)
            }
            None => BTreeMap::new(),
        };
        let start = self.start(origin, &names)?;
        if origin.entered.is_some() {
            self.leads_on(&start.1, origin, &names, to)?;
        }
        let play = self.play(&told, origin, &names, to)?;
        let text = |ending: Vec<(String, Written)>| {
            let mut lines =
                vec![("name".to_string(), Written::text(name)), ("game".to_string(), Written::text(&self.program.game))];
            lines.push(start.clone());
            let random: Vec<Written> = self.results(origin, to).iter().map(|result| Written::number(*result)).collect();
            if !random.is_empty() {
                lines.push(("random".to_string(), Written::List(random)));
            }
            let mut text = Written::Map(lines).block(2);
            if !play.is_empty() {
                text.push_str(&format!("  play:\n{}", steps_below(&play, 4)));
            }
            if !ending.is_empty() {
                text.push_str(&Written::entry("then", Written::Map(ending)).block(2));
            }
            format!("- {}", text.trim_start())
        };
        let full = text(self.ending(origin.first - 1, to)?);
        match scenario::passes(&self.program, &full) {
            Ok(()) => Ok(full),
            Err(problem) => Err(problem.message.to_string()),
        }
    }

    /// The notable events of each step.
    fn told(&self, origin: &Origin, to: usize) -> Vec<(&Step, Vec<&Told>)> {
        let steps = self.steps.iter().take(to + 1).skip(origin.first - 1);
        let since = origin.entered.map_or(0, |entered| entered.events);
        steps
            .map(|step| (step, self.worth_telling(step.told.iter().filter(|(number, _)| *number > since).map(|(_, told)| told))))
            .collect()
    }

    /// The notable events: those named by the rules, and rolls, uses, sayings and the end. If there are none, all events.
    pub(super) fn worth_telling<'t>(&self, told: impl Iterator<Item = &'t Told>) -> Vec<&'t Told> {
        let counts = |told: &&Told| !is_frame(&told.kind) && !is_answer(&told.kind) && told.kind != "shuffled";
        let all: Vec<&Told> = told.filter(counts).collect();
        let is_main = |told: &&Told| {
            ["rolled", "rolled_pool", "used", "said", "finished"].contains(&told.kind.as_str())
                || self.program.event_names.contains(&told.kind)
        };
        let main: Vec<&Told> = all.iter().copied().filter(is_main).collect();
        let chosen = if main.is_empty() { all } else { main };
        let in_order = chosen.into_iter().enumerate();
        in_order.filter(|(place, told)| *place < MOST_EXPECTED || told.kind == "used").map(|(_, told)| told).collect()
    }

    /// The lines of `play`.
    fn play(
        &self,
        told: &[(&Step, Vec<&Told>)],
        origin: &Origin,
        names: &BTreeMap<usize, String>,
        to: usize,
    ) -> Result<Vec<Written>, String> {
        let there = origin.entered.map_or(usize::MAX, |entered| self.session.pieces_before(entered));
        let is_there = |told: &&&Told| told.pieces().all(|piece| piece < there || origin.entered.is_none());
        let mut steps = Vec::new();
        for (place, (step, told)) in told.iter().enumerate() {
            if let Some(answer) = step.given.as_ref().filter(|_| place > 0) {
                steps.push(self.answered(answer, names));
            }
            let told: Vec<&Told> = told.iter().filter(is_there).copied().collect();
            steps.extend(self.expected(&told, names));
        }
        steps.extend(self.asked_of_referee(to)?);
        Ok(steps)
    }

    /// The step of an answer.
    pub(super) fn answered(&self, answer: &Answer, names: &BTreeMap<usize, String>) -> Written {
        let key = with_names(&answer.open, names, &self.session).replace('>', " > ");
        Written::entry(&self.who(answer.seat), Written::value(&key))
    }

    /// The step that expects some events, if they can be written as patterns.
    pub(super) fn expected(&self, told: &[&Told], names: &BTreeMap<usize, String>) -> Option<Written> {
        let labels = Labels::new(names.iter().map(|(piece, name)| (name.clone(), *piece)).collect());
        let labels = labels.with_keys(self.session.piece_keys());
        let patterns: Vec<Written> =
            told.iter().filter_map(|told| Pattern::of(told, &self.program, &labels)).map(|text| Written::text(&text)).collect();
        (!patterns.is_empty()).then(|| Written::entry("expect", Written::List(patterns)))
    }

    /// The step that stops the referee at its open decision. A scenario that does not name the referee lets it rule as usual, and
    /// play would go on.
    pub(super) fn asked_of_referee(&self, to: usize) -> Result<Option<Written>, String> {
        let session = self.session_after(to).map_err(|problem| problem.message.to_string())?;
        let Some(referee) = self.program.referee_seat(self.setup.sides.len()) else { return Ok(None) };
        let Pending::Decisions(open) = session.pending() else { return Ok(None) };
        let Some(decision) = open.iter().find(|open| open.seat == referee) else { return Ok(None) };
        let key = session.option(decision.id, 0).map(|option| option.key.replace('>', " > "));
        let legal = |key: String| Written::entry("legal", Written::List(vec![Written::text(&key)]));
        Ok(key.map(|key| Written::entry("referee", legal(key))))
    }

    fn who(&self, seat: usize) -> String {
        let referee = self.program.referee_seat(self.setup.sides.len());
        if Some(seat) == referee { "referee".to_string() } else { seat.to_string() }
    }

    /// The outcome, and the counters that have changed since a step.
    pub(super) fn ending(&self, since: usize, to: usize) -> Result<Vec<(String, Written)>, String> {
        let before = self.counters(&self.session_after(since).map_err(|problem| problem.message.to_string())?);
        let session = self.session_after(to).map_err(|problem| problem.message.to_string())?;
        let after = self.counters(&session);
        let changed = |(side, counters): (usize, &BTreeMap<String, String>)| {
            let is_new =
                |(name, value): &(&String, &String)| before.get(side).and_then(|before| before.get(*name)) != Some(*value);
            let entries: Vec<(String, Written)> =
                counters.iter().filter(is_new).map(|(name, value)| (name.clone(), Written::value(value))).collect();
            match entries.is_empty() {
                true => Written::Map(Vec::new()),
                false => Written::entry("counters", Written::Map(entries)),
            }
        };
        let sides: Vec<Written> = after.iter().enumerate().map(changed).collect();
        let mut ending = Vec::new();
        if sides.iter().any(|side| *side != Written::Map(Vec::new())) {
            ending.push(("sides".to_string(), Written::List(sides)));
        }
        ending.push((
            "outcome".to_string(),
            match session.pending() {
                Pending::Finished(outcome) if !self.resigned => won(outcome),
                _ => Written::text("none"),
            },
        ));
        Ok(ending)
    }

    /// The counters of each side, without those of several entrants.
    fn counters(&self, session: &Session) -> Vec<BTreeMap<String, String>> {
        session.view(Viewer::Trusted).sides.into_iter().map(|side| side.counters).collect()
    }
}

/// Steps as a list, one below the other.
pub(super) fn steps_below(steps: &[Written], indent: usize) -> String {
    let line = |step: &Written| format!("{}- {}", " ".repeat(indent), step.block(indent + 2).trim_start());
    steps.iter().map(line).collect()
}

fn won(outcome: &Outcome) -> Written {
    match outcome.winners.as_slice() {
        [] => Written::text(scenario::result(outcome)),
        [winner] => Written::entry("winner", Written::number(*winner as i64)),
        winners => {
            Written::entry("winners", Written::List(winners.iter().map(|winner| Written::number(*winner as i64)).collect()))
        }
    }
}

/// The open decisions: the seat, the prompt and the number of options.
fn asked(session: &Session) -> BTreeSet<(usize, String, u64)> {
    match session.pending() {
        Pending::Decisions(open) => open.iter().map(|open| (open.seat, session.prompt(open.id), open.count)).collect(),
        Pending::Random(_) | Pending::Finished(_) => BTreeSet::new(),
    }
}

/// A key with each marked number replaced by the name of its piece or, without one, by the piece's key.
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
