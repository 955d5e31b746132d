//! Every way to make one list of another, one after the other, with every way to read a list at the end: in one expression, and
//! with a name for each list in a procedure that rolls.

use super::tree::{Case, Kind, Node, Piece, Sort, node};

/// What makes a list of a list.
const MAKERS: [&str; 12] = [
    "(# where it >= 2)",
    "(# where it < 3)",
    "(# where (1 in [0, it]))",
    "(# where it is odd)",
    "(sorted #)",
    "(sorted down #)",
    "(highest 2 of #)",
    "(lowest 2 of #)",
    "(# + [2])",
    "([3] + #)",
    "(# without [2])",
    "few(#)",
];

/// What reads one.
const READERS: [(&str, Sort); 13] = [
    ("(first of #)", Sort::Maybe),
    ("(last of #)", Sort::Maybe),
    ("(member 1 of #)", Sort::Maybe),
    ("(member 2 of #)", Sort::Maybe),
    ("(sum of #)", Sort::Number),
    ("(count of #)", Sort::Number),
    ("(highest of #)", Sort::Number),
    ("(lowest of #)", Sort::Number),
    ("(2 in #)", Sort::Flag),
    ("(any of # has it >= 3)", Sort::Flag),
    ("(none of # has (it in [1, 3]))", Sort::Flag),
    ("(sum of highest 2 of #)", Sort::Number),
    ("#", Sort::List),
];

/// How many chains there are with so many makers.
pub fn count(makers: u32) -> usize {
    MAKERS.len().pow(makers) * READERS.len()
}

/// In an expression these take dice as a pool, which stands for its sum.
const OF_POOLS: [&str; 4] = ["(highest 2 of #)", "(lowest 2 of #)", "(# + [2])", "([3] + #)"];

/// One of them, as a procedure, and as an expression if that is of lists alone.
pub fn cases(makers: u32, mut number: usize) -> Vec<Case> {
    let mut texts: Vec<&str> = Vec::new();
    for _ in 0..makers {
        texts.push(MAKERS[number % MAKERS.len()]);
        number /= MAKERS.len();
    }
    let (reader, sort) = READERS[number % READERS.len()];
    texts.push(reader);
    let mut cases = vec![procedure(&texts, sort)];
    if !texts.first().is_some_and(|first| OF_POOLS.contains(first)) {
        cases.push(Case { items: Vec::new(), expression: expression(&texts, sort) });
    }
    cases
}

fn expression(texts: &[&str], sort: Sort) -> Node {
    let pieces = vec![Piece::Node(node!(Part, "3")), Piece::Node(node!(Part, "3"))];
    let dice = Node { sort: Sort::List, kind: Kind::Dice { listed: true }, pieces };
    texts.iter().fold(dice, |list, text| {
        let (before, behind) = text.split_once('#').unwrap_or((text, ""));
        Node { sort, ..node!(List, before, list, behind) }
    })
}

fn procedure(texts: &[&str], sort: Sort) -> Case {
    let of = match sort {
        Sort::Maybe => "number or none",
        Sort::Flag => "flag",
        Sort::List => "list of number",
        _ => "number",
    };
    let mut lines = String::new();
    let mut list = "shown".to_string();
    let (reader, makers) = texts.split_last().unwrap_or((&"#", &[]));
    for (number, maker) in makers.iter().enumerate() {
        lines.push_str(&format!("  let list_{number} = {}\n", maker.replace('#', &list)));
        list = format!("list_{number}");
    }
    let item = format!("to chained: {of} {{\n  roll 3 d3 as shown\n{lines}  give {}\n}}", reader.replace('#', &list));
    let call = Node { sort, kind: Kind::Call("chained".to_string()), pieces: Vec::new() };
    Case { items: vec![node!(Item, item)], expression: call }
}
