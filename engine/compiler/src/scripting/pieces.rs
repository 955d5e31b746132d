//! The pieces of a script: the names, numbers, comparisons, calls and jumps in it, with their places, see [`Pieces`].
//! `ludex test --mutants` uses them to find places for one small change.

use super::read::ReadScript;
use super::text::Part;
use ludex_syntax::parse::pieces::{Piece, PieceKind, Pieces, header_pieces};
use ludex_syntax::source::SourceId;
use rhai::{ASTNode, Expr, FnCallExpr, Stmt};
use std::ops::Range;

/// API functions that change a field or mark, as statements of rules do.
const CHANGING: [&str; 4] = ["set", "add", "mark", "unmark"];

/// The pieces of a script's header and functions.
pub fn of_script(text: &str) -> Pieces {
    let mut pieces = header_pieces(text);
    let script = ReadScript::new(SourceId(0), text);
    let code = (pieces.rules_end..text.len()).map(|at| if script.text.sign(at) == b';' { b' ' } else { script.text.sign(at) });
    pieces.code.truncate(pieces.rules_end);
    pieces.code.extend(code);
    for function in &script.functions {
        let part = script.text.part(function.start);
        let bodies = std::iter::once(&function.body).chain(function.closures.iter().map(|closure| &closure.body));
        for statement in bodies.flatten() {
            statement.walk(&mut Vec::new(), &mut |path: &[ASTNode]| {
                path.last().into_iter().for_each(|node| note(part, node, &mut pieces.list));
                true
            });
        }
    }
    pieces.list.sort_by_key(|piece| piece.at.start);
    pieces
}

/// Adds the piece of a node of the syntax tree, if it is one.
fn note(text: Part, node: &ASTNode, list: &mut Vec<Piece>) {
    let at = text.word(node.position());
    let at = at.start as usize..at.end as usize;
    if text.is_inside(at.start) {
        return;
    }
    let mut push = |kind| list.push(Piece { kind, at: at.clone() });
    match node {
        ASTNode::Expr(Expr::IntegerConstant(..)) => {
            // The sign of a negative number is part of it here.
            let digits = if text.sign(at.start) == b'-' { text.skip_blanks(at.start + 1) } else { at.start };
            list.push(Piece { kind: PieceKind::Number, at: digits..text.word_end(digits) });
        }
        ASTNode::Expr(Expr::Variable(..)) => push(PieceKind::Name),
        ASTNode::Expr(Expr::Property(..) | Expr::MethodCall(..)) => push(PieceKind::Member),
        ASTNode::Expr(Expr::StringConstant(words, _)) => {
            list.push(Piece { kind: PieceKind::Mentioned, at: at.start + 1..at.start + 1 + words.len() });
        }
        ASTNode::Expr(Expr::FnCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _)) => match call.name.as_str() {
            "<" | "<=" | ">" | ">=" => push(PieceKind::Bound),
            name if name.starts_with(|sign: char| sign.is_ascii_alphabetic()) => list.push(called(text, call, at)),
            _ => {}
        },
        ASTNode::Stmt(Stmt::Var(..) | Stmt::Assignment(..) | Stmt::Return(..) | Stmt::BreakLoop(..)) => push(PieceKind::Far),
        _ => {}
    }
}

/// The piece for a call: the name of the field or mark that it changes, or the call itself.
fn called(text: Part, call: &FnCallExpr, at: Range<usize>) -> Piece {
    match call.args.get(1) {
        _ if !CHANGING.contains(&call.name.as_str()) => Piece { kind: PieceKind::Run, at },
        Some(Expr::StringConstant(words, position)) => {
            let start = text.byte(*position) + 1;
            Piece { kind: PieceKind::Changed, at: start..start + words.len() }
        }
        _ => Piece { kind: PieceKind::Far, at },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_syntax::parse::pieces::rules_pieces;

    fn shown(text: &str, pieces: &Pieces) -> Vec<String> {
        let list = pieces.list.iter().filter(|piece| !matches!(piece.kind, PieceKind::Name | PieceKind::Declared(_)));
        list.map(|piece| format!("{:?} {}", piece.kind, &text[piece.at.clone()])).collect()
    }

    #[test]
    fn rules_are_read_by_their_pieces() {
        let rules = "to hop(frog: frog) {
  add 2 to frog.flies   # more
  if frog.flies >= 3 { mark frog as wet until end of day }
  move frog to top of frog.home.pond
  stop
  open hopped(frog)
}
policy calm for hop { when frog is wet prefer highest 1 }
";
        let expected = [
            "Number 2",
            "Changed flies",
            "Member flies",
            "Member flies",
            "Bound >=",
            "Number 3",
            "Changed wet",
            "Mentioned day",
            "Moved frog",
            "Member home",
            "Changed pond",
            "Member pond",
            "Stop stop",
            "Far open hopped(frog)",
            "Guard frog is wet",
            "Number 1",
        ];
        assert_eq!(shown(rules, &rules_pieces(rules)), expected);
    }

    #[test]
    fn scripts_are_read_as_rules_are() {
        let script = "//! ability dive \"Dive\"
//! trigger dive at hopped(active)
//!   when active is me
fn dive(me) {
    if me.flies < -2 { add(me, \"flies\", 1); }   // more
    let x = 0;
}
";
        let expected = [
            "Guard active is me",
            "Member flies",
            "Bound <",
            "Number 2",
            "Changed flies",
            "Mentioned flies",
            "Number 1",
            "Far let",
            "Number 0",
        ];
        let pieces = of_script(script);
        assert_eq!(shown(script, &pieces), expected);
        let comment = script.find("// more").unwrap();
        assert!(pieces.rules_end < comment && pieces.code[comment..comment + 7].iter().all(|byte| *byte == b' '));
    }
}
