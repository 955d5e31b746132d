//! Compiles calls of API functions, of procedures of the rules and of functions in the same file.
//!
//! `arguments` are expressions as written, for messages, and `given` are their compiled values, in the same order. A row is a
//! function of the API's table. The API's functions are defined in `scripting::api`, and rhai's own functions that scripts may use
//! in `lists::METHODS`.

use super::lists::{self, METHODS, is_method};
use super::operators::literal;
use super::values::TypedValue;
use super::{ScriptCompiler, Type};
use crate::scripting::api::{Kind, ROWS, Row};
use crate::scripting::read::Closure;
use ludex_program::{Expr as Machine, FamilyInfo, FieldInfo, Instruction, KindSort, NamedValue, ProcedureId, SIDE, Shape, Slot};
use ludex_syntax::codes;
use ludex_syntax::problem::{Problem, closest_match, join_words};
use rhai::{Expr, FnCallExpr, FnPtr, Position};
use std::rc::Rc;

impl<'a> ScriptCompiler<'a> {
    /// Compiles `name(a, b)` or an operator.
    pub(super) fn call(&mut self, call: &FnCallExpr, position: Position) -> TypedValue {
        if let Some(token) = &call.op_token {
            return self.operator(call, token, position);
        }
        let arguments: Vec<&Expr> = call.args.iter().collect();
        if let [list, asked] = arguments.as_slice()
            && lists::takes_closure(&call.name)
            && let Some(closure) = self.closure(asked)
        {
            let list = self.expression(list);
            return self.compile_closure_call(&call.name, list, &closure, position);
        }
        let given = self.operands(&arguments);
        self.compile_named_call(&call.name, &arguments, given, position, false)
    }

    /// Compiles `thing.name(b)` as `name(thing, b)`. `base` is the compiled `thing`, and `owner` the same as written.
    pub(super) fn method(&mut self, base: TypedValue, owner: &Expr, call: &FnCallExpr, position: Position) -> TypedValue {
        let rest: Vec<&Expr> = call.args.iter().collect();
        if let [asked] = rest.as_slice()
            && lists::takes_closure(&call.name)
            && let Some(closure) = self.closure(asked)
        {
            return self.compile_closure_call(&call.name, base, &closure, position);
        }
        let base = if rest.iter().any(|argument| self.acts(argument)) { self.keep(base) } else { base };
        let mut given = vec![base];
        given.extend(self.operands(&rest));
        let arguments: Vec<&Expr> = std::iter::once(owner).chain(rest).collect();
        self.compile_named_call(&call.name, &arguments, given, position, true)
    }

    /// The closure that an expression refers to.
    fn closure(&self, expr: &Expr) -> Option<Rc<Closure>> {
        let Expr::DynamicConstant(value, _) = expr else { return None };
        let name = value.read_lock::<FnPtr>()?.fn_name().to_string();
        self.closures.get(&(self.text.start(), name)).cloned()
    }

    /// Compiles a call by name. If several callables have it, the script's own functions come first, then the API, then the rules.
    /// `dotted`: it is written with a dot, which the script's functions do not allow.
    fn compile_named_call(
        &mut self,
        name: &str,
        arguments: &[&Expr],
        given: Vec<TypedValue>,
        position: Position,
        dotted: bool,
    ) -> TypedValue {
        if self.forbidden_call(name, position) {
            return TypedValue::unknown();
        }
        if let Some(function) = self.function(name, given.len()) {
            if dotted {
                let span = self.text.word(position);
                self.forbid("functions of the script cannot be called with a dot", span, &format!("write `{name}(…)`"));
                return TypedValue::unknown();
            }
            return self.call_function(&function, given);
        }
        if let Some(row) = ROWS.iter().find(|row| row.name == name && row.params.len() == given.len()) {
            return self.call_row(row, arguments, given, position);
        }
        if let Some(index) =
            self.program.procedures.iter().position(|procedure| procedure.name == name && procedure.params.len() == given.len())
        {
            return self.call_procedure(index as ProcedureId, arguments, given);
        }
        if let Some(found) = self.named_value(name, given.len()) {
            return self.call_named_value(found, arguments, given);
        }
        if is_method(name) {
            return self.call_method(name, arguments, given, position);
        }
        self.unknown_call(name, given.len(), position)
    }

