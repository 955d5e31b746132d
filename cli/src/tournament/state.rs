//! A tournament as plain data.
//!
//! A token is a point that the loser of a duel gives to the winner.

use super::duel::{Duel, DuelId, DuelState, PlayerId};
use super::journal::Entry;
use super::name;
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::path::PathBuf;

/// The complete state of a tournament, except older entries of its journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tournament {
    pub settings: Settings,
    pub players: BTreeMap<PlayerId, Player>,
    pub duels: BTreeMap<DuelId, Duel>,
    /// The journal entries that the current operation adds.
    pub entries: Vec<Entry>,
    /// The recordings of games that the current operation adds.
    pub recordings: Vec<(DuelId, String)>,
}

/// The settings of a tournament, and its progress. Only the deadline and the page can be changed later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    pub game: Game,
    /// The number of tokens each player starts with.
    pub tokens: i64,
    pub organiser: String,
    pub created: Timestamp,
    /// A result counts if it is recorded before this moment.
    pub deadline: Timestamp,
    /// True once the deadline has been applied and open duels have become void.
    pub time_up: bool,
    pub closed: Option<Timestamp>,
    /// The page for the wall, written again after every operation.
    pub page: Option<PathBuf>,
}

/// The game of all duels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    pub id: String,
    pub title: String,
    pub mode: String,
    /// All options, as written on the command line.
    pub options: BTreeMap<String, String>,
    pub package_hash: String,
    /// The team a player brings to each duel; `None` if sides bring nothing.
    pub team: Option<Team>,
}

/// The number of entrants a player brings, and their name in the rules: `2 characters`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Team {
    pub size: usize,
    pub entrants: String,
}

/// A player, who may have left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    pub id: PlayerId,
    pub name: String,
    pub joined: Timestamp,
    pub left: Option<Timestamp>,
}

/// The progress of an accepted duel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// One or both have not chosen yet.
    Choosing,
    /// Both have chosen the same: they choose again, unless both agree to it.
    Same,
    /// The game can begin.
    Ready,
}

/// The reason that a tournament is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverReason {
    Closed,
    TimeUp,
    /// One player holds every token.
    AllTokens,
}

impl Display for Team {
    fn fmt(&self, formatter: &mut Formatter) -> fmt::Result {
        write!(formatter, "{} {}", self.size, self.entrants)
    }
}

impl Tournament {
    /// A tournament without players.
    pub fn new(settings: Settings) -> Tournament {
        Tournament { settings, players: BTreeMap::new(), duels: BTreeMap::new(), entries: Vec::new(), recordings: Vec::new() }
    }

    /// The progress of a duel; `None` if it is not accepted or is over.
    pub fn stage_of(&self, duel: &Duel) -> Option<Stage> {
        let chosen = self.settings.game.team.is_none() || duel.both_line_ups().is_some();
        match duel.state {
            DuelState::Accepted if !chosen => Some(Stage::Choosing),
            DuelState::Accepted if duel.has_same_line_ups() && duel.agreed != [true, true] => Some(Stage::Same),
            DuelState::Accepted => Some(Stage::Ready),
            _ => None,
        }
    }

    /// The number of tokens of each player. It is computed from the duels and never stored, so that tokens cannot get lost.
    pub fn tokens_by_player(&self) -> BTreeMap<PlayerId, i64> {
        let mut tokens: BTreeMap<PlayerId, i64> = self.players.keys().map(|&id| (id, self.settings.tokens)).collect();
        for duel in self.duels.values() {
            if let Some((winner, loser)) = duel.winner_and_loser() {
                *tokens.entry(winner).or_default() += 1;
                *tokens.entry(loser).or_default() -= 1;
            }
        }
        tokens
    }

    pub fn tokens_of(&self, player: PlayerId) -> i64 {
        self.tokens_by_player().get(&player).copied().unwrap_or_default()
    }

    /// The name of a player in the form shown.
    pub fn player_name(&self, player: PlayerId) -> String {
        self.players.get(&player).map(|player| name::display_name(&player.name)).unwrap_or_default()
    }

    /// The name of a player as typed after `--as`.
    pub fn typed_name(&self, player: PlayerId) -> String {
        self.players.get(&player).map(|player| name::quote_for_shell(&player.name)).unwrap_or_default()
    }

    /// The accepted duel of a player; there is at most one.
    pub fn accepted_duel(&self, player: PlayerId) -> Option<&Duel> {
        self.duels.values().find(|duel| duel.state == DuelState::Accepted && duel.side_of(player).is_some())
    }

    /// The first reason that the tournament is over; `None` while it is running.
    pub fn over_reason(&self) -> Option<OverReason> {
        if self.settings.closed.is_some() {
            return Some(OverReason::Closed);
        }
        if self.settings.time_up {
            return Some(OverReason::TimeUp);
        }
        let holders = self.tokens_by_player().values().filter(|&&tokens| tokens > 0).count();
        (self.players.len() > 1 && holders == 1).then_some(OverReason::AllTokens)
    }
}
