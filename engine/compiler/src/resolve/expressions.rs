//! Resolves names in expressions: bare names, calls, and members after a dot.
//!
//! A bare name can be a local, a member of the thing whose first value is resolved, a value (an option, definition, table or hook
//! value), a member of the table, a plural or a word. A `foreign` word is one that other programming languages use.

use super::Walker;
use super::calls::ValueNode;
use super::locals::LocalKind;
use super::names::{BUILT_IN_MEMBERS, BUILT_IN_NAMES, CallParameters, RING_MEMBERS};
use super::no_effect::self_comparison_problem;
use crate::boards::{CELL_MEMBERS, cell_member};
use ludex_syntax::codes;
use ludex_syntax::parse::is_die;
use ludex_syntax::problem::{Problem, closest_match, join_words};
use ludex_syntax::source::Span;
use ludex_syntax::tree::{Expr, ExprKind, Name, Text, TextPart};

/// States that any value can be compared with after `is`.
const STATES: [&str; 3] = ["empty", "odd", "even"];

impl<'a> Walker<'_, 'a> {
    /// Resolves the holes of a text.
    pub fn resolve_text(&mut self, text: &'a Text) {
        for part in &text.parts {
            if let TextPart::Hole(expr) = part {
                self.resolve_expression(expr);
            }
        }
    }

    pub fn resolve_texts(&mut self, texts: impl IntoIterator<Item = &'a Text>) {
        texts.into_iter().for_each(|text| self.resolve_text(text));
    }

    pub fn resolve_expressions(&mut self, exprs: impl IntoIterator<Item = &'a Expr>) {
        exprs.into_iter().for_each(|expr| self.resolve_expression(expr));
    }

    /// Resolves all names in an expression. Also warns of a comparison with itself.
    pub fn resolve_expression(&mut self, expr: &'a Expr) {
        self.found.problems.extend(self_comparison_problem(expr));
        match &expr.kind {
            ExprKind::Number(_) | ExprKind::None => {}
            ExprKind::Text(text) => self.resolve_text(text),
            ExprKind::Name(name) => self.resolve_name(name, expr.span),
            ExprKind::Member(of, name) => {
                self.resolve_expression(of);
                self.resolve_member(name, true);
            }
            ExprKind::Call(name, arguments) => {
                self.resolve_call(name, arguments.len());
                self.resolve_expressions(arguments);
            }
            ExprKind::List(members) | ExprKind::OnBoard(_, members) => self.resolve_expressions(members),
            ExprKind::Range(a, b) | ExprKind::Binary(_, a, b) | ExprKind::Top(a, b) | ExprKind::Nth(a, b) => {
                self.resolve_expressions([a.as_ref(), b])
            }
            ExprKind::Divided { left, right, .. } => self.resolve_expressions([left.as_ref(), right]),
            ExprKind::In { item, set, .. } => self.resolve_expressions([item.as_ref(), set]),
            ExprKind::Not(inner) | ExprKind::Of(_, inner) | ExprKind::IsState { left: inner, .. } => {
                self.resolve_expression(inner)
            }
            ExprKind::Keep { count, list, .. } => self.resolve_expressions([count.as_ref(), list]),
            ExprKind::Sorted { list, .. } => self.resolve_expression(list),
            ExprKind::Is { left, right, .. } => {
                self.resolve_expression(left);
                self.resolve_is_operand(right);
            }
            ExprKind::IsA { left, kind, .. } => {
                self.resolve_expression(left);
                self.check_kind_or_die(kind);
            }
            ExprKind::If(condition, yes, no) => self.resolve_expressions([condition.as_ref(), yes, no]),
            ExprKind::Where(set, condition) | ExprKind::Quantified { set, condition, .. } => {
                let (set, name) = set.set_and_name();
                self.resolve_expression(set);
                self.with_member(name, condition.span, |walker| walker.resolve_expression(condition));
            }
            ExprKind::Best { set, keys, .. } => {
                let (set, name) = set.set_and_name();
                self.resolve_expression(set);
                self.with_member(name, expr.span, |walker| walker.resolve_expressions(keys.iter().map(|key| &key.value)));
            }
            ExprKind::Called(set, _) => self.resolve_expression(set),
            ExprKind::Can { family, arguments, .. } => {
                if self.check_family(family) {
                    self.check_family_arguments(family, arguments.len());
                    self.calls.add_value_edge(ValueNode::Family(&family.text));
                }
                self.resolve_expressions(arguments);
            }
            ExprKind::Supposing(changes, then) => {
                self.resolve_expressions(changes.iter().flat_map(|(place, value)| [place, value]));
                self.resolve_expression(then);
            }
        }
    }

    // --- bare names ---------------------------------------------------------------

    /// Resolves a bare name, or reports it.
    fn resolve_name(&mut self, name: &'a str, span: Span) {
        if !self.is_known(name, span) && !self.family_unknown {
            self.report_unknown_name(name, span);
        }
    }

    /// Resolves the operand after `is`, which can also be a mark, an action or a family.
    fn resolve_is_operand(&mut self, expr: &'a Expr) {
        let ExprKind::Name(name) = &expr.kind else { return self.resolve_expression(expr) };
        let name = name.as_str();
        if let Some(mark) = self.names.marks.get(name) {
            self.mark_used(*mark);
        }
        let special = self.names.marks.contains_key(name)
            || self.names.actions.contains_key(name)
            || self.names.families.contains_key(name);
        if special || self.is_known(name, expr.span) || self.family_unknown {
            return;
        }
        if let Some(problem) = foreign_constant_problem(name, expr.span) {
            return self.report_problem(problem);
        }
        let marks = self.names.marks.keys().chain(self.names.actions.keys()).chain(self.names.families.keys()).copied();
        match closest_match(name, marks.chain(STATES)) {
            Some(near) => {
                let problem = Problem::error(codes::UNKNOWN_NAME, format!("nothing here is called `{name}`"));
                self.report_problem(problem.with_label(expr.span, "not known").with_subject(name).suggest_near(near));
            }
            None => self.report_unknown_name(name, expr.span),
        }
    }

    /// Whether a bare name means something. Marks its declarations as used.
    fn is_known(&mut self, name: &'a str, span: Span) -> bool {
        self.use_words(name);
        let any_local = !self.locals.is_empty();
        if let Some(place) = self.find_local(name).map(|local| local.span) {
            self.read.push(place);
            self.spoken_of.push(place);
            return true;
        }
        if self.is_own_member(name) {
            return true;
        }
        if let Some(value) = self.names.values.get(name).copied() {
            self.mark_used(value.span);
            self.calls.add_value_edge(ValueNode::Value(name));
            if let Some(params) = value.params {
                self.check_argument_count(name, params, 0, span, value.span);
            }
            return true;
        }
        if let Some(owned) = self.names.member_of("table", name) {
            self.mark_used(owned.name.span);
            return true;
        }
        if (name == "foe" && self.names.has_two_sides() || name == "opponents") && any_local {
            return true;
        }
        if self.names.plurals.contains_key(name) {
            self.use_filled_zones(name);
            return true;
        }
        BUILT_IN_NAMES.contains(&name)
            || name == "referee" && self.names.referee
            || self.names.word_plurals.contains_key(name)
            || self.names.words.contains(name)
    }

    /// Marks words as used, even if the name means something else here: the word itself, or all words of a type for its
    /// plural.
    pub fn use_words(&mut self, name: &str) {
        let all = self.names.word_plurals.get(name).into_iter().flat_map(|words| words.iter().map(|word| word.span));
        let one = self.names.typed_words.get(name).into_iter().flatten().copied();
        self.found.used.extend(all.chain(one));
    }

    /// Marks zones as used by an expression for all of a kind, which includes the pieces that sheets list.
    fn use_filled_zones(&mut self, plural: &str) {
        for zone in self.names.filled.get(plural).into_iter().flatten() {
            self.mark_used(*zone);
        }
    }

    /// Whether a name is a member of the thing itself, which a first value can use by its bare name.
    fn is_own_member(&mut self, name: &str) -> bool {
        let Some(own) = self.own else { return false };
        if let Some(owned) = self.names.own_member(own, name) {
            self.mark_used(owned.name.span);
            return true;
        }
        BUILT_IN_MEMBERS.contains(&name)
    }

    /// Reports a bare name without a meaning, with the best advice there is.
    fn report_unknown_name(&mut self, name: &str, span: Span) {
        if let Some(problem) = foreign_constant_problem(name, span).filter(|_| self.name_hint(name).is_none()) {
            return self.report_problem(problem);
        }
        let problem = Problem::error(codes::UNKNOWN_NAME, format!("nothing here is called `{name}`"))
            .with_label(span, "not known")
            .with_subject(name);
        let problem = match self.gone.iter().find(|(gone, _)| gone == name) {
            Some((_, place)) => {
                let problem = problem.with_label(*place, "known in these braces only");
                problem.help("give it its name before the braces, or use it inside them")
            }
            None => match self.name_hint(name).or_else(|| foreign_word_help(name).map(str::to_string)) {
                Some(hint) => problem.help(hint),
                None if self.has_many_problems() => problem,
                None => problem.suggest(name, self.known_names().iter().map(String::as_str)),
            },
        };
        self.report_problem(problem);
    }

    /// Suggests what was meant by the name of another sort of thing.
    fn name_hint(&self, name: &str) -> Option<String> {
        if name == "it" {
            return Some("`it` is the member that is tested, after `where`, `has` and `with`".to_string());
        }
        if is_die(name) {
            return Some(format!("say how many dice are rolled, as in `roll 1 {name} as shown`"));
        }
        if name == "me" || name == "holder" {
            return Some(format!("only an ability has `{name}`"));
        }
        if let Some(owners) = self.names.members.get(name) {
            let owners: Vec<&str> = owners.iter().map(|owned| owned.owner).collect();
            return Some(format!("write whose `{name}`, as in `{}.{name}`", owners.first()?));
        }
        if self.names.procedures.contains_key(name) {
            return Some(format!("a procedure is called by a statement: `do {name}`"));
        }
        if self.names.marks.contains_key(name) {
            return Some(format!("a mark is tested with `… is {name}`"));
        }
        if self.names.kinds.contains_key(name) {
            let plural = self.names.plurals.iter().find(|(_, kind)| **kind == name).map(|(plural, _)| plural)?;
            return Some(format!("`{name}` is a kind of thing; all of them are `{plural}`"));
        }
        if self.names.hooks.contains_key(name) {
            return Some(format!("a hook is opened by a statement: `open {name}(…)`"));
        }
        None
    }

    /// All bare names that mean something here, for suggestions.
    fn known_names(&self) -> Vec<String> {
        let mut known: Vec<String> = self.locals.iter().map(|local| local.name.clone()).collect();
        known.extend(self.names.values.keys().map(|name| name.to_string()));
        known.extend(BUILT_IN_NAMES.into_iter().chain(["none"]).map(str::to_string));
        known.extend(self.names.plurals.keys().cloned());
        known.extend(self.names.word_plurals.keys().map(|plural| plural.to_string()));
        known.extend(self.names.words.iter().map(|word| word.to_string()));
        let members = self.names.members.iter().filter(|(name, _)| {
            self.names.member_of("table", name).is_some()
                || self.own.is_some_and(|own| self.names.own_member(own, name).is_some())
        });
        known.extend(members.map(|(name, _)| name.to_string()));
        known
    }

    // --- calls ----------------------------------------------------------------------

    /// Resolves a call: of a local that holds answers, or of a value. `count` is the number of arguments.
    fn resolve_call(&mut self, name: &'a Name, count: usize) {
        let text = name.text.as_str();
        if let Some(local) = self.find_local(text).filter(|local| local.holds != LocalKind::Value) {
            let (place, fits) = (local.span, local.holds.accepts_arguments(count));
            self.spoken_of.push(place);
            if !fits {
                self.check_argument_count(text, CallParameters::One(name), count, name.span, place);
            }
            return;
        }
        if let Some(value) = self.names.values.get(text).copied() {
            self.mark_used(value.span);
            self.calls.add_value_edge(ValueNode::Value(text));
            return match value.params {
                Some(params) => self.check_argument_count(text, params, count, name.span, value.span),
                None => {
                    let problem = Problem::error(codes::ARGUMENT_COUNT, format!("the option `{text}` takes nothing in brackets"));
                    self.report_problem(problem.with_label(name.span, "an option").help(format!("write `{text}`")));
                }
            };
        }
        self.report_unknown_call(name);
    }

    /// Reports a call of something that is no value.
    fn report_unknown_call(&mut self, name: &Name) {
        let text = name.text.as_str();
        if self.names.hooks.contains_key(text) {
            let problem = Problem::error(codes::ASKING_EXPRESSION, format!("`{text}` is a moment, not a value"));
            return self.report_problem(
                problem.with_label(name.span, "not a value").help(format!("it is opened by a statement: `open {text}(…)`")),
            );
        }
        if self.names.procedures.contains_key(text) {
            let message = format!("`{text}` does something, so it cannot be part of an expression");
            let problem = Problem::error(codes::ASKING_EXPRESSION, message).with_label(name.span, "a procedure");
            let help = format!("give it a line of its own: `do {text}(…) as result`, and use `result` here");
            return self.report_problem(problem.help(help));
        }
        if let Some(local) = self.find_local(text).map(|local| local.span) {
            let problem = Problem::error(codes::ARGUMENT_COUNT, format!("`{text}` takes nothing in brackets"));
            let problem = problem.with_label(name.span, "here").with_label(local, "named here");
            return self.report_problem(problem.help(format!(
                "write `{text}`; brackets are for answers of several seats asked at once, and for parts of a divided total"
            )));
        }
        let problem = Problem::error(codes::UNKNOWN_NAME, format!("nothing is defined as `{text}`"))
            .with_label(name.span, "not known")
            .with_subject(text);
        let answers = self.locals.iter().filter(|local| local.holds != LocalKind::Value).map(|local| local.name.as_str());
        let problem = match foreign_word_help(text) {
            Some(help) => problem.help(help),
            None => problem.suggest(text, self.names.values.keys().copied().chain(answers)),
        };
        self.report_problem(problem);
    }

    /// Reports a wrong number of arguments. `span` is the place of the call, and `declared` that of the declaration.
    pub fn check_argument_count(&mut self, name: &str, takes: CallParameters, given: usize, span: Span, declared: Span) {
        let wanted = takes.parameter_names();
        if wanted.len() == given {
            return;
        }
        let problem = Problem::error(codes::ARGUMENT_COUNT, wrong_count_text(name, wanted.len(), given));
        let help = match wanted.as_slice() {
            [] => format!("write `{name}` without brackets, or with nothing in them"),
            wanted => format!("give it {}: `{name}({})`", join_words(&quote_names(wanted), "and"), wanted.join(", ")),
        };
        self.report_problem(problem.with_label(span, "here").with_label(declared, "declared here").help(help));
    }

    // --- members ----------------------------------------------------------------------

    /// Resolves a name after a dot. `read` is false if the member is assigned to.
    pub fn resolve_member(&mut self, name: &'a Name, read: bool) {
        let text = name.text.as_str();
        if let Some(owners) = self.names.members.get(text) {
            for owned in owners {
                if read {
                    self.mark_used(owned.name.span);
                }
            }
            return;
        }
        if self.is_cell_member(text) {
            return;
        }
        if text == "foe" && !self.names.has_two_sides() {
            let problem = Problem::error(codes::NO_FOE, "with more than two sides there is no single `foe`");
            return self.report_problem(
                problem.with_label(name.span, "which of them?").help("write `opponents`, or `left` and `right` in a ring"),
            );
        }
        if RING_MEMBERS.contains(&text) && !self.names.is_in_ring() {
            let problem =
                Problem::error(codes::UNKNOWN_FIELD, format!("a side has no `{text}`, because the sides do not sit in a ring"));
            return self.report_problem(
                problem.with_label(name.span, "not known").with_subject(text).help("add `in a ring` to `sides`"),
            );
        }
        let known = text == "foe"
            || RING_MEMBERS.contains(&text)
            || BUILT_IN_MEMBERS.contains(&text)
            || self.names.plurals.contains_key(text);
        if !known {
            let problem = Problem::error(codes::UNKNOWN_FIELD, format!("nothing has a field called `{text}`"));
            let names = self.names.members.keys().copied().chain(BUILT_IN_MEMBERS).chain(["foe"]);
            let of_cells = CELL_MEMBERS.iter().map(|(name, _)| *name).filter(|_| !self.names.on_boards.is_empty());
            let names = names.chain(of_cells).filter(|_| !self.has_many_problems());
            let problem = problem.with_label(name.span, "not known").suggest(text, names);
            let declared: Vec<&str> = self.names.members.keys().copied().collect();
            self.report_problem(match (&problem.help, text) {
                (None, "next" | "previous") => problem.help("in a ring a side has `left` and `right`"),
                (None, _) if declared.is_empty() => {
                    problem.help(format!("declare it, as in `each side has {{ counter {text} }}`"))
                }
                (None, _) if !self.has_many_problems() => {
                    problem.help(format!("the rules declare {}; a new one goes into `each … has`", some_names_text(&declared)))
                }
                _ => problem,
            });
        }
    }

    /// Whether a name is a built-in member of a board's cells: a position, or the pieces there by the name of their kind.
    fn is_cell_member(&self, name: &str) -> bool {
        let kind = self.names.kind_by_name(name).filter(|_| !self.names.on_boards.is_empty());
        let lies_there = |plural: &&str| kind.is_some() && self.names.kind_by_name(plural) == kind;
        !self.names.on_boards.is_empty() && cell_member(name).is_some() || self.names.on_boards.iter().any(lies_there)
    }

    /// Resolves the target of an assignment. Its last name is not read, so it does not count as used.
    pub fn resolve_place(&mut self, place: &'a Expr) {
        match &place.kind {
            ExprKind::Member(of, name) => {
                self.resolve_expression(of);
                self.resolve_member(name, false);
            }
            ExprKind::Name(name) if self.find_local(name).is_none() && self.names.member_of("table", name).is_some() => {}
            _ => self.resolve_expression(place),
        }
    }
}

