//! Kuhn poker: each deal is played to each of its ends, and from the ends follows what the game is worth.

use super::{library, program, started};
use crate::support::{Folder, run};
use ludex_engine::runtime::{Choice, Decision, Lots, Pending, Session};
use serde_json::Value;
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

/// All results of shuffling the pack.
const DEALS: [(i64, i64); 6] = [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2)];

/// A deal, and the ranks that the opener and the other side hold.
fn dealt(first: i64, second: i64) -> (Session, [usize; 2]) {
    let mut session = started(&program("kuhn-poker"), &[], 2);
    // Chips are told to those who watch.
    session.start_watching();
    session.supply(&[first, second]).unwrap();
    let mut pack = [0, 1, 2];
    pack.swap(2, first as usize - 1);
    pack.swap(1, second as usize - 1);
    (session, [pack[2], pack[1]])
}

fn endings() -> Vec<Ending> {
    let mut found = Vec::new();
    for (first, second) in DEALS {
        let (session, hands) = dealt(first, second);
        go_on(&session, hands, &[], &mut found);
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

/// Gives out results that were settled before, and notes of how many each is one.
#[derive(Default)]
struct Settled {
    results: Vec<u64>,
    out_of: Vec<u64>,
}

impl Lots for Settled {
    fn draw_below(&mut self, limit: u64) -> u64 {
        let result = self.results.get(self.out_of.len()).copied().unwrap_or(0);
        self.out_of.push(limit);
        result
    }

    // Policies draw nothing else.
    fn draw_between(&mut self, _: i64, _: i64) -> i64 {
        unreachable!()
    }

    fn draw_order(&mut self, _: u64) -> Vec<u64> {
        unreachable!()
    }

    fn draw_set(&mut self, _: u64, _: u64, _: u64, _: bool) -> Vec<u64> {
        unreachable!()
    }

    fn draws_nothing(&mut self, _: u128) -> bool {
        unreachable!()
    }
}

fn open(session: &Session) -> &Decision {
    let Pending::Decisions(open) = session.pending() else { panic!("nobody is asked") };
    &open[0]
}

/// In how many of three cases the policy of the rules bets or calls: all results of its chance are tried.
fn bold_of_three(session: &Session) -> i64 {
    let id = open(session).id;
    let (mut bold, mut all) = (0, 0);
    let mut results = Vec::new();
    loop {
        let mut lots = Settled { results, ..Settled::default() };
        let choice = session.preferred_move(id, "equilibrium", &mut lots).expect("the policy knows every question");
        bold += i64::from(matches!(session.choice_key(id, &choice).as_deref(), Some("bet" | "call")));
        all += 1;
        results = lots.results;
        results.resize(lots.out_of.len(), 0);
        // The next results, as a counter counts up; every result of each line is as likely as the others.
        while results.last().is_some_and(|result| result + 1 == lots.out_of[results.len() - 1]) {
            results.pop();
        }
        match results.last_mut() {
            Some(result) => *result += 1,
            None => break,
        }
    }
    assert_eq!(3 * bold % all, 0, "{bold} of {all} are no thirds");
    3 * bold / all
}

/// What the policy of the rules does as the opener and as the other side.
fn written() -> [Strategy; 2] {
    let mut found = [Strategy::default(); 2];
    for (first, second) in DEALS {
        let (session, hands) = dealt(first, second);
        for (side, words) in [(0, &[][..]), (0, &["check", "bet"]), (1, &["check"]), (1, &["bet"])] {
            let mut session = session.clone();
            for word in words {
                let id = open(&session).id;
                session.choose(id, Choice::Key((*word).to_string())).unwrap();
            }
            let situation = usize::from(words.last() == Some(&"bet"));
            found[side][hands[side]][situation] = bold_of_three(&session);
        }
    }
    found
}

/// The policy is one of those of H. W. Kuhn: the opener bets with the jack in one of three cases, and with the king always.
#[test]
fn the_policy_of_kuhn_poker_is_an_equilibrium_and_costs_the_opener_an_eighteenth() {
    let endings = endings();
    let [opener, second] = written();
    assert_eq!(opener, [[1, 0], [0, 2], [3, 3]]);
    assert_eq!(second, [[1, 0], [0, 1], [3, 3]]);
    assert_eq!(worth(&endings, [&opener, &second]) * 18, -162);
    // Neither side can do better against the other's.
    assert_eq!(pure().map(|other| worth(&endings, [&other, &second])).max(), Some(-9));
    assert_eq!(pure().map(|other| worth(&endings, [&opener, &other])).min(), Some(-9));
    // It would not be one if the opener called less often with the queen.
    let timid = [[1, 0], [0, 1], [3, 3]];
    assert!(pure().map(|other| worth(&endings, [&timid, &other])).min() < Some(-9));
}

/// As the README of the game has it.
#[test]
fn many_deals_of_kuhn_poker_cost_the_opener_about_an_eighteenth() {
    let library = library();
    let seats = ["--seat", "0=:policy=equilibrium", "--seat", "1=:policy=equilibrium"];
    let args =
        ["sim", "kuhn-poker", "--library", library.to_str().unwrap(), "--games", "20000", "--seed", "1", "--format", "json"];
    let told = run(&Folder::outside("kuhn-payoffs"), &[&args[..], &seats].concat(), "").stdout;
    let told: Value = serde_json::from_str(&told).unwrap();
    let [opener, second] = [0, 1].map(|side| &told["payoffs"][side]);
    let within = |payoff: f64| opener["low"].as_f64().unwrap() < payoff && payoff < opener["high"].as_f64().unwrap();
    assert!(within(-1.0 / 18.0) && !within(0.0) && !within(-0.1), "{opener}");
    assert!((opener["mean"].as_f64().unwrap() + second["mean"].as_f64().unwrap()).abs() < 1e-9, "{opener} {second}");
}
