//! How fast a card game plays, held against a dice game in the same run.
//!
//! What counts is processor time for each answer of random play, and the ratio of medians. Run it with
//! `cargo bench --bench cards`, or with `-- ROUNDS` for more rounds than nine.

mod shipped;

use ludex_engine::program::Program;
use ludex_engine::runtime::random::derive_seed;
use ludex_engine::runtime::{Pending, Session};
use shipped::{SHIPPED, compile, lots, median, play, processor_time, start};
use std::sync::Arc;

/// Games of one measurement.
const DICE_GAMES: u64 = 4_000;
const CARD_GAMES: u64 = 12;
/// Copies of one measurement.
const COPIES: u32 = 20_000;
/// Answers after which a game of cards is late, and one of dice in its third round or so.
const LATE: u64 = 250;
const LATE_OF_DICE: u64 = 20;
/// Sheets that no deck holds.
const UNUSED: usize = 1_000;

const DECKS: [&str; 4] = ["moon", "mercury", "past", "future"];

fn main() {
    let rounds = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(9usize).max(1);
    let dice = compile(SHIPPED, "dice-challenge", &[]);
    let cards = compile(SHIPPED, "sailor-moon-ccg", &[]);
    let crowded = compile(SHIPPED, "sailor-moon-ccg", &unused());
    let mut dice_sessions = vec![start(&dice, &[&["sailor-mercury"], &["kunzite"]])];
    let (mut card_sessions, mut crowded_sessions) = (pairs(&cards), pairs(&crowded));
    let (late_dice, late_cards) =
        (late(&dice, ["sailor-mercury", "kunzite"], LATE_OF_DICE), late(&cards, ["mercury", "future"], LATE));
    let [mut of_dice, mut of_cards, mut of_crowd, mut of_dice_copies, mut of_card_copies] = [const { Vec::new() }; 5];
    let mut lengths = Vec::new();
    for round in 0..rounds as u64 {
        of_dice.push(an_answer(&mut dice_sessions, DICE_GAMES, round).0);
        let (time, length) = an_answer(&mut card_sessions, CARD_GAMES, round);
        of_cards.push(time);
        lengths.push(length);
        of_crowd.push(an_answer(&mut crowded_sessions, CARD_GAMES, round).0);
        of_dice_copies.push(a_copy(&late_dice));
        of_card_copies.push(a_copy(&late_cards));
    }
    let [dice, cards, crowd] = [of_dice, of_cards, of_crowd].map(|mut times| median(&mut times));
    let [dice_copies, card_copies] = [of_dice_copies, of_card_copies].map(|mut times| median(&mut times));
    println!("an answer of dice-challenge:                      {:>8.0} ns of processor time (median of {rounds})", dice * 1e9);
    println!(
        "an answer of sailor-moon-ccg, all pairs of decks: {:>8.0} ns, {:.2} of an answer of dice",
        cards * 1e9,
        cards / dice
    );
    println!("the same with {UNUSED} cards that nobody plays:       {:>8.0} ns, {:.2} of it", crowd * 1e9, crowd / cards);
    println!(
        "a copy of a game of cards after {LATE} answers:      {:>8.0} ns, {:.2} of an answer of dice",
        card_copies * 1e9,
        card_copies / dice
    );
    println!("a copy of one of dice after {LATE_OF_DICE} answers:           {:>8.0} ns", dice_copies * 1e9);
    println!("answers of a game:                                {:>8.0}", median(&mut lengths));
}

/// A session for each ordered pair of different decks.
fn pairs(program: &Arc<Program>) -> Vec<Session> {
    let others = |one| DECKS.iter().filter(move |other| **other != one).map(move |other| [one, *other]);
    DECKS.iter().flat_map(|one| others(*one)).map(|[one, other]| start(program, &[&[one], &[other]])).collect()
}

/// Seconds of processor time for an answer, and answers of a game, over so many games of each session.
fn an_answer(sessions: &mut [Session], games: u64, round: u64) -> (f64, f64) {
    let before = processor_time();
    let mut answers = 0;
    for session in &mut *sessions {
        answers += (0..games).map(|index| play(session, derive_seed(round, index))).sum::<u64>();
    }
    ((processor_time() - before) / answers as f64, answers as f64 / (games * sessions.len() as u64) as f64)
}

/// A game that has gone on for so many answers: of several seeds the first that does.
fn late(program: &Arc<Program>, [one, other]: [&str; 2], answers: u64) -> Session {
    let mut session = start(program, &[&[one], &[other]]);
    for seed in 0..100 {
        session.restart(seed).expect("play begins again");
        let given = session.play_out(&mut lots(seed), answers).expect("what may be answered is legal");
        if given == answers && matches!(session.pending(), Pending::Decisions(_)) {
            return session;
        }
    }
    panic!("no game goes on for {answers} answers");
}

fn a_copy(late: &Session) -> f64 {
    let before = processor_time();
    let waits = |session: &Session| matches!(session.pending(), Pending::Decisions(_));
    let copies = (0..COPIES).filter(|_| waits(&late.clone())).count();
    assert_eq!(copies, COPIES as usize);
    (processor_time() - before) / f64::from(COPIES)
}

/// Monsters as the shipped ones, in no deck.
fn unused() -> Vec<(String, String)> {
    let sheet = |number: usize| {
        format!(
            "  unused-{number}: {{sheet: monster, name: Unused {number}, number: 1, clan: doom_tree, health: 40, points: 1}}\n"
        )
    };
    let sheets: String = (0..UNUSED).map(sheet).collect();
    vec![("characters/sailor-moon-ccg/unused.yaml".to_string(), format!("sheets:\n{sheets}"))]
}
