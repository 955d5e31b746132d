//! The columns of an observation.
//!
//! A *column* is the index of a number in an observation. First come columns of the turn, then those of fields, uses, marks and
//! zones, and at the end a row for each piece; all these rows have the same columns ([`of_piece`], then fields and marks).
//! *Printed* pieces have sheets.

use crate::runtime::context::Context;
use crate::runtime::encoding::domain::Domain;
use crate::runtime::encoding::sizes::Sizes;
use crate::runtime::flow::Machine;
use ludex_program::{FieldInfo, KindSort, PIECE_OWNER, Program, Shape, Value, Visibility};

/// Number of the most recently chosen actions in an observation.
pub const LAST_CHOSEN: usize = 4;
/// Maximum number of list members in an observation.
const MOST_MEMBERS: u16 = 16;

/// The columns of a piece's row.
pub mod of_piece {
    pub const KNOWN: usize = 0;
    pub const CHOSEN: usize = 1;
    pub const ZONE: usize = 2;
    pub const PLACE: usize = 3;
    pub const UNDER: usize = 4;
    pub const OWNER: usize = 5;
    pub const KIND: usize = 6;
    pub const SHEET: usize = 7;
    pub const NAMES: [&str; 8] =
        ["known", "chosen", "zone + 1", "place, from 1", "under piece + 1", "owner + 1", "kind", "sheet + 1"];
}

/// The encoding of a value. A plain value is the number itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    Plain,
    /// A flag that is set if there is a number, then the number.
    Maybe,
    /// One more than the index of a thing, and 0 for none.
    OneMore(Domain),
    /// The length, and the first members.
    List {
        members: u16,
        of: Option<Domain>,
    },
}

impl Coding {
    /// The coding of a field; `None` if its values cannot be encoded.
    fn for_field(program: &Program, field: &FieldInfo) -> Option<Coding> {
        match &field.shape {
            Shape::List(inner) => {
                let of = Domain::for_shape(program, inner)?;
                let of = (!matches!(of, Domain::Number | Domain::Flag)).then_some(of);
                Some(Coding::List { members: field.room.min(MOST_MEMBERS), of })
            }
            Shape::OrNone(inner) => match Domain::for_shape(program, inner)? {
                Domain::Number | Domain::Flag => Some(Coding::Maybe),
                domain => Some(Coding::OneMore(domain)),
            },
            shape => match Domain::for_shape(program, shape)? {
                Domain::Number | Domain::Flag => Some(Coding::Plain),
                domain => Some(Coding::OneMore(domain)),
            },
        }
    }

    /// The names of the columns of a value that is called `name`.
    fn column_names(self, name: &str) -> Vec<String> {
        match self {
            Coding::Plain => vec![name.to_string()],
            Coding::OneMore(domain) => vec![format!("{name}: {} + 1", domain.as_word())],
            Coding::Maybe => vec![format!("{name}: has a value"), name.to_string()],
            Coding::List { members, of } => {
                let member = |place| match of {
                    Some(domain) => format!("{name}, member {place}: {} + 1", domain.as_word()),
                    None => format!("{name}, member {place}"),
                };
                std::iter::once(format!("{name}: number of members")).chain((1..=members).map(member)).collect()
            }
        }
    }
}

/// A field of an entity other than a piece. Its first column says whether the observer knows it, unless everybody does; then
/// comes the value.
#[derive(Clone, Debug)]
pub struct FieldColumn {
    pub at: usize,
    pub entity: Value,
    pub field: u16,
    pub seen: Visibility,
    pub coding: Coding,
}

/// A field of pieces of a kind, with its first column in their row.
#[derive(Clone, Debug)]
pub struct PieceColumn {
    pub at: usize,
    pub field: u16,
    pub coding: Coding,
}

