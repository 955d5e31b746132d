//! What a program does, step by step. The operands of each instruction are described once, below the instructions: every
//! pass over code that does not care which instruction it meets learns from there what it reads, writes and leads to.

use super::operands::Operand;
use super::{Address, Expr, FamilyId, HookId, KindId, ProcedureId, RoleAmount, Shape, Slot, TextId};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;

/// The index into [`super::Program::event_names`] and the sentence a rule gave to an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Naming {
    /// What the event is called: `as won_round`.
    pub name: Option<u16>,
    /// The sentence that players read.
    pub text: Option<TextId>,
}

/// One step of a procedure, of a clause or of a move. Play goes on with the next, unless it says otherwise.
// The tag of its own makes telling instructions apart one load; the machine does little else. Fields are laid out in the
// order in which they stand here, small ones first, and what is large and rare is boxed: many instructions fit the cache.
#[derive(Clone, Debug)]
#[repr(u8)]
pub enum Instruction {
    /// Puts a value into a slot: `let n = 3`. `list`: the value is a list or a move, which stays in the arena.
    Let { list: bool, slot: Slot, value: Expr },
    /// `set side.fighter to partner`
    Set { field: u16, naming: Naming, of: Expr, value: Expr },
    /// `set side.picks to [2, 3]`, of a field that is a list.
    SetList { field: u16, naming: Naming, of: Expr, value: Expr },
    /// `add 1 to winner.tokens`, and `take` with the number negated.
    Add { field: u16, naming: Naming, of: Expr, value: Expr },
    /// Moves all members of a list to one zone: `move side.hand to side.deck`.
    Move { bottom: bool, naming: Naming, what: Expr, to: Expr },
    /// Moves one piece.
    MoveOne { bottom: bool, naming: Naming, piece: Expr, to: Expr },
    /// Moves each member of a list, one after the other; each stands in `variable` while `to` is worked out.
    MoveEach { bottom: bool, variable: Slot, naming: Naming, list: Expr, to: Expr },
    /// Rolls dice that are pieces: `roll attack.dice`.
    Roll { what: Expr, reason: Option<TextId> },
    /// Rolls dice that are no pieces; what they show, as a list, goes into `slot`.
    RollPool { slot: Slot, reason: Option<TextId>, count: Expr, size: Expr },
    /// `shuffle side.deck`
    Shuffle { zone: Expr },
    /// Takes so many members of a list by chance, or all if there are fewer; `one`: the member itself, or none.
    Draw { one: bool, slot: Slot, reason: Option<TextId>, count: Expr, from: Expr },
    /// Lets seats see pieces; `to` is a list, or the referee.
    Show { what: Expr, to: Expr },
    /// `create die(size: 8) in me.nest for me`
    Create(Box<CreateCode>),
    /// Takes pieces out of the game: `remove extra`.
    Remove { what: Expr },
    /// Takes sides out of the game.
    RemoveSides { what: Expr },
    /// `mark die as defended until end of turn`
    Mark(Box<MarkCode>),
    /// `unmark die as locked`; `what` is a list.
    Unmark { what: Expr, mark: u16 },
    /// Play goes on elsewhere.
    Jump(Address),
    /// Play goes on elsewhere where a condition is not so.
    JumpUnless { condition: Expr, to: Address },
    /// Begins `each die in dice`: puts the list in `slot`, 0 in the next, and in the third how long the arena of lists is.
    EachBegin { list: Expr, slot: Slot },
    /// Puts the next member into `variable`, or goes to `end` after the last. Lists made in the round before are tidied away, see
    /// [`Tidy`].
    EachNext { slot: Slot, variable: Slot, end: Address, tidy: Tidy },
    /// Sets a counter to 0 and notes in the next slot how long the arena of lists is.
    RepeatBegin { slot: Slot },
    /// Counts a round, or goes to `end` after the last.
    RepeatNext { slot: Slot, end: Address, most: Expr, tidy: Tidy },
    /// Carries out a procedure, whose result goes into a slot of the caller: `do level_of(active) as level`.
    Call { procedure: ProcedureId, arguments: Vec<Expr>, result: Option<Slot> },
    /// Ends the innermost procedure, clause or block: `give count of shown`, and the end of each.
    Return { value: Option<Expr> },
    /// Ends the innermost running procedure of that kind, and all within it.
    Stop { procedure: ProcedureId },
    /// `open attack_declared(active, attack) { … }`
    Open(Box<OpenCode>),
    /// `active must choose attack as attack`
    Ask(Box<AskCode>),
    /// `each side in sides at once may choose …`
    AskAtOnce(Box<AskAtOnceCode>),
    /// Carries out the `do` of a chosen move.
    DoMove { value: Expr },
    /// Tells something to all, or to a list of sides, or to the referee: `say "…" to active`.
    Say { text: TextId, to: Option<Expr> },
    /// Writes a text down for whoever tries a script out, where statements are noted; nobody at a table reads it.
    Debug { text: TextId },
    /// Ends the match: `finish with winner "…"`
    Finish(Box<FinishCode>),
    /// Gives an answer at the hook that is open, one of [`super::Program::answers`]: `answer deflected`.
    Answer { word: u16 },
    /// Gives back all uses of abilities since the innermost run of a scope began: `restore uses of round`.
    RestoreUses { scope: ProcedureId },
    /// A loop ran to its cap where the rules say nothing.
    CapReached,
    /// Something must be chosen, there is too little to choose from, and the rules do not say what then.
    NothingToChoose { prompt: Option<TextId>, wanted: Option<Box<Wanted>> },
    /// Puts the letters of a text into a slot, as a list of their code points: a text that a script keeps.
    Write { slot: Slot, text: TextId },
}

