//! The bot that samples continuations of each option and picks the best.
//!
//! It knows no game. If the rules declare a `standing`, a continuation ends when its seat is asked again after another side has
//! answered. Its worth is the lead of the side at that point: its own standing minus the best of the others. So each option is
//! judged after a reply, even an option that asks its seat again at once, such as the use of an ability. Until the reply, the
//! seat passes whenever it may, and otherwise answers at random. A side that plays alone waits for no reply.
//!
//! If the rules declare no `standing`, a continuation is played out at random, and its worth is its outcome. An outcome with
//! payoffs is worth the side's own payoff, regardless of the winner; otherwise it is won, lost or neither. Samples go where they matter:
//! after each round, the worse half of the options is dropped, and the others share the samples that are left.
//!
//! An answer has a budget of work, so it depends on the seed and not on the machine. Each option of a round gets an equal share.
//! When the budget is spent, the best option so far is the answer.

use crate::player::Player;
use crate::random::Random;
use crate::rng::BotRng;
use ludex_engine::problem::Problem;
use ludex_engine::runtime::limits::MOST_WORK_AHEAD;
use ludex_engine::runtime::{Choice, Decision, Form, Lots, Outcome, OutcomeResult, Pending, Session, policy};

/// Maximum number of answers to examine; if there are more, a random sample is taken.
const MOST_ANSWERS: u64 = 64;

/// Continuations sampled for one decision, if the rules declare a standing.
const SAMPLES: usize = 256;
/// The same without a standing, where continuations are played out.
const PLAYED_OUT: usize = 1024;

/// The index of the random stream for tie-breaking lots.
const LOTS: u64 = 1;

/// A continuation that has not ended after this many answers is valued as it is.
const MOST_STEPS: usize = 2_000;

/// A continuation is abandoned once it has cost a quarter of the remaining budget. After half of that, it ends at the next
/// question and is valued as it is.
const LEFT_PER_CONTINUATION: u64 = 4;

/// The bot. `others` gives the random answers within continuations.
#[derive(Clone, Debug)]
pub struct Greedy {
    rng: BotRng,
    others: Random,
}

impl Greedy {
    pub fn new(mut rng: BotRng) -> Greedy {
        let others = Random::new(BotRng::new(rng.next_bits(), 0));
        Greedy { rng, others }
    }

    /// Samples one continuation after `choice`, and returns its worth and the work done. The worth is `None` if the continuation
    /// fails or costs more than `most_work`.
    fn sample_continuation(
        &mut self,
        session: &Session,
        decision: &Decision,
        choice: &Choice,
        most_work: u64,
    ) -> (Option<Worth>, u64) {
        let mut imagined = session.imagine(decision.seat, self.rng.next_bits());
        imagined.limit_work(most_work);
        match self.play_continuation(&mut imagined, decision, choice, most_work / 2) {
            Ok(()) => Worth::from_session(imagined, decision.seat),
            Err(_) => (None, imagined.total_work()),
        }
    }

    /// Plays a continuation to its end, or until it has cost this much work.
    fn play_continuation(
        &mut self,
        imagined: &mut Session,
        decision: &Decision,
        choice: &Choice,
        enough_work: u64,
    ) -> Result<(), Box<Problem>> {
        imagined.choose(decision.id, choice.clone())?;
        let to_the_end = imagined.program().standing.is_none();
        let sides = imagined.side_count();
        let mut has_reply = sides == 1;
        for _ in 0..MOST_STEPS {
            let Pending::Decisions(open) = imagined.pending() else { break };
            let Some(next) = open.first() else { break };
            let is_own = next.seat == decision.seat && !to_the_end;
            if is_own && has_reply || imagined.total_work() > enough_work {
                break;
            }
            // The referee is not a rival.
            has_reply |= next.seat != decision.seat && next.seat < sides;
            let declined = if is_own { policy::declining_answer(imagined, next) } else { None };
            let answer = declined.unwrap_or_else(|| self.others.random_choice(next));
            let id = next.id;
            imagined.choose(id, answer)?;
        }
        Ok(())
    }

