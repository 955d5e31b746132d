//! The instructions of a program. Their operands are described once, below the instructions. Generic passes over code learn
//! from there what an instruction reads, writes and leads to. The *frame* of running code has its slots. *Seats* answer
//! questions; a question is *forced* if it has only one answer.

use super::operands::Operand;
use super::{Address, Expr, FamilyId, HookId, KindId, ProcedureId, RoleAmount, Shape, Slot, TextId};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;

/// The names that a rule gives to an event, by index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Naming {
    /// The event's name, an index into [`super::Program::event_names`]: `as won_round`.
    pub name: Option<u16>,
    /// The sentence that players read.
    pub text: Option<TextId>,
}

/// One step of a procedure, a clause or a move. Play goes on with the next instruction, unless stated otherwise.
// With a tag of its own, dispatch takes one load; the machine does little else. Fields keep the order in which they are
// written, small ones first, and large, rare operands are boxed, so that many instructions fit in the cache.
#[derive(Clone, Debug)]
#[repr(u8)]
pub enum Instruction {
    /// Puts a value into a slot: `let n = 3`. `list`: the value is a list or a move, which must stay in the arena.
    Let { list: bool, slot: Slot, value: Expr },
    /// Sets a field: `set side.fighter to partner`.
    Set { field: u16, naming: Naming, of: Expr, value: Expr },
    /// Sets a field that is a list: `set side.picks to [2, 3]`.
    SetList { field: u16, naming: Naming, of: Expr, value: Expr },
    /// Adds to a number: `add 1 to winner.tokens`. Also `take`, with the number negated.
    Add { field: u16, naming: Naming, of: Expr, value: Expr },
    /// Moves all members of a list to one zone: `move side.hand to side.deck`.
    Move { bottom: bool, naming: Naming, what: Expr, to: Expr },
    /// Moves one piece.
    MoveOne { bottom: bool, naming: Naming, piece: Expr, to: Expr },
    /// Moves the members of a list one after another. `variable` holds each while `to` is evaluated.
    MoveEach { bottom: bool, variable: Slot, naming: Naming, list: Expr, to: Expr },
    /// Rolls dice that are pieces: `roll attack.dice`.
    Roll { what: Expr, reason: Option<TextId> },
    /// Rolls dice that are not pieces. The list of results goes into `slot`.
    RollPool { slot: Slot, reason: Option<TextId>, count: Expr, size: Expr },
    /// Shuffles a zone: `shuffle side.deck`.
    Shuffle { zone: Expr },
    /// Draws `count` random members of a list, or all if there are fewer. `one`: draws the member itself, or none.
    Draw { one: bool, slot: Slot, reason: Option<TextId>, count: Expr, from: Expr },
    /// Shows pieces to seats. `to` is a list, or the referee.
    Show { what: Expr, to: Expr },
    /// Creates a piece: `create die(size: 8) in me.nest for me`.
    Create(Box<CreateCode>),
    /// Removes pieces from the game: `remove extra`.
    Remove { what: Expr },
    /// Removes sides from the game.
    RemoveSides { what: Expr },
    /// Sets a mark: `mark die as defended until end of turn`.
    Mark(Box<MarkCode>),
    /// Removes a mark: `unmark die as locked`. `what` is a list.
    Unmark { what: Expr, mark: u16 },
    /// Jumps to an address.
    Jump(Address),
    /// Jumps if a condition is false.
    JumpUnless { condition: Expr, to: Address },
    /// Begins `each die in dice`: puts the list into `slot`, 0 into the next slot, and the length of the arena of lists into
    /// the third.
    EachBegin { list: Expr, slot: Slot },
    /// Puts the next member into `variable`, or jumps to `end` after the last. Frees lists made in the previous round, see
    /// [`FreedLists`].
    EachNext { slot: Slot, variable: Slot, end: Address, tidy: FreedLists },
    /// Sets a counter to 0 and saves the length of the arena of lists in the next slot.
    RepeatBegin { slot: Slot },
    /// Counts a round, or jumps to `end` after the last.
    RepeatNext { slot: Slot, end: Address, most: Expr, tidy: FreedLists },
    /// Calls a procedure. Its result goes into a slot of the caller: `do level_of(active) as level`.
    Call { procedure: ProcedureId, arguments: Vec<Expr>, result: Option<Slot> },
    /// Returns from the innermost procedure, clause or block: `give count of shown`, and the end of each.
    Return { value: Option<Expr> },
    /// Ends the innermost running call of a procedure, and everything within it.
    Stop { procedure: ProcedureId },
    /// Opens a hook: `open attack_declared(active, attack) { … }`.
    Open(Box<OpenCode>),
    /// Asks one seat a question: `active must choose attack as attack`.
    Ask(Box<AskCode>),
    /// Asks several seats at once: `each side in sides at once may choose …`.
    AskAtOnce(Box<AskAtOnceCode>),
    /// Runs the `do` of a chosen move.
    DoMove { value: Expr },
    /// Sends a message to all, to a list of sides, or to the referee: `say "…" to active`.
    Say { text: TextId, to: Option<Expr> },
    /// Records a text for debugging a script, if statements are recorded. Players never see it.
    Debug { text: TextId },
    /// Ends the match: `finish with winner "…"`.
    Finish(Box<FinishCode>),
    /// Answers at the open hook with one of [`super::Program::answers`]: `answer deflected`.
    Answer { word: u16 },
    /// Gives back all uses of abilities made since the innermost run of a scope began: `restore uses of round`.
    RestoreUses { scope: ProcedureId },
    /// Fails because a loop has reached its cap and the rules do not handle it.
    CapReached,
    /// Fails because there is too little to choose from and the rules do not handle it.
    NothingToChoose { prompt: Option<TextId>, wanted: Option<Box<WantedAmount>> },
    /// Puts a text into a slot as a list of its code points. Scripts keep texts this way.
    Write { slot: Slot, text: TextId },
}

