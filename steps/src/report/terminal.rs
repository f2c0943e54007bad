//! Progress and summary on a terminal.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{describe, profile_verdict};
use crate::ledger::{Ledger, Profile};
use crate::suite::{Ended, Event};
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
            Event::Began { cases } => self.bar.set_length(cases as u64),
            Event::Started { .. } => {}
            Event::Finished { case, verdict, .. } => {
                if is_bad(&verdict.outcome) {
                    self.bad += 1;
                    // The summary groups scenarios that could not run by reason.
                    if self.described < DESCRIBED
                        && !matches!(verdict.outcome, Outcome::CouldNotRun(_))
                    {
                        self.described += 1;
                        let text = describe(case, &verdict, self.ledger, &self.router);
                        self.bar.suspend(|| eprintln!("{} {text}", word(&verdict.outcome)));
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
    /// If standard output cannot be written.
    pub fn summary(&self, ended: &[Ended<'_>]) -> io::Result<()> {
        self.clear();
        let mut out = io::stdout().lock();
        for profile in Profile::ALL {
            let mut features: BTreeMap<(&str, &str), Counts> = BTreeMap::new();
            for one in ended.iter().filter(|one| one.case.profile(self.ledger) == profile) {
                features
                    .entry((&one.case.file, &one.case.feature))
                    .or_default()
                    .add(&one.verdict.outcome);
            }
            if features.is_empty() {
                continue;
            }
            let mut all = Counts::default();
            features.values().for_each(|counts| all.merge(counts));
            let verdict = profile_verdict(profile, ended, self.ledger).verdict;
            writeln!(out, "\n{profile}: {verdict} ({all})")?;
            for ((file, feature), counts) in &features {
                writeln!(out, "  {:<9} {feature}  ({file})", counts.short())?;
            }
        }
        let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
        for one in ended {
            if let Outcome::CouldNotRun(why) = &one.verdict.outcome {
                *reasons.entry(why).or_default() += 1;
            }
        }
        if !reasons.is_empty() {
            writeln!(out, "\ncould not run:")?;
            for (why, count) in reasons {
                writeln!(out, "  {count:>4}  {why}")?;
            }
        }
        let could_run = |one: &&Ended<'_>| !matches!(one.verdict.outcome, Outcome::CouldNotRun(_));
        let bad: Vec<_> =
            ended.iter().filter(|one| is_bad(&one.verdict.outcome)).filter(could_run).collect();
        if !bad.is_empty() {
            writeln!(out, "\nnot passed:")?;
            for one in &bad {
                let ids: Vec<_> = one
                    .verdict
                    .findings
                    .iter()
                    .map(|finding| finding.requirement.to_string())
                    .collect();
                writeln!(
                    out,
                    "  {:<13} {} {}",
                    word(&one.verdict.outcome),
                    one.case.name,
                    ids.join(" ")
                )?;
            }
        }
        let mut all = Counts::default();
        ended.iter().for_each(|one| all.add(&one.verdict.outcome));
        writeln!(out, "\n{} scenarios in {}: {all}", ended.len(), seconds(self.began.elapsed()))
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

fn is_bad(outcome: &Outcome) -> bool {
    !matches!(outcome, Outcome::Passed | Outcome::NotApplicable(_) | Outcome::KnownFailure { .. })
}

fn word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "passed",
        Outcome::Warned => "WARNING",
        Outcome::Failed => "FAILED",
        Outcome::KnownFailure { .. } => "known failure",
        Outcome::NotApplicable(_) => "not applicable",
        Outcome::CouldNotRun(_) => "COULD NOT RUN",
        Outcome::SuiteError(_) => "SUITE ERROR",
    }
}

/// The number of scenarios of each outcome.
#[derive(Default)]
struct Counts {
    passed: usize,
    others: BTreeMap<&'static str, usize>,
}

impl Counts {
    fn add(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Passed => self.passed += 1,
            other => *self.others.entry(word(other)).or_default() += 1,
        }
    }

    fn merge(&mut self, other: &Self) {
        self.passed += other.passed;
        for (word, count) in &other.others {
            *self.others.entry(word).or_default() += count;
        }
    }

    fn short(&self) -> String {
        let not_applicable = word(&Outcome::NotApplicable(String::new()));
        let others: usize = self
            .others
            .iter()
            .filter(|(word, _)| **word != not_applicable)
            .map(|(_, count)| count)
            .sum();
        format!("{}/{}", self.passed, self.passed + others)
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} passed", self.passed)?;
        self.others
            .iter()
            .try_for_each(|(word, count)| write!(f, ", {count} {}", word.to_lowercase()))
    }
}
