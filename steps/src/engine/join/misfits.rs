//! What keeps records from being joined to one.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::super::Selection;
use super::super::claims::Claims;
use super::super::record::{CaseRecord, PartOfRun, RouterRecord, RunRecord, suite_with};
use super::super::shard::Shard;
use super::NamedRecord;
use crate::catalog::{Case, Catalog};
use crate::engine::FirstFew;
use crate::ledger::Ledger;

/// Missing shards that are named; the rest is counted.
const NAMED: usize = 20;

/// Everything that keeps the records from being joined, in words. `expected` is what test programs
/// were to run, if that is known.
pub(super) fn misfits(
    parts: &[NamedRecord],
    expected: Option<&Selection>,
    catalog: &Catalog,
    ledger: &Ledger,
) -> Vec<String> {
    let mut misfits: Vec<_> = other_suite(parts).into_iter().collect();
    misfits.extend(parts.iter().filter_map(|(name, part)| super::began_of(name, part).err()));
    misfits.extend(other_settings(parts));
    let unfit = unfit_parts(parts);
    let are_complete = misfits.is_empty() && unfit.is_empty();
    misfits.extend(unfit);
    misfits.extend(unfit_cases(parts, catalog));
    // If a part is missing or belongs to another run, its scenarios do not fit either, and naming
    // them would add nothing.
    if are_complete {
        misfits.extend(unselected(parts, expected, catalog, ledger));
    }
    misfits
}

/// A first record of another suite than this one, on whose scenarios the claims are settled.
fn other_suite(parts: &[NamedRecord]) -> Option<String> {
    let (name, first) = parts.first()?;
    let (suite, own) = (&first.suite, suite_with(first.features.as_ref()));
    let is_own = (&suite.features_digest, &suite.ledger_digest)
        == (&own.features_digest, &own.ledger_digest);
    (!is_own).then(|| {
        format!(
            "{name}: written with features or a ledger that this program does not have (version {} \
             of the suite)",
            suite.version
        )
    })
}

/// Records of another suite or router, or with another seed, than the first.
fn other_settings(parts: &[NamedRecord]) -> Vec<String> {
    let Some(((first_name, first), others)) = parts.split_first() else { return Vec::new() };
    let same = settings(first);
    let misfit = |(name, other): &NamedRecord| {
        let differs = settings(other).into_iter().filter(|one| !same.contains(one));
        let members: Vec<_> = differs.map(|(member, _)| member).collect();
        let members = members.join(", ");
        (!members.is_empty()).then(|| format!("{name} differs from {first_name} in {members}"))
    };
    others.iter().filter_map(misfit).collect()
}

/// The members of a record that are the same in all parts of a run, each with its value.
fn settings(part: &RunRecord) -> Vec<(String, Value)> {
    // How a router was named may differ from machine to machine.
    let router = RouterRecord { running: Vec::new(), options: Vec::new(), ..part.router.clone() };
    let objects =
        json!({ "suite": part.suite, "router": router, "run": { "seed": part.run.seed } });
    let mut members = Vec::new();
    for (object, values) in objects.as_object().into_iter().flatten() {
        for (member, value) in values.as_object().into_iter().flatten() {
            members.push((format!("{object}.{member}"), value.clone()));
        }
    }
    members
}

/// The shard that a record holds; `None` for another part.
fn shard(part: &RunRecord) -> Option<Shard> {
    part.run.part.as_ref().and_then(PartOfRun::shard)
}

/// Records that are no parts, or parts of different kinds; shards that are missing, doubled or of
/// another cut.
fn unfit_parts(parts: &[NamedRecord]) -> Vec<String> {
    let mut misfits = Vec::new();
    let first = parts.iter().find_map(|(name, part)| Some((name, part, shard(part)?)));
    let mut seen: BTreeMap<usize, &str> = BTreeMap::new();
    for (name, part) in parts {
        let (Some(own), Some((first_name, first, of))) = (shard(part), first) else {
            match (&part.run.part, first) {
                (None, _) if part.exploration.is_some() => misfits.push(format!(
                    "{name}: the record of an exploration, which is always whole; `report render` makes \
                     reports of one"
                )),
                (None, _) => misfits.push(format!(
                    "{name}: the record of a whole run, not of a part (`run --shard`, or a test)"
                )),
                (Some(_), Some((other, ..))) => {
                    misfits.push(format!("{name}: no shard, as {other} is"));
                }
                (Some(_), None) => {}
            }
            continue;
        };
        if own.count != of.count {
            misfits.push(format!("{name}: {own}, but {first_name} is {of}"));
        } else if let Some(earlier) = seen.insert(own.index, name) {
            misfits.push(format!("{name}: {own}, as {earlier} is"));
        }
        if part.run.selection != first.run.selection {
            let (own, theirs) = (words(&part.run.selection), words(&first.run.selection));
            misfits.push(format!("{name}: selected {own}, but {first_name} {theirs}"));
        }
    }
    if let Some((.., of)) = first {
        misfits.extend(missing(&seen, of.count));
    }
    misfits
}

