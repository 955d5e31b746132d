//! Compiles scripts. Every function that an ability needs must exist, every name must be known, every value must have the
//! expected type, and only valid scripts run. `scripts/README.md` lists the checks left for run time.
//!
//! The types of a function's parameters are those of its clause, and all others are inferred. A function that another one
//! calls is compiled separately for the types of that call, as a procedure of its own.
//!
//! In the submodules, `Machine` is an expression that the machine of play evaluates, `Worth` is a value with its type, and `Expr`
//! is an expression of rhai. A clause is a part of an ability's header that acts at a hook; a granted move is one that the ability
//! adds to a family. Both may be run by a function of the script with their name. A slot is a numbered cell of running code.

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
use super::text::{FoundFunction, Part};
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
use values::TypedValue;

/// The budget for compiling called functions in all scripts of a program: 1 for each expression in them, and [`WORK_OF_FUNCTION`]
/// for each function and types of a call. Without it, a few recursive lines with nested lists would compile for hours.
const MOST_WORK: u32 = 200_000;
/// The part of [`MOST_WORK`] that a called function costs besides its expressions.
const WORK_OF_FUNCTION: u32 = 100;

/// Compiles all scripts of a program into it. Invalid ones are left out and reported.
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

/// A valid script: its code, and the address and the number of slots of each clause and granted move.
struct Compiled {
    made: Made,
    clauses: Vec<(u16, Address, Slot)>,
    grants: Vec<(ActionId, Address, Slot)>,
}

impl Compiled {
    /// Adds the script to the program: its code, and where each clause and move begins.
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

/// Compiles one script. Returns its warnings with it, or all problems if it is invalid. `work` is the budget spent so far.
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
    compiler.check_function_names(written);
    let (clauses, grants) = (compiler.compile_clauses(ability, written), compiler.compile_granted_moves(ability, written));
    // Unreadable parts may call anything.
    if all_read && script.header_is_whole {
        compiler.report_unused_functions(written, ability);
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
    /// The script, from the start of the function being compiled.
    text: Part<'a>,
    /// The readable functions, by name.
    functions: BTreeMap<String, Vec<Rc<Function>>>,
    /// Their closures, by the start of the enclosing function and rhai's name for them.
    closures: BTreeMap<(usize, String), Rc<Closure>>,
    problems: Vec<Problem>,
    /// By main place: the indices of the problems reported there. An index may be out of date, because problems can be withdrawn.
    told: BTreeMap<Option<Span>, Vec<usize>>,
    code: Code<'a>,
    /// The compiled functions.
    done: Vec<CompiledFunction>,
    /// The functions being compiled, outermost first.
    active: Vec<FunctionInProgress>,
    /// The names of functions that are called or run by a clause or move.
    used: BTreeSet<String>,
    /// The cost of called functions so far, in this script and earlier ones.
    work: u32,
    body: Body,
}

/// A function with its argument types, at one hook.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Call {
    /// The hook at which it acts; a function may give different answers at another one.
    hook: Option<HookId>,
    function: String,
    arguments: Vec<Type>,
}

/// A function that has been compiled for a call.
struct CompiledFunction {
    call: Call,
    gives: Type,
    procedure: ProcedureId,
}

/// A function being compiled for a call.
struct FunctionInProgress {
    call: Call,
    procedure: ProcedureId,
    /// The inferred result type so far. If it turns out wrong, the function is compiled again.
    guess: Type,
    /// It is recursive, and a call has used the guess.
    is_guessed: bool,
}

/// The function being compiled.
#[derive(Default)]
struct Body {
    /// The variables in scope, outermost first.
    variables: Vec<Variable>,
    /// Variables known to have a value, beyond their types.
    facts: Vec<Fact>,
    /// The common type of the values returned so far.
    gives: Option<Type>,
    /// The addresses and types of its returned values.
    returns: Vec<(Address, Type)>,
    /// It is the body of a clause, whose result is not used.
    of_clause: bool,
    /// The hook at which it acts; none for a granted move.
    hook: Option<HookId>,
    /// The rules that the clause cites.
    rules: Vec<String>,
    /// Nesting depth of expressions.
    depth: usize,
    /// The slots in use: the name of the variable, if there is one, and the shape.
    held: Vec<(Slot, String, Shape)>,
    next_slot: Slot,
    most_slots: Slot,
    /// The loops around the current statement, outermost first.
    loops: Vec<OpenLoop>,
}