    /// Returns the best answer found within a budget, and the work done.
    fn best_answer(&mut self, session: &Session, decision: &Decision, budget: u64) -> (Choice, u64) {
        let mut lots = BotRng::new(self.rng.clone().next_bits(), LOTS);
        let answers = candidate_answers(&mut self.rng, &mut self.others, decision).into_iter();
        let mut rivals: Vec<Rival> = answers.map(|answer| Rival::new(answer, lots.next_bits())).collect();
        let samples = if session.program().standing.is_some() { SAMPLES } else { PLAYED_OUT };
        // After this many halvings one answer is left.
        let rounds = rivals.len().max(2).next_power_of_two().trailing_zeros() as usize;
        let mut spent: u64 = 0;
        for round in 0..rounds {
            if rivals.len() < 2 || spent >= budget {
                break;
            }
            let each = (samples / (rounds * rivals.len())).max(1);
            let share = budget.saturating_sub(spent) / ((rounds - round) * rivals.len()) as u64;
            for rival in &mut rivals {
                let end = budget.min(spent + share);
                for _ in 0..each {
                    if spent >= end {
                        break;
                    }
                    let most_work = (budget - spent) / LEFT_PER_CONTINUATION;
                    let (worth, work) = self.sample_continuation(session, decision, &rival.choice, most_work);
                    rival.add_sample(worth);
                    spent += work;
                }
            }
            drop_the_worse_half(&mut rivals);
        }
        // They are sorted by worth.
        let best = rivals.into_iter().next().map(|best| best.choice);
        (best.unwrap_or_else(|| self.others.random_choice(decision)), spent)
    }
}

impl Player for Greedy {
    fn answer(&mut self, session: &Session, decision: &Decision) -> Result<Choice, Box<Problem>> {
        Ok(self.best_answer(session, decision, MOST_WORK_AHEAD).0)
    }

    fn draw_from(&mut self, rng: BotRng) {
        *self = Greedy::new(rng);
    }
}

/// The answers to examine, all different: all of them, or a sample.
fn candidate_answers(rng: &mut BotRng, random: &mut Random, decision: &Decision) -> Vec<Choice> {
    match decision.form {
        Form::One => rng.draw_sample(decision.count, MOST_ANSWERS).into_iter().map(Choice::Option).collect(),
        Form::Number { min, max } => {
            let numbers = max.wrapping_sub(min).cast_unsigned().saturating_add(1);
            let offsets = rng.draw_sample(numbers, MOST_ANSWERS);
            let numbers = offsets.into_iter().map(|offset| Choice::Number(min.wrapping_add(offset.cast_signed())));
            numbers.chain(decision.may_pass.then(|| Choice::Options(Vec::new()))).collect()
        }
        // There may be too many to list.
        _ => {
            let mut choices: Vec<Choice> = Vec::new();
            for _ in 0..MOST_ANSWERS {
                let choice = random.random_choice(decision);
                if !choices.contains(&choice) {
                    choices.push(choice);
                }
            }
            choices
        }
    }
}

/// The worth of one continuation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Worth {
    /// 1 for a win, -1 for a defeat, 0 for everything else and if there is a payoff.
    decided: i64,
    /// The payoff of the side, in halves.
    payoff: i64,
    /// The lead of the side over the others.
    lead: i64,
}

impl Worth {
    /// The worth of a continuation, and the work done.
    fn from_session(session: Session, side: usize) -> (Option<Worth>, u64) {
        let (decided, payoff) = match session.pending() {
            Pending::Finished(outcome) => match side_payoff(outcome, side) {
                Some(payoff) => (0, payoff),
                None => (win_value(outcome, side), 0),
            },
            _ => (0, 0),
        };
        let (standings, work) = session.final_standings();
        let worth = |standings: Option<Vec<Option<i64>>>| {
            let lead = standings.map_or(0, |standings| lead_over_others(&standings, side));
            Worth { decided, payoff, lead }
        };
        (standings.ok().map(worth), work)
    }
}

/// The standing of a side minus the best of the others: the strongest of several rivals is the one to beat.
fn lead_over_others(standings: &[Option<i64>], side: usize) -> i64 {
    let Some(own) = standings.get(side).copied().flatten() else { return 0 };
    let others = standings.iter().enumerate().filter(|(other, _)| *other != side);
    let best = others.filter_map(|(_, standing)| *standing).max();
    own.saturating_sub(best.unwrap_or(0))
}

/// The payoff of a side, in halves, if the outcome has payoffs.
fn side_payoff(outcome: &Outcome, side: usize) -> Option<i64> {
    Some(outcome.payoffs.as_ref()?.get(side)?.half_count())
}

/// 1 for a win, -1 for a defeat, and otherwise 0. A tie is a defeat for those who are not among its winners.
fn win_value(outcome: &Outcome, side: usize) -> i64 {
    match outcome.result {
        OutcomeResult::Nobody | OutcomeResult::Capped => 0,
        OutcomeResult::Tie if outcome.winners.contains(&side) => 0,
        OutcomeResult::Win | OutcomeResult::Abandoned if outcome.winners.contains(&side) => 1,
        OutcomeResult::Win | OutcomeResult::Abandoned | OutcomeResult::Tie => -1,
    }
}

