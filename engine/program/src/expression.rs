//! Expressions, which have a value and change nothing. The operands of each form are described once, below the forms: every
//! pass over expressions that does not care which form it meets learns from there what it is made of.

use super::operands::Operand;
use super::{ActionId, Address, Comparison, FamilyId, HookId, KindId, OnBoard, SheetId, Slot, Value};

/// A definition with more arguments is not remembered.
pub const MOST_REMEMBERED: usize = 4;

/// An expression. Each has a [`Value`]; what the value means is known when compiling. Forms that make lists give a place in the
/// arena of lists.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A number, a flag, a word or `none`: `7`, `yes`.
    Constant(Value),
    /// An option, by its place, of a program that is only looked at: whoever plays may choose another value.
    Option(u16),
    /// The value in a slot: a parameter, a variable, or `it`.
    Local(Slot),
    // Fused forms of frequent shapes; `compile/fuse.rs` makes them.
    /// A field of the entity in a slot.
    LocalField { slot: Slot, field: u16 },
    /// A field of the table: `next_up`.
    TableField(u16),
    /// A zone of the entity in a slot.
    LocalZone { slot: Slot, zone: u16 },
    /// The zone that the piece in a slot lies in.
    LocalPlace(Slot),
    /// The foe of the side in a slot.
    LocalFoe(Slot),
    /// A field of the move in a slot.
    LocalMoveField { slot: Slot, index: u16 },
    /// A zone of what a field of a side refers to: of the side in a slot, or of its foe.
    LentZone { slot: Slot, foe: bool, field: u16, zone: u16 },
    /// A field of each piece of a zone, as a list, perhaps sorted.
    FieldList { zone: Box<Expr>, field: u16, sorted: bool, down: bool },
    /// A field of a thing: `die.value`.
    Field { of: Box<Expr>, field: u16 },
    /// The list that a field of a thing keeps: `side.picks`.
    Held { of: Box<Expr>, field: u16 },
    /// The index of an entity's zone.
    Zone { of: Box<Expr>, zone: u16 },
    /// The zone a piece lies in, or none.
    PlaceOf(Box<Expr>),
    /// Whether a thing bears a mark: `die is defended`.
    HasMark { of: Box<Expr>, mark: u16 },
    /// Whether a thing is of a kind: `die is a percentile`.
    KindIs { of: Box<Expr>, kind: KindId },
    /// A number, word, text or sheet that is printed on a sheet.
    Printed { of: Box<Expr>, column: u16 },
    /// The name on a sheet.
    PrintedName(Box<Expr>),
    /// What an entrant's file prints.
    PrintOf(Box<Expr>),
    /// Whether something printed is of a sheet, or of one that builds on it.
    SheetIs { of: Box<Expr>, sheet: SheetId },
    /// The table itself.
    Table,
    /// Whoever sits in the seat without a side. It is no thing: it can only be asked.
    Referee,
    /// The other side of two.
    Foe(Box<Expr>),
    /// The side an entity belongs to.
    SideOf(Box<Expr>),
    /// The side beside another in a ring.
    Neighbour { of: Box<Expr>, left: bool },
    /// A field of a move, by its place in the family: `attack.target`.
    MoveField { of: Box<Expr>, index: u16 },
    /// Whether a move is one of an action: `move is skill_attack`.
    MoveIs { of: Box<Expr>, action: ActionId },
    /// Whether a move is of a family, or of one that is part of it.
    MoveIn { of: Box<Expr>, family: FamilyId },
    /// A move that must be of a family.
    AsMove { of: Box<Expr>, family: FamilyId },
    /// Runs `value` into `slot`, then gives `then`.
    With { slot: Slot, value: Box<Expr>, then: Box<Expr> },
    /// A definition that looks through lists and is asked again and again: what it gave for the same arguments, if nothing
    /// has changed since.
    Remembered { which: u16, arguments: Vec<Expr>, value: Box<Expr> },
    /// Whether a flag is not so: `not a`, `x is not y`.
    Not(Box<Expr>),
    /// Whether both are so: `a and b`. The second is left out where the first is not.
    And(Box<Expr>, Box<Expr>),
    /// Whether one of them is so, or both: `a or b`. The second is left out where the first is.
    Or(Box<Expr>, Box<Expr>),
    /// Whether two values compare so: `die.value >= 3`, `x is y`.
    Compare(Comparison, Box<Expr>, Box<Expr>),
    /// The same of two lists of numbers, from the left. One that ends first is the lower.
    CompareLists(Comparison, Box<Expr>, Box<Expr>),
    /// `a + b`; a fault where the result is too large, as for all arithmetic.
    Add(Box<Expr>, Box<Expr>),
    /// `a - b`
    Subtract(Box<Expr>, Box<Expr>),
    /// `a * b`
    Multiply(Box<Expr>, Box<Expr>),
    /// `x divided by 3 rounded down`; with `up` it is rounded up.
    Divide { left: Box<Expr>, right: Box<Expr>, up: bool },
    /// What hardly anything but scripts works out.
    Calculated(Calculation, Vec<Expr>),
    /// Cells of a board, or where a cell stands: `cell 2, 3 of board`, `lines of 4 through cell`.
    OnBoard(OnBoard, Vec<Expr>),
    /// The higher of two numbers: `x but at least 0`.
    AtLeast(Box<Expr>, Box<Expr>),
    /// The lower of two numbers: `x but at most 7`.
    AtMost(Box<Expr>, Box<Expr>),
    /// `n is odd`
    IsOdd(Box<Expr>),
    /// The second where the first is so, else the third: `if c then a else b`.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A value that modifiers may change.
    Fold { hook: HookId, arguments: Vec<Expr> },
    /// Whether a family has a legal move: one that leaves no passing (`can`), or any (`may`).
    Can { family: FamilyId, obliging: bool, arguments: Vec<Expr> },
    /// The same, of a move for which a condition holds; the move is in the slot.
    CanWhere { family: FamilyId, obliging: bool, arguments: Vec<Expr>, slot: Slot, condition: Box<Expr> },
    /// A value as it would be if fields had other values.
    Supposing { changes: Vec<Supposed>, then: Box<Expr> },
    // Of zones, without a list.
    /// How many pieces there are: `count of side.hand`.
    CountZone(Box<Expr>),
    /// A field of each piece added up: `sum of side.captured.size`.
    SumZone { zone: Box<Expr>, field: u16 },
    /// Whether a piece is in a zone: `die in side.nest`.
    InZone { item: Box<Expr>, zone: Box<Expr> },
    // Of lists.
    /// How many members there are: `count of xs`.
    CountList(Box<Expr>),
    /// All members added up, 0 of nothing: `sum of xs`.
    SumList(Box<Expr>),
    /// The highest or lowest number, 0 of nothing.
    ExtremeOf { highest: bool, list: Box<Expr> },
    /// The first or last member, or none.
    EndOf { last: bool, list: Box<Expr> },
    /// Of members that nothing tells apart, the first.
    Sorts { list: Box<Expr>, pieces: bool },
    /// Whether a value is a member: `x in xs`.
    InList { item: Box<Expr>, list: Box<Expr> },
    /// What one of those who were asked at once has answered, or what one of those has got that a total was divided among:
    /// of two lists the member of the first that stands where `of` stands in the second.
    AnswerOf { answers: Box<Expr>, members: Box<Expr>, of: Box<Expr> },
    /// Whether a condition is so for one, for each or for no member, which is in the slot: `any of dice has it.value > 3`.
    Quantified { which: ludex_syntax::tree::Quantifier, list: Box<Expr>, slot: Slot, condition: Box<Expr> },
    /// The member that is best by the keys, or none if there are several: `the one of sides with highest it.score`. Each is in
    /// the slot in turn.
    BestOne { list: Box<Expr>, slot: Slot, keys: Vec<BestKey> },
    // These make lists.
    /// The pieces of a zone, in order.
    ZoneList(Box<Expr>),
    /// A list that is printed on a sheet.
    PrintedList { of: Box<Expr>, column: u16 },
    /// A list of values: `[4, 6, 8]`.
    ListOf(Vec<Expr>),
    /// A list of one, or of none for `none`.
    Single(Box<Expr>),
    /// A list of all numbers from the first to the second: `(1..6)`.
    Range(Box<Expr>, Box<Expr>),
    /// The members of the first and then of the second: `xs + ys`.
    Concatenate(Box<Expr>, Box<Expr>),
    /// The members of the first that are not in the second: `xs without ys`.
    Without(Box<Expr>, Box<Expr>),
    /// The members for which a condition is so; each is in the slot in turn: `dice where it.value > 3`.
    Where { list: Box<Expr>, slot: Slot, condition: Box<Expr> },
    /// An expression for each member.
    Map { list: Box<Expr>, slot: Slot, value: Box<Expr> },
    /// The members of a list that is worked out for each member, one list after the other: `sides.otters`.
    MapList { list: Box<Expr>, slot: Slot, value: Box<Expr> },
    /// The pieces in one zone of each member.
    MapZone { list: Box<Expr>, zone: u16 },
    /// Numbers in order, the lowest first, or with `down` the highest: `sorted dice.value`.
    Sorted { down: bool, list: Box<Expr> },
    /// The highest or lowest `count` numbers, in the order of the list, or all if there are fewer: `highest 3 of xs`. Of equal
    /// numbers the earlier are kept.
    Keep { highest: bool, count: Box<Expr>, list: Box<Expr> },
    /// The topmost pieces of a zone, or all if there are fewer: `top 2 of deck`.
    Top { count: Box<Expr>, zone: Box<Expr> },
    /// All members that are best by the keys: `those of sides with highest it.score`. Each is in the slot in turn.
    BestAll { list: Box<Expr>, slot: Slot, keys: Vec<BestKey> },
    /// All sides that are in the game: `sides`.
    Sides,
    /// All entities of a kind, in order of their ids.
    Every(KindId),
    /// The entrants of a side.
    EntrantsOf(Box<Expr>),
    /// The sides beside another in a ring.
    Neighbours(Box<Expr>),
}

