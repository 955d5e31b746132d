//! Questions that reveal hidden information to the seat they ask without a `tells` in the rules: by their options, by their
//! words, by being asked at all, or by the choice of the seat.
//!
//! A check gets a `room`, the unit of code that an expression is in, and `asked`, the slots there that hold the side which is
//! asked: what this side sees is not hidden. All other things count as those of another side. A *decider* is the
//! value on which the direction of a branch or loop depends, not a player's decision. Functions named `…depends_on_hidden`
//! start a search; those named `…reads_hidden` are used within one, which visits each assignment only once.

use super::hidden_branches::{Assignment, AssignmentTarget, BranchCondition, HiddenBranch};
use super::ids::Ids;
use super::{Room, Survey, amount_bounds};
use crate::flow::reachable_addresses;
use crate::{
    AbilityId, ActionId, ActionInfo, Address, AskCode, AskCodeWhat, ClauseKind, Comparison, Expr, HookId, Instruction, SIDE,
    Shape, Slot, TextId, Visibility,
};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::Span;
use std::collections::BTreeSet;

/// The part of a question that reveals something.
#[derive(Clone, Copy)]
enum RevealingPart {
    Choices,
    Words,
    /// That it is asked at all.
    Asking,
    /// Which seat is asked.
    Asked,
}

impl<'p> Survey<'p> {
    /// Returns a warning for each action, offer and question that reveals something without declaring it.
    pub fn find_revealing(&mut self) -> Vec<Problem> {
        let program = self.program;
        let mut problems = Vec::new();
        self.find_assignments();
        self.find_hidden_branches();
        for index in 0..program.actions.len() as ActionId {
            problems.extend(self.action_problem(index));
        }
        problems.extend((0..program.restrictions.len()).filter_map(|index| self.restriction_problem(index)));
        for index in 0..program.clauses.len() {
            problems.extend(self.offer_problem(index as u16));
        }
        for (room, addresses) in &*self.code.clone() {
            problems.extend(addresses.iter().filter_map(|at| self.question_problem(*room, *at)));
        }
        problems.extend(self.asking_problems());
        problems
    }

    // --- moves -------------------------------------------------------------------------

    /// Checks the roles, conditions and words of an action, as the side that chooses its moves reads them.
    fn action_problem(&mut self, index: ActionId) -> Option<Problem> {
        let program = self.program;
        let (info, room) = (&program.actions[usize::from(index)], Room::Action(index));
        if self.declares_tells(index) {
            return None;
        }
        let asked = match (self.offer_of_action(index), info.family) {
            (Some(clause), _) => vec![self.count_hook_params(clause.hook) as Slot],
            (None, Some(family)) => self.choosing_slots(index, info, &program.families[usize::from(family)].params),
            (None, None) => return None,
        };
        let name = format!("`{}`", info.name.replace('_', " "));
        let places: Vec<_> = info.roles.iter().flat_map(|role| &role.filter_places).chain(&info.conditions).collect();
        if let Some(place) = places.iter().find(|place| self.depends_on_hidden(room, &place.expr, &asked)) {
            return Some(reveal_problem(&name, RevealingPart::Choices, place.span));
        }
        let roles = info.roles.iter().flat_map(|role| std::iter::once(&role.from).chain(amount_bounds(&role.amount)));
        if roles.into_iter().any(|expr| self.depends_on_hidden(room, expr, &asked)) {
            return Some(reveal_problem(&name, RevealingPart::Choices, info.span));
        }
        if let Some(place) = places.iter().find(|place| self.words_read_hidden(room, place.why_not, &asked)) {
            return Some(reveal_problem(&name, RevealingPart::Words, place.span));
        }
        self.words_read_hidden(room, info.says, &asked).then(|| reveal_problem(&name, RevealingPart::Words, info.span))
    }

    /// Whether the rules accept that an action reveals something: `tells`, or an offer made to another side.
    fn declares_tells(&self, index: ActionId) -> bool {
        let of_offer = self.offer_of_action(index).is_some_and(|clause| clause.tells || clause.to.is_some());
        of_offer || self.program.actions[usize::from(index)].tells
    }

