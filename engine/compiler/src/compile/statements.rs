//! Compiles statements: each becomes one or a few coarse instructions.
//!
//! Each function emits instructions for one form of statement. `span` is the place of the statement, and `cites` are the rules it
//! cites; both are kept with the instructions. `Written` is an expression of the syntax tree, and `Expr` a compiled one.

use super::{Compiler, Meaning};
use crate::symbols::Sort;
use crate::types::Type;
use ludex_program::condition_facts::SureFact;
use ludex_program::presence::Changes;
use ludex_program::{
    Address, CreateCode, DIE_SIZE, Expr, FinishCode, Instruction, KindId, KindSort, MOST_PARAMETERS, MarkCode, NONE, Naming,
    PIECE_SHEET, PayoffCode, Slot, TABLE, UntilCode, Value, Winners,
};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::Span;
use ludex_syntax::tree::{
    Block, Cite, EventName, Expr as Written, ExprKind, FinishWith, Name, Statement, StatementKind, Text, Until, ZoneEnd,
};

/// A field that a statement changes, or that `supposing` gives another value.
pub(super) struct FieldPlace {
    /// The thing that has it.
    pub thing: Expr,
    pub field: u16,
    /// The type of its values.
    pub of: Type,
    /// The kind of that thing, if the place determines it.
    pub kind: Option<KindId>,
}

