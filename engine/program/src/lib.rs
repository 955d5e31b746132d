//! The compiled form of a game: flat tables indexed by small ids, and coarse instructions.
//!
//! A program is made for one game, one mode and one set of option values, and never changes.

mod aggregates;
pub mod asked;
mod boards;
mod bounds;
mod code;
mod expression;
mod faults;
pub mod flow;
pub mod loops;
pub mod operands;
mod pairing;
pub mod presence;
mod prints;
pub mod sets;
mod sides;
pub mod told;
pub mod veils;

use ludex_syntax::problem::{Problem, joined};
use ludex_syntax::source::Span;
use serde::{Deserialize, Serialize};
use sets::{Sets, SetsOfCode};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::OnceLock;

pub use aggregates::{Aggregate, AggregateKind, Aggregation};
pub use boards::{Around, BoardInfo, Line, MOST_BOARD_CELLS, MOST_CELLS_IN_GAME, OnBoard};
pub use code::*;
pub use expression::{BestKey, Calculation, Expr, MOST_REMEMBERED, Supposed};
pub use faults::MOST_IN_RANGE;
pub use ludex_syntax::tree::Quantifier;
pub use pairing::Pairing;
pub use prints::{Listed, PIECE_SHEET, Print, Printed, Prints, SheetId, SheetInfo, lacking};

/// A whole number; a flag (0, 1); a word's index; an entity's id; a zone's index; a list's or a move's
/// place in the arena of lists. Which of these is known when compiling.
pub type Value = i32;

/// The value that stands for `none`.
pub const NONE: Value = i32::MIN;

/// A place for one value in the frame of what runs: parameters first, then variables. What runs in it numbers them from 0.
pub type Slot = u16;
/// An index into [`Program::kinds`].
pub type KindId = u16;
/// An index into [`Program::hooks`].
pub type HookId = u16;
/// An index into [`Program::actions`].
pub type ActionId = u16;
/// An index into [`Program::families`].
pub type FamilyId = u16;
/// An index into [`Program::procedures`].
pub type ProcedureId = u16;
/// An index into [`Program::abilities`].
pub type AbilityId = u16;
/// An index into [`Program::texts`].
pub type TextId = u32;
/// An index into [`Program::code`].
pub type Address = u32;

/// The kind of the table. Every game has it, and that of sides, before its own.
pub const TABLE: KindId = 0;
/// The kind of sides.
pub const SIDE: KindId = 1;

/// The priority of a clause that comes before all others of its kind: `early`.
pub const EARLY: i32 = i32::MIN;
/// The priority of a clause that comes after all others of its kind: `late`.
pub const LATE: i32 = i32::MAX;

/// The most sides of a game, and the most entrants of a side.
pub const MOST_SEATS: usize = 100;

/// The most roles an action has.
pub const MOST_ROLES: usize = 6;
/// The most parameters a procedure has.
pub const MOST_PARAMETERS: usize = 8;
/// The most marks a game has: what bears them keeps a bit for each.
pub const MOST_MARKS: usize = 32;

/// The fields every piece has, at the start of its cells.
pub const PIECE_OWNER: u16 = 0;
pub const DIE_SIZE: u16 = 1;
pub const DIE_VALUE: u16 = 2;

/// A compiled game in one mode and with one value for each option. It never changes, and many sessions may share it.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The game's id: `pond`.
    pub game: String,
    /// The name that players read: `Pond`.
    pub title: String,
    /// The mode it was compiled in: `standard`, unless another one was wanted.
    pub mode: String,
    /// Other ways to play it.
    pub modes: Vec<ModeInfo>,
    /// The options in declared order with the values this program was made for.
    pub options: Vec<GameOption>,
    /// How many sides play, and what each of them brings.
    pub sides: SidesInfo,
    /// The sizes that plain dice may have, from `die sizes 4 6 8`. Empty where the game has no plain dice.
    pub die_sizes: Vec<i32>,
    /// The kind of piece that `die sizes` makes.
    pub die: Option<KindId>,
    /// Moving a piece may set off more: zones have room for so many only, or pieces bear others.
    pub bearing: bool,
    /// Some zones, or what some sides have, are not open to all.
    pub hides: bool,
    /// Pieces are made on the table for sides, and so lie among those of others.
    pub shared: bool,
    /// The dice whose faces are not 1 to their size.
    pub faces: Vec<Faces>,
    /// The kinds of things: the table, the side, then those that the game declares.
    pub kinds: Vec<Kind>,
    /// The boards that these things have.
    pub boards: Vec<BoardInfo>,
    /// The lists of words that fields and options are chosen from, see [`Shape::Word`].
    pub words: Vec<WordType>,
    /// For sides: names that stand for members of what a field refers to.
    pub lending: Vec<(String, u16)>,
    /// Kinds of pieces of which some may belong to nobody; what sheets print always belongs to somebody.
    pub ownerless: Vec<KindId>,
    /// The marks that things may bear, in the order declared.
    pub marks: Vec<MarkInfo>,
    /// The moments at which abilities may act.
    pub hooks: Vec<HookInfo>,
    /// The families of moves that questions ask for.
    pub families: Vec<FamilyInfo>,
    /// The actions of the rules first, then those that abilities grant and the targets of their offers.
    pub actions: Vec<ActionInfo>,
    /// The procedures of the rules, in the order declared.
    pub procedures: Vec<ProcedureInfo>,
    /// The abilities of the game in this mode.
    pub abilities: Vec<AbilityInfo>,
    /// What abilities and marks do at hooks: triggers, offers, modifiers and what comes instead.
    pub clauses: Vec<ClauseInfo>,
    /// What is forbidden and demanded.
    pub restrictions: Vec<RestrictionInfo>,
    /// All sentences that the rules give to players, in parts.
    pub texts: Vec<Vec<TextPart>>,
    /// Where the texts with holes stand that are written in rules and headers.
    pub text_spans: BTreeMap<TextId, Span>,
    /// The holes of texts that can fail.
    pub checks: BTreeMap<TextId, Vec<TextPart>>,
    /// Names that rules give to events.
    pub event_names: Vec<String>,
    /// Words that abilities answer, of all hooks.
    pub answers: Vec<String>,
    pub code: Vec<Instruction>,
    /// For each instruction, where it stands and the rules it cites.
    pub places: Vec<Place>,
    /// What slots hold from where on, in the order of the code.
    pub locals: Vec<LocalInfo>,
    /// What [`Program::join`] has found.
    pub joins: OnceLock<Vec<Option<Address>>>,
    /// Of which kinds the things are whose fields an instruction sets, where something is hidden.
    pub kinds_set: BTreeMap<Address, Vec<KindId>>,
    /// What [`Program::set_elsewhere`] has found.
    pub sets_of_code: OnceLock<SetsOfCode>,
    /// The procedure named `play`.
    pub play: ProcedureId,
    /// What the referee is called, if there is one: a seat after those of the sides, on no side.
    pub referee: Option<String>,
    /// Ways to play, each for one family.
    pub policies: Vec<PolicyInfo>,
    /// What alone comes into variables that questions fill.
    pub asked: asked::Asked,
    /// `standing of side`: its only parameter is in slot 0.
    pub standing: Option<Formula>,
    /// Initial values of fields that are not 0: `(kind, field, formula with the entity in slot 0)`.
    pub defaults: Vec<(KindId, u16, Formula)>,
    /// What is printed on cards and their parts.
    pub prints: Prints,
    /// The entrants that may be chosen, by id (file stem).
    pub sheets: BTreeMap<String, Sheet>,
    /// Abilities that the game has in other modes only: sheets may list them.
    pub absent_abilities: BTreeSet<String>,
    /// Hash over the game's files, as hexadecimal digits.
    pub hash: String,
    /// What a package extends, the game itself first.
    pub parents: Vec<Parent>,
    /// Hashes of each file the game was compiled from.
    pub files: Vec<(String, String)>,
    /// The names of the files spans point into, and where their lines start.
    pub sources: ludex_syntax::source::Sources,
    /// Definitions, tables and values of hooks that scripts name.
    pub named: Vec<NamedValue>,
    /// The files of abilities, which hold their functions.
    pub scripts: Vec<ScriptFile>,
    /// The code of those functions.
    pub script_code: Range<Address>,
    /// Their statements and conditions.
    pub script_points: Vec<ScriptPoint>,
}

