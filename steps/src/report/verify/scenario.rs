//! One scenario of a report, judged again.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use super::Verification;
use crate::catalog::Case;
use crate::engine::claims::Claims;
use crate::engine::record::{CaseRecord, FindingRecord, RunRecord};
use crate::ledger::Ledger;
use crate::run::judge_again;
use crate::trace::Trace;
use crate::verdict::{Finding, Outcome, OutcomeWord, Verdict};

impl Verification {
    /// The record of a scenario as it follows from its trace and its features. Known failures are
    /// not marked yet.
    pub(super) fn again(
        &mut self,
        record: &RunRecord,
        recorded: &CaseRecord,
        case: &Case,
        ledger: &Ledger,
    ) -> CaseRecord {
        let word = recorded.outcome.word;
        // What the suite or a busy machine cut short can have left anything.
        let is_cut_short = matches!(word, OutcomeWord::CouldNotRun | OutcomeWord::SuiteError);
        let trace = recorded.trace.as_ref().filter(|_| !is_cut_short);
        let judged = match trace {
            Some(trace) => judged(recorded, trace, case, ledger),
            None => unfounded(record, recorded, case).map_or(Ok(None), Err),
        };
        let judged = judged.unwrap_or_else(|why| {
            self.contradictions.push(format!("{}: {why}", recorded.name));
            None
        });
        let is_verdict = matches!(
            word,
            OutcomeWord::Passed
                | OutcomeWord::Warned
                | OutcomeWord::Failed
                | OutcomeWord::KnownFailure
        );
        let (verdict, exchanges) = match judged {
            Some(verdict) => {
                self.judged += 1;
                (verdict, None)
            }
            None => {
                let why = match (is_verdict, trace) {
                    (false, _) => word.to_string(),
                    (true, None) => format!("{word}, before anything was exchanged"),
                    (true, Some(_)) => format!("{word}, since the scenario could not go on"),
                };
                *self.on_its_word.entry(why).or_default() += 1;
                let findings = recorded.findings.iter().map(finding);
                let mut verdict = Verdict::weigh(findings.collect(), Duration::ZERO, ledger);
                if !is_verdict {
                    verdict.outcome = Outcome::from(&recorded.outcome);
                }
                (verdict, Some(recorded.exchanges.clone()))
            }
        };
        // The bodies are compared with their digests.
        let verdict = Verdict { trace: None, ..verdict };
        let (zero, bodies) = (Duration::ZERO, &mut BTreeMap::new());
        let follows = CaseRecord::of(case, &verdict, zero, zero, ledger, bodies);
        CaseRecord {
            exchanges: exchanges.unwrap_or(follows.exchanges),
            trace: recorded.trace.clone(),
            began_ms: recorded.began_ms,
            took_ms: recorded.took_ms,
            stalled: recorded.stalled.clone(),
            earlier: recorded.earlier.clone(),
            logs: recorded.logs.clone(),
            ..follows
        }
    }
}

/// The verdict that follows from a trace; `None` if only what no trace shows decides it.
///
/// # Errors
///
/// If no run can have left this record.
fn judged(
    recorded: &CaseRecord,
    trace: &Arc<Trace>,
    case: &Case,
    ledger: &Ledger,
) -> Result<Option<Verdict>, String> {
    let stall = recorded.stalled.as_ref().map_or(0, |stalled| stalled.stall_ms);
    let stall = Duration::from_millis(stall);
    // In a record that no run could have made, a step may look for something that does not exist.
    let judge = AssertUnwindSafe(|| judge_again(case, trace.clone(), stall, ledger));
    let judged = catch_unwind(judge)
        .unwrap_or_else(|_| Err("no run of the suite can have made these exchanges".to_owned()))
        .map_err(|why| format!("its exchanges cannot be judged: {why}"))?;
    let findings = recorded.findings.iter().map(finding).collect::<Vec<_>>();
    // Findings that nothing in the trace shows. Those at the beginning say that routers died; one
    // after them says why the scenario could not go on.
    let is_of_trace =
        |finding: &&Finding| finding.step.is_some() || judged.findings.contains(finding);
    let deaths: Vec<_> =
        findings.iter().take_while(|finding| !is_of_trace(finding)).cloned().collect();
    let interruption = findings.iter().skip(deaths.len()).find(|finding| !is_of_trace(finding));
    if deaths.is_empty() && interruption.is_none() {
        return Ok(Some(judged));
    }
    if judged.findings.is_empty() {
        return Ok(None);
    }
    let findings = [deaths, judged.findings, interruption.cloned().into_iter().collect()].concat();
    let Verdict { outcome, .. } = Verdict::weigh(findings.clone(), Duration::ZERO, ledger);
    Ok(Some(Verdict { outcome, findings, ..judged }))
}

/// A recorded finding.
fn finding(found: &FindingRecord) -> Finding {
    Finding {
        requirement: found.requirement.clone(),
        step: found.step_index,
        message: found.message.clone(),
        comparison: None,
        rests_on: None,
    }
}

/// Why a scenario without an exchange to judge cannot have its outcome.
fn unfounded(record: &RunRecord, recorded: &CaseRecord, case: &Case) -> Option<String> {
    let word = recorded.outcome.word;
    let needs_router = case.needs().router;
    let why = match word {
        OutcomeWord::Passed | OutcomeWord::Warned => "the report has no exchange".to_owned(),
        OutcomeWord::NotAsked if record.router.running.is_empty() => {
            "the suite started the router".to_owned()
        }
        OutcomeWord::NotAsked if !needs_router => "it is about cells alone".to_owned(),
        OutcomeWord::NotApplicable => {
            if Claims::recorded(&record.router).not_applicable(case).is_some() {
                return None;
            }
            // The router itself said that it does not follow the protocol. Then it must have said
            // so in every scenario.
            let follows = |other: &&CaseRecord| {
                other.protocol == recorded.protocol && other.trace.is_some() && other.has_router
            };
            match record.scenarios.iter().find(follows) {
                _ if !needs_router => "it needs nothing of a router".to_owned(),
                None => return None,
                Some(other) => format!(
                    "the router followed the {} protocol in {}",
                    recorded.protocol, other.name
                ),
            }
        }
        _ => return None,
    };
    Some(format!("recorded as {word}, but {why}"))
}
