//! Expressions and texts.

use super::Rule;
use super::tree::{Builder, Pair, Parts, parts};
use crate::codes;
use crate::problem::{Problem, on_one_line};
use crate::source::Span;
use crate::tree::{BinaryOp, BoardWord, Expr, ExprKind, Extreme, Key, Name, Quantifier, StateWord, Text, TextPart};

/// Number of tree levels that a whole expression counts for, because it may contain one of each kind.
const EXPRESSION_LEVELS: usize = 4;

impl Builder<'_> {
    pub fn expr(&mut self, pair: Pair) -> Option<Expr> {
        let span = self.span(&pair);
        self.deeper(EXPRESSION_LEVELS, span, |builder| {
            let mut parts = parts(pair);
            let value = builder.whole(parts.next()?)?;
            builder.with_where(value, &mut parts)
        })
    }

    /// A default: `sum where …`.
    pub fn value(&mut self, pair: Pair) -> Option<Expr> {
        let mut parts = parts(pair);
        let value = parts.one(self, Rule::sum, Self::sum)?;
        self.with_where(value, &mut parts)
    }

    fn whole(&mut self, pair: Pair) -> Option<Expr> {
        match pair.as_rule() {
            Rule::if_expr => self.if_expr(pair),
            Rule::supposing => self.supposing(pair),
            _ => self.or_expr(pair),
        }
    }

    fn with_where(&mut self, set: Expr, parts: &mut Parts) -> Option<Expr> {
        let Some(pair) = parts.take(Rule::where_) else {
            return Some(set);
        };
        let mut parts = super::tree::parts(pair);
        let set = self.with_name(set, &mut parts)?;
        let condition = parts.one(self, Rule::or_expr, Self::or_expr)?;
        let span = set.span.to(condition.span);
        Some(Expr { kind: ExprKind::Where(Box::new(set), Box::new(condition)), span })
    }

    /// `xs as other`
    fn with_name(&mut self, set: Expr, parts: &mut Parts) -> Option<Expr> {
        let name = parts.maybe(self, Rule::called, |builder, pair| builder.declared(&mut super::tree::parts(pair)))?;
        let Some(name) = name else { return Some(set) };
        let span = set.span.to(name.span);
        Some(Expr { kind: ExprKind::Called(Box::new(set), name), span })
    }

    fn if_expr(&mut self, pair: Pair) -> Option<Expr> {
        let span = self.span(&pair);
        let mut parts = parts(pair);
        let condition = parts.one(self, Rule::or_expr, Self::or_expr)?;
        let yes = parts.one(self, Rule::expr, Self::expr)?;
        let no = parts.one(self, Rule::expr, Self::expr)?;
        Some(Expr { kind: ExprKind::If(Box::new(condition), Box::new(yes), Box::new(no)), span })
    }

    fn supposing(&mut self, pair: Pair) -> Option<Expr> {
        let span = self.span(&pair);
        let mut parts = parts(pair);
        let supposed = parts.all(self, Rule::suppose, Self::suppose)?;
        let value = parts.one(self, Rule::expr, Self::expr)?;
        Some(Expr { kind: ExprKind::Supposing(supposed, Box::new(value)), span })
    }

    fn suppose(&mut self, pair: Pair) -> Option<(Expr, Expr)> {
        let mut parts = parts(pair);
        Some((parts.one(self, Rule::postfix, Self::postfix)?, parts.one(self, Rule::sum, Self::sum)?))
    }

    // --- operators, from the loosest to the tightest ---

    pub fn or_expr(&mut self, pair: Pair) -> Option<Expr> {
        self.chain(pair, Self::and_expr, |builder, pair| {
            let span = builder.span(&pair);
            if pair.as_str().starts_with('|') {
                builder.written(span, "||", "or");
            }
            Some(BinaryOp::Or)
        })
    }

    fn and_expr(&mut self, pair: Pair) -> Option<Expr> {
        self.chain(pair, Self::not_expr, |builder, pair| {
            let span = builder.span(&pair);
            if pair.as_str().starts_with('&') {
                builder.written(span, "&&", "and");
            }
            Some(BinaryOp::And)
        })
    }

    /// Operands with operators between them, combined from the left.
    fn chain(
        &mut self,
        pair: Pair,
        operand: fn(&mut Self, Pair) -> Option<Expr>,
        operator: fn(&mut Self, Pair) -> Option<BinaryOp>,
    ) -> Option<Expr> {
        let span = self.span(&pair);
        let operators = pair.clone().into_inner().count() / 2;
        self.deeper(operators, span, |builder| {
            let mut parts = parts(pair);
            let mut left = operand(builder, parts.next()?)?;
            while let Some(between) = parts.next() {
                let op = operator(builder, between)?;
                let right = operand(builder, parts.next()?)?;
                left = binary(op, left, right);
            }
            Some(left)
        })
    }

    fn not_expr(&mut self, pair: Pair) -> Option<Expr> {
        let span = self.span(&pair);
        let mut parts = parts(pair);
        let mut starts = Vec::new();
        while let Some(not) = parts.take(Rule::not_op) {
            let place = self.span(&not);
            if not.as_str().starts_with('!') {
                self.written(place, "!", "not");
            }
            starts.push(place);
        }
        let comparison = parts.take(Rule::comparison)?;
        self.deeper(starts.len(), span, |builder| {
            let mut value = builder.comparison(comparison)?;
            for start in starts.into_iter().rev() {
                let span = start.to(value.span);
                value = Expr { kind: ExprKind::Not(Box::new(value)), span };
            }
            Some(value)
        })
    }

    /// A sum, perhaps in a comparison (`a < b`) or a test (`a is b`, `a in set`).
    fn comparison(&mut self, pair: Pair) -> Option<Expr> {
        let span = self.span(&pair);
        let mut parts = parts(pair);
        let left = parts.one(self, Rule::sum, Self::sum)?;
        let Some(tail) = parts.next() else {
            return Some(left);
        };
        if tail.as_rule() == Rule::comparing {
            return self.compared(left, tail, parts);
        }
        let kind = self.tested(left, tail)?;
        Some(Expr { kind, span })
    }

    fn tested(&mut self, left: Expr, tail: Pair) -> Option<ExprKind> {
        match tail.as_rule() {
            Rule::is_state => self.is_state(left, tail),
            Rule::is_a => self.is_a(left, tail),
            Rule::is_than => self.is_than(left, tail),
            Rule::is_ => self.is(left, tail),
            Rule::in_ => self.within(left, tail),
            _ => None,
        }
    }

    /// `a < b`; `a < b < c` is reported, and parsed as `a < b and b < c`.
    fn compared(&mut self, left: Expr, first: Pair, mut parts: Parts) -> Option<Expr> {
        let (op, right) = self.comparing(first)?;
        let mut middle = right.clone();
        let mut all = binary(op, left, right);
        let more = parts.rest_count();
        self.deeper(more, all.span, |builder| {
            while let Some(tail) = parts.take(Rule::comparing) {
                let place = builder.span(&tail);
                let (op, right) = builder.comparing(tail)?;
                builder.wrong(place, "only two values are compared at a time", "write `and` between two comparisons");
                let next = binary(op, middle, right.clone());
                all = binary(BinaryOp::And, all, next);
                middle = right;
            }
            Some(all)
        })
    }

    fn comparing(&mut self, pair: Pair) -> Option<(BinaryOp, Expr)> {
        let mut parts = parts(pair);
        let sign = parts.take(Rule::compare_op)?;
        let (right_sign, op) = match sign.as_str() {
            "=" | "==" => ("=", BinaryOp::Equal),
            "!=" | "<>" | "≠" => ("!=", BinaryOp::NotEqual),
            "<=" | "=<" | "≤" => ("<=", BinaryOp::LessEqual),
            ">=" | "=>" | "≥" => (">=", BinaryOp::GreaterEqual),
            "<" => ("<", BinaryOp::Less),
            _ => (">", BinaryOp::Greater),
        };
        if sign.as_str() != right_sign {
            let place = self.span(&sign);
            self.written(place, sign.as_str(), right_sign);
        }
        Some((op, parts.one(self, Rule::sum, Self::sum)?))
    }

    fn is_state(&mut self, left: Expr, pair: Pair) -> Option<ExprKind> {
        let mut parts = parts(pair);
        let negated = parts.has(Rule::negated);
        let state = match parts.next()?.as_rule() {
            Rule::empty => StateWord::Empty,
            Rule::odd => StateWord::Odd,
            _ => StateWord::Even,
        };
        Some(ExprKind::IsState { negated, left: Box::new(left), state })
    }

    fn is_a(&mut self, left: Expr, pair: Pair) -> Option<ExprKind> {
        let mut parts = parts(pair);
        let negated = parts.has(Rule::negated);
        Some(ExprKind::IsA { negated, left: Box::new(left), kind: parts.one(self, Rule::name, Self::name)? })
    }

    /// `a is at least b` is reported, and parsed as `a >= b`.
    fn is_than(&mut self, left: Expr, pair: Pair) -> Option<ExprKind> {
        let start = self.span(&pair);
        let words = pair.as_str();
        let mut parts = parts(pair);
        let negated = parts.has(Rule::negated);
        let (op, sign) = match (parts.next()?.as_rule(), negated) {
            (Rule::than_least, false) | (Rule::than_less, true) => (BinaryOp::GreaterEqual, ">="),
            (Rule::than_most, false) | (Rule::than_more, true) => (BinaryOp::LessEqual, "<="),
            (Rule::than_more, false) | (Rule::than_most, true) => (BinaryOp::Greater, ">"),
            (Rule::than_less, false) | (Rule::than_least, true) => (BinaryOp::Less, "<"),
            (_, false) => (BinaryOp::Equal, "="),
            (_, true) => (BinaryOp::NotEqual, "!="),
        };
        let right = parts.one(self, Rule::sum, Self::sum)?;
        let length = right.span.start.saturating_sub(start.start) as usize;
        let phrase = on_one_line(words.get(..length).unwrap_or(words));
        let place = Span { end: start.start + words.get(..length).unwrap_or(words).trim_end().len() as u32, ..start };
        self.written(place, &phrase, sign);
        Some(binary(op, left, right).kind)
    }

    fn is(&mut self, left: Expr, pair: Pair) -> Option<ExprKind> {
        let mut parts = parts(pair);
        let negated = parts.has(Rule::negated);
        let right = parts.one(self, Rule::sum, Self::sum)?;
        Some(ExprKind::Is { negated, left: Box::new(left), right: Box::new(right) })
    }

    /// `x in set`, `x in 1..6`
    fn within(&mut self, item: Expr, pair: Pair) -> Option<ExprKind> {
        let mut parts = parts(pair);
        let negated = parts.has(Rule::negated);
        let first = parts.one(self, Rule::sum, Self::sum)?;
        let set = match parts.maybe(self, Rule::in_end, Self::sum_within)? {
            Some(last) => range(first, last),
            None => first,
        };
        Some(ExprKind::In { negated, item: Box::new(item), set: Box::new(set) })
    }

    pub fn sum(&mut self, pair: Pair) -> Option<Expr> {
        self.chain(pair, Self::product, |_, pair| {
            Some(match parts(pair).next()?.as_rule() {
                Rule::plus => BinaryOp::Plus,
                Rule::minus => BinaryOp::Minus,
                Rule::without => BinaryOp::Without,
                Rule::at_least => BinaryOp::AtLeast,
                _ => BinaryOp::AtMost,
            })
        })
    }

    /// The single sum within a pair.
    pub fn sum_within(&mut self, pair: Pair) -> Option<Expr> {
        parts(pair).one(self, Rule::sum, Self::sum)
    }

    /// The single expression within a pair.
    pub fn expr_within(&mut self, pair: Pair) -> Option<Expr> {
        parts(pair).one(self, Rule::expr, Self::expr)
    }

    fn product(&mut self, pair: Pair) -> Option<Expr> {
        let span = self.span(&pair);
        let tails = pair.clone().into_inner().count().saturating_sub(1);
        self.deeper(tails, span, |builder| {
            let mut parts = parts(pair);
            let mut left = parts.one(builder, Rule::prefix, Self::prefix)?;
            while let Some(tail) = parts.next() {
                left = builder.product_tail(left, tail)?;
            }
            Some(left)
        })
    }

    fn product_tail(&mut self, left: Expr, pair: Pair) -> Option<Expr> {
        let place = self.span(&pair);
        let rule = pair.as_rule();
        let mut parts = parts(pair);
        let right = parts.one(self, Rule::prefix, Self::prefix)?;
        Some(match rule {
            Rule::times_tail => binary(BinaryOp::Times, left, right),
            Rule::divided_tail => divided(left, right, parts.has(Rule::rounded_up), place),
            _ => {
                self.slash(&left, &right, place);
                divided(left, right, false, place)
            }
        })
    }

    fn slash(&mut self, left: &Expr, right: &Expr, place: Span) {
        let left = self.written_as(left.span);
        let divided = format!("`{left} divided by {} rounded down`", self.written_as(right.span));
        let sign = Span { end: place.start + 1, ..place };
        let problem = Problem::error(codes::FOREIGN_FORM, "a division says how it is rounded").at(sign, "`/` does not");
        let help = match right.kind {
            ExprKind::Number(2) => format!("write {divided}, or `half of {left}` to keep the half that may be left"),
            _ => format!("write {divided}, or `rounded up`"),
        };
        self.problems.push(problem.help(help));
    }

    /// The code of a span, on one line.
    pub fn written_as(&self, span: Span) -> String {
        on_one_line(self.scanned.code.get(span.start as usize..span.end as usize).unwrap_or(""))
    }

    fn prefix(&mut self, pair: Pair) -> Option<Expr> {
        let span = self.span(&pair);
        let inner = parts(pair).next()?;
        if inner.as_rule() == Rule::postfix {
            return self.postfix(inner);
        }
        let kind = self.deeper(1, span, |builder| builder.prefixed(inner))?;
        Some(Expr { kind, span })
    }

    fn prefixed(&mut self, pair: Pair) -> Option<ExprKind> {
        match pair.as_rule() {
            Rule::of_word => self.of_word(pair),
            Rule::keep => self.keep(pair),
            Rule::sorted => self.sorted(pair),
            Rule::top_of => self.top_of(pair),
            Rule::nth => self.nth(pair),
            Rule::remainder => self.remainder(pair),
            Rule::cell_at | Rule::run_from | Rule::row_at | Rule::column_at | Rule::board_lines | Rule::lines_of => {
                self.on_board(pair)
            }
            Rule::quantified => self.quantified(pair),
            Rule::best => self.best(pair),
            Rule::can => self.can(pair),
            Rule::negative => self.negative(pair),
            _ => None,
        }
    }

    fn of_word(&mut self, pair: Pair) -> Option<ExprKind> {
        let mut parts = parts(pair);
        let word = parts.take(Rule::of_name)?.as_str().to_string();
        Some(ExprKind::Of(word, Box::new(self.set_of(&mut parts)?)))
    }

    /// `prefix where …`
    fn set_of(&mut self, parts: &mut Parts) -> Option<Expr> {
        let set = parts.one(self, Rule::prefix, Self::prefix)?;
        self.with_where(set, parts)
    }

    fn keep(&mut self, pair: Pair) -> Option<ExprKind> {
        let mut parts = parts(pair);
        let extreme = parts.one(self, Rule::extreme, Self::extreme)?;
        let count = Box::new(parts.one(self, Rule::product, Self::product)?);
        Some(ExprKind::Keep { extreme, count, list: Box::new(self.set_of(&mut parts)?) })
    }

    fn sorted(&mut self, pair: Pair) -> Option<ExprKind> {
        let mut parts = parts(pair);
        let down = parts.has(Rule::down);
        let list = Box::new(parts.one(self, Rule::prefix, Self::prefix)?);
        let missing = parts.maybe(self, Rule::missing, Self::missing)?;
        Some(ExprKind::Sorted { down, list, missing })
    }

    fn missing(&mut self, pair: Pair) -> Option<Extreme> {
        parts(pair).one(self, Rule::extreme, Self::extreme)
    }

    fn extreme(&mut self, pair: Pair) -> Option<Extreme> {
        Some(if pair.as_str() == "lowest" { Extreme::Lowest } else { Extreme::Highest })
    }

    fn top_of(&mut self, pair: Pair) -> Option<ExprKind> {
        let mut parts = parts(pair);
        let number = parts.one(self, Rule::product, Self::product)?;
        Some(ExprKind::Top(Box::new(number), Box::new(self.set_of(&mut parts)?)))
    }

    fn nth(&mut self, pair: Pair) -> Option<ExprKind> {
        let mut parts = parts(pair);
        let place = parts.one(self, Rule::sum, Self::sum)?;
        Some(ExprKind::Nth(Box::new(place), Box::new(self.set_of(&mut parts)?)))
    }

    fn remainder(&mut self, pair: Pair) -> Option<ExprKind> {
        let mut parts = parts(pair);
        let number = Box::new(parts.one(self, Rule::prefix, Self::prefix)?);
        let by = Box::new(parts.one(self, Rule::prefix, Self::prefix)?);
        Some(ExprKind::Binary(BinaryOp::Remainder, number, by))
    }

    /// Properties of a board or a cell: numbers first, then the board or the cell.
    fn on_board(&mut self, pair: Pair) -> Option<ExprKind> {
        let mut word = match pair.as_rule() {
            Rule::cell_at => BoardWord::Cell,
            Rule::run_from => BoardWord::Run,
            Rule::row_at => BoardWord::Row,
            Rule::column_at => BoardWord::Column,
            _ => BoardWord::Lines,
        };
        let mut parts = parts(pair);
        if let Some(all) = parts.take(Rule::board_word) {
            word = match all.as_str() {
                "rows" => BoardWord::Rows,
                "columns" => BoardWord::Columns,
                _ => BoardWord::Diagonals,
            };
        }
        let mut operands = parts.all(self, Rule::sum, Self::sum)?;
        if parts.has(Rule::through) {
            word = BoardWord::LinesThrough;
        }
        operands.push(parts.one(self, Rule::prefix, Self::prefix)?);
        Some(ExprKind::OnBoard(word, operands))
    }

    fn quantified(&mut self, pair: Pair) -> Option<ExprKind> {
        let mut parts = parts(pair);
        let which = match parts.take(Rule::quantifier)?.as_str() {
            "any" => Quantifier::Any,
            "all" => Quantifier::All,
            _ => Quantifier::NoneOf,
        };
        let set = self.set_of(&mut parts)?;
        let set = Box::new(self.with_name(set, &mut parts)?);
        let condition = Box::new(parts.one(self, Rule::not_expr, Self::not_expr)?);
        Some(ExprKind::Quantified { which, set, condition })
    }

    fn best(&mut self, pair: Pair) -> Option<ExprKind> {
        let mut parts = parts(pair);
        let one = parts.next()?.as_rule() == Rule::the_one;
        let set = self.set_of(&mut parts)?;
        let set = Box::new(self.with_name(set, &mut parts)?);
        let keys = parts.all(self, Rule::best_key, Self::best_key)?;
        Some(ExprKind::Best { one, set, keys })
    }

    fn best_key(&mut self, pair: Pair) -> Option<Key> {
        let mut parts = parts(pair);
        let extreme = parts.one(self, Rule::extreme, Self::extreme)?;
        let mut value = parts.one(self, Rule::sum, Self::sum)?;
        let missing = parts.maybe(self, Rule::missing, Self::missing)?.or_else(|| missing_at_end(&mut value));
        Some(Key { extreme, value, missing })
    }

    fn can(&mut self, pair: Pair) -> Option<ExprKind> {
        let mut parts = parts(pair);
        let obliging = parts.maybe(self, Rule::may, |_, _| Some(()))?.is_none();
        let family = parts.one(self, Rule::name, Self::name)?;
        Some(ExprKind::Can { obliging, family, arguments: parts.one(self, Rule::args, Self::args)? })
    }

    /// `-3`; `-x` is `0 - x`.
    fn negative(&mut self, pair: Pair) -> Option<ExprKind> {
        let start = self.span(&pair);
        let value = parts(pair).one(self, Rule::prefix, Self::prefix)?;
        Some(match value.kind {
            ExprKind::Number(number) => ExprKind::Number(-number),
            _ => {
                let zero = Expr { kind: ExprKind::Number(0), span: Span { end: start.start, ..start } };
                ExprKind::Binary(BinaryOp::Minus, Box::new(zero), Box::new(value))
            }
        })
    }

    pub fn postfix(&mut self, pair: Pair) -> Option<Expr> {
        let span = self.span(&pair);
        let tails = pair.clone().into_inner().count().saturating_sub(1);
        self.deeper(tails, span, |builder| {
            let mut parts = parts(pair);
            let mut value = parts.one(builder, Rule::atom, Self::atom)?;
            while let Some(name) = parts.maybe(builder, Rule::member_tail, Self::member_name)? {
                let span = value.span.to(name.span);
                value = Expr { kind: ExprKind::Member(Box::new(value), name), span };
            }
            Some(value)
        })
    }

    fn member_name(&mut self, pair: Pair) -> Option<Name> {
        parts(pair).one(self, Rule::name, Self::name)
    }

    fn atom(&mut self, pair: Pair) -> Option<Expr> {
        let span = self.span(&pair);
        let mut parts = parts(pair);
        let inner = parts.next()?;
        let kind = match inner.as_rule() {
            Rule::paren => return self.paren(inner),
            Rule::name if parts.peek() == Some(Rule::args) => {
                ExprKind::Call(self.name(inner)?, parts.one(self, Rule::args, Self::args)?)
            }
            _ => self.plain_atom(inner)?,
        };
        Some(Expr { kind, span })
    }

    fn plain_atom(&mut self, pair: Pair) -> Option<ExprKind> {
        match pair.as_rule() {
            Rule::int => self.number(pair).map(ExprKind::Number),
            Rule::text => self.text(pair).map(ExprKind::Text),
            Rule::none => Some(ExprKind::None),
            Rule::list => parts(pair).all(self, Rule::expr, Self::expr).map(ExprKind::List),
            Rule::name => Some(ExprKind::Name(pair.as_str().to_string())),
            _ => None,
        }
    }

    fn paren(&mut self, pair: Pair) -> Option<Expr> {
        let span = self.span(&pair);
        let mut parts = parts(pair);
        let first = parts.one(self, Rule::expr, Self::expr)?;
        let inner = match parts.maybe(self, Rule::range_end, Self::sum_within)? {
            Some(last) => range(first, last),
            None => first,
        };
        Some(Expr { span, ..inner })
    }

    pub fn call(&mut self, pair: Pair) -> Option<Expr> {
        let span = self.span(&pair);
        let mut parts = parts(pair);
        let name = parts.one(self, Rule::name, Self::name)?;
        let args = parts.one(self, Rule::args, Self::args)?;
        Some(Expr { kind: ExprKind::Call(name, args), span })
    }

    pub fn args(&mut self, pair: Pair) -> Option<Vec<Expr>> {
        parts(pair).all(self, Rule::expr, Self::expr)
    }

    // --- texts ---

    pub fn text(&mut self, pair: Pair) -> Option<Text> {
        let span = self.span(&pair);
        let mut text = Text { parts: Vec::new(), span };
        let mut inner = parts(pair);
        while let Some(part) = inner.next() {
            text.parts.push(match part.as_rule() {
                Rule::hole => TextPart::Hole(self.expr_within(part)?),
                _ => TextPart::Words(unescaped(part.as_str())),
            });
        }
        Some(text)
    }
}

