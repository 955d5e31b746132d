//! Limits on the size of rules, so that reading them ends soon.

/// Maximum length of one declaration of rules, or of the header of one ability, in bytes.
pub const DECLARATION_BYTES: usize = 1 << 16;
/// Maximum number of names that a game declares, including all that it extends: declarations, and the members that they declare.
pub const NAMES: usize = 5_000;
