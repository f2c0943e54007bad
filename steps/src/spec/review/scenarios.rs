//! The scenarios that decisions name, and where they stand on the other pages.

use std::collections::BTreeMap;

use maud::{Markup, html};

use crate::catalog::{Case, Catalog};
use crate::spec::book::Book;
use crate::spec::decisions::{Decision, Decisions};
use crate::spec::proofs::Proofs;
use crate::steps::{self, Role};

/// What the pages say of one scenario.
struct Scenario {
    link: String,
    title: String,
    feature: String,
    is_drawn: bool,
}

/// The scenarios that decisions name, by these names.
pub(in crate::spec) struct Scenarios(BTreeMap<String, Scenario>);

impl Scenarios {
    /// Looks up all that are named.
    ///
    /// # Errors
    ///
    /// If one of them is not in the catalog.
    pub(in crate::spec) fn named_by(
        decisions: &Decisions,
        catalog: &Catalog,
        book: &Book,
    ) -> Result<Self, String> {
        // Both protocols of a scenario stand in one place.
        let proposals = Catalog::proposals();
        let all = catalog.cases.iter().chain(&proposals.cases);
        let cases: BTreeMap<_, _> = all.map(|case| (without_protocol(&case.name), case)).collect();
        let by_decisions = decisions.all().iter().flat_map(|decision| {
            decision.shown_by.iter().map(|name| (decision.id.as_str(), name.as_str()))
        });
        let by_findings = decisions.findings.iter().map(|one| (one.title.as_str(), &one.shown_by));
        let by_reasons = decisions.reasons.iter().map(|one| (one.says.as_str(), &one.shown_by));
        let named = by_findings.chain(by_reasons).map(|(what, name)| (what, name.as_str()));
        let by_proofs = Proofs::embedded().scenarios().map(|name| ("fixtures/proofs.json", name));
        let mut found = BTreeMap::new();
        for (id, name) in by_decisions.chain(named).chain(by_proofs) {
            let case = cases.get(name);
            let link = case.and_then(|case| book.link(&case.file, case.line()));
            let (Some(case), Some(link)) = (case, link) else {
                return Err(format!(
                    "{id}, shown_by: no scenario {name}; `cells-conformance list` prints the \
                     names, here without [protocol]"
                ));
            };
            found.insert(name.to_owned(), Scenario::of(case, link));
        }
        Ok(Self(found))
    }

    /// A link to one of them.
    pub(in crate::spec) fn link(&self, name: &str) -> Markup {
        html! {
            @if let Some(scenario) = self.0.get(name) {
                a href=(scenario.link) { (scenario.title) } " "
                small { (scenario.feature) @if scenario.is_drawn { ", with its drawing" } }
            }
        }
    }

    /// Links to those of one decision.
    pub(super) fn links(&self, decision: &Decision) -> Markup {
        html! {
            @for name in &decision.shown_by { div { (self.link(name)) } }
        }
    }
}

impl Scenario {
    fn of(case: &Case, link: String) -> Self {
        let is_exchange =
            |step| steps::find(step).is_ok_and(|found| found.meaning.is(Role::Exchange));
        Self {
            link,
            title: case.title.clone(),
            feature: case.feature.clone(),
            is_drawn: case.steps.iter().any(is_exchange),
        }
    }
}

fn without_protocol(name: &str) -> &str {
    name.rsplit_once('[').map_or(name, |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::documents::Documents;

    #[test]
    fn a_scenario_that_does_not_exist_is_an_error_that_says_where_names_are() {
        let decisions = |name: &str| {
            let text = format!(
                "version = 1\n[[decision]]\nid = \"A-01\"\nkind = \"choice\"\nseverity = \
                 \"minor\"\ncause = \"wording\"\nunclear = \"?\"\nreading = \".\"\nleads_to = \
                 \".\"\nsuite = \"strict\"\nshown_by = [\"{name}\"]\n"
            );
            Decisions::parse(&text, Documents::embedded()).unwrap()
        };
        let (catalog, book) = (Catalog::embedded(), Book::embedded().unwrap());
        let found = |name: &str| Scenarios::named_by(&decisions(name), &catalog, &book);
        let name = without_protocol(&catalog.cases[0].name);
        assert!(found(name).is_ok());
        for unknown in [&catalog.cases[0].name, "journeys::root", ""] {
            let said = found(unknown).err().unwrap_or_default();
            assert!(said.starts_with("A-01, shown_by: no scenario"), "{unknown}: {said}");
            assert!(said.contains("cells-conformance list"), "{said}");
        }
    }
}
