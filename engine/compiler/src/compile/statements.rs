//! Compiles statements: each becomes one or a few coarse instructions.

use super::{Compiler, Meaning};
use crate::symbols::Sort;
use crate::types::Type;
use ludex_program::presence::Changes;
use ludex_program::told::Is;
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
            let problem = Problem::error(codes::TOO_MANY, message).at(name.span, "too many parameters");
            self.problems.push(problem.help("keep some of these values in fields or counters"));
        }
        self.program.procedures[index].start = self.here();
        self.block(&procedure.body);
        if !self.function.presence.is_never() {
            let message = format!("`{}` can end without giving {}", name.text, self.type_words(gives));
            self.owes_result(index as u16, name.span, message, "not every path gives a value");
        }
        self.emit(Instruction::Return { value: None }, *span, &[]);
        self.program.procedures[index].slots = self.function.most_slots;
    }

    /// Reports a procedure that may end without the value that its callers rely on.
    pub(super) fn owes_result(&mut self, procedure: u16, span: Span, message: String, label: &str) {
        let gives = &self.symbols.procedures[procedure as usize].2;
        if matches!(gives, Type::None | Type::Unknown | Type::OrNone(_)) {
            return;
        }
        let problem = Problem::error(codes::GIVES_NOTHING, message).at(span, label);
        self.problems.push(problem.help("end every path through it with `give …`, or let it give `… or none`"));
    }

    /// Compiles a separate block that ends with a return. Returns its address.
    pub(super) fn separate_block(&mut self, block: &Block, span: Span) -> Address {
        let start = self.here();
        // The block runs in its own frame, so it cannot leave an enclosing loop.
        let (loops, exits) = (std::mem::take(&mut self.function.loops), std::mem::take(&mut self.function.exits));
        self.apart(|compiler| compiler.block(block));
        (self.function.loops, self.function.exits) = (loops, exits);
        self.emit(Instruction::Return { value: None }, span, &[]);
        start
    }

    pub(super) fn block(&mut self, block: &Block) {
        self.in_block(|compiler| block.statements.iter().for_each(|statement| compiler.statement(statement)));
    }

    fn statement(&mut self, statement: &Statement) {
        self.lower_statement(statement);
        self.know_after(&statement.kind);
    }

    fn lower_statement(&mut self, statement: &Statement) {
        let (span, cites) = (statement.span, statement.cites.as_slice());
        match &statement.kind {
            StatementKind::Let { name, value } => self.let_(name, value, span, cites),
            StatementKind::Set { place, value, event } => self.set(place, value, event.as_ref(), span, cites),
            StatementKind::Add { place, value, less, event } => self.add(place, value, *less, event.as_ref(), span, cites),
            StatementKind::Move { what, to, end, event } => {
                let place = what.span;
                let (what, item) = self.list(what);
                if !self.program.is_piece(&item.shape()) && item != Type::Unknown {
                    let words = self.type_words(&item);
                    self.complain(codes::WRONG_TYPE, format!("only pieces are moved, but this is {words}"), place, "not pieces");
                }
                let to = self.zone_for(to, &item);
                let naming = self.naming(event.as_ref());
                self.emit(Instruction::Move { what, to, bottom: *end == ZoneEnd::Bottom, naming }, span, cites);
            }
            StatementKind::Roll { what, pool, reason, name } => {
                if let Some(size) = pool {
                    self.roll_pool(what, size, reason.as_ref(), name.as_ref(), span, cites);
                    return;
                }
                if let Some(name) = name {
                    self.complain(
                        codes::WRONG_TYPE,
                        format!("`{}` gets a name, but dice that are pieces show their results themselves", name.text),
                        name.span,
                        "only for dice that are not pieces",
                    );
                }
                let (what_expr, item) = self.list(what);
                if !matches!(item, Type::Unknown) && self.program.die.map(Type::Entity) != Some(item.clone()) {
                    let words = self.type_words(&item);
                    self.complain(
                        codes::WRONG_TYPE,
                        format!("only dice can be rolled, but this is {words}"),
                        what.span,
                        "not dice",
                    );
                }
                let reason = reason.as_ref().map(|reason| self.text(reason));
                self.emit(Instruction::Roll { what: what_expr, reason }, span, cites);
            }
            StatementKind::Shuffle { zone } => {
                let zone = self.zone(zone);
                self.emit(Instruction::Shuffle { zone }, span, cites);
            }
            StatementKind::Draw { count, from, reason, name } => {
                let one = matches!(count.kind, ExprKind::Number(1));
                let place = from.span;
                let (count, (from, item)) = (self.number(count), self.list(from));
                if !self.program.is_piece(&item.shape()) && item != Type::Unknown {
                    let words = self.type_words(&item);
                    self.complain(codes::WRONG_TYPE, format!("only pieces are drawn, but this is {words}"), place, "not pieces");
                }
                let reason = reason.as_ref().map(|reason| self.text(reason));
                let is_some = one && self.function.presence.is_filled(&from);
                let slot = self.answer_slot(name, if one { item.or_none() } else { item.list() });
                if is_some {
                    self.function.presence.put(slot, true);
                }
                self.emit(Instruction::Draw { count, from, reason, one, slot }, span, cites);
            }
            StatementKind::Create { kind, fields, zone, owner, name } => {
                self.create(kind, fields, zone, owner.as_ref(), name.as_ref(), span, cites)
            }
            StatementKind::Remove { what } => {
                let place = what.span;
                let (what, item) = self.list(what);
                let sort = match &item {
                    Type::Entity(kind) => self.program.kind(*kind).sort,
                    _ => KindSort::Piece,
                };
                match sort {
                    KindSort::Side => {
                        self.emit(Instruction::RemoveSides { what }, span, cites);
                    }
                    KindSort::Piece => {
                        self.emit(Instruction::Remove { what }, span, cites);
                    }
                    KindSort::Table | KindSort::Entrant => {
                        let words = self.type_words(&item);
                        self.complain(
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
                let (what, item) = self.list(what);
                let Some(mark) = self.mark_named(mark) else { return };
                self.expect_bearer(mark, &item, place);
                let fields = self.mark_fields(mark, fields, span);
                let leaves = matches!(until, Some(Until::Leaves));
                if let (true, Type::Entity(kind)) = (leaves, &item)
                    && self.program.kind(*kind).sort != KindSort::Piece
                {
                    let words = self.type_words(&item);
                    self.complain(
                        codes::WRONG_TYPE,
                        format!("{words} is not in a zone that it could leave"),
                        place,
                        "not a piece",
                    );
                }
                let until = until.as_ref().and_then(|until| self.until(until));
                let code = MarkCode { what, mark, fields, until, leaves };
                self.emit(Instruction::Mark(Box::new(code)), span, cites);
            }
            StatementKind::Unmark { what, mark } => {
                let (what, _) = self.list(what);
                let Some(mark) = self.mark_named(mark) else { return };
                self.emit(Instruction::Unmark { what, mark }, span, cites);
            }
            StatementKind::Do { name, args, result } => self.do_(name, args.as_deref(), result.as_ref(), span, cites),
            StatementKind::If { arms, otherwise } => self.if_(arms, otherwise.as_ref(), span, cites),
            StatementKind::Each { name, set, body } => self.each(name, set, body, span, cites),
            StatementKind::Count { name, from, to, down, body } => self.count_(name, from, to, *down, body, span, cites),
            StatementKind::Repeat { most, exactly, until, body, otherwise } => {
                self.repeat(most.as_ref(), *exactly, until.as_ref(), body, otherwise.as_ref(), span, cites);
            }
            StatementKind::Depending { on, arms, otherwise } => self.depending(on, arms, otherwise.as_ref(), span, cites),
            StatementKind::Stop { name } => self.stop(name.as_ref(), span, cites),
            StatementKind::Leave | StatementKind::Skip => self.leave(matches!(statement.kind, StatementKind::Leave), span, cites),
            StatementKind::Give { value } => {
                let wanted = self.function.gives.clone().unwrap_or(Type::None);
                if wanted == Type::None {
                    self.complain(
                        codes::WRONG_TYPE,
                        "this procedure cannot give a value: it does not say what it gives",
                        span,
                        "gives something",
                    );
                }
                let value = match wanted {
                    Type::Unknown => self.whatever(value),
                    wanted => self.expect(value, &wanted),
                };
                self.emit(Instruction::Return { value: Some(value) }, span, cites);
            }
            StatementKind::Open { hook, args, first, after_use, arms } => {
                self.open(hook, args, first.as_ref(), after_use.as_ref(), arms, span, cites)
            }
            StatementKind::Say { text, to } => {
                let text = self.text(text);
                let to = to.as_ref().map(|to| self.listeners(to));
                self.emit(Instruction::Say { text, to }, span, cites);
            }
            StatementKind::Finish { with, payoff, text } => {
                let winners = match with {
                    FinishWith::Winners(winners) => {
                        let (list, item) = self.list(winners);
                        if !matches!(item, Type::Unknown) && item != Type::side() {
                            self.complain(codes::WRONG_TYPE, "only sides can win", winners.span, "not a side");
                        }
                        Winners::These(list)
                    }
                    FinishWith::Highest => Winners::Highest,
                    FinishWith::Nobody => Winners::Nobody,
                };
                let payoff = payoff.as_ref().map(|(side, value)| self.payoff(side, value));
                let text = text.as_ref().map(|text| self.text(text));
                self.emit(
                    Instruction::Finish(Box::new(FinishCode { capped: self.is_capped(&winners), winners, payoff, text })),
                    span,
                    cites,
                );
            }
            StatementKind::Answer { word } => self.answer(word, span, cites),
            StatementKind::RestoreUses { scope } => {
                if let Some(scope) = self.scope_named(scope) {
                    self.emit(Instruction::RestoreUses { scope }, span, cites);
                }
            }
            StatementKind::Ask(ask) => self.ask(ask, span, cites),
            StatementKind::Show { what, to } => {
                let place = what.span;
                let (what, item) = self.list(what);
                if !self.program.is_piece(&item.shape()) && item != Type::Unknown {
                    let words = self.type_words(&item);
                    self.complain(
                        codes::WRONG_TYPE,
                        format!("only pieces can be shown, but this is {words}"),
                        place,
                        "not pieces",
                    );
                }
                let to = self.listeners(to);
                self.emit(Instruction::Show { what, to }, span, cites);
            }
        }
    }

    /// Compiles `payoff of side = side.points`.
    fn payoff(&mut self, side: &Name, value: &Written) -> PayoffCode {
        self.in_block(|compiler| {
            let side = compiler.add_slot(&side.text, Type::side());
            let (expr, of) = compiler.expression(value);
            if !of.is_number() {
                let words = compiler.type_words(&of);
                compiler.complain(
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
    fn listeners(&mut self, to: &Written) -> Expr {
        if self.program.referee.is_some() && matches!(&to.kind, ExprKind::Name(name) if name == "referee") {
            return Expr::Referee;
        }
        let (list, item) = self.list(to);
        let seated = match &item {
            Type::Entity(kind) => matches!(self.program.kind(*kind).sort, KindSort::Side | KindSort::Entrant),
            of => *of == Type::Unknown,
        };
        if !seated {
            let words = self.type_words(&item);
            self.complain(
                codes::WRONG_TYPE,
                format!("only sides can hear something, but this is {words}"),
                to.span,
                "not a side",
            );
        }
        list
    }

    /// Compiles the result of a procedure without a declared type.
    fn whatever(&mut self, value: &Written) -> Expr {
        let (expr, of) = self.expression(value);
        if let Some(procedure) = self.function.procedure {
            self.program.procedures[procedure as usize].gives = of.shape();
        }
        expr
    }

    fn let_(&mut self, name: &Name, value: &Written, span: Span, cites: &[Cite]) {
        let (value, of) = self.expression(value);
        let (value, of) = match of {
            Type::Zone(_) | Type::None => {
                if of == Type::None {
                    let message = format!("`none` does not say what type `{}` has", name.text);
                    let problem = Problem::error(codes::WRONG_TYPE, message).at(span, "needs another value");
                    let help = "begin with a value, or keep it in a field with a type: `the table has { led: card or none }`";
                    self.problems.push(problem.help(help));
                }
                (value, of)
            }
            of => (value, of),
        };
        let list = of.is_list();
        let slot = self.add_slot(&name.text, of);
        self.emit(Instruction::Let { slot, value, list }, span, cites);
    }

    fn set(&mut self, place: &Written, value: &Written, event: Option<&EventName>, span: Span, cites: &[Cite]) {
        if let ExprKind::Name(name) = &place.kind
            && let Some(local) = self.local(name).cloned()
        {
            let Meaning::Slot(slot) = local.meaning else {
                self.complain(
                    codes::CANNOT_SET,
                    format!("`{name}` is a parameter of this definition and cannot be set"),
                    place.span,
                    "cannot be set",
                );
                return;
            };
            let (value, is_there) = self.expect_known(value, &local.of);
            if local.of.is_list() {
                self.keep_lists(slot, &local.of);
            }
            self.emit(Instruction::Let { slot, value, list: local.of.is_list() }, span, cites);
            self.function.presence.put(slot, is_there);
            return;
        }
        let Some(FieldPlace { thing, field, of, kind }) = self.field_place(place) else { return };
        if of.is_list() {
            return self.set_list(FieldPlace { thing, field, of, kind }, value, event, span, cites);
        }
        let given = value.span;
        let (value, is_there) = self.expect_known(value, &of);
        if let Some(kind) = kind {
            self.expect_in_range(kind, field, &value, 0, given);
        }
        let naming = self.naming(event);
        self.know_field(&thing, field, is_there && matches!(of, Type::OrNone(_)));
        self.emit(Instruction::Set { of: thing, field, value, naming }, span, cites);
    }

    fn add(&mut self, place: &Written, value: &Written, less: bool, event: Option<&EventName>, span: Span, cites: &[Cite]) {
        let minus = |value: Expr| if less { Expr::Subtract(Box::new(Expr::Constant(0)), Box::new(value)) } else { value };
        if let ExprKind::Name(name) = &place.kind
            && let Some(local) = self.local(name).cloned()
            && let Meaning::Slot(slot) = local.meaning
        {
            let value = minus(self.expect(value, &local.of));
            let sum = Expr::Add(Box::new(Expr::Local(slot)), Box::new(value));
            self.emit(Instruction::Let { slot, value: sum, list: false }, span, cites);
            return;
        }
        let Some(FieldPlace { thing, field, of, kind }) = self.field_place(place) else { return };
        if of.is_list() {
            return self.add_to_list(FieldPlace { thing, field, of, kind }, value, less, event, span, cites);
        }
        if !of.is_number() {
            let words = self.type_words(&of);
            self.complain(
                codes::CANNOT_SET,
                format!("only a number can be added to, but this is {words}"),
                place.span,
                "not a number",
            );
        }
        let value = minus(self.expect(value, &of));
        let naming = self.naming(event);
        self.know_field(&thing, field, false);
        self.emit(Instruction::Add { of: thing, field, value, naming }, span, cites);
    }

    /// Compiles the field that a place names.
    pub(super) fn field_place(&mut self, place: &Written) -> Option<FieldPlace> {
        let (expr, of, owner) = match &place.kind {
            ExprKind::Member(owner, name) => {
                let (thing, found) = self.expression(owner);
                let (expr, of) = self.member_where_there(owner, thing, &found, name);
                // A lent member is a field of another thing.
                let owner = match found.certain() {
                    Type::Entity(kind) => self.symbols.field(*kind, &name.text).map(|_| *kind),
                    _ => None,
                };
                (expr, of, owner)
            }
            _ => {
                let (expr, of) = self.expression_as_declared(place);
                (expr, of, None)
            }
        };
        if self.is_printed(&expr, &of) {
            let problem = Problem::error(codes::CANNOT_SET, "what is printed on a sheet cannot change");
            let problem = problem.at(place.span, "printed on a sheet");
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
                    let words = self.type_words(&of);
                    let problem = Problem::error(codes::CANNOT_SET, format!("this is {words} that cannot be set"));
                    self.problems.push(
                        problem
                            .at(place.span, "cannot be set")
                            .help("set a counter or field, such as `me.flies`; move pieces with `move … to …`"),
                    );
                }
                None
            }
        }
    }

    /// Checks that a constant is an allowed value of a field.
    pub(super) fn expect_in_range(&mut self, kind: KindId, field: u16, value: &Expr, size: Value, span: Span) {
        let Expr::Constant(value) = value else { return };
        if let Some(message) = self.program.refusal_of(kind, field, *value, size) {
            self.complain(codes::OUT_OF_RANGE, message, span, "cannot be");
        }
    }

    /// Whether an expression reads from a sheet.
    fn is_printed(&self, expr: &Expr, of: &Type) -> bool {
        let sheet =
            matches!((expr, of), (Expr::Field { field: PIECE_SHEET, .. }, Type::Sheet(sheet)) if !self.symbols.is_part(*sheet));
        sheet || matches!(expr, Expr::Printed { .. } | Expr::PrintedList { .. } | Expr::PrintedName(_))
    }

    pub(super) fn naming(&mut self, event: Option<&EventName>) -> Naming {
        let Some(event) = event else { return Naming::default() };
        let names = &mut self.program.event_names;
        let name = names.iter().position(|name| *name == event.name.text).unwrap_or_else(|| {
            names.push(event.name.text.clone());
            names.len() - 1
        });
        Naming { name: Some(name as u16), text: event.text.as_ref().map(|text| self.text(text)) }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one statement")]
    fn create(
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
            return self.unresolved(kind);
        };
        if self.program.is_printed(found) {
            let message = format!("a {} is printed on a sheet, so it cannot be created during play", kind.text);
            let problem = Problem::error(codes::WRONG_TYPE, message).at(kind.span, "printed on a sheet");
            self.problems.push(problem.help("let a sheet list it, and move it to where you need it"));
            return;
        }
        let mut values = Vec::new();
        let faces = self.program.faces_of(found).map(|faces| faces.values.len());
        for (field, value) in fields {
            match self.symbols.field(found, &field.text) {
                Some((DIE_SIZE, _)) if faces.is_some() => {
                    let message = format!("a {} has {} faces, so it takes no size", kind.text, faces.unwrap_or(0));
                    self.complain(codes::UNKNOWN_FIELD, message, field.span, "leave this out");
                }
                Some((_, of)) if of.is_list() => {
                    let problem = Problem::error(codes::FOREIGN_FORM, "a list in a field is empty at first");
                    let help = format!("name the {} with `as`, and `set` the list after this", kind.text);
                    self.problems.push(problem.at(field.span, "not given here").help(help));
                }
                Some((index, of)) => values.push((index, self.expect(value, &of), value.span)),
                None => self.unresolved(field),
            }
        }
        if self.program.die == Some(found) && !fields.iter().any(|(field, _)| field.text == "size") {
            let problem = Problem::error(codes::ARGUMENT_COUNT, "the size of the die is missing");
            self.problems.push(problem.at(kind.span, "of which size?").help("give its size: `create die(size: 6) in …`"));
        }
        let size = values.iter().find_map(|(field, value, _)| match (field, value) {
            (&DIE_SIZE, Expr::Constant(size)) => Some(*size),
            _ => None,
        });
        for (field, value, span) in &values {
            self.expect_in_range(found, *field, value, size.unwrap_or(0), *span);
        }
        let fields = values.into_iter().map(|(field, value, _)| (field, value)).collect();
        let zone = self.zone_for(zone, &Type::Entity(found));
        let on_table = matches!(&zone, Expr::Zone { of, .. } if matches!(**of, Expr::Table));
        self.program.shared |= on_table && owner.is_some();
        let owner = owner.map_or(Expr::Constant(NONE), |owner| self.expect(owner, &Type::side()));
        // A die with its own faces counts as a die.
        let of = if faces.is_some() { self.program.die.unwrap_or(found) } else { found };
        let slot = name.map(|name| self.add_slot(&name.text, Type::Entity(of)));
        let filled = Is::Filled(Expr::ZoneList(Box::new(zone.clone())));
        let code = CreateCode { kind: found, fields, zone, owner, slot };
        self.emit(Instruction::Create(Box::new(code)), span, cites);
        self.function.presence.forget(&Changes::board());
        self.learn_for_good(vec![filled]);
    }

    fn piece_kind(&self, name: &str) -> Option<KindId> {
        self.symbols.id(Sort::Kind, name).filter(|kind| self.program.kind(*kind).sort == KindSort::Piece)
    }

    fn mark_named(&mut self, name: &Name) -> Option<u16> {
        let found = self.symbols.mark(&name.text);
        if found.is_none() {
            self.unresolved(name);
        }
        found
    }

    /// Finds a procedure declared with `scope`.
    pub(super) fn scope_named(&mut self, name: &Name) -> Option<u16> {
        let found = self.symbols.procedure(&name.text).filter(|found| self.program.procedures[*found as usize].scope);
        if found.is_none() {
            self.unresolved(name);
        }
        found
    }

    /// Checks that a mark with effects is set on things of its kind.
    fn expect_bearer(&mut self, mark: u16, item: &Type, span: Span) {
        let info = &self.program.marks[mark as usize];
        let live = !self.symbols.mark_parts[mark as usize].0.is_empty() || !self.symbols.mark_parts[mark as usize].1.is_empty();
        let wanted = Type::Entity(info.kind);
        if live && *item != wanted && *item != Type::Unknown {
            let message =
                format!("`{}` is a mark of {}, but this is {}", info.name, self.type_words(&wanted), self.type_words(item));
            self.complain(codes::WRONG_TYPE, message, span, "cannot bear it");
        }
    }

    fn until(&mut self, until: &Until) -> Option<UntilCode> {
        match until {
            Until::End { next, scope, of } => {
                let procedure = self.scope_named(scope)?;
                let of = of.as_ref().map(|of| self.expect(of, &Type::side()));
                Some(UntilCode { procedure, next: *next, of })
            }
            Until::Leaves => None,
        }
    }

    fn do_(&mut self, name: &Name, args: Option<&[Written]>, result: Option<&Name>, span: Span, cites: &[Cite]) {
        if args.is_none()
            && let Some(local) = self.local(&name.text).cloned()
        {
            let Meaning::Slot(slot) = local.meaning else { return };
            let value = Expr::Local(slot);
            let of = self.as_known(&value, local.of);
            self.expect_move(&name.text, &value, &of, name.span);
            self.emit(Instruction::DoMove { value }, span, cites);
            return;
        }
        if let Some((value, of)) = self.answer_of(name, args.unwrap_or(&[])) {
            let of = self.as_known(&value, of);
            let (value, of) = self.owed(value, of);
            self.expect_move(&name.text, &value, &of, name.span);
            self.emit(Instruction::DoMove { value }, span, cites);
            return;
        }
        let Some(procedure) = self.symbols.procedure(&name.text) else {
            return self.unresolved(name);
        };
        let (_, params, gives, _) = &self.symbols.procedures[procedure as usize];
        let (params, gives) = (params.clone(), gives.clone());
        let arguments = self.arguments(&name.text, args.unwrap_or(&[]), &params, name.span);
        if self.can_be_in_place(procedure) && arguments.len() == params.len() && result.is_none() {
            self.put_in_place(procedure, arguments, span);
            return;
        }
        let result = result.map(|result| {
            if gives == Type::None {
                self.complain(codes::WRONG_TYPE, format!("`{}` gives nothing", name.text), result.span, "gets nothing");
            }
            self.answer_slot(result, gives.clone())
        });
        self.emit(Instruction::Call { procedure, arguments, result }, span, cites);
    }

    /// Reports a `do` of something that is not a move.
    fn expect_move(&mut self, name: &str, value: &Expr, of: &Type, span: Span) {
        if !matches!(of.certain(), Type::Move(_) | Type::Moves(_) | Type::Unknown) {
            let words = self.type_words(of);
            self.complain(codes::WRONG_TYPE, format!("only a move can be done, but `{name}` is {words}"), span, "not a move");
        } else if let Type::OrNone(inner) = of {
            self.may_be_none(value, inner, span, format!("test it first: `if {name} is not none {{ do {name} }}`"));
        }
    }

    /// Compiles `roll 6 d6 as shown`.
    fn roll_pool(
        &mut self,
        count: &Written,
        size: &Written,
        reason: Option<&Text>,
        name: Option<&Name>,
        span: Span,
        cites: &[Cite],
    ) {
        let (count, size) = (self.number(count), self.number(size));
        let reason = reason.map(|reason| self.text(reason));
        let results = Type::Number.list();
        let slot = match name {
            Some(name) => self.answer_slot(name, results),
            None => {
                let problem =
                    Problem::error(codes::WRONG_TYPE, "the results of dice that are not pieces need a name");
                self.problems.push(problem.at(span, "here").help("name the list of results, as in `roll 6 d6 as shown`"));
                return;
            }
        };
        self.emit(Instruction::RollPool { count, size, reason, slot }, span, cites);
    }

    /// The slot that `as name` fills: an existing one if the types agree, or a new one.
    pub(super) fn answer_slot(&mut self, name: &Name, of: Type) -> Slot {
        if let Some(local) = self.local(&name.text).cloned()
            && let Meaning::Slot(slot) = local.meaning
            && (local.of == of || self.function.unsure.contains(&(slot, of.clone())))
            && self.receivers(&name.text).is_none()
        {
            if of.is_list() {
                self.keep_lists(slot, &of);
            }
            self.function.presence.put(slot, !matches!(of, Type::OrNone(_)));
            return slot;
        }
        self.add_slot(&name.text, of)
    }
}
