//! Each scenario as a trial of its own, for `cargo test` and nextest: here, and in the repository
//! of any router that is written in Rust.
//!
//! There, this crate is a development dependency, and a test target with `harness = false` has one
//! line of its own:
//!
//! ```ignore
//! fn main() -> std::process::ExitCode {
//!     cells_conformance::harness::for_command(env!("CARGO_BIN_EXE_my-router"), ["--listen", "{listen}"])
//! }
//! ```
//!
//! What becomes of a scenario in such a test program:
//!
//! | verdict | trial |
//! | --- | --- |
//! | not applicable by the claims | listed as ignored; `--ignored` runs it all the same |
//! | the router refuses a protocol that it claims | fails |
//! | only a SHOULD is violated | passes with a warning on standard error; fails where [`Harness::strict`] says so |
//! | known failure that fails | `ignored, known failure: ...`; nextest has no such word for a trial that ran: it passes there, and says so on standard error |
//! | known failure that passes | fails |
//! | known failure that means no scenario | fails, in a trial of its own |
//! | could not run, suite at fault | fails |

mod arguments;
mod claims;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Completion, Failed, Trial};

use crate::catalog::{Case, Catalog};
use crate::engine;
use crate::launch::launch;
use crate::ledger::Ledger;
use crate::report::describe;
use crate::router_file::RouterFile;
use crate::run::run;
use crate::stage::{Launch, RouterCommand};
use crate::suite::usual_jobs;
use crate::verdict::{Outcome, Verdict};

pub use crate::router_file::Capability;
pub use cell_fleet::Protocol;

use arguments::Asked;
use claims::Claims;

/// A trial beside the scenarios.
const STALE_ENTRIES: &str = "router_file::every_known_failure_means_a_scenario";

/// Runs the scenarios as a test program does, against the router that this command starts; in the
/// arguments, `{topology}`, `{listen}`, `{region}` and `{protocol}` are replaced.
pub fn for_command<A: Into<OsString>>(
    program: impl Into<OsString>,
    arguments: impl IntoIterator<Item = A>,
) -> ExitCode {
    Harness::of_command(program, arguments).main()
}

/// Runs the scenarios as a test program does, against the router of a router file.
pub fn for_router_file(path: impl AsRef<Path>) -> ExitCode {
    Harness::of_router_file(path).main()
}

/// A test program for one router.
#[derive(Debug)]
pub struct Harness {
    command: Result<RouterCommand, String>,
    claims: Claims,
    is_strict: bool,
}

impl Harness {
    /// For the router that this command starts. It is taken to follow both protocols.
    pub fn of_command<A: Into<OsString>>(
        program: impl Into<OsString>,
        arguments: impl IntoIterator<Item = A>,
    ) -> Self {
        let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
        Self {
            command: command(&program.into(), &arguments),
            claims: Claims::default(),
            is_strict: false,
        }
    }

    /// For the router of a router file, with its claims and known failures.
    pub fn of_router_file(path: impl AsRef<Path>) -> Self {
        match RouterFile::read(path.as_ref()) {
            Ok(file) => {
                let command = file
                    .router_command()
                    .map_err(|error| format!("the router cannot be found: {error}"));
                Self { command, claims: Claims::of(file), is_strict: false }
            }
            Err(error) => Self {
                command: Err(error.to_string()),
                claims: Claims::default(),
                is_strict: false,
            },
        }
    }

    /// Starts this program instead of the router file's, with the arguments that stand there: of a
    /// binary that cargo built for the test, only cargo knows the path.
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

    /// Says which protocols the router follows, where no router file does.
    #[must_use]
    pub fn following(mut self, protocols: impl IntoIterator<Item = Protocol>) -> Self {
        self.claims.protocols = Some(protocols.into_iter().collect());
        self
    }

    /// Claims capabilities; a router file claims its own.
    #[must_use]
    pub fn claiming(mut self, capabilities: impl IntoIterator<Item = Capability>) -> Self {
        self.claims.capabilities = capabilities.into_iter().collect();
        self
    }

    /// Makes a violated SHOULD fail too.
    #[must_use]
    pub fn strict(self) -> Self {
        Self { is_strict: true, ..self }
    }

