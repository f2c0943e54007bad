//! The scenarios that decisions name, and where they stand on the other pages.

use std::collections::BTreeMap;

use maud::{Markup, html};

use crate::catalog::{Case, Catalog, without_protocol};
use crate::spec::book::{Book, Location};
use crate::spec::decisions::{Decision, Decisions};
use crate::spec::proofs::Proofs;
use crate::steps::{self, Role};

/// The scenarios that decisions name, by these names, and whether each has a drawing.
pub(in crate::spec) struct Scenarios(BTreeMap<String, (Location, bool)>);

impl Scenarios {
    /// Looks up all that are named. A test holds that each of them exists.
    pub(in crate::spec) fn named_by(decisions: &Decisions, catalog: &Catalog, book: &Book) -> Self {
        // Both protocols of a scenario stand in one place.
        let proposals = Catalog::proposals();
        let all = catalog.cases.iter().chain(&proposals.cases);
        let cases: BTreeMap<_, _> = all.map(|case| (without_protocol(&case.name), case)).collect();
        let found = named(decisions).filter_map(|(_, name)| {
            let case = cases.get(name)?;
            let at = book.find(&case.file, case.line())?;
            Some((name.to_owned(), (at, is_drawn(case))))
        });
        Self(found.collect())
    }

    pub(in crate::spec) fn link(&self, name: &str) -> Markup {
        html! {
            @if let Some((at, is_drawn)) = self.0.get(name) {
                (at.shown()) @if *is_drawn { small { ", with its drawing" } }
            }
        }
    }

    pub(super) fn links(&self, decision: &Decision) -> Markup {
        html! {
            @for name in &decision.shown_by { div { (self.link(name)) } }
        }
    }
}

fn is_drawn(case: &Case) -> bool {
    case.steps
        .iter()
        .any(|step| steps::find(step).is_ok_and(|found| found.meaning.is(Role::Exchange)))
}

/// The names of scenarios, each with who names it.
fn named(decisions: &Decisions) -> impl Iterator<Item = (&str, &str)> {
    let by_decisions = decisions.all().iter().flat_map(|decision| {
        decision.shown_by.iter().map(|name| (decision.id.as_str(), name.as_str()))
    });
    let by_findings = decisions.findings.iter().map(|one| (&*one.title, &*one.shown_by));
    let by_reasons = decisions.reasons.iter().map(|one| (&*one.says, &*one.shown_by));
    let by_proofs = Proofs::embedded().scenarios().map(|name| ("fixtures/proofs.json", name));
    by_decisions.chain(by_findings).chain(by_reasons).chain(by_proofs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scenario_that_is_named_exists() {
        let (decisions, book) = (Decisions::embedded(), Book::embedded().unwrap());
        let Scenarios(found) = Scenarios::named_by(decisions, &Catalog::embedded(), &book);
        for (by, name) in named(decisions) {
            let hint = "`cells-conformance list` prints the names, here without [protocol]";
            assert!(found.contains_key(name), "{by}, shown_by: no scenario {name}; {hint}");
        }
    }
}
