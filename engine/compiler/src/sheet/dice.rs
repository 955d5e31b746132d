//! Reads dice in files: by size, or by the name of a die with its own faces.
//!
//! Sheets and positions list dice. In messages, `what` is the list or key that a die is in.

use ludex_program::{Faces, MarkInfo, PrintedPiece, Program};
use ludex_syntax::codes;
use ludex_syntax::problem::{Problem, join_words};
use ludex_syntax::source::Span;
use ludex_syntax::yaml::{Node, Value as Yaml};

/// Reads a die of a sheet: `8`, `percentile`, or with marks `{size: 8, marks: [loaded]}`.
pub fn read_listed_die(node: &Node, what: &str, program: &Program, problems: &mut Vec<Problem>) -> Option<PrintedPiece> {
    if !matches!(node.value, Yaml::Map(_)) {
        return read_die(node, what, program, problems);
    }
    let mut map = node.as_map(problems, "a die")?;
    let kind = map.optional_value("die").map(|node| read_die_with_faces(node, program, problems));
    let size =
        if kind.is_some() { None } else { map.required_value("size").map(|node| read_plain_die(node, what, program, problems)) };
    let marks = map.optional_value("marks").map_or(0, |node| read_printed_marks(node, program, problems));
    map.finish(problems);
    kind.or(size).flatten().map(|piece| PrintedPiece { marks, ..piece })
}

/// Reads the marks that a sheet gives to a die, as a bitmask.
fn read_printed_marks(node: &Node, program: &Program, problems: &mut Vec<Problem>) -> u32 {
    let known: Vec<&str> = program.marks.iter().filter(|mark| mark.printed).map(|mark| mark.name.as_str()).collect();
    let mut marks = 0;
    for node in node.as_list(problems, "`marks`").unwrap_or_default() {
        let Some(name) = node.as_text(problems, "a mark") else { continue };
        let is_it = |mark: &MarkInfo| mark.name == name;
        match program.marks.iter().position(|mark| is_it(mark) && mark.printed) {
            Some(index) => marks |= 1 << index,
            None if program.marks.iter().any(is_it) => {
                let problem = Problem::error(codes::UNKNOWN_MARK, format!("a sheet cannot give a die the mark `{name}`"));
                let help = format!("the rules must allow it: `mark {name} …, printed`");
                problems.push(problem.with_label(node.span, "set only during play").with_subject(name).help(help));
            }
            None => {
                let problem = Problem::error(codes::UNKNOWN_MARK, format!("there is no mark `{name}`"))
                    .with_label(node.span, "not known")
                    .with_subject(name);
                problems.push(match known.is_empty() {
                    true => problem.help("the game has no marks that a sheet may give to dice"),
                    false => problem.suggest(name, known.iter().copied()),
                });
            }
        }
    }
    marks
}

/// Reads a die of a list: its size, or the name of one with its own faces.
pub fn read_die(node: &Node, what: &str, program: &Program, problems: &mut Vec<Problem>) -> Option<PrintedPiece> {
    match &node.value {
        Yaml::Text(name) if program.die_by_name(name).is_some() => read_die_with_faces(node, program, problems),
        _ => read_plain_die(node, what, program, problems),
    }
}

/// Reads a die with its own faces, by its name in the rules.
pub fn read_die_with_faces(node: &Node, program: &Program, problems: &mut Vec<Problem>) -> Option<PrintedPiece> {
    if let Yaml::Number(size) = node.value {
        let problem = Problem::error(codes::YAML_TYPE, "`die` must name a die with faces of its own")
            .with_label(node.span, "this is a number");
        problems.push(problem.help(format!("write `size: {size}` for a die that shows 1 to {size}")));
        return None;
    }
    let name = node.as_text(problems, "`die`")?;
    if let Some(faces) = program.die_by_name(name) {
        return Some(PrintedPiece { kind: faces.kind, size: faces.values.len() as i32, print: None, marks: 0 });
    }
    let known: Vec<&str> = program.faces.iter().map(|faces| program.kind(faces.kind).name.as_str()).collect();
    let problem = Problem::error(codes::DIE_SIZE, format!("there is no die called `{name}`")).with_label(node.span, "not known");
    let titled = program.faces.iter().find(|faces| faces.title == name).map(|faces| &program.kind(faces.kind).name);
    problems.push(match (titled, known.is_empty()) {
        (Some(named), _) => problem.help(format!("write `{named}`")),
        (None, true) => problem.help("the dice of this game have no faces of their own: write the `size`"),
        (None, false) => problem.suggest(name, known),
    });
    None
}

