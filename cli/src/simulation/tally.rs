//! Counts over many games. Tallies of different games can be added in any order.

use super::interval::Share;
use super::mean::{self, Sums};
use super::plan::{LineUp, Plan};
use super::trouble::{MOST_TROUBLES, Trouble};
use ludex_bots::digest;
use ludex_bots::score::{FinishedGame, Score};
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
    /// The numbers of moves, abilities, cards and events; empty unless requested.
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
        Share::from_counts(self.wins, self.games)
    }

    pub fn add_wins(self, other: Wins) -> Wins {
        Wins { wins: self.wins + other.wins, games: self.games + other.games }
    }
}

impl Tally {
    /// An empty tally for the games of a plan.
    pub fn new(plan: &Plan) -> Tally {
        let score = Score::new(plan.players.len());
        Tally {
            pairs: vec![score.clone(); plan.pair_count()],
            drawn: vec![Wins::default(); plan.entrant_pool().len()],
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
    pub fn without_groups(plan: &Plan) -> Tally {
        Tally::new(&Plan { line_up: LineUp::Same(Vec::new()), ..plan.clone() })
    }

    /// Adds a game and its selected counters, in halves: by side, or once for the table. The plan tells which pair or teams
    /// played.
    pub fn add_game(&mut self, plan: &Plan, game: &FinishedGame<'_>, counted: &[Vec<i64>]) {
        self.all.add_game(game);
        if let Some(score) = plan.pair_of_game(game.index).and_then(|pair| self.pairs.get_mut(pair)) {
            score.add_game(game);
        }
        if let Some(payoffs) = &game.outcome.payoffs {
            let halves: Vec<i64> = payoffs.iter().map(|payoff| payoff.half_count()).collect();
            mean::add_values(&mut self.payoffs, &halves);
        }
        if !counted.is_empty() {
            self.counted.resize(counted.len(), Vec::new());
            self.counted.iter_mut().zip(counted).for_each(|(sums, counted)| mean::add_values(sums, counted));
        }
        if let Some(teams) = plan.draw_teams(game.index) {
            self.add_team_game(teams, &game.outcome.winners);
        }
        self.digest = self.digest.wrapping_add(digest::game_digest(game));
    }

    /// Adds a game of two teams.
    fn add_team_game(&mut self, teams: [Vec<u64>; 2], winners: &[usize]) {
        for (side, team) in teams.into_iter().enumerate() {
            let won = u64::from(winners == [side]);
            for member in team {
                if let Some(wins) = self.drawn.get_mut(member as usize) {
                    *wins = wins.add_wins(Wins { wins: won, games: 1 });
                }
            }
        }
    }

    /// Counts a game in which something went wrong, and keeps it if it is among the first.
    pub fn add_trouble(&mut self, trouble: Trouble) {
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

    pub fn add_tally(&mut self, other: Tally) {
        self.all.add_score(&other.all);
        for (score, more) in self.pairs.iter_mut().zip(&other.pairs) {
            score.add_score(more);
        }
        for (wins, more) in self.drawn.iter_mut().zip(&other.drawn) {
            *wins = wins.add_wins(*more);
        }
        self.faults += other.faults;
        self.failed_checks += other.failed_checks;
        self.checked += other.checked;
        mean::merge_sums(&mut self.payoffs, &other.payoffs);
        self.counted.resize(self.counted.len().max(other.counted.len()), Vec::new());
        self.counted.iter_mut().zip(&other.counted).for_each(|(sums, more)| mean::merge_sums(sums, more));
        self.digest = self.digest.wrapping_add(other.digest);
        self.usage.add_usage(other.usage);
        self.largest = self.largest.maximum_of_each(other.largest);
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
                payoffs: Some(vec![Payoff::from_value(index as i32, true), Payoff::from_value(-1, false)]),
                text: None,
            };
            let scopes = [1, index];
            let counted = [vec![index as i64, 3], vec![-4]];
            let game = FinishedGame { index, outcome: &outcome, turns: index, answers: 2 * index, scopes: &scopes };
            tally.add_game(&plan(), &game, &counted);
        }
        tally
    }

    #[test]
    fn parts_add_up_to_the_whole_in_any_order() {
        let whole = tally(0..8);
        let (mut one, mut other) = (tally([0, 3, 6, 7]), tally([5, 1, 2, 4]));
        one.add_tally(tally([5, 1, 2, 4]));
        other.add_tally(tally([0, 3, 6, 7]));
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
        assert_eq!(tally.all.answers.mean_per_game(8), 7.0);
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