/// A way to play a game that is chosen before a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModeInfo {
    /// What commands and files call it: `short`.
    pub name: String,
    /// What players read.
    pub title: String,
}

/// A game or package that another extends, with the hash over its own files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parent {
    /// Its id, as in `rules/<id>/`.
    pub id: String,
    /// Over the files of this one alone, as hexadecimal digits.
    pub hash: String,
}

impl Program {
    /// The names of the policies by which bots can play.
    pub fn policy_names(&self) -> BTreeSet<&str> {
        self.policies.iter().map(|policy| policy.name.as_str()).collect()
    }

    /// The package itself, then what it extends, the nearest first.
    pub fn packages(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.game.as_str()).chain(self.parents.iter().rev().map(|parent| parent.id.as_str()))
    }
}

impl Parent {
    /// The id and the hash.
    pub fn pair(&self) -> (&str, &str) {
        (&self.id, &self.hash)
    }
}

/// How a policy chooses among the moves of a family. Slots: the family's parameters, then the move.
#[derive(Clone, Debug)]
pub struct PolicyInfo {
    pub name: String,
    pub family: FamilyId,
    /// The first line that applies decides, later ones break ties.
    pub lines: Vec<PolicyLine>,
    pub slots: u16,
}

#[derive(Clone, Debug)]
pub struct PolicyLine {
    /// It counts so many times in so many; without it, always.
    pub chance: Option<(u64, u64)>,
    /// When the line applies to a move; always if there is none.
    pub when: Option<Expr>,
    /// The moves for which this is highest are preferred.
    pub prefer: Expr,
}

/// An expression with the number of slots it needs.
#[derive(Clone, Debug)]
pub struct Formula {
    pub expr: Expr,
    pub slots: u16,
}

/// Something that is chosen before a match and does not change during it: `option flies = 3 in 1..9`.
#[derive(Clone, Debug)]
pub struct GameOption {
    /// What rules and commands call it.
    pub name: String,
    /// What players read of it; empty if the rules say nothing.
    pub text: String,
    /// What may be chosen.
    pub kind: GameOptionKind,
    /// The value where nothing is chosen.
    pub default: Value,
    /// The value that the program was made for.
    pub value: Value,
    /// The program was made to be looked at, and this may have any of its values.
    pub open: bool,
    /// The ids of the rules that its declaration cites.
    pub rules: Vec<String>,
}

/// What may be chosen for an option.
#[derive(Clone, Debug, PartialEq)]
pub enum GameOptionKind {
    /// A whole number.
    Number {
        /// The lowest number that may be chosen.
        least: Value,
        /// The highest.
        most: Value,
    },
    /// One of these words. The value is its place, from 0.
    Words(Vec<String>),
}

impl GameOption {
    /// What its name stands for in the rules: its value, unless that is open. `place` is where it stands among the options.
    pub fn as_expr(&self, place: usize) -> Expr {
        if self.open { Expr::Option(place as u16) } else { Expr::Constant(self.value) }
    }

    /// A value as a person writes it.
    pub fn shown(&self, value: Value) -> String {
        match &self.kind {
            GameOptionKind::Number { .. } => value.to_string(),
            GameOptionKind::Words(words) => words.get(value as usize).cloned().unwrap_or_default(),
        }
    }
}

