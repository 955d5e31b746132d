//! Blocks and statements. Each builder gets a pair, the text that one rule of the grammar has matched, or its parts, and
//! returns the node of the tree; see [`Builder`] for `None`. Rules named `wrong_…` match forms of other languages: these are
//! reported, and parsed as what they mean.

use super::Rule;
use super::messages::{STATEMENT, foreign_word_help};
use super::tree::{Builder, Pair, Parts, inner_parts};
use crate::codes;
use crate::problem::Problem;
use crate::source::Span;
use crate::tree::{
    Amount, Ask, AskWhat, Block, EventName, Expr, ExprKind, FinishWith, Name, OpenArm, Statement, StatementKind, Text, Until,
    ZoneEnd,
};

impl Builder<'_> {
    /// `{ … }`
    pub fn build_block(&mut self, pair: Pair) -> Option<Block> {
        let span = self.pair_span(&pair);
        let statements =
            self.build_deeper(1, span, |builder| inner_parts(pair).build_all(builder, Rule::statement, Self::build_statement))?;
        Some(Block { statements })
    }

    /// The single block within a pair.
    fn build_inner_block(&mut self, pair: Pair) -> Option<Block> {
        inner_parts(pair).build_one(self, Rule::block, Self::build_block)
    }

    /// A statement with its place and rule ids.
    fn build_statement(&mut self, pair: Pair) -> Option<Statement> {
        let span = self.pair_span(&pair);
        let kind = self.build_statement_kind(inner_parts(pair).next()?)?;
        Some(Statement { kind, span, cites: self.take_cites(span) })
    }

    // Every arm is a single call: in unoptimised builds, each value made here would use stack space at every level.
    fn build_statement_kind(&mut self, pair: Pair) -> Option<StatementKind> {
        let span = self.pair_span(&pair);
        let rule = pair.as_rule();
        let mut parts = inner_parts(pair);
        let parts = &mut parts;
        match rule {
            Rule::let_ => self.build_let(span, parts),
            Rule::set_ => self.build_set(parts),
            Rule::add => self.build_add(parts),
            Rule::take => self.build_take(parts),
            Rule::move_ => self.build_move(parts),
            Rule::roll => self.build_roll(parts),
            Rule::shuffle => self.build_shuffle(parts),
            Rule::draw => self.build_draw(parts),
            Rule::create => self.build_create(parts),
            Rule::remove => self.build_remove(parts),
            Rule::mark => self.build_mark(parts),
            Rule::unmark => self.build_unmark(parts),
            Rule::show => self.build_show(parts),
            Rule::do_ => self.build_do(parts),
            Rule::if_ => self.build_if(parts),
            Rule::each => self.build_each(parts),
            Rule::count => self.build_count(parts),
            Rule::repeat => self.build_repeat(parts),
            Rule::depending => self.build_depending(parts),
            Rule::stop => self.build_stop(parts),
            Rule::leave => Some(StatementKind::Leave),
            Rule::skip => Some(StatementKind::Skip),
            Rule::give => self.build_give(parts),
            Rule::open => self.build_open(parts),
            Rule::say => self.build_say(parts),
            Rule::finish => self.build_finish(parts),
            Rule::answer => self.build_answer(parts),
            Rule::restore => self.build_restore(parts),
            Rule::ask => self.build_ask(parts),
            Rule::wrong_while => self.build_while(span, parts),
            Rule::wrong_for => self.build_for(parts),
            Rule::wrong_return => self.build_return(span, parts),
            Rule::wrong_set => self.build_assignment(span, parts),
            Rule::wrong_call => self.build_bare_call(span, parts),
            _ => None,
        }
    }

    /// The next part, which is an expression.
    fn build_next_expr(&mut self, parts: &mut Parts) -> Option<Expr> {
        parts.build_one(self, Rule::expr, Self::build_expr)
    }

    /// The next part, which is a name.
    fn build_next_name(&mut self, parts: &mut Parts) -> Option<Name> {
        parts.build_one(self, Rule::name, Self::build_name)
    }

    /// The next part, which is a block.
    fn build_next_block(&mut self, parts: &mut Parts) -> Option<Block> {
        parts.build_one(self, Rule::block, Self::build_block)
    }

    /// The name in `stop turn`.
    fn build_stopped_name(&mut self, pair: Pair) -> Option<Name> {
        inner_parts(pair).build_one(self, Rule::name, Self::build_name)
    }

    /// The name in `as name`.
    fn build_as_name(&mut self, pair: Pair) -> Option<Name> {
        inner_parts(pair).build_one(self, Rule::name, Self::build_new_name)
    }

    // --- values and places ---

    /// `let x = 3`
    fn build_let(&mut self, span: Span, parts: &mut Parts) -> Option<StatementKind> {
        if let Some(word) = parts.take_part(Rule::wrong_let) {
            let place = self.pair_span(&word);
            self.report_spelling(place, word.as_str(), "let");
        }
        let name = parts.build_one(self, Rule::name, Self::build_new_name)?;
        let value = parts.next()?;
        match value.as_rule() {
            Rule::expr => {
                let value = self.build_expr(value)?;
                match parts.take_part(Rule::asking) {
                    Some(asking) => self.build_let_ask(name, value, asking),
                    None => Some(StatementKind::Let { name, value }),
                }
            }
            _ => self.build_let_result(span, name, super::tree::inner_parts(value).next()?),
        }
    }

    /// `let x = active must choose …` is reported, and parsed as `active must choose … as x`.
    fn build_let_ask(&mut self, name: Name, who: Expr, asking: Pair) -> Option<StatementKind> {
        let message = "a question gives its answer a name with `as`";
        let remark = format!("write `{} … as {}`", self.source_text(who.span), name.text);
        self.report_wrong_form(name.span, message, remark);
        let mut ask = self.build_question(who, asking)?;
        ask.name.get_or_insert(name);
        Some(StatementKind::Ask(Box::new(ask)))
    }

    /// `let x = do …` and `let x = roll …` are reported, with `… as x` as the correction.
    fn build_let_result(&mut self, span: Span, name: Name, statement: Pair) -> Option<StatementKind> {
        let place = self.pair_span(&statement);
        let words = self.source_text(place);
        let problem = Problem::error(codes::FOREIGN_FORM, "a result gets its name with `as`");
        let problem = problem.with_label(span, format!("write `{words} as {}`", name.text));
        let (before, behind) = (Span { end: place.start, ..span }, Span { start: place.end, ..place });
        self.problems.push(problem.with_edit(before, "").with_edit(behind, format!(" as {}", name.text)));
        let mut kind = self.build_statement_kind(statement)?;
        if let StatementKind::Do { result: given, .. } | StatementKind::Roll { name: given, .. } = &mut kind {
            given.get_or_insert(name);
        }
        Some(kind)
    }

    /// `set place to 3`
    fn build_set(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let place = parts.build_one(self, Rule::postfix, Self::build_postfix)?;
        if let Some(sign) = parts.take_part(Rule::wrong_equals) {
            let sign = self.pair_span(&sign);
            self.report_fixable_form(sign, "`set` says `to`, not `=`", "write `to`", "to");
        }
        let value = self.build_next_expr(parts)?;
        Some(StatementKind::Set { place, value, event: self.build_optional_event(parts)? })
    }

    /// `add 1 to place`
    fn build_add(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let value = self.build_next_expr(parts)?;
        let place = parts.build_one(self, Rule::postfix, Self::build_postfix)?;
        Some(StatementKind::Add { place, value, less: false, event: self.build_optional_event(parts)? })
    }

    /// `take 1 from place`, which is an addition with `less` true.
    fn build_take(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let value = self.build_next_expr(parts)?;
        let place = parts.build_one(self, Rule::postfix, Self::build_postfix)?;
        Some(StatementKind::Add { place, value, less: true, event: self.build_optional_event(parts)? })
    }

    /// The name of an event, if one follows.
    fn build_optional_event(&mut self, parts: &mut Parts) -> Option<Option<EventName>> {
        parts.build_optional(self, Rule::event_name, Self::build_event_name)
    }

    /// `as won_round "{winner} wins"`, after a change of the state.
    fn build_event_name(&mut self, pair: Pair) -> Option<EventName> {
        let mut parts = inner_parts(pair);
        let name = parts.build_one(self, Rule::name, Self::build_new_name)?;
        Some(EventName { name, text: parts.build_optional(self, Rule::text, Self::build_text)? })
    }

    /// `x = 3`, `x += 1` and `x++` are reported, with `set` or `add` as the correction.
    fn build_assignment(&mut self, span: Span, parts: &mut Parts) -> Option<StatementKind> {
        let place = parts.build_one(self, Rule::postfix, Self::build_postfix)?;
        let sign = parts.next()?;
        let at = self.pair_span(&sign);
        let one = Expr { kind: ExprKind::Number(1), span: at };
        let value = parts.build_optional(self, Rule::expr, Self::build_expr)?;
        let written_value = value.as_ref().map_or("1".to_string(), |value| self.source_text(value.span));
        let written_place = self.source_text(place.span);
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
        let problem = problem.with_label(span, format!("write `{right}`")).with_edit(span, right);
        self.problems.push(match kind {
            StatementKind::Set { .. } => problem.help("a value that is new gets its name with `let x = …`"),
            _ => problem,
        });
        Some(kind)
    }

    // --- effects ---

    /// `move pieces to zone`, `move pieces to bottom of zone`
    fn build_move(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let what = self.build_next_expr(parts)?;
        let end = parts.build_optional(self, Rule::zone_end, Self::build_zone_end)?.unwrap_or(ZoneEnd::Top);
        let to = self.build_next_expr(parts)?;
        Some(StatementKind::Move { what, to, end, event: self.build_optional_event(parts)? })
    }

    /// `top of` or `bottom of`
    fn build_zone_end(&mut self, pair: Pair) -> Option<ZoneEnd> {
        Some(if inner_parts(pair).take_if_present(Rule::bottom) { ZoneEnd::Bottom } else { ZoneEnd::Top })
    }

    /// `roll dice`, `roll 2 d6 because "luck" as shown`
    fn build_roll(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let what = self.build_next_expr(parts)?;
        let pool = match parts.build_optional(self, Rule::die_word, Self::build_die_word)? {
            Some(size) => Some(size),
            None => parts.build_optional(self, Rule::pool_die, Self::build_pool_die)?,
        };
        let reason = parts.build_optional(self, Rule::because, Self::build_inner_text)?;
        let name = parts.build_optional(self, Rule::as_name, Self::build_as_name)?;
        Some(StatementKind::Roll { what, pool, reason, name })
    }

    /// The size in `d6`.
    fn build_die_word(&mut self, pair: Pair) -> Option<Expr> {
        let whole = self.pair_span(&pair);
        let span = Span { start: whole.start + 1, ..whole };
        Some(Expr { kind: ExprKind::Number(self.parse_digits(&pair.as_str()[1..], span)), span })
    }

    /// The size in `dice of size n`.
    fn build_pool_die(&mut self, pair: Pair) -> Option<Expr> {
        inner_parts(pair).build_one(self, Rule::postfix, Self::build_postfix)
    }

    /// The single text within a pair.
    fn build_inner_text(&mut self, pair: Pair) -> Option<Text> {
        inner_parts(pair).build_one(self, Rule::text, Self::build_text)
    }

    /// `shuffle zone`
    fn build_shuffle(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        Some(StatementKind::Shuffle { zone: self.build_next_expr(parts)? })
    }

    /// `draw 2 in xs at random as drawn`
    fn build_draw(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let count = parts.build_one(self, Rule::sum, Self::build_sum)?;
        let from = self.build_next_expr(parts)?;
        let reason = parts.build_optional(self, Rule::because, Self::build_inner_text)?;
        Some(StatementKind::Draw { count, from, reason, name: parts.build_one(self, Rule::as_name, Self::build_as_name)? })
    }

    /// `create die(size: 8) in zone for owner as extra`
    fn build_create(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let kind = self.build_next_name(parts)?;
        let fields = parts.build_one(self, Rule::named_args, Self::build_named_args)?;
        let zone = self.build_next_expr(parts)?;
        let owner = parts.build_optional(self, Rule::for_owner, Self::build_inner_expr)?;
        let name = parts.build_optional(self, Rule::as_name, Self::build_as_name)?;
        Some(StatementKind::Create { kind, fields, zone, owner, name })
    }

    /// `(size: 8, value: 3)`
    fn build_named_args(&mut self, pair: Pair) -> Option<Vec<(Name, Expr)>> {
        inner_parts(pair).build_all(self, Rule::named_arg, Self::build_named_arg)
    }

    /// `size: 8`
    fn build_named_arg(&mut self, pair: Pair) -> Option<(Name, Expr)> {
        let mut parts = inner_parts(pair);
        Some((self.build_next_name(&mut parts)?, self.build_next_expr(&mut parts)?))
    }

    /// `remove things`
    fn build_remove(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        Some(StatementKind::Remove { what: self.build_next_expr(parts)? })
    }

    /// `mark thing as tired until end of turn`
    fn build_mark(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let what = self.build_next_expr(parts)?;
        let mark = self.build_next_name(parts)?;
        let fields = parts.build_optional(self, Rule::named_args, Self::build_named_args)?.unwrap_or_default();
        let until = parts.build_optional(self, Rule::until, Self::build_until)?;
        Some(StatementKind::Mark { what, mark, fields, until })
    }

    /// `unmark thing as tired`
    fn build_unmark(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        Some(StatementKind::Unmark { what: self.build_next_expr(parts)?, mark: self.build_next_name(parts)? })
    }

    /// `until it leaves`, `until end of next turn of side`
    fn build_until(&mut self, pair: Pair) -> Option<Until> {
        let inner = inner_parts(pair).next()?;
        if inner.as_rule() == Rule::until_leaves {
            return Some(Until::Leaves);
        }
        let mut parts = inner_parts(inner);
        let next = parts.take_if_present(Rule::next);
        let scope = self.build_next_name(&mut parts)?;
        Some(Until::End { next, scope, of: parts.build_optional(self, Rule::until_of, Self::build_inner_expr)? })
    }

    /// `show pieces to side`
    fn build_show(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        Some(StatementKind::Show { what: self.build_next_expr(parts)?, to: self.build_next_expr(parts)? })
    }

    /// `say "…" to sides`
    fn build_say(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let text = parts.build_one(self, Rule::text, Self::build_text)?;
        Some(StatementKind::Say { text, to: parts.build_optional(self, Rule::say_to, Self::build_inner_expr)? })
    }

    /// `finish with winners "…"`, `finish with nobody`, `finish with payoff of side = side.points`
    fn build_finish(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let nobody = parts.take_if_present(Rule::finish_nobody);
        let winners = parts.build_optional(self, Rule::expr, Self::build_expr)?;
        let payoff = parts.build_optional(self, Rule::payoff, Self::build_payoff)?;
        let with = match winners {
            Some(winners) => FinishWith::Winners(winners),
            None if nobody => FinishWith::Nobody,
            None => FinishWith::Highest,
        };
        Some(StatementKind::Finish { with, payoff, text: parts.build_optional(self, Rule::text, Self::build_text)? })
    }

    /// The name for each side in turn, and its payoff: `payoff of side = side.points`.
    fn build_payoff(&mut self, pair: Pair) -> Option<(Name, Expr)> {
        let mut parts = super::tree::inner_parts(pair);
        Some((parts.build_one(self, Rule::name, Self::build_new_name)?, self.build_next_expr(&mut parts)?))
    }

    /// `restore uses of round`
    fn build_restore(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        Some(StatementKind::RestoreUses { scope: self.build_next_name(parts)? })
    }

    // --- the order of things ---

    /// `do procedure(a, b) as result`, `do move`
    fn build_do(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let name = self.build_next_name(parts)?;
        let args = parts.build_optional(self, Rule::args, Self::build_args)?;
        Some(StatementKind::Do { name, args, result: parts.build_optional(self, Rule::as_name, Self::build_as_name)? })
    }

    /// `settle(die, place)` is reported, and parsed as `do settle(die, place)`.
    fn build_bare_call(&mut self, span: Span, parts: &mut Parts) -> Option<StatementKind> {
        let words = self.source_text(span);
        let ExprKind::Call(name, args) = parts.build_one(self, Rule::call, Self::build_call)?.kind else { return None };
        let problem = Problem::error(codes::FOREIGN_FORM, "a procedure is carried out with `do`");
        self.problems.push(match foreign_word_help(&name.text, STATEMENT) {
            Some(help) => problem.with_label(span, format!("`do {words}` if the rules have it")).help(help),
            None => problem.with_label(span, format!("write `do {words}`")).with_edit(Span { end: span.start, ..span }, "do "),
        });
        Some(StatementKind::Do { name, args: Some(args), result: None })
    }

    /// `if a { … } else if b { … } else { … }`
    fn build_if(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let condition = self.build_next_expr(parts)?;
        self.report_then(parts);
        let mut arms = vec![(condition, self.build_next_block(parts)?)];
        arms.extend(parts.build_all(self, Rule::else_if, Self::build_else_if)?);
        Some(StatementKind::If { arms, otherwise: parts.build_optional(self, Rule::else_, Self::build_inner_block)? })
    }

    /// `else if b { … }`
    fn build_else_if(&mut self, pair: Pair) -> Option<(Expr, Block)> {
        let mut parts = inner_parts(pair);
        if let Some(word) = parts.take_part(Rule::wrong_else_if) {
            let place = self.pair_span(&word);
            self.report_spelling(place, word.as_str(), "else if");
        }
        let condition = self.build_next_expr(&mut parts)?;
        self.report_then(&mut parts);
        Some((condition, self.build_next_block(&mut parts)?))
    }

    /// `if x then { … }` is reported, and parsed as `if x { … }`.
    fn report_then(&mut self, parts: &mut Parts) {
        if let Some(word) = parts.take_part(Rule::wrong_then) {
            let place = self.pair_span(&word);
            let message = "before a block there is no `then`";
            let behind = self.text.get(place.end as usize..).is_some_and(|behind| behind.starts_with(' '));
            let whole = Span { end: place.end + u32::from(behind), ..place };
            let problem = Problem::error(codes::FOREIGN_FORM, message).with_label(place, "leave it out");
            self.problems.push(problem.with_edit(whole, ""));
        }
    }

    /// `each x in xs { … }`, or a question to each at once.
    fn build_each(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let name = parts.build_one(self, Rule::name, Self::build_new_name)?;
        let set = self.build_next_expr(parts)?;
        match parts.take_part(Rule::at_once) {
            Some(pair) => self.build_ask_each(name, set, pair),
            None => Some(StatementKind::Each { name, set, body: self.build_next_block(parts)? }),
        }
    }

    /// `count n from 1 to 6 { … }`, `count n from 6 down to 1 { … }`
    fn build_count(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let name = parts.build_one(self, Rule::name, Self::build_new_name)?;
        let from = parts.build_one(self, Rule::sum, Self::build_sum)?;
        let down = parts.take_if_present(Rule::down);
        let to = parts.build_one(self, Rule::sum, Self::build_sum)?;
        Some(StatementKind::Count { name, from, to, down, body: self.build_next_block(parts)? })
    }

    /// `repeat 3 times { … }`, `repeat at most 9 times until a { … } otherwise { … }`
    fn build_repeat(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let (mut most, mut exactly, mut until) = (None, false, None);
        while parts.peek() != Some(Rule::block) {
            let head = parts.next()?;
            let span = self.pair_span(&head);
            if head.as_rule() == Rule::repeat_until {
                let before = until.replace(self.build_inner_expr(head)?);
                self.report_repeated("until", before.is_some(), span);
            } else {
                exactly = head.as_rule() == Rule::repeat_times;
                let before = most.replace(self.build_inner_sum(head)?);
                self.report_repeated("times", before.is_some(), span);
            }
        }
        let body = self.build_next_block(parts)?;
        let otherwise = parts.build_optional(self, Rule::otherwise, Self::build_inner_block)?;
        Some(StatementKind::Repeat { most, exactly, until, body, otherwise })
    }

    /// Cases by number, which are no part of the language, make it an `if`.
    fn build_depending(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let on = self.build_next_expr(parts)?;
        let cases = parts.build_all(self, Rule::depending_arm, Self::build_depending_arm)?;
        let mut otherwise = parts.build_optional(self, Rule::otherwise, Self::build_inner_block)?;
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

    /// A case: `fur { … }`.
    fn build_depending_arm(&mut self, pair: Pair) -> Option<Case> {
        let mut inner = inner_parts(pair);
        if let Some(wrong) = inner.take_part(Rule::wrong_arm) {
            return self.build_wrong_arm(inner_parts(wrong));
        }
        let (word, block) = (self.build_next_name(&mut inner)?, self.build_next_block(&mut inner)?);
        Some(Case { key: CaseKey::Word(word), block, problem: None })
    }

    /// A case in the syntax of other languages. The first in a statement is reported, and each is parsed as far as possible.
    fn build_wrong_arm(&mut self, mut parts: Parts) -> Option<Case> {
        let told = |place, message: &str, remark: &str, help: &str| {
            Some(Problem::error(codes::FOREIGN_FORM, message).with_label(place, remark).help(help))
        };
        let written = "a case is written `word { … }`, and what is left over `otherwise { … }` after the last `}`";
        let mut problem = None;
        if let Some(word) = parts.take_part(Rule::wrong_case) {
            problem = told(self.pair_span(&word), "a case begins with its word", "leave this out", written);
        }
        let key = match parts.take_part(Rule::wrong_key) {
            Some(key) if key.as_str().starts_with(|sign: char| sign.is_ascii_digit()) => {
                let help = "write `if … = 1 { … } else if … = 2 { … }`; a `table` gives a value for a number";
                let span = self.pair_span(&key);
                problem = told(span, "`depending on` compares words, not numbers", "a number", help);
                let (least, most) = key.as_str().split_once("..").unwrap_or((key.as_str(), key.as_str()));
                let mut number = |digits| Box::new(Expr { span, kind: ExprKind::Number(self.parse_digits(digits, span)) });
                CaseKey::Numbers(Expr { span, kind: ExprKind::Range(number(least), number(most)) })
            }
            Some(key) => {
                problem = told(self.pair_span(&key), "what is left over comes after the cases", "not a case", written);
                CaseKey::Otherwise
            }
            None => CaseKey::Word(self.build_next_name(&mut parts)?),
        };
        if let Some(arrow) = parts.take_part(Rule::wrong_arrow) {
            let help = "a case is written `word { … }`";
            problem = problem.or(told(self.pair_span(&arrow), "a block follows the word of a case", "leave this out", help));
        }
        let block = match parts.peek() {
            Some(Rule::block) => self.build_next_block(&mut parts)?,
            _ => Block { statements: parts.build_all(self, Rule::statement, Self::build_statement)? },
        };
        Some(Case { key, block, problem })
    }

    /// `stop`, `stop turn`
    fn build_stop(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        Some(StatementKind::Stop { name: parts.build_optional(self, Rule::stopped, Self::build_stopped_name)? })
    }

    /// `give 3`
    fn build_give(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        Some(StatementKind::Give { value: self.build_next_expr(parts)? })
    }

    /// `answer refused`
    fn build_answer(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        Some(StatementKind::Answer { word: self.build_next_name(parts)? })
    }

    /// `open hook(a) asking side first after each use { … } { when refused { … } }`
    fn build_open(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let hook = self.build_next_name(parts)?;
        let args = parts.build_optional(self, Rule::args, Self::build_args)?.unwrap_or_default();
        let first = parts.build_optional(self, Rule::asking_first, Self::build_inner_expr)?;
        let after_use = parts.build_optional(self, Rule::after_use, Self::build_inner_block)?;
        let arms = parts.build_optional(self, Rule::arms, Self::build_arms)?.unwrap_or_default();
        Some(StatementKind::Open { hook, args, first, after_use, arms })
    }

    /// The cases of `open`.
    fn build_arms(&mut self, pair: Pair) -> Option<Vec<OpenArm>> {
        inner_parts(pair).build_all(self, Rule::arm, Self::build_arm)
    }

    /// `when refused { … }`, or `when nothing { … }` for no answer.
    fn build_arm(&mut self, pair: Pair) -> Option<OpenArm> {
        let span = self.pair_span(&pair);
        let mut parts = inner_parts(pair);
        let answer = if parts.take_if_present(Rule::nothing) { None } else { Some(self.build_next_name(&mut parts)?) };
        Some(OpenArm { answer, body: self.build_next_block(&mut parts)?, span })
    }

    /// `while x { … }` is reported, and parsed as `repeat until not x { … }`.
    fn build_while(&mut self, span: Span, parts: &mut Parts) -> Option<StatementKind> {
        let condition = self.build_next_expr(parts)?;
        let word = Span { end: span.start + "while".len() as u32, ..span };
        let written = self.source_text(condition.span);
        let always = ["true", "yes"].contains(&written.as_str());
        let help = match always {
            true => "`repeat at most 100 times { … }`, which `leave` ends early".to_string(),
            false => format!("`repeat at most 100 times until not ({written}) {{ … }}`"),
        };
        let problem = Problem::error(codes::FOREIGN_FORM, "there is no `while`: a repetition says how often at most");
        self.problems.push(problem.with_label(word, "write `repeat`").help(help));
        let most = Some(Expr { span: word, kind: ExprKind::Number(MOST_OF_WHILE) });
        let until = (!always).then(|| Expr { span: condition.span, kind: ExprKind::Not(Box::new(condition)) });
        Some(StatementKind::Repeat { most, exactly: always, until, body: self.build_next_block(parts)?, otherwise: None })
    }

    /// `for x in set { … }` is reported, and parsed as `each x in set { … }`.
    fn build_for(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let word = parts.take_part(Rule::for_each)?;
        let place = self.pair_span(&word);
        self.report_spelling(place, word.as_str(), "each");
        self.build_each(parts)
    }

    /// `return x` is reported, and parsed as `give x`; `return` alone as `stop`.
    fn build_return(&mut self, span: Span, parts: &mut Parts) -> Option<StatementKind> {
        let word = Span { end: span.start + "return".len() as u32, ..span };
        let value = parts.build_optional(self, Rule::expr, Self::build_expr)?;
        self.report_spelling(word, "return", if value.is_some() { "give" } else { "stop" });
        Some(match value {
            Some(value) => StatementKind::Give { value },
            None => StatementKind::Stop { name: None },
        })
    }

    // --- questions ---

    /// `active must choose hop as hop`
    fn build_ask(&mut self, parts: &mut Parts) -> Option<StatementKind> {
        let who = parts.build_one(self, Rule::sum, Self::build_sum)?;
        let asking = parts.take_part(Rule::asking)?;
        Some(StatementKind::Ask(Box::new(self.build_question(who, asking)?)))
    }

    /// `each side in sides at once in secret must choose …`
    fn build_ask_each(&mut self, name: Name, set: Expr, pair: Pair) -> Option<StatementKind> {
        let mut parts = inner_parts(pair);
        let secret = parts.take_if_present(Rule::in_secret);
        let asking = parts.take_part(Rule::asking)?;
        let ask = self.build_question(set, asking)?;
        Some(StatementKind::Ask(Box::new(Ask { at_once: Some((name, secret)), ..ask })))
    }

    /// `who` is already built; the pair is the rest, from `must` or `may` on.
    fn build_question(&mut self, who: Expr, pair: Pair) -> Option<Ask> {
        let mut parts = inner_parts(pair);
        let first = parts.next()?;
        let must = first.as_rule() != Rule::may;
        if first.as_rule() == Rule::wrong_choose {
            self.report_missing_must(&who, &first);
        }
        // The prompt is the question itself if the answer is yes or no.
        let prompt = parts.build_optional(self, Rule::text, Self::build_text)?;
        let what = if prompt.is_some() { AskWhat::YesNo } else { self.build_ask_what(parts.next()?)? };
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
            self.build_ask_tail(&mut ask, tail)?;
        }
        Some(ask)
    }

    /// Reports `active choose …`.
    fn report_missing_must(&mut self, who: &Expr, word: &Pair) {
        let place = self.pair_span(word);
        let who = self.source_text(who.span);
        let problem = Problem::error(codes::FOREIGN_FORM, format!("`{}` does not say whether `{who}` has to", word.as_str()))
            .with_label(place, "write `must choose` or `may choose`");
        self.problems.push(problem);
    }

    /// The answer that is asked for, after `must` or `may`.
    fn build_ask_what(&mut self, pair: Pair) -> Option<AskWhat> {
        let span = self.pair_span(&pair);
        let rule = pair.as_rule();
        let mut parts = inner_parts(pair);
        let parts = &mut parts;
        match rule {
            Rule::ask_families => Some(AskWhat::Families(parts.build_all(self, Rule::family_use, Self::build_family_use)?)),
            Rule::ask_among => self.build_among(parts),
            Rule::wrong_among => self.build_choose_a(span, parts),
            Rule::ask_number => self.build_choose_number(parts),
            Rule::ask_word => Some(AskWhat::Word(self.build_next_name(parts)?)),
            Rule::ask_order => Some(AskWhat::Order(self.build_next_expr(parts)?)),
            Rule::ask_divide => self.build_divide(parts),
            _ => None,
        }
    }

    /// `choose 2 in xs`
    fn build_among(&mut self, parts: &mut Parts) -> Option<AskWhat> {
        let amount = parts.build_one(self, Rule::amount, Self::build_amount)?;
        Some(AskWhat::Among { amount, set: self.build_next_expr(parts)? })
    }

    /// `choose number in 1..6`
    fn build_choose_number(&mut self, parts: &mut Parts) -> Option<AskWhat> {
        let least = parts.build_one(self, Rule::sum, Self::build_sum)?;
        Some(AskWhat::Number { least, most: parts.build_one(self, Rule::sum, Self::build_sum)? })
    }

    /// `divide total in steps of 10 among targets`: each target gets a multiple of the step.
    fn build_divide(&mut self, parts: &mut Parts) -> Option<AskWhat> {
        let total = parts.build_one(self, Rule::sum, Self::build_sum)?;
        let step = parts.build_one(self, Rule::sum, Self::build_sum)?;
        Some(AskWhat::Divide { total, step, among: self.build_next_expr(parts)? })
    }

    /// `choose a die in set` is reported, and parsed as `choose 1 in set`.
    fn build_choose_a(&mut self, span: Span, parts: &mut Parts) -> Option<AskWhat> {
        let kind = self.build_next_name(parts)?;
        let set = self.build_next_expr(parts)?;
        let words = self.source_text(set.span);
        let place = Span { end: kind.span.end, ..span };
        let message = "a choice in a set begins with a number";
        self.report_fixable_form(place, message, format!("write `1`, as in `choose 1 in {words}`"), "1");
        Some(AskWhat::Among { amount: Amount::One, set })
    }

    /// A family with its arguments, if they are written: `hop(active)`.
    fn build_family_use(&mut self, pair: Pair) -> Option<(Name, Option<Vec<Expr>>)> {
        let mut parts = inner_parts(pair);
        Some((self.build_next_name(&mut parts)?, parts.build_optional(self, Rule::args, Self::build_args)?))
    }

    /// Adds one of the parts that may follow a question in any order, each once.
    fn build_ask_tail(&mut self, ask: &mut Ask, pair: Pair) -> Option<()> {
        let span = self.pair_span(&pair);
        match pair.as_rule() {
            Rule::during => {
                let before = ask.during.replace(self.build_during(pair)?);
                self.report_repeated("during", before.is_some(), span);
            }
            Rule::as_name => {
                let before = ask.name.replace(self.build_as_name(pair)?);
                self.report_repeated("as", before.is_some(), span);
            }
            Rule::into => {
                let before = ask.into.replace(self.build_inner_sum(pair)?);
                self.report_repeated("into", before.is_some(), span);
            }
            Rule::even_when_forced => {
                let before = std::mem::replace(&mut ask.even_when_forced, true);
                self.report_repeated("ask even when forced", before, span);
            }
            Rule::tells => {
                let before = std::mem::replace(&mut ask.tells, true);
                self.report_repeated("tells", before, span);
            }
            Rule::else_ => {
                let before = ask.otherwise.replace(self.build_inner_block(pair)?);
                self.report_repeated("else", before.is_some(), span);
            }
            // The first text is the prompt, the second the text for declining.
            Rule::text if ask.prompt.is_none() => ask.prompt = Some(self.build_text(pair)?),
            Rule::text => {
                if ask.pass_text.replace(self.build_text(pair)?).is_some() {
                    let problem =
                        Problem::error(codes::PART_TWICE, "a question has at most two texts").with_label(span, "the third");
                    self.problems.push(problem.help("the first words the question, the second how to decline"));
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// `during hook(a)`
    fn build_during(&mut self, pair: Pair) -> Option<(Name, Vec<Expr>)> {
        let mut parts = inner_parts(pair);
        Some((self.build_next_name(&mut parts)?, parts.build_one(self, Rule::args, Self::build_args)?))
    }

    /// `before` says whether it was given before.
    fn report_repeated(&mut self, what: &str, before: bool, span: Span) {
        if before {
            self.report_duplicate(what, None, span);
        }
    }
}

/// A case of `depending on`.
struct Case {
    key: CaseKey,
    block: Block,
    /// The mistake in how it is written.
    problem: Option<Problem>,
}

/// The values for which a case applies.
enum CaseKey {
    Word(Name),
    /// Not a case of this language: all numbers of a range.
    Numbers(Expr),
    Otherwise,
}

/// The maximum number of rounds when `while` is parsed as `repeat`.
const MOST_OF_WHILE: i64 = 100;
