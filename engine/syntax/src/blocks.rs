//! The statements of declarations, including nested ones. Several checks of the compiler walk through them.

use super::tree::{Block, Clause, ClauseKind, Item, ItemKind, PartKind, Statement, StatementKind};

/// The blocks of statements in a declaration.
pub fn blocks_of(item: &Item) -> Vec<&Block> {
    match &item.kind {
        ItemKind::Procedure(procedure) => vec![&procedure.body],
        ItemKind::Action(action) => clause_blocks(&action.clauses),
        ItemKind::Ability(ability) => ability
            .parts
            .iter()
            .flat_map(|part| match &part.kind {
                PartKind::Trigger { clauses, .. } | PartKind::Offer { clauses, .. } | PartKind::Instead { clauses, .. } => {
                    clause_blocks(clauses)
                }
                PartKind::Grant { action } => clause_blocks(&action.clauses),
                _ => Vec::new(),
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// The blocks after `do`.
fn clause_blocks(clauses: &[Clause]) -> Vec<&Block> {
    let block = |clause| match clause {
        &Clause { kind: ClauseKind::Do(ref block), .. } => Some(block),
        _ => None,
    };
    clauses.iter().filter_map(block).collect()
}

/// Calls `visit` for every statement, including nested ones.
pub fn each_statement<'a>(block: &'a Block, visit: &mut dyn FnMut(&'a Statement)) {
    for statement in &block.statements {
        visit(statement);
        each_inner_block(&statement.kind, &mut |inner| each_statement(inner, visit));
    }
}

/// The blocks directly inside a statement.
pub fn inner_blocks(statement: &StatementKind) -> Vec<&Block> {
    let mut blocks = Vec::new();
    each_inner_block(statement, &mut |block| blocks.push(block));
    blocks
}

/// Calls `visit` for every block directly inside a statement.
fn each_inner_block<'a>(statement: &'a StatementKind, visit: &mut dyn FnMut(&'a Block)) {
    match statement {
        StatementKind::If { arms, otherwise } => arms.iter().map(|(_, block)| block).chain(otherwise).for_each(visit),
        StatementKind::Each { body, .. } | StatementKind::Count { body, .. } => visit(body),
        StatementKind::Repeat { body, otherwise, .. } => [body].into_iter().chain(otherwise).for_each(visit),
        StatementKind::Depending { arms, otherwise, .. } => arms.iter().map(|(_, block)| block).chain(otherwise).for_each(visit),
        StatementKind::Open { after_use, arms, .. } => after_use.iter().chain(arms.iter().map(|arm| &arm.body)).for_each(visit),
        StatementKind::Ask(ask) => ask.otherwise.iter().for_each(visit),
        _ => {}
    }
}