    /// The slots of the side that chooses a move: the first parameter of its family, and `me` for a granted action.
    fn choosing_slots(&self, index: ActionId, info: &ActionInfo, params: &[(String, Shape)]) -> Vec<Slot> {
        let me = params.len() as Slot;
        let is_granted = self.granting_ability(index).is_some() && usize::from(info.context) > params.len();
        first_side_param(params).into_iter().chain(is_granted.then_some(me)).collect()
    }

    /// Checks whether a `forbid` or `demand` removes moves of a side by information that is hidden from it.
    fn restriction_problem(&mut self, index: usize) -> Option<Problem> {
        let program = self.program;
        let info = &program.restrictions[index];
        let parts = &program.families[usize::from(info.family)].parts;
        let of_family = |action: &ActionInfo| action.family.is_some_and(|family| parts.contains(&family));
        let mut moves = (0..program.actions.len()).filter(|action| of_family(&program.actions[*action]));
        let action = moves.find(|action| !self.declares_tells(*action as ActionId))?;
        let params = &program.families[usize::from(info.family)].params;
        let mut asked: Vec<Slot> = first_side_param(params).into_iter().collect();
        let me = params.len() as Slot;
        if asked.iter().any(|side| is_required_same(&info.when, *side, me)) {
            asked.push(me);
        }
        let is_hidden =
            self.depends_on_hidden(Room::Restriction(index), &info.when, &asked) || self.works_by_secret(info.ability);
        let name = format!("`{}`", program.actions[action].name.replace('_', " "));
        is_hidden.then(|| reveal_problem(&name, RevealingPart::Choices, info.span))
    }

    /// Whether the conditions under which an ability works depend on hidden information.
    fn works_by_secret(&mut self, ability: Option<AbilityId>) -> bool {
        let program = self.program;
        let Some((id, info)) = ability.and_then(|id| Some((id, program.abilities.get(usize::from(id))?))) else { return false };
        info.works.iter().any(|works| self.reads_hidden(Room::Ability(id), &works.expr, &[]))
    }

    /// Checks the conditions and words of an offer; its roles are checked as those of its action.
    fn offer_problem(&mut self, index: u16) -> Option<Problem> {
        let info = &self.program.clauses[usize::from(index)];
        if info.kind != ClauseKind::Offer || info.tells || info.to.is_some() {
            return None;
        }
        let (room, asked) = (Room::Clause(index), [self.count_hook_params(info.hook) as Slot]);
        let name = format!("`{}`", info.name.replace('_', " "));
        if info.guard.iter().any(|guard| self.depends_on_hidden(room, guard, &asked)) {
            return Some(reveal_problem(&name, RevealingPart::Choices, info.span));
        }
        self.words_read_hidden(room, info.says, &asked).then(|| reveal_problem(&name, RevealingPart::Words, info.span))
    }

    // --- questions -----------------------------------------------------------------------

    /// Checks the options, the words and the choice of the seat of the question at an address, if there is one. Scripts are
    /// not checked.
    fn question_problem(&mut self, room: Room, at: Address) -> Option<Problem> {
        let program = self.program;
        let (ask, asked) = question_with_seats(program.code.get(at as usize)?)?;
        if ask.tells || program.is_script(at) {
            return None;
        }
        let span = program.places.get(at as usize)?.span;
        let told = if option_expressions(ask).into_iter().any(|expr| self.depends_on_hidden(room, expr, &asked)) {
            RevealingPart::Choices
        } else if self.words_read_hidden(room, ask.prompt, &asked) || self.words_read_hidden(room, ask.pass_text, &asked) {
            RevealingPart::Words
        } else if self.seat_choice_reads_hidden(room, program.code.get(at as usize)?) {
            RevealingPart::Asked
        } else {
            return None;
        };
        Some(reveal_problem("this question", told, span))
    }

    /// Whether the choice of the seat that is asked depends on hidden information.
    fn seat_choice_reads_hidden(&mut self, room: Room, instruction: &'p Instruction) -> bool {
        let who = match instruction {
            Instruction::Ask(ask) => &ask.who,
            Instruction::AskAtOnce(code) => &code.set,
            _ => return false,
        };
        match who {
            Expr::Local(slot) => {
                let settings = self.settings.get(&AssignmentTarget::Slot(room, *slot)).cloned().unwrap_or_default();
                settings.iter().any(|setting| self.depends_on_hidden(room, setting.value, &[]))
            }
            who => self.depends_on_hidden(room, who, &[]),
        }
    }

