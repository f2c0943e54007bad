//! Structured logs on standard error, which never hold anything up.
//!
//! A thread of its own writes the lines. Where nobody reads standard error, lines are lost and
//! counted, and requests go on. What cells and users cause again and again is written a few times a
//! second.

pub(crate) mod access;
mod limit;
mod lines;

use std::panic;
use std::sync::OnceLock;

use tracing::level_filters::LevelFilter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::config::Environment;
use crate::wire;
use limit::Limit;
pub(crate) use lines::Lines;

static LINES: OnceLock<Lines> = OnceLock::new();

/// Starts logging at the level that the environment asks for, unless the process logs already.
pub(crate) fn start(environment: &dyn Environment) -> &'static Lines {
    let level = environment
        .variable(wire::LOG_VARIABLE)
        .and_then(|value| value.to_str()?.parse::<LevelFilter>().ok())
        .unwrap_or(LevelFilter::WARN);
    let lines = LINES.get_or_init(Lines::to_standard_error);
    let format = tracing_subscriber::fmt::layer().with_ansi(false).with_writer(move || lines);
    // Another part of the process may have set its own subscriber; then that one is used.
    let _ =
        tracing_subscriber::registry().with(format).with(Limit::new(lines)).with(level).try_init();
    // The usual one writes to standard error itself, and waits where nobody reads that.
    panic::set_hook(Box::new(move |panic| {
        lines.say(&format!("reference-router: {panic}"));
        // The process ends with this thread, and nothing else waits for its last words.
        if std::thread::current().name() == Some("main") {
            lines.finish();
        }
    }));
    lines
}
