//! The catalog of mutants and variants, by name.

use std::sync::LazyLock;

use crate::around::{NULL, Seam, TABLES};
use crate::entry::{Mutant, Protocols, Variant};

/// All mutants, in the order of the tables.
pub fn mutants() -> &'static [Mutant] {
    static ALL: LazyLock<Vec<Mutant>> =
        LazyLock::new(|| TABLES.iter().flat_map(|(wrong, _)| *wrong).copied().collect());
    &ALL
}

/// The routers that do not route: the null baseline of the suite.
pub fn degenerate() -> &'static [Mutant] {
    NULL
}

/// The correct variants; `plain` is the reference router itself.
pub fn variants() -> &'static [Variant] {
    static ALL: LazyLock<Vec<Variant>> =
        LazyLock::new(|| TABLES.iter().flat_map(|(_, variants)| *variants).copied().collect());
    &ALL
}

/// The router called `name`, and its protocols.
pub(crate) fn find(name: &str) -> Option<(&'static [Seam], Protocols)> {
    let mutant = mutants().iter().chain(degenerate()).find(|mutant| mutant.name == name);
    let variant = variants().iter().find(|variant| variant.name == name);
    let mutant = mutant.map(|mutant| (mutant.seams, mutant.protocols));
    mutant.or(variant.map(|variant| (variant.seams, variant.protocols)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn names() -> impl Iterator<Item = &'static str> {
        let wrong = mutants().iter().chain(degenerate()).map(|mutant| mutant.name);
        wrong.chain(variants().iter().map(|variant| variant.name))
    }

    #[test]
    fn names_are_unique_and_kebab_case() {
        assert_eq!(names().collect::<HashSet<_>>().len(), names().count());
        for name in names() {
            assert!(name.split('-').all(|word| !word.is_empty()), "{name}");
            let is_sign = |sign: char| sign.is_ascii_lowercase() || sign.is_ascii_digit();
            assert!(name.replace('-', "").chars().all(is_sign), "{name}");
        }
    }

    #[test]
    fn requirements_are_ids() {
        for mutant in mutants().iter().chain(degenerate()) {
            let (area, number) = mutant.requirement.split_once('-').unwrap_or_default();
            let is_area =
                (1..=2).contains(&area.len()) && area.chars().all(|sign| sign.is_ascii_uppercase());
            let is_number = (2..=3).contains(&number.len()) && number.parse::<u8>().is_ok();
            assert!(is_area && is_number, "{}", mutant.name);
        }
    }

    #[test]
    fn summaries_are_single_fragments() {
        let summaries = mutants().iter().chain(degenerate()).map(|mutant| mutant.summary);
        for summary in summaries.chain(variants().iter().map(|variant| variant.summary)) {
            assert!(!summary.is_empty() && !summary.ends_with('.'), "{summary}");
            assert!(!summary.contains('\n'), "{summary}");
        }
    }

    #[test]
    fn a_requirement_of_one_proposal_is_broken_only_there() {
        for mutant in mutants() {
            match mutant.requirement.split_once('-').map(|(area, _)| area) {
                Some("BF") => assert_eq!(mutant.protocols, Protocols::Buffering, "{}", mutant.name),
                Some("LN") => assert_eq!(mutant.protocols, Protocols::Learning, "{}", mutant.name),
                _ => {}
            }
        }
    }

    #[test]
    fn capabilities_are_those_of_the_contract() {
        const KNOWN: [&str; 4] = ["cookie-cache", "not-found-delay", "upgrade", "http10-clients"];
        for claim in mutants().iter().filter_map(|mutant| mutant.capability) {
            assert!(KNOWN.contains(&claim), "{claim}");
            assert!(
                variants().iter().any(|variant| variant.capability == Some(claim)),
                "{claim} has no sound twin"
            );
        }
    }
}
