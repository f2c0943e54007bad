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

    #[test]
    fn ledger_and_features_agree() {
        let catalog = Catalog::embedded();
        let complaints = Coverage::of(&catalog).complaints(Ledger::embedded());
        assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    }
}
