//! Declares fields that are lists: a cell for the length, and a cell for each member up to the capacity.

use super::{Sort, Symbols};
use crate::types::Type;
use ludex_program::{FieldInfo, KindId, NONE, Value, Visibility};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::Span;
use ludex_syntax::tree::{Expr, Name, Room, SeenBy};

/// Maximum capacity of a field.
const MOST_MEMBERS: i64 = 100;
/// Maximum number of cells for the lists of one kind.
const MOST_CELLS: usize = 10_000;

/// List fields as written: `bids, claims: list of number in 1..6, at most 5, shown`.
pub(super) struct ListFields<'a, 's> {
    pub names: &'a [Name],
    pub of: &'s Type,
    pub of_span: Span,
    pub range: Option<(Value, Value)>,
    pub room: Option<Room>,
    pub default: Option<&'a Expr>,
    pub shown: bool,
    pub seen: Option<&'a SeenBy>,
    /// It is printed on a sheet.
    pub on_sheet: bool,
}

impl<'a> Symbols<'a> {
    /// Declares fields that are lists. A list is always empty at first.
    pub(super) fn declare_lists(&mut self, kind: KindId, written: &ListFields<'a, '_>, problems: &mut Vec<Problem>) {
        let told = problems.len();
        let room = self.list_capacity(kind, written, problems);
        if let Some(default) = written.default {
            let problem =
                Problem::error(codes::FOREIGN_FORM, "a list in a field is empty at first").with_label(default.span, "ignored");
            problems.push(problem.help("leave this out, and `set` the list in play"));
        }
        // After an error, the type is unknown, so that uses of the field report nothing further.
        let of = if problems.len() == told { written.of.clone() } else { Type::Unknown };
        for name in written.names {
            if self.claim_member(Sort::Member(kind), name, problems) {
                self.push_list(kind, &name.text, &of, room, written);
            }
        }
        self.hide_fields(kind, written.names, written.seen, &of, problems);
    }

    /// The capacity of a list. Reports what a list in a field cannot be, and returns 0 then.
    fn list_capacity(&mut self, kind: KindId, written: &ListFields<'_, '_>, problems: &mut Vec<Problem>) -> u16 {
        let item = match (written.of, written.room) {
            (Type::Unknown, _) => return 0,
            (Type::List(item), _) => item.as_ref(),
            (_, Some(room)) => {
                let problem =
                    Problem::error(codes::WRONG_TYPE, "only a list can have `at most`").with_label(room.span, "not a list");
                problems.push(problem.help("leave this out, or write `list of …`"));
                return 0;
            }
            (_, None) => {
                let problem =
                    Problem::error(codes::WRONG_TYPE, "a field cannot keep a move").with_label(written.of_span, "a move");
                problems.push(problem.help("keep what the move is about: a word, a side or a piece"));
                return 0;
            }
        };
        if !can_be_list_member(item) {
            let problem = Problem::error(codes::WRONG_TYPE, "a list in a field cannot have members of this type");
            let help = "let its members be numbers, words, yes or no, sides, entrants, pieces or places";
            problems.push(problem.with_label(written.of_span, "not possible in a field").help(help));
            return 0;
        }
        let Some(room) = written.room else {
            let name = written.names.first().map_or("picks", |name| name.text.as_str());
            let problem = Problem::error(codes::WRONG_TYPE, format!("the largest size of `{name}` is missing"));
            let help = format!("add it after the type: `{name}: …, at most 5`; keep pieces in a zone");
            problems.push(problem.with_label(written.of_span, "a list").help(help));
            return 0;
        };
        if written.on_sheet {
            let message = "what is printed on a sheet cannot change, so it needs no `at most`";
            let problem = Problem::error(codes::FOREIGN_FORM, message);
            problems.push(problem.with_label(room.span, "on a sheet").help("leave it out, or declare the list in `each … has`"));
            return 0;
        }
        if !(1..=MOST_MEMBERS).contains(&room.most) {
            let problem = Problem::error(codes::OUT_OF_RANGE, format!("a list in a field has room for 1 to {MOST_MEMBERS}"));
            problems.push(problem.with_label(room.span, format!("not {}", room.most)));
            return 0;
        }
        let cells = self.kinds[usize::from(kind)].fields.len() + written.names.len() * (room.most as usize + 1);
        if cells > MOST_CELLS {
            let message = format!("the lists of one kind of things have room for more than {MOST_CELLS} members together");
            problems.push(Problem::error(codes::TOO_MANY, message).with_label(room.span, "too many from here on"));
            return 0;
        }
        room.most as u16
    }

    /// Adds the field of a list, and an unnamed field for each of its members.
    fn push_list(&mut self, kind: KindId, name: &str, of: &Type, room: u16, written: &ListFields<'_, '_>) {
        let list = FieldInfo {
            name: name.to_string(),
            shape: of.to_shape(),
            range: written.range,
            room,
            counter: false,
            shown: written.shown,
            seen: Visibility::All,
            initial: 0,
            printed: false,
            optional: true,
            sheets: Vec::new(),
            text: None,
        };
        let Type::List(item) = of else {
            self.push_field(kind, list, of.clone());
            return;
        };
        let member =
            FieldInfo { name: String::new(), shape: item.to_shape(), range: None, room: 0, initial: NONE, ..list.clone() };
        self.push_field(kind, list, of.clone());
        for _ in 0..room {
            self.push_field(kind, member.clone(), item.as_ref().clone());
        }
    }
}

/// Whether a list field can hold values of this type.
fn can_be_list_member(item: &Type) -> bool {
    match item {
        Type::Number | Type::Halves | Type::Flag | Type::Word(_) | Type::Entity(_) | Type::Zone(_) | Type::Unknown => true,
        Type::Text | Type::List(_) | Type::Move(_) | Type::Moves(_) | Type::Sheet(_) | Type::OrNone(_) | Type::None => false,
    }
}
