//! The functions that scripts may call: one table, which the binder, the checker, `explain` and the documentation read.

use crate::codes;
use crate::program::{Address, FieldInfo, KindSort, NONE, Naming, Program, SIDE, Shape, UntilCode, Value};
use crate::runtime::Audience;
use crate::runtime::decision::{Choice, Form, nothing_for};
use crate::runtime::effect::marks::Lasts;
use crate::runtime::eval::question::{Question, QuestionForm};
use crate::runtime::flow::{Machine, PlayContext, Stop};
use crate::runtime::state::{FrameRole, NO_SLOT};
use crate::runtime::text::Speaker;
use crate::scripting::host::Leave;
use crate::scripting::values::{
    Duration, Move, Print, Thing, ZoneOf, from_script, length_of, list_of, plain_type, things_of, to_script,
};
use crate::scripting::{host, printed};
use rhai::{Dynamic, Engine, ImmutableString};
use std::any::TypeId;
use std::sync::Arc;

/// What a parameter takes or a function gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A side.
    Side,
    /// A side, the table, an entrant or a piece.
    Thing,
    /// A thing, a list of things, or a zone.
    Things,
    /// A die, a list of dice, or a zone of dice.
    Dice,
    /// A list or zone; as what a function gives, a list.
    List,
    /// A zone.
    Zone,
    /// A whole number.
    Number,
    /// True or false.
    Flag,
    /// A text.
    Text,
    /// The name of a mark.
    Mark,
    /// The name of a declared sheet.
    Sheet,
    /// The name of a scope: `turn`.
    Scope,
    /// One of the words that the open hook may be answered with.
    Answer,
    /// The name of a field or counter.
    Field,
    /// The name of an option of the game.
    Option,
    /// A length of time, such as `end_of_this("turn")`.
    Duration,
    /// Whatever the field or list holds.
    Any,
    /// A member of the list that was given.
    Member,
    /// A list of members of the list that was given.
    Members,
    /// No value.
    Nothing,
}

impl Kind {
    /// In a reader's words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Kind::Side => "a side",
            Kind::Thing => "a thing",
            Kind::Things => "a thing, a list of things or a zone",
            Kind::Dice => "a die, a list of dice or a zone of dice",
            Kind::List => "a list or zone",
            Kind::Zone => "a zone",
            Kind::Number => "a number",
            Kind::Flag => "true or false",
            Kind::Text => "a text",
            Kind::Mark => "the name of a mark",
            Kind::Sheet => "the name of a sheet",
            Kind::Scope => "the name of a scope",
            Kind::Answer => "an answer of the hook",
            Kind::Field => "the name of a field or counter",
            Kind::Option => "the name of an option",
            Kind::Duration => "a length of time",
            Kind::Any => "any value",
            Kind::Member => "the member chosen",
            Kind::Members => "a list of the members chosen",
            Kind::Nothing => "nothing",
        }
    }
}

/// One function.
pub struct Row {
    /// What scripts call it. Functions of one name differ in their parameters.
    pub name: &'static str,
    /// The name of each parameter, and what it takes.
    pub params: &'static [(&'static str, Kind)],
    pub(crate) gives: Kind,
    /// What it does: one or two sentences for authors of scripts.
    pub doc: &'static str,
    pub(crate) run: fn(&mut Call) -> Result<Dynamic, Trouble>,
}

impl Row {
    /// As it is written in a script: `choose(side, prompt, things)`.
    pub(crate) fn written(&self) -> String {
        let params: Vec<&str> = self.params.iter().map(|(name, _)| *name).collect();
        format!("{}({})", self.name, params.join(", "))
    }

    /// What it gives, as the documentation says it.
    fn given(&self) -> &'static str {
        match (self.gives, self.name) {
            (Kind::List, _) => "a list",
            (Kind::Any, _) => "a number or text",
            (gives, _) => gives.words(),
        }
    }
}

/// What `ludex explain NAME` prints of a function, if there is one.
pub fn explain(name: &str) -> Option<String> {
    let name = name.trim().trim_end_matches("()");
    let rows: Vec<String> = ROWS.iter().filter(|row| row.name == name).map(explained).collect();
    (!rows.is_empty()).then(|| rows.join("\n"))
}

fn explained(row: &Row) -> String {
    let mut text = format!("{}\n\n  {}\n\n", row.written(), row.doc);
    for (name, kind) in row.params {
        text.push_str(&format!("  {name}: {}\n", kind.words()));
    }
    text.push_str(&format!("  gives {}\n", row.given()));
    text
}

