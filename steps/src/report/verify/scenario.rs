//! One scenario of a report, judged again.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use crate::catalog::Case;
use crate::engine::record::{CaseRecord, ExchangeRecord, FindingRecord, RunRecord};
use crate::ledger::Ledger;
use crate::run::judge_again;
use crate::verdict::{Finding, Outcome, OutcomeWord, Verdict};

/// A scenario, judged again.
pub(super) struct Judged {
    /// The verdict that follows; the recorded one if nothing could be judged.
    pub(super) verdict: Verdict,
    /// Where the record differs.
    pub(super) contradictions: Vec<String>,
    /// Why nothing could be judged; `None` if it was judged.
    pub(super) on_its_word: Option<String>,
}

/// Judges a scenario again.
pub(super) fn again(
    report: &RunRecord,
    scenario: &CaseRecord,
    case: &Case,
    ledger: &Ledger,
    cases: &BTreeMap<&str, &Case>,
) -> Judged {
    let mut contradictions = described(scenario, case, ledger);
    let recorded = match verdict_of(scenario) {
        Ok(verdict) => verdict,
        Err(why) => {
            contradictions.push(why.clone());
            let verdict = Verdict::of(Outcome::SuiteError(why));
            return Judged {
                verdict,
                contradictions,
                on_its_word: Some("a record that cannot be read".to_owned()),
            };
        }
    };
    let word = scenario.outcome.word;
    let claims_judgement = matches!(
        recorded.outcome,
        Outcome::Passed | Outcome::Warned | Outcome::Failed | Outcome::KnownFailure { .. }
    );
    let Some(trace) = scenario.trace.as_ref().filter(|_| claims_judgement) else {
        contradictions.extend(unjudged(report, scenario, case, &recorded, cases));
        let why = if claims_judgement {
            format!("{word}, before anything was exchanged")
        } else {
            word.to_string()
        };
        return Judged { verdict: recorded, contradictions, on_its_word: Some(why) };
    };
    let stall =
        scenario.stalled.as_ref().map_or(Duration::ZERO, |it| Duration::from_millis(it.stall_ms));
    // In a record that no run could have made, a step may look for something that does not exist.
    let judge = AssertUnwindSafe(|| judge_again(case, trace.clone(), stall, ledger));
    let judged = catch_unwind(judge)
        .unwrap_or_else(|_| Err("no run of the suite can have made these exchanges".to_owned()));
    let judged = match judged {
        Ok(judged) => judged,
        Err(why) => {
            contradictions.push(format!("its exchanges cannot be judged: {why}"));
            return Judged {
                verdict: recorded,
                contradictions,
                on_its_word: Some("a record that cannot be judged".to_owned()),
            };
        }
    };
    // Findings that nothing in the trace shows. Those at the beginning say that routers died; one
    // after them says why the scenario could not go on.
    let is_of_trace =
        |finding: &&Finding| finding.step.is_some() || judged.findings.contains(finding);
    let deaths: Vec<_> =
        recorded.findings.iter().take_while(|finding| !is_of_trace(finding)).cloned().collect();
    let interruption =
        recorded.findings.iter().skip(deaths.len()).find(|finding| !is_of_trace(finding)).cloned();
    let has_others = !deaths.is_empty() || interruption.is_some();
    if has_others && judged.findings.is_empty() {
        return Judged {
            verdict: recorded,
            contradictions,
            on_its_word: Some(format!("{word}, since the scenario could not go on")),
        };
    }
    // Nothing in the exchanges shows why a scenario could not go on.
    let judged = if has_others {
        let findings = [deaths, judged.findings, interruption.into_iter().collect()].concat();
        let outcome = Verdict::weigh(findings.clone(), Duration::ZERO, ledger).outcome;
        Verdict { outcome, findings, ..judged }
    } else {
        judged
    };
    contradictions.extend(compared(case, scenario, &judged, ledger));
    let outcome = match (recorded.outcome, judged.outcome) {
        // The router file lists the failure as known. What follows from the exchanges is that it
        // failed.
        (known @ Outcome::KnownFailure { .. }, Outcome::Failed | Outcome::Warned) => known,
        (_, judged) => judged,
    };
    Judged { verdict: Verdict { outcome, ..judged }, contradictions, on_its_word: None }
}

/// Where the record describes a scenario otherwise than the features.
fn described(scenario: &CaseRecord, case: &Case, ledger: &Ledger) -> Vec<String> {
    let steps: Vec<_> =
        case.steps.iter().map(|step| (step.keyword.trim(), &step.value, &step.docstring)).collect();
    let recorded: Vec<_> =
        scenario.steps.iter().map(|step| (step.keyword.as_str(), &step.text, &step.doc)).collect();
    let requirements: Vec<_> = case.requirements.iter().map(ToString::to_string).collect();
    let checks = [
        ("steps", steps == recorded),
        ("requirements", requirements == scenario.requirements),
        ("tags", case.tags == scenario.tags),
        ("protocol", case.protocol.as_str() == scenario.protocol),
        ("profile", case.profile(ledger).to_string() == scenario.profile),
        ("use of a router", case.needs().router == scenario.has_router),
        ("location", case.file == scenario.file && case.line() == scenario.line),
        (
            "titles",
            (&case.feature, &case.rule, &case.title)
                == (&scenario.feature, &scenario.rule, &scenario.title),
        ),
    ];
    let differing: Vec<_> =
        checks.iter().filter(|(_, same)| !same).map(|(what, _)| *what).collect();
    if differing.is_empty() {
        Vec::new()
    } else {
        vec![format!("{} are not those of the features", differing.join(" and "))]
    }
}

