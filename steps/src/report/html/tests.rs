//! Tests of the page as a whole.

use std::sync::Arc;
use std::time::Duration;

use cell_fleet::{BodySeen, CellId, Field, ResponseSeen, Stamp, Text};

use super::super::sample;
use super::*;
use crate::engine::record::keep_bodies;
use crate::trace::{
    ConformanceId, Gate, Hop, Origin, Phase, ReceivedResponse, Trace, UserRequest, UserResponse,
};
use crate::verdict::OutcomeWord;

fn stamp(sequence: u64) -> Stamp {
    Stamp { sequence, at: Duration::from_millis(sequence) }
}

/// A report whose failure has a trace: a cell responds to anna through the router.
fn traced() -> RunRecord {
    traced_with(|_| {})
}

/// The report of [`traced`], with a change to its trace.
fn traced_with(change: impl FnOnce(&mut Trace)) -> RunRecord {
    let page = "<b>body</b>".repeat(200);
    let body = BodySeen { length: 9000, ..BodySeen::of(&page.into()) };
    let line = |name: &str, value: &str| Field { name: name.into(), value: value.into() };
    let fields = vec![line("x-gitlab-cell-redirect", "{cell:Cell EU0}")];
    let (status, node) = (302, CellId::eu(1));
    let got = ReceivedResponse { status, fields: fields.clone(), body: body.clone() };
    let user = UserRequest {
        id: ConformanceId("anna.1".to_owned()),
        person: "anna".to_owned(),
        gate: Gate::Router(cell_fleet::Region::eu()),
        phase: Phase::Step(0),
        method: "GET".to_owned(),
        target: "/a'b".into(),
        fields: vec![line("X-Conformance-Id", "anna.1")],
        sent: stamp(1),
        response: Some(UserResponse { at: stamp(5), got: Ok(got) }),
        ..UserRequest::default()
    };
    let hop = Hop::made(node.clone(), Origin::User(0), stamp(2), "GET", "/a'b".into());
    let hop = Hop {
        cell: CellId::eu(0),
        read: Some((stamp(3), BodySeen::of(&Default::default()))),
        response: Some((stamp(4), ResponseSeen { hop: hop.id, cell: node, status, fields, body })),
        ..hop
    };
    let mut trace = Trace { users: vec![user], hops: vec![hop], ..Trace::default() };
    change(&mut trace);
    let mut report = sample::report();
    keep_bodies(&trace, &mut report.bodies);
    let trace = Arc::new(trace);
    for scenario in &mut report.scenarios {
        scenario.trace = Some(trace.clone());
    }
    report
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
        let at = page.find(&format!("data-o=\"{word}\"")).unwrap();
        let end = page[at..].find("</details>\n").map_or(page.len(), |end| at + end);
        &page[at..end]
    };
    for word in ["failed", "warned", "known failure", "could not run", "suite error"] {
        assert!(body(word).contains("Requests and responses"), "{word}");
    }
    for word in ["passed", "not applicable"] {
        assert!(body(word).contains("data-z=\"0."), "{word}");
        assert!(!body(word).contains("Requests and responses"), "{word}");
    }
    // Any number of failures makes no large page.
    let mut report = traced();
    let failed = report
        .scenarios
        .iter()
        .find(|one| one.outcome.word == OutcomeWord::Failed)
        .unwrap()
        .clone();
    report.scenarios.extend(std::iter::repeat_n(failed, 1000));
    let page = render(&report);
    assert!(page.len() < 1_000_000, "{}", page.len());
}

#[test]
fn failures_come_first_and_each_outcome_is_counted() {
    let page = render(&sample::report());
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("no {text}"));
    assert!(
        at("Failed (<span class=\"n\">1<") < at("Warned (<span class=\"n\">1<")
            && at("Warned (<span class=\"n\">1<") < at("Passed (<span class=\"n\">1<")
            && at("Passed (<span class=\"n\">1<") < at("Not applicable (<span class=\"n\">1<")
    );
    assert_eq!(page.matches("<details class=\"s\"").count(), 7);
    assert_eq!(page.matches(" open><summary><span class=\"b").count(), 1);
}