    /// Finds questions in a branch or loop whose direction is hidden from the seat that is asked.
    fn asking_problems(&mut self) -> Vec<Problem> {
        let program = self.program;
        let mut places = Vec::new();
        for index in 0..self.branches.len() {
            let HiddenBranch { room, decides, within } = self.branches[index].clone();
            for at in within.into_iter().filter(|at| !program.is_script(*at)) {
                let told = self.asked_slots_at(at).into_iter().any(|asked| self.branch_depends_on_hidden(room, decides, &asked));
                places.extend(program.places.get(at as usize).filter(|_| told).map(|place| place.span));
            }
        }
        let mut known = BTreeSet::new();
        places.retain(|span| known.insert((span.source, span.start)));
        places.into_iter().map(|span| reveal_problem("this question", RevealingPart::Asking, span)).collect()
    }

    /// The slots of the seats asked at an address, or in a procedure called there, once for each question.
    fn asked_slots_at(&self, at: Address) -> Vec<Vec<Slot>> {
        let program = self.program;
        match program.code.get(at as usize) {
            Some(Instruction::Call { procedure, arguments, .. }) => {
                let first = program.procedures.get(usize::from(*procedure)).map(|info| info.start);
                let within = first.map(|start| reachable_addresses(program, &[start])).unwrap_or_default();
                let questions = within.iter().filter_map(|at| question_with_seats(program.code.get(*at as usize)?));
                let of_caller = |slot: Slot| match arguments.get(usize::from(slot)) {
                    Some(Expr::Local(slot)) => Some(*slot),
                    _ => None,
                };
                let asked =
                    questions.filter(|(ask, _)| !ask.tells).map(|(_, asked)| asked.into_iter().filter_map(of_caller).collect());
                // The seat is unknown if the argument is a computed value.
                asked.filter(|asked: &Vec<Slot>| !asked.is_empty()).collect()
            }
            Some(instruction) => match question_with_seats(instruction) {
                Some((ask, asked)) if !ask.tells && !asked.is_empty() => vec![asked],
                _ => Vec::new(),
            },
            None => Vec::new(),
        }
    }

    // --- values ----------------------------------------------------------------------------

    /// Whether a value depends on information hidden from the side in one of these slots.
    pub fn depends_on_hidden(&mut self, room: Room, expr: &'p Expr, asked: &[Slot]) -> bool {
        self.looked_at.clear();
        self.reads_hidden(room, expr, asked)
    }

    /// Whether the direction of a branch or loop depends on information hidden from the side in one of these slots.
    pub fn branch_depends_on_hidden(&mut self, room: Room, decides: BranchCondition<'p>, asked: &[Slot]) -> bool {
        self.looked_at.clear();
        self.branch_reads_hidden(room, decides, asked)
    }

    /// Same as [`Self::branch_depends_on_hidden`], within a search.
    pub(super) fn branch_reads_hidden(&mut self, room: Room, decides: BranchCondition<'p>, asked: &[Slot]) -> bool {
        match decides {
            BranchCondition::Value(value) => self.reads_hidden(room, value, asked),
            BranchCondition::Length(list) => self.count_reads_hidden(room, list, asked),
        }
    }

    /// Whether the words of a text depend on hidden information.
    fn words_read_hidden(&mut self, room: Room, text: Option<TextId>, asked: &[Slot]) -> bool {
        let program = self.program;
        text.is_some_and(|text| program.text_expressions(text).into_iter().any(|expr| self.depends_on_hidden(room, expr, asked)))
    }

    /// Visits an assignment target at most once in each search. A second visit reveals nothing new. Returns false without a
    /// visit.
    pub(super) fn visit_once(&mut self, what: AssignmentTarget, asked: &[Slot], look: impl FnOnce(&mut Self) -> bool) -> bool {
        if self.looks_left == 0 || !self.looked_at.insert((what, asked.to_vec())) {
            return false;
        }
        self.looks_left -= 1;
        look(self)
    }

