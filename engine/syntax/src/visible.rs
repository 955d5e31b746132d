//! Makes text from files and people harmless: control characters and invisible characters are replaced by visible ones.
//!
//! All output for people passes through here, and no other code replaces characters. So a text looks the same wherever it is
//! shown, and its width is that of the visible text.

use std::borrow::Cow;
use std::fmt::Write;

/// The treatment of a character.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Treatment {
    /// Shown as it is.
    Kept,
    /// Replaced by a space.
    Blank,
    /// Part of another system's line end.
    Dropped,
    /// Replaced by its name.
    Named,
    /// Kept between two characters that may need it, as in a composed emoji; replaced by its name elsewhere.
    Joiner,
}

/// Cleans a text of several lines. Line ends stay, tabs become spaces, and other control or invisible characters are replaced by
/// their names: `␛`, `<U+202E>`.
pub fn clean_lines(text: &str) -> Cow<'_, str> {
    replace_signs(text, |sign, next| match sign {
        '\n' => Treatment::Kept,
        '\t' => Treatment::Blank,
        '\r' if next == Some('\n') => Treatment::Dropped,
        _ => sign_treatment(sign),
    })
}

/// Cleans a text for one line: line ends are shown as `␊`.
pub fn clean_line(text: &str) -> Cow<'_, str> {
    replace_signs(text, |sign, next| match sign {
        '\t' => Treatment::Blank,
        '\r' if next == Some('\n') => Treatment::Dropped,
        _ => sign_treatment(sign),
    })
}

/// Same as [`clean_lines`], but tabs and all line ends stay. Also returns the places after every replaced character: in the original
/// text and in the result.
pub fn clean_with_places(text: &str) -> (Cow<'_, str>, Vec<(usize, usize)>) {
    let mut places = Vec::new();
    let treat = |sign, next| match sign {
        '\n' | '\t' => Treatment::Kept,
        '\r' if next == Some('\n') => Treatment::Kept,
        _ => sign_treatment(sign),
    };
    let shown = replace_signs_noting(text, treat, |before, after| places.push((before, after)));
    (shown, places)
}

/// Cleans JSON by escaping the same characters. Its values stay the same.
pub fn clean_json(text: &str) -> Cow<'_, str> {
    // In JSON, line ends occur only between values.
    let escaped = |sign: char| sign != '\n' && sign_treatment(sign) != Treatment::Kept;
    if text.bytes().all(is_printable) || !text.chars().any(escaped) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for sign in text.chars() {
        match escaped(sign) {
            true => push_escaped(&mut out, sign),
            false => out.push(sign),
        }
    }
    out.into()
}

/// Adds the JSON escape of a character.
fn push_escaped(out: &mut String, sign: char) {
    for unit in sign.encode_utf16(&mut [0; 2]) {
        // Writing to a string cannot fail.
        let _ = write!(out, "\\u{unit:04x}");
    }
}

/// Whether a byte is a visible ASCII character or a space.
fn is_printable(byte: u8) -> bool {
    matches!(byte, b' '..=b'~')
}

/// `treat` gets each character and the next one.
fn replace_signs(text: &str, treat: impl Fn(char, Option<char>) -> Treatment) -> Cow<'_, str> {
    replace_signs_noting(text, treat, |_, _| {})
}

/// Calls `note` with the places after every replaced character.
fn replace_signs_noting(
    text: &str,
    treat: impl Fn(char, Option<char>) -> Treatment,
    mut note: impl FnMut(usize, usize),
) -> Cow<'_, str> {
    let is_plain = |sign: char| treat(sign, None) == Treatment::Kept;
    if text.bytes().all(is_printable) || text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    let mut signs = text.char_indices().peekable();
    let mut before = ' ';
    while let Some((at, sign)) = signs.next() {
        let next = signs.peek().map(|(_, next)| *next);
        match treat(sign, next) {
            Treatment::Kept => out.push(sign),
            Treatment::Blank => out.push(' '),
            Treatment::Dropped => {}
            Treatment::Joiner if may_be_joined(before) && next.is_some_and(may_be_joined) => out.push(sign),
            Treatment::Named | Treatment::Joiner => {
                push_name(&mut out, sign);
                note(at + sign.len_utf8(), out.len());
            }
        }
        before = sign;
    }
    out.into()
}

