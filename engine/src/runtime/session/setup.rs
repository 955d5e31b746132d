//! Before play: who plays, what lies where, and which abilities listen.

use crate::position::{EntrantPosition, Position};
use crate::problem::{Problem, between};
use crate::program::{KindSort, Listed, NONE, PIECE_SHEET, Program, SIDE, Shape, TABLE, Value};
use crate::runtime::context::{Cast, Fixed, Grant, Instance, Listener};
use crate::runtime::flow::specialise::{Step, specialise};
use crate::runtime::flow::{Game, Machine, Play, Played};
use crate::runtime::limits::MOST_PIECES;
use crate::runtime::seed::Seed;
use crate::runtime::session::Setup;
use crate::runtime::session::entering::enter_position;
use crate::runtime::session::layout::lay_out;
use crate::runtime::state::{Board, NO_SLOT, NOWHERE, State, UseCount};
use crate::{codes, field};

/// Who plays, with the code that is specialised to them, and a machine ready to run.
pub struct Prepared {
    pub cast: Cast,
    pub code: Vec<Step>,
    pub machine: Machine,
}

/// Prepares a match.
pub fn prepare(program: &Program, setup: &Setup) -> Result<Prepared, Problem> {
    check_sides(program, setup)?;
    prepare_any(program, setup)
}

/// As [`prepare`], with any number of sides and entrants.
pub fn prepare_any(program: &Program, setup: &Setup) -> Result<Prepared, Problem> {
    let mut cast = Cast { sides: setup.sides.len(), sheets: setup.sides.clone(), ..Cast::default() };
    let mut board = Board::default();
    add_owners(program, &mut cast, &mut board);
    let lines = worked_out_lines(program, setup);
    print_fields(program, &cast, &mut board, setup.position.as_ref(), &lines);
    let uses = add_abilities(program, &mut cast);
    let state =
        State { board, uses: vec![UseCount { times: 0, serial: 0 }; uses], generator: setup.seed.generator(), ..State::empty() };
    let mut machine = Machine::new(state, setup.dice.clone(), false);
    lay_out(program, &mut cast, &mut machine, setup.position.as_ref());
    if machine.state.board.entities.len() > MOST_PIECES {
        return Err(Problem::error(codes::PIECE_LIMIT, "more than 10,000 pieces are in play"));
    }
    give_first_values(program, &cast, &mut machine, setup.position.as_ref(), &lines);
    add_abilities_of_pieces(program, &mut cast, &mut machine.state);
    if cast.instances.len() >= usize::from(NOWHERE) || machine.state.uses.len() >= usize::from(NOWHERE) {
        return Err(Problem::error(codes::PIECE_LIMIT, "more than 65,000 abilities are in play"));
    }
    bear_marks(program, &cast, &mut machine);
    if let Some(problem) = unfit_value(program, &cast, &machine.state.board) {
        return Err(problem);
    }
    if setup.position.is_none()
        && let Some(problem) = not_admitted(program, &cast, &mut machine)
    {
        return Err(problem);
    }
    let code = specialise(program, &cast);
    machine.watched = setup.watched;
    let rules = &Played { fixed: Fixed { program, cast: &cast }, code: &code };
    match &setup.position {
        Some(position) => enter_position(rules, &mut machine, position)?,
        None => begin(rules, &mut machine),
    }
    match machine.fault.take() {
        Some(fault) => Err(*fault),
        None => Ok(Prepared { cast, code, machine }),
    }
}

/// Takes a machine back to before the first instruction, with another seed.
pub fn reset(game: &Game, machine: &mut Machine, seed: Seed) {
    let state = &mut machine.state;
    state.board.clone_from(&game.start);
    state.bearing.clone_from(&game.bearing);
    for list in [&mut state.slots, &mut state.lists] {
        list.clear();
    }
    state.frames.clear();
    state.lasting.clear();
    state.known.clear();
    state.spent.clear();
    state.sealed.clear();
    state.uses.fill(UseCount { times: 0, serial: 0 });
    state.generator = seed.generator();
    (state.serial, state.asked, state.events, state.results) = (0, 0, 0, 0);
    state.waiting = false;
    state.finished = None;
    begin(&game.rules(), machine);
}

