//! Times and durations: typed by people in their own time zone, stored in UTC.

use jiff::civil::{DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp, ToSpan, Zoned};
use std::str::FromStr;

/// The typed end of a tournament.
#[derive(Clone, Copy, Debug)]
pub enum Until {
    /// With an offset from UTC.
    Moment(Timestamp),
    /// In local time.
    Local(DateTime),
    /// Today, in local time.
    Today(Time),
}

/// The duration of a tournament.
#[derive(Clone, Copy, Debug)]
pub struct Length(Span);

/// The current time, in whole seconds.
pub fn current_time() -> Timestamp {
    whole_seconds(Timestamp::now())
}

/// A time without fractions of a second, which nothing here shows.
fn whole_seconds(time: Timestamp) -> Timestamp {
    Timestamp::from_second(time.as_second()).unwrap_or(time)
}

impl FromStr for Until {
    type Err = String;

    fn from_str(text: &str) -> Result<Until, String> {
        let moment = |text: &str| text.parse().map(Until::Moment);
        let local = |text: &str| text.parse().map(Until::Local);
        let today = |text: &str| text.parse().map(Until::Today);
        // A date alone would mean midnight, which is never intended.
        let timed = Some(text.trim()).filter(|text| text.contains(':'));
        let read = timed.and_then(|text| moment(text).or_else(|_| local(text)).or_else(|_| today(text)).ok());
        read.ok_or("write it as `18:30`, `2030-05-01 18:30`, or with its offset from UTC as `2030-05-01T18:30:00Z`".to_string())
    }
}

impl FromStr for Length {
    type Err = String;

    fn from_str(text: &str) -> Result<Length, String> {
        let help = || "write it as `1h`, `90m`, `1h 30m` or `2d`".to_string();
        let span: Span = text.parse().map_err(|_| help())?;
        let year = 1.year();
        let zoned = Timestamp::UNIX_EPOCH.to_zoned(TimeZone::UTC);
        let longer = |span: Span| zoned.checked_add(span).map(|end| end.timestamp()).map_err(|_| help());
        let (end, most) = (longer(span)?, longer(year)?);
        match end.as_second() > 0 && end <= most {
            true => Ok(Length(span)),
            false => Err("a tournament lasts at least a second and at most a year".to_string()),
        }
    }
}

impl Default for Length {
    /// One hour, which suits up to ten players.
    fn default() -> Length {
        Length(1.hour())
    }
}

impl Until {
    /// The moment in a time zone. When clocks are put back, some times occur twice; the first one counts. None if it is out of
    /// range.
    pub fn to_timestamp(self, now: Timestamp, zone: TimeZone) -> Option<Timestamp> {
        let local = |time: DateTime| time.to_zoned(zone.clone()).ok().map(|zoned| zoned.timestamp());
        let moment = match self {
            Until::Moment(moment) => Some(moment),
            Until::Local(time) => local(time),
            Until::Today(time) => local(now.to_zoned(zone.clone()).date().to_datetime(time)),
        };
        moment.map(whole_seconds)
    }
}

impl Length {
    /// The end of the duration after `now`. A day is a calendar day in the time zone.
    pub fn end_after(self, now: Timestamp, zone: TimeZone) -> Option<Timestamp> {
        now.to_zoned(zone).checked_add(self.0).ok().map(|end| whole_seconds(end.timestamp()))
    }
}

/// A moment in local time: `2030-05-01 18:30`.
pub fn local_time_text(time: Timestamp) -> String {
    time_text_in(time, TimeZone::system())
}

/// Formats like [`local_time_text`], to the second.
pub fn exact_time_text(time: Timestamp) -> String {
    format_in_zone(time, TimeZone::system(), "%Y-%m-%d %H:%M:%S")
}

/// A moment in a time zone, to the minute.
fn time_text_in(time: Timestamp, zone: TimeZone) -> String {
    format_in_zone(time, zone, "%Y-%m-%d %H:%M")
}

fn format_in_zone(time: Timestamp, zone: TimeZone, format: &str) -> String {
    let zoned: Zoned = time.to_zoned(zone);
    zoned.strftime(format).to_string()
}

/// `2 d 3 h`, `1 h 5 min`, `12 min`, `40 s`: the two largest units; nothing below seconds.
pub fn duration_text(seconds: i64) -> String {
    let seconds = seconds.max(0);
    let parts = [(seconds / 86_400, "d"), (seconds / 3_600 % 24, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s")];
    let first = parts.iter().position(|(count, _)| *count > 0).unwrap_or(3);
    // Seconds are left out of long durations.
    let last = if first < 2 { (first + 2).min(3) } else { first + 1 };
    let shown = parts[first..last.max(first + 1)].iter().filter(|(count, _)| *count > 0 || first == 3);
    shown.map(|(count, unit)| format!("{count} {unit}")).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn zone() -> TimeZone {
        TimeZone::fixed(jiff::tz::offset(2))
    }

    fn until(text: &str) -> Option<Timestamp> {
        text.parse::<Until>().ok().and_then(|until| until.to_timestamp(moment("2030-05-01T10:00:00Z"), zone()))
    }

    #[test]
    fn a_moment_is_typed_by_the_clock_on_the_wall_or_with_its_offset() {
        assert_eq!(until("18:30"), Some(moment("2030-05-01T16:30:00Z")));
        assert_eq!(until("2030-05-02 18:30"), Some(moment("2030-05-02T16:30:00Z")));
        assert_eq!(until("2030-05-02T18:30"), Some(moment("2030-05-02T16:30:00Z")));
        assert_eq!(until("2030-05-02T18:30:00Z"), Some(moment("2030-05-02T18:30:00Z")));
        assert_eq!(until("2030-05-02T18:30:00+01:00"), Some(moment("2030-05-02T17:30:00Z")));
        for wrong in ["", "soon", "25:00", "2030-05-02", "2030-13-01 10:00", "18", "18:30pm"] {
            assert_eq!(until(wrong), None, "{wrong}");
        }
    }

    fn after(text: &str) -> Option<Timestamp> {
        text.parse::<Length>().ok().and_then(|length| length.end_after(moment("2030-05-01T10:00:00Z"), zone()))
    }

    #[test]
    fn a_length_is_typed_with_its_units() {
        assert_eq!(after("1h"), Some(moment("2030-05-01T11:00:00Z")));
        assert_eq!(after("90m"), Some(moment("2030-05-01T11:30:00Z")));
        assert_eq!(after("1h 30m"), Some(moment("2030-05-01T11:30:00Z")));
        assert_eq!(after("2d"), Some(moment("2030-05-03T10:00:00Z")));
        assert_eq!(after("3s"), Some(moment("2030-05-01T10:00:03Z")));
        for wrong in ["", "1", "soon", "-1h", "0s", "1h ago", "2y", "999999999999h"] {
            assert_eq!(after(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn lengths_are_read_at_a_glance() {
        let lengths = [(0, "0 s"), (40, "40 s"), (60, "1 min"), (125, "2 min"), (3_600, "1 h"), (3_905, "1 h 5 min")];
        for (seconds, words) in lengths.into_iter().chain([(86_400 * 2 + 3_600 * 3 + 59, "2 d 3 h"), (-5, "0 s")]) {
            assert_eq!(duration_text(seconds), words);
        }
    }

    #[test]
    fn moments_are_shown_where_people_are() {
        assert_eq!(time_text_in(moment("2030-05-01T16:30:40Z"), zone()), "2030-05-01 18:30");
    }
}
