//! Restrictions: what abilities and marks forbid and demand of the moves of a family.
//! They are the `forbid` and `demand` lines of abilities and marks. Legal moves are those that no restriction in force removes.
//! `place` is the index of a group of moves in the question.

use crate::runtime::context::Context;
use crate::runtime::eval::Eval;
use crate::runtime::eval::narrowing::Narrowing;
use crate::runtime::eval::question::{Group, Question};
use crate::runtime::eval::reading::GroupMoves;
use crate::runtime::eval::search::Chosen;
use crate::runtime::limits::{FEW_MOVES, MOST_LOOKED_AT, MOST_NUMBERED, WORK_OF_MOVE};
use crate::runtime::state::{EntityId, Values};
use ludex_program::{Expr, FamilyId, KindSort, MOST_ROLES, NONE, SIDE, Shape, Value};
use ludex_syntax::codes;
use ludex_syntax::problem::{Problem, cites_text};
use ludex_syntax::source::Span;

/// Help for conditions on more moves than are tested one by one.
pub(super) const TESTED_ONE_BY_ONE: &str = "up to 100,000 moves are tested one by one; only conditions such as `it is ACTION`, \
    `it.FIELD is x` and `x in it.FIELD`, joined by `and`, need no such tests";

/// A restriction in force, with its owner's values: `me`, `holder` and others.
pub struct Restriction {
    /// Index among the restrictions of the program.
    index: u16,
    /// Its ability in play; `None` if it belongs to a mark.
    instance: Option<u16>,
    /// The holder of the ability, or the bearer of the mark.
    pub holder: EntityId,
    owner: Values,
}

impl Eval {
    /// Whether anything could forbid moves of a family.
    #[inline]
    pub fn may_be_restricted(&self, context: &Context, family: FamilyId) -> bool {
        !context.roster.restrictions[family as usize].is_empty() || self.is_restricted_by_marks(context, family)
    }

    /// Whether a mark could forbid moves of a family.
    #[inline]
    pub fn is_restricted_by_marks(&self, context: &Context, family: FamilyId) -> bool {
        !self.state.bearing.is_empty() && self.have_marks_restrictions(context, family)
    }

    fn have_marks_restrictions(&self, context: &Context, family: FamilyId) -> bool {
        let of_mark = |mark: u16| &context.program.marks[mark as usize].restrictions;
        let speaks =
            |restriction: &u16| context.program.is_family(family, context.program.restrictions[*restriction as usize].family);
        self.state.bearing.iter().any(|bearing| of_mark(bearing.mark).iter().any(speaks))
    }

    /// The restrictions on moves of a family by a side.
    pub fn restrictions_on(&mut self, context: &Context, family: FamilyId, side: Value) -> Vec<Restriction> {
        let mut restrictions: Vec<Restriction> = Vec::new();
        for (instance, index) in &context.roster.restrictions[family as usize] {
            if self.ability_works(context, *instance) {
                let owner = self.owner_values(context, *instance).collect();
                let holder = context.roster.instances[usize::from(*instance)].holder;
                restrictions.push(Restriction { index: *index, instance: Some(*instance), holder, owner });
            }
        }
        self.meter.add_work(self.state.bearing.len() as u64);
        for bearing in &self.state.bearing {
            // A mark on a side or an entrant restricts only that side's moves.
            let kind = self.state.board.entities[usize::from(bearing.entity)].kind;
            let own = matches!(context.program.kind(kind).sort, KindSort::Side | KindSort::Entrant);
            if own && self.state.board.side_of(context.program, Value::from(bearing.entity)) != side {
                continue;
            }
            let of_mark = context.program.marks[bearing.mark as usize].restrictions.iter().copied();
            let speaks =
                |restriction: &u16| context.program.is_family(family, context.program.restrictions[*restriction as usize].family);
            restrictions.extend(of_mark.filter(speaks).map(|index| Restriction {
                index,
                instance: None,
                holder: bearing.entity,
                owner: self.mark_values(context, bearing),
            }));
        }
        restrictions
    }

    /// Whether a seat may know the abilities and marks of an entity. It must see a piece for that.
    pub fn is_known_holder(&self, context: &Context, seat: usize, holder: EntityId) -> bool {
        holder < context.roster.first_piece || self.can_see(context, seat, Value::from(holder))
    }

