//! Explains errors of the YAML parser, and finds the smallest repair after which parsing can continue. An error is one of the
//! parser's fixed sentences, its *info*; each stands for one or more mistakes that authors make. A *finding* is the problem
//! with its repair.

use saphyr_parser::ScanError;

use super::build::{Places, is_end_of_word, refusal, too_deep};
use crate::codes;
use crate::problem::Problem;
use crate::source::{SourceId, Span, line_start};

/// An error for the user, and a repaired copy of the text, of the same length, to continue with.
pub(super) struct Finding {
    pub problem: Problem,
    pub repair: Option<String>,
}

/// Explains an error of the parser to the author of the file.
pub(super) fn explain_error(error: &ScanError, bracket: Option<Span>, copy: &str, text: &str, source: SourceId) -> Finding {
    let places = Places::new(copy, text, source);
    let at = places.byte(error.marker().index()).min(copy.len());
    let scan = Scan { places, copy, at, bracket };
    let info = error.info();
    scan.tab_finding(info).or_else(|| scan.unclosed_finding()).unwrap_or_else(|| scan.explain_info(info))
}

/// An error in its surroundings.
struct Scan<'t> {
    places: Places<'t>,
    /// The text as parsed, with earlier mistakes repaired, of the same length.
    copy: &'t str,
    /// The place of the error: a byte of the copy.
    at: usize,
    /// The innermost open bracket.
    bracket: Option<Span>,
}

