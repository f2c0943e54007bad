//! The command lines of the suite and its laboratory: the programs `cells-conformance`, for authors
//! of routers, and `cells-lab`, for authors and reviewers of the suite.

/// Writes a line to standard error, in place of the macro of the standard library: that one panics
/// if the reader has left.
macro_rules! eprintln {
    ($($words:tt)*) => { conformance_suite::standard_streams::write_note(format_args!($($words)*)) };
}

mod cli;

/// The program `cells-conformance`.
pub fn main() -> std::process::ExitCode {
    cli::main()
}

/// The program `cells-lab`.
pub fn lab() -> std::process::ExitCode {
    cli::lab::main()
}
