//! The effects of several abilities that meet at a hook, recorded to find out whether their order matters. An [`Order`] replays a
//! hook in another order.
//!
//! A session without this ([`crate::runtime::SessionOptions::meetings`] turns it on) only checks for it when a hook is opened,
//! heard or closed in a watched game.
//!
//! A *meeting* is one opening of a hook. The *able* clauses could act there by themselves; those that *acted* did, or were used.
//! Each clause draws from a random stream of its own, so that another order does not change its luck. The command's
//! `interactions` compares the states after a hook in different orders.

use crate::runtime::random::{derive_seed, seeded_generator};
use crate::runtime::state::{Board, EntityId, Finish, Frame, FrameRole, Knowledge, MarkInstance, State};
use ludex_program::{HookId, Program};

/// A clause of an ability in play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClauseUse {
    /// Index in [`Program::clauses`].
    pub clause: u16,
    /// Its instance: a number that each ability of each owner has for the match.
    pub instance: u16,
}

/// A hook that was opened.
#[derive(Clone, Debug)]
pub struct Meeting {
    /// Index in [`Program::hooks`].
    pub hook: HookId,
    /// The clauses that could take effect by themselves when it was opened, in the order of the rules.
    pub able: Vec<ClauseUse>,
    /// The clauses that took effect or were used there, in order.
    pub acted: Vec<ClauseUse>,
    /// The state after the hook; `None` until it closes.
    pub after: Option<StateAfter>,
}

/// The state after a hook: everything that could depend on the order of events there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateAfter {
    board: Board,
    /// Marks that end by themselves: the bearer, the mark, and the scope that ends it with its first parameter.
    lasting: Vec<(EntityId, u16, u16, i32)>,
    bearing: Vec<MarkInstance>,
    known: Knowledge,
    /// Number of times each ability was used.
    uses: Vec<i32>,
    finished: Option<Finish>,
    /// The answer that an ability gave at the hook, or -1.
    answer: i16,
}

impl StateAfter {
    /// The state without anything that depends on the order alone, such as the order of marks.
    fn from_state(state: &State, answer: i16) -> StateAfter {
        let mut lasting: Vec<_> = state.lasting.iter().map(|mark| (mark.entity, mark.mark, mark.procedure, mark.of)).collect();
        lasting.sort_unstable();
        let mut bearing = state.bearing.clone();
        bearing.sort_by(|one, other| (one.entity, one.mark, &one.fields).cmp(&(other.entity, other.mark, &other.fields)));
        let uses = state.uses.iter().map(|count| count.times).collect();
        StateAfter {
            board: state.board.clone(),
            lasting,
            bearing,
            known: state.known.clone(),
            uses,
            finished: state.finished.clone(),
            answer,
        }
    }

    /// The differences between two of them, in words; empty if they are equal.
    pub fn list_differences(&self, other: &StateAfter) -> Vec<&'static str> {
        let bare = |after: &StateAfter| after.board.entities.iter().map(|entity| entity.marks).collect::<Vec<_>>();
        let parts = [
            ("the end of play", self.finished != other.finished),
            ("the answer", self.answer != other.answer),
            ("sides that are out", self.board.eliminated != other.board.eliminated),
            ("values of fields and counters", self.board.cells != other.board.cells),
            (
                "places of pieces",
                self.board.zones != other.board.zones || self.board.entities.len() != other.board.entities.len(),
            ),
            ("marks", bare(self) != bare(other) || self.lasting != other.lasting || self.bearing != other.bearing),
            ("knowledge of hidden pieces", self.known != other.known || self.board.numbers != other.board.numbers),
            ("remaining uses", self.uses != other.uses),
        ];
        parts.into_iter().filter(|(_, differ)| *differ).map(|(words, _)| words).collect()
    }
}

/// Another order at one hook. Play runs again from the same state with it, to compare the results.
#[derive(Clone, Debug, Default)]
pub struct Order {
    /// Index of the hook among those opened from now on, from 0.
    pub meeting: usize,
    /// The only clauses that may take effect by themselves there, in this order; `None` leaves it to the rules.
    pub heard: Option<Vec<ClauseUse>>,
    /// The side that gets the first offer; `None` leaves it to the rules.
    pub offered_first: Option<u16>,
}

/// The meetings of a session.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meetings {
    pub noted: Vec<Meeting>,
    /// The meetings in progress, the innermost last.
    open: Vec<Open>,
    /// The order to follow at one of the hooks to come.
    order: Option<Order>,
    /// The base of the random streams of all hooks.
    luck: u64,
    /// Number of hooks opened while no other was open.
    begun: u64,
}

