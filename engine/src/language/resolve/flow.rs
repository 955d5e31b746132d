//! Statements that can never be reached.

use crate::codes;
use crate::language::syntax::{Block, Clause, ClauseKind, Item, ItemKind, PartKind, Statement, StatementKind};
use crate::problem::Problem;

/// Warnings for what stands behind a statement that always ends its block.
pub fn check(items: &[Item], problems: &mut Vec<Problem>) {
    for block in items.iter().flat_map(blocks_of) {
        unreachable(block, problems);
        each_statement(block, &mut |statement| {
            for inner in inner_blocks(&statement.kind) {
                unreachable(inner, problems);
            }
        });
    }
}

/// The blocks of statements that a declaration holds.
fn blocks_of(item: &Item) -> Vec<&Block> {
    match &item.kind {
        ItemKind::Procedure(procedure) => vec![&procedure.body],
        ItemKind::Action(action) => done_in(&action.clauses),
        ItemKind::Ability(ability) => ability
            .parts
            .iter()
            .flat_map(|part| match &part.kind {
                PartKind::Trigger { clauses, .. } | PartKind::Offer { clauses, .. } | PartKind::Instead { clauses, .. } => {
                    done_in(clauses)
                }
                PartKind::Grant { action } => done_in(&action.clauses),
                _ => Vec::new(),
            })
            .collect(),
        _ => Vec::new(),
    }
}

fn done_in(clauses: &[Clause]) -> Vec<&Block> {
    let block = |clause| match clause {
        &Clause { kind: ClauseKind::Do(ref block), .. } => Some(block),
        _ => None,
    };
    clauses.iter().filter_map(block).collect()
}

fn unreachable(block: &Block, problems: &mut Vec<Problem>) {
    for pair in block.statements.windows(2) {
        if let [last, next] = pair
            && ends(last)
        {
            let problem = Problem::warning(codes::UNREACHABLE, "this can never happen").at(next.span, "never reached");
            problems.push(problem.at(last.span, "always ends here").help("remove one of the two, or put the first into an `if`"));
            return;
        }
    }
}

/// Whether nothing behind a statement is ever carried out.
fn ends(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Stop { .. }
        | StatementKind::Leave
        | StatementKind::Skip
        | StatementKind::Give { .. }
        | StatementKind::Finish { .. } => true,
        StatementKind::If { arms, otherwise: Some(otherwise) } => {
            arms.iter().all(|(_, block)| block_ends(block)) && block_ends(otherwise)
        }
        _ => false,
    }
}

fn block_ends(block: &Block) -> bool {
    block.statements.iter().any(ends)
}

/// Calls `visit` for every statement, those in the braces of others included.
fn each_statement<'a>(block: &'a Block, visit: &mut dyn FnMut(&'a Statement)) {
    for statement in &block.statements {
        visit(statement);
        for inner in inner_blocks(&statement.kind) {
            each_statement(inner, visit);
        }
    }
}

/// The blocks in the braces of a statement.
fn inner_blocks(statement: &StatementKind) -> Vec<&Block> {
    match statement {
        StatementKind::If { arms, otherwise } => arms.iter().map(|(_, block)| block).chain(otherwise).collect(),
        StatementKind::Each { body, .. } | StatementKind::Count { body, .. } => vec![body],
        StatementKind::Repeat { body, otherwise, .. } => [body].into_iter().chain(otherwise).collect(),
        StatementKind::Depending { arms, otherwise, .. } => arms.iter().map(|(_, block)| block).chain(otherwise).collect(),
        StatementKind::Open { after_use, arms, .. } => after_use.iter().chain(arms.iter().map(|arm| &arm.body)).collect(),
        StatementKind::Ask(ask) => ask.otherwise.iter().collect(),
        _ => Vec::new(),
    }
}
