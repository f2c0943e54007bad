use proptest::prelude::*;
use quick_junit::Report;
use roxmltree::{Document, Node};

use super::super::sample;
use super::*;

fn named<'a>(document: &'a Document<'a>, name: &str) -> Vec<Node<'a, 'a>> {
    document.descendants().filter(|node| node.has_tag_name(name)).collect()
}

#[test]
fn markup_in_a_message_stays_text() {
    let text = render(&sample::hostile());
    let document = Document::parse(&text).unwrap();
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
    assert_eq!(named(&document, "error").len(), 1);
    report.conclusion = Conclusion::Conformant;
    assert!(!render(&report).contains("<error"));
}

#[test]
fn a_control_character_leaves_a_trace() {
    assert_eq!(
        printable("a\x1b]b\r\n\tc\r\u{9b}\u{ffff}\u{202e}"),
        "a\u{fffd}]b\n    c\u{fffd}\u{fffd}\u{fffd}\\u{202e}"
    );
}

proptest! {
    #[test]
    fn a_parser_reads_back_what_is_written(text in any::<String>()) {
        let mut case = TestCase::new("case", TestCaseStatus::success());
        case.set_system_out(printable(&format!("x{text}")));
        let mut suite = TestSuite::new("suite");
        suite.add_test_case(case);
        let mut report = Report::unnamed();
        report.add_test_suite(suite);
        let written = report.to_string().unwrap();
        let document = Document::parse(&written).unwrap();
        let output = document.descendants().find(|node| node.has_tag_name("system-out"));
        let expected = printable(&format!("x{text}"));
        prop_assert_eq!(output.and_then(|node| node.text()), Some(expected.as_str()));
    }
}