impl Scan<'_> {
    /// The finding for a sentence of the parser.
    fn explain_info(&self, info: &str) -> Finding {
        match info {
            "mapping values are not allowed in this context" => self.colon_finding(),
            "illegal placement of ':' indicator" => self.bracket_finding(
                "there is a `:` where no key can be",
                "not expected here",
                "look for a `]` or `}` that is missing before it",
            ),
            "simple key expect ':'" | "simple key expected" => self.no_colon_finding(),
            "invalid trailing content after double-quoted scalar" => self.after_quote_finding(),
            "misplaced bracket" => self.one_sign_finding(
                "a bracket is closed that was never opened",
                "nothing to close",
                "remove it, or add the opening bracket; put text that holds brackets in quotes",
            ),
            "block sequence entries are not allowed in this context" => self.one_sign_finding(
                "a list cannot start on the line of its key",
                "this `-` needs a line of its own",
                "start the list on the next line, or write it as `[…, …]`",
            ),
            "plain scalar cannot start with '-' followed by ,[]{}" => self.one_sign_finding(
                "a `-` is alone in a list in brackets",
                "it has no value",
                "write `{}` for an empty entry, or start the list on a line of its own",
            ),
            "invalid indentation in quoted scalar"
            | "while scanning a quoted scalar, found unexpected end of stream"
            | "while scanning a quoted scalar, found unexpected document indicator" => self.syntax_finding(
                "a quote is opened and never closed",
                "opened here",
                "add the closing quote at the end of the text",
            ),
            "while parsing a flow sequence, expected ',' or ']'" => self.bracket_finding(
                "a list in `[ ]` is not closed, or a comma is missing in it",
                "a `,` or `]` is expected before this",
                "separate the entries with commas and close the list with `]`",
            ),
            "while parsing a flow mapping, did not find expected ',' or '}'" => self.bracket_finding(
                "a map in `{ }` is not closed, or a comma is missing in it",
                "a `,` or `}` is expected before this",
                "separate the entries with commas and close the map with `}`",
            ),
            "while parsing a block mapping, did not find expected key"
            | "while parsing a block collection, did not find expected '-' indicator"
            | "invalid indentation"
            | "invalid indentation in flow construct"
            | "wrongly indented line in block scalar" => self.separator_finding().unwrap_or_else(|| {
                self.syntax_finding(
                    "this line does not line up with those above it",
                    "neither part of the line above nor beside it",
                    "give all entries of one list or map the same number of spaces before them",
                )
            }),
            "comment intercepting the multiline text" => self.syntax_finding(
                "a comment cuts a text in two",
                "the text goes on below this comment",
                "move the comment to a line of its own above, or put the text in quotes on one line",
            ),
            "while parsing node, found unknown anchor" => self.alias_finding(),
            "recursion limit exceeded" => Finding { problem: too_deep(self.first_sign()), repair: None },
            _ if info.starts_with("unexpected character") => self.one_sign_finding(
                &format!("a value cannot start with `{}`", self.sign_at_error()),
                "this sign means something else in YAML",
                "put the value in quotes",
            ),
            _ if info.contains("escape") || info.contains("hexadecimal") => self.syntax_finding(
                "a `\\` in double quotes is followed by a sign that has no meaning there",
                "in this text",
                "write `\\\\` for a plain `\\`, or use single quotes",
            ),
            _ if info.contains("tag") || info.contains("TAG") || info.contains("handle") => {
                let problem = refusal("!", self.word_span());
                Finding { problem: Problem { message: "tags of YAML are not allowed here".into(), ..problem }, repair: None }
            }
            _ => self.syntax_finding(
                "this cannot be read as YAML",
                "not understood from here on",
                "compare the line with its neighbours: a key, a `:`, a space and a value; put text with special signs in quotes",
            ),
        }
    }

    /// The character at the error.
    fn sign_at_error(&self) -> char {
        self.places.rest(self.at).chars().next().unwrap_or(' ')
    }

    /// The place of the character at the error.
    fn first_sign(&self) -> Span {
        self.places.span(self.at, self.at + self.sign_at_error().len_utf8())
    }

    /// The place of the word at the error, at most 60 bytes.
    fn word_span(&self) -> Span {
        let rest = self.places.rest(self.at);
        let length = rest.find(is_end_of_word).unwrap_or(rest.len());
        self.places.span(self.at, self.at + length.clamp(rest.len().min(1), 60))
    }

    /// A mistake after which parsing cannot continue, with its word at the error.
    fn syntax_finding(&self, message: &str, label: &str, help: &str) -> Finding {
        let problem = Problem::error(codes::YAML_SYNTAX, message).with_label(self.word_span(), label).help(help);
        Finding { problem, repair: None }
    }

    /// An error within brackets, which is often far from the bracket that caused it.
    fn bracket_finding(&self, message: &str, label: &str, help: &str) -> Finding {
        let mut finding = self.syntax_finding(message, label, help);
        if let Some(bracket) = self.bracket {
            let inside = self.places.rest(bracket.start as usize);
            let inside = &inside[..self.at.saturating_sub(bracket.start as usize).min(inside.len())];
            if inside.contains(" #") {
                finding.problem =
                    finding.problem.help("a `#` after a space begins a comment: put the text that holds it in quotes");
            }
            finding.problem = finding.problem.with_label(bracket, "the bracket is opened here");
        }
        finding
    }

    /// An open bracket, if a line begins that is indented no further than its own: its end is missing, even if the line has
    /// another mistake.
    fn unclosed_finding(&self) -> Option<Finding> {
        let bracket = self.bracket?;
        let opened = bracket.start as usize;
        let (its_line, line) = (self.line_start(opened), self.line_start(self.at));
        let is_end = self.places.rest(self.at).trim().is_empty();
        if its_line == line || is_end || self.line_indentation(line) > self.line_indentation(its_line) {
            return None;
        }
        let (what, close) =
            if self.places.rest(opened).starts_with('{') { ("map in `{ }`", '}') } else { ("list in `[ ]`", ']') };
        let start = line + self.line_indentation(line);
        let end = start + self.places.rest(start).find(is_end_of_word).unwrap_or(0);
        let problem = Problem::error(codes::YAML_SYNTAX, format!("a {what} is not closed"))
            .with_label(bracket, "opened here")
            .with_label(self.places.span(start, end.max(start + 1)), "something new begins here")
            .help(format!("write `{close}` after its last entry"));
        Some(Finding { problem, repair: None })
    }

    /// Number of spaces at the beginning of a line.
    fn line_indentation(&self, line: usize) -> usize {
        let rest = self.places.rest(line);
        rest.len() - rest.trim_start_matches(' ').len()
    }

    /// An error caused by one character: read as a letter, it does no further harm.
    fn one_sign_finding(&self, message: &str, label: &str, help: &str) -> Finding {
        let problem = Problem::error(codes::YAML_SYNTAX, message).with_label(self.first_sign(), label).help(help);
        Finding { problem, repair: self.replace_range(self.at, self.at + self.sign_at_error().len_utf8(), "_") }
    }

    /// The copy with every byte of a range replaced, except line ends.
    fn replace_range(&self, start: usize, end: usize, with: &str) -> Option<String> {
        let (before, part, after) = (self.copy.get(..start)?, self.copy.get(start..end)?, self.copy.get(end..)?);
        let mut repair = String::with_capacity(self.copy.len());
        repair.push_str(before);
        for sign in part.chars() {
            match sign {
                '\n' | '\r' => repair.push(sign),
                _ => repair.push_str(&with.repeat(sign.len_utf8())),
            }
        }
        repair.push_str(after);
        Some(repair)
    }

    /// A `:` where no key can be: mostly an earlier mistake in the line above.
    fn colon_finding(&self) -> Finding {
        let line = self.line_start(self.at);
        let above = self.copy.get(..line).unwrap_or("").trim_end();
        let above = above.rsplit(['\n', '\r']).next().unwrap_or("");
        if let Some(tab) = tab_for_colon(above) {
            let end = self.copy.get(..line).unwrap_or("").trim_end().len();
            return Finding { problem: tab.tab_problem(&self.places, end - above.len()), repair: None };
        }
        let help = match missing_space(above) {
            true => "in the line above, put a space after the `:`",
            false => "a value that holds `: ` needs quotes; a new key needs a line of its own, indented like its neighbours",
        };
        self.one_sign_finding("there is a `:` where no key can be", "not expected here", help)
    }

    /// The line before the error has no `: ` after its key. The repair blanks the line.
    fn no_colon_finding(&self) -> Finding {
        let end = self.copy.get(..self.at).unwrap_or("").trim_end().len();
        let start = self.line_start(end);
        let line = self.copy.get(start..end).unwrap_or("");
        let word = line.trim_start();
        if let Some(tab) = tab_for_colon(line) {
            return Finding { problem: tab.tab_problem(&self.places, start), repair: self.replace_range(start, end, " ") };
        }
        let span = self.places.span(end - word.len(), end);
        let (message, help) = match word.strip_prefix('-') {
            Some(rest) if !rest.starts_with(' ') => ("a `-` has no space after it", "put a space after the `-`"),
            _ if missing_space(word) => ("a `:` has no space after it", "put a space after the `:`"),
            _ => ("a key has no `:`", "write `key: value`, with a space after the `:`"),
        };
        let problem = Problem::error(codes::YAML_SYNTAX, message).with_label(span, "in this line").help(help);
        Finding { problem, repair: self.replace_range(start, end, " ") }
    }

    /// A `,` or `;` at the end of a line, where no separator is needed.
    fn separator_finding(&self) -> Option<Finding> {
        let sign = self.sign_at_error();
        let behind = self.places.rest(self.at).get(1..)?.lines().next().unwrap_or("").trim_start();
        let is_last = behind.is_empty() || behind.starts_with('#');
        (matches!(sign, ',' | ';') && is_last).then(|| {
            let problem = Problem::error(codes::YAML_SYNTAX, format!("a `{sign}` is at the end of a line"))
                .with_label(self.first_sign(), "not needed here")
                .help(format!("remove the `{sign}`: outside of brackets, the end of the line ends an entry"))
                .with_edit(self.first_sign(), "");
            Finding { problem, repair: self.replace_range(self.at, self.at + 1, " ") }
        })
    }

    /// Something follows a closing quote. The repair blanks it.
    fn after_quote_finding(&self) -> Finding {
        if let Some(separator) = self.separator_finding() {
            return separator;
        }
        let rest = self.places.rest(self.at);
        let length = rest.find(['\n', '\r', '#', ',', ']', '}']).unwrap_or(rest.len());
        let length = rest.get(..length).unwrap_or("").trim_end().len();
        let problem = Problem::error(codes::YAML_SYNTAX, "something follows the closing quote")
            .with_label(self.places.span(self.at, self.at + length), "after the closing quote")
            .help("put the whole value in quotes; write a `'` inside single quotes twice");
        Finding { problem, repair: self.replace_range(self.at, self.at + length, " ") }
    }

    /// An alias of an anchor that does not exist.
    fn alias_finding(&self) -> Finding {
        let span = self.word_span();
        let problem = refusal(self.places.rest(self.at), span);
        Finding { problem, repair: self.replace_range(self.at, span.end as usize, "_") }
    }

    /// Tabs that confused the parser: before the first character of a line, or after `:` and `-`.
    fn tab_finding(&self, info: &str) -> Option<Finding> {
        let here = self.line_number(self.at);
        let behind_signs = info.contains("valid YAML whitespace");
        let mut near = info.contains("tab") || behind_signs;
        let mut tabs = Vec::new();
        let mut start = 0;
        for (number, line) in self.copy.split_inclusive('\n').enumerate() {
            let found = leading_tab(line).or_else(|| if behind_signs { tab_after_sign(line) } else { None });
            if let Some((first, end)) = found {
                tabs.push((start + first, start + end));
                near |= number.abs_diff(here) <= 1;
            }
            start += line.len();
        }
        if tabs.is_empty() || !near {
            return None;
        }
        let message = match tabs.len() {
            1 => "there is a tab where only spaces are allowed".to_string(),
            several => format!("there are tabs on {several} lines where only spaces are allowed"),
        };
        let mut problem = Problem::error(codes::YAML_TAB, message);
        for (index, (start, end)) in tabs.iter().take(4).enumerate() {
            let label = if index == 0 { "a tab" } else { "and here" };
            problem = problem.with_label(self.places.span(*start, *end), label);
        }
        let mut repair = self.copy.as_bytes().to_vec();
        for (start, end) in tabs {
            repair.get_mut(start..end)?.fill(b' ');
        }
        let problem = problem.help("use spaces: YAML counts them to see what belongs together, and takes no tabs there");
        Some(Finding { problem, repair: String::from_utf8(repair).ok() })
    }

    fn line_start(&self, byte: usize) -> usize {
        line_start(self.copy, byte)
    }

    /// The number of the line that contains a byte, from 0.
    fn line_number(&self, byte: usize) -> usize {
        self.copy.get(..byte).map_or(0, |before| before.matches('\n').count())
    }
}

