//! Who plays by which rules: what does not change while a session lasts.

use crate::runtime::meetings::Use;
use crate::runtime::seats::Seats;
use ludex_program::{AbilityId, ActionId, HookId, NONE, PIECE_SHEET, Program, SheetId, UseLimit, Value};

/// What does not change while a session lasts. Nearly every function hands it on.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    pub program: &'a Program,
    pub roster: &'a Roster,
}

impl Context<'_> {
    /// What a fault says: without its values where something is hidden, since they may follow from that.
    pub fn fault_words(&self, with_values: String, without: impl Into<String>) -> String {
        if self.program.hides { without.into() } else { with_values }
    }
}

/// Who plays: the entrants and their abilities, and which abilities listen where.
#[derive(Clone, Debug, Default)]
pub struct Roster {
    pub sides: usize,
    pub table: u16,
    /// The entities of each side's entrants, and the ids of their sheets.
    pub entrants: Vec<Vec<u16>>,
    pub sheets: Vec<Vec<String>>,
    /// What the players of the sides are called, as in [`crate::runtime::Setup::names`].
    pub names: Vec<String>,
    /// What keys call each entrant, in the order of their entities.
    pub keys: Vec<(u16, String)>,
    /// What keys call the pieces that are printed on sheets, by number; others have no name there.
    pub piece_keys: Vec<String>,
    /// The first entity that is a piece.
    pub first_piece: u16,
    pub instances: Vec<Instance>,
    /// For each hook and each side asked first: the clauses that listen, in order.
    pub listeners: Vec<Vec<Vec<Listener>>>,
    /// For each family: granted actions.
    pub grants: Vec<Vec<Grant>>,
    /// For each family: what abilities forbid or demand of its moves, by instance.
    pub restrictions: Vec<Vec<(u16, u16)>>,
    /// Who may look into each zone that is no piece's, in a game in which something is hidden.
    pub seers: Vec<Seats>,
    /// The names a position gave to pieces.
    pub labels: std::collections::BTreeMap<String, usize>,
}

impl Roster {
    /// The id of an entrant's own file; none for whoever is no entrant.
    pub fn sheet_of(&self, entity: u16) -> Option<&str> {
        let sides = self.entrants.iter().zip(&self.sheets);
        sides
            .flat_map(|(entrants, sheets)| entrants.iter().zip(sheets))
            .find(|(own, _)| **own == entity)
            .map(|(_, id)| id.as_str())
    }

    /// What an entrant's file prints, by its place among the prints of the program; none for whoever is no entrant.
    pub fn print_of(&self, program: &Program, entrant: Value) -> Option<Value> {
        let sheet = self.sheet_of(u16::try_from(entrant).ok()?)?;
        program.sheets.get(sheet).map(|sheet| sheet.print)
    }

    /// Whether an entity has what only some sheets of entrants have.
    pub fn has(&self, program: &Program, entity: Value, sheets: &[SheetId]) -> bool {
        let print = || program.prints.print(self.print_of(program, entity)?);
        sheets.is_empty() || print().is_some_and(|print| program.prints.has(print.sheet, sheets))
    }

    /// What keys call the piece that goes under a number: the id of its sheet, `otter#2` for the second of that sheet; others by
    /// the number.
    pub fn key_of_number(&self, number: usize) -> String {
        match self.piece_keys.get(number) {
            Some(key) if !key.is_empty() => key.clone(),
            _ => number.to_string(),
        }
    }

    /// The number of the piece that a key calls so.
    pub fn number_called(&self, key: &str) -> Option<usize> {
        let printed = self.piece_keys.iter().position(|known| known == key && !key.is_empty());
        printed.or_else(|| key.parse().ok())
    }

    /// Gives the pieces that are printed on sheets their keys.
    pub fn name_pieces(&mut self, program: &Program, board: &crate::runtime::state::Board) {
        let mut seen: std::collections::BTreeMap<Value, usize> = std::collections::BTreeMap::new();
        let pieces = board.entities.iter().enumerate().skip(usize::from(self.first_piece));
        let mut key = |(id, entity): (usize, &crate::runtime::state::Entity)| {
            if !program.is_printed(entity.kind) {
                return String::new();
            }
            let print = board.field(id as Value, PIECE_SHEET).unwrap_or(NONE);
            let place = seen.entry(print).and_modify(|place| *place += 1).or_insert(1);
            let sheet = program.prints.print(print).map_or("", |print| print.id.as_str());
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

    /// What keys and scenarios call an entrant: its sheet's id, and `otter#2` for the second of that id in the order of
    /// the sides.
    pub fn entrant_key(&self, entity: u16) -> Option<&str> {
        self.keys.iter().find(|(own, _)| *own == entity).map(|(_, key)| key.as_str())
    }

    /// Whether an entity is an entrant of a side that brings several.
    pub fn is_one_of_several(&self, entity: u16) -> bool {
        self.entrants.iter().any(|entrants| entrants.len() > 1 && entrants.contains(&entity))
    }

    /// The entrant of a name in a key.
    pub fn entrant_called(&self, key: &str) -> Option<u16> {
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

    /// From 1: which of the entrants of its sheet it is.
    pub fn place_among_alike(&self, entity: u16) -> Option<usize> {
        let id = self.sheet_of(entity)?;
        let mut alike = self.entrants.iter().flatten().filter(|other| self.sheet_of(**other) == Some(id));
        Some(alike.position(|other| *other == entity)? + 1)
    }

    /// All clauses that listen to a hook, for whoever does not care which side is asked first.
    #[inline]
    pub fn listeners_of(&self, hook: HookId) -> &[Listener] {
        self.listeners[hook as usize].first().map_or(&[], Vec::as_slice)
    }

    /// Whether any ability listens to a hook.
    #[inline]
    pub fn hears(&self, hook: HookId) -> bool {
        !self.listeners_of(hook).is_empty()
    }
}

/// An ability on an entrant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Instance {
    pub ability: AbilityId,
    pub side: u16,
    pub holder: u16,
    /// The first of its counts in [`crate::runtime::state::State::uses`].
    pub uses: u16,
    /// What the sheet sets for the ability's parameters, or [`NONE`].
    pub settings: Value,
    /// The rules say when it works.
    pub conditional: bool,
    /// The limit of its uses, if there is one alone and nobody else's uses count.
    pub limit: Option<UseLimit>,
}

#[derive(Clone, Copy, Debug)]
pub struct Listener {
    pub clause: u16,
    pub instance: u16,
}

impl From<&Use> for Listener {
    fn from(which: &Use) -> Listener {
        Listener { clause: which.clause, instance: which.instance }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Grant {
    pub instance: u16,
    /// Which of the ability's grants.
    pub index: u16,
}

impl Grant {
    /// The action that is granted.
    pub fn action(&self, program: &Program, roster: &Roster) -> ActionId {
        let ability = roster.instances[usize::from(self.instance)].ability;
        program.abilities[usize::from(ability)].grants[usize::from(self.index)].action
    }
}
