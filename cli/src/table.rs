//! The table as one viewer may know it, for every way to show it: the pieces, the stage of play, the question and the moves. It
//! is made only from a view, from the events reported to the viewer, and from the options of a decision. Its appearance is up to
//! the code that shows it.

mod areas;
mod ending;
mod moves;
mod stage;

pub use areas::{Area, Board, Cell, Content, Face, Piece, Zone, areas, in_order};
pub use ending::{ending, payoff};
pub use moves::{Asked, How, Kind, MOST_LISTED, Move, MoveGroup, asked};
pub use stage::Stage;
