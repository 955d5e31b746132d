//! From where the grammar stopped to a message for the reader.

use pest::error::{Error, ErrorVariant, InputLocation};

use super::chunks::{DECLARATIONS, PARTS};
use super::words::{self, Word};
use super::{Rule, code};
use crate::problem::{Problem, joined, nearest};
use crate::source::{SourceId, Span};

/// Words that begin a statement.
const STATEMENTS: [&str; 28] = [
    "let", "set", "add", "take", "move", "roll", "shuffle", "create", "remove", "mark", "unmark", "show", "if", "each", "count",
    "repeat", "depending", "together", "stop", "leave", "skip", "give", "open", "say", "finish", "answer", "restore", "do",
];

/// Words that begin a clause.
const CLAUSES: [&str; 8] = ["when", "says", "gives", "do", "obliges", "early", "late", "priority"];

/// Words that begin a member.
const MEMBERS: [&str; 3] = ["zone", "counter", "mark"];

/// At most so many things are said to be expected.
const MOST_EXPECTED: usize = 5;

/// The code that could not be read.
pub(super) struct Place<'a> {
    pub source: SourceId,
    pub offset: usize,
    pub code: &'a str,
}

/// What is wrong where reading stopped; nothing if that was at the end of a chunk whose brackets have been
/// complained of already.
pub(super) fn complain(error: &Error<Rule>, place: &Place, brackets_told: bool) -> Option<Problem> {
    let at = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
    };
    let ErrorVariant::ParsingError { positives, .. } = &error.variant else {
        return Some(super::too_deep(place.span(at.min(place.code.len()), place.code.len())));
    };
    let expected = Expected::new(positives);
    if at >= place.code.len() {
        return (!brackets_told).then(|| ends_early(&expected, place));
    }
    let stop = Stop { at, found: place.word_at(at), before: place.word_before(at), expected, place };
    Some(stop.no_beginning().or_else(|| stop.no_name()).unwrap_or_else(|| stop.unexpected()))
}

fn ends_early(expected: &Expected, place: &Place) -> Problem {
    let end = place.code.len();
    let last = place.code.char_indices().next_back().map_or(0, |(at, _)| at);
    Problem::error(code::SYNTAX, format!("expected {}, but the declaration ends here", expected.list(false)))
        .at(place.span(last, end), "something is missing after this")
}

/// Where reading stopped, and what stands around it.
struct Stop<'a> {
    at: usize,
    found: &'a str,
    /// The name right before, if it stands alone, and its place.
    before: Option<(usize, &'a str)>,
    expected: Expected,
    place: &'a Place<'a>,
}

impl Stop<'_> {
    fn span(&self) -> Span {
        self.place.span(self.at, self.at + self.found.len())
    }

    /// A word that should begin a declaration, a part, a statement or a member, and is no such word.
    fn no_beginning(&self) -> Option<Problem> {
        let first = self.place.code[..self.at].trim().is_empty();
        if first && self.found.starts_with(char::is_alphabetic) {
            let (what, known) = self.beginnings();
            let problem = Problem::error(code::SYNTAX, format!("`{}` does not begin {what}", self.found))
                .at(self.span(), "not a word that stands first");
            return Some(suggest_or(problem, self.found, known, self.first_help(what, known)));
        }
        let (start, word) = self.before?;
        let (what, known) = self.began_before(word)?;
        let problem = Problem::error(code::SYNTAX, format!("`{word}` does not begin {what}"))
            .at(self.place.span(start, start + word.len()), "not a word that stands first");
        Some(problem.suggest(word, known.iter().copied()))
    }

    fn beginnings(&self) -> (&'static str, &'static [&'static str]) {
        if self.expected.has(Rule::part) {
            ("a part of an ability", &PARTS)
        } else if self.expected.has(Rule::item) {
            ("a declaration", &DECLARATIONS)
        } else {
            ("the header of an ability", &["ability"])
        }
    }

    fn first_help(&self, what: &str, known: &[&str]) -> String {
        if STATEMENTS.contains(&self.found) {
            return "a statement stands in the block of a procedure: `to name { … }`".to_string();
        }
        let words: Vec<String> = known.iter().map(|word| format!("`{word}`")).collect();
        format!("{what} begins with {}", joined(&words, "or"))
    }

    /// What the lone name before the stop was taken for, if it was more likely a slip.
    fn began_before(&self, word: &str) -> Option<(&'static str, &'static [&'static str])> {
        let asks = self.expected.has(Rule::asking) && !self.expected.is_complete();
        if asks && !["once", "secret"].contains(&word) && nearest(self.found, ["must", "may"]).is_none() {
            return Some(("a statement", &STATEMENTS));
        }
        let member = self.expected.has(Rule::colon) && self.expected.has(Rule::comma);
        (member && nearest(word, MEMBERS).is_some()).then_some(("a member", &MEMBERS))
    }

    /// A word of the language where a name is expected.
    fn no_name(&self) -> Option<Problem> {
        let reserved = super::is_reserved(self.found) && self.expected.only_name();
        reserved.then(|| {
            Problem::error(code::SYNTAX, format!("`{}` is a word of the language and cannot be a name", self.found))
                .at(self.span(), "choose another name")
        })
    }

    fn unexpected(&self) -> Problem {
        let list = self.expected.list(false);
        let problem = Problem::error(code::SYNTAX, format!("expected {list}, found `{}`", self.found))
            .at(self.span(), "not expected here");
        let known = self.expected.words();
        match (nearest(self.found, known.iter().map(String::as_str)), self.help()) {
            (Some(near), _) if near != self.found => problem.help(format!("did you mean `{near}`?")),
            (_, Some(help)) => problem.help(help),
            _ => problem,
        }
    }

    /// Advice for what people are used to write elsewhere.
    fn help(&self) -> Option<&'static str> {
        let behind = self.place.code.get(self.at + self.found.len()..).unwrap_or("");
        Some(match self.found {
            "choose" => "say who chooses: `active must choose …`",
            "else" => "an `else` follows the block of an `if` or a question",
            "end" => "a block ends with `}`",
            "as" => "only what rolls, moves, changes, asks or does something names its result with `as`",
            "@" => "behind `@` stands a rule id, as in `@DC-021`",
            "." if behind.starts_with(|c: char| c.is_ascii_digit()) => "numbers are whole",
            "?" => "a choice between two values is written `if condition then value else value`",
            "%" => "there is no remainder; `is even` and `is odd` test by two",
            "[" => "a part of a list is taken with `first of`, `last of`, `top 2 of` or `where`",
            "-" if behind.starts_with('>') => "what a procedure gives is written behind `:`",
            "'" | "‘" | "’" | "`" => "a text stands in straight quotes: `\"text\"`",
            ":" if self.expected.has(Rule::open_brace) => "a block stands between `{` and `}`",
            "," | ")" if self.expected.has(Rule::colon) => "a parameter says what it is, as in `die: die`",
            "-" if self.expected.has(Rule::name) => "words in a name are joined with `_`",
            _ => return None,
        })
    }
}

