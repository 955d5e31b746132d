//! Assigns the shared flags to verbs. A verb accepts only the flags that have a meaning for it.
//!
//! The shared flags are the fields of [`CommonArgs`], by whose names (ids) they are listed here. clap has them as arguments of the
//! command itself and of each verb that takes them; those before and after the verb are merged.

use crate::args::{CommonArgs, Format};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, ValueEnum};
use ludex_engine::codes;
use ludex_engine::problem::{Problem, join_words};

/// Flags that select files of games.
const LIBRARIES: &[&str] = &["libraries", "no_local"];
/// Flags that configure a game.
const SETTING: &[&str] = &["mode", "options"];
/// Flags that choose players.
const PLAYERS: &[&str] = &["seats", "referee"];
/// For verbs that use the characters of sides, but have no players.
const SEATS: &[&str] = &["seats"];
const FORMAT: &[&str] = &["format"];
/// Flags for long texts.
const PAGED: &[&str] = &["no_pager"];

/// Verbs with their flags. A verb within `tournament` follows it.
pub const TAKEN: &[(&str, &[&[&str]])] = &[
    ("list", &[LIBRARIES, FORMAT, PAGED]),
    ("show", &[LIBRARIES, SETTING, FORMAT, PAGED]),
    ("rules", &[LIBRARIES, SETTING, FORMAT, PAGED]),
    ("tour", &[LIBRARIES]),
    ("play", &[LIBRARIES, SETTING, PLAYERS, FORMAT]),
    ("resume", &[LIBRARIES, PLAYERS, FORMAT]),
    ("new", &[LIBRARIES, SETTING, FORMAT]),
    ("check", &[LIBRARIES, SETTING, FORMAT]),
    ("fmt", &[LIBRARIES, FORMAT]),
    ("test", &[LIBRARIES, SETTING, FORMAT]),
    ("record", &[LIBRARIES, SETTING, PLAYERS, FORMAT]),
    ("sim", &[LIBRARIES, SETTING, PLAYERS, FORMAT]),
    ("merge", &[LIBRARIES, FORMAT]),
    ("odds", &[LIBRARIES, SETTING, SEATS, FORMAT]),
    ("replay", &[LIBRARIES, FORMAT]),
    // Speaks JSON in any case.
    ("host", &[LIBRARIES, SETTING, PLAYERS, FORMAT]),
    ("serve", &[LIBRARIES, SETTING, PLAYERS, FORMAT]),
    ("tournament new", &[LIBRARIES, SETTING, FORMAT]),
    ("tournament play", &[LIBRARIES, PLAYERS, FORMAT]),
    ("tournament choose", &[LIBRARIES, FORMAT]),
    ("tournament", &[FORMAT]),
    ("pack", &[LIBRARIES, SETTING, FORMAT]),
    ("diff", &[LIBRARIES, SETTING, FORMAT, PAGED]),
    ("schema", &[LIBRARIES, SETTING, FORMAT]),
    ("explain", &[FORMAT, PAGED]),
    ("doctor", &[LIBRARIES, FORMAT]),
];

/// Verbs whose results also come as tables for spreadsheets.
pub const IN_TABLES: &[&str] = &["list", "show", "sim", "merge", "odds"];
/// Verbs whose results may be problems, in formats for other programs.
const OF_PROBLEMS: &[&str] = &["check", "merge"];

/// Display order of these flags in help starts here. No verb has that many of its own.
const COMMON_FROM: usize = 500;

/// The flags that a verb takes, by their ids. `path` is the verb, followed by its subverb: `tournament new`.
fn verb_flags(path: &str) -> impl Iterator<Item = &'static str> {
    let found = |path: &str| TAKEN.iter().find(|(verb, _)| *verb == path).map(|(_, flags)| *flags);
    // Subverbs without an entry use the entry of their verb.
    let flags = found(path).or_else(|| found(path.split(' ').next()?)).unwrap_or_default();
    flags.iter().flat_map(|flags| flags.iter().copied())
}

/// The arguments of [`CommonArgs`].
pub fn common_flags() -> Vec<Arg> {
    CommonArgs::augment_args(Command::new("")).get_arguments().cloned().collect()
}

/// Adds its flags to each verb.
pub fn add_flags(command: Command) -> Command {
    let flags = common_flags();
    command.mut_subcommands(|verb| add_flags_below(verb, "", &flags))
}

/// Adds its flags to a verb, or to its subverbs. `before` is the verb that it is within, with a space.
fn add_flags_below(verb: Command, before: &str, flags: &[Arg]) -> Command {
    let path = format!("{before}{}", verb.get_name());
    if verb.has_subcommands() {
        return verb.mut_subcommands(|inner| add_flags_below(inner, &format!("{path} "), flags));
    }
    let own: Vec<&str> = verb_flags(&path).collect();
    let flags = flags.iter().filter(|flag| own.contains(&flag.get_id().as_str()));
    // A verb's own flags come first.
    let flags = (COMMON_FROM..).zip(flags).map(|(place, flag)| flag.clone().display_order(place));
    verb.args(flags.map(|flag| if flag.get_id() == "format" { with_formats(flag, &path) } else { flag }))
}