/// Whether a joiner may be next to a character: letters of scripts that need joiners, and emoji.
fn may_be_joined(sign: char) -> bool {
    !sign.is_ascii() && !sign.is_whitespace() && sign_treatment(sign) == Treatment::Kept
}

/// The treatment of a character in any text; line ends and tabs are decided before.
fn sign_treatment(sign: char) -> Treatment {
    match sign {
        ' '..='~' => Treatment::Kept,
        '\u{200c}' | '\u{200d}' => Treatment::Joiner,
        _ if sign.is_control() || is_unseen(sign) => Treatment::Named,
        _ => Treatment::Kept,
    }
}

/// Whether a character is invisible: it sets the direction of text, ends lines, joins, fills, or has no meaning.
fn is_unseen(sign: char) -> bool {
    matches!(sign, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180b}'..='\u{180f}' | '\u{3164}')
        || matches!(sign, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
        || matches!(sign, '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{fdd0}'..='\u{fdef}')
        || matches!(sign, '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
        || u32::from(sign) & 0xfffe == 0xfffe
}

/// Adds the visible name of a character.
fn push_name(out: &mut String, sign: char) {
    match sign {
        '\0'..='\u{1f}' => out.extend(char::from_u32(0x2400 + u32::from(sign))),
        '\u{7f}' => out.push('␡'),
        _ => out.push_str(&format!("<U+{:04X}>", u32::from(sign))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_named() {
        assert_eq!(clean_lines("a\u{1b}[2Jb\u{7}\rc\u{7f}\u{9b}31m"), "a␛[2Jb␇␍c␡<U+009B>31m");
        assert_eq!(clean_lines("one\ntwo\tthree"), "one\ntwo three");
        assert_eq!(clean_line("one\ntwo\tthree"), "one␊two three");
        assert_eq!(clean_lines("one\r\ntwo\r"), "one\ntwo␍");
    }

    #[test]
    fn what_turns_text_around_or_cannot_be_seen_is_named() {
        for sign in ['\u{202a}', '\u{202e}', '\u{2066}', '\u{2069}', '\u{200e}', '\u{61c}', '\u{200b}', '\u{feff}', '\u{2028}'] {
            let text = format!("a{sign}b");
            assert_eq!(clean_lines(&text), format!("a<U+{:04X}>b", u32::from(sign)));
        }
        assert_eq!(clean_lines("tag\u{e0041}\u{fdd0}\u{1ffff}"), "tag<U+E0041><U+FDD0><U+1FFFF>");
    }

    #[test]
    fn text_of_all_languages_stays_and_costs_nothing() {
        for text in ["Sailor Moon", "美少女戦士", "Ω ≥ ½ – “x”…", "שלום", "👩‍🚀 ❤️ 👩‍👩‍👧", "می‌خواهم", "e\u{301}"]
        {
            assert!(matches!(clean_lines(text), Cow::Borrowed(_)) || clean_lines(text) == text, "{text}");
            assert_eq!(clean_line(text), text);
        }
        assert!(matches!(clean_lines("plain"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_joiner_between_plain_letters_joins_nothing() {
        assert_eq!(clean_lines("ad\u{200d}min"), "ad<U+200D>min");
        assert_eq!(clean_lines("\u{200c}"), "<U+200C>");
        assert_eq!(clean_lines("é\u{200d}\u{200d}é"), "é<U+200D><U+200D>é");
    }

    #[test]
    fn the_places_behind_what_was_replaced_are_known() {
        let (shown, places) = clean_with_places("a\t\u{1b}b\u{202e}\n");
        assert_eq!((shown.as_ref(), places), ("a\t␛b<U+202E>\n", vec![(3, 5), (7, 14)]));
    }

    #[test]
    fn json_stays_the_same_value() {
        let value = serde_json::json!({ "a\u{202e}": "\u{1b}\u{9b}\u{7f}\u{feff}\u{e0041} é\n" });
        let text = value.to_string();
        let clean = clean_json(&text);
        assert!(clean.chars().all(|sign| sign == 'é' || is_printable(sign as u8)), "{clean}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&clean).ok(), Some(value));
        assert_eq!(clean_json("{\"a\":1}\n"), "{\"a\":1}\n");
    }
}
