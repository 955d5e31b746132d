//! Resolves names in questions and opened hooks.
//!
//! A hook is a moment at which abilities may act: `open` opens it, and a question `during` a hook offers them as options. An
//! ability can give one of the hook's answers, for each of which an `open` has an arm. A family is a set of actions that a question
//! asks for.

use super::calls::Node;
use super::expressions::some_names_text;
use super::locals::LocalKind;
use super::names::{CallParameters, Family};
use super::{Walker, wrong_count_text};
use ludex_syntax::codes;
use ludex_syntax::problem::{Problem, join_words};
use ludex_syntax::source::Span;
use ludex_syntax::tree::{Amount, Ask, AskWhat, Block, Expr, Hook, Name, OpenArm};
use std::collections::BTreeSet;

impl<'a> Walker<'_, 'a> {
    // --- hooks ------------------------------------------------------------------------

    /// The hook of a name. Checks the number of arguments (`given`), and reports a hook that is a value.
    fn resolve_opened_hook(&mut self, name: &'a Name, given: usize) -> Option<&'a Hook> {
        let hook = self.find_hook(name)?;
        self.mark_used(hook.name.span);
        self.check_argument_count(&name.text, CallParameters::Params(&hook.params), given, name.span, hook.name.span);
        if hook.value.is_some() {
            let problem = Problem::error(
                codes::WRONG_TYPE,
                format!("`{}` is a value that abilities change, not a moment to open", name.text),
            );
            self.report_problem(problem.with_label(name.span, "a value").with_label(hook.name.span, "declared here"));
        }
        self.calls.add_edge(Node::Hook(&hook.name.text));
        Some(hook)
    }

    /// The hook of a name. Reports an unknown one.
    pub fn find_hook(&mut self, name: &Name) -> Option<&'a Hook> {
        let found = self.names.hooks.get(name.text.as_str()).copied();
        if found.is_none() {
            let problem = Problem::error(codes::UNKNOWN_HOOK, format!("there is no hook `{}`", name.text))
                .with_label(name.span, "not declared")
                .with_subject(&name.text);
            let problem = match self.names.values.get(name.text.as_str()) {
                Some(value) => problem.with_label(value.span, "a definition, which abilities do not change"),
                None => problem,
            };
            let hooks: Vec<&str> = self.names.hooks.keys().copied().collect();
            self.report_problem(match problem.clone().suggest(&name.text, hooks.iter().copied()) {
                Problem { help: None, .. } if hooks.is_empty() => {
                    problem.help(format!("the rules have no hooks; they declare one with `hook {}(…)`", name.text))
                }
                Problem { help: None, .. } => problem.help(match hooks.as_slice() {
                    [only] => format!("the only hook is `{only}`"),
                    hooks => format!("the hooks are {}", some_names_text(hooks)),
                }),
                suggested => suggested,
            });
        }
        found
    }

    /// Resolves `open hook(…) { … }`. `given` is the number of arguments.
    pub fn resolve_open(&mut self, name: &'a Name, given: usize, after_use: Option<&'a Block>, arms: &'a [OpenArm], span: Span) {
        let hook = self.resolve_opened_hook(name, given);
        self.found.opened.extend(hook.map(|hook| hook.name.span));
        if let Some(block) = after_use {
            // The block runs on its own, so it cannot leave an enclosing loop.
            let loops = std::mem::take(&mut self.loops);
            self.resolve_block(block);
            self.loops = loops;
        }
        if let Some(hook) = hook {
            self.check_arms(hook, arms, span);
        }
        arms.iter().for_each(|arm| self.resolve_block(&arm.body));
    }

    /// Checks that there is exactly one arm for each answer and one for no answer.
    fn check_arms(&mut self, hook: &'a Hook, arms: &'a [OpenArm], span: Span) {
        super::declare::report_repeated_names(arms.iter().filter_map(|arm| arm.answer.as_ref()), &mut self.found.problems);
        let mut nothing = arms.iter().filter(|arm| arm.answer.is_none());
        if let (Some(first), Some(again)) = (nothing.next(), nothing.next()) {
            let problem = Problem::error(codes::DECLARED_TWICE, "the case without an answer is given twice");
            self.report_problem(
                problem.with_label(again.span, "again here").with_label(first.span, "first here").help("remove one of them"),
            );
        }
        for answer in arms.iter().filter_map(|arm| arm.answer.as_ref()) {
            if !hook.answers.iter().any(|known| known.text == answer.text) {
                self.report_unknown_answer(hook, answer);
            }
        }
        for answer in &hook.answers {
            if !arms.iter().any(|arm| arm.answer.as_ref().is_some_and(|known| known.text == answer.text)) {
                let problem = Problem::error(codes::ELSE_MISSING, format!("no case handles the answer `{}`", answer.text));
                let problem = problem.with_label(span, "opened here").with_label(answer.span, "declared here");
                self.report_problem(problem.help(format!("add `when {} {{ … }}`", answer.text)));
            }
        }
        if !hook.answers.is_empty() && !arms.is_empty() && arms.iter().all(|arm| arm.answer.is_some()) {
            let problem = Problem::error(codes::ELSE_MISSING, "no case handles a missing answer");
            self.report_problem(
                problem.with_label(span, "opened here").help("add `when nothing { … }`; the braces may be empty"),
            );
        }
    }

    /// Reports an answer that a hook does not have.
    fn report_unknown_answer(&mut self, hook: &'a Hook, answer: &Name) {
        let problem = Problem::error(codes::UNKNOWN_NAME, format!("`{}` is not an answer of `{}`", answer.text, hook.name.text));
        let problem = problem
            .with_label(answer.span, "not declared")
            .with_label(hook.name.span, "declared here")
            .with_subject(&answer.text);
        let near = problem.clone().suggest(&answer.text, hook.answers.iter().map(|answer| answer.text.as_str()));
        let answers: Vec<String> = hook.answers.iter().map(|answer| format!("`{}`", answer.text)).collect();
        let problem = match (near.help.is_some(), answers.as_slice()) {
            (true, _) => near,
            (false, []) => problem.help(format!("add `answers {}` to the hook", answer.text)),
            (false, answers) => problem.help(format!("its answers are {}", join_words(answers, "and"))),
        };
        self.report_problem(problem);
    }

    /// Resolves `answer word`: an answer of the hook of the enclosing part, or in a procedure of any hook.
    pub fn resolve_answer(&mut self, word: &'a Name) {
        if let Some(hook) = self.hook {
            match hook.answers.iter().find(|answer| answer.text == word.text) {
                Some(answer) => self.mark_used(answer.span),
                None => self.report_unknown_answer(hook, word),
            }
            return;
        }
        let answers: Vec<&'a Name> = self.names.hooks.values().flat_map(|hook| &hook.answers).collect();
        let fitting: Vec<Span> = answers.iter().filter(|answer| answer.text == word.text).map(|answer| answer.span).collect();
        if fitting.is_empty() {
            let problem = Problem::error(codes::UNKNOWN_NAME, format!("no hook has the answer `{}`", word.text))
                .with_label(word.span, "not declared")
                .with_subject(&word.text);
            let problem = match problem.clone().suggest(&word.text, answers.iter().map(|answer| answer.text.as_str())) {
                Problem { help: None, .. } => {
                    problem.help(format!("add `answers {}` to the hook at which it is given", word.text))
                }
                suggested => suggested,
            };
            self.report_problem(problem);
        }
        fitting.into_iter().for_each(|place| self.mark_used(place));
    }

    // --- questions --------------------------------------------------------------------

    /// Resolves a question, and declares the name of its answer.
    pub fn resolve_ask(&mut self, ask: &'a Ask, span: Span) {
        self.calls.note_question();
        self.resolve_expression(&ask.who);
        match &ask.at_once {
            Some((name, _)) => self.with_inner_names(|walker| {
                walker.declare_local(name);
                walker.resolve_question(ask, span);
            }),
            None => self.resolve_question(ask, span),
        }
        if ask.at_once.is_none() {
            self.resolve_expressions(&ask.into);
        }
        ask.otherwise.iter().for_each(|block| self.resolve_block(block));
        if let Some(name) = &ask.name {
            let divides = matches!(ask.what, AskWhat::Divide { .. });
            let holds = match (divides, ask.at_once.is_some()) {
                (true, true) => LocalKind::PartsOfSeveral,
                (true, false) => LocalKind::Parts,
                (false, true) => LocalKind::Answers,
                (false, false) => LocalKind::Value,
            };
            self.declare_answer(name, holds);
        }
    }

    /// Resolves the requested answer, the hook and the texts of a question.
    fn resolve_question(&mut self, ask: &'a Ask, span: Span) {
        match &ask.what {
            AskWhat::Families(families) => {
                for (family, arguments) in families {
                    self.resolve_chosen_family(family, arguments.as_deref());
                }
                if ask.must && ask.at_once.is_none() && ask.otherwise.is_none() {
                    let problem =
                        Problem::error(codes::ELSE_MISSING, "there may be no move to choose").with_label(span, "no `else`");
                    self.report_problem(problem.help("add `else { … }`: it runs when there is nothing to choose"));
                }
            }
            AskWhat::Among { amount, set } => {
                self.resolve_amount(amount);
                self.resolve_expression(set);
            }
            AskWhat::Number { least, most } => self.resolve_expressions([least, most]),
            AskWhat::Word(name) => self.check_word_type(name),
            AskWhat::Order(set) => self.resolve_expression(set),
            AskWhat::Divide { total, step, among } => self.resolve_expressions([total, step, among]),
            AskWhat::YesNo => {}
        }
        if let Some((hook, arguments)) = &ask.during {
            self.resolve_expressions(arguments);
            self.resolve_opened_hook(hook, arguments.len());
        }
        self.resolve_texts(&ask.prompt);
        self.resolve_texts(&ask.pass_text);
    }

    /// Resolves the numbers in an amount of things to choose.
    pub fn resolve_amount(&mut self, amount: &'a Amount) {
        match amount {
            Amount::One | Amount::OneOrNone | Amount::Any => {}
            Amount::Exactly(count) | Amount::AtLeast(count) => self.resolve_expression(count),
            Amount::Between(least, most) => self.resolve_expressions([least, most]),
        }
    }

    /// Checks the type in `choose a TYPE`. Any of its words may be chosen, so all count as used.
    fn check_word_type(&mut self, name: &Name) {
        if let Some(words) = self.names.word_types.get(name.text.as_str()) {
            self.found.used.extend(words.iter().map(|word| word.span));
            return;
        }
        let problem = Problem::error(codes::UNKNOWN_TYPE, format!("there is no type `{}` to choose from", name.text))
            .with_label(name.span, "not declared")
            .with_subject(&name.text);
        let problem = if self.names.families.contains_key(name.text.as_str()) {
            problem.help(format!("a move is chosen without `a`: `choose {}`", name.text))
        } else if self.names.kinds.contains_key(name.text.as_str()) {
            problem.help(format!("say from which: `choose 1 in …` instead of `choose a {}`", name.text))
        } else {
            problem.suggest(&name.text, self.names.word_types.keys().copied())
        };
        self.report_problem(problem);
    }

    // --- families ---------------------------------------------------------------------

    /// Whether there is a family of this name. Reports an unknown one.
    pub fn check_family(&mut self, name: &Name) -> bool {
        let text = name.text.as_str();
        if self.names.families.contains_key(text) {
            return true;
        }
        let problem = Problem::error(codes::UNKNOWN_ACTION, format!("there is no family of moves called `{text}`"));
        let problem = problem.with_label(name.span, "not declared").with_subject(text);
        let problem = match self.names.actions.get(text) {
            Some(Some(family)) => problem.help(format!("`{text}` is one action; choose from its family: `{family}`")),
            _ if self.names.word_types.contains_key(text) => {
                problem.help(format!("a word is chosen with `a`: `choose a {text}`"))
            }
            _ => problem.suggest(text, self.names.families.keys().copied()),
        };
        self.report_problem(problem);
        false
    }

    /// Walks with the parameters of a family as names; their types are checked at its declaration. For an unknown family, any name
    /// may be one of them, so none is reported.
    pub fn with_family(&mut self, family: Option<&Name>, walk: impl FnOnce(&mut Self)) {
        let outer = self.family_unknown;
        if let Some(family) = family {
            match self.names.families.get(family.text.as_str()) {
                Some(family) => family.params.iter().for_each(|param| self.push_local(&param.name.text, param.name.span)),
                None => self.family_unknown = true,
            }
        }
        walk(self);
        self.family_unknown = outer;
    }

    /// Checks the number of arguments for a family.
    pub fn check_family_arguments(&mut self, name: &Name, given: usize) {
        if let Some(family) = self.names.families.get(name.text.as_str()).copied() {
            self.check_argument_count(&name.text, CallParameters::Params(family.params), given, name.span, family.name.span);
        }
    }

    /// Resolves a family that a question asks for.
    fn resolve_chosen_family(&mut self, name: &'a Name, arguments: Option<&'a [Expr]>) {
        self.resolve_expressions(arguments.unwrap_or_default());
        if !self.check_family(name) {
            return;
        }
        self.use_family(&name.text);
        match arguments {
            Some(arguments) => self.check_family_arguments(name, arguments.len()),
            None => self.check_implied_arguments(name),
        }
    }

    /// Marks a family as chosen from, with those that are part of it. A family that it is part of also counts, unless that
    /// has actions of its own.
    fn use_family(&mut self, name: &'a str) {
        let Some(family) = self.names.families.get(name).copied() else { return };
        if !self.chosen.insert(name) {
            return;
        }
        let has_no_actions = |base: &Family<'a>| !self.names.actions.values().any(|of| *of == Some(base.name.text.as_str()));
        let bases = self.family_and_bases(family).into_iter().filter(has_no_actions);
        let mut chosen: Vec<Span> = bases.map(|family| family.name.span).collect();
        // Parts may be cyclic.
        let (mut parts, mut met) = (vec![name], BTreeSet::new());
        while let Some(part) = parts.pop() {
            if met.insert(part) {
                chosen.extend(self.names.families.get(part).map(|family| family.name.span));
                parts.extend(self.names.parts.get(part).into_iter().flatten());
            }
        }
        chosen.into_iter().for_each(|family| self.mark_used(family));
    }

    /// Checks that omitted arguments have a meaning: the first is the seat that is asked, the others are names in scope.
    fn check_implied_arguments(&mut self, name: &Name) {
        let Some(family) = self.names.families.get(name.text.as_str()).copied() else { return };
        let missing = family.params.iter().skip(1).find(|param| {
            let text = param.name.text.as_str();
            self.find_local(text).is_none()
                && !self.names.values.contains_key(text)
                && self.names.member_of("table", text).is_none()
        });
        if let Some(missing) = missing {
            let message = format!("`{}` needs `{}`, and nothing here is called that", name.text, missing.name.text);
            let names: Vec<&str> = family.params.iter().map(|param| param.name.text.as_str()).collect();
            let problem = Problem::error(codes::UNKNOWN_NAME, message)
                .with_label(name.span, "chosen here")
                .with_label(missing.name.span, "declared here");
            self.report_problem(problem.with_subject(&name.text).help(format!(
                "say what it is: `choose {}({})`",
                name.text,
                names.join(", ")
            )));
        }
    }

    /// Checks that an ability's part names as many parameters as its hook has.
    pub fn check_hook_parameters(&mut self, hook: &'a Hook, place: Span, names: &[Name]) {
        if hook.params.len() == names.len() {
            return;
        }
        let name = &hook.name.text;
        let message = wrong_count_text(name, hook.params.len(), names.len()).replace("value", "name").replace("given", "named");
        let params: Vec<&str> = hook.params.iter().map(|param| param.name.text.as_str()).collect();
        let problem =
            Problem::error(codes::HOOK_PARAMETERS, message).with_label(place, "here").with_label(hook.name.span, "declared here");
        self.report_problem(problem.help(format!("write `{name}({})`", params.join(", "))));
    }
}
