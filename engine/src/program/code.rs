//! What a program does, step by step: instructions, and the expressions in them.

use super::{ActionId, Address, FamilyId, HookId, KindId, ProcedureId, RoleAmount, Shape, SheetId, Slot, TextId, Value};
use crate::codes;
use crate::problem::Problem;
use crate::program::Comparison;

/// The index into [`super::Program::event_names`] and the sentence a rule gave to an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Naming {
    pub name: Option<u16>,
    pub text: Option<TextId>,
}

// The tag of its own makes telling instructions apart one load; the machine does little else. Fields are laid out in the
// order in which they stand here, small ones first, and what is large and rare is boxed: many instructions fit the cache.
#[derive(Clone, Debug)]
#[repr(u8)]
pub enum Instruction {
    /// `list`: the value is a list or a move, which stays in the arena.
    Let {
        list: bool,
        slot: Slot,
        value: Expr,
    },
    Set {
        field: u16,
        naming: Naming,
        of: Expr,
        value: Expr,
    },
    Add {
        field: u16,
        naming: Naming,
        of: Expr,
        value: Expr,
    },
    /// `what` is a list.
    Move {
        bottom: bool,
        naming: Naming,
        what: Expr,
        to: Expr,
    },
    /// Moves one piece.
    MoveOne {
        bottom: bool,
        naming: Naming,
        piece: Expr,
        to: Expr,
    },
    /// Moves each member of a list, one after the other; each stands in `variable` while `to` is worked out.
    MoveEach {
        bottom: bool,
        variable: Slot,
        naming: Naming,
        list: Expr,
        to: Expr,
    },
    Roll {
        what: Expr,
        reason: Option<TextId>,
    },
    /// Rolls dice that are no pieces; what they show, as a list, goes into `slot`.
    RollPool {
        slot: Slot,
        reason: Option<TextId>,
        count: Expr,
        size: Expr,
    },
    Shuffle {
        zone: Expr,
    },
    /// Takes so many members of a list by chance, or all if there are fewer; `one`: the member itself, or none.
    Draw {
        one: bool,
        slot: Slot,
        reason: Option<TextId>,
        count: Expr,
        from: Expr,
    },
    /// Lets seats see pieces; `to` is a list, or the referee.
    Show {
        what: Expr,
        to: Expr,
    },
    Create(Box<CreateCode>),
    Remove {
        what: Expr,
    },
    /// Takes sides out of the game.
    RemoveSides {
        what: Expr,
    },
    Mark(Box<MarkCode>),
    Unmark {
        what: Expr,
        mark: u16,
    },
    Jump(Address),
    JumpUnless {
        condition: Expr,
        to: Address,
    },
    /// Puts a list in `slot` and 0 in the next.
    EachBegin {
        list: Expr,
        slot: Slot,
    },
    /// The third slot tells how long the arena was: lists made since are tidied away, see [`Tidy`].
    EachNext {
        slot: Slot,
        variable: Slot,
        end: Address,
        tidy: Tidy,
    },
    /// Sets a counter to 0 and notes in the next slot how long the arena of lists is.
    RepeatBegin {
        slot: Slot,
    },
    /// Counts a round, or goes to `end` after the last.
    RepeatNext {
        slot: Slot,
        end: Address,
        most: Expr,
        tidy: Tidy,
    },
    Call {
        procedure: ProcedureId,
        arguments: Vec<Expr>,
        result: Option<Slot>,
    },
    Return {
        value: Option<Expr>,
    },
    /// Ends the innermost running procedure of that kind, and all within it.
    Stop {
        procedure: ProcedureId,
    },
    Open(Box<OpenCode>),
    Ask(Box<AskCode>),
    AskAtOnce(Box<AskAtOnceCode>),
    /// Carries out the `do` of a chosen move.
    DoMove {
        value: Expr,
    },
    /// To all, or to a list of sides, or to the referee.
    Say {
        text: TextId,
        to: Option<Expr>,
    },
    Finish {
        winners: Option<Expr>,
        text: Option<TextId>,
    },
    /// `word`: one of [`super::Program::answers`].
    Answer {
        word: u16,
    },
    RestoreUses {
        scope: ProcedureId,
    },
    /// A loop ran to its cap where the rules say nothing.
    CapReached,
    /// Something must be chosen, there is too little to choose from, and the rules do not say what then.
    NothingToChoose {
        prompt: Option<TextId>,
    },
}

