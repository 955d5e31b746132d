//! The program and the roster: everything that stays the same during a session.
//!
//! An *entity* is a side, the table, an entrant or a piece, by its number on the board; pieces come last. An *instance* is an
//! ability of one holder, by its index in the roster. A *listener* is a clause of an instance that acts at a hook. `setup` makes
//! the roster before play.

use crate::runtime::meetings::ClauseUse;
use crate::runtime::seats::Seats;
use ludex_program::{AbilityId, ActionId, HookId, NONE, PIECE_SHEET, Program, SheetId, UseLimit, Value};

/// The parts that stay the same during a session. Nearly every function passes them on.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    pub program: &'a Program,
    pub roster: &'a Roster,
}

impl Context<'_> {
    /// The message of a fault. Games with hidden information leave values out, because they could reveal something.
    pub fn fault_words(&self, with_values: String, without: impl Into<String>) -> String {
        if self.program.hides { without.into() } else { with_values }
    }
}

/// The entrants and their abilities, with the listeners at each hook.
#[derive(Clone, Debug, Default)]
pub struct Roster {
    /// Number of sides.
    pub sides: usize,
    /// The entity of the table.
    pub table: u16,
    /// The entities of each side's entrants.
    pub entrants: Vec<Vec<u16>>,
    /// The ids of the sheets of each side's entrants.
    pub sheets: Vec<Vec<String>>,
    /// The names of the sides' players, as in [`crate::runtime::Setup::names`].
    pub names: Vec<String>,
    /// The name of each entrant in keys, in the order of their entities.
    pub keys: Vec<(u16, String)>,
    /// The names in keys of pieces that are printed on sheets, by number; empty for other pieces.
    pub piece_keys: Vec<String>,
    /// The first entity that is a piece.
    pub first_piece: u16,
    /// The abilities in play, each with its holder.
    pub instances: Vec<Instance>,
    /// The listening clauses in order, by hook and by the side asked first.
    pub listeners: Vec<Vec<Vec<Listener>>>,
    /// The actions that abilities grant, by family.
    pub grants: Vec<Vec<Grant>>,
    /// The restrictions by abilities on each family's moves, as pairs of an instance and the index of a restriction.
    pub restrictions: Vec<Vec<(u16, u16)>>,
    /// The seats that may look into each zone that does not belong to a piece. Filled only in games with hidden information.
    pub seers: Vec<Seats>,
    /// The names that a position gave to pieces.
    pub labels: std::collections::BTreeMap<String, usize>,
}

impl Roster {
    /// The id of an entrant's own file; `None` for other entities.
    pub fn sheet_of(&self, entity: u16) -> Option<&str> {
        let sides = self.entrants.iter().zip(&self.sheets);
        sides
            .flat_map(|(entrants, sheets)| entrants.iter().zip(sheets))
            .find(|(own, _)| **own == entity)
            .map(|(_, id)| id.as_str())
    }

    /// The print of an entrant's file, by its place among the prints of the program; `None` for other entities.
    pub fn print_of(&self, program: &Program, entrant: Value) -> Option<Value> {
        let sheet = self.sheet_of(u16::try_from(entrant).ok()?)?;
        program.sheets.get(sheet).map(|sheet| sheet.print)
    }

    /// Whether an entity has something that only entrants with certain sheets have.
    pub fn matches_sheets(&self, program: &Program, entity: Value, sheets: &[SheetId]) -> bool {
        let print = || program.prints.find_print(self.print_of(program, entity)?);
        sheets.is_empty() || print().is_some_and(|print| program.prints.matches_sheets(print.sheet, sheets))
    }

    /// The key of the piece with a number: the id of its sheet, or `otter#2` for the second piece of that sheet. Pieces without a
    /// sheet go by the number.
    pub fn key_of_number(&self, number: usize) -> String {
        match self.piece_keys.get(number) {
            Some(key) if !key.is_empty() => key.clone(),
            _ => number.to_string(),
        }
    }

    /// The number of the piece with a key.
    pub fn number_by_key(&self, key: &str) -> Option<usize> {
        let printed = self.piece_keys.iter().position(|known| known == key && !key.is_empty());
        printed.or_else(|| key.parse().ok())
    }

