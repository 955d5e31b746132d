//! YAML: the sheets of a game and its scenarios. Each public function is a class. *Keys* are the names of entries of YAML
//! maps.

use crate::self_test::corpus::{Corpus, Text};
use crate::self_test::mistake::Mistake;
use crate::self_test::vocabulary::Sort;
use ludex_engine::source::line_start;
use ludex_engine::yaml::{Key, Node, Value};
use std::ops::Range;

/// The parts of a file: the keys of the enclosing maps, then a key with its value, or a member of a list.
type Visit<'v> = dyn FnMut(&[&str], Option<&Key>, &Node) + 'v;

/// Calls `visit` with each entry and each member, `around` being the keys of the maps around it.
fn each_node<'n>(node: &'n Node, around: &mut Vec<&'n str>, visit: &mut Visit) {
    match &node.value {
        Value::Map(entries) => {
            for (key, value) in entries {
                visit(around, Some(key), value);
                around.push(&key.name);
                each_node(value, around, visit);
                around.pop();
            }
        }
        Value::List(list) => {
            for node in list {
                visit(around, None, node);
                each_node(node, around, visit);
            }
        }
        _ => {}
    }
}

/// Calls `seen` with each entry and each member in some texts, see [`Visit`].
fn visit<'c>(texts: impl Iterator<Item = &'c Text>, mut seen: impl FnMut(&'c Text, &[&str], Option<&Key>, &Node)) {
    for text in texts {
        if let Some(node) = &text.node {
            each_node(node, &mut Vec::new(), &mut |around, key, value| seen(text, around, key, value));
        }
    }
}

/// The byte range of a span.
fn bytes(span: ludex_engine::source::Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

/// The word of a node, if it has no quotes.
fn plain<'t>(text: &'t Text, node: &Node) -> Option<&'t str> {
    let written = text.text.get(bytes(node.span))?;
    let plain = |sign: char| sign.is_ascii_alphanumeric() || sign == '_' || sign == '-';
    written.chars().all(plain).then_some(written)
}

/// A slip in a key.
fn key_slip(text: &Text, key: &Key) -> Mistake {
    Mistake::slip(text.source, bytes(key.span), &key.name)
}

/// A slip in a value; none if it has quotes.
fn slip(text: &Text, node: &Node) -> Option<Mistake> {
    plain(text, node).map(|word| Mistake::slip(text.source, bytes(node.span), word))
}

// --- sheets --------------------------------------------------------------------------

/// Keys that every sheet may have.
const USUAL: &[&str] = &["name", "abilities", "sheet", "note", "provenance"];

/// Misspells keys of sheets.
pub fn keys(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    visit(corpus.sheet_files(), |text, _, key, _| {
        let known = |key: &&Key| {
            USUAL.contains(&key.name.as_str())
                || corpus.vocabulary(text).is(&key.name, Sort::Field)
                || corpus.vocabulary(text).is(&key.name, Sort::Zone)
        };
        changes.extend(key.filter(known).map(|key| key_slip(text, key)));
    });
    changes
}

/// Misspells abilities that sheets list.
pub fn abilities(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    visit(corpus.sheet_files(), |text, around, key, value| match (around.last(), key) {
        (Some(&"abilities"), None) => changes.extend(slip(text, value)),
        (Some(&"abilities"), Some(key)) => changes.push(key_slip(text, key)),
        _ => {}
    });
    changes
}

/// Misspells values that are words of a type.
pub fn words(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    visit(corpus.sheet_files(), |text, around, key, value| {
        let free = ["name", "note", "provenance", "abilities"];
        let among = around.iter().any(|name| free.contains(name)) || key.is_some_and(|key| free.contains(&key.name.as_str()));
        let is_word = plain(text, value).is_some_and(|word| corpus.vocabulary(text).is(word, Sort::Word));
        if is_word && !among {
            changes.extend(slip(text, value));
        }
    });
    changes
}