pub fn begin(rules: Play, machine: &mut Machine) {
    machine.enter(rules, rules.program.play, &[], NO_SLOT);
}

/// Whether an entrant is what the rules want of all that play, whoever else does.
pub fn admit(program: &Program, sheet: &str) -> Result<(), Problem> {
    if program.sides.admission.is_none() {
        return Ok(());
    }
    let setup = Setup {
        sides: vec![vec![sheet.to_string()]],
        seed: Seed::Number(1),
        dice: crate::runtime::dice::Dice::Seeded,
        position: None,
        watched: false,
    };
    prepare_any(program, &setup).map(|_| ())
}

fn check_sides(program: &Program, setup: &Setup) -> Result<(), Problem> {
    let sides = &program.sides;
    if !(sides.least..=sides.most).contains(&setup.sides.len()) {
        let message = format!(
            "{} sides are to play, but `{}` is for {}",
            setup.sides.len(),
            program.game,
            between(sides.least, sides.most)
        );
        return Err(Problem::error(codes::SEATS, message));
    }
    sides.check(setup.sides.iter().enumerate())?;
    program.check_known(&setup.sides)
}

/// Sides, the table and the entrants become entities.
fn add_owners(program: &Program, cast: &mut Cast, board: &mut Board) {
    for side in 0..cast.sides {
        board.add(program, SIDE, side as u16);
    }
    cast.table = board.add(program, TABLE, NOWHERE);
    for (side, ids) in cast.sheets.iter().enumerate() {
        let entrants =
            ids.iter().filter_map(|id| program.sheets.get(id)).map(|sheet| board.add(program, sheet.kind, side as u16)).collect();
        cast.entrants.push(entrants);
    }
    cast.name_entrants();
    cast.first_piece = board.entities.len() as u16;
}

/// Every entrant's abilities. Returns how many use counts there are.
fn add_abilities(program: &Program, cast: &mut Cast) -> usize {
    let mut uses = 0;
    for (side, ids) in cast.sheets.iter().enumerate() {
        for (index, sheet) in ids.iter().enumerate().filter_map(|(index, id)| Some((index, program.sheets.get(id)?))) {
            let holder = cast.entrants[side][index];
            add_instances(program, &mut cast.instances, &sheet.abilities, side as u16, holder, &mut uses);
        }
    }
    note_abilities(program, cast);
    uses
}

/// Marks of a position that do something do it from the start.
fn bear_marks(program: &Program, cast: &Cast, machine: &mut Machine) {
    let live: Vec<u16> = (0..program.marks.len()).filter(|mark| program.marks[*mark].is_live()).map(|mark| mark as u16).collect();
    for entity in 0..machine.state.board.entities.len() as Value {
        for mark in live.iter().filter(|mark| machine.has_mark(entity, **mark)).collect::<Vec<_>>() {
            machine.bear(&Fixed { program, cast }, entity, *mark, &[]);
        }
    }
}

/// The abilities of the pieces that are in this match, once these are known.
fn add_abilities_of_pieces(program: &Program, cast: &mut Cast, state: &mut State) {
    let mut uses = state.uses.len();
    let before = cast.instances.len();
    for (piece, entity) in state.board.entities.iter().enumerate().skip(usize::from(cast.first_piece)) {
        if !program.is_printed(entity.kind) {
            continue;
        }
        let print = state.board.field(piece as Value, PIECE_SHEET).and_then(|print| program.prints.print(print));
        let side = u16::try_from(state.board.side_of(program, piece as Value)).unwrap_or(0);
        if let Some(print) = print {
            add_instances(program, &mut cast.instances, &print.abilities, side, piece as u16, &mut uses);
        }
    }
    if cast.instances.len() > before {
        note_abilities(program, cast);
        state.uses.resize(uses, UseCount { times: 0, serial: 0 });
    }
}

fn add_instances(program: &Program, instances: &mut Vec<Instance>, listed: &[Listed], side: u16, holder: u16, uses: &mut usize) {
    for Listed { ability, settings } in listed {
        let settings = settings.unwrap_or(NONE);
        let conditional = !program.abilities[*ability as usize].works.is_empty();
        instances.push(Instance { ability: *ability, side, holder, uses: *uses as u16, settings, conditional });
        *uses += program.abilities[*ability as usize].uses.len();
    }
}

