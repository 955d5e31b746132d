//! Sums by rank: against the plain evaluator, against sets put together one by one, and where there are too many for either.

use super::*;
use crate::runtime::eval::narrowing::{MoveCondition, Narrowing};
use crate::runtime::eval::search::ranks::FilledMove;
use ludex_program::Value;
use std::collections::BTreeSet;

/// The moves of an action whose search is a sum, found by rank however few there are.
fn by_rank(session: &Session, action: &ActionInfo) -> Option<(Search, CandidateSets)> {
    let (mut machine, base, mut gathered) = machine_for(session, action);
    let mut search = Search::default();
    machine.count_moves(&session.game.play_context(), base, action, &mut gathered, &mut search);
    let Method::SumEqual(roles) = search.method else { return None };
    search.rank_sums(&gathered, roles).then_some((search, gathered))
}

/// The shapes whose search is a sum.
fn sums() -> Vec<usize> {
    let is_sum = |(_, (.., plan)): &(usize, (String, String, Plan))| *plan == Plan::SumEqual;
    shapes().into_iter().enumerate().filter(is_sum).map(|(index, _)| index).collect()
}

fn compare_ranks(index: usize, mine: &[Drawn], yours: &[Drawn], spare: &[Drawn]) -> Result<(), TestCaseError> {
    let session = session(mine, yours, spare);
    let action = &session.game.program.actions[index];
    let Some((mut search, gathered)) = by_rank(&session, action) else { return Ok(()) };
    let plainly = moves(&session, &plain(action), false);
    let roles = action.roles.len();
    prop_assert_eq!(&all(&search, &gathered, roles), &plainly, "{:?}", &shapes()[index]);
    for (index, filled) in plainly.iter().enumerate() {
        prop_assert_eq!(search.place_of(&gathered, filled), Some(MoveIndex::Numbered(index as u64)));
    }
    search.list_moves(&gathered, roles, search.count / 2);
    search.list_moves(&gathered, roles, search.count);
    prop_assert_eq!(&all(&search, &gathered, roles), &plainly, "listed");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sums_by_rank_are_what_the_plain_evaluator_finds(
        index in prop::sample::select(sums()),
        mine in drawn(12),
        yours in drawn(4),
        spare in drawn(2),
    ) {
        compare_ranks(index, &mine, &yours, &spare)?;
    }
}

#[test]
fn sums_by_rank_agree_where_nothing_or_much_lies() {
    let many: Vec<Drawn> = (0..12).map(|index| (index % 7, index % 3, index % 4 == 0)).collect();
    for index in sums() {
        for (mine, yours, spare) in [(0, 0, 0), (0, 3, 1), (3, 0, 0), (1, 1, 1), (12, 10, 2)] {
            compare_ranks(index, &many[..mine], &many[..yours], &many[..spare]).unwrap_or_else(|problem| panic!("{problem}"));
        }
    }
}

// --- sets put together one by one ----------------------------------------------------

const SET: usize = 0;
const JOKER: usize = 1;
const TARGET: usize = 2;

/// Sums over things numbered from 0, whose jokers are numbered from 1,000 and targets from 2,000.
fn sum_moves(keys: &[i32], jokers: Option<&[i32]>, targets: &[i32], (least, most): (u32, u32)) -> SetMoves {
    let candidates = |keys: &[i32], first: Value| -> Vec<Candidate> {
        keys.iter().enumerate().map(|(index, key)| Candidate { id: first + index as Value, key: *key }).collect()
    };
    let filling = Filling { least, most, ..Filling::default() };
    let roles = SumRoles { set: SET, joker: jokers.map(|_| JOKER), target: TARGET };
    let jokers = jokers.map(|jokers| candidates(jokers, 1_000));
    SetMoves::from_sum(roles, &filling, &candidates(keys, 0), jokers.as_deref(), &candidates(targets, 2_000))
        .expect("no negative number")
}

fn filled(set: Vec<Value>, joker: Value, target: Value) -> FilledMove {
    let mut others = [NONE; MOST_ROLES];
    (others[JOKER], others[TARGET]) = (joker, target);
    FilledMove { set, others }
}

/// All moves, by going through the sets of each size in the order of their members.
fn one_by_one(keys: &[i32], jokers: Option<&[i32]>, targets: &[i32], (least, most): (u32, u32)) -> Vec<FilledMove> {
    let highest = targets.iter().max().copied().unwrap_or(0) - jokers.unwrap_or(&[0]).iter().min().copied().unwrap_or(0);
    let mut found = Vec::new();
    for size in least as usize..=(most as usize).min(keys.len()) {
        sets_of(keys, size, 0, highest, &mut Vec::new(), &mut |set| {
            let sum: i32 = set.iter().map(|place| keys[*place]).sum();
            let set: Vec<Value> = set.iter().map(|place| *place as Value).collect();
            for (joker, more) in jokers.unwrap_or(&[0]).iter().enumerate() {
                let hits = targets.iter().enumerate().filter(|(_, target)| **target == sum + more);
                let joker = if jokers.is_some() { 1_000 + joker as Value } else { NONE };
                found.extend(hits.map(|(hit, _)| filled(set.clone(), joker, 2_000 + hit as Value)));
            }
        });
    }
    found
}

