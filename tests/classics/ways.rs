//! In how many ways a game can go on from its beginning, as two who know nothing of each other count it.
//!
//! Chance is the same for both: each result is the highest there is, so that what is shuffled stays as it was.

use super::games::table::Table;
use super::{program, started};
use ludex_engine::runtime::{Choice, Pending, Session};

/// A table at which the first choices are those of a list; later ones fall on the first option.
pub struct Scripted {
    depth: usize,
    /// Which option is chosen, of how many.
    choices: Vec<(u32, u32)>,
    made: usize,
}

impl Table for Scripted {
    fn roll(&mut self, highest: u32) -> u32 {
        highest
    }

    fn choose(&mut self, _side: usize, count: u32, _key: impl Fn(u32) -> String) -> u32 {
        if self.made == self.depth {
            return 0;
        }
        if self.made == self.choices.len() {
            self.choices.push((0, count));
        }
        self.made += 1;
        self.choices[self.made - 1].0
    }

    fn choose_some(&mut self, _side: usize, _count: u32, _size: u32, _key: impl Fn(u32) -> String) -> u64 {
        unreachable!("these games choose one thing at a time")
    }
}

/// How many different lists of the first choices a plain program allows; a game that ends sooner is one of them.
fn of_plain<R>(depth: usize, play: impl Fn(&mut Scripted) -> R) -> usize {
    let mut table = Scripted { depth, choices: Vec::new(), made: 0 };
    for ways in 1.. {
        table.made = 0;
        play(&mut table);
        while table.choices.last().is_some_and(|(chosen, count)| chosen + 1 == *count) {
            table.choices.pop();
        }
        match table.choices.last_mut() {
            Some((chosen, _)) => *chosen += 1,
            None => return ways,
        }
    }
    unreachable!()
}

/// The same of Ludex, of which each choice takes a copy further.
fn of_ludex(mut session: Session, depth: usize) -> usize {
    while let Pending::Random(request) = session.pending() {
        let highest: Vec<i64> = request.draws.iter().map(|draw| draw.size).collect();
        session.supply(&highest).unwrap();
    }
    let Pending::Decisions(open) = session.pending() else { return 1 };
    if depth == 0 {
        return 1;
    }
    let decision = open[0].clone();
    let after = |option| {
        let mut next = session.clone();
        next.choose(decision.id, Choice::Option(option)).unwrap();
        of_ludex(next, depth - 1)
    };
    (0..decision.count).map(after).sum()
}

/// Both count so many ways in which the first choices of a game can be made.
pub fn count<R>(game: &str, sheets: &[&str], depth: usize, ways: usize, play: impl Fn(&mut Scripted) -> R) {
    let session = started(&program(game), sheets, sheets.len());
    assert_eq!((of_plain(depth, play), of_ludex(session, depth)), (ways, ways), "{game}");
}
