//! Detects the questions that depend on hidden information, and the fields that may have been set by it.
//!
//! The options of a seat may depend on a card in its hand. If only one option is left, or none, that must not show: such a
//! question is numbered, announced and recorded even if the seat is not asked. This analysis finds these questions at compile
//! time. Secrets come from zones that are not open to all, and any value computed from a secret is one. The number of pieces
//! in a zone is not a secret. The analysis ignores the order of things where that would matter, so it reports too many
//! questions rather than too few. It does not follow actions that are only done because of a secret, without being computed
//! from it.

mod hidden_branches;
mod ids;
mod refusals;
mod slots;
mod telling;

use super::flow::reachable;
use super::{
    AbilityId, ActionId, Address, AskCode, AskCodeWhat, ClauseInfo, ClauseKind, Expr, FamilyId, HookId, Instruction, KindId,
    KindSort, Listed, OnBoard, Program, RoleAmount, SIDE, SearchPlan, Seen, Shape, Slot,
};
use hidden_branches::{HiddenBranch, Set, Setting};
use ids::Ids;
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use slots::{Found, Room, Slots};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Maximum number of visits to values set elsewhere, which bounds the cost for large games. Beyond it, warnings only cover
/// what a question reads itself.
const MOST_SEARCHED: usize = 100_000;

/// Marks the questions and hooks of a program that depend on hidden information. Returns a warning for each question that
/// reveals such information to the seat it asks, unless the rules declare it, and one for each value that prevents looking
/// ahead.
pub fn draw(program: &mut Program) -> Vec<Problem> {
    if !program.hides {
        return Vec::new();
    }
    let mut survey = match Survey::of(program) {
        Ok(survey) => survey,
        Err(too_far) => return vec![too_far],
    };
    let mut problems = survey.telling();
    problems.extend(survey.refusals());
    let kinds_set = survey.kinds_set();
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

struct Survey<'p> {
    program: &'p Program,
    slots: Slots,
    /// By procedure: its results.
    given: BTreeMap<usize, Found>,
    /// By hook: its value.
    folded: BTreeMap<HookId, Found>,
    /// Families with moves whose existence may depend on a secret.
    families: BTreeSet<FamilyId>,
    abilities: BTreeSet<AbilityId>,
    /// By action: the clause of the offer that makes its moves, and below the ability that grants it.
    offers: BTreeMap<ActionId, u16>,
    granted: BTreeMap<ActionId, AbilityId>,
    /// All code: the rooms, with their addresses.
    code: Rc<[(Room, Vec<Address>)]>,
    secrets: Secrets,
    grows: bool,
    /// The settings that may reveal something.
    settings: BTreeMap<Set, Vec<Setting<'p>>>,
    /// The values that loops and calls put into slots.
    passed: BTreeMap<Set, Vec<Setting<'p>>>,
    branches: Vec<HiddenBranch<'p>>,
    /// The settings a search has visited, and the slots of the seats it was for.
    looked_at: BTreeSet<(Set, Vec<Slot>)>,
    looks_left: usize,
    /// The room in which a set last grew.
    grew_in: Option<Room>,
}

/// Maximum number of instruction visits, counted again in each round. Rules need only a few rounds unless hidden values pass
/// from procedure to procedure without end.
const MOST_LOOKS: usize = 4_000_000;

