//! Questions that reveal hidden information to the seat they ask without a `tells` in the rules: by their options, by their
//! words, by being asked at all, or by the choice of the seat.

use super::hidden_branches::{Decides, HiddenBranch, Set, Setting};
use super::ids::Ids;
use super::{Room, Survey, amounts};
use crate::flow::reachable;
use crate::{
    AbilityId, ActionId, ActionInfo, Address, AskCode, AskCodeWhat, ClauseKind, Comparison, Expr, HookId, Instruction, SIDE,
    Seen, Shape, Slot, TextId,
};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::Span;
use std::collections::BTreeSet;

/// The part of a question that reveals something.
#[derive(Clone, Copy)]
enum Told {
    Choices,
    Words,
    /// That it is asked at all.
    Asking,
    /// The choice of the seat.
    Asked,
}

impl<'p> Survey<'p> {
    /// Returns a warning for each action, offer and question that reveals something without declaring it.
    pub fn telling(&mut self) -> Vec<Problem> {
        let program = self.program;
        let mut problems = Vec::new();
        self.find_settings();
        self.find_hidden_branches();
        for index in 0..program.actions.len() as ActionId {
            problems.extend(self.action_tells(index));
        }
        problems.extend((0..program.restrictions.len()).filter_map(|index| self.restriction_tells(index)));
        for index in 0..program.clauses.len() {
            problems.extend(self.offer_tells(index as u16));
        }
        for (room, addresses) in &*self.code.clone() {
            problems.extend(addresses.iter().filter_map(|at| self.question_tells(*room, *at)));
        }
        problems.extend(self.askings_tell());
        problems
    }

    // --- moves -------------------------------------------------------------------------

    fn action_tells(&mut self, index: ActionId) -> Option<Problem> {
        let program = self.program;
        let (info, room) = (&program.actions[usize::from(index)], Room::Action(index));
        if self.says_that_it_tells(index) {
            return None;
        }
        let asked = match (self.offer(index), info.family) {
            (Some(clause), _) => vec![self.params_of_hook(clause.hook) as Slot],
            (None, Some(family)) => self.who_chooses(index, info, &program.families[usize::from(family)].params),
            (None, None) => return None,
        };
        let name = format!("`{}`", info.name.replace('_', " "));
        let places: Vec<_> = info.roles.iter().flat_map(|role| &role.filter_places).chain(&info.conditions).collect();
        if let Some(place) = places.iter().find(|place| self.hides(room, &place.expr, &asked)) {
            return Some(warning(&name, Told::Choices, place.span));
        }
        let roles = info.roles.iter().flat_map(|role| std::iter::once(&role.from).chain(amounts(&role.amount)));
        if roles.into_iter().any(|expr| self.hides(room, expr, &asked)) {
            return Some(warning(&name, Told::Choices, info.span));
        }
        if let Some(place) = places.iter().find(|place| self.words_look(room, place.why_not, &asked)) {
            return Some(warning(&name, Told::Words, place.span));
        }
        self.words_look(room, info.says, &asked).then(|| warning(&name, Told::Words, info.span))
    }

    fn says_that_it_tells(&self, index: ActionId) -> bool {
        let of_offer = self.offer(index).is_some_and(|clause| clause.tells || clause.to.is_some());
        of_offer || self.program.actions[usize::from(index)].tells
    }

    /// The slots of the side that chooses a move: the first parameter of its family, and `me` for a granted action.
    fn who_chooses(&self, index: ActionId, info: &ActionInfo, params: &[(String, Shape)]) -> Vec<Slot> {
        let me = params.len() as Slot;
        let is_granted = self.granting(index).is_some() && usize::from(info.context) > params.len();
        side_first(params).into_iter().chain(is_granted.then_some(me)).collect()
    }

    /// Checks whether a `forbid` or `demand` removes moves of a side by information that is hidden from it.
    fn restriction_tells(&mut self, index: usize) -> Option<Problem> {
        let program = self.program;
        let info = &program.restrictions[index];
        let parts = &program.families[usize::from(info.family)].parts;
        let of_family = |action: &ActionInfo| action.family.is_some_and(|family| parts.contains(&family));
        let mut moves = (0..program.actions.len()).filter(|action| of_family(&program.actions[*action]));
        let action = moves.find(|action| !self.says_that_it_tells(*action as ActionId))?;
        let params = &program.families[usize::from(info.family)].params;
        let mut asked: Vec<Slot> = side_first(params).into_iter().collect();
        let me = params.len() as Slot;
        if asked.iter().any(|side| is_required_same(&info.when, *side, me)) {
            asked.push(me);
        }
        let is_hidden = self.hides(Room::Restriction(index), &info.when, &asked) || self.works_by_secret(info.ability);
        let name = format!("`{}`", program.actions[action].name.replace('_', " "));
        is_hidden.then(|| warning(&name, Told::Choices, info.span))
    }

