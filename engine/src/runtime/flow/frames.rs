//! Nested frames: procedures, bodies of effects, and windows.
//!
//! A frame has slots for its parameters and variables, in one array for all frames; `base` is the index of its first. It also
//! remembers the length of the list arena when it began, so that its lists are freed when it ends. A *scope* is a procedure that
//! names a time, such as a turn. The *serial* of a frame numbers its run. `result` is the slot of the caller that gets a
//! procedure's value, or [`NO_SLOT`].

use crate::runtime::flow::{Machine, PlayContext};
use crate::runtime::limits::MOST_SLOTS;
use crate::runtime::state::{Frame, FrameRole, NO_SLOT, NOWHERE, State};
use crate::runtime::trace::EntryRecord;
use ludex_program::{Address, Expr, NONE, ProcedureId, Shape, Value};
use ludex_syntax::codes;
use std::sync::Arc;

/// Maximum number of open frames: nested procedures, windows and effects.
pub const MOST_FRAMES: usize = 200;

/// A copy of a returned list, which outlives all lists made by the frame that ends.
enum ListCopy {
    None,
    Members(Vec<Value>),
    Lists(Vec<ListCopy>),
}

impl ListCopy {
    /// Copies a list of this shape, and the lists in it. `list` is its place in the arena.
    fn copy_list(state: &State, list: Value, shape: &Shape) -> ListCopy {
        let members = state.list_values(list);
        match shape {
            _ if list == NONE => ListCopy::None,
            Shape::OrNone(inner) => ListCopy::copy_list(state, list, inner),
            Shape::List(inner) if inner.is_list() => {
                ListCopy::Lists(members.iter().map(|member| ListCopy::copy_list(state, *member, inner)).collect())
            }
            _ => ListCopy::Members(members.to_vec()),
        }
    }

    /// Number of values in it.
    fn value_count(&self) -> u64 {
        match self {
            ListCopy::None => 1,
            ListCopy::Members(members) => members.len() as u64,
            ListCopy::Lists(lists) => lists.iter().map(ListCopy::value_count).sum(),
        }
    }
}

impl Machine {
    /// Opens a frame that starts at an address, with `slots` slots, all none. Returns its base.
    pub fn push_frame(&mut self, role: FrameRole, at: Address, slots: u16) -> usize {
        let base = self.push_slots(slots);
        self.open_frame(role, at, base, self.state.lists.len());
        base
    }

    /// Adds slots, all none, and returns the index of the first.
    #[inline]
    fn push_slots(&mut self, count: u16) -> usize {
        // Most frames need only a few slots, which are written as one block.
        const BLOCK: usize = 8;
        let slots = &mut self.state.slots;
        let base = slots.len();
        slots.extend_from_slice(&[NONE; BLOCK]);
        if usize::from(count) > BLOCK {
            slots.resize(base + usize::from(count), NONE);
        }
        slots.truncate(base + usize::from(count));
        base
    }

    /// Puts a frame on top, whose slots begin at `base`. `lists` is the length of the list arena to return to when it ends.
    #[inline]
    fn open_frame(&mut self, role: FrameRole, at: Address, base: usize, lists: usize) {
        if self.state.frames.len() >= MOST_FRAMES || self.state.slots.len() > MOST_SLOTS {
            self.refuse_frame();
        }
        if let Some(taints) = &mut self.taints {
            Arc::make_mut(taints).clear_slots(base);
        }
        let state = &mut self.state;
        state.serial += 1;
        state.frames.push(Frame { role, at, base: base as u32, lists: lists as u32, serial: state.serial });
    }

    /// Raises the fault for too many frames or slots.
    #[cold]
    fn refuse_frame(&mut self) {
        let too_deep = self.state.frames.len() >= MOST_FRAMES;
        match too_deep {
            true => {
                let message = "the rules are nested too deeply: 200 procedures, functions, windows and effects are open";
                self.raise_as(codes::CALLS_TOO_DEEP, message)
            }
            false => self.raise_as(codes::PIECE_LIMIT, "nested procedures and effects hold more than 500,000 values"),
        };
    }

