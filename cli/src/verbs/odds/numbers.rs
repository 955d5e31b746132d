//! Formatting of probabilities for people.

use super::answer::Chance;
use ludex_engine::odds::Fraction;

/// Decimals of probabilities and means.
pub const DECIMALS: u32 = 6;

/// Maximum length of a fraction; longer ones are left out.
const LONGEST_FRACTION: usize = 20;

/// Bits beyond which a fraction is certainly longer than that.
const MOST_BITS: u64 = 80;

/// The format of probabilities.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    pub percent: bool,
}

impl Style {
    /// A probability with fixed decimals; in powers of ten if all of these would be 0.
    pub fn format_fraction(self, chance: &Fraction) -> String {
        let (scaled, decimals) = match self.percent {
            true => (chance.times(&Fraction::from_whole(100)), DECIMALS - 2),
            false => (chance.clone(), DECIMALS),
        };
        let text = scaled.decimal_text(decimals);
        let is_lost = !chance.is_zero() && text.chars().all(|sign| matches!(sign, '0' | '.'));
        self.with_sign(if is_lost { format_tiny(&scaled) } else { text })
    }

    /// A probability that is not exact.
    pub fn format_number(self, chance: f64) -> String {
        let (scaled, decimals) = if self.percent { (chance * 100.0, DECIMALS - 2) } else { (chance, DECIMALS) };
        self.with_sign(format!("{scaled:.*}", decimals as usize))
    }

    /// The probability alone, without its bounds if it was sampled.
    pub fn format_chance(self, chance: &Chance) -> String {
        match chance {
            Chance::Exact(share) => self.format_fraction(share),
            Chance::Rolled(share) => self.format_number(share.rate),
            Chance::Between { low, high } => format!("{low:.3} to {high:.3}"),
        }
    }

    /// Adds the sign of per cent, if that is the format.
    fn with_sign(self, number: String) -> String {
        if self.percent { format!("{number} %") } else { number }
    }
}

/// A number whose decimals would all be 0.
fn format_tiny(number: &Fraction) -> String {
    match number.to_f64() {
        f64::MIN_POSITIVE.. => format!("{:.1e}", number.to_f64()),
        _ => format!("<1e{}", number.power_of_ten_above()),
    }
}

/// A fraction in lowest terms, if it is short.
pub fn short_fraction(fraction: &Fraction) -> Option<String> {
    if fraction.bit_length() > MOST_BITS {
        return None;
    }
    Some(fraction.to_string()).filter(|text| text.len() <= LONGEST_FRACTION)
}

/// A number with its decimals: `7/2 (3.500000)`, `7`, `29.999980`.
pub fn format_exact(number: &Fraction) -> String {
    match short_fraction(number) {
        Some(text) if text.contains('/') => format!("{text} ({})", number.decimal_text(DECIMALS)),
        Some(text) => text,
        None => number.decimal_text(DECIMALS),
    }
}
