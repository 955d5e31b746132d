//! Orders of options, and divisions of a total into amounts: their numbers, and the faults in wrong ones.
//!
//! The forms of decisions use these for [`Form::Order`](crate::runtime::Form) and `Form::Split`. A division is sampled as a row
//! of steps and cuts: the steps before the first cut go to the first option, and so on.

/// Returns the reason why `order` is no order of `count` options; `None` if it is one.
pub fn wrong_order(order: &[u64], count: u64) -> Option<String> {
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
        return Some("an option is named twice".to_string());
    }
    if let Some(beyond) = sorted.last().filter(|last| **last >= count) {
        return Some(format!("there is no option {beyond}: there are {count}, numbered from 0"));
    }
    (sorted.len() as u64 != count).then(|| format!("that is only {} of {count}, and each must be named", sorted.len()))
}

/// Returns the reason why the amounts do not divide `total` among `count` options in multiples of `step`; `None` if they do.
pub fn wrong_amounts(amounts: &[i64], count: u64, total: i64, step: i64) -> Option<String> {
    if amounts.len() as u64 != count {
        let wanted = if count == 1 { "one amount".to_string() } else { format!("{count} amounts, one for each") };
        return Some(format!("there must be {wanted}, not {}", amounts.len()));
    }
    if let Some(negative) = amounts.iter().find(|amount| **amount < 0) {
        return Some(format!("{negative} is less than 0"));
    }
    if let Some(uneven) = amounts.iter().find(|amount| step > 0 && **amount % step != 0) {
        return Some(format!("{uneven} is not a multiple of {step}"));
    }
    let sum: i128 = amounts.iter().map(|amount| i128::from(*amount)).sum();
    (sum != i128::from(total)).then(|| format!("the amounts add up to {sum}, but must add up to {total}"))
}

/// Number of orders of `count` things; saturates at [`u128::MAX`].
pub fn count_orders(count: u64) -> u128 {
    (1..=count).fold(1, |orders: u128, things| orders.saturating_mul(u128::from(things)))
}

/// Number of sets of `size` out of `count` things. Beyond the range of `u128` the result is too small, but still very large.
pub fn count_subsets(count: u64, size: u64) -> u128 {
    let Some(left_out) = count.checked_sub(size) else { return 0 };
    // Choosing a set is the same as choosing the things left out.
    let more = |sets: u128, taken: u64| sets.saturating_mul(u128::from(count - taken)) / u128::from(taken + 1);
    (0..size.min(left_out)).fold(1, more)
}

/// Returns `(n, k)`: with `k` of `n` things sampled, [`amounts_between`] makes every division equally likely.
pub fn cuts_to_sample(count: u64, total: i64, step: i64) -> (u64, u64) {
    let steps = (total / step.max(1)).max(0).cast_unsigned();
    let cuts = count.saturating_sub(1);
    (steps + cuts, cuts)
}

/// The amounts between cuts. Steps and cuts form one row, and `cuts` holds the places of the cuts, in ascending order.
pub fn amounts_between(cuts: &[u64], total: i64, step: i64) -> Vec<i64> {
    let steps = (total / step.max(1)).max(0).cast_unsigned();
    let end = steps + cuts.len() as u64;
    let mut from = 0;
    let amount = |cut: u64| {
        let amount = cut.saturating_sub(from).cast_signed() * step;
        from = cut + 1;
        amount
    };
    cuts.iter().copied().chain([end]).map(amount).collect()
}

/// The total divided as evenly as its steps allow; the first amounts are the larger ones.
pub fn even_amounts(count: u64, total: i64, step: i64) -> Vec<i64> {
    let (steps, count) = (total / step.max(1), count.cast_signed());
    (0..count).map(|place| (steps / count + i64::from(place < steps % count)) * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn an_order_names_each_once() {
        assert_eq!(wrong_order(&[2, 0, 1], 3), None);
        assert_eq!(wrong_order(&[2, 2, 1], 3).as_deref(), Some("an option is named twice"));
        assert_eq!(wrong_order(&[3, 0, 1], 3).as_deref(), Some("there is no option 3: there are 3, numbered from 0"));
        assert_eq!(wrong_order(&[1, 0], 3).as_deref(), Some("that is only 2 of 3, and each must be named"));
    }

    #[test]
    fn amounts_are_steps_that_add_up() {
        let wrong = |amounts: &[i64]| wrong_amounts(amounts, 3, 60, 10).unwrap_or_default();
        assert_eq!(wrong(&[30, 0, 30]), "");
        assert_eq!(wrong(&[30, 30]), "there must be 3 amounts, one for each, not 2");
        assert_eq!(wrong_amounts(&[30, 30], 1, 60, 10).as_deref(), Some("there must be one amount, not 2"));
        assert_eq!(wrong(&[70, -10, 0]), "-10 is less than 0");
        assert_eq!(wrong(&[35, 25, 0]), "35 is not a multiple of 10");
        assert_eq!(wrong(&[30, 10, 10]), "the amounts add up to 50, but must add up to 60");
        assert_eq!(wrong(&[i64::MAX - 7, i64::MAX - 7, 0]), "the amounts add up to 18446744073709551600, but must add up to 60");
    }

    #[test]
    fn orders_and_sets_are_counted() {
        assert_eq!([0, 1, 3, 5].map(count_orders), [1, 1, 6, 120]);
        assert_eq!(count_orders(90), u128::MAX);
        assert_eq!([0, 1, 2, 4, 5].map(|size| count_subsets(4, size)), [1, 4, 6, 1, 0]);
        assert_eq!(count_subsets(1_000, 998), 499_500);
        assert!(count_subsets(1_000, 500) > u128::from(u64::MAX));
    }

    #[test]
    fn every_row_of_steps_and_cuts_is_a_division_of_its_own() {
        let (row, count) = cuts_to_sample(3, 40, 10);
        assert_eq!((row, count), (6, 2));
        let rows = (0..row).flat_map(|first| (first + 1..row).map(move |second| [first, second]));
        let found: BTreeSet<Vec<i64>> = rows.map(|cuts| amounts_between(&cuts, 40, 10)).collect();
        assert_eq!(found.len(), 15, "as many as there are rows");
        assert!(found.iter().all(|amounts| wrong_amounts(amounts, 3, 40, 10).is_none()), "{found:?}");
        assert_eq!(amounts_between(&[], 40, 10), [40]);
    }

    #[test]
    fn an_even_division_gives_the_first_the_rest() {
        assert_eq!(even_amounts(3, 50, 10), [20, 20, 10]);
        assert_eq!(even_amounts(2, 0, 10), [0, 0]);
        assert_eq!(wrong_amounts(&even_amounts(7, 60, 10), 7, 60, 10), None);
    }
}