    fn works_by_secret(&mut self, ability: Option<AbilityId>) -> bool {
        let program = self.program;
        let Some((id, info)) = ability.and_then(|id| Some((id, program.abilities.get(usize::from(id))?))) else { return false };
        info.works.iter().any(|works| self.looks(Room::Ability(id), &works.expr, &[]))
    }

    fn offer_tells(&mut self, index: u16) -> Option<Problem> {
        let info = &self.program.clauses[usize::from(index)];
        if info.kind != ClauseKind::Offer || info.tells || info.to.is_some() {
            return None;
        }
        let (room, asked) = (Room::Clause(index), [self.params_of_hook(info.hook) as Slot]);
        let name = format!("`{}`", info.name.replace('_', " "));
        if info.guard.iter().any(|guard| self.hides(room, guard, &asked)) {
            return Some(warning(&name, Told::Choices, info.span));
        }
        self.words_look(room, info.says, &asked).then(|| warning(&name, Told::Words, info.span))
    }

    // --- questions -----------------------------------------------------------------------

    fn question_tells(&mut self, room: Room, at: Address) -> Option<Problem> {
        let program = self.program;
        let (ask, asked) = question(program.code.get(at as usize)?)?;
        if ask.tells || program.is_script(at) {
            return None;
        }
        let span = program.places.get(at as usize)?.span;
        let told = if read_by(ask).into_iter().any(|expr| self.hides(room, expr, &asked)) {
            Told::Choices
        } else if self.words_look(room, ask.prompt, &asked) || self.words_look(room, ask.pass_text, &asked) {
            Told::Words
        } else if self.choosing_looks(room, program.code.get(at as usize)?) {
            Told::Asked
        } else {
            return None;
        };
        Some(warning("this question", told, span))
    }

    /// Whether the choice of the seat depends on the contents of closed zones.
    fn choosing_looks(&mut self, room: Room, instruction: &'p Instruction) -> bool {
        let who = match instruction {
            Instruction::Ask(ask) => &ask.who,
            Instruction::AskAtOnce(code) => &code.set,
            _ => return false,
        };
        match who {
            Expr::Local(slot) => {
                let settings = self.settings.get(&Set::Slot(room, *slot)).cloned().unwrap_or_default();
                settings.iter().any(|setting| self.hides(room, setting.value, &[]))
            }
            who => self.hides(room, who, &[]),
        }
    }

    /// Finds questions in a branch or loop whose direction is hidden from the seat that is asked.
    fn askings_tell(&mut self) -> Vec<Problem> {
        let program = self.program;
        let mut places = Vec::new();
        for index in 0..self.branches.len() {
            let HiddenBranch { room, decides, within } = self.branches[index].clone();
            for at in within.into_iter().filter(|at| !program.is_script(*at)) {
                let told = self.asked_at(at).into_iter().any(|asked| self.decision_hides(room, decides, &asked));
                places.extend(program.places.get(at as usize).filter(|_| told).map(|place| place.span));
            }
        }
        let mut known = BTreeSet::new();
        places.retain(|span| known.insert((span.source, span.start)));
        places.into_iter().map(|span| warning("this question", Told::Asking, span)).collect()
    }

    /// The slots of the seats asked at an address, or in a procedure called there, once for each question.
    fn asked_at(&self, at: Address) -> Vec<Vec<Slot>> {
        let program = self.program;
        match program.code.get(at as usize) {
            Some(Instruction::Call { procedure, arguments, .. }) => {
                let first = program.procedures.get(usize::from(*procedure)).map(|info| info.start);
                let within = first.map(|start| reachable(program, &[start])).unwrap_or_default();
                let questions = within.iter().filter_map(|at| question(program.code.get(*at as usize)?));
                let of_caller = |slot: Slot| match arguments.get(usize::from(slot)) {
                    Some(Expr::Local(slot)) => Some(*slot),
                    _ => None,
                };
                let asked =
                    questions.filter(|(ask, _)| !ask.tells).map(|(_, asked)| asked.into_iter().filter_map(of_caller).collect());
                // The seat is unknown if the argument is a computed value.
                asked.filter(|asked: &Vec<Slot>| !asked.is_empty()).collect()
            }
            Some(instruction) => match question(instruction) {
                Some((ask, asked)) if !ask.tells && !asked.is_empty() => vec![asked],
                _ => Vec::new(),
            },
            None => Vec::new(),
        }
    }

