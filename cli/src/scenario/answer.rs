//! Resolves a scenario's words to a choice.
//!
//! A decision is an open question to one seat; its options have keys such as `attack(2>8)`. In scenarios, an answer is such a
//! key, words from the sentence of an option, or the roles of a move. Roles are the parts of an action, such as its die.
//! [`Labels`] translate the scenario's names of pieces.

use super::Answer;
use super::labels::Labels;
use crate::protocol::arguments::{key_from_arguments, role_names};
use crate::protocol::messages::MOST_OPTIONS;
use ludex_engine::codes;
use ludex_engine::program::ActionInfo;
use ludex_engine::runtime::{Argument, Choice, Decision, OptionView, Refusal, Session};
use std::collections::BTreeMap;

/// The choice that an answer means, or why there is none.
pub fn resolve_answer(session: &Session, decision: &Decision, answer: &Answer, labels: &Labels) -> Result<Choice, Refusal> {
    match answer {
        Answer::Words(words) => choice_by_words(session, decision, words, labels),
        Answer::Arguments { action, roles } => {
            let by_roles = choice_by_roles(session, decision, action.as_deref(), roles, labels);
            by_roles.map_or_else(
                || find_only_option(session, decision, labels, |option| has_arguments(option, action.as_deref(), roles, labels)),
                Ok,
            )
        }
    }
}

/// Finds the only option whose key has these roles, among too many moves to list. A missing role means nothing. Returns nothing
/// if the options are few enough to list, since [`has_arguments`] then compares each of them.
fn choice_by_roles(
    session: &Session,
    decision: &Decision,
    action: Option<&str>,
    roles: &[(String, Vec<String>)],
    labels: &Labels,
) -> Option<Choice> {
    let actions = session
        .program()
        .actions
        .iter()
        .filter(|info| decision.count > MOST_OPTIONS && action.is_none_or(|name| name == info.name));
    let given: BTreeMap<&str, String> = roles.iter().map(|(name, words)| (name.as_str(), words.join("+"))).collect();
    let key = |info: &ActionInfo| key_from_arguments(&info.name, &role_names(info), &given).map(|key| labels.engine_key(&key));
    let mut found: Vec<Choice> = actions.filter_map(key).filter_map(|key| session.find_choice(decision.id, &key).ok()).collect();
    found.pop().filter(|_| found.is_empty())
}

/// The option that a key would mean if it named another copy of the same card. Copies of a card have numbers, `otter#2`, so
/// authors easily name one that is gone. Returns its key in the scenario's form.
pub fn remaining_copy(session: &Session, decision: &Decision, answer: &Answer, labels: &Labels) -> Option<String> {
    let Answer::Words(words) = answer else { return None };
    let written = without_numbers(&labels.engine_key(words));
    let alone = format!("{}({written})", decision.form.key_word());
    let same = |option: &OptionView| [&written, &alone].contains(&&without_numbers(&option.key));
    let option = listed_options(session, decision).find(same)?;
    Some(labels.scenario_key(session.program(), &option.key))
}

/// A key without copy numbers such as `#2`.
fn without_numbers(key: &str) -> String {
    let mut parts = key.split('#');
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |key, part| key + part.trim_start_matches(|sign: char| sign.is_ascii_digit()))
}

/// Tries a key first, and then words in the sentence of only one option.
fn choice_by_words(session: &Session, decision: &Decision, words: &str, labels: &Labels) -> Result<Choice, Refusal> {
    choice_by_key(session, decision, words, labels).or_else(|refusal| {
        // Parentheses make it a key, whose refusal says more.
        let found = match words.contains('(') {
            true => None,
            false => find_only_option(session, decision, labels, |option| has_words(option, words))
                .map(Some)
                .or_else(refuse_if_ambiguous)?,
        };
        found.ok_or(refusal)
    })
}

/// Ignores the refusal that nothing fits, since that of the key says more, but keeps the one for several matches.
fn refuse_if_ambiguous(refusal: Refusal) -> Result<Option<Choice>, Refusal> {
    if refusal.help.is_some() { Err(refusal) } else { Ok(None) }
}

/// The choice of a key. A number alone is enough if a number is asked for, and a thing alone if things are chosen.
pub fn choice_by_key(session: &Session, decision: &Decision, words: &str, labels: &Labels) -> Result<Choice, Refusal> {
    let key = labels.engine_key(words);
    let refusal = match session.find_choice(decision.id, &key) {
        Ok(choice) => return Ok(choice),
        Err(refusal) => refusal,
    };
    let asked = labels.engine_key(&format!("{}({words})", decision.form.key_word()));
    session.find_choice(decision.id, &asked).map_err(|_| refusal)
}

/// The only option that passes a test. A refusal if none or several pass. Only the one for several has a help, which names
/// them.
fn find_only_option(
    session: &Session,
    decision: &Decision,
    labels: &Labels,
    test: impl Fn(&OptionView) -> bool,
) -> Result<Choice, Refusal> {
    if decision.form.covers_all_options() {
        return Err(answer_refusal("one option alone is not an answer here", None));
    }
    let fitting: Vec<OptionView> = listed_options(session, decision).filter(test).take(9).collect();
    match fitting.as_slice() {
        [one] if decision.form.takes_several() => Ok(Choice::Options(vec![one.id])),
        [one] => Ok(Choice::Option(one.id)),
        [] => Err(answer_refusal("this is not one of the options", None)),
        several => {
            let keys: Vec<String> = several.iter().map(|option| labels.scenario_key(session.program(), &option.key)).collect();
            Err(answer_refusal("this fits several options", Some(format!("it fits {}", keys.join(", ")))))
        }
    }
}

