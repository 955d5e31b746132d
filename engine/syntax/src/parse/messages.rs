//! Turns the place where the grammar stopped into a message for the user. A [`ParseStop`] is that place, with the word *found*
//! there and the grammar rules *expected* there. [`ParseStop::syntax_problem`] tries known mistakes one after another, the most
//! specific first, before it lists what was expected.

use pest::error::{Error, ErrorVariant, InputLocation};

use super::Rule;
use super::chunks::{DECLARATIONS, PARTS};
use super::words::{self, STATEMENTS, Word};
use crate::codes;
use crate::problem::{Problem, closest_match, join_words, nearest_word};
use crate::source::{SourceId, Sources, Span};
use std::collections::BTreeSet;

/// Words that begin a clause.
const CLAUSES: [&str; 10] = ["when", "says", "gives", "do", "obliges", "tells", "early", "late", "free", "priority"];

/// Words that begin a member.
pub(super) const MEMBERS: [&str; 3] = ["zone", "counter", "mark"];

/// Words with which other games describe when an ability works.
const MOMENTS: [&str; 7] = ["before", "after", "on", "at", "if", "whenever", "upon"];

/// Maximum number of expected things in a message.
const MOST_EXPECTED: usize = 5;

/// Words that continue a statement.
const TAILS: [&str; 11] = ["as", "because", "until", "else", "otherwise", "where", "during", "asking", "must", "may", "into"];

/// Words that continue a value, or occur inside one.
const GOING_ON: [&str; 12] =
    ["where", "with", "without", "has", "then", "else", "and", "or", "lowest", "highest", "down", "missing"];

/// Words before `of`.
const BEFORE_OF: [&str; 9] = ["sum", "count", "highest", "lowest", "first", "last", "sorts", "half", "remainder"];

/// Signs of more than one character.
const LONG_SIGNS: [&str; 8] = ["<=", ">=", "!=", "==", "<>", "=<", "=>", ".."];

/// Words followed by a number and `of`, as in `member 2 of xs`.
pub const BEFORE_NUMBER_OF: [&str; 4] = ["highest", "lowest", "member", "top"];

/// Returns the form from [`FORMS`], if this word has one.
fn form_of(word: &str) -> Option<&'static str> {
    FORMS.iter().find(|(known, _)| *known == word).map(|(_, form)| *form)
}

/// The form of a declaration, part or statement, by its first word.
const FORMS: [(&str, &str); 19] = [
    ("ludex", "the first line of a file is `ludex 1`"),
    ("game", "a game is written `game pig \"Pig\"`: its id, one word in small letters, and its title in quotes"),
    ("package", "a package is written `package deep \"Deep\" extends pond`"),
    ("sides", "how many play is written `sides 2`, or `sides 2..4`; what each has, `each side has { … }`"),
    ("die", "the sizes that dice have are written `die sizes 6`, a die of its own `die wild \"Wild\" { … }`"),
    ("type", "a type of several words is written `type mood is one of calm, sour`"),
    ("each", "what each thing has is written `each side has { … }`; a loop, `each die in active.tray { … }`"),
    ("the", "what the table has is written `the table has { … }`"),
    ("uses", "how often an ability may be used is written `uses 3 per turn`, with a scope of the rules"),
    ("repeat", "a repetition is written `repeat 3 times { … }`, or `repeat at most 100 times until … { … }`"),
    ("say", "`say` is followed by a text in quotes, with values in braces: `say \"{active} has {active.points}\"`"),
    ("if", "what happens goes between `{` and `}`: `if … { … } else { … }`"),
    ("let", "a value gets its name with `let x = …`"),
    ("table", "what the table has is written `the table has { … }`; values for numbers, `table reach(size) { 1: 4  2: 6 }`"),
    ("add", "a number is added with `add 3 to active.points`"),
    ("take", "a number is taken away with `take 3 from active.points`"),
    ("create", "a new piece is written `create die(size: 6) in active.tray for active`, with empty brackets if it has no fields"),
    ("mark", "a mark is put on with `mark active as stunned until end of turn`"),
    ("counter", "a counter is written `counter points = 0 in 0..9`: its first value, and then its range"),
];

/// The advice for `in-play`.
const JOINED_WORDS: &str = "words in a name are joined with `_`";

/// The advice for `dice[0]`.
const PART_OF_LIST: &str =
    "a member of a list is taken with `member 1 of`, `first of` or `last of`, several with `where` or `top 2 of`";

