//! Warns of repetitions and statements without effect: a repeated condition, a value compared with itself, a loop that never
//! begins.
//!
//! Expressions are compared by their canonical spelling, which does not depend on spaces and brackets. Called for each mode.

use ludex_syntax::blocks::{blocks_of, each_statement};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::Span;
use ludex_syntax::spelling::{are_alike, canonical_spelling};
use ludex_syntax::tree::{
    BinaryOp, Block, Clause, ClauseKind, Expr, ExprKind, Item, ItemKind, PartKind, Statement, StatementKind,
};
use std::borrow::Cow;
use std::collections::BTreeMap;

const CONDITION: &str = "an earlier condition is the same as this one";

/// Warns of repetitions and statements without effect in declarations.
pub fn check_repetitions(items: &[Cow<Item>], problems: &mut Vec<Problem>) {
    for item in items {
        clause_lists(item).into_iter().for_each(|clauses| report_repetitions(clause_conditions(clauses), CONDITION, problems));
        if let ItemKind::Ability(ability) = &item.kind {
            let uses = ability.parts.iter().filter_map(|part| match &part.kind {
                PartKind::Uses(uses) => Some(uses),
                _ => None,
            });
            let per = uses.flatten().map(|(times, scope)| (scope.text.clone(), times.span.extend_to(scope.span)));
            report_repetitions(per, "the number of uses in this scope was given before", problems);
        }
        blocks_of(item).into_iter().for_each(|block| check_block(block, problems));
    }
}

/// Warns of statements without effect in a block and the blocks in it.
fn check_block(block: &Block, problems: &mut Vec<Problem>) {
    each_statement(block, &mut |statement| match &statement.kind {
        // A single condition cannot repeat another.
        StatementKind::If { arms, .. } if arms.len() > 1 => {
            report_repetitions(
                arms.iter().map(|(condition, _)| (canonical_spelling(condition), condition.span)),
                CONDITION,
                problems,
            );
        }
        StatementKind::Set { place, value, .. } if are_alike(place, value) => {
            let problem = Problem::warning(codes::WITH_ITSELF, "this is set to its own value").with_label(value.span, "the same");
            problems.push(problem.help("write the value that it gets, or remove the statement"));
        }
        _ => problems.extend(empty_loop_problem(statement)),
    });
}

/// Reports each element that is spelled like an earlier one.
fn report_repetitions(spelled: impl IntoIterator<Item = (String, Span)>, message: &str, problems: &mut Vec<Problem>) {
    let mut known: BTreeMap<String, Span> = BTreeMap::new();
    for (spelling, span) in spelled {
        if let Some(before) = known.get(&spelling) {
            let problem = Problem::warning(codes::SAID_BEFORE, message);
            let problem = problem.with_label(span, "the same again").with_label(*before, "here");
            problems.push(problem.help("remove one of the two, or correct the one that should differ"));
        } else {
            known.insert(spelling, span);
        }
    }
}

/// The `when` conditions of clauses, spelled, with their places.
fn clause_conditions(clauses: &[Clause]) -> impl Iterator<Item = (String, Span)> {
    clauses.iter().filter_map(|clause| match &clause.kind {
        ClauseKind::When(condition, _) => Some((canonical_spelling(condition), condition.span)),
        _ => None,
    })
}

/// The lists of clauses of a declaration.
fn clause_lists(item: &Item) -> Vec<&[Clause]> {
    match &item.kind {
        ItemKind::Action(action) => vec![&action.clauses],
        ItemKind::Ability(ability) => ability
            .parts
            .iter()
            .filter_map(|part| match &part.kind {
                PartKind::Trigger { clauses, .. } | PartKind::Offer { clauses, .. } | PartKind::Instead { clauses, .. } => {
                    Some(clauses.as_slice())
                }
                PartKind::Grant { action } => Some(action.clauses.as_slice()),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// The warning for a loop whose bounds allow no rounds.
fn empty_loop_problem(statement: &Statement) -> Option<Problem> {
    let number = |expr: &Expr| if let ExprKind::Number(number) = expr.kind { Some(number) } else { None };
    let never = |span: Span, remark: &str, help: String| {
        let problem = Problem::warning(codes::NEVER_BEGUN, "this loop has no rounds: its statements never run");
        Some(problem.with_label(span, remark).help(help))
    };
    match &statement.kind {
        StatementKind::Repeat { most: Some(most), .. } if number(most)? < 1 => {
            never(most.span, "not once", "write how often it runs, at least 1".to_string())
        }
        StatementKind::Count { from, to, down: false, .. } if number(from)? > number(to)? => {
            let help = format!("to count down, write `from {} down to {}`", number(from)?, number(to)?);
            never(from.span.extend_to(to.span), "upwards from the higher number", help)
        }
        StatementKind::Count { from, to, down: true, .. } if number(from)? < number(to)? => {
            let help = format!("to count up, write `from {} to {}`", number(from)?, number(to)?);
            never(from.span.extend_to(to.span), "downwards from the lower number", help)
        }
        StatementKind::Each { set: Expr { kind: ExprKind::Range(from, to), .. }, .. } if number(from)? > number(to)? => {
            let help = format!("write the lower number first: `({}..{})`", number(to)?, number(from)?);
            never(from.span.extend_to(to.span), "the higher number comes first", help)
        }
        _ => None,
    }
}

/// The warning for a comparison of an expression with itself.
pub fn self_comparison_problem(expr: &Expr) -> Option<Problem> {
    let (left, right, holds) = match &expr.kind {
        ExprKind::Binary(BinaryOp::Equal | BinaryOp::LessEqual | BinaryOp::GreaterEqual, left, right) => (left, right, true),
        ExprKind::Binary(BinaryOp::NotEqual | BinaryOp::Less | BinaryOp::Greater, left, right) => (left, right, false),
        ExprKind::Is { negated, left, right } => (left, right, !negated),
        _ => return None,
    };
    if !are_alike(left, right) {
        return None;
    }
    let message = format!("this is compared with itself, which {} holds", if holds { "always" } else { "never" });
    let problem =
        Problem::warning(codes::WITH_ITSELF, message).with_label(left.span.extend_to(right.span), "the same on both sides");
    Some(problem.help("correct the side that should differ, or remove the comparison"))
}
