//! The syntax tree of rules. Every node has its place. `parse` builds it, and the compiler composes, resolves and compiles
//! it. Words in backticks show the form in the rules; `span` is the place of a node, and `cites` are the rule ids written
//! after it. An *entrant* is a character, deck or fighter that a side brings, and a *seat* is a player's place.

use crate::source::Span;

/// A name as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

/// The plural of a kind: as declared, or with an `s`.
pub fn plural_of(name: &Name, plural: Option<&Name>) -> String {
    plural.map_or_else(|| format!("{}s", name.text), |plural| plural.text.clone())
}

/// A rule id after `@`, without the `@`: `DC-021`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cite {
    pub rule: String,
    pub span: Span,
}

/// One declaration with its rule ids and the `##` lines above it.
#[derive(Clone, Debug)]
pub struct Item {
    pub kind: ItemKind,
    pub span: Span,
    pub cites: Vec<Cite>,
    pub doc: Option<String>,
}

/// The declarations.
#[derive(Clone, Debug)]
pub enum ItemKind {
    /// `ludex 1`
    Language,
    /// `game pond "Pond"`
    Game {
        id: Name,
        title: Text,
    },
    /// `package deep-pond "Deep Pond" extends pond, night-pond`
    Package {
        id: Name,
        title: Text,
        extends: Vec<Name>,
    },
    Sides(Sides),
    /// `referee "Umpire"`: a seat without a side.
    Referee {
        title: Text,
    },
    Option(GameOption),
    /// `type coat (coats) is one of fur, feathers`
    Words {
        name: Name,
        plural: Option<Name>,
        words: Vec<Name>,
    },
    /// `die sizes 4, 6, 8`
    DieSizes {
        sizes: Vec<(i64, Span)>,
    },
    /// `die percentile "d%" with faces 10, 20, 30 …`: a die whose faces are not 1 to its size.
    DieKind {
        name: Name,
        title: Text,
        faces: Vec<(i64, Span)>,
    },
    /// `piece card (cards) from card { … }`, `piece frog (frogs) shown as "{colour} frog" { … }`
    Piece {
        name: Name,
        plural: Option<Name>,
        from: Option<Name>,
        shown_as: Option<Text>,
        members: Vec<Member>,
    },
    /// `sheet fruit (fruits) is a plant { … }`
    Sheet {
        name: Name,
        plural: Option<Name>,
        base: Option<Name>,
        members: Vec<Member>,
    },
    /// `each side has { … }`, `the table has { … }`
    Has {
        owner: Name,
        members: Vec<Member>,
    },
    Define(Define),
    Hook(Hook),
    Family {
        name: Name,
        params: Vec<Param>,
        base: Option<Name>,
        fields: Vec<Member>,
    },
    Action(Action),
    Procedure(Procedure),
    /// `standing of side = expr`: the value that bots maximise.
    Standing {
        param: Name,
        value: Expr,
    },
    /// `policy careful for hop { … }`: prefers the moves with the highest value of each expression, in order.
    Policy(Policy),
    /// `table stride(age) { 1: 1  2..3: 4  otherwise: 9 }`
    Table(Table),
    /// `mode short "Short game" { … }`; the title is missing only after `replace`.
    Mode {
        name: Name,
        title: Option<Text>,
        items: Vec<Item>,
    },
    /// `replace define points(…) = …`: replaces the declaration of that sort and name.
    Replace(Box<Item>),
    /// `remove action tag`
    Remove {
        sort: Name,
        name: Name,
    },
    Ability(Ability),
    /// `abilities work when holder is me.swimmer`, or `ability dive works when …` for a single ability.
    Works {
        ability: Option<Name>,
        when: Expr,
    },
    /// `abilities share uses per turn`: the uses of an ability in that time count for all entrants of a side that have it.
    SharedUses {
        scopes: Vec<Name>,
    },
}

