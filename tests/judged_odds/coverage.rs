//! Which forms of the grammar the generator writes. They are read off the grammar itself, so that a new form fails the
//! test until somebody adds it to the generator, or to the list of those that odds cannot have.

use crate::judged_odds::generator::case;
use ludex_grammar::{GRAMMAR, Rule, parse_rule};
use std::collections::{BTreeMap, BTreeSet};

/// Rules, ways from one rule to another and words of rules that the generator does not write, and why.
const LEFT_OUT: &[(&[&str], &str)] = &[
    (&["answer", "ask", "asking", "at_once", "open"], "nobody is asked while odds are worked out"),
    (
        &["create", "draw", "mark", "move_", "remove", "restore", "show", "shuffle", "unmark"],
        "it changes pieces, zones or marks, or shows them; the games that are shipped roll dice that are pieces",
    ),
    (
        &[
            "board_lines",
            "can",
            "cell_at",
            "column_at",
            "is_a",
            "lines_of",
            "member_tail",
            "row_at",
            "run_from",
            "supposing",
            "top_of",
        ],
        "it reads fields, zones, boards or moves, which a game of numbers has not",
    ),
    (&["event_name"], "only fields of things have events with names"),
    (&["finish > expr", "finish > payoff", "finish > text"], "a match that is finished has no value"),
    (&["atom > text"], "a text has no odds"),
    (&["say_to"], "there is nobody to say it to"),
    (
        &[
            "compare_op `<>`",
            "compare_op `=<`",
            "compare_op `==`",
            "compare_op `=>`",
            "compare_op `≠`",
            "compare_op `≤`",
            "compare_op `≥`",
            "is_than",
            "wrong_arm",
            "wrong_call",
            "wrong_else_if",
            "wrong_equals",
            "wrong_for",
            "wrong_let",
            "wrong_result",
            "wrong_return",
            "wrong_set",
            "wrong_slash",
            "wrong_then",
            "wrong_while",
        ],
        "the form is answered with the right one",
    ),
];

/// A rule of the grammar.
#[derive(Debug)]
struct Form {
    silent: bool,
    /// The rules in it.
    parts: Vec<String>,
    /// The words and signs in it, if it consists of them.
    words: Vec<String>,
}

/// The rules of the grammar by name.
fn forms() -> BTreeMap<String, Form> {
    let lines = GRAMMAR.lines().filter(|line| !line.trim_start().starts_with("//"));
    let text: String = lines.map(|line| format!("{line}\n")).collect();
    let mut forms = BTreeMap::new();
    let mut rest = text.as_str();
    while let Some(equals) = rest.find('=') {
        let name = rest[..equals].trim().to_string();
        let open = equals + rest[equals..].find('{').unwrap_or(0);
        let kind = rest[equals + 1..open].trim().to_string();
        let body_and_rest = &rest[open + 1..];
        let end = end_of_body(body_and_rest);
        let (parts, words) = tokens(&body_and_rest[..end]);
        forms.insert(name, Form { silent: kind == "_", parts, words });
        rest = &body_and_rest[end + 1..];
    }
    forms
}

/// Where the body of a rule ends: at its brace, which stands in no text.
fn end_of_body(text: &str) -> usize {
    let (mut quoted, mut before) = (false, ' ');
    for (at, letter) in text.char_indices() {
        match letter {
            '"' if before != '\\' => quoted = !quoted,
            '}' if !quoted && before != '\'' => return at,
            _ => {}
        }
        before = if before == '\\' { ' ' } else { letter };
    }
    text.len()
}