/// How much must be chosen where there is too little.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The fewest things, or the lowest number.
    pub least: Expr,
    /// The most things, or the highest number.
    pub most: Expr,
    /// How many things there are; none where a number is chosen.
    pub there: Option<Expr>,
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
    /// What it is.
    pub kind: KindId,
    /// Fields by their places in the kind, with their values. The others have their first values.
    pub fields: Vec<(u16, Expr)>,
    /// Where it is made.
    pub zone: Expr,
    /// The side it belongs to, or none.
    pub owner: Expr,
    /// Gets the new piece, if the rules name it.
    pub slot: Option<Slot>,
}

/// How the match ends.
#[derive(Clone, Debug)]
pub struct FinishCode {
    /// Who wins.
    pub winners: Winners,
    /// It stands where a loop has reached its cap.
    pub capped: bool,
    /// What the end is worth to each side, if the rules say it.
    pub payoff: Option<PayoffCode>,
    /// What the rules say about it.
    pub text: Option<TextId>,
}

/// Who wins at the end of a match.
#[derive(Clone, Debug)]
pub enum Winners {
    /// A list of sides.
    These(Expr),
    /// Those with the highest payoff.
    Highest,
    /// Nobody does.
    Nobody,
}

/// What the end of a match is worth to a side.
#[derive(Clone, Debug)]
pub struct PayoffCode {
    /// Each side in turn stands here.
    pub side: Slot,
    /// The value is a number of halves.
    pub halves: bool,
    /// A number, or halves.
    pub value: Expr,
}

/// A mark for each member of a list.
#[derive(Clone, Debug)]
pub struct MarkCode {
    /// The list.
    pub what: Expr,
    /// Among [`super::Program::marks`].
    pub mark: u16,
    /// Fields of the mark by their places, with their values.
    pub fields: Vec<(u16, Expr)>,
    /// When it ends; none where it stays.
    pub until: Option<UntilCode>,
    /// Until the piece moves to another zone.
    pub leaves: bool,
}

/// When a mark ends: with a run of a scope.
#[derive(Clone, Debug)]
pub struct UntilCode {
    /// The scope.
    pub procedure: ProcedureId,
    /// The next run that begins, rather than the one that is running.
    pub next: bool,
    /// The side that the scope's first parameter must be.
    pub of: Option<Expr>,
}

/// A hook is opened, so that abilities may act.
#[derive(Clone, Debug)]
pub struct OpenCode {
    /// Which one.
    pub hook: HookId,
    /// What abilities may know of it.
    pub arguments: Vec<Expr>,
    /// The side that is asked first. None: the hook's first parameter if that is a side, else side 0.
    pub first: Option<Expr>,
    /// The offers stand in a question that follows, so that they are not made here.
    pub without_offers: bool,
    /// Run after each use: an address that ends with `Return`, in the opener's frame.
    pub after_use: Option<Address>,
    /// For each answer, and last for none: where to go on.
    pub arms: Vec<Address>,
    /// Where play goes on after the hook.
    pub next: Address,
}

