//! The decision table of best play: the questions that are reached, with the value of each answer.
//!
//! A *state* is a node of the graph, by its number. A *pick* is the index of the best answer to a question, and a *ring* a group
//! of states that lead to each other. Sessions are played again here, because the graph keeps only keys. `best` shows the rows.

use crate::odds::OddsQuery;
use crate::odds::best::graph::{NOT_FOLLOWED, Node};
use crate::odds::best::solution::Solution;
use crate::odds::budget::Trouble;
use crate::odds::slots::LiveSlots;
use crate::odds::stops::round_at;
use crate::runtime::Pending;
use crate::runtime::decision::{Choice, Decision};
use crate::runtime::session::Session;
use crate::runtime::state::FrameRole;
use crate::runtime::view::{PieceInZone, View, Viewer, ZoneView};
use indexmap::IndexMap;
use ludex_program::{Address, NONE, Program, Slot, Value};
use std::collections::BTreeMap;

/// The rows wanted in the decision table.
#[derive(Clone, Copy, Debug)]
pub enum Rows {
    /// The likeliest questions, up to this number.
    Likeliest(usize),
    /// All questions reached under best play.
    All,
}

/// A question in some state.
#[derive(Clone, Debug)]
pub struct Question {
    /// The side that is asked.
    pub side: String,
    /// The text of the question.
    pub prompt: String,
    /// The state at the time, by name, as far as it differs between questions.
    pub state: Vec<(String, String)>,
    /// How often it is reached under best play: a probability, if it is reached at most once.
    pub chance: f64,
    /// The answers, the best first.
    pub answers: Vec<Answer>,
    /// Number of answers that were not examined, because the first is as good as possible.
    pub left_out: usize,
    /// Number of answers that are as good as the first, including the first.
    pub best: usize,
}

/// An answer to a question.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The answer in words.
    pub text: String,
    /// The value after it, if everyone plays as well as possible from then on.
    pub worth: f64,
}

impl Question {
    /// The loss to the asked side if it chooses the best of the worse answers; `None` if there are none.
    pub fn second_best_loss(&self) -> Option<f64> {
        let [best, .., second] = self.answers.get(..=self.best)? else { return None };
        Some((best.worth - second.worth).abs())
    }

    /// Whether another question has the same answers with the same values, apart from rounding.
    fn has_same_answers(&self, other: &Question) -> bool {
        /// An upper bound on all rounding errors together.
        const CLOSE: f64 = 1e-9;
        let is_same = |(one, other): (&Answer, &Answer)| {
            one.text == other.text && (one.worth - other.worth).abs() <= CLOSE * one.worth.abs().max(1.0)
        };
        let (own, others) = (&self.answers, &other.answers);
        own.len() == others.len() && self.best == other.best && own.iter().zip(others).all(is_same)
    }
}

/// Maximum number of questions examined if only the likeliest are wanted.
const MOST_LOOKED_AT: usize = 20_000;

