//! Name resolution: every name in the rules must mean something, and every declaration should be used.
//!
//! This stage runs between reading and compiling. It knows no types: a member after a dot must be a member of *something*,
//! and a word must be a word of *some* list. The compiler checks whether it fits. In return, this stage covers every mode of
//! a game at once.
//!
//! The submodules are parts of the walk declared here, one for each sort of thing that contains names.
//!
//! A local is a name given inside a procedure, action or part of an ability. A declaration is marked as used by the span of its
//! name, because modes share declarations: it is unused only if no mode uses it. The library calls [`resolve_game`] before it
//! compiles any mode.

mod abilities;
mod calls;
mod declare;
mod expressions;
mod flow;
mod items;
mod locals;
mod members;
mod names;
mod no_effect;
mod questions;
mod ranges;
mod repeated_evaluation;
mod statements;
#[cfg(test)]
mod tests;
mod types;
mod unused;

pub use self::calls::{endless_procedures_problem, find_cycles};
pub use self::expressions::{foreign_word_help, some_names_text, wrong_count_text};
pub use self::ranges::empty_range_problem;

use self::calls::CallGraph;
use self::locals::Local;
use self::names::Names;
use super::compose::{ComposedGame, STANDARD};
use super::scope::Scope;
use ludex_syntax::codes;
use ludex_syntax::problem::{MOST_SUGGESTED, Message, Problem};
use ludex_syntax::source::{SourceId, Span};
use ludex_syntax::tree::{Hook, Item, Name};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// By script: the words in its functions, which are the names of the rules it may use.
pub type ScriptWords = BTreeMap<SourceId, BTreeSet<String>>;

/// The words of a script outside its header lines.
pub fn words_in_script(script: &str) -> BTreeSet<String> {
    let lines = script.lines().filter(|line| !line.trim_start().starts_with("//!"));
    let words = lines.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'));
    words.filter(|word| !word.is_empty()).map(str::to_string).collect()
}

/// A game in which every name means something. Only this stage creates one, so later stages need not check again.
pub struct Resolved<'a> {
    game: ComposedGame<'a>,
    scripts: ScriptWords,
}

/// The declarations of a resolved game in one mode. Only the compiler reads them.
pub struct ResolvedMode<'a> {
    pub(super) items: Vec<Cow<'a, Item>>,
    /// The spans of the mode's own declarations.
    pub(super) blocks: Vec<Span>,
    pub(super) scripts: ScriptWords,
}

impl<'a> Resolved<'a> {
    /// The game, without the declarations of modes that were taken.
    pub fn composed_game(&self) -> &ComposedGame<'a> {
        &self.game
    }

    /// Takes the declarations of a mode; none if there is no such mode, or if it was taken before.
    pub fn take_mode(&mut self, wanted: &str) -> Option<ResolvedMode<'a>> {
        let Resolved { game, scripts } = self;
        let scripts = scripts.clone();
        if wanted == STANDARD {
            let items = std::mem::take(&mut game.standard);
            return (!items.is_empty()).then_some(ResolvedMode { items, blocks: Vec::new(), scripts });
        }
        let mode = game.modes.iter_mut().find(|mode| mode.name.text == wanted)?;
        let (items, blocks) = (std::mem::take(&mut mode.items), std::mem::take(&mut mode.blocks));
        (!items.is_empty()).then_some(ResolvedMode { items, blocks, scripts })
    }
}

/// Returns the words in the sheets of a game. They are many and seldom needed, so this is a callback.
pub type SheetWords<'a> = &'a dyn Fn() -> BTreeSet<&'a str>;

/// Resolves every name of a game in each of its modes. Returns the game if no problem is an error. Words in sheets count as
/// used.
pub fn resolve_game<'a>(
    game: ComposedGame<'a>,
    scripts: ScriptWords,
    sheets: SheetWords,
) -> (Option<Resolved<'a>>, Vec<Problem>) {
    let problems = resolve_all_modes(&game, &scripts, sheets);
    let sound = !problems.iter().any(Problem::is_error);
    (sound.then_some(Resolved { game, scripts }), problems)
}

/// Resolves the standard mode and then each other mode. Returns the problems of all, each once.
fn resolve_all_modes(game: &ComposedGame, scripts: &ScriptWords, sheets: SheetWords) -> Vec<Problem> {
    let mut found = Findings::default();
    resolve_mode(&game.standard, scripts, &mut found);
    game.modes.iter().for_each(|mode| resolve_mode(&mode.items, scripts, &mut found));
    // A declaration can seem unused only because its name is misspelt elsewhere.
    if !found.problems.iter().any(Problem::is_error) {
        unused::check_unused(&mut found);
        unused::check_unused_words(&mut found, sheets);
        let unread = std::mem::take(&mut found.unread);
        found.problems.extend(unread);
    }
    merge_problems(found.problems)
}

/// One pass over the declarations of one mode.
fn resolve_mode(items: &[Cow<Item>], scripts: &ScriptWords, found: &mut Findings) {
    let names = declare::collect_names(items, found);
    let mut walker = Walker::new(&names, scripts, found);
    walker.resolve_items(items);
    walker.report_unread_names();
    let calls = walker.calls;
    calls::check_calls(&calls, &names, &mut found.problems);
    flow::check_reachability(items, &mut found.problems);
    ranges::check_ranges(items, &mut found.problems);
    no_effect::check_repetitions(items, &mut found.problems);
    repeated_evaluation::check_loop_changes(items, &mut found.problems);
}