/// A question to one seat.
#[derive(Clone, Debug)]
pub struct AskCode {
    /// A side, an entrant or the referee.
    pub who: Expr,
    /// There is no option to pass: `must`, rather than `may`.
    pub must: bool,
    /// What is asked.
    pub what: AskCodeWhat,
    /// The hook whose offers are further options, with its arguments.
    pub during: Option<(HookId, Vec<Expr>)>,
    /// Gets the answer.
    pub slot: Slot,
    /// The question in words, if the rules have any.
    pub prompt: Option<TextId>,
    /// The words of the option to pass, if the rules have any.
    pub pass_text: Option<TextId>,
    /// Where to go when nothing can be or is chosen.
    pub otherwise: Option<Address>,
    /// What may be answered may depend on things that not all can see: that there is only one answer must not show.
    pub veiled: bool,
    /// The rules know that what may be answered may tell whoever is asked something.
    pub tells: bool,
    /// `ask even when forced`: whoever is asked answers, however few answers there are.
    pub even_when_forced: bool,
    /// The answer goes into a field that not all may read: nobody else is told it.
    pub private: bool,
}

/// What a question asks for.
#[derive(Clone, Debug)]
pub enum AskCodeWhat {
    /// A move of one of several families, each with its arguments.
    Families(Vec<(FamilyId, Vec<Expr>)>),
    /// A list; one member is the answer, or a list of them.
    Among { amount: RoleAmount, set: Expr, item: Shape },
    /// A number from the least to the most.
    Number { least: Expr, most: Expr },
    /// A word of a list among [`super::Program::words`].
    Word(u16),
    /// Yes or no.
    YesNo,
    /// A list; the answer is it in another order.
    Order { set: Expr, item: Shape },
    /// Parts of a total.
    Divide(Box<DivideCode>),
}

/// A total is divided among the members of a list; the answer is a list of what each of them gets.
#[derive(Clone, Debug)]
pub struct DivideCode {
    /// What all parts come to.
    pub total: Expr,
    /// Every part is a multiple of it.
    pub step: Expr,
    /// The list.
    pub among: Expr,
    /// What its members are.
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

/// A question to each member of a list, all put at once.
#[derive(Clone, Debug)]
pub struct AskAtOnceCode {
    /// The list: sides or entrants.
    pub set: Expr,
    /// Each member in turn stands here while its question is made.
    pub variable: Slot,
    /// Answers stay hidden until all have answered.
    pub secret: bool,
    /// The question. Its slot gets the list of all answers.
    pub ask: AskCode,
    /// Gets the list of those who were asked, in the order of the answers.
    pub members: Slot,
}

// --- operands ----------------------------------------------------------------

/// What a question reads, and the slots that its answer fills.
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

/// Hands on the operands of an instruction, in the order in which they matter. One match serves for looking and for changing:
/// its patterns bind what they find as the instruction is borrowed.
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
                    let Wanted { least, most, there } = $($of)+ **wanted;
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
    /// Calls `visit` with what it reads, writes and leads to, in the order in which that happens.
    pub fn operands<'i>(&'i self, visit: &mut dyn FnMut(Operand<&'i Expr, Slot, &'i Address>)) {
        operands_of_instruction!(self, visit, iter, &);
    }

    /// As [`Instruction::operands`], to change expressions and addresses.
    pub fn operands_mut(&mut self, visit: &mut dyn FnMut(Operand<&mut Expr, Slot, &mut Address>)) {
        operands_of_instruction!(self, visit, iter_mut, &mut);
    }

    /// Lets a jump, or the instruction that may end a loop, go to an address.
    pub fn lead_to(&mut self, target: Address) {
        self.operands_mut(&mut |operand| {
            if let Operand::GoesTo(to) = operand {
                *to = target;
            }
        });
    }

    /// Sets what the instruction that begins a round tidies away.
    pub fn set_tidy(&mut self, new: Tidy) {
        if let Instruction::EachNext { tidy, .. } | Instruction::RepeatNext { tidy, .. } = self {
            *tidy = new;
        }
    }

    /// Whether play may go on with the instruction behind it.
    pub fn goes_on(&self) -> bool {
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

    /// Whether others may do anything in the frame before play goes on in it.
    pub fn lets_others_act(&self) -> bool {
        match self {
            Instruction::Open(open) => open.after_use.is_some(),
            Instruction::Ask(ask) => ask.during.is_some(),
            Instruction::AskAtOnce(code) => code.ask.during.is_some(),
            Instruction::Answer { .. } => true,
            _ => false,
        }
    }

    /// Whether play may wait here for an answer or a roll.
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

    /// The question that it puts, to one or to several at once.
    pub fn question(&self) -> Option<&AskCode> {
        match self {
            Instruction::Ask(ask) => Some(ask),
            Instruction::AskAtOnce(code) => Some(&code.ask),
            _ => None,
        }
    }
}
