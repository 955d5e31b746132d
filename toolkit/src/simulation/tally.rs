//! What is counted over many games. Tallies of different games add up in any order to the same.

use super::digest;
use super::interval::Share;
use super::mean::{self, Sums};
use super::plan::{LineUp, Plan};
use super::trouble::{MOST_TROUBLES, Trouble};
use super::usage::Usage;
use ludex_engine::runtime::Usage as Budgets;
use ludex_engine::runtime::{Outcome, OutcomeResult};
use serde::{Deserialize, Serialize};

/// The results of some games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    pub all: Score,
    /// For each ordered pair, where pairs are counted apart.
    pub pairs: Vec<Score>,
    /// For each of those from whom teams are drawn.
    pub drawn: Vec<Wins>,
    /// Games that a fault of the rules or an ability ended.
    pub faults: u64,
    /// Games in which a check found something wrong.
    pub failed_checks: u64,
    /// Games that were checked answer by answer.
    pub checked: u64,
    /// By side, of the games whose rules gave any.
    pub payoffs: Vec<Sums>,
    /// For each counter that is looked at: by side, or once for the table.
    pub counted: Vec<Vec<Sums>>,
    /// Of all outcomes.
    pub digest: u64,
    pub usage: Usage,
    /// The largest use of each budget of play.
    pub largest: Budgets,
    /// The first faults and failed checks, in the order of the games. They are not written down: whoever has the seed can have
    /// them again.
    #[serde(skip)]
    pub troubles: Vec<Trouble>,
}

/// The outcomes of games that came to an end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    pub games: u64,
    /// By side: games that it won alone, that it won with others, and that others won.
    pub wins: Vec<u64>,
    pub shared: Vec<u64>,
    pub lost: Vec<u64>,
    /// Games that several sides won, or nobody.
    pub ties: u64,
    /// Games that several sides won, that all of several did, and that nobody won.
    pub together: u64,
    pub all_won: u64,
    pub nobody: u64,
    /// Sides have shared a win that others lost.
    pub some_shared: bool,
    pub capped: u64,
    pub turns: Spread,
    pub answers: Spread,
    /// How often each scope has begun, in the order in which the rules declare them.
    pub scopes: Vec<Spread>,
}

/// Wins out of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wins {
    pub wins: u64,
    pub games: u64,
}

impl Wins {
    pub fn share(self) -> Share {
        Share::of(self.wins, self.games)
    }

    pub fn and(self, other: Wins) -> Wins {
        Wins { wins: self.wins + other.wins, games: self.games + other.games }
    }
}

/// A sum and a maximum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spread {
    pub sum: u64,
    pub most: u64,
}

/// One finished game.
#[derive(Clone, Copy, Debug)]
pub struct Finished<'a> {
    pub index: u64,
    pub outcome: &'a Outcome,
    pub turns: u64,
    pub answers: u64,
    /// How often each scope has begun.
    pub scopes: &'a [u64],
    /// Each counter that is looked at, in halves: by side, or once for the table.
    pub counted: &'a [Vec<i64>],
}

impl Tally {
    pub fn new(plan: &Plan) -> Tally {
        let none = vec![0; plan.players.len()];
        let score = Score { wins: none.clone(), shared: none.clone(), lost: none, ..Score::default() };
        Tally {
            pairs: vec![score.clone(); plan.pairs()],
            drawn: vec![Wins::default(); plan.drawn_from().len()],
            all: score,
            faults: 0,
            failed_checks: 0,
            checked: 0,
            payoffs: Vec::new(),
            counted: Vec::new(),
            digest: 0,
            usage: Usage::default(),
            largest: Budgets::default(),
            troubles: Vec::new(),
        }
    }

    /// Without what is counted apart for pairs, and for those from whom teams are drawn.
    pub fn of_all(plan: &Plan) -> Tally {
        Tally::new(&Plan { line_up: LineUp::Same(Vec::new()), ..plan.clone() })
    }