fn answer_refusal(reason: &str, help: Option<String>) -> Refusal {
    Refusal { code: codes::SCENARIO_ANSWER, reason: reason.to_string(), help }
}

/// The options of a decision, up to the maximum that is listed.
pub fn listed_options<'a>(session: &'a Session, decision: &'a Decision) -> impl Iterator<Item = OptionView> + 'a {
    // Fetched at once: the session builds the question again for each request of options.
    session.options(decision.id, 0, MOST_OPTIONS).into_iter()
}

/// Whether all words occur in the option's sentence, whole and in any case.
fn has_words(option: &OptionView, words: &str) -> bool {
    let lower = |text: &str| text.to_lowercase();
    let sentence = lower(&option.text);
    let of_sentence: Vec<&str> = sentence.split(|sign: char| !sign.is_alphanumeric()).collect();
    let words = lower(words);
    words.split_whitespace().all(|word| of_sentence.contains(&word.trim_matches(|sign: char| !sign.is_alphanumeric())))
}

/// Whether an option is this action, if one is given, with these arguments in its roles. It may have more roles.
fn has_arguments(option: &OptionView, action: Option<&str>, roles: &[(String, Vec<String>)], labels: &Labels) -> bool {
    action.is_none_or(|action| action == option.action)
        && roles.iter().all(|(name, words)| {
            let argument = option.args.iter().find(|(role, _)| role == name);
            argument.is_some_and(|(_, argument)| is_argument(argument, words, labels))
        })
}

/// Whether some words denote an argument. A list may have any order.
fn is_argument(argument: &Argument, words: &[String], labels: &Labels) -> bool {
    let found: Vec<String> = match argument {
        Argument::List(list) => list.iter().map(argument_word).collect(),
        Argument::Nothing => Vec::new(),
        one => vec![argument_word(one)],
    };
    let is_piece = |word: &String| labels.piece_by_word(word).map_or(word.clone(), |piece| piece.to_string());
    let mut wanted: Vec<String> = words.iter().map(is_piece).collect();
    let mut found = found;
    wanted.sort();
    found.sort();
    wanted == found || (found.is_empty() && words == ["none"])
}

/// The word for an argument in keys: pieces and sides are numbers.
fn argument_word(argument: &Argument) -> String {
    match argument {
        Argument::Piece(piece) => piece.id.to_string(),
        Argument::Side { side } => side.to_string(),
        Argument::Number(number) => number.to_string(),
        Argument::Word(word) => word.clone(),
        Argument::List(list) => list.iter().map(argument_word).collect::<Vec<_>>().join("+"),
        Argument::Nothing => "none".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_engine::runtime::PieceView;

    fn piece(id: usize) -> Argument {
        Argument::Piece(PieceView { id, kind: "frog".to_string(), ..PieceView::default() })
    }

    fn option(text: &str) -> OptionView {
        let args = vec![
            ("frogs".to_string(), Argument::List(vec![piece(3), piece(12)])),
            ("to".to_string(), Argument::Side { side: 1 }),
        ];
        OptionView {
            id: 0,
            key: "hop(3+12>1)".to_string(),
            action: "hop".to_string(),
            args,
            text: text.to_string(),
            ability: None,
        }
    }

    #[test]
    fn copies_go_by_one_name_where_their_numbers_are_left_out() {
        assert_eq!(without_numbers("play(newt#12+otter>newt)"), "play(newt+otter>newt)");
        assert_eq!(without_numbers("dive#2(x)"), "dive(x)");
    }

    #[test]
    fn words_may_stand_anywhere_in_a_sentence() {
        let option = option("Two frogs hop, at once, to the Duck");
        assert!(has_words(&option, "hop"));
        assert!(has_words(&option, "duck frogs"));
        assert!(has_words(&option, "once,"));
        assert!(!has_words(&option, "frog"));
        assert!(!has_words(&option, "hop otter"));
    }

    #[test]
    fn arguments_go_by_role() {
        let labels = Labels::new([("a".to_string(), 3), ("b".to_string(), 12)].into());
        let fits = |action: Option<&str>, roles: &[(&str, &[&str])]| {
            let own = |words: &[&str]| words.iter().map(|word| word.to_string()).collect();
            let roles: Vec<(String, Vec<String>)> = roles.iter().map(|(role, words)| (role.to_string(), own(words))).collect();
            has_arguments(&option(""), action, &roles, &labels)
        };
        assert!(fits(Some("hop"), &[("frogs", &["b", "a"]), ("to", &["1"])]));
        assert!(fits(None, &[("frogs", &["3", "b"])]));
        assert!(!fits(Some("swim"), &[]));
        assert!(!fits(None, &[("frogs", &["a"])]));
        assert!(!fits(None, &[("toads", &["a", "b"])]));
    }
}
