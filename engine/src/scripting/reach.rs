//! Which statements of scripts run. For coverage a script calls back before each statement, and with what each condition
//! comes to. The calls are put into a copy of its text; without coverage the text runs as it stands, at its full speed.

#[cfg(test)]
mod tests;

use super::check::{ScriptText, reader};
use super::host;
use crate::program::Program;
use crate::source::Span;
use rhai::{ASTNode, Engine, Stmt};
use std::collections::{BTreeMap, BTreeSet};

/// What rhai counts for a call, so that it can be given back: coverage changes nothing in play.
const CALL_OPERATIONS: i64 = 3;

/// A statement or condition of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    pub span: Span,
    pub condition: bool,
}

/// The statements and conditions of all scripts of a program. Its number is a point's place among them.
pub fn points(program: &Program) -> Vec<Point> {
    all(program).flat_map(|script| script.points).collect()
}

/// All scripts of a program with calls in them, one after the other.
pub fn all(program: &Program) -> impl Iterator<Item = Covered> {
    let name = name(program);
    program.scripts.iter().scan(0, move |first, script| {
        let text = ScriptText::new(script.source, &program.sources.get(script.source).text);
        let covered = Covered::new(&text, &name, *first);
        *first += covered.points.len();
        Some(covered)
    })
}

/// Lets scripts call back.
pub fn register(engine: &mut Engine, program: &Program) {
    let name = name(program);
    engine.register_fn(name.as_str(), |point: i64| note(point, true));
    engine.register_fn(name.as_str(), |point: i64, holds: bool| {
        note(point, holds);
        holds
    });
}

fn note(point: i64, holds: bool) {
    host::give_back(CALL_OPERATIONS);
    host::with_machine(|machine| {
        if let (Some(coverage), Ok(point)) = (&mut machine.coverage, usize::try_from(point)) {
            coverage.pass(point, holds);
        }
    });
}

/// A name that stands in no script.
fn name(program: &Program) -> String {
    let mut name = "reached".to_string();
    while program.scripts.iter().any(|script| program.sources.get(script.source).text.contains(&name)) {
        name.push('_');
    }
    name
}

/// A script with calls in it.
pub struct Covered {
    pub text: String,
    points: Vec<Point>,
    /// Where in the script's own text something is put in, and how much.
    put_in: Vec<(usize, usize)>,
}

impl Covered {
    fn new(text: &ScriptText, name: &str, first: usize) -> Covered {
        let found = Found::in_script(text);
        let (mut points, mut calls) = (Vec::new(), BTreeMap::new());
        for at in found.statements {
            calls.insert(at, format!("{name}({}); ", first + points.len()));
            points.push(Point { span: text.head(at), condition: false });
        }
        for (at, end) in found.conditions {
            calls.insert(at, format!(" {name}({},", first + points.len()));
            calls.insert(end, ")".to_string());
            points.push(Point { span: text.head(at), condition: true });
        }
        let mut covered = Covered { text: String::new(), points, put_in: Vec::new() };
        covered.put_in(text, &calls);
        covered
    }

    fn put_in(&mut self, text: &ScriptText, calls: &BTreeMap<usize, String>) {
        let mut done = 0;
        for (at, call) in calls {
            self.text.push_str(text.slice(done..*at));
            self.text.push_str(call);
            self.put_in.push((*at, call.len()));
            done = *at;
        }
        self.text.push_str(text.slice(done..text.whole().len()));
    }

    /// Where in the script's own text a place of the text with calls is; of a call, where it is put in.
    pub fn original(&self, at: usize) -> usize {
        let mut longer = 0;
        for (place, length) in &self.put_in {
            if place + longer >= at {
                break;
            }
            if place + longer + length > at {
                return *place;
            }
            longer += length;
        }
        at - longer
    }
}

/// Where statements begin in a script, and where conditions begin and end.
#[derive(Default)]
struct Found {
    statements: BTreeSet<usize>,
    conditions: BTreeMap<usize, usize>,
}

impl Found {
    fn in_script(text: &ScriptText) -> Found {
        let mut found = Found::default();
        // What does not compile has been complained of.
        let Ok(tree) = reader().compile(text.whole()) else { return found };
        tree.walk(&mut |path| {
            if let Some(ASTNode::Stmt(statement)) = path.last() {
                found.add(text, statement);
            }
            true
        });
        found
    }

    fn add(&mut self, text: &ScriptText, statement: &Stmt) {
        match statement {
            // What stands in a block is counted by itself.
            Stmt::Noop(_) | Stmt::Block(_) => return,
            Stmt::If(flow, position) => {
                self.conditions.insert(text.byte(*position) + "if".len(), text.byte(flow.body.position()));
            }
            _ => {}
        }
        // An `if` that gives a value begins where the statement around it does; one behind `else` is part of the first.
        let at = leftmost(text, statement).map(|place| text.statement(place));
        self.statements.extend(at.filter(|at| !text.is_word_at(*at, "else")));
    }
}

/// The first place of a statement or of anything in it: the place of `a + b` is that of its sign.
fn leftmost(text: &ScriptText, statement: &Stmt) -> Option<usize> {
    let mut first: Option<usize> = None;
    statement.walk(&mut Vec::new(), &mut |path| {
        let position = path.last().map(ASTNode::position).filter(|position| !position.is_none());
        first = first.into_iter().chain(position.map(|position| text.byte(position))).min();
        true
    });
    first
}
