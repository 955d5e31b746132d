//! Expressions of a script: what each value is.

use super::{Checker, Type, syntax};
use crate::codes;
use crate::problem::with_article;
use crate::problem::{Problem, joined, nearest};
use crate::program::KindSort;
use crate::source::Span;
use rhai::{ASTFlags, Expr, FnCallExpr, Position, Stmt, Token};

/// Expressions may stand in each other to this depth.
const MOST_DEPTH: usize = 300;

impl Checker<'_> {
    pub(super) fn expression(&mut self, expr: &Expr) -> Type {
        if self.body.depth >= MOST_DEPTH {
            let span = self.span(expr);
            self.report(
                Problem::error(codes::TOO_DEEP, "this expression is too long").at(span, "here").help("split it with `let`"),
            );
            return Type::Unknown;
        }
        self.body.depth += 1;
        let of = self.value(expr);
        self.body.depth -= 1;
        of
    }

    fn value(&mut self, expr: &Expr) -> Type {
        match expr {
            Expr::BoolConstant(..) => Type::Flag,
            Expr::IntegerConstant(..) => Type::Number,
            Expr::CharConstant(_, position) => {
                let span = self.text.value(*position);
                self.forbid("texts are written in double quotes", span, "write \"…\"");
                Type::Text
            }
            Expr::StringConstant(..) => Type::Text,
            Expr::InterpolatedString(parts, _) => {
                for part in parts {
                    let of = self.expression(part);
                    self.printed(part, &of);
                }
                Type::Text
            }
            Expr::Array(members, _) => self.list(members),
            Expr::Map(_, position) => {
                let span = self.text.word(*position);
                self.forbid("maps are not allowed in scripts", span, "use a list, or a counter of the rules");
                Type::Unknown
            }
            Expr::Unit(_) => Type::Nothing,
            Expr::Variable(name, _, position) => self.variable(&name.1, *position),
            Expr::ThisPtr(position) => {
                let span = self.text.word(*position);
                self.forbid("`this` has no meaning in scripts", span, "ask for `me` or `holder` as a parameter");
                Type::Unknown
            }
            Expr::Stmt(block) => self.block_value(block.statements()),
            Expr::FnCall(call, position) => self.call(call, *position),
            Expr::Dot(sides, flags, _) => {
                let base = self.expression(&sides.lhs);
                self.after_dot(base, &sides.lhs, &sides.rhs, *flags)
            }
            Expr::Index(sides, flags, _) => {
                let base = self.expression(&sides.lhs);
                self.after_bracket(base, &sides.lhs, &sides.rhs, *flags)
            }
            Expr::And(parts, _) | Expr::Or(parts, _) => self.joined_conditions(expr, parts),
            Expr::Coalesce(parts, _) => {
                let mut of = Type::Nothing;
                for (index, part) in parts.iter().enumerate() {
                    let next = self.expression(part);
                    let next = if index + 1 < parts.len() { next.certain().clone() } else { next };
                    let span = self.span(part);
                    of = if index == 0 { next } else { self.joined(of, next, span) };
                }
                of
            }
            other => {
                let span = self.span(other);
                self.forbid("this is not allowed in scripts", span, "`scripts/README.md` lists what is");
                Type::Unknown
            }
        }
    }

    /// `if` and blocks as values must give one kind of value.
    fn block_value(&mut self, block: &[Stmt]) -> Type {
        if let [Stmt::If(flow, position)] = block {
            let before = self.problems.len();
            let of = self.choice(flow);
            if of.is_unknown() && self.problems.len() == before {
                let span = self.text.word(*position);
                self.complain(
                    codes::SCRIPT_UNTYPED,
                    "this gives different kinds of value",
                    span,
                    "not the same kind in every case",
                );
            }
            return of;
        }
        self.block(block)
    }

    /// `a && b`: what the first says holds in the second.
    fn joined_conditions(&mut self, expr: &Expr, parts: &[Expr]) -> Type {
        let facts = self.body.facts.len();
        for part in parts {
            let of = self.expression(part);
            self.want_flag(part, &of);
            let told = super::conditions::told(part);
            let names = if matches!(expr, Expr::And(..)) { told.holds } else { told.fails };
            let places: Vec<usize> = names.iter().filter_map(|name| self.place_of(name)).collect();
            self.body.facts.extend(places);
        }
        self.body.facts.truncate(facts);
        Type::Flag
    }

    fn list(&mut self, members: &[Expr]) -> Type {
        let mut of = Type::Open;
        for member in members {
            let next = self.expression(member);
            let span = self.span(member);
            of = self.joined(of, next, span);
        }
        of.list()
    }

    /// What is put into a text must have words of its own.
    fn printed(&mut self, part: &Expr, of: &Type) {
        if matches!(of, Type::Number | Type::Flag | Type::Text | Type::Word(_) | Type::Unknown) {
            return;
        }
        let (words, span) = (self.words(of), self.span(part));
        let written = self.slice(span);
        let problem =
            Problem::error(codes::SCRIPT_TYPE, format!("this is {words}, which has no words of its own")).at(span, words);
        self.report(match of {
            Type::Entity(_) => problem.help(format!("write `text_of({written})`")),
            _ => problem.help("only texts, numbers and true or false can be put into a text"),
        });
    }

    fn variable(&mut self, name: &str, position: Position) -> Type {
        let Some(at) = self.place_of(name) else {
            self.unknown_variable(name, position);
            return Type::Unknown;
        };
        let of = &self.body.variables[at].of;
        if self.body.facts.contains(&at) { of.certain().clone() } else { of.clone() }
    }

    pub(super) fn unknown_variable(&mut self, name: &str, position: Position) {
        let known: Vec<&str> = self.body.variables.iter().map(|variable| variable.name.as_str()).collect();
        let problem = Problem::error(codes::UNKNOWN_VARIABLE, format!("nothing is called `{name}` here"))
            .at(self.text.word(position), "not known");
        let help = match nearest(name, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None if matches!(name, "me" | "holder" | "table") => format!("name `{name}` as a parameter of the function"),
            None => "make it with `let`, or name it as a parameter of the function".to_string(),
        };
        self.report(problem.help(help));
    }

    // --- chains of dots and brackets ---------------------------------------------

    /// The type before the last bracket of a place such as `me.nest[0]`.
    pub(super) fn base_of(&mut self, place: &Expr) -> Option<Type> {
        match place {
            Expr::Index(sides, ..) => {
                let before = self.problems.len();
                let of = self.expression(&sides.lhs);
                self.problems.truncate(before);
                Some(of)
            }
            _ => None,
        }
    }

    fn after_dot(&mut self, base: Type, owner: &Expr, rest: &Expr, flags: ASTFlags) -> Type {
        if flags.contains(ASTFlags::NEGATED) {
            let span = self.span(owner);
            self.forbid("`?.` is not allowed in scripts", span, "ask `if … != ()` first");
            return Type::Unknown;
        }
        match rest {
            Expr::Dot(sides, next, _) if !flags.contains(ASTFlags::BREAK) => {
                let member = self.member(base, owner, &sides.lhs);
                self.after_dot(member, &sides.lhs, &sides.rhs, *next)
            }
            Expr::Index(sides, next, _) if !flags.contains(ASTFlags::BREAK) => {
                let member = self.member(base, owner, &sides.lhs);
                self.after_bracket(member, &sides.lhs, &sides.rhs, *next)
            }
            last => self.member(base, owner, last),
        }
    }

    fn after_bracket(&mut self, base: Type, owner: &Expr, rest: &Expr, flags: ASTFlags) -> Type {
        match rest {
            Expr::Dot(sides, next, _) if !flags.contains(ASTFlags::BREAK) => {
                let member = self.indexed(base, owner, &sides.lhs);
                self.after_dot(member, &sides.lhs, &sides.rhs, *next)
            }
            Expr::Index(sides, next, _) if !flags.contains(ASTFlags::BREAK) => {
                let member = self.indexed(base, owner, &sides.lhs);
                self.after_bracket(member, &sides.lhs, &sides.rhs, *next)
            }
            last => self.indexed(base, owner, last),
        }
    }

    fn indexed(&mut self, base: Type, owner: &Expr, index: &Expr) -> Type {
        let of = self.expression(index);
        if !of.fits(&Type::Number) {
            let (words, span) = (self.words(&of), self.span(index));
            self.complain(codes::SCRIPT_TYPE, format!("a place in a list is a number, but this is {words}"), span, words.clone());
        }
        match base.member() {
            Some(Type::Open) => {
                let span = self.text.word(owner.position());
                self.report(
                    Problem::error(codes::SCRIPT_UNTYPED, "it is not clear what this list holds")
                        .at(span, "still empty")
                        .help("fill it before it is used"),
                );
                Type::Unknown
            }
            Some(member) => member,
            None => {
                let (words, span) = (self.words(&base), self.text.word(owner.position()));
                self.complain(
                    codes::SCRIPT_TYPE,
                    format!("only lists and zones have places, but this is {words}"),
                    span,
                    words.clone(),
                );
                Type::Unknown
            }
        }
    }

    fn member(&mut self, base: Type, owner: &Expr, member: &Expr) -> Type {
        match member {
            Expr::Property(names, position) => self.property(&base, owner, &names.2, *position),
            Expr::MethodCall(call, position) => self.method(base, owner, call, *position),
            other => {
                let span = self.span(other);
                self.forbid("this is not allowed in scripts", span, "`scripts/README.md` lists what is");
                Type::Unknown
            }
        }
    }

    fn property(&mut self, base: &Type, owner: &Expr, name: &str, position: Position) -> Type {
        if base.is_unknown() {
            return Type::Unknown;
        }
        let span = self.text.word(position);
        if let Type::OrNone(inner) = base {
            self.may_be_none(inner, owner);
            return inner.property(self.program, name).unwrap_or(Type::Unknown);
        }
        if let Some(of) = base.property(self.program, name) {
            return of;
        }
        let names = base.properties(self.program);
        let words = self.words(base);
        let problem = Problem::error(codes::SCRIPT_FIELD, format!("{words} has nothing called `{name}`")).at(span, "not known");
        self.report(match nearest(name, names.iter().map(String::as_str)) {
            Some(near) => problem.help(format!("did you mean `{near}`?")),
            None if base.member().is_some() => problem.help("take one member, as in `for die in … { }` or `choose`"),
            None if names.is_empty() => problem.help("nothing can follow a dot here"),
            None => problem.help(format!("it has {}", joined(&names, "and"))),
        });
        Type::Unknown
    }

    fn may_be_none(&mut self, inner: &Type, owner: &Expr) {
        let words = self.words(inner);
        let span = self.text.word(owner.position());
        let problem =
            Problem::error(codes::MAY_BE_NONE, format!("this may be nothing instead of {words}")).at(span, "may be nothing");
        let help = match owner {
            Expr::Variable(name, ..) => format!("ask first: `if {} != () {{ … }}`", name.1),
            _ => "keep it with `let`, and ask first: `if it != () { … }`".to_string(),
        };
        self.report(problem.help(help));
    }

    // --- operators ---------------------------------------------------------------

    pub(super) fn operator(&mut self, call: &FnCallExpr, token: &Token, position: Position) -> Type {
        let given: Vec<Type> = call.args.iter().map(|argument| self.expression(argument)).collect();
        let span = self.whole(&call.args, position);
        match (token, given.as_slice()) {
            (Token::Bang, [of]) => {
                if let [inner] = call.args.as_slice() {
                    self.want_flag(inner, of);
                }
                Type::Flag
            }
            (Token::UnaryMinus | Token::UnaryPlus | Token::Minus | Token::Plus, [of]) => self.want_number(of, span),
            // `a in b` arrives as `contains(b, a)`.
            (Token::In | Token::NotIn, [list, member]) => {
                self.contained(list, member, span);
                Type::Flag
            }
            (Token::EqualsTo | Token::NotEqualsTo, [left, right]) => {
                self.same_kind(left, right, &call.args, span);
                Type::Flag
            }
            (_, [left, right]) => self.operation(token, token.literal_syntax(), left, right, span),
            _ => Type::Unknown,
        }
    }

    /// A sum, comparison or range of two values.
    pub(super) fn operation(&mut self, token: &Token, sign: &str, left: &Type, right: &Type, span: Span) -> Type {
        match token {
            Token::Plus if is_text(left) || is_text(right) => {
                for of in [left, right] {
                    if !is_text(of) && !of.is_unknown() {
                        let words = self.words(of);
                        let problem = Problem::error(codes::SCRIPT_TYPE, format!("{words} cannot be added to a text"))
                            .at(span, "in this sum");
                        self.report(match of {
                            Type::Entity(_) => problem.help("`text_of(…)` gives a thing in words"),
                            _ => problem.help("put it into the text: `… ${x} …` in backticks"),
                        });
                    }
                }
                Type::Text
            }
            Token::Plus | Token::Minus | Token::Multiply | Token::Divide | Token::Modulo | Token::PowerOf => {
                self.want_number(left, span);
                self.want_number(right, span)
            }
            Token::LessThan | Token::LessThanEqualsTo | Token::GreaterThan | Token::GreaterThanEqualsTo => {
                self.want_number(left, span);
                self.want_number(right, span);
                Type::Flag
            }
            Token::ExclusiveRange | Token::InclusiveRange => {
                self.want_number(left, span);
                self.want_number(right, span);
                Type::Range
            }
            _ => {
                let help = match sign {
                    "&" => "write `&&`",
                    "|" => "write `||`",
                    _ => "write sums with + - * / %",
                };
                self.forbid(&format!("`{sign}` is not allowed in scripts"), span, help);
                Type::Unknown
            }
        }
    }

    fn want_number(&mut self, of: &Type, span: Span) -> Type {
        if !matches!(of, Type::Number | Type::Unknown) {
            let words = self.words(of);
            let problem =
                Problem::error(codes::SCRIPT_TYPE, format!("a number is needed here, but this is {words}")).at(span, words);
            let help = match of {
                Type::Entity(kind) => self.number_of(*kind),
                Type::List(_) | Type::Zone(_) => Some("write `len(…)` for their number".to_string()),
                _ => None,
            };
            self.report(match help {
                Some(help) => problem.help(help),
                None => problem,
            });
        }
        Type::Number
    }

    /// The number that is most likely meant by a thing.
    fn number_of(&self, kind: u16) -> Option<String> {
        let info = self.program.kind(kind);
        let numbers = info
            .fields
            .iter()
            .filter(|field| Type::of_shape(self.program, &field.shape) == Type::Number && !field.name.is_empty());
        let names: Vec<&str> = numbers.map(|field| field.name.as_str()).collect();
        (info.sort == KindSort::Piece && !names.is_empty())
            .then(|| format!("{} has the numbers {}", with_article(&info.name), joined(&names, "and")))
    }

    pub(super) fn contained(&mut self, list: &Type, member: &Type, span: Span) {
        match list.member() {
            Some(of) if member.certain().fits(&of) || of.fits(member) => {}
            Some(_) => {
                let (list, member) = (self.words(list), self.words(member));
                self.complain(codes::SCRIPT_TYPE, format!("this is {list}, so {member} is never in it"), span, "never true");
            }
            None if is_text(list) && is_text(member) => {}
            None if *list == Type::Range && *member == Type::Number => {}
            None => {
                let words = self.words(list);
                self.complain(codes::SCRIPT_TYPE, format!("a list or zone is needed here, but this is {words}"), span, "here");
            }
        }
    }

    fn same_kind(&mut self, left: &Type, right: &Type, parts: &[Expr], span: Span) {
        if let [first, second] = parts {
            self.word_compared(left, second);
            self.word_compared(right, first);
        }
        let nothing =
            |one: &Type, other: &Type| *one == Type::Nothing && matches!(other, Type::OrNone(_) | Type::Nothing | Type::Unknown);
        if nothing(left, right) || nothing(right, left) {
            return;
        }
        let (first, second) = (self.words(left), self.words(right));
        if *left == Type::Nothing || *right == Type::Nothing {
            let there = if *left == Type::Nothing { second } else { first };
            self.complain(codes::SCRIPT_TYPE, format!("this is always {there}, so it is never nothing"), span, "never true");
            return;
        }
        let comparable = |of: &Type| !matches!(of.certain(), Type::List(_) | Type::Move(_) | Type::Duration | Type::Range);
        match left.certain().clone().either(right.certain().clone()) {
            Some(of) if comparable(&of) => {}
            Some(of) => {
                let words = self.words(&of);
                self.complain(codes::SCRIPT_TYPE, format!("{words} cannot be compared"), span, "here");
            }
            None => self.complain(codes::SCRIPT_TYPE, format!("{first} is never the same as {second}"), span, "never true"),
        }
    }

    /// A word compared with a text that it never is.
    fn word_compared(&mut self, of: &Type, with: &Expr) {
        if let Type::Word(words) = of.certain() {
            self.one_of(with, words, codes::UNKNOWN_NAME, "there is no word");
        }
    }

    /// A text that stands here must be one of some words.
    pub(super) fn one_of(&mut self, value: &Expr, words: &[String], code: &'static str, what: &str) {
        let Expr::StringConstant(text, position) = value else { return };
        if words.iter().any(|word| **word == **text) {
            return;
        }
        let problem = Problem::error(code, format!("{what} `{text}`")).at(self.text.value(*position), "not known");
        self.report(match nearest(text, words.iter().map(String::as_str)) {
            Some(near) => problem.help(format!("did you mean `{near}`?")),
            None if words.is_empty() => problem.help("there is none here; leave this out"),
            None => problem.help(format!("it is one of {}", joined(words, "and"))),
        });
    }

    // --- places ------------------------------------------------------------------

    /// The stretch of text of an expression.
    pub(super) fn span(&self, expr: &Expr) -> Span {
        match expr {
            Expr::FnCall(call, position) if call.is_operator_call() => self.whole(&call.args, *position),
            Expr::And(parts, position) | Expr::Or(parts, position) | Expr::Coalesce(parts, position) => {
                self.whole(parts, *position)
            }
            Expr::Stmt(block) => match block.statements() {
                [Stmt::Expr(inner)] => self.span(inner),
                _ => self.text.word(expr.start_position()),
            },
            other => self.text.value(other.start_position()),
        }
    }

    /// From the first to the last of some parts, with the sign that joins them.
    fn whole(&self, parts: &[Expr], sign: Position) -> Span {
        let spans = parts.iter().map(|part| self.span(part)).chain([self.text.word(sign)]);
        spans
            .reduce(|one, other| Span { start: one.start.min(other.start), end: one.end.max(other.end), ..one })
            .unwrap_or_else(|| self.text.word(sign))
    }

    pub(super) fn slice(&self, span: Span) -> String {
        self.program.sources.slice(span).to_string()
    }
}

fn is_text(of: &Type) -> bool {
    matches!(of, Type::Text | Type::Word(_))
}

impl Checker<'_> {
    /// A call of one of the words that are never allowed. True if it is one.
    pub(super) fn forbidden_call(&mut self, name: &str, position: Position) -> bool {
        let forbidden = matches!(
            name,
            "eval" | "Fn" | "call" | "curry" | "is_def_fn" | "is_def_var" | "is_shared" | "type_of" | "print" | "debug"
        );
        if forbidden {
            let problem = syntax::forbidden(name).at(self.text.word(position), "not allowed");
            self.report(problem);
        }
        forbidden
    }
}