/// What hardly anything but scripts works out, with its operands. A place in a list is counted from 0, and one below 0
/// from its end: -1 is the last. Texts are lists of code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calculation {
    /// Of two numbers, rounded towards 0; a fault where the second is 0.
    Quotient,
    /// What division leaves, with the sign of the first number; a fault where the second is 0.
    Remainder,
    /// What division leaves that is rounded down, with the sign of the second number; a fault where that is 0.
    RemainderDown,
    /// The first number to the power of the second; a fault where that is below 0.
    Power,
    /// The member of a list at a place; a fault where there is none.
    MemberAt,
    /// The member of a list at a place, or none.
    MemberOrNone,
    /// The member of a list at a place counted from 1, or none.
    Nth,
    /// An answer that must have been given; a fault where there was nothing to choose from.
    Owed,
    /// A list with another value at a place; a fault where there is no such place.
    Replaced,
    /// A list with one more value before a place, or at its nearer end where there is no such place.
    Inserted,
    /// A list without the member at a place, if there is one.
    Dropped,
    /// A list turned round.
    Reversed,
    /// The first place of a value in a list, or -1.
    PlaceOf,
    /// The first place of a list in a list of lists, or -1.
    PlaceOfList,
    /// Whether the members of the second list stand somewhere in the first, one after the other.
    HoldsRun,
    /// The letters of a printed text, or none of none.
    Letters,
    /// Of each printed text of a list.
    LettersOfEach,
    /// The letters of a word of a list among [`super::Program::words`], or none of none.
    LettersOfWord(u16),
    /// Of each word of a list.
    LettersOfEachWord(u16),
    /// A number in digits.
    Digits,
    /// The printed text that has these letters; a fault where there is none.
    PrintedText,
}

