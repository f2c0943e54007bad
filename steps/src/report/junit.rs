//! JUnit XML, as CI systems read it: a test suite for each feature file.
//!
//! A violated MUST is a `failure`, what keeps a verdict from being reached is an `error`, and what
//! was not asked of the router is `skipped`. What is wrong beside the scenarios is a test case too:
//! whoever reads only these counts must not see green where the program ended with another code.

mod xml;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::data::{Exchange, Finding, Report, Requirement, Scenario};
use super::text::{drawn, identity, rerun, seconds};
use xml::Xml;

/// Width of the two exchanges together.
const WIDTH: usize = 150;
/// Name of the suite that holds what is wrong beside the scenarios.
const BESIDE: &str = "beside the scenarios";

/// The report in this form.
pub(super) fn render(report: &Report) -> String {
    let files = by_file(&report.scenarios);
    let beside = beside(report);
    let mut all = Counts::default();
    report.scenarios.iter().for_each(|scenario| all.add(&scenario.outcome.word));
    beside.iter().for_each(|(word, _)| all.add(word));

    let mut xml = Xml::new();
    let identity = format!("cells-conformance: {}", identity(&report.router));
    let time = seconds(report.run.took_ms);
    xml.open(
        "testsuites",
        &all.attributes(&[("name", &identity), ("timestamp", &report.run.began), ("time", &time)]),
    );
    for (file, scenarios) in files {
        feature(&mut xml, report, file, &scenarios);
    }
    if !beside.is_empty() {
        let mut counts = Counts::default();
        beside.iter().for_each(|(word, _)| counts.add(word));
        xml.open(
            "testsuite",
            &counts.attributes(&[
                ("name", BESIDE),
                ("timestamp", &report.run.began),
                ("time", "0.000"),
            ]),
        );
        properties(&mut xml, report);
        for (number, (word, why)) in beside.iter().enumerate() {
            xml.open(
                "testcase",
                &[
                    ("classname", BESIDE),
                    ("name", &format!("complaint {}", number + 1)),
                    ("time", "0.000"),
                ],
            );
            let element = if *word == "failed" { "failure" } else { "error" };
            xml.leaf(element, &[("message", first_line(why)), ("type", word)], why);
            xml.close();
        }
        xml.close();
    }
    xml.finish()
}

/// The scenarios of each feature file, in the order of the report.
fn by_file(scenarios: &[Scenario]) -> Vec<(&str, Vec<&Scenario>)> {
    let mut places = BTreeMap::new();
    let mut files: Vec<(&str, Vec<&Scenario>)> = Vec::new();
    for scenario in scenarios {
        let place = *places.entry(scenario.file.as_str()).or_insert(files.len());
        match files.get_mut(place) {
            Some((_, of_file)) => of_file.push(scenario),
            None => files.push((&scenario.file, vec![scenario])),
        }
    }
    files
}

/// What is wrong beside the scenarios: complaints, and a conclusion that no test case accounts for.
fn beside(report: &Report) -> Vec<(&'static str, String)> {
    let word = if report.conclusion == "suite at fault" { "suite error" } else { "failed" };
    let mut beside: Vec<_> =
        report.complaints.iter().map(|complaint| (word, complaint.clone())).collect();
    let accounts = |scenario: &Scenario| {
        matches!(scenario.outcome.word.as_str(), "failed" | "could not run" | "suite error")
    };
    if beside.is_empty()
        && report.conclusion != "conformant"
        && !report.scenarios.iter().any(accounts)
    {
        beside.push((
            "could not run",
            format!("the run is {}: no scenario that was run says otherwise", report.conclusion),
        ));
    }
    beside
}

fn feature(xml: &mut Xml, report: &Report, file: &str, scenarios: &[&Scenario]) {
    let mut counts = Counts::default();
    scenarios.iter().for_each(|scenario| counts.add(&scenario.outcome.word));
    let time = seconds(scenarios.iter().map(|scenario| scenario.took_ms).sum());
    xml.open(
        "testsuite",
        &counts.attributes(&[("name", file), ("timestamp", &report.run.began), ("time", &time)]),
    );
    properties(xml, report);
    for scenario in scenarios {
        testcase(xml, report, scenario);
    }
    xml.close();
}