    /// Reports a call of a function that does not exist, or does not take so few or many arguments.
    fn unknown_call(&mut self, name: &str, count: usize, position: Position) -> TypedValue {
        let span = self.text.word(position);
        let forms = self.forms(name);
        if !forms.is_empty() {
            let given = match count {
                0 => "nothing".to_string(),
                1 => "1 value".to_string(),
                count => format!("{count} values"),
            };
            let problem = Problem::error(codes::SCRIPT_ARGUMENT_COUNT, format!("`{name}` does not work on {given}"))
                .with_label(span, format!("is given {given}"));
            self.report(problem.help(format!("write {}", join_words(&forms, "or"))));
            return TypedValue::unknown();
        }
        let functions: Vec<(String, usize)> =
            self.functions.values().flatten().map(|function| (function.name.clone(), function.params.len())).collect();
        let known: Vec<(&str, Option<usize>)> = ROWS
            .iter()
            .map(|row| (row.name, Some(row.params.len())))
            .chain(METHODS.iter().map(|(name, ..)| (*name, None)))
            .chain(self.program.procedures.iter().map(|procedure| (procedure.name.as_str(), Some(procedure.params.len()))))
            .chain(self.program.named.iter().map(|value| (value.name.as_str(), Some(value.params.len()))))
            .chain(functions.iter().map(|(name, count)| (name.as_str(), Some(*count))))
            .filter(|_| !self.has_told_much())
            .collect();
        // A function with the right number of parameters is the better suggestion.
        let fitting = known.iter().filter(|(_, takes)| takes.is_none_or(|takes| takes == count)).map(|(name, _)| *name);
        let near = closest_match(name, fitting).or_else(|| closest_match(name, known.iter().map(|(name, _)| *name)));
        let problem =
            Problem::error(codes::UNKNOWN_FUNCTION, format!("there is no function `{name}`")).with_label(span, "not known");
        self.report(match (foreign_function_help(name), near) {
            (Some(help), _) => problem.help(help),
            (None, Some(near)) => problem.suggest_near(near),
            (None, None) => problem.help(
                "`ludex explain functions` lists the functions; procedures and definitions of the rules can be called, too: `ludex show GAME words`",
            ),
        });
        TypedValue::unknown()
    }

    /// The forms of all functions with this name, in backticks.
    fn forms(&self, name: &str) -> Vec<String> {
        let mut forms: Vec<String> =
            ROWS.iter().filter(|row| row.name == name).map(|row| format!("`{}`", row.written())).collect();
        for procedure in self.program.procedures.iter().filter(|procedure| procedure.name == name) {
            let params: Vec<&str> = procedure.params.iter().map(|(name, _)| name.as_str()).collect();
            forms.push(format!("`{name}({})`", params.join(", ")));
        }
        for value in self.program.named.iter().filter(|value| value.name == name) {
            let params: Vec<&str> = value.params.iter().map(|(name, _)| name.as_str()).collect();
            forms.push(format!("`{name}({})`", params.join(", ")));
        }
        for function in self.functions.get(name).into_iter().flatten() {
            forms.push(format!("`{name}({})`", function.params.join(", ")));
        }
        forms
    }

