//! The actions: their numbers and meanings.
//!
//! An *action* here is a number to choose; an action of the rules is called a *kind* of move. A kind is *flat* if each of its
//! moves has one action of its own; other moves are the action of their kind, followed by the things that fill its roles. The
//! *index* or place of a value counts from 0 in its domain. `Encoding` makes the space once for all games of a program.

use crate::runtime::context::{Context, Instance};
use crate::runtime::encoding::domain::Domain;
use crate::runtime::encoding::sizes::Sizes;
use crate::runtime::flow::Machine;
use ludex_program::{AskCodeWhat, ClauseKind, NONE, Program, RoleAmount, Value};
use std::collections::BTreeSet;

/// Maximum number of moves with several roles that have their own actions, for one kind of move and for all.
const MOST_OF_KIND: usize = 512;
const MOST_OF_ALL: usize = 2_500;
/// Number of actions for list members without their own actions.
pub const ITEMS: u32 = 64;

/// Ends a set of things.
pub const DONE: u32 = 0;
/// A role that stays empty.
pub const NOTHING: u32 = 1;
pub const PASS: u32 = 2;
pub const YES: u32 = 3;
pub const NO: u32 = 4;
/// The first of ten digits.
pub const DIGITS: u32 = 5;
/// Number of actions that every game has.
const FIXED: u32 = 15;

/// The values of a domain that have indexes. `first` is the lowest number.
#[derive(Clone, Copy, Debug)]
pub struct ValueIndexes {
    pub domain: Domain,
    first: Value,
    pub count: u32,
}

impl ValueIndexes {
    /// The indexes of a domain. `numbers` is the range of numbers that have actions.
    pub fn new(program: &Program, sizes: &Sizes, domain: Domain, numbers: Option<(Value, Value)>) -> ValueIndexes {
        let (first, count) = match domain {
            Domain::Number => numbers.map_or((0, 0), |(least, most)| (least, most.abs_diff(least) as usize + 1)),
            Domain::Piece => (0, sizes.pieces),
            Domain::Side => (0, sizes.sides),
            Domain::Entrant => (sizes.first_entrant, sizes.entrants),
            Domain::Zone => (0, sizes.zones),
            Domain::Word(words) => (0, program.words.get(usize::from(words)).map_or(0, |words| words.words.len())),
            Domain::Sheet => (0, program.prints.prints.len()),
            Domain::Flag => (0, 2),
        };
        ValueIndexes { domain, first, count: count as u32 }
    }

    /// The index of a value.
    #[inline]
    pub fn value_index(&self, context: &Context, machine: &Machine, value: Value) -> Option<u32> {
        match self.domain {
            Domain::Piece => self.place_of_number(machine.number_of_piece(context, value) as Value),
            _ => self.place_of_number(value),
        }
    }

    /// The index of the thing with a number.
    #[inline(always)]
    pub fn place_of_number(&self, number: Value) -> Option<u32> {
        let place = number.wrapping_sub(self.first) as u32;
        (number >= self.first && place < self.count).then_some(place)
    }

    /// The name of the value at an index.
    fn value_name(&self, program: &Program, place: u32) -> String {
        match self.domain {
            Domain::Number => (i64::from(self.first) + i64::from(place)).to_string(),
            Domain::Word(words) => program
                .words
                .get(usize::from(words))
                .and_then(|words| words.words.get(place as usize))
                .cloned()
                .unwrap_or_default(),
            Domain::Sheet => program.prints.find_print(place as Value).map_or(String::new(), |print| print.id.clone()),
            Domain::Flag => ["no", "yes"][place.min(1) as usize].to_string(),
            domain => format!("{} {place}", domain.as_word()),
        }
    }

    /// The value at an index, for features.
    fn value_part(&self, place: u32) -> Part {
        match self.domain {
            Domain::Piece => Part::Piece(place),
            Domain::Number => Part::Number((self.first.saturating_add_unsigned(place)) as f32),
            _ => Part::Number(place as f32),
        }
    }
}