/// A field of something, and the value that it is supposed to have.
#[derive(Clone, Debug, PartialEq)]
pub struct Supposed {
    pub of: Expr,
    pub field: u16,
    pub value: Expr,
}

/// What members are compared by: `highest it.score`. Later keys decide between those that are equal by the earlier.
#[derive(Clone, Debug, PartialEq)]
pub struct BestKey {
    /// The highest is best, rather than the lowest.
    pub highest: bool,
    /// Worked out for each member.
    pub value: Expr,
    /// It is a list of numbers, and not a number.
    pub list: bool,
    /// A list that ends first counts as the higher.
    pub short_is_high: bool,
}

// --- operands ----------------------------------------------------------------

/// Hands on the operands of an expression, in the order in which they are worked out. One match serves for looking and for
/// changing: its patterns bind what they find as the expression is borrowed.
macro_rules! operands_of_expr {
    ($expr:expr, $visit:expr, $each:ident, $($of:tt)+) => {
        match $expr {
            Expr::Constant(_)
            | Expr::Option(_)
            | Expr::Sides
            | Expr::Table
            | Expr::Referee
            | Expr::Every(_)
            | Expr::TableField(_) => {}
            Expr::Local(slot)
            | Expr::LocalField { slot, .. }
            | Expr::LocalZone { slot, .. }
            | Expr::LocalPlace(slot)
            | Expr::LocalFoe(slot)
            | Expr::LocalMoveField { slot, .. }
            | Expr::LentZone { slot, .. } => $visit(Operand::Reads(slot)),
            Expr::Field { of: a, .. }
            | Expr::Held { of: a, .. }
            | Expr::Zone { of: a, .. }
            | Expr::HasMark { of: a, .. }
            | Expr::KindIs { of: a, .. }
            | Expr::Printed { of: a, .. }
            | Expr::PrintedList { of: a, .. }
            | Expr::SheetIs { of: a, .. }
            | Expr::PrintedName(a)
            | Expr::PrintOf(a)
            | Expr::MoveField { of: a, .. }
            | Expr::MoveIs { of: a, .. }
            | Expr::MoveIn { of: a, .. }
            | Expr::AsMove { of: a, .. }
            | Expr::PlaceOf(a)
            | Expr::Foe(a)
            | Expr::SideOf(a)
            | Expr::Not(a)
            | Expr::IsOdd(a)
            | Expr::CountZone(a)
            | Expr::CountList(a)
            | Expr::SumList(a)
            | Expr::Sorts { list: a, .. }
            | Expr::ZoneList(a)
            | Expr::Single(a)
            | Expr::EntrantsOf(a)
            | Expr::Neighbours(a)
            | Expr::Neighbour { of: a, .. }
            | Expr::SumZone { zone: a, .. }
            | Expr::FieldList { zone: a, .. }
            | Expr::ExtremeOf { list: a, .. }
            | Expr::EndOf { list: a, .. }
            | Expr::Sorted { list: a, .. }
            | Expr::MapZone { list: a, .. } => $visit(Operand::Part(a)),
            Expr::And(a, b)
            | Expr::Or(a, b)
            | Expr::Compare(_, a, b)
            | Expr::CompareLists(_, a, b)
            | Expr::Add(a, b)
            | Expr::Subtract(a, b)
            | Expr::Multiply(a, b)
            | Expr::AtLeast(a, b)
            | Expr::AtMost(a, b)
            | Expr::Range(a, b)
            | Expr::Concatenate(a, b)
            | Expr::Without(a, b)
            | Expr::Divide { left: a, right: b, .. }
            | Expr::InZone { item: a, zone: b }
            | Expr::InList { item: a, list: b }
            | Expr::Keep { count: a, list: b, .. }
            | Expr::Top { count: a, zone: b } => {
                $visit(Operand::Part(a));
                $visit(Operand::Part(b));
            }
            Expr::If(a, b, c) | Expr::AnswerOf { answers: a, members: b, of: c } => {
                $visit(Operand::Part(a));
                $visit(Operand::Part(b));
                $visit(Operand::Part(c));
            }
            Expr::With { slot, value: a, then: b }
            | Expr::Quantified { slot, list: a, condition: b, .. }
            | Expr::Where { slot, list: a, condition: b }
            | Expr::Map { slot, list: a, value: b }
            | Expr::MapList { slot, list: a, value: b } => {
                $visit(Operand::Part(a));
                $visit(Operand::Binds(slot));
                $visit(Operand::Part(b));
            }
            Expr::Fold { arguments: members, .. }
            | Expr::Can { arguments: members, .. }
            | Expr::ListOf(members)
            | Expr::OnBoard(_, members)
            | Expr::Calculated(_, members) => {
                members.$each().for_each(|member| $visit(Operand::Part(member)))
            }
            Expr::CanWhere { arguments, slot, condition, .. } => {
                arguments.$each().for_each(|argument| $visit(Operand::Part(argument)));
                $visit(Operand::Binds(slot));
                $visit(Operand::Part(condition));
            }
            Expr::Remembered { arguments, value, .. } => {
                arguments.$each().for_each(|argument| $visit(Operand::Part(argument)));
                $visit(Operand::Part(value));
            }
            Expr::Supposing { changes, then } => {
                for supposed in changes.$each() {
                    $visit(Operand::Part($($of)+ supposed.of));
                    $visit(Operand::Part($($of)+ supposed.value));
                }
                $visit(Operand::Part(then));
            }
            Expr::BestOne { list, slot, keys } | Expr::BestAll { list, slot, keys } => {
                $visit(Operand::Part(list));
                $visit(Operand::Binds(slot));
                keys.$each().for_each(|key| $visit(Operand::Part($($of)+ key.value)));
            }
        }
    };
}

