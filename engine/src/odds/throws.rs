//! Lists the possible results of a throw, each with its number of ways.
//!
//! A *way* is one result of a throw together with its number of cases, the *ways* in which the dice show it. A *fold* is a number
//! that is made from the results die by die, such as a sum (`readings`). `search` picks the function by how the results are read.

use crate::odds::budget::{Budget, Trouble};
use crate::odds::readings::FoldKind;
use crate::runtime::dice::RandomDraw;
use foldhash::fast::FixedState;
use indexmap::IndexMap;
use num_bigint::BigUint;
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// The results of a throw, one number for each die, and the number of cases in which they occur.
pub type Way = (Vec<i64>, BigUint);

/// Every result of every die, in order. Fails above `most` results.
pub fn ordered_ways(draws: &[RandomDraw], most: u64, budget: &mut Budget) -> Result<Vec<Way>, Trouble> {
    let count =
        draws.iter().try_fold(1u64, |count, draw| count.checked_mul(draw.size.unsigned_abs()).filter(|count| *count <= most));
    count.ok_or(Trouble::TooMuch)?;
    let mut ways = Vec::new();
    let mut results = vec![1; draws.len()];
    loop {
        reserve_way(draws.len(), budget)?;
        let shown = results.iter().zip(draws).map(|(result, draw)| face_value(draw, *result));
        ways.push((shown.collect(), BigUint::from(1u8)));
        let Some(last) = results.iter().zip(draws).rposition(|(result, draw)| *result < draw.size) else { return Ok(ways) };
        results[last] += 1;
        results[last + 1..].fill(1);
    }
}

/// The value on a side of a die, counted from 1.
fn face_value(draw: &RandomDraw, side: i64) -> i64 {
    let own = draw.faces.as_ref().and_then(|faces| faces.values.get(usize::try_from(side - 1).ok()?));
    own.map_or(side, |value| i64::from(*value))
}

/// Counts the memory of one more way.
fn reserve_way(dice: usize, budget: &mut Budget) -> Result<(), Trouble> {
    budget.spend_work(1)?;
    budget.reserve_bytes(BYTES_OF_WAY + dice * size_of::<i64>())
}

/// Approximate memory of a way in bytes, without its dice.
const BYTES_OF_WAY: usize = 150;

/// Counts the ways in which dice of one size show each multiset of numbers. Fails above `most` multisets.
pub fn unordered_ways(count: usize, size: i64, most: u64, budget: &mut Budget) -> Result<Vec<Way>, Trouble> {
    // Combinations with repetition: (size + count - 1) over count.
    let mut choices = 1u128;
    for die in 1..=count as u128 {
        choices = choices * (size.unsigned_abs() as u128 + die - 1) / die;
        if choices > u128::from(most) {
            return Err(Trouble::TooMuch);
        }
    }
    let mut ways = Vec::new();
    let mut results = vec![1; count];
    let factorials: Vec<BigUint> = (0..=count)
        .scan(BigUint::from(1u8), |product, number| {
            *product *= number.max(1);
            Some(product.clone())
        })
        .collect();
    loop {
        reserve_way(count, budget)?;
        let same = results.chunk_by(|one, other| one == other).map(|run| &factorials[run.len()]).product::<BigUint>();
        ways.push((results.clone(), &factorials[count] / same));
        let Some(last) = results.iter().rposition(|result| *result < size) else { return Ok(ways) };
        let next = results[last] + 1;
        results[last..].fill(next);
    }
}

/// The contribution of one die to a fold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Share {
    /// A number to be added, or to be compared for the highest or lowest.
    Number(i64),
    /// The die does not take part.
    Nothing,
}

/// Faces with the same contributions to every fold: one of them, and their number.
struct Group<'s> {
    shares: &'s [Share],
    face: i64,
    faces: u64,
}

/// The value of a fold for the dice so far, and for `Kept` the number of dice kept.
type FoldValue = (Share, usize);

/// The throws of `count` dice that differ in the value of some fold, one representative of each. `shares` has the contributions
/// of each face to each fold.
pub fn folded_ways(count: usize, kinds: &[FoldKind], shares: &[Vec<Share>], budget: &mut Budget) -> Result<Vec<Way>, Trouble> {
    let mut alike: BTreeMap<&[Share], Group> = BTreeMap::new();
    for (face, shares) in shares.iter().enumerate() {
        budget.spend_work(1)?;
        alike.entry(shares).or_insert(Group { shares, face: face as i64 + 1, faces: 0 }).faces += 1;
    }
    let groups: Vec<Group> = alike.into_values().collect();
    if kinds.iter().any(|kind| matches!(kind, FoldKind::Kept { .. })) {
        fold_by_face(count, kinds, rank_groups(groups, kinds)?, budget)
    } else {
        fold_by_die(count, kinds, &groups, budget)
    }
}

