//! How many finished games are kept, and for how long.

use std::time::Duration;

/// The environment variable with the setting.
pub const VARIABLE: &str = "LUDEX_KEEP";
/// Default number of finished games that are kept.
const USUAL_COUNT: usize = 200;
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Which finished games are kept. Unfinished ones always are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keep {
    /// Maximum number of games.
    pub count: Option<usize>,
    /// Maximum age.
    pub age: Option<Duration>,
}

impl Keep {
    /// Keeps at most this many games, of any age.
    pub fn last(count: usize) -> Keep {
        Keep { count: Some(count), age: None }
    }

    /// Reads the setting from the environment. An error keeps all games.
    pub fn of_environment() -> Result<Keep, String> {
        match std::env::var(VARIABLE) {
            Ok(text) => Keep::parse(&text).ok_or_else(|| {
                format!("{VARIABLE} must be `all`, a number of games, a number of days (`90d`) or both (`50,90d`), not `{text}`")
            }),
            Err(_) => Ok(Keep::last(USUAL_COUNT)),
        }
    }

    pub fn all() -> Keep {
        Keep { count: None, age: None }
    }

    /// Parses `all`, `50`, `90d` or `50,90d`: at most 50 games, none older than 90 days.
    fn parse(text: &str) -> Option<Keep> {
        if text.trim() == "all" {
            return Some(Keep::all());
        }
        let mut keep = Keep::all();
        for part in text.split(',').map(str::trim) {
            match part.strip_suffix('d') {
                Some(days) => keep.age = Some(DAY.checked_mul(days.parse().ok()?)?),
                None => keep.count = Some(part.parse().ok()?),
            }
        }
        Some(keep)
    }

    /// Whether a game is kept, given its age and how many games finished after it.
    pub fn holds(self, newer: usize, age: Duration) -> bool {
        self.count.is_none_or(|count| newer < count) && self.age.is_none_or(|most| age <= most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_is_a_number_days_or_both() {
        assert_eq!(Keep::parse("all"), Some(Keep::all()));
        assert_eq!(Keep::parse("50"), Some(Keep::last(50)));
        assert_eq!(Keep::parse("90d"), Some(Keep { count: None, age: Some(DAY * 90) }));
        assert_eq!(Keep::parse(" 50, 90d "), Some(Keep { count: Some(50), age: Some(DAY * 90) }));
        for wrong in ["", "some", "-1", "90 days", "5,", "99999999999d"] {
            assert_eq!(Keep::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn both_limits_hold() {
        let keep = Keep { count: Some(2), age: Some(DAY) };
        assert!(keep.holds(1, DAY));
        assert!(!keep.holds(2, DAY));
        assert!(!keep.holds(0, DAY * 2));
        assert!(Keep::all().holds(1_000_000, DAY * 9_999));
    }
}
