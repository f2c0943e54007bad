//! Makes the report of a run from what ended.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use sha2::{Digest, Sha256};

use super::data::{Body, Outcome as OutcomeData};
use super::data::{
    Divergence, Exchange, Finding, Log, ProfileVerdict, Report, Requirement, Router, Run, Scenario,
    Step, Suite, TraceData, VERSION,
};
use crate::catalog::{Case, Catalog};
use crate::exchange::Comparison;
use crate::ledger::{Ledger, Level, Profile};
use crate::suite::{Conclusion, Ended};
use crate::trace::Content;
use crate::verdict::{Outcome, Verdict};

/// What a report says of a run beside its scenarios.
#[derive(Clone, Debug)]
pub struct Description {
    /// The router.
    pub router: Router,
    /// When the run began.
    pub began: SystemTime,
    /// How long it took.
    pub took: Duration,
    /// The seed.
    pub seed: u64,
    /// How many scenarios ran side by side.
    pub jobs: usize,
    /// Filters that selected the scenarios.
    pub selection: Vec<String>,
    /// What is wrong beside the scenarios.
    pub complaints: Vec<String>,
    /// What the run came to.
    pub conclusion: Conclusion,
}

/// Makes the report.
pub fn collect(description: Description, ended: &[Ended<'_>], ledger: &Ledger) -> Report {
    let mut bodies = BTreeMap::new();
    let scenarios: Vec<_> = ended.iter().map(|one| scenario(one, ledger, &mut bodies)).collect();
    let found =
        ended.iter().flat_map(|one| &one.verdict.findings).map(|finding| &finding.requirement);
    let cited = ended.iter().flat_map(|one| &one.case.requirements).chain(found);
    let requirements = cited.filter_map(|id| ledger.row(id)).map(|row| {
        let requirement = Requirement {
            profile: row.profile.to_string(),
            level: row.level.to_string(),
            documents: row.documents.clone(),
            section: row.section.clone(),
            statement: row.statement.clone(),
        };
        (row.id.to_string(), requirement)
    });
    let (features_digest, ledger_digest) = digests();
    let Description { router, began, took, seed, jobs, selection, complaints, conclusion } =
        description;
    Report {
        version: VERSION,
        suite: Suite {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            features_digest,
            ledger_digest,
        },
        router,
        run: Run {
            began: humantime::format_rfc3339_seconds(began).to_string(),
            took_ms: milliseconds(took),
            seed,
            jobs,
            selection,
            platform: format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH),
        },
        conclusion: conclusion.to_string(),
        profiles: Profile::ALL
            .into_iter()
            .map(|profile| profile_verdict(profile, ended, ledger))
            .collect(),
        complaints,
        requirements: requirements.collect(),
        scenarios,
        bodies,
    }
}