    /// Does what the test program's command line says; responses with the exit code.
    pub fn main(self) -> ExitCode {
        let asked = match Asked::read(std::env::args(), std::env::var("RUST_TEST_THREADS").ok()) {
            Ok(asked) => asked,
            Err(why) => return usage_error(&why),
        };
        let command = match self.command {
            Ok(command) => command,
            Err(why) => return usage_error(&why),
        };
        let shared = Arc::new(Shared {
            launch: launch(command, 1),
            claims: self.claims,
            is_strict: self.is_strict,
            is_nextest: std::env::var_os("NEXTEST").is_some(),
        });
        execute(asked, &shared)
    }
}

fn command(program: &OsString, arguments: &[OsString]) -> Result<RouterCommand, String> {
    RouterCommand::new(program, arguments)
        .map_err(|error| format!("the router cannot be found: {error}"))
}

fn usage_error(why: &str) -> ExitCode {
    eprintln!("error: {why}");
    engine::ExitCode::Usage.into()
}

/// What all trials need.
#[derive(Debug)]
struct Shared {
    launch: Launch,
    claims: Claims,
    is_strict: bool,
    is_nextest: bool,
}

fn execute(mut asked: Asked, shared: &Arc<Shared>) -> ExitCode {
    // A process that runs one scenario need not read all features.
    let catalog = asked
        .exactly_one()
        .filter(|name| *name != STALE_ENTRIES)
        .map_or_else(Catalog::embedded, Catalog::embedded_for);
    let stale = shared.claims.file().map(|file| claims::meaningless(file, &catalog.cases));
    let not_for_it: Vec<_> =
        catalog.cases.iter().filter_map(|case| shared.claims.not_applicable(case)).collect();
    let mut trials: Vec<_> =
        catalog.cases.into_iter().map(|case| trial(case, shared.clone())).collect();
    let is_nextest = shared.is_nextest;
    trials.extend(
        catalog
            .errors
            .into_iter()
            .map(|error| Trial::test(error.name, move || Err(failed(error.message, is_nextest)))),
    );
    if let Some(stale) = stale.filter(|_| shared.claims.has_known_failures()) {
        let report = move || {
            if stale.is_empty() { Ok(()) } else { Err(failed(stale.join("\n"), is_nextest)) }
        };
        trials.push(Trial::test(STALE_ENTRIES, report));
    }
    asked.retain(&mut trials);
    if trials.is_empty() && !asked.arguments.list {
        eprintln!("error: no scenario is named like that; `--list` shows the names");
        return if asked.arguments.exact {
            // nextest asks so, and would count a success as a scenario that passed.
            engine::ExitCode::NoSuchTest.into()
        } else {
            engine::ExitCode::Usage.into()
        };
    }
    if !asked.arguments.list && asked.filters.is_empty() && !is_nextest {
        claims::reasons(&not_for_it).iter().for_each(|line| eprintln!("{line}"));
    }
    // Scenarios wait more than they compute.
    let threads = asked.arguments.test_threads.unwrap_or_else(usual_jobs);
    asked.arguments.test_threads = Some(threads);
    libtest_mimic::run(&asked.arguments, trials).exit_code()
}

fn trial(case: Case, shared: Arc<Shared>) -> Trial {
    // Decided when listing: what a trial says of itself when it runs comes too late for nextest.
    let is_ignored = shared.claims.not_applicable(&case).is_some();
    let name = case.name.clone();
    let runner = move || {
        let ledger = Ledger::embedded();
        let verdict = run(&case, &shared.launch, ledger);
        match conclude(&case, &verdict, &shared.claims, shared.is_strict) {
            Concluded::Passed => Ok(Completion::Completed),
            Concluded::PassedWithWarning => {
                eprintln!("warning: {}", describe(&case, &verdict, ledger, ""));
                Ok(Completion::Completed)
            }
            Concluded::KnownFailure(why) => {
                eprintln!("known failure: {}: {why}", case.name);
                Ok(Completion::ignored_with(format!("known failure: {why}")))
            }
            Concluded::Failed(why) => {
                let lead = why.map(|why| format!("{why}\n")).unwrap_or_default();
                Err(failed(lead + &describe(&case, &verdict, ledger, ""), shared.is_nextest))
            }
        }
    };
    Trial::ignorable_test(name, runner).with_ignored_flag(is_ignored)
}

