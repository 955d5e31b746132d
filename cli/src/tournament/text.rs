//! A tournament as text: the state of its duels, and its events.
//!
//! The page, the tables of `tournament` and its messages use these words. Names are in the form shown, without control
//! characters.

use super::duel::{Both, Duel, DuelId, DuelState, LineUp, PlayerId};
use super::journal::{Entry, Event};
use super::name;
use super::standings;
use super::state::{OverReason, Stage, Tournament};
use super::time;
use ludex_engine::problem::join_words;

impl Tournament {
    /// The state of a duel, without secrets.
    pub fn status_text(&self, duel: &Duel) -> String {
        let [first, second] = duel.players.map(|player| self.player_name(player));
        match duel.state {
            DuelState::Challenged => format!("{second} has not answered yet"),
            DuelState::Refused => format!("{second} has refused"),
            DuelState::Withdrawn => format!("{first} has withdrawn it"),
            DuelState::Finished { winner: 0 } => format!("{first} has won"),
            DuelState::Finished { .. } => format!("{second} has won"),
            DuelState::Void(reason) => format!("void, {}", reason.describe_reason()),
            DuelState::Accepted => self.progress_text(duel),
        }
    }

    /// The progress of an accepted duel, without the line-ups while they are secret.
    fn progress_text(&self, duel: &Duel) -> String {
        let [first, second] = duel.players.map(|player| self.player_name(player));
        match (self.stage_of(duel), &duel.line_ups) {
            (Some(Stage::Choosing), [Some(_), _]) => format!("{first} has chosen, {second} has not yet"),
            (Some(Stage::Choosing), [_, Some(_)]) => format!("{second} has chosen, {first} has not yet"),
            (Some(Stage::Choosing), _) => "both have to choose".to_string(),
            (Some(Stage::Same), [Some(line_up), _]) => {
                format!(
                    "both have chosen {}, and choose again unless both agree to it{}",
                    line_up_names(line_up),
                    self.agreement_text(duel)
                )
            }
            _ => match duel.both_line_ups() {
                Some(line_ups) => format!("ready, {}", self.line_ups_text(duel, line_ups)),
                None => "ready".to_string(),
            },
        }
    }

    /// The player who agrees to play the same, if one of the two does.
    fn agreement_text(&self, duel: &Duel) -> String {
        let mut agreed = duel.players.iter().zip(duel.agreed).filter(|(_, agreed)| *agreed);
        agreed.next().map(|(&player, _)| format!("; {} agrees", self.player_name(player))).unwrap_or_default()
    }

    /// The state of the tournament, in words.
    pub fn state_text(&self) -> &'static str {
        match self.over_reason() {
            None => "running",
            Some(OverReason::Closed) => "closed",
            Some(OverReason::TimeUp) => "time is up",
            Some(OverReason::AllTokens) => "one player holds every token",
        }
    }

    /// The team size in words, if it is more than one.
    pub fn team_text(&self) -> Option<String> {
        let team = self.settings.game.team.as_ref().filter(|team| team.size > 1)?;
        Some(format!("each player brings {team} to each duel"))
    }

    /// A duel in one line: its players and its state.
    pub fn summary_line(&self, duel: &Duel) -> String {
        let [first, second] = duel.players.map(|player| self.player_name(player));
        let tokens = match duel.winner_and_loser() {
            Some((winner, loser)) => format!("; {}, {}", self.holding_text(winner), self.holding_text(loser)),
            None => String::new(),
        };
        format!("duel {}, {first} against {second}: {}{tokens}", duel.id.0, self.status_text(duel))
    }

    /// The next possible step in an open duel.
    pub fn next_step(&self, duel: &Duel) -> Option<String> {
        let number = duel.id.0;
        match self.stage_of(duel)? {
            Stage::Choosing => Some(format!("`ludex tournament choose --as {}` chooses in secret", self.player_to_choose(duel))),
            Stage::Same => Some("`ludex tournament choose --as NAME` chooses again, `agree --as NAME` agrees".to_string()),
            Stage::Ready => {
                Some(format!("`ludex tournament play {number}` plays it, `report {number} --winner NAME` enters its result"))
            }
        }
    }

    /// The player who still has to choose, as typed; `NAME` if both have to.
    fn player_to_choose(&self, duel: &Duel) -> String {
        match &duel.line_ups {
            [Some(_), None] => self.typed_name(duel.players[1]),
            [None, Some(_)] => self.typed_name(duel.players[0]),
            _ => "NAME".to_string(),
        }
    }

    /// The winner of the tournament, once it is over.
    pub fn final_result(&self) -> Option<String> {
        let over = self.over_reason()?;
        let champions = standings::find_champions(self);
        let names = join_words(&champions.iter().map(|&id| self.player_name(id)).collect::<Vec<_>>(), "and");
        let why = match over {
            OverReason::Closed => "the tournament is closed",
            OverReason::TimeUp => "time is up",
            OverReason::AllTokens => "one player holds every token",
        };
        let tokens = champions.first().map(|&id| tokens_text(self.tokens_of(id))).unwrap_or_default();
        Some(match champions.len() {
            0 => why.to_string(),
            1 => format!("{why}: {names} is the champion, with {tokens}"),
            _ => format!("{why}: {names} share the championship, with {tokens} each"),
        })
    }

    /// `Ann has 3 tokens`
    fn holding_text(&self, player: PlayerId) -> String {
        format!("{} has {}", self.player_name(player), tokens_text(self.tokens_of(player)))
    }

    /// `Ann plays Otter, Bob plays Newt`
    pub fn line_ups_text(&self, duel: &Duel, line_ups: Both<&LineUp>) -> String {
        let [first, second] = duel.players.map(|player| self.player_name(player));
        let [one, other] = line_ups.map(line_up_names);
        format!("{first} plays {one}, {second} plays {other}")
    }
}

