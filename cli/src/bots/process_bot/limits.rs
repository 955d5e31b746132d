//! Resource limits of a program. Each can be set in the environment of Ludex.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Number of wrong answers in a row after which a program has failed.
pub const MOST_WRONG: usize = 10;
/// Maximum number of steps, forward or back, in a decision. Beyond it the decision will never be answered.
pub const MOST_STEPS: usize = 1_000;

/// The limits of one program and all its child processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum time for one line.
    pub line: Duration,
    /// Bytes of memory.
    pub memory: u64,
    /// Processes and threads.
    pub tasks: u64,
}

/// A limit that was exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excess {
    /// Bytes used, and the limit.
    Memory {
        used: u64,
        most: u64,
    },
    Tasks {
        used: u64,
        most: u64,
    },
}

/// Maximum number of lines to wait for in one decision, if each takes the full time.
const LINES: u32 = 10;
const MEBIBYTE: u64 = 1 << 20;

const SECONDS: &str = "LUDEX_BOT_SECONDS";
const MEMORY: &str = "LUDEX_BOT_MEMORY";
const TASKS: &str = "LUDEX_BOT_TASKS";

impl Default for Limits {
    fn default() -> Limits {
        Limits { line: Duration::from_secs(60), memory: 4096 * MEBIBYTE, tasks: 512 }
    }
}

impl Limits {
    /// The default limits, overridden by those in the environment. An invalid value is an error in words.
    pub fn from_environment() -> Result<Limits, String> {
        Limits::limits_from(|name| std::env::var(name).ok())
    }

    /// The limits, with the values of variables by name.
    fn limits_from(value: impl Fn(&str) -> Option<String>) -> Result<Limits, String> {
        let usual = Limits::default();
        let number = |name: &str, usual: u64| value(name).map_or(Ok(usual), |text| parse_whole_number(name, &text));
        Ok(Limits {
            line: Duration::from_secs(number(SECONDS, usual.line.as_secs())?),
            memory: number(MEMORY, usual.memory / MEBIBYTE)?.saturating_mul(MEBIBYTE),
            tasks: number(TASKS, usual.tasks)?,
        })
    }

    /// Maximum time for a decision, with all its steps and wrong answers.
    pub fn decision_time(&self) -> Duration {
        self.line * LINES
    }

    /// Returns the limit that this usage exceeds, if any.
    pub fn find_excess(&self, memory: u64, tasks: u64) -> Option<Excess> {
        let memory = (memory > self.memory).then_some(Excess::Memory { used: memory, most: self.memory });
        memory.or((tasks > self.tasks).then_some(Excess::Tasks { used: tasks, most: self.tasks }))
    }
}

impl Excess {
    /// How to raise the limit.
    pub fn help(&self) -> String {
        let (name, most, what) = match self {
            Excess::Memory { most, .. } => (MEMORY, most / MEBIBYTE, "megabytes of 1,024 × 1,024 bytes"),
            Excess::Tasks { most, .. } => (TASKS, *most, "processes and threads"),
        };
        format!("to allow more, set `{name}`: the limit is now {most} {what}")
    }
}

impl fmt::Display for Excess {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Excess::Memory { used, most } => {
                write!(formatter, "used {} MiB of memory, and {} MiB are allowed", used / MEBIBYTE, most / MEBIBYTE)
            }
            Excess::Tasks { used, most } => {
                write!(formatter, "had {used} processes and threads at once, and {most} are allowed")
            }
        }
    }
}

fn parse_whole_number(name: &str, text: &str) -> Result<u64, String> {
    let number = u32::from_str(text.trim()).ok().filter(|number| *number > 0);
    number.map(u64::from).ok_or_else(|| format!("`{name}` is `{text}`, and must be a whole number from 1"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_sets_limits() {
        let limits = Limits::limits_from(|name| (name == MEMORY).then(|| "100".to_string())).unwrap();
        assert_eq!(limits, Limits { memory: 100 * MEBIBYTE, ..Limits::default() });
        for wrong in ["", "0", "-1", "4G", "99999999999999999999"] {
            let words = Limits::limits_from(|name| (name == SECONDS).then(|| wrong.to_string())).unwrap_err();
            assert_eq!(words, format!("`LUDEX_BOT_SECONDS` is `{wrong}`, and must be a whole number from 1"));
        }
    }

    #[test]
    fn what_is_allowed_is_not_too_much() {
        let limits = Limits { memory: 3 * MEBIBYTE, tasks: 2, ..Limits::default() };
        assert_eq!(limits.find_excess(3 * MEBIBYTE, 2), None);
        let memory = limits.find_excess(5 * MEBIBYTE, 9).unwrap();
        assert_eq!(memory.to_string(), "used 5 MiB of memory, and 3 MiB are allowed");
        let tasks = limits.find_excess(0, 3).unwrap();
        assert_eq!(tasks.to_string(), "had 3 processes and threads at once, and 2 are allowed");
        assert_eq!(tasks.help(), "to allow more, set `LUDEX_BOT_TASKS`: the limit is now 2 processes and threads");
    }
}
