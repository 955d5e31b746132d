//! Compiles operators: lists, arithmetic, comparisons, states and best members.
//!
//! A number of halves counts halves, so a whole number beside it is doubled. Facts are values that a test has shown to be there:
//! `x is not none and x.size > 3` needs no second test.

use super::Compiler;
use crate::builtins::COUNT;
use crate::types::Type;
use ludex_program::{BestKey, Calculation, Comparison, Expr, NONE};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::Span;
use ludex_syntax::tree::{BinaryOp, Expr as Written, ExprKind, Extreme, Key, StateWord};

impl Compiler<'_> {
    /// Compiles `[a, b]`. Members must be of one type.
    pub(super) fn compile_list_literal(&mut self, members: &[Written]) -> (Expr, Type) {
        let mut item = Type::Unknown;
        let mut lowered = Vec::new();
        // A member that may be none becomes a list of one or none.
        let mut parts = Vec::new();
        for member in members {
            let (expr, of) = self.compile_expression(member);
            if item == Type::Unknown {
                item = of.without_none().clone();
            } else if *of.without_none() != item && of != Type::Unknown {
                let (one, other) = (self.type_text(&item), self.type_text(&of));
                self.report_error(
                    codes::BRANCHES_DIFFER,
                    format!("the members of a list must be alike, but one is {one} and another {other}"),
                    member.span,
                    "differs",
                );
            }
            match of {
                Type::OrNone(_) => {
                    parts.extend((!lowered.is_empty()).then(|| Expr::ListOf(std::mem::take(&mut lowered))));
                    parts.push(Expr::Single(Box::new(expr)));
                }
                _ => lowered.push(expr),
            }
        }
        parts.extend((!lowered.is_empty() || parts.is_empty()).then_some(Expr::ListOf(lowered)));
        let join = |front, back| Expr::Concatenate(Box::new(front), Box::new(back));
        (parts.into_iter().reduce(join).unwrap_or_else(|| Expr::ListOf(Vec::new())), item.into_list())
    }

    /// Compiles an operator between two operands.
    pub(super) fn compile_binary(&mut self, operator: BinaryOp, left: &Written, right: &Written, span: Span) -> (Expr, Type) {
        match operator {
            BinaryOp::And | BinaryOp::Or => (self.compile_and_or(operator, left, right), Type::Flag),
            BinaryOp::Equal => self.compile_comparison(Comparison::Equal, left, right),
            BinaryOp::NotEqual => self.compile_comparison(Comparison::NotEqual, left, right),
            BinaryOp::Less => self.compile_comparison(Comparison::Less, left, right),
            BinaryOp::LessEqual => self.compile_comparison(Comparison::LessEqual, left, right),
            BinaryOp::Greater => self.compile_comparison(Comparison::Greater, left, right),
            BinaryOp::GreaterEqual => self.compile_comparison(Comparison::GreaterEqual, left, right),
            BinaryOp::Without => {
                let (left, item) = self.compile_list(left);
                let (right_expr, right_type) = self.compile_expression(right);
                match self.convert_operand_to_list(right_expr, &right_type, &item.clone().into_list()) {
                    Some((right, other)) if other == item || other == Type::Unknown || item == Type::Unknown => {
                        (Expr::Without(Box::new(left), Box::new(right)), item.into_list())
                    }
                    _ => {
                        let (one, other) = (self.type_text(&item.clone().into_list()), self.type_text(&right_type));
                        self.report_error(
                            codes::NOT_COMPARABLE,
                            format!("{other} cannot be taken out of {one}"),
                            right.span,
                            "never among them",
                        );
                        (left, item.into_list())
                    }
                }
            }
            BinaryOp::Remainder => {
                let operands = vec![self.compile_number(left), self.compile_number(right)];
                self.expect_not_zero(right, &operands[1]);
                (Expr::Calculated(Calculation::RemainderDown, operands), Type::Number)
            }
            BinaryOp::Plus | BinaryOp::Minus | BinaryOp::Times | BinaryOp::AtLeast | BinaryOp::AtMost => {
                let told = self.problems.len();
                let (first, first_type) = self.compile_expression(left);
                let (second, second_type) = self.compile_expression(right);
                let inside = self.problems.len();
                let result = self.compile_arithmetic(operator, (first, first_type), (second, second_type), span);
                if inside == told
                    && let Some(help) = suggest_brackets(operator, left)
                {
                    let wrong = self.problems.iter_mut().skip(told);
                    wrong.for_each(|problem| problem.help = problem.help.take().or_else(|| Some(help.clone())));
                }
                result
            }
        }
    }

    /// Compiles `a and b` and `a or b`. The second operand uses the facts of the first. Long chains are compiled iteratively.
    fn compile_and_or(&mut self, operator: BinaryOp, left: &Written, right: &Written) -> Expr {
        let mut parts = vec![right];
        let mut first = left;
        while let ExprKind::Binary(same, left, right) = &first.kind
            && *same == operator
        {
            parts.push(right);
            first = left;
        }
        let mut learnt = Vec::new();
        let mut all = self.compile_condition(first);
        let mut last = self.condition_facts(&all);
        for part in parts.into_iter().rev() {
            learnt.push(self.learn_facts(if operator == BinaryOp::And { last.holds } else { last.fails }));
            let part = self.compile_condition(part);
            last = self.condition_facts(&part);
            let (left, right) = (Box::new(all), Box::new(part));
            all = if operator == BinaryOp::And { Expr::And(left, right) } else { Expr::Or(left, right) };
        }
        learnt.into_iter().rev().for_each(|learnt| self.function.presence.unlearn_facts(learnt));
        all
    }

    /// Turns an operand into a list. A single value counts as one, too, if `beside`, the type of the other operand, is a list of
    /// such values.
    fn convert_operand_to_list(&mut self, expr: Expr, of: &Type, beside: &Type) -> Option<(Expr, Type)> {
        match beside {
            Type::List(item) if **item == *of => Some((Expr::Single(Box::new(expr)), of.clone())),
            _ => self.convert_to_list(expr, of.clone()),
        }
    }

    /// Compiles arithmetic on two compiled operands; `+` also joins lists. Times halves stays halves, so there neither factor is
    /// doubled.
    fn compile_arithmetic(&mut self, operator: BinaryOp, left: (Expr, Type), right: (Expr, Type), span: Span) -> (Expr, Type) {
        if operator == BinaryOp::Plus && !(left.1.is_number() && right.1.is_number()) {
            let lists = (
                self.convert_operand_to_list(left.0, &left.1, &right.1),
                self.convert_operand_to_list(right.0, &right.1, &left.1),
            );
            if let (Some((left, item)), Some((right, other))) = lists {
                let item = if item == Type::Unknown { other } else { item };
                return (Expr::Concatenate(Box::new(left), Box::new(right)), item.into_list());
            }
            let (one, other) = (self.type_text(&left.1), self.type_text(&right.1));
            self.report_error(
                codes::NOT_COMPARABLE,
                format!("`+` adds numbers or joins lists, but here are {one} and {other}"),
                span,
                "cannot be added",
            );
            return (Expr::Constant(NONE), Type::Unknown);
        }
        if !(left.1.is_number() && right.1.is_number()) {
            let (one, other) = (self.type_text(&left.1), self.type_text(&right.1));
            self.report_error(
                codes::WRONG_TYPE,
                format!("this calculates with numbers, but here are {one} and {other}"),
                span,
                "not numbers",
            );
            return (Expr::Constant(NONE), Type::Unknown);
        }
        let halves = left.1 == Type::Halves || right.1 == Type::Halves;
        let times = operator == BinaryOp::Times;
        let left_expr = if halves && !times && left.1 == Type::Number { double_value(left.0) } else { left.0 };
        let right_expr = if halves && !times && right.1 == Type::Number { double_value(right.0) } else { right.0 };
        let (a, b) = (Box::new(left_expr), Box::new(right_expr));
        let expr = match operator {
            BinaryOp::Plus => Expr::Add(a, b),
            BinaryOp::Minus => Expr::Subtract(a, b),
            BinaryOp::Times => Expr::Multiply(a, b),
            BinaryOp::AtLeast => Expr::AtLeast(a, b),
            _ => Expr::AtMost(a, b),
        };
        (expr, if halves { Type::Halves } else { Type::Number })
    }

    /// Compiles `=`, `<` and so on: of numbers, of lists of numbers, or whether two things are the same.
    fn compile_comparison(&mut self, comparison: Comparison, left: &Written, right: &Written) -> (Expr, Type) {
        let (left_expr, left_type) = self.compile_expression(left);
        let left_reach = self.number_range(left, &left_expr, &left_type);
        if let Some(word) = self.compile_word(right, &left_type) {
            return (Expr::Compare(comparison, Box::new(left_expr), Box::new(word)), Type::Flag);
        }
        let (right_expr, right_type) = self.compile_expression(right);
        let reaches = (left_reach, self.number_range(right, &right_expr, &right_type));
        self.warn_if_settled(comparison, reaches, left.span.extend_to(right.span));
        let (left_expr, right_expr) = match (&left_type, &right_type) {
            (Type::Halves, Type::Number) => (left_expr, double_value(right_expr)),
            (Type::Number, Type::Halves) => (double_value(left_expr), right_expr),
            _ => (left_expr, right_expr),
        };
        if left_type.is_number() && right_type.is_number() {
            return (Expr::Compare(comparison, Box::new(left_expr), Box::new(right_expr)), Type::Flag);
        }
        if let (Type::List(_) | Type::Zone(_), Type::List(_) | Type::Zone(_)) = (&left_type, &right_type)
            && let (Some((a, one)), Some((b, other))) = (
                self.convert_to_list(left_expr.clone(), left_type.clone()),
                self.convert_to_list(right_expr.clone(), right_type.clone()),
            )
        {
            if !(one.is_number() && other.is_number()) {
                self.report_not_comparable(comparison, (left, &left_type), (right, &right_type));
            }
            return (Expr::CompareLists(comparison, Box::new(a), Box::new(b)), Type::Flag);
        }
        let several = |of: &Type| matches!(of, Type::List(_) | Type::Zone(_));
        if several(&left_type) && right_type == Type::None || left_type == Type::None && several(&right_type) {
            self.report_not_comparable(comparison, (left, &left_type), (right, &right_type));
            return (Expr::Constant(0), Type::Flag);
        }
        let same = left_type.without_none() == right_type.without_none() || left_type == Type::None || right_type == Type::None;
        let identity = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
        if same && identity || left_type == Type::Unknown || right_type == Type::Unknown {
            return (Expr::Compare(comparison, Box::new(left_expr), Box::new(right_expr)), Type::Flag);
        }
        self.report_not_comparable(comparison, (left, &left_type), (right, &right_type));
        (Expr::Constant(0), Type::Flag)
    }

    /// The error for values that cannot be compared, with a suggestion.
    fn report_not_comparable(&mut self, comparison: Comparison, left: (&Written, &Type), right: (&Written, &Type)) {
        let (one, other) = (self.type_text(left.1), self.type_text(right.1));
        let problem = Problem::error(codes::NOT_COMPARABLE, format!("{one} cannot be compared with {other}"));
        let problem = problem.with_label(left.0.span.extend_to(right.0.span), "cannot be compared");
        let help = self.suggest_comparison(comparison, left.1, right.1);
        self.problems.push(help.into_iter().fold(problem, Problem::help));
    }

    /// Compiles `a is b`, where `b` is a word, a mark, an action, a family or an equal value.
    pub(super) fn compile_is(&mut self, left: &Written, right: &Written) -> (Expr, Type) {
        let (left_expr, left_type) = self.compile_expression(left);
        if let Some(word) = self.compile_word(right, &left_type) {
            return (Expr::Compare(Comparison::Equal, Box::new(left_expr), Box::new(word)), Type::Flag);
        }
        if let ExprKind::Name(name) = &right.kind
            && self.find_local(name).is_none()
        {
            if let Some(mark) = self.symbols.find_mark(name).filter(|_| matches!(left_type.without_none(), Type::Entity(_))) {
                return (Expr::HasMark { of: Box::new(left_expr), mark }, Type::Flag);
            }
            if let Type::Move(_) | Type::Moves(_) = left_type.without_none() {
                let of = Box::new(left_expr.clone());
                if let Some(action) = self.program.actions.iter().position(|action| action.name == *name) {
                    return (Expr::MoveIs { of, action: action as u16 }, Type::Flag);
                }
                if let Some(family) = self.symbols.find_family(name) {
                    return (Expr::MoveIn { of, family }, Type::Flag);
                }
            }
        }
        if matches!(left_type.without_none(), Type::Number | Type::Halves) && !matches!(right.kind, ExprKind::None) {
            let problem = Problem::error(codes::NOT_COMPARABLE, "numbers are compared with `=`, not with `is`");
            self.problems.push(problem.with_label(left.span.extend_to(right.span), "here").help("write `=` or `!=`"));
        }
        let (right_expr, right_type) = self.compile_expression(right);
        let comparable = left_type.without_none() == right_type.without_none()
            || matches!(left_type, Type::None | Type::Unknown)
            || matches!(right_type, Type::None | Type::Unknown)
            || matches!((left_type.without_none(), right_type.without_none()), (Type::Zone(_), Type::Zone(_)));
        if !comparable {
            let (one, other) = (self.type_text(&left_type), self.type_text(&right_type));
            self.report_error(
                codes::NOT_COMPARABLE,
                format!("{one} is never {other}"),
                left.span.extend_to(right.span),
                "never the same",
            );
        }
        if matches!(left_type, Type::List(_)) {
            let empty =
                Expr::Compare(Comparison::Equal, Box::new(Expr::CountList(Box::new(left_expr))), Box::new(Expr::Constant(0)));
            return (empty, Type::Flag);
        }
        (Expr::Compare(Comparison::Equal, Box::new(left_expr), Box::new(right_expr)), Type::Flag)
    }

    /// Compiles `a is odd`, `a is even` and `a is empty`.
    pub(super) fn compile_is_state(&mut self, left: &Written, state: StateWord) -> Expr {
        match state {
            StateWord::Odd | StateWord::Even => {
                let number = self.compile_number(left);
                let odd = Expr::IsOdd(Box::new(number));
                if state == StateWord::Odd { odd } else { Expr::Not(Box::new(odd)) }
            }
            StateWord::Empty => {
                let (count, _) = self.compile_builtin(COUNT, left);
                Expr::Compare(Comparison::Equal, Box::new(count), Box::new(Expr::Constant(0)))
            }
        }
    }

    /// Compiles `a in b`, where `b` is a zone or a list.
    pub(super) fn compile_is_in(&mut self, item: &Written, set: &Written) -> Expr {
        let (item_expr, item_type) = self.compile_expression(item);
        let words = item_type.without_none().clone().into_list();
        let (set_expr, set_type) = match self.compile_word(set, &words) {
            Some(list) => (list, words),
            None => self.compile_expression(set),
        };
        if let Type::Zone(_) = set_type.without_none() {
            return Expr::InZone { item: Box::new(item_expr), zone: Box::new(set_expr) };
        }
        match self.convert_to_list(set_expr, set_type.clone()) {
            Some((list, found)) => {
                if found != *item_type.without_none() && found != Type::Unknown && item_type != Type::Unknown {
                    let (one, other) = (self.type_text(&item_type), self.type_text(&set_type));
                    self.report_error(
                        codes::NOT_COMPARABLE,
                        format!("{one} is never in {other}"),
                        item.span.extend_to(set.span),
                        "never there",
                    );
                }
                Expr::InList { item: Box::new(item_expr), list: Box::new(list) }
            }
            None => {
                let words = self.type_text(&set_type);
                self.report_error(
                    codes::NOT_MANY,
                    format!("`in` needs several things, but this is {words}"),
                    set.span,
                    "not several",
                );
                Expr::Constant(0)
            }
        }
    }

    /// Compiles `if a then b else c`. Both branches must have one type, but may differ in `or none` and in halves.
    pub(super) fn compile_if_expression(&mut self, condition: &Written, yes: &Written, no: &Written) -> (Expr, Type) {
        let condition = self.compile_condition(condition);
        let told = self.condition_facts(&condition);
        let (yes_expr, yes_type) = self.with_facts(told.holds, |compiler| compiler.compile_expression(yes));
        let (no_expr, no_type) = self.with_facts(told.fails, |compiler| compiler.compile_expression(no));
        let of = match (&yes_type, &no_type) {
            (Type::None, list @ Type::List(_)) | (list @ Type::List(_), Type::None) => list.clone(),
            (Type::None, other) | (other, Type::None) => other.clone().or_none(),
            (Type::Unknown, other) | (other, Type::Unknown) => other.clone(),
            (Type::Halves, Type::Number) | (Type::Number, Type::Halves) => Type::Halves,
            (one, other) if one == other => one.clone(),
            (one, other) if one.without_none() == other.without_none() => one.clone().or_none(),
            (one, other) => {
                let lists = matches!((one, other), (Type::Zone(_), Type::List(_)) | (Type::List(_), Type::Zone(_)));
                let (one, other) = (self.type_text(one), self.type_text(other));
                let problem = Problem::error(codes::BRANCHES_DIFFER, format!("`then` gives {one}, but `else` gives {other}"))
                    .with_label(yes.span, format!("this is {one}"))
                    .with_label(no.span, format!("this is {other}"));
                self.problems.push(match lists {
                    true => problem.help("write `… where yes` after the zone to make a list of it; a list is never `none`"),
                    false => problem.help("give the same type in both; one of them may be `none`"),
                });
                Type::Unknown
            }
        };
        // A branch known at compile time needs no test: options are fixed for a program.
        let alike = |expr: Expr, found: &Type| match (&of, found) {
            (Type::Halves, Type::Number) => double_value(expr),
            (Type::List(_), Type::None) => Expr::ListOf(Vec::new()),
            _ => expr,
        };
        let (yes_expr, no_expr) = (alike(yes_expr, &yes_type), alike(no_expr, &no_type));
        let expr = match constant_condition(&condition) {
            Some(true) => yes_expr,
            Some(false) => no_expr,
            None => Expr::If(Box::new(condition), Box::new(yes_expr), Box::new(no_expr)),
        };
        (expr, of)
    }

    /// Compiles `the one of xs with highest key` (`one`) and `those of xs with highest key`.
    pub(super) fn compile_best(&mut self, one: bool, set: &Written, keys: &[Key]) -> (Expr, Type) {
        let (set, name) = set.set_and_name();
        let (list, item) = self.compile_list(set);
        let (slot, keys) = self.with_member(name, &list, &item, |compiler| {
            keys.iter().map(|key| compiler.compile_best_key(key)).collect::<Vec<_>>()
        });
        let list = Box::new(list);
        if one {
            (Expr::BestOne { list, slot, keys }, item.or_none())
        } else {
            (Expr::BestAll { list, slot, keys }, item.into_list())
        }
    }

    /// Compiles a key: a number, or a list of numbers that is compared member by member.
    fn compile_best_key(&mut self, key: &Key) -> BestKey {
        let highest = key.extreme == Extreme::Highest;
        let (value, of) = self.compile_expression(&key.value);
        if let Type::List(_) = of {
            return BestKey { highest, value, list: true, short_is_high: key.missing == Some(Extreme::Highest) };
        }
        let words = self.type_text(&of);
        if !of.is_number() {
            self.report_error(
                codes::NOT_COMPARABLE,
                format!("things are compared by a number or a list of numbers, but this is {words}"),
                key.value.span,
                "not a number",
            );
        } else if key.missing.is_some() && of != Type::Unknown {
            let problem = Problem::error(
                codes::NOT_COMPARABLE,
                format!("`missing` compares lists of different length, but this is {words}"),
            );
            self.problems.push(
                problem
                    .with_label(key.value.span, "not a list")
                    .help("leave out `missing`, or compare by a list, as in `lowest sorted …`"),
            );
        }
        BestKey { highest, value, list: false, short_is_high: false }
    }
}

