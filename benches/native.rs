//! Dice Challenge written straight into Rust: the program that the benchmark holds Ludex against.
//!
//! Both sides play at random and without abilities. Every legal attack, that is every set of dice
//! with a target it may capture, is equally likely; so is every die that the loser of a round may
//! bring in, and bringing in none. Nothing is interpreted and nothing is allocated.
//!
//! The one idea worth knowing is [`Counts`]: the attacks on a target of any value are counted all
//! at once, so that a turn draws one of them without ever listing them.

/// Round wins that decide a match.
const TOKENS_TO_WIN: u8 = 3;

/// Sides of the largest die.
const LARGEST_DIE: u8 = 20;

/// Most dice that a side may bring to a round.
const MOST_DICE: usize = 7;

/// Dice that a row has room for: a side's dice in play, or its reserve.
const ROW_LENGTH: usize = 8;

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
/// If a side has no starting die, could bring more than seven dice to a round or has more than
/// eight in reserve, or if a die has fewer than 2 or more than 20 sides.
pub fn play(sides: &[SideDice; 2], matches: u64, seed: u64) -> Tally {
    let pools = sides.map(Pool::new);
    let mut random = Random::new(seed);
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
    let mut hands = [0, 1].map(|side| Hand::new(pools[side].starting));
    let opener = roll_for_opener(&mut hands, random, tally);
    let captured = fight(&mut hands, opener, random, tally);
    // A captured die is worth its sides, a die still in play half of them.
    let score = [0, 1].map(|side| 2 * captured[side] + hands[side].dice.total_sides());
    tally.rounds += 1;
    for (sum, half_points) in tally.half_points.iter_mut().zip(score) {
        *sum += u64::from(half_points);
    }
    if score[0] == score[1] {
        tally.tied_rounds += 1;
        return None;
    }
    let winner = usize::from(score[1] > score[0]);
    tally.opener_wins += u64::from(winner == opener);
    Some(winner)
}

/// Rolls all dice, again while the two rolls are equal, and returns the side with the lower one.
fn roll_for_opener(hands: &mut [Hand; 2], random: &mut Random, tally: &mut Tally) -> usize {
    loop {
        hands[0].roll_all(random);
        hands[1].roll_all(random);
        let rolls = [hands[0].ascending_values(), hands[1].ascending_values()];
        if rolls[0] != rolls[1] {
            return usize::from(rolls[1] < rolls[0]);
        }
        tally.equal_starting_rolls += 1;
    }
}

/// Takes turns until one side has lost its last die; returns the sides of the dice each captured.
fn fight(hands: &mut [Hand; 2], opener: usize, random: &mut Random, tally: &mut Tally) -> [u32; 2] {
    let mut captured = [0; 2];
    let mut active = opener;
    loop {
        let foe = 1 - active;
        let attacks = Attacks::new(&hands[active], &hands[foe]);
        tally.turns += 1;
        tally.legal_attacks += u64::from(attacks.total);
        if attacks.total == 0 {
            tally.passes += 1;
        } else {
            let (set, target) = attacks.get(random.below(attacks.total));
            tally.skill_attacks += u64::from(!set.is_power_of_two());
            captured[active] += u32::from(hands[foe].lose(target));
            if hands[foe].dice.count == 0 {
                return captured;
            }
            hands[active].roll_set(set, random);
        }
        active = foe;
    }
}

/// A number for each value from 0 to [`LARGEST_DIE`], all side by side in one integer.
#[derive(Clone, Copy)]
struct Counts(u128);

impl Counts {
    /// Room for 63. No count comes near: of seven dice at most 35 sets have the same sum, because
    /// none of those sets contains another, and at most seven dice more show a higher value.
    const BITS: u32 = 6;

    /// One for the value 0: the sum of no dice.
    const NO_DICE: Counts = Counts(1);

    /// `BELOW[value]` is one for every lower value.
    const BELOW: [Counts; LARGEST_DIE as usize + 1] = {
        let mut below = [Counts(0); LARGEST_DIE as usize + 1];
        let mut value = 1;
        while value < below.len() {
            below[value] = Counts(below[value - 1].0 << Self::BITS | 1);
            value += 1;
        }
        below
    };

