//! What decisions must have, and whether what they name exists.

use std::collections::BTreeSet;

use super::{Decision, Decisions};
use crate::catalog::documents::Documents;
use crate::spec::assessment::Kind;

impl Decisions {
    pub(super) fn check(&self, documents: &Documents) -> Result<(), String> {
        let mut seen = BTreeSet::new();
        if let Some(twice) = self.decisions.iter().find(|decision| !seen.insert(&decision.id)) {
            let id = &twice.id;
            return Err(format!("{id} appears twice: give the later one the next free number"));
        }
        self.decisions.iter().try_for_each(|decision| decision.check(documents))?;
        let recommended = self.recommendations.iter().map(|one| (&one.title, &one.rests_on));
        let found = self.findings.iter().map(|one| (&one.title, &one.rests_on));
        recommended.chain(found).try_for_each(|(title, ids)| self.check_basis(title, ids))
    }

    fn check_basis(&self, title: &str, rests_on: &[String]) -> Result<(), String> {
        if rests_on.is_empty() {
            let what = "name in rests_on the decisions that it is drawn from";
            return Err(format!("\"{title}\": {what}"));
        }
        for id in rests_on {
            match self.find(id) {
                None => {
                    return Err(format!("\"{title}\": there is no decision {id}: mend rests_on"));
                }
                Some(decision) if decision.kind == Kind::Choice => {
                    return Err(format!(
                        "\"{title}\": {id} is a choice of this suite, and says nothing about the \
                         documents: take it out of rests_on"
                    ));
                }
                Some(_) => {}
            }
        }
        Ok(())
    }
}

impl Decision {
    fn check(&self, documents: &Documents) -> Result<(), String> {
        let missing = self.places.iter().find_map(|place| documents.missing(&place.0));
        if let Some(why) = missing {
            let place = "fixtures/documents.toml lists what there is";
            return Err(format!("{}, where: {why}; {place}", self.id));
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
        Err(format!("{}: {what}", self.id))
    }
}
