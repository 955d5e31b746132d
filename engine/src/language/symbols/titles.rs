//! What players call the pieces that rules make.

use super::super::syntax::{Expr, ExprKind, Item, ItemKind, TextPart};
use super::Symbols;
use crate::codes;
use crate::problem::Problem;
use crate::program::{KindId, Shape, TitlePart};

impl Symbols<'_> {
    /// What players call a piece: words, and what its own fields are.
    pub(super) fn declare_title(&mut self, item: &Item, problems: &mut Vec<Problem>) {
        let ItemKind::Piece { name, shown_as: Some(text), .. } = &item.kind else { return };
        let Some(kind) = self.kinds.iter().position(|kind| kind.name == name.text) else { return };
        if name.text == "die" {
            let problem = Problem::error(codes::WRONG_TYPE, "a die is shown by its size and by what it shows");
            problems.push(problem.at(text.span, "not for dice").help("leave this out"));
            return;
        }
        for part in &text.parts {
            let part = match part {
                TextPart::Words(words) => TitlePart::Words(words.clone()),
                TextPart::Hole(hole) => match self.field_in_title(kind as KindId, hole, &name.text) {
                    Ok(field) => TitlePart::Field(field),
                    Err(problem) => {
                        problems.push(*problem);
                        continue;
                    }
                },
            };
            self.kinds[kind].title.push(part);
        }
    }

    fn field_in_title(&self, kind: KindId, hole: &Expr, piece: &str) -> Result<u16, Box<Problem>> {
        let fields = &self.kinds[usize::from(kind)].fields;
        let names = || fields.iter().map(|field| field.name.as_str());
        let problem = match &hole.kind {
            ExprKind::Name(name) => match fields.iter().position(|field| field.name == *name) {
                Some(field) if matches!(fields[field].shape, Shape::List(_) | Shape::Move(_)) => {
                    Problem::error(codes::WRONG_TYPE, format!("`{name}` is several things, which are not shown in a name"))
                        .at(hole.span, "not here")
                }
                Some(field) => return Ok(field as u16),
                None => {
                    let message = format!("a {piece} has no field called `{name}`");
                    Problem::error(codes::UNKNOWN_FIELD, message).at(hole.span, "not known").suggest(name, names())
                }
            },
            _ => Problem::error(codes::WRONG_TYPE, format!("what a {piece} is shown as is made of words and of its own fields"))
                .at(hole.span, "no field of it")
                .help("keep what is to be shown in a field or counter, and write the name of that in the braces"),
        };
        Err(Box::new(problem))
    }
}
