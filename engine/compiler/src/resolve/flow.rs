//! Warns of unreachable statements.

use ludex_syntax::blocks::{blocks_of, each_statement, inner_blocks};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::tree::{Block, Item, Statement, StatementKind};
use std::borrow::Cow;

/// Warns of statements after one that always ends its block.
pub fn check_reachability(items: &[Cow<Item>], problems: &mut Vec<Problem>) {
    for block in items.iter().flat_map(|item| blocks_of(item)) {
        report_unreachable(block, problems);
        each_statement(block, &mut |statement| {
            for inner in inner_blocks(&statement.kind) {
                report_unreachable(inner, problems);
            }
        });
    }
}

/// Warns of the first statement of a block that is never reached.
fn report_unreachable(block: &Block, problems: &mut Vec<Problem>) {
    for pair in block.statements.windows(2) {
        if let [last, next] = pair
            && always_ends(last)
        {
            let problem = Problem::warning(codes::UNREACHABLE, "this can never happen").with_label(next.span, "never reached");
            problems.push(
                problem.with_label(last.span, "always ends here").help("remove one of the two, or put the first into an `if`"),
            );
            return;
        }
    }
}

/// Whether the statements after this one are unreachable.
fn always_ends(statement: &Statement) -> bool {
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

/// Whether the code after a block is unreachable.
fn block_ends(block: &Block) -> bool {
    block.statements.iter().any(always_ends)
}
