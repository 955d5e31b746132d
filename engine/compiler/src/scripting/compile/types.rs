//! The types of values in scripts.
//!
//! They correspond to the types of rules, except that a text is a list of code points, and that a list may be open: still empty,
//! with members of a type that a later statement shows.

use super::values::words_index;
use ludex_program::{BoardOperation, Expr, GameOptionKind, KindId, KindSort, PIECE_SHEET, Program, SIDE, Shape, SheetId};
use ludex_syntax::problem::{join_words, with_article};
use std::rc::Rc;

/// The type of a value in a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    Number,
    Flag,
    Text,
    /// A text that is one of some words.
    Word(Rc<[String]>),
    Entity(KindId),
    /// A place for pieces of a kind.
    Zone(KindId),
    List(Box<Type>),
    Move(u16),
    /// A print of a sheet.
    Sheet(SheetId),
    Duration,
    /// A range of numbers for `for`.
    Range,
    OrNone(Box<Type>),
    /// `()`, or the result of a function without a value.
    Nothing,
    /// The member type of a list that is still empty.
    Open,
    /// The type after an error that was already reported.
    Unknown,
}

impl Type {
    pub fn list(self) -> Type {
        Type::List(Box::new(self))
    }

    pub fn or_none(self) -> Type {
        match self {
            Type::OrNone(_) | Type::Unknown | Type::Nothing => self,
            other => Type::OrNone(Box::new(other)),
        }
    }

    /// The type without its `or nothing`.
    pub fn certain(&self) -> &Type {
        match self {
            Type::OrNone(inner) => inner,
            other => other,
        }
    }

    /// Whether values are indices into the arena of lists. Texts are lists of code points.
    pub fn is_list(&self) -> bool {
        matches!(self.certain(), Type::List(_) | Type::Text | Type::Move(_))
    }

    /// Whether it is a list whose members are not lists.
    pub fn is_flat(&self) -> bool {
        match self.certain() {
            Type::List(inner) => !inner.is_list(),
            Type::Text => true,
            _ => false,
        }
    }

    /// The shape in which the machine stores values of this type.
    pub fn shape(&self, program: &Program) -> Shape {
        match self {
            Type::Number => Shape::Number,
            Type::Flag => Shape::Flag,
            Type::Text => Shape::List(Box::new(Shape::Number)),
            Type::Word(words) => Shape::Word(words_index(program, words)),
            Type::Entity(kind) => Shape::Entity(*kind),
            Type::Zone(kind) => Shape::Zone(*kind),
            Type::List(inner) => Shape::List(Box::new(inner.shape(program))),
            Type::Move(family) => Shape::Move(*family),
            Type::Sheet(sheet) => Shape::Sheet(*sheet),
            Type::OrNone(inner) => Shape::OrNone(Box::new(inner.shape(program))),
            Type::Duration | Type::Range | Type::Nothing | Type::Open | Type::Unknown => Shape::Nothing,
        }
    }

    /// Whether an error was reported for the value.
    pub fn is_unknown(&self) -> bool {
        *self == Type::Unknown
    }

    /// The script type of a value of the rules.
    pub fn of_shape(program: &Program, shape: &Shape) -> Type {
        match shape {
            Shape::Number | Shape::Halves => Type::Number,
            Shape::Flag => Type::Flag,
            Shape::Word(words) => {
                Type::Word(program.words.get(*words as usize).map_or(Rc::from([]), |list| list.words.as_slice().into()))
            }
            Shape::Entity(kind) => Type::Entity(*kind),
            Shape::Zone(kind) => Type::Zone(*kind),
            Shape::List(inner) => Type::of_shape(program, inner).list(),
            Shape::Move(family) => Type::Move(*family),
            Shape::Sheet(sheet) => Type::Sheet(*sheet),
            Shape::Text => Type::Text,
            Shape::OrNone(inner) => Type::of_shape(program, inner).or_none(),
            Shape::Nothing => Type::Nothing,
        }
    }

    /// The type of an option of the game.
    pub fn of_option(kind: &GameOptionKind) -> Type {
        match kind {
            GameOptionKind::Number { .. } => Type::Number,
            GameOptionKind::Words(words) => Type::Word(words.as_slice().into()),
        }
    }

    /// The member type of a list or zone.
    pub fn member(&self) -> Option<Type> {
        match self {
            Type::List(inner) => Some((**inner).clone()),
            Type::Zone(kind) => Some(Type::Entity(*kind)),
            Type::Unknown => Some(Type::Unknown),
            _ => None,
        }
    }

    /// Whether a value of this type can be used where `wanted` is expected.
    pub fn fits(&self, wanted: &Type) -> bool {
        match (self, wanted) {
            (Type::Unknown | Type::Open, _) | (_, Type::Unknown | Type::Open) => true,
            (Type::Nothing, Type::OrNone(_)) => true,
            (Type::OrNone(have), Type::OrNone(wanted)) => have.fits(wanted),
            (have, Type::OrNone(wanted)) => have.fits(wanted),
            (Type::Word(_), Type::Text) => true,
            (Type::List(have), Type::List(wanted)) => have.fits(wanted),
            (have, wanted) => have == wanted,
        }
    }