/// Moves of an action that have their own actions: one for each way to fill its roles.
#[derive(Clone, Debug)]
pub struct Flat {
    pub first: u32,
    /// Each role, and true if it may be left empty.
    pub roles: Vec<(ValueIndexes, bool)>,
}

impl Flat {
    /// Whether the fillings of its roles have fixed numbers, so that these alone determine the action.
    pub fn is_of_numbers(&self) -> bool {
        self.roles.iter().all(|(places, _)| places.domain != Domain::Piece)
    }

    /// The action for a filling of the roles, if it has one. `filled` returns the value in a role, and `place` the index of a
    /// value.
    #[inline(always)]
    pub fn find_action(
        &self,
        filled: impl Fn(usize) -> Value,
        place: impl Fn(&ValueIndexes, Value) -> Option<u32>,
    ) -> Option<u32> {
        let mut way = 0;
        for (role, (places, optional)) in self.roles.iter().enumerate() {
            let place = match filled(role) {
                NONE if *optional => places.count,
                value => place(places, value)?,
            };
            way = way * (places.count + u32::from(*optional)) + place;
        }
        Some(self.first + way)
    }

    /// The possible fillings, if there are exactly two roles, which must both be filled.
    pub fn role_pair(&self) -> Option<[ValueIndexes; 2]> {
        match *self.roles.as_slice() {
            [(first, false), (second, false)] => Some([first, second]),
            _ => None,
        }
    }

    /// Number of ways to fill the roles, and so of actions.
    pub fn way_count(&self) -> usize {
        self.roles.iter().map(|(places, optional)| places.count as usize + usize::from(*optional)).product()
    }
}

/// The meaning of an action, for its features.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Meaning {
    /// The block that contains it.
    pub block: u32,
    /// The numbers or pieces of its first two parts.
    pub parts: [Part; 2],
}

/// A part of the meaning of an action. A piece has its public number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Part {
    #[default]
    Nothing,
    Number(f32),
    Piece(u32),
}

/// Consecutive actions of one sort.
#[derive(Clone, Debug)]
pub struct Block {
    /// Their meaning, in words.
    pub note: String,
    pub first: u32,
    pub count: u32,
}

/// All actions.
#[derive(Clone, Debug, Default)]
pub struct Space {
    /// For each action of the program: the first action of its moves.
    pub kinds: Vec<Option<u32>>,
    /// For each clause: the action for its offer.
    pub offers: Vec<Option<u32>>,
    /// For each action of the program: the actions for its whole moves, if they have any.
    pub flat: Vec<Option<Flat>>,
    /// For each domain that is chosen from: its first action.
    pub things: Vec<(u32, ValueIndexes)>,
    /// The first of the actions for list members without their own actions, if any question needs them.
    pub items: Option<u32>,
    /// All actions in runs of one sort, for the table of the encoding.
    pub blocks: Vec<Block>,
    /// The meaning of each action.
    pub meanings: Vec<Meaning>,
    names: Vec<String>,
}

impl Space {
    /// The actions for games with these players and sizes.
    pub fn new(context: &Context, sizes: &Sizes) -> Space {
        let program = context.program;
        let mut space = Space {
            kinds: vec![None; program.actions.len()],
            offers: vec![None; program.clauses.len()],
            flat: vec![None; program.actions.len()],
            ..Space::default()
        };
        let fixed = ["done", "none", "pass", "yes", "no"].map(str::to_string).into_iter();
        let fixed: Vec<String> = fixed.chain((0..10).map(|digit| format!("digit {digit}"))).collect();
        space.add_block("done: no more members; none: an empty role; digits: large numbers, the first digit first", fixed);
        debug_assert_eq!(space.len(), FIXED as usize);
        let (actions, clauses) = find_actions_in_play(context);
        space.add_kinds(program, &actions, &clauses);
        space.add_flat(program, sizes, &actions);
        let (domains, several) = asked_domains(program, &actions);
        for domain in domains {
            let places = ValueIndexes::new(program, sizes, domain, sizes.numbers);
            let names = (0..places.count).map(|place| places.value_name(program, place)).collect();
            let first = space.add_block("a thing that fills a role or is chosen", names);
            space.things.push((first, places));
            for place in 0..places.count {
                space.meanings[(first + place) as usize].parts[0] = places.value_part(place);
            }
        }
        if several {
            let names = (0..ITEMS).map(|place| format!("item {place}")).collect();
            space.items = Some(space.add_block("one of several equal things, by its index among those left", names));
        }
        space
    }