    /// Whether an assigned value reveals something: by its value, or because it is only assigned in a hidden branch.
    /// Variables and fields are followed only in the room that reads them, since elsewhere their owner is unknown; marks
    /// everywhere.
    fn assignment_reads_hidden(&mut self, what: AssignmentTarget, room: Room, asked: &[Slot]) -> bool {
        self.visit_once(what, asked, |survey| {
            let mut settings = survey.settings.get(&what).cloned().unwrap_or_default();
            settings.retain(|setting| setting.room == room || matches!(what, AssignmentTarget::Mark(_)));
            settings.iter().any(|setting| survey.is_hidden_assignment(setting, room, asked))
        })
    }

    /// Same for one assignment. In another room, nothing is known about the side that is asked.
    fn is_hidden_assignment(&mut self, setting: &Assignment<'p>, room: Room, asked: &[Slot]) -> bool {
        let asked = if setting.room == room { asked } else { &[] };
        self.reads_hidden(setting.room, setting.value, asked) || self.is_in_hidden_branch(setting, asked)
    }

    /// Whether an assignment is only reached if a hidden branch goes its way.
    pub(super) fn is_in_hidden_branch(&mut self, setting: &Assignment<'p>, asked: &[Slot]) -> bool {
        self.branches_around(setting).into_iter().any(|index| {
            let HiddenBranch { room, decides, .. } = self.branches[index];
            self.branch_reads_hidden(room, decides, asked)
        })
    }

    /// The indexes of the hidden branches around an assignment.
    pub(super) fn branches_around(&self, setting: &Assignment) -> Vec<usize> {
        let is_around = |index: &usize| {
            let HiddenBranch { room, within, .. } = &self.branches[*index];
            *room == setting.room && within.contains(&setting.at)
        };
        (0..self.branches.len()).filter(is_around).collect()
    }

    /// Whether the value of a hook, by its formula or a modifier, depends on hidden information. `asked` are slots of the hook.
    fn hook_reads_hidden(&mut self, hook: HookId, asked: &[Slot]) -> bool {
        let program = self.program;
        let info = &program.hooks[usize::from(hook)];
        if info.value.as_ref().is_some_and(|(_, formula)| self.reads_hidden(Room::Hook(hook), &formula.expr, asked)) {
            return true;
        }
        (0..program.clauses.len()).any(|index| {
            let clause = &program.clauses[index];
            if clause.hook != hook || clause.kind != ClauseKind::Modifier {
                return false;
            }
            let me = self.count_hook_params(hook) as Slot;
            let is_own = asked.iter().any(|side| clause.guard.iter().any(|guard| is_required_same(guard, *side, me)));
            let asked: Vec<Slot> = asked.iter().copied().chain(is_own.then_some(me)).collect();
            let ability = clause.mark.is_none().then_some(clause.ability);
            clause.guard.iter().chain(&clause.value).any(|expr| self.reads_hidden(Room::Clause(index as u16), expr, &asked))
                || self.works_by_secret(ability)
        })
    }

