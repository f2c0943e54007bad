//! What can be switched on, by name.

use std::fmt;
use std::sync::LazyLock;

use crate::kind::{Change, Mutation, NoRouter, Variation};

/// One of the two proposals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// The buffering proposal: the request is kept and sent again to the cell that the first one
    /// names.
    Buffering,
    /// The routes-learning proposal: a pre-flight asks for the owner, then the request is sent
    /// once.
    Learning,
}

impl Protocol {
    /// Reads the spelling of `CELLS_PROTOCOL`; `None` for any other word.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "buffering" => Some(Self::Buffering),
            "learning" => Some(Self::Learning),
            _ => None,
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Buffering => "buffering",
            Self::Learning => "learning",
        })
    }
}

/// The proposals in which a defect or a variant can be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocols {
    /// Only the buffering proposal.
    Buffering,
    /// Only the routes-learning proposal.
    Learning,
    /// Both of them.
    Both,
}

impl Protocols {
    /// Whether `protocol` is one of them.
    pub fn contain(self, protocol: Protocol) -> bool {
        match self {
            Self::Both => true,
            Self::Buffering => protocol == Protocol::Buffering,
            Self::Learning => protocol == Protocol::Learning,
        }
    }

    /// The protocols, one by one.
    pub fn each(self) -> impl Iterator<Item = Protocol> {
        [Protocol::Buffering, Protocol::Learning]
            .into_iter()
            .filter(move |protocol| self.contain(*protocol))
    }
}

/// A router that is wrong in one way.
#[derive(Debug, Clone, Copy)]
pub struct Mutant {
    /// What it is called on the command line and in the kill matrix: a few words, kebab-case,
    /// unique.
    pub name: &'static str,
    /// The one requirement that it breaks, such as `BF-03`.
    pub requirement: &'static str,
    /// Where it can be seen; under another protocol the router exits with 69 before it listens.
    pub protocols: Protocols,
    /// What the router's author got wrong, in one sentence.
    pub summary: &'static str,
    /// The capability without whose scenarios it cannot be seen, such as `upgrade`; the router
    /// claims it.
    pub capability: Option<&'static str>,
    pub(crate) change: Change,
}

impl Mutant {
    pub(crate) const fn claiming(self, capability: &'static str) -> Self {
        Self { capability: Some(capability), ..self }
    }
}

/// A router that differs from the plain one in what the documents leave open, and is correct.
#[derive(Debug, Clone, Copy)]
pub struct Variant {
    /// What it is called on the command line: a few words, kebab-case, unique, also among defects.
    pub name: &'static str,
    /// Where the choice exists; under another protocol the router exits with 69 before it listens.
    pub protocols: Protocols,
    /// The choice that it makes, in one sentence.
    pub summary: &'static str,
    /// The capability that it claims, if any.
    pub capability: Option<&'static str>,
    /// The SHOULDs that it has a reason not to follow: a warning under one of them is expected,
    /// anything else is not.
    pub warnings: &'static [&'static str],
    pub(crate) change: Change,
}

impl Variant {
    /// It is conformant all the same: what it does differently is a SHOULD.
    pub(crate) const fn warned_of(self, warnings: &'static [&'static str]) -> Self {
        Self { warnings, ..self }
    }

    pub(crate) const fn claiming(self, capability: &'static str) -> Self {
        Self { capability: Some(capability), ..self }
    }
}

/// Every router with one defect, in the order of the tables.
pub fn mutants() -> &'static [Mutant] {
    static ALL: LazyLock<Vec<Mutant>> = LazyLock::new(crate::mutants::all);
    &ALL
}

/// The routers that do not route: what the suite says of them is its null baseline.
pub fn degenerate() -> &'static [Mutant] {
    crate::mutants::degenerate::TABLE
}

/// The routers that are different and correct; `plain` is the base itself.
pub fn variants() -> &'static [Variant] {
    crate::mutants::variants::TABLE
}

/// What `name` stands for, and the protocols that it is meant for.
pub(crate) fn find(name: &str) -> Option<(Change, Protocols)> {
    let mut mutants = mutants().iter().chain(degenerate());
    let mut variants = variants().iter();
    mutants
        .find(|mutant| mutant.name == name)
        .map(|mutant| (mutant.change, mutant.protocols))
        .or_else(|| {
            variants
                .find(|variant| variant.name == name)
                .map(|variant| (variant.change, variant.protocols))
        })
}

/// The names that share most words with `name`, for the message about a name that does not exist.
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

const fn row(
    name: &'static str,
    requirement: &'static str,
    protocols: Protocols,
    mutation: Mutation,
    summary: &'static str,
) -> Mutant {
    Mutant {
        name,
        requirement,
        protocols,
        summary,
        capability: None,
        change: Change::Mutation(mutation),
    }
}

/// A defect of a buffering router.
pub(crate) const fn buffering(
    name: &'static str,
    requirement: &'static str,
    mutation: Mutation,
    summary: &'static str,
) -> Mutant {
    row(name, requirement, Protocols::Buffering, mutation, summary)
}

/// A defect of a learning router.
pub(crate) const fn learning(
    name: &'static str,
    requirement: &'static str,
    mutation: Mutation,
    summary: &'static str,
) -> Mutant {
    row(name, requirement, Protocols::Learning, mutation, summary)
}

/// A defect that can be seen under both protocols.
pub(crate) const fn both(
    name: &'static str,
    requirement: &'static str,
    mutation: Mutation,
    summary: &'static str,
) -> Mutant {
    row(name, requirement, Protocols::Both, mutation, summary)
}

/// A router that does not route.
pub(crate) const fn none(
    name: &'static str,
    requirement: &'static str,
    kind: NoRouter,
    summary: &'static str,
) -> Mutant {
    Mutant {
        name,
        requirement,
        protocols: Protocols::Both,
        summary,
        capability: None,
        change: Change::NoRouter(kind),
    }
}

/// A correct router that differs.
pub(crate) const fn variant(
    name: &'static str,
    protocols: Protocols,
    variation: Variation,
    summary: &'static str,
) -> Variant {
    Variant {
        name,
        protocols,
        summary,
        capability: None,
        warnings: &[],
        change: Change::Variation(variation),
    }
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
    fn summaries_are_one_fragment() {
        let summaries = mutants().iter().chain(degenerate()).map(|mutant| mutant.summary);
        for summary in summaries.chain(variants().iter().map(|variant| variant.summary)) {
            assert!(
                !summary.is_empty() && !summary.ends_with('.') && !summary.contains('\n'),
                "{summary}"
            );
        }
    }

    #[test]
    fn there_are_enough_of_each_kind() {
        assert!(mutants().len() >= 200, "{}", mutants().len());
        assert!(degenerate().len() >= 6);
        assert!(variants().len() >= 6);
    }

    #[test]
    fn no_mistake_stands_twice_under_one_protocol() {
        let mut seen = HashSet::new();
        for mutant in mutants() {
            for protocol in mutant.protocols.each() {
                assert!(seen.insert(format!("{:?} {protocol}", mutant.change)), "{}", mutant.name);
            }
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

    #[test]
    fn a_wrong_name_is_responded_with_near_ones() {
        assert!(near("drops-body-on-resend").contains(&"drops-the-body-on-resend"));
        assert!(near("resending-as-get").contains(&"resends-as-get"));
        assert!(near("zzz").is_empty());
        assert!(find("zzz").is_none());
        assert!(find("plain").is_some());
    }
}