/// `sides 2..6 of 1 character in a ring where it.age >= 3 else "{it} is too young"`
#[derive(Clone, Debug)]
pub struct Sides {
    pub least: i64,
    pub most: i64,
    /// The least and greatest number of entrants per side, and their sheet.
    pub entrants: Option<(i64, i64, Name)>,
    /// All sides bring the same number of entrants.
    pub equally_many: bool,
    /// No side brings two of the same sheet.
    pub all_different: bool,
    pub ring: bool,
    /// The players' names for the sides, in order, if the rules define them.
    pub names: Vec<Text>,
    /// The condition that every entrant must meet, and the message if one does not.
    pub admission: Option<(Expr, Text)>,
}

/// `option flies = 3 in 1..9 "flies to win"`: a value that is chosen before a match.
#[derive(Clone, Debug)]
pub struct GameOption {
    pub name: Name,
    pub kind: OptionKind,
    pub text: Option<Text>,
}

/// The values of an option, with the default.
#[derive(Clone, Debug)]
pub enum OptionKind {
    Number { default: Expr, range: Option<(Expr, Expr)> },
    Words { words: Vec<Name>, default: Name },
}

/// A member of a table, side, sheet, piece, mark or move family.
#[derive(Clone, Debug)]
pub struct Member {
    pub kind: MemberKind,
    /// `replace counter flies`: replaces the member of that name.
    pub replaces: bool,
    pub span: Span,
    pub cites: Vec<Cite>,
    pub doc: Option<String>,
}

/// The members.
#[derive(Clone, Debug)]
pub enum MemberKind {
    /// `zone hand: cards, seen by owner`; in a sheet, the file fills it.
    Zone { names: Vec<Name>, board: Option<BoardSize>, holds: Name, words: Vec<ZoneWord>, optional: bool },
    /// `counter flies`, `counter weight: halves = 0`, `counter flies "{flies} of {most_flies} flies"`
    Counter {
        names: Vec<Name>,
        of: Option<TypeName>,
        default: Option<Expr>,
        range: Option<(Expr, Expr)>,
        seen: Option<SeenBy>,
        text: Option<Text>,
    },
    /// `mark tired "cannot hop" { fields and clauses }`, `mark damp "has bathed", untold`; a sheet may give one that is `printed`
    /// to its dice.
    Mark { name: Name, text: Option<Text>, untold: bool, printed: bool, fields: Vec<Member>, parts: Vec<Part> },
    /// `lair: zone of dice = place`; `wings: number, shown`; `bids: list of number, at most 5`; `chief: frog = …, lending nest`
    Field {
        names: Vec<Name>,
        of: TypeName,
        default: Option<Expr>,
        range: Option<(Expr, Expr)>,
        room: Option<Room>,
        shown: bool,
        seen: Option<SeenBy>,
        lending: Vec<Name>,
    },
}

/// The maximum number of members of a list field: `at most 5`.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    pub most: i64,
    pub span: Span,
}

/// The readers of a field or counter: `seen by owner`.
#[derive(Clone, Debug)]
pub struct SeenBy {
    pub who: ZoneWord,
    pub span: Span,
}

/// `grid 3 by 3`, `row of 24`: the cells of a board, which are zones.
#[derive(Clone, Copy, Debug)]
pub struct BoardSize {
    pub columns: i64,
    pub rows: i64,
    pub span: Span,
}

/// A word after the pieces of a zone; the `Seen…` words also follow fields and counters.
#[derive(Clone, Debug)]
pub enum ZoneWord {
    /// Everyone sees its content (also `seen by all`).
    Open,
    SeenByOwner,
    SeenByAllButOwner,
    SeenByNobody,
    InOrder,
    /// Its content takes no part in play: a hand, a deck, a discard pile.
    OutOfPlay,
    AtMost(i64),
    /// The place its pieces move to when the piece with the zone leaves play.
    FallsTo(Expr),
}

impl ZoneWord {
    /// The place to which pieces fall, if this word sets it.
    pub fn falls_to(&self) -> Option<&Expr> {
        match self {
            ZoneWord::FallsTo(place) => Some(place),
            _ => None,
        }
    }
}

