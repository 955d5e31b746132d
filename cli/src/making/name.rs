//! Names of new things: words for players, and the id in file names.

use ludex_engine::codes;
use ludex_engine::problem::{Problem, capitalise_first, on_one_line};

/// Words that commands and files use for something else.
const RESERVED: [&str; 9] = ["abilities", "characters", "games", "none", "options", "order", "pass", "random", "words"];
/// Maximum length. Longer file names do not work everywhere.
const LONGEST: usize = 60;

/// A name, given in either form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// In lower case letters, digits and hyphens: `night-owl`.
    pub id: String,
    /// The form for players: `Night Owl`.
    pub title: String,
}

impl Name {
    /// Parses `Night Owl` or `night-owl`.
    pub fn from_words(words: &str) -> Result<Name, Problem> {
        let words = on_one_line(words);
        let id = id_of(&words);
        let wrong = |message: String, help: &str| Err(Problem::error(codes::NEW_NAME, message).help(help));
        if let Some(sign) = words.chars().find(|sign| !is_of_name(*sign)) {
            let help =
                "use letters from a to z, digits, spaces and hyphens; the title for players can be changed in the file later";
            return wrong(format!("`{sign}` cannot be in a name"), help);
        }
        if !id.starts_with(|sign: char| sign.is_ascii_alphabetic()) {
            return wrong(format!("`{words}` is not a name"), "begin it with a letter, as in `night-owl`");
        }
        if id.len() > LONGEST {
            return wrong(format!("a name has at most {LONGEST} letters"), "give it a shorter name; its text can say more");
        }
        if RESERVED.contains(&id.as_str()) {
            return wrong(format!("`{id}` means something else in commands"), "give it another name");
        }
        let title = if words == id { title_from_id(&id) } else { words.replace('_', " ") };
        Ok(Name { id, title })
    }

    /// The form for rules and scripts: `night_owl`.
    pub fn in_rules(&self) -> String {
        self.id.replace('-', "_")
    }

    /// A derived name: `night-owl-deck`.
    pub fn with_suffix(&self, word: &str) -> Name {
        Name { id: format!("{}-{}", self.id, id_of(word)), title: format!("{} {}", self.title, title_from_id(&id_of(word))) }
    }

    /// The problem that this name is taken.
    pub fn taken_problem(&self, what: &str) -> Problem {
        let help = format!("choose another name, such as `{}-2`; no file was written", self.id);
        Problem::error(codes::NEW_NAME, format!("{what} is already called `{}`", self.id)).help(help)
    }
}

/// Whether a character may be in a name. Only those that file names, commands and rules can all have are allowed.
fn is_of_name(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || [' ', '-', '_', '\''].contains(&sign)
}

/// The id for words: lower case, with hyphens instead of all other signs.
fn id_of(words: &str) -> String {
    let signs = words
        .chars()
        .filter(|sign| *sign != '\'')
        .map(|sign| if sign.is_ascii_alphanumeric() { sign.to_ascii_lowercase() } else { '-' });
    signs.collect::<String>().split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

/// The title for an id, such as `Night Owl`.
fn title_from_id(id: &str) -> String {
    id.split('-').map(capitalise_first).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_given_as_players_read_it_or_as_files_have_it() {
        let read = |words: &str| Name::from_words(words).map(|name| (name.id, name.title)).unwrap();
        let pair = |id: &str, title: &str| (id.to_string(), title.to_string());
        assert_eq!(read("night-owl"), pair("night-owl", "Night Owl"));
        assert_eq!(read("  Night   Owl "), pair("night-owl", "Night Owl"));
        assert_eq!(read("King's hologram 2"), pair("kings-hologram-2", "King's hologram 2"));
        assert_eq!(read("night_owl"), pair("night-owl", "night owl"));
    }

    #[test]
    fn what_is_no_name_is_refused_with_advice() {
        let message =
            |words: &str| Name::from_words(words).map_err(|problem| (problem.message.to_string(), problem.help.is_some()));
        let refused = |message: &str| Err((message.to_string(), true));
        assert_eq!(message("Éclair"), refused("`É` cannot be in a name"));
        assert_eq!(message("../x"), refused("`.` cannot be in a name"));
        assert_eq!(message("7up"), refused("`7up` is not a name"));
        assert_eq!(message(""), refused("`` is not a name"));
        assert_eq!(message("Options"), refused("`options` means something else in commands"));
        assert_eq!(message(&"x".repeat(61)), refused("a name has at most 60 letters"));
    }
}
