//! Names given inside a procedure, action or part of an ability, and their scopes. The walk of `resolve` keeps those that are known
//! at the current point.

use super::Walker;
use crate::scope::HasName;
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::Span;
use ludex_syntax::tree::{Block, Name, Param};

/// A name in scope.
pub struct Local {
    pub name: String,
    pub span: Span,
    pub holds: LocalKind,
}

impl HasName for Local {
    fn name(&self) -> &str {
        &self.name
    }
}

/// The values that a call of a name reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalKind {
    /// None: the name itself is the value.
    Value,
    /// The answers of several seats: `hidden(side)`.
    Answers,
    /// The parts of a total: `shares(frog)`.
    Parts,
    /// The parts of several divided totals: `guards(side, shore)`, or all parts of one seat: `guards(side)`.
    PartsOfSeveral,
}

impl LocalKind {
    /// Whether a call with this number of arguments is valid.
    pub fn accepts_arguments(self, count: usize) -> bool {
        match self {
            LocalKind::Value => false,
            LocalKind::Answers | LocalKind::Parts => count == 1,
            LocalKind::PartsOfSeveral => count == 1 || count == 2,
        }
    }
}

/// Names of the language itself: `it`, `me` and `holder`.
pub const OWN: [&str; 3] = ["it", "me", "holder"];

impl<'a> Walker<'_, 'a> {
    /// The innermost local of a name.
    pub fn find_local(&self, name: &str) -> Option<&Local> {
        self.locals.find(name)
    }

    /// Warns of values that were named by `let` and never used.
    pub fn report_unread_names(&mut self) {
        self.spoken_of.sort_unstable();
        for (name, span) in std::mem::take(&mut self.lets) {
            if self.spoken_of.binary_search(&span).is_err() {
                let problem = Problem::warning(codes::UNUSED_LET, format!("`{name}` is never used"));
                let problem = problem.with_label(span, "never used");
                self.found.unread.push(problem.help("remove it, or use its name where the value is meant"));
            }
        }
    }

    /// Walks through a procedure, action or part, in which no names of others are visible.
    pub fn with_own_names<T>(&mut self, walk: impl FnOnce(&mut Self) -> T) -> T {
        let locals = std::mem::take(&mut self.locals);
        let gone = std::mem::take(&mut self.gone);
        let loops = std::mem::take(&mut self.loops);
        let result = walk(self);
        (self.locals, self.gone, self.loops) = (locals, gone, loops);
        result
    }

    /// Walks with names that are dropped afterwards. They are kept aside, to explain why they are unknown later.
    pub fn with_inner_names<T>(&mut self, walk: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.locals.len();
        let result = walk(self);
        let forgotten = self.locals.drop_inner(before);
        self.gone.extend(
            forgotten.into_iter().filter(|local| !OWN.contains(&local.name.as_str())).map(|local| (local.name, local.span)),
        );
        result
    }

    /// Resolves statements. The names they give end with the block.
    pub fn resolve_block(&mut self, block: &'a Block) {
        self.with_inner_names(|walker| block.statements.iter().for_each(|statement| walker.resolve_statement(statement)));
    }

    /// Resolves the types of parameters, and declares their names.
    pub fn resolve_parameters(&mut self, params: &'a [Param]) {
        for param in params {
            self.resolve_type(&param.of);
            self.declare_local(&param.name);
        }
    }

    /// Declares a new name, and warns if it hides another.
    pub fn declare_local(&mut self, name: &Name) {
        self.check_hidden(name);
        self.push_local(&name.text, name.span);
    }

    /// Declares `as name`, which holds answers of a sort. An existing name of the same sort gets the new value.
    pub fn declare_answer(&mut self, name: &Name, holds: LocalKind) {
        match self.find_local(&name.text) {
            Some(known) if known.holds == holds => return,
            Some(_) => {}
            None => self.check_hidden(name),
        }
        self.locals.push(Local { name: name.text.clone(), span: name.span, holds });
    }

    /// Declares a name without a warning if it hides another.
    pub fn push_local(&mut self, name: &str, span: Span) {
        self.locals.push(Local { name: name.to_string(), span, holds: LocalKind::Value });
    }

    /// Walks with `it`, the tested member. `span` stands for its declaration.
    pub fn with_it<T>(&mut self, span: Span, walk: impl FnOnce(&mut Self) -> T) -> T {
        self.push_local("it", span);
        let result = walk(self);
        self.locals.pop();
        result
    }

    /// Walks with a member that has its own name, or is `it`.
    pub fn with_member<T>(&mut self, name: Option<&'a Name>, span: Span, walk: impl FnOnce(&mut Self) -> T) -> T {
        let Some(name) = name else { return self.with_it(span, walk) };
        self.check_hidden(name);
        self.push_local(&name.text, name.span);
        let result = walk(self);
        self.locals.pop();
        result
    }

    /// Warns if a new name hides an earlier meaning.
    fn check_hidden(&mut self, name: &Name) {
        let Some((what, place)) = self.find_hidden(&name.text) else { return };
        let problem = Problem::probable_warning(codes::NAME_HIDDEN, format!("`{}` hides {what} of this name", name.text));
        let mut problem = problem.with_label(name.span, "hides it");
        problem.labels.extend(place.map(|span| (span, "is hidden".to_string())));
        self.report_problem(problem.help("choose another name for one of them"));
    }

    /// The earlier meaning of a bare name that a new one would hide. Roles and fields often have the name of the things they
    /// are, so plurals may be hidden.
    fn find_hidden(&self, name: &str) -> Option<(&'static str, Option<Span>)> {
        if OWN.contains(&name) && self.find_local(name).is_none() {
            return None;
        }
        if let Some(local) = self.find_local(name) {
            let place = (!OWN.contains(&name)).then_some(local.span);
            return Some(("something", place));
        }
        let alone = |value: &&super::names::Value| value.params.is_none_or(|params| params.parameter_names().is_empty());
        if let Some(value) = self.names.values.get(name).filter(alone) {
            return Some(("a value", Some(value.span)));
        }
        if let Some(owned) = self.names.member_of("table", name) {
            return Some(("a member of the table", Some(owned.name.span)));
        }
        self.names.words.contains(name).then_some(("a word", None))
    }
}
