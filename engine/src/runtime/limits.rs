//! How many moves are numbered, looked at and listed at most. `rules/README.md` gives the same numbers under "Large choices".

/// So many moves of one action have a number; those beyond are chosen by key, by arguments or in steps. A question with several
/// such actions still has no number beyond 2^53, which every reader of JSON holds exactly.
pub const MOST_NUMBERED: u64 = 1 << 48;

// Candidates of a role of several, by what is asked of it together with other roles.

/// Nothing: each candidate is one bit of a number.
pub const MOST_FREE: usize = 64;
/// That a sum equals a number: sets are counted without looking at them.
pub const MOST_SUMMED: usize = 1_000;
/// Anything else: all sets are looked at.
pub const MOST_SEARCHED: usize = 20;

/// The most cells of a table of sums: how many members a set can have, times the sums up to the highest one that is wanted.
pub const MOST_CELLS: usize = 1 << 17;

/// So many moves of one action are looked at one by one at most.
pub const MOST_LOOKED_AT: u64 = 100_000;
/// Up to so many are looked at one by one, which is fast, even where they could be told apart without that.
pub const FEW_MOVES: u64 = 1_000;
/// So many moves a policy looks at for one decision; it leaves out those that come after them.
pub const MOST_WEIGHED: u64 = 20_000;

/// So many sets are the options of one step; of more, the members are chosen one by one.
pub const MOST_LISTED_SETS: u64 = 100;
