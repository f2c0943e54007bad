//! What callers of the engine import of it.

pub use crate::engine::{Conclusion, run_all, usual_jobs};
