//! The exit codes of the programs and of test programs, with their meaning.

use std::fmt::Write as _;

use strum::VariantArray;

/// The exit code of a program of this project, by number. All commands have these.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, VariantArray)]
pub enum ExitCode {
    /// The command did what it was asked, and the result is good.
    Success,
    /// The command did what it was asked, and the result is bad.
    Failure,
    /// Wrong usage or configuration; nothing was run.
    Usage,
    /// Something outside the subject kept the command from a result.
    Incomplete,
    /// The suite itself is at fault.
    SuiteFault,
    /// A test program was asked for one test by its exact name, and has none of that name.
    NoSuchTest,
    /// The result could not be written: a report, or standard output.
    NotWritten,
    /// A measurement shows that what the router holds grows in proportion to what it did; that
    /// violates no MUST.
    OutOfProportion,
    /// A test program ran a test that failed.
    TestFailed,
}

impl ExitCode {
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Failure => 1,
            Self::Usage => 2,
            Self::Incomplete => 3,
            // The exit code of cargo nextest if it finds no test.
            Self::SuiteFault | Self::NoSuchTest => 4,
            Self::NotWritten => 5,
            Self::OutOfProportion => 6,
            // The exit code of every Rust test program with a failed test.
            Self::TestFailed => 101,
        }
    }

    /// Its meaning for every command; `None` if only test programs return it.
    const fn meaning(self) -> Option<&'static str> {
        Some(match self {
            Self::Success => {
                "done, and the result is good. A router is conformant, perhaps but for known \
                 failures, which the router file lists, or as far as a running router could be \
                 asked; or nothing failed in a part of the scenarios, an exploration or a \
                 measurement, which is no verdict"
            }
            Self::Failure => {
                "done, and the result is bad. A MUST requirement is violated; or the router file \
                 claims something false, lists a failure that passes, or lists more of the core \
                 than a router may fail. `report verify`: a verdict does not follow. `report \
                 compare --fail-on regression`: a scenario got worse. `lint`: a file cannot be run"
            }
            Self::Usage => {
                "wrong usage or configuration, or a file that cannot be read; nothing was run"
            }
            Self::Incomplete => {
                "incomplete: a condition outside the router, such as a machine that stalls, kept a \
                 scenario from a verdict, no scenario asked the router anything, or the command \
                 was ended before anything failed. `report verify`: other features or another \
                 ledger. `report compare --fail-on regression`: a verdict was lost"
            }
            Self::SuiteFault => {
                "the suite itself is at fault; the router is not judged. `self-test`: a mutant \
                 survived, or a correct variant failed"
            }
            Self::NotWritten => {
                "a report or standard output could not be written; the conclusion stands in what \
                 could be"
            }
            Self::OutOfProportion => {
                "`measure`, and no violated MUST: what the router holds grows in proportion to \
                 what it did"
            }
            Self::NoSuchTest | Self::TestFailed => return None,
        })
    }

    /// The exit codes of all commands with their meanings, by number.
    fn all() -> impl Iterator<Item = (u8, &'static str)> {
        Self::VARIANTS.iter().filter_map(|exit| Some((exit.code(), exit.meaning()?)))
    }

    pub fn help() -> String {
        Self::all().fold("Exit codes:".to_owned(), |mut text, (code, meaning)| {
            // Writing to a string cannot fail.
            let _ = write!(text, "\n  {code}  {meaning}");
            text
        })
    }
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(exit: ExitCode) -> Self {
        exit.code().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_has_one_meaning_and_the_page_has_the_table() {
        let path = format!("{}/../docs/getting-started.md", env!("CARGO_MANIFEST_DIR"));
        let page = std::fs::read_to_string(path).unwrap();
        let rows = page.lines().skip_while(|line| *line != "| exit code | meaning |").skip(2);
        let rows: Vec<_> = rows.take_while(|line| line.starts_with('|')).collect();
        let expected = ExitCode::all().map(|(code, meaning)| format!("| {code} | {meaning} |"));
        assert_eq!(rows, expected.collect::<Vec<_>>());
        assert!(ExitCode::all().map(|(code, _)| code).eq(0..=6));
    }
}
