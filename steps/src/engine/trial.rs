//! The cases of a test program, each of which is a separate run.

use std::time::{Duration, Instant, SystemTime};

use super::claims::Scope;
use super::record::{PartOfRun, RunRecord, milliseconds, requirements_of};
use super::run::settings;
use super::run_again;
use super::{RecordFolder, Subject};
use crate::catalog::Case;
use crate::ledger::Ledger;
use crate::stage::Launch;
use crate::verdict::{Outcome, Verdict};

/// What the cases of a test program share.
#[derive(Debug)]
pub(crate) struct Trials {
    /// The router under test.
    pub(crate) subject: Subject,
    /// How it is launched.
    pub(crate) launch: Launch,
    /// The folder for records, if there is one.
    pub(crate) folder: Option<RecordFolder>,
}

impl Trials {
    /// Runs a case, and leaves its record behind: with one case, the claims settled, and its
    /// conclusion.
    ///
    /// # Errors
    ///
    /// If the record cannot be written.
    pub(crate) fn run(&self, case: &Case, ledger: &Ledger) -> Result<RunRecord, String> {
        let (began, clock) = (SystemTime::now(), Instant::now());
        let file = match &self.folder {
            // Readers of the folder see this record if the process is killed before the case ends.
            Some(folder) => {
                let why = "the process that ran the scenario ended before the scenario did";
                let verdict = Verdict::of(Outcome::CouldNotRun(why.to_owned()));
                let begun = self.record(case, &verdict, began, Duration::ZERO, ledger);
                Some((folder, folder.add(&begun)?))
            }
            None => None,
        };
        let verdict = run_again(case, &self.launch, ledger);
        let record = self.record(case, &verdict, began, clock.elapsed(), ledger);
        if let Some((folder, file)) = file {
            folder.replace(&file, &record)?;
        }
        Ok(record)
    }

    fn record(
        &self,
        case: &Case,
        verdict: &Verdict,
        began: SystemTime,
        took: Duration,
        ledger: &Ledger,
    ) -> RunRecord {
        let words = vec![case.name.clone()];
        let settings = settings(began, self.launch.seed, 1, words, Some(PartOfRun::Trial));
        let mut record = RunRecord::empty(self.subject.described.clone(), settings);
        record.add(case, verdict, Duration::ZERO, took, ledger);
        record.run.took_ms = milliseconds(took);
        record.requirements = requirements_of(&record.scenarios, ledger);
        record.settle(&self.subject.claims, Scope::One);
        record
    }

    /// A trial that ended with this verdict.
    #[cfg(test)]
    pub(crate) fn ended(&self, case: &Case, verdict: Verdict, ledger: &Ledger) -> RunRecord {
        self.record(case, &verdict, SystemTime::UNIX_EPOCH, Duration::ZERO, ledger)
    }
}