/// The recorded verdict.
fn verdict_of(scenario: &CaseRecord) -> Result<Verdict, String> {
    let finding = |found: &FindingRecord| {
        let requirement = found
            .requirement
            .parse()
            .map_err(|error| format!("`{}` is not a requirement: {error}", found.requirement))?;
        Ok(Finding {
            requirement,
            step: found.step_index,
            message: found.message.clone(),
            comparison: None,
            rests_on: None,
        })
    };
    let findings = scenario.findings.iter().map(finding).collect::<Result<_, String>>()?;
    Ok(Verdict { findings, ..Verdict::of(Outcome::from(&scenario.outcome)) })
}

/// Why a scenario cannot have this outcome without an exchange to judge.
fn unjudged(
    report: &RunRecord,
    scenario: &CaseRecord,
    case: &Case,
    recorded: &Verdict,
    cases: &BTreeMap<&str, &Case>,
) -> Option<String> {
    let word = scenario.outcome.word;
    match recorded.outcome {
        Outcome::Passed | Outcome::Warned => {
            Some(format!("recorded as {word}, but the report has no exchange"))
        }
        Outcome::Failed | Outcome::KnownFailure { .. } if recorded.findings.is_empty() => {
            Some(format!("recorded as {word}, but the report names no violated requirement"))
        }
        Outcome::NotApplicable(_) => applicable(report, scenario, case, cases),
        Outcome::NotAsked(_) => asked(report, case),
        Outcome::Failed
        | Outcome::KnownFailure { .. }
        | Outcome::CouldNotRun(_)
        | Outcome::NotRun(_)
        | Outcome::SuiteError(_) => None,
    }
}

/// Why a router could have been asked a scenario that is recorded as not asked.
fn asked(report: &RunRecord, case: &Case) -> Option<String> {
    if report.router.running.is_empty() {
        return Some("recorded as not asked, but the suite started the router".to_owned());
    }
    let needs_nothing = !case.needs().router;
    needs_nothing.then(|| "recorded as not asked, but it is about cells alone".to_owned())
}

/// Why a scenario that is recorded as not applicable was applicable.
fn applicable(
    report: &RunRecord,
    scenario: &CaseRecord,
    case: &Case,
    cases: &BTreeMap<&str, &Case>,
) -> Option<String> {
    let router = &report.router;
    if scenario.trace.is_some() {
        return Some("recorded as not applicable, but it was run".to_owned());
    }
    let is_unclaimed =
        |needed: &str| !router.capabilities.iter().any(|capability| capability == needed);
    if case.capability().is_some_and(is_unclaimed) {
        return None;
    }
    if !case.needs().router {
        return Some("recorded as not applicable, but it needs nothing of a router".to_owned());
    }
    // A router that ran already follows the protocol of its topology file.
    if !router.command.is_empty()
        && !router.protocols.is_empty()
        && !router.protocols.contains(&scenario.protocol)
    {
        return None;
    }
    // The router itself said that it does not follow the protocol. Then it must have said so in
    // every scenario.
    let follows = |other: &&CaseRecord| {
        other.protocol == scenario.protocol
            && other.trace.is_some()
            && cases.get(other.name.as_str()).is_some_and(|case| case.needs().router)
    };
    let other = report.scenarios.iter().find(follows)?;
    Some(format!(
        "recorded as not applicable, but the router followed the {} protocol in {}",
        scenario.protocol, other.name
    ))
}

/// Where the record differs from what was judged.
fn compared(case: &Case, scenario: &CaseRecord, judged: &Verdict, ledger: &Ledger) -> Vec<String> {
    let mut found = Vec::new();
    let (recorded, follows) = (scenario.outcome.word, judged.outcome.word());
    let is_known = recorded == OutcomeWord::KnownFailure
        && matches!(judged.outcome, Outcome::Failed | Outcome::Warned);
    if recorded != follows && !is_known {
        let first = judged
            .findings
            .first()
            .map_or(String::new(), |first| format!(" ({}: {})", first.requirement, first.message));
        found.push(format!("recorded as {recorded}, but {follows} follows{first}"));
    }
    let judged_findings = FindingRecord::all_of(case, judged, ledger);
    if judged_findings != scenario.findings {
        let ids = |findings: &[FindingRecord]| {
            let ids: Vec<_> = findings.iter().map(|finding| finding.requirement.as_str()).collect();
            if ids.is_empty() { "nothing".to_owned() } else { ids.join(" ") }
        };
        let what = match (ids(&scenario.findings), ids(&judged_findings)) {
            (recorded, follows) if recorded == follows => {
                format!("the findings about {recorded} differ from those that follow")
            }
            (recorded, follows) => {
                format!("recorded as violating {recorded}, but {follows} follows")
            }
        };
        found.push(what);
    }
    if exchanges(case, judged) != scenario.exchanges {
        found.push(
            "the drawn exchanges are not those that the recorded requests and responses make"
                .to_owned(),
        );
    }
    found
}

/// The exchanges as a record has them.
fn exchanges(case: &Case, judged: &Verdict) -> Vec<ExchangeRecord> {
    let compared = judged.exchanges.iter();
    compared.map(|(step, comparison)| ExchangeRecord::of(case, *step, comparison)).collect()
}
