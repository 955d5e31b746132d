//! `why`: the cause of what happened, and why a move is not offered.

use super::menu::{Menu, refused};
use super::tell;
use ludex_engine::runtime::{Decision, Event, Happening, Session};

/// What `why` answers.
pub fn why(words: &str, log: &[Event], session: &Session, menu: Option<&Menu>, sides: &[String]) -> Vec<String> {
    let words = words.trim();
    if words.is_empty() {
        return last_change(log, sides);
    }
    if let Some(menu) = menu.filter(|_| looks_like_a_key(words, session)) {
        return vec![about_key(words, session, menu.decision)];
    }
    match log.iter().rev().find(|event| has_words(event, words)) {
        Some(event) => told(event, sides),
        None => match menu {
            Some(menu) => vec![about_key(words, session, menu.decision)],
            None => vec![format!("nothing that happened has these words in it: `{words}`")],
        },
    }
}

/// The last event that changed something, and everything that one cause led to with it.
fn last_change(log: &[Event], sides: &[String]) -> Vec<String> {
    let changed = |event: &&Event| !matches!(event.happening, Happening::Began { .. } | Happening::Ended { .. });
    match log.iter().rev().filter(changed).find(|event| !event.text.is_empty()) {
        Some(event) => told(event, sides),
        None => vec!["nothing has happened yet".to_string()],
    }
}

fn told(event: &Event, sides: &[String]) -> Vec<String> {
    vec![event.text.clone(), format!("  because of {}", tell::cause(event, sides))]
}

/// What the session says to a key: that it is offered, or why not.
fn about_key(key: &str, session: &Session, decision: &Decision) -> String {
    match session.find(decision.id, key) {
        Ok(_) => format!("`{key}` is offered: it can be chosen now"),
        Err(refusal) => refused(&refusal),
    }
}

/// `power_attack(1>7)`, or the bare name of an action.
fn looks_like_a_key(words: &str, session: &Session) -> bool {
    words.contains('(') || session.program().actions.iter().any(|action| action.name == words)
}

fn has_words(event: &Event, words: &str) -> bool {
    let text = format!("{} {}", event.kind, event.text).to_lowercase();
    words.to_lowercase().split_whitespace().all(|word| text.contains(word))
}
