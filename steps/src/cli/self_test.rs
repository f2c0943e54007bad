//! `cells-conformance self-test`: the kill matrix.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use clap::{Args, ValueEnum};

use super::usage_error;
use crate::catalog::Catalog;
use crate::self_test::{
    Extent, Fare, MutantUnderTest, MutationRun, fare_of_degenerate, fare_of_variant, mutation_run,
    reference_failures, unbroken,
};
use crate::suite::{Conclusion, usual_jobs};

/// How many broken routers are hunted side by side. Most of the time is spent waiting for what they
/// never do, so this is no matter of cores.
const MUTATION_JOBS: usize = 6;

/// Runs the suite against broken routers, against routers that do not route, and against routers
/// that are correct but different.
#[derive(Debug, Args)]
pub(super) struct SelfTest {
    /// Names of defects and variants, or parts of them; everything where none is given
    names: Vec<String>,
    /// Only the scenarios that cite the requirement that a defect breaks, and one as a control
    #[arg(long)]
    quick: bool,
    /// Only this part (repeatable); all three where nothing is said, with names or `--quick` the
    /// matrix alone
    #[arg(long, value_enum, value_name = "PART")]
    only: Vec<Part>,
    /// Lists the defects and ends
    #[arg(long)]
    list: bool,
    /// How many scenarios run side by side
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
}

/// A part of the self-test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Part {
    /// Routers and cells with one defect each
    Matrix,
    /// Routers that do not route
    Baseline,
    /// Routers that are correct but different
    Variants,
}

/// Whether a name was asked for: by itself, by a part of it, or because all were.
fn is_named(names: &[String], name: &str) -> bool {
    names.is_empty() || names.iter().any(|wanted| name.contains(wanted.as_str()))
}

struct Bench {
    catalog: Catalog,
    program: PathBuf,
    jobs: usize,
    /// What went against the suite.
    complaints: Vec<String>,
}

impl SelfTest {
    pub(super) fn execute(&self) -> ExitCode {
        let mutants: Vec<_> = MutantUnderTest::routers()
            .chain(MutantUnderTest::cells())
            .filter(|mutant| is_named(&self.names, mutant.name))
            .collect();
        let any_variant = self.only.contains(&Part::Variants)
            && broken_routers::variants().iter().any(|variant| is_named(&self.names, variant.name));
        if mutants.is_empty() && !any_variant {
            return usage_error("no defect is named like that; `self-test --list` shows the names");
        }
        let outcome = if self.list { list(&mutants) } else { self.run(&mutants) };
        match outcome {
            Ok(conclusion) => conclusion.exit_code().into(),
            // A reader that has seen enough is no error.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Err(error) => usage_error(&format!("standard output: {error}")),
        }
    }

    fn run(&self, mutants: &[MutantUnderTest]) -> io::Result<Conclusion> {
        let jobs = self.jobs.unwrap_or_else(usual_jobs);
        let mut bench = Bench {
            catalog: Catalog::embedded(),
            program: std::env::current_exe()?,
            jobs,
            complaints: Vec::new(),
        };
        let discounted = reference_failures(&bench.catalog, &bench.program, jobs);
        bench.complaints.extend(
            discounted.iter().map(|name| format!("the reference router does not pass {name}")),
        );
        if self.does(Part::Matrix) {
            bench.matrix(
                mutants,
                if self.quick { Extent::Citing } else { Extent::Whole },
                &discounted,
            )?;
            if self.names.is_empty() {
                bench.complaints.extend(
                    unbroken(&bench.catalog)
                        .iter()
                        .map(|id| format!("{id} is tested, but nothing broken breaks it")),
                );
            }
        }
        if self.does(Part::Baseline) {
            bench.baseline()?;
        }
        if self.does(Part::Variants) {
            bench.variants(&self.names)?;
        }
        let mut out = io::stdout().lock();
        for complaint in &bench.complaints {
            writeln!(out, "  {complaint}")?;
        }
        Ok(if bench.complaints.is_empty() {
            Conclusion::Conformant
        } else {
            Conclusion::SuiteFault
        })
    }

    fn does(&self, part: Part) -> bool {
        if !self.only.is_empty() {
            return self.only.contains(&part);
        }
        part == Part::Matrix || (self.names.is_empty() && !self.quick)
    }
}