/// The amount that must be chosen where too little is available.
#[derive(Clone, Debug)]
pub struct WantedAmount {
    /// The minimum count, or the lowest number.
    pub least: Expr,
    /// The maximum count, or the highest number.
    pub most: Expr,
    /// The number of things available; none if a number is chosen.
    pub there: Option<Expr>,
}

/// The lists of a loop's round that are freed when it ends.
#[derive(Clone, Debug)]
pub enum FreedLists {
    /// All of them.
    All,
    /// All but the lists in these slots, which outlive the loop.
    But(Vec<Slot>),
    /// None: a move is kept, with all the lists it consists of.
    Nothing,
}

/// A new piece, with the values of some of its fields.
#[derive(Clone, Debug)]
pub struct CreateCode {
    /// Its kind.
    pub kind: KindId,
    /// Fields by index in the kind, with their values. The others get their first values.
    pub fields: Vec<(u16, Expr)>,
    /// The zone it is created in.
    pub zone: Expr,
    /// The side that owns it, or none.
    pub owner: Expr,
    /// Gets the new piece, if the rules name it.
    pub slot: Option<Slot>,
}

/// The end of the match.
#[derive(Clone, Debug)]
pub struct FinishCode {
    /// The winners.
    pub winners: Winners,
    /// A loop has reached its cap here.
    pub capped: bool,
    /// The payoff of each side, if the rules give one.
    pub payoff: Option<PayoffCode>,
    /// The rules' message about it.
    pub text: Option<TextId>,
}

/// The winners at the end of a match.
#[derive(Clone, Debug)]
pub enum Winners {
    /// A list of sides.
    These(Expr),
    /// The sides with the highest payoff.
    Highest,
    /// No side wins.
    Nobody,
}

/// The payoff of a side at the end of a match.
#[derive(Clone, Debug)]
pub struct PayoffCode {
    /// Holds each side in turn.
    pub side: Slot,
    /// The value is a number of halves.
    pub halves: bool,
    /// A number, or halves.
    pub value: Expr,
}

/// A mark for each member of a list.
#[derive(Clone, Debug)]
pub struct MarkCode {
    /// The list of things.
    pub what: Expr,
    /// The mark, among [`super::Program::marks`].
    pub mark: u16,
    /// Fields of the mark by index, with their values.
    pub fields: Vec<(u16, Expr)>,
    /// The scope with which it ends; none if it does not end with one.
    pub until: Option<UntilCode>,
    /// It ends when the piece moves to another zone.
    pub leaves: bool,
}

