//! Scripts before they run: every function that an ability needs is there, every name is known, every value is of the
//! kind that is wanted. What passes here can be run; what is left for run time stands in `scripts/README.md`.
//!
//! A function knows what its clause knows, so the types of its parameters are given, and all others follow. A function
//! that another one calls is checked with the types of that call.

mod calls;
mod conditions;
mod expressions;
mod methods;
mod statements;
mod syntax;
#[cfg(test)]
mod tests;
mod text;
mod types;

use super::api::ROWS;
use crate::codes;
use crate::problem::{Problem, joined};
use crate::program::{AbilityInfo, ClauseBody, ClauseInfo, HookId, Known, Program, ScriptFile, TABLE};
use crate::source::Span;
use conditions::Fact;
use std::collections::BTreeSet;
use std::rc::Rc;
use syntax::Function;
pub use syntax::{functions, reader, trees};
pub use text::ScriptText;
use text::Written;
use types::Type;

/// Functions may call each other to this depth while they are checked.
const MOST_DEPTH: usize = 24;

/// Checks all scripts of a program.
pub fn check(program: &Program) -> Vec<Problem> {
    program.scripts.iter().flat_map(|script| check_script(program, script)).collect()
}

fn check_script(program: &Program, script: &ScriptFile) -> Vec<Problem> {
    let whole = &program.sources.get(script.source).text;
    let Some(ability) = program.abilities.get(script.ability as usize) else { return Vec::new() };
    let text = ScriptText::new(script.source, whole);
    let mut problems = Vec::new();
    let written = text.functions();
    let functions = syntax::read(&text, whole, &written, &mut problems);
    let mut checker = Checker::new(program, &text, functions, problems);
    checker.names(&written);
    for clause in ability.clauses.iter().filter_map(|clause| program.clauses.get(*clause as usize)) {
        if let ClauseBody::Script { function, known, .. } = &clause.body {
            checker.clause(clause, function, known, &written);
        }
    }
    // What cannot be read may call anything.
    if checker.functions.len() == written.len() {
        checker.unused(&written, ability);
    }
    let mut problems = checker.problems;
    if !problems.iter().any(Problem::is_error) {
        // The engine that runs it has the last word.
        problems.extend(super::host::compile_script(whole, script.source).err());
    }
    problems.sort_by_key(|problem| problem.labels.first().map_or(0, |(span, _)| span.start));
    problems.dedup();
    problems
}

/// The check of one script.
struct Checker<'a> {
    program: &'a Program,
    text: &'a ScriptText<'a>,
    functions: Vec<Rc<Function>>,
    problems: Vec<Problem>,
    /// What has been checked, with what it gives.
    done: Vec<(Call, Type)>,
    /// What is being checked, outermost first.
    active: Vec<Call>,
    used: BTreeSet<String>,
    body: Body,
}

/// A function with the types it is called with, at one hook.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Call {
    hook: HookId,
    function: String,
    arguments: Vec<Type>,
}

/// The function that is being checked.
#[derive(Default)]
struct Body {
    variables: Vec<Variable>,
    /// What is known to be there, beside what the types say.
    facts: Vec<Fact>,
    gives: Option<Type>,
    hook: HookId,
    /// Expressions inside each other.
    depth: usize,
}

#[derive(Clone, Debug)]
struct Variable {
    name: String,
    of: Type,
}