    pub fn finished(&mut self, plan: &Plan, game: Finished<'_>) {
        self.all.finished(&game);
        if let Some(score) = plan.pair_of(game.index).and_then(|pair| self.pairs.get_mut(pair)) {
            score.finished(&game);
        }
        if let Some(payoffs) = &game.outcome.payoffs {
            let halves: Vec<i64> = payoffs.iter().map(|payoff| payoff.halves()).collect();
            mean::note(&mut self.payoffs, &halves);
        }
        self.counted.resize(game.counted.len(), Vec::new());
        self.counted.iter_mut().zip(game.counted).for_each(|(sums, counted)| mean::note(sums, counted));
        for (side, team) in plan.teams(game.index).into_iter().flatten().enumerate() {
            let won = u64::from(game.outcome.winners.contains(&side) && game.outcome.winners.len() == 1);
            for member in team {
                if let Some(wins) = self.drawn.get_mut(member as usize) {
                    *wins = wins.and(Wins { wins: won, games: 1 });
                }
            }
        }
        self.digest = self.digest.wrapping_add(digest::of_game(game.index, game.outcome, game.answers, game.turns));
    }

    pub fn trouble(&mut self, trouble: Trouble) {
        match trouble.is_fault() {
            true => self.faults += 1,
            false => self.failed_checks += 1,
        }
        self.troubles.push(trouble);
        self.keep_the_first_troubles();
    }

    /// Whether nothing went wrong.
    pub fn is_clean(&self) -> bool {
        self.faults == 0 && self.failed_checks == 0
    }

    pub fn add(&mut self, other: Tally) {
        self.all.add(&other.all);
        for (score, more) in self.pairs.iter_mut().zip(&other.pairs) {
            score.add(more);
        }
        for (wins, more) in self.drawn.iter_mut().zip(&other.drawn) {
            *wins = wins.and(*more);
        }
        self.faults += other.faults;
        self.failed_checks += other.failed_checks;
        self.checked += other.checked;
        mean::add(&mut self.payoffs, &other.payoffs);
        self.counted.resize(self.counted.len().max(other.counted.len()), Vec::new());
        self.counted.iter_mut().zip(&other.counted).for_each(|(sums, more)| mean::add(sums, more));
        self.digest = self.digest.wrapping_add(other.digest);
        self.usage.add(other.usage);
        self.largest = self.largest.larger(other.largest);
        self.troubles.extend(other.troubles);
        self.keep_the_first_troubles();
    }

    /// By number of game, so that it does not matter which thread met which first.
    fn keep_the_first_troubles(&mut self) {
        self.troubles.sort_by_key(|trouble| trouble.index);
        self.troubles.truncate(MOST_TROUBLES);
    }
}

impl Score {
    fn finished(&mut self, game: &Finished<'_>) {
        self.games += 1;
        match game.outcome.result {
            OutcomeResult::Tie => self.ties += 1,
            OutcomeResult::Capped => self.capped += 1,
            OutcomeResult::Win | OutcomeResult::Abandoned => {}
        }
        let winners = &game.outcome.winners;
        self.some_shared |= winners.len() > 1 && winners.len() < self.wins.len();
        self.together += u64::from(winners.len() > 1);
        self.all_won += u64::from(winners.len() > 1 && winners.len() == self.wins.len());
        self.nobody += u64::from(winners.is_empty());
        for side in 0..self.wins.len() {
            let count = match (winners.contains(&side), winners.len()) {
                (_, 0) => continue,
                (true, 1) => &mut self.wins,
                (true, _) => &mut self.shared,
                (false, _) => &mut self.lost,
            };
            count[side] += 1;
        }
        self.turns.note(game.turns);
        self.answers.note(game.answers);
        self.scopes.resize(game.scopes.len(), Spread::default());
        for (spread, begun) in self.scopes.iter_mut().zip(game.scopes) {
            spread.note(*begun);
        }
    }

    fn add(&mut self, other: &Score) {
        self.games += other.games;
        for (counts, more) in [(&mut self.wins, &other.wins), (&mut self.shared, &other.shared), (&mut self.lost, &other.lost)] {
            counts.iter_mut().zip(more).for_each(|(count, more)| *count += more);
        }
        self.ties += other.ties;
        self.together += other.together;
        self.all_won += other.all_won;
        self.nobody += other.nobody;
        self.some_shared |= other.some_shared;
        self.capped += other.capped;
        self.turns.add(other.turns);
        self.answers.add(other.answers);
        self.scopes.resize(self.scopes.len().max(other.scopes.len()), Spread::default());
        for (spread, more) in self.scopes.iter_mut().zip(&other.scopes) {
            spread.add(*more);
        }
    }