/// The end of a mark: with a run of a scope.
#[derive(Clone, Debug)]
pub struct UntilCode {
    /// The scope.
    pub procedure: ProcedureId,
    /// It ends with the next run that begins, rather than with the current one.
    pub next: bool,
    /// The required value of the scope's first parameter, a side.
    pub of: Option<Expr>,
}

/// Opens a hook, so that abilities may act.
#[derive(Clone, Debug)]
pub struct OpenCode {
    /// The hook.
    pub hook: HookId,
    /// The arguments that abilities can read.
    pub arguments: Vec<Expr>,
    /// The side that is asked first. Without it, the hook's first parameter if that is a side, else side 0.
    pub first: Option<Expr>,
    /// A question that follows contains the offers, so they are not made here.
    pub without_offers: bool,
    /// Run after each use: code that ends with `Return`, in the opener's frame.
    pub after_use: Option<Address>,
    /// The address to go on at for each answer, and last for no answer.
    pub arms: Vec<Address>,
    /// The address after the hook.
    pub next: Address,
}

/// A question to one seat.
#[derive(Clone, Debug)]
pub struct AskCode {
    /// The side, entrant or referee that is asked.
    pub who: Expr,
    /// There is no option to pass: `must` rather than `may`.
    pub must: bool,
    /// The requested answer.
    pub what: AskCodeWhat,
    /// The hook whose offers are added as options, with its arguments.
    pub during: Option<(HookId, Vec<Expr>)>,
    /// Gets the answer.
    pub slot: Slot,
    /// The prompt, if the rules have one.
    pub prompt: Option<TextId>,
    /// The label of the option to pass, if the rules have one.
    pub pass_text: Option<TextId>,
    /// The address to go to if nothing can be or is chosen.
    pub otherwise: Option<Address>,
    /// The available answers may depend on hidden information, so a forced answer must not show.
    pub veiled: bool,
    /// The rules declare that its options may reveal hidden information to the seat that is asked.
    pub tells: bool,
    /// `ask even when forced`: the seat is asked even if there is only one answer.
    pub even_when_forced: bool,
    /// The answer goes into a field that is hidden from some seats: it is not shown to others.
    pub private: bool,
}

/// The type of answer that a question asks for.
#[derive(Clone, Debug)]
pub enum AskCodeWhat {
    /// A move of one of these families, each with its arguments.
    Families(Vec<(FamilyId, Vec<Expr>)>),
    /// A member of a list, or a list of several members.
    Among { amount: RoleAmount, set: Expr, item: Shape },
    /// A number from the least to the most.
    Number { least: Expr, most: Expr },
    /// A word of a list among [`super::Program::words`].
    Word(u16),
    /// Yes or no.
    YesNo,
    /// The members of a list in an order that the seat chooses.
    Order { set: Expr, item: Shape },
    /// A division of a total.
    Divide(Box<DivideCode>),
}

/// Divides a total among the members of a list. The answer is the list of their parts.
#[derive(Clone, Debug)]
pub struct DivideCode {
    /// The sum of all parts.
    pub total: Expr,
    /// Every part is a multiple of this.
    pub step: Expr,
    /// The members that get a part.
    pub among: Expr,
    /// The shape of its members.
    pub item: Shape,
    /// Gets the list of those members. For questions asked at once, a list of such lists.
    pub receivers: Slot,
}

impl DivideCode {
    /// Returns the error if a total cannot be divided in steps of this size.
    pub fn division_problem(total: i64, step: i64) -> Option<Problem> {
        let (message, help) = match () {
            () if total < 0 => (format!("the total to divide, {total}, is less than 0"), "write `but at least 0` after it"),
            () if step < 1 => (format!("{total} cannot be divided in steps of {step}"), "use a step of at least 1"),
            () if total % step == 0 => return None,
            () => (format!("{total} cannot be divided in steps of {step}"), "divide a multiple of the step, or use steps of 1"),
        };
        Some(Problem::error(codes::UNEVEN_DIVISION, message).help(help))
    }
}

/// A question to each member of a list, all asked at once.
#[derive(Clone, Debug)]
pub struct AskAtOnceCode {
    /// The list: sides or entrants.
    pub set: Expr,
    /// Holds each member in turn while its question is made.
    pub variable: Slot,
    /// Answers stay hidden until all have answered.
    pub secret: bool,
    /// The question. Its slot gets the list of all answers.
    pub ask: AskCode,
    /// Gets the members that were asked, in the order of the answers.
    pub members: Slot,
}

