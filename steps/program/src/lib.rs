//! The program `cells-conformance`: the command line of the suite and its laboratory.

/// Writes a line to standard error, in place of the macro of the standard library: that one panics
/// if the reader has left.
macro_rules! eprintln {
    ($($words:tt)*) => { conformance_suite::standard_streams::write_note(format_args!($($words)*)) };
}

mod cli;

/// The program.
pub fn main() -> std::process::ExitCode {
    cli::main()
}
