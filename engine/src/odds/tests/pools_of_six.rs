//! Pools of six-sided dice that count successes, whose exact odds are known from formulas.

use super::*;
use crate::odds::Fraction;

/// As the page "Tri-Stat combat" of `rules/README.md` has them.
const SUCCESSES: &str = r#"
sides 2
table beams(level) { 1: 1  2: 3  3: 6  4: 9  5: 12  6: 15 }
to play { do lands(1, 1, 4, 4, 0) as hit  if hit { stop } }

to successes(size: number, aim: number, bonus: number): number {
  roll size d6 because "a pool of six-sided dice" as shown
  if aim <= 6 { give made(shown, aim, bonus) }
  roll count of (shown where it = 6) d6 because "the sixes again" as again
  give made(again, aim - 6, bonus)
}

define made(shown: list of number, aim: number, bonus: number) =
  count of (shown where it >= aim)
  + (if shown is not empty and highest of shown < aim and highest of shown + bonus >= aim then 1 else 0)

to lands(attack: number, defence: number, aim: number, block: number, bonus: number): flag {
  do successes(attack, aim, bonus) as hits
  if hits = 0 { give no }
  do successes(defence, block, 0) as blocks
  give blocks < hits
}

to both_land(attack: number, defence: number, aim: number): flag {
  do successes(attack, aim, 0) as hits
  do successes(defence, 4, 0) as one
  do successes(defence, 4, 0) as other
  give one < hits and other < hits
}
"#;

fn pool_odds(expression: &str) -> Odds {
    match ask_with(&game(SUCCESSES), &CompileRequest::default(), expression, &Effort::default()) {
        Ok(odds) => odds,
        Err(problems) => panic!("{expression}: {problems:#?}"),
    }
}

/// The shares as parts of a common whole.
fn parts(expression: &str, of: u64) -> Vec<u64> {
    let shares = pool_odds(expression).values.into_iter().map(|value| value.share.times(&Fraction::from_whole(of as i64)));
    shares.map(|share| share.in_lowest_terms().to_string().parse().unwrap()).collect()
}

/// How likely `yes` is.
fn yes(expression: &str) -> String {
    let odds = pool_odds(expression);
    odds.values.iter().find(|value| value.shown == "yes").map_or("0".to_string(), |value| value.share.to_string())
}

#[test]
fn the_tables_of_successes() {
    let tables: &[(u32, u32, u64, &[u64])] = &[
        (2, 3, 216, &[1, 15, 75, 125]),
        (2, 6, 46_656, &[1, 30, 375, 2_500, 9_375, 18_750, 15_625]),
        (3, 4, 81, &[1, 8, 24, 32, 16]),
        (4, 8, 256, &[1, 8, 28, 56, 70, 56, 28, 8, 1]),
        (5, 6, 729, &[64, 192, 240, 160, 60, 12, 1]),
        (6, 8, 1_679_616, &[390_625, 625_000, 437_500, 175_000, 43_750, 7_000, 700, 40, 1]),
        (8, 1, 36, &[31, 5]),
        (8, 4, 1_679_616, &[923_521, 595_820, 144_150, 15_500, 625]),
        (8, 6, 2_176_782_336, &[887_503_681, 858_874_530, 346_320_375, 74_477_500, 9_009_375, 581_250, 15_625]),
        (9, 6, 531_441, &[262_144, 196_608, 61_440, 10_240, 960, 48, 1]),
        (10, 6, 2_985_984, &[1_771_561, 966_306, 219_615, 26_620, 1_815, 66, 1]),
        (11, 6, 34_012_224, &[24_137_569, 8_519_142, 1_252_815, 98_260, 4_335, 102, 1]),
        (12, 6, 2_176_782_336, &[1_838_265_625, 315_131_250, 22_509_375, 857_500, 18_375, 210, 1]),
    ];
    for (aim, dice, of, wanted) in tables {
        assert_eq!(parts(&format!("successes({dice}, {aim}, 0)"), *of), *wanted, "{dice} dice, {aim}");
    }
}