/// A type as written: `number`, `dice`, `list of side`, `zone of dice or none`.
#[derive(Clone, Debug)]
pub struct TypeName {
    pub kind: TypeKind,
    pub span: Span,
}

/// The forms of types.
#[derive(Clone, Debug)]
pub enum TypeKind {
    Named(Name),
    ListOf(Box<TypeName>),
    ZoneOf(Name),
    OrNone(Box<TypeName>),
    /// Any type. It cannot be written in rules; the odds of an expression are computed with it.
    Whatever,
}

/// A parameter with its type: `side: side`.
#[derive(Clone, Debug)]
pub struct Param {
    pub name: Name,
    pub of: TypeName,
}

/// `define points(side: side): halves = …`
#[derive(Clone, Debug)]
pub struct Define {
    pub name: Name,
    pub params: Vec<Param>,
    pub of: Option<TypeName>,
    pub value: Expr,
}

/// `hook hop_announced(hopper: side, hop: hop) answers refused`;
/// `hook reach(hopper: side): number = 1` is a value that modifiers change.
#[derive(Clone, Debug)]
pub struct Hook {
    pub name: Name,
    pub params: Vec<Param>,
    pub value: Option<(TypeName, Expr)>,
    /// The order in which groups of modifiers apply: `in layers added, doubled`.
    pub layers: Vec<Name>,
    pub answers: Vec<Name>,
    /// Offers go round until everyone has passed in a row.
    pub goes_round: bool,
    /// The prompt of the offers made here.
    pub prompt: Option<Text>,
    /// A description of when it happens, for the question when something may be used: `one of your otters is hungry`.
    pub moment: Option<Text>,
}

/// `action leap(die in me.nest) is hop …`, or one that an ability grants.
#[derive(Clone, Debug)]
pub struct Action {
    pub name: Name,
    pub roles: Vec<Role>,
    pub family: Option<Name>,
    pub clauses: Vec<Clause>,
}

/// `dice: 2 or more in me.nest`, `other in foe.nest where it is not tired`
#[derive(Clone, Debug)]
pub struct Role {
    pub name: Name,
    pub amount: Amount,
    pub from: Expr,
}

/// The number of things that fill a role or are chosen.
#[derive(Clone, Debug)]
pub enum Amount {
    /// One piece; the role is that piece rather than a list.
    One,
    /// `none or 1`: at most one.
    OneOrNone,
    /// Exactly this many, as a list.
    Exactly(Expr),
    /// `2 or more`
    AtLeast(Expr),
    /// `1 to 3`
    Between(Expr, Expr),
    /// `any number`
    Any,
}

/// A clause of an action or of an ability's part, such as `when …`.
#[derive(Clone, Debug)]
pub struct Clause {
    pub kind: ClauseKind,
    pub span: Span,
    pub cites: Vec<Cite>,
}

/// The clauses.
#[derive(Clone, Debug)]
pub enum ClauseKind {
    /// `when die is not locked else "{die} is locked"`: a condition, and the message if it does not hold.
    When(Expr, Option<Text>),
    Says(Text),
    /// `gives helper = die`: sets a field of the family.
    Gives(Name, Expr),
    Do(Block),
    /// For a granted action: the condition under which it counts for `must choose`.
    ObligesWhen(Expr),
    /// For an offer: the seat that is asked, instead of the owner's.
    To(Expr),
    /// The options may reveal something hidden to the seat that is asked.
    Tells,
    /// Does not count as a use of the ability.
    Free,
    /// The order among clauses of one kind at a hook: first, last, or by a number, lower ones first.
    Early,
    Late,
    Priority(i64),
}

/// `to hop(side: side) { … }`, `scope turn(active: side) { … }`
#[derive(Clone, Debug)]
pub struct Procedure {
    pub name: Name,
    pub params: Vec<Param>,
    pub gives: Option<TypeName>,
    pub body: Block,
    /// May be named in `uses … per`, `until end of` and `stop`.
    pub scope: bool,
    /// Positions may start here.
    pub entry: bool,
}

