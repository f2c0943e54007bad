//! The exit codes of the program and of test programs, with their meaning.

use std::fmt::Write as _;

use strum::VariantArray;

/// The exit code of a program of this project, by number.
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

/// A group of commands whose exit codes have the same meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(test, derive(VariantArray))]
pub enum Command {
    /// Commands that judge a router: `run`, `merge`, `privacy` and `stability`.
    Run,
    /// Commands that measure what a router holds: `memory` and `soak`.
    Hold,
    /// `compare`.
    Compare,
    /// `verify`.
    Verify,
    /// `self-test`.
    SelfTest,
    /// `explore`.
    Explore,
    /// Test programs that are made with `harness`; their help is libtest-mimic's.
    TestProgram,
}

impl ExitCode {
    /// The number.
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

    /// Its meaning for this command; `None` if the command never returns it.
    pub(crate) const fn meaning(self, command: Command) -> Option<&'static str> {
        use Command::{Compare, Explore, Hold, Run, SelfTest, TestProgram, Verify};
        Some(match (command, self) {
            (Run, Self::Success) => {
                "conformant: no MUST requirement is violated; or conformant but for known \
                 failures, which the router file lists; or conformant as far as a running router \
                 could be asked; or no failure in a part of the scenarios, which is no verdict"
            }
            (Run, Self::Failure) => {
                "not conformant; or the router file claims something false, lists a failure that \
                 passes, or lists more of the core than a router may fail"
            }
            (Run, Self::Incomplete) => {
                "incomplete: a condition outside the router, such as a machine that stalls, kept a \
                 scenario from a verdict, no scenario asked the router anything, or the run was \
                 ended before a scenario failed"
            }
            (Hold, Self::Success) => {
                "nothing that the router holds grows in proportion to what it did; a warning says \
                 where it holds much"
            }
            (Hold, Self::Failure) => {
                "a MUST requirement is violated: a user got something wrong or nothing, or the \
                 router did not serve"
            }
            (Hold, Self::OutOfProportion) => {
                "a measurement, and no violated MUST: what the router holds grows in proportion to \
                 what it did"
            }
            (Hold, Self::Incomplete) => {
                "incomplete: a condition outside the router kept the measurement from a result"
            }
            (Compare, Self::Success) => "compared; with `--fail-on regression`: there is none",
            (Compare, Self::Failure) => "`--fail-on regression`: a scenario got worse",
            (Compare, Self::Usage) => "wrong usage, or a report that cannot be read",
            (Compare, Self::Incomplete) => {
                "`--fail-on regression`: none is seen, but a scenario that passed or was warned \
                 has no verdict any more"
            }
            (Verify, Self::Success) => "every verdict follows from what the report records",
            (Verify, Self::Failure) => "a verdict does not follow",
            (Verify, Self::Usage) => "wrong usage, or a report that cannot be read",
            (Verify, Self::Incomplete) => {
                "not judged: the report was written with other features or another ledger"
            }
            (SelfTest, Self::Success) => {
                "every mutant was caught, and every correct variant passed"
            }
            (SelfTest, Self::SuiteFault) => {
                "a mutant survived, a correct variant failed, or the suite itself is at fault"
            }
            (SelfTest, Self::Incomplete) => {
                "it was ended early: what it had found until then passed"
            }
            (Explore, Self::Success) => "no violation was found, which proves no conformance",
            (Explore, Self::Failure) => "a requirement of level MUST is violated",
            (Explore, Self::Incomplete) => {
                "incomplete: a condition outside the router kept a journey from running, no \
                 journey could be run, or the exploration was ended before a violation was found"
            }
            (TestProgram, Self::Success) => "every test passed or was ignored",
            (TestProgram, Self::TestFailed) => "a test failed",
            (TestProgram, Self::NoSuchTest) => "no test has the name that `--exact` asked for",
            (TestProgram, Self::Usage) => {
                "wrong usage or configuration, or a filter that no test matches; nothing was run"
            }
            (Run | Hold | SelfTest | Explore, Self::Usage) => {
                "wrong usage or configuration; nothing was run"
            }
            (Run | Hold | Explore, Self::SuiteFault) => {
                "the suite itself is at fault; the router is not judged"
            }
            (Run | Explore, Self::NotWritten) => {
                "a report or standard output could not be written; the conclusion stands in what \
                 could be"
            }
            (Compare | Verify | SelfTest | Hold, Self::NotWritten) => {
                "standard output could not be written"
            }
            _ => return None,
        })
    }

    /// The exit codes of a command with their meanings, by number.
    pub(crate) fn of(command: Command) -> impl Iterator<Item = (u8, &'static str)> {
        let meaning =
            move |exit: &Self| exit.meaning(command).map(|meaning| (exit.code(), meaning));
        Self::VARIANTS.iter().filter_map(meaning)
    }

    /// The table of a command's exit codes for its `--help`.
    pub fn help(command: Command) -> String {
        Self::of(command).fold("Exit codes:".to_owned(), |mut text, (code, meaning)| {
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

    /// The rows of the first table with this head.
    fn table(text: &str, head: &str) -> Vec<String> {
        let rows = text.lines().skip_while(|line| *line != head).skip(2);
        rows.take_while(|line| line.starts_with('|')).map(str::to_owned).collect()
    }

    #[test]
    fn a_number_has_one_meaning_for_each_command() {
        for &command in Command::VARIANTS {
            let codes: Vec<_> = ExitCode::of(command).map(|(code, _)| code).collect();
            let mut sorted = codes.clone();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(codes, sorted, "{command:?}");
            assert_eq!(codes[0], 0);
        }
    }

    #[test]
    fn the_page_has_the_tables_of_the_commands() {
        let path = format!("{}/../docs/getting-started.md", env!("CARGO_MANIFEST_DIR"));
        let page = std::fs::read_to_string(path).unwrap();
        for (command, head) in [
            (Command::Run, "exit code"),
            (Command::Hold, "exit code of `memory` and `soak`"),
            (Command::Compare, "exit code of `compare`"),
            (Command::TestProgram, "exit code of a test program"),
        ] {
            let rows =
                ExitCode::of(command).map(|(code, meaning)| format!("| {code} | {meaning} |"));
            let table = table(&page, &format!("| {head} | meaning |"));
            assert_eq!(table, rows.collect::<Vec<_>>(), "{command:?}");
        }
    }
}
