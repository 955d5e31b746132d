//! Checks and reports.