    /// Calls a procedure, whose value goes into the slot `result` of the top frame. Takes the address of the call and the base of
    /// the caller's slots, and returns those of the procedure. After a fault in an argument it returns the caller's.
    #[inline(always)]
    pub(super) fn call_procedure(
        &mut self,
        context: &PlayContext,
        (at, base): (Address, usize),
        procedure: ProcedureId,
        arguments: &[Expr],
        result: u16,
    ) -> (Address, usize) {
        let lists = self.state.lists.len();
        let info = &context.program.procedures[procedure as usize];
        // The arguments are written directly into the slots of the new frame.
        let slots = self.push_slots(info.slots);
        for (index, argument) in arguments.iter().enumerate() {
            let value = self.evaluate_inline(context, base, argument);
            self.set_slot(slots, index as u16, value);
        }
        if self.fault.is_some() {
            self.set_address(at);
            return (at, base);
        }
        // After the call, so that a fault can show the place of the call.
        self.set_address(at + 1);
        if info.entry && self.trace.is_some() {
            let given = slots..slots + info.params.len();
            let arguments = self.state.slots.get(given).unwrap_or_default().to_vec();
            self.record_entry(procedure, arguments);
        }
        self.open_frame(FrameRole::Procedure { procedure, result }, info.start, slots, lists);
        if info.scope {
            self.begin_scope(context, procedure, slots);
        }
        (info.start, slots)
    }

    /// Records an entry, a procedure at which a position may start play, that is about to begin.
    #[cold]
    fn record_entry(&mut self, procedure: ProcedureId, arguments: Vec<Value>) {
        let (state, events) = (self.state.clone(), self.state.events);
        if let Some(trace) = &mut self.trace {
            let results = trace.results.len();
            trace.entered.push(Arc::new(EntryRecord { state, procedure, arguments, results, events }));
        }
    }

    /// Starts a procedure with these arguments from outside the rules: at the start of play, at an entry, or for odds.
    pub fn start_procedure(&mut self, context: &PlayContext, procedure: ProcedureId, values: &[Value], result: u16) {
        let info = &context.program.procedures[procedure as usize];
        if info.entry && self.trace.is_some() {
            self.record_entry(procedure, values.to_vec());
        }
        let base = self.push_frame(FrameRole::Procedure { procedure, result }, info.start, info.slots);
        self.fill_first(base, values);
        if info.scope {
            self.begin_scope(context, procedure, base);
        }
    }

    /// Puts values into the first slots of a frame.
    pub(super) fn fill_first(&mut self, base: usize, values: &[Value]) {
        if let Some(slots) = self.state.slots.get_mut(base..base + values.len()) {
            slots.copy_from_slice(values);
        }
    }

    /// Counts a run of a scope, and announces it. `base` is that of its slots.
    #[inline(always)]
    fn begin_scope(&mut self, context: &PlayContext, procedure: ProcedureId, base: usize) {
        match self.begun.get_mut(procedure as usize) {
            Some(begun) => *begun += 1,
            None => self.begin_counting(context, procedure),
        }
        // Its beginning and its end are both announced.
        if self.spend_on_changes(2) && self.announces_fully() {
            self.scope_began(context, procedure, base);
        }
    }

    /// Counts the first scope of a session.
    #[cold]
    fn begin_counting(&mut self, context: &PlayContext, procedure: ProcedureId) {
        self.begun.resize(context.program.procedures.len(), 0);
        if let Some(begun) = self.begun.get_mut(procedure as usize) {
            *begun += 1;
        }
    }

    /// Ends the top frame without a value. Its result is none.
    #[inline(always)]
    pub(super) fn return_nothing(&mut self, context: &PlayContext) {
        let Some(frame) = self.state.frames.last() else { return };
        let (lists, role) = (frame.lists as usize, frame.role);
        self.pop_frame(context);
        self.state.lists.truncate(lists);
        self.set_result_to_none(role);
    }

    /// Gives none to the caller of a procedure that ends without a value.
    #[inline(always)]
    fn set_result_to_none(&mut self, role: FrameRole) {
        let FrameRole::Procedure { result, .. } = role else { return };
        let caller = self.state.frames.last().filter(|_| result != NO_SLOT).map(|caller| caller.base as usize);
        if let Some(base) = caller {
            self.set_slot(base, result, NONE);
        }
    }

