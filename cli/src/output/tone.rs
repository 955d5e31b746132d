//! Tones of text: marks that only this process can write, turned into colours on output.
//!
//! Output contains words from files and people. All terminal control characters are removed from the whole text at the end, so
//! our own colours cannot be in it before that. A mark of randomly drawn characters, unknown to others, stands for them.

use ludex_engine::visible;
use std::borrow::Cow;
use std::sync::LazyLock;

/// The role of a stretch of text, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Heading,
    Strong,
    Quiet,
    Number,
    Bad,
}

/// Tones, with the characters that mark them and their terminal codes.
const TONES: [(Tone, char, &str); 5] = [
    (Tone::Heading, 'h', "\u{1b}[1;36m"),
    (Tone::Strong, 's', "\u{1b}[1m"),
    (Tone::Quiet, 'q', "\u{1b}[2m"),
    (Tone::Number, 'n', "\u{1b}[36m"),
    (Tone::Bad, 'b', "\u{1b}[33m"),
];
/// The end of a tone.
const END: (char, &str) = ('e', "\u{1b}[0m");

/// The first of 32 noncharacters from which the mark is drawn.
const FIRST_SIGN: u32 = 0xfdd0;
/// The number of characters in the mark: too many to guess.
const SIGNS: usize = 24;

/// The prefix of all marks. Without a source of randomness, text is not coloured.
static MARK: LazyLock<Option<String>> = LazyLock::new(|| {
    let mut bytes = [0_u8; SIGNS];
    getrandom::fill(&mut bytes).ok()?;
    bytes.iter().map(|byte| char::from_u32(FIRST_SIGN + u32::from(byte % 32))).collect()
});

/// Marks a text with a tone. Only for text on a coloured terminal.
pub fn paint_text(tone: Tone, text: &str) -> String {
    let sign = TONES.iter().find(|(known, _, _)| *known == tone).map(|(_, sign, _)| sign);
    match (MARK.as_ref(), sign) {
        (Some(mark), Some(sign)) if !text.is_empty() => format!("{mark}{sign}{text}{mark}{}", END.0),
        _ => text.to_string(),
    }
}

/// The final form of a text: its only control codes are the colours of its marks.
pub fn render_tones(text: &str) -> Cow<'_, str> {
    let Some(mark) = MARK.as_ref().filter(|mark| text.contains(mark.as_str())) else { return visible::clean_lines(text) };
    let mut parts = text.split(mark.as_str());
    let mut out = parts.next().map(visible::clean_lines).unwrap_or_default().into_owned();
    for part in parts {
        let mut signs = part.chars();
        out.push_str(signs.next().map_or("", tone_code));
        out.push_str(&visible::clean_lines(signs.as_str()));
    }
    out.into()
}

/// A text without its marks, with the same display width.
pub fn strip_tones(text: &str) -> Cow<'_, str> {
    let Some(mark) = MARK.as_ref().filter(|mark| text.contains(mark.as_str())) else { return visible::clean_lines(text) };
    let mut parts = text.split(mark.as_str());
    let first = parts.next().unwrap_or_default();
    let rest = parts.map(|part| part.get(1..).unwrap_or_default());
    visible::clean_lines(&std::iter::once(first).chain(rest).collect::<String>()).into_owned().into()
}

/// The terminal code for the character after a mark; empty if it is none of ours.
fn tone_code(sign: char) -> &'static str {
    let tone = TONES.iter().find(|(_, known, _)| *known == sign).map(|(_, _, code)| *code);
    tone.unwrap_or(if sign == END.0 { END.1 } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_tones_become_colours_and_those_of_others_signs() {
        let text = format!("{} and \u{1b}[31mred\u{fdd0}s", paint_text(Tone::Strong, "bold\u{1b}[0m\u{202e}"));
        assert_eq!(render_tones(&text), "\u{1b}[1mbold␛[0m<U+202E>\u{1b}[0m and ␛[31mred<U+FDD0>s");
        assert_eq!(strip_tones(&text), "bold␛[0m<U+202E> and ␛[31mred<U+FDD0>s");
    }

    #[test]
    fn plain_text_stays() {
        assert_eq!(render_tones("é\n"), "é\n");
        assert_eq!(paint_text(Tone::Quiet, ""), "");
    }
}
