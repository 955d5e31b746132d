//! Before play: the players, the pieces, and the listeners.
//!
//! The *roster* is the entrants and their abilities. A *print* or sheet states values and pieces; a *default* is a value that the
//! rules compute for a field that no sheet states, and a *line* such a field of a sheet with its value. *Admission* is the
//! condition for all players (`sides … where`). The order here matters: fields from sheets, pieces, computed values, abilities of
//! pieces, marks.

use crate::runtime::context::{Context, Grant, Instance, Listener, Roster};
use crate::runtime::flow::shared_code::SharedCode;
use crate::runtime::flow::specialise::Step;
use crate::runtime::flow::{Game, Machine, PlayContext};
use crate::runtime::limits::{MOST_PIECES, MOST_WORK, WORK_OF_SHEET};
use crate::runtime::seed::Seed;
use crate::runtime::session::Setup;
use crate::runtime::session::entering::enter_position;
use crate::runtime::session::layout::make_pieces;
use crate::runtime::state::{Board, NO_SLOT, NOWHERE, State, UseCount};
use ludex_compiler::field::StatedValue;
use ludex_compiler::position::{EntrantPosition, Position};
use ludex_program::{BeforePlay, KindId, ListedAbility, NONE, PIECE_SHEET, Program, SIDE, TABLE, Value};
use ludex_syntax::codes;
use ludex_syntax::problem::{Problem, range_text};
use std::sync::Arc;

/// The players, the code specialised to them, and a machine ready to run.
pub struct PreparedMatch {
    pub roster: Roster,
    pub code: Arc<[Step]>,
    pub machine: Machine,
}

/// A roster of the players of a setup, without entities yet.
fn new_roster(setup: &Setup) -> Roster {
    Roster { sides: setup.sides.len(), sheets: setup.sides.clone(), names: setup.names.clone(), ..Roster::default() }
}

/// Prepares a match, reusing code that other matches of the same program have left.
pub fn prepare_match(program: &Program, setup: &Setup, shared: &mut SharedCode) -> Result<PreparedMatch, Problem> {
    check_sides(program, setup)?;
    prepare_unchecked(program, setup, shared)
}

/// Like [`prepare_match`], with any number of sides and entrants.
pub fn prepare_unchecked(program: &Program, setup: &Setup, shared: &mut SharedCode) -> Result<PreparedMatch, Problem> {
    let mut roster = new_roster(setup);
    let mut board = Board::default();
    add_owners(program, &mut roster, &mut board);
    let lines = compute_lines(program, setup);
    print_fields(program, &roster, &mut board, setup.position.as_ref(), &lines);
    let uses = add_abilities(program, &mut roster);
    let state = State {
        board,
        uses: vec![UseCount { times: 0, serial: 0 }; uses],
        generator: setup.seed.start_generator(),
        ..State::empty()
    };
    let mut machine = Machine::new(state, setup.dice.clone(), false);
    make_pieces(program, &mut roster, &mut machine, setup.position.as_ref());
    if machine.state.board.entities.len() > MOST_PIECES {
        return Err(Problem::error(codes::PIECE_LIMIT, "more than 10,000 pieces are in play"));
    }
    give_first_values(program, &roster, &mut machine, setup.position.as_ref(), &lines);
    add_abilities_of_pieces(program, &mut roster, &mut machine.state);
    if roster.instances.len() >= usize::from(NOWHERE) || machine.state.uses.len() >= usize::from(NOWHERE) {
        return Err(Problem::error(codes::PIECE_LIMIT, "more than 65,000 abilities are in play"));
    }
    start_mark_effects(program, &roster, &mut machine);
    if let Some(problem) = first_value_problem(program, &roster, &machine.state.board) {
        return Err(problem);
    }
    if setup.position.is_none()
        && let Some(problem) = admission_problem(program, &roster, &mut machine)
    {
        return Err(problem);
    }
    let code = shared.code_for_roster(program, &roster);
    machine.watched = setup.watched;
    let context = &PlayContext { context: Context { program, roster: &roster }, code: &code };
    match &setup.position {
        Some(position) => enter_position(context, &mut machine, position)?,
        None => begin_play(context, &mut machine),
    }
    match machine.fault.take() {
        Some(fault) => Err(*fault),
        None => Ok(PreparedMatch { roster, code, machine }),
    }
}