/// Restricts the flag to the formats of a verb. Some formats exist for a few verbs only.
fn with_formats(flag: Arg, path: &str) -> Arg {
    let is_of_verb = |format: &&Format| match format {
        Format::Text | Format::Json => true,
        Format::Csv => IN_TABLES.contains(&path),
        Format::Concise | Format::Github | Format::Sarif => OF_PROBLEMS.contains(&path),
    };
    let formats = Format::value_variants().iter().filter(is_of_verb).filter_map(Format::to_possible_value);
    let parser = PossibleValuesParser::new(formats.collect::<Vec<_>>());
    flag.value_parser(parser.map(|word| Format::from_str(&word, false).unwrap_or_default()))
}

/// Reads the flags before and after the verb. A flag before the verb that the verb does not take is an error.
pub fn read_flags(matches: &ArgMatches) -> Result<CommonArgs, clap::Error> {
    let mut common = CommonArgs::default();
    let (mut part, mut path) = (matches, Vec::new());
    let mut before: Vec<&str> = Vec::new();
    loop {
        merge_flags(&mut common, part);
        let Some((name, inner)) = part.subcommand() else { break };
        before.extend(flags_on_line(part));
        path.push(name);
        part = inner;
    }
    let path = path.join(" ");
    match before.into_iter().find(|flag| !verb_flags(&path).any(|taken| taken == *flag)) {
        Some(flag) if !path.is_empty() => Err(unknown_flag_error(flag)),
        _ => Ok(common),
    }
}

/// The flags given at one level of the command line.
fn flags_on_line(matches: &ArgMatches) -> Vec<&str> {
    let on_line = |id: &&str| matches.try_contains_id(id).is_ok() && matches.value_source(id) == Some(ValueSource::CommandLine);
    let ids = TAKEN.iter().flat_map(|(_, flags)| flags.iter().flat_map(|flags| flags.iter().copied()));
    let mut given: Vec<&str> = ids.filter(on_line).collect();
    given.dedup();
    given
}

/// Adds the flags of one level. Repeatable flags add up; of others the innermost counts.
fn merge_flags(common: &mut CommonArgs, matches: &ArgMatches) {
    let given = flags_on_line(matches);
    let many = |id: &str| given.contains(&id);
    if many("libraries") {
        common.libraries.extend(matches.get_many("libraries").into_iter().flatten().cloned());
    }
    if many("options") {
        common.options.extend(matches.get_many("options").into_iter().flatten().cloned());
    }
    if many("seats") {
        common.seats.extend(matches.get_many("seats").into_iter().flatten().cloned());
    }
    if many("mode") {
        common.mode = matches.get_one("mode").cloned();
    }
    if many("referee") {
        common.referee = matches.get_one("referee").cloned();
    }
    if many("format") {
        common.format = matches.get_one("format").copied().unwrap_or_default();
    }
    common.no_local |= many("no_local");
    common.no_pager |= many("no_pager");
}

/// The same error that clap gives for an unknown argument.
fn unknown_flag_error(flag: &str) -> clap::Error {
    let mut error = clap::Error::new(ErrorKind::UnknownArgument);
    error.insert(ContextKind::InvalidArg, ContextValue::String(long_name(flag)));
    error
}

/// The long form of a flag: `--seat` for `seats`.
fn long_name(id: &str) -> String {
    let flags = common_flags();
    let found = flags.iter().find(|flag| flag.get_id() == id).and_then(Arg::get_long);
    format!("--{}", found.unwrap_or(id))
}

/// Reports a flag that other verbs take but this one does not, or a player without a flag.
pub fn misplaced_flag_problem(error: &clap::Error, path: &[String]) -> Option<Problem> {
    let (ErrorKind::UnknownArgument, Some(ContextValue::String(named))) = (error.kind(), error.get(ContextKind::InvalidArg))
    else {
        return None;
    };
    if !named.starts_with('-') {
        return bare_player_problem(named, &path.join(" "));
    }
    let named = named.split('=').next().unwrap_or(named);
    let flag = common_flags().into_iter().find(|flag| flag.get_long().is_some_and(|long| format!("--{long}") == named))?;
    let id = flag.get_id().as_str();
    let verbs: Vec<String> = verbs_with_flag(id).map(|verb| format!("`{verb}`")).collect();
    let code = match id {
        "seats" | "referee" => codes::SEATS,
        "options" => codes::OPTION_VALUE,
        _ => codes::COMMAND_LINE,
    };
    let message = format!("`ludex {}` has no flag `{named}`", path.join(" "));
    Some(Problem::error(code, message).help(format!("leave it out; it is a flag of {}", join_words(&verbs, "and"))))
}

/// The verbs that take a flag.
fn verbs_with_flag(id: &str) -> impl Iterator<Item = &'static str> {
    let takes = move |(_, flags): &&(&str, &[&[&str]])| flags.iter().any(|flags| flags.contains(&id));
    TAKEN.iter().filter(takes).map(|(verb, _)| *verb)
}

/// Reports an extra word that may have been meant as a player. None if the verb has no players.
fn bare_player_problem(word: &str, path: &str) -> Option<Problem> {
    verbs_with_flag("seats").find(|verb| *verb == path)?;
    let message = format!("`ludex {path}` does not expect `{word}` here");
    let help = format!("to let it play, write `--seat 0={word}`; `ludex {path} --help` shows the other arguments");
    Some(Problem::error(codes::SEATS, message).help(help))
}
