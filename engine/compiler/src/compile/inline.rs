//! Inlines procedures that are called from one place only: a call costs more than most statements.
//!
//! Which procedures these are is decided from the syntax trees, before any code is compiled: [`Compiler::find_inlined`]. The
//! statement `do` then compiles the body in place of the call. The procedure keeps its slots in the caller's frame.

use super::{Compiler, Local, Meaning};
use crate::resolve::ScriptWords;
use crate::scope::Scope;
use crate::types::Type;
use ludex_program::presence::Changes;
use ludex_program::{Address, Expr, Instruction, MOST_PARAMETERS, Slot};
use ludex_syntax::blocks::{blocks_of, each_statement};
use ludex_syntax::source::Span;
use ludex_syntax::tree::{Block, Expr as Written, ExprKind, Item, ItemKind, Name, Procedure, Statement, StatementKind};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The address of inlined procedures, which have no code of their own.
const NOWHERE: Address = Address::MAX;

/// Maximum nesting depth of inlining, which is recursive.
const DEEPEST: usize = 32;

/// The inlining state of a procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InlineState {
    /// Compiled as code of its own.
    No,
    /// To be inlined, but its call has not been compiled yet.
    Wanted,
    /// Inlined at its call.
    Done,
}

/// Uses of procedures that determine which can be inlined.
struct ProcedureUses<'a> {
    /// How often each name follows `do`.
    done: BTreeMap<&'a str, usize>,
    /// Procedures that are stopped somewhere, which must run in their own frame.
    stopped: BTreeSet<&'a str>,
    /// Procedures that a position can start inside, which must be able to go on in their own frame.
    begun_within: BTreeSet<&'a str>,
    /// The words of scripts, which may call procedures by name.
    scripts: &'a ScriptWords,
}

impl<'a> ProcedureUses<'a> {
    fn from_items(items: &'a [Cow<Item>], scripts: &'a ScriptWords) -> ProcedureUses<'a> {
        let (stopped, begun_within) = (BTreeSet::new(), entries_and_callers(items));
        let mut uses = ProcedureUses { done: BTreeMap::new(), stopped, begun_within, scripts };
        for block in items.iter().flat_map(|item| blocks_of(item)) {
            each_statement(block, &mut |statement| match &statement.kind {
                StatementKind::Do { name, .. } => *uses.done.entry(&name.text).or_default() += 1,
                StatementKind::Stop { name: Some(name) } => drop(uses.stopped.insert(&name.text)),
                _ => {}
            });
        }
        uses
    }

    /// Whether a procedure can be inlined at the only `do` that calls it.
    fn can_inline(&self, procedure: &'a Procedure) -> bool {
        let name = procedure.name.text.as_str();
        let is_plain = !procedure.scope && !procedure.entry && procedure.gives.is_none();
        let is_sound = procedure.params.len() <= MOST_PARAMETERS;
        is_plain
            && is_sound
            && self.done.get(name) == Some(&1)
            && !self.stopped.contains(name)
            && !self.begun_within.contains(name)
            && !self.scripts.values().any(|words| words.contains(name))
            && !any_statement(&procedure.body, &|kind| {
                matches!(kind, StatementKind::Stop { name: None } | StatementKind::Give { .. })
            })
    }
}

/// The procedures at which a position can start, and all that call them directly or indirectly.
fn entries_and_callers<'a>(items: &'a [Cow<Item>]) -> BTreeSet<&'a str> {
    let is_entry = |item: &Cow<Item>| matches!(&item.kind, ItemKind::Procedure(procedure) if procedure.entry);
    if !items.iter().any(is_entry) {
        return BTreeSet::new();
    }
    let mut callers: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut open = Vec::new();
    for item in items {
        let ItemKind::Procedure(procedure) = &item.kind else { continue };
        let name = procedure.name.text.as_str();
        each_statement(&procedure.body, &mut |statement| {
            if let StatementKind::Do { name: other, .. } = &statement.kind {
                callers.entry(&other.text).or_default().push(name);
            }
        });
        open.extend(procedure.entry.then_some(name));
    }
    let mut found = BTreeSet::new();
    while let Some(name) = open.pop() {
        if found.insert(name) {
            open.extend(callers.get(name).into_iter().flatten());
        }
    }
    found
}

