//! What abilities do when several of them meet at a hook, noted for whoever asks whether their order matters, and the order in
//! which they do it, if it is to be another one.
//!
//! A session without this ([`crate::runtime::SessionOptions::meetings`] gives it) is not asked for it but where a hook is opened,
//! heard and closed, while somebody watches.

use crate::runtime::random::{derive, generator};
use crate::runtime::state::{Board, EntityId, Finish, Frame, FrameRole, Known, MarkInstance, State};
use ludex_program::{HookId, Program};

/// A clause of an ability in play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Use {
    /// Among [`Program::clauses`].
    pub clause: u16,
    /// Whose it is: a number that each ability of each owner has for the match.
    pub instance: u16,
}

/// A hook that was opened.
#[derive(Clone, Debug)]
pub struct Meeting {
    /// Among [`Program::hooks`].
    pub hook: HookId,
    /// What could happen by itself when it was opened, in the order of the rules.
    pub able: Vec<Use>,
    /// What happened by itself or was used there, in order.
    pub acted: Vec<Use>,
    /// How things stood when it was over; none while it goes on.
    pub after: Option<After>,
}

/// How things stand when a hook is over: all that the order of what happened there could have made different.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct After {
    board: Board,
    /// Marks that end by themselves: what bears them, and with what they end.
    lasting: Vec<(EntityId, u16, u16, i32)>,
    bearing: Vec<MarkInstance>,
    known: Known,
    /// How often each ability was used.
    uses: Vec<i32>,
    finished: Option<Finish>,
    /// What an ability has answered.
    answer: i16,
}

impl After {
    fn of(state: &State, answer: i16) -> After {
        let mut lasting: Vec<_> = state.lasting.iter().map(|mark| (mark.entity, mark.mark, mark.procedure, mark.of)).collect();
        lasting.sort_unstable();
        let mut bearing = state.bearing.clone();
        bearing.sort_by(|one, other| (one.entity, one.mark, &one.fields).cmp(&(other.entity, other.mark, &other.fields)));
        let uses = state.uses.iter().map(|count| count.times).collect();
        After {
            board: state.board.clone(),
            lasting,
            bearing,
            known: state.known.clone(),
            uses,
            finished: state.finished.clone(),
            answer,
        }
    }

    /// In what two of them differ, in words; empty if in nothing.
    pub fn differences(&self, other: &After) -> Vec<&'static str> {
        let bare = |after: &After| after.board.entities.iter().map(|entity| entity.marks).collect::<Vec<_>>();
        let parts = [
            ("how play ended", self.finished != other.finished),
            ("what was answered", self.answer != other.answer),
            ("who is out", self.board.eliminated != other.board.eliminated),
            ("values of fields and counters", self.board.cells != other.board.cells),
            (
                "where pieces lie",
                self.board.zones != other.board.zones || self.board.entities.len() != other.board.entities.len(),
            ),
            ("marks", bare(self) != bare(other) || self.lasting != other.lasting || self.bearing != other.bearing),
            ("what is known of hidden pieces", self.known != other.known || self.board.numbers != other.board.numbers),
            ("uses that are left", self.uses != other.uses),
        ];
        parts.into_iter().filter(|(_, differ)| *differ).map(|(words, _)| words).collect()
    }
}

/// Another order at one hook: whoever runs play again from the same state to look what comes of it.
#[derive(Clone, Debug, Default)]
pub struct Order {
    /// Which of the hooks that are opened from now on, counted from 0.
    pub meeting: usize,
    /// What may happen by itself there, in this order, and nothing else; none leaves it to the rules.
    pub heard: Option<Vec<Use>>,
    /// The side that is offered something first; none leaves it to the rules.
    pub offered_first: Option<u16>,
}

/// The meetings of a session.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meetings {
    pub noted: Vec<Meeting>,
    open: Vec<Open>,
    order: Option<Order>,
    luck: u64,
    /// Hooks opened while none is open.
    begun: u64,
}

