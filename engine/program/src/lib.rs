//! The compiled form of a game: flat tables indexed by small ids, and coarse instructions.
//!
//! A program is compiled for one game, one mode and one set of option values. It never changes. The compiler fills the
//! tables, and the engine (`engine/src/runtime`) plays from them.
//!
//! Code, and each expression outside code, keeps values in *slots*, numbered from 0; docs say what the first ones hold. For
//! abilities these include `me`, the side of the ability's owner, and `holder`, the thing that has the ability. A field named
//! `slots` is the number of slots needed, `span` the place in the sources, and `rules` the ids of the cited rules. Lists and
//! moves are kept in the state's *arena of lists*, and their value is the index there. A *window* is an open hook.

mod aggregates;
mod boards;
mod bounds;
mod code;
pub mod condition_facts;
mod expression;
mod faults;
pub mod flow;
pub mod loops;
pub mod move_slots;
pub mod operands;
mod pairing;
pub mod presence;
mod prints;
pub mod sets;
mod sides;
pub mod veils;

use ludex_syntax::problem::{Problem, join_words};
use ludex_syntax::source::Span;
use serde::{Deserialize, Serialize};
use sets::{FieldsAndMarks, ProcedureSets};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::OnceLock;

pub use aggregates::{Aggregate, AggregateKind, Aggregation};
pub use boards::{BoardInfo, BoardOperation, Line, MOST_BOARD_CELLS, MOST_CELLS_IN_GAME, Neighbourhood};
pub use code::*;
pub use expression::{BestKey, Calculation, Expr, MOST_REMEMBERED, SupposedField};
pub use faults::MOST_IN_RANGE;
pub use ludex_syntax::tree::Quantifier;
pub use pairing::Pairing;
pub use prints::{ListedAbility, PIECE_SHEET, Print, PrintedLine, Prints, SheetId, SheetInfo, unprinted_value};

/// A whole number, a flag (0 or 1), a word's index, an entity's id, a zone's index, or the place of a list or move in the
/// arena of lists. Which of these it is, is known at compile time.
pub type Value = i32;

/// The value of `none`.
pub const NONE: Value = i32::MIN;

/// A cell for one value in the frame of running code: parameters first, then variables. Each piece of code numbers its slots
/// from 0.
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

/// The kind of the table. Every game has it and [`SIDE`], before the kinds that it declares.
pub const TABLE: KindId = 0;
/// The kind of sides.
pub const SIDE: KindId = 1;

/// The priority of a clause that comes before all others of its kind: `early`.
pub const EARLY: i32 = i32::MIN;
/// The priority of a clause that comes after all others of its kind: `late`.
pub const LATE: i32 = i32::MAX;

/// Maximum number of sides of a game, and of entrants of a side.
pub const MOST_SEATS: usize = 100;

/// Maximum number of roles of an action.
pub const MOST_ROLES: usize = 6;
/// Maximum number of fields of a family, with those it inherits.
pub const MOST_MOVE_FIELDS: usize = 12;
/// Maximum number of parameters of a procedure.
pub const MOST_PARAMETERS: usize = 8;
/// Maximum number of marks of a game: an entity keeps its marks in a 32-bit mask.
pub const MOST_MARKS: usize = 32;

/// The field for a piece's owner. The fields that every piece has come first in its cells.
pub const PIECE_OWNER: u16 = 0;
/// The field for a die's number of faces.
pub const DIE_SIZE: u16 = 1;
/// The field for the number that a die shows, 0 before it is rolled.
pub const DIE_VALUE: u16 = 2;

