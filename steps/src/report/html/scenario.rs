//! One scenario: what it says, what it expected and what came, and how to see it again.

use std::fmt::Write as _;

use super::super::data::{Exchange, Finding, Report, Scenario, Step};
use super::drawing::{Drawing, Mark};
use super::text::{Esc, Prose, anchor};
use super::{curl, messages, outcome_of};

/// Writes it.
///
/// `number` is its place in the report, for short anchors of its messages.
pub(super) fn write(
    page: &mut String,
    scenario: &Scenario,
    number: usize,
    report: &Report,
    open: bool,
) {
    let (class, sign) = outcome_of(&scenario.outcome.word);
    let id = anchor(&scenario.name);
    let violated = scenario.findings.iter().map(|finding| &finding.requirement);
    let mut cited: Vec<&String> = scenario.requirements.iter().collect();
    cited.extend(violated.filter(|id| !scenario.requirements.contains(id)));
    let ids: Vec<_> = cited.iter().map(|id| id.as_str()).collect();
    let _ = write!(
        page,
        "<details class=\"s\" data-o=\"{}\" data-r=\"{}\"{}><summary><span class=\"b t-{class}\"><span aria-hidden=\"true\">{sign}</span> {}</span> \
         <span class=\"st\">{}</span> <span class=\"sp\">{}</span> <code class=\"sn\">{}</code></summary>\n<div class=\"sb\" id=\"{id}\">\n",
        Esc(&scenario.outcome.word),
        Esc(&ids.join(" ")),
        if open { " open" } else { "" },
        Esc(&scenario.outcome.word),
        Esc(&scenario.title),
        Esc(&ids.join(" ")),
        breakable(&scenario.name),
    );
    if let Some(reason) = &scenario.outcome.reason {
        let _ = write!(page, "<p class=\"why\">{}", Esc(reason));
        if let Some(link) = &scenario.outcome.link {
            let _ = write!(page, " ({})", link_to(link));
        }
        page.push_str("</p>\n");
    }
    findings(page, &scenario.findings);
    proves(page, &cited, report);
    text(page, scenario);
    for exchange in &scenario.exchanges {
        pair(page, scenario, exchange, number);
    }
    messages::write(page, scenario, report, number);
    for log in scenario.logs.iter().filter(|log| !log.end.trim().is_empty()) {
        let open = if class == "failed" { " open" } else { "" };
        let _ = writeln!(
            page,
            "<details{open}><summary>The end of the log of {}</summary><pre>{}</pre></details>",
            Esc(&log.router),
            Esc(log.end.trim_end())
        );
    }
    again(page, scenario, report);
    page.push_str("</div></details>\n");
}

/// A name that may be broken between its parts.
fn breakable(name: &str) -> String {
    Esc(name).to_string().replace("::", "::<wbr>").replace('_', "_<wbr>")
}

/// A link, where it is one of the web; text otherwise.
pub(super) fn link_to(link: &str) -> String {
    if link.starts_with("https://") || link.starts_with("http://") {
        format!("<a href=\"{0}\" rel=\"noreferrer\">{0}</a>", Esc(link))
    } else {
        Esc(link).to_string()
    }
}

fn findings(page: &mut String, findings: &[Finding]) {
    if findings.is_empty() {
        return;
    }
    page.push_str("<h5>Found</h5>\n<ul class=\"found\">\n");
    for finding in findings {
        let class = if finding.level == "MUST" { "failed" } else { "warned" };
        let _ = writeln!(
            page,
            "<li><span class=\"b t-{class}\">{0} {1}</span> {2}<br><span class=\"step\">{3}</span></li>",
            Esc(&finding.level),
            Esc(&finding.requirement),
            Prose(&finding.message),
            Esc(&finding.step)
        );
    }
    page.push_str("</ul>\n");
}

fn proves(page: &mut String, ids: &[&String], report: &Report) {
    if ids.is_empty() {
        return;
    }
    page.push_str("<dl class=\"req\">\n");
    for id in ids {
        let id = id.as_str();
        let Some(row) = report.requirements.get(id) else { continue };
        let source =
            if row.documents.is_empty() { "derived".to_owned() } else { row.documents.join(", ") };
        let _ = writeln!(
            page,
            "<dt><a href=\"#{0}\">{0}</a> <span class=\"lv\">{1}</span></dt><dd>{2} <small>{3}: {4}</small></dd>",
            Esc(id),
            Esc(&row.level),
            Prose(&row.statement),
            Esc(&source),
            Prose(&row.section)
        );
    }
    page.push_str("</dl>\n");
}

