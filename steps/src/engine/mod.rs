//! The run engine, below every subcommand and test program: select, run, record, settle claims,
//! conclude. It knows nothing of a terminal.

mod cases;
pub(crate) mod claims;
mod conclusion;
mod counted;
mod exit_code;
mod failed;
mod first_few;
mod folder;
pub(crate) mod groups;
mod hex;
mod join;
pub(crate) mod known;
pub(crate) mod limits;
pub(crate) mod pool;
mod profiles;
pub mod record;
mod run;
mod selection;
mod shard;
mod subject;
mod trial;

pub use cases::{Event, run_all, usual_jobs};
pub use conclusion::Conclusion;
pub(crate) use conclusion::is_conformant_but;
pub(crate) use counted::counted;
pub(crate) use exit_code::{Command, ExitCode};
pub(crate) use failed::NotPassed;
pub(crate) use first_few::FirstFew;
pub(crate) use folder::{RecordFolder, merge, read_all, read_each, read_named};
pub(crate) use hex::hex;
pub(crate) use run::{RunPlan, run, settings};
pub(crate) use selection::Selection;
pub(crate) use shard::{Cut, Shard, Timings, seed_of};
pub(crate) use subject::Subject;
pub(crate) use trial::{TrialRun, Trials};
