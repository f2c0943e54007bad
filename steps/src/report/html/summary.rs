//! The top of the page: what it came to, and of what.

use std::fmt::Write as _;

use super::super::data::{ProfileVerdict, Report};
use super::scenario::link_to;
use super::text::Esc;
use super::{OUTCOMES, capital};

/// What a profile is about.
fn about(profile: &str) -> &'static str {
    match profile {
        "core" => "what the documents ask of a router",
        "hardening" => "what a router needs beyond the documents",
        "fleet" => "what only a cell can break: the suite's own cells, no verdict about the router",
        _ => "",
    }
}

/// The class of a verdict.
fn class_of(verdict: &str) -> &'static str {
    match verdict {
        "conformant" => "passed",
        "conformant but for known failures" => "known",
        "not conformant" => "failed",
        "incomplete" => "not-run",
        "not run" => "none",
        _ => "error",
    }
}

/// Writes it.
pub(super) fn write(page: &mut String, report: &Report) {
    let router = &report.router;
    let version = router
        .version
        .as_deref()
        .map(|version| format!(" <small>{}</small>", Esc(version)))
        .unwrap_or_default();
    let _ = writeln!(
        page,
        "<header><p class=\"over\">Conformance of a router for Cells</p>\n<h1>{}{version}</h1>\n<p class=\"verdict t-{}\">{}</p></header>",
        Esc(&router.name),
        class_of(&report.conclusion),
        Esc(&capital(&report.conclusion))
    );
    page.push_str("<div class=\"cards\">\n");
    for profile in &report.profiles {
        card(page, profile);
    }
    page.push_str("</div>\n");
    if !report.complaints.is_empty() {
        page.push_str("<h2>Beside the scenarios</h2>\n<ul class=\"found\">\n");
        for complaint in &report.complaints {
            let _ = writeln!(page, "<li>{}</li>", Esc(complaint));
        }
        page.push_str("</ul>\n");
    }
    facts(page, report);
}

fn card(page: &mut String, profile: &ProfileVerdict) {
    let all: usize = profile.outcomes.values().sum();
    let _ = writeln!(
        page,
        "<section class=\"card\"><h2>{}</h2>\n<p class=\"cv t-{}\">{}</p>\n<p class=\"ab\">{}</p>",
        Esc(&capital(&profile.profile)),
        class_of(&profile.verdict),
        Esc(&capital(&profile.verdict)),
        about(&profile.profile)
    );
    let counts = || {
        OUTCOMES.iter().filter_map(|(word, class, sign)| {
            Some((*word, *class, *sign, *profile.outcomes.get(*word)?))
        })
    };
    let words: Vec<_> = counts().map(|(word, _, _, count)| format!("{count} {word}")).collect();
    let _ = write!(
        page,
        "<svg class=\"bar\" viewBox=\"0 0 100 4\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{}\">",
        words.join(", ")
    );
    let mut x = 0.0;
    for (_, class, _, count) in counts() {
        #[expect(clippy::cast_precision_loss, reason = "a bar of a few hundred pixels")]
        let width = 100.0 * count as f64 / all.max(1) as f64;
        let _ = write!(
            page,
            "<rect class=\"p-{class}\" x=\"{x:.2}\" y=\"0\" width=\"{width:.2}\" height=\"4\"/>"
        );
        x += width;
    }
    page.push_str("</svg>\n<ul class=\"counts\">");
    for (word, class, sign, count) in counts() {
        let _ = write!(page, "<li class=\"t-{class}\">{sign} {count} {word}</li>");
    }
    page.push_str("</ul></section>\n");
}

fn facts(page: &mut String, report: &Report) {
    let (router, run, suite) = (&report.router, &report.run, &report.suite);
    let mut rows: Vec<(&str, String)> = Vec::new();
    let code = |text: &str| format!("<code>{}</code>", Esc(text));
    if let Some(url) = &router.url {
        rows.push(("About the router", link_to(url)));
    }
    if let Some(contact) = &router.contact {
        rows.push(("Contact", Esc(contact).to_string()));
    }
    rows.push((
        "Started by",
        if router.command.is_empty() {
            "it ran already".to_owned()
        } else {
            code(&router.command.join(" "))
        },
    ));
    let or = |words: &[String], none: &str| {
        if words.is_empty() { none.to_owned() } else { Esc(&words.join(", ")).to_string() }
    };
    rows.push(("Protocols claimed", or(&router.protocols, "none stated: both were tried")));
    rows.push(("Capabilities claimed", or(&router.capabilities, "none")));
    rows.push((
        "Run",
        format!(
            "{}, {} s, {} side by side, {}",
            Esc(&run.began),
            run.took_ms / 1000,
            run.jobs,
            Esc(&run.platform)
        ),
    ));
    rows.push((
        "Scenarios",
        format!(
            "{}, selected by: {}",
            report.scenarios.len(),
            or(&run.selection, "nothing, so all of them")
        ),
    ));
    rows.push(("Seed", code(&run.seed.to_string())));
    rows.push(("Suite", format!("cells-conformance {}", Esc(&suite.version))));
    rows.push((
        "Digests",
        format!("features {}, ledger {}", code(&suite.features_digest), code(&suite.ledger_digest)),
    ));
    page.push_str("<details class=\"facts\" open><summary>Router and run</summary>\n<dl>\n");
    for (name, value) in rows {
        let _ = writeln!(page, "<dt>{name}</dt><dd>{value}</dd>");
    }
    page.push_str("</dl></details>\n");
}
