//! The rhai engine: what scripts may use, how much of it, and how a call goes in and out.

use crate::codes;
use crate::problem::Problem;
use crate::program::{AbilityId, Known, Program, Value};
use crate::runtime::Dice;
use crate::runtime::flow::{Machine, PlayContext};
use crate::runtime::limits::{WORK_OF_CALL, WORK_OF_OPERATION, WORK_OF_THING};
use crate::runtime::state::State;
use crate::scripting::api::Call;
use crate::scripting::reach::Covered;
use crate::scripting::values::{Move, Print, Thing, ZoneOf, to_script};
use crate::scripting::{api, check, printed, reach};
use crate::source::{SourceId, Span};
use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicIteratorPackage, BasicMathPackage, BasicStringPackage, LogicPackage, Package,
};
use rhai::{AST, Caches, Dynamic, Engine, EvalAltResult, GlobalRuntimeState, OptimizationLevel, Position, Scope};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

/// Functions of one script that may call each other, and brackets inside brackets. With the number of scripts inside
/// each other these bound the stack: optimised, the deepest script fits into the 2 MiB of a thread, see the tests.
const MOST_CALLS: usize = 8;
pub const MOST_NESTING: usize = 32;
/// The most answers and results that one outermost script may ask for.
const MOST_ASKS: usize = 200;
/// What scripts cannot use; the checker names it in better words.
const FORBIDDEN: &[&str] = &[
    "eval",
    "Fn",
    "call",
    "curry",
    "print",
    "debug",
    "import",
    "export",
    "is_shared",
    "try",
    "throw",
    "switch",
    "#{",
    "<<",
    ">>",
    "&",
    "|",
    "^",
    "<<=",
    ">>=",
    "&=",
    "|=",
    "^=",
];
/// Programs whose scripts a thread keeps compiled.
const MOST_HOSTS: usize = 4;

/// Why a script ended before its end.
pub enum Stopped {
    /// A question is open.
    Waiting,
    /// Play is over, or a fault is noted already.
    Over,
    Fault(Box<Problem>),
}

/// What a registered function throws to leave a script; no script can catch it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leave {
    Waiting,
    Over,
    /// All operations are spent.
    Spent,
}

