//! Resolves names in statements.

use super::Walker;
use super::calls::Node;
use super::expressions::some_of;
use super::locals::Holds;
use super::names::{KindSort, Takes};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::Span;
use ludex_syntax::tree::{Block, EventName, Expr, FinishWith, Name, Statement, StatementKind, Until};

impl<'a> Walker<'_, 'a> {
    pub fn statement(&mut self, statement: &'a Statement) {
        match &statement.kind {
            StatementKind::Let { name, value } => {
                self.expr(value);
                self.name_it(name);
                self.lets.push((name.text.clone(), name.span));
            }
            StatementKind::Set { place, value, event } | StatementKind::Add { place, value, event, .. } => {
                self.place(place);
                self.expr(value);
                self.event(event.as_ref());
            }
            StatementKind::Move { what, to, event, .. } => {
                self.exprs([what, to]);
                self.event(event.as_ref());
            }
            StatementKind::Roll { what, pool, reason, name } => {
                self.expr(what);
                self.exprs(pool);
                self.texts(reason);
                self.answer_name(name.as_ref());
            }
            StatementKind::Shuffle { zone } => self.expr(zone),
            StatementKind::Draw { count, from, reason, name } => {
                self.exprs([count, from]);
                self.texts(reason);
                self.name_it(name);
            }
            StatementKind::Create { kind, fields, zone, owner, name } => {
                self.created(kind, fields);
                self.expr(zone);
                self.exprs(owner);
                self.answer_name(name.as_ref());
            }
            StatementKind::Remove { what } => self.expr(what),
            StatementKind::Mark { what, mark, fields, until } => self.mark(what, mark, fields, until.as_ref()),
            StatementKind::Unmark { what, mark } => {
                self.expr(what);
                self.mark_named(mark);
            }
            StatementKind::Show { what, to } => self.exprs([what, to]),
            StatementKind::Do { name, args, result } => self.do_(name, args.as_deref(), result.as_ref()),
            StatementKind::Say { text, to } => {
                self.text(text);
                self.exprs(to);
            }
            StatementKind::Finish { with, payoff, text } => {
                if let FinishWith::Winners(winners) = with {
                    self.expr(winners);
                }
                if let Some((side, value)) = payoff {
                    self.within(|walker| {
                        walker.name_it(side);
                        walker.expr(value);
                    });
                }
                self.texts(text);
            }
            StatementKind::Answer { word } => self.answered(word),
            StatementKind::RestoreUses { scope } => self.scope(scope),
            StatementKind::Open { hook, args, first, after_use, arms } => {
                self.exprs(args);
                self.exprs(first);
                self.open(hook, args.len(), after_use.as_ref(), arms, statement.span);
            }
            StatementKind::Ask(ask) => self.ask(ask, statement.span),
            _ => self.flow(statement),
        }
    }

    /// Resolves control flow statements.
    fn flow(&mut self, statement: &'a Statement) {
        match &statement.kind {
            StatementKind::If { arms, otherwise } => {
                for (condition, block) in arms {
                    self.expr(condition);
                    self.block(block);
                }
                otherwise.iter().for_each(|block| self.block(block));
            }
            StatementKind::Each { name, set, body } => {
                self.expr(set);
                self.each(name, body);
            }
            StatementKind::Count { name, from, to, body, .. } => {
                self.exprs([from, to]);
                self.each(name, body);
            }
            StatementKind::Repeat { most, until, body, otherwise, .. } => {
                if most.is_none() {
                    self.no_cap(statement.span);
                }
                self.exprs(most);
                self.exprs(until);
                self.looped(body);
                otherwise.iter().for_each(|block| self.block(block));
            }
            StatementKind::Depending { on, arms, otherwise } => {
                self.expr(on);
                self.depending(arms);
                otherwise.iter().for_each(|block| self.block(block));
            }
            StatementKind::Stop { name: Some(name) } => self.stop(name),
            StatementKind::Leave => self.in_a_loop("leave", statement.span),
            StatementKind::Skip => self.in_a_loop("skip", statement.span),
            StatementKind::Give { value } => self.expr(value),
            _ => {}
        }
    }

    fn event(&mut self, event: Option<&'a EventName>) {
        self.texts(event.and_then(|event| event.text.as_ref()));
    }

    fn answer_name(&mut self, name: Option<&Name>) {
        if let Some(name) = name {
            self.name_answer(name, Holds::Value);
        }
    }

    // --- things -----------------------------------------------------------------------

    fn created(&mut self, kind: &Name, fields: &'a [(Name, Expr)]) {
        self.exprs(fields.iter().map(|(_, value)| value));
        if self.names.die_kinds.contains_key(kind.text.as_str()) {
            return;
        }
        let sort = self.names.kinds.get(kind.text.as_str()).map(|kind| kind.sort);
        match sort {
            None => return self.kind(kind),
            Some(KindSort::Piece) => {}
            Some(_) => {
                let problem = Problem::error(
                    codes::UNKNOWN_TYPE,
                    format!("only pieces can be created, but `{}` is not a piece", kind.text),
                );
                return self.complain(problem.at(kind.span, "not a piece").about(&kind.text));
            }
        }
        for (field, _) in fields {
            let built_in = kind.text == "die" && ["size", "value"].contains(&field.text.as_str());
            if !built_in && self.names.member_of(&kind.text, &field.text).is_none() {
                let known: Vec<&str> = self.members_of(&kind.text);
                let problem =
                    Problem::error(codes::UNKNOWN_FIELD, format!("`{}` has nothing called `{}`", kind.text, field.text));
                self.complain(problem.at(field.span, "not known").suggest(&field.text, known));
            }
        }
    }

    fn members_of(&self, kind: &str) -> Vec<&'a str> {
        let built_in: &[&str] = if kind == "die" { &["size", "value"] } else { &[] };
        let own = self.names.members.keys().copied().filter(|name| self.names.member_of(kind, name).is_some());
        own.chain(built_in.iter().copied()).collect()
    }

    fn mark(&mut self, what: &'a Expr, mark: &'a Name, fields: &'a [(Name, Expr)], until: Option<&'a Until>) {
        self.expr(what);
        self.exprs(fields.iter().map(|(_, value)| value));
        if self.mark_named(mark) {
            for (field, _) in fields {
                if self.names.member_of(&mark.text, &field.text).is_none() {
                    let known = self.members_of(&mark.text);
                    let problem = Problem::error(
                        codes::UNKNOWN_FIELD,
                        format!("the mark `{}` has nothing called `{}`", mark.text, field.text),
                    );
                    self.complain(problem.at(field.span, "not known").suggest(&field.text, known));
                }
            }
        }
        if let Some(Until::End { scope, of, .. }) = until {
            self.scope(scope);
            self.exprs(of);
        }
    }

    fn mark_named(&mut self, name: &Name) -> bool {
        let known = self.names.marks.contains_key(name.text.as_str());
        if !known {
            let problem =
                Problem::error(codes::UNKNOWN_MARK, format!("there is no mark `{}`", name.text)).at(name.span, "not declared");
            let problem = problem.suggest(&name.text, self.names.marks.keys().copied());
            self.complain(problem);
        }
        known
    }

    // --- procedures and scopes ----------------------------------------------------------

    fn do_(&mut self, name: &'a Name, arguments: Option<&'a [Expr]>, result: Option<&Name>) {
        self.exprs(arguments.unwrap_or_default());
        let local = self.local(&name.text).map(|local| (local.holds == Holds::Answers, local.span));
        self.spoken_of.extend(local.map(|(_, place)| place));
        match (local, arguments) {
            (Some((false, _)), None) => self.calls.leads(Node::Moves),
            (Some((true, place)), given) => {
                self.count(&name.text, Takes::One(name), given.map_or(0, <[Expr]>::len), name.span, place);
                self.calls.leads(Node::Moves);
            }
            _ => self.do_procedure(name, arguments.map_or(0, <[Expr]>::len)),
        }
        self.answer_name(result);
    }

    fn do_procedure(&mut self, name: &'a Name, given: usize) {
        let Some(procedure) = self.names.procedures.get(name.text.as_str()).copied() else {
            return self.unknown_procedure(name);
        };
        self.uses(procedure.name.span);
        self.count(&name.text, Takes::Params(&procedure.params), given, name.span, procedure.name.span);
        self.calls.leads(Node::Procedure(&procedure.name.text));
        self.calls.carries_out(&procedure.name.text);
    }

    fn unknown_procedure(&mut self, name: &Name) {
        let text = name.text.as_str();
        let problem = Problem::error(codes::UNKNOWN_PROCEDURE, format!("there is no procedure `{text}`"))
            .at(name.span, "not declared")
            .about(text);
        let problem = if self.names.actions.contains_key(text) || self.names.families.contains_key(text) {
            problem.help("a move must be chosen first: `side must choose … as chosen`, and then `do chosen`")
        } else if self.has_told_much() {
            problem
        } else {
            problem.suggest(text, self.names.procedures.keys().copied())
        };
        self.complain(problem);
    }

    pub fn scope(&mut self, name: &Name) {
        if self.names.is_scope(&name.text) {
            return;
        }
        let problem = Problem::error(codes::UNKNOWN_PROCEDURE, format!("`{}` is not a scope", name.text))
            .at(name.span, "not a scope")
            .about(&name.text);
        let problem = match self.names.procedures.get(name.text.as_str()) {
            Some(procedure) => {
                let problem = problem.at(procedure.name.span, "declared with `to`");
                problem.help(format!("declare it with `scope {}` instead", name.text))
            }
            None => match problem.clone().suggest(&name.text, self.names.scopes()) {
                Problem { help: None, .. } if self.names.scopes().is_empty() => {
                    problem.help(format!("the game has no scopes; declare one: `scope {} {{ … }}`", name.text))
                }
                Problem { help: None, .. } => problem.help(match self.names.scopes().as_slice() {
                    [only] => format!("the only scope is `{only}`"),
                    scopes => format!("the scopes are {}", some_of(scopes)),
                }),
                suggested => suggested,
            },
        };
        self.complain(problem);
    }

    fn stop(&mut self, name: &'a Name) {
        match self.names.procedures.get_key_value(name.text.as_str()) {
            Some((procedure, _)) => self.calls.stops(procedure, name.span),
            None => {
                let problem = Problem::error(codes::UNKNOWN_PROCEDURE, format!("there is no procedure `{}` to stop", name.text));
                let problem = problem.at(name.span, "not declared").suggest(&name.text, self.names.procedures.keys().copied());
                self.complain(match (&problem.help, name.text.as_str(), self.names.scopes()) {
                    (None, "game" | "match" | "play", _) => {
                        problem.help("the game ends with `finish with active`, or `finish with nobody` without a winner")
                    }
                    (None, _, scopes) if !scopes.is_empty() => {
                        problem.help(format!("`stop` ends a scope, such as {}; alone, the procedure around it", some_of(&scopes)))
                    }
                    (None, ..) => problem.help("`stop` alone ends the procedure around it"),
                    _ => problem,
                });
            }
        }
    }

    // --- loops ----------------------------------------------------------------------------

    fn looped(&mut self, body: &'a Block) {
        self.loops += 1;
        self.block(body);
        self.loops -= 1;
    }

    fn each(&mut self, name: &Name, body: &'a Block) {
        self.within(|walker| {
            walker.name_it(name);
            walker.looped(body);
        });
    }

    /// Reports a `repeat` without `at most`.
    fn no_cap(&mut self, span: Span) {
        let problem = Problem::error(codes::CAP_MISSING, "this could go on for ever").at(span, "no limit");
        let help = "set a limit, as in `repeat at most 100 times until …`, and say with `otherwise { … }` what happens when it is reached";
        self.complain(problem.help(help));
    }

    fn in_a_loop(&mut self, word: &str, span: Span) {
        if self.loops == 0 {
            let problem =
                Problem::error(codes::STOP_OUTSIDE, format!("`{word}` is outside every loop")).at(span, "no loop around");
            self.complain(problem.help("only `repeat`, `each` and `count` can be left; a procedure ends with `stop`"));
        }
    }

    fn depending(&mut self, arms: &'a [(Name, Block)]) {
        super::declare::twice_among(arms.iter().map(|(name, _)| name), &mut self.found.problems);
        for (name, block) in arms {
            let text = name.text.as_str();
            self.speaks_of(text);
            if !self.names.words.contains(text) && !self.names.actions.contains_key(text) {
                let problem = Problem::error(codes::UNKNOWN_NAME, format!("`{text}` is neither a word nor an action"))
                    .at(name.span, "not known");
                let known = self.names.words.iter().chain(self.names.actions.keys()).copied();
                let problem = problem.suggest(text, known);
                self.complain(problem);
            }
            self.block(block);
        }
    }
}