    /// Same as [`Self::depends_on_hidden`], within a search. Counting the pieces of a zone does not read it.
    pub(super) fn reads_hidden(&mut self, room: Room, expr: &'p Expr, asked: &[Slot]) -> bool {
        match expr {
            Expr::CountZone(zone) => self.parts_read_hidden(room, zone, asked),
            Expr::Local(slot) if !asked.contains(slot) => {
                let found = self.slots.get(room, *slot);
                let is_value = found.kinds.is_empty() && found.families.is_empty();
                is_value && self.assignment_reads_hidden(AssignmentTarget::Slot(room, *slot), room, asked)
            }
            Expr::Fold { hook, arguments } => {
                let passed = |(slot, argument): (usize, &Expr)| {
                    matches!(argument, Expr::Local(from) if asked.contains(from)).then_some(slot as Slot)
                };
                let asked_there: Vec<Slot> = arguments.iter().enumerate().filter_map(passed).collect();
                self.parts_read_hidden(room, expr, asked)
                    || self.visit_once(AssignmentTarget::Value(*hook), &asked_there, |survey| {
                        survey.hook_reads_hidden(*hook, &asked_there)
                    })
            }
            // Reading the positions of its cells does not either.
            Expr::OnBoard(_, operands) => operands.iter().any(|operand| self.parts_read_hidden(room, operand, asked)),
            Expr::CountList(list) => self.count_reads_hidden(room, list, asked),
            Expr::LocalZone { slot, zone } => {
                let of = self.slots.get(room, *slot);
                self.is_closed(&of.kinds, *zone, owner_of_slot(*slot, asked))
            }
            Expr::LentZone { slot, foe, field, zone } => {
                let of = self.field_values(&self.slots.get(room, *slot), *field);
                let owner = owner_of_slot(*slot, asked);
                self.is_closed(&of.kinds, *zone, if *foe { owner.foe() } else { owner })
            }
            Expr::Zone { of, zone } | Expr::MapZone { list: of, zone } => {
                let kinds = self.possible_values(room, of).kinds;
                self.is_closed(&kinds, *zone, owner_of(of, asked)) || self.reads_hidden(room, of, asked)
            }
            Expr::LocalField { slot, field } => {
                let of = self.slots.get(room, *slot);
                self.is_private(&of.kinds, *field, owner_of_slot(*slot, asked))
                    || self.field_reads_hidden(room, &of.kinds, *field, asked)
            }
            Expr::TableField(field) => {
                let kinds = self.possible_values(room, &Expr::Table).kinds;
                self.field_reads_hidden(room, &kinds, *field, asked)
            }
            Expr::HasMark { of, mark } => {
                self.reads_hidden(room, of, asked) || self.assignment_reads_hidden(AssignmentTarget::Mark(*mark), room, asked)
            }
            Expr::Field { of, field } | Expr::Held { of, field } | Expr::FieldList { zone: of, field, .. } => {
                let kinds = self.possible_values(room, of).kinds;
                self.is_private(&kinds, *field, owner_of(of, asked))
                    || self.field_reads_hidden(room, &kinds, *field, asked)
                    || self.reads_hidden(room, of, asked)
            }
            Expr::With { slot, value, then } if matches!(value.as_ref(), Expr::Local(from) if asked.contains(from)) => {
                let asked: Vec<Slot> = asked.iter().copied().chain([*slot]).collect();
                self.reads_hidden(room, then, &asked)
            }
            _ => self.parts_read_hidden(room, expr, asked),
        }
    }

    /// Whether counting the members of a list reads hidden information. Counting concatenated zones does not read them.
    fn count_reads_hidden(&mut self, room: Room, list: &'p Expr, asked: &[Slot]) -> bool {
        match list {
            Expr::ZoneList(zone) => self.parts_read_hidden(room, zone, asked),
            Expr::MapZone { list: of, .. } => self.reads_hidden(room, of, asked),
            Expr::Concatenate(one, other) => {
                self.count_reads_hidden(room, one, asked) || self.count_reads_hidden(room, other, asked)
            }
            _ => self.reads_hidden(room, list, asked),
        }
    }

    /// Whether a subexpression reads hidden information. The thing that a zone belongs to does not count as read.
    fn parts_read_hidden(&mut self, room: Room, expr: &'p Expr, asked: &[Slot]) -> bool {
        match expr {
            Expr::Zone { of, .. } => self.reads_hidden(room, of, asked),
            Expr::LocalZone { .. } | Expr::LentZone { .. } => false,
            _ => {
                let mut found = false;
                expr.visit_parts(&mut |part| found = found || self.reads_hidden(room, part, asked));
                found
            }
        }
    }

    /// Whether a field that is not shown to all was set because of hidden information.
    fn field_reads_hidden(&mut self, room: Room, kinds: &Ids, field: u16, asked: &[Slot]) -> bool {
        kinds.iter().any(|kind| {
            let info = self.program.kind(*kind).fields.get(usize::from(field));
            let is_unshown = info.is_some_and(|info| info.seen == Visibility::All && !info.shown && !info.counter);
            is_unshown && self.assignment_reads_hidden(AssignmentTarget::Field(*kind, field), room, asked)
        })
    }