/// A tab between a name and its value, instead of a `:` and a space: `otter→2`.
pub(super) struct TabForColon<'l> {
    name: &'l str,
    value: &'l str,
    /// The columns at which the tab and the value begin.
    start: usize,
    end: usize,
}

impl TabForColon<'_> {
    /// The problem with its fix; `at` is the start of the line.
    pub(super) fn tab_problem(&self, places: &Places, at: usize) -> Problem {
        let TabForColon { name, value, start, end } = self;
        let problem = Problem::error(codes::YAML_TAB, format!("a tab follows `{name}` in place of `: `"));
        let problem = problem.with_label(places.span(at + start, at + end), "a tab");
        problem.help(format!("write `{name}: {value}`: a key ends with a `:`, and a space comes before its value"))
    }
}

/// A name, a tab, and a value that cannot continue a name: a number, or a list or map in brackets.
pub(super) fn tab_for_colon(line: &str) -> Option<TabForColon<'_>> {
    let line = line.trim_end();
    let blank = line.len() - line.trim_start_matches([' ', '-']).len();
    let start = blank + line.get(blank..)?.find('\t')?;
    let name = line.get(blank..start)?.trim_end();
    let value = line.get(start..)?.trim_start();
    let is_name = !name.is_empty() && name.chars().all(|sign| sign.is_alphanumeric() || matches!(sign, '-' | '_'));
    let is_value = value.starts_with(['[', '{']) || !value.is_empty() && value.bytes().all(|digit| digit.is_ascii_digit());
    (is_name && is_value).then(|| TabForColon { name, value, start, end: line.len() - value.len() })
}

/// The range from the first tab in the indentation of a line to its first character.
fn leading_tab(line: &str) -> Option<(usize, usize)> {
    let blank = line.len() - line.trim_start_matches([' ', '\t']).len();
    let first = line.find('\t').filter(|tab| *tab < blank)?;
    (!line.trim().is_empty()).then_some((first, blank))
}

/// The spaces with a tab after the first `:` or `-` that is followed by a tab.
fn tab_after_sign(line: &str) -> Option<(usize, usize)> {
    let first = [":\t", "-\t"].iter().filter_map(|pair| line.find(pair)).min()? + 1;
    let rest = line.get(first..)?;
    Some((first, first + rest.len() - rest.trim_start_matches([' ', '\t']).len()))
}

/// A line such as `key:value`.
pub(super) fn missing_space(line: &str) -> bool {
    let word = line.trim_start().trim_start_matches("- ");
    match word.split_once(':') {
        Some((key, value)) => {
            !key.is_empty()
                && key.chars().all(|sign| sign.is_alphanumeric() || matches!(sign, '_' | '-'))
                && !value.is_empty()
                && !value.starts_with([' ', '\t', '/'])
        }
        None => false,
    }
}