/// Who may play: `sides 2 of 1..3 character`.
#[derive(Clone, Debug, Default)]
pub struct SidesInfo {
    /// The fewest sides there may be.
    pub least: usize,
    /// The most sides there may be.
    pub most: usize,
    /// The fewest entrants that a side may bring; 0 where sides bring nothing.
    pub entrants_least: usize,
    /// The most entrants that a side may bring; 0 where sides bring nothing.
    pub entrants_most: usize,
    /// The kind of the entrants.
    pub entrant: Option<KindId>,
    /// All sides bring the same number of entrants.
    pub equally_many: bool,
    /// No side brings two of the same sheet.
    pub all_different: bool,
    /// The sides sit in a ring, so that each has neighbours: `in a ring`.
    pub ring: bool,
    /// What players call the sides, in their order; empty where the rules do not say it.
    pub names: Vec<String>,
    /// What every entrant must be that is to play.
    pub admission: Option<Admission>,
}

impl SidesInfo {
    /// Two sides with one entrant each, if there are any: what a game has that says nothing else.
    pub fn two(entrant: Option<KindId>) -> SidesInfo {
        let entrants_least = usize::from(entrant.is_some());
        SidesInfo { least: 2, most: 2, entrants_least, entrants_most: 1, entrant, ..SidesInfo::default() }
    }
}

/// A condition of an entrant, which stands in the first slot.
#[derive(Clone, Debug)]
pub struct Admission {
    pub when: Expr,
    /// What players read of one that is not so.
    pub why_not: TextId,
    pub slots: u16,
}

/// A kind of things, with what each thing of it has.
#[derive(Clone, Debug)]
pub struct Kind {
    /// What the rules call one of them: `frog`.
    pub name: String,
    /// What the rules call several: `frogs`.
    pub plural: String,
    /// Which of the four sorts of things they are.
    pub sort: KindSort,
    /// The fields that each of them has, in the order in which the board keeps them.
    pub fields: Vec<FieldInfo>,
    /// The zones that each of them has, in the order in which the board keeps them.
    pub zones: Vec<ZoneInfo>,
    /// What players call one of them, if the rules say so; nothing else is printed on them.
    pub title: Vec<TitlePart>,
}

/// A part of what players call a piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TitlePart {
    /// Words of the rules.
    Words(String),
    /// What one of its fields is.
    Field(u16),
}

/// A die with faces of its own. It is a kind for itself, with all that other dice have; its size is the number of its faces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faces {
    /// The kind of dice that has these faces, among [`Program::kinds`].
    pub kind: KindId,
    /// What players call it: `d%`.
    pub title: String,
    /// What the faces show, each 1 or more. A number may be there several times, and is then as much more likely.
    pub values: Vec<Value>,
}

impl Faces {
    /// `1, 2, 3 or 5`, and of many only the first and the last few.
    pub fn words(&self) -> String {
        let mut words: Vec<String> = self.values.iter().map(Value::to_string).collect();
        if words.len() > 12 {
            words.splice(6..words.len() - 2, ["…".to_string()]);
        }
        joined(&words, "or")
    }
}

/// What a kind of things can be, whatever the game calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KindSort {
    /// The one table.
    Table,
    /// A side: those who win and lose together.
    Side,
    /// What a side brings, such as a character or a deck.
    Entrant,
    /// What is in zones and moves: dice, cards and pieces.
    Piece,
}

/// A field or counter that things of a kind have, or a line that a sheet prints.
#[derive(Clone, Debug)]
pub struct FieldInfo {
    /// What the rules call it: `flies`.
    pub name: String,
    /// What its values are.
    pub shape: Shape,
    pub range: Option<(Value, Value)>,
    /// Of a list: how many members it has room for. Its cell counts them, and they are in the cells behind it, each of which is
    /// a field without a name.
    pub room: u16,
    /// Declared with `counter`.
    pub counter: bool,
    /// Players read it on the table: a counter, or a field that says so.
    pub shown: bool,
    /// Who reads it there. What only some may read is not `shown`.
    pub seen: Seen,
    /// The value before play, where it needs no formula.
    pub initial: Value,
    /// A sheet's file may tell it.
    pub printed: bool,
    /// The file may leave it out.
    pub optional: bool,
    /// Of an entrant: the sheets that have it, with those that build on them. None are listed where all have it.
    pub sheets: Vec<SheetId>,
    /// What players read where it does not say its name and its value: nothing, if there are no parts.
    pub text: Option<Vec<TitlePart>>,
}

impl FieldInfo {
    /// One that a file prints.
    pub fn printed(name: &str, shape: Shape, range: Option<(Value, Value)>, optional: bool) -> FieldInfo {
        let (name, sheets) = (name.to_string(), Vec::new());
        FieldInfo {
            name,
            shape,
            range,
            room: 0,
            counter: false,
            shown: false,
            seen: Seen::All,
            initial: 0,
            printed: true,
            optional,
            sheets,
            text: None,
        }
    }
}

/// What a value is, for whoever shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A whole number.
    Number,
    /// A number of halves: 5 is 2.5.
    Halves,
    /// Yes or no, 1 or 0.
    Flag,
    /// One of several words: the index of their list among [`Program::words`]. The value is the word's place in it.
    Word(u16),
    /// A thing of a kind, by its number on the board.
    Entity(KindId),
    /// A place for pieces of a kind.
    Zone(KindId),
    /// Several values of a shape.
    List(Box<Shape>),
    /// A move of a family.
    Move(FamilyId),
    /// Something printed, by its place in [`Prints::prints`]: what a card is, or a part of it.
    Sheet(SheetId),
    /// A printed text, which [`Prints::text`] gives.
    Text,
    /// A value of a shape, or [`NONE`].
    OrNone(Box<Shape>),
    /// No value: what a procedure gives that gives nothing.
    Nothing,
}

impl Shape {
    /// Whether values of this shape are places in the arena of lists.
    pub fn is_list(&self) -> bool {
        match self {
            Shape::List(_) | Shape::Move(_) => true,
            Shape::OrNone(inner) => inner.is_list(),
            _ => false,
        }
    }

