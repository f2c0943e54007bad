//! The options that select scenarios.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;

use super::values::one_of;
use conformance_suite::catalog::Catalog;
use conformance_suite::engine::record::{OwnFeatures, suite_with};
use conformance_suite::engine::{NotPassed, Selection, Shard, read_all, seed_of};
use conformance_suite::ledger::{Ledger, Profile};

/// The options that select scenarios; without any, all are selected.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct SelectionOptions {
    /// Scenario names: a part of the name, or a pattern with `*`
    filters: Vec<String>,
    /// Custom scenarios in place of the suite's: a feature file, or a folder of them
    #[arg(long, value_name = "PATH")]
    features: Option<PathBuf>,
    /// Only scenarios with this tag, like `req:BF-03`, `doc:buffering/root` or `learning`
    /// (repeatable: any of them)
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// Leave out scenarios of this name, a part of it or a pattern with `*`, or with this `@TAG`
    /// (repeatable). The report says what was left out
    #[arg(long = "exclude", value_name = "NAME")]
    excluded: Vec<String>,
    /// Only scenarios of this profile (repeatable: any of them)
    #[arg(long = "profile", value_name = "PROFILE", value_parser = one_of(&Profile::ALL))]
    profiles: Vec<Profile>,
}

impl SelectionOptions {
    pub(super) fn selection(&self) -> Selection {
        Selection {
            features: self.features.as_ref().map(|path| path.display().to_string()),
            filters: self.filters.clone(),
            tags: self.tags.clone(),
            profiles: self.profiles.clone(),
            excluded: self.excluded.clone(),
            shard: None,
        }
    }

    /// The catalog to select from: the suite's, or that of custom features.
    /// What is wrong with the suite's features stands in its catalog; custom ones are refused.
    pub(super) fn catalog(&self) -> Result<Catalog, String> {
        let Some(path) = &self.features else { return Ok(Catalog::embedded()) };
        let catalog = Catalog::of_own(OwnFeatures::read(path)?);
        if catalog.errors.is_empty() {
            return Ok(catalog);
        }
        let found: Vec<_> = catalog.errors.iter().map(|error| error.message.as_str()).collect();
        Err(format!("the features cannot be run:\n{}", found.join("\n")))
    }
}

/// The options that select a part: what did not pass earlier, or one of several shards.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct PartOptions {
    /// Only scenarios that did not pass in this report: those that failed, were warned, could not
    /// run or were not reached; the seed is that of the report
    #[arg(long, value_name = "REPORT")]
    failed_from: Option<PathBuf>,
    /// Only one of COUNT parts of the selected scenarios, for several machines; `report merge` joins
    /// their JSON reports. Without `--seed` or `--failed-from` the seed follows from the features and
    /// the selection, so it is the same on every machine. A part in which nothing fails exits with 0
    #[arg(long, value_name = "INDEX/COUNT")]
    shard: Option<Shard>,
}

#[derive(Debug)]
pub(super) struct Chosen {
    pub(super) selection: Selection,
    /// The seed, if the options imply one.
    pub(super) seed: Option<u64>,
}

impl PartOptions {
    pub(super) fn select(
        &self,
        selection: Selection,
        catalog: &Catalog,
        ledger: &Ledger,
    ) -> Result<Chosen, String> {
        let mut chosen = Chosen { selection, seed: None };
        if let Some(path) = &self.failed_from {
            chosen = failed_from(path, &chosen.selection, catalog, ledger)?;
        }
        let Some(shard) = self.shard else { return Ok(chosen) };
        let seed = chosen.seed.unwrap_or_else(|| {
            let suite = suite_with(catalog.own.as_ref());
            seed_of(&chosen.selection.words(), &suite)
        });
        chosen.selection.shard = Some(shard);
        Ok(Chosen { seed: Some(seed), ..chosen })
    }
}

/// The selected scenarios that did not pass in a report, by their names.
fn failed_from(
    path: &Path,
    selection: &Selection,
    catalog: &Catalog,
    ledger: &Ledger,
) -> Result<Chosen, String> {
    let shown = path.display();
    let record = read_all(&[path.to_owned()])?;
    let NotPassed { names, unknown } = NotPassed::of(&record, catalog, ledger);
    if let Some(first) = unknown.first() {
        eprintln!(
            "note: {} of the scenarios that did not pass in {shown} are unknown to this suite, \
             first {first}",
            unknown.len()
        );
    }
    if names.is_empty() {
        return Err(match record.complaints.first() {
            Some(complaint) => format!(
                "no scenario has to be run again: the conclusion of {shown} comes from the router \
                 file ({complaint})"
            ),
            None if unknown.is_empty() => {
                format!("no scenario has to be run again: each one passed in {shown}")
            }
            None => format!("what did not pass in {shown} is unknown to this suite"),
        });
    }
    let selected = selection.of(&catalog.cases, ledger)?;
    let filters: BTreeSet<_> =
        selected.into_iter().map(|case| case.name).filter(|name| names.contains(name)).collect();
    if filters.is_empty() {
        return Err(format!(
            "none of the {} scenarios that did not pass in {shown} is selected",
            names.len()
        ));
    }
    let filters = filters.into_iter().collect();
    let features = selection.features.clone();
    let selection = Selection { features, filters, ..Selection::default() };
    Ok(Chosen { selection, seed: Some(record.run.seed) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `--failed-from` selects scenarios by name, and a filter is a part of a name.
    #[test]
    fn no_name_of_a_scenario_is_a_part_of_another() {
        let catalog = Catalog::embedded();
        for case in &catalog.cases {
            let same = catalog.cases.iter().filter(|other| other.matches(&case.name));
            assert_eq!(same.count(), 1, "{}", case.name);
        }
    }
}