/// SHA-256 of the features that are built into the program, and of the ledger.
pub fn digests() -> (String, String) {
    let hex = |hash: Sha256| hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    let mut features = Sha256::new();
    for (path, text) in Catalog::sources() {
        // Lengths keep a path and a text from running into each other.
        for part in [path, text] {
            features.update((part.len() as u64).to_be_bytes());
            features.update(part.as_bytes());
        }
    }
    (hex(features), hex(Sha256::new_with_prefix(crate::ledger::EMBEDDED)))
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// The verdict of one profile: by the scenarios whose main requirement is of it, and by the
/// findings of its requirements wherever they came to light.
pub(crate) fn profile_verdict(
    profile: Profile,
    ended: &[Ended<'_>],
    ledger: &Ledger,
) -> ProfileVerdict {
    let mut outcomes = BTreeMap::new();
    let mut worst = None;
    for one in ended {
        let is_of = one.case.profile(ledger) == profile;
        // What cells promise can be seen through a router, but a failure there is the router's own.
        if profile == Profile::Fleet
            && one.case.needs.router
            && one.verdict.outcome != Outcome::Passed
        {
            if is_of {
                *outcomes.entry(one.verdict.outcome.word().to_owned()).or_default() += 1;
            }
            continue;
        }
        if is_of {
            *outcomes.entry(one.verdict.outcome.word().to_owned()).or_default() += 1;
        }
        let violates =
            one.verdict.findings.iter().filter_map(|finding| ledger.row(&finding.requirement));
        let violates =
            violates.into_iter().any(|row| row.profile == profile && row.level == Level::Must);
        let rank = match &one.verdict.outcome {
            Outcome::Failed if violates => Some(3),
            Outcome::KnownFailure { .. } if violates || is_of => Some(1),
            Outcome::CouldNotRun(_) if is_of => Some(2),
            Outcome::SuiteError(_) if is_of => Some(4),
            // Without a trace nothing that the scenario is about was seen at all.
            Outcome::Failed if is_of && one.verdict.trace.is_none() => Some(2),
            Outcome::Passed | Outcome::Warned | Outcome::Failed if is_of => Some(0),
            _ => None,
        };
        worst = worst.max(rank);
    }
    let verdict = match worst {
        None => "not run",
        Some(0) => "conformant",
        Some(1) => "conformant but for known failures",
        Some(2) => "incomplete",
        Some(3) => "not conformant",
        Some(_) => "suite at fault",
    };
    ProfileVerdict { profile: profile.to_string(), verdict: verdict.to_owned(), outcomes }
}

fn scenario(one: &Ended<'_>, ledger: &Ledger, bodies: &mut BTreeMap<String, Body>) -> Scenario {
    let (case, verdict) = (one.case, &one.verdict);
    let steps = case.steps.iter().map(|step| Step {
        keyword: step.keyword.trim().to_owned(),
        text: step.value.clone(),
        doc: step.docstring.clone(),
    });
    Scenario {
        name: case.name.clone(),
        file: case.file.clone(),
        line: case.line(),
        feature: case.feature.clone(),
        rule: case.rule.clone(),
        title: case.title.clone(),
        protocol: case.protocol.as_str().to_owned(),
        profile: case.profile(ledger).to_string(),
        tags: case.tags.clone(),
        requirements: case.requirements.iter().map(ToString::to_string).collect(),
        steps: steps.collect(),
        outcome: outcome(&verdict.outcome),
        took_ms: milliseconds(one.took),
        findings: findings(case, verdict, ledger),
        exchanges: verdict
            .exchanges
            .iter()
            .map(|(step, comparison)| exchange(case, *step, comparison))
            .collect(),
        trace: verdict.trace.as_ref().map(|trace| TraceData::of(trace, bodies)),
        logs: verdict
            .logs
            .iter()
            .map(|(router, end)| Log { router: router.clone(), end: end.clone() })
            .collect(),
    }
}

/// Findings as a report has them.
pub(crate) fn findings(case: &Case, verdict: &Verdict, ledger: &Ledger) -> Vec<Finding> {
    let level = |finding: &crate::verdict::Finding| {
        ledger.row(&finding.requirement).map_or(Level::Must, |row| row.level)
    };
    let finding = |finding: &crate::verdict::Finding| Finding {
        requirement: finding.requirement.to_string(),
        level: level(finding).to_string(),
        step: step_text(case, finding.step),
        step_index: finding.step,
        message: finding.message.clone(),
    };
    verdict.findings.iter().map(finding).collect()
}

fn step_text(case: &Case, step: Option<usize>) -> String {
    step.map(|step| case.step_text(step)).unwrap_or_default()
}

fn outcome(outcome: &Outcome) -> OutcomeData {
    let (reason, link) = match outcome {
        Outcome::Passed | Outcome::Warned | Outcome::Failed => (None, None),
        Outcome::KnownFailure { reason, link } => (Some(reason.clone()), Some(link.clone())),
        Outcome::NotApplicable(why) | Outcome::CouldNotRun(why) | Outcome::SuiteError(why) => {
            (Some(why.clone()), None)
        }
    };
    OutcomeData { word: outcome.word().to_owned(), reason, link }
}

/// A compared exchange as a report has it.
pub(crate) fn exchange(case: &Case, step: Option<usize>, comparison: &Comparison) -> Exchange {
    let divergence = comparison.divergence.as_ref();
    let hop = |content: &Content| match content {
        Content::Received(place) | Content::Responded(place) => Some(*place),
        Content::Sent(_) | Content::Got(_) => None,
    };
    Exchange {
        step: step_text(case, step),
        step_index: step,
        expected: comparison.expected.clone(),
        observed: comparison.observed.clone(),
        hops: comparison.shown.iter().map(hop).collect(),
        divergence: divergence.map(|found| Divergence {
            expected: found.expected,
            observed: found.observed,
            why: found.why.clone(),
        }),
    }
}