/// A variable, parameter or member of a loop.
#[derive(Clone, Debug)]
struct Variable {
    name: String,
    /// Its value: in a slot, except for ranges and durations.
    worth: TypedValue,
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

    /// Compiles the body of each clause of an ability. Returns the clauses with their addresses and numbers of slots.
    fn compile_clauses(&mut self, ability: &AbilityInfo, written: &[FoundFunction]) -> Vec<(u16, Address, Slot)> {
        let mut made = Vec::new();
        for index in &ability.clauses {
            let Some(clause) = self.program.clauses.get(usize::from(*index)) else { continue };
            let ClauseBody::Script { function, known } = &clause.body else { continue };
            if !written.iter().any(|written| written.name == *function) {
                self.used.insert(function.clone());
                self.report_missing_function(clause, function, written);
                continue;
            }
            let rules = if clause.rules.is_empty() { &ability.rules } else { &clause.rules };
            self.body = Body { of_clause: true, hook: Some(clause.hook), rules: rules.clone(), ..Body::default() };
            let entry = self.compile_entry_function(&clause.name, function, (known, clause.slots), written);
            made.extend(entry.map(|(start, slots)| (*index, start, slots)));
        }
        made
    }

    /// Compiles the functions of granted moves. Returns the actions with their addresses and numbers of slots. A move without
    /// a function has no effect of its own.
    fn compile_granted_moves(&mut self, ability: &AbilityInfo, written: &[FoundFunction]) -> Vec<(ActionId, Address, Slot)> {
        let mut made = Vec::new();
        for grant in &ability.grants {
            let Some(action) = self.program.actions.get(usize::from(grant.action)) else { continue };
            let Some(function) = written.iter().find(|function| function.name == action.name) else { continue };
            if action.body.is_some() {
                continue;
            }
            let rules = if action.rules.is_empty() { &ability.rules } else { &action.rules };
            self.body = Body { of_clause: true, rules: rules.clone(), ..Body::default() };
            let entry = self.compile_entry_function(&action.name, &function.name, (&grant.known, action.slots), written);
            made.extend(entry.map(|(start, slots)| (grant.action, start, slots)));
        }
        made
    }

    /// Reports an error with one label.
    fn report_error(&mut self, code: &'static str, message: impl Into<String>, span: Span, remark: impl Into<String>) {
        self.report(Problem::error(code, message).with_label(span, remark));
    }

    /// Reports a problem. A function that is compiled twice reports each problem once.
    fn report(&mut self, problem: Problem) {
        let place = problem.labels.first().map(|(span, _)| *span);
        let told = self.told.entry(place).or_default();
        // Problems may have been withdrawn since.
        if !told.iter().any(|index| self.problems.get(*index) == Some(&problem)) {
            told.push(self.problems.len());
            self.problems.push(problem);
        }
    }

    /// Whether there are too many problems for suggestions to be useful.
    fn has_told_much(&self) -> bool {
        self.problems.len() > MOST_SUGGESTED
    }

    /// Charges the cost of a called function. Returns false if the budget is exhausted.
    fn spend(&mut self, work: u32) -> bool {
        let had_room = self.work <= MOST_WORK;
        self.work = self.work.saturating_add(work);
        let has_room = self.work <= MOST_WORK;
        if had_room && !has_room {
            let problem =
                Problem::error(codes::TOO_MANY, "the functions of the scripts are called with too many kinds of values")
                    .with_label(self.code.place.span, "called here once more")
                    .help("a function is compiled once for each kind of value; call it with lists of the same kind each time");
            self.report(problem);
        }
        has_room
    }

