//! Plays random games, and replays the interesting stretches of each.
//!
//! A meeting is one opening of a hook, with the clauses that could act and did. A use is a clause with its owner. Two uses are
//! level if the rules leave their order open. Triggers act by themselves, so the engine gets another order; offers are used by
//! answers, so two answers are exchanged.

use super::pairs::{Audit, Clauses, Pair, clause_pair, possible_pairs};
use super::stretch::{self, Answer, ReplayEnd, ReplayStart, Stretch};
use crate::shared::map_parallel;
use crate::simulation::Plan;
use crate::work;
use ludex_bots::rng::{BotRng, derive_seed};
use ludex_engine::program::{ClauseKind, Program};
use ludex_engine::runtime::{ClauseUse, Meeting, Order, Pending, Session, have_equal_rank};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Maximum number of answers in a game. Longer games are abandoned.
const MOST_ANSWERS: usize = 2_000;
/// Maximum number of comparisons per pair in one game.
const MOST_COMPARED: u64 = 3;
/// Maximum number of answers since a hook was opened for a stretch to be replayed.
const LONGEST: usize = 60;

/// Plays the games of a plan between random players. `done` is called after each game. Possible pairs that never met are in the
/// result too.
pub fn audit_games(program: &Arc<Program>, plan: &Plan, done: &(dyn Fn() + Sync)) -> Audit {
    let games = map_parallel(0..plan.games as usize, |game| {
        let found = match work::is_stopped() {
            true => None,
            false => Some(AuditedGame::from_plan(program, plan, game as u64)),
        };
        done();
        found
    });
    let mut pairs: BTreeMap<Clauses, Pair> = possible_pairs(program).into_iter().map(|pair| (pair, Pair::default())).collect();
    let played = games.iter().flatten().count() as u64;
    for (pair, found) in games.into_iter().flatten().flat_map(|game| game.pairs) {
        pairs.entry(pair).or_default().add_findings(found);
    }
    Audit { game: program.game.clone(), mode: program.mode.clone(), games: played, seed: plan.seed, pairs }
}

/// One game.
struct AuditedGame<'p> {
    program: &'p Program,
    /// Its number in the plan.
    game: u64,
    pairs: BTreeMap<Clauses, Pair>,
    /// The answers given. Each has the use it made, if it answered the offers of a hook.
    answers: Vec<Answer>,
    offers: Vec<Option<(usize, ClauseUse)>>,
    /// For each opened hook, the state to replay from, and the number of answers and hooks before it.
    openings: Vec<Opening>,
    /// Closed hooks that were already examined.
    seen: BTreeSet<usize>,
}

/// The state before a hook was opened, and how many answers and meetings of the game came before that state.
#[derive(Clone)]
struct Opening {
    before: ReplayStart,
    answers: usize,
    meetings: usize,
}