/// Reduces problems with a word of the language used as a name to one per word, with all places that declare the name. Other
/// problems at uses of the name are dropped, because only the name is wrong.
pub fn merge_reserved_words(problems: Vec<Problem>, sources: &Sources) -> Vec<Problem> {
    let place = |problem: &Problem| problem.labels.first().map(|(span, _)| *span);
    let misnamed = problems.iter().filter(|problem| problem.code == codes::RESERVED_WORD).filter_map(place);
    let names: BTreeSet<String> = misnamed.map(|span| sources.span_text(span).to_string()).collect();
    let uses_one = |span: Span| {
        let before = Span { start: 0, end: span.start, ..span };
        let (found, before) = (sources.span_text(span), sources.span_text(before).trim_end());
        let last = before.rsplit(|sign: char| !sign.is_alphanumeric() && sign != '_').next().unwrap_or_default();
        names.contains(found) || names.contains(last)
    };
    let mut told: Vec<Problem> = Vec::new();
    for problem in problems {
        let same = |known: &&mut Problem| known.code == codes::RESERVED_WORD && known.message == problem.message;
        if problem.code == codes::SYNTAX && place(&problem).is_some_and(uses_one) {
            continue;
        }
        match told.iter_mut().find(same) {
            Some(known) => known.labels.extend(place(&problem).map(|span| (span, "and here".to_string()))),
            None => told.push(problem),
        }
    }
    told
}

/// The place where parsing stopped, and its surroundings.
pub(super) struct ParseStop<'a> {
    place: Place<'a>,
    at: usize,
    found: &'a str,
    /// The name right before it, if it is alone, with its place.
    before: Option<(usize, &'a str)>,
    /// The possible continuations; `None` if the grammar gave up.
    expected: Option<Expected>,
}

/// The code that could not be parsed.
struct Place<'a> {
    source: SourceId,
    offset: usize,
    code: &'a str,
}

impl<'a> ParseStop<'a> {
    /// The place where the grammar stopped in code that is parsed by a rule and begins in the text at `offset`.
    pub fn new(error: &Error<Rule>, rule: Rule, source: SourceId, offset: usize, code: &'a str) -> ParseStop<'a> {
        let at = match error.location {
            InputLocation::Pos(at) | InputLocation::Span((at, _)) => at.min(code.len()),
        };
        let expected = match &error.variant {
            ErrorVariant::ParsingError { positives, .. } => {
                Some(Expected { rules: positives.clone(), in_expression: rule == Rule::expression_chunk })
            }
            ErrorVariant::CustomError { .. } => None,
        };
        let place = Place { source, offset, code };
        ParseStop { at, found: place.word_at(at), before: place.word_before(at), expected, place }
    }

    /// The byte of the code at which parsing stopped.
    pub fn stop_offset(&self) -> usize {
        self.at
    }

    /// Whether something is missing at the very end.
    pub fn at_end(&self) -> bool {
        self.at >= self.place.code.len()
    }

    /// Whether the code before the stop cannot end there.
    pub fn is_unfinished(&self) -> bool {
        self.expected.as_ref().is_some_and(|expected| !expected.is_complete())
    }

    /// Whether the stop is at the first word of its line.
    pub fn is_first_on_line(&self) -> bool {
        let (start, last) = self.place.last_word(self.at);
        self.place.code[start + last.len()..self.at].contains('\n')
    }

    /// The problem at the stop.
    pub fn syntax_problem(&self) -> Problem {
        match &self.expected {
            None => super::too_deep(self.place.span_between(self.at, self.at + self.found.len())),
            Some(expected) if expected.has_rule(Rule::asking) && self.bracket_before().is_some() => self.list_part_problem(),
            Some(expected) if self.at_end() => self.early_end_problem(expected),
            Some(expected) => {
                let known = self
                    .comma_between(expected)
                    .or_else(|| self.misspelt_of_word_problem())
                    .or_else(|| self.uses_without_number());
                let known = known.or_else(|| self.quote_in_text(expected)).or_else(|| self.trailing_word_problem(expected));
                let known = known.or_else(|| self.beginning_problem(expected)).or_else(|| self.reserved_name_problem(expected));
                known.unwrap_or_else(|| self.unexpected_problem(expected))
            }
        }
    }

    /// The problem if the code ends before something that must follow.
    fn early_end_problem(&self, expected: &Expected) -> Problem {
        let (start, last) = self.place.last_word(self.at);
        let problem = Problem::error(codes::SYNTAX, format!("expected {} after `{last}`", expected.expected_text()))
            .with_label(self.place.span_between(start, self.at), "something is missing after this");
        match self.form_help() {
            Some(help) => problem.help(help),
            None => problem,
        }
    }

    /// The form of the declaration or statement at the stop, if its kind has only one form.
    fn form_help(&self) -> Option<&'static str> {
        let line = &self.place.code[..self.at];
        let line = line[line.trim_end().rfind(['\n', '{', '}']).map_or(0, |end| end + 1)..].trim_start();
        let line = line.strip_prefix("replace ").unwrap_or(line);
        let first = &line[..line.find(|sign: char| !sign.is_alphanumeric() && sign != '_').unwrap_or(line.len())];
        form_of(first)
    }

