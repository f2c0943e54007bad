//! Progress and summary on a terminal.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::describe;
use crate::engine::Event;
use crate::engine::limits::count;
use crate::engine::record::{CaseRecord, RunRecord};
use crate::ledger::Ledger;
use crate::verdict::Outcome;

/// Failures that are described in full; the rest is listed by name.
const DESCRIBED: usize = 10;

/// Scenarios between two lines of progress when there is no bar.
const LOGGED_EVERY: u64 = 200;

/// Shows the progress and the result of a run.
pub struct Terminal<'a> {
    ledger: &'a Ledger,
    /// The arguments that name the router on the command line.
    router: String,
    bar: ProgressBar,
    began: Instant,
    bad: usize,
    described: usize,
}

impl<'a> Terminal<'a> {
    /// Shows progress on standard error: a bar on a terminal, otherwise lines.
    pub fn new(ledger: &'a Ledger, router: String) -> Self {
        let target = if io::stderr().is_terminal() {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(None, target);
        let style = ProgressStyle::with_template("{elapsed:>4} [{bar:30}] {pos}/{len} {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
        Self { ledger, router, bar, began: Instant::now(), bad: 0, described: 0 }
    }

    /// Handles an event.
    pub fn tell(&mut self, event: Event<'_>) {
        match event {
            Event::Began { cases, .. } => self.bar.set_length(cases as u64),
            Event::Started { .. } => {}
            Event::Finished { case, verdict, .. } => {
                if is_bad(verdict.outcome.word()) {
                    self.bad += 1;
                    // The summary groups scenarios that could not run by reason.
                    if self.described < DESCRIBED
                        && !matches!(verdict.outcome, Outcome::CouldNotRun(_))
                    {
                        self.described += 1;
                        let text = describe(case, &verdict, self.ledger, &self.router);
                        self.bar.suspend(|| eprintln!("{} {text}", mark(verdict.outcome.word())));
                    }
                }
                self.bar.set_message(if self.bad == 0 {
                    String::new()
                } else {
                    format!("{} not passed", self.bad)
                });
                self.bar.inc(1);
                self.log_progress();
            }
        }
    }

    /// Without a bar, a line from time to time shows the progress.
    fn log_progress(&self) {
        let (done, all) = (self.bar.position(), self.bar.length().unwrap_or_default());
        if self.bar.is_hidden() && done.is_multiple_of(LOGGED_EVERY) && done < all {
            eprintln!(
                "{done} of {all} scenarios, {} not passed, {}",
                self.bad,
                seconds(self.began.elapsed())
            );
        }
    }

    /// Removes the progress bar.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// Writes the summary: outcomes by profile and feature, then the scenarios that did not pass.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written.
    pub fn summary(&self, record: &RunRecord, out: &mut dyn Write) -> io::Result<()> {
        self.clear();
        for profile in &record.profiles {
            let mut features: BTreeMap<(&str, &str), Counts> = BTreeMap::new();
            for case in record.scenarios.iter().filter(|case| case.profile == profile.profile) {
                features.entry((&case.file, &case.feature)).or_default().add(&case.outcome.word);
            }
            if features.is_empty() {
                continue;
            }
            let mut all = Counts::default();
            features.values().for_each(|counts| all.merge(counts));
            writeln!(out, "\n{}: {} ({all})", profile.profile, profile.verdict)?;
            for ((file, feature), counts) in &features {
                writeln!(out, "  {:<9} {feature}  ({file})", counts.short())?;
            }
        }
        let could_not_run = |case: &&CaseRecord| case.outcome.word == "could not run";
        let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
        for case in record.scenarios.iter().filter(could_not_run) {
            *reasons.entry(case.outcome.reason.as_deref().unwrap_or_default()).or_default() += 1;
        }
        if !reasons.is_empty() {
            writeln!(out, "\ncould not run:")?;
            for (why, count) in reasons {
                writeln!(out, "  {count:>4}  {why}")?;
            }
        }
        let not_passed = |case: &&CaseRecord| is_bad(&case.outcome.word) && !could_not_run(case);
        let bad: Vec<_> = record.scenarios.iter().filter(not_passed).collect();
        if !bad.is_empty() {
            writeln!(out, "\nnot passed:")?;
            for case in &bad {
                let ids: Vec<_> =
                    case.findings.iter().map(|found| found.requirement.as_str()).collect();
                let (mark, ids) = (mark(&case.outcome.word), ids.join(" "));
                writeln!(out, "  {mark:<13} {} {ids}", case.name)?;
            }
        }
        let mut all = Counts::default();
        record.scenarios.iter().for_each(|case| all.add(&case.outcome.word));
        let count = count(record.scenarios.len(), "scenario");
        let took = Duration::from_millis(record.run.took_ms);
        writeln!(out, "\n{count} in {}: {all}", seconds(took))
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

fn is_bad(outcome: &str) -> bool {
    !matches!(outcome, "passed" | "not applicable" | "known failure" | "not run")
}

/// An outcome as it stands before a scenario's name.
fn mark(outcome: &str) -> String {
    match outcome {
        "passed" | "known failure" | "not applicable" | "not run" => outcome.to_owned(),
        "warned" => "WARNING".to_owned(),
        bad => bad.to_uppercase(),
    }
}

/// The number of scenarios of each outcome.
#[derive(Default)]
struct Counts {
    passed: usize,
    others: BTreeMap<String, usize>,
}

impl Counts {
    fn add(&mut self, outcome: &str) {
        match outcome {
            "passed" => self.passed += 1,
            other => *self.others.entry(mark(other)).or_default() += 1,
        }
    }

    fn merge(&mut self, other: &Self) {
        self.passed += other.passed;
        for (mark, count) in &other.others {
            *self.others.entry(mark.clone()).or_default() += count;
        }
    }

    fn short(&self) -> String {
        let applicable = self.others.iter().filter(|(mark, _)| *mark != "not applicable");
        let others: usize = applicable.map(|(_, count)| count).sum();
        format!("{}/{}", self.passed, self.passed + others)
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} passed", self.passed)?;
        self.others
            .iter()
            .try_for_each(|(mark, count)| write!(f, ", {count} {}", mark.to_lowercase()))
    }
}