/// A compiled game in one mode and with one value for each option. It is immutable, and many sessions may share it.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The game's id: `pond`.
    pub game: String,
    /// The name shown to players: `Pond`.
    pub title: String,
    /// The mode it was compiled in: `standard`, unless another was requested.
    pub mode: String,
    /// Other modes of the game.
    pub modes: Vec<ModeInfo>,
    /// The options in declared order, with the values this program was compiled for.
    pub options: Vec<GameOption>,
    /// The number of sides, and of the entrants that each brings.
    pub sides: SidesInfo,
    /// The allowed sizes of plain dice, from `die sizes 4 6 8`. Empty if the game has no plain dice.
    pub die_sizes: Vec<i32>,
    /// The kind of piece that `die sizes` declares.
    pub die: Option<KindId>,
    /// Moving a piece can set off more: some zones have a capacity, or pieces bear other pieces.
    pub bearing: bool,
    /// Some zones or fields are hidden from some seats.
    pub hides: bool,
    /// Pieces are created on the table for sides, and so are among the pieces of others.
    pub shared: bool,
    /// The dice whose faces are not simply 1 to their size.
    pub faces: Vec<Faces>,
    /// The kinds of things: the table, the side, then the kinds that the game declares.
    pub kinds: Vec<Kind>,
    /// The boards of these kinds.
    pub boards: Vec<BoardInfo>,
    /// The word lists that fields and options choose from, see [`Shape::Word`].
    pub words: Vec<WordType>,
    /// For sides: names that stand for members of the thing that a field refers to. Each is given with the field of the side:
    /// such a name stands for the member of that name.
    pub lending: Vec<(String, u16)>,
    /// Kinds of pieces that may have no owner. Pieces printed on sheets always have one.
    pub ownerless: Vec<KindId>,
    /// The marks that things may bear, in declared order.
    pub marks: Vec<MarkInfo>,
    /// The moments at which abilities may act.
    pub hooks: Vec<HookInfo>,
    /// The families of moves that questions ask for.
    pub families: Vec<FamilyInfo>,
    /// The actions of the rules first, then those granted by abilities and the targets of their offers.
    pub actions: Vec<ActionInfo>,
    /// The procedures of the rules, in declared order.
    pub procedures: Vec<ProcedureInfo>,
    /// The abilities of the game in this mode.
    pub abilities: Vec<AbilityInfo>,
    /// The clauses of abilities and marks at hooks: triggers, offers, modifiers and replacements.
    pub clauses: Vec<ClauseInfo>,
    /// The `forbid` and `demand` lines of abilities and marks.
    pub restrictions: Vec<RestrictionInfo>,
    /// All sentences of the rules that players read, in parts.
    pub texts: Vec<Vec<TextPart>>,
    /// The spans of the texts with holes that are written in rules and headers.
    pub text_spans: BTreeMap<TextId, Span>,
    /// By text: its holes that can fail.
    pub checks: BTreeMap<TextId, Vec<TextPart>>,
    /// The names that rules give to events.
    pub event_names: Vec<String>,
    /// The words that abilities can answer with, over all hooks.
    pub answers: Vec<String>,
    pub code: Vec<Instruction>,
    /// For each instruction, its span and the rules it cites.
    pub places: Vec<CodePlace>,
    /// The contents of slots, each from an address on, in code order.
    pub locals: Vec<LocalInfo>,
    /// Cached results of [`Program::join_address`].
    pub joins: OnceLock<Vec<Option<Address>>>,
    /// By address: the kinds of the things whose fields the instruction sets. Filled only if something is hidden.
    pub kinds_set: BTreeMap<Address, Vec<KindId>>,
    /// Cached summary for [`Program::set_in_calls`].
    pub sets_of_code: OnceLock<ProcedureSets>,
    /// The procedure named `play`.
    pub play: ProcedureId,
    /// The referee's title, if there is one. Its seat comes after those of the sides, and it is on no side.
    pub referee: Option<String>,
    /// Policies for bots, each for one family.
    pub policies: Vec<PolicyInfo>,
    /// The variables that only hold moves asked for by questions.
    pub asked: move_slots::MoveSlots,
    /// `standing of side`. The side, its only parameter, is in slot 0.
    pub standing: Option<Formula>,
    /// Initial values of fields that are not 0: `(kind, field, formula with the entity in slot 0)`.
    pub defaults: Vec<(KindId, u16, Formula)>,
    /// The printed contents of cards and their parts.
    pub prints: Prints,
    /// The entrants that may be chosen, by id (file stem).
    pub sheets: BTreeMap<String, Sheet>,
    /// Abilities that exist only in other modes: sheets may list them.
    pub absent_abilities: BTreeSet<String>,
    /// Digest of the game's files, in hexadecimal.
    pub hash: String,
    /// The games and packages that a package extends, the base game first.
    pub parents: Vec<Parent>,
    /// Digests of the files the game was compiled from.
    pub files: Vec<(String, String)>,
    /// The names of the files that spans point into, and their line starts.
    pub sources: ludex_syntax::source::Sources,
    /// Definitions, tables and hook values that scripts can call by name.
    pub named: Vec<NamedValue>,
    /// The ability files, which contain the functions of scripts.
    pub scripts: Vec<ScriptFile>,
    /// The code of those functions.
    pub script_code: Range<Address>,
    /// The statements and conditions of those functions.
    pub script_points: Vec<ScriptPoint>,
}

/// A mode that can be chosen before a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModeInfo {
    /// Its name in commands and files: `short`.
    pub name: String,
    /// The name shown to players.
    pub title: String,
}

/// A game or package that another extends, with the digest of its own files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parent {
    /// Its id, as in `rules/<id>/`.
    pub id: String,
    /// Digest of its own files alone, in hexadecimal.
    pub hash: String,
}

impl Program {
    /// The names of the policies that bots can use.
    pub fn policy_names(&self) -> BTreeSet<&str> {
        self.policies.iter().map(|policy| policy.name.as_str()).collect()
    }

    /// The package itself, then the packages it extends, nearest first.
    pub fn package_names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.game.as_str()).chain(self.parents.iter().rev().map(|parent| parent.id.as_str()))
    }
}

impl Parent {
    /// The id and the hash.
    pub fn id_and_hash(&self) -> (&str, &str) {
        (&self.id, &self.hash)
    }
}

/// A bot's preferences among the moves of a family. Slots: the family's parameters, then the move.
#[derive(Clone, Debug)]
pub struct PolicyInfo {
    pub name: String,
    pub family: FamilyId,
    /// The first line that applies decides; later ones break ties.
    pub lines: Vec<PolicyLine>,
    pub slots: u16,
}

/// A line of a policy: `prefer …`.
#[derive(Clone, Debug)]
pub struct PolicyLine {
    /// The line counts with this probability, as a fraction `(n, of)`. Without it, always.
    pub chance: Option<(u64, u64)>,
    /// The condition under which the line applies to a move; without it, always.
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

/// A value chosen before a match that stays fixed during it: `option flies = 3 in 1..9`.
#[derive(Clone, Debug)]
pub struct GameOption {
    /// Its name in rules and commands.
    pub name: String,
    /// Its description for players; empty if the rules have none.
    pub text: String,
    /// The allowed values.
    pub kind: GameOptionKind,
    /// The value if none is chosen.
    pub default: Value,
    /// The value that the program was made for.
    pub value: Value,
    /// The program was compiled for inspection only, and the option may have any of its values.
    pub open: bool,
    /// The ids of the rules that its declaration cites.
    pub rules: Vec<String>,
}

/// The allowed values of an option.
#[derive(Clone, Debug, PartialEq)]
pub enum GameOptionKind {
    /// A whole number.
    Number {
        /// The lowest allowed number.
        least: Value,
        /// The highest allowed number.
        most: Value,
    },
    /// One of these words. The value is its index, from 0.
    Words(Vec<String>),
}

impl GameOption {
    /// The expression for its name in the rules: its value, or [`Expr::Option`] if that is open. `place` is its index among
    /// the options.
    pub fn as_expr(&self, place: usize) -> Expr {
        if self.open { Expr::Option(place as u16) } else { Expr::Constant(self.value) }
    }