/// Reads a die that shows 1 to its size.
pub fn read_plain_die(node: &Node, what: &str, program: &Program, problems: &mut Vec<Problem>) -> Option<PrintedPiece> {
    let size = read_die_size(node, what, program, problems)?;
    program.die.map(|kind| PrintedPiece { kind, size, print: None, marks: 0 })
}

/// Reads one of the sizes that the rules declare.
fn read_die_size(node: &Node, what: &str, program: &Program, problems: &mut Vec<Problem>) -> Option<i32> {
    let size = match &node.value {
        Yaml::Number(size) => *size,
        Yaml::Text(text) => match text.strip_prefix(['d', 'D']).and_then(|digits| digits.parse::<i64>().ok()) {
            Some(size) => {
                let problem = Problem::error(codes::YAML_TYPE, format!("{what} must list the sizes of dice as numbers"))
                    .with_label(node.span, format!("this is the text `{text}`"));
                problems.push(problem.help(format!("write `{size}`")));
                return None;
            }
            None if !program.faces.is_empty() => {
                let named = |faces: &Faces| (faces.title == *text).then(|| program.kind(faces.kind).name.as_str());
                let known: Vec<&str> = program.faces.iter().map(|faces| program.kind(faces.kind).name.as_str()).collect();
                let problem = Problem::error(codes::DIE_SIZE, format!("there is no die called `{text}`"))
                    .with_label(node.span, "neither a size nor the name of a die");
                problems.push(match program.faces.iter().find_map(named) {
                    _ if known.contains(&text.as_str()) => named_die_problem(text, node.span),
                    Some(name) => problem.help(format!("write `{name}`")),
                    None => problem.suggest(text, known),
                });
                return None;
            }
            None => node.as_number(problems, &format!("a die of {what}"), 1..=i64::from(i32::MAX))?,
        },
        _ => node.as_number(problems, &format!("a die of {what}"), 1..=i64::from(i32::MAX))?,
    };
    let known = i32::try_from(size).ok().filter(|size| program.die_sizes.contains(size));
    if known.is_none() {
        problems.push(unknown_size_problem(size, node.span, program));
    }
    known
}

/// The error for a named die where a size is required.
fn named_die_problem(name: &str, span: Span) -> Problem {
    Problem::error(codes::YAML_TYPE, format!("`{name}` is not a size"))
        .with_label(span, "a die with faces of its own")
        .help(format!("write `die: {name}`"))
}

/// The error for a size that no die of the game has.
fn unknown_size_problem(size: i64, span: Span, program: &Program) -> Problem {
    let sizes: Vec<String> = program.die_sizes.iter().map(i32::to_string).collect();
    let others: Vec<String> = program.faces.iter().map(|faces| format!("`{}`", program.kind(faces.kind).name)).collect();
    let problem = Problem::error(codes::DIE_SIZE, format!("there is no d{size}")).with_label(span, "no die has this size");
    match (sizes.as_slice(), others.as_slice()) {
        ([], []) => problem.help("the game has no dice"),
        (sizes, []) => problem.help(format!("sizes are {}", join_words(sizes, "and"))),
        ([], others) => problem.help(format!("dice are called {}", join_words(others, "and"))),
        (sizes, others) => {
            problem.help(format!("sizes are {}; others are called {}", join_words(sizes, "and"), join_words(others, "and")))
        }
    }
}