    /// Whether there are so few values of this shape, in a range if it is a number, that any of them can be drawn.
    pub fn is_bounded(&self, range: Option<(Value, Value)>) -> bool {
        match self {
            Shape::OrNone(inner) => inner.is_bounded(range),
            Shape::List(inner) => !inner.is_list() && range.is_some() && inner.is_bounded(range),
            Shape::Flag | Shape::Word(_) | Shape::Entity(SIDE) => true,
            Shape::Number => range.is_some(),
            _ => false,
        }
    }

    /// Whether a field of this shape begins as 0, no, a word, `none` or the empty list, and need not be said.
    pub fn begins_by_itself(&self) -> bool {
        !matches!(self, Shape::Text | Shape::Entity(_) | Shape::Zone(_) | Shape::Sheet(_))
    }
}

/// A zone that things of a kind have: a place for pieces.
#[derive(Clone, Debug)]
pub struct ZoneInfo {
    /// What the rules call it: `nest`.
    pub name: String,
    /// The kind of the pieces that may be in it, among [`Program::kinds`].
    pub holds: KindId,
    /// Who sees which pieces are in it. How many there are, all can count.
    pub seen: Seen,
    pub ordered: bool,
    /// What lies here takes no part in play.
    pub out_of_play: bool,
    /// How many pieces may lie here.
    pub most: Option<u32>,
    /// Of a piece's zone: where each piece goes, which is in slot 0, when the one that bears the zone leaves play.
    pub falls: Option<Formula>,
    /// The sheet's file lists what lies here when the game starts.
    pub printed: bool,
    /// The file may leave the list out.
    pub optional: bool,
    /// Of an entrant: the sheets that have it, with those that build on them. None are listed where all have it.
    pub sheets: Vec<SheetId>,
    /// The board that it is a cell of, among [`Program::boards`].
    pub board: Option<u16>,
}

impl ZoneInfo {
    /// A zone of which nothing more is said than what it holds.
    pub fn plain(name: &str, holds: KindId) -> ZoneInfo {
        let (name, seen) = (name.to_string(), Seen::All);
        ZoneInfo {
            name,
            holds,
            seen,
            ordered: false,
            out_of_play: false,
            most: None,
            falls: None,
            printed: false,
            optional: false,
            sheets: Vec::new(),
            board: None,
        }
    }
}

/// Who sees what is in a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// Everybody.
    All,
    /// The seat of the side whose zone it is: `seen by owner`.
    Owner,
    /// The seats of all other sides: `seen by all but owner`.
    Others,
    /// No seat at all: `seen by nobody`.
    Nobody,
}

/// A list of words, one of which is a value of [`Shape::Word`].
#[derive(Clone, Debug)]
pub struct WordType {
    pub name: String,
    /// What the rules call all of its words, if they do.
    pub plural: Option<String>,
    /// In the order declared; a value is a place among them, from 0.
    pub words: Vec<String>,
}

/// Something that a thing can bear for a time: `mark tired "cannot hop"`.
#[derive(Clone, Debug, Default)]
pub struct MarkInfo {
    /// What the rules call it: `tired`.
    pub name: String,
    /// What players read of whoever bears it; a mark without is the rules' own business.
    pub text: String,
    /// It stands on the table, and its coming and going is not told.
    pub untold: bool,
    /// A sheet may give it to a die, which is called by it then.
    pub printed: bool,
    /// The kind of thing that it is declared with.
    pub kind: KindId,
    pub fields: Vec<MarkField>,
    /// Clauses that change values while it lasts. Slots: the hook's parameters, `me`, `holder`, the fields, `it`.
    pub modifiers: Vec<u16>,
    /// What it forbids and demands while it lasts.
    pub restrictions: Vec<u16>,
}

impl MarkInfo {
    /// Whether players may know of it.
    pub fn is_told(&self) -> bool {
        !self.text.is_empty() || self.printed
    }

    /// Whether it does something while it lasts.
    pub fn is_live(&self) -> bool {
        !(self.fields.is_empty() && self.modifiers.is_empty() && self.restrictions.is_empty())
    }
}

#[derive(Clone, Debug)]
pub struct MarkField {
    pub name: String,
    /// What it is if nothing is said, with what bears the mark in slot 0.
    pub default: Option<Formula>,
}

/// What an ability or a mark forbids or demands of the moves of a family. Slots: the family's parameters, `me`, `holder`,
/// what the sheet sets or the mark's fields, `it`.
#[derive(Clone, Debug)]
pub struct RestrictionInfo {
    /// The family, among [`Program::families`]. Moves of the families that are part of it are meant, too.
    pub family: FamilyId,
    /// Moves are legal only if the condition holds, rather than only if it does not.
    pub demand: bool,
    pub when: Expr,
    /// The slot of the move.
    pub it: Slot,
    pub slots: u16,
    pub ability: Option<AbilityId>,
    pub mark: Option<u16>,
    pub span: Span,
    /// The ids of the rules that its line cites.
    pub rules: Vec<String>,
}

/// A moment at which abilities may act, or a value that they may change: `hook turn_begins(active: side)`.
#[derive(Clone, Debug)]
pub struct HookInfo {
    /// What rules and abilities call it.
    pub name: String,
    /// What abilities may know of it: names and what they are.
    pub params: Vec<(String, Shape)>,
    pub answers: Vec<String>,
    /// The owners are asked in turn, again and again, until all have passed one after the other: `goes round`. Otherwise each is
    /// asked until they pass, and not again.
    pub goes_round: bool,
    /// What those who are offered something here read; the parameters are in slots 0….
    pub prompt: Option<TextId>,
    /// When it comes, for whoever asks when something may be used.
    pub moment: Option<String>,
    /// A hook with a value: what it is before modifiers, with the parameters in slots 0….
    pub value: Option<(Shape, Formula)>,
    /// The layers in which modifiers change its value, the first first: `in layers bonus, fixed`. Empty where the rules name
    /// none.
    pub layers: Vec<String>,
    /// What is offered here may depend on things that not all can see: that there is nothing must not show.
    pub veiled: bool,
    /// Slots a window of this hook needs: its parameters, `me`, `holder`, and the most any clause needs.
    pub slots: u16,
}