    /// The `[` right after a name, last on its line before the stop. A list makes no sense as the asked side there.
    fn bracket_before(&self) -> Option<usize> {
        let before = self.place.code.get(..self.at)?.trim_end();
        let open = before.rfind('[')?;
        let (_, name) = self.place.last_word(open);
        let follows = before[..open].ends_with(|sign: char| sign.is_alphanumeric() || matches!(sign, '_' | ')'));
        (follows && !super::is_reserved(name) && !before[open..].contains('\n')).then_some(open)
    }

    /// The problem for `dice[0]`, which the grammar can only read as a question to a list.
    fn list_part_problem(&self) -> Problem {
        let open = self.bracket_before().unwrap_or(self.at);
        Problem::error(codes::SYNTAX, "expected the end of the statement, found `[`")
            .with_label(self.place.span_between(open, open + 1), "not expected here")
            .help(PART_OF_LIST)
    }

    /// The place of the word at the stop.
    fn found_span(&self) -> Span {
        self.place.span_between(self.at, self.at + self.found.len())
    }

    /// The problem for a word that should begin a declaration, part, statement or member, but does not.
    fn beginning_problem(&self, expected: &Expected) -> Option<Problem> {
        let first = self.place.code[..self.at].trim().is_empty() && !expected.in_expression;
        if first && self.found.starts_with(char::is_alphabetic) {
            let (what, known) = expected_beginnings(expected);
            let problem = Problem::error(codes::SYNTAX, format!("`{}` does not begin {what}", self.found))
                .with_label(self.found_span(), no_start(what));
            return Some(self.add_first_word_help(problem, what, known));
        }
        let (start, word) = self.before?;
        let (what, known) = self.misspelt_beginning(expected, word)?;
        let problem = Problem::error(codes::SYNTAX, format!("`{word}` does not begin {what}"))
            .with_label(self.place.span_between(start, start + word.len()), no_start(what));
        Some(near_or_such_as(problem, word, what, known.iter().chain(&TAILS).copied()))
    }

    /// Adds advice for a first word that begins something else, or nothing. `what` is the thing that should begin here, and
    /// `known` are its first words.
    fn add_first_word_help(&self, problem: Problem, what: &str, known: &[&str]) -> Problem {
        if STATEMENTS.contains(&self.found) {
            return problem.help("a statement belongs in the block of a procedure: `to name { … }`");
        }
        if what == PART && MOMENTS.contains(&self.found) {
            return problem.help(
                "what happens at a hook is written `trigger NAME at HOOK(…)`, or `offer NAME at HOOK(…)` if players choose it",
            );
        }
        if PARTS.contains(&self.found) {
            return problem.help("this belongs to an ability, which a script declares in its `//!` lines");
        }
        near_or_such_as(problem, self.found, what, known.iter().copied())
    }

