//! Exit statuses of the command.

/// Success.
pub const DONE: u8 = 0;
/// The input or the result has problems.
pub const PROBLEMS: u8 = 1;
/// The command line is invalid.
pub const USAGE: u8 = 2;
/// Stopped by Ctrl-C; finished work is kept.
pub const INTERRUPTED: u8 = 130;
