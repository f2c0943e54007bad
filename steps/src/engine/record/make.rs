//! Makes records from the types of the suite.

use crate::engine::hex;
use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::bytes::keep_bodies;
use super::{
    Body, CaseRecord, ExchangeRecord, OwnFeatures, RequirementRecord, StepRecord, SuiteRecord,
    features, milliseconds,
};
use crate::catalog::{Case, Catalog};
use crate::exchange::Comparison;
use crate::ledger::{Ledger, RequirementId};
use crate::trace::Content;
use crate::verdict::Verdict;

/// This suite: its version and the digests of the features and the ledger that are built into it.
pub fn suite() -> &'static SuiteRecord {
    static SUITE: LazyLock<SuiteRecord> = LazyLock::new(|| SuiteRecord {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        features_digest: features::digest(Catalog::sources()),
        ledger_digest: hex(Sha256::digest(crate::ledger::EMBEDDED)),
    });
    &SUITE
}

/// This suite, running custom features if there are any.
pub fn suite_with(features: Option<&OwnFeatures>) -> SuiteRecord {
    let digest = features.map(OwnFeatures::digest);
    let own = suite().clone();
    SuiteRecord { features_digest: digest.unwrap_or(own.features_digest), ..own }
}

/// The rows of the ledger that cases cite or find violated, by id.
pub fn requirements_of(
    cases: &[CaseRecord],
    ledger: &Ledger,
) -> BTreeMap<RequirementId, RequirementRecord> {
    let mut rows = BTreeMap::new();
    for id in cases.iter().flat_map(CaseRecord::about) {
        if rows.contains_key(id) {
            continue;
        }
        let Some(row) = ledger.row(id) else { continue };
        let record = RequirementRecord {
            profile: row.profile,
            level: row.level,
            documents: row.documents.clone(),
            section: row.section.clone(),
            statement: row.statement.clone(),
        };
        rows.insert(id.clone(), record);
    }
    rows
}

impl CaseRecord {
    /// The record of a case that ended, `began` after the run's beginning. Its bodies are added to
    /// those of the run.
    pub fn of(
        case: &Case,
        verdict: &Verdict,
        began: Duration,
        took: Duration,
        ledger: &Ledger,
        bodies: &mut BTreeMap<String, Body>,
    ) -> Self {
        let steps = case.steps.iter().map(|step| StepRecord {
            keyword: step.keyword.trim().to_owned(),
            text: step.value.clone(),
            doc: step.docstring.clone(),
        });
        let exchanges = verdict.exchanges.iter();
        Self {
            name: case.name.clone(),
            file: case.file.clone(),
            line: case.line(),
            feature: case.feature.clone(),
            rule: case.rule.clone(),
            title: case.title.clone(),
            protocol: case.protocol,
            profile: case.profile(ledger),
            has_router: case.needs().router,
            tags: case.tags.clone(),
            requirements: case.requirements.clone(),
            steps: steps.collect(),
            outcome: verdict.outcome.clone(),
            began_ms: milliseconds(began),
            took_ms: milliseconds(took),
            findings: verdict.findings.clone(),
            stalled: verdict.stalled.clone(),
            earlier: verdict.earlier.clone(),
            exchanges: exchanges
                .map(|(step, drawn)| ExchangeRecord::of(case, *step, drawn))
                .collect(),
            trace: verdict.trace.clone().inspect(|trace| keep_bodies(trace, bodies)),
            logs: verdict.logs.clone(),
        }
    }
}

impl ExchangeRecord {
    /// A compared exchange; an observed one where no step draws it.
    pub(crate) fn of(case: &Case, step: Option<usize>, comparison: &Comparison) -> Self {
        let hop = |content: &Content| match content {
            Content::Received(index) | Content::Responded(index) => Some(*index),
            Content::Sent(_) | Content::Got(_) => None,
        };
        Self {
            step: step.map(|step| case.step_text(step)).unwrap_or_default(),
            step_index: step,
            expected: comparison.expected.clone(),
            observed: comparison.observed.clone(),
            hops: comparison.shown.iter().map(hop).collect(),
            divergence: comparison.divergence.clone(),
        }
    }
}
