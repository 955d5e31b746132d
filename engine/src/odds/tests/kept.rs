//! Members of a throw: its highest or lowest few, `highest 3 of 4d6`, and the one in a place, `member 1 of 4d6`.

use super::{problem, shares};

#[test]
fn kept_dice_are_summed_where_a_number_is_wanted() {
    assert_eq!(shares("highest 1 of 2d2"), ["1: 1/4", "2: 3/4"]);
    assert_eq!(shares("lowest 1 of 2d2"), ["1: 3/4", "2: 1/4"]);
    assert_eq!(shares("highest 3 of 4d6 >= 10"), ["no: 227/1296", "yes: 1069/1296"]);
    assert_eq!(shares("highest 2 of 3d2 + 1"), ["3: 1/8", "4: 3/8", "5: 1/2"]);
    assert_eq!(shares("highest 2 of 2d2"), shares("2d2"));
    assert_eq!(shares("highest 3 of 2d2"), shares("2d2"));
    assert_eq!(shares("highest (1 + 1) of 2d2"), shares("2d2"));
    assert_eq!(shares("highest 0 of 2d2"), ["0: 1"]);
    assert_eq!(shares("highest 1 of lowest 1 of 2d2"), shares("lowest 1 of 2d2"));
    assert_eq!(shares("highest 1 of (1d2 + 1d4)"), ["1: 1/8", "2: 3/8", "3: 1/4", "4: 1/4"]);
    assert_eq!(shares("highest (1d2) of 2d2"), ["1: 1/8", "2: 1/2", "3: 1/4", "4: 1/8"]);
    assert_eq!(shares("if 1d2 = 1 then highest 1 of 2d2 else 0"), ["0: 1/2", "1: 1/8", "2: 3/8"]);
    assert_eq!(shares("highest 1 of 2d2 * 2"), ["2: 1/4", "4: 3/4"]);
    assert_eq!(shares("hops(highest 1 of 2d2, 1)"), ["1: 1/4", "2: 3/4"]);
}

#[test]
fn elsewhere_they_are_a_list() {
    assert_eq!(shares("count of highest 3 of 4d2"), ["3: 1"]);
    assert_eq!(shares("sorted 2d2"), ["1 and 1: 1/4", "1 and 2: 1/2", "2 and 2: 1/4"]);
    assert_eq!(shares("sum of highest 1 of 2d2"), shares("highest 1 of 2d2"));
    assert_eq!(shares("lowest of highest 1 of 2d2"), shares("highest 1 of 2d2"));
    assert_eq!(shares("highest 2 of 3d2 = [2, 2]"), ["no: 1/2", "yes: 1/2"]);
    assert_eq!(shares("highest 2 of sorted 2d2 = [1, 2]"), ["no: 1/2", "yes: 1/2"]);
    assert_eq!(shares("highest 1 of sorted 2d2 = sorted highest 1 of 2d2"), ["no: 3/8", "yes: 5/8"]);
    assert_eq!(shares("over(highest 2 of 3d2, 2)"), ["0: 1/8", "1: 3/8", "2: 1/2"]);
    assert_eq!(shares("count of (highest 2 of 3d2 where it = 2)"), shares("over(highest 2 of 3d2, 2)"));
}

#[test]
fn the_top_is_that_of_a_zone() {
    let pair = |message: &str, place: &str| (message.to_string(), place.to_string());
    let wrong = "`top` takes pieces from the top of a zone, but this is a list of numbers";
    assert_eq!(problem("top 3 of sorted 4d6"), pair(wrong, "sorted 4d6"));
    assert_eq!(problem("top 3 of 4d6"), pair(wrong, "4d6"));
}

#[test]
fn one_member_or_none_is_a_list_of_it() {
    assert_eq!(shares("sum of member 1 of 3d2"), ["1: 1/2", "2: 1/2"]);
    assert_eq!(shares("sum of [member 1 of 3d2]"), shares("sum of member 1 of 3d2"));
    assert_eq!(shares("sum of last of sorted 2d2"), ["1: 1/4", "2: 3/4"]);
    assert_eq!(shares("count of first of 3d6"), ["1: 1"]);
    assert_eq!(shares("count of first of [4, 6]"), ["1: 1"]);
    assert_eq!(shares("sum of member 4 of 3d6"), ["0: 1"]);
    assert_eq!(shares("count of member 1d2 of 1d6"), ["0: 1/2", "1: 1/2"]);
    assert_eq!(shares("over(first of 2d2, 2)"), ["0: 1/2", "1: 1/2"]);
}
