//! The minimum size of the screen, and the meaning of colours. A colour is never the only sign: a word or a symbol goes with it.

use crate::terminal::Tone;
use ratatui::style::{Color, Modifier, Style};

/// A smaller terminal cannot show the whole screen.
pub const LEAST_WIDTH: u16 = 80;
pub const LEAST_HEIGHT: u16 = 24;

/// Turns meanings into styles, with or without colours.
#[derive(Clone, Copy, Debug, Default)]
pub struct Look {
    pub colour: bool,
}

/// The meaning of a stretch of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    Plain,
    Strong,
    Quiet,
    /// A line between two parts of the screen.
    Rule,
    /// The viewer's own side; `you` follows its name.
    Mine,
    /// Another side; its player follows its name.
    Theirs,
    /// A number that has fallen since the viewer was last asked: [`FELL`].
    Fell,
    /// A number that has risen: [`ROSE`].
    Rose,
    /// Something that can be chosen now: [`LEGAL`], or its number.
    Legal,
    /// The move that Enter takes, and its pieces: [`CHOSEN`].
    Chosen,
    /// An error.
    Bad,
}

pub const FELL: &str = "▼";
pub const ROSE: &str = "▲";
pub const LEGAL: &str = "*";
pub const CHOSEN: &str = "▸";
/// Marks events since the viewer was last asked.
pub const NEW: &str = "•";
/// Marks the side whose turn it is.
pub const ON_TURN: &str = "▸";

impl Look {
    pub fn sense_style(self, sense: Sense) -> Style {
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

    /// The style of a message of `terminal` in this tone.
    pub fn tone_style(self, tone: Option<Tone>) -> Style {
        self.sense_style(match tone {
            None => Sense::Plain,
            Some(Tone::Heading | Tone::Strong) => Sense::Strong,
            Some(Tone::Quiet) => Sense::Quiet,
            Some(Tone::Number) => Sense::Legal,
            Some(Tone::Bad) => Sense::Bad,
        })
    }
}
