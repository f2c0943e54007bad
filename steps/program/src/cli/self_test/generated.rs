//! `cells-conformance self-test --generated`: mutants that are drawn.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;

use broken_routers::deviation::draws;
use clap::Args;

use super::super::ended::go_on;
use super::super::values::one_or_more;
use conformance_laboratory::explore::Prepared;
use conformance_laboratory::self_test::generated::{Round, Row, Totals};
use conformance_laboratory::self_test::{Setup, conclusion};
use conformance_suite::catalog::Catalog;
use conformance_suite::engine::{Conclusion, Shard, usual_jobs};
use conformance_suite::report::write_file;
use conformance_suite::stage::Stop;

/// Drawn mutants in place of those that somebody wrote.
#[derive(Debug, Args)]
pub(super) struct Generated {
    /// Draw so many routers with a defect, play scenarios and then journeys with each until one
    /// sees it, and print what became of each
    #[arg(long, value_name = "N", value_parser = one_or_more, conflicts_with_all = ["names", "quick", "only", "list"])]
    generated: Option<NonZeroUsize>,
    /// With `--generated`: only one of COUNT parts of the mutants, for several machines
    #[arg(long, value_name = "INDEX/COUNT", requires = "generated")]
    shard: Option<Shard>,
    /// Read what `--generated` has printed on several machines, and print the totals of all
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "generated")]
    merge: Vec<PathBuf>,
    /// With `--generated` or `--merge`: also write the totals to this file, as a page
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
}

impl Generated {
    pub(super) fn is_asked(&self) -> bool {
        self.generated.is_some() || !self.merge.is_empty()
    }

    pub(super) fn execute(
        &self,
        seed: u64,
        journeys: usize,
        jobs: Option<NonZeroUsize>,
        stop: &Stop,
    ) -> io::Result<Conclusion> {
        let Some(count) = self.generated else { return self.merge() };
        let catalog = Catalog::embedded();
        let program = std::env::current_exe()?;
        let jobs = jobs.map_or_else(usual_jobs, NonZeroUsize::get);
        let journeys = Prepared::random(seed, journeys);
        let round = u32::try_from(seed).map_err(|_| {
            io::Error::other(format!("the seed of a round is below 2^32, and {seed} is not"))
        })?;
        let mut draws: Vec<_> = draws(round, count.get()).collect();
        if let Some(shard) = self.shard {
            let mut number = 0;
            draws.retain(|_| {
                number += 1;
                (number - 1) % shard.count() == shard.index() - 1
            });
        }
        let round =
            Round::new(Setup { catalog: &catalog, program: &program, jobs, stop }, &journeys)?;
        let mut written = Ok(());
        let rows = round.play(&draws, |row| {
            written = writeln!(io::stdout(), "{row}");
            go_on(&written)
        });
        written?;
        let problems = round.problems();
        self.tell(&rows)?;
        let mut out = io::stdout().lock();
        problems.iter().try_for_each(|problem| writeln!(out, "  {problem}"))?;
        Ok(conclusion(&problems))
    }

    /// The totals of rows that were printed before.
    fn merge(&self) -> io::Result<Conclusion> {
        let mut rows: Vec<Row> = Vec::new();
        for file in &self.merge {
            let text = cell_fleet::read_input(file, cell_fleet::WRITTEN_BY_PROGRAMS)?;
            // The rows end with an empty line.
            let lines = text.lines().take_while(|line| !line.is_empty());
            rows.extend(
                lines.map(str::parse).collect::<Result<Vec<_>, _>>().map_err(io::Error::other)?,
            );
        }
        rows.sort_by_key(|row| row.draw.seed);
        let mut out = io::stdout().lock();
        rows.iter().try_for_each(|row| writeln!(out, "{row}"))?;
        drop(out);
        self.tell(&rows)?;
        Ok(Conclusion::Conformant)
    }

    /// Prints the totals, and writes their page if one is asked for.
    fn tell(&self, rows: &[Row]) -> io::Result<()> {
        let totals = Totals::of(rows);
        write!(io::stdout().lock(), "\n{totals}")?;
        let page = |file: &PathBuf| write_file(file, totals.page().as_bytes());
        self.page.as_ref().map_or(Ok(()), page)
    }
}
