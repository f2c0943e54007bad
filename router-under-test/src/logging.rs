//! Structured logs on standard error.

use tracing::level_filters::LevelFilter;

use crate::environment::Environment;
use crate::wire;

/// Starts logging at the level that the environment asks for, unless the process logs already.
pub(crate) fn start(environment: &dyn Environment) {
    let level = environment
        .variable(wire::LOG_VARIABLE)
        .and_then(|value| value.to_str()?.parse::<LevelFilter>().ok())
        .unwrap_or(LevelFilter::WARN);
    // Another part of the process may have set its own subscriber; then that one is used.
    let _ = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_ansi(false)
        .with_writer(std::io::stderr)
        .try_init();
}