impl<'p> AuditedGame<'p> {
    /// Plays one game with random answers, and examines its hooks after each. The history is dropped whenever no hook is open, so
    /// that games take little memory.
    fn from_plan(program: &'p Arc<Program>, plan: &Plan, game: u64) -> AuditedGame<'p> {
        let mut played = AuditedGame {
            program,
            game,
            pairs: BTreeMap::new(),
            answers: Vec::new(),
            offers: Vec::new(),
            openings: Vec::new(),
            seen: BTreeSet::new(),
        };
        let mut setup = plan.setup_template();
        plan.prepare_setup(&mut setup, game);
        let luck = derive_seed(plan.seed_of(game), u64::from(u32::MAX));
        let mut before = ReplayStart::Start(program.clone(), Box::new(setup.clone()), luck);
        let started = stretch::start_session(program, &setup, luck, Order::default());
        let Ok((mut session, mut fault)) = started else { return played };
        let mut rng = BotRng::new(plan.seed_of(game), 0);
        let (mut given, mut known) = (0, 0);
        for _ in 0..MOST_ANSWERS {
            played.examine_meetings(&mut session, &before, given, known, fault.is_some());
            if fault.is_some() {
                break;
            }
            if session.offering_hook().is_none() && played.is_all_over(&mut session) {
                // No open hook depends on what happened so far.
                session.set_meeting_order(Order::default());
                played.clear_history();
            }
            before = ReplayStart::Question(Arc::new(session.clone()));
            (given, known) = (played.answers.len(), session.meetings().len());
            let Pending::Decisions(open) = session.pending() else { return played };
            let Some(decision) = open.first().cloned() else { return played };
            let choice = decision.answers().draw_answer(&mut rng);
            let key = session.choice_key(decision.id, &choice).unwrap_or_default();
            let used = session.offering_hook().map(|meeting| (meeting, session.meetings()[meeting].acted.len()));
            fault = session.choose(decision.id, choice).err();
            played.answers.push((decision.seat, key));
            let new = used.and_then(|(meeting, from)| Some((meeting, *session.meetings().get(meeting)?.acted.get(from)?)));
            played.offers.push(new);
        }
        played
    }

    /// Whether every hook opened so far is closed.
    fn is_all_over(&self, session: &mut Session) -> bool {
        session.meetings().iter().all(|meeting| meeting.after.is_some())
    }

    /// Forgets everything before this point, from which later hooks are replayed.
    fn clear_history(&mut self) {
        self.answers.clear();
        self.offers.clear();
        self.openings.clear();
        self.seen.clear();
    }

    /// Records the replay state of the hooks that were just opened. `before` is a state before them, after `answers` answers
    /// and `known` meetings.
    fn record_openings(&mut self, meetings: &[Meeting], before: &ReplayStart, answers: usize, known: usize) {
        let opening = || Opening { before: before.clone(), answers, meetings: known };
        self.openings.resize_with(meetings.len().max(self.openings.len()), opening);
    }

    /// Examines the hooks that are closed now. If a fault stopped play, it also examines the first of those that will never
    /// close.
    fn examine_meetings(&mut self, session: &mut Session, before: &ReplayStart, answers: usize, known: usize, is_stopped: bool) {
        const MOST_STOPPED: usize = 4;
        let meetings = session.meetings().to_vec();
        self.record_openings(&meetings, before, answers, known);
        let open = meetings.iter().enumerate().filter(|(_, meeting)| meeting.after.is_none() && meeting.able.len() > 1);
        for (place, meeting) in open.take(if is_stopped { MOST_STOPPED } else { 0 }) {
            self.compare_triggers(place, meeting);
        }
        for (place, meeting) in meetings.iter().enumerate() {
            if meeting.after.is_some() && self.seen.insert(place) {
                self.compare_triggers(place, meeting);
                self.compare_offers(place);
            }
        }
    }

    /// Compares pairs of triggers that could act when a hook was opened. `place` is the index of the meeting.
    fn compare_triggers(&mut self, place: usize, meeting: &Meeting) {
        for (index, one) in meeting.able.iter().enumerate() {
            for other in &meeting.able[index + 1..] {
                if !have_equal_rank(self.program, one.clause, other.clause) {
                    continue;
                }
                let order = |uses: [ClauseUse; 2]| Order { heard: Some(uses.to_vec()), ..Order::default() };
                let orders = [order([*one, *other]), order([*other, *one])];
                // The answers before the hook was opened are replayed.
                let opening = self.openings[place].answers;
                self.compare_orders(
                    place,
                    (*one, *other),
                    |answers| {
                        let until = &answers[..(opening + 1).min(answers.len())];
                        [until.to_vec(), until.to_vec()]
                    },
                    Some(orders),
                );
            }
        }
    }

    /// Compares successive uses at a hook. Only two offers that are level and different are exchanged.
    fn compare_offers(&mut self, place: usize) {
        let uses: Vec<(usize, ClauseUse)> = self
            .offers
            .iter()
            .enumerate()
            .filter_map(|(answer, used)| used.filter(|(meeting, _)| *meeting == place).map(|(_, which)| (answer, which)))
            .collect();
        for (number, pair) in uses.windows(2).enumerate() {
            let [(one, first), (other, second)] = [pair[0], pair[1]];
            let is_offer = |which: ClauseUse| {
                self.program.clauses.get(usize::from(which.clause)).is_some_and(|clause| clause.kind == ClauseKind::Offer)
            };
            if !is_offer(first)
                || !is_offer(second)
                || first == second
                || !have_equal_rank(self.program, first.clause, second.clause)
            {
                continue;
            }
            let (seat, next) = (self.answers[one].0, self.answers[other].0);
            // The order of the first questions can be exchanged only before any use.
            let as_it_was = Order::default();
            let orders = match seat == next {
                true => Some([as_it_was.clone(), as_it_was]),
                false if number == 0 && self.is_first_use(place, one) => {
                    Some([as_it_was, Order { offered_first: Some(next as u16), ..Order::default() }])
                }
                false => None,
            };
            self.compare_orders(
                place,
                (first, second),
                |answers| {
                    let (until, uses) = (answers[..one].to_vec(), [answers[one].clone(), answers[other].clone()]);
                    let [first, second] = uses;
                    let turned = until.iter().cloned().chain([second.clone(), first.clone()]).collect();
                    [until.into_iter().chain([first, second]).collect(), turned]
                },
                orders,
            );
        }
    }

    /// Whether an answer is the first to a hook's offers.
    fn is_first_use(&self, place: usize, answer: usize) -> bool {
        // All earlier answers were given before the hook was opened.
        self.openings[place].answers + 1 >= answer
    }

    /// Handles a pair that met: plays both orders, up to the maximum. `answers` makes the answers of both orders from those of
    /// the game. Without `orders`, the pair only counts as met.
    fn compare_orders(
        &mut self,
        place: usize,
        (one, other): (ClauseUse, ClauseUse),
        answers: impl Fn(&[Answer]) -> [Vec<Answer>; 2],
        orders: Option<[Order; 2]>,
    ) {
        let opening = self.openings[place].clone();
        let (game, number) = (self.game, self.answers.len());
        let since = self.answers.len().saturating_sub(opening.answers);
        let given = answers(&self.answers);
        let pair = self.pairs.entry(clause_pair(one, other)).or_default();
        pair.met += 1;
        let Some(orders) = orders.filter(|_| pair.compared < MOST_COMPARED && since <= LONGEST) else { return };
        let ends: Vec<ReplayEnd> = orders
            .into_iter()
            .zip(&given)
            .map(|(order, answers)| {
                let meeting = place - opening.meetings;
                let stretch = Stretch { before: &opening.before, answers: &answers[opening.answers..], meeting };
                stretch.replay_in_order(Order { meeting, ..order })
            })
            .collect();
        pair.compare_ends(&ends[0], &ends[1], (game, number));
    }
}

impl Pair {
    /// Adds the difference of two replays to the findings. `at` is the game, and its number of answers then.
    fn compare_ends(&mut self, one: &ReplayEnd, other: &ReplayEnd, at: (u64, usize)) {
        if matches!((one, other), (ReplayEnd::Lost, _) | (_, ReplayEnd::Lost) | (ReplayEnd::Refused, ReplayEnd::Refused)) {
            return;
        }
        self.compared += 1;
        let mut differs = |words: Vec<String>| {
            self.differing += 1;
            self.differences.extend(words);
            self.first = [self.first, Some(at)].into_iter().flatten().min();
        };
        match (one, other) {
            (ReplayEnd::Over(one, asked), ReplayEnd::Over(other, asked_other)) => {
                let mut words: Vec<String> = one.list_differences(other).into_iter().map(str::to_string).collect();
                words.extend((asked != asked_other).then(|| "what is asked".to_string()));
                if !words.is_empty() {
                    differs(words);
                }
            }
            (ReplayEnd::Limit, _) | (_, ReplayEnd::Limit) => {
                self.looping += 1;
                self.first = [self.first, Some(at)].into_iter().flatten().min();
            }
            (ReplayEnd::Refused, _) | (_, ReplayEnd::Refused) => differs(vec!["what can still be used".to_string()]),
            (one, other) if one == other => {}
            _ => differs(vec!["whether there is a fault".to_string()]),
        }
    }
}
