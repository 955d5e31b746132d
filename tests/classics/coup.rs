//! Coup in plain Rust: a card is its place in the list of roles.

use super::games::table::{Table, shuffle};
use super::{PACKS, compare, ways};

const ROLES: [&str; 5] = ["duke", "assassin", "captain", "ambassador", "contessa"];

struct Game<'t, T> {
    table: &'t mut T,
    court: Vec<u8>,
    influence: Vec<Vec<u8>>,
    coins: Vec<u32>,
}

/// What a side does, and against whom.
#[derive(Clone, Copy)]
enum Deed {
    Income,
    ForeignAid,
    Coup(usize),
    Tax,
    Assassinate(usize),
    Steal(usize),
    Exchange,
}

impl Deed {
    fn key(self) -> String {
        match self {
            Deed::Income => "income".to_string(),
            Deed::ForeignAid => "foreign_aid".to_string(),
            Deed::Coup(target) => format!("coup({target})"),
            Deed::Tax => "tax".to_string(),
            Deed::Assassinate(target) => format!("assassinate({target})"),
            Deed::Steal(target) => format!("steal({target})"),
            Deed::Exchange => "exchange".to_string(),
        }
    }

    /// Its price, and the role that is claimed.
    fn needs(self) -> (u32, Option<u8>) {
        match self {
            Deed::Income | Deed::ForeignAid => (0, None),
            Deed::Coup(_) => (7, None),
            Deed::Tax => (0, Some(0)),
            Deed::Assassinate(_) => (3, Some(1)),
            Deed::Steal(_) => (0, Some(2)),
            Deed::Exchange => (0, Some(3)),
        }
    }
}

/// Plays a game; the winner as a bit.
fn play(table: &mut impl Table, sides: usize) -> u32 {
    let mut court = (0..15).map(|card| card / 3).collect::<Vec<u8>>();
    shuffle(&mut court, table);
    let influence = (0..sides).map(|_| court.split_off(court.len() - 2)).collect();
    let mut game = Game { table, court, influence, coins: vec![2; sides] };
    let mut active = 0;
    while !game.is_over() {
        if game.lives(active) {
            game.turn(active);
        }
        active = (active + 1) % sides;
    }
    (0..sides).filter(|side| game.lives(*side)).map(|side| 1 << side).sum()
}

