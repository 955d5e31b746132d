//! Problems in words: reports, their drawing, and the explanations of codes.
//!
//! The engine returns problems as plain data ([`ludex_engine::problem::Problem`]). This crate defines their appearance, with
//! miette, and the meaning of each code.

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
