//! Ludex as a Python module: `ludex._engine`, over which the package `ludex` has what is easier to say in Python.

mod bots;
mod check;
mod encoded_session;
mod engine_calls;
mod failure;
mod game;
mod library;
mod odds;
mod questions;
mod seat;
mod session;
mod simulation;
mod values;
mod vector;

use pyo3::prelude::*;

#[pymodule]
fn _engine(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<game::Game>()?;
    module.add_class::<session::PySession>()?;
    module.add_class::<seat::Seat>()?;
    module.add_class::<encoded_session::PyEncoding>()?;
    module.add_class::<encoded_session::Coded>()?;
    module.add_class::<vector::Vector>()?;
    module.add_function(wrap_pyfunction!(game::load, module)?)?;
    module.add_function(wrap_pyfunction!(game::games, module)?)?;
    module.add_function(wrap_pyfunction!(check::check, module)?)?;
    Ok(())
}