/// A bot's preferences among the moves of a family: `policy careful for hop { … }`.
#[derive(Clone, Debug)]
pub struct Policy {
    pub name: Name,
    pub family: Name,
    pub lines: Vec<PolicyRow>,
}

/// `with chance 1/3 when it is raise prefer highest 1`
#[derive(Clone, Debug)]
pub struct PolicyRow {
    pub chance: Option<Chance>,
    pub when: Option<Expr>,
    pub prefer: Expr,
}

/// `1/3`: `times` out of a total.
#[derive(Clone, Copy, Debug)]
pub struct Chance {
    pub times: i64,
    pub out_of: i64,
    pub span: Span,
}

/// `table beats(mine: sign, theirs: sign): number { rock, scissors: 1  otherwise: 0 }`
#[derive(Clone, Debug)]
pub struct Table {
    pub name: Name,
    /// The parameters; a parameter without a type is a number.
    pub params: Vec<Param>,
    /// The type of the result; a number if missing.
    pub of: Option<TypeName>,
    pub rows: Vec<TableRow>,
    pub otherwise: Option<Expr>,
}

/// `2..3, rock: 4`: for each parameter a value, or the first and the last of a range, and then the result.
#[derive(Clone, Debug)]
pub struct TableRow {
    pub keys: Vec<(Expr, Option<Expr>)>,
    pub value: Expr,
    pub span: Span,
}

// --- abilities ---------------------------------------------------------------

/// The declaration of one ability, above the functions in its file.
#[derive(Clone, Debug)]
pub struct Ability {
    pub id: Name,
    pub title: Text,
    pub text: Option<Text>,
    pub cites: Vec<Cite>,
    pub parts: Vec<Part>,
    /// Whether some part could not be parsed.
    pub has_unread_parts: bool,
}

/// A part of an ability, or of a mark.
#[derive(Clone, Debug)]
pub struct Part {
    pub kind: PartKind,
    pub span: Span,
    pub cites: Vec<Cite>,
}

/// The parts of abilities and marks.
#[derive(Clone, Debug)]
pub enum PartKind {
    /// `uses 2 per match, 1 per turn`
    Uses(Vec<(Expr, Name)>),
    /// `provenance uses: third-party`: the origin of the number of uses.
    Provenance(Name),
    /// `parameter amount: number in 1..9 = 2`: a value that sheets may set.
    Parameter {
        name: Name,
        of: TypeName,
        range: Option<(Expr, Expr)>,
        default: Option<Expr>,
    },
    /// Happens automatically.
    Trigger {
        name: Name,
        at: HookUse,
        clauses: Vec<Clause>,
    },
    /// The owner may use it.
    Offer {
        name: Name,
        roles: Vec<Role>,
        at: HookUse,
        clauses: Vec<Clause>,
    },
    /// May change or stop what is about to happen.
    Instead {
        name: Name,
        at: HookUse,
        clauses: Vec<Clause>,
    },
    /// `modify reach(hopper) in added when hopper is me: it + 1`
    Modify {
        at: HookUse,
        layer: Option<Name>,
        when: Option<Expr>,
        value: Expr,
    },
    /// An additional action of a family.
    Grant {
        action: Action,
    },
    /// `forbid hop when …`, `demand hop when …`: tests each move of a family.
    Forbid {
        family: Name,
        when: Option<Expr>,
    },
    Demand {
        family: Name,
        when: Option<Expr>,
    },
}

/// `hop_announced(hopper, hop)`: a hook, and local names for its parameters.
#[derive(Clone, Debug)]
pub struct HookUse {
    pub hook: Name,
    pub names: Vec<Name>,
}

// --- statements --------------------------------------------------------------

/// `{ … }`
#[derive(Clone, Debug, Default)]
pub struct Block {
    pub statements: Vec<Statement>,
}

