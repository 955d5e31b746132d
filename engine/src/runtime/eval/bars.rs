//! What abilities and marks forbid and demand of the moves of a family.

use crate::codes;
use crate::problem::{Problem, cited};
use crate::program::{Expr, FamilyId, KindSort, MOST_ROLES, NONE, SIDE, Shape, Value};
use crate::runtime::context::Context;
use crate::runtime::eval::Eval;
use crate::runtime::eval::question::{Group, Question};
use crate::runtime::eval::reading::MovesOf;
use crate::runtime::eval::restriction::Restriction;
use crate::runtime::eval::search::Chosen;
use crate::runtime::limits::{FEW_MOVES, MOST_LOOKED_AT, MOST_NUMBERED, WORK_OF_MOVE};
use crate::runtime::state::Values;
use crate::source::Span;

/// Something that forbids or demands now: what it is, and `me`, `holder` and what else it knows.
pub struct Bar {
    index: u16,
    /// The ability in play that it is of, or none: it is a mark's.
    instance: Option<u16>,
    owner: Values,
}

impl Eval {
    /// Whether anything could forbid moves of a family.
    #[inline]
    pub fn may_be_barred(&self, context: &Context, family: FamilyId) -> bool {
        !context.roster.bars[family as usize].is_empty() || !self.state.bearing.is_empty() && self.marks_bar(context, family)
    }

    fn marks_bar(&self, context: &Context, family: FamilyId) -> bool {
        let of_mark = |mark: u16| &context.program.marks[mark as usize].bars;
        let speaks = |bar: &u16| context.program.is_family(family, context.program.bars[*bar as usize].family);
        self.state.bearing.iter().any(|bearing| of_mark(bearing.mark).iter().any(speaks))
    }

