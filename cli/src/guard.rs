//! The panic guard. A panic is a bug in Ludex. If one happens, one game ends with a report, and the rest of the process goes
//! on. The data of the guarded work must not be used afterwards: it may be half changed.
//!
//! `simulation`, `serve`, `host`, `terminal` and others guard each game with [`catch_panic`]; `lib` guards the whole command.

use crate::output;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use std::any::Any;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};

const HELP: &str = "this is a bug in Ludex: please report it with this message";

thread_local! {
    /// Whether this thread runs guarded work.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
    /// The source location of this thread's last panic.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Silences panics under a guard, and reports all others in plain words.
pub fn install_hook() {
    panic::set_hook(Box::new(report_panic));
}

/// Runs the work and turns a panic into a problem.
pub fn catch_panic<T>(work: impl FnOnce() -> T) -> Result<T, Box<Problem>> {
    let outer = GUARDED.replace(true);
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(outer);
    done.map_err(|panic| Box::new(panic_problem(&panic_text(panic.as_ref()), PLACE.take())))
}

/// The panic hook: notes the place of a guarded panic, and reports any other.
fn report_panic(info: &PanicHookInfo<'_>) {
    let place = info.location().map(|place| format!("{}:{}", place.file(), place.line()));
    if GUARDED.get() {
        PLACE.set(place);
    } else {
        output::print_failure(&panic_problem(&panic_text(info.payload()), place).message, Some(HELP));
    }
    // Captured only if `RUST_BACKTRACE` requests it.
    let trace = Backtrace::capture();
    if trace.status() == BacktraceStatus::Captured {
        output::print_remark(&trace.to_string());
    }
}

/// The problem that reports a panic, with its message and its place in the source.
fn panic_problem(words: &str, place: Option<String>) -> Problem {
    let place = place.map_or(String::new(), |place| format!(" ({place})"));
    Problem::error(codes::INTERNAL, format!("Ludex itself has failed: {words}{place}")).help(HELP)
}

/// The message of a panic.
fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "the cause is not known".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_well_is_handed_on() {
        assert_eq!(catch_panic(|| 7).ok(), Some(7));
    }

    #[test]
    fn a_panic_becomes_a_problem_with_its_place() {
        let before = panic::take_hook();
        install_hook();
        let places: Vec<usize> = Vec::new();
        let index = places.len() + 3;
        let failed = catch_panic(|| places[index]);
        let (line, _) = (line!() - 1, panic::set_hook(before));
        let problem = failed.unwrap_err();
        let expected =
            format!("Ludex itself has failed: index out of bounds: the len is 0 but the index is 3 (cli/src/guard.rs:{line})");
        assert_eq!((problem.code, problem.message.to_string().replace('\\', "/")), (codes::INTERNAL, expected));
        assert!(!GUARDED.get());
    }

    #[test]
    fn a_guard_within_another_leaves_that_as_it_was() {
        let outer = catch_panic(|| {
            let inner = catch_panic(|| panic!("inner {}", 1));
            (inner.unwrap_err().message.to_string(), GUARDED.get())
        });
        assert!(outer.is_ok_and(|(message, guarded)| message.starts_with("Ludex itself has failed: inner 1") && guarded));
    }
}
