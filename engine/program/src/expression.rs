//! Expressions, which have a value and change nothing. Their operands are described once, below the forms. Generic passes
//! over expressions learn from there what a form consists of. A *fused* form stands for a frequent combination of simpler
//! ones, to be evaluated faster. A form *binds* a slot if it fills it before the parts that read it, as `where` does with
//! `it`.

use super::operands::Operand;
use super::{ActionId, Address, BoardOperation, Comparison, FamilyId, HookId, KindId, SheetId, Slot, Value};

/// Maximum number of arguments of a memoised definition.
pub const MOST_REMEMBERED: usize = 4;

/// An expression. Each has a [`Value`], whose type is known at compile time. Forms that make lists give an index into the
/// arena of lists.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A number, a flag, a word or `none`: `7`, `yes`.
    Constant(Value),
    /// An option by index, in a program compiled only for inspection: players may choose another value.
    Option(u16),
    /// The value in a slot: a parameter, a variable, or `it`.
    Local(Slot),
    // Fused forms of frequent expressions, made by `compile/fuse.rs`.
    /// A field of the entity in a slot.
    LocalField { slot: Slot, field: u16 },
    /// A field of the table: `next_up`.
    TableField(u16),
    /// A zone of the entity in a slot.
    LocalZone { slot: Slot, zone: u16 },
    /// The zone of the piece in a slot.
    LocalPlace(Slot),
    /// The opponent of the side in a slot.
    LocalFoe(Slot),
    /// A field of the move in a slot.
    LocalMoveField { slot: Slot, index: u16 },
    /// A zone of the thing that a side's field refers to. The side is in a slot, or its opponent is meant. Such zones are
    /// lent to the side: it names them as its own.
    LentZone { slot: Slot, foe: bool, field: u16, zone: u16 },
    /// A field of each piece of a zone, as a list, optionally sorted.
    FieldList { zone: Box<Expr>, field: u16, sorted: bool, down: bool },
    /// A field of a thing: `die.value`.
    Field { of: Box<Expr>, field: u16 },
    /// The list in a field of a thing: `side.picks`.
    Held { of: Box<Expr>, field: u16 },
    /// The index of an entity's zone.
    Zone { of: Box<Expr>, zone: u16 },
    /// The zone of a piece, or none.
    PlaceOf(Box<Expr>),
    /// Whether a thing bears a mark: `die is defended`.
    HasMark { of: Box<Expr>, mark: u16 },
    /// Whether a thing is of a kind: `die is a percentile`.
    KindIs { of: Box<Expr>, kind: KindId },
    /// A number, word, text or sheet printed on a sheet.
    Printed { of: Box<Expr>, column: u16 },
    /// The name on a sheet.
    PrintedName(Box<Expr>),
    /// The print of an entrant.
    PrintOf(Box<Expr>),
    /// Whether a print is of a sheet, or of one that builds on it.
    SheetIs { of: Box<Expr>, sheet: SheetId },
    /// The table itself.
    Table,
    /// The referee, who has no side. It is not a thing and can only be asked.
    Referee,
    /// The other one of two sides.
    Foe(Box<Expr>),
    /// The side that an entity belongs to.
    SideOf(Box<Expr>),
    /// The side next to another in a ring.
    Neighbour { of: Box<Expr>, left: bool },
    /// A field of a move, by its place in the family: `attack.target`.
    MoveField { of: Box<Expr>, index: u16 },
    /// Whether a move is of an action: `move is skill_attack`.
    MoveIs { of: Box<Expr>, action: ActionId },
    /// Whether a move is of a family, or of one that is part of it.
    MoveIn { of: Box<Expr>, family: FamilyId },
    /// A move, which must be of a family.
    AsMove { of: Box<Expr>, family: FamilyId },
    /// Puts `value` into `slot`, then gives `then`.
    With { slot: Slot, value: Box<Expr>, then: Box<Expr> },
    /// A memoised definition, for one that searches lists and is called often. Reuses the value for the same arguments if
    /// nothing has changed since. `which` is the number of the definition.
    Remembered { which: u16, arguments: Vec<Expr>, value: Box<Expr> },
    /// Logical negation: `not a`, `x is not y`.
    Not(Box<Expr>),
    /// Logical and: `a and b`. Skips the second operand if the first is false.
    And(Box<Expr>, Box<Expr>),
    /// Logical or: `a or b`. Skips the second operand if the first is true.
    Or(Box<Expr>, Box<Expr>),
    /// Compares two values: `die.value >= 3`, `x is y`.
    Compare(Comparison, Box<Expr>, Box<Expr>),
    /// Compares two lists of numbers lexicographically. A list that ends first is the lower.
    CompareLists(Comparison, Box<Expr>, Box<Expr>),
    /// `a + b`. An overflow is a fault, as for all arithmetic.
    Add(Box<Expr>, Box<Expr>),
    /// `a - b`
    Subtract(Box<Expr>, Box<Expr>),
    /// `a * b`
    Multiply(Box<Expr>, Box<Expr>),
    /// `x divided by 3 rounded down`, or rounded up with `up`.
    Divide { left: Box<Expr>, right: Box<Expr>, up: bool },
    /// An operation that hardly anything but scripts uses.
    Calculated(Calculation, Vec<Expr>),
    /// Cells of a board, or the position of a cell: `cell 2, 3 of board`, `lines of 4 through cell`.
    OnBoard(BoardOperation, Vec<Expr>),
    /// The higher of two numbers: `x but at least 0`.
    AtLeast(Box<Expr>, Box<Expr>),
    /// The lower of two numbers: `x but at most 7`.
    AtMost(Box<Expr>, Box<Expr>),
    /// `n is odd`
    IsOdd(Box<Expr>),
    /// The second operand if the first is true, else the third: `if c then a else b`.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The value of a hook, after modifiers.
    Fold { hook: HookId, arguments: Vec<Expr> },
    /// Whether a family has a legal move: one that rules out passing (`can`), or any (`may`). A move obliges if it counts for
    /// `must choose`.
    Can { family: FamilyId, obliging: bool, arguments: Vec<Expr> },
    /// The same for moves that meet a condition. The move is in the slot.
    CanWhere { family: FamilyId, obliging: bool, arguments: Vec<Expr>, slot: Slot, condition: Box<Expr> },
    /// A value, computed as if fields had other values.
    Supposing { changes: Vec<SupposedField>, then: Box<Expr> },
    // Zones, without making a list.
    /// The number of pieces: `count of side.hand`.
    CountZone(Box<Expr>),
    /// The sum of a field of the pieces: `sum of side.captured.size`.
    SumZone { zone: Box<Expr>, field: u16 },
    /// Whether a piece is in a zone: `die in side.nest`.
    InZone { item: Box<Expr>, zone: Box<Expr> },
    // Lists.
    /// The number of members: `count of xs`.
    CountList(Box<Expr>),
    /// The sum of the members, 0 for an empty list: `sum of xs`.
    SumList(Box<Expr>),
    /// The highest or lowest number, 0 for an empty list.
    ExtremeOf { highest: bool, list: Box<Expr> },
    /// The first or last member, or none.
    EndOf { last: bool, list: Box<Expr> },
    /// The first of each group of indistinguishable members.
    Sorts { list: Box<Expr>, pieces: bool },
    /// Whether a list contains a value: `x in xs`.
    InList { item: Box<Expr>, list: Box<Expr> },
    /// One seat's answer to a question asked at once, or one receiver's part of a divided total: the member of `answers` at
    /// the index of `of` in `members`.
    AnswerOf { answers: Box<Expr>, members: Box<Expr>, of: Box<Expr> },
    /// Whether a condition holds for any, for all or for no members. Each is in the slot in turn: `any of dice has it.value >
    /// 3`.
    Quantified { which: ludex_syntax::tree::Quantifier, list: Box<Expr>, slot: Slot, condition: Box<Expr> },
    /// The best member by the keys, or none if several are equally good: `the one of sides with highest it.score`. Each is in
    /// the slot in turn.
    BestOne { list: Box<Expr>, slot: Slot, keys: Vec<BestKey> },
    // Forms that make lists.
    /// The pieces of a zone, in order.
    ZoneList(Box<Expr>),
    /// A list printed on a sheet.
    PrintedList { of: Box<Expr>, column: u16 },
    /// A list of values: `[4, 6, 8]`.
    ListOf(Vec<Expr>),
    /// A list of one value, or an empty list for `none`.
    Single(Box<Expr>),
    /// The list of all numbers from the first to the second: `(1..6)`.
    Range(Box<Expr>, Box<Expr>),
    /// The members of the first list, then those of the second: `xs + ys`.
    Concatenate(Box<Expr>, Box<Expr>),
    /// The members of the first list that are not in the second: `xs without ys`.
    Without(Box<Expr>, Box<Expr>),
    /// The members that meet a condition. Each is in the slot in turn: `dice where it.value > 3`.
    Where { list: Box<Expr>, slot: Slot, condition: Box<Expr> },
    /// The value of an expression for each member.
    Map { list: Box<Expr>, slot: Slot, value: Box<Expr> },
    /// The concatenation of a list computed for each member: `sides.otters`.
    MapList { list: Box<Expr>, slot: Slot, value: Box<Expr> },
    /// The pieces in one zone of each member.
    MapZone { list: Box<Expr>, zone: u16 },
    /// The numbers in ascending order, or descending with `down`: `sorted dice.value`.
    Sorted { down: bool, list: Box<Expr> },
    /// The highest or lowest `count` numbers, or all if there are fewer, in list order: `highest 3 of xs`. Earlier ones win
    /// ties.
    Keep { highest: bool, count: Box<Expr>, list: Box<Expr> },
    /// The topmost pieces of a zone, or all if there are fewer: `top 2 of deck`.
    Top { count: Box<Expr>, zone: Box<Expr> },
    /// All best members by the keys: `those of sides with highest it.score`. Each is in the slot in turn.
    BestAll { list: Box<Expr>, slot: Slot, keys: Vec<BestKey> },
    /// All sides that are in the game: `sides`.
    Sides,
    /// All entities of a kind, in order of their ids.
    Every(KindId),
    /// The entrants of a side.
    EntrantsOf(Box<Expr>),
    /// The sides next to another in a ring.
    Neighbours(Box<Expr>),
}

