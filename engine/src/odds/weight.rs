//! Probabilities while they are summed: whole numbers over a denominator with known factors.
//!
//! Every roll of a six-sided die contributes a 2 and a 3 to the denominator. So a sum of many probabilities only needs the higher
//! power of each factor, and no search for a common divisor. Only solving a chain adds factors that are not small primes; they
//! are kept whole.
//!
//! A *factor* is known by its place in [`Factors`], and a denominator has one exponent for each. `chain` adds up weights with the
//! same [`Factors`].

use crate::odds::fraction::Fraction;
use num_bigint::BigUint;

/// The factors of all denominators of a search, mostly primes.
#[derive(Default)]
pub struct Factors {
    known: Vec<BigUint>,
}

/// The exponents of the factors of a denominator. Missing exponents at the end are 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Denominator(Vec<u32>);

/// A probability.
#[derive(Clone, Debug, Default)]
pub struct Weight {
    pub numerator: BigUint,
    pub denominator: Denominator,
}

/// Larger factors are not searched for: the rest of a number is a factor by itself.
const LARGEST_PRIME: u32 = 1_000;

/// Factors up to twice this many bits are certain to be primes, because no prime up to [`LARGEST_PRIME`] divides them.
const BITS_OF_PRIMES: u64 = 9;

impl Factors {
    /// Factors a number, which must not be 0.
    pub fn factor_number(&mut self, number: &BigUint) -> Denominator {
        let mut denominator = Denominator::default();
        let mut rest = number.clone();
        for place in 0..self.known.len() {
            let factor = self.known[place].clone();
            self.divide_out(&mut rest, &factor, place, &mut denominator);
        }
        let mut prime = 2;
        while prime <= LARGEST_PRIME && rest > BigUint::from(1u8) {
            let factor = BigUint::from(prime);
            if (&rest % &factor).bits() == 0 {
                let place = self.add_factor(factor.clone());
                self.divide_out(&mut rest, &factor, place, &mut denominator);
            }
            prime += 1;
        }
        if rest > BigUint::from(1u8) {
            let place = self.add_factor(rest);
            denominator.raise_exponent(place, 1);
        }
        denominator
    }

    /// Adds a factor, and returns its place.
    fn add_factor(&mut self, factor: BigUint) -> usize {
        self.known.push(factor);
        self.known.len() - 1
    }

    /// Divides `rest` by the factor at `place` as often as possible, and counts that in the denominator.
    fn divide_out(&self, rest: &mut BigUint, factor: &BigUint, place: usize, denominator: &mut Denominator) {
        while *rest >= *factor && (&*rest % factor).bits() == 0 {
            *rest /= factor;
            denominator.raise_exponent(place, 1);
        }
    }

    /// The product of the powers by which one denominator exceeds another.
    fn scale_between(&self, from: &Denominator, to: &Denominator) -> BigUint {
        let mut small = 1u64;
        let mut large = BigUint::from(1u8);
        for (place, power) in to.0.iter().enumerate() {
            let more = power - from.exponent_at(place).min(*power);
            let factor = &self.known[place];
            match u64::try_from(factor).ok().and_then(|factor| factor.checked_pow(more)?.checked_mul(small)) {
                Some(product) => small = product,
                None => large *= factor.pow(more),
            }
        }
        large * small
    }

    /// The value of a denominator.
    pub fn denominator_value(&self, denominator: &Denominator) -> BigUint {
        self.scale_between(&Denominator::default(), denominator)
    }

    /// Adds `numerator` cases out of `of` to the probability `sum`.
    pub fn add_share(&self, sum: &mut Weight, numerator: &BigUint, of: &Denominator) {
        if sum.denominator == *of {
            sum.numerator += numerator;
            return;
        }
        let common = sum.denominator.common_multiple(of);
        let own = self.scale_between(&sum.denominator, &common);
        if own != BigUint::from(1u8) {
            sum.numerator *= own;
        }
        sum.numerator += numerator * self.scale_between(of, &common);
        sum.denominator = common;
    }