/// Resets a machine to its state before the first instruction, with another seed, so that a session can start again with the same
/// players.
pub fn reset_machine(game: &Game, machine: &mut Machine, seed: Seed) {
    machine.board_mut().clone_from(&game.start);
    let state = &mut machine.state;
    state.bearing.clone_from(&game.bearing);
    for list in [&mut state.slots, &mut state.lists] {
        list.clear();
    }
    state.frames.clear();
    state.lasting.clear();
    state.known.clear();
    state.use_log.clear();
    state.sealed.clear();
    state.uses.fill(UseCount { times: 0, serial: 0 });
    state.generator = seed.start_generator();
    state.numbering = state.numbering.is_some().then(|| seed.generator_of_numbers());
    (state.serial, state.asked, state.events, state.results) = (0, 0, 0, 0);
    state.waiting = false;
    state.finished = None;
    begin_play(&game.play_context(), machine);
}

/// Starts the procedure `play` of the rules.
pub fn begin_play(context: &PlayContext, machine: &mut Machine) {
    machine.start_procedure(context, context.program.play, &[], NO_SLOT);
}

/// Checks an entrant against the conditions for all players, regardless of the others.
pub fn check_admission(program: &Program, sheet: &str) -> Result<(), Problem> {
    if program.sides.admission.is_none() {
        return Ok(());
    }
    known_before_play(program, sheet).map_or_else(
        || TrialMatch::compute_for(program, sheet, MOST_WORK).check_first_entrant(program),
        |known| known.admission.clone(),
    )
}

/// Refuses players that the game does not allow, and sheets that do not exist.
fn check_sides(program: &Program, setup: &Setup) -> Result<(), Problem> {
    let sides = &program.sides;
    if !(sides.least..=sides.most).contains(&setup.sides.len()) {
        let message = format!(
            "{} sides are to play, but `{}` is for {}",
            setup.sides.len(),
            program.game,
            range_text(sides.least, sides.most)
        );
        return Err(Problem::error(codes::SEATS, message));
    }
    sides.check_all_sides(setup.sides.iter().enumerate())?;
    program.check_sheets_exist(&setup.sides)
}

/// Makes entities for the sides, the table and the entrants.
fn add_owners(program: &Program, roster: &mut Roster, board: &mut Board) {
    for side in 0..roster.sides {
        board.create_entity(program, SIDE, side as u16);
    }
    roster.table = board.create_entity(program, TABLE, NOWHERE);
    for (side, ids) in roster.sheets.iter().enumerate() {
        let entrants = ids
            .iter()
            .filter_map(|id| program.sheets.get(id))
            .map(|sheet| board.create_entity(program, sheet.kind, side as u16))
            .collect();
        roster.entrants.push(entrants);
    }
    roster.name_entrants();
    roster.first_piece = board.entities.len() as u16;
}

/// Adds every entrant's abilities. Returns the number of use counts.
fn add_abilities(program: &Program, roster: &mut Roster) -> usize {
    let mut uses = 0;
    for (side, ids) in roster.sheets.iter().enumerate() {
        for (index, sheet) in ids.iter().enumerate().filter_map(|(index, id)| Some((index, program.sheets.get(id)?))) {
            let holder = roster.entrants[side][index];
            add_instances(program, &mut roster.instances, &sheet.abilities, side as u16, holder, &mut uses);
        }
    }
    note_abilities(program, roster);
    uses
}

/// Starts the effects of marks in a position.
fn start_mark_effects(program: &Program, roster: &Roster, machine: &mut Machine) {
    let live: Vec<u16> = (0..program.marks.len()).filter(|mark| program.marks[*mark].is_live()).map(|mark| mark as u16).collect();
    for entity in 0..machine.state.board.entities.len() as Value {
        for mark in live.iter().filter(|mark| machine.has_mark(entity, **mark)).collect::<Vec<_>>() {
            machine.start_mark_effect(&Context { program, roster }, entity, *mark, &[]);
        }
    }
}