/// The names and the texts in a body, without those that it only looks ahead for.
fn tokens(body: &str) -> (Vec<String>, Vec<String>) {
    let (mut parts, mut words) = (Vec::new(), Vec::new());
    let letters: Vec<char> = body.chars().collect();
    let (mut at, mut depth, mut ahead) = (0, 0usize, None);
    while at < letters.len() {
        let start = at;
        let token: String = match letters[at] {
            '"' => {
                at += 1;
                while letters[at] != '"' {
                    at += if letters[at] == '\\' { 2 } else { 1 };
                }
                letters[start..at].iter().collect()
            }
            letter if letter.is_ascii_alphabetic() => {
                while at + 1 < letters.len() && (letters[at + 1].is_ascii_alphanumeric() || letters[at + 1] == '_') {
                    at += 1;
                }
                letters[start..=at].iter().collect()
            }
            letter => letter.to_string(),
        };
        at += 1;
        match token.as_str() {
            "!" | "&" => {
                ahead.get_or_insert(depth);
                continue;
            }
            "(" => depth += 1,
            ")" => depth -= 1,
            token if token.trim().is_empty() => continue,
            _ if ahead.is_some() => {}
            token if token.starts_with('"') => words.push(token[1..].to_string()),
            token if token.starts_with(|letter: char| letter.is_ascii_lowercase()) => parts.push(token.to_string()),
            _ => {}
        }
        if ahead.is_some_and(|since| depth <= since) {
            ahead = None;
        }
    }
    (parts, words)
}

/// The rules that a rule names, those of silent rules in place of these; no keywords and signs.
fn parts(forms: &BTreeMap<String, Form>, name: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for part in &forms[name].parts {
        match forms.get(part) {
            Some(form) if form.silent => found.extend(parts(forms, part)),
            Some(_) if !part.starts_with("k_") && !SIGNS.contains(&part.as_str()) => {
                found.insert(part.clone());
            }
            _ => {}
        }
    }
    found
}

const SIGNS: &[&str] = &[
    "open_brace",
    "close_brace",
    "open_paren",
    "close_paren",
    "open_bracket",
    "close_bracket",
    "comma",
    "colon",
    "equals",
    "dot",
    "dots",
];

/// What there is to write: each way from a rule to another, and each word of a rule that is one of several.
fn expected(left_out: &BTreeSet<&str>) -> BTreeSet<String> {
    let forms = forms();
    let (mut expected, mut seen) = (BTreeSet::new(), BTreeSet::new());
    let mut waiting = vec!["expr".to_string(), "block".to_string()];
    while let Some(name) = waiting.pop() {
        if !seen.insert(name.clone()) {
            continue;
        }
        let form = &forms[&name];
        if form.words.len() > 1 {
            expected.extend(form.words.iter().map(|word| format!("{name} `{word}`")));
        }
        for part in parts(&forms, &name) {
            let way = format!("{name} > {part}");
            if !left_out.contains(way.as_str()) && !left_out.contains(part.as_str()) {
                waiting.push(part.clone());
            }
            expected.insert(if left_out.contains(part.as_str()) { part } else { way });
        }
    }
    expected
}

/// Notes what is written in a text.
fn note(text: &str, written: &mut BTreeSet<String>) {
    let pairs = parse_rule(Rule::chunk, text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    // What is around a pair, the innermost last: rules with their ends.
    let mut around: Vec<(String, usize)> = Vec::new();
    for pair in pairs.flatten() {
        let (name, span) = (format!("{:?}", pair.as_rule()), pair.as_span());
        while around.last().is_some_and(|(_, end)| *end <= span.start() || *end < span.end()) {
            around.pop();
        }
        if let Some((outer, _)) = around.last() {
            written.insert(format!("{outer} > {name}"));
        }
        written.insert(format!("{name} `{}`", span.as_str().trim()));
        written.insert(name.clone());
        around.push((name, span.end()));
    }
}

#[test]
fn every_form_of_the_grammar_is_written_or_left_out_for_a_reason() {
    let left_out: BTreeSet<&str> = LEFT_OUT.iter().flat_map(|(forms, _)| forms.iter().copied()).collect();
    let expected = expected(&left_out);
    let mut written = BTreeSet::new();
    for seed in 0..500 {
        for text in case(seed, 9.0).texts() {
            note(&text, &mut written);
        }
    }
    let missing: Vec<&String> =
        expected.iter().filter(|form| !written.contains(*form) && !left_out.contains(form.as_str())).collect();
    assert!(missing.is_empty(), "the generator writes none of these: {missing:#?}");
    let idle: Vec<&&str> = left_out.iter().filter(|form| written.contains(**form) || !expected.contains(**form)).collect();
    assert!(idle.is_empty(), "these are written, or are not in the grammar: {idle:#?}");
}
