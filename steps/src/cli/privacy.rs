//! `cells-conformance privacy`: whether the time of a 404 gives a private place away.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;

use super::fleet::ProtocolName;
use super::subject::WhichRouter;
use super::{concluded, usage_error};
use crate::launch::launch;
use crate::privacy::{FALSE_ALARM, Finding, GAP, MARGIN, Trial, measure};
use crate::router_file::Capability;
use crate::stage::{Launch, RouterCommand, Routers};
use crate::suite::Conclusion;

/// Measures whether the time of a 404 tells a private place from a missing one (PR-03, PR-05,
/// Z-27).
#[derive(Debug, Args)]
pub(super) struct Privacy {
    #[command(flatten)]
    router: WhichRouter,
    /// Only this protocol; both where none is given
    #[arg(long, value_enum)]
    protocol: Option<ProtocolName>,
    /// Samples for each place of each situation
    #[arg(long, value_name = "N", default_value_t = 8_000)]
    samples: usize,
    /// The longest delay of a 404, in milliseconds, for a router that claims `not-found-delay`
    #[arg(long, value_name = "MS", default_value_t = 500)]
    delay_ms: u64,
    /// How many visitors there are at once
    #[arg(long, value_name = "N", default_value_t = 200)]
    visitors: usize,
    /// Leave out the comparison without a delay
    #[arg(long)]
    only_delayed: bool,
}

impl Privacy {
    pub(super) fn execute(&self) -> ExitCode {
        if self.samples == 0 || self.visitors == 0 {
            return usage_error("nothing to measure: `--samples` and `--visitors` are at least 1");
        }
        let subject = match self.router.subject() {
            Ok(subject) => subject,
            Err(why) => return usage_error(&why),
        };
        let Routers::Started(command) = &subject.routers else {
            return usage_error(
                "the measurement starts routers, each round a cold one; give it a command or a router file",
            );
        };
        let delays = subject.claims(Capability::NotFoundDelay) || self.only_delayed;
        concluded(self.measure_all(command, delays))
    }

    fn measure_all(&self, command: &RouterCommand, delays: bool) -> Result<Conclusion, String> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| error.to_string())?;
        let launch = launch(command.clone(), 1);
        let mut conclusion = Conclusion::Conformant;
        for protocol in ProtocolName::or_both(self.protocol) {
            let without = (!self.only_delayed).then_some(Duration::ZERO);
            let with = delays.then_some(Duration::from_millis(self.delay_ms));
            for delay in without.into_iter().chain(with) {
                let trial =
                    Trial { protocol, samples: self.samples, delay, visitors: self.visitors };
                let finding = runtime.block_on(self.measure(&trial, &launch))?;
                show(&trial, &finding).map_err(|error| format!("standard output: {error}"))?;
                let one = match (finding.holds(), finding.is_sure()) {
                    (true, true) => Conclusion::Conformant,
                    (false, true) => Conclusion::NotConformant,
                    (_, false) => Conclusion::Incomplete,
                };
                conclusion = conclusion.max(one);
            }
            if !delays {
                println_out("No delay was measured: the router does not claim not-found-delay.")?;
            }
        }
        Ok(conclusion)
    }

    async fn measure(&self, trial: &Trial, launch: &Launch) -> Result<Finding, String> {
        let name = trial.protocol.as_str();
        let delay = if trial.delay.is_zero() {
            "no delay".to_owned()
        } else {
            format!("delays up to {:?}", trial.delay)
        };
        measure(trial, launch, &mut |done, of| eprintln!("{name}, {delay}: {done} of {of}")).await
    }
}

fn println_out(line: &str) -> Result<(), String> {
    writeln!(io::stdout().lock(), "{line}").map_err(|error| format!("standard output: {error}"))
}

fn show(trial: &Trial, finding: &Finding) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let samples = trial.samples;
    if trial.delay.is_zero() {
        writeln!(
            out,
            "\n{}, no delay: two projects of one group, a private and a missing one",
            trial.protocol.as_str()
        )?;
        writeln!(out, "the best guess may be right in 0.5 + {MARGIN} of the cases")?;
    } else {
        writeln!(
            out,
            "\n{}, 404s delayed by up to D = {:?}: a private place, and one of a group that does not exist",
            trial.protocol.as_str(),
            trial.delay
        )?;
        writeln!(
            out,
            "the best guess may be right in 0.5 + {GAP:?}/(2 D) + {MARGIN} of the cases"
        )?;
    }
    writeln!(
        out,
        "{samples} samples a place and situation; a false alarm has a probability of at most {:.1e}",
        finding.false_alarm
    )?;
    writeln!(
        out,
        "  {:<32} {:>10} {:>10} {:>7} {:>7}",
        "situation", "private", "missing", "guess", "at most"
    )?;
    for one in &finding.comparisons {
        let millis = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1e3);
        let (private, missing) = (millis(one.medians.0), millis(one.medians.1));
        let mark = if one.holds() { "" } else { "  too good" };
        writeln!(
            out,
            "  {:<32} {private:>10} {missing:>10} {:>7.3} {:>7.3}{mark}",
            one.situation, one.guess, one.bound
        )?;
    }
    for unlike in &finding.unlike {
        writeln!(out, "  not alike: {unlike}")?;
    }
    let (refused, page) = finding.cost;
    writeln!(out, "  a 404 took {refused:.1?} on average, a page {page:.1?}")?;
    match (finding.holds(), finding.is_sure()) {
        (true, true) => writeln!(out, "nothing tells the places apart"),
        (false, true) => writeln!(out, "the places can be told apart (PR-03, Z-27)"),
        (_, false) => writeln!(
            out,
            "no verdict: with this sample a false alarm is likelier than {FALSE_ALARM:.0e}"
        ),
    }
}