/// A statement with its place and rule ids.
#[derive(Clone, Debug)]
pub struct Statement {
    pub kind: StatementKind,
    pub span: Span,
    pub cites: Vec<Cite>,
}

/// The name and sentence that a rule gives to the event of an effect.
#[derive(Clone, Debug)]
pub struct EventName {
    pub name: Name,
    pub text: Option<Text>,
}

/// The statements.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `let x = expr`
    Let {
        name: Name,
        value: Expr,
    },
    /// `set place to expr`
    Set {
        place: Expr,
        value: Expr,
        event: Option<EventName>,
    },
    /// `add expr to place`, and `take expr from place` with `less` true.
    Add {
        place: Expr,
        value: Expr,
        less: bool,
        event: Option<EventName>,
    },
    /// `move pieces to bottom of zone as won "…"`
    Move {
        what: Expr,
        to: Expr,
        end: ZoneEnd,
        event: Option<EventName>,
    },
    /// `roll dice because "…"`; `roll 6 d6 because "…" as shown` rolls a pool without pieces.
    Roll {
        what: Expr,
        pool: Option<Expr>,
        reason: Option<Text>,
        name: Option<Name>,
    },
    /// `shuffle me.deck`
    Shuffle {
        zone: Expr,
    },
    /// `draw 2 in me.nest at random as lost`
    Draw {
        count: Expr,
        from: Expr,
        reason: Option<Text>,
        name: Name,
    },
    /// `create die(size: 8) in me.nest for me as extra`
    Create {
        kind: Name,
        fields: Vec<(Name, Expr)>,
        zone: Expr,
        owner: Option<Expr>,
        name: Option<Name>,
    },
    /// `remove extra`: takes pieces or sides out of the game.
    Remove {
        what: Expr,
    },
    /// `mark die as tired until end of turn`
    Mark {
        what: Expr,
        mark: Name,
        fields: Vec<(Name, Expr)>,
        until: Option<Until>,
    },
    /// `unmark die as tired`
    Unmark {
        what: Expr,
        mark: Name,
    },
    /// `show me.deck to me`: lets a seat see pieces.
    Show {
        what: Expr,
        to: Expr,
    },
    /// `do procedure(args) as result`, or `do move`.
    Do {
        name: Name,
        args: Option<Vec<Expr>>,
        result: Option<Name>,
    },
    /// `if a { … } else if b { … } else { … }`; each arm is a condition with its block.
    If {
        arms: Vec<(Expr, Block)>,
        otherwise: Option<Block>,
    },
    /// `each die in dice { … }`
    Each {
        name: Name,
        set: Expr,
        body: Block,
    },
    /// `count moment from 20 down to 1 { … }`
    Count {
        name: Name,
        from: Expr,
        to: Expr,
        down: bool,
        body: Block,
    },
    /// `repeat 3 times { … }` with `exactly` true; `repeat at most 9 times until … { … } otherwise { … }`
    Repeat {
        most: Option<Expr>,
        exactly: bool,
        until: Option<Expr>,
        body: Block,
        otherwise: Option<Block>,
    },
    /// `depending on coat { fur { … } feathers { … } } otherwise { … }`
    Depending {
        on: Expr,
        arms: Vec<(Name, Block)>,
        otherwise: Option<Block>,
    },
    /// `stop turn`: ends the running scope or procedure of that name.
    Stop {
        name: Option<Name>,
    },
    /// Ends the nearest `repeat`, `each` or `count`.
    Leave,
    /// Continues with the next round of the nearest loop.
    Skip,
    /// `give x`: the result of the procedure, which ends.
    Give {
        value: Expr,
    },
    /// `open hopped(active) asking active first after each use { … } { when refused { … } }`
    Open {
        hook: Name,
        args: Vec<Expr>,
        first: Option<Expr>,
        after_use: Option<Block>,
        arms: Vec<OpenArm>,
    },
    /// `say "…" to active`
    Say {
        text: Text,
        to: Option<Expr>,
    },
    /// `finish with winner "…"`
    Finish {
        with: FinishWith,
        /// `payoff of side = side.points`: the name for each side in turn, and its payoff.
        payoff: Option<(Name, Expr)>,
        text: Option<Text>,
    },
    /// `answer refused`, at the open hook
    Answer {
        word: Name,
    },
    /// `restore uses of round`
    RestoreUses {
        scope: Name,
    },
    Ask(Box<Ask>),
}