/// `` `points` takes 1 value, but 2 are given ``.
pub fn wrong_count_text(name: &str, wanted: usize, given: usize) -> String {
    let wanted = match wanted {
        0 => "no value".to_string(),
        1 => "1 value".to_string(),
        more => format!("{more} values"),
    };
    let given = match given {
        0 => "none is given".to_string(),
        1 => "1 is given".to_string(),
        more => format!("{more} are given"),
    };
    format!("`{name}` takes {wanted}, but {given}")
}

/// Lists some names for a message.
pub fn some_names_text(names: &[&str]) -> String {
    const MOST: usize = 8;
    match names.get(..MOST).filter(|_| names.len() > MOST) {
        Some(first) => format!("{} and others", quote_names(first).join(", ")),
        None => join_words(&quote_names(names), "and"),
    }
}

fn quote_names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| format!("`{name}`")).collect()
}

/// The error for a constant of other languages, unless the game declares such a name.
fn foreign_constant_problem(word: &str, span: Span) -> Option<Problem> {
    let right = match word {
        "null" | "nil" | "undefined" => "none",
        "true" | "True" | "TRUE" | "on" => "yes",
        "false" | "False" | "FALSE" | "off" => "no",
        _ => return None,
    };
    let problem = Problem::error(codes::FOREIGN_FORM, format!("`{word}` is written `{right}`"));
    let problem = if right == "none" { problem } else { problem.help("a condition needs neither: write `x` or `not x`") };
    Some(problem.with_label(span, format!("write `{right}`")).with_edit(span, right))
}