/// The names of all functions, each once.
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = ROWS.iter().map(|row| row.name).collect();
    names.dedup();
    names
}

/// The table of `scripts/README.md`.
#[cfg(test)]
pub(crate) fn table() -> String {
    let mut text = "| function | gives | what it does |\n|---|---|---|\n".to_string();
    for row in ROWS {
        text.push_str(&format!("| `{}` | {} | {} |\n", row.written(), row.given(), row.doc.replace('|', "\\|")));
    }
    text
}

/// The parameters of all functions: what each name takes.
#[cfg(test)]
pub(crate) fn parameters() -> String {
    let mut found: Vec<(&str, &str)> = Vec::new();
    for (name, kind) in ROWS.iter().flat_map(|row| row.params) {
        if !found.contains(&(name, kind.words())) {
            found.push((name, kind.words()));
        }
    }
    found.sort_unstable();
    let mut text = "| parameter | what it takes |\n|---|---|\n".to_string();
    for (name, words) in found {
        text.push_str(&format!("| `{name}` | {words} |\n"));
    }
    text
}

/// One call of a function.
pub(crate) struct Call<'a> {
    pub(crate) machine: &'a mut Machine,
    pub(crate) context: &'a PlayContext<'a>,
    pub(crate) arguments: &'a [&'a mut Dynamic],
}