fn text(page: &mut String, scenario: &Scenario) {
    let tags: Vec<_> = scenario.tags.iter().map(|tag| format!("@{}", Esc(tag))).collect();
    let _ = writeln!(page, "<div class=\"gh\"><p class=\"tags\">{}</p>", tags.join(" "));
    if let Some(rule) = &scenario.rule {
        let _ = writeln!(page, "<p><b>Rule:</b> {}</p>", Esc(rule));
    }
    let _ = writeln!(
        page,
        "<p><b>Scenario:</b> {} <small>features/{}:{}</small></p>\n<ol>",
        Esc(&scenario.title),
        Esc(&scenario.file),
        scenario.line
    );
    for (index, step) in scenario.steps.iter().enumerate() {
        let broke = scenario.findings.iter().any(|finding| finding.step_index == Some(index));
        page.push_str(&step_of(step, broke));
    }
    page.push_str("</ol></div>\n");
}

/// A step, set off where it did not hold.
fn step_of(step: &Step, broke: bool) -> String {
    let (class, sign) = if broke {
        (" class=\"broke\"", "<span class=\"t-failed\">\u{2717}</span> ")
    } else {
        ("", "")
    };
    let mut text = format!("<li{class}>{sign}<b>{}</b> {}", Esc(&step.keyword), Esc(&step.text));
    if let Some(doc) = &step.doc {
        let _ = write!(text, "<pre>{}</pre>", Esc(doc.trim_matches('\n')));
    }
    text.push_str("</li>\n");
    text
}

/// The two drawings.
fn pair(page: &mut String, scenario: &Scenario, exchange: &Exchange, number: usize) {
    let divergence = exchange.divergence.as_ref();
    let mark = |place: Option<usize>| place.map_or(Mark::End, Mark::Line);
    let links: Vec<_> =
        exchange.hops.iter().map(|hop| hop.map(|hop| format!("m{number}.{hop}"))).collect();
    let none = "nothing was expected: the steps judge what was observed";
    let expected = Drawing {
        title: "The exchange that the scenario expects",
        lines: &exchange.expected,
        mark: divergence.map(|found| mark(found.expected)),
        at_end: "nothing more was expected",
        links: &[],
    };
    let observed = Drawing {
        title: "The exchange that was observed",
        lines: &exchange.observed,
        mark: divergence.map(|found| mark(found.observed)),
        at_end: "nothing more was observed",
        links: &links,
    };
    let heading = if exchange.step.is_empty() { "The exchange" } else { &exchange.step };
    let _ = writeln!(page, "<h5>{}</h5>", Esc(heading));
    if let Some(found) = divergence {
        let _ = writeln!(
            page,
            "<p class=\"why\"><span class=\"t-failed\">\u{2717} First difference:</span> {}</p>",
            Prose(&found.why)
        );
    }
    page.push_str("<div class=\"pair\">\n");
    if exchange.expected.is_empty() {
        let _ = writeln!(
            page,
            "<figure class=\"one\"><figcaption>Observed <small>({none})</small></figcaption>{}</figure>",
            observed.svg()
        );
    } else {
        let _ =
            writeln!(page, "<figure><figcaption>Expected</figcaption>{}</figure>", expected.svg());
        let _ =
            writeln!(page, "<figure><figcaption>Observed</figcaption>{}</figure>", observed.svg());
    }
    page.push_str("</div>\n");
    if scenario.outcome.word == "failed" && !exchange.expected.is_empty() {
        let _ = writeln!(page, "<details><summary>Both as text</summary><div class=\"pair\">");
        for (name, lines, at) in [
            ("expected", &exchange.expected, divergence.map(|found| found.expected)),
            ("observed", &exchange.observed, divergence.map(|found| found.observed)),
        ] {
            let _ = write!(page, "<pre aria-label=\"{name}\">");
            for (number, line) in lines.iter().enumerate().take(messages::MOST) {
                let sign = if at == Some(Some(number)) { "\u{2717} " } else { "  " };
                let _ = writeln!(page, "{sign}{}", Esc(line));
            }
            if at == Some(None) {
                page.push_str("\u{2717} (nothing)\n");
            }
            page.push_str("</pre>");
        }
        page.push_str("</div></details>\n");
    }
}

/// How to see it again.
fn again(page: &mut String, scenario: &Scenario, report: &Report) {
    let _ = write!(
        page,
        "<h5>Run it again</h5>\n<pre class=\"cmd\">{}</pre>\n",
        Esc(&curl::rerun(scenario, report))
    );
    if let Some(trace) = scenario.trace.as_ref().filter(|trace| !trace.users.is_empty()) {
        let script = curl::script(scenario, trace, report);
        let _ = writeln!(
            page,
            "<details><summary>Send its requests by hand: a script with curl</summary><pre>{}</pre></details>",
            Esc(&script)
        );
    }
}
