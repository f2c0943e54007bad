//! Scenarios as the tests of a test program, for `cargo test` and nextest: here, and in the
//! repository of any router that is written in Rust.
//!
//! There, this crate is a development dependency, and a test target with `harness = false` has this
//! `main`:
//!
//! ```ignore
//! fn main() -> std::process::ExitCode {
//!     let router = env!("CARGO_BIN_EXE_my-router");
//!     conformance_suite::harness::for_command(router, ["--listen", "{listen}"])
//! }
//! ```
//!
//! The outcome of a scenario decides how its test ends:
//!
//! | outcome | test |
//! | --- | --- |
//! | not applicable by the claims | listed as ignored; `--ignored` runs it |
//! | the router refuses a protocol that it claims | fails |
//! | only a SHOULD is violated | passes with a warning; fails under [`Harness::strict`] |
//! | known failure that fails | `ignored, known failure: ...`; passes under nextest |
//! | known failure that passes | fails |
//! | known failure that matches no scenario | fails, as a separate test |
//! | could not run, suite at fault | fails |
//!
//! Warnings go to standard error. nextest cannot ignore a test that ran, so there a known failure
//! passes, with a line on standard error.
//!
//! If `CELLS_RECORD_DIR` names a folder (by its absolute path), each test leaves the record of its
//! scenario there, and `cells-conformance report render` makes one report of all.

mod arguments;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Completion, Failed, Trial};

use crate::catalog::{Case, Catalog, is_own};
use crate::engine::claims::{ClaimedBy, Claims};
use crate::engine::record::{CaseRecord, KnownFailure, RouterRecord, RunRecord};
use crate::engine::{self, RecordFolder, Subject, Trials, counted, usual_jobs};
use crate::ledger::{Ledger, Level};
use crate::report::{Screen, describe};
use crate::router_file::RouterFile;
use crate::stage::{RouterCommand, placeholders};

pub use crate::router_file::{Capability, REFERENCE_CLAIMS};
pub use cell_fleet::Protocol;

use crate::verdict::{Finding, OutcomeWord};
use arguments::TestArguments;

/// The test in addition to the scenarios.
const STALE_ENTRIES: &str = "router_file::every_known_failure_matches_a_scenario";

/// Runs the scenarios as tests of the router that this command starts; in the arguments,
/// `{topology}`, `{listen}`, `{region}` and `{protocol}` are replaced.
pub fn for_command<A: Into<OsString>>(
    program: impl Into<OsString>,
    arguments: impl IntoIterator<Item = A>,
) -> ExitCode {
    Harness::of_command(program, arguments).main()
}

/// Runs the scenarios as tests of the router of a router file.
pub fn for_router_file(path: impl AsRef<Path>) -> ExitCode {
    Harness::of_router_file(path).main()
}

/// Reports wrong usage or configuration on standard error, and returns the exit code for it: for
/// test programs that read their own settings.
pub fn usage_error(message: &str) -> ExitCode {
    eprintln!("error: {message}");
    engine::ExitCode::Usage.into()
}

/// A test program for one router.
#[derive(Debug)]
pub struct Harness {
    command: Result<RouterCommand, String>,
    claims: Claims,
    /// The description of the router in the router file.
    described: RouterRecord,
    is_strict: bool,
}

impl Harness {
    /// For the router that this command starts. It is expected to follow both protocols.
    pub fn of_command<A: Into<OsString>>(
        program: impl Into<OsString>,
        arguments: impl IntoIterator<Item = A>,
    ) -> Self {
        let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
        Self::new(command(&program.into(), &arguments))
    }

    /// For the router of a router file, with its claims and known failures.
    pub fn of_router_file(path: impl AsRef<Path>) -> Self {
        match RouterFile::read(path.as_ref()) {
            Ok(file) => {
                let command = file
                    .router_command()
                    .map_err(|error| format!("the router cannot be found: {error}"));
                Self { claims: (&file).into(), described: (&file).into(), ..Self::new(command) }
            }
            Err(error) => Self::new(Err(error.to_string())),
        }
    }

    fn new(command: Result<RouterCommand, String>) -> Self {
        let claims = Claims { by: ClaimedBy::TestProgram, ..Claims::default() };
        Self { command, claims, described: RouterRecord::default(), is_strict: false }
    }

    /// Starts this program instead of the router file's, with the router file's arguments: only
    /// cargo knows the path of a binary that it built for the test.
    #[must_use]
    pub fn with_program(mut self, program: impl Into<OsString>) -> Self {
        let program = program.into();
        self.command = self.command.and_then(|named| command(&program, &named.arguments));
        self
    }