impl Solution<'_> {
    /// The questions reached under best play, the likeliest first. Questions that look the same are merged. `asked` is the query
    /// that the solution is for.
    pub fn reached_questions(&mut self, asked: &OddsQuery, rows: Rows) -> Result<Vec<Question>, Trouble> {
        let chances = self.reach_chances();
        let is_question = |state: &u32| matches!(self.graph.nodes[*state as usize], Node::Question { .. });
        let mut wanted: Vec<u32> =
            (0..chances.len() as u32).filter(|state| chances[*state as usize] > 0.0).filter(is_question).collect();
        if let Rows::Likeliest(_) = rows {
            wanted.sort_by(|one, other| chances[*other as usize].total_cmp(&chances[*one as usize]));
            wanted.truncate(MOST_LOOKED_AT);
        }
        wanted.sort_unstable();
        let mut merged: IndexMap<String, Question> = IndexMap::new();
        self.visit_questions(asked, |solved, state, session, decision| {
            if wanted.binary_search(&state).is_err() {
                return;
            }
            let question = solved.build_question(asked, state, session, decision, chances[state as usize]);
            // Their values may still differ, because not everything that matters is shown.
            let key = format!("{:?}", (&question.side, &question.prompt, &question.state, &question.answers));
            match merged.get_mut(&key) {
                Some(known) => known.chance += question.chance,
                None => drop(merged.insert(key, question)),
            }
        })?;
        let mut found = merge_rounds(merged.into_values().collect());
        remove_constant_columns(&mut found);
        found.sort_by(|one, other| other.chance.total_cmp(&one.chance));
        if let Rows::Likeliest(most) = rows {
            found.truncate(most);
        }
        Ok(found)
    }

    /// How often each state is reached under best play, on average. More than 1 is possible, because play may return to a state.
    fn reach_chances(&self) -> Vec<f64> {
        /// The remainder at which sweeps over a ring end.
        const LEFT: f64 = 1e-9;
        const MOST_SWEEPS: usize = 10_000;
        let count = self.graph.nodes.len();
        let (mut comes, mut total) = (vec![0.0f64; count], vec![0.0f64; count]);
        comes[0] = 1.0;
        for ring in self.order.iter().rev() {
            for _ in 0..MOST_SWEEPS {
                let mut left = 0.0;
                for state in ring.iter().rev() {
                    let at = *state as usize;
                    let chance = std::mem::take(&mut comes[at]);
                    total[at] += chance;
                    left += chance;
                    match &self.graph.nodes[at] {
                        Node::Chance { to, cases } => {
                            to.iter().zip(&cases.chances).for_each(|(to, part)| comes[*to as usize] += chance * part);
                        }
                        Node::Question { to, .. } => comes[to[self.values.picks[at] as usize] as usize] += chance,
                        Node::End(_) | Node::Open => {}
                    }
                }
                if ring.len() == 1 && !self.graph.leads_to_itself(ring[0]) || left < LEFT {
                    break;
                }
            }
        }
        total
    }

    /// Plays through all states reached under best play, and calls `visit` once for each question: with the number of its state,
    /// a session there, and the decision.
    fn visit_questions(
        &mut self,
        asked: &OddsQuery,
        mut visit: impl FnMut(&mut Self, u32, &Session, &Decision),
    ) -> Result<(), Trouble> {
        let mut is_seen = vec![false; self.graph.nodes.len()];
        let mut waiting = vec![(0u32, asked.start_session().map_err(Trouble::Problem)?)];
        is_seen[0] = true;
        while let Some((state, session)) = waiting.pop() {
            let mut go = |to: u32, next: &dyn Fn() -> Result<Session, Trouble>| {
                if !std::mem::replace(&mut is_seen[to as usize], true) {
                    let mut session = next()?;
                    session.machine_mut().meter = Default::default();
                    waiting.push((to, session));
                }
                Ok::<(), Trouble>(())
            };
            match &self.graph.nodes[state as usize] {
                Node::Chance { to, .. } => {
                    let throw = self.explorer.search.find_throw_for_machine(session.machine())?;
                    for (to, results) in to.iter().zip(&throw.results) {
                        let supplied = || {
                            let mut session = session.clone();
                            session.supply(results).map_err(Trouble::Problem)?;
                            Ok(session)
                        };
                        go(*to, &supplied)?;
                    }
                }
                Node::Question { to, .. } => {
                    let Pending::Decisions([decision, ..]) = session.pending() else { continue };
                    let pick = self.values.picks[state as usize] as usize;
                    let chosen = || {
                        let mut session = session.clone();
                        let Some(answer) = decision.answers().list_answers().nth(pick) else { return Err(Trouble::TooMuch) };
                        session.choose(decision.id, answer).map_err(Trouble::Problem)?;
                        Ok(session)
                    };
                    go(to[pick], &chosen)?;
                    let decision = decision.clone();
                    visit(self, state, &session, &decision);
                }
                Node::End(_) | Node::Open => {}
            }
        }
        Ok(())
    }

    /// The question in a state, with its answers. `chance` is how often it is reached.
    fn build_question(&mut self, asked: &OddsQuery, state: u32, session: &Session, decision: &Decision, chance: f64) -> Question {
        let facts = self.visible_facts(asked, session, decision.seat);
        let (graph, values) = (&self.graph, &self.values);
        let parts = asked.units_per_point();
        let mut answers: Vec<(u32, String)> = Vec::new();
        let mut left_out = 0;
        if let Node::Question { to, .. } = &graph.nodes[state as usize] {
            let pick = to[values.picks[state as usize] as usize];
            let (followed, choices): (Vec<u32>, Vec<Choice>) =
                to.iter().zip(decision.answers().list_answers()).filter(|(to, _)| **to != NOT_FOLLOWED).unzip();
            left_out = to.len() - followed.len();
            for answer in followed.into_iter().zip(session.answer_sentences(decision.id, &choices)) {
                if !answers.contains(&answer) {
                    answers.push(answer);
                }
            }
            let is_highest = self.sides.first() == Some(&decision.seat);
            let worth = |to: u32| if is_highest { -values.middle_value(to) } else { values.middle_value(to) };
            answers.sort_by(|one, other| worth(one.0).total_cmp(&worth(other.0)));
            // The best answer comes first among equals.
            answers.sort_by_key(|(to, _)| !values.are_equal(*to, pick, &self.explorer.search.factors));
            answers.sort_by_key(|(to, _)| *to != pick);
        }
        let first = answers.first().map_or(0, |(to, _)| *to);
        let best = answers.iter().filter(|(to, _)| values.are_equal(*to, first, &self.explorer.search.factors)).count();
        let answers = answers.into_iter().map(|(to, text)| Answer { text, worth: self.worth_of_state(to) / parts });
        Question {
            side: session.side_name(decision.seat),
            prompt: session.prompt(decision.id),
            state: facts,
            chance,
            answers: answers.collect(),
            left_out,
            best,
        }
    }

    /// The facts that a side sees at a question: named values of the rules, then the table.
    fn visible_facts(&mut self, asked: &OddsQuery, session: &Session, seat: usize) -> Vec<(String, String)> {
        let mut facts = self.named_locals(asked, session);
        let View { table, sides, .. } = session.view(Viewer::Seat(seat));
        let lists = |zones: BTreeMap<String, ZoneView>| zones.into_iter().map(|(name, zone)| (name, zone_pieces_text(&zone)));
        facts.extend(table.counters);
        facts.extend(lists(table.zones));
        for side in sides {
            let name = side.name;
            let own = |(fact, value): (String, String)| (format!("{name}: {fact}"), value);
            facts.extend(side.counters.into_iter().map(own));
            facts.extend(side.fields.into_iter().map(own));
            if !side.marks.is_empty() {
                facts.push((format!("{name}: marks"), side.marks.join(", ")));
            }
            facts.extend(lists(side.zones).map(own));
        }
        facts
    }

    /// Named values of the rules that are read later.
    fn named_locals(&mut self, asked: &OddsQuery, session: &Session) -> Vec<(String, String)> {
        let (program, machine) = (&asked.game.program, session.machine());
        let mut facts = Vec::new();
        for frame in machine.state.frames.iter().rev() {
            let FrameRole::Procedure { procedure, .. } = frame.role else { continue };
            let LiveSlots::Slots(slots) = self.explorer.memory_at(procedure, frame.at) else { continue };
            let held = program.slots_at(frame.at);
            for (slot, _) in slots {
                let value: Value = machine.read_slot(frame.base as usize, *slot);
                if value == NONE {
                    continue;
                }
                if counts_rounds(program, frame.at, *slot) {
                    facts.push((ROUND.to_string(), value.to_string()));
                }
                let named = held.get(slot).filter(|local| !local.name.is_empty() && !local.name.contains(' '));
                let Some(local) = named else { continue };
                facts.push((local.name.clone(), machine.describe_value(&asked.game.play_context(), value, &local.shape)));
            }
        }
        facts
    }
}

