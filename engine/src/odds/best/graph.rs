//! The graph of everything that can happen while players decide: each state once, with its successors.
//!
//! A state is the whole machine. States are equal if they agree in everything that is read later. The rounds of long loops are
//! not counted, and `caps` bounds the influence of their caps.
//!
//! A *decision* is the question that a side must answer next; its *group* is set if several sides answer in secret at the same
//! time. The states get numbers in the order in which they are found. A *policy* is a way to choose moves that the rules declare.

use crate::odds::OddsQuery;
use crate::odds::best::draws::Draws;
use crate::odds::best::rounds::Rounds;
use crate::odds::budget::{Budget, Trouble};
use crate::odds::chain::Cases;
use ludex_syntax::codes;

use crate::odds::search::{Search, Settings, WORK_OF_RUN};
use crate::odds::slots::LiveSlots;
use crate::odds::states::{Key, KeyMaker};
use crate::odds::weight::{Denominator, Weight};
use crate::runtime::Pending;
use crate::runtime::decision::{Choice, Decision};
use crate::runtime::eval::meter::Meter;
use crate::runtime::session::Session;
use crate::runtime::session::policy::default_answer;
use crate::runtime::view::Viewer;
use foldhash::fast::FixedState;
use ludex_program::{Address, ProcedureId, Value};
use ludex_syntax::problem::Problem;
use num_bigint::BigUint;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// The successor of an answer that was not followed, because it does not matter.
pub const NOT_FOLLOWED: u32 = u32::MAX;

/// Maximum number of states.
const MOST_NODES: usize = 20_000_000;

/// Maximum number of ways in which a policy with chances may decide one question.
const MOST_DRAWS: usize = 10_000;

/// A state with its successors.
#[derive(Debug)]
pub enum Node {
    /// Not examined yet.
    Open,
    /// The end, with the number of its value.
    End(u32),
    /// Chance decides.
    Chance { to: Box<[u32]>, cases: Rc<Cases> },
    /// A player decides: the successor of each answer, in the order of `Answers::list_answers`.
    Question { seat: usize, to: Box<[u32]> },
}

impl Node {
    /// The successors; [`NOT_FOLLOWED`] for answers that were not examined.
    pub fn successor_states(&self) -> &[u32] {
        match self {
            Node::Chance { to, .. } | Node::Question { to, .. } => to,
            Node::End(_) | Node::Open => &[],
        }
    }
}

/// The states; the first is the start.
#[derive(Default)]
pub struct Graph {
    pub nodes: Vec<Node>,
    /// The possible values.
    pub ends: Vec<Vec<Value>>,
    /// The seats that are asked.
    pub deciders: BTreeSet<usize>,
    /// Whether all ends have the same total value for all sides together.
    pub is_constant_sum: bool,
    pub rounds: Rounds,
    /// For each state, the loops with uncounted rounds that it is in, as a bitmask.
    pub inside: Vec<u64>,
    /// For each state, the loops in which a round may have begun right before it, as a bitmask.
    pub begun: Vec<u64>,
}

impl Graph {
    /// Whether play may return to a state at once.
    pub fn leads_to_itself(&self, state: u32) -> bool {
        self.nodes[state as usize].successor_states().contains(&state)
    }
}

/// Follows play from state to state.
pub struct Explorer<'a> {
    pub search: Search<'a>,
    asked: &'a OddsQuery,
    keys: KeyMaker,
    /// The number of each state, by its key.
    numbers: HashMap<Key, u32, FixedState>,
    /// The number of the state for each final value.
    ends: BTreeMap<Vec<Value>, u32>,
    /// The states still to be expanded, with sessions that are in them.
    waiting: Vec<(u32, Session)>,
    graph: Graph,
    /// The view of each seat at a question, if anything is hidden: equal views must come from the same state.
    seen: HashMap<(usize, String), u32, FixedState>,
    /// The total value of the ends of a match for all sides together.
    total: Option<i64>,
    /// The parts of the graph to explore.
    scope: Scope<'a>,
}

/// The parts of the graph to explore.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Scope<'a> {
    /// Rounds of long loops are counted.
    pub counts_rounds: bool,
    /// Other answers are followed even if one wins for certain.
    pub follows_all: bool,
    /// The seat that decides by a policy of the rules, if any.
    pub policy: Option<(usize, &'a str)>,
}

