//! Exit statuses.

/// Done, and nothing wrong.
pub const DONE: u8 = 0;
/// Something is wrong with what was given or found.
pub const PROBLEMS: u8 = 1;
/// The command line is wrong.
pub const USAGE: u8 = 2;
/// Stopped by Ctrl-C; what was done is kept.
pub const INTERRUPTED: u8 = 130;