/// Misspells a card in a list of cards, with or without its number of copies.
pub fn cards(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    visit(corpus.sheet_files(), |text, around, key, value| {
        let in_zone = around.last().is_some_and(|list| corpus.vocabulary(text).is(list, Sort::Zone));
        match key {
            Some(key) if in_zone && corpus.has_sheet(text, &key.name) => changes.push(key_slip(text, key)),
            None if in_zone && plain(text, value).is_some_and(|word| corpus.has_sheet(text, word)) => {
                changes.extend(slip(text, value));
            }
            _ => {}
        }
    });
    changes
}

/// Visits the fields of sheets with their values, except within provenance, notes and abilities.
fn fields(corpus: &Corpus, mut found: impl FnMut(&Text, &Key, &Node)) {
    visit(corpus.sheet_files(), |text, around, key, value| {
        let free = around.iter().any(|name| matches!(*name, "provenance" | "note" | "abilities"));
        if let Some(key) = key.filter(|key| !free && corpus.vocabulary(text).is(&key.name, Sort::Field)) {
            found(text, key, value);
        }
    });
}

/// Writes a word in place of a number.
pub fn word_for_number(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    fields(corpus, |text, _, value| {
        if let Value::Number(_) = value.value {
            changes.push(Mistake::new(text.source, bytes(value.span), "many"));
        }
    });
    changes
}

/// Writes a list of two in place of one value.
pub fn list_for_one(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    fields(corpus, |text, key, value| {
        let one = corpus.vocabulary(text).member(&key.name).is_some_and(|member| !member.of.starts_with("list of"));
        if let Some(word) = plain(text, value).filter(|_| one) {
            changes.push(Mistake::new(text.source, bytes(value.span), format!("[{word}, {word}]")));
        }
    });
    changes
}

/// Sets a number beyond the range of every field.
pub fn out_of_range(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    fields(corpus, |text, key, value| {
        if matches!(value.value, Value::Number(_)) && has_range(corpus, text, &key.name) {
            changes.push(Mistake::new(text.source, bytes(value.span), "99999"));
        }
    });
    changes
}

/// Whether every declaration of a field has a range.
fn has_range(corpus: &Corpus, sheet: &Text, name: &str) -> bool {
    let vocabulary = corpus.vocabulary(sheet);
    let known = |text: &&Text| std::ptr::eq(corpus.vocabulary(text), vocabulary);
    let mut declarations = corpus.rules().filter(known).flat_map(|text| {
        let named = text.tokens.iter().filter(|(index, _)| text.declared.contains(index) && text.tokens.word(*index) == name);
        named.map(move |(index, token)| (text, index, token.at.start))
    });
    let has = |(text, index, at): (&Text, usize, usize)| {
        let line = text.tokens.line(at);
        let words = text.text.get(at..line.end).unwrap_or("");
        text.tokens.word(index + 1) == ":"
            && words.contains(" in ")
            && words.contains("..")
            && words.starts_with(&format!("{name}: number"))
    };
    let first = declarations.next().is_some_and(has);
    first && declarations.all(has)
}

/// Leaves out a key without a default value.
pub fn key_left_out(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    fields(corpus, |text, key, value| {
        let start = line_start(&text.text, key.span.start as usize);
        let alone = text.text.get(start..key.span.start as usize).is_some_and(|before| before.trim().is_empty());
        let end = text
            .text
            .get(value.span.end as usize..)
            .and_then(|rest| rest.find('\n'))
            .map(|end| value.span.end as usize + end + 1);
        let one_line = |end: usize| text.text.get(start..end).is_some_and(|line| line.matches('\n').count() == 1);
        if let Some(end) = end.filter(|end| alone && one_line(*end) && is_needed(corpus, text, &key.name)) {
            changes.push(Mistake::new(text.source, start..end, "").anywhere());
        }
    });
    changes
}

