//! Statements: each becomes one or a few coarse instructions.

use super::expressions::{constant_condition, members_of};
use super::{Compiler, Loop, Meaning};
use crate::codes;
use crate::language::symbols::not_yet;
use crate::language::syntax::{
    Amount, Ask, AskWhat, Block, Cite, EventName, Expr as Written, ExprKind, FinishWith, Name, OpenArm, Statement, StatementKind,
    Text, Until, ZoneEnd,
};
use crate::language::types::Type;
use crate::problem::Problem;
use crate::program::{
    Address, AskAtOnceCode, AskCode, AskCodeWhat, Comparison, DIE_SIZE, Expr, Instruction, NONE, Naming, OpenCode, RoleAmount,
    Slot, Tidy, UntilCode, Value,
};
use crate::source::Span;

impl Compiler<'_> {
    pub(super) fn compile_procedure(&mut self, index: usize) {
        let (procedure, params, gives, span) = &self.symbols.procedures[index];
        self.begin_function();
        self.function.procedure = Some(index as u16);
        self.function.gives = Some(gives.clone());
        for (param, of) in procedure.params.iter().zip(params) {
            self.add_slot(&param.name.text, of.clone());
        }
        if procedure.params.len() > 8 {
            self.complain(codes::NOT_YET, "a procedure takes at most 8 arguments", *span, "more than 8");
        }
        self.program.procedures[index].start = self.here();
        self.block(&procedure.body);
        self.emit(Instruction::Return { value: None }, *span, &[]);
        self.program.procedures[index].slots = self.function.most_slots;
    }

    /// A block of its own, ending with a return. Its address.
    pub(super) fn separate_block(&mut self, block: &Block, span: Span) -> Address {
        let start = self.here();
        // The block runs in a frame of its own, so that it cannot leave a loop around it.
        let loops = std::mem::take(&mut self.function.loops);
        self.block(block);
        self.function.loops = loops;
        self.emit(Instruction::Return { value: None }, span, &[]);
        start
    }

    fn block(&mut self, block: &Block) {
        self.in_block(|compiler| block.statements.iter().for_each(|statement| compiler.statement(statement)));
    }

    fn statement(&mut self, statement: &Statement) {
        let (span, cites) = (statement.span, statement.cites.as_slice());
        match &statement.kind {
            StatementKind::Let { name, value } => self.let_(name, value, span, cites),
            StatementKind::Set { place, value, event } => self.set(place, value, event.as_ref(), span, cites),
            StatementKind::Add { place, value, less, event } => self.add(place, value, *less, event.as_ref(), span, cites),
            StatementKind::Move { what, to, end, event } => {
                let (what, _) = self.list(what);
                let to = self.zone(to);
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
                        "only for dice that are no pieces",
                    );
                }
                let (what_expr, item) = self.list(what);
                if !matches!(item, Type::Unknown) && self.program.die.map(Type::Entity) != Some(item.clone()) {
                    let words = self.type_words(&item);
                    self.complain(
                        codes::WRONG_TYPE,
                        format!("only dice can be rolled, but this is {words}"),
                        what.span,
                        "no dice",
                    );
                }
                let reason = reason.as_ref().map(|reason| self.text(reason));
                self.emit(Instruction::Roll { what: what_expr, reason }, span, cites);
            }
            StatementKind::Shuffle { zone } => {
                let zone = self.zone(zone);
                self.emit(Instruction::Shuffle { zone }, span, cites);
            }
            StatementKind::Create { kind, fields, zone, owner, name } => {
                self.create(kind, fields, zone, owner.as_ref(), name.as_ref(), span, cites)
            }
            StatementKind::Remove { what } => {
                let (what, _) = self.list(what);
                self.emit(Instruction::Remove { what }, span, cites);
            }
            StatementKind::Mark { what, mark, fields, until } => {
                if !fields.is_empty() {
                    self.problems.push(not_yet("a mark with fields", span));
                }
                let (what, _) = self.list(what);
                let Some(mark) = self.mark_named(mark) else { return };
                let until = until.as_ref().and_then(|until| self.until(until));
                self.emit(Instruction::Mark { what, mark, until }, span, cites);
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
                        "nothing is given back here: the procedure does not say what it gives",
                        span,
                        "gives something",
                    );
                }
                let value = self.expect(value, &wanted);
                self.emit(Instruction::Return { value: Some(value) }, span, cites);
            }
            StatementKind::Open { hook, args, first, after_use, arms } => {
                self.open(hook, args, first.as_ref(), after_use.as_ref(), arms, span, cites)
            }
            StatementKind::Say { text, to } => {
                if to.is_some() {
                    self.problems.push(not_yet("saying something to one seat only", span));
                }
                let text = self.text(text);
                self.emit(Instruction::Say { text, to: None }, span, cites);
            }
            StatementKind::Finish { with } => {
                let (winners, text) = match with {
                    FinishWith::Winners(winners) => {
                        let (list, item) = self.list(winners);
                        if !matches!(item, Type::Unknown) && item != Type::side() {
                            self.complain(codes::WRONG_TYPE, "only sides can win", winners.span, "no side");
                        }
                        (Some(list), None)
                    }
                    FinishWith::Nobody(text) => (None, text.as_ref().map(|text| self.text(text))),
                };
                self.emit(Instruction::Finish { winners, text }, span, cites);
            }
            StatementKind::Answer { word } => self.answer(word, span, cites),
            StatementKind::RestoreUses { scope } => {
                if let Some(scope) = self.scope_named(scope) {
                    self.emit(Instruction::RestoreUses { scope }, span, cites);
                }
            }
            StatementKind::Ask(ask) => self.ask(ask, span, cites),
            StatementKind::Together { .. } => self.problems.push(not_yet("`together`", span)),
            StatementKind::Show { .. } => self.problems.push(not_yet("`show`", span)),
        }
    }

    fn let_(&mut self, name: &Name, value: &Written, span: Span, cites: &[Cite]) {
        let (value, of) = self.expression(value);
        let (value, of) = match of {
            Type::Zone(_) | Type::None => {
                if of == Type::None {
                    self.complain(
                        codes::WRONG_TYPE,
                        format!("what `{}` may be cannot be seen from `none`", name.text),
                        span,
                        "needs a value",
                    );
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
                    format!("`{name}` is given to this definition and cannot be set"),
                    place.span,
                    "cannot be set",
                );
                return;
            };
            let value = self.expect(value, &local.of);
            if local.of.is_list() {
                self.keep_lists(slot, &local.of);
            }
            self.emit(Instruction::Let { slot, value, list: local.of.is_list() }, span, cites);
            return;
        }
        let Some((of, field, wanted)) = self.field_place(place) else { return };
        let value = self.expect(value, &wanted);
        let naming = self.naming(event);
        self.emit(Instruction::Set { of, field, value, naming }, span, cites);
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
        let Some((of, field, wanted)) = self.field_place(place) else { return };
        if !wanted.is_number() {
            let words = self.type_words(&wanted);
            self.complain(
                codes::CANNOT_SET,
                format!("only a number can be added to, but this is {words}"),
                place.span,
                "no number",
            );
        }
        let value = minus(self.expect(value, &wanted));
        let naming = self.naming(event);
        self.emit(Instruction::Add { of, field, value, naming }, span, cites);
    }

    /// The entity and field that a place names.
    fn field_place(&mut self, place: &Written) -> Option<(Expr, u16, Type)> {
        let (expr, of) = self.expression(place);
        match expr {
            Expr::Field { of: owner, field } => Some((*owner, field, of)),
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

    fn naming(&mut self, event: Option<&EventName>) -> Naming {
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
        let Some(found) = self.program.kinds.iter().position(|k| k.name == kind.text) else {
            let problem = Problem::error(codes::UNKNOWN_TYPE, format!("there is no kind of piece called `{}`", kind.text));
            let known: Vec<String> = self.program.kinds.iter().map(|kind| kind.name.clone()).collect();
            self.problems.push(problem.at(kind.span, "not declared").suggest(&kind.text, known.iter().map(String::as_str)));
            return;
        };
        let mut values = Vec::new();
        let faces = self.program.faces_of(found as u16).map(|faces| faces.values.len());
        for (field, value) in fields {
            match self.symbols.field(found as u16, &field.text) {
                Some((DIE_SIZE, _)) if faces.is_some() => {
                    let message = format!("a {} has {} faces, so its size is not given", kind.text, faces.unwrap_or(0));
                    self.complain(codes::UNKNOWN_FIELD, message, field.span, "leave this out");
                }
                Some((index, of)) => values.push((index, self.expect(value, &of))),
                None => self.complain(
                    codes::UNKNOWN_FIELD,
                    format!("a {} has nothing called `{}`", kind.text, field.text),
                    field.span,
                    "not known",
                ),
            }
        }
        let zone = self.zone(zone);
        let on_table = matches!(&zone, Expr::Zone { of, .. } if matches!(**of, Expr::Table));
        self.program.shared |= on_table && owner.is_some();
        let owner = owner.map_or(Expr::Constant(NONE), |owner| self.expect(owner, &Type::side()));
        // A die with faces of its own is a die to everything that asks for one.
        let of = if faces.is_some() { self.program.die.unwrap_or(found as u16) } else { found as u16 };
        let slot = name.map(|name| self.add_slot(&name.text, Type::Entity(of)));
        self.emit(Instruction::Create { kind: found as u16, fields: values, zone, owner, slot }, span, cites);
    }

    fn mark_named(&mut self, name: &Name) -> Option<u16> {
        let found = self.symbols.mark(&name.text);
        if found.is_none() {
            let problem =
                Problem::error(codes::UNKNOWN_MARK, format!("there is no mark `{}`", name.text)).at(name.span, "not declared");
            self.problems.push(problem.suggest(&name.text, self.symbols.marks.iter().map(|mark| mark.name.as_str())));
        }
        found
    }

    /// A procedure declared with `scope`.
    pub(super) fn scope_named(&mut self, name: &Name) -> Option<u16> {
        let found = self.symbols.procedure(&name.text);
        let scopes: Vec<String> = self.program.procedures.iter().filter(|p| p.scope).map(|p| p.name.clone()).collect();
        match found {
            Some(procedure) if self.program.procedures[procedure as usize].scope => Some(procedure),
            _ => {
                let problem =
                    Problem::error(codes::UNKNOWN_PROCEDURE, format!("`{}` is no scope", name.text)).at(name.span, "not a scope");
                self.problems.push(problem.suggest(&name.text, scopes.iter().map(String::as_str)));
                None
            }
        }
    }

    fn until(&mut self, until: &Until) -> Option<UntilCode> {
        match until {
            Until::End { next, scope, of } => {
                let procedure = self.scope_named(scope)?;
                let of = of.as_ref().map(|of| self.expect(of, &Type::side()));
                Some(UntilCode { procedure, next: *next, of })
            }
            Until::Leaves(span) => {
                self.problems.push(not_yet("`until it leaves`", *span));
                None
            }
        }
    }

    fn do_(&mut self, name: &Name, args: Option<&[Written]>, result: Option<&Name>, span: Span, cites: &[Cite]) {
        if args.is_none()
            && let Some(local) = self.local(&name.text).cloned()
        {
            let Meaning::Slot(slot) = local.meaning else { return };
            self.expect_move(&name.text, &local.of, name.span);
            self.emit(Instruction::DoMove { value: Expr::Local(slot) }, span, cites);
            return;
        }
        if let Some((value, of)) = self.answer_of(name, args.unwrap_or(&[])) {
            self.expect_move(&name.text, &of, name.span);
            self.emit(Instruction::DoMove { value }, span, cites);
            return;
        }
        let Some(procedure) = self.symbols.procedure(&name.text) else {
            let problem = Problem::error(codes::UNKNOWN_PROCEDURE, format!("there is no procedure `{}`", name.text))
                .at(name.span, "not declared");
            self.problems.push(problem.suggest(&name.text, self.symbols.procedures.iter().map(|(p, ..)| p.name.text.as_str())));
            return;
        };
        let (_, params, gives, _) = &self.symbols.procedures[procedure as usize];
        let (params, gives) = (params.clone(), gives.clone());
        let arguments = self.arguments(&name.text, args.unwrap_or(&[]), &params, name.span);
        let result = result.map(|result| {
            if gives == Type::None {
                self.complain(codes::WRONG_TYPE, format!("`{}` gives nothing", name.text), result.span, "gets nothing");
            }
            self.answer_slot(result, gives.clone())
        });
        self.emit(Instruction::Call { procedure, arguments, result }, span, cites);
    }

    /// Complains of what is to be done but is no move.
    fn expect_move(&mut self, name: &str, of: &Type, span: Span) {
        if !matches!(of.certain(), Type::Move(_) | Type::Unknown) {
            let words = self.type_words(of);
            self.complain(codes::WRONG_TYPE, format!("only a move can be done, but `{name}` is {words}"), span, "no move");
        }
    }

    /// `roll 6 d6 as shown`
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
                    Problem::error(codes::WRONG_TYPE, "dice that are no pieces are rolled, but nobody learns what they show");
                self.problems.push(problem.at(span, "here").help("name the list of results, as in `roll 6 d6 as shown`"));
                return;
            }
        };
        self.emit(Instruction::RollPool { count, size, reason, slot }, span, cites);
    }

    /// The slot that `as name` fills: one known already if the types agree, or a new one.
    fn answer_slot(&mut self, name: &Name, of: Type) -> Slot {
        if let Some(local) = self.local(&name.text).cloned()
            && local.of == of
            && let Meaning::Slot(slot) = local.meaning
        {
            if of.is_list() {
                self.keep_lists(slot, &of);
            }
            return slot;
        }
        self.add_slot(&name.text, of)
    }

    // --- flow --------------------------------------------------------------------

    fn if_(&mut self, arms: &[(Written, Block)], otherwise: Option<&Block>, span: Span, cites: &[Cite]) {
        let mut to_end = Vec::new();
        for (condition, block) in arms {
            let lowered = self.condition(condition);
            // Options are fixed for a program: what can never happen is left out.
            match constant_condition(&lowered) {
                Some(false) => continue,
                Some(true) => {
                    self.block(block);
                    to_end.into_iter().for_each(|jump| self.land(jump));
                    return;
                }
                None => {}
            }
            let skip = self.emit(Instruction::JumpUnless { condition: lowered, to: 0 }, condition.span, cites);
            to_end.push(self.arm(block, skip, span));
        }
        self.last_arm(otherwise, to_end);
    }

    /// The block of one arm, then a jump to the end of all; the next arm begins behind it.
    fn arm(&mut self, block: &Block, skip: Address, span: Span) -> Address {
        self.block(block);
        let to_end = self.emit(Instruction::Jump(0), span, &[]);
        self.land(skip);
        to_end
    }

    fn last_arm(&mut self, otherwise: Option<&Block>, to_end: Vec<Address>) {
        if let Some(block) = otherwise {
            self.block(block);
        }
        to_end.into_iter().for_each(|jump| self.land(jump));
    }

    fn each(&mut self, name: &Name, set: &Written, body: &Block, span: Span, cites: &[Cite]) {
        let (list, item) = self.list(set);
        self.walk(name, list, item, body, span, cites);
    }

    /// Does a block for each member of a list, which stands in the name.
    fn walk(&mut self, name: &Name, list: Expr, item: Type, body: &Block, span: Span, cites: &[Cite]) {
        self.in_block(|compiler| {
            let slot = compiler.new_slot();
            compiler.new_slot();
            compiler.new_slot();
            compiler.emit(Instruction::EachBegin { list, slot }, span, cites);
            let start = compiler.here();
            compiler.begin_loop();
            let variable = compiler.add_slot(&name.text, item);
            let next = compiler.emit(Instruction::EachNext { slot, variable, end: 0, tidy: Tidy::Nothing }, span, &[]);
            compiler.block(body);
            compiler.end_loop(start, next, span);
        });
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one statement")]
    fn count_(&mut self, name: &Name, from: &Written, to: &Written, down: bool, body: &Block, span: Span, cites: &[Cite]) {
        let (from, to) = (self.number(from), self.number(to));
        let list = if down {
            Expr::Sorted { down: true, list: Box::new(Expr::Range(Box::new(to), Box::new(from))) }
        } else {
            Expr::Range(Box::new(from), Box::new(to))
        };
        self.walk(name, list, Type::Number, body, span, cites);
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one statement")]
    fn repeat(
        &mut self,
        most: Option<&Written>,
        exactly: bool,
        until: Option<&Written>,
        body: &Block,
        otherwise: Option<&Block>,
        span: Span,
        cites: &[Cite],
    ) {
        let Some(most) = most else {
            let problem = Problem::error(codes::CAP_MISSING, "this could go on for ever").at(span, "no limit");
            self.problems.push(
                problem.help(
                    "say how often at most, as in `repeat at most 100 times until …`, and what then with `otherwise { … }`",
                ),
            );
            return;
        };
        let most = self.number(most);
        self.in_block(|compiler| {
            let slot = compiler.new_slot();
            compiler.new_slot();
            compiler.emit(Instruction::RepeatBegin { slot }, span, cites);
            let start = compiler.here();
            compiler.begin_loop();
            // The end is looked at before the cap, so that reaching both counts as the end.
            if let Some(until) = until {
                let condition = compiler.condition(until);
                let done = compiler.emit(
                    Instruction::JumpUnless { condition: Expr::Not(Box::new(condition)), to: 0 },
                    until.span,
                    cites,
                );
                if let Some(open) = compiler.function.loops.last_mut() {
                    open.to_end.push(done);
                }
            }
            let next = compiler.emit(Instruction::RepeatNext { slot, most, end: 0, tidy: Tidy::Nothing }, span, &[]);
            compiler.block(body);
            let back = compiler.emit(Instruction::Jump(start), span, &[]);
            let open = compiler.function.loops.pop().unwrap_or_default();
            for jump in &open.to_next {
                compiler.patch(*jump, start);
            }
            compiler.set_tidy(next, &open);
            compiler.pass_on_keeping(&open);
            debug_assert_eq!(back + 1, compiler.here());
            compiler.land(next);
            match otherwise {
                Some(block) => compiler.block(block),
                None if exactly => {}
                None => {
                    compiler.emit(Instruction::CapReached, span, cites);
                }
            }
            open.to_end.into_iter().for_each(|jump| compiler.land(jump));
        });
    }

    fn begin_loop(&mut self) {
        let first_slot = self.function.next_slot;
        self.function.loops.push(Loop { first_slot, ..Loop::default() });
    }

    fn end_loop(&mut self, start: Address, next: Address, span: Span) {
        self.emit(Instruction::Jump(start), span, &[]);
        let open = self.function.loops.pop().unwrap_or_default();
        for jump in &open.to_next {
            self.patch(*jump, start);
        }
        self.set_tidy(next, &open);
        self.pass_on_keeping(&open);
        self.land(next);
        open.to_end.into_iter().for_each(|jump| self.land(jump));
    }

    /// A list that an inner loop keeps, an outer one must keep too if it lives outside both.
    fn pass_on_keeping(&mut self, inner: &Loop) {
        if let Some(outer) = self.function.loops.last_mut() {
            outer.keeps_all |= inner.keeps_all;
            for slot in inner.kept.iter().filter(|slot| **slot < outer.first_slot) {
                if !outer.kept.contains(slot) {
                    outer.kept.push(*slot);
                }
            }
        }
    }

    fn set_tidy(&mut self, at: Address, open: &Loop) {
        if let Some(Instruction::EachNext { tidy, .. } | Instruction::RepeatNext { tidy, .. }) =
            self.program.code.get_mut(at as usize)
        {
            *tidy = match () {
                () if open.keeps_all => Tidy::Nothing,
                () if open.kept.is_empty() => Tidy::All,
                () => Tidy::But(open.kept.clone()),
            };
        }
    }

    fn patch(&mut self, jump: Address, target: Address) {
        if let Some(Instruction::Jump(to)) = self.program.code.get_mut(jump as usize) {
            *to = target;
        }
    }

    /// Notes that a list is put in a slot: open loops around that slot's block must not tidy it away.
    fn keep_lists(&mut self, slot: Slot, of: &Type) {
        let flat = matches!(of.certain(), Type::List(item) if !item.is_list());
        if let Some(open) = self.function.loops.last_mut()
            && slot < open.first_slot
        {
            open.keeps_all |= !flat;
            if !open.kept.contains(&slot) {
                open.kept.push(slot);
            }
        }
    }

    fn leave(&mut self, end: bool, span: Span, cites: &[Cite]) {
        if self.function.loops.is_empty() {
            let word = if end { "leave" } else { "skip" };
            self.complain(codes::STOP_OUTSIDE, format!("`{word}` stands outside every loop"), span, "no loop around");
            return;
        }
        let jump = self.emit(Instruction::Jump(0), span, cites);
        if let Some(open) = self.function.loops.last_mut() {
            if end { open.to_end.push(jump) } else { open.to_next.push(jump) }
        }
    }

    fn depending(&mut self, on: &Written, arms: &[(Name, Block)], otherwise: Option<&Block>, span: Span, cites: &[Cite]) {
        let (value, of) = self.expression(on);
        let Type::Word(words) = of else {
            if of != Type::Unknown {
                let found = self.type_words(&of);
                self.complain(
                    codes::WRONG_TYPE,
                    format!("`depending on` looks at one of several words, but this is {found}"),
                    on.span,
                    "no word",
                );
            }
            return;
        };
        let list = self.program.words[words as usize].words.clone();
        let missing: Vec<String> = list
            .iter()
            .filter(|word| !arms.iter().any(|(name, _)| name.text == **word))
            .map(|word| format!("`{word}`"))
            .collect();
        if !missing.is_empty() && otherwise.is_none() {
            let problem =
                Problem::error(codes::ELSE_MISSING, format!("nothing is said for {}", crate::problem::joined(&missing, "and")));
            self.problems.push(problem.at(span, "here").help("add the missing words, or `otherwise { … }`"));
        }
        let mut to_end = Vec::new();
        for (name, block) in arms {
            let Some(index) = list.iter().position(|word| *word == name.text) else {
                let problem = Problem::error(codes::UNKNOWN_NAME, format!("`{}` is none of the words", name.text))
                    .at(name.span, "not known");
                self.problems.push(problem.suggest(&name.text, list.iter().map(String::as_str)));
                continue;
            };
            let condition = Expr::Compare(Comparison::Equal, Box::new(value.clone()), Box::new(Expr::Constant(index as Value)));
            let skip = self.emit(Instruction::JumpUnless { condition, to: 0 }, name.span, cites);
            to_end.push(self.arm(block, skip, span));
        }
        self.last_arm(otherwise, to_end);
    }

    fn stop(&mut self, name: Option<&Name>, span: Span, cites: &[Cite]) {
        let procedure = match name {
            None => self.function.procedure,
            Some(name) => {
                let found = self.symbols.procedure(&name.text);
                if found.is_none() {
                    let problem =
                        Problem::error(codes::UNKNOWN_PROCEDURE, format!("there is no procedure `{}` to stop", name.text));
                    self.problems.push(
                        problem
                            .at(name.span, "not declared")
                            .suggest(&name.text, self.symbols.procedures.iter().map(|(p, ..)| p.name.text.as_str())),
                    );
                }
                found
            }
        };
        match procedure {
            Some(procedure) => {
                self.emit(Instruction::Stop { procedure }, span, cites);
            }
            None if name.is_none() => {
                self.emit(Instruction::Return { value: None }, span, cites);
            }
            None => {}
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one statement")]
    fn open(
        &mut self,
        hook: &Name,
        args: &[Written],
        first: Option<&Written>,
        after_use: Option<&Block>,
        arms: &[OpenArm],
        span: Span,
        cites: &[Cite],
    ) {
        let Some(found) = self.hook_named(hook) else { return };
        let (declared, params, _) = &self.symbols.hooks[found as usize];
        let (answers, params) = (declared.answers.clone(), params.clone());
        if declared.value.is_some() {
            self.complain(
                codes::WRONG_TYPE,
                format!("`{}` is a value that modifiers change, not a moment to open", hook.text),
                hook.span,
                "a value",
            );
        }
        let arguments = self.arguments(&hook.text, args, &params, hook.span);
        let first = first.map(|first| self.expect(first, &Type::side().or_none()));
        let code = OpenCode { hook: found, arguments, first, without_offers: false, after_use: None, arms: Vec::new(), next: 0 };
        let at = self.emit(Instruction::Open(Box::new(code)), span, cites);
        let after_use = after_use.map(|block| self.separate_block(block, span));
        let mut addresses = Vec::new();
        let mut to_end = Vec::new();
        for answer in answers.iter().map(Some).chain([None]) {
            let arm = arms.iter().find(|arm| arm.answer.as_ref().map(|name| &name.text) == answer.map(|answer| &answer.text));
            addresses.push(arm.map(|_| self.here()));
            match (arm, answer) {
                (Some(arm), _) => {
                    self.block(&arm.body);
                    to_end.push(self.emit(Instruction::Jump(0), arm.span, &[]));
                }
                (None, Some(answer)) => {
                    let problem =
                        Problem::error(codes::ELSE_MISSING, format!("nothing is said for the answer `{}`", answer.text));
                    self.problems.push(
                        problem
                            .at(span, "opened here")
                            .at(answer.span, "declared here")
                            .help(format!("add `when {} {{ … }}`", answer.text)),
                    );
                }
                (None, None) => {}
            }
        }
        for arm in arms {
            if let Some(name) = &arm.answer
                && !answers.iter().any(|answer| answer.text == name.text)
            {
                let problem = Problem::error(codes::UNKNOWN_NAME, format!("`{}` is no answer of `{}`", name.text, hook.text));
                self.problems.push(
                    problem.at(name.span, "not declared").suggest(&name.text, answers.iter().map(|answer| answer.text.as_str())),
                );
            }
        }
        let next = self.here();
        to_end.into_iter().for_each(|jump| self.land(jump));
        if let Some(Instruction::Open(code)) = self.program.code.get_mut(at as usize) {
            code.after_use = after_use;
            code.arms = addresses.into_iter().map(|address| address.unwrap_or(next)).collect();
            code.next = next;
        }
    }

    pub(super) fn hook_named(&mut self, name: &Name) -> Option<u16> {
        let found = self.symbols.hook(&name.text);
        if found.is_none() {
            let problem =
                Problem::error(codes::UNKNOWN_HOOK, format!("there is no hook `{}`", name.text)).at(name.span, "not declared");
            self.problems.push(problem.suggest(&name.text, self.symbols.hooks.iter().map(|(hook, ..)| hook.name.text.as_str())));
        }
        found
    }

    fn answer(&mut self, word: &Name, span: Span, cites: &[Cite]) {
        let answers: Vec<&Name> = self.symbols.hooks.iter().flat_map(|(hook, ..)| &hook.answers).collect();
        match answers.iter().any(|answer| answer.text == word.text) {
            true => {
                let words = &mut self.program.answers;
                let index = words.iter().position(|known| *known == word.text).unwrap_or_else(|| {
                    words.push(word.text.clone());
                    words.len() - 1
                });
                self.emit(Instruction::Answer { word: index as u16 }, span, cites);
            }
            false => {
                let problem = Problem::error(codes::UNKNOWN_NAME, format!("no hook has the answer `{}`", word.text))
                    .at(word.span, "not declared");
                self.problems.push(problem.suggest(&word.text, answers.iter().map(|answer| answer.text.as_str())));
            }
        }
    }

    // --- asking ------------------------------------------------------------------

    fn ask(&mut self, ask: &Ask, span: Span, cites: &[Cite]) {
        match &ask.at_once {
            None => {
                let (who, of) = self.expression(&ask.who);
                self.asked_kind(&of, ask.who.span);
                let Some((what, answer)) = self.ask_what(ask) else { return };
                self.ask_one(ask, who, what, answer, span, cites);
            }
            Some((name, secret)) => {
                if ask.otherwise.is_some() || ask.during.is_some() || ask.pass_text.is_some() {
                    self.problems.push(not_yet("`else`, `during` or a second text in a question to several at once", span));
                }
                let (set, item) = self.list(&ask.who);
                self.asked_kind(&item, ask.who.span);
                let mut made = None;
                let (variable, least) = (self.function.next_slot, self.function.locals.len());
                self.add_slot(&name.text, item.clone());
                if let Some((what, answer)) = self.ask_what(ask) {
                    let prompt = ask.prompt.as_ref().map(|prompt| self.text(prompt));
                    made = Some((what, answer, prompt));
                }
                self.function.locals.truncate(least);
                let Some((what, answer, prompt)) = made else { return };
                // Some answers can always be given; of things or moves there may be none.
                let always =
                    ask.must && matches!(answer, Type::Number | Type::Word(_)) || matches!(answer, Type::Flag | Type::List(_));
                let list = if always { answer.list() } else { answer.or_none().list() };
                let (slot, members) = match &ask.name {
                    Some(name) => {
                        let members = Name { text: members_of(&name.text), span: name.span };
                        (self.answer_slot(name, list), self.answer_slot(&members, item.list()))
                    }
                    None => (self.new_slot(), self.new_slot()),
                };
                let code = AskCode {
                    who: Expr::Local(variable),
                    must: ask.must,
                    what,
                    during: None,
                    zones: None,
                    slot,
                    prompt,
                    pass_text: None,
                    otherwise: None,
                };
                let code = AskAtOnceCode { set, variable, secret: *secret, ask: code, members };
                self.emit(Instruction::AskAtOnce(Box::new(code)), span, cites);
            }
        }
    }

    fn asked_kind(&mut self, of: &Type, span: Span) {
        if !matches!(of.certain(), Type::Entity(_) | Type::Unknown) {
            let words = self.type_words(of);
            self.complain(
                codes::WRONG_TYPE,
                format!("only a side, or something that belongs to one, can be asked, but this is {words}"),
                span,
                "cannot be asked",
            );
        }
    }

    fn ask_one(&mut self, ask: &Ask, who: Expr, what: AskCodeWhat, answer: Type, span: Span, cites: &[Cite]) {
        let families = matches!(what, AskCodeWhat::Families(_));
        if ask.must && families && ask.otherwise.is_none() {
            let problem = Problem::error(codes::ELSE_MISSING, "what if there is no move to choose?").at(span, "no `else`");
            self.problems.push(problem.help("add `else { … }`: it is done when nothing can be chosen"));
        }
        let during = ask.during.as_ref().and_then(|(hook, arguments)| {
            let found = self.hook_named(hook)?;
            let params = self.symbols.hooks[found as usize].1.clone();
            Some((found, self.arguments(&hook.text, arguments, &params, hook.span)))
        });
        if let Some((hook, arguments)) = &during {
            let next = self.here() + 1;
            let arms = vec![next; self.program.hooks[*hook as usize].answers.len() + 1];
            let code = OpenCode {
                hook: *hook,
                arguments: arguments.clone(),
                first: None,
                without_offers: true,
                after_use: None,
                arms,
                next,
            };
            self.emit(Instruction::Open(Box::new(code)), span, cites);
        }
        let prompt = ask.prompt.as_ref().map(|prompt| self.text(prompt));
        let pass_text = ask.pass_text.as_ref().map(|text| self.text(text));
        let of = match &what {
            _ if !ask.must || matches!(what, AskCodeWhat::Among { amount: RoleAmount::OneOrNone, .. }) => match answer {
                Type::Flag => Type::Flag,
                // Of several things none is the empty list.
                Type::List(item) => Type::List(item),
                answer if ask.otherwise.is_some() => answer,
                answer => answer.or_none(),
            },
            _ => answer,
        };
        let slot = match &ask.name {
            Some(name) => self.ask_slot(name, of),
            None => self.new_slot(),
        };
        let code = AskCode { who, must: ask.must, what, during, zones: None, slot, prompt, pass_text, otherwise: None };
        let at = self.emit(Instruction::Ask(Box::new(code)), span, cites);
        if let Some(block) = &ask.otherwise {
            let skip = self.emit(Instruction::Jump(0), span, &[]);
            let otherwise = self.here();
            self.block(block);
            self.land(skip);
            if let Some(Instruction::Ask(code)) = self.program.code.get_mut(at as usize) {
                code.otherwise = Some(otherwise);
            }
        }
    }

    /// The slot of an answer: an earlier name of the same type is filled again.
    fn ask_slot(&mut self, name: &Name, of: Type) -> Slot {
        if let Some(local) = self.local(&name.text).cloned()
            && local.of.certain() == of.certain()
            && let Meaning::Slot(slot) = local.meaning
        {
            if of.is_list() {
                self.keep_lists(slot, &of);
            }
            return slot;
        }
        self.add_slot(&name.text, of)
    }

    fn ask_what(&mut self, ask: &Ask) -> Option<(AskCodeWhat, Type)> {
        match &ask.what {
            AskWhat::Families(families) => self.ask_families(ask, families),
            AskWhat::Among { amount, set } => {
                let (list, item) = self.list(set);
                let (amount, several) = self.amount(amount);
                let answer = if several { item.clone().list() } else { item.clone() };
                Some((AskCodeWhat::Among { amount, set: list, item: item.shape() }, answer))
            }
            AskWhat::Number { least, most } => {
                let (least, most) = (self.number(least), self.number(most));
                let of = if ask.must { Type::Number } else { Type::Number.or_none() };
                Some((AskCodeWhat::Number { least, most }, of))
            }
            AskWhat::Word(name) => {
                let found = self.program.words.iter().position(|words| words.name == name.text);
                let Some(found) = found else {
                    let problem = Problem::error(codes::UNKNOWN_TYPE, format!("there is no type `{}` to choose from", name.text));
                    self.problems.push(
                        problem
                            .at(name.span, "not declared")
                            .suggest(&name.text, self.symbols.words.iter().map(|words| words.name.as_str())),
                    );
                    return None;
                };
                let of = Type::Word(found as u16);
                Some((AskCodeWhat::Word(found as u16), if ask.must { of } else { of.or_none() }))
            }
            AskWhat::YesNo => Some((AskCodeWhat::YesNo, Type::Flag)),
            AskWhat::Order(set) => {
                self.problems.push(not_yet("putting things in order", set.span));
                None
            }
            AskWhat::Divide { total, .. } => {
                self.problems.push(not_yet("dividing a total", total.span));
                None
            }
        }
    }

    fn ask_families(&mut self, ask: &Ask, families: &[(Name, Option<Vec<Written>>)]) -> Option<(AskCodeWhat, Type)> {
        let mut lowered = Vec::new();
        let mut answer = Type::Unknown;
        for (name, arguments) in families {
            let family = self.family_named(name)?;
            let params = self.symbols.families[family as usize].params.clone();
            let arguments = match arguments {
                Some(arguments) => {
                    let types: Vec<Type> = params.iter().map(|(_, of)| of.clone()).collect();
                    self.arguments(&name.text, arguments, &types, name.span)
                }
                None => self.family_arguments(ask, name, &params),
            };
            answer = Type::Move(family);
            lowered.push((family, arguments));
        }
        if families.len() > 1 {
            self.problems.push(not_yet("a choice from several families", ask.who.span));
        }
        Some((AskCodeWhat::Families(lowered), answer))
    }

    /// Arguments left out: the one who is asked, then what bears the parameter's name.
    fn family_arguments(&mut self, ask: &Ask, name: &Name, params: &[(String, Type)]) -> Vec<Expr> {
        let mut arguments = Vec::new();
        for (index, (param, of)) in params.iter().enumerate() {
            if index == 0 && *of == Type::side() {
                let (who, found) = match &ask.at_once {
                    Some((name, _)) => {
                        let written = Written { kind: ExprKind::Name(name.text.clone()), span: name.span };
                        self.expression(&written)
                    }
                    None => self.expression(&ask.who),
                };
                arguments.push(self.fit(who, found, of, ask.who.span));
                continue;
            }
            let written = Written { kind: ExprKind::Name(param.clone()), span: name.span };
            arguments.push(self.expect(&written, of));
        }
        arguments
    }

    /// An amount, and whether it makes a list.
    pub(super) fn amount(&mut self, amount: &Amount) -> (RoleAmount, bool) {
        match amount {
            Amount::One => (RoleAmount::One, false),
            Amount::Exactly(Written { kind: ExprKind::Number(1), .. }) => (RoleAmount::One, false),
            Amount::OneOrNone => (RoleAmount::OneOrNone, false),
            Amount::Exactly(count) => {
                let count = self.number(count);
                (RoleAmount::Some(count.clone(), Some(count)), true)
            }
            Amount::AtLeast(least) => (RoleAmount::Some(self.number(least), None), true),
            Amount::Between(least, most) => (RoleAmount::Some(self.number(least), Some(self.number(most))), true),
            Amount::Any => (RoleAmount::Some(Expr::Constant(0), None), true),
        }
    }
}