/// Why a function did not give a value.
pub(crate) enum Trouble {
    Leave(Leave),
    Fault(String),
    /// A fault with a code of its own.
    Coded(&'static str, String),
}

impl From<String> for Trouble {
    fn from(message: String) -> Trouble {
        Trouble::Fault(message)
    }
}

type Given = Result<Dynamic, Trouble>;

/// All functions, in the order of the documentation.
pub static ROWS: &[Row] = &[
    Row {
        name: "choose",
        params: &[("side", Kind::Side), ("prompt", Kind::Text), ("things", Kind::List)],
        gives: Kind::Member,
        doc: "Asks a side to choose one member of a list or zone. With one member nobody is asked; an empty list is a fault.",
        run: choose,
    },
    Row {
        name: "choose_some",
        params: &[
            ("side", Kind::Side),
            ("prompt", Kind::Text),
            ("things", Kind::List),
            ("least", Kind::Number),
            ("most", Kind::Number),
        ],
        gives: Kind::Members,
        doc: "Asks a side to choose from `least` to `most` members of a list or zone; gives them in their order there.",
        run: choose_some,
    },
    Row {
        name: "choose_number",
        params: &[("side", Kind::Side), ("prompt", Kind::Text), ("least", Kind::Number), ("most", Kind::Number)],
        gives: Kind::Number,
        doc: "Asks a side for a number from `least` to `most`.",
        run: choose_number,
    },
    Row {
        name: "may",
        params: &[("side", Kind::Side), ("question", Kind::Text)],
        gives: Kind::Flag,
        doc: "Asks a side yes or no.",
        run: may,
    },
    Row {
        name: "roll",
        params: &[("dice", Kind::Dice)],
        gives: Kind::Nothing,
        doc: "Rolls a die, a list of dice, or all dice of a zone.",
        run: roll,
    },
    Row {
        name: "roll",
        params: &[("dice", Kind::Dice), ("reason", Kind::Text)],
        gives: Kind::Nothing,
        doc: "Rolls dice; the reason is shown with the results.",
        run: roll,
    },
    Row {
        name: "move_to",
        params: &[("things", Kind::Things), ("zone", Kind::Zone)],
        gives: Kind::Nothing,
        doc: "Moves pieces to the end of a zone.",
        run: move_to,
    },
    Row {
        name: "set",
        params: &[("thing", Kind::Thing), ("field", Kind::Field), ("value", Kind::Any)],
        gives: Kind::Nothing,
        doc: "Sets a field or counter of a thing, within its range.",
        run: set,
    },
    Row {
        name: "add",
        params: &[("thing", Kind::Thing), ("field", Kind::Field), ("number", Kind::Number)],
        gives: Kind::Nothing,
        doc: "Adds a number, which may be negative, to a field or counter of a thing.",
        run: add,
    },
    Row {
        name: "mark",
        params: &[("things", Kind::Things), ("mark", Kind::Mark)],
        gives: Kind::Nothing,
        doc: "Puts a mark on things, until it is taken off.",
        run: mark,
    },
    Row {
        name: "mark",
        params: &[("things", Kind::Things), ("mark", Kind::Mark), ("until", Kind::Duration)],
        gives: Kind::Nothing,
        doc: "Puts a mark on things for a length of time.",
        run: mark,
    },
    Row {
        name: "unmark",
        params: &[("things", Kind::Things), ("mark", Kind::Mark)],
        gives: Kind::Nothing,
        doc: "Takes a mark off things.",
        run: unmark,
    },
    Row {
        name: "has_mark",
        params: &[("thing", Kind::Thing), ("mark", Kind::Mark)],
        gives: Kind::Flag,
        doc: "Whether a thing bears a mark.",
        run: has_mark,
    },
    Row {
        name: "is_a",
        params: &[("thing", Kind::Thing), ("sheet", Kind::Sheet)],
        gives: Kind::Flag,
        doc: "Whether a card or an entrant is of a sheet, or of one that builds on it.",
        run: is_a,
    },
    Row {
        name: "end_of_this",
        params: &[("scope", Kind::Scope)],
        gives: Kind::Duration,
        doc: "Until the scope that is running now ends: `end_of_this(\"turn\")`.",
        run: end_of_this,
    },
    Row {
        name: "end_of_next",
        params: &[("scope", Kind::Scope)],
        gives: Kind::Duration,
        doc: "Until the next run of the scope ends, whoever's it is.",
        run: end_of_next,
    },
    Row {
        name: "end_of_next",
        params: &[("scope", Kind::Scope), ("side", Kind::Side)],
        gives: Kind::Duration,
        doc: "Until the next run of the scope that is this side's ends.",
        run: end_of_next,
    },
    Row {
        name: "answer",
        params: &[("word", Kind::Answer)],
        gives: Kind::Nothing,
        doc: "Gives one of the answers that the open hook declares; the rules say what it means.",
        run: answer,
    },
    Row { name: "say", params: &[("text", Kind::Text)], gives: Kind::Nothing, doc: "Tells everybody something.", run: say },
    Row {
        name: "len",
        params: &[("things", Kind::List)],
        gives: Kind::Number,
        doc: "How many members a list or zone has.",
        run: len,
    },
    Row {
        name: "contains",
        params: &[("things", Kind::List), ("member", Kind::Any)],
        gives: Kind::Flag,
        doc: "Whether something is in a list or zone.",
        run: contains,
    },
    Row {
        name: "pieces",
        params: &[("zone", Kind::Zone)],
        gives: Kind::List,
        doc: "The pieces of a zone as a list, in order: for `for piece in pieces(me.hand) { … }`.",
        run: pieces,
    },
    Row {
        name: "option",
        params: &[("name", Kind::Option)],
        gives: Kind::Any,
        doc: "The value of an option of the game: a number, or a word as text.",
        run: option,
    },
    Row {
        name: "text_of",
        params: &[("thing", Kind::Thing)],
        gives: Kind::Text,
        doc: "A thing in words that everybody may hear: `d8:5`. A piece that not all can see is called by its kind, as `a card`.",
        run: text_of,
    },
];

/// Registers the table, the fields and zones of things, and the procedures of the game.
pub(crate) fn bind(engine: &mut Engine, program: &Arc<Program>) {
    host::register_kinds(engine);
    for row in ROWS {
        let types = vec![TypeId::of::<Dynamic>(); row.params.len()];
        engine.register_raw_fn(row.name, types, move |bound: rhai::NativeCallContext, arguments: &mut [&mut Dynamic]| {
            host::run_call(row, arguments, bound.call_position())
        });
    }
    for name in property_names(program) {
        let property = name.clone();
        engine.register_get(&name, move |thing: &mut Thing| read(thing.0, &property));
        let property = name.clone();
        engine.register_get(&name, move |chosen: &mut Move| read_move(*chosen, &property));
        let property = name.clone();
        engine.register_get(&name, move |print: &mut Print| printed::read_print(*print, &property));
    }
    for (index, procedure) in program.procedures.iter().enumerate() {
        // A function of the table keeps its name.
        if ROWS.iter().any(|row| row.name == procedure.name && row.params.len() == procedure.params.len()) {
            continue;
        }
        let types = vec![TypeId::of::<Dynamic>(); procedure.params.len()];
        engine.register_raw_fn(
            procedure.name.as_str(),
            types,
            move |bound: rhai::NativeCallContext, arguments: &mut [&mut Dynamic]| {
                let arguments: Vec<Dynamic> = arguments.iter().map(|argument| (**argument).clone()).collect();
                let line = bound.call_position().line();
                host::finish_call(host::with_machine(|machine| call_procedure(machine, index as u16, &arguments, line)))
            },
        );
    }
}

/// Every name that may follow a dot.
fn property_names(program: &Program) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for kind in &program.kinds {
        names.extend(kind.fields.iter().map(|field| field.name.clone()));
        names.extend(kind.zones.iter().map(|zone| zone.name.clone()));
    }
    for family in &program.families {
        names.extend(family.fields.iter().map(|(name, _)| name.clone()));
    }
    names.extend(printed::names(program));
    names.extend(["place", "foe", "side", "left", "right"].map(str::to_string));
    names.sort();
    names.dedup();
    names
}

