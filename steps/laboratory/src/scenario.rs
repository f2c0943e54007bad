//! Scenarios that the laboratory writes itself, and cases of the catalog that come of them.

use conformance_suite::catalog::{Case, Catalog, Source};

/// The steps of a scenario: those of each keyword, the ones after the first with `And`.
pub(crate) fn steps(groups: &[(&str, Vec<String>)]) -> String {
    let mut text = String::new();
    for (keyword, steps) in groups {
        for (number, step) in steps.iter().enumerate() {
            let keyword = if number == 0 { keyword } else { "And" };
            text.push_str(&format!("    {keyword} {step}\n"));
        }
    }
    text
}

/// The case of a feature file with one scenario.
pub(crate) fn case(path: &str, text: &str) -> Result<Case, String> {
    let catalog = Catalog::load([Source { path, text }]);
    if let Some(error) = catalog.errors.first() {
        return Err(format!("{}\n{text}", error.message));
    }
    catalog.cases.into_iter().next().ok_or_else(|| format!("no case comes of\n{text}"))
}
