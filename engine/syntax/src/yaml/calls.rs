//! Lets calls such as `turn(active: 0)` and `rolled(a, 6)` be written without quotes. The `:` and `,` between their brackets are
//! hidden from the YAML parser.

use std::borrow::Cow;

/// Placeholders of one byte each, so that places stay the same. Texts never contain them.
const HIDDEN: [(char, char); 2] = [(':', '\u{1}'), (',', '\u{2}')];

/// Replaces the signs in calls, byte for byte.
pub(super) fn hide_signs(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for (open, close) in outermost_calls(text) {
        for byte in bytes.iter_mut().take(close).skip(open) {
            *byte = HIDDEN.iter().find(|(sign, _)| *sign as u8 == *byte).map_or(*byte, |(_, hidden)| *hidden as u8);
        }
    }
    // ASCII was replaced by ASCII.
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_string())
}

/// Restores the signs in a value.
pub(super) fn restore_signs(value: Cow<'_, str>) -> Cow<'_, str> {
    let is_hidden = |byte: &u8| HIDDEN.iter().any(|(_, hidden)| *hidden as u8 == *byte);
    if !value.as_bytes().iter().any(is_hidden) {
        return value;
    }
    Cow::Owned(HIDDEN.iter().fold(value.into_owned(), |text, (sign, hidden)| text.replace(*hidden, &sign.to_string())))
}

/// The outermost calls: the opening bracket of each, after a name without a space, and its closing bracket. Both are on one line,
/// without YAML syntax in between.
fn outermost_calls(text: &str) -> Vec<(usize, usize)> {
    let mut calls: Vec<(usize, usize)> = Vec::new();
    // The open brackets, and whether they belong to calls.
    let mut open: Vec<(usize, bool)> = Vec::new();
    let mut at = 0;
    while let Some(bracket) = text.get(at..).and_then(|rest| rest.find('(')) {
        at += bracket;
        for byte in text.bytes().skip(at) {
            match byte {
                b'(' => open.push((at, text[..at].ends_with(is_name))),
                b')' => {
                    if let Some((start, true)) = open.pop() {
                        // Calls within it are part of it.
                        calls.truncate(calls.partition_point(|(inner, _)| *inner < start));
                        calls.push((start, at));
                    }
                }
                b'\n' | b'"' | b'\'' | b'[' | b']' | b'{' | b'}' | b'#' => open.clear(),
                _ => {}
            }
            at += 1;
            if open.is_empty() {
                break;
            }
        }
    }
    calls
}

/// Whether a character may be in the name of a call.
fn is_name(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || sign == '_' || sign == '-'
}

#[cfg(test)]
mod tests {
    use super::super::{Value, parse_document};
    use crate::source::SourceId;

    #[track_caller]
    fn case(text: &str, expected: Value) {
        let (node, problems) = parse_document(text, SourceId(0));
        assert_eq!(problems, vec![], "{text}");
        let Some(Value::Map(entries)) = node.map(|node| node.value) else { panic!("{text} is no map") };
        assert_eq!(entries.into_iter().next().map(|(_, node)| node.value), Some(expected), "{text}");
    }

    fn texts(texts: &[&str]) -> Vec<Value> {
        texts.iter().map(|text| Value::Text(text.to_string())).collect()
    }

    fn listed(node: Value) -> Vec<Value> {
        match node {
            Value::List(list) => list.into_iter().map(|node| node.value).collect(),
            other => vec![other],
        }
    }

    #[test]
    fn calls_need_no_quotes() {
        case("at: day(of: 1)\n", Value::Text("day(of: 1)".to_string()));
        case("at: day(of: 1, on: 2)   # noon\n", Value::Text("day(of: 1, on: 2)".to_string()));
        case("at: \"day(of: 1)\"\n", Value::Text("day(of: 1)".to_string()));
    }

    #[test]
    fn the_outermost_calls_are_found() {
        let found = |text: &str| super::outermost_calls(text);
        assert_eq!(found("a(b(c), d) e(f"), [(1, 9)]);
        assert_eq!(found("a(b(c) d(e)"), [(3, 5), (8, 10)]);
        assert_eq!(found("(a(b)) c (d) e)f(g)"), [(2, 4), (16, 18)]);
        assert_eq!(found("a(\nb) a(#b) a('b') a([b])"), []);
    }

    #[test]
    fn calls_stay_whole_in_lists() {
        let (node, problems) = parse_document("[swam(a by 0), dived(a, 6), rest]\n", SourceId(0));
        assert_eq!(problems, vec![]);
        let found = node.map(|node| listed(node.value));
        assert_eq!(found, Some(texts(&["swam(a by 0)", "dived(a, 6)", "rest"])));
    }

    #[test]
    fn brackets_in_sentences_change_nothing() {
        let (node, problems) = parse_document("[\"x(\", \")\", \"otters (two, at most): wet\"]\n", SourceId(0));
        assert_eq!(problems, vec![]);
        let found = node.map(|node| listed(node.value));
        assert_eq!(found, Some(texts(&["x(", ")", "otters (two, at most): wet"])));
    }
}
