//! Calls such as `turn(active: 0)` and `rolled(a, 6)` may stand without quotes: between their brackets, `:` and
//! `,` are hidden from YAML, which would take them for its own.

/// Stand-ins of one byte each, so that places stay; a text never holds them.
const HIDDEN: [(char, char); 2] = [(':', '\u{1}'), (',', '\u{2}')];

/// The text with the signs in calls replaced, byte for byte.
pub(super) fn hidden(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut at = 0;
    while let Some(open) = next_call(&bytes, at) {
        at = open + 1;
        if let Some(close) = end_of_call(&bytes, open) {
            for byte in bytes.iter_mut().take(close).skip(open) {
                *byte = HIDDEN.iter().find(|(sign, _)| *sign as u8 == *byte).map_or(*byte, |(_, hidden)| *hidden as u8);
            }
            at = close;
        }
    }
    // Only ASCII was exchanged for ASCII.
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_string())
}

/// The words of a value as they were written.
pub(super) fn shown(value: &str) -> String {
    HIDDEN.iter().fold(value.to_string(), |text, (sign, hidden)| text.replace(*hidden, &sign.to_string()))
}

/// The next bracket that follows a name without a blank.
fn next_call(bytes: &[u8], from: usize) -> Option<usize> {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'-';
    (from.max(1)..bytes.len()).find(|&at| bytes.get(at) == Some(&b'(') && bytes.get(at - 1).is_some_and(is_name))
}

/// The bracket that closes a call, on the same line and with nothing in between that belongs to YAML.
fn end_of_call(bytes: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, byte) in bytes.iter().enumerate().skip(open) {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(at),
            b')' => depth -= 1,
            b'\n' | b'"' | b'\'' | b'[' | b']' | b'{' | b'}' | b'#' => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::{Value, read};
    use crate::source::SourceId;

    #[track_caller]
    fn case(text: &str, expected: Value) {
        let (node, problems) = read(text, SourceId(0));
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
    fn calls_stay_whole_in_lists() {
        let (node, problems) = read("[swam(a by 0), dived(a, 6), rest]\n", SourceId(0));
        assert_eq!(problems, vec![]);
        let found = node.map(|node| listed(node.value));
        assert_eq!(found, Some(texts(&["swam(a by 0)", "dived(a, 6)", "rest"])));
    }

    #[test]
    fn brackets_in_sentences_change_nothing() {
        let (node, problems) = read("[\"x(\", \")\", \"otters (two, at most): wet\"]\n", SourceId(0));
        assert_eq!(problems, vec![]);
        let found = node.map(|node| listed(node.value));
        assert_eq!(found, Some(texts(&["x(", ")", "otters (two, at most): wet"])));
    }
}
