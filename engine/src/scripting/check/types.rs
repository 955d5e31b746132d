//! What values of scripts are.

use crate::problem::{joined, with_article};
use crate::program::{GameOptionKind, KindId, KindSort, Program, SIDE, Shape, SheetId};
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
    /// Something printed on a sheet.
    Sheet(SheetId),
    Duration,
    /// Numbers from one to another, for `for`.
    Range,
    OrNone(Box<Type>),
    /// `()`, or what gives nothing.
    Nothing,
    /// The members of a list that is still empty.
    Open,
    /// Something already complained of.
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

    pub fn certain(&self) -> &Type {
        match self {
            Type::OrNone(inner) => inner,
            other => other,
        }
    }

    pub fn is_unknown(&self) -> bool {
        *self == Type::Unknown
    }

    /// What a value of the rules is in a script.
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

    pub fn of_option(kind: &GameOptionKind) -> Type {
        match kind {
            GameOptionKind::Number { .. } => Type::Number,
            GameOptionKind::Words(words) => Type::Word(words.as_slice().into()),
        }
    }

    /// What the members of a list or zone are.
    pub fn member(&self) -> Option<Type> {
        match self {
            Type::List(inner) => Some((**inner).clone()),
            Type::Zone(kind) => Some(Type::Entity(*kind)),
            Type::Unknown => Some(Type::Unknown),
            _ => None,
        }
    }

    /// Whether a value of this type may stand where `wanted` is wanted.
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

    /// The type of a value that is one or the other.
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

    /// Whether it is clear what this is, down to the members of lists.
    pub fn is_open(&self) -> bool {
        match self {
            Type::Open => true,
            Type::List(inner) | Type::OrNone(inner) => inner.is_open(),
            _ => false,
        }
    }

    /// In a reader's words: `a die`, `a list of numbers`.
    pub fn words(&self, program: &Program) -> String {
        match self {
            Type::Number => "a number".to_string(),
            Type::Flag => "true or false".to_string(),
            Type::Text => "a text".to_string(),
            Type::Word(words) => format!("one of the words {}", joined(words, "and")),
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

    /// What the name after a dot gives, if this has it.
    pub fn property(&self, program: &Program, name: &str) -> Option<Type> {
        match self {
            Type::Entity(kind) => entity_property(program, *kind, name),
            Type::Sheet(sheet) => printed_property(program, *sheet, name),
            Type::Move(family) => {
                let fields = &program.families.get(*family as usize)?.fields;
                fields.iter().find(|(field, _)| field == name).map(|(_, shape)| Type::of_shape(program, shape))
            }
            _ => None,
        }
    }

    /// All names that may follow a dot.
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

fn entity_property(program: &Program, kind: KindId, name: &str) -> Option<Type> {
    let info = program.kind(kind);
    // A card belongs to whoever brought it.
    if name == "owner" && program.is_printed(kind) {
        return Some(Type::Entity(SIDE));
    }
    if let Some(field) = info.fields.iter().find(|field| field.name == name) {
        return Some(Type::of_shape(program, &field.shape));
    }
    if let Some(zone) = info.zones.iter().find(|zone| zone.name == name) {
        return Some(Type::Zone(zone.holds));
    }
    if let Some(found) = program.sheet_of_kind(kind).and_then(|sheet| printed_property(program, sheet.root, name)) {
        return Some(found);
    }
    match (info.sort, name) {
        (KindSort::Piece, "place") => Some(Type::Zone(kind).or_none()),
        (KindSort::Side, "foe") if program.sides.most == 2 => Some(Type::Entity(SIDE)),
        (KindSort::Side, "left" | "right") if program.sides.ring => Some(Type::Entity(SIDE)),
        (KindSort::Entrant, "side") => Some(Type::Entity(SIDE)),
        (KindSort::Side, _) => {
            program.lending.iter().find(|(lent, _)| lent == name)?;
            entity_property(program, program.sides.entrant?, name)
        }
        _ => None,
    }
}

/// What a sheet prints; where not all sheets of a family do, there may be nothing.
fn printed_property(program: &Program, sheet: SheetId, name: &str) -> Option<Type> {
    if name == "name" {
        return Some(Type::Text);
    }
    let root = program.prints.sheets.get(sheet as usize)?.root;
    let columns = &program.prints.sheets.get(root as usize)?.columns;
    let column = columns.iter().position(|column| column.name == name)?;
    let of = Type::of_shape(program, &columns[column].shape);
    let always = program.prints.printed(sheet).iter().any(|printed| usize::from(printed.column) == column);
    Some(if always || matches!(of, Type::Number | Type::Flag | Type::List(_)) { of } else { of.or_none() })
}

fn printed_properties(program: &Program, sheet: SheetId) -> Vec<String> {
    let root = program.prints.sheets.get(sheet as usize).and_then(|sheet| program.prints.sheets.get(sheet.root as usize));
    let columns = root.map_or(&[][..], |root| root.columns.as_slice());
    columns.iter().map(|column| column.name.clone()).chain(["name".to_string()]).collect()
}

fn entity_properties(program: &Program, kind: KindId) -> Vec<String> {
    let info = program.kind(kind);
    let mut names: Vec<String> = info.fields.iter().map(|field| field.name.clone()).filter(|name| !name.is_empty()).collect();
    names.extend(info.zones.iter().map(|zone| zone.name.clone()));
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