/// Whether a field has no default in any declaration.
fn is_needed(corpus: &Corpus, sheet: &Text, name: &str) -> bool {
    let vocabulary = corpus.vocabulary(sheet);
    let known = |text: &&Text| std::ptr::eq(corpus.vocabulary(text), vocabulary);
    let mut found = false;
    for text in corpus.rules().filter(known) {
        for (index, token) in text.tokens.iter().filter(|(index, _)| text.declared.contains(index)) {
            if text.tokens.word(index) == name {
                let line = text.tokens.line(token.at.start);
                let given = text.text.get(token.at.start..line.end).is_some_and(|words| words.contains('='));
                if given || text.tokens.word(index + 1) != ":" {
                    return false;
                }
                found = true;
            }
        }
    }
    found
}

// --- scenarios ------------------------------------------------------------------------

/// Keys of scenarios, of every game.
const OF_SCENARIOS: &[&str] = &[
    "name", "shows", "position", "start", "play", "then", "random", "mode", "options", "sides", "entrants", "expect", "exactly",
    "check", "legal", "only", "not", "zones", "table", "winners", "finished", "fields", "marks", "at", "counters",
];

/// Misspells the keys that every scenario may have.
pub fn scenario_keys(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    visit(corpus.scenarios(), |text, _, key, _| {
        let known = |key: &&Key| OF_SCENARIOS.contains(&key.name.as_str()) && is_written(text, key);
        changes.extend(key.filter(known).map(|key| key_slip(text, key)));
    });
    changes
}

/// Whether a key is written without quotes.
fn is_written(text: &Text, key: &Key) -> bool {
    text.text.get(bytes(key.span)) == Some(key.name.as_str())
}

/// Misspells zones, fields and counters in a position, or in the expected end.
pub fn scenario_members(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    visit(corpus.scenarios(), |text, around, key, _| {
        let placed = around.iter().any(|name| matches!(*name, "position" | "then" | "check"));
        let vocabulary = corpus.vocabulary(text);
        let known = |key: &&Key| {
            let member = [Sort::Zone, Sort::Field, Sort::Counter].iter().any(|sort| vocabulary.is(&key.name, *sort));
            member && is_written(text, key) && !OF_SCENARIOS.contains(&key.name.as_str())
        };
        changes.extend(key.filter(|_| placed).filter(known).map(|key| key_slip(text, key)));
    });
    changes
}

/// Misspells entrants of scenarios.
pub fn scenario_sheets(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    visit(corpus.scenarios(), |text, around, _, value| {
        let entrant = matches!(around, [.., "entrants"] | [.., "start", "sides"]);
        if entrant && plain(text, value).is_some_and(|word| corpus.has_sheet(text, word)) {
            changes.extend(slip(text, value));
        }
    });
    changes
}

/// Misspells options, words that are their values, and modes.
pub fn scenario_headings(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    visit(corpus.scenarios(), |text, around, key, value| match (around.last(), key) {
        (Some(&"options"), Some(key)) if is_written(text, key) => {
            changes.push(key_slip(text, key));
            if plain(text, value).is_some_and(|word| word.parse::<i64>().is_err()) {
                changes.extend(slip(text, value));
            }
        }
        (_, Some(key)) if key.name == "mode" => changes.extend(slip(text, value)),
        _ => {}
    });
    changes
}

/// Misspells an event in `expect: [damaged(y, 4)]`.
pub fn scenario_events(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    visit(corpus.scenarios(), |text, around, key, value| {
        let event = key.is_none() && around.last().is_some_and(|name| matches!(*name, "expect" | "exactly"));
        let written = text.text.get(bytes(value.span)).unwrap_or("");
        let start = written.len() - written.trim_start_matches(['"', '\'']).len();
        let rest = written.get(start..).unwrap_or("");
        let end = rest.find(|sign: char| !sign.is_ascii_alphanumeric() && sign != '_').unwrap_or(rest.len());
        if event && end > 0 {
            let first = value.span.start as usize + start;
            changes.push(Mistake::slip(text.source, first..first + end, &rest[..end]));
        }
    });
    changes
}

/// Replaces the number of a rule under `shows` by one that no rule has.
pub fn unknown_shown(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    visit(corpus.scenarios(), |text, around, _, value| {
        let id = text.text.get(bytes(value.span)).unwrap_or("");
        let shown = around.last().is_some_and(|name| *name == "shows");
        if let Some((letters, _)) = id.split_once('-').filter(|_| shown && !id.contains('"')) {
            changes.push(Mistake::new(text.source, bytes(value.span), format!("{letters}-9987")));
        }
    });
    changes
}

