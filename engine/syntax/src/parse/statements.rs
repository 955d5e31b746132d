//! Blocks and statements.

use super::Rule;
use super::complaints::{STATEMENT, elsewhere};
use super::tree::{Builder, Pair, Parts, parts};
use crate::codes;
use crate::problem::Problem;
use crate::source::Span;
use crate::tree::{
    Amount, Ask, AskWhat, Block, EventName, Expr, ExprKind, FinishWith, Name, OpenArm, Statement, StatementKind, Text, Until,
    ZoneEnd,
};

impl Builder<'_> {
    pub fn block(&mut self, pair: Pair) -> Option<Block> {
        let span = self.span(&pair);
        let statements = self.deeper(1, span, |builder| parts(pair).all(builder, Rule::statement, Self::statement))?;
        Some(Block { statements })
    }

    /// The single block within a pair.
    fn block_within(&mut self, pair: Pair) -> Option<Block> {
        parts(pair).one(self, Rule::block, Self::block)
    }

    fn statement(&mut self, pair: Pair) -> Option<Statement> {
        let span = self.span(&pair);
        let kind = self.statement_kind(parts(pair).next()?)?;
        Some(Statement { kind, span, cites: self.cites(span) })
    }

    // Every arm is a single call: in unoptimised builds, each value made here would use stack space at every level.
    fn statement_kind(&mut self, pair: Pair) -> Option<StatementKind> {
        let span = self.span(&pair);
        let rule = pair.as_rule();
        let mut parts = parts(pair);
        let parts = &mut parts;
        match rule {
            Rule::let_ => self.let_(span, parts),
            Rule::set_ => self.set(parts),
            Rule::add => self.add(parts),
            Rule::take => self.take(parts),
            Rule::move_ => self.move_(parts),
            Rule::roll => self.roll(parts),
            Rule::shuffle => self.shuffle(parts),
            Rule::draw => self.draw(parts),
            Rule::create => self.create(parts),
            Rule::remove => self.remove(parts),
            Rule::mark => self.mark(parts),
            Rule::unmark => self.unmark(parts),
            Rule::show => self.show(parts),
            Rule::do_ => self.do_(parts),
            Rule::if_ => self.if_(parts),
            Rule::each => self.each(parts),
            Rule::count => self.count(parts),
            Rule::repeat => self.repeat(parts),
            Rule::depending => self.depending(parts),
            Rule::stop => self.stop(parts),
            Rule::leave => Some(StatementKind::Leave),
            Rule::skip => Some(StatementKind::Skip),
            Rule::give => self.give(parts),
            Rule::open => self.open(parts),
            Rule::say => self.say(parts),
            Rule::finish => self.finish(parts),
            Rule::answer => self.answer(parts),
            Rule::restore => self.restore(parts),
            Rule::ask => self.ask(parts),
            Rule::wrong_while => self.while_(span, parts),
            Rule::wrong_for => self.for_(parts),
            Rule::wrong_return => self.return_(span, parts),
            Rule::wrong_set => self.assigned(span, parts),
            Rule::wrong_call => self.called(span, parts),
            _ => None,
        }
    }

    fn first_expr(&mut self, parts: &mut Parts) -> Option<Expr> {
        parts.one(self, Rule::expr, Self::expr)
    }

    fn first_name(&mut self, parts: &mut Parts) -> Option<Name> {
        parts.one(self, Rule::name, Self::name)
    }

    fn first_block(&mut self, parts: &mut Parts) -> Option<Block> {
        parts.one(self, Rule::block, Self::block)
    }

    fn name_within(&mut self, pair: Pair) -> Option<Name> {
        parts(pair).one(self, Rule::name, Self::name)
    }

    /// The name in `as name`.
    fn as_name(&mut self, pair: Pair) -> Option<Name> {
        parts(pair).one(self, Rule::name, Self::new_name)
    }

    // --- values and places ---

    fn let_(&mut self, span: Span, parts: &mut Parts) -> Option<StatementKind> {
        if let Some(word) = parts.take(Rule::wrong_let) {
            let place = self.span(&word);
            self.written(place, word.as_str(), "let");
        }
        let name = parts.one(self, Rule::name, Self::new_name)?;
        let value = parts.next()?;
        match value.as_rule() {
            Rule::expr => {
                let value = self.expr(value)?;
                match parts.take(Rule::asking) {
                    Some(asking) => self.let_ask(name, value, asking),
                    None => Some(StatementKind::Let { name, value }),
                }
            }
            _ => self.let_result(span, name, super::tree::parts(value).next()?),
        }
    }

    /// `let x = active must choose …` is reported, and parsed as `active must choose … as x`.
    fn let_ask(&mut self, name: Name, who: Expr, asking: Pair) -> Option<StatementKind> {
        let message = "a question gives its answer a name with `as`";
        let remark = format!("write `{} … as {}`", self.written_as(who.span), name.text);
        self.wrong(name.span, message, remark);
        let mut ask = self.asking(who, asking)?;
        ask.name.get_or_insert(name);
        Some(StatementKind::Ask(Box::new(ask)))
    }

    /// `let x = do …` and `let x = roll …` are reported, with `… as x` as the correction.
    fn let_result(&mut self, span: Span, name: Name, statement: Pair) -> Option<StatementKind> {
        let place = self.span(&statement);
        let words = self.written_as(place);
        let problem = Problem::error(codes::FOREIGN_FORM, "a result gets its name with `as`");
        let problem = problem.at(span, format!("write `{words} as {}`", name.text));
        let (before, behind) = (Span { end: place.start, ..span }, Span { start: place.end, ..place });
        self.problems.push(problem.instead(before, "").instead(behind, format!(" as {}", name.text)));
        let mut kind = self.statement_kind(statement)?;
        if let StatementKind::Do { result: given, .. } | StatementKind::Roll { name: given, .. } = &mut kind {
            given.get_or_insert(name);
        }
        Some(kind)
    }

    fn set(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let place = parts.one(self, Rule::postfix, Self::postfix)?;
        if let Some(sign) = parts.take(Rule::wrong_equals) {
            let sign = self.span(&sign);
            self.wrong_for(sign, "`set` says `to`, not `=`", "write `to`", "to");
        }
        let value = self.first_expr(parts)?;
        Some(StatementKind::Set { place, value, event: self.event(parts)? })
    }

    fn add(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let value = self.first_expr(parts)?;
        let place = parts.one(self, Rule::postfix, Self::postfix)?;
        Some(StatementKind::Add { place, value, less: false, event: self.event(parts)? })
    }

    fn take(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let value = self.first_expr(parts)?;
        let place = parts.one(self, Rule::postfix, Self::postfix)?;
        Some(StatementKind::Add { place, value, less: true, event: self.event(parts)? })
    }

    fn event(&mut self, parts: &mut Parts) -> Option<Option<EventName>> {
        parts.maybe(self, Rule::event_name, Self::event_name)
    }

    fn event_name(&mut self, pair: Pair) -> Option<EventName> {
        let mut parts = parts(pair);
        let name = parts.one(self, Rule::name, Self::new_name)?;
        Some(EventName { name, text: parts.maybe(self, Rule::text, Self::text)? })
    }

    /// `x = 3`, `x += 1` and `x++` are reported, with `set` or `add` as the correction.
    fn assigned(&mut self, span: Span, parts: &mut Parts) -> Option<StatementKind> {
        let place = parts.one(self, Rule::postfix, Self::postfix)?;
        let sign = parts.next()?;
        let at = self.span(&sign);
        let one = Expr { kind: ExprKind::Number(1), span: at };
        let value = parts.maybe(self, Rule::expr, Self::expr)?;
        let written_value = value.as_ref().map_or("1".to_string(), |value| self.written_as(value.span));
        let written_place = self.written_as(place.span);
        let (right, kind) = match sign.as_str() {
            "+=" | "++" => {
                let value = value.unwrap_or(one);
                let kind = StatementKind::Add { place, value, less: false, event: None };
                (format!("add {written_value} to {written_place}"), kind)
            }
            "-=" | "--" => {
                let value = value.unwrap_or(one);
                let kind = StatementKind::Add { place, value, less: true, event: None };
                (format!("take {written_value} from {written_place}"), kind)
            }
            _ => {
                let kind = StatementKind::Set { place, value: value?, event: None };
                (format!("set {written_place} to {written_value}"), kind)
            }
        };
        let problem = Problem::error(codes::FOREIGN_FORM, "a value is changed with `set`, `add` or `take`");
        let problem = problem.at(span, format!("write `{right}`")).instead(span, right);
        self.problems.push(match kind {
            StatementKind::Set { .. } => problem.help("a value that is new gets its name with `let x = …`"),
            _ => problem,
        });
        Some(kind)
    }

    // --- effects ---

    fn move_(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let what = self.first_expr(parts)?;
        let end = parts.maybe(self, Rule::zone_end, Self::zone_end)?.unwrap_or(ZoneEnd::Top);
        let to = self.first_expr(parts)?;
        Some(StatementKind::Move { what, to, end, event: self.event(parts)? })
    }

    fn zone_end(&mut self, pair: Pair) -> Option<ZoneEnd> {
        Some(if parts(pair).has(Rule::bottom) { ZoneEnd::Bottom } else { ZoneEnd::Top })
    }

    fn roll(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let what = self.first_expr(parts)?;
        let pool = match parts.maybe(self, Rule::die_word, Self::die_word)? {
            Some(size) => Some(size),
            None => parts.maybe(self, Rule::pool_die, Self::pool_die)?,
        };
        let reason = parts.maybe(self, Rule::because, Self::text_within)?;
        let name = parts.maybe(self, Rule::as_name, Self::as_name)?;
        Some(StatementKind::Roll { what, pool, reason, name })
    }

    /// The size in `d6`.
    fn die_word(&mut self, pair: Pair) -> Option<Expr> {
        let whole = self.span(&pair);
        let span = Span { start: whole.start + 1, ..whole };
        Some(Expr { kind: ExprKind::Number(self.digits(&pair.as_str()[1..], span)), span })
    }

    fn pool_die(&mut self, pair: Pair) -> Option<Expr> {
        parts(pair).one(self, Rule::postfix, Self::postfix)
    }

    fn text_within(&mut self, pair: Pair) -> Option<Text> {
        parts(pair).one(self, Rule::text, Self::text)
    }

    fn shuffle(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        Some(StatementKind::Shuffle { zone: self.first_expr(parts)? })
    }

    fn draw(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let count = parts.one(self, Rule::sum, Self::sum)?;
        let from = self.first_expr(parts)?;
        let reason = parts.maybe(self, Rule::because, Self::text_within)?;
        Some(StatementKind::Draw { count, from, reason, name: parts.one(self, Rule::as_name, Self::as_name)? })
    }

    fn create(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let kind = self.first_name(parts)?;
        let fields = parts.one(self, Rule::named_args, Self::named_args)?;
        let zone = self.first_expr(parts)?;
        let owner = parts.maybe(self, Rule::for_owner, Self::expr_within)?;
        let name = parts.maybe(self, Rule::as_name, Self::as_name)?;
        Some(StatementKind::Create { kind, fields, zone, owner, name })
    }

    fn named_args(&mut self, pair: Pair) -> Option<Vec<(Name, Expr)>> {
        parts(pair).all(self, Rule::named_arg, Self::named_arg)
    }

    fn named_arg(&mut self, pair: Pair) -> Option<(Name, Expr)> {
        let mut parts = parts(pair);
        Some((self.first_name(&mut parts)?, self.first_expr(&mut parts)?))
    }

    fn remove(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        Some(StatementKind::Remove { what: self.first_expr(parts)? })
    }

    fn mark(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let what = self.first_expr(parts)?;
        let mark = self.first_name(parts)?;
        let fields = parts.maybe(self, Rule::named_args, Self::named_args)?.unwrap_or_default();
        let until = parts.maybe(self, Rule::until, Self::until)?;
        Some(StatementKind::Mark { what, mark, fields, until })
    }

    fn unmark(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        Some(StatementKind::Unmark { what: self.first_expr(parts)?, mark: self.first_name(parts)? })
    }

    fn until(&mut self, pair: Pair) -> Option<Until> {
        let inner = parts(pair).next()?;
        if inner.as_rule() == Rule::until_leaves {
            return Some(Until::Leaves);
        }
        let mut parts = parts(inner);
        let next = parts.has(Rule::next);
        let scope = self.first_name(&mut parts)?;
        Some(Until::End { next, scope, of: parts.maybe(self, Rule::until_of, Self::expr_within)? })
    }

    fn show(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        Some(StatementKind::Show { what: self.first_expr(parts)?, to: self.first_expr(parts)? })
    }

    fn say(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let text = parts.one(self, Rule::text, Self::text)?;
        Some(StatementKind::Say { text, to: parts.maybe(self, Rule::say_to, Self::expr_within)? })
    }

    fn finish(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let nobody = parts.has(Rule::finish_nobody);
        let winners = parts.maybe(self, Rule::expr, Self::expr)?;
        let payoff = parts.maybe(self, Rule::payoff, Self::payoff)?;
        let with = match winners {
            Some(winners) => FinishWith::Winners(winners),
            None if nobody => FinishWith::Nobody,
            None => FinishWith::Highest,
        };
        Some(StatementKind::Finish { with, payoff, text: parts.maybe(self, Rule::text, Self::text)? })
    }

    fn payoff(&mut self, pair: Pair) -> Option<(Name, Expr)> {
        let mut parts = super::tree::parts(pair);
        Some((parts.one(self, Rule::name, Self::new_name)?, self.first_expr(&mut parts)?))
    }

    fn restore(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        Some(StatementKind::RestoreUses { scope: self.first_name(parts)? })
    }

    // --- the order of things ---

    fn do_(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let name = self.first_name(parts)?;
        let args = parts.maybe(self, Rule::args, Self::args)?;
        Some(StatementKind::Do { name, args, result: parts.maybe(self, Rule::as_name, Self::as_name)? })
    }

    /// `settle(die, place)` is reported, and parsed as `do settle(die, place)`.
    fn called(&mut self, span: Span, parts: &mut Parts) -> Option<StatementKind> {
        let words = self.written_as(span);
        let ExprKind::Call(name, args) = parts.one(self, Rule::call, Self::call)?.kind else { return None };
        let problem = Problem::error(codes::FOREIGN_FORM, "a procedure is carried out with `do`");
        self.problems.push(match elsewhere(&name.text, STATEMENT) {
            Some(help) => problem.at(span, format!("`do {words}` if the rules have it")).help(help),
            None => problem.at(span, format!("write `do {words}`")).instead(Span { end: span.start, ..span }, "do "),
        });
        Some(StatementKind::Do { name, args: Some(args), result: None })
    }

    fn if_(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let condition = self.first_expr(parts)?;
        self.without_then(parts);
        let mut arms = vec![(condition, self.first_block(parts)?)];
        arms.extend(parts.all(self, Rule::else_if, Self::else_if)?);
        Some(StatementKind::If { arms, otherwise: parts.maybe(self, Rule::else_, Self::block_within)? })
    }

    fn else_if(&mut self, pair: Pair) -> Option<(Expr, Block)> {
        let mut parts = parts(pair);
        if let Some(word) = parts.take(Rule::wrong_else_if) {
            let place = self.span(&word);
            self.written(place, word.as_str(), "else if");
        }
        let condition = self.first_expr(&mut parts)?;
        self.without_then(&mut parts);
        Some((condition, self.first_block(&mut parts)?))
    }

    /// `if x then { … }` is reported, and parsed as `if x { … }`.
    fn without_then(&mut self, parts: &mut Parts) {
        if let Some(word) = parts.take(Rule::wrong_then) {
            let place = self.span(&word);
            let message = "before a block there is no `then`";
            let behind = self.text.get(place.end as usize..).is_some_and(|behind| behind.starts_with(' '));
            let whole = Span { end: place.end + u32::from(behind), ..place };
            let problem = Problem::error(codes::FOREIGN_FORM, message).at(place, "leave it out");
            self.problems.push(problem.instead(whole, ""));
        }
    }

    fn each(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let name = parts.one(self, Rule::name, Self::new_name)?;
        let set = self.first_expr(parts)?;
        match parts.take(Rule::at_once) {
            Some(pair) => self.ask_each(name, set, pair),
            None => Some(StatementKind::Each { name, set, body: self.first_block(parts)? }),
        }
    }

    fn count(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let name = parts.one(self, Rule::name, Self::new_name)?;
        let from = parts.one(self, Rule::sum, Self::sum)?;
        let down = parts.has(Rule::down);
        let to = parts.one(self, Rule::sum, Self::sum)?;
        Some(StatementKind::Count { name, from, to, down, body: self.first_block(parts)? })
    }

    fn repeat(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let (mut most, mut exactly, mut until) = (None, false, None);
        while parts.peek() != Some(Rule::block) {
            let head = parts.next()?;
            let span = self.span(&head);
            if head.as_rule() == Rule::repeat_until {
                let before = until.replace(self.expr_within(head)?);
                self.once("until", before.is_some(), span);
            } else {
                exactly = head.as_rule() == Rule::repeat_times;
                let before = most.replace(self.sum_within(head)?);
                self.once("times", before.is_some(), span);
            }
        }
        let body = self.first_block(parts)?;
        let otherwise = parts.maybe(self, Rule::otherwise, Self::block_within)?;
        Some(StatementKind::Repeat { most, exactly, until, body, otherwise })
    }

    fn depending(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let on = self.first_expr(parts)?;
        let cases = parts.all(self, Rule::depending_arm, Self::depending_arm)?;
        let mut otherwise = parts.maybe(self, Rule::otherwise, Self::block_within)?;
        self.problems.extend(cases.iter().find_map(|case| case.problem.clone()));
        let (mut arms, mut numbered) = (Vec::new(), Vec::new());
        for Case { key, block, .. } in cases {
            match key {
                CaseKey::Word(word) => arms.push((word, block)),
                CaseKey::Otherwise => otherwise = Some(block),
                CaseKey::Numbers(set) => {
                    let kind = ExprKind::In { negated: false, item: Box::new(on.clone()), set: Box::new(set) };
                    numbered.push((Expr { span: on.span, kind }, block));
                }
            }
        }
        Some(match numbered.is_empty() {
            true => StatementKind::Depending { on, arms, otherwise },
            false => StatementKind::If { arms: numbered, otherwise },
        })
    }

    fn depending_arm(&mut self, pair: Pair) -> Option<Case> {
        let mut inner = parts(pair);
        if let Some(wrong) = inner.take(Rule::wrong_arm) {
            return self.wrong_arm(parts(wrong));
        }
        let (word, block) = (self.first_name(&mut inner)?, self.first_block(&mut inner)?);
        Some(Case { key: CaseKey::Word(word), block, problem: None })
    }

    /// A case in the syntax of other languages. The first in a statement is reported, and each is parsed as far as possible.
    fn wrong_arm(&mut self, mut parts: Parts) -> Option<Case> {
        let told = |place, message: &str, remark: &str, help: &str| {
            Some(Problem::error(codes::FOREIGN_FORM, message).at(place, remark).help(help))
        };
        let written = "a case is written `word { … }`, and what is left over `otherwise { … }` after the last `}`";
        let mut problem = None;
        if let Some(word) = parts.take(Rule::wrong_case) {
            problem = told(self.span(&word), "a case begins with its word", "leave this out", written);
        }
        let key = match parts.take(Rule::wrong_key) {
            Some(key) if key.as_str().starts_with(|sign: char| sign.is_ascii_digit()) => {
                let help = "write `if … = 1 { … } else if … = 2 { … }`; a `table` gives a value for a number";
                let span = self.span(&key);
                problem = told(span, "`depending on` compares words, not numbers", "a number", help);
                let (least, most) = key.as_str().split_once("..").unwrap_or((key.as_str(), key.as_str()));
                let mut number = |digits| Box::new(Expr { span, kind: ExprKind::Number(self.digits(digits, span)) });
                CaseKey::Numbers(Expr { span, kind: ExprKind::Range(number(least), number(most)) })
            }
            Some(key) => {
                problem = told(self.span(&key), "what is left over comes after the cases", "not a case", written);
                CaseKey::Otherwise
            }
            None => CaseKey::Word(self.first_name(&mut parts)?),
        };
        if let Some(arrow) = parts.take(Rule::wrong_arrow) {
            let help = "a case is written `word { … }`";
            problem = problem.or(told(self.span(&arrow), "a block follows the word of a case", "leave this out", help));
        }
        let block = match parts.peek() {
            Some(Rule::block) => self.first_block(&mut parts)?,
            _ => Block { statements: parts.all(self, Rule::statement, Self::statement)? },
        };
        Some(Case { key, block, problem })
    }

    fn stop(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        Some(StatementKind::Stop { name: parts.maybe(self, Rule::stopped, Self::name_within)? })
    }

    fn give(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        Some(StatementKind::Give { value: self.first_expr(parts)? })
    }

    fn answer(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        Some(StatementKind::Answer { word: self.first_name(parts)? })
    }

    fn open(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let hook = self.first_name(parts)?;
        let args = parts.maybe(self, Rule::args, Self::args)?.unwrap_or_default();
        let first = parts.maybe(self, Rule::asking_first, Self::expr_within)?;
        let after_use = parts.maybe(self, Rule::after_use, Self::block_within)?;
        let arms = parts.maybe(self, Rule::arms, Self::arms)?.unwrap_or_default();
        Some(StatementKind::Open { hook, args, first, after_use, arms })
    }

    fn arms(&mut self, pair: Pair) -> Option<Vec<OpenArm>> {
        parts(pair).all(self, Rule::arm, Self::arm)
    }

    fn arm(&mut self, pair: Pair) -> Option<OpenArm> {
        let span = self.span(&pair);
        let mut parts = parts(pair);
        let answer = if parts.has(Rule::nothing) { None } else { Some(self.first_name(&mut parts)?) };
        Some(OpenArm { answer, body: self.first_block(&mut parts)?, span })
    }

    /// `while x { … }` is reported, and parsed as `repeat until not x { … }`.
    fn while_(&mut self, span: Span, parts: &mut Parts) -> Option<StatementKind> {
        let condition = self.first_expr(parts)?;
        let word = Span { end: span.start + "while".len() as u32, ..span };
        let written = self.written_as(condition.span);
        let always = ["true", "yes"].contains(&written.as_str());
        let help = match always {
            true => "`repeat at most 100 times { … }`, which `leave` ends early".to_string(),
            false => format!("`repeat at most 100 times until not ({written}) {{ … }}`"),
        };
        let problem = Problem::error(codes::FOREIGN_FORM, "there is no `while`: a repetition says how often at most");
        self.problems.push(problem.at(word, "write `repeat`").help(help));
        let most = Some(Expr { span: word, kind: ExprKind::Number(MOST_OF_WHILE) });
        let until = (!always).then(|| Expr { span: condition.span, kind: ExprKind::Not(Box::new(condition)) });
        Some(StatementKind::Repeat { most, exactly: always, until, body: self.first_block(parts)?, otherwise: None })
    }

    /// `for x in set { … }` is reported, and parsed as `each x in set { … }`.
    fn for_(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let word = parts.take(Rule::for_each)?;
        let place = self.span(&word);
        self.written(place, word.as_str(), "each");
        self.each(parts)
    }

    /// `return x` is reported, and parsed as `give x`; `return` alone as `stop`.
    fn return_(&mut self, span: Span, parts: &mut Parts) -> Option<StatementKind> {
        let word = Span { end: span.start + "return".len() as u32, ..span };
        let value = parts.maybe(self, Rule::expr, Self::expr)?;
        self.written(word, "return", if value.is_some() { "give" } else { "stop" });
        Some(match value {
            Some(value) => StatementKind::Give { value },
            None => StatementKind::Stop { name: None },
        })
    }

    // --- questions ---

    fn ask(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let who = parts.one(self, Rule::sum, Self::sum)?;
        let asking = parts.take(Rule::asking)?;
        Some(StatementKind::Ask(Box::new(self.asking(who, asking)?)))
    }

    /// `each side in sides at once in secret must choose …`
    fn ask_each(&mut self, name: Name, set: Expr, pair: Pair) -> Option<StatementKind> {
        let mut parts = parts(pair);
        let secret = parts.has(Rule::in_secret);
        let asking = parts.take(Rule::asking)?;
        let ask = self.asking(set, asking)?;
        Some(StatementKind::Ask(Box::new(Ask { at_once: Some((name, secret)), ..ask })))
    }

    fn asking(&mut self, who: Expr, pair: Pair) -> Option<Ask> {
        let mut parts = parts(pair);
        let first = parts.next()?;
        let must = first.as_rule() != Rule::may;
        if first.as_rule() == Rule::wrong_choose {
            self.chooses(&who, &first);
        }
        // The prompt is the question itself if the answer is yes or no.
        let prompt = parts.maybe(self, Rule::text, Self::text)?;
        let what = if prompt.is_some() { AskWhat::YesNo } else { self.ask_what(parts.next()?)? };
        let (during, name, pass_text, otherwise) = (None, None, None, None);
        let mut ask = Ask {
            who,
            at_once: None,
            must,
            what,
            during,
            name,
            into: None,
            prompt,
            pass_text,
            tells: false,
            even_when_forced: false,
            otherwise,
        };
        while let Some(tail) = parts.next() {
            self.ask_tail(&mut ask, tail)?;
        }
        Some(ask)
    }

    fn chooses(&mut self, who: &Expr, word: &Pair) {
        let place = self.span(word);
        let who = self.written_as(who.span);
        let problem = Problem::error(codes::FOREIGN_FORM, format!("`{}` does not say whether `{who}` has to", word.as_str()))
            .at(place, "write `must choose` or `may choose`");
        self.problems.push(problem);
    }

    fn ask_what(&mut self, pair: Pair) -> Option<AskWhat> {
        let span = self.span(&pair);
        let rule = pair.as_rule();
        let mut parts = parts(pair);
        let parts = &mut parts;
        match rule {
            Rule::ask_families => Some(AskWhat::Families(parts.all(self, Rule::family_use, Self::family_use)?)),
            Rule::ask_among => self.choose_among(parts),
            Rule::wrong_among => self.choose_a(span, parts),
            Rule::ask_number => self.choose_number(parts),
            Rule::ask_word => Some(AskWhat::Word(self.first_name(parts)?)),
            Rule::ask_order => Some(AskWhat::Order(self.first_expr(parts)?)),
            Rule::ask_divide => self.divide(parts),
            _ => None,
        }
    }

    fn choose_among(&mut self, parts: &mut Parts) -> Option<AskWhat> {
        let amount = parts.one(self, Rule::amount, Self::amount)?;
        Some(AskWhat::Among { amount, set: self.first_expr(parts)? })
    }

    fn choose_number(&mut self, parts: &mut Parts) -> Option<AskWhat> {
        let least = parts.one(self, Rule::sum, Self::sum)?;
        Some(AskWhat::Number { least, most: parts.one(self, Rule::sum, Self::sum)? })
    }

    /// `divide total in steps of 10 among targets`: each target gets a multiple of the step.
    fn divide(&mut self, parts: &mut Parts) -> Option<AskWhat> {
        let total = parts.one(self, Rule::sum, Self::sum)?;
        let step = parts.one(self, Rule::sum, Self::sum)?;
        Some(AskWhat::Divide { total, step, among: self.first_expr(parts)? })
    }

    /// `choose a die in set` is reported, and parsed as `choose 1 in set`.
    fn choose_a(&mut self, span: Span, parts: &mut Parts) -> Option<AskWhat> {
        let kind = self.first_name(parts)?;
        let set = self.first_expr(parts)?;
        let words = self.written_as(set.span);
        let place = Span { end: kind.span.end, ..span };
        let message = "a choice in a set begins with a number";
        self.wrong_for(place, message, format!("write `1`, as in `choose 1 in {words}`"), "1");
        Some(AskWhat::Among { amount: Amount::One, set })
    }

    fn family_use(&mut self, pair: Pair) -> Option<(Name, Option<Vec<Expr>>)> {
        let mut parts = parts(pair);
        Some((self.first_name(&mut parts)?, parts.maybe(self, Rule::args, Self::args)?))
    }

    fn ask_tail(&mut self, ask: &mut Ask, pair: Pair) -> Option<()> {
        let span = self.span(&pair);
        match pair.as_rule() {
            Rule::during => {
                let before = ask.during.replace(self.during(pair)?);
                self.once("during", before.is_some(), span);
            }
            Rule::as_name => {
                let before = ask.name.replace(self.as_name(pair)?);
                self.once("as", before.is_some(), span);
            }
            Rule::into => {
                let before = ask.into.replace(self.sum_within(pair)?);
                self.once("into", before.is_some(), span);
            }
            Rule::even_when_forced => {
                let before = std::mem::replace(&mut ask.even_when_forced, true);
                self.once("ask even when forced", before, span);
            }
            Rule::tells => {
                let before = std::mem::replace(&mut ask.tells, true);
                self.once("tells", before, span);
            }
            Rule::else_ => {
                let before = ask.otherwise.replace(self.block_within(pair)?);
                self.once("else", before.is_some(), span);
            }
            // The first text is the prompt, the second the text for declining.
            Rule::text if ask.prompt.is_none() => ask.prompt = Some(self.text(pair)?),
            Rule::text => {
                if ask.pass_text.replace(self.text(pair)?).is_some() {
                    let problem = Problem::error(codes::PART_TWICE, "a question has at most two texts").at(span, "the third");
                    self.problems.push(problem.help("the first words the question, the second how to decline"));
                }
            }
            _ => return None,
        }
        Some(())
    }

    fn during(&mut self, pair: Pair) -> Option<(Name, Vec<Expr>)> {
        let mut parts = parts(pair);
        Some((self.first_name(&mut parts)?, parts.one(self, Rule::args, Self::args)?))
    }

    fn once(&mut self, what: &str, before: bool, span: Span) {
        if before {
            self.twice(what, None, span);
        }
    }
}

/// A case of `depending on`.
struct Case {
    key: CaseKey,
    block: Block,
    problem: Option<Problem>,
}

enum CaseKey {
    Word(Name),
    /// Not a case of this language: all numbers of a range.
    Numbers(Expr),
    Otherwise,
}

/// The maximum number of rounds when `while` is parsed as `repeat`.
const MOST_OF_WHILE: i64 = 100;