    fn get(self, value: u8) -> u32 {
        (self.0 >> (Self::BITS * u32::from(value))) as u32 & ((1 << Self::BITS) - 1)
    }

    /// Counts by sum what `self` counts by sum, once without and once with a die of this value.
    /// What exceeds the largest die, and so every target, is pushed out at the top.
    fn with_die(self, value: u8) -> Counts {
        self.plus(Counts(self.0 << (Self::BITS * u32::from(value))))
    }

    fn plus(self, other: Counts) -> Counts {
        Counts(self.0.wrapping_add(other.0))
    }
}

/// All legal attacks of one hand on another: sets of dice with the sum of the target's value,
/// and single dice above it.
struct Attacks<'hands> {
    own: &'hands Hand,
    foe: &'hands Hand,
    /// Sets of own dice by their sum.
    exact: Counts,
    /// Single own dice by the values they are above.
    above: Counts,
    /// Attacks on all of the foe's dice.
    total: u32,
}

impl<'hands> Attacks<'hands> {
    fn new(own: &'hands Hand, foe: &'hands Hand) -> Self {
        let mut exact = Counts::NO_DICE;
        let mut above = Counts(0);
        for &value in own.values() {
            exact = exact.with_die(value);
            above = above.plus(Counts::BELOW[usize::from(value)]);
        }
        let both = exact.plus(above);
        let total = foe.values().iter().map(|&value| both.get(value)).sum();
        Attacks {
            own,
            foe,
            exact,
            above,
            total,
        }
    }

    /// The attack with this number below `total`: its set, where bit `n` stands for own die `n`,
    /// and the index of its target.
    fn get(&self, mut number: u32) -> (u32, usize) {
        let both = self.exact.plus(self.above);
        let mut target = 0;
        while number >= both.get(self.foe.values[target]) {
            number -= both.get(self.foe.values[target]);
            target += 1;
        }
        let value = self.foe.values[target];
        let above = self.above.get(value);
        let set = if number < above {
            self.own.die_above(value, number)
        } else {
            self.own.set_of_sum(value, number - above)
        };
        (set, target)
    }
}

/// The dice that one side has on the table.
struct Hand {
    dice: Row,
    /// What the die of the same index shows.
    values: [u8; ROW_LENGTH],
}

impl Hand {
    fn new(dice: Row) -> Hand {
        Hand {
            dice,
            values: [0; ROW_LENGTH],
        }
    }

    fn values(&self) -> &[u8] {
        &self.values[..self.dice.count]
    }

    fn roll_all(&mut self, random: &mut Random) {
        for (value, &sides) in self.values.iter_mut().zip(self.dice.sides()) {
            *value = random.roll(sides);
        }
    }

    fn roll_set(&mut self, mut set: u32, random: &mut Random) {
        while set != 0 {
            let die = set.trailing_zeros() as usize;
            self.values[die] = random.roll(self.dice.sides[die]);
            set &= set - 1;
        }
    }

    /// The values as one number, a byte each, from the lowest to the highest. A hand that runs out
    /// of dice goes on with zeros, and so comes before one that does not.
    fn ascending_values(&self) -> u64 {
        let mut ascending = [0; ROW_LENGTH];
        let values = self.values();
        for (die, &value) in values.iter().enumerate() {
            // Of equal values the earlier one comes first.
            let before = values[..die]
                .iter()
                .filter(|&&earlier| earlier <= value)
                .count();
            let after = values[die + 1..]
                .iter()
                .filter(|&&later| later < value)
                .count();
            ascending[before + after] = value;
        }
        u64::from_be_bytes(ascending)
    }

    /// Of the single dice above `value`, the one with this number, as a set.
    fn die_above(&self, value: u8, number: u32) -> u32 {
        let mut above = 0;
        for (die, &shown) in self.values().iter().enumerate() {
            above |= u32::from(shown > value) << die;
        }
        for _ in 0..number {
            above &= above - 1;
        }
        above & above.wrapping_neg()
    }

