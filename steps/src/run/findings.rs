//! What the Then steps of a case found, up to its verdict.

use std::sync::Arc;

use super::ready::ReadyCheck;
use crate::catalog::Case;
use crate::exchange::{Comparison, observe};
use crate::judge;
use crate::ledger::{Ledger, RequirementId};
use crate::plan::ScenarioPlan;
use crate::steps::CheckResult;
use crate::trace::Trace;
use crate::verdict::{Finding, Verdict};

/// The requirement on a router's process: it becomes ready, follows its `listen`, stops, and frees
/// its address.
pub const PROCESS: &str = "Z-39";

/// The requirement on everything that a router sends to cells: users' requests, and what they need.
/// It is judged in every case with a router.
const UNSOLICITED: &str = "Z-75";

/// What the Then steps of a case found.
#[derive(Default)]
pub(super) struct Findings {
    findings: Vec<Finding>,
    /// Responses that did not come, of checks of what must be absent from them.
    unanswered: Vec<Finding>,
    exchanges: Vec<(Option<usize>, Comparison)>,
}

impl Findings {
    /// Lets checks judge a trace.
    pub(super) fn of(checks: Vec<ReadyCheck>, trace: &Trace, plan: &ScenarioPlan) -> Self {
        let mut findings = Self::default();
        for ReadyCheck { step, proves, check } in checks {
            findings.add(step, &proves, check(trace, plan));
        }
        findings
    }

    /// Adds what the step at this position found, which proves this requirement.
    fn add(&mut self, step: usize, proves: &RequirementId, result: CheckResult) {
        let step = Some(step);
        let comparison = match result {
            CheckResult::Proof(Ok(())) => return,
            CheckResult::Proof(Err(message)) => {
                let requirement = proves.clone();
                self.findings.push(Finding { requirement, step, message, comparison: None });
                return;
            }
            CheckResult::NoResponse(message) => {
                let requirement = proves.clone();
                self.unanswered.push(Finding { requirement, step, message, comparison: None });
                return;
            }
            CheckResult::Violations(violations) => {
                self.findings.extend(violations.into_iter().map(|(requirement, message)| {
                    Finding { requirement, step, message, comparison: None }
                }));
                return;
            }
            CheckResult::Comparison(comparison) => *comparison,
        };
        let violations = comparison.choices.iter().chain(&comparison.divergence);
        for violation in violations {
            self.findings.push(Finding {
                requirement: violation.requirement.clone().unwrap_or_else(|| proves.clone()),
                step,
                message: violation.why.clone(),
                comparison: Some(Comparison {
                    divergence: Some(violation.clone()),
                    ..comparison.clone()
                }),
            });
        }
        self.exchanges.push((step, comparison));
    }

    /// Adds what no user's request explains, unless a step has found it.
    pub(super) fn add_unsolicited(&mut self, trace: &Trace) {
        let Ok(requirement) = UNSOLICITED.parse() else { return };
        if self.findings.iter().any(|finding| finding.requirement == requirement) {
            return;
        }
        if let Err(message) = judge::nothing_unsolicited(trace) {
            self.findings.push(Finding { requirement, step: None, message, comparison: None });
        }
    }

    /// Adds why the scenario could not go on, under its main requirement. It must not pass because
    /// its checks happen to hold, and what they found must not hide the interruption.
    pub(super) fn add_interruption(&mut self, case: &Case, why: &str) {
        self.findings.extend(case.requirements.first().map(|id| Finding {
            requirement: id.clone(),
            step: None,
            message: format!("the scenario could not go on: {why}"),
            comparison: None,
        }));
    }

    /// Adds that routers died, before everything else: what the checks found follows from it.
    pub(super) fn add_deaths(&mut self, deaths: Vec<String>) {
        let Ok(requirement) = PROCESS.parse::<RequirementId>() else { return };
        let finding = |message| Finding {
            requirement: requirement.clone(),
            step: None,
            message,
            comparison: None,
        };
        self.findings.splice(..0, deaths.into_iter().map(finding));
    }