    /// The side that makes the moves of a family with some bound values: that of the first parameter, or else the side that is
    /// asked. `asked` is that side.
    pub fn moving_side(&self, context: &Context, family: FamilyId, bound: &[Value], asked: usize) -> Value {
        match context.program.families[family as usize].params.first() {
            Some((_, Shape::Entity(SIDE))) => bound.first().copied().unwrap_or(NONE),
            Some((_, Shape::Entity(_))) => self.state.board.side_of(context.program, bound.first().copied().unwrap_or(NONE)),
            _ => asked as Value,
        }
    }

    /// Removes forbidden moves from the last group.
    pub fn filter_moves(&mut self, context: &Context, restrictions: &[Restriction], question: &mut Question) {
        let Some(last) = question.groups().len().checked_sub(1) else { return };
        let restrictions: Vec<&Restriction> = restrictions.iter().collect();
        let left = match question.groups()[last].search.count > FEW_MOVES {
            true => self.remove_forbidden(context, &restrictions, question, last),
            false => restrictions,
        };
        if !left.is_empty() {
            self.test_each_move(context, &left, question, last);
        }
    }

    /// Removes moves that are found to be forbidden without testing each, and returns the restrictions still to test.
    pub fn remove_forbidden<'b>(
        &mut self,
        context: &Context,
        restrictions: &[&'b Restriction],
        question: &mut Question,
        place: usize,
    ) -> Vec<&'b Restriction> {
        let (mut left, mut read) = (Vec::new(), Vec::new());
        for restriction in restrictions {
            match self.read_restriction(context, restriction, question, place) {
                Some(narrowing) => read.push((*restriction, narrowing)),
                None => left.push(*restriction),
            }
        }
        // A watched game counts the moves that each ability forbids.
        if self.watched || !apply_restrictions(&read, question, place) {
            for (restriction, narrowing) in read {
                if !self.apply_restriction(context, restriction, &narrowing, question, place) {
                    left.push(restriction);
                }
            }
        }
        left
    }

    /// The moves of a group that a restriction leaves, if that is known without testing each.
    fn read_restriction(
        &mut self,
        context: &Context,
        restriction: &Restriction,
        question: &Question,
        place: usize,
    ) -> Option<Narrowing> {
        let info = &context.program.restrictions[restriction.index as usize];
        let group = &question.groups()[place];
        let values = restriction.condition_values(context, question, group);
        let mut evaluate = |machine: &mut Eval, part: &Expr, made: Value| {
            let mut values = values.clone();
            values.push(made);
            machine.evaluate_separately(context, part, info.slots, &values)
        };
        let reading = self.read_condition(&GroupMoves { context, question, group, it: info.it }, &info.when, &mut evaluate)?;
        let mut narrowing = Narrowing::default();
        narrowing.add_condition(reading, info.demand);
        Some(narrowing)
    }

    /// Removes the moves that a restriction forbids, and counts these as its effects. False if that needs a test of each move.
    fn apply_restriction(
        &mut self,
        context: &Context,
        restriction: &Restriction,
        narrowing: &Narrowing,
        question: &mut Question,
        place: usize,
    ) -> bool {
        let before = question.groups()[place].search.count;
        let Some(narrowed) = question.narrow_search(place, narrowing) else { return false };
        if let Some(instance) = restriction.instance {
            // If there are more moves than are numbered, at least one is counted.
            let unknown = before == MOST_NUMBERED && !narrowing.is_empty();
            self.count_effects(context, instance, (before - narrowed.count).max(u64::from(unknown)));
        }
        question.replace_search(place, narrowed);
        true
    }

    /// Removes the moves of a group that some restrictions forbid, by testing them one by one.
    pub fn test_each_move(&mut self, context: &Context, restrictions: &[&Restriction], question: &mut Question, place: usize) {
        let count = question.groups()[place].search.count;
        if count > MOST_LOOKED_AT {
            self.too_many_to_filter(context, restrictions, &question.groups()[place]);
            return;
        }
        question.list_moves(place, count);
        let mut kept = Vec::new();
        for index in 0..count {
            if !self.spend_work(WORK_OF_MOVE) {
                return;
            }
            let group = &question.groups()[place];
            if let Some(chosen) = question.move_arguments(group, index)
                && self.is_move_allowed(context, restrictions, question, group, &chosen)
            {
                kept.push(chosen);
            }
        }
        if kept.len() as u64 != count {
            question.keep_moves(place, kept);
        }
    }

    #[cold]
    fn too_many_to_filter(&mut self, context: &Context, restrictions: &[&Restriction], group: &Group) {
        let action = &context.program.actions[group.action as usize].name;
        let message = format!("`{action}` has {} moves, too many to test whether each is allowed", group.search.count);
        let mut spans: Vec<Span> =
            restrictions.iter().map(|restriction| context.program.restrictions[restriction.index as usize].span).collect();
        spans.dedup();
        let problem = Problem::error(codes::TOO_MANY_MOVES, message);
        let problem = spans.into_iter().fold(problem, |problem, span| problem.with_label(span, "tested for each move"));
        self.raise_with(problem.help(TESTED_ONE_BY_ONE));
    }

    /// Whether a move is allowed. If not, an effect of the forbidding ability is counted.
    fn is_move_allowed(
        &mut self,
        context: &Context,
        restrictions: &[&Restriction],
        question: &Question,
        group: &Group,
        chosen: &[Chosen; MOST_ROLES],
    ) -> bool {
        let forbidding = self.forbidding_restriction(context, restrictions, question, group, chosen);
        if let Some(instance) = forbidding.and_then(|restriction| restriction.instance) {
            self.count_effect(context, instance);
        }
        forbidding.is_none()
    }

    /// The first restriction that forbids a move.
    pub fn forbidding_restriction<'b>(
        &mut self,
        context: &Context,
        restrictions: &[&'b Restriction],
        question: &Question,
        group: &Group,
        chosen: &[Chosen; MOST_ROLES],
    ) -> Option<&'b Restriction> {
        let lists = self.state.lists.len();
        let made = self.record_move(context, question, group, chosen);
        let forbidding = restrictions.iter().find(|restriction| {
            let info = &context.program.restrictions[restriction.index as usize];
            let mut values = restriction.condition_values(context, question, group);
            values.push(made);
            let holds = self.evaluate_separately(context, &info.when, info.slots, &values) != 0;
            holds != info.demand
        });
        self.state.lists.truncate(lists);
        forbidding.copied()
    }
}