    /// Formats a value of the option for people.
    pub fn value_text(&self, value: Value) -> String {
        match &self.kind {
            GameOptionKind::Number { .. } => value.to_string(),
            GameOptionKind::Words(words) => words.get(value as usize).cloned().unwrap_or_default(),
        }
    }
}

/// The number of sides and their entrants: `sides 2 of 1..3 character`.
#[derive(Clone, Debug, Default)]
pub struct SidesInfo {
    /// Minimum number of sides.
    pub least: usize,
    /// Maximum number of sides.
    pub most: usize,
    /// Minimum number of entrants of a side; 0 if sides bring none.
    pub entrants_least: usize,
    /// Maximum number of entrants of a side. Without meaning if sides bring none.
    pub entrants_most: usize,
    /// The kind of the entrants.
    pub entrant: Option<KindId>,
    /// All sides bring the same number of entrants.
    pub equally_many: bool,
    /// No side brings two entrants of the same sheet.
    pub all_different: bool,
    /// The sides sit in a ring, so each has neighbours: `in a ring`.
    pub ring: bool,
    /// The sides' names for players, in order; empty if the rules give none.
    pub names: Vec<String>,
    /// The condition that every entrant must meet to play.
    pub admission: Option<Admission>,
}

impl SidesInfo {
    /// Two sides, each with one entrant if the game has any: the default if the rules do not declare sides.
    pub fn with_two_sides(entrant: Option<KindId>) -> SidesInfo {
        let entrants_least = usize::from(entrant.is_some());
        SidesInfo { least: 2, most: 2, entrants_least, entrants_most: 1, entrant, ..SidesInfo::default() }
    }
}

/// A condition on an entrant, which is in the first slot.
#[derive(Clone, Debug)]
pub struct Admission {
    pub when: Expr,
    /// The reason shown to players if an entrant fails it.
    pub why_not: TextId,
    pub slots: u16,
}

/// A kind of things, with the fields and zones of each.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Its name in the rules, singular: `frog`.
    pub name: String,
    /// Its plural in the rules: `frogs`.
    pub plural: String,
    /// Their sort.
    pub sort: KindSort,
    /// Their fields, in storage order.
    pub fields: Vec<FieldInfo>,
    /// Their zones, in storage order.
    pub zones: Vec<ZoneInfo>,
    /// Its title for players, if the rules give one. Nothing else is then printed on these pieces.
    pub title: Vec<TitlePart>,
}

/// A part of a piece's title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TitlePart {
    /// Words of the rules.
    Words(String),
    /// The value of one of its fields.
    Field(u16),
}

/// A die with its own faces. It is a kind of its own, with everything other dice have; its size is the number of faces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faces {
    /// The kind of these dice, among [`Program::kinds`].
    pub kind: KindId,
    /// Its title for players: `d%`.
    pub title: String,
    /// The face values, each 1 or more. A number that appears several times is that much more likely.
    pub values: Vec<Value>,
}

impl Faces {
    /// `1, 2, 3 or 5`; a long list is shortened to its first and last few.
    pub fn values_text(&self) -> String {
        let mut words: Vec<String> = self.values.iter().map(Value::to_string).collect();
        if words.len() > 12 {
            words.splice(6..words.len() - 2, ["…".to_string()]);
        }
        join_words(&words, "or")
    }
}

/// The four sorts of kinds, under any name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KindSort {
    /// The one table.
    Table,
    /// A side: players who win and lose together.
    Side,
    /// Something a side brings, such as a character or a deck.
    Entrant,
    /// A thing that is in zones and moves: a die, card or piece.
    Piece,
}

/// A field or counter of a kind, or a line printed on a sheet.
#[derive(Clone, Debug)]
pub struct FieldInfo {
    /// Its name in the rules: `flies`.
    pub name: String,
    /// The shape of its values.
    pub shape: Shape,
    /// The lowest and the highest allowed number, if the rules give them.
    pub range: Option<(Value, Value)>,
    /// For a list: its capacity. Its cell holds the length; the members follow in the next cells, each of which is an unnamed
    /// field.
    pub room: u16,
    /// Declared with `counter`.
    pub counter: bool,
    /// Players see it on the table: a counter, or a field declared so.
    pub shown: bool,
    /// The seats that see it there. A field that only some may see is not `shown`.
    pub seen: Visibility,
    /// The value before play, if it needs no formula.
    pub initial: Value,
    /// A sheet's file may set it.
    pub printed: bool,
    /// The file may leave it out.
    pub optional: bool,
    /// For an entrant: the sheets that have it, as do sheets that build on them. Empty if all have it.
    pub sheets: Vec<SheetId>,
    /// The words shown to players instead of its name and value. Without parts, it is not shown at all.
    pub text: Option<Vec<TitlePart>>,
}

impl FieldInfo {
    /// A field that a file prints.
    pub fn printed_field(name: &str, shape: Shape, range: Option<(Value, Value)>, optional: bool) -> FieldInfo {
        let (name, sheets) = (name.to_string(), Vec::new());
        FieldInfo {
            name,
            shape,
            range,
            room: 0,
            counter: false,
            shown: false,
            seen: Visibility::All,
            initial: 0,
            printed: true,
            optional,
            sheets,
            text: None,
        }
    }
}

/// The type of a value, for displaying it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A whole number.
    Number,
    /// A number of halves: 5 is 2.5.
    Halves,
    /// Yes or no, 1 or 0.
    Flag,
    /// One of several words. Holds the index of their list among [`Program::words`]; the value is the word's index in it.
    Word(u16),
    /// A thing of a kind, by its entity id.
    Entity(KindId),
    /// A place for pieces of a kind.
    Zone(KindId),
    /// Several values of a shape.
    List(Box<Shape>),
    /// A move of a family.
    Move(FamilyId),
    /// A print, by its index in [`Prints::prints`]: a card's, or a part's.
    Sheet(SheetId),
    /// A printed text, resolved by [`Prints::printed_text`].
    Text,
    /// A value of a shape, or [`NONE`].
    OrNone(Box<Shape>),
    /// No value: the result of a procedure that gives none.
    Nothing,
}

impl Shape {
    /// Whether values of this shape are indices into the arena of lists.
    pub fn is_list(&self) -> bool {
        match self {
            Shape::List(_) | Shape::Move(_) => true,
            Shape::OrNone(inner) => inner.is_list(),
            _ => false,
        }
    }

