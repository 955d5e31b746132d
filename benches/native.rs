//! Dice Challenge written straight into Rust: the program that the benchmark holds Ludex against.
//!
//! Both sides play at random and without abilities. Every legal attack, that is every set of dice
//! with a target that it may capture, is equally likely; so is every die that the loser of a round
//! may bring in, and bringing in none. Nothing is interpreted and nothing is allocated.
//!
//! The one idea worth knowing is [`Counts`]: the attacks on a target of any value are counted all
//! at once, so a turn draws one of them without ever listing them.

/// Round wins that decide a match.
const TOKENS_TO_WIN: u8 = 3;

/// Sides of the largest die.
const LARGEST_DIE: u8 = 20;

/// Most dice that a side may bring to a round; [`Counts`] relies on it.
const MOST_DICE: usize = 7;

/// The dice of one side, each given by its number of sides.
#[derive(Clone, Copy, Debug)]
pub struct SideDice<'dice> {
    /// Dice of the first round.
    pub starting: &'dice [u8],
    /// Dice of which one may join them after each lost round.
    pub reserve: &'dice [u8],
}

/// What happened, added up over all matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Matches played, each to its end.
    pub matches: u64,
    /// Matches that the first of the two sides won.
    pub first_side_wins: u64,
    /// Rounds played, tied ones included.
    pub rounds: u64,
    /// Squares of the number of rounds in each match; with `rounds` they give its spread.
    pub rounds_squared: u64,
    /// Rounds that ended with equal scores and were played again.
    pub tied_rounds: u64,
    /// Rounds won by the side that took their first turn.
    pub opener_wins: u64,
    /// Starting rolls that were equal and were rolled again.
    pub equal_starting_rolls: u64,
    /// Turns taken, passes included.
    pub turns: u64,
    /// Squares of the number of turns in each match; with `turns` they give its spread.
    pub turns_squared: u64,
    /// Turns without a legal attack.
    pub passes: u64,
    /// Turns in which two or more dice attacked together.
    pub skill_attacks: u64,
    /// Attacks that were legal, over all turns.
    pub legal_attacks: u64,
    /// Half points that each side scored, over all rounds.
    pub half_points: [u64; 2],
}

/// Plays `matches` matches; the same sides and the same seed give the same tally on any machine.
///
/// # Panics
///
/// If a side has no starting die, more than eight dice in reserve, or could bring more than seven
/// dice to a round; or if a die has fewer than 2 or more than 20 sides.
pub fn play(sides: &[SideDice; 2], matches: u64, seed: u64) -> Tally {
    let pools = sides.map(Pool::new);
    let mut random = Random { state: seed };
    let mut tally = Tally::default();
    for _ in 0..matches {
        play_match(pools, &mut random, &mut tally);
    }
    tally
}

fn play_match(mut pools: [Pool; 2], random: &mut Random, tally: &mut Tally) {
    let before = *tally;
    let mut tokens = [0; 2];
    let winner = loop {
        let Some(winner) = play_round(&pools, random, tally) else {
            continue;
        };
        tokens[winner] += 1;
        if tokens[winner] == TOKENS_TO_WIN {
            break winner;
        }
        pools[1 - winner].convert_one_or_none(random);
    };
    tally.matches += 1;
    tally.first_side_wins += u64::from(winner == 0);
    tally.rounds_squared += (tally.rounds - before.rounds).pow(2);
    tally.turns_squared += (tally.turns - before.turns).pow(2);
}

/// Plays one round and returns the side that won it, or none if the scores are equal.
fn play_round(pools: &[Pool; 2], random: &mut Random, tally: &mut Tally) -> Option<usize> {
    let mut hands = [pools[0].starting, pools[1].starting];
    let opener = roll_for_opener(&mut hands, random, tally);
    let captured = fight(&mut hands, opener, random, tally);
    // A captured die is worth its sides, a die still in play half of them.
    let scores = [0, 1].map(|side| 2 * captured[side] + hands[side].total_sides());
    tally.rounds += 1;
    tally.half_points[0] += scores[0];
    tally.half_points[1] += scores[1];
    if scores[0] == scores[1] {
        tally.tied_rounds += 1;
        return None;
    }
    let winner = usize::from(scores[0] < scores[1]);
    tally.opener_wins += u64::from(winner == opener);
    Some(winner)
}

