//! How much may be written in one piece of rules, so that reading it ends soon.

/// One declaration of rules, or the header of one ability, in bytes.
pub const DECLARATION_BYTES: usize = 1 << 16;
/// Names that a game declares, with all that it extends: declarations, and the members of what they declare.
pub const NAMES: usize = 5_000;
