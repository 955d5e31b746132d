//! Finds the option with the arguments of an answer. A move fills the roles of an action with arguments, in JSON
//! `{"dice":[3,0],"target":6}`. The same move has the key `attack(0+3>6)`: the action with its arguments in the order of its
//! roles.

use super::messages::MOST_OPTIONS;
use super::request::{Rejection, illegal_choice};
use ludex_engine::json as form;
use ludex_engine::program::{ActionInfo, Program};
use ludex_engine::runtime::keys::NOTHING;
use ludex_engine::runtime::{Choice, Decision, OptionView, Session};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The only option with these arguments, as listed or as written in keys. `action` narrows the search to one action. An error
/// if no option, or more than one, has them.
pub fn choice_by_arguments(
    session: &Session,
    decision: &Decision,
    action: Option<&str>,
    args: &Map<String, Value>,
) -> Result<Choice, Rejection> {
    // Beyond the listed number, a move is found by its key without generating the others.
    if decision.count > MOST_OPTIONS
        && let Ok(choice) = choice_by_possible_keys(session, decision, action, args)
    {
        return Ok(choice);
    }
    let options = session.options(decision.id, 0, MOST_OPTIONS);
    match find_listed_option(decision, &options, action, args)? {
        Some(option) => Ok(Choice::Option(option)),
        None => choice_by_possible_keys(session, decision, action, args),
    }
}

/// The option of a list with these arguments, or with equivalent ones; `None` if there is none. Among equal options the first
/// counts; different ones that fit are an error.
pub fn find_listed_option(
    decision: &Decision,
    options: &[OptionView],
    action: Option<&str>,
    args: &Map<String, Value>,
) -> Result<Option<u64>, Rejection> {
    let called = options.iter().filter(|option| action.is_none_or(|action| action == option.action));
    let called = called.map(|option| (option, form::arguments_json(option)));
    let mut fitting: Vec<(&OptionView, Map<String, Value>)> =
        called.filter(|(_, listed)| arguments_match(args, listed)).collect();
    if fitting.iter().any(|(_, listed)| listed == args) {
        fitting.retain(|(_, listed)| listed == args);
    }
    let Some((first, arguments)) = fitting.first() else { return Ok(None) };
    let other = fitting.iter().find(|(other, listed)| other.action != first.action || listed != arguments);
    match other {
        None => Ok(Some(first.id)),
        Some((other, _)) => Err(ambiguity_rejection(decision, &first.key, &other.key)),
    }
}

/// Whether arguments are equivalent to the listed ones of an option. A missing argument means nothing.
fn arguments_match(args: &Map<String, Value>, listed: &Map<String, Value>) -> bool {
    let given = |name: &String| args.get(name).unwrap_or(&Value::Null);
    args.keys().all(|name| listed.contains_key(name)) && listed.iter().all(|(name, listed)| argument_matches(given(name), listed))
}

/// Whether an argument is equivalent to a listed one: pieces and sides may be given by number, and lists in any order.
fn argument_matches(argument: &Value, listed: &Value) -> bool {
    match (argument, listed) {
        (Value::Array(given), Value::Array(listed)) => {
            let is_given = |listed: &Value| given.iter().any(|given| argument_matches(given, listed));
            given.len() == listed.len() && listed.iter().all(is_given)
        }
        (_, Value::Object(thing)) => number_of_thing(thing).is_some_and(|number| match argument {
            Value::Object(given) => self::number_of_thing(given) == Some(number),
            given => given.as_u64() == Some(number),
        }),
        _ => argument == listed,
    }
}

/// The number of a listed piece or side.
fn number_of_thing(thing: &Map<String, Value>) -> Option<u64> {
    thing.get("id").or(thing.get("side")).and_then(Value::as_u64)
}

/// The rejection of arguments that fit two different options, given by their keys.
fn ambiguity_rejection(decision: &Decision, one: &str, other: &str) -> Rejection {
    let reason = format!("these arguments fit several options, such as `{one}` and `{other}`");
    illegal_choice(decision, reason).help("add `action`, or choose by `key`")
}