    /// The likely meaning of the lone name before the stop, if it was a misspelt first word. Returns the thing that it should
    /// begin, and the words that can.
    fn misspelt_beginning(&self, expected: &Expected, word: &str) -> Option<(&'static str, &'static [&'static str])> {
        let asks = expected.has_rule(Rule::asking) && !expected.is_complete() && !["once", "secret"].contains(&word);
        let goes_on = !self.found.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '"' | '{' | '}'));
        if asks && !goes_on && nearest_word(self.found, ["must", "may"]).is_none() {
            return Some((STATEMENT, &STATEMENTS));
        }
        let member = expected.has_rule(Rule::colon) && expected.has_rule(Rule::comma);
        let slip = !MEMBERS.contains(&word) && nearest_word(word, MEMBERS).is_some();
        (member && slip).then_some((MEMBER, &MEMBERS))
    }

    /// The problem for a name before `of` that resembles one of the words allowed there.
    fn misspelt_of_word_problem(&self) -> Option<Problem> {
        let behind = self.place.code.get(self.at + self.found.len()..)?.trim_start();
        let known = if self.found == "of" { &BEFORE_OF[..] } else { &BEFORE_NUMBER_OF };
        let is_known = |word: &str| known.contains(&word);
        let (start, word) =
            self.before.filter(|(_, word)| (self.found == "of" || behind.starts_with("of ")) && !is_known(word))?;
        let near = closest_match(word, known.iter().copied())?;
        let what = if self.found == "of" { "of".to_string() } else { format!("{} of", self.found) };
        let problem = Problem::error(codes::SYNTAX, format!("`{word}` cannot come before `{what}`"));
        Some(problem.with_label(self.place.span_between(start, start + word.len()), "not known").suggest_near(near))
    }

    /// `counter fish, counter days` or `counter fish, }`: the next member was read as one more name.
    fn comma_between(&self, expected: &Expected) -> Option<Problem> {
        let (start, last) = self.place.last_word(self.at);
        let (before, word) = self.place.last_word(start);
        let is_next = MEMBERS.contains(&word) && expected.has_rule(Rule::colon);
        let (comma, sign) = if is_next { self.place.last_word(before) } else { (start, last) };
        (sign == "," && (is_next || self.found == "}" || MEMBERS.contains(&self.found)))
            .then(|| comma_between_members(self.place.span_between(comma, comma + 1)))
    }

    /// `"a "b" c"`: the second quote ends the text.
    fn quote_in_text(&self, expected: &Expected) -> Option<Problem> {
        let last = self.place.last_word(self.at);
        let (start, word) = if self.place.code[..last.0].ends_with('"') { last } else { (self.at, self.found) };
        let line = self.place.code[..start].rsplit('\n').next()?;
        let ends_text = line.ends_with('"') && line.matches('"').count() % 2 == 0;
        (ends_text && word.starts_with(char::is_alphanumeric) && !expected.in_expression).then(|| {
            let quote = self.place.span_between(start - 1, start);
            Problem::error(codes::SYNTAX, format!("the text ends before `{word}`"))
                .with_label(quote, "ends the text")
                .help("a quote within a text is written `\\\"`, as in `\"a \\\"b\\\" c\"`")
        })
    }

    /// A word after a complete statement, on the same line: it does not begin a statement, but belongs to the one before it.
    fn trailing_word_problem(&self, expected: &Expected) -> Option<Problem> {
        let (start, word) = match self.before {
            Some((start, word)) if self.misspelt_beginning(expected, word).is_some_and(|(what, _)| what == STATEMENT) => {
                (start, word)
            }
            _ => return None,
        };
        let line = self.place.code[..start].rsplit(['\n', '{', '}']).next()?.trim();
        let known = STATEMENTS.iter().chain(&TAILS).copied();
        let (first, rest) = line
            .split_once(' ')
            .filter(|_| foreign_word_help(word, STATEMENT).is_none() && closest_match(word, known).is_none())?;
        let help = match first {
            "do" | "open" if rest.ends_with(|sign: char| sign.is_alphanumeric()) => {
                format!("its arguments go in brackets: `{line}({word})`")
            }
            "roll" => "dice in a zone are rolled with `roll active.tray`, others with `roll 2 d6 as shown`".to_string(),
            _ => return None,
        };
        let problem = Problem::error(codes::SYNTAX, format!("`{line}` does not go on with `{word}`"));
        Some(problem.with_label(self.place.span_between(start, start + word.len()), "not expected here").help(help))
    }

    /// `uses per match`, where `per` was read as a named number.
    fn uses_without_number(&self) -> Option<Problem> {
        let (start, _) = self.before.filter(|(_, word)| *word == "per")?;
        let (_, word) = self.place.last_word(start);
        (word == "uses").then(|| {
            Problem::error(codes::SYNTAX, "the number of uses is missing")
                .with_label(self.place.span_between(start, start + "per".len()), "the number belongs before this")
                .help(format!("write it, as in `uses 1 per {}`", self.found))
        })
    }

    /// The problem for a word of the language instead of a name.
    fn reserved_name_problem(&self, expected: &Expected) -> Option<Problem> {
        let reserved = super::is_reserved(self.found) && expected.only_name() && !self.is_first_on_line();
        if reserved && self.found == "from" && self.place.last_word(self.at).1 == "choose" {
            let problem = Problem::error(codes::SYNTAX, "what is chosen follows `choose`, without `from`");
            let help = "write the moves alone, as in `choose hop`, or how many of which things, as in `choose 1 in xs`";
            return Some(problem.with_label(self.found_span(), "leave this out").help(help));
        }
        reserved.then(|| {
            let message = format!("`{}` is a word of the language and cannot be a name", self.found);
            let problem = Problem::error(codes::RESERVED_WORD, message).with_label(self.found_span(), "choose another name");
            let behind = self.place.code.get(self.at + self.found.len()..).unwrap_or("");
            match self.place.last_word(self.at).1 {
                "table" => form_of("table").into_iter().fold(problem, Problem::help),
                _ if self.place.joins_words(self.at + self.found.len()) && behind.starts_with('-') => problem.help(JOINED_WORDS),
                _ => problem,
            }
        })
    }

    /// The problem if no known mistake fits: what was expected, what was found, and the best advice.
    fn unexpected_problem(&self, expected: &Expected) -> Problem {
        let mut problem = Problem::error(codes::SYNTAX, format!("expected {}, found `{}`", expected.expected_text(), self.found))
            .with_label(self.found_span(), "not expected here");
        if !expected.is_complete() && self.is_first_on_line() {
            let (start, last) = self.place.last_word(self.at);
            let end = start + last.len();
            problem = problem.with_label(self.place.span_between(start, end), "something is missing after this");
        }
        let known = expected.possible_words();
        match (closest_match(self.found, known.iter().map(String::as_str)), self.common_habit_advice(expected)) {
            (Some(near), _) if near.word != self.found && !self.is_no_slip() => problem.suggest_near(near),
            (_, Some(help)) => problem.help(help),
            _ => match closest_match(self.found, GOING_ON).filter(|_| !expected.only_name() && !super::is_reserved(self.found)) {
                Some(near) if near.word != self.found => problem.suggest_near(near),
                _ => {
                    let problem = self.with_right_sign(problem, expected);
                    let form = self.form_instead(expected).filter(|_| problem.help.is_none());
                    form.into_iter().fold(problem, Problem::help)
                }
            },
        }
    }

    /// Whether it is not a misspelt word of this language: words never begin with a digit, `mod` belongs to other languages, and
    /// `of` is either right in a size, or the name before it is wrong.
    fn is_no_slip(&self) -> bool {
        is_number(self.found) || self.found == "mod" || self.found == "of" && (self.is_after_die_size() || self.before.is_some())
    }

    /// Adds the fix for one sign in place of another, such as `:` for `=`, if no other sign is possible.
    fn with_right_sign(&self, problem: Problem, expected: &Expected) -> Problem {
        let Some(right) = expected.only_sign().filter(|right| [":", "=", ",", ".."].contains(right)) else { return problem };
        let confused = [":", "=", ":=", ";", ",", "-", ".", "…", "–"];
        let found = if self.place.code[self.at..].starts_with(":=") { ":=" } else { self.found };
        if !confused.contains(&found) {
            return problem;
        }
        let place = self.place.span_between(self.at, self.at + found.len());
        let joins = self.place.code[..self.at].ends_with(|sign: char| sign.is_alphanumeric() || sign == '_');
        let blank = if right == "=" && joins { " " } else { "" };
        problem.help(format!("write `{right}`")).with_edit(place, format!("{blank}{right}"))
    }

    /// Whether only a name, number or call is between `dice of size` and the stop. The size is then an expression that needs
    /// brackets.
    fn is_after_die_size(&self) -> bool {
        let before = self.place.code.get(..self.at).unwrap_or("").trim_end();
        let size = before.rsplit_once("of size ").map(|(_, size)| size.trim_start());
        size.is_some_and(|size| !size.is_empty() && !size.contains(|sign: char| sign.is_whitespace() || "{}\"".contains(sign)))
    }

    /// Whether the statement at the stop moves something.
    fn is_move(&self) -> bool {
        let before = self.place.code.get(..self.at).unwrap_or("");
        let mut words = before.split(|sign: char| !sign.is_ascii_alphanumeric() && sign != '_').rev();
        words.find(|word| ["move", "add", "set", "show"].contains(word)) == Some("move")
    }

    /// Advice about habits from other languages and common misunderstandings, by the word found.
    fn common_habit_advice(&self, expected: &Expected) -> Option<&'static str> {
        let behind = self.place.code.get(self.at + self.found.len()..).unwrap_or("");
        Some(match self.found {
            "of" if self.place.last_word(self.at).1 == "top" => {
                "say how many, as in `top 1 of deck`; the topmost piece alone is `last of deck`"
            }
            "of" if self.place.last_word(self.at).1 == "number" => "how many there are is a `count of …`",
            "+" | "-" | "*" | "of" | "divided" if self.is_after_die_size() => {
                "put a size that is worked out in brackets, as in `2 dice of size (a + b)`"
            }
            found if expected.in_expression && STATEMENTS.contains(&found) && self.place.code[..self.at].trim().is_empty() => {
                "an expression is a value; a statement belongs in a procedure that gives one"
            }
            "of" if self.place.code[..self.at].trim_end().ends_with("choose one") => {
                "a move is chosen by its family alone, as in `choose hop`; of things, `choose 1 in xs`"
            }
            "+" | "," if self.place.code[..self.at].trim_end().ends_with('"') => {
                "a value goes into the text, in braces: `\"{active} has {active.points}\"`"
            }
            "=" if self.is_after_range() => "the first value comes before the range, as in `counter fish = 3 in 0..9`",
            "=" | ":" if self.place.last_word(self.at).1 == "type" => return self.form_help(),
            "if" if expected.has_rule(Rule::clause) => "a condition is written `when …`",
            found if expected.has_rule(Rule::type_name) && super::is_reserved(found) => {
                "a type is `number`, `flag`, `text`, `side`, `list of number` or one that the rules declare"
            }
            _ if self.names_member(expected) => {
                "a number is written `counter points = 0`, anything else with its type: `ready: flag`"
            }
            _ if expected.only_sign() == Some("(") && self.follows_hook() => {
                "a hook is named with a name for each of its parameters, as in `at day(active)`"
            }
            _ if expected.only_sign() == Some(":") && self.place.open_bracket(self.at) == Some('(') => {
                "a parameter says what it is, as in `die: die`"
            }
            "choose" => "say who chooses: `active must choose …`",
            "from" if expected.has_rule(Rule::k_to) && self.is_move() => {
                "a piece knows where it is: say only where it goes, `move … to …`"
            }
            "from" if expected.has_rule(Rule::k_in) => "write `in`: `choose 1 in xs`, `draw 1 in xs at random as drawn`",
            "extends" => "a package changes another game: `package deep \"Deep\" extends pond`",
            "else" => "an `else` follows the block of an `if` or a question",
            "end" => "a block ends with `}`",
            "as" => "only a statement that rolls, moves, changes, asks or does something names its result with `as`",
            "@" => "after `@` comes the id of a rule, as in `@DC-021`",
            found if is_number(found) && self.place.code[..self.at].ends_with('.') => "numbers are whole",
            "?" => "a choice between two values is written `if condition then value else value`",
            "%" | "mod" => "the remainder of a division is written `remainder of a divided by b`",
            "supposing" => "put it in brackets: `(supposing … = … then …)`",
            "if" if expected.is_value() && !self.is_first_on_line() => "put it in brackets: `(if … then … else …)`",
            "[" => PART_OF_LIST,
            found if found.starts_with(|sign: char| sign.is_alphabetic() && !sign.is_ascii()) => {
                "a name is written with the letters a to z, digits and `_`"
            }
            found if is_number(found) && expected.has_rule(Rule::type_name) => {
                "a first value is written with `=`, as in `counter fish = 3`"
            }
            found if is_ordinal(found) => "a member of a list is counted with `member 2 of xs`, from 1; it may be none",
            found if super::is_die(found) => "dice are rolled by a statement, as in `roll 2 d6 because \"luck\" as shown`",
            "-" if behind.starts_with('>') => "what a procedure gives is written after `:`",
            "'" | "‘" | "’" | "`" => "a text needs straight quotes: `\"text\"`",
            ":" if expected.has_rule(Rule::open_brace) => "a block goes between `{` and `}`",
            "," | ")" if expected.has_rule(Rule::colon) => "a parameter says what it is, as in `die: die`",
            "-" if self.place.joins_words(self.at) => JOINED_WORDS,
            _ => return None,
        })
    }

    /// The general form, if there is no better advice.
    fn form_instead(&self, expected: &Expected) -> Option<&'static str> {
        match self.found {
            found if is_number(found) && expected.has_rule(Rule::part) => form_of("uses"),
            found if is_number(found) && self.is_first_on_line() && expected.only_ends() => {
                Some("a declaration begins with a word, as in `sides 2`")
            }
            _ if expected.expected_text() == "`..`" => Some("a range is written `1..7`"),
            ":" if !expected.is_complete() && !expected.has_rule(Rule::colon) => Some("leave out the `:`"),
            _ if !expected.is_complete() || expected.only_ends() => self.form_help(),
            _ => None,
        }
    }

    /// Whether `in 1..7` is right before the stop.
    fn is_after_range(&self) -> bool {
        let before = self.place.code[..self.at].trim_end();
        let digits = |sign: char| sign.is_ascii_digit();
        let least = before.trim_end_matches(digits).strip_suffix("..").map(|before| before.trim_end_matches(digits).trim_end());
        least.is_some_and(|before| before.ends_with(" in"))
    }

    /// Whether a member begins with a name that should be followed by its type, as in `points = 0` and `number points`.
    fn names_member(&self, expected: &Expected) -> bool {
        let member = expected.has_rule(Rule::colon) && expected.has_rule(Rule::comma) && !expected.is_complete();
        member && self.place.open_bracket(self.at) == Some('{') && !self.found.starts_with([',', '}'])
    }

    /// Whether the word before the last one is `at`, so that the last one names a hook.
    fn follows_hook(&self) -> bool {
        let (start, _) = self.place.last_word(self.at);
        self.place.last_word(start).1 == "at"
    }
}