fn read(thing: Value, name: &str) -> Result<Dynamic, Box<rhai::EvalAltResult>> {
    host::finish_call(host::with_machine(|machine| {
        let Some(game) = machine.game.clone() else { return Err(Trouble::Leave(Leave::Over)) };
        property(machine, &game.context(), thing, name)
            .ok_or_else(|| Trouble::Fault(format!("this thing has nothing called `{name}`")))
    }))
}

/// A field, zone or relation of a thing; a side also has what its only entrant has.
fn property(machine: &Machine, context: &PlayContext, thing: Value, name: &str) -> Option<Dynamic> {
    let entity = machine.state.board.entities.get(thing as usize)?;
    let kind = context.program.kind(entity.kind);
    if let Some(index) = kind.fields.iter().position(|field| field.name == name) {
        let value = machine.state.board.field(thing, index as u16)?;
        return Some(to_script(machine, context, value, &kind.fields[index].shape));
    }
    if let Some(index) = kind.zones.iter().position(|zone| zone.name == name) {
        return Some(Dynamic::from(ZoneOf(Value::from(entity.zones) + index as Value)));
    }
    let print = printed::print_of(machine, context, thing);
    if let Some(found) = print.and_then(|print| printed::printed(machine, context, print, name)) {
        return Some(found);
    }
    match (kind.sort, name) {
        (KindSort::Piece, "place") => Some(match machine.state.board.zones.get(entity.place as usize) {
            Some(_) => Dynamic::from(ZoneOf(Value::from(entity.place))),
            None => Dynamic::UNIT,
        }),
        (KindSort::Side, "foe") if context.roster.sides == 2 => Some(Dynamic::from(Thing(1 - thing))),
        (KindSort::Side, "left" | "right") if context.program.sides.ring => {
            machine.beside(context, thing, name == "left").map(|side| Dynamic::from(Thing(side)))
        }
        (KindSort::Entrant, "side" | "owner") => Some(Dynamic::from(Thing(machine.state.board.side_of(context.program, thing)))),
        (KindSort::Side, _) => {
            // What a field of the side lends: the entrant that stands for it now.
            let lender = context.program.lending.iter().find(|(lent, _)| lent == name)?.1;
            let entrant = machine.state.board.field(thing, lender)?;
            property(machine, context, entrant, name)
        }
        _ => None,
    }
}

fn read_move(chosen: Move, name: &str) -> Result<Dynamic, Box<rhai::EvalAltResult>> {
    host::finish_call(host::with_machine(|machine| {
        let Some(game) = machine.game.clone() else { return Err(Trouble::Leave(Leave::Over)) };
        let context = &game.context();
        let family = &context.program.families[chosen.family as usize];
        let index = family.fields.iter().position(|(field, _)| field == name);
        let found =
            index.and_then(|index| Some((machine.state.lists.get(chosen.at as usize + 2 + index)?, &family.fields[index].1)));
        match found {
            Some((value, shape)) => Ok(to_script(machine, context, *value, shape)),
            None => Err(Trouble::Fault(format!("this move has nothing called `{name}`"))),
        }
    }))
}