    /// Compiles a call of a procedure of the rules.
    fn call_procedure(&mut self, index: ProcedureId, arguments: &[&Expr], given: Vec<TypedValue>) -> TypedValue {
        let Some(procedure) = self.program.procedures.get(usize::from(index)) else { return TypedValue::unknown() };
        let values = self.fit_rules_arguments(&procedure.name, &procedure.params, arguments, given);
        let result = (procedure.gives != Shape::Nothing).then(|| self.new_slot());
        let gives = Type::of_shape(self.program, &procedure.gives);
        result.iter().for_each(|slot| self.hold(*slot, "", &gives));
        self.code.emit(Instruction::Call { procedure: index, arguments: values, result });
        result.map_or(TypedValue::nothing(), |slot| self.of_rules(Machine::Local(slot), &procedure.gives))
    }

    /// Checks the arguments for a callable of the rules (`of`), and returns them as its parameters expect them.
    fn fit_rules_arguments(
        &mut self,
        of: &str,
        params: &[(String, Shape)],
        arguments: &[&Expr],
        given: Vec<TypedValue>,
    ) -> Vec<Machine> {
        let types: Vec<Type> = given.iter().map(|worth| worth.of.clone()).collect();
        let wanted: Vec<Type> = params.iter().map(|(_, shape)| Type::of_shape(self.program, shape)).collect();
        self.check_all_arguments(arguments, &types, |compiler, arguments, types, place| {
            let (Some((name, _)), Some(wanted)) = (params.get(place), wanted.get(place)) else { return };
            compiler.check_rules_argument(arguments[place], &types[place], wanted, &format!("`{name}` of `{of}`"));
        });
        let values = arguments.iter().zip(given).zip(&wanted);
        values.map(|((argument, worth), wanted)| self.placed_value(argument, worth, wanted)).collect()
    }

    /// Checks each argument with `want`, by its place. Merges the errors of two arguments that are in each other's place into one.
    fn check_all_arguments(&mut self, arguments: &[&Expr], types: &[Type], want: impl Fn(&mut Self, &[&Expr], &[Type], usize)) {
        let before = self.problems.len();
        (0..arguments.len()).for_each(|place| want(self, arguments, types, place));
        let [first, second] = self.problems.get(before..).unwrap_or_default() else { return };
        let wrong = |problem: &Problem| {
            let place = problem.labels.first().map(|(span, _)| *span);
            let place = arguments.iter().position(|argument| Some(self.span(argument)) == place);
            place.filter(|_| problem.code == codes::SCRIPT_ARGUMENT_TYPE)
        };
        let (Some(one), Some(other)) = (wrong(first), wrong(second)) else { return };
        let (mut swapped, mut swapped_types) = (arguments.to_vec(), types.to_vec());
        swapped.swap(one, other);
        swapped_types.swap(one, other);
        let told = self.problems.len();
        want(self, &swapped, &swapped_types, one);
        want(self, &swapped, &swapped_types, other);
        let would_fit = self.problems.len() == told;
        self.problems.truncate(told);
        if would_fit {
            self.problems.pop();
            if let Some(problem) = self.problems.pop() {
                let problem = problem.with_label(self.span(arguments[other]), "would fit there, and the other one here");
                self.problems.push(problem.help("exchange the two"));
            }
        }
    }

