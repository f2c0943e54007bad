//! One behaviour has one level: mutants that are caught under a MUST and under a weaker row.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::reasons::reasons;
use conformance_suite::ledger::{Ledger, Level, RequirementId};

/// Why some mutants may be caught at two levels.
static LISTED: LazyLock<BTreeMap<String, String>> =
    LazyLock::new(|| reasons(include_str!("../../fixtures/two-levels.toml")));

/// What is wrong where a mutant is caught under a MUST and under a weaker row, and no reason is
/// listed: two rows judge one behaviour, or a scenario cites a row for what another one covers.
pub(super) fn complaint<'a>(
    mutant: &str,
    ids: impl IntoIterator<Item = &'a RequirementId>,
) -> Option<String> {
    let levels = at_two_levels(ids).filter(|_| !LISTED.contains_key(mutant))?;
    Some(format!(
        "{mutant} is caught {levels}: one behaviour has one level, so cite one row for it, or say \
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

    /// The rows of the kill matrix: the mutant, and the requirements under which it is caught.
    fn matrix() -> Vec<(String, Vec<RequirementId>)> {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let text = std::fs::read_to_string(root.join("docs/kill-matrix.txt")).unwrap();
        text.lines().filter_map(|line| line.strip_prefix("caught ")).map(row).collect()
    }

    /// `BF-03 passes-the-bounce-on by 20 of 26 collateral LG-03:1 LG-05:1`
    fn row(line: &str) -> (String, Vec<RequirementId>) {
        let (own, rest) = line.trim_start().split_once(' ').unwrap();
        let name = rest.trim_start().split(' ').next().unwrap();
        let others = rest.split_once(" collateral ").map_or("", |(_, others)| others);
        let others = others.split_whitespace().map(|one| one.split(':').next().unwrap());
        let ids = [own].into_iter().chain(others).map(|id| id.parse().unwrap());
        (name.to_owned(), ids.collect())
    }

    fn mutants() -> Vec<&'static str> {
        MutantUnderTest::routers().chain(MutantUnderTest::cells()).map(|it| it.name).collect()
    }

    #[test]
    fn no_mutant_is_caught_at_two_levels_unless_a_reason_is_listed() {
        let (mut complaints, mut at_one) = (Vec::new(), BTreeSet::new());
        let matrix = matrix();
        for (mutant, ids) in &matrix {
            complaints.extend(complaint(mutant, ids));
            at_one.extend(at_two_levels(ids).is_none().then_some(mutant));
        }
        // The list is as new as the mutants; the matrix takes long to make.
        let is_new = mutants().iter().all(|name| matrix.iter().any(|(mutant, _)| mutant == name));
        let stale = LISTED.keys().filter(|mutant| is_new && at_one.contains(mutant));
        complaints.extend(stale.map(|mutant| {
            format!("{mutant} is caught at one level: take it out of fixtures/two-levels.toml")
        }));
        assert!(complaints.is_empty(), "{}", complaints.join("\n"));
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
        let (name, ids) = row(" LN-10 mirrors-writes    by  20 of  37  collateral LN-12:2 RT-08:5");
        assert_eq!(name, "mirrors-writes");
        assert_eq!(ids, ["LN-10", "LN-12", "RT-08"].map(id));
    }
}
