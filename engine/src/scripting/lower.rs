//! Functions that do nothing but one thing after the other, as the statements of the rules that do the same.
//!
//! Play that nobody watches runs these in place of the script: calling rhai costs more than a turn. Whatever a function
//! holds beyond plain calls and choices (`if`, loops, arithmetic, functions of its own) stays with rhai.

use super::api::ROWS;
use super::check::{ScriptText, functions};
use crate::language::builtins::COUNT;
use crate::language::syntax::{
    Amount, Ask, AskWhat, Block, Expr as Written, ExprKind, Name, Statement, StatementKind, Text, TextPart, Until, ZoneEnd,
};
use crate::program::{NONE, Value};
use crate::source::{SourceId, Span};
use rhai::{ASTFlags, Expr, FnCallExpr, Position, Stmt};
use std::collections::BTreeMap;

/// The functions of a script that can be said in the language of the rules, by name.
pub fn lower(source: SourceId, whole: &str) -> BTreeMap<String, Block> {
    let text = ScriptText::new(source, whole);
    let written = text.functions();
    let own: Vec<&str> = written.iter().map(|function| function.name.as_str()).collect();
    let lowering = Lowering { text: &text, own };
    let functions = functions(&text, whole, &written).into_iter();
    functions.filter_map(|function| Some((function.name.clone(), lowering.block(&function.body)?))).collect()
}

struct Lowering<'t> {
    text: &'t ScriptText<'t>,
    /// Functions of the script itself: none of them is a procedure of the rules.
    own: Vec<&'t str>,
}

