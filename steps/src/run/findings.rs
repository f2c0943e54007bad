//! What the Then steps of a case found, up to its verdict.

use std::sync::Arc;
use std::time::Duration;

use crate::catalog::{BoundCheck, Case};
use crate::exchange::{Comparison, observe};
use crate::judge::{self, Awaited, Rests, Wrong};
use crate::ledger::{Ledger, RequirementId};
use crate::plan::{RouterSettings, ScenarioPlan};
use crate::steps::CheckResult;
use crate::trace::Trace;
use crate::verdict::{Finding, Verdict};

/// The requirement on a router's process: it becomes ready, follows its `listen`, stops, and frees
/// its address.
pub const PROCESS: &str = "Z-39";

/// What the Then steps of a case found.
#[derive(Default)]
pub(super) struct Findings {
    findings: Vec<Finding>,
    /// Responses that did not come, of checks of what must be absent from them.
    unanswered: Vec<Finding>,
    /// The shortest limit that ended a wait: what steps found may follow from that.
    waited: Option<Duration>,
    exchanges: Vec<(Option<usize>, Comparison)>,
}

impl Findings {
    /// Lets checks judge a trace.
    pub(super) fn judged_by(checks: &[BoundCheck], trace: &Trace, plan: &ScenarioPlan) -> Self {
        let mut findings = Self { waited: shortest_wait(trace, plan), ..Self::default() };
        for BoundCheck { step, proves, check } in checks {
            findings.add(*step, proves, check(trace, plan));
        }
        findings
    }

    /// Adds what the step at this position found, which proves this requirement.
    fn add(&mut self, step: usize, proves: &RequirementId, result: CheckResult) {
        let finding = |requirement, message, rests_on| Finding {
            requirement,
            step: Some(step),
            message,
            rests_on,
        };
        let waited = self.waited;
        let comparison = match result {
            CheckResult::Proof(Ok(())) => return,
            CheckResult::Proof(Err(Wrong { message, rests })) => {
                let rests_on = match rests {
                    Rests::OnTheScenario => waited,
                    Rests::OnTime(bound) => Some(bound),
                    Rests::OnTheMachine => Some(Duration::ZERO),
                    Rests::OnArrivals => None,
                    Rests::OnNoResponse => {
                        self.unanswered.push(finding(proves.clone(), message, waited));
                        return;
                    }
                };
                self.findings.push(finding(proves.clone(), message, rests_on));
                return;
            }
            CheckResult::Violations(violations) => {
                let violations = violations.into_iter();
                self.findings.extend(violations.map(|(id, message)| finding(id, message, waited)));
                return;
            }
            CheckResult::Comparison(comparison) => *comparison,
        };
        let violations = comparison.choices.iter().chain(&comparison.divergence);
        for violation in violations {
            let requirement = violation.requirement.clone().unwrap_or_else(|| proves.clone());
            self.findings.push(finding(requirement, violation.why.clone(), waited));
        }
        self.exchanges.push((Some(step), comparison));
    }

    /// Adds what is judged in every case with a router, unless a step has found the same.
    pub(super) fn add_of_every_request(&mut self, trace: &Trace) {
        for (requirement, message) in judge::every_request(trace) {
            let Ok(requirement) = requirement.parse() else { continue };
            if self.findings.iter().all(|finding| finding.requirement != requirement) {
                let finding = without_step(requirement, message);
                self.findings.push(Finding { rests_on: self.waited, ..finding });
            }
        }
    }

    /// Adds why the scenario could not go on, under its main requirement. It must not pass because
    /// its checks happen to hold, and what they found must not hide the interruption.
    pub(super) fn add_interruption(&mut self, case: &Case, why: &str) {
        let waited = self.waited;
        self.findings.extend(case.requirements.first().map(|id| Finding {
            rests_on: waited,
            ..without_step(id.clone(), format!("the scenario could not go on: {why}"))
        }));
    }

    /// Adds that routers died, before everything else: what the checks found follows from it.
    pub(super) fn add_deaths(&mut self, deaths: Vec<String>) {
        let Ok(requirement) = PROCESS.parse::<RequirementId>() else { return };
        let finding = |message| without_step(requirement.clone(), message);
        self.findings.splice(..0, deaths.into_iter().map(finding));
    }

    /// Weighs the findings of a run with this worst stall of the machine. A response that did not
    /// come is one finding: that of a check which asks for it, and otherwise the first of those
    /// that ask what must be absent from it.
    pub(super) fn verdict(
        mut self,
        trace: Arc<Trace>,
        stall: Duration,
        ledger: &Ledger,
    ) -> Verdict {
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
            ..Verdict::weigh(self.findings, stall, ledger)
        }
    }
}

/// A finding that no step made, and that rests on what arrived.
pub(super) fn without_step(requirement: RequirementId, message: String) -> Finding {
    Finding { requirement, step: None, message, rests_on: None }
}

