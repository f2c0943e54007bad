//! How a command ends.

use conformance_suite::engine::ExitCode;
use conformance_suite::stage::{Stop, on_stop, readable_text};
use conformance_suite::standard_streams::write_output;

/// The exit code of a command, or why it has no result.
pub(super) type Ended = Result<ExitCode, Failed>;

#[derive(Debug)]
pub(super) enum Failed {
    Usage(String),
    NotWritten(String),
}

/// An error in words is one of usage.
impl From<String> for Failed {
    fn from(why: String) -> Self {
        Self::Usage(why)
    }
}

impl Failed {
    /// Says why on standard error, and returns the exit code. What is quoted of a file may hold what
    /// a terminal obeys.
    pub(super) fn tell(self) -> ExitCode {
        let (Self::Usage(why) | Self::NotWritten(why)) = &self;
        eprintln!("error: {}", readable_text(why));
        match self {
            Self::Usage(_) => ExitCode::Usage,
            Self::NotWritten(_) => ExitCode::NotWritten,
        }
    }
}

/// Writes a text to standard output. A reader that has left (`| head`) is not an error.
pub(super) fn print(text: &[u8]) -> Ended {
    write_output(|out| out.write_all(text)).map_err(Failed::NotWritten)?;
    Ok(ExitCode::Success)
}

/// What a signal, or the end of the output, stops.
pub(super) fn stop_on_signals() -> Stop {
    let stop = Stop::default();
    let told = stop.clone();
    on_stop(move |reason| told.request(reason));
    stop
}