    pub fn len(&self) -> usize {
        self.names.len()
    }

    pub fn action_name(&self, action: u32) -> Option<String> {
        self.names.get(action as usize).cloned()
    }

    /// The action for a thing, if it has one.
    #[inline]
    pub fn thing_action(&self, context: &Context, machine: &Machine, domain: Domain, value: Value) -> Option<u32> {
        if value == NONE {
            return Some(NOTHING);
        }
        let (first, places) = self.things.iter().find(|(_, places)| places.domain == domain)?;
        places.value_index(context, machine, value).map(|place| first + place)
    }

    /// The action for a number, if it has one.
    pub fn number_action(&self, number: i64) -> Option<u32> {
        let (first, places) = self.things.iter().find(|(_, places)| places.domain == Domain::Number)?;
        let place = u32::try_from(number.checked_sub(i64::from(places.first))?).ok()?;
        (place < places.count).then_some(first + place)
    }

    /// Adds an action for each name, and returns the first.
    fn add_block(&mut self, note: &str, names: Vec<String>) -> u32 {
        let (first, block) = (self.len() as u32, self.blocks.len() as u32);
        self.blocks.push(Block { note: note.to_string(), first, count: names.len() as u32 });
        self.meanings.extend(names.iter().map(|_| Meaning { block, ..Meaning::default() }));
        self.names.extend(names);
        first
    }

    /// Adds an action for each kind of move, and for each offer of an ability without targets.
    fn add_kinds(&mut self, program: &Program, actions: &BTreeSet<usize>, clauses: &BTreeSet<usize>) {
        for id in actions {
            let action = &program.actions[*id];
            let roles: Vec<&str> = action.roles.iter().map(|role| role.name.as_str()).collect();
            let note = match roles.is_empty() {
                true => "a move".to_string(),
                false => format!("a move, followed by its roles: {}", roles.join(", ")),
            };
            self.kinds[*id] = Some(self.add_block(&note, vec![action.name.clone()]));
        }
        for id in clauses {
            let name = &program.clauses[*id].name;
            self.offers[*id] = Some(self.add_block("an offer of an ability", vec![name.clone()]));
        }
    }

    /// Gives moves their own actions, starting with the kinds that have the fewest.
    fn add_flat(&mut self, program: &Program, sizes: &Sizes, actions: &BTreeSet<usize>) {
        let mut flats: Vec<(usize, Flat)> =
            actions.iter().filter_map(|id| Some((*id, make_flat(program, sizes, *id)?))).collect();
        flats.sort_by_key(|(id, flat)| (flat.way_count(), *id));
        let mut left = MOST_OF_ALL;
        for (id, mut flat) in flats {
            if flat.way_count() > left.min(MOST_OF_KIND) {
                continue;
            }
            left -= flat.way_count();
            let action = &program.actions[id];
            let ways: Vec<Vec<Option<u32>>> = (0..flat.way_count()).map(|way| decode_way(&flat, way)).collect();
            let words = |way: &Vec<Option<u32>>| {
                let parts = way.iter().zip(&flat.roles).map(|(place, (places, _))| match place {
                    Some(place) => places.value_name(program, *place),
                    None => "none".to_string(),
                });
                format!("{}({})", action.name, parts.collect::<Vec<_>>().join(", "))
            };
            let names: Vec<String> = ways.iter().map(words).collect();
            let first = self.add_block("whole moves", names);
            for (way, meaning) in ways.iter().zip(&mut self.meanings[first as usize..]) {
                for ((part, place), (places, _)) in meaning.parts.iter_mut().zip(way).zip(&flat.roles) {
                    *part = place.map_or(Part::Nothing, |place| places.value_part(place));
                }
            }
            flat.first = first;
            self.flat[id] = Some(flat);
        }
    }
}