    /// Starts this command instead, and keeps the claims.
    #[must_use]
    pub fn with_command<A: Into<OsString>>(
        mut self,
        program: impl Into<OsString>,
        arguments: impl IntoIterator<Item = A>,
    ) -> Self {
        let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
        self.command = self.command.and_then(|_| command(&program.into(), &arguments));
        self
    }

    /// Says which protocols the router follows, unless a router file does.
    #[must_use]
    pub fn following(mut self, protocols: impl IntoIterator<Item = Protocol>) -> Self {
        if self.claims.by != ClaimedBy::RouterFile {
            self.claims.protocols = Some(protocols.into_iter().collect());
        }
        self
    }

    /// Claims capabilities, unless a router file claims its own.
    #[must_use]
    pub fn claiming(mut self, capabilities: impl IntoIterator<Item = Capability>) -> Self {
        if self.claims.by != ClaimedBy::RouterFile {
            self.claims.capabilities = capabilities.into_iter().collect();
        }
        self
    }

    /// Makes the test of a scenario fail if a SHOULD is violated.
    #[must_use]
    pub fn strict(self) -> Self {
        Self { is_strict: true, ..self }
    }

    /// Does what the command line of the test program says, and returns the exit code.
    pub fn main(self) -> ExitCode {
        if let Some(code) = crate::stage::serve_or_allow() {
            return code;
        }
        match self.prepare() {
            Ok((arguments, program)) => execute(arguments, &Arc::new(program)),
            Err(why) => usage_error(&why),
        }
    }

    fn prepare(self) -> Result<(TestArguments, TestProgram), String> {
        let threads = std::env::var("RUST_TEST_THREADS").ok();
        let arguments = TestArguments::read(std::env::args(), threads)?;
        let command = self.command?;
        let words: Vec<_> = std::iter::once(&command.program)
            .chain(&command.arguments)
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        let mut described = self.described;
        if described.name.is_empty() {
            described.name = words.join(" ");
        }
        described.command = words;
        let subject = Subject::started(command, self.claims, described);
        let launch = subject.launch(1);
        let trials = Trials { subject, launch, folder: RecordFolder::from_environment()? };
        let is_nextest = std::env::var_os("NEXTEST").is_some();
        Ok((arguments, TestProgram { trials, is_strict: self.is_strict, is_nextest }))
    }
}

fn command(program: &OsString, arguments: &[OsString]) -> Result<RouterCommand, String> {
    placeholders::check(arguments.iter().map(OsString::as_os_str))?;
    RouterCommand::new(program, arguments, Path::new(""))
        .map_err(|error| format!("the router cannot be found: {error}"))
}

/// What all tests share.
#[derive(Debug)]
struct TestProgram {
    trials: Trials,
    is_strict: bool,
    is_nextest: bool,
}

fn execute(mut arguments: TestArguments, program: &Arc<TestProgram>) -> ExitCode {
    // A process that runs one scenario need not read all features.
    let catalog = arguments
        .exactly_one()
        .filter(|name| *name != STALE_ENTRIES)
        .map_or_else(Catalog::embedded, Catalog::embedded_for);
    let claims = &program.trials.subject.claims;
    let stale = stale_entries(claims, &catalog.cases);
    let ignored: Vec<_> =
        catalog.cases.iter().filter_map(|case| claims.not_applicable(case)).collect();
    let mut trials: Vec<_> =
        catalog.cases.into_iter().map(|case| trial(case, program.clone())).collect();
    let is_nextest = program.is_nextest;
    trials.extend(
        catalog
            .errors
            .into_iter()
            .map(|error| Trial::test(error.name, move || Err(failed(error.message, is_nextest)))),
    );
    if !claims.known_failures.is_empty() {
        let report = move || {
            if stale.is_empty() { Ok(()) } else { Err(failed(stale.join("\n"), is_nextest)) }
        };
        trials.push(Trial::test(STALE_ENTRIES, report));
    }
    arguments.retain(&mut trials);
    let arguments = &mut arguments;
    if trials.is_empty() && !arguments.mimic.list {
        eprintln!("error: no scenario matches; `--list` shows the names");
        return if arguments.mimic.exact {
            // nextest calls it so, and would count a success as a passed scenario.
            engine::ExitCode::NoSuchTest.into()
        } else {
            engine::ExitCode::Usage.into()
        };
    }
    if !arguments.mimic.list
        && let Err(why) = crate::stage::look()
    {
        return usage_error(&why);
    }
    if !arguments.mimic.list && arguments.filters.is_empty() && !is_nextest {
        reasons(&ignored).iter().for_each(|line| eprintln!("{line}"));
    }
    // Scenarios wait more than they compute.
    let threads = arguments.mimic.test_threads.unwrap_or_else(usual_jobs);
    arguments.mimic.test_threads = Some(threads);
    libtest_mimic::run(&arguments.mimic, trials).exit_code()
}

