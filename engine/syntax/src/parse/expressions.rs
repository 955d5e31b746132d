//! Expressions and texts. The builders follow the same plan as those of `statements`. Each operator level is a rule of the
//! grammar of its own, even where a text has no operator of that level.

use super::Rule;
use super::tree::{Builder, Pair, Parts, inner_parts};
use crate::codes;
use crate::problem::{Problem, on_one_line};
use crate::source::Span;
use crate::tree::{BinaryOp, BoardWord, Expr, ExprKind, Extreme, Key, Name, Quantifier, StateWord, Text, TextPart};

/// Number of tree levels that a whole expression counts for, because it may contain one of each kind.
const EXPRESSION_LEVELS: usize = 4;

impl Builder<'_> {
    /// Any expression, with a `where` that may follow it.
    pub fn build_expr(&mut self, pair: Pair) -> Option<Expr> {
        let span = self.pair_span(&pair);
        self.build_deeper(EXPRESSION_LEVELS, span, |builder| {
            let mut parts = inner_parts(pair);
            let value = builder.build_whole_expr(parts.next()?)?;
            builder.with_where(value, &mut parts)
        })
    }

    /// A default: `sum where …`.
    pub fn build_value(&mut self, pair: Pair) -> Option<Expr> {
        let mut parts = inner_parts(pair);
        let value = parts.build_one(self, Rule::sum, Self::build_sum)?;
        self.with_where(value, &mut parts)
    }

    /// The forms that are only allowed as a whole expression or in brackets, or operators.
    fn build_whole_expr(&mut self, pair: Pair) -> Option<Expr> {
        match pair.as_rule() {
            Rule::if_expr => self.build_if_expr(pair),
            Rule::supposing => self.build_supposing(pair),
            _ => self.build_or_expr(pair),
        }
    }

    /// Returns the set, or the set with the `where` that follows it.
    fn with_where(&mut self, set: Expr, parts: &mut Parts) -> Option<Expr> {
        let Some(pair) = parts.take_part(Rule::where_) else {
            return Some(set);
        };
        let mut parts = super::tree::inner_parts(pair);
        let set = self.with_name(set, &mut parts)?;
        let condition = parts.build_one(self, Rule::or_expr, Self::build_or_expr)?;
        let span = set.span.extend_to(condition.span);
        Some(Expr { kind: ExprKind::Where(Box::new(set), Box::new(condition)), span })
    }

    /// `xs as other`
    fn with_name(&mut self, set: Expr, parts: &mut Parts) -> Option<Expr> {
        let name = parts.build_optional(self, Rule::called, |builder, pair| {
            builder.build_declared_name(&mut super::tree::inner_parts(pair))
        })?;
        let Some(name) = name else { return Some(set) };
        let span = set.span.extend_to(name.span);
        Some(Expr { kind: ExprKind::Called(Box::new(set), name), span })
    }

    /// `if a then b else c`
    fn build_if_expr(&mut self, pair: Pair) -> Option<Expr> {
        let span = self.pair_span(&pair);
        let mut parts = inner_parts(pair);
        let condition = parts.build_one(self, Rule::or_expr, Self::build_or_expr)?;
        let yes = parts.build_one(self, Rule::expr, Self::build_expr)?;
        let no = parts.build_one(self, Rule::expr, Self::build_expr)?;
        Some(Expr { kind: ExprKind::If(Box::new(condition), Box::new(yes), Box::new(no)), span })
    }

    /// `supposing die.value = 3 and … then a`
    fn build_supposing(&mut self, pair: Pair) -> Option<Expr> {
        let span = self.pair_span(&pair);
        let mut parts = inner_parts(pair);
        let supposed = parts.build_all(self, Rule::suppose, Self::build_supposition)?;
        let value = parts.build_one(self, Rule::expr, Self::build_expr)?;
        Some(Expr { kind: ExprKind::Supposing(supposed, Box::new(value)), span })
    }

    /// The field and the value in `die.value = 3`.
    fn build_supposition(&mut self, pair: Pair) -> Option<(Expr, Expr)> {
        let mut parts = inner_parts(pair);
        Some((parts.build_one(self, Rule::postfix, Self::build_postfix)?, parts.build_one(self, Rule::sum, Self::build_sum)?))
    }

    // --- operators, from the loosest to the tightest ---

    /// `a or b`
    pub fn build_or_expr(&mut self, pair: Pair) -> Option<Expr> {
        self.build_chain(pair, Self::build_and_expr, |builder, pair| {
            let span = builder.pair_span(&pair);
            if pair.as_str().starts_with('|') {
                builder.report_spelling(span, "||", "or");
            }
            Some(BinaryOp::Or)
        })
    }

    /// `a and b`
    fn build_and_expr(&mut self, pair: Pair) -> Option<Expr> {
        self.build_chain(pair, Self::build_not_expr, |builder, pair| {
            let span = builder.pair_span(&pair);
            if pair.as_str().starts_with('&') {
                builder.report_spelling(span, "&&", "and");
            }
            Some(BinaryOp::And)
        })
    }

    /// Operands with operators between them, combined from the left.
    fn build_chain(
        &mut self,
        pair: Pair,
        operand: fn(&mut Self, Pair) -> Option<Expr>,
        operator: fn(&mut Self, Pair) -> Option<BinaryOp>,
    ) -> Option<Expr> {
        let span = self.pair_span(&pair);
        let operators = pair.clone().into_inner().count() / 2;
        self.build_deeper(operators, span, |builder| {
            let mut parts = inner_parts(pair);
            let mut left = operand(builder, parts.next()?)?;
            while let Some(between) = parts.next() {
                let op = operator(builder, between)?;
                let right = operand(builder, parts.next()?)?;
                left = binary_expr(op, left, right);
            }
            Some(left)
        })
    }

    /// `not a`, or a comparison without it.
    fn build_not_expr(&mut self, pair: Pair) -> Option<Expr> {
        let span = self.pair_span(&pair);
        let mut parts = inner_parts(pair);
        let mut starts = Vec::new();
        while let Some(not) = parts.take_part(Rule::not_op) {
            let place = self.pair_span(&not);
            if not.as_str().starts_with('!') {
                self.report_spelling(place, "!", "not");
            }
            starts.push(place);
        }
        let comparison = parts.take_part(Rule::comparison)?;
        self.build_deeper(starts.len(), span, |builder| {
            let mut value = builder.build_comparison(comparison)?;
            for start in starts.into_iter().rev() {
                let span = start.extend_to(value.span);
                value = Expr { kind: ExprKind::Not(Box::new(value)), span };
            }
            Some(value)
        })
    }

    /// A sum, perhaps in a comparison (`a < b`) or a test (`a is b`, `a in set`).
    fn build_comparison(&mut self, pair: Pair) -> Option<Expr> {
        let span = self.pair_span(&pair);
        let mut parts = inner_parts(pair);
        let left = parts.build_one(self, Rule::sum, Self::build_sum)?;
        let Some(tail) = parts.next() else {
            return Some(left);
        };
        if tail.as_rule() == Rule::comparing {
            return self.build_comparison_chain(left, tail, parts);
        }
        let kind = self.build_test(left, tail)?;
        Some(Expr { kind, span })
    }

    /// Builds `left` with the test that follows it: `is …` or `in …`.
    fn build_test(&mut self, left: Expr, tail: Pair) -> Option<ExprKind> {
        match tail.as_rule() {
            Rule::is_state => self.build_is_state(left, tail),
            Rule::is_a => self.build_is_a(left, tail),
            Rule::is_than => self.build_is_than(left, tail),
            Rule::is_ => self.build_is(left, tail),
            Rule::in_ => self.build_in(left, tail),
            _ => None,
        }
    }

    /// `a < b`; `a < b < c` is reported, and parsed as `a < b and b < c`.
    fn build_comparison_chain(&mut self, left: Expr, first: Pair, mut parts: Parts) -> Option<Expr> {
        let (op, right) = self.build_comparison_tail(first)?;
        let mut middle = right.clone();
        let mut all = binary_expr(op, left, right);
        let more = parts.rest_count();
        self.build_deeper(more, all.span, |builder| {
            while let Some(tail) = parts.take_part(Rule::comparing) {
                let place = builder.pair_span(&tail);
                let (op, right) = builder.build_comparison_tail(tail)?;
                builder.report_wrong_form(place, "only two values are compared at a time", "write `and` between two comparisons");
                let next = binary_expr(op, middle, right.clone());
                all = binary_expr(BinaryOp::And, all, next);
                middle = right;
            }
            Some(all)
        })
    }

    /// The operator and the right operand: `< b`.
    fn build_comparison_tail(&mut self, pair: Pair) -> Option<(BinaryOp, Expr)> {
        let mut parts = inner_parts(pair);
        let sign = parts.take_part(Rule::compare_op)?;
        let (right_sign, op) = match sign.as_str() {
            "=" | "==" => ("=", BinaryOp::Equal),
            "!=" | "<>" | "≠" => ("!=", BinaryOp::NotEqual),
            "<=" | "=<" | "≤" => ("<=", BinaryOp::LessEqual),
            ">=" | "=>" | "≥" => (">=", BinaryOp::GreaterEqual),
            "<" => ("<", BinaryOp::Less),
            _ => (">", BinaryOp::Greater),
        };
        if sign.as_str() != right_sign {
            let place = self.pair_span(&sign);
            self.report_spelling(place, sign.as_str(), right_sign);
        }
        Some((op, parts.build_one(self, Rule::sum, Self::build_sum)?))
    }

    /// `a is empty`, `a is not odd`
    fn build_is_state(&mut self, left: Expr, pair: Pair) -> Option<ExprKind> {
        let mut parts = inner_parts(pair);
        let negated = parts.take_if_present(Rule::negated);
        let state = match parts.next()?.as_rule() {
            Rule::empty => StateWord::Empty,
            Rule::odd => StateWord::Odd,
            _ => StateWord::Even,
        };
        Some(ExprKind::IsState { negated, left: Box::new(left), state })
    }

    /// `a is a monster`
    fn build_is_a(&mut self, left: Expr, pair: Pair) -> Option<ExprKind> {
        let mut parts = inner_parts(pair);
        let negated = parts.take_if_present(Rule::negated);
        Some(ExprKind::IsA { negated, left: Box::new(left), kind: parts.build_one(self, Rule::name, Self::build_name)? })
    }

    /// `a is at least b` is reported, and parsed as `a >= b`.
    fn build_is_than(&mut self, left: Expr, pair: Pair) -> Option<ExprKind> {
        let start = self.pair_span(&pair);
        let words = pair.as_str();
        let mut parts = inner_parts(pair);
        let negated = parts.take_if_present(Rule::negated);
        let (op, sign) = match (parts.next()?.as_rule(), negated) {
            (Rule::than_least, false) | (Rule::than_less, true) => (BinaryOp::GreaterEqual, ">="),
            (Rule::than_most, false) | (Rule::than_more, true) => (BinaryOp::LessEqual, "<="),
            (Rule::than_more, false) | (Rule::than_most, true) => (BinaryOp::Greater, ">"),
            (Rule::than_less, false) | (Rule::than_least, true) => (BinaryOp::Less, "<"),
            (_, false) => (BinaryOp::Equal, "="),
            (_, true) => (BinaryOp::NotEqual, "!="),
        };
        let right = parts.build_one(self, Rule::sum, Self::build_sum)?;
        let length = right.span.start.saturating_sub(start.start) as usize;
        let phrase = on_one_line(words.get(..length).unwrap_or(words));
        let place = Span { end: start.start + words.get(..length).unwrap_or(words).trim_end().len() as u32, ..start };
        self.report_spelling(place, &phrase, sign);
        Some(binary_expr(op, left, right).kind)
    }

    /// `a is b`, `a is not b`
    fn build_is(&mut self, left: Expr, pair: Pair) -> Option<ExprKind> {
        let mut parts = inner_parts(pair);
        let negated = parts.take_if_present(Rule::negated);
        let right = parts.build_one(self, Rule::sum, Self::build_sum)?;
        Some(ExprKind::Is { negated, left: Box::new(left), right: Box::new(right) })
    }

    /// `x in set`, `x in 1..6`
    fn build_in(&mut self, item: Expr, pair: Pair) -> Option<ExprKind> {
        let mut parts = inner_parts(pair);
        let negated = parts.take_if_present(Rule::negated);
        let first = parts.build_one(self, Rule::sum, Self::build_sum)?;
        let set = match parts.build_optional(self, Rule::in_end, Self::build_inner_sum)? {
            Some(last) => range_expr(first, last),
            None => first,
        };
        Some(ExprKind::In { negated, item: Box::new(item), set: Box::new(set) })
    }

    /// `a + b`, `xs without ys`, `a but at least b`
    pub fn build_sum(&mut self, pair: Pair) -> Option<Expr> {
        self.build_chain(pair, Self::build_product, |_, pair| {
            Some(match inner_parts(pair).next()?.as_rule() {
                Rule::plus => BinaryOp::Plus,
                Rule::minus => BinaryOp::Minus,
                Rule::without => BinaryOp::Without,
                Rule::at_least => BinaryOp::AtLeast,
                _ => BinaryOp::AtMost,
            })
        })
    }

    /// The single sum within a pair.
    pub fn build_inner_sum(&mut self, pair: Pair) -> Option<Expr> {
        inner_parts(pair).build_one(self, Rule::sum, Self::build_sum)
    }

    /// The single expression within a pair.
    pub fn build_inner_expr(&mut self, pair: Pair) -> Option<Expr> {
        inner_parts(pair).build_one(self, Rule::expr, Self::build_expr)
    }

    /// `a * b`, `a divided by b rounded down`
    fn build_product(&mut self, pair: Pair) -> Option<Expr> {
        let span = self.pair_span(&pair);
        let tails = pair.clone().into_inner().count().saturating_sub(1);
        self.build_deeper(tails, span, |builder| {
            let mut parts = inner_parts(pair);
            let mut left = parts.build_one(builder, Rule::prefix, Self::build_prefix)?;
            while let Some(tail) = parts.next() {
                left = builder.build_product_tail(left, tail)?;
            }
            Some(left)
        })
    }

    /// Builds `left` with the operator and operand that follow it.
    fn build_product_tail(&mut self, left: Expr, pair: Pair) -> Option<Expr> {
        let place = self.pair_span(&pair);
        let rule = pair.as_rule();
        let mut parts = inner_parts(pair);
        let right = parts.build_one(self, Rule::prefix, Self::build_prefix)?;
        Some(match rule {
            Rule::times_tail => binary_expr(BinaryOp::Times, left, right),
            Rule::divided_tail => division_expr(left, right, parts.take_if_present(Rule::rounded_up), place),
            _ => {
                self.report_slash(&left, &right, place);
                division_expr(left, right, false, place)
            }
        })
    }

    /// Reports `a / b`, which does not say how it is rounded.
    fn report_slash(&mut self, left: &Expr, right: &Expr, place: Span) {
        let left = self.source_text(left.span);
        let divided = format!("`{left} divided by {} rounded down`", self.source_text(right.span));
        let sign = Span { end: place.start + 1, ..place };
        let problem = Problem::error(codes::FOREIGN_FORM, "a division says how it is rounded").with_label(sign, "`/` does not");
        let help = match right.kind {
            ExprKind::Number(2) => format!("write {divided}, or `half of {left}` to keep the half that may be left"),
            _ => format!("write {divided}, or `rounded up`"),
        };
        self.problems.push(problem.help(help));
    }

    /// The code of a span, on one line.
    pub fn source_text(&self, span: Span) -> String {
        on_one_line(self.scanned.code.get(span.start as usize..span.end as usize).unwrap_or(""))
    }

    /// A form that begins with a word, such as `sum of xs`, or a postfix.
    fn build_prefix(&mut self, pair: Pair) -> Option<Expr> {
        let span = self.pair_span(&pair);
        let inner = inner_parts(pair).next()?;
        if inner.as_rule() == Rule::postfix {
            return self.build_postfix(inner);
        }
        let kind = self.build_deeper(1, span, |builder| builder.build_prefix_kind(inner))?;
        Some(Expr { kind, span })
    }

    /// A form that begins with a word or a `-`.
    fn build_prefix_kind(&mut self, pair: Pair) -> Option<ExprKind> {
        match pair.as_rule() {
            Rule::of_word => self.build_of_word(pair),
            Rule::keep => self.build_keep(pair),
            Rule::sorted => self.build_sorted(pair),
            Rule::top_of => self.build_top_of(pair),
            Rule::nth => self.build_nth(pair),
            Rule::remainder => self.build_remainder(pair),
            Rule::cell_at | Rule::run_from | Rule::row_at | Rule::column_at | Rule::board_lines | Rule::lines_of => {
                self.build_on_board(pair)
            }
            Rule::quantified => self.build_quantified(pair),
            Rule::best => self.build_best(pair),
            Rule::can => self.build_can(pair),
            Rule::negative => self.build_negative(pair),
            _ => None,
        }
    }

    /// `sum of xs`, `first of xs where …`
    fn build_of_word(&mut self, pair: Pair) -> Option<ExprKind> {
        let mut parts = inner_parts(pair);
        let word = parts.take_part(Rule::of_name)?.as_str().to_string();
        Some(ExprKind::Of(word, Box::new(self.build_set_of(&mut parts)?)))
    }

    /// `prefix where …`
    fn build_set_of(&mut self, parts: &mut Parts) -> Option<Expr> {
        let set = parts.build_one(self, Rule::prefix, Self::build_prefix)?;
        self.with_where(set, parts)
    }

    /// `highest 3 of xs`
    fn build_keep(&mut self, pair: Pair) -> Option<ExprKind> {
        let mut parts = inner_parts(pair);
        let extreme = parts.build_one(self, Rule::extreme, Self::build_extreme)?;
        let count = Box::new(parts.build_one(self, Rule::product, Self::build_product)?);
        Some(ExprKind::Keep { extreme, count, list: Box::new(self.build_set_of(&mut parts)?) })
    }

    /// `sorted down xs missing lowest`
    fn build_sorted(&mut self, pair: Pair) -> Option<ExprKind> {
        let mut parts = inner_parts(pair);
        let down = parts.take_if_present(Rule::down);
        let list = Box::new(parts.build_one(self, Rule::prefix, Self::build_prefix)?);
        let missing = parts.build_optional(self, Rule::missing, Self::build_missing)?;
        Some(ExprKind::Sorted { down, list, missing })
    }

    /// `missing highest`: of two lists, one that ends early counts as the higher.
    fn build_missing(&mut self, pair: Pair) -> Option<Extreme> {
        inner_parts(pair).build_one(self, Rule::extreme, Self::build_extreme)
    }

    /// `lowest` or `highest`
    fn build_extreme(&mut self, pair: Pair) -> Option<Extreme> {
        Some(if pair.as_str() == "lowest" { Extreme::Lowest } else { Extreme::Highest })
    }

    /// `top 2 of deck`
    fn build_top_of(&mut self, pair: Pair) -> Option<ExprKind> {
        let mut parts = inner_parts(pair);
        let number = parts.build_one(self, Rule::product, Self::build_product)?;
        Some(ExprKind::Top(Box::new(number), Box::new(self.build_set_of(&mut parts)?)))
    }

    /// `member 3 of xs`
    fn build_nth(&mut self, pair: Pair) -> Option<ExprKind> {
        let mut parts = inner_parts(pair);
        let place = parts.build_one(self, Rule::sum, Self::build_sum)?;
        Some(ExprKind::Nth(Box::new(place), Box::new(self.build_set_of(&mut parts)?)))
    }

    /// `remainder of a divided by b`
    fn build_remainder(&mut self, pair: Pair) -> Option<ExprKind> {
        let mut parts = inner_parts(pair);
        let number = Box::new(parts.build_one(self, Rule::prefix, Self::build_prefix)?);
        let by = Box::new(parts.build_one(self, Rule::prefix, Self::build_prefix)?);
        Some(ExprKind::Binary(BinaryOp::Remainder, number, by))
    }

    /// Properties of a board or a cell: numbers first, then the board or the cell.
    fn build_on_board(&mut self, pair: Pair) -> Option<ExprKind> {
        let mut word = match pair.as_rule() {
            Rule::cell_at => BoardWord::Cell,
            Rule::run_from => BoardWord::Run,
            Rule::row_at => BoardWord::Row,
            Rule::column_at => BoardWord::Column,
            _ => BoardWord::Lines,
        };
        let mut parts = inner_parts(pair);
        if let Some(all) = parts.take_part(Rule::board_word) {
            word = match all.as_str() {
                "rows" => BoardWord::Rows,
                "columns" => BoardWord::Columns,
                _ => BoardWord::Diagonals,
            };
        }
        let mut operands = parts.build_all(self, Rule::sum, Self::build_sum)?;
        if parts.take_if_present(Rule::through) {
            word = BoardWord::LinesThrough;
        }
        operands.push(parts.build_one(self, Rule::prefix, Self::build_prefix)?);
        Some(ExprKind::OnBoard(word, operands))
    }

    /// `any of xs has a`, `all of xs as x has a`, `none of xs has a`
    fn build_quantified(&mut self, pair: Pair) -> Option<ExprKind> {
        let mut parts = inner_parts(pair);
        let which = match parts.take_part(Rule::quantifier)?.as_str() {
            "any" => Quantifier::Any,
            "all" => Quantifier::All,
            _ => Quantifier::NoneOf,
        };
        let set = self.build_set_of(&mut parts)?;
        let set = Box::new(self.with_name(set, &mut parts)?);
        let condition = Box::new(parts.build_one(self, Rule::not_expr, Self::build_not_expr)?);
        Some(ExprKind::Quantified { which, set, condition })
    }

    /// `the one of xs with highest a, then lowest b`, `those of xs with …`
    fn build_best(&mut self, pair: Pair) -> Option<ExprKind> {
        let mut parts = inner_parts(pair);
        let one = parts.next()?.as_rule() == Rule::the_one;
        let set = self.build_set_of(&mut parts)?;
        let set = Box::new(self.with_name(set, &mut parts)?);
        let keys = parts.build_all(self, Rule::best_key, Self::build_best_key)?;
        Some(ExprKind::Best { one, set, keys })
    }

    /// `highest a`
    fn build_best_key(&mut self, pair: Pair) -> Option<Key> {
        let mut parts = inner_parts(pair);
        let extreme = parts.build_one(self, Rule::extreme, Self::build_extreme)?;
        let mut value = parts.build_one(self, Rule::sum, Self::build_sum)?;
        let missing = parts.build_optional(self, Rule::missing, Self::build_missing)?.or_else(|| take_missing_at_end(&mut value));
        Some(Key { extreme, value, missing })
    }

    /// `can hop(side)`, `may hop(side)`
    fn build_can(&mut self, pair: Pair) -> Option<ExprKind> {
        let mut parts = inner_parts(pair);
        let obliging = parts.build_optional(self, Rule::may, |_, _| Some(()))?.is_none();
        let family = parts.build_one(self, Rule::name, Self::build_name)?;
        Some(ExprKind::Can { obliging, family, arguments: parts.build_one(self, Rule::args, Self::build_args)? })
    }

    /// `-3`; `-x` is `0 - x`.
    fn build_negative(&mut self, pair: Pair) -> Option<ExprKind> {
        let start = self.pair_span(&pair);
        let value = inner_parts(pair).build_one(self, Rule::prefix, Self::build_prefix)?;
        Some(match value.kind {
            ExprKind::Number(number) => ExprKind::Number(-number),
            _ => {
                let zero = Expr { kind: ExprKind::Number(0), span: Span { end: start.start, ..start } };
                ExprKind::Binary(BinaryOp::Minus, Box::new(zero), Box::new(value))
            }
        })
    }

    /// `a`, `a.b.c`
    pub fn build_postfix(&mut self, pair: Pair) -> Option<Expr> {
        let span = self.pair_span(&pair);
        let tails = pair.clone().into_inner().count().saturating_sub(1);
        self.build_deeper(tails, span, |builder| {
            let mut parts = inner_parts(pair);
            let mut value = parts.build_one(builder, Rule::atom, Self::build_atom)?;
            while let Some(name) = parts.build_optional(builder, Rule::member_tail, Self::build_member_name)? {
                let span = value.span.extend_to(name.span);
                value = Expr { kind: ExprKind::Member(Box::new(value), name), span };
            }
            Some(value)
        })
    }

    /// The name in `.b`.
    fn build_member_name(&mut self, pair: Pair) -> Option<Name> {
        inner_parts(pair).build_one(self, Rule::name, Self::build_name)
    }

    /// A number, text, name, call, list, `none`, or an expression in brackets.
    fn build_atom(&mut self, pair: Pair) -> Option<Expr> {
        let span = self.pair_span(&pair);
        let mut parts = inner_parts(pair);
        let inner = parts.next()?;
        let kind = match inner.as_rule() {
            Rule::paren => return self.build_paren(inner),
            Rule::name if parts.peek() == Some(Rule::args) => {
                ExprKind::Call(self.build_name(inner)?, parts.build_one(self, Rule::args, Self::build_args)?)
            }
            _ => self.build_plain_atom(inner)?,
        };
        Some(Expr { kind, span })
    }

    /// An atom that is neither a call nor in brackets.
    fn build_plain_atom(&mut self, pair: Pair) -> Option<ExprKind> {
        match pair.as_rule() {
            Rule::int => self.build_number(pair).map(ExprKind::Number),
            Rule::text => self.build_text(pair).map(ExprKind::Text),
            Rule::none => Some(ExprKind::None),
            Rule::list => inner_parts(pair).build_all(self, Rule::expr, Self::build_expr).map(ExprKind::List),
            Rule::name => Some(ExprKind::Name(pair.as_str().to_string())),
            _ => None,
        }
    }

    /// `(a)`, or the range `(1..6)`.
    fn build_paren(&mut self, pair: Pair) -> Option<Expr> {
        let span = self.pair_span(&pair);
        let mut parts = inner_parts(pair);
        let first = parts.build_one(self, Rule::expr, Self::build_expr)?;
        let inner = match parts.build_optional(self, Rule::range_end, Self::build_inner_sum)? {
            Some(last) => range_expr(first, last),
            None => first,
        };
        Some(Expr { span, ..inner })
    }

    /// `points(side)`, alone as a statement.
    pub fn build_call(&mut self, pair: Pair) -> Option<Expr> {
        let span = self.pair_span(&pair);
        let mut parts = inner_parts(pair);
        let name = parts.build_one(self, Rule::name, Self::build_name)?;
        let args = parts.build_one(self, Rule::args, Self::build_args)?;
        Some(Expr { kind: ExprKind::Call(name, args), span })
    }

    /// `(a, b)`
    pub fn build_args(&mut self, pair: Pair) -> Option<Vec<Expr>> {
        inner_parts(pair).build_all(self, Rule::expr, Self::build_expr)
    }

    // --- texts ---

    /// A text in quotes: its words, and the values in braces.
    pub fn build_text(&mut self, pair: Pair) -> Option<Text> {
        let span = self.pair_span(&pair);
        let mut text = Text { parts: Vec::new(), span };
        let mut inner = inner_parts(pair);
        while let Some(part) = inner.next() {
            text.parts.push(match part.as_rule() {
                Rule::hole => TextPart::Hole(self.build_inner_expr(part)?),
                _ => TextPart::Words(unescape_text(part.as_str())),
            });
        }
        Some(text)
    }
}

