//! The scene of each viewer while a player is asked, made from their view and from the events reported to them.

use super::Terminal;
use super::event_text::{is_routine_answer, story_lines};
use super::scene::{LastSeenTable, Scene};
use crate::game::Seat;
use crate::table::{Stage, view_areas};
use ludex_engine::runtime::{Decision, Event, Viewer};

impl Terminal<'_> {
    /// A viewer's scene without a question.
    pub(super) fn viewer_scene(&self, viewer: Viewer) -> Scene {
        let session = self.game.session();
        let seat = if let Viewer::Seat(seat) = viewer { Some(seat) } else { None };
        let seen = seat.and_then(|seat| self.before.get(&seat)).map_or(0, |before| before.heard.min(self.log.len()));
        let (known, news) = (self.story_events(viewer, 0, seen), self.story_events(viewer, seen, self.log.len()));
        let stage = Stage::from_events(known.iter().chain(&news)).scope_texts();
        let known = story_lines(&known, &self.sides);
        let count = known.len();
        Scene {
            title: session.program().title.clone(),
            stage,
            areas: view_areas(session.program(), &session.view(viewer)),
            before: seat.and_then(|seat| self.before.get(&seat)).map(|before| before.areas.clone()).unwrap_or_default(),
            names: self.sides.clone(),
            players: self.players_for(seat),
            seat,
            story: known.into_iter().chain(story_lines(&news, &self.sides)).collect(),
            known: count,
            choices: None,
        }
    }

    /// The events from the place `from` of the log up to `to` that a viewer may know, without routine answers.
    pub(super) fn story_events(&self, viewer: Viewer, from: usize, to: usize) -> Vec<Event> {
        let part = self.log.events().take(to).skip(from);
        part.filter(|event| event.seen_by(viewer).is_some() && !is_routine_answer(event, self.game.seats())).cloned().collect()
    }

    /// Remembers the table as the seat that is asked leaves it, on faces that show what has changed since.
    pub(super) fn remember_table(&mut self, decision: &Decision) {
        if !self.face.shows_all() {
            return;
        }
        let session = self.game.session();
        let now = view_areas(session.program(), &session.view(Viewer::Seat(decision.seat)));
        self.before.insert(decision.seat, LastSeenTable { heard: self.log.len(), areas: now });
    }

    /// The player of each seat, as the person at the seat `viewer` would put it: `you`, `greedy bot`.
    pub(super) fn players_for(&self, viewer: Option<usize>) -> Vec<String> {
        let player = |other: &Seat| match (Some(other.number) == viewer, other.player.as_str()) {
            // People who share a terminal need to know which of them is meant.
            (true, name) if name != "human" && !other.is_bot() => format!("you, {name}"),
            (true, _) => "you".to_string(),
            (false, _) => self.player_text(other),
        };
        self.game.seats().iter().map(player).collect()
    }
}
