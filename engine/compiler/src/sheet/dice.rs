//! Reads dice in files: by size, or by the name of a die with its own faces.

use ludex_program::{Faces, MarkInfo, PrintedPiece, Program};
use ludex_syntax::codes;
use ludex_syntax::problem::{Problem, joined};
use ludex_syntax::source::Span;
use ludex_syntax::yaml::{Node, Value as Yaml};

/// Reads a die of a sheet: `8`, `percentile`, or with marks `{size: 8, marks: [loaded]}`.
pub fn listed_die(node: &Node, what: &str, program: &Program, problems: &mut Vec<Problem>) -> Option<PrintedPiece> {
    if !matches!(node.value, Yaml::Map(_)) {
        return die(node, what, program, problems);
    }
    let mut map = node.as_map(problems, "a die")?;
    let kind = map.optional("die").map(|node| die_with_faces(node, program, problems));
    let size = if kind.is_some() { None } else { map.required("size").map(|node| plain_die(node, what, program, problems)) };
    let marks = map.optional("marks").map_or(0, |node| printed_marks(node, program, problems));
    map.finish(problems);
    kind.or(size).flatten().map(|piece| PrintedPiece { marks, ..piece })
}

/// The marks that a sheet gives to a die.
fn printed_marks(node: &Node, program: &Program, problems: &mut Vec<Problem>) -> u32 {
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
                problems.push(problem.at(node.span, "set only during play").about(name).help(help));
            }
            None => {
                let problem = Problem::error(codes::UNKNOWN_MARK, format!("there is no mark `{name}`"))
                    .at(node.span, "not known")
                    .about(name);
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
pub fn die(node: &Node, what: &str, program: &Program, problems: &mut Vec<Problem>) -> Option<PrintedPiece> {
    match &node.value {
        Yaml::Text(name) if program.die_named(name).is_some() => die_with_faces(node, program, problems),
        _ => plain_die(node, what, program, problems),
    }
}

/// Reads a die with its own faces, by its name in the rules.
pub fn die_with_faces(node: &Node, program: &Program, problems: &mut Vec<Problem>) -> Option<PrintedPiece> {
    if let Yaml::Number(size) = node.value {
        let problem =
            Problem::error(codes::YAML_TYPE, "`die` must name a die with faces of its own").at(node.span, "this is a number");
        problems.push(problem.help(format!("write `size: {size}` for a die that shows 1 to {size}")));
        return None;
    }
    let name = node.as_text(problems, "`die`")?;
    if let Some(faces) = program.die_named(name) {
        return Some(PrintedPiece { kind: faces.kind, size: faces.values.len() as i32, print: None, marks: 0 });
    }
    let known: Vec<&str> = program.faces.iter().map(|faces| program.kind(faces.kind).name.as_str()).collect();
    let problem = Problem::error(codes::DIE_SIZE, format!("there is no die called `{name}`")).at(node.span, "not known");
    let titled = program.faces.iter().find(|faces| faces.title == name).map(|faces| &program.kind(faces.kind).name);
    problems.push(match (titled, known.is_empty()) {
        (Some(named), _) => problem.help(format!("write `{named}`")),
        (None, true) => problem.help("the dice of this game have no faces of their own: write the `size`"),
        (None, false) => problem.suggest(name, known),
    });
    None
}

/// Reads a die that shows 1 to its size.
pub fn plain_die(node: &Node, what: &str, program: &Program, problems: &mut Vec<Problem>) -> Option<PrintedPiece> {
    let size = die_size(node, what, program, problems)?;
    program.die.map(|kind| PrintedPiece { kind, size, print: None, marks: 0 })
}

fn die_size(node: &Node, what: &str, program: &Program, problems: &mut Vec<Problem>) -> Option<i32> {
    let size = match &node.value {
        Yaml::Number(size) => *size,
        Yaml::Text(text) => match text.strip_prefix(['d', 'D']).and_then(|digits| digits.parse::<i64>().ok()) {
            Some(size) => {
                let problem = Problem::error(codes::YAML_TYPE, format!("{what} must list the sizes of dice as numbers"))
                    .at(node.span, format!("this is the text `{text}`"));
                problems.push(problem.help(format!("write `{size}`")));
                return None;
            }
            None if !program.faces.is_empty() => {
                let named = |faces: &Faces| (faces.title == *text).then(|| program.kind(faces.kind).name.as_str());
                let known: Vec<&str> = program.faces.iter().map(|faces| program.kind(faces.kind).name.as_str()).collect();
                let problem = Problem::error(codes::DIE_SIZE, format!("there is no die called `{text}`"))
                    .at(node.span, "neither a size nor the name of a die");
                problems.push(match program.faces.iter().find_map(named) {
                    _ if known.contains(&text.as_str()) => die_for_size(text, node.span),
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
        problems.push(no_such_die(size, node.span, program));
    }
    known
}

/// The error for a named die where a size is required.
fn die_for_size(name: &str, span: Span) -> Problem {
    Problem::error(codes::YAML_TYPE, format!("`{name}` is not a size"))
        .at(span, "a die with faces of its own")
        .help(format!("write `die: {name}`"))
}

fn no_such_die(size: i64, span: Span, program: &Program) -> Problem {
    let sizes: Vec<String> = program.die_sizes.iter().map(i32::to_string).collect();
    let others: Vec<String> = program.faces.iter().map(|faces| format!("`{}`", program.kind(faces.kind).name)).collect();
    let problem = Problem::error(codes::DIE_SIZE, format!("there is no d{size}")).at(span, "no die has this size");
    match (sizes.as_slice(), others.as_slice()) {
        ([], []) => problem.help("the game has no dice"),
        (sizes, []) => problem.help(format!("sizes are {}", joined(sizes, "and"))),
        ([], others) => problem.help(format!("dice are called {}", joined(others, "and"))),
        (sizes, others) => {
            problem.help(format!("sizes are {}; others are called {}", joined(sizes, "and"), joined(others, "and")))
        }
    }
}
