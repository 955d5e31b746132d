//! Compiles declarations to a program: types and lowers every expression, and turns every statement into instructions.
//!
//! The submodules are parts of the compiler declared here, one for each sort of declaration. Expressions and statements
//! contain each other.
//!
//! A slot is a numbered cell for one value in the frame of running code. Each function (a procedure, an action, a clause, a
//! formula) numbers its slots from 0: `begin_function` starts one, and its parameters get the first slots. Facts are
//! values that are certainly not `none` and lists that are certainly not empty at the current point of the code; tests add facts,
//! and changes drop them. In all submodules, `Expr` is a compiled expression, and `Written` is one of the syntax tree.

mod abilities;
mod ability_works;
mod actions;
mod advice;
mod aggregates;
mod boards;
mod builtins;
mod calls;
mod changes;
mod divided_totals;
mod endless;
mod entries;
mod expressions;
mod flow;
mod fuse;
mod inline;
mod lists;
mod marks;
mod names;
mod needs;
mod operators;
mod owners;
mod pairings;
mod parameters;
mod presence;
mod questions;
mod reach;
mod remember;
mod script_names;
mod shapes;
mod simplify;
mod statements;
mod texts;

pub use needs::is_simple_read;

use super::resolve::ResolvedMode;
use super::scope::{HasName, Scope};
use super::symbols::{self, FieldDefault, Sort, Symbols};
use super::types::Type;
use crate::sheet::AbilityHolders;
use inline::InlineState;
use ludex_program::condition_facts::SureFact;
use ludex_program::loops::OpenLoop;
use ludex_program::move_slots::MoveSlots;
use ludex_program::presence::Presence;
use ludex_program::veils;
use ludex_program::{
    ActionInfo, Address, Admission, CodePlace, Expr, FamilyInfo, Formula, HookInfo, Instruction, Kind, KindSort, LocalInfo,
    MOST_MARKS, NO_LOCAL, PolicyInfo, PolicyLine, Prints, ProcedureInfo, Program, Shape, SheetInfo, SidesInfo, Slot, Visibility,
};
use ludex_syntax::codes;
use ludex_syntax::problem::{Problem, closest_match, join_words, with_article};
use ludex_syntax::source::{SourceId, Span};
use ludex_syntax::tree::{Ability, Cite, Name, Text};
use std::collections::BTreeMap;

/// The input of a compilation.
pub struct CompileInput<'a> {
    /// The declarations of the game in the requested mode, including its header and abilities.
    pub rules: ResolvedMode<'a>,
    /// Stem, source and header of each ability file, including those of other modes.
    pub abilities: Vec<(String, SourceId, Ability)>,
    /// For each ability, the declared names of the sheets that list it; none stands for the only sheet.
    pub holders: AbilityHolders,
    /// The name of the mode.
    pub mode: &'a str,
    /// The values set for options of the game, by name.
    pub options: &'a BTreeMap<String, String>,
    /// The program is compiled for inspection only: options that are not set may have any value.
    pub open: bool,
}

/// Compiles the rules and the headers of abilities. Returns a program if no problem is an error. The functions of abilities
/// are compiled into it next, then it is finished.
pub fn compile_program(input: &CompileInput) -> (Option<Program>, Vec<Problem>) {
    let mut problems = Vec::new();
    let ResolvedMode { items, blocks, scripts } = &input.rules;
    let mut symbols = symbols::declare_symbols(items, input.options, &mut problems);
    symbols.options.iter_mut().for_each(|option| option.open = input.open && !input.options.contains_key(&option.name));
    symbols.resolve_signatures(&mut problems);
    for name in input.options.keys() {
        let known: Vec<&str> = symbols.options.iter().map(|option| option.name.as_str()).collect();
        if !known.contains(&name.as_str()) {
            problems.push(unknown_option_problem(&symbols.game, name, &known));
        }
    }
    let mut compiler = Compiler::new(&symbols, problems);
    compiler.open = input.open;
    // Procedures to inline and kinds without owners must be known before code that depends on them is compiled.
    compiler.find_inlined(items, scripts);
    compiler.find_ownerless(items);
    compiler.compile_rules();
    compiler.compile_named(scripts);
    compiler.compile_abilities(input);
    compiler.compile_working(items);
    compiler.compile_remaining();
    compiler.trace_entries(blocks);
    compiler.into_result(input.mode)
}