    // --- values ----------------------------------------------------------------------------

    /// Whether a value depends on information hidden from the side in one of these slots.
    pub fn hides(&mut self, room: Room, expr: &'p Expr, asked: &[Slot]) -> bool {
        self.looked_at.clear();
        self.looks(room, expr, asked)
    }

    /// Whether the direction of play depends on information hidden from a side.
    pub fn decision_hides(&mut self, room: Room, decides: Decides<'p>, asked: &[Slot]) -> bool {
        self.looked_at.clear();
        self.decision_looks(room, decides, asked)
    }

    pub(super) fn decision_looks(&mut self, room: Room, decides: Decides<'p>, asked: &[Slot]) -> bool {
        match decides {
            Decides::Value(value) => self.looks(room, value, asked),
            Decides::Length(list) => self.looks_to_count(room, list, asked),
        }
    }

    /// Whether the words of a text depend on hidden information.
    fn words_look(&mut self, room: Room, text: Option<TextId>, asked: &[Slot]) -> bool {
        let program = self.program;
        text.is_some_and(|text| program.read_by_text(text).into_iter().any(|expr| self.hides(room, expr, asked)))
    }

    /// Visits an assignment target at most once in each search. A second visit reveals nothing new.
    pub(super) fn once(&mut self, what: Set, asked: &[Slot], look: impl FnOnce(&mut Self) -> bool) -> bool {
        if self.looks_left == 0 || !self.looked_at.insert((what, asked.to_vec())) {
            return false;
        }
        self.looks_left -= 1;
        look(self)
    }

    /// Whether an assigned value reveals something: by its value, or because it is only assigned in a hidden branch.
    /// Variables and fields are followed only in the room that reads them, since elsewhere their owner is unknown; marks
    /// everywhere.
    fn setting_looks(&mut self, what: Set, room: Room, asked: &[Slot]) -> bool {
        self.once(what, asked, |survey| {
            let mut settings = survey.settings.get(&what).cloned().unwrap_or_default();
            settings.retain(|setting| setting.room == room || matches!(what, Set::Mark(_)));
            settings.iter().any(|setting| survey.is_hidden_setting(setting, room, asked))
        })
    }

    fn is_hidden_setting(&mut self, setting: &Setting<'p>, room: Room, asked: &[Slot]) -> bool {
        let asked = if setting.room == room { asked } else { &[] };
        self.looks(setting.room, setting.value, asked) || self.is_in_hidden_branch(setting, asked)
    }

    /// Whether an assignment depends on a hidden decision.
    pub(super) fn is_in_hidden_branch(&mut self, setting: &Setting<'p>, asked: &[Slot]) -> bool {
        self.branches_around(setting).into_iter().any(|index| {
            let HiddenBranch { room, decides, .. } = self.branches[index];
            self.decision_looks(room, decides, asked)
        })
    }

    /// The indexes of the hidden branches around an assignment.
    pub(super) fn branches_around(&self, setting: &Setting) -> Vec<usize> {
        let is_around = |index: &usize| {
            let HiddenBranch { room, within, .. } = &self.branches[*index];
            *room == setting.room && within.contains(&setting.at)
        };
        (0..self.branches.len()).filter(is_around).collect()
    }

    /// Whether the value of a hook depends on such a zone.
    fn fold_looks(&mut self, hook: HookId, asked: &[Slot]) -> bool {
        let program = self.program;
        let info = &program.hooks[usize::from(hook)];
        if info.value.as_ref().is_some_and(|(_, formula)| self.looks(Room::Hook(hook), &formula.expr, asked)) {
            return true;
        }
        (0..program.clauses.len()).any(|index| {
            let clause = &program.clauses[index];
            if clause.hook != hook || clause.kind != ClauseKind::Modifier {
                return false;
            }
            let me = self.params_of_hook(hook) as Slot;
            let is_own = asked.iter().any(|side| clause.guard.iter().any(|guard| is_required_same(guard, *side, me)));
            let asked: Vec<Slot> = asked.iter().copied().chain(is_own.then_some(me)).collect();
            let ability = clause.mark.is_none().then_some(clause.ability);
            clause.guard.iter().chain(&clause.value).any(|expr| self.looks(Room::Clause(index as u16), expr, &asked))
                || self.works_by_secret(ability)
        })
    }

