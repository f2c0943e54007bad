//! `run --report known-failures=FILE`: a draft of entries for a router file.

use std::collections::{BTreeMap, BTreeSet};

use cell_fleet::Protocol;

use super::cause::{Cause, causes, first_difference};
use crate::catalog::{Case, glob};
use crate::engine::record::{CaseRecord, RunRecord};
use crate::verdict::OutcomeWord;

/// Words of a title that a pattern has at least, so that it stays about one thing.
const WORDS: usize = 3;

/// The names of the scenarios that a draft is about.
pub fn failed(record: &RunRecord) -> Vec<String> {
    failures(record).map(|case| case.name.clone()).collect()
}

fn failures(record: &RunRecord) -> impl Iterator<Item = &CaseRecord> {
    record.scenarios.iter().filter(|case| case.outcome.word == OutcomeWord::Failed)
}

/// An entry of the draft.
struct Entry<'a> {
    scenario: String,
    /// `None` where it holds for both.
    protocol: Option<Protocol>,
    /// The names of its scenarios.
    names: Vec<&'a str>,
}

/// The draft: an entry for each cause in which a MUST is violated. `all` are the scenarios from which
/// those of the record were selected, and `passed` those that passed when they were repeated.
///
/// A router file takes it as it is. What only the vendor knows is a comment.
pub fn text(record: &RunRecord, all: &[Case], passed: &BTreeSet<String>) -> String {
    let all: Vec<_> = all.iter().map(|case| (case.name.as_str(), case.protocol)).collect();
    of_names(record, &all, passed)
}

fn of_names(record: &RunRecord, all: &[(&str, Protocol)], passed: &BTreeSet<String>) -> String {
    let mut text = String::from(
        "# A draft for a router file: scenarios in which a MUST is violated, by cause. Put your own\n\
         # reason into each entry, and a link to where to read more.\n",
    );
    for Cause { example, others, .. } in causes(failures(record)) {
        let cases: Vec<_> = std::iter::once(example).chain(others).collect();
        for Entry { scenario, protocol, names } in entries(&cases, all) {
            let Some(example) = cases.iter().find(|case| names.contains(&case.name.as_str()))
            else {
                continue;
            };
            let (requirement, found) = first_difference(example);
            // TOML reads the strings of JSON.
            let value = |text: &str| serde_json::Value::from(text).to_string();
            text.push_str(&format!("\n[[known_failure]]\nscenario = {}\n", value(&scenario)));
            if let Some(protocol) = protocol {
                text.push_str(&format!("protocol = {}\n", value(protocol.as_str())));
            }
            text.push_str(&format!("reason = {}\n", value(&format!("{requirement}: {found}"))));
            if names.iter().any(|name| passed.contains(*name)) {
                text.push_str("# passed when it was repeated\nflaky = true\n");
            }
            text.push_str("# link = \"https://\"\n");
        }
    }
    text
}

/// The name of a scenario without its protocol.
fn bare(name: &str) -> &str {
    name.rsplit_once('[').map_or(name, |(bare, _)| bare)
}

/// The entries of scenarios with one cause: both protocols together where both fail, and scenarios
/// of one beginning by a pattern where it matches no other.
fn entries<'a>(cases: &[&'a CaseRecord], all: &[(&str, Protocol)]) -> Vec<Entry<'a>> {
    let failed: BTreeSet<_> = cases.iter().map(|case| case.name.as_str()).collect();
    // By protocol, then by name without it.
    let mut units: BTreeMap<(Option<Protocol>, &str), Vec<&str>> = BTreeMap::new();
    for case in cases {
        let name = bare(&case.name);
        let of_name = || all.iter().filter(|(one, _)| bare(one) == name);
        let is_in_both = of_name().count() > 1 && of_name().all(|(one, _)| failed.contains(one));
        let protocol = (!is_in_both).then_some(case.protocol);
        units.entry((protocol, name)).or_default().push(&case.name);
    }
    let mut entries: Vec<Entry<'a>> = Vec::new();
    let mut taken: BTreeSet<(Option<Protocol>, &str)> = BTreeSet::new();
    for unit in units.keys() {
        let (protocol, name) = *unit;
        if taken.contains(unit) {
            continue;
        }
        let holds = |pattern: &str| {
            let is_of = |own: Protocol| protocol.is_none_or(|only| only == own);
            let mut matched =
                all.iter().filter(|(one, own)| is_of(*own) && glob(pattern, bare(one)));
            matched.all(|(one, _)| failed.contains(one))
        };
        let members = |pattern: &str| -> Vec<(Option<Protocol>, &'a str)> {
            let is_free = |one: &&(Option<Protocol>, &str)| {
                one.0 == protocol && glob(pattern, one.1) && !taken.contains(*one)
            };
            units.keys().filter(is_free).copied().collect()
        };
        let pattern = beginnings(name)
            .map(|beginning| format!("{beginning}*"))
            .find(|pattern| members(pattern).len() > 1 && holds(pattern));
        let scenario = pattern.unwrap_or_else(|| name.to_owned());
        let own = members(&scenario);
        let names = own.iter().filter_map(|one| units.get(one)).flatten().copied().collect();
        taken.extend(own);
        entries.push(Entry { scenario, protocol, names });
    }
    entries
}