    /// The common type of two branches; none if there is none.
    pub fn either(self, other: Type) -> Option<Type> {
        match (self, other) {
            (Type::Unknown, other) | (other, Type::Unknown) => Some(other),
            (Type::Nothing, Type::Nothing) => Some(Type::Nothing),
            (Type::Nothing, other) | (other, Type::Nothing) => Some(other.or_none()),
            (Type::OrNone(a), Type::OrNone(b)) => a.either(*b).map(Type::or_none),
            (Type::OrNone(a), b) | (b, Type::OrNone(a)) => a.either(b).map(Type::or_none),
            (Type::List(a), Type::List(b)) => a.either(*b).map(Type::list),
            (Type::Open, other) | (other, Type::Open) => Some(other),
            (Type::Word(a), Type::Word(b)) if a != b => Some(Type::Text),
            (Type::Word(_), Type::Text) | (Type::Text, Type::Word(_)) => Some(Type::Text),
            (a, b) => (a == b).then_some(a),
        }
    }

    /// Whether the type, or the member type of a list, is still unknown.
    pub fn is_open(&self) -> bool {
        match self {
            Type::Open => true,
            Type::List(inner) | Type::OrNone(inner) => inner.is_open(),
            _ => false,
        }
    }

    /// The type in the reader's words: `a die`, `a list of numbers`.
    pub fn words(&self, program: &Program) -> String {
        match self {
            Type::Number => "a number".to_string(),
            Type::Flag => "true or false".to_string(),
            Type::Text => "a text".to_string(),
            Type::Word(words) => format!("one of the words {}", join_words(words, "and")),
            Type::Entity(kind) => with_article(&program.kind(*kind).name),
            Type::Zone(kind) => format!("a zone of {}", program.kind(*kind).plural),
            Type::List(inner) if **inner == Type::Open => "an empty list".to_string(),
            Type::List(inner) => format!("a list of {}", inner.many(program)),
            Type::Move(family) => program
                .families
                .get(*family as usize)
                .map_or("a move".to_string(), |family| format!("a move of `{}`", family.name)),
            Type::Sheet(sheet) => {
                program.prints.sheets.get(*sheet as usize).map_or("a sheet".to_string(), |sheet| with_article(&sheet.name))
            }
            Type::Duration => "a length of time".to_string(),
            Type::Range => "a range of numbers".to_string(),
            Type::OrNone(inner) => format!("{} or nothing", inner.words(program)),
            Type::Nothing => "nothing".to_string(),
            Type::Open | Type::Unknown => "something unknown".to_string(),
        }
    }

    /// Several values of the type, in the reader's words: `dice`.
    fn many(&self, program: &Program) -> String {
        match self {
            Type::Number => "numbers".to_string(),
            Type::Text | Type::Word(_) => "texts".to_string(),
            Type::Entity(kind) => program.kind(*kind).plural.clone(),
            Type::List(_) => "lists".to_string(),
            Type::Sheet(sheet) => {
                program.prints.sheets.get(*sheet as usize).map_or("sheets".to_string(), |sheet| sheet.plural.clone())
            }
            other => other.words(program),
        }
    }

    /// The property with this name, if there is one: the expression that reads it from `of`, and its shape.
    pub fn property(&self, program: &Program, of: Expr, name: &str) -> Option<(Expr, Shape)> {
        match self {
            Type::Entity(kind) => entity_property(program, of, *kind, name),
            Type::Sheet(sheet) => printed_property(program, of, *sheet, name),
            Type::Move(family) => {
                let fields = &program.families.get(*family as usize)?.fields;
                let index = fields.iter().position(|(field, _)| field == name)?;
                Some((Expr::MoveField { of: Box::new(of), index: index as u16 }, fields[index].1.clone()))
            }
            _ => None,
        }
    }

    /// The names of all properties.
    pub fn properties(&self, program: &Program) -> Vec<String> {
        match self {
            Type::Entity(kind) => entity_properties(program, *kind),
            Type::Sheet(sheet) => printed_properties(program, *sheet),
            Type::Move(family) => {
                let family = program.families.get(*family as usize);
                family.map_or(Vec::new(), |family| family.fields.iter().map(|(name, _)| name.clone()).collect())
            }
            _ => Vec::new(),
        }
    }
}

