//! Compiles the effects of API functions, each to one or a few instructions.
//!
//! `arguments` are expressions as written: names of the rules are read from their quotes. `given` are the compiled values of all
//! arguments. Functions that change something give nothing; those that read give an expression, which is evaluated where it is
//! used.

use super::calls::{is_chosen_alone, is_own_sheet};
use super::values::{TypedValue, Value};
use super::{ScriptCompiler, Type, types};
use ludex_program::{
    AskCode, AskCodeWhat, Comparison, Expr as Machine, FamilyId, Instruction, KindSort, MarkCode, Naming, RoleAmount, SIDE,
    Shape, Slot, TextId, TextPart, UntilCode, WantedAmount,
};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use rhai::Expr;

impl ScriptCompiler<'_> {
    /// Compiles a call of a function of the API's table, whose arguments have been checked. `gives` is the type of its result.
    pub(super) fn do_row(&mut self, name: &str, arguments: &[&Expr], given: Vec<TypedValue>, gives: Type) -> TypedValue {
        let mut given = given.into_iter();
        let mut next = || given.next().unwrap_or_else(TypedValue::nothing);
        match name {
            "choose" => {
                let (who, prompt, things) = (next(), next(), next());
                self.choose(who, prompt, things, gives)
            }
            "may_choose" => {
                let (who, prompt, things, pass) = (next(), next(), next(), next());
                let item = gives.certain().shape(self.program);
                let what = AskCodeWhat::Among { amount: RoleAmount::One, item, set: self.members(things) };
                self.may_ask(who, (prompt, pass), what, gives)
            }
            "may_choose_move" => {
                let (who, prompt, _, pass) = (next(), next(), next(), next());
                self.may_choose_move(arguments, who, (prompt, pass), gives)
            }
            "do_move" => {
                let value = self.expr(next());
                self.emit_without_value(Instruction::DoMove { value })
            }
            "choose_some" => {
                let (who, prompt, things) = (next(), next(), next());
                let bounds = (next(), next());
                self.choose_some(who, prompt, things, bounds, gives)
            }
            "choose_number" => {
                let (who, prompt) = (next(), next());
                let bounds = (next(), next());
                self.choose_number(who, prompt, bounds)
            }
            "may" => {
                let (who, prompt) = (next(), next());
                let prompt = self.add_player_text(prompt);
                self.ask(who, prompt, AskCodeWhat::YesNo, gives)
            }
            "roll" => {
                let what = self.members(next());
                let reason = (arguments.len() > 1).then(|| self.add_player_text(next()));
                self.emit_without_value(Instruction::Roll { what, reason })
            }
            "move_to" => {
                let (things, zone, _, sentence) = (next(), next(), next(), next());
                let naming = self.naming(arguments, 2, sentence);
                self.move_to(things, zone, false, naming)
            }
            "move_to_bottom" => {
                let (things, zone) = (next(), next());
                self.move_to(things, zone, true, Naming::default())
            }
            "shuffle" => {
                let zone = self.expr(next());
                self.emit_without_value(Instruction::Shuffle { zone })
            }
            "show" => {
                let (what, to) = (self.members(next()), self.members(next()));
                self.emit_without_value(Instruction::Show { what, to })
            }
            "set" => {
                let (thing, _, value, _, sentence) = (next(), next(), next(), next(), next());
                let naming = self.naming(arguments, 3, sentence);
                self.set(arguments, thing, value, naming)
            }
            "add" => {
                let (thing, _, number, _, sentence) = (next(), next(), next(), next(), next());
                let naming = self.naming(arguments, 3, sentence);
                self.add(arguments, thing, number, naming)
            }
            "mark" => {
                let (things, _, until) = (next(), next(), next());
                self.mark(arguments, things, until)
            }
            "unmark" => {
                let (what, mark) = (self.members(next()), self.mark_named(arguments));
                self.emit_without_value(Instruction::Unmark { what, mark })
            }
            "has_mark" => {
                let (of, mark) = (Box::new(self.expr(next())), self.mark_named(arguments));
                TypedValue::flag(Machine::HasMark { of, mark })
            }
            "is_a" => self.is_a(arguments, next()),
            "end_of_this" => self.mark_duration(arguments, false, None),
            "end_of_next" => {
                let (_, side) = (next(), next());
                self.mark_duration(arguments, true, (arguments.len() > 1).then_some(side))
            }
            "answer" => {
                let word = self.code.answer(&literal_text(arguments, 0));
                self.emit_without_value(Instruction::Answer { word })
            }
            "say" => {
                let text = self.add_player_text(next());
                self.emit_without_value(Instruction::Say { text, to: None })
            }
            "debug" => {
                let parts = self.parts_for_testing(next());
                let text = self.code.text(parts);
                self.emit_without_value(Instruction::Debug { text })
            }
            "len" => TypedValue::number(self.length(next())),
            "contains" => {
                let (list, member) = (next(), next());
                let (written, span) = (arguments[1], self.code.place.span);
                self.is_in(list, member, written, span)
            }
            "pieces" => TypedValue::new(gives, self.members(next())),
            "top" => {
                let (count, zone) = (Box::new(self.expr(next())), Box::new(self.expr(next())));
                TypedValue::new(gives, Machine::Top { count, zone })
            }
            "sorts" => {
                let pieces =
                    matches!(gives.member(), Some(Type::Entity(kind)) if self.program.kind(kind).sort == KindSort::Piece);
                TypedValue::new(gives, Machine::Sorts { list: Box::new(self.members(next())), pieces })
            }
            "sides" => TypedValue::new(gives, Machine::Sides),
            "option" => {
                let name = literal_text(arguments, 0);
                let options = self.program.options.iter().enumerate();
                let found = options.into_iter().find(|(_, option)| option.name == name);
                TypedValue::new(gives, found.map_or(Machine::Constant(0), |(place, option)| option.as_expr(place)))
            }
            "text_of" => {
                let thing = next();
                let shape = thing.of.shape(self.program);
                TypedValue::text(vec![TextPart::Hole(self.expr(thing), shape)])
            }
            other => unreachable!("`{other}` is in the table of functions, and nothing says what it does"),
        }
    }

    /// Emits an instruction that gives no value.
    fn emit_without_value(&mut self, instruction: Instruction) -> TypedValue {
        self.code.emit(instruction);
        TypedValue::nothing()
    }

    /// Adds a text that is shown to players, composed at run time.
    fn add_player_text(&mut self, worth: TypedValue) -> TextId {
        let parts = self.parts(worth);
        self.code.text(parts)
    }

    // --- questions ------------------------------------------------------------------

    /// Asks a question that must be answered. Its answer is in a slot.
    fn ask(&mut self, who: TypedValue, prompt: TextId, what: AskCodeWhat, of: Type) -> TypedValue {
        let asks_for_one = matches!(what, AskCodeWhat::Among { amount: RoleAmount::One, .. });
        let (who, slot) = (self.expr(who), self.new_slot());
        self.hold(slot, "", &of);
        // Handles the case without options. For several things, the answer is the empty list.
        let otherwise = asks_for_one.then_some(0);
        let at = self.code.emit(Instruction::Ask(Box::new(AskCode { otherwise, ..question(who, slot, prompt, what) })));
        if asks_for_one {
            let over = self.code.jump();
            self.code.patch_to_next(at);
            self.code.emit(Instruction::NothingToChoose { prompt: Some(prompt), wanted: None });
            self.code.patch_to_next(over);
        }
        TypedValue::new(of, Machine::Local(slot))
    }

    /// Asks a question that may be passed. If it is, or if there are no options, the slot of its answer holds none.
    fn may_ask(&mut self, who: TypedValue, (prompt, pass): (TypedValue, TypedValue), what: AskCodeWhat, of: Type) -> TypedValue {
        let (prompt, pass_text) = (self.add_player_text(prompt), Some(self.add_player_text(pass)));
        let (who, slot) = (self.expr(who), self.new_slot());
        self.hold(slot, "", &of);
        let ask = AskCode { must: false, pass_text, ..question(who, slot, prompt, what) };
        self.code.emit(Instruction::Ask(Box::new(ask)));
        TypedValue::new(of, Machine::Local(slot))
    }

    /// Asks for a move of a family, or none. The family's only parameter, if it has one, is the side.
    fn may_choose_move(&mut self, arguments: &[&Expr], who: TypedValue, words: (TypedValue, TypedValue), of: Type) -> TypedValue {
        let Some(family) = self.family_named(arguments) else { return TypedValue::unknown() };
        let side = self.side(who);
        let who = self.keep(TypedValue::new(Type::Entity(SIDE), side));
        let family = &self.program.families[usize::from(family)];
        let given: Vec<Machine> = if family.params.is_empty() { Vec::new() } else { vec![self.expr(who.clone())] };
        let what = AskCodeWhat::Families(family.parts.iter().map(|part| (*part, given.clone())).collect());
        self.may_ask(who, words, what, of)
    }

    /// Asks for one member of a list or zone.
    fn choose(&mut self, who: TypedValue, prompt: TypedValue, things: TypedValue, of: Type) -> TypedValue {
        let prompt = self.add_player_text(prompt);
        let what = AskCodeWhat::Among { amount: RoleAmount::One, item: of.shape(self.program), set: self.members(things) };
        self.ask(who, prompt, what, of)
    }

    /// Asks for members of a list or zone. The highest number is limited to the members there are; too few of them is a fault.
    fn choose_some(
        &mut self,
        who: TypedValue,
        prompt: TypedValue,
        things: TypedValue,
        (least, most): (TypedValue, TypedValue),
        of: Type,
    ) -> TypedValue {
        let prompt = self.add_player_text(prompt);
        let item = of.member().unwrap_or(Type::Unknown).shape(self.program);
        let set = self.members(things);
        let set = self.kept(set, &of);
        let there = Machine::CountList(Box::new(set.clone()));
        let least = Machine::AtLeast(Box::new(self.expr(least)), Box::new(Machine::Constant(0)));
        let most = Machine::AtMost(Box::new(self.expr(most)), Box::new(there.clone()));
        let (least, most) = (self.kept(least, &Type::Number), self.kept(most, &Type::Number));
        self.want_enough(prompt, WantedAmount { least: least.clone(), most: most.clone(), there: Some(there) });
        let what = AskCodeWhat::Among { amount: RoleAmount::Some(least, Some(most)), set, item };
        self.ask(who, prompt, what, of)
    }

    /// Asks for a number. A range without numbers is a fault.
    fn choose_number(&mut self, who: TypedValue, prompt: TypedValue, (least, most): (TypedValue, TypedValue)) -> TypedValue {
        let prompt = self.add_player_text(prompt);
        let (least, most) = (self.expr(least), self.expr(most));
        let (least, most) = (self.kept(least, &Type::Number), self.kept(most, &Type::Number));
        self.want_enough(prompt, WantedAmount { least: least.clone(), most: most.clone(), there: None });
        self.ask(who, prompt, AskCodeWhat::Number { least, most }, Type::Number)
    }

    /// Emits a fault for the case that there are too few options.
    fn want_enough(&mut self, prompt: TextId, wanted: WantedAmount) {
        let (least, most) = (Box::new(wanted.least.clone()), Box::new(wanted.most.clone()));
        let enough = self.code.jump_unless(Machine::Compare(Comparison::Greater, least, most));
        self.code.emit(Instruction::NothingToChoose { prompt: Some(prompt), wanted: Some(Box::new(wanted)) });
        self.code.patch_to_next(enough);
    }

    // --- changes --------------------------------------------------------------------

    /// Moves one piece, or all of a list or zone.
    fn move_to(&mut self, things: TypedValue, zone: TypedValue, bottom: bool, naming: Naming) -> TypedValue {
        let to = self.expr(zone);
        let instruction = match things.of {
            Type::Entity(_) => Instruction::MoveOne { bottom, naming, piece: self.expr(things), to },
            _ => Instruction::Move { bottom, naming, what: self.members(things), to },
        };
        self.emit_without_value(instruction)
    }

    /// Sets a field to a value. A constant must be in the field's range.
    fn set(&mut self, arguments: &[&Expr], thing: TypedValue, value: TypedValue, naming: Naming) -> TypedValue {
        let Some((field, shape)) = self.field_named(arguments, &thing.of) else { return TypedValue::nothing() };
        let bearer = thing.of.clone();
        let of = self.expr(thing);
        let value = self.placed_value(arguments[2], value, &Type::of_shape(self.program, &shape));
        if let (Type::Entity(kind), Machine::Constant(number)) = (&bearer, &value)
            && let Some(message) = self.program.range_refusal_text(*kind, field, *number, 0)
        {
            let span = self.span(arguments[2]);
            self.report(Problem::error(codes::OUT_OF_RANGE, message).with_label(span, "cannot be"));
        }
        if shape.is_list() {
            return self.emit_without_value(Instruction::SetList { field, naming, of, value });
        }
        self.emit_without_value(Instruction::Set { field, naming, of, value })
    }

    /// Adds to a field, which must be a number.
    fn add(&mut self, arguments: &[&Expr], thing: TypedValue, number: TypedValue, naming: Naming) -> TypedValue {
        let Some((field, shape)) = self.field_named(arguments, &thing.of) else { return TypedValue::nothing() };
        if !matches!(shape, Shape::Number | Shape::Halves) {
            let words = self.words(&Type::of_shape(self.program, &shape));
            let message = format!("only a number can be added to, but `{}` is {words}", literal_text(arguments, 1));
            let span = self.span(arguments[1]);
            self.report(
                Problem::error(codes::CANNOT_SET, message).with_label(span, "no number").help("`set` gives it another value"),
            );
        }
        let (of, value) = (self.expr(thing), self.expr(number));
        self.emit_without_value(Instruction::Add { field, naming, of, value })
    }

    /// Sets a mark on things, for a duration if one is given.
    fn mark(&mut self, arguments: &[&Expr], things: TypedValue, until: TypedValue) -> TypedValue {
        let mark = self.mark_named(arguments);
        self.want_bearer(arguments, mark, &things.of);
        self.want_first_values(arguments, mark);
        let until = match until.value {
            Value::Duration(until) => Some(until),
            _ if arguments.len() > 2 => {
                let span = self.span(arguments[2]);
                self.forbid("how long a mark lasts is not clear here", span, "write `end_of_this(…)` or `end_of_next(…)`");
                None
            }
            _ => None,
        };
        let code = MarkCode { what: self.members(things), mark, fields: Vec::new(), until, leaves: false };
        self.emit_without_value(Instruction::Mark(Box::new(code)))
    }

    /// Checks that a mark with effects is set on things of its kind.
    fn want_bearer(&mut self, arguments: &[&Expr], mark: u16, of: &Type) {
        let member = of.member().unwrap_or_else(|| of.clone());
        let Some(info) = self.program.marks.get(usize::from(mark)).filter(|info| info.is_live()) else { return };
        let wanted = Type::Entity(info.kind);
        if !member.fits(&wanted) {
            let message = format!("`{}` is a mark of {}, but this is {}", info.name, self.words(&wanted), self.words(&member));
            let span = self.span(arguments[0]);
            self.report_error(codes::SCRIPT_ARGUMENT_TYPE, message, span, "cannot bear it");
        }
    }

    /// Checks that all fields of a mark have first values, because a script cannot give them any.
    fn want_first_values(&mut self, arguments: &[&Expr], mark: u16) {
        let Some(info) = self.program.marks.get(usize::from(mark)) else { return };
        let Some(field) = info.fields.iter().find(|field| field.default.is_none()) else { return };
        let message = format!("the mark `{}` needs a value for `{}`, which scripts cannot give", info.name, field.name);
        let help = format!("set it in a procedure of the rules, `mark … as {}({}: …)`, and call that", info.name, field.name);
        let span = self.span(arguments[1]);
        self.forbid(&message, span, &help);
    }

    /// The name of an event and the sentence for players, if the call has an argument `first` with the name.
    fn naming(&mut self, arguments: &[&Expr], first: usize, sentence: TypedValue) -> Naming {
        if arguments.len() <= first {
            return Naming::default();
        }
        let name = Some(self.code.event_name(&literal_text(arguments, first)));
        Naming { name, text: Some(self.add_player_text(sentence)) }
    }

    // --- names of the rules ------------------------------------------------------------

    /// The value as a side. An entrant stands for its side.
    fn side(&mut self, worth: TypedValue) -> Machine {
        let is_entrant = matches!(worth.of, Type::Entity(kind) if self.program.kind(kind).sort == KindSort::Entrant);
        let side = self.expr(worth);
        if is_entrant { Machine::SideOf(Box::new(side)) } else { side }
    }

    /// The field that the second argument names, of a thing of this type.
    fn field_named(&self, arguments: &[&Expr], of: &Type) -> Option<(u16, Shape)> {
        let Type::Entity(kind) = of else { return None };
        let (fields, name) = (&self.program.kind(*kind).fields, literal_text(arguments, 1));
        let found = fields.iter().position(|field| field.name == name && !is_own_sheet(field))?;
        Some((found as u16, fields[found].shape.clone()))
    }

    /// The family that the argument after the prompt names.
    pub(super) fn family_named(&self, arguments: &[&Expr]) -> Option<FamilyId> {
        let name = literal_text(arguments, 2);
        let found = self.program.families.iter().position(|family| family.name == name && is_chosen_alone(family))?;
        Some(found as FamilyId)
    }

    /// The mark that the second argument names.
    fn mark_named(&self, arguments: &[&Expr]) -> u16 {
        let name = literal_text(arguments, 1);
        self.program.marks.iter().position(|mark| mark.name == name).unwrap_or_default() as u16
    }

    /// Tests whether a thing is printed on a sheet, or on one that builds on it.
    fn is_a(&mut self, arguments: &[&Expr], thing: TypedValue) -> TypedValue {
        let sheet = self.program.prints.sheet_by_name(&literal_text(arguments, 1));
        match (sheet, &thing.of) {
            (Some(sheet), Type::Entity(kind)) if self.program.sheet_of_kind(*kind).is_some() => {
                let kind = *kind;
                let of = Box::new(types::print_of(self.program, self.expr(thing), kind));
                TypedValue::flag(Machine::SheetIs { of, sheet })
            }
            _ => TypedValue::flag(Machine::Constant(0)),
        }
    }

    /// The duration of a mark: until the current run of the scope ends, or the `next` one, of this side if one is given.
    fn mark_duration(&mut self, arguments: &[&Expr], next: bool, side: Option<TypedValue>) -> TypedValue {
        let name = literal_text(arguments, 0);
        let is_named = |procedure: &&ludex_program::ProcedureInfo| procedure.scope && procedure.name == name;
        let procedure = self.program.procedures.iter().position(|procedure| is_named(&procedure)).unwrap_or_default() as u16;
        let of = side.map(|side| self.side(side));
        TypedValue { of: Type::Duration, value: Value::Duration(UntilCode { procedure, next, of }) }
    }
}

/// A question that must be answered, without the parts that only rules have.
fn question(who: Machine, slot: Slot, prompt: TextId, what: AskCodeWhat) -> AskCode {
    AskCode {
        who,
        must: true,
        what,
        during: None,
        slot,
        prompt: Some(prompt),
        pass_text: None,
        otherwise: None,
        veiled: false,
        // Scripts cannot declare `tells`.
        tells: true,
        even_when_forced: false,
        private: false,
    }
}

/// The text of a literal argument; empty for any other argument.
fn literal_text(arguments: &[&Expr], index: usize) -> String {
    match arguments.get(index) {
        Some(Expr::StringConstant(text, _)) => text.to_string(),
        _ => String::new(),
    }
}