impl<'a> Checker<'a> {
    fn new(program: &'a Program, text: &'a ScriptText<'a>, functions: Vec<Rc<Function>>, problems: Vec<Problem>) -> Checker<'a> {
        Checker {
            program,
            text,
            functions,
            problems,
            done: Vec::new(),
            active: Vec::new(),
            used: BTreeSet::new(),
            body: Body::default(),
        }
    }

    fn complain(&mut self, code: &'static str, message: impl Into<String>, span: Span, remark: impl Into<String>) {
        self.report(Problem::error(code, message).at(span, remark));
    }

    /// A function that is called twice is read twice, but complained of once.
    fn report(&mut self, problem: Problem) {
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    fn words(&self, of: &Type) -> String {
        of.words(self.program)
    }

    /// Functions with the same name, or with the name of something else that can be called.
    fn names(&mut self, written: &[Written]) {
        for (index, function) in written.iter().enumerate() {
            if let Some(first) = written.iter().take(index).find(|first| first.name == function.name) {
                let problem = Problem::error(codes::DECLARED_TWICE, format!("there are two functions `{}`", function.name));
                self.report(
                    problem.at(function.span, "again here").at(first.span, "first here").help("give one of them another name"),
                );
                continue;
            }
            let count = function.params.len();
            let taken = if ROWS.iter().any(|row| row.name == function.name) || methods::is_method(&function.name) {
                "scripts have this function already"
            } else if self
                .program
                .procedures
                .iter()
                .any(|procedure| procedure.name == function.name && procedure.params.len() == count)
            {
                "the rules have a procedure of this name"
            } else {
                continue;
            };
            let problem =
                Problem::error(codes::DECLARED_TWICE, format!("the name `{}` is taken", function.name)).at(function.span, taken);
            self.report(problem.help("give the function another name"));
        }
    }

    /// The function of one clause, with what the clause knows.
    fn clause(&mut self, clause: &ClauseInfo, name: &str, known: &[Known], written: &[Written]) {
        self.used.insert(name.to_string());
        let Some(found) = written.iter().find(|function| function.name == name) else {
            self.missing(clause, name, written);
            return;
        };
        let mut arguments = Vec::new();
        for (param, span) in &found.params {
            let given = known.iter().find(|known| known.name == *param).map(|known| Type::of_shape(self.program, &known.shape));
            let given = given.or_else(|| (param == "table").then_some(Type::Entity(TABLE)));
            arguments.push(given.unwrap_or_else(|| self.unknown_parameter(clause, param, *span, known)));
        }
        if let Some(function) = self.function(name, arguments.len()) {
            self.call_function(&function, Call { hook: clause.hook, function: name.to_string(), arguments });
        }
    }

    fn missing(&mut self, clause: &ClauseInfo, name: &str, written: &[Written]) {
        let spare = written.iter().filter(|function| !self.used.contains(&function.name)).map(|function| function.name.as_str());
        let near = crate::problem::nearest(name, spare);
        let help = match near {
            Some(near) => format!("did you mean `{near}`? Call it `fn {name}`, or write `do {{ … }}` here"),
            None => format!("write `fn {name}(…) {{ … }}` under the header, or `do {{ … }}` here"),
        };
        let mut problem = Problem::error(codes::FUNCTION_MISSING, format!("there is no function `{name}`"));
        problem = problem.at(first_line(clause.span, self.program), "needs a function of its name");
        if let Some(function) = written.iter().find(|function| Some(function.name.as_str()) == near) {
            problem = problem.at(function.span, "this has another name");
            self.used.insert(function.name.clone());
        }
        self.report(problem.help(help));
    }

    fn unknown_parameter(&mut self, clause: &ClauseInfo, param: &str, span: Span, known: &[Known]) -> Type {
        let mut names: Vec<&str> = known.iter().map(|known| known.name.as_str()).collect();
        names.push("table");
        let problem = Problem::error(codes::FUNCTION_PARAMETER, format!("`{param}` is not known to `{}`", clause.name))
            .at(span, "not known");
        let help = match crate::problem::nearest(param, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("a function gets its values by name; here it may ask for {}", joined(&names, "and")),
        };
        self.report(problem.help(help));
        Type::Unknown
    }

    fn unused(&mut self, written: &[Written], ability: &AbilityInfo) {
        for function in written.iter().filter(|function| !self.used.contains(&function.name)) {
            let problem = Problem::warning(codes::FUNCTION_UNUSED, format!("nothing calls `{}`", function.name))
                .at(function.span, "never called");
            let clauses = ability.clauses.iter().filter_map(|clause| self.program.clauses.get(*clause as usize));
            let wanting =
                clauses.filter(|clause| matches!(clause.body, ClauseBody::Script { .. })).map(|clause| clause.name.as_str());
            self.problems.push(problem.suggest(&function.name, wanting));
        }
    }

    fn function(&self, name: &str, count: usize) -> Option<Rc<Function>> {
        self.functions.iter().find(|function| function.name == name && function.params.len() == count).cloned()
    }

    /// Checks a function with the types it is called with, and tells what it gives.
    fn call_function(&mut self, function: &Function, call: Call) -> Type {
        self.used.insert(call.function.clone());
        if let Some((_, gives)) = self.done.iter().find(|(done, _)| *done == call) {
            return gives.clone();
        }
        if self.active.contains(&call) || self.active.len() >= MOST_DEPTH {
            // It calls itself: what it gives follows from its other ends.
            return Type::Unknown;
        }
        let names = function.params.iter().cloned();
        let variables = names.zip(&call.arguments).map(|(name, of)| Variable { name, of: of.clone() }).collect();
        let outer = std::mem::replace(&mut self.body, Body { variables, hook: call.hook, ..Body::default() });
        self.active.push(call.clone());
        let last = self.block(&function.body);
        let gives = match self.body.gives.take() {
            // A function that always returns has no value at its end.
            Some(returned) if statements::leaves(&function.body) => returned,
            Some(returned) => self.joined(returned, last, function.span),
            None => last,
        };
        self.active.pop();
        self.body = outer;
        self.done.push((call, gives.clone()));
        gives
    }

    /// The type of what is one or the other, with a complaint if that cannot be told.
    fn joined(&mut self, one: Type, other: Type, span: Span) -> Type {
        let (first, second) = (self.words(&one), self.words(&other));
        one.either(other).unwrap_or_else(|| {
            let message = format!("this gives {first} in one case and {second} in another");
            self.report(
                Problem::error(codes::SCRIPT_UNTYPED, message)
                    .at(span, "two kinds of value")
                    .help("give the same kind of value in every case"),
            );
            Type::Unknown
        })
    }
}

/// The first line of a stretch of text.
fn first_line(span: Span, program: &Program) -> Span {
    let length = program.sources.slice(span).lines().next().map_or(0, |line| line.trim_end().len());
    Span { end: span.start + length as u32, ..span }
}

/// The table of `scripts/README.md` with what rhai brings itself.
#[cfg(test)]
pub fn methods_table() -> String {
    let rows = methods::METHODS.iter().map(|(_, written, doc)| format!("| `{written}` | {doc} |\n"));
    format!("| function | what it does |\n|---|---|\n{}", rows.collect::<String>())
}
