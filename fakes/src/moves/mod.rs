//! A move of an organization with all its data, in phases.
//!
//! The documents leave the flow open ("An organization is moved from 1 cell to another") and say
//! only which stores it has to take along. The phases are this fleet's own. Rows are copied into a
//! staging area of the new cell and become visible at the switch; a [`WriteGates`] gate of the old
//! cell closes before the last copy, and that of the new cell opens after the switch.

mod gates;
mod phase;
mod side;
mod under_way;

pub use gates::{WriteGates, WriteGuard};
pub use phase::MovePhase;
pub use side::{ProjectData, ProjectStores};
pub use under_way::{Copied, Moves, UnderWay};