    /// A type in the reader's words.
    fn words(&self, of: &Type) -> String {
        of.words(self.program)
    }

    /// Reports functions with the same name, or with the name of another callable.
    fn check_function_names(&mut self, written: &[FoundFunction]) {
        let of_rules = self.program.procedures.iter().map(|procedure| (procedure.name.as_str(), procedure.params.len()));
        let of_rules: BTreeSet<(&str, usize)> = of_rules.collect();
        let mut known: BTreeMap<&str, &FoundFunction> = BTreeMap::new();
        for function in written {
            if let Some(first) = known.get(function.name.as_str()) {
                let problem = Problem::error(codes::DECLARED_TWICE, format!("there are two functions `{}`", function.name));
                self.report(
                    problem
                        .with_label(function.span, "again here")
                        .with_label(first.span, "first here")
                        .help("give one of them another name"),
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
            let problem = Problem::error(codes::DECLARED_TWICE, format!("the name `{}` is taken", function.name))
                .with_label(function.span, taken);
            self.report(problem.help("give the function another name"));
        }
    }

    /// Reports a clause without `do { … }` for which the script has no function. A function of a similar name counts as used then.
    fn report_missing_function(&mut self, clause: &ClauseInfo, name: &str, written: &[FoundFunction]) {
        // It may be in an unreadable part outside all functions.
        let place = |problem: &Problem| problem.labels.first().map(|(span, _)| span.start as usize);
        let is_outside = |at: usize| !written.iter().any(|function| function.range.contains(&at));
        let unread = self.problems.iter().filter(|problem| problem.code == codes::SCRIPT_SYNTAX);
        if unread.filter_map(place).any(is_outside) {
            return;
        }
        let spare = written.iter().filter(|function| !self.used.contains(&function.name)).map(|function| function.name.as_str());
        let near = ludex_syntax::problem::nearest_word(name, spare);
        let help = match near {
            Some(near) => format!("did you mean `{near}`? Call it `fn {name}`, or write `do {{ … }}` here"),
            None => format!("write `fn {name}(…) {{ … }}` under the header, or `do {{ … }}` here"),
        };
        let mut problem = Problem::error(codes::FUNCTION_MISSING, format!("there is no function `{name}`"));
        problem = problem.with_label(first_line(clause.span, self.program), "needs a function of its name");
        if let Some(function) = written.iter().find(|function| Some(function.name.as_str()) == near) {
            problem = problem.with_label(function.span, "this has another name");
            self.used.insert(function.name.clone());
        }
        self.report(problem.help(help));
    }

    /// Warns of functions that nothing calls.
    fn report_unused_functions(&mut self, written: &[FoundFunction], ability: &AbilityInfo) {
        for function in written.iter().filter(|function| !self.used.contains(&function.name)) {
            let problem = Problem::warning(codes::FUNCTION_UNUSED, format!("nothing calls `{}`", function.name))
                .with_label(function.span, "never called");
            let clauses = ability.clauses.iter().filter_map(|clause| self.program.clauses.get(*clause as usize));
            let wanting =
                clauses.filter(|clause| matches!(clause.body, ClauseBody::Script { .. })).map(|clause| clause.name.as_str());
            let granted = ability.grants.iter().filter_map(|grant| self.program.actions.get(usize::from(grant.action)));
            let wanting = wanting.chain(granted.filter(|action| action.body.is_none()).map(|action| action.name.as_str()));
            self.problems.push(problem.suggest(&function.name, wanting));
        }
    }
}

/// The first line of a span.
fn first_line(span: Span, program: &Program) -> Span {
    let length = program.sources.span_text(span).lines().next().map_or(0, |line| line.trim_end().len());
    Span { end: span.start + length as u32, ..span }
}

/// The table of rhai's own functions in `scripts/README.md`.
#[cfg(test)]
pub fn methods_table() -> String {
    let rows = METHODS.iter().map(|(_, written, doc)| format!("| `{written}` | {doc} |\n"));
    format!("| function | what it does |\n|---|---|\n{}", rows.collect::<String>())
}
