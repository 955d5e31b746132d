//! Going from Python into the engine: with room for rules that call each other deeply, and without letting a panic through.

use crate::failure::Failure;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use ludex_engine::source::Sources;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What the command has, too: rules within the limits of a library need no more.
const ROOM: usize = 256 << 20;
/// With less than this left, more is taken to read and compile rules.
const ENOUGH: usize = 192 << 20;
/// The same to play: twice what threads have that simulate. Mostly Python has it, and taking more costs a move's time.
const ENOUGH_TO_PLAY: usize = 4 << 20;

/// Does something in the engine. If Ludex itself fails there, that is a failure like any other.
pub fn within<T>(deed: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    stacker::maybe_grow(ENOUGH, ROOM, || guarded(deed))
}

/// As [`within`], for what is done at each move.
pub fn playing<T>(deed: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    stacker::maybe_grow(ENOUGH_TO_PLAY, ROOM, || guarded(deed))
}

fn guarded<T>(deed: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(deed)).unwrap_or_else(|panic| Err(bug(panic.as_ref())))
}

fn bug(panic: &(dyn Any + Send)) -> Failure {
    let words = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    let message = format!("Ludex itself has failed: {}", words.unwrap_or("it does not say how"));
    let problem = Problem::error(codes::INTERNAL, message).help("please report it, with the rules and what was done");
    Failure::of(problem, &Sources::default())
}