/// The only option with a key that the arguments may mean.
fn choice_by_possible_keys(
    session: &Session,
    decision: &Decision,
    action: Option<&str>,
    args: &Map<String, Value>,
) -> Result<Choice, Rejection> {
    let keys = possible_keys(session.program(), action, args);
    let fitting: Vec<(&String, Choice)> =
        keys.iter().filter_map(|key| Some((key, session.find_choice(decision.id, key).ok()?))).collect();
    match fitting.as_slice() {
        [(_, only)] => Ok(only.clone()),
        [(one, _), (other, _), ..] => Err(ambiguity_rejection(decision, one, other)),
        [] => Err(illegal_choice(decision, "no option has these arguments").help("choose by `option` or `key`")),
    }
}

/// The keys that arguments may mean: one for each action with such roles, and that of `choose`, for questions in which a thing
/// is chosen.
fn possible_keys(program: &Program, action: Option<&str>, args: &Map<String, Value>) -> BTreeSet<String> {
    let Some(given) = argument_texts(args) else { return BTreeSet::new() };
    let roles = program.actions.iter().map(|info| (info.name.as_str(), role_names(info)));
    let kinds = roles.chain([("choose", vec!["item"])]).filter(|(name, _)| action.is_none_or(|action| action == *name));
    kinds.filter_map(|(name, roles)| key_from_arguments(name, &roles, &given)).collect()
}

/// The names of an action's roles.
pub fn role_names(info: &ActionInfo) -> Vec<&str> {
    info.roles.iter().map(|role| role.name.as_str()).collect()
}

/// The key of a move with these roles and the given arguments. A missing argument means nothing. `None` if an argument has no
/// role.
pub fn key_from_arguments(name: &str, roles: &[&str], given: &BTreeMap<&str, String>) -> Option<String> {
    if given.keys().any(|role| !roles.contains(role)) {
        return None;
    }
    let words: Vec<&str> = roles.iter().map(|role| given.get(role).map_or(NOTHING, String::as_str)).collect();
    Some(if words.is_empty() { name.to_string() } else { format!("{name}({})", words.join(">")) })
}

/// Arguments as written in a key; `None` if one of them is invalid.
fn argument_texts(args: &Map<String, Value>) -> Option<BTreeMap<&str, String>> {
    args.iter().map(|(role, argument)| Some((role.as_str(), argument_text(argument)?))).collect()
}