    /// Gives keys to the pieces that are printed on sheets.
    pub fn name_pieces(&mut self, program: &Program, board: &crate::runtime::state::Board) {
        let mut seen: std::collections::BTreeMap<Value, usize> = std::collections::BTreeMap::new();
        let pieces = board.entities.iter().enumerate().skip(usize::from(self.first_piece));
        let mut key = |(id, entity): (usize, &crate::runtime::state::Entity)| {
            if !program.is_printed(entity.kind) {
                return String::new();
            }
            let print = board.field(id as Value, PIECE_SHEET).unwrap_or(NONE);
            let place = seen.entry(print).and_modify(|place| *place += 1).or_insert(1);
            let sheet = program.prints.find_print(print).map_or("", |print| print.id.as_str());
            if *place == 1 { sheet.to_string() } else { format!("{sheet}#{place}") }
        };
        self.piece_keys = match program.kinds.iter().enumerate().any(|(kind, _)| program.is_printed(kind as u16)) {
            true => pieces.map(&mut key).collect(),
            false => Vec::new(),
        };
    }

    /// The side an entrant belongs to, and its place there.
    pub fn place_of(&self, entity: u16) -> Option<(usize, usize)> {
        let places = self.entrants.iter().enumerate();
        places.into_iter().find_map(|(side, own)| Some((side, own.iter().position(|entrant| *entrant == entity)?)))
    }

    /// The name of an entrant in keys and scenarios: its sheet's id, or `otter#2` for the second of that id in the order of the
    /// sides.
    pub fn entrant_key(&self, entity: u16) -> Option<&str> {
        self.keys.iter().find(|(own, _)| *own == entity).map(|(_, key)| key.as_str())
    }

    /// Whether an entity is an entrant of a side that brings several.
    pub fn is_one_of_several(&self, entity: u16) -> bool {
        self.entrants.iter().any(|entrants| entrants.len() > 1 && entrants.contains(&entity))
    }

    /// The entrant with a key.
    pub fn entrant_by_key(&self, key: &str) -> Option<u16> {
        self.keys.iter().find(|(_, own)| own == key).map(|(entrant, _)| *entrant)
    }

    /// Gives all entrants their keys.
    pub fn name_entrants(&mut self) {
        let entrants = self.entrants.iter().flatten().copied();
        let key = |entrant| match (self.sheet_of(entrant)?, self.place_among_alike(entrant)?) {
            (id, 1) => Some((entrant, id.to_string())),
            (id, place) => Some((entrant, format!("{id}#{place}"))),
        };
        self.keys = entrants.filter_map(key).collect();
    }

    /// The entrant's place among those with the same sheet, from 1.
    pub fn place_among_alike(&self, entity: u16) -> Option<usize> {
        let id = self.sheet_of(entity)?;
        let mut alike = self.entrants.iter().flatten().filter(|other| self.sheet_of(**other) == Some(id));
        Some(alike.position(|other| *other == entity)? + 1)
    }

    /// All clauses that listen to a hook, if it does not matter which side is asked first.
    #[inline]
    pub fn listeners_of(&self, hook: HookId) -> &[Listener] {
        self.listeners[hook as usize].first().map_or(&[], Vec::as_slice)
    }

    /// Whether any ability listens to a hook.
    #[inline]
    pub fn has_listeners(&self, hook: HookId) -> bool {
        !self.listeners_of(hook).is_empty()
    }
}

/// An ability on an entrant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Instance {
    pub ability: AbilityId,
    /// The side of its holder when play begins.
    pub side: u16,
    /// The entity that has it: an entrant or a piece.
    pub holder: u16,
    /// The index of its first counter in [`crate::runtime::state::State::uses`].
    pub uses: u16,
    /// The values that the sheet sets for the ability's parameters, or [`NONE`].
    pub settings: Value,
    /// True if the rules give a condition for it to work.
    pub conditional: bool,
    /// The limit of its uses, if it has exactly one and no other ability's uses count towards it.
    pub limit: Option<UseLimit>,
}

/// A clause of an ability in play that acts at a hook.
#[derive(Clone, Copy, Debug)]
pub struct Listener {
    pub clause: u16,
    pub instance: u16,
}

impl From<&ClauseUse> for Listener {
    fn from(which: &ClauseUse) -> Listener {
        Listener { clause: which.clause, instance: which.instance }
    }
}

/// An action that an ability in play adds to a family.
#[derive(Clone, Copy, Debug)]
pub struct Grant {
    pub instance: u16,
    /// Index among the ability's grants.
    pub index: u16,
}

impl Grant {
    /// The action that is granted.
    pub fn granted_action(&self, program: &Program, roster: &Roster) -> ActionId {
        let ability = roster.instances[usize::from(self.instance)].ability;
        program.abilities[usize::from(ability)].grants[usize::from(self.index)].action
    }
}