impl Expr {
    /// Calls `visit` with what it is made of, in the order in which it is worked out.
    pub fn operands<'e>(&'e self, visit: &mut dyn FnMut(Operand<&'e Expr, &'e Slot, &'e Address>)) {
        operands_of_expr!(self, visit, iter, &);
    }

    /// As [`Expr::operands`], to change it.
    pub fn operands_mut(&mut self, visit: &mut dyn FnMut(Operand<&mut Expr, &mut Slot, &mut Address>)) {
        operands_of_expr!(self, visit, iter_mut, &mut);
    }

    /// Calls `visit` with its direct parts.
    pub fn parts<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        self.operands(&mut |operand| {
            if let Operand::Part(part) = operand {
                visit(part);
            }
        });
    }

    /// Calls `visit` with its direct parts, to change them.
    pub fn parts_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        self.operands_mut(&mut |operand| {
            if let Operand::Part(part) = operand {
                visit(part);
            }
        });
    }

    /// Whether options settle a condition, whichever they are: no program that is played asks it.
    pub fn is_settled_by_options(&self) -> bool {
        let is_known = |expr: &Expr| matches!(expr, Expr::Constant(_) | Expr::Option(_));
        match self {
            Expr::Not(inner) => inner.is_settled_by_options(),
            Expr::Compare(_, left, right) => is_known(left) && is_known(right),
            Expr::And(left, right) | Expr::Or(left, right) => left.is_settled_by_options() && right.is_settled_by_options(),
            _ => is_known(self),
        }
    }

    /// Whether a condition is so for it or for anything that it is made of.
    pub fn contains(&self, is_wanted: &dyn Fn(&Expr) -> bool) -> bool {
        let mut found = is_wanted(self);
        self.parts(&mut |part| found = found || part.contains(is_wanted));
        found
    }

    /// Calls `visit` with each slot that it reads and does not fill itself.
    pub fn free_slots(&self, bound: &mut Vec<Slot>, visit: &mut dyn FnMut(Slot)) {
        let before = bound.len();
        self.operands(&mut |operand| match operand {
            Operand::Part(part) => part.free_slots(bound, visit),
            Operand::Reads(slot) if !bound.contains(slot) => visit(*slot),
            Operand::Binds(slot) => bound.push(*slot),
            _ => {}
        });
        bound.truncate(before);
    }

    /// Gives every slot another number.
    pub fn renumber(&mut self, number: &dyn Fn(Slot) -> Slot) {
        self.operands_mut(&mut |operand| match operand {
            Operand::Part(part) => part.renumber(number),
            Operand::Reads(slot) | Operand::Binds(slot) => *slot = number(*slot),
            _ => {}
        });
    }

    /// The slots that it reads and does not fill itself.
    pub fn slots(&self) -> Vec<Slot> {
        let mut found = Vec::new();
        self.free_slots(&mut Vec::new(), &mut |slot| found.push(slot));
        found
    }

    /// The slots that it fills on its way.
    pub fn slots_bound(&self, found: &mut Vec<Slot>) {
        self.operands(&mut |operand| match operand {
            Operand::Part(part) => part.slots_bound(found),
            Operand::Binds(slot) => found.push(*slot),
            _ => {}
        });
    }
}
