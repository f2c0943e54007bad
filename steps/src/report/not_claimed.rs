//! What a router does not claim, so that scenarios do not apply to it.

use super::text::of_outcome;
use crate::engine::counted;
use crate::engine::record::{CaseRecord, RunRecord};
use crate::verdict::OutcomeWord;

/// What is not claimed, each with the number of scenarios that do not apply: protocols and
/// capabilities by name, otherwise the reason.
pub(super) fn not_claimed(report: &RunRecord) -> Vec<String> {
    let mut found: Vec<(&str, usize)> = Vec::new();
    for case in of_outcome(report, OutcomeWord::NotApplicable) {
        let what = missing(report, case);
        match found.iter_mut().find(|(known, _)| *known == what) {
            Some((_, count)) => *count += 1,
            None => found.push((what, 1)),
        }
    }
    let line = |(what, count)| format!("{what} ({})", counted(count, "scenario"));
    found.into_iter().map(line).collect()
}

fn missing<'a>(report: &RunRecord, case: &'a CaseRecord) -> &'a str {
    let router = &report.router;
    if !router.protocols.is_empty() && !router.protocols.contains(&case.protocol) {
        return &case.protocol;
    }
    let is_missing = |name: &&str| !router.capabilities.iter().any(|claimed| claimed == name);
    let reason = case.outcome.reason.as_deref().unwrap_or("no reason given");
    case.capability().filter(is_missing).unwrap_or(reason)
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn protocols_and_capabilities_are_named_once() {
        let mut report = sample::report();
        let learning = report.scenarios[4].clone();
        let mut limits = CaseRecord { protocol: "buffering".to_owned(), ..learning.clone() };
        let refused = limits.clone();
        limits.tags.push("capability:cookie-cache".to_owned());
        report.scenarios.extend([learning, limits, refused]);
        assert_eq!(
            not_claimed(&report),
            [
                "learning (2 scenarios)",
                "cookie-cache (1 scenario)",
                "the router does not claim the learning protocol (1 scenario)",
            ]
        );
    }
}
