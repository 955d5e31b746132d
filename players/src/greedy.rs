//! The bot that looks at what may come of each option, over sampled continuations, and takes the best.
//!
//! It knows no game. Where the rules declare a `standing`, a continuation ends when its seat is next
//! asked, and its worth is how far the side is ahead there: its own standing less the best of the others.
//! Where they declare none, it is played out at random and worth what its outcome is. An outcome with payoffs
//! is worth the side's own, whoever wins; without, it is won, lost or neither. Samples go where they matter: after each round the worse half of the options is dropped, and the samples left are shared
//! by the others.

use crate::player::Player;
use crate::random::Random;
use crate::rng::BotRng;
use ludex_engine::problem::Problem;
use ludex_engine::runtime::{Choice, Decision, Form, Lots, Outcome, OutcomeResult, Pending, Session};

/// At most so many answers are looked at; beyond that, a random sample of them.
const MOST_ANSWERS: u64 = 64;

/// Continuations sampled for one decision, with a standing and without.
const SAMPLES: usize = 256;
const PLAYED_OUT: usize = 1024;

/// The stream that lots are drawn from.
const LOTS: u64 = 1;

/// A continuation that has not ended after so many answers is worth what it is then.
const MOST_STEPS: usize = 2_000;

#[derive(Clone, Debug)]
pub struct Greedy {
    rng: BotRng,
    others: Random,
}

impl Greedy {
    pub fn new(mut rng: BotRng) -> Greedy {
        let others = Random::new(BotRng::new(rng.bits(), 0));
        Greedy { rng, others }
    }

    /// One continuation in which `choice` is the answer; none if it cannot be followed.
    fn sample(&mut self, session: &Session, decision: &Decision, choice: &Choice) -> Option<Worth> {
        let mut imagined = session.imagine(decision.seat, self.rng.bits());
        imagined.choose(decision.id, choice.clone()).ok()?;
        let to_the_end = session.program().standing.is_none();
        for _ in 0..MOST_STEPS {
            let Pending::Decisions(open) = imagined.pending() else { break };
            let Some(next) = open.first() else { break };
            if next.seat == decision.seat && !to_the_end {
                break;
            }
            let answer = self.others.choose(next);
            let id = next.id;
            imagined.choose(id, answer).ok()?;
        }
        Some(Worth::of(&imagined, decision.seat))
    }
}

impl Player for Greedy {
    fn answer(&mut self, session: &Session, decision: &Decision) -> Result<Choice, Box<Problem>> {
        let mut lots = BotRng::new(self.rng.clone().bits(), LOTS);
        let answers = answers(&mut self.rng, &mut self.others, decision).into_iter();
        let mut rivals: Vec<Rival> = answers.map(|answer| Rival::new(answer, lots.bits())).collect();
        let samples = if session.program().standing.is_some() { SAMPLES } else { PLAYED_OUT };
        let rounds = rivals.len().max(2).next_power_of_two().trailing_zeros() as usize;
        while rivals.len() > 1 {
            let each = (samples / (rounds * rivals.len())).max(1);
            for rival in &mut rivals {
                for _ in 0..each {
                    let worth = self.sample(session, decision, &rival.choice);
                    rival.add(worth);
                }
            }
            drop_the_worse_half(&mut rivals);
        }
        Ok(match rivals.pop() {
            Some(best) => best.choice,
            None => self.others.choose(decision),
        })
    }

    fn draw_from(&mut self, rng: BotRng) {
        *self = Greedy::new(rng);
    }
}

/// The answers to look at, all different: all there are, or a sample.
fn answers(rng: &mut BotRng, random: &mut Random, decision: &Decision) -> Vec<Choice> {
    match decision.form {
        Form::One => rng.sample(decision.count, MOST_ANSWERS).into_iter().map(Choice::Option).collect(),
        Form::Number { min, max } => {
            let numbers = max.wrapping_sub(min).cast_unsigned().saturating_add(1);
            let offsets = rng.sample(numbers, MOST_ANSWERS);
            let numbers = offsets.into_iter().map(|offset| Choice::Number(min.wrapping_add(offset.cast_signed())));
            numbers.chain(decision.may_pass.then(|| Choice::Options(Vec::new()))).collect()
        }
        // There may be too many to count out.
        _ => {
            let mut choices: Vec<Choice> = Vec::new();
            for _ in 0..MOST_ANSWERS {
                let choice = random.choose(decision);
                if !choices.contains(&choice) {
                    choices.push(choice);
                }
            }
            choices
        }
    }
}

/// What one continuation came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Worth {
    /// 1 for a win, -1 for a defeat, 0 for everything else and where there is a payoff.
    decided: i64,
    /// What the side gets, in halves.
    payoff: i64,
    /// How far the side is ahead of the others.
    lead: i64,
}

