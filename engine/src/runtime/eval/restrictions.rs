//! What abilities and marks forbid and demand of the moves of a family.

use crate::runtime::context::Context;
use crate::runtime::eval::Eval;
use crate::runtime::eval::narrowing::Narrowing;
use crate::runtime::eval::question::{Group, Question};
use crate::runtime::eval::reading::MovesOf;
use crate::runtime::eval::search::Chosen;
use crate::runtime::limits::{FEW_MOVES, MOST_LOOKED_AT, MOST_NUMBERED, WORK_OF_MOVE};
use crate::runtime::state::{EntityId, Values};
use ludex_program::{Expr, FamilyId, KindSort, MOST_ROLES, NONE, SIDE, Shape, Value};
use ludex_syntax::codes;
use ludex_syntax::problem::{Problem, cited};
use ludex_syntax::source::Span;

/// Something that forbids or demands now: what it is, and `me`, `holder` and what else it knows.
pub struct Restriction {
    index: u16,
    /// The ability in play that it is of, or none: it is a mark's.
    instance: Option<u16>,
    /// Who has that ability, or bears the mark.
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
        !self.state.bearing.is_empty() && self.marks_restrict(context, family)
    }

    fn marks_restrict(&self, context: &Context, family: FamilyId) -> bool {
        let of_mark = |mark: u16| &context.program.marks[mark as usize].restrictions;
        let speaks =
            |restriction: &u16| context.program.is_family(family, context.program.restrictions[*restriction as usize].family);
        self.state.bearing.iter().any(|bearing| of_mark(bearing.mark).iter().any(speaks))
    }

    /// What forbids or demands moves of a family that a side may make.
    pub fn restrictions_on(&mut self, context: &Context, family: FamilyId, side: Value) -> Vec<Restriction> {
        let mut restrictions: Vec<Restriction> = Vec::new();
        for (instance, index) in &context.roster.restrictions[family as usize] {
            if self.works(context, *instance) {
                let owner = self.owner_values(context, *instance).collect();
                let holder = context.roster.instances[usize::from(*instance)].holder;
                restrictions.push(Restriction { index: *index, instance: Some(*instance), holder, owner });
            }
        }
        self.meter.add(self.state.bearing.len() as u64);
        for bearing in &self.state.bearing {
            // What a side or an entrant bears speaks of that side's own moves.
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

    /// Whether a seat may know of what an entity has or bears: of a piece, if it sees it.
    pub fn is_known_holder(&self, context: &Context, seat: usize, holder: EntityId) -> bool {
        holder < context.roster.first_piece || self.can_see(context, seat, Value::from(holder))
    }

    /// Who makes the moves of a family with some bound values: the side that its first parameter is, or the one that is asked.
    pub fn mover(&self, context: &Context, family: FamilyId, bound: &[Value], asked: usize) -> Value {
        match context.program.families[family as usize].params.first() {
            Some((_, Shape::Entity(SIDE))) => bound.first().copied().unwrap_or(NONE),
            Some((_, Shape::Entity(_))) => self.state.board.side_of(context.program, bound.first().copied().unwrap_or(NONE)),
            _ => asked as Value,
        }
    }

    /// Keeps of the last group's moves those that nothing forbids.
    pub fn filter_moves(&mut self, context: &Context, restrictions: &[Restriction], question: &mut Question) {
        let Some(last) = question.groups().len().checked_sub(1) else { return };
        let restrictions: Vec<&Restriction> = restrictions.iter().collect();
        let left = match question.groups()[last].search.count > FEW_MOVES {
            true => self.leave_out(context, &restrictions, question, last),
            false => restrictions,
        };
        if !left.is_empty() {
            self.look_at_each(context, &left, question, last);
        }
    }

    /// Leaves out what is seen to be forbidden without looking at each move; gives the restrictions that are left to look at.
    pub fn leave_out<'b>(
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
        // Those who watch want to know how many moves each ability has forbidden.
        if self.watched || !leave_out_together(&read, question, place) {
            for (restriction, narrowing) in read {
                if !self.leave_out_one(context, restriction, &narrowing, question, place) {
                    left.push(restriction);
                }
            }
        }
        left
    }

    /// What a restriction leaves of a group's moves, if that can be told without looking at each.
    fn read_restriction(
        &mut self,
        context: &Context,
        restriction: &Restriction,
        question: &Question,
        place: usize,
    ) -> Option<Narrowing> {
        let info = &context.program.restrictions[restriction.index as usize];
        let group = &question.groups()[place];
        let values = restriction.values(context, question, group);
        let mut evaluate = |machine: &mut Eval, part: &Expr, made: Value| {
            let mut values = values.clone();
            values.push(made);
            machine.evaluate_apart(context, part, info.slots, &values)
        };
        let reading = self.read_condition(&MovesOf { context, question, group, it: info.it }, &info.when, &mut evaluate)?;
        let mut narrowing = Narrowing::default();
        narrowing.add(reading, info.demand);
        Some(narrowing)
    }

    fn leave_out_one(
        &mut self,
        context: &Context,
        restriction: &Restriction,
        narrowing: &Narrowing,
        question: &mut Question,
        place: usize,
    ) -> bool {
        let before = question.groups()[place].search.count;
        let Some(narrowed) = question.narrowed(place, narrowing) else { return false };
        if let Some(instance) = restriction.instance {
            // Of more moves than are numbered it is at least one.
            let unknown = before == MOST_NUMBERED && !narrowing.is_empty();
            self.note_effects(context, instance, (before - narrowed.count).max(u64::from(unknown)));
        }
        question.seek(place, narrowed);
        true
    }

    /// Keeps of a group's moves those that some restrictions allow, looking at one after the other.
    pub fn look_at_each(&mut self, context: &Context, restrictions: &[&Restriction], question: &mut Question, place: usize) {
        let count = question.groups()[place].search.count;
        if count > MOST_LOOKED_AT {
            self.too_many_to_filter(context, restrictions, &question.groups()[place]);
            return;
        }
        question.list(place, count);
        let mut kept = Vec::new();
        for index in 0..count {
            if !self.spend(WORK_OF_MOVE) {
                return;
            }
            let group = &question.groups()[place];
            if let Some(chosen) = question.chosen(group, index)
                && self.allows(context, restrictions, question, group, &chosen)
            {
                kept.push(chosen);
            }
        }
        if kept.len() as u64 != count {
            question.keep(place, kept);
        }
    }

    #[cold]
    fn too_many_to_filter(&mut self, context: &Context, restrictions: &[&Restriction], group: &Group) {
        let action = &context.program.actions[group.action as usize].name;
        let message = format!("`{action}` has {} moves, too many to ask of each whether it is allowed", group.search.count);
        let mut spans: Vec<Span> =
            restrictions.iter().map(|restriction| context.program.restrictions[restriction.index as usize].span).collect();
        spans.dedup();
        let problem = Problem::error(codes::TOO_MANY_MOVES, message);
        let problem = spans.into_iter().fold(problem, |problem, span| problem.at(span, "asked of each"));
        self.raise_with(problem.help(
            "up to 100,000 are asked one by one; `it is ACTION`, `it.FIELD is x` and `x in it.FIELD`, joined by `and`, are told \
             without that",
        ));
    }

    /// Whether nothing forbids a move; else the ability that does has had an effect.
    fn allows(
        &mut self,
        context: &Context,
        restrictions: &[&Restriction],
        question: &Question,
        group: &Group,
        chosen: &[Chosen; MOST_ROLES],
    ) -> bool {
        let forbidding = self.forbidding(context, restrictions, question, group, chosen);
        if let Some(instance) = forbidding.and_then(|restriction| restriction.instance) {
            self.note_effect(context, instance);
        }
        forbidding.is_none()
    }

    /// The first that forbids a move.
    pub fn forbidding<'b>(
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
            let mut values = restriction.values(context, question, group);
            values.push(made);
            let holds = self.evaluate_apart(context, &info.when, info.slots, &values) != 0;
            holds != info.demand
        });
        self.state.lists.truncate(lists);
        forbidding.copied()
    }
}