    /// Same as [`Self::depends_on_hidden`], within a search. Counting the pieces of a zone does not read it.
    pub(super) fn looks(&mut self, room: Room, expr: &'p Expr, asked: &[Slot]) -> bool {
        match expr {
            Expr::CountZone(zone) => self.looks_within(room, zone, asked),
            Expr::Local(slot) if !asked.contains(slot) => {
                let found = self.slots.get(room, *slot);
                let is_value = found.kinds.is_empty() && found.families.is_empty();
                is_value && self.setting_looks(Set::Slot(room, *slot), room, asked)
            }
            Expr::Fold { hook, arguments } => {
                let passed = |(slot, argument): (usize, &Expr)| {
                    matches!(argument, Expr::Local(from) if asked.contains(from)).then_some(slot as Slot)
                };
                let asked_there: Vec<Slot> = arguments.iter().enumerate().filter_map(passed).collect();
                self.looks_within(room, expr, asked)
                    || self.once(Set::Value(*hook), &asked_there, |survey| survey.fold_looks(*hook, &asked_there))
            }
            // Reading the positions of its cells does not either.
            Expr::OnBoard(_, operands) => operands.iter().any(|operand| self.looks_within(room, operand, asked)),
            Expr::CountList(list) => self.looks_to_count(room, list, asked),
            Expr::LocalZone { slot, zone } => {
                let of = self.slots.get(room, *slot);
                self.is_closed(&of.kinds, *zone, asked.contains(slot))
            }
            Expr::LentZone { slot, foe, field, zone } => {
                let of = self.field(&self.slots.get(room, *slot), *field);
                self.is_closed(&of.kinds, *zone, asked.contains(slot) && !foe)
            }
            Expr::Zone { of, zone } | Expr::MapZone { list: of, zone } => {
                let kinds = self.value(room, of).kinds;
                let is_own = matches!(of.as_ref(), Expr::Local(slot) if asked.contains(slot));
                self.is_closed(&kinds, *zone, is_own) || self.looks(room, of, asked)
            }
            Expr::LocalField { slot, field } => {
                let of = self.slots.get(room, *slot);
                self.is_private(&of.kinds, *field, asked.contains(slot)) || self.field_looks(room, &of.kinds, *field, asked)
            }
            Expr::TableField(field) => {
                let kinds = self.value(room, &Expr::Table).kinds;
                self.field_looks(room, &kinds, *field, asked)
            }
            Expr::HasMark { of, mark } => self.looks(room, of, asked) || self.setting_looks(Set::Mark(*mark), room, asked),
            Expr::Field { of, field } | Expr::Held { of, field } | Expr::FieldList { zone: of, field, .. } => {
                let kinds = self.value(room, of).kinds;
                let is_own = matches!(of.as_ref(), Expr::Local(slot) if asked.contains(slot));
                self.is_private(&kinds, *field, is_own)
                    || self.field_looks(room, &kinds, *field, asked)
                    || self.looks(room, of, asked)
            }
            Expr::With { slot, value, then } if matches!(value.as_ref(), Expr::Local(from) if asked.contains(from)) => {
                let asked: Vec<Slot> = asked.iter().copied().chain([*slot]).collect();
                self.looks(room, then, &asked)
            }
            _ => self.looks_within(room, expr, asked),
        }
    }

    /// Whether counting the members of a list reads hidden information. Counting concatenated zones does not read them.
    fn looks_to_count(&mut self, room: Room, list: &'p Expr, asked: &[Slot]) -> bool {
        match list {
            Expr::ZoneList(zone) => self.looks_within(room, zone, asked),
            Expr::MapZone { list: of, .. } => self.looks(room, of, asked),
            Expr::Concatenate(one, other) => self.looks_to_count(room, one, asked) || self.looks_to_count(room, other, asked),
            _ => self.looks(room, list, asked),
        }
    }

    /// Whether a subexpression reads hidden information. The thing that a zone belongs to does not count as read.
    fn looks_within(&mut self, room: Room, expr: &'p Expr, asked: &[Slot]) -> bool {
        match expr {
            Expr::Zone { of, .. } => self.looks(room, of, asked),
            Expr::LocalZone { .. } | Expr::LentZone { .. } => false,
            _ => {
                let mut found = false;
                expr.parts(&mut |part| found = found || self.looks(room, part, asked));
                found
            }
        }
    }

