//! The table as one viewer may know it, for every way to show it: the pieces, the stage of play, the question and the moves.
//! It is made only from a view, from the events reported to the viewer, and from the options of a decision. Its appearance is
//! up to the code that shows it: `fullscreen` and `serve`, and in parts `terminal`.

mod areas;
mod ending;
mod moves;
mod stage;

pub use areas::{Area, Board, Cell, Content, Face, Piece, Zone, view_areas, zones_in_order};
pub use ending::{ending_text, payoff_text};
pub use moves::{AnswerForm, CurrentQuestion, MOST_LISTED, Move, MoveGroup, MoveKind, current_question};
pub use stage::Stage;
