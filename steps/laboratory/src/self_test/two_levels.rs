//! One behavior has one level: mutants that are caught under a MUST and under a weaker row.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use conformance_suite::ledger::{Ledger, Level, RequirementId};

/// A reason, kept by hand, and the mutants for which it holds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reason {
    reason: String,
    mutants: Vec<String>,
}

/// Why some mutants may be caught at two levels.
static LISTED: LazyLock<BTreeMap<String, Vec<Reason>>> = LazyLock::new(|| {
    toml::from_str(include_str!("../../fixtures/two-levels.toml"))
        .unwrap_or_else(|error| panic!("fixtures/two-levels.toml: {error}"))
});

/// The mutants with a reason.
fn listed() -> impl Iterator<Item = &'static str> {
    let explained = LISTED.values().flatten().filter(|one| !one.reason.is_empty());
    explained.flat_map(|one| &one.mutants).map(String::as_str)
}

/// What is wrong where a mutant is caught under a MUST and under a weaker row, and no reason is
/// listed: two rows judge one behavior, or a scenario cites a row for what another one covers.
pub(super) fn complaint<'a>(
    mutant: &str,
    ids: impl IntoIterator<Item = &'a RequirementId>,
) -> Option<String> {
    let levels = at_two_levels(ids).filter(|_| !listed().any(|name| name == mutant))?;
    Some(format!(
        "{mutant} is caught {levels}: one behavior has one level, so cite one row for it, or say \
         why in fixtures/two-levels.toml"
    ))
}

/// The rows by level, if they are a MUST and a weaker one.
fn at_two_levels<'a>(ids: impl IntoIterator<Item = &'a RequirementId>) -> Option<String> {
    let ledger = Ledger::embedded();
    let (must, weaker): (Vec<_>, Vec<_>) =
        ids.into_iter().partition(|id| ledger.level(id) == Level::Must);
    let words = |ids: &[&RequirementId]| {
        let words = ids.iter().map(|id| format!("{id} ({})", ledger.level(id)));
        words.collect::<Vec<_>>().join(", ")
    };
    (!must.is_empty() && !weaker.is_empty())
        .then(|| format!("under {} and under {}", words(&must), words(&weaker)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::self_test::mutant::MutantUnderTest;

    fn mutants() -> Vec<&'static str> {
        MutantUnderTest::routers().chain(MutantUnderTest::cells()).map(|it| it.name).collect()
    }

    #[test]
    fn each_reason_is_listed_once_and_for_mutants_alone() {
        let mut names = BTreeSet::new();
        for name in listed() {
            assert!(mutants().contains(&name), "no such mutant: {name}");
            assert!(names.insert(name), "{name} has two reasons");
        }
    }
}
