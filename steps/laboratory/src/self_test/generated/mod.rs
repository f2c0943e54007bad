//! Mutants that nobody wrote: deviations drawn from a seed, against the scenarios and against
//! exploration.

mod allowed;
mod page;
mod play;
mod row;
mod totals;

pub use play::{Round, still_kills};
pub use row::{Fate, Row};
pub use totals::Totals;
