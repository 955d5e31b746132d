//! Values of fields and counters in files: numbers, halves, words, yes or no, sides by number, entrants by key.

use ludex_program::{FieldInfo, KindId, KindSort, NONE, Program, SIDE, Shape, Value};
use ludex_syntax::codes;
use ludex_syntax::problem::{Problem, closest, joined};
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
pub fn is_entrant(program: &Program, shape: &Shape) -> bool {
    match shape {
        Shape::OrNone(inner) => is_entrant(program, inner),
        Shape::Entity(kind) => program.kind(*kind).sort == KindSort::Entrant,
        _ => false,
    }
}

/// Whether a position can give a value of this shape.
pub fn is_plain(program: &Program, shape: &Shape) -> bool {
    match shape {
        Shape::Entity(SIDE) => true,
        Shape::OrNone(inner) => is_plain(program, inner),
        _ => is_printable(shape) || is_entrant(program, shape),
    }
}

/// Whether a position can give a field of this shape, which may be a list.
pub fn can_be_stated(program: &Program, shape: &Shape) -> bool {
    match shape {
        Shape::List(inner) => is_plain(program, inner),
        _ => is_plain(program, shape),
    }
}

/// Whether a position can give an argument of this shape. Pieces can be named there, too.
pub fn is_argument(program: &Program, shape: &Shape) -> bool {
    match shape {
        Shape::OrNone(inner) => is_argument(program, inner),
        _ => program.is_piece(shape) || is_plain(program, shape),
    }
}

/// Whether a sheet can give a value of this shape. Sheets cannot refer to the sides of a match.
pub fn is_printable(shape: &Shape) -> bool {
    match shape {
        Shape::Number | Shape::Halves | Shape::Flag | Shape::Word(_) => true,
        Shape::OrNone(inner) => is_printable(inner),
        Shape::Entity(_) | Shape::Zone(_) | Shape::List(_) | Shape::Move(_) | Shape::Sheet(_) | Shape::Text | Shape::Nothing => {
            false
        }
    }
}

/// A value as stated in a file. References to players are resolved in a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stated {
    /// A number, halves, a word, yes or no, or none.
    Value(Value),
    /// A side by its number.
    Side(usize),
    /// An entrant by its key.
    Entrant(String),
    /// The members of a list.
    List(Vec<Stated>),
    /// A piece by its name in the file.
    Piece(String),
}

impl Stated {
    /// Formats the value as files write it.
    pub fn words(&self, program: &Program, shape: &Shape) -> String {
        match self {
            Stated::Value(value) => shown(program, shape, *value),
            Stated::Side(side) => side.to_string(),
            Stated::List(members) => {
                let inner = if let Shape::List(inner) = shape { inner } else { shape };
                let members: Vec<String> = members.iter().map(|member| member.words(program, inner)).collect();
                format!("[{}]", members.join(", "))
            }
            Stated::Entrant(name) | Stated::Piece(name) => name.clone(),
        }
    }
}

/// Reads and checks the value of a field in a sheet.
pub fn printed(field: &FieldInfo, node: &Node, program: &Program, problems: &mut Vec<Problem>) -> Option<Value> {
    let Stated::Value(value) = stated(field, node, program, Players::default(), problems)? else { return None };
    Some(value)
}

/// Reads and checks the value of a field in a file.
pub fn stated(
    field: &FieldInfo,
    node: &Node,
    program: &Program,
    players: Players,
    problems: &mut Vec<Problem>,
) -> Option<Stated> {
    stated_of_shape(field, &field.shape, node, program, players, problems)
}

