//! `run --write-known-failures`: a draft of entries for a router file.

use std::path::Path;

use crate::engine::record::{CaseRecord, RunRecord};
use crate::verdict::OutcomeWord;

/// Writes an entry for each scenario that did not pass.
///
/// # Errors
///
/// If the file cannot be written.
pub fn write(path: &Path, record: &RunRecord) -> Result<(), String> {
    std::fs::write(path, text(record))
        .map_err(|error| format!("{} could not be written: {error}", path.display()))
}

/// The draft. A router file takes it as it is. What only the vendor knows is a comment.
fn text(record: &RunRecord) -> String {
    let is_failure =
        |case: &&CaseRecord| matches!(case.outcome.word, OutcomeWord::Failed | OutcomeWord::Warned);
    let mut text = String::from(
        "# A draft for a router file. Put your own reason into each entry, and a link to where to\n\
         # read more.\n",
    );
    for case in record.scenarios.iter().filter(is_failure) {
        let name = case.name.rsplit_once('[').map_or(case.name.as_str(), |(bare, _)| bare);
        let found = case.findings.first();
        let reason = found.map(|found| format!("{}: {}", found.requirement, found.message));
        // TOML reads the strings of JSON.
        let value = |text: &str| serde_json::Value::from(text).to_string();
        text.push_str(&format!(
            "\n[[known_failure]]\nscenario = {}\nprotocol = {}\nreason = {}\n# link = \"https://\"\n",
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
    fn a_draft_loads_as_it_is_also_with_its_links() {
        let head = "name = \"r\"\ncommand = [\"r\"]\nprotocols = [\"buffering\"]\n";
        for report in [sample::report(), sample::hostile()] {
            let file = format!("{head}{}", text(&report));
            assert_eq!(RouterFile::parse(&file).unwrap().known_failures.len(), 2);
            let linked = file.replace("# link = \"https://\"", "link = \"https://example.com/1\"");
            let known = RouterFile::parse(&linked).unwrap().known_failures;
            assert!(known.iter().all(|entry| entry.link == "https://example.com/1"));
        }
    }
}
