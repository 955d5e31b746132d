//! `ludex.Seat`: a session as one seat may see it. Bots get this, and through it nothing of what others hide.

use crate::questions::Answer;
use crate::session::PySession;
use crate::values::to_python;
use ludex_engine::runtime::Viewer;
use pyo3::prelude::*;

#[pyclass(module = "ludex", frozen)]
pub struct Seat {
    pub session: Py<PySession>,
    pub seat: usize,
}

#[pymethods]
impl Seat {
    /// The number of the seat.
    #[getter]
    fn number(&self) -> usize {
        self.seat
    }

    /// The open decisions of this seat.
    fn pending(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        to_python(py, &self.session.borrow(py).told_decisions(Some(self.seat))?)
    }

    /// What this seat may know.
    fn view(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        to_python(py, &self.session.borrow(py).told_view(Viewer::Seat(self.seat))?)
    }

    /// What this seat may know of what happened.
    #[pyo3(signature = (since=0))]
    fn events(&self, py: Python<'_>, since: usize) -> PyResult<Py<PyAny>> {
        to_python(py, &self.session.borrow(py).told_events(Viewer::Seat(self.seat), since))
    }

    /// How the game ended; none while it goes on.
    fn outcome(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let outcome = self.session.borrow(py).told_outcome();
        outcome.map_or_else(|| Ok(py.None()), |outcome| to_python(py, &outcome))
    }

    /// Answers a decision of this seat.
    #[pyo3(signature = (answer, decision=None))]
    fn choose(&self, py: Python<'_>, answer: Answer, decision: Option<u64>) -> PyResult<()> {
        Ok(self.session.borrow_mut(py).answer(answer, decision, Some(self.seat))?)
    }

    /// A session that agrees with all that this seat has seen; everything else is dealt afresh.
    #[pyo3(signature = (seed=0))]
    fn imagine(&self, py: Python<'_>, seed: u64) -> PyResult<PySession> {
        Ok(self.session.borrow(py).imagined(self.seat, seed)?)
    }
}