    /// The fraction in lowest terms.
    pub fn fraction_of_weight(&self, weight: &Weight) -> Fraction {
        let Weight { mut numerator, mut denominator } = weight.clone();
        let mut is_reduced = true;
        for (place, power) in denominator.0.iter_mut().enumerate() {
            let factor = &self.known[place];
            while *power > 0 && (&numerator % factor).bits() == 0 && numerator.bits() > 0 {
                numerator /= factor;
                *power -= 1;
            }
            // Only prime factors are certain to be fully reduced by now.
            is_reduced &= *power == 0 || factor.bits() <= 2 * BITS_OF_PRIMES;
        }
        let fraction = Fraction::new(numerator, self.denominator_value(&denominator));
        if is_reduced && !fraction.is_zero() { fraction } else { fraction.in_lowest_terms() }
    }

    /// Converts a fraction, which must not be negative.
    pub fn weight_of_fraction(&mut self, fraction: &Fraction) -> Weight {
        let fraction = fraction.in_lowest_terms();
        Weight { numerator: fraction.numerator().clone(), denominator: self.factor_number(fraction.denominator()) }
    }

    /// Brings weights to a common denominator. Returns their numerators, and that denominator.
    pub fn over_common_denominator(&self, weights: &[Weight]) -> (Vec<BigUint>, Denominator) {
        let common = weights.iter().fold(Denominator::default(), |common, weight| common.common_multiple(&weight.denominator));
        let scaled = weights.iter().map(|weight| &weight.numerator * self.scale_between(&weight.denominator, &common)).collect();
        (scaled, common)
    }
}

impl Denominator {
    fn exponent_at(&self, place: usize) -> u32 {
        self.0.get(place).copied().unwrap_or(0)
    }

    fn raise_exponent(&mut self, place: usize, by: u32) {
        if self.0.len() <= place {
            self.0.resize(place + 1, 0);
        }
        self.0[place] += by;
    }

    /// The least common multiple.
    fn common_multiple(&self, other: &Denominator) -> Denominator {
        let length = self.0.len().max(other.0.len());
        Denominator((0..length).map(|place| self.exponent_at(place).max(other.exponent_at(place))).collect())
    }

    pub fn times(&self, other: &Denominator) -> Denominator {
        let length = self.0.len().max(other.0.len());
        Denominator((0..length).map(|place| self.exponent_at(place) + other.exponent_at(place)).collect())
    }

    /// The denominator to a power.
    pub fn raise_to(&self, power: u32) -> Denominator {
        Denominator(self.0.iter().map(|own| own * power).collect())
    }
}

impl Weight {
    pub fn one() -> Weight {
        Weight { numerator: BigUint::from(1u8), denominator: Denominator::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_of_different_dice_add_up() {
        let mut factors = Factors::default();
        let mut sum = Weight::default();
        for (cases, of) in [(1u32, 6u32), (3, 8), (1, 12), (5, 1009)] {
            let of = factors.factor_number(&of.into());
            factors.add_share(&mut sum, &cases.into(), &of);
        }
        let mut wanted = Fraction::zero();
        for (cases, of) in [(1u32, 6u32), (3, 8), (1, 12), (5, 1009)] {
            wanted.add(&Fraction::new(cases.into(), of.into()));
        }
        assert_eq!(factors.fraction_of_weight(&sum).in_lowest_terms(), wanted.in_lowest_terms());
        let weight = factors.weight_of_fraction(&wanted);
        assert_eq!(factors.fraction_of_weight(&weight), wanted.in_lowest_terms());
    }

    #[test]
    fn a_denominator_is_the_number_it_was_made_of() {
        let mut factors = Factors::default();
        for number in [1u64, 2, 7, 360, 1_000_003, 999 * 997, u64::MAX] {
            let denominator = factors.factor_number(&number.into());
            assert_eq!(factors.denominator_value(&denominator), number.into());
        }
    }
}
