//! Benchmark: the time of one scenario (start, run, stop) and of the whole suite. It fails only if
//! a scenario does not pass.
//!
//! `cargo bench -p cells-conformance`
#![expect(clippy::print_stdout, reason = "a benchmark prints its results")]

use std::process::ExitCode;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use conformance_suite::catalog::Catalog;
use conformance_suite::engine::{Conclusion, run_all};
use conformance_suite::ledger::Ledger;
use conformance_suite::router_file::reference_claims;
use conformance_suite::stage::{launch, reference_router};

/// Number of runs of the one scenario.
const TIMES: usize = 200;

fn main() -> ExitCode {
    let launch = launch(reference_router(env!("CARGO_BIN_EXE_cells-conformance").into()), 1);
    let ledger = Ledger::embedded();
    let mut catalog = Catalog::embedded();
    // What the router does not claim it need not pass.
    catalog.cases.retain(|case| reference_claims(case.capability()));
    let cores = available_parallelism().map_or(1, usize::from);
    println!("{cores} cores, {} scenarios", catalog.cases.len());

    let Some(case) = catalog.cases.iter().find(|case| case.needs().router) else {
        return ExitCode::FAILURE;
    };
    let one = vec![case.clone(); TIMES];
    let ended = run_all(&one, &launch, ledger, 1, |_| {});
    let mut times: Vec<Duration> = ended.iter().map(|one| one.took).collect();
    times.sort();
    println!("one scenario, {TIMES} times, one job: {}", case.name);
    println!(
        "  median {:?}, 95th percentile {:?}, longest {:?}",
        times[TIMES / 2],
        times[TIMES * 95 / 100],
        times[TIMES - 1]
    );

    for jobs in [1, cores, 2 * cores, 4 * cores] {
        let began = Instant::now();
        let ended = run_all(&catalog.cases, &launch, ledger, jobs, |_| {});
        println!("whole suite, {jobs} parallel jobs: {:?}", began.elapsed());
        if Conclusion::of(ended.iter().map(|one| one.verdict.outcome.word()))
            != Conclusion::Conformant
        {
            eprintln!("a scenario did not pass; `cells-conformance run` shows which");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
