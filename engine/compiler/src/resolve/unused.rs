//! Warns of unused declarations, over all modes.
//!
//! A declaration is known by the span of its name. It is unused if no mode uses it.

use super::{Findings, SheetWords};
use ludex_syntax::codes;
use ludex_syntax::problem::{Problem, join_words};
use ludex_syntax::source::Span;
use ludex_syntax::tree::Name;

/// A declaration that should be used somewhere.
pub struct ExpectedUse {
    pub sort: Sort,
    pub name: String,
}

/// The sorts of declarations that should be used, each with a warning of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    Option,
    Define,
    Table,
    ValueHook,
    Mark,
    Zone,
    Counter,
    Procedure,
    /// A family that no question asks for.
    Family,
    /// An action without a family.
    LoneAction,
    /// A hook that is never opened.
    Hook,
    /// An answer that is never given.
    Answer,
}

/// Warns of unused declarations, in source order.
pub fn check_unused(found: &mut Findings) {
    let unused = found.declared.iter().filter(|(span, _)| !found.used.contains(span));
    let warnings: Vec<Problem> = unused.map(|(span, declared)| unused_problem(declared, *span)).collect();
    found.problems.extend(warnings);
    let never = found.happenings.iter().filter(|(_, hook)| found.used.contains(hook) && !found.opened.contains(hook));
    found.problems.extend(never.map(|(place, hook)| {
        Problem::warning(codes::HOOK_NEVER_OPENED, "this never happens: its hook only adds offers to a question")
            .with_label(*place, "never happens")
            .with_label(*hook, "named by `during` and never opened")
            .help("make it an `offer`, or add `open …` before the question")
    }));
}

/// Warns of unused words, once for each type. The first word is the default value, so it counts as used with the type.
pub fn check_unused_words(found: &mut Findings, sheets: SheetWords) {
    let is_unsaid = |word: &Name| !found.used.contains(&word.span);
    if !found.word_types.values().any(|(_, words)| words.iter().skip(1).any(is_unsaid)) {
        return;
    }
    let written = sheets();
    let is_unused = |word: &&Name| is_unsaid(word) && !written.contains(word.text.as_str());
    let warnings = found.word_types.values().filter_map(|(name, words)| {
        let unused: Vec<&Name> = words.iter().skip(1).filter(is_unused).collect();
        let (first, others) = unused.split_first()?;
        let quoted: Vec<String> = unused.iter().map(|word| format!("`{}`", word.text)).collect();
        let are = if others.is_empty() { "is" } else { "are" };
        let message = format!("{} of the type `{}` {are} never used", join_words(&quoted, "and"), name.text);
        let problem = Problem::probable_warning(codes::WORD_NEVER_SAID, message).with_label(first.span, "never used");
        let problem = others.iter().fold(problem, |problem, word| problem.with_label(word.span, "also never used"));
        let them = if others.is_empty() { "it" } else { "them" };
        Some(problem.help(format!("use {them} in a rule, a script or a sheet, or remove {them} here")))
    });
    let warnings: Vec<Problem> = warnings.collect();
    found.problems.extend(warnings);
}

/// The warning for an unused declaration.
fn unused_problem(declared: &ExpectedUse, span: Span) -> Problem {
    let name = &declared.name;
    let never = |words: &str, remark: &str, help: &str| {
        Problem::warning(codes::UNUSED_NAME, format!("{words} `{name}` is never {remark}"))
            .with_label(span, format!("never {remark}"))
            .help(help.to_string())
    };
    let remove = "remove it, or check whether its name is misspelt in other places";
    match declared.sort {
        Sort::Option => never("the option", "used", "use it in a condition, or remove it"),
        Sort::Define => never("the definition", "used", remove),
        Sort::Table => never("the table", "used", remove),
        Sort::ValueHook => never("the value", "used", "abilities may change it, but it is never read"),
        Sort::Mark => never("the mark", "tested", "test it with `… is …`, or remove it"),
        Sort::Zone => never("the zone", "used", remove),
        Sort::Counter => never("the counter", "read", "rules may add to it, but never read it"),
        Sort::Procedure => never("the procedure", "called", &format!("add `do {name}` where it should run, or remove it")),
        Sort::Answer => never("the answer", "given", "no ability and no procedure has an `answer` with this word"),
        Sort::Family => Problem::warning(codes::ACTION_NEVER_OFFERED, format!("no question offers the moves of `{name}`"))
            .with_label(span, "never chosen from")
            .help(format!("add a question like `side may choose {name} as chosen`, or remove the family")),
        Sort::LoneAction => Problem::warning(codes::ACTION_NEVER_OFFERED, format!("the action `{name}` belongs to no family"))
            .with_label(span, "never offered")
            .help("add `is` and a family after it, as in `is move`"),
        Sort::Hook => Problem::warning(codes::HOOK_NEVER_OPENED, format!("the hook `{name}` is never opened"))
            .with_label(span, "no ability can act here")
            .help(format!("add `open {name}(…)` where it should happen")),
    }
}
