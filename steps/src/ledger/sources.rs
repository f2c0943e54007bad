//! How strong the sources of derived requirements are, and what common engines do about them by
//! themselves.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::{Level, Profile, Requirement};

/// The sources of derived requirements; a link below this crate leads there.
const SOURCES: &str = include_str!("../../fixtures/sources.toml");
/// What engines do by themselves: `docs/engines.md`.
const ENGINES: &str = include_str!("../../fixtures/engines.md");

/// What an RFC says, and how strongly.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Source {
    r#where: String,
    level: String,
    says: String,
}

fn sources() -> &'static BTreeMap<String, Source> {
    static SOURCE: LazyLock<BTreeMap<String, Source>> =
        LazyLock::new(|| toml::from_str(SOURCES).unwrap_or_default());
    &SOURCE
}

/// A line of the table of engines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineHint {
    pub engine: String,
    pub does: String,
    pub switch: String,
}

impl Requirement {
    /// How strong the source of a derived MUST is, in words; `None` for another requirement.
    pub fn strength(&self) -> Option<String> {
        if self.profile != Profile::Hardening || self.level != Level::Must {
            return None;
        }
        Some(match sources().get(self.id.as_str()) {
            Some(Source { r#where, level, says }) => format!("{where}, {level}: {says}"),
            None => "the router contract, MUST: no RFC asks for it".to_owned(),
        })
    }

    /// What engines do by themselves that this requirement judges.
    pub fn engines(&self) -> Vec<EngineHint> {
        let mut engine = "";
        let mut hints = Vec::new();
        for line in ENGINES.lines().filter(|line| line.starts_with('|')) {
            let cells: Vec<_> = line.trim_matches('|').split(" | ").map(str::trim).collect();
            let [name, does, judged, switch] = cells[..] else { continue };
            engine = if name.is_empty() { engine } else { name };
            let mut ids = judged.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
            if ids.any(|id| id == self.id.as_str()) {
                let (does, switch) = (does.to_owned(), switch.to_owned());
                hints.push(EngineHint { engine: engine.to_owned(), does, switch });
            }
        }
        hints
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::Ledger;

    #[test]
    fn each_source_is_of_a_derived_must_and_each_derived_must_has_one_or_a_contract() {
        assert!(toml::from_str::<BTreeMap<String, Source>>(SOURCES).is_ok());
        for id in sources().keys() {
            let row = Ledger::embedded().row(&id.parse().unwrap()).unwrap();
            assert!(row.strength().is_some(), "{id}: no derived MUST");
        }
        for row in Ledger::embedded().rows().filter(|row| row.strength().is_some()) {
            let source = sources().get(row.id.as_str());
            let rests_on_rfc_alone = row.section.starts_with("RFC");
            assert!(source.is_some() || !rests_on_rfc_alone, "{}: no source", row.id);
            let Some(source) = source else { continue };
            let rfc = source.r#where.split(' ').take(2).collect::<Vec<_>>().join(" ");
            assert!(row.section.contains(&rfc), "{}: {rfc} is not in its section", row.id);
            let is_level = ["MUST", "MUST NOT", "SHOULD", "none"].contains(&&*source.level);
            assert!(is_level, "{}: {}", row.id, source.level);
        }
    }

    #[test]
    fn engines_are_named_at_the_rows_that_judge_them() {
        let row = |id: &str| Ledger::embedded().row(&id.parse().unwrap()).unwrap();
        let hints = row("Z-17").engines();
        assert!(hints.iter().any(|hint| hint.engine == "Go `net/http`"), "{hints:?}");
        assert!(hints.iter().any(|hint| hint.switch == "`proxy_next_upstream off`"), "{hints:?}");
        let is_asyncio = |hint: &EngineHint| hint.engine == "Python `asyncio` streams";
        assert!(row("Z-47").engines().iter().any(is_asyncio));
        assert_eq!(row("RT-01").engines(), []);
    }
}