/// One answer with the statistics of its samples. All answers of a decision are rivals until they are dropped.
#[derive(Clone, Debug)]
struct Rival {
    choice: Choice,
    /// Breaks ties: a player that always does the same is predictable.
    lot: u64,
    samples: i64,
    sum: Worth,
    least: i64,
    most: i64,
    /// The largest absolute payoff.
    stake: i64,
}

impl Rival {
    fn new(choice: Choice, lot: u64) -> Rival {
        Rival { choice, lot, samples: 0, sum: Worth::default(), least: i64::MAX, most: i64::MIN, stake: 0 }
    }

    /// A continuation that failed is not counted.
    fn add_sample(&mut self, worth: Option<Worth>) {
        let Some(worth) = worth else { return };
        self.samples += 1;
        self.sum.decided += worth.decided;
        self.sum.payoff += worth.payoff;
        self.sum.lead = self.sum.lead.saturating_add(worth.lead);
        self.least = self.least.min(worth.lead);
        self.most = self.most.max(worth.lead);
        self.stake = self.stake.max(worth.payoff.abs());
    }

    /// The mean worth. An answer without samples is the worst.
    fn mean_worth(&self, scale: Scale) -> f64 {
        if self.samples == 0 {
            return f64::NEG_INFINITY;
        }
        let ends = self.sum.decided as f64 + self.sum.payoff as f64 / scale.stake;
        (self.sum.lead as f64 + ends * scale.win) / self.samples as f64
    }
}

/// Keeps the better half, sorted by worth, with ties broken by lot.
fn drop_the_worse_half(rivals: &mut Vec<Rival>) {
    let scale = Scale::from_rivals(rivals);
    rivals.sort_by(|a, b| b.mean_worth(scale).total_cmp(&a.mean_worth(scale)).then(a.lot.cmp(&b.lot)));
    rivals.truncate(rivals.len().div_ceil(2));
}

/// The weights of outcomes relative to standings, whose scale is up to the rules.
#[derive(Clone, Copy, Debug)]
struct Scale {
    /// The weight of a win, which exceeds any difference seen in the leads.
    win: f64,
    /// The payoff that counts as much as a win: the largest seen, won or lost.
    stake: f64,
}