// --- operands ----------------------------------------------------------------

/// Visits the operands of a question: the expressions it reads and the slots its answer fills. `$each` and `$of` are those of
/// `operands_of_instruction`.
macro_rules! operands_of_question {
    ($ask:expr, $visit:expr, $each:ident, $($of:tt)+) => {{
        let AskCode { who, what, during, slot, prompt, pass_text, otherwise, .. } = $ask;
        $visit(Operand::Part(who));
        during.$each().flat_map(|(_, arguments)| arguments.$each()).for_each(|argument| $visit(Operand::Part(argument)));
        prompt.iter().chain(pass_text.iter()).for_each(|text| $visit(Operand::Says(*text)));
        $visit(Operand::Writes(*slot));
        match what {
            AskCodeWhat::Families(families) => {
                let arguments = families.$each().flat_map(|(_, arguments)| arguments.$each());
                arguments.for_each(|argument| $visit(Operand::Part(argument)));
            }
            AskCodeWhat::Among { amount, set, .. } => {
                $visit(Operand::Part(set));
                if let RoleAmount::Some(least, most) = amount {
                    $visit(Operand::Part(least));
                    most.$each().for_each(|most| $visit(Operand::Part(most)));
                }
            }
            AskCodeWhat::Number { least, most } => {
                $visit(Operand::Part(least));
                $visit(Operand::Part(most));
            }
            AskCodeWhat::Order { set, .. } => $visit(Operand::Part(set)),
            AskCodeWhat::Divide(code) => {
                let DivideCode { total, step, among, receivers, .. } = $($of)+ **code;
                $visit(Operand::Part(total));
                $visit(Operand::Part(step));
                $visit(Operand::Part(among));
                $visit(Operand::Writes(*receivers));
            }
            AskCodeWhat::Word(_) | AskCodeWhat::YesNo => {}
        }
        otherwise.$each().for_each(|otherwise| $visit(Operand::GoesTo(otherwise)));
    }};
}