/// `1 token`, `5 tokens`
pub fn tokens_text(count: i64) -> String {
    if count == 1 { "1 token".to_string() } else { format!("{count} tokens") }
}

/// The names of a line-up.
pub fn line_up_names(line_up: &LineUp) -> String {
    join_words(&line_up.iter().map(|entrant| name::display_name(&entrant.name)).collect::<Vec<_>>(), "and")
}

impl Entry {
    /// An entry on one line.
    pub fn describe_entry(&self, tournament: &Tournament) -> String {
        let duel = self.duel.map(|DuelId(number)| format!("duel {number}: ")).unwrap_or_default();
        format!("{duel}{}", self.event.describe_event(tournament, self.duel))
    }
}

impl Event {
    /// An event in words. `duel` is the duel of its entry.
    fn describe_event(&self, tournament: &Tournament, duel: Option<DuelId>) -> String {
        let name = |player: &PlayerId| tournament.player_name(*player);
        match self {
            Event::Began => "the tournament begins".to_string(),
            Event::Joined { player } => format!("{} joins", name(player)),
            Event::CameBack { player } => format!("{} comes back", name(player)),
            Event::Left { player } => format!("{} leaves", name(player)),
            Event::Challenged { challenger, challenged } => format!("{} challenges {}", name(challenger), name(challenged)),
            Event::Accepted => "accepted".to_string(),
            Event::Refused => "refused".to_string(),
            Event::Withdrawn => "withdrawn".to_string(),
            Event::Chose { player } => format!("{} has chosen", name(player)),
            Event::Revealed { line_ups } => revealed_text(tournament, duel, line_ups),
            Event::Agreed { player } => format!("{} agrees that both play the same", name(player)),
            Event::GameBegan { .. } => "the game begins".to_string(),
            Event::Played { winner } => format!("played, {} wins", name(winner)),
            Event::Reported { winner } => format!("reported, {} wins", name(winner)),
            Event::Voided { reason, winner: None } => format!("void, {}", reason.describe_reason()),
            Event::Voided { reason, winner: Some(winner) } => {
                format!("void, {}; {} had won", reason.describe_reason(), name(winner))
            }
            Event::NotCounted => "a game ended that does not count".to_string(),
            Event::DeadlineMoved { deadline } => format!("the deadline is now {}", time::local_time_text(*deadline)),
            Event::TimeUp => "time is up".to_string(),
            Event::Closed { champions } => match join_words(&champions.iter().map(name).collect::<Vec<_>>(), "and") {
                champions if champions.is_empty() => "the tournament is closed".to_string(),
                champions => format!("the tournament is closed; champion: {champions}"),
            },
            Event::PageChosen => "a page for the wall is written from now on".to_string(),
            Event::PageDropped => "the page for the wall is no longer written".to_string(),
        }
    }
}

/// Both line-ups of a duel.
fn revealed_text(tournament: &Tournament, duel: Option<DuelId>, [first, second]: &Both<LineUp>) -> String {
    let duel = duel.and_then(|duel| tournament.duels.get(&duel));
    duel.map(|duel| tournament.line_ups_text(duel, [first, second])).unwrap_or_default()
}