fn suggest_or(problem: Problem, wrong: &str, known: &[&'static str], help: String) -> Problem {
    match nearest(wrong, known.iter().copied()) {
        Some(near) => problem.help(format!("did you mean `{near}`?")),
        None => problem.help(help),
    }
}

/// What the grammar would have gone on with.
struct Expected {
    rules: Vec<Rule>,
}

impl Expected {
    fn new(rules: &[Rule]) -> Expected {
        Expected { rules: rules.to_vec() }
    }

    fn has(&self, rule: Rule) -> bool {
        self.rules.contains(&rule)
    }

    /// Whether what was read so far could have been all.
    fn is_complete(&self) -> bool {
        self.rules.iter().any(|rule| matches!(words::word(*rule), Word::Strong(_)))
    }

    fn only_name(&self) -> bool {
        self.has(Rule::name) && !self.is_complete()
    }

    /// Only the end, or another declaration after it.
    fn only_ends(&self) -> bool {
        let ends = |rule: &Rule| !matches!(words::word(*rule), Word::Strong(_)) || [Rule::EOI, Rule::item].contains(rule);
        self.has(Rule::EOI) && self.rules.iter().all(ends)
    }

    /// What was expected, in a reader's words: `a statement or ` and so on.
    fn list(&self, first: bool) -> String {
        let ends = self.only_ends();
        let complete = self.is_complete() && !ends;
        let (mut said, mut signs, mut operators) = (Vec::new(), Vec::new(), false);
        for rule in &self.rules {
            match words::word(*rule) {
                _ if *rule == Rule::EOI || (*rule == Rule::item && self.has(Rule::EOI) && !first) => {}
                Word::Strong(word) => said.push(word.to_string()),
                Word::Thing(word) if !complete => said.push(word.to_string()),
                Word::Sign(sign) => signs.push(format!("`{sign}`")),
                Word::Keyword if !complete => signs.extend(words::keyword(*rule).map(|word| format!("`{word}`"))),
                Word::Operator | Word::OperatorKeyword => operators = true,
                Word::Thing(_) | Word::Keyword | Word::Hidden => {}
            }
        }
        said.append(&mut signs);
        if said.is_empty() && operators {
            said.push("an operator".to_string());
        }
        if self.has(Rule::EOI) {
            said.push("the end of the declaration".to_string());
        }
        let mut seen = Vec::new();
        said.retain(|word| !seen.contains(word) && { seen.push(word.clone()); true });
        said.truncate(MOST_EXPECTED);
        if said.is_empty() { "something else".to_string() } else { joined(&said, "or") }
    }

    /// All words that could have stood here, for a suggestion.
    fn words(&self) -> Vec<String> {
        let mut known: Vec<String> = self.rules.iter().filter_map(|rule| words::keyword(*rule)).collect();
        let mut add = |rule, words: &[&str]| {
            if self.has(rule) {
                known.extend(words.iter().map(|word| word.to_string()));
            }
        };
        add(Rule::statement, &STATEMENTS);
        add(Rule::clause, &CLAUSES);
        add(Rule::part, &PARTS);
        add(Rule::member, &MEMBERS);
        add(Rule::asking, &["must", "may"]);
        known
    }
}

impl<'a> Place<'a> {
    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.source, self.offset + start, self.offset + end)
    }

    fn word_at(&self, at: usize) -> &'a str {
        let rest = self.code.get(at..).unwrap_or("");
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let end = if end == 0 { rest.chars().next().map_or(0, char::len_utf8) } else { end };
        &rest[..end]
    }

    /// The name right before a place, unless it is a part of something longer.
    fn word_before(&self, at: usize) -> Option<(usize, &'a str)> {
        let before = self.code.get(..at)?.trim_end();
        let start = before.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |sign| sign + 1);
        let word = before.get(start..)?;
        let alone = before[..start].ends_with([' ', '\n', '\t', '{']) || start == 0;
        (alone && word.starts_with(|c: char| c.is_ascii_alphabetic())).then_some((start, word))
    }
}
