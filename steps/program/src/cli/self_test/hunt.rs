//! `cells-conformance self-test --only hunt`: mutants against journeys that nobody wrote.

use std::io::{self, Write};

use conformance_laboratory::explore::Prepared;
use conformance_laboratory::self_test::{Alone, HuntRun, MutantUnderTest, Setup, conclusion};
use conformance_suite::engine::Conclusion;

use super::super::ended::go_on;

/// What a hunt plays.
#[derive(Clone, Copy, Debug)]
pub(super) enum Game {
    /// Random journeys: at most so many with each mutant.
    Random { journeys: usize, seed: u64 },
    /// All journeys of the small world up to this length, of each protocol.
    Exhaustive { depth: usize },
}

/// Hunts the routers among the mutants, and writes the table.
pub(super) fn run(
    setup: &Setup<'_>,
    mutants: &[MutantUnderTest],
    game: Game,
    alone: Alone,
) -> io::Result<Conclusion> {
    let hunted: Vec<_> = mutants.iter().filter(|mutant| mutant.can_be_hunted()).copied().collect();
    let (journeys, most, what) = match game {
        Game::Random { journeys, seed } => {
            let what = format!("at most {journeys} journeys each, seed {seed}");
            (Prepared::random(seed, journeys), journeys, what)
        }
        Game::Exhaustive { depth } => {
            let journeys = Prepared::exhaustive(depth);
            let count = journeys.count();
            let what = format!("all {count} journeys up to length {depth} in each protocol");
            (journeys, usize::MAX, what)
        }
    };
    let mut out = io::stdout();
    writeln!(out, "\nblind hunt: {} routers with one mistake each, {what}\n", hunted.len())?;
    let mut written = Ok(());
    let runs = setup.hunt(&hunted, (&journeys, alone), most, |run| {
        written = write_row(run, &mut io::stdout());
        go_on(&written)
    });
    written?;
    if setup.stop.reason().is_some() {
        return summary(&runs, &mut out).map(|()| Conclusion::Incomplete);
    }
    let problems = setup.problems_of(&runs, (&journeys, alone));
    summary(&runs, &mut out)?;
    problems.iter().try_for_each(|problem| writeln!(out, "  {problem}"))?;
    Ok(conclusion(&problems))
}

fn write_row(run: &HuntRun, out: &mut impl Write) -> io::Result<()> {
    let MutantUnderTest { name, requirement, .. } = run.mutant;
    let HuntRun { profile, level, .. } = run;
    match &run.trophy {
        Some(trophy) => {
            let ids: Vec<_> = trophy.requirements.iter().map(ToString::to_string).collect();
            writeln!(
                out,
                "found      {requirement} {profile:<9} {level:<6} {name:<44} after {:>4}  under {}",
                run.journeys,
                ids.join(" ")
            )
        }
        None => writeln!(
            out,
            "not found  {requirement} {profile:<9} {level:<6} {name:<44} in    {:>4}  {}",
            run.journeys,
            run.why_not_found()
        ),
    }
}

fn summary(runs: &[HuntRun], out: &mut impl Write) -> io::Result<()> {
    let share = |runs: &[&HuntRun]| {
        let found = runs.iter().filter(|run| run.trophy.is_some()).count();
        let percent = 100.0 * found as f64 / runs.len().max(1) as f64;
        format!("{found} of {} found ({percent:.1} %)", runs.len())
    };
    let all: Vec<_> = runs.iter().collect();
    let core: Vec<_> = runs.iter().filter(|run| run.breaks_core_must()).collect();
    let mut played: Vec<_> =
        runs.iter().filter(|run| run.trophy.is_some()).map(|run| run.journeys).collect();
    played.sort_unstable();
    writeln!(out, "\nall: {}", share(&all))?;
    writeln!(out, "those that break a MUST of the core: {}", share(&core))?;
    if let Some(median) = played.get(played.len() / 2) {
        writeln!(out, "journeys until found: half of them after {median} or fewer")?;
    }
    Ok(())
}