/// The remark at a word that cannot begin `a statement`.
fn no_start(what: &str) -> String {
    let (_, thing) = what.split_once(' ').unwrap_or(("", what));
    format!("no {thing} starts with this word")
}

// The things that a word can begin, as messages call them.
const DECLARATION: &str = "a declaration";
const PART: &str = "a part of an ability";
pub(super) const STATEMENT: &str = "a statement";
const MEMBER: &str = "a member";

/// The problem for a comma after a member, with its fix.
pub(super) fn comma_between_members(place: Span) -> Problem {
    let problem = Problem::error(codes::SYNTAX, "members follow one another without a `,`").with_label(place, "leave this out");
    problem.with_edit(place, "")
}

/// The advice for a word with which other games or languages begin such a thing.
pub(super) fn foreign_word_help(word: &str, what: &str) -> Option<&'static str> {
    Some(match (what, word) {
        (STATEMENT, "break") => "`leave` ends a loop early",
        (STATEMENT, "continue" | "next") => "`skip` goes on with the next round of a loop",
        (STATEMENT, "win" | "wins" | "winner" | "victory" | "lose" | "loses" | "game_over") => {
            "`finish with active` ends the game with who has won, `finish with nobody` without a winner"
        }
        (STATEMENT, "end" | "exit" | "quit" | "halt") => {
            "`stop turn` ends the scope `turn`, `stop` the procedure, and `finish with …` the game"
        }
        (STATEMENT, "print" | "tell" | "log" | "echo") => "`say \"…\"` shows it to the players",
        (STATEMENT, "deal" | "discard" | "put" | "place" | "play") => {
            "pieces are moved: `move first of active.hand to active.pile`"
        }
        (STATEMENT, "increase" | "increment" | "score" | "gain") => "a number is changed with `add 1 to …`",
        (STATEMENT, "decrease" | "decrement" | "subtract" | "pay") => "a number is changed with `take 1 from …`",
        (STATEMENT, "ask" | "choose" | "pick" | "select") => "say who chooses: `active must choose …`",
        (STATEMENT, "tie" | "stalemate") => "`finish with nobody` ends the game without a winner",
        (STATEMENT, "loop" | "forever" | "until" | "times") => {
            "a repetition is written `repeat 3 times { … }`, or `repeat at most 100 times until … { … }`"
        }
        (STATEMENT, "pass" | "noop" | "nothing") => "leave it out: an empty block is `{ }`",
        (STATEMENT, "call" | "run" | "perform") => "a procedure is carried out with `do`",
        (STATEMENT, "switch" | "match" | "case") => "write `depending on … { word { … } }`, or `if … { … } else { … }`",
        (DECLARATION, "players" | "player" | "teams") => "how many play is written `sides 2`, or `sides 2..4`",
        (DECLARATION, "in") => "the order of sides belongs to their line: `sides 3 in a ring`",
        (DECLARATION, "dice") => "the sizes that dice have are written `die sizes 6`",
        (DECLARATION, "card" | "cards" | "token" | "tokens") => "what is in zones is a `piece`: `piece token (tokens) { … }`",
        (DECLARATION, "enum") => "a type of several words is written `type colour is one of red, blue`",
        (DECLARATION, "var" | "const" | "counter" | "variable" | "zone") => {
            "a value that changes belongs to a side or the table: `each side has { counter … }`, `the table has { … }`; a value has a name by `define … = …`"
        }
        (DECLARATION, "import" | "include" | "use" | "using" | "require") => {
            "all files in the folder of a game are read together; a package says `package deep \"Deep\" extends pond`"
        }
        _ => return None,
    })
}

