//! Entries of a router file whose scenarios pass.

use super::record::KnownFailure;

/// The complaint about an entry if some of its scenarios pass: those `passed`, while `others` do
/// not. `None` if none passes.
pub(super) fn complaint(entry: &KnownFailure, passed: &[&str], others: usize) -> Option<String> {
    let first = passed.first()?;
    let scenario = &entry.scenario;
    let advice = match others {
        0 => format!("remove the entry `{scenario}`"),
        _ => format!("narrow the entry `{scenario}` to the {others} that do not"),
    };
    Some(match passed.len() {
        1 => format!(
            "{first} passes, but the router file lists it as a known failure: {advice}, or write \
             `flaky = true` into it if the scenario passes at times"
        ),
        many => format!(
            "{many} scenarios pass, {first} the first of them, but the router file lists them as \
             known failures: {advice}, or write `flaky = true` into it if they pass at times"
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_whose_scenarios_pass_complains_once() {
        let entry = r#"{"scenario":"a::*","reason":"x"}"#;
        let entry: KnownFailure = serde_json::from_str(entry).unwrap();
        let said = |passed: &[&str], others| complaint(&entry, passed, others).unwrap_or_default();
        assert_eq!(said(&[], 3), "");
        assert!(said(&["a::b"], 0).starts_with("a::b passes, but the router file lists it"));
        let many = said(&["a::b", "a::c"], 0);
        assert!(many.starts_with("2 scenarios pass, a::b the first of them, but"), "{many}");
        assert!(many.contains("remove the entry `a::*`, or"), "{many}");
        assert!(said(&["a::b"], 3).contains("narrow the entry `a::*` to the 3 that do not"));
    }
}
