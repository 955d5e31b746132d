//! Names: every one that the rules use must mean something, and everything declared should be used.
//!
//! This stage stands between reading and compiling. It knows no types: a member after a dot must be a member of
//! *something*, and a word must be a word of *some* list. Whether it fits is for the compiler. In return it covers every
//! mode of a game at once.
//!
//! The parts are the walk that is declared here, one for each sort of thing that has names in it.

mod abilities;
mod again;
mod anew;
mod calls;
mod declare;
mod expressions;
mod flow;
mod items;
mod locals;
mod members;
mod names;
mod questions;
mod ranges;
mod statements;
#[cfg(test)]
mod tests;
mod types;
mod unused;

pub use self::calls::{carried_out_again, circles};
pub use self::expressions::{elsewhere, some_of, wrong_count};
pub use self::ranges::nothing_between;

use self::calls::Calls;
use self::locals::Local;
use self::names::Names;
use super::compose::{Composed, STANDARD};
use super::scope::Scope;
use ludex_syntax::codes;
use ludex_syntax::problem::{MOST_SUGGESTED, Message, Problem};
use ludex_syntax::source::{SourceId, Span};
use ludex_syntax::tree::{Hook, Item, Name};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The words that the functions of each script say: what a script may use of the rules.
pub type ScriptWords = BTreeMap<SourceId, BTreeSet<String>>;

/// The words of a script below and between the lines of its header.
pub fn words_of(script: &str) -> BTreeSet<String> {
    let lines = script.lines().filter(|line| !line.trim_start().starts_with("//!"));
    let words = lines.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'));
    words.filter(|word| !word.is_empty()).map(str::to_string).collect()
}

/// A game in which every name means something. Nothing else makes one, so that whoever gets it need not look again.
pub struct Resolved<'a> {
    game: Composed<'a>,
    scripts: ScriptWords,
}

/// What such a game declares in one mode. Only compiling looks into it.
pub struct ResolvedMode<'a> {
    pub(super) items: Vec<Cow<'a, Item>>,
    /// Where the mode declares what is its own.
    pub(super) blocks: Vec<Span>,
    pub(super) scripts: ScriptWords,
}

impl<'a> Resolved<'a> {
    pub fn game(&self) -> &Composed<'a> {
        &self.game
    }

    /// What is declared in a mode; none if there is no such mode, or if it was taken before.
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

/// Gives the words that stand in the sheets of a game. They are many, and seldom wanted.
pub type SheetWords<'a> = &'a dyn Fn() -> BTreeSet<&'a str>;

/// Looks at every name of a game and of each of its modes, and hands the game on if no problem is an error. A word that stands
/// in a sheet is used.
pub fn resolve<'a>(game: Composed<'a>, scripts: ScriptWords, sheets: SheetWords) -> (Option<Resolved<'a>>, Vec<Problem>) {
    let problems = look_at_all(&game, &scripts, sheets);
    let sound = !problems.iter().any(Problem::is_error);
    (sound.then_some(Resolved { game, scripts }), problems)
}

fn look_at_all(game: &Composed, scripts: &ScriptWords, sheets: SheetWords) -> Vec<Problem> {
    let mut found = Found::default();
    look(&game.standard, scripts, &mut found);
    game.modes.iter().for_each(|mode| look(&mode.items, scripts, &mut found));
    // Where a name is wrong, what it means seems unused.
    if !found.problems.iter().any(Problem::is_error) {
        unused::check(&mut found);
        unused::words(&mut found, sheets);
        let unread = std::mem::take(&mut found.unread);
        found.problems.extend(unread);
    }
    told_once(found.problems)
}

/// One pass over the items of one mode.
fn look(items: &[Cow<Item>], scripts: &ScriptWords, found: &mut Found) {
    let names = declare::declare(items, found);
    let mut walker = Walker::new(&names, scripts, found);
    walker.items(items);
    walker.unread_names();
    let calls = walker.calls;
    calls::check(&calls, &names, &mut found.problems);
    flow::check(items, &mut found.problems);
    ranges::check(items, &mut found.problems);
    again::check(items, &mut found.problems);
    anew::check(items, &mut found.problems);
}

