//! The report as one page that opens offline: no resource is fetched, and without script everything
//! is still there, in `<details>`.

mod curl;
pub(super) mod drawing;
mod messages;
pub(super) mod requirements;
mod scenario;
mod summary;
pub(super) mod text;

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use super::data::{Report, Scenario};
use text::Esc;

/// What all pages look like.
pub(super) const STYLE: &str = include_str!("page.css");
/// Filters, and links that open what they lead to.
const SCRIPT: &str = include_str!("page.js");

/// The outcomes, worst first: the order in which scenarios stand, the class and the sign of each.
const OUTCOMES: [(&str, &str, &str); 7] = [
    ("suite error", "error", "\u{2757}"),
    ("failed", "failed", "\u{2717}"),
    ("could not run", "not-run", "?"),
    ("warned", "warned", "!"),
    ("known failure", "known", "\u{2248}"),
    ("passed", "passed", "\u{2713}"),
    ("not applicable", "none", "\u{2013}"),
];

/// Class and sign of an outcome.
fn outcome_of(word: &str) -> (&'static str, &'static str) {
    OUTCOMES
        .iter()
        .find(|(own, ..)| *own == word)
        .map_or(("error", "?"), |(_, class, sign)| (class, sign))
}

/// The report in this form.
pub(super) fn render(report: &Report) -> String {
    let mut page = head(&format!("{}: {}", report.router.name, report.conclusion), Some(SCRIPT));
    page.push_str("<main>\n");
    summary::write(&mut page, report);
    requirements::write(&mut page, report);
    scenarios(&mut page, report);
    page.push_str("</main>\n");
    let _ = write!(page, "<script>{SCRIPT}</script>\n</body>\n</html>\n");
    page
}

/// The beginning of a page. Its policy forbids whatever is not in the page itself, so that nothing
/// a router wrote could be fetched or run even if it were taken for markup.
pub(crate) fn head(title: &str, script: Option<&str>) -> String {
    let digest = |text: &str| STANDARD.encode(Sha256::digest(text));
    let script =
        script.map_or("'none'".to_owned(), |script| format!("'sha256-{}'", digest(script)));
    let style = digest(STYLE);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; form-action 'none'; \
         img-src data:; style-src 'sha256-{style}'; script-src {script}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n",
        Esc(title)
    )
}

/// All scenarios, worst first, with the filters above them.
fn scenarios(page: &mut String, report: &Report) {
    let _ = write!(page, "<h2 id=\"scenarios\">Scenarios</h2>\n{}", filters(report));
    let mut first = true;
    for (word, class, sign) in OUTCOMES {
        let of_word: Vec<(usize, &Scenario)> = report
            .scenarios
            .iter()
            .enumerate()
            .filter(|(_, scenario)| scenario.outcome.word == word)
            .collect();
        if of_word.is_empty() {
            continue;
        }
        let _ = writeln!(
            page,
            "<section class=\"g\">\n<h3 class=\"t-{class}\"><span aria-hidden=\"true\">{sign}</span> {} ({})</h3>",
            capital(word),
            of_word.len()
        );
        for of_feature in of_word.chunk_by(|(_, one), (_, other)| one.file == other.file) {
            let (_, one) = of_feature[0];
            let _ = writeln!(
                page,
                "<section class=\"g\">\n<h4>{} <small>{}</small></h4>",
                Esc(&one.feature),
                Esc(&one.file)
            );
            for (number, scenario) in of_feature {
                // One failure is shown at once: it is what a reader came for.
                let open = word == "failed" && std::mem::take(&mut first);
                scenario::write(page, scenario, *number, report, open);
            }
            page.push_str("</section>\n");
        }
        page.push_str("</section>\n");
    }
    page.push_str("<p id=\"nothing\" hidden>No scenario fits these filters.</p>\n");
}

/// The filters. They work by script alone, and are hidden where there is none.
fn filters(report: &Report) -> String {
    let mut form = String::from("<form id=\"filters\" hidden>\n<fieldset><legend>Outcome</legend>");
    for (word, class, sign) in OUTCOMES {
        let count =
            report.scenarios.iter().filter(|scenario| scenario.outcome.word == word).count();
        if count > 0 {
            let _ = write!(
                form,
                "<label class=\"pick\"><input type=\"checkbox\" name=\"outcome\" value=\"{word}\"><span class=\"t-{class}\">{sign} {word} {count}</span></label>"
            );
        }
    }
    form.push_str("</fieldset>\n<label>Requirement <input name=\"requirement\" list=\"ids\" autocomplete=\"off\" placeholder=\"BF-03\" size=\"8\"></label>\n<datalist id=\"ids\">");
    for id in report.requirements.keys() {
        let _ = write!(form, "<option value=\"{}\">", Esc(id));
    }
    form.push_str(
        "</datalist>\n<label>Text <input name=\"text\" type=\"search\" autocomplete=\"off\" placeholder=\"part of a name or title\"></label>\n\
         <button type=\"reset\">Show all</button> <output id=\"shown\"></output>\n</form>\n",
    );
    form
}

fn capital(word: &str) -> String {
    let mut characters = word.chars();
    characters
        .next()
        .map(|first| first.to_uppercase().chain(characters).collect())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests;
