//! Completion with Tab: the rest of a command, or of a word on the screen.

use super::picker::listed_moves;
use crate::table::Content;
use crate::terminal::{COMMANDS, Scene};
use std::collections::BTreeSet;

/// The whole words that the last word of `before`, the text before the cursor, may become; in lower case and alphabetical
/// order. Commands count only as the first word. No word yet, no completions.
pub fn find_completions(before: &str, scene: Option<&Scene>, takes_commands: bool) -> Vec<String> {
    let start = before.rfind(' ').map_or(0, |blank| blank + 1);
    let (first, begun) = (before[..start].trim().is_empty(), before[start..].to_lowercase());
    if begun.is_empty() {
        return Vec::new();
    }
    let commands = COMMANDS.iter().filter(|_| first && takes_commands).map(ToString::to_string);
    let texts = scene.into_iter().flat_map(screen_texts);
    let known = texts.flat_map(|text| split_words(&text)).chain(commands);
    let known: BTreeSet<String> = known.filter(|word| word.starts_with(&begun) && *word != begun).collect();
    known.into_iter().collect()
}

/// The common prefix of some words.
pub fn common_prefix(words: &[String]) -> String {
    let Some(first) = words.first() else { return String::new() };
    let shared = |count: &usize| {
        let start: String = first.chars().take(*count).collect();
        words.iter().all(|word| word.starts_with(&start))
    };
    let count = (0..=first.chars().count()).rev().find(shared).unwrap_or(0);
    first.chars().take(count).collect()
}

/// The sentences of the moves, and the names of pieces and sides.
fn screen_texts(scene: &Scene) -> Vec<String> {
    let listed = scene.choices.iter().flat_map(listed_moves).map(|listed| listed.text.clone());
    let pieces = scene.areas.iter().flat_map(|area| area.all_zones()).flat_map(|zone| match &zone.content {
        Content::Pieces(pieces) => pieces.iter().map(|piece| piece.name.clone()).collect(),
        Content::Hidden { known, .. } => known.clone(),
        Content::Board(_) => Vec::new(),
    });
    listed.chain(pieces).chain(scene.names.iter().cloned()).collect()
}

/// The words of a text in lower case, without punctuation. Single letters are left out.
fn split_words(text: &str) -> Vec<String> {
    let words = text.split_whitespace().map(|word| word.trim_matches(|sign: char| !sign.is_alphanumeric() && sign != '%'));
    words.filter(|word| word.chars().count() > 1).map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::{Choices, MenuMove, Row};
    use ludex_engine::runtime::Form;

    fn scene() -> Scene {
        let listed = |text: &str| Row::Move(MenuMove { number: 1, text: text.into(), pieces: Vec::new(), place: None, depth: 0 });
        let rows = vec![listed("Otter attacks Hare"), listed("Otter leaps")];
        let (prompt, hint) = (String::new(), String::new());
        let choices = Choices { question: (1, 0), prompt, about: None, hint, form: Form::One, rows };
        Scene { choices: Some(choices), ..Scene::default() }
    }

    #[test]
    fn a_word_is_a_command_or_stands_on_the_screen() {
        assert_eq!(find_completions("lo", Some(&scene()), true), ["log", "look"]);
        assert_eq!(find_completions("l", Some(&scene()), false), ["leaps"]);
        assert_eq!(find_completions("why o", Some(&scene()), true), ["otter"]);
        assert_eq!(find_completions("why ", Some(&scene()), true), Vec::<String>::new());
    }

    #[test]
    fn what_all_have_in_common_is_written() {
        assert_eq!(common_prefix(&["log".to_string(), "look".to_string()]), "lo");
        assert_eq!(common_prefix(&[]), "");
    }
}