    /// Finds a definition, a table or a hook value of the rules with this number of parameters.
    fn named_value(&self, name: &str, count: usize) -> Option<&'a NamedValue> {
        self.program.named.iter().find(|value| value.name == name && value.params.len() == count)
    }

    /// Compiles a call of a value of the rules: its formula, with the arguments in slots of their own.
    fn call_named_value(&mut self, found: &NamedValue, arguments: &[&Expr], given: Vec<TypedValue>) -> TypedValue {
        let first = self.body.next_slot;
        (0..found.value.slots.max(1)).for_each(|_| {
            self.new_slot();
        });
        let mut value = found.value.expr.clone();
        value.renumber_slots(&|slot| first + slot);
        let given = self.fit_rules_arguments(&found.name, &found.params, arguments, given);
        for (slot, given) in given.into_iter().enumerate().rev() {
            let slot = first + slot as Slot;
            value = Machine::With { slot, value: Box::new(given), then: Box::new(value) };
        }
        self.of_rules(value, &found.gives)
    }

    /// Compiles a checked argument for the rules. A quoted text becomes a word if a word is wanted.
    pub(super) fn placed_value(&mut self, argument: &Expr, worth: TypedValue, wanted: &Type) -> Machine {
        if let (Type::Word(words), Type::Text) = (wanted.certain(), &worth.of)
            && let Some(index) = literal(Some(argument), words)
        {
            return index;
        }
        if let (Type::List(inner), Expr::Array(members, _)) = (wanted.certain(), argument)
            && let Type::Word(words) = inner.as_ref()
            && let Some(words) = members.iter().map(|member| literal(Some(member), words)).collect()
        {
            return Machine::ListOf(words);
        }
        self.for_rules(worth, wanted)
    }

    /// Checks an argument for the rules. `place` describes the parameter in messages.
    fn check_rules_argument(&mut self, argument: &Expr, of: &Type, wanted: &Type, place: &str) {
        if let (Type::Word(words), Type::Text) = (wanted.certain(), of) {
            if !matches!(argument, Expr::StringConstant(..)) {
                let span = self.span(argument);
                let problem =
                    Problem::error(codes::SCRIPT_UNTYPED, format!("it is not clear whether this text is a word for {place}"))
                        .with_label(span, "any text");
                self.report(problem.help(format!("write one of {} here", join_words(words, "and"))));
                return;
            }
            self.check_literal_word(argument, words, codes::UNKNOWN_NAME, "there is no word");
            return;
        }
        // `["mind", "soul"]` for a list of words.
        if let (Type::List(inner), Expr::Array(members, _)) = (wanted.certain(), argument)
            && let Type::Word(words) = inner.as_ref()
            && members.iter().all(|member| matches!(member, Expr::StringConstant(..)))
        {
            members.iter().for_each(|member| self.check_literal_word(member, words, codes::UNKNOWN_NAME, "there is no word"));
            return;
        }
        // A zone or a single thing may be used as a list.
        let as_list = match (wanted.certain(), of) {
            (Type::List(inner), Type::Zone(_)) => of.member().is_some_and(|member| member.fits(inner)),
            (Type::List(inner), Type::Entity(_)) => of.fits(inner),
            _ => false,
        };
        if as_list || of.fits(wanted) {
            return;
        }
        self.report_unfit_argument(argument, of, &self.words(wanted), place);
    }

    /// Reports an argument of a wrong type.
    fn report_unfit_argument(&mut self, argument: &Expr, of: &Type, wanted: &str, place: &str) {
        let (words, span) = (self.words(of), self.span(argument));
        let message = format!("{place} must be {wanted}, but this is {words}");
        let problem = Problem::error(codes::SCRIPT_ARGUMENT_TYPE, message).with_label(span, words);
        self.report(match (of, argument) {
            (Type::OrNone(_), Expr::Variable(name, ..)) => problem.help(format!("ask first: `if {} != () {{ … }}`", name.1)),
            (Type::OrNone(_), _) => problem.help("keep it with `let`, and ask first: `if it != () { … }`"),
            (Type::Zone(_) | Type::List(_), _) => problem.help("`choose` asks for one member; `for … in` goes through all"),
            _ => problem,
        });
    }

    // --- functions of the API ----------------------------------------------------

    /// Checks and compiles a call of an API function.
    fn call_row(&mut self, row: &Row, arguments: &[&Expr], given: Vec<TypedValue>, position: Position) -> TypedValue {
        let types: Vec<Type> = given.iter().map(|worth| worth.of.clone()).collect();
        self.check_all_arguments(arguments, &types, |compiler, arguments, types, index| {
            let Some((name, kind)) = row.params.get(index) else { return };
            let place = format!("`{name}` of `{}`", row.name);
            compiler.want_kind(row, *kind, arguments, types, arguments[index], &types[index], &place);
        });
        let gives = self.api_result_type(row, arguments, &types, position);
        self.do_row(row.name, arguments, given, gives)
    }

    /// The result type of an API function called with arguments of these types.
    fn api_result_type(&mut self, row: &Row, arguments: &[&Expr], given: &[Type], position: Position) -> Type {
        match row.gives {
            Kind::Number => Type::Number,
            Kind::Flag => Type::Flag,
            Kind::Text => Type::Text,
            Kind::Duration => Type::Duration,
            Kind::Side => Type::Entity(SIDE),
            Kind::List if row.params.is_empty() => Type::Entity(SIDE).list(),
            Kind::MemberOrNone => self.member_of(row, given, position).or_none(),
            Kind::MoveOrNone => self.family_named(arguments).map_or(Type::Unknown, |family| Type::Move(family).or_none()),
            Kind::Member => self.member_of(row, given, position),
            Kind::Members | Kind::List => self.member_of(row, given, position).list(),
            Kind::Any => self.option_type(arguments),
            _ => Type::Nothing,
        }
    }

    /// The member type of the list or zone given to a function. Reports an empty list, whose member type is not known yet.
    fn member_of(&mut self, row: &Row, given: &[Type], position: Position) -> Type {
        let index = row.params.iter().position(|(_, kind)| matches!(kind, Kind::List | Kind::Zone)).unwrap_or(0);
        match given.get(index).and_then(Type::member) {
            Some(Type::Open) => {
                let span = self.text.word(position);
                self.report_error(
                    codes::SCRIPT_UNTYPED,
                    "it is not clear what this list holds",
                    span,
                    "is given a list that is still empty",
                );
                Type::Unknown
            }
            Some(member) => member,
            None => Type::Unknown,
        }
    }

    /// The type of the option of the game that the first argument names.
    fn option_type(&self, arguments: &[&Expr]) -> Type {
        let Some(Expr::StringConstant(name, _)) = arguments.first() else { return Type::Unknown };
        self.program.option_by_name(name).map_or(Type::Unknown, |option| Type::of_option(&option.kind))
    }

    /// Checks one argument of an API function against the kind of its parameter. The other arguments decide what some kinds allow.
    #[expect(clippy::too_many_arguments, reason = "one argument with the call around it")]
    fn want_kind(&mut self, row: &Row, kind: Kind, arguments: &[&Expr], given: &[Type], argument: &Expr, of: &Type, place: &str) {
        if of.is_unknown() {
            return;
        }
        let fits = match kind {
            Kind::Side => self.is_sided(of),
            Kind::Thing => matches!(of, Type::Entity(_)),
            Kind::Things => self.is_things(row, given, of),
            Kind::Dice => self.is_dice(of),
            Kind::List => self.is_choosable(row, of),
            Kind::Zone => matches!(of, Type::Zone(_)),
            Kind::Number => *of == Type::Number,
            Kind::Flag => *of == Type::Flag,
            Kind::Text => matches!(of, Type::Text | Type::Word(_)),
            Kind::Duration => *of == Type::Duration,
            Kind::Move => matches!(of, Type::Move(_)),
            Kind::Mark | Kind::Sheet | Kind::Scope | Kind::Answer | Kind::Field | Kind::Option | Kind::Family | Kind::Event => {
                return self.want_name(kind, given, argument, of, place);
            }
            Kind::Any => return self.want_any(row, arguments, given, argument, of, place),
            Kind::Member | Kind::MemberOrNone | Kind::MoveOrNone | Kind::Members | Kind::Nothing => true,
        };
        if !fits {
            let wanted = match (kind, row.name) {
                (Kind::Things, "move_to") => self.pieces_wanted(given),
                _ => kind.words().to_string(),
            };
            self.report_unfit_argument(argument, of, &wanted, place);
        }
    }

    /// Whether the type is a side, or an entrant, which belongs to one.
    fn is_sided(&self, of: &Type) -> bool {
        matches!(of, Type::Entity(kind) if matches!(self.program.kind(*kind).sort, KindSort::Side | KindSort::Entrant))
    }

    /// Whether the type is one of things. For `move_to`, they must be pieces that the zone can hold.
    fn is_things(&self, row: &Row, given: &[Type], of: &Type) -> bool {
        let member = match of {
            Type::Entity(kind) => *kind,
            _ => match of.member() {
                Some(Type::Entity(kind)) => kind,
                Some(Type::Open | Type::Unknown) => return true,
                _ => return false,
            },
        };
        match (row.name, given.get(1)) {
            ("move_to", Some(Type::Zone(holds))) => *holds == member,
            ("move_to", _) => self.program.kind(member).sort == KindSort::Piece,
            _ => true,
        }
    }

    /// The pieces that the zone given to `move_to` can hold, in words.
    fn pieces_wanted(&self, given: &[Type]) -> String {
        match given.get(1) {
            Some(Type::Zone(holds)) => self.program.kind(*holds).plural.clone(),
            _ => "pieces".to_string(),
        }
    }

    /// Whether the type is a die, or a list or zone of dice.
    fn is_dice(&self, of: &Type) -> bool {
        let die = |of: &Type| {
            matches!(of, Type::Open | Type::Unknown)
                || matches!((of, self.program.die), (Type::Entity(kind), Some(die)) if *kind == die)
        };
        die(of) || of.member().is_some_and(|member| die(&member))
    }

    /// Whether the type can be given to a function that takes a list: `len` counts it. For a choice, whether its members can be
    /// chosen.
    fn is_choosable(&self, row: &Row, of: &Type) -> bool {
        match of.member() {
            Some(Type::Number | Type::Entity(_) | Type::Unknown | Type::Open) => true,
            Some(_) => !row.name.starts_with("choose"),
            None => match row.name {
                "len" => matches!(of, Type::Text | Type::Word(_)),
                // `2 in 0..3` and `"a" in text` are also parsed as `contains`.
                "contains" => matches!(of, Type::Text | Type::Word(_) | Type::Range),
                _ => false,
            },
        }
    }

    /// Checks a name of the rules, which must be a literal, so that it is known before play.
    fn want_name(&mut self, kind: Kind, given: &[Type], argument: &Expr, of: &Type, place: &str) {
        if !matches!(argument, Expr::StringConstant(..)) {
            let span = self.span(argument);
            let words = self.words(of);
            if matches!(of, Type::Text | Type::Word(_)) {
                let problem = Problem::error(codes::SCRIPT_UNTYPED, format!("it is not clear which name {place} will be"))
                    .with_label(span, "any text");
                self.report(problem.help("write the name here, in quotes"));
            } else {
                self.report(
                    Problem::error(codes::SCRIPT_ARGUMENT_TYPE, format!("{place} must be a name in quotes, but this is {words}"))
                        .with_label(span, words),
                );
            }
            return;
        }
        let program = self.program;
        let (names, code, what): (Vec<String>, &'static str, String) = match kind {
            Kind::Mark => (
                program.marks.iter().map(|mark| mark.name.clone()).collect(),
                codes::UNKNOWN_MARK,
                "there is no mark".to_string(),
            ),
            Kind::Sheet => (
                program.prints.sheets.iter().map(|sheet| sheet.name.clone()).collect(),
                codes::UNKNOWN_TYPE,
                "there is no sheet".to_string(),
            ),
            Kind::Scope => {
                let scopes = program.procedures.iter().filter(|procedure| procedure.scope);
                (
                    scopes.map(|procedure| procedure.name.clone()).collect(),
                    codes::UNKNOWN_PROCEDURE,
                    "there is no scope".to_string(),
                )
            }
            Kind::Option => (
                program.options.iter().map(|option| option.name.clone()).collect(),
                codes::UNKNOWN_OPTION,
                "there is no option".to_string(),
            ),
            Kind::Family => {
                let families = self.program.families.iter().filter(|family| is_chosen_alone(family));
                let names = families.map(|family| family.name.clone()).collect();
                (names, codes::UNKNOWN_NAME, "there is no family of moves that can be chosen here".to_string())
            }
            Kind::Event => return,
            Kind::Answer => {
                let hook = self.body.hook.and_then(|hook| program.hooks.get(usize::from(hook)));
                let what =
                    if hook.is_some() { "the hook has no answer" } else { "a move answers no hook, so there is no answer" };
                (hook.map_or(Vec::new(), |hook| hook.answers.clone()), codes::UNKNOWN_NAME, what.to_string())
            }
            _ => match given.first() {
                Some(Type::Entity(kind)) => {
                    let info = program.kind(*kind);
                    let is_settable = |field: &&FieldInfo| !field.name.is_empty() && !is_own_sheet(field);
                    let names = info.fields.iter().filter(is_settable).map(|field| field.name.clone()).collect();
                    (names, codes::SCRIPT_FIELD, format!("{} has no field or counter", self.words(&Type::Entity(*kind))))
                }
                _ => return,
            },
        };
        self.check_literal_word(argument, &names, code, &what);
    }

    /// Checks `value` of `set` against the field, and `member` of `contains` against the list.
    fn want_any(&mut self, row: &Row, arguments: &[&Expr], given: &[Type], argument: &Expr, of: &Type, place: &str) {
        match (row.name, given.first(), arguments.get(1)) {
            ("set", Some(Type::Entity(kind)), Some(Expr::StringConstant(name, _))) => {
                let field = self.program.kind(*kind).fields.iter().find(|field| *field.name == **name);
                let Some(field) = field else { return };
                let wanted = Type::of_shape(self.program, &field.shape);
                let place = format!("`{name}` of {}", self.words(&Type::Entity(*kind)));
                self.check_rules_argument(argument, of, &wanted, &place);
            }
            ("contains", Some(list), _) => {
                let span = self.span(argument);
                self.check_membership(list, of, span);
            }
            _ if *of == Type::Nothing => self.report_unfit_argument(argument, of, "something", place),
            _ => {}
        }
    }
}

