//! `cells-conformance memory`: what a router needs while large bodies pass and many prefixes are
//! learnt.

use std::io::{self, Write};
use std::process::ExitCode;

use cell_fleet::Protocol;
use clap::Args;

use super::fleet::ProtocolName;
use super::subject::WhichRouter;
use super::{concluded, usage_error};
use crate::launch::launch;
use crate::memory::{Load, Measured, measure};
use crate::stage::{Launch, Routers};
use crate::suite::Conclusion;

/// Measures a router's memory under large bodies and many prefixes (Z-20, Z-25).
#[derive(Debug, Args)]
pub(super) struct Memory {
    #[command(flatten)]
    router: WhichRouter,
    /// Only this protocol; both where none is given
    #[arg(long, value_enum)]
    protocol: Option<ProtocolName>,
    /// Size of a body in MiB
    #[arg(long, value_name = "N", default_value_t = 1_024)]
    mebibytes: u64,
    /// Places under different prefixes
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    prefixes: u64,
    /// The router's `max_entries`
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    max_entries: u64,
}

impl Memory {
    pub(super) fn execute(&self) -> ExitCode {
        let subject = match self.router.subject() {
            Ok(subject) => subject,
            Err(why) => return usage_error(&why),
        };
        let Routers::Started(command) = &subject.routers else {
            return usage_error(
                "the memory of a router that runs already is not known; give its command or a router file",
            );
        };
        concluded(self.measure_all(&launch(command.clone(), 1)))
    }

    fn measure_all(&self, launch: &Launch) -> Result<Conclusion, String> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| error.to_string())?;
        let mut conclusion = Conclusion::Conformant;
        for protocol in ProtocolName::or_both(self.protocol) {
            let load = Load {
                protocol,
                bytes: self.mebibytes << 20,
                prefixes: self.prefixes,
                max_entries: self.max_entries,
            };
            let measured = runtime.block_on(measure(load, launch))?;
            show(protocol, &measured).map_err(|error| format!("standard output: {error}"))?;
            if !measured.iter().all(Measured::holds) {
                conclusion = Conclusion::NotConformant;
            }
        }
        Ok(conclusion)
    }
}

fn show(protocol: Protocol, measured: &[Measured]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let mebibytes = |bytes: u64| format!("{} MiB", bytes.div_ceil(1 << 20));
    writeln!(out, "\n{}", protocol.as_str())?;
    writeln!(out, "  {:>8} {:>8} {:>8} {:>9}", "before", "peak", "after", "growth")?;
    for one in measured {
        let (before, peak, after) =
            (mebibytes(one.used.before), mebibytes(one.used.peak), mebibytes(one.used.after));
        let (growth, allowed) = (mebibytes(one.used.growth()), mebibytes(one.allowed));
        let mark = if one.holds() { "" } else { "  NOT SO" };
        writeln!(
            out,
            "  {before:>8} {peak:>8} {after:>8} {growth:>9} of at most {allowed}: {}{mark}",
            one.what
        )?;
        for fault in &one.faults {
            writeln!(out, "      {fault}")?;
        }
    }
    Ok(())
}
