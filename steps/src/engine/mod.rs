//! The run engine: what runs scenarios, below every subcommand and test program. It knows nothing
//! of a terminal.

mod conclusion;
mod exit_code;
pub(crate) mod groups;
pub(crate) mod measurement;
pub(crate) mod pool;

pub use conclusion::Conclusion;
pub use exit_code::{Command, ExitCode};
