//! The operands of instructions and expressions, as generic passes see them. Their tables are in `code` and `expression`. A
//! pass that only needs to know which slots are read, or which addresses follow, matches on these instead of every form.

use super::TextId;

/// An operand: something that an instruction or an expression reads, fills or leads to. The parameters say how an expression,
/// a slot and an address are borrowed.
#[derive(Debug)]
pub enum Operand<E, S, A> {
    /// An expression that is evaluated.
    Part(E),
    /// A slot that is read directly.
    Reads(S),
    /// A slot that is filled before the following parts are evaluated. Its old value is lost.
    Binds(S),
    /// A slot that is filled at the end.
    Writes(S),
    /// A text for players.
    Says(TextId),
    /// An address at which play may go on, other than the next one.
    GoesTo(A),
}