/// Suggests brackets for a bound that was meant to cover less to its left, or more to its right.
fn suggest_brackets(operator: BinaryOp, left: &Written) -> Option<String> {
    let ExprKind::Binary(before, ..) = &left.kind else { return None };
    let is_sum = |operator| matches!(operator, BinaryOp::Plus | BinaryOp::Minus | BinaryOp::Without);
    let bound = |operator| match operator {
        BinaryOp::AtLeast => Some("but at least"),
        BinaryOp::AtMost => Some("but at most"),
        _ => None,
    };
    match (bound(*before), bound(operator)) {
        (None, Some(words)) if is_sum(*before) => {
            Some(format!("`{words}` bounds everything before it; to bound only a part, write `a + (b {words} c)`"))
        }
        (Some(words), None) if is_sum(operator) => {
            Some(format!("the bound ends before `+` and `-`; if they belong to it, write `a {words} (b - c)`"))
        }
        _ => None,
    }
}

pub(super) fn negate_if(expr: Expr, negated: bool) -> Expr {
    if negated { Expr::Not(Box::new(expr)) } else { expr }
}

/// Turns a number into the same number of halves.
pub(super) fn double_value(expr: Expr) -> Expr {
    match expr {
        Expr::Constant(value) if value != NONE => Expr::Constant(value.saturating_mul(2)),
        other => Expr::Multiply(Box::new(other), Box::new(Expr::Constant(2))),
    }
}

/// The value of a condition, if constants or options settle it.
pub(super) fn constant_condition(expr: &Expr) -> Option<bool> {
    match expr {
        Expr::Constant(value) => Some(*value != 0),
        Expr::Not(inner) => constant_condition(inner).map(|holds| !holds),
        Expr::Compare(comparison, left, right) => match (left.as_ref(), right.as_ref()) {
            (Expr::Constant(left), Expr::Constant(right)) => Some(comparison.holds_for(*left, *right)),
            _ => None,
        },
        Expr::And(left, right) => match (constant_condition(left), constant_condition(right)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        },
        Expr::Or(left, right) => match (constant_condition(left), constant_condition(right)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        },
        _ => None,
    }
}