/// The shortest limit of time, of the suite or of the router, that ended a wait: what came later
/// than that, or not at all, may follow from it. A time to live that the scenario shortens counts
/// as well: an entry may have expired. None if no wait ended so.
fn shortest_wait(trace: &Trace, plan: &ScenarioPlan) -> Option<Duration> {
    let settings = &plan.settings;
    let gave_up = trace.users.iter().enumerate().filter_map(|(user, request)| {
        let limit_ms = match judge::gave_up(trace, user, request)? {
            Awaited::Connection => settings.connect_timeout_ms,
            Awaited::Response => settings.response_timeout_ms,
        };
        Some(Duration::from_millis(limit_ms))
    });
    let is_short = settings.ttl_ms < RouterSettings::default().ttl_ms;
    let expires = is_short.then(|| Duration::from_millis(settings.ttl_ms));
    gave_up.chain(expires).chain(trace.waited_ms.map(Duration::from_millis)).min()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{Catalog, Source};
    use crate::report::{Screen, describe, sample};
    use crate::trace::NoResponse;
    use crate::trace::made::{CLOSED, Made, TIMED_OUT};
    use crate::verdict::{Outcome, OutcomeWord};

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
        let verdict = findings.verdict(Arc::default(), Duration::ZERO, ledger);

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
                let message = "anna has no response".to_owned();
                let none = Wrong { message, rests: Rests::OnNoResponse };
                findings.add(9, &id.parse().unwrap(), CheckResult::Proof(Err(none)));
            }
            let verdict = findings.verdict(Arc::default(), Duration::ZERO, ledger);
            let ids = verdict.findings.iter().map(|finding| finding.requirement.to_string());
            ids.collect::<Vec<_>>()
        };
        assert_eq!(found(&["Z-35"], &["BF-03", "Z-58"]), ["Z-35"]);
        assert_eq!(found(&[], &["Z-03", "Z-37", "Z-22"]), ["Z-37"]);
        // A warning does not hide it.
        assert_eq!(found(&["Z-03"], &["Z-37"]), ["Z-03", "Z-37"]);
    }

    /// The verdict of a visit that this check finds fault with, in a run with this stall.
    fn judged(trace: Trace, result: CheckResult, stall: u64) -> (OutcomeWord, usize) {
        judged_with(RouterSettings::default().ttl_ms, trace, result, stall)
    }

    /// The verdict as from [`judged`], with this lifetime of entries in milliseconds.
    fn judged_with(
        ttl_ms: u64,
        trace: Trace,
        result: CheckResult,
        stall: u64,
    ) -> (OutcomeWord, usize) {
        let catalog = Catalog::load([Source { path: "a.feature", text: FEATURE }]);
        let mut plan = ScenarioPlan::documents(catalog.cases[0].protocol);
        plan.settings.ttl_ms = ttl_ms;
        let mut findings = Findings::judged_by(&[], &trace, &plan);
        findings.add(2, &"BF-03".parse().unwrap(), result);
        let stall = Duration::from_millis(stall);
        let verdict = findings.verdict(Arc::new(trace), stall, Ledger::embedded());
        (verdict.outcome.word(), verdict.findings.len())
    }

    /// A visit that ended so: a cell was reached or not.
    fn visit(reaches: bool, got: Result<(u16, &str), NoResponse>) -> Trace {
        let mut made = Made::default();
        let user = made.sends("anna", "/a");
        if reaches {
            made.reaches(user, "cell_eu0");
        }
        made.gets(user, got);
        made.trace
    }

    #[test]
    fn a_stall_explains_what_a_limit_of_time_ended_and_no_other_finding() {
        let failed = |result: &str| CheckResult::from(Err::<(), _>(result.to_owned()));
        let busy = (OutcomeWord::CouldNotRun, 0);
        let blamed = (OutcomeWord::Failed, 1);
        let cases = [
            // The suite waited for 20 s.
            (visit(true, Err(TIMED_OUT)), 5_000),
            // The router waited for a response for 5 s, or for a connection for 1 s.
            (visit(true, Ok((504, ""))), 1_250),
            (visit(false, Ok((502, ""))), 250),
            (visit(true, Err(CLOSED)), 1_250),
        ];
        for (trace, part) in cases {
            assert_eq!(judged(trace.clone(), failed("no page"), part), blamed, "{trace:?}");
            assert_eq!(judged(trace.clone(), failed("no page"), part + 1), busy, "{trace:?}");
            // What a cell got came to it, whatever took long.
            let arrived = CheckResult::Proof(Err(Wrong::arrived("twice".to_owned())));
            assert_eq!(judged(trace, arrived, 60_000), blamed);
        }
        let page = visit(true, Ok((200, "another page")));
        assert_eq!(judged(page.clone(), failed("another page"), 60_000), blamed);
        // An entry of two seconds may have expired.
        assert_eq!(judged_with(2_000, page.clone(), failed("no hit"), 500), blamed);
        assert_eq!(judged_with(2_000, page.clone(), failed("no hit"), 501), busy);
        let late = |bound| Wrong { message: "late".to_owned(), rests: Rests::OnTime(bound) };
        let late = |ms| CheckResult::Proof(Err(late(Duration::from_millis(ms))));
        assert_eq!(judged(page.clone(), late(4_000), 1_000), blamed);
        assert_eq!(judged(page, late(4_000), 1_001), busy);
    }
}