    /// Whether this shape has so few values that each of them can be drawn at random. `range` applies to numbers. Looking
    /// ahead draws hidden values of such shapes again; because of others it may be refused.
    pub fn is_bounded(&self, range: Option<(Value, Value)>) -> bool {
        match self {
            Shape::OrNone(inner) => inner.is_bounded(range),
            Shape::List(inner) => !inner.is_list() && range.is_some() && inner.is_bounded(range),
            Shape::Flag | Shape::Word(_) | Shape::Entity(SIDE) => true,
            Shape::Number => range.is_some(),
            _ => false,
        }
    }

    /// Whether a field of this shape has a default first value: 0, no, a word, `none` or the empty list.
    pub fn has_first_value(&self) -> bool {
        !matches!(self, Shape::Text | Shape::Entity(_) | Shape::Zone(_) | Shape::Sheet(_))
    }
}

/// A zone that things of a kind have: a place for pieces.
#[derive(Clone, Debug)]
pub struct ZoneInfo {
    /// Its name in the rules: `nest`.
    pub name: String,
    /// The kind of the pieces it may hold, among [`Program::kinds`].
    pub holds: KindId,
    /// The seats that see which pieces are in it. The number of pieces is visible to all.
    pub seen: Visibility,
    /// Its pieces have an order, with a top and a bottom.
    pub ordered: bool,
    /// Pieces in it take no part in play.
    pub out_of_play: bool,
    /// Maximum number of pieces in it.
    pub most: Option<u32>,
    /// For a zone of a piece: the destination of each piece in it, which is in slot 0, when the piece that has the zone
    /// leaves play.
    pub falls: Option<Formula>,
    /// The sheet's file lists its pieces at the start of the game.
    pub printed: bool,
    /// The file may leave that list out.
    pub optional: bool,
    /// For an entrant: the sheets that have it, as do sheets that build on them. Empty if all have it.
    pub sheets: Vec<SheetId>,
    /// The board that it is a cell of, among [`Program::boards`].
    pub board: Option<u16>,
}

impl ZoneInfo {
    /// A zone with only a name and the kind it holds.
    pub fn plain_zone(name: &str, holds: KindId) -> ZoneInfo {
        let (name, seen) = (name.to_string(), Visibility::All);
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

/// The seats that see the contents of a zone or field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// All seats.
    All,
    /// The seat of the side that has it: `seen by owner`.
    Owner,
    /// The seats of all other sides: `seen by all but owner`.
    Others,
    /// No seat: `seen by nobody`.
    Nobody,
}

/// A list of words, one of which is a value of [`Shape::Word`].
#[derive(Clone, Debug)]
pub struct WordType {
    pub name: String,
    /// The plural name for all of its words, if the rules give one.
    pub plural: Option<String>,
    /// The words in declared order; a value is an index into them, from 0.
    pub words: Vec<String>,
}

/// A mark that a thing can bear for a time: `mark tired "cannot hop"`.
#[derive(Clone, Debug, Default)]
pub struct MarkInfo {
    /// Its name in the rules: `tired`.
    pub name: String,
    /// The text players read about its bearer. A mark without text is internal to the rules.
    pub text: String,
    /// It is visible on the table, but setting and removing it is not announced.
    pub untold: bool,
    /// A sheet may give it to a die, whose title then includes it.
    pub printed: bool,
    /// The kind it is declared for.
    pub kind: KindId,
    pub fields: Vec<MarkField>,
    /// Clauses that change values while it lasts. Slots: the hook's parameters, `me`, `holder`, the mark's fields, `it`.
    pub modifiers: Vec<u16>,
    /// Its `forbid` and `demand` lines while it lasts.
    pub restrictions: Vec<u16>,
}

impl MarkInfo {
    /// Whether players may know of it.
    pub fn is_public(&self) -> bool {
        !self.text.is_empty() || self.printed
    }

