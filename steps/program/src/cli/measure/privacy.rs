//! `cells-conformance measure privacy`: whether 404 timing reveals private projects.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use cell_fleet::Protocol;
use clap::Args;

use super::{Measurement, WhatToMeasure, show_each};
use crate::cli::output::{Ended, Failed};
use conformance_laboratory::privacy::{
    FALSE_ALARM, GAP, MARGIN, SHORTEST_DELAY, Trial, TrialResult, measure,
};
use conformance_suite::router_file::Capability;

/// Measure whether 404 timing reveals private projects
///
/// It takes about two minutes for each protocol without a delay, and as long with one, at 8,000
/// samples.
#[derive(Debug, Args)]
pub(in crate::cli) struct Privacy {
    #[command(flatten)]
    what: WhatToMeasure,
    /// Samples of each kind of project in each situation
    #[arg(long, value_name = "N", default_value_t = 8_000)]
    samples: usize,
    /// Longest delay of a 404 in milliseconds, for a router that claims `not-found-delay`
    #[arg(long, value_name = "MS", default_value_t = 500)]
    delay_ms: u64,
    /// Skip the trials without a delay
    #[arg(long)]
    only_delayed: bool,
}

impl Privacy {
    pub(super) fn execute(&self) -> Ended {
        if self.samples == 0 {
            return Err(Failed::Usage("nothing to measure: `--samples 0`".to_owned()));
        }
        if Duration::from_millis(self.delay_ms) <= SHORTEST_DELAY {
            return Err(Failed::Usage(format!(
                "`--delay-ms {}`: no verdict is possible; a delay must be longer than \
                 {SHORTEST_DELAY:?} to hide a hop to another region ({GAP:?}), and longer still to \
                 do so surely",
                self.delay_ms
            )));
        }
        let Measurement { subject, launch, protocols } = self.what.measurement()?;
        let delays = subject.claims(Capability::NotFoundDelay) || self.only_delayed;
        let trials = self.trials(&protocols, delays);
        let began = Instant::now();
        let ended = show_each(
            &trials,
            &launch,
            |trial| trial.protocol,
            &subject.claims,
            async |trial| {
                let (protocol, delay) = (trial.protocol.as_str(), delay_in_words(trial));
                let progress = |done, of| {
                    let seconds = began.elapsed().as_secs();
                    eprintln!("{protocol}, {delay}: {done} of {of} samples, {seconds} s");
                };
                measure(trial, &launch, progress).await
            },
            show,
            TrialResult::conclusion,
        );
        if ended.is_ok() && !delays {
            eprintln!("no trial with a delay: the router does not claim not-found-delay");
        }
        ended
    }

    fn trials(&self, protocols: &[Protocol], delays: bool) -> Vec<Trial> {
        let without = (!self.only_delayed).then_some(Duration::ZERO);
        let with = delays.then_some(Duration::from_millis(self.delay_ms));
        let delays: Vec<_> = without.into_iter().chain(with).collect();
        let of_protocol = |protocol| {
            delays.iter().map(move |delay| Trial { protocol, samples: self.samples, delay: *delay })
        };
        protocols.iter().copied().flat_map(of_protocol).collect()
    }
}

fn delay_in_words(trial: &Trial) -> String {
    if trial.delay.is_zero() {
        "no delay".to_owned()
    } else {
        format!("delays up to {:?}", trial.delay)
    }
}

fn show(trial: &Trial, result: &TrialResult, out: &mut dyn Write) -> io::Result<()> {
    let (protocol, samples) = (trial.protocol.as_str(), result.samples);
    if trial.delay.is_zero() {
        writeln!(out, "\n{protocol}, no delay: a private and a missing project of one group")?;
        writeln!(out, "the best guess may be right in 0.5 + {MARGIN} of the cases")?;
    } else {
        let delay = trial.delay;
        writeln!(
            out,
            "\n{protocol}, 404s delayed by up to D = {delay:?}: a private project, and a missing \
             one of a group that does not exist",
        )?;
        writeln!(
            out,
            "the best guess may be right in 0.5 + {GAP:?}/(2 D) + {MARGIN} of the cases"
        )?;
    }
    writeln!(
        out,
        "{samples} samples of each kind and situation; the probability of a false alarm is at most \
         {:.1e}",
        result.false_alarm
    )?;
    writeln!(
        out,
        "  {:<32} {:>10} {:>10} {:>7} {:>7}",
        "situation", "private", "missing", "guess", "at most"
    )?;
    for one in &result.comparisons {
        let millis = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1e3);
        let (private, missing) = (millis(one.medians.0), millis(one.medians.1));
        let mark = if one.holds() { "" } else { "  TOO GOOD" };
        writeln!(
            out,
            "  {:<32} {private:>10} {missing:>10} {:>7.3} {:>7.3}{mark}",
            one.situation, one.guess, one.bound
        )?;
    }
    for unlike in &result.unlike {
        writeln!(out, "  a response differs: {unlike}")?;
    }
    let (refused, page) = result.cost;
    writeln!(out, "  mean time of a 404: {refused:.1?}, of a page: {page:.1?}")?;
    match (result.holds(), result.is_sure()) {
        (true, true) => writeln!(out, "404s do not reveal private projects"),
        (false, true) => writeln!(out, "404s reveal private projects (PR-03, Z-27)"),
        (_, false) => writeln!(
            out,
            "no verdict: with so few samples a false alarm is likelier than {FALSE_ALARM:.0e}; \
             raise `--samples`"
        ),
    }
}
