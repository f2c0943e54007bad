//! One behavior has one level: mutants that are caught under a MUST and under a weaker row.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::reasons::reasons;
use conformance_suite::ledger::{Ledger, Level, RequirementId};

/// Why some mutants may be caught at two levels.
static LISTED: LazyLock<BTreeMap<String, String>> =
    LazyLock::new(|| reasons(include_str!("../../fixtures/two-levels.toml")));

/// What is wrong where a mutant is caught under a MUST and under a weaker row, and no reason is
/// listed: two rows judge one behavior, or a scenario cites a row for what another one covers.
pub(super) fn complaint<'a>(
    mutant: &str,
    ids: impl IntoIterator<Item = &'a RequirementId>,
) -> Option<String> {
    let levels = at_two_levels(ids).filter(|_| !LISTED.contains_key(mutant))?;
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
    use super::*;
    use crate::self_test::mutant::MutantUnderTest;

    fn mutants() -> Vec<&'static str> {
        MutantUnderTest::routers().chain(MutantUnderTest::cells()).map(|it| it.name).collect()
    }

    #[test]
    fn a_reason_is_listed_for_mutants_alone() {
        let unknown: Vec<_> =
            LISTED.keys().filter(|name| !mutants().contains(&name.as_str())).collect();
        assert!(unknown.is_empty(), "no such mutants: {unknown:?}");
    }

    #[test]
    fn two_levels_are_named() {
        let id = |id: &str| id.parse::<RequirementId>().unwrap();
        let (must, other, should) = (id("LN-10"), id("RT-08"), id("LN-25"));
        assert_eq!(complaint("x", [&must, &other]), None);
        assert_eq!(complaint("x", [&should]), None);
        let found = complaint("x", [&must, &other, &should]).unwrap();
        assert!(
            found.contains("under LN-10 (MUST), RT-08 (MUST) and under LN-25 (SHOULD)"),
            "{found}"
        );
    }
}