    /// Whether it has an effect while it lasts. A mark that rules only test for has none.
    pub fn is_live(&self) -> bool {
        !(self.fields.is_empty() && self.modifiers.is_empty() && self.restrictions.is_empty())
    }
}

/// A value that a mark keeps for each of its bearers.
#[derive(Clone, Debug)]
pub struct MarkField {
    pub name: String,
    /// The value if none is given, with the mark's bearer in slot 0.
    pub default: Option<Formula>,
}

/// A `forbid` or `demand` of an ability or mark, on the moves of a family. Slots: the family's parameters, `me`, `holder`,
/// the sheet's settings or the mark's fields, `it`.
#[derive(Clone, Debug)]
pub struct RestrictionInfo {
    /// The family, among [`Program::families`]. It includes the families that are part of it.
    pub family: FamilyId,
    /// A demand: moves are legal only if the condition holds. Otherwise they are legal only if it does not.
    pub demand: bool,
    pub when: Expr,
    /// The slot of the move.
    pub it: Slot,
    pub slots: u16,
    pub ability: Option<AbilityId>,
    pub mark: Option<u16>,
    pub span: Span,
    /// The ids of the rules that it cites.
    pub rules: Vec<String>,
}

/// A moment at which abilities may act, or a value they may change: `hook turn_begins(active: side)`.
#[derive(Clone, Debug)]
pub struct HookInfo {
    /// Its name in rules and abilities.
    pub name: String,
    /// The parameters that abilities can read: names and shapes.
    pub params: Vec<(String, Shape)>,
    /// The words with which abilities may answer here, such as `deflected`.
    pub answers: Vec<String>,
    /// Owners are asked in turn, round after round, until all pass in succession: `goes round`. Otherwise each is asked until
    /// they pass, and not again.
    pub goes_round: bool,
    /// The prompt for offers made here; the parameters are in slots 0….
    pub prompt: Option<TextId>,
    /// A description of the moment, used to explain when something may be used.
    pub moment: Option<String>,
    /// For a hook with a value: its value before modifiers, with the parameters in slots 0….
    pub value: Option<(Shape, Formula)>,
    /// The layers in which modifiers apply, in order: `in layers bonus, fixed`. Empty if the rules name none.
    pub layers: Vec<String>,
    /// Its offers may depend on hidden information, so an empty set of offers must not show.
    pub veiled: bool,
    /// Number of slots a window of this hook needs: its parameters, `me`, `holder`, and the most any clause needs.
    pub slots: u16,
}

/// A family of moves that questions can ask for, with their common fields.
#[derive(Clone, Debug)]
pub struct FamilyInfo {
    /// Its name in the rules: `attack`.
    pub name: String,
    /// The family that it is part of.
    pub base: Option<FamilyId>,
    /// Itself and the families that are part of it: their moves are its moves.
    pub parts: Vec<FamilyId>,
    /// The parameters that its actions can read, filled by the question: names and shapes.
    pub params: Vec<(String, Shape)>,
    /// The fields that every move of it has: names and shapes.
    pub fields: Vec<(String, Shape)>,
    /// Its actions, in declared order.
    pub actions: Vec<ActionId>,
    /// The candidate sets that its actions share, each given by an action and a role of it that draws from the set.
    pub shared: Vec<(ActionId, u16)>,
    /// All actions have [`ActionInfo::fillings`].
    pub plain: bool,
    /// The existence of a legal move may depend on hidden information.
    pub hidden: bool,
    /// Maximum number of slots that any of its actions needs.
    pub slots: u16,
}

/// A type of move: an action of the rules, one granted by an ability, or the targets of an offer.
#[derive(Clone, Debug)]
pub struct ActionInfo {
    /// Its name in rules and in the keys of moves: `leap`.
    pub name: String,
    pub family: Option<FamilyId>,
    /// Number of context slots, which come first: the family's or hook's parameters, then `me` and `holder` for abilities.
    pub context: u16,
    /// Its roles. The first role's slot is `context`, the second's the next, and so on.
    pub roles: Vec<RoleInfo>,
    /// Conditions that read no role.
    pub guard: Vec<Expr>,
    /// How its moves are counted and found.
    pub search: SearchPlan,
    /// A condition on all roles but the last. If it holds, every candidate of the last role makes a legal move.
    pub enough: Option<Expr>,
    /// The aggregates that its conditions read of its multi-valued role, if they read nothing else of it.
    pub aggregation: Option<Box<Aggregation>>,
    /// Its conditions as a bulk test over all candidates of the second of its two roles, if that is possible.
    pub pairing: Option<Box<Pairing>>,
    /// The words for its moves that players read, if the rules give any.
    pub says: Option<TextId>,
    /// The values of the family's fields.
    pub fields: Vec<FieldSource>,
    /// The code that carries out a move: its `do`.
    pub body: Option<Address>,
    pub slots: u16,
    /// The ids of the rules that its declaration cites.
    pub rules: Vec<String>,
    pub span: Span,
    /// The place of each `when`, with its rules, to explain why a move is not offered.
    pub conditions: Vec<ConditionInfo>,
    /// The fillings of its roles, if they are known at compile time and all candidates are shared.
    pub fillings: Option<[Filling; MOST_ROLES]>,
    /// The rules declare that its choices may reveal hidden information to the seat that is asked.
    pub tells: bool,
    /// The condition under which its moves count for `must choose`, in the context slots; always if absent.
    pub obliges: Option<Expr>,
}

impl ActionInfo {
    /// Whether any role may take more than one thing.
    pub fn takes_several(&self) -> bool {
        self.roles.iter().any(|role| matches!(role.amount, RoleAmount::Some(..)))
    }
}

/// The candidates and the size limits of a role.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filling {
    /// Index of its candidate set, among the sets of the question or those that a family shares.
    pub set: u16,
    /// It takes one thing, rather than a list.
    pub single: bool,
    /// It may stay empty: [`RoleAmount::OneOrNone`].
    pub optional: bool,
    /// For a list: the lowest and the highest allowed number of things.
    pub least: u32,
    pub most: u32,
}

impl Filling {
    /// Whether the role accepts a set of this size. `set` is a bitmask of the chosen candidates.
    #[inline]
    pub fn accepts_set(&self, set: u32) -> bool {
        (self.least..=self.most).contains(&set.count_ones())
    }
}

/// A condition of an action, kept with its place to explain a refusal.
#[derive(Clone, Debug)]
pub struct ConditionInfo {
    pub expr: Expr,
    pub span: Span,
    pub rules: Vec<String>,
    /// The reason shown to players if it fails; otherwise its source text is shown.
    pub why_not: Option<TextId>,
}

/// A part of a move that is chosen: `die in active.in_play`.
#[derive(Clone, Debug)]
pub struct RoleInfo {
    /// Its name in the rules.
    pub name: String,
    pub shape: Shape,
    pub amount: RoleAmount,
    /// The list of candidates.
    pub from: Expr,
    /// Number of leading roles that must be filled before its candidates can be computed. They are computed for each filling.
    pub after: usize,
    /// Tests of a single candidate, which is in `filter_slot`.
    pub filter: Vec<Expr>,
    /// The place of each test.
    pub filter_places: Vec<ConditionInfo>,
    /// The role's own slot, or for a list an extra slot.
    pub filter_slot: Slot,
    /// From the tests: a bitmask of marks that a candidate must not bear.
    pub excluded_marks: u32,
    /// The remaining tests.
    pub tests: Vec<Expr>,
    /// For each of these tests, the part that can settle it for all candidates at once, if any.
    pub settled: Vec<Option<SplitTest>>,
    /// The number that the search reads from each candidate.
    pub key: Option<Key>,
    /// The shape of the candidates.
    pub item: Shape,
    /// Of indistinguishable candidates, only one may be taken.
    pub sorts: bool,
    /// Index of its set among those that the family's actions share. Roles with the same candidates have the same index.
    pub shared: Option<u16>,
}

/// A test with a leading part that does not depend on the candidate: `opening or card.suit is led`.
#[derive(Clone, Debug, PartialEq)]
pub struct SplitTest {
    /// If this holds, all candidates pass.
    pub by: Expr,
    /// Otherwise each candidate must pass this.
    pub rest: Expr,
}

