//! The characters that reach a JUnit file.

use crate::report::text::without_hidden;

/// The text as XML 1.0 can hold it and quick-junit passes it on.
///
/// quick-junit drops control characters and terminal sequences without a trace, up to the end of
/// the text where a sequence is not terminated, so a router could hide its own failure. Each
/// control character and noncharacter becomes U+FFFD instead, and what a reader does not see an
/// escape. A line end is one line feed, and a tab is four spaces.
pub(in crate::report) fn printable(text: &str) -> String {
    let is_none = |character: char| {
        character.is_control() && character != '\n' || matches!(character, '\u{fffe}' | '\u{ffff}')
    };
    let lines = text.replace("\r\n", "\n").replace('\t', "    ");
    without_hidden(&lines.replace(is_none, "\u{fffd}"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use quick_junit::{Report, TestCase, TestCaseStatus, TestSuite};

    use super::*;

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
            let document = roxmltree::Document::parse(&written).unwrap();
            let output = document.descendants().find(|node| node.has_tag_name("system-out"));
            let expected = printable(&format!("x{text}"));
            prop_assert_eq!(output.and_then(|node| node.text()), Some(expected.as_str()));
        }
    }
}