/// A meeting that goes on.
#[derive(Clone, Debug)]
struct Open {
    meeting: usize,
    /// Which frame its window is in, and which run of it.
    frame: usize,
    serial: u32,
    /// From which chance at each clause follows: results of an ability are the same whatever happened before it at its hook.
    luck: u64,
    /// The same of the clause that goes on, and how many hooks were opened in it.
    acting: u64,
    begun: u64,
}

impl Meetings {
    pub(crate) fn new(luck: u64, order: Order) -> Meetings {
        Meetings { luck, order: Some(order), ..Meetings::default() }
    }

    /// Forgets what was noted, and keeps to an order from now on.
    pub(crate) fn begin(&mut self, order: Order) {
        self.noted.clear();
        self.open.clear();
        self.order = Some(order);
    }

    /// A window has been opened, in the frame on top.
    pub(crate) fn opened(&mut self, state: &State, hook: HookId, able: Vec<Use>) {
        self.settle(state);
        let (frame, serial) = (state.frames.len() - 1, state.frames.last().map_or(0, |frame| frame.serial));
        let luck = match self.open.last_mut() {
            Some(open) => {
                open.begun += 1;
                derive(open.acting, open.begun)
            }
            None => {
                self.begun += 1;
                derive(self.luck, self.begun)
            }
        };
        self.open.push(Open { meeting: self.noted.len(), frame, serial, luck, acting: luck, begun: 0 });
        self.noted.push(Meeting { hook, able, acted: Vec::new(), after: None });
    }

    /// A clause begins at the innermost hook; its chance is its own.
    pub(crate) fn acts(&mut self, state: &mut State, which: Use) {
        self.settle(state);
        let Some(open) = self.open.last_mut() else { return };
        let Some(meeting) = self.noted.get_mut(open.meeting) else { return };
        let before = meeting.acted.iter().filter(|acted| **acted == which).count() as u64;
        let key = u64::from(which.clause) << 32 | u64::from(which.instance) << 16 | before;
        (open.acting, open.begun) = (derive(open.luck, key), 0);
        state.generator = generator(open.acting);
        meeting.acted.push(which);
    }

    /// The window on top is over.
    pub(crate) fn closed(&mut self, state: &State, answer: i16) {
        self.settle(state);
        let Some(open) = self.open.pop() else { return };
        if let Some(meeting) = self.noted.get_mut(open.meeting) {
            meeting.after = Some(After::of(state, answer));
        }
    }

    /// Ends the meetings of which the rules have taken the windows away.
    pub(crate) fn settle(&mut self, state: &State) {
        let is_there = |open: &Open| {
            let is_window = |frame: &Frame| matches!(frame.role, FrameRole::Window(_)) && frame.serial == open.serial;
            state.frames.get(open.frame).is_some_and(is_window)
        };
        while let Some(open) = self.open.last().filter(|open| !is_there(open)) {
            if let Some(meeting) = self.noted.get_mut(open.meeting) {
                meeting.after = Some(After::of(state, -1));
            }
            self.open.pop();
        }
    }

    /// The innermost hook that is open.
    pub(crate) fn innermost(&self) -> Option<usize> {
        Some(self.open.last()?.meeting)
    }

    fn order_here(&self) -> Option<&Order> {
        self.order.as_ref().filter(|order| self.innermost() == Some(order.meeting))
    }

    /// What alone may happen by itself at the innermost hook, if that is said.
    pub(crate) fn heard(&self) -> Option<&[Use]> {
        self.order_here()?.heard.as_deref()
    }

    /// Who is offered something first at the innermost hook, if that is said.
    pub(crate) fn offered_first(&self) -> Option<u16> {
        self.order_here()?.offered_first
    }
}

/// Whether the rules leave the order of two clauses to owners and sheets: they are of one kind, layer and priority.
pub fn are_level(program: &Program, one: u16, other: u16) -> bool {
    let rank = |clause: u16| {
        program.clauses.get(usize::from(clause)).map(|clause| (clause.hook, clause.kind, clause.layer, clause.priority))
    };
    rank(one) == rank(other)
}
