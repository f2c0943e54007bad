//! Joins the records of one run to one record.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, SystemTime};

use super::Selection;
use super::claims::Claims;
use super::record::{
    Body, CaseRecord, PartOfRun, RunRecord, SuiteRecord, milliseconds, requirements_of, suite_with,
};
use super::run::settings;
use crate::catalog::{Case, Catalog};
use crate::first_few::FirstFew;
use crate::ledger::Ledger;
use crate::verdict::{Outcome, Verdict};

/// A record, and the name by which errors call it.
pub(super) type NamedRecord = (String, RunRecord);

/// Joins records to one, and draws one conclusion. Claims and known failures are settled on the
/// whole.
///
/// # Errors
///
/// Lists the mismatches: another suite, router or seed, duplicate scenarios, missing shards.
pub(super) fn join(parts: Vec<NamedRecord>) -> Result<RunRecord, String> {
    let Some((_, first)) = parts.first() else { return Err("there is no record".to_owned()) };
    let (catalog, ledger) = (Catalog::of(first), Ledger::embedded());
    let (began, took) = span(&parts)?;
    let seed = first.run.seed;
    let jobs = parts.iter().map(|(_, part)| part.run.jobs).max().unwrap_or(1);
    let words = first.run.selection.clone();
    let shards =
        parts.iter().any(|(_, part)| matches!(part.run.part, Some(PartOfRun::Shard { .. })));

    let mut misfits = of_suite(&parts, &suite_with(first.features.as_ref()));
    misfits.extend(of_settings(&parts));
    misfits.extend(of_shards(&parts));
    misfits.extend(of_cases(&parts, &catalog));
    misfits.extend(of_bodies(&parts));
    if !misfits.is_empty() {
        return Err(format!("the records cannot be joined:\n  - {}", misfits.join("\n  - ")));
    }

    let mut whole =
        RunRecord::empty(first.router.clone(), settings(began, seed, jobs, words, None));
    whole.suite = suite_with(first.features.as_ref());
    whole.features = first.features.clone();
    whole.run.took_ms = milliseconds(took);
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
    if shards {
        let selected = Selection::from_words(&whole.run.selection)?.of(&catalog.cases, ledger)?;
        let missing = without(&selected, &whole);
        if let Some(case) = missing.first() {
            return Err(format!(
                "{} of the selected scenarios stand in no record, first {}",
                missing.len(),
                case.name
            ));
        }
    } else {
        select(&mut whole, &catalog, ledger)?;
    }
    let order: BTreeMap<_, _> = catalog.cases.iter().zip(0..).map(|(c, n)| (&c.name, n)).collect();
    whole.scenarios.sort_by_key(|case| order.get(&case.name).copied());
    whole.requirements = requirements_of(&whole.scenarios, ledger);
    whole.conclude(&catalog)?;
    Ok(whole)
}

/// Sets the selection of joined test records. If only scenarios that the router does not claim are
/// missing, everything was selected: test programs do not run those. Otherwise the selection is the
/// names of the scenarios.
fn select(whole: &mut RunRecord, catalog: &Catalog, ledger: &Ledger) -> Result<(), String> {
    let claims = Claims::recorded(&whole.router)?;
    let missing = without(&catalog.cases, whole);
    let reasons: Vec<_> = missing.iter().map(|case| claims.not_applicable(case)).collect();
    whole.run.selection = Vec::new();
    if reasons.iter().all(Option::is_some) {
        for (case, why) in missing.iter().zip(reasons.into_iter().flatten()) {
            let verdict = Verdict::of(Outcome::NotApplicable(why));
            whole.add(case, &verdict, Duration::ZERO, Duration::ZERO, ledger);
        }
    } else {
        whole.run.selection = whole.scenarios.iter().map(|case| case.name.clone()).collect();
    }
    Ok(())
}

/// The cases that a record does not have.
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

/// Records of another suite than this one, whose scenarios the claims are settled on.
fn of_suite(parts: &[NamedRecord], own: &SuiteRecord) -> Vec<String> {
    let mut misfits = Vec::new();
    for (name, part) in parts {
        let SuiteRecord { version, features_digest, ledger_digest } = &part.suite;
        for (what, theirs, own) in [
            ("features", features_digest, &own.features_digest),
            ("a ledger", ledger_digest, &own.ledger_digest),
        ] {
            if theirs != own {
                misfits.push(format!(
                    "{name}: written with {what} that this program does not have (version \
                     {version} of the suite)"
                ));
            }
        }
    }
    misfits
}