/// What becomes of the lists that a round of a loop has made.
#[derive(Clone, Debug)]
pub enum Tidy {
    /// They are no longer wanted.
    All,
    /// They are no longer wanted, but for those in these slots, which live outside the loop.
    But(Vec<Slot>),
    /// A move is kept, with all the lists it is made of.
    Nothing,
}

/// A new piece, with the values of some of its fields.
#[derive(Clone, Debug)]
pub struct CreateCode {
    pub kind: KindId,
    pub fields: Vec<(u16, Expr)>,
    pub zone: Expr,
    pub owner: Expr,
    pub slot: Option<Slot>,
}

/// A mark for each member of a list.
#[derive(Clone, Debug)]
pub struct MarkCode {
    pub what: Expr,
    pub mark: u16,
    pub fields: Vec<(u16, Expr)>,
    pub until: Option<UntilCode>,
    /// Until the piece moves to another zone.
    pub leaves: bool,
}

#[derive(Clone, Debug)]
pub struct UntilCode {
    pub procedure: ProcedureId,
    pub next: bool,
    /// The side that the scope's first parameter must be.
    pub of: Option<Expr>,
}

#[derive(Clone, Debug)]
pub struct OpenCode {
    pub hook: HookId,
    pub arguments: Vec<Expr>,
    pub first: Option<Expr>,
    /// The offers stand in a question that follows, so that they are not made here.
    pub without_offers: bool,
    /// Run after each use: an address that ends with `Return`, in the opener's frame.
    pub after_use: Option<Address>,
    /// For each answer, and last for none: where to go on.
    pub arms: Vec<Address>,
    pub next: Address,
}

#[derive(Clone, Debug)]
pub struct AskCode {
    pub who: Expr,
    pub must: bool,
    pub what: AskCodeWhat,
    pub during: Option<(HookId, Vec<Expr>)>,
    pub slot: Slot,
    pub prompt: Option<TextId>,
    pub pass_text: Option<TextId>,
    /// Where to go when nothing can be or is chosen.
    pub otherwise: Option<Address>,
    /// What may be answered may depend on things that not all can see: that there is only one answer must not show.
    pub veiled: bool,
    /// The rules know that what may be answered may tell whoever is asked something.
    pub tells: bool,
    /// `ask even when forced`: whoever is asked answers, however few answers there are.
    pub even_when_forced: bool,
}

#[derive(Clone, Debug)]
pub enum AskCodeWhat {
    Families(Vec<(FamilyId, Vec<Expr>)>),
    /// A list; one member is the answer, or a list of them.
    Among {
        amount: RoleAmount,
        set: Expr,
        item: Shape,
    },
    Number {
        least: Expr,
        most: Expr,
    },
    Word(u16),
    YesNo,
    /// A list; the answer is it in another order.
    Order {
        set: Expr,
        item: Shape,
    },
    Divide(Box<DivideCode>),
}

/// A total is divided among the members of a list; the answer is a list of what each of them gets.
#[derive(Clone, Debug)]
pub struct DivideCode {
    pub total: Expr,
    /// Every part is a multiple of it.
    pub step: Expr,
    pub among: Expr,
    pub item: Shape,
    /// Gets those that the total was divided among; of questions put at once a list of such lists.
    pub receivers: Slot,
}

impl DivideCode {
    /// Why a total cannot be divided in steps, if it cannot.
    pub fn wrong(total: i64, step: i64) -> Option<Problem> {
        let (message, help) = match () {
            () if total < 0 => (format!("{total} is to be divided, and it is less than 0"), "write `but at least 0` behind it"),
            () if step < 1 => (format!("{total} is to be divided in steps of {step}"), "a step is 1 or more"),
            () if total % step == 0 => return None,
            () => (format!("{total} cannot be divided in steps of {step}"), "divide a multiple of the step, or in steps of 1"),
        };
        Some(Problem::error(codes::UNEVEN_DIVISION, message).help(help))
    }
}

