//! The run engine: what runs scenarios, below every subcommand and test harness.

pub(crate) mod groups;
pub(crate) mod pool;