/// A fault with its own code, on its way through rhai.
#[derive(Clone, Debug)]
struct Coded(&'static str, String);

struct Host {
    /// Kept so that no other program takes its address.
    program: Arc<Program>,
    engine: Engine,
    scripts: Vec<Script>,
    /// Whether its scripts tell what they reach.
    covered: bool,
}

/// What an ability's script is run from.
#[derive(Default)]
struct Script {
    functions: Vec<Function>,
    covered: Option<Covered>,
}

/// A function that a clause may name.
struct Function {
    name: String,
    params: Vec<String>,
    tree: AST,
    /// What one run leaves for the next; a function that sets itself off finds it in use, and makes another.
    kept: Cell<Option<Box<Kept>>>,
}

/// What rhai needs to run a function.
struct Kept {
    /// The parameters.
    scope: Scope<'static>,
    global: GlobalRuntimeState,
    /// What rhai has found out about the calls in it: finding each function anew takes a third of a run.
    caches: Caches,
}

impl Function {
    fn all(trees: Vec<(String, Vec<String>, AST)>) -> Vec<Function> {
        let function = |(name, params, tree)| Function { name, params, tree, kept: Cell::default() };
        trees.into_iter().map(function).collect()
    }

    /// What a run needs, the parameters as yet without values.
    fn begin(&self, engine: &Engine) -> Box<Kept> {
        self.kept.take().unwrap_or_else(|| {
            let mut scope = Scope::new();
            for param in &self.params {
                scope.push_dynamic(param.as_str(), Dynamic::UNIT);
            }
            Box::new(Kept { scope, global: self.global(engine), caches: Caches::new() })
        })
    }

    fn global(&self, engine: &Engine) -> GlobalRuntimeState {
        let mut global = engine.new_global_runtime_state();
        global.lib.push(self.tree.shared_lib().clone());
        global
    }

    fn run(&self, engine: &Engine, mut kept: Box<Kept>) -> Result<Dynamic, Box<EvalAltResult>> {
        let Kept { scope, global, caches } = &mut *kept;
        #[expect(deprecated, reason = "the only way to keep rhai's caches from one run to the next")]
        let result = engine.eval_statements_raw(global, caches, scope, self.tree.statements());
        caches.rewind_fn_resolution_caches(1);
        scope.rewind(self.params.len());
        // A run that was left may have been inside calls.
        if result.is_err() {
            *global = self.global(engine);
        }
        self.kept.set(Some(kept));
        result
    }
}

thread_local! {
    static HOSTS: RefCell<Vec<Rc<Host>>> = const { RefCell::new(Vec::new()) };
    /// The machine on whose behalf a script runs, while it runs.
    static TABLE: RefCell<Option<Box<Machine>>> = const { RefCell::new(None) };
    /// A machine to stand in for the one at the table.
    static STAND_IN: RefCell<Option<Box<Machine>>> = const { RefCell::new(None) };
    /// Operations of rhai that the machine has not paid for yet, and how many there may be.
    static OPERATIONS: Cell<i64> = const { Cell::new(0) };
    static MOST_OPERATIONS: Cell<i64> = const { Cell::new(0) };
}

/// An engine that knows the language and none of the game.
fn bare_engine() -> Engine {
    rhai::config::hashing::set_hashing_seed(Some([0x6c75_6465, 0x7870_6c61, 0x7973_6461, 0x7461_2121])).ok();
    let mut engine = Engine::new_raw();
    ArithmeticPackage::new().register_into_engine(&mut engine);
    LogicPackage::new().register_into_engine(&mut engine);
    BasicIteratorPackage::new().register_into_engine(&mut engine);
    BasicArrayPackage::new().register_into_engine(&mut engine);
    BasicMathPackage::new().register_into_engine(&mut engine);
    BasicStringPackage::new().register_into_engine(&mut engine);
    engine
        .set_strict_variables(true)
        .set_allow_anonymous_fn(false)
        .set_allow_shadowing(true)
        .set_optimization_level(OptimizationLevel::Simple)
        .set_max_operations(0)
        .set_max_call_levels(MOST_CALLS)
        .set_max_expr_depths(MOST_NESTING, MOST_NESTING)
        .set_max_string_size(4_096)
        .set_max_array_size(1_024)
        .set_max_map_size(0)
        .set_max_variables(128);
    // `#{` makes a map; rhai has no limit of zero for them. Shifts by 64 and more would quietly give 0.
    for word in FORBIDDEN {
        engine.disable_symbol(*word);
    }
    engine.on_progress(|_| (!operate()).then(|| Dynamic::from(Leave::Spent)));
    engine
}

/// Counts an operation of rhai; false if there have been too many.
fn operate() -> bool {
    let count = OPERATIONS.get() + 1;
    OPERATIONS.set(count);
    count <= MOST_OPERATIONS.get()
}

/// Operations that were none of the script's.
pub fn give_back(operations: i64) {
    OPERATIONS.set(OPERATIONS.get() - operations);
}

/// An outermost script begins anew.
pub fn begin_counting() {
    OPERATIONS.set(0);
}

/// Has the machine pay for the operations so far, and something more; false if it cannot.
fn pay(machine: &mut Machine, more: u64) -> bool {
    // What was given back too much is left for operations to come.
    let unpaid = OPERATIONS.get();
    OPERATIONS.set(unpaid.min(0));
    let work = unpaid.max(0).unsigned_abs().saturating_mul(WORK_OF_OPERATION);
    let paid = machine.spend(work.saturating_add(more));
    allow(machine);
    paid
}

/// Lets the script do as many operations as the machine can still pay for.
fn allow(machine: &Machine) {
    MOST_OPERATIONS.set((machine.meter.left() / WORK_OF_OPERATION).cast_signed());
}

/// Compiles a script's text; a syntax error comes with its place.
pub fn compile_script(text: &str, source: SourceId) -> Result<(), Problem> {
    let mut engine = bare_engine();
    engine.set_optimization_level(OptimizationLevel::None);
    engine.compile(text).map(|_| ()).map_err(|error| {
        let span = span_at(text, source, error.position());
        Problem::error(codes::SCRIPT_SYNTAX, format!("the script cannot be read: {}", lower_first(&error.err_type().to_string())))
            .at(span, "here")
    })
}

/// The word that begins at a line and column.
pub fn span_at(text: &str, source: SourceId, position: Position) -> Span {
    if position.is_none() {
        return Span::new(source, 0, 0);
    }
    word_at(text, source, byte_at(text, position))
}

fn byte_at(text: &str, position: Position) -> usize {
    let line = position.line().unwrap_or(1);
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let rest = text.get(start..).unwrap_or("");
    let column = position.position().unwrap_or(1).max(1);
    start + rest.chars().take(column - 1).map(char::len_utf8).sum::<usize>()
}

fn word_at(text: &str, source: SourceId, at: usize) -> Span {
    let rest = text.get(at..).unwrap_or("");
    let word: usize = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').map(char::len_utf8).sum();
    Span::new(source, at, at + word.max(1).min(text.len().saturating_sub(at)))
}

/// The line of the last call of the script, or where its function begins if it has called nothing yet.
fn span_of_last_call(machine: &Machine, text: &str, source: SourceId, function: &str) -> Span {
    let head = format!("fn {function}");
    let begins = text.find(&head).unwrap_or(0);
    let line = machine.script.as_ref().and_then(|script| script.line()).unwrap_or(0);
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    if start <= begins {
        return Span::new(source, begins, begins + head.len().min(text.len() - begins));
    }
    let words = text.get(start..).unwrap_or("").lines().next().unwrap_or("");
    let indent = words.len() - words.trim_start().len();
    Span::new(source, start + indent, start + words.trim_end().len())
}

fn lower_first(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}

impl Host {
    fn new(program: &Arc<Program>, covered: bool) -> Host {
        let mut engine = bare_engine();
        api::bind(&mut engine, program);
        let mut host = Host { program: Arc::clone(program), engine, scripts: Vec::new(), covered };
        host.scripts.resize_with(program.abilities.len(), Script::default);
        if covered {
            host.compile_covered();
        } else {
            host.compile();
        }
        host
    }

    // What does not compile has been complained of; a program with such a script is never made.
    fn compile(&mut self) {
        for script in &self.program.scripts {
            let text = &self.program.sources.get(script.source).text;
            self.scripts[script.ability as usize].functions = Function::all(check::trees(&self.engine, text));
        }
    }

    fn compile_covered(&mut self) {
        reach::register(&mut self.engine, &self.program);
        // Each condition stands in the brackets of a call.
        self.engine.set_max_expr_depths(2 * MOST_NESTING, 2 * MOST_NESTING);
        for (script, covered) in self.program.scripts.iter().zip(reach::all(&self.program)) {
            let functions = Function::all(check::trees(&self.engine, &covered.text));
            self.scripts[script.ability as usize] = Script { functions, covered: Some(covered) };
        }
    }
}

impl Script {
    /// Where something stands in the script's own text.
    fn span_at(&self, text: &str, source: SourceId, position: Position) -> Span {
        match &self.covered {
            Some(covered) => word_at(text, source, covered.original(byte_at(&covered.text, position))),
            None => span_at(text, source, position),
        }
    }
}

fn host_of(program: &Arc<Program>, covered: bool) -> Rc<Host> {
    HOSTS.with_borrow_mut(|hosts| {
        if let Some(host) = hosts.iter().find(|host| Arc::ptr_eq(&host.program, program) && host.covered == covered) {
            return Rc::clone(host);
        }
        if hosts.len() >= MOST_HOSTS {
            hosts.remove(0);
        }
        let host = Rc::new(Host::new(program, covered));
        hosts.push(Rc::clone(&host));
        host
    })
}

/// Runs something with the machine on whose behalf a script runs.
pub fn with_machine<T>(run: impl FnOnce(&mut Machine) -> T) -> Option<T> {
    let mut machine = TABLE.take()?;
    let result = run(&mut machine);
    TABLE.set(Some(machine));
    Some(result)
}

/// Calls a function of an ability's script.
pub fn call(
    machine: &mut Machine,
    context: &PlayContext,
    ability: AbilityId,
    function: &str,
    known: &[Known],
    values: &[Value],
) -> Result<(), Stopped> {
    let Some(game) = machine.game.clone() else { return Err(Stopped::Over) };
    let host = host_of(&game.program, machine.coverage.is_some());
    let script = host.scripts.get(ability as usize);
    let found = script.and_then(|script| Some((script, script.functions.iter().find(|found| found.name == function)?)));
    let Some((script, found)) = found else {
        return Err(Stopped::Fault(Box::new(Problem::error(
            codes::FUNCTION_MISSING,
            format!("the script has no function `{function}`"),
        ))));
    };
    let mut kept = found.begin(&host.engine);
    for param in &found.params {
        let value = match known.iter().find(|known| known.name == *param) {
            Some(known) => {
                let value = values.get(usize::from(known.slot)).copied().unwrap_or(crate::program::NONE);
                match known.column {
                    Some(column) => printed::column_of(machine, context, value, column, &known.shape),
                    None => to_script(machine, context, value, &known.shape),
                }
            }
            None if param == "table" => Dynamic::from(Thing(Value::from(context.roster.table))),
            None => Dynamic::UNIT,
        };
        if let Some(place) = kept.scope.get_mut(param) {
            *place = value;
        }
    }
    let outer = TABLE.take();
    let mut own = STAND_IN.take().unwrap_or_else(|| Box::new(Machine::new(State::empty(), Dice::Seeded, false)));
    std::mem::swap(machine, &mut own);
    TABLE.set(Some(own));
    // What an outer script has done so far has been paid for when it called.
    with_machine(|machine| allow(machine));
    let result = found.run(&host.engine, kept);
    if let Some(mut own) = TABLE.take() {
        std::mem::swap(machine, &mut own);
        STAND_IN.set(Some(own));
    }
    TABLE.set(outer);
    let paid = pay(machine, 0);
    match result {
        Ok(_) if paid => Ok(()),
        Ok(_) => Err(Stopped::Over),
        Err(error) => Err(stopped(machine, context, ability, script, function, &error)),
    }
}

/// Notes the line of the script in a fault: as its place, or as what led to it.
fn place_fault(machine: &mut Machine, span: Span) {
    if let Some(fault) = &mut machine.fault {
        let remark = if fault.labels.is_empty() { "here" } else { "called here" };
        // A script that sets itself off is called in one place only.
        if fault.labels.iter().all(|(known, _)| *known != span) {
            fault.labels.push((span, remark.to_string()));
        }
    }
}

/// What an error of rhai means for the machine.
fn stopped(
    machine: &mut Machine,
    context: &PlayContext,
    ability: AbilityId,
    script: &Script,
    function: &str,
    error: &EvalAltResult,
) -> Stopped {
    let calls = || {
        std::iter::successors(Some(error), |error| match error {
            EvalAltResult::ErrorInFunctionCall(_, _, inner, _) => Some(inner.as_ref()),
            _ => None,
        })
    };
    let inner = calls().last().unwrap_or(error);
    let leave = match inner {
        EvalAltResult::ErrorTerminated(token, _) => token.read_lock::<Leave>().as_deref().copied(),
        _ => None,
    };
    // Most are left at a question, and nobody reads where that was.
    if leave == Some(Leave::Waiting) {
        return Stopped::Waiting;
    }
    let source =
        context.program.scripts.iter().find(|script| script.ability == ability).map_or(SourceId(0), |script| script.source);
    let text = &context.program.sources.get(source).text;
    let at = calls().map(EvalAltResult::position).filter(|position| !position.is_none()).last().unwrap_or(Position::NONE);
    let span = if at.is_none() { span_of_last_call(machine, text, source, function) } else { script.span_at(text, source, at) };
    let fault = |code, message: String| Stopped::Fault(Box::new(Problem::error(code, message).at(span, "here")));
    let limit = |what: &str| fault(codes::SCRIPT_LIMIT, format!("the script {what}, so it was stopped"));
    match inner {
        EvalAltResult::ErrorTerminated(..) if leave == Some(Leave::Over) => {
            place_fault(machine, span);
            Stopped::Over
        }
        // The match may have nothing left rather than the answer.
        _ if machine.fault.is_some() => {
            place_fault(machine, span);
            Stopped::Over
        }
        EvalAltResult::ErrorTerminated(..) | EvalAltResult::ErrorTooManyOperations(_) => limit("goes on and on"),
        EvalAltResult::ErrorStackOverflow(_) => limit("calls itself without end"),
        EvalAltResult::ErrorDataTooLarge(what, _) if what.contains("string") => limit("grows a text without end"),
        EvalAltResult::ErrorDataTooLarge(..) => limit("grows a list without end"),
        EvalAltResult::ErrorRuntime(value, _) if value.is::<Coded>() => {
            let Coded(code, message) = value.clone().cast::<Coded>();
            fault(code, message)
        }
        EvalAltResult::ErrorTooManyVariables(_) => limit("makes too many variables"),
        EvalAltResult::ErrorRuntime(value, _) => fault(codes::FAULT, value.to_string()),
        // rhai tells in one sentence what is divided by zero and the one rest that is beyond counting, that of -1.
        EvalAltResult::ErrorArithmetic(what, _) if what.to_lowercase().contains("zero") && !what.ends_with("% -1") => {
            fault(codes::DIVISION_BY_ZERO, "a number is divided by zero".to_string())
        }
        EvalAltResult::ErrorArithmetic(..) => fault(codes::NUMBER_OVERFLOW, "a number goes beyond 2,147,483,647".to_string()),
        EvalAltResult::ErrorArrayBounds(length, index, _) => fault(
            codes::INDEX_OUT_OF_RANGE,
            format!("the list has no place {index}: its length is {length}, and the first place is 0"),
        ),
        other => fault(codes::FAULT, lower_first(&other.to_string())),
    }
}

/// Registers the kinds of things that scripts hold.
pub fn register_kinds(engine: &mut Engine) {
    engine.register_type_with_name::<Thing>("thing");
    engine.register_type_with_name::<ZoneOf>("zone");
    engine.register_type_with_name::<Move>("move");
    engine.register_type_with_name::<Print>("print");
    engine.register_iterator::<ZoneOf>();
    engine.register_indexer_get(|zone: &mut ZoneOf, index: i64| {
        let found = with_machine(|machine| {
            let pieces = machine.state.board.pieces(zone.0);
            let found = usize::try_from(index).ok().and_then(|index| pieces.get(index));
            found.map(|piece| Thing(Value::from(*piece))).ok_or(pieces.len())
        });
        found.unwrap_or(Err(0)).map_err(|length| Box::new(EvalAltResult::ErrorArrayBounds(length, index, Position::NONE)))
    });
    engine.register_fn("==", |a: Thing, b: Thing| a == b);
    engine.register_fn("!=", |a: Thing, b: Thing| a != b);
    engine.register_fn("==", |a: ZoneOf, b: ZoneOf| a == b);
    engine.register_fn("!=", |a: ZoneOf, b: ZoneOf| a != b);
    engine.register_fn("==", |a: Print, b: Print| a == b);
    engine.register_fn("!=", |a: Print, b: Print| a != b);
}

/// The pieces of a zone as they lie there when the walk begins: moving them on the way does not disturb it.
impl IntoIterator for ZoneOf {
    type Item = Thing;
    type IntoIter = std::vec::IntoIter<Thing>;

    fn into_iter(self) -> Self::IntoIter {
        let pieces = with_machine(|machine| {
            let pieces: Vec<Thing> = machine.state.board.pieces(self.0).iter().map(|piece| Thing(Value::from(*piece))).collect();
            machine.meter.add(pieces.len() as u64);
            pieces
        });
        pieces.unwrap_or_default().into_iter()
    }
}

/// Leaves the script.
pub fn leave(how: Leave) -> Box<EvalAltResult> {
    Box::new(EvalAltResult::ErrorTerminated(Dynamic::from(how), Position::NONE))
}

/// Has the machine pay for a call of a function of Ludex or of the rules.
pub fn pay_for_call(machine: &mut Machine) -> Result<(), api::Trouble> {
    if pay(machine, WORK_OF_CALL) { Ok(()) } else { Err(api::Trouble::Leave(Leave::Over)) }
}

/// Has the machine pay for going through so many things.
pub fn pay_for_things(machine: &mut Machine, things: usize) -> Result<(), api::Trouble> {
    if pay(machine, things as u64 * WORK_OF_THING) { Ok(()) } else { Err(api::Trouble::Leave(Leave::Over)) }
}

/// Runs one function of the API, with its place noted for causes.
pub fn run_call(
    row: &'static api::Row,
    arguments: &mut [&mut Dynamic],
    position: Position,
) -> Result<Dynamic, Box<EvalAltResult>> {
    let arguments = &*arguments;
    let result = with_machine(|machine| {
        if let (Some(script), Some(line)) = (&mut machine.script, position.line()) {
            script.set_line(line);
        }
        pay_for_call(machine)?;
        if machine.script.as_ref().is_some_and(|script| script.asked() > MOST_ASKS) {
            return Err(api::Trouble::Coded(
                codes::SCRIPT_LIMIT,
                format!("the script asks more than {MOST_ASKS} times, so it was stopped"),
            ));
        }
        let Some(game) = machine.game.clone() else { return Err(api::Trouble::Leave(Leave::Over)) };
        (row.run)(&mut Call { machine, context: &game.context(), arguments })
    });
    finish_call(result)
}

/// The outcome of a function of the API as rhai wants it.
pub fn finish_call(result: Option<Result<Dynamic, api::Trouble>>) -> Result<Dynamic, Box<EvalAltResult>> {
    match result {
        Some(Ok(value)) => Ok(value),
        Some(Err(api::Trouble::Leave(how))) => Err(leave(how)),
        Some(Err(api::Trouble::Fault(message))) => Err(message.into()),
        Some(Err(api::Trouble::Coded(code, message))) => {
            Err(Box::new(EvalAltResult::ErrorRuntime(Dynamic::from(Coded(code, message)), Position::NONE)))
        }
        None => Err("a script runs without a table".into()),
    }
}
