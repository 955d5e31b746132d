//! What is wrong with a package, in words: reports, their drawing, and the long texts of codes.
//!
//! Problems arrive from the engine as plain data ([`ludex_engine::problem::Problem`]); everything
//! about how they look is here, and miette with it; so is what each code means.

#![deny(missing_docs)]

mod excerpt;
pub mod explain;
mod forms;
pub mod register;
pub mod render;
pub mod report;
mod stage;

pub use render::{Look, Theme};
pub use report::Report;
pub use stage::Stage;