/// The shards that are missing, in one line.
fn missing(seen: &BTreeMap<usize, &str>, count: usize) -> Option<String> {
    let all = count.saturating_sub(seen.len());
    let missing = (1..=count).filter(|index| !seen.contains_key(index));
    // A record can say that it is of any number of shards.
    let named: Vec<_> = missing.take(NAMED).map(|index| index.to_string()).collect();
    let more = if all > NAMED { format!(" and {} more", all - NAMED) } else { String::new() };
    match named.as_slice() {
        [] => None,
        [one] => Some(format!("shard {one} of {count} is missing")),
        _ => Some(format!("shards {}{more} of {count} are missing", named.join(", "))),
    }
}

fn words(selection: &[String]) -> String {
    match selection {
        [] => "all scenarios".to_owned(),
        [first, _, _, _, ..] => format!("`{first}` and {} more", selection.len() - 1),
        few => format!("`{}`", few.join(" ")),
    }
}

/// Scenarios in two records, or unknown to the features.
fn unfit_cases(parts: &[NamedRecord], catalog: &Catalog) -> Vec<String> {
    let known: BTreeSet<_> = catalog.cases.iter().map(|case| case.name.as_str()).collect();
    let mut seen: BTreeMap<&str, (&str, Option<usize>)> = BTreeMap::new();
    let (mut doubled, mut unknown) = (FirstFew::default(), FirstFew::default());
    let mut is_hint_due = false;
    for (name, part) in parts {
        let index = shard(part).map(|shard| shard.index);
        for CaseRecord { name: case, .. } in &part.scenarios {
            if !known.contains(case.as_str()) {
                unknown.add(|| format!("{name}: the features have no scenario {case}"));
            }
            let Some((earlier, other)) = seen.insert(case, (name, index)) else { continue };
            // A doubled shard is named once, not by all its scenarios.
            if index.is_none() || index != other {
                doubled.add(|| format!("{case} stands in {earlier} and in {name}"));
                is_hint_due |= index.is_none();
            }
        }
    }
    let hint = "a folder holds the records of one run: begin each run with an empty one";
    let hint = is_hint_due.then(|| hint.to_owned());
    unknown.words().into_iter().chain(doubled.words()).chain(hint).collect()
}

/// Selected scenarios that stand in no record, and others that were not selected. Test programs
/// leave out what the router does not claim.
fn unselected(
    parts: &[NamedRecord],
    expected: Option<&Selection>,
    catalog: &Catalog,
    ledger: &Ledger,
) -> Vec<String> {
    let Some((_, first)) = parts.first() else { return Vec::new() };
    let is_sharded = shard(first).is_some();
    if is_sharded && expected.is_some_and(|expected| *expected != Selection::default()) {
        return vec!["--filter is for records of tests: shards name their selection".to_owned()];
    }
    let selection = match expected {
        _ if is_sharded => Selection::from_words(&first.run.selection),
        Some(expected) => Ok(expected.clone()),
        None => return Vec::new(),
    };
    let selected = selection.and_then(|selection| selection.of(&catalog.cases, ledger));
    let selected = match selected {
        Ok(selected) => selected,
        Err(why) => return vec![why],
    };
    let claims = Claims::recorded(&first.router);
    let has: BTreeSet<_> =
        parts.iter().flat_map(|(_, part)| &part.scenarios).map(|case| case.name.as_str()).collect();
    let is_left_out = |case: &Case| !is_sharded && claims.not_applicable(case).is_some();
    let (mut missing, mut others) = (FirstFew::default(), FirstFew::default());
    for case in selected.iter().filter(|case| !has.contains(case.name.as_str())) {
        if !is_left_out(case) {
            missing.add(|| format!("{} stands in no record", case.name));
        }
    }
    let names: BTreeSet<_> = selected.iter().map(|case| case.name.as_str()).collect();
    for name in has.difference(&names) {
        others.add(|| format!("{name} was run, but not selected"));
    }
    let hint = "if only a part was to be run, name it: `report merge --filter NAME ...`";
    let hint = (!is_sharded && !missing.words().is_empty()).then(|| hint.to_owned());
    missing.words().into_iter().chain(hint).chain(others.words()).collect()
}