/// Calls `visit` on the sets of so many places from one on, in order, but for those whose sum is too high.
fn sets_of(keys: &[i32], size: usize, from: usize, rest: i32, set: &mut Vec<usize>, visit: &mut dyn FnMut(&[usize])) {
    if size == 0 {
        return visit(set);
    }
    for place in from..keys.len() {
        if keys[place] <= rest {
            set.push(place);
            sets_of(keys, size - 1, place + 1, rest - keys[place], set, visit);
            set.pop();
        }
    }
}

fn ranked(moves: SetMoves) -> Ranks {
    Ranks::new(moves).expect("a table that is not too large")
}

fn every(ranks: &Ranks) -> Vec<FilledMove> {
    ranks.moves_at(0..ranks.count)
}

fn rank_of(ranks: &Ranks, found: &FilledMove) -> Option<u64> {
    let single = |role: usize| vec![found.others[role]];
    match ranks.place_of(&[found.set.clone(), single(JOKER), single(TARGET)]) {
        Some(MoveIndex::Numbered(rank)) => Some(rank),
        Some(MoveIndex::Beyond) => None,
        None => panic!("{found:?} is legal"),
    }
}

#[test]
fn sums_over_21_to_24_things_are_those_put_together_one_by_one() {
    for things in 21..=24 {
        let keys: Vec<i32> = (0..things).map(|thing| (thing * 7 + 3) % 12).collect();
        let targets = [9, 14, 14, 17];
        let jokers = [2, 5, 0];
        for (jokers, amount) in [(None, (2, u32::MAX)), (Some(&jokers[..]), (1, 4)), (None, (3, 3)), (None, (0, 2))] {
            let wanted = one_by_one(&keys, jokers, &targets, amount);
            let ranks = ranked(sum_moves(&keys, jokers, &targets, amount));
            assert_eq!(ranks.count, wanted.len() as u64);
            assert_eq!(every(&ranks), wanted);
            for index in (0..wanted.len()).step_by(1 + wanted.len() / 50) {
                let index = index as u64;
                let one = ranks.moves_at(index..index + 1);
                assert_eq!(one, wanted[index as usize..=index as usize]);
                assert_eq!(rank_of(&ranks, &one[0]), Some(index));
            }
        }
    }
}

#[test]
fn of_too_many_moves_those_that_are_numbered_are_found() {
    // Of 150 coins that all show 1, twenty make 20.
    let ranks = ranked(sum_moves(&[1; 150], None, &[20, 20, 3], (2, u32::MAX)));
    assert_eq!(ranks.count, MOST_NUMBERED);
    assert_eq!(ranks.moves_at(MOST_NUMBERED..MOST_NUMBERED + 1), []);
    let small = choose_of(150, 3);
    for index in [0, small - 1, small, small + 1, 12_345_678_901, MOST_NUMBERED - 1] {
        let found = ranks.moves_at(index..index + 1);
        assert_eq!(found[0].set.len(), if index < small { 3 } else { 20 });
        assert_eq!(rank_of(&ranks, &found[0]), Some(index));
    }
    let last = filled((130..150).collect(), NONE, 2_001);
    assert_eq!(rank_of(&ranks, &last), None, "it has no number");
}

fn choose_of(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |ways, i| ways * (n - i) / (i + 1))
}

#[test]
fn tables_that_are_not_kept_are_worked_out_again() {
    let keys: Vec<i32> = (0..300).map(|thing| thing * 5 % 8).collect();
    let ranks = ranked(sum_moves(&keys, Some(&[0, 4]), &[90, 31, 2], (2, u32::MAX)));
    assert!(ranks.count_cells() < 300 * 91 * 40, "not all tables are kept");
    let indices = (0..60u64).map(|index| index * index * index * (ranks.count / 220_000)).chain([0, 1, 200, ranks.count - 2]);
    for index in indices {
        let [one, next] = &ranks.moves_at(index..index + 2)[..] else { panic!("two moves") };
        assert_eq!((rank_of(&ranks, one), rank_of(&ranks, next)), (Some(index), Some(index + 1)));
        let order = |found: &FilledMove| (found.set.len(), found.set.clone(), found.others);
        assert!(order(one) < order(next), "{one:?} comes before {next:?}");
    }
}

