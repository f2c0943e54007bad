//! Tables of reasons, kept by hand: a reason, and the mutants for which it holds.

use std::collections::BTreeMap;

use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reason {
    reason: String,
    mutants: Vec<String>,
}

/// The reason of each mutant of a table in TOML, which is built into the program.
///
/// # Panics
///
/// Where the text is no such table, a reason is empty, or a mutant has two.
pub(super) fn reasons(text: &str) -> BTreeMap<String, String> {
    let tables: BTreeMap<String, Vec<Reason>> =
        toml::from_str(text).unwrap_or_else(|error| panic!("a table of reasons: {error}"));
    let mut reasons = BTreeMap::new();
    for Reason { reason, mutants } in tables.into_values().flatten() {
        assert!(!reason.is_empty(), "{mutants:?} have no reason");
        for name in mutants {
            let earlier = reasons.insert(name.clone(), reason.clone());
            assert_eq!(earlier, None, "{name} has two reasons");
        }
    }
    reasons
}
