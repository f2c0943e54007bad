//! `cells-conformance measure soak`: a router under a steady load while cells stop, hang, reset and
//! move.

use std::io::{self, Write};
use std::time::Duration;

use cell_fleet::Protocol;
use clap::Args;

use super::{Measurement, WhatToMeasure, progress, show_each};
use crate::cli::output::Ended;
use crate::cli::values::some_time;
use conformance_laboratory::soak::{Soaked, soak};
use conformance_suite::catalog::Catalog;
use conformance_suite::report::{Screen, sentence};

/// Soak a router: a steady load while cells stop, hang, reset and move
#[derive(Debug, Args)]
pub(in crate::cli) struct Soak {
    #[command(flatten)]
    what: WhatToMeasure,
    /// How long the load lasts for each protocol, like 90s or 10m. The highest load is also
    /// measured (10 s), and the router has time to let go, twice (up to 90 s each)
    #[arg(long = "for", value_name = "TIME", default_value = "10m", value_parser = some_time)]
    length: Duration,
}

impl Soak {
    pub(super) fn execute(&self) -> Ended {
        let Measurement { subject, launch, protocols } = self.what.measurement()?;
        let catalog = Catalog::embedded();
        show_each(
            &protocols,
            &launch,
            |protocol| *protocol,
            &subject.claims,
            async |protocol| {
                let known = subject.claims.known_requirements(&catalog.cases, *protocol);
                soak(*protocol, self.length, &launch, known, &progress(*protocol)).await
            },
            |protocol, soaked, out| show(*protocol, soaked, out),
            Soaked::conclusion,
        )
    }
}

fn show(protocol: Protocol, soaked: &Soaked, out: &mut dyn Write) -> io::Result<()> {
    let Soaked { highest, events, took, got, before, most, first, after, is_stopped: _ } = soaked;
    let screen = Screen::stdout();
    writeln!(out, "\n{}, {} s", protocol.as_str(), took.as_secs())?;
    writeln!(out, "  highest load      {highest:.0} requests a second; a third kept up")?;
    writeln!(out, "  trouble           {events} times: cells gone, or a move")?;
    writeln!(out, "  right             {}", got.right)?;
    writeln!(out, "  refused           {}, as the trouble explains", got.refused)?;
    writeln!(out, "  wrong             {}", got.wrong)?;
    for (id, count) in &got.known {
        writeln!(out, "  known             {count}, {id}: the router file lists it")?;
    }
    writeln!(out, "  longest response  {:.1} s", got.longest.as_secs_f64())?;
    writeln!(out, "  held before       {before}")?;
    writeln!(out, "  held at most      {most}")?;
    writeln!(out, "  after a fifth     {first}")?;
    writeln!(out, "  held after        {after}")?;
    if !got.serves() {
        let why = "FAILED: no more responses are right than wrong: the router does not serve, \
                   which no known failure excuses";
        writeln!(out, "{}", sentence(why, &screen))?;
    }
    for failure in got.failures() {
        writeln!(out, "{}", sentence(&format!("FAILED: {failure}"), &screen))?;
    }
    match (soaked.in_proportion(), soaked.kept()) {
        (Some(grows), _) => {
            let why =
                format!("IN PROPORTION to the time: before, after a fifth, in the end {grows}");
            writeln!(out, "{}", sentence(&why, &screen))
        }
        (None, Some(kept)) => {
            let why = format!("warning: it holds {kept}, but not in proportion to the time");
            writeln!(out, "{}", sentence(&why, &screen))
        }
        (None, None) => Ok(()),
    }
}
