//! Standard output and standard error, whose readers can leave at any time (`| head`).

use std::fmt::Arguments;
use std::io::{self, Write};

use crate::stage::end_without_reader;

/// Writes a line to standard error, in place of the macro of the standard library: that one panics
/// if the reader has left.
macro_rules! eprintln {
    ($($words:tt)*) => { $crate::standard_streams::write_note(format_args!($($words)*)) };
}

/// Writes a line to standard error. If its reader has left, the program ends.
pub fn write_note(line: Arguments<'_>) {
    let written = io::stderr().write_all(format!("{line}\n").as_bytes());
    // Any other error cannot be told to anybody.
    if written.as_ref().is_err_and(is_closed) {
        end_without_reader();
    }
}

/// Writes to standard output and flushes it. A reader that has left is not an error.
pub fn write_output(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), String> {
    let mut out = io::stdout().lock();
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if !is_closed(&error) => Err(format!("standard output: {error}")),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Writes a part of a long output to standard output. If its reader has left, there is no use in
/// the rest: the run that goes on ends, or else the program.
pub fn write_part(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), String> {
    let mut is_open = true;
    let written = write_output(|out| {
        let written = write(out).and_then(|()| out.flush());
        is_open = !written.as_ref().is_err_and(is_closed);
        written
    });
    if !is_open {
        end_without_reader();
    }
    written
}

fn is_closed(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}
