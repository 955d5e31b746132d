//! Exact fractions of whole numbers of any length.
//!
//! Results stay unreduced where reducing would be slower than the longer numbers; [`Fraction::in_lowest_terms`] reduces.

use num_bigint::{BigInt, BigUint, Sign};
use std::fmt;

/// A fraction, in lowest terms once it is [`Fraction::in_lowest_terms`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fraction {
    numerator: BigInt,
    denominator: BigUint,
}

impl Fraction {
    /// 0.
    pub fn zero() -> Fraction {
        Fraction::from_whole(0)
    }

    /// 1.
    pub fn one() -> Fraction {
        Fraction::from_whole(1)
    }

    /// A whole number.
    pub fn from_whole(number: i64) -> Fraction {
        Fraction { numerator: BigInt::from(number), denominator: BigUint::from(1u8) }
    }

    /// A fraction as given, not reduced. The denominator must not be 0.
    pub fn new(numerator: BigUint, denominator: BigUint) -> Fraction {
        Fraction { numerator: BigInt::from(numerator), denominator }
    }

    /// The product with `cases` / `of`, not reduced.
    pub fn times_cases(&self, cases: &BigUint, of: &BigUint) -> Fraction {
        Fraction { numerator: &self.numerator * BigInt::from(cases.clone()), denominator: &self.denominator * of }
    }

    /// The product, not reduced.
    pub fn times(&self, other: &Fraction) -> Fraction {
        Fraction { numerator: &self.numerator * &other.numerator, denominator: &self.denominator * &other.denominator }
    }

    /// The numerator, without the sign.
    pub fn numerator(&self) -> &BigUint {
        self.numerator.magnitude()
    }

    /// The denominator.
    pub fn denominator(&self) -> &BigUint {
        &self.denominator
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        is_zero(self.numerator.magnitude())
    }

    /// Whether it is above 0.
    pub fn is_positive(&self) -> bool {
        self.numerator.sign() == Sign::Plus
    }

    /// The total length of its numbers, in bits.
    pub fn bit_length(&self) -> u64 {
        self.numerator.bits() + self.denominator.bits()
    }

    /// The quotient, not reduced. `other` must not be 0.
    pub fn divided_by(&self, other: &Fraction) -> Fraction {
        let sign = other.numerator.sign();
        let numerator = &self.numerator * BigInt::from_biguint(sign, other.denominator.clone());
        Fraction { numerator, denominator: &self.denominator * other.numerator.magnitude() }
    }

    /// The exponent of the smallest power of ten that is not below it. It must be above 0.
    pub fn power_of_ten_above(&self) -> i64 {
        let (above, below) = (self.numerator.magnitude(), &self.denominator);
        let mut power = ((above.bits() as f64 - below.bits() as f64 - 1.0) * std::f64::consts::LOG10_2).floor() as i64;
        let ten = |power: i64| BigUint::from(10u8).pow(u32::try_from(power).unwrap_or(0));
        while above * ten(-power) > below * ten(power) {
            power += 1;
        }
        power
    }

    /// Adds another fraction. If one denominator divides the other, nothing is reduced. Otherwise the sum gets their least common
    /// multiple, so that a long sum stays as short as possible.
    pub fn add(&mut self, other: &Fraction) {
        if self.denominator == other.denominator {
            self.numerator += &other.numerator;
        } else if is_zero(&(&self.denominator % &other.denominator)) {
            self.numerator += &other.numerator * BigInt::from(&self.denominator / &other.denominator);
        } else if is_zero(&(&other.denominator % &self.denominator)) {
            let scale = BigInt::from(&other.denominator / &self.denominator);
            self.numerator = &self.numerator * scale + &other.numerator;
            self.denominator.clone_from(&other.denominator);
        } else {
            let common = common_divisor(self.denominator.clone(), other.denominator.clone());
            let (own, others) = (&self.denominator / &common, &other.denominator / &common);
            self.numerator = &self.numerator * BigInt::from(others.clone()) + &other.numerator * BigInt::from(own);
            self.denominator *= others;
        }
    }

    /// The difference, which may be negative.
    pub fn minus(&self, other: &Fraction) -> Fraction {
        let mut difference = self.clone();
        difference.add(&Fraction { numerator: -&other.numerator, denominator: other.denominator.clone() });
        difference
    }