/// The findings of the passes so far.
#[derive(Default)]
struct Findings {
    problems: Vec<Problem>,
    /// Warnings of local names that are never used.
    unread: Vec<Problem>,
    /// Declarations that should be used, by the spans of their names.
    declared: BTreeMap<Span, unused::ExpectedUse>,
    /// Word lists with their words, by the spans of their names.
    word_types: BTreeMap<Span, (Name, Vec<Name>)>,
    /// The spans of names that are used somewhere.
    used: BTreeSet<Span>,
    /// Automatic clauses at hooks: the span of the name, and that of the hook's name.
    happenings: BTreeMap<Span, Span>,
    /// Hooks that are opened, rather than only used in a question.
    opened: BTreeSet<Span>,
}

/// Walks through the declarations and tracks the meaning of names at the current point.
struct Walker<'w, 'a> {
    names: &'w Names<'a>,
    scripts: &'w ScriptWords,
    found: &'w mut Findings,
    calls: CallGraph<'a>,
    locals: Scope<Local>,
    /// Names of this procedure, action or part whose block has ended. They are kept to explain why such a name is unknown.
    gone: Vec<(String, Span)>,
    /// Names given here that are read as bare names, by where they were given. A sentence of a move is checked with them.
    read: Vec<Span>,
    /// Names given by `let`.
    lets: Vec<(String, Span)>,
    /// The spans of all local names that are used.
    spoken_of: Vec<Span>,
    /// Families that are chosen from.
    chosen: BTreeSet<&'a str>,
    /// The kind whose members can be used by their bare names, while its members' first values are resolved.
    own: Option<&'a str>,
    /// Number of open loops around a statement, which `leave` and `skip` need.
    loops: usize,
    /// The hook of the current part of an ability.
    hook: Option<&'a Hook>,
    /// The enclosing family is unknown: a name may be one of its parameters.
    family_unknown: bool,
}

impl<'w, 'a> Walker<'w, 'a> {
    fn new(names: &'w Names<'a>, scripts: &'w ScriptWords, found: &'w mut Findings) -> Walker<'w, 'a> {
        Walker {
            names,
            scripts,
            found,
            calls: CallGraph::default(),
            locals: Scope::default(),
            gone: Vec::new(),
            read: Vec::new(),
            lets: Vec::new(),
            spoken_of: Vec::new(),
            chosen: BTreeSet::new(),
            own: None,
            loops: 0,
            hook: None,
            family_unknown: false,
        }
    }

    fn report_problem(&mut self, problem: Problem) {
        self.found.problems.push(problem);
    }

    /// Whether there are too many problems for suggestions to be useful.
    fn has_many_problems(&self) -> bool {
        self.found.problems.len() > MOST_SUGGESTED
    }

    fn mark_used(&mut self, declared: Span) {
        self.found.used.insert(declared);
    }
}

/// Merges the problems of all modes: each is reported once, and an unknown name once with all its places. Returns them in source
/// order.
fn merge_problems(problems: Vec<Problem>) -> Vec<Problem> {
    let twice: BTreeSet<Span> =
        problems.iter().filter(|problem| problem.code == codes::DECLARED_TWICE).filter_map(first_span).collect();
    let mut told: Vec<Problem> = Vec::new();
    let mut known: BTreeSet<(&str, Message, Option<Span>)> = BTreeSet::new();
    let mut unknown: BTreeMap<(&str, Message), usize> = BTreeMap::new();
    for problem in problems {
        let place = first_span(&problem);
        // A second declaration of a name always hides the first.
        let hides = problem.code == codes::NAME_HIDDEN && place.is_some_and(|place| twice.contains(&place));
        if hides || !known.insert((problem.code, problem.message.clone(), place)) {
            continue;
        }
        if !is_unknown_code(problem.code) {
            told.push(problem);
            continue;
        }
        debug_assert!(problem.subject.is_some(), "{} has no subject", problem.code);
        match unknown.get(&(problem.code, problem.message.clone())) {
            Some(first) => told[*first].labels.extend(place.map(|span| (span, "and here".to_string()))),
            None => {
                unknown.insert((problem.code, problem.message.clone()), told.len());
                told.push(problem);
            }
        }
    }
    told.sort_by_key(|problem| first_span(problem).map(|span| (span.source, span.start)));
    told
}

/// The main place of a problem.
fn first_span(problem: &Problem) -> Option<Span> {
    problem.labels.first().map(|(span, _)| *span)
}

/// Whether a code is of a problem with an unknown name. One word may be wrong in many places.
pub fn is_unknown_code(code: &str) -> bool {
    [
        codes::UNKNOWN_NAME,
        codes::UNKNOWN_FIELD,
        codes::UNKNOWN_MARK,
        codes::UNKNOWN_HOOK,
        codes::UNKNOWN_ACTION,
        codes::UNKNOWN_PROCEDURE,
        codes::UNKNOWN_TYPE,
        codes::NO_PLAY,
    ]
    .contains(&code)
}
