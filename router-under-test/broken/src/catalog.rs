//! The catalog of mutants and variants, by name.

use std::sync::LazyLock;

use crate::around::{self, Seams};
use crate::entry::{Mutant, Variant};
use crate::protocol::Protocols;

/// All mutants, in the order of the tables.
pub fn mutants() -> &'static [Mutant] {
    static ALL: LazyLock<Vec<Mutant>> = LazyLock::new(|| around::all_wrong().copied().collect());
    &ALL
}

/// The routers that do not route: the null baseline of the suite.
pub fn degenerate() -> &'static [Mutant] {
    around::NULL
}

/// The correct variants; `plain` is the reference router itself.
pub fn variants() -> &'static [Variant] {
    static ALL: LazyLock<Vec<Variant>> =
        LazyLock::new(|| around::all_variants().copied().collect());
    &ALL
}

/// The router called `name`, and its protocols.
pub(crate) fn find(name: &str) -> Option<(Seams, Protocols)> {
    let mutants = mutants().iter().chain(degenerate());
    let mutants = mutants.map(|one| (one.name, one.seams, one.protocols));
    let variants = variants().iter().map(|one| (one.name, one.seams, one.protocols));
    let found = mutants.chain(variants).find(|(known, ..)| *known == name);
    found.map(|(_, seams, protocols)| (seams, protocols))
}

/// The names that share most words with `name`, for the message about an unknown name.
pub(crate) fn near(name: &str) -> Vec<&'static str> {
    let names = mutants().iter().chain(degenerate()).map(|mutant| mutant.name);
    let names = names.chain(variants().iter().map(|variant| variant.name));
    let mut scored: Vec<(usize, &'static str)> = names
        .map(|known| {
            let shared = name
                .split('-')
                .filter(|word| known.split('-').any(|other| alike(other, word)))
                .count();
            (shared, known)
        })
        .filter(|(shared, _)| *shared > 0)
        .collect();
    scored.sort_by_key(|(shared, known)| (usize::MAX - shared, *known));
    scored.into_iter().map(|(_, known)| known).take(5).collect()
}

/// Equal, or equal in their first four letters: enough for a wrong ending.
fn alike(a: &str, b: &str) -> bool {
    a == b || matches!((a.get(..4), b.get(..4)), (Some(a), Some(b)) if a == b)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn names() -> Vec<&'static str> {
        let wrong = mutants().iter().chain(degenerate()).map(|mutant| mutant.name);
        wrong.chain(variants().iter().map(|variant| variant.name)).collect()
    }

    #[test]
    fn names_are_unique_and_kebab_case() {
        let names = names();
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len());
        for name in names {
            assert!(name.split('-').all(|word| !word.is_empty()), "{name}");
            assert!(
                name.bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'),
                "{name}"
            );
        }
    }

    #[test]
    fn requirements_are_ids() {
        for mutant in mutants().iter().chain(degenerate()) {
            let (area, number) = mutant.requirement.split_once('-').unwrap_or_default();
            assert!(
                (1..=2).contains(&area.len()) && area.bytes().all(|byte| byte.is_ascii_uppercase()),
                "{}",
                mutant.name
            );
            assert!(
                number.len() == 2 && number.bytes().all(|byte| byte.is_ascii_digit()),
                "{}",
                mutant.name
            );
        }
    }

    #[test]
    fn summaries_are_single_fragments() {
        let summaries = mutants().iter().chain(degenerate()).map(|mutant| mutant.summary);
        for summary in summaries.chain(variants().iter().map(|variant| variant.summary)) {
            assert!(
                !summary.is_empty() && !summary.ends_with('.') && !summary.contains('\n'),
                "{summary}"
            );
        }
    }

    #[test]
    fn the_catalog_has_enough_of_each_kind() {
        assert!(mutants().len() >= 200, "{}", mutants().len());
        assert!(degenerate().len() >= 6);
        assert!(variants().len() >= 6);
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

    #[test]
    fn an_unknown_name_suggests_similar_ones() {
        assert!(near("cuts-body-on-resend").contains(&"cuts-the-body-on-resend"));
        assert!(near("resending-as-get").contains(&"resends-as-get"));
        assert!(near("zzz").is_empty());
        assert!(find("zzz").is_none());
        assert!(find("plain").is_some());
    }
}