/// Removes the backslashes of escaped signs.
fn unescaped(words: &str) -> String {
    let mut plain = String::new();
    let mut signs = words.chars().peekable();
    while let Some(sign) = signs.next() {
        let escaped = signs.next_if(|next| sign == '\\' && matches!(next, '"' | '{' | '}' | '\\'));
        plain.push(escaped.unwrap_or(sign));
    }
    plain
}

/// Takes `missing` from the `sorted` at the end of a key, because it belongs to the whole key.
fn missing_at_end(value: &mut Expr) -> Option<Extreme> {
    match &mut value.kind {
        ExprKind::Sorted { list, missing, .. } => missing.take().or_else(|| missing_at_end(list)),
        ExprKind::Keep { list, .. } | ExprKind::Of(_, list) | ExprKind::Nth(_, list) => missing_at_end(list),
        ExprKind::Binary(_, _, right) => missing_at_end(right),
        _ => None,
    }
}

fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let span = left.span.to(right.span);
    Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span }
}

fn range(first: Expr, last: Expr) -> Expr {
    let span = first.span.to(last.span);
    Expr { kind: ExprKind::Range(Box::new(first), Box::new(last)), span }
}

fn divided(left: Expr, right: Expr, up: bool, tail: Span) -> Expr {
    let span = left.span.to(tail);
    Expr { kind: ExprKind::Divided { left: Box::new(left), right: Box::new(right), up }, span }
}