impl Restriction {
    /// The name of its ability or mark, with the text for players; without such a text, the source of the condition.
    pub fn restriction_text(&self, context: &Context) -> String {
        let info = &context.program.restrictions[self.index as usize];
        let (whose, text) = match (info.ability, info.mark) {
            (Some(ability), _) => {
                let ability = &context.program.abilities[ability as usize];
                (ability.title.clone(), ability.text.as_str())
            }
            (None, Some(mark)) => {
                let mark = &context.program.marks[mark as usize];
                (mark.name.replace('_', " "), mark.text.as_str())
            }
            (None, None) => (String::new(), ""),
        };
        let words: Vec<&str> = match text {
            "" => context.program.sources.span_text(info.span).split_whitespace().collect(),
            text => vec![text],
        };
        format!("`{whose}` does not allow it: {}{}", words.join(" "), cites_text(&info.rules))
    }

    /// The values for its condition, except the move: the family's parameters, `me`, `holder` and settings.
    pub fn condition_values(&self, context: &Context, question: &Question, group: &Group) -> Values {
        let info = &context.program.restrictions[self.index as usize];
        let params = context.program.families[info.family as usize].params.len();
        let mut values = Values::from_slice(question.context_of(group).get(..params).unwrap_or(&[]));
        values.extend(self.owner.iter().copied());
        values
    }
}

/// Removes all moves that several restrictions forbid; false if that cannot be done at once.
fn apply_restrictions(restrictions: &[(&Restriction, Narrowing)], question: &mut Question, place: usize) -> bool {
    let mut all = Narrowing::default();
    restrictions.iter().for_each(|(_, narrowing)| all.add_narrowing(narrowing.clone()));
    let narrowed = question.narrow_search(place, &all);
    narrowed.map(|narrowed| question.replace_search(place, narrowed)).is_some()
}
