//! What a report shows about one requirement: one rule for every form of the report.

use super::outcomes::Look;
use crate::engine::record::CaseRecord;
use crate::ledger::{Level, RequirementId};
use crate::verdict::OutcomeWord;

/// What scenarios show about one requirement: those that cite it, or found it violated. The
/// greatest standing of all is shown.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, strum::Display, strum::IntoStaticStr,
)]
pub enum Standing {
    /// No scenario applies: the router does not claim the protocol or capability.
    #[strum(serialize = "n/a")]
    NotApplicable,
    /// A running router could not be brought to the scenarios that cite it.
    #[strum(serialize = "not asked")]
    NotAsked,
    /// No scenario found it violated.
    #[strum(serialize = "ok")]
    Holds,
    /// A scenario that cites it had no verdict on it, or none was run.
    #[strum(serialize = "not shown")]
    NotShown,
    /// Violated, and listed as a known failure.
    #[strum(serialize = "known failure")]
    Known,
    /// Violated, and of level MAY.
    #[strum(serialize = "MAY differs")]
    May,
    /// Violated, and of level SHOULD.
    #[strum(serialize = "SHOULD not followed")]
    Should,
    /// Violated, and of level MUST.
    #[strum(serialize = "MUST violated")]
    Must,
}

impl Standing {
    /// All standings, in the order of legends and counts.
    pub(super) const ALL: [Self; 8] = [
        Self::Holds,
        Self::Must,
        Self::Should,
        Self::May,
        Self::Known,
        Self::NotAsked,
        Self::NotShown,
        Self::NotApplicable,
    ];

    /// The standing of a requirement by all these scenarios.
    pub fn by_all<'a>(
        id: &RequirementId,
        scenarios: impl IntoIterator<Item = &'a CaseRecord>,
    ) -> Self {
        let by_each = scenarios.into_iter().filter_map(|scenario| Self::by_one(scenario, id));
        by_each.max().unwrap_or(Self::NotShown)
    }

    /// The standing by one scenario, if it is about the requirement.
    fn by_one(scenario: &CaseRecord, id: &RequirementId) -> Option<Self> {
        let word = scenario.outcome.word;
        // Every finding of one requirement is of its level.
        if let Some(finding) = scenario.findings.iter().find(|found| found.requirement == *id) {
            return Some(match (word, finding.level) {
                (OutcomeWord::KnownFailure, _) => Self::Known,
                // A finding before an error of the suite does not count.
                (OutcomeWord::SuiteError, _) => Self::NotShown,
                (_, Level::Must) => Self::Must,
                (_, Level::Should) => Self::Should,
                (_, Level::May) => Self::May,
            });
        }
        scenario.requirements.contains(id).then(|| match word {
            OutcomeWord::Passed | OutcomeWord::Warned => Self::Holds,
            OutcomeWord::NotApplicable => Self::NotApplicable,
            OutcomeWord::NotAsked => Self::NotAsked,
            // Every Then step is judged, also after a finding. Without a trace none was judged.
            OutcomeWord::Failed | OutcomeWord::KnownFailure if scenario.trace.is_some() => {
                Self::Holds
            }
            _ => Self::NotShown,
        })
    }

    /// It looks like an outcome.
    pub(super) fn look(self) -> &'static Look {
        Look::outcome(match self {
            Self::Holds => OutcomeWord::Passed,
            Self::Must => OutcomeWord::Failed,
            Self::Should | Self::May => OutcomeWord::Warned,
            Self::Known => OutcomeWord::KnownFailure,
            Self::NotAsked => OutcomeWord::NotAsked,
            Self::NotShown => OutcomeWord::CouldNotRun,
            Self::NotApplicable => OutcomeWord::NotApplicable,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn the_worst_scenario_decides() {
        let mut report = sample::report();
        let of = |report: &crate::engine::record::RunRecord, id: &str| {
            Standing::by_all(&id.parse().unwrap(), &report.scenarios)
        };
        assert_eq!(of(&report, "BF-03"), Standing::Must);
        assert_eq!(of(&report, "Z-03"), Standing::Should);
        assert_eq!(of(&report, "RT-01"), Standing::NotShown);
        report.scenarios[1].findings[0].level = Level::May;
        assert_eq!(of(&report, "Z-03"), Standing::May);
        report.scenarios.retain(|scenario| scenario.outcome.word == OutcomeWord::KnownFailure);
        assert_eq!(of(&report, "RT-08"), Standing::Known);
        // The scenario failed elsewhere, and has no trace to judge this requirement by.
        assert_eq!(of(&report, "BF-03"), Standing::NotShown);
        for (word, standing) in [
            (OutcomeWord::Passed, Standing::Holds),
            (OutcomeWord::NotApplicable, Standing::NotApplicable),
            (OutcomeWord::NotAsked, Standing::NotAsked),
            (OutcomeWord::CouldNotRun, Standing::NotShown),
        ] {
            let mut report = sample::report();
            report.scenarios.truncate(1);
            report.scenarios[0].outcome.word = word;
            assert_eq!(of(&report, "RT-08"), standing);
        }
    }
}