/// Visits the operands of an instruction in the order in which they matter. One match serves for reading and for changing:
/// its patterns bind with the borrow of the instruction. `$each` is `iter` or `iter_mut`, and `$of` the borrow that fits it.
macro_rules! operands_of_instruction {
    ($instruction:expr, $visit:expr, $each:ident, $($of:tt)+) => {
        match $instruction {
            Instruction::Let { slot, value, .. } => {
                $visit(Operand::Part(value));
                $visit(Operand::Writes(*slot));
            }
            Instruction::Set { of, value, naming, .. }
            | Instruction::SetList { of, value, naming, .. }
            | Instruction::Add { of, value, naming, .. } => {
                $visit(Operand::Part(of));
                $visit(Operand::Part(value));
                naming.text.iter().for_each(|text| $visit(Operand::Says(*text)));
            }
            Instruction::Move { what, to, naming, .. } | Instruction::MoveOne { piece: what, to, naming, .. } => {
                $visit(Operand::Part(what));
                $visit(Operand::Part(to));
                naming.text.iter().for_each(|text| $visit(Operand::Says(*text)));
            }
            Instruction::MoveEach { list, variable, to, naming, .. } => {
                $visit(Operand::Part(list));
                $visit(Operand::Binds(*variable));
                $visit(Operand::Part(to));
                naming.text.iter().for_each(|text| $visit(Operand::Says(*text)));
            }
            Instruction::Roll { what, reason } => {
                $visit(Operand::Part(what));
                reason.iter().for_each(|text| $visit(Operand::Says(*text)));
            }
            Instruction::RollPool { slot, reason, count: a, size: b } | Instruction::Draw { slot, reason, count: a, from: b, .. } => {
                $visit(Operand::Part(a));
                $visit(Operand::Part(b));
                $visit(Operand::Writes(*slot));
                reason.iter().for_each(|text| $visit(Operand::Says(*text)));
            }
            Instruction::Shuffle { zone: what }
            | Instruction::Remove { what }
            | Instruction::RemoveSides { what }
            | Instruction::Unmark { what, .. }
            | Instruction::DoMove { value: what } => $visit(Operand::Part(what)),
            Instruction::Show { what, to } => {
                $visit(Operand::Part(what));
                $visit(Operand::Part(to));
            }
            Instruction::Create(code) => {
                let CreateCode { zone, owner, fields, slot, .. } = $($of)+ **code;
                $visit(Operand::Part(zone));
                $visit(Operand::Part(owner));
                fields.$each().for_each(|(_, value)| $visit(Operand::Part(value)));
                slot.iter().for_each(|slot| $visit(Operand::Writes(*slot)));
            }
            Instruction::Mark(code) => {
                let MarkCode { what, fields, until, .. } = $($of)+ **code;
                $visit(Operand::Part(what));
                fields.$each().for_each(|(_, value)| $visit(Operand::Part(value)));
                until.$each().flat_map(|until| until.of.$each()).for_each(|of| $visit(Operand::Part(of)));
            }
            Instruction::Jump(to) => $visit(Operand::GoesTo(to)),
            Instruction::JumpUnless { condition, to } => {
                $visit(Operand::Part(condition));
                $visit(Operand::GoesTo(to));
            }
            Instruction::EachBegin { list, slot } => {
                $visit(Operand::Part(list));
                (*slot..*slot + 3).for_each(|slot| $visit(Operand::Writes(slot)));
            }
            Instruction::EachNext { slot, variable, end, .. } => {
                (*slot..*slot + 3).for_each(|slot| $visit(Operand::Reads(slot)));
                $visit(Operand::Writes(*slot + 1));
                $visit(Operand::Writes(*variable));
                $visit(Operand::GoesTo(end));
            }
            Instruction::RepeatBegin { slot } => (*slot..*slot + 2).for_each(|slot| $visit(Operand::Writes(slot))),
            Instruction::RepeatNext { slot, most, end, .. } => {
                (*slot..*slot + 2).for_each(|slot| $visit(Operand::Reads(slot)));
                $visit(Operand::Part(most));
                $visit(Operand::Writes(*slot));
                $visit(Operand::GoesTo(end));
            }
            Instruction::Call { arguments, result, .. } => {
                arguments.$each().for_each(|argument| $visit(Operand::Part(argument)));
                result.iter().for_each(|slot| $visit(Operand::Writes(*slot)));
            }
            Instruction::Return { value } => value.$each().for_each(|value| $visit(Operand::Part(value))),
            Instruction::Open(code) => {
                let OpenCode { arguments, first, after_use, arms, next, .. } = $($of)+ **code;
                arguments.$each().chain(first.$each()).for_each(|expr| $visit(Operand::Part(expr)));
                arms.$each().for_each(|arm| $visit(Operand::GoesTo(arm)));
                $visit(Operand::GoesTo(next));
                after_use.$each().for_each(|block| $visit(Operand::GoesTo(block)));
            }
            Instruction::Ask(ask) => operands_of_question!($($of)+ **ask, $visit, $each, $($of)+),
            Instruction::AskAtOnce(code) => {
                let AskAtOnceCode { set, variable, ask, members, .. } = $($of)+ **code;
                $visit(Operand::Part(set));
                $visit(Operand::Writes(*members));
                $visit(Operand::Binds(*variable));
                operands_of_question!(ask, $visit, $each, $($of)+);
            }
            Instruction::Debug { text } => $visit(Operand::Says(*text)),
            Instruction::Say { to, text } => {
                to.$each().for_each(|to| $visit(Operand::Part(to)));
                $visit(Operand::Says(*text));
            }
            Instruction::Finish(code) => {
                let FinishCode { winners, payoff, text, .. } = $($of)+ **code;
                if let Winners::These(winners) = winners {
                    $visit(Operand::Part(winners));
                }
                payoff.$each().for_each(|PayoffCode { side, value, .. }| {
                    $visit(Operand::Binds(*side));
                    $visit(Operand::Part(value));
                });
                text.iter().for_each(|text| $visit(Operand::Says(*text)));
            }
            Instruction::NothingToChoose { prompt, wanted } => {
                prompt.iter().for_each(|text| $visit(Operand::Says(*text)));
                if let Some(wanted) = wanted {
                    let WantedAmount { least, most, there } = $($of)+ **wanted;
                    $visit(Operand::Part(least));
                    $visit(Operand::Part(most));
                    there.$each().for_each(|there| $visit(Operand::Part(there)));
                }
            }
            Instruction::Write { slot, text } => {
                $visit(Operand::Says(*text));
                $visit(Operand::Writes(*slot));
            }
            Instruction::Stop { .. } | Instruction::Answer { .. } | Instruction::RestoreUses { .. } | Instruction::CapReached => {}
        }
    };
}

