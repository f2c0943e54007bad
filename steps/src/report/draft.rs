//! `run --report known-failures=FILE`: a draft of entries for a router file.

use std::collections::{BTreeMap, BTreeSet};

use cell_fleet::Protocol;

use super::cause::{Cause, causes, first_difference};
use super::text::with_outcome;
use crate::catalog::{Case, glob, without_protocol};
use crate::engine::record::{CaseRecord, RunRecord};
use crate::verdict::OutcomeWord;

/// Words of a title that a pattern has at least, so that it stays about one thing.
const WORDS: usize = 3;

/// The names of the scenarios that a draft is about.
pub fn failed(record: &RunRecord) -> Vec<String> {
    with_outcome(record, OutcomeWord::Failed).map(|case| case.name.clone()).collect()
}

struct Entry<'a> {
    scenario: String,
    /// `None` where it holds for both.
    protocol: Option<Protocol>,
    names: Vec<&'a str>,
}

/// The draft: an entry for each cause in which a MUST is violated. `all` are the scenarios from which
/// those of the record were selected, and `passed` those that passed when they were repeated.
///
/// A router file takes it as it is. What only the vendor knows is a comment.
pub fn text(record: &RunRecord, all: &[Case], passed: &BTreeSet<String>) -> String {
    let all: Vec<_> = all.iter().map(|case| (case.name.as_str(), case.protocol)).collect();
    written(record, &all, passed)
}

fn written(record: &RunRecord, all: &[(&str, Protocol)], passed: &BTreeSet<String>) -> String {
    let mut text = String::from(
        "# A draft for a router file: scenarios in which a MUST is violated, by cause. Put your own\n\
         # reason into each entry, and a link to where to read more.\n",
    );
    for Cause { example, others, .. } in causes(with_outcome(record, OutcomeWord::Failed)) {
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

/// The entries of scenarios with one cause: both protocols together where both fail, and scenarios
/// of one beginning by a pattern where it matches no other.
fn entries<'a>(cases: &[&'a CaseRecord], all: &[(&str, Protocol)]) -> Vec<Entry<'a>> {
    let failed: BTreeSet<_> = cases.iter().map(|case| case.name.as_str()).collect();
    // By protocol, then by name without it.
    let mut units: BTreeMap<(Option<Protocol>, &str), Vec<&str>> = BTreeMap::new();
    for case in cases {
        let name = without_protocol(&case.name);
        let of_name = || all.iter().filter(|(one, _)| without_protocol(one) == name);
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
                all.iter().filter(|(one, own)| is_of(*own) && glob(pattern, without_protocol(one)));
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
            let file = format!("{HEAD}{}", written(&report, &[], &BTreeSet::new()));
            // Warnings are no failures.
            assert_eq!(RouterFile::parse(&file).unwrap().known_failures.len(), 1, "{file}");
            let linked = file.replace("# link = \"https://\"", "link = \"https://example.com/1\"");
            let known = RouterFile::parse(&linked).unwrap().known_failures;
            assert!(known.iter().all(|entry| entry.link == "https://example.com/1"));
        }
    }

    #[test]
    fn protocols_and_examples_of_one_cause_are_one_entry() {
        let failed = sample::report().scenarios.swap_remove(2);
        let titles = ["does_with_a_get", "does_with_a_post", "does_with_a_put", "keeps"];
        let named =
            |title: &str, protocol: Protocol| format!("a::r::what_a_router_{title}[{protocol}]");
        let all = titles.map(|title| Protocol::ALL.map(|one| (named(title, one), one))).concat();
        let pairs: Vec<_> = all.iter().map(|(name, protocol)| (name.as_str(), *protocol)).collect();
        let entries = |failing: usize, passed: BTreeSet<String>| {
            let mut report = sample::report();
            let case = |(name, protocol): &(String, Protocol)| CaseRecord {
                name: name.clone(),
                protocol: *protocol,
                ..failed.clone()
            };
            report.scenarios = all[..failing].iter().map(case).collect();
            let draft = written(&report, &pairs, &passed);
            let known = RouterFile::parse(&format!("{HEAD}{draft}")).unwrap().known_failures;
            known.into_iter().map(|entry| (entry.scenario, entry.flaky)).collect::<Vec<_>>()
        };
        let entry = |title: &str, flaky| (format!("a::r::what_a_router_{title}"), flaky);
        assert_eq!(entries(6, BTreeSet::new()), [entry("does*", false)]);
        // One example of one protocol is not among them: no pattern may match it.
        let [get, post, put, _] = titles;
        assert_eq!(
            entries(5, [all[4].0.clone()].into()),
            [entry(get, false), entry(post, false), entry(put, true)]
        );
    }
}