impl<'p> Survey<'p> {
    /// Iterates to a fixed point: sets only grow, and they are finite.
    fn of(program: &'p Program) -> Result<Survey<'p>, Problem> {
        let mut survey = Survey::new(program);
        let looks: usize = survey.code.iter().map(|(_, addresses)| addresses.len()).sum();
        let most_rounds = MOST_LOOKS / looks.max(1);
        for round in 0..=most_rounds {
            if !std::mem::take(&mut survey.grows) {
                return Ok(survey);
            }
            // Values pass on to procedures both before and after, so directions alternate.
            survey.look_round(round % 2 == 1);
        }
        Err(survey.passed_on_too_far())
    }

    fn passed_on_too_far(&self) -> Problem {
        let message = "hidden values are passed through too many procedures to follow";
        let problem =
            Problem::error(codes::TOO_MANY, message).help("read hidden values where they are needed, instead of passing them on");
        match self.grew_in {
            Some(Room::Procedure(index)) => problem.with_label(self.program.procedures[index].span, "passed on here"),
            _ => problem,
        }
    }

    fn new(program: &'p Program) -> Survey<'p> {
        let reach = |start: Address| reachable(program, &[start]);
        let procedures = program.procedures.iter().enumerate();
        let mut code: Vec<(Room, Vec<Address>)> =
            procedures.map(|(index, info)| (Room::Procedure(index), reach(info.start))).collect();
        for (index, info) in program.actions.iter().enumerate() {
            code.extend(info.body.map(|body| (Room::Action(index as ActionId), reach(body))));
        }
        for (index, info) in program.clauses.iter().enumerate() {
            code.extend(info.body.start().map(|start| (Room::Clause(index as u16), reach(start))));
        }
        let clauses = program.clauses.iter().enumerate();
        let abilities = program.abilities.iter().enumerate();
        let mut survey = Survey {
            program,
            slots: Slots::default(),
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
        survey.declare();
        survey
    }

    // --- declared shapes ----------------------------------------------------------

    /// Initialises the first slots of each room.
    fn declare(&mut self) {
        let program = self.program;
        for (index, info) in program.procedures.iter().enumerate() {
            self.declare_all(Room::Procedure(index), &info.params);
        }
        for (index, info) in program.families.iter().enumerate() {
            self.declare_all(Room::Family(index as FamilyId), &info.params);
        }
        for (index, info) in program.hooks.iter().enumerate() {
            self.declare_all(Room::Hook(index as HookId), &info.params);
        }
        for index in 0..program.abilities.len() {
            self.declare_owner(Room::Ability(index as AbilityId), 0, Some(index as AbilityId));
        }
        for (index, restriction) in program.restrictions.iter().enumerate() {
            let room = Room::Restriction(index);
            self.declare_owner(room, self.params_of_family(restriction.family), restriction.ability);
            self.meet(room, restriction.it, &Found { families: Ids::one(restriction.family), ..Found::default() });
        }
        for (index, clause) in program.clauses.iter().enumerate() {
            let ability = clause.mark.is_none().then_some(clause.ability);
            self.declare_owner(Room::Clause(index as u16), self.params_of_hook(clause.hook), ability);
        }
        for (index, info) in program.actions.iter().enumerate() {
            let room = Room::Action(index as ActionId);
            if let Some(ability) = self.granting(index as ActionId) {
                let own = info.family.map_or(0, |family| self.params_of_family(family));
                self.declare_owner(room, own, Some(ability));
            }
            for (place, role) in info.roles.iter().enumerate() {
                let found = self.of_shape(&role.item);
                self.meet(room, info.context + place as Slot, &found);
                self.meet(room, role.filter_slot, &found);
            }
        }
        for (kind, info) in program.kinds.iter().enumerate() {
            let private = info.fields.iter().enumerate().filter(|(_, field)| field.seen != Seen::All);
            self.secrets.fields.extend(private.map(|(field, _)| (kind as KindId, field as u16)));
        }
        for (kind, ..) in &program.defaults {
            self.meet(Room::Formula(*kind), 0, &Found::of_kind(*kind));
        }
    }

    fn declare_all(&mut self, room: Room, params: &[(String, Shape)]) {
        for (slot, (_, shape)) in params.iter().enumerate() {
            let found = self.of_shape(shape);
            self.meet(room, slot as Slot, &found);
        }
    }

    /// Declares `me` and `holder` of an ability or of a mark's bearer, after the given number of parameters.
    fn declare_owner(&mut self, room: Room, params: usize, ability: Option<AbilityId>) {
        let kinds = 0..self.program.kinds.len() as KindId;
        let of_sort = |sort: KindSort| kinds.clone().filter(|kind| self.program.kind(*kind).sort == sort).collect();
        let sides = Found { kinds: of_sort(KindSort::Side), ..Found::default() };
        let holders = match ability {
            Some(ability) => self.holders(ability),
            None => kinds.filter(|kind| self.program.kind(*kind).sort != KindSort::Side).collect(),
        };
        self.meet(room, params as Slot, &sides);
        self.meet(room, params as Slot + 1, &Found { kinds: holders, ..Found::default() });
    }

    /// The kinds that may have an ability: entrants whose sheets list it, and printed pieces.
    fn holders(&self, ability: AbilityId) -> Ids {
        let program = self.program;
        let lists = |listed: &[Listed]| listed.iter().any(|listed| listed.ability == ability);
        let mut kinds: Ids = program.sheets.values().filter(|sheet| lists(&sheet.abilities)).map(|sheet| sheet.kind).collect();
        if program.prints.prints.iter().any(|print| lists(&print.abilities)) {
            (0..program.kinds.len() as KindId).filter(|kind| program.is_printed(*kind)).for_each(|kind| kinds.insert(kind));
        }
        kinds
    }

    /// The ability that grants an action.
    fn granting(&self, action: ActionId) -> Option<AbilityId> {
        self.granted.get(&action).copied()
    }

    /// The offer that makes the moves of an action.
    fn offer(&self, action: ActionId) -> Option<&'p ClauseInfo> {
        self.offers.get(&action).map(|clause| &self.program.clauses[usize::from(*clause)])
    }

    fn params_of_family(&self, family: FamilyId) -> usize {
        self.program.families[usize::from(family)].params.len()
    }

    fn params_of_hook(&self, hook: HookId) -> usize {
        self.program.hooks[usize::from(hook)].params.len()
    }

    fn of_shape(&self, shape: &Shape) -> Found {
        match shape {
            Shape::Entity(kind) => Found::of_kind(*kind),
            // It may be any zone for such pieces.
            Shape::Zone(kind) => Found { closed: self.has_closed([*kind]), ..Found::of_kind(*kind) },
            Shape::List(inner) => {
                let found = self.of_shape(inner);
                let deep = if found.deep > 0 || matches!(**inner, Shape::Zone(_)) { found.deep + 1 } else { 0 };
                Found { deep, ..found }
            }
            Shape::OrNone(inner) => self.of_shape(inner),
            Shape::Move(family) => Found { families: Ids::one(*family), ..Found::default() },
            Shape::Number | Shape::Halves | Shape::Flag | Shape::Word(_) | Shape::Sheet(_) | Shape::Text | Shape::Nothing => {
                Found::default()
            }
        }
    }

    // --- one round -------------------------------------------------------------------

    fn look_round(&mut self, backwards: bool) {
        let program = self.program;
        for (kind, field, formula) in &program.defaults {
            let value = self.value(Room::Formula(*kind), &formula.expr);
            self.set_field(*kind, *field, &value);
        }
        for (index, info) in program.abilities.iter().enumerate() {
            let room = Room::Ability(index as AbilityId);
            let secret = info.works.iter().any(|works| self.value(room, &works.expr).secret);
            self.grows |= secret && self.abilities.insert(index as AbilityId);
        }
        for (index, restriction) in program.restrictions.iter().enumerate() {
            self.inherit(
                Room::Restriction(index),
                Room::Family(restriction.family),
                0,
                self.params_of_family(restriction.family),
            );
            let secret = self.value(Room::Restriction(index), &restriction.when).secret;
            self.hide_family(
                restriction.family,
                secret || restriction.ability.is_some_and(|ability| self.abilities.contains(&ability)),
            );
        }
        (0..program.actions.len()).for_each(|index| self.look_at_action(index as ActionId));
        (0..program.clauses.len()).for_each(|index| self.look_at_clause(index as u16));
        for (index, info) in program.hooks.iter().enumerate() {
            if let Some((_, formula)) = &info.value {
                let value = self.value(Room::Hook(index as HookId), &formula.expr);
                self.fold(index as HookId, &value);
            }
        }
        let mut grew = self.grows;
        let code = self.code.clone();
        let rooms: Box<dyn Iterator<Item = &(Room, Vec<Address>)>> =
            if backwards { Box::new(code.iter().rev()) } else { Box::new(code.iter()) };
        for (room, addresses) in rooms {
            self.grows = false;
            addresses.iter().for_each(|at| self.look_at_code(*room, *at));
            if self.grows {
                (grew, self.grew_in) = (true, Some(*room));
            }
        }
        self.grows = grew;
    }

    fn look_at_action(&mut self, index: ActionId) {
        let info = &self.program.actions[usize::from(index)];
        let room = Room::Action(index);
        if let Some(family) = info.family {
            self.inherit(room, Room::Family(family), 0, self.params_of_family(family).min(usize::from(info.context)));
        }
        let mut secret = false;
        for (place, role) in info.roles.iter().enumerate() {
            let found = self.value(room, &role.from).contents();
            self.meet(room, info.context + place as Slot, &found);
            self.meet(room, role.filter_slot, &found);
            secret |= found.secret;
        }
        let joined = match &info.search {
            SearchPlan::Walk(joinings) => joinings.as_slice(),
            SearchPlan::Product | SearchPlan::Compare { .. } | SearchPlan::SumEqual { .. } => &[],
        };
        let of_roles = info.roles.iter().flat_map(|role| role.filter.iter().chain(amounts(&role.amount)));
        let conditions = info.guard.iter().chain(info.conditions.iter().map(|condition| &condition.expr)).chain(&info.obliges);
        for expr in of_roles.chain(conditions).chain(joined.iter().map(|joining| &joining.expr)) {
            secret |= self.value(room, expr).secret;
        }
        if let Some(family) = info.family {
            let by_secret = self.granting(index).is_some_and(|ability| self.abilities.contains(&ability));
            self.hide_family(family, secret || by_secret);
        }
        if let Some(offer) = self.offer(index).filter(|_| secret) {
            self.hide_offers(offer.hook);
        }
    }

    fn look_at_clause(&mut self, index: u16) {
        let info = &self.program.clauses[usize::from(index)];
        let room = Room::Clause(index);
        self.inherit(room, Room::Hook(info.hook), 0, self.params_of_hook(info.hook));
        if let Some(action) = info.action {
            let own = &self.program.actions[usize::from(action)];
            self.inherit(Room::Action(action), room, 0, usize::from(own.context));
            self.inherit(room, Room::Action(action), own.context, own.roles.len());
        }
        let mut secret = info.mark.is_none() && self.abilities.contains(&info.ability);
        for expr in info.guard.iter().chain(&info.to) {
            secret |= self.value(room, expr).secret;
        }
        if info.kind == ClauseKind::Offer && secret {
            self.hide_offers(info.hook);
        }
        if let Some(value) = &info.value {
            let value = self.value(room, value);
            let value = Found { secret: value.secret || secret, ..value };
            self.fold(info.hook, &value);
        }
    }

    fn look_at_code(&mut self, room: Room, at: Address) {
        let program = self.program;
        let Some(instruction) = program.code.get(at as usize) else { return };
        match instruction {
            Instruction::Let { slot, value, .. } => {
                let value = self.value(room, value);
                self.meet(room, *slot, &value);
            }
            Instruction::Set { of, field, value, .. } | Instruction::Add { of, field, value, .. } => {
                let (of, value) = (self.value(room, of), self.value(room, value));
                of.kinds.iter().for_each(|kind| self.set_field(*kind, *field, &value));
            }
            Instruction::SetList { of, field, value, .. } => {
                let (of, value) = (self.value(room, of), self.value(room, value).contents());
                of.kinds.iter().for_each(|kind| self.set_field(*kind, *field, &value));
            }
            Instruction::MoveEach { list, variable, .. } => {
                let list = self.value(room, list).contents();
                self.meet(room, *variable, &list);
            }
            Instruction::Finish(code) => {
                code.payoff.iter().for_each(|payoff| self.meet(room, payoff.side, &Found::of_kind(SIDE)));
            }
            Instruction::Draw { from, slot, .. } => {
                let from = self.value(room, from).contents();
                self.meet(room, *slot, &from);
            }
            Instruction::Create(code) => {
                for (field, value) in &code.fields {
                    let value = self.value(room, value);
                    self.set_field(code.kind, *field, &value);
                }
                code.slot.iter().for_each(|slot| self.meet(room, *slot, &Found::of_kind(code.kind)));
            }
            Instruction::EachBegin { list, slot } => {
                let list = self.value(room, list).contents();
                self.meet(room, *slot, &list);
            }
            Instruction::EachNext { slot, variable, .. } => {
                let member = self.slots.get(room, *slot);
                self.meet(room, *variable, &member);
            }
            Instruction::Call { procedure, arguments, result } => {
                let callee = Room::Procedure(usize::from(*procedure));
                self.pass_on(room, arguments, callee);
                let given = self.given.get(&usize::from(*procedure)).cloned().unwrap_or_default();
                result.iter().for_each(|slot| self.meet(room, *slot, &given));
            }
            Instruction::Return { value: Some(value) } => {
                let value = self.value(room, value);
                if let Room::Procedure(procedure) = room {
                    self.grows |= self.given.entry(procedure).or_default().join(&value);
                }
            }
            Instruction::Open(open) => self.pass_on(room, &open.arguments, Room::Hook(open.hook)),
            Instruction::Ask(ask) => {
                let answer = self.question(room, at, ask);
                self.meet(room, ask.slot, &answer);
            }
            Instruction::AskAtOnce(code) => {
                let asked = self.value(room, &code.set).contents();
                self.meet(room, code.variable, &asked);
                self.meet(room, code.members, &asked);
                let answer = self.question(room, at, &code.ask);
                self.meet(room, code.ask.slot, &answer);
            }
            _ => {}
        }
    }

    /// The possible answers to a question. Also notes whether a forced answer must be hidden.
    fn question(&mut self, room: Room, at: Address, ask: &'p AskCode) -> Found {
        let mut found = Found::default();
        match &ask.what {
            AskCodeWhat::Families(families) => {
                for (family, arguments) in families {
                    self.pass_on(room, arguments, Room::Family(*family));
                    found.families.insert(*family);
                    found.secret |= self.is_hidden(*family);
                }
            }
            AskCodeWhat::Among { amount, set, .. } => {
                found.join(&self.value(room, set).contents());
                for expr in amounts(amount) {
                    found.secret |= self.value(room, expr).secret;
                }
            }
            AskCodeWhat::Order { set, .. } => found.secret |= self.value(room, set).contents().secret,
            AskCodeWhat::Number { least, most } => {
                found.secret |= self.value(room, least).secret || self.value(room, most).secret;
            }
            AskCodeWhat::Divide(divide) => {
                found.join(&self.value(room, &divide.among).contents());
                found.secret |= self.value(room, &divide.total).secret || self.value(room, &divide.step).secret;
                self.meet(room, divide.receivers, &found.clone());
            }
            AskCodeWhat::Word(_) | AskCodeWhat::YesNo => {}
        }
        let mut secret = found.secret;
        if let Some((hook, arguments)) = &ask.during {
            self.pass_on(room, arguments, Room::Hook(*hook));
            secret |= self.secrets.offers.contains(hook);
        }
        self.grows |= secret && self.secrets.questions.insert(at);
        found
    }

    // --- joining -------------------------------------------------------------------------

    fn meet(&mut self, room: Room, slot: Slot, found: &Found) {
        self.grows |= self.slots.join(room, slot, found);
    }

    /// Copies slots from one room to the same slots of another.
    fn inherit(&mut self, room: Room, from: Room, first: Slot, slots: usize) {
        for slot in first..first + slots as Slot {
            let found = self.slots.get(from, slot);
            self.meet(room, slot, &found);
        }
    }

    fn pass_on(&mut self, room: Room, arguments: &'p [Expr], to: Room) {
        for (slot, argument) in arguments.iter().enumerate() {
            let mut value = self.value(room, argument);
            // A parameter has only its declared kinds.
            let declared = self.slots.get(to, slot as Slot).kinds;
            value.kinds.retain(|kind| declared.contains(&kind));
            self.meet(to, slot as Slot, &value);
        }
    }

    /// A value shown to all is no longer a secret.
    fn set_field(&mut self, kind: KindId, field: u16, value: &Found) {
        let is_open = self
            .program
            .kind(kind)
            .fields
            .get(usize::from(field))
            .is_none_or(|field| field.seen == Seen::All && (field.shown || field.counter));
        self.grows |= value.secret && !is_open && self.secrets.fields.insert((kind, field));
    }

    fn fold(&mut self, hook: HookId, value: &Found) {
        self.grows |= self.folded.entry(hook).or_default().join(value);
    }

    fn hide_family(&mut self, family: FamilyId, secret: bool) {
        self.grows |= secret && self.families.insert(family);
    }

    fn hide_offers(&mut self, hook: HookId) {
        self.grows |= self.secrets.offers.insert(hook);
    }

    /// Whether a move of a family, or of one that is part of it, may exist or not depending on a secret.
    fn is_hidden(&self, family: FamilyId) -> bool {
        self.program.families[usize::from(family)].parts.iter().any(|part| self.families.contains(part))
    }

    // --- values ---------------------------------------------------------------------------

    fn value(&mut self, room: Room, expr: &'p Expr) -> Found {
        match expr {
            Expr::Constant(_) | Expr::Option(_) | Expr::Referee => Found::default(),
            Expr::Local(slot) => self.slots.get(room, *slot),
            Expr::LocalField { slot, field } => self.field(&self.slots.get(room, *slot), *field),
            Expr::TableField(field) => self.of_sort(KindSort::Table, |survey, table| survey.field(&table, *field)),
            Expr::LocalZone { slot, zone } => self.zone(&self.slots.get(room, *slot), *zone),
            Expr::LocalPlace(slot) => self.place(self.slots.get(room, *slot)),
            Expr::LocalFoe(slot) => self.slots.get(room, *slot),
            Expr::LocalMoveField { slot, index } => self.move_field(&self.slots.get(room, *slot), *index),
            Expr::LentZone { slot, field, zone, .. } => {
                let holder = self.field(&self.slots.get(room, *slot), *field);
                self.zone(&holder, *zone)
            }
            Expr::Field { of, field } | Expr::Held { of, field } => {
                let of = self.value(room, of);
                self.field(&of, *field)
            }
            Expr::Zone { of, zone } => {
                let of = self.value(room, of);
                self.zone(&of, *zone)
            }
            Expr::PlaceOf(of) => {
                let of = self.value(room, of);
                self.place(of)
            }
            Expr::FieldList { zone, field, .. } => {
                let pieces = self.value(room, zone).contents();
                self.field(&pieces, *field)
            }
            Expr::Table => self.of_sort(KindSort::Table, |_, table| table),
            Expr::Sides => self.of_sort(KindSort::Side, |_, sides| sides),
            Expr::SideOf(of) => {
                let secret = self.value(room, of).secret;
                self.of_sort(KindSort::Side, |_, sides| Found { secret, ..sides })
            }
            Expr::EntrantsOf(of) => {
                let secret = self.value(room, of).secret;
                self.of_sort(KindSort::Entrant, |_, entrants| Found { secret, ..entrants })
            }
            Expr::Every(kind) => Found::of_kind(*kind),
            Expr::MoveField { of, index } => {
                let of = self.value(room, of);
                self.move_field(&of, *index)
            }
            Expr::MoveIs { of, .. } | Expr::MoveIn { of, .. } => self.value(room, of).about(),
            // The number of pieces in a zone is visible to all.
            Expr::CountZone(zone) => self.value(room, zone).about(),
            Expr::CountList(list) => Found { secret: self.counts_a_secret(room, list), ..Found::default() },
            Expr::InZone { item, zone } => {
                let secret = self.value(room, item).secret || self.value(room, zone).contents().secret;
                Found { secret, ..Found::default() }
            }
            Expr::MapZone { list, zone } => {
                let list = self.value(room, list);
                self.zone(&list, *zone).contents()
            }
            Expr::OnBoard(what, operands) => self.on_board(room, *what, operands),
            Expr::Where { list, slot, condition } | Expr::Quantified { list, slot, condition, .. } => {
                let list = self.value(room, list);
                let deep = list.deep;
                let members = list.contents();
                self.meet(room, *slot, &members);
                let secret = self.value(room, condition).secret;
                match expr {
                    Expr::Where { .. } => Found { secret: members.secret || secret, deep, ..members },
                    _ => Found { secret: members.secret || secret, ..Found::default() },
                }
            }
            Expr::Map { list, slot, value } | Expr::MapList { list, slot, value } => {
                let members = self.value(room, list).contents();
                self.meet(room, *slot, &members);
                let made = self.value(room, value).contents();
                Found { secret: members.secret || made.secret, ..made }
            }
            Expr::BestOne { list, slot, keys } | Expr::BestAll { list, slot, keys } => {
                let members = self.value(room, list).contents();
                self.meet(room, *slot, &members);
                let secret = keys.iter().any(|key| self.value(room, &key.value).secret);
                Found { secret: members.secret || secret, ..members }
            }
            Expr::With { slot, value, then } => {
                let value = self.value(room, value);
                self.meet(room, *slot, &value);
                self.value(room, then)
            }
            Expr::Remembered { value, .. } => self.value(room, value),
            Expr::If(condition, yes, no) => {
                let secret = self.value(room, condition).secret;
                let found = self.value(room, yes).and(&self.value(room, no));
                Found { secret: found.secret || secret, ..found }
            }
            Expr::Fold { hook, arguments } => {
                self.pass_on(room, arguments, Room::Hook(*hook));
                self.folded.get(hook).cloned().unwrap_or_default()
            }
            Expr::Can { family, arguments, .. } | Expr::CanWhere { family, arguments, .. } => {
                self.pass_on(room, arguments, Room::Family(*family));
                let mut secret = self.is_hidden(*family);
                if let Expr::CanWhere { slot, condition, .. } = expr {
                    self.meet(room, *slot, &Found { families: Ids::one(*family), secret, ..Found::default() });
                    secret |= self.value(room, condition).secret;
                }
                Found { secret, ..Found::default() }
            }
            Expr::Supposing { changes, then } => {
                let secret = changes.iter().any(|change| self.value(room, &change.value).secret);
                let then = self.value(room, then);
                Found { secret: then.secret || secret, ..then }
            }
            // The members of lists keep their kinds. For numbers and flags, only secrecy matters.
            _ => {
                let mut found = Found::default();
                let mut members: Vec<&'p Expr> = Vec::new();
                expr.parts(&mut |part| members.push(part));
                for part in members {
                    found.join(&self.value(room, part).contents());
                }
                found
            }
        }
    }

    /// The positions of cells are no secret; their contents may be.
    fn on_board(&mut self, room: Room, what: OnBoard, operands: &'p [Expr]) -> Found {
        let Some((of, numbers)) = operands.split_last() else { return Found::default() };
        let mut secret = false;
        for number in numbers {
            secret |= self.value(room, number).secret;
        }
        let zone = self.value(room, of);
        let zone = Found { secret: secret || zone.secret, ..zone };
        match what {
            OnBoard::Column | OnBoard::Row => zone.about(),
            OnBoard::CellAt => zone,
            OnBoard::Cells(_) | OnBoard::Neighbours(_) | OnBoard::RowAt | OnBoard::ColumnAt | OnBoard::Run => {
                Found { deep: 1, ..zone }
            }
            OnBoard::Rows | OnBoard::Columns | OnBoard::Diagonals | OnBoard::Lines | OnBoard::LinesThrough => {
                Found { deep: 2, ..zone }
            }
        }
    }

    /// The number of pieces in concatenated zones is visible to all.
    fn counts_a_secret(&mut self, room: Room, list: &'p Expr) -> bool {
        match list {
            Expr::ZoneList(zone) => self.value(room, zone).secret,
            Expr::Concatenate(one, other) => self.counts_a_secret(room, one) || self.counts_a_secret(room, other),
            Expr::MapZone { list, .. } => self.value(room, list).contents().secret,
            other => self.value(room, other).contents().secret,
        }
    }

    fn of_sort(&mut self, sort: KindSort, make: impl FnOnce(&mut Self, Found) -> Found) -> Found {
        let kinds = (0..self.program.kinds.len() as KindId).filter(|kind| self.program.kind(*kind).sort == sort);
        let found = Found { kinds: kinds.collect(), ..Found::default() };
        make(self, found)
    }

    fn field(&self, of: &Found, field: u16) -> Found {
        let mut found = Found { secret: of.secret, ..Found::default() };
        for kind in &of.kinds {
            if let Some(info) = self.program.kind(*kind).fields.get(usize::from(field)) {
                found.join(&self.of_shape(&info.shape));
                found.secret |= self.secrets.fields.contains(&(*kind, field));
            }
        }
        found
    }

    fn zone(&self, of: &Found, zone: u16) -> Found {
        let mut found = Found { secret: of.secret, ..Found::default() };
        for kind in &of.kinds {
            if let Some(info) = self.program.kind(*kind).zones.get(usize::from(zone)) {
                found.kinds.insert(info.holds);
                found.closed |= info.seen != Seen::All;
            }
        }
        found
    }

    /// The zone of a piece may be a secret if some zone for its kind is not open.
    fn place(&self, of: Found) -> Found {
        let closed = self.has_closed(of.kinds.iter().copied());
        Found { secret: of.secret || closed, closed: false, ..of }
    }

    /// Whether some zone for pieces of these kinds is not open to all.
    fn has_closed(&self, kinds: impl IntoIterator<Item = KindId>) -> bool {
        let kinds: Ids = kinds.into_iter().collect();
        let mut zones = self.program.kinds.iter().flat_map(|kind| &kind.zones);
        zones.any(|zone| kinds.contains(&zone.holds) && zone.seen != Seen::All)
    }

    fn move_field(&self, of: &Found, index: u16) -> Found {
        let mut found = Found { secret: of.secret, ..Found::default() };
        for family in &of.families {
            if let Some((_, shape)) = self.program.families[usize::from(*family)].fields.get(usize::from(index)) {
                found.join(&self.of_shape(shape));
            }
        }
        found
    }
}

/// The bounds on the number of choices.
fn amounts(amount: &RoleAmount) -> impl Iterator<Item = &Expr> {
    let (least, most) = match amount {
        RoleAmount::One | RoleAmount::OneOrNone => (None, None),
        RoleAmount::Some(least, most) => (Some(least), most.as_ref()),
    };
    least.into_iter().chain(most)
}