    /// The fraction in lowest terms.
    pub fn in_lowest_terms(&self) -> Fraction {
        let common = BigInt::from(common_divisor(self.numerator.magnitude().clone(), self.denominator.clone()));
        let denominator = BigInt::from(self.denominator.clone()) / &common;
        Fraction { numerator: &self.numerator / common, denominator: denominator.magnitude().clone() }
    }

    /// The decimal number with this many decimals, rounded half away from zero.
    pub fn decimal_text(&self, decimals: u32) -> String {
        let scale = BigUint::from(10u8).pow(decimals);
        let scaled = (self.numerator.magnitude() * &scale * 2u8 + &self.denominator) / (&self.denominator * 2u8);
        let sign = if self.numerator.sign() == Sign::Minus && !is_zero(&scaled) { "-" } else { "" };
        let (whole, rest) = (&scaled / &scale, &scaled % &scale);
        let width = decimals as usize;
        format!("{sign}{whole}.{rest:0>width$}", rest = rest.to_string())
    }

    /// The nearest floating-point number.
    pub fn to_f64(&self) -> f64 {
        let (above, below) = (self.numerator.magnitude(), &self.denominator);
        if is_zero(above) {
            return 0.0;
        }
        // Enough digits to distinguish neighbouring numbers, plus one for a remainder.
        const DIGITS: i64 = 66;
        let shift = DIGITS + below.bits() as i64 - above.bits() as i64;
        let (scaled, whole) = match shift {
            0.. => (above << shift as u64, below.clone()),
            _ => (above.clone(), below << shift.unsigned_abs()),
        };
        let quotient = &scaled / &whole;
        let more = u8::from(&quotient * whole != scaled);
        let digits = u128::try_from(quotient * 2u8 + more).unwrap_or(u128::MAX) as f64;
        // In two steps, because the whole power alone may be too small to represent.
        let half = -(shift + 1) / 2;
        let value = digits * 2f64.powi(half as i32) * 2f64.powi((-(shift + 1) - half) as i32);
        if self.numerator.sign() == Sign::Minus { -value } else { value }
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.denominator == BigUint::from(1u8) {
            true => write!(f, "{}", self.numerator),
            false => write!(f, "{}/{}", self.numerator, self.denominator),
        }
    }
}

fn is_zero(number: &BigUint) -> bool {
    number.bits() == 0
}

/// Euclid's algorithm.
fn common_divisor(mut one: BigUint, mut other: BigUint) -> BigUint {
    while !is_zero(&other) {
        (one, other) = (other.clone(), one % other);
    }
    one
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fraction(numerator: u32, denominator: u32) -> Fraction {
        Fraction::new(numerator.into(), denominator.into())
    }

    fn sum(one: Fraction, other: Fraction) -> String {
        let mut sum = one;
        sum.add(&other);
        sum.in_lowest_terms().to_string()
    }

    #[test]
    fn fractions_add_and_reduce() {
        assert_eq!(sum(fraction(1, 6), fraction(1, 6)), "1/3");
        assert_eq!(sum(fraction(1, 36), fraction(1, 6)), "7/36");
        assert_eq!(sum(fraction(1, 6), fraction(1, 36)), "7/36");
        assert_eq!(sum(fraction(1, 4), fraction(1, 6)), "5/12");
        assert_eq!(sum(fraction(3, 4), fraction(1, 4)), "1");
        assert_eq!(fraction(1, 4).minus(&fraction(1, 2)).in_lowest_terms().to_string(), "-1/4");
        assert_eq!(fraction(0, 7).in_lowest_terms().to_string(), "0");
    }

    #[test]
    fn decimals_are_rounded() {
        assert_eq!(fraction(2, 3).decimal_text(6), "0.666667");
        assert_eq!(fraction(1, 2_000_000).decimal_text(6), "0.000001");
        assert_eq!(fraction(1, 3_000_000).decimal_text(6), "0.000000");
        assert_eq!(fraction(7, 2).decimal_text(2), "3.50");
        assert_eq!(Fraction::zero().minus(&fraction(1, 3)).decimal_text(2), "-0.33");
        assert_eq!(Fraction::zero().minus(&fraction(1, 300)).decimal_text(1), "0.0");
    }

    #[test]
    fn programs_get_the_nearest_number() {
        assert_eq!(fraction(1, 3).to_f64(), 1.0 / 3.0);
        let small = Fraction::new(1u8.into(), BigUint::from(6u8).pow(40));
        assert!((small.to_f64() * 6f64.powi(40) - 1.0).abs() < 1e-12);
    }
}