/// Where the abilities listen and what they grant.
fn note_abilities(program: &Program, cast: &mut Cast) {
    cast.listeners = (0..program.hooks.len())
        .map(|hook| (0..cast.sides).map(|first| listeners(program, cast, hook, first)).collect())
        .collect();
    cast.grants = vec![Vec::new(); program.families.len()];
    cast.bars = vec![Vec::new(); program.families.len()];
    for (instance, found) in cast.instances.iter().enumerate() {
        for bar in &program.abilities[found.ability as usize].bars {
            let speaks = |family: &usize| program.is_family(*family as u16, program.bars[*bar as usize].family);
            (0..program.families.len()).filter(speaks).for_each(|family| cast.bars[family].push((instance as u16, *bar)));
        }
    }
    for (instance, found) in cast.instances.iter().enumerate() {
        for (index, grant) in program.abilities[found.ability as usize].grants.iter().enumerate() {
            cast.grants[grant.family as usize].push(Grant { instance: instance as u16, index: index as u16 });
        }
    }
}

/// Who hears of a hook, in order: kind, layer, priority, the side asked first and those after it, order on the sheet.
fn listeners(program: &Program, cast: &Cast, hook: usize, first: usize) -> Vec<Listener> {
    let mut found = Vec::new();
    for (instance, listed) in cast.instances.iter().enumerate() {
        let distance = (listed.side as usize + cast.sides - first) % cast.sides;
        for clause in &program.abilities[listed.ability as usize].clauses {
            let info = &program.clauses[*clause as usize];
            if info.hook as usize == hook {
                let order = (info.kind, info.layer, info.priority, distance, instance, *clause);
                found.push((order, Listener { clause: *clause, instance: instance as u16 }));
            }
        }
    }
    found.sort_by_key(|(order, _)| *order);
    found.into_iter().map(|(_, listener)| listener).collect()
}

/// The first values of everything but pieces; what sheets say stands in place of what the rules would work out. What a
/// position says of fields that are printed on no sheet comes last.
fn give_first_values(program: &Program, cast: &Cast, machine: &mut Machine, position: Option<&Position>, lines: &[Line]) {
    for entity in 0..cast.first_piece {
        let stated = printed_fields(program, cast, entity, position).into_iter().map(|(field, _)| field);
        let known = lines.iter().filter(|(entrant, ..)| *entrant == entity).map(|(_, field, _)| *field);
        let given: Vec<u16> = stated.chain(known).collect();
        machine.initialise(&Fixed { program, cast }, Value::from(entity), &given);
    }
    for entrant in cast.entrants.iter().flatten().copied() {
        let Some(setting) = setting_of(cast, entrant, position) else { continue };
        let kind = machine.state.board.entities[entrant as usize].kind;
        for (field, value) in fields_stated(program, cast, kind, setting, false) {
            if let Some(cell) = machine.state.board.field_mut(Value::from(entrant), field) {
                *cell = value;
            }
        }
        mark_all(program, machine, entrant as usize, &setting.marks);
    }
    for (side, found) in position.map(|position| &position.sides).into_iter().flatten().enumerate() {
        mark_all(program, machine, side, &found.marks);
    }
}

/// The marks that a position says an entity bears.
fn mark_all(program: &Program, machine: &mut Machine, entity: usize, marks: &[String]) {
    for mark in marks.iter().filter_map(|name| program.marks.iter().position(|mark| mark.name == *name)) {
        machine.state.board.entities[entity].marks |= 1 << mark;
    }
}

/// What its sheet says of an entrant's fields, with what a position says in its place.
fn printed_fields(program: &Program, cast: &Cast, entity: u16, position: Option<&Position>) -> Vec<(u16, Value)> {
    let Some(sheet) = cast.sheet_of(entity).and_then(|id| program.sheets.get(id)) else { return Vec::new() };
    let mut fields = sheet.fields.clone();
    if let Some(setting) = setting_of(cast, entity, position) {
        fields.extend(fields_stated(program, cast, sheet.kind, setting, true));
    }
    fields
}

