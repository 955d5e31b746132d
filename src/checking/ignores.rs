//! Warnings that the writer of a file has seen and accepts: `# ludex: ignore LX0313 because …`.
//!
//! Behind something on a line it counts for that line; alone on a line, for the next one; among the comments at the head of a
//! file, for the whole file. Scripts write it behind `//`. Errors cannot be ignored: they keep the game from being played.

use ludex_engine::codes;
use ludex_engine::problem::{Problem, closest};
use ludex_engine::source::{Source, SourceId, Sources, Span};
use std::collections::{BTreeMap, BTreeSet};

/// What stands before the word.
const MARK: &str = "ludex:";

/// One code that is ignored somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Ignore {
    code: String,
    span: Span,
    /// The line for which it counts, from 0; none for the whole file.
    line: Option<usize>,
}

/// The problems without those that are ignored, and with what is wrong with the words that ignore them. In which files that is
/// told, is said by `told`; whether everything has been checked, so that what ignores nothing is known, by `whole`.
pub fn applied(problems: Vec<Problem>, sources: &Sources, told: impl Fn(SourceId) -> bool, whole: bool) -> Vec<Problem> {
    let mut wrong = Vec::new();
    let ignores: Vec<Ignore> = sources.iter().flat_map(|(id, source)| ignores_in(id, source, &mut wrong)).collect();
    if ignores.is_empty() && wrong.is_empty() {
        return problems;
    }
    let key = |ignore: &Ignore| (ignore.span.source, ignore.code.clone(), ignore.line);
    let by_place: BTreeMap<(SourceId, String, Option<usize>), Span> =
        ignores.iter().map(|ignore| (key(ignore), ignore.span)).collect();
    let mut used = BTreeSet::new();
    let mut is_ignored = |problem: &Problem| {
        let Some((span, _)) = problem.labels.first().filter(|_| !problem.is_error()) else { return false };
        let line = sources.line_column(*span).0 - 1;
        let at = |line| by_place.get(&(span.source, problem.code.to_string(), line)).copied();
        let fitting = [at(Some(line)), at(None)];
        used.extend(fitting.into_iter().flatten());
        fitting.iter().any(Option::is_some)
    };
    let mut left: Vec<Problem> = problems.into_iter().filter(|problem| !is_ignored(problem)).collect();
    let places = |problem: &Problem| problem.labels.first().map(|(span, _)| ((span.source, problem.code), problem.is_error()));
    let rest: BTreeMap<(SourceId, &str), bool> = left.iter().filter_map(places).collect();
    let unused = ignores.iter().filter(|ignore| whole && !used.contains(&ignore.span));
    let unused = unused.map(|ignore| useless(ignore, rest.get(&(ignore.span.source, ignore.code.as_str())).copied()));
    let wrong = wrong.into_iter().chain(unused.collect::<Vec<_>>());
    left.extend(wrong.filter(|problem| problem.labels.iter().any(|(span, _)| told(span.source))));
    left
}

/// What a file ignores, and what is wrong with how it says so.
fn ignores_in(id: SourceId, source: &Source, wrong: &mut Vec<Problem>) -> Vec<Ignore> {
    let sign = match source.name.rsplit('.').next() {
        Some("ludex" | "yaml" | "yml") => "#",
        Some("rhai") => "//",
        _ => return Vec::new(),
    };
    if !source.text.contains(MARK) {
        return Vec::new();
    }
    let (mut found, mut head) = (Vec::new(), true);
    for (number, line) in source.text.split('\n').enumerate() {
        let is_comment = line.trim_start().starts_with(sign) || line.trim().is_empty();
        head &= is_comment;
        let Some(at) = comment(line, sign) else { continue };
        let start = source.line_range(number).start;
        let counts_for = match (head, line[..at].trim().is_empty()) {
            (true, _) => None,
            (false, true) => Some(number + 1),
            (false, false) => Some(number),
        };
        let span = Span::new(id, start + at, start + line.trim_end().len());
        match codes_of(&line[at..], sign) {
            Ok(codes) => found.extend(codes.into_iter().map(|(from, code)| {
                let from = start + at + from;
                Ignore { span: Span::new(id, from, from + code.len()), code: code.to_string(), line: counts_for }
            })),
            Err(problem) => wrong.push(problem.at(span, "counts for nothing")),
        }
    }
    found
}

/// Where on a line the comment begins that speaks to Ludex.
fn comment(line: &str, sign: &str) -> Option<usize> {
    let speaks = |at: &usize| {
        let before = line[..*at].chars().next_back();
        before.is_none_or(char::is_whitespace) && line[at + sign.len()..].trim_start().starts_with(MARK)
    };
    line.match_indices(sign).map(|(at, _)| at).find(speaks)
}

/// The codes that a comment names, each with its place in it.
fn codes_of<'t>(comment: &'t str, sign: &str) -> Result<Vec<(usize, &'t str)>, Problem> {
    let wrong = |message: String| Problem::warning(codes::IGNORE_FORM, message);
    let form = format!("write `{sign} ludex: ignore LX0313 because …`");
    let words = comment[sign.len()..].trim_start().strip_prefix(MARK).unwrap_or_default();
    let mut words = words.split_whitespace();
    let verb = words.next().unwrap_or_default();
    if verb != "ignore" {
        return Err(wrong(format!("`{MARK} {verb}` says nothing")).suggest(verb, ["ignore"]).help(form));
    }
    let named: Vec<&str> = words.by_ref().take_while(|word| *word != "because").collect();
    if let Some(code) = named.iter().find(|code| !codes::ALL.contains(code)) {
        let problem = wrong(format!("there is no code `{code}`"));
        return Err(match closest(code, codes::ALL.iter().copied()) {
            Some(near) => problem.meant(near),
            None => problem.help(form),
        });
    }
    if named.is_empty() {
        return Err(wrong("it is not said which code is ignored".to_string()).help(form));
    }
    if words.next().is_none() {
        let message = "it is not said why this is ignored".to_string();
        return Err(wrong(message).help(format!("end it with the reason: `{sign} ludex: ignore {} because …`", named.join(" "))));
    }
    let place = |code: &&'t str| (code.as_ptr() as usize - comment.as_ptr() as usize, *code);
    Ok(named.iter().map(place).collect())
}

/// Nothing of this code is where it is ignored; elsewhere in the file there may be an error of it, or a warning.
fn useless(ignore: &Ignore, elsewhere: Option<bool>) -> Problem {
    let message = format!("no warning `{}` is ignored by this", ignore.code);
    let problem = Problem::warning(codes::IGNORES_NOTHING, message).at(ignore.span, "ignores nothing");
    match elsewhere {
        Some(true) => problem.help("errors cannot be ignored: they keep the game from being played"),
        Some(false) => problem.help("put it behind the line that is warned of, or on the line above"),
        None => problem.help("remove it"),
    }
}
