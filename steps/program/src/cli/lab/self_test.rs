//! `cells-lab self-test`: the kill matrix.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use broken_routers::{Variant, variants};
use clap::{Args, ValueEnum};

use crate::cli::output::{Ended, Failed, print, stop_on_signals};
use crate::cli::subject::start_stores;
use crate::cli::values::one_or_more;
use conformance_laboratory::self_test::{Extent, MutantUnderTest, MutationRun, Setup, unbroken};
use conformance_suite::catalog::Catalog;
use conformance_suite::engine::{Conclusion, ExitCode, usual_jobs};
use conformance_suite::report::Screen;
use conformance_suite::stage::{Stop, look};
use conformance_suite::standard_streams::write_part;

/// Run the suite against mutants and variants, to prove that it can fail
///
/// A mutant is a router or a cell with one known mistake. The suite must catch each by the
/// requirement that the mutant breaks, must fail routers that do not route, and must pass variants,
/// which are correct in another way.
#[derive(Debug, Args)]
pub(super) struct SelfTest {
    /// Names of mutants and variants, parts of names, or requirements that mutants break, like BF-03;
    /// everything where none is given
    names: Vec<String>,
    /// Run only the scenarios that cite the requirement that a mutant breaks, or a paired row of
    /// another level in the ledger, and one as a control; no mutant may be caught at two levels
    /// without a reason
    #[arg(long)]
    quick: bool,
    /// Run only this part (repeatable); without it, everything, or the matrix alone where names or
    /// `--quick` are given
    #[arg(long, value_enum, value_name = "PART")]
    only: Vec<SelfTestPart>,
    /// List the mutants (name, requirement, router or cell) and exit; with `--only variants`, the
    /// variants, with their protocols
    #[arg(long)]
    list: bool,
    /// Parallel jobs
    #[arg(long, value_name = "N", value_parser = one_or_more)]
    jobs: Option<NonZeroUsize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum SelfTestPart {
    /// Routers and cells with one mistake each
    Matrix,
    /// Routers that do not route
    Baseline,
    /// Routers that are correct in another way
    Variants,
}

impl SelfTest {
    pub(super) fn execute(&self) -> Ended {
        let mutants: Vec<_> = MutantUnderTest::routers()
            .chain(MutantUnderTest::cells())
            .filter(|mutant| {
                self.names_include(mutant.name)
                    || self.names.iter().any(|id| id.eq_ignore_ascii_case(mutant.requirement))
            })
            .collect();
        let variants: Vec<_> =
            variants().iter().filter(|variant| self.names_include(variant.name)).collect();
        let variants_apply = self.only.contains(&SelfTestPart::Variants) && !variants.is_empty();
        if mutants.is_empty() && !variants_apply {
            return Err(Failed::Usage(format!(
                "no mutant has a name with {0}, or breaks {0}; `self-test --list` shows all",
                self.names.join(" or ")
            )));
        }
        if self.list && self.only == [SelfTestPart::Variants] {
            return print(listed_variants(&variants).as_bytes());
        } else if self.list {
            return print(listed(&mutants).as_bytes());
        }
        look()?;
        start_stores()?;
        let stop = stop_on_signals();
        let conclusion = self.run(&mutants, &variants, &stop)?;
        let reason = stop.reason();
        if let Some(reason) = reason {
            eprintln!("ended early: {reason}");
        }
        // What it found stays what it is; otherwise the rest is not known.
        Ok(match (conclusion, reason) {
            (Conclusion::Conformant, Some(_)) => ExitCode::Incomplete,
            (conclusion, _) => conclusion.exit_code(),
        })
    }

    /// Whether a name is selected: all are where none is given.
    fn names_include(&self, name: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|part| name.contains(part.as_str()))
    }

    fn includes(&self, part: SelfTestPart) -> bool {
        if !self.only.is_empty() {
            return self.only.contains(&part);
        }
        part == SelfTestPart::Matrix || (self.names.is_empty() && !self.quick)
    }

    fn run(
        &self,
        mutants: &[MutantUnderTest],
        variants: &[&Variant],
        stop: &Stop,
    ) -> Result<Conclusion, Failed> {
        let catalog = Catalog::embedded();
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let jobs = self.jobs.map_or_else(usual_jobs, NonZeroUsize::get);
        let setup = Setup { catalog: &catalog, program: &program, jobs, stop };
        let extent = if self.quick { Extent::Citing } else { Extent::Whole };
        let others = [SelfTestPart::Baseline, SelfTestPart::Variants];
        let met = (!others.into_iter().any(|part| self.includes(part)))
            .then(|| setup.met(mutants, extent));
        let failures = setup.reference_failures(met.as_ref());
        if stop.reason().is_some() {
            return Ok(Conclusion::Incomplete);
        }
        let mut problems: Vec<_> = failures
            .iter()
            .filter(|(_, is_known)| !**is_known)
            .map(|(name, _)| format!("the reference router does not pass {name}"))
            .collect();
        let without: BTreeSet<_> = failures.into_keys().collect();
        if self.includes(SelfTestPart::Matrix) {
            problems.extend(matrix(&setup, mutants, extent, &without)?);
            if self.names.is_empty() {
                problems.extend(
                    unbroken(&catalog)
                        .iter()
                        .map(|id| format!("{id} is tested, but no mutant breaks it")),
                );
            }
        }
        let goes_on = || stop.reason().is_none();
        if goes_on() && self.includes(SelfTestPart::Baseline) {
            problems.extend(baseline(&setup)?);
        }
        if goes_on() && self.includes(SelfTestPart::Variants) {
            problems.extend(all_pass(&setup, variants)?);
        }
        let lines: String = problems.iter().map(|problem| format!("  {problem}\n")).collect();
        print(lines.as_bytes())?;
        // Each problem is one of the suite.
        Ok(if problems.is_empty() { Conclusion::Conformant } else { Conclusion::SuiteFault })
    }
}

