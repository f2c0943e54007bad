//! The run engine, below every subcommand and test program: select, run, record, settle claims,
//! conclude. It knows nothing of a terminal.

mod again;
mod cases;
pub mod claims;
mod conclude;
mod conclusion;
mod exit_code;
mod failed;
mod folder;
mod join;
pub mod known;
pub mod limits;
pub mod pool;
#[warn(missing_docs)]
pub mod record;
mod run;
mod selection;
mod shard;
mod subject;
mod unkept;
mod words;

pub use again::{Attempt, run_again, run_patiently};
pub use cases::{Ended, Event, run_all, usual_jobs};
pub use conclusion::Conclusion;
pub use exit_code::ExitCode;
pub use failed::NotPassed;
pub use folder::{RecordFolder, merge, read_all, read_each, read_named};
pub use pool::throttled;
pub(crate) use run::Trials;
pub use run::{RunPlan, run, settings};
pub use selection::{Selection, no_such_name};
pub use shard::{Shard, seed_of};
pub use subject::Subject;
pub use words::{FirstFew, counted, hex};