/// Prepares a program for play once all its code is complete. Sheets are read against it afterwards. Problems of the program
/// as a whole are added to those of its parts.
pub fn finish_program(program: &mut Program, problems: &mut Vec<Problem>) {
    fuse::fuse_all(program);
    program.find_text_checks();
    program.asked = MoveSlots::from_program(program);
    problems.extend(endless::report_endless(program));
    problems.extend(veils::mark_veils(program));
}

/// Removes warnings about code that may never end if an error proves it. The error gets their places.
pub fn drop_proven_suspicions(problems: &mut Vec<Problem>) {
    let is_circle = |problem: &&mut Problem| problem.code == codes::GOES_IN_CIRCLES && problem.is_error();
    let mut sure: BTreeMap<Span, Vec<(Span, String)>> = BTreeMap::new();
    for (place, _) in problems.iter_mut().filter(is_circle).flat_map(|problem| &problem.labels) {
        sure.insert(*place, Vec::new());
    }
    problems.retain(|problem| {
        let known = problem.labels.iter().find(|(place, _)| sure.contains_key(place)).map(|(place, _)| *place);
        let known = known.filter(|_| problem.code == codes::GOES_IN_CIRCLES && !problem.is_error());
        if let Some(labels) = known.and_then(|place| sure.get_mut(&place)) {
            labels.extend(problem.labels.iter().cloned());
        }
        known.is_none()
    });
    for problem in problems.iter_mut().filter(is_circle) {
        let own: Vec<Span> = problem.labels.iter().map(|(place, _)| *place).collect();
        let others = own.iter().filter_map(|place| sure.remove(place)).flatten().map(|(place, _)| place);
        let others: Vec<Span> = others.filter(|place| !own.contains(place)).collect();
        problem.labels.extend(others.into_iter().map(|place| (place, "by way of this".to_string())));
    }
}

/// The error for an unknown option, with the nearest known name.
pub fn unknown_option_problem(game: &str, name: &str, known: &[&str]) -> Problem {
    let problem = Problem::error(codes::UNKNOWN_OPTION, format!("`{game}` has no option `{name}`"));
    let listed = || known.iter().map(|known| format!("`{known}`")).collect::<Vec<_>>();
    match closest_match(name, known.iter().copied()) {
        Some(near) => problem.suggest_near(near),
        None if known.is_empty() => problem.help("the game has no options"),
        None => problem.help(format!("its options are {}", join_words(&listed(), "and"))),
    }
}

/// The meaning of a name during lowering.
#[derive(Clone)]
enum Meaning {
    Slot(Slot),
    /// A parameter of a definition, bound to a simple expression.
    Alias(Expr),
}

/// A name in scope: a parameter, a variable, a role or `it`.
#[derive(Clone)]
struct Local {
    name: String,
    meaning: Meaning,
    of: Type,
}

impl HasName for Local {
    fn name(&self) -> &str {
        &self.name
    }
}

/// The function being compiled: a procedure, action or clause.
#[derive(Default)]
struct Function {
    locals: Scope<Local>,
    /// The first free slot.
    next_slot: Slot,
    /// The most slots in use at any point, which is the size of the function's frame.
    most_slots: Slot,
    /// For each open loop: jumps to its end and to its next round, which need patching.
    loops: Vec<OpenLoop>,
    /// For each open loop: the facts at each exit.
    exits: Vec<Vec<Presence>>,
    /// The facts before the next statement or subexpression.
    presence: Presence,
    /// Slots that an answer may leave empty, with their earlier types.
    unsure: Vec<(Slot, Type)>,
    /// Slots of the lists of answers to `must` questions that several seats were asked at once. A seat with nothing to choose from
    /// gives no answer, so its member may be `none`.
    owed: Vec<Slot>,
    /// The entity whose members can be used by their bare names, in a field's default.
    itself: Option<(Slot, u16)>,
    /// The procedure that is compiled, if it is one.
    procedure: Option<u16>,
    /// The required type of `give`.
    gives: Option<Type>,
    /// Nesting depth of definitions that are being inlined.
    defined_inside: usize,
    /// Number of definitions inlined so far.
    defined: usize,
    /// Slots of the list members and role candidates for each of which the current expression is evaluated again.
    members: Vec<Slot>,
    /// Rules cited by the enclosing declaration.
    rules: Vec<String>,
    /// The handler of a loop's cap is being compiled.
    at_cap: bool,
}

