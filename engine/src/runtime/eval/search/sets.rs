//! Sets ordered by size and then by members, found by their place without listing them.
//! The *place* of a set is its index in this order, which is that of `subset_masks` in `sums`. A set is a mask with a bit for
//! each of at most 64 things.

use crate::runtime::eval::search::gather::Candidates;
use crate::runtime::limits::{MOST_FREE, MOST_NUMBERED};

/// The moves that choose several members of one set of candidates, which is given by its index.
#[derive(Clone, Copy, Debug)]
pub struct SubsetKernel {
    pub set: usize,
}

impl SubsetKernel {
    /// Number of sets with `least` to `most` members; `None` if there are too many candidates, or too many sets to number.
    pub fn subset_count(self, sets: &[Candidates], (least, most): (u64, u64)) -> Option<u64> {
        let things = sets[self.set].all.len();
        let count = if things > MOST_FREE { None } else { count_sets(things as u64, least, most) };
        count.filter(|count| *count <= MOST_NUMBERED)
    }

    /// The members of the set at a place, one bit each.
    pub fn nth_subset(self, sets: &[Candidates], (least, most): (u64, u64), place: u64) -> Option<u64> {
        nth_set(sets[self.set].all.len() as u64, least, most, place)
    }
}

/// Number of ways to choose `k` of `n` things; `n` is at most [`MOST_FREE`].
pub fn binomial_coefficient(n: u64, k: u64) -> u64 {
    let ways = (0..k).fold(1u128, |ways, i| ways * u128::from(n.saturating_sub(i)) / u128::from(i + 1));
    u64::try_from(ways).unwrap_or(u64::MAX)
}

/// Number of sets of `least` to `most` of `n` things; `None` on an overflow.
pub fn count_sets(n: u64, least: u64, most: u64) -> Option<u64> {
    (least..=most.min(n)).try_fold(0u64, |sum, k| sum.checked_add(binomial_coefficient(n, k)))
}

/// The set at a place among those of `least` to `most` of `n` things, a bit for each member.
pub fn nth_set(n: u64, least: u64, most: u64, place: u64) -> Option<u64> {
    let mut rest = place;
    let mut size = least;
    while rest >= binomial_coefficient(n, size) {
        rest -= binomial_coefficient(n, size);
        size += 1;
        if size > most.min(n) {
            return None;
        }
    }
    let mut set = 0;
    for thing in 0..n {
        if size == 0 {
            break;
        }
        // Sets with this thing come before those without it.
        let with = binomial_coefficient(n - thing - 1, size - 1);
        if rest < with {
            set |= 1 << thing;
            size -= 1;
        } else {
            rest -= with;
        }
    }
    Some(set)
}

/// The place of a set among those of at least `least` of `n` things; the inverse of [`nth_set`].
pub fn place_of_set(n: u64, least: u64, set: u64) -> u64 {
    let mut left = u64::from(set.count_ones());
    let smaller: u64 = (least..left).map(|size| binomial_coefficient(n, size)).sum();
    let mut place = smaller;
    for thing in 0..n {
        if left == 0 {
            break;
        }
        if set >> thing & 1 == 1 {
            left -= 1;
        } else {
            place += binomial_coefficient(n - thing - 1, left - 1);
        }
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::eval::search::sums::subset_masks;

    #[test]
    fn sets_are_found_where_a_list_of_them_has_them() {
        for n in 0..8u64 {
            for least in 0..=n {
                let all = subset_masks(n as usize).iter().map(|set| u64::from(*set));
                let listed: Vec<u64> = all.filter(|set| u64::from(set.count_ones()) >= least).collect();
                let found: Vec<u64> = (0..).map_while(|place| nth_set(n, least, n, place)).collect();
                assert_eq!(found, listed);
                assert_eq!(count_sets(n, least, n), Some(listed.len() as u64));
                for (place, set) in listed.iter().enumerate() {
                    assert_eq!(place_of_set(n, least, *set), place as u64);
                }
            }
        }
    }

    #[test]
    fn sets_of_many_things_are_counted_as_long_as_a_number_holds_them() {
        assert_eq!(binomial_coefficient(64, 32), 1_832_624_140_942_590_534);
        assert_eq!(count_sets(60, 1, 12), Some((1..=12).map(|k| binomial_coefficient(60, k)).sum()));
        assert_eq!(count_sets(64, 1, 64), Some(u64::MAX));
        assert_eq!(count_sets(64, 0, 64), None);
        let last = count_sets(60, 1, 12).unwrap() - 1;
        let set = nth_set(60, 1, 12, last).unwrap();
        assert_eq!(set, 0xfff << 48);
        assert_eq!(place_of_set(60, 1, set), last);
    }
}