impl Restriction {
    /// Whose it is and what players read of that; only where there is no text for them, the condition as it stands there.
    pub fn words(&self, context: &Context) -> String {
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
            "" => context.program.sources.slice(info.span).split_whitespace().collect(),
            text => vec![text],
        };
        format!("`{whose}` does not allow it: {}{}", words.join(" "), cited(&info.rules))
    }

    /// What its condition knows, but for the move: the family's parameters, `me`, `holder` and what is set.
    pub fn values(&self, context: &Context, question: &Question, group: &Group) -> Values {
        let info = &context.program.restrictions[self.index as usize];
        let params = context.program.families[info.family as usize].params.len();
        let mut values = Values::from_slice(question.context_of(group).get(..params).unwrap_or(&[]));
        values.extend(self.owner.iter().copied());
        values
    }
}

/// Leaves out what several restrictions forbid; false if that cannot be done at once.
fn leave_out_together(restrictions: &[(&Restriction, Narrowing)], question: &mut Question, place: usize) -> bool {
    let mut all = Narrowing::default();
    restrictions.iter().for_each(|(_, narrowing)| all.merge(narrowing.clone()));
    let narrowed = question.narrowed(place, &all);
    narrowed.map(|narrowed| question.seek(place, narrowed)).is_some()
}