#[test]
fn journeys_come_first_and_what_passed_and_the_cells_are_folded() {
    let mut report = sample::report();
    let passed = report.scenarios[0].clone();
    let other = |file: &str, profile: &str, word| {
        let mut other = passed.clone();
        (other.file, other.profile) = (file.to_owned(), profile.to_owned());
        other.name = format!("{file}::{}", passed.name);
        other.outcome.word = word;
        other
    };
    report.scenarios.insert(0, other("cells/a.feature", "fleet", OutcomeWord::Passed));
    report.scenarios.insert(1, other("hardening/b.feature", "hardening", OutcomeWord::Passed));
    report.scenarios.insert(2, other("cells/c.feature", "fleet", OutcomeWord::Failed));
    let page = render(&report);
    let list = &page[page.find("id=\"scenarios\"").unwrap()..];
    let feature = |file: &str, folded: bool| {
        let begin = if folded { "<details class=\"f\"><summary>" } else { "<section class=\"g\">" };
        let head = format!("{begin}<h4>A sample <small>{file} (1)");
        list.find(&head).unwrap_or_else(|| panic!("no {head}"))
    };
    assert!(feature("journeys/01_sample.feature", false) < feature("cells/c.feature", true));
    let first = list.find(" open><summary><span class=\"b").unwrap();
    assert!(first < feature("cells/c.feature", true), "the first failure is open");
    let passed = feature("journeys/01_sample.feature", true);
    assert!(passed < feature("hardening/b.feature", true));
    assert!(feature("hardening/b.feature", true) < feature("cells/a.feature", true));
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
fn an_undrawn_exchange_beside_a_drawn_one_does_not_say_that_nothing_was_expected() {
    let mut report = sample::report();
    let failed = &mut report.scenarios[2];
    let mut undrawn = failed.exchanges[0].clone();
    undrawn.expected.clear();
    undrawn.divergence = None;
    failed.exchanges.push(undrawn);
    let page = render(&report);
    assert!(page.contains("(this step draws nothing: it judges what was observed)"));
    assert!(!page.contains("othing was expected"));
}

#[test]
fn a_body_is_shown_once_and_cut_with_a_note() {
    let page = render(&traced());
    assert!(page.contains("<mark>x-gitlab-cell-redirect: {cell:Cell EU0}</mark>"));
    assert!(page.contains("\u{2026} of 9000 bytes"));
    assert!(page.contains("the 9000 bytes that cell_eu0 sent"));
    assert!(page.contains("(played by cell_eu1)"));
    assert!(!page.contains("<b>body</b>"));
}

#[test]
fn raw_bytes_and_received_messages_are_shown_unchanged() {
    let report = traced_with(|trace| {
        let user = &mut trace.users[0];
        user.raw = Some(Text::from(&b"GET /<b> HTTP/1.1\r\nA: \xff\r\n\r\n"[..]));
        user.heard = vec!["cell_eu0: <hello>".to_owned()];
        user.interim = vec![103];
    });
    let page = render(&report);
    assert!(page.contains("GET /&lt;b&gt; HTTP/1.1\\r\\n\nA: \\xff\\r\\n"));
    assert!(
        page.contains("heard: <code>cell_eu0: &lt;hello&gt;</code>")
            && page.contains("before the response: 103")
    );
    assert!(page.contains(r"A: \377\r\n\r\n' | raw"));
}

#[test]
fn a_scenario_can_be_run_again_and_its_requests_sent_by_hand() {
    let page = render(&traced());
    assert!(page.contains("cells-conformance run '"));
    assert!(page.contains("--seed 7 --router-file router.toml"));
    assert!(page.contains(r"&quot;$ROUTER_EU&quot;'/a'\''b'"));
}

#[test]
fn the_middle_of_a_long_scenario_is_left_out() {
    let report =
        traced_with(|trace| trace.users = (0..500).map(|_| trace.users[0].clone()).collect());
    let page = render(&report);
    assert!(page.contains("441 more, which the JSON report has"));
    assert!(page.contains("and 480 more of this kind"));
}

#[test]
fn the_first_difference_is_marked_in_both_drawings() {
    let report = sample::report();
    let diverging = report
        .scenarios
        .iter()
        .flat_map(|scenario| &scenario.exchanges)
        .filter(|exchange| exchange.divergence.is_some())
        .count();
    assert!(diverging > 0);
    let page = render(&report);
    assert_eq!(page.matches("first difference</text>").count(), 2 * diverging);
    assert_eq!(page.matches("<rect class=\"m\"").count(), 2 * diverging);
}

#[test]
fn a_protocol_that_is_not_claimed_is_named_as_that_and_not_green() {
    let mut report = sample::report();
    let page = render(&report);
    assert!(page.contains("<b>Buffering</b>: <span class=\"t-error\">1 passed, "), "{page}");
    assert!(page.contains("<b>Learning</b>: <span class=\"t-none\">not claimed<"));
    // A document without an applicable requirement is neither violated nor kept.
    report.scenarios.retain(|scenario| scenario.outcome.word == OutcomeWord::NotApplicable);
    let page = render(&report);
    assert!(page.contains("<span class=\"t-none\">3 not applicable</span>"), "{page}");
    assert!(
        !page.contains("none violated") && !page.contains("<span class=\"t-passed\">"),
        "{page}"
    );
}

#[test]
fn a_requirement_without_evidence_is_not_shown_as_kept() {
    let mut report = sample::report();
    report.scenarios.retain(|scenario| scenario.outcome.word == OutcomeWord::Failed);
    for finding in &mut report.scenarios[0].findings {
        finding.requirement = "Z-39".to_owned();
    }
    let page = render(&report);
    assert!(page.contains("? not shown"), "{page}");
    assert!(!page.contains("none violated"));
}