/// Advice for a word that other languages have; none for other words.
pub fn foreign_word_help(word: &str) -> Option<&'static str> {
    Some(match word {
        "max" => "the highest of some numbers is written `highest of [a, b]`; a bound, `a but at least b`",
        "min" => "the lowest of some numbers is written `lowest of [a, b]`; a bound, `a but at most b`",
        "random" | "rand" | "randint" | "random_number" => {
            "a statement rolls dice and names the results: `roll 1 d6 as shown`, and then `sum of shown`"
        }
        "choice" | "sample" => "a statement draws pieces and names them: `draw 1 in side.hand at random as drawn`",
        "players" => "the players are the `sides`",
        "player" | "current_player" | "active_player" => {
            "a player is a `side`: name one as a parameter, `to turn(active: side)`, or go through all, `each side in sides`"
        }
        "len" | "length" | "size" | "count" => "the number of members is written `count of …`",
        "empty" | "is_empty" => "a test for an empty list or zone is written `… is empty`",
        "sum" | "total" => "a total is written `sum of …`",
        "highest" | "lowest" | "first" | "last" => {
            "it is written with `of`: `highest of …`, `lowest of …`, `first of …`, `last of …`"
        }
        "contains" | "includes" => "a test for a member of a list or zone is written `x in …`",
        "not" => "a negated condition is written `not …`, or with `is not`",
        "abs" => "a distance is written `highest of [a - b, b - a]`",
        "floor" | "ceil" | "round" => "a division says how it is rounded: `a divided by b rounded down`",
        "cell" => "a cell of a board is written with its column and its row: `cell 2, 3 of board`",
        "mod" => "the remainder of a division is written `remainder of a divided by b`",
        _ => return None,
    })
}
