//! What an id on the command line names, however it was typed.

use std::collections::BTreeSet;

use conformance_suite::ledger::{Ledger, Requirement};
use conformance_suite::spec::{Decision, Decisions};

/// Number of ids that are suggested for an unknown one.
const SUGGESTED: usize = 5;

/// What can be explained.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entry<'a> {
    /// A row of the ledger.
    Requirement(&'a Requirement),
    /// How the suite reads a place where the documents are silent or contradict themselves.
    Decision(&'a Decision),
}

impl Entry<'_> {
    fn id(&self) -> &str {
        match self {
            Self::Requirement(row) => row.id.as_str(),
            Self::Decision(decision) => &decision.id,
        }
    }
}

/// The entry with this id, in upper or lower case, with or without the dash.
///
/// # Errors
///
/// If there is none: names ids that are typed nearly like it, or the areas of ids.
pub(super) fn find<'a>(
    typed: &str,
    ledger: &'a Ledger,
    decisions: &'a Decisions,
) -> Result<Entry<'a>, String> {
    let all = || {
        let rows = ledger.rows().map(Entry::Requirement);
        rows.chain(decisions.all().iter().map(Entry::Decision))
    };
    let wanted = normalized(typed);
    if let Some(found) = all().find(|entry| normalized(entry.id()) == wanted) {
        return Ok(found);
    }
    let mut near: Vec<_> = all()
        .map(|entry| (strsim::levenshtein(&wanted, &normalized(entry.id())), entry))
        .filter(|(distance, _)| *distance <= 2)
        .collect();
    near.sort_by_key(|(distance, entry)| (*distance, entry.id().to_owned()));
    let near: Vec<_> = near.iter().take(SUGGESTED).map(|(_, entry)| entry.id()).collect();
    Err(if near.is_empty() {
        let areas: BTreeSet<_> =
            ledger.rows().filter_map(|row| row.id.as_str().split('-').next()).collect();
        let areas: Vec<_> = areas.into_iter().collect();
        format!(
            "no requirement or decision {typed}; ids of requirements look like BF-03, with one of \
             the areas {}; ids of decisions look like A-30",
            areas.join(", ")
        )
    } else {
        format!("no requirement or decision {typed}; similar ids: {}", near.join(", "))
    })
}

/// The id in a form in which equal ids are equal however they were typed.
fn normalized(id: &str) -> String {
    let id = id.trim().to_uppercase();
    let letters: String =
        id.chars().take_while(|character| character.is_ascii_alphabetic()).collect();
    let number = id[letters.len()..].trim_start_matches(['-', '_', ' ']);
    format!("{letters}{number:0>2}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(typed: &str) -> Result<&'static str, String> {
        find(typed, Ledger::embedded(), Decisions::embedded()).map(|entry| match entry {
            Entry::Requirement(row) => row.id.as_str(),
            Entry::Decision(decision) => decision.id.as_str(),
        })
    }

    #[test]
    fn an_id_is_found_in_any_case_and_with_or_without_its_dash() {
        for typed in ["BF-03", "bf-03", "BF03", "bf-3", "bf_3", " BF-03 "] {
            assert_eq!(found(typed), Ok("BF-03"), "{typed}");
        }
        for typed in ["A-30", "a30", "a-30"] {
            assert_eq!(found(typed), Ok("A-30"), "{typed}");
        }
    }

    #[test]
    fn no_decision_has_the_id_of_a_requirement() {
        let ids: BTreeSet<_> =
            Ledger::embedded().rows().map(|row| normalized(row.id.as_str())).collect();
        for decision in Decisions::embedded().all() {
            assert!(!ids.contains(&normalized(&decision.id)), "{}", decision.id);
        }
    }
}
