//! Trees to be written as YAML, and their formatting: short lists and maps on one line, longer ones on several.

use super::{Node, Value};

/// Maximum length of a line, unless a single word is longer.
const WIDTH: usize = 120;
/// Members of a list up to this length are placed side by side, on as many lines as they need.
const SHORT: usize = 72;
/// Words that have another meaning without quotes.
const RESERVED: [&str; 9] = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"];

/// A value to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutputValue {
    /// A scalar, exactly as written: see [`OutputValue::from_text`].
    Scalar(String),
    /// The members in the order of the text.
    List(Vec<OutputValue>),
    /// The entries in the order of the text.
    Map(Vec<(String, OutputValue)>),
}

impl OutputValue {
    /// A text that is read back unchanged, with quotes only if they are needed.
    pub fn from_text(words: &str) -> OutputValue {
        OutputValue::Scalar(scalar_text(words))
    }

    /// A whole number.
    pub fn from_number(number: impl Into<i64>) -> OutputValue {
        OutputValue::Scalar(number.into().to_string())
    }

    /// A value from a file, which may be a number, a word, yes or no.
    pub fn from_value(words: &str) -> OutputValue {
        match words.parse::<i64>() {
            Ok(_) => OutputValue::Scalar(words.to_string()),
            Err(_) => OutputValue::from_text(words),
        }
    }

    /// A map with one entry.
    pub fn single_entry(key: &str, value: OutputValue) -> OutputValue {
        OutputValue::Map(vec![(key.to_string(), value)])
    }

    /// Writes the value on one line.
    pub fn inline_text(&self) -> String {
        match self {
            OutputValue::Scalar(words) => words.clone(),
            OutputValue::List(members) => {
                format!("[{}]", members.iter().map(OutputValue::inline_text).collect::<Vec<_>>().join(", "))
            }
            OutputValue::Map(entries) => {
                let entries: Vec<String> =
                    entries.iter().map(|(key, value)| format!("{}: {}", key_text(key), value.inline_text())).collect();
                format!("{{{}}}", entries.join(", "))
            }
        }
    }

    /// Writes a map with one entry per line, or a list with `-` before each member, all of it indented.
    pub fn block_text(&self, indent: usize) -> String {
        let blanks = " ".repeat(indent);
        match self {
            OutputValue::Scalar(words) => format!("{blanks}{words}\n"),
            OutputValue::List(members) => {
                members.iter().map(|member| format!("{blanks}- {}", member.after_dash(indent))).collect()
            }
            OutputValue::Map(entries) => {
                let line = |(key, value): &(String, OutputValue)| {
                    let key = key_text(key);
                    format!("{blanks}{key}:{}", value.after_colon(indent, indent + key.chars().count() + 2))
                };
                entries.iter().map(line).collect()
            }
        }
    }

    /// The text after the `- ` of a list member. `indent` is the column of the dash.
    fn after_dash(&self, indent: usize) -> String {
        let inline = self.inline_text();
        let is_short = indent + 2 + inline.chars().count() <= WIDTH;
        match self {
            OutputValue::Map(entries) if !is_short || entries.iter().any(|(_, value)| value.is_large()) => {
                self.block_text(indent + 2).trim_start().to_string()
            }
            _ => format!("{inline}\n"),
        }
    }

    /// The text after the colon of an entry, which starts at `column`. `indent` is the column of the key.
    fn after_colon(&self, indent: usize, column: usize) -> String {
        let inline = self.inline_text();
        let is_short = column + inline.chars().count() <= WIDTH && !self.is_large();
        match self {
            OutputValue::Scalar(_) => format!(" {inline}\n"),
            _ if is_short => format!(" {inline}\n"),
            OutputValue::List(members) if members.iter().all(|member| member.inline_text().chars().count() <= SHORT) => {
                format!(" {}\n", side_by_side(members, column))
            }
            OutputValue::List(_) | OutputValue::Map(_) => format!("\n{}", self.block_text(indent + 2)),
        }
    }

    /// Whether it is easier to read on lines of its own, even if it fits on one.
    fn is_large(&self) -> bool {
        match self {
            OutputValue::Scalar(_) => false,
            OutputValue::List(members) => {
                let nested = |member: &OutputValue| matches!(member, OutputValue::Map(entries) if entries.iter().any(|(_, value)| !matches!(value, OutputValue::Scalar(_))));
                members.iter().filter(|member| nested(member)).count() > 1
            }
            OutputValue::Map(entries) => entries.iter().any(|(_, value)| value.is_large()),
        }
    }
}

/// Copies a value without its place.
impl From<&Node> for OutputValue {
    fn from(node: &Node) -> OutputValue {
        match &node.value {
            Value::Null => OutputValue::Scalar("null".to_string()),
            Value::Flag(flag) => OutputValue::Scalar(flag.to_string()),
            Value::Number(number) => OutputValue::Scalar(number.to_string()),
            Value::Text(words) => OutputValue::from_text(words),
            Value::List(members) => OutputValue::List(members.iter().map(OutputValue::from).collect()),
            Value::Map(entries) => {
                OutputValue::Map(entries.iter().map(|(key, value)| (key.name.clone(), OutputValue::from(value))).collect())
            }
        }
    }
}