/// The columns of all observations of a game.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    pub width: usize,
    pub seats: usize,
    pub sides: usize,
    /// The first of the columns about the question: whether the observer is asked, the place of the question in the rules, the
    /// number of actions chosen, and the last of them.
    pub asked: usize,
    /// The first of one column for each side: whether it is out of the game.
    pub out: usize,
    pub fields: Vec<FieldColumn>,
    /// The column of each observed ability in play, with its index among all abilities.
    pub uses: Vec<(usize, usize)>,
    /// The columns of marks, each with the entity and the mark.
    pub marks: Vec<(usize, Value, u16)>,
    /// The first of `zone_count` columns, each with the number of pieces in a zone.
    pub zones: usize,
    pub zone_count: usize,
    /// The first column of the first piece's row.
    pub pieces: usize,
    /// Number of columns of a piece's row.
    pub piece_width: usize,
    /// Maximum number of pieces with a row.
    pub piece_count: usize,
    /// The columns of fields, by kind.
    pub piece_fields: Vec<Vec<PieceColumn>>,
    /// The columns of marks in a piece's row, each with the mark.
    pub piece_marks: Vec<(usize, u16)>,
    /// For each kind: whether its pieces have sheets.
    pub printed: Vec<bool>,
    /// Whether the game has hidden information.
    pub hides: bool,
    pub first_entrant: Value,
    /// The names of the columns before those of pieces.
    pub names: Vec<String>,
    pub piece_names: Vec<String>,
}

impl Columns {
    /// The columns for the players of a machine at the start of a game.
    pub fn new(context: &Context, machine: &Machine, sizes: &Sizes) -> Columns {
        let program = context.program;
        let sides = context.roster.sides;
        let seats = sides + usize::from(program.referee.is_some());
        let mut columns =
            Columns { seats, sides, hides: program.hides, first_entrant: sizes.first_entrant, ..Columns::default() };
        (0..seats).for_each(|seat| _ = columns.add_column(format!("the observer is seat {seat}")));
        (0..sides).for_each(|side| _ = columns.add_column(format!("it is the turn of side {side}")));
        columns.asked = columns.add_column("the observer is asked".to_string());
        columns.add_column("the question of the rules that is asked".to_string());
        columns.add_column("number of actions chosen for the answer".to_string());
        (0..LAST_CHOSEN).for_each(|back| _ = columns.add_column(format!("action chosen {} back + 1", back + 1)));
        columns.out = columns.width;
        (0..sides).for_each(|side| _ = columns.add_column(format!("side {side} is out")));
        for entity in 0..Value::from(context.roster.first_piece) {
            columns.add_entity(context, machine, entity);
        }
        columns.add_uses(context);
        columns.add_zones(context, machine);
        columns.add_pieces(program, sizes);
        columns
    }

    /// The first column of a piece's row.
    #[inline]
    pub fn row_of(&self, piece: usize) -> usize {
        self.pieces + piece * self.piece_width
    }

    /// Adds a column, and returns its index.
    fn add_column(&mut self, name: String) -> usize {
        self.names.push(name);
        self.width += 1;
        self.width - 1
    }

    /// Adds the fields and marks of a side, the table or an entrant, as far as some seat may know them.
    fn add_entity(&mut self, context: &Context, machine: &Machine, entity: Value) {
        let program = context.program;
        let Some(found) = machine.state.board.entity(entity).copied() else { return };
        let called = entity_name(context, entity);
        for (index, field) in program.kind(found.kind).fields.iter().enumerate().filter(|(_, field)| !field.name.is_empty()) {
            let index = index as u16;
            let told = match field.seen {
                Visibility::All => program.is_public_field(found.kind, index),
                Visibility::Owner | Visibility::Others => true,
                Visibility::Nobody => false,
            };
            let Some(coding) = Coding::for_field(program, field).filter(|_| told) else { continue };
            let at = self.width;
            if field.seen != Visibility::All {
                self.add_column(format!("{called}: {}: is known", field.name));
            }
            coding.column_names(&field.name).into_iter().for_each(|name| _ = self.add_column(format!("{called}: {name}")));
            self.fields.push(FieldColumn { at, entity, field: index, seen: field.seen, coding });
        }
        for (mark, info) in program.marks.iter().enumerate().filter(|(_, mark)| mark.is_public() && mark.kind == found.kind) {
            let at = self.add_column(format!("{called}: {}", info.name));
            self.marks.push((at, entity, mark as u16));
        }
    }