/// Removes the backslashes of escaped signs.
fn unescape_text(words: &str) -> String {
    let mut plain = String::new();
    let mut signs = words.chars().peekable();
    while let Some(sign) = signs.next() {
        let escaped = signs.next_if(|next| sign == '\\' && matches!(next, '"' | '{' | '}' | '\\'));
        plain.push(escaped.unwrap_or(sign));
    }
    plain
}

/// Takes `missing` from the `sorted` at the end of a key, because it belongs to the whole key.
fn take_missing_at_end(value: &mut Expr) -> Option<Extreme> {
    match &mut value.kind {
        ExprKind::Sorted { list, missing, .. } => missing.take().or_else(|| take_missing_at_end(list)),
        ExprKind::Keep { list, .. } | ExprKind::Of(_, list) | ExprKind::Nth(_, list) => take_missing_at_end(list),
        ExprKind::Binary(_, _, right) => take_missing_at_end(right),
        _ => None,
    }
}

/// The expression reaches from its left operand to its right one.
fn binary_expr(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let span = left.span.extend_to(right.span);
    Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span }
}

/// The expression reaches from its first value to its last one.
fn range_expr(first: Expr, last: Expr) -> Expr {
    let span = first.span.extend_to(last.span);
    Expr { kind: ExprKind::Range(Box::new(first), Box::new(last)), span }
}

/// `tail` is the place of everything after the left operand.
fn division_expr(left: Expr, right: Expr, up: bool, tail: Span) -> Expr {
    let span = left.span.extend_to(tail);
    Expr { kind: ExprKind::Divided { left: Box::new(left), right: Box::new(right), up }, span }
}