/// Whether a slot counts the rounds of a loop that is running at an address.
fn counts_rounds(program: &Program, at: Address, slot: Slot) -> bool {
    let mut loops = (0..program.code.len() as Address).filter_map(|step| round_at(program, step));
    loops.any(|(counter, _, round)| counter == slot && round.contains(&at))
}

/// The pieces of a zone in words, in a canonical order.
fn zone_pieces_text(zone: &ZoneView) -> String {
    let name = |piece: &PieceInZone| match piece.value {
        Some(value) => (piece.size, value, value.to_string()),
        None => (piece.size, 0, piece.display_name()),
    };
    match zone {
        ZoneView::Seen(pieces) => {
            let mut names: Vec<_> = pieces.iter().map(name).collect();
            names.sort();
            names.into_iter().map(|(.., name)| name).collect::<Vec<_>>().join(", ")
        }
        ZoneView::Hidden { count, .. } => format!("{count} hidden"),
    }
}

/// The name of the column for the round of a loop.
const ROUND: &str = "round";

/// Merges questions that differ only in the rounds of loops, if the rounds make no difference.
fn merge_rounds(questions: Vec<Question>) -> Vec<Question> {
    let mut merged: IndexMap<String, Question> = IndexMap::new();
    for question in &questions {
        let mut question = question.clone();
        question.state.retain(|(name, _)| name != ROUND);
        let key = format!("{:?}", (&question.side, &question.prompt, &question.state));
        match merged.get_mut(&key) {
            Some(known) if known.has_same_answers(&question) => known.chance += question.chance,
            Some(_) => return questions,
            None => drop(merged.insert(key, question)),
        }
    }
    merged.into_values().collect()
}

/// Removes columns that are the same for every question.
fn remove_constant_columns(questions: &mut [Question]) {
    let mut values: BTreeMap<String, Option<String>> = BTreeMap::new();
    for (place, question) in questions.iter().enumerate() {
        for (name, value) in &question.state {
            let known = values.entry(name.clone()).or_insert_with(|| (place == 0).then(|| value.clone()));
            if known.as_ref() != Some(value) {
                *known = None;
            }
        }
    }
    questions.iter_mut().for_each(|question| question.state.retain(|(name, _)| values.get(name).is_some_and(Option::is_none)));
}