/// A family of moves: what a question asks for, and what its moves have in common.
#[derive(Clone, Debug)]
pub struct FamilyInfo {
    /// What the rules call it: `attack`.
    pub name: String,
    /// The family that it is part of.
    pub base: Option<FamilyId>,
    /// Itself and those that are part of it: their moves are its moves.
    pub parts: Vec<FamilyId>,
    pub params: Vec<(String, Shape)>,
    pub fields: Vec<(String, Shape)>,
    /// Declared by the rules, in order.
    pub actions: Vec<ActionId>,
    /// The sets of candidates that these share, each by an action and a role of it that takes them.
    pub shared: Vec<(ActionId, u16)>,
    /// All actions have [`ActionInfo::fillings`].
    pub plain: bool,
    /// Whether it has a move may depend on things that not all can see.
    pub hidden: bool,
    /// The most slots that any of these needs.
    pub slots: u16,
}

/// A kind of move: an action of the rules, one granted by an ability, or the targets of an offer.
#[derive(Clone, Debug)]
pub struct ActionInfo {
    /// What the rules and the keys of moves call it: `leap`.
    pub name: String,
    pub family: Option<FamilyId>,
    /// What stands in the first slots: the family's parameters, or the hook's, then `me` and `holder` for abilities.
    pub context: u16,
    /// The first role's slot is `context`, the second's the next, and so on.
    pub roles: Vec<RoleInfo>,
    /// Conditions that mention no role.
    pub guard: Vec<Expr>,
    pub search: SearchPlan,
    /// Of all roles but the last: where it holds, every candidate of the last one makes a move.
    pub enough: Option<Expr>,
    /// What its conditions gather of its role of several, where that is all they want to know of it.
    pub aggregation: Option<Box<Aggregation>>,
    /// Its conditions told for all that may fill the second of its two roles at once, where that can be.
    pub pairing: Option<Box<Pairing>>,
    pub says: Option<TextId>,
    /// The values of the family's fields.
    pub fields: Vec<FieldSource>,
    pub body: Option<Address>,
    pub slots: u16,
    /// The ids of the rules that its declaration cites.
    pub rules: Vec<String>,
    pub span: Span,
    /// Where each `when` stands, with its rules: for telling why a move is not offered.
    pub conditions: Vec<ConditionInfo>,
    /// How the roles are filled, where that is known when compiling and all candidates are shared.
    pub fillings: Option<[Filling; MOST_ROLES]>,
    /// The rules know that what may be chosen may tell whoever is asked something.
    pub tells: bool,
    /// When its moves count for `must choose`, in the slots of the context; always if there is nothing.
    pub obliges: Option<Expr>,
}

impl ActionInfo {
    /// Whether a role may take more than one thing.
    pub fn takes_several(&self) -> bool {
        self.roles.iter().any(|role| matches!(role.amount, RoleAmount::Some(..)))
    }
}

/// How a role is filled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filling {
    /// Where its candidates are, among the sets of the question or of those that a family shares.
    pub set: u16,
    pub single: bool,
    pub optional: bool,
    pub least: u32,
    pub most: u32,
}

impl Filling {
    /// Whether it takes so many things of a set, one bit each.
    #[inline]
    pub fn takes(&self, set: u32) -> bool {
        (self.least..=self.most).contains(&set.count_ones())
    }
}

#[derive(Clone, Debug)]
pub struct ConditionInfo {
    pub expr: Expr,
    pub span: Span,
    pub rules: Vec<String>,
    /// What players read where it does not hold; else it is shown as it stands in the rules.
    pub why_not: Option<TextId>,
}

/// A part of a move that is filled by choosing: `die in active.in_play`.
#[derive(Clone, Debug)]
pub struct RoleInfo {
    /// What the rules call it.
    pub name: String,
    pub shape: Shape,
    pub amount: RoleAmount,
    /// A list of candidates.
    pub from: Expr,
    /// So many of the first roles must be filled before its candidates can be looked up; they are, each time.
    pub after: usize,
    /// Tests of one candidate alone, which stands in `filter_slot`.
    pub filter: Vec<Expr>,
    /// Where each test stands.
    pub filter_places: Vec<ConditionInfo>,
    /// The role's own slot, or for a list one beside it.
    pub filter_slot: Slot,
    /// Of the tests, marks that a candidate must not bear, one bit each.
    pub excluded_marks: u32,
    /// The other tests.
    pub tests: Vec<Expr>,
    /// Of each of these tests, what settles it for all candidates, if there is such a thing.
    pub settled: Vec<Option<Settled>>,
    /// The number that the search reads off each candidate.
    pub key: Option<Key>,
    /// What the candidates are.
    pub item: Shape,
    /// Of candidates that nothing tells apart, only one may be taken.
    pub sorts: bool,
    /// Which of the sets that the actions of the family share: roles that take the same things have the same.
    pub shared: Option<u16>,
}

/// A test that begins with something no candidate decides: `opening or card.suit is led`.
#[derive(Clone, Debug, PartialEq)]
pub struct Settled {
    /// Where it holds, all candidates pass.
    pub by: Expr,
    /// What is asked of each of them where it does not.
    pub rest: Expr,
}

/// How many things fill a role, or are chosen among several.
#[derive(Clone, Debug)]
pub enum RoleAmount {
    /// Exactly one.
    One,
    /// One, or nothing.
    OneOrNone,
    /// At least, and at most if there is a limit.
    Some(Expr, Option<Expr>),
}

/// How the moves of an action are counted and found. See `runtime/search.rs`.
#[derive(Clone, Debug)]
pub enum SearchPlan {
    /// Roles do not depend on each other: counts multiply.
    Product,
    /// One of each of two roles, whose keys compare.
    Compare { left: usize, right: usize, left_key: Key, right_key: Key, operator: Comparison },
    /// A set whose keys sum to the key of one piece, with perhaps one more that joins the sum.
    SumEqual { set: usize, set_key: Key, joker: Option<(usize, Key)>, target: usize, target_key: Key },
    /// Anything else: every combination is tested, as soon as it can be.
    Walk(Vec<Joining>),
}

