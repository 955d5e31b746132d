//! Dice in plain lines, which screen readers read aloud: `d8:6` becomes `6 on d8`.

/// A line with its dice in spoken form: `6 on d8 captures 5 on d8`.
pub fn spoken_text(text: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut after_die = false;
    for word in text.split(' ') {
        let die = spoken_die(word);
        // Dice in a row need a separator.
        let ends_in_die = |before: &&mut String| before.ends_with(|sign: char| sign.is_alphanumeric() || sign == '%');
        if let Some(before) = words.last_mut().filter(|before| after_die && die.is_some() && ends_in_die(before)) {
            before.push(',');
        }
        after_die = die.is_some();
        words.push(die.unwrap_or_else(|| word.to_string()));
    }
    words.join(" ")
}

/// `6 on d8` for `d8:6`, with the punctuation around it; `None` for any other word.
fn spoken_die(word: &str) -> Option<String> {
    let (name, rest) = word.split_once(':')?;
    let opened = name.trim_start_matches(['(', '[']);
    let (open, name) = name.split_at(name.len() - opened.len());
    let value = rest.trim_end_matches(|sign: char| !sign.is_ascii_digit());
    let close = &rest[value.len()..];
    let is_number = !value.is_empty() && value.chars().all(|sign| sign.is_ascii_digit());
    let is_end = close.chars().all(|sign| matches!(sign, ',' | ';' | ')' | ']' | '.' | ':'));
    let is_die = name.starts_with(char::is_alphabetic) && name.chars().all(|sign| sign.is_alphanumeric() || sign == '%');
    (is_number && is_end && is_die).then(|| format!("{open}{value} on {name}{close}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_spoken_without_colons_between_digits() {
        assert_eq!(spoken_text("Ann: d8:6 captures d%:50 (of Bob)"), "Ann: 6 on d8 captures 50 on d% (of Bob)");
        assert_eq!(spoken_text("Ann rolls d4:3 d8:1 d8:6"), "Ann rolls 3 on d4, 1 on d8, 6 on d8");
        assert_eq!(spoken_text("Ann rolls d%:30 d12:2"), "Ann rolls 30 on d%, 2 on d12");
        assert_eq!(spoken_text("Ann: d4:3, (d8:1) 10:30"), "Ann: 3 on d4, (1 on d8) 10:30");
        assert_eq!(spoken_text("because of rules/pond/play.ludex:61"), "because of rules/pond/play.ludex:61");
    }
}
