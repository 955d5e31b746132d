//! Compiles texts: words, and holes that show values or choose between texts.
//!
//! A text is a sentence for players, kept in the program under an id. A hole is an expression in braces, whose value is shown.

use super::Compiler;
use crate::types::Type;
use ludex_program::{Expr, TextId, TextPart};
use ludex_syntax::tree::{Expr as Written, ExprKind, Text, TextPart as Part};

impl Compiler<'_> {
    /// Adds a text to the program, and returns its id.
    pub(super) fn compile_text(&mut self, text: &Text) -> TextId {
        let parts = text
            .parts
            .iter()
            .map(|part| match part {
                Part::Words(words) => TextPart::Words(words.clone()),
                Part::Hole(expr) => self.compile_hole(expr),
            })
            .collect();
        let id = self.program.texts.len() as TextId;
        if text.parts.iter().any(|part| matches!(part, Part::Hole(_))) {
            self.program.text_spans.insert(id, text.span);
        }
        self.program.texts.push(parts);
        id
    }

    /// Compiles a hole, which shows a value or one of two texts.
    fn compile_hole(&mut self, written: &Written) -> TextPart {
        if let Written { kind: ExprKind::If(condition, yes, no), .. } = written
            && (is_text_or_choice(yes) || is_text_or_choice(no))
        {
            let condition = self.compile_condition(condition);
            let told = self.condition_facts(&condition);
            let yes = self.with_facts(told.holds, |compiler| compiler.compile_branch_text(yes));
            let no = self.with_facts(told.fails, |compiler| compiler.compile_branch_text(no));
            return TextPart::Choice { condition, yes, no };
        }
        match self.compile_expression(written) {
            // A cell is shown by its position.
            (expr, of @ Type::Zone(kind)) if self.symbols.can_be_on_boards(kind) && !matches!(expr, Expr::Zone { .. }) => {
                TextPart::Hole(expr, of.to_shape())
            }
            (expr, Type::Zone(kind)) => TextPart::Hole(Expr::ZoneList(Box::new(expr)), Type::Entity(kind).into_list().to_shape()),
            (expr, of) => TextPart::Hole(expr, of.to_shape()),
        }
    }

    /// Compiles a branch of a choice: a quoted text, or a value as a text with one hole.
    fn compile_branch_text(&mut self, written: &Written) -> TextId {
        match &written.kind {
            ExprKind::Text(text) => self.compile_text(text),
            _ => self.compile_text(&Text { parts: vec![Part::Hole(written.clone())], span: written.span }),
        }
    }
}

/// Whether an expression is a quoted text, or a choice between some.
fn is_text_or_choice(written: &Written) -> bool {
    match &written.kind {
        ExprKind::Text(_) => true,
        ExprKind::If(_, yes, no) => is_text_or_choice(yes) || is_text_or_choice(no),
        _ => false,
    }
}
