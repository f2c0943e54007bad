use roxmltree::{Document, Node};

use super::super::sample;
use super::*;

fn named<'a>(document: &'a Document<'a>, name: &str) -> Vec<Node<'a, 'a>> {
    document.descendants().filter(|node| node.has_tag_name(name)).collect()
}

fn count(node: &Node<'_, '_>, attribute: &str) -> usize {
    node.attribute(attribute)
        .and_then(|count| count.parse().ok())
        .unwrap_or_else(|| panic!("{attribute} is not a number"))
}

/// The counts that a CI system reads agree with the test cases.
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
fn each_outcome_has_its_own_element() {
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
    let warning = element("a_warning").unwrap();
    assert_eq!((warning.0, warning.1), ("system-out", None));
    assert!(warning.2.unwrap().contains("Z-03 (SHOULD) is not followed"), "{warning:?}");
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
    let properties: Vec<_> =
        named(&document, "property").iter().filter_map(|node| node.attribute("value")).collect();
    for value in ["Waypoint", "2.1", "7", "0.1.0"] {
        assert!(properties.contains(&value), "{value}");
    }
}

#[test]
fn an_exploration_without_a_failure_is_a_test_case() {
    let mut report = sample::exploration();
    let text = render(&report);
    let document = Document::parse(&text).unwrap();
    counts_are_right(&document);
    let failure = named(&document, "failure")[0].text().unwrap();
    for part in ["Scenario: the journey 77", "fails 9 of 10 times", "rerun: "] {
        assert!(failure.contains(part), "{part}\n{failure}");
    }
    report.scenarios.clear();
    report.conclusion = Conclusion::NoFailure;
    report.exploration.as_mut().unwrap().found.clear();
    let text = render(&report);
    let document = Document::parse(&text).unwrap();
    counts_are_right(&document);
    let name = named(&document, "testcase")[0].attribute("name").unwrap();
    assert!(name.starts_with("no violation in 1000 journeys"), "{name}");
}

#[test]
fn markup_in_a_message_stays_text() {
    let text = render(&sample::hostile());
    let document = Document::parse(&text).unwrap();
    counts_are_right(&document);
    assert_eq!(named(&document, "script").len(), 0);
    assert!(named(&document, "failure")[0].text().unwrap().contains("<script>alert(1)</script>"));
}

#[test]
fn a_run_that_is_not_conformant_is_never_green() {
    let mut report = sample::report();
    report.complaints.clear();
    report.scenarios.retain(|scenario| scenario.outcome.word == OutcomeWord::NotApplicable);
    report.conclusion = Conclusion::Incomplete;
    let text = render(&report);
    let document = Document::parse(&text).unwrap();
    counts_are_right(&document);
    assert_eq!(named(&document, "error").len(), 1);
    report.conclusion = Conclusion::Conformant;
    assert!(!render(&report).contains("<error"));
}
