//! Warnings that the author of a file has seen and accepts: `# ludex: ignore LX0313 because …`.
//!
//! After other text on a line, the comment applies to that line. Alone on a line, it applies to the next one. Among the comments
//! at the head of a file, it applies to the whole file. Scripts write it after `//`, and in their headers after `#`. Errors
//! cannot be ignored: the game cannot be played with them.

use ludex_engine::codes;
use ludex_engine::problem::{Problem, closest_match};
use ludex_engine::source::{Source, SourceId, Sources, Span};
use std::collections::{BTreeMap, BTreeSet};

/// The prefix of the comment.
const MARK: &str = "ludex:";

/// The former word for mutants in place of a code. Their reasons are now in a file beside the scenarios.
const MUTANTS: &str = "mutants";

/// The prefix of each line in a script's header.
const HEADER: &str = "//!";

/// Where the reasons for mutants belong now.
const MOVED: &str = "write the reason in `rules/GAME/unnoticed.yaml`, as `ludex explain scenarios` shows";

/// Reports comments that give reasons for unnoticed mutants. Comments no longer do this.
pub fn outdated_ignores(id: SourceId, source: &Source) -> Vec<Problem> {
    let problem = |comment: Comment| match comment.parse_codes() {
        Err(problem) if comment.names_mutants() => Some(comment.at_comment(problem)),
        _ => None,
    };
    ludex_comments(id, source).into_iter().filter_map(problem).collect()
}

/// A code that is ignored somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Ignore {
    code: String,
    span: Span,
    /// The line it applies to, from 0; `None` for the whole file.
    line: Option<usize>,
}

/// Removes the ignored problems, and adds the problems of the ignore comments themselves. `told` selects the files for which the
/// latter are reported. `whole` says that everything was checked, so that unused comments are known.
pub fn apply_ignores(problems: Vec<Problem>, sources: &Sources, told: impl Fn(SourceId) -> bool, whole: bool) -> Vec<Problem> {
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
    let unused =
        unused.map(|ignore| unused_ignore_problem(ignore, rest.get(&(ignore.span.source, ignore.code.as_str())).copied()));
    let wrong = wrong.into_iter().chain(unused.collect::<Vec<_>>());
    left.extend(wrong.filter(|problem| problem.labels.iter().any(|(span, _)| told(span.source))));
    left
}

/// The codes that a file ignores. Malformed comments are added to `wrong`.
fn ignores_in(id: SourceId, source: &Source, wrong: &mut Vec<Problem>) -> Vec<Ignore> {
    let mut found = Vec::new();
    for comment in ludex_comments(id, source) {
        match comment.parse_codes() {
            Ok(codes) => found.extend(codes.into_iter().map(|code| comment.make_ignore(code))),
            Err(problem) => wrong.push(comment.at_comment(problem)),
        }
    }
    found
}

/// A comment that addresses Ludex.
struct Comment<'s> {
    text: &'s str,
    /// The comment sign of its file.
    sign: &'static str,
    span: Span,
    /// The line it applies to, from 0; `None` for the whole file.
    line: Option<usize>,
}

/// The comments of a file that address Ludex. Files without comment signs of their own have none.
fn ludex_comments(id: SourceId, source: &Source) -> Vec<Comment<'_>> {
    let usual = match source.name.rsplit('.').next() {
        Some("ludex" | "yaml" | "yml") => "#",
        Some("rhai") => "//",
        _ => return Vec::new(),
    };
    if !source.text.contains(MARK) {
        return Vec::new();
    }
    let (mut found, mut head) = (Vec::new(), true);
    for (number, line) in source.text.split('\n').enumerate() {
        let is_comment = line.trim_start().starts_with(usual) || line.trim().is_empty();
        head &= is_comment;
        // A script's header uses the syntax of rules.
        let header = line.trim_start().strip_prefix(HEADER).filter(|_| usual == "//");
        let sign = if header.is_some() { "#" } else { usual };
        let Some(at) = comment_start(line, sign) else { continue };
        let start = source.line_range(number).start;
        let before = line[..at].trim_start();
        let before = if header.is_some() { before.trim_start_matches(HEADER) } else { before };
        let counts_for = match (head && header.is_none(), before.trim().is_empty()) {
            (true, _) => None,
            (false, true) => Some(number + 1),
            (false, false) => Some(number),
        };
        let span = Span::new(id, start + at, start + line.trim_end().len());
        found.push(Comment { text: line[at..].trim_end(), sign, span, line: counts_for });
    }
    found
}