    /// Adds the remaining uses of the abilities of entrants.
    fn add_uses(&mut self, context: &Context) {
        for (place, instance) in context.roster.instances.iter().enumerate() {
            let ability = &context.program.abilities[usize::from(instance.ability)];
            if instance.holder < context.roster.first_piece && !ability.uses.is_empty() {
                let at = self.add_column(format!(
                    "{}: uses left of {}",
                    entity_name(context, Value::from(instance.holder)),
                    ability.id
                ));
                self.uses.push((at, place));
            }
        }
    }

    /// Adds the number of pieces in each zone that does not belong to a piece.
    fn add_zones(&mut self, context: &Context, machine: &Machine) {
        self.zones = self.width;
        for (zone, (owner, index, _)) in machine.state.board.zones.iter().enumerate() {
            if owner >= context.roster.first_piece {
                break;
            }
            let kind = machine.state.board.entity(Value::from(owner)).map_or(0, |owner| owner.kind);
            let info = context.program.kind(kind).zones.get(usize::from(index));
            let name = info.map_or("", |info| info.name.as_str());
            self.add_column(format!("zone {zone}, {name} of {}: number of pieces", entity_name(context, Value::from(owner))));
            self.zone_count = zone + 1;
        }
    }

    /// Adds the rows of pieces. Fields of different kinds share a column if they have the same name and coding.
    fn add_pieces(&mut self, program: &Program, sizes: &Sizes) {
        self.piece_names = of_piece::NAMES.map(str::to_string).to_vec();
        self.piece_fields = vec![Vec::new(); program.kinds.len()];
        self.printed = (0..program.kinds.len()).map(|kind| program.is_printed(kind as u16)).collect();
        let mut known: Vec<(String, Coding, usize)> = Vec::new();
        for (kind, info) in program.kinds.iter().enumerate().filter(|(_, kind)| kind.sort == KindSort::Piece) {
            let is_die = program.is_die(kind as u16);
            for (index, field) in info.fields.iter().enumerate().filter(|(_, field)| !field.name.is_empty()) {
                let index = index as u16;
                let is_sheet = self.printed[kind] && index == ludex_program::PIECE_SHEET;
                // Dice have no other fields here. A piece's owner and print already have columns.
                let told = match is_die {
                    true => index == ludex_program::DIE_SIZE || index == ludex_program::DIE_VALUE,
                    false => field.seen == Visibility::All && program.is_public_field(kind as u16, index),
                };
                let Some(coding) = Coding::for_field(program, field).filter(|_| told && index != PIECE_OWNER && !is_sheet) else {
                    continue;
                };
                let column = known.iter().find(|(name, as_coded, _)| *name == field.name && *as_coded == coding);
                let at = match column {
                    Some((.., at)) => *at,
                    None => {
                        let at = self.piece_names.len();
                        self.piece_names.extend(coding.column_names(&field.name));
                        known.push((field.name.clone(), coding, at));
                        at
                    }
                };
                self.piece_fields[kind].push(PieceColumn { at, field: index, coding });
            }
        }
        let is_of_piece = |kind: u16| program.kinds.get(usize::from(kind)).is_some_and(|kind| kind.sort == KindSort::Piece);
        for (mark, info) in program.marks.iter().enumerate().filter(|(_, mark)| mark.is_public() && is_of_piece(mark.kind)) {
            self.piece_marks.push((self.piece_names.len(), mark as u16));
            self.piece_names.push(info.name.clone());
        }
        self.pieces = self.width;
        self.piece_width = self.piece_names.len();
        self.piece_count = sizes.pieces;
        self.width += self.piece_width * self.piece_count;
    }
}

/// The name of a side, the table or an entrant in the names of columns.
fn entity_name(context: &Context, entity: Value) -> String {
    let sides = context.roster.sides as Value;
    match entity {
        side if side < sides => format!("side {side}"),
        table if table == Value::from(context.roster.table) => "the table".to_string(),
        entrant => {
            u16::try_from(entrant).ok().and_then(|entrant| context.roster.entrant_key(entrant)).unwrap_or("entrant").to_string()
        }
    }
}
