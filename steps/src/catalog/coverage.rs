//! Which scenarios prove which requirements, and where ledger and features disagree.

use std::collections::BTreeMap;

use crate::catalog::{Case, Catalog};
use crate::ledger::RequirementId;

/// The cases of a catalog by the requirements that they cite.
#[derive(Debug)]
pub struct Coverage<'a> {
    by_id: BTreeMap<&'a RequirementId, Vec<&'a Case>>,
}

impl<'a> Coverage<'a> {
    pub fn of(catalog: &'a Catalog) -> Self {
        let mut by_id: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for case in &catalog.cases {
            for id in &case.requirements {
                by_id.entry(id).or_default().push(case);
            }
        }
        Self { by_id }
    }

    pub fn cases(&self, id: &RequirementId) -> &[&'a Case] {
        self.by_id.get(id).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::Ledger;

    /// No unknown id, no row with neither a scenario nor a reason, no stale reason.
    #[test]
    fn ledger_and_features_agree() {
        let (catalog, ledger) = (Catalog::embedded(), Ledger::embedded());
        let coverage = Coverage::of(&catalog);
        let unknown: Vec<_> = coverage.by_id.keys().filter(|id| ledger.row(id).is_none()).collect();
        assert!(unknown.is_empty(), "not in the ledger: {unknown:?}");
        for row in ledger.rows() {
            let is_tested = !coverage.cases(&row.id).is_empty();
            assert_ne!(is_tested, row.untested.is_some(), "{}, {:?}", row.id, row.untested);
        }
    }
}
