//! Makes a case smaller as long as it still differs.

use crate::judged_odds::tree::{Case, Node, Sort, node};

/// How often a smaller case is tried.
const TRIES: usize = 1_500;

/// The smallest case that is found for which `differs` holds.
pub fn shrunk(mut case: Case, differs: &dyn Fn(&Case) -> bool) -> Case {
    let mut left = TRIES;
    while let Some(smaller) = smaller(&case, differs, &mut left) {
        case = smaller;
    }
    case
}

fn size(case: &Case) -> usize {
    case.rules().len() + case.expression.as_odds().len()
}

fn smaller(case: &Case, differs: &dyn Fn(&Case) -> bool, left: &mut usize) -> Option<Case> {
    let size_now = size(case);
    let mut tried = |other: Case| {
        if size(&other) >= size_now || *left == 0 {
            return None;
        }
        *left -= 1;
        Some(other).filter(|other| differs(other))
    };
    for place in 0..case.items.len() {
        let mut fewer = case.clone();
        fewer.items.remove(place);
        if let Some(found) = tried(fewer) {
            return Some(found);
        }
    }
    let nodes = case.all();
    for (place, node) in nodes.iter().enumerate() {
        for by in replacements(node) {
            if let Some(found) = tried(case.with(place, &by)) {
                return Some(found);
            }
        }
    }
    None
}

/// What may take the place of a node: something simple, or a part of it of the same sort.
fn replacements(node: &Node) -> Vec<Node> {
    let mut simple = match node.sort {
        Sort::Number => vec![node!(Number, "1"), node!(Number, "0")],
        Sort::Flag => vec![node!(Flag, "yes"), node!(Flag, "no")],
        Sort::List => vec![node!(List, "[1]"), node!(List, "(1..2)")],
        Sort::Word => vec![node!(Word, "red")],
        Sort::Statement => vec![node!(Statement)],
        Sort::Maybe | Sort::Halves | Sort::Item | Sort::Part => Vec::new(),
    };
    if !matches!(node.sort, Sort::Item | Sort::Part) {
        simple.extend(node.all().into_iter().skip(1).filter(|part| part.sort == node.sort).cloned());
    }
    simple
}
