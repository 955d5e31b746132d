//! Declares fields and counters of sides that only some seats may see.

use super::{Sort, Symbols};
use crate::types::Type;
use ludex_program::{KindId, SIDE, Visibility, ZoneInfo};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::tree::{Name, SeenBy};

impl Symbols<'_> {
    /// Sets the visibility of new fields. Other seats must be able to guess a hidden value, so its possible values must be
    /// known.
    /// `seen by all` shows the fields to all seats.
    pub(super) fn hide_fields(
        &mut self,
        kind: KindId,
        names: &[Name],
        seen: Option<&SeenBy>,
        of: &Type,
        problems: &mut Vec<Problem>,
    ) {
        let Some(seen) = seen else { return };
        let by = super::zone_with_words(ZoneInfo::plain_zone("", kind), std::slice::from_ref(&seen.who)).seen;
        if by == Visibility::All {
            let named = |name: &str| names.iter().any(|declared| declared.text == name);
            let fields = &mut self.kinds[usize::from(kind)].fields;
            fields.iter_mut().filter(|field| named(&field.name)).for_each(|field| field.shown = true);
            return;
        }
        if kind != SIDE {
            let problem = Problem::error(codes::FOREIGN_FORM, "only fields and counters of a side can be hidden from others");
            let help = "give it to the side, or keep pieces in a zone that others cannot see: `zone hand: cards, seen by owner`";
            problems.push(problem.with_label(seen.span, "not of a side").help(help));
            return;
        }
        for name in names {
            let fields = &mut self.kinds[usize::from(kind)].fields;
            let Some(place) = self.index.id(Sort::Field(kind), &name.text).map(usize::from) else { continue };
            let (has_range, room) = (fields[place].range.is_some(), usize::from(fields[place].room));
            let held = match of.without_none() {
                Type::List(member) => member,
                of => of,
            };
            match held {
                Type::Flag | Type::Word(_) | Type::Unknown => {}
                Type::Entity(kind) if *kind == SIDE => {}
                Type::Number if has_range => {}
                Type::Number => {
                    let message = format!("`{}` is not seen by all, and may be any number", name.text);
                    let problem = Problem::error(codes::OUT_OF_RANGE, message).with_label(name.span, "has no range");
                    let help = format!("give its range, so that bots can guess it: `{} in 0..20, …`", name.text);
                    problems.push(problem.help(help));
                }
                _ => {
                    let message = "only numbers, words, sides, yes or no, and lists of them can be hidden from others";
                    let problem = Problem::error(codes::WRONG_TYPE, message).with_label(seen.span, "another type");
                    problems
                        .push(problem.help("keep pieces in a zone that others cannot see: `zone hand: cards, seen by owner`"));
                }
            }
            // The members of a list are in the next fields.
            for field in &mut fields[place..=place + room] {
                field.seen = by;
                field.shown = false;
            }
        }
    }
}