    /// Whether a field that is not shown to all was set because of hidden information.
    fn field_looks(&mut self, room: Room, kinds: &Ids, field: u16, asked: &[Slot]) -> bool {
        kinds.iter().any(|kind| {
            let info = self.program.kind(*kind).fields.get(usize::from(field));
            let is_unshown = info.is_some_and(|info| info.seen == Seen::All && !info.shown && !info.counter);
            is_unshown && self.setting_looks(Set::Field(*kind, field), room, asked)
        })
    }

    fn is_private<'k>(&self, kinds: impl IntoIterator<Item = &'k u16>, field: u16, is_own: bool) -> bool {
        let infos = kinds.into_iter().filter_map(|kind| self.program.kind(*kind).fields.get(usize::from(field)));
        infos.into_iter().any(|info| is_kept_from(info.seen, is_own))
    }

    fn is_closed<'k>(&self, kinds: impl IntoIterator<Item = &'k u16>, zone: u16, is_own: bool) -> bool {
        let infos = kinds.into_iter().filter_map(|kind| self.program.kind(*kind).zones.get(usize::from(zone)));
        infos.into_iter().any(|info| is_kept_from(info.seen, is_own))
    }
}

/// Whether a side cannot see its own zone or field, or another's.
fn is_kept_from(seen: Seen, is_own: bool) -> bool {
    match seen {
        Seen::All => false,
        Seen::Owner => !is_own,
        Seen::Others => is_own,
        Seen::Nobody => true,
    }
}

/// The expressions that determine the options of a question. Moves are excluded and checked on their own.
fn read_by(ask: &AskCode) -> Vec<&Expr> {
    match &ask.what {
        AskCodeWhat::Among { amount, set, .. } => std::iter::once(set).chain(amounts(amount)).collect(),
        AskCodeWhat::Order { set, .. } => vec![set],
        AskCodeWhat::Number { least, most } => vec![least, most],
        AskCodeWhat::Divide(divide) => vec![&divide.total, &divide.among],
        AskCodeWhat::Families(_) | AskCodeWhat::Word(_) | AskCodeWhat::YesNo => Vec::new(),
    }
}

/// The question of an instruction, and the slots of the seats it asks.
pub(super) fn question(instruction: &Instruction) -> Option<(&AskCode, Vec<Slot>)> {
    let ask = instruction.question()?;
    let each = if let Instruction::AskAtOnce(code) = instruction { Some(code.variable) } else { None };
    let who = if let Expr::Local(slot) = &ask.who { Some(*slot) } else { None };
    Some((ask, who.into_iter().chain(each).collect()))
}

/// The first parameter, if it is a side.
fn side_first(params: &[(String, Shape)]) -> Option<Slot> {
    params.first().filter(|(_, shape)| *shape == Shape::Entity(SIDE)).map(|_| 0)
}

/// Whether a condition can hold only if two slots are the same side.
fn is_required_same(condition: &Expr, one: Slot, other: Slot) -> bool {
    match condition {
        Expr::And(left, right) => is_required_same(left, one, other) || is_required_same(right, one, other),
        Expr::Compare(Comparison::Equal, left, right) => {
            let pair = [left.as_ref(), right.as_ref()];
            pair == [&Expr::Local(one), &Expr::Local(other)] || pair == [&Expr::Local(other), &Expr::Local(one)]
        }
        _ => false,
    }
}

fn warning(what: &str, told: Told, span: Span) -> Problem {
    let (message, label, help) = match told {
        Told::Choices => (
            format!("the choices of {what} depend on pieces that the player who is asked cannot see"),
            "the options reveal something about them",
            "write `tells` after it if the rules mean to reveal this, or offer only what this player can see",
        ),
        Told::Words => (
            format!("the words of {what} depend on things that the player who is asked cannot see"),
            "the words reveal something about them",
            "write `tells` after it if the rules mean to reveal this, or leave the hidden information out of the words",
        ),
        Told::Asking => (
            format!("whether {what} is asked depends on things that the player who is asked cannot see"),
            "being asked reveals something about them",
            "write `tells` after it if the rules mean to reveal this, or always ask",
        ),
        Told::Asked => (
            format!("who is asked {what} depends on things that not all players can see"),
            "being asked reveals something about them",
            "write `tells` after it if the rules mean to reveal this",
        ),
    };
    Problem::probable_warning(codes::QUESTION_TELLS, message).with_label(span, label).help(help)
}