/// The end of an ordered zone to which pieces move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZoneEnd {
    Top,
    Bottom,
}

/// A case of `open`: what happens after an answer of the abilities.
#[derive(Clone, Debug)]
pub struct OpenArm {
    /// The answer; `None` for `nothing`.
    pub answer: Option<Name>,
    pub body: Block,
    pub span: Span,
}

/// The winners that `finish` names.
#[derive(Clone, Debug)]
pub enum FinishWith {
    /// A side, or a list of sides that win together.
    Winners(Expr),
    /// The sides with the highest payoff.
    Highest,
    Nobody,
}

/// `until end of next turn of foe`, `until it leaves`
#[derive(Clone, Debug)]
pub enum Until {
    End { next: bool, scope: Name, of: Option<Expr> },
    Leaves,
}

/// A question: `active must choose 1 in xs as die`.
#[derive(Clone, Debug)]
pub struct Ask {
    pub who: Expr,
    /// `each side in sides at once in secret must choose …`: the name for each side asked, and whether its answer is secret.
    pub at_once: Option<(Name, bool)>,
    /// `must` rather than `may`.
    pub must: bool,
    pub what: AskWhat,
    /// The hook whose offers are added as options, with its arguments.
    pub during: Option<(Name, Vec<Expr>)>,
    /// The name for the answer: `as die`.
    pub name: Option<Name>,
    /// `into me.bid`: the field that stores the answer.
    pub into: Option<Expr>,
    pub prompt: Option<Text>,
    /// The text of the option to decline.
    pub pass_text: Option<Text>,
    /// The options may reveal something hidden to the seat that is asked.
    pub tells: bool,
    /// `ask even when forced`
    pub even_when_forced: bool,
    /// The `else`: what happens without an answer.
    pub otherwise: Option<Block>,
}

/// The answer that a question asks for.
#[derive(Clone, Debug)]
pub enum AskWhat {
    /// `choose hop or dive`, each with its arguments if given.
    Families(Vec<(Name, Option<Vec<Expr>>)>),
    /// `choose 2 in me.hand`
    Among { amount: Amount, set: Expr },
    /// `choose number in 2..12`
    Number { least: Expr, most: Expr },
    /// `choose a sign`
    Word(Name),
    /// `order me.hand`
    Order(Expr),
    /// `divide total in steps of 10 among targets`
    Divide { total: Expr, step: Expr, among: Expr },
    /// `may "Dive?"`
    YesNo,
}

// --- expressions -------------------------------------------------------------

/// A value as written, with its place.
#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