/// A condition that joins roles.
#[derive(Clone, Debug)]
pub struct Joining {
    pub expr: Expr,
    /// It can be told when so many of the first roles are filled.
    pub after: usize,
}

/// A number read off a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// The candidate itself is the number.
    Itself,
    /// A field of the candidate, by its place among those of its kind.
    Field(u16),
}

/// How two values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `a is b`
    Equal,
    /// `a is not b`
    NotEqual,
    /// `a < b`
    Less,
    /// `a <= b`
    LessEqual,
    /// `a > b`
    Greater,
    /// `a >= b`
    GreaterEqual,
}

impl Comparison {
    #[inline]
    pub fn holds(self, left: Value, right: Value) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
            Comparison::Less => left < right,
            Comparison::LessEqual => left <= right,
            Comparison::Greater => left > right,
            Comparison::GreaterEqual => left >= right,
        }
    }

    /// Whether an ordering satisfies the comparison.
    #[inline]
    pub fn allows(self, order: Ordering) -> bool {
        self.holds(order as Value, 0)
    }

    /// The comparison that holds where this one does not.
    pub fn negated(self) -> Comparison {
        match self {
            Comparison::Equal => Comparison::NotEqual,
            Comparison::NotEqual => Comparison::Equal,
            Comparison::Less => Comparison::GreaterEqual,
            Comparison::LessEqual => Comparison::Greater,
            Comparison::Greater => Comparison::LessEqual,
            Comparison::GreaterEqual => Comparison::Less,
        }
    }

    /// The same comparison with its sides exchanged.
    pub fn flipped(self) -> Comparison {
        match self {
            Comparison::Less => Comparison::Greater,
            Comparison::LessEqual => Comparison::GreaterEqual,
            Comparison::Greater => Comparison::Less,
            Comparison::GreaterEqual => Comparison::LessEqual,
            other => other,
        }
    }
}

#[derive(Clone, Debug)]
pub enum FieldSource {
    Role(usize),
    /// The role is one piece and the field a list.
    RoleAsList(usize),
    EmptyList,
    Computed(Expr),
}

/// A name that rules give to a slot.
#[derive(Clone, Debug)]
pub struct LocalInfo {
    /// It holds that from this address on, until something else takes its place, or nothing does.
    pub at: Address,
    /// The slot; [`NO_LOCAL`] where the code of another function begins.
    pub slot: Slot,
    /// What the rules call it; empty for what has no name.
    pub name: String,
    /// What it holds.
    pub shape: Shape,
}

/// No slot.
pub const NO_LOCAL: Slot = Slot::MAX;

/// A procedure of the rules: `to hop`, `scope turn(active: side)`.
#[derive(Clone, Debug)]
pub struct ProcedureInfo {
    /// What the rules call it.
    pub name: String,
    /// What it is given: names and what they are. They are in its first slots.
    pub params: Vec<(String, Shape)>,
    pub gives: Shape,
    pub start: Address,
    pub slots: u16,
    /// It is a name for time: `until end of turn`, `2 per turn`.
    pub scope: bool,
    /// A position may start play at it, see `position` of the compiler.
    pub entry: bool,
    pub span: Span,
    /// The calls that lead here from `play`, outermost first: for starting in the middle.
    pub chain: Vec<CallSite>,
}

/// A call on the way from `play` to an entry.
#[derive(Clone, Debug)]
pub struct CallSite {
    pub procedure: ProcedureId,
    /// The address after the call.
    pub next: Address,
    /// Where the caller keeps what the procedure gives that it calls.
    pub result: Option<Slot>,
    /// The caller's parameters that it still looks at after the call.
    pub needs: Vec<Slot>,
    /// The counts of the `repeat` loops around the call.
    pub counts: Vec<Slot>,
}

/// An ability, as the header of its file declares it.
#[derive(Clone, Debug)]
pub struct AbilityInfo {
    /// The file's stem: `big-hop`.
    pub id: String,
    /// The name that players read.
    pub title: String,
    /// What it does, in words for players.
    pub text: String,
    /// How often it may be used. Empty where there is no limit.
    pub uses: Vec<UseLimit>,
    /// Where the number of uses comes from, if it is said.
    pub provenance: Option<String>,
    /// When it works: all of these must hold, with `me` and `holder` in the first slots.
    pub works: Vec<Formula>,
    /// The sheet of what it lets sheets set.
    pub settings: Option<SheetId>,
    /// What it does at hooks, among [`Program::clauses`].
    pub clauses: Vec<u16>,
    /// The actions that it gives to its owner.
    pub grants: Vec<GrantInfo>,
    /// What it forbids and demands.
    pub restrictions: Vec<u16>,
    /// The ids of the rules that its header cites.
    pub rules: Vec<String>,
    /// Its header.
    pub span: Span,
}

/// How often an ability may be used in one run of a scope: `uses 2 per match`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UseLimit {
    /// The number of uses, from 1 to 1000.
    pub times: Value,
    /// The scope's procedure.
    pub per: ProcedureId,
    /// What one may be used in that time is for all of a side that have the ability.
    pub shared: bool,
}

/// An action that an ability gives to its owner: `grant leap(…) is move`.
#[derive(Clone, Debug)]
pub struct GrantInfo {
    /// Among [`Program::actions`].
    pub action: ActionId,
    /// The family that its moves belong to, among [`Program::families`].
    pub family: FamilyId,
    /// What a function of its name in the ability's file may take, which is what its moves do.
    pub known: Vec<Known>,
}

/// When and how a clause acts at its hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClauseKind {
    /// Happens before everything else at the hook, and may stop it by answering: `instead`.
    Instead,
    /// Happens by itself: `trigger`.
    Trigger,
    /// May be used by whoever is asked: `offer`.
    Offer,
    /// Changes the value of the hook: `modify`.
    Modifier,
}

