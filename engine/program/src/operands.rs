//! What instructions and expressions are made of, as every pass over code sees them; `code` and `expression` have the tables.

use super::TextId;

/// One thing that an instruction or an expression reads, fills or leads to. The parameters say how an expression, a slot and an
/// address are borrowed.
#[derive(Debug)]
pub enum Operand<E, S, A> {
    /// An expression that is worked out.
    Part(E),
    /// A slot that is read, other than by a part.
    Reads(S),
    /// A slot that is filled before the parts behind it are worked out. What was there is lost.
    Binds(S),
    /// A slot that is filled in the end.
    Writes(S),
    /// What players read.
    Says(TextId),
    /// Where play may go on, other than behind it.
    GoesTo(A),
}
