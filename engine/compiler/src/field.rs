//! Values of fields and counters in files: numbers, halves, words, yes or no, sides by number, entrants by key.
//!
//! Sheets and positions both read such values. A shape is the type of a value in a compiled program. The key of an entrant is its
//! id, or `otter#2` for the second one with that id in a match; only positions can refer to players.

use ludex_program::{FieldInfo, KindId, KindSort, NONE, Program, SIDE, Shape, Value};
use ludex_syntax::codes;
use ludex_syntax::problem::{Problem, closest_match, join_words};
use ludex_syntax::yaml::{Node, Value as Yaml};

/// The players of a match, for files that name them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Players<'a> {
    /// Number of sides.
    pub sides: usize,
    /// The keys of the entrants.
    pub entrants: &'a [String],
}

/// Whether values of this shape are entrants.
pub fn is_entrant_shape(program: &Program, shape: &Shape) -> bool {
    match shape {
        Shape::OrNone(inner) => is_entrant_shape(program, inner),
        Shape::Entity(kind) => program.kind(*kind).sort == KindSort::Entrant,
        _ => false,
    }
}

/// Whether a position can give a value of this shape.
pub fn is_plain_shape(program: &Program, shape: &Shape) -> bool {
    match shape {
        Shape::Entity(SIDE) => true,
        Shape::OrNone(inner) => is_plain_shape(program, inner),
        _ => is_printable_shape(shape) || is_entrant_shape(program, shape),
    }
}

/// Whether a position can give a field of this shape, which may be a list.
pub fn can_be_set(program: &Program, shape: &Shape) -> bool {
    match shape {
        Shape::List(inner) => is_plain_shape(program, inner),
        _ => is_plain_shape(program, shape),
    }
}

/// Whether a position can give an argument of this shape. Pieces can be named there, too.
pub fn is_argument_shape(program: &Program, shape: &Shape) -> bool {
    match shape {
        Shape::OrNone(inner) => is_argument_shape(program, inner),
        _ => program.is_piece(shape) || is_plain_shape(program, shape),
    }
}

/// Whether a sheet can give a value of this shape. Sheets cannot refer to the sides of a match.
pub fn is_printable_shape(shape: &Shape) -> bool {
    match shape {
        Shape::Number | Shape::Halves | Shape::Flag | Shape::Word(_) => true,
        Shape::OrNone(inner) => is_printable_shape(inner),
        Shape::Entity(_) | Shape::Zone(_) | Shape::List(_) | Shape::Move(_) | Shape::Sheet(_) | Shape::Text | Shape::Nothing => {
            false
        }
    }
}

/// A value as stated in a file. References to players are resolved in a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatedValue {
    /// A number, halves, a word, yes or no, or none.
    Value(Value),
    /// A side by its number.
    Side(usize),
    /// An entrant by its key.
    Entrant(String),
    /// The members of a list.
    List(Vec<StatedValue>),
    /// A piece by its name in the file.
    Piece(String),
}

impl StatedValue {
    /// Formats the value as files write it.
    pub fn value_text(&self, program: &Program, shape: &Shape) -> String {
        match self {
            StatedValue::Value(value) => format_value(program, shape, *value),
            StatedValue::Side(side) => side.to_string(),
            StatedValue::List(members) => {
                let inner = if let Shape::List(inner) = shape { inner } else { shape };
                let members: Vec<String> = members.iter().map(|member| member.value_text(program, inner)).collect();
                format!("[{}]", members.join(", "))
            }
            StatedValue::Entrant(name) | StatedValue::Piece(name) => name.clone(),
        }
    }
}

/// Reads and checks the value of a field in a sheet.
pub fn read_printed_value(field: &FieldInfo, node: &Node, program: &Program, problems: &mut Vec<Problem>) -> Option<Value> {
    let StatedValue::Value(value) = read_file_value(field, node, program, Players::default(), problems)? else { return None };
    Some(value)
}

/// Reads and checks the value of a field in a file.
pub fn read_file_value(
    field: &FieldInfo,
    node: &Node,
    program: &Program,
    players: Players,
    problems: &mut Vec<Problem>,
) -> Option<StatedValue> {
    read_value_of_shape(field, &field.shape, node, program, players, problems)
}

/// Reads a value of a shape, which is the field's or that of its members.
fn read_value_of_shape(
    field: &FieldInfo,
    shape: &Shape,
    node: &Node,
    program: &Program,
    players: Players,
    problems: &mut Vec<Problem>,
) -> Option<StatedValue> {
    let what = format!("`{}`", field.name);
    match shape {
        Shape::OrNone(_) if is_none(node) => Some(StatedValue::Value(NONE)),
        Shape::OrNone(inner) => read_value_of_shape(field, inner, node, program, players, problems),
        Shape::Flag => node.as_flag(problems, &what).map(|flag| StatedValue::Value(flag.into())),
        Shape::Word(of) => {
            let words: Vec<&str> = program.words.get(*of as usize)?.words.iter().map(String::as_str).collect();
            node.as_one_of(problems, &what, &words).map(|index| StatedValue::Value(index as Value))
        }
        Shape::Entity(SIDE) => {
            let last = players.sides.saturating_sub(1) as i64;
            node.as_number(problems, &what, 0..=last).map(|side| StatedValue::Side(side as usize))
        }
        Shape::Entity(kind) => {
            let key = scalar_text(node).or_else(|| node.as_text(problems, &what).map(str::to_string))?;
            match not_playing_problem(&key, *kind, program, players) {
                Some(problem) => {
                    problems.push(problem.with_label(node.span, NOT_PLAYING));
                    None
                }
                None => Some(StatedValue::Entrant(key)),
            }
        }
        Shape::List(inner) => {
            let members = node.as_list(problems, &what)?;
            if members.len() > usize::from(field.room) {
                let message = format!("{what} has room for {}", field.room);
                let remark = format!("this list has {}", members.len());
                problems.push(Problem::error(codes::YAML_RANGE, message).with_label(node.span, remark));
                return None;
            }
            let members = members.iter().map(|node| read_value_of_shape(field, inner, node, program, players, problems));
            members.collect::<Option<Vec<StatedValue>>>().map(StatedValue::List)
        }
        Shape::Halves => read_halves(field, &what, node, problems).map(StatedValue::Value),
        _ => {
            let (least, most) = field.range.unwrap_or((i32::MIN + 1, i32::MAX));
            let number = node.as_number(problems, &what, i64::from(least)..=i64::from(most))?;
            Some(StatedValue::Value(number as Value))
        }
    }
}