fn listed(mutants: &[MutantUnderTest]) -> String {
    let line = |mutant: &MutantUnderTest| {
        let MutantUnderTest { name, requirement, summary, .. } = mutant;
        let kind = if mutant.is_cell() { "cell" } else { "router" };
        format!("{name:<44} {requirement}  {kind:<6}  {summary}\n")
    };
    mutants.iter().map(line).collect()
}

fn listed_variants(variants: &[&Variant]) -> String {
    let line = |Variant { name, protocols, summary, .. }: &&Variant| {
        let protocols: Vec<_> = protocols.each().map(|protocol| protocol.to_string()).collect();
        format!("{name:<44} {:<18} {summary}\n", protocols.join(","))
    };
    variants.iter().map(line).collect()
}

/// Runs the mutants and writes the kill matrix. Returns what is wrong with the suite: each mutant
/// must be caught by the requirement that it breaks.
fn matrix(
    setup: &Setup<'_>,
    mutants: &[MutantUnderTest],
    extent: Extent,
    without: &BTreeSet<String>,
) -> Result<Vec<String>, Failed> {
    let (mut written, mut ran, mut caught, mut last) = (Ok(()), 0, 0, None);
    let problems = setup.run_mutants(mutants, extent, without, |run| {
        let heading = last.replace(run.mutant.is_cell()) != Some(run.mutant.is_cell());
        add(&mut written, &row(run, heading));
        ran += 1;
        caught += usize::from(run.is_caught());
    });
    let (all, survived) = (mutants.len(), ran - caught);
    let not_run = match all - ran {
        0 => String::new(),
        left => format!(", not run {left}"),
    };
    add(&mut written, &format!("\nmutants: {all}, caught {caught}, survived {survived}{not_run}"));
    written.map(|()| problems)
}

/// A row of the kill matrix, with a heading where another kind of mutants begins.
fn row(run: &MutationRun, heading: bool) -> String {
    let kind = if run.mutant.is_cell() { "cells" } else { "routers" };
    let heading = match heading {
        true => format!("\nbroken {kind}: what catches each, and what else fails\n\n"),
        false => String::new(),
    };
    let collateral: Vec<_> =
        run.collateral.iter().map(|(id, count)| format!("{id}:{count}")).collect();
    let collateral = if collateral.is_empty() {
        String::new()
    } else {
        format!("  collateral {}", collateral.join(" "))
    };
    let styles = Screen::stdout().styles;
    let (word, style) =
        if run.is_caught() { ("caught", styles.passed) } else { ("SURVIVED", styles.failed) };
    let MutantUnderTest { name, requirement, .. } = run.mutant;
    let (caught_by, ran) = (run.caught_by.len(), run.ran);
    format!(
        "{heading}{style}{word:<8}{style:#} {requirement} {name:<44} by {caught_by:>3} of \
         {ran:>3}{collateral}"
    )
}

/// Runs routers that do not route. Returns what is wrong with the suite.
fn baseline(setup: &Setup<'_>) -> Result<Vec<String>, Failed> {
    let mut written = Ok(());
    add(&mut written, "\nnull baseline: core scenarios that fail without any routing\n");
    let problems = setup.run_degenerate(|name, result| {
        let (core, failed) = (result.core, result.core_failed);
        add(&mut written, &format!("  {name:<32} {failed:>4} of {core}"));
    });
    // What the routers have in common is known of all of them alone.
    written.map(|()| if setup.stop.reason().is_some() { Vec::new() } else { problems })
}

/// Runs variants. Returns the scenarios that they do not pass.
fn all_pass(setup: &Setup<'_>, variants: &[&Variant]) -> Result<Vec<String>, Failed> {
    let mut written = Ok(());
    add(&mut written, "\nvariants: scenarios that each of these correct routers fails\n");
    let problems =
        setup.run_variants(variants, |Variant { name, summary, warnings, .. }, failed| {
            let warnings = if warnings.is_empty() {
                String::new()
            } else {
                format!(" (expected warnings: {})", warnings.join(", "))
            };
            add(&mut written, &format!("  {name:<36} {failed:>4}  {summary}{warnings}"));
        });
    written.map(|()| problems)
}

/// Writes a line, unless an earlier one could not be written.
fn add(written: &mut Result<(), Failed>, line: &str) {
    if written.is_ok() {
        *written = write_part(|out| writeln!(out, "{line}")).map_err(Failed::NotWritten);
    }
}