    /// Ends the top frame and hands its value to its caller. A clause or the body of a move has no caller that takes a value.
    #[inline(never)]
    pub(super) fn return_value(&mut self, context: &PlayContext, mut value: Value) {
        let Some(frame) = self.state.frames.last().copied() else { return };
        let FrameRole::Procedure { procedure, result } = frame.role else { return self.return_nothing(context) };
        if result == NO_SLOT {
            return self.return_nothing(context);
        }
        let mut kept = frame.lists as usize;
        let gives = &context.program.procedures[procedure as usize].gives;
        if gives.is_list() && value != NONE {
            // The list is in the arena among those of the frame, which are freed, so it is copied to their place.
            let list = ListCopy::copy_list(&self.state, value, gives);
            self.meter.add_work(list.value_count());
            self.state.lists.truncate(kept);
            value = self.push_copy(&list);
            kept = self.state.lists.len();
        }
        self.pop_frame(context);
        self.state.lists.truncate(kept);
        if let Some(caller) = self.state.frames.last() {
            let base = caller.base as usize;
            self.set_slot(base, result, value);
        }
    }

    /// Appends a list to the arena, after the lists that it contains. Returns its place there.
    fn push_copy(&mut self, kept: &ListCopy) -> Value {
        match kept {
            ListCopy::Members(members) => self.push_list(members),
            ListCopy::Lists(lists) => {
                let lists: Vec<Value> = lists.iter().map(|list| self.push_copy(list)).collect();
                self.push_list(&lists)
            }
            ListCopy::None => NONE,
        }
    }

    /// Ends the top frame, and everything that lasts until then. The lists of a procedure are left to the caller, because its
    /// result may be among them.
    // The frame is read part by part, as it was written. If it were read as a whole, the processor would wait for all parts.
    #[inline]
    pub fn pop_frame(&mut self, context: &PlayContext) {
        let Some(top) = self.state.frames.last() else { return };
        let (base, lists) = (top.base as usize, top.lists as usize);
        match top.role {
            FrameRole::Procedure { procedure, .. } => {
                if self.announces_fully() || !self.state.lasting.is_empty() {
                    return self.end_procedure(context, procedure);
                }
                self.state.frames.pop();
                self.state.slots.truncate(base);
            }
            // It has used the slots of the opener, which remain.
            FrameRole::AfterUse => drop(self.state.frames.pop()),
            FrameRole::Move { .. } | FrameRole::Clause { .. } | FrameRole::Window(_) => {
                self.state.frames.pop();
                self.state.slots.truncate(base);
                self.state.lists.truncate(lists);
            }
        }
    }

    /// Ends the run of a procedure, if that is announced or something may last until then.
    #[inline(never)]
    fn end_procedure(&mut self, context: &PlayContext, procedure: ProcedureId) {
        let Some(frame) = self.state.frames.pop() else { return };
        if context.program.procedures[procedure as usize].scope {
            self.scope_ended(context, procedure, &frame);
        }
        self.state.slots.truncate(frame.base as usize);
    }

    /// Ends the innermost run of a procedure and everything inside it.
    pub fn stop_procedure(&mut self, context: &PlayContext, procedure: ProcedureId) {
        let runs = |frame: &Frame| matches!(frame.role, FrameRole::Procedure { procedure: p, .. } if p == procedure);
        if !self.state.frames.iter().any(runs) {
            let name = &context.program.procedures[procedure as usize].name;
            self.raise(&format!("the rules stop `{name}`, but it is not running"));
            return;
        }
        while let Some(frame) = self.state.frames.last().copied() {
            self.pop_frame(context);
            self.state.lists.truncate(frame.lists as usize);
            if runs(&frame) {
                self.set_result_to_none(frame.role);
                return;
            }
        }
    }

    /// Starts the `do` of a chosen move, given by the place of its record in the arena. Does nothing if its action has none.
    pub fn start_move_body(&mut self, context: &PlayContext, chosen: Value) {
        let Some(&action) = self.state.lists.get(chosen as usize) else {
            self.raise("the rules carry out a move, but no move was chosen");
            return;
        };
        let info = &context.program.actions[action as usize];
        let Some(body) = info.body else { return };
        // A record has the action, the ability that granted it, the fields of the move, and then the first slots of its `do`.
        let start = chosen as usize + 2 + info.fields.len();
        let length = info.context as usize + info.roles.len();
        let instance = self.state.lists.get(chosen as usize + 1).copied().unwrap_or(NONE);
        let instance = if instance == NONE { NOWHERE } else { instance as u16 };
        let base = self.push_frame(FrameRole::Move { instance }, body, info.slots);
        for index in 0..length {
            let value = self.state.lists.get(start + index).copied().unwrap_or(NONE);
            self.set_slot(base, index as u16, value);
        }
    }
}
