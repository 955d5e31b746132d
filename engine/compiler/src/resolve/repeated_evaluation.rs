//! Warns of definitions that are evaluated again in each round of a loop that changes what they read.
//!
//! An example is `each card in hand { if card is best_card { move card to … } }`, where `best_card` is defined as the best card of
//! the hand: each move changes which card that is. A pick is an expression that picks one of several things.

use ludex_syntax::blocks::{blocks_of, each_statement};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::spelling::canonical_spelling;
use ludex_syntax::tree::{BinaryOp, Block, Define, Expr, ExprKind, Item, ItemKind, MemberKind, Name, StatementKind};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

type Defines<'a> = BTreeMap<&'a str, &'a Define>;

/// Warns of loops that compare their member with the first or best of a list in which they change something: it may differ in
/// the next round.
pub fn check_loop_changes(items: &[Cow<Item>], problems: &mut Vec<Problem>) {
    let defines: Defines = items
        .iter()
        .filter_map(|item| match &item.kind {
            ItemKind::Define(define) => Some((define.name.text.as_str(), define)),
            _ => None,
        })
        .collect();
    let places: BTreeSet<&str> = items.iter().flat_map(|item| place_names(item)).collect();
    for block in items.iter().flat_map(|item| blocks_of(item)) {
        each_statement(block, &mut |statement| {
            if let StatementKind::Each { name, set, body } = &statement.kind {
                let from =
                    words_with_definitions(set, &defines).into_iter().filter(|word| places.contains(word.as_str())).collect();
                let round = Round { member: &name.text, from, defines: &defines };
                round.check_body(body, problems);
            }
        });
    }
}

/// One round of a loop.
struct Round<'a> {
    member: &'a str,
    /// The zones and kinds that it iterates over.
    from: BTreeSet<String>,
    defines: &'a Defines<'a>,
}

impl Round<'_> {
    /// Checks the `if` statements of a round.
    fn check_body(&self, body: &Block, problems: &mut Vec<Problem>) {
        for statement in &body.statements {
            let StatementKind::If { arms, .. } = &statement.kind else { continue };
            for (condition, block) in arms.iter().filter(|(_, block)| !is_last_round(block)) {
                for (name, expr) in self.find_picks(condition) {
                    if let Some(change) = self.find_change(block, &words_with_definitions(expr, self.defines)) {
                        problems.push(loop_change_problem(name, self.member, change));
                    }
                }
            }
        }
    }

    /// The definitions in a condition that pick a thing out of several, to be compared with the member: each as it is used, with
    /// the expression that picks.
    fn find_picks<'e>(&self, condition: &'e Expr) -> Vec<(&'e Expr, &Expr)> {
        match &condition.kind {
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                let mut picks = self.find_picks(left);
                picks.extend(self.find_picks(right));
                picks
            }
            ExprKind::Not(inner) => self.find_picks(inner),
            ExprKind::Binary(_, left, right) | ExprKind::Is { left, right, .. } | ExprKind::In { item: left, set: right, .. } => {
                let pairs = [(left, right), (right, left)];
                let picked = pairs.into_iter().filter(|(member, _)| mentions_name(member, self.member));
                picked.filter_map(|(_, other)| Some((other.as_ref(), self.picking_expression(other)?))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The picking expression of a definition that does not depend on the member.
    fn picking_expression(&self, expr: &Expr) -> Option<&Expr> {
        let name = definition_name(expr)?;
        if mentions_name(expr, self.member) {
            return None;
        }
        let mut value = &self.defines.get(name)?.value;
        // Recursive definitions are reported elsewhere.
        for _ in 0..self.defines.len() {
            match &value.kind {
                ExprKind::Of(word, _) if ["highest", "lowest", "first", "last"].contains(&word.as_str()) => return Some(value),
                ExprKind::Best { .. } | ExprKind::Nth(..) => return Some(value),
                ExprKind::Member(of, _) => value = of,
                _ => value = &self.defines.get(definition_name(value)?)?.value,
            }
        }
        None
    }

    /// A statement that moves, removes or sets the member, and thereby affects what is read. `reads` are the words of the picking
    /// expression.
    fn find_change<'b>(&self, block: &'b Block, reads: &BTreeSet<String>) -> Option<&'b Expr> {
        let is_member = |expr: &Expr| matches!(&expr.kind, ExprKind::Name(name) if name == self.member);
        block.statements.iter().find_map(|statement| match &statement.kind {
            StatementKind::Move { what, .. } | StatementKind::Remove { what } if is_member(what) => {
                self.from.iter().any(|word| reads.contains(word)).then_some(what)
            }
            StatementKind::Set { place, .. } | StatementKind::Add { place, .. } => match &place.kind {
                ExprKind::Member(of, Name { text, .. }) => (is_member(of) && reads.contains(text)).then_some(place),
                _ => None,
            },
            _ => None,
        })
    }
}

/// The warning for a definition whose value a loop changes.
fn loop_change_problem(define: &Expr, member: &str, change: &Expr) -> Problem {
    let name = definition_name(define).unwrap_or_default();
    let message = format!("`{name}` is computed again for each `{member}`, and this loop changes what it reads");
    let problem = Problem::warning(codes::WORKED_OUT_ANEW, message).with_label(define.span, "may differ in the next round");
    let help = format!("name it before the loop, `let … = {name}{}`, and compare with that", argument_suffix(define));
    problem.with_label(change.span, "changed here").help(help)
}

fn argument_suffix(define: &Expr) -> &'static str {
    if matches!(define.kind, ExprKind::Call(..)) { "(…)" } else { "" }
}

/// The name of a definition, with or without arguments.
fn definition_name(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Name(name) | ExprKind::Call(Name { text: name, .. }, _) => Some(name),
        _ => None,
    }
}

/// Whether a block always ends the loop.
fn is_last_round(block: &Block) -> bool {
    block.statements.last().is_some_and(|last| {
        matches!(
            last.kind,
            StatementKind::Leave | StatementKind::Stop { .. } | StatementKind::Give { .. } | StatementKind::Finish { .. }
        )
    })
}

/// Whether a name is a word of an expression.
fn mentions_name(expr: &Expr, name: &str) -> bool {
    expression_words(expr).contains(name)
}

/// All words of an expression, as written.
fn expression_words(expr: &Expr) -> BTreeSet<String> {
    let spelling = canonical_spelling(expr);
    spelling.split(|sign: char| !sign.is_alphanumeric() && sign != '_').map(str::to_string).collect()
}

/// The names of the zones, and of all things of a kind, that a declaration adds.
fn place_names(item: &Item) -> Vec<&str> {
    let (plural, members) = match &item.kind {
        ItemKind::Piece { plural, members, .. } | ItemKind::Sheet { plural, members, .. } => (plural.as_ref(), members),
        ItemKind::Has { members, .. } => (None, members),
        _ => return Vec::new(),
    };
    let zones = members.iter().flat_map(|member| match &member.kind {
        MemberKind::Zone { names, .. } => names.as_slice(),
        _ => &[],
    });
    zones.map(|name| name.text.as_str()).chain(plural.map(|name| name.text.as_str())).collect()
}

/// The words of an expression and of the definitions it uses.
fn words_with_definitions(expr: &Expr, defines: &Defines) -> BTreeSet<String> {
    let (mut found, mut new) = (BTreeSet::new(), expression_words(expr));
    while !new.is_empty() {
        let inside = new.iter().filter_map(|word| defines.get(word.as_str())).flat_map(|define| expression_words(&define.value));
        let inside: BTreeSet<String> = inside.collect();
        found.append(&mut new);
        new = inside.difference(&found).cloned().collect();
    }
    found
}