    /// Weighs the findings. A response that did not come is one finding: that of a check which asks
    /// for it, and otherwise the first of those that ask what must be absent from it.
    pub(super) fn verdict(mut self, trace: Arc<Trace>, ledger: &Ledger) -> Verdict {
        let level = |finding: &Finding| ledger.level(&finding.requirement);
        let strongest = std::mem::take(&mut self.unanswered).into_iter().min_by_key(level);
        let is_weaker =
            |finding: &Finding| self.findings.iter().all(|other| level(other) > level(finding));
        self.findings.extend(strongest.filter(is_weaker));
        if self.exchanges.is_empty() {
            self.exchanges.push((None, observe(&trace)));
        }
        Verdict {
            exchanges: self.exchanges,
            trace: Some(trace),
            ..Verdict::weigh(self.findings, ledger)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{Catalog, Source};
    use std::time::Duration;

    use crate::report::{Screen, describe, sample};
    use crate::verdict::Outcome;

    const FEATURE: &str = concat!(
        "Feature: F\n\n  @buffering @req:BF-03 @req:Z-03\n  Scenario: a request is sent once\n",
        "    Given a cold EU router\n    When anna visits \"/a\"\n",
        "    Then the router retried no request (Z-03)\n",
        "    And the router retried no request (BF-03)\n",
    );

    #[test]
    fn an_interruption_stands_beside_what_the_checks_found() {
        let catalog = Catalog::load([Source { path: "a.feature", text: FEATURE }]);
        let (case, ledger) = (&catalog.cases[0], Ledger::embedded());
        let mut findings = Findings::default();
        let proved = "Z-03".parse().unwrap();
        findings.add(2, &proved, Err("it was sent twice".to_owned()).into());
        findings.add_interruption(case, "anna has no response");
        let verdict = findings.verdict(Arc::default(), ledger);

        let found: Vec<_> = verdict.findings.iter().map(|finding| finding.step).collect();
        assert_eq!(found, [Some(2), None]);
        // The main requirement is a MUST, which the check's alone is not.
        assert_eq!(verdict.outcome, Outcome::Failed);
        let mut record = sample::report();
        record.scenarios.clear();
        record.add(case, &verdict, Duration::ZERO, Duration::ZERO, ledger);
        let text = describe(&record, &record.scenarios[0], &Screen::default());
        assert!(text.contains("step: Then the router retried no request (Z-03)"), "{text}");
        assert!(text.contains("found: it was sent twice"), "{text}");
        assert!(text.contains("the scenario could not go on: anna has no response"), "{text}");
    }

    #[test]
    fn a_response_that_did_not_come_is_one_finding() {
        let ledger = Ledger::embedded();
        let found = |others: &[&str], absent: &[&str]| {
            let mut findings = Findings::default();
            for (step, id) in others.iter().enumerate() {
                findings.add(step, &id.parse().unwrap(), Err("no response".to_owned()).into());
            }
            for id in absent {
                let none = CheckResult::NoResponse("anna has no response".to_owned());
                findings.add(9, &id.parse().unwrap(), none);
            }
            let verdict = findings.verdict(Arc::default(), ledger);
            let ids = verdict.findings.iter().map(|finding| finding.requirement.to_string());
            ids.collect::<Vec<_>>()
        };
        assert_eq!(found(&["Z-35"], &["BF-03", "Z-58"]), ["Z-35"]);
        assert_eq!(found(&[], &["Z-03", "Z-37", "Z-22"]), ["Z-37"]);
        // A warning does not hide it.
        assert_eq!(found(&["Z-03"], &["Z-37"]), ["Z-03", "Z-37"]);
    }

    #[test]
    fn steps_of_one_text_are_told_apart_by_their_positions() {
        let catalog = Catalog::load([Source {
            path: "a.feature",
            text: &FEATURE.replace("(BF-03)", "(Z-03)").replace("@req:BF-03 ", ""),
        }]);
        let case = &catalog.cases[0];
        assert_eq!(case.step_text(2)[5..], case.step_text(3)[4..]);
        let mut findings = Findings::default();
        findings.add(3, &case.requirements[0], Err("it was sent twice".to_owned()).into());
        let verdict = findings.verdict(Arc::default(), Ledger::embedded());
        assert_eq!(verdict.findings[0].step, Some(3));
    }
}
