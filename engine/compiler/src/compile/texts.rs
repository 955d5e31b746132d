//! Compiles texts: words, and holes that show values or choose between texts.

use super::Compiler;
use crate::types::Type;
use ludex_program::{Expr, TextId, TextPart};
use ludex_syntax::tree::{Expr as Written, ExprKind, Text, TextPart as Part};

impl Compiler<'_> {
    pub(super) fn text(&mut self, text: &Text) -> TextId {
        let parts = text
            .parts
            .iter()
            .map(|part| match part {
                Part::Words(words) => TextPart::Words(words.clone()),
                Part::Hole(expr) => self.hole(expr),
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
    fn hole(&mut self, written: &Written) -> TextPart {
        if let Written { kind: ExprKind::If(condition, yes, no), .. } = written
            && (speaks(yes) || speaks(no))
        {
            let condition = self.condition(condition);
            let told = self.told(&condition);
            let yes = self.knowing(told.holds, |compiler| compiler.branch_text(yes));
            let no = self.knowing(told.fails, |compiler| compiler.branch_text(no));
            return TextPart::Choice { condition, yes, no };
        }
        match self.expression(written) {
            // A cell is shown by its position.
            (expr, of @ Type::Zone(kind)) if self.symbols.lie_on_boards(kind) && !matches!(expr, Expr::Zone { .. }) => {
                TextPart::Hole(expr, of.shape())
            }
            (expr, Type::Zone(kind)) => TextPart::Hole(Expr::ZoneList(Box::new(expr)), Type::Entity(kind).list().shape()),
            (expr, of) => TextPart::Hole(expr, of.shape()),
        }
    }

    fn branch_text(&mut self, written: &Written) -> TextId {
        match &written.kind {
            ExprKind::Text(text) => self.text(text),
            _ => self.text(&Text { parts: vec![Part::Hole(written.clone())], span: written.span }),
        }
    }
}

/// Whether an expression is a quoted text, or a choice between some.
fn speaks(written: &Written) -> bool {
    match &written.kind {
        ExprKind::Text(_) => true,
        ExprKind::If(_, yes, no) => speaks(yes) || speaks(no),
        _ => false,
    }
}