/// What the passes have found so far.
#[derive(Default)]
struct Found {
    problems: Vec<Problem>,
    /// Names that are given to something, and that nothing speaks of.
    unread: Vec<Problem>,
    /// Declarations that should be used, by the places of their names.
    declared: BTreeMap<Span, unused::Declared>,
    /// Types that list words, with these, by the places of their names.
    word_types: BTreeMap<Span, (Name, Vec<Name>)>,
    /// The places of names that are used somewhere.
    used: BTreeSet<Span>,
    /// What happens by itself at a hook: the places of its name and of the hook's.
    happenings: BTreeMap<Span, Span>,
    /// Hooks that are opened, and not only used in a question.
    opened: BTreeSet<Span>,
}

/// Walks through the declarations and knows what names mean where it stands.
struct Walker<'w, 'a> {
    names: &'w Names<'a>,
    scripts: &'w ScriptWords,
    found: &'w mut Found,
    calls: Calls<'a>,
    locals: Scope<Local>,
    /// Names of this procedure, action or part whose braces have ended.
    gone: Vec<(String, Span)>,
    /// Names given here that something read, by where they were given.
    read: Vec<Span>,
    /// Names given by `let`, and those of all names that something speaks of.
    lets: Vec<(String, Span)>,
    spoken_of: Vec<Span>,
    /// Families that something chooses from.
    chosen: BTreeSet<&'a str>,
    /// The kind whose members are known by their bare names: of a first value.
    own: Option<&'a str>,
    /// How many loops are open around a statement.
    loops: usize,
    /// The hook at which an ability's part stands.
    hook: Option<&'a Hook>,
    /// The family around is not known: a name may be one of its parameters.
    family_unknown: bool,
}

impl<'w, 'a> Walker<'w, 'a> {
    fn new(names: &'w Names<'a>, scripts: &'w ScriptWords, found: &'w mut Found) -> Walker<'w, 'a> {
        Walker {
            names,
            scripts,
            found,
            calls: Calls::default(),
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

    fn complain(&mut self, problem: Problem) {
        self.found.problems.push(problem);
    }

    /// Whether so much is wrong that nobody reads what each name may have meant.
    fn has_told_much(&self) -> bool {
        self.found.problems.len() > MOST_SUGGESTED
    }

    fn uses(&mut self, declared: Span) {
        self.found.used.insert(declared);
    }
}

/// One problem for each thing that is wrong: the same name unknown at several places is told with all of them.
fn told_once(problems: Vec<Problem>) -> Vec<Problem> {
    let twice: BTreeSet<Span> =
        problems.iter().filter(|problem| problem.code == codes::DECLARED_TWICE).filter_map(place_of).collect();
    let mut told: Vec<Problem> = Vec::new();
    let mut known: BTreeSet<(&str, Message, Option<Span>)> = BTreeSet::new();
    let mut unknown: BTreeMap<(&str, Message), usize> = BTreeMap::new();
    for problem in problems {
        let place = place_of(&problem);
        // What is declared twice hides the first, of course.
        let hides = problem.code == codes::NAME_HIDDEN && place.is_some_and(|place| twice.contains(&place));
        if hides || !known.insert((problem.code, problem.message.clone(), place)) {
            continue;
        }
        if !is_unknown(problem.code) {
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
    told.sort_by_key(|problem| place_of(problem).map(|span| (span.source, span.start)));
    told
}

fn place_of(problem: &Problem) -> Option<Span> {
    problem.labels.first().map(|(span, _)| *span)
}

/// Codes of problems that begin with a name which means nothing: one word may be wrong at many places.
pub fn is_unknown(code: &str) -> bool {
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
