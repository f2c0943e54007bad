//! Which scenarios prove which requirements, and where ledger and features disagree.

use std::collections::BTreeMap;

use crate::catalog::{Case, Catalog};
use crate::ledger::RequirementId;
#[cfg(test)]
use crate::ledger::{Ledger, Requirement};

/// The cases of a catalog by the requirements that they cite.
#[derive(Debug)]
pub struct Coverage<'a> {
    by_id: BTreeMap<&'a RequirementId, Vec<&'a Case>>,
}

impl<'a> Coverage<'a> {
    /// Reads the citations of all cases.
    pub fn of(catalog: &'a Catalog) -> Self {
        let mut by_id: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for case in &catalog.cases {
            for id in &case.requirements {
                by_id.entry(id).or_default().push(case);
            }
        }
        Self { by_id }
    }

    /// The cases that cite a requirement.
    pub fn cases(&self, id: &RequirementId) -> &[&'a Case] {
        self.by_id.get(id).map_or(&[], Vec::as_slice)
    }

    /// Where ledger and features disagree: an unknown id, a row with neither a scenario nor a
    /// reason, a stale reason.
    #[cfg(test)]
    pub fn complaints(&self, ledger: &Ledger) -> Vec<String> {
        let unknown = self.by_id.keys().filter(|id| ledger.row(id).is_none());
        let unknown = unknown.map(|id| {
            format!("{id} is cited by {}, but is not in the ledger", self.cases(id)[0].location)
        });
        unknown.chain(ledger.rows().filter_map(|row| self.complaint(row))).collect()
    }

    #[cfg(test)]
    fn complaint(&self, row: &Requirement) -> Option<String> {
        let cases = self.cases(&row.id);
        match (row.untested, cases.first()) {
            (Some(reason), Some(case)) => Some(format!(
                "{}: untested = \"{reason}\" is stale: {} tests it",
                row.id, case.location
            )),
            (None, None) => Some(format!(
                "{} ({}, {}) has neither a scenario nor a reason for having none",
                row.id, row.profile, row.level
            )),
            (Some(_), None) | (None, Some(_)) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Source;

    #[test]
    fn ledger_and_features_agree() {
        let catalog = Catalog::embedded();
        let complaints = Coverage::of(&catalog).complaints(Ledger::embedded());
        assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    }

    fn ledger(untested: &str) -> Ledger {
        ledger_of("core", "MUST", untested)
    }

    fn ledger_of(profile: &str, level: &str, untested: &str) -> Ledger {
        let row = format!("id = \"BF-03\"\nprofile = \"{profile}\"\nlevel = \"{level}\"\n");
        let rest = "documents = []\nsection = \"\"\nstatement = \"\"\n";
        Ledger::parse(&format!("[[requirement]]\n{row}{rest}{untested}")).unwrap()
    }

    const CITING: &str = concat!(
        "Feature: F\n\n  @buffering @req:BF-03\n  Scenario: a page arrives\n",
        "    Given a cold EU router\n",
        "    When anna visits \"/a\"\n    Then it is so (BF-03)\n"
    );

    #[test]
    fn every_kind_of_disagreement_is_found() {
        let citing = Catalog::load([Source { path: "a.feature", text: CITING }]);
        let silent = Catalog::default();
        let complaints = |catalog, ledger: &Ledger| Coverage::of(catalog).complaints(ledger);
        assert_eq!(complaints(&citing, &ledger("")), Vec::<String>::new());
        for (profile, level) in [("core", "MUST"), ("hardening", "SHOULD"), ("fleet", "MAY")] {
            assert!(
                complaints(&silent, &ledger_of(profile, level, ""))[0]
                    .contains("neither a scenario"),
                "{profile} {level}"
            );
        }
        assert_eq!(
            complaints(&silent, &ledger("untested = \"later work\"\n")),
            Vec::<String>::new()
        );
        assert!(complaints(&citing, &ledger("untested = \"later work\"\n"))[0].contains("stale"));
        assert!(
            complaints(&citing, &Ledger::parse("requirement = []").unwrap())[0]
                .contains("not in the ledger")
        );
    }
}
