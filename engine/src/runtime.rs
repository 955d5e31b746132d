//! Playing: a session holds a program, plain state and a stack of frames, and runs until it must ask a question.

/// Lets a layer deref to the layer below it.
macro_rules! over {
    ($upper:ident, $field:ident: $lower:ident) => {
        impl std::ops::Deref for $upper {
            type Target = $lower;

            #[inline(always)]
            fn deref(&self) -> &$lower {
                &self.$field
            }
        }

        impl std::ops::DerefMut for $upper {
            #[inline(always)]
            fn deref_mut(&mut self) -> &mut $lower {
                &mut self.$field
            }
        }
    };
}

pub mod arrange;
pub(crate) mod context;
pub(crate) mod coverage;
pub(crate) mod decision;
pub(crate) mod dice;
pub(crate) mod effect;
pub mod encoding;
pub(crate) mod eval;
pub(crate) mod event;
pub(crate) mod flow;
pub mod limits;
pub(crate) mod meetings;
pub(crate) mod numbers;
pub(crate) mod payoff;
pub(crate) mod question;
pub mod random;
mod redeal;
mod search_report;
pub(crate) mod seats;
mod seed;
pub(crate) mod session;
pub(crate) mod state;
#[cfg(test)]
mod tests;
pub(crate) mod text;
mod trace;
pub(crate) mod view;

pub use coverage::Coverage;
pub use decision::{Answers, Argument, Choice, Decision, DecisionId, Form, Lots, Misfit, OptionView, Refusal};
pub use dice::{Dice, RandomDraw, RandomKind, RandomRequest};
pub use eval::meter::Usage;
pub use event::{Audience, Bearer, Cause, Event, EventKind, Outcome, OutcomeResult, PieceView, Viewer, ZoneName};
pub use flow::shared_code::SharedCode;
pub use meetings::{ClauseUse, Meeting, Order, StateAfter, have_equal_rank};
pub use payoff::Payoff;
pub use question::keys;
pub use question::steps::{Draft, DraftProgress, MoveStep};
pub use search_report::HowFound;
pub use seed::Seed;
pub use session::counters::Counter;
pub use session::coverage::ReachedPlace;
pub use session::setup::first_values;
pub(crate) use session::setup::sheet_before_play;
pub use session::{FieldValue, Holder, MeetingOptions, Pending, Session, SessionOptions, Setup, policy};
pub use text::facts;
pub use trace::EntryRecord;
pub use view::{EntrantView, KnownPiece, PieceInZone, SideView, TableView, Under, UsesView, View, ZoneView};