/// The number of things that fill a role or are chosen.
#[derive(Clone, Debug)]
pub enum RoleAmount {
    /// Exactly one.
    One,
    /// One, or nothing.
    OneOrNone,
    /// At least the first number, and at most the second if there is one.
    Some(Expr, Option<Expr>),
}

/// The strategy for counting and finding the moves of an action. See `runtime/eval/search.rs` in the engine.
#[derive(Clone, Debug)]
pub enum SearchPlan {
    /// The roles are independent: counts multiply.
    Product,
    /// One candidate for each of two roles, whose keys must compare.
    Compare { left: usize, right: usize, left_key: Key, right_key: Key, operator: Comparison },
    /// A set whose keys sum to the key of one piece, with an optional joker that adds to the sum.
    SumEqual { set: usize, set_key: Key, joker: Option<(usize, Key)>, target: usize, target_key: Key },
    /// Any other case: every combination is tested, each condition as early as possible.
    Walk(Vec<JoiningCondition>),
}

/// A condition that reads several roles.
#[derive(Clone, Debug)]
pub struct JoiningCondition {
    pub expr: Expr,
    /// Number of leading roles that must be filled before it can be tested.
    pub after: usize,
}

/// A number read from a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// The candidate itself is the number.
    Itself,
    /// A field of the candidate, by its index in its kind.
    Field(u16),
}

/// A comparison operator.
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
    /// Whether two values satisfy the comparison.
    #[inline]
    pub fn holds_for(self, left: Value, right: Value) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
            Comparison::Less => left < right,
            Comparison::LessEqual => left <= right,
            Comparison::Greater => left > right,
            Comparison::GreaterEqual => left >= right,
        }
    }

    /// The logical negation. `a < b` becomes `a >= b`.
    pub fn negate(self) -> Comparison {
        match self {
            Comparison::Equal => Comparison::NotEqual,
            Comparison::NotEqual => Comparison::Equal,
            Comparison::Less => Comparison::GreaterEqual,
            Comparison::LessEqual => Comparison::Greater,
            Comparison::Greater => Comparison::LessEqual,
            Comparison::GreaterEqual => Comparison::Less,
        }
    }

    /// The same comparison with its operands exchanged. `3 < x` becomes `x > 3`.
    pub fn swap_operands(self) -> Comparison {
        match self {
            Comparison::Less => Comparison::Greater,
            Comparison::LessEqual => Comparison::GreaterEqual,
            Comparison::Greater => Comparison::Less,
            Comparison::GreaterEqual => Comparison::LessEqual,
            other => other,
        }
    }
}

/// The source of a family's field in a move of an action. Roles are given by index.
#[derive(Clone, Debug)]
pub enum FieldSource {
    Role(usize),
    /// A role that is one piece, for a field that is a list.
    RoleAsList(usize),
    EmptyList,
    Computed(Expr),
}

/// A name that the rules give to a slot.
#[derive(Clone, Debug)]
pub struct LocalInfo {
    /// The first address at which the slot holds this. A later entry for the slot replaces it.
    pub at: Address,
    /// The slot; [`NO_LOCAL`] marks the start of another function's code.
    pub slot: Slot,
    /// Its name in the rules; empty if it has none.
    pub name: String,
    /// The shape of its value. [`Shape::Nothing`] ends the variable.
    pub shape: Shape,
}

/// Not a slot.
pub const NO_LOCAL: Slot = Slot::MAX;

/// A procedure of the rules: `to hop`, `scope turn(active: side)`.
#[derive(Clone, Debug)]
pub struct ProcedureInfo {
    /// Its name in the rules.
    pub name: String,
    /// Its parameters: names and shapes. They are in its first slots.
    pub params: Vec<(String, Shape)>,
    /// The shape of its result; [`Shape::Nothing`] if it has none.
    pub gives: Shape,
    /// Its first instruction.
    pub start: Address,
    pub slots: u16,
    /// It names a time span: `until end of turn`, `2 per turn`.
    pub scope: bool,
    /// A position may start play here, see `position` of the compiler.
    pub entry: bool,
    pub span: Span,
    /// The calls that lead here from `play`, outermost first. They let play start in the middle.
    pub chain: Vec<CallSite>,
}

/// A call on the path from `play` to an entry.
#[derive(Clone, Debug)]
pub struct CallSite {
    pub procedure: ProcedureId,
    /// The address after the call.
    pub next: Address,
    /// The caller's slot for the result of the call.
    pub result: Option<Slot>,
    /// The caller's parameters that it still reads after the call.
    pub needs: Vec<Slot>,
    /// The counts of the `repeat` loops around the call.
    pub counts: Vec<Slot>,
}

/// An ability, as the header of its file declares it.
#[derive(Clone, Debug)]
pub struct AbilityInfo {
    /// The file's stem: `big-hop`.
    pub id: String,
    /// The name shown to players.
    pub title: String,
    /// Its description for players.
    pub text: String,
    /// Limits on its uses; empty if there is none.
    pub uses: Vec<UseLimit>,
    /// The source of the number of uses, if it is given.
    pub provenance: Option<String>,
    /// The conditions under which it works, all of which must hold, with `me` and `holder` in the first slots.
    pub works: Vec<Formula>,
    /// The sheet of its parameters, which sheets can set.
    pub settings: Option<SheetId>,
    /// Its clauses at hooks, among [`Program::clauses`].
    pub clauses: Vec<u16>,
    /// The actions that it grants to its owner.
    pub grants: Vec<GrantInfo>,
    /// Its `forbid` and `demand` lines, among [`Program::restrictions`].
    pub restrictions: Vec<u16>,
    /// The ids of the rules that its header cites.
    pub rules: Vec<String>,
    /// The span of its header.
    pub span: Span,
}