/// Returns the indexes of the fillings for a combined number, in which the last role varies fastest. `None` is an empty role.
fn decode_way(flat: &Flat, way: usize) -> Vec<Option<u32>> {
    let mut rest = way;
    let mut places: Vec<Option<u32>> = Vec::new();
    for (of, optional) in flat.roles.iter().rev() {
        let count = of.count as usize + usize::from(*optional);
        let place = (rest % count) as u32;
        rest /= count;
        places.push((place < of.count).then_some(place));
    }
    places.reverse();
    places
}

/// The ways to fill the roles of an action of the program, if each takes at most one thing that has an index. The caller sets the
/// first action.
fn make_flat(program: &Program, sizes: &Sizes, id: usize) -> Option<Flat> {
    let action = &program.actions[id];
    if action.roles.is_empty() {
        return None;
    }
    let mut roles = Vec::new();
    for (place, role) in action.roles.iter().enumerate() {
        let optional = match role.amount {
            RoleAmount::One => false,
            RoleAmount::OneOrNone => true,
            RoleAmount::Some(..) => return None,
        };
        let domain = Domain::for_shape(program, &role.item)?;
        let numbers = sizes.numbers_of_roles.get(&(id, place)).copied();
        let places = ValueIndexes::new(program, sizes, domain, numbers);
        if places.count == 0 {
            return None;
        }
        roles.push((places, optional));
    }
    Some(Flat { first: 0, roles })
}

/// The actions of the program, and the clauses with offers, that can occur among these players.
fn find_actions_in_play(context: &Context) -> (BTreeSet<usize>, BTreeSet<usize>) {
    let program = context.program;
    let mut actions: BTreeSet<usize> =
        program.families.iter().flat_map(|family| &family.actions).map(|id| usize::from(*id)).collect();
    let mut clauses = BTreeSet::new();
    let abilities: BTreeSet<usize> =
        context.roster.instances.iter().map(|Instance { ability, .. }| usize::from(*ability)).collect();
    for ability in abilities.iter().map(|ability| &program.abilities[*ability]) {
        actions.extend(ability.grants.iter().map(|grant| usize::from(grant.action)));
        for id in &ability.clauses {
            let clause = &program.clauses[usize::from(*id)];
            match clause.action {
                _ if clause.kind != ClauseKind::Offer => {}
                Some(action) => _ = actions.insert(usize::from(action)),
                None => _ = clauses.insert(usize::from(*id)),
            }
        }
    }
    (actions, clauses)
}

/// The domains of choices in questions and moves, and whether several things are ever chosen at once.
fn asked_domains(program: &Program, actions: &BTreeSet<usize>) -> (BTreeSet<Domain>, bool) {
    let mut domains = BTreeSet::new();
    let mut several = false;
    for role in actions.iter().flat_map(|id| &program.actions[*id].roles) {
        domains.extend(Domain::for_shape(program, &role.item));
    }
    for ask in program.code.iter().filter_map(|instruction| instruction.ask_code()) {
        match &ask.what {
            AskCodeWhat::Among { amount, item, .. } => {
                domains.extend(Domain::for_shape(program, item));
                several |= matches!(amount, RoleAmount::Some(..));
            }
            AskCodeWhat::Order { item, .. } => {
                domains.extend(Domain::for_shape(program, item));
                several = true;
            }
            AskCodeWhat::Divide(_) | AskCodeWhat::Number { .. } => _ = domains.insert(Domain::Number),
            AskCodeWhat::Word(words) => _ = domains.insert(Domain::Word(*words)),
            AskCodeWhat::Families(_) | AskCodeWhat::YesNo => {}
        }
    }
    // If several things have the same ability, its holder is chosen next.
    domains.extend([Domain::Piece, Domain::Entrant].into_iter().filter(|_| !actions.is_empty() && has_holders(program)));
    (domains, several)
}

/// Whether an option may name the holder of an ability.
fn has_holders(program: &Program) -> bool {
    !program.abilities.is_empty()
}
