//! Sets read member by member: against the plain evaluator, and where there are too many for that.

use super::*;
use crate::runtime::eval::narrowing::{MoveCondition, Narrowing};

/// The moves of an action whose sets are read member by member, found by rank however few there are.
fn by_reading(session: &Session, action: &ActionInfo) -> Option<(Search, CandidateSets)> {
    let (mut machine, base, mut gathered) = machine_for(session, action);
    let (context, mut search) = (session.game.play_context(), Search::default());
    machine.count_moves(&context, base, action, &mut gathered, &mut search);
    assert_eq!(machine.fault, None);
    let plan = action.aggregation.as_deref()?;
    let set = plan.set;
    let can_be_filled = |(role, candidates): (&RoleInfo, usize)| match &role.amount {
        RoleAmount::One => candidates > 0,
        RoleAmount::OneOrNone => true,
        RoleAmount::Some(least, _) => !matches!(least, Expr::Constant(least) if *least > candidates as Value),
    };
    let candidates = (0..action.roles.len()).map(|role| search.candidate_set(&gathered, role).all.len());
    if !action.roles.iter().zip(candidates).all(can_be_filled) || search.candidate_set(&gathered, set).all.is_empty() {
        return None;
    }
    // What was counted before is as if nothing had been.
    search.keep_moves(Vec::new());
    assert!(
        machine.read_any_sets(&context, base, action, plan, &gathered, &mut search),
        "{:?} {:?}",
        action.roles.iter().map(|role| &role.name).collect::<Vec<_>>(),
        machine.fault
    );
    Some((search, gathered))
}

/// The shapes of which sets are read so.
fn read() -> Vec<usize> {
    let program = program();
    (0..shapes().len()).filter(|index| program.actions[*index].aggregation.is_some()).collect()
}

fn compare_readings(index: usize, mine: &[Drawn], yours: &[Drawn], spare: &[Drawn]) -> Result<(), TestCaseError> {
    let session = session(mine, yours, spare);
    let action = &session.game.program.actions[index];
    let Some((mut search, gathered)) = by_reading(&session, action) else { return Ok(()) };
    let plainly = moves(&session, &plain(action), false);
    let roles = action.roles.len();
    prop_assert_eq!(&all(&search, &gathered, roles), &plainly, "{:?}", &shapes()[index]);
    for (index, filled) in plainly.iter().enumerate() {
        prop_assert_eq!(search.place_of(&gathered, filled), Some(MoveIndex::Numbered(index as u64)));
    }
    compare_what_is_left(&search, &plainly)?;
    search.list_moves(&gathered, roles, search.count / 2);
    search.list_moves(&gathered, roles, search.count);
    prop_assert_eq!(&all(&search, &gathered, roles), &plainly, "listed");
    Ok(())
}

/// Narrowings and what a set is put together of, against the moves themselves.
fn compare_what_is_left(search: &Search, plainly: &[Vec<Vec<Value>>]) -> Result<(), TestCaseError> {
    let Some(ranked) = search.rank_tables() else { return Ok(()) };
    let (set, moves) = (ranked.moves.set, &ranked.moves);
    prop_assert_eq!(moves.largest_set(), plainly.iter().map(|filled| filled[set].len()).max());
    let useful: std::collections::BTreeSet<Value> = plainly.iter().flat_map(|filled| filled[set].clone()).collect();
    prop_assert_eq!(moves.useful_members(&[]).into_iter().collect::<std::collections::BTreeSet<_>>(), useful.clone());
    prop_assert!(plainly.iter().all(|filled| moves.is_complete(&filled[set])));
    for thing in useful.iter().take(3) {
        let has = |filled: &&Vec<Vec<Value>>| filled[set].contains(thing);
        prop_assert_eq!(
            moves.require_things(&[*thing]).largest_set(),
            plainly.iter().filter(has).map(|filled| filled[set].len()).max()
        );
        for other in (0..plainly[0].len()).filter(|role| *role != set) {
            let things: Vec<Value> = moves.usable_things(other);
            let found: std::collections::BTreeSet<Value> = plainly.iter().map(|filled| filled[other][0]).collect();
            prop_assert_eq!(things.iter().copied().collect::<std::collections::BTreeSet<_>>(), found);
            // Whoever takes the thing must fill the other role with its first filling, and the other way round.
            let is = MoveCondition::Is { role: other, things: things[..1].to_vec() };
            let has = MoveCondition::Has { role: set, thing: *thing };
            let mut narrowing = Narrowing::default();
            narrowing
                .add_condition(is.clone().and_condition(has.clone()).or_condition(is.negate().and_condition(has.negate())), true);
            let left = plainly.iter().filter(|filled| filled[set].contains(thing) == (filled[other][0] == things[0])).count();
            prop_assert_eq!(Ranks::new(moves.narrow_moves(&narrowing)).map(|ranks| ranks.count), Some(left as u64));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sets_that_are_read_are_what_the_plain_evaluator_finds(
        index in prop::sample::select(read()),
        mine in drawn(8),
        yours in drawn(4),
        spare in drawn(2),
    ) {
        compare_readings(index, &mine, &yours, &spare)?;
    }
}

#[test]
fn every_shape_that_is_read_agrees_where_nothing_or_much_lies() {
    let many: Vec<Drawn> = (0..10).map(|index| (index % 7, index % 3, index % 4 == 0)).collect();
    assert!(read().len() > 30, "{:?}", read());
    for index in read() {
        for (mine, yours, spare) in [(0, 0, 0), (0, 3, 1), (3, 0, 0), (1, 1, 1), (10, 4, 2)] {
            compare_readings(index, &many[..mine], &many[..yours], &many[..spare]).unwrap_or_else(|problem| panic!("{problem}"));
        }
    }
}

#[test]
fn sets_from_sixty_things_are_counted_whatever_is_gathered_of_them() {
    let targets: Vec<Drawn> = (0..20).map(|index| (1 + index, index % 3, false)).collect();
    let many: Vec<Drawn> = (0..60).map(|index| (1 + index % 6, index % 3, index % 4 == 0)).collect();
    let session = session(&many, &targets, &[(3, 1, false)]);
    for index in read() {
        let action = &session.game.program.actions[index];
        let (mut machine, base, mut gathered) = machine_for(&session, action);
        let mut search = Search::default();
        machine.count_moves(&session.game.play_context(), base, action, &mut gathered, &mut search);
        assert_eq!(machine.fault.as_ref().map(|fault| &fault.message), None, "{:?}", shapes()[index]);
        for place in [0, search.count / 3, search.count - 1] {
            let chosen = search.nth_move(&gathered, place, action.roles.len()).expect("a move that is counted");
            let fill = |role: usize| search.role_things(&gathered, role, chosen[role]).collect::<Vec<_>>();
            let filled: Vec<Vec<Value>> = (0..action.roles.len()).map(fill).collect();
            assert_eq!(search.place_of(&gathered, &filled), Some(MoveIndex::Numbered(place)), "{:?}", shapes()[index]);
        }
    }
}