struct Compiler<'a> {
    symbols: &'a Symbols<'a>,
    program: Program,
    problems: Vec<Problem>,
    /// Number of memoised definitions.
    remembered: u16,
    /// The range of the field that was read by the last lowered expression.
    last_read: Option<reach::NumberRange>,
    /// The rules are compiled for inspection, not for play. Conditions that decide nothing are then reported.
    open: bool,
    function: Function,
    /// The type of `holder` in the current ability or mark: the things whose sheets list the ability, or that bear the mark.
    holder: Type,
    /// For each compiled ability, the type of the things that list it.
    holders: Vec<Type>,
    /// The parameters of the current ability, which a sheet may set.
    parameters: Vec<(String, Type)>,
    /// The mark whose parts are being compiled.
    mark: Option<u16>,
    /// No side ever leaves the game.
    sides_stay: bool,
    /// Summaries of the changes that statements make.
    effects: changes::KnownChanges,
    /// For each procedure, whether it is inlined.
    in_place: Vec<InlineState>,
    /// Nesting depth of procedures that are being inlined.
    in_place_deep: usize,
    /// The end of the code of procedures. The code of marks and abilities follows.
    procedures_end: Address,
}

impl<'a> Compiler<'a> {
    fn new(symbols: &'a Symbols<'a>, problems: Vec<Problem>) -> Compiler<'a> {
        let program = Program {
            game: symbols.game.clone(),
            title: symbols.title.clone(),
            options: symbols.options.clone(),
            kinds: symbols.kinds.clone(),
            boards: symbols.boards.clone(),
            words: symbols.words.clone(),
            marks: symbols.marks.clone(),
            lending: symbols.lending.clone(),
            die_sizes: symbols.die_sizes.clone(),
            die: symbols.die,
            referee: symbols.referee.clone(),
            faces: symbols.faces.clone(),
            prints: Prints { sheets: symbols.sheets.clone(), ..symbols.texts.clone() },
            ..Program::default()
        };
        Compiler {
            symbols,
            program,
            problems,
            function: Function::default(),
            remembered: 0,
            last_read: None,
            open: false,
            holder: Type::Unknown,
            holders: Vec::new(),
            parameters: Vec::new(),
            mark: None,
            sides_stay: false,
            effects: changes::KnownChanges::default(),
            in_place: Vec::new(),
            in_place_deep: 0,
            procedures_end: 0,
        }
    }

    /// Compiles all declarations but abilities. Procedures get their table entries first, because code refers to them by index.
    fn compile_rules(&mut self) {
        self.check_mark_count();
        self.declare_tables();
        self.index_fields_by_name();
        self.compile_admission();
        self.compile_defaults();
        self.compile_falls();
        self.compile_hooks();
        self.compile_families();
        for index in 0..self.symbols.procedures.len() {
            if self.in_place[index] == InlineState::No {
                self.compile_procedure(index);
            }
        }
        self.procedures_end = self.next_address();
        self.compile_marks();
        self.compile_standing();
        self.compile_policies();
    }

    /// Reports more marks than fit in the bitmask of a thing.
    fn check_mark_count(&mut self) {
        let Some(mark) = self.symbols.marks.get(MOST_MARKS) else { return };
        let message = format!("the game has {} marks, but at most {MOST_MARKS} are allowed", self.symbols.marks.len());
        let place = self.symbols.place(Sort::Mark, &mark.name);
        let problem = Problem::error(codes::TOO_MANY, message).help("make fields of some: `tired: flag` instead of `mark tired`");
        self.problems.push(place.into_iter().fold(problem, |problem, place| problem.with_label(place, "one mark too many")));
    }

    /// Compiles the condition that every entrant must meet.
    fn compile_admission(&mut self) {
        let Some((when, why_not)) = self.symbols.sides.and_then(|sides| sides.admission.as_ref()) else { return };
        let Some(kind) = self.program.sides.entrant else {
            let problem = Problem::error(codes::UNKNOWN_TYPE, "the sides bring no entrants that a condition could test");
            let problem = problem.with_label(when.span, "nothing to test");
            self.problems.push(problem.help("say what they bring, as in `sides 2 of 1 character`"));
            return;
        };
        self.begin_function();
        self.add_slot("it", Type::Entity(kind));
        let (when, why_not) = (self.compile_condition(when), self.compile_text(why_not));
        self.program.sides.admission = Some(Admission { when, why_not, slots: self.function.most_slots });
    }

    /// Creates entries for everything that may be referred to before it is compiled.
    fn declare_tables(&mut self) {
        let entrant = self.program.kinds.iter().position(|kind| kind.sort == KindSort::Entrant).map(|kind| kind as u16);
        self.program.sides = match self.symbols.sides {
            Some(sides) => {
                let (least, most, kind) = match &sides.entrants {
                    Some((least, most, name)) => {
                        let kind = self.symbols.kind_of_plural(name);
                        if kind.is_none() {
                            self.problems.push(self.entrant_kind_problem(name));
                        }
                        (*least as usize, *most as usize, kind)
                    }
                    None => (0, 0, None),
                };
                SidesInfo {
                    least: sides.least as usize,
                    most: sides.most as usize,
                    entrants_least: least,
                    entrants_most: most,
                    entrant: kind,
                    equally_many: sides.equally_many,
                    all_different: sides.all_different,
                    ring: sides.ring,
                    names: sides.names.iter().filter_map(Text::plain_text).collect(),
                    admission: None,
                }
            }
            None => SidesInfo::with_two_sides(entrant),
        };
        for (procedure, params, gives, _) in &self.symbols.procedures {
            self.program.procedures.push(ProcedureInfo {
                name: procedure.name.text.clone(),
                params: procedure.params.iter().zip(params).map(|(param, of)| (param.name.text.clone(), of.to_shape())).collect(),
                gives: gives.to_shape(),
                start: 0,
                slots: 0,
                scope: procedure.scope,
                entry: procedure.entry,
                span: procedure.name.span,
                chain: Vec::new(),
            });
        }
        self.program.play = self.symbols.find_procedure("play").unwrap_or_default();
    }

    /// The error for a sheet or kind that sides cannot bring.
    fn entrant_kind_problem(&self, name: &Name) -> Problem {
        let is_named = |sheet: &&SheetInfo| sheet.name == name.text || sheet.plural == name.text;
        let found = self.symbols.sheets.iter().find(is_named);
        let kind = |sheet: &SheetInfo| self.symbols.kind_of_sheet(&sheet.name).filter(|kind| kind.sort == KindSort::Entrant);
        match found.and_then(|sheet| Some((sheet, &kind(sheet)?.name))) {
            Some((sheet, kind)) => {
                let (what, many) = (with_article(&sheet.name), &sheet.plural);
                let message = format!("`{}` builds on `{kind}`, so sides bring a `{kind}`", sheet.name);
                let problem = Problem::error(codes::UNKNOWN_TYPE, message)
                    .with_label(name.span, "one of several sheets")
                    .with_subject(&name.text);
                problem.help(format!("write `{kind}`, and after it `where it is {what} else \"only {many} play\"`"))
            }
            None => {
                let problem = Problem::error(codes::UNKNOWN_TYPE, format!("there is no sheet `{}`", name.text));
                problem.with_label(name.span, "not declared").with_subject(&name.text)
            }
        }
    }

    /// Compiles the first values of fields that are formulas. `it` is the thing that has the field.
    fn compile_defaults(&mut self) {
        for FieldDefault { kind, field, sheet, value } in &self.symbols.field_defaults {
            self.begin_function();
            let it = self.add_slot("it", Type::Entity(*kind));
            self.function.itself = Some((it, *kind));
            // Everything that enters the game is in some zone.
            self.learn_for_good(vec![SureFact::There(Expr::PlaceOf(Box::new(Expr::Local(it))))]);
            let wanted = self.symbols.field_types[*kind as usize][*field as usize].clone();
            let value = self.compile_as_type(value, &wanted);
            // Things of other sheets keep the value that the field has.
            let expr = match sheet {
                Some(sheet) => {
                    let of = Box::new(Expr::PrintOf(Box::new(Expr::Local(it))));
                    let as_it_is = Expr::Field { of: Box::new(Expr::Local(it)), field: *field };
                    Expr::If(Box::new(Expr::SheetIs { of, sheet: *sheet }), Box::new(value), Box::new(as_it_is))
                }
                None => value,
            };
            let slots = self.function.most_slots;
            self.program.defaults.push((*kind, *field, Formula { expr, slots }));
        }
    }

    /// Compiles the destinations of pieces whose bearer leaves play. `it` is each piece.
    fn compile_falls(&mut self) {
        for (kind, zone, place) in &self.symbols.falls {
            let info = &self.program.kinds[*kind as usize].zones[*zone as usize];
            let (holds, bearer) = (info.holds, self.program.kind(*kind).sort);
            if bearer != KindSort::Piece {
                let problem = Problem::error(codes::WRONG_TYPE, "only zones of pieces can have `falls to`");
                self.problems.push(problem.with_label(place.span, "not a zone of a piece").help("leave `falls to` out"));
                continue;
            }
            self.begin_function();
            self.add_slot("it", Type::Entity(holds));
            self.function.itself = Some((0, holds));
            let expr = self.compile_zone_for(place, &Type::Entity(holds));
            let slots = self.function.most_slots;
            self.program.kinds[*kind as usize].zones[*zone as usize].falls = Some(Formula { expr, slots });
        }
        let zones = || self.program.kinds.iter().flat_map(|kind| &kind.zones);
        if let Some((.., place)) = self.symbols.falls.first().filter(|_| !zones().any(|zone| zone.out_of_play)) {
            let problem = Problem::error(codes::NEVER_FALLS, "pieces never leave play, so `falls to` has no effect");
            let help =
                "add `out of play` to the zones where no piece takes part, such as `zone discard: cards, open, out of play`";
            self.problems.push(problem.with_label(place.span, "never happens").help(help));
        }
        let borne = |kind: &Kind| kind.sort == KindSort::Piece && !kind.zones.is_empty();
        let private = self.program.kinds.iter().flat_map(|kind| &kind.fields).any(|field| field.seen != Visibility::All);
        self.program.hides = private || zones().any(|zone| zone.seen != Visibility::All);
        self.program.bearing = zones().any(|zone| zone.most.is_some()) || self.program.kinds.iter().any(borne);
    }

    /// Compiles `standing of side`: the number that tells bots how well a side does.
    fn compile_standing(&mut self) {
        let Some((param, value)) = self.symbols.standing else { return };
        self.begin_function();
        self.add_slot(&param.text, Type::side_type());
        let (expr, of) = self.compile_expression(value);
        if !of.is_number() {
            self.problems
                .push(Problem::error(codes::WRONG_TYPE, "`standing` must give a number").with_label(value.span, "not a number"));
        }
        self.program.standing = Some(Formula { expr, slots: self.function.most_slots });
    }

    /// Compiles the policies, by which bots choose moves of a family. `it` is the move.
    fn compile_policies(&mut self) {
        for policy in &self.symbols.policies {
            let Some(family) = self.find_family(&policy.family) else { continue };
            let params = self.symbols.families[family as usize].params.clone();
            self.begin_function();
            for (name, of) in &params {
                self.add_slot(name, of.clone());
            }
            self.add_slot("it", Type::Move(family));
            let lines = policy
                .lines
                .iter()
                .map(|line| {
                    let when = line.when.as_ref().map(|when| self.compile_condition(when));
                    let told = when.as_ref().map(|when| self.condition_facts(when)).unwrap_or_default();
                    PolicyLine {
                        chance: line.chance.map(|chance| (chance.times.unsigned_abs(), chance.out_of.unsigned_abs())),
                        prefer: self.with_facts(told.holds, |compiler| compiler.compile_number(&line.prefer)),
                        when,
                    }
                })
                .collect();
            let (name, slots) = (policy.name.text.clone(), self.function.most_slots);
            self.program.policies.push(PolicyInfo { name, family, lines, slots });
        }
    }

    /// Compiles the declared hooks: each value before modifiers, the prompt and the description.
    fn compile_hooks(&mut self) {
        for (hook, params, _) in &self.symbols.hooks {
            self.begin_function();
            for (param, of) in hook.params.iter().zip(params) {
                self.add_slot(&param.name.text, of.clone());
            }
            let value = hook.value.as_ref().map(|(of, expr)| {
                let of = self.symbols.type_of(of, &mut self.problems);
                let expr = self.compile_as_type(expr, &of);
                (of.to_shape(), Formula { expr, slots: self.function.most_slots })
            });
            let prompt = hook.prompt.as_ref().map(|prompt| self.compile_text(prompt));
            let moment = hook.moment.as_ref().map(|text| crate::symbols::plain_text(text, &mut self.problems));
            self.program.hooks.push(HookInfo {
                veiled: false,
                prompt,
                moment,
                name: hook.name.text.clone(),
                params: hook.params.iter().zip(params).map(|(param, of)| (param.name.text.clone(), of.to_shape())).collect(),
                answers: hook.answers.iter().map(|answer| answer.text.clone()).collect(),
                goes_round: hook.goes_round,
                value,
                layers: hook.layers.iter().map(|layer| layer.text.clone()).collect(),
                // A window also needs slots for `me` and `holder`. Clauses raise this later.
                slots: self.function.most_slots.max(hook.params.len() as u16 + 2),
            });
        }
    }

    /// Compiles the families and then the actions of the rules. Actions of abilities are added later.
    fn compile_families(&mut self) {
        for family in &self.symbols.families {
            let id = self.program.families.len() as u16;
            self.program.families.push(FamilyInfo {
                name: family.name.clone(),
                base: family.base,
                parts: self.symbols.parts_of(id).to_vec(),
                params: family.params.iter().map(|(name, of)| (name.clone(), of.to_shape())).collect(),
                fields: family.fields.iter().map(|(name, of, _)| (name.clone(), of.to_shape())).collect(),
                actions: Vec::new(),
                shared: Vec::new(),
                plain: false,
                hidden: false,
                slots: 0,
            });
        }
        // Names come first, so that `is leap` is known everywhere.
        for (action, rules, span) in &self.symbols.actions {
            let family = action.family.as_ref().and_then(|family| self.find_family(family));
            let id = self.program.actions.len() as u16;
            if let Some(family) = family {
                self.program.families[family as usize].actions.push(id);
            }
            self.program.actions.push(actions::unfinished_action(&action.name.text, family, rules.clone(), *span));
        }
        for index in 0..self.symbols.actions.len() {
            let (action, ..) = self.symbols.actions[index];
            self.begin_function();
            let family = self.program.actions[index].family;
            if let Some(family) = family {
                for (name, of) in &self.symbols.families[family as usize].params {
                    self.add_slot(name, of.clone());
                }
            }
            let info = std::mem::replace(
                &mut self.program.actions[index],
                actions::unfinished_action("", None, Vec::new(), action.name.span),
            );
            let info: ActionInfo = self.compile_action(action, info);
            self.program.actions[index] = info;
        }
    }

    /// Returns the program unless a problem is an error, and all problems.
    fn into_result(mut self, mode: &str) -> (Option<Program>, Vec<Problem>) {
        self.program.mode = mode.to_string();
        let bad = self.problems.iter().any(Problem::is_error);
        (if bad { None } else { Some(self.program) }, self.problems)
    }

    // --- functions and slots -----------------------------------------------------

    /// Starts compiling another function, without slots, names and facts.
    fn begin_function(&mut self) {
        self.function = Function::default();
        self.record_slot_contents(NO_LOCAL, "", Shape::Nothing);
        let sides = &self.program.sides;
        self.function.presence.entrants = sides.entrant.filter(|_| sides.entrants_least > 0);
        self.function.presence.opponents = self.sides_stay && sides.least > 1;
    }

    /// Allocates a slot without a name, for a value that the rules cannot refer to.
    fn new_slot(&mut self) -> Slot {
        self.allocate_slot("", Shape::Nothing)
    }

    /// Allocates the next free slot, and records its name for inspection. The name is not in scope, see [`Compiler::add_slot`].
    fn allocate_slot(&mut self, name: &str, shape: Shape) -> Slot {
        let slot = self.function.next_slot;
        self.function.next_slot += 1;
        self.function.most_slots = self.function.most_slots.max(self.function.next_slot);
        self.record_slot_contents(slot, name, shape);
        slot
    }

    /// Records the contents of a slot from the next instruction on. [`NO_LOCAL`] starts another function; an empty name and shape
    /// end a variable.
    fn record_slot_contents(&mut self, slot: Slot, name: &str, shape: Shape) {
        let local = LocalInfo { at: self.next_address(), slot, name: name.to_string(), shape };
        self.program.locals.push(local);
    }

    /// Allocates a slot and puts its name into scope.
    fn add_slot(&mut self, name: &str, of: Type) -> Slot {
        let slot = self.allocate_slot(name, of.to_shape());
        self.set_presence(&Meaning::Slot(slot), &of);
        self.function.unsure.retain(|(known, _)| *known != slot);
        self.function.locals.push(Local { name: name.to_string(), meaning: Meaning::Slot(slot), of });
        slot
    }

    /// The innermost local of a name.
    fn find_local(&self, name: &str) -> Option<&Local> {
        self.function.locals.find(name)
    }

    /// Runs a closure in a block. Its names are dropped afterwards and its slots are reused.
    fn in_block<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let (locals, slot) = (self.function.locals.len(), self.function.next_slot);
        let result = run(self);
        self.function.locals.drop_inner(locals);
        (slot..self.function.next_slot).for_each(|slot| self.record_slot_contents(slot, "", Shape::Nothing));
        self.function.next_slot = slot;
        self.function.presence.free_slots_from(slot);
        result
    }

    // --- code --------------------------------------------------------------------

    fn next_address(&self) -> Address {
        self.program.code.len() as Address
    }

    /// Appends an instruction, and returns its address. `span` is its place in the source. Without cites of its own, it has those
    /// of the enclosing declaration.
    fn emit_instruction(&mut self, instruction: Instruction, span: Span, cites: &[Cite]) -> Address {
        let mut rules: Vec<String> = cites.iter().map(|cite| cite.rule.clone()).collect();
        if rules.is_empty() {
            rules.clone_from(&self.function.rules);
        }
        self.program.code.push(instruction);
        self.program.places.push(CodePlace { span, rules });
        self.next_address() - 1
    }

    /// Patches a jump to lead to the next instruction.
    fn patch_to_next(&mut self, jump: Address) {
        self.patch_jump(jump, self.next_address());
    }

    fn patch_all_to_next(&mut self, jumps: Vec<Address>) {
        jumps.into_iter().for_each(|jump| self.patch_to_next(jump));
    }

    fn patch_jump(&mut self, jump: Address, target: Address) {
        if let Some(instruction) = self.program.code.get_mut(jump as usize) {
            instruction.set_target(target);
        }
    }

    /// The error for a name without a meaning. It concerns scripts, which may say what the rules cannot. For rules, `resolve`
    /// has already reported it.
    fn report_unresolved(&mut self, name: &Name) {
        let problem = Problem::error(codes::UNKNOWN_NAME, format!("nothing here is called `{}`", name.text));
        self.problems.push(problem.with_label(name.span, "not known").with_subject(&name.text));
    }

    fn report_error(&mut self, code: &'static str, message: impl Into<String>, span: Span, remark: &str) {
        self.problems.push(Problem::error(code, message).with_label(span, remark));
    }
}