/// The position on a line of a comment that addresses Ludex.
fn comment_start(line: &str, sign: &str) -> Option<usize> {
    let speaks = |at: &usize| {
        let before = line[..*at].chars().next_back();
        before.is_none_or(char::is_whitespace) && line[at + sign.len()..].trim_start().starts_with(MARK)
    };
    line.match_indices(sign).map(|(at, _)| at).find(speaks)
}

impl<'s> Comment<'s> {
    /// `code` must be a part of the comment's text, which gives its place.
    fn make_ignore(&self, code: &str) -> Ignore {
        let from = self.span.start as usize + (code.as_ptr() as usize - self.text.as_ptr() as usize);
        let span = Span::new(self.span.source, from, from + code.len());
        Ignore { code: code.to_string(), span, line: self.line }
    }

    /// The text after the prefix.
    fn text_after_mark(&self) -> &'s str {
        self.text[self.sign.len()..].trim_start().strip_prefix(MARK).unwrap_or_default()
    }

    /// Whether it ignores mutants in the former way.
    fn names_mutants(&self) -> bool {
        self.text_after_mark().split_whitespace().nth(1) == Some(MUTANTS)
    }

    /// Points a problem to the comment.
    fn at_comment(&self, problem: Problem) -> Problem {
        problem.with_label(self.span, "has no effect")
    }

    /// Parses the codes that it ignores, or returns the problem with the comment.
    fn parse_codes(&self) -> Result<Vec<&'s str>, Problem> {
        let form = format!("write `{} ludex: ignore LX0313 because …`", self.sign);
        let said = self.text_after_mark();
        let (said, because) = said.split_once(" because").unwrap_or((said, ""));
        let (mut words, because) = (said.split_whitespace(), because.trim());
        let verb = words.next().unwrap_or_default();
        if verb != "ignore" {
            return Err(form_problem(format!("`{MARK} {verb}` has no meaning")).suggest(verb, ["ignore"]).help(form));
        }
        let named: Vec<&str> = words.collect();
        let codes = match named.first() {
            None => return Err(form_problem("the code to ignore is missing".to_string()).help(form)),
            Some(&MUTANTS) => return Err(form_problem("comments cannot ignore mutants".to_string()).help(MOVED)),
            Some(_) => check_codes(&named, form)?,
        };
        if because.is_empty() {
            let whole = format!("{} ludex: ignore {} because …", self.sign, named.join(" "));
            return Err(form_problem("the reason for ignoring this is missing".to_string())
                .help(format!("end it with the reason: `{whole}`")));
        }
        Ok(codes)
    }
}

/// The warning about a malformed comment.
fn form_problem(message: String) -> Problem {
    Problem::warning(codes::IGNORE_FORM, message)
}

/// Checks that the codes of a comment exist.
fn check_codes<'s>(named: &[&'s str], form: String) -> Result<Vec<&'s str>, Problem> {
    let Some(code) = named.iter().find(|code| !codes::ALL.contains(code)) else { return Ok(named.to_vec()) };
    let problem = form_problem(format!("there is no code `{code}`"));
    Err(match closest_match(code, codes::ALL.iter().copied()) {
        Some(near) => problem.suggest_near(near),
        None => problem.help(form),
    })
}

/// Reports an ignore comment without a matching warning in its place. Elsewhere the file may have an error or a warning of this
/// code.
fn unused_ignore_problem(ignore: &Ignore, elsewhere: Option<bool>) -> Problem {
    let message = format!("there is no warning `{}` here to ignore", ignore.code);
    let problem = ignores_nothing_problem(message, ignore.span);
    match elsewhere {
        Some(true) => problem.help("errors cannot be ignored, because the game cannot be played with them"),
        Some(false) => problem.help("put it at the end of the line with the warning, or on the line above"),
        None => problem.help("remove it"),
    }
}

/// The warning about a comment or an entry that applies to nothing.
pub(super) fn ignores_nothing_problem(message: String, span: Span) -> Problem {
    Problem::warning(codes::IGNORES_NOTHING, message).with_label(span, "ignores nothing")
}