/// An argument as written in a key. Pieces and sides may be numbers or listed objects, and lists may have any order.
fn argument_text(argument: &Value) -> Option<String> {
    match argument {
        Value::Null => Some(NOTHING.to_string()),
        Value::Number(number) => Some(number.to_string()),
        Value::String(word) => Some(word.replace(' ', "_")),
        Value::Object(thing) => number_of_thing(thing).map(|number| number.to_string()),
        Value::Array(list) => {
            let mut words = list.iter().map(argument_text).collect::<Option<Vec<String>>>()?;
            words.sort_by_key(|word| word.parse::<u64>().unwrap_or(u64::MAX));
            Some(words.join("+"))
        }
        Value::Bool(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{CommonArgs, PlayerSpec};
    use crate::game::loaded::playable_sheets;
    use crate::{bots, load};
    use ludex_engine::Compile;
    use ludex_engine::library::CompileRequest;
    use ludex_engine::runtime::{Dice, Form, Pending, Setup};
    use serde_json::json;
    use std::sync::Arc;

    fn attack(args: Value) -> Option<String> {
        key_from_arguments("attack", &["dice", "target"], &argument_texts(args.as_object()?)?)
    }

    #[test]
    fn arguments_are_numbers_or_what_was_listed() {
        assert_eq!(attack(json!({"dice": [3, 0], "target": 6})).as_deref(), Some("attack(0+3>6)"));
        let listed = json!({"dice": [{"id": 0, "size": 6}, {"id": 3}], "target": {"id": 6}});
        assert_eq!(attack(listed).as_deref(), Some("attack(0+3>6)"));
        assert_eq!(attack(json!({"dice": [10, 9], "target": {"side": 1}})).as_deref(), Some("attack(9+10>1)"));
        assert_eq!(
            attack(json!({"dice": ["heron", "otter#2"], "target": "far away"})).as_deref(),
            Some("attack(heron+otter#2>far_away)")
        );
    }

    #[test]
    fn what_is_left_out_is_nothing() {
        assert_eq!(attack(json!({"dice": [3]})).as_deref(), Some("attack(3>none)"));
        assert_eq!(key_from_arguments("wave", &[], &BTreeMap::new()).as_deref(), Some("wave"));
    }

    #[test]
    fn other_arguments_do_not_fit() {
        assert_eq!(attack(json!({"dice": [3, 0], "target": 6, "joker": 1})), None);
        assert_eq!(attack(json!({"dice": true, "target": 6})), None);
    }

    #[test]
    fn what_is_listed_may_be_given_by_number_and_in_any_order() {
        let listed = json!({"dice": [{"id": 0, "size": 6}, {"id": 3}], "target": {"side": 1}, "joker": null});
        let fits = |args: Value| arguments_match(args.as_object().unwrap(), listed.as_object().unwrap());
        assert!(fits(listed.clone()));
        assert!(fits(json!({"dice": [3, 0], "target": 1})));
        assert!(fits(json!({"dice": [{"id": 3}, 0], "target": {"side": 1}, "joker": null})));
        for other in
            [json!({"dice": [3, 3], "target": 1}), json!({"dice": [3, 0]}), json!({"dice": [3, 0], "target": 1, "more": 1})]
        {
            assert!(!fits(other.clone()), "{other}");
        }
    }

    #[test]
    fn options_without_arguments_are_told_apart_by_their_action() {
        let option = |id, key: &str, action: &str| OptionView {
            id,
            key: key.to_string(),
            action: action.to_string(),
            args: Vec::new(),
            text: String::new(),
            ability: None,
        };
        let options =
            [option(0, "nod", "nod"), option(1, "wave", "wave"), option(2, "wave#2", "wave"), option(3, "pass", "pass")];
        let decision = Decision {
            id: 1,
            seat: 0,
            form: Form::One,
            count: 4,
            may_pass: false,
            group: None,
            secret: false,
            veiled: false,
            forced: false,
        };
        let found = |options: &[OptionView], action| find_listed_option(&decision, options, action, &Map::new());
        assert_eq!(found(&options, Some("pass")), Ok(Some(3)));
        assert_eq!(found(&options, Some("wave")), Ok(Some(1)));
        assert_eq!(found(&options, Some("frown")), Ok(None));
        assert_eq!(found(&options[1..3], None), Ok(Some(1)));
        let several = found(&options, None).unwrap_err();
        assert_eq!(several.problem.message.to_string(), "these arguments fit several options, such as `nod` and `wave`");
        assert_eq!(several.problem.help.as_deref(), Some("add `action`, or choose by `key`"));
    }

    /// Every option of a decision leads by its action and arguments to itself, or to the first that is listed alike.
    #[track_caller]
    fn all_are_taken_back(session: &Session, decision: &Decision) {
        let options = session.options(decision.id, 0, MOST_OPTIONS);
        let listed: Vec<(&str, Map<String, Value>)> =
            options.iter().map(|option| (option.action.as_str(), form::arguments_json(option))).collect();
        for wanted in listed.iter().step_by(1 + listed.len() / 20) {
            let first = listed.iter().position(|other| other == wanted).unwrap();
            let (action, args) = wanted;
            assert_eq!(
                choice_by_arguments(session, decision, Some(action), args),
                Ok(Choice::Option(first as u64)),
                "{action} {args:?}"
            );
        }
    }

    #[test]
    fn whatever_is_listed_in_a_game_is_taken_back_as_it_stands() {
        let library = load::open_libraries(&CommonArgs::default()).library;
        for game in library.game_ids() {
            let (program, problems) = library.compile(&game, &CompileRequest::default());
            let program = Arc::new(program.unwrap_or_else(|| panic!("{problems:#?}")));
            let (there, each) = (playable_sheets(&program), program.sides.entrants_least);
            let dealt = |side| there.iter().skip(side * each).take(each).map(|sheet| sheet.id.clone()).collect();
            let sides = (0..program.sides.least).map(dealt).collect();
            let setup = Setup { sides, seed: 7.into(), dice: Dice::Seeded, position: None, names: Vec::new(), watched: false };
            let mut session = Session::start(program.clone(), &setup).unwrap();
            let mut random = bots::create_bot(&PlayerSpec::Random, &program, 7, 0).unwrap();
            for _ in 0..150 {
                let Pending::Decisions(open) = session.pending() else { break };
                let decision = open[0].clone();
                if decision.form == Form::One {
                    all_are_taken_back(&session, &decision);
                }
                let choice = random.answer(&session, &decision);
                session.choose(decision.id, choice.unwrap()).unwrap();
            }
        }
    }
}