/// Adds the abilities of the pieces in this match, once these are known.
fn add_abilities_of_pieces(program: &Program, roster: &mut Roster, state: &mut State) {
    let mut uses = state.uses.len();
    let before = roster.instances.len();
    for (piece, entity) in state.board.entities.iter().enumerate().skip(usize::from(roster.first_piece)) {
        if !program.is_printed(entity.kind) {
            continue;
        }
        let print = state.board.field(piece as Value, PIECE_SHEET).and_then(|print| program.prints.find_print(print));
        let side = u16::try_from(state.board.side_of(program, piece as Value)).unwrap_or(0);
        if let Some(print) = print {
            add_instances(program, &mut roster.instances, &print.abilities, side, piece as u16, &mut uses);
        }
    }
    if roster.instances.len() > before {
        note_abilities(program, roster);
        state.uses.resize(uses, UseCount { times: 0, serial: 0 });
    }
}

/// Adds the abilities that a sheet lists, for a holder. `uses` is the number of use counts so far.
fn add_instances(
    program: &Program,
    instances: &mut Vec<Instance>,
    listed: &[ListedAbility],
    side: u16,
    holder: u16,
    uses: &mut usize,
) {
    for ListedAbility { ability, settings } in listed {
        let settings = settings.unwrap_or(NONE);
        let info = &program.abilities[*ability as usize];
        let limit = match info.uses.as_slice() {
            [limit] if !limit.shared => Some(*limit),
            _ => None,
        };
        let conditional = !info.works.is_empty();
        instances.push(Instance { ability: *ability, side, holder, uses: *uses as u16, settings, conditional, limit });
        *uses += info.uses.len();
    }
}

/// Records the listeners and grants of all abilities.
fn note_abilities(program: &Program, roster: &mut Roster) {
    roster.listeners = (0..program.hooks.len())
        .map(|hook| (0..roster.sides).map(|first| hook_listeners(program, roster, hook, first)).collect())
        .collect();
    roster.grants = vec![Vec::new(); program.families.len()];
    roster.restrictions = vec![Vec::new(); program.families.len()];
    for (instance, found) in roster.instances.iter().enumerate() {
        for restriction in &program.abilities[found.ability as usize].restrictions {
            let speaks = |family: &usize| program.is_family(*family as u16, program.restrictions[*restriction as usize].family);
            (0..program.families.len())
                .filter(speaks)
                .for_each(|family| roster.restrictions[family].push((instance as u16, *restriction)));
        }
    }
    for (instance, found) in roster.instances.iter().enumerate() {
        for (index, grant) in program.abilities[found.ability as usize].grants.iter().enumerate() {
            roster.grants[grant.family as usize].push(Grant { instance: instance as u16, index: index as u16 });
        }
    }
}

/// The listeners of a hook, in order: kind, layer, priority, the side asked first (`first`) and those after it, order on the
/// sheet.
fn hook_listeners(program: &Program, roster: &Roster, hook: usize, first: usize) -> Vec<Listener> {
    let mut found = Vec::new();
    for (instance, listed) in roster.instances.iter().enumerate() {
        let distance = (listed.side as usize + roster.sides - first) % roster.sides;
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

/// Sets the first values of everything except pieces. Values on sheets, and `lines` that are known, replace those that the rules
/// would compute. Values in a position come last, for fields that no sheet prints. Returns the field whose computation failed.
fn give_first_values(
    program: &Program,
    roster: &Roster,
    machine: &mut Machine,
    position: Option<&Position>,
    lines: &[ComputedField],
) -> Option<(KindId, u16)> {
    let mut failed = None;
    for entity in 0..roster.first_piece {
        let stated = printed_fields(program, roster, entity, position).into_iter().map(|(field, _)| field);
        let known = lines.iter().filter(|(entrant, ..)| *entrant == entity).map(|(_, field, _)| *field);
        let given: Vec<u16> = stated.chain(known).collect();
        failed = failed.or(machine.compute_defaults(&Context { program, roster }, Value::from(entity), &given));
    }
    for entrant in roster.entrants.iter().flatten().copied() {
        let Some(setting) = setting_of(roster, entrant, position) else { continue };
        let kind = machine.state.board.entities[entrant as usize].kind;
        for (field, value) in fields_stated(program, roster, kind, setting, false) {
            if let Some(cell) = machine.board_mut().field_mut(Value::from(entrant), field) {
                *cell = value;
            }
        }
        machine.state.board.entities[usize::from(entrant)].marks |= setting.marks;
    }
    let sides = position.into_iter().flat_map(|position| &position.sides);
    for (side, entity) in sides.take(roster.sides).zip(&mut machine.state.board.entities) {
        entity.marks |= side.marks;
    }
    failed
}

/// The fields of an entrant that its sheet prints, or a position in its place.
fn printed_fields(program: &Program, roster: &Roster, entity: u16, position: Option<&Position>) -> Vec<(u16, Value)> {
    let Some(sheet) = roster.sheet_of(entity).and_then(|id| program.sheets.get(id)) else { return Vec::new() };
    let mut fields = sheet.fields.clone();
    if let Some(setting) = setting_of(roster, entity, position) {
        fields.extend(fields_stated(program, roster, sheet.kind, setting, true));
    }
    fields
}

/// The part of a position about an entrant, if the same entrant is playing.
pub fn setting_of<'p>(roster: &Roster, entrant: u16, position: Option<&'p Position>) -> Option<&'p EntrantPosition> {
    let (side, index) = roster.place_of(entrant)?;
    let found = position?.sides.get(side)?;
    let is_same = found.entrants.get(index)?.value == roster.sheets[side][index];
    found.settings.get(index).filter(|_| is_same)
}