// --- how YAML is written ----------------------------------------------------------------

/// Keys at the start of a line, after spaces or a `-`: each with its text, the start of the line, and the end of the key.
fn lines(corpus: &Corpus) -> Vec<(&Text, usize, usize)> {
    let mut found = Vec::new();
    visit(corpus.sheet_files().chain(corpus.scenarios()), |text, _, key, _| {
        let Some(key) = key else { return };
        let at = key.span.start as usize;
        let start = line_start(&text.text, at);
        if text.text.get(start..at).is_some_and(|before| before.trim_matches([' ', '-']).is_empty()) {
            found.push((text, start, key.span.end as usize));
        }
    });
    found
}

/// Indents a key, other than the first of its map, by one more space.
pub fn indentation(corpus: &Corpus) -> Vec<Mistake> {
    let inner = |(text, start, _): &(&Text, usize, usize)| {
        let line = text.text.get(*start..).and_then(|rest| rest.lines().next()).unwrap_or("");
        let before = text.text.get(..*start).and_then(|before| before.lines().next_back()).unwrap_or("");
        let indent = |line: &str| line.len() - line.trim_start().len();
        !line.trim_start().starts_with('-')
            && indent(before) == indent(line)
            && before.contains(": ")
            && !before.trim_start().starts_with('#')
    };
    let change = |(text, start, _): (&Text, usize, usize)| Mistake::new(text.source, start..start, " ");
    lines(corpus).into_iter().filter(inner).map(change).collect()
}

/// Replaces the spaces before a key by a tab.
pub fn tab(corpus: &Corpus) -> Vec<Mistake> {
    let change = |(text, start, _): (&Text, usize, usize)| {
        let blanks = text.text.get(start..)?.bytes().take_while(|byte| *byte == b' ').count();
        (blanks > 0).then(|| Mistake::new(text.source, start..start + blanks, "\t"))
    };
    lines(corpus).into_iter().filter_map(change).collect()
}

/// Removes the `:` after a key.
pub fn colon(corpus: &Corpus) -> Vec<Mistake> {
    let change = |(text, _, end): (&Text, usize, usize)| {
        text.text.get(end..)?.starts_with(':').then(|| Mistake::new(text.source, end..end + 1, ""))
    };
    lines(corpus).into_iter().filter_map(change).collect()
}

/// Removes the closing bracket of a list or map in brackets.
pub fn bracket(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    visit(corpus.sheet_files().chain(corpus.scenarios()), |text, _, _, value| {
        let at = bytes(value.span);
        let written = text.text.get(at.clone()).unwrap_or("");
        if written.starts_with('[') && written.ends_with(']') || written.starts_with('{') && written.ends_with('}') {
            changes.push(Mistake::new(text.source, at.end - 1..at.end, "").or_at(at.start));
        }
    });
    changes
}

/// Repeats a line with its key and value.
pub fn key_twice(corpus: &Corpus) -> Vec<Mistake> {
    let change = |(text, start, end): (&Text, usize, usize)| {
        let line = text.text.get(start..)?.split_inclusive('\n').next()?;
        let value = text.text.get(end..start + line.len())?;
        let closed = |open: char, close: char| value.matches(open).count() == value.matches(close).count();
        let whole = value.starts_with(": ") && closed('[', ']') && closed('{', '}') && !line.trim_start().starts_with('-');
        let next = text.text.get(start + line.len()..).and_then(|rest| rest.lines().next()).unwrap_or("");
        let indent = |line: &str| line.len() - line.trim_start().len();
        let last = next.trim().is_empty() || indent(next) <= indent(line);
        (whole && last && line.ends_with('\n'))
            .then(|| Mistake::new(text.source, start + line.len()..start + line.len(), line).or_at(start))
    };
    lines(corpus).into_iter().filter_map(change).collect()
}
