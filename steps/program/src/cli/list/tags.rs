//! The tags that select cases.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use conformance_suite::catalog::Case;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
enum Kind {
    Protocol,
    Area,
    Cache,
    Capability,
    Requirement,
    Document,
    Other,
}

impl Kind {
    fn from_tag(tag: &str) -> Self {
        match tag.split_once(':') {
            None if ["buffering", "learning"].contains(&tag) => Self::Protocol,
            None if ["journey", "protocol", "hardening", "cells"].contains(&tag) => Self::Area,
            None if ["any-cache", "late"].contains(&tag) => Self::Cache,
            Some(("capability", _)) => Self::Capability,
            Some(("req", _)) => Self::Requirement,
            Some(("doc", _)) => Self::Document,
            _ => Self::Other,
        }
    }

    fn name(self) -> &'static str {
        self.into()
    }

    /// How its tags are spelled, and what they mean.
    fn meaning(self) -> &'static str {
        match self {
            Self::Protocol => "buffering, learning: the protocols of a scenario",
            Self::Area => {
                "journey, protocol, hardening, cells: the folders of the suite's features"
            }
            Self::Cache => {
                "any-cache: the router may have cached anything before; late: also played on a \
                 router that has lived through features/late.feature"
            }
            Self::Capability => "capability:NAME: only for routers that claim it",
            Self::Requirement => "req:ID: what the scenario proves (`list explain ID`)",
            Self::Document => {
                "doc:DOCUMENT/SECTION:PART: what it executes; a beginning selects all"
            }
            Self::Other => "no meaning to the suite",
        }
    }
}

/// Every tag that selects a case, by kind and name, with the number of its cases.
fn counted(cases: &[Case]) -> BTreeMap<(Kind, &str), usize> {
    let mut counts = BTreeMap::new();
    for case in cases {
        let mut own: Vec<&str> = case.tags.iter().flat_map(|tag| selecting(tag)).collect();
        own.sort_unstable();
        own.dedup();
        for tag in own {
            *counts.entry((Kind::from_tag(tag), tag)).or_default() += 1;
        }
    }
    counts
}

/// What selects a case with this tag: the tag, and the beginnings of one of a document.
fn selecting(tag: &str) -> Vec<&str> {
    let from = if tag.starts_with("doc:") { "doc:".len() } else { tag.len() };
    let ends = tag.char_indices().skip_while(|(at, _)| *at < from);
    let ends = ends.filter(|(_, c)| ['/', ':'].contains(c)).map(|(at, _)| at);
    ends.chain([tag.len()]).map(|end| &tag[..end]).collect()
}

pub(super) fn lines(cases: &[Case]) -> String {
    let (mut text, mut last) = (String::new(), None);
    for ((kind, tag), count) in counted(cases) {
        if last.replace(kind) != Some(kind) {
            let gap = if text.is_empty() { "" } else { "\n" };
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{gap}{}", kind.meaning());
        }
        let _ = writeln!(text, "{count:>6}  {tag}");
    }
    text
}

pub(super) fn described(cases: &[Case]) -> Vec<Value> {
    let counts = counted(cases).into_iter();
    counts
        .map(|((kind, tag), cases)| json!({ "tag": tag, "kind": kind.name(), "cases": cases }))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use conformance_suite::catalog::Catalog;
    use conformance_suite::engine::Selection;
    use conformance_suite::ledger::Ledger;

    #[test]
    fn every_tag_selects_as_many_cases_as_are_counted() {
        let (catalog, ledger) = (Catalog::embedded(), Ledger::embedded());
        let counts = counted(&catalog.cases);
        assert!(counts.len() > 100 && counts.contains_key(&(Kind::Document, "doc:buffering")));
        for ((kind, tag), count) in counts {
            let selection = Selection { tags: vec![tag.to_owned()], ..Selection::default() };
            assert_eq!(selection.of(&catalog.cases, ledger).unwrap().len(), count, "{tag}");
            assert_ne!(kind, Kind::Other, "{tag}: the suite has no such kind of tag");
        }
    }
}
