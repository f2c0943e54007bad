//! `cells-conformance self-test --only hunt`: mutants against journeys that nobody wrote.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Deserialize;

use conformance_laboratory::explore::Prepared;
use conformance_laboratory::self_test::{HuntRun, MutantUnderTest, Setup, conclusion};
use conformance_suite::engine::Conclusion;

/// Why mutants are not found, kept by hand.
const REASONS: &str = include_str!("../../../fixtures/not-found-by-exploration.toml");

/// A reason, with the mutants for which it holds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Reason {
    reason: String,
    mutants: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Reasons {
    #[serde(default, rename = "not-found")]
    not_found: Vec<Reason>,
}

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
    let reasons = reasons();
    let mut written = Ok(());
    let runs = setup.hunt(&hunted, &journeys, most, |run| {
        written = write_row(run, &reasons, &mut io::stdout());
        super::go_on(&written)
    });
    written?;
    let mut problems = Vec::new();
    for run in &runs {
        let errors = run.suite_errors.iter();
        problems.extend(errors.map(|why| format!("suite error with {}: {why}", run.mutant.name)));
    }
    problems.extend(
        setup
            .not_permitted(&journeys)
            .iter()
            .map(|why| format!("the reference router does not pass the {why}")),
    );
    summary(&runs, &mut out)?;
    problems.iter().try_for_each(|problem| writeln!(out, "  {problem}"))?;
    Ok(conclusion(&problems))
}

fn reasons() -> BTreeMap<String, String> {
    // A test reads the file.
    let reasons: Reasons = toml::from_str(REASONS).unwrap_or_default();
    let each = reasons.not_found.into_iter();
    each.flat_map(|Reason { reason, mutants }| {
        mutants.into_iter().map(move |name| (name, reason.clone()))
    })
    .collect()
}

fn write_row(
    run: &HuntRun,
    reasons: &BTreeMap<String, String>,
    out: &mut impl Write,
) -> io::Result<()> {
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
        None => {
            let reason = reasons.get(name).map_or("", String::as_str);
            writeln!(
                out,
                "not found  {requirement} {profile:<9} {level:<6} {name:<44} in    {:>4}  {reason}",
                run.journeys
            )
        }
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The published table.
    const TABLE: &str = include_str!("../../../../../docs/blind-hunt.txt");

    /// Names in the rows of the table that begin with these words.
    fn rows(words: &str) -> BTreeSet<&'static str> {
        let rows = TABLE.lines().filter_map(|line| line.strip_prefix(words));
        rows.filter_map(|row| row.split_whitespace().nth(3)).collect()
    }

    /// How many mutants may be newer than the table: it takes long to make.
    const NEWER: usize = 25;

    #[test]
    fn the_table_has_the_routers_that_can_be_hunted() {
        let (found, not_found) = (rows("found "), rows("not found "));
        let table: BTreeSet<_> = found.union(&not_found).copied().collect();
        let mutants = MutantUnderTest::routers().filter(MutantUnderTest::can_be_hunted);
        let mutants: BTreeSet<_> = mutants.map(|mutant| mutant.name).collect();
        let stale: Vec<_> = table.difference(&mutants).collect();
        assert!(stale.is_empty(), "no such mutants: {stale:?}");
        assert!(table.len() + NEWER >= mutants.len(), "{} of {}", table.len(), mutants.len());
    }

    #[test]
    fn a_mutant_has_a_reason_exactly_if_it_is_not_found() {
        let parsed: Reasons = toml::from_str(REASONS).unwrap();
        let names: Vec<_> = parsed.not_found.iter().flat_map(|one| &one.mutants).collect();
        let reasons = reasons();
        assert_eq!(names.len(), reasons.len(), "a mutant has two reasons");
        assert!(reasons.values().all(|reason| !reason.is_empty() && !reason.ends_with('.')));
        let reasons: BTreeSet<_> = reasons.keys().map(String::as_str).collect();
        assert_eq!(reasons, rows("not found "));
    }
}