/// What an ability does at one hook. Slots: the hook's parameters, `me`, `holder`, the roles.
#[derive(Clone, Debug)]
pub struct ClauseInfo {
    /// When and how it acts.
    pub kind: ClauseKind,
    /// What the header calls it; keys of offers begin with it. Modifiers have the name of their hook.
    pub name: String,
    /// Whose clause it is, among [`Program::abilities`]. It means nothing if `mark` is set.
    pub ability: AbilityId,
    /// Of a mark's modifier, which has no ability.
    pub mark: Option<u16>,
    /// Where it acts, among [`Program::hooks`].
    pub hook: HookId,
    /// The layer of a modifier, by its place in the hook's list.
    pub layer: u16,
    /// [`EARLY`], 0, [`LATE`], or as written; the lower acts sooner.
    pub priority: i32,
    /// All conditions; of an offer those that mention no role.
    pub guard: Vec<Expr>,
    pub says: Option<TextId>,
    /// An offer's moves.
    pub action: Option<ActionId>,
    /// The side that an offer is put to, if it is not the owner.
    pub to: Option<Expr>,
    /// A modifier's value; `it` is in the slot after `holder`.
    pub value: Option<Expr>,
    pub body: ClauseBody,
    /// As [`ActionInfo::tells`], of an offer.
    pub tells: bool,
    /// Happens however often the ability has been used, and does not count as a use.
    pub free: bool,
    pub slots: u16,
    pub span: Span,
    /// The ids of the rules that it cites.
    pub rules: Vec<String>,
}

#[derive(Clone, Debug)]
pub enum ClauseBody {
    Nothing,
    Code(Address),
    /// A function of the ability's file, and what its parameters may be, until it is compiled.
    Script {
        function: String,
        known: Vec<Known>,
    },
}

impl ClauseBody {
    /// Where its code begins, if it has any.
    pub fn start(&self) -> Option<Address> {
        if let ClauseBody::Code(start) = self { Some(*start) } else { None }
    }
}

/// Something that a function of a script may want to know.
#[derive(Clone, Debug)]
pub struct Known {
    pub name: String,
    pub slot: Slot,
    /// Of a parameter: its place among what the sheet sets, which is in the slot.
    pub column: Option<u16>,
    pub shape: Shape,
}

/// The file of an ability.
#[derive(Clone, Debug)]
pub struct ScriptFile {
    /// Among [`Program::abilities`].
    pub ability: AbilityId,
    /// Its text: the header, then the functions.
    pub source: ludex_syntax::source::SourceId,
    /// Whether all of the header could be read: what could not may call any function.
    pub header_is_whole: bool,
}

/// A value of the rules that scripts may call by its name: `summonable(card, family)`. Its parameters are in the first slots.
#[derive(Clone, Debug)]
pub struct NamedValue {
    pub name: String,
    pub params: Vec<(String, Shape)>,
    pub gives: Shape,
    pub value: Formula,
}

/// A statement of a script, or a condition of an `if`, as it is compiled once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScriptPoint {
    pub span: Span,
    /// Its first instruction; of a condition, the one that decides.
    pub at: Address,
    pub condition: bool,
}

/// Where an instruction stands.
#[derive(Clone, Debug)]
pub struct Place {
    pub span: Span,
    pub rules: Vec<String>,
}

/// A part of a sentence of the rules.
#[derive(Clone, Debug)]
pub enum TextPart {
    /// Words as they are written.
    Words(String),
    /// A value, shown as its shape wants it: `{active.flies}`.
    Hole(Expr, Shape),
    /// A text that a script has made: a list of code points.
    Written(Expr),
    /// One of two texts.
    Choice {
        /// A flag.
        condition: Expr,
        /// The text where it is true.
        yes: TextId,
        /// The text where it is not.
        no: TextId,
    },
}

/// An entrant's file, checked: its name, its dice and its abilities.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// What commands and recordings call it: the name of the file, or a key under `sheets:`.
    pub id: String,
    /// The name that players read.
    pub name: String,
    /// What it is in play, among [`Program::kinds`].
    pub kind: KindId,
    /// For each printed zone of the kind: what lies there.
    pub zones: Vec<(u16, Vec<PrintedPiece>)>,
    /// The fields that the file tells, by their index; the rules give the others their first values.
    pub fields: Vec<(u16, Value)>,
    /// Its abilities, in the order listed.
    pub abilities: Vec<Listed>,
    /// Its place among all that is printed, which has its name and what cannot change in play.
    pub print: Value,
    /// For each printed list, number or word: where it comes from.
    pub provenance: BTreeMap<String, String>,
    /// What the file says for people who read it: `note: …`.
    pub note: Option<String>,
    /// The file.
    pub source: ludex_syntax::source::SourceId,
    /// Worked out when the library was read; nothing where the rules work out nothing and let everybody play.
    pub before_play: Option<Box<BeforePlay>>,
}

/// What the rules work out for a sheet before a match.
#[derive(Clone, Debug)]
pub struct BeforePlay {
    /// The first value of each field of its kind, in a match in which everybody brings it.
    pub values: Result<Vec<Value>, Problem>,
    /// Whether `sides … where` lets it play, judged by itself.
    pub admission: Result<(), Problem>,
}

/// A piece that a sheet or a position lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrintedPiece {
    /// Among [`Program::kinds`].
    pub kind: KindId,
    /// Of a die.
    pub size: i32,
    /// Of a card: what it is.
    pub print: Option<Value>,
    /// The marks that a die bears from the beginning, one bit each.
    pub marks: u32,
}

impl Program {
    /// The number of the referee's seat among so many sides, if there is a referee.
    pub fn referee_seat(&self, sides: usize) -> Option<usize> {
        self.referee.is_some().then_some(sides)
    }

    /// The family of an action, by its name; what an offer chooses from belongs to none.
    pub fn family_of(&self, action: &ActionInfo) -> Option<&str> {
        Some(self.families.get(usize::from(action.family?))?.name.as_str())
    }

