//! Counts over many games. Tallies of different games can be added in any order.

use super::interval::Share;
use super::mean::{self, Sums};
use super::plan::{LineUp, Plan};
use super::trouble::{MOST_TROUBLES, Trouble};
use ludex_bots::digest;
use ludex_bots::score::{Finished, Score};
use ludex_bots::usage::Usage;
use ludex_engine::runtime::Usage as Budgets;
use serde::{Deserialize, Serialize};

/// The results of some games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    pub all: Score,
    /// For each ordered pair, if pairs are counted separately.
    pub pairs: Vec<Score>,
    /// For each entrant that teams are drawn from.
    pub drawn: Vec<Wins>,
    /// Games that ended with a fault of the rules or an ability.
    pub faults: u64,
    /// Games in which a check failed.
    pub failed_checks: u64,
    /// Games that were checked answer by answer.
    pub checked: u64,
    /// By side, over the games with payoffs.
    pub payoffs: Vec<Sums>,
    /// For each selected counter: by side, or once for the table.
    pub counted: Vec<Vec<Sums>>,
    /// Digest of all outcomes.
    pub digest: u64,
    pub usage: Usage,
    /// The largest use of each budget of play.
    pub largest: Budgets,
    /// The first faults and failed checks, in the order of the games. They are not stored: the seed reproduces them.
    #[serde(skip)]
    pub troubles: Vec<Trouble>,
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

impl Tally {
    pub fn new(plan: &Plan) -> Tally {
        let score = Score::new(plan.players.len());
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

    /// A tally without separate counts for pairs or drawn entrants.
    pub fn of_all(plan: &Plan) -> Tally {
        Tally::new(&Plan { line_up: LineUp::Same(Vec::new()), ..plan.clone() })
    }

    /// Adds a game and its selected counters, in halves: by side, or once for the table.
    pub fn finished(&mut self, plan: &Plan, game: &Finished<'_>, counted: &[Vec<i64>]) {
        self.all.finished(game);
        if let Some(score) = plan.pair_of(game.index).and_then(|pair| self.pairs.get_mut(pair)) {
            score.finished(game);
        }
        if let Some(payoffs) = &game.outcome.payoffs {
            let halves: Vec<i64> = payoffs.iter().map(|payoff| payoff.halves()).collect();
            mean::note(&mut self.payoffs, &halves);
        }
        if !counted.is_empty() {
            self.counted.resize(counted.len(), Vec::new());
            self.counted.iter_mut().zip(counted).for_each(|(sums, counted)| mean::note(sums, counted));
        }
        if let Some(teams) = plan.teams(game.index) {
            self.finished_by(teams, &game.outcome.winners);
        }
        self.digest = self.digest.wrapping_add(digest::of_game(game));
    }

    /// Adds a game of two teams.
    fn finished_by(&mut self, teams: [Vec<u64>; 2], winners: &[usize]) {
        for (side, team) in teams.into_iter().enumerate() {
            let won = u64::from(winners == [side]);
            for member in team {
                if let Some(wins) = self.drawn.get_mut(member as usize) {
                    *wins = wins.and(Wins { wins: won, games: 1 });
                }
            }
        }
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

    /// Keeps the first by number of game, independent of the threads.
    fn keep_the_first_troubles(&mut self) {
        self.troubles.sort_by_key(|trouble| trouble.index);
        self.troubles.truncate(MOST_TROUBLES);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::PlayerSpec;
    use ludex_bots::score::Spread;
    use ludex_engine::runtime::{Outcome, OutcomeResult, Payoff};

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
            let game = Finished { index, outcome: &outcome, turns: index, answers: 2 * index, scopes: &scopes };
            tally.finished(&plan(), &game, &counted);
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