/// Records of another router or with another seed than the first.
fn of_settings(parts: &[NamedRecord]) -> Vec<String> {
    let Some(((first_name, first), others)) = parts.split_first() else { return Vec::new() };
    let mut misfits = Vec::new();
    for (name, other) in others {
        let (one, two) = (&first.router, &other.router);
        for (what, is_same) in [
            ("another name", one.name == two.name),
            ("another version", one.version == two.version),
            ("another description", (&one.url, &one.contact) == (&two.url, &two.contact)),
            ("another command", one.command == two.command),
            (
                "other claims",
                (&one.protocols, &one.capabilities) == (&two.protocols, &two.capabilities),
            ),
            ("other known failures", one.known_failures == two.known_failures),
        ] {
            if !is_same {
                misfits.push(format!("{name}: the router has {what} than in {first_name}"));
            }
        }
        if first.run.seed != other.run.seed {
            let (one, two) = (first.run.seed, other.run.seed);
            misfits.push(format!("{name}: the seed is {two}, but {one} in {first_name}"));
        }
    }
    misfits
}

/// Shards that are missing, duplicate, or of different runs.
fn of_shards(parts: &[NamedRecord]) -> Vec<String> {
    let shard = |part: &RunRecord| match part.run.part {
        Some(PartOfRun::Shard { index, count }) => Some((index, count)),
        Some(PartOfRun::Trial) | None => None,
    };
    let Some((of, words)) =
        parts.iter().find_map(|(_, part)| Some((shard(part)?.1, &part.run.selection)))
    else {
        return Vec::new();
    };
    let mut misfits = Vec::new();
    let mut seen = BTreeMap::new();
    for (name, part) in parts {
        match shard(part) {
            None => misfits.push(format!("{name}: not a shard, as others are")),
            Some((_, count)) if count != of => {
                misfits.push(format!("{name}: one of {count} shards, but others are of {of}"));
            }
            Some((index, _)) => {
                if let Some(earlier) = seen.insert(index, name) {
                    misfits.push(format!("{name}: shard {index}, as {earlier} is"));
                }
            }
        }
        if part.run.selection != *words {
            misfits.push(format!("{name}: another selection than that of the first shard"));
        }
    }
    let missing = (1..=of).filter(|index| !seen.contains_key(index));
    misfits.extend(missing.map(|index| format!("shard {index} of {of} is missing")));
    misfits
}

/// Scenarios in two records, or unknown to the features.
fn of_cases(parts: &[NamedRecord], catalog: &Catalog) -> Vec<String> {
    let known: BTreeSet<_> = catalog.cases.iter().map(|case| case.name.as_str()).collect();
    let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
    let (mut doubled, mut unknown) = (FirstFew::default(), FirstFew::default());
    for (name, part) in parts {
        for CaseRecord { name: case, .. } in &part.scenarios {
            if !known.contains(case.as_str()) {
                unknown.add(|| format!("{name}: the features have no scenario {case}"));
            }
            if let Some(earlier) = seen.insert(case, name) {
                doubled.add(|| format!("{case} stands in {earlier} and in {name}"));
            }
        }
    }
    let hint = "a folder holds the records of one run: begin each run with an empty one";
    let doubled = doubled.words();
    let hint = (!doubled.is_empty()).then(|| hint.to_owned());
    unknown.words().into_iter().chain(doubled).chain(hint).collect()
}

/// Different bodies with the same digest.
fn of_bodies(parts: &[NamedRecord]) -> Vec<String> {
    let mut seen: BTreeMap<&str, (&str, &Body)> = BTreeMap::new();
    let mut misfits = FirstFew::default();
    for (name, part) in parts {
        for (digest, body) in &part.bodies {
            let (earlier, same) = *seen.entry(digest).or_insert((name, body));
            if same != body {
                misfits.add(|| format!("{name}: body {digest} differs from that in {earlier}"));
            }
        }
    }
    misfits.words()
}

#[cfg(test)]
mod tests;
