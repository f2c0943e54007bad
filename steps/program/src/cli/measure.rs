//! `cells-conformance measure`: what a router holds, and what its times reveal.
//!
//! Here is what the measurements have in common: the router and the protocols that they measure, and
//! what they say where there is no result.

mod memory;
mod privacy;
mod soak;

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use cell_fleet::Protocol;
use clap::{Args, Subcommand};

use crate::cli::output::{Ended, Failed, stop_on_signals};
use crate::cli::subject::WhichRouter;
use crate::cli::values::one_of;
use conformance_laboratory::measurement::NotMeasured;
use conformance_suite::engine::claims::Claims;
use conformance_suite::engine::{Conclusion, Subject, counted};
use conformance_suite::stage::Launch;
use conformance_suite::standard_streams::write_part;

/// Measure memory, a long time under load, and what the times of 404 reveal
#[derive(Debug, Subcommand)]
pub(super) enum Measure {
    Memory(memory::Memory),
    Soak(soak::Soak),
    Privacy(privacy::Privacy),
}

impl Measure {
    pub(super) fn execute(&self) -> Ended {
        match self {
            Self::Memory(command) => command.execute(),
            Self::Soak(command) => command.execute(),
            Self::Privacy(command) => command.execute(),
        }
    }
}

/// The options that say what is measured.
#[derive(Debug, Args)]
pub(super) struct WhatToMeasure {
    #[command(flatten)]
    router: WhichRouter,
    /// Only in this protocol; without it, in those that the router claims
    #[arg(long, value_parser = one_of(&Protocol::ALL))]
    protocol: Option<Protocol>,
}

#[derive(Debug)]
pub(super) struct Measurement {
    pub(super) subject: Subject,
    /// How it is launched. A signal, or the end of the output, stops it.
    pub(super) launch: Launch,
    pub(super) protocols: Vec<Protocol>,
}

impl WhatToMeasure {
    pub(super) fn measurement(&self) -> Result<Measurement, String> {
        let subject = self.router.subject()?;
        if subject.is_shared() {
            return Err("a router that runs already cannot be measured, since each measurement \
                        starts a cold one; give it a command or a router file"
                .to_owned());
        }
        let protocols = protocols(self.protocol, &subject.claims)?;
        let launch = Launch { stop: stop_on_signals(), ..subject.launch(1) };
        Ok(Measurement { subject, launch, protocols })
    }
}

/// The protocols to measure or explore: the named one, otherwise all that the router claims.
pub(super) fn protocols(named: Option<Protocol>, claims: &Claims) -> Result<Vec<Protocol>, String> {
    let both = Protocol::ALL;
    let claimed: Vec<_> = both.into_iter().filter(|protocol| claims.allow(*protocol)).collect();
    let Some(named) = named else { return Ok(claimed) };
    if claimed.contains(&named) {
        return Ok(vec![named]);
    }
    let names: Vec<_> = claimed.iter().map(|protocol| protocol.as_str()).collect();
    Err(format!(
        "`--protocol {}`: the router file claims {} alone; add the protocol to its `protocols`, or \
         leave the option out",
        named.as_str(),
        names.join(" and ")
    ))
}

/// Hears how far the measurement of a protocol is, and says it on standard error with the time since
/// it began.
pub(super) fn progress(protocol: Protocol) -> impl Fn(&str) {
    let began = Instant::now();
    move |line| eprintln!("{}, {} s: {line}", protocol.as_str(), began.elapsed().as_secs())
}

/// The conclusion of a measurement in words: a good one proves no conformance.
fn conclusion_line(conclusion: Conclusion) -> String {
    let words = match conclusion {
        Conclusion::Conformant => Conclusion::NoFailure.to_string(),
        Conclusion::ConformantBut(known) => {
            let known = counted(known, "known failure");
            format!("{} but for {known}", Conclusion::NoFailure)
        }
        other => other.to_string(),
    };
    format!("conclusion: {words}")
}

/// Makes measurements in order, one at a time, each on its own runtime. Shows each on standard
/// output, and concludes: the worst decides, and without any conclusion the whole is incomplete.
pub(super) fn show_each<T, R>(
    what: &[T],
    launch: &Launch,
    protocol: impl Fn(&T) -> Protocol,
    claims: &Claims,
    measure: impl AsyncFn(&T) -> Result<R, NotMeasured>,
    show: impl Fn(&T, &R, &mut dyn Write) -> io::Result<()>,
    conclude: impl Fn(&R) -> Conclusion,
) -> Ended {
    let stop = &launch.stop;
    let measured = |one: &T| {
        if let Some(reason) = stop.reason() {
            return Err(NotMeasured::Stopped(reason));
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| format!("no runtime: {error}"))?;
        catch_unwind(AssertUnwindSafe(|| runtime.block_on(measure(one))))
            .unwrap_or_else(|_| Err("it panicked; see standard error".to_owned().into()))
    };
    let mut worst = None;
    for one in what {
        let means = match &measured(one) {
            Ok(result) => {
                write_part(|out| show(one, result, out)).map_err(Failed::NotWritten)?;
                Some(conclude(result))
            }
            Err(why) => tell_why(protocol(one), why, claims),
        };
        worst = worst.max(means);
        // After a fault of the suite, no further measurement can be trusted.
        if means == Some(Conclusion::SuiteFault) {
            break;
        }
    }
    let mut conclusion = worst.unwrap_or(Conclusion::Incomplete);
    if let Some(reason) = stop.reason() {
        eprintln!("ended early: {reason}");
        // What it found stays what it is; otherwise the rest is not known.
        if conclusion < Conclusion::NotConformant {
            conclusion = Conclusion::Incomplete;
        }
    }
    write_part(|out| writeln!(out, "\n{}", conclusion_line(conclusion)))
        .map_err(Failed::NotWritten)?;
    Ok(conclusion.exit_code())
}

/// Says on standard error why there is no result for a protocol, and returns what it means.
///
/// A router that refuses a protocol need not follow it, unless its claims name the protocol.
fn tell_why(protocol: Protocol, why: &NotMeasured, claims: &Claims) -> Option<Conclusion> {
    let name = protocol.as_str();
    if matches!(why, NotMeasured::NotFollowed(_)) && claims.protocols.is_some() {
        eprintln!("{name}: {why}, but the router file claims it");
        return Some(Conclusion::NotConformant);
    }
    eprintln!("{name}: {why}");
    why.conclusion()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_protocol_contradicts_a_claim_and_nothing_else() {
        let why = NotMeasured::NotFollowed("the router does not follow it".to_owned());
        assert_eq!(tell_why(Protocol::Learning, &why, &Claims::default()), None);
        let claiming = Claims { protocols: Some(vec![Protocol::Learning]), ..Claims::default() };
        let contradicted = Some(Conclusion::NotConformant);
        assert_eq!(tell_why(Protocol::Learning, &why, &claiming), contradicted);
    }
}