/// Runs a procedure of the rules to its end, or leaves the script at a question inside it.
fn call_procedure(machine: &mut Machine, procedure: u16, arguments: &[Dynamic], line: Option<usize>) -> Given {
    if let (Some(script), Some(line)) = (&mut machine.script, line) {
        script.set_line(line);
    }
    host::pay_for_call(machine)?;
    let Some(game) = machine.game.clone() else { return Err(Trouble::Leave(Leave::Over)) };
    let context = &game.context();
    let info = &context.program.procedures[procedure as usize];
    let mut values = Vec::new();
    for (argument, (name, shape)) in arguments.iter().zip(&info.params) {
        values.push(
            from_script(machine, context, argument, shape).map_err(|reason| format!("`{name}` of `{}`: {reason}", info.name))?,
        );
    }
    let floor = machine.state.frames.len();
    // A frame for the result, so that what the procedure gives has a slot to go to.
    let wants = info.gives != Shape::Nothing;
    let mut base = 0;
    if wants {
        base = machine.push_frame(FrameRole::Clause { instance: machine.acting_instance() }, Address::MAX, 1);
    }
    machine.enter(context, procedure, &values, if wants { 0 } else { NO_SLOT });
    match machine.run(context, floor + usize::from(wants)) {
        Stop::Waiting => Err(Trouble::Leave(Leave::Waiting)),
        Stop::Over => {
            // The place in the rules; the script's line is added to it.
            let at = machine
                .state
                .frames
                .iter()
                .skip(floor)
                .rev()
                .filter(|frame| matches!(frame.role, FrameRole::Procedure { .. }))
                .find_map(|frame| context.program.place(frame.at));
            if let (Some(fault), Some(place)) = (&mut machine.fault, at)
                && fault.labels.is_empty()
            {
                fault.labels.push((place.span, "here".to_string()));
            }
            Err(Trouble::Leave(Leave::Over))
        }
        Stop::Done => {
            if machine.state.frames.len() < floor {
                // The procedure ended a scope around the script: the script is over with it.
                return Err(Trouble::Leave(Leave::Over));
            }
            if !wants {
                return Ok(Dynamic::UNIT);
            }
            let value = machine.slot(base, 0);
            let result = to_script(machine, context, value, &info.gives);
            machine.pop_frame(context);
            Ok(result)
        }
    }
}

// --- the functions ---------------------------------------------------------------

impl Call<'_> {
    fn wants(&self, index: usize, what: &str) -> Trouble {
        let found = self.arguments.get(index).map_or("nothing", |argument| plain_type(argument.type_name()));
        Trouble::Fault(format!("argument {} must be {what}, but it is {found}", index + 1))
    }

    fn thing(&self, index: usize) -> Result<Value, Trouble> {
        self.arguments
            .get(index)
            .and_then(|argument| argument.read_lock::<Thing>())
            .map(|thing| thing.0)
            .ok_or_else(|| self.wants(index, "a thing"))
    }

    fn side(&self, index: usize) -> Result<Value, Trouble> {
        let thing = self.thing(index)?;
        match self.machine.state.board.side_of(self.context.program, thing) {
            NONE => Err(self.wants(index, "a side")),
            side => Ok(side),
        }
    }

    fn text(&self, index: usize) -> Result<String, Trouble> {
        let text = self.arguments.get(index).and_then(|argument| argument.read_lock::<ImmutableString>());
        text.map(|text| text.as_str().to_string()).ok_or_else(|| self.wants(index, "a text"))
    }

    fn number(&self, index: usize) -> Result<i64, Trouble> {
        self.arguments.get(index).and_then(|argument| argument.as_int().ok()).ok_or_else(|| self.wants(index, "a number"))
    }

    fn things(&mut self, index: usize) -> Result<Vec<Value>, Trouble> {
        let argument = self.arguments.get(index).ok_or_else(|| self.wants(index, "things"))?;
        let things = things_of(self.machine, argument)?;
        host::pay_for_things(self.machine, things.len())?;
        Ok(things)
    }

    fn zone(&self, index: usize) -> Result<Value, Trouble> {
        self.arguments
            .get(index)
            .and_then(|argument| argument.read_lock::<ZoneOf>())
            .map(|zone| zone.0)
            .ok_or_else(|| self.wants(index, "a zone"))
    }

    /// What is wrong with putting a piece into a zone that is for others.
    fn misplaced(&self, piece: Value, zone: Value) -> Option<Trouble> {
        let program = self.context.program;
        let holds = self.machine.zone_info(self.context, u16::try_from(zone).ok()?)?.holds;
        let kind = self.machine.state.board.entity(piece)?.kind;
        let fits = program.is_kind(kind, holds);
        let (piece, held) = (&program.kind(kind).name, &program.kind(holds).plural);
        (!fits).then(|| Trouble::Fault(format!("a {piece} cannot be in a zone of {held}")))
    }

    fn mark_index(&self, index: usize) -> Result<u16, Trouble> {
        let name = self.text(index)?;
        let found = self.context.program.marks.iter().position(|mark| mark.name == name);
        found.map(|mark| mark as u16).ok_or_else(|| Trouble::Fault(format!("there is no mark `{name}`")))
    }

    fn scope(&self, index: usize) -> Result<u16, Trouble> {
        let name = self.text(index)?;
        let found =
            self.context.program.procedure(&name).filter(|procedure| self.context.program.procedures[*procedure as usize].scope);
        found.ok_or_else(|| Trouble::Fault(format!("`{name}` is not a scope")))
    }

    /// Puts a question, or takes its answer from the tape.
    fn put(&mut self, mut question: Question, prompt: String) -> Result<Choice, Trouble> {
        // Nobody follows what a script has looked at.
        question.veiled = self.context.program.hides;
        if let Some(forced) = question.forced().filter(|_| !question.veiled) {
            return Ok(forced);
        }
        self.machine.make_question(0, |_, place| *place = question);
        match self.machine.answer_to_one() {
            Some(answer) => {
                self.machine.announce_answer(self.context, 0, &answer);
                self.machine.answered();
                Ok(answer)
            }
            None => {
                self.machine.wait_for_one();
                if let Some(script) = &mut self.machine.script {
                    script.set_prompt(Some(prompt));
                }
                Err(Trouble::Leave(Leave::Waiting))
            }
        }
    }

    fn items(&mut self, index: usize) -> Result<(Vec<Value>, Shape), Trouble> {
        let argument = self.arguments.get(index).ok_or_else(|| self.wants(index, "a list or zone"))?;
        let list = list_of(self.machine, argument).ok_or_else(|| self.wants(index, "a list or zone"))?;
        host::pay_for_things(self.machine, list.len())?;
        if let Some(first) = list.first()
            && first.is_int()
        {
            let numbers: Option<Vec<Value>> =
                list.iter().map(|item| item.as_int().ok().and_then(|number| Value::try_from(number).ok())).collect();
            let numbers = numbers
                .ok_or_else(|| Trouble::Coded(codes::NUMBER_OVERFLOW, "a number is too large to be chosen".to_string()))?;
            return Ok((numbers, Shape::Number));
        }
        let things = things_of(self.machine, argument)?;
        let kind = things
            .first()
            .and_then(|thing| self.machine.state.board.entities.get(*thing as usize))
            .map_or(SIDE, |entity| entity.kind);
        Ok((things, Shape::Entity(kind)))
    }
}

