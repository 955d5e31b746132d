//! Scripts become code: every function that an ability needs is there, every name is known, every value is of the kind that is
//! wanted, and what is sound is what the machine runs. What is left for run time is in `scripts/README.md`.
//!
//! A function knows what its clause knows, so the types of its parameters are given, and all others follow. A function
//! that another one calls is compiled anew for the types of that call, as a procedure of its own.

mod calls;
mod code;
mod conditions;
mod effects;
mod expressions;
mod functions;
mod lists;
mod operators;
mod statements;
mod types;
mod values;

use super::api::ROWS;
use super::read::{Closure, Function, ReadScript, ReadScripts};
use super::text::{Part, Written};
use code::{Code, Made};
use conditions::Fact;
pub use lists::METHODS;
use ludex_program::loops::OpenLoop;
use ludex_program::{
    AbilityInfo, ActionId, Address, ClauseBody, ClauseInfo, HookId, ProcedureId, Program, ScriptFile, Shape, Slot,
};
use ludex_syntax::codes;
use ludex_syntax::problem::{MOST_SUGGESTED, Problem};
use ludex_syntax::source::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use types::Type;
use values::Worth;

/// So much may functions that are called cost in all scripts of a program: an expression 1, a function for the types of a call
/// 100. Without a ceiling, a few lines that call themselves with lists of lists are compiled for hours.
const MOST_WORK: u32 = 200_000;
const WORK_OF_FUNCTION: u32 = 100;

/// Compiles all scripts of a program into it. Those of which something is wrong are left out, and told.
pub fn compile(program: &mut Program, read: &mut ReadScripts) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut work = 0;
    let begins = program.code.len() as Address;
    for script in program.scripts.clone() {
        match compile_script(program, &script, &read.get(script.source), &mut work) {
            Ok((script, warnings)) => {
                problems.extend(warnings);
                script.join(program);
            }
            Err(found) => problems.extend(found),
        }
    }
    program.script_code = begins..program.code.len() as Address;
    problems
}

/// A script that is sound: its code, and where that of each clause and of each granted move begins and how many slots it needs.
struct Compiled {
    made: Made,
    clauses: Vec<(u16, Address, Slot)>,
    grants: Vec<(ActionId, Address, Slot)>,
}

impl Compiled {
    fn join(self, program: &mut Program) {
        self.made.join(program);
        for (clause, start, slots) in self.clauses {
            let clause = &mut program.clauses[usize::from(clause)];
            clause.body = ClauseBody::Code(start);
            clause.slots = clause.slots.max(slots);
        }
        for (action, start, slots) in self.grants {
            let action = &mut program.actions[usize::from(action)];
            action.body = Some(start);
            action.slots = action.slots.max(slots);
        }
    }
}

fn compile_script(
    program: &Program,
    script: &ScriptFile,
    read: &ReadScript,
    work: &mut u32,
) -> Result<(Compiled, Vec<Problem>), Vec<Problem>> {
    let Some(ability) = program.abilities.get(script.ability as usize) else { return Err(Vec::new()) };
    let written = &read.written;
    let all_read = read.functions.len() == written.len();
    let mut compiler = ScriptCompiler::new(program, read);
    compiler.work = *work;
    compiler.names(written);
    let (clauses, grants) = (compiler.clauses(ability, written), compiler.grants(ability, written));
    // What cannot be read may call anything.
    if all_read && script.header_is_whole {
        compiler.unused(written, ability);
    }
    *work = compiler.work;
    let ScriptCompiler { code, mut problems, .. } = compiler;
    problems.sort_by_key(|problem| problem.labels.first().map_or(0, |(span, _)| span.start));
    problems.dedup();
    if problems.iter().any(Problem::is_error) {
        return Err(problems);
    }
    Ok((Compiled { made: code.made(), clauses, grants }, problems))
}

/// The compiler of one script.
struct ScriptCompiler<'a> {
    program: &'a Program,
    /// The script, from where the function begins that is being compiled.
    text: Part<'a>,
    /// Those that can be read, by name.
    functions: BTreeMap<String, Vec<Rc<Function>>>,
    /// Their functions without a name, by where the function around begins and the name that rhai gives them.
    closures: BTreeMap<(usize, String), Rc<Closure>>,
    problems: Vec<Problem>,
    /// By the main place of each, where it may be among the problems.
    told: BTreeMap<Option<Span>, Vec<usize>>,
    code: Code<'a>,
    /// What has been compiled.
    done: Vec<Done>,
    /// What is being compiled, outermost first.
    active: Vec<Active>,
    used: BTreeSet<String>,
    /// What functions that are called have cost so far, in this script and those before.
    work: u32,
    body: Body,
}

