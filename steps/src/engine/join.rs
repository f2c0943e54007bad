//! Joins the records of one run to one record.

mod misfits;

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, SystemTime};

use super::Selection;
use super::claims::Claims;
use super::record::{
    IncompleteRecord, PartOfRun, RunRecord, StartsRecord, milliseconds, requirements_of, suite_with,
};
use super::run::settings;
use crate::catalog::{Case, Catalog};
use crate::ledger::Ledger;
use crate::verdict::{OutcomeWord, Verdict};

/// A record, and the name by which errors call it.
pub(super) type NamedRecord = (String, RunRecord);

/// Joins records to one, and draws one conclusion. Claims and known failures are settled on the
/// whole. `expected` is what test programs were to run: without it, what they ran is taken for the
/// whole. The error lists all mismatches: another suite, router or seed; missing, doubled and
/// different parts.
pub(super) fn join(
    parts: Vec<NamedRecord>,
    expected: Option<&Selection>,
) -> Result<RunRecord, String> {
    let Some((_, first)) = parts.first() else { return Err("there is no record".to_owned()) };
    let (catalog, ledger) = (Catalog::of(first), Ledger::embedded());
    let misfits = misfits::misfits(&parts, expected, &catalog, ledger);
    if !misfits.is_empty() {
        return Err(format!("the records cannot be joined:\n  - {}", misfits.join("\n  - ")));
    }
    let (began, took) = span(&parts)?;
    let seed = first.run.seed;
    let jobs = parts.iter().map(|(_, part)| part.run.jobs).max().unwrap_or(1);
    let words = first.run.selection.clone();
    let are_shards = matches!(first.run.part, Some(PartOfRun::Shard(_)));

    let mut whole =
        RunRecord::empty(first.router.clone(), settings(began, seed, jobs, words, None));
    whole.suite = suite_with(first.features.as_ref());
    whole.features = first.features.clone();
    whole.run.excluded = first.run.excluded.clone();
    whole.run.took_ms = milliseconds(took);
    whole.run.starts =
        parts.iter().filter_map(|(_, part)| part.run.starts).reduce(StartsRecord::and);
    let incomplete = incomplete_of(&parts);
    let platforms: BTreeSet<_> = parts.iter().map(|(_, part)| part.run.platform.clone()).collect();
    whole.run.platform = platforms.into_iter().collect::<Vec<_>>().join(", ");
    for (name, part) in parts {
        let offset = began_of(&name, &part)?.duration_since(began).unwrap_or_default();
        whole.bodies.extend(part.bodies);
        whole.scenarios.extend(part.scenarios.into_iter().map(|mut case| {
            case.began_ms += milliseconds(offset);
            case
        }));
    }
    if !are_shards {
        select(&mut whole, expected, &catalog, ledger)?;
    }
    let order: BTreeMap<_, _> = catalog.cases.iter().zip(0..).map(|(c, n)| (&c.name, n)).collect();
    whole.scenarios.sort_by_key(|case| order.get(&case.name).copied());
    whole.incomplete = incomplete;
    whole.requirements = requirements_of(&whole.scenarios, ledger);
    whole.conclude(&catalog);
    Ok(whole)
}

/// Why parts ended early, with the number of scenarios that none of them ran.
fn incomplete_of(parts: &[NamedRecord]) -> Option<IncompleteRecord> {
    let all: Vec<_> =
        parts.iter().filter_map(|(name, part)| Some((name, part.incomplete.as_ref()?))).collect();
    let (_, first) = all.first()?;
    let reasons = all.iter().map(|(name, one)| format!("{name}: {}", one.reason));
    Some(IncompleteRecord {
        ended_by: first.ended_by,
        reason: reasons.collect::<Vec<_>>().join("; "),
        not_run: all.iter().map(|(_, one)| one.not_run).sum(),
    })
}

/// Sets the selection of joined test records. If only scenarios that the router does not claim are
/// missing, the expected ones were selected, by default all: test programs do not run those.
/// Otherwise the selection is the names of the scenarios.
fn select(
    whole: &mut RunRecord,
    expected: Option<&Selection>,
    catalog: &Catalog,
    ledger: &Ledger,
) -> Result<(), String> {
    let claims = Claims::recorded(&whole.router);
    let expected = expected.cloned().unwrap_or_default();
    let missing = without(&expected.of(&catalog.cases, ledger)?, whole);
    let reasons: Vec<_> = missing.iter().map(|case| claims.not_applicable(case)).collect();
    whole.run.selection = expected.words();
    if reasons.iter().all(Option::is_some) {
        for (case, why) in missing.iter().zip(reasons.into_iter().flatten()) {
            let verdict = Verdict::of(OutcomeWord::NotApplicable.because(why));
            whole.add(case, &verdict, Duration::ZERO, Duration::ZERO, ledger);
        }
    } else {
        whole.run.selection = whole.scenarios.iter().map(|case| case.name.clone()).collect();
    }
    Ok(())
}

fn without(cases: &[Case], record: &RunRecord) -> Vec<Case> {
    let has: BTreeSet<_> = record.scenarios.iter().map(|case| case.name.as_str()).collect();
    cases.iter().filter(|case| !has.contains(case.name.as_str())).cloned().collect()
}

/// When the first record began, and the time until the last one ended.
fn span(parts: &[NamedRecord]) -> Result<(SystemTime, Duration), String> {
    let began: Vec<_> =
        parts.iter().map(|(name, part)| began_of(name, part)).collect::<Result<_, _>>()?;
    let took = |part: &RunRecord| Duration::from_millis(part.run.took_ms);
    let ended = began.iter().zip(parts).map(|(began, (_, part))| *began + took(part)).max();
    let first = began.into_iter().min().unwrap_or(SystemTime::UNIX_EPOCH);
    Ok((first, ended.and_then(|last| last.duration_since(first).ok()).unwrap_or_default()))
}

fn began_of(name: &str, part: &RunRecord) -> Result<SystemTime, String> {
    humantime::parse_rfc3339(&part.run.began)
        .map_err(|error| format!("{name}: `{}` is not a time: {error}", part.run.began))
}

#[cfg(test)]
mod tests;