#[derive(Clone, Debug)]
pub struct AskAtOnceCode {
    pub set: Expr,
    /// Each member in turn stands here while its question is made.
    pub variable: Slot,
    pub secret: bool,
    pub ask: AskCode,
    /// Gets the list of those who were asked, in the order of the answers.
    pub members: Slot,
}

impl Instruction {
    /// The question that it puts, to one or to several at once.
    pub fn question(&self) -> Option<&AskCode> {
        match self {
            Instruction::Ask(ask) => Some(ask),
            Instruction::AskAtOnce(code) => Some(&code.ask),
            _ => None,
        }
    }
}

// --- expressions -------------------------------------------------------------

#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    Constant(Value),
    Local(Slot),
    // Fused forms of frequent shapes; `language/compile/fuse.rs` makes them.
    /// A field of the entity in a slot.
    LocalField {
        slot: Slot,
        field: u16,
    },
    TableField(u16),
    /// A zone of the entity in a slot.
    LocalZone {
        slot: Slot,
        zone: u16,
    },
    /// The zone that the piece in a slot lies in.
    LocalPlace(Slot),
    /// The foe of the side in a slot.
    LocalFoe(Slot),
    /// A field of the move in a slot.
    LocalMoveField {
        slot: Slot,
        index: u16,
    },
    /// A zone of what a field of a side refers to: of the side in a slot, or of its foe.
    LentZone {
        slot: Slot,
        foe: bool,
        field: u16,
        zone: u16,
    },
    /// A field of each piece of a zone, as a list, perhaps sorted.
    FieldList {
        zone: Box<Expr>,
        field: u16,
        sorted: bool,
        down: bool,
    },
    Field {
        of: Box<Expr>,
        field: u16,
    },
    /// The index of an entity's zone.
    Zone {
        of: Box<Expr>,
        zone: u16,
    },
    /// The zone a piece lies in, or none.
    PlaceOf(Box<Expr>),
    HasMark {
        of: Box<Expr>,
        mark: u16,
    },
    KindIs {
        of: Box<Expr>,
        kind: KindId,
    },
    /// A number, word, text or sheet that is printed on a sheet.
    Printed {
        of: Box<Expr>,
        column: u16,
    },
    /// The name on a sheet.
    PrintedName(Box<Expr>),
    /// What an entrant's file prints.
    PrintOf(Box<Expr>),
    /// Whether something printed is of a sheet, or of one that builds on it.
    SheetIs {
        of: Box<Expr>,
        sheet: SheetId,
    },
    Table,
    /// Whoever sits in the seat without a side. It is no thing: it can only be asked.
    Referee,
    /// The other side of two.
    Foe(Box<Expr>),
    /// The side an entity belongs to.
    SideOf(Box<Expr>),
    /// The side beside another in a ring.
    Neighbour {
        of: Box<Expr>,
        left: bool,
    },
    MoveField {
        of: Box<Expr>,
        index: u16,
    },
    MoveIs {
        of: Box<Expr>,
        action: ActionId,
    },
    /// Whether a move is of a family, or of one that is part of it.
    MoveIn {
        of: Box<Expr>,
        family: FamilyId,
    },
    /// A move that must be of a family.
    AsMove {
        of: Box<Expr>,
        family: FamilyId,
    },
    /// Runs `value` into `slot`, then gives `then`.
    With {
        slot: Slot,
        value: Box<Expr>,
        then: Box<Expr>,
    },
    Not(Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Compare(Comparison, Box<Expr>, Box<Expr>),
    CompareLists(Comparison, Box<Expr>, Box<Expr>),
    Add(Box<Expr>, Box<Expr>),
    Subtract(Box<Expr>, Box<Expr>),
    Multiply(Box<Expr>, Box<Expr>),
    Divide {
        left: Box<Expr>,
        right: Box<Expr>,
        up: bool,
    },
    AtLeast(Box<Expr>, Box<Expr>),
    AtMost(Box<Expr>, Box<Expr>),
    IsOdd(Box<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A value that modifiers may change.
    Fold {
        hook: HookId,
        arguments: Vec<Expr>,
    },
    /// Whether a family has a legal move.
    Can {
        family: FamilyId,
        arguments: Vec<Expr>,
    },
    /// Whether a family has a legal move for which a condition holds; the move is in the slot.
    CanWhere {
        family: FamilyId,
        arguments: Vec<Expr>,
        slot: Slot,
        condition: Box<Expr>,
    },
    /// A value as it would be if fields had other values.
    Supposing {
        changes: Vec<Supposed>,
        then: Box<Expr>,
    },
    // Of zones, without a list.
    CountZone(Box<Expr>),
    SumZone {
        zone: Box<Expr>,
        field: u16,
    },
    InZone {
        item: Box<Expr>,
        zone: Box<Expr>,
    },
    // Of lists.
    CountList(Box<Expr>),
    SumList(Box<Expr>),
    /// The highest or lowest number, 0 of nothing.
    ExtremeOf {
        highest: bool,
        list: Box<Expr>,
    },
    /// The first or last member, or none.
    EndOf {
        last: bool,
        list: Box<Expr>,
    },
    /// Of members that nothing tells apart, the first.
    Sorts {
        list: Box<Expr>,
        pieces: bool,
    },
    InList {
        item: Box<Expr>,
        list: Box<Expr>,
    },
    /// What one of those who were asked at once has answered, or what one of those has got that a total was divided among:
    /// of two lists the member of the first that stands where `of` stands in the second.
    AnswerOf {
        answers: Box<Expr>,
        members: Box<Expr>,
        of: Box<Expr>,
    },
    Quantified {
        which: crate::language::syntax::Quantifier,
        list: Box<Expr>,
        slot: Slot,
        condition: Box<Expr>,
    },
    BestOne {
        list: Box<Expr>,
        slot: Slot,
        keys: Vec<BestKey>,
    },
    // These make lists.
    /// The pieces of a zone, in order.
    ZoneList(Box<Expr>),
    /// A list that is printed on a sheet.
    PrintedList {
        of: Box<Expr>,
        column: u16,
    },
    ListOf(Vec<Expr>),
    /// A list of one, or of none for `none`.
    Single(Box<Expr>),
    Range(Box<Expr>, Box<Expr>),
    Concatenate(Box<Expr>, Box<Expr>),
    Without(Box<Expr>, Box<Expr>),
    Where {
        list: Box<Expr>,
        slot: Slot,
        condition: Box<Expr>,
    },
    /// An expression for each member.
    Map {
        list: Box<Expr>,
        slot: Slot,
        value: Box<Expr>,
    },
    /// The pieces in one zone of each member.
    MapZone {
        list: Box<Expr>,
        zone: u16,
    },
    Sorted {
        down: bool,
        list: Box<Expr>,
    },
    Top {
        count: Box<Expr>,
        zone: Box<Expr>,
    },
    BestAll {
        list: Box<Expr>,
        slot: Slot,
        keys: Vec<BestKey>,
    },
    Sides,
    /// All entities of a kind, in order of their ids.
    Every(KindId),
    /// The entrants of a side.
    EntrantsOf(Box<Expr>),
    /// The sides beside another in a ring.
    Neighbours(Box<Expr>),
}

/// A field of something, and the value that it is supposed to have.
#[derive(Clone, Debug, PartialEq)]
pub struct Supposed {
    pub of: Expr,
    pub field: u16,
    pub value: Expr,
}

#[derive(Clone, Debug, PartialEq)]
pub struct BestKey {
    pub highest: bool,
    pub value: Expr,
    pub list: bool,
    /// A list that ends first counts as the higher.
    pub short_is_high: bool,
}