/// Suggests the known word that is near, or otherwise lists some words that can begin such a thing.
fn near_or_such_as<'w>(problem: Problem, word: &'w str, what: &str, known: impl Iterator<Item = &'w str>) -> Problem {
    if let Some(help) = foreign_word_help(word, what) {
        return problem.help(help);
    }
    if let Some(near) = closest_match(word, known) {
        return problem.suggest_near(near);
    }
    let such_as = match what {
        DECLARATION => "`action`, `define`, `hook`, `option`, `piece` or `to`",
        PART => "`uses`, `offer`, `trigger`, `modify` or `grant`",
        STATEMENT => "`let`, `set`, `move`, `if`, `each` or `do`, or with who is asked",
        MEMBER => "`zone`, `counter` or `mark`",
        _ => "`ability`",
    };
    problem.help(format!("{what} begins with a word such as {such_as}"))
}

/// The sort of thing that should begin a chunk, and its first words.
fn expected_beginnings(expected: &Expected) -> (&'static str, &'static [&'static str]) {
    if expected.has_rule(Rule::part) {
        (PART, &PARTS)
    } else if expected.has_rule(Rule::item) {
        (DECLARATION, &DECLARATIONS)
    } else {
        ("the header of an ability", &["ability"])
    }
}

/// Whether a word is like `2nd`.
fn is_ordinal(word: &str) -> bool {
    ["st", "nd", "rd", "th"].iter().any(|ending| word.strip_suffix(ending).is_some_and(is_number))
}

/// Whether a word begins with a digit.
fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

/// The possible continuations at the stop.
struct Expected {
    rules: Vec<Rule>,
    /// A single expression is parsed.
    in_expression: bool,
}

impl Expected {
    /// Whether this rule is possible at the stop.
    fn has_rule(&self, rule: Rule) -> bool {
        self.rules.contains(&rule)
    }

    /// Whether the code so far could be complete.
    fn is_complete(&self) -> bool {
        self.rules.iter().any(|rule| matches!(words::rule_word(*rule), Word::Strong(_)))
    }

    /// Whether a value is missing.
    fn is_value(&self) -> bool {
        self.rules.iter().any(|rule| words::rule_word(*rule) == Word::Thing("a value")) && !self.is_complete()
    }

    /// The one possible sign, if nothing else is possible.
    fn only_sign(&self) -> Option<&'static str> {
        let sign = |rule: &Rule| match words::rule_word(*rule) {
            Word::Sign(sign) => Some(Some(sign)),
            Word::Hidden => None,
            _ => Some(None),
        };
        let mut signs = self.rules.iter().filter_map(sign);
        signs.next().flatten().filter(|first| signs.all(|sign| sign == Some(*first)))
    }

    /// Whether a name must follow.
    fn only_name(&self) -> bool {
        self.has_rule(Rule::name) && !self.is_complete()
    }

    /// Whether only the end is possible, or another declaration after it.
    fn only_ends(&self) -> bool {
        let ends = |rule: &Rule| !matches!(words::rule_word(*rule), Word::Strong(_)) || [Rule::EOI, Rule::item].contains(rule);
        self.has_rule(Rule::EOI) && self.rules.iter().all(ends)
    }

    /// The possible continuations in the user's words.
    fn expected_text(&self) -> String {
        let complete = self.is_complete() && !self.only_ends();
        let operators = self.rules.iter().any(|rule| words::rule_word(*rule) == Word::Operator);
        let (mut said, mut signs) = (Vec::new(), Vec::new());
        for rule in &self.rules {
            match words::rule_word(*rule) {
                // Another declaration is not what is missing, and neither are arguments after a name.
                _ if [Rule::EOI, Rule::item].contains(rule) && self.has_rule(Rule::EOI) => {}
                Word::Sign("(") if operators => {}
                Word::Strong(word) => said.push(word.to_string()),
                Word::Thing(word) if !complete => said.push(word.to_string()),
                Word::Sign(sign) => signs.push(format!("`{sign}`")),
                Word::OperatorKeyword if operators => {}
                Word::Keyword | Word::OperatorKeyword if !complete => {
                    signs.extend(words::rule_keyword(*rule).map(|word| format!("`{word}`")))
                }
                _ => {}
            }
        }
        said.append(&mut signs);
        if said.is_empty() && operators {
            said.push("an operator".to_string());
        }
        if self.has_rule(Rule::EOI) {
            let whole = if self.in_expression { "expression" } else { "declaration" };
            said.push(format!("the end of the {whole}"));
        }
        if said.is_empty() {
            return "something else".to_string();
        }
        let mut once = Vec::new();
        for word in said {
            if !once.contains(&word) {
                once.push(word);
            }
        }
        once.truncate(MOST_EXPECTED);
        join_words(&once, "or")
    }

    /// All words that could be here, for a suggestion.
    fn possible_words(&self) -> Vec<String> {
        let mut known: Vec<String> = self.rules.iter().filter_map(|rule| words::rule_keyword(*rule)).collect();
        let mut add = |rule, words: &[&str]| {
            if self.has_rule(rule) {
                known.extend(words.iter().map(|word| word.to_string()));
            }
        };
        add(Rule::statement, &STATEMENTS);
        add(Rule::item, &DECLARATIONS);
        add(Rule::clause, &CLAUSES);
        add(Rule::part, &PARTS);
        add(Rule::member, &MEMBERS);
        add(Rule::asking, &["must", "may"]);
        known
    }
}