fn trial(case: Case, program: Arc<TestProgram>) -> Trial {
    // Decided when listing: nextest cannot ignore a test that has started.
    let is_ignored = program.trials.subject.claims.not_applicable(&case).is_some();
    let name = case.name.clone();
    let runner = move || {
        let ledger = Ledger::embedded();
        let record = program.trials.run(&case, ledger);
        let record = record.map_err(|why| failed(why, program.is_nextest))?;
        let text = || describe(&record, &record.scenarios[0], &Screen::stderr());
        match test_result(&record, &program.trials.subject.claims, program.is_strict) {
            TestResult::Passed => Ok(Completion::Completed),
            TestResult::PassedWithWarning => {
                eprintln!("warning: {}", text());
                Ok(Completion::Completed)
            }
            TestResult::KnownFailure(why) => {
                eprintln!("known failure: {}: {why}", case.name);
                Ok(Completion::ignored_with(format!("known failure: {why}")))
            }
            TestResult::Failed(reasons) => {
                let lines: Vec<_> = reasons.into_iter().chain([text()]).collect();
                Err(failed(lines.join("\n"), program.is_nextest))
            }
        }
    };
    Trial::ignorable_test(name, runner).with_ignored_flag(is_ignored)
}

/// How the test of a scenario ends.
#[derive(Clone, PartialEq, Eq, Debug)]
enum TestResult {
    Passed,
    PassedWithWarning,
    /// With the reason.
    KnownFailure(String),
    /// With reasons beyond the outcome of the scenario.
    Failed(Vec<String>),
}

/// The result of a test, by the conclusion of its run.
fn test_result(record: &RunRecord, claims: &Claims, is_strict: bool) -> TestResult {
    // A trial's record has one case.
    let case = &record.scenarios[0];
    match (record.conclusion.is_good(), case.outcome.word) {
        (true, OutcomeWord::KnownFailure) => TestResult::KnownFailure(case.outcome.why()),
        (true, OutcomeWord::Warned) if is_strict && !rests_on_a_may(case) => {
            TestResult::Failed(Vec::new())
        }
        (true, OutcomeWord::Warned) => TestResult::PassedWithWarning,
        (true, _) => TestResult::Passed,
        (_, OutcomeWord::NotApplicable)
            if record.complaints.is_empty() && claims.protocols.is_none() =>
        {
            TestResult::Failed(vec![format!(
                "{}, which a test program cannot know when it lists its tests: use \
                 `Harness::following`, or write a router file",
                case.outcome.reason()
            )])
        }
        _ => TestResult::Failed(record.complaints.clone()),
    }
}

/// Whether a warning is about MAYs alone.
fn rests_on_a_may(case: &CaseRecord) -> bool {
    let is_may = |one: &Finding| one.level == Level::May;
    !case.findings.is_empty() && case.findings.iter().all(is_may)
}

/// nextest takes a failure's message from standard error alone; elsewhere libtest-mimic prints it.
fn failed(message: String, is_nextest: bool) -> Failed {
    if is_nextest {
        eprintln!("Error: {message}");
        Failed::without_message()
    } else {
        message.into()
    }
}

/// The known failures that match no case which applies to the router.
fn stale_entries(claims: &Claims, cases: &[Case]) -> Vec<String> {
    let matches = |entry: &&KnownFailure| {
        let mut matching = cases.iter().filter(|case| entry.matches(&case.name, case.protocol));
        matching.any(|case| claims.not_applicable(case).is_none())
    };
    // A test program has the suite's scenarios alone.
    let of_suite = claims.known_failures.iter().filter(|entry| !is_own(&entry.scenario));
    let stale = of_suite.filter(|entry| !matches(entry));
    let complaint = |entry: &KnownFailure| {
        format!(
            "the known failure `{}` matches no scenario that applies to this router: remove the \
             entry",
            entry.scenario
        )
    };
    stale.map(complaint).collect()
}

/// The reasons for which cases are ignored, each with a count.
fn reasons(reasons: &[String]) -> Vec<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for reason in reasons {
        *counts.entry(reason).or_default() += 1;
    }
    let line = |(reason, count)| {
        format!("not applicable, ignored: {}, {reason}", counted(count, "scenario"))
    };
    counts.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests;
