//! Playing: a session is a program, plain state and a stack of frames; it runs until it must ask.

pub mod decision;
pub mod event;
pub mod session;
pub mod view;

pub use decision::{Argument, Choice, Decision, DecisionId, Form, OptionView, Refusal};
pub use event::{Cause, Event, Happening, Outcome, OutcomeResult, PieceView};
pub use session::{Dice, Pending, RandomDraw, RandomKind, RandomRequest, Session, Setup};
pub use view::{SideView, TableView, View, Viewer, ZoneView};