/// A function with the types it is called with, at one hook.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Call {
    hook: Option<HookId>,
    function: String,
    arguments: Vec<Type>,
}

/// A function that is compiled for a call.
struct Done {
    call: Call,
    gives: Type,
    procedure: ProcedureId,
}

/// A function that is being compiled for a call.
struct Active {
    call: Call,
    procedure: ProcedureId,
    /// What it gives, as far as is known; what is compiled for a wrong guess is compiled again.
    guess: Type,
    /// It has called itself, and the guess was used.
    is_guessed: bool,
}

/// The function that is being compiled.
#[derive(Default)]
struct Body {
    variables: Vec<Variable>,
    /// What is known to be there, beside what the types say.
    facts: Vec<Fact>,
    gives: Option<Type>,
    /// Where it returns a value, and of which type.
    returns: Vec<(Address, Type)>,
    /// It is what a clause does, of which nobody wants a value.
    of_clause: bool,
    /// The hook at which it acts; a granted move acts at none.
    hook: Option<HookId>,
    /// What the clause cites.
    rules: Vec<String>,
    /// Expressions inside each other.
    depth: usize,
    /// What its slots hold, with the names of variables.
    held: Vec<(Slot, String, Shape)>,
    next_slot: Slot,
    most_slots: Slot,
    loops: Vec<OpenLoop>,
}

#[derive(Clone, Debug)]
struct Variable {
    name: String,
    /// Where it is kept: in a slot, but for what is only a way of saying something.
    worth: Worth,
}

