//! Adds the rest of a scenario to the text that holds its beginning. Everything else stays as written, including comments.
//! Only a scenario between braces is written again as a whole. `record` uses it.

use super::rest::ScenarioRest;
use super::telling::steps_below;
use ludex_engine::problem::{Edit, apply_edits};
use ludex_engine::source::{SourceId, Span, line_start};
use ludex_engine::yaml::{Key, Node, OutputValue, Value};

/// The text of a file with the rest of one scenario added: its results of chance and its steps. `scenario` is its node in the
/// text.
pub fn with_steps(text: &str, scenario: &Node, rest: &ScenarioRest) -> String {
    let Some(page) = Page::new(text, scenario) else { return with_whole(text, scenario, rest) };
    let edits = page.edit_results(&rest.results).into_iter().chain(page.edit_steps(&rest.steps)).collect::<Vec<_>>();
    apply_edits(text, edits.iter().collect())
}

/// The text of a file with the `then` of a scenario added, which it must not have yet.
pub fn add_then(text: &str, scenario: &Node, ending: &[(String, OutputValue)]) -> String {
    let then = OutputValue::Map(ending.to_vec());
    let edit = match Page::new(text, scenario) {
        Some(page) => page.add_after(None, &page.entry_text("then", then)),
        None => rewrite_whole(text, scenario, |entries| entries.push(("then".to_string(), then))),
    };
    apply_edits(text, vec![&edit])
}

/// A scenario in block style, with its keys below each other.
struct Page<'t> {
    text: &'t str,
    entries: &'t [(Key, Node)],
    /// The indentation of its keys.
    indent: usize,
}

impl<'t> Page<'t> {
    /// `None` if the scenario is written between braces.
    fn new(text: &'t str, scenario: &'t Node) -> Option<Page<'t>> {
        let Value::Map(entries) = &scenario.value else { return None };
        let (first, _) = entries.first()?;
        let start = first.span.start as usize;
        let indent = text.get(line_start(text, start)..start)?.chars().count();
        (!text.get(scenario.span.start as usize..)?.starts_with('{')).then_some(Page { text, entries, indent })
    }

    fn find_entry(&self, name: &str) -> Option<&'t (Key, Node)> {
        self.entries.iter().find(|(key, _)| key.name == name)
    }

    /// The lines of an entry.
    fn entry_text(&self, key: &str, value: OutputValue) -> String {
        OutputValue::single_entry(key, value).block_text(self.indent)
    }

    /// Adds lines after the named entries or, without names, after all of them.
    fn add_after(&self, names: Option<&[&str]>, added: &str) -> Edit {
        let ends = |(_, node): &(Key, Node)| node.span.end as usize;
        let named = names.into_iter().flatten().filter_map(|name| self.find_entry(name)).map(ends).max();
        let end = named.or_else(|| self.entries.iter().map(ends).max()).unwrap_or(0);
        self.add_below(end, added)
    }

    /// Adds lines below the one in which something ends. `end` is a byte of the text.
    fn add_below(&self, end: usize, added: &str) -> Edit {
        let (place, text) = match self.text.get(end..).and_then(|rest| rest.find('\n')) {
            Some(length) => (end + length + 1, added.to_string()),
            None => (self.text.len(), format!("\n{}", added.trim_end_matches('\n'))),
        };
        Edit { span: self.text_span(place, place), text }
    }

    /// Replaces a key with its value.
    fn replace_entry(&self, (key, node): &(Key, Node), added: &str) -> Edit {
        let end = node.span.end.max(key.span.end) as usize;
        // A key without a value ends at its colon.
        let end = match self.text.get(end..).is_some_and(|rest| rest.starts_with(':')) {
            true => end + 1,
            false => end,
        };
        Edit { span: self.text_span(key.span.start as usize, end), text: added.trim().to_string() }
    }

    /// The part of the text between two bytes.
    fn text_span(&self, start: usize, end: usize) -> Span {
        let source = self.entries.first().map_or(SourceId(0), |(key, _)| key.span.source);
        Span::new(source, start, end)
    }

    // --- the two lists ----------------------------------------------------------------------------

    /// Sets the list `random`. Its comments are kept if results are only added.
    fn edit_results(&self, results: &[i64]) -> Option<Edit> {
        let list = OutputValue::List(results.iter().map(|result| OutputValue::from_number(*result)).collect());
        let Some(entry) = self.find_entry("random") else {
            let added = self.entry_text("random", list);
            return (!results.is_empty()).then(|| self.add_after(Some(&["start", "position"]), &added));
        };
        let old = list_members(&entry.1);
        let known: Vec<i64> =
            old.iter().filter_map(|node| if let Value::Number(number) = node.value { Some(number) } else { None }).collect();
        if known == results {
            return None;
        }
        let written = self.text.get(entry.1.span.start as usize..entry.1.span.end as usize).unwrap_or_default();
        match (old.last(), results.strip_prefix(known.as_slice())) {
            (Some(last), Some(more)) if written.contains('#') => Some(self.add_results(entry, last, more)),
            _ => Some(self.replace_entry(entry, &self.entry_text("random", list))),
        }
    }

    /// Adds results after the last one of a list, whose comments stay where they are.
    fn add_results(&self, entry: &(Key, Node), last: &Node, more: &[i64]) -> Edit {
        let end = last.span.end as usize;
        let is_flow = self.text.get(entry.1.span.start as usize..).is_some_and(|rest| rest.starts_with('['));
        if is_flow {
            let text = more.iter().map(|result| format!(", {result}")).collect();
            return Edit { span: self.text_span(end, end), text };
        }
        let start = last.span.start as usize;
        let dash = self.text.get(line_start(self.text, start)..start).unwrap_or_default();
        self.add_below(end, &more.iter().map(|result| format!("{dash}{result}\n")).collect::<String>())
    }

    /// Adds steps to the list `play`.
    fn edit_steps(&self, steps: &[OutputValue]) -> Option<Edit> {
        if steps.is_empty() {
            return None;
        }
        let Some(entry) = self.find_entry("play") else {
            return Some(self.add_after(Some(&["start", "position", "random"]), &self.play_text(steps)));
        };
        let old = list_members(&entry.1);
        let is_flow = self.text.get(entry.1.span.start as usize..).is_some_and(|rest| rest.starts_with('['));
        match old.last().filter(|_| !is_flow) {
            Some(last) => {
                let first = old.first().map_or(0, |first| first.span.start as usize);
                let dash = self.text.get(line_start(self.text, first)..first).unwrap_or_default();
                let indent = dash.chars().take_while(|sign| *sign == ' ').count();
                Some(self.add_below(last.span.end as usize, &steps_below(steps, indent)))
            }
            None => {
                let all: Vec<OutputValue> = old.iter().map(OutputValue::from).chain(steps.iter().cloned()).collect();
                Some(self.replace_entry(entry, &self.play_text(&all)))
            }
        }
    }

    /// The lines of `play` with some steps.
    fn play_text(&self, steps: &[OutputValue]) -> String {
        format!("{}play:\n{}", " ".repeat(self.indent), steps_below(steps, self.indent + 2))
    }
}

