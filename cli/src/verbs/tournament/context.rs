//! The context of every verb: the open tournament, and the output of results.
//!
//! An operation is a function of `tournament::rules`. It runs in a transaction of the store, and the page for the wall is
//! written again after it.

use super::locate;
use crate::args::CommonArgs;
use crate::exit::DONE;
use crate::layout::wrap_text;
use crate::output;
use crate::stop::Stop;
use crate::tournament::duel::DuelId;
use crate::tournament::rules::{self, Actor};
use crate::tournament::state::Tournament;
use crate::tournament::store::Store;
use crate::tournament::{json, page, time};
use jiff::Timestamp;
use ludex_engine::problem::{Problem, Severity};
use ludex_engine::source::Sources;
use serde_json::{Value, json};
use std::io::IsTerminal;
use std::path::Path;

/// An open tournament, and the flags of the command.
pub struct Context<'a> {
    pub store: Store,
    pub common: &'a CommonArgs,
}

/// A result: lines for people, and the fields of a JSON object.
pub struct Message {
    pub lines: Vec<String>,
    pub fields: Value,
}

impl<'a> Context<'a> {
    /// Opens the named tournament, or finds it. If its deadline has passed since, that takes effect now.
    pub fn open(file: Option<&Path>, common: &'a CommonArgs) -> Result<Context<'a>, Problem> {
        let store = Store::open_file(&locate::find_tournament(file)?, Box::new(time::current_time))?;
        let context = Context { store, common };
        if context.store.catch_up()? {
            context.publish_page();
        }
        Ok(context)
    }

    /// Performs an operation, then updates the page.
    pub fn apply_change<T>(
        &self,
        operation: impl FnOnce(&mut Tournament, Timestamp) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        let done = self.store.change_tournament(operation);
        self.publish_page();
        done
    }

    /// Performs an operation on behalf of a person; by default, the organiser.
    pub fn change_as<T>(
        &self,
        name: Option<&str>,
        operation: impl FnOnce(&mut Tournament, &Actor, Timestamp) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        self.apply_change(|tournament, now| {
            let actor = Actor::find_by_name(tournament, name)?;
            operation(tournament, &actor, now)
        })
    }

    /// The current state, for verbs that only read.
    pub fn read_tournament(&self) -> Result<Tournament, Problem> {
        self.store.load_tournament()
    }

    /// Performs an operation on a duel and prints its result. `name` is the operation in the JSON report, and `actor` the
    /// person who acts.
    pub fn change_duel(
        &self,
        name: &str,
        actor: Option<&str>,
        operation: impl FnOnce(&mut Tournament, &Actor, Timestamp) -> Result<DuelId, Problem>,
    ) -> Result<u8, Stop> {
        let message = self.change_as(actor, |tournament, actor, now| {
            let duel = operation(tournament, actor, now)?;
            duel_message(tournament, duel)
        })?;
        Ok(self.print_message(name, message))
    }

    /// Prints a completed operation. Returns the exit status.
    pub fn print_message(&self, operation: &str, message: Message) -> u8 {
        if !self.common.is_json() {
            message.lines.iter().for_each(|line| output::print_line(line));
            return DONE;
        }
        let mut report = json!({ "ludex": 1, "command": "tournament", "operation": operation });
        if let (Value::Object(report), Value::Object(fields)) = (&mut report, message.fields) {
            report.extend(fields);
        }
        output::print_json(&report);
        DONE
    }

    /// Updates the page. An operation succeeds even if its page cannot be written.
    fn publish_page(&self) {
        if let Err(problem) = page::publish_page(&self.store) {
            let note = Problem { severity: Severity::Warning, ..problem };
            output::print_problems(&[note], &Sources::default());
        }
    }
}

/// A sentence, wrapped if it goes to a terminal.
pub fn wrap_sentence(text: &str) -> String {
    match std::io::stdout().is_terminal() {
        true => wrap_text(text, output::output_width(), 2),
        false => text.to_string(),
    }
}

/// A duel after an operation, the next possible step, and the winner if the tournament is over.
pub fn duel_message(tournament: &Tournament, id: DuelId) -> Result<Message, Problem> {
    let duel = rules::duel_numbered(tournament, id)?;
    let mut lines = vec![wrap_sentence(&tournament.summary_line(duel))];
    lines.extend(tournament.next_step(duel));
    lines.extend(tournament.final_result().as_deref().map(wrap_sentence));
    Ok(Message { lines, fields: json!({ "duel": json::duel_json(tournament, duel) }) })
}