/// The values of the folds for no dice.
fn empty_folds(kinds: &[FoldKind]) -> SmallVec<[FoldValue; 2]> {
    let nothing = |kind: &FoldKind| match kind {
        FoldKind::Count | FoldKind::Sum | FoldKind::Any | FoldKind::Kept { .. } => Share::Number(0),
        FoldKind::All => Share::Number(1),
        FoldKind::Highest | FoldKind::Lowest => Share::Nothing,
    };
    kinds.iter().map(|kind| (nothing(kind), 0)).collect()
}

/// The value of a fold after `dice` more dice with the same contribution `share`.
fn add_dice((value, kept): FoldValue, dice: usize, share: Share, kind: FoldKind) -> FoldValue {
    let Share::Number(other) = share else { return (value, kept) };
    let Share::Number(one) = value else { return (share, kept) };
    let dice_kept = if let FoldKind::Kept { count, .. } = kind { dice.min(count - kept) } else { 0 };
    let value = match kind {
        FoldKind::Count | FoldKind::Sum => one + other * dice as i64,
        FoldKind::Kept { .. } => one + other * dice_kept as i64,
        FoldKind::Highest | FoldKind::Any => one.max(other),
        FoldKind::Lowest | FoldKind::All => one.min(other),
    };
    (Share::Number(value), kept + dice_kept)
}

/// Adds one die after another, and joins throws with equal values of the folds.
fn fold_by_die(count: usize, kinds: &[FoldKind], groups: &[Group], budget: &mut Budget) -> Result<Vec<Way>, Trouble> {
    // For each number of dice, the values of the folds with their ways, their predecessor with one die less, and the group added
    // to it.
    type Made = (BigUint, usize, usize);
    let mut layers: Vec<IndexMap<SmallVec<[FoldValue; 2]>, Made, FixedState>> = Vec::with_capacity(count + 1);
    layers.push([(empty_folds(kinds), (BigUint::from(1u8), 0, 0))].into_iter().collect());
    let faces: u64 = groups.iter().map(|group| group.faces).sum();
    let bytes_of_given = 2 * BYTES_OF_WAY + kinds.len() * size_of::<FoldValue>() + count * (faces.ilog2() as usize + 1) / 8;
    let mut bytes = 0;
    for dice in 0..count {
        let mut next: IndexMap<SmallVec<[FoldValue; 2]>, Made, FixedState> = IndexMap::default();
        budget.check_work(layers[dice].len() as u64 * groups.len() as u64)?;
        for (place, (given, (ways, ..))) in layers[dice].iter().enumerate() {
            for (number, group) in groups.iter().enumerate() {
                budget.spend_work(1)?;
                budget.check_memory(bytes + next.len() * bytes_of_given)?;
                let made = next.entry(add_group(given, 1, group, kinds)).or_insert((BigUint::ZERO, place, number));
                made.0 += ways * group.faces;
            }
        }
        bytes += next.len() * bytes_of_given;
        layers.push(next);
    }
    let throw = |last: usize| {
        let mut place = last;
        let faces = layers[1..].iter().rev().map(|layer| {
            let (_, before, group) = &layer[place];
            place = *before;
            groups[*group].face
        });
        let results = faces.collect();
        sort_way((results, layers[count][last].0.clone()))
    };
    let found = 0..layers[count].len();
    found
        .map(|last| {
            budget.spend_work(1 + count as u64 / 16)?;
            budget.reserve_bytes(BYTES_OF_WAY + count * size_of::<i64>())?;
            Ok(throw(last))
        })
        .collect()
}

/// Takes one face after another, each with any number of the dice that are left, and joins throws with equal values of the folds.
/// Folds that keep the best dice need this: their best faces come first.
fn fold_by_face(count: usize, kinds: &[FoldKind], groups: Vec<Group>, budget: &mut Budget) -> Result<Vec<Way>, Trouble> {
    let mut throws = BTreeMap::from([((count, empty_folds(kinds)), (Vec::new(), BigUint::from(1u8)))]);
    let bytes_of_way = BYTES_OF_WAY + kinds.len() * size_of::<FoldValue>() + count * size_of::<i64>();
    for (place, group) in groups.iter().enumerate() {
        let is_last = place + 1 == groups.len();
        let mut next: BTreeMap<(usize, SmallVec<[FoldValue; 2]>), Way> = BTreeMap::new();
        for ((dice, given), (results, ways)) in &throws {
            budget.check_work(1 + *dice as u64)?;
            budget.spend_work(1 + *dice as u64)?;
            budget.check_memory((throws.len() + next.len()) * bytes_of_way)?;
            // The number of ways to choose the dice that show it, times the ways so far.
            let mut ways = ways.clone();
            for shown in 0..=*dice {
                if !is_last || shown == *dice {
                    let more = || (append_dice(results, shown, group.face), BigUint::default());
                    next.entry((dice - shown, add_group(given, shown, group, kinds))).or_insert_with(more).1 += &ways;
                }
                ways = ways * group.faces * (dice - shown) / (shown + 1);
            }
        }
        throws = next;
    }
    budget.reserve_bytes(throws.len() * bytes_of_way)?;
    Ok(throws.into_values().map(sort_way).collect())
}

