//! What decisions must have, and whether what they name exists.

use std::collections::BTreeSet;

use super::{Decision, Decisions};
use crate::catalog::documents::Documents;
use crate::spec::assessment::Kind;

/// Why a text is not a list of decisions.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DecisionsError {
    /// Not TOML, or a member is missing, unknown or of a wrong type.
    #[error("not a list of decisions: {0}")]
    Malformed(String),
    /// Written for another version of this program.
    #[error("version {0} of the format of decisions, but this program reads version 1")]
    Version(u32),
    /// Two decisions have this id.
    #[error("{0} appears twice: give the later one the next free number")]
    Twice(String),
    /// A place that no document has.
    #[error("{id}, where: {why}; fixtures/documents.toml lists what there is")]
    Place {
        /// The decision.
        id: String,
        /// What is missing.
        why: String,
    },
    /// A decision lacks a member that its kind needs, or has one that it must not have.
    #[error("{id}: {what}")]
    Incomplete {
        /// The decision.
        id: String,
        /// What is wrong, and what to do.
        what: &'static str,
    },
    /// A recommendation or a finding names no decision that it follows from, names one that does not
    /// exist, or names a choice of this suite.
    #[error("\"{title}\": {why}")]
    Baseless {
        /// Its title.
        title: String,
        /// What is wrong, and what to do.
        why: String,
    },
    /// A decision names a scenario that does not exist.
    #[error(
        "{id}, shown_by: no scenario {name}; `cells-conformance list` prints the names, here \
         without [protocol]"
    )]
    Scenario {
        /// The decision.
        id: String,
        /// The name.
        name: String,
    },
}

impl Decisions {
    pub(super) fn check(&self, documents: &Documents) -> Result<(), DecisionsError> {
        let mut seen = BTreeSet::new();
        if let Some(twice) = self.decisions.iter().find(|decision| !seen.insert(&decision.id)) {
            return Err(DecisionsError::Twice(twice.id.clone()));
        }
        self.decisions.iter().try_for_each(|decision| decision.check(documents))?;
        let recommended = self.recommendations.iter().map(|one| (&one.title, &one.rests_on));
        let found = self.findings.iter().map(|one| (&one.title, &one.rests_on));
        recommended.chain(found).try_for_each(|(title, ids)| self.check_basis(title, ids))
    }

    fn check_basis(&self, title: &str, rests_on: &[String]) -> Result<(), DecisionsError> {
        let baseless = |why| Err(DecisionsError::Baseless { title: title.to_owned(), why });
        if rests_on.is_empty() {
            return baseless("name in rests_on the decisions that it is drawn from".to_owned());
        }
        for id in rests_on {
            match self.find(id) {
                None => return baseless(format!("there is no decision {id}: mend rests_on")),
                Some(decision) if decision.kind == Kind::Choice => {
                    return baseless(format!(
                        "{id} is a choice of this suite, and says nothing about the documents: \
                         take it out of rests_on"
                    ));
                }
                Some(_) => {}
            }
        }
        Ok(())
    }
}

impl Decision {
    fn check(&self, documents: &Documents) -> Result<(), DecisionsError> {
        let missing = self.places.iter().find_map(|place| documents.missing(&place.0));
        if let Some(why) = missing {
            return Err(DecisionsError::Place { id: self.id.clone(), why });
        }
        let is_choice = self.kind == Kind::Choice;
        let what = if !is_choice && self.places.is_empty() {
            "where is empty: name the places that it is about, or make it a choice"
        } else if !is_choice && self.should_say.is_none() {
            "should_say is missing: write what the document should say, or make it a choice"
        } else if is_choice && self.should_say.is_some() {
            "a choice has no should_say: remove it, or give it another kind"
        } else if self.kind == Kind::Contradiction && self.otherwise.is_none() {
            "a contradiction has two readings: write the other one in otherwise"
        } else {
            return Ok(());
        };
        Err(DecisionsError::Incomplete { id: self.id.clone(), what })
    }
}
