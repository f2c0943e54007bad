//! Exploration: journeys that nobody wrote, judged by a model of the documents.
//!
//! A journey is an installation and what happens in it (`journey`). It is drawn by chance
//! (`generate`), the suite runs it as a scenario, and the
//! [model](conformance_suite::judge::model) judges its trace. A failing journey is made as short as
//! it can be (`shrink`) and written as a feature file.

mod against;
mod exploration;
mod explored;
mod generate;
mod journey;
mod messages;
mod names;
mod run;
mod scene;
mod shrink;
mod world;

pub use against::{Against, Compared};
pub use exploration::{Exploration, left_out};
pub use explored::{Explored, Pairs, Progress, Scope, feature, record};
pub use run::explore;