impl Scale {
    /// The weights for these answers, from all their samples so far.
    fn from_rivals(rivals: &[Rival]) -> Scale {
        let least = rivals.iter().map(|rival| rival.least).min().unwrap_or(0);
        let most = rivals.iter().map(|rival| rival.most).max().unwrap_or(0);
        let win = if least > most { 1.0 } else { 4.0 * (most as f64 - least as f64) + 1.0 };
        let stake = rivals.iter().map(|rival| rival.stake).max().unwrap_or(0).max(1);
        Scale { win, stake: stake as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_engine::Compile;
    use ludex_engine::library::{BUNDLED, CompileRequest, File, Library};
    use ludex_engine::runtime::{Dice, Setup};
    use std::sync::Arc;

    fn rival(option: u64, worths: &[(i64, i64)]) -> Rival {
        let mut rival = Rival::new(Choice::Option(option), 10 - option);
        for &(decided, lead) in worths {
            rival.add_sample(Some(Worth { decided, lead, ..Worth::default() }));
        }
        rival
    }

    fn paid(option: u64, payoffs: &[(i64, i64)]) -> Rival {
        let mut rival = Rival::new(Choice::Option(option), 10 - option);
        for &(payoff, lead) in payoffs {
            rival.add_sample(Some(Worth { payoff, lead, ..Worth::default() }));
        }
        rival
    }

    fn kept(mut rivals: Vec<Rival>) -> Vec<Choice> {
        drop_the_worse_half(&mut rivals);
        rivals.into_iter().map(|rival| rival.choice).collect()
    }

    #[test]
    fn the_better_half_is_kept() {
        let rivals = vec![rival(0, &[(0, 1)]), rival(1, &[(0, 5)]), rival(2, &[(0, 9), (0, 3)])];
        assert_eq!(kept(rivals), [Choice::Option(2), Choice::Option(1)]);
    }

    #[test]
    fn a_lot_decides_among_equals() {
        assert_eq!(kept(vec![rival(0, &[(0, 4)]), rival(1, &[(0, 4)])]), [Choice::Option(1)]);
    }

    #[test]
    fn a_sure_win_beats_any_lead() {
        assert_eq!(kept(vec![rival(0, &[(0, 900)]), rival(1, &[(1, -900)])]), [Choice::Option(1)]);
    }

    #[test]
    fn the_highest_mean_of_payoffs_is_the_best_and_a_loss_counts_as_much_as_a_gain() {
        assert_eq!(kept(vec![paid(0, &[(2, 0), (2, 0)]), paid(1, &[(9, 0), (-2, 0)])]), [Choice::Option(1)]);
        assert_eq!(kept(vec![paid(0, &[(-9, 0), (2, 0)]), paid(1, &[(-3, 0), (-3, 0)])]), [Choice::Option(1)]);
    }

    #[test]
    fn the_highest_payoff_beats_any_lead() {
        assert_eq!(kept(vec![paid(0, &[(1, 900)]), paid(1, &[(40, -900)])]), [Choice::Option(1)]);
    }

    #[test]
    fn a_side_is_ahead_of_the_best_of_the_others() {
        assert_eq!(lead_over_others(&[Some(7), Some(10)], 0), -3);
        assert_eq!(lead_over_others(&[Some(7), Some(2), Some(5)], 0), 2);
    }

    #[test]
    fn who_is_out_of_the_game_is_no_rival() {
        assert_eq!(lead_over_others(&[Some(7), None, Some(5)], 0), 2);
        assert_eq!(lead_over_others(&[Some(7), None], 0), 7);
    }

    #[test]
    fn a_win_that_others_share_is_a_defeat() {
        let shared = |side| {
            win_value(
                &Outcome { result: OutcomeResult::Tie, winners: vec![0, 2], scores: Vec::new(), payoffs: None, text: None },
                side,
            )
        };
        assert_eq!((shared(0), shared(1), shared(2)), (0, -1, 0));
    }

    #[test]
    fn an_answer_that_cannot_be_followed_is_the_worst() {
        assert_eq!(kept(vec![rival(0, &[]), rival(1, &[(-1, 0)])]), [Choice::Option(1)]);
    }

    // --- the budget of an answer ---------------------------------------------------------

    /// A budget for tests, which are not optimised.
    const BUDGET: u64 = 1_000_000;
    /// The work of copying a game and of the last step of a continuation is only counted once it is done.
    const MORE: u64 = 5_000;

    /// Somebody chooses how to dig for gold, which is what counts.
    fn dig(deeds: &str) -> Session {
        dig_for("side.gold", deeds)
    }

    fn dig_for(standing: &str, deeds: &str) -> Session {
        let rules = format!(
            "ludex 1
game dig \"Dig\"
sides 2
each side has {{ counter gold }}
standing of side = {standing}
family deed(active: side) {{}}
action rest is deed
  says \"rest\"
  do {{ add 1 to active.gold }}
{deeds}
to play {{
  let me = first of sides
  repeat 2 times {{
    me must choose deed(me) as chosen else {{ stop }}
    do chosen
  }}
  finish with nobody
}}
"
        );
        session_of(rules, 2)
    }

    /// A match of the game `dig`.
    fn session_of(rules: String, sides: usize) -> Session {
        let file = File { path: "rules/dig/dig.ludex".to_string(), text: rules, library: BUNDLED.to_string() };
        let (program, problems) = Library::new(vec![file]).0.compile("dig", &CompileRequest::default());
        let program = Arc::new(program.unwrap_or_else(|| panic!("{problems:#?}")));
        let sides = vec![Vec::new(); sides];
        let setup = Setup { sides, seed: 7.into(), dice: Dice::Seeded, position: None, names: Vec::new(), watched: false };
        Session::start(program, &setup).unwrap_or_else(|problem| panic!("{problem:?}"))
    }

    /// What the bot does first with this seed, in words, and the work it has cost.
    fn done(session: &Session, seed: u64, budget: u64) -> (String, u64) {
        let Pending::Decisions([decision, ..]) = session.pending() else { panic!("nobody is asked") };
        let (choice, work) = Greedy::new(BotRng::new(seed, 0)).best_answer(session, decision, budget);
        (session.choice_key(decision.id, &choice).expect("a legal answer"), work)
    }

    /// A deed that takes so many steps for so much gold.
    fn slow(name: &str, steps: u64, gold: u64) -> String {
        let body = format!("let done = 0  repeat {steps} times {{ set done to done + 1 }}  add {gold} to active.gold");
        format!("action {name} is deed\n  says \"{name}\"\n  do {{ {body} }}\n")
    }

    #[test]
    fn an_option_that_takes_long_is_looked_at_less_often() {
        let session = dig(&slow("mine", 5_000, 9));
        let (deed, work) = done(&session, 1, BUDGET);
        assert_eq!(deed, "mine");
        assert!((BUDGET / 4..=BUDGET + MORE).contains(&work), "{work}");
        // It would take much more if it was looked at as often as others.
        assert!(done(&session, 1, u64::MAX).1 > 5 * BUDGET);
    }

    #[test]
    fn an_option_that_takes_too_long_does_not_count() {
        let session = dig(&slow("mine", 500_000, 9));
        for seed in 1..4 {
            let (deed, work) = done(&session, seed, BUDGET);
            assert_eq!(deed, "rest");
            assert!(work <= BUDGET + MORE, "{work}");
        }
    }

    #[test]
    fn with_a_hundred_slow_options_some_are_looked_at_and_the_seed_decides() {
        let deeds: String = (0..100).map(|deed| slow(&format!("mine_{deed}"), 4_000, deed)).collect();
        let session = dig(&deeds);
        let all: Vec<(String, u64)> = (1..6).map(|seed| done(&session, seed, BUDGET)).collect();
        assert!(all.iter().all(|(_, work)| *work <= BUDGET + MORE), "{all:?}");
        assert_eq!(all, (1..6).map(|seed| done(&session, seed, BUDGET)).collect::<Vec<_>>());
        assert!(all.iter().any(|(deed, _)| *deed != all[0].0), "{all:?}");
    }

    #[test]
    fn where_nothing_can_be_looked_at_a_lot_decides() {
        let session = dig(&slow("mine", 1_000, 9));
        let deeds: Vec<String> = (1..20).map(|seed| done(&session, seed, 100).0).collect();
        assert!(deeds.iter().any(|deed| deed == "rest") && deeds.iter().any(|deed| deed == "mine"), "{deeds:?}");
    }

    #[test]
    fn a_continuation_that_never_ends_is_worth_what_it_is_then() {
        let answers = "let rival = active.foe  add 9 to active.gold
    repeat 1000000 times { rival must choose deed(rival) as chosen else { stop } }";
        let session = dig(&format!("action mine is deed\n  says \"mine\"\n  do {{ {answers} }}\n"));
        let (deed, work) = done(&session, 1, BUDGET);
        assert_eq!(deed, "mine");
        assert!(work <= BUDGET + MORE, "{work}");
    }
    #[test]
    fn the_work_on_standings_counts() {
        let session = dig_for("side.gold + count of ((1..4000) where it > 0)", &slow("mine", 1, 9));
        let (deed, work) = done(&session, 1, BUDGET);
        assert_eq!(deed, "mine");
        assert!((BUDGET / 2..=BUDGET + MORE).contains(&work), "{work}");
    }

    // --- where a continuation ends -------------------------------------------------------

    /// A side may gild up to three times; `change` is what becomes of its gold. After each it is asked again, and so is the referee, who
    /// is no rival. Then its rival, if it has any, gains far more, whatever the side has done.
    fn adorning(question: &str, change: &str, sides: usize) -> Session {
        let reply = "me.foe must choose number in 1..2 as toll  add 9 + toll to me.foe.gold";
        let reply = if sides == 1 { "" } else { reply };
        let rules = format!(
            "ludex 1
game dig \"Dig\"
sides {sides}
referee \"Judge\"
each side has {{ counter gold = 50 }}
standing of side = side.gold
family deed(active: side) {{}}
action gild is deed
  says \"gild\"
  do {{ {change} active.gold }}
action leave_it is deed
  says \"leave it\"
to adorn(active: side) {{
  repeat 3 times {{
    active {question} choose deed(active) as chosen else {{ stop }}
    if chosen is leave_it {{ stop }}
    do chosen
    referee must choose number in 1..2 as verdict
  }}
}}
to play {{
  let me = first of sides
  do adorn(me)
  {reply}
  repeat 1000 times {{ me must choose number in 1..2 as rest  set me.gold to rest }}
  finish with nobody
}}
"
        );
        session_of(rules, sides)
    }

    /// Whether the bot gilds, with five seeds.
    fn gilds(question: &str, change: &str, sides: usize) -> Vec<bool> {
        let session = adorning(question, change, sides);
        (1..6).map(|seed| done(&session, seed, BUDGET).0 == "gild").collect()
    }

    #[test]
    fn an_answer_that_asks_its_seat_again_is_judged_after_the_reply_like_all_others() {
        for question in ["may", "must"] {
            assert_eq!(gilds(question, "take 1 from", 2), [false; 5], "{question}");
            assert_eq!(gilds(question, "add 1 to", 2), [true; 5], "{question}");
        }
    }

    #[test]
    fn a_side_that_plays_alone_waits_for_no_reply() {
        assert_eq!(gilds("must", "take 1 from", 1), [false; 5]);
        assert_eq!(gilds("must", "add 1 to", 1), [true; 5]);
    }
}