impl Worth {
    fn of(session: &Session, side: usize) -> Worth {
        let (decided, payoff) = match session.pending() {
            Pending::Finished(outcome) => match payoff(outcome, side) {
                Some(payoff) => (0, payoff),
                None => (decided(outcome, side), 0),
            },
            _ => (0, 0),
        };
        Worth { decided, payoff, lead: session.standings().map_or(0, |standings| lead(&standings, side)) }
    }
}

/// The standing of a side less the best of the others: of several rivals the strongest is the one to beat.
fn lead(standings: &[Option<i64>], side: usize) -> i64 {
    let Some(own) = standings.get(side).copied().flatten() else { return 0 };
    let others = standings.iter().enumerate().filter(|(other, _)| *other != side);
    let best = others.filter_map(|(_, standing)| *standing).max();
    own.saturating_sub(best.unwrap_or(0))
}

/// What an outcome with payoffs is worth to a side, in halves.
fn payoff(outcome: &Outcome, side: usize) -> Option<i64> {
    Some(outcome.payoffs.as_ref()?.get(side)?.halves())
}

fn decided(outcome: &Outcome, side: usize) -> i64 {
    match outcome.result {
        OutcomeResult::Nobody | OutcomeResult::Capped => 0,
        OutcomeResult::Tie if outcome.winners.contains(&side) => 0,
        OutcomeResult::Win | OutcomeResult::Abandoned if outcome.winners.contains(&side) => 1,
        OutcomeResult::Win | OutcomeResult::Abandoned | OutcomeResult::Tie => -1,
    }
}

/// One answer and what has been seen to come of it.
#[derive(Clone, Debug)]
struct Rival {
    choice: Choice,
    /// Decides among equals: who always does the same is easily seen through.
    lot: u64,
    samples: i64,
    sum: Worth,
    least: i64,
    most: i64,
    /// The highest payoff or loss.
    stake: i64,
}

impl Rival {
    fn new(choice: Choice, lot: u64) -> Rival {
        Rival { choice, lot, samples: 0, sum: Worth::default(), least: i64::MAX, most: i64::MIN, stake: 0 }
    }

    fn add(&mut self, worth: Option<Worth>) {
        let Some(worth) = worth else { return };
        self.samples += 1;
        self.sum.decided += worth.decided;
        self.sum.payoff += worth.payoff;
        self.sum.lead = self.sum.lead.saturating_add(worth.lead);
        self.least = self.least.min(worth.lead);
        self.most = self.most.max(worth.lead);
        self.stake = self.stake.max(worth.payoff.abs());
    }

    /// The mean worth.
    fn mean(&self, scale: Scale) -> f64 {
        if self.samples == 0 {
            return f64::NEG_INFINITY;
        }
        let ends = self.sum.decided as f64 + self.sum.payoff as f64 / scale.stake;
        (self.sum.lead as f64 + ends * scale.win) / self.samples as f64
    }
}

/// Keeps the better half, by lot among equals, in order of worth.
fn drop_the_worse_half(rivals: &mut Vec<Rival>) {
    let scale = Scale::of(rivals);
    rivals.sort_by(|a, b| b.mean(scale).total_cmp(&a.mean(scale)).then(a.lot.cmp(&b.lot)));
    rivals.truncate(rivals.len().div_ceil(2));
}

/// What ends are worth beside standings, whose scale is the rules' own.
#[derive(Clone, Copy, Debug)]
struct Scale {
    /// A win weighs more than any difference seen in the leads.
    win: f64,
    /// The payoff that is worth as much as a win: the highest that was seen, won or lost.
    stake: f64,
}

impl Scale {
    fn of(rivals: &[Rival]) -> Scale {
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

    fn rival(option: u64, worths: &[(i64, i64)]) -> Rival {
        let mut rival = Rival::new(Choice::Option(option), 10 - option);
        for &(decided, lead) in worths {
            rival.add(Some(Worth { decided, lead, ..Worth::default() }));
        }
        rival
    }

    fn paid(option: u64, payoffs: &[(i64, i64)]) -> Rival {
        let mut rival = Rival::new(Choice::Option(option), 10 - option);
        for &(payoff, lead) in payoffs {
            rival.add(Some(Worth { payoff, lead, ..Worth::default() }));
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
        assert_eq!(lead(&[Some(7), Some(10)], 0), -3);
        assert_eq!(lead(&[Some(7), Some(2), Some(5)], 0), 2);
    }

    #[test]
    fn who_is_out_of_the_game_is_no_rival() {
        assert_eq!(lead(&[Some(7), None, Some(5)], 0), 2);
        assert_eq!(lead(&[Some(7), None], 0), 7);
    }

    #[test]
    fn a_win_that_others_share_is_a_defeat() {
        let shared = |side| {
            decided(
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
}