fn question(side: Value, form: QuestionForm, items: Vec<Value>, shape: Shape) -> Question {
    let mut question = Question::default();
    question.begin(side as usize, form);
    question.count = items.len() as u64;
    question.items = items;
    question.item_shape = Some(shape);
    question
}

fn choose(call: &mut Call) -> Given {
    let (side, prompt) = (call.side(0)?, call.text(1)?);
    let (items, shape) = call.items(2)?;
    if items.is_empty() {
        return Err(Trouble::Coded(codes::EMPTY_CHOICE, nothing_for(Some(&prompt))));
    }
    let answer = call.put(question(side, QuestionForm::OneItem, items.clone(), shape.clone()), prompt)?;
    let Choice::Option(index) = answer else { return Err(Trouble::Leave(Leave::Over)) };
    let value = items.get(index as usize).copied().unwrap_or(NONE);
    Ok(to_script(call.machine, call.context, value, &shape))
}

fn choose_some(call: &mut Call) -> Given {
    let (side, prompt) = (call.side(0)?, call.text(1)?);
    let (items, shape) = call.items(2)?;
    let length = items.len() as i64;
    let (least, most) = (call.number(3)?.max(0), call.number(4)?.min(length));
    if least > length {
        return Err(Trouble::Coded(
            codes::EMPTY_CHOICE,
            format!("{least} must be chosen for “{prompt}”, but there are {length}"),
        ));
    }
    if most < least {
        let message = format!("from {least} to {most} must be chosen for “{prompt}”, and {most} is less than {least}");
        return Err(Trouble::Coded(codes::EMPTY_CHOICE, message));
    }
    let form = Form::Some { min: least.unsigned_abs(), max: most.unsigned_abs() };
    let answer = call.put(question(side, QuestionForm::Of(form), items.clone(), shape.clone()), prompt)?;
    let Choice::Options(indices) = answer else { return Err(Trouble::Leave(Leave::Over)) };
    let members = indices.iter().filter_map(|index| items.get(*index as usize));
    Ok(Dynamic::from(members.map(|item| to_script(call.machine, call.context, *item, &shape)).collect::<rhai::Array>()))
}

