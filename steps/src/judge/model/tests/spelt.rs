//! What the model cites.

use crate::ledger::Ledger;

/// The words that look like the id of a requirement.
fn ids(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
    words.filter(|word| {
        let parts = word.split_once('-');
        parts.is_some_and(|(area, number)| {
            area.chars().all(|c| c.is_ascii_uppercase())
                && !area.is_empty()
                && area != "A"
                && number.len() == 2
                && number.parse::<u8>().is_ok()
        })
    })
}

#[test]
fn every_sentence_cites_a_requirement_and_stands_in_the_table() {
    let table = include_str!("../mod.rs");
    let table: Vec<_> = table.lines().filter(|line| line.starts_with("//! |")).collect();
    let table = table.join("\n");
    for text in [
        include_str!("../mod.rs"),
        include_str!("../by_hand.rs"),
        include_str!("../routing.rs"),
        include_str!("../refusals.rs"),
        include_str!("../taught.rs"),
        include_str!("../entries.rs"),
        include_str!("../forwarding/requests.rs"),
        include_str!("../forwarding/responses.rs"),
    ] {
        let said = text.split('"').skip(1).step_by(2).flat_map(ids);
        for id in said.chain(ids(&table)) {
            let known = id.parse().ok().and_then(|id| Ledger::embedded().row(&id));
            assert!(known.is_some(), "{id}");
            assert!(ids(&table).any(|cited| cited == id), "{id} is not in the table");
        }
    }
}