/// Rolls all dice, again while the two rolls are equal, and returns the side with the lower one.
fn roll_for_opener(hands: &mut [Dice; 2], random: &mut Random, tally: &mut Tally) -> usize {
    loop {
        let rolls = hands.each_mut().map(|hand| hand.roll_all(random));
        if rolls[0] != rolls[1] {
            return usize::from(rolls[1] < rolls[0]);
        }
        tally.equal_starting_rolls += 1;
    }
}

/// Takes turns until a side has lost its last die; returns the total sides that each captured.
fn fight(hands: &mut [Dice; 2], opener: usize, random: &mut Random, tally: &mut Tally) -> [u64; 2] {
    let mut captured = [0; 2];
    let mut active = opener;
    loop {
        let foe = 1 - active;
        let attacks = Attacks::count(&hands[active], &hands[foe]);
        tally.turns += 1;
        tally.legal_attacks += u64::from(attacks.total);
        if attacks.total == 0 {
            tally.passes += 1;
        } else {
            let (set, target) = attacks.pick(random.below(attacks.total));
            tally.skill_attacks += u64::from(!set.is_power_of_two());
            captured[active] += u64::from(hands[foe].take(target).sides);
            if hands[foe].count == 0 {
                return captured;
            }
            hands[active].roll_set(set, random);
        }
        active = foe;
    }
}

/// A number for each value from 0 to [`LARGEST_DIE`], side by side in one integer.
#[derive(Clone, Copy)]
struct Counts(u128);

impl Counts {
    /// Room for 63, which is enough: of seven dice at most 35 sets have the same sum, as none of
    /// these contains another, and at most seven single dice are above it.
    const BITS: u32 = 6;

    /// One at 0, the sum of no dice.
    const NO_DICE: Counts = Counts(1);

    /// `BELOW[value]` is one at every lower value.
    const BELOW: [Counts; LARGEST_DIE as usize + 1] = {
        let mut below = [Counts(0); LARGEST_DIE as usize + 1];
        let mut value = 1;
        while value < below.len() {
            below[value] = Counts(below[value - 1].0 << Self::BITS | 1);
            value += 1;
        }
        below
    };

    fn at(self, value: u8) -> u32 {
        (self.0 >> (Self::BITS * u32::from(value))) as u32 & ((1 << Self::BITS) - 1)
    }

    fn plus(self, other: Counts) -> Counts {
        Counts(self.0.wrapping_add(other.0))
    }

    /// Given the sets of some dice by their sums: the sets of these dice and one more that shows
    /// `value`. Sums beyond any target fall off at the top.
    fn with_die(self, value: u8) -> Counts {
        self.plus(Counts(self.0 << (Self::BITS * u32::from(value))))
    }
}

/// All legal attacks, numbered from 0: sets of own dice that sum up to the target's value, and
/// single dice above it.
struct Attacks<'hands> {
    own: &'hands Dice,
    foe: &'hands Dice,
    /// Single dice, by the values they are above.
    above: Counts,
    /// Single dice and sets, by the value of the target.
    all: Counts,
    /// Attacks on all targets together.
    total: u32,
}

impl<'hands> Attacks<'hands> {
    fn count(own: &'hands Dice, foe: &'hands Dice) -> Self {
        let mut exact = Counts::NO_DICE;
        let mut above = Counts(0);
        for die in own.all() {
            exact = exact.with_die(die.value);
            above = above.plus(Counts::BELOW[usize::from(die.value)]);
        }
        let all = exact.plus(above);
        let total = foe.all().iter().map(|die| all.at(die.value)).sum();
        Attacks {
            own,
            foe,
            above,
            all,
            total,
        }
    }

    /// The attack of this number: its dice, own die `n` being bit `n`, and the index of its target.
    fn pick(&self, mut number: u32) -> (u32, usize) {
        let mut target = 0;
        while number >= self.all.at(self.foe.dice[target].value) {
            number -= self.all.at(self.foe.dice[target].value);
            target += 1;
        }
        let value = self.foe.dice[target].value;
        let above = self.above.at(value);
        if number < above {
            (self.die_above(value, number), target)
        } else {
            (self.set_of_sum(value, number - above), target)
        }
    }

    /// Of the single dice above `value`, the one of this number, as a set.
    fn die_above(&self, value: u8, number: u32) -> u32 {
        let mut above = 0;
        for (index, die) in self.own.all().iter().enumerate() {
            above |= u32::from(die.value > value) << index;
        }
        for _ in 0..number {
            above &= above - 1;
        }
        above & above.wrapping_neg()
    }

