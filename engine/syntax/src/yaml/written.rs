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
pub enum Written {
    /// A scalar, exactly as written: see [`OutputValue::from_text`].
    Scalar(String),
    /// The members in the order of the text.
    List(Vec<Written>),
    /// The entries in the order of the text.
    Map(Vec<(String, Written)>),
}

impl Written {
    /// A text that is read back unchanged, with quotes only if they are needed.
    pub fn text(words: &str) -> Written {
        Written::Scalar(scalar(words))
    }

    /// A whole number.
    pub fn number(number: impl Into<i64>) -> Written {
        Written::Scalar(number.into().to_string())
    }

    /// A value from a file, which may be a number, a word, yes or no.
    pub fn value(words: &str) -> Written {
        match words.parse::<i64>() {
            Ok(_) => Written::Scalar(words.to_string()),
            Err(_) => Written::text(words),
        }
    }

    /// A map with one entry.
    pub fn entry(key: &str, value: Written) -> Written {
        Written::Map(vec![(key.to_string(), value)])
    }

    /// Writes the value on one line.
    pub fn inline(&self) -> String {
        match self {
            Written::Scalar(words) => words.clone(),
            Written::List(members) => format!("[{}]", members.iter().map(Written::inline).collect::<Vec<_>>().join(", ")),
            Written::Map(entries) => {
                let entries: Vec<String> =
                    entries.iter().map(|(key, value)| format!("{}: {}", scalar_key(key), value.inline())).collect();
                format!("{{{}}}", entries.join(", "))
            }
        }
    }

    /// Writes a map with one entry per line, or a list with `-` before each member, all of it indented.
    pub fn block(&self, indent: usize) -> String {
        let blanks = " ".repeat(indent);
        match self {
            Written::Scalar(words) => format!("{blanks}{words}\n"),
            Written::List(members) => members.iter().map(|member| format!("{blanks}- {}", member.behind_dash(indent))).collect(),
            Written::Map(entries) => {
                let line = |(key, value): &(String, Written)| {
                    let key = scalar_key(key);
                    format!("{blanks}{key}:{}", value.behind(indent, indent + key.chars().count() + 2))
                };
                entries.iter().map(line).collect()
            }
        }
    }

    /// The text after the `- ` of a list member.
    fn behind_dash(&self, indent: usize) -> String {
        let inline = self.inline();
        let is_short = indent + 2 + inline.chars().count() <= WIDTH;
        match self {
            Written::Map(entries) if !is_short || entries.iter().any(|(_, value)| value.is_large()) => {
                self.block(indent + 2).trim_start().to_string()
            }
            _ => format!("{inline}\n"),
        }
    }

    /// The text after the colon of an entry, which is at this column.
    fn behind(&self, indent: usize, column: usize) -> String {
        let inline = self.inline();
        let is_short = column + inline.chars().count() <= WIDTH && !self.is_large();
        match self {
            Written::Scalar(_) => format!(" {inline}\n"),
            _ if is_short => format!(" {inline}\n"),
            Written::List(members) if members.iter().all(|member| member.inline().chars().count() <= SHORT) => {
                format!(" {}\n", side_by_side(members, column))
            }
            Written::List(_) | Written::Map(_) => format!("\n{}", self.block(indent + 2)),
        }
    }

    /// Whether it is easier to read on lines of its own, even if it fits on one.
    fn is_large(&self) -> bool {
        match self {
            Written::Scalar(_) => false,
            Written::List(members) => {
                let nested = |member: &Written| matches!(member, Written::Map(entries) if entries.iter().any(|(_, value)| !matches!(value, Written::Scalar(_))));
                members.iter().filter(|member| nested(member)).count() > 1
            }
            Written::Map(entries) => entries.iter().any(|(_, value)| value.is_large()),
        }
    }
}

/// Copies a value without its place.
impl From<&Node> for Written {
    fn from(node: &Node) -> Written {
        match &node.value {
            Value::Null => Written::Scalar("null".to_string()),
            Value::Flag(flag) => Written::Scalar(flag.to_string()),
            Value::Number(number) => Written::Scalar(number.to_string()),
            Value::Text(words) => Written::text(words),
            Value::List(members) => Written::List(members.iter().map(Written::from).collect()),
            Value::Map(entries) => {
                Written::Map(entries.iter().map(|(key, value)| (key.name.clone(), Written::from(value))).collect())
            }
        }
    }
}

/// A list in brackets, whose further lines are aligned with its first member.
fn side_by_side(members: &[Written], column: usize) -> String {
    let (mut text, mut at) = ("[".to_string(), column + 1);
    let blanks = " ".repeat(column + 1);
    for (place, member) in members.iter().enumerate() {
        let member = member.inline();
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

fn scalar(words: &str) -> String {
    if is_plain(words) { words.to_string() } else { quoted(words) }
}

/// A key is read as it is written, even if it is a number.
fn scalar_key(words: &str) -> String {
    let is_number = !words.is_empty() && words.chars().all(|sign| sign.is_ascii_digit());
    if is_number { words.to_string() } else { scalar(words) }
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

fn quoted(words: &str) -> String {
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
    use crate::yaml::read;

    /// A text is read as the words it was made of, alone, in a list, in a map and as a key.
    #[track_caller]
    fn comes_back(words: &str) {
        let tree = Written::Map(vec![
            ("alone".to_string(), Written::text(words)),
            ("list".to_string(), Written::List(vec![Written::text(words), Written::number(7)])),
            ("map".to_string(), Written::Map(vec![(words.to_string(), Written::text(words))])),
        ]);
        let text = tree.block(0);
        let (node, problems) = read(&text, SourceId(0));
        assert_eq!(problems, vec![], "{text}");
        let node = node.unwrap_or_else(|| panic!("{text} is read"));
        assert_eq!(Written::from(&node), tree, "{text}");
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
        let dice = Written::List((0..40).map(|_| Written::entry("size", Written::number(12))).collect());
        let side = Written::Map(vec![
            ("entrants".to_string(), Written::List(vec![Written::text("otter")])),
            ("zones".to_string(), Written::entry("nest", dice)),
        ]);
        let text = Written::entry("sides", Written::List(vec![side.clone(), side])).block(2);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(
            text.starts_with("  sides:\n    - entrants: [otter]\n      zones:\n        nest: [{size: 12}, {size: 12}"),
            "{text}"
        );
        assert_eq!(Written::entry("a", Written::List(vec![Written::number(1), Written::text("b")])).block(0), "a: [1, b]\n");
    }
}