/// A property of a thing: a field, zone, board, printed line, built-in member, or one lent to a side by its entrant.
fn entity_property(program: &Program, of: Expr, kind: KindId, name: &str) -> Option<(Expr, Shape)> {
    let info = program.kind(kind);
    if let Some(field) = info.fields.iter().position(|field| field.name == name) {
        // Most pieces always have an owner.
        let owned = name == "owner" && program.is_owned(kind);
        let shape = if owned { Shape::Entity(SIDE) } else { info.fields[field].shape.clone() };
        let (of, field) = (Box::new(of), field as u16);
        let read = if shape.is_list() { Expr::Held { of, field } } else { Expr::Field { of, field } };
        return Some((read, shape));
    }
    if let Some(zone) = info.zones.iter().position(|zone| zone.name == name) {
        return Some((Expr::Zone { of: Box::new(of), zone: zone as u16 }, Shape::Zone(info.zones[zone].holds)));
    }
    let mut boards = (0..).zip(&program.boards);
    if let Some((which, board)) = boards.find(|(_, board)| board.kind == kind && board.name == name) {
        let first = Expr::Zone { of: Box::new(of), zone: board.first };
        let cell = Shape::Zone(info.zones[usize::from(board.first)].holds);
        return Some((Expr::OnBoard(BoardOperation::Cells(which), vec![first]), Shape::List(Box::new(cell))));
    }
    if let Some(sheet) = program.sheet_of_kind(kind)
        && let Some(found) = printed_property(program, print_of(program, of.clone(), kind), sheet.root, name)
    {
        return Some(found);
    }
    let side = Shape::Entity(SIDE);
    match (info.sort, name) {
        (KindSort::Piece, "place") => Some((Expr::PlaceOf(Box::new(of)), Shape::OrNone(Box::new(Shape::Zone(kind))))),
        (KindSort::Side, "foe") if program.sides.most == 2 => Some((Expr::Foe(Box::new(of)), side)),
        (KindSort::Side, "left" | "right") if program.sides.ring => {
            Some((Expr::Neighbour { of: Box::new(of), left: name == "left" }, side))
        }
        (KindSort::Entrant, "side") => Some((Expr::SideOf(Box::new(of)), side)),
        (KindSort::Side, _) => {
            let (_, field) = program.lending.iter().find(|(lent, _)| lent == name)?;
            let lender = Type::of_shape(program, &info.fields.get(usize::from(*field))?.shape);
            let Type::Entity(kind) = lender.certain() else { return None };
            entity_property(program, Expr::Field { of: Box::new(of), field: *field }, *kind, name)
        }
        _ => None,
    }
}

/// The print of a thing.
pub fn print_of(program: &Program, thing: Expr, kind: KindId) -> Expr {
    match program.kind(kind).sort {
        KindSort::Piece => Expr::Field { of: Box::new(thing), field: PIECE_SHEET },
        _ => Expr::PrintOf(Box::new(thing)),
    }
}

/// A property that is printed on a sheet, with its shape. If some sheets of a family lack it, it may be missing.
fn printed_property(program: &Program, of: Expr, sheet: SheetId, name: &str) -> Option<(Expr, Shape)> {
    let of = Box::new(of);
    if name == "name" {
        return Some((Expr::PrintedName(of), Shape::Text));
    }
    let root = program.prints.sheets.get(sheet as usize)?.root;
    let columns = &program.prints.sheets.get(root as usize)?.columns;
    let column = columns.iter().position(|column| column.name == name)?;
    let shape = columns[column].shape.clone();
    let expr = printed(of, column as u16, &shape);
    let always = program.prints.printed_lines(sheet).iter().any(|printed| usize::from(printed.column) == column);
    let certain = always || matches!(shape, Shape::Number | Shape::Halves | Shape::Flag | Shape::List(_) | Shape::OrNone(_));
    Some((expr, if certain { shape } else { Shape::OrNone(Box::new(shape)) }))
}

/// Reads a column of a print, which may be a list.
pub fn printed(of: Box<Expr>, column: u16, shape: &Shape) -> Expr {
    match shape {
        Shape::List(_) => Expr::PrintedList { of, column },
        _ => Expr::Printed { of, column },
    }
}

/// The names of the lines printed on a sheet of a family.
fn printed_properties(program: &Program, sheet: SheetId) -> Vec<String> {
    let root = program.prints.sheets.get(sheet as usize).and_then(|sheet| program.prints.sheets.get(sheet.root as usize));
    let columns = root.map_or(&[][..], |root| root.columns.as_slice());
    columns.iter().map(|column| column.name.clone()).chain(["name".to_string()]).collect()
}

/// The names of all properties of things of a kind.
fn entity_properties(program: &Program, kind: KindId) -> Vec<String> {
    let info = program.kind(kind);
    let mut names: Vec<String> = info.fields.iter().map(|field| field.name.clone()).filter(|name| !name.is_empty()).collect();
    names.extend(info.zones.iter().filter(|zone| zone.board.is_none()).map(|zone| zone.name.clone()));
    names.extend(program.boards.iter().filter(|board| board.kind == kind).map(|board| board.name.clone()));
    names.extend(program.sheet_of_kind(kind).map(|sheet| printed_properties(program, sheet.root)).into_iter().flatten());
    match info.sort {
        KindSort::Piece => names.push("place".to_string()),
        KindSort::Entrant => names.push("side".to_string()),
        KindSort::Side => {
            names.extend(program.lending.iter().map(|(name, _)| name.clone()));
            if program.sides.most == 2 {
                names.push("foe".to_string());
            }
        }
        KindSort::Table => {}
    }
    names
}
