//! Pairs that are told for all of the second role at once: every way to go through them, and what a narrowing leaves.

use super::*;
use crate::runtime::eval::narrowing::{MoveCondition, Narrowing};
use crate::runtime::limits::MOST_PAIRED;

/// The shapes whose pairs are told so.
fn paired() -> Vec<usize> {
    (0..shapes().len()).filter(|index| program().actions[*index].pairing.is_some()).collect()
}

/// What fills the roles of each move that a search goes through.
fn visited(search: &Search, gathered: &CandidateSets) -> Vec<Vec<Vec<Value>>> {
    let mut visited = Vec::new();
    search.visit_moves(gathered, 2, |index, chosen| {
        assert_eq!(index, visited.len() as u64);
        visited.push((0..2).map(|role| search.role_things(gathered, role, chosen[role]).collect()).collect());
        false
    });
    visited
}

fn compare_ways(
    index: usize,
    (mine, yours, spare): (&[Drawn], &[Drawn], &[Drawn]),
    kept: (u64, u64),
) -> Result<(), TestCaseError> {
    let session = session(mine, yours, spare);
    let action = &session.game.program.actions[index];
    let plainly = moves(&session, &plain(action), false);
    let (mut machine, base, mut gathered) = machine_for(&session, action);
    let mut search = Search::default();
    machine.count_moves(&session.game.play_context(), base, action, &mut gathered, &mut search);
    prop_assert_eq!(&machine.fault, &None);
    if plainly.is_empty() {
        prop_assert_eq!(search.count, 0);
        return Ok(());
    }
    prop_assert_eq!(search.method, Method::Paired);
    prop_assert_eq!(&visited(&search, &gathered), &plainly);
    let mut stopped = 0;
    search.visit_moves(&gathered, 2, |_, _| {
        stopped += 1;
        stopped == plainly.len().div_ceil(2)
    });
    prop_assert_eq!(stopped, plainly.len().div_ceil(2));
    // Some things are kept for the first role; some are left out for the second.
    let of = |role: usize, bits: u64| {
        let candidates: Vec<Value> = search.candidate_ids(&gathered, role).collect();
        candidates.into_iter().enumerate().filter(move |(place, _)| bits >> (place % 64) & 1 == 1).map(|(_, thing)| thing)
    };
    let (wanted, unwanted): (Vec<Value>, Vec<Value>) = (of(0, kept.0).collect(), of(1, kept.1).collect());
    let mut narrowing = Narrowing::default();
    narrowing.add_condition(MoveCondition::Is { role: 0, things: wanted.clone() }, true);
    narrowing.add_condition(MoveCondition::Is { role: 1, things: unwanted.clone() }, false);
    let left: Vec<_> =
        plainly.iter().filter(|filled| wanted.contains(&filled[0][0]) && !unwanted.contains(&filled[1][0])).cloned().collect();
    let narrowed = search.narrow_search(&mut gathered, 2, &narrowing).expect("pairs are left out by what fills their roles");
    prop_assert_eq!(&all(&narrowed, &gathered, 2), &left);
    narrowing.nothing = true;
    prop_assert_eq!(search.narrow_search(&mut gathered, 2, &narrowing).map(|narrowed| narrowed.count), Some(0));
    search.list_moves(&gathered, 2, search.count);
    prop_assert_eq!(&all(&search, &gathered, 2), &plainly, "listed");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pairs_are_what_the_plain_evaluator_finds_whichever_way_they_are_gone_through(
        index in prop::sample::select(paired()),
        mine in drawn(10),
        yours in drawn(10),
        spare in drawn(4),
        kept in any::<(u64, u64)>(),
    ) {
        compare_ways(index, (&mine, &yours, &spare), kept)?;
    }
}

#[test]
fn a_row_may_be_longer_than_a_word() {
    let dice: Vec<Drawn> = (0..150).map(|index| (index % 30, index % 7, index % 11 == 0)).collect();
    for index in paired() {
        for (mine, yours) in [(150, 3), (3, 150), (64, 65)] {
            compare_ways(index, (&dice[..mine], &dice[..yours], &dice[..4]), (0x5555_AAAA_0F0F_3C3C, 0x1248_0000_F000_0001))
                .unwrap_or_else(|problem| panic!("{problem}"));
        }
    }
}

#[test]
fn more_pairs_than_are_told_by_bits_are_looked_at_one_by_one() {
    let offered = |most: usize| {
        let condition = format!("one = 7 and other >= {most} or one = other and one > {most} - 2");
        let rules = format!(
            "sides 2\nfamily pick(active: side) {{}}\naction two(one in (1..{most}), other in (1..{most})) is pick\n  when {condition}\n  \
             says \"{{one}} {{other}}\"\nto play {{ let me = first of sides  me must choose pick as picked \"Which?\" else {{ }} }}"
        );
        let program = game(&rules).program();
        assert!(program.actions[0].pairing.is_some());
        game(&rules).play().options(0)
    };
    for most in [1024, 1025] {
        assert_eq!(most * most > MOST_PAIRED, most == 1025);
        let last = most - 1;
        assert_eq!(offered(most), [format!("two(7>{most})"), format!("two({last}>{last})"), format!("two({most}>{most})")]);
    }
}