/// The members of a list; none for any other node.
fn list_members(node: &Node) -> &[Node] {
    match &node.value {
        Value::List(members) => members,
        _ => &[],
    }
}

// --- a scenario between braces -----------------------------------------------------------------------

/// Like [`with_steps`], for a scenario between braces.
fn with_whole(text: &str, scenario: &Node, rest: &ScenarioRest) -> String {
    let edit = rewrite_whole(text, scenario, |entries| {
        let results = rest.results.iter().map(|result| OutputValue::from_number(*result)).collect();
        let old = entries.iter().find(|(key, _)| key == "play").map(|(_, value)| value.clone());
        let mut steps = if let Some(OutputValue::List(steps)) = old { steps } else { Vec::new() };
        steps.extend(rest.steps.iter().cloned());
        for (key, value) in [("random", results), ("play", steps)] {
            entries.retain(|(known, _)| known != key);
            let end = entries.iter().position(|(known, _)| known == "then").unwrap_or(entries.len());
            if !value.is_empty() {
                entries.insert(end, (key.to_string(), OutputValue::List(value)));
            }
        }
    });
    apply_edits(text, vec![&edit])
}

/// Rewrites the scenario in block style, with changes.
fn rewrite_whole(text: &str, scenario: &Node, change: impl FnOnce(&mut Vec<(String, OutputValue)>)) -> Edit {
    let mut entries = if let OutputValue::Map(entries) = OutputValue::from(scenario) { entries } else { Vec::new() };
    change(&mut entries);
    let start = scenario.span.start as usize;
    let indent = text.get(line_start(text, start)..start).map_or(0, |before| before.chars().count());
    Edit { span: scenario.span, text: OutputValue::Map(entries).block_text(indent).trim().to_string() }
}
