//! Compiles expressions of a script: their types and their values.
//!
//! Each function returns a `Worth`: a type, and a way to evaluate the value that has no effects. So evaluation can be deferred to
//! where the value is used, unless something acts in between: then it is kept in a slot first. To act is to change something, to
//! ask, or to take several steps. rhai parses `a.b.c` as `a` followed by the chain `b.c`.

use super::values::{TypedValue, calculated};
use super::{ScriptCompiler, Type, lists};
use crate::scripting::api::ROWS;
use crate::scripting::read;
use ludex_program::{Calculation, Comparison, Expr as Machine, NONE, TextPart, Value as Number};
use ludex_syntax::codes;
use ludex_syntax::problem::{Problem, closest_match, join_words};
use ludex_syntax::source::Span;
use rhai::{ASTFlags, ASTNode, Expr, FnCallExpr, Position, Stmt};

/// Maximum nesting depth of expressions.
const MOST_DEPTH: usize = 300;

/// Keywords that can occur in the place of a variable.
const WORDS_ALONE: [&str; 5] = ["return", "break", "continue", "true", "false"];

impl ScriptCompiler<'_> {
    /// Compiles an expression, within the limits of depth and, in called functions, of work.
    pub(super) fn expression(&mut self, expr: &Expr) -> TypedValue {
        if self.body.depth >= MOST_DEPTH {
            let span = self.span(expr);
            self.report(
                Problem::error(codes::TOO_DEEP, "this expression is too long")
                    .with_label(span, "here")
                    .help("split it with `let`"),
            );
            return TypedValue::unknown();
        }
        if !self.active.is_empty() && !self.spend(1) {
            return TypedValue::unknown();
        }
        self.body.depth += 1;
        let worth = self.value(expr);
        self.body.depth -= 1;
        worth
    }

    /// Compiles an expression by its form.
    fn value(&mut self, expr: &Expr) -> TypedValue {
        match expr {
            Expr::BoolConstant(flag, _) => TypedValue::flag(Machine::Constant(Number::from(*flag))),
            Expr::IntegerConstant(number, position) => self.number(*number, *position),
            Expr::CharConstant(_, position) => {
                let span = self.text.value(*position);
                self.forbid("texts are written in double quotes", span, "write \"…\"");
                TypedValue::unknown().with_type(Type::Text)
            }
            Expr::StringConstant(words, _) => TypedValue::text(vec![TextPart::Words(words.to_string())]),
            Expr::InterpolatedString(parts, _) => self.interpolated(&parts.iter().collect::<Vec<_>>()),
            Expr::Array(members, _) => self.list(&members.iter().collect::<Vec<_>>()),
            Expr::Map(_, position) => {
                let span = self.text.word(*position);
                self.forbid("maps are not allowed in scripts", span, "use a list, or a counter of the rules");
                TypedValue::unknown()
            }
            Expr::Unit(_) => TypedValue::nothing(),
            Expr::Variable(name, _, position) => self.variable(&name.1, *position),
            Expr::ThisPtr(position) => {
                let span = self.text.word(*position);
                self.forbid("`this` has no meaning in scripts", span, "ask for `me` or `holder` as a parameter");
                TypedValue::unknown()
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
            Expr::And(parts, _) => self.joined_conditions(parts, true),
            Expr::Or(parts, _) => self.joined_conditions(parts, false),
            Expr::Coalesce(parts, _) => self.first_there(parts),
            Expr::DynamicConstant(_, position) => {
                let span = self.text.word(*position);
                let help = "hand it to `filter`, `map`, `some` or `all`, or write `fn NAME(…) { … }` beside the others";
                self.forbid("a function without a name cannot stand here", span, help);
                TypedValue::unknown()
            }
            other => {
                let span = self.span(other);
                self.forbid("this is not allowed in scripts", span, "`ludex explain scripts` says what is");
                TypedValue::unknown()
            }
        }
    }

    /// A literal number. The machine's numbers have 32 bits.
    fn number(&mut self, number: i64, position: Position) -> TypedValue {
        match Number::try_from(number).ok().filter(|number| *number != NONE) {
            Some(number) => TypedValue::number(Machine::Constant(number)),
            None => {
                let problem = Problem::error(codes::NUMBER_TOO_LARGE, "this number is too large to be counted with");
                let problem = problem.with_label(self.text.value(position), "beyond 2,147,483,647");
                self.report(problem.help("numbers go from -2,147,483,647 to 2,147,483,647"));
                TypedValue::unknown().with_type(Type::Number)
            }
        }
    }

    // --- several values -----------------------------------------------------------

    /// Compiles several values in order. A deferred value is evaluated before a later one acts.
    pub(super) fn operands(&mut self, parts: &[&Expr]) -> Vec<TypedValue> {
        let mut worths = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            let worth = self.expression(part);
            let rest = parts.get(index + 1..).unwrap_or(&[]);
            let is_kept = rest.iter().any(|later| self.acts(later));
            worths.push(if is_kept { self.keep(worth) } else { worth });
        }
        worths
    }

    /// Whether an expression has effects, asks, or takes several steps.
    pub(super) fn acts(&self, expr: &Expr) -> bool {
        let mut acts = false;
        expr.walk(&mut Vec::new(), &mut |path| {
            acts |= match path.last() {
                Some(ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _))) => self.call_acts(call),
                Some(ASTNode::Expr(Expr::Coalesce(..)) | ASTNode::Stmt(_)) => true,
                _ => false,
            };
            !acts
        });
        acts
    }

    /// Whether a call has effects, asks, or takes several steps. Calls of own functions and of unknown ones count.
    fn call_acts(&self, call: &FnCallExpr) -> bool {
        if call.is_operator_call() {
            return false;
        }
        let name = call.name.as_str();
        let is_own = self.functions.contains_key(name);
        match ROWS.iter().find(|row| row.name == name) {
            Some(row) if !is_own => row.acts() || name == "text_of",
            None if !is_own => {
                let is_procedure = self.program.procedures.iter().any(|procedure| procedure.name == name);
                let is_value = self.program.named.iter().any(|value| value.name == name);
                is_procedure || !is_value && !lists::is_looking(name)
            }
            _ => true,
        }
    }

    /// Compiles an `if` or a block as a value. Reports an `if` whose branches give different types.
    fn block_value(&mut self, block: &[Stmt]) -> TypedValue {
        let before = self.problems.len();
        let worth = self.inner_block(block, true);
        if let [Stmt::If(_, position)] = block
            && worth.of.is_unknown()
            && self.problems.len() == before
        {
            let span = self.text.word(*position);
            self.report_error(
                codes::SCRIPT_UNTYPED,
                "this gives different kinds of value",
                span,
                "not the same kind in every case",
            );
        }
        worth
    }

    /// Compiles `a && b` or `a || b`. The second operand uses the facts of the first, and is skipped if the first decides.
    fn joined_conditions(&mut self, parts: &[Expr], all: bool) -> TypedValue {
        let facts = self.body.facts.len();
        let (mut slot, mut jumps, mut so_far) = (None, Vec::new(), None);
        for part in parts {
            if let Some(before) = so_far.take_if(|_| self.acts(part)) {
                let slot = *slot.get_or_insert_with(|| self.new_slot());
                self.code.emit_let(slot, before, false);
                let holds = Machine::Local(slot);
                jumps.push(self.code.jump_unless(if all { holds } else { Machine::Not(Box::new(holds)) }));
            }
            let condition = self.condition(part);
            so_far = Some(match so_far.take().map(Box::new) {
                Some(before) if all => Machine::And(before, Box::new(condition)),
                Some(before) => Machine::Or(before, Box::new(condition)),
                None => condition,
            });
            let told = super::conditions::told(part);
            let names = if all { told.holds } else { told.fails };
            let places: Vec<usize> = names.iter().filter_map(|name| self.place_of(name)).collect();
            self.body.facts.extend(places);
        }
        self.body.facts.truncate(facts);
        let value = so_far.unwrap_or(Machine::Constant(0));
        let Some(slot) = slot else { return TypedValue::flag(value) };
        self.code.emit_let(slot, value, false);
        jumps.into_iter().for_each(|jump| self.code.patch_to_next(jump));
        TypedValue::flag(Machine::Local(slot))
    }

    /// Compiles `a ?? b`: the first of several values that is not missing.
    fn first_there(&mut self, parts: &[Expr]) -> TypedValue {
        let slot = self.new_slot();
        let (mut of, mut put, mut jumps) = (Type::Nothing, Vec::new(), Vec::new());
        for (index, part) in parts.iter().enumerate() {
            let worth = self.expression(part);
            let is_last = index + 1 == parts.len();
            let next = if is_last { worth.of.clone() } else { worth.of.certain().clone() };
            let list = worth.of.is_list();
            let value = self.expr(worth);
            put.push((self.code.emit_let(slot, value, list), next.clone()));
            if !is_last {
                let none = Machine::Compare(Comparison::Equal, Box::new(Machine::Local(slot)), Box::new(Machine::Constant(NONE)));
                jumps.push(self.code.jump_unless(none));
            }
            let span = self.span(part);
            of = if index == 0 { next } else { self.common_type_or_error(of, next, span) };
        }
        self.code.land_all(jumps);
        self.join_values(put, &of);
        TypedValue::new(of, Machine::Local(slot))
    }

    /// Compiles `[a, b]`.
    fn list(&mut self, members: &[&Expr]) -> TypedValue {
        let worths = self.operands(members);
        let mut of = Type::Open;
        for (member, worth) in members.iter().zip(&worths) {
            let span = self.span(member);
            of = self.common_type_or_error(of, worth.of.clone(), span);
        }
        let values = worths.into_iter().map(|worth| self.stored(worth, &of)).collect();
        TypedValue::new(of.list(), Machine::ListOf(values))
    }

    /// Compiles a text in backticks with values in it.
    fn interpolated(&mut self, parts: &[&Expr]) -> TypedValue {
        let worths = self.operands(parts);
        let mut text = Vec::new();
        for (part, worth) in parts.iter().zip(worths) {
            self.printed(part, &worth.of);
            text.extend(self.parts(worth));
        }
        TypedValue::text(text)
    }

    /// Checks a value inserted into a text, which must have a textual form.
    fn printed(&mut self, part: &Expr, of: &Type) {
        if matches!(of, Type::Number | Type::Flag | Type::Text | Type::Word(_) | Type::Unknown) {
            return;
        }
        let (words, span) = (self.words(of), self.span(part));
        let written = self.slice(span);
        let problem =
            Problem::error(codes::SCRIPT_TYPE, format!("this is {words}, which has no words of its own")).with_label(span, words);
        self.report(match of {
            Type::Entity(_) => problem.help(format!("write `text_of({written})`")),
            _ => problem.help("only texts, numbers and true or false can be put into a text"),
        });
    }

    /// The value of a variable. After a test, one that may be missing is certain.
    fn variable(&mut self, name: &str, position: Position) -> TypedValue {
        let Some(at) = self.place_of(name) else {
            self.unknown_variable(name, position);
            return TypedValue::unknown();
        };
        let worth = self.body.variables[at].worth.clone();
        let certain = worth.of.certain().clone();
        if self.body.facts.contains(&at) { worth.with_type(certain) } else { worth }
    }

    /// Reports a name that no variable has.
    pub(super) fn unknown_variable(&mut self, name: &str, position: Position) {
        let known = self.body.variables.iter().map(|variable| variable.name.as_str());
        let known: Vec<&str> = known.chain(WORDS_ALONE).filter(|_| !self.has_told_much()).collect();
        let problem = Problem::error(codes::UNKNOWN_VARIABLE, format!("nothing is called `{name}` here"))
            .with_label(self.text.word(position), "not known");
        let problem = match closest_match(name, known) {
            _ if matches!(name, "None" | "undefined") => problem.help("write `()` for nothing"),
            _ if matches!(name, "True" | "TRUE" | "yes") => problem.help("write `true`"),
            _ if matches!(name, "False" | "FALSE" | "no") => problem.help("write `false`"),
            Some(near) => problem.suggest_near(near),
            None if matches!(name, "me" | "holder" | "table") => {
                problem.help(format!("name `{name}` as a parameter of the function"))
            }
            None => problem.help("make it with `let`, or name it as a parameter of the function"),
        };
        self.report(problem);
    }

    // --- chains of dots and brackets ---------------------------------------------

    /// The type before the last bracket of an expression such as `me.nest[0]`. It is compiled only to find the type, so its
    /// problems are dropped.
    pub(super) fn base_of(&mut self, place: &Expr) -> Option<Type> {
        match place {
            Expr::Index(sides, ..) => {
                let before = self.problems.len();
                let of = self.expression(&sides.lhs).of;
                self.problems.truncate(before);
                Some(of)
            }
            _ => None,
        }
    }

    /// Compiles the rest of a chain after a dot. `base` is the value before it, and `owner` the same as written.
    fn after_dot(&mut self, base: TypedValue, owner: &Expr, rest: &Expr, flags: ASTFlags) -> TypedValue {
        if flags.contains(ASTFlags::NEGATED) {
            let span = self.span(owner);
            self.forbid("`?.` is not allowed in scripts", span, "ask `if … != ()` first");
            return TypedValue::unknown();
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

    /// Compiles the rest of a chain after a bracket.
    fn after_bracket(&mut self, base: TypedValue, owner: &Expr, rest: &Expr, flags: ASTFlags) -> TypedValue {
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

    /// Compiles `list[index]`. An index out of range is a fault.
    fn indexed(&mut self, base: TypedValue, owner: &Expr, index: &Expr) -> TypedValue {
        let base = if self.acts(index) { self.keep(base) } else { base };
        let place = self.expression(index);
        if !place.of.fits(&Type::Number) {
            let (words, span) = (self.words(&place.of), self.span(index));
            self.report_error(
                codes::SCRIPT_TYPE,
                format!("a place in a list is a number, but this is {words}"),
                span,
                words.clone(),
            );
        }
        let span = self.text.word(owner.position());
        match base.of.member() {
            Some(Type::Open) => {
                self.report(
                    Problem::error(codes::SCRIPT_UNTYPED, "it is not clear what this list holds")
                        .with_label(span, "still empty")
                        .help("fill it before it is used"),
                );
                TypedValue::unknown()
            }
            Some(member) => {
                let (list, place) = (self.members(base), self.expr(place));
                TypedValue::new(member, calculated(Calculation::MemberAt, [list, place]))
            }
            None => {
                let words = self.words(&base.of);
                let message = format!("only lists and zones have places, but this is {words}");
                self.report_error(codes::SCRIPT_TYPE, message, span, words.clone());
                TypedValue::unknown()
            }
        }
    }

    /// Compiles a property or a call after a dot.
    fn member(&mut self, base: TypedValue, owner: &Expr, member: &Expr) -> TypedValue {
        match member {
            Expr::Property(names, position) => self.property(base, owner, &names.2, *position),
            Expr::MethodCall(call, position) => self.method(base, owner, call, *position),
            other => {
                let span = self.span(other);
                self.forbid("this is not allowed in scripts", span, "`ludex explain scripts` says what is");
                TypedValue::unknown()
            }
        }
    }

    /// Compiles `thing.name`. Reports a thing that may be missing, and a property that it does not have.
    fn property(&mut self, base: TypedValue, owner: &Expr, name: &str, position: Position) -> TypedValue {
        if base.of.is_unknown() {
            return TypedValue::unknown();
        }
        let span = self.text.word(position);
        let of = base.of.clone();
        let expr = self.expr(base);
        if let Type::OrNone(inner) = &of {
            self.may_be_none(inner, owner);
            let found = inner.property(self.program, expr, name);
            return found.map_or(TypedValue::unknown(), |(expr, shape)| self.of_rules(expr, &shape));
        }
        if let Some((expr, shape)) = of.property(self.program, expr, name) {
            return self.of_rules(expr, &shape);
        }
        let names = of.properties(self.program);
        let words = self.words(&of);
        let problem =
            Problem::error(codes::SCRIPT_FIELD, format!("{words} has nothing called `{name}`")).with_label(span, "not known");
        self.report(match closest_match(name, names.iter().map(String::as_str)) {
            Some(near) => problem.suggest_near(near),
            None if ["length", "size", "count", "len"].contains(&name) => problem.help("how many there are is `len(things)`"),
            None if of.member().is_some() => problem.help("take one member, as in `for die in … { }` or `choose`"),
            None if names.is_empty() => problem.help("nothing can follow a dot here"),
            None => problem.help(format!("it has {}", join_words(&names, "and"))),
        });
        TypedValue::unknown()
    }

    /// Reports a value that may be missing but is needed.
    fn may_be_none(&mut self, inner: &Type, owner: &Expr) {
        let words = self.words(inner);
        let span = self.text.word(owner.position());
        let problem = Problem::error(codes::MAY_BE_NONE, format!("this may be nothing instead of {words}"))
            .with_label(span, "may be nothing");
        let help = match owner {
            Expr::Variable(name, ..) => format!("ask first: `if {} != () {{ … }}`", name.1),
            _ => "keep it with `let`, and ask first: `if it != () { … }`".to_string(),
        };
        self.report(problem.help(help));
    }

    // --- places ------------------------------------------------------------------

    /// The span of an expression.
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

    /// The span from the first to the last of some operands, with their operator.
    pub(super) fn whole(&self, parts: &[Expr], sign: Position) -> Span {
        let spans = parts.iter().map(|part| self.span(part)).chain([self.text.word(sign)]);
        spans
            .reduce(|one, other| Span { start: one.start.min(other.start), end: one.end.max(other.end), ..one })
            .unwrap_or_else(|| self.text.word(sign))
    }

    /// The source text of a span.
    pub(super) fn slice(&self, span: Span) -> String {
        self.program.sources.span_text(span).to_string()
    }
}

/// Whether a type is a text, or a word, which scripts treat as a text.
pub(super) fn is_text(of: &Type) -> bool {
    matches!(of, Type::Text | Type::Word(_))
}

impl ScriptCompiler<'_> {
    /// Reports a call of a forbidden function. Returns true if it is one.
    pub(super) fn forbidden_call(&mut self, name: &str, position: Position) -> bool {
        let forbidden =
            matches!(name, "eval" | "Fn" | "call" | "curry" | "is_def_fn" | "is_def_var" | "is_shared" | "type_of" | "print");
        if forbidden {
            let problem = read::forbidden(name).with_label(self.text.word(position), "not allowed");
            self.report(problem);
        }
        forbidden
    }
}
