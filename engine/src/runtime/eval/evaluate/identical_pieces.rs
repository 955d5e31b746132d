//! Identical pieces: it makes no difference which of them is taken.
//!
//! Identical pieces are one *sort*. Lists of sorts, and roles that take sorts, have only the first of each.

use crate::runtime::context::Context;
use crate::runtime::eval::Eval;
use crate::runtime::state::{EntityId, MarkInstance, NOWHERE, State};
use ludex_program::{Program, Value};

impl Eval {
    /// Keeps the first of each sort in a list, and leaves out identical pieces or repeated values.
    #[inline(never)]
    pub(super) fn first_of_each_sort(&mut self, context: &Context, list: Value, pieces: bool) -> Value {
        let length = self.state.list_values(list).len();
        if !self.spend_on_pairs(length, length) {
            return list;
        }
        let at = self.begin_list();
        for index in 0..length {
            let member = self.state.list_member(list, index);
            let same = |earlier: &Value| match pieces {
                true => self.state.are_alike(context.program, *earlier, member),
                false => *earlier == member,
            };
            if !self.state.lists[at..].iter().any(same) {
                self.state.lists.push(member);
            }
        }
        self.end_list(at)
    }

    /// Whether a piece is the first of its sort in a list. [`Eval::first_of_each_sort`] would keep it.
    pub(super) fn is_first_of_its_sort(&mut self, context: &Context, piece: Value, list: Value) -> bool {
        if !self.spend_on(self.state.list_values(list).len()) {
            return false;
        }
        let first = self.state.list_values(list).iter().find(|member| self.state.are_alike(context.program, **member, piece));
        first == Some(&piece)
    }
}

impl State {
    /// Whether two pieces are in one zone, are printed on one sheet, agree in every field, counter and mark, and hold nothing.
    /// References from other things are ignored.
    pub fn are_alike(&self, program: &Program, one: Value, other: Value) -> bool {
        if one == other {
            return true;
        }
        let board = &self.board;
        let (Some(a), Some(b)) = (board.entity(one), board.entity(other)) else { return false };
        if (a.kind, a.place, a.marks) != (b.kind, b.place, b.marks) || a.place == NOWHERE {
            return false;
        }
        let kind = program.kind(a.kind);
        let cells = |from: u32| board.cells.get(from as usize..from as usize + kind.fields.len());
        let zones = |from: u16| usize::from(from)..usize::from(from) + kind.zones.len();
        let hold_nothing = [a.zones, b.zones].into_iter().flat_map(zones).all(|zone| board.zones.count_pieces(zone) == 0);
        cells(a.cells) == cells(b.cells)
            && hold_nothing
            && (a.marks == 0 || self.fields_of_marks(one).eq(self.fields_of_marks(other)))
    }

    /// The marks of a thing that have fields, with these fields.
    fn fields_of_marks(&self, thing: Value) -> impl Iterator<Item = (u16, &[Value])> {
        let of_thing = move |bearing: &&MarkInstance| bearing.entity == thing as EntityId;
        self.bearing.iter().filter(of_thing).map(|bearing| (bearing.mark, bearing.fields.as_slice()))
    }
}