/// The fields that a position states: those that sheets print, or the others.
fn fields_stated(program: &Program, roster: &Roster, kind: u16, setting: &EntrantPosition, printed: bool) -> Vec<(u16, Value)> {
    let fields = &program.kind(kind).fields;
    let stated = setting.fields.iter().filter(|(field, _)| fields[usize::from(**field)].printed == printed);
    stated.filter_map(|(field, stated)| cells_stated(roster, *field, &stated.value)).flatten().collect()
}

/// Sets the fields of entrants that are known before any computation: from their sheets, a position, and known lines.
fn print_fields(program: &Program, roster: &Roster, board: &mut Board, position: Option<&Position>, lines: &[ComputedField]) {
    let stated = |entrant: &u16| {
        let entrant = *entrant;
        printed_fields(program, roster, entrant, position).into_iter().map(move |(field, value)| (entrant, field, value))
    };
    for (entrant, field, value) in roster.entrants.iter().flatten().flat_map(stated).chain(lines.iter().copied()) {
        if let Some(cell) = board.field_mut(Value::from(entrant), field) {
            *cell = value;
        }
    }
}

/// A field of an entrant and its value.
type ComputedField = (u16, u16, Value);

/// The computed lines of sheets, for a match that begins from a position. They are based on the contents that sheets list, even
/// if a position moves them.
fn compute_lines(program: &Program, setup: &Setup) -> Vec<ComputedField> {
    let Some(position) = &setup.position else { return Vec::new() };
    let mut roster = new_roster(setup);
    let mut board = Board::default();
    add_owners(program, &mut roster, &mut board);
    print_fields(program, &roster, &mut board, Some(position), &[]);
    let uses = vec![UseCount { times: 0, serial: 0 }; add_abilities(program, &mut roster)];
    let mut machine =
        Machine::new(State { board, uses, ..State::empty() }, crate::runtime::dice::Dice::Listed(Vec::new()), false);
    make_pieces(program, &mut roster, &mut machine, None);
    give_first_values(program, &roster, &mut machine, Some(position), &[]);
    let board = &machine.state.board;
    let entrants = roster.entrants.iter().flatten().copied();
    let lines = entrants.flat_map(|entrant| {
        let kind = board.entities.get(entrant as usize).map_or(0, |found| found.kind);
        let derived = program.defaults.iter().filter(move |(of, _, _)| *of == kind).map(|(_, index, _)| *index);
        let printed =
            derived.filter(move |index| program.kind(kind).fields.get(*index as usize).is_some_and(|field| field.printed));
        printed.filter_map(move |index| Some((entrant, index, board.field(Value::from(entrant), index)?)))
    });
    lines.collect()
}

/// The problem with an entrant that fails the conditions for all players. A position may hold any values.
fn admission_problem(program: &Program, roster: &Roster, machine: &mut Machine) -> Option<Problem> {
    let admission = program.sides.admission.as_ref()?;
    let context = &Context { program, roster };
    for (entrant, sheet) in roster.entrants.iter().flatten().zip(roster.sheets.iter().flatten()) {
        machine.state.slots.clear();
        machine.state.slots.resize(usize::from(admission.slots), NONE);
        machine.set_slot(0, 0, Value::from(*entrant));
        let admitted = machine.evaluate(context, 0, &admission.when) != 0;
        let why_not = (!admitted).then(|| machine.render(context, 0, admission.why_not));
        machine.state.slots.clear();
        machine.state.lists.clear();
        if let Some(why_not) = why_not.filter(|_| machine.fault.is_none()) {
            let problem = Problem::error(codes::NOT_ADMITTED, format!("`{sheet}` cannot play: {why_not}"));
            return Some(problem.help("choose another one, or change the mode or the options of the game"));
        }
    }
    None
}

