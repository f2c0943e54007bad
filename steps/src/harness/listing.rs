//! Messages of a test program about its list of tests.

use std::collections::BTreeMap;

use crate::catalog::{Case, is_own};
use crate::engine::claims::Claims;
use crate::engine::counted;
use crate::engine::record::KnownFailure;

/// The known failures that match no case which applies to the router.
pub(super) fn stale_entries(claims: &Claims, cases: &[Case]) -> Vec<String> {
    let matches = |entry: &&KnownFailure| {
        let mut matching = cases.iter().filter(|case| entry.matches(&case.name, case.protocol));
        matching.any(|case| claims.not_applicable(case).is_none())
    };
    // A test program has the suite's scenarios alone.
    let of_suite = claims.known_failures.iter().filter(|entry| !is_own(&entry.scenario));
    let stale = of_suite.filter(|entry| !matches(entry));
    let complaint = |entry: &KnownFailure| {
        format!(
            "the known failure `{}` matches no scenario that applies to this router: remove the \
             entry",
            entry.scenario
        )
    };
    stale.map(complaint).collect()
}

/// The reasons for which cases are ignored, each with a count.
pub(super) fn reasons(reasons: &[String]) -> Vec<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for reason in reasons {
        *counts.entry(reason).or_default() += 1;
    }
    let line = |(reason, count)| {
        format!("not applicable, ignored: {}, {reason}", counted(count, "scenario"))
    };
    counts.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;
    use crate::router_file::RouterFile;

    #[test]
    fn an_entry_must_match_a_scenario_that_applies_to_the_router() {
        let entry = |scenario: &str| {
            format!(
                "[[known_failure]]\nscenario = \"{scenario}\"\nreason = \"young\"\nlink = \"/1\"\n"
            )
        };
        let entries =
            ["journeys::*", "no::such::scenario", "protocol::buffering::*"].map(entry).concat();
        let head = "name = \"r\"\ncommand = [\"r\"]\nprotocols = [\"learning\"]\n";
        let file = RouterFile::parse(&format!("{head}{entries}")).unwrap();
        let stale = stale_entries(&(&file).into(), &Catalog::embedded().cases);
        assert_eq!(stale.len(), 2, "{stale:?}");
        assert!(stale[0].contains("no::such::scenario"), "{stale:?}");
        assert!(stale[1].contains("protocol::buffering"), "{stale:?}");
    }

    #[test]
    fn reasons_are_counted() {
        let lines = reasons(&["a".to_owned(), "b".to_owned(), "a".to_owned()]);
        assert!(lines.len() == 2 && lines[0].contains("2 scenarios, a"), "{lines:?}");
    }
}