fn properties(xml: &mut Xml, report: &Report) {
    let (router, suite, run) = (&report.router, &report.suite, &report.run);
    let (seed, command) = (run.seed.to_string(), router.command.join(" "));
    let (protocols, capabilities) = (router.protocols.join(" "), router.capabilities.join(" "));
    let properties = [
        ("router.name", router.name.as_str()),
        ("router.version", router.version.as_deref().unwrap_or_default()),
        ("router.url", router.url.as_deref().unwrap_or_default()),
        ("router.command", &command),
        ("router.protocols", &protocols),
        ("router.capabilities", &capabilities),
        ("suite.version", &suite.version),
        ("suite.features-digest", &suite.features_digest),
        ("suite.ledger-digest", &suite.ledger_digest),
        ("run.seed", &seed),
        ("run.platform", &run.platform),
        ("conclusion", &report.conclusion),
    ];
    xml.open("properties", &[]);
    for (name, value) in properties.into_iter().filter(|(_, value)| !value.is_empty()) {
        xml.leaf("property", &[("name", name), ("value", value)], "");
    }
    xml.close();
}

fn testcase(xml: &mut Xml, report: &Report, scenario: &Scenario) {
    let (class, name) = names(scenario);
    let (file, line) = (format!("features/{}", scenario.file), scenario.line.to_string());
    let time = seconds(scenario.took_ms);
    let attributes = [
        ("classname", class.as_str()),
        ("name", name),
        ("file", &file),
        ("line", &line),
        ("time", &time),
    ];
    let outcome = &scenario.outcome;
    let reason = outcome.reason.as_deref().unwrap_or_default();
    if outcome.word == "passed" {
        return xml.leaf("testcase", &attributes, "");
    }
    xml.open("testcase", &attributes);
    match outcome.word.as_str() {
        "warned" => xml.leaf("system-out", &[], &described(report, scenario)),
        "failed" => {
            let first = scenario.findings.first();
            let message = first.map_or("a requirement is violated".to_owned(), |found| {
                format!("{}: {}", found.requirement, found.message)
            });
            let ids: Vec<_> =
                scenario.findings.iter().map(|finding| finding.requirement.as_str()).collect();
            xml.leaf(
                "failure",
                &[("message", first_line(&message)), ("type", &unique(&ids).join(" "))],
                &described(report, scenario),
            );
        }
        "known failure" => {
            let link = outcome.link.as_deref().unwrap_or_default();
            xml.leaf(
                "skipped",
                &[("message", &format!("known failure: {reason} ({link})"))],
                &described(report, scenario),
            );
        }
        "not applicable" => {
            xml.leaf("skipped", &[("message", &format!("not applicable: {reason}"))], "")
        }
        word => xml.leaf(
            "error",
            &[("message", first_line(reason)), ("type", word)],
            &described(report, scenario),
        ),
    }
    let logs = scenario.logs.iter().filter(|log| !log.end.is_empty());
    let logs: Vec<_> = logs
        .map(|log| format!("the end of the log of {}:\n{}", log.router, log.end.trim_end()))
        .collect();
    if !logs.is_empty() {
        xml.leaf("system-err", &[], &logs.join("\n"));
    }
    xml.close();
}

/// The feature's part of the stable name, as a class, and the scenario's.
fn names(scenario: &Scenario) -> (String, &str) {
    let depth = scenario.file.split('/').count();
    match scenario.name.match_indices("::").nth(depth - 1) {
        Some((at, sign)) => {
            (scenario.name[..at].replace(sign, "."), &scenario.name[at + sign.len()..])
        }
        None => (scenario.feature.clone(), &scenario.name),
    }
}

/// A scenario that did not pass, as a person reads it: each finding with its requirement in words
/// and the exchanges that show it.
fn described(report: &Report, scenario: &Scenario) -> String {
    let mut text = format!("\n{}\nfeatures/{}:{}\n", scenario.title, scenario.file, scenario.line);
    if let Some(reason) = &scenario.outcome.reason {
        let _ = writeln!(text, "{}: {reason}", scenario.outcome.word);
    }
    for finding in &scenario.findings {
        let _ = write!(text, "\n{}", found(finding, report.requirements.get(&finding.requirement)));
        let is_of_step = |exchange: &&Exchange| exchange.step_index == finding.step_index;
        for exchange in scenario.exchanges.iter().filter(is_of_step) {
            text.push_str(&drawn(exchange, WIDTH));
        }
    }
    let _ = write!(text, "\nrerun: {}\n", rerun(report, scenario));
    text
}

fn found(finding: &Finding, requirement: Option<&Requirement>) -> String {
    let Finding { requirement: id, level, step, step_index: _, message } = finding;
    let words = requirement.map_or(String::new(), |row| format!(": {}", row.statement));
    let step = if step.is_empty() { String::new() } else { format!("step: {step}\n") };
    format!("{id} ({level}) is violated{words}\n{step}found: {message}\n")
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

fn unique<'a>(ids: &[&'a str]) -> Vec<&'a str> {
    let mut unique = Vec::new();
    for id in ids {
        if !unique.contains(id) {
            unique.push(*id);
        }
    }
    unique
}

/// How many test cases, and of which kind.
#[derive(Default)]
struct Counts {
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
    shown: [String; 4],
}