/// A limit on the uses of an ability in one run of a scope: `uses 2 per match`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UseLimit {
    /// The number of uses, from 1 to 1000.
    pub times: Value,
    /// The scope's procedure.
    pub per: ProcedureId,
    /// All on a side that have the ability share the limit.
    pub shared: bool,
}

/// An action that an ability grants to its owner: `grant leap(…) is move`.
#[derive(Clone, Debug)]
pub struct GrantInfo {
    /// Among [`Program::actions`].
    pub action: ActionId,
    /// The family that its moves belong to, among [`Program::families`].
    pub family: FamilyId,
    /// The values available to the function of its name in the ability's file, which carries out its moves.
    pub known: Vec<KnownValue>,
}

/// The ways in which a clause acts at its hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClauseKind {
    /// Runs before everything else at the hook, and may stop it by answering: `instead`.
    Instead,
    /// Runs automatically: `trigger`.
    Trigger,
    /// May be used by the seat that is asked: `offer`.
    Offer,
    /// Changes the value of the hook: `modify`.
    Modifier,
}

/// A clause of an ability or mark at one hook. Slots: the hook's parameters, `me`, `holder`, the roles.
#[derive(Clone, Debug)]
pub struct ClauseInfo {
    /// The way in which it acts.
    pub kind: ClauseKind,
    /// Its name in the header; keys of offers begin with it. Modifiers have the name of their hook.
    pub name: String,
    /// Its ability, among [`Program::abilities`]. Meaningless if `mark` is set.
    pub ability: AbilityId,
    /// For a mark's modifier: the mark. Such a clause has no ability.
    pub mark: Option<u16>,
    /// Its hook, among [`Program::hooks`].
    pub hook: HookId,
    /// The layer of a modifier, by its index in the hook's list.
    pub layer: u16,
    /// [`EARLY`], 0, [`LATE`], or as written. Lower values act first.
    pub priority: i32,
    /// Its conditions. For an offer, only those that read no role.
    pub guard: Vec<Expr>,
    /// For an offer: the words for its option that players read.
    pub says: Option<TextId>,
    /// An offer's moves.
    pub action: Option<ActionId>,
    /// The side that receives the offer, if it is not the owner.
    pub to: Option<Expr>,
    /// A modifier's value; `it` is in the slot after `holder`.
    pub value: Option<Expr>,
    pub body: ClauseBody,
    /// For an offer: same as [`ActionInfo::tells`].
    pub tells: bool,
    /// Its uses are neither limited nor counted.
    pub free: bool,
    pub slots: u16,
    pub span: Span,
    /// The ids of the rules that it cites.
    pub rules: Vec<String>,
}

/// The code that a clause runs when it acts.
#[derive(Clone, Debug)]
pub enum ClauseBody {
    Nothing,
    Code(Address),
    /// A function of the ability's file, and the values available to its parameters, until it is compiled.
    Script {
        function: String,
        known: Vec<KnownValue>,
    },
}

impl ClauseBody {
    /// The address of its code, if it has any.
    pub fn start_address(&self) -> Option<Address> {
        if let ClauseBody::Code(start) = self { Some(*start) } else { None }
    }
}

/// A value available to a function of a script.
#[derive(Clone, Debug)]
pub struct KnownValue {
    pub name: String,
    pub slot: Slot,
    /// For a parameter: its column in the sheet's settings, which are in the slot.
    pub column: Option<u16>,
    pub shape: Shape,
}

/// The file of an ability.
#[derive(Clone, Debug)]
pub struct ScriptFile {
    /// Among [`Program::abilities`].
    pub ability: AbilityId,
    /// Its source: the header, then the functions.
    pub source: ludex_syntax::source::SourceId,
    /// The whole header was parsed. Otherwise the unreadable part may call any function.
    pub header_is_whole: bool,
}

/// A value of the rules that scripts can call by name: `summonable(card, family)`. Its parameters are in the first slots.
#[derive(Clone, Debug)]
pub struct NamedValue {
    pub name: String,
    pub params: Vec<(String, Shape)>,
    pub gives: Shape,
    pub value: Formula,
}

/// A statement of a script, or a condition of an `if`, as compiled once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScriptPoint {
    pub span: Span,
    /// Its first instruction. For a condition, the branching instruction.
    pub at: Address,
    pub condition: bool,
}

/// The source position of an instruction.
#[derive(Clone, Debug)]
pub struct CodePlace {
    pub span: Span,
    pub rules: Vec<String>,
}

/// A part of a sentence of the rules.
#[derive(Clone, Debug)]
pub enum TextPart {
    /// Literal words.
    Words(String),
    /// A value, formatted by its shape: `{active.flies}`.
    Hole(Expr, Shape),
    /// A text made by a script: a list of code points.
    Written(Expr),
    /// One of two texts.
    Choice {
        /// A flag.
        condition: Expr,
        /// The text if it is true.
        yes: TextId,
        /// The text if it is false.
        no: TextId,
    },
}

/// A checked entrant's file: its name, dice and abilities.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// Its id in commands and recordings: the file name, or a key under `sheets:`.
    pub id: String,
    /// The name shown to players.
    pub name: String,
    /// Its kind, among [`Program::kinds`].
    pub kind: KindId,
    /// For each printed zone of the kind: its pieces.
    pub zones: Vec<(u16, Vec<PrintedPiece>)>,
    /// The fields set by the file, by index. The rules initialise the others.
    pub fields: Vec<(u16, Value)>,
    /// Its abilities, in the order listed.
    pub abilities: Vec<ListedAbility>,
    /// Index of its print, which has its name and its values that never change in play.
    pub print: Value,
    /// By printed list, number or word: its source.
    pub provenance: BTreeMap<String, String>,
    /// The note for readers of the file: `note: …`.
    pub note: Option<String>,
    /// Its file.
    pub source: ludex_syntax::source::SourceId,
    /// Computed when the library is read. None if the rules compute nothing and admit every entrant.
    pub before_play: Option<Box<BeforePlay>>,
}

