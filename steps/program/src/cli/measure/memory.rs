//! `cells-conformance measure memory`: a router's memory under large bodies and many prefixes.

use std::io::{self, Write};

use cell_fleet::Protocol;
use clap::Args;

use super::{Measurement, WhatToMeasure, progress, show_each};
use crate::cli::output::Ended;
use conformance_laboratory::memory::{Load, Measured, Used, measure};
use conformance_suite::report::{Screen, sentence};

/// Measure the memory of a router under large bodies and many learned prefixes
///
/// It takes 15 s to three minutes for each protocol. While a body passes, nobody reads it until the
/// router's memory has not grown for a second (60 s at most).
#[derive(Debug, Args)]
pub(in crate::cli) struct Memory {
    #[command(flatten)]
    what: WhatToMeasure,
    /// Size of a body in MiB
    #[arg(long, value_name = "N", default_value_t = 1_024)]
    mebibytes: u64,
    /// Number of paths to learn, each under its own prefix
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    prefixes: u64,
}

impl Memory {
    pub(super) fn execute(&self) -> Ended {
        let Measurement { subject, launch, protocols } = self.what.measurement()?;
        let load = |protocol: &Protocol| Load {
            protocol: *protocol,
            bytes: self.mebibytes << 20,
            prefixes: self.prefixes,
        };
        show_each(
            &protocols,
            &launch,
            |protocol| *protocol,
            &subject.claims,
            async |protocol| measure(load(protocol), &launch, &progress(*protocol)).await,
            |protocol, measured, out| show(*protocol, measured, out),
            |measured| Measured::conclusion(measured),
        )
    }
}

fn show(protocol: Protocol, measured: &[Measured], out: &mut dyn Write) -> io::Result<()> {
    let mebibytes = |bytes: u64| bytes.div_ceil(1 << 20);
    let screen = Screen::stdout();
    writeln!(out, "\n{}: memory in MiB", protocol.as_str())?;
    writeln!(out, "{:>10}{:>12}{:>10}{:>10}", "before", "a quarter", "all", "after")?;
    for one in measured {
        let Used { before, peak, after } = one.used;
        writeln!(out, "{}", sentence(&one.what, &screen))?;
        writeln!(
            out,
            "{:>10}{:>12}{:>10}{:>10}",
            mebibytes(before),
            mebibytes(before + one.quarter),
            mebibytes(peak),
            mebibytes(after)
        )?;
        let mut notes: Vec<_> = one.failures.iter().map(|why| format!("FAILED: {why}")).collect();
        if one.is_in_proportion() {
            notes.push(format!(
                "IN PROPORTION: it grows by {} MiB under a quarter, and by {} MiB under all of it",
                mebibytes(one.quarter),
                mebibytes(one.used.growth())
            ));
        } else if one.is_much() {
            notes.push(format!(
                "warning: it grows by {} MiB, which is more than {}, but not in proportion",
                mebibytes(one.used.growth()),
                mebibytes(one.usual)
            ));
        }
        for note in notes.iter().chain(&one.note) {
            writeln!(out, "{}", sentence(note, &screen))?;
        }
    }
    Ok(())
}