    /// Whether a field of these kinds may be hidden from the side that is asked. `owner` is whose it is.
    fn is_private<'k>(&self, kinds: impl IntoIterator<Item = &'k u16>, field: u16, owner: Owner) -> bool {
        let infos = kinds.into_iter().filter_map(|kind| self.program.kind(*kind).fields.get(usize::from(field)));
        infos.into_iter().any(|info| is_hidden_from(info.seen, owner))
    }

    /// Same as [`Self::is_private`], for a zone.
    fn is_closed<'k>(&self, kinds: impl IntoIterator<Item = &'k u16>, zone: u16, owner: Owner) -> bool {
        let infos = kinds.into_iter().filter_map(|kind| self.program.kind(*kind).zones.get(usize::from(zone)));
        infos.into_iter().any(|info| is_hidden_from(info.seen, owner))
    }
}

/// The owner of a zone or field, as the asked side knows it.
#[derive(Clone, Copy)]
enum Owner {
    Asked,
    Another,
    Unknown,
}

impl Owner {
    /// The owner of the foe's zone or field, in a game of two sides.
    fn foe(self) -> Owner {
        match self {
            Owner::Asked => Owner::Another,
            Owner::Another => Owner::Asked,
            Owner::Unknown => Owner::Unknown,
        }
    }
}

fn owner_of_slot(slot: Slot, asked: &[Slot]) -> Owner {
    if asked.contains(&slot) { Owner::Asked } else { Owner::Unknown }
}

/// The owner of what belongs to a thing.
fn owner_of(thing: &Expr, asked: &[Slot]) -> Owner {
    match thing {
        Expr::Local(slot) => owner_of_slot(*slot, asked),
        Expr::Foe(side) => owner_of(side, asked).foe(),
        _ => Owner::Unknown,
    }
}

/// Whether the asked side may be unable to see a zone or field. If the owner is unknown, it is assumed that it cannot.
fn is_hidden_from(seen: Visibility, owner: Owner) -> bool {
    match seen {
        Visibility::All => false,
        Visibility::Owner => !matches!(owner, Owner::Asked),
        Visibility::Others => !matches!(owner, Owner::Another),
        Visibility::Nobody => true,
    }
}

/// The expressions that determine the options of a question. Moves are excluded and checked on their own.
fn option_expressions(ask: &AskCode) -> Vec<&Expr> {
    match &ask.what {
        AskCodeWhat::Among { amount, set, .. } => std::iter::once(set).chain(amount_bounds(amount)).collect(),
        AskCodeWhat::Order { set, .. } => vec![set],
        AskCodeWhat::Number { least, most } => vec![least, most],
        AskCodeWhat::Divide(divide) => vec![&divide.total, &divide.among],
        AskCodeWhat::Families(_) | AskCodeWhat::Word(_) | AskCodeWhat::YesNo => Vec::new(),
    }
}

/// The question of an instruction, and the slots of the seats it asks.
pub(super) fn question_with_seats(instruction: &Instruction) -> Option<(&AskCode, Vec<Slot>)> {
    let ask = instruction.ask_code()?;
    let each = if let Instruction::AskAtOnce(code) = instruction { Some(code.variable) } else { None };
    let who = if let Expr::Local(slot) = &ask.who { Some(*slot) } else { None };
    Some((ask, who.into_iter().chain(each).collect()))
}

/// The first parameter, if it is a side.
fn first_side_param(params: &[(String, Shape)]) -> Option<Slot> {
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

/// The warning; `what` names the action, offer or question.
fn reveal_problem(what: &str, told: RevealingPart, span: Span) -> Problem {
    let (message, label, help) = match told {
        RevealingPart::Choices => (
            format!("the choices of {what} depend on pieces that the player who is asked cannot see"),
            "the options reveal something about them",
            "write `tells` after it if the rules mean to reveal this, or offer only what this player can see",
        ),
        RevealingPart::Words => (
            format!("the words of {what} depend on things that the player who is asked cannot see"),
            "the words reveal something about them",
            "write `tells` after it if the rules mean to reveal this, or leave the hidden information out of the words",
        ),
        RevealingPart::Asking => (
            format!("whether {what} is asked depends on things that the player who is asked cannot see"),
            "being asked reveals something about them",
            "write `tells` after it if the rules mean to reveal this, or always ask",
        ),
        RevealingPart::Asked => (
            format!("who is asked {what} depends on things that not all players can see"),
            "being asked reveals something about them",
            "write `tells` after it if the rules mean to reveal this",
        ),
    };
    Problem::probable_warning(codes::QUESTION_TELLS, message).with_label(span, label).help(help)
}
