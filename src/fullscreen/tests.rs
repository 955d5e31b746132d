//! The full screen as it is drawn.