impl Lowering<'_> {
    fn block(&self, body: &[Stmt]) -> Option<Block> {
        let statements = body.iter().filter(|statement| !matches!(statement, Stmt::Noop(_)));
        let statements: Vec<Statement> = statements.map(|statement| self.statement(statement)).collect::<Option<_>>()?;
        // What follows an answer is done by a script and not by the rules.
        let early = statements.iter().rev().skip(1).any(|statement| matches!(statement.kind, StatementKind::Answer { .. }));
        (!early).then_some(Block { statements })
    }

    fn statement(&self, statement: &Stmt) -> Option<Statement> {
        let (call, position) = match statement {
            Stmt::Var(parts, _, position) => {
                let (name, value, _) = &**parts;
                let span = self.text.word(*position);
                return Some(self.stated(self.question(&name.name, value, span)?, span));
            }
            Stmt::FnCall(call, position) => (call, *position),
            Stmt::Expr(value) => match &**value {
                Expr::FnCall(call, position) => (call, *position),
                _ => return None,
            },
            _ => return None,
        };
        let span = self.text.word(position);
        Some(self.stated(self.call(call, span)?, span))
    }

    fn stated(&self, kind: StatementKind, span: Span) -> Statement {
        Statement { kind, span, cites: Vec::new() }
    }

    /// `let die = choose(me, "Which?", me.nest);`
    fn question(&self, name: &str, value: &Expr, span: Span) -> Option<StatementKind> {
        let Expr::FnCall(call, _) = value else { return None };
        let (who, prompt, what) = match (call.name.as_str(), call.args.as_slice()) {
            ("choose", [side, prompt, things]) => {
                (side, prompt, AskWhat::Among { amount: Amount::One, set: self.value(things)? })
            }
            ("choose_some", [side, prompt, things, Expr::IntegerConstant(least, position), most])
                if *least >= 0 && Value::try_from(*least).is_ok() =>
            {
                let least = self.written(ExprKind::Number(*least), *position);
                let amount = Amount::Between(least, self.amount(most)?);
                (side, prompt, AskWhat::Among { amount, set: self.value(things)? })
            }
            _ => return None,
        };
        let prompt = self.words(prompt)?;
        let nothing = self.stated(StatementKind::NothingToChoose { prompt: prompt.clone() }, span);
        Some(StatementKind::Ask(Box::new(Ask {
            who: self.value(who)?,
            at_once: None,
            must: true,
            what,
            during: None,
            name: Some(Name { text: name.to_string(), span }),
            prompt: Some(prompt),
            pass_text: None,
            tells: true,
            even_when_forced: false,
            otherwise: Some(Block { statements: vec![nothing] }),
        })))
    }

    /// A value, or `len(things)`.
    fn amount(&self, expr: &Expr) -> Option<Written> {
        match expr {
            Expr::FnCall(call, position) if call.name == "len" => {
                let [things] = call.args.as_slice() else { return None };
                Some(self.written(ExprKind::Of(COUNT.to_string(), Box::new(self.value(things)?)), *position))
            }
            _ => self.value(expr),
        }
    }

    fn call(&self, call: &FnCallExpr, span: Span) -> Option<StatementKind> {
        if call.op_token.is_some() {
            return None;
        }
        Some(match (call.name.as_str(), call.args.as_slice()) {
            ("roll", [dice]) => StatementKind::Roll { what: self.value(dice)?, pool: None, reason: None, name: None },
            ("roll", [dice, reason]) => {
                StatementKind::Roll { what: self.value(dice)?, pool: None, reason: Some(self.words(reason)?), name: None }
            }
            ("move_to", [things, zone]) => {
                StatementKind::Move { what: self.value(things)?, to: self.value(zone)?, end: ZoneEnd::Top, event: None }
            }
            ("set", [thing, field, value]) => {
                StatementKind::Set { place: self.member(thing, field)?, value: self.value(value)?, event: None }
            }
            ("add", [thing, field, number]) => {
                StatementKind::Add { place: self.member(thing, field)?, value: self.value(number)?, less: false, event: None }
            }
            ("mark", [things, mark]) => {
                StatementKind::Mark { what: self.value(things)?, mark: self.quoted(mark)?, fields: Vec::new(), until: None }
            }
            ("mark", [things, mark, duration]) => StatementKind::Mark {
                what: self.value(things)?,
                mark: self.quoted(mark)?,
                fields: Vec::new(),
                until: Some(self.duration(duration)?),
            },
            ("unmark", [things, mark]) => StatementKind::Unmark { what: self.value(things)?, mark: self.quoted(mark)? },
            ("answer", [word]) => StatementKind::Answer { word: self.quoted(word)? },
            (name, arguments) if !self.own.contains(&name) && !ROWS.iter().any(|row| row.name == name) => {
                let args = arguments.iter().map(|argument| self.value(argument)).collect::<Option<_>>()?;
                StatementKind::Do { name: Name { text: name.to_string(), span }, args: Some(args), result: None }
            }
            _ => return None,
        })
    }

    fn duration(&self, expr: &Expr) -> Option<Until> {
        let Expr::FnCall(call, _) = expr else { return None };
        let (next, scope, of) = match (call.name.as_str(), call.args.as_slice()) {
            ("end_of_this", [scope]) => (false, scope, None),
            ("end_of_next", [scope]) => (true, scope, None),
            ("end_of_next", [scope, side]) => (true, scope, Some(self.value(side)?)),
            _ => return None,
        };
        Some(Until::End { next, scope: self.quoted(scope)?, of })
    }

    /// A name, a number, or a name with members behind dots.
    fn value(&self, expr: &Expr) -> Option<Written> {
        match expr {
            Expr::Variable(name, _, position) => Some(self.written(ExprKind::Name(name.1.to_string()), *position)),
            // What cannot be counted is a fault of the script, as it is where somebody watches.
            Expr::IntegerConstant(number, position) if Value::try_from(*number).is_ok_and(|number| number != NONE) => {
                Some(self.written(ExprKind::Number(*number), *position))
            }
            Expr::Dot(sides, flags, _) => self.after_dot(self.value(&sides.lhs)?, &sides.rhs, *flags),
            _ => None,
        }
    }

    fn after_dot(&self, owner: Written, rest: &Expr, flags: ASTFlags) -> Option<Written> {
        if flags.contains(ASTFlags::NEGATED) {
            return None;
        }
        match rest {
            Expr::Property(names, position) => {
                let name = Name { text: names.2.to_string(), span: self.text.word(*position) };
                let span = owner.span;
                Some(Written { kind: ExprKind::Member(Box::new(owner), name), span })
            }
            Expr::Dot(sides, next, _) if !flags.contains(ASTFlags::BREAK) => {
                self.after_dot(self.after_dot(owner, &sides.lhs, ASTFlags::empty())?, &sides.rhs, *next)
            }
            _ => None,
        }
    }

    /// `set(die, "value", 3)` sets `die.value`.
    fn member(&self, thing: &Expr, field: &Expr) -> Option<Written> {
        let owner = self.value(thing)?;
        let span = owner.span;
        Some(Written { kind: ExprKind::Member(Box::new(owner), self.quoted(field)?), span })
    }

    fn quoted(&self, expr: &Expr) -> Option<Name> {
        let Expr::StringConstant(text, position) = expr else { return None };
        Some(Name { text: text.to_string(), span: self.text.value(*position) })
    }

    fn words(&self, expr: &Expr) -> Option<Text> {
        let Name { text, span } = self.quoted(expr)?;
        Some(Text { parts: vec![TextPart::Words(text)], span })
    }

    fn written(&self, kind: ExprKind, position: Position) -> Written {
        Written { kind, span: self.text.word(position) }
    }
}
