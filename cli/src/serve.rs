//! Tables for browsers: each on a thread of its own, and one thread that speaks HTTP to players and spectators. The verb
//! `serve` starts it.
//!
//! A request passes `web` (HTTP, admission), becomes an act of a seat (`form`) and goes to the table's thread (`sitting`),
//! which plays it and renders each viewer's view (`page`, `views`). A browser that shows the secret of a seat's link gets the
//! seat, in a cookie (`links`).

pub mod address;
mod addresses;
mod connections;
mod form;
mod limits;
pub mod links;
mod page;
mod rehearsal;
mod server;
mod sitting;
pub mod startup_messages;
mod story;
mod views;
mod web;

pub use addresses::{CountingMode, Door};
pub use server::Server;
pub use sitting::{GameStarter, RematchStarter, StartedGame, Table};

use crate::stop::Stop;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use std::net::TcpListener;

/// Serves browsers until the process ends. An error if the server cannot go on.
pub fn serve_tables(listener: TcpListener, server: Server) -> Result<u8, Stop> {
    let failed =
        |error: std::io::Error| Stop::from(Problem::error(codes::NO_LISTENING, format!("the server cannot go on: {error}")));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
    runtime.block_on(web::serve(listener, server)).map_err(failed)?;
    Ok(crate::exit::DONE)
}