impl Bench {
    /// Each broken router is caught by the requirement that it breaks.
    fn matrix(
        &mut self,
        mutants: &[MutantUnderTest],
        extent: Extent,
        discounted: &BTreeSet<String>,
    ) -> io::Result<()> {
        let (next, (sender, receiver)) = (AtomicUsize::new(0), mpsc::channel());
        let (catalog, program, jobs) = (&self.catalog, &self.program, self.jobs);
        let mut caught = 0;
        let mut complaints = Vec::new();
        thread::scope(|scope| {
            for _ in 0..MUTATION_JOBS {
                let (next, sender) = (&next, sender.clone());
                scope.spawn(move || {
                    loop {
                        let place = next.fetch_add(1, Ordering::Relaxed);
                        let Some(mutant) = mutants.get(place) else { break };
                        // Nobody listens any more where writing failed.
                        if sender
                            .send((
                                place,
                                mutation_run(*mutant, catalog, program, extent, jobs, discounted),
                            ))
                            .is_err()
                        {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let (mut ended, mut place) = (BTreeMap::new(), 0);
            for (number, mutation_run) in receiver {
                ended.insert(number, mutation_run);
                // In the order of the list, whoever was first.
                while let Some(mutation_run) = ended.remove(&place) {
                    let mutant = &mutants[place];
                    if place == 0 || mutant.is_cell() != mutants[place - 1].is_cell() {
                        let kind = if mutant.is_cell() { "cells" } else { "routers" };
                        writeln!(
                            io::stdout(),
                            "\nbroken {kind}: what catches each, and what else fails\n"
                        )?;
                    }
                    writeln!(io::stdout(), "{}", row(&mutation_run))?;
                    caught += usize::from(mutation_run.is_caught());
                    if !mutation_run.is_caught() {
                        complaints.push(format!(
                            "survived: {} ({}): {}",
                            mutant.name, mutant.requirement, mutant.summary
                        ));
                    }
                    complaints.extend(
                        mutation_run
                            .suite_errors
                            .iter()
                            .map(|error| format!("suite error with {}: {error}", mutant.name)),
                    );
                    place += 1;
                }
            }
            io::Result::Ok(())
        })?;
        self.complaints.extend(complaints);
        writeln!(
            io::stdout(),
            "\n{} defects, {caught} caught, {} survived",
            mutants.len(),
            mutants.len() - caught
        )
    }

    /// Routers that do not route at all fail most of the core.
    fn baseline(&mut self) -> io::Result<()> {
        writeln!(
            io::stdout(),
            "\nnull baseline: core scenarios that routers fail which do not route\n"
        )?;
        for router in broken_routers::degenerate() {
            let Fare { core, core_failed, .. } =
                fare_of_degenerate(router, &self.catalog, &self.program, self.jobs);
            writeln!(io::stdout(), "  {:<32} {core_failed:>4} of {core}", router.name)?;
            if 2 * core_failed <= core {
                self.complaints.push(format!(
                    "{} does not route, and yet fails only {core_failed} of {core} core scenarios",
                    router.name
                ));
            }
        }
        Ok(())
    }

    /// Routers that are correct but different pass everything.
    fn variants(&mut self, names: &[String]) -> io::Result<()> {
        writeln!(io::stdout(), "\ncorrect but different: scenarios that they do not pass\n")?;
        for variant in
            broken_routers::variants().iter().filter(|variant| is_named(names, variant.name))
        {
            let Fare { failures, .. } =
                fare_of_variant(variant, &self.catalog, &self.program, self.jobs);
            let warned = if variant.warnings.is_empty() {
                String::new()
            } else {
                format!(" (warned of {})", variant.warnings.join(", "))
            };
            writeln!(
                io::stdout(),
                "  {:<36} {:>4}  {}{warned}",
                variant.name,
                failures.len(),
                variant.summary
            )?;
            self.complaints.extend(
                failures
                    .iter()
                    .map(|(name, found)| format!("{} does not pass {name}: {found}", variant.name)),
            );
        }
        Ok(())
    }
}

fn list(mutants: &[MutantUnderTest]) -> io::Result<Conclusion> {
    let mut out = io::stdout().lock();
    for mutant in mutants {
        writeln!(out, "{:<44} {}  {}", mutant.name, mutant.requirement, mutant.summary)?;
    }
    Ok(Conclusion::Conformant)
}

/// A row of the kill matrix.
fn row(mutation_run: &MutationRun) -> String {
    let collateral: Vec<_> =
        mutation_run.collateral.iter().map(|(id, count)| format!("{id}:{count}")).collect();
    let collateral = if collateral.is_empty() {
        String::new()
    } else {
        format!("  collateral {}", collateral.join(" "))
    };
    let word = if mutation_run.is_caught() { "caught" } else { "SURVIVED" };
    let MutantUnderTest { name, requirement, .. } = mutation_run.mutant;
    format!(
        "{word:<8} {requirement} {name:<44} by {:>3} of {:>3}{collateral}",
        mutation_run.caught_by.len(),
        mutation_run.ran
    )
}
