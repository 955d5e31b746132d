//! A tournament as plain data.

use super::duel::{Duel, DuelId, DuelState, PlayerId};
use super::journal::Entry;
use super::name;
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::path::PathBuf;

/// Everything there is to know of a tournament, except what was written down in its journal before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tournament {
    pub settings: Settings,
    pub players: BTreeMap<PlayerId, Player>,
    pub duels: BTreeMap<DuelId, Duel>,
    /// What the present operation adds to the journal.
    pub entries: Vec<Entry>,
    /// The recordings of games that the present operation adds.
    pub recordings: Vec<(DuelId, String)>,
}

/// What was fixed when the tournament began, and how far it has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    pub game: Game,
    /// How many tokens each player starts with.
    pub tokens: i64,
    pub organiser: String,
    pub created: Timestamp,
    /// A result counts if it is recorded before this moment.
    pub deadline: Timestamp,
    /// The deadline has passed, and the duels that were open then are void.
    pub time_up: bool,
    pub closed: Option<Timestamp>,
    /// The page for the wall, which is written anew after every operation.
    pub page: Option<PathBuf>,
}

/// The game that all duels are played in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    pub id: String,
    pub title: String,
    pub mode: String,
    /// All options in the words of the command line.
    pub options: BTreeMap<String, String>,
    pub package_hash: String,
    /// Whom a player brings to each duel; none where sides bring nothing.
    pub team: Option<Team>,
}

/// How many a player brings, and what the rules call them: `2 characters`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Team {
    pub size: usize,
    pub entrants: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    pub id: PlayerId,
    pub name: String,
    pub joined: Timestamp,
    pub left: Option<Timestamp>,
}

/// How far a duel that was accepted has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// One or both have not chosen yet.
    Choosing,
    /// Both have chosen the same: they choose again, unless both agree to it.
    Same,
    Ready,
}

/// Why a tournament is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
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
    pub fn new(settings: Settings) -> Tournament {
        Tournament { settings, players: BTreeMap::new(), duels: BTreeMap::new(), entries: Vec::new(), recordings: Vec::new() }
    }

    /// How far a duel has come; none if it was not accepted, or is over.
    pub fn stage(&self, duel: &Duel) -> Option<Stage> {
        let chosen = self.settings.game.team.is_none() || duel.revealed().is_some();
        match duel.state {
            DuelState::Accepted if !chosen => Some(Stage::Choosing),
            DuelState::Accepted if duel.is_same() && duel.agreed != [true, true] => Some(Stage::Same),
            DuelState::Accepted => Some(Stage::Ready),
            _ => None,
        }
    }

    /// How many tokens each player holds. They are counted from the duels and kept nowhere, so that none can get lost.
    pub fn tokens(&self) -> BTreeMap<PlayerId, i64> {
        let mut tokens: BTreeMap<PlayerId, i64> = self.players.keys().map(|&id| (id, self.settings.tokens)).collect();
        for duel in self.duels.values() {
            if let Some((winner, loser)) = duel.result() {
                *tokens.entry(winner).or_default() += 1;
                *tokens.entry(loser).or_default() -= 1;
            }
        }
        tokens
    }

    pub fn tokens_of(&self, player: PlayerId) -> i64 {
        self.tokens().get(&player).copied().unwrap_or_default()
    }

    /// The name of a player as it may be shown.
    pub fn name(&self, player: PlayerId) -> String {
        self.players.get(&player).map(|player| name::shown(&player.name)).unwrap_or_default()
    }

    /// The name of a player as it is typed after `--as`.
    pub fn typed_name(&self, player: PlayerId) -> String {
        self.players.get(&player).map(|player| name::typed(&player.name)).unwrap_or_default()
    }

    /// The duel that a player has accepted, or whose challenge was accepted: there is at most one.
    pub fn accepted_duel(&self, player: PlayerId) -> Option<&Duel> {
        self.duels.values().find(|duel| duel.state == DuelState::Accepted && duel.side(player).is_some())
    }

    /// Why the tournament is over, by the first reason that holds; none while it goes on.
    pub fn over(&self) -> Option<Over> {
        if self.settings.closed.is_some() {
            return Some(Over::Closed);
        }
        if self.settings.time_up {
            return Some(Over::TimeUp);
        }
        let holders = self.tokens().values().filter(|&&tokens| tokens > 0).count();
        (self.players.len() > 1 && holders == 1).then_some(Over::AllTokens)
    }
}