/// The problem with a computed first value that is out of range.
fn first_value_problem(program: &Program, roster: &Roster, board: &Board) -> Option<Problem> {
    let entrants = roster.entrants.iter().flatten();
    entrants.copied().find_map(|entrant| {
        let kind = board.entities.get(entrant as usize)?.kind;
        let derived = program.defaults.iter().filter(|(of, _, _)| *of == kind);
        derived.into_iter().find_map(|(_, index, _)| {
            let field = program.kind(kind).fields.get(*index as usize)?;
            let (least, most) = field.range.filter(|_| roster.matches_sheets(program, Value::from(entrant), &field.sheets))?;
            let value = board.field(Value::from(entrant), *index).filter(|value| *value != NONE)?;
            if (least..=most).contains(&value) {
                return None;
            }
            let id = roster.sheet_of(entrant).unwrap_or_default();
            let name = &field.name;
            let allowed = if least == most { format!("must be {least}") } else { format!("must be from {least} to {most}") };
            let message = format!("`{name}` of `{id}` is worked out as {value}, but {allowed}");
            let help = match least == most {
                true => format!("change what `{name}` is worked out from"),
                false => format!("change what it is worked out from, or give `{name}` a value of its own"),
            };
            Some(Problem::error(codes::FIRST_VALUE, message).help(help))
        })
    })
}

/// The fields of an entrant of a sheet before play, in a match in which everybody brings it.
pub fn first_values(program: &Program, sheet: &str) -> Result<Vec<Value>, Problem> {
    known_before_play(program, sheet)
        .map_or_else(|| TrialMatch::compute_for(program, sheet, MOST_WORK).entrant_values(program), |known| known.values.clone())
}

/// The values of a sheet that were computed when the game was compiled, if any.
fn known_before_play<'p>(program: &'p Program, sheet: &str) -> Option<&'p BeforePlay> {
    program.sheets.get(sheet)?.before_play.as_deref()
}

/// The values that the rules compute for a sheet, and its check with `sides … where`; or the problem with that. The work is taken
/// from the rest of the budget for reading sheets. Faults that depend on the other players are reported when a match begins.
pub fn sheet_before_play(program: &Program, sheet: &str, work_left: &mut u64) -> Result<Option<Box<BeforePlay>>, Problem> {
    let works_out = |kind| kind == SIDE || kind == TABLE || program.sheets.get(sheet).is_some_and(|sheet| sheet.kind == kind);
    let has_formulas = program.defaults.iter().any(|(kind, _, _)| works_out(*kind));
    if !has_formulas && program.sides.admission.is_none() {
        return Ok(None);
    }
    let Some(most) = work_left.checked_sub(WORK_OF_SHEET) else { return Err(reading_problem(program, None)) };
    let mut beforehand = TrialMatch::compute_for(program, sheet, most);
    let values = beforehand.entrant_values(program);
    let unfit = values.as_ref().err().filter(|_| beforehand.machine.fault.is_none()).cloned();
    let admission = if unfit.is_some() { Ok(()) } else { beforehand.check_first_entrant(program) };
    let TrialMatch { machine, failed, .. } = beforehand;
    let work = machine.meter.total_work();
    let is_too_much = machine.fault.as_ref().is_some_and(|fault| fault.code == codes::STEP_LIMIT) || work > most;
    *work_left = most.saturating_sub(work);
    match unfit {
        _ if is_too_much => Err(reading_problem(program, failed)),
        Some(problem) => Err(problem),
        None => Ok(Some(Box::new(BeforePlay { values, admission }))),
    }
}

