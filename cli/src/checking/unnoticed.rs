//! Changes that no scenario of a package needs to notice, and why: `rules/GAME/unnoticed.yaml`.
//!
//! Each entry names a declaration or an ability (`in`), a line in it by some of its words (`at`), the change that
//! `test --mutants` makes there (`how`), and the reason (`because`). Without `at` it applies to all lines, and without `how` to
//! all changes. A mutant that no scenario notices is reported as a gap in the scenarios, except where an entry says that it
//! makes no difference. `check` reports malformed entries, and `test --mutants` those that explain nothing.

use super::ignores::ignores_nothing_problem;
use super::mutation_kinds::Breaking;
use ludex_engine::library::Library;
use ludex_engine::problem::{Problem, on_one_line};
use ludex_engine::source::{SourceId, Span};
use ludex_engine::yaml::{self, Node, Value};
use std::collections::BTreeSet;

/// One entry: changes that need not be noticed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnnoticedEntry {
    /// The whole entry.
    pub span: Span,
    /// The lines it applies to, from 1.
    lines: BTreeSet<(SourceId, usize)>,
    /// The changes it applies to; empty for all.
    breakings: Vec<Breaking>,
    /// Why the change cannot be noticed.
    pub because: String,
}

impl UnnoticedEntry {
    /// Reads the entries of a package, with their problems.
    pub fn read_entries(library: &Library, game: &str) -> (Vec<UnnoticedEntry>, Vec<Problem>) {
        let mut reader = Reader { library, declared: library.declaration_spans(game), problems: Vec::new() };
        let mut entries = Vec::new();
        for source in library.unnoticed_files(game) {
            let (node, miswritten) = yaml::parse_document(&library.sources.get(source).text, source);
            reader.problems.extend(miswritten);
            let list = node.as_ref().and_then(|node| node.as_list(&mut reader.problems, "`unnoticed.yaml`"));
            entries.extend(list.unwrap_or_default().iter().filter_map(|node| reader.read_entry(node)));
        }
        (entries, reader.problems)
    }

    /// Whether it applies to a change at a line of a file.
    pub fn applies_to(&self, source: SourceId, line: usize, breaking: Breaking) -> bool {
        self.lines.contains(&(source, line)) && (self.breakings.is_empty() || self.breakings.contains(&breaking))
    }

    /// The problem with an entry whose changes the scenarios all notice.
    pub fn unused_entry_problem(&self) -> Problem {
        ignores_nothing_problem("the scenarios notice every change that this entry ignores".to_string(), self.span)
            .help("remove it")
    }
}

/// Reads entries, and collects their problems.
struct Reader<'l> {
    library: &'l Library,
    /// The names of declarations and abilities, with their places.
    declared: Vec<(String, Span)>,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    /// `None` if it has a problem, which is reported.
    fn read_entry(&mut self, node: &Node) -> Option<UnnoticedEntry> {
        let mut map = node.as_map(&mut self.problems, "the entry")?;
        let (name, at, how) = (map.required_value("in"), map.optional_value("at"), map.optional_value("how"));
        let because = map.required_value("because");
        map.finish(&mut self.problems);
        let because = because?.as_text(&mut self.problems, "`because`")?.to_string();
        let breakings = how.map_or(Some(Vec::new()), |how| self.read_changes(how))?;
        let lines = self.find_lines(name?, at)?;
        Some(UnnoticedEntry { span: node.span, lines, breakings, because })
    }

    /// Reads one word or a list of words.
    fn read_changes(&mut self, how: &Node) -> Option<Vec<Breaking>> {
        let words = Breaking::ALL.map(Breaking::yaml_word);
        let named = match &how.value {
            Value::List(list) => list.as_slice(),
            _ => std::slice::from_ref(how),
        };
        let breaking = |node: &Node| node.as_one_of(&mut self.problems, "`how`", &words).map(|index| Breaking::ALL[index]);
        named.iter().map(breaking).collect()
    }

    /// The lines of a declaration, or only those that contain the words of `at`.
    fn find_lines(&mut self, name: &Node, at: Option<&Node>) -> Option<BTreeSet<(SourceId, usize)>> {
        let named = name.as_text(&mut self.problems, "`in`")?;
        let spans: Vec<Span> = self.declared.iter().filter(|(name, _)| name == named).map(|(_, span)| *span).collect();
        if spans.is_empty() {
            let problem = ignores_nothing_problem(format!("this package declares no `{named}`"), name.span);
            let names: BTreeSet<&str> = self.declared.iter().map(|(name, _)| name.as_str()).collect();
            self.problems.push(problem.suggest(named, names));
            return None;
        }
        let words = match at {
            Some(at) => on_one_line(at.as_text(&mut self.problems, "`at`")?),
            None => String::new(),
        };
        let lines: BTreeSet<(SourceId, usize)> = spans.iter().flat_map(|span| lines_with(self.library, *span, &words)).collect();
        if let Some(at) = at.filter(|_| lines.is_empty()) {
            let problem = ignores_nothing_problem(format!("no line of `{named}` has these words"), at.span);
            self.problems.push(problem.help("copy them from the line as it is now, or remove the entry"));
            return None;
        }
        Some(lines)
    }
}

/// The lines of a span that contain some words.
fn lines_with(library: &Library, span: Span, words: &str) -> BTreeSet<(SourceId, usize)> {
    let source = library.sources.get(span.source);
    let (first, last) = (source.line_column(span.start as usize).0, source.line_column(span.end as usize).0);
    let text = |line: usize| source.text.get(source.line_range(line - 1)).unwrap_or("");
    (first..=last).filter(|line| on_one_line(text(*line)).contains(words)).map(|line| (span.source, line)).collect()
}
