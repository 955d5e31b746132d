//! The standings: the tokens of each player, and the winner.

use super::duel::{Duel, DuelState, PlayerId};
use super::state::Tournament;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A player in the standings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The rank; players with equally many tokens share it.
    pub rank: usize,
    pub player: PlayerId,
    pub tokens: i64,
    pub won: usize,
    pub lost: usize,
    pub status: Status,
}

/// The status of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// In no duel, and open to challenges.
    Free,
    InDuel(i64),
    /// Without tokens.
    Out,
    Left,
}

impl Status {
    pub fn describe_status(self) -> String {
        match self {
            Status::Free => "free".to_string(),
            Status::InDuel(number) => format!("in duel {number}"),
            Status::Out => "out".to_string(),
            Status::Left => "left".to_string(),
        }
    }
}

/// All players: those with the most tokens first, ties in order of joining.
pub fn standing_rows(tournament: &Tournament) -> Vec<Row> {
    let tokens = tournament.tokens_by_player();
    let (won, lost) = wins_and_losses(tournament);
    let in_duel = accepted_duels(tournament);
    let count = |counts: &BTreeMap<PlayerId, usize>, id| counts.get(&id).copied().unwrap_or(0);
    let status = |id: PlayerId, tokens: i64, left: bool| match in_duel.get(&id) {
        _ if left => Status::Left,
        _ if tokens <= 0 => Status::Out,
        Some(&number) => Status::InDuel(number),
        None => Status::Free,
    };
    let row = |id: PlayerId, tokens: i64| {
        let left = tournament.players.get(&id).is_some_and(|player| player.left.is_some());
        Row { rank: 0, player: id, tokens, won: count(&won, id), lost: count(&lost, id), status: status(id, tokens, left) }
    };
    let mut rows: Vec<Row> = tokens.iter().map(|(&id, &tokens)| row(id, tokens)).collect();
    rows.sort_by_key(|row| (Reverse(row.tokens), row.player));
    assign_ranks(&mut rows);
    rows
}

/// The rows must be sorted by tokens.
fn assign_ranks(rows: &mut [Row]) {
    let mut before: Option<(i64, usize)> = None;
    for (place, row) in rows.iter_mut().enumerate() {
        row.rank = before.filter(|(tokens, _)| *tokens == row.tokens).map_or(place + 1, |(_, rank)| rank);
        before = Some((row.tokens, row.rank));
    }
}

/// The number of duels that each player has won and lost.
fn wins_and_losses(tournament: &Tournament) -> (BTreeMap<PlayerId, usize>, BTreeMap<PlayerId, usize>) {
    let (mut won, mut lost) = (BTreeMap::new(), BTreeMap::new());
    for (winner, loser) in tournament.duels.values().filter_map(Duel::winner_and_loser) {
        *won.entry(winner).or_default() += 1;
        *lost.entry(loser).or_default() += 1;
    }
    (won, lost)
}

/// The number of the accepted duel of each player who is in one.
fn accepted_duels(tournament: &Tournament) -> BTreeMap<PlayerId, i64> {
    let accepted = tournament.duels.values().filter(|duel| duel.state == DuelState::Accepted);
    accepted.flat_map(|duel| duel.players.map(|player| (player, duel.id.0))).collect()
}

/// The players with the most tokens: one, or several who share the championship.
pub fn find_champions(tournament: &Tournament) -> Vec<PlayerId> {
    standing_rows(tournament).into_iter().filter(|row| row.rank == 1).map(|row| row.player).collect()
}
