//! Kuhn poker: each deal is played to each of its ends, and from the ends follows what the game is worth.

use super::{program, started};
use ludex_engine::runtime::{Choice, Pending, Session};
use std::collections::BTreeSet;

/// One way for a deal to end.
struct Ending {
    /// The ranks that the opener and the other side hold, from 0.
    hands: [usize; 2],
    words: Vec<String>,
    /// What the opener wins.
    chips: i64,
}

/// In how many of three cases a side bets or calls: for each card, where it may bet, and where it faces a bet.
type Strategy = [[i64; 2]; 3];

fn endings() -> Vec<Ending> {
    let program = program("kuhn-poker");
    let mut found = Vec::new();
    for (first, second) in [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2)] {
        let mut session = started(&program, &[], 2);
        // Chips are told to those who watch.
        session.watch();
        session.supply(&[first, second]).unwrap();
        let mut pack = [0, 1, 2];
        pack.swap(2, first as usize - 1);
        pack.swap(1, second as usize - 1);
        go_on(&session, [pack[2], pack[1]], &[], &mut found);
    }
    found
}

fn go_on(session: &Session, hands: [usize; 2], words: &[String], found: &mut Vec<Ending>) {
    match session.pending() {
        Pending::Finished(outcome) => {
            let chips = outcome.scores[0].iter().find(|(name, _)| name == "chips").unwrap().1.parse().unwrap();
            found.push(Ending { hands, words: words.to_vec(), chips });
        }
        Pending::Decisions(open) => {
            for option in session.options(open[0].id, 0, open[0].count) {
                let mut next = session.clone();
                next.choose(open[0].id, Choice::Option(option.id)).unwrap();
                go_on(&next, hands, &[words, &[option.key]].concat(), found);
            }
        }
        Pending::Random(request) => panic!("more chance: {request:?}"),
    }
}

/// What the opener wins on average, in parts of 162: six deals, and three words of which each is said so often of three times.
fn worth(endings: &[Ending], strategies: [&Strategy; 2]) -> i64 {
    let share = |ending: &Ending| {
        let mut parts = 27;
        for (place, word) in ending.words.iter().enumerate() {
            let side = place % 2;
            let situation = usize::from(matches!(word.as_str(), "call" | "fold"));
            let bold = strategies[side][ending.hands[side]][situation];
            parts = parts * if matches!(word.as_str(), "bet" | "call") { bold } else { 3 - bold } / 3;
        }
        parts * ending.chips
    };
    endings.iter().map(share).sum()
}

/// All strategies that do the same thing each time.
fn pure() -> impl Iterator<Item = Strategy> {
    (0..64).map(|bits| [0, 1, 2].map(|card| [0, 1].map(|situation| (bits >> (2 * card + situation) & 1) * 3)))
}

#[test]
fn six_deals_of_kuhn_poker_end_in_thirty_ways() {
    let endings = endings();
    assert_eq!(endings.len(), 30);
    let words: BTreeSet<String> = endings.iter().map(|ending| ending.words.join(" ")).collect();
    assert_eq!(
        words.into_iter().collect::<Vec<_>>(),
        ["bet call", "bet fold", "check bet call", "check bet fold", "check check"]
    );
}

/// The strategies are those of H. W. Kuhn. Neither side can do better against the other's, so they are the value of the game.
#[test]
fn kuhn_poker_costs_the_opener_an_eighteenth() {
    let endings = endings();
    let opener = [[0, 0], [0, 1], [0, 3]];
    let second = [[1, 0], [0, 1], [3, 3]];
    assert_eq!(worth(&endings, [&opener, &second]) * 18, -162);
    assert_eq!(pure().map(|other| worth(&endings, [&other, &second])).max(), Some(-9));
    assert_eq!(pure().map(|other| worth(&endings, [&opener, &other])).min(), Some(-9));
}
