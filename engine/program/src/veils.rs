//! Detects the questions that depend on hidden information, and the fields that may have been set by it.
//!
//! The options of a seat may depend on a card in its hand. If only one option is left, or none, that must not show: such a
//! question is numbered, announced and recorded even if the seat is not asked. This analysis finds these questions at compile
//! time. Secrets come from zones that are not open to all, and any value computed from a secret is one. The number of pieces
//! in a zone is not a secret. The analysis ignores the order of things where that would matter, so it reports too many
//! questions rather than too few. It does not follow actions that are only done because of a secret, without being computed
//! from it.
//!
//! The `Survey` visits all code again and again until nothing grows. For each slot of each *room*, a unit of code with
//! slots of its own, it joins the `PossibleValues`: which kinds of things and moves may be in it, and whether it is a
//! secret. A zone is *closed* if not all seats see its pieces. Then `telling` finds the questions that reveal something, and
//! `refusals` the values that make looking ahead impossible. The compiler calls [`mark_veils`] for each finished program.

mod hidden_branches;
mod ids;
mod refusals;
mod slots;
mod telling;

use super::flow::reachable_addresses;
use super::{
    AbilityId, ActionId, Address, AskCode, AskCodeWhat, BoardOperation, ClauseInfo, ClauseKind, Expr, FamilyId, HookId,
    Instruction, KindId, KindSort, ListedAbility, Program, RoleAmount, SIDE, SearchPlan, Shape, Slot, Visibility,
};
use hidden_branches::{Assignment, AssignmentTarget, HiddenBranch};
use ids::Ids;
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use slots::{PossibleValues, Room, RoomSlots};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Maximum number of visits to values set elsewhere, which bounds the cost for large games. Beyond it, warnings only cover
/// what a question reads itself.
const MOST_SEARCHED: usize = 100_000;

/// Marks the questions and hooks of a program that depend on hidden information. Returns a warning for each question that
/// reveals such information to the seat it asks, unless the rules declare it, and one for each value that prevents looking
/// ahead.
pub fn mark_veils(program: &mut Program) -> Vec<Problem> {
    if !program.hides {
        return Vec::new();
    }
    let mut survey = match Survey::from_program(program) {
        Ok(survey) => survey,
        Err(too_far) => return vec![too_far],
    };
    let mut problems = survey.find_revealing();
    problems.extend(survey.find_refusals());
    let kinds_set = survey.assigned_kinds();
    let hidden: Vec<FamilyId> = (0..program.families.len() as FamilyId).filter(|family| survey.is_hidden(*family)).collect();
    let Secrets { questions, offers, .. } = survey.secrets;
    program.kinds_set = kinds_set;
    for family in hidden {
        program.families[usize::from(family)].hidden = true;
    }
    for at in questions {
        match program.code.get_mut(at as usize) {
            Some(Instruction::Ask(ask)) => ask.veiled = true,
            Some(Instruction::AskAtOnce(code)) => code.ask.veiled = true,
            _ => {}
        }
    }
    for hook in offers {
        program.hooks[usize::from(hook)].veiled = true;
    }
    problems
}

/// The parts of a program that depend on hidden information.
#[derive(Debug, Default)]
struct Secrets {
    questions: BTreeSet<Address>,
    offers: BTreeSet<HookId>,
    fields: BTreeSet<(KindId, u16)>,
}

/// The state of the analysis.
struct Survey<'p> {
    program: &'p Program,
    slots: RoomSlots,
    /// By procedure: its results.
    given: BTreeMap<usize, PossibleValues>,
    /// By hook: its value.
    folded: BTreeMap<HookId, PossibleValues>,
    /// Families with moves whose existence may depend on a secret.
    families: BTreeSet<FamilyId>,
    abilities: BTreeSet<AbilityId>,
    /// By action: the clause of the offer that makes its moves, and below the ability that grants it.
    offers: BTreeMap<ActionId, u16>,
    granted: BTreeMap<ActionId, AbilityId>,
    /// All code: the rooms that have some, each with the addresses that play may reach in it.
    code: Rc<[(Room, Vec<Address>)]>,
    secrets: Secrets,
    /// Whether a set has grown in this round, so that another round is needed.
    grows: bool,
    /// By target: the assignments of rules to it, which may reveal something.
    settings: BTreeMap<AssignmentTarget, Vec<Assignment<'p>>>,
    /// By slot: the values that loops and calls put into it.
    passed: BTreeMap<AssignmentTarget, Vec<Assignment<'p>>>,
    /// The branches and loops that depend on hidden information.
    branches: Vec<HiddenBranch<'p>>,
    /// The targets whose assignments a search has visited, and the slots of the seats it was for.
    looked_at: BTreeSet<(AssignmentTarget, Vec<Slot>)>,
    /// The number of such visits still allowed, see [`MOST_SEARCHED`].
    looks_left: usize,
    /// The room in which a set last grew.
    grew_in: Option<Room>,
}

