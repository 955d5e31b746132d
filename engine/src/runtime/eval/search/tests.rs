//! Each search against the plain evaluator: the same moves in the same order.

mod gathered;
mod large;
mod paired;

use super::*;
use crate::runtime::flow::Machine;
use crate::runtime::{Session, Setup};
use crate::testing::{game, position_setup};
use ludex_program::{DIE_VALUE, Expr, Program};
use proptest::prelude::*;
use std::sync::{Arc, LazyLock};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Plan {
    Product,
    Compare,
    SumEqual,
    Paired,
    Walk,
}

const TABLE: &str = "
sides 2
die sizes 30
each side has { zone in_play, spare: dice, open }
the table has { counter spread = 3 }
piece die (dice) {
  weight: number
  mark barred \"cannot be used\"
}
family def_use(active: side) {}
to play { do turn(first of sides) }
entry scope turn(active: side) { active may \"Wait?\" as waits }
";

const MINE: &str = "in active.in_play";
const YOURS: &str = "in active.foe.in_play";

/// Roles, conditions, and the search they should get.
fn shapes() -> Vec<(String, String, Plan)> {
    let mut shapes = Vec::new();
    let mut add = |roles: String, conditions: &str, plan| shapes.push((roles, conditions.to_string(), plan));
    let pair = format!("die {MINE}, target {YOURS}");
    let dice = |amount: &str| format!("dice: {amount} {MINE}");
    // Every way to fill each role.
    add(pair.clone(), "", Plan::Product);
    add(format!("{}, target {YOURS}", dice("2 to 3")), "", Plan::Product);
    add(format!("die: none or 1 {MINE}, dice: any number in active.spare"), "", Plan::Product);
    add(format!("die {MINE} + active.spare + active.in_play, number in (1..4)"), "", Plan::Product);
    add("side in sides".to_string(), "when side is not active", Plan::Product);
    add(format!("die {MINE} where it is not barred"), "when die.value >= 3 when count of active.spare >= 1", Plan::Product);
    add(format!("dice: 1 or more {MINE} where it is not barred and it.value <= 12"), "", Plan::Product);
    add(format!("die {MINE} where it.value <= 3 or it.value >= 12"), "", Plan::Product);
    add(format!("die {MINE} where it is barred or it.weight > 2, target {YOURS}"), "", Plan::Product);
    // One of each of two roles, whichever is named first on either side of the comparison.
    for operator in ["=", "!=", "<", "<=", ">", ">="] {
        add(pair.clone(), &format!("when die.value {operator} target.value"), Plan::Compare);
        add(pair.clone(), &format!("when target.value {operator} die.value"), Plan::Compare);
        add(format!("number in (1..8), die {MINE}"), &format!("when number {operator} die.value"), Plan::Compare);
        add(format!("number in (1..8), die {MINE}"), &format!("when die.weight {operator} number"), Plan::Compare);
    }
    add(format!("die {MINE}, other {MINE}"), "when die is not other", Plan::Compare);
    add(format!("die {MINE}, other {MINE} + active.spare"), "when die is other", Plan::Compare);
    let barred = format!("die {MINE} where it is not barred, target {YOURS} where it is barred");
    add(barred, "when die.value >= target.value when target.value >= 4", Plan::Compare);
    // A set with a sum.
    for amount in ["2 or more", "1 or more", "any number", "3", "1 to 3", "0 to 2", "2 to count of active.spare"] {
        add(format!("{}, target {YOURS}", dice(amount)), "when sum of dice.value = target.value", Plan::SumEqual);
    }
    add(format!("{}, target {YOURS}", dice("1 or more")), "when target.value = sum of dice.value", Plan::SumEqual);
    add(format!("{}, target {YOURS}", dice("1 or more")), "when sum of dice.weight = target.weight", Plan::SumEqual);
    add("numbers: 1 or more in (1..6), number in (1..12)".to_string(), "when sum of numbers = number", Plan::SumEqual);
    let filtered = format!("{} where it is not barred, target {YOURS} where it is not barred", dice("1 or more"));
    add(filtered, "when sum of dice.value = target.value when target.value >= 3", Plan::SumEqual);
    // And with one more that joins the sum.
    let joined = |amount: &str| format!("{}, droid in active.spare, target {YOURS}", dice(amount));
    add(joined("1 or more"), "when sum of dice.value + droid.value = target.value", Plan::SumEqual);
    add(joined("1 to 3"), "when droid.size + sum of dice.value = target.value", Plan::SumEqual);
    add(joined("any number"), "when target.value = sum of dice.value + droid.value", Plan::SumEqual);
    add(joined("0 to 2"), "when sum of dice.weight + droid.weight = target.weight", Plan::SumEqual);
    // Two things, of which the second is only compared; and the first, too, or not.
    for (condition, turned) in [
        ("when die.value + 1 = target.value", Plan::Walk),
        ("when die.value >= target.value when die.weight < target.weight", Plan::Paired),
        ("when die.value > target.value or die.value = target.value and target.weight > die.weight", Plan::Paired),
        ("when not (die.value > 4 and target.value < 3) when not (target.weight = die.weight or 6 > die.value)", Plan::Paired),
        ("when count of (active.spare where it.value = die.value) > target.value or die.value > 8", Plan::Walk),
        ("when target.value != sum of active.spare.value - die.value", Plan::Walk),
    ] {
        add(pair.clone(), condition, Plan::Paired);
        add(format!("target {YOURS}, die {MINE} where it is not barred"), condition, turned);
    }
    let numbers = "number in (1..70), other in (-2..count of active.spare)";
    for condition in [
        "when number > count of active.foe.in_play or (number = count of active.foe.in_play and other > 1)",
        "when number > spread or (spread = number and other > 1)",
        "when not (number < spread and not (other < spread)) when other != spread",
        "when (number > 60 and other > 0) or (5 < number and number < 9) or number = other",
        "when number > 60 and other > 0 or not (number < 9) and other = 2",
    ] {
        add(numbers.to_string(), condition, Plan::Paired);
        add("other in (-2..count of active.spare), number in (1..70)".to_string(), condition, Plan::Paired);
    }
    // No shape that a search knows.
    add(pair.clone(), "when target.value + 1 = die.value + target.weight", Plan::Walk);
    add(pair.clone(), "when die.value > 3 or count of (active.spare where it.value = target.value) > 1", Plan::Walk);
    add(format!("dice: 1 to 3 {MINE}, target {YOURS}"), "when sum of dice.value > target.value", Plan::Walk);
    add(format!("target {YOURS}, {}", dice("1 to 3")), "when sum of dice.value = target.value", Plan::Walk);
    add(format!("die: none or 1 {MINE}, other: none or 1 in active.spare"), "when die is not other", Plan::Walk);
    add(format!("die {MINE}, other: none or 1 {MINE}"), "when die is other", Plan::Walk);
    add(format!("die: none or 1 {MINE}, target {YOURS}"), "when die is none or target.value = 3", Plan::Walk);
    // What is gathered of the members of a set.
    for condition in [
        "when sum of dice.value >= target.value",
        "when sum of dice.value < target.value when count of dice is odd",
        "when sum of dice.value - count of dice = target.value",
        "when all of dice has it.value >= target.value",
        "when all of dice has it.value = (first of dice).value when target.value > (first of dice).value",
        "when none of dice has it.value = 3 when any of dice has (it.value > 8 and it is not barred) or target.weight = 2",
        "when highest of dice.value - lowest of dice.value < count of (dice where it.value > 2) when target.value > 1",
        "when sum of (dice where it is barred).value > target.weight",
        "when target.value < 12 or sum of dice.weight * 3 > 20 or first of active.in_play in dice",
    ] {
        for amount in ["1 or more", "any number", "2 to 4"] {
            // Of none there is no first.
            if amount == "any number" && condition.contains("(first of dice)") {
                continue;
            }
            add(format!("{}, target {YOURS}", dice(amount)), condition, Plan::Walk);
        }
        add(format!("target {YOURS}, {}, droid: none or 1 in active.spare", dice("1 or more")), condition, Plan::Walk);
    }
    add(dice("1 or more"), "when sum of dice.value >= 10", Plan::Walk);
    // Any two of them together: sums, numbers of members, extremes, and which members there are.
    let asked = [
        "sum of dice.value = target.value",
        "sum of dice.weight > target.weight",
        "count of dice is odd",
        "count of (dice where it is not barred) <= target.weight",
        "highest of dice.value <= target.value",
        "lowest of dice.weight < 2",
        "all of dice has it.value != target.value",
        "any of dice has it is barred",
        "first of active.in_play in dice",
    ];
    for (place, one) in asked.iter().enumerate() {
        for (further, other) in asked[place + 1..].iter().enumerate() {
            let amount = ["1 or more", "any number", "2 to 4"][(place + further) % 3];
            let condition = match further % 4 {
                0 => format!("when {one} when {other}"),
                1 => format!("when {one} or {other}"),
                2 => format!("when {one} and not ({other})"),
                _ => format!("when not ({one} or not ({other}))"),
            };
            add(format!("{}, target {YOURS}", dice(amount)), &condition, Plan::Walk);
        }
    }
    // Roles that depend on others.
    add(format!("die {MINE}, target {YOURS} where it.value < die.value"), "", Plan::Walk);
    add(format!("die {MINE}, dice: 1 to die.value in active.spare"), "", Plan::Walk);
    add("side in sides, die in side.in_play + side.spare + side.in_play".to_string(), "", Plan::Walk);
    add("side in sides, dice: 2 in side.in_play".to_string(), "when sum of dice.value >= 9", Plan::Walk);
    shapes
}

fn program() -> Arc<Program> {
    static PROGRAM: LazyLock<Arc<Program>> = LazyLock::new(|| {
        let actions = shapes()
            .into_iter()
            .enumerate()
            .map(|(index, (roles, conditions, _))| format!("action deed_{index}({roles}) is def_use\n  {conditions}\n"));
        game(&format!("{TABLE}{}", actions.collect::<String>())).program()
    });
    PROGRAM.clone()
}

/// A die as it is drawn for a test: value, weight, barred.
type Drawn = (i32, i32, bool);

/// A session in which such dice lie; the second side's and the spare ones after the first side's.
fn session(mine: &[Drawn], yours: &[Drawn], spare: &[Drawn]) -> Session {
    let text = "sides: [{zones: {in_play: [30], spare: [30]}}, {zones: {in_play: [30]}}]\nat: turn(active: 0)\n";
    let mut setup = Setup { watched: false, ..position_setup(&program(), text) };
    let sides = setup.position.iter_mut().flat_map(|position| &mut position.sides);
    // So many as no file may list.
    for (zone, dice) in sides.flat_map(|side| side.zones.values_mut()).zip([mine, spare, yours]) {
        *zone = vec![zone[0].clone(); dice.len()];
    }
    let mut session = Session::start(program(), &setup).expect("the position is sound");
    let first = session.game.roster.first_piece;
    let board = &mut session.machine.state.board;
    // Pieces are made in the order of the text.
    for (index, (value, weight, barred)) in mine.iter().chain(spare).chain(yours).enumerate() {
        let id = first + index as u16;
        *board.field_mut(Value::from(id), DIE_VALUE).expect("a die") = *value;
        *board.field_mut(Value::from(id), DIE_VALUE + 1).expect("a die") = *weight;
        board.entities[id as usize].marks = u32::from(*barred);
    }
    session
}

/// The same action with nothing but a walk: all conditions are asked of all combinations.
fn plain(action: &ActionInfo) -> ActionInfo {
    let mut plain = action.clone();
    (plain.aggregation, plain.pairing) = (None, None);
    let mut conditions: Vec<Expr> = std::mem::take(&mut plain.guard);
    conditions.extend(action.conditions.iter().map(|condition| condition.expr.clone()));
    plain.roles.iter_mut().for_each(|role| role.shared = None);
    for role in plain.roles.iter_mut().filter(|role| matches!(role.amount, RoleAmount::One) && role.after == 0) {
        conditions.append(&mut role.filter);
        role.tests.clear();
        role.excluded_marks = 0;
    }
    let after = plain.roles.len();
    plain.search = SearchPlan::Walk(conditions.into_iter().map(|expr| JoiningCondition { expr, after }).collect());
    plain
}

/// A machine in which an action's slots are open, from where they lie, and where its candidates are gathered.
fn machine_for(session: &Session, action: &ActionInfo) -> (Machine, usize, CandidateSets) {
    let mut machine = session.machine.clone();
    let base = machine.state.slots.len();
    machine.state.slots.push(0);
    machine.state.slots.resize(base + action.slots as usize, NONE);
    let mut gathered = CandidateSets::default();
    gathered.begin_family(session.game.program.families[0].shared.len());
    (machine, base, gathered)
}

/// Every move, each role as the things that fill it, as `nth` tells it.
fn all(search: &Search, gathered: &CandidateSets, roles: usize) -> Vec<Vec<Vec<Value>>> {
    let one = |index: u64| {
        let chosen =
            search.nth_move(gathered, index, roles).unwrap_or_else(|| panic!("move {index} of {} is missing", search.count));
        chosen[..roles].iter().enumerate().map(|(role, chosen)| search.role_things(gathered, role, *chosen).collect()).collect()
    };
    (0..search.count).map(one).collect()
}

/// All moves that a search finds, each role as the things that fill it; `shared`: among what the whole family takes.
fn moves(session: &Session, action: &ActionInfo, shared: bool) -> Vec<Vec<Vec<Value>>> {
    let (mut machine, base, mut gathered) = machine_for(session, action);
    let (context, mut search) = (&session.game.play_context(), Search::default());
    let family = &context.program.families[0];
    let counted = shared && action.fillings.is_some() && {
        machine.look_up_shared(context, base, family, &mut gathered);
        search.lay_out(action);
        search.recount_moves(&gathered, action.roles.len())
    };
    if !counted {
        machine.count_moves(context, base, action, &mut gathered, &mut search);
    }
    assert_eq!(machine.fault, None);
    let roles = action.roles.len();
    let found = all(&search, &gathered, roles);
    assert!(search.nth_move(&gathered, search.count, roles).is_none());
    found
}

fn compare(index: usize, mine: &[Drawn], yours: &[Drawn], spare: &[Drawn]) -> Result<(), TestCaseError> {
    let session = session(mine, yours, spare);
    let action = &session.game.program.actions[index];
    let found = moves(&session, action, false);
    prop_assert_eq!(&found, &moves(&session, action, true), "{:?}", &shapes()[index]);
    let plainly = moves(&session, &plain(action), false);
    prop_assert_eq!(&found, &plainly, "{:?}", &shapes()[index]);
    let mut different = found.clone();
    different.sort();
    different.dedup();
    prop_assert_eq!(different.len(), found.len(), "no move comes twice: {:?}", &shapes()[index]);
    Ok(())
}

fn drawn(most: usize) -> impl Strategy<Value = Vec<Drawn>> {
    prop::collection::vec(
        (0..=30i32, prop_oneof![3 => 0..=8i32, 1 => -5..=5i32, 1 => 0..=70_000i32], prop::bool::weighted(0.2)),
        0..=most,
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn searches_find_what_the_plain_evaluator_finds(index in 0..shapes().len(), mine in drawn(10), yours in drawn(10), spare in drawn(4)) {
        compare(index, &mine, &yours, &spare)?;
    }
}

#[test]
fn what_every_choice_goes_through_stays_small() {
    assert!(size_of::<Chosen>() <= 16 && size_of::<Filling>() <= 16);
}

#[test]
fn each_shape_gets_the_search_made_for_it() {
    for (index, (roles, conditions, wanted)) in shapes().iter().enumerate() {
        let found = match program().actions[index].search {
            SearchPlan::Product => Plan::Product,
            SearchPlan::Compare { .. } => Plan::Compare,
            SearchPlan::SumEqual { .. } => Plan::SumEqual,
            SearchPlan::Walk(_) if program().actions[index].pairing.is_some() => Plan::Paired,
            SearchPlan::Walk(_) => Plan::Walk,
        };
        assert_eq!(found, *wanted, "({roles}) {conditions}");
    }
}

#[test]
fn every_shape_agrees_where_nothing_or_much_lies() {
    let many: Vec<Drawn> = (0..10).map(|index| (index % 7, index, index % 4 == 0)).collect();
    for index in 0..shapes().len() {
        for (mine, yours, spare) in [(0, 0, 0), (0, 3, 1), (3, 0, 0), (1, 1, 1), (10, 2, 2)] {
            compare(index, &many[..mine], &many[..yours], &many[..spare]).unwrap_or_else(|problem| panic!("{problem}"));
        }
    }
}

#[test]
fn a_set_from_too_many_things_is_refused() {
    let (roles, _, plan) = &shapes()[6];
    assert!(roles.starts_with("dice: 1 or more") && matches!(plan, Plan::Product));
    // Pairs, of which each is looked at.
    let last = shapes().len() - 1;
    for (index, most) in [(6, 64), (last, 64)] {
        assert_eq!(refusal(index, most), None);
        let words = format!("`dice` of `deed_{index}` has {} things to choose from, but at most {most} are allowed", most + 1);
        assert_eq!(refusal(index, most + 1), Some(words));
    }
}

/// Why the moves of a shape are not counted when a set is taken from so many dice.
fn refusal(shape: usize, dice: usize) -> Option<String> {
    let session = session(&vec![(1, 0, false); dice], &[], &[]);
    let mut machine = session.machine.clone();
    let action = &session.game.program.actions[shape];
    let base = machine.state.slots.len();
    machine.state.slots.resize(base + action.slots as usize, NONE);
    machine.state.slots[base] = 0;
    let mut gathered = CandidateSets::default();
    gathered.begin_family(session.game.program.families[0].shared.len());
    machine.count_moves(&session.game.play_context(), base, action, &mut gathered, &mut Search::default());
    machine.fault.take().map(|fault| fault.message.to_string())
}
