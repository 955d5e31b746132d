//! Names of players. They may hold anything; in the form shown, they hold no characters that control a terminal or a browser.

use ludex_engine::codes;
use ludex_engine::problem::{Problem, on_one_line};
use ludex_engine::visible;

/// Maximum length of a name, in letters.
pub const LONGEST: usize = 40;

/// A name as stored: without spaces around it.
pub fn check_name(text: &str) -> Result<String, Problem> {
    let name = text.trim();
    if name_key(name).is_empty() {
        let message = format!("the name `{}` has no visible characters", display_name(text));
        return Err(Problem::error(codes::TOURNAMENT_NAME, message).help("use at least one letter, digit or picture"));
    }
    let length = name.chars().count();
    if length > LONGEST {
        let start: String = display_name(name).chars().take(LONGEST).collect();
        let message = format!("the name `{start}…` has {length} letters");
        return Err(Problem::error(codes::TOURNAMENT_NAME, message).help(format!("choose a name of at most {LONGEST} letters")));
    }
    Ok(name.to_string())
}

/// The key that look-alike names share: lower case, one blank between words, and no invisible characters.
pub fn name_key(name: &str) -> String {
    let seen: String = name.chars().filter(|&letter| letter.is_whitespace() || !is_unseen(letter)).collect();
    on_one_line(&seen.to_lowercase())
}

/// A name as people see it, on one line.
pub fn display_name(name: &str) -> String {
    visible::clean_line(name).into_owned()
}

/// A name as typed on a command line, quoted if needed; `NAME` if quotes are not enough in every shell.
pub fn quote_for_shell(name: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.');
    let is_quotable = |letter: char| !is_obeyed(letter) && !matches!(letter, '"' | '$' | '`' | '\\' | '!' | '%');
    if name.chars().all(is_plain) && !name.starts_with('-') {
        name.to_string()
    } else if name.chars().all(is_quotable) && !name.starts_with('-') {
        format!("\"{name}\"")
    } else {
        "NAME".to_string()
    }
}

/// Line ends, escapes and characters that set the direction of text.
fn is_obeyed(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}')
        || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Characters without width, and those that look like blanks but are not. Some of them are parts of emoji.
fn is_unseen(letter: char) -> bool {
    is_obeyed(letter)
        || matches!(letter, '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{2800}' | '\u{3164}')
        || matches!(letter, '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{ffa0}')
        || matches!(letter, '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_alike_have_one_key() {
        for alike in ["Ann Lee", " ann  lee ", "ANN\u{a0}LEE", "An\u{200b}n Lee", "Ann \u{202e}Lee", "Ann\tLee"] {
            assert_eq!(name_key(alike), "ann lee", "{alike:?}");
        }
        assert_ne!(name_key("Ann Lee"), name_key("AnnLee"));
        assert_ne!(name_key("Ann"), name_key("Anna"));
    }

    #[test]
    fn any_name_that_can_be_seen_is_accepted() {
        for name in ["Ann", "O'Brien \"X\"", "<script>alert(1)</script>", "👩‍👩‍👧", "a\u{1b}[2Jb", "\u{202e}nnA", "-", "1"]
        {
            assert_eq!(check_name(name).as_deref(), Ok(name));
        }
        assert_eq!(check_name("  Ann  ").as_deref(), Ok("Ann"));
    }

    #[test]
    fn what_cannot_be_seen_or_is_too_long_is_refused() {
        for name in ["", "   ", "\u{200b}", "\u{202e}\u{2069}", "\u{1b}"] {
            assert!(check_name(name).is_err(), "{name:?}");
        }
        assert!(check_name(&"a".repeat(LONGEST)).is_ok());
        assert!(check_name(&"a".repeat(LONGEST + 1)).is_err());
    }

    #[test]
    fn a_name_that_is_to_be_typed_stands_in_quotes_where_it_needs_them() {
        for (name, typed_as) in [("Ann", "Ann"), ("Zoë-2", "Zoë-2"), ("Cleo Lee", "\"Cleo Lee\""), ("O'Brien", "\"O'Brien\"")] {
            assert_eq!(quote_for_shell(name), typed_as);
        }
        for name in ["$HOME", "a\"b", "`ls`", "-x", "a\u{1b}[2J", "%PATH%"] {
            assert_eq!(quote_for_shell(name), "NAME", "{name}");
        }
    }

    #[test]
    fn nothing_that_is_shown_is_obeyed() {
        assert_eq!(display_name("a\u{1b}[2J\n\u{202e}b"), "a␛[2J␊<U+202E>b");
        assert_eq!(display_name("👩‍👧 <b>"), "👩‍👧 <b>");
    }
}
