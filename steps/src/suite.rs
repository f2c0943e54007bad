//! What callers of the engine import of it.

pub use crate::engine::{Conclusion, Ended, Event, run_all, usual_jobs};
