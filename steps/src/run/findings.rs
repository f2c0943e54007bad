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
use crate::verdict::{Finding, Rested, Verdict};

/// The requirement on a router's process: it becomes ready, follows its `listen`, stops, and frees
/// its address.
pub const PROCESS: &str = "Z-39";

/// What the Then steps of a case found.
pub(super) struct Findings<'a> {
    case: &'a Case,
    ledger: &'a Ledger,
    findings: Vec<Rested>,
    /// Responses that did not come, of checks of what must be absent from them.
    unanswered: Vec<Rested>,
    /// The shortest limit that ended a wait: what steps found may follow from that.
    waited: Option<Duration>,
    exchanges: Vec<(Option<usize>, Comparison)>,
}

impl<'a> Findings<'a> {
    fn new(case: &'a Case, ledger: &'a Ledger, waited: Option<Duration>) -> Self {
        let (findings, unanswered, exchanges) = Default::default();
        Self { case, ledger, findings, unanswered, waited, exchanges }
    }

    /// Lets the checks of a case judge a trace, then adds what is judged in every case with a
    /// router.
    pub(super) fn judged_by(
        (case, ledger): (&'a Case, &'a Ledger),
        checks: &[BoundCheck],
        trace: &Trace,
        plan: &ScenarioPlan,
    ) -> Self {
        let mut findings = Self::new(case, ledger, shortest_wait(trace, plan));
        for BoundCheck { step, proves, check } in checks {
            findings.add(*step, proves, check(trace, plan));
        }
        findings.add_of_every_request(trace);
        findings
    }

    /// Adds what the step at this position found, which proves this requirement.
    fn add(&mut self, step: usize, proves: &RequirementId, result: CheckResult) {
        let (case, ledger, waited) = (self.case, self.ledger, self.waited);
        let finding = |requirement, message, rests_on| {
            (Finding::new(requirement, message, ledger).at(case, step), rests_on)
        };
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
    fn add_of_every_request(&mut self, trace: &Trace) {
        for (requirement, message) in judge::every_request(trace) {
            let Ok(requirement) = requirement.parse() else { continue };
            if self.findings.iter().all(|(finding, _)| finding.requirement != requirement) {
                let finding = Finding::new(requirement, message, self.ledger);
                self.findings.push((finding, self.waited));
            }
        }
    }

    /// Adds why the scenario could not go on, under its main requirement. It must not pass because
    /// its checks happen to hold, and what they found must not hide the interruption.
    pub(super) fn add_interruption(&mut self, why: &str) {
        let Some(id) = self.case.requirements.first() else { return };
        let message = format!("the scenario could not go on: {why}");
        self.findings.push((Finding::new(id.clone(), message, self.ledger), self.waited));
    }

    /// Adds that routers died, before everything else: what the checks found follows from it.
    pub(super) fn add_deaths(&mut self, deaths: Vec<String>) {
        let Ok(requirement) = PROCESS.parse::<RequirementId>() else { return };
        let finding = |message| (Finding::new(requirement.clone(), message, self.ledger), None);
        self.findings.splice(..0, deaths.into_iter().map(finding));
    }

    /// Weighs the findings of a run with this worst stall of the machine. A response that did not
    /// come is one finding: that of a check which asks for it, and otherwise the first of those
    /// that ask what must be absent from it.
    pub(super) fn verdict(mut self, trace: Arc<Trace>, stall: Duration) -> Verdict {
        let level = |(finding, _): &Rested| finding.level;
        let strongest = self.unanswered.into_iter().min_by_key(level);
        let is_weaker = |one: &Rested| self.findings.iter().all(|other| level(other) > level(one));
        self.findings.extend(strongest.filter(is_weaker));
        if self.exchanges.is_empty() {
            self.exchanges.push((None, observe(&trace)));
        }
        Verdict {
            exchanges: self.exchanges,
            trace: Some(trace),
            ..Verdict::weigh(self.findings, stall)
        }
    }
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
    use crate::verdict::OutcomeWord;

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
        let mut findings = Findings::new(case, ledger, None);
        let proved = "Z-03".parse().unwrap();
        findings.add(2, &proved, Err("it was sent twice".to_owned()).into());
        findings.add_interruption("anna has no response");
        let verdict = findings.verdict(Arc::default(), Duration::ZERO);

        let found: Vec<_> = verdict.findings.iter().map(|finding| finding.step_index).collect();
        assert_eq!(found, [Some(2), None]);
        // The main requirement is a MUST, which the check's alone is not.
        assert_eq!(verdict.outcome.word, OutcomeWord::Failed);
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
        let catalog = Catalog::load([Source { path: "a.feature", text: FEATURE }]);
        let found = |others: &[&str], absent: &[&str]| {
            let mut findings = Findings::new(&catalog.cases[0], Ledger::embedded(), None);
            for (step, id) in others.iter().enumerate() {
                findings.add(step, &id.parse().unwrap(), Err("no response".to_owned()).into());
            }
            for id in absent {
                let message = "anna has no response".to_owned();
                let none = Wrong { message, rests: Rests::OnNoResponse };
                findings.add(9, &id.parse().unwrap(), CheckResult::Proof(Err(none)));
            }
            let verdict = findings.verdict(Arc::default(), Duration::ZERO);
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
        let case = &catalog.cases[0];
        let mut plan = ScenarioPlan::documents(case.protocol);
        plan.settings.ttl_ms = ttl_ms;
        let waited = shortest_wait(&trace, &plan);
        let mut findings = Findings::new(case, Ledger::embedded(), waited);
        findings.add(2, &"BF-03".parse().unwrap(), result);
        let verdict = findings.verdict(Arc::new(trace), Duration::from_millis(stall));
        (verdict.outcome.word, verdict.findings.len())
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