impl Compiler<'_> {
    /// Finds the procedures that can be inlined.
    pub(super) fn find_inlined(&mut self, items: &[Cow<Item>], scripts: &ScriptWords) {
        let uses = ProcedureUses::from_items(items, scripts);
        let place = |procedure: &Procedure| if uses.can_inline(procedure) { InlineState::Wanted } else { InlineState::No };
        self.in_place = self.symbols.procedures.iter().map(|(procedure, ..)| place(procedure)).collect();
    }

    /// Whether a procedure is to be inlined and the nesting depth allows it.
    pub(super) fn may_inline_here(&self, procedure: u16) -> bool {
        self.in_place[usize::from(procedure)] == InlineState::Wanted && self.in_place_deep < DEEPEST
    }

    /// Inlines a procedure with these arguments.
    pub(super) fn inline_procedure(&mut self, procedure: u16, arguments: Vec<Expr>, span: Span) {
        self.with_separate_facts(|compiler| compiler.inline_body(procedure, arguments, span));
    }

    /// Compiles the body of a procedure into the current function, with slots for its arguments.
    fn inline_body(&mut self, procedure: u16, arguments: Vec<Expr>, span: Span) {
        let (declared, params, ..) = &self.symbols.procedures[usize::from(procedure)];
        self.in_place[usize::from(procedure)] = InlineState::Done;
        self.in_place_deep += 1;
        self.program.procedures[usize::from(procedure)].start = NOWHERE;
        // Arguments at the end of a procedure are no longer needed there, so their slots can be reused.
        let given_away: Vec<Slot> = if self.ends_procedure(span) { self.slots_passed_once(&arguments) } else { Vec::new() };
        self.in_block(|compiler| {
            let mut locals = Scope::default();
            // It knows no more facts than in its own frame.
            compiler.function.presence.drop_changed_facts(&Changes::any_change());
            for ((param, of), argument) in declared.params.iter().zip(params).zip(arguments) {
                let name = param.name.text.clone();
                let slot = match argument {
                    // A slot that the procedure does not change can serve as its parameter.
                    Expr::Local(slot) if given_away.contains(&slot) || !is_changed(&name, &declared.body) => slot,
                    value => compiler.store_argument(value, of, span),
                };
                compiler.set_presence(&Meaning::Slot(slot), of);
                locals.push(Local { name, meaning: Meaning::Slot(slot), of: of.clone() });
            }
            // The names and loops around the call are invisible to the procedure.
            let outside = std::mem::replace(&mut compiler.function.locals, locals);
            let loops = std::mem::take(&mut compiler.function.loops);
            let exits = std::mem::take(&mut compiler.function.exits);
            compiler.compile_block(&declared.body);
            compiler.function.locals = outside;
            compiler.function.loops = loops;
            compiler.function.exits = exits;
        });
        self.in_place_deep -= 1;
    }

    /// Whether the statement at a place is the last one of the current procedure.
    fn ends_procedure(&self, statement: Span) -> bool {
        let own = self.function.procedure.map(|procedure| &self.symbols.procedures[usize::from(procedure)].0.body);
        own.and_then(|body| body.statements.last()).is_some_and(|last| last.span == statement)
    }

    /// The slots of a procedure's own variables that are passed exactly once, excluding its parameters.
    fn slots_passed_once(&self, arguments: &[Expr]) -> Vec<Slot> {
        let own = self.function.procedure.map_or(0, |procedure| self.symbols.procedures[usize::from(procedure)].1.len());
        let slot = |argument: &Expr| if let Expr::Local(slot) = argument { Some(*slot) } else { None };
        let given: Vec<Slot> = arguments.iter().filter_map(slot).collect();
        let is_once = |slot: &Slot| given.iter().filter(|other| *other == slot).count() == 1;
        given.iter().copied().filter(|slot| usize::from(*slot) >= own && is_once(slot)).collect()
    }

    /// Puts an argument into a new slot.
    fn store_argument(&mut self, value: Expr, of: &Type, span: Span) -> Slot {
        let slot = self.allocate_slot("", of.to_shape());
        self.emit_instruction(Instruction::Let { slot, value, list: of.is_list() }, span, &[]);
        slot
    }

    /// Compiles the procedures that were to be inlined but were not, as code of their own: no code calls them after all, or only
    /// code that is nested too deep.
    pub(super) fn compile_remaining(&mut self) {
        for procedure in 0..self.in_place.len() {
            if self.in_place[procedure] == InlineState::Wanted {
                self.in_place[procedure] = InlineState::No;
                self.compile_procedure(procedure);
            }
        }
    }
}

/// Whether statements assign to a name, such as a parameter.
fn is_changed(name: &str, body: &Block) -> bool {
    let is_it = |other: &Name| other.text == name;
    let is_place = |place: &Written| matches!(&place.kind, ExprKind::Name(other) if other == name);
    any_statement(body, &|kind| match kind {
        StatementKind::Set { place, .. } | StatementKind::Add { place, .. } => is_place(place),
        StatementKind::Ask(ask) => ask.name.as_ref().is_some_and(is_it),
        StatementKind::Do { result, .. } => result.as_ref().is_some_and(is_it),
        StatementKind::Draw { name, .. } => is_it(name),
        StatementKind::Roll { name, .. } => name.as_ref().is_some_and(is_it),
        _ => false,
    })
}

/// Whether any statement of a block, also a nested one, passes a test.
fn any_statement(block: &Block, wanted: &dyn Fn(&StatementKind) -> bool) -> bool {
    let mut found = false;
    each_statement(block, &mut |statement: &Statement| found |= wanted(&statement.kind));
    found
}
