//! `run --write-known-failures`: a draft of entries for a router file.

use std::path::Path;

use crate::engine::record::{CaseRecord, RunRecord};

/// Writes an entry for each scenario that did not pass.
///
/// # Errors
///
/// If the file cannot be written.
pub(super) fn write(path: &Path, record: &RunRecord) -> Result<(), String> {
    std::fs::write(path, text(record))
        .map_err(|error| format!("{} could not be written: {error}", path.display()))
}

/// The draft. It lacks links alone, which only the vendor knows; a router file without them is
/// refused, with the line of each.
fn text(record: &RunRecord) -> String {
    let is_failure = |case: &&CaseRecord| matches!(&*case.outcome.word, "failed" | "warned");
    let mut text = String::from(
        "# A draft for a router file. Each entry needs a link to where to read more, between the\n\
         # quotes of its last line; give it your own reason as well.\n",
    );
    for case in record.scenarios.iter().filter(is_failure) {
        let name = case.name.rsplit_once('[').map_or(case.name.as_str(), |(bare, _)| bare);
        let found = case.findings.first();
        let reason = found.map(|found| format!("{}: {}", found.requirement, found.message));
        // TOML reads the strings of JSON.
        let value = |text: &str| serde_json::Value::from(text).to_string();
        text.push_str(&format!(
            "\n[[known_failure]]\nscenario = {}\nprotocol = {}\nreason = {}\nlink = \"\"\n",
            value(name),
            value(&case.protocol),
            value(&reason.unwrap_or_default())
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;
    use crate::router_file::RouterFile;

    #[test]
    fn a_draft_is_refused_by_line_until_it_has_links_and_then_it_loads() {
        let head = "name = \"r\"\ncommand = [\"r\"]\nprotocols = [\"buffering\"]\n";
        for report in [sample::report(), sample::hostile()] {
            let file = format!("{head}{}", text(&report));
            let error = RouterFile::parse(&file).unwrap_err();
            let line = file.lines().position(|line| line == "link = \"\"").unwrap() + 1;
            assert!(error.contains(&format!("line {line}: ")), "{error}");
            assert!(error.contains("needs a link") && error.contains("and 1 more"), "{error}");
            let linked = file.replace("link = \"\"", "link = \"https://example.com/1\"");
            assert_eq!(RouterFile::parse(&linked).unwrap().known_failures.len(), 2);
        }
    }
}