    /// Of the sets with this sum, the one with this number, as bits: goes from the last die to the
    /// first and leaves each out if there are enough sets without it.
    fn set_of_sum(&self, mut sum: u8, mut number: u32) -> u32 {
        let mut before = [Counts::NO_DICE; ROW_LENGTH + 1];
        for (die, &value) in self.values().iter().enumerate() {
            before[die + 1] = before[die].with_die(value);
        }
        let mut set = 0;
        for (die, &value) in self.values().iter().enumerate().rev() {
            let without = before[die].get(sum);
            if number >= without {
                number -= without;
                sum -= value;
                set |= 1 << die;
            }
        }
        set
    }

    /// Takes a die off the table and returns its sides; the last die moves to its place.
    fn lose(&mut self, die: usize) -> u8 {
        self.values[die] = self.values[self.dice.count - 1];
        self.dice.take(die)
    }
}

/// Dice that a side brings to each round, and dice that it still may bring.
#[derive(Clone, Copy)]
struct Pool {
    starting: Row,
    reserve: Row,
}

impl Pool {
    fn new(dice: SideDice) -> Pool {
        let conversions = dice.reserve.len().min(usize::from(TOKENS_TO_WIN) - 1);
        assert!(!dice.starting.is_empty(), "a side needs a starting die");
        assert!(
            dice.starting.len() + conversions <= MOST_DICE,
            "too many dice for one round"
        );
        Pool {
            starting: Row::new(dice.starting),
            reserve: Row::new(dice.reserve),
        }
    }

    fn convert_one_or_none(&mut self, random: &mut Random) {
        let chosen = random.below(self.reserve.count as u32 + 1) as usize;
        if chosen < self.reserve.count {
            self.starting.push(self.reserve.take(chosen));
        }
    }
}

/// A few dice, each given by its number of sides.
#[derive(Clone, Copy)]
struct Row {
    sides: [u8; ROW_LENGTH],
    count: usize,
}

impl Row {
    fn new(dice: &[u8]) -> Row {
        assert!(dice.len() <= ROW_LENGTH, "too many dice");
        let mut row = Row {
            sides: [0; ROW_LENGTH],
            count: 0,
        };
        for &sides in dice {
            assert!(
                (2..=LARGEST_DIE).contains(&sides),
                "no die has {sides} sides here"
            );
            row.push(sides);
        }
        row
    }

    fn sides(&self) -> &[u8] {
        &self.sides[..self.count]
    }

    fn total_sides(&self) -> u32 {
        self.sides().iter().map(|&sides| u32::from(sides)).sum()
    }

    fn push(&mut self, sides: u8) {
        self.sides[self.count] = sides;
        self.count += 1;
    }

    /// Removes a die and returns it; the last die moves to its place.
    fn take(&mut self, die: usize) -> u8 {
        let taken = self.sides[die];
        self.count -= 1;
        self.sides[die] = self.sides[self.count];
        taken
    }
}

/// The generator xoshiro256++ of David Blackman and Sebastiano Vigna, started with splitmix64.
struct Random {
    state: [u64; 4],
}

impl Random {
    fn new(seed: u64) -> Random {
        let mut counter = seed;
        let state = [(); 4].map(|()| {
            counter = counter.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mixed = (counter ^ (counter >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            mixed ^ (mixed >> 31)
        });
        Random { state }
    }

    fn next(&mut self) -> u64 {
        let [a, b, c, d] = self.state;
        let drawn = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        self.state = [
            a ^ b ^ d,
            a ^ b ^ c,
            a ^ c ^ (b << 17),
            (b ^ d).rotate_left(45),
        ];
        drawn
    }

    /// A number from 0 to `bound - 1`; each is as likely as the others to within `bound / 2^32`.
    fn below(&mut self, bound: u32) -> u32 {
        (((self.next() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// A value from 1 to `sides`.
    fn roll(&mut self, sides: u8) -> u8 {
        self.below(u32::from(sides)) as u8 + 1
    }
}