impl<T: Table> Game<'_, T> {
    fn lives(&self, side: usize) -> bool {
        !self.influence[side].is_empty()
    }

    fn is_over(&self) -> bool {
        (0..self.coins.len()).filter(|side| self.lives(*side)).count() == 1
    }

    /// The others who live, from the next one on.
    fn others(&self, side: usize) -> Vec<usize> {
        let sides = self.coins.len();
        (1..sides).map(|step| (side + step) % sides).filter(|other| self.lives(*other)).collect()
    }

    fn deeds(&self, active: usize) -> Vec<Deed> {
        let (coins, others) = (self.coins[active], self.others(active));
        let against = |deed: fn(usize) -> Deed| others.iter().copied().map(deed);
        if coins >= 10 {
            return against(Deed::Coup).collect();
        }
        let mut deeds = vec![Deed::Income, Deed::ForeignAid, Deed::Tax, Deed::Exchange];
        deeds.extend(against(Deed::Steal));
        deeds.extend(against(Deed::Assassinate).chain(against(Deed::Coup)).filter(|deed| deed.needs().0 <= coins));
        deeds
    }

    fn turn(&mut self, active: usize) {
        let deeds = self.deeds(active);
        let chosen = self.table.choose_if_open(active, deeds.len() as u32, |option| deeds[option as usize].key());
        let deed = deeds[chosen as usize];
        let (price, claim) = deed.needs();
        self.coins[active] -= price;
        if claim.is_some_and(|claim| !self.is_believed(active, claim)) {
            self.coins[active] += price;
        } else if !self.is_over() && !self.is_blocked(active, deed) && !self.is_over() {
            self.carry_out(active, deed);
        }
    }

    /// Whether a claim stands: nobody challenges it, or it is proved.
    fn is_believed(&mut self, claimant: usize, claim: u8) -> bool {
        for other in self.others(claimant) {
            if self.table.choose(other, 2, |option| ["yes", "no"][option as usize].to_string()) == 1 {
                continue;
            }
            let has_it = self.influence[claimant].contains(&claim);
            let shows = [format!("choose({})", ROLES[usize::from(claim)]), "pass".to_string()];
            let proved = has_it && self.table.choose(claimant, 2, |option| shows[option as usize].clone()) == 0;
            if proved {
                self.give_back(claimant, claim);
                shuffle(&mut self.court, self.table);
                self.influence[claimant].extend(self.court.pop());
            }
            self.lose_influence(if proved { other } else { claimant });
            return proved;
        }
        true
    }

    fn is_blocked(&mut self, active: usize, deed: Deed) -> bool {
        let (blockers, roles): (Vec<usize>, &[u8]) = match deed {
            Deed::ForeignAid => (self.others(active), &[0]),
            Deed::Assassinate(target) => (vec![target], &[4]),
            Deed::Steal(target) => (vec![target], &[2, 3]),
            _ => return false,
        };
        for blocker in blockers.into_iter().filter(|side| !self.influence[*side].is_empty()).collect::<Vec<_>>() {
            let key = |option: u32| match roles.get(option as usize) {
                Some(role) => format!("block({})", ROLES[usize::from(*role)]),
                None => "pass".to_string(),
            };
            let chosen = self.table.choose(blocker, roles.len() as u32 + 1, key);
            if let Some(role) = roles.get(chosen as usize) {
                return self.is_believed(blocker, *role);
            }
        }
        false
    }

    fn carry_out(&mut self, active: usize, deed: Deed) {
        match deed {
            Deed::Income => self.coins[active] += 1,
            Deed::ForeignAid => self.coins[active] += 2,
            Deed::Tax => self.coins[active] += 3,
            Deed::Coup(target) | Deed::Assassinate(target) => self.lose_influence(target),
            Deed::Steal(target) => {
                let stolen = self.coins[target].min(2);
                self.coins[target] -= stolen;
                self.coins[active] += stolen;
            }
            Deed::Exchange => {
                let drawn = self.court.split_off(self.court.len() - 2);
                self.influence[active].extend(drawn);
                for _ in 0..2 {
                    let returned = self.one_of(active);
                    self.give_back(active, returned);
                }
                shuffle(&mut self.court, self.table);
            }
        }
    }

    /// One of a side's cards, as the side likes.
    fn one_of(&mut self, side: usize) -> u8 {
        let mut cards = self.influence[side].clone();
        cards.sort_unstable();
        cards.dedup();
        let key = |option: u32| format!("choose({})", ROLES[usize::from(cards[option as usize])]);
        cards[self.table.choose_if_open(side, cards.len() as u32, key) as usize]
    }

    fn take_from(&mut self, side: usize, card: u8) {
        let place = self.influence[side].iter().position(|own| *own == card).unwrap();
        self.influence[side].remove(place);
    }

    fn give_back(&mut self, side: usize, card: u8) {
        self.take_from(side, card);
        self.court.push(card);
    }

    fn lose_influence(&mut self, side: usize) {
        if self.lives(side) {
            let lost = self.one_of(side);
            self.take_from(side, lost);
            if !self.lives(side) {
                self.coins[side] = 0;
            }
        }
    }
}

#[test]
fn coup_is_the_same_in_plain_rust() {
    for sides in 2..=4 {
        compare("coup", &PACKS[..sides], sides, 40, |table| play(table, sides));
    }
}

#[test]
fn the_first_seven_choices_of_coup_can_be_made_in_3909_ways() {
    ways::count("coup", &PACKS[..2], 7, 3909, |table| play(table, 2));
}