/// The label for an entrant that exists but does not play.
pub const NOT_PLAYING: &str = "not among those who play";

/// Whether a value is `none` or empty.
pub fn is_none(node: &Node) -> bool {
    node.value == Yaml::Null || scalar_text(node).as_deref() == Some("none")
}

/// The error for the key of an entrant of a kind that does not play; none if one that plays has it.
pub fn not_playing_problem(key: &str, kind: KindId, program: &Program, players: Players) -> Option<Problem> {
    let of_kind = |key: &&str| {
        let id = key.split_once('#').map_or(*key, |(id, _)| id);
        program.sheets.get(id).is_some_and(|sheet| sheet.kind == kind)
    };
    let known: Vec<&str> = players.entrants.iter().map(String::as_str).filter(of_kind).collect();
    if known.contains(&key) {
        return None;
    }
    let problem = Problem::error(codes::UNKNOWN_ENTRANT, format!("`{key}` does not play here"));
    let listed: Vec<String> = known.iter().map(|key| format!("`{key}`")).collect();
    Some(match closest_match(key, known.iter().copied()) {
        Some(near) => problem.suggest_near(near),
        None if listed.is_empty() => problem.help("no side brings such an entrant"),
        None => problem.help(format!("the entrants in play are {}", join_words(&listed, "and"))),
    })
}

/// Reads `36` or `36.5` as a number of halves, within the field's range.
fn read_halves(field: &FieldInfo, what: &str, node: &Node, problems: &mut Vec<Problem>) -> Option<Value> {
    let Some(number) = scalar_text(node).and_then(|words| parse_halves(&words)) else {
        let problem = Problem::error(codes::YAML_TYPE, format!("{what} must be a number or a half"));
        problems.push(problem.with_label(node.span, "not a number such as `36` or `36.5`"));
        return None;
    };
    let (least, most) = field.range.unwrap_or((i32::MIN + 1, i32::MAX));
    if !(least..=most).contains(&number) {
        let problem = Problem::error(codes::YAML_RANGE, format!("{what} is out of range"));
        let label = format!("must be from {} to {}", f64::from(least) / 2.0, f64::from(most) / 2.0);
        problems.push(problem.with_label(node.span, label));
        return None;
    }
    Some(number)
}

/// The number of halves in `36`, `36.5` or `-0.5`.
fn parse_halves(words: &str) -> Option<Value> {
    let (whole, half) = match words.split_once('.') {
        Some((whole, "5")) => (whole, 1),
        Some((whole, "0")) => (whole, 0),
        None => (words, 0),
        Some(_) => return None,
    };
    let sign = if whole.starts_with('-') { -1 } else { 1 };
    let number = whole.parse::<Value>().ok().filter(|number| number.unsigned_abs() <= Value::MAX.unsigned_abs() / 2)?;
    Some(number * 2 + sign * half)
}

/// A scalar as text; none for lists, maps and empty values.
pub fn scalar_text(node: &Node) -> Option<String> {
    match &node.value {
        Yaml::Number(number) => Some(number.to_string()),
        Yaml::Flag(flag) => Some(flag.to_string()),
        Yaml::Text(text) => Some(text.clone()),
        Yaml::Null | Yaml::List(_) | Yaml::Map(_) => None,
    }
}

/// Parses a value from one word: halves, yes or no, or a word of a type.
pub fn parse_value(program: &Program, shape: &Shape, words: &str) -> Option<Value> {
    match shape {
        Shape::Halves => parse_halves(words),
        Shape::Flag => match words {
            "yes" | "true" => Some(1),
            "no" | "false" => Some(0),
            _ => None,
        },
        Shape::Word(words_of) => {
            program.words.get(*words_of as usize)?.words.iter().position(|word| word == words).map(|index| index as Value)
        }
        _ => None,
    }
}

/// Formats a value as files write it.
pub fn format_value(program: &Program, shape: &Shape, value: Value) -> String {
    match shape {
        Shape::OrNone(_) if value == NONE => "none".to_string(),
        Shape::OrNone(inner) => format_value(program, inner, value),
        Shape::Halves => halves_text(value),
        Shape::Flag => if value == 0 { "no" } else { "yes" }.to_string(),
        Shape::Word(of) => {
            let words = program.words.get(*of as usize);
            words.and_then(|words| words.words.get(value as usize)).cloned().unwrap_or_default()
        }
        _ => value.to_string(),
    }
}

/// Formats a number of halves: `7`, `7.5`.
pub fn halves_text(halves: impl Into<i64>) -> String {
    let halves = halves.into();
    let sign = if halves < 0 { "-" } else { "" };
    let whole = halves.unsigned_abs() / 2;
    if halves % 2 == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.5") }
}