/// Values that the rules compute for a sheet before a match.
#[derive(Clone, Debug)]
pub struct BeforePlay {
    /// The first value of each field of its kind, in a match in which every side brings it.
    pub values: Result<Vec<Value>, Problem>,
    /// The result of `sides … where` for this sheet alone.
    pub admission: Result<(), Problem>,
}

/// A piece listed by a sheet or a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrintedPiece {
    /// Among [`Program::kinds`].
    pub kind: KindId,
    /// For a die: its size.
    pub size: i32,
    /// For a card: its print.
    pub print: Option<Value>,
    /// For a die: a bitmask of its initial marks.
    pub marks: u32,
}

impl Program {
    /// The number of the referee's seat in a game with this many sides, if there is a referee.
    pub fn referee_seat(&self, sides: usize) -> Option<usize> {
        self.referee.is_some().then_some(sides)
    }

    /// The name of an action's family. The targets of an offer have none.
    pub fn family_name(&self, action: &ActionInfo) -> Option<&str> {
        Some(self.families.get(usize::from(action.family?))?.name.as_str())
    }

    /// Whether a family is `of`, or part of it.
    #[inline]
    pub fn is_family(&self, family: FamilyId, of: FamilyId) -> bool {
        let base = |family: &FamilyId| self.families.get(usize::from(*family)).and_then(|info| info.base);
        std::iter::successors(Some(family), base).any(|found| found == of)
    }

    /// Finds an option by name.
    pub fn option_by_name(&self, name: &str) -> Option<&GameOption> {
        self.options.iter().find(|option| option.name == name)
    }

    /// Returns the parts of a text; empty for an unknown id.
    pub fn text_parts(&self, id: TextId) -> &[TextPart] {
        self.texts.get(id as usize).map_or(&[], Vec::as_slice)
    }

    /// The expressions that a text reads: its holes, and the conditions of its choices.
    pub fn text_expressions(&self, id: TextId) -> Vec<&Expr> {
        let mut read = Vec::new();
        for part in self.text_parts(id) {
            match part {
                TextPart::Words(_) => {}
                TextPart::Hole(expr, _) | TextPart::Written(expr) => read.push(expr),
                TextPart::Choice { condition, yes, no } => {
                    read.push(condition);
                    read.extend([yes, no].into_iter().flat_map(|text| self.text_expressions(*text)));
                }
            }
        }
        read
    }

    /// Returns none for an address beyond the code.
    pub fn code_place(&self, address: Address) -> Option<&CodePlace> {
        self.places.get(address as usize)
    }

    /// A kind by its index. Panics if there is none.
    #[inline]
    pub fn kind(&self, id: KindId) -> &Kind {
        &self.kinds[id as usize]
    }

    /// Whether players may know the value of a field: one that is shown, printed by a file or lends its members, or a
    /// built-in field. Other fields are internal to the rules.
    pub fn is_public_field(&self, kind: KindId, field: u16) -> bool {
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

    /// The contents of the frame's slots at an address. Empty slots have [`Shape::Nothing`].
    pub fn slots_at(&self, at: Address) -> BTreeMap<Slot, &LocalInfo> {
        let before = &self.locals[..self.locals.partition_point(|local| local.at <= at)];
        let Some(begins) = before.iter().rposition(|local| local.slot == NO_LOCAL) else { return BTreeMap::new() };
        // The instruction's own results are not there yet while play is at it. Parameters are, from the first address on.
        let is_filled = |local: &&LocalInfo| local.at < at || local.at == before[begins].at || local.shape == Shape::Nothing;
        before[begins + 1..].iter().filter(is_filled).map(|local| (local.slot, local)).collect()
    }

    /// The address at which all paths from an instruction meet, if there is one. The joins of the whole program are computed
    /// at the first call.
    pub fn join_address(&self, at: Address) -> Option<Address> {
        self.joins.get_or_init(|| flow::find_joins(self)).get(at as usize).copied().flatten()
    }

    /// The fields and marks that procedures called by these instructions may set.
    pub fn set_in_calls<'a>(&self, instructions: impl IntoIterator<Item = &'a Address>) -> FieldsAndMarks {
        self.sets_of_code.get_or_init(|| ProcedureSets::from_program(self)).sets_of_calls(self, instructions)
    }

    /// Whether values of a shape are pieces.
    #[inline]
    pub fn is_piece(&self, shape: &Shape) -> bool {
        matches!(shape, Shape::Entity(kind) if self.kind(*kind).sort == KindSort::Piece)
    }

    /// The special faces of a kind of dice; none if they are 1 to its size.
    #[inline]
    pub fn faces_of(&self, kind: KindId) -> Option<&Faces> {
        self.faces.iter().find(|faces| faces.kind == kind)
    }

    /// Whether things of a kind are dice.
    #[inline]
    pub fn is_die(&self, kind: KindId) -> bool {
        self.die == Some(kind) || self.faces_of(kind).is_some()
    }

    /// Whether a kind is `of` or part of it: dice with their own faces are also dice.
    #[inline]
    pub fn is_kind(&self, kind: KindId, of: KindId) -> bool {
        kind == of || self.die == Some(of) && self.faces_of(kind).is_some()
    }

    /// A die's title, from its size or faces and the marks that sheets give: `d8`, `loaded d8`, `d%`. None if the size alone
    /// says it all.
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

    /// Finds a die with its own faces by its name in the rules.
    pub fn die_by_name(&self, name: &str) -> Option<&Faces> {
        self.faces.iter().find(|faces| self.kind(faces.kind).name == name)
    }

    /// Whether an instruction belongs to a script.
    pub fn is_script(&self, at: Address) -> bool {
        self.script_code.contains(&at)
    }

    /// The index of the ability with this id, if this mode has it.
    pub fn ability_by_id(&self, id: &str) -> Option<AbilityId> {
        self.abilities.iter().position(|ability| ability.id == id).map(|index| index as AbilityId)
    }

    /// Finds a procedure by its name in the rules.
    pub fn procedure_by_name(&self, name: &str) -> Option<ProcedureId> {
        self.procedures.iter().position(|p| p.name == name).map(|index| index as ProcedureId)
    }
}