    /// What forbids or demands moves of a family that a side may make.
    pub fn bars_on(&mut self, context: &Context, family: FamilyId, side: Value) -> Vec<Bar> {
        let mut bars: Vec<Bar> = Vec::new();
        for (instance, index) in &context.roster.bars[family as usize] {
            if self.works(context, *instance) {
                let owner = self.owner_values(context, *instance).collect();
                bars.push(Bar { index: *index, instance: Some(*instance), owner });
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
            let of_mark = context.program.marks[bearing.mark as usize].bars.iter().copied();
            let speaks = |bar: &u16| context.program.is_family(family, context.program.bars[*bar as usize].family);
            bars.extend(of_mark.filter(speaks).map(|index| Bar {
                index,
                instance: None,
                owner: self.mark_values(context, bearing),
            }));
        }
        bars
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
    pub fn sift(&mut self, context: &Context, bars: &[Bar], question: &mut Question) {
        let Some(last) = question.groups().len().checked_sub(1) else { return };
        let bars: Vec<&Bar> = bars.iter().collect();
        let left = match question.groups()[last].search.count > FEW_MOVES {
            true => self.leave_out(context, &bars, question, last),
            false => bars,
        };
        if !left.is_empty() {
            self.look_at_each(context, &left, question, last);
        }
    }

    /// Leaves out what is seen to be forbidden without looking at each move; gives the bars of which that cannot be seen.
    pub fn leave_out<'b>(&mut self, context: &Context, bars: &[&'b Bar], question: &mut Question, place: usize) -> Vec<&'b Bar> {
        let (mut left, mut read) = (Vec::new(), Vec::new());
        for bar in bars {
            match self.read_bar(context, bar, question, place) {
                Some(restriction) => read.push((*bar, restriction)),
                None => left.push(*bar),
            }
        }
        // Those who watch want to know how many moves each ability has barred.
        if self.watched || !leave_out_together(&read, question, place) {
            for (bar, restriction) in read {
                if !self.leave_out_one(context, bar, &restriction, question, place) {
                    left.push(bar);
                }
            }
        }
        left
    }

    /// What a bar leaves of a group's moves, if that can be told without looking at each.
    fn read_bar(&mut self, context: &Context, bar: &Bar, question: &Question, place: usize) -> Option<Restriction> {
        let info = &context.program.bars[bar.index as usize];
        let group = &question.groups()[place];
        let values = bar.values(context, question, group);
        let mut evaluate = |machine: &mut Eval, part: &Expr, made: Value| {
            let mut values = values.clone();
            values.push(made);
            machine.evaluate_apart(context, part, info.slots, &values)
        };
        let reading = self.read_condition(&MovesOf { context, question, group, it: info.it }, &info.when, &mut evaluate)?;
        let mut restriction = Restriction::default();
        restriction.add(reading, info.demand);
        Some(restriction)
    }

    fn leave_out_one(
        &mut self,
        context: &Context,
        bar: &Bar,
        restriction: &Restriction,
        question: &mut Question,
        place: usize,
    ) -> bool {
        let before = question.groups()[place].search.count;
        let Some(narrowed) = question.narrowed(place, restriction) else { return false };
        if let Some(instance) = bar.instance {
            // Of more moves than are numbered it is at least one.
            let unknown = before == MOST_NUMBERED && !restriction.is_empty();
            self.note_effects(context, instance, (before - narrowed.count).max(u64::from(unknown)));
        }
        question.seek(place, narrowed);
        true
    }

    /// Keeps of a group's moves those that some bars allow, looking at one after the other.
    pub fn look_at_each(&mut self, context: &Context, bars: &[&Bar], question: &mut Question, place: usize) {
        let count = question.groups()[place].search.count;
        if count > MOST_LOOKED_AT {
            self.too_many_to_sift(context, bars, &question.groups()[place]);
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
                && self.allows(context, bars, question, group, &chosen)
            {
                kept.push(chosen);
            }
        }
        if kept.len() as u64 != count {
            question.keep(place, kept);
        }
    }

    #[cold]
    fn too_many_to_sift(&mut self, context: &Context, bars: &[&Bar], group: &Group) {
        let action = &context.program.actions[group.action as usize].name;
        let message = format!("`{action}` has {} moves, too many to ask of each whether it is allowed", group.search.count);
        let mut spans: Vec<Span> = bars.iter().map(|bar| context.program.bars[bar.index as usize].span).collect();
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
        bars: &[&Bar],
        question: &Question,
        group: &Group,
        chosen: &[Chosen; MOST_ROLES],
    ) -> bool {
        let barring = self.barring(context, bars, question, group, chosen);
        if let Some(instance) = barring.and_then(|bar| bar.instance) {
            self.note_effect(context, instance);
        }
        barring.is_none()
    }

    /// The first that forbids a move.
    pub fn barring<'b>(
        &mut self,
        context: &Context,
        bars: &[&'b Bar],
        question: &Question,
        group: &Group,
        chosen: &[Chosen; MOST_ROLES],
    ) -> Option<&'b Bar> {
        let lists = self.state.lists.len();
        let made = self.record_move(context, question, group, chosen);
        let barring = bars.iter().find(|bar| {
            let info = &context.program.bars[bar.index as usize];
            let mut values = bar.values(context, question, group);
            values.push(made);
            let holds = self.evaluate_apart(context, &info.when, info.slots, &values) != 0;
            holds != info.demand
        });
        self.state.lists.truncate(lists);
        barring.copied()
    }
}

impl Bar {
    /// Whose it is and what it says.
    pub fn words(&self, context: &Context) -> String {
        let info = &context.program.bars[self.index as usize];
        let words: Vec<&str> = context.program.sources.slice(info.span).split_whitespace().collect();
        let whose = match (info.ability, info.mark) {
            (Some(ability), _) => context.program.abilities[ability as usize].title.clone(),
            (None, Some(mark)) => context.program.marks[mark as usize].name.replace('_', " "),
            (None, None) => String::new(),
        };
        format!("`{whose}` does not allow it: {}{}", words.join(" "), cited(&info.rules))
    }

    /// What its condition knows, but for the move: the family's parameters, `me`, `holder` and what is set.
    pub fn values(&self, context: &Context, question: &Question, group: &Group) -> Values {
        let info = &context.program.bars[self.index as usize];
        let params = context.program.families[info.family as usize].params.len();
        let mut values = Values::from_slice(question.context_of(group).get(..params).unwrap_or(&[]));
        values.extend(self.owner.iter().copied());
        values
    }
}

/// Leaves out what several bars forbid; false if that cannot be done at once.
fn leave_out_together(bars: &[(&Bar, Restriction)], question: &mut Question, place: usize) -> bool {
    let mut all = Restriction::default();
    bars.iter().for_each(|(_, restriction)| all.merge(restriction.clone()));
    let narrowed = question.narrowed(place, &all);
    narrowed.map(|narrowed| question.seek(place, narrowed)).is_some()
}
