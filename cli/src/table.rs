//! The table as one viewer may know it, for every way to show it: where things are, where play is, what is asked and which
//! moves there are. It is made from a view, from events that the viewer has been told, and from the options of a decision, and
//! from nothing else; how it looks is the business of whoever shows it.

mod areas;
mod ending;
mod moves;
mod stage;

pub use areas::{Area, Board, Cell, Content, Face, Piece, Zone, areas, in_order};
pub use ending::{ending, payoff};
pub use moves::{Asked, How, Kind, MOST_LISTED, Move, MoveGroup, asked};
pub use stage::Stage;