/// Operations that hardly anything but scripts uses. Indices into lists count from 0, and negative ones from the end: -1 is
/// the last. Texts are lists of code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calculation {
    /// The quotient of two numbers, rounded towards 0. Division by 0 is a fault.
    Quotient,
    /// The remainder, with the sign of the first number. Division by 0 is a fault.
    Remainder,
    /// The remainder of division rounded down, with the sign of the second number. Division by 0 is a fault.
    RemainderDown,
    /// The first number to the power of the second. A negative exponent is a fault.
    Power,
    /// The member at an index. An index out of range is a fault.
    MemberAt,
    /// The member at an index, or none.
    MemberOrNone,
    /// The member at a position counted from 1, or none.
    Nth,
    /// An answer that must exist. If there was nothing to choose from, it is a fault.
    Owed,
    /// A list with the member at an index replaced. An index out of range is a fault.
    Replaced,
    /// A list with a value inserted before an index, which is clamped to the ends.
    Inserted,
    /// A list without the member at an index, if there is one.
    Dropped,
    /// A reversed list.
    Reversed,
    /// The first index of a value in a list, or -1.
    PlaceOf,
    /// The first index of a list in a list of lists, or -1.
    PlaceOfList,
    /// Whether the second list is a contiguous run of the first.
    HoldsRun,
    /// The code points of a printed text, or none for none.
    Letters,
    /// The code points of each printed text of a list.
    LettersOfEach,
    /// The code points of a word of a list among [`super::Program::words`], or none for none.
    LettersOfWord(u16),
    /// The code points of each word of a list.
    LettersOfEachWord(u16),
    /// The decimal digits of a number, as a text.
    Digits,
    /// The printed text with these code points. If there is none, it is a fault.
    PrintedText,
}

