//! A share counted over some games, with its confidence interval.

use ludex_bots::score::Score;

/// A share with the bounds of its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    pub rate: f64,
    pub low: f64,
    pub high: f64,
}

/// Number of standard deviations that contain 95 % of a normal distribution.
pub(super) const DEVIATIONS: f64 = 1.959_963_984_540_054;

impl Share {
    /// Wilson's interval, which stays within 0 and 1 and is also right for few games and rare events.
    pub fn from_counts(part: u64, whole: u64) -> Share {
        if whole == 0 {
            return Share { rate: 0.0, low: 0.0, high: 1.0 };
        }
        let games = whole as f64;
        let rate = part as f64 / games;
        let square = DEVIATIONS * DEVIATIONS;
        let scale = 1.0 + square / games;
        let centre = (rate + square / (2.0 * games)) / scale;
        let margin = DEVIATIONS / scale * (rate * (1.0 - rate) / games + square / (4.0 * games * games)).sqrt();
        // Rounding must not push a bound past the share itself.
        Share { rate, low: (centre - margin).clamp(0.0, rate), high: (centre + margin).clamp(rate, 1.0) }
    }

    /// The share of a side's sole wins among all games that ended normally.
    pub fn of_wins(score: &Score, side: usize) -> Share {
        Share::from_counts(score.wins.get(side).copied().unwrap_or(0), score.games)
    }

    /// The share of a side's shared wins among all games that ended normally.
    pub fn of_shared_wins(score: &Score, side: usize) -> Share {
        Share::from_counts(score.shared.get(side).copied().unwrap_or(0), score.games)
    }

    /// Formats the share in per cent with its bounds: `48.7 % (46.9 to 50.5)`.
    pub fn percent_text(&self) -> String {
        format!("{:.1} % ({:.1} to {:.1})", self.rate * 100.0, self.low * 100.0, self.high * 100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounded(share: Share) -> (f64, f64, f64) {
        let round = |number: f64| (number * 1000.0).round() / 1000.0;
        (round(share.rate), round(share.low), round(share.high))
    }

    #[test]
    fn the_bounds_are_those_of_the_books() {
        // Newcombe (1998), table I, method 3.
        assert_eq!((Share::from_counts(81, 263).low * 1e4).round(), 2553.0);
        assert_eq!((Share::from_counts(81, 263).high * 1e4).round(), 3662.0);
        assert_eq!((Share::from_counts(15, 148).low * 1e4).round(), 624.0);
        assert_eq!((Share::from_counts(15, 148).high * 1e4).round(), 1605.0);
        assert_eq!((Share::from_counts(1, 29).low * 1e4).round(), 61.0);
        assert_eq!((Share::from_counts(1, 29).high * 1e4).round(), 1718.0);
    }

    #[test]
    fn bounds_keep_within_nothing_and_all() {
        assert_eq!(rounded(Share::from_counts(0, 20)), (0.0, 0.0, 0.161));
        assert_eq!(rounded(Share::from_counts(20, 20)), (1.0, 0.839, 1.0));
        assert_eq!(rounded(Share::from_counts(0, 0)), (0.0, 0.0, 1.0));
    }

    #[test]
    fn a_share_is_shown_with_its_bounds() {
        assert_eq!(Share::from_counts(50, 100).percent_text(), "50.0 % (40.4 to 59.6)");
    }
}
