//! Tests of the page as a whole.

use std::sync::Arc;

use super::super::sample::{self, traced};
use super::super::tests::{elements, shows};
use super::*;
use crate::verdict::OutcomeWord;

#[test]
fn the_page_has_its_parts() {
    let shows_elements = |name: &str, markup: Markup| shows(name, &elements(&markup.into_string()));
    let report = traced();
    shows_elements("page_summary", summary::render(&report));
    shows_elements("page_requirements", requirements::render(&report));
    let body = scenario::Body::InPlace { open: true };
    shows_elements("page_failure", scenario::render(&report.scenarios[2], 2, &report, body));
    let report = sample::exploration();
    shows_elements("page_exploration", explored(&report));
    let body = scenario::Body::InPlace { open: true };
    shows_elements("page_found", scenario::render(&report.scenarios[0], 0, &report, body));
}

/// The page with the packed bodies in their places, as a browser has it when all are open.
fn whole(report: &RunRecord) -> String {
    let page = render(report);
    let bodies = on_demand::unpacked(&page);
    assert!(!bodies.is_empty());
    let later = scenario::later().into_string();
    assert_eq!(page.matches(&later).count(), bodies.len());
    let mut pieces = page.split(&later);
    let mut whole = pieces.next().unwrap().to_owned();
    for (body, piece) in bodies.iter().zip(pieces) {
        whole.push_str(body);
        whole.push_str(piece);
    }
    whole
}

/// The page as XML, so that its structure can be checked: void elements are closed, and attributes
/// without a value are removed.
fn structure(page: &str) -> String {
    let mut xml =
        page.replace("<!DOCTYPE html>", "").replace("<wbr>", "<wbr/>").replace("<br>", "<br/>");
    for (with, without) in [(" open>", ">"), (" hidden>", ">")] {
        xml = xml.replace(with, without);
    }
    for name in ["<meta ", "<link ", "<input ", "<option "] {
        let pieces: Vec<_> = xml.split(name).map(str::to_owned).collect();
        let closed = pieces[1..].iter().map(|piece| piece.replacen('>', "/>", 1));
        xml = [pieces[0].clone()].into_iter().chain(closed).collect::<Vec<_>>().join(name);
    }
    let script = xml.find("<script>").map(|at| at + "<script>".len()).unwrap();
    let end = xml.rfind("</script>").unwrap();
    xml.replace_range(script..end, "");
    xml
}

#[test]
fn the_page_is_well_formed_with_hostile_text() {
    for report in [sample::report(), traced(), sample::hostile()] {
        let page = structure(&whole(&report));
        if let Err(error) = roxmltree::Document::parse(&page) {
            let line = page.lines().nth(error.pos().row as usize - 1).unwrap_or_default();
            panic!("{error}\n{line}");
        }
    }
}

#[test]
fn text_of_a_router_never_becomes_markup() {
    let page = whole(&sample::hostile());
    // The script of the page, and one block of bodies.
    assert_eq!(page.matches("<script").count(), 2);
    assert!(page.contains("&lt;script&gt;alert(1)"));
    assert!(!page.contains("<!--"));
}

#[test]
fn the_page_fetches_nothing() {
    let page = whole(&traced());
    for word in [" src=", "url(", "@import", "fetch(", "<iframe", "<img"] {
        assert!(!page.contains(word), "{word}");
    }
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn what_passed_is_packed_and_what_did_not_is_there_without_script() {
    let page = render(&traced());
    let body = |word: &str| {
        let at = page.find(&format!("data-outcome=\"{word}\"")).unwrap();
        let end = page[at..].find("</details>\n").map_or(page.len(), |end| at + end);
        &page[at..end]
    };
    for word in ["failed", "warned", "known failure", "could not run", "suite error"] {
        assert!(body(word).contains("Requests and responses"), "{word}");
    }
    for word in ["passed", "not applicable"] {
        assert!(body(word).contains("data-packed=\"0."), "{word}");
        assert!(!body(word).contains("Requests and responses"), "{word}");
    }
    // Any number of failures makes no large page.
    let mut report = traced();
    let failed = report.scenarios[2].clone();
    report.scenarios.extend(std::iter::repeat_n(failed, 1000));
    let page = render(&report);
    assert!(page.len() < 1_500_000, "{}", page.len());
}

#[test]
fn journeys_come_first_and_what_passed_and_the_cells_are_folded() {
    let mut report = sample::report();
    let passed = report.scenarios[0].clone();
    for (file, profile, word) in [
        ("cells/c.feature", Profile::Fleet, OutcomeWord::Failed),
        ("hardening/b.feature", Profile::Hardening, OutcomeWord::Passed),
        ("cells/a.feature", Profile::Fleet, OutcomeWord::Passed),
    ] {
        let mut other = CaseRecord { file: file.to_owned(), profile, ..passed.clone() };
        other.outcome.word = word;
        report.scenarios.insert(0, other);
    }
    let page = structure(&render(&report));
    let document = roxmltree::Document::parse(&page).unwrap();
    let headings = document.descendants().filter(|node| node.has_tag_name("h4"));
    let features: Vec<_> = headings
        .map(|heading| {
            let file = heading.last_element_child().and_then(|small| small.text()).unwrap();
            let is_folded = heading.parent().is_some_and(|one| one.has_tag_name("summary"));
            format!("{}{file}", if is_folded { "folded: " } else { "" })
        })
        .collect();
    // By outcome: the error of the suite, what failed, could not run, was warned or known, passed.
    shows("page_order", &features.join("\n"));
}

#[test]
fn cases_of_one_title_are_told_apart_by_their_example() {
    let mut report = sample::report();
    let mut other = report.scenarios[0].clone();
    let title = report.scenarios[0].title.clone();
    let slug = crate::catalog::slug(&title);
    report.scenarios[0].name = format!("a::b::{slug}_status_of_two_digits[buffering]");
    other.name = format!("a::b::{slug}_not_http[buffering]");
    assert!(!render(&sample::report()).contains("<span class=\"ex\">"));
    report.scenarios.push(other);
    let page = render(&report);
    for example in ["status of two digits", "not http"] {
        assert!(page.contains(&format!("<span class=\"ex\">{example}</span>")), "{example}");
    }
}

#[test]
fn the_middle_of_a_long_scenario_is_left_out() {
    let mut report = traced();
    let mut trace = report.scenarios[2].trace.as_deref().cloned().unwrap();
    trace.users = vec![trace.users[1].clone(); 500];
    report.scenarios[2].trace = Some(Arc::new(trace));
    let page = render(&report);
    assert!(page.contains("441 more, which the JSON report has"));
    assert!(page.contains("and 480 more of this kind"));
}

#[test]
fn a_requirement_without_evidence_is_not_shown_as_kept() {
    let mut report = sample::report();
    report.scenarios.retain(|scenario| scenario.outcome.word == OutcomeWord::Failed);
    report.scenarios[0].findings[0].requirement = "Z-39".parse().unwrap();
    let page = render(&report);
    assert!(page.contains("? not shown") && !page.contains("none violated"), "{page}");
}