/// The problem of too much work for the sheets of a game. `failed` is the field that was being computed.
fn reading_problem(program: &Program, failed: Option<(KindId, u16)>) -> Problem {
    let what = match failed.and_then(|(kind, field)| program.kind(kind).fields.get(usize::from(field))) {
        Some(field) => format!("`{}`", field.name),
        None if program.sides.admission.is_some() => "`sides … where`".to_string(),
        None => "the values that sheets leave out".to_string(),
    };
    let message = format!("working out {what} for all sheets of `{}` takes more work than allowed", program.game);
    Problem::error(codes::TOO_MANY, message).help(format!("use fewer things in {what}, or have fewer sheets"))
}

/// A match that is about to begin, in which everybody brings the same sheet.
struct TrialMatch {
    roster: Roster,
    machine: Machine,
    /// The field whose computation failed.
    failed: Option<(KindId, u16)>,
}

impl TrialMatch {
    /// Prepares a match with this sheet up to the first values, with at most `most_work` work.
    fn compute_for(program: &Program, sheet: &str, most_work: u64) -> TrialMatch {
        let entrants = vec![sheet.to_string(); program.sides.entrants_least.max(1)];
        let sheets = vec![entrants; program.sides.least.max(1)];
        let mut roster = Roster { sides: sheets.len(), sheets, ..Roster::default() };
        let mut board = Board::default();
        add_owners(program, &mut roster, &mut board);
        print_fields(program, &roster, &mut board, None, &[]);
        let uses = vec![UseCount { times: 0, serial: 0 }; add_abilities(program, &mut roster)];
        let state = State { board, uses, ..State::empty() };
        let mut machine = Machine::new(state, crate::runtime::dice::Dice::Listed(Vec::new()), false);
        machine.meter.limit_work(most_work);
        make_pieces(program, &mut roster, &mut machine, None);
        let failed = give_first_values(program, &roster, &mut machine, None, &[]);
        TrialMatch { roster, machine, failed }
    }

    /// Fails if a computation has failed.
    fn check_fault(&self) -> Result<(), Problem> {
        self.machine.fault.as_ref().map_or(Ok(()), |fault| Err((**fault).clone()))
    }

    /// The values of the fields of the first entrant.
    fn entrant_values(&self, program: &Program) -> Result<Vec<Value>, Problem> {
        self.check_fault()?;
        let board = &self.machine.state.board;
        if let Some(problem) = first_value_problem(program, &self.roster, board) {
            return Err(problem);
        }
        let entrant = self.roster.entrants.first().and_then(|side| side.first()).copied().unwrap_or_default();
        let count = board.entities.get(entrant as usize).map_or(0, |found| program.kind(found.kind).fields.len());
        Ok((0..count).filter_map(|field| board.field(Value::from(entrant), field as u16)).collect())
    }

    /// Checks the first entrant by itself, so that texts with its name do not distinguish it from others of its sheet.
    fn check_first_entrant(&mut self, program: &Program) -> Result<(), Problem> {
        self.check_fault()?;
        self.roster.entrants.truncate(1);
        self.roster.entrants.iter_mut().for_each(|side| side.truncate(1));
        self.roster.sheets.truncate(1);
        self.roster.sheets.iter_mut().for_each(|side| side.truncate(1));
        let refusal = admission_problem(program, &self.roster, &mut self.machine);
        self.check_fault()?;
        refusal.map_or(Ok(()), Err)
    }
}

// --- positions -------------------------------------------------------------------

/// The cells of a field that a position states, each with its value: for a list, the number of members and then the members.
/// `None` if it refers to something that is not in play.
pub fn cells_stated(roster: &Roster, field: u16, stated: &StatedValue) -> Option<Vec<(u16, Value)>> {
    let StatedValue::List(members) = stated else { return Some(vec![(field, value_stated(roster, stated)?)]) };
    let behind = (field + 1..).zip(members).map(|(cell, member)| Some((cell, value_stated(roster, member)?)));
    std::iter::once(Some((field, members.len() as Value))).chain(behind).collect()
}

/// The value that a position states. `None` if it refers to something that is not in play.
pub fn value_stated(roster: &Roster, stated: &StatedValue) -> Option<Value> {
    match stated {
        StatedValue::Value(value) => Some(*value),
        StatedValue::List(_) => None,
        StatedValue::Side(side) => (*side < roster.sides).then_some(*side as Value),
        StatedValue::Entrant(key) => roster.entrant_by_key(key).map(Value::from),
        StatedValue::Piece(label) => roster.labels.get(label).map(|number| (usize::from(roster.first_piece) + number) as Value),
    }
}