/// What a verdict means for a trial.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Concluded {
    Passed,
    PassedWithWarning,
    /// With the reason.
    KnownFailure(String),
    /// With what the verdict alone does not say.
    Failed(Option<String>),
}

fn conclude(case: &Case, verdict: &Verdict, claims: &Claims, is_strict: bool) -> Concluded {
    let known = claims.known_failure(case);
    match (&verdict.outcome, known) {
        (Outcome::Failed | Outcome::Warned, Some(entry)) => {
            Concluded::KnownFailure(format!("{} ({})", entry.reason, entry.link))
        }
        (Outcome::Passed, Some(entry)) => Concluded::Failed(Some(format!(
            "it passes, but the router file knows it as a failure: take the entry `{}` out",
            entry.scenario
        ))),
        (Outcome::Passed, None) => Concluded::Passed,
        (Outcome::Warned, None) if !is_strict => Concluded::PassedWithWarning,
        (Outcome::NotApplicable(_), _) => Concluded::Failed(Some(claims.contradiction(case))),
        // The suite itself never says so; it is the router file's word for a failure.
        (Outcome::KnownFailure { reason, link }, _) => {
            Concluded::KnownFailure(format!("{reason} ({link})"))
        }
        (
            Outcome::Warned | Outcome::Failed | Outcome::CouldNotRun(_) | Outcome::SuiteError(_),
            _,
        ) => Concluded::Failed(None),
    }
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

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;

    fn concluded(outcome: Outcome, claims: &Claims, is_strict: bool) -> Concluded {
        static CATALOG: LazyLock<Catalog> = LazyLock::new(Catalog::embedded);
        let case = CATALOG.cases.iter().find(|case| case.needs.router).unwrap();
        conclude(case, &Verdict::of(outcome), claims, is_strict)
    }

    fn knowing_all() -> Claims {
        let text = "name = \"r\"\ncommand = [\"r\"]\nprotocols = [\"learning\", \"buffering\"]\n\
                    [[known_failure]]\nscenario = \"*\"\nreason = \"young\"\nlink = \"/1\"\n";
        Claims::of(RouterFile::parse(text).unwrap())
    }

    #[test]
    fn without_known_failures_the_verdict_decides() {
        let of = |outcome| concluded(outcome, &Claims::default(), false);
        assert_eq!(of(Outcome::Passed), Concluded::Passed);
        assert_eq!(of(Outcome::Warned), Concluded::PassedWithWarning);
        assert_eq!(of(Outcome::Failed), Concluded::Failed(None));
        assert_eq!(of(Outcome::CouldNotRun(String::new())), Concluded::Failed(None));
        assert_eq!(of(Outcome::SuiteError(String::new())), Concluded::Failed(None));
        assert_eq!(concluded(Outcome::Warned, &Claims::default(), true), Concluded::Failed(None));
    }

    #[test]
    fn a_known_failure_has_to_fail_and_nothing_else_hides_behind_it() {
        let of = |outcome| concluded(outcome, &knowing_all(), false);
        assert_eq!(of(Outcome::Failed), Concluded::KnownFailure("young (/1)".to_owned()));
        assert_eq!(of(Outcome::Warned), Concluded::KnownFailure("young (/1)".to_owned()));
        assert!(
            matches!(of(Outcome::Passed), Concluded::Failed(Some(why)) if why.contains("take the entry `*` out"))
        );
        assert_eq!(of(Outcome::CouldNotRun(String::new())), Concluded::Failed(None));
        assert_eq!(of(Outcome::SuiteError(String::new())), Concluded::Failed(None));
    }

    #[test]
    fn a_router_that_refuses_what_it_claims_fails() {
        for claims in [Claims::default(), knowing_all()] {
            let concluded =
                concluded(Outcome::NotApplicable("status 69".to_owned()), &claims, false);
            assert!(
                matches!(concluded, Concluded::Failed(Some(why)) if why.contains("does not follow"))
            );
        }
    }
}
