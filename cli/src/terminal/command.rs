//! Commands that may be typed instead of an answer. This file parses them; `execute` carries them out.

use crate::protocol::steps::BACK;
use std::path::PathBuf;

/// An action that is not an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    Help,
    Undo,
    /// Copies the recording to a file; without one, says where the recording is.
    Save(Option<PathBuf>),
    /// Write down the position, or how it came about, for tests.
    Retell(RetellingKind, Option<PathBuf>),
    Hint,
    /// Show the possible results of a move.
    Preview(String),
    /// Explain the last change, or why a move is not offered.
    Why(String),
    /// Show the last events, up to this number; all of them with `None`.
    Log(Option<usize>),
    /// Draw the table again.
    Look,
    /// Show a card, a sheet, an ability or a die.
    LookAt(String),
    /// Show the rules, or their passages about a subject.
    Rules(String),
    /// List every option.
    All,
    /// List the options with their keys.
    Keys,
    /// Explain how the dice are made.
    Dice,
    Resign,
    Quit,
}

/// The forms in which a game in progress can be written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetellingKind {
    Scenario,
    Position,
}

/// The first words of commands.
pub const COMMANDS: [&str; 15] =
    ["all", "back", "dice", "help", "hint", "keys", "log", "look", "preview", "quit", "resign", "rules", "save", "undo", "why"];

/// Number of lines that `log` shows without a number.
const LOG_LENGTH: usize = 20;

/// The inputs that a question takes, each with its effect. `key` is the key of one of its moves, `cards` is true if the game
/// has cards, `things` is the word for what `look` shows (`CARD` or `NAME`), and `kept` is true if the game is saved
/// automatically.
pub fn command_help_rows(key: Option<&str>, cards: bool, things: &'static str, kept: bool) -> Vec<(&'static str, String)> {
    let such = |words: &str| key.map_or(words.to_string(), |key| format!("{words}: `{key}`"));
    let why = |words: &str| key.map_or(words.to_string(), |key| format!("{words}: `why {key}`"));
    let plain = |what, text: &str| (what, text.to_string());
    let with_cards = |what, text: &str| cards.then(|| plain(what, text));
    let rows = [
        Some(plain("a number", "choose that move")),
        Some(plain("numbers", "choose several, put things in order, or say how much each gets")),
        Some(plain("words", "list only the moves that contain these words; Enter takes the only one left")),
        Some(("a key", such("choose by key, as recordings and programs do"))),
        Some(plain("Enter", "take the only move")),
        Some(plain("back", "in a move of several steps, go back to the step before")),
        Some(plain(
            "undo",
            "go back to your last decision; past a roll or another's answer, as often as `--undo` allows or if others agree",
        )),
        Some(plain("hint", "what the greedy bot would do")),
        Some(plain(
            "preview MOVE",
            "the possible results of a move before the next decision, and how likely they are from what you know",
        )),
        Some(plain("why", "why the last thing happened: the rule or ability, and where it is written")),
        Some(("why KEY", why("whether a move is offered, or why not"))),
        with_cards("why CARD", "why a card of yours cannot be chosen now, and when it can"),
        Some(plain("why WORDS", "why the last event with these words happened")),
        Some(plain("log [N|all]", "what has happened so far")),
        Some(plain("look", "draw the table again")),
        Some(match things {
            "CARD" => plain("look CARD", "read a card: what is printed on it, and what it can do"),
            _ => plain("look NAME", "read a character, an ability or a die: what is printed on it, and what it does"),
        }),
        Some(plain("rules", "the rules in short: the goal, a turn, and what else you can read")),
        Some(plain("rules WORD", "what the rules say about a heading, a name, or a rule that `why` cites")),
        Some(plain("all", "list every move")),
        Some(plain("keys", "list the moves with their keys")),
        Some(plain("dice", "how the dice are rolled, and how you can check that they are fair")),
        Some(match kept {
            true => plain("save [FILE]", "save the game in a file; without one, show where it is kept"),
            false => plain("save FILE", "save the game in a file"),
        }),
        Some(plain("save --scenario FILE", "write what has happened since the turn (or similar) began, as a test of the rules")),
        Some(plain("save --position FILE", "write the table as it was then, to play from there")),
        Some(plain("resign", "give up")),
        Some(plain("quit", if kept { "leave; the game is kept and can be resumed" } else { "leave; the game is not kept" })),
        Some(plain("/words", "search for words that are also a command")),
    ];
    rows.into_iter().flatten().collect()
}