impl<'a> ScriptCompiler<'a> {
    fn new(program: &'a Program, read: &'a ReadScript<'a>) -> ScriptCompiler<'a> {
        let closures_of = |function: &Rc<Function>| {
            let start = function.start;
            function.closures.clone().into_iter().map(move |closure| ((start, closure.name.clone()), closure))
        };
        let closures = read.functions.iter().flat_map(closures_of).collect();
        let mut functions: BTreeMap<String, Vec<Rc<Function>>> = BTreeMap::new();
        for function in &read.functions {
            functions.entry(function.name.clone()).or_default().push(function.clone());
        }
        ScriptCompiler {
            program,
            text: read.text.part(0),
            functions,
            closures,
            problems: read.problems.clone(),
            told: BTreeMap::new(),
            code: Code::new(program, read.text.span(0..1)),
            done: Vec::new(),
            active: Vec::new(),
            used: BTreeSet::new(),
            work: 0,
            body: Body::default(),
        }
    }

    /// Compiles what each clause of an ability does: the clause, where it begins, and how many slots it needs.
    fn clauses(&mut self, ability: &AbilityInfo, written: &[Written]) -> Vec<(u16, Address, Slot)> {
        let mut made = Vec::new();
        for index in &ability.clauses {
            let Some(clause) = self.program.clauses.get(usize::from(*index)) else { continue };
            let ClauseBody::Script { function, known } = &clause.body else { continue };
            if !written.iter().any(|written| written.name == *function) {
                self.used.insert(function.clone());
                self.missing(clause, function, written);
                continue;
            }
            let rules = if clause.rules.is_empty() { &ability.rules } else { &clause.rules };
            self.body = Body { of_clause: true, hook: Some(clause.hook), rules: rules.clone(), ..Body::default() };
            let entry = self.entry(&clause.name, function, (known, clause.slots), written);
            made.extend(entry.map(|(start, slots)| (*index, start, slots)));
        }
        made
    }

    /// Compiles what each granted move does for which there is a function: the action, where it begins, and how many slots it
    /// needs. Without a function the move does nothing by itself.
    fn grants(&mut self, ability: &AbilityInfo, written: &[Written]) -> Vec<(ActionId, Address, Slot)> {
        let mut made = Vec::new();
        for grant in &ability.grants {
            let Some(action) = self.program.actions.get(usize::from(grant.action)) else { continue };
            let Some(function) = written.iter().find(|function| function.name == action.name) else { continue };
            if action.body.is_some() {
                continue;
            }
            let rules = if action.rules.is_empty() { &ability.rules } else { &action.rules };
            self.body = Body { of_clause: true, rules: rules.clone(), ..Body::default() };
            let entry = self.entry(&action.name, &function.name, (&grant.known, action.slots), written);
            made.extend(entry.map(|(start, slots)| (grant.action, start, slots)));
        }
        made
    }

    fn complain(&mut self, code: &'static str, message: impl Into<String>, span: Span, remark: impl Into<String>) {
        self.report(Problem::error(code, message).at(span, remark));
    }

    /// A function that is called twice is read twice, but complained of once.
    fn report(&mut self, problem: Problem) {
        let place = problem.labels.first().map(|(span, _)| *span);
        let told = self.told.entry(place).or_default();
        // Problems may have been taken back since.
        if !told.iter().any(|index| self.problems.get(*index) == Some(&problem)) {
            told.push(self.problems.len());
            self.problems.push(problem);
        }
    }

    /// Whether so much is wrong that nobody reads what each name may have meant.
    fn has_told_much(&self) -> bool {
        self.problems.len() > MOST_SUGGESTED
    }

    /// Counts what a function that is called costs; says whether there is room for it.
    fn spend(&mut self, work: u32) -> bool {
        let had_room = self.work <= MOST_WORK;
        self.work = self.work.saturating_add(work);
        let has_room = self.work <= MOST_WORK;
        if had_room && !has_room {
            let problem =
                Problem::error(codes::TOO_MANY, "the functions of the scripts are called with too many kinds of values")
                    .at(self.code.place.span, "called here once more")
                    .help("a function is compiled anew for each kind of value; call it with lists of the same kind each time");
            self.report(problem);
        }
        has_room
    }

    fn words(&self, of: &Type) -> String {
        of.words(self.program)
    }

    /// Functions with the same name, or with the name of something else that can be called.
    fn names(&mut self, written: &[Written]) {
        let of_rules = self.program.procedures.iter().map(|procedure| (procedure.name.as_str(), procedure.params.len()));
        let of_rules: BTreeSet<(&str, usize)> = of_rules.collect();
        let mut known: BTreeMap<&str, &Written> = BTreeMap::new();
        for function in written {
            if let Some(first) = known.get(function.name.as_str()) {
                let problem = Problem::error(codes::DECLARED_TWICE, format!("there are two functions `{}`", function.name));
                self.report(
                    problem.at(function.span, "again here").at(first.span, "first here").help("give one of them another name"),
                );
                continue;
            }
            known.insert(&function.name, function);
            let taken = if ROWS.iter().any(|row| row.name == function.name) || lists::is_method(&function.name) {
                "scripts have this function already"
            } else if of_rules.contains(&(function.name.as_str(), function.params.len())) {
                "the rules have a procedure of this name"
            } else {
                continue;
            };
            let problem =
                Problem::error(codes::DECLARED_TWICE, format!("the name `{}` is taken", function.name)).at(function.span, taken);
            self.report(problem.help("give the function another name"));
        }
    }

    fn missing(&mut self, clause: &ClauseInfo, name: &str, written: &[Written]) {
        // It may stand in what cannot be read outside of all functions.
        let place = |problem: &Problem| problem.labels.first().map(|(span, _)| span.start as usize);
        let is_outside = |at: usize| !written.iter().any(|function| function.range.contains(&at));
        let unread = self.problems.iter().filter(|problem| problem.code == codes::SCRIPT_SYNTAX);
        if unread.filter_map(place).any(is_outside) {
            return;
        }
        let spare = written.iter().filter(|function| !self.used.contains(&function.name)).map(|function| function.name.as_str());
        let near = ludex_syntax::problem::nearest(name, spare);
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

    fn unused(&mut self, written: &[Written], ability: &AbilityInfo) {
        for function in written.iter().filter(|function| !self.used.contains(&function.name)) {
            let problem = Problem::warning(codes::FUNCTION_UNUSED, format!("nothing calls `{}`", function.name))
                .at(function.span, "never called");
            let clauses = ability.clauses.iter().filter_map(|clause| self.program.clauses.get(*clause as usize));
            let wanting =
                clauses.filter(|clause| matches!(clause.body, ClauseBody::Script { .. })).map(|clause| clause.name.as_str());
            let granted = ability.grants.iter().filter_map(|grant| self.program.actions.get(usize::from(grant.action)));
            let wanting = wanting.chain(granted.filter(|action| action.body.is_none()).map(|action| action.name.as_str()));
            self.problems.push(problem.suggest(&function.name, wanting));
        }
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
    let rows = METHODS.iter().map(|(_, written, doc)| format!("| `{written}` | {doc} |\n"));
    format!("| function | what it does |\n|---|---|\n{}", rows.collect::<String>())
}
