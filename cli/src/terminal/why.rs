//! `why`: the cause of an event, and the reason that a card or a move is not offered.

use super::event_text;
use super::menu::{Menu, refusal_text};
use super::screen::printable_line;
use crate::protocol::messages::MOST_OPTIONS;
use ludex_engine::program::ActionInfo;
use ludex_engine::runtime::{Decision, Event, OptionView, Session};

/// Maximum number of moves of one name that are listed; more are only counted.
const MOST_MOVES: usize = 10;

/// The answer to `why WORDS`, in lines. The words may name a card, a move by its key, or an event by words in it; without any,
/// the last event is meant. `log` has the events that the asking player may know, `menu` the open question.
pub fn why_lines(words: &str, log: &[Event], session: &Session, menu: Option<&Menu>, sides: &[String]) -> Vec<String> {
    let words = words.trim();
    if words.is_empty() {
        return last_change(log, sides);
    }
    let card = |menu: &Menu| session.why_card(menu.decision.id, words).filter(|_| !words.contains('('));
    if let Some(lines) = menu.and_then(card) {
        return lines;
    }
    if let Some(menu) = menu.filter(|_| looks_like_a_key(words, session)) {
        return moves_called(words, session, menu.decision).unwrap_or_else(|| vec![explain_key(words, session, menu.decision)]);
    }
    let happened = log.iter().rev().find(|event| has_words(event, words, sides));
    match (happened, menu.filter(|_| !words.contains(' '))) {
        (Some(event), _) => event_cause_lines(event, sides),
        (None, Some(menu)) => vec![explain_key(words, session, menu.decision)],
        (None, None) => vec![format!("no event contains these words: `{}`", printable_line(words))],
    }
}

/// Explains the last event of the story.
fn last_change(log: &[Event], sides: &[String]) -> Vec<String> {
    match log.iter().rev().find(|event| event_text::is_in_story(event)) {
        Some(event) => event_cause_lines(event, sides),
        None => vec!["nothing has happened yet".to_string()],
    }
}

fn event_cause_lines(event: &Event, sides: &[String]) -> Vec<String> {
    vec![event.text.clone(), format!("  because of {}", event_text::cause_text(event, sides))]
}

/// The session's reply to a key: that it is offered, or why not.
fn explain_key(key: &str, session: &Session, decision: &Decision) -> String {
    match session.find_choice(decision.id, key) {
        Ok(_) => format!("`{key}` is offered: it can be chosen now"),
        Err(refusal) => refusal_text(&refusal),
    }
}

/// Lists the moves of an action that is named without its arguments. `None` if no action of this name takes arguments.
fn moves_called(name: &str, session: &Session, decision: &Decision) -> Option<Vec<String>> {
    let takes_something = |action: &ActionInfo| action.name == name && !action.roles.is_empty();
    session.program().actions.iter().find(|action| takes_something(action))?;
    let options = session.options(decision.id, 0, MOST_OPTIONS);
    let moves: Vec<&OptionView> = options.iter().filter(|option| option.action == name).collect();
    if moves.is_empty() {
        return Some(vec![format!("no move called `{name}` can be chosen now")]);
    }
    let count = match moves.len() {
        several if (options.len() as u64) < decision.count => format!("at least {several} moves"),
        1 => "1 move".to_string(),
        several => format!("{several} moves"),
    };
    let listed = moves.iter().take(MOST_MOVES).map(|option| format!("  {}  {}", option.key, printable_line(&option.text)));
    let more = moves.len().checked_sub(MOST_MOVES).filter(|more| *more > 0).map(|more| format!("  … and {more} more"));
    let lines = std::iter::once(format!("{count} called `{name}` can be chosen now:")).chain(listed).chain(more);
    Some(lines.collect())
}

/// Whether words are meant as a key: `power_attack(1>7)`, or the bare name of an action.
fn looks_like_a_key(words: &str, session: &Session) -> bool {
    words.contains('(') || session.program().actions.iter().any(|action| action.name == words)
}

/// Whether the words occur in the event's sentence, its name or the name of its side.
fn has_words(event: &Event, words: &str, sides: &[String]) -> bool {
    let side = event.by.and_then(|side| sides.get(side)).map_or("", String::as_str);
    let text = format!("{} {side} {}", event.name, event.text).to_lowercase();
    words.to_lowercase().split_whitespace().all(|word| text.contains(word))
}