/// The command that a line is, in any case of letters. `None` for anything else, even if it begins with a command's first
/// word, as `log jam` does.
pub fn parse_command(line: &str) -> Option<Command> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let alone = |command: Command| rest.is_empty().then_some(command);
    match word.to_lowercase().as_str() {
        "help" | "?" | "h" => alone(Command::Help),
        "undo" | "u" => alone(Command::Undo),
        "save" => Some(parse_save(rest)),
        "hint" => alone(Command::Hint),
        "preview" => Some(Command::Preview(rest.to_string())),
        "why" => Some(Command::Why(rest.trim_end_matches('?').trim().to_string())),
        "why?" => alone(Command::Why(String::new())),
        "log" => log_length(rest).map(Command::Log),
        "look" | "l" if rest.is_empty() => Some(Command::Look),
        "look" | "l" => Some(Command::LookAt(rest.to_string())),
        "rules" => Some(Command::Rules(rest.to_string())),
        "all" | "more" => alone(Command::All),
        "keys" => alone(Command::Keys),
        "dice" => alone(Command::Dice),
        "resign" => alone(Command::Resign),
        "quit" | "exit" | "q" => alone(Command::Quit),
        _ => None,
    }
}

/// Parses the words after `save`: nothing, `FILE`, `--scenario FILE` or `--position FILE`.
fn parse_save(rest: &str) -> Command {
    let file = |name: &str| (!name.is_empty()).then(|| PathBuf::from(name));
    let (first, name) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    match first {
        "--scenario" => Command::Retell(RetellingKind::Scenario, file(name.trim())),
        "--position" => Command::Retell(RetellingKind::Position, file(name.trim())),
        _ => Command::Save(file(rest)),
    }
}

/// Whether a line is a command or goes back a step.
pub fn is_command(line: &str) -> bool {
    parse_command(line).is_some() || line.trim() == BACK
}

/// The number of lines that `log` asks for, `Some(None)` for all; `None` if the words are neither a number nor `all`.
fn log_length(rest: &str) -> Option<Option<usize>> {
    match rest {
        "" => Some(Some(LOG_LENGTH)),
        "all" => Some(None),
        number => number.parse().ok().map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_tells_the_command() {
        assert_eq!(parse_command(" UNDO "), Some(Command::Undo));
        assert_eq!(parse_command("save my game.ludexrec"), Some(Command::Save(Some("my game.ludexrec".into()))));
        assert_eq!(
            parse_command("save --position a b.yaml"),
            Some(Command::Retell(RetellingKind::Position, Some("a b.yaml".into())))
        );
        assert_eq!(parse_command("save --scenario"), Some(Command::Retell(RetellingKind::Scenario, None)));
        assert_eq!(parse_command("why captured?"), Some(Command::Why("captured".to_string())));
        assert_eq!(parse_command("why?"), Some(Command::Why(String::new())));
        assert_eq!(parse_command("log 5"), Some(Command::Log(Some(5))));
        assert_eq!(parse_command("log all"), Some(Command::Log(None)));
    }

    #[test]
    fn every_command_can_be_completed() {
        let is_known = |word: &&str| parse_command(word).is_some() || *word == BACK;
        assert_eq!(COMMANDS.iter().find(|word| !is_known(word)), None);
    }

    #[test]
    fn anything_else_is_an_answer_or_words_to_search_for() {
        assert_eq!(parse_command("12"), None);
        assert_eq!(parse_command("captures d20"), None);
        assert_eq!(parse_command("quit smoking"), None);
        assert_eq!(parse_command("log jam"), None);
        assert_eq!(parse_command("/help"), None);
        assert_eq!(parse_command(""), None);
    }
}
