//! The proof that the suite can fail: it runs against mutants, routers and cells with one known
//! mistake each.
//!
//! A mutant is caught where a verdict carries the requirement that the mutant breaks, in a scenario
//! that the reference router passes. Every other finding is collateral. Routers that do not route
//! are the null baseline. Variants, which are correct in another way, must pass.

mod assignment;
mod mutant;
mod mutation_run;
mod routers;
mod setup;
mod two_levels;

pub use mutant::{Extent, MutantUnderTest, unbroken};
pub use mutation_run::MutationRun;
pub use routers::RouterResult;
pub use setup::{Setup, conclusion};
