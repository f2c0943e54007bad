//! Why scenarios do not apply: what a router does not claim, or does not follow where it runs already.

use super::text::of_outcome;
use crate::engine::counted;
use crate::engine::record::{CaseRecord, RouterRecord, RunRecord};
use crate::verdict::OutcomeWord;

/// What is not claimed, each with the number of scenarios that do not apply: protocols and
/// capabilities by name, otherwise the reason.
pub(super) fn not_claimed(report: &RunRecord) -> Vec<String> {
    let mut found: Vec<(&str, usize)> = Vec::new();
    for case in of_outcome(report, OutcomeWord::NotApplicable) {
        if is_of_the_other_protocol(report, case) {
            continue;
        }
        let what = missing(report, case);
        match found.iter_mut().find(|(known, _)| *known == what) {
            Some((_, count)) => *count += 1,
            None => found.push((what, 1)),
        }
    }
    let line = |(what, count)| format!("{what} ({})", counted(count, "scenario"));
    found.into_iter().map(line).collect()
}

/// The protocol that routers which run already do not follow, with its scenarios; `None` where
/// nothing of it was selected.
pub(super) fn other_protocol(report: &RunRecord) -> Option<String> {
    let all = of_outcome(report, OutcomeWord::NotApplicable);
    let mut all = all.filter(|case| is_of_the_other_protocol(report, case)).peekable();
    let other = all.peek()?.protocol;
    Some(format!(
        "{} of {other}: the running router follows another",
        counted(all.count(), "scenario")
    ))
}

fn is_of_the_other_protocol(report: &RunRecord, case: &CaseRecord) -> bool {
    let RouterRecord { running, protocols, .. } = &report.router;
    !running.is_empty() && protocols.len() == 1 && case.has_router && protocols[0] != case.protocol
}

fn missing<'a>(report: &RunRecord, case: &'a CaseRecord) -> &'a str {
    let router = &report.router;
    if !router.protocols.is_empty() && !router.protocols.contains(&case.protocol) {
        return case.protocol.as_str();
    }
    let is_missing =
        |name: &&str| !router.capabilities.iter().any(|claimed| claimed.as_str() == *name);
    let reason = case.outcome.reason.as_deref().unwrap_or("no reason given");
    case.capability().filter(is_missing).unwrap_or(reason)
}

#[cfg(test)]
mod tests {
    use cell_fleet::Protocol;

    use super::super::sample;
    use super::*;

    #[test]
    fn protocols_and_capabilities_are_named_once() {
        let mut report = sample::report();
        let learning = report.scenarios[4].clone();
        let mut limits = CaseRecord { protocol: Protocol::Buffering, ..learning.clone() };
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

    #[test]
    fn the_other_protocol_of_a_running_router_is_no_claim() {
        let mut report = sample::report();
        assert_eq!(other_protocol(&report), None);
        report.router.running = vec!["eu".to_owned()];
        assert_eq!(not_claimed(&report), Vec::<String>::new());
        assert_eq!(
            other_protocol(&report).unwrap(),
            "1 scenario of learning: the running router follows another"
        );
    }
}