/// A list in brackets, whose further lines are aligned with its first member.
fn side_by_side(members: &[OutputValue], column: usize) -> String {
    let (mut text, mut at) = ("[".to_string(), column + 1);
    let blanks = " ".repeat(column + 1);
    for (place, member) in members.iter().enumerate() {
        let member = member.inline_text();
        let end = if place + 1 == members.len() { "]" } else { "," };
        let length = member.chars().count() + end.len();
        if place > 0 && at + 1 + length > WIDTH {
            text.push_str(&format!("\n{blanks}"));
            at = column + 1;
        } else if place > 0 {
            text.push(' ');
            at += 1;
        }
        text.push_str(&format!("{member}{end}"));
        at += length;
    }
    text
}

/// A text, in quotes if it needs them.
fn scalar_text(words: &str) -> String {
    if is_plain(words) { words.to_string() } else { quote_text(words) }
}

/// A key is read as it is written, even if it is a number.
fn key_text(words: &str) -> String {
    let is_number = !words.is_empty() && words.chars().all(|sign| sign.is_ascii_digit());
    if is_number { words.to_string() } else { scalar_text(words) }
}

/// Whether a text needs no quotes, even in a list or map on one line.
fn is_plain(words: &str) -> bool {
    let starts = words.starts_with(|sign: char| sign.is_alphabetic());
    let ends = !words.ends_with(' ') && !words.contains(" #");
    let fits = |sign: char| sign.is_alphanumeric() || " _-.()+>#=/".contains(sign);
    let front = words.split('(').next().unwrap_or_default();
    // A comma within the brackets of a call belongs to the call.
    let is_call = words.ends_with(')')
        && !front.contains(' ')
        && words.matches('(').count() == words.matches(')').count()
        && !words.contains('#');
    let body = if is_call { words.replace([',', ':'], "") } else { words.to_string() };
    starts && ends && body.chars().all(fits) && !RESERVED.contains(&words.to_lowercase().as_str())
}

/// A text in double quotes, with escapes.
fn quote_text(words: &str) -> String {
    let mut text = String::from("\"");
    for sign in words.chars() {
        match sign {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            sign if sign.is_control() => text.push_str(&format!("\\u{:04x}", sign as u32)),
            sign => text.push(sign),
        }
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceId;
    use crate::yaml::parse_document;

    /// A text is read as the words it was made of, alone, in a list, in a map and as a key.
    #[track_caller]
    fn comes_back(words: &str) {
        let tree = OutputValue::Map(vec![
            ("alone".to_string(), OutputValue::from_text(words)),
            ("list".to_string(), OutputValue::List(vec![OutputValue::from_text(words), OutputValue::from_number(7)])),
            ("map".to_string(), OutputValue::Map(vec![(words.to_string(), OutputValue::from_text(words))])),
        ]);
        let text = tree.block_text(0);
        let (node, problems) = parse_document(&text, SourceId(0));
        assert_eq!(problems, vec![], "{text}");
        let node = node.unwrap_or_else(|| panic!("{text} is read"));
        assert_eq!(OutputValue::from(&node), tree, "{text}");
        let Value::Map(entries) = &node.value else { panic!("{text} is a map") };
        assert_eq!(entries[0].1.value, Value::Text(words.to_string()), "{text}");
    }

    #[test]
    fn words_come_back_as_they_were() {
        for words in [
            "otter",
            "night-owl",
            "Night Owl",
            "7",
            "yes",
            "True",
            "null",
            "~",
            "",
            " ",
            "a, b",
            "a: b",
            "a #b",
            "racy#2",
            "power_attack(a > x)",
            "skill_attack(a+c > y)",
            "rolled(a, 6 by 0)",
            "said(\"both, again\")",
            "turn(active: 0)",
            "moved(power#9, hand by 1)",
            "-1",
            "- x",
            "[x]",
            "{x}",
            "it's",
            "\"x\"",
            "a\\b",
            "two\nlines",
            "é",
            "*x",
            "&x",
            "!x",
            "a (b, c)",
            "x)",
            "(x",
            "board.2.3",
            "0x1F",
            "1.5",
            "a|b",
            "a@b",
            "%x",
            "`x`",
            "a,b(c",
            "ends:",
            "a(b(c, d), e)",
        ] {
            comes_back(words);
        }
    }

    #[test]
    fn what_is_short_stands_on_one_line_and_what_is_long_on_several() {
        let dice = OutputValue::List((0..40).map(|_| OutputValue::single_entry("size", OutputValue::from_number(12))).collect());
        let side = OutputValue::Map(vec![
            ("entrants".to_string(), OutputValue::List(vec![OutputValue::from_text("otter")])),
            ("zones".to_string(), OutputValue::single_entry("nest", dice)),
        ]);
        let text = OutputValue::single_entry("sides", OutputValue::List(vec![side.clone(), side])).block_text(2);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(
            text.starts_with("  sides:\n    - entrants: [otter]\n      zones:\n        nest: [{size: 12}, {size: 12}"),
            "{text}"
        );
        assert_eq!(
            OutputValue::single_entry("a", OutputValue::List(vec![OutputValue::from_number(1), OutputValue::from_text("b")]))
                .block_text(0),
            "a: [1, b]\n"
        );
    }
}