/// The forms of values.
#[derive(Clone, Debug)]
pub enum ExprKind {
    Number(i64),
    Text(Text),
    None,
    Name(String),
    /// `a.b`
    Member(Box<Expr>, Name),
    /// `points(side)`
    Call(Name, Vec<Expr>),
    /// `[4, 6, 8]`
    List(Vec<Expr>),
    /// `1..6`
    Range(Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a is b`, `a is not b`: identity, or a test for a word, a mark or an action of a family.
    Is {
        negated: bool,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// `a is empty`, `a is odd`
    IsState {
        negated: bool,
        left: Box<Expr>,
        state: StateWord,
    },
    /// `x is a monster`
    IsA {
        negated: bool,
        left: Box<Expr>,
        kind: Name,
    },
    /// `x in set`, `x not in set`
    In {
        negated: bool,
        item: Box<Expr>,
        set: Box<Expr>,
    },
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `set where condition`; the member tested is `it`.
    Where(Box<Expr>, Box<Expr>),
    /// `set as other`: in the condition or key that follows, each member has this name instead of `it`.
    Called(Box<Expr>, Name),
    /// `sum of x`, `count of x` …, by the word; `builtins` lists them all.
    Of(String, Box<Expr>),
    /// `highest 3 of xs`, `lowest 2 of xs`
    Keep {
        extreme: Extreme,
        count: Box<Expr>,
        list: Box<Expr>,
    },
    /// `sorted down xs missing lowest`
    Sorted {
        down: bool,
        list: Box<Expr>,
        missing: Option<Extreme>,
    },
    /// `top 2 of deck`
    Top(Box<Expr>, Box<Expr>),
    /// `member 3 of xs`
    Nth(Box<Expr>, Box<Expr>),
    /// `cell 2, 3 of board`, `lines of 4 through cell`: properties of a board or a cell, which is the last operand.
    OnBoard(BoardWord, Vec<Expr>),
    /// `any of xs has condition`
    Quantified {
        which: Quantifier,
        set: Box<Expr>,
        condition: Box<Expr>,
    },
    /// `the one of xs with lowest key, then highest key`: none if several are equal; `those of` gives all of them.
    Best {
        one: bool,
        set: Box<Expr>,
        keys: Vec<Key>,
    },
    /// `can hop(me)`, or `may hop(me)`, which also counts moves that do not oblige.
    Can {
        obliging: bool,
        family: Name,
        arguments: Vec<Expr>,
    },
    /// `supposing die.value = 3 and … then expr`
    Supposing(Vec<(Expr, Expr)>, Box<Expr>),
    /// `x divided by 3 rounded down`
    Divided {
        left: Box<Expr>,
        right: Box<Expr>,
        up: bool,
    },
}

/// `lowest sorted xs missing highest`: a criterion for comparing members.
#[derive(Clone, Debug)]
pub struct Key {
    pub extreme: Extreme,
    pub value: Expr,
    /// The comparison of a list that ends before another.
    pub missing: Option<Extreme>,
}

/// The operators between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    /// Adds numbers, joins lists.
    Plus,
    Minus,
    Times,
    /// `remainder of x divided by y`
    Remainder,
    /// The first list without the members of the second.
    Without,
    /// `x but at least y`
    AtLeast,
    /// `x but at most y`
    AtMost,
}

impl Expr {
    /// The set, and the name for its members if it is not `it`.
    pub fn set_and_name(&self) -> (&Expr, Option<&Name>) {
        match &self.kind {
            ExprKind::Called(set, name) => (set, Some(name)),
            _ => (self, None),
        }
    }
}

/// The words after `is` that test a value alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateWord {
    Empty,
    Odd,
    Even,
}

/// `lowest` or `highest`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extreme {
    Lowest,
    Highest,
}

/// Properties of a board or a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardWord {
    /// `cell 2, 3 of board`, `cell 5 of track`
    Cell,
    /// `row 2 of board`
    Row,
    /// `column 2 of board`
    Column,
    /// `rows of board`
    Rows,
    /// `columns of board`
    Columns,
    /// `diagonals of board`
    Diagonals,
    /// `lines of 4 of board`
    Lines,
    /// `lines of 4 through cell`
    LinesThrough,
    /// `run 1, 0 from cell`, `run 1 from cell`
    Run,
}

/// `any of`, `all of` or `none of`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    Any,
    All,
    NoneOf,
}

/// Text with holes: `"{active} passes"`.
#[derive(Clone, Debug)]
pub struct Text {
    pub parts: Vec<TextPart>,
    pub span: Span,
}

/// A part of a text: words, or the value in braces.
#[derive(Clone, Debug)]
pub enum TextPart {
    Words(String),
    Hole(Expr),
}

impl Text {
    /// The content of a text without holes; `None` if it has any.
    pub fn plain_text(&self) -> Option<String> {
        self.parts
            .iter()
            .map(|part| match part {
                TextPart::Words(words) => Some(words.as_str()),
                TextPart::Hole(_) => None,
            })
            .collect()
    }
}
