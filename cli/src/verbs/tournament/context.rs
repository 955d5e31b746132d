//! The context of every verb: the open tournament, and the output of results.

use super::locate;
use crate::args::Common;
use crate::exit::DONE;
use crate::layout::wrapped;
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

pub struct Context<'a> {
    pub store: Store,
    pub common: &'a Common,
}

/// A result: lines for people, and the fields of a JSON object.
pub struct Message {
    pub lines: Vec<String>,
    pub fields: Value,
}

impl<'a> Context<'a> {
    pub fn open(file: Option<&Path>, common: &'a Common) -> Result<Context<'a>, Problem> {
        let store = Store::open(&locate::find(file)?, Box::new(time::now))?;
        let context = Context { store, common };
        if context.store.catch_up()? {
            context.publish();
        }
        Ok(context)
    }

    /// Performs an operation, then updates the page.
    pub fn change<T>(&self, operation: impl FnOnce(&mut Tournament, Timestamp) -> Result<T, Problem>) -> Result<T, Problem> {
        let done = self.store.change(operation);
        self.publish();
        done
    }

    /// Performs an operation on behalf of a person; by default, the organiser.
    pub fn change_as<T>(
        &self,
        name: Option<&str>,
        operation: impl FnOnce(&mut Tournament, &Actor, Timestamp) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        self.change(|tournament, now| {
            let actor = Actor::find(tournament, name)?;
            operation(tournament, &actor, now)
        })
    }

    pub fn read(&self) -> Result<Tournament, Problem> {
        self.store.read()
    }

    /// Performs an operation on a duel and prints its result.
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
        Ok(self.print(name, message))
    }

    /// Prints a completed operation. Returns the exit status.
    pub fn print(&self, operation: &str, message: Message) -> u8 {
        if !self.common.json() {
            message.lines.iter().for_each(|line| output::line(line));
            return DONE;
        }
        let mut report = json!({ "ludex": 1, "command": "tournament", "operation": operation });
        if let (Value::Object(report), Value::Object(fields)) = (&mut report, message.fields) {
            report.extend(fields);
        }
        output::json(&report);
        DONE
    }

    /// Updates the page. An operation succeeds even if its page cannot be written.
    fn publish(&self) {
        if let Err(problem) = page::publish(&self.store) {
            let note = Problem { severity: Severity::Warning, ..problem };
            output::problems(&[note], &Sources::default());
        }
    }
}

/// A sentence, wrapped if it goes to a terminal.
pub fn sentence(text: &str) -> String {
    match std::io::stdout().is_terminal() {
        true => wrapped(text, output::width(), 2),
        false => text.to_string(),
    }
}

/// A duel after an operation, the next possible step, and the winner if the tournament is over.
pub fn duel_message(tournament: &Tournament, id: DuelId) -> Result<Message, Problem> {
    let duel = rules::duel_numbered(tournament, id)?;
    let mut lines = vec![sentence(&tournament.summary(duel))];
    lines.extend(tournament.next_step(duel));
    lines.extend(tournament.final_result().as_deref().map(sentence));
    Ok(Message { lines, fields: json!({ "duel": json::duel(tournament, duel) }) })
}
