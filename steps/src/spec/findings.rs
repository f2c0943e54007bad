//! The first page for those who decide: what matters most about the proposals, and what became of
//! them.

use maud::{Markup, html};

use super::decisions::{Decisions, decision_link};
use super::review::{Scenarios, linked};
use super::spec_page;
use crate::report::page::table;

const TITLE: &str = "What the proposals leave wrong, and what became of them";

pub(super) fn page(decisions: &Decisions, scenarios: &Scenarios) -> String {
    let content = html! {
        header { h1 { (TITLE) } }
        p {
            "Ten lines for those who decide, the weightiest first. The "
            a href="review.html" { "review" } " has the entries behind them, with their places in \
             the documents, and all others."
        }
        (table("tw", &["Finding", "What happens to whom", "Scenario"], &html! {
            @for finding in &decisions.findings {
                "\n"
                tr {
                    th scope="row" {
                        (finding.title) br;
                        small { (finding.of) } " "
                        @for id in finding.rests_on.iter() {
                            @if let Some(one) = decisions.find(id) { (decision_link(one)) }
                        }
                    }
                    td { (linked(&finding.says)) }
                    td { (scenarios.link(&finding.shown_by)) }
                }
            }
        }))
        h2 id="became" { "What became of them" }
        (became(decisions, scenarios))
    };
    spec_page(TITLE, &content)
}

fn became(decisions: &Decisions, scenarios: &Scenarios) -> Markup {
    html! {
        p {
            "GitLab rejected both router proposals in favor of the routing service: a router with \
             static rules, which asks a Topology Service and not the cells. The documents promise \
             the reasons and have none; later texts have these. Next to each reason is what this \
             suite shows about it."
        }
        (table("tw", &["Reason", "What is shown here", "Scenario"], &html! {
            @for reason in &decisions.reasons {
                "\n"
                tr {
                    th scope="row" { (reason.says) br; small { (reason.of) } }
                    td { (linked(&reason.shown)) }
                    td { (scenarios.link(&reason.shown_by)) }
                }
            }
        }))
        p {
            "Of the four ways for ids a form of the third, ranges, was taken. The Topology Service \
             gives each cell a range when the cell is set up, and operators add one before it is \
             used up: no insert waits for a central place. In the "
            a href="review.html#proofs" { "models" } " of this suite ids from ranges are unique, \
             lead to the wrong cell after a move, and to the right one with a table of the rows \
             that moved."
        }
        p { "The texts in which GitLab says so; no sentence of them is quoted here:" }
        ul.links {
            @for source in &decisions.sources {
                li {
                    a href=(source.address) { (source.title) } ": " (source.place) " "
                    small { "(" (linked(&source.version)) ")" }
                }
            }
        }
        p {
            "The handbook is licensed under CC BY-SA 4.0. The routing service itself is not among \
             the documents of this suite."
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{Kind, Severity};

    #[test]
    fn ten_findings_rest_on_serious_decisions() {
        let decisions = Decisions::embedded();
        assert_eq!(decisions.findings.len(), 10);
        for id in decisions.findings.iter().flat_map(|one| &one.rests_on) {
            let decision = decisions.find(id).unwrap();
            assert_eq!(decision.severity, Severity::Serious, "{id}");
            assert!(matches!(decision.kind, Kind::DesignFault | Kind::Gap), "{id}");
        }
    }

    #[test]
    fn each_source_has_an_address_and_what_was_read() {
        for source in &Decisions::embedded().sources {
            assert!(source.address.contains("gitlab.com/"), "{source:?}");
            assert!(source.version.contains("commit "), "{source:?}");
        }
        assert!(!Decisions::embedded().reasons.is_empty());
    }
}
