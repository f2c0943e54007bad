//! The feature files in reading order, and where each requirement is proved.

use std::collections::{BTreeMap, BTreeSet};

use cell_fleet::Protocol;
use cucumber::gherkin::{Feature, GherkinEnv, Rule, Scenario};
use maud::{Markup, html};

use crate::catalog::{Catalog, tag_with_citations};
use crate::ledger::RequirementId;

/// The parts of the specification: folder, title, description.
pub(super) const PARTS: [(&str, &str, &str); 5] = [
    (
        "journeys",
        "The flows of the documents",
        "In the order of the documents, each flow as both proposals draw it.",
    ),
    (
        "protocol",
        "The protocols",
        "What a router does with headers, learn responses and its cache.",
    ),
    (
        "hardening",
        "Hardening",
        "Derived, in no document: what keeps a router safe and its work finite.",
    ),
    ("cells", "The cells", "What the cells behind the router promise; no verdict about a router."),
    (
        PERMITTED,
        "What the proposals permit",
        "Counterexamples of the models, played on the fleet; they judge no router, and no run has \
         them that does not ask for them.",
    ),
];

/// The folder of what the proposals themselves permit.
const PERMITTED: &str = "proposals";

pub(super) struct Book {
    /// In reading order.
    pub(super) chapters: Vec<Chapter>,
    locations: BTreeMap<RequirementId, Vec<Location>>,
}

/// One feature file.
pub(super) struct Chapter {
    /// Path below `features/`.
    pub(super) path: String,
    pub(super) page: String,
    /// Its content, examples not expanded.
    pub(super) feature: Feature,
}

pub(super) struct Location {
    /// Page and anchor.
    link: String,
    title: String,
    /// The title of its feature.
    feature: String,
}

impl Location {
    /// A link to it, with its feature.
    pub(super) fn shown(&self) -> Markup {
        html! { a href=(self.link) { (self.title) } " " small { (self.feature) } }
    }
}

impl Book {
    pub(super) fn embedded() -> Result<Self, String> {
        let mut chapters = Vec::new();
        for (path, text) in Catalog::sources().chain(Catalog::sources_of_proposals()) {
            let mut feature = Feature::parse(text, GherkinEnv::default())
                .map_err(|error| format!("{path}: {error}"))?;
            tag_with_citations(&mut feature, path)?;
            let page = path.strip_suffix(".feature").unwrap_or(path).replace('/', "-") + ".html";
            chapters.push(Chapter { path: path.to_owned(), page, feature });
        }
        // The sort keeps the order of the files inside a part.
        chapters.sort_by_key(|chapter| {
            PARTS.iter().position(|(folder, ..)| chapter.path.starts_with(folder))
        });
        let mut locations: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for chapter in chapters.iter().filter(|chapter| chapter.judges()) {
            for (_, scenario) in chapter.scenarios() {
                for id in cited(scenario) {
                    locations.entry(id).or_default().push(chapter.location(scenario));
                }
            }
        }
        Ok(Self { chapters, locations })
    }

    /// The scenario at a line of a feature file, or the outline whose examples have that line.
    pub(super) fn find(&self, path: &str, line: usize) -> Option<Location> {
        let chapter = self.chapters.iter().find(|chapter| chapter.path == path)?;
        let above = chapter.scenarios().map(|(_, scenario)| scenario);
        let above = above.filter(|scenario| scenario.position.line <= line);
        let scenario = above.max_by_key(|scenario| scenario.position.line)?;
        Some(chapter.location(scenario))
    }

    /// The scenarios that prove a requirement.
    pub(super) fn locations(&self, id: &RequirementId) -> &[Location] {
        self.locations.get(id).map_or(&[], Vec::as_slice)
    }
}

impl Chapter {
    pub(super) fn scenarios(&self) -> impl Iterator<Item = (Option<&Rule>, &Scenario)> {
        let plain = self.feature.scenarios.iter().map(|scenario| (None, scenario));
        plain.chain(
            self.feature
                .rules
                .iter()
                .flat_map(|rule| rule.scenarios.iter().map(move |scenario| (Some(rule), scenario))),
        )
    }

    /// Where one of its scenarios stands.
    pub(super) fn location(&self, scenario: &Scenario) -> Location {
        Location {
            link: format!("{}#{}", self.page, anchor(scenario)),
            title: scenario.name.clone(),
            feature: self.feature.name.clone(),
        }
    }

    /// Whether its scenarios judge routers or cells.
    pub(super) fn judges(&self) -> bool {
        !self.path.starts_with(PERMITTED)
    }

    /// The protocols of a scenario, by its tags and those of its rule and its feature.
    pub(super) fn protocols_of(&self, rule: Option<&Rule>, scenario: &Scenario) -> Vec<Protocol> {
        let tags = scenario.tags.iter().chain(rule.into_iter().flat_map(|rule| &rule.tags));
        let tags: Vec<_> = tags.chain(&self.feature.tags).collect();
        let has = |protocol: &Protocol| tags.iter().any(|tag| *tag == protocol.as_str());
        Protocol::ALL.into_iter().filter(has).collect()
    }

    pub(super) fn protocols(&self) -> Vec<&'static str> {
        let all = self.scenarios().flat_map(|(rule, scenario)| self.protocols_of(rule, scenario));
        all.collect::<BTreeSet<_>>().into_iter().map(Protocol::as_str).collect()
    }
}

/// The requirements that a scenario cites, in tag order.
pub(super) fn cited(scenario: &Scenario) -> Vec<RequirementId> {
    scenario.tags.iter().filter_map(|tag| tag.strip_prefix("req:")?.parse().ok()).collect()
}

/// The anchor of a scenario on its page.
pub(super) fn anchor(scenario: &Scenario) -> String {
    format!("l{}", scenario.position.line)
}
