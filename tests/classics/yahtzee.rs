//! Yahtzee: games beside a plain program that works out every box in its own way, and the chance of a Yahtzee.

use super::{library, program, started};
use crate::support::{Luck, ludex};
use ludex_engine::program::Program;
use ludex_engine::runtime::{Choice, Decision, Form, Pending, Session};
use std::ops::Range;
use std::sync::Arc;

const UPPER: [&str; 6] = ["ones", "twos", "threes", "fours", "fives", "sixes"];
const LOWER: &str = "three_of_a_kind four_of_a_kind full_house small_straight large_straight yahtzee chance";
const YAHTZEE: usize = 11;

/// How many of the dice show each number, the most common first.
fn counts(dice: &[i64]) -> Vec<usize> {
    let mut counts: Vec<usize> = (1..=6).map(|face| dice.iter().filter(|die| **die == face).count()).collect();
    counts.sort_unstable_by(|one, other| other.cmp(one));
    counts
}

fn has_run(dice: &[i64], length: i64) -> bool {
    (1..=7 - length).any(|low| (low..low + length).all(|face| dice.contains(&face)))
}

fn worth(number: usize, dice: &[i64], joker: bool) -> i64 {
    let sum = dice.iter().sum();
    let counts = counts(dice);
    let if_so = |so: bool, points: i64| if so { points } else { 0 };
    match number {
        0..6 => dice.iter().filter(|die| **die == number as i64 + 1).sum(),
        6 => if_so(counts[0] >= 3, sum),
        7 => if_so(counts[0] >= 4, sum),
        8 => if_so(joker || counts[0] == 3 && counts[1] == 2, 25),
        9 => if_so(joker || has_run(dice, 4), 30),
        10 => if_so(joker || has_run(dice, 5), 40),
        YAHTZEE => if_so(counts[0] == 5, 50),
        _ => sum,
    }
}

#[derive(Default)]
struct Sheet {
    filled: [Option<i64>; 13],
    bonus: i64,
}

impl Sheet {
    fn has_joker(&self, dice: &[i64]) -> bool {
        self.filled[YAHTZEE].is_some() && counts(dice)[0] == 5
    }

    fn open(&self, dice: &[i64]) -> Vec<usize> {
        let empty = |boxes: Range<usize>| boxes.filter(|number| self.filled[*number].is_none()).collect::<Vec<_>>();
        let all = empty(0..13);
        if !self.has_joker(dice) {
            return all;
        }
        let of_number = empty(dice[0] as usize - 1..dice[0] as usize);
        let below = empty(6..13);
        [of_number, below, all].into_iter().find(|boxes| !boxes.is_empty()).unwrap()
    }

    fn fill(&mut self, number: usize, dice: &[i64]) {
        let joker = self.has_joker(dice);
        if joker && self.filled[YAHTZEE] == Some(50) {
            self.bonus += 100;
        }
        self.filled[number] = Some(worth(number, dice, joker));
    }

    fn total(&self) -> i64 {
        let above: i64 = self.filled[..6].iter().flatten().sum();
        let all: i64 = self.filled.iter().flatten().sum();
        all + self.bonus + if above >= 63 { 35 } else { 0 }
    }
}

fn asked(session: &Session) -> Decision {
    let Pending::Decisions(open) = session.pending() else { panic!("no question: {:?}", session.pending()) };
    open[0].clone()
}