/// A meeting in progress.
#[derive(Clone, Debug)]
struct Open {
    meeting: usize,
    /// The frame of its window, and the run of that frame.
    frame: usize,
    serial: u32,
    /// The base of each clause's random stream. An ability gets the same results regardless of earlier events at its hook.
    luck: u64,
    /// The same for the current clause, with the number of hooks opened in it.
    acting: u64,
    begun: u64,
}

impl Meetings {
    /// Records meetings, with random streams from the seed `luck`, and follows `order`.
    pub(crate) fn new(luck: u64, order: Order) -> Meetings {
        Meetings { luck, order: Some(order), ..Meetings::default() }
    }

    /// Clears the record and follows `order` from now on.
    pub(crate) fn restart_with(&mut self, order: Order) {
        self.noted.clear();
        self.open.clear();
        self.order = Some(order);
    }

    /// Records that a window has been opened, in the top frame. `able` are the clauses that could act by themselves.
    pub(crate) fn record_opening(&mut self, state: &State, hook: HookId, able: Vec<ClauseUse>) {
        self.end_removed(state);
        let (frame, serial) = (state.frames.len() - 1, state.frames.last().map_or(0, |frame| frame.serial));
        let luck = match self.open.last_mut() {
            Some(open) => {
                open.begun += 1;
                derive_seed(open.acting, open.begun)
            }
            None => {
                self.begun += 1;
                derive_seed(self.luck, self.begun)
            }
        };
        self.open.push(Open { meeting: self.noted.len(), frame, serial, luck, acting: luck, begun: 0 });
        self.noted.push(Meeting { hook, able, acted: Vec::new(), after: None });
    }

    /// Records that a clause begins at the innermost hook, and gives it its own random stream.
    pub(crate) fn record_clause(&mut self, state: &mut State, which: ClauseUse) {
        self.end_removed(state);
        let Some(open) = self.open.last_mut() else { return };
        let Some(meeting) = self.noted.get_mut(open.meeting) else { return };
        let before = meeting.acted.iter().filter(|acted| **acted == which).count() as u64;
        let key = u64::from(which.clause) << 32 | u64::from(which.instance) << 16 | before;
        (open.acting, open.begun) = (derive_seed(open.luck, key), 0);
        state.generator = seeded_generator(open.acting);
        meeting.acted.push(which);
    }

    /// Records the state at the end of the top window, with the answer given there, or -1.
    pub(crate) fn record_closing(&mut self, state: &State, answer: i16) {
        self.end_removed(state);
        let Some(open) = self.open.pop() else { return };
        if let Some(meeting) = self.noted.get_mut(open.meeting) {
            meeting.after = Some(StateAfter::from_state(state, answer));
        }
    }

    /// Ends the meetings whose windows the rules have removed.
    pub(crate) fn end_removed(&mut self, state: &State) {
        let is_there = |open: &Open| {
            let is_window = |frame: &Frame| matches!(frame.role, FrameRole::Window(_)) && frame.serial == open.serial;
            state.frames.get(open.frame).is_some_and(is_window)
        };
        while let Some(open) = self.open.last().filter(|open| !is_there(open)) {
            if let Some(meeting) = self.noted.get_mut(open.meeting) {
                meeting.after = Some(StateAfter::from_state(state, -1));
            }
            self.open.pop();
        }
    }

    /// Index of the innermost open hook.
    pub(crate) fn innermost_hook(&self) -> Option<usize> {
        Some(self.open.last()?.meeting)
    }

    /// The order, if it is for the innermost hook.
    fn order_here(&self) -> Option<&Order> {
        self.order.as_ref().filter(|order| self.innermost_hook() == Some(order.meeting))
    }

    /// The only clauses that may take effect by themselves at the innermost hook, if the order restricts them.
    pub(crate) fn allowed_clauses(&self) -> Option<&[ClauseUse]> {
        self.order_here()?.heard.as_deref()
    }

    /// The side that gets the first offer at the innermost hook, if the order sets it.
    pub(crate) fn first_offer_side(&self) -> Option<u16> {
        self.order_here()?.offered_first
    }
}

/// Whether the rules leave the order of two clauses to owners and sheets, because their kind, layer and priority are equal.
pub fn have_equal_rank(program: &Program, one: u16, other: u16) -> bool {
    let rank = |clause: u16| {
        program.clauses.get(usize::from(clause)).map(|clause| (clause.hook, clause.kind, clause.layer, clause.priority))
    };
    rank(one) == rank(other)
}