/// What a position says of an entrant, if the same one stands there.
pub fn setting_of<'p>(cast: &Cast, entrant: u16, position: Option<&'p Position>) -> Option<&'p EntrantPosition> {
    let (side, index) = cast.place_of(entrant)?;
    let found = position?.sides.get(side)?;
    let is_same = found.entrants.get(index)?.value == cast.sheets[side][index];
    found.settings.get(index).filter(|_| is_same)
}

/// The fields that a position states, those that sheets print or the others.
fn fields_stated(program: &Program, cast: &Cast, kind: u16, setting: &EntrantPosition, printed: bool) -> Vec<(u16, Value)> {
    let fields = program.kind(kind).fields.iter().enumerate().filter(|(_, field)| field.printed == printed);
    let stated = fields.filter_map(|(index, field)| {
        let words = setting.fields.get(&field.name)?;
        Some((index as u16, value_stated(program, cast, &field.shape, &words.value)?))
    });
    stated.collect()
}

/// Before anything is worked out, entrants have what their sheets and a position say, and the lines known already.
fn print_fields(program: &Program, cast: &Cast, board: &mut Board, position: Option<&Position>, lines: &[Line]) {
    let stated = |entrant: &u16| {
        let entrant = *entrant;
        printed_fields(program, cast, entrant, position).into_iter().map(move |(field, value)| (entrant, field, value))
    };
    for (entrant, field, value) in cast.entrants.iter().flatten().flat_map(stated).chain(lines.iter().copied()) {
        if let Some(cell) = board.field_mut(Value::from(entrant), field) {
            *cell = value;
        }
    }
}

/// A field of an entrant and its value.
type Line = (u16, u16, Value);

/// Lines of sheets that the rules work out: of what the sheets list, wherever a position says that it lies now.
fn worked_out_lines(program: &Program, setup: &Setup) -> Vec<Line> {
    let Some(position) = &setup.position else { return Vec::new() };
    let mut cast = Cast { sides: setup.sides.len(), sheets: setup.sides.clone(), ..Cast::default() };
    let mut board = Board::default();
    add_owners(program, &mut cast, &mut board);
    print_fields(program, &cast, &mut board, Some(position), &[]);
    let uses = vec![UseCount { times: 0, serial: 0 }; add_abilities(program, &mut cast)];
    let mut machine =
        Machine::new(State { board, uses, ..State::empty() }, crate::runtime::dice::Dice::Listed(Vec::new()), false);
    lay_out(program, &mut cast, &mut machine, None);
    give_first_values(program, &cast, &mut machine, Some(position), &[]);
    let board = &machine.state.board;
    let entrants = cast.entrants.iter().flatten().copied();
    let lines = entrants.flat_map(|entrant| {
        let kind = board.entities.get(entrant as usize).map_or(0, |found| found.kind);
        let derived = program.defaults.iter().filter(move |(of, _, _)| *of == kind).map(|(_, index, _)| *index);
        let printed =
            derived.filter(move |index| program.kind(kind).fields.get(*index as usize).is_some_and(|field| field.printed));
        printed.filter_map(move |index| Some((entrant, index, board.field(Value::from(entrant), index)?)))
    });
    lines.collect()
}

/// An entrant that is not what the rules want of all that play. A position may hold whatever it likes.
fn not_admitted(program: &Program, cast: &Cast, machine: &mut Machine) -> Option<Problem> {
    let admission = program.sides.admission.as_ref()?;
    let rules = &Fixed { program, cast };
    for (entrant, sheet) in cast.entrants.iter().flatten().zip(cast.sheets.iter().flatten()) {
        machine.state.slots.clear();
        machine.state.slots.resize(usize::from(admission.slots), NONE);
        machine.set_slot(0, 0, Value::from(*entrant));
        let admitted = machine.evaluate(rules, 0, &admission.when) != 0;
        let why_not = (!admitted).then(|| machine.render(rules, 0, admission.why_not));
        machine.state.slots.clear();
        machine.state.lists.clear();
        if let Some(why_not) = why_not.filter(|_| machine.fault.is_none()) {
            let problem = Problem::error(codes::NOT_ADMITTED, format!("`{sheet}` cannot play: {why_not}"));
            return Some(problem.help("bring another, or change the mode or the options of the game"));
        }
    }
    None
}