fn stated_of_shape(
    field: &FieldInfo,
    shape: &Shape,
    node: &Node,
    program: &Program,
    players: Players,
    problems: &mut Vec<Problem>,
) -> Option<Stated> {
    let what = format!("`{}`", field.name);
    match shape {
        Shape::OrNone(_) if is_none(node) => Some(Stated::Value(NONE)),
        Shape::OrNone(inner) => stated_of_shape(field, inner, node, program, players, problems),
        Shape::Flag => node.as_flag(problems, &what).map(|flag| Stated::Value(flag.into())),
        Shape::Word(of) => {
            let words: Vec<&str> = program.words.get(*of as usize)?.words.iter().map(String::as_str).collect();
            node.as_one_of(problems, &what, &words).map(|index| Stated::Value(index as Value))
        }
        Shape::Entity(SIDE) => {
            let last = players.sides.saturating_sub(1) as i64;
            node.as_number(problems, &what, 0..=last).map(|side| Stated::Side(side as usize))
        }
        Shape::Entity(kind) => {
            let key = words(node).or_else(|| node.as_text(problems, &what).map(str::to_string))?;
            match not_playing(&key, *kind, program, players) {
                Some(problem) => {
                    problems.push(problem.at(node.span, NOT_PLAYING));
                    None
                }
                None => Some(Stated::Entrant(key)),
            }
        }
        Shape::List(inner) => {
            let members = node.as_list(problems, &what)?;
            if members.len() > usize::from(field.room) {
                let message = format!("{what} has room for {}", field.room);
                let remark = format!("this list has {}", members.len());
                problems.push(Problem::error(codes::YAML_RANGE, message).at(node.span, remark));
                return None;
            }
            let members = members.iter().map(|node| stated_of_shape(field, inner, node, program, players, problems));
            members.collect::<Option<Vec<Stated>>>().map(Stated::List)
        }
        Shape::Halves => halves(field, &what, node, problems).map(Stated::Value),
        _ => {
            let (least, most) = field.range.unwrap_or((i32::MIN + 1, i32::MAX));
            let number = node.as_number(problems, &what, i64::from(least)..=i64::from(most))?;
            Some(Stated::Value(number as Value))
        }
    }
}

/// The label for an entrant that exists but does not play.
pub const NOT_PLAYING: &str = "not among those who play";

/// Whether a node is `none` or empty.
pub fn is_none(node: &Node) -> bool {
    node.value == Yaml::Null || words(node).as_deref() == Some("none")
}

/// The error for the key of an entrant, unless one that plays has it.
pub fn not_playing(key: &str, kind: KindId, program: &Program, players: Players) -> Option<Problem> {
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
    Some(match closest(key, known.iter().copied()) {
        Some(near) => problem.meant(near),
        None if listed.is_empty() => problem.help("no side brings such an entrant"),
        None => problem.help(format!("the entrants in play are {}", joined(&listed, "and"))),
    })
}

/// Parses `36` or `36.5`. Ranges count in halves.
fn halves(field: &FieldInfo, what: &str, node: &Node, problems: &mut Vec<Problem>) -> Option<Value> {
    let Some(number) = words(node).and_then(|words| in_halves(&words)) else {
        let problem = Problem::error(codes::YAML_TYPE, format!("{what} must be a number or a half"));
        problems.push(problem.at(node.span, "not a number such as `36` or `36.5`"));
        return None;
    };
    let (least, most) = field.range.unwrap_or((i32::MIN + 1, i32::MAX));
    if !(least..=most).contains(&number) {
        let problem = Problem::error(codes::YAML_RANGE, format!("{what} is out of range"));
        let label = format!("must be from {} to {}", f64::from(least) / 2.0, f64::from(most) / 2.0);
        problems.push(problem.at(node.span, label));
        return None;
    }
    Some(number)
}

/// The number of halves in `36`, `36.5` or `-0.5`.
fn in_halves(words: &str) -> Option<Value> {
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

/// A scalar as written.
pub fn words(node: &Node) -> Option<String> {
    match &node.value {
        Yaml::Number(number) => Some(number.to_string()),
        Yaml::Flag(flag) => Some(flag.to_string()),
        Yaml::Text(text) => Some(text.clone()),
        Yaml::Null | Yaml::List(_) | Yaml::Map(_) => None,
    }
}

/// Parses a value from one word: halves, yes or no, or a word of a type.
pub fn read_value(program: &Program, shape: &Shape, words: &str) -> Option<Value> {
    match shape {
        Shape::Halves => in_halves(words),
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
pub fn shown(program: &Program, shape: &Shape, value: Value) -> String {
    match shape {
        Shape::OrNone(_) if value == NONE => "none".to_string(),
        Shape::OrNone(inner) => shown(program, inner, value),
        Shape::Halves => written_in_halves(value),
        Shape::Flag => if value == 0 { "no" } else { "yes" }.to_string(),
        Shape::Word(of) => {
            let words = program.words.get(*of as usize);
            words.and_then(|words| words.words.get(value as usize)).cloned().unwrap_or_default()
        }
        _ => value.to_string(),
    }
}

/// Formats a number of halves: `7`, `7.5`.
pub fn written_in_halves(halves: impl Into<i64>) -> String {
    let halves = halves.into();
    let sign = if halves < 0 { "-" } else { "" };
    let whole = halves.unsigned_abs() / 2;
    if halves % 2 == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.5") }
}
