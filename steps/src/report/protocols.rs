//! What a report shows about each protocol: claimed or not, followed or not.

use cell_fleet::Protocol;

use crate::engine::record::{RouterRecord, RunRecord};
use crate::verdict::OutcomeWord;

/// What a report shows about one protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub(super) enum HowFollowed {
    /// The router claims it.
    Claimed,
    /// Nothing is claimed, so it was tried.
    #[strum(serialize = "not claimed, but tried")]
    Tried,
    /// The router claims others.
    #[strum(serialize = "not claimed")]
    NotClaimed,
    /// The router does not follow it: nothing is claimed, or it runs already, with the other one.
    #[strum(serialize = "not followed")]
    NotFollowed,
    /// It is claimed, and the router, which runs already, could not be asked.
    #[strum(serialize = "not asked")]
    NotAsked,
    /// No scenario of it was selected.
    #[strum(serialize = "not run")]
    NotRun,
}

impl HowFollowed {
    /// In words, to stand behind the name of the protocol.
    pub(super) fn words(self) -> &'static str {
        self.into()
    }

    /// Whether scenarios of the protocol were run.
    pub(super) fn was_run(self) -> bool {
        matches!(self, Self::Claimed | Self::Tried)
    }
}

/// Each protocol, in the order buffering, learning.
pub(super) fn protocols(report: &RunRecord) -> [(Protocol, HowFollowed); 2] {
    Protocol::ALL.map(|protocol| (protocol, how_followed(report, protocol)))
}

fn how_followed(report: &RunRecord, protocol: Protocol) -> HowFollowed {
    let RouterRecord { protocols: claimed, running, .. } = &report.router;
    let own = report.scenarios.iter().filter(|one| one.has_router && one.protocol == protocol);
    // An early end leaves scenarios that say nothing.
    let words: Vec<_> =
        own.map(|one| one.outcome.word).filter(|word| *word != OutcomeWord::NotRun).collect();
    let is_left_out =
        |word: &OutcomeWord| matches!(word, OutcomeWord::NotApplicable | OutcomeWord::NotAsked);
    let was_asked = !words.iter().all(is_left_out);
    if !claimed.is_empty() && !claimed.contains(&protocol) {
        if running.is_empty() { HowFollowed::NotClaimed } else { HowFollowed::NotFollowed }
    } else if words.is_empty() {
        HowFollowed::NotRun
    } else if claimed.is_empty() {
        if was_asked { HowFollowed::Tried } else { HowFollowed::NotFollowed }
    } else if running.is_empty() || was_asked {
        HowFollowed::Claimed
    } else {
        HowFollowed::NotAsked
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn claims_come_before_what_was_seen() {
        let mut report = sample::report();
        let of = |report: &RunRecord| protocols(report).map(|(_, how)| how);
        assert_eq!(of(&report), [HowFollowed::Claimed, HowFollowed::NotClaimed]);
        let mut running = report.clone();
        running.router.running = vec!["eu".to_owned()];
        assert_eq!(of(&running), [HowFollowed::Claimed, HowFollowed::NotFollowed]);
        report.router.protocols.clear();
        assert_eq!(of(&report), [HowFollowed::Tried, HowFollowed::NotFollowed]);
        report.scenarios.retain(|one| one.protocol == Protocol::Buffering);
        assert_eq!(of(&report), [HowFollowed::Tried, HowFollowed::NotRun]);
        report.router.protocols = vec![Protocol::Learning];
        assert_eq!(of(&report), [HowFollowed::NotClaimed, HowFollowed::NotRun]);
    }
}