    /// Whether the moves of a family are moves of another one, too.
    #[inline]
    pub fn is_family(&self, family: FamilyId, of: FamilyId) -> bool {
        let base = |family: &FamilyId| self.families.get(usize::from(*family)).and_then(|info| info.base);
        std::iter::successors(Some(family), base).any(|found| found == of)
    }

    /// The option that the rules call so.
    pub fn option(&self, name: &str) -> Option<&GameOption> {
        self.options.iter().find(|option| option.name == name)
    }

    pub fn text(&self, id: TextId) -> &[TextPart] {
        self.texts.get(id as usize).map_or(&[], Vec::as_slice)
    }

    /// What a text is made from: its holes, and what chooses between texts in it.
    pub fn read_by_text(&self, id: TextId) -> Vec<&Expr> {
        let mut read = Vec::new();
        for part in self.text(id) {
            match part {
                TextPart::Words(_) => {}
                TextPart::Hole(expr, _) | TextPart::Written(expr) => read.push(expr),
                TextPart::Choice { condition, yes, no } => {
                    read.push(condition);
                    read.extend([yes, no].into_iter().flat_map(|text| self.read_by_text(*text)));
                }
            }
        }
        read
    }

    pub fn place(&self, address: Address) -> Option<&Place> {
        self.places.get(address as usize)
    }

    /// A kind by its index; panics if there is none.
    #[inline]
    pub fn kind(&self, id: KindId) -> &Kind {
        &self.kinds[id as usize]
    }

    /// Whether players may know what a field holds: one that is shown, that a file prints or that lends what it refers to, and
    /// what every piece has. Others are the rules' own business.
    pub fn is_told(&self, kind: KindId, field: u16) -> bool {
        let found = self.kind(kind);
        let built_in = match found.sort {
            KindSort::Piece if self.is_die(kind) => field <= DIE_VALUE,
            KindSort::Piece if self.is_printed(kind) => field <= PIECE_SHEET,
            KindSort::Piece => field == PIECE_OWNER,
            KindSort::Side => self.lending.iter().any(|(_, lending)| *lending == field),
            KindSort::Entrant | KindSort::Table => false,
        };
        built_in || found.fields.get(usize::from(field)).is_some_and(|field| field.shown || field.printed)
    }

    /// What the slots of a frame hold that is at an address. Those that hold nothing there have the shape of nothing.
    pub fn slots_at(&self, at: Address) -> BTreeMap<Slot, &LocalInfo> {
        let before = &self.locals[..self.locals.partition_point(|local| local.at <= at)];
        let Some(begins) = before.iter().rposition(|local| local.slot == NO_LOCAL) else { return BTreeMap::new() };
        // What the instruction itself fills is not there yet, as long as play stands at it; parameters are, from the first on.
        let is_filled = |local: &&LocalInfo| local.at < at || local.at == before[begins].at || local.shape == Shape::Nothing;
        before[begins + 1..].iter().filter(is_filled).map(|local| (local.slot, local)).collect()
    }

    /// The address at which all ways from an instruction meet, if there is one.
    pub fn join(&self, at: Address) -> Option<Address> {
        self.joins.get_or_init(|| flow::joins(self)).get(at as usize).copied().flatten()
    }

    /// What procedures may set that these instructions carry out.
    pub fn set_elsewhere<'a>(&self, instructions: impl IntoIterator<Item = &'a Address>) -> Sets {
        self.sets_of_code.get_or_init(|| SetsOfCode::of(self)).carried_out(self, instructions)
    }

    /// Whether values of a shape are pieces.
    #[inline]
    pub fn is_piece(&self, shape: &Shape) -> bool {
        matches!(shape, Shape::Entity(kind) if self.kind(*kind).sort == KindSort::Piece)
    }

    /// The faces of a kind of dice, unless they are 1 to its size.
    #[inline]
    pub fn faces_of(&self, kind: KindId) -> Option<&Faces> {
        self.faces.iter().find(|faces| faces.kind == kind)
    }

    /// Whether things of a kind are dice.
    #[inline]
    pub fn is_die(&self, kind: KindId) -> bool {
        self.die == Some(kind) || self.faces_of(kind).is_some()
    }

    /// Whether things of a kind are of another one, too: all dice are dice.
    #[inline]
    pub fn is_kind(&self, kind: KindId, of: KindId) -> bool {
        kind == of || self.die == Some(of) && self.faces_of(kind).is_some()
    }

    /// What players call a die by its size or its faces and the marks that sheets give: `d8`, `loaded d8`, `d%`. The name
    /// is none where its size says it all.
    pub fn die_title(&self, kind: KindId, size: i32, marks: u32) -> Option<String> {
        let is_borne = |(index, mark): &(usize, &MarkInfo)| mark.printed && marks >> index & 1 == 1;
        let mut words: Vec<String> =
            self.marks.iter().enumerate().filter(is_borne).map(|(_, mark)| mark.name.replace('_', " ")).collect();
        match self.faces_of(kind) {
            Some(faces) => words.push(faces.title.clone()),
            None if words.is_empty() => return None,
            None => words.push(format!("d{size}")),
        }
        Some(words.join(" "))
    }

    /// A die with faces of its own, by its name in the rules.
    pub fn die_named(&self, name: &str) -> Option<&Faces> {
        self.faces.iter().find(|faces| self.kind(faces.kind).name == name)
    }

    /// Whether an instruction is of a script.
    pub fn is_script(&self, at: Address) -> bool {
        self.script_code.contains(&at)
    }

    /// The index of the ability with this id, if this mode has it.
    pub fn ability(&self, id: &str) -> Option<AbilityId> {
        self.abilities.iter().position(|ability| ability.id == id).map(|index| index as AbilityId)
    }

    pub fn procedure(&self, name: &str) -> Option<ProcedureId> {
        self.procedures.iter().position(|p| p.name == name).map(|index| index as ProcedureId)
    }
}
