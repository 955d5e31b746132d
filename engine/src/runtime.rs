//! Playing: a session is a program, plain state and a stack of frames; it runs until it must ask.

mod announce;
mod ask;
mod bars;
mod bearing;
mod bulk;
mod chance;
pub mod coverage;
pub mod decision;
mod effect;
mod evaluate;
pub mod event;
mod frames;
mod heard;
mod instructions;
mod keys;
mod knowledge;
mod layout;
pub mod machine;
pub mod marks;
mod options;
mod plain;
pub mod policy;
pub mod question;
pub mod random;
mod retold;
mod ring;
pub mod search;
pub mod session;
pub mod setup;
mod specialise;
pub mod state;
mod steps;
#[cfg(test)]
mod tests;
mod uses;
pub mod view;
mod why;
mod window;
mod words;

pub use coverage::Coverage;
pub use decision::{Argument, Choice, Decision, DecisionId, Form, OptionView, Refusal};
pub use event::{Audience, Cause, Event, Happening, Outcome, OutcomeResult, PieceView};
pub use session::{Dice, Pending, RandomDraw, RandomKind, RandomRequest, Session, Setup};
pub use steps::{Draft, Drafted, MoveStep};
pub use view::{EntrantView, SideView, TableView, View, Viewer, ZoneView};
pub(crate) use words::halves;