impl<'a> Explorer<'a> {
    /// Prepares the exploration of a query without stops, within a scope.
    pub fn new(asked: &'a OddsQuery, budget: Budget, scope: Scope<'a>) -> Explorer<'a> {
        let rounds = if scope.counts_rounds { Rounds::default() } else { Rounds::from_program(&asked.game.program) };
        let graph = Graph { rounds, is_constant_sum: true, ..Graph::default() };
        Explorer {
            search: Search::new(asked, budget, Settings::default()),
            asked,
            keys: KeyMaker::new(&asked.game, asked.start.state.board.clone(), usize::from(!asked.is_match)),
            numbers: HashMap::default(),
            ends: BTreeMap::new(),
            waiting: Vec::new(),
            graph,
            seen: HashMap::default(),
            total: None,
            scope,
        }
    }

    /// Explores everything. Each state is examined once.
    pub fn explore(&mut self) -> Result<Graph, Trouble> {
        let start = self.asked.start_session().map_err(Trouble::Problem)?;
        self.number_state(start)?;
        while let Some((state, session)) = self.waiting.pop() {
            let node = self.expand_state(state, &session)?;
            if let Node::Chance { to, .. } | Node::Question { to, .. } = &node {
                self.search.budget.reserve_bytes(to.len() * 4 + 64)?;
            }
            self.graph.nodes[state as usize] = node;
        }
        Ok(std::mem::take(&mut self.graph))
    }

    /// The slots of a procedure that are read after an address.
    pub fn memory_at(&mut self, procedure: ProcedureId, at: Address) -> &LiveSlots {
        self.keys.memory_at(&self.asked.game.program, procedure, at)
    }

    /// The number of the state that a session has reached. A new state is expanded later.
    fn number_state(&mut self, mut session: Session) -> Result<u32, Trouble> {
        if let Some(value) = self.asked.value_at_end(session.machine())? {
            self.note_total(&session);
            let graph = &mut self.graph;
            let number = *self.ends.entry(value.clone()).or_insert_with(|| {
                graph.ends.push(value);
                graph.nodes.push(Node::End(graph.ends.len() as u32 - 1));
                graph.inside.push(0);
                graph.begun.push(0);
                graph.nodes.len() as u32 - 1
            });
            return Ok(number);
        }
        let machine = session.machine_mut();
        machine.meter = Meter::default();
        let (inside, begun) = self.graph.rounds.reset_counters(machine);
        let mut key = self.keys.state_key(&self.asked.game.program, session.machine());
        // An answer may wait for a shuffled zone to be dealt; then it is part of the state.
        if let Some(awaited) = session.awaited_answer() {
            key = key.iter().copied().chain(awaited.bytes()).collect();
        }
        let next = self.graph.nodes.len();
        self.search.budget.reserve_bytes(key.len() + 100)?;
        let number = *self.numbers.entry(key).or_insert(next as u32);
        if number as usize == next {
            if next >= MOST_NODES {
                return Err(Trouble::TooMuch);
            }
            self.graph.nodes.push(Node::Open);
            self.graph.inside.push(inside);
            self.graph.begun.push(0);
            self.waiting.push((number, session));
        }
        self.graph.begun[number as usize] |= begun;
        Ok(number)
    }

    /// Notes whether the total of the payoffs stays the same: only then does one side lose what another wins.
    fn note_total(&mut self, session: &Session) {
        let finish = session.machine().state.finished.as_ref();
        let Some(payoffs) = finish.and_then(|finish| finish.payoffs.as_ref()).filter(|_| self.asked.is_match) else { return };
        let total = payoffs.iter().map(|payoff| payoff.half_count()).sum();
        self.graph.is_constant_sum &= *self.total.get_or_insert(total) == total;
    }

    /// Returns a state's node with its successors.
    fn expand_state(&mut self, state: u32, session: &Session) -> Result<Node, Trouble> {
        let decision = match session.pending() {
            Pending::Random(_) => return self.expand_throw(session),
            Pending::Decisions([decision, ..]) => decision.clone(),
            _ => return Err(Trouble::TooMuch),
        };
        self.graph.deciders.insert(decision.seat);
        self.check_sight(state, session, &decision)?;
        if let Some((_, policy)) = self.scope.policy.filter(|(seat, _)| *seat == decision.seat) {
            return self.expand_policy(session, &decision, policy);
        }
        let answers = decision.answers();
        let count = u64::try_from(answers.count_answers()).unwrap_or(u64::MAX);
        self.search.budget.spend_work(count.saturating_mul(WORK_OF_RUN))?;
        let mut next = Vec::with_capacity(count as usize);
        for answer in answers.list_answers() {
            let mut session = session.clone();
            session.choose(decision.id, answer).map_err(Trouble::Problem)?;
            if !self.scope.follows_all && self.has_best_value(decision.seat, &session)? {
                // No answer is better, so the others do not matter.
                let mut to = vec![NOT_FOLLOWED; count as usize];
                to[next.len()] = self.number_state(session)?;
                return Ok(Node::Question { seat: decision.seat, to: to.into() });
            }
            next.push(session);
        }
        let to = next.into_iter().map(|session| self.number_state(session)).collect::<Result<_, _>>()?;
        Ok(Node::Question { seat: decision.seat, to })
    }

    /// Whether a session has reached the best possible value for a seat. False if it is not known yet which value that is.
    fn has_best_value(&self, seat: usize, session: &Session) -> Result<bool, Trouble> {
        let Some((least, most)) = self.asked.bounds else { return Ok(false) };
        let Some(value) = self.asked.value_at_end(session.machine())? else { return Ok(false) };
        // Seat 0 maximises if it decides at all. Another seat is only certain to minimise if seat 0 decides too, or in a match.
        let best = if seat == 0 { most } else { least };
        let is_known = seat == 0 || self.asked.is_match || self.graph.deciders.contains(&0);
        Ok(is_known && value == [best])
    }

    /// Returns the node of a state that waits for results of chance.
    fn expand_throw(&mut self, session: &Session) -> Result<Node, Trouble> {
        let throw = self.search.find_throw_for_machine(session.machine())?;
        let mut to = Vec::with_capacity(throw.results.len());
        for results in &throw.results {
            self.search.budget.spend_work(WORK_OF_RUN)?;
            let mut session = session.clone();
            session.supply(results).map_err(Trouble::Problem)?;
            to.push(self.number_state(session)?);
        }
        Ok(Node::Chance { to: to.into(), cases: Rc::clone(&throw.cases) })
    }

    /// Returns the node of a decision that a policy makes, perhaps by chance: each of its answers with its probability.
    fn expand_policy(&mut self, session: &Session, decision: &Decision, policy: &str) -> Result<Node, Trouble> {
        let mut chances: Vec<(Choice, Weight)> = Vec::new();
        let mut draws = Draws::default();
        for _ in 0..MOST_DRAWS {
            self.search.budget.spend_work(WORK_OF_RUN)?;
            let choice =
                session.preferred_move(decision.id, policy, &mut draws).unwrap_or_else(|| default_answer(session, decision));
            let factors = &mut self.search.factors;
            let of = draws
                .limits
                .iter()
                .fold(Denominator::default(), |of, limit| of.times(&factors.factor_number(&BigUint::from(*limit))));
            let place = chances.iter().position(|(known, _)| *known == choice).unwrap_or_else(|| {
                chances.push((choice, Weight::default()));
                chances.len() - 1
            });
            factors.add_share(&mut chances[place].1, &BigUint::from(1u8), &of);
            if !draws.next_combination() {
                let (choices, weights): (Vec<Choice>, Vec<Weight>) = chances.into_iter().unzip();
                let (ways, of) = self.search.factors.over_common_denominator(&weights);
                let cases = Rc::new(Cases::new(ways, of, &self.search.factors));
                let to = choices.into_iter().map(|choice| {
                    let mut session = session.clone();
                    session.choose(decision.id, choice).map_err(Trouble::Problem)?;
                    self.number_state(session)
                });
                return Ok(Node::Chance { to: to.collect::<Result<_, _>>()?, cases });
            }
        }
        Err(Trouble::TooMuch)
    }

    /// Refuses a question whose seat cannot tell its state from another one. If two states look the same to it, best play would
    /// use hidden information.
    fn check_sight(&mut self, state: u32, session: &Session, decision: &Decision) -> Result<(), Trouble> {
        // Only hidden things, and answers given in secret at the same time, can make two states look the same.
        if !self.asked.game.program.hides && decision.group.is_none() {
            return Ok(());
        }
        let view = session.view(Viewer::Seat(decision.seat));
        let view = serde_json::to_string(&view).unwrap_or_default();
        let options: Vec<String> = session.options(decision.id, 0, MOST_COMPARED).into_iter().map(|option| option.key).collect();
        let known =
            self.seen.entry((decision.seat, format!("{}\n{view}\n{options:?}", session.prompt(decision.id)))).or_insert(state);
        if *known == state {
            return Ok(());
        }
        let who = session.side_name(decision.seat);
        let message = format!("{who} is asked here and does not see everything that matters");
        let problem = Problem::error(codes::ODDS_QUESTION, message);
        let problem = problem.help("best play needs players who see everything: hidden hands, an order that others know, and secret answers are not supported");
        Err(self.asked.with_frame_place(problem, session.machine(), "the question").into())
    }
}

/// Maximum number of options compared to find out whether two questions look the same.
const MOST_COMPARED: u64 = 1_000;