impl Instruction {
    /// Calls `visit` with each operand of the instruction, in the order in which they matter.
    pub fn visit_operands<'i>(&'i self, visit: &mut dyn FnMut(Operand<&'i Expr, Slot, &'i Address>)) {
        operands_of_instruction!(self, visit, iter, &);
    }

    /// Same as [`Instruction::visit_operands`], with mutable expressions and addresses.
    pub fn visit_operands_mut(&mut self, visit: &mut dyn FnMut(Operand<&mut Expr, Slot, &mut Address>)) {
        operands_of_instruction!(self, visit, iter_mut, &mut);
    }

    /// Sets the target of a jump, or of an instruction that may end a loop. Compilers emit jumps before they know the target,
    /// and set it when they come to that place.
    pub fn set_target(&mut self, target: Address) {
        self.visit_operands_mut(&mut |operand| {
            if let Operand::GoesTo(to) = operand {
                *to = target;
            }
        });
    }

    /// Sets the lists to free in the instruction that begins a round. Which lists outlive the loop is known only after its
    /// body is compiled, see [`super::loops::OpenLoop`].
    pub fn set_freed_lists(&mut self, new: FreedLists) {
        if let Instruction::EachNext { tidy, .. } | Instruction::RepeatNext { tidy, .. } = self {
            *tidy = new;
        }
    }

    /// Whether play may go on with the next instruction.
    pub fn falls_through(&self) -> bool {
        !matches!(
            self,
            Instruction::Jump(_)
                | Instruction::Open(_)
                | Instruction::Return { .. }
                | Instruction::Stop { .. }
                | Instruction::Finish(_)
                | Instruction::CapReached
                | Instruction::NothingToChoose { .. }
        )
    }

    /// Whether other code may use the frame before play goes on in it.
    pub fn lets_others_act(&self) -> bool {
        match self {
            Instruction::Open(open) => open.after_use.is_some(),
            Instruction::Ask(ask) => ask.during.is_some(),
            Instruction::AskAtOnce(code) => code.ask.during.is_some(),
            Instruction::Answer { .. } => true,
            _ => false,
        }
    }

    /// Whether play may wait here for an answer or a roll. Calls, moves and open hooks count, because the code they run may
    /// wait.
    pub fn may_wait(&self) -> bool {
        match self {
            Instruction::Ask(_)
            | Instruction::AskAtOnce(_)
            | Instruction::Open(_)
            | Instruction::Call { .. }
            | Instruction::DoMove { .. }
            | Instruction::Roll { .. }
            | Instruction::RollPool { .. }
            | Instruction::Draw { .. }
            | Instruction::Shuffle { .. } => true,
            Instruction::Let { .. }
            | Instruction::Set { .. }
            | Instruction::SetList { .. }
            | Instruction::Add { .. }
            | Instruction::Move { .. }
            | Instruction::MoveOne { .. }
            | Instruction::MoveEach { .. }
            | Instruction::Show { .. }
            | Instruction::Create(_)
            | Instruction::Remove { .. }
            | Instruction::RemoveSides { .. }
            | Instruction::Mark(_)
            | Instruction::Unmark { .. }
            | Instruction::Jump(_)
            | Instruction::JumpUnless { .. }
            | Instruction::EachBegin { .. }
            | Instruction::EachNext { .. }
            | Instruction::RepeatBegin { .. }
            | Instruction::RepeatNext { .. }
            | Instruction::Return { .. }
            | Instruction::Stop { .. }
            | Instruction::Say { .. }
            | Instruction::Debug { .. }
            | Instruction::Finish(_)
            | Instruction::Answer { .. }
            | Instruction::RestoreUses { .. }
            | Instruction::CapReached
            | Instruction::NothingToChoose { .. }
            | Instruction::Write { .. } => false,
        }
    }

    /// The question it asks, of one seat or of several at once.
    pub fn ask_code(&self) -> Option<&AskCode> {
        match self {
            Instruction::Ask(ask) => Some(ask),
            Instruction::AskAtOnce(code) => Some(&code.ask),
            _ => None,
        }
    }
}