/// A first value that the rules worked out and do not allow.
fn unfit_value(program: &Program, cast: &Cast, board: &Board) -> Option<Problem> {
    let entrants = cast.entrants.iter().flatten();
    entrants.copied().find_map(|entrant| {
        let kind = board.entities.get(entrant as usize)?.kind;
        let derived = program.defaults.iter().filter(|(of, _, _)| *of == kind);
        derived.into_iter().find_map(|(_, index, _)| {
            let field = program.kind(kind).fields.get(*index as usize)?;
            let (least, most) = field.range.filter(|_| cast.has(program, Value::from(entrant), &field.sheets))?;
            let value = board.field(Value::from(entrant), *index).filter(|value| *value != NONE)?;
            if (least..=most).contains(&value) {
                return None;
            }
            let id = cast.sheet_of(entrant).unwrap_or_default();
            let message = format!("`{}` of `{id}` comes to {value}, but goes from {least} to {most}", field.name);
            let help = format!("give `{}` itself, or change what it is worked out from", field.name);
            Some(Problem::error(codes::FIRST_VALUE, message).help(help))
        })
    })
}

/// The fields of an entrant of a sheet as they are before play, in a match in which everybody brings it.
pub fn first_values(program: &Program, sheet: &str) -> Result<Vec<Value>, Problem> {
    let entrants = vec![sheet.to_string(); program.sides.entrants_least.max(1)];
    let sheets = vec![entrants; program.sides.least.max(1)];
    let mut cast = Cast { sides: sheets.len(), sheets, ..Cast::default() };
    let mut board = Board::default();
    add_owners(program, &mut cast, &mut board);
    print_fields(program, &cast, &mut board, None, &[]);
    let uses = vec![UseCount { times: 0, serial: 0 }; add_abilities(program, &mut cast)];
    let state = State { board, uses, ..State::empty() };
    let mut machine = Machine::new(state, crate::runtime::dice::Dice::Listed(Vec::new()), false);
    lay_out(program, &mut cast, &mut machine, None);
    give_first_values(program, &cast, &mut machine, None, &[]);
    if let Some(fault) = machine.fault.take() {
        return Err(*fault);
    }
    let board = &machine.state.board;
    if let Some(problem) = unfit_value(program, &cast, board) {
        return Err(problem);
    }
    let entrant = cast.entrants.first().and_then(|side| side.first()).copied().unwrap_or_default();
    let count = board.entities.get(entrant as usize).map_or(0, |found| program.kind(found.kind).fields.len());
    Ok((0..count).filter_map(|field| board.field(Value::from(entrant), field as u16)).collect())
}

// --- positions -------------------------------------------------------------------

/// A value in the words of a position: entrants by their keys, pieces by their ids there, all else as files have it.
pub fn value_stated(program: &Program, cast: &Cast, shape: &Shape, words: &str) -> Option<Value> {
    match shape {
        Shape::OrNone(_) if words == "none" => Some(NONE),
        Shape::OrNone(inner) => value_stated(program, cast, inner, words),
        Shape::Entity(kind) => match program.kind(*kind).sort {
            KindSort::Side => words.parse().ok().filter(|side| (0..cast.sides as Value).contains(side)),
            KindSort::Entrant => cast.entrant_called(words).map(Value::from),
            KindSort::Piece => cast.labels.get(words).map(|number| (usize::from(cast.first_piece) + number) as Value),
            KindSort::Table => None,
        },
        _ => field::read_value(program, shape, words),
    }
}

/// Sets a field that a position has been checked to state.
pub fn set_field_stated(program: &Program, cast: &Cast, board: &mut Board, entity: u16, name: &str, words: &str) {
    let Some(kind) = board.entities.get(usize::from(entity)).map(|found| found.kind) else { return };
    let Some(index) = program.kind(kind).fields.iter().position(|field| field.name == name) else { return };
    let value = value_stated(program, cast, &program.kind(kind).fields[index].shape, words);
    if let (Some(value), Some(cell)) = (value, board.field_mut(Value::from(entity), index as u16)) {
        *cell = value;
    }
}
