//! What abilities and marks forbid and demand: a test of each move of a family.

use super::machine::{Machine, Rules};
use super::question::{Group, Question};
use super::search::Chosen;
use super::state::Values;
use super::why::cited;
use crate::program::{FamilyId, KindSort, MOST_ROLES, NONE, SIDE, Shape, Value};

/// The most moves of one action that are tested one by one.
const MOST_TESTED: u64 = 100_000;

/// Something that forbids or demands now: what it is, and `me`, `holder` and what else it knows.
pub struct Bar {
    index: u16,
    /// The ability in play that it is of, or none: it is a mark's.
    instance: Option<u16>,
    owner: Values,
}

impl Machine {
    /// Whether anything could forbid moves of a family.
    #[inline]
    pub fn may_be_barred(&self, rules: Rules, family: FamilyId) -> bool {
        !rules.cast.bars[family as usize].is_empty() || !self.state.bearing.is_empty() && self.marks_bar(rules, family)
    }

    fn marks_bar(&self, rules: Rules, family: FamilyId) -> bool {
        let of_mark = |mark: u16| &rules.program.marks[mark as usize].bars;
        let speaks = |bar: &u16| rules.program.is_family(family, rules.program.bars[*bar as usize].family);
        self.state.bearing.iter().any(|bearing| of_mark(bearing.mark).iter().any(speaks))
    }

    /// What forbids or demands moves of a family that a side may make.
    pub fn bars_on(&mut self, rules: Rules, family: FamilyId, side: Value) -> Vec<Bar> {
        let mut bars: Vec<Bar> = Vec::new();
        for (instance, index) in &rules.cast.bars[family as usize] {
            if self.works(rules, *instance) {
                let owner = self.owner_values(rules, *instance).collect();
                bars.push(Bar { index: *index, instance: Some(*instance), owner });
            }
        }
        for bearing in &self.state.bearing {
            // What a side or an entrant bears speaks of that side's own moves.
            let kind = self.state.board.entities[usize::from(bearing.entity)].kind;
            let own = matches!(rules.program.kind(kind).sort, KindSort::Side | KindSort::Entrant);
            if own && self.state.board.side_of(rules.program, Value::from(bearing.entity)) != side {
                continue;
            }
            let of_mark = rules.program.marks[bearing.mark as usize].bars.iter().copied();
            let speaks = |bar: &u16| rules.program.is_family(family, rules.program.bars[*bar as usize].family);
            bars.extend(of_mark.filter(speaks).map(|index| Bar {
                index,
                instance: None,
                owner: self.mark_values(rules, bearing),
            }));
        }
        bars
    }

    /// Who makes the moves of a family in a context: the side that its first parameter is, or the one that is asked.
    pub fn mover(&self, rules: Rules, family: FamilyId, context: &[Value], asked: usize) -> Value {
        match rules.program.families[family as usize].params.first() {
            Some((_, Shape::Entity(SIDE))) => context.first().copied().unwrap_or(NONE),
            Some((_, Shape::Entity(_))) => self.state.board.side_of(rules.program, context.first().copied().unwrap_or(NONE)),
            _ => asked as Value,
        }
    }

    /// Keeps of the last group's moves those that nothing forbids.
    pub fn sift(&mut self, rules: Rules, bars: &[Bar], question: &mut Question) {
        let Some(group) = question.groups().last() else { return };
        if group.search.count > MOST_TESTED {
            self.fault("more than 100,000 moves of one action would have to be tested, as something forbids some of them");
            return;
        }
        let count = group.search.count;
        let mut kept = Vec::new();
        for index in 0..count {
            let group = &question.groups()[question.groups().len() - 1];
            if let Some(chosen) = question.chosen(group, index)
                && self.allows(rules, bars, question, group, &chosen)
            {
                kept.push(chosen);
            }
        }
        if kept.len() as u64 != count {
            question.keep_of_last(kept);
        }
    }

    fn allows(&mut self, rules: Rules, bars: &[Bar], question: &Question, group: &Group, chosen: &[Chosen; MOST_ROLES]) -> bool {
        let lists = self.state.lists.len();
        let made = self.record_move(rules, question, group, chosen);
        let barring = bars.iter().find(|bar| {
            let info = &rules.program.bars[bar.index as usize];
            let params = rules.program.families[info.family as usize].params.len();
            let mut values = Values::from_slice(question.context_of(group).get(..params).unwrap_or(&[]));
            values.extend(bar.owner.iter().copied());
            values.push(made);
            let holds = self.evaluate_apart(rules, &info.when, info.slots, &values) != 0;
            holds != info.demand
        });
        self.state.lists.truncate(lists);
        if let Some(instance) = barring.and_then(|bar| bar.instance) {
            self.note_effect(rules, instance);
        }
        barring.is_none()
    }

    /// What keeps all moves of a family from being made that would be legal otherwise, in the words of the rules.
    pub fn barring_words(&mut self, rules: Rules, family: FamilyId, side: Value) -> Option<String> {
        let bars = self.bars_on(rules, family, side);
        let info = &rules.program.bars[bars.first()?.index as usize];
        let words: Vec<&str> = rules.program.sources.slice(info.span).split_whitespace().collect();
        let whose = match (info.ability, info.mark) {
            (Some(ability), _) => rules.program.abilities[ability as usize].title.clone(),
            (None, Some(mark)) => rules.program.marks[mark as usize].name.replace('_', " "),
            (None, None) => String::new(),
        };
        Some(format!("`{whose}` does not allow it: {}{}", words.join(" "), cited(&info.rules)))
    }
}
