//! The bundled games, with the line-ups played here.

#[path = "../../tests/benches/shipped/files.rs"]
mod files;

use ludex_engine::Compile;
use ludex_engine::library::{CompileRequest, Library};
use ludex_engine::program::Program;
use ludex_engine::runtime::{Dice, Setup};
use std::sync::Arc;

/// A game with its line-up.
pub struct Play {
    pub game: &'static str,
    pub mode: &'static str,
    pub sides: &'static [&'static [&'static str]],
}

/// Each bundled game, and every mode with hidden information.
pub const PLAYS: &[Play] = &[
    Play { game: "dice-challenge", mode: "standard", sides: &[&["sailor-mercury"], &["kunzite"]] },
    Play { game: "dice-challenge", mode: "single-combat", sides: &[&["sailor-mercury", "sailor-mars"], &["kunzite", "rubeus"]] },
    Play { game: "season-3", mode: "tag-team", sides: &[&["sailor-pluto", "tellu"], &["kunzite", "sailor-saturn"]] },
    Play { game: "dicewing", mode: "standard", sides: &[&[], &[]] },
    Play { game: "tri-stat", mode: "standard", sides: &[&["sailor-moon", "sailor-mercury"], &["dark-queen"]] },
    Play { game: "sailor-moon-ccg", mode: "standard", sides: &[&["moon"], &["mercury"]] },
    Play { game: "sailor-moon-ccg", mode: "standard", sides: &[&["moon"], &["past"], &["future"]] },
    Play { game: "sailor-moon-ccg", mode: "basic", sides: &[&["intro-a"], &["intro-b"]] },
];

const GAMES: [&str; 5] = ["dice-challenge", "season-3", "dicewing", "tri-stat", "sailor-moon-ccg"];

/// The rules, sheets and scripts of all of them.
pub fn library() -> Library {
    Library::new(GAMES.into_iter().flat_map(|game| files::of_game(".", game)).collect()).0
}

impl Play {
    pub fn name(&self) -> String {
        format!("{} {} with {}", self.game, self.mode, self.sides.len())
    }

    /// The arguments of `ludex host` with outside players at all seats.
    pub fn arguments(&self) -> Vec<String> {
        self.with_players(|_| "")
    }

    /// The same, but with this bot at all seats after the first.
    pub fn arguments_against(&self, bot: &str) -> Vec<String> {
        self.with_players(|side| if side == 0 { "" } else { bot })
    }

    fn with_players<'p>(&self, player: impl Fn(usize) -> &'p str) -> Vec<String> {
        let seat = |(side, ids): (usize, &&[&str])| match (ids.join(","), player(side)) {
            (ids, "") if ids.is_empty() => None,
            (ids, "") => Some(format!("{side}={ids}")),
            (ids, player) => Some(format!("{side}={ids}:{player}")),
        };
        let seats = self.sides.iter().enumerate().filter_map(seat).flat_map(|seat| ["--seat".to_string(), seat]);
        [self.game, "--mode", self.mode].into_iter().map(String::from).chain(seats).collect()
    }

    pub fn compile(&self, library: &Library) -> Arc<Program> {
        let wanted = CompileRequest { mode: Some(self.mode.to_string()), ..CompileRequest::default() };
        let (program, problems) = library.compile(self.game, &wanted);
        Arc::new(program.unwrap_or_else(|| panic!("the bundled game compiles: {problems:?}")))
    }

    pub fn setup(&self, seed: u64) -> Setup {
        let sides = self.sides.iter().map(|ids| ids.iter().map(ToString::to_string).collect()).collect();
        Setup { sides, seed: seed.into(), dice: Dice::Seeded, position: None, names: Vec::new(), watched: true }
    }
}