impl<'a> Place<'a> {
    /// The span between two bytes of the code.
    fn span_between(&self, start: usize, end: usize) -> Span {
        Span::new(self.source, self.offset + start, self.offset + end)
    }

    /// The word or the sign that begins at a place.
    fn word_at(&self, at: usize) -> &'a str {
        let rest = self.code.get(at..).unwrap_or("");
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let end = if end == 0 { rest.chars().next().map_or(0, char::len_utf8) } else { end };
        &rest[..end]
    }

    /// Whether a sign is between two letters.
    fn joins_words(&self, at: usize) -> bool {
        let letter = |next: Option<char>| next.is_some_and(char::is_alphabetic);
        letter(self.code[..at].chars().next_back()) && letter(self.code[at..].chars().nth(1))
    }

    /// The innermost bracket that is open at a place.
    fn open_bracket(&self, at: usize) -> Option<char> {
        let mut closed = 0;
        self.code.get(..at)?.chars().rev().find(|sign| {
            closed += usize::from(matches!(sign, ')' | ']' | '}'));
            let opens = matches!(sign, '(' | '[' | '{');
            let is_open = opens && closed == 0;
            closed -= usize::from(opens && closed > 0);
            is_open
        })
    }

    /// The last word or sign before a place, with its start.
    fn last_word(&self, at: usize) -> (usize, &'a str) {
        let before = self.code.get(..at).unwrap_or("").trim_end();
        if let Some(sign) = LONG_SIGNS.iter().find(|sign| before.ends_with(**sign)) {
            let start = before.len() - sign.len();
            return (start, &before[start..]);
        }
        let start = before.rfind(|c: char| !c.is_alphanumeric() && c != '_');
        let start = match start {
            Some(sign) if sign + before[sign..].chars().next().map_or(1, char::len_utf8) == before.len() => sign,
            Some(sign) => sign + before[sign..].chars().next().map_or(1, char::len_utf8),
            None => 0,
        };
        (start, &before[start..])
    }

    /// The name right before a place, unless it is part of something longer.
    fn word_before(&self, at: usize) -> Option<(usize, &'a str)> {
        let before = self.code.get(..at)?.trim_end();
        let start = before.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |sign| sign + 1);
        let word = before.get(start..)?;
        let alone = before[..start].ends_with([' ', '\n', '\t', '{']) || start == 0;
        (alone && word.starts_with(|c: char| c.is_ascii_alphabetic())).then_some((start, word))
    }
}
