//! The feature files in the order in which they are read, and where each requirement is proved.

use std::collections::BTreeMap;

use gherkin::{Feature, GherkinEnv, Rule, Scenario};

use super::PARTS;
use crate::catalog::Catalog;
use crate::ledger::RequirementId;

/// All chapters.
pub(super) struct Book {
    /// In reading order.
    pub(super) chapters: Vec<Chapter>,
    places: BTreeMap<RequirementId, Vec<Place>>,
}

/// One feature file.
pub(super) struct Chapter {
    /// Path below `features/`.
    pub(super) path: String,
    /// Name of its page.
    pub(super) page: String,
    /// What it says, examples not expanded.
    pub(super) feature: Feature,
}

/// A scenario that proves something.
pub(super) struct Place {
    /// Page and anchor.
    pub(super) link: String,
    /// Its title.
    pub(super) title: String,
    /// The title of its feature.
    pub(super) feature: String,
}

impl Book {
    pub(super) fn embedded() -> Result<Self, String> {
        let mut chapters = Vec::new();
        for (path, text) in Catalog::sources() {
            let feature = Feature::parse(text, GherkinEnv::default())
                .map_err(|error| format!("{path}: {error}"))?;
            let page = path.strip_suffix(".feature").unwrap_or(path).replace('/', "-") + ".html";
            chapters.push(Chapter { path: path.to_owned(), page, feature });
        }
        // The sort keeps the order of the files inside a part.
        chapters.sort_by_key(|chapter| {
            PARTS.iter().position(|(folder, ..)| chapter.path.starts_with(folder))
        });
        let mut places: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for chapter in &chapters {
            for (_, scenario) in chapter.scenarios() {
                for id in cited(scenario) {
                    places.entry(id).or_default().push(Place {
                        link: format!("{}#{}", chapter.page, anchor(scenario)),
                        title: scenario.name.clone(),
                        feature: chapter.feature.name.clone(),
                    });
                }
            }
        }
        Ok(Self { chapters, places })
    }

    /// The scenarios that prove a requirement.
    pub(super) fn places(&self, id: &RequirementId) -> &[Place] {
        self.places.get(id).map_or(&[], Vec::as_slice)
    }
}

impl Chapter {
    /// The scenarios, with the rule under which each stands.
    pub(super) fn scenarios(&self) -> impl Iterator<Item = (Option<&Rule>, &Scenario)> {
        let plain = self.feature.scenarios.iter().map(|scenario| (None, scenario));
        plain.chain(
            self.feature
                .rules
                .iter()
                .flat_map(|rule| rule.scenarios.iter().map(move |scenario| (Some(rule), scenario))),
        )
    }

    /// The protocols under which any of it runs.
    pub(super) fn protocols(&self) -> Vec<&'static str> {
        let has = |protocol: &str| {
            let tagged = |tags: &[String]| tags.iter().any(|tag| tag == protocol);
            tagged(&self.feature.tags)
                || self.scenarios().any(|(rule, scenario)| {
                    tagged(&scenario.tags) || rule.is_some_and(|rule| tagged(&rule.tags))
                })
        };
        ["buffering", "learning"].into_iter().filter(|protocol| has(protocol)).collect()
    }
}

/// The requirements that a scenario cites, in the order of its tags.
pub(super) fn cited(scenario: &Scenario) -> Vec<RequirementId> {
    scenario.tags.iter().filter_map(|tag| tag.strip_prefix("req:")?.parse().ok()).collect()
}

/// Where a scenario stands on its page.
pub(super) fn anchor(scenario: &Scenario) -> String {
    format!("l{}", scenario.position.line)
}