/// Maximum number of instruction visits, counted again in each round. Rules need only a few rounds unless hidden values pass
/// from procedure to procedure without end.
const MOST_LOOKS: usize = 4_000_000;

impl<'p> Survey<'p> {
    /// Iterates to a fixed point: sets only grow, and they are finite.
    fn from_program(program: &'p Program) -> Result<Survey<'p>, Problem> {
        let mut survey = Survey::new(program);
        let looks: usize = survey.code.iter().map(|(_, addresses)| addresses.len()).sum();
        let most_rounds = MOST_LOOKS / looks.max(1);
        for round in 0..=most_rounds {
            if !std::mem::take(&mut survey.grows) {
                return Ok(survey);
            }
            // Values pass on to procedures both before and after, so directions alternate.
            survey.survey_round(round % 2 == 1);
        }
        Err(survey.too_far_problem())
    }

    /// The error if the rounds do not come to an end within [`MOST_LOOKS`].
    fn too_far_problem(&self) -> Problem {
        let message = "hidden values are passed through too many procedures to follow";
        let problem =
            Problem::error(codes::TOO_MANY, message).help("read hidden values where they are needed, instead of passing them on");
        match self.grew_in {
            Some(Room::Procedure(index)) => problem.with_label(self.program.procedures[index].span, "passed on here"),
            _ => problem,
        }
    }

    fn new(program: &'p Program) -> Survey<'p> {
        let reach = |start: Address| reachable_addresses(program, &[start]);
        let procedures = program.procedures.iter().enumerate();
        let mut code: Vec<(Room, Vec<Address>)> =
            procedures.map(|(index, info)| (Room::Procedure(index), reach(info.start))).collect();
        for (index, info) in program.actions.iter().enumerate() {
            code.extend(info.body.map(|body| (Room::Action(index as ActionId), reach(body))));
        }
        for (index, info) in program.clauses.iter().enumerate() {
            code.extend(info.body.start_address().map(|start| (Room::Clause(index as u16), reach(start))));
        }
        let clauses = program.clauses.iter().enumerate();
        let abilities = program.abilities.iter().enumerate();
        let mut survey = Survey {
            program,
            slots: RoomSlots::default(),
            given: BTreeMap::new(),
            folded: BTreeMap::new(),
            families: BTreeSet::new(),
            abilities: BTreeSet::new(),
            offers: clauses.filter_map(|(index, info)| Some((info.action?, index as u16))).collect(),
            granted: abilities
                .flat_map(|(index, info)| info.grants.iter().map(move |grant| (grant.action, index as AbilityId)))
                .collect(),
            code: code.into(),
            secrets: Secrets::default(),
            grows: true,
            settings: BTreeMap::new(),
            passed: BTreeMap::new(),
            branches: Vec::new(),
            looked_at: BTreeSet::new(),
            looks_left: MOST_SEARCHED,
            grew_in: None,
        };
        survey.declare_slots();
        survey
    }

    // --- declared shapes ----------------------------------------------------------

    /// Initialises the first slots of each room.
    fn declare_slots(&mut self) {
        let program = self.program;
        for (index, info) in program.procedures.iter().enumerate() {
            self.declare_params(Room::Procedure(index), &info.params);
        }
        for (index, info) in program.families.iter().enumerate() {
            self.declare_params(Room::Family(index as FamilyId), &info.params);
        }
        for (index, info) in program.hooks.iter().enumerate() {
            self.declare_params(Room::Hook(index as HookId), &info.params);
        }
        for index in 0..program.abilities.len() {
            self.declare_owner(Room::Ability(index as AbilityId), 0, Some(index as AbilityId));
        }
        for (index, restriction) in program.restrictions.iter().enumerate() {
            let room = Room::Restriction(index);
            self.declare_owner(room, self.count_family_params(restriction.family), restriction.ability);
            self.join_slot(
                room,
                restriction.it,
                &PossibleValues { families: Ids::from_id(restriction.family), ..PossibleValues::default() },
            );
        }
        for (index, clause) in program.clauses.iter().enumerate() {
            let ability = clause.mark.is_none().then_some(clause.ability);
            self.declare_owner(Room::Clause(index as u16), self.count_hook_params(clause.hook), ability);
        }
        for (index, info) in program.actions.iter().enumerate() {
            let room = Room::Action(index as ActionId);
            if let Some(ability) = self.granting_ability(index as ActionId) {
                let own = info.family.map_or(0, |family| self.count_family_params(family));
                self.declare_owner(room, own, Some(ability));
            }
            for (place, role) in info.roles.iter().enumerate() {
                let found = self.values_of_shape(&role.item);
                self.join_slot(room, info.context + place as Slot, &found);
                self.join_slot(room, role.filter_slot, &found);
            }
        }
        for (kind, info) in program.kinds.iter().enumerate() {
            let private = info.fields.iter().enumerate().filter(|(_, field)| field.seen != Visibility::All);
            self.secrets.fields.extend(private.map(|(field, _)| (kind as KindId, field as u16)));
        }
        for (kind, ..) in &program.defaults {
            self.join_slot(Room::Formula(*kind), 0, &PossibleValues::from_kind(*kind));
        }
    }

    /// Declares the parameters of a room, which are in its first slots.
    fn declare_params(&mut self, room: Room, params: &[(String, Shape)]) {
        for (slot, (_, shape)) in params.iter().enumerate() {
            let found = self.values_of_shape(shape);
            self.join_slot(room, slot as Slot, &found);
        }
    }

    /// Declares `me` and `holder` of an ability or of a mark's bearer, after the given number of parameters.
    fn declare_owner(&mut self, room: Room, params: usize, ability: Option<AbilityId>) {
        let kinds = 0..self.program.kinds.len() as KindId;
        let of_sort = |sort: KindSort| kinds.clone().filter(|kind| self.program.kind(*kind).sort == sort).collect();
        let sides = PossibleValues { kinds: of_sort(KindSort::Side), ..PossibleValues::default() };
        let holders = match ability {
            Some(ability) => self.ability_holders(ability),
            None => kinds.filter(|kind| self.program.kind(*kind).sort != KindSort::Side).collect(),
        };
        self.join_slot(room, params as Slot, &sides);
        self.join_slot(room, params as Slot + 1, &PossibleValues { kinds: holders, ..PossibleValues::default() });
    }

    /// The kinds that may have an ability: entrants whose sheets list it, and printed pieces.
    fn ability_holders(&self, ability: AbilityId) -> Ids {
        let program = self.program;
        let lists = |listed: &[ListedAbility]| listed.iter().any(|listed| listed.ability == ability);
        let mut kinds: Ids = program.sheets.values().filter(|sheet| lists(&sheet.abilities)).map(|sheet| sheet.kind).collect();
        if program.prints.prints.iter().any(|print| lists(&print.abilities)) {
            (0..program.kinds.len() as KindId).filter(|kind| program.is_printed(*kind)).for_each(|kind| kinds.insert(kind));
        }
        kinds
    }

    /// The ability that grants an action.
    fn granting_ability(&self, action: ActionId) -> Option<AbilityId> {
        self.granted.get(&action).copied()
    }

    /// The offer that makes the moves of an action.
    fn offer_of_action(&self, action: ActionId) -> Option<&'p ClauseInfo> {
        self.offers.get(&action).map(|clause| &self.program.clauses[usize::from(*clause)])
    }

    /// The number of parameters, which is also the slot of `me` in restrictions and granted actions.
    fn count_family_params(&self, family: FamilyId) -> usize {
        self.program.families[usize::from(family)].params.len()
    }

    /// The number of parameters, which is also the slot of `me` in clauses.
    fn count_hook_params(&self, hook: HookId) -> usize {
        self.program.hooks[usize::from(hook)].params.len()
    }

    /// The possible values of a declared type.
    fn values_of_shape(&self, shape: &Shape) -> PossibleValues {
        match shape {
            Shape::Entity(kind) => PossibleValues::from_kind(*kind),
            // It may be any zone for such pieces.
            Shape::Zone(kind) => PossibleValues { closed: self.has_closed([*kind]), ..PossibleValues::from_kind(*kind) },
            Shape::List(inner) => {
                let found = self.values_of_shape(inner);
                let deep = if found.deep > 0 || matches!(**inner, Shape::Zone(_)) { found.deep + 1 } else { 0 };
                PossibleValues { deep, ..found }
            }
            Shape::OrNone(inner) => self.values_of_shape(inner),
            Shape::Move(family) => PossibleValues { families: Ids::from_id(*family), ..PossibleValues::default() },
            Shape::Number | Shape::Halves | Shape::Flag | Shape::Word(_) | Shape::Sheet(_) | Shape::Text | Shape::Nothing => {
                PossibleValues::default()
            }
        }
    }

    // --- one round -------------------------------------------------------------------

    /// Visits all formulas and then all code once; `backwards` reverses the order of the rooms.
    fn survey_round(&mut self, backwards: bool) {
        let program = self.program;
        for (kind, field, formula) in &program.defaults {
            let value = self.possible_values(Room::Formula(*kind), &formula.expr);
            self.note_secret_field(*kind, *field, &value);
        }
        for (index, info) in program.abilities.iter().enumerate() {
            let room = Room::Ability(index as AbilityId);
            let secret = info.works.iter().any(|works| self.possible_values(room, &works.expr).secret);
            self.grows |= secret && self.abilities.insert(index as AbilityId);
        }
        for (index, restriction) in program.restrictions.iter().enumerate() {
            self.inherit_slots(
                Room::Restriction(index),
                Room::Family(restriction.family),
                0,
                self.count_family_params(restriction.family),
            );
            let secret = self.possible_values(Room::Restriction(index), &restriction.when).secret;
            self.note_secret_moves(
                restriction.family,
                secret || restriction.ability.is_some_and(|ability| self.abilities.contains(&ability)),
            );
        }
        (0..program.actions.len()).for_each(|index| self.survey_action(index as ActionId));
        (0..program.clauses.len()).for_each(|index| self.survey_clause(index as u16));
        for (index, info) in program.hooks.iter().enumerate() {
            if let Some((_, formula)) = &info.value {
                let value = self.possible_values(Room::Hook(index as HookId), &formula.expr);
                self.join_hook_value(index as HookId, &value);
            }
        }
        let mut grew = self.grows;
        let code = self.code.clone();
        let rooms: Box<dyn Iterator<Item = &(Room, Vec<Address>)>> =
            if backwards { Box::new(code.iter().rev()) } else { Box::new(code.iter()) };
        for (room, addresses) in rooms {
            self.grows = false;
            addresses.iter().for_each(|at| self.survey_code(*room, *at));
            if self.grows {
                (grew, self.grew_in) = (true, Some(*room));
            }
        }
        self.grows = grew;
    }

    /// Joins the values of an action's roles, and hides its family or offer if its moves may depend on a secret.
    fn survey_action(&mut self, index: ActionId) {
        let info = &self.program.actions[usize::from(index)];
        let room = Room::Action(index);
        if let Some(family) = info.family {
            self.inherit_slots(room, Room::Family(family), 0, self.count_family_params(family).min(usize::from(info.context)));
        }
        let mut secret = false;
        for (place, role) in info.roles.iter().enumerate() {
            let found = self.possible_values(room, &role.from).content_values();
            self.join_slot(room, info.context + place as Slot, &found);
            self.join_slot(room, role.filter_slot, &found);
            secret |= found.secret;
        }
        let joined = match &info.search {
            SearchPlan::Walk(joinings) => joinings.as_slice(),
            SearchPlan::Product | SearchPlan::Compare { .. } | SearchPlan::SumEqual { .. } => &[],
        };
        let of_roles = info.roles.iter().flat_map(|role| role.filter.iter().chain(amount_bounds(&role.amount)));
        let conditions = info.guard.iter().chain(info.conditions.iter().map(|condition| &condition.expr)).chain(&info.obliges);
        for expr in of_roles.chain(conditions).chain(joined.iter().map(|joining| &joining.expr)) {
            secret |= self.possible_values(room, expr).secret;
        }
        if let Some(family) = info.family {
            let by_secret = self.granting_ability(index).is_some_and(|ability| self.abilities.contains(&ability));
            self.note_secret_moves(family, secret || by_secret);
        }
        if let Some(offer) = self.offer_of_action(index).filter(|_| secret) {
            self.note_secret_offers(offer.hook);
        }
    }

    /// Passes slots between a hook, its clause and the action of an offer, and hides the hook's offers if a secret decides
    /// about them.
    fn survey_clause(&mut self, index: u16) {
        let info = &self.program.clauses[usize::from(index)];
        let room = Room::Clause(index);
        self.inherit_slots(room, Room::Hook(info.hook), 0, self.count_hook_params(info.hook));
        if let Some(action) = info.action {
            let own = &self.program.actions[usize::from(action)];
            self.inherit_slots(Room::Action(action), room, 0, usize::from(own.context));
            self.inherit_slots(room, Room::Action(action), own.context, own.roles.len());
        }
        let mut secret = info.mark.is_none() && self.abilities.contains(&info.ability);
        for expr in info.guard.iter().chain(&info.to) {
            secret |= self.possible_values(room, expr).secret;
        }
        if info.kind == ClauseKind::Offer && secret {
            self.note_secret_offers(info.hook);
        }
        if let Some(value) = &info.value {
            let value = self.possible_values(room, value);
            let value = PossibleValues { secret: value.secret || secret, ..value };
            self.join_hook_value(info.hook, &value);
        }
    }

    /// Joins the values that one instruction puts into slots and fields.
    fn survey_code(&mut self, room: Room, at: Address) {
        let program = self.program;
        let Some(instruction) = program.code.get(at as usize) else { return };
        match instruction {
            Instruction::Let { slot, value, .. } => {
                let value = self.possible_values(room, value);
                self.join_slot(room, *slot, &value);
            }
            Instruction::Set { of, field, value, .. } | Instruction::Add { of, field, value, .. } => {
                let (of, value) = (self.possible_values(room, of), self.possible_values(room, value));
                of.kinds.iter().for_each(|kind| self.note_secret_field(*kind, *field, &value));
            }
            Instruction::SetList { of, field, value, .. } => {
                let (of, value) = (self.possible_values(room, of), self.possible_values(room, value).content_values());
                of.kinds.iter().for_each(|kind| self.note_secret_field(*kind, *field, &value));
            }
            Instruction::MoveEach { list, variable, .. } => {
                let list = self.possible_values(room, list).content_values();
                self.join_slot(room, *variable, &list);
            }
            Instruction::Finish(code) => {
                code.payoff.iter().for_each(|payoff| self.join_slot(room, payoff.side, &PossibleValues::from_kind(SIDE)));
            }
            Instruction::Draw { from, slot, .. } => {
                let from = self.possible_values(room, from).content_values();
                self.join_slot(room, *slot, &from);
            }
            Instruction::Create(code) => {
                for (field, value) in &code.fields {
                    let value = self.possible_values(room, value);
                    self.note_secret_field(code.kind, *field, &value);
                }
                code.slot.iter().for_each(|slot| self.join_slot(room, *slot, &PossibleValues::from_kind(code.kind)));
            }
            Instruction::EachBegin { list, slot } => {
                let list = self.possible_values(room, list).content_values();
                self.join_slot(room, *slot, &list);
            }
            Instruction::EachNext { slot, variable, .. } => {
                let member = self.slots.get(room, *slot);
                self.join_slot(room, *variable, &member);
            }
            Instruction::Call { procedure, arguments, result } => {
                let callee = Room::Procedure(usize::from(*procedure));
                self.pass_arguments(room, arguments, callee);
                let given = self.given.get(&usize::from(*procedure)).cloned().unwrap_or_default();
                result.iter().for_each(|slot| self.join_slot(room, *slot, &given));
            }
            Instruction::Return { value: Some(value) } => {
                let value = self.possible_values(room, value);
                if let Room::Procedure(procedure) = room {
                    self.grows |= self.given.entry(procedure).or_default().add_values(&value);
                }
            }
            Instruction::Open(open) => self.pass_arguments(room, &open.arguments, Room::Hook(open.hook)),
            Instruction::Ask(ask) => {
                let answer = self.survey_question(room, at, ask);
                self.join_slot(room, ask.slot, &answer);
            }
            Instruction::AskAtOnce(code) => {
                let asked = self.possible_values(room, &code.set).content_values();
                self.join_slot(room, code.variable, &asked);
                self.join_slot(room, code.members, &asked);
                let answer = self.survey_question(room, at, &code.ask);
                self.join_slot(room, code.ask.slot, &answer);
            }
            _ => {}
        }
    }

    /// The possible answers to a question. Also notes whether a forced answer must be hidden.
    fn survey_question(&mut self, room: Room, at: Address, ask: &'p AskCode) -> PossibleValues {
        let mut found = PossibleValues::default();
        match &ask.what {
            AskCodeWhat::Families(families) => {
                for (family, arguments) in families {
                    self.pass_arguments(room, arguments, Room::Family(*family));
                    found.families.insert(*family);
                    found.secret |= self.is_hidden(*family);
                }
            }
            AskCodeWhat::Among { amount, set, .. } => {
                found.add_values(&self.possible_values(room, set).content_values());
                for expr in amount_bounds(amount) {
                    found.secret |= self.possible_values(room, expr).secret;
                }
            }
            AskCodeWhat::Order { set, .. } => found.secret |= self.possible_values(room, set).content_values().secret,
            AskCodeWhat::Number { least, most } => {
                found.secret |= self.possible_values(room, least).secret || self.possible_values(room, most).secret;
            }
            AskCodeWhat::Divide(divide) => {
                found.add_values(&self.possible_values(room, &divide.among).content_values());
                found.secret |=
                    self.possible_values(room, &divide.total).secret || self.possible_values(room, &divide.step).secret;
                self.join_slot(room, divide.receivers, &found.clone());
            }
            AskCodeWhat::Word(_) | AskCodeWhat::YesNo => {}
        }
        let mut secret = found.secret;
        if let Some((hook, arguments)) = &ask.during {
            self.pass_arguments(room, arguments, Room::Hook(*hook));
            secret |= self.secrets.offers.contains(hook);
        }
        self.grows |= secret && self.secrets.questions.insert(at);
        found
    }

    // --- joining -------------------------------------------------------------------------

    /// Adds values that a slot may have.
    fn join_slot(&mut self, room: Room, slot: Slot, found: &PossibleValues) {
        self.grows |= self.slots.add_to_slot(room, slot, found);
    }

    /// Copies slots from one room to the same slots of another. `first` is the first slot, and `slots` their number.
    fn inherit_slots(&mut self, room: Room, from: Room, first: Slot, slots: usize) {
        for slot in first..first + slots as Slot {
            let found = self.slots.get(from, slot);
            self.join_slot(room, slot, &found);
        }
    }

    /// Joins the values of arguments into the first slots of the room that gets them.
    fn pass_arguments(&mut self, room: Room, arguments: &'p [Expr], to: Room) {
        for (slot, argument) in arguments.iter().enumerate() {
            let mut value = self.possible_values(room, argument);
            // A parameter has only its declared kinds.
            let declared = self.slots.get(to, slot as Slot).kinds;
            value.kinds.retain(|kind| declared.contains(&kind));
            self.join_slot(to, slot as Slot, &value);
        }
    }

    /// Makes a field a secret if it gets one. A value shown to all is no longer a secret.
    fn note_secret_field(&mut self, kind: KindId, field: u16, value: &PossibleValues) {
        let is_open = self
            .program
            .kind(kind)
            .fields
            .get(usize::from(field))
            .is_none_or(|field| field.seen == Visibility::All && (field.shown || field.counter));
        self.grows |= value.secret && !is_open && self.secrets.fields.insert((kind, field));
    }

    /// Adds values that a hook may have.
    fn join_hook_value(&mut self, hook: HookId, value: &PossibleValues) {
        self.grows |= self.folded.entry(hook).or_default().add_values(value);
    }

    /// Notes, if `secret` is true, that the existence of a family's moves may depend on a secret.
    fn note_secret_moves(&mut self, family: FamilyId, secret: bool) {
        self.grows |= secret && self.families.insert(family);
    }

    /// Notes that the offers at a hook may depend on a secret.
    fn note_secret_offers(&mut self, hook: HookId) {
        self.grows |= self.secrets.offers.insert(hook);
    }

    /// Whether a move of a family, or of one that is part of it, may exist or not depending on a secret.
    fn is_hidden(&self, family: FamilyId) -> bool {
        self.program.families[usize::from(family)].parts.iter().any(|part| self.families.contains(part))
    }

    // --- values ---------------------------------------------------------------------------

    /// The values that an expression in a room may have. Slots that it fills itself are joined too.
    fn possible_values(&mut self, room: Room, expr: &'p Expr) -> PossibleValues {
        match expr {
            Expr::Constant(_) | Expr::Option(_) | Expr::Referee => PossibleValues::default(),
            Expr::Local(slot) => self.slots.get(room, *slot),
            Expr::LocalField { slot, field } => self.field_values(&self.slots.get(room, *slot), *field),
            Expr::TableField(field) => self.values_of_sort(KindSort::Table, |survey, table| survey.field_values(&table, *field)),
            Expr::LocalZone { slot, zone } => self.zone_values(&self.slots.get(room, *slot), *zone),
            Expr::LocalPlace(slot) => self.place_values(self.slots.get(room, *slot)),
            Expr::LocalFoe(slot) => self.slots.get(room, *slot),
            Expr::LocalMoveField { slot, index } => self.move_field_values(&self.slots.get(room, *slot), *index),
            Expr::LentZone { slot, field, zone, .. } => {
                let holder = self.field_values(&self.slots.get(room, *slot), *field);
                self.zone_values(&holder, *zone)
            }
            Expr::Field { of, field } | Expr::Held { of, field } => {
                let of = self.possible_values(room, of);
                self.field_values(&of, *field)
            }
            Expr::Zone { of, zone } => {
                let of = self.possible_values(room, of);
                self.zone_values(&of, *zone)
            }
            Expr::PlaceOf(of) => {
                let of = self.possible_values(room, of);
                self.place_values(of)
            }
            Expr::FieldList { zone, field, .. } => {
                let pieces = self.possible_values(room, zone).content_values();
                self.field_values(&pieces, *field)
            }
            Expr::Table => self.values_of_sort(KindSort::Table, |_, table| table),
            Expr::Sides => self.values_of_sort(KindSort::Side, |_, sides| sides),
            Expr::SideOf(of) => {
                let secret = self.possible_values(room, of).secret;
                self.values_of_sort(KindSort::Side, |_, sides| PossibleValues { secret, ..sides })
            }
            Expr::EntrantsOf(of) => {
                let secret = self.possible_values(room, of).secret;
                self.values_of_sort(KindSort::Entrant, |_, entrants| PossibleValues { secret, ..entrants })
            }
            Expr::Every(kind) => PossibleValues::from_kind(*kind),
            Expr::MoveField { of, index } => {
                let of = self.possible_values(room, of);
                self.move_field_values(&of, *index)
            }
            Expr::MoveIs { of, .. } | Expr::MoveIn { of, .. } => self.possible_values(room, of).derived_value(),
            // The number of pieces in a zone is visible to all.
            Expr::CountZone(zone) => self.possible_values(room, zone).derived_value(),
            Expr::CountList(list) => PossibleValues { secret: self.is_count_secret(room, list), ..PossibleValues::default() },
            Expr::InZone { item, zone } => {
                let secret = self.possible_values(room, item).secret || self.possible_values(room, zone).content_values().secret;
                PossibleValues { secret, ..PossibleValues::default() }
            }
            Expr::MapZone { list, zone } => {
                let list = self.possible_values(room, list);
                self.zone_values(&list, *zone).content_values()
            }
            Expr::OnBoard(what, operands) => self.board_values(room, *what, operands),
            Expr::Where { list, slot, condition } | Expr::Quantified { list, slot, condition, .. } => {
                let list = self.possible_values(room, list);
                let deep = list.deep;
                let members = list.content_values();
                self.join_slot(room, *slot, &members);
                let secret = self.possible_values(room, condition).secret;
                match expr {
                    Expr::Where { .. } => PossibleValues { secret: members.secret || secret, deep, ..members },
                    _ => PossibleValues { secret: members.secret || secret, ..PossibleValues::default() },
                }
            }
            Expr::Map { list, slot, value } | Expr::MapList { list, slot, value } => {
                let members = self.possible_values(room, list).content_values();
                self.join_slot(room, *slot, &members);
                let made = self.possible_values(room, value).content_values();
                PossibleValues { secret: members.secret || made.secret, ..made }
            }
            Expr::BestOne { list, slot, keys } | Expr::BestAll { list, slot, keys } => {
                let members = self.possible_values(room, list).content_values();
                self.join_slot(room, *slot, &members);
                let secret = keys.iter().any(|key| self.possible_values(room, &key.value).secret);
                PossibleValues { secret: members.secret || secret, ..members }
            }
            Expr::With { slot, value, then } => {
                let value = self.possible_values(room, value);
                self.join_slot(room, *slot, &value);
                self.possible_values(room, then)
            }
            Expr::Remembered { value, .. } => self.possible_values(room, value),
            Expr::If(condition, yes, no) => {
                let secret = self.possible_values(room, condition).secret;
                let found = self.possible_values(room, yes).union_with(&self.possible_values(room, no));
                PossibleValues { secret: found.secret || secret, ..found }
            }
            Expr::Fold { hook, arguments } => {
                self.pass_arguments(room, arguments, Room::Hook(*hook));
                self.folded.get(hook).cloned().unwrap_or_default()
            }
            Expr::Can { family, arguments, .. } | Expr::CanWhere { family, arguments, .. } => {
                self.pass_arguments(room, arguments, Room::Family(*family));
                let mut secret = self.is_hidden(*family);
                if let Expr::CanWhere { slot, condition, .. } = expr {
                    self.join_slot(
                        room,
                        *slot,
                        &PossibleValues { families: Ids::from_id(*family), secret, ..PossibleValues::default() },
                    );
                    secret |= self.possible_values(room, condition).secret;
                }
                PossibleValues { secret, ..PossibleValues::default() }
            }
            Expr::Supposing { changes, then } => {
                let secret = changes.iter().any(|change| self.possible_values(room, &change.value).secret);
                let then = self.possible_values(room, then);
                PossibleValues { secret: then.secret || secret, ..then }
            }
            // The members of lists keep their kinds. For numbers and flags, only secrecy matters.
            _ => {
                let mut found = PossibleValues::default();
                let mut members: Vec<&'p Expr> = Vec::new();
                expr.visit_parts(&mut |part| members.push(part));
                for part in members {
                    found.add_values(&self.possible_values(room, part).content_values());
                }
                found
            }
        }
    }

    /// The possible values of an operation on a board. The positions of cells are no secret; their contents may be.
    fn board_values(&mut self, room: Room, what: BoardOperation, operands: &'p [Expr]) -> PossibleValues {
        let Some((of, numbers)) = operands.split_last() else { return PossibleValues::default() };
        let mut secret = false;
        for number in numbers {
            secret |= self.possible_values(room, number).secret;
        }
        let zone = self.possible_values(room, of);
        let zone = PossibleValues { secret: secret || zone.secret, ..zone };
        match what {
            BoardOperation::Column | BoardOperation::Row => zone.derived_value(),
            BoardOperation::CellAt => zone,
            BoardOperation::Cells(_)
            | BoardOperation::Neighbours(_)
            | BoardOperation::RowAt
            | BoardOperation::ColumnAt
            | BoardOperation::Run => PossibleValues { deep: 1, ..zone },
            BoardOperation::Rows
            | BoardOperation::Columns
            | BoardOperation::Diagonals
            | BoardOperation::Lines
            | BoardOperation::LinesThrough => PossibleValues { deep: 2, ..zone },
        }
    }

    /// Whether the length of a list is a secret. The number of pieces in concatenated zones is visible to all.
    fn is_count_secret(&mut self, room: Room, list: &'p Expr) -> bool {
        match list {
            Expr::ZoneList(zone) => self.possible_values(room, zone).secret,
            Expr::Concatenate(one, other) => self.is_count_secret(room, one) || self.is_count_secret(room, other),
            Expr::MapZone { list, .. } => self.possible_values(room, list).content_values().secret,
            other => self.possible_values(room, other).content_values().secret,
        }
    }

    /// Passes the values that are any thing of this sort to `make`, and returns its result.
    fn values_of_sort(
        &mut self,
        sort: KindSort,
        make: impl FnOnce(&mut Self, PossibleValues) -> PossibleValues,
    ) -> PossibleValues {
        let kinds = (0..self.program.kinds.len() as KindId).filter(|kind| self.program.kind(*kind).sort == sort);
        let found = PossibleValues { kinds: kinds.collect(), ..PossibleValues::default() };
        make(self, found)
    }

    /// The possible values of a field of some things.
    fn field_values(&self, of: &PossibleValues, field: u16) -> PossibleValues {
        let mut found = PossibleValues { secret: of.secret, ..PossibleValues::default() };
        for kind in &of.kinds {
            if let Some(info) = self.program.kind(*kind).fields.get(usize::from(field)) {
                found.add_values(&self.values_of_shape(&info.shape));
                found.secret |= self.secrets.fields.contains(&(*kind, field));
            }
        }
        found
    }

    /// The possible values of a zone of some things: the kinds of its pieces.
    fn zone_values(&self, of: &PossibleValues, zone: u16) -> PossibleValues {
        let mut found = PossibleValues { secret: of.secret, ..PossibleValues::default() };
        for kind in &of.kinds {
            if let Some(info) = self.program.kind(*kind).zones.get(usize::from(zone)) {
                found.kinds.insert(info.holds);
                found.closed |= info.seen != Visibility::All;
            }
        }
        found
    }

    /// The zone of a piece may be a secret if some zone for its kind is not open.
    fn place_values(&self, of: PossibleValues) -> PossibleValues {
        let closed = self.has_closed(of.kinds.iter().copied());
        PossibleValues { secret: of.secret || closed, closed: false, ..of }
    }

    /// Whether some zone for pieces of these kinds is not open to all.
    fn has_closed(&self, kinds: impl IntoIterator<Item = KindId>) -> bool {
        let kinds: Ids = kinds.into_iter().collect();
        let mut zones = self.program.kinds.iter().flat_map(|kind| &kind.zones);
        zones.any(|zone| kinds.contains(&zone.holds) && zone.seen != Visibility::All)
    }

    /// The possible values of a field of some moves.
    fn move_field_values(&self, of: &PossibleValues, index: u16) -> PossibleValues {
        let mut found = PossibleValues { secret: of.secret, ..PossibleValues::default() };
        for family in &of.families {
            if let Some((_, shape)) = self.program.families[usize::from(*family)].fields.get(usize::from(index)) {
                found.add_values(&self.values_of_shape(shape));
            }
        }
        found
    }
}

/// The bounds on the number of choices. Nothing if it is exactly one, or one or none.
fn amount_bounds(amount: &RoleAmount) -> impl Iterator<Item = &Expr> {
    let (least, most) = match amount {
        RoleAmount::One | RoleAmount::OneOrNone => (None, None),
        RoleAmount::Some(least, most) => (Some(least), most.as_ref()),
    };
    least.into_iter().chain(most)
}
