//! How large the screen must be, and what colours mean. None is the only sign of what it says: there is a word or a sign beside it.

use crate::terminal::Tone;
use ratatui::style::{Color, Modifier, Style};

/// A smaller terminal cannot show all of it.
pub const LEAST_WIDTH: u16 = 80;
pub const LEAST_HEIGHT: u16 = 24;

#[derive(Clone, Copy, Debug, Default)]
pub struct Look {
    pub colour: bool,
}

/// What a stretch of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    Plain,
    Strong,
    Quiet,
    /// A line between two parts of the screen.
    Rule,
    /// The side of whoever looks; `you` stands behind its name.
    Mine,
    /// Another side; who plays it stands behind its name.
    Theirs,
    /// A number that is less than when the viewer was asked last: [`FELL`].
    Fell,
    /// One that is more: [`ROSE`].
    Rose,
    /// What can be chosen now: [`LEGAL`], or its number.
    Legal,
    /// The move that Enter takes, and its pieces: [`CHOSEN`].
    Chosen,
    /// Something is not as it should be.
    Bad,
}

pub const FELL: &str = "▼";
pub const ROSE: &str = "▲";
pub const LEGAL: &str = "*";
pub const CHOSEN: &str = "▸";
/// Before what has happened since the viewer was asked last.
pub const NEW: &str = "•";
/// Before the side whose turn it is.
pub const ON_TURN: &str = "▸";

impl Look {
    pub fn style(self, sense: Sense) -> Style {
        let plain = Style::new();
        let bold = plain.add_modifier(Modifier::BOLD);
        let (style, colour) = match sense {
            Sense::Plain => (plain, None),
            Sense::Strong => (bold, None),
            Sense::Quiet | Sense::Rule => (plain.add_modifier(Modifier::DIM), None),
            Sense::Mine => (bold, Some(Color::Cyan)),
            Sense::Theirs => (bold, Some(Color::Magenta)),
            Sense::Fell => (bold, Some(Color::Red)),
            Sense::Rose => (bold, Some(Color::Yellow)),
            Sense::Legal => (plain, Some(Color::Green)),
            Sense::Chosen => (plain.add_modifier(Modifier::REVERSED), None),
            Sense::Bad => (bold, Some(Color::Yellow)),
        };
        match colour.filter(|_| self.colour) {
            Some(colour) => style.fg(colour),
            None => style,
        }
    }

    pub fn tone(self, tone: Option<Tone>) -> Style {
        self.style(match tone {
            None => Sense::Plain,
            Some(Tone::Heading | Tone::Strong) => Sense::Strong,
            Some(Tone::Quiet) => Sense::Quiet,
            Some(Tone::Number) => Sense::Legal,
            Some(Tone::Bad) => Sense::Bad,
        })
    }
}