/// Whether a family needs no arguments other than the side that chooses.
pub(super) fn is_chosen_alone(family: &FamilyInfo) -> bool {
    family.params.is_empty() || matches!(family.params.as_slice(), [(_, Shape::Entity(SIDE))])
}

/// Whether a field is a card's own sheet, which cannot change.
pub(super) fn is_own_sheet(field: &FieldInfo) -> bool {
    field.name == "sheet" && matches!(field.shape, Shape::Sheet(_))
}

/// Advice for function names from other languages or from tabletop play.
fn foreign_function_help(name: &str) -> Option<&'static str> {
    Some(match name {
        "reroll" | "re_roll" | "throw" => "dice that show something are rolled again as they are rolled: `roll(dice)`",
        "rand" | "random" | "random_number" => {
            "dice and cards are what chance is made of here: `roll(dice)`, or `shuffle(zone)` and `top(1, zone)`"
        }
        "draw" => "cards are moved: `move_to(top(1, me.deck), me.hand)`, with the names that the rules give the zones",
        "discard" => "cards are moved: `move_to(card, me.discard_pile)`, with the name that the rules give the zone",
        "count" | "length" | "size" | "number_of" => "how many there are is `len(things)`",
        "forEach" | "foreach" | "for_each" | "each" => "to do something with each, write a loop: `for die in me.hand { … }`",
        "ask" => "`choose`, `may_choose`, `choose_number` and `may` ask a side: `ludex explain choose`",
        "print" | "log" => "`say(text)` tells the players something, `debug(value)` shows it to you in `ludex test`",
        "increase" | "decrease" => "`add(thing, field, number)` adds a number, which may be negative",
        _ => return None,
    })
}