    /// Of the sets with this sum, the one of this number. Goes from the last die to the first: of
    /// the sets that remain, those without the die come before those with it.
    fn set_of_sum(&self, mut sum: u8, mut number: u32) -> u32 {
        let mut earlier = [Counts::NO_DICE; MOST_DICE + 1];
        for (index, die) in self.own.all().iter().enumerate() {
            earlier[index + 1] = earlier[index].with_die(die.value);
        }
        let mut set = 0;
        for (index, die) in self.own.all().iter().enumerate().rev() {
            let without = earlier[index].at(sum);
            if number >= without {
                number -= without;
                sum -= die.value;
                set |= 1 << index;
            }
        }
        set
    }
}

#[derive(Clone, Copy, Default)]
struct Die {
    sides: u8,
    /// What it shows, from 1 to `sides`; 0 before the first roll.
    value: u8,
}

impl Die {
    fn roll(&mut self, random: &mut Random) {
        self.value = random.below(u32::from(self.sides)) as u8 + 1;
    }
}

/// Up to eight dice: those in play, or a side's part of [`SideDice`].
#[derive(Clone, Copy, Default)]
struct Dice {
    dice: [Die; 8],
    count: usize,
}

impl Dice {
    fn new(all_sides: &[u8]) -> Dice {
        let mut dice = Dice::default();
        for &sides in all_sides {
            let known = (2..=LARGEST_DIE).contains(&sides);
            assert!(known, "a die has {sides} sides");
            dice.push(Die { sides, value: 0 });
        }
        dice
    }

    fn all(&self) -> &[Die] {
        &self.dice[..self.count]
    }

    fn total_sides(&self) -> u64 {
        self.all().iter().map(|die| u64::from(die.sides)).sum()
    }

    fn push(&mut self, die: Die) {
        self.dice[self.count] = die;
        self.count += 1;
    }

    /// Removes a die and moves the last one to its place.
    fn take(&mut self, index: usize) -> Die {
        let taken = self.dice[index];
        self.count -= 1;
        self.dice[index] = self.dice[self.count];
        taken
    }

    /// Returns the values as one number, a byte each, from the lowest value to the highest. Where
    /// the dice run out it has zeros, so the shorter of two rolls that begin alike is the lower.
    fn roll_all(&mut self, random: &mut Random) -> u64 {
        for die in &mut self.dice[..self.count] {
            die.roll(random);
        }
        let mut ascending = [0; 8];
        for (index, die) in self.all().iter().enumerate() {
            let comes_first = |&(other_index, other): &(usize, &Die)| {
                (other.value, other_index) < (die.value, index)
            };
            let rank = self.all().iter().enumerate().filter(comes_first).count();
            ascending[rank] = die.value;
        }
        u64::from_be_bytes(ascending)
    }

    fn roll_set(&mut self, mut set: u32, random: &mut Random) {
        while set != 0 {
            self.dice[set.trailing_zeros() as usize].roll(random);
            set &= set - 1;
        }
    }
}

/// What a side brings to the next round, and what it still may bring.
#[derive(Clone, Copy)]
struct Pool {
    starting: Dice,
    reserve: Dice,
}

impl Pool {
    fn new(dice: SideDice) -> Pool {
        // The round that ends the match brings nothing in.
        let conversions = dice.reserve.len().min(usize::from(TOKENS_TO_WIN) - 1);
        let most = dice.starting.len() + conversions;
        assert!(!dice.starting.is_empty(), "a side has no starting die");
        assert!(most <= MOST_DICE, "a side may come to have {most} dice");
        Pool {
            starting: Dice::new(dice.starting),
            reserve: Dice::new(dice.reserve),
        }
    }

    fn convert_one_or_none(&mut self, random: &mut Random) {
        let choice = random.below(self.reserve.count as u32 + 1) as usize;
        if choice < self.reserve.count {
            self.starting.push(self.reserve.take(choice));
        }
    }
}

/// The generator splitmix64 of Sebastiano Vigna, after Guy Steele, Doug Lea and Christine Flood.
struct Random {
    state: u64,
}

impl Random {
    /// A number below `bound`, each as likely as the others to within `bound` in 2^32.
    fn below(&mut self, bound: u32) -> u32 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let drawn = (mixed ^ (mixed >> 31)) >> 32;
        ((drawn * u64::from(bound)) >> 32) as u32
    }
}