/// A game in which the dice have a favourite number each turn, so that many are alike. How many bonuses there were.
fn play(program: &Arc<Program>, seed: u64) -> i64 {
    let mut session = started(program, &[], 2);
    session.start_watching();
    let luck = &mut Luck(seed);
    let names: Vec<&str> = UPPER.into_iter().chain(LOWER.split(' ')).collect();
    let mut sheets = [Sheet::default(), Sheet::default()];
    for turn in 0..26 {
        let sheet = &mut sheets[turn % 2];
        let favourite = luck.below(6) as i64 + 1;
        let roll = |luck: &mut Luck| if luck.below(6) > 0 { favourite } else { luck.below(6) as i64 + 1 };
        let mut dice: Vec<i64> = (0..5).map(|_| roll(luck)).collect();
        session.supply(&dice).unwrap();
        for _ in 0..2 {
            let decision = asked(&session);
            assert_eq!((decision.form, decision.may_pass), (Form::Some { min: 1, max: 5 }, true));
            let again: Vec<u64> = (0..5).filter(|_| luck.below(3) == 0).collect();
            session.choose(decision.id, Choice::Options(again.clone())).unwrap();
            if again.is_empty() {
                break;
            }
            let shown: Vec<i64> = again.iter().map(|_| roll(luck)).collect();
            session.supply(&shown).unwrap();
            again.into_iter().zip(shown).for_each(|(die, shown)| dice[die as usize] = shown);
        }
        let open = sheet.open(&dice);
        let chosen = open[luck.below(open.len() as u64) as usize];
        // A single box is filled without a question.
        if open.len() > 1 {
            let decision = asked(&session);
            let options = session.options(decision.id, 0, decision.count);
            let boxes: Vec<String> = options.iter().map(|option| option.key.clone()).collect();
            assert_eq!(boxes, open.iter().map(|number| format!("fill({})", names[*number])).collect::<Vec<_>>());
            for (option, number) in options.iter().zip(&open) {
                let points = worth(*number, &dice, sheet.has_joker(&dice));
                assert!(option.text.starts_with(&format!("score {points} in")), "{option:?} of {dice:?}");
            }
            let place = open.iter().position(|number| *number == chosen).unwrap();
            session.choose(decision.id, Choice::Option(options[place].id)).unwrap();
        }
        sheet.fill(chosen, &dice);
    }
    let Pending::Finished(outcome) = session.pending() else { panic!("play goes on: {:?}", session.pending()) };
    for (sheet, scores) in sheets.iter().zip(&outcome.scores) {
        assert!(scores.contains(&("points".to_string(), sheet.total().to_string())), "{scores:?}, and not {}", sheet.total());
    }
    let most = sheets.iter().map(Sheet::total).max();
    let winners: Vec<usize> = (0..2).filter(|side| Some(sheets[*side].total()) == most).collect();
    assert_eq!(outcome.winners, winners);
    sheets.iter().map(|sheet| sheet.bonus / 100).sum()
}

#[test]
fn yahtzee_is_the_same_in_plain_rust() {
    let program = program("yahtzee");
    let bonuses: i64 = (0..30).map(|seed| play(&program, seed)).sum();
    assert!(bonuses > 10, "{bonuses} second Yahtzees show nothing");
}

/// All rolls of five dice, three times; those that are kept show 0, whatever they roll.
#[test]
fn a_turn_is_a_yahtzee_in_347897_of_7558272_cases() {
    let mut ways = [1u64, 0, 0, 0, 0, 0];
    for _ in 0..3 {
        let mut next = [0; 6];
        for roll in 0..7776 {
            let dice = [1, 6, 36, 216, 1296].map(|place| roll / place % 6);
            for kept in 0..5 {
                let alike = (0..6).map(|face| {
                    let more = dice[kept..].iter().filter(|die| **die == face).count();
                    if face == 0 { kept + more } else { more }
                });
                next[alike.max().unwrap()] += ways[kept];
            }
        }
        next[5] += ways[5] * 7776;
        ways = next;
    }
    assert_eq!(u128::from(ways[5]) * 7_558_272, 347_897 * 7776u128.pow(3));
    let root = library().to_string_lossy().into_owned();
    let odds = ludex(&["odds", "yahtzee", "alike_after(3)", "--library", &root]);
    assert!(odds.stdout.contains("5   347897/7558272"), "{}{}", odds.stdout, odds.stderr);
}
