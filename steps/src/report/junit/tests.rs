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