impl Counts {
    fn add(&mut self, word: &str) {
        self.tests += 1;
        match word {
            "passed" | "warned" => {}
            "failed" => self.failures += 1,
            "not applicable" | "known failure" => self.skipped += 1,
            _ => self.errors += 1,
        }
    }

    fn attributes<'a>(&'a mut self, others: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
        self.shown =
            [self.tests, self.failures, self.errors, self.skipped].map(|count| count.to_string());
        let names = ["tests", "failures", "errors", "skipped"];
        others
            .iter()
            .copied()
            .chain(names.into_iter().zip(self.shown.iter().map(String::as_str)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use roxmltree::{Document, Node};

    use super::super::sample;
    use super::*;

    fn named<'a>(document: &'a Document<'a>, name: &str) -> Vec<Node<'a, 'a>> {
        document.descendants().filter(|node| node.has_tag_name(name)).collect()
    }

    fn count(node: &Node<'_, '_>, attribute: &str) -> usize {
        node.attribute(attribute)
            .and_then(|count| count.parse().ok())
            .unwrap_or_else(|| panic!("{attribute} is no number"))
    }

    /// What a CI system computes from the counts is what it would find in the test cases.
    fn counts_are_right(document: &Document<'_>) {
        for parent in named(document, "testsuites").iter().chain(&named(document, "testsuite")) {
            for (attribute, tag) in [
                ("tests", "testcase"),
                ("failures", "failure"),
                ("errors", "error"),
                ("skipped", "skipped"),
            ] {
                let found = parent.descendants().filter(|node| node.has_tag_name(tag)).count();
                assert_eq!(
                    count(parent, attribute),
                    found,
                    "{attribute} of {:?}",
                    parent.attribute("name")
                );
            }
        }
    }

    #[test]
    fn every_outcome_has_its_element() {
        let text = render(&sample::report());
        let document = Document::parse(&text).unwrap();
        counts_are_right(&document);
        let element = |name: &str| {
            let case = named(&document, "testcase")
                .into_iter()
                .find(|case| case.attribute("name").is_some_and(|own| own.starts_with(name)));
            case.unwrap()
                .first_element_child()
                .map(|child| (child.tag_name().name(), child.attribute("message"), child.text()))
        };
        assert_eq!(element("a_project"), None);
        assert!(
            matches!(element("a_warning"), Some(("system-out", None, Some(text))) if text.contains("Z-03 (SHOULD) is violated"))
        );
        let (tag, message, body) = element("a_failure").unwrap();
        assert_eq!((tag, message), ("failure", Some("BF-03: nothing more was observed")));
        for part in [
            "A bounced request goes",
            "step: Then the exchange",
            "| > (nothing)",
            "rerun: cells-conformance run",
        ] {
            assert!(body.unwrap().contains(part), "{part} is missing in {body:?}");
        }
        assert!(matches!(
            element("known"),
            Some(("skipped", Some("known failure: the engine cannot (https://example.com/1)"), _))
        ));
        assert!(matches!(element("not_claimed"), Some(("skipped", Some(_), None))));
        assert!(matches!(element("no_port"), Some(("error", Some("the port is taken"), _))));
        assert!(matches!(element("a_panic"), Some(("error", Some("a step panicked"), _))));
        assert!(matches!(element("complaint 1"), Some(("error", Some(_), _))));
        let case = named(&document, "testcase")[0];
        assert_eq!(
            (case.attribute("classname"), case.attribute("time")),
            (Some("journeys.sample"), Some("1.500"))
        );
        let properties: Vec<_> = named(&document, "property")
            .iter()
            .filter_map(|node| node.attribute("value"))
            .collect();
        for value in ["Waypoint", "2.1", "7", "0.1.0"] {
            assert!(properties.contains(&value), "{value}");
        }
    }

    #[test]
    fn hostile_text_stays_text() {
        let text = render(&sample::hostile());
        let document = Document::parse(&text).unwrap();
        counts_are_right(&document);
        assert_eq!(named(&document, "script").len(), 0);
        assert!(
            named(&document, "failure")[0].text().unwrap().contains("<script>alert(1)</script>")
        );
    }

    #[test]
    fn a_run_that_is_not_conformant_is_never_green() {
        let mut report = sample::report();
        report.complaints.clear();
        report.scenarios.retain(|scenario| scenario.outcome.word == "not applicable");
        report.conclusion = "incomplete".to_owned();
        let text = render(&report);
        let document = Document::parse(&text).unwrap();
        counts_are_right(&document);
        assert_eq!(named(&document, "error").len(), 1);
        report.conclusion = "conformant".to_owned();
        assert!(!render(&report).contains("<error"));
    }
}
