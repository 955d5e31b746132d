//! How many finished games are kept, and for how long.

use std::time::Duration;

/// The environment variable with the setting.
pub const VARIABLE: &str = "LUDEX_KEEP";
/// Default number of finished games that are kept.
const USUAL_COUNT: usize = 200;
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Which finished games are kept. Unfinished ones always are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeepLimits {
    /// Maximum number of games.
    pub count: Option<usize>,
    /// Maximum age.
    pub age: Option<Duration>,
}

impl KeepLimits {
    /// Keeps at most this many games, of any age.
    pub fn keep_last(count: usize) -> KeepLimits {
        KeepLimits { count: Some(count), age: None }
    }

    /// Reads the setting from the environment. An error keeps all games.
    pub fn from_environment() -> Result<KeepLimits, String> {
        match std::env::var(VARIABLE) {
            Ok(text) => KeepLimits::parse(&text).ok_or_else(|| {
                format!("{VARIABLE} must be `all`, a number of games, a number of days (`90d`) or both (`50,90d`), not `{text}`")
            }),
            Err(_) => Ok(KeepLimits::keep_last(USUAL_COUNT)),
        }
    }

    pub fn keep_all() -> KeepLimits {
        KeepLimits { count: None, age: None }
    }

    /// Parses `all`, `50`, `90d` or `50,90d`: at most 50 games, none older than 90 days.
    fn parse(text: &str) -> Option<KeepLimits> {
        if text.trim() == "all" {
            return Some(KeepLimits::keep_all());
        }
        let mut keep = KeepLimits::keep_all();
        for part in text.split(',').map(str::trim) {
            match part.strip_suffix('d') {
                Some(days) if keep.age.is_none() => keep.age = Some(DAY.checked_mul(days.parse().ok()?)?),
                None if keep.count.is_none() => keep.count = Some(part.parse().ok()?),
                _ => return None,
            }
        }
        Some(keep)
    }

    /// Whether a game is kept, given its age and how many games finished after it.
    pub fn should_keep(self, newer: usize, age: Duration) -> bool {
        self.count.is_none_or(|count| newer < count) && self.age.is_none_or(|most| age <= most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_is_a_number_days_or_both() {
        assert_eq!(KeepLimits::parse("all"), Some(KeepLimits::keep_all()));
        assert_eq!(KeepLimits::parse("50"), Some(KeepLimits::keep_last(50)));
        assert_eq!(KeepLimits::parse("90d"), Some(KeepLimits { count: None, age: Some(DAY * 90) }));
        assert_eq!(KeepLimits::parse(" 50, 90d "), Some(KeepLimits { count: Some(50), age: Some(DAY * 90) }));
        for wrong in ["", "some", "-1", "90 days", "5,", "50,60", "1d,2d", "99999999999d"] {
            assert_eq!(KeepLimits::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn both_limits_hold() {
        let keep = KeepLimits { count: Some(2), age: Some(DAY) };
        assert!(keep.should_keep(1, DAY));
        assert!(!keep.should_keep(2, DAY));
        assert!(!keep.should_keep(0, DAY * 2));
        assert!(KeepLimits::keep_all().should_keep(1_000_000, DAY * 9_999));
    }
}