/// The beginnings of a name that end between two words of its title, the shortest first.
fn beginnings(name: &str) -> impl Iterator<Item = &str> {
    let title = name.rfind("::").map_or(0, |at| at + 2);
    let ends = name.match_indices('_').map(|(at, _)| at).filter(move |at| *at > title);
    ends.skip(WORDS - 1).map(|at| &name[..at])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;
    use crate::router_file::RouterFile;

    const HEAD: &str = "name = \"r\"\ncommand = [\"r\"]\nprotocols = [\"buffering\"]\n";

    #[test]
    fn a_draft_loads_as_it_is_also_with_its_links() {
        for report in [sample::report(), sample::hostile()] {
            let file = format!("{HEAD}{}", of_names(&report, &[], &BTreeSet::new()));
            // Warnings are no failures.
            assert_eq!(RouterFile::parse(&file).unwrap().known_failures.len(), 1, "{file}");
            let linked = file.replace("# link = \"https://\"", "link = \"https://example.com/1\"");
            let known = RouterFile::parse(&linked).unwrap().known_failures;
            assert!(known.iter().all(|entry| entry.link == "https://example.com/1"));
        }
    }

    #[test]
    fn protocols_and_examples_of_one_cause_are_one_entry_and_quote_its_root() {
        let mut report = sample::report();
        let failed = report.scenarios.swap_remove(2);
        let of_name = |name: &str| match name.ends_with("[buffering]") {
            true => Protocol::Buffering,
            false => Protocol::Learning,
        };
        let named = |name: &str| CaseRecord {
            name: name.to_owned(),
            protocol: of_name(name),
            ..failed.clone()
        };
        let mut all = Vec::new();
        for example in ["a_get", "a_post", "a_put"] {
            for protocol in ["buffering", "learning"] {
                all.push(format!("a::r::what_a_router_does_with_{example}[{protocol}]"));
            }
        }
        all.push("a::r::what_a_router_keeps[buffering]".to_owned());
        all.push("a::r::what_a_router_keeps[learning]".to_owned());
        let names = |all: &[String], record: &mut RunRecord, failing: usize| {
            record.scenarios = all[..failing].iter().map(|name| named(name)).collect();
        };
        let pairs: Vec<_> = all.iter().map(|name| (name.as_str(), of_name(name))).collect();
        let of = |report: &RunRecord, passed: &[&str]| {
            let passed = passed.iter().map(|name| (*name).to_owned()).collect();
            let draft = of_names(report, &pairs, &passed);
            let known = RouterFile::parse(&format!("{HEAD}{draft}")).unwrap().known_failures;
            let shown = known.iter().map(|entry| (entry.scenario.clone(), entry.flaky));
            (shown.collect::<Vec<_>>(), draft)
        };
        // A page that is missing follows from where the exchange parted.
        names(&all, &mut report, 6);
        let mut page = report.scenarios[0].findings[0].clone();
        (page.message, page.step_index) = ("no headline".to_owned(), Some(7));
        report.scenarios.iter_mut().for_each(|case| case.findings.insert(0, page.clone()));
        let (entries, draft) = of(&report, &[]);
        assert_eq!(entries, [("a::r::what_a_router_does*".to_owned(), false)], "{draft}");
        assert!(!draft.contains("protocol =") && !draft.contains("no headline"), "{draft}");
        // One example of one protocol is not among them: no pattern may match it.
        names(&all, &mut report, 5);
        let (entries, draft) = of(&report, &[&all[4]]);
        let expected = [
            ("a::r::what_a_router_does_with_a_get", false),
            ("a::r::what_a_router_does_with_a_post", false),
            ("a::r::what_a_router_does_with_a_put", true),
        ];
        let shown: Vec<_> = entries.iter().map(|(name, flaky)| (name.as_str(), *flaky)).collect();
        assert_eq!(shown.len(), expected.len(), "{draft}");
        assert!(expected.iter().all(|one| shown.contains(one)), "{draft}");
        assert_eq!(draft.matches("protocol = ").count(), 1, "{draft}");
    }
}