impl Compiler<'_> {
    /// Compiles a procedure as code of its own, and reports one that may end without the value it has to give.
    pub(super) fn compile_procedure(&mut self, index: usize) {
        let (procedure, params, gives, span) = &self.symbols.procedures[index];
        self.begin_function();
        self.function.procedure = Some(index as u16);
        self.function.gives = Some(gives.clone());
        for (param, of) in procedure.params.iter().zip(params) {
            self.add_slot(&param.name.text, of.clone());
        }
        let (name, count) = (&procedure.name, procedure.params.len());
        if count > MOST_PARAMETERS {
            let message = format!("`{}` has {count} parameters, but at most {MOST_PARAMETERS} are allowed", name.text);
            let problem = Problem::error(codes::TOO_MANY, message).with_label(name.span, "too many parameters");
            self.problems.push(problem.help("keep some of these values in fields or counters"));
        }
        self.program.procedures[index].start = self.next_address();
        self.compile_block(&procedure.body);
        if !self.function.presence.is_unreachable() {
            let message = format!("`{}` can end without giving {}", name.text, self.type_text(gives));
            self.require_result(index as u16, name.span, message, "not every path gives a value");
        }
        self.emit_instruction(Instruction::Return { value: None }, *span, &[]);
        self.program.procedures[index].slots = self.function.most_slots;
    }

    /// Reports a place at which a procedure may end without the value that its callers rely on.
    pub(super) fn require_result(&mut self, procedure: u16, span: Span, message: String, label: &str) {
        let gives = &self.symbols.procedures[procedure as usize].2;
        if matches!(gives, Type::None | Type::Unknown | Type::OrNone(_)) {
            return;
        }
        let problem = Problem::error(codes::GIVES_NOTHING, message).with_label(span, label);
        self.problems.push(problem.help("end every path through it with `give …`, or let it give `… or none`"));
    }

    /// Compiles a block that is run on its own, such as the body of a move, and ends with a return. Returns its address.
    pub(super) fn compile_separate_block(&mut self, block: &Block, span: Span) -> Address {
        let start = self.next_address();
        // The block runs in its own frame, so it cannot leave an enclosing loop.
        let (loops, exits) = (std::mem::take(&mut self.function.loops), std::mem::take(&mut self.function.exits));
        self.with_separate_facts(|compiler| compiler.compile_block(block));
        (self.function.loops, self.function.exits) = (loops, exits);
        self.emit_instruction(Instruction::Return { value: None }, span, &[]);
        start
    }

    /// Compiles the statements of a block. Its names end with it.
    pub(super) fn compile_block(&mut self, block: &Block) {
        self.in_block(|compiler| block.statements.iter().for_each(|statement| compiler.compile_statement(statement)));
    }

    /// Compiles a statement and then drops the facts that it may change.
    fn compile_statement(&mut self, statement: &Statement) {
        self.lower_statement(statement);
        self.update_facts(&statement.kind);
    }

    /// Emits the instructions of a statement.
    fn lower_statement(&mut self, statement: &Statement) {
        let (span, cites) = (statement.span, statement.cites.as_slice());
        match &statement.kind {
            StatementKind::Let { name, value } => self.compile_let(name, value, span, cites),
            StatementKind::Set { place, value, event } => self.compile_set(place, value, event.as_ref(), span, cites),
            StatementKind::Add { place, value, less, event } => {
                self.compile_add(place, value, *less, event.as_ref(), span, cites)
            }
            StatementKind::Move { what, to, end, event } => {
                let place = what.span;
                let (what, item) = self.compile_list(what);
                if !self.program.is_piece(&item.to_shape()) && item != Type::Unknown {
                    let words = self.type_text(&item);
                    self.report_error(
                        codes::WRONG_TYPE,
                        format!("only pieces are moved, but this is {words}"),
                        place,
                        "not pieces",
                    );
                }
                let to = self.compile_zone_for(to, &item);
                let naming = self.compile_event_name(event.as_ref());
                self.emit_instruction(Instruction::Move { what, to, bottom: *end == ZoneEnd::Bottom, naming }, span, cites);
            }
            StatementKind::Roll { what, pool, reason, name } => {
                if let Some(size) = pool {
                    self.compile_roll_pool(what, size, reason.as_ref(), name.as_ref(), span, cites);
                    return;
                }
                if let Some(name) = name {
                    self.report_error(
                        codes::WRONG_TYPE,
                        format!("`{}` gets a name, but dice that are pieces show their results themselves", name.text),
                        name.span,
                        "only for dice that are not pieces",
                    );
                }
                let (what_expr, item) = self.compile_list(what);
                if !matches!(item, Type::Unknown) && self.program.die.map(Type::Entity) != Some(item.clone()) {
                    let words = self.type_text(&item);
                    self.report_error(
                        codes::WRONG_TYPE,
                        format!("only dice can be rolled, but this is {words}"),
                        what.span,
                        "not dice",
                    );
                }
                let reason = reason.as_ref().map(|reason| self.compile_text(reason));
                self.emit_instruction(Instruction::Roll { what: what_expr, reason }, span, cites);
            }
            StatementKind::Shuffle { zone } => {
                let zone = self.compile_zone(zone);
                self.emit_instruction(Instruction::Shuffle { zone }, span, cites);
            }
            StatementKind::Draw { count, from, reason, name } => {
                let one = matches!(count.kind, ExprKind::Number(1));
                let place = from.span;
                let (count, (from, item)) = (self.compile_number(count), self.compile_list(from));
                if !self.program.is_piece(&item.to_shape()) && item != Type::Unknown {
                    let words = self.type_text(&item);
                    self.report_error(
                        codes::WRONG_TYPE,
                        format!("only pieces are drawn, but this is {words}"),
                        place,
                        "not pieces",
                    );
                }
                let reason = reason.as_ref().map(|reason| self.compile_text(reason));
                let is_some = one && self.function.presence.is_filled(&from);
                let slot = self.answer_slot(name, if one { item.or_none() } else { item.into_list() });
                if is_some {
                    self.function.presence.assign_slot(slot, true);
                }
                self.emit_instruction(Instruction::Draw { count, from, reason, one, slot }, span, cites);
            }
            StatementKind::Create { kind, fields, zone, owner, name } => {
                self.compile_create(kind, fields, zone, owner.as_ref(), name.as_ref(), span, cites)
            }
            StatementKind::Remove { what } => {
                let place = what.span;
                let (what, item) = self.compile_list(what);
                let sort = match &item {
                    Type::Entity(kind) => self.program.kind(*kind).sort,
                    _ => KindSort::Piece,
                };
                match sort {
                    KindSort::Side => {
                        self.emit_instruction(Instruction::RemoveSides { what }, span, cites);
                    }
                    KindSort::Piece => {
                        self.emit_instruction(Instruction::Remove { what }, span, cites);
                    }
                    KindSort::Table | KindSort::Entrant => {
                        let words = self.type_text(&item);
                        self.report_error(
                            codes::WRONG_TYPE,
                            format!("{words} cannot be removed"),
                            place,
                            "neither a piece nor a side",
                        );
                    }
                }
            }
            StatementKind::Mark { what, mark, fields, until } => {
                let place = what.span;
                let (what, item) = self.compile_list(what);
                let Some(mark) = self.find_mark(mark) else { return };
                self.expect_bearer(mark, &item, place);
                let fields = self.compile_mark_fields(mark, fields, span);
                let leaves = matches!(until, Some(Until::Leaves));
                if let (true, Type::Entity(kind)) = (leaves, &item)
                    && self.program.kind(*kind).sort != KindSort::Piece
                {
                    let words = self.type_text(&item);
                    self.report_error(
                        codes::WRONG_TYPE,
                        format!("{words} is not in a zone that it could leave"),
                        place,
                        "not a piece",
                    );
                }
                let until = until.as_ref().and_then(|until| self.compile_until(until));
                let code = MarkCode { what, mark, fields, until, leaves };
                self.emit_instruction(Instruction::Mark(Box::new(code)), span, cites);
            }
            StatementKind::Unmark { what, mark } => {
                let (what, _) = self.compile_list(what);
                let Some(mark) = self.find_mark(mark) else { return };
                self.emit_instruction(Instruction::Unmark { what, mark }, span, cites);
            }
            StatementKind::Do { name, args, result } => self.compile_do(name, args.as_deref(), result.as_ref(), span, cites),
            StatementKind::If { arms, otherwise } => self.compile_if(arms, otherwise.as_ref(), span, cites),
            StatementKind::Each { name, set, body } => self.compile_each(name, set, body, span, cites),
            StatementKind::Count { name, from, to, down, body } => self.compile_count(name, from, to, *down, body, span, cites),
            StatementKind::Repeat { most, exactly, until, body, otherwise } => {
                self.compile_repeat(most.as_ref(), *exactly, until.as_ref(), body, otherwise.as_ref(), span, cites);
            }
            StatementKind::Depending { on, arms, otherwise } => self.compile_depending(on, arms, otherwise.as_ref(), span, cites),
            StatementKind::Stop { name } => self.compile_stop(name.as_ref(), span, cites),
            StatementKind::Leave | StatementKind::Skip => {
                self.compile_leave_or_skip(matches!(statement.kind, StatementKind::Leave), span, cites)
            }
            StatementKind::Give { value } => {
                let wanted = self.function.gives.clone().unwrap_or(Type::None);
                if wanted == Type::None {
                    self.report_error(
                        codes::WRONG_TYPE,
                        "this procedure cannot give a value: it does not say what it gives",
                        span,
                        "gives something",
                    );
                }
                let value = match wanted {
                    Type::Unknown => self.compile_untyped_result(value),
                    wanted => self.compile_as_type(value, &wanted),
                };
                self.emit_instruction(Instruction::Return { value: Some(value) }, span, cites);
            }
            StatementKind::Open { hook, args, first, after_use, arms } => {
                self.compile_open(hook, args, first.as_ref(), after_use.as_ref(), arms, span, cites)
            }
            StatementKind::Say { text, to } => {
                let text = self.compile_text(text);
                let to = to.as_ref().map(|to| self.compile_listeners(to));
                self.emit_instruction(Instruction::Say { text, to }, span, cites);
            }
            StatementKind::Finish { with, payoff, text } => {
                let winners = match with {
                    FinishWith::Winners(winners) => {
                        let (list, item) = self.compile_list(winners);
                        if !matches!(item, Type::Unknown) && item != Type::side_type() {
                            self.report_error(codes::WRONG_TYPE, "only sides can win", winners.span, "not a side");
                        }
                        Winners::These(list)
                    }
                    FinishWith::Highest => Winners::Highest,
                    FinishWith::Nobody => Winners::Nobody,
                };
                let payoff = payoff.as_ref().map(|(side, value)| self.compile_payoff(side, value));
                let text = text.as_ref().map(|text| self.compile_text(text));
                self.emit_instruction(
                    Instruction::Finish(Box::new(FinishCode { capped: self.is_capped(&winners), winners, payoff, text })),
                    span,
                    cites,
                );
            }
            StatementKind::Answer { word } => self.compile_answer_statement(word, span, cites),
            StatementKind::RestoreUses { scope } => {
                if let Some(scope) = self.find_scope(scope) {
                    self.emit_instruction(Instruction::RestoreUses { scope }, span, cites);
                }
            }
            StatementKind::Ask(ask) => self.compile_ask(ask, span, cites),
            StatementKind::Show { what, to } => {
                let place = what.span;
                let (what, item) = self.compile_list(what);
                if !self.program.is_piece(&item.to_shape()) && item != Type::Unknown {
                    let words = self.type_text(&item);
                    self.report_error(
                        codes::WRONG_TYPE,
                        format!("only pieces can be shown, but this is {words}"),
                        place,
                        "not pieces",
                    );
                }
                let to = self.compile_listeners(to);
                self.emit_instruction(Instruction::Show { what, to }, span, cites);
            }
        }
    }

    /// Compiles `payoff of side = side.points`: `side` names each side in turn.
    fn compile_payoff(&mut self, side: &Name, value: &Written) -> PayoffCode {
        self.in_block(|compiler| {
            let side = compiler.add_slot(&side.text, Type::side_type());
            let (expr, of) = compiler.compile_expression(value);
            if !of.is_number() {
                let words = compiler.type_text(&of);
                compiler.report_error(
                    codes::WRONG_TYPE,
                    format!("a payoff is a number, but this is {words}"),
                    value.span,
                    "not a number",
                );
            }
            PayoffCode { side, halves: of == Type::Halves, value: expr }
        })
    }

    /// Compiles the seats to which something is announced or shown.
    fn compile_listeners(&mut self, to: &Written) -> Expr {
        if self.program.referee.is_some() && matches!(&to.kind, ExprKind::Name(name) if name == "referee") {
            return Expr::Referee;
        }
        let (list, item) = self.compile_list(to);
        let seated = match &item {
            Type::Entity(kind) => matches!(self.program.kind(*kind).sort, KindSort::Side | KindSort::Entrant),
            of => *of == Type::Unknown,
        };
        if !seated {
            let words = self.type_text(&item);
            self.report_error(
                codes::WRONG_TYPE,
                format!("only sides can hear something, but this is {words}"),
                to.span,
                "not a side",
            );
        }
        list
    }

    /// Compiles the result of a procedure without a declared type, whose type is then that of its value.
    fn compile_untyped_result(&mut self, value: &Written) -> Expr {
        let (expr, of) = self.compile_expression(value);
        if let Some(procedure) = self.function.procedure {
            self.program.procedures[procedure as usize].gives = of.to_shape();
        }
        expr
    }

    /// Compiles `let name = value`. A zone is kept as it is, not as a list of its pieces.
    fn compile_let(&mut self, name: &Name, value: &Written, span: Span, cites: &[Cite]) {
        let (value, of) = self.compile_expression(value);
        let (value, of) = match of {
            Type::Zone(_) | Type::None => {
                if of == Type::None {
                    let message = format!("`none` does not say what type `{}` has", name.text);
                    let problem = Problem::error(codes::WRONG_TYPE, message).with_label(span, "needs another value");
                    let help = "begin with a value, or keep it in a field with a type: `the table has { led: card or none }`";
                    self.problems.push(problem.help(help));
                }
                (value, of)
            }
            of => (value, of),
        };
        let list = of.is_list();
        let slot = self.add_slot(&name.text, of);
        self.emit_instruction(Instruction::Let { slot, value, list }, span, cites);
    }

    /// Compiles `set place to value`, for a local or a field.
    fn compile_set(&mut self, place: &Written, value: &Written, event: Option<&EventName>, span: Span, cites: &[Cite]) {
        if let ExprKind::Name(name) = &place.kind
            && let Some(local) = self.find_local(name).cloned()
        {
            let Meaning::Slot(slot) = local.meaning else {
                self.report_error(
                    codes::CANNOT_SET,
                    format!("`{name}` is a parameter of this definition and cannot be set"),
                    place.span,
                    "cannot be set",
                );
                return;
            };
            let (value, is_there) = self.compile_with_presence(value, &local.of);
            if local.of.is_list() {
                self.keep_lists(slot, &local.of);
            }
            self.emit_instruction(Instruction::Let { slot, value, list: local.of.is_list() }, span, cites);
            self.function.presence.assign_slot(slot, is_there);
            return;
        }
        let Some(FieldPlace { thing, field, of, kind }) = self.compile_field_place(place) else { return };
        if of.is_list() {
            return self.compile_set_list(FieldPlace { thing, field, of, kind }, value, event, span, cites);
        }
        let given = value.span;
        let (value, is_there) = self.compile_with_presence(value, &of);
        if let Some(kind) = kind {
            self.expect_in_range(kind, field, &value, 0, given);
        }
        let naming = self.compile_event_name(event);
        self.update_field_facts(&thing, field, is_there && matches!(of, Type::OrNone(_)));
        self.emit_instruction(Instruction::Set { of: thing, field, value, naming }, span, cites);
    }

    /// Compiles `add value to place` and, with `less`, `take value from place`.
    fn compile_add(
        &mut self,
        place: &Written,
        value: &Written,
        less: bool,
        event: Option<&EventName>,
        span: Span,
        cites: &[Cite],
    ) {
        let minus = |value: Expr| if less { Expr::Subtract(Box::new(Expr::Constant(0)), Box::new(value)) } else { value };
        if let ExprKind::Name(name) = &place.kind
            && let Some(local) = self.find_local(name).cloned()
            && let Meaning::Slot(slot) = local.meaning
        {
            let value = minus(self.compile_as_type(value, &local.of));
            let sum = Expr::Add(Box::new(Expr::Local(slot)), Box::new(value));
            self.emit_instruction(Instruction::Let { slot, value: sum, list: false }, span, cites);
            return;
        }
        let Some(FieldPlace { thing, field, of, kind }) = self.compile_field_place(place) else { return };
        if of.is_list() {
            return self.compile_add_to_list(FieldPlace { thing, field, of, kind }, value, less, event, span, cites);
        }
        if !of.is_number() {
            let words = self.type_text(&of);
            self.report_error(
                codes::CANNOT_SET,
                format!("only a number can be added to, but this is {words}"),
                place.span,
                "not a number",
            );
        }
        let value = minus(self.compile_as_type(value, &of));
        let naming = self.compile_event_name(event);
        self.update_field_facts(&thing, field, false);
        self.emit_instruction(Instruction::Add { of: thing, field, value, naming }, span, cites);
    }

    /// Compiles the field that a place names. Reports one that cannot be set, and returns none.
    pub(super) fn compile_field_place(&mut self, place: &Written) -> Option<FieldPlace> {
        let (expr, of, owner) = match &place.kind {
            ExprKind::Member(owner, name) => {
                let (thing, found) = self.compile_expression(owner);
                let (expr, of) = self.compile_present_member(owner, thing, &found, name);
                // A lent member is a field of another thing.
                let owner = match found.without_none() {
                    Type::Entity(kind) => self.symbols.find_field(*kind, &name.text).map(|_| *kind),
                    _ => None,
                };
                (expr, of, owner)
            }
            _ => {
                let (expr, of) = self.compile_as_declared(place);
                (expr, of, None)
            }
        };
        if self.is_printed(&expr, &of) {
            let problem = Problem::error(codes::CANNOT_SET, "what is printed on a sheet cannot change");
            let problem = problem.with_label(place.span, "printed on a sheet");
            self.problems.push(problem.help("give the piece a counter of its own, or change a value of a hook with `modify`"));
            return None;
        }
        match expr {
            Expr::Field { of: thing, field } | Expr::Held { of: thing, field } => {
                let kind = if *thing == Expr::Table { Some(TABLE) } else { owner };
                Some(FieldPlace { thing: *thing, field, of, kind })
            }
            _ => {
                if of != Type::Unknown {
                    let words = self.type_text(&of);
                    let problem = Problem::error(codes::CANNOT_SET, format!("this is {words} that cannot be set"));
                    self.problems.push(
                        problem
                            .with_label(place.span, "cannot be set")
                            .help("set a counter or field, such as `me.flies`; move pieces with `move … to …`"),
                    );
                }
                None
            }
        }
    }

    /// Reports a constant that is not an allowed value of a field. For a die, `size` is its size if it is known, else 0.
    pub(super) fn expect_in_range(&mut self, kind: KindId, field: u16, value: &Expr, size: Value, span: Span) {
        let Expr::Constant(value) = value else { return };
        if let Some(message) = self.program.range_refusal_text(kind, field, *value, size) {
            self.report_error(codes::OUT_OF_RANGE, message, span, "cannot be");
        }
    }

    /// Whether an expression reads from a sheet.
    fn is_printed(&self, expr: &Expr, of: &Type) -> bool {
        let sheet =
            matches!((expr, of), (Expr::Field { field: PIECE_SHEET, .. }, Type::Sheet(sheet)) if !self.symbols.is_part(*sheet));
        sheet || matches!(expr, Expr::Printed { .. } | Expr::PrintedList { .. } | Expr::PrintedName(_))
    }

    /// Compiles `as name "…"` after a statement: the name of its event, numbered over the whole game, and the sentence for players.
    pub(super) fn compile_event_name(&mut self, event: Option<&EventName>) -> Naming {
        let Some(event) = event else { return Naming::default() };
        let names = &mut self.program.event_names;
        let name = names.iter().position(|name| *name == event.name.text).unwrap_or_else(|| {
            names.push(event.name.text.clone());
            names.len() - 1
        });
        Naming { name: Some(name as u16), text: event.text.as_ref().map(|text| self.compile_text(text)) }
    }

    /// Compiles `create kind(field: value) in zone for owner as name`.
    #[expect(clippy::too_many_arguments, reason = "the parts of one statement")]
    fn compile_create(
        &mut self,
        kind: &Name,
        fields: &[(Name, Written)],
        zone: &Written,
        owner: Option<&Written>,
        name: Option<&Name>,
        span: Span,
        cites: &[Cite],
    ) {
        let Some(found) = self.piece_kind(&kind.text) else {
            return self.report_unresolved(kind);
        };
        if self.program.is_printed(found) {
            let message = format!("a {} is printed on a sheet, so it cannot be created during play", kind.text);
            let problem = Problem::error(codes::WRONG_TYPE, message).with_label(kind.span, "printed on a sheet");
            self.problems.push(problem.help("let a sheet list it, and move it to where you need it"));
            return;
        }
        let mut values = Vec::new();
        let faces = self.program.faces_of(found).map(|faces| faces.values.len());
        for (field, value) in fields {
            match self.symbols.find_field(found, &field.text) {
                Some((DIE_SIZE, _)) if faces.is_some() => {
                    let message = format!("a {} has {} faces, so it takes no size", kind.text, faces.unwrap_or(0));
                    self.report_error(codes::UNKNOWN_FIELD, message, field.span, "leave this out");
                }
                Some((_, of)) if of.is_list() => {
                    let problem = Problem::error(codes::FOREIGN_FORM, "a list in a field is empty at first");
                    let help = format!("name the {} with `as`, and `set` the list after this", kind.text);
                    self.problems.push(problem.with_label(field.span, "not given here").help(help));
                }
                Some((index, of)) => values.push((index, self.compile_as_type(value, &of), value.span)),
                None => self.report_unresolved(field),
            }
        }
        if self.program.die == Some(found) && !fields.iter().any(|(field, _)| field.text == "size") {
            let problem = Problem::error(codes::ARGUMENT_COUNT, "the size of the die is missing");
            self.problems.push(problem.with_label(kind.span, "of which size?").help("give its size: `create die(size: 6) in …`"));
        }
        let size = values.iter().find_map(|(field, value, _)| match (field, value) {
            (&DIE_SIZE, Expr::Constant(size)) => Some(*size),
            _ => None,
        });
        for (field, value, span) in &values {
            self.expect_in_range(found, *field, value, size.unwrap_or(0), *span);
        }
        let fields = values.into_iter().map(|(field, value, _)| (field, value)).collect();
        let zone = self.compile_zone_for(zone, &Type::Entity(found));
        let on_table = matches!(&zone, Expr::Zone { of, .. } if matches!(**of, Expr::Table));
        self.program.shared |= on_table && owner.is_some();
        let owner = owner.map_or(Expr::Constant(NONE), |owner| self.compile_as_type(owner, &Type::side_type()));
        // A die with its own faces counts as a die.
        let of = if faces.is_some() { self.program.die.unwrap_or(found) } else { found };
        let slot = name.map(|name| self.add_slot(&name.text, Type::Entity(of)));
        let filled = SureFact::Filled(Expr::ZoneList(Box::new(zone.clone())));
        let code = CreateCode { kind: found, fields, zone, owner, slot };
        self.emit_instruction(Instruction::Create(Box::new(code)), span, cites);
        self.function.presence.drop_changed_facts(&Changes::board_change());
        self.learn_for_good(vec![filled]);
    }

    /// The kind of pieces of this name.
    fn piece_kind(&self, name: &str) -> Option<KindId> {
        self.symbols.id(Sort::Kind, name).filter(|kind| self.program.kind(*kind).sort == KindSort::Piece)
    }

    /// The mark of a name. Reports an unknown one.
    fn find_mark(&mut self, name: &Name) -> Option<u16> {
        let found = self.symbols.find_mark(&name.text);
        if found.is_none() {
            self.report_unresolved(name);
        }
        found
    }

    /// Finds a procedure declared with `scope`. Reports any other name.
    pub(super) fn find_scope(&mut self, name: &Name) -> Option<u16> {
        let found = self.symbols.find_procedure(&name.text).filter(|found| self.program.procedures[*found as usize].scope);
        if found.is_none() {
            self.report_unresolved(name);
        }
        found
    }

    /// Reports things of another kind than a mark is for. A mark without fields and parts may be set on any thing.
    fn expect_bearer(&mut self, mark: u16, item: &Type, span: Span) {
        let info = &self.program.marks[mark as usize];
        let live = !self.symbols.mark_parts[mark as usize].0.is_empty() || !self.symbols.mark_parts[mark as usize].1.is_empty();
        let wanted = Type::Entity(info.kind);
        if live && *item != wanted && *item != Type::Unknown {
            let message =
                format!("`{}` is a mark of {}, but this is {}", info.name, self.type_text(&wanted), self.type_text(item));
            self.report_error(codes::WRONG_TYPE, message, span, "cannot bear it");
        }
    }

    /// Compiles the end of a mark with a run of a scope. None if it ends when the piece leaves its zone, which is noted elsewhere.
    fn compile_until(&mut self, until: &Until) -> Option<UntilCode> {
        match until {
            Until::End { next, scope, of } => {
                let procedure = self.find_scope(scope)?;
                let of = of.as_ref().map(|of| self.compile_as_type(of, &Type::side_type()));
                Some(UntilCode { procedure, next: *next, of })
            }
            Until::Leaves => None,
        }
    }

    /// Compiles `do name(…) as result`: a move in a local, one seat's move among the answers of several, or a procedure, which may
    /// be inlined.
    fn compile_do(&mut self, name: &Name, args: Option<&[Written]>, result: Option<&Name>, span: Span, cites: &[Cite]) {
        if args.is_none()
            && let Some(local) = self.find_local(&name.text).cloned()
        {
            let Meaning::Slot(slot) = local.meaning else { return };
            let value = Expr::Local(slot);
            let of = self.narrow_type(&value, local.of);
            self.expect_move(&name.text, &value, &of, name.span);
            self.emit_instruction(Instruction::DoMove { value }, span, cites);
            return;
        }
        if let Some((value, of)) = self.compile_answer(name, args.unwrap_or(&[])) {
            let of = self.narrow_type(&value, of);
            let (value, of) = self.owed_answer(value, of);
            self.expect_move(&name.text, &value, &of, name.span);
            self.emit_instruction(Instruction::DoMove { value }, span, cites);
            return;
        }
        let Some(procedure) = self.symbols.find_procedure(&name.text) else {
            return self.report_unresolved(name);
        };
        let (_, params, gives, _) = &self.symbols.procedures[procedure as usize];
        let (params, gives) = (params.clone(), gives.clone());
        let arguments = self.compile_arguments(&name.text, args.unwrap_or(&[]), &params, name.span);
        if self.may_inline_here(procedure) && arguments.len() == params.len() && result.is_none() {
            self.inline_procedure(procedure, arguments, span);
            return;
        }
        let result = result.map(|result| {
            if gives == Type::None {
                self.report_error(codes::WRONG_TYPE, format!("`{}` gives nothing", name.text), result.span, "gets nothing");
            }
            self.answer_slot(result, gives.clone())
        });
        self.emit_instruction(Instruction::Call { procedure, arguments, result }, span, cites);
    }

    /// Reports a `do` of something that is not a move, or may be none.
    fn expect_move(&mut self, name: &str, value: &Expr, of: &Type, span: Span) {
        if !matches!(of.without_none(), Type::Move(_) | Type::Moves(_) | Type::Unknown) {
            let words = self.type_text(of);
            self.report_error(codes::WRONG_TYPE, format!("only a move can be done, but `{name}` is {words}"), span, "not a move");
        } else if let Type::OrNone(inner) = of {
            self.report_may_be_none(value, inner, span, format!("test it first: `if {name} is not none {{ do {name} }}`"));
        }
    }

    /// Compiles `roll 6 d6 as shown`: dice that are not pieces. Their results need a name.
    fn compile_roll_pool(
        &mut self,
        count: &Written,
        size: &Written,
        reason: Option<&Text>,
        name: Option<&Name>,
        span: Span,
        cites: &[Cite],
    ) {
        let (count, size) = (self.compile_number(count), self.compile_number(size));
        let reason = reason.map(|reason| self.compile_text(reason));
        let results = Type::Number.into_list();
        let slot = match name {
            Some(name) => self.answer_slot(name, results),
            None => {
                let problem = Problem::error(codes::WRONG_TYPE, "the results of dice that are not pieces need a name");
                self.problems.push(problem.with_label(span, "here").help("name the list of results, as in `roll 6 d6 as shown`"));
                return;
            }
        };
        self.emit_instruction(Instruction::RollPool { count, size, reason, slot }, span, cites);
    }

    /// The slot that `as name` fills: an existing one if the types agree, or a new one.
    pub(super) fn answer_slot(&mut self, name: &Name, of: Type) -> Slot {
        if let Some(local) = self.find_local(&name.text).cloned()
            && let Meaning::Slot(slot) = local.meaning
            && (local.of == of || self.function.unsure.contains(&(slot, of.clone())))
            && self.find_receivers(&name.text).is_none()
        {
            if of.is_list() {
                self.keep_lists(slot, &of);
            }
            self.function.presence.assign_slot(slot, !matches!(of, Type::OrNone(_)));
            return slot;
        }
        self.add_slot(&name.text, of)
    }
}
