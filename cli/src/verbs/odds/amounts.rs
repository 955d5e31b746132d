//! Parsing of amounts of time and memory.

use std::time::Duration;

/// Parses `10s`, `500ms`, `2m` or `1h`; a plain number is seconds.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    const UNITS: [(&str, f64); 5] = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3_600.0), ("", 1.0)];
    // Longer than any sensible run.
    const MOST: f64 = 1e9;
    let help = || "write it as `10s`, `500ms`, `2m`, or as a number of seconds".to_string();
    let seconds = parse_amount(text, &UNITS).filter(|seconds| *seconds <= MOST).ok_or_else(help)?;
    Ok(Duration::from_secs_f64(seconds))
}

/// Parses `1GB`, `512MB` or `100kB`; a plain number is bytes.
pub fn parse_memory(text: &str) -> Result<u64, String> {
    const UNITS: [(&str, f64); 9] = [
        ("kib", 1_024.0),
        ("mib", 1_048_576.0),
        ("gib", 1_073_741_824.0),
        ("kb", 1e3),
        ("mb", 1e6),
        ("gb", 1e9),
        ("tb", 1e12),
        ("b", 1.0),
        ("", 1.0),
    ];
    const MOST: f64 = 1e18;
    let help = || "write it as `1GB`, `512MB`, or as a number of bytes".to_string();
    parse_amount(text, &UNITS).filter(|bytes| *bytes <= MOST).map(|bytes| bytes as u64).ok_or_else(help)
}

/// Parses a number with one of some units; the first unit that matches counts.
fn parse_amount(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let text = text.trim().to_ascii_lowercase();
    let (number, scale) = units.iter().find_map(|(unit, scale)| Some((text.strip_suffix(unit)?.trim_end(), scale)))?;
    let is_plain = number.starts_with(|first: char| first.is_ascii_digit());
    let is_number = is_plain && number.chars().all(|sign| sign.is_ascii_digit() || sign == '.');
    is_number.then(|| number.parse::<f64>().ok()).flatten().map(|number| number * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_has_units() {
        let read = |text: &str| parse_time(text).map(|time| time.as_millis());
        for (text, milliseconds) in [("10s", 10_000), ("500ms", 500), ("2m", 120_000), ("3", 3_000), ("1.5 s", 1_500), ("0s", 0)]
        {
            assert_eq!(read(text), Ok(milliseconds), "{text}");
        }
        for wrong in ["", "s", "-1s", "1d", "1e3", "inf", "1s2", "9999999999999h", "1..2s"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn memory_has_units() {
        let cases = [("1GB", 1_000_000_000), ("512mb", 512_000_000), ("1 KiB", 1_024), ("17", 17), ("17B", 17), ("0.5kB", 500)];
        for (text, bytes) in cases {
            assert_eq!(parse_memory(text), Ok(bytes), "{text}");
        }
        for wrong in ["", "GB", "-1MB", "1XB", "1G2"] {
            assert!(parse_memory(wrong).is_err(), "{wrong}");
        }
    }
}