/// The values of the folds after `dice` more dice that show a face of a group.
fn add_group(given: &[FoldValue], dice: usize, group: &Group, kinds: &[FoldKind]) -> SmallVec<[FoldValue; 2]> {
    let with_group = |((given, share), kind): ((&FoldValue, &Share), &FoldKind)| match dice {
        0 => *given,
        dice => add_dice(*given, dice, *share, *kind),
    };
    given.iter().zip(group.shares).zip(kinds).map(with_group).collect()
}

/// The results with `dice` more dice that show a face.
fn append_dice(results: &[i64], dice: usize, face: i64) -> Vec<i64> {
    results.iter().copied().chain(std::iter::repeat_n(face, dice)).collect()
}

/// A way with its results in ascending order.
fn sort_way((mut results, ways): Way) -> Way {
    results.sort_unstable();
    (results, ways)
}

/// Sorts groups so that every fold that keeps dice sees its best first. Fails if two folds need different orders.
fn rank_groups<'s>(mut groups: Vec<Group<'s>>, kinds: &[FoldKind]) -> Result<Vec<Group<'s>>, Trouble> {
    let kept = || {
        kinds.iter().enumerate().filter_map(|(place, kind)| match kind {
            FoldKind::Kept { highest, .. } => Some((place, *highest)),
            _ => None,
        })
    };
    // The better a face is, the lower its rank.
    let rank = |group: &Group, (place, highest): (usize, bool)| match group.shares[place] {
        Share::Number(number) => Some(if highest { -number } else { number }),
        Share::Nothing => None,
    };
    groups.sort_by_key(|group| kept().map(|fold| rank(group, fold)).collect::<Vec<_>>());
    let agree = kept().all(|fold| groups.iter().filter_map(|group| rank(group, fold)).is_sorted());
    if agree { Ok(groups) } else { Err(Trouble::TooMuch) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::odds::Effort;

    fn budget(limit: u64) -> Budget {
        Budget::new(&Effort { limit, ..Effort::default() })
    }

    fn draws(sizes: &[i64]) -> Vec<RandomDraw> {
        sizes.iter().map(|size| RandomDraw { piece: None, size: *size, faces: None }).collect()
    }

    fn total(ways: &[Way]) -> BigUint {
        ways.iter().map(|(_, ways)| ways).sum()
    }

    #[test]
    fn every_throw_comes_once() {
        let ways = ordered_ways(&draws(&[2, 3]), 6, &mut budget(100)).ok().unwrap();
        let results: Vec<Vec<i64>> = ways.iter().map(|(results, _)| results.clone()).collect();
        assert_eq!(results, [[1, 1], [1, 2], [1, 3], [2, 1], [2, 2], [2, 3]]);
        assert!(matches!(ordered_ways(&draws(&[2, 3]), 5, &mut budget(100)), Err(Trouble::TooMuch)));
        assert!(matches!(ordered_ways(&draws(&[6; 40]), u64::MAX, &mut budget(100)), Err(Trouble::TooMuch)));
    }

    #[test]
    fn unordered_throws_are_weighed_by_their_orders() {
        let ways = unordered_ways(3, 6, 1000, &mut budget(100)).ok().unwrap();
        assert_eq!((ways.len(), total(&ways)), (56, 216u32.into()));
        assert!(ways.contains(&(vec![1, 2, 3], 6u8.into())) && ways.contains(&(vec![4, 4, 5], 3u8.into())));
        assert!(matches!(unordered_ways(40, 6, 1000, &mut budget(100)), Err(Trouble::TooMuch)));
    }

    #[test]
    fn throws_that_fold_alike_are_one() {
        let faces: Vec<Vec<Share>> = (1..=6).map(|face| vec![Share::Number(i64::from(face >= 5))]).collect();
        let ways = folded_ways(4, &[FoldKind::Count], &faces, &mut budget(31)).ok().unwrap();
        assert!(matches!(folded_ways(4, &[FoldKind::Count], &faces, &mut budget(25)), Err(Trouble::TooMuch)));
        assert_eq!(ways.len(), 5);
        assert_eq!(total(&ways), 1296u32.into());
        assert_eq!(ways[4], (vec![5, 5, 5, 5], 16u8.into()));
    }
}
