//! Scenarios that did not pass, grouped by cause: the same requirement and the same first
//! difference.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use crate::engine::record::CaseRecord;
use crate::verdict::Finding;

/// Scenarios that did not pass for the same cause.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Cause<'a> {
    /// The requirement; empty where none was found violated.
    pub(super) requirement: &'a str,
    /// What was found in the example, in one line.
    pub(super) found: &'a str,
    /// The scenario to look at: the one with the shortest exchange.
    pub(super) example: &'a CaseRecord,
    /// The others, in the order of the features.
    pub(super) others: Vec<&'a CaseRecord>,
}

impl Cause<'_> {
    pub(super) fn count(&self) -> usize {
        1 + self.others.len()
    }
}

/// The causes of all these scenarios, the most frequent first; otherwise in the order of the
/// features.
pub(super) fn causes<'a>(scenarios: impl IntoIterator<Item = &'a CaseRecord>) -> Vec<Cause<'a>> {
    let mut groups: Vec<Vec<&CaseRecord>> = Vec::new();
    let mut places: HashMap<(&str, String), usize> = HashMap::new();
    for scenario in scenarios {
        let (requirement, found) = first_difference(scenario);
        let place = *places.entry((requirement, general(found))).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[place].push(scenario);
    }
    let length = |scenario: &CaseRecord| {
        scenario.exchanges.iter().map(|one| one.observed.len()).sum::<usize>()
    };
    let cause = |mut group: Vec<&'a CaseRecord>| {
        // The first of the shortest. A group has at least one scenario.
        let shortest = (0..group.len()).min_by_key(|at| length(group[*at]))?;
        let example = group.remove(shortest);
        let (requirement, found) = first_difference(example);
        Some(Cause { requirement, found, example, others: group })
    };
    let mut causes: Vec<_> = groups.into_iter().filter_map(cause).collect();
    causes.sort_by_key(|cause| std::cmp::Reverse(cause.count()));
    causes
}

/// The requirement and the first line of the finding that explains the others. A finding that no
/// step made, such as a router that died, comes first if it was made at the beginning. Then the
/// strongest level decides, and within it the exchange that parted from the expected one. Without a
/// finding it is the reason of the outcome.
pub(super) fn first_difference(scenario: &CaseRecord) -> (&str, &str) {
    let parted = |found: &Finding| {
        let mut drawn = scenario.exchanges.iter().filter(|one| one.divergence.is_some());
        drawn.any(|one| one.step_index == found.step_index)
    };
    let strength = |found: &&Finding| (found.level, !parted(found));
    // A finding without a step is the first one if the others follow from it (the router died), and
    // the last one if it follows from them.
    let origin = scenario.findings.first().filter(|found| found.step_index.is_none());
    let (requirement, text) = match origin.or_else(|| scenario.findings.iter().min_by_key(strength))
    {
        Some(found) => (found.requirement.as_str(), found.message.as_str()),
        None => ("", scenario.outcome.reason()),
    };
    (requirement, text.lines().next().unwrap_or_default())
}

/// A difference without what changes from scenario to scenario: paths, which of the cells, routers
/// and people, addresses, and how a connection was lost.
pub(super) fn general(found: &str) -> String {
    static PARTICULARS: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
        let all = [
            (r"no response \(.*\)", "no response"),
            (r"\b127(\.\d+){3}(:\d+)?", "host"),
            (r"/[^\s`]*", "/"),
            (r"cell_\w+", "cell"),
            (r"router_\w+", "router"),
        ];
        all.into_iter().filter_map(|(one, kind)| Some((Regex::new(one).ok()?, kind))).collect()
    });
    let replaced =
        |text: String, (one, kind): &(Regex, &str)| one.replace_all(&text, *kind).into_owned();
    PARTICULARS.iter().fold(found.to_owned(), replaced)
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;
    use crate::ledger::Level;

    fn found(name: &str, id: &str, message: &str) -> CaseRecord {
        let mut scenario = sample::report().scenarios.swap_remove(2);
        scenario.name = name.to_owned();
        scenario.findings[0].requirement = id.parse().unwrap();
        scenario.findings[0].message = message.to_owned();
        scenario
    }

    #[test]
    fn a_death_of_the_router_is_the_cause_of_all_else() {
        let death = |name: &str, how: &str| {
            let mut scenario = found(name, "BF-03", "`router_eu-->>user: no response (reset)`");
            let mut died = scenario.findings[0].clone();
            (died.requirement, died.message) = ("Z-39".parse().unwrap(), how.to_owned());
            died.step_index = None;
            scenario.findings.insert(0, died);
            scenario
        };
        let scenarios = [
            death("a", "router_eu died: exit status 7"),
            death("b", "router_us died: exit status 7"),
            death("c", "router_eu died: signal 11 (SIGSEGV)"),
        ];
        let causes = causes(&scenarios);
        let shown: Vec<_> = causes.iter().map(|one| (one.requirement, one.count())).collect();
        assert_eq!(shown, [("Z-39", 2), ("Z-39", 1)]);
    }

    #[test]
    fn what_changes_from_scenario_to_scenario_makes_no_cause() {
        let got = "`router_eu-->>user: 502` where a request was expected";
        assert_eq!(general(got), general(&got.replace("_eu", "_us")));
        assert_eq!(general("GET /a reached no cell"), general("GET /b/c reached no cell"));
        assert_ne!(general("GET /a reached no cell"), general("GET /a received 404"));
        let lost = |how: &str| general(&format!("`router_eu-->>user: no response ({how})` where"));
        assert_eq!(lost("a (b): reset"), lost("refused"));
        let late = |host: &str| general(&format!("router_eu accepts nothing on {host} in 10s"));
        assert_eq!(late("127.0.0.1:21001"), late("127.9.9.9:21001"));
    }

    #[test]
    fn the_strongest_finding_is_the_cause_and_a_reason_stands_for_none() {
        let mut scenario = found("a", "BF-03", "a MUST");
        let mut weaker = scenario.findings[0].clone();
        weaker.level = Level::Should;
        scenario.findings.insert(0, weaker);
        scenario.findings[0].message = "a SHOULD".to_owned();
        assert_eq!(first_difference(&scenario), ("BF-03", "a MUST"));
        // A page lacks its headline because the exchange parted from the expected one before.
        let mut page = scenario.findings[1].clone();
        (page.message, page.step_index) = ("no headline".to_owned(), Some(7));
        scenario.findings.insert(0, page);
        assert_eq!(first_difference(&scenario), ("BF-03", "a MUST"));
        let report = sample::report();
        let panicked = report.scenarios.last().unwrap();
        assert_eq!(first_difference(panicked), ("", "a step panicked"));
    }
}
