//! Compares the documents that list mutants with the catalog.

use std::collections::{BTreeMap, BTreeSet};

use broken_routers::{mutants, variants};

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/memory-and-belief.md");
const COMPARISONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/comparisons.md");

/// The names in backquotes in the tables' rows that are followed by an id, and those that are not.
fn named(text: &str) -> (Vec<(String, String)>, BTreeSet<String>) {
    let (mut with_id, mut without) = (Vec::new(), BTreeSet::new());
    for row in text.lines().filter(|line| line.starts_with('|')) {
        let mut pieces = row.split('`').skip(1);
        while let Some(name) = pieces.next() {
            let after = pieces.next().unwrap_or_default();
            match after.strip_prefix(" (").and_then(|rest| rest.split_once(')')) {
                Some((id, _)) => with_id.push((name.to_owned(), id.to_owned())),
                None => _ = without.insert(name.to_owned()),
            }
        }
    }
    (with_id, without)
}

#[test]
fn memory_and_belief_names_mutants_under_the_requirements_that_they_break() {
    let (in_table, _) = named(&std::fs::read_to_string(TABLE).unwrap());
    let known: BTreeMap<_, _> =
        mutants().iter().map(|mutant| (mutant.name, mutant.requirement)).collect();
    assert!(in_table.len() > 60, "{}", in_table.len());
    for (name, id) in &in_table {
        assert_eq!(known.get(name.as_str()), Some(&id.as_str()), "{name}");
    }
}

#[test]
fn memory_and_belief_leaves_out_no_mutant_about_the_cache() {
    let (in_table, _) = named(&std::fs::read_to_string(TABLE).unwrap());
    let named: BTreeSet<_> = in_table.iter().map(|(name, _)| name.as_str()).collect();
    // Mutants of comparisons have a table of their own.
    let compared = std::fs::read_to_string(COMPARISONS).unwrap();
    let is_about_the_cache =
        |id: &str| id.starts_with("CA-") || ["Z-70", "Z-71", "Z-72", "Z-73", "Z-74"].contains(&id);
    for mutant in mutants().iter().filter(|mutant| is_about_the_cache(mutant.requirement)) {
        if compared.contains(&format!("`{}`", mutant.name)) {
            continue;
        }
        assert!(
            named.contains(mutant.name),
            "{} ({}) stands in no row",
            mutant.name,
            mutant.requirement
        );
    }
}

#[test]
fn memory_and_belief_names_variants_where_it_names_no_requirement() {
    let (_, others) = named(&std::fs::read_to_string(TABLE).unwrap());
    let known: BTreeSet<_> = variants().iter().map(|variant| variant.name).collect();
    let words = ["Host", "ttl_ms", "cell"];
    for name in others.iter().filter(|name| name.contains('-') && !name.contains('/')) {
        assert!(known.contains(name.as_str()), "{name} is not a variant");
    }
    for word in others.iter().filter(|name| !name.contains('-') && *name != "/") {
        assert!(
            word == "path_prefix" || words.contains(&word.as_str()),
            "{word} is neither a variant nor a word of the contract"
        );
    }
}