#[test]
fn every_pool_up_to_ten_dice_follows_the_formula() {
    let choose = |n: u32, k: u32| (0..k).fold(1i64, |product, i| product * i64::from(n - i) / i64::from(i + 1));
    for aim in [2, 3, 4, 5, 6, 8, 9, 10, 11, 12] {
        let (hit, of) = if aim <= 6 { (7 - aim, 6u32) } else { (13 - aim, 36) };
        let part = |number: u32| Fraction::new(number.into(), of.into());
        let to_the = |share: Fraction, times: u32| (0..times).fold(Fraction::one(), |product, _| product.times(&share));
        for dice in 1..=10 {
            let odds = pool_odds(&format!("successes({dice}, {aim}, 0)"));
            assert_eq!(odds.values.len(), dice as usize + 1);
            for (hits, value) in (0..=dice).zip(&odds.values) {
                let wanted = Fraction::from_whole(choose(dice, hits));
                let wanted = wanted.times(&to_the(part(hit), hits)).times(&to_the(part(of - hit), dice - hits));
                assert_eq!(value.share, wanted.in_lowest_terms(), "{hits} of {dice} at {aim}");
            }
        }
    }
}

#[test]
fn the_bonus_turns_no_success_into_one() {
    let none = |aim: u32, bonus: u32| yes(&format!("successes(6, {aim}, {bonus}) = 0"));
    let wanted = [
        (4, ["1/64", "1/729", "1/46656", "0", "0"]),
        (5, ["64/729", "1/64", "1/729", "1/46656", "0"]),
        (6, ["15625/46656", "64/729", "1/64", "1/729", "1/46656"]),
        (8, ["887503681/2176782336", "15625/46656", "15625/46656", "15625/46656", "15625/46656"]),
        (9, ["262144/531441", "887503681/2176782336", "15625/46656", "15625/46656", "15625/46656"]),
    ];
    for (aim, row) in wanted {
        let found: Vec<String> = (0..5).map(|bonus| none(aim, bonus)).collect();
        assert_eq!(found, row, "{aim}");
    }
}

#[test]
fn an_attack_lands_as_often_as_the_tables_say() {
    let lands = |attack: u32, defence: u32, aim: u32, bonus: u32| yes(&format!("lands({attack}, {defence}, {aim}, 4, {bonus})"));
    for (attack, defence, wanted) in [
        (1, 0, "1/2"),
        (1, 10, "1/2048"),
        (4, 4, "93/256"),
        (6, 4, "319/512"),
        (7, 6, "1/2"),
        (8, 8, "26333/65536"),
        (10, 6, "50643/65536"),
        (10, 10, "215955/524288"),
    ] {
        assert_eq!(lands(attack, defence, 4, 0), wanted);
    }
    for (attack, defence, aim, wanted) in [
        (4, 2, 5, "35/81"),
        (6, 4, 6, "16541/124416"),
        (8, 6, 6, "2455181/26873856"),
        (8, 6, 8, "2970012370085/45137758519296"),
        (8, 6, 9, "1911269/43046721"),
        (6, 0, 8, "1289278655/2176782336"),
        (6, 0, 9, "269297/531441"),
    ] {
        assert_eq!(lands(attack, defence, aim, 0), wanted);
    }
    assert_eq!([0, 1, 2, 3].map(|bonus| lands(6, 4, 4, bonus)), ["319/512", "465767/746496", "232915/373248", "639/1024"]);
    assert_eq!(yes("both_land(2, 1, 5)"), "2/9");
}

#[test]
fn damage_is_the_sum_of_its_dice() {
    for (level, mean, variance) in [(1, "11/2", "33/4"), (3, "33", "99/2"), (6, "165/2", "495/4")] {
        let odds = pool_odds(&format!("beams({level}) d10"));
        assert_eq!(odds.mean().unwrap().to_string(), mean);
        assert_eq!(odds.variance().unwrap().to_string(), variance);
    }
    assert_eq!(yes("3d10 >= 20"), "283/1000");
    assert_eq!(yes("6d10 >= 33"), "263813/500000");
    assert_eq!(yes("9d10 >= 60"), "125105611/1000000000");
    assert_eq!(yes("15d10 >= 83"), "1/2");
    assert_eq!(yes("15d10 >= 60"), "49056681965999/50000000000000");
    assert_eq!(yes("6d4 + 6 >= 20"), "721/1024");
    assert_eq!(parts("3d4 + 3", 64), [1, 3, 6, 10, 12, 12, 10, 6, 3, 1]);
}