    /// Games that ended in a tie for a side: it won with others, or nobody won.
    pub fn ties_of(&self, side: usize) -> u64 {
        let of = |counts: &[u64]| counts.get(side).copied().unwrap_or(0);
        self.games.saturating_sub(self.capped + of(&self.wins) + of(&self.lost))
    }

    /// How often a side won with others, of all games that came to an end.
    pub fn shared_rate(&self, side: usize) -> Share {
        Share::of(self.shared.get(side).copied().unwrap_or(0), self.games)
    }

    /// Whether sides win with others and never alone: they play together.
    pub fn is_cooperative(&self) -> bool {
        self.together > 0 && self.wins.iter().all(|wins| *wins == 0)
    }

    /// How often a side won alone, of all games that came to an end.
    pub fn win_rate(&self, side: usize) -> Share {
        Share::of(self.wins.get(side).copied().unwrap_or(0), self.games)
    }
}

impl Spread {
    fn note(&mut self, number: u64) {
        self.sum += number;
        self.most = self.most.max(number);
    }

    fn add(&mut self, other: Spread) {
        self.sum += other.sum;
        self.most = self.most.max(other.most);
    }

    pub fn mean(&self, games: u64) -> f64 {
        if games == 0 { 0.0 } else { self.sum as f64 / games as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::PlayerSpec;
    use ludex_engine::runtime::Payoff;

    fn plan() -> Plan {
        let line_up = LineUp::Pairs(vec!["cat".to_string(), "dog".to_string()]);
        Plan { games: 8, seed: 1, line_up, players: vec![PlayerSpec::Random; 2], referee: None }
    }

    fn tally(games: impl IntoIterator<Item = u64>) -> Tally {
        let mut tally = Tally::new(&plan());
        for index in games {
            let (result, winners) = match index % 3 {
                2 => (OutcomeResult::Tie, vec![0, 1]),
                winner => (OutcomeResult::Win, vec![winner as usize]),
            };
            let outcome = Outcome {
                result,
                winners,
                scores: Vec::new(),
                payoffs: Some(vec![Payoff::of(index as i32, true), Payoff::of(-1, false)]),
                text: None,
            };
            let scopes = [1, index];
            let counted = [vec![index as i64, 3], vec![-4]];
            tally.finished(
                &plan(),
                Finished { index, outcome: &outcome, turns: index, answers: 2 * index, scopes: &scopes, counted: &counted },
            );
        }
        tally
    }

    #[test]
    fn parts_add_up_to_the_whole_in_any_order() {
        let whole = tally(0..8);
        let (mut one, mut other) = (tally([0, 3, 6, 7]), tally([5, 1, 2, 4]));
        one.add(tally([5, 1, 2, 4]));
        other.add(tally([0, 3, 6, 7]));
        assert_eq!(one, whole);
        assert_eq!(other, whole);
    }

    #[test]
    fn wins_ties_and_pairs_are_counted() {
        let tally = tally(0..8);
        assert_eq!((tally.all.games, tally.all.wins.as_slice(), tally.all.ties), (8, [3, 3].as_slice(), 2));
        assert_eq!((tally.all.shared.as_slice(), tally.all.lost.as_slice()), ([2, 2].as_slice(), [3, 3].as_slice()));
        assert_eq!(tally.pairs.iter().map(|pair| pair.games).collect::<Vec<_>>(), [2, 2, 2, 2]);
        assert_eq!(tally.all.turns, Spread { sum: 28, most: 7 });
        assert_eq!(tally.all.answers.mean(8), 7.0);
        assert_eq!((tally.all.together, tally.all.all_won, tally.all.nobody), (2, 2, 0));
        let means = |sums: &[Sums]| sums.iter().map(|sums| sums.mean().map(|mean| mean.mean)).collect::<Vec<_>>();
        assert_eq!(means(&tally.payoffs), [Some(1.75), Some(-1.0)]);
        assert_eq!(
            tally.counted.iter().map(|sums| means(sums)).collect::<Vec<_>>(),
            [vec![Some(1.75), Some(1.5)], vec![Some(-2.0)]]
        );
        assert_eq!(tally.all.scopes, [Spread { sum: 8, most: 1 }, Spread { sum: 28, most: 7 }]);
    }
}