#[test]
fn what_a_table_cannot_hold_is_not_counted_by_it() {
    let holds = |keys: &[i32], target: i32| Ranks::new(sum_moves(keys, None, &[target], (1, u32::MAX))).is_some();
    let with_zeros: Vec<i32> = (0..1_000).map(|thing| if thing < 900 { 0 } else { 1 + thing % 9 }).collect();
    assert!(holds(&[1; 1_000], 350) && !holds(&[1; 1_000], 400));
    assert!(holds(&with_zeros, 125) && !holds(&with_zeros, 200));
    assert!(holds(&[40_000; 1_000], 40_000) && !holds(&[40_000; 1_000], 80_000));
    assert!(holds(&[2_000_000_000, 5, 3], 8), "what is beyond all targets takes no room");
    assert!(holds(&[1; 1_000], 3) && !holds(&[1; 1_001], 3));
    let negative = [Candidate { id: 0, key: -1 }];
    let roles = SumRoles { set: SET, joker: None, target: TARGET };
    assert!(SetMoves::from_sum(roles, &Filling::default(), &negative, None, &[]).is_none());
}

// --- fewer moves -----------------------------------------------------------------------

/// Conditions on moves of things from 0 to 8, targets from 2,000 to 2,002 and, if there are any, jokers from 1,000 to 1,001.
fn readings(with_joker: bool) -> impl Strategy<Value = MoveCondition> {
    let several = |from: Value, to: Value| prop::collection::vec(from..=to, 0..3);
    let leaf = prop_oneof![
        any::<bool>().prop_map(MoveCondition::Known),
        (0..9 as Value).prop_map(|thing| MoveCondition::Has { role: SET, thing }),
        several(1_000, 1_001).prop_map(move |things| match with_joker {
            true => MoveCondition::Is { role: JOKER, things },
            false => MoveCondition::Known(things.is_empty()),
        }),
        several(2_000, 2_002).prop_map(|things| MoveCondition::Is { role: TARGET, things }),
    ];
    leaf.prop_recursive(3, 8, 2, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            inner.prop_map(MoveCondition::negate),
            pair.clone().prop_map(|(one, other)| one.and_condition(other)),
            pair.prop_map(|(one, other)| one.or_condition(other)),
        ]
    })
}

/// What a condition says of a move, worked out from the condition as it stands.
fn holds(reading: &MoveCondition, found: &FilledMove) -> bool {
    match reading {
        MoveCondition::Known(holds) => *holds,
        MoveCondition::Is { role: JOKER, things } => things.contains(&found.others[JOKER]),
        MoveCondition::Is { things, .. } => things.contains(&found.others[TARGET]),
        MoveCondition::Has { thing, .. } => found.set.contains(thing),
        MoveCondition::Not(inner) => !holds(inner, found),
        MoveCondition::Both(one, other) => holds(one, found) && holds(other, found),
        MoveCondition::Either(one, other) => holds(one, found) || holds(other, found),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_restriction_leaves_the_moves_of_which_it_holds(
        keys in prop::collection::vec(0..7i32, 0..9),
        targets in prop::collection::vec(0..14i32, 0..3),
        amount in (0..3u32, 2..9u32),
        (with_joker, conditions) in any::<bool>().prop_flat_map(|with_joker| {
            (Just(with_joker), prop::collection::vec((readings(with_joker), any::<bool>()), 1..4))
        }),
    ) {
        let jokers = with_joker.then_some(&[3, 0][..]);
        let mut left = one_by_one(&keys, jokers, &targets, amount);
        let mut moves = sum_moves(&keys, jokers, &targets, amount);
        for (reading, wanted) in conditions {
            left.retain(|found| holds(&reading, found) == wanted);
            let mut narrowing = Narrowing::default();
            narrowing.add_condition(reading, wanted);
            moves = moves.narrow_moves(&narrowing);
        }
        let ranks = ranked(moves.clone());
        prop_assert_eq!(&every(&ranks), &left);
        for (index, found) in left.iter().enumerate() {
            prop_assert_eq!(rank_of(&ranks, found), Some(index as u64));
        }
        prop_assert_eq!(moves.largest_set(), left.iter().map(|found| found.set.len()).max());
        for role in if with_joker { JOKER..TARGET + 1 } else { TARGET..TARGET + 1 } {
            prop_assert_eq!(moves.usable_things(role).into_iter().collect::<BTreeSet<_>>(), left.iter().map(|found| found.others[role]).collect());
        }
        let useful: BTreeSet<Value> = moves.useful_members(&[]).into_iter().collect();
        prop_assert_eq!(useful, left.iter().flat_map(|found| found.set.iter().copied()).collect());
    }
}