fn choose_number(call: &mut Call) -> Given {
    let (side, prompt, least, most) = (call.side(0)?, call.text(1)?, call.number(2)?, call.number(3)?);
    if most < least {
        return Err(Trouble::Coded(codes::EMPTY_CHOICE, format!("there is no number from {least} to {most} for “{prompt}”")));
    }
    if i32::try_from(least).is_err() || i32::try_from(most).is_err() {
        return Err(Trouble::Coded(
            codes::NUMBER_OVERFLOW,
            format!("the numbers from {least} to {most} are too many for “{prompt}”"),
        ));
    }
    let form = Form::Number { min: least, max: most };
    let mut put = question(side, QuestionForm::Of(form), Vec::new(), Shape::Number);
    put.count = (most - least) as u64 + 1;
    match call.put(put, prompt)? {
        Choice::Number(number) => Ok(Dynamic::from(number)),
        _ => Err(Trouble::Leave(Leave::Over)),
    }
}

fn may(call: &mut Call) -> Given {
    let (side, prompt) = (call.side(0)?, call.text(1)?);
    let mut put = question(side, QuestionForm::YesNo, Vec::new(), Shape::Flag);
    put.count = 2;
    Ok(Dynamic::from(call.put(put, prompt)? == Choice::Option(0)))
}

fn roll(call: &mut Call) -> Given {
    let dice = call.things(0)?;
    let list = call.machine.push_list(&dice);
    let reason = if call.arguments.len() > 1 { Some(call.text(1)?) } else { None };
    if call.machine.roll_for(call.context, list, reason) {
        return Err(Trouble::Leave(Leave::Waiting));
    }
    checked(call)
}

/// Nothing, unless the machine has noted a fault.
fn checked(call: &Call) -> Given {
    if call.machine.fault.is_some() { Err(Trouble::Leave(Leave::Over)) } else { Ok(Dynamic::UNIT) }
}

fn move_to(call: &mut Call) -> Given {
    let (things, zone) = (call.things(0)?, call.zone(1)?);
    for thing in things {
        if call.machine.fault.is_some() {
            break;
        }
        if !call.machine.is_piece(call.context, thing) {
            return Err(Trouble::Fault("only pieces can be moved".to_string()));
        }
        if let Some(trouble) = call.misplaced(thing, zone) {
            return Err(trouble);
        }
        call.machine.move_piece::<true>(call.context, 0, thing, zone, false, &Naming::default());
    }
    checked(call)
}

fn field_of(call: &Call) -> Result<(Value, u16, Shape), Trouble> {
    let (thing, name) = (call.thing(0)?, call.text(1)?);
    let kind = call.machine.state.board.entities.get(thing as usize).map_or(0, |entity| entity.kind);
    let info = call.context.program.kind(kind);
    let printed = |field: &FieldInfo| matches!(field.shape, Shape::Sheet(_)) && field.name == "sheet";
    match info.fields.iter().position(|field| field.name == name && !printed(field)) {
        Some(index) => Ok((thing, index as u16, info.fields[index].shape.clone())),
        None => Err(Trouble::Fault(format!("a {} has no field `{name}`", info.name))),
    }
}

fn set(call: &mut Call) -> Given {
    let (thing, field, shape) = field_of(call)?;
    let Some(value) = call.arguments.get(2) else { return Err(call.wants(2, "a value")) };
    let value = from_script(call.machine, call.context, value, &shape)?;
    call.machine.set_field(call.context, 0, thing, field, value, &Naming::default());
    checked(call)
}

fn add(call: &mut Call) -> Given {
    let (thing, field, shape) = field_of(call)?;
    if !matches!(shape, Shape::Number | Shape::Halves) {
        return Err(Trouble::Fault("only a number can be added to".to_string()));
    }
    let old = call.machine.state.board.field(thing, field).unwrap_or(0);
    let sum = call.number(2)?.checked_add(i64::from(old)).and_then(|sum| Value::try_from(sum).ok()).filter(|sum| *sum != NONE);
    let sum = sum.ok_or_else(|| Trouble::Fault("a number goes beyond 2,147,483,647".to_string()))?;
    call.machine.set_field(call.context, 0, thing, field, sum, &Naming::default());
    checked(call)
}

fn mark(call: &mut Call) -> Given {
    let (things, mark) = (call.things(0)?, call.mark_index(1)?);
    let duration = match call.arguments.get(2) {
        Some(duration) => Some(
            duration
                .read_lock::<Duration>()
                .map(|duration| *duration)
                .ok_or_else(|| call.wants(2, "a length of time, such as end_of_this(\"turn\")"))?,
        ),
        None => None,
    };
    let until = duration.map(|duration| UntilCode { procedure: duration.procedure, next: duration.next, of: None });
    for thing in things {
        let of = duration.map_or(NONE, |duration| duration.of);
        call.machine.mark(call.context, thing, mark, Lasts { until: until.as_ref(), of, leaves: false }, &[]);
    }
    checked(call)
}

