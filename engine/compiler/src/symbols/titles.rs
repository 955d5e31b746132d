//! Declares the titles of pieces created by rules, and the texts of counters.
//!
//! A title is made of words and of fields of the thing itself. Players read it in place of the kind's name, or of the counter's
//! name and value.

use super::{Sort, Symbols};
use ludex_program::{KindId, Shape, TitlePart, Visibility};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::tree::{Expr, ExprKind, Item, ItemKind, Member, MemberKind, Name, Text, TextPart};

impl Symbols<'_> {
    /// Declares a piece's title: words and the values of its own fields.
    pub(super) fn declare_title(&mut self, item: &Item, problems: &mut Vec<Problem>) {
        let ItemKind::Piece { name, shown_as: Some(text), .. } = &item.kind else { return };
        let Some(kind) = self.kind_id(&name.text) else { return };
        if name.text == "die" {
            let problem = Problem::error(codes::WRONG_TYPE, "a die is always shown by its size and its value");
            problems.push(problem.with_label(text.span, "not for dice").help("leave this out"));
            return;
        }
        self.kinds[kind].title = self.title_parts(kind as KindId, text, &name.text, problems);
    }

    /// Declares the texts of counters, if the rules have any.
    pub(super) fn declare_counter_texts(&mut self, item: &Item, problems: &mut Vec<Problem>) {
        let (owner, members): (&Name, &[Member]) = match &item.kind {
            ItemKind::Has { owner, members } => (owner, members),
            ItemKind::Piece { name, members, .. } | ItemKind::Sheet { name, members, .. } => (name, members),
            _ => return,
        };
        let kind = self.kind_id(&owner.text);
        let kind = kind.or_else(|| {
            let sheet = self.kind_of_sheet(&owner.text)?.name.clone();
            self.kind_id(&sheet)
        });
        let Some(kind) = kind else { return };
        for member in members {
            let MemberKind::Counter { names, text: Some(text), .. } = &member.kind else { continue };
            let parts = self.title_parts(kind as KindId, text, &owner.text, problems);
            for name in names {
                self.check_secrets(kind, name, &parts, text, problems);
                if let Some((field, _)) = self.find_field(kind as KindId, &name.text) {
                    self.kinds[kind].fields[usize::from(field)].text = Some(parts.clone());
                }
            }
        }
    }

    /// Checks that a text does not reveal a hidden field.
    fn check_secrets(&self, kind: usize, of: &Name, parts: &[TitlePart], text: &Text, problems: &mut Vec<Problem>) {
        let fields = &self.kinds[kind].fields;
        let named = parts.iter().filter_map(|part| match part {
            TitlePart::Field(field) => fields.get(usize::from(*field)),
            TitlePart::Words(_) => None,
        });
        for secret in named.filter(|field| field.seen != Visibility::All && field.name != of.text) {
            let message = format!("`{}` is hidden from some players, but the text of `{}` would show it", secret.name, of.text);
            let problem = Problem::error(codes::WRONG_TYPE, message).with_label(text.span, "shows it");
            problems.push(problem.help(format!("show it in the text of `{}` itself", secret.name)));
        }
    }

    /// The words and fields of a text.
    fn title_parts(&self, kind: KindId, text: &Text, owner: &str, problems: &mut Vec<Problem>) -> Vec<TitlePart> {
        let mut parts = Vec::new();
        for part in &text.parts {
            match part {
                TextPart::Words(words) => parts.push(TitlePart::Words(words.clone())),
                TextPart::Hole(hole) => match self.title_field(kind, hole, owner) {
                    Ok(field) => parts.push(TitlePart::Field(field)),
                    Err(problem) => problems.push(*problem),
                },
            }
        }
        parts
    }

    /// The field that a hole of a title names.
    fn title_field(&self, kind: KindId, hole: &Expr, owner: &str) -> Result<u16, Box<Problem>> {
        let fields = &self.kinds[usize::from(kind)].fields;
        let names = || fields.iter().map(|field| field.name.as_str());
        let thing = if owner == "table" { "the table".to_string() } else { format!("a {owner}") };
        let problem = match &hole.kind {
            ExprKind::Name(name) => match self.id(Sort::Field(kind), name).map(usize::from) {
                Some(field) if matches!(fields[field].shape, Shape::List(_) | Shape::Move(_)) => {
                    Problem::error(codes::WRONG_TYPE, format!("`{name}` is a list or a move, which a text cannot show"))
                        .with_label(hole.span, "not here")
                }
                Some(field) => return Ok(field as u16),
                None => {
                    let message = format!("{thing} has no field called `{name}`");
                    Problem::error(codes::UNKNOWN_FIELD, message).with_label(hole.span, "not known").suggest(name, names())
                }
            },
            _ => Problem::error(codes::WRONG_TYPE, format!("the text for {thing} can only have words and its own fields"))
                .with_label(hole.span, "not a field of it")
                .help("store the value in a field or counter, and write its name in the braces"),
        };
        Err(Box::new(problem))
    }
}