/// A field of a thing, and the value it is supposed to have.
#[derive(Clone, Debug, PartialEq)]
pub struct SupposedField {
    pub of: Expr,
    pub field: u16,
    pub value: Expr,
}

/// A key for comparing members: `highest it.score`. Later keys break ties of earlier ones.
#[derive(Clone, Debug, PartialEq)]
pub struct BestKey {
    /// The highest is best, rather than the lowest.
    pub highest: bool,
    /// The key's value, evaluated for each member.
    pub value: Expr,
    /// The key is a list of numbers, not a number.
    pub list: bool,
    /// A list that ends first counts as the higher.
    pub short_is_high: bool,
}

// --- operands ----------------------------------------------------------------

/// Visits the operands of an expression in order of evaluation. One match serves for reading and for changing: its patterns
/// bind with the borrow of the expression. `$each` is `iter` or `iter_mut`, and `$of` the borrow that fits it.
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
    /// Calls `visit` with each operand, in order of evaluation.
    pub fn visit_operands<'e>(&'e self, visit: &mut dyn FnMut(Operand<&'e Expr, &'e Slot, &'e Address>)) {
        operands_of_expr!(self, visit, iter, &);
    }

    /// Same as [`Expr::visit_operands`], with mutable operands.
    pub fn visit_operands_mut(&mut self, visit: &mut dyn FnMut(Operand<&mut Expr, &mut Slot, &mut Address>)) {
        operands_of_expr!(self, visit, iter_mut, &mut);
    }

    /// Calls `visit` with each direct subexpression.
    pub fn visit_parts<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        self.visit_operands(&mut |operand| {
            if let Operand::Part(part) = operand {
                visit(part);
            }
        });
    }

    /// Calls `visit` with each direct subexpression, mutably.
    pub fn visit_parts_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        self.visit_operands_mut(&mut |operand| {
            if let Operand::Part(part) = operand {
                visit(part);
            }
        });
    }

    /// Whether a condition depends on options alone. Programs that are played never ask this.
    pub fn is_settled_by_options(&self) -> bool {
        let is_known = |expr: &Expr| matches!(expr, Expr::Constant(_) | Expr::Option(_));
        match self {
            Expr::Not(inner) => inner.is_settled_by_options(),
            Expr::Compare(_, left, right) => is_known(left) && is_known(right),
            Expr::And(left, right) | Expr::Or(left, right) => left.is_settled_by_options() && right.is_settled_by_options(),
            _ => is_known(self),
        }
    }

    /// Whether a predicate holds for the expression or for any of its subexpressions.
    pub fn contains(&self, is_wanted: &dyn Fn(&Expr) -> bool) -> bool {
        let mut found = is_wanted(self);
        self.visit_parts(&mut |part| found = found || part.contains(is_wanted));
        found
    }

    /// Calls `visit` with each slot that the expression reads and does not fill itself. `bound` has the slots that the
    /// expressions around it fill; it is the same afterwards.
    pub fn visit_unbound_slots(&self, bound: &mut Vec<Slot>, visit: &mut dyn FnMut(Slot)) {
        let before = bound.len();
        self.visit_operands(&mut |operand| match operand {
            Operand::Part(part) => part.visit_unbound_slots(bound, visit),
            Operand::Reads(slot) if !bound.contains(slot) => visit(*slot),
            Operand::Binds(slot) => bound.push(*slot),
            _ => {}
        });
        bound.truncate(before);
    }

    /// Renumbers every slot. `number` returns the new slot of an old one.
    pub fn renumber_slots(&mut self, number: &dyn Fn(Slot) -> Slot) {
        self.visit_operands_mut(&mut |operand| match operand {
            Operand::Part(part) => part.renumber_slots(number),
            Operand::Reads(slot) | Operand::Binds(slot) => *slot = number(*slot),
            _ => {}
        });
    }

    /// The slots that the expression reads and does not fill itself.
    pub fn unbound_slots(&self) -> Vec<Slot> {
        let mut found = Vec::new();
        self.visit_unbound_slots(&mut Vec::new(), &mut |slot| found.push(slot));
        found
    }

    /// The slots that the expression fills during evaluation.
    pub fn collect_bound_slots(&self, found: &mut Vec<Slot>) {
        self.visit_operands(&mut |operand| match operand {
            Operand::Part(part) => part.collect_bound_slots(found),
            Operand::Binds(slot) => found.push(*slot),
            _ => {}
        });
    }
}