fn unmark(call: &mut Call) -> Given {
    let (things, mark) = (call.things(0)?, call.mark_index(1)?);
    for thing in things {
        call.machine.unmark(call.context, thing, mark);
    }
    checked(call)
}

fn has_mark(call: &mut Call) -> Given {
    Ok(Dynamic::from(call.machine.has_mark(call.thing(0)?, call.mark_index(1)?)))
}

fn is_a(call: &mut Call) -> Given {
    let (thing, name) = (call.thing(0)?, call.text(1)?);
    let prints = &call.context.program.prints;
    let Some(sheet) = prints.sheet_named(&name) else { return Err(Trouble::Fault(format!("there is no sheet `{name}`"))) };
    let print = printed::print_of(call.machine, call.context, thing).and_then(|print| prints.print(print));
    Ok(Dynamic::from(print.is_some_and(|print| prints.is_sheet(print.sheet, sheet))))
}

fn end_of_this(call: &mut Call) -> Given {
    Ok(Dynamic::from(Duration { procedure: call.scope(0)?, next: false, of: NONE }))
}

fn end_of_next(call: &mut Call) -> Given {
    let of = if call.arguments.len() > 1 { call.side(1)? } else { NONE };
    Ok(Dynamic::from(Duration { procedure: call.scope(0)?, next: true, of }))
}

fn answer(call: &mut Call) -> Given {
    let word = call.text(0)?;
    call.machine.answer_word(call.context, &word);
    checked(call)
}

fn say(call: &mut Call) -> Given {
    let text = call.text(0)?;
    if !call.machine.meter.may_say() {
        return Ok(Dynamic::UNIT);
    }
    call.machine.announce(call.context, crate::runtime::event::EventKind::Said, None, Some(text));
    Ok(Dynamic::UNIT)
}

fn len(call: &mut Call) -> Given {
    let argument = call.arguments.first().ok_or_else(|| call.wants(0, "a list or zone"))?;
    if let Some(text) = argument.read_lock::<ImmutableString>() {
        return Ok(Dynamic::from(text.chars().count() as i64));
    }
    let length = length_of(call.machine, argument).ok_or_else(|| call.wants(0, "a list or zone"))?;
    Ok(Dynamic::from(length as i64))
}

fn contains(call: &mut Call) -> Given {
    let (Some(list), Some(wanted)) = (call.arguments.first(), call.arguments.get(1)) else {
        return Err(call.wants(1, "something"));
    };
    let list = list_of(call.machine, list).ok_or_else(|| call.wants(0, "a list or zone"))?;
    host::pay_for_things(call.machine, list.len())?;
    let same = |member: &Dynamic| {
        let things = (member.read_lock::<Thing>(), wanted.read_lock::<Thing>());
        let prints = (member.read_lock::<Print>(), wanted.read_lock::<Print>());
        let texts = (member.read_lock::<ImmutableString>(), wanted.read_lock::<ImmutableString>());
        matches!(things, (Some(a), Some(b)) if *a == *b)
            || matches!(prints, (Some(a), Some(b)) if *a == *b)
            || matches!(texts, (Some(a), Some(b)) if *a == *b)
            || member.as_int().is_ok_and(|number| wanted.as_int() == Ok(number))
    };
    Ok(Dynamic::from(list.iter().any(same)))
}

fn pieces(call: &mut Call) -> Given {
    let argument = call.arguments.first().ok_or_else(|| call.wants(0, "a zone"))?;
    let list = list_of(call.machine, argument).ok_or_else(|| call.wants(0, "a zone"))?;
    host::pay_for_things(call.machine, list.len())?;
    Ok(Dynamic::from(list))
}

fn option(call: &mut Call) -> Given {
    let name = call.text(0)?;
    match call.context.program.option(&name) {
        Some(option) => Ok(match option.kind {
            crate::program::GameOptionKind::Number { .. } => Dynamic::from(i64::from(option.value)),
            crate::program::GameOptionKind::Words(_) => Dynamic::from(option.shown(option.value)),
        }),
        None => Err(Trouble::Fault(format!("there is no option `{name}`"))),
    }
}

fn text_of(call: &mut Call) -> Given {
    let (thing, context) = (call.thing(0)?, call.context);
    // A script may say it to anybody.
    let words = call.machine.speaking_to(Audience::All, |machine| machine.describe_piece(context, thing));
    Ok(Dynamic::from(words))
}
