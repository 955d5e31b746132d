//! What a throw may come to, each with the number of ways in which it does.

use crate::odds::readings::FoldKind;
use crate::runtime::dice::RandomDraw;
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// Results, and in how many ways they are thrown.
pub type Way = (Vec<i64>, BigUint);

/// Too many to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany;

/// In how many ways a throw may fall, the order of the dice included.
pub fn cases(draws: &[RandomDraw]) -> BigUint {
    draws.iter().map(|draw| BigUint::from(draw.size.unsigned_abs())).product()
}

/// Every result of every die, in order.
pub fn ordered(draws: &[RandomDraw], most: u64) -> Result<Vec<Way>, TooMany> {
    let count =
        draws.iter().try_fold(1u64, |count, draw| count.checked_mul(draw.size.unsigned_abs()).filter(|count| *count <= most));
    let mut ways = Vec::with_capacity(count.ok_or(TooMany)? as usize);
    let mut results = vec![1; draws.len()];
    loop {
        let shown = results.iter().zip(draws).map(|(result, draw)| face(draw, *result));
        ways.push((shown.collect(), BigUint::from(1u8)));
        let Some(last) = results.iter().zip(draws).rposition(|(result, draw)| *result < draw.size) else { return Ok(ways) };
        results[last] += 1;
        results[last + 1..].fill(1);
    }
}

/// What a die shows on a side, counted from 1.
fn face(draw: &RandomDraw, side: i64) -> i64 {
    let own = draw.faces.as_ref().and_then(|faces| faces.values.get(usize::try_from(side - 1).ok()?));
    own.map_or(side, |value| i64::from(*value))
}

/// How often each number may be shown by so many dice of one size.
pub fn unordered(count: usize, size: i64, most: u64) -> Result<Vec<Way>, TooMany> {
    // Choices with repetition: (size + count - 1) over count.
    let mut choices = 1u128;
    for die in 1..=count as u128 {
        choices = choices * (size.unsigned_abs() as u128 + die - 1) / die;
        if choices > u128::from(most) {
            return Err(TooMany);
        }
    }
    let mut ways = Vec::with_capacity(choices as usize);
    let mut results = vec![1; count];
    let factorials: Vec<BigUint> = (0..=count)
        .scan(BigUint::from(1u8), |product, number| {
            *product *= number.max(1);
            Some(product.clone())
        })
        .collect();
    loop {
        let same = results.chunk_by(|one, other| one == other).map(|run| &factorials[run.len()]).product::<BigUint>();
        ways.push((results.clone(), &factorials[count] / same));
        let Some(last) = results.iter().rposition(|result| *result < size) else { return Ok(ways) };
        let next = results[last] + 1;
        results[last..].fill(next);
    }
}

/// What one die adds to a fold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Share {
    /// To be added, or taken if it is higher or lower.
    Number(i64),
    /// It does not take part.
    Nothing,
}

impl Share {
    /// What a throw of no dice gives.
    fn none(kind: FoldKind) -> Share {
        match kind {
            FoldKind::Count | FoldKind::Sum | FoldKind::Any => Share::Number(0),
            FoldKind::All => Share::Number(1),
            FoldKind::Highest | FoldKind::Lowest => Share::Nothing,
        }
    }

    fn with(self, other: Share, kind: FoldKind) -> Share {
        let (one, other) = match (self, other) {
            (Share::Nothing, share) | (share, Share::Nothing) => return share,
            (Share::Number(one), Share::Number(other)) => (one, other),
        };
        Share::Number(match kind {
            FoldKind::Count | FoldKind::Sum => one + other,
            FoldKind::Highest | FoldKind::Any => one.max(other),
            FoldKind::Lowest | FoldKind::All => one.min(other),
        })
    }
}

/// Throws that give other values for some folds, each by one throw that gives them. `faces` holds for each face what it
/// adds to each fold. `left` are the steps that may be taken.
pub fn folded(count: usize, kinds: &[FoldKind], faces: &[Vec<Share>], left: &mut u64) -> Result<Vec<Way>, TooMany> {
    // Faces that add the same count as one.
    let mut alike: BTreeMap<&[Share], (i64, u64)> = BTreeMap::new();
    for (face, shares) in faces.iter().enumerate() {
        alike.entry(shares).or_insert((face as i64 + 1, 0)).1 += 1;
    }
    let nothing: Vec<Share> = kinds.iter().map(|kind| Share::none(*kind)).collect();
    let mut throws = BTreeMap::from([(nothing, (Vec::new(), BigUint::from(1u8)))]);
    for _ in 0..count {
        let mut next: BTreeMap<Vec<Share>, Way> = BTreeMap::new();
        *left = left.checked_sub(throws.len() as u64 * alike.len() as u64).ok_or(TooMany)?;
        for (values, (results, ways)) in &throws {
            for (shares, (face, times)) in &alike {
                let joined = values.iter().zip(*shares).zip(kinds).map(|((value, share), kind)| value.with(*share, *kind));
                let more = || {
                    let mut results = results.clone();
                    results.push(*face);
                    (results, BigUint::default())
                };
                next.entry(joined.collect()).or_insert_with(more).1 += ways * *times;
            }
        }
        throws = next;
    }
    let sorted = |(mut results, ways): Way| {
        results.sort_unstable();
        (results, ways)
    };
    Ok(throws.into_values().map(sorted).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draws(sizes: &[i64]) -> Vec<RandomDraw> {
        sizes.iter().map(|size| RandomDraw { piece: None, size: *size, faces: None }).collect()
    }

    fn total(ways: &[Way]) -> BigUint {
        ways.iter().map(|(_, ways)| ways).sum()
    }

    #[test]
    fn every_throw_comes_once() {
        let ways = ordered(&draws(&[2, 3]), 6).unwrap();
        let results: Vec<Vec<i64>> = ways.iter().map(|(results, _)| results.clone()).collect();
        assert_eq!(results, [[1, 1], [1, 2], [1, 3], [2, 1], [2, 2], [2, 3]]);
        assert_eq!(ordered(&draws(&[2, 3]), 5), Err(TooMany));
        assert_eq!(ordered(&draws(&[6; 40]), u64::MAX), Err(TooMany));
    }

    #[test]
    fn unordered_throws_are_weighed_by_their_orders() {
        let ways = unordered(3, 6, 1000).unwrap();
        assert_eq!((ways.len(), total(&ways)), (56, 216u32.into()));
        assert!(ways.contains(&(vec![1, 2, 3], 6u8.into())) && ways.contains(&(vec![4, 4, 5], 3u8.into())));
        assert_eq!(unordered(40, 6, 1000), Err(TooMany));
    }

    #[test]
    fn throws_that_fold_alike_are_one() {
        let faces: Vec<Vec<Share>> = (1..=6).map(|face| vec![Share::Number(i64::from(face >= 5))]).collect();
        let ways = folded(4, &[FoldKind::Count], &faces, &mut 20).unwrap();
        assert_eq!(folded(4, &[FoldKind::Count], &faces, &mut 19), Err(TooMany));
        assert_eq!(ways.len(), 5);
        assert_eq!(total(&ways), 1296u32.into());
        assert_eq!(ways[4], (vec![5, 5, 5, 5], 16u8.into()));
    }
}
