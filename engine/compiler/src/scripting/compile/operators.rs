//! Compiles arithmetic, comparisons, ranges and membership tests.
//!
//! A word is a text that is one of a list of words; the machine keeps its index, while other texts are lists of code points. So a
//! comparison of the two converts the word, unless the text is a literal. In the functions here, `how` is the comparison and `span`
//! the place of the whole operation.

use super::expressions::is_text;
use super::values::{TypedValue, Value, calculated, words_index};
use super::{ScriptCompiler, Type};
use ludex_program::{Calculation, Comparison, Expr as Machine, KindSort, NONE};
use ludex_syntax::codes;
use ludex_syntax::problem::{Problem, closest_match, join_words, with_article};
use ludex_syntax::source::Span;
use rhai::{Expr, FnCallExpr, Position, Token};

impl ScriptCompiler<'_> {
    /// Compiles a call that rhai parsed from an operator.
    pub(super) fn operator(&mut self, call: &FnCallExpr, token: &Token, position: Position) -> TypedValue {
        let parts: Vec<&Expr> = call.args.iter().collect();
        let given = self.operands(&parts);
        let span = self.whole(&call.args, position);
        let mut given = given.into_iter();
        match (token, given.next(), given.next()) {
            (Token::Bang, Some(worth), None) => {
                self.want_flag(parts[0], &worth.of);
                TypedValue::flag(Machine::Not(Box::new(self.expr(worth))))
            }
            (Token::UnaryMinus | Token::Minus, Some(worth), None) => {
                self.want_number(&worth.of, span);
                TypedValue::number(negated(self.expr(worth)))
            }
            (Token::UnaryPlus | Token::Plus, Some(worth), None) => {
                self.want_number(&worth.of, span);
                worth.with_type(Type::Number)
            }
            // `a in b` is parsed as `contains(b, a)`.
            (Token::In, Some(list), Some(member)) => self.is_in(list, member, parts[1], span),
            (Token::NotIn, Some(list), Some(member)) => {
                let is_in = self.is_in(list, member, parts[1], span);
                TypedValue::flag(Machine::Not(Box::new(self.expr(is_in))))
            }
            (Token::EqualsTo, Some(left), Some(right)) => self.compared(Comparison::Equal, (left, right), &call.args, span),
            (Token::NotEqualsTo, Some(left), Some(right)) => self.compared(Comparison::NotEqual, (left, right), &call.args, span),
            (_, Some(left), Some(right)) => self.operation(token, token.literal_syntax(), left, right, span),
            _ => TypedValue::unknown(),
        }
    }

    /// Compiles arithmetic on two values, a comparison by size or a range. `sign` is the operator as written. Assignments such as
    /// `+=` use it, too.
    pub(super) fn operation(&mut self, token: &Token, sign: &str, left: TypedValue, right: TypedValue, span: Span) -> TypedValue {
        match token {
            Token::Plus if is_text(&left.of) || is_text(&right.of) => self.added_to_text(left, right, span),
            Token::Plus if left.of.member().is_some() && right.of.member().is_some() => self.joined_lists(left, right, span),
            Token::Plus | Token::Minus | Token::Multiply | Token::Divide | Token::Modulo | Token::PowerOf => {
                let [left, right] = self.numbers(left, right, span);
                TypedValue::number(arithmetic(token, left, right))
            }
            Token::LessThan | Token::LessThanEqualsTo | Token::GreaterThan | Token::GreaterThanEqualsTo => {
                let [left, right] = self.numbers(left, right, span).map(Box::new);
                let how = match token {
                    Token::LessThan => Comparison::Less,
                    Token::LessThanEqualsTo => Comparison::LessEqual,
                    Token::GreaterThan => Comparison::Greater,
                    _ => Comparison::GreaterEqual,
                };
                TypedValue::flag(Machine::Compare(how, left, right))
            }
            Token::ExclusiveRange | Token::InclusiveRange => {
                let [from, to] = self.numbers(left, right, span);
                let to = if *token == Token::InclusiveRange { arithmetic(&Token::Plus, to, Machine::Constant(1)) } else { to };
                TypedValue { of: Type::Range, value: Value::Range(from, to) }
            }
            _ => {
                let help = match sign {
                    "&" => "write `&&`",
                    "|" => "write `||`",
                    _ => "write sums with + - * / %",
                };
                self.forbid(&format!("`{sign}` is not allowed in scripts"), span, help);
                TypedValue::unknown()
            }
        }
    }

    /// Checks that both operands are numbers.
    fn numbers(&mut self, left: TypedValue, right: TypedValue, span: Span) -> [Machine; 2] {
        self.want_number(&left.of, span);
        self.want_number(&right.of, span);
        [self.expr(left), self.expr(right)]
    }

    /// Concatenates two lists or zones.
    fn joined_lists(&mut self, left: TypedValue, right: TypedValue, span: Span) -> TypedValue {
        let [one, other] = [&left.of, &right.of].map(|of| of.member().unwrap_or(Type::Unknown));
        let of = self.common_type_or_error(one, other, span).list();
        let [left, right] = [left, right].map(|worth| {
            let list = TypedValue::new(worth.of.member().unwrap_or(Type::Unknown).list(), self.members(worth));
            Box::new(self.stored(list, &of))
        });
        TypedValue::new(of, Machine::Concatenate(left, right))
    }

    /// Compiles `text + text`.
    fn added_to_text(&mut self, left: TypedValue, right: TypedValue, span: Span) -> TypedValue {
        for of in [&left.of, &right.of] {
            if !is_text(of) && !of.is_unknown() {
                let words = self.words(of);
                let problem = Problem::error(codes::SCRIPT_TYPE, format!("{words} cannot be added to a text"))
                    .with_label(span, "in this sum");
                self.report(match of {
                    Type::Entity(_) => problem.help("`text_of(…)` gives a thing in words"),
                    _ => problem.help("put it into the text: `… ${x} …` in backticks"),
                });
            }
        }
        let mut parts = self.parts(left);
        parts.extend(self.parts(right));
        TypedValue::text(parts)
    }

    /// Reports a type that is not a number.
    fn want_number(&mut self, of: &Type, span: Span) {
        if !matches!(of, Type::Number | Type::Unknown) {
            let words = self.words(of);
            let problem = Problem::error(codes::SCRIPT_TYPE, format!("a number is needed here, but this is {words}"))
                .with_label(span, words);
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
    }

    /// Suggests the fields with numbers of a piece.
    fn number_of(&self, kind: u16) -> Option<String> {
        let info = self.program.kind(kind);
        let numbers = info
            .fields
            .iter()
            .filter(|field| Type::of_shape(self.program, &field.shape) == Type::Number && !field.name.is_empty());
        let names: Vec<&str> = numbers.map(|field| field.name.as_str()).collect();
        (info.sort == KindSort::Piece && !names.is_empty())
            .then(|| format!("{} has the numbers {}", with_article(&info.name), join_words(&names, "and")))
    }

    // --- equal and contained ----------------------------------------------------------

    /// Compiles `==` and `!=`. A quoted word is compared by its index.
    fn compared(&mut self, how: Comparison, (left, right): (TypedValue, TypedValue), parts: &[Expr], span: Span) -> TypedValue {
        self.same_kind(&left.of, &right.of, parts, span);
        let (one, other) = (left.of.certain().clone(), right.of.certain().clone());
        let literal = match (&one, &other) {
            (Type::Word(words), Type::Text) => literal(parts.get(1), words),
            (Type::Text, Type::Word(words)) => literal(parts.first(), words),
            _ => None,
        };
        if let Some(index) = literal {
            let word = if one == Type::Text { right } else { left };
            return TypedValue::flag(Machine::Compare(how, Box::new(self.expr(word)), Box::new(index)));
        }
        if is_text(&one) && is_text(&other) && (one != other || one == Type::Text) {
            let equal = self.same_text(left, right);
            return TypedValue::flag(if how == Comparison::Equal { equal } else { Machine::Not(Box::new(equal)) });
        }
        TypedValue::flag(Machine::Compare(how, Box::new(self.expr(left)), Box::new(self.expr(right))))
    }

    /// Compares two texts. A missing text differs from every text, even an empty one.
    fn same_text(&mut self, left: TypedValue, right: TypedValue) -> Machine {
        let missing = [&left.of, &right.of].map(|of| matches!(of, Type::OrNone(_)));
        let [left, right] = [left, right].map(|worth| self.stored(worth, &Type::Text));
        let same = Machine::CompareLists(Comparison::Equal, Box::new(left.clone()), Box::new(right.clone()));
        let is_none =
            |text: Machine| Box::new(Machine::Compare(Comparison::Equal, Box::new(text), Box::new(Machine::Constant(NONE))));
        match missing {
            [false, false] => same,
            [true, false] => Machine::And(Box::new(Machine::Not(is_none(left))), Box::new(same)),
            [false, true] => Machine::And(Box::new(Machine::Not(is_none(right))), Box::new(same)),
            [true, true] => {
                let alike = Machine::Compare(Comparison::Equal, is_none(left), is_none(right));
                Machine::And(Box::new(alike), Box::new(same))
            }
        }
    }

    /// Tests whether a list, a zone, a range or a text contains a value. `written` is the value as an expression.
    pub(super) fn is_in(&mut self, list: TypedValue, member: TypedValue, written: &Expr, span: Span) -> TypedValue {
        self.check_membership(&list.of, &member.of, span);
        let (of, member_of) = (list.of.clone(), member.of.certain().clone());
        if let Value::Range(from, to) = list.value {
            let [least, below] = [self.expr(member.clone()), self.expr(member)].map(Box::new);
            let least = Machine::Compare(Comparison::GreaterEqual, least, Box::new(from));
            let below = Machine::Compare(Comparison::Less, below, Box::new(to));
            return TypedValue::flag(Machine::And(Box::new(least), Box::new(below)));
        }
        if is_text(&of) {
            let [text, run] = [list, member].map(|worth| self.stored(worth, &Type::Text));
            return TypedValue::flag(calculated(Calculation::HoldsRun, [text, run]));
        }
        if matches!(of, Type::Zone(_)) {
            let (item, zone) = (Box::new(self.expr(member)), Box::new(self.expr(list)));
            return TypedValue::flag(Machine::InZone { item, zone });
        }
        match self.looked_for(list, member, written) {
            (list, item) if of.is_flat() && !member_of.is_list() => {
                TypedValue::flag(Machine::InList { item: Box::new(item), list: Box::new(list) })
            }
            (list, item) => {
                let place = calculated(Calculation::PlaceOfList, [list, item]);
                TypedValue::flag(Machine::Compare(Comparison::GreaterEqual, Box::new(place), Box::new(Machine::Constant(0))))
            }
        }
    }

    /// The first index of a member in a list.
    pub(super) fn place_in(&mut self, list: TypedValue, member: TypedValue, written: &Expr) -> TypedValue {
        let is_flat = list.of.is_flat() && !member.of.is_list();
        let (list, item) = self.looked_for(list, member, written);
        let how = if is_flat { Calculation::PlaceOf } else { Calculation::PlaceOfList };
        TypedValue::number(calculated(how, [list, item]))
    }

    /// A list and the value searched for, converted so that both are words or both are texts.
    fn looked_for(&mut self, list: TypedValue, member: TypedValue, written: &Expr) -> (Machine, Machine) {
        let held = list.of.member().unwrap_or(Type::Unknown);
        match (held.certain(), member.of.certain()) {
            (Type::Word(words), Type::Text) => {
                if let Some(index) = literal(Some(written), words) {
                    return (self.members(list), index);
                }
                let each = Calculation::LettersOfEachWord(words_index(self.program, words));
                (calculated(each, [self.members(list)]), self.stored(member, &Type::Text))
            }
            (held, _) => {
                let held = held.clone();
                (self.members(list), self.stored(member, &held))
            }
        }
    }

    /// Reports a value that can never be in a list, zone, range or text of this type.
    pub(super) fn check_membership(&mut self, list: &Type, member: &Type, span: Span) {
        match list.member() {
            Some(of) if member.certain().fits(&of) || of.fits(member) => {}
            Some(_) => {
                let (list, member) = (self.words(list), self.words(member));
                self.report_error(codes::SCRIPT_TYPE, format!("this is {list}, so {member} is never in it"), span, "never true");
            }
            None if is_text(list) && is_text(member) => {}
            None if *list == Type::Range && *member == Type::Number => {}
            None => {
                let words = self.words(list);
                self.report_error(
                    codes::SCRIPT_TYPE,
                    format!("a list or zone is needed here, but this is {words}"),
                    span,
                    "here",
                );
            }
        }
    }

    /// Reports values that can never be equal, or cannot be compared.
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
            self.report_error(codes::SCRIPT_TYPE, format!("this is always {there}, so it is never nothing"), span, "never true");
            return;
        }
        let comparable = |of: &Type| !matches!(of.certain(), Type::List(_) | Type::Move(_) | Type::Duration | Type::Range);
        match left.certain().clone().either(right.certain().clone()) {
            Some(of) if comparable(&of) => {}
            Some(of) => {
                let words = self.words(&of);
                self.report_error(codes::SCRIPT_TYPE, format!("{words} cannot be compared"), span, "here");
            }
            None => self.report_error(codes::SCRIPT_TYPE, format!("{first} is never the same as {second}"), span, "never true"),
        }
    }

    /// Checks that a word is compared with one of the words of its type, if the other value is a literal.
    fn word_compared(&mut self, of: &Type, with: &Expr) {
        if let Type::Word(words) = of.certain() {
            self.check_literal_word(with, words, codes::UNKNOWN_NAME, "there is no word");
        }
    }

    /// Checks that a literal text is one of some words. `code` and `what` are the code and the beginning of the message.
    pub(super) fn check_literal_word(&mut self, value: &Expr, words: &[String], code: &'static str, what: &str) {
        let Expr::StringConstant(text, position) = value else { return };
        if words.iter().any(|word| **word == **text) {
            return;
        }
        let problem = Problem::error(code, format!("{what} `{text}`"))
            .with_label(self.text.value(*position), "not known")
            .with_subject(text);
        self.report(match closest_match(text, words.iter().map(String::as_str)) {
            Some(near) => problem.suggest_near(near),
            None if words.is_empty() => problem.help("there is none here; leave this out"),
            None => problem.help(format!("it is one of {}", join_words(words, "and"))),
        });
    }
}

/// A literal word as an index into the words of its type.
pub(super) fn literal(written: Option<&Expr>, words: &[String]) -> Option<Machine> {
    let Some(Expr::StringConstant(text, _)) = written else { return None };
    words.iter().position(|word| **word == **text).map(|index| Machine::Constant(index as i32))
}

fn negated(number: Machine) -> Machine {
    match number {
        Machine::Constant(number) if number != NONE => Machine::Constant(-number),
        number => Machine::Subtract(Box::new(Machine::Constant(0)), Box::new(number)),
    }
}

fn arithmetic(token: &Token, left: Machine, right: Machine) -> Machine {
    match token {
        Token::Plus => Machine::Add(Box::new(left), Box::new(right)),
        Token::Minus => Machine::Subtract(Box::new(left), Box::new(right)),
        Token::Multiply => Machine::Multiply(Box::new(left), Box::new(right)),
        Token::Divide => calculated(Calculation::Quotient, [left, right]),
        Token::Modulo => calculated(Calculation::Remainder, [left, right]),
        _ => calculated(Calculation::Power, [left, right]),
    }
}
