//! Resolves names in statements.
//!
//! A scope is a procedure that names a time, such as a turn. Uses and calls are noted for later checks: what is never used, and
//! what calls itself.

use super::Walker;
use super::calls::Node;
use super::expressions::some_names_text;
use super::locals::LocalKind;
use super::names::{CallParameters, KindSort};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::Span;
use ludex_syntax::tree::{Block, EventName, Expr, FinishWith, Name, Statement, StatementKind, Until};

impl<'a> Walker<'_, 'a> {
    /// Resolves the names in a statement and in its blocks, and declares the names that it gives.
    pub fn resolve_statement(&mut self, statement: &'a Statement) {
        match &statement.kind {
            StatementKind::Let { name, value } => {
                self.resolve_expression(value);
                self.declare_local(name);
                self.lets.push((name.text.clone(), name.span));
            }
            StatementKind::Set { place, value, event } | StatementKind::Add { place, value, event, .. } => {
                self.resolve_place(place);
                self.resolve_expression(value);
                self.resolve_event(event.as_ref());
            }
            StatementKind::Move { what, to, event, .. } => {
                self.resolve_expressions([what, to]);
                self.resolve_event(event.as_ref());
            }
            StatementKind::Roll { what, pool, reason, name } => {
                self.resolve_expression(what);
                self.resolve_expressions(pool);
                self.resolve_texts(reason);
                self.declare_answer_name(name.as_ref());
            }
            StatementKind::Shuffle { zone } => self.resolve_expression(zone),
            StatementKind::Draw { count, from, reason, name } => {
                self.resolve_expressions([count, from]);
                self.resolve_texts(reason);
                self.declare_local(name);
            }
            StatementKind::Create { kind, fields, zone, owner, name } => {
                self.resolve_create(kind, fields);
                self.resolve_expression(zone);
                self.resolve_expressions(owner);
                self.declare_answer_name(name.as_ref());
            }
            StatementKind::Remove { what } => self.resolve_expression(what),
            StatementKind::Mark { what, mark, fields, until } => self.resolve_mark(what, mark, fields, until.as_ref()),
            StatementKind::Unmark { what, mark } => {
                self.resolve_expression(what);
                self.check_mark(mark);
            }
            StatementKind::Show { what, to } => self.resolve_expressions([what, to]),
            StatementKind::Do { name, args, result } => self.resolve_do(name, args.as_deref(), result.as_ref()),
            StatementKind::Say { text, to } => {
                self.resolve_text(text);
                self.resolve_expressions(to);
            }
            StatementKind::Finish { with, payoff, text } => {
                if let FinishWith::Winners(winners) = with {
                    self.resolve_expression(winners);
                }
                if let Some((side, value)) = payoff {
                    self.with_inner_names(|walker| {
                        walker.declare_local(side);
                        walker.resolve_expression(value);
                    });
                }
                self.resolve_texts(text);
            }
            StatementKind::Answer { word } => self.resolve_answer(word),
            StatementKind::RestoreUses { scope } => self.check_scope(scope),
            StatementKind::Open { hook, args, first, after_use, arms } => {
                self.resolve_expressions(args);
                self.resolve_expressions(first);
                self.resolve_open(hook, args.len(), after_use.as_ref(), arms, statement.span);
            }
            StatementKind::Ask(ask) => self.resolve_ask(ask, statement.span),
            _ => self.resolve_control_flow(statement),
        }
    }

    /// Resolves control flow statements.
    fn resolve_control_flow(&mut self, statement: &'a Statement) {
        match &statement.kind {
            StatementKind::If { arms, otherwise } => {
                for (condition, block) in arms {
                    self.resolve_expression(condition);
                    self.resolve_block(block);
                }
                otherwise.iter().for_each(|block| self.resolve_block(block));
            }
            StatementKind::Each { name, set, body } => {
                self.resolve_expression(set);
                self.resolve_each(name, body);
            }
            StatementKind::Count { name, from, to, body, .. } => {
                self.resolve_expressions([from, to]);
                self.resolve_each(name, body);
            }
            StatementKind::Repeat { most, until, body, otherwise, .. } => {
                if most.is_none() {
                    self.report_missing_cap(statement.span);
                }
                self.resolve_expressions(most);
                self.resolve_expressions(until);
                self.resolve_loop_body(body);
                otherwise.iter().for_each(|block| self.resolve_block(block));
            }
            StatementKind::Depending { on, arms, otherwise } => {
                self.resolve_expression(on);
                self.resolve_depending(arms);
                otherwise.iter().for_each(|block| self.resolve_block(block));
            }
            StatementKind::Stop { name: Some(name) } => self.resolve_stop(name),
            StatementKind::Leave => self.check_in_loop("leave", statement.span),
            StatementKind::Skip => self.check_in_loop("skip", statement.span),
            StatementKind::Give { value } => self.resolve_expression(value),
            _ => {}
        }
    }

    /// Resolves the sentence of an event.
    fn resolve_event(&mut self, event: Option<&'a EventName>) {
        self.resolve_texts(event.and_then(|event| event.text.as_ref()));
    }

    /// Declares the name after `as`, if there is one.
    fn declare_answer_name(&mut self, name: Option<&Name>) {
        if let Some(name) = name {
            self.declare_answer(name, LocalKind::Value);
        }
    }

    // --- things -----------------------------------------------------------------------

    /// Resolves the kind and the fields of `create`. Dice with their own faces have no fields to check.
    fn resolve_create(&mut self, kind: &Name, fields: &'a [(Name, Expr)]) {
        self.resolve_expressions(fields.iter().map(|(_, value)| value));
        if self.names.die_kinds.contains_key(kind.text.as_str()) {
            return;
        }
        let sort = self.names.kinds.get(kind.text.as_str()).map(|kind| kind.sort);
        match sort {
            None => return self.check_kind(kind),
            Some(KindSort::Piece) => {}
            Some(_) => {
                let problem = Problem::error(
                    codes::UNKNOWN_TYPE,
                    format!("only pieces can be created, but `{}` is not a piece", kind.text),
                );
                return self.report_problem(problem.with_label(kind.span, "not a piece").with_subject(&kind.text));
            }
        }
        for (field, _) in fields {
            let built_in = kind.text == "die" && ["size", "value"].contains(&field.text.as_str());
            if !built_in && self.names.member_of(&kind.text, &field.text).is_none() {
                let known: Vec<&str> = self.kind_member_names(&kind.text);
                let problem =
                    Problem::error(codes::UNKNOWN_FIELD, format!("`{}` has nothing called `{}`", kind.text, field.text));
                self.report_problem(problem.with_label(field.span, "not known").suggest(&field.text, known));
            }
        }
    }

    /// The members of a kind or a mark, for suggestions.
    fn kind_member_names(&self, kind: &str) -> Vec<&'a str> {
        let built_in: &[&str] = if kind == "die" { &["size", "value"] } else { &[] };
        let own = self.names.members.keys().copied().filter(|name| self.names.member_of(kind, name).is_some());
        own.chain(built_in.iter().copied()).collect()
    }

    /// Resolves `mark … as … until …`.
    fn resolve_mark(&mut self, what: &'a Expr, mark: &'a Name, fields: &'a [(Name, Expr)], until: Option<&'a Until>) {
        self.resolve_expression(what);
        self.resolve_expressions(fields.iter().map(|(_, value)| value));
        if self.check_mark(mark) {
            for (field, _) in fields {
                if self.names.member_of(&mark.text, &field.text).is_none() {
                    let known = self.kind_member_names(&mark.text);
                    let problem = Problem::error(
                        codes::UNKNOWN_FIELD,
                        format!("the mark `{}` has nothing called `{}`", mark.text, field.text),
                    );
                    self.report_problem(problem.with_label(field.span, "not known").suggest(&field.text, known));
                }
            }
        }
        if let Some(Until::End { scope, of, .. }) = until {
            self.check_scope(scope);
            self.resolve_expressions(of);
        }
    }

    /// Whether there is a mark of this name. Reports an unknown one.
    fn check_mark(&mut self, name: &Name) -> bool {
        let known = self.names.marks.contains_key(name.text.as_str());
        if !known {
            let problem = Problem::error(codes::UNKNOWN_MARK, format!("there is no mark `{}`", name.text))
                .with_label(name.span, "not declared");
            let problem = problem.suggest(&name.text, self.names.marks.keys().copied());
            self.report_problem(problem);
        }
        known
    }

    // --- procedures and scopes ----------------------------------------------------------

    /// Resolves `do name(…)`: a move in a local, a move among the answers of several seats, or a procedure.
    fn resolve_do(&mut self, name: &'a Name, arguments: Option<&'a [Expr]>, result: Option<&Name>) {
        self.resolve_expressions(arguments.unwrap_or_default());
        let local = self.find_local(&name.text).map(|local| (local.holds == LocalKind::Answers, local.span));
        self.spoken_of.extend(local.map(|(_, place)| place));
        match (local, arguments) {
            (Some((false, _)), None) => self.calls.add_edge(Node::Moves),
            (Some((true, place)), given) => {
                self.check_argument_count(
                    &name.text,
                    CallParameters::One(name),
                    given.map_or(0, <[Expr]>::len),
                    name.span,
                    place,
                );
                self.calls.add_edge(Node::Moves);
            }
            _ => self.resolve_procedure_call(name, arguments.map_or(0, <[Expr]>::len)),
        }
        self.declare_answer_name(result);
    }

    /// Resolves a call of a procedure. `given` is the number of arguments.
    fn resolve_procedure_call(&mut self, name: &'a Name, given: usize) {
        let Some(procedure) = self.names.procedures.get(name.text.as_str()).copied() else {
            return self.report_unknown_procedure(name);
        };
        self.mark_used(procedure.name.span);
        self.check_argument_count(&name.text, CallParameters::Params(&procedure.params), given, name.span, procedure.name.span);
        self.calls.add_edge(Node::Procedure(&procedure.name.text));
        self.calls.add_call(&procedure.name.text);
    }

    fn report_unknown_procedure(&mut self, name: &Name) {
        let text = name.text.as_str();
        let problem = Problem::error(codes::UNKNOWN_PROCEDURE, format!("there is no procedure `{text}`"))
            .with_label(name.span, "not declared")
            .with_subject(text);
        let problem = if self.names.actions.contains_key(text) || self.names.families.contains_key(text) {
            problem.help("a move must be chosen first: `side must choose … as chosen`, and then `do chosen`")
        } else if self.has_many_problems() {
            problem
        } else {
            problem.suggest(text, self.names.procedures.keys().copied())
        };
        self.report_problem(problem);
    }

    /// Reports a name that is no scope.
    pub fn check_scope(&mut self, name: &Name) {
        if self.names.is_scope(&name.text) {
            return;
        }
        let problem = Problem::error(codes::UNKNOWN_PROCEDURE, format!("`{}` is not a scope", name.text))
            .with_label(name.span, "not a scope")
            .with_subject(&name.text);
        let problem = match self.names.procedures.get(name.text.as_str()) {
            Some(procedure) => {
                let problem = problem.with_label(procedure.name.span, "declared with `to`");
                problem.help(format!("declare it with `scope {}` instead", name.text))
            }
            None => match problem.clone().suggest(&name.text, self.names.scope_names()) {
                Problem { help: None, .. } if self.names.scope_names().is_empty() => {
                    problem.help(format!("the game has no scopes; declare one: `scope {} {{ … }}`", name.text))
                }
                Problem { help: None, .. } => problem.help(match self.names.scope_names().as_slice() {
                    [only] => format!("the only scope is `{only}`"),
                    scopes => format!("the scopes are {}", some_names_text(scopes)),
                }),
                suggested => suggested,
            },
        };
        self.report_problem(problem);
    }

    /// Resolves `stop NAME`.
    fn resolve_stop(&mut self, name: &'a Name) {
        match self.names.procedures.get_key_value(name.text.as_str()) {
            Some((procedure, _)) => self.calls.add_stop(procedure, name.span),
            None => {
                let problem = Problem::error(codes::UNKNOWN_PROCEDURE, format!("there is no procedure `{}` to stop", name.text));
                let problem =
                    problem.with_label(name.span, "not declared").suggest(&name.text, self.names.procedures.keys().copied());
                self.report_problem(match (&problem.help, name.text.as_str(), self.names.scope_names()) {
                    (None, "game" | "match" | "play", _) => {
                        problem.help("the game ends with `finish with active`, or `finish with nobody` without a winner")
                    }
                    (None, _, scopes) if !scopes.is_empty() => problem.help(format!(
                        "`stop` ends a scope, such as {}; alone, the procedure around it",
                        some_names_text(&scopes)
                    )),
                    (None, ..) => problem.help("`stop` alone ends the procedure around it"),
                    _ => problem,
                });
            }
        }
    }

    // --- loops ----------------------------------------------------------------------------

    fn resolve_loop_body(&mut self, body: &'a Block) {
        self.loops += 1;
        self.resolve_block(body);
        self.loops -= 1;
    }

    /// Resolves a loop over members, each of which has a name.
    fn resolve_each(&mut self, name: &Name, body: &'a Block) {
        self.with_inner_names(|walker| {
            walker.declare_local(name);
            walker.resolve_loop_body(body);
        });
    }

    /// Reports a `repeat` without `at most`.
    fn report_missing_cap(&mut self, span: Span) {
        let problem = Problem::error(codes::CAP_MISSING, "this could go on for ever").with_label(span, "no limit");
        let help = "set a limit, as in `repeat at most 100 times until …`, and say with `otherwise { … }` what happens when it is reached";
        self.report_problem(problem.help(help));
    }

    /// Reports `leave` or `skip` outside every loop.
    fn check_in_loop(&mut self, word: &str, span: Span) {
        if self.loops == 0 {
            let problem =
                Problem::error(codes::STOP_OUTSIDE, format!("`{word}` is outside every loop")).with_label(span, "no loop around");
            self.report_problem(problem.help("only `repeat`, `each` and `count` can be left; a procedure ends with `stop`"));
        }
    }

    /// Resolves the cases of `depending on`: words or actions.
    fn resolve_depending(&mut self, arms: &'a [(Name, Block)]) {
        super::declare::report_repeated_names(arms.iter().map(|(name, _)| name), &mut self.found.problems);
        for (name, block) in arms {
            let text = name.text.as_str();
            self.use_words(text);
            if !self.names.words.contains(text) && !self.names.actions.contains_key(text) {
                let problem = Problem::error(codes::UNKNOWN_NAME, format!("`{text}` is neither a word nor an action"))
                    .with_label(name.span, "not known");
                let known = self.names.words.iter().chain(self.names.actions.keys()).copied();
                let problem = problem.suggest(text, known);
                self.report_problem(problem);
            }
            self.resolve_block(block);
        }
    }
}
